"""Textbook facts, instantiated at given terms: ``cauchy_schwarz(u, v)`` is a Theorem.

>>> from theorems.engine.rules.vocabulary import Vector
>>> print(cauchy_schwarz(Vector("u"), Vector("v") - Vector("u")).statement)
(-inner(u, u) + inner(u, v))**2 <= (inner(u, u) - 2*inner(u, v) + inner(v, v))*inner(u, u)
>>> x = Symbol("x", real=True)
>>> fact = logarithm_below_tangent(1 + x**2, over={x: Reals})
>>> print(fact)
log(x**2 + 1) <= x**2 for x in Reals [proved]
>>> print(*sorted(map(str, fact.trusts)), sep="; ")
solver ...; textbook exponential above its tangent: exp(x) >= x + 1
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Abs, Eq, Expr, Interval, Reals, Symbol, cos, exp, log, sin
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.inferences import follows, instance
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.theorem import Theorem
from theorems.engine.rules.vocabulary import (
    E,
    Event,
    Operator,
    P,
    Random,
    Vector,
    act,
    frobenius,
    independent,
    inner,
    is_random,
    norm,
    opnorm,
)


@dataclass(frozen=True)
class Fact:
    """A textbook fact about letters; called with terms for the letters it gives the instance.

    Vectors, operators, random variables and events need no range; numbers do, by ``over``.
    Raises NotProved if a term leaves the letter's range.
    """

    name: str
    statement: Boolean
    letters: tuple[Symbol, ...]
    ranges: tuple[tuple[Symbol, Any], ...] = ()
    under: tuple[Boolean, ...] = ()

    @cached_property
    def theorem(self) -> Theorem:
        """The fact in its own letters."""
        return textbook(self.name, self.statement, over=self.over, under=self.under)

    @property
    def over(self) -> Over:
        """The letters with their ranges."""
        return {x: getattr(x, "belongs_to", Reals) for x in self.letters} | dict(self.ranges)

    def __call__(self, *terms: Any, over: Over | None = None, under: Iterable[Boolean] = ()) -> Theorem:
        """The fact at these terms."""
        values, conditions = (dict(zip(self.letters, map(sympy.sympify, terms), strict=True)), [*under])
        used = set().union(*(one.free_symbols for one in (*values.values(), *conditions)))
        numbers = {x: range_ for x, range_ in (over or {}).items() if x in used}
        return instance(self.theorem, values, over=numbers, under=conditions)


@dataclass(frozen=True)
class Consequence(Fact):
    """What follows from other facts, called with terms as these are: nothing else is trusted.

    >>> x = Symbol("x", real=True)
    >>> above_line = Consequence("a line", exp(x) >= x, (x,), known=lambda: [
    ...     exponential_above_tangent(x, over={x: Reals})])
    >>> print(*sorted(trust.name for trust in above_line.theorem.trusts), sep="; ")
    Z3 ... through knuckledragger; exponential above its tangent
    """

    known: Callable[[], Sequence[Theorem]] = tuple

    @cached_property
    def theorem(self) -> Theorem:
        """The statement, inferred in its own letters."""
        return follows(self.statement, self.known(), over=self.over, under=self.under)


_x, _y, _z, _t = sympy.symbols("x y z t", real=True)
_p, _q, _r = sympy.symbols("p q r", real=True)
_u, _v, _M = Vector("u"), Vector("v"), Operator("M")
_z_vector = Vector("any vector")
_X, _Y, _Z, _A, _B = Random("X"), Random("Y"), Random("Z"), Event("A"), Event("B")
_POSITIVE, _NONNEGATIVE = Interval.open(0, sympy.oo), Interval(0, sympy.oo)
_BOTH = ((_x, _POSITIVE), (_y, _POSITIVE))

exponential_above_tangent = Fact("exponential above its tangent", exp(_x) >= 1 + _x, (_x,))
exponential_increases = Consequence(
    "the exponential increases",
    sympy.Equivalent(_x < _y, exp(_x) < exp(_y)),
    (_x, _y),
    known=lambda: [exponential_above_tangent(one, over={_x: Reals, _y: Reals}) for one in (_x - _y, _y - _x)],
)


def _in_order(first: Expr, second: Expr, ranges: Over) -> list[Theorem]:
    """How the exponentials of two numbers are ordered, to see that the numbers are equal."""
    pairs = (first, second), (second, first)
    return [exponential_increases(*pair, over=ranges) for pair in pairs]


exponential_of_sum = Consequence(
    "exponential of a sum",
    sympy.Implies(Eq(_t, _x + _y), Eq(exp(_t), exp(_x + _y))),
    (_t, _x, _y),
    known=lambda: _in_order(_t, _x + _y, {_t: Reals, _x: Reals, _y: Reals}),
)
logarithm_below_tangent = Consequence(
    "logarithm below its tangent",
    log(_x) <= _x - 1,
    (_x,),
    ((_x, _POSITIVE),),
    known=lambda: [exponential_above_tangent(log(_x), over=dict(_BOTH))],
)
logarithm_increases = Consequence(
    "the logarithm increases",
    sympy.Equivalent(_x < _y, log(_x) < log(_y)),
    (_x, _y),
    _BOTH,
    known=lambda: [exponential_increases(log(_x), log(_y), over=dict(_BOTH))],
)
logarithm_of_product = Consequence(
    "logarithm of a product",
    Eq(log(_x * _y), log(_x) + log(_y)),
    (_x, _y),
    _BOTH,
    known=lambda: _in_order(log(_x * _y), log(_x) + log(_y), dict(_BOTH)),
)
power_as_exponential = Fact(
    "powers by the exponential", Eq(_x**_t, exp(_t * log(_x))), (_x, _t), ((_x, _POSITIVE),)
)
logarithm_of_power = Consequence(
    "logarithm of a power",
    Eq(log(_x**_t), _t * log(_x)),
    (_x, _t),
    ((_x, _POSITIVE),),
    known=lambda: [
        power_as_exponential(_x, _t, over={_x: _POSITIVE, _t: Reals}),
        *_in_order(log(_x**_t), _t * log(_x), {_x: _POSITIVE, _t: Reals}),
    ],
)
circle = Fact("sine and cosine", Eq(sin(_x) ** 2 + cos(_x) ** 2, 1), (_x,))
sine_positive = Fact("the sine up to pi", sin(_x) > 0, (_x,), ((_x, Interval.open(0, sympy.pi)),))

positive_definite = Fact("inner products are positive", sympy.Ge(inner(_u, _u), 0, evaluate=False), (_u,))
cauchy_schwarz = Fact(
    "Cauchy-Schwarz inequality", inner(_u, _v) ** 2 <= inner(_u, _u) * inner(_v, _v), (_u, _v)
)
triangle = Fact("triangle inequality", norm(_u + _v) <= norm(_u) + norm(_v), (_u, _v))
operator_norm = Fact(
    "norm of an operator", sympy.And(norm(act(_M, _u)) <= opnorm(_M) * norm(_u), opnorm(_M) >= 0), (_M, _u)
)
operator_below_frobenius = Fact(
    "the operator norm is at most the Frobenius norm", opnorm(_M) <= frobenius(_M), (_M,)
)


def norm_attained(M: Operator, u: Vector, v: Vector) -> Theorem:
    """Unit vectors u and v with <u, Mv> = |M|, and |Mv| = |M|, which a matrix has.

    >>> print(norm_attained(Operator("M"), Vector("u"), Vector("v")).statement)
    Eq(norm(u), 1) & ... & Eq(inner(u, act(M, v)), opnorm(M))
    """
    attained = (Eq(inner(u, act(M, v)), opnorm(M)), Eq(norm(act(M, v)), opnorm(M)))
    said = sympy.And(*attained, Eq(norm(u), 1), Eq(norm(v), 1))
    singular = instance(singular_vectors(M, u, v, _z_vector), {_z_vector: v})
    known = [singular, cauchy_schwarz(u, act(M, v)), operator_norm(M, v)]
    return follows(said, known, over={x: x.belongs_to for x in (M, u, v)})


def singular_vectors(M: Operator, u: Vector, v: Vector, z: Vector) -> Theorem:
    """Unit vectors with <u, Mz> = |M|<v, z> for all z, which a matrix has.

    >>> print(singular_vectors(Operator("M"), *map(Vector, "uvz")).statement)
    Eq(norm(u), 1) & Eq(norm(v), 1) & Eq(inner(u, act(M, z)), opnorm(M)*inner(v, z))
    """
    along = Eq(inner(u, act(M, z)), opnorm(M) * inner(v, z))
    said = sympy.And(along, Eq(norm(u), 1), Eq(norm(v), 1))
    over = {x: x.belongs_to for x in (M, u, v, z)}
    return textbook("unit vectors of the largest singular value", said, over=over)


expectation_of_independent = Fact(
    "expectation of independent factors",
    Eq(E(_X * _Y), E(_X) * E(_Y)),
    (_X, _Y),
    under=(independent(_X, _Y),),
)
_m, _n = sympy.symbols("m n", integer=True, nonnegative=True)
powers_of_independent = Fact(
    "functions of independent variables are independent",
    independent(_X**_m, _Y**_n),
    (_X, _Y, _m, _n),
    ((_m, sympy.Range(sympy.oo)), (_n, sympy.Range(sympy.oo))),
    under=(independent(_X, _Y),),
)


def independent_functions(
    f: Callable[..., Expr], g: Callable[..., Expr], X: Expr, *others: Expr, over: Over | None = None
) -> Theorem:
    """f(X) and g(Y, ...) are independent, as all of X and Y, ... are; ``over`` ranges other letters.

    Raises ValueError for a function that is random by anything else.

    >>> X, Y, Z = Random("X"), Random("Y"), Random("Z")
    >>> print(independent_functions(exp, cos, X, Y))
    independent(exp(X), cos(Y)) for ..., independent(X, Y) [proved]
    >>> print(independent_functions(exp, lambda y, z: y * z, X, Y, Z).statement)
    independent(exp(X), Y*Z)
    """
    second = (_Y, _Z)[: len(others)]
    variables = (_X, *second)
    said, law = independent(f(_X), g(*second)), independent(*variables)
    letters = tuple(said.free_symbols - {*variables})
    for side, own in zip(said.args, ([_X], second), strict=True):
        if is_random(side.xreplace(dict.fromkeys(own, _x))):
            raise ValueError(f"a function must be of its own variables alone, got {side}")
    ranges = tuple((x, (over or {})[x]) for x in letters)
    fact = Fact(powers_of_independent.name, said, (*variables, *letters), ranges, (law,))
    return fact(X, *others, *letters, over=over)


expectation_of_product = Fact(
    "Cauchy-Schwarz inequality for expectations", E(_X * _Y) ** 2 <= E(_X**2) * E(_Y**2), (_X, _Y)
)
expectation_of_square = Consequence(
    "the square of an expectation",
    E(_X) ** 2 <= E(_X**2),
    (_X,),
    known=lambda: [expectation_of_product(_X, 1)],
)
probability = Fact("probability", sympy.And(P(_A) >= 0, P(_A) <= 1), (_A,))
union_bound = Fact("union bound", P(sympy.Or(_A, _B)) <= P(_A) + P(_B), (_A, _B))
hoelder_for_exponentials = Fact(
    "Hoelder's inequality for three exponentials",
    sympy.Implies(
        sympy.And(*(Eq(E(exp(X)), exp(x)) for X, x in ((_X, _x), (_Y, _y), (_Z, _z)))),
        E(exp(_p * _X + _q * _Y + _r * _Z)) <= exp(_p * _x + _q * _y + _r * _z),
    ),
    (_X, _Y, _Z, _x, _y, _z, _p, _q, _r),
    ((_p, _POSITIVE), (_q, _POSITIVE), (_r, _POSITIVE)),
    under=(Eq(_p + _q + _r, 1),),
)
markov = Fact("Markov's inequality", _t * P(Abs(_X) >= _t) <= E(Abs(_X)), (_X, _t), ((_t, _POSITIVE),))
chernoff = Fact(
    "Chernoff's bound",
    P(sympy.Ge(_X, _x)) <= exp(-_t * _x) * E(exp(_t * _X)),
    (_X, _x, _t),
    ((_t, _NONNEGATIVE),),
)
