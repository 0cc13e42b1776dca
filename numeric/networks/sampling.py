"""Draws of the neural tangent kernel of a random MLP."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, one_of, positive_integer
from numeric.networks import arguments, exact_law
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from numeric.networks.ntk import ntk

Sampler = Callable[[MLP, Floats, np.random.Generator, int], Floats]

# Floats held at a time by a batch of draws (32 MB): large enough to amortise Python's overhead
# on narrow networks, small enough for any machine.
_BATCH_FLOATS = 2**22


def sample_ntk(
    x: ArrayLike,
    widths: Sequence[int],
    a: float,
    b: float,
    rng: np.random.Generator,
    output_dim: int = 1,
    size: int | None = None,
    method: str = "direct",
    q: float | Sequence[float] = 0.0,
    m: int | None = None,
) -> Floats:
    """Draw K_theta on the rows of ``x`` for random theta (kernel not divided by n).

    - ``x``: inputs, shape ``(n, m_0)``.
    - ``widths``: the hidden widths (m_1, ..., m_{l-1}), at least one; the depth is
      l = len(widths) + 1. The input dimension m_0 is that of ``x``.
    - ``a``, ``b``, ``q``, ``m``: activation, scaling coefficients and width unit of ``MLP``.
    - ``rng``: a NumPy Generator; equal seeds and arguments give equal draws.
    - ``output_dim``: m_l.
    - ``size``: number of independent draws, or None for one without a leading axis.
    - ``method``: "direct" draws the layer matrices and costs n m_l sum_k m_k m_{k-1}; "law" draws
      what these matrices do to the few vectors they meet and costs (n m_l)^2 sum_k m_k. The laws
      are the same, the draws are not.

    The result has shape ``(n, n, m_l, m_l)``, or ``(size, n, n, m_l, m_l)``.
    Raises TypeError or ValueError for an argument outside its domain, naming it.

    Source: "MLPs at the EOC", Definition 4 and Section 3.1.

    >>> x = [[1.0, 0.0], [0.6, 0.8]]
    >>> draws = sample_ntk(x, (64, 64), 0, 1, np.random.default_rng(0), size=100)
    >>> draws.shape
    (100, 2, 2, 1, 1)
    >>> bool(abs(draws[:, 0, 0].mean() - 3) < 0.3)  # the mean is l |x|^2 = 3, exactly
    True
    >>> wide = sample_ntk(x, (10**5, 10**5), 0, 1, np.random.default_rng(0), method="law")
    >>> bool(abs(wide[0, 0] - 3).max() < 0.1)
    True
    """
    rows = arguments.inputs(x)
    hidden = arguments.widths("widths", widths, least=1)
    output = positive_integer("output_dim", output_dim)
    mlp = MLP((rows.shape[1], *hidden, output), a, b, q, m)
    count = 1 if size is None else positive_integer("size", size)
    draws = METHODS[one_of("method", method, METHODS)](mlp, rows, arguments.generator(rng), count)
    return draws[0] if size is None else draws


def _direct(mlp: MLP, x: Floats, rng: np.random.Generator, size: int) -> Floats:
    """Draw all layer matrices, evaluate (2); in batches whose memory is bounded."""
    counts = batch_sizes(size, _floats_per_draw(mlp, len(x)))
    return np.concatenate([ntk(forward_pass(mlp, mlp.sample(rng, c), x)) for c in counts])


def _law(mlp: MLP, x: Floats, rng: np.random.Generator, size: int) -> Floats:
    """Draw from the exact law, without layer matrices."""
    counts = batch_sizes(size, exact_law.floats_per_draw(mlp, len(x)))
    return np.concatenate([exact_law.draw_ntk(mlp, x, rng, c) for c in counts])


METHODS: dict[str, Sampler] = {"direct": _direct, "law": _law}


def batch_sizes(size: int, floats_per_draw: int, most: int | None = None) -> list[int]:
    """Split ``size`` draws into batches of bounded memory, of so many floats at most."""
    largest = max(1, (_BATCH_FLOATS if most is None else most) // floats_per_draw)
    full, rest = divmod(size, largest)
    return [largest] * full + [rest] * (rest > 0)


def _floats_per_draw(mlp: MLP, n: int) -> int:
    layers = zip(mlp.widths[1:], mlp.widths[:-1], strict=True)
    outputs = mlp.widths[-1]
    return sum(m * (below + n * (3 + outputs)) for m, below in layers) + (n * outputs) ** 2
