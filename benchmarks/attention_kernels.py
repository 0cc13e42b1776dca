"""Speed of the kernels of an attention layer with zeta = ReLU: 200 sequences of 16 tokens.

Both NNGP and NTK, of all pairs, after no or some layers before: the deeper, the closer are the
correlations of tokens to 1, and the longer is the series that stands for s^4 values a pair. "Value
by value" is the same sum without it, by `numeric.dual_activations`, on fewer sequences, from which
the time of all is extrapolated. "Off by" is how far the two are apart, over the largest entry.
"""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.attention_kernels import (
    AttentionKernel,
    TokenKernels,
    activated_kernels,
    attention_kernels,
    dense_kernels,
    token_kernels,
)

Floats = NDArray[np.float64]
SEQUENCES, FEWER, TOKENS, DIMENSION = 200, 6, 16, 64
DEPTHS = (0, 1, 3, 8)
RELU = AttentionKernel("relu")
VALUES = AttentionKernel("rectified_monomial", parameters={"degree": 1})


def before(x: Floats, depth: int) -> TokenKernels:
    """The kernels after some dense layers with ReLU."""
    kernels = token_kernels(x)
    for _ in range(depth):
        kernels = dense_kernels(activated_kernels(kernels, "relu"), 2**0.5)
    return kernels


def timed(function: Callable[[], TokenKernels]) -> tuple[float, TokenKernels]:
    """The time of a call, and its result."""
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def run(console: Console) -> None:
    """Print the times by depth."""
    x = np.random.default_rng(0).standard_normal((SEQUENCES, TOKENS, DIMENSION))
    title = f"Attention kernels of {SEQUENCES} sequences of {TOKENS} tokens, zeta = ReLU"
    table = Table(title=title, caption="times in seconds")
    for column in ("layers before", "largest correlation", "time", "value by value", "off by"):
        table.add_column(column, justify="right")
    for depth in DEPTHS:
        table.add_row(str(depth), *_row(x, depth))
    console.print(table)


def _row(x: Floats, depth: int) -> list[str]:
    kernels, few = before(x, depth), before(x[:FEWER], depth)
    duration, found = timed(lambda: attention_kernels(kernels, RELU))
    other, expected = timed(lambda: attention_kernels(few, VALUES))
    pairs = SEQUENCES * (SEQUENCES + 1) / (FEWER * (FEWER + 1))
    off = 0.0
    for ours, theirs in ((found.nngp, expected.nngp), (found.ntk, expected.ntk)):
        if ours is not None and theirs is not None:
            part = ours[:FEWER, :FEWER]
            off = max(off, float(np.abs(part - theirs).max() / np.abs(theirs).max()))
    variances = np.diagonal(kernels.first, axis1=1, axis2=2).ravel()
    flat = kernels.nngp.transpose(0, 2, 1, 3).reshape(len(variances), -1)
    cosines = np.abs(flat / np.sqrt(np.outer(variances, variances)))
    np.fill_diagonal(cosines, 0)
    largest = float(cosines.max())
    return [f"{largest:.3f}", f"{duration:.1f}", f"{other * pairs:.0f}", f"{off:.0e}"]
