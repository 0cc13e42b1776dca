"""Lemma 2, proof: the largest combination of the deviations of a bounded variable and its square.

Both are bounded at one mean x, that of a variable with the values 1 and -1, which attains them.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st
from sympy import Abs, Interval, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, eq, gt, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.analysis.one_head.four_numbers import (
    BELOW_ONE,
    BOUNDED,
    BOUNDED_VARIABLE,
    FOUR_NUMBERS,
    SIZE,
    SQUARE,
    THREE_CONSTRAINTS,
    of_sizes,
    of_squares,
)
from theorems.shallow_transformer.letters.head import (
    Y_spread,
    Y_square,
    centre,
    drawn,
    first,
    inside,
    outside,
    root,
    second,
    share,
    sign_spread,
    sign_square,
    square,
)
from theorems.shallow_transformer.letters.paper import claim, deviation, x
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.tokens import called
from theorems.shallow_transformer.sampling.head_balls import Point

_NOTE = "proofs_notes/st_smoothness.md#a-variable-and-its-square"

SOME_WEIGHT = Hypothesis(
    "some_weight", "the weights $first and $second are not both 0", gt(first + second, 0)
)

_BEST = 2 * second / (first + sqrt(first**2 + 12 * second**2))

DEVIATIONS = claim(
    "st.lem2.deviations",
    at="Lemma 2, proof",
    title="Mean deviations of a bounded variable and of its square, and their largest combination",
    states={
        "one mean for both": [le(Y_spread, 1 - root**2), le(Y_square, 2 * root * (1 - root**2))],
        "bound": le(first * Y_spread + second * Y_square, deviation(first, second)),
        "maximum": le((1 - x**2) * (first + 2 * second * x), deviation(first, second)),
        "closed form": eq((1 - _BEST**2) * (first + 2 * second * _BEST), deviation(first, second)),
        "attained": [eq(sign_spread(x), 1 - x**2), eq(sign_square(x), 2 * x * (1 - x**2))],
    },
    assuming=[BOUNDED_VARIABLE, SOME_WEIGHT],
    rests_on=[FOUR_NUMBERS, "st.lem2.polynomial"],
    discharging={THREE_CONSTRAINTS: "st.lem2.four_numbers"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DEVIATIONS.proved("one mean for both")
def bounds_at_the_root(given: Given) -> Theorem:
    """E|S| ≤ a = 1 − x² and E|S² − V| ≤ 2Φ ≤ 2ax; where p = 1, S² = V almost surely."""
    return given.concluded(*_at_one_mean(given))


#: The mean size, and how large its two parts are together.
_SUMS = [stated(FOUR_NUMBERS, "mean size"), le(inside + outside, 1)]


def _at_one_mean(given: Given) -> list[Theorem]:
    """Both means at x = √(1 − a), for p < 1 and for p = 1."""
    given.require(BOUNDED_VARIABLE)
    three = [given.fact(FOUR_NUMBERS, name) for name in ("sum", "second", "third")]
    twice = given.fact(FOUR_NUMBERS, "square")
    at = ONE_HEAD.substituted(given.fact("st.lem2.polynomial"), {centre: Abs(centre)})
    small = le(inside + outside, 1)
    meaning = ONE_HEAD.meaning("x", eq(root**2, 1 - inside - outside), under=[small])
    some = {drawn: rules.RANDOM, **as_declared(centre, square, inside, outside), share: BELOW_ONE}

    def known(goal: Boolean, *premises: Theorem) -> Theorem:
        over = {**some, **(as_declared(root) if root in goal.free_symbols else {})}
        return rules.follows(goal, premises, over=over, under=BOUNDED)

    phi = known(at.statement, at, *three)
    rest, top = 1 - inside - outside, root * (1 - root**2)
    squared = known(eq(root**2, rest), meaning, known(small, *three))
    named = known(eq(sqrt(rest), root), squared)
    same = known(eq(sqrt(rest) * (inside + outside), top), squared, named)
    product = known(le(at.statement.lhs, top), phi, same)
    bound = le(SQUARE, 2 * top)
    uncertain = known(bound, product, twice)
    unit = Interval(0, 1)
    ranges = {**some, share: unit, **as_declared(root)}
    under = [*BOUNDED, eq(share, 1)]
    certain = rules.follows(bound, [_vanishing()], over=ranges, under=under)
    either = rules.cases([uncertain, certain], over=ranges, under=BOUNDED)
    means = [rules.follows(one, of_sizes(unit), over=ranges, under=BOUNDED) for one in _SUMS]
    sizes = rules.follows(le(SIZE, 1 - root**2), [*means, meaning], over=ranges, under=BOUNDED)
    return [either, sizes, ONE_HEAD.meaning("the means", eq(Y_spread, SIZE), eq(Y_square, SQUARE))]


@cache
def _vanishing() -> Theorem:
    """Where p = 1, E|S² − V| = 0."""
    over = {drawn: rules.RANDOM, **as_declared(centre, square, inside, outside, share)}
    under = [*BOUNDED, eq(share, 1)]
    return rules.follows(le(SQUARE, 0), of_squares(Interval(0, 1)), over=over, under=under)


@DEVIATIONS.proved("bound")
def largest_over_the_means(given: Given) -> Theorem:
    """The same at x, which is at most the maximum over x."""
    ends = given.follows(*_at_one_mean(given), goal=stated(DEVIATIONS, "one mean for both"))
    return given.concluded(ends, ONE_HEAD.substituted(_maximum(), {x: root}))


@cache
def _maximum() -> Theorem:
    """f(x₀) − f(x) = (x − x₀)²(A + 2Bx + 4Bx₀) for the root x₀ = 2B/(A + R) of f′."""
    some = [gt(first + second, 0)]
    goal = stated(DEVIATIONS, "maximum")
    form = called(deviation(first, second), under=some)
    return ONE_HEAD.follows(*form, goal=goal, under=some)


@DEVIATIONS.proved("maximum")
def stationary_point(given: Given) -> Theorem:
    """K is the value at the root of the derivative."""
    return given.concluded(_maximum())


def _forms(given: Given) -> list[Theorem]:
    given.require(SOME_WEIGHT)
    return called(deviation(first, second), under=[gt(first + second, 0)])


@DEVIATIONS.proved("closed form")
def value_at_the_root(given: Given) -> Theorem:
    """K is attained at x₀."""
    return given.concluded(*_forms(given))


@DEVIATIONS.proved("attained")
def two_points(given: Given) -> Theorem:
    """Y = ±1 with mean x ≥ 0."""
    return given.decided()


@dataclass(frozen=True)
class _Law:
    """Atoms in [−1, 1] with weights that add up to 1, and A, B ≥ 0, all rational."""

    atoms: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    first: Fraction
    second: Fraction


def _shares(draw: st.DrawFn, count: int) -> list[Fraction]:
    """Weights that add up to 1."""
    found = [Fraction(draw(st.integers(1, 1000))) for _ in range(count)]
    return [one / sum(found) for one in found]


@st.composite
def _laws(draw: st.DrawFn) -> _Law:
    """One to five atoms; two of them, in one case of three, with the best mean, or next to it."""
    a = Fraction(draw(st.sampled_from([0.0, 2.0**-60, 0.125, 1.0, 10.0, 2.0**500])))
    b = Fraction(draw(st.sampled_from([1.0, 0.0, 0.3, 2.0**-600]) | st.floats(0, 10)))
    b = b if a + b else Fraction(1)
    if draw(st.integers(0, 2)) == 0:
        scale = max(a, b)
        u, v = float(a / scale), float(b / scale)
        best = Fraction(2 * v / (u + math.hypot(u, math.sqrt(12) * v)))
        mean = draw(st.sampled_from([best]) | st.floats(0, 1).map(Fraction))
        small = draw(st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 10)]))
        pair = [(1 + mean) / 2 * (1 - small), (1 - mean) / 2 * (1 - small), small]
        three = Fraction(1), Fraction(-1), Fraction(draw(st.floats(-1, 1)))
        return _Law(three, tuple(pair), a, b)
    count = draw(st.integers(1, 5))
    places = st.floats(-1, 1) | st.sampled_from([-1.0, 1.0])
    atoms = tuple(Fraction(draw(places)) for _ in range(count))
    return _Law(atoms, tuple(_shares(draw, count)), a, b)


@DEVIATIONS.tested("bound", over=_laws(), cases=300)
def sampled_laws(law: _Law) -> Point:
    """Both sides, exactly."""
    pairs = list(zip(law.weights, law.atoms, strict=True))
    mean = sum(p * y for p, y in pairs)
    variance = sum(p * (y - mean) ** 2 for p, y in pairs)
    return {
        Y_spread: sum(p * abs(y - mean) for p, y in pairs),
        Y_square: sum(p * abs((y - mean) ** 2 - variance) for p, y in pairs),
        first: law.first,
        second: law.second,
    }
