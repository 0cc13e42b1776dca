"""Mistakes about what is taken over: hypotheses, and other claims."""

import sympy
from sympy import Rational, exp, sin

from hostile import LETTERS, Mistakes, claim
from theorems.engine import Hypothesis, Severity, eq, ge, half_line, integers, le, lt
from theorems.engine.rules import leaves

HERE = Mistakes("leaves")
s = LETTERS.number("leaf_s", "s", "a time", half_line(0))
m = LETTERS.number("leaf_m", "m", "a count", integers(1))
size = LETTERS.quantity("leaf_size", r"\|x\|", "a norm", half_line(0))
LAW = Hypothesis("LAW", "the weights for $leaf_size are drawn once")
EARLY = Hypothesis("EARLY", "$leaf_s is early", le(s, 1))
LATE = Hypothesis("LATE", "$leaf_s is late", ge(s, 2))


@HERE.mistake("false at leaf_s = 2", le(s, 1), [s, size], assuming=[LAW])
def words_at_other_letters(given):
    """The hypothesis is about a norm, not about the time."""
    early = given.supposed(LAW, le(s, 1))
    return given.follows(early)


@HERE.mistake("LAW is about its value", le(size, 3), [size], assuming=[LAW])
def words_at_another_value(given):
    """The weights for one norm say nothing of another one."""
    w = sympy.Symbol("w", nonnegative=True)
    small = given.supposed(LAW, le(size, 1))
    return given.follows(given.substituted(small, {size: w}))


@HERE.mistake("uses the hypothesis LAW", le(size, 3), [size])
def a_hypothesis_that_is_not_assumed(given):
    """The claim holds for all laws."""
    return given.follows(given.supposed(LAW, le(size, 1)))


@HERE.mistake("uses the hypothesis LAW, which", le(size, 3), [size])
def a_hypothesis_that_is_not_assumed_by_its_rule(given):
    """The claim holds for all laws."""

    return given.follows(leaves.supposed("LAW", le(size, 1), over={size: half_line(0)}))


@HERE.mistake("contradict each other", lt(s, 0), [s], assuming=[EARLY, LATE])
def hypotheses_that_contradict_each_other(given):
    """No time is at most 1 and at least 2."""
    return given.follows()


@HERE.mistake(
    "contradict each other",
    le(s, 0),
    [s, m],
    assuming=[Hypothesis("ODD", "odd", eq(s, m + Rational(1, 2))), Hypothesis("EVEN", "even", eq(s, m))],
)
def hypotheses_that_contradict_each_other_as_equations(given):
    """s = m and s = m + 1/2."""
    return given.follows()


@HERE.mistake(
    "contradict each other", eq(s, 7), [s], assuming=[Hypothesis("NEVER", "$leaf_s solves it", eq(sin(s), 2))]
)
def a_hypothesis_that_nothing_meets(given):
    """No sine is 2."""
    one = given.textbook("a sine", le(sin(s), 1))
    return given.follows(one)


@HERE.mistake(
    "contradict each other",
    eq(s, 7),
    [s],
    assuming=[Hypothesis("HARDLY", "$leaf_s solves it", lt(exp(s), s))],
)
def a_hypothesis_that_a_fact_excludes(given):
    """exp(s) is at least 1 + s."""
    from theorems.engine.rules import facts

    return given.follows(facts.exponential_above_tangent(s, over={s: half_line(0)}))


def early():
    """A claim for early times, with its proof."""
    one = claim("hostile.leaves.early", at="p. 1", title="Early", states=le(s**2, s), assuming=[EARLY])

    @one.proved()
    def by_the_kernel(given):
        """s(1 - s) is not negative."""
        return given.follows()

    return [one]


def early_in_words():
    """A claim for early times, which are said in words."""
    words = Hypothesis("SOON", "$leaf_s is soon")
    one = claim("hostile.leaves.early", at="p. 1", title="Early", states=le(s**2, s), assuming=[words])

    @one.proved()
    def by_the_kernel(given):
        """s(1 - s) is not negative."""
        return given.follows(given.supposed(words, le(s, 1)))

    return [one]


SOON = Hypothesis("SOON", "$leaf_s is soon")
EARLY_ID = "hostile.leaves.early"


@HERE.mistake("uses the hypothesis EARLY", le(s**2, s), [s], beside=early, rests_on=[EARLY_ID])
def a_fact_without_its_hypothesis(given):
    """It fails at s = 2."""
    return given.follows(given.fact(EARLY_ID))


