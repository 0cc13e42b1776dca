"""Mistakes about what letters stand for: meanings that define nothing, or more than they say."""

import sympy
from sympy import Contains, Interval, Not

from hostile import LETTERS, Mistakes
from theorems.engine import Hypothesis, eq, ge, gt, half_line, implies, interval, le, lt, reals

HERE = Mistakes("meanings")
q = LETTERS.quantity("q", "q", "a ratio", half_line(0))
r = LETTERS.quantity("r", "r", "another ratio", half_line(0))
sign = LETTERS.quantity("sign", r"\sigma", "a balance", reals())
part = LETTERS.number("part", "p", "a part", interval(0, 1))
long = LETTERS.number("long", r"\ell", "a length", half_line(0))
w, k = sympy.Symbol("w", real=True), sympy.Symbol("k", integer=True)
g = sympy.Function("g", real=True)
SMALL = le(q, 1)
UNIT = interval(0, 1)


@HERE.mistake("must be an equation", SMALL, [q])
def a_membership(given):
    """That q lies in [0, 1] says nothing of what q is."""
    return given.follows(given.meaning("a ratio", Contains(q, Interval(0, 1))))


@HERE.mistake("by other letters", SMALL, [q])
def an_implication_from_what_is_to_be_refuted(given):
    """That q > 1 is absurd is the claim itself."""
    return given.follows(given.meaning("a ratio", implies(gt(q, 1), eq(q, q + 1))))


@HERE.mistake("by other letters", SMALL, [q])
def an_implication_to_a_number(given):
    """0 = 1 where q > 1."""
    return given.follows(given.meaning("a ratio", implies(gt(q, 1), eq(0, 1))))


@HERE.mistake("what a name stands for", SMALL, [q])
def a_maximum(given):
    """max(q, 1) = 1 says q <= 1."""
    return given.follows(given.meaning("a ratio", eq(sympy.Max(q, 1), 1)))


@HERE.mistake("by other letters", SMALL, [q])
def a_size_of_a_difference(given):
    """|q - 1| = 1 - q says q <= 1."""
    return given.follows(given.meaning("a ratio", eq(sympy.Abs(q - 1), 1 - q)))


@HERE.mistake("by other letters", SMALL, [q])
def a_root_of_a_square(given):
    """The root of (1 - q)^2 is 1 - q says q <= 1."""
    return given.follows(given.meaning("a ratio", eq(sympy.sqrt((1 - q) ** 2), 1 - q)))


@HERE.mistake("must be an equation", SMALL, [q])
def a_negation(given):
    """q is not above 1."""
    return given.follows(given.meaning("a ratio", Not(gt(q, 1), evaluate=False)))


@HERE.mistake("fails at q = 2", SMALL, [q])
def a_narrower_range_of_the_letter(given):
    """The ratio in [0, 1] only."""
    return given.follows(given.meaning("a ratio", eq(q, r), over={q: UNIT, r: UNIT}))


@HERE.mistake("contradict each other", SMALL, [q])
def two_meanings_in_other_words(given):
    """2q = 2 and q/2 = 1 give anything."""
    one, other = given.meaning("double", eq(2 * q, 2)), given.meaning("half", eq(q / 2, 1))
    return given.follows(one, other)


@HERE.mistake("contradict each other", eq(q, 2), [q])
def two_meanings_of_a_value(given):
    """g(1) = 1 and g(k) = k + 1."""
    one = given.meaning("first", eq(g(1), 1))
    other = given.substituted(given.meaning("each", eq(g(k), k + 1), over={k: sympy.S.Naturals}), {k: 1})
    return given.follows(given.meaning("a ratio", eq(q, 2 * g(1))), one, other)


@HERE.mistake("false at part = 1", le(part, sympy.Rational(1, 2)), [part])
def a_meaning_of_a_number(given):
    """A part may be any."""
    return given.follows(given.meaning("a part", eq(part, sympy.Rational(1, 2))))


@HERE.mistake("with their extreme", SMALL, [q])
def a_largest_of_a_number(given):
    """1 as the largest of ratios."""
    return given.follows(given.largest("the largest", le(q, 1)))


@HERE.mistake("must be an equation", SMALL, [q])
def the_claim_among_its_meanings(given):
    """The claim beside an equation."""
    return given.follows(given.meaning("a ratio", eq(q, r), SMALL))


@HERE.mistake("by other letters", SMALL, [q])
def the_claim_as_an_equation(given):
    """q = 1 - |1 - q| is the claim."""
    return given.follows(given.meaning("a ratio", eq(q, 1 - sympy.Abs(1 - q))))


@HERE.mistake("by other letters", SMALL, [q])
def the_claim_as_an_equation_of_its_smaller(given):
    """q = min(q, 1) is the claim."""
    return given.follows(given.meaning("a ratio", eq(q, sympy.Min(q, 1))))


@HERE.mistake(r"log\(1 - q\)\) fails at q = 1", SMALL, [q])
def a_quotient_that_is_defined(given):
    """r = log(1 - q) is defined for q < 1 only."""
    return given.follows(given.meaning("the rest", eq(w, sympy.log(1 - q))))


@HERE.mistake("may lie outside of its range", lt(q, 0), [q])
def a_number_outside_its_range(given):
    """q = -1 though a ratio is not negative."""
    return given.follows(given.meaning("a ratio", eq(q, -1)))


@HERE.mistake(
    "contradict each other",
    le(q, long),
    [q, long],
    assuming=[Hypothesis("LONGER", "$q is below $long / 2", le(2 * q, long))],
)
def a_meaning_against_a_hypothesis(given):
    """q = l + 1 contradicts q <= l/2."""
    return given.follows(given.meaning("a ratio", eq(q, long + 1)), goal=eq(q, long - 5))


@HERE.mistake("what a name stands for", eq(sympy.sign(sign), 1), [sign])
def an_equation_of_signs(given):
    """sign(x) = 1."""
    return given.follows(given.meaning("a sign", eq(sympy.sign(sign), 1)))


@HERE.mistake("by other letters", ge(sign, 0), [sign])
def a_size_that_is_its_letter(given):
    """|x| = x says that x is not negative."""
    return given.follows(given.meaning("a size", eq(sympy.Abs(sign), sign)))


@HERE.mistake("by other letters", ge(sign, 0), [sign])
def a_letter_that_is_its_size(given):
    """x = |x|."""
    return given.follows(given.meaning("a size", eq(sign, sympy.Abs(sign))))
