"""Plain data across a process boundary: how arguments go into the sandbox and how answers come out.

Into it goes JSON. What JSON has no word for is written as an object with one key that starts with ``$``: a
tuple, a fraction, a dictionary, a number that is not finite, a recipe (``Make``, ``Named``, ``Source``).
Out of it comes *plain* JSON: nothing the student wrote is ever called, compared or unpickled by the grader.

The sandbox runs this very module, so it needs the standard library alone, and of that only what is quick to
import.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from typing import Any

PACKAGE = "expectimax_course"
MAX_ITEMS = 100_000
MAX_DEPTH = 40


class Make:
    """A recipe for an object: ``Make("module:name", ...)`` calls the name with the (encoded) arguments.

    Examples
    --------
    >>> decode(encode(Make("expectimax_course.rng:Rng", 42)))
    Rng(42)
    """

    __slots__ = ("args", "kwargs", "path")

    def __init__(self, path: str, *args: Any, **kwargs: Any) -> None:
        self.path, self.args, self.kwargs = path, args, kwargs

    def __repr__(self) -> str:
        inside = [repr(arg) for arg in self.args] + [f"{key}={value!r}" for key, value in self.kwargs.items()]
        return f"{self.path.rpartition(':')[2]}({', '.join(inside)})"


class Named:
    """A recipe for something the package has by name, uncalled: ``Named("module:name")``."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __repr__(self) -> str:
        return self.path.rpartition(":")[2]


class Source:
    """A recipe for a function given as source text; ``name`` is what the text defines."""

    __slots__ = ("name", "text")

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def __repr__(self) -> str:
        return self.text


def encode(value: Any) -> Any:
    """Return JSON for an argument of a case; ``decode`` is its inverse, with recipes carried out.

    Raises
    ------
    ValueError
        If the value is neither plain data nor a recipe.
    """
    if value is None or isinstance(value, bool | str) or type(value) is int:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"$float": str(value)}
    if _is_fraction(value):
        return {"$fraction": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, Make):
        return _recipe(value.path, value.args, value.kwargs)
    if isinstance(value, Named):
        return {"$named": value.path}
    if isinstance(value, Source):
        return {"$source": value.text, "name": value.name}
    if type(value) is list:
        return [encode(item) for item in value]
    if type(value) is tuple:
        return {"$tuple": [encode(item) for item in value]}
    if type(value) is dict:
        return {"$dict": [[encode(key), encode(item)] for key, item in value.items()]}
    return _encode_object(value)


def _is_fraction(value: Any) -> bool:
    return type(value).__module__ == "fractions" and type(value).__name__ == "Fraction"


def _encode_object(value: Any) -> Any:
    cls = type(value)
    path = f"{cls.__module__}:{cls.__qualname__}"
    if cls.__module__.startswith(PACKAGE):
        if any(base.__name__ == "Enum" for base in cls.__mro__):
            return _recipe(path, (value.value,), {})
        if isinstance(value, tuple):
            return _recipe(path, tuple(value), {})
        if hasattr(cls, "__dataclass_fields__"):
            import dataclasses

            fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
            return _recipe(path, (), fields)
    raise ValueError(f"expected plain data or a recipe (Make, Named, Source), got {value!r}")


def _recipe(path: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "$make": path,
        "args": [encode(arg) for arg in args],
        "kwargs": {key: encode(item) for key, item in kwargs.items()},
    }


