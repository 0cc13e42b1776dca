"""Section 5.4: the class as the space of the kernel: its sections, completeness, Remark 7."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Symbol

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    both,
    eq,
    gt,
    implies,
    integers,
    le,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, Vector, act, facts, inner, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.function_space.function_class import (
    LEAST,
    MAPS,
    least_norm,
    projected,
    projection,
)
from theorems.shallow_transformer.analysis.kernel.decomposition import ONE_HEAD
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import (
    K_self,
    K_self_prime,
    K_value,
    Proj,
    by_values,
    constant_norm,
    feature,
    feature_prime,
    feature_size,
    map_v,
    offset,
    section_norm,
    slope_at_zero,
    target_value,
)
from theorems.shallow_transformer.letters.paper import claim, d
from theorems.shallow_transformer.premises.kernels import (
    PRODUCT,
    G,
    products_of_features,
    square_of_the_feature,
    value_of_the_function,
)
from theorems.shallow_transformer.premises.matrices.outer_products import product_of_outer_products
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import called, stated, what_is_assumed

Point = Mapping[Symbol, Any]

_NOTE = "proofs_notes/st_function_space.md#the-function-space"
_AT = "Section 5.4"

SECTIONS = claim(
    "st.rkhs.kernel_sections",
    at=_AT,
    title="The sections of the kernel lie in the class",
    states={
        "values": eq(inner(feature, feature_prime), K_value),
        "norm": eq(section_norm**2, K_self_prime),
        "bound": le(section_norm**2, of.sigma_0**2 + of.sigma_1**2),
    },
    assuming=[*hyp.RANDOM_START, *hyp.REGULAR],
    rests_on=["st.lem4", "st.lem4.bound"],
    note=_NOTE,
)


@SECTIONS.proved("values")
def the_feature_represents(given: Given) -> Theorem:
    """⟨φ(X), φ(X′)⟩ is the mean of the sum of the three products, as the kernel is (Lemma 4)."""
    mean = NETWORKS.meaning("the inner product of L²", eq(inner(feature, feature_prime), E(PRODUCT)))
    return given.concluded(mean, products_of_features(), given.fact("st.lem4", "blocks"))


def _least_norm_of_a_section(given: Given) -> list[Theorem]:
    """A feature is its own projection, hence the shortest map for its section."""
    square = inner(feature_prime, feature_prime)
    size = NETWORKS.meaning("K(X', X')", eq(of.kernel_size, square), eq(K_self_prime, square))
    bound = given.fact("st.lem4.bound")
    finite = NETWORKS.follows(size, bound, goal=le(square, bound.statement.rhs))
    norms = least_norm(given, feature_prime, section_norm, finite)
    return [norms, size, *projected(projection(given, feature_prime), feature_prime)]


@SECTIONS.proved("norm")
def a_feature_is_its_projection(given: Given) -> Theorem:
    """|Pφ(X′)|² = |φ(X′)|² = K(X′, X′)."""
    return given.concluded(*_least_norm_of_a_section(given))


@SECTIONS.proved("bound")
def bound_of_the_kernel(given: Given) -> Theorem:
    """K(X′, X′) ≤ σ₀² + σ₁²."""
    return given.concluded(*_least_norm_of_a_section(given), given.fact("st.lem4.bound"))


OPPOSITE_TOKENS = Hypothesis(
    "opposite_tokens",
    "the dimension $d is at least two, and $X has two tokens, which differ in the sign of their"
    " second coordinate $offset only",
    latex=r"$X = \{(x, $offset), (x, -$offset)\} \subset \mathbb{R}^{$d}",
)
_SPREAD = slope_at_zero * offset**2 * of.q_size

UNBOUNDED = claim(
    "st.rkhs.kernel_sections.unbounded",
    at=_AT,
    title="The features themselves are no maps with bounded sup-norm",
    states={
        "across the mean": eq(feature_size, _SPREAD * of.u),
        "no bound": implies(
            both(gt(of.q_size, 0), eq(of.u, (of.nu_w + 1) / _SPREAD)), gt(feature_size, of.nu_w)
        ),
    },
    given={d: integers(2)},
    assuming=[OPPOSITE_TOKENS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _far_out(given: Given) -> list[Theorem]:
    """W = 0 and U = (0, s): both weights are 1/2, U.a = 0 and MU = (0, y²s)."""
    along, across = Vector("first unit vector"), Vector("second unit vector")
    first, U = Symbol("first coordinate", real=True), of.u * across
    tokens = [first * along + sign * offset * across for sign in (1, -1)]
    a = (tokens[0] + tokens[1]) / 2
    moved = sum(((X - a) * inner(X - a, U) for X in tokens), sp.S.Zero) / 2
    slope = Symbol("slope of the activation", real=True)
    given.require(OPPOSITE_TOKENS)
    axes = NETWORKS.meaning(
        "unit vectors", eq(inner(along, across), 0), eq(norm(along), 1), eq(norm(across), 1)
    )
    q, outer = Vector("q"), Vector("MU q'")
    image = Vector("MU")
    feature_w = NETWORKS.meaning(
        "the feature for W, its slope, and lengths",
        *(eq(feature_size, norm(slope * outer)), eq(norm(image), norm(moved)), eq(of.q_size, norm(q))),
        implies(eq(inner(U, a), 0), eq(sp.Abs(slope), slope_at_zero)),
    )
    return [axes, feature_w, product_of_outer_products(inner(outer, outer), (image, image), (q, q))]


@UNBOUNDED.proved("across the mean")
def far_out_across_the_mean(given: Given) -> Theorem:
    """|φ_w| = |σ′(0)||MU||q| = |σ′(0)| y² s|q|."""
    return given.concluded(*_far_out(given))


@UNBOUNDED.proved("no bound")
def beyond_every_bound(given: Given) -> Theorem:
    """At a large s the length is ν + 1."""
    return given.concluded(given.follows(*_far_out(given), goal=stated(UNBOUNDED, "across the mean")))


REPRODUCING = claim(
    "st.rkhs.reproducing",
    at=_AT,
    title="The reproducing property",
    states=eq(inner(LEAST, act(Proj, feature_prime)), inner(map_v, feature_prime)),
    assuming=[*MAPS, hyp.PROJECTION],
    rests_on=["st.rkhs.inner_product.corrected", SECTIONS],
    discharging=ONE_HEAD,
    note=_NOTE,
)


@REPRODUCING.proved()
def pair_with_a_feature(given: Given) -> Theorem:
    """⟨Pv, Pφ(X′)⟩ = ⟨v, φ(X′)⟩, for φ(X′) is in the range of P."""
    given.require(*MAPS)
    return given.concluded(*projected(projection(given, feature_prime), map_v, feature_prime))


COMPLETE = claim(
    "st.rkhs.complete",
    at=_AT,
    title="The class is complete: it is its own completion and the RKHS of K",
    states={
        "the space": sentence(r"\overline{$F_space} = $F_space"),
        "evaluations are bounded": le(sp.Abs(target_value), sp.sqrt(K_self) * of.F_norm),
        "norm by values": eq(of.F_norm**2, by_values),
    },
    assuming=[*MAPS, hyp.PROJECTION, hyp.FINITELY_MANY_INPUTS],
    rests_on=[REPRODUCING, "st.rkhs.inner_product.corrected"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of by_values": "true as well: fᵀK⁺f is not negative",
        "domain of sigma_0": "true as well: what is bounded by 0 has positive bounds, too",
        "domain of sigma_1": "true as well: what is bounded by 0 has positive bounds, too",
    },
)


@COMPLETE.proved("evaluations are bounded")
def cauchy_schwarz(given: Given) -> Theorem:
    """f̃(X)² = ⟨Pv, φ(X)⟩² ≤ |Pv|²K(X, X), so that {v : f̃(·; v) = 0} is closed."""
    given.require(*MAPS)
    products = NETWORKS.meaning(
        "the inner product of L², and the kernel at an input",
        eq(inner(feature, map_v), E(G)),
        eq(K_self, inner(feature, feature)),
    )
    known = [given.fact("st.rkhs.inner_product.corrected", part) for part in ("same function", "least norm")]
    return given.concluded(products, value_of_the_function(), *known, facts.cauchy_schwarz(feature, LEAST))


COMPLETE.cited(
    "Riesz and Fischer; Moore and Aronszajn",
    why="closed subspaces of L² are complete, F is isometric to one, and K has one such space",
    part="the space",
)


@COMPLETE.argued(
    "norm by values",
    bridge="For any finite number of inputs in a space of any dimension Pv = Φᵀ(ΦΦᵀ)⁺Φv, as for two"
    " independent features in three dimensions.",
    uses=[hyp.FINITELY_MANY_INPUTS],
)
def least_norm_in_three_dimensions(given: Given) -> Obligations:
    """|Pv|² = fᵀ(ΦΦᵀ)⁻¹f with f = Φv, which depends on the values alone."""
    phi = sp.Matrix([[1, 0, sp.Symbol("s", real=True)], [sp.Symbol("t", real=True), 1, 0]])
    v = sp.Matrix(sp.symbols("v1:4", real=True))
    gram = phi * phi.T
    P = phi.T * gram.inv() * phi
    zero = (phi * (v - P * v)).applyfunc(sp.simplify)
    yield "same function", bool(zero == sp.zeros(2, 1))
    values = phi * v
    least = (values.T * gram.inv() * values)[0, 0]
    at = {of.F_norm: sp.sqrt((P * v).dot(P * v)), by_values: least}
    norm_, by_values_ = (side.subs(at) for side in given.goal.args)
    yield "an equation", isinstance(given.goal, sp.Eq)
    yield "norm", equal(sp.simplify(norm_ - by_values_), sp.S.Zero)
    normal = phi.row(0).cross(phi.row(1)).T
    moved = (P * (v + normal)).dot(P * (v + normal)) - (P * v).dot(P * v)
    yield "not on the representative", equal(sp.simplify(moved), sp.S.Zero)


@COMPLETE.tested(
    "norm by values", over=st.tuples(st.integers(1, 6), st.integers(1, 12), st.integers(0, 10**6)), cases=100
)
def random_features(case: tuple[int, int, int]) -> Point:
    """Norms by values, fᵀK⁺f, and by the representative of least norm, in other dimensions."""
    n, N, seed = case
    rng = np.random.default_rng(seed)
    phi, v = rng.standard_normal((n, N)), rng.standard_normal(N)
    f = phi @ v
    least = np.linalg.pinv(phi) @ f
    value = float(f @ np.linalg.pinv(phi @ phi.T) @ f)
    # Pseudo-inverses lose the square of the condition of K, the fourth power of that of Φ.
    spread = np.linalg.svd(phi, compute_uv=False)
    error = 1e-13 * float((spread[0] / spread[-1]) ** 4) * (1 + float(v @ v))
    length = float(np.linalg.norm(least))
    return {
        of.F_norm: Rounded(length, min(length, error / max(length, 1e-9))),
        by_values: Rounded(max(value, 0.0), error),
    }


NORM = claim(
    "st.rem7",
    at="Remark 7",
    title="The norm of the functions of bounded maps",
    states={
        "bound": le(of.F_norm, of.NU_NORM),
        "the constant 1 is best": [
            eq(constant_norm, of.nu_c),
            le(of.NU_NORM, constant_norm + of.nu_u + of.nu_w),
        ],
    },
    assuming=[*hyp.REGULAR, hyp.BOUNDED_MAP],
    note=_NOTE,
)


@NORM.proved("bound")
def means_of_squares(given: Given) -> Theorem:
    """|f̃|² ≤ E|v|² ≤ ν̄_c² + ν̄_u² + ν̄_w²."""
    given.require(*hyp.REGULAR)
    names = [Symbol(f"value of {name}", nonnegative=True) for name in ("v_c", "v_u", "v_w")]
    parts = what_is_assumed(given, hyp.BOUNDED_MAP, *(le(v, nu) for v, nu in zip(names, of.NU, strict=True)))
    pointwise = NETWORKS.follows(parts, goal=le(sum(v**2 for v in names), sum(nu**2 for nu in of.NU)))
    randoms = {v: Random(f"|{v}|") for v in names}
    mean = in_the_mean(pointwise, randoms)
    length = NETWORKS.meaning("the norm of L²", eq(inner(map_v, map_v), mean.statement.lhs))
    finite = NETWORKS.follows(mean, length, goal=le(inner(map_v, map_v), mean.statement.rhs))
    return given.concluded(finite, least_norm(given, map_v, of.F_norm, finite), *called(of.NU_NORM))


def _constant_feature() -> Theorem:
    """|φ|² = σ₀² in L², as a constant activation has the value σ₀ and the slope 0 at each head."""
    value, slope = (Symbol(f"{one} of a constant activation", real=True) for one in ("value", "slope"))
    square, _, form = square_of_the_feature("X", value, slope, Vector("a"), Vector("MU"))
    meant = NETWORKS.meaning("a constant activation, and its slope", eq(value, of.sigma_0), eq(slope, 0))
    each, drawn = NETWORKS.follows(form, meant, goal=eq(square, of.sigma_0**2)), Random("|phi|^2")
    length = NETWORKS.meaning("the inner product of L²", eq(inner(feature, feature), E(drawn)))
    known = [length, in_the_mean(each, {square: drawn})]
    return NETWORKS.follows(*known, goal=eq(inner(feature, feature), of.sigma_0**2))


@NORM.proved("the constant 1 is best")
def constant_activation(given: Given) -> Theorem:
    """σ = σ₀: φ = (σ₀, 0, 0), and v = (ν̄_c, 0, 0) is a multiple of it; let ν̄_u, ν̄_w → 0."""
    v = of.nu_c / of.sigma_0 * feature
    constant = _constant_feature()
    at = least_norm(given, v, constant_norm, NETWORKS.follows(constant, goal=le(inner(v, v), of.nu_c**2)))
    span = projected(projection(given, feature), feature)
    goal = stated(NORM, "the constant 1 is best")
    known = NETWORKS.follows(at, constant, *span, goal=goal.args[0])
    return given.follows(known, *called(of.NU_NORM), goal=goal)


@NORM.tested(
    "bound",
    over=st.tuples(
        st.integers(1, 5), st.integers(1, 8), st.sampled_from([1.0, 2.0**-6]), st.integers(0, 10**6)
    ),
    cases=100,
)
def least_norms_on_finite_spaces(case: tuple[int, int, float, int]) -> Point:
    """N equally likely values of φ₀, n inputs, three blocks of v with sizes at most ν̄."""
    n, N, scale, seed = case
    rng = np.random.default_rng(seed)
    nu = scale * np.array([1.0, 2.0, 0.5])
    v = nu[:, None] * rng.choice([-1.0, 1.0], (3, N))
    phi = rng.standard_normal((n, 3, N)) * rng.choice([0.01, 1.0], (1, 3, 1))
    flat = phi.reshape(n, -1) / N
    least = np.linalg.pinv(flat / np.sqrt(1 / N)) @ (flat @ v.ravel())
    length = float(np.linalg.norm(least))
    values = dict(zip(of.NU, map(float, nu), strict=True))
    return {of.F_norm: Rounded(length, min(length, 1e-9 * scale)), **values}
