"""Facts about powers of numbers that are not negative, as any textbook has them.

Four are taken over: powers increase, those of products are products, exponents add up, and a power
lies above its tangents.  The others follow from these.

>>> from sympy import Interval, oo
>>> u = Symbol("u", positive=True)
>>> print(above_tangent(u**2, 1, 3, over={u: Interval.open(0, oo)}).statement)
u**6 >= 3*u**2 - 2
>>> print(one_more(u, 4, over={u: Interval.open(0, oo)}).trusts)
frozenset({...exponents add up...})
"""

from collections.abc import Iterable
from typing import Any

from sympy import Abs, Expr, Interval, Range, Reals, Symbol, oo, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import both, eq, ge, iff, implies, le
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import Consequence, Fact, logarithm_increases, logarithm_of_power
from theorems.engine.rules.ranges import Over

_b, _c, _q = symbols("b c q", nonnegative=True)
_a, _p = symbols("a p", positive=True)
_t, _x, _y = symbols("t x y", real=True)
_s, _m = Symbol("s", nonnegative=True), Symbol("m", positive=True)
_k, _l = symbols("k l", integer=True, nonnegative=True)
_SIZE, _POSITIVE, _FROM_ONE = Interval(0, oo), Interval.open(0, oo), Interval(1, oo)
_SIZES = ((_b, _SIZE), (_c, _SIZE), (_p, _POSITIVE))

#: Of any order p > 0: no power is negative, and b ≤ c exactly if b^p ≤ c^p.
increase = Fact(
    "powers increase", both(le(0, _b**_p), iff(le(_b, _c), le(_b**_p, _c**_p))), (_b, _c, _p), _SIZES
)
of_product = Fact("powers of products", eq((_b * _c) ** _p, _b**_p * _c**_p), (_b, _c, _p), _SIZES)
exponents = Fact("exponents add up", eq(_a ** (_t + _x), _a**_t * _a**_x), (_a, _t, _x), ((_a, _POSITIVE),))
natural_exponents = Fact(
    "exponents add up", eq(_x ** (_k + _l), _x**_k * _x**_l), (_x, _k, _l), ((_k, Range(oo)), (_l, Range(oo)))
)
above_tangent = Fact(
    "a power lies above its tangents",
    ge(_b**_p * _q, _q**_p * (_q + _p * (_b - _q))),
    (_b, _q, _p),
    ((_b, _SIZE), (_q, _POSITIVE), (_p, _FROM_ONE)),
)


def one_more(base: Any, order: Any, *, over: Over, under: Iterable[Boolean] = ()) -> Theorem:
    """A power gains a factor: b^(t + 1) = b^t b for b > 0 and all real t."""
    return exponents(base, order, 1, over=over, under=under)


def integral_one_more(base: Expr, order: Any, *, over: Over) -> Theorem:
    """An integral power gains a factor: x^(k + 1) = x^k x for all real x and k = 0, 1, ..."""
    return natural_exponents(base, order, 1, over=over)


equal = Consequence(
    "equal numbers have equal powers",
    implies(eq(_b, _c), eq(_b**_p, _c**_p)),
    (_b, _c, _p),
    _SIZES,
    known=lambda: [increase(_b, _c, _p), increase(_c, _b, _p)],
)
of_zero = Consequence(
    "powers of zero",
    both(implies(eq(_b, 0), eq(_b**_p, 0)), ge(_b**_p, 0)),
    (_b, _p),
    (_SIZES[0], _SIZES[2]),
    known=lambda: [increase(_b, 0, _p)],
)
one_more_from_zero = Consequence(
    "powers of numbers from zero on gain a factor",
    eq(_b ** (1 + _p), _b * _b**_p),
    (_b, _p),
    (_SIZES[0], _SIZES[2]),
    known=lambda: [exponents(_b, 1, _p, under=[_b > 0]), of_zero(_b, _p), of_zero(_b, 1 + _p)],
)
of_sizes = Consequence(
    "powers of sizes of products",
    eq(Abs(_x * _y) ** _p, Abs(_x) ** _p * Abs(_y) ** _p),
    (_x, _y, _p),
    (_SIZES[2],),
    known=lambda: [of_product(Abs(_x), Abs(_y), _p), equal(Abs(_x * _y), Abs(_x) * Abs(_y), _p)],
)


