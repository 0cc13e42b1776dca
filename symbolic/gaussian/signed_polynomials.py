"""Polynomials in Gaussian variables, their signs and their absolute values.

Almost surely |u| = u sgn(u) and sgn(u)^2 = 1, so every such expression is a sum of
coefficient * u1^i u2^j sgn(u1)^e sgn(u2)^f with e, f in {0, 1}.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sympy
from sympy import Abs, Dummy, Expr, Mul, Symbol, sign


class SignedMonomial(NamedTuple):
    """A coefficient, the powers of the variables, and the powers (0 or 1) of their signs."""

    coefficient: Expr
    powers: tuple[int, ...]
    signs: tuple[int, ...]


def signed_monomials(f: Expr, variables: Sequence[Symbol]) -> Iterator[SignedMonomial]:
    """Split a polynomial in variables, signs and absolute values into its monomials.

    Raises ValueError if f is not of that form.

    >>> x, y, c = sympy.symbols("x y c", real=True)
    >>> list(signed_monomials(c * Abs(x) * sign(x * y), [x, y]))
    [SignedMonomial(coefficient=c, powers=(1, 0), signs=(0, 1))]
    """
    dummies = [Dummy("s") for _ in variables]
    polynomial = split_signs(sympy.sympify(f))
    for variable, dummy in zip(variables, dummies, strict=True):
        polynomial = polynomial.subs({Abs(variable): variable * dummy, sign(variable): dummy})
    try:
        terms = sympy.Poly(polynomial, *variables, *dummies).terms()
    except sympy.PolynomialError as error:
        raise ValueError(_wanted(f, variables)) from error
    for exponents, coefficient in terms:
        if coefficient.has(*variables, *dummies):
            raise ValueError(_wanted(f, variables))
        count = len(variables)
        signs = tuple(power % 2 for power in exponents[count:])
        yield SignedMonomial(coefficient, tuple(exponents[:count]), signs)


def split_signs(f: Expr) -> Expr:
    """Write |x y| as |x| |y| and sgn(x y) as sgn(x) sgn(y).

    >>> x, y = sympy.symbols("x y", real=True)
    >>> split_signs(sign(-2 * x * y))
    -sign(x)*sign(y)
    """
    for function in (Abs, sign):
        f = f.replace(
            function, lambda argument, function=function: Mul(*map(function, Mul.make_args(argument)))
        )
    return f


def _wanted(f: Expr, variables: Sequence[Symbol]) -> str:
    names = ", ".join(map(str, variables))
    return f"f must be a polynomial in {names}, their signs and absolute values, got {f}"
