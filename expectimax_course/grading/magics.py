"""IPython's lines that are no Python: what a notebook may hold and a plain interpreter refuses."""

from __future__ import annotations

import io
import re
import tokenize

PYTHON_CELLS = ("%%time", "%%capture", "%%prun")
"""Cell magics whose body runs as Python in the notebook's own namespace."""

_TIMED = re.compile(r"([ \t]*(?:[\w., \t\[\]*]+=[ \t]*)?)%time[ \t]+(.+)")
_BOUND = re.compile(r"([ \t]*[\w., \t\[\]*]+=[ \t]*)[%!].*")
_CAPTURED = re.compile(r"[ \t]*%%capture[ \t]+(\w+)[ \t]*")
_LINE = re.compile(r"([ \t]*)(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)")


def without_magics(source: str) -> str:
    """Return a cell's source as plain Python, line numbers kept.

    Lines of IPython's own become ``pass``, but what ``%time`` times stays, and a name that takes what a magic or a
    command gives is bound to an object that does nothing. A line that goes on an open bracket or text is Python,
    whatever it starts with.

    Examples
    --------
    >>> without_magics("%matplotlib inline\\nif True:\\n    !ls\\nx = (7\\n    % 3)\\nlen?")
    'pass\\nif True:\\n    pass\\nx = (7\\n    % 3)\\npass'
    >>> without_magics("%%bash\\nls")
    ''
    >>> without_magics("%%time\\nx = 1")
    'pass\\nx = 1'
    >>> without_magics("%time x = f(3)\\nfiles = !ls")
    'x = f(3)\\nfiles = get_ipython()'
    """
    if source.lstrip().startswith("%%") and source.split()[0] not in PYTHON_CELLS:
        return ""
    lines: list[str] = []
    goes_on = False  # a command that ends in a backslash has more lines
    for line in source.split("\n"):
        python = "" if goes_on else _plain(line)
        replaced = goes_on or (python != line and not _is_open(lines))
        lines.append(python if replaced else line)
        goes_on = replaced and line.endswith("\\") and not python.endswith("\\")
    return "\n".join(lines)


def _plain(line: str) -> str:
    """Return one line as plain Python."""
    if found := _TIMED.fullmatch(line):
        return _plain(found[1] + found[2])
    if found := _BOUND.fullmatch(line):
        return f"{found[1]}get_ipython()"
    if found := _CAPTURED.fullmatch(line):
        return f"{found[1]} = get_ipython()"
    found = _LINE.fullmatch(line)
    return line if found is None else f"{found[1]}pass"


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
