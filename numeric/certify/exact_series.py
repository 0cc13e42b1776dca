"""Power series with rational coefficients that turn into balls only when they must.

In balls, 3 sin t - t cos t - 2t has the coefficient 3 (-1/6) + 1/2 at t^3, a ball around 0: one
sixth is no binary number. In rational arithmetic it is 0, and the zero of order 5 is seen. So a
function is expanded at a rational end with these series: they stay rational under arithmetic with
integers, rationals and exact balls and under functions with rational coefficients (sin, exp, atan
at 0, log and sqrt at 1), and become series of balls in contact with anything else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from flint import arb, arb_series, fmpq, fmpq_series, fmpz


class ExactSeries:
    """A power series over the rationals, to be used by a function written for ``arb_series``.

    >>> from flint import ctx
    >>> ctx.cap = 10
    >>> t = ExactSeries(fmpq_series([0, 1], prec=6))
    >>> print((3 * t.sin() - t * t.cos() - arb(2) * t).rational)
    (-1/60)*x^5 + O(x^6)
    >>> type(t * arb.pi()).__name__
    'arb_series'
    """

    def __init__(self, rational: fmpq_series) -> None:
        self.rational = rational

    def balls(self) -> arb_series:
        """Return the series with balls for coefficients."""
        return arb_series(self.rational)

    def _combine(self, operation: Callable[[Any, Any], Any], other: object, *, left: bool) -> Any:
        exact = _rational(other)
        mine = self.balls() if exact is None else self.rational
        theirs = other if exact is None else exact
        result = operation(mine, theirs) if left else operation(theirs, mine)
        return result if exact is None else ExactSeries(result)

    def __add__(self, other: object) -> Any:
        return self._combine(operator.add, other, left=True)

    def __radd__(self, other: object) -> Any:
        return self._combine(operator.add, other, left=False)

    def __sub__(self, other: object) -> Any:
        return self._combine(operator.sub, other, left=True)

    def __rsub__(self, other: object) -> Any:
        return self._combine(operator.sub, other, left=False)

    def __mul__(self, other: object) -> Any:
        return self._combine(operator.mul, other, left=True)

    def __rmul__(self, other: object) -> Any:
        return self._combine(operator.mul, other, left=False)

    def __truediv__(self, other: object) -> Any:
        return self._combine(operator.truediv, other, left=True)

    def __rtruediv__(self, other: object) -> Any:
        return self._combine(operator.truediv, other, left=False)

    def __neg__(self) -> ExactSeries:
        return ExactSeries(-self.rational)

    def __pos__(self) -> ExactSeries:
        return self

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, int) and exponent >= 0:
            return ExactSeries(self.rational**exponent)
        return self.balls() ** exponent

    def __rpow__(self, base: Any) -> Any:
        return base ** self.balls()

    def sin_cos(self) -> tuple[Any, Any]:
        """Return sine and cosine."""
        return self.sin(), self.cos()

    def __getattr__(self, name: str) -> Any:
        """Return what a series of balls has by this name; exact functions stay rational."""
        if name.startswith("_") or not hasattr(arb_series, name):
            raise AttributeError(f"a power series has no {name}")
        if name not in _EXACT_FUNCTIONS:
            return getattr(self.balls(), name)

        def function() -> Any:
            try:
                return ExactSeries(getattr(self.rational, name)())
            except ValueError:  # the constant term has an irrational image
                return getattr(self.balls(), name)()

        return function


_EXACT_FUNCTIONS = {"sin", "cos", "tan", "exp", "log", "sqrt", "rsqrt", "asin", "atan"}


def _rational(value: Any) -> Any:
    """Return what fmpq_series can be combined with, None if there is no such thing."""
    if isinstance(value, ExactSeries):
        return value.rational
    if isinstance(value, arb):
        return value.fmpq() if value.is_finite() and value.is_exact() else None
    exact = isinstance(value, int | fmpz | fmpq) and not isinstance(value, bool)
    return fmpq(value) if exact else None
