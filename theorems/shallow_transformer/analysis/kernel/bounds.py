"""Lemma 4: the tangent kernel is positive semidefinite and bounded."""

from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Symbol, sqrt

from numeric.transformer_kernel import sampled_blocks
from symbolic.equality import equal
from theorems.classical.conditional_means import tower_rule
from theorems.classical.letters import odd_factorial
from theorems.classical.products import odd_numbers
from theorems.engine import Given, Obligations, Provenance, Rounded, eq, ge, le, rules, sentence
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm
from theorems.engine.rules.sums import by_recursion
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.analysis.kernel.decomposition import ONE_HEAD, Point, sequences
from theorems.shallow_transformer.hypotheses import BOUNDED_SLOPES, BOUNDED_VALUES, QUERY, REGULAR
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import F, F_c, F_u, F_w, least_eigenvalue, weight_of_input
from theorems.shallow_transformer.letters.paper import claim, i
from theorems.shallow_transformer.premises.kernels import small_trace, square_of_the_feature
from theorems.shallow_transformer.premises.matrices.covariance import OTHER_POOL, POOL, Pool
from theorems.shallow_transformer.premises.matrices.lengths import moment_of_the_length
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import added, linear, total, what_is_assumed

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"
_AT = "Lemma 4"


def _quadratic_form(feature_of: Any) -> tuple[Any, Any]:
    """Σ_j x_j Σ_k x_k ⟨φ_k, φ_j⟩ over the first n inputs, and its inner sum."""
    entries = weight_of_input(_k) * inner(feature_of(_k), feature_of(i))
    row = total(entries, _k, of.n)
    return total(weight_of_input(i) * row, i, of.n), row


_k = Symbol("k", integer=True, positive=True)
_FAMILIES = {"kernel": F, "block for c": F_c, "block for U": F_u, "block for W": F_w}

