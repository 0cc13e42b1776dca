"""Lemma D.8: fourth moments of a coordinate's share in a combination of dot products."""

from typing import Any

from sympy import Abs, Expr, Function, Rational, Sum, Symbol

from symbolic.equality import equal
from symbolic.gaussian.wick import gaussian_mean
from theorems.attention_limit.letters.attention import n
from theorems.attention_limit.letters.dot_products import (
    N,
    X,
    g_11,
    g_12,
    g_21,
    g_22,
    r,
    rank,
    sigma_1,
    sigma_2,
    sigma_3,
    sigma_4,
)
from theorems.attention_limit.letters.table import LETTERS, claim
from theorems.attention_limit.premises.gaussian_outputs import wick
from theorems.classical.gaussian_moments import standard
from theorems.classical.independent_sums import apart, k, weighted_sums
from theorems.classical.independent_sums import n as place
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
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, facts, sums
from theorems.engine.rules.normal_variables import centred, fourth_moment, isserlis
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.engine.statements.letters import Kind

_NOTE = "proofs_notes/attn_proofs.md#fourth-moments"

COUNT = claim(
    "attn.lemD8.count",
    at="Lemma D.8, proof",
    title="The terms of the fourth power, by which of four indices are equal",
    states=eq(
        r + 4 * r * (r - 1) + 3 * r * (r - 1) + 6 * r * (r - 1) * (r - 2) + r * (r - 1) * (r - 2) * (r - 3),
        r**4,
    ),
    provenance=Provenance.STEP,
)


@COUNT.proved()
def polynomial_identity(given: Given) -> Theorem:
    """Both sides are the same polynomial."""
    return given.follows()


UNIT_INPUTS = Hypothesis(
    "unit_inputs",
    "$g_11 and $g_12 are the sums of a row of two independent matrices",
    latex=r"$g_11 = \sum_\gamma W^{i,1}_{\alpha\gamma} \sim \mathcal{N}(0, {$sigma_1}^2),\ "
    r" $g_12 = \sum_\gamma W^{i,2}_{\alpha\gamma} \sim \mathcal{N}(0, {$sigma_2}^2)",
)
_ONE = sigma_1**4 * sigma_2**4

EQUAL = claim(
    "attn.lemD8.a1",
    at="Lemma D.8, proof",
    title="Four equal indices give nine times the fourth powers of two scales",
    states={
        "by places": eq((9 * _ONE + 3 * 2 * 3 * (n - 1) * _ONE + 9 * (n - 1) ** 2 * _ONE) / n**2, 9 * _ONE),
        "value": eq(E(g_11**4 * g_12**4), 9 * _ONE),
    },
    assuming=[UNIT_INPUTS],
    note=_NOTE,
)


@EQUAL.proved("by places")
def square_of_a_sum(given: Given) -> Theorem:
    """The three contributions are those of 3 + 3(n - 1) = 3n to its square."""
    return given.follows()


@EQUAL.proved("value")
def all_pairings(given: Given) -> Theorem:
    """Three pairings for each of the two matrices."""
    scales = given.supposed(
        UNIT_INPUTS, eq(E(g_11**2), sigma_1**2), eq(E(g_12**2), sigma_2**2), eq(E(g_11 * g_12), 0)
    )
    pairings = wick(given, UNIT_INPUTS, g_11**4 * g_12**4, letters=[g_11, g_12])
    return given.follows(pairings, scales)


PAIRS = claim(
    "attn.lemD8.a3",
    at="Lemma D.8, proof",
    title="Two pairs of equal indices contribute only where both matrices are shared",
    states=sentence(
        r"\mathbb{E}[({$g_11}{$g_21}{$g_12}{$g_22})^{$square}]"
        r" = $factor ({$sigma_1} {$sigma_2})^{$fourth} \text{ if $shared, and }"
        r" $otherwise \text{ if not}",
        square=2,
        fourth=4,
        factor=9,
        otherwise=0,
        shared=Choice("both matrices are shared", 2),
    ),
    note=_NOTE,
)


@PAIRS.refuted(severity=Severity.SLIP, controls={"the product": {"otherwise": 1}})
def four_matrices(square: int, fourth: int, factor: Any, otherwise: Any, shared: int) -> Obligations:
    """Four independent variables of variance 1 have the mean 1; shared ones have the mean 9."""
    g = [Symbol(f"g_{k}") for k in range(4)]
    powers = (g[0] * g[1] * g[2] * g[3]) ** square
    value = gaussian_mean(powers, g, {(one, one): 1 for one in g})
    yield "no matrix is shared", shared > 0
    twice, scales = {g[2]: g[0], g[3]: g[1]}, zip(g, (sigma_1, sigma_2), strict=False)
    both = gaussian_mean(powers.subs(twice), g[:2], {(one, one): s**2 for one, s in scales})
    stated = factor * (sigma_1 * sigma_2) ** fourth
    yield "with both shared it is as printed", equal(both, stated)
    yield "with none it is not", bool(value != otherwise)


