"""Section 5.4: the function space of the tangent kernel, its inner product, Remark 7."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Discrepancy, Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain, half_line

_NOTE = "proofs_notes/st_function_space.md#the-function-space"
_AT = "Section 5.4"
_NU: dict[str, Domain] = {name: half_line(0, closed=False) for name in ("nu_c", "nu_u", "nu_w")}

DOMAIN = claim(
    "st.rkhs.domain",
    at=_AT,
    title="The domain of the transportation mappings",
    states=(
        r"(c, U, \operatorname{vec}W) \in \mathbb{R}^{2d+1}, \quad"
        r" v: \mathbb{R}^{2d+1} \to \mathbb{R} \times \mathbb{R}^d \times \mathbb{R}^{d \times d}"
    ),
    given={"d": integers(1)},
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@DOMAIN.refuted(controls={"one_dimension": {"d": 1}})
def count_the_coordinates(d: int = 2) -> Obligations:
    """1 + d + d² is not 2d + 1 unless d = 1 (or 0)."""
    yield "dimensions differ", 1 + d + d * d != 2 * d + 1


DOMAIN_CORRECTED = DOMAIN.corrected(
    "st.rkhs.domain.corrected",
    title="The domain of the transportation mappings has dimension d² + d + 1",
    states=r"\varphi_0 = (c, U, \operatorname{vec}W) \in \mathbb{R}^{d^2+d+1}",
    given={"d": integers(1)},
    note=_NOTE,
)


@DOMAIN_CORRECTED.proved(controls={"as_printed": {"square": 1}})
def add_the_blocks(square: int = 2) -> Obligations:
    """Blocks of 1, d and d·d coordinates; equal to the printed number at d = 0 and 1 only."""
    d = sp.Symbol("d", integer=True, positive=True)
    sizes = [sp.S.One, d, d * d]
    yield "sum", equal(sum(sizes), d**square + d + 1)
    difference = sp.factor(sum(sizes) - (2 * d + 1))
    yield "difference", equal(difference, d * (d - 1))


MERCER = claim(
    "st.rkhs.mercer",
    at=_AT,
    title="The tangent kernel is a Mercer kernel",
    states=r"K \;\text{is continuous on}\; \mathcal{X} \times \mathcal{X}",
    assuming="q_X is any function of X with |q_X| ≤ 1, as Section 3.2 allows",
    rests_on=["st.lem4.mean"],
    note=_NOTE,
)


@MERCER.refuted(controls={"continuous_query": {"at_point": 1}})
def query_that_jumps(at_point: int = 0) -> Obligations:
    """σ = erf, d = 1, T = 2, X = (1, -1): q = 0 there and q = 1 elsewhere; K(X, X) = 0 jumps.

    At X is a = 0 and q = 0.  Elsewhere a and M are continuous in the tokens, and K(X′, X′) tends to
    at least E_W E σ′(Ua)²(MU)² with a = tanh W, M = 1/cosh² W > 0.
    """
    w = sp.Symbol("w", real=True)
    p = 1 / (1 + sp.exp(-2 * w))  # the weight of the token 1 at W = w and q = 1
    a, M = 2 * p - 1, 4 * p * (1 - p)
    yield "mean and variance", equal(sp.simplify(M - (1 - a**2)), sp.S.Zero)
    positive = 1 / sp.cosh(w) ** 2
    yield "M > 0", equal(sp.simplify((M - positive).rewrite(sp.exp)), sp.S.Zero)
    yield "value at X against the limit", bool(at_point**2 != 1)


CONTINUOUS = MERCER.corrected(
    "st.rkhs.mercer.corrected",
    title="The tangent kernel is a Mercer kernel if the query depends continuously on the input",
    states=r"X \mapsto q_X \;\text{continuous} \implies K \;\text{continuous}",
    assuming="as it does for a fixed query and for the last token",
    rests_on=["st.lem4.mean", "st.fact3"],
    note=_NOTE,
)


@CONTINUOUS.proved(controls={"unbounded_slope": {"slope": False}})
def dominated_convergence(slope: bool = True) -> Obligations:
    """The integrands are continuous, for σ′ is (σ″ is bounded), and at most σ₀² + σ₁²(1 + |U|²)."""
    g, size = sp.symbols("g size", positive=True)
    bound = 1 + g**2 if slope else sp.exp(g**2)
    mean = sp.integrate(bound * sp.exp(-(g**2) / 2), (g, 0, sp.oo))
    yield "integrable", bool(mean.is_finite)
    less = sp.Symbol("less", nonnegative=True)
    yield "|MU||M′U| ≤ |U|²", nonnegative(size**2 - (size / (1 + less)) ** 2)


INNER = claim(
    "st.rkhs.inner_product",
    at=_AT,
    title="The inner product of the function class",
    states=(
        r"\langle\tilde f(\cdot; v), \tilde f(\cdot; v')\rangle_{\mathcal{F}}"
        r" := \mathbb{E}\bigl[v_cv_c' + \langle v_u, v_u'\rangle + \langle v_w, v_w'\rangle_F\bigr]"
        r" \;\text{is well defined}"
    ),
    note=_NOTE,
)


@INNER.refuted(controls={"constant_map": {"odd": 0}})
def a_map_for_the_zero_function(odd: int = 1) -> Obligations:
    """v_c = c, v_u = v_w = 0: f̃ = E c · E σ(U.a) = 0 = f̃(·; 0), yet E|v|² = 1.

    For odd σ so does any v_c that is even in U.
    """
    value = sp.Symbol("E sigma", positive=True)
    signs = (sp.Integer(-1), sp.Integer(1))
    function = sum(sign**odd * value for sign in signs) / 2
    square = sum((sign**odd) ** 2 for sign in signs) / 2
    yield "the function of v is that of 0", equal(function, sp.S.Zero)
    yield "the norms differ", equal(square, sp.S.Zero) is False


QUOTIENT = INNER.corrected(
    "st.rkhs.inner_product.corrected",
    title="The inner product by representatives of least norm",
    states=(
        r"\langle\tilde f(\cdot; v), \tilde f(\cdot; v')\rangle_{\mathcal{F}}"
        r" = \mathbb{E}\langle Pv, Pv'\rangle, \quad"
        r" \|\tilde f\|_{\mathcal{F}} = \min\{\|v\|_{L^2} : \tilde f = \tilde f(\cdot; v)\}"
    ),
    assuming="P projects onto the closed span of the features φ(X) of all inputs, in L²",
    note=_NOTE,
)


def _features() -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """Two generic features in a space of dimension 3, and two vectors."""
    phi = sp.Matrix([[1, 0, sp.Symbol("s", real=True)], [sp.Symbol("t", real=True), 1, 0]])
    v, w = (sp.Matrix(sp.symbols(f"{name}1:4", real=True)) for name in ("v", "w"))
    return phi, v, w


@QUOTIENT.proved(controls={"no_projection": {"projected": False}, "twice": {"factor": 2}})
def least_norm(projected: bool = True, factor: int = 1) -> Obligations:
    """f̃ sees Pv only: v - Pv is orthogonal to all features, and |v|² = |Pv|² + |v - Pv|².

    Exactly for two features in three dimensions: Pv = Φᵀ(ΦΦᵀ)⁻¹Φv depends on Φv alone.
    """
    phi, v, w = _features()
    gram = phi * phi.T
    P = phi.T * gram.inv() * phi if projected else sp.eye(3)
    zero = (phi * (v - P * v)).applyfunc(sp.simplify)
    yield "same function", bool(zero == sp.zeros(2, 1))
    pythagoras = v.dot(v) - (P * v).dot(P * v) - (v - P * v).dot(v - P * v)
    yield "Pythagoras", equal(sp.simplify(pythagoras), sp.S.Zero)
    values, other = phi * v, phi * w
    by_values = factor * (values.T * gram.inv() * other)[0, 0]
    yield "depends on the functions", equal(sp.simplify(by_values - (P * v).dot(P * w)), sp.S.Zero)
    normal = phi.row(0).cross(phi.row(1)).T
    moved = (P * (v + normal)).dot(P * (v + normal)) - (P * v).dot(P * v)
    yield "not on the representative", equal(sp.simplify(moved), sp.S.Zero)


SECTIONS = claim(
    "st.rkhs.kernel_sections",
    at=_AT,
    title="The sections of the kernel lie in the class",
    states=(
        r"K(\cdot, X') = \tilde f(\cdot; \phi(X')) \in \mathcal{F}, \quad"
        r" \|K(\cdot, X')\|_{\mathcal{F}}^2 = \mathbb{E}\|\phi(X')\|^2 = K(X', X')"
        r" \le \sigma_0^2 + \sigma_1^2"
    ),
    rests_on=["st.lem4.mean", "st.lem4.bound", QUOTIENT],
    note=_NOTE,
)


@SECTIONS.proved(controls={"other_feature": {"index": 0}})
def the_feature_represents(index: int = 1) -> Obligations:
    """⟨φ(X), φ(X′)⟩ = K(X, X′) by definition, and φ(X′) = Pφ(X′) is a feature itself."""
    phi, _, _ = _features()
    gram = phi * phi.T
    v = phi.row(index).T
    yield "values", bool((phi * v - gram.col(1)).expand() == sp.zeros(2, 1))
    P = phi.T * gram.inv() * phi
    yield "least norm", bool((P * v - v).applyfunc(sp.simplify) == sp.zeros(3, 1))
    yield "norm", equal(sp.expand(v.dot(v)), sp.expand(gram[1, 1]))


UNBOUNDED = claim(
    "st.rkhs.kernel_sections.unbounded",
    at=_AT,
    title="The features themselves are no maps with bounded sup-norm",
    states=r"\sup_\varphi\|\phi_w(X; \varphi)\|_F = \infty, \quad \phi(X) \notin"
    r" \mathcal{V}_{\bar\nu} \;\text{for every}\; \bar\nu",
    given={"d": integers(2)},
    assuming="for X = {(x, ±y)} with y, q_X not zero and σ′(0) ≠ 0; hence the clipping in 6.1",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@UNBOUNDED.proved(controls={"along_the_mean": {"direction": 0}})
def far_out_across_the_mean(direction: int = 1) -> Obligations:
    """W = 0, U = (0, s): U.a = 0 and |MU| = s y² → ∞."""
    s, x, y = sp.symbols("s x y", positive=True)
    a, M = sp.Matrix([x, 0]), sp.diag(0, y**2)
    U = sp.Matrix([0, 0])
    U[direction] = s
    yield "preactivation", equal(U.dot(a), sp.S.Zero)
    yield "size", bool(sp.limit((M * U).norm(), s, sp.oo) == sp.oo)


REPRODUCING = claim(
    "st.rkhs.reproducing",
    at=_AT,
    title="The reproducing property",
    states=r"\langle\tilde f(\cdot; v), K(\cdot, X')\rangle_{\mathcal{F}} = \tilde f(X'; v)",
    assuming="with the corrected inner product",
    rests_on=[QUOTIENT, SECTIONS],
    note=_NOTE,
)


@REPRODUCING.proved(controls={"other_input": {"index": 1}})
def pair_with_a_feature(index: int = 0) -> Obligations:
    """⟨Pv, φ(X′)⟩ = ⟨v, φ(X′)⟩, for φ(X′) is in the range of P."""
    phi, v, _ = _features()
    P = phi.T * (phi * phi.T).inv() * phi
    paired = (P * v).dot(phi.row(0).T) - (phi * v)[index]
    yield "value", equal(sp.simplify(paired), sp.S.Zero)


@REPRODUCING.tested(
    over=st.tuples(st.integers(1, 6), st.integers(1, 12), st.integers(0, 10**6)),
    controls={"plain_norm": {"plain": True}},
    cases=100,
)
def random_features(case: tuple[int, int, int], plain: bool = False) -> Discrepancy:
    """Norms by values, fᵀK⁺f, and by the representative of least norm, in other dimensions."""
    n, N, seed = case
    rng = np.random.default_rng(seed)
    phi, v = rng.standard_normal((n, N)), rng.standard_normal(N)
    f = phi @ v
    least = v if plain else np.linalg.pinv(phi) @ f
    by_values = f @ np.linalg.pinv(phi @ phi.T) @ f
    # Pseudo-inverses lose the square of the condition of K, the fourth power of that of Φ.
    spread = np.linalg.svd(phi, compute_uv=False)
    condition = float((spread[0] / spread[-1]) ** 4)
    return Discrepancy(float(least @ least - by_values), float(1e-13 * condition * (1 + v @ v)))


COMPLETE = claim(
    "st.rkhs.complete",
    at=_AT,
    title="The class is complete: it is its own completion and the RKHS of K",
    states=(
        r"\overline{\mathcal{F}} = \mathcal{F}, \qquad"
        r" |\tilde f(X)| \le \sqrt{K(X, X)}\,\|\tilde f\|_{\mathcal{F}}"
    ),
    assuming="with the corrected norm",
    rests_on=[REPRODUCING],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COMPLETE.proved(controls={"first_power": {"power": 1}}, part="evaluations are bounded")
def cauchy_schwarz(power: int = 2) -> Obligations:
    """f̃(X)² = ⟨Pv, φ(X)⟩² ≤ |Pv|²K(X, X), so that {v : f̃(·; v) = 0} is closed."""
    x = sp.Matrix(sp.symbols("x1:4", real=True))
    y = sp.Matrix(sp.symbols("y1:4", real=True))
    gap = x.dot(x) * y.dot(y) - x.dot(y) ** power
    yield "Lagrange's identity", equal(sp.expand(gap), sp.expand(x.cross(y).dot(x.cross(y))))


COMPLETE.cited(
    "Riesz and Fischer; Moore and Aronszajn",
    why="closed subspaces of L² are complete, F is isometric to one, and K has one such space",
    part="the space",
)

NORM = claim(
    "st.rem7",
    at="Remark 7",
    title="The norm of the functions of bounded maps",
    states=(
        r"\tilde f \in \mathcal{F}_{\bar\nu} \implies"
        r" \|\tilde f\|_{\mathcal{F}} \le \|\bar\nu\|_2"
    ),
    given=_NU,
    assuming="the norm is that of F: the set of functions with bounded maps is no normed space",
    rests_on=[QUOTIENT],
    note=_NOTE,
)


@NORM.proved(controls={"two_parts": {"parts": 2}})
def means_of_squares(parts: int = 3) -> Obligations:
    """|f̃|² ≤ E|v|² ≤ ν̄_c² + ν̄_u² + ν̄_w²."""
    nu = sp.symbols("nu1:4", positive=True)
    less = sp.symbols("e1:4", nonnegative=True)
    square = sum((n / (1 + e)) ** 2 for n, e in zip(nu, less, strict=True))
    yield "sum", nonnegative(sp.together(sum(n**2 for n in nu[:parts]) - square))


@NORM.proved(controls={"smaller": {"constant": sp.Rational(9, 10)}}, part="the constant 1 is best")
def constant_activation(constant: Any = 1) -> Obligations:
    """σ = σ₀: φ = (σ₀, 0, 0), and v = (ν̄_c, 0, 0) is a multiple of it; let ν̄_u, ν̄_w → 0."""
    s0, c, small = sp.symbols("sigma_0 nu_c e", positive=True)
    kernel, value = s0**2, s0 * c
    norm = sp.sqrt(value**2 / kernel)
    limit = sp.limit(constant * sp.sqrt(c**2 + 2 * small**2), small, 0)
    yield "norm", equal(norm, limit)


@NORM.tested(
    over=st.tuples(st.integers(1, 5), st.integers(1, 8), st.integers(0, 10**6)),
    controls={"half": {"factor": 0.5}},
    cases=100,
)
def least_norms_on_finite_spaces(case: tuple[int, int, int], factor: float = 1.0) -> Measured:
    """N equally likely values of φ₀, n inputs, three blocks of v with sizes at most ν̄."""
    n, N, seed = case
    rng = np.random.default_rng(seed)
    nu = np.array([1.0, 2.0, 0.5])
    v = nu[:, None] * rng.choice([-1.0, 1.0], (3, N))
    phi = rng.standard_normal((n, 3, N)) * rng.choice([0.01, 1.0], (1, 3, 1))
    flat = phi.reshape(n, -1) / N
    least = np.linalg.pinv(flat / np.sqrt(1 / N)) @ (flat @ v.ravel())
    ratio = np.linalg.norm(least) / (factor * np.linalg.norm(nu))
    return Measured(float(ratio), 1e-9)
