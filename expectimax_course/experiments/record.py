"""Records: what an experiment found, with all that is needed to find it again.

A record is one JSON file in ``book/_data/``. Every result is either *exact*, one number (``value``: computed without
sampling, or without an interval of its own, as a greatest count or a fitted slope), or *measured* (``mean`` with ``n``,
``standard_error`` and the 95 % interval ``low`` … ``high``). The schema below is the contract; nothing that breaks it
is written or read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from expectimax_course.stats import Estimate

_NUMBER = {"type": "number"}
_UNIT = {"type": "string"}
_EXACT = {
    "type": "object",
    "required": ["value", "unit"],
    "properties": {"value": _NUMBER, "unit": _UNIT},
    "additionalProperties": False,
}
_MEASURED = {
    "type": "object",
    "required": ["mean", "n", "standard_error", "low", "high", "unit"],
    "properties": {
        "mean": _NUMBER,
        "n": {"type": "integer", "minimum": 1},
        "standard_error": {"type": "number", "minimum": 0},
        "low": _NUMBER,
        "high": _NUMBER,
        "unit": _UNIT,
    },
    "additionalProperties": False,
}
_CELL = {"type": ["number", "string", "boolean", "null"]}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Record of one experiment",
    "type": "object",
    "required": [
        "name",
        "title",
        "command",
        "date",
        "quick",
        "seeds",
        "versions",
        "cpu_seconds",
        "results",
        "tables",
    ],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z0-9_]+$"},
        "title": {"type": "string", "minLength": 1},
        "command": {"type": "string", "minLength": 1},
        "date": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "quick": {"type": "boolean"},
        "seeds": {"type": "object", "additionalProperties": {"type": "integer"}},
        "versions": {"type": "object", "required": ["python"], "additionalProperties": {"type": "string"}},
        "cpu_seconds": {"type": "number", "minimum": 0},
        "processor": {"type": "string", "minLength": 1},
        "results": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
            "additionalProperties": {"anyOf": [_EXACT, _MEASURED]},
        },
        "tables": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
            "additionalProperties": {
                "type": "array",
                "items": {"type": "object", "additionalProperties": _CELL},
            },
        },
    },
    "additionalProperties": False,
}
"""JSON Schema of a record. ``processor`` stands in records that report times or speeds."""

Result = dict[str, float | int | str]
Row = dict[str, float | int | str | bool | None]


class RecordError(ValueError):
    """A record is missing, breaks the schema, or has no such field."""


class Findings(NamedTuple):
    """What ``run`` of an experiment returns: named results, and tables of rows for figures."""

    results: dict[str, Result]
    tables: dict[str, list[Row]] = {}  # noqa: RUF012  # never changed, and a NamedTuple has no default factory


def exact(value: float, *, unit: str) -> Result:
    """Return a result that is one number, without an interval: what is a mean of a sample is `measured`.

    Examples
    --------
    >>> exact(14, unit="points")
    {'value': 14, 'unit': 'points'}
    """
    return {"value": value, "unit": unit}


def measured(estimate: Estimate, *, unit: str) -> Result:
    """Return a result that was measured: a mean with its size, standard error and interval.

    Examples
    --------
    >>> from expectimax_course.stats import mean_interval
    >>> sorted(measured(mean_interval([1.0, 2.0, 3.0]), unit="points"))
    ['high', 'low', 'mean', 'n', 'standard_error', 'unit']
    """
    return {**estimate._asdict(), "unit": unit}


def data_folder() -> Path:
    """Return ``book/_data`` of the checkout that holds the working directory, or else of the package's own checkout.

    The wheel that the site offers carries the records too, so that a downloaded chapter finds them.

    Raises
    ------
    RecordError
        If there are none.
    """
    package = Path(__file__).resolve().parents[1]
    checkouts = (Path.cwd(), *Path.cwd().parents, package.parent)
    for folder in (*(checkout / "book" / "_data" for checkout in checkouts), package / "_records"):
        if folder.is_dir():
            return folder
    raise RecordError(f"expected a checkout of the course with book/_data, got {str(Path.cwd())!r}")


def validate(record: Mapping[str, Any]) -> None:
    """Check a record against ``SCHEMA``, and that each interval holds its mean.

    Raises
    ------
    RecordError
        With the place of the first fault.
    """
    import jsonschema

    fault = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(SCHEMA).iter_errors(record))
    if fault is not None:
        where = ".".join(str(step) for step in fault.absolute_path) or "the record"
        raise RecordError(f"expected a valid record, got a fault at {where}: {fault.message}")
    for field, result in record["results"].items():
        if "mean" in result and not result["low"] <= result["mean"] <= result["high"]:
            raise RecordError(f"expected low <= mean <= high, got {result!r} at {field}")
    for place, number in _numbers(record, "record"):
        if not math.isfinite(number):
            raise RecordError(f"expected finite numbers, got {number!r} at {place}")


def _numbers(value: Any, place: str) -> Iterable[tuple[str, float]]:
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _numbers(item, f"{place}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, f"{place}.{index}")


def write_json(path: Path, value: Any) -> None:
    """Write JSON so that a reader, or a killed writer, never leaves half a file at ``path``."""
    from expectimax_course.learning.checkpoints import write_atomically  # needs NumPy, reading a record does not

    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_atomically(path, text.encode())


def write(record: dict[str, Any], folder: Path) -> Path:
    """Validate a record and write it to ``folder/<name>.json``; return the path.

    Raises
    ------
    RecordError
        If the record breaks the schema; the old file stays.
    """
    validate(record)
    path = folder / f"{record['name']}.json"
    write_json(path, record)
    return path


def load(name: str, folder: Path | None = None) -> dict[str, Any]:
    """Return the record ``name`` of ``book/_data`` (or of ``folder``), validated.

    Raises
    ------
    RecordError
        If there is no such record, or it breaks the schema.
    """
    path = (folder or data_folder()) / f"{name}.json"
    if not path.is_file():
        raise RecordError(f"expected the name of a record in {path.parent.name}, got {name!r}")
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise RecordError(f"expected JSON in {path.name}, got {error}") from None
    validate(record)
    return record


def lookup(record: Mapping[str, Any], field: str) -> float | int | str:
    """Return one entry of a record by its dotted name.

    Parameters
    ----------
    record : a record as ``load`` returns it
    field : ``result`` (its value or mean), ``result.low`` and the like, ``table.row.column`` with the row named by its
        first column, dots and all, or counted from 0, or ``cpu_seconds``, ``processor``, ``date``, ``seeds.purpose``

    Raises
    ------
    RecordError
        If there is no such entry.

    Examples
    --------
    >>> lookup({"results": {"gap": {"value": 2.14, "unit": "points"}}, "tables": {}}, "gap")
    2.14
    """
    head, dot, rest = field.partition(".")
    value: Any = None
    if head in record["results"]:
        result = record["results"][head]
        value = result.get(rest if dot else "value" if "value" in result else "mean")
    elif head in record["tables"]:
        name, _, column = rest.rpartition(".")
        rows = {str(next(iter(row.values()))): row for row in record["tables"][head]}
        rows |= {str(index): row for index, row in enumerate(record["tables"][head]) if str(index) not in rows}
        value = rows.get(name, {}).get(column)
    elif head == "seeds":
        value = record["seeds"].get(rest)
    elif field in ("cpu_seconds", "processor", "date"):
        value = record.get(field)
    if value is None:
        raise RecordError(f"expected a field of the record, got {field!r}")
    return value  # type: ignore[no-any-return]
