"""Questions of chapter 06: the rules of 2048, the search, its table, and the bitboard."""

from __future__ import annotations

from operator import or_

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts06 import (
    LARGER,
    OPEN_CORNER,
    OVERLAP,
    REPORTS,
    SMOOTH,
    bit_moves,
    bit_moves_with,
    both,
    draw_bits,
    draw_packed_row,
    draw_row,
    draw_search,
    draw_spawning,
    draw_table,
    gap_left_behind,
    half_the_reward,
    kept_apart_by_gaps,
    leftmost_on_top,
    legal_moves,
    merged_again,
    merged_from_the_right,
    move_values,
    moves_with,
    only_merges,
    row_left,
    row_with,
    search_with,
    slide_row,
    spawned,
    table_with,
    to_bits,
    with_table,
)
from expectimax_course.grading.bank.parts06 import draw_board as draw_a_board

RULES = ("expectimax_course.game2048.rules",)
"""The rules are the answer key of this chapter, and open in every other."""

START = ((2, 0, 0, 2), (0, 4, 0, 0), (0, 0, 8, 0), (2, 2, 4, 8))
FULL = ((2, 4), (4, 2))


SLIDE_ROW = Question(
    id="06.slide_row",
    title="Slide a row",
    kind="function",
    points=2,
    minutes=5,
    signature="slide_row(row: tuple[int, ...]) -> tuple[tuple[int, ...], int]",
    oracle=slide_row,
    visible=(
        Case(((0, 2, 0, 2),), note="Tiles slide over gaps, and equal neighbours merge into their sum."),
        Case(((2, 2, 4, 0),), note="A tile that has just been made does not merge again in the same slide."),
        Case(((2, 2, 2, 0),), note="Of three equal tiles the two at the wall merge."),
        Case(((4, 4, 8, 8),), note="Two pairs, two rewards."),
        Case(((2, 4, 2, 4),), note="Nothing to slide, nothing to earn."),
    ),
    generate=draw_row,
    mutants=(
        Mutant(
            "double merge",
            merged_again,
            "A tile that was just made merges again in the same slide: each tile may merge once.",
            cap=1,
        ),
        Mutant(
            "merge order",
            merged_from_the_right,
            "Three equal tiles merge at the far end: in a slide to the left the pair at the left wall merges first.",
            cap=1,
        ),
        Mutant(
            "gaps keep apart",
            kept_apart_by_gaps,
            "Equal tiles with a gap between them do not merge: close the gaps before you look for pairs.",
            cap=0.75,
        ),
        Mutant(
            "gap left behind",
            gap_left_behind,
            "After a merge a hole stays in the middle of the row: close the gaps after merging too.",
            cap=0.75,
        ),
        Mutant(
            "half the reward",
            half_the_reward,
            "The reward of a merge is the tile that is made, the sum of the two: you count one of them.",
            cap=1.5,
        ),
    ),
    hints=(
        "What is left of a row when you drop its zeros, and which pairs are neighbours then?",
        "Walk along the tiles with an index: a pair moves it on by two, a lone tile by one.",
    ),
    forbids=RULES,
)


LEGAL_MOVES = Question(
    id="06.legal_moves",
    title="Four directions",
    kind="function",
    points=2.5,
    minutes=10,
    signature="legal_moves(board: tuple[tuple[int, ...], ...]) -> dict[str, tuple[tuple[int, ...], ...]]",
    oracle=legal_moves,
    visible=(
        Case((START,), note="All four slides change this board."),
        Case((((2, 4, 8, 16), (0, 0, 0, 0)),), note="A slide that changes nothing is no move: only down is left."),
        Case((((2, 2), (4, 8)),), note="On a full board equal neighbours can still merge, sideways only here."),
        Case((FULL,), note="No move: the game is over."),
        Case((((2, 0, 0), (4, 2, 0)),), note="Nothing merges, but tiles move."),
    ),
    generate=lambda rng: (draw_a_board(rng),),
    mutants=(
        Mutant(
            "no-ops legal",
            lambda board: moves_with(board, no_ops=True),
            "Slides that change nothing are listed too: compare the board after the slide with the one before "
            "(a list never equals a tuple).",
            cap=1,
        ),
        Mutant(
            "merges only",
            only_merges,
            "Only slides that merge are listed: a slide that moves a tile is legal as well.",
            cap=1,
        ),
        Mutant(
            "not turned back",
            lambda board: moves_with(board, turn_back=False),
            "Right and down pile the tiles up at the wrong wall: a row turned round must be turned back.",
            cap=1,
        ),
        Mutant(
            "columns left as rows",
            lambda board: moves_with(board, lay_back=False),
            "After up and down your board lies on its side: swap rows and columns back.",
            cap=1,
        ),
        Mutant(
            "up and down swapped",
            lambda board: moves_with(board, swap=True),
            "Up and down are exchanged: the first row is the top, and up slides towards it.",
            cap=1.5,
        ),
    ),
    hints=(
        "How does sliding right look in a mirror, and what does zip(*board) make of columns?",
        "One function slides left; turn the board so that every direction becomes left, and turn it back after.",
    ),
    forbids=RULES,
)


