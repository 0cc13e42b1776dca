"""Example 3.1 with two tokens: the variance given the scores, and the excess kurtosis in digits."""

from fractions import Fraction
from functools import cache
from typing import Any

from flint import acb, arb, fmpz
from sympy import Expr, Rational, tanh

from numeric.balls import working_precision
from numeric.quadrature import Growth, enclose_expectation
from theorems.attention_limit.letters.limit import (
    delta,
    first_weight,
    second_weight,
    sigma_11,
    sigma_12,
    sigma_22,
    variance_at,
    weight_gap,
)
from theorems.attention_limit.letters.table import claim
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    both,
    eq,
    iff,
    implies,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import ball_function
from theorems.engine.statements.values import unfolded

_AT = "Example 3.1; Remark 3.3"
_NOTE = "proofs_notes/attn_laws.md#two-tokens"


def _at_gap(h: Expr) -> Any:
    return variance_at(h, sigma_11, sigma_12, sigma_22)


_FORM = (
    first_weight**2 * sigma_11
    + 2 * first_weight * second_weight * sigma_12
    + second_weight**2 * sigma_22
)

VARIANCE = claim(
    "attn.kurtosis.two_tokens",
    at=_AT,
    title="The variance of an output of two tokens given the scores, by the gap of the weights",
    states={
        "variance": implies(
            eq(first_weight + second_weight, 1), eq(_FORM, _at_gap(first_weight - second_weight))
        ),
        "closed form": eq(_at_gap(weight_gap), _at_gap(weight_gap).unfolded()),
        "constant": iff(
            both(
                eq(_at_gap(weight_gap), _at_gap(0)),
                eq(_at_gap(-weight_gap), _at_gap(0)),
            ),
            both(
                eq((sigma_11 - sigma_22) * weight_gap, 0),
                eq((sigma_11 - 2 * sigma_12 + sigma_22) * weight_gap, 0),
            ),
        ),
    },
    given=[sigma_11, sigma_12, sigma_22, first_weight, second_weight, weight_gap],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@VARIANCE.proved("variance", "closed form")
def weights_by_their_gap(given: Given) -> Theorem:
    """The weights are (1 + h)/2 and (1 - h)/2."""
    return given.follows(goal=unfolded(given.goal))


@VARIANCE.proved("constant")
def at_two_opposite_gaps(given: Given) -> Theorem:
    """At h and -h the variance differs from that at 0 by a multiple of h and one of its square."""
    return given.follows(goal=unfolded(given.goal))


_Q = (1 + tanh(delta / 2) ** 2) / 2
#: Where its sign or scale does not matter, the variance is no slot of numbers.
_WRITTEN = Choice(r"\tfrac{1 + \tanh^2(\delta/2)}{2}", _Q)
_FLOOR = r"\lfloor {$ten}^{$places} \, "
_LAW = r"\delta \sim \mathcal{N}(\mu, $variance),\ \mu = $mean: \quad "

DIGITS = claim(
    "attn.kurtosis.digits",
    at=_AT,
    title="Mean, second moment and excess kurtosis for two uncorrelated tokens of unit variance",
    states={
        "mean": sentence(
            _LAW + _FLOOR + r"\mathbb{E} [$form] \rfloor = $digits",
            mean=0,
            variance=2,
            ten=10,
            places=23,
            form=_Q,
            digits=63683815396836945450914,
        ),
        "second moment": sentence(
            _LAW + _FLOOR + r"\mathbb{E} [{($form)}^{$power}] \rfloor = $digits",
            mean=0,
            variance=2,
            ten=10,
            places=23,
            form=_WRITTEN,
            power=2,
            digits=42178275627968800751326,
        ),
        "kurtosis": sentence(
            _LAW
            + _FLOOR
            + r"\frac{$three}{$heads} \left(\frac{\mathbb{E} [{($form)}^{$power}]}"
            + r"{{\mathbb{E} [$form]}^{$power}} - $one\right) \rfloor = $digits",
            mean=0,
            variance=2,
            ten=10,
            places=23,
            form=_WRITTEN,
            power=2,
            three=3,
            heads=1,
            one=1,
            digits=11998083075720871692944,
        ),
    },
    given=[delta],
    rests_on=[VARIANCE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_ENCLOSED = (
    "The integral is enclosed by rigorous integration in ball arithmetic, whose error beyond a"
    " radius is bounded by that of a bounded function; hyperbolic tangents are at most 1."
)


@cache
def _moment(form: Expr, power: Expr, variance: Expr, mean: Expr) -> arb:
    """A ball around E form(δ)^power for δ ~ N(mean, variance)."""
    function = ball_function(form)

    def integrand(u: acb, _piece: int, analytic: bool) -> acb:
        value = acb(function(delta=u + acb(_ball(mean))))
        if Rational(power).is_Integer:
            return value ** int(power)
        return (acb(_ball(power)) * value.log(analytic=analytic)).exp()

    number = Fraction(int(Rational(variance).p), int(Rational(variance).q))
    return enclose_expectation(integrand, variance=number, growth=Growth(4, 0), prec=110)


def _ball(value: Any) -> arb:
    return arb(fmpz(int(Rational(value).p))) / arb(fmpz(int(Rational(value).q)))


def begins(value: arb, ten: Any, places: Any, digits: Any) -> bool | None:
    """Whether the integer part of value · ten^places is this, decided in balls."""
    with working_precision(160):
        shifted = value * _ball(ten) ** _ball(places)
        low, high = _ball(digits), _ball(digits) + 1
        inside = bool(shifted >= low) and bool(shifted < high)
        outside = bool(shifted < low) or bool(shifted >= high)
    return True if inside else False if outside else None


@DIGITS.argued("mean", bridge=_ENCLOSED)
def mean_of_the_variance(
    mean: Any, variance: Any, ten: Any, places: Any, form: Expr, digits: Any
) -> Obligations:
    """E q, q = (1 + tanh²(δ/2))/2."""
    yield "digits", begins(_moment(form, 1, variance, mean), ten, places, digits)


@DIGITS.argued("second moment", bridge=_ENCLOSED)
def mean_of_its_square(
    mean: Any, variance: Any, ten: Any, places: Any, form: Expr, power: Any, digits: Any
) -> Obligations:
    """E q²."""
    yield "digits", begins(_moment(form, power, variance, mean), ten, places, digits)


@DIGITS.argued("kurtosis", bridge=_ENCLOSED)
def ratio_in_balls(
    mean: Any, variance: Any, ten: Any, places: Any, form: Expr, power: Any, three: Any,
    heads: Any, one: Any, digits: Any,
) -> Obligations:  # fmt: skip
    """3(E q²/(E q)² - 1)."""
    first, second = (_moment(form, k, variance, mean) for k in (1, power))
    with working_precision(160):
        value = _ball(three) / _ball(heads) * (second / first ** _ball(power) - _ball(one))
    yield "digits", begins(value, ten, places, digits)
