"""Lemmas 16 and 17: why the moments of what a column adds to the scores are bounded."""

from itertools import combinations

from sympy import (
    Abs,
    Expr,
    Function,
    Integer,
    Mul,
    Or,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    limit,
    oo,
    sqrt,
    symbols,
)

from theorems.classical.integers import apart
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem, facts, principles, probabilities, sums
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.gaussian_sums import bilinear, k, n, weighted_products
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.network import score_width, width
from theorems.infinite_attention.letters.scores import (
    entries_product,
    exceeded,
    largest_16,
    matrix_rank,
    paired_terms,
    projection,
    singular_value,
)
from theorems.infinite_attention.letters.table import SIZE, claim

_BOUND_NOTE = "proofs_notes/inf_scores.md#uniform-integrability"
_NOTE = "proofs_notes/inf_scores.md#third-moments"

EXPONENT = claim(
    "inf.lem16.exponent",
    at="Lemma 16",
    title="Bounded eighth moments of entries make products of eight entries uniformly integrable",
    states=sentence(
        r"\sup_{n, c} \mathbb{E}|{$g_input}_c|^{$exponent} < \infty \implies"
        r" ({$g_input}_{c_1} \cdots {$g_input}_{c_{$factors}})_n \text{ uniformly integrable}",
        exponent=8,
        factors=8,
    ),
    provenance=Provenance.STEP,
    note=_BOUND_NOTE,
)


@EXPONENT.refuted(severity=Severity.SLIP, controls={"more": {"exponent": 9}})
def rare_large_entries(exponent: int, factors: int) -> Obligations:
    """All entries are the eighth root of m with probability 1/m, and else 0."""
    m = Symbol("m", positive=True)
    size = m ** Rational(1, factors)
    bounded = limit(size**exponent / m, m, oo)
    yield "the moments are bounded", bool(bounded < oo)
    yield "what is far out has the mean 1", bool(limit(size**factors / m, m, oo) == 1)


MORE = EXPONENT.corrected(
    "inf.lem16.exponent.corrected",
    title="Bounded 16th moments of entries make products of eight entries uniformly integrable",
    states=le(
        E(Piecewise((Abs(entries_product), ge(Abs(entries_product), exceeded)), (0, True))),
        largest_16 / exceeded,
    ),
    note=_BOUND_NOTE,
)


@MORE.proved()
def square_over_the_size(given: Given) -> Theorem:
    """What exceeds c is at most its square over c, and squares are bounded by Hölder."""
    x = Symbol("x", real=True)
    beyond = Piecewise((Abs(x), ge(Abs(x), exceeded)), (0, True))
    step = rules.follows(le(beyond, x**2 / exceeded))
    return given.follows(principles.expected(step, x, entries_product), _square_of_eight(given))


_entry = randoms("g")


def _square_of_eight(given: Given) -> Theorem:
    """E (g₁ ⋯ g₈)² is at most the largest E g¹⁶, by Cauchy and Schwarz for two halves, thrice."""
    largest = given.largest("the largest 16th moment", le(E(_entry(n) ** 16), largest_16))
    known = rules.follows(le(E(_entry(n) ** 16), largest_16), [largest])
    places = [Integer(place) for place in range(8)]
    bounds = [known.at({n: place}) for place in places]
    factors, power = [_entry(place) for place in places], 16
    while len(factors) > 1:
        power //= 2
        pairs = list(zip(factors[::2], factors[1::2], strict=True))
        factors = [one * other for one, other in pairs]
        bounds = [_half_the_power(pair, power, bounds[2 * j : 2 * j + 2]) for j, pair in enumerate(pairs)]
    product = given.meaning("a product of eight entries", eq(E(entries_product**2), E(factors[0] ** 2)))
    return given.follows(*bounds, product, goal=le(E(entries_product**2), largest_16))


def _half_the_power(pair: tuple[Expr, Expr], power: int, bounds: list[Theorem]) -> Theorem:
    """E (XY)^p is at most what bounds E X^2p and E Y^2p."""
    powers = [one**power for one in pair]
    known = [
        facts.expectation_of_product(*powers),
        *(probabilities.expectation_of_size(one**2) for one in powers),
    ]
    return rules.follows(le(E(Mul(*powers)), largest_16), [*bounds, *known])


