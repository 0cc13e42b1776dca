"""Speed of the kernels of an attention layer with zeta = ReLU: 200 sequences of 16 tokens.

Both NNGP and NTK, of all pairs, after no or some layers before: the deeper, the closer are the
correlations of tokens to 1, and the longer is the series that stands for s^4 values a pair. "Value
by value" is the same sum without it, by `numeric.dual_activations`, on fewer sequences, from which
the time of all is extrapolated. "Off by" is how far the two are apart, over the largest entry.

A second table has the layers that neural-tangents knows too, behind a dense layer with ReLU: the
same calls in one run, in double precision, of which the first compiles on its side.
"""

import importlib.util
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.attention_kernels import (
    AttentionKernel,
    Dense,
    Elementwise,
    TokenKernels,
    attention_kernels,
    network_kernels,
    token_kernels,
)

Floats = NDArray[np.float64]
Result = TypeVar("Result")
SEQUENCES, FEWER, TOKENS, DIMENSION = 200, 6, 16, 64
CALLS = 8
DEPTHS = (0, 1, 3, 8)
RELU = AttentionKernel("relu")
VALUES = AttentionKernel("rectified_monomial", parameters={"degree": 1})
#: What both have: zeta and tau. Neural-tangents has no others in closed form.
KNOWN = (("identity", 0.5), ("identity", 1.0), ("relu", 1.0), ("abs", 1.0), ("softmax", 1.0))
Rival = Callable[[Floats], tuple[Floats, Floats]]


def before(x: Floats, depth: int) -> TokenKernels:
    """The kernels after some dense layers with ReLU."""
    return network_kernels(token_kernels(x), depth * [Elementwise("relu"), Dense(2**0.5)])


def timed(function: Callable[[], Result]) -> tuple[float, Result]:
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
    console.print(_beside_neural_tangents(x))


def neural_tangents(zeta: str, tau: float) -> Rival | None:
    """Both kernels by neural-tangents on JAX in double precision, if it is installed."""
    if importlib.util.find_spec("neural_tangents") is None:
        return None
    import jax  # noqa: PLC0415
    from neural_tangents import stax  # noqa: PLC0415

    jax.config.update("jax_enable_x64", True)
    attention = stax.GlobalSelfAttention(
        n_chan_out=1,
        n_chan_key=1,
        n_chan_val=1,
        n_heads=1,
        linear_scaling=tau == 1,
        b_std=None,
        attention_mechanism=zeta.upper(),
    )
    dense = stax.Dense(1, W_std=2**0.5, b_std=None)
    network = jax.jit(stax.serial(dense, stax.Relu(), attention)[2], static_argnums=2)

    def kernels(x: Floats) -> tuple[Floats, Floats]:
        found: Any = network(x, None, ("nngp", "ntk"))
        return np.asarray(found.nngp), np.asarray(found.ntk)

    return kernels


def _beside_neural_tangents(x: Floats) -> Table | str:
    title = f"The same data behind a dense layer with ReLU, {SEQUENCES} sequences"
    table = Table(title=title, caption="times in seconds, the shortest of eight in turns")
    for column in ("zeta", "tau", "time", "neural-tangents", "its first call", "ratio", "off by"):
        table.add_column(column, justify="right")
    for zeta, tau in KNOWN:
        rival = neural_tangents(zeta, tau)
        if rival is None:
            return "neural-tangents is not installed (optional group: compare)."
        table.add_row(zeta, f"{tau:g}", *_against(x, AttentionKernel(zeta, tau), rival))
    return table


def _against(x: Floats, layer: AttentionKernel, rival: Rival) -> list[str]:
    def ours() -> TokenKernels:
        return network_kernels(token_kernels(x), [Dense(2**0.5), Elementwise("relu"), layer])

    first, (nngp, ntk) = timed(lambda: rival(x))
    times = [(timed(ours), timed(lambda: rival(x))) for _ in range(CALLS)]
    mine, theirs = (min(pair[place][0] for pair in times) for place in (0, 1))
    found = times[0][0][1]
    off = max(
        float(np.abs(one - other).max() / np.abs(other).max())
        for one, other in ((found.nngp, nngp), (np.asarray(found.ntk), ntk))
    )
    numbers = f"{mine:.2f}", f"{theirs:.2f}", f"{first:.2f}", f"{theirs / mine:.1f}", f"{off:.0e}"
    return list(numbers)


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