SPAWNS = Question(
    id="06.spawns",
    title="What nature may do",
    kind="function",
    points=2,
    minutes=8,
    signature="spawns(board: tuple[tuple[int, ...], ...]) -> list[tuple[tuple[tuple[int, ...], ...], float]]",
    oracle=spawned,
    visible=(
        Case((((2, 4), (8, 0)),), note="One empty cell: a 2 with nine in ten, a 4 with one in ten."),
        Case((((2, 0), (0, 4)),), note="Two empty cells share the probability."),
        Case((FULL,), note="No empty cell, no new tile."),
    ),
    generate=draw_spawning,
    mutants=(
        Mutant(
            "fifty-fifty",
            lambda board: spawned(board, four=0.5),
            "A 2 and a 4 come equally often here: the rules give the 2 nine times in ten.",
            cap=1,
        ),
        Mutant(
            "all cells counted",
            lambda board: spawned(board, cells=lambda b, n: len(b) * len(b[0])),
            "The probabilities are divided by all cells of the board: only empty ones can get the tile.",
            cap=0.75,
        ),
        Mutant(
            "outcomes counted",
            lambda board: spawned(board, cells=lambda b, n: 2 * n),
            "The probabilities sum to a half: you divide by the outcomes, but 9/10 and 1/10 share one cell already.",
            cap=0.75,
        ),
        Mutant(
            "not divided",
            lambda board: spawned(board, cells=lambda b, n: 1),
            "The probabilities sum to the number of empty cells: each cell gets the tile with one in that number.",
            cap=0.75,
        ),
        Mutant(
            "never a 4",
            lambda board: spawned(board, four=0.0),
            "A 4 never comes: it does, once in ten.",
            cap=0.5,
        ),
        Mutant(
            "mostly 4s",
            lambda board: spawned(board, four=0.9),
            "The two probabilities are exchanged: the 2 is the frequent tile.",
            cap=1,
        ),
    ),
    hints=(
        "To what must the probabilities sum, and do yours?",
        "A tile on a cell: the probability of the tile times that of the cell.",
    ),
    forbids=RULES,
)


