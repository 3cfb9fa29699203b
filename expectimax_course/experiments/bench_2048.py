"""Contests of `bench` about 2048: random play, and search and learning compiled against what the book shows.

Every contestant plays uniformly random legal slides to the end of the game and counts them; gymnasium-2048 is not told
which slides are legal and tries them, as its users do.
"""

from __future__ import annotations

from expectimax_course.experiments.bench import Contest
from expectimax_course.game import Player
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.published import NNEONNEO
from expectimax_course.game2048.rules import Game2048, Spawn, State
from expectimax_course.game2048.search import Searcher
from expectimax_course.game2048.train import TUPLES, Run, Settings
from expectimax_course.play import Agent, play_game, random_agent
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.result import SearchResult

COMPILED_GAMES, GAMES = 2_000, 4


def compiled_moves() -> float:
    """Play on 64-bit boards."""
    return float(sum(record.moves for record in bitboard.play_random(range(COMPILED_GAMES))))


def readable_contest() -> Contest:
    """Random games: 64-bit boards against tuples, both ours."""
    game = Game2048()
    agent: Agent[State, str | Spawn] = random_agent(game)

    def other() -> float:
        return float(sum(play_game(game, agent, seed=seed).decisions for seed in range(GAMES)))

    return Contest(compiled_moves, other, "moves/s")


def open_spiel_contest() -> Contest:
    """Random games: 64-bit boards against OpenSpiel's C++ game through its Python interface."""
    import pyspiel

    theirs = pyspiel.load_game("2048")

    def other() -> float:
        rng, moves = Rng(1), 0
        for _ in range(GAMES):
            state = theirs.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(rng.outcome(state.chance_outcomes()))
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    moves += 1
        return float(moves)

    return Contest(compiled_moves, other, "moves/s")


def gymnasium_contest() -> Contest:
    """Random games: 64-bit boards against the environment of gymnasium-2048."""
    from gymnasium_2048.envs.twenty_forty_eight import TwentyFortyEightEnv

    env = TwentyFortyEightEnv()

    def other() -> float:
        rng, moves = Rng(1), 0
        for game in range(GAMES):
            env.reset(seed=game)
            ended = False
            while not ended:
                _, _, ended, _, info = env.step(rng.below(4))
                moves += bool(info["is_legal"])
        return float(moves)

    return Contest(compiled_moves, other, "moves/s")


def search_contest() -> Contest:
    """The same decisions, three deep: compiled against the search that the book shows; equal to the last bit."""
    game = Game2048(terminal_utility=NNEONNEO.lost)
    record = play_game(Game2048(), random_agent(game), seed=1)
    states = [state for state, move in record.history if isinstance(move, str)][60:90:10]
    codes = [bitboard.pack(state.board) for state in states]
    engine = Searcher(NNEONNEO, table_bits=0)

    def ours() -> float:
        for _ in range(20):
            for code in codes:
                engine.search(code, 3)
        return 20.0 * len(codes)

    def other() -> float:
        for state in states:
            found: SearchResult[str | Spawn] = expectimax(game, state, 3, NNEONNEO)
            assert found.complete
        return float(len(states))

    return Contest(ours, other, "decisions/s")


def learning_contest() -> Contest:
    """Self-play with temporal coherence on the small network, from nothing: compiled against readable."""
    game, settings = Game2048(), Settings(seed=1, games=200, width=2)

    def ours() -> float:
        return float(Run(settings).block().slides)

    def other() -> float:
        network, rng, slides = NTupleNetwork(TUPLES[settings.width]), Rng(1), 0
        for _ in range(GAMES):
            state, path = game.initial_state(), []
            while not game.is_terminal(state):
                if game.current_player(state) is Player.CHANCE:
                    state = game.result(state, rng.outcome(game.chance_outcomes(state)))
                elif best := network.best_slide(state.board):
                    path.append((best[1], best[2]))
                    state = game.result(state, best[0])
            network.learn_path(path, decay=settings.decay)
            slides += len(path)
        return float(slides)

    return Contest(ours, other, "moves/s")
