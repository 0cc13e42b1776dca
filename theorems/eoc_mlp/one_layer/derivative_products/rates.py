"""Proposition 18: the best rate of its tails, and the printed form with two regimes."""

from fractions import Fraction
from typing import Any

from sympy import (
    Abs,
    Expr,
    Function,
    Integer,
    Interval,
    Min,
    Ne,
    S,
    Sum,
    Symbol,
    cosh,
    diff,
    exp,
    expand,
    log,
    sqrt,
    tanh,
)

from symbolic.equality import equal
from theorems.classical.functions import by_exponentials
from theorems.classical.steps import event_within
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    interval,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import P, Random, Theorem, facts, probabilities, sums
from theorems.engine.rules.facts import exponential_increases, logarithm_below_tangent, logarithm_of_product
from theorems.engine.rules.principles import drawn, increasing
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import WIDTH_OF_LAYER, ZERO_IS_ORTHOGONAL
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, kappa, kappa_phi, phi_prime, range_length
from theorems.eoc_mlp.letters.backpropagation import tail_slopes, tail_slopes_scaled
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.cosines import varrho_prime as varrho_prime_of
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import C, lam, threshold
from theorems.eoc_mlp.one_layer.derivative_products.concentration import (
    MEANINGS,
    NOTE,
    PRODUCTS,
    WEAKER,
    WITH_A_KINK,
)

_RATE = ((1 + threshold) * log(1 + threshold) + (1 - threshold) * log(1 - threshold)) / 2
_LEADING = 2 * threshold**2 / range_length(1) ** 2
_LEGENDRE = lam * threshold - log(cosh(lam))
_REACHED = implies(eq(threshold, tanh(lam)), eq(_LEGENDRE, _RATE))

SHARP_18 = claim(
    "eoc.prop18.best",
    at="Proposition 18",
    title="The rate 2/L² is attained for the absolute value and orthogonal inputs",
    states={
        "conjugate": le(_LEGENDRE, _RATE),
        "reached": _REACHED,
        "small deviations": [le(_LEADING, _RATE), le(_RATE, _LEADING + threshold**4 / 9)],
        "rate": sentence(
            r"\Delta_\phi = $share,\ \rho = $cosine \implies \lim_{M\to\infty}"
            r" \frac{\log\mathbb{P}(X'_{k,k} \ge $threshold)}{M} = $value",
            share=1,
            cosine=0,
            value=-_RATE,
        ),
    },
    given={threshold: interval(0, Fraction(1, 2))},
    rests_on=["eoc.prop18.values", "eoc.prop18.range"],
    discharging=MEANINGS,
    provenance=Provenance.DERIVED,
    note=NOTE,
)


def _positive_cosh() -> Theorem:
    """cosh λ is the mean of e^λ and e^(-λ), so positive."""
    mean, known = eq(cosh(lam), (exp(lam) + exp(-lam)) / 2), by_exponentials(lam)
    return rules.follows(both(mean, gt(cosh(lam), 0)), [known])


@SHARP_18.proved("conjugate")
def below_the_rate(given: Given) -> Theorem:
    """log x ≤ x - 1 at x = e^(±λ)/((1 ± t)cosh λ), averaged with the weights (1 ± t)/2."""
    letters, positive = given.domain, [gt(cosh(lam), 0)]
    known = [_positive_cosh()]
    for sign in (1, -1):
        weight = 1 + sign * threshold
        x = exp(sign * lam) / (weight * cosh(lam))
        known.append(logarithm_of_product(x, weight * cosh(lam), over=letters, under=positive))
        known.append(logarithm_of_product(weight, cosh(lam), over=letters, under=positive))
        known.append(logarithm_below_tangent(x, over=letters, under=positive))
    return given.follows(*known)


@SHARP_18.proved("reached")
def at_the_best_multiplier(given: Given) -> Theorem:
    """1 ± tanh λ = e^(±λ)/cosh λ."""
    positive = [gt(cosh(lam), 0)]
    ratios = {sign: exp(sign * lam) / cosh(lam) for sign in (1, -1)}
    return given.follows(
        by_exponentials(lam),
        *(logarithm_of_product(ratio, cosh(lam), under=positive) for ratio in ratios.values()),
        goal=_REACHED,
    )


@SHARP_18.proved("small deviations")
def compare_second_derivatives(given: Given) -> Theorem:
    """Both differences and their slopes vanish at 0, and their second derivatives are above 0."""
    range_ = given.domain[threshold]
    leading = unfolded(_LEADING)
    excess = (_RATE - leading, leading + threshold**4 / 9 - _RATE)
    return given.follows(*(_above_zero(one, range_) for one in excess), goal=unfolded(given.goal))


def _above_zero(function: Expr, range_: Any) -> Theorem:
    """A function of t is at least 0 if it and its slope are 0 at t = 0, and it is convex."""
    over = {threshold: range_}
    slope = diff(function, threshold)
    known = rules.follows(ge(diff(slope, threshold), 0), over=over)
    for one in (slope, function):
        grows = increasing(known, one, threshold, _OTHER)
        at_zero = grows.at({threshold: 0, _OTHER: threshold})
        known = rules.follows(ge(one, 0), [at_zero])
    return known


_OTHER = Symbol("other", real=True)


