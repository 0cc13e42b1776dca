"""Exact expectations of functions of one Gaussian variable."""

from functools import cache
from typing import Any

import sympy
from sympy import Abs, Add, Dummy, Expr, Mul, Symbol, erf, exp, pi, sign, sqrt

from symbolic.arguments import POSITIVE, exact_in, symbol


def expectation(f: Any, u: Symbol, variance: Any = 1) -> Expr:
    r"""Compute E f(u) for u ~ N(0, variance), exactly.

    f is a sum of products of a polynomial in u, sgn(u), |u| and exp of a quadratic in u. On
    each half line the integrand is x^k exp(beta x - alpha x^2 / 2), whose integral follows from

    .. math:: \alpha J_{k+1} = \beta J_k + k J_{k-1} + [k = 0], \quad
        J_0 = \sqrt{\tfrac{\pi}{2\alpha}}\, e^{\beta^2/2\alpha}
              \bigl(1 + \operatorname{erf}(\beta/\sqrt{2\alpha})\bigr).

    Raises ValueError if f has another form, if the variance is not positive, or if the
    expectation is known to be infinite.

    >>> u, s = sympy.symbols("u s", positive=True)
    >>> v = sympy.Symbol("v", real=True)
    >>> expectation(Abs(v) ** 3, v), expectation(v**4, v, s**2), expectation(exp(v**2 / 4), v)
    (2*sqrt(2)/sqrt(pi), 3*s**4, sqrt(2))
    >>> expectation(exp(v**2), v)
    Traceback (most recent call last):
      ...
    ValueError: f must have a finite expectation, got exp(v**2)
    """
    symbol(u, "u")
    spread = sqrt(exact_in(variance, "variance", POSITIVE))
    x = Dummy("x", positive=True)
    scaled = sympy.sympify(f).xreplace({u: spread * u}) if spread != 1 else sympy.sympify(f)
    halves = [_on_half_line(scaled, u, side, x) for side in (1, -1)]
    total = sum((_half_line_integral(half, x, f) for half in halves), sympy.S.Zero)
    return sympy.powsimp(sympy.expand(total / sqrt(2 * pi)))


def _on_half_line(f: Expr, u: Symbol, side: int, x: Symbol) -> Expr:
    """Resolve the signs on one half line, where u = side * x with x > 0."""
    return f.subs({Abs(u): x, sign(u): side}).subs(u, side * x)


def _half_line_integral(f: Expr, x: Symbol, given: Expr) -> Expr:
    """Integrate f(x) exp(-x^2 / 2) over x > 0, term by term."""
    total = sympy.S.Zero
    for term in Add.make_args(sympy.expand(f, power_exp=False)):
        exponent, rest = _split_exponential(term)
        try:
            quadratic = sympy.Poly(exponent - x**2 / 2, x)
            polynomial = sympy.Poly(rest, x)
        except sympy.PolynomialError as error:
            raise ValueError(_wanted(given)) from error
        if quadratic.degree() > 2:
            raise ValueError(_wanted(given))
        total += _moments(polynomial, quadratic, x, given)
    return total


def _split_exponential(term: Expr) -> tuple[Expr, Expr]:
    factors = Mul.make_args(term)
    exponents = [factor.exp for factor in factors if isinstance(factor, exp)]
    return Add(*exponents), Mul(*[f for f in factors if not isinstance(f, exp)])


def _moments(polynomial: sympy.Poly, quadratic: sympy.Poly, x: Symbol, given: Expr) -> Expr:
    alpha = -2 * quadratic.coeff_monomial(x**2)
    beta, constant = quadratic.coeff_monomial(x), quadratic.coeff_monomial(1)
    if alpha.is_nonpositive:
        raise ValueError(f"f must have a finite expectation, got {given}")
    moments = [coefficient * _half_moment(power, alpha, beta) for (power,), coefficient in polynomial.terms()]
    return exp(constant) * Add(*moments)


@cache
def _half_moment(k: int, alpha: Expr, beta: Expr) -> Expr:
    """Integral of x^k exp(beta x - alpha x^2 / 2) over x > 0."""
    if k == 0:
        gauss = sqrt(pi / (2 * alpha)) * exp(beta**2 / (2 * alpha))
        return gauss * (1 + erf(beta / sqrt(2 * alpha)))
    lower = (k - 1) * _half_moment(k - 2, alpha, beta) if k > 1 else sympy.S.One
    return sympy.expand((beta * _half_moment(k - 1, alpha, beta) + lower) / alpha)


def _wanted(f: Expr) -> str:
    return (
        "f must be a sum of polynomials in the variable times signs, absolute values and "
        f"exponentials of quadratics, got {f}"
    )
