"""Signs of polynomials in variables that are not negative."""

from __future__ import annotations

from itertools import product

import sympy as sp

__all__ = ["nonnegative"]


def nonnegative(expression: sp.Expr) -> bool | None:
    """Whether an expression rational in its symbols is nonnegative where these are positive.

    True if no coefficient of numerator and denominator is negative, False if a point with
    coordinates 0 or 1 shows a negative value, else None.

    >>> x, y = sp.symbols("x y")
    >>> nonnegative(x**2 + x * y), nonnegative(x - y), nonnegative(x**2 - x + 1)
    (True, False, None)
    """
    whole = sp.together(sp.sympify(expression))
    symbols = sorted(whole.free_symbols, key=str)
    if not symbols:
        return bool(whole >= 0)
    parts = [sp.Poly(part, *symbols) for part in sp.fraction(whole)]
    if all(c >= 0 for part in parts for c in part.coeffs()):
        return True
    for point in product((0, 1), repeat=len(symbols)):
        value = whole.subs(dict(zip(symbols, point, strict=True)))
        if value.is_negative:
            return False
    return None