DIFFERENT = Hypothesis(
    "different_matrices",
    "$g_11, $g_12, $g_21 and $g_22 are sums of a row of four independent matrices with the scales"
    " $sigma_1, $sigma_2, $sigma_3 and $sigma_4",
)
_SCALES = dict(zip((g_11, g_12, g_21, g_22), (sigma_1, sigma_2, sigma_3, sigma_4), strict=True))
_SHARED = {
    "both shared": (g_11**4 * g_12**4, 9 * sigma_1**4 * sigma_2**4),
    "first shared": (g_11**4 * g_12**2 * g_22**2, 3 * sigma_1**4 * sigma_2**2 * sigma_4**2),
    "none shared": (g_11**2 * g_12**2 * g_21**2 * g_22**2, sigma_1**2 * sigma_2**2 * sigma_3**2 * sigma_4**2),
}

CORRECTED = PAIRS.corrected(
    "attn.lemD8.a3.corrected",
    title="Two pairs of equal indices contribute 9, 3 or 1 times the scales",
    states={name: eq(E(moment), value) for name, (moment, value) in _SHARED.items()},
    assuming=[DIFFERENT],
    note=_NOTE,
)


@CORRECTED.proved(*_SHARED)
def pairings_within_a_matrix(given: Given) -> Theorem:
    """Only factors of the same matrix may be paired."""
    pairs = [
        eq(E(g * h), _SCALES[g] ** 2 if g == h else 0)
        for k, g in enumerate(_SCALES)
        for h in list(_SCALES)[k:]
    ]
    known = given.supposed(DIFFERENT, *pairs)
    moment, _ = _SHARED[given.part]
    return given.follows(wick(given, DIFFERENT, moment, letters=list(_SCALES)), known)


GAUSSIAN_FORM = Hypothesis(
    "gaussian_form",
    "given the inputs, of which the matrices of the dot products are independent, $X is a sum of"
    " products of outputs of different matrices: a quadratic form of mean zero in $rank normals",
    latex=r"$X = \sum_{k < $rank} \lambda_k (h_k^2 - 1), \quad h_k \sim \mathcal{N}(0, 1)"
    r" \text{ independent}",
)
QUERIES_AND_KEYS = Hypothesis(
    "queries_and_keys",
    "given the inputs, of which the matrices are independent, no matrix of a first factor is one"
    " of a second factor: $X is a bilinear form in two sets of $rank normals",
    latex=r"$X = \sum_{k < $rank} \mu_k h_k h'_k, \quad h_k, h'_k \sim \mathcal{N}(0, 1)"
    r" \text{ independent}",
)

