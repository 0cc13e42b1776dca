"""The comparison of Section 6.2 at one lag: an IndRNN and a transformer on one AR(L) task.

Where the paper is silent: γ = 3/2 (the Rademacher scale of w), windows are independent, positional
channels have periods 32 · 2^k and are not scaled, a fifth of the n samples validates. Labels are
X_{T+1} as they are.
"""

from collections.abc import Callable
from math import inf, sqrt

import numpy as np

from numeric.arguments import Floats
from numeric.networks.recurrent import (
    recurrent_initialisation,
    recurrent_loss_and_gradient,
    recurrent_predict,
)
from numeric.networks.transformer import (
    TANH,
    Inputs,
    last_token,
    loss_and_gradient,
    predict,
    symmetric_initialisation,
)
from theorems.shallow_transformer.sampling.autoregressive import ar_windows, with_positions

Rng = np.random.Generator

ALPHA, NOISE, PAIRS, WIDTH, GAMMA = 0.9, 0.1, 8, 64, 1.5


def compare(lag: int, n: int, steps: int, rng: Rng, width: int = WIDTH) -> dict[str, list[float]]:
    """(largest norm of the mean Jacobian, smallest validation loss) of both networks.

    T = L + 1, η = 1/√τ, no projection; both see the same data.
    """
    train, check = _data(lag, n, rng)
    return {
        "recurrent": list(_recurrent(train, check, steps, width, rng)),
        "transformer": list(_transformer(train, check, steps, width, rng)),
    }


def recurrent_run(lag: int, n: int, steps: int, rng: Rng, width: int) -> tuple[float, float]:
    """The same of the IndRNN alone."""
    return _recurrent(*_data(lag, n, rng), steps, width, rng)


Data = tuple[Floats, Floats]


def _data(lag: int, n: int, rng: Rng) -> tuple[Data, Data]:
    drawn = ar_windows(n, lag + 1, lag, ALPHA, NOISE, rng)
    tokens, split = with_positions(drawn.values, PAIRS), n - n // 5
    return (tokens[:split], drawn.labels[:split]), (tokens[split:], drawn.labels[split:])


def _recurrent(train: Data, check: Data, steps: int, width: int, rng: Rng) -> tuple[float, float]:
    point = recurrent_initialisation(width, train[0].shape[2], GAMMA, rng)

    def step() -> tuple[float, float]:
        nonlocal point
        outputs = recurrent_predict(point, check[0], TANH)
        found = recurrent_loss_and_gradient(point, *train, TANH)
        point = point.moved(found.gradient, -1 / sqrt(steps))
        return float(np.linalg.norm(found.mean_jacobian)), _mean_square(outputs - check[1])

    return _extremes(step, steps)


def _transformer(train: Data, check: Data, steps: int, width: int, rng: Rng) -> tuple[float, float]:
    point = symmetric_initialisation(width, train[0].shape[2], rng)
    inputs: tuple[Inputs, Inputs] = last_token(train[0]), last_token(check[0])

    def step() -> tuple[float, float]:
        nonlocal point
        outputs = predict(point, inputs[1], TANH, threads=1)
        found = loss_and_gradient(point, inputs[0], train[1], TANH, threads=1)
        point -= (1 / sqrt(steps)) * found.gradient
        return float(np.linalg.norm(found.mean_jacobian)), _mean_square(outputs - check[1])

    return _extremes(step, steps)


def _mean_square(errors: Floats) -> float:
    return float(errors @ errors / len(errors))


def _extremes(step: Callable[[], tuple[float, float]], steps: int) -> tuple[float, float]:
    largest, smallest = 0.0, inf
    for _ in range(steps):
        norm, loss = step()
        largest, smallest = max(largest, norm), min(smallest, loss)
    return largest, smallest