def decode(data: Any) -> Any:
    """Build the argument that ``encode`` wrote down; every call builds a fresh one.

    Raises
    ------
    ValueError
        If a recipe names something outside this package, or the data is not what ``encode`` writes.
    """
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "$tuple" in data:
        return tuple(decode(item) for item in data["$tuple"])
    if "$dict" in data:
        return {decode(key): decode(item) for key, item in data["$dict"]}
    if "$float" in data:
        return float(data["$float"])
    if "$fraction" in data:
        from fractions import Fraction

        return Fraction(data["$fraction"])
    if "$source" in data:
        namespace: dict[str, Any] = {"__name__": "candidate"}
        exec(compile(data["$source"], "<candidate>", "exec", dont_inherit=True), namespace)
        return namespace[data["name"]]
    if "$named" in data:
        return _lookup(data["$named"])
    if "$make" in data:
        kwargs = {key: decode(item) for key, item in data["kwargs"].items()}
        return _lookup(data["$make"])(*(decode(arg) for arg in data["args"]), **kwargs)
    raise ValueError(f"expected what encode() writes, got {data!r}")


def _lookup(path: str) -> Any:
    module, _, name = path.partition(":")
    if module.split(".")[0] != PACKAGE:
        raise ValueError(f"expected a name in {PACKAGE}, got {path!r}")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def plain(value: Any, depth: int = 0) -> Any:
    """Return an answer as plain JSON that says all a judge may look at.

    Numbers become int or float (``{"$float": "nan"}`` where JSON has none), NumPy scalars and arrays become
    numbers and lists, tuples and sets become lists, dictionaries ``{"$dict": pairs}``. Anything else
    becomes ``{"$type": name}``: it can be named in a message and equals nothing.

    Examples
    --------
    >>> plain((1, 2.5, {"a": float("inf")}))
    [1, 2.5, {'$dict': [['a', {'$float': 'inf'}]]}]
    >>> plain(x for x in "ab")
    {'$type': 'generator'}
    """
    if depth > MAX_DEPTH:
        return {"$type": "a value nested too deeply"}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if int(value).bit_length() < 4096 else {"$type": "an enormous integer"}
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else {"$float": str(number)}
    if isinstance(value, str):
        return str(value) if len(value) <= MAX_ITEMS else {"$type": "an enormous text"}
    if _is_fraction(value):
        return {"$fraction": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, list | tuple | set | frozenset | dict):
        return _plain_container(value, depth)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    return {"$type": "..." if value is ... else type(value).__name__[:60]}


def _plain_container(value: Any, depth: int) -> Any:
    if len(value) > MAX_ITEMS:
        return {"$type": f"a {type(value).__name__} of {len(value)} items"}
    if isinstance(value, dict):
        return {"$dict": [[plain(key, depth + 1), plain(item, depth + 1)] for key, item in value.items()]}
    items = [plain(item, depth + 1) for item in value]
    return sorted(items, key=repr) if isinstance(value, set | frozenset) else items


class Opaque:
    """An answer that is not plain data: it has a name for messages and equals nothing."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def revive(data: Any) -> Any:
    """Turn what ``plain`` wrote back into numbers, texts, lists and dictionaries; never fails.

    Examples
    --------
    >>> revive([1, {"$fraction": "1/3"}, {"$dict": [["a", {"$float": "inf"}]]}, {"$type": "generator"}])
    [1, Fraction(1, 3), {'a': inf}, generator]
    """
    try:
        return _revive(data)
    except (ValueError, TypeError, KeyError, RecursionError, ArithmeticError):
        return Opaque("a value in no known form")


def _revive(data: Any, depth: int = 0) -> Any:
    if depth > 2 * MAX_DEPTH:
        raise ValueError("expected what plain() writes, got a deeper value")
    if isinstance(data, list):
        return [_revive(item, depth + 1) for item in data]
    if not isinstance(data, dict):
        return data
    if "$fraction" in data:
        import re
        from fractions import Fraction

        if not re.fullmatch(r"-?\d{1,2000}/\d{1,2000}", data["$fraction"]):  # "1e999999999" would never end
            raise ValueError("expected a fraction")
        return Fraction(data["$fraction"])
    if "$float" in data:
        return float(data["$float"])
    if "$dict" in data:
        return {_frozen(_revive(key, depth + 1)): _revive(item, depth + 1) for key, item in data["$dict"]}
    return Opaque(str(data["$type"])[:100])


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
