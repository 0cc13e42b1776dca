"""Means of bounded functions of a normal variable, enclosed by rigorous integration."""

from fractions import Fraction
from typing import Any

import sympy
from flint import acb, arb
from sympy import Expr, Rational

from numeric.balls import working_precision
from numeric.quadrature import Growth, enclose_expectation
from theorems.engine.rules.certificates import ball_function
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import E, normal

__all__ = ["gaussian_mean"]

#: Functions that are meromorphic and, for real arguments, of size at most 1.
_BOUNDED = (sympy.tanh, sympy.sin, sympy.cos)
_BITS = 128


def gaussian_mean(law: Theorem, form: Expr, variance: Rational, bits: int = _BITS) -> Theorem:
    """The mean of a bounded function of a normal variable lies between two rational numbers.

    ``law`` says normal(X), and the conclusion is for E X² = ``variance``.  ``form`` is a polynomial
    in hyperbolic tangents, sines and cosines of polynomials in X: these are meromorphic, as
    rigorous integration needs, and their size bounds what lies beyond its reach.  The radius is
    about 2^-``bits``.  Raises TypeError for other functions and laws, ValueError for a variance
    that is no nonnegative rational number.

    >>> from theorems.engine.rules.leaves import claimed
    >>> from theorems.engine.rules.vocabulary import Random
    >>> X = Random("X")
    >>> law = claimed("c", normal(X), over={X: X.belongs_to})
    >>> mean = gaussian_mean(law, sympy.cos(X), Rational(2), bits=24)
    >>> mean.statement.args[0], float(mean.statement.args[1].args[0].rhs)
    (Eq(E(X**2), 2), 0.367879...)
    """
    genuine(law)
    if not isinstance(law.statement, normal) or len(law.statement.args) > 1:
        raise TypeError(f"the law must say that a variable is normal, got {law.statement}")
    (X,) = law.statement.args
    if not (variance.is_Rational and variance >= 0):
        raise ValueError(f"variance must be a nonnegative rational number, got {variance}")
    if extra := form.free_symbols - {X}:
        raise ValueError(f"the function must be one of {X}, got {extra} in it")
    low, high = _enclosure(form, X, variance, bits)
    mean = E(form)
    between = sympy.And(sympy.Ge(mean, low, evaluate=False), sympy.Le(mean, high, evaluate=False))
    statement = sympy.Implies(sympy.Eq(E(X**2), variance, evaluate=False), between, evaluate=False)
    detail = f"between {float(low)} and {float(high)}, a distance of {float(high - low):.1e}"
    what = Trust("certificate", f"mean of {form} for a normal variable of variance {variance}", detail)
    return make(statement, law.over, law.under, [*law.trusts, what])


def _enclosure(form: Expr, X: Any, variance: Rational, bits: int) -> tuple[Rational, Rational]:
    compiled = ball_function(form)

    def integrand(u: acb, _piece: int, _analytic: bool) -> acb:
        return acb(compiled(**{X.name: u}))

    bound = _size(form, X)
    ball = enclose_expectation(
        integrand,
        variance=Fraction(int(variance.p), int(variance.q)),
        growth=Growth(Fraction(int(bound.p), int(bound.q)), 0),
        prec=bits,
    )
    if not ball.is_finite():
        raise NotProved("undecided", f"the mean of {form} could not be enclosed")
    with working_precision(2 * bits):  # in which the ends are rounded outwards
        return _rational(ball.lower()), _rational(ball.upper())


def _rational(end: arb) -> Rational:
    number = end.fmpq()
    return Rational(int(number.p), int(number.q))


def _size(form: Expr, X: Any) -> Rational:
    """A bound of the function on the whole line."""
    if form.is_Rational:
        return abs(form)
    inside = form.args[0] if isinstance(form, _BOUNDED) else None
    if inside is not None and inside.is_real and inside.is_polynomial(X):
        return Rational(1)
    if form.is_Add:
        return sympy.Add(*(_size(one, X) for one in form.args))
    if form.is_Mul:
        return sympy.Mul(*(_size(one, X) for one in form.args))
    if form.is_Pow and form.exp.is_Integer and form.exp > 0:
        return _size(form.base, X) ** form.exp
    raise TypeError(f"no bound is known for {form}")
