"""Random expressions that are large: many letters, high powers, nested angles and functions."""

import sympy
from decider_cases import BINARY, LETTERS, NUMBERS, UNARY, built
from decider_values import SETS, symbols_of
from hypothesis import assume
from hypothesis import strategies as st
from sympy import Abs, Interval, Max, Min, Pow, Rational, Symbol, cos, exp, oo, pi, sin, sqrt

MANY = [Symbol(f"a{i}", real=True) for i in range(8)]
MANY += [Symbol(f"b{i}", positive=True) for i in range(4)]


def _powers(exponent):
    return lambda u: Pow(u, exponent, evaluate=bool(u.is_Symbol))


STEPS = [
    *UNARY,
    *map(_powers, (7, 20, 300, 10**6, 10**9, Rational(17, 5), 2**5000)),
    lambda u: cos(7 * u),
    lambda u: sin(50 * u),
    lambda u: cos(10**6 * u),
    lambda u: sin(sin(u)),
    lambda u: cos(1 - pi / (u + pi**2)),
    lambda u: sympy.asin(sin(u)),
    lambda u: sympy.acos(cos(u)),
    lambda u: Rational(10**40 + 1, 10**39) * u,
    lambda u: exp(100 * u),
    lambda u: exp(exp(u)),
    lambda u: Max(u, u**2, 1),
    lambda u: Min(u, 1 - u, u / 2),
    lambda u: Abs(u) ** 3,
    lambda u: sqrt(2) * u + sqrt(3),
    sympy.sinh,
]
PAIRS = [
    *BINARY,
    lambda u, v: Pow(u + v, 6),
    lambda u, v: Pow(u - v, 30),
    lambda u, v: cos(u + v) * sin(u - v),
    lambda u, v: Max(u, v, u * v, u + v),
    lambda u, v: (u + v + u * v + 1) ** 9,
    lambda u, v: 1 / (1 + 1 / (u + 1 / v)),
    lambda u, v: sympy.acos(u / v),
    lambda u, v: exp(u * v),
]


@st.composite
def _sums(draw):
    letters = draw(st.lists(st.sampled_from(MANY), min_size=2, max_size=12, unique=True))
    powers = st.integers(1, 3)
    return sympy.Add(*(draw(st.sampled_from([1, 2, -1])) * x ** draw(powers) for x in letters))


def _larger(inner):
    return st.one_of(
        st.builds(built, st.sampled_from(STEPS), inner),
        st.builds(built, st.sampled_from(PAIRS), inner, inner),
    )


LARGE = st.recursive(st.one_of(LETTERS, NUMBERS, _sums()), _larger, max_leaves=6)


@st.composite
def large_pairs(draw):
    """Two sides, the second one perhaps the first one written differently, and a range."""
    u, v = draw(LARGE), draw(LARGE)
    lhs, rhs = draw(st.sampled_from([(u, v), (u * v, v * u + 0), (u + v, v), (u**2, Abs(u) ** 2)]))
    assume(max(lhs.count_ops(), rhs.count_ops()) < 600)
    domain = {}
    for s in symbols_of(lhs, rhs):
        general = [Interval(0, 1), Interval(1, oo)] if not s.is_positive else [Interval(1, oo)]
        numbers = draw(st.sampled_from(SETS.get(s, [None, *general])))
        if numbers is not None:
            domain[s] = numbers
    return lhs, rhs, domain