def _at_the_mean() -> list[Theorem]:
    """The tangent at |sx + (1 - s)y|, if that is not 0, at |x| and at |y|; 0 has the power 0."""
    over = {_x: Reals, _y: Reals, _s: Interval(0, 1), _m: _FROM_ONE}
    mean = Abs(_s * _x + (1 - _s) * _y)
    above = [above_tangent(Abs(one), mean, _m, over=over, under=[mean > 0]) for one in (_x, _y)]
    return [*above, *(of_zero(one, _m, over=over) for one in (mean, Abs(_x), Abs(_y)))]


convex = Consequence(
    "powers of order one and more are convex",
    le(Abs(_s * _x + (1 - _s) * _y) ** _m, _s * Abs(_x) ** _m + (1 - _s) * Abs(_y) ** _m),
    (_x, _y, _s, _m),
    ((_s, Interval(0, 1)), (_m, _FROM_ONE)),
    known=_at_the_mean,
)


def _tangents_of_a_sum() -> list[Theorem]:
    """The tangents at b and at c, if these are not 0, lie below the power at b + c."""
    over = {_b: _SIZE, _c: _SIZE, _m: _FROM_ONE}
    above = [above_tangent(_b + _c, q, _m, over=over, under=[q > 0]) for q in (_b, _c)]
    zeros = [of_zero(one, _m, over=over) for one in (_b, _c)]
    same = [equal(_b + _c, one, _m, over=over) for one in (_b, _c)]
    return [*above, *zeros, *same]


superadditive = Consequence(
    "powers of order one and more are superadditive",
    le(_b**_m + _c**_m, (_b + _c) ** _m),
    (_b, _c, _m),
    (*_SIZES[:2], (_m, _FROM_ONE)),
    known=_tangents_of_a_sum,
)


def _by_the_inverse_power() -> list[Theorem]:
    """Powers of order 1/p of b^p and c^p are superadditive."""
    under = [le(_p, 1)]
    whole = superadditive(_b**_p, _c**_p, 1 / _p, under=under)
    total = (_b**_p + _c**_p) ** (1 / _p)
    return [whole, increase(_b + _c, total, _p)]


subadditive = Consequence(
    "powers of order up to one are subadditive",
    le((_b + _c) ** _p, _b**_p + _c**_p),
    (_b, _c, _p),
    _SIZES,
    under=(le(_p, 1),),
    known=_by_the_inverse_power,
)
first = Consequence(
    "first powers",
    implies(eq(_p, 1), eq(_a**_p, _a)),
    (_a, _p),
    ((_a, _POSITIVE), (_p, _POSITIVE)),
    known=lambda: [
        logarithm_of_power(_a, _p),
        logarithm_increases(_a, _a**_p),
        logarithm_increases(_a**_p, _a),
    ],
)
of_root = Consequence(
    "powers of roots",
    implies(eq(_a, _c ** (1 / _p)), eq(_a**_p, _c)),
    (_a, _c, _p),
    ((_a, _POSITIVE), (_c, _POSITIVE), (_p, _POSITIVE)),
    known=lambda: [equal(_a, _c ** (1 / _p), _p, over={_a: _POSITIVE, _c: _POSITIVE, _p: _POSITIVE})],
)
of_inverse_root = Consequence(
    "powers of inverse roots",
    implies(eq(_q, _c ** (-1 / _p)), eq(_q**_p * _c, 1)),
    (_q, _c, _p),
    ((_q, _POSITIVE), (_c, _POSITIVE), (_p, _POSITIVE)),
    known=lambda: [equal(_q, _c ** (-1 / _p), _p, over={_q: _POSITIVE, _c: _POSITIVE, _p: _POSITIVE})],
)
