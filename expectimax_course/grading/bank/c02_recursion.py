"""Questions of chapter 02: one recursion for max, min and chance nodes."""

from __future__ import annotations

from expectimax_course.games.push_to_21 import PushState
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts02 import (
    BY_TOTAL,
    CHANCE,
    MAX,
    MIN,
    chance_node,
    count_nodes,
    depth_limited,
    draw_any_tree,
    draw_counted,
    draw_dictionary,
    draw_limited,
    draw_max_chance,
    draw_node,
    expectimax,
    expectiminimax,
    fold_with,
    highest,
    lenient,
    limited,
    lowest,
    overwriting,
    plain_mean,
    push,
    search_with,
    strict_value,
    tree,
    turned,
    visits,
)

AT_CHANCE_MAX = "At a chance node this takes the best outcome: nobody chooses there, weight each by its probability."


AT_CHANCE_MIN = "At a chance node this takes the worst outcome: that is MIN's choice, and chance has no aim."


AT_CHANCE_MEAN = "This is the mean of the children at a chance node: weight them by their probabilities."


MIN_TURNED = (
    "The value of a MIN node comes out with MIN's sign: every value in the tree takes MAX's view, so do not negate."
)


MIN_IS_MAX = "At a MIN node this takes the greatest value: values take MAX's view, and MIN wants that view to be low."


BACKED_UP = Question(
    id="02.backed_up",
    title="One node",
    kind="function",
    points=2,
    minutes=5,
    signature="backed_up(player: Player, values: list[float], probabilities: list[float]) -> float",
    oracle=fold_with(),
    visible=(
        Case((MAX, [3.0, 5.0], []), note="MAX picks the child it likes best."),
        Case((MIN, [3.0, 5.0], []), note="MIN picks too."),
        Case((CHANCE, [10.0, -5.0], [0.9, 0.1]), note="The gamble of chapter 01 is a chance node."),
    ),
    generate=draw_node,
    mutants=(
        Mutant("max at chance", fold_with(at_chance=highest), AT_CHANCE_MAX, cap=0.5),
        Mutant("min at chance", fold_with(at_chance=lowest), AT_CHANCE_MIN, cap=0.5),
        Mutant("mean at chance", fold_with(at_chance=plain_mean), AT_CHANCE_MEAN, cap=1),
        Mutant("max at MIN", fold_with(at_min=highest), MIN_IS_MAX, cap=1),
        Mutant("MIN's view", fold_with(at_min=turned), MIN_TURNED, cap=1),
    ),
    hints=(
        "Who decides which child comes next, and what does that one want?",
        "Only one of the three players needs the probabilities.",
    ),
)


