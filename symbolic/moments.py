"""Expectations of polynomials in random variables of unknown law, in symbols for the moments.

What is equal here is equal for every law, weights of softmax on any number of tokens among them.
"""

from collections.abc import Sequence

import sympy
from sympy import Expr, Poly, Symbol

from symbolic.arguments import shown

__all__ = ["expected"]


def moment(monomial: Expr) -> Expr:
    """The symbol for the expectation of a monomial; 1 for that of 1.

    >>> x, y = sympy.symbols("x y")
    >>> moment(x * y**2), moment(sympy.Integer(1))
    (E[x*y**2], 1)
    """
    whole = sympy.sympify(monomial)
    return sympy.S.One if whole == 1 else Symbol(f"E[{whole}]", real=True)


def expected(expression: Expr, variables: Sequence[Symbol]) -> Expr:
    """The expectation of a polynomial in random variables; other symbols are constants.

    Raises ValueError if the expression is no polynomial in the variables, TypeError if those are
    no symbols.

    >>> x = Symbol("x")
    >>> expected((x - expected(x, [x])) ** 2, [x])
    E[x**2] - E[x]**2
    """
    listed = isinstance(variables, list | tuple) and bool(variables)
    if not listed or not all(isinstance(one, Symbol) for one in variables):
        raise TypeError(f"variables must be a list of symbols, got {shown(variables)}")
    try:
        polynomial = Poly(sympy.expand(expression), *variables)
    except sympy.PolynomialError as error:
        raise ValueError(f"expression must be a polynomial in {variables}") from error
    terms = (
        coefficient * moment(sympy.prod(x**k for x, k in zip(variables, powers, strict=True)))
        for powers, coefficient in polynomial.terms()
    )
    return sympy.expand(sympy.Add(*terms))
