"""Section 3.3, Theorem 28 with explicit constants: from which width on it says something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.cosine_maps import delta_phi, limiting_ntk
from numeric.networks import ntk_matrix, sample_ntk
from numeric.simultaneous import count_of_tails, ntk_concentration_bound
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import Measured, integers, interval
from theorems.eoc_mlp.theorem_28 import THEOREM

_NOTE = "proofs_notes/eoc_limits.md#theorem-28-as-an-algorithm"

# Depth, log₂ of the least power of two m that is informative for the absolute value, and for the
# ReLU: two unit vectors at 60°, s = 3, one output.
TABLE = ((2, 7, 9), (3, 9, 10), (4, 10, 11), (5, 10, 12), (8, 11, 12), (16, 12, 13), (32, 12, 14))

_ROOT_2 = sp.sqrt(2)

EXPLICIT = THEOREM.sharpened(
    "eoc.thm28.explicit",
    title="Theorem 28 with explicit constants, as an algorithm, and from where it is informative",
    states=(
        r"\mathbb{P}\bigl(\|K(\theta) - \tilde K\| > \mathcal{B}(\rho_1, l, m, \Delta_\phi, s,"
        r" m_l)\bigr) \le e^{-s}, \quad \mathcal{B} < \|\tilde K\| \text{ from } m ="
        r" 2^7, 2^9, 2^{10}, 2^{10}, 2^{11}, 2^{12}, 2^{12} \text{ on at } l ="
        r" 2, 3, 4, 5, 8, 16, 32"
    ),
    given={
        "l": integers(2),
        "m": integers(1),
        "m_l": integers(1),
        "delta": interval(0, 1),
    },
    assuming=(
        "B is the bound that numeric.simultaneous computes for inputs of norm 1",
        "the table is for two inputs at 60 degrees, φ = |.|, s = 3 and m_l = 1; for the ReLU it is"
        " 2^9, 2^10, 2^11, 2^12, 2^12, 2^13, 2^14",
    ),
    rests_on=[
        "classical.dominated_squares",
        "classical.one_sided",
        "classical.bernstein",
        "classical.union",
        "eoc.prop7",
        "eoc.prop9.sharp",
        "eoc.prop10.explicit",
        "eoc.prop12.moments",
        "eoc.prop14.explicit",
        "eoc.prop17.sharp",
        "eoc.prop17.closed",
        "eoc.prop18.explicit",
        "eoc.prop19.moments",
        "eoc.prop24.sharp",
        "eoc.prop25.norm_difference",
        "eoc.prop25.proxy.corrected",
        "eoc.prop26.diagonal",
        "eoc.thm28.block_norm",
    ],
    note=_NOTE,
)


def _rows() -> list[tuple[int, int, float]]:
    return [(row[0], row[1 + relu], 1 - relu / 2) for row in TABLE for relu in (0, 1)]


@EXPLICIT.tested(
    over=lambda: st.sampled_from(_rows()),
    controls={"half_the_width": {"shift": 1}},
    cases=60,
    part="informative",
)
def bound_over_limit(case: tuple[int, int, float], shift: int = 0) -> Measured:
    """The bound over ‖K̃‖ at the widths of the table; at half of each it exceeds 1."""
    depth, power, delta = case
    cosines = [[1.0, 0.5], [0.5, 1.0]]
    bound = ntk_concentration_bound(cosines, depth, 2 ** (power - shift), delta, 3.0)
    return Measured(bound.total / bound.limit, 1e-12)


@EXPLICIT.proved(
    controls={"norm": {"norm": sp.Integer(1)}, "below": {"below": 2}, "forgotten": {"missing": 1}},
    part="probability",
)
def radii_and_count(
    norm: Any = _ROOT_2, below: int = 6, missing: int = 0
) -> Iterator[tuple[str, bool | None]]:
    """Each radius, put into its tail, gives e^(-L), L = Mh²; and the tails counted one by one."""
    M, h, kappa, A, x, length = sp.symbols("M h kappa A x L", positive=True)
    level = M * h**2
    yield "Proposition 14", equal(M * (norm * kappa * h) ** 2 / (2 * kappa**2), level)
    yield "Hoeffding", equal(2 * M * (length * h / _ROOT_2) ** 2 / length**2, level)
    # classical.one_sided: exponent M (xμ)²/(2ν) with ν = 3A², xμ = √6 A h
    yield "squares from below", equal(M * below * A**2 * h**2 / (2 * 3 * A**2), level)
    cubic = (x - 1) ** 2 * (x + 2) / 2
    yield "squares from above: the cubic", equal(2 * cubic, x**3 - 3 * x + 2)
    solved = sp.expand(x**3 - 1 - (3 * x - 3 + 2 * cubic))
    yield "s = x³ - 1 = 3(x - 1) + 2h²", equal(solved, sp.Integer(0))
    L, v, c, r, top, total = sp.symbols("l v c r R S", positive=True)
    radius = c * L + sp.sqrt(c**2 * L**2 + 2 * v * L)
    yield (
        "sums: Bernstein's radius",
        equal(sp.expand(radius**2), sp.expand(2 * L * (v + c * radius))),
    )
    # Exponential moments of P(f² - 1) sum up to 3(1 + r²)R²Sλ²/2, S the sum of the 1/M_j.
    drop = top * sp.sqrt(below * (1 + r**2) * L * total)
    yield "norms from below", equal(drop**2 / (6 * top**2 * (1 + r**2) * total), L)
    rise = norm * kappa * sp.sqrt(L * total)
    yield "norms from above", equal(rise**2 / (2 * kappa**2 * total), L)
    for n, depth in ((1, 2), (2, 2), (2, 5), (4, 3)):
        counted = _tails_one_by_one(n, depth) - missing
        yield f"count for n = {n}, l = {depth}", count_of_tails(n, depth) == counted


def _tails_one_by_one(n: int, depth: int) -> int:
    """One-sided tails: a side, a quantity, its inputs, its layers."""
    layers, pairs = range(2, depth + 1), list(combinations(range(n), 2))
    both = list(combinations_with_replacement(range(n), 2))
    single = [(k, i, what) for k in layers for i in range(n) for what in ("ratio", "norm")]
    double = [(k, ij, what) for k in layers for ij in pairs for what in ("proxy", "difference")]
    operators = [(ks, i) for ks in combinations(layers, 2) for i in range(n)]
    products = [(ks, ij) for ks in combinations_with_replacement(layers, 2) for ij in both]
    return 2 * len(single) + 2 * len(double) + len(operators) + 2 * len(products) + 2 * len(both)


@EXPLICIT.estimated(draws=60, controls={"a_fiftieth": {"share": 0.02}}, part="probability")
def sampled_kernels(rng: np.random.Generator, draws: int, share: float = 1.0) -> Iterator[MeanTest]:
    """How often ‖K(θ) - K̃‖ exceeds the bound at s = 1, for one and three outputs."""
    x = np.array([[1.0, 0.0], [0.5, 0.75**0.5], [-0.6, 0.8]])
    cosines = np.clip(x @ x.T, -1, 1)
    np.fill_diagonal(cosines, 1.0)
    cosines = (cosines + cosines.T) / 2
    for a, b, depth, outputs in ((0.0, 1.0, 3, 1), (0.5, 0.5, 4, 1), (1.0, -0.3, 3, 3)):
        m, delta = 256, float(delta_phi(a, b))
        widths = [m * k * k for k in range(1, depth)]
        kernels = sample_ntk(x, widths, a, b, rng, outputs, size=draws, method="law")
        limit = limiting_ntk(x, depth, delta)[:, :, None, None] * np.eye(outputs)
        errors = np.linalg.norm(ntk_matrix(kernels - limit), 2, axis=(-2, -1))
        bound = ntk_concentration_bound(cosines, depth, m, delta, 1.0, outputs)
        outside = np.append(errors > share * bound.total, True)  # keeps the variance positive
        yield mean_test(outside.astype(float), np.exp(-1.0), alternative="greater")