EXPECTIMAX = Question(
    id="02.expectimax",
    title="Expectimax",
    kind="function",
    points=4,
    minutes=15,
    signature="expectimax(game: Game, state) -> float",
    oracle=expectimax,
    visible=(
        Case((tree("7"), 0), note="A terminal state is worth its utility."),
        Case((tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"), 0), note="The question of chapter 01 as a tree."),
        Case((tree("chance(1/2: max(3, 5), 1/2: max(-4, -8))"), 0), note="One chance node above two decisions."),
        Case((push(3, 2), PushState(0, "choose")), note="Push to 3 with a die of two faces."),
    ),
    generate=draw_max_chance,
    mutants=(
        Mutant("max at chance", search_with(at_chance=highest), AT_CHANCE_MAX, cap=1),
        Mutant("min at chance", search_with(at_chance=lowest), AT_CHANCE_MIN, cap=1),
        Mutant("mean at chance", search_with(at_chance=plain_mean), AT_CHANCE_MEAN, cap=2),
        Mutant(
            "best starts at nothing",
            search_with(at_max=lambda values, _: max(0, *values)),
            "Your maximum starts at 0, so a choice among losses comes out as 0: start from the first child instead.",
            cap=2.5,
        ),
        Mutant(
            "state overwritten",
            overwriting(also_at_max=False),
            "The second outcome starts from where the first one led: keep the child in a variable of its own.",
            cap=1,
        ),
        Mutant(
            "state overwritten, also at MAX",
            overwriting(also_at_max=True),
            "In both loops, actions and outcomes, each child must come from the same parent: do not overwrite `state`.",
            cap=0.75,
        ),
    ),
    hints=(
        "Which three kinds of state are there when MIN does not play, and which of them needs no recursion?",
        "The children of a state are game.result(state, x), for each action or each outcome x.",
    ),
)


EXPECTIMINIMAX = Question(
    id="02.expectiminimax",
    title="Somebody plays against you",
    kind="function",
    points=2,
    minutes=8,
    signature="expectiminimax(game: Game, state) -> float",
    oracle=expectiminimax,
    visible=(
        Case((tree("max(min(3, 5), min(2, 9))"), 0), note="Without chance this is minimax."),
        Case((tree("chance(1/2: min(3, 5), 1/2: max(4, 8))"), 0), note="Chance decides who is to move."),
        Case((tree("min(chance(0.9: 10, 0.1: -5), 2)"), 0), note="MIN is offered the gamble of chapter 01."),
    ),
    generate=draw_any_tree,
    mutants=(
        Mutant("MIN moves as MAX", search_with(at_min=highest), MIN_IS_MAX, cap=0.5),
        Mutant("MIN's view", search_with(at_min=turned), MIN_TURNED, cap=0.5),
        Mutant(
            "MIN drawn by lot",
            search_with(at_min=plain_mean),
            "At a MIN node this is a mean: an opponent does not draw her move, she picks what is worst for MAX.",
            cap=0.5,
        ),
        Mutant("chance is an opponent", search_with(at_chance=lowest), AT_CHANCE_MIN, cap=0.5),
        Mutant("chance is a friend", search_with(at_chance=highest), AT_CHANCE_MAX, cap=0.5),
        Mutant("mean at chance", search_with(at_chance=plain_mean), AT_CHANCE_MEAN, cap=1),
    ),
    hints=(
        "What changes from the search before, and at which nodes alone?",
        "A MIN node looks exactly like a MAX node, except for one word.",
    ),
)


DEPTH_LIMITED = Question(
    id="02.depth_limited",
    title="Look only so far",
    kind="function",
    points=4,
    minutes=20,
    signature="depth_limited(game: Game, state, depth: int, evaluate: Callable) -> float",
    oracle=depth_limited,
    visible=(
        Case((push(6, 2), PushState(4, "choose"), 0, BY_TOTAL), note="With depth 0 the state itself is evaluated."),
        Case(
            (push(6, 2), PushState(4, "choose"), 1, BY_TOTAL),
            note="One decision: hitting leads to a roll, which is evaluated as it stands; standing ends the game.",
        ),
        Case(
            (push(6, 2), PushState(4, "choose"), 2, BY_TOTAL),
            note="Two decisions: the roll between them costs no depth.",
        ),
        Case((push(6, 2), PushState(4, "over"), 0, BY_TOTAL), note="A game that is over has its utility at any depth."),
    ),
    generate=draw_limited,
    mutants=(
        Mutant(
            "depth counted at chance",
            limited(at_chance=1),
            "Your search spends depth at chance nodes too: depth counts decisions, and a draw hands it on unchanged.",
            cap=2,
        ),
        Mutant(
            "one too few",
            limited(last=1),
            "Your search stops one decision too early: with depth 1 there is still one decision to look at.",
            cap=2,
        ),
        Mutant(
            "one too many",
            limited(last=-1),
            "Your search looks one decision too far: with depth 0 there is none left to look at.",
            cap=2,
        ),
        Mutant(
            "utility at the cut",
            limited(utility_at_cut=True),
            "At the cut you ask for a utility, which only a finished game has: ask evaluate there.",
            cap=2,
        ),
        Mutant(
            "cut before the end",
            limited(cut_before_end=True),
            "At depth 0 you evaluate even a finished game: its utility is known, so test for the end first.",
            cap=3,
        ),
        Mutant(
            "afterstate opened",
            limited(opens_afterstate=True),
            "At depth 0 you still open chance nodes: evaluate the state after the move as it stands, before the draw.",
            cap=3,
        ),
    ),
    hints=(
        "Four kinds of state: over, cut, chance, decision. In which order must they be told apart?",
        "Write down the depth that each child gets. Is it the same below a decision and below a draw?",
    ),
)


COUNT_NODES = Question(
    id="02.count_nodes",
    title="What does it cost?",
    kind="function",
    points=2,
    minutes=10,
    signature="count_nodes(game: Game, state, depth: int) -> int",
    oracle=count_nodes,
    visible=(
        Case((tree("7"), 0, 3), note="A single leaf is one node."),
        Case((tree("max(chance(0.9: 10, 0.1: -5), 2)"), 0, 2), note="The tree of chapter 01 has five nodes."),
        Case((push(6, 2), PushState(0, "choose"), 1), note="At the cut a state counts, and nothing below it."),
    ),
    generate=draw_counted,
    mutants=(
        Mutant(
            "leaves only",
            lambda *args: sum(kind == "leaf" for _, kind in visits(*args)),
            "These are the leaves alone: the nodes above them are visited too.",
            cap=0.75,
        ),
        Mutant(
            "no chance nodes",
            lambda *args: sum(kind != "chance" for _, kind in visits(*args)),
            "Chance nodes are missing: they cost no depth, but each of them is a node.",
            cap=1,
        ),
        Mutant(
            "no root",
            lambda *args: len(visits(*args)) - 1,
            "One short every time: the state the search starts from is a node as well.",
            cap=1.5,
        ),
        Mutant(
            "distinct states",
            lambda *args: len({state for state, _ in visits(*args)}),
            "This counts different states: a search without a table visits a state once for every way to reach it.",
            cap=1,
        ),
        Mutant(
            "depth counted at chance",
            lambda game, state, depth: len(visits(game, state, depth, at_chance=1)),
            "Your count stops too early because it spends depth at chance nodes: only decisions cost depth.",
            cap=1,
        ),
    ),
    hints=(
        "How many nodes does a leaf add, and how many a state with children?",
        "It is your depth-limited search again, with 1 + the children's counts in place of a maximum or a mean.",
    ),
)


FAULTS = {
    "A": "depth at chance",
    "B": "state overwritten",
    "C": "two views",
    "D": "minus infinity",
    "E": "nothing returned",
}


FIND_THE_FAULT = Question(
    id="02.find_the_fault",
    title="Five searches, five faults",
    kind="choice",
    points=2.5,
    minutes=12,
    signature="find_the_fault: dict[str, str]",
    choices=(
        "best at chance",
        "plain mean",
        "depth at chance",
        "depth off by one",
        "state overwritten",
        "utility at the cut",
        "two views",
        "minus infinity",
        "nothing returned",
    ),
    oracle=FAULTS.__getitem__,
    visible=(
        Case(("A",), note="A: how many decisions deep does it look if a roll follows every move?"),
        Case(("B",), note="B: from which state does the second outcome start?"),
        Case(("C",), note="C: whose view does the value of a MIN node take, and whose its parent's?"),
        Case(("D",), note="D: try a chance node with one lost game among a hundred won ones."),
        Case(("E",), note="E: call it twice with the same dictionary. What does the first call give you?"),
    ),
    mutants=(
        Mutant(
            "A taken for off by one",
            {**FAULTS, "A": "depth off by one"}.__getitem__,
            "Without a chance node A looks exactly as far as it should: its fault shows only where something is drawn.",
            cap=2,
        ),
        Mutant(
            "C taken for best at chance",
            {**FAULTS, "C": "best at chance"}.__getitem__,
            "C's chance nodes are right: compare the sign of what a MIN node hands up with what its parent expects.",
            cap=2,
        ),
        Mutant(
            "D taken for utility at the cut",
            {**FAULTS, "D": "utility at the cut"}.__getitem__,
            "D asks for a utility only where the game is over: look at the number it puts in place of a loss.",
            cap=2,
        ),
    ),
    hints=(
        "Try each one by hand on chance(1/2: min(3, 5), 1/2: max(-4, -8)). Where does it leave the right path?",
        "Each version has one line that differs in kind from your own search: find that line first.",
    ),
)


STRICT_VALUE = Question(
    id="02.strict_value",
    title="Mend a search that never complains",
    kind="function",
    points=3,
    minutes=15,
    signature="strict_value(node: dict | float) -> float",
    oracle=strict_value,
    visible=(
        Case((chance_node({"a": 10, "b": 20}, {"a": 0.5, "b": 0.5}),), note="A proper tree keeps its value."),
        Case((chance_node({"a": 10, "b": 20}, {"a": 0.5}),), note="Child b has no probability."),
        Case(
            (chance_node({"a": 10, "b": 20}, {"a": 1.0}),),
            note="Child b has no probability, though the rest sums to 1.",
        ),
        Case((chance_node({"a": 10, "b": 20}, {"a": 0.5, "b": 1.0}),), note="The probabilities sum to 1.5."),
        Case(({"kind": "max", "children": {}},), note="A decision without any action is no decision."),
    ),
    generate=draw_dictionary,
    mutants=(
        Mutant(
            "as given",
            lenient(empty=True, missing="zero", total="any"),
            "The search still answers for a tree that is none: raise ValueError in all three places.",
            given=True,
        ),
        Mutant(
            "missing probability is 0",
            lenient(empty=False, missing="zero", total="checked"),
            "A child without a probability still counts as 0 when the others sum to 1: nobody said 0, so refuse it.",
            cap=2,
        ),
        Mutant(
            "sum unchecked",
            lenient(empty=False, missing="refused", total="any"),
            "Every child has a probability now, but nobody adds them up: a sum of 1.5 still gives a value.",
            cap=2,
        ),
        Mutant(
            "sum normalised",
            lenient(empty=False, missing="refused", total="normalised"),
            "Dividing by the sum of the probabilities hides the mistake: refuse the node, do not repair it.",
            cap=2,
        ),
        Mutant(
            "empty max is minus infinity",
            lenient(empty=True, missing="refused", total="checked"),
            "A max node without children is still worth minus infinity, which ruins every mean above it: refuse it.",
            cap=2,
        ),
        Mutant(
            "KeyError",
            lenient(empty=False, missing="KeyError", total="checked"),
            "A missing probability now ends in a KeyError, which tells the tree's author little: raise ValueError.",
            cap=2.25,
        ),
    ),
    hints=(
        "For each of the three bad trees: which line of the code turns it into a number?",
        "Two tests belong before the loop at a chance node, and one at a max node.",
    ),
)


QUESTIONS = (
    BACKED_UP,
    EXPECTIMAX,
    EXPECTIMINIMAX,
    DEPTH_LIMITED,
    COUNT_NODES,
    FIND_THE_FAULT,
    STRICT_VALUE,
)
