"""GNU Backgammon's evaluator and pubeval as opponents and judges, from the extra ``referee``.

They run in a child process, ``python -m expectimax_course.backgammon.referee``, which answers one line of JSON with one
line of JSON. If the evaluator crashes, the child dies and we get an error that says so; the match that asked lives on.

References
----------
G. Tesauro's pubeval, 1993, the linear public benchmark; GNU Backgammon's evaluation at 0-ply, which is our depth 1.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal

from expectimax_course.backgammon.rules import Roll, Side, plays
from expectimax_course.game import GameError

Question = Literal["pubeval", "gnubg-0ply", "equities"]


class RefereeError(GameError):
    """The referee is not installed, has crashed, or answered something that is no legal play."""


class Referee:
    """A child process to ask. Use it in a ``with`` statement, or `close` it.

    Raises
    ------
    RefereeError
        If the extra ``referee`` is not installed.
    """

    def __init__(self) -> None:
        if importlib.util.find_spec("gnubg_nn") is None:
            raise RefereeError("expected the extra 'referee' (gnubg-nn) to be installed, got a Python without it")
        self._child = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Referee:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child process."""
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(OSError):  # what a dead child did not read is lost
                    pipe.close()

    def play(self, player: Literal["pubeval", "gnubg-0ply"], own: Side, other: Side, roll: Roll) -> tuple[Side, Side]:
        """Return the position after the player's choice, the mover still first.

        Raises
        ------
        RefereeError
            If the child has crashed or its answer is no legal play.
        """
        mine, theirs = self._ask(player, own, other, roll)
        position = tuple(mine), tuple(theirs)
        if position not in plays(tuple(own), tuple(other), roll).values():
            raise RefereeError(f"expected a legal play of {roll} from {player}, got {position!r}")
        return position

    def equities(self, own: Side, other: Side, roll: Roll) -> dict[tuple[Side, Side], float]:
        """Return GNU Backgammon's 0-ply value, in points, of every position that a play leads to.

        Raises
        ------
        RefereeError
            If the child has crashed.
        """
        found = self._ask("equities", own, other, roll)
        return {(tuple(mine), tuple(theirs)): float(value) for mine, theirs, value in found}

    def _ask(self, question: Question, own: Side, other: Side, roll: Roll) -> Any:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        request = json.dumps([question, [int(n) for n in own], [int(n) for n in other], [int(die) for die in roll]])
        try:
            self._child.stdin.write(request.encode() + b"\n")
            self._child.stdin.flush()
            answer = self._child.stdout.readline()
        except (OSError, ValueError):
            answer = b""
        if not answer.endswith(b"\n"):  # a child that dies while it writes leaves half a line
            status = None if self._child.stdin.closed else self._child.wait(timeout=10)
            raise RefereeError(f"expected an answer from the referee, got its end with status {status}: {request}")
        return json.loads(answer)


def _answer(gnubg: Any, question: Question, own: list[int], other: list[int], roll: list[int]) -> Any:
    board = [other[1:], own[1:]]
    high, low = roll
    if question == "pubeval":
        return _apply(own, other, gnubg.pub_best_move(board, high, low))
    _, key, *rest = gnubg.best_move(board, high, low, 0, b=1, list=1)
    if question == "gnubg-0ply":
        return _sides(gnubg, key)
    return [[*_sides(gnubg, play[0]), play[3]] for play in rest[-1]]


def _sides(gnubg: Any, key: str) -> list[list[int]]:
    """Return the sides of a key of ``best_move``: seen by the opponent, so the mover comes first."""
    return [[15 - sum(points), *points] for points in gnubg.board_from_position_key(key)]


def _apply(own: list[int], other: list[int], numbers: Sequence[int]) -> list[list[int]]:
    """Play pubeval's answer: pairs of source and destination, counted from 0, −1 off the board."""
    own, other = list(own), list(other)
    for source, destination in zip(numbers[::2], numbers[1::2], strict=True):
        point = max(destination + 1, 0)
        own[source + 1] -= 1
        own[point] += 1
        if point and other[25 - point] == 1:
            other[25 - point] = 0
            other[25] += 1
    return [own, other]


def _serve() -> None:
    import gnubg_nn

    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(gnubg_nn, *json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
