"""Proposition 9: concentration of the NTK over the last layer, with constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.concentration import last_layer_radius
from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import ForwardPass
from numeric.networks.ntk import expected_ntk, ntk
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.nonnegative import nonnegative
from theorems.engine import Discrepancy, Obligations, Provenance, claim, half_line, integers
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import frequency_test
from theorems.eoc_mlp.samples import Scene

Floats = NDArray[np.float64]

_NOTE = "proofs_notes/eoc_concentration.md#last-layer"
_GIVEN: dict[str, Domain] = {"l": integers(2), "m_l": integers(1), "t": half_line(0)}
_S, _F, _N = sp.symbols("s F n", positive=True)  # |J|_F and ‖J‖

REDUCTION = claim(
    "eoc.prop9.reduction",
    at="Proposition 9, proof",
    title="The kernel as a quadratic form of the last layer",
    states=(
        r"K_\theta - \mathbb{E}_{A_l}K_\theta = GJG^* - \operatorname{tr}(J)\,\mathcal{I}_{m_l},"
        r" \quad G = \sigma^{-1}m^{q_l/2}A_l, \quad J = \sum_{k=1}^{l-1} m^{q_k-q_l}X_k"
        r"B_{k+1,l}(x_1)B_{k+1,l}(x_2)^*"
    ),
    given={"l": integers(2), "m_l": integers(1)},
    rests_on=["eoc.prop6", "eoc.prop7"],
)


@REDUCTION.proved(controls={"scaling": {"power": 0}})
def standardise_the_last_layer(power: int = -1) -> Obligations:
    """A_l = σm^(-q_l/2)G in each summand of (2); E GJG* = tr(J)𝓘; the last summand is constant."""
    sigma, m, q, last = sp.symbols("sigma m q_k q_l", positive=True)
    scale = sigma * m ** (-last / 2)
    yield "summand", equal(sigma**-2 * m**q * scale**2, m ** (q + power * last))
    g = sp.Symbol("g", real=True)
    yield "E g_i g_j = δ_ij", equal(expectation(g**2, g), sp.Integer(1))


@st.composite
def _outputs(draw: st.DrawFn) -> ForwardPass:
    """Networks with two inputs and up to three outputs."""
    hidden = draw(st.lists(st.integers(1, 6), min_size=2, max_size=3))
    widths = (draw(st.integers(2, 4)), *hidden, draw(st.integers(1, 3)))
    slopes = st.sampled_from([(0.0, 1.0), (0.5, 0.5), (1.0, -0.3), (1.0, 0.0)])
    a, b = draw(slopes)
    q = draw(st.sampled_from([0.0, 1.0, -0.5]))
    scene = Scene(widths, a, b, draw(st.floats(0.01, 3.13)), layer=len(hidden), q=q)
    return scene.build(np.random.default_rng(draw(st.integers(0, 2**32 - 1))))


@REDUCTION.tested(over=_outputs, controls={"transposed": {"order": (1, 0)}}, cases=60)
def against_the_kernel(state: ForwardPass, order: tuple[int, int] = (0, 1)) -> Discrepancy:
    """K - EK from the kernel and from J, for sampled networks with two inputs, all entries."""
    mlp = state.mlp
    G = state.parameters.layer(mlp.depth) * mlp.scale(mlp.depth) / mlp.sigma
    J = _middle(state, *order)
    fluctuation = G @ J @ G.T - np.trace(J) * np.eye(len(G))
    kernel = (ntk(state) - expected_ntk(state))[0, 1]
    # Both kernels have the summand X_l, which drops out of the difference but for rounding.
    size = np.linalg.norm(G) ** 2 * _absolute(state) + float(np.prod(state.norms(mlp.depth)))
    # Chains of at most five products of matrices with at most 8 columns.
    return Discrepancy(float(np.max(np.abs(fluctuation - kernel))), float(1e-13 * size + 1e-300))


def _middle(state: ForwardPass, first: int = 0, second: int = 1) -> Floats:
    """J of two inputs, the activations' inner products in the given order of the matrices."""
    depth, mlp = state.mlp.depth, state.mlp
    total = np.zeros((mlp.widths[depth - 1],) * 2)
    for k in range(1, depth):
        B = backpropagation_matrix(state, k + 1, depth)
        weight = (mlp.scale(k) / mlp.scale(depth)) ** 2
        total += weight * state.inner_products(k)[0, 1] * (B[first] @ B[second].T)
    return total


