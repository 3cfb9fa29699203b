"""The questions of chapter 09: oracles against the package's own learner, and every known mistake told by its name."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from answering import cells, namespace_of, verdict, written

from expectimax_course.game import Player
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.rules import ACTIONS, State, slide
from expectimax_course.grading.bank import parts09, question, questions
from expectimax_course.grading.codec import decode, encode
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax

CHAPTER = "09_learned_2048"
SEEDS = (1, 2, 3)

ERRORS = """
def td_errors(history, value):
    found = []
    for t, (before, reward, after) in enumerate(history):
        if t + 1 < len(history):
            _, next_reward, next_after = history[t + 1]
            target = next_reward + value(next_after)
        else:
            target = 0
        found.append(target - value(after))
    return found
"""

LEARN = """
def learn(weights, board, cells, target, rate):
    def key(b):
        flat = sum(map(list, b), [])
        return tuple(flat[c] for c in cells)
    keys, b = [], board
    for _ in range(4):
        b = tuple(zip(*b))[::-1]
        keys += [key(b), key(b[::-1])]
    value = 0
    for k in keys:
        weights.setdefault(k, 0)
        value += weights[k]
    for k in sorted(keys):
        weights[k] += rate * (target - value) / 8
    return weights
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "TD on states instead of afterstates",
        "09.td_errors",
        "states",
        """
def td_errors(history, value):
    found = []
    for (board, reward, _), (following, _, _) in zip(history, history[1:]):
        found.append(reward + value(following) - value(board))
    board, reward, _ = history[-1]
    return found + [reward - value(board)]
""",
    ),
    (
        "states instead of afterstates when choosing",
        "09.slide_values",
        "after the new tile",
        """
def slide_values(board, value):
    found = {}
    for action in ACTIONS:
        after, reward = slide(board, action)
        if after == board:
            continue
        empty = [(r, c) for r, row in enumerate(after) for c, tile in enumerate(row) if tile == 0]
        total = 0
        for r, c in empty:
            for tile, p in ((2, 0.9), (4, 0.1)):
                rows = [list(row) for row in after]
                rows[r][c] = tile
                total += p / len(empty) * value(rows)
        found[action] = reward + total
    return found
""",
    ),
    (
        "reward missing",
        "09.td_errors",
        "reward missing",
        ERRORS.replace("next_reward + value(next_after)", "value(next_after)"),
    ),
    (
        "reward missing when choosing",
        "09.slide_values",
        "reward missing",
        """
def slide_values(board, value):
    moves = {a: slide(board, a)[0] for a in ACTIONS}
    return {a: value(b) for a, b in moves.items() if b != board}
""",
    ),
    (
        "reward twice",
        "09.td_errors",
        "reward twice",
        ERRORS.replace("target - value(after)", "reward + target - value(after)"),
    ),
    (
        "reward of the slide before",
        "09.td_errors",
        "own reward",
        ERRORS.replace("next_reward + value", "reward + value").replace("target = 0", "target = reward"),
    ),
    (
        "terminal target not zero",
        "09.td_errors",
        "end trusts itself",
        ERRORS.replace("target = 0", "target = value(after)"),
    ),
    (
        "terminal target is the last reward",
        "09.td_errors",
        "end pays",
        ERRORS.replace("target = 0", "target = reward"),
    ),
    (
        "a state compared with its own afterstate",
        "09.td_errors",
        "across the slide",
        ERRORS.replace("target - value(after)", "reward + value(after) - value(before)"),
    ),
    (
        "what the game brought instead of the next guess",
        "09.td_errors",
        "whole game",
        ERRORS.replace("next_reward + value(next_after)", "sum(step[1] for step in history[t + 1:])"),
    ),
    (
        "the reward alone when choosing",
        "09.slide_values",
        "value missing",
        """
def slide_values(board, value):
    return {a: slide(board, a)[1] for a in ACTIONS if slide(board, a)[0] != board}
""",
    ),
    (
        "targets in the order of the sweep",
        "09.lambda_targets",
        "from the end",
        """
def lambda_targets(path, decay):
    G, found = 0, []
    for reward, known in reversed(path):
        found.append(G)
        G = reward + (1 - decay) * known + decay * G
    return found
""",
    ),
    (
        "a weight that is not there yet never learns",
        "09.learn",
        "known weights alone",
        LEARN.replace(
            "    for k in keys:\n        weights.setdefault(k, 0)\n        value += weights[k]",
            "    value = sum(weights.get(k, 0) for k in keys)",
        ).replace(
            "    for k in sorted(keys):\n        weights[k]",
            "    for k in [j for j in keys if j in weights]:\n        weights[k]",
        ),
    ),
    (
        "symmetries counted twice",
        "09.learn",
        "whole error",
        LEARN.replace("(target - value) / 8", "(target - value)"),
    ),
    (
        "symmetries listed twice",
        "09.readings",
        "twice",
        """
def readings(board, cells):
    found = []
    for flip_rows in (False, True):
        for flip_cells in (False, True):
            b = board[::-1] if flip_rows else board
            b = tuple(tuple(row)[::-1] for row in b) if flip_cells else b
            for _ in range(4):
                b = tuple(zip(*b[::-1]))
                flat = sum(b, ())
                found.append(tuple(flat[c] for c in cells))
    return sorted(found)
""",
    ),
    (
        "equal readings dropped",
        "09.readings",
        "each once",
        """
def readings(board, cells):
    found = set()
    for b in (board, board[::-1]):
        for _ in range(4):
            b = tuple(zip(*b[::-1]))
            found.add(tuple(sum(b, ())[c] for c in cells))
    return sorted(found)
""",
    ),
    (
        "the value moves while its weights do",
        "09.learn",
        "moving value",
        LEARN.replace("(target - value) / 8", "(target - sum(weights[j] for j in keys)) / 8"),
    ),
    (
        "λ and 1 − λ swapped",
        "09.lambda_targets",
        "swapped",
        """
def lambda_targets(path, decay):
    G = [0.0] * len(path)
    for t in range(len(path) - 2, -1, -1):
        r, v = path[t + 1]
        G[t] = r + decay * v + (1 - decay) * G[t + 1]
    return G
""",
    ),
    (
        "the present error in its own rate",
        "09.coherence",
        "present error too",
        """
def coherence(errors):
    E = A = 0
    rates = []
    for e in errors:
        E += e
        A += abs(e)
        rates.append(abs(E) / A)
    return rates
""",
    ),
]


