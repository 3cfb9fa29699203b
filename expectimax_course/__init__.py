"""Search under chance: expectimax, its pruning, its games, its learning, and the course that teaches them.

>>> from expectimax_course.search.expectimax import expectimax
>>> from expectimax_course.trees import parse_tree
>>> tree = parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)")
>>> expectimax(tree, tree.initial_state()).action
'gamble'
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
