"""A batch outlives its worst submission, and its files are what other programs expect."""

from __future__ import annotations

import csv
import json
import os
import threading
from xml.etree import ElementTree

import pytest

from expectimax_course.grading import batch
from expectimax_course.grading.batch import draw_seed, file_names, find_submissions, grade_all, left_out, seed_for
from expectimax_course.grading.exports import write_atomic
from expectimax_course.grading.grade import Report
from expectimax_course.grading.sandbox import SandboxError

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("small_bank")]

UNWEIGHTED = "def mean(pairs):\n    return sum(v for v, _ in pairs) / len(pairs)\n"
MARKUP = "def mean(pairs):\n    raise ValueError('<script>alert(1)</script> ]]> \\x00 \\ud800')\n"


@pytest.fixture(scope="module")
def graded(small_bank, write_to, tmp_path_factory):
    """Grade a folder of six: right, half right, hostile, another chapter, unreadable and empty-handed."""
    root = tmp_path_factory.mktemp("batch")
    write_to(root / "in/ann/a.ipynb")
    write_to(root / "in/bob/a.ipynb", mean=UNWEIGHTED)
    write_to(root / "in/=cmd.ipynb", mean=MARKUP)
    write_to(root / "in/dora.ipynb", mean="def mean(pairs):\n    raise NotImplementedError\n")
    write_to(root / "in/fred.ipynb", chapter="91_more")
    (root / "in/eve.ipynb").write_text("not a notebook")
    (root / "in/.ipynb_checkpoints").mkdir()
    (root / "in/.ipynb_checkpoints/a.ipynb").write_text("{}")
    return root / "out", grade_all([root / "in"], root / "out", seed=11, jobs=2)


