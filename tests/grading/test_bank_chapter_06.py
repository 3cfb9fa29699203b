"""The questions of chapter 06: oracles against the package, every misconception named, the rules closed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from answering import namespace_of, verdict

from expectimax_course.game import Player
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.rules import Game2048, State
from expectimax_course.grading.bank import parts06, question, questions
from expectimax_course.grading.check import check_answer
from expectimax_course.grading.codec import decode, encode
from expectimax_course.grading.grade import grade
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax
from expectimax_course.stats import games_to_tell_apart, proportion_interval

CHAPTER = "06_game_2048"
SEEDS = (1, 2, 3)

SEARCH = """
def move_values(board, depth, evaluate, lost):
    def after_slide(after, depth):
        if depth == 0:
            return evaluate(after)
        return sum(p * before_slide(child, depth) for child, p in spawns(after))
    def before_slide(board, depth):
        moves = legal_moves(board)
        return max(after_slide(m, depth - 1) for m in moves.values()) if moves else lost
    return {a: after_slide(m, depth - 1) for a, m in legal_moves(board).items()}
"""

TABLE = """
def with_table(board, depths, evaluate, lost):
    table, calls = {}, [0]
    def after_slide(after, depth):
        if depth == 0:
            calls[0] += 1
            return evaluate(after)
        key = (after, depth)
        if key not in table:
            total = 0
            for child, p in spawns(after):
                values = [after_slide(m, depth - 1) for m in legal_moves(child).values()]
                total += p * (max(values) if values else lost)
            table[key] = total
        return table[key]
    answers = []
    for depth in depths:
        calls[0] = 0
        answers.append([after_slide(board, depth), calls[0]])
    return answers
