"""Exact expectations of functions of two correlated Gaussian variables.

With rho = cos t, t in (0, pi), the pair is u1 = r cos(theta), u2 = r cos(theta - t), where theta
is uniform on the circle and r has the density r exp(-r^2 / 2). A monomial of degree k leaves
2^(k/2) Gamma(k/2 + 1) for the radius; the signs are constant on four sectors of the circle, and
on each the angle integrates as a trigonometric polynomial. `symbolic.gaussian.polar` checks
these facts step by step.
"""

from collections import defaultdict
from functools import cache
from typing import Any

import sympy
from sympy import Add, Expr, Mul, Symbol, asin, cos, exp, gamma, pi, sin, sqrt

from symbolic.arguments import CORRELATION, POSITIVE, exact_in, pair, symbol
from symbolic.gaussian.sectors import SECTORS, trigonometric_antiderivative
from symbolic.gaussian.signed_polynomials import SignedMonomial, signed_monomials
from symbolic.gaussian.univariate import expectation
from symbolic.normal_form import lower_sines
from symbolic.notation import t, theta


def bivariate_expectation(
    f: Any, u1: Symbol, u2: Symbol, rho: Any, variances: tuple[Any, Any] = (1, 1)
) -> Expr:
    """Compute E f(u1, u2) for centred normals with correlation rho and the given variances.

    f is a polynomial in u1, u2, their signs and absolute values, or a polynomial times exp of a
    linear form in u1, u2, or a sum of such terms. rho is an exact number in [-1, 1] or an
    expression; at rho = 1 and -1 the pair is degenerate, u2 = rho u1, and the expectation is
    univariate. A cosine rho = cos(t) of a symbol gives the answer in t, for t in (0, pi).
    Raises ValueError for an f of another form and for arguments outside their domain.

    >>> x, y, rho = sympy.symbols("x y rho", real=True)
    >>> bivariate_expectation(sympy.sign(x) * sympy.sign(y), x, y, rho)
    2*asin(rho)/pi
    >>> bivariate_expectation(sympy.Abs(x * y), x, y, -1)
    1
    >>> bivariate_expectation(x * y * exp(x), x, y, "1/2")
    exp(1/2)
    """
    symbol(u1, "u1")
    symbol(u2, "u2")
    correlation = exact_in(rho, "rho", CORRELATION)
    scaled = _scaled(sympy.sympify(f), (u1, u2), pair(variances, "variances", of="v1, v2"))
    if correlation in (1, -1):
        return expectation(scaled.subs(u2, correlation * u1), u1)
    total = sympy.S.Zero
    for exponent, factor in _by_exponential(scaled, (u1, u2)).items():
        total += _tilted(factor, exponent, (u1, u2), correlation)
    return sympy.expand(total)


def _scaled(f: Expr, variables: tuple[Symbol, Symbol], variances: tuple[Any, Any]) -> Expr:
    """Write f in standard normals: signs do not see the scale, powers do."""
    spreads = [sqrt(exact_in(variance, "variances", POSITIVE)) for variance in variances]
    replacements = {x: s * x for x, s in zip(variables, spreads, strict=True) if s != 1}
    return f.subs(replacements, simultaneous=True) if replacements else f


def _by_exponential(f: Expr, variables: tuple[Symbol, Symbol]) -> dict[Expr, Expr]:
    """Group the terms of f by the exponent of their exponential factor."""
    groups: dict[Expr, Expr] = defaultdict(lambda: sympy.S.Zero)
    for term in Add.make_args(sympy.expand(f, power_exp=False)):
        factors = Mul.make_args(term)
        tilts = [g for g in factors if isinstance(g, exp) and g.has(*variables)]
        exponent = sympy.expand(Add(*[g.exp for g in tilts]))
        groups[exponent] += Mul(*[g for g in factors if g not in tilts])
    return groups


def _tilted(factor: Expr, exponent: Expr, variables: tuple[Symbol, Symbol], rho: Expr) -> Expr:
    """Remove exp(alpha u1 + beta u2) by moving the mean to Sigma (alpha, beta)."""
    if exponent == 0:
        terms = signed_monomials(factor, variables)
        return Add(*[term.coefficient * _in_rho(_moment(term), rho) for term in terms])
    linear = sympy.Poly(exponent, *variables)
    if linear.total_degree() > 1 or factor.has(sympy.sign, sympy.Abs):
        raise ValueError(
            "f must be a polynomial with signs and absolute values, or a polynomial times exp "
            f"of a linear form, got {factor * exp(exponent)}"
        )
    (x, y), (alpha, beta) = variables, [linear.coeff_monomial(v) for v in variables]
    moved = {x: x + alpha + rho * beta, y: y + rho * alpha + beta}
    growth = (alpha**2 + 2 * rho * alpha * beta + beta**2) / 2 + linear.coeff_monomial(1)
    rest = _tilted(factor.subs(moved, simultaneous=True), sympy.S.Zero, variables, rho)
    return exp(sympy.expand(growth)) * rest


def _in_rho(moment: Expr, rho: Expr) -> Expr:
    """Write a polynomial in t, sin t and cos t in rho = cos t."""
    if isinstance(rho, cos) and rho.args[0].is_Symbol:
        return moment.xreplace({t: rho.args[0]})
    sine = sqrt(sympy.factor(1 - rho**2)) if rho.is_number else sqrt(1 - rho**2)
    return moment.xreplace({cos(t): rho, sin(t): sine}).xreplace({t: pi / 2 - asin(rho)})


def _moment(term: SignedMonomial) -> Expr:
    return _polar_moment(term.powers, term.signs)


@cache
def _polar_moment(powers: tuple[int, int], signs: tuple[int, int]) -> Expr:
    """E u1^i u2^j sgn(u1)^e sgn(u2)^f for rho = cos t, as a polynomial in t, sin t, cos t."""
    antiderivative = trigonometric_antiderivative(cos(theta) ** powers[0] * cos(theta - t) ** powers[1])
    angular = sympy.S.Zero
    for sector in SECTORS:
        weight = sector.signs[0] ** signs[0] * sector.signs[1] ** signs[1]
        angular += weight * (
            antiderivative.subs(theta, sector.end) - antiderivative.subs(theta, sector.start)
        )
    return lower_sines(sympy.expand_trig(angular).expand()) * radial_moment(sum(powers))


def radial_moment(degree: int) -> Expr:
    """Compute E r^degree / (2 pi) for the radius, with density r exp(-r^2 / 2).

    >>> radial_moment(2)
    1/pi
    """
    half = sympy.Rational(degree, 2)
    return 2**half * gamma(half + 1) / (2 * pi)