def _absolute(state: ForwardPass) -> float:
    """A bound of the norms of the terms that J is a sum of."""
    depth, mlp = state.mlp.depth, state.mlp
    total = 0.0
    for k in range(1, depth):
        weight = (mlp.scale(k) / mlp.scale(depth)) ** 2 * float(np.prod(state.norms(k)))
        total += weight * float(np.linalg.norm(backpropagation_matrix(state, k + 1, depth))) ** 2
    return total


FLATTENED = claim(
    "eoc.prop9.flattened",
    at="Proposition 9, proof",
    title="Flattening the last layer",
    states=(
        r"G^*y = (y\boxtimes\mathcal{I})^*\hat G, \quad \langle y, GJG^*y'\rangle"
        r" = \langle\hat G, (y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\hat G\rangle"
    ),
    given={"m_l": integers(1)},
)


@FLATTENED.proved(controls={"columns_first": {"rows_first": False}})
def row_by_row(rows_first: bool = True) -> Obligations:
    """Both sides are Σ_i y_i (row i of G); for generic entries of three shapes."""
    for rows, columns in ((1, 2), (2, 2), (3, 2)):
        G = sp.Matrix(rows, columns, sp.symbols(f"g:{rows * columns}"))
        y, identity = sp.Matrix(sp.symbols(f"y:{rows}")), sp.eye(columns)
        flat = sp.Matrix(list(G if rows_first else G.T))
        lifted = sp.kronecker_product(y, identity)
        yield f"{rows} by {columns}", bool((G.T * y - lifted.T * flat).expand().is_zero_matrix)


KRONECKER = claim(
    "eoc.prop9.kronecker",
    at="Proposition 9, proof",
    title="Norms of the lifted matrix",
    states=(
        r"\|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\| = \|J\|, \quad"
        r" \|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\|_F = \|J\|_F,"
        r" \quad \|y\| = \|y'\| = 1"
    ),
    given={"m_l": integers(1)},
    assuming="the paper has inequalities, and y' = y",
)


@KRONECKER.proved(controls={"length": {"power": 1}})
def isometry(power: int = 2) -> Obligations:
    """(y⊠𝓘)*(y⊠𝓘) = ‖y‖²𝓘: both factors are isometries, which change neither norm."""
    for rows, columns in ((2, 2), (3, 2)):
        y = sp.Matrix(sp.symbols(f"y:{rows}", positive=True))
        lifted = sp.kronecker_product(y, sp.eye(columns))
        claimed = y.norm() ** power * sp.eye(columns)
        yield f"{rows} by {columns}", equal(lifted.T * lifted, claimed)