"""

ROW = """
def row_left(row):
    ranks = [r for r in (row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12) if r]
    out, place = 0, 0
    while ranks:
        rank = ranks.pop(0)
        if ranks and ranks[0] == rank:
            rank = ranks.pop(0) + 1
        out = out JOIN (rank << 4 * place)
        place += 1
    return out
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "double merges in one slide",
        "06.slide_row",
        "double merge",
        """
def slide_row(row):
    out, reward = [], 0
    for tile in row:
        if not tile:
            continue
        while out and out[-1] == tile:
            out.pop()
            tile += tile
            reward += tile
        out.append(tile)
    return out + [0] * (len(row) - len(out)), reward
""",
    ),
    (
        "merge order",
        "06.slide_row",
        "merge order",
        """
def slide_row(row):
    tiles, reward = [t for t in row if t], 0
    i = len(tiles) - 1
    while i > 0:
        if tiles[i] == tiles[i - 1]:
            tiles[i - 1] *= 2
            reward += tiles.pop(i) * 2
            i -= 1
        i -= 1
    return tuple(tiles) + (0,) * (len(row) - len(tiles)), reward
""",
    ),
    (
        "no-op moves counted as legal",
        "06.legal_moves",
        "no-ops legal",
        """
def legal_moves(board):
    left = lambda b: tuple(slide_row(r)[0] for r in b)
    mirror = lambda b: tuple(r[::-1] for r in b)
    flip = lambda b: tuple(zip(*b))
    return {
        "left": left(board),
        "right": mirror(left(mirror(board))),
        "up": flip(left(flip(board))),
        "down": flip(mirror(left(mirror(flip(board))))),
    }
""",
    ),
    (
        "spawn 50/50",
        "06.spawns",
        "fifty-fifty",
        """
def spawns(board):
    cells = [(r, c) for r in range(len(board)) for c in range(len(board[0])) if board[r][c] == 0]
    out = []
    for r, c in cells:
        for tile in (2, 4):
            new = [list(row) for row in board]
            new[r][c] = tile
            out.append((new, 0.5 / len(cells)))
    return out
""",
    ),
    (
        "cells counted wrong",
        "06.spawns",
        "all cells counted",
        """
def spawns(board):
    out = []
    for r in range(len(board)):
        for c in range(len(board[0])):
            if board[r][c] == 0:
                for tile, p in ((2, 0.9), (4, 0.1)):
                    new = [list(row) for row in board]
                    new[r][c] = tile
                    out.append((new, p / len(board) / len(board[0])))
    return out
""",
    ),
    (
        "depth of the article",
        "06.move_values",
        "new tiles counted",
        SEARCH.replace("m, depth - 1) for a", "m, depth) for a"),
    ),
    (
        "maximum at chance",
        "06.move_values",
        "best tile",
        SEARCH.replace("sum(p * before_slide(child, depth) for", "max(before_slide(child, depth) for"),
    ),
    (
        "evaluation after the new tile",
        "06.move_values",
        "evaluated after the tile",
        SEARCH.replace("return evaluate(after)", "return sum(p * evaluate(child) for child, p in spawns(after))"),
    ),
    (
        "cache key without depth",
        "06.with_table",
        "key without depth",
        TABLE.replace("key = (after, depth)", "key = after"),
    ),
    (
        "decisions kept in the table as well",
        "06.with_table",
        "decisions kept too",
        TABLE.replace(
            "values = [after_slide(m, depth - 1) for m in legal_moves(child).values()]\n"
            "                total += p * (max(values) if values else lost)",
            "if ('before', child, depth) not in table:\n"
            "                    values = [after_slide(m, depth - 1) for m in legal_moves(child).values()]\n"
            "                    table['before', child, depth] = max(values, default=lost)\n"
            "                total += p * table['before', child, depth]",
        ),
    ),
    (
        "a list compared with a tuple",
        "06.legal_moves",
        "no-ops legal",
        """
def legal_moves(board):
    left = lambda b: [list(slide_row(tuple(r))[0]) for r in b]
    mirror = lambda b: [r[::-1] for r in b]
    flip = lambda b: [list(c) for c in zip(*b)]
    found = {"left": left(board), "right": mirror(left(mirror(board))), "up": flip(left(flip(board)))}
    found["down"] = flip(mirror(left(mirror(flip(board)))))
    return {action: after for action, after in found.items() if after != board}
""",
    ),
    ("a rank of five bits, added", "06.row_left", "sixteen in four bits", ROW.replace("JOIN", "+")),
    ("a rank of five bits, joined", "06.row_left", "sixteen in four bits, joined by |", ROW.replace("JOIN", "|")),
    (
        "exponents added",
        "06.row_left",
        "ranks added",
        """
def row_left(row):
    ranks = [r for r in (row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12) if r]
    out, i = [], 0
    while i < len(ranks):
        if i + 1 < len(ranks) and ranks[i] == ranks[i + 1] < 15:
            out.append(2 * ranks[i])
            i += 2
        else:
            out.append(ranks[i])
            i += 1
    return sum(r << 4 * k for k, r in enumerate(out)) & 0xFFFF
""",
    ),
]


# --- oracles against the package


def test_moves_and_spawns_are_those_of_the_game():
    for index in range(60):
        (board,) = question("06.spawns").generate(Rng(index))
        game = Game2048(len(board), len(board[0]))
        state = State(board, Player.MAX)
        moves = question("06.legal_moves").oracle(board)
        assert moves == {action: game.result(state, action).board for action in game.legal_actions(state)}
        afterstate = State(board, Player.CHANCE)
        outcomes = [(game.result(afterstate, o).board, p) for o, p in game.chance_outcomes(afterstate)]
        assert question("06.spawns").oracle(board) == outcomes


def test_the_value_of_each_slide_is_that_of_the_packages_search():
    one = question("06.move_values")
    for index in range(40):
        board, depth, source, lost = one.generate(Rng(index))
        evaluate = decode(encode(source))
        values = one.oracle(board, depth, evaluate, lost)
        game = Game2048(len(board), len(board[0]), terminal_utility=lost)
        if not values:
            assert game.is_terminal(State(board, Player.MAX))
            continue
        result = expectimax(game, State(board, Player.MAX), depth, lambda s, e=evaluate: e(s.board))
        assert values == pytest.approx({action: value for action, (value, _) in result.action_values.items()})


