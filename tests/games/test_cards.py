"""Draw to eleven: the deck remembers, a key without it lies, and a small deck solved by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.games.cards import CardState, DrawToEleven
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table


def play(game: DrawToEleven, *moves: str | int) -> CardState:
    state = game.initial_state()
    for move in moves:
        state = game.result(state, move)
    return state


def test_a_round_by_hand() -> None:
    game = DrawToEleven(target=6, ranks=3, copies=2)
    state = play(game, "draw", 3, "draw", 2, "stand", "draw", 3, "draw", 1, "draw", 2)
    assert state == CardState(5, 6, Player.MIN, "choose", (1, 0, 0))
    over = game.result(state, "stand")
    assert game.is_terminal(over)
    assert game.utility(over) == -1


def test_going_over_the_target_loses_at_once_for_either_side() -> None:
    game = DrawToEleven(target=4, ranks=3, copies=2)
    assert game.utility(play(game, "draw", 3, "draw", 3)) == -1
    assert game.utility(play(game, "stand", "draw", 3, "draw", 3)) == 1


def test_equal_totals_draw() -> None:
    game = DrawToEleven(target=4, ranks=3, copies=2)
    assert game.utility(play(game, "draw", 3, "stand", "draw", 3, "stand")) == 0


def test_each_rank_comes_with_its_share_of_the_cards_left() -> None:
    game = DrawToEleven(target=11, ranks=3, copies=2)
    state = play(game, "draw", 2, "draw", 2, "draw")
    assert game.chance_outcomes(state) == ((1, 0.5), (3, 0.5))
    with pytest.raises(IllegalActionError, match="a rank that is left"):
        game.result(state, 2)


def test_an_empty_deck_leaves_only_standing() -> None:
    game = DrawToEleven(target=9, ranks=1, copies=1)
    state = play(game, "draw", 1)
    assert game.legal_actions(state) == ("stand",)
    with pytest.raises(IllegalActionError):
        game.result(state, "draw")


def test_two_cards_one_and_two_solved_by_hand() -> None:
    """Deck 1, 2, target 2. MAX draws a 1 or a 2, each with ½.

    With 2 MAX stands; MIN draws the 1 left and loses (the deck is empty), or stands at 0 and loses: +1. With 1 the
    card left is the 2: MAX stands, MIN draws it and wins 2 to 1: −1; drawing it would bust: −1. Together 0. Standing at
    0, MIN draws 1 or 2 and wins: −1. So MAX draws, for 0.
    """
    game = DrawToEleven(target=2, ranks=2, copies=1)
    result = expectiminimax(game, game.initial_state())
    assert result.value == 0
    assert result.action == "draw"
    assert result.action_values["stand"] == (-1, -1)


def test_equal_totals_from_different_decks_are_different_states_with_different_values() -> None:
    game = DrawToEleven(target=7, ranks=4, copies=2)
    twos = play(game, "draw", 2, "draw", 2)
    mixed = play(game, "draw", 1, "draw", 3)
    assert twos.max_total == mixed.max_total
    assert twos != mixed
    assert expectiminimax(game, twos).value != expectiminimax(game, mixed).value


def test_the_order_of_the_cards_does_not_matter() -> None:
    game = DrawToEleven()
    assert play(game, "draw", 1, "draw", 4) == play(game, "draw", 4, "draw", 1)


class ForgetfulKeys(DrawToEleven):
    """The same game, but what a cache sees of a state lacks the deck: the mistake this game is here to show."""

    def __init__(self, target: int, ranks: int, copies: int) -> None:
        super().__init__(target, ranks, copies)
        self.known: dict[Any, float] = {}

    def value(self, state: CardState) -> float:
        if self.is_terminal(state):
            return self.utility(state)
        key = state[:4]
        if key not in self.known:
            player = self.current_player(state)
            if player is Player.CHANCE:
                value = sum(p * self.value(self.result(state, o)) for o, p in self.chance_outcomes(state))
            else:
                values = [self.value(self.result(state, a)) for a in self.legal_actions(state)]
                value = max(values) if player is Player.MAX else min(values)
            self.known[key] = value
        return self.known[key]


def test_a_key_without_the_deck_gives_another_value() -> None:
    game = ForgetfulKeys(target=7, ranks=4, copies=2)
    start = game.initial_state()
    honest = expectiminimax(game, start, table=Table()).value
    assert honest == pytest.approx(expectiminimax(game, start).value, abs=1e-12)
    assert abs(game.value(start) - honest) > 0.01


def test_the_number_of_orders_of_a_deck_is_a_multinomial() -> None:
    """Drawing all of 1, 1, 2, 2 in turn: 4! / (2! 2!) = 6 sequences, and their probabilities sum to 1."""
    game = DrawToEleven(target=99, ranks=2, copies=2)

    def sequences(state: CardState) -> list[Fraction]:
        if game.legal_actions(state) == ("stand",):
            return [Fraction(1)]
        drawing = game.result(state, "draw")
        return [
            Fraction(p).limit_denominator(100) * q
            for outcome, p in game.chance_outcomes(drawing)
            for q in sequences(game.result(drawing, outcome))
        ]

    found = sequences(game.initial_state())
    assert found == [Fraction(1, 6)] * 6


@pytest.mark.parametrize(("copies", "counts"), [(3, [1, 2, 8, 31]), (1, [1, 2, 8, 25])])
def test_counts_by_depth_follow_from_the_deck(copies: int, counts: list[int]) -> None:
    """By hand, with 3 ranks and no way to go over: MAX has MIN(d − 1) + 3·MAX(d − 1) leaves, MIN 1 + 3·MIN(d − 1).

    An afterstate at the cut counts 1. With one card of each rank the second card has only 2: 7 + 3·(2 + 2·2).
    """
    game = DrawToEleven(target=99, ranks=3, copies=copies)
    found = [expectiminimax(game, game.initial_state(), depth, game.estimate).leaves for depth in range(4)]
    assert found == counts


def test_the_estimate_is_the_lead_in_points() -> None:
    game = DrawToEleven(target=11)
    assert game.estimate(CardState(8, 2, Player.MIN, "choose", (1,) * 6)) == 0.5


@pytest.mark.parametrize("setting", [{"target": 0}, {"ranks": 1.5}, {"copies": True}])
def test_a_setting_out_of_range_is_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(StateError, match=r"expected (target|ranks|copies) to be a whole number of 1 or more"):
        DrawToEleven(**setting)
