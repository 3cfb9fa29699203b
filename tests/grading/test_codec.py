"""Arguments go in, answers come out, and neither is more than JSON on the way."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectimax_course.game import Player
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.grading.codec import Make, Named, Source, decode, encode, plain, revive
from expectimax_course.rng import derive_seed

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.fractions()
KEYS = st.integers() | st.text() | st.tuples(st.integers(), st.text())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)


@settings(max_examples=50, deadline=None)
@given(VALUES)
def test_plain_arguments_arrive_as_they_left(value):
    arrived = decode(json.loads(json.dumps(encode(value))))
    assert arrived == value
    assert type(arrived) is type(value)


def as_lists(value):
    if isinstance(value, list | tuple):
        return [as_lists(item) for item in value]
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    return value


@settings(max_examples=50, deadline=None)
@given(VALUES)
def test_answers_arrive_with_lists_for_tuples(value):
    assert revive(json.loads(json.dumps(plain(value)))) == as_lists(value)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["$dict", "$float", "$fraction", "$type", "a"]), x),
    )
)
def test_no_forged_answer_breaks_the_reader(data):
    revive(data)


def test_objects_of_the_package_cross_by_recipe():
    state = PushTo21().initial_state()
    assert decode(encode(state)) == state
    assert decode(encode(Player.MIN)) is Player.MIN
    assert decode(encode(Named("expectimax_course.rng:derive_seed"))) is derive_seed
    assert decode(encode(Make("expectimax_course.games.push_to_21:PushTo21", target=30))).target == 30
    assert decode(encode(Source("def f(x):\n    return x + 1", "f")))(1) == 2


def test_two_decodings_share_nothing():
    data = encode([[1], {"a": [2]}])
    one, other = decode(data), decode(data)
    one[0].append(3)
    one[1]["a"].append(3)
    assert other == [[1], {"a": [2]}]


def test_recipes_are_shown_as_code():
    assert repr(Make("a:PushTo21", 1, faces=6)) == "PushTo21(1, faces=6)"
    assert repr(Named("a.b:f")) == "f"
    assert repr(Source("x", "f")) == "x"


def test_numbers_that_json_lacks_cross_too():
    assert math.isnan(decode(encode(float("nan"))))
    assert revive(plain([math.inf, -math.inf])) == [math.inf, -math.inf]
    assert revive(plain(Fraction(1, 3))) == Fraction(1, 3)


@pytest.mark.parametrize("value", [object(), len, {1, 2}, b"x", 1j])
def test_anything_else_is_no_argument(value):
    with pytest.raises(ValueError, match="expected plain data or a recipe"):
        encode(value)


def test_only_this_package_is_looked_up():
    with pytest.raises(ValueError, match="expected a name in expectimax_course, got 'os:system'"):
        decode({"$named": "os:system"})
    with pytest.raises(ValueError, match=r"expected what encode\(\) writes"):
        decode({"$what": 1})


@pytest.mark.parametrize(
    "forged", [{"$fraction": "1e99999999"}, {"$fraction": "1/0"}, {"$float": "x"}, {}, {"$dict": 1}]
)
def test_a_forged_value_equals_nothing(forged):
    assert repr(revive(forged)) == "a value in no known form"


def test_deep_data_ends():
    deep: list[object] = []
    for _ in range(300):
        deep = [deep]
    assert repr(revive(deep)) == "a value in no known form"