COUNT = claim(
    "inf.lem17.count",
    at="Lemma 17",
    title="The fourth moment is bounded by the number of its terms and their weights",
    states=sentence(
        r"\mathbb{E}{$column_part}_u {$column_part}_u {$column_part}_u {$column_part}_u"
        r" \text{ is a sum of } N = {$width}^{$terms} \text{ terms, each bounded by a constant but"
        r" for the factor } w = {$width}^{-$weight} \text{ that eight weights } $projecting_weight"
        r" = $projecting_scale $unit_weight / \sqrt{$width} \text{ have (it is not printed):}"
        r" \quad \sup_{$width} N w < \infty",
        terms=8,
        weight=4,
    ),
    provenance=Provenance.STEP,
    note=_NOTE,
)


@COUNT.refuted(severity=Severity.GAP, controls={"paired": {"terms": 4}})
def four_powers_too_many(terms: int, weight: int) -> Obligations:
    """The fourth power of d is not bounded."""
    d = Symbol("d", positive=True)
    yield "the bound is infinite", bool(limit(d**terms / d**weight, d, oo) == oo)


FEWER = COUNT.corrected(
    "inf.lem17.count.corrected",
    title="The terms of the fourth moment whose mean is not zero are as many as their weight needs",
    states={
        "number": eq(paired_terms, 3 * width**2 - 2 * width),
        "queries and keys": le(paired_terms**2, 9 * width**4),
    },
    note=_NOTE,
)
#: Four indices; whether two are the same, and whether each index stands at an even number of places.
_PLACES = _a, _b, _c, _e = [Symbol(name, integer=True, nonnegative=True) for name in "abce"]
_same, _even = Function("same", real=True), Function("even", real=True)
#: How many sequences are even, of those that begin with some of the indices.
_beginning = {
    size: Function(f"even sequences beginning with {size}", real=True)(*_PLACES[:size]) for size in (1, 2, 3)
}


def _same_indices(*pair: Expr) -> Expr:
    return Piecewise((1, eq(*pair)), (0, True))


def _pairings(given: Given) -> Theorem:
    """An even sequence has one of three pairings, or all of them."""
    pairings = [(eq(_a, _b), eq(_c, _e)), (eq(_a, _c), eq(_b, _e)), (eq(_a, _e), eq(_b, _c))]
    is_even = Or(*(both(*pair) for pair in pairings))
    meant = given.meaning(
        "1 for a sequence of which each index stands at an even number of places, else 0",
        eq(_even(*_PLACES), Piecewise((1, is_even), (0, True))),
    )
    value = _same(_a, _b) * _same(_c, _e) + _same(_a, _c) * _same(_b, _e) + _same(_a, _e) * _same(_b, _c)
    all_the_same = _same(_a, _b) * _same(_a, _c) * _same(_a, _e)
    pairs = [_delta(given, *pair) for pair in combinations(_PLACES, 2)]
    return rules.follows(eq(_even(*_PLACES), value - 2 * all_the_same), [meant, *pairs])


def _delta(given: Given, one: Expr, other: Expr) -> Theorem:
    x, y = symbols("x y", integer=True, nonnegative=True)
    said = given.meaning("1 if two indices are the same, else 0", eq(_same(x, y), _same_indices(x, y)))
    return said.at({x: one, y: other})


def _found_once(given: Given, place: Symbol, running: Symbol) -> Theorem:
    """One index of all is the same as a given one."""
    total = Sum(_same(place, running), (running, 0, n - 1))
    goal = both(implies(place < n, eq(total, 1)), implies(n <= place, eq(total, 0)))
    order = apart(place, n, over={place: integers(0), n: integers(0)})
    found = sums.by_recursion(goal, n, premises=[_delta(given, place, n), order])
    return found.at({n: width})


def _counted(given: Given, each: Theorem, place: int, value: Expr) -> Theorem:
    """The number of sequences that begin with some indices, from that with one index more."""
    last, before = _PLACES[place], _PLACES[:place]
    name = paired_terms if place == 0 else _beginning[place]
    meant = given.meaning("sums over the next index", eq(name, Sum(each.statement.lhs, (last, 0, width - 1))))
    over = {x: range_ for x, range_ in each.over.items() if x != last} | given.ranging(width)
    added = sums.summed(each, last, width, over=over)
    known = [_found_once(given, one, last) for one in before]
    known += [meant, added, sums.linear(added.statement.rhs, over=over)]
    return rules.follows(eq(name, value), known, under=[one < width for one in before])


def _number(given: Given) -> Theorem:
    """Each pairing has d² sequences, and d of these have all three."""
    pairs = _same(_a, _b) + _same(_a, _c) + _same(_b, _c) - 2 * _same(_a, _b) * _same(_a, _c)
    values = [pairs, (width - 2) * _same(_a, _b) + 2, 3 * width - 2, 3 * width**2 - 2 * width]
    known = _pairings(given)
    for place, value in zip((3, 2, 1, 0), values, strict=True):
        known = _counted(given, known, place, value)
    return known


