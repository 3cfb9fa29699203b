"""SplitMix64 against its published outputs, and the helpers that draw from it."""

from __future__ import annotations

from collections import Counter

import pytest

from expectimax_course.rng import Rng, derive_seed


def test_the_stream_is_splitmix64() -> None:
    # First outputs for seed 1234567 of the reference implementation by S. Vigna.
    rng = Rng(1234567)
    assert [rng.next64() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_below_covers_every_number_about_equally_often() -> None:
    rng = Rng(1)
    counts = Counter(rng.below(6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - 10_000) < 5 * (60_000 * 5 / 36) ** 0.5 for count in counts.values())


def test_outcome_follows_the_probabilities_and_never_takes_the_impossible() -> None:
    rng = Rng(2)
    counts = Counter(rng.outcome([("a", 0.25), ("never", 0.0), ("b", 0.75)]) for _ in range(20_000))
    assert set(counts) == {"a", "b"}
    assert abs(counts["a"] - 5_000) < 5 * (20_000 * 3 / 16) ** 0.5


def test_rounding_at_the_end_falls_to_the_last_possible_outcome() -> None:
    class Top(Rng):
        def random(self) -> float:
            return 1 - 2**-53

    assert Top(0).outcome([("a", 0.1), ("b", 0.2), ("c", 0.7 - 1e-9), ("never", 0.0)]) == "c"


def test_shuffle_keeps_the_items_and_changes_their_order() -> None:
    items = list(range(50))
    Rng(3).shuffle(items)
    assert sorted(items) == list(range(50))
    assert items != list(range(50))


def test_derived_seeds_differ_and_do_not_depend_on_the_order_of_asking() -> None:
    seeds = [derive_seed(7, index) for index in range(1000)]
    assert len(set(seeds)) == 1000
    assert derive_seed(7, 3, 1) != derive_seed(7, 1, 3)
    assert derive_seed(7, 999) == seeds[999]


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_range_without_numbers_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="expected n between 1"):
        Rng(0).below(n)


def test_outcomes_without_any_chance_are_refused() -> None:
    with pytest.raises(ValueError, match="positive probability"):
        Rng(0).outcome([("a", 0.0)])