def test_every_submission_has_a_report_in_every_format(graded):
    out, reports = graded
    names = ["=cmd.ipynb", "ann/a.ipynb", "bob/a.ipynb", "dora.ipynb", "eve.ipynb", "fred.ipynb"]
    assert [report.name for report in reports] == names

    with (out / "grades.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["submission"] for row in rows] == ["'=cmd.ipynb", *names[1:]]
    assert [(row["score"], row["max_score"]) for row in rows] == [
        ("6", "11"),
        ("11", "11"),
        ("10", "11"),
        ("6", "11"),
        ("", ""),
        ("3", "3"),
    ]
    questions = ["90.mean", "90.twice", "90.parts", "91.colour", "91.roll"]
    assert list(rows[0]) == ["submission", "chapter", "score", "max_score", "seconds", *questions]
    assert [row["90.mean"] for row in rows] == ["0", "5", "4", "0", "", ""]
    assert [row["91.roll"] for row in rows] == ["", "", "", "", "", "2"]

    slugs = ["_cmd", "ann__a", "bob__a", "dora", "eve", "fred"]
    assert sorted(path.stem for path in (out / "results").iterdir()) == slugs
    assert sorted(path.stem for path in (out / "feedback").iterdir()) == slugs
    assert (out / "seed.txt").read_text() == "11\n"
    assert not list(out.rglob("*.part"))


def test_gradescope_reads_its_own_format(graded):
    out, _ = graded
    result = json.loads((out / "results" / "bob__a.json").read_text())
    assert {"output", "visibility", "stdout_visibility", "execution_time", "tests"} <= result.keys()
    first = result["tests"][0]
    assert (first["score"], first["max_score"], first["number"], first["visibility"]) == (4.0, 5, "1", "visible")
    assert first["name"] == "90.mean The mean"
    assert "weight them by their probabilities" in first["output"]
    broken = json.loads((out / "results" / "eve.json").read_text())
    assert broken["score"] == 0
    assert "expected a notebook" in broken["output"]


def test_junit_carries_points_as_properties(graded):
    out, _ = graded
    root = ElementTree.parse(out / "junit.xml").getroot()
    suites = {suite.get("name"): suite for suite in root}
    bob = suites["bob/a.ipynb"]
    assert (bob.get("tests"), bob.get("failures"), bob.get("errors"), bob.get("skipped")) == ("3", "1", "0", "0")
    properties = {one.get("name"): one.get("value") for one in bob.find("testcase/properties")}
    assert properties == {"score": "4", "max_score": "5", "status": "partial"}
    assert suites["=cmd.ipynb"].find("testcase/error") is not None
    assert suites["dora.ipynb"].find("testcase/skipped") is not None
    assert suites["eve.ipynb"].get("errors") == "1"


def test_what_a_student_wrote_is_text_on_the_page(graded):
    out, _ = graded
    page = (out / "feedback" / "_cmd.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "\x00" not in page


def test_the_page_shows_result_message_and_example(graded):
    out, _ = graded
    page = (out / "feedback" / "bob__a.html").read_text(encoding="utf-8")
    for words in (
        "Feedback: bob/a.ipynb",
        "◐ partial",
        "4 of 5",
        "weight them by their probabilities",
        "8.5",
        "<table",
    ):
        assert words in page
    assert "could not be graded" in (out / "feedback" / "eve.html").read_text(encoding="utf-8")


def test_two_gradings_with_one_seed_agree_and_other_seeds_are_other_cases(write_notebook, tmp_path):
    sometimes = "return sum(v * p for v, p in pairs) if pairs[0][0] % 3 else -1"
    path = write_notebook(mean=f"def mean(pairs):\n    {sometimes}\n")

    def passed(seed, folder, jobs=1):
        reports = grade_all([path, tmp_path / "roll.ipynb"], tmp_path / folder, seed=seed, jobs=jobs)
        return [(v.question.id, v.status, v.passed, v.score) for report in reports for v in report.verdicts]

    write_notebook("roll.ipynb", chapter="91_more")
    first = passed(11, "first")
    assert passed(11, "again", jobs=2) == first
    assert len({tuple(passed(seed, f"seed{seed}")) for seed in range(4)}) > 1


def test_as_many_submissions_as_jobs_are_graded_at_a_time(write_notebook, tmp_path, monkeypatch):
    meet = threading.Barrier(2)

    def met(path, name, seed):
        meet.wait(timeout=20)
        return Report(name)

    monkeypatch.setattr(batch, "grade", met)
    paths = [write_notebook(f"{letter}.ipynb") for letter in "ab"]
    assert [report.problem for report in grade_all(paths, tmp_path / "out", seed=1, jobs=2)] == ["", ""]


def test_a_fault_of_the_grader_costs_one_report(write_notebook, tmp_path, monkeypatch):
    def broken(path, name, seed):
        if name == "b.ipynb":
            raise RuntimeError("a bug of ours")
        if name == "c.ipynb":
            raise SandboxError("the sandbox did not start: no room")
        return Report(name)

    monkeypatch.setattr(batch, "grade", broken)
    paths = [write_notebook(f"{letter}.ipynb") for letter in "abcd"]
    reports = grade_all(paths, tmp_path / "out", seed=1)
    assert [report.problem[:26] for report in reports] == [
        "",
        "the grader failed on it (R",
        "the sandbox did not start:",
        "",
    ]


def test_an_interrupted_batch_keeps_what_is_done(write_notebook, tmp_path, monkeypatch):
    def interrupted(path, name, seed):
        if name == "b.ipynb":
            raise KeyboardInterrupt
        return Report(name)

    monkeypatch.setattr(batch, "grade", interrupted)
    paths = [write_notebook(f"{letter}.ipynb") for letter in "abc"]
    with pytest.raises(KeyboardInterrupt):
        grade_all(paths, tmp_path / "out", seed=1)
    assert (tmp_path / "out" / "grades.csv").read_text().splitlines()[1].startswith("a.ipynb,")


def test_names_stay_apart(write_notebook, tmp_path):
    write_notebook("one/a.ipynb")
    write_notebook("two/a.ipynb")
    one, two, deep = tmp_path / "one", tmp_path / "two", tmp_path / "deep" / "two"
    assert [name for _, name in find_submissions([one, two, two / "a.ipynb"])] == ["one/a.ipynb", "two/a.ipynb"]
    write_notebook("deep/two/a.ipynb")
    names = [name for _, name in find_submissions([one, two, deep])]
    assert names == ["one/a.ipynb", (two / "a.ipynb").as_posix(), (deep / "a.ipynb").as_posix()]
    with pytest.raises(ValueError, match="expected a notebook or a folder of notebooks"):
        find_submissions([tmp_path / "nothing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="expected at least one notebook"):
        find_submissions([tmp_path / "empty"])
    with pytest.raises(ValueError, match="expected 1 or more jobs, got 0"):
        grade_all([tmp_path / "one"], tmp_path / "out", seed=1, jobs=0)


def test_seeds_are_drawn_from_the_system():
    assert len({draw_seed() for _ in range(20)}) == 20


def test_a_folder_of_results_keeps_its_seed(tmp_path):
    assert len({seed_for(tmp_path) for _ in range(20)}) == 20
    (tmp_path / "seed.txt").write_text("-17\n")
    assert seed_for(tmp_path) == -17
    (tmp_path / "seed.txt").write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"expected a seed, a whole number, in .*seed\.txt', got"):
        seed_for(tmp_path)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.txt"
    write_atomic(path, "old")

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_wrong_ending_is_graded_and_what_is_no_notebook_is_named(write_to, tmp_path):
    for name in ("a.ipynb.txt", "b.IPYNB", "c.ipynb (1)"):
        write_to(tmp_path / "in" / name)
    os.rename(write_to(tmp_path / "in/d.ipynb"), os.fsencode(tmp_path / "in") + b"/caf\xe9.ipynb")
    for name in ("answer.py", ".DS_Store"):
        (tmp_path / "in" / name).write_text("pass")
    out = tmp_path / "in" / "graded"
    reports = grade_all([tmp_path / "in"], out, seed=1)
    assert [report.score for report in reports] == [11] * 4
    assert len(list((out / "feedback").iterdir())) == 4
    why = "its name does not say that it is a notebook (.ipynb)"
    assert left_out([tmp_path / "in"], out) == {(tmp_path / "in/answer.py").as_posix(): why}


def test_a_long_name_in_any_script_has_its_page(write_to, tmp_path):
    long = "学" * 60
    write_to(tmp_path / "in" / long / f"{long}.ipynb")
    write_to(tmp_path / "in" / "z.ipynb")
    reports = grade_all([tmp_path / "in"], tmp_path / "out", seed=1)
    assert [report.score for report in reports] == [11, 11]
    for folder in ("results", "feedback"):
        assert len(list((tmp_path / "out" / folder).iterdir())) == 2
    names = file_names([f"{letter * 300}/{n}.ipynb" for letter in "aé学😀" for n in range(12)])
    assert len(set(names)) == 48
    assert max(len(f"{name}.html".encode()) for name in names) < 255


def test_a_report_that_cannot_be_written_costs_one_report(write_notebook, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "grade", lambda path, name, seed: Report(name))

    def page(report):
        if report.name == "b.ipynb" and not report.problem:
            raise ValueError("a bug of ours")
        return report.problem

    monkeypatch.setattr(batch, "feedback_html", page)
    reports = grade_all([write_notebook(f"{letter}.ipynb") for letter in "abc"], tmp_path / "out", seed=1)
    problem = "its report could not be written: ValueError"
    assert [report.problem for report in reports] == ["", problem, ""]
    assert (tmp_path / "out/feedback/b.html").read_text() == problem
    assert len((tmp_path / "out" / "grades.csv").read_text().splitlines()) == 4


def test_links_and_hidden_notebooks_are_not_graded_and_named(write_notebook, tmp_path):
    folder = tmp_path / "in"
    write_notebook("in/bob/a.ipynb")
    write_notebook("elsewhere/b.ipynb")
    (folder / "ann").mkdir()
    (folder / "ann/a.ipynb").symlink_to("../bob/a.ipynb")
    (folder / "carl").symlink_to(tmp_path / "elsewhere")
    (folder / "dora.ipynb").symlink_to("nowhere")
    for name in ("eve/.ipynb", ".fred/a.ipynb", "bob/.ipynb_checkpoints/a.ipynb", "bob/.DS_Store"):
        write_notebook(f"in/{name}")
    out = tmp_path / "out"
    assert [name for _, name in find_submissions([folder], out)] == ["bob/a.ipynb"]
    link, hidden = "links are not followed", "it is hidden: its name, or that of a folder, starts with a dot"
    named = {".fred/a.ipynb": hidden, "ann/a.ipynb": link, "carl": link, "dora.ipynb": link, "eve/.ipynb": hidden}
    assert left_out([folder], out) == {(folder / name).as_posix(): why for name, why in named.items()}
    assert [name for _, name in find_submissions([folder / "ann/a.ipynb"])] == ["a.ipynb"]


def test_a_folder_that_cannot_be_read_is_named(write_notebook, tmp_path, monkeypatch):
    write_notebook("in/ann/a.ipynb")
    (tmp_path / "in/bob").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "bob")
    assert left_out([tmp_path / "in"], tmp_path) == {(tmp_path / "in/bob").as_posix(): "the folder cannot be read"}


def test_results_are_never_taken_for_submissions(write_notebook, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "grade", lambda path, name, seed: Report(name))
    for name in ("a.ipynb.txt", "b.IPYNB", "c.ipynb"):
        write_notebook(f"in/{name}")
    folder = tmp_path / "in"
    for out in (folder / "graded", folder / "graded", folder / "deep/again", folder / "graded"):
        assert len(grade_all([folder], out, seed=1)) == 3
    assert sorted(path.name for path in (folder / "graded/results").iterdir()) == [
        "a_ipynb.txt.json",
        "b.json",
        "c.json",
    ]
    assert not [name for name in left_out([folder], folder / "graded") if "/graded/" in name]
    with pytest.raises(ValueError, match="expected another folder for the results than for the submissions"):
        grade_all([folder], folder, seed=1)
    (folder / "answer.py").touch()
    above = left_out([folder], tmp_path)
    assert (folder / "answer.py").as_posix() in above


def test_a_folder_keeps_one_seed_and_keeps_it_to_its_owner(write_notebook, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "grade", lambda path, name, seed: Report(name, problem=f"seed {seed}"))
    path, out = write_notebook(), tmp_path / "out"
    grade_all([path], out, seed=1)
    with pytest.raises(ValueError, match="holds the results of another seed: give that one, or another folder"):
        grade_all([path], out, seed=2)
    assert (out / "seed.txt").read_text() == "1\n"
    assert "seed 1" in (out / "feedback/submission.html").read_text(encoding="utf-8")
    assert (out / "seed.txt").stat().st_mode & 0o777 == 0o600
    assert (out / "grades.csv").stat().st_mode & 0o777 == 0o644
    grade_all([path], out, seed=1)
