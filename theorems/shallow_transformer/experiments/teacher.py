"""Section 6.1: the teacher of the experiment and its tokens."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Derivative, Expr, Rational, Symbol, exp, log, sqrt, tanh

from numeric.networks.transformer import ERF, LOGISTIC, TANH, Heads, Teacher, clipped_tokens, sample_heads
from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Derivation, Step
from symbolic.equality import decide_equal
from theorems.classical import functions
from theorems.engine import Given, Hypothesis, Provenance, Rounded, both, eq, ge, iff, implies, le, lt, rules
from theorems.engine.rules import P, Theorem, Vector, facts, inner, norm, principles
from theorems.engine.rules.normal_variables import chi_square_distribution
from theorems.engine.rules.vocabulary import chi_squared, vectors
from theorems.shallow_transformer.hypotheses import BOUNDED_SLOPES, BOUNDED_VALUES, REGULAR
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.experiment import (
    argument,
    token_length,
    v_c_size,
    v_u_size,
    v_w_size,
)
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.means import what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    between,
    bounded_sum,
    stated,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point

Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md"
_EPS = float(np.finfo(float).eps)
_T = tanh(argument)
_SUP_SECOND = 4 / (3 * sqrt(3))
_SLOPE, _CURVATURE = Derivative(_T, argument), Derivative(_T, (argument, 2))
_INVERSE = log((1 + of.accuracy) / (1 - of.accuracy)) / 2

CONSTANTS = claim(
    "st.exp.teacher.tanh",
    at="Section 6.1",
    title="The constants of tanh, and where they are attained",
    states={
        "values": lt(Abs(_T), 1),
        "values near one": eq(tanh(_INVERSE), of.accuracy),
        "slopes": le(Abs(_SLOPE), 1),
        "slope at zero": implies(eq(argument, 0), eq(_SLOPE, 1)),
        "curvatures": le(Abs(_CURVATURE), _SUP_SECOND),
        "largest curvature": implies(eq(3 * _T**2, 1), eq(Abs(_CURVATURE), _SUP_SECOND)),
    },
    provenance=Provenance.DERIVED,
)


def _by_exponentials(x: Expr, domain: dict[Symbol, Any]) -> Theorem:
    """tanh x = (e^x − e^(−x))/(e^x + e^(−x))."""
    return functions.by_exponentials(x, over=domain)


@CONSTANTS.proved("values")
def below_one(given: Given) -> Theorem:
    """e^x and e^(−x) are positive."""
    return given.follows(_by_exponentials(argument, given.domain), goal=stated(CONSTANTS, "values"))


@CONSTANTS.proved("values near one")
def inverse_of_tanh(given: Given) -> Theorem:
    """e^x = √q at x = (log q)/2, with q = (1 + b)/(1 − b): tanh takes every value b below 1."""
    ranges = {of.accuracy: given.domain[of.accuracy]}
    quotient = (1 + of.accuracy) / (1 - of.accuracy)
    root = facts.power_as_exponential(quotient, Rational(1, 2), over=ranges)
    return given.concluded(_by_exponentials(_INVERSE, ranges), root)


def _derivatives(given: Given) -> list[Theorem]:
    """With y = tanh s in (−1, 1): σ' = 1 − y², σ'' = −2y(1 − y²)."""
    steps = (("slope", _SLOPE, 1 - _T**2), ("curvature", _CURVATURE, -2 * _T * (1 - _T**2)))
    chains = [
        Derivation(title=f"The {name} of tanh", name="", start=start,
                   steps=[Step(form, "differentiate")])
        for name, start, form in steps
    ]  # fmt: skip
    return [*map(given.derived, chains), below_one(given)]


@CONSTANTS.proved("slopes", "slope at zero", "curvatures", "largest curvature")
def derivatives_in_the_value(given: Given) -> Theorem:
    """4/27 − (y(1 − y²))² = (1 − 3y²)²(4 − 3y²)/27 is at least 0, and 0 at y² = 1/3."""
    return given.concluded(*_derivatives(given))


