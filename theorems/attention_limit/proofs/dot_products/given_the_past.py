"""Proposition D.1: the law of a dot product given all vectors that come before its last one.

Given all that comes before it, a new vector Ax is Gaussian: its mean is the combination of earlier
images of A by which x is approximated best, and what is left of x adds independent noise.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Abs, Min, Rational, Symbol, cos, exp, sin

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.attention_limit.letters.attention import n
from theorems.attention_limit.letters.generation import (
    best_limit,
    best_past,
    coefficient,
    earlier,
    gram_limit,
    gram_past,
    least_eigenvalue,
    limit_mean,
    newest,
    noise,
    past_mean,
    past_products,
    past_variance,
    past_variance_limit,
    phase_mean,
    products,
    products_limit,
    sigma_fresh,
    step_error,
    vector_number,
    vectors_made,
)
from theorems.attention_limit.letters.limit import Z_g1, Z_g2, Z_h1, Z_h2, c_1, c_2, sigma_weight
from theorems.attention_limit.letters.table import NONNEGATIVE, SIZE, claim
from theorems.attention_limit.main_theorem.limit_law import LIMITS_OF_SCORES, SAME_MATRIX
from theorems.classical import functions
from theorems.classical.conditional_means import tower_rule
from theorems.classical.gaussian_moments import standard
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    iff,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import (
    E,
    P,
    Random,
    Theorem,
    act,
    facts,
    inner,
    norm,
    principles,
    probabilities,
    sums,
)
from theorems.engine.rules.normal_variables import waves

_AT = "Proposition D.1"
_NOTE = "proofs_notes/attn_proofs.md#one-vector-after-the-other"

PAST = claim(
    "attn.propD1.past",
    at=_AT,
    title="A dot product is Gaussian given all vectors that come before its last one",
    states=sentence(
        r"\langle $A_matrix{$x_new}, $h_past\rangle \mid $known_past \sim \mathcal{N}\bigl("
        r"\textstyle\sum_k $c_past\langle $A_matrix{$x_past}, $h_past\rangle,"
        r" ($sigma_fresh\|$x_new - \sum_k $c_past $x_past\|\|$h_past\|)^{$square}/{$n}^{$power}"
        r"\bigr) \text{ for the $which } $best_past,"
        r"\ $known_past = ($x_new, $h_past, $x_past, $A_matrix{$x_past})_k",
        square=2,
        power=1,
        which=Choice("best coefficients", "best"),
    ),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_WORSE: dict[str, dict[str, Any]] = {
    "no coefficients": {"which": Choice("zero", "zero")},
    "another scaling": {"power": 2},
}
_RANGES = {sigma_fresh: NONNEGATIVE, n: SIZE}


@PAST.argued(
    bridge="Given the images of some vectors A keeps its law on the complement of these, also where"
    " each is chosen by means of the images before it; rows are Gaussian, and the noise in their"
    " products with x is independent of the images because it is uncorrelated with them.",
    controls=_WORSE,
    over=_RANGES,
)
def uncorrelated_noise(square: Any, power: Any, which: str) -> Obligations:
    """One row at width 3 and two earlier inputs: the covariances of its products with vectors."""
    n = 3
    x, first, second = (sp.Matrix(sp.symbols(f"{name}:{n}", real=True)) for name in "xyz")
    scale = Symbol("sigma", positive=True)
    gram = sp.Matrix([[first.dot(first), first.dot(second)], [first.dot(second), second.dot(second)]])
    best = gram.inv() * sp.Matrix([first.dot(x), second.dot(x)])
    c = best if which == "best" else sp.zeros(2, 1)
    left = x - c[0] * first - c[1] * second

    def covariance(u: sp.Matrix, v: sp.Matrix) -> Any:
        return scale**2 / n * u.dot(v)

    for name, one in (("first", first), ("second", second)):
        yield f"uncorrelated with the {name} image", sp.cancel(covariance(left, one)) == 0
    width, squared_left, squared_h = sp.symbols("n l h", positive=True)
    # <Ax, h> adds the row times h over the rows, which are independent
    noise = squared_h * (scale**2 / width * squared_left)
    stated = (scale**2 * squared_left * squared_h) ** Rational(square, 2) / width**power
    yield "variance over the rows", equal(noise, stated)


@PAST.estimated(draws=20_000, controls=_WORSE, over=_RANGES)
def crossed_inputs(
    rng: np.random.Generator, draws: int, square: float, power: float, which: str
) -> Iterator[MeanTest]:
    """At width 6 with u = Az, v = B y, and the product of A tanh v with B tanh u.

    Its standardised distance from the mean given the past has the second and fourth moments of a
    normal variable, and no correlation with the earlier product of u and B tanh u.
    """
    n, scale = 6, 1.5
    A = scale / np.sqrt(n) * rng.standard_normal((draws, n, n))
    B = rng.standard_normal((draws, n, n)) / np.sqrt(n)
    z, y = rng.standard_normal((2, draws, n))
    u, v = np.einsum("dij,dj->di", A, z), np.einsum("dij,dj->di", B, y)
    x, h = np.tanh(v), np.einsum("dij,dj->di", B, np.tanh(u))
    image, before = np.einsum("dij,dj->di", A, x), np.sum(u * h, axis=1)
    best = np.sum(x * z, axis=1) / np.sum(z * z, axis=1)
    c = best if which == "best" else np.zeros(draws)
    left = np.linalg.norm(x - c[:, None] * z, axis=1)
    size = (scale * left * np.linalg.norm(h, axis=1)) ** (square / 2) / n ** (power / 2)
    noise = (np.sum(image * h, axis=1) - c * before) / size
    yield mean_test(noise**2, 1.0, batches=200)
    yield mean_test(noise**4, 3.0, batches=200)
    yield mean_test(noise * np.tanh(best * before), 0.0, batches=200)


GIVEN_THE_PAST = Hypothesis(
    "given_the_past",
    "given all vectors that come before a new one, $newest is Gaussian with the mean $past_mean and"
    " the variance $past_variance; these, $earlier and $limit_mean are determined by those vectors,"
    " and $coefficient and $past_variance_limit are numbers",
    latex=r"$newest \mid \mathcal{F} \sim \mathcal{N}($past_mean, $past_variance)",
)
_t = coefficient
_PHASE, _LIMIT_PHASE = earlier + _t * past_mean, earlier + _t * limit_mean
_FACTOR, _LIMIT_FACTOR = exp(-(_t**2) * past_variance / 2), exp(-(_t**2) * past_variance_limit / 2)
_GAP = Abs(_t) * Abs(past_mean - limit_mean) + _t**2 * Abs(past_variance - past_variance_limit) / 2

STEP = claim(
    "attn.propD1.new_vector",
    at=_AT,
    title="A new dot product adds a Gaussian factor to the characteristic function, up to an error",
    states=le(Abs(E(cos(earlier + _t * newest)) - _LIMIT_FACTOR * E(cos(_LIMIT_PHASE))), E(Min(2, _GAP))),
    assuming=[GIVEN_THE_PAST],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_PRODUCTS = sp.symbols("d e p q", real=True)


def _of_products() -> Theorem:
    """|dp - eq| ≤ |p - q| + |d - e| for factors from 0 to 1 and numbers of size at most 1."""
    d, e, p, q = _PRODUCTS
    unit = both(*(le(0, one) for one in (d, e)), *(le(one, 1) for one in (d, e)))
    sizes = both(*(le(Abs(one), 1) for one in (p, q)))
    near = both(le(Abs(d * p - e * q), Abs(p - q) + Abs(d - e)), le(Abs(d * p - e * q), 2))
    return rules.follows(implies(both(unit, sizes), near))


def _pathwise(given: Given) -> tuple[Theorem, dict[Symbol, Any]]:
    """Cosines have slopes of size at most 1, and so has x to exp(-x) on the half-line."""
    s, m, limit = sp.symbols("s m m'", real=True)
    v, w, t = Symbol("v", real=True), past_variance_limit, coefficient
    over = {x: given.domain[x] for x in (t, w)} | dict.fromkeys((s, m, limit, v), sp.Reals)
    positive = [ge(v, 0)]
    angles, exponents = (s + t * m, s + t * limit), (t**2 * v / 2, t**2 * w / 2)
    known = [
        functions.slope_of_cosine(*angles),
        *(functions.cosine(one) for one in angles),
        functions.slope_of_exponential_below_zero(*exponents, under=positive),
        *(functions.exponential_below_zero(one, under=positive) for one in exponents),
    ]
    gap = Abs(t) * Abs(m - limit) + t**2 * Abs(v - w) / 2
    difference = exp(-(t**2) * v / 2) * cos(s + t * m) - exp(-(t**2) * w / 2) * cos(s + t * limit)
    sizes = rules.follows(
        both(
            eq(Abs(t * m - t * limit), Abs(t) * Abs(m - limit)),
            eq(Abs(t**2 * v / 2 - t**2 * w / 2), t**2 * Abs(v - w) / 2),
        ),
        over=over,
    )
    goal = le(Abs(difference), Min(2, gap))
    factors = (*(exp(-one) for one in exponents), *map(cos, angles))
    values = dict(zip(_PRODUCTS, factors, strict=True))
    split = _of_products().at(values, under=positive)
    bound = rules.follows(goal, [split, *known, sizes], under=positive)
    numbers = {s: earlier, m: past_mean, limit: limit_mean, v: past_variance}
    return rules.follows(implies(ge(v, 0), goal), [bound]), numbers


def _mean_given_the_past(given: Given) -> list[Theorem]:
    """E cos(s + tY) = E e^(-t²v/2) cos(s + tμ): given s, μ and v, Y is μ + √v g with g standard normal.

    Then cos(s + tμ + t√v g) is cos(s + tμ) cos(t√v g) - sin(s + tμ) sin(t√v g).
    """
    s, mean, b, conditional = sp.symbols("s m b conditional", real=True)
    v, g, drawn = Symbol("v", nonnegative=True), Random("g"), Random("mean given the past")
    step, angle = _t * sp.sqrt(v) * g, s + _t * mean
    split = eq(cos(angle + b), cos(angle) * cos(b) - sin(angle) * sin(b))
    addition = rules.follows(split, [functions.addition_of_angles(angle, b)])
    known = [
        given.supposed(GIVEN_THE_PAST, eq(conditional, E(cos(angle + step))), *standard(g).args),
        principles.expected_jointly(addition, {b: step}, over={v: NONNEGATIVE}),
        waves(g, _t * sp.sqrt(v)),
    ]
    here = rules.follows(eq(conditional, exp(-(_t**2) * v / 2) * cos(angle)), known)
    values = {s: earlier, mean: past_mean, v: past_variance, conditional: drawn}
    average = principles.expected_jointly(here, values)
    variance = given.supposed(GIVEN_THE_PAST, eq(P(ge(past_variance, 0)), 1))
    return [average, variance, tower_rule(given.meaning, cos(earlier + _t * newest), drawn)]


@STEP.proved()
def slopes_of_size_one(given: Given) -> Theorem:
    """The mean given the past is a cosine times an exponential, both of slopes at most one."""
    theorem, numbers = _pathwise(given)
    event, conclusion = ge(past_variance, 0), theorem.statement.args[1].xreplace(numbers)
    sure = [
        probabilities.surely(theorem, numbers),
        probabilities.implied_event(event, conclusion),
        facts.probability(conclusion),
    ]
    difference = _FACTOR * cos(_PHASE) - _LIMIT_FACTOR * cos(_LIMIT_PHASE)
    size = probabilities.expectation_of_size(difference)
    larger = probabilities.larger_mean(Abs(difference), Min(2, _GAP))
    return given.follows(*sure, *_mean_given_the_past(given), size, larger)


RELATIONS = claim(
    "attn.propD1.relations",
    at=_AT,
    title="Images under one matrix are linearly related in the limit only if the inputs are",
    states=iff(
        eq(sigma_weight * E((c_1 * Z_h1 + c_2 * Z_h2) ** 2), 0), eq(E((c_1 * Z_g1 + c_2 * Z_g2) ** 2), 0)
    ),
    assuming=[SAME_MATRIX],
    rests_on=["attn.def31"],
    discharging={LIMITS_OF_SCORES: "it is about scores, and what is used about vectors"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RELATIONS.proved()
def variances_are_proportional(given: Given) -> Theorem:
    """Both mean squares differ by the factor σ², which is positive."""
    return given.follows(given.fact("attn.def31", "images"))


BEST_APPROXIMATIONS = Hypothesis(
    "best_approximations",
    "$best_past and $best_limit are the coefficients of best approximations, whose normal equations"
    " have the Gram matrices $gram_past and $gram_limit and the mean products $products and"
    " $products_limit; $least_eigenvalue is the least eigenvalue of the first",
    latex=r"$gram_past $best_past = $products,\quad $gram_limit $best_limit = $products_limit,\quad"
    r" \langle w, $gram_past w\rangle \ge $least_eigenvalue \|w\|^2",
)

COEFFICIENTS = claim(
    "attn.propD1.coefficients",
    at=_AT,
    title="Coefficients and means given the past are near their limits where mean products are",
    states={
        "coefficients": le(
            least_eigenvalue * norm(best_past - best_limit),
            norm(products - products_limit) + norm(act(gram_past, best_limit) - act(gram_limit, best_limit)),
        ),
        "means": le(
            Abs(inner(best_past, past_products) - inner(best_limit, past_products)),
            norm(best_past - best_limit) * norm(past_products),
        ),
    },
    assuming=[BEST_APPROXIMATIONS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COEFFICIENTS.proved("coefficients")
def form_at_the_difference(given: Given) -> Theorem:
    """With w = c - c̊, λ|w|² ≤ ⟨w, Gw⟩ = ⟨w, b - b̊ - (Gc̊ - G̊c̊)⟩."""
    w = best_past - best_limit
    shift = act(gram_past, best_limit) - act(gram_limit, best_limit)
    normal = [
        eq(inner(v, act(matrix, c)), inner(v, b))
        for v in (best_past, best_limit)
        for matrix, c, b in ((gram_past, best_past, products), (gram_limit, best_limit, products_limit))
    ]
    least = le(least_eigenvalue * inner(w, w), inner(w, act(gram_past, w)))
    known = given.supposed(BEST_APPROXIMATIONS, *normal, least)
    rest = products - products_limit - shift
    sizes = [facts.cauchy_schwarz(w, rest), facts.triangle(products - products_limit, -shift)]
    return given.follows(known, *sizes)


@COEFFICIENTS.proved("means")
def product_of_norms(given: Given) -> Theorem:
    """The Cauchy-Schwarz inequality."""
    return given.follows(facts.cauchy_schwarz(best_past - best_limit, past_products))


ONE_BY_ONE = Hypothesis(
    "one_by_one",
    "the last of so many vectors adds to a combination of dot products what attn.propD1.new_vector"
    " says; what is left without it has the coefficients to which the limit of its mean adds",
    latex=r"|\chi(k + 1) - e^{-\mathring V(k)/2}\chi(k)| \le \eta(k), \quad \mathring V(k) \ge 0",
)


def _upto(one: Any) -> Any:
    return sp.Sum(one(vector_number), (vector_number, 0, vectors_made - 1))


ALL_STEPS = claim(
    "attn.propD1.steps",
    at=_AT,
    title="Errors of single steps add up to the distance from the Gaussian characteristic function",
    states=le(Abs(phase_mean(vectors_made) - exp(-_upto(noise) / 2) * phase_mean(0)), _upto(step_error)),
    assuming=[ONE_BY_ONE],
    rests_on=[STEP],
    discharging={GIVEN_THE_PAST: "it describes one step"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ALL_STEPS.proved()
def one_step_after_the_other(given: Given) -> Theorem:
    """By induction: a factor e^(-V/2) is at most one, and exponentials of sums are products."""
    n, i = Symbol("n", integer=True, nonnegative=True), Symbol("i", integer=True)
    factor = exp(-noise(n) / 2)
    step = given.supposed(
        ONE_BY_ONE, le(Abs(phase_mean(n + 1) - factor * phase_mean(n)), step_error(n)), ge(noise(n), 0)
    )
    least = functions.exponential_below_zero(noise(n) / 2, under=[ge(noise(n), 0)])
    shorter, longer = (sp.Sum(noise(i), (i, 0, m - 1)) for m in (n, n + 1))
    split = facts.exponential_of_sum(-longer / 2, -shorter / 2, -noise(n) / 2)
    errors = sp.Sum(step_error(i), (i, 0, n - 1))
    goal = le(Abs(phase_mean(n) - exp(-shorter / 2) * phase_mean(0)), errors)
    general = sums.by_recursion(goal, n, premises=[step, least, split])
    return given.follows(general.at({n: vectors_made}))
