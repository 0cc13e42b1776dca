"""Gaussian variables with a random variance: how near their law is to that of the mean variance."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Piecewise, Rational, Reals, Symbol, exp, pi, sqrt

from theorems.classical.letters import V, claim, mixture, normal, normal_cdf, place
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, half_line, implies, le, lt, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.normal_variables import fourth_moment
from theorems.engine.rules.vocabulary import independent
from theorems.engine.rules.vocabulary import normal as is_normal
from theorems.engine.statements.values import unfolded

_NOTE = "proofs_notes/attn_mixtures.md#gaussian-mixtures"
_HALF = Rational(1, 2)

GAUSSIAN_MIXTURE = Hypothesis(
    "gaussian_mixture",
    "$g is a standard normal variable that is independent of $V, and $V is almost surely nonnegative",
    latex=r"$g \sim \mathcal{N}(0, 1) \text{ independent of } $V, \quad $V \ge 0",
)
POSITIVE_MEAN = Hypothesis("positive_mean_variance", "the mean of $V is positive", formula=gt(E(V), 0))

DISTANCE = claim(
    "classical.gaussian_mixtures",
    at="Gaussian mixtures",
    title="A Gaussian with a random variance is near the Gaussian if that variance hardly varies",
    states=le(
        Abs(P(le(normal * sqrt(V), place)) - normal_cdf(place / sqrt(E(V)))),
        (E(V**2) - E(V) ** 2) / (2 * E(V) ** 2),
    ),
    assuming=[GAUSSIAN_MIXTURE, POSITIVE_MEAN],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_y, _r = Symbol("y", nonnegative=True), Symbol("r", nonnegative=True)
_any = Symbol("z", real=True)
_w, _v = Symbol("w", nonnegative=True), Symbol("v", nonnegative=True)
_mean = Symbol("mu", positive=True)
_POSITIVE, _SIZES = half_line(0, closed=False), half_line(0)
#: Where the bound by the second derivative gives way to that by concavity.
_SMALL = Rational(19, 50)


def chance_at(level: Expr, variance: Expr) -> Expr:
    """The chance not to exceed a level, given the variance."""
    positive = normal_cdf(level / sqrt(variance)), variance > 0
    return Piecewise(positive, (1, level >= 0), (0, True))


def slope_at(level: Expr) -> Expr:
    """The derivative of the chance by the variance, at the variance 1."""
    v = Symbol("v", positive=True)
    return sp.diff(unfolded(normal_cdf(level / sqrt(v))), v).subs(v, 1)


def _gap(value: Expr, level: Expr, variance: Expr) -> Expr:
    """The distance of the chance from its tangent at the variance 1."""
    return value - normal_cdf(level) - slope_at(level) * (variance - 1)


def root_of_two_pi() -> Theorem:
    """√2√π is at least 5/2, and the parts of it are positive."""
    archimedes = rules.decided(ge(pi, Rational(25, 8)))
    product = sqrt(2) * sqrt(pi)
    return rules.follows(ge(product, Rational(5, 2)), [archimedes])


def _sizes_of_slopes() -> Theorem:
    """te^(-t²/2) and t(3 - t²)e^(-t²/2) are small: e^(-8r²) is at most (1 + r²)^(-8), t = 4r."""
    t = 4 * _r
    tangent = facts.exponential_above_tangent(_r**2)
    falls, power = exp(-(t**2) / 2), (1 + _r**2) ** 8
    small = rules.follows(le(falls * power, 1), [tangent])
    bound = 10 * _SMALL**2
    polynomials = [
        rules.follows(le(left, right * power))
        for left, right in ((t * (3 - t**2), bound), (t * (t**2 - 3), bound), (t, 1))
    ]
    goal = both(le(Abs(t * (3 - t**2) * falls), bound), le(t * falls, 1))
    return rules.follows(goal, [small, *polynomials])


_rho = Symbol("rho", positive=True)


def _bend(level: Expr, root: Expr) -> Expr:
    """The second derivative of the chance by the variance, where this has the given root."""
    v = Symbol("v", positive=True)
    return sp.diff(unfolded(normal_cdf(level / sqrt(v))), v, 2).subs(v, root**2)


def _small_bend() -> Theorem:
    """The second derivative is at most 1 in size from the variance 0.38 on."""
    under = [ge(_rho**2, _SMALL)]
    sizes = _sizes_of_slopes().at({_r: _y / (4 * _rho)})
    t = _y / _rho
    shape = Abs(t * (3 - t**2) * exp(-(t**2) / 2))
    bounded = rules.follows(le(shape, 10 * _SMALL**2), [sizes])
    value = Abs(_bend(_y, _rho))
    same = rules.follows(eq(value, shape / (4 * sqrt(2) * sqrt(pi) * _rho**4)), [])
    return rules.follows(le(value, 1), [bounded, same, root_of_two_pi()], under=under)


#: That Φ(-y) = 1 - Φ(y).
EVEN = Fact("the normal density is even", eq(normal_cdf(-_any), 1 - normal_cdf(_any)), (_any,))
_PLACE = {_y: _SIZES, _w: _POSITIVE}
_POINT = {_y: _SIZES, _w: _SIZES}
_far = normal_cdf(_y / sqrt(_w))
_CONCAVE = Fact(
    "the normal distribution function increases to 1, and is concave, on the half line",
    both(
        le(_HALF, normal_cdf(_y)),
        le(_far, 1),
        implies(le(_w, 1), le(normal_cdf(_y), _far)),
        implies(le(_w, 1), ge(normal_cdf(_y), sqrt(_w) * _far + (1 - sqrt(_w)) * _HALF)),
    ),
    (_y, _w),
    tuple(_PLACE.items()),
)


def root_between(order: int) -> Expr:
    """The root of a variance between 1 and w, where the derivative of that order is taken."""
    root: Expr = sp.Function(f"rho_{order}", positive=True)(_y, _w)
    return root


def taylor(order: int, gap: Expr, derivative: Expr) -> Theorem:
    """The chance is Taylor's polynomial at the variance 1, and a remainder of that order.

    The chance is a function of the variance, and its derivatives are SymPy's.
    """
    remainder = derivative * (_w - 1) ** order / sp.factorial(order)
    square, name = root_between(order) ** 2, "Taylor's theorem with Lagrange's remainder"
    says = both(eq(gap, remainder), le(sp.Min(1, _w), square), le(square, sp.Max(1, _w)))
    return Fact(name, says, (_y, _w), tuple(_PLACE.items())).theorem


def _of_large_variances() -> Theorem:
    under, between = [ge(_w, _SMALL)], root_between(2)
    bent = _small_bend().at({_rho: between}, over=_PLACE)
    gap = _gap(normal_cdf(_y / sqrt(_w)), _y, _w)
    known = [taylor(2, gap, _bend(_y, between)), bent]
    return rules.follows(le(Abs(gap), (_w - 1) ** 2 / 2), known, under=under)


def _of_small_variances() -> Theorem:
    """Below 0.38 concavity bounds the growth by (1 - √w)/2; the tangent has fallen to 1/4."""
    under, root = [lt(_w, _SMALL)], sqrt(_w)
    far = normal_cdf(_y / root)
    sizes = _sizes_of_slopes().at({_r: _y / 4})
    slope = rules.follows(
        both(le(slope_at(_y), 0), ge(slope_at(_y), -Rational(1, 4))), [sizes, root_of_two_pi()], over=_PLACE
    )
    golden = rules.follows(le((1 - root) / 2, (_w - 1) ** 2 / 2), over=_PLACE, under=under)
    goal = le(Abs(_gap(far, _y, _w)), (_w - 1) ** 2 / 2)
    return rules.follows(goal, [_CONCAVE.theorem, slope, golden], under=under)


def _near_tangent(level: Expr, variance: Expr, mean: Expr) -> Any:
    """The two inequalities between the chance, its tangent at the mean and a parabola."""
    size = level / sqrt(mean)
    line = normal_cdf(size) + slope_at(size) * (variance / mean - 1)
    parabola = (variance / mean - 1) ** 2 / 2
    chance = chance_at(level, variance)
    return le(chance, line + parabola), ge(chance, line - parabola)


def _on_the_half_line() -> Theorem:
    """Without variance the chance is 1, and Φ lies between 1/2 and 1."""
    positive = [_of_large_variances(), _of_small_variances()]
    sizes = _sizes_of_slopes().at({_r: _y / 4})
    goal = both(*_near_tangent(_y, _w, sp.S.One))
    known = [*positive, _CONCAVE(_y, 1), sizes, root_of_two_pi()]
    return rules.follows(goal, known, over=_POINT)


@cache
def near_the_tangent() -> Theorem:
    """By symmetry: Φ(-y) = 1 - Φ(y), and so for the chances."""
    right = _on_the_half_line()
    over = {_any: Reals, _w: _SIZES}
    goal = both(*_near_tangent(_any, _w, sp.S.One))
    scaled = EVEN(_any / sqrt(_w), over={_any: Reals, _w: _POSITIVE})
    above = right.at({_y: _any}, under=[ge(_any, 0)])
    below = right.at({_y: -_any}, under=[lt(_any, 0)])
    sides = [
        rules.follows(goal, [above], under=[ge(_any, 0)]),
        rules.follows(goal, [below, EVEN.theorem, scaled], over=over, under=[lt(_any, 0)]),
    ]
    return rules.cases(sides)


@cache
def _of_any_mean() -> tuple[Theorem, ...]:
    """The chance at the level z and the variance v is that at z/√μ and v/μ."""
    scale = {_any: _any / sqrt(_mean), _w: _v / _mean}
    scaled = near_the_tangent().at(scale)
    goals = _near_tangent(_any, _v, _mean)
    return tuple(rules.follows(one, [scaled]) for one in goals)


_g, _V = Random("g"), Random("V")
chance_given_the_variance = Fact(
    "the chance of a normal variable times an independent factor, by its chance for each factor",
    eq(P(le(_g * sqrt(_V), _any)), E(chance_at(_any, _V))),
    (_g, _V, _any),
    under=(is_normal(_g), eq(E(_g**2), 1), independent(_g, _V), eq(P(ge(_V, 0)), 1)),
)


@dataclass(frozen=True)
class Mixture:
    """A value Z that by a hypothesis of a claim is normal with the random variance V, and a level.

    It is g√V for a standard normal g that is independent of V ≥ 0.
    """

    given: Given
    hypothesis: Hypothesis
    value: Expr
    level: Expr

    @property
    def over(self) -> dict[Symbol, Any]:
        """The ranges of all letters."""
        letters = {*self.value.free_symbols, normal, V}
        numbers = {x: self.given.domain[x] for x in self.level.free_symbols}
        return {**{x: x.belongs_to for x in letters if hasattr(x, "belongs_to")}, **numbers}

    @property
    def law(self) -> tuple[Any, ...]:
        """That g is standard normal and independent of V, which is not negative."""
        return is_normal(normal), eq(E(normal**2), 1), independent(normal, V), eq(P(ge(V, 0)), 1)

    def distance_by_variance(self) -> Theorem:
        """|P(Z ≤ x) - Φ(x/√EV)| ≤ Var V/(2(EV)²), if EV > 0.

        The chance given V differs from its tangent at EV by at most (V/EV - 1)²/2; take means.
        """
        under, chance = [gt(E(V), 0)], P(le(self.value, self.level))
        means = [
            principles.expected(each, _v, V).at({_any: self.level, _mean: E(V)}, over=self.over, under=under)
            for each in _of_any_mean()
        ]
        law = [
            self.given.supposed(self.hypothesis, *self.law, eq(chance, P(le(normal * sqrt(V), self.level)))),
            chance_given_the_variance(normal, V, self.level, over=self.over),
        ]
        gap = Abs(chance - normal_cdf(self.level / sqrt(E(V))))
        goal = le(gap, (E(V**2) - E(V) ** 2) / (2 * E(V) ** 2))
        return rules.follows(goal, [*law, *means], over=self.over, under=under)

    def moments(self) -> Theorem:
        """E Z² = E V and E Z⁴ = 3 E V², as E g² = 1 and E g⁴ = 3."""
        g, Z = normal, self.value
        law = self.given.supposed(
            self.hypothesis, *self.law, *(eq(E(Z**k), E((g * sqrt(V)) ** k)) for k in (2, 4))
        )
        apart = (facts.powers_of_independent(g, V, k, k // 2) for k in (2, 4))
        products = (*apart, *(facts.expectation_of_independent(g**k, V ** (k // 2)) for k in (2, 4)))
        goal = both(eq(E(Z**2), E(V)), eq(E(Z**4), 3 * E(V**2)))
        return rules.follows(goal, [law, fourth_moment(g), *products], over=self.over)

    def distance(self) -> Theorem:
        """|P(Z ≤ x) - Φ(x/√EZ²)| ≤ (EZ⁴/(EZ²)² - 3)/6, as that is Var V/(2(EV)²), if EZ² > 0."""
        square, fourth = E(self.value**2), E(self.value**4)
        gap = Abs(P(le(self.value, self.level)) - normal_cdf(self.level / sqrt(square)))
        goal, known = le(gap, (fourth / square**2 - 3) / 6), [self.distance_by_variance()]
        return rules.follows(goal, [*known, self.moments()], over=self.over, under=[gt(square, 0)])


@DISTANCE.proved()
def parabolas_around_the_tangent(given: Given) -> Theorem:
    """From the tangent of the chance as a function of the variance."""
    law = Mixture(given, GAUSSIAN_MIXTURE, normal * sqrt(V), place)
    return given.follows(law.distance_by_variance())


MIXTURE = Hypothesis(
    "mixture",
    "$Z is a standard normal variable $g times the root of a nonnegative variance $V that is"
    " independent of it",
    latex=r"$Z = $g\sqrt{$V}, \quad $g \sim \mathcal{N}(0, 1) \text{ independent of } $V \ge 0",
)
NOT_ZERO = Hypothesis("mixture_is_not_zero", "$Z is not almost surely zero", formula=gt(E(mixture**2), 0))

KURTOSIS = claim(
    "classical.gaussian_mixtures.kurtosis",
    at="Gaussian mixtures",
    title="A Gaussian mixture is within a sixth of its excess kurtosis of the Gaussian",
    states={
        "distance": le(
            Abs(P(le(mixture, place)) - normal_cdf(place / sqrt(E(mixture**2)))),
            (E(mixture**4) / E(mixture**2) ** 2 - 3) / 6,
        ),
        "excess": ge(E(mixture**4), 3 * E(mixture**2) ** 2),
    },
    assuming=[MIXTURE, NOT_ZERO],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@KURTOSIS.proved("distance")
def moments_of_the_variance(given: Given) -> Theorem:
    """The excess kurtosis is 3 Var V/(E V)²."""
    return given.follows(Mixture(given, MIXTURE, mixture, place).distance())


@KURTOSIS.proved("excess")
def variance_of_the_variance(given: Given) -> Theorem:
    """E V² is at least (E V)²."""
    law = Mixture(given, MIXTURE, mixture, place)
    return given.follows(law.moments(), facts.expectation_of_square(V))
