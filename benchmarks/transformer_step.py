"""One step of projected descent on the shallow transformer, against the formulas as they stand.

The rival forms softmax weights, means and M U of all samples and heads at once with einsum, and
gradients from them; the per-sample gradients of W, which nobody could hold, are summed on the
way. Both are float64. Times are medians. The second table is the data of one seed of the
teacher-student experiment.
"""

import time
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.networks.transformer import (
    TANH,
    Heads,
    Inputs,
    clipped_tokens,
    loss_and_gradient,
    project,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
)

Floats = NDArray[np.float64]
SAMPLES, LENGTH, DIMENSION = 4000, 16, 8
WIDTHS = (16, 64, 256)
RADII = (3.0, 3.0, 3.0)
ANCHORS, POOL, LABELLED = 16, 8192, 5000


def straightforward(phi: Heads, inputs: Inputs, labels: Floats) -> tuple[float, Floats, Floats, Floats]:
    """Loss and gradients for tanh with arrays (samples, heads, tokens) throughout."""
    keys = np.einsum("mkl,nl->nmk", phi.W, inputs.queries)
    logits = np.einsum("ntk,nmk->nmt", inputs.tokens, keys)
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    means = np.einsum("nmt,ntk->nmk", weights, inputs.tokens)
    heights = np.einsum("ntk,mk->nmt", inputs.tokens, phi.U)
    s = np.einsum("nmk,mk->nm", means, phi.U)
    spreads = np.einsum("nmt,ntk->nmk", weights * heights, inputs.tokens) - s[..., None] * means
    h, root = np.tanh(s), np.sqrt(phi.m)
    residuals = h @ phi.c / root - labels
    common = 2 / (inputs.n * root) * residuals[:, None] * (1 - h * h) * phi.c
    for_U = np.einsum("nm,nmk->mk", common, means)
    for_W = np.einsum("nm,nmk,nl->mkl", common, spreads, inputs.queries, optimize=True)
    return float(np.mean(residuals**2)), 2 / (inputs.n * root) * residuals @ h, for_U, for_W


def seconds(function: Callable[[], object], repeats: int) -> float:
    """The median of a few times, after one call that does not count."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return median(times)


def run(console: Console) -> None:
    """Print times, ratios and how far the gradients are apart."""
    rng = np.random.default_rng(0)
    inputs = clipped_tokens(SAMPLES, LENGTH, DIMENSION, rng)
    labels = rng.standard_normal(SAMPLES)
    title = f"One projected step, n = {SAMPLES}, T = {LENGTH}, d = {DIMENSION}, float64"
    table = Table(title=title, caption="milliseconds; x: times the step on all processors")
    for column in ("m", "all processors", "one thread", "straightforward", "off by"):
        table.add_column(column, justify="right")
    for m in WIDTHS:
        table.add_row(str(m), *_row(symmetric_initialisation(m, DIMENSION, rng), inputs, labels))
    console.print(table)
    console.print(
        f"Tokens, {ANCHORS} anchors, pool of {POOL} heads and labels of {LABELLED} samples: "
        f"{seconds(_data, 1):.2f} s"
    )


def _row(phi: Heads, inputs: Inputs, labels: Floats) -> list[str]:
    def step(threads: int | None) -> Heads:
        gradient = loss_and_gradient(phi, inputs, labels, TANH, threads).gradient
        return project(phi - 0.02 * gradient, phi, RADII)

    fast, alone = seconds(lambda: step(None), 9), seconds(lambda: step(1), 5)
    slow = seconds(lambda: straightforward(phi, inputs, labels), 1)
    found = loss_and_gradient(phi, inputs, labels, TANH).gradient
    _, *expected = straightforward(phi, inputs, labels)
    apart = max(
        abs(a - b).max() / abs(b).max() for a, b in zip((found.c, found.U, found.W), expected, strict=True)
    )
    return [
        f"{1e3 * fast:.1f}",
        f"{1e3 * alone:.1f}",
        f"{1e3 * slow:.0f} ({slow / fast:.0f} x)",
        f"{apart:.0e}",
    ]


def _data() -> Floats:
    rng = np.random.default_rng(1)
    inputs = clipped_tokens(LABELLED, LENGTH, DIMENSION, rng)
    teacher = sample_teacher(ANCHORS, LENGTH, DIMENSION, RADII, TANH, rng)
    return teacher.labels(sample_heads(POOL, DIMENSION, rng), inputs)