# --- oracles against the package


def test_a_slide_is_worth_what_a_search_one_decision_deep_says():
    one = question("09.slide_values")
    for index in range(60):
        board, source = one.generate(Rng(index))
        value = decode(encode(source))
        values = one.oracle(board, value)
        game = parts09.Game2048(len(board), len(board[0]))
        state = State(board, Player.MAX)
        if game.is_terminal(state):
            assert values == {}
            continue
        found = expectimax(game, state, 1, lambda s, v=value: v(s.board), use_rewards=True)
        assert values == pytest.approx({action: bounds[0] for action, bounds in found.action_values.items()})


def test_a_game_of_a_case_is_played_by_the_rules_to_its_end():
    one = question("09.td_errors")
    for history, _ in [*(case.args for case in one.visible), *(one.generate(Rng(index)) for index in range(40))]:
        assert all(after != board for board, _, after in history)
        last = State(history[-1][2], Player.CHANCE)
        game = parts09.Game2048(len(last.board), len(last.board[0]))
        assert any(game.is_terminal(game.result(last, tile)) for tile, _ in game.chance_outcomes(last))
        for (_, _, after), (board, _, _) in pairwise(history):
            changed = [
                (old, new)
                for row, line in zip(after, board, strict=True)
                for old, new in zip(row, line, strict=True)
                if old != new
            ]
            assert changed in ([(0, 2)], [(0, 4)])
        assert all((after, reward) in [slide(board, a) for a in ACTIONS] for board, reward, after in history)


def test_the_errors_of_a_game_add_up_to_its_score_where_every_value_is_the_same():
    history, _ = question("09.td_errors").generate(Rng(3))
    errors = question("09.td_errors").oracle(history, lambda board: 10.0)
    assert sum(errors) == sum(reward for _, reward, _ in history[1:]) - 10


def test_targets_without_rewards_are_the_mean_of_all_n_step_returns():
    oracle = question("09.lambda_targets").oracle
    values = [5.0, 7.0, 2.0]
    for decay in (0.0, 0.3, 1.0):
        for t, found in enumerate(oracle([(0.0, value) for value in values], decay)):
            steps = sum((1 - decay) * decay**n * value for n, value in enumerate(values[t + 1 :]))
            assert found == pytest.approx(steps)  # all the rest of the weight is on the end, worth 0
    assert oracle([(4.0, 1.0), (8.0, 2.0), (16.0, 3.0)], 1.0) == [24.0, 16.0, 0.0]
    assert oracle([(4.0, 1.0), (8.0, 2.0), (16.0, 3.0)], 0.0) == [10.0, 19.0, 0.0]


