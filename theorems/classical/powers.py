"""Facts about powers of numbers that are not negative, as any textbook has them.

>>> from sympy import Interval, oo
>>> u = Symbol("u", positive=True)
>>> print(above_tangent(u**2, 1, 3, over={u: Interval.open(0, oo)}).statement)
u**6 >= 3*u**2 - 2
"""

from sympy import Abs, Interval, Range, Symbol, oo, symbols

from theorems.engine import both, eq, ge, gt, implies, le
from theorems.engine.rules.facts import Fact

_b, _c, _q = symbols("b c q", nonnegative=True)
_p = Symbol("p", positive=True)
_t, _x, _y = symbols("t x y", real=True)
_s, _m = Symbol("s", nonnegative=True), Symbol("m", positive=True)
_k = Symbol("k", integer=True, nonnegative=True)
_SIZE, _POSITIVE, _FROM_ONE = Interval(0, oo), Interval.open(0, oo), Interval(1, oo)

increase = Fact(
    "powers increase",
    both(le(0, _b**_p), implies(le(_b, _c), le(_b**_p, _c**_p))),
    (_b, _c, _p),
    ((_b, _SIZE), (_c, _SIZE), (_p, _POSITIVE)),
)
one_more = Fact(
    "powers gain a factor",
    both(eq(_c ** (_t + 1), _c * _c**_t), gt(_c**_t, 0)),
    (_c, _t),
    ((_c, _POSITIVE),),
)
integral_one_more = Fact(
    "integral powers gain a factor",
    eq(_x ** (_k + 1), _x * _x**_k),
    (_x, _k),
    ((_k, Range(oo)),),
)
of_product = Fact(
    "powers of products",
    eq((_b * _c) ** _p, _b**_p * _c**_p),
    (_b, _c, _p),
    ((_b, _SIZE), (_c, _SIZE), (_p, _POSITIVE)),
)
of_zero = Fact(
    "powers of zero",
    both(implies(eq(_b, 0), eq(_b**_p, 0)), ge(_b**_p, 0)),
    (_b, _p),
    ((_b, _SIZE), (_p, _POSITIVE)),
)
above_tangent = Fact(
    "a power lies above its tangents",
    ge(_b**_p * _q, _q**_p * (_q + _p * (_b - _q))),
    (_b, _q, _p),
    ((_b, _SIZE), (_q, _POSITIVE), (_p, _FROM_ONE)),
)
convex = Fact(
    "powers of order one and more are convex",
    le(Abs(_s * _x + (1 - _s) * _y) ** _m, _s * Abs(_x) ** _m + (1 - _s) * Abs(_y) ** _m),
    (_x, _y, _s, _m),
    ((_s, Interval(0, 1)), (_m, _FROM_ONE)),
)
of_inverse_root = Fact(
    "powers of roots",
    implies(eq(_q, _c ** (-1 / _p)), eq(_q**_p * _c, 1)),
    (_q, _c, _p),
    ((_q, _POSITIVE), (_c, _POSITIVE), (_p, _POSITIVE)),
)