QUADRATIC = claim(
    "eoc.prop9.quadratic",
    at="Proposition 9, proof",
    title="Hanson-Wright inequality for two points of the net, with constants",
    states=(
        r"\mathbb{P}_l\bigl(|\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y'\rangle|"
        r" \ge 2\|J\|_F\sqrt s + 2\|J\|s\bigr) \le 2e^{-s}"
    ),
    given={"m_l": integers(1), "s": half_line(0)},
    rests_on=[REDUCTION, FLATTENED, KRONECKER, "classical.laurent_massart", "classical.union"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@QUADRATIC.proved(controls={"antisymmetric": {"sign": -1}})
def eigenvalues_of_the_symmetric_part(sign: int = 1) -> Obligations:
    """⟨g, Ag⟩ is a form of (A + A*)/2, with norms at most those of A; g turns to eigenvectors.

    In the eigenvectors it is Σλ_ig_i², with mean Σλ_i = tr A.
    """
    A = sp.Matrix(2, 2, sp.symbols("a:4", real=True))
    g = sp.Matrix(sp.symbols("g:2", real=True))
    symmetric = (A + sign * A.T) / 2
    yield "same form", equal((g.T * A * g)[0], (g.T * symmetric * g)[0])
    rest = (A - sign * A.T) / 2
    squares = [sum(entry**2 for entry in matrix) for matrix in (A, symmetric, rest)]
    yield "orthogonal parts", equal(squares[0], squares[1] + squares[2])
    norm = sp.Symbol("n", nonnegative=True)
    yield "‖(A + A*)/2‖ ≤ (‖A‖ + ‖A*‖)/2", equal((norm + norm) / 2, norm)


HANSON_WRIGHT = claim(
    "eoc.prop9.hanson_wright",
    at="Proposition 9, proof",
    title="The same in the form that is printed",
    states=(
        r"\mathbb{P}_l\bigl(|\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y\rangle| \ge t\bigr)"
        r" \le 2e^{-\min\left\{\frac{t^2}{O(\|J\|_F^2)}, \frac{t}{O(\|J\|)}\right\}}"
        r" \le 2e^{-\frac{t^2}{O(\|J\|_F^2) + O(\|J\|)t}}"
    ),
    given=_GIVEN,
    rests_on=[QUADRATIC],
    note=_NOTE,
)


@HANSON_WRIGHT.proved(controls={"fifteen": {"square": 15}, "three": {"linear": 3}})
def constants_of_both_forms(square: int = 16, linear: int = 4) -> Obligations:
    """16 and 4 will do: t is at most twice the larger of its terms 2F√s, 2ns.

    Directly, t²/(4F² + 4nt) ≤ s.
    """
    root = sp.Symbol("r", positive=True)  # √s
    quadratic, line = 2 * _F * root, 2 * _N * root**2
    yield "t ≤ 4F√s", nonnegative(root**2 - (2 * quadratic) ** 2 / (square * _F**2))
    yield "t ≤ 4ns", nonnegative(root**2 - 2 * line / (linear * _N))
    t = quadratic + line
    yield "direct", nonnegative(sp.expand(root**2 * (4 * _F**2 + 4 * _N * t) - t**2))
    first, second = sp.symbols("A B", positive=True)
    yield (
        "min{A, B} ≥ AB/(A + B)",
        nonnegative(sp.cancel(first / (first * second) * (first + second)) - 1),
    )


EXPLICIT = claim(
    "eoc.prop9.explicit",
    at="Proposition 9",
    title="Concentration over the last layer with constants",
    states=(
        r"\mathbb{P}_l\bigl(\|K_\theta - \mathbb{E}_{A_l}K_\theta\| \ge 4\|J\|_F\sqrt S"
        r" + 4\|J\|S\bigr) \le 2e^{-s}, \quad S = s + 2m_l\log 9"
    ),
    given={"m_l": integers(1), "s": half_line(0)},
    rests_on=[QUADRATIC, "eoc.prop9.net.corrected", "classical.net", "classical.union"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved(controls={"one_net": {"nets": 1}, "eight": {"base": 8}})
def count_the_pairs(nets: int = 2, base: int = 9) -> Obligations:
    """9^(2m) pairs, each fails with probability at most 2e^(-S); twice the level of one pair."""
    m = sp.Symbol("m", positive=True)
    level = _S + nets * m * sp.log(base)
    yield "log of the union", equal(2 * m * sp.log(9) - level, -_S)
    yield (
        "level",
        equal(2 * (2 * _F * sp.sqrt(_S) + 2 * _N * _S), 4 * _F * sp.sqrt(_S) + 4 * _N * _S),
    )


SHAPES = (
    Scene((3, 4, 6, 1), a=0.0, b=1.0, angle=1.0, layer=3),
    Scene((3, 6, 9, 2), a=0.5, b=0.5, angle=0.3, layer=3, q=1.0),
    Scene((4, 3, 9, 6, 4), a=1.0, b=-2.0, angle=2.0, layer=4, q=0.5),
)


@EXPLICIT.estimated(draws=4000, controls={"a_twentieth": {"factor": 0.05}})
def redraw_the_last_layer(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies of large fluctuations for J of three networks and two different inputs."""
    s = 5.0
    for scene in SHAPES:
        J = _middle(scene.build(rng))
        G = rng.standard_normal((draws, scene.widths[-1], len(J)))
        fluctuation = G @ J @ np.swapaxes(G, -1, -2) - np.trace(J) * np.eye(scene.widths[-1])
        norms = np.linalg.norm(fluctuation, 2, axis=(-2, -1))
        frobenius, operator = np.linalg.norm(J), np.linalg.norm(J, 2)
        radius = last_layer_radius(s, float(frobenius), float(operator), scene.widths[-1])
        yield frequency_test(norms >= factor * radius, 2 * np.exp(-s))


SHARP = EXPLICIT.sharpened(
    "eoc.prop9.sharp",
    title="Concentration over the last layer with the best factor of the net",
    states=(
        r"\mathbb{P}_l\bigl(\|K_\theta - \mathbb{E}_{A_l}K_\theta\|"
        r" \ge 2(\tfrac{32}{31})^2(\|J\|_F\sqrt S + \|J\|S)\bigr) \le 2e^{-s},"
        r" \quad S = s + 2m_l\log 9"
    ),
    given={"m_l": integers(1), "s": half_line(0)},
    assuming="for m_l = 1 no net is needed: 2‖J‖_F√s + 2‖J‖s",
    rests_on=[QUADRATIC, "eoc.prop9.net.sharp", "classical.net", "classical.union"],
    note=_NOTE,
)


@SHARP.proved(controls={"printed_factor": {"factor": sp.Integer(2)}})
def with_the_smaller_factor(factor: Any = sp.Rational(32, 31) ** 2) -> Obligations:
    """The union is that over the same pairs."""
    level = 2 * sp.Rational(32, 31) ** 2 * (_F * sp.sqrt(_S) + _N * _S)
    yield "level", equal(factor * (2 * _F * sp.sqrt(_S) + 2 * _N * _S), level)


ORLICZ = claim(
    "eoc.prop9.union",
    at="Proposition 9, proof",
    title="The bound after the union, in the form that is printed",
    states=(
        r"\mathbb{P}_l\bigl(\|K_\theta - \mathbb{E}_{A_l}K_\theta\| \ge O(\|J\|_F\sqrt{m_l})\sqrt t"
        r" + O(\|J\|m_l)t\bigr) \le 2e^{-t}"
    ),
    given=_GIVEN,
    assuming="with 4√K for the first O and 4K for the second, K = 1 + 2 log 9/log 2",
    rests_on=[EXPLICIT],
    note=_NOTE,
)


@ORLICZ.proved(controls={"smaller": {"share": sp.Rational(9, 10)}})
def absorb_the_logarithm(share: Any = 1) -> Obligations:
    """For t ≤ log 2 nothing is said; else S = t + 2m log 9 ≤ K m t, as m ≥ 1 and t ≥ log 2."""
    more, beyond = sp.symbols("v w", nonnegative=True)
    logs, c = sp.symbols("L c", positive=True)  # log 2 and 2 log 9
    m, t = 1 + more, logs + beyond
    yield "S ≤ Kmt", nonnegative(share * (1 + c / logs) * m * t - (t + c * m))


PROP_9 = claim(
    "eoc.prop9",
    at="Proposition 9",
    title="Concentration of the NTK over the last layer",
    states=(
        r"\mathbb{P}_l\bigl(\|K_\theta(x_1,x_2) - \mathbb{E}_{A_l}K_\theta(x_1,x_2)\| \ge t\bigr)"
        r" \le 2e^{-\frac{t^2}{O(\|J\|_F\sqrt{m_l})^2 + O(\|J\|m_l)t}}"
    ),
    given=_GIVEN,
    assuming="with 4√K for the first O and 8K for the second, K = 1 + 2 log 9/log 2",
    rests_on=[ORLICZ],
    note=_NOTE,
)


@PROP_9.proved(controls={"seven": {"linear": 7}, "smaller_square": {"square": 15}})
def solve_for_the_exponent(square: int = 16, linear: int = 8) -> Obligations:
    """At t² = Q(16Kmf² + 8Kmnt), f = ‖J‖_F, the level 4f√(KmQ) + 4nKmQ is at most t.

    With α = 8KmnQ, β² = 64KmQf² the root is t = (α + √(α² + β²))/2 ≥ (α + β)/2.
    """
    f, n, r = sp.symbols("f n r", positive=True)  # r² = KmQ
    alpha, beta = linear * n * r**2, 2 * sp.sqrt(square) * f * r
    t = (alpha + sp.sqrt(alpha**2 + beta**2)) / 2
    yield "root", equal(sp.expand(t**2 - alpha * t), square * f**2 * r**2)
    yield "level", nonnegative((alpha + beta) / 2 - (4 * f * r + 4 * n * r**2))