@HERE.mistake(
    "fails at leaf_s = 2", le(s**2, s), [s], beside=early, rests_on=[EARLY_ID], discharging={EARLY: "obvious"}
)
def a_relation_that_is_discharged_in_words(given):
    """It fails at s = 2."""
    return given.follows(given.fact(EARLY_ID))


@HERE.mistake(
    "met in words.*SOON.*obvious",
    le(s**2, s),
    [s],
    beside=early_in_words,
    rests_on=[EARLY_ID],
    discharging={SOON: "obvious"},
)
def words_that_are_discharged_in_words(given):
    """It fails at s = 2."""
    return given.fact(EARLY_ID)


@HERE.mistake(
    "met in words.*SOON.*obvious",
    le(s**4, s**2),
    [s],
    beside=early_in_words,
    rests_on=[EARLY_ID],
    discharging={SOON: "obvious"},
)
def words_that_are_discharged_at_another_value(given):
    """It fails at s = 2."""
    return given.fact(EARLY_ID, at={s: s**2})


@HERE.mistake(
    "early is about its value",
    le(s**4, s**2),
    [s],
    beside=early_in_words,
    rests_on=[EARLY_ID],
    assuming=[SOON],
)
def a_fact_in_words_at_another_value(given):
    """That s is soon does not say that its square is."""
    return given.fact(EARLY_ID, at={s: s**2})


@HERE.mistake("uses the hypothesis SOON", le(s**2, s), [s], beside=early_in_words, rests_on=[EARLY_ID])
def a_fact_without_its_hypothesis_in_words(given):
    """It fails at s = 2."""
    return given.follows(given.fact(EARLY_ID))


@HERE.mistake("does not rest on", le(s**2, s), [s], beside=early)
def a_fact_on_which_it_does_not_rest(given):
    """It fails at s = 2."""
    return given.follows(given.fact(EARLY_ID))


def circle():
    """A claim that rests on the first one."""
    one = claim(
        "hostile.leaves.back",
        at="p. 1",
        title="Back",
        states=le(2 * size, 2),
        rests_on=["hostile.leaves.a_circle_of_claims"],
    )

    @one.proved()
    def from_the_other(given):
        """Doubled."""
        return given.follows(given.fact("hostile.leaves.a_circle_of_claims"))

    return [one]


@HERE.mistake("cycle", le(size, 1), [size], beside=circle, rests_on=["hostile.leaves.back"])
def a_circle_of_claims(given):
    """Each is half of the other."""
    return given.follows(given.fact("hostile.leaves.back"))


@HERE.mistake("cycle", le(size, 1), [size], rests_on=["hostile.leaves.a_claim_that_rests_on_itself"])
def a_claim_that_rests_on_itself(given):
    """It is its own reason."""
    return given.follows(given.fact("hostile.leaves.a_claim_that_rests_on_itself"))


def standing(attach):
    """A claim about a norm, with the evidence that is attached."""

    def make():
        one = claim("hostile.leaves.below", at="p. 1", title="Below", states=le(size, 1))
        attach(one)
        return [one]

    return make


def from_below(given):
    return given.follows(given.fact("hostile.leaves.below"))


def nothing(one):
    one.left_open("nobody knows")


def prose(one):
    @one.argued(bridge="As one sees.")
    def a_step(given):
        """A step."""
        return given.follows(given.bridge("as one sees", given.goal))


def cited(one):
    one.cited("A book", why="It is long")


def searched(one):
    from hypothesis import strategies as st

    @one.tested(over=st.floats(0, 1), cases=20)
    def some(case):
        """Some norms."""
        return {size: case}


for kind, refused in ((nothing, "below: open"), (prose, "holds"), (cited, "cited"), (searched, "holds")):

    def check(given):
        """What is below is not proved."""
        return from_below(given)

    check.__name__ = f"a_fact_that_is_{kind.__name__}"
    HERE.mistake(refused, le(size, 2), [size], beside=standing(kind), rests_on=["hostile.leaves.below"])(
        check
    )


def false_below():
    one = claim("hostile.leaves.below", at="p. 1", title="Below", states=le(s, 1))

    @one.refuted(severity=Severity.FALSE)
    def at_two():
        """It fails at 2."""
        return {s: sympy.Integer(2)}

    return [one]


@HERE.mistake(
    "rests on hostile.leaves.below: false",
    le(s, 10**6),
    [s],
    beside=false_below,
    rests_on=["hostile.leaves.below"],
)
def a_fact_that_is_false(given):
    """The other claim is declared false."""
    return from_below(given)
