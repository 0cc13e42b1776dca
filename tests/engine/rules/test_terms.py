"""Terms of our own mean what a solver reads in their text, and arithmetic with numbers is right."""

from fractions import Fraction

import z3
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from theorems.engine.rules import terms
from theorems.engine.rules.question import asked
from theorems.engine.rules.terms import FALSE, TRUE, letter, number, plainly_true

X, Y = letter("x"), letter("y")
numbers = fractions(-3, 3, max_denominator=4).map(number)


def larger_numbers(inside):
    pair = st.tuples(inside, inside)
    return st.one_of(
        pair.map(lambda two: terms.add(*two)),
        pair.map(lambda two: terms.multiply(*two)),
        pair.map(lambda two: terms.divide(*two)),
        st.tuples(inside, st.integers(0, 9)).map(lambda two: terms.power(*two)),
        st.tuples(inside, inside, inside, inside).map(
            lambda four: terms.choice(terms.below(*four[:2]), *four[2:])
        ),
    )


values = st.recursive(numbers, larger_numbers, max_leaves=5)
RELATIONS = (*(terms.at_most, terms.below, terms.at_least, terms.above), *(terms.equal, terms.different))


def larger_truths(inside):
    pair = st.tuples(inside, inside)
    return st.one_of(
        inside.map(terms.no),
        pair.map(terms.both),
        pair.map(terms.either),
        pair.map(lambda two: terms.implies(*two)),
        pair.map(lambda two: terms.equal(*two)),
    )


relations = st.one_of(
    st.tuples(st.sampled_from(RELATIONS), values, values).map(lambda three: three[0](*three[1:])),
    values.map(terms.whole),
)
truths = st.recursive(relations, larger_truths, max_leaves=4)


def divides_by_zero(term):
    """Whether nothing is known of the value of some quotient in it."""
    known = {}
    for one in terms.inside(term):
        known[one] = terms.value_of(one, [known[x] for x in one.args])
        if one.head == "/" and known[one.args[1]] == 0:
            return True
    return False


class TestArithmetic:
    @given(truths)
    def test_what_is_plainly_true_is_true_for_the_solver(self, statement):
        """A statement about numbers alone is plainly true, or false, where nothing divides by 0."""
        (read,) = z3.parse_smt2_string(asked([statement]).text)
        if plainly_true(statement):
            assert z3.is_true(z3.simplify(read))
        elif not divides_by_zero(statement):
            assert z3.is_false(z3.simplify(read))

    @each(
        "statement",
        terms.at_least(X, X),
        terms.implies(terms.above(X, number(0)), terms.above(X, number(0))),
        terms.equal(terms.divide(number(1), number(0)), terms.divide(number(1), number(0))),
        terms.whole(X),
        terms.both([TRUE, terms.at_least(terms.power(X, 2), number(0))]),
        terms.either([FALSE]),
        terms.whole(number(Fraction(1, 2))),
    )
    def test_what_is_not_plainly_true(self, statement):
        assert not plainly_true(statement)

    @each(
        "statement",
        TRUE,
        terms.both([]),
        terms.either([terms.above(X, Y), TRUE]),
        terms.implies(FALSE, terms.above(X, Y)),
        terms.implies(terms.above(X, Y), TRUE),
        terms.no(terms.both([terms.above(X, Y), FALSE])),
        terms.at_least(terms.choice(TRUE, number(1), X), number(1)),
    )
    def test_what_letters_do_not_matter_for(self, statement):
        assert plainly_true(statement)


class TestPowers:
    @given(st.integers(0, 40), st.sampled_from([-2, Fraction(3, 2)]))
    def test_are_products(self, exponent, base):
        raised = terms.power(number(base), exponent)
        assert plainly_true(terms.equal(raised, number(Fraction(base) ** exponent)))

    def test_of_letters_stay_short(self):
        assert len(list(terms.inside(terms.power(X, 1000)))) < 20


def test_equal_terms_are_one():
    assert terms.add(X, terms.multiply(number(2), Y)) is terms.add(X, terms.multiply(number(2), Y))
    assert letter("x", "Bool") is not X
    assert number(2) is number(Fraction(4, 2))


def test_arguments_come_before_what_is_made_of_them():
    square = terms.power(X, 2)
    several = list(terms.inside(terms.add(square, terms.multiply(square, Y)), Y))
    assert len(several) == len(set(several)) == 5
    for place, term in enumerate(several):
        assert all(several.index(one) < place for one in term.args)


@each("relation", "at_most", "below", "at_least", "above", "equal", "different")
def test_relations_are_truths_and_not_numbers(relation):
    """A relation that occurs twice is written once, as a truth: else the solver reads nothing."""
    one = getattr(terms, relation)(letter("a"), letter("b"))
    assert one.sort == "Bool"
    both = terms.both([terms.implies(one, letter("c", "Bool")), terms.either([one])])
    assert len(z3.parse_smt2_string(asked([both]).text)) == 1


def test_a_term_is_shown_as_the_provers_write_it():
    assert repr(terms.call("sin", letter("the angle"))) == "(sin the angle)"


def test_a_sum_of_one_number_is_this_number():
    assert terms.add(letter("x")) is letter("x")
    assert terms.multiply(letter("x")) is letter("x")
