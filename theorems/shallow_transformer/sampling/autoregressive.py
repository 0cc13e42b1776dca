"""Windows of the autoregressive process X_t = alpha X_{t-L} + e_t, with positional channels."""

import math
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats

#: The shortest period of the positional channels.
BASE_PERIOD = 32.0


@dataclass(frozen=True, eq=False)
class Windows:
    """Independent windows: ``values`` X_1, ..., X_T of shape ``(n, T)``, ``labels`` X_{T+1}."""

    values: Floats
    labels: Floats


def ar_windows(
    n: int, T: int, L: int, alpha: float, noise_variance: float, rng: np.random.Generator
) -> Windows:
    r"""Independent stationary windows of X_t = alpha X_{t-L} + e_t, e_t ~ N(0, noise_variance).

    The first L values are independent N(0, noise_variance/(1 - alpha^2)), the stationary law: the
    process consists of L independent autoregressive processes of order 1, which take turns.

    The paper takes windows "from a univariate process"; one long path would give dependent ones.
    Source: "Shallow transformers", Section 6.2.

    >>> drawn = ar_windows(1000, 4, 3, 0.9, 0.1, np.random.default_rng(0))
    >>> drawn.values.shape, drawn.labels.shape
    ((1000, 4), (1000,))
    >>> bool(abs(np.var(drawn.labels - 0.9 * drawn.values[:, 1]) - 0.1) < 0.03)
    True
    """
    path = math.sqrt(noise_variance) * rng.standard_normal((n, T + 1))
    path[:, :L] /= math.sqrt((1 - alpha) * (1 + alpha))
    for t in range(L, T + 1):
        path[:, t] += alpha * path[:, t - L]
    return Windows(path[:, :T], path[:, T])


def sinusoidal_positions(T: int, pairs: int) -> Floats:
    """sin(w_k t) and cos(w_k t), w_k = 2 pi/(32 2^k), for k in [0 : pairs-1], t in [0 : T-1].

    Shape ``(T, 2 pairs)``, the sines first. Each row has norm sqrt(pairs). The paper says neither
    which frequencies nor which scale; with these, positions differ as long as T <= 32 2^(pairs-1).

    Source: "Shallow transformers", Section 6.2.

    >>> sinusoidal_positions(1, 2)
    array([[0., 0., 1., 1.]])
    """
    periods = BASE_PERIOD * 2.0 ** np.arange(pairs)
    angles = 2 * math.pi * np.arange(T)[:, None] / periods
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def with_positions(values: Floats, pairs: int) -> Floats:
    """Tokens (X_t, positional channels) of shape ``(n, T, 1 + 2 pairs)``, from ``(n, T)``.

    >>> with_positions(np.array([[5.0]]), 1)
    array([[[5., 0., 1.]]])
    """
    count, length = values.shape
    channels = np.broadcast_to(sinusoidal_positions(length, pairs), (count, length, 2 * pairs))
    return np.concatenate([values[..., None], channels], axis=2)
