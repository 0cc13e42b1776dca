"""Mistakes about what is shown: another part, less than the part, or nothing at all."""

import sympy
from sympy import Rational, exp, log, sqrt

from hostile import LETTERS, Mistakes
from symbolic.derivation import Derivation, Step
from theorems.engine import (
    Hypothesis,
    Severity,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    interval,
    le,
    lt,
    rules,
)

HERE = Mistakes("statements")
a = LETTERS.number("st_a", "a", "a share", interval(0, 1))
b = LETTERS.number("st_b", "b", "a size", half_line(0))
n = LETTERS.number("st_n", "n", "a count", integers(0))
B = {b: half_line(0)}
SQUARE = le(b**2, b)
BELOW = Hypothesis("BELOW", "$st_b is below one", le(b, 1))


@HERE.mistake("false at st_b = 2", SQUARE, [b])
def a_weaker_statement(given):
    """-1 <= b^2 is true."""
    return given.follows(goal=ge(b**2, -1))


@HERE.mistake("a proof returns a theorem", SQUARE, [b])
def a_relation_for_a_theorem(given):
    """The goal itself is returned."""
    return given.goal


@HERE.mistake("false at st_b = 2", SQUARE, [b])
def a_smaller_range(given):
    """It holds up to 1 only."""
    return rules.follows(given.goal, over={b: interval(0, 1)})


@HERE.mistake("false at st_b = 2", SQUARE, [b])
def one_more_hypothesis(given):
    """It holds up to 1 only."""
    return rules.follows(given.goal, over=B, under=[le(b, 1)])


@HERE.mistake("false at st_a = 1", eq(b**2 + b, b**2 + b + a), [a, b])
def a_letter_that_is_left_out(given):
    """It holds at a = 0."""
    return given.follows(goal=eq(b**2 + b, b**2 + b))


@HERE.mistake("false at st_b = 2", {"statement": SQUARE, "other": ge(b**2, 0)}, [b])
def another_part(given):
    """The other part is true."""
    return given.follows(goal=ge(b**2, 0))


@HERE.mistake("SymPy has evaluated", lambda: sympy.Ge(b**2, 0), [b])
def a_statement_that_is_already_true(given):
    """It is True before it is stated."""
    return given.follows()


@HERE.mistake("fails at st_b = 3", implies(gt(b, 2), lt(b, 1)), [b])
def an_implication_that_is_rarely_met(given):
    """b = 3."""
    return given.follows()


@HERE.mistake("false at st_b = 0", lt(b, b), [b])
def a_letter_below_itself(given):
    """No number is."""
    return given.follows(goal=le(b, b))


@HERE.mistake("false at st_b = 2", SQUARE, [b], grade="certified")
def a_cover_of_a_part(given):
    """Only [0, 1] is covered."""
    from theorems.engine.rules.certificates import covered

    return covered(given.goal, over={b: sympy.Interval(0, 1)}, zero_orders={b: (1, 1)})


@HERE.mistake("false at st_b = 2", SQUARE, [b], grade="certified")
def a_cover_of_half(given):
    """Only [1/4, 1/2] is covered."""
    from theorems.engine.rules.certificates import covered

    return covered(given.goal, over={b: sympy.Interval(Rational(1, 4), Rational(1, 2))})


@HERE.mistake("both sides meet at st_a = 0", lt(exp(-a), 1), [a], grade="certified")
def a_cover_up_to_an_end_where_sides_meet(given):
    """Both are 1 at 0."""
    return given.covered(zero_orders={a: (1, 0)})


@HERE.mistake("among its leaves: certified", lt(exp(a), 3), [a], true=True)
def a_cover_as_a_proof(given):
    """Balls certify."""
    return given.covered()


def chain(start, *steps, **how):
    """A derivation."""
    return Derivation("A chain", "c", start, [Step(one, "so it is") for one in steps], **how)


@HERE.mistake("the difference lies in", eq((b + 1) ** 2, b**2 + 1), [b])
def a_derivation_with_a_wrong_step(given):
    """2b is lost."""
    return given.derived(chain((b + 1) ** 2, b**2 + 1))


@HERE.mistake("a step fails: .* the difference lies in", eq((b + 1) ** 2, b**2 + 2 * b + 1), [b], true=True)
def a_derivation_with_two_wrong_steps(given):
    """What is lost comes back."""
    return given.derived(chain((b + 1) ** 2, b**2 + 1, b**2 + 2 * b + 1))


@HERE.mistake("the proof is for st_b in", eq(sqrt((b - 1) ** 2), b - 1), [b])
def a_derivation_for_large_values(given):
    """It is 1 - b below 1."""
    return given.derived(chain(sqrt((b - 1) ** 2), b - 1, domain={b: sympy.Interval(1, sympy.oo)}))


@HERE.mistake("may be undefined", eq((b**2 - 1) / (b - 1), b + 1), [b])
def a_quotient_at_its_pole(given):
    """Nothing is defined at b = 1."""
    return given.derived(chain((b**2 - 1) / (b - 1), b + 1))


@HERE.mistake("false at st_b", eq(b, 2 * b), [b])
def a_derivation_with_an_abbreviation(given):
    """b is abbreviated as 0."""
    return given.derived(chain(b, 2 * b, where={b: sympy.Integer(0)}))


@HERE.mistake("under must be relations", eq(b, 1), [b])
def a_derivation_under_a_condition(given):
    """b is 1 only where it is assumed."""
    return given.derived(chain(b, sympy.Integer(1), under=[eq(b, 1)]))


@HERE.mistake("st_b = 0", eq(log(b), log(b)), [b])
def a_logarithm_at_zero(given):
    """It has no value at 0."""
    return given.follows()


@HERE.mistake("fails at st_b = 1/2", ge(b**2 + b, 2 * b), [b])
def an_induction_for_integers(given):
    """It holds for integers; b = 1/2 is none."""
    return given.follows(rules.follows(ge(n**2 + n, 2 * n), over={n: sympy.S.Naturals0}))


@HERE.mistake("Naturals0.* fails", ge(b**2, b), [b])
def an_instance_outside_its_range(given):
    """For integers only."""
    whole = rules.follows(ge(n**2, n), over={n: sympy.S.Naturals0})
    return given.instance(whole, {n: b})


@HERE.mistake("a step fails", SQUARE, [b], assuming=[BELOW], true=True)
def a_false_side_step(given):
    """The statement is true, the step is not."""
    step = given.follows(goal=le(b**3, b**4))
    return given.follows(step)


@HERE.mistake("squares is false at", ge(b + 1, b), [b], true=True)
def a_false_textbook_fact_beside_a_truth(given):
    """The statement is true, the fact is not."""
    return given.follows(given.textbook("squares", ge(b**2, b)))


@HERE.mistake(
    "is not in Interval", ge(b + 1, b), [b], grade="refuted", evidence={"severity": Severity.FALSE}, true=True
)
def a_counterexample_outside_the_range():
    """-1 is no size."""
    return {b: sympy.Integer(-1)}


@HERE.mistake(
    "does not meet",
    SQUARE,
    [b],
    assuming=[BELOW],
    grade="refuted",
    evidence={"severity": Severity.FALSE},
    true=True,
)
def a_counterexample_against_a_hypothesis():
    """2 is not below 1."""
    return {b: sympy.Integer(2)}
