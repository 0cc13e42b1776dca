"""Mistakes about means and independence of random variables, and about their laws."""

import sympy
from sympy import Abs, Symbol, exp, log, sqrt

from hostile import LETTERS, Mistakes
from theorems.engine import Hypothesis, eq, ge, half_line, interval, le, lt, reals, rules
from theorems.engine.rules import E, P, Random, facts, leaves, principles, probabilities
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.engine.statements.letters import Kind

HERE = Mistakes("expectations")
X = LETTERS.thing(Random("X"), "X", "a random variable", Kind.LAW)
Y = LETTERS.thing(Random("Y"), "Y", "another random variable", Kind.LAW)
Z = LETTERS.thing(Random("Z"), "Z", "a third random variable", Kind.LAW)
level = LETTERS.number("level", "a", "a level", reals())
_value = Symbol("value", real=True)
_i, _n = Symbol("i", integer=True, nonnegative=True), Symbol("n", integer=True, nonnegative=True)
_S, _g = randoms("S"), sympy.Function("g", real=True)
INDEPENDENT = Hypothesis("independent_pair", "$X and $Y are independent", independent(X, Y))
PAIRS = Hypothesis(
    "independent_pairs",
    "any two of $X, $Y and $Z are independent",
    sympy.And(independent(X, Y), independent(X, Z), independent(Y, Z)),
)
ITSELF = Hypothesis("apart_from_itself", "$X is independent of itself", independent(X, X))
MEAN = Hypothesis("mean_is_zero", "$X has mean zero", eq(E(X), 0))
UNIT = Hypothesis("second_moment", "$X has second moment 1", eq(E(X**2), 1))
WORDS = Hypothesis("centred", "$X has mean zero")
ONE_LAW = Hypothesis("one_mean", "$X and $Y have one law", eq(E(X**2), E(Y**2)))


@HERE.mistake("does not follow", eq(E(X * Y), E(X) * E(Y)), [X, Y])
def a_product_of_means_without_independence(given):
    """If X = Y is a fair sign, the left side is 1 and the right one 0."""
    return given.follows(facts.expectation_of_independent(X, Y))


@HERE.mistake("does not follow", eq(E(X * Y * Z), E(X) * E(Y) * E(Z)), [X, Y, Z], assuming=[PAIRS])
def three_factors_that_are_independent_in_pairs(given):
    """Let X and Y be independent fair signs and Z = XY: the left side is 1."""
    return given.follows(facts.expectation_of_independent(X, Y), facts.expectation_of_independent(X * Y, Z))


@HERE.mistake("does not follow", eq(E(X**2), E(X) ** 2), [X])
def a_variable_that_is_independent_of_itself(given):
    """A fair sign has the second moment 1."""
    return given.follows(facts.expectation_of_independent(X, X))


@HERE.mistake("contradict", eq(E(X**2), 5), [X], assuming=[ITSELF, MEAN, UNIT])
def hypotheses_that_contradict_each_other(given):
    """E X^2 = (E X)^2 = 0 if X is independent of itself, but it is assumed to be 1."""
    return given.follows(facts.expectation_of_independent(X, X))


@HERE.mistake("does not follow", eq(E(X**3), E(X) * E(X**2)), [X])
def a_variable_and_its_square(given):
    """Let X be 0 or 1, each with chance 1/2: the sides are 1/2 and 1/4."""
    return given.follows(facts.expectation_of_independent(X, X**2))


@HERE.mistake("does not follow", eq(E(X**2 * Y**2), E(X**2) * E(Y**2)), [X, Y], assuming=[INDEPENDENT])
def squares_of_independent_variables_without_a_reason(given):
    """It is true, but the fact for X and Y says nothing of their squares."""
    return given.follows(facts.expectation_of_independent(X, Y))


@HERE.mistake("does not follow", eq(E(exp(X)), exp(E(X))), [X])
def a_function_of_a_mean(given):
    """For a fair sign the left side is cosh 1 and the right one 1."""
    return given.follows(_jensen_for_the_exponential(given))


