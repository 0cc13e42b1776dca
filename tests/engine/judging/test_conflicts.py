"""Claims that say different things of one quantity prove nothing together."""

from checked import LETTERS, answer, claim, far, size, stated, x
from sympy import Rational
from trying import each

from theorems.engine import Hypothesis, eq, half_line, interval, le
from theorems.engine.claims.kinds import Answer

other = LETTERS.quantity("other_size", r"\|B\|", "another norm", half_line(0))
LOW = Hypothesis("low", "$x is at most a half", formula=le(x, Rational(1, 2)))
HIGH = Hypothesis("high", "$x is at least a half", formula=le(Rational(1, 2), x))


def said(name, relation, **record):
    return claim(f"t.{name}", at="a", title="t", states=relation, **record)


def together(*known, **record):
    """What comes of a proof that uses all of these."""
    one = stated(rests_on=known, **record)

    @one.proved()
    def by_both(given):
        """From both."""
        return given.follows(*(given.fact(one) for one in known))

    return answer(one, *known)


def refused(outcome):
    return outcome.answer is Answer.UNDECIDED and "say different things of" in outcome.summary


@each(
    "first, second",
    (x, 1 - x),
    (x, x / 2),
    (x**2, x),
    (x, x + x * (1 - x)),
    (x * far, 2 * x * far),
    (x, Rational(99, 100) * x),
    (x**2, x ** Rational(5, 2)),
)
def test_two_values_of_one_quantity_are_refused(first, second):
    claims = [said(name, eq(size, value)) for name, value in (("a", first), ("b", second))]
    assert refused(together(*claims))


@each("second", (x - 1) * (x + 1) + 1, 2 * x**2 / 2, x**2)
def test_one_value_in_other_words_is_none(second):
    found = together(said("a", eq(size, x**2)), said("b", eq(size, second)))
    assert found.answer is Answer.ACCEPTED


def test_a_value_in_another_quantity_tells_what_that_is():
    claims = said("a", eq(size, x)), said("b", eq(size, other))
    assert together(*claims).answer is Answer.ACCEPTED


def test_unless_it_drops_out():
    claims = said("a", eq(size, x + 1)), said("b", eq(size, x * other))
    assert refused(together(*claims))


def test_claims_about_different_cases_do_not_meet():
    low, high = said("a", eq(size, x), assuming=[LOW]), said("b", eq(size, 1 - x), assuming=[HIGH])
    assert together(low, high, assuming=[LOW, HIGH]).answer is Answer.ACCEPTED


def test_nor_do_claims_in_different_ranges():
    one = said("a", eq(size, x), given={x: interval(0, Rational(1, 4))})
    another = said("b", eq(size, 1 - x), given={x: interval(Rational(3, 4), 1)})
    assert not refused(together(one, another))


def test_one_claim_alone_is_no_conflict():
    assert together(said("a", eq(size, x**2))).answer is Answer.ACCEPTED