SHARP = claim(
    "attn.lemD8.sharp",
    at="Lemma D.8",
    title="The fourth moment is at most fifteen times the square of the second",
    states=le(E(X**4), 15 * E(X**2) ** 2),
    assuming=[GAUSSIAN_FORM],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


#: A form is a sum of weights times terms in normal variables that are new in each.
_h, _other, _form, _weight = randoms("h"), randoms("h'"), randoms("form"), Function("lambda", real=True)


@SHARP.proved()
def eigenvalues(given: Given) -> Theorem:
    """E X² = 2Σλ², E X⁴ = 12(Σλ²)² + 48Σλ⁴, and Σλ⁴ ≤ (Σλ²)²."""
    return given.follows(*_quadratic_form(given, GAUSSIAN_FORM, X, rank), _smaller_fourth_powers())


def _sum_of_powers(power: int, count: Expr) -> Sum:
    return Sum(_weight(k) ** power, (k, 0, count - 1))


def _smaller_fourth_powers() -> Theorem:
    squares, fourths = (_sum_of_powers(power, place) for power in (2, 4))
    positive = sums.by_recursion(ge(squares, 0), place)
    smaller = sums.by_recursion(le(fourths, squares**2), place, premises=[positive])
    return rules.instance(smaller, {place: rank})


def _quadratic_form(given: Given, law: Hypothesis, X: Expr, count: Expr) -> list[Theorem]:
    """The moments of X = Σλ(h² - 1), as E (h² - 1)² = 2 and E (h² - 1)⁴ = 60."""
    h = _h(place)
    term = h**2 - 1
    said = given.supposed(law, *standard(h).args, independent(_form(place), term))
    known = [said, *(isserlis(*[h] * order) for order in (4, 6, 8))]
    return _moments_of_form(given, law, term, (2, 60), known, X, count)


def _moments_of_form(
    given: Given,
    law: Hypothesis,
    term: Expr,
    moments: tuple[int, int],
    known: list[Theorem],
    X: Expr,
    count: Expr,
) -> list[Theorem]:
    """The second and the fourth moment of a form with such a term, by induction over the terms."""
    of_sums = weighted_sums(given, _form, _weight, term, moments, known)
    form = given.supposed(law, *(eq(E(X**p), E(_form(count) ** p)) for p in (2, 4)))
    return [given.instance(of_sums, {place: count}), form]


X_pairs = LETTERS.thing(
    Random("X_pairs"), r"X_N", "sum of the products of all pairs of different matrices", Kind.LAW
)
ALL_PAIRS = Hypothesis(
    "all_pairs",
    "$X_pairs is the sum of the products of all ordered pairs of different ones of $N independent"
    " standard normals, the outputs of $N matrices at one unit input; as a quadratic form it has"
    " the eigenvalues N - 1, once, and -1",
    latex=r"$X_pairs = \sum_{a \ne b \le $N} h_a h_b",
)
_OF_PAIRS = 15 - Rational(12) * (2 * N - 3) / (N * (N - 1))

APPROACHED = claim(
    "attn.lemD8.approached",
    at="Lemma D.8",
    title="All pairs of many matrices come near the factor fifteen, and never reach it",
    states={
        "all pairs": eq(E(X_pairs**4), _OF_PAIRS * E(X_pairs**2) ** 2),
        "not attained": lt(_OF_PAIRS, 15),
    },
    assuming=[ALL_PAIRS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@APPROACHED.proved("all pairs")
def all_pairs_of_matrices(given: Given) -> Theorem:
    """The eigenvalues λ are N - 1 once and -1 else: E X² = 2Σλ², E X⁴ = 12(Σλ²)² + 48Σλ⁴."""
    weights = given.supposed(ALL_PAIRS, eq(_weight(0), N - 1), eq(_weight(place + 1), -1))
    totals = both(*(eq(_sum_of_powers(p, place + 1), (N - 1) ** p + place) for p in (2, 4)))
    sums_ = sums.by_recursion(totals, place, premises=[weights])
    moments = _quadratic_form(given, ALL_PAIRS, X_pairs, N)
    return given.follows(*moments, given.instance(sums_, {place: N - 1}))


@APPROACHED.proved("not attained")
def below_fifteen(given: Given) -> Theorem:
    """2N - 3 is positive."""
    return given.follows()


ATTENTION = claim(
    "attn.lemD8.attention",
    at="Lemma D.8",
    title="For queries and keys the fourth moment is at most nine times the square of the second",
    states={
        "bound": le(E(X**4), 9 * E(X**2) ** 2),
        "attained": eq(E(g_11**4 * g_12**4), 9 * (sigma_1**2 * sigma_2**2) ** 2),
    },
    assuming=[QUERIES_AND_KEYS, UNIT_INPUTS],
    rests_on=[EQUAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ATTENTION.proved("bound")
def singular_values(given: Given) -> Theorem:
    """E X² = Σμ², E X⁴ = 3(Σμ²)² + 6Σμ⁴, and Σμ⁴ ≤ (Σμ²)²."""
    h, other = _h(place), _other(place)
    term = h * other
    said = given.supposed(
        QUERIES_AND_KEYS,
        *(*standard(h).args, *standard(other).args),
        *(independent(h, other), independent(_form(place), term)),
    )
    laws = [fact(one) for one in (h, other) for fact in (centred, fourth_moment)]
    known = [said, *laws, *apart(h, other, (1, 1), (2, 2), (3, 3), (4, 4))]
    moments = _moments_of_form(given, QUERIES_AND_KEYS, term, (1, 9), known, X, rank)
    return given.follows(*moments, _smaller_fourth_powers())


@ATTENTION.proved("attained")
def one_product(given: Given) -> Theorem:
    """One product of independent variables."""
    return given.follows(given.fact(EQUAL, "value"))


THIRD = claim(
    "attn.lemD8",
    at="Lemma D.8",
    title="The third absolute moment is bounded by the second, whatever the width",
    states=le(E(Abs(X) ** 3) ** 2, 15 * E(X**2) ** 3),
    assuming=[GAUSSIAN_FORM],
    rests_on=[SHARP],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@THIRD.proved()
def cauchy_schwarz(given: Given) -> Theorem:
    """E|X|³ is the mean of |X| times X²."""
    product = facts.expectation_of_product(Abs(X), X**2)
    positive = facts.expectation_of_square(X)
    return given.follows(product, positive, given.fact(SHARP))