@HERE.mistake("does not follow", le(E(exp(X)), exp(E(X))), [X])
def jensen_the_wrong_way_round(given):
    """For a fair sign the left side is cosh 1 and the right one 1."""
    return given.follows(_jensen_for_the_exponential(given))


def _jensen_for_the_exponential(given):
    bend = rules.follows(sympy.true, over={_value: reals()})
    return principles.jensen(bend, exp(_value), _value, X)


@HERE.mistake("does not follow", ge(-log(E(X)), E(-log(X))), [X])
def the_mean_of_a_logarithm_of_any_sign(given):
    """X may be negative, so that its logarithm is not defined, and Jensen goes the other way."""
    bend = rules.follows(ge(_value**-2, 0), over={_value: interval(1, 2)})
    below = principles.jensen(bend, -log(_value), _value, X)
    return given.follows(below)


@HERE.mistake(r"6\*value >= 0 fails at", ge(E(X**3), E(X) ** 3), [X])
def jensen_for_a_cube(given):
    """A cube is convex on the positive half line only."""
    bend = rules.follows(ge(6 * _value, 0), over={_value: reals()})
    return given.follows(principles.jensen(bend, _value**3, _value, X))


@HERE.mistake("does not follow", ge(E(X**3), E(X) ** 3), [X])
def jensen_for_a_cube_on_half_the_line(given):
    """Nothing says that X is not negative: if it is -2 or 1, with chances 1/3 and 2/3."""
    over = {_value: sympy.Interval(0, sympy.oo)}
    bend = rules.follows(ge(6 * _value, 0), over=over)
    return given.follows(principles.jensen(bend, _value**3, _value, X))


@HERE.mistake("the theorem must say", ge(E(sqrt(Abs(X))), sqrt(Abs(E(X)))), [X])
def jensen_at_a_kink(given):
    """The root of a size is concave on either side of 0, and has no slope there."""
    bend = rules.follows(ge(_value**2, 0), over={_value: reals()})
    return given.follows(principles.jensen(bend, sqrt(Abs(_value)), _value, X))


@HERE.mistake("does not follow", eq(E(X**2), E(X * Y)), [X, Y], assuming=[ONE_LAW])
def one_law_taken_for_equality(given):
    """Two independent fair signs have one law, and E XY = 0."""
    return given.follows(probabilities.equal_means(X**2, X * Y))


@HERE.mistake("does not follow", eq(E(X * Y), E(X) * E(Y)), [X, Y], assuming=[ONE_LAW])
def exchangeable_taken_for_independent(given):
    """X = Y is exchangeable with itself."""
    return given.follows(facts.expectation_of_independent(X, Y))


@HERE.mistake("does not follow", le(E(X * Y) ** 2, E(X**2) * E(Y)), [X, Y])
def a_power_that_is_forgotten_in_cauchy_schwarz(given):
    """If X = 1 and Y = 2, the sides are 4 and 2."""
    return given.follows(facts.expectation_of_product(X, Y))


@HERE.mistake("does not follow", ge(E(X * Y) ** 2, E(X**2) * E(Y**2)), [X, Y])
def cauchy_schwarz_for_means_the_wrong_way_round(given):
    """For independent fair signs the sides are 0 and 1."""
    return given.follows(facts.expectation_of_product(X, Y))


@HERE.mistake("does not follow", eq(E(Abs(X)), Abs(E(X))), [X])
def the_size_of_a_mean_as_an_equation(given):
    """A fair sign has mean 0 and size 1."""
    return given.follows(probabilities.expectation_of_size(X))


@HERE.mistake("does not follow", le(Abs(E(X * Y)), E(Abs(Y))), [X, Y])
def a_bounded_factor_without_its_bound(given):
    """If X = 2 and Y = 1, the sides are 2 and 1."""
    return given.follows(probabilities.bounded_factor(X, Y, 1))


@HERE.mistake("does not follow", lt(E(X), E(Y)), [X, Y])
def monotone_means_that_become_strict(given):
    """What holds for all values strictly holds for means weakly, and X < Y is assumed nowhere."""
    return given.follows(facts.expectation_of_square(X), probabilities.larger_mean(X, Y))


