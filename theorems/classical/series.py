"""Facts about series.

>>> from sympy import Symbol
>>> N = Symbol("N", integer=True, nonnegative=True)
>>> print(inverse_squares(N, over={N: Range(oo)}).statement)
Sum(k**(-2), (k, 1, N)) <= pi**2/6
"""

from sympy import Range, Sum, oo, pi, symbols

from theorems.engine import le
from theorems.engine.rules.facts import Fact

__all__ = ["inverse_squares"]

_k, _n = symbols("k n", integer=True, nonnegative=True)

#: Euler's sum: 1 + 1/4 + ... + 1/n² ≤ π²/6 for n = 0, 1, ... (Hardy and Wright, section 17.2;
#: mathlib's hasSum_zeta_two).
inverse_squares = Fact(
    "partial sums of the inverse squares, whose series is π²/6",
    le(Sum(_k**-2, (_k, 1, _n)), pi**2 / 6),
    (_n,),
    ((_n, Range(oo)),),
)