POSITIVE = claim(
    "st.lem4.psd",
    at=_AT,
    title="The kernel and its three blocks are positive semidefinite",
    states={
        **{name: ge(_quadratic_form(one)[0], 0) for name, one in _FAMILIES.items()},
        "least eigenvalue": ge(least_eigenvalue, 0),
    },
    assuming=REGULAR,
    rests_on=["st.lem4.mean"],
    discharging=ONE_HEAD,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@POSITIVE.proved(*_FAMILIES)
def squares_of_sums(given: Given) -> Theorem:
    """The form is |Σ_j x_jφ(X^(j))|² in L², for any number of inputs, by induction."""
    given.require(*REGULAR)
    return given.concluded(*_square(_FAMILIES[given.part]))


@POSITIVE.proved("least eigenvalue")
def form_at_an_eigenvector(given: Given) -> Theorem:
    """The form at a unit eigenvector x is Σ x_iλx_i = λ."""
    form, row = _quadratic_form(F)
    vector = NETWORKS.meaning(
        "a unit eigenvector for the least eigenvalue",
        eq(least_eigenvalue * weight_of_input(i), row),
        eq(total(weight_of_input(i) ** 2, i, of.n), 1),
    )
    term = eq(form.args[0], least_eigenvalue * weight_of_input(i) ** 2)
    sums_ = added(NETWORKS.follows(vector, goal=term), i, of.n)
    return given.concluded(sums_, linear(sums_.statement.rhs), vector, *_square(F))


@cache
def _square(family_of: Any) -> list[Theorem]:
    """Σ_j x_j⟨S, φ_j⟩ = ⟨S, S⟩ ≥ 0 for S = Σ_j x_jφ_j, and ⟨S, φ_j⟩ is the inner sum."""
    _, row = _quadratic_form(family_of)
    count, S, w = (Symbol("number of vectors", integer=True, nonnegative=True), vectors("S"), Vector("w"))
    following = S(count) + weight_of_input(count + 1) * family_of(count + 1)
    sums_ = [
        NETWORKS.meaning("a sum of no vectors", eq(inner(S(0), w), 0)),
        NETWORKS.meaning("a sum with one vector more", eq(inner(S(count + 1), w), inner(following, w))),
    ]
    entries = total(weight_of_input(_k) * inner(family_of(_k), w), _k, count)
    bilinear = by_recursion(eq(inner(S(count), w), entries), count, premises=sums_)
    each = NETWORKS.substituted(bilinear, {count: of.n, w: family_of(i)})
    term = weight_of_input(i) * inner(S(of.n), family_of(i))
    scaled = NETWORKS.follows(each, goal=eq(term, weight_of_input(i) * row))
    square = NETWORKS.substituted(bilinear, {count: of.n, w: S(of.n)})
    return [added(scaled, i, of.n), square, facts.positive_definite(S(of.n))]


@POSITIVE.tested(
    "least eigenvalue", over=st.tuples(st.sampled_from(["erf", "relu"]), st.integers(0, 10**6)), cases=60
)
def least_eigenvalues(case: tuple[str, int]) -> Point:
    """Of the matrix of each block's closed form, given W, over its largest entry."""
    name, seed = case
    rng = np.random.default_rng(seed)
    blocks = sampled_blocks(name, sequences(rng, 5, 3, 2), rng.standard_normal((1, 2, 2)))
    found = [np.linalg.eigvalsh(one[0])[0] / np.abs(one[0]).max() for one in blocks]
    # Eigenvalues of a 5 × 5 matrix to a few units in the last place of its norm.
    return {least_eigenvalue: Rounded(float(min(found)), 1e-13)}


BOUND = claim(
    "st.lem4.bound",
    at=_AT,
    title="Bound of the kernel",
    states=le(of.kernel_size, of.sigma_0**2 + of.sigma_1**2),
    assuming=REGULAR,
    rests_on=[POSITIVE, "st.fact3.sharp"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _diagonal(given: Given, feature: Any, name: str, pool: Pool) -> Theorem:
    """|φ(X)|² ≤ σ₀² + σ₁² E(x² + |MU|²) ≤ σ₀² + σ₁² for x = |a|, as E|MU|² ≤ 1 − x² given W."""
    given.require(*REGULAR)
    value, slope = (Symbol(f"value of {one}", real=True) for one in ("h", "the slope"))
    far, moved = (Symbol(f"value of {one}", nonnegative=True) for one in ("|a|", "|MU|"))
    H, S, A, MU = (Random(f"{one} of {name}") for one in ("h", "slope", "|a|", "|MU|"))
    known = [
        what_is_assumed(given, BOUNDED_VALUES, le(Abs(value), of.sigma_0)),
        what_is_assumed(given, BOUNDED_SLOPES, le(Abs(slope), of.sigma_1)),
        what_is_assumed(given, QUERY, le(of.q_size, 1)),
    ]
    lengths = far**2 + of.q_size**2 * moved**2
    steps = [
        NETWORKS.follows(*known[:1], goal=le(value**2, of.sigma_0**2)),
        NETWORKS.follows(*known[1:2], goal=le(slope**2, of.sigma_1**2)),
        NETWORKS.follows(*known[2:], goal=le(lengths, far**2 + moved**2)),
    ]
    head = le(value**2 + slope**2 * lengths, of.sigma_0**2 + of.sigma_1**2 * (far**2 + moved**2))
    a, image = (Vector(f"{one} of {name}") for one in ("a", "MU"))
    named = NETWORKS.meaning("lengths", eq(far, norm(a)), eq(moved, norm(image)))
    whole, _, same = square_of_the_feature(name, value, slope, a, image)
    pointwise = NETWORKS.follows(*steps, goal=head)
    below = NETWORKS.follows(pointwise, named, same, goal=le(whole, head.gts))
    phi_square = Random(f"|phi|^2 of {name}")
    mean = in_the_mean(below, {value: H, slope: S, far: A, moved: MU, whole: phi_square})
    norms = NETWORKS.meaning("K(X, X)", eq(inner(feature, feature), E(phi_square)))
    goal = le(inner(feature, feature), of.sigma_0**2 + of.sigma_1**2)
    return NETWORKS.follows(mean, *_mean_squares(given, A, MU, pool), norms, goal=goal)


def _mean_squares(given: Given, length: Random, moved: Random, pool: Pool) -> list[Theorem]:
    """E(|a|² + |MU|²) ≤ 1: given W the mean of |MU|² is at most tr M ≤ 1 − |a|²."""
    x, inside = of.a_size, Random(f"{moved} at W")
    moment = Symbol("E|MU|^2 at W", nonnegative=True)
    trace = small_trace(given, "st.fact3.sharp", 1 - x**2, pool)
    there = moment_of_the_length(NETWORKS.follows(trace, goal=le(pool.trace, 1)), inside, sp.S.One, pool)
    meant = NETWORKS.meaning("the mean square of |MU| given W", eq(moment, E(inside**2)))
    single = rules.instance(odd_numbers(odd_factorial), [1])
    pointwise = NETWORKS.follows(there, meant, single, trace, goal=le(x**2 + moment, 1))
    drawn = Random(f"mean square of {moved} given W")
    return [in_the_mean(pointwise, {x: length, moment: drawn}), tower_rule(NETWORKS.meaning, moved**2, drawn)]


@BOUND.proved()
def diagonal_values(given: Given) -> Theorem:
    """K(X, X) ≤ σ₀² + σ₁², and |⟨φ, φ′⟩| ≤ |φ||φ′|."""
    phi, phi_prime = Vector("phi"), Vector("phi'")
    ends = [_diagonal(given, phi, "X", POOL), _diagonal(given, phi_prime, "X'", OTHER_POOL)]
    value = NETWORKS.meaning("K(X, X')", eq(of.kernel_size, Abs(inner(phi, phi_prime))))
    schwarz = facts.cauchy_schwarz(phi, phi_prime)
    signs = [facts.positive_definite(one) for one in (phi, phi_prime)]
    return given.concluded(*ends, value, schwarz, *signs)


@BOUND.tested(
    over=st.tuples(
        st.integers(1, 3),
        st.integers(1, 3),
        st.floats(0, 5),
        st.sampled_from([1.0, 2.0**-6]),
        st.integers(0, 10**6),
    ),
    cases=60,
)
def kernels_of_erf(case: tuple[int, int, float, float, int]) -> Point:
    """K given W for multiples of σ = erf."""
    T, d, size, scale, seed = case
    rng = np.random.default_rng(seed)
    X = sequences(rng, 3, T, d)
    total = sampled_blocks("erf", X, size * rng.standard_normal((4, d, d))).total
    largest = scale**2 * float(np.abs(total).max())
    return {
        of.kernel_size: Rounded(largest, 1e-12 * largest),
        of.sigma_0: scale,
        of.sigma_1: sp.Rational(scale) * 2 / sqrt(sp.pi),
    }


BEST = claim(
    "st.lem4.bound.best",
    at=_AT,
    title="The bound of the kernel is the best by the bounds of the activation and of its slope",
    states=sentence(r"\sup_{$sigma, $X}$kernel($X, $X) = $top", top=of.sigma_0**2 + of.sigma_1**2),
    assuming=REGULAR,
    rests_on=[BOUND],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.argued(
    bridge="Equal unit tokens have M = 0 and |a| = 1; for the activation σ₀ - ε plus a triangular"
    " wave of height ε and slope σ₁ with round corners, E σ² ≥ (σ₀ - 2ε)², and |σ′| = σ₁ outside"
    " of the corners, whose probability is arbitrarily small.",
    uses=REGULAR,
    over=dict.fromkeys((of.sigma_0, of.sigma_1), of.POSITIVE),
)
def triangular_waves(top: Any) -> Obligations:
    """The kernel of such waves in the limit."""
    e, corners = sp.symbols("e corners", positive=True)
    least = (of.sigma_0 - 2 * e) ** 2 + of.sigma_1**2 * (1 - corners)
    yield "limit", equal(sp.limit(sp.limit(least, e, 0), corners, 0), top)