def test_a_table_changes_the_cost_and_never_a_value():
    one = question("06.with_table")
    search = {m.name: m.fn for m in one.mutants}["nothing reused"]
    for index in range(30):
        board, depths, _, lost = one.generate(Rng(index))
        stored, plain = (f(board, depths, lambda b: b[0][0] / 8, lost) for f in (one.oracle, search))
        assert [value for value, _ in stored] == pytest.approx([value for value, _ in plain])
        assert all(some <= all_ for (_, some), (_, all_) in zip(stored, plain, strict=True))


def test_one_search_meets_one_board_at_two_depths():
    # Two 2s on two moves, or a 4 on one: the reason why even a single search needs the depth in its key.
    met: dict[Any, set[int]] = {}

    def visit(after: Any, depth: int) -> None:
        met.setdefault(after, set()).add(depth)
        if depth:
            for child, _ in parts06.spawned(after):
                for move in parts06.legal_moves(child).values():
                    visit(move, depth - 1)

    visit(((2, 0), (0, 0)), 3)
    assert any(len(depths) > 1 for depths in met.values())


def test_rows_and_boards_in_bits_are_those_of_the_engine():
    slides = bitboard.tables().slides
    one = question("06.row_left")
    assert all(one.oracle(row) == slides[row] for row in range(0, 1 << 16, 7))
    for index in range(60):
        (board,) = question("06.bit_moves").generate(Rng(index))
        tiles = bitboard.unpack(board)
        if sum(tile == 32768 for row in tiles for tile in row) > 1:
            continue  # two of them merge by the rules, and not in four bits
        moves = question("06.bit_moves").oracle(board)
        assert moves == {action: bitboard.pack(after) for action, after in parts06.legal_moves(tiles).items()}


def test_the_reports_can_be_told_apart_exactly_where_the_answers_say():
    # Oracle: the course's own statistics.
    assert games_to_tell_apart(0.5, 0.8) > 10
    assert games_to_tell_apart(134 / 200, 172 / 200) < 200
    assert proportion_interval(134, 200).high < proportion_interval(172, 200).low
    error = 1000 * 2**0.5
    assert 3500 / error > 1.96
    assert namespace_of("solutions", CHAPTER)["which_player"] == parts06.REPORTS


# --- known mistakes


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    written = namespace_of("solutions", CHAPTER) | {}
    exec(source, written)
    for seed in SEEDS:
        found = verdict(one, written[one.name], seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


def test_the_rows_of_the_teaching_plan_are_all_there():
    named = {entry[0] for entry in MISCONCEPTIONS}
    assert {
        "double merges in one slide",
        "merge order",
        "no-op moves counted as legal",
        "spawn 50/50",
        "cells counted wrong",
        "cache key without depth",
    } <= named


# --- the open module that answers


def test_every_question_closes_the_rules():
    assert {one.forbids for one in questions(CHAPTER)} == {("expectimax_course.game2048.rules",)}


@pytest.mark.sandbox
def test_the_rules_of_the_package_are_refused_as_an_answer(tmp_path):
    sources = [
        "from expectimax_course.game2048.rules import slide_row",
        "from expectimax_course.game2048 import rules\ndef legal_moves(board):\n    return rules._slides(board)",
    ]
    path = tmp_path / "borrowed.ipynb"
    borrowed = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    path.write_text(json.dumps({"cells": borrowed, "metadata": {"expectimax_course": {"chapter": CHAPTER}}}))
    found = {v.question.id: v.status for v in grade(path, path.name, 1).verdicts}
    assert found["06.slide_row"] == found["06.legal_moves"] == "forbidden"


def test_a_right_answer_written_differently_passes():
    written = namespace_of("solutions", CHAPTER)
    exec(SEARCH + TABLE, written)
    for name in ("move_values", "with_table"):
        assert check_answer(question(f"06.{name}"), written[name]).status == "passed"