@SHARP_18.argued(
    "rate",
    bridge="By Cramér's theorem the rate of the tail of a mean is the supremum over λ of λt less"
    " the logarithm of the exponential moment of a summand.",
    over={threshold: interval(0, 1)},
)
def fair_coin(share: int, cosine: int, value: Expr) -> Obligations:
    """The summands are 1 and -1 with the same chance; the supremum is taken at artanh t."""
    mean = unfolded(varrho_prime_of(Integer(cosine), Integer(share)))
    values = {one.subs(DELTA, share) for one in PRODUCTS}
    yield "two values", values == {Integer(1), Integer(-1)}
    yield "mean 0", equal(mean, S.Zero)
    inside = {threshold: Interval.open(0, 1)}
    best = log((1 + threshold) / (1 - threshold)) / 2
    yield "e^(2λ)", equal(exp(2 * best), (1 + threshold) / (1 - threshold), inside)
    square = (exp(2 * best) + 1) ** 2 / (4 * exp(2 * best))
    yield "cosh²λ", equal(square, 1 / (1 - threshold**2), inside)
    logarithm = (-log(1 - threshold) - log(1 + threshold)) / 2
    top = threshold * (log(1 + threshold) - log(1 - threshold)) / 2 - logarithm
    yield "the supremum", equal(expand(top), expand(-value), inside)


REGIMES = claim(
    "eoc.prop18.two_regimes",
    at="Proposition 18, proof; Proposition 19, proof",
    title="The minimum of two exponents as one fraction",
    states=ge(
        Min(threshold**2 / (C * sqrt(gamma) * kappa**2) ** 2, threshold / (C * sqrt(gamma) * kappa**2))
        * gamma
        * m,
        threshold**2 / ((C * kappa**2) ** 2 / m + C * kappa**2 / m * threshold),
    ),
    given={C: half_line(0, closed=False)},
)


@REGIMES.proved()
def harmonic_sum(given: Given) -> Theorem:
    """min{A, B} ≥ AB/(A + B) = t²/(t²/A + t²/B), and γ^(1/2) ≥ 1."""
    return given.follows()


_SCALE = kappa_phi(DELTA) ** 2
_FRACTION = threshold**2 / ((sqrt(2) * _SCALE / sqrt(m)) ** 2 + C * _SCALE / m * threshold)

PROP_18 = claim(
    "eoc.prop18",
    at="Proposition 18",
    title="Concentration of products of derivatives",
    states=le(tail_slopes_scaled, 2 * exp(-_FRACTION)),
    assuming=[ZERO_IS_ORTHOGONAL, WIDTH_OF_LAYER],
    rests_on=["eoc.prop18.explicit", "eoc.prop18.range"],
    note=NOTE,
)


@PROP_18.proved()
def compare_with_the_root_of_two(given: Given) -> Theorem:
    """With O(x) = √2 x for the first O the linear term is not needed, whatever its constant C."""
    numbers = {x: given.domain[x] for x in (threshold, DELTA, gamma, m, M, C)}
    root = threshold / sqrt(gamma)
    whole = {**numbers, tail_slopes_scaled: interval(0, 1)}
    at_root = {tail_slopes: tail_slopes_scaled, threshold: root}
    return given.follows(
        given.fact("eoc.prop18.explicit", "simple").at(at_root, over={**whole, DELTA: WITH_A_KINK}),
        *_of_the_identity(given),
        exponential_increases(-_FRACTION, WEAKER.subs(threshold, root), over=numbers),
    )


def _of_the_identity(given: Given) -> list[Theorem]:
    """The slopes of the identity are all equal, so that X' does not deviate from its mean."""
    deviation = Random("deviation")
    large, none = P(ge(deviation, threshold)), P(eq(deviation, 0))
    over = {deviation: deviation.belongs_to, threshold: given.domain[threshold]}
    return [
        given.meaning("tail_slopes_scaled", eq(tail_slopes_scaled, large)),
        rules.follows(implies(eq(DELTA, 0), eq(none, 1)), [_without_a_kink(given, deviation)]),
        event_within(ge(deviation, threshold), Ne(deviation, 0), over, under=[gt(threshold, 0)]),
        probabilities.complement(eq(deviation, 0)),
        facts.probability(ge(deviation, threshold)),
    ]


def _without_a_kink(given: Given, deviation: Random) -> Theorem:
    """γ^(1/2)|X' - ϱ'(ρ)| = 0 in every draw if Δ = 0: then b = 0, φ' = a, σ²a² = 1 and ϱ' = 1."""
    draw, unit = (Symbol(name, integer=True, nonnegative=True) for name in ("draw", "unit"))
    preactivations = (Function(f"preactivation of input {k}", real=True)(unit, draw) for k in (1, 2))
    first, second = (unfolded(phi_prime(one, a, b)) for one in preactivations)
    product, size = SIGMA**2 * first * second, Symbol("Gaussian norm", positive=True)
    mean, off = (Function(name, real=True)(draw) for name in ("mean product of slopes", "deviation"))
    limit, flat = unfolded(varrho_prime_of(rho, DELTA)), [eq(DELTA, 0)]
    numbers = {x: given.ranging(x)[x] for x in (a, b, SIGMA, DELTA, M, gamma, rho)}
    network = given.meaning(
        "the coefficients by the share of the absolute value and the norm, and the scale of weights",
        eq(Abs(b), size * sqrt(DELTA)),
        eq(Abs(a), size * sqrt(1 - DELTA)),
        eq(SIGMA, 1 / size),
    )
    draws = {**numbers, unit: integers(0), draw: integers(0)}
    each = rules.follows(eq(product, 1), [network], over=draws, under=flat)
    added = sums.summed(each, unit, M, over={x: range_ for x, range_ in draws.items() if x != unit})
    meant = given.meaning(
        "the mean product of slopes in a draw, and how far it is from its mean",
        eq(mean, Sum(product, (unit, 0, M - 1)) / M),
        eq(off, sqrt(gamma) * Abs(mean - limit)),
    )
    whole = sums.linear(added.statement.rhs, over={M: numbers[M]})
    zero = rules.follows(eq(off, 0), [added, whole, meant], under=flat)
    return drawn(zero, {off: deviation}, draw)
