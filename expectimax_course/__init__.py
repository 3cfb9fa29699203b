"""Search under chance: expectimax, its pruning, its games, its learning, and the course that teaches them.

>>> from expectimax_course.games.push_to_21 import PushTo21
>>> from expectimax_course.search.expectimax import expectimax
>>> round(expectimax(PushTo21(), PushTo21().initial_state()).value, 4)
15.8585
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["check", "hint"]

if TYPE_CHECKING:
    from expectimax_course.grading.check import check, hint


def __getattr__(name: str) -> Any:
    if name in __all__:
        from expectimax_course.grading import check as module

        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
