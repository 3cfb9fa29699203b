"""λ-returns: what a learner should have expected, once it knows how things went on.

The one-step return trusts the value of the next state, the final outcome trusts nothing but what happened. The λ-return
mixes all lengths in between; with the last state's return G_T = outcome, sweeping backward,

    G_t = (1 − λ) · V(s_{t+1}) + λ · G_{t+1}

λ = 0 is TD(0), λ = 1 Monte Carlo. This is the *forward view*: store the game, then sweep, and no eligibility traces.

References
----------
R. S. Sutton and A. G. Barto, *Reinforcement Learning: An Introduction*, second edition, 2018, section 12.1.
"""

from __future__ import annotations

from collections.abc import Sequence


def lambda_returns(values: Sequence[float], outcome: float, decay: float) -> list[float]:
    """Return the λ-return of each state of a finished game, without rewards on the way or discount.

    Parameters
    ----------
    values : sequence of float, shape (T,)
        V(s_t) of the states in order, all in one player's view.
    outcome : float
        What the game was worth in that view.
    decay : float
        λ, between 0 and 1.

    Returns
    -------
    list of float, shape (T,)

    Raises
    ------
    ValueError
        If λ is outside [0, 1].

    Examples
    --------
    >>> lambda_returns([0.5, 0.6, 0.9], 1.0, 0.0), lambda_returns([0.5, 0.6, 0.9], 1.0, 1.0)
    ([0.6, 0.9, 1.0], [1.0, 1.0, 1.0])
    """
    if not 0 <= decay <= 1:
        raise ValueError(f"expected λ between 0 and 1, got {decay!r}")
    returns = []
    target = outcome
    for value in reversed(values):
        returns.append(target)
        target = (1 - decay) * value + decay * target
    return returns[::-1]