@HERE.mistake("must range over the reals or an interval", ge(E(X**2), E(X)), [X])
def what_holds_for_integers_only(given):
    """If X = 1/2, then X^2 is less than X."""
    whole = Symbol("whole", integer=True)
    square = rules.follows(ge(whole**2, whole), over={whole: sympy.S.Integers})
    return given.follows(principles.expected(square, whole, X))


@HERE.mistake("does not follow", le(E(X**2), 1), [X])
def what_holds_on_an_interval_only(given):
    """If X = 2, its square is 4."""
    square = rules.follows(le(_value**2, 1), over={_value: interval(-1, 1)})
    return given.follows(principles.expected(square, _value, X))


@HERE.mistake("no hypothesis may be about", le(E(X), E(X**2)), [X])
def what_holds_under_a_condition_only(given):
    """If X = 1/2, then X is larger than its square."""
    larger = rules.follows(le(_value, _value**2), over={_value: reals()}, under=[_value >= 1])
    return given.follows(principles.expected(larger, _value, X))


@HERE.mistake("value = 0", ge(E(1 / X**2), 0), [X])
def the_mean_of_what_is_not_defined(given):
    """If X = 0, there is no 1/X^2."""
    positive = rules.follows(ge(_value**-2, 0), over={_value: reals()})
    return given.follows(principles.expected(positive, _value, X))


@HERE.mistake("X may not be Y: the second moment", le(E(Y**2), E(X**2)), [X, Y])
def a_law_of_one_variable_for_another(given):
    """The second moment of X is what the name of X says; Y is another variable."""
    unit = given.meaning("the second moment", eq(E(X**2), 1))
    return given.follows(given.substituted(unit, {X: Y}))


@HERE.mistake("is about its value", eq(E(Y), 0), [X, Y], assuming=[WORDS, ONE_LAW])
def a_hypothesis_in_words_for_another_variable(given):
    """That X has mean zero says nothing of Y."""
    mean = given.supposed(WORDS, eq(E(X), 0))
    return given.follows(given.substituted(mean, {X: Y}))


@HERE.mistake("uses the hypothesis centred", eq(E(X), 0), [X])
def a_hypothesis_that_the_claim_does_not_make(given):
    """X may have any mean."""
    return given.follows(given.supposed(WORDS, eq(E(2 * X), 0)))


@HERE.mistake("false for some of what it speaks of", le(E(Y**2), E(X**2)), [X, Y])
def a_variable_that_exists_taken_for_any_other(given):
    """There is a variable with second moment 1, but Y may be 2."""
    unit = given.textbook("a variable of second moment 1", eq(E(X**2), 1))
    return given.follows(given.substituted(unit, {X: Y}))


@HERE.mistake("contradict each other", le(E(X), 5), [X])
def two_laws_of_one_variable(given):
    """A mean cannot be 0 and 1."""
    one, other = given.meaning("X", eq(E(X), 0)), given.meaning("X again", eq(E(X), 1))
    return given.follows(one, other)


@HERE.mistake("no number", le(E(X), level), [X, level])
def a_family_of_numbers_that_is_called_like_one_of_variables(given):
    """A bound of numbers g(k) says nothing of the variables g(k)."""
    over = {_n: sympy.Range(sympy.oo), level: reals()}
    numbers = leaves.bridge("the numbers", le(_g(_n), level), over=over)
    drawn = leaves.bridge("the variables", eq(E(X), randoms("g")(1)), over={X: X.belongs_to})
    return given.follows(rules.instance(numbers, {_n: sympy.Integer(1)}), drawn)


@HERE.mistake("one index between integers", eq(E(sympy.Sum(_S(_i), (_i, 1, X))), X * E(_S(1))), [X])
def a_random_number_of_terms(given):
    """A sum over a random number of terms needs Wald's identity, and X need be no integer."""
    return given.follows()


@HERE.mistake("does not follow", eq(E((X + Y) ** 2), E(X**2) + E(Y**2)), [X, Y])
def the_square_of_a_sum_as_a_sum_of_squares(given):
    """If X = Y = 1, the sides are 4 and 2."""
    return given.follows(facts.expectation_of_independent(X, Y))


