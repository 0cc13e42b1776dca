"""Random expressions with ranges, and pairs of them by steps that are sound, or not always."""

import sympy
from decider_values import SETS, k, m, n, p, q, symbols_of, x, y
from hypothesis import assume, reject
from hypothesis import strategies as st
from sympy import Abs, Integer, Max, Min, Rational, acos, asin, atan, cos, exp, log, pi, sign, sin, sqrt, tanh

# Expressions.

LETTERS = st.sampled_from([x, x, x, y, p, q, m, n, k])
NUMBERS = st.sampled_from([Integer(1), Integer(2), Integer(-1), Rational(1, 2), Integer(3), pi / 4])
UNARY = [
    lambda u: -u,
    lambda u: 1 - u,
    lambda u: 1 + u,
    lambda u: u**2,
    lambda u: 1 - u**2,
    lambda u: u**3,
    lambda u: 1 / u,
    lambda u: 1 / (1 + u),
    lambda u: 1 / (1 - u),
    sqrt,
    lambda u: 1 / sqrt(u),
    lambda u: u ** Rational(2, 3),
    lambda u: sqrt(1 - u**2),
    Abs,
    sign,
    lambda u: exp(-u),
    lambda u: exp(u / 2),
    log,
    lambda u: log(1 + u),
    sin,
    cos,
    sympy.tan,
    lambda u: cos(2 * u),
    asin,
    acos,
    atan,
    tanh,
    lambda u: u**k,
    lambda u: (-1) ** n * u,
    lambda u: u**p,
    lambda u: exp(-1 / u),
    lambda u: u * log(u),
]
BINARY = [
    lambda u, v: u + v,
    lambda u, v: u - v,
    lambda u, v: u * v,
    lambda u, v: u / v,
    lambda u, v: u**2 + v**2,
    Max,
    Min,
    lambda u, v: sqrt(u**2 + v**2),
    lambda u, v: u / (u**2 + v**2),
]


def built(step, *parts):
    """What a step makes of its parts; drawn anew where SymPy refuses infinite ones."""
    try:
        return step(*parts)
    except (TypeError, ValueError):
        reject()


