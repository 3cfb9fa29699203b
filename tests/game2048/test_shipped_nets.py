"""The networks that come with the package: small enough, quick to load, and as good as they should be."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib import resources

import browser_archive
import pytest

from expectimax_course.game2048.net import BROWSER_DATA, FOUR_FOUR, FOUR_SIX, load_net, shipped_nets
from expectimax_course.game2048.players import play
from expectimax_course.rng import derive_seed

TUPLES = {"small": FOUR_FOUR, "strong": FOUR_SIX}
BYTES = {"small": 300_000, "strong": 25_000_000}
LEAST_MEAN = {"small": 25_000, "strong": 150_000}
"""Of twenty 1-ply games: means of the records, less what so few games can miss them by."""


def size(name: str) -> int:
    return len(resources.files("expectimax_course.game2048").joinpath("nets", f"{name}.xz").read_bytes())


@pytest.mark.parametrize("name", shipped_nets())
def test_a_network_is_of_its_shape_and_size_and_says_how_it_was_made(name: str) -> None:
    net = load_net(name)
    assert net.tuples == TUPLES[name]
    assert size(name) <= BYTES[name]
    assert net.made.startswith("expectimax-course train 2048 --games ")


@pytest.mark.parametrize("name", shipped_nets())
def test_a_network_plays_as_well_as_it_should(name: str) -> None:
    player = {"small": "ntuple-small", "strong": "ntuple"}[name]
    games = [play(player, seed=derive_seed(2048, index), depth=1) for index in range(20)]
    assert sum(game.score for game in games) / 20 >= LEAST_MEAN[name]
    deeper = [play(player, seed=derive_seed(2048, index), depth=2) for index in range(4)]
    assert sum(game.score for game in deeper) / 4 >= LEAST_MEAN[name]


@pytest.mark.skipif("strong" not in shipped_nets(), reason="no large network in this copy")
def test_the_large_network_loads_in_two_seconds_of_cpu_time() -> None:
    script = "import time; from expectimax_course.game2048.net import load_net; load_net('strong')"
    script += "; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 2


def test_the_browser_gets_the_small_network_alone() -> None:
    assert BROWSER_DATA == ("game2048/nets/small.xz",)
    found = browser_archive.browser_data(browser_archive.browser_modules().values())
    assert [path.name for path in found if "game2048" in path.parts] == ["small.xz"]
    start = time.process_time()
    board = ((2, 4, 8, 16), (0, 0, 2, 4), (0, 0, 0, 2), (0, 0, 0, 0))
    load_net("small").value(board)
    assert time.process_time() - start < 1
