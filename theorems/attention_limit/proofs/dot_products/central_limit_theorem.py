"""Lemma D.2: when normalised sums of exchangeable variables become Gaussian."""

from typing import Any

from sympy import (
    Abs,
    Integer,
    Rational,
    Symbol,
    cos,
    diff,
    exp,
    expand,
    factorial,
    integrate,
    limit,
    oo,
    pi,
    sqrt,
)

from symbolic.equality import equal
from theorems.attention_limit.letters.dot_products import deviation, distance, fourth, size_of_third, u, width
from theorems.attention_limit.letters.table import claim
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Severity,
    half_line,
    integers,
    le,
    reals,
    sentence,
)

_NOTE = "proofs_notes/attn_proofs.md#exchangeable-sequences-of-finite-length"

THREE_CONDITIONS = Hypothesis(
    "three_conditions",
    "the n variables of a row have mean zero, and as n grows their variance tends to that of the"
    " limit, the mean product of two of them is of smaller order than 1/n, the mean product of two"
    " squares tends to the square of the limit's variance, and the third absolute moment is of"
    " smaller order than the root of n",
    latex=r"\mathbb{E}X_1 = 0,\quad \mathbb{E}X_1^2 \to $sigma_limit^2,\quad"
    r" \mathbb{E}X_1X_2 = o(1/n),\quad \mathbb{E}X_1^2X_2^2 \to $sigma_limit^4,\quad"
    r" \mathbb{E}|X_1|^3 = o(\sqrt{n})",
)

LIMIT = claim(
    "attn.lemD2",
    at="Lemma D.2",
    title="Normalised sums of exchangeable variables with three conditions become Gaussian",
    states=sentence(
        r"$X_row \text{ $which} \implies"
        r" \mathbb{E}\cos($u{$S_row}) \to e^{-($u{$sigma_limit})^{$square} / $twice}",
        which=Choice("exchangeable", "exchangeable"),
        square=2,
        twice=2,
    ),
    assuming=[THREE_CONDITIONS],
    note=_NOTE,
)


def _covariance_of_signs(width: int, total: int) -> Any:
    """The mean of X₁X₂ for signs that are uniform among those with the given sum."""
    ups = (width + total) // 2
    downs = width - ups
    return Integer(ups * (ups - 1) + downs * (downs - 1) - 2 * ups * downs) / (width * (width - 1))


@LIMIT.refuted(
    severity=Severity.FALSE, controls={"extendible": {"which": Choice("infinitely extendible", "extendible")}}
)
def signs_with_a_fixed_sum(which: str, square: Any, twice: Any) -> Obligations:
    """Signs, uniform among those with the sum ±√n: uncorrelated, and the normalised sum is ±1.

    Then σ = 1, (a) holds because the covariance is 0, (b) and (c) because |X| = 1; n is a square.
    """
    widths = [k**2 for k in (2, 3, 4, 7)]
    for n in widths:
        sums = [k for k in range(-n, n + 1, 2) if k**2 == n]
        yield f"the sum may be ±√n at n = {n}", len(sums) == 2
        each = [_covariance_of_signs(n, total) for total in sums]
        yield f"no covariance at n = {n}", bool(sum(each) == 0)
    n, k = Symbol("n", positive=True), Symbol("k", integer=True, positive=True)
    # E(X₁ + ... + X_n)² = n + n(n - 1) E X₁X₂, and the sum is ±√n
    covariance = (sqrt(n) ** 2 - n) / (n * (n - 1))
    yield "no covariance at any square", covariance == 0
    yield "k² is as odd as k", bool((k * (k - 1)).is_even)
    yield "it is one of the sequences", which == "exchangeable"
    # E cos(uS) = cos(u) for every n; the limit at u = π would be positive.
    stated = exp(-(u**square) / twice)
    x = Symbol("x", real=True)
    normal = integrate(cos(u * x) * exp(-(x**2) / 2) / sqrt(2 * pi), (x, -oo, oo))
    yield "it is that of a normal variable", equal(normal, stated)
    yield "the limit is another one", bool(cos(pi) < 0 < stated.subs(u, pi))


INDEPENDENT_GIVEN = Hypothesis(
    "independent_given",
    "given some further variables, the $width variables are independent with the same law of mean"
    " zero; the variance given these differs from its limit by $deviation in mean, its square has"
    " the mean $fourth, and the third absolute moment is $size_of_third",
    latex=r"\mathbb{E}|V - \sigma_*^2| = $deviation,\quad \mathbb{E}V^2 = $fourth,\quad"
    r" \mathbb{E}|X_1|^3 = $size_of_third",
)

CORRECTED = LIMIT.corrected(
    "attn.lemD2.corrected",
    title="Sums of conditionally independent variables are near the Gaussian, at every width",
    states=le(
        distance,
        u**2 * deviation / 2 + Abs(u) ** 3 * size_of_third / (6 * sqrt(width)) + u**4 * fourth / (8 * width),
    ),
    assuming=[INDEPENDENT_GIVEN],
    note=_NOTE,
)


@CORRECTED.argued(
    bridge="Given the further variables the characteristic function is a product, whose distance"
    " from the product of e^(-u²V/2n) is at most n times that of one factor; both factors are near"
    " 1 - u²V/2n by Taylor's theorem, and x to e^(-x) has slopes between -1 and 0.",
    uses=[INDEPENDENT_GIVEN],
    over={
        **dict.fromkeys((distance, deviation, size_of_third, fourth), half_line(0)),
        width: integers(1),
        u: reals(),
    },
)
def three_distances(given: Given) -> Obligations:
    """The distances of V from its limit, of a factor from a parabola, and of that from e^(-x)."""
    given.require(INDEPENDENT_GIVEN)
    limits = u**2 * deviation / 2
    factor = (Abs(u) / sqrt(width)) ** 3 * size_of_third / 6
    parabola = (u**2 / (2 * width)) ** 2 * fourth / 2
    together = limits + width * (factor + parabola)
    goal = given.goal
    yield "a bound of the distance", goal == le(distance, goal.rhs)
    yield "the three together", equal(expand(together), goal.rhs)
    x = Symbol("x", nonnegative=True)
    series = [diff(exp(-x), x, k).subs(x, 0) / factorial(k) for k in range(3)]
    yield "parabola of e^(-x), and its remainder", series == [1, -1, Rational(1, 2)]
    yield "slopes of e^(-x) at both ends", (series[1], limit(exp(-x), x, oo)) == (-1, 0)
