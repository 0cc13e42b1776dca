"""Facts about exponentials, logarithms and cosines, as any textbook has them.

>>> from sympy import Reals
>>> x = symbols("x", real=True)
>>> print(cosine(2 * x, over={x: Reals}).statement)
Abs(cos(2*x)) <= 1
"""

from sympy import Abs, Interval, asin, cos, exp, log, oo, pi, sqrt, symbols

from theorems.engine import both, ge, gt, implies, le, lt
from theorems.engine.rules.facts import Fact

_a, _b = symbols("a b", real=True)
_x, _y = symbols("x y", nonnegative=True)
_w = symbols("w", positive=True)
_SIZES = ((_x, Interval(0, oo)), (_y, Interval(0, oo)))

cosine = Fact("values of the cosine", le(Abs(cos(_a)), 1), (_a,))
slope_of_cosine = Fact(
    "the cosine has slopes of size at most one", le(Abs(cos(_a) - cos(_b)), Abs(_a - _b)), (_a, _b)
)
exponential_below_zero = Fact(
    "the exponential below zero", both(ge(exp(-_x), 0), le(exp(-_x), 1)), (_x,), _SIZES[:1]
)
slope_of_exponential_below_zero = Fact(
    "the exponential has slopes of size at most one below zero",
    le(Abs(exp(-_x) - exp(-_y)), Abs(_x - _y)),
    (_x, _y),
    _SIZES,
)
arcsine = Fact(
    "range of the arcsine",
    both(
        le(-pi / 2, asin(_a)),
        le(asin(_a), pi / 2),
        implies(lt(_a, 1), lt(asin(_a), pi / 2)),
        implies(le(_a, sqrt(2) / 2), le(asin(_a), pi / 4)),
        le(_a**2, _a * asin(_a)),
    ),
    (_a,),
    ((_a, Interval(-1, 1)),),
)
logarithm_below_hyperbolic_sine = Fact(
    "the hyperbolic sine lies above the identity",
    both(le(2 * log(_w), _w - 1 / _w), gt(log(_w), 0)),
    (_w,),
    ((_w, Interval.open(1, oo)),),
)
