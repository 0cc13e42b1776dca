"""Mistakes about what is compared: searches, simulations, arguments and slots."""

from fractions import Fraction

import sympy
from hypothesis import assume
from hypothesis import strategies as st
from sympy import Rational, sin

from hostile import LETTERS, Mistakes
from theorems.engine import (
    Discrepancy,
    Hypothesis,
    Measured,
    Rounded,
    gt,
    half_line,
    interval,
    le,
    rules,
    sentence,
)

HERE = Mistakes("measurements")
a = LETTERS.number("ms_a", "a", "a share", interval(0, 1))
b = LETTERS.number("ms_b", "b", "a size", half_line(0))
B = {b: half_line(0)}
SQUARE = le(b**2, b)


@HERE.mistake(
    "does not meet",
    SQUARE,
    [b],
    grade="tested",
    assuming=[Hypothesis("ABOVE", "$ms_b is above one", gt(b, 1))],
    evidence={"over": st.floats(0, 1)},
)
def a_search_that_never_meets_the_hypothesis(case):
    """Nothing above 1 is tried."""
    return {b: case}


@HERE.mistake(
    "no case covers ms_a near 1",
    le(a, Rational(1, 2)),
    [a],
    grade="tested",
    evidence={"over": st.floats(0, 0.5)},
)
def a_search_in_one_half(case):
    """Nothing above 1/2 is tried."""
    return {a: case}


@HERE.mistake(
    "no case covers ms_a near 1",
    le(a, Rational(99, 100)),
    [a],
    grade="tested",
    evidence={"over": st.floats(0, 1)},
)
def a_search_with_a_filter(case):
    """What fails is filtered out."""
    assume(case < 0.99)
    return {a: case}


@HERE.mistake("lost in rounding", SQUARE, [b], grade="tested", evidence={"over": st.floats(0, 9)})
def a_search_with_all_loms_in_rounding(case):
    """The rounding hides everything."""
    return {b: Rounded(case, 1e6)}


@HERE.mistake(
    "lost in rounding",
    sentence(r"\|$ms_b\| \le $one", one=1),
    [b],
    grade="tested",
    evidence={"over": st.floats(0, 9)},
)
def a_tolerance_that_hides_everything(case, one):
    """Differences up to 100 are allowed."""
    return Discrepancy(case - float(one), 100.0)


@HERE.mistake(
    "lost in rounding",
    sentence(r"\|$ms_b\| \le $one", one=1),
    [b],
    grade="tested",
    evidence={"over": st.floats(0, 9)},
)
def a_measure_that_hides_everything(case, one):
    """A ratio up to 9 with a rounding of 10."""
    return Measured(case / float(one), 10.0)


@HERE.mistake("sentence cannot be proved", sentence(r"\|$ms_b\| \le $one", one=1), [b])
def a_sentence_that_is_proved(given, one):
    """Nothing compares it."""
    return given.follows(goal=le(0, one))


@HERE.mistake("neither looks at the relation", SQUARE, [b], grade="argued", evidence={"bridge": "So it is."})
def an_argument_that_passes_the_statement_by():
    """It is about something else."""
    yield "one is one", True


@HERE.mistake("nothing was checked", SQUARE, [b], grade="argued", evidence={"bridge": "So it is."})
def an_argument_of_nothing(given):
    """Nothing is checked."""
    return [given.goal][1:]


@HERE.mistake(
    "the argument is for ms_b",
    SQUARE,
    [b],
    grade="argued",
    evidence={"bridge": "So it is.", "over": {b: interval(0, 1)}},
)
def an_argument_for_a_smaller_range(given):
    """It is written for [0, 1]."""
    return [("it holds", bool(given.goal))]


class Sure:
    """A test that no effect makes fail."""

    p_value = 1.0

    def detectable(self, level, power):
        return level * power + float("inf")


@HERE.mistake("no effect makes fail", SQUARE, [b], grade="estimated", evidence={"controls": {}, "draws": 10})
def an_estimate_that_cannot_fail(rng, draws):
    """Nothing is compared."""
    rng.normal(size=draws)
    return Sure()


@HERE.mistake("no test was made", SQUARE, [b], grade="estimated", evidence={"controls": {}, "draws": 10})
def an_estimate_without_a_test(rng, draws):
    """Nothing is compared."""
    return [one for one in rng.normal(size=draws) if one > 1e9]


@HERE.mistake(
    "no slots of its part",
    sentence(r"\|$ms_b\| \le $one", one=1),
    [b],
    grade="argued",
    evidence={"bridge": "So it is."},
)
def a_slot_that_does_not_exist(one, two):
    """There is no two."""
    yield "both", bool(one < two)


@HERE.mistake(
    "must be slots", lambda: sentence(r"$ms_b \le 1"), [b], grade="argued", evidence={"bridge": "So it is."}
)
def a_number_that_is_no_slot():
    """It is printed, but nothing sees it."""
    yield "one", True


@HERE.mistake(
    "has defaults",
    sentence(r"\|$ms_b\| \le $one", one=1),
    [b],
    grade="argued",
    evidence={"bridge": "So it is."},
)
def a_second_copy_of_a_constant(one=2):
    """The check has its own."""
    yield "two", bool(one == 2)


@HERE.mistake(
    "never looks at",
    sentence(r"\|$ms_b\| \le $one", one=1),
    [b],
    grade="argued",
    evidence={"bridge": "So it is."},
)
def a_slot_that_is_not_looked_at(one):
    """Any other would do."""
    yield "something", True


@HERE.mistake(
    "cited",
    sentence(r"\|$ms_b\| \le $one, \|$ms_a\| \le $two", one=1, two=Fraction(1, 2)),
    [a, b],
    grade="argued",
    evidence={"bridge": "So it is."},
)
def a_slot_that_nothing_takes(one):
    """The other constant is not compared."""
    yield "one", bool(one < 2)


@HERE.mistake("nothing to range over", SQUARE, {b: sympy.S.EmptySet}, true=True)
def a_letter_with_nothing_to_range_over(given):
    """Of nothing anything is true."""
    return given.follows()


@HERE.mistake("wrong values", le(sin(b), Rational(9, 10)), [b])
def an_equation_of_another_function(given):
    """sin is not f."""
    f = sympy.Function("sin", real=True)
    one = rules.defined(f(b), Rational(1, 2), over=B)
    return given.follows(one)
