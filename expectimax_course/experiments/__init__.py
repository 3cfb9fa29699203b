"""Long runs whose figures the book quotes: one module, one command, one record each.

How to write an experiment ``NAME``:

1. Write ``expectimax_course/experiments/NAME.py`` with a docstring (question, method, paper), ``TITLE``, ``SEEDS`` (a
   dict, purpose → seed) and ``run(job: Job) -> Findings``; set ``TIMED = True`` if it reports times, so that the record
   describes the processor. Add the name to ``EXPERIMENTS`` below.
2. Cut the work into tasks of seconds. ``job.map(function, tasks, seed=SEEDS["hands"])`` calls the module-level
   ``function(*task, seed=s)`` with one derived seed per task (``seed=None``: none is passed), in parallel with joblib
   and with a progress bar, and keeps each finished task in ``runs/NAME/tasks/``: an interrupted run continues there.
   Tasks and results are JSON-able; results come in the order of the tasks, whatever the number of processes.
3. A single long task, such as a training run, keeps its own checkpoints in ``job.tasks``, and what they
   depend on in their names or in themselves; they are deleted when the record is written.
4. ``job.size(2_000_000, quick=20_000)`` chooses the size: the full run at most hours, the quick one seconds.
5. Return ``Findings(results, tables)``: ``results`` maps a field to ``exact(14, unit="points")`` (computed) or
   ``measured(estimate, unit="points")`` (an ``Estimate`` of `stats`); ``tables`` maps a name to rows, each a dict.

``expectimax-course experiment run NAME`` writes ``book/_data/NAME.json``; with ``--quick`` the record stays and the
figures go to ``runs/quick/NAME.json``. Text quotes a field with the role ``{record}`NAME.field:.2f```, a cell with
``load("NAME")``. A cluster gives the same: ``with joblib.parallel_config(backend="dask"): run_experiment("NAME")``.
"""

from __future__ import annotations

from expectimax_course.experiments.record import Findings, exact, load, lookup, measured
from expectimax_course.experiments.runner import Job, load_experiment, run_experiment

__all__ = [
    "EXPERIMENTS",
    "Findings",
    "Job",
    "exact",
    "load",
    "load_experiment",
    "lookup",
    "measured",
    "run_experiment",
]

EXPERIMENTS: dict[str, str] = {
    "star_contract": "expectimax_course.experiments.star_contract",
    "backgammon_learning": "expectimax_course.experiments.backgammon_learning",
    "backgammon_search": "expectimax_course.experiments.backgammon_search",
    "backgammon_strength": "expectimax_course.experiments.backgammon_strength",
    "backgammon_variants": "expectimax_course.experiments.backgammon_variants",
    "cost_2048": "expectimax_course.experiments.cost_2048",
    "budgets": "expectimax_course.experiments.budgets",
    "deadline_moves": "expectimax_course.experiments.deadline_moves",
    "exact_2048": "expectimax_course.experiments.exact_2048",
    "failure_costs": "expectimax_course.experiments.failure_costs",
    "fit_2048": "expectimax_course.experiments.fit_2048",
    "ntuple_calibration": "expectimax_course.experiments.ntuple_calibration",
    "ntuple_learning": "expectimax_course.experiments.ntuple_learning",
    "ntuple_rates": "expectimax_course.experiments.ntuple_rates",
    "ntuple_small_boards": "expectimax_course.experiments.ntuple_small_boards",
    "ntuple_strength": "expectimax_course.experiments.ntuple_strength",
    "ntuple_threads": "expectimax_course.experiments.ntuple_threads",
    "push_simulation": "expectimax_course.experiments.push_simulation",
    "sampling_bias": "expectimax_course.experiments.sampling_bias",
    "scale_2048": "expectimax_course.experiments.scale_2048",
    "scale_flips": "expectimax_course.experiments.scale_flips",
    "search_rivals": "expectimax_course.experiments.search_rivals",
    "search_speed": "expectimax_course.experiments.search_speed",
    "star_savings": "expectimax_course.experiments.star_savings",
    "strength_2048": "expectimax_course.experiments.strength_2048",
    "strength_2048_clock": "expectimax_course.experiments.strength_2048_clock",
    "telling_apart": "expectimax_course.experiments.telling_apart",
}
"""Name of each experiment and of its record → the module that runs it."""
