"""IPython's lines that are no Python: what a notebook may hold and a plain interpreter refuses."""

from __future__ import annotations

import io
import re
import tokenize

PYTHON_CELLS = ("%%time", "%%capture", "%%prun")
"""Cell magics whose body runs as Python in the notebook's own namespace."""

_LINE = re.compile(r"([ \t]*)(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)")


def without_magics(source: str) -> str:
    """Return a cell's source as plain Python, line numbers kept: lines of IPython's own become ``pass``.

    A line that goes on an open bracket or text is Python, whatever it starts with.

    Examples
    --------
    >>> without_magics("%matplotlib inline\\nif True:\\n    !ls\\nx = (7\\n    % 3)\\nlen?")
    'pass\\nif True:\\n    pass\\nx = (7\\n    % 3)\\npass'
    >>> without_magics("%%bash\\nls")
    ''
    >>> without_magics("%%time\\nx = 1")
    'pass\\nx = 1'
    """
    if source.lstrip().startswith("%%") and source.split()[0] not in PYTHON_CELLS:
        return ""
    lines: list[str] = []
    for line in source.split("\n"):
        found = _LINE.fullmatch(line)
        lines.append(line if found is None or _is_open(lines) else f"{found[1]}pass")
    return "\n".join(lines)


def _is_open(lines: list[str]) -> bool:
    """Say whether these lines end within a bracket, a text or a statement."""
    if lines and lines[-1].endswith("\\"):
        return True
    try:
        list(tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline))
    except tokenize.TokenError:
        return True
    except SyntaxError:  # an indentation that fits nowhere
        return False
    return False