def _applied(inner):
    return st.one_of(
        st.builds(built, st.sampled_from(UNARY), inner),
        st.builds(built, st.sampled_from(BINARY), inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(LETTERS, LETTERS, NUMBERS), _applied, max_leaves=4)
SEEDS = st.integers(0, 1000)

#: Steps from u (and v) to a pair that are equal wherever the first is a number.
SOUND = [
    lambda u, v: (u, u + v - v),
    lambda u, v: (u**2 - v**2, (u - v) * (u + v)),
    lambda u, v: ((u + v) ** 3, sympy.expand((u + v) ** 3)),
    lambda u, v: (sqrt(u**2), Abs(u)),
    lambda u, v: (Abs(u) * Abs(v), Abs(u * v)),
    lambda u, v: (Max(u, v), (u + v + Abs(u - v)) / 2),
    lambda u, v: (Max(u, v) + Min(u, v), u + v),
    lambda u, v: (exp(u) * exp(v), exp(u + v)),
    lambda u, v: (sin(u + v), sin(u) * cos(v) + cos(u) * sin(v)),
    lambda u, v: (1 - sin(u) ** 2, cos(u) ** 2),
    lambda u, v: (cos(2 * u) * v, (2 * cos(u) ** 2 - 1) * v),
    lambda u, v: (u / v, u * v / v**2),
    lambda u, v: (u / (1 + v**2) + v / (1 + v**2), (u + v) / (1 + v**2)),
    lambda u, v: (1 / u + 1 / v, (u + v) / (u * v)),
    lambda u, v: (sign(u) * Abs(u), u),
    lambda u, v: (sin(asin(u)), u),
    lambda u, v: (asin(u) + acos(u), 0 * v + pi / 2 + 0 * u),
    lambda u, v: (exp(log(u)) + v, u + v),
    lambda u, v: (sqrt(u) ** 2 * v, u * v),
    lambda u, v: (sqrt(u) * sqrt(v), sqrt(u * v)),
    lambda u, v: (log(u) + log(v), log(u * v)),
    lambda u, v: (sympy.together(1 + u / (1 + v**2)), 1 + u / (1 + v**2)),
    lambda u, v: (sympy.sinh(u), (exp(u) - exp(-u)) / 2),
]
#: Steps that need a sign, a range, or a denominator that does not vanish.
DUBIOUS = [
    lambda u, v: (sqrt(u**2), u),
    lambda u, v: (Abs(u), u),
    lambda u, v: (Abs(u), -u),
    lambda u, v: (sign(u), 1 + 0 * v),
    lambda u, v: (sign(u) * v, -v),
    lambda u, v: (sign(u) ** 2, Integer(1)),
    lambda u, v: (u * v / v, sympy.cancel(u * v / v)),
    lambda u, v: ((u**2 - 1) / (u - 1), u + 1),
    lambda u, v: (u / Abs(u), sign(u)),
    lambda u, v: (v * Abs(u) / u, v),
    lambda u, v: (log(u**2), 2 * log(u)),
    lambda u, v: (log(exp(v) * u), v + log(u)),
    lambda u, v: (asin(sin(u)), u),
    lambda u, v: (acos(cos(u)), u),
    lambda u, v: (Max(u, v), u),
    lambda u, v: (Max(u, -u), u),
    lambda u, v: (Min(u, v), v),
    lambda u, v: (sqrt(u * v), sqrt(u) * sqrt(v)),
    lambda u, v: (sqrt(u / v), sqrt(u) / sqrt(v)),
    lambda u, v: (sqrt(u**2 * v), u * sqrt(v)),
    lambda u, v: ((u**2) ** Rational(3, 2), u**3),
    lambda u, v: (sqrt(1 - cos(u) ** 2), sin(u)),
    lambda u, v: (sqrt(1 - u**2), sqrt(1 - u) * sqrt(1 + u)),
    lambda u, v: (sqrt((1 - u) / (1 + u)), (1 - u) / sqrt(1 - u**2)),
    lambda u, v: ((u**2) ** v, u ** (2 * v)),
    lambda u, v: (u**v * u, u ** (v + 1)),
    lambda u, v: (u**v * u**-v, Integer(1)),
    lambda u, v: (sympy.tan(u) * cos(u), sin(u)),
    lambda u, v: (u / (sin(v) ** 2 + cos(v) ** 2 - 1), Integer(7)),
    lambda u, v: (u / (v - v.expand() + (v + 1) ** 2 - v**2 - 2 * v - 1), u),
    lambda u, v: (exp(-1 / u) * exp(1 / u) * v, v),
    lambda u, v: ((1 - u) ** -1 * (1 - u), Integer(1)),
    lambda u, v: (1 / (1 + 1 / u), u / (u + 1)),
    lambda u, v: (acos(1 - 2 * u), 2 * asin(sqrt(u))),
    lambda u, v: (asin(u), pi / 2 - acos(u)),
    lambda u, v: (cos(pi * u), (-1) ** u),
    lambda u, v: (sin(pi * u) * v, 0 * v),
]


@st.composite
def settings_of(draw, *sides):
    """A set for each letter; None leaves it to the assumptions."""
    domain = {s: draw(st.sampled_from(SETS[s])) for s in symbols_of(*sides)}
    return {s: numbers for s, numbers in domain.items() if numbers is not None}


@st.composite
def rewritten(draw, steps):
    """A pair by one of the steps, perhaps inside of something larger."""
    step, u, v = draw(st.sampled_from(steps)), draw(EXPRESSIONS), draw(EXPRESSIONS)
    pair = [sympy.sympify(side) for side in built(step, u, v)]
    outer = draw(st.one_of(st.none(), st.none(), st.sampled_from(UNARY)))
    if outer is not None:
        pair = [built(outer, side) for side in pair]
    assume(all(side.count_ops() < 40 for side in pair))
    assume(any(side.free_symbols for side in pair))
    return *pair, draw(settings_of(*pair)), draw(SEEDS)