@FEWER.proved("number", "queries and keys")
def three_pairings(given: Given) -> Theorem:
    """Of four indices the first is paired with any of the others."""
    return given.follows(_number(given))


NORMAL_FORM = Hypothesis(
    "normal_form",
    "by the singular values of its matrix $projection, a bilinear form of a normal vector of"
    " queries and one of keys that is independent of it, is a sum of $matrix_rank products",
    latex=r"$projection = \textstyle\sum_{k} s_k z_k w_k, \quad z_k, w_k \text{ independent"
    r" standard normal}",
)


def _total(power: int) -> Sum:
    return Sum(singular_value(k) ** power, (k, 0, matrix_rank - 1))


MOMENTS = claim(
    "inf.lem17.moments",
    at="Lemma 17",
    title="The fourth moment of what a column adds is at most nine squares of the variance",
    states={
        "second": eq(E(projection**2), _total(2)),
        "fourth": eq(E(projection**4), 3 * _total(2) ** 2 + 6 * _total(4)),
        "bound": le(E(projection**4), 9 * E(projection**2) ** 2),
        "third": le(E(Abs(projection) ** 3) ** 2, 9 * E(projection**2) ** 3),
    },
    assuming=NORMAL_FORM,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _moments(given: Given) -> list[Theorem]:
    """The second and the fourth moment by the sums of powers of singular values."""
    end = weighted_products(given, singular_value).at({n: matrix_rank})
    form = given.supposed(NORMAL_FORM, *(eq(E(projection**p), E(bilinear(matrix_rank) ** p)) for p in (2, 4)))
    return [end, form]


@MOMENTS.proved("second", "fourth")
def sums_of_weighted_products(given: Given) -> Theorem:
    """By induction on the number of terms."""
    return given.follows(*_moments(given))


def _sizes() -> Theorem:
    """A sum of fourth powers is at most the square of that of squares."""
    square, fourth = (Sum(singular_value(k) ** p, (k, 0, n - 1)) for p in (2, 4))
    below = sums.by_recursion(both(ge(square, 0), le(fourth, square**2)), n)
    return below.at({n: matrix_rank})


def _bound(given: Given) -> Theorem:
    goal = le(E(projection**4), 9 * E(projection**2) ** 2)
    return given.follows(*_moments(given), _sizes(), goal=goal)


@MOMENTS.proved("bound")
def one_singular_value(given: Given) -> Theorem:
    """The extreme case is a product of two normal variables."""
    return _bound(given)


@MOMENTS.proved("third")
def cauchy_schwarz_for_means(given: Given) -> Theorem:
    """E|φ|³ is the mean of |φ| times φ²."""
    product = facts.expectation_of_product(Abs(projection), projection**2)
    positive = given.follows(*_moments(given), _sizes(), goal=ge(E(projection**2), 0))
    return given.follows(product, positive, _bound(given))


_growing = Symbol("d", positive=True)

THIRD = claim(
    "inf.lem17",
    at="Lemma 17",
    title="Third moments of what a column adds grow more slowly than the root of the width",
    states=sentence(
        r"\mathbb{E}|\varphi_{n,u} \varphi_{n,u} \varphi_{n,u}| = o($growth)",
        growth=Choice(r"\sqrt{d^G_n}", sqrt(_growing)),
    ),
    assuming=PROJECTIONS,
    rests_on=[MOMENTS, "inf.lem32"],
    discharging={**OF_A_LAYER, NORMAL_FORM: "given the inputs a projection is such a form"},
    note=_NOTE,
)


@THIRD.argued(
    bridge="The mean over the inputs of the power 3/2 of the variance given them is bounded, as"
    " this is a polynomial in mean products of inputs whose moments Lemma 32 bounds.",
    uses=[PROJECTIONS],
    over={score_width: SIZE},
    controls={"no_growth": {"growth": Choice("1", Integer(1))}},
)
def bounded_given_the_inputs(growth: Expr, given: Given) -> Obligations:
    """The third moment given the inputs is at most three powers 3/2 of the variance."""
    squared = given.fact(MOMENTS, "third").statement.rhs
    variance = Symbol("v", positive=True)
    bound = sqrt(squared.xreplace({E(projection**2): variance}))
    yield "a bound over the growth vanishes", bool(limit(bound / growth, _growing, oo) == 0)
