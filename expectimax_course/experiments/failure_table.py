"""One line per failure of chapter 11: what it was measured on, and what it costs, out of three records."""

from __future__ import annotations

from typing import Any

from expectimax_course.experiments.record import load

SOURCES: dict[str, tuple[str, str, str, str]] = {
    "adversary_for_chance": ("failure_costs", "cost_cornered_wander", "runs among wanderers", "points per run"),
    "chance_for_adversary": ("failure_costs", "cost_fork_hunt", "runs among hunters", "points per run"),
    "bent_scale": ("scale_2048", "cost_averse", "2048, a strong bend", "points per game"),
    "wrong_probabilities": ("failure_costs", "cost_belief_50", "2048, believing in one half", "points per game"),
    "missing_reach": ("failure_costs", "cost_reach", "random games", "points per decision"),
    "wrong_depth": ("telling_apart", "game2048", "2048, depth 3 played as depth 2", "points per game"),
    "infinity": ("failure_costs", "cost_infinity_2048", "2048, against −10⁹", "points per game"),
    "explosion": ("failure_costs", "late_fixed", "2048, always depth 3", "share of moves too late"),
    "divided": ("failure_costs", "cost_divided", "Push to 21", "points per hand"),
    "overwritten": ("failure_costs", "cost_overwritten", "Push to 21", "points per hand"),
    "rerolled": ("failure_costs", "cost_rerolled", "Push to 21, plans valued exactly", "points per hand"),
}
"""Key of the gallery → record, field (or row of the record's pairs), what was played, unit."""


def recorded() -> dict[str, list[Any]]:
    """Return ``[what, mean, low, high, n, unit]`` of each failure."""
    found = {}
    for key, (name, field, what, unit) in SOURCES.items():
        record = load(name)
        if field in record["results"]:
            result = record["results"][field]
            mean = result["mean"]
        else:
            result = next(row for row in record["tables"]["pairs"] if row["pair"] == field)
            mean = result["difference"]
        found[key] = [what, mean, result["low"], result["high"], result["n"], unit]
    return found
