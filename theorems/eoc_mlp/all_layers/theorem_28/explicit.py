"""Theorem 28 with explicit constants, and the widths from which on it is informative."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Integer, exp, expand, log, simplify, sqrt, symbols

from numeric.cosine_maps import delta_phi, limiting_ntk
from numeric.networks import ntk_matrix, sample_ntk
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.classical.hypotheses import (
    BERNSTEIN_MOMENTS,
    GAUSSIAN_SQUARE_MOMENTS,
    INDEPENDENT_COPIES,
    NONNEGATIVE_TERMS,
)
from theorems.engine import Choice, Measured, Obligations, sentence
from theorems.eoc_mlp.all_layers.theorem_28.algorithm import count_of_tails, ntk_concentration_bound
from theorems.eoc_mlp.all_layers.theorem_28.layer_radii import layer_radii, square_radius, sum_radius
from theorems.eoc_mlp.all_layers.theorem_28.theorem import THEOREM
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    DERIVATIVE_AT_ZERO,
    EQUAL_SCALINGS,
    HERMITIAN_BLOCKS,
    INPUTS_NONZERO,
    MATRICES_NONZERO,
    NONZERO_DISTANCE,
    NOT_BOTH_ZERO,
    NOT_PARALLEL,
    QUARTER_NET,
    SQUARE_WIDTHS,
    UNIT_INPUTS,
    ZERO_IS_ORTHOGONAL,
)
from theorems.eoc_mlp.one_layer.last_layer.concentration import UNION_EXPONENT

# Depth, log₂ of the least power of two m that is informative for the absolute value, and for the
# ReLU: two unit vectors at 60°, s = 3, one output.
TABLE = ((2, 7, 9), (3, 9, 10), (4, 10, 11), (5, 10, 12), (8, 11, 12), (16, 12, 13), (32, 12, 14))


def _rows(column: int, *, less: int = 0) -> Choice:
    """The widths of one activation function, or smaller ones."""
    rows = tuple((row[0], row[column] - less) for row in TABLE)
    depths = ", ".join(str(depth) for depth, _ in rows)
    powers = ", ".join(f"2^{{{power}}}" for _, power in rows)
    return Choice(rf"m = {powers} \text{{ and }} l = {depths}", rows)


_INFORMATIVE = (
    r"$deviation_bound < \|$K_limit_matrix\| \text{ at } $rows, \text{ for } $function,"
    r"\ \rho_1 = $cosine,\ s = $level,\ m_l = $outputs"
)
_AT: dict[str, Any] = {"cosine": Fraction(1, 2), "level": 3, "outputs": 1}

EXPLICIT = THEOREM.sharpened(
    "eoc.thm28.explicit",
    title="Theorem 28 with explicit constants, as an algorithm, and where it is informative",
    states={
        "probability": sentence(
            r"\mathbb{P}\bigl(\|$K_matrix - $K_limit_matrix\| > $share\,$deviation_bound\bigr) \le"
            r" e^{-$times $s}",
            share=1,
            times=1,
        ),
        "informative": sentence(_INFORMATIVE, rows=_rows(1), function=Choice(r"\phi = |\cdot|", 1.0), **_AT),
        "informative for the ReLU": sentence(
            _INFORMATIVE, rows=_rows(2), function=Choice(r"\phi \text{ the ReLU}", 0.5), **_AT
        ),
    },
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, UNIT_INPUTS],
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
    discharging={
        **dict.fromkeys(
            (ALIVE, BOTH_ALIVE, ALL_ALIVE, ZERO_IS_ORTHOGONAL),
            "the bound is infinite unless lengths stay positive on the event",
        ),
        NONZERO_DISTANCE: "a distance of 0 stays 0",
        NOT_PARALLEL: "the intervals of distances contain 0 and 1",
        BELOW: "pairs of layers are told apart",
        MATRICES_NONZERO: "where a matrix vanishes the next one does",
        QUARTER_NET: "a largest separated set is such a net",
        UNION_EXPONENT: "it is how the bound of the last layer is computed",
        INPUTS_NONZERO: "inputs have length 1",
        NOT_BOTH_ZERO: "the scale of the weights is defined",
        DERIVATIVE_AT_ZERO: "where no activation vanishes, no preactivation does, almost surely",
        INDEPENDENT_COPIES: "the rows of a layer matrix are independent and have one law",
        GAUSSIAN_SQUARE_MOMENTS: "these are the moments of Propositions 12 and 19",
        NONNEGATIVE_TERMS: "squares are not negative",
        BERNSTEIN_MOMENTS: "they follow from the moments of Proposition 19",
        HERMITIAN_BLOCKS: "the tangent kernel of two inputs is the adjoint of that in reverse",
    },
    note="proofs_notes/eoc_limits.md#theorem-28-as-an-algorithm",
    excused={
        **dict.fromkeys(
            ("cosine", "level", "outputs"),
            "values at which the table was made; it may be informative at nearby ones as well",
        ),
        "domain of deviation_bound": "true as well: what is computed is not negative",
        "domain of s": "true as well: below 0 what bounds the probability is more than 1",
    },
)


def _bound_over_limit(row: tuple[int, int], delta: float, cosine: Any, level: Any, outputs: Any) -> Measured:
    depth, power = row
    cosines = [[1.0, float(cosine)], [float(cosine), 1.0]]
    bound = ntk_concentration_bound(cosines, depth, 2**power, delta, float(level), int(outputs))
    return Measured(bound.total / bound.limit, 1e-12)


_ROWS = st.integers(0, len(TABLE) - 1)


@EXPLICIT.tested("informative", over=_ROWS, controls={"half the width": {"rows": _rows(1, less=1)}}, cases=30)
def bound_over_limit(
    case: int, rows: Any, function: float, cosine: Any, level: Any, outputs: Any
) -> Measured:
    """The bound over ‖K̃‖ at the widths of the table; at half of each it exceeds 1."""
    return _bound_over_limit(rows[case], function, cosine, level, outputs)


@EXPLICIT.tested(
    "informative for the ReLU", over=_ROWS, controls={"half the width": {"rows": _rows(2, less=1)}}, cases=30
)
def bound_over_limit_for_relu(
    case: int, rows: Any, function: float, cosine: Any, level: Any, outputs: Any
) -> Measured:
    """The bound over ‖K̃‖ for the ReLU, as for the absolute value."""
    return _bound_over_limit(rows[case], function, cosine, level, outputs)


@EXPLICIT.argued(
    "informative",
    "informative for the ReLU",
    bridge="The algorithm widens its bound by more than what floats round.",
    uses=[SQUARE_WIDTHS],
)
def every_row_of_the_table(rows: Any, function: float, cosine: Any, level: Any, outputs: Any) -> Obligations:
    """The rows one by one; at half of each width the bound is larger than the limit."""
    for depth, power in rows:
        wide, half = (
            _bound_over_limit((depth, one), function, cosine, level, outputs).ratio
            for one in (power, power - 1)
        )
        yield f"l = {depth}", bool(wide < 1)
        yield f"l = {depth}, and not at half the width", bool(half > 1)


@EXPLICIT.argued(
    "probability",
    bridge="On the event that no tail is exceeded the intervals that the algorithm pushes through"
    " the layers contain the quantities; the union bound adds up the tails, each e^(-L) at most,"
    " with L = s + log N for N tails.",
    uses=[SQUARE_WIDTHS, EQUAL_SCALINGS, UNIT_INPUTS],
)
def radii_and_count(share: Any, times: Any) -> Obligations:
    """Each radius, put into its tail, gives e^(-L), L = Mh²; and the tails counted one by one."""
    M, h, kappa, A, x, length = symbols("M h kappa A x L", positive=True)
    root_2, level = sqrt(2), M * h**2
    yield "Proposition 14", equal(M * (root_2 * kappa * h) ** 2 / (2 * kappa**2), level)
    yield "Hoeffding", equal(2 * M * (length * h / root_2) ** 2 / length**2, level)
    # classical.one_sided: exponent M (xμ)²/(2ν) with ν = 3A², xμ = √6 A h
    yield "squares from below", equal(M * 6 * A**2 * h**2 / (2 * 3 * A**2), level)
    cubic = (x - 1) ** 2 * (x + 2) / 2
    solved = expand(x**3 - 1 - (3 * x - 3 + 2 * cubic))
    yield "s = x³ - 1 = 3(x - 1) + 2h² for ψ(s) = h²", equal(solved, Integer(0))
    L, v, c, r, top, total = symbols("l v c r R S", positive=True)
    radius = c * L + sqrt(c**2 * L**2 + 2 * v * L)
    bernstein = expand(radius**2 - 2 * L * (v + c * radius))
    yield "sums: Bernstein's radius", equal(bernstein, Integer(0))
    # Exponential moments of P(f² - 1) sum up to 3(1 + r²)R²Sλ²/2, S the sum of the 1/M_j.
    drop = top * sqrt(6 * (1 + r**2) * L * total)
    yield "norms from below", equal(drop**2 / (6 * top**2 * (1 + r**2) * total), L)
    rise = root_2 * kappa * sqrt(L * total)
    yield "norms from above", equal(rise**2 / (2 * kappa**2 * total), L)
    yield from _computed_radii()
    for n, depth in ((1, 2), (2, 2), (2, 5), (4, 3)):
        counted = _tails_one_by_one(n, depth)
        yield f"count for n = {n}, l = {depth}", count_of_tails(n, depth) == counted
    exponent, number = symbols("s N", positive=True)
    failing = number * exp(-exponent - log(number))
    yield "all tails together", equal(simplify(failing), exp(-times * exponent))
    yield from _added_blocks(float(share))


def _added_blocks(share: float) -> Obligations:
    """The largest sum of the bounds of the blocks in a row, each over the number of inputs."""
    for cosine in (0.5, -0.9):
        bound = ntk_concentration_bound([[1.0, cosine], [cosine, 1.0]], 3, 10**4, 1.0, 3.0)
        row = float(np.max(np.sum(bound.mean + bound.last_layer, axis=1))) / 2
        yield f"blocks at {cosine}", bool(abs(share * bound.total - row) < 1e-6 * row)


def _computed_radii() -> Obligations:
    """The radii that the algorithm computes, in their tails."""
    for width, level, delta in ((40.0, 3.0, 1.0), (900.0, 7.0, 0.5), (1e6, 20.0, 0.0)):
        radii, h = layer_radii(width, level, delta), (level / width) ** 0.5
        square = radii.kappa_squared
        exponents = {
            "ratios of lengths": width * radii.norm**2 / (2 * square),
            "means of squares, from below": width * radii.below**2 / (6 * square**2),
            "sums": float(sum_radius(level, width, 0.0)) ** 2 / (2 * width),
        }
        cube = (1 + square_radius(h)) ** (1 / 3)
        exponents["means of squares, from above"] = width * (cube - 1) ** 2 * (cube + 2) / 2
        for name, exponent in exponents.items():
            yield f"{name} at M = {width:g}", bool(abs(exponent - level) < 1e-6 * level)


def _tails_one_by_one(n: int, depth: int) -> int:
    """One-sided tails: a side, a quantity, its inputs, its layers."""
    layers, pairs = range(2, depth + 1), list(combinations(range(n), 2))
    both = list(combinations_with_replacement(range(n), 2))
    single = [(k, i, what) for k in layers for i in range(n) for what in ("ratio", "norm")]
    double = [(k, ij, what) for k in layers for ij in pairs for what in ("proxy", "difference")]
    operators = [(ks, i) for ks in combinations(layers, 2) for i in range(n)]
    products = [(ks, ij) for ks in combinations_with_replacement(layers, 2) for ij in both]
    return 2 * len(single) + 2 * len(double) + len(operators) + 2 * len(products) + 2 * len(both)


@EXPLICIT.estimated("probability", draws=60, controls={"a_fiftieth": {"share": Fraction(1, 50)}})
def sampled_kernels(rng: np.random.Generator, draws: int, share: Any) -> Iterator[MeanTest]:
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
        outside = np.append(errors > float(share) * bound.total, True)  # keeps the variance positive
        yield mean_test(outside.astype(float), np.exp(-1.0), alternative="greater")