MOVE_VALUES = Question(
    id="06.move_values",
    title="What is each slide worth?",
    kind="function",
    points=4,
    minutes=20,
    signature="move_values(board: tuple, depth: int, evaluate: Callable, lost: float) -> dict[str, float]",
    oracle=move_values,
    visible=(
        Case(
            (((2, 2, 0), (0, 4, 0)), 1, OPEN_CORNER, -50.0),
            note="One decision: every board after a slide is evaluated as it stands, before the new tile.",
        ),
        Case((((2, 2, 0), (0, 4, 0)), 2, OPEN_CORNER, -50.0), note="Two decisions with a new tile between them."),
        Case(
            (((2, 4), (8, 2)), 2, OPEN_CORNER, -50.0),
            note="Nothing can be done: no slide, no value.",
        ),
        Case(
            (((0, 4), (8, 2)), 2, SMOOTH, -50.0),
            note="After some new tiles the game is over: that is worth `lost`, whatever evaluate says.",
        ),
    ),
    generate=draw_search,
    mutants=(
        Mutant(
            "new tiles counted",
            search_with(more=1),
            "Your search looks one decision too far, as if depth counted new tiles: here it counts decisions.",
            cap=2,
        ),
        Mutant(
            "one too few",
            search_with(more=-1),
            "Your search looks one decision less far than asked: with depth 2 there are two slides and a tile between.",
            cap=2,
        ),
        Mutant(
            "evaluated after the tile",
            search_with(after_spawn=True),
            "The last new tile is opened before you evaluate: with no decision left, evaluate the board it falls on.",
            cap=2.5,
        ),
        Mutant(
            "best tile",
            search_with(mean=lambda values, weights: max(values)),
            "Nature puts the tile where it suits you best: nobody chooses there, weight by the probabilities.",
            cap=1,
        ),
        Mutant(
            "worst tile",
            search_with(mean=lambda values, weights: min(values)),
            "Nature puts the tile where it hurts most: that is an opponent, weight by the probabilities.",
            cap=1,
        ),
        Mutant(
            "plain mean",
            search_with(mean=lambda values, weights: sum(values) / len(values)),
            "This is the plain mean over the boards: a 2 is nine times as likely as a 4.",
            cap=2,
        ),
        Mutant(
            "lost boards evaluated",
            search_with(at_end=lambda lost, value: value),
            "A finished game is evaluated as if it went on: without a legal slide a board is worth `lost`.",
            cap=2.5,
        ),
        Mutant(
            "lost boards worth nothing",
            search_with(at_end=lambda lost, value: 0.0),
            "A finished game counts 0: it is worth `lost`, which is less.",
            cap=2.5,
        ),
    ),
    hints=(
        "Which three kinds of board does the search meet, and which function of yours answers for each?",
        "Write two functions that call each other: one for a board before a slide, one for a board after it.",
    ),
    forbids=RULES,
)


WITH_TABLE = Question(
    id="06.with_table",
    title="A table with a safe key",
    kind="function",
    points=3,
    minutes=15,
    signature="with_table(board: tuple, depths: list[int], evaluate: Callable, lost: float) -> list[tuple[float, int]]",
    oracle=with_table,
    visible=(
        Case((((2, 0), (4, 2)), [2, 2], OPEN_CORNER, -50.0), note="The second time the table knows the answer."),
        Case(
            (((2, 0), (4, 2)), [1, 2], OPEN_CORNER, -50.0),
            note="What is known of depth 1 does not answer for depth 2.",
        ),
        Case(
            (((2, 0), (4, 2)), [2, 1], OPEN_CORNER, -50.0),
            note="What is known of depth 2 does not answer for depth 1 either: that is another question.",
        ),
        Case((((0, 2), (0, 0)), [3], SMOOTH, -7.5), note="Within one search, too, boards come up again."),
    ),
    generate=draw_table,
    mutants=(
        Mutant(
            "key without depth",
            table_with(lambda board, depth: board),
            "One board with two depths has two values, and your key cannot tell them apart: put the depth into it.",
            cap=1,
        ),
        Mutant(
            "deeper is good enough",
            table_with(both, deeper=True),
            "An entry of a greater depth answers for a smaller one: deeper may be better, but that was not asked.",
            cap=1.5,
        ),
        Mutant(
            "nothing reused",
            table_with(lambda board, depth: object()),
            "The values are right, but nothing is ever found in the table: look before you search.",
            cap=1.5,
        ),
        Mutant(
            "a new table each time",
            table_with(both, fresh=True),
            "Every depth starts with an empty table: keep one for all of them.",
            cap=2,
        ),
        Mutant(
            "leaves kept too",
            table_with(both, leaves=True),
            "You keep evaluations as well, so you count too few: a leaf is as cheap to evaluate as to look up.",
            cap=2.25,
        ),
        Mutant(
            "decisions kept too",
            table_with(both, decisions=True),
            "You keep boards before a slide as well, so you count too few: keep boards after a slide alone.",
            cap=2.25,
        ),
    ),
    hints=(
        "On what does the value of a board after a slide depend, beside the board?",
        "Before you search look the key up; after you have searched, store under the same key.",
    ),
    forbids=RULES,
)


SPILLS = "Two tiles of 32768 merge, and their rank 16 spills into the next cell: four bits end at 15."

