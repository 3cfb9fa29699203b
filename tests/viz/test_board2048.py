"""A drawn board carries its numbers as text, marks large and new tiles by their frame, and speaks."""

from __future__ import annotations

from pages import read

from expectimax_course.viz.board2048 import draw_board

BOARD = [[2, 0], [2048, 131072]]


def test_every_cell_has_its_number_or_says_that_it_is_empty() -> None:
    drawn = read(draw_board(BOARD, "Four cells"))
    assert [cell.text for cell in drawn.all("td")] == ["2", "empty", "2048", "131072"]
    assert drawn.all("caption")[0].text == "Four cells"
    assert repr(draw_board(BOARD, "Four cells")) == "Four cells: 2 . / 2048 131072"


def test_large_and_new_tiles_are_marked_by_their_frame_too() -> None:
    classes = [c.attributes.get("class") for c in read(draw_board(BOARD, "x", new=(0, 0))).all("td")]
    assert classes == ["ec-tile ec-fresh", None, "ec-tile ec-large", "ec-tile ec-large"]


def test_the_tint_never_grows_so_dark_that_the_ink_is_lost() -> None:
    ranks = [c.attributes.get("style") for c in read(draw_board(BOARD, "x")).all("td")]
    assert ranks == ["--rank:1", None, "--rank:11", "--rank:12"]