@HERE.mistake("value of X = -1", ge(E(X), 0), [X])
def the_root_of_a_variable_of_any_sign(given):
    """The square of the root of X is X only if X has a root; if X = -1, its mean is negative."""
    return given.follows(facts.expectation_of_square(sqrt(X)))


@HERE.mistake("value of X", ge(E(X), 0), [X])
def the_square_of_a_root_in_the_mean(given):
    """What holds for all numbers is said of the root of X, which need not be one."""
    square = rules.follows(ge(_value**2, 0), over={_value: reals()})
    return given.follows(principles.expected(square, _value, sqrt(X)))


@HERE.mistake("ImaginaryUnit", le(E(X**2), E(X) ** 2), [X])
def a_variable_that_is_not_real(given):
    """The square of the mean of iX is -(E X)^2, and that of iX is -X^2."""
    return given.follows(facts.expectation_of_square(sympy.I * X))


@HERE.mistake("fails at value of X = 0", le(E(X) ** 2, E(X**2)), [X], true=True)
def a_quotient_by_a_variable(given):
    """It is true, but X = X^2/X fails for X = 0."""
    return given.follows(facts.expectation_of_square(X**2 / Abs(X)))


@HERE.mistake("s would be caught in E", le(E(Abs(X - E(X))), 0), [X])
def the_mean_of_a_mean_at_the_variable_itself(given):
    """E|X - s| is at least |E X - s| for every s, but E|X - X| is not its mean at s = X."""
    s, size = Symbol("s", real=True), probabilities.expectation_of_size
    numbers = {s: sympy.Reals}
    above = rules.instance(size.theorem, {size.letters[0]: X - s}, over=numbers)
    relation = ge(E(Abs(X - s)), Abs(E(X) - s))
    each = rules.follows(relation, [above], over={**numbers, X: X.belongs_to})
    return given.follows(principles.expected(each, s, X))


@HERE.mistake("would be caught in P", le(E(Abs(Y)) * P(Abs(X) >= Abs(Y)), E(Abs(X))), [X, Y])
def a_level_that_depends_on_the_outcome(given):
    """Markov's inequality for a level says nothing of a random one: let Y be 9 where X is 0."""
    s = Symbol("s", real=True)
    each = facts.markov(X, s, over={s: half_line(0, closed=False)})
    return given.follows(principles.expected(each, s, Abs(Y)))


@HERE.mistake("would be caught in a mean", le(E(Abs(X)), 0), [X])
def a_family_of_functions_that_becomes_random_inside_of_a_mean(given):
    """E|X - f| is no mean over f where f is a family of random variables."""
    f, size = sympy.Function("f", real=True), probabilities.expectation_of_size
    numbers = {_n: sympy.Range(sympy.oo)}
    above = rules.instance(size.theorem, {size.letters[0]: X - f(_n)}, over=numbers)
    relation = ge(E(Abs(X - f(_n))), Abs(E(X) - f(_n)))
    each = rules.follows(relation, [above], over={**numbers, X: X.belongs_to})
    return given.follows(principles.expected_jointly(each, {f: _S}))


@HERE.mistake("does not follow", eq(P(X >= 0) * E(Abs(X)), E(X)), [X])
def a_mean_on_an_event(given):
    """For a fair sign the sides are 1/2 and 0."""
    return given.follows(facts.markov(X, 1), probabilities.expectation_of_size(X))


@HERE.mistake("i would be caught", eq(E(X), 0), [X])
def an_index_that_is_caught(given):
    """The index inside the sum is not the one outside."""
    total = sympy.Sum(_S(_i + _n), (_i, 0, 3))
    shown = rules.follows(eq(E(total) - E(total), 0), over={_n: sympy.Range(sympy.oo)})
    plain = leaves.textbook("sums", eq(E(total), E(total) + _n - _n), over={_n: sympy.Range(sympy.oo)})
    return given.follows(shown, rules.instance(plain, {_n: _i}, over={_i: sympy.Range(sympy.oo)}))