TEACHER_MAP = Hypothesis(
    "teacher_map",
    "the map $v is the mean over $anchors anchors with tokens and queries of length at most one of"
    " the features of the anchor, scaled by $nu_c over $sigma_0, by $nu_u over $sigma_1, and"
    " clipped to the length $nu_w",
    latex=r"$v = \tfrac{1}{$anchors}\sum_{r=1}^{$anchors}"
    r"\bigl(\tfrac{$nu_c}{$sigma_0}\phi_c(X^{(r)}),"
    r" \tfrac{$nu_u}{$sigma_1}\phi_u(X^{(r)}),"
    r" \operatorname{clip}(\phi_w(X^{(r)}), $nu_w)\bigr)",
)
_ANCHORED = (*REGULAR, TEACHER_MAP)

BOUNDED = claim(
    "st.exp.teacher",
    at="Section 6.1",
    title="The teacher's transportation map lies in V_ν̄, so that its function lies in F_ν̄",
    states={"c": le(v_c_size, of.nu_c), "U": le(v_u_size, of.nu_u), "W": le(v_w_size, of.nu_w)},
    assuming=_ANCHORED,
    rests_on=["st.fact2"],
    note=f"{_NOTE}#the-teacher",
)
_R = of.anchors
_r = Symbol("r", integer=True, positive=True)


def _mean_of_anchors(given: Given, size: Symbol, bound: Symbol, each: Theorem) -> Theorem:
    """The length of a mean of vectors that are no longer than a bound, each of an anchor.

    |v̄|² is the mean of the products ⟨v_r, v̄⟩, which are at most the bound times |v̄|.
    """
    one, mean = vectors("part of the map"), Vector("mean of the parts")
    given.require(TEACHER_MAP)
    angle = facts.cauchy_schwarz(one(_r), mean)
    short = between(given, le(inner(one(_r), mean), bound * norm(mean)), each, angle)
    sums = bounded_sum(short, _r, _R)
    whole = NETWORKS.meaning(
        "the mean over the anchors",
        eq(size, norm(mean)),
        eq(norm(mean) ** 2, total(inner(one(_r), mean), _r, _R) / _R),
    )
    return given.follows(sums, whole, goal=le(size, bound))


def _length_of(given: Given, factor: Expr, feature: Expr, bound: Symbol, *known: Theorem) -> Theorem:
    """The length of the part that belongs to an anchor: a factor times that of a feature."""
    part = vectors("part of the map")(_r)
    scaled = NETWORKS.meaning("the part of an anchor", eq(norm(part), factor * feature))
    return between(given, le(norm(part), bound), scaled, *known)


@BOUNDED.proved("c")
def outputs_of_anchors(given: Given) -> Theorem:
    """|φ_c| = |σ| ≤ σ₀."""
    value = Symbol("size of the output", nonnegative=True)
    bound = what_is_assumed(given, BOUNDED_VALUES, le(value, of.sigma_0))
    each = _length_of(given, of.nu_c / of.sigma_0, value, of.nu_c, bound)
    return _mean_of_anchors(given, v_c_size, of.nu_c, each)


@BOUNDED.proved("U")
def slopes_at_anchors(given: Given) -> Theorem:
    """|φ_u| = |σ'||a| ≤ σ₁."""
    slope = Symbol("size of the slope", nonnegative=True)
    bound = what_is_assumed(given, BOUNDED_SLOPES, le(slope, of.sigma_1))
    pooled = what_it_says(given, "st.fact2", le(of.a_size, 1))
    short = between(given, le(slope * of.a_size, of.sigma_1), bound, pooled)
    each = _length_of(given, of.nu_u / of.sigma_1, slope * of.a_size, of.nu_u, short)
    return _mean_of_anchors(given, v_u_size, of.nu_u, each)


@BOUNDED.proved("W")
def clipped_at_anchors(given: Given) -> Theorem:
    """Clipping gives min(|φ_w|, ν_w)."""
    part = vectors("part of the map")(_r)
    each = what_is_assumed(given, TEACHER_MAP, le(norm(part), of.nu_w))
    return _mean_of_anchors(given, v_w_size, of.nu_w, each)