@pytest.mark.parametrize("rate", [1.0, 0.25])
def test_learning_is_that_of_the_packages_network(rate):
    for index in range(30):
        board, cells_ = parts09.draw_reading(Rng(index))
        size = len(board)
        network = NTupleNetwork([tuple(cells_)], rows=size, cols=size)
        network.update(board, np.float32(40), rate)
        weights = parts09.learn({}, board, cells_, 40.0, rate)
        value = sum(weights[key] for key in parts09.readings(board, cells_))
        assert value == pytest.approx(float(network.value(board)), rel=1e-5)


def test_rates_are_those_of_the_packages_network():
    network = NTupleNetwork([(0, 1)], rows=2, cols=2)
    board = ((2, 4), (8, 16))
    errors, moves = [], []
    for target in (8.0, 3.0, 9.0, 2.0, 30.0):
        before = float(network.value(board))
        network.update(board, np.float32(target))
        errors.append(target - before)
        moves.append(float(network.value(board)) - before)
    rates = question("09.coherence").oracle(errors)
    assert [move / error for move, error in zip(moves, errors, strict=True)] == pytest.approx(rates, abs=1e-4)


# --- known mistakes


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    answer = written(source, one.name, ACTIONS=ACTIONS, slide=slide)
    for seed in SEEDS:
        found = verdict(one, answer, seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


def test_the_rows_of_the_teaching_plan_are_all_there():
    assert {
        "TD on states instead of afterstates",
        "reward missing",
        "reward twice",
        "terminal target not zero",
        "symmetries counted twice",
    } <= {entry[0] for entry in MISCONCEPTIONS}


@pytest.mark.parametrize(("id", "source"), [("09.td_errors", ERRORS), ("09.learn", LEARN)])
def test_the_code_that_the_misconceptions_spoil_is_right(id, source):
    for seed in SEEDS:
        assert verdict(question(id), written(source, question(id).name), seed).status == "passed"


@pytest.mark.parametrize(
    ("id", "source"),
    [
        (
            "09.td_errors",
            """
import numpy as np
def td_errors(history, value):
    known = np.array([value(after) for _, _, after in history])
    rewards = np.array([reward for _, reward, _ in history])
    return np.append(rewards[1:] + known[1:], 0) - known
""",
        ),
        (
            "09.lambda_targets",
            """
def lambda_targets(path, decay):
    n, found = len(path), []
    for t in range(n):
        target, earned = 0, 0
        for k in range(1, n - t):
            earned += path[t + k][0]
            target += (1 - decay) * decay ** (k - 1) * (earned + path[t + k][1])
        found.append(target + decay ** (n - t - 1) * earned)
    return tuple(found)
""",
        ),
        (
            "09.readings",
            """
import numpy as np
def readings(board, cells):
    boards = [np.rot90(b, k) for b in (np.array(board), np.array(board).T) for k in range(4)]
    return sorted(tuple(b.flatten()[cells]) for b in boards)
""",
        ),
        (
            "09.coherence",
            """
import numpy as np
def coherence(errors):
    rates = np.abs(np.cumsum(errors)) / np.cumsum(np.abs(errors))
    return np.concatenate([[1], rates[:-1]])
""",
        ),
    ],
)
def test_a_right_answer_in_other_words_is_right(id, source):
    for seed in SEEDS:
        assert verdict(question(id), written(source, question(id).name), seed).status == "passed"


def test_the_reference_answers_learn_two_by_two():
    # The free exercise at the end: the functions of the notebook together reach what the chapter says.
    own = namespace_of("solutions", CHAPTER)
    game, rng, weights = parts09.Game2048(2, 2), Rng(1), {}
    scores = []

    def value(board):
        return sum(weights.get(key, 0) for key in own["readings"](board, [0, 1, 2]))

    for _ in range(400):
        state, path, score = game.initial_state(), [], 0
        while not game.is_terminal(state):
            if state.player is Player.CHANCE:
                state = game.result(state, rng.outcome(game.chance_outcomes(state)))
                continue
            worth = own["slide_values"](state.board, value)
            action = max(worth, key=worth.get)
            reward = game.reward(state, action)
            state, score = game.result(state, action), score + reward
            path.append((reward, state.board))
        targets = own["lambda_targets"]([(reward, value(after)) for reward, after in path], 0.5)
        for (_, after), target in zip(path, targets, strict=True):
            own["learn"](weights, after, [0, 1, 2], target, 0.1)
        scores.append(score)
    assert sum(scores[-200:]) / 200 > 60


def test_no_statement_gives_a_message_away():
    statements = " ".join(cell.source for cell in cells("exercises", CHAPTER) if cell.cell_type == "markdown")
    assert not [m.name for one in questions(CHAPTER) for m in one.mutants if m.message in statements]
