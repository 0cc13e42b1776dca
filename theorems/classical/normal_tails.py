"""Tails of a standard normal variable by the error function, and Gordon's bounds of them.

>>> t = Symbol("t", positive=True)
>>> print(gordon(Random("g"), t, over={t: _POSITIVE}).statement)
(P(Abs(g) >= t) <= sqrt(2)*exp(-t**2/2)/(sqrt(pi)*t)) & (... <= P(Abs(g) >= t))
"""

from sympy import Abs, Expr, Interval, Symbol, diff, erf, exp, log, oo, pi, sqrt, symbols

from theorems.classical.gaussian_moments import standard
from theorems.engine import both, eq, ge, implies, le, lt, rules
from theorems.engine.rules import P, Random, Theorem, facts, principles
from theorems.engine.rules.facts import Consequence, Fact
from theorems.engine.rules.normal_variables import normal_tail

__all__ = ["distribution", "gordon"]

_X, _t, _s = Random("X"), Symbol("t", nonnegative=True), Symbol("s", positive=True)
_p, _q, _u = symbols("p q u", real=True)
_c = Symbol("c", nonnegative=True)
_SIZES, _POSITIVE = Interval(0, oo), Interval.open(0, oo)

_HEIGHT = sqrt(2 / pi)
_FAR = 1 + _HEIGHT

#: P(|X| ≥ t) = 1 - erf(t/√2) for t ≥ 0 (Johnson, Kotz and Balakrishnan, Continuous univariate
#: distributions, volume 1, section 13.2).
distribution = Fact(
    "distribution function of a standard normal variable",
    eq(P(ge(Abs(_X), _t)), 1 - erf(_t / sqrt(2))),
    (_X, _t),
    ((_t, _SIZES),),
    under=standard(_X).args,
)


def _bell(t: Expr) -> Expr:
    return _HEIGHT * exp(-(t**2) / 2)


def _tail(t: Expr) -> Expr:
    return 1 - erf(t / sqrt(2))


def _far_out() -> list[Theorem]:
    """The gaps are at least -a/s: tail and density are between 0 and 1/s, as log s ≤ s²/2."""
    over, under = {_s: _POSITIVE, _X: _X.belongs_to}, standard(_X).args
    law = [fact(_X, _s) for fact in (distribution, normal_tail)]
    bell = exp(-(_s**2) / 2)
    tails = rules.follows(both(ge(_tail(_s), 0), le(_tail(_s), bell)), law, under=under)
    grows = facts.exponential_increases(-log(_s), -(_s**2) / 2)
    known = [facts.logarithm_below_tangent(_s), grows]
    small = rules.follows(le(bell * _s, 1), known, over=over)
    goals = [ge(_s * gap, -_FAR) for gap in _gaps(_tail(_s), _bell(_s), _s)]
    return [rules.follows(one, [tails, small, *_above()], under=under) for one in goals]


def _gaps(tail: Expr, density: Expr, t: Expr) -> tuple[Expr, Expr]:
    """How far the tail is above the lower bound, and below the upper one."""
    return tail - density * t / (t**2 + 1), density / t - tail


def _above() -> list[Theorem]:
    """The gaps are at least -(1 + c)/s where tail and bell are not negative and at most 1/s."""
    inside = [ge(_q, 0), le(_q, _p), le(_p * _s, 1)]
    goals = [implies(both(*inside), ge(_s * gap, -1 - _c)) for gap in _gaps(_q, _c * _p, _s)]
    at = {_q: _tail(_s), _p: exp(-(_s**2) / 2), _c: _HEIGHT}
    known = [rules.follows(one) for one in goals]
    return [one.at(at) for one in known]


def _between() -> list[Theorem]:
    """What P(|X| ≥ t) is above and below falls, and is at least -a/s at each s: it is positive."""
    far = _far_out()
    known = [_positive(*one) for one in zip(_gaps(_tail(_u), _bell(_u), _u), far, strict=True)]
    return [*known, distribution(_X, _t, over={_t: _POSITIVE})]


def _positive(gap: Expr, far: Theorem) -> Theorem:
    """The gap at t is at least that at s ≥ t, which is at least -a/s: take s = t - 2a/gap."""
    slope = rules.follows(le(diff(gap, _u), 0), over={_u: _POSITIVE})
    falls = principles.increasing(slope, gap, _u, _s)
    here, over = gap.xreplace({_u: _t}), {_t: _POSITIVE, _s: _POSITIVE}
    falls = falls.at({_u: _t}, over=over)
    goal = implies(le(_t, _s), ge(here * _s, -_FAR))
    near = rules.follows(goal, [falls, far], under=far.under)
    beyond = near.at({_s: _t - 2 * _FAR / here}, under=[lt(here, 0)])
    over = {x: range_ for x, range_ in beyond.over.items() if x != _s}
    return rules.follows(ge(here, 0), [beyond], under=far.under)


#: √(2/π) t e^(-t²/2)/(t² + 1) ≤ P(|X| ≥ t) ≤ √(2/π) e^(-t²/2)/t for t > 0 (R. D. Gordon, Annals of
#: Mathematical Statistics 12, 1941).
gordon = Consequence(
    "Gordon's bounds of the normal tail",
    both(le(_bell(_t) * _t / (_t**2 + 1), P(ge(Abs(_X), _t))), le(P(ge(Abs(_X), _t)), _bell(_t) / _t)),
    (_X, _t),
    ((_t, _POSITIVE),),
    under=standard(_X).args,
    known=_between,
)
