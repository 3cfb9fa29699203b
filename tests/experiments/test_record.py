"""A record is complete or refused, and a field is found by its dotted name."""

import json
import os
from pathlib import Path

import pytest

from expectimax_course.experiments import record as records
from expectimax_course.experiments.record import RecordError, exact, load, lookup, measured
from expectimax_course.experiments.runner import run_experiment
from expectimax_course.stats import mean_interval

REPOSITORY = Path(__file__).resolve().parents[2]


def a_record(**changes):
    valid = {
        "name": "demo",
        "title": "A demonstration",
        "command": "expectimax-course experiment run demo",
        "date": "2024-02-29",
        "quick": False,
        "seeds": {"hands": 7},
        "versions": {"python": "3.11.4"},
        "cpu_seconds": 1.5,
        "results": {
            "gap": exact(2.14, unit="points"),
            "score": measured(mean_interval([1.0, 2.0, 4.0]), unit="points"),
        },
        "tables": {
            "rows": [
                {"rule": "17", "mean": 13.7},
                {"rule": "optimum", "mean": 15.9},
                {"rule": "16.5, or v. 2", "mean": 14.8},
            ]
        },
    }
    return valid | changes


def test_a_valid_record_survives_writing_and_loading(tmp_path):
    record = json.loads(json.dumps(a_record()))
    path = records.write(record, tmp_path)
    assert path == tmp_path / "demo.json"
    assert load("demo", tmp_path) == record


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seeds": {"hands": "seven"}}, "seeds.hands"),
        ({"cpu_seconds": -1}, "cpu_seconds"),
        ({"date": "yesterday"}, "date"),
        ({"results": {"score": {"mean": 1.0, "unit": "points"}}}, "results.score"),
        ({"results": {"score": {"value": 1.0}}}, "results.score"),
        ({"results": {"Score": exact(1, unit="points")}}, "Score"),
        ({"tables": {"rows": [{"curve": [1, 2]}]}}, "tables.rows.0.curve"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_record_that_breaks_the_schema_is_refused_with_the_place(changes, complaint):
    with pytest.raises(RecordError, match="expected a valid record") as caught:
        records.validate(a_record(**changes))
    assert complaint in str(caught.value)


def test_an_interval_that_misses_its_mean_is_refused():
    score = measured(mean_interval([1.0, 2.0, 4.0]), unit="points") | {"low": 3.0, "high": 4.0}
    with pytest.raises(RecordError, match="low <= mean <= high"):
        records.validate(a_record(results={"score": score}))


def test_a_number_that_is_not_finite_is_refused():
    with pytest.raises(RecordError, match=r"finite numbers, got nan at record\.tables\.rows\.0\.mean"):
        records.validate(a_record(tables={"rows": [{"mean": float("nan")}]}))


def test_a_refused_record_leaves_the_old_file_alone(tmp_path):
    records.write(a_record(), tmp_path)
    with pytest.raises(RecordError):
        records.write(a_record(cpu_seconds=-1), tmp_path)
    assert load("demo", tmp_path)["cpu_seconds"] == 1.5
    assert [path.name for path in tmp_path.iterdir()] == ["demo.json"]


def test_a_write_that_fails_half_way_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    records.write_json(path, {"old": 1})
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        records.write_json(path, {"new": 2})
    assert json.loads(path.read_text()) == {"old": 1}
    assert [file.name for file in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("gap", 2.14),
        ("gap.unit", "points"),
        ("score", 7 / 3),
        ("score.n", 3),
        ("rows.optimum.mean", 15.9),
        ("rows.0.mean", 13.7),
        ("rows.16.5, or v. 2.mean", 14.8),
        ("seeds.hands", 7),
        ("cpu_seconds", 1.5),
        ("date", "2024-02-29"),
    ],
)
def test_a_field_is_found_by_its_dotted_name(field, expected):
    assert lookup(a_record(), field) == pytest.approx(expected)


@pytest.mark.parametrize(
    "field",
    ["", "gone", "gap.low", "score.gone", "rows.7.mean", "rows.0", "processor", "seeds", "seeds.gone"]
    + ["gap.", "gap.value.more", "seeds.hands.more", "rows.17.mean.more", "rows.mean", "date.more"],
)
def test_a_field_that_does_not_exist_is_an_error(field):
    with pytest.raises(RecordError, match="expected a field of the record"):
        lookup(a_record(), field)


def test_a_record_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(RecordError, match="expected the name of a record"):
        load("gone", tmp_path)


def test_a_record_that_is_not_json_is_an_error(tmp_path):
    (tmp_path / "torn.json").write_text('{"name": ')
    with pytest.raises(RecordError, match=r"expected JSON in torn\.json"):
        load("torn", tmp_path)


def test_the_data_folder_is_found_from_anywhere_inside_a_checkout(tmp_path, monkeypatch):
    (tmp_path / "book" / "_data").mkdir(parents=True)
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    assert records.data_folder() == tmp_path / "book" / "_data"


def test_outside_any_checkout_there_is_no_data_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(records, "__file__", str(tmp_path / "package" / "experiments" / "record.py"))
    with pytest.raises(RecordError, match="expected a checkout of the course"):
        records.data_folder()


@pytest.mark.parametrize("path", sorted((REPOSITORY / "book" / "_data").glob("*.json")), ids=lambda path: path.stem)
def test_every_committed_record_is_a_full_run_of_a_registered_experiment(path):
    from expectimax_course.experiments import EXPERIMENTS, load_experiment

    record = load(path.stem, path.parent)
    assert not record["quick"]
    assert record["name"] == path.stem
    assert path.stem in EXPERIMENTS
    assert record["command"] == f"expectimax-course experiment run {path.stem}"
    assert record["seeds"] == load_experiment(path.stem).SEEDS
    assert ("processor" in record) == getattr(load_experiment(path.stem), "TIMED", False)


def test_an_installed_package_finds_the_records_it_carries(tmp_path, monkeypatch):
    package = tmp_path / "site-packages" / "package"
    records.write(a_record(), package / "_records")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(records, "__file__", str(package / "experiments" / "record.py"))
    assert load("demo")["title"] == "A demonstration"


def test_an_installed_package_keeps_its_records_as_they_are(tmp_path, monkeypatch):
    package = tmp_path / "site-packages" / "package"
    kept = records.write(a_record(), package / "_records").read_bytes()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(records, "__file__", str(package / "experiments" / "record.py"))
    with pytest.raises(RecordError, match="expected a checkout of the course, got records inside a package"):
        run_experiment("push_simulation", quick=True)
    assert [path.name for path in package.parent.rglob("*.json")] == ["demo.json"]
    assert (package / "_records" / "demo.json").read_bytes() == kept