ROW_LEFT = Question(
    id="06.row_left",
    title="A row in sixteen bits",
    kind="function",
    points=2,
    minutes=10,
    signature="row_left(row: int) -> int",
    oracle=row_left,
    visible=(
        Case((0x0011,), note="Two 2s (rank 1) at the left wall make a 4 (rank 2)."),
        Case((0x2010,), note="A 2 and a 4 slide to the lowest places; they do not merge."),
        Case((0x1111,), note="Two pairs."),
        Case((0x0111,), note="Of three equal tiles the two at the wall merge."),
        Case((0x00FF,), note="There is no rank 16 in four bits: two tiles of 32768 stay as they are."),
    ),
    generate=draw_packed_row,
    mutants=(
        Mutant(
            "ranks added",
            row_with(lambda rank: 2 * rank),
            "Two tiles of rank r make rank 2r here: ranks are exponents, so a merge adds one.",
            cap=0.75,
        ),
        Mutant(
            "rank kept",
            row_with(lambda rank: rank),
            "Merged tiles keep their rank: twice the tile is one rank more.",
            cap=0.75,
        ),
        Mutant(
            "leftmost on top",
            leftmost_on_top,
            "Your tiles slide to the highest bits: the leftmost cell is the lowest four.",
            cap=1,
        ),
        Mutant(
            "sixteen in four bits",
            row_with(largest=16),
            SPILLS,
            cap=1.5,
        ),
        Mutant(
            "sixteen in four bits, joined by |",
            row_with(largest=16, join=or_),
            SPILLS,
            cap=1.5,
        ),
    ),
    hints=(
        "Which four bits are the leftmost cell, and what is the rank of a merged tile?",
        "Take the row apart with >> and & 15, slide a list of ranks, and put it together with << and |.",
    ),
    forbids=RULES,
)


BIT_MOVES = Question(
    id="06.bit_moves",
    title="The whole board in 64 bits",
    kind="function",
    points=3,
    minutes=15,
    signature="bit_moves(board: int) -> dict[str, int]",
    oracle=bit_moves,
    visible=(
        Case((to_bits(START),), note="The board of the first question, packed."),
        Case((0x4321,), note="One full row at the top: only down changes it."),
        Case((to_bits(((2, 4, 8, 16), (4, 8, 16, 32), (8, 16, 32, 64), (16, 32, 64, 128))),), note="No move."),
    ),
    generate=draw_bits,
    mutants=(
        Mutant(
            "no-ops legal",
            lambda board: bit_moves_with(board, no_ops=True),
            "Slides that change nothing are listed too: one comparison of two numbers tells them.",
            cap=1,
        ),
        Mutant(
            "not mirrored back",
            lambda board: bit_moves_with(board, turn_back=False),
            "Right and down pile the tiles up at the wrong wall: mirror each row back after the slide.",
            cap=1,
        ),
        Mutant(
            "not transposed back",
            lambda board: bit_moves_with(board, lay_back=False),
            "After up and down your board lies on its side: transpose it back.",
            cap=1,
        ),
        Mutant(
            "first row on top",
            lambda board: bit_moves_with(board, top_first=True),
            "Up and down are exchanged: the first row is the lowest sixteen bits.",
            cap=2,
        ),
    ),
    hints=(
        "What does a slide to the right become if every row is read backwards first?",
        "Take the board apart into rows of sixteen bits; for columns collect one cell of each row.",
    ),
    forbids=RULES,
)


WHICH_PLAYER = Question(
    id="06.which_player",
    title="Which player is stronger?",
    kind="choice",
    points=1.5,
    minutes=8,
    signature="which_player: dict[str, str]",
    choices=("the first", "the second", "cannot say"),
    oracle=REPORTS.__getitem__,
    visible=(
        Case(("A",), note="A: ten games of each."),
        Case(("B",), note="B: two hundred games of each."),
        Case(("C",), note="C: one game of each."),
        Case(("D",), note="D: means with standard errors."),
    ),
    mutants=(
        Mutant(
            "the larger number",
            LARGER.__getitem__,
            "You take the larger number each time: look at how far it would move if the games were played again.",
            cap=0.5,
        ),
        Mutant(
            "intervals overlap",
            OVERLAP.__getitem__,
            "Two intervals can overlap although their difference is clear: compare the difference with its own error.",
            cap=1,
        ),
    ),
    hints=(
        "What is the standard error of a rate of one half over ten games?",
        "The standard error of a difference is the root of the sum of both squared; twice that is about the limit.",
    ),
    allows=("expectimax_course.stats",),
    forbids=RULES,
)


QUESTIONS = (SLIDE_ROW, LEGAL_MOVES, SPAWNS, MOVE_VALUES, WITH_TABLE, ROW_LEFT, BIT_MOVES, WHICH_PLAYER)
