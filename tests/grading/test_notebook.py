"""Reading submissions: whatever comes, one clear sentence or the cells."""

from __future__ import annotations

import json
import os

import pytest

from expectimax_course.grading.notebook import NotebookError, read_submission


def test_cells_chapter_and_version_are_read(write_notebook):
    submission = read_submission(write_notebook("x.ipynb", "import math"))
    assert (submission.chapter, submission.version) == ("90_small", "0.1.0")
    assert submission.cells[0].source == "import math"
    assert [(cell.index, cell.question) for cell in submission.cells[:2]] == [(1, None), (2, "90.mean")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a notebook"),
        ("{", "expected a notebook"),
        ("[]", "expected a notebook with cells"),
        ("{}", "expected a notebook with cells"),
        ('{"cells": {}}', "expected a notebook with cells"),
        ('{"cells": []}', "names its chapter"),
        ('{"cells": [], "metadata": {"expectimax_course": {"chapter": "../x"}}}', "names its chapter"),
        ("[" * 100_000, "expected a notebook"),
    ],
)
def test_what_is_no_notebook_is_refused_in_one_sentence(tmp_path, text, message):
    path = tmp_path / "x.ipynb"
    path.write_text(text)
    with pytest.raises(NotebookError, match=message):
        read_submission(path)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotebookError, match="expected a notebook"):
        read_submission(path)


def test_a_pipe_is_not_opened(tmp_path):
    path = tmp_path / "x.ipynb"
    os.mkfifo(path)
    with pytest.raises(NotebookError, match="expected a regular file"):
        read_submission(path)


def test_an_enormous_file_is_refused(tmp_path):
    path = tmp_path / "x.ipynb"
    with path.open("wb") as file:
        file.truncate(60 << 20)
    with pytest.raises(NotebookError, match="at most 50 MB"):
        read_submission(path)


def test_odd_cells_are_passed_over(tmp_path):
    cells = [
        3,
        {},
        {"cell_type": "code"},
        {"cell_type": "code", "source": 5},
        {"cell_type": "code", "source": ["a = 1\n", 7, "b = 2"], "metadata": {"expectimax_course": {"question": 4}}},
        {"cell_type": "markdown", "source": "# no"},
    ]
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {"expectimax_course": {"chapter": "90_small"}}}))
    (cell,) = read_submission(path).cells
    assert (cell.index, cell.source, cell.question) == (5, "a = 1\nb = 2", None)


def test_an_empty_file_and_a_mark_in_front_are_told_apart(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_bytes(b"")
    with pytest.raises(NotebookError, match="got the empty file"):
        read_submission(path)
    notebook = {"cells": [], "metadata": {"expectimax_course": {"chapter": "90_small"}}}
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(notebook).encode())
    assert read_submission(path).chapter == "90_small"