def _extreme(case: tuple[Any, ...]) -> Point:
    activation, T, d, seed, scale, R, size = case
    rng = np.random.default_rng(seed)
    nu = size * np.array([3.0, 2.0, 0.1])
    heads = sample_heads(20, d, rng)
    heads = Heads(heads.c, scale * heads.U, heads.W)
    v = Teacher(clipped_tokens(R, T, d, rng), nu, activation).transport(heads)
    largest = v.block_norms().max(axis=1)
    # A norm of 81 entries and a few products: some tens of roundings.
    found = {
        x: Rounded(float(one), 100 * _EPS * float(bound))
        for x, one, bound in zip((v_c_size, v_u_size, v_w_size), largest, nu, strict=True)
    }
    known = zip((of.nu_c, of.nu_u, of.nu_w), nu, strict=True)
    return {**found, **{x: float(one) for x, one in known}}


_TEACHERS = st.tuples(
    st.sampled_from([TANH, ERF, LOGISTIC]),
    st.integers(1, 5),
    st.integers(1, 9),
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0]),
    st.integers(1, 3),
    st.sampled_from([0.001, 1.0]),
)


def _largest(part: str) -> None:
    def component(case: tuple[Any, ...]) -> Point:
        return _extreme(case)

    component.__name__ = f"largest_{part}"
    component.__doc__ = "The largest size over twenty heads, some of them huge, and its bound."
    BOUNDED.tested(part, over=_TEACHERS, cases=100)(component)


for _part in ("c", "U", "W"):
    _largest(_part)


NORMAL_TOKEN = Hypothesis(
    "normal_token",
    "$token_length is the length of a standard normal vector in eight dimensions, which clipping"
    " scales down to one if it is longer",
    latex=r"g \sim \mathcal{N}(0, I_8)",
)
_SHORT = 1 - Rational(79, 48) * exp(-Rational(1, 2))

CLIPPED = claim(
    "st.exp.teacher.tokens",
    at="Section 6.1",
    title="For d = 8 clipping moves all but 0.18 % of the tokens onto the sphere",
    states={
        "share": eq(P(le(token_length, 1)), _SHORT),
        "digits": both(le(Rational(175, 10**5), _SHORT), le(_SHORT, Rational(176, 10**5))),
    },
    assuming=[NORMAL_TOKEN],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#the-teacher",
)


@CLIPPED.proved("share")
def small_ball(given: Given) -> Theorem:
    """|g|² has the density x³ e^(−x/2)/96, of which 1 − e^(−x/2) Σ_{k<4} (x/2)^k/k! is an integral.

    The length is not negative, so that it is at most 1 if its square is.
    """
    square, x = token_length**2, Symbol("x", nonnegative=True)
    law = given.supposed(NORMAL_TOKEN, chi_squared(square, 8), eq(P(ge(token_length, 0)), 1))
    same = rules.follows(iff(le(x, 1), le(x**2, 1)))
    likely = principles.more_probable(same, x, token_length)
    share = chi_square_distribution(square, 8, 1)
    steps = [Step(_SHORT, "integrate", lambda before, after: decide_equal(before.doit(), after))]
    mass = Derivation("The mass of a small ball", "", share.statement.rhs, steps)
    return given.concluded(law, likely, share, given.derived(mass))


@CLIPPED.proved("digits")
def digits_of_the_probability(given: Given) -> Theorem:
    """Both inequalities are decided by the digits of the number."""
    return given.decided()


@CLIPPED.estimated("share", draws=12_000, controls={})
def short_tokens(given: Given, rng: Rng, draws: int) -> Iterator[MeanTest]:
    """The share of tokens of norm below 1, sixteen to an input; none is longer."""
    norms = np.linalg.norm(clipped_tokens(draws, 16, 8, rng).tokens, axis=2)
    share = np.mean(norms < 1 - 8 * _EPS, axis=1)
    yield mean_test(share, float(given.goal.args[1]))
    yield mean_test(norms.max(axis=1), 1.0, alternative="greater", rounding=8 * _EPS)
