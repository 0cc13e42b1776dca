"""Means of functions of normal variables: by their density, and of squares of lengths.

>>> from sympy import exp
>>> G, u = Random("G"), Symbol("u", real=True)
>>> print(by_density(u**2, u, G, GaussianMean(u**2, u)).statement)
Eq(E(G**2), GaussianMean(u**2, u))
"""

from collections.abc import Callable, Iterable
from typing import Any

from sympy import (
    Add,
    Expr,
    Implies,
    Integral,
    Ne,
    Piecewise,
    Range,
    Rational,
    Reals,
    Sum,
    Symbol,
    exp,
    gamma,
    oo,
    pi,
    simplify,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from theorems.classical.gaussian_moments import standard
from theorems.engine import both, eq, ge, gt, lt, rules
from theorems.engine.rules import E, P, Random, Theorem, principles, probabilities, sums
from theorems.engine.rules.facts import Consequence, Fact, probability
from theorems.engine.rules.normal_variables import no_atoms, symmetric_law
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import chi_squared, normal, randoms

__all__ = [
    "by_covariance",
    "by_density",
    "exponential_moment",
    "mean_of_chi",
    "mean_square_of_length",
    "positive_half",
    "step",
]

_length, _degrees = Random("length"), Symbol("degrees of freedom", integer=True, positive=True)
_r = Symbol("r", positive=True)
_chi_density = (
    _r ** (_degrees - 1) * exp(-(_r**2) / 2) / (2 ** (Rational(1, 2) * _degrees - 1) * gamma(_degrees / 2))
)
mean_of_chi = Fact(
    "density of the root of a chi-square variable",
    eq(E(_length), Integral(_r * _chi_density, (_r, 0, oo))),
    (_length, _degrees),
    ((_degrees, Range(1, oo)),),
    under=(chi_squared(_length**2, _degrees), eq(P(ge(_length, 0)), 1)),
)

_n = Symbol("n", integer=True, nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
_g, _X, _Y = randoms("g"), Random("G"), Random("H")
_t, _u = symbols("t u", real=True)


def by_density(
    form: Expr, u: Symbol, X: Random, mean: Expr, *, over: Over | None = None, under: Iterable[Boolean] = ()
) -> Theorem:
    """E f(X) for a standard normal variable X is the integral of f(u) exp(-u²/2)/√(2π).

    ``mean`` is that integral, over the line or as a sum of two over the half-lines from 0 on, one
    for u and one for -u; which SymPy checks.  Raises ValueError for another one.
    """
    if not _is_mean(form, u, mean):
        raise ValueError(f"{mean} is not the integral of {form} with the normal density")
    name, said = "density of a standard normal variable", eq(E(form.subs(u, _X)), mean)
    ranges, conditions = dict(over or {}), (*under, *standard(_X).args)
    fact = Fact(name, said, (_X, *ranges), tuple(ranges.items()), conditions)
    return fact.theorem.at({_X: X})


def by_covariance(
    form: Expr, values: tuple[Symbol, Symbol], pair: tuple[Expr, Expr], scales: tuple[Expr, Expr],
    rho: Expr, *, over: Over,
) -> Theorem:  # fmt: skip
    """E f(X, Y) = E f(su, tv) for centred, jointly normal X and Y, as covariances tell their law.

    E X² = s², E Y² = t² and E XY = ρst are hypotheses; u and v, the ``values`` of which ``form`` is
    a function, are standard normal with the correlation ρ, and v = ρu if that is 1 or -1.  See
    Billingsley, Probability and Measure, 1995, Section 29.  Raises ValueError for another integer.

    >>> X, Y, u, v = Random("X"), Random("Y"), *symbols("u v", real=True)
    >>> print(by_covariance(u * v, (u, v), (X, Y), (2, 1), 1, over={}).statement)
    Eq(E(X*Y), GaussianMean(2*u**2, u))
    """
    (u, v), (s, t) = values, scales
    along = isinstance(rho, int)
    if along and abs(rho) != 1:
        raise ValueError(f"a correlation that is an integer must be 1 or -1, got {rho}")
    at = form.subs({u: s * u, v: rho * t * u if along else t * v}, simultaneous=True)
    mean = GaussianMean(at, u) if along else GaussianMean(at, u, v, rho)
    law = eq(E(_X**2), s**2), eq(E(_Y**2), t**2), eq(E(_X * _Y), rho * s * t)
    between = () if along else (gt(rho, -1), lt(rho, 1))
    said = eq(E(form.subs({u: _X, v: _Y})), mean)
    under = (normal(_X, _Y), *law, *between)
    letters = both(said, *law, *between).free_symbols - {_X, _Y}
    ranges = tuple((x, over[x]) for x in letters)
    fact = Fact("a normal law by its covariance", said, (_X, _Y, *letters), ranges, under)
    return fact(*pair, *letters)


def _is_mean(form: Expr, u: Symbol, mean: Expr) -> bool:
    if isinstance(mean, GaussianMean):
        return bool(mean == GaussianMean(form, u))
    v = Symbol("v", positive=True)
    density, parts = exp(-(v**2) / 2) / sqrt(2 * pi), Add.make_args(mean)
    halves = [form.subs(u, side * v) for side in (1, -1)]
    if len(parts) == 1:
        return _agree(parts[0], (-oo, oo), form * density.subs(v, u), u)
    orders = (halves, halves[::-1])
    return len(parts) == 2 and any(
        all(_agree(one, (0, oo), f * density, v) for one, f in zip(parts, order, strict=True))
        for order in orders
    )


def _agree(integral: Expr, ends: tuple[Any, Any], integrand: Expr, letter: Symbol) -> bool:
    """Whether an integral is that of the integrand between these ends."""
    if not isinstance(integral, Integral) or tuple(integral.limits[0][1:]) != ends:
        return False
    return bool(simplify(integral.function.subs(integral.variables[0], letter) - integrand) == 0)


def _completed_square() -> list[Theorem]:
    """The integral of e^(tu) with the density, which SymPy carries out, t being real."""
    integral = Integral(exp(_t * _u) * exp(-(_u**2) / 2) / sqrt(2 * pi), (_u, -oo, oo))
    steps = [Step(exp(_t**2 / 2), "complete the square", _integrated)]
    value = Derivation("Exponential moments of a standard normal variable", "", integral, steps)
    law = by_density(exp(_t * _u), _u, _X, integral, over={_t: Reals})
    return [law, rules.derived(value)]


def _integrated(before: Expr, after: Expr) -> Decision:
    return decide_equal(before.doit(), after)


#: E e^(tX) = e^(t²/2) for a standard normal variable X and all real t.
exponential_moment = Consequence(
    "exponential moments of a standard normal variable",
    eq(E(exp(_t * _X)), exp(_t**2 / 2)),
    (_X, _t),
    under=standard(_X).args,
    known=_completed_square,
)


def step(u: Expr) -> Expr:
    """1 if u is positive, and else 0."""
    return Piecewise((1, u > 0), (0, True))


def _one_of_both_signs() -> list[Theorem]:
    """X or -X is positive, unless X is 0, and both are so with one probability."""
    both = step(_X) + step(-_X)
    one = rules.follows(Implies(Ne(_u, 0), eq(step(_u) + step(-_u), 1)))
    known = [principles.more_probable(one, _u, _X), no_atoms(_X, 0), probability(eq(both, 1))]
    sure = rules.follows(eq(P(eq(both, 1)), 1), known, under=_NOT_CONSTANT)
    return [sure, probabilities.equal_means(both, 1), symmetric_law(step(_u), _u, _X)]


_NOT_CONSTANT = normal(_X), gt(E(_X**2), 0)

#: P(X > 0) = 1/2 for a normal variable that is not constant.
positive_half = Consequence(
    "a normal variable is positive half of the time",
    eq(E(step(_X)), Rational(1, 2)),
    (_X,),
    under=_NOT_CONSTANT,
    known=_one_of_both_signs,
)


def mean_square_of_length(says: Callable[..., Theorem], length: Random, size: Expr) -> Theorem:
    """E |g|² = n for the length of n standard normal variables: the means of their squares, added.

    ``says`` gives the leaf that says what the length stands for.
    """
    squares = Sum(E(_g(_i) ** 2), (_i, 0, _n - 1))
    each = says("standard normal variables", eq(E(_g(_n) ** 2), 1))
    counted = sums.by_recursion(eq(squares, _n), _n, premises=[each])
    meant = says(f"{length}, of standard normal variables,", eq(E(length**2), squares.xreplace({_n: size})))
    there = counted.at({_n: size})
    goal = eq(E(length**2), size)
    return rules.follows(goal, [there, meant])
