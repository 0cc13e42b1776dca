"""Lemma 32: an attention layer keeps moments bounded, at every width."""

from collections.abc import Callable
from functools import partial

import sympy as sp
from sympy import Abs, Expr, Symbol, sqrt, symbols

from theorems.classical import powers
from theorems.classical.integers import apart
from theorems.engine import Given, both, eq, half_line, implies, integers, le, rules, sentence
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.head_moments import HEADS, OUTPUTS, POLYNOMIAL
from theorems.infinite_attention.auxiliary.score_bounds import DRAWN_SCORES, SHARED_WEIGHTS
from theorems.infinite_attention.auxiliary.score_moments import (
    first_products,
    longer_products,
    odd_is_positive,
)
from theorems.infinite_attention.letters.auxiliary import (
    even_tuples,
    half_order,
    input_moment,
    noise,
    odd_product,
    sequence,
    weight_moment,
)
from theorems.infinite_attention.letters.encodings import order, output_a
from theorems.infinite_attention.letters.network import (
    heads,
    score_width,
    sigma_o,
    sigma_v,
    value_width,
    width,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#moment-propagation"
_NORMAL = E(Abs(noise) ** order)

TUPLES = claim(
    "inf.lem32.terms",
    at="Lemma 32",
    title="At most of the order of the root of all terms have a mean other than zero",
    states={
        "bound": le(even_tuples(half_order, score_width), odd_product(half_order) * score_width**half_order),
        "two": eq(even_tuples(1, score_width), score_width),
    },
    note="proofs_notes/inf_auxiliary.md#moments-of-scores",
)


_y = Symbol("y", real=True)
_j = Symbol("j", integer=True, nonnegative=True)
_u = Symbol("u", integer=True, nonnegative=True)
#: Signs, one of which is set apart, the sum of the others, and that of all.
_sign_of, _sign, _others, _all = (
    randoms("sign"),
    *map(Random, ("one sign", "sum of all signs but one", "sum of all signs")),
)


def _signs(given: Given) -> Theorem:
    """Even sequences are counted by moments of sums of independent signs, one of them set apart.

    With S = r + T, all signs r being alike, E S^(2j+2) = d E r S^(2j+1).
    """
    d, r, T, S = score_width, _sign, _others, _all
    power, one_sign = E((T + r) ** (2 * _j)), E(r * (T + r) ** (2 * _j + 1))
    counted = given.bridge(
        "the number of even sequences, the mean of a power of a sum of independent signs",
        eq(even_tuples(_j, d), E(S ** (2 * _j))),
    )
    each = E(_sign_of(_u) * S ** (2 * _j + 1))
    alike = given.meaning(
        "signs that are alike, and their sum",
        eq(each, one_sign),
        eq(E(S ** (2 * _j)), power),
        eq(E(S ** (2 * _j + 2)), sp.Sum(each, (_u, 0, d - 1))),
    )
    even = E((T + 1) ** (2 * _j)) + E((T - 1) ** (2 * _j))
    odd = E((T + 1) ** (2 * _j + 1)) - E((T - 1) ** (2 * _j + 1))
    fair = [
        _by_the_sign(given, lambda t, sign: (t + sign) ** (2 * _j)),
        _by_the_sign(given, lambda t, sign: sign * (t + sign) ** (2 * _j + 1)),
    ]
    over = {**alike.over, d: integers(1)}
    here = rules.follows(eq(each, one_sign), [alike], over=over)
    numbers = {x: set_ for x, set_ in over.items() if x != _u}
    total = sums.summed(here, _u, d)
    next_ = counted.at({_j: _j + 1})
    known = [counted, next_, alike, *fair, total, sums.linear(total.statement.rhs, over=numbers)]
    goal = both(eq(even_tuples(_j + 1, d), d * odd / 2), eq(even_tuples(_j, d), even / 2))
    return rules.follows(goal, known, over={**numbers, **alike.over, **counted.over})


def _by_the_sign(given: Given, form: Callable[[Expr, Expr], Expr]) -> Theorem:
    """E f(T, r) is the mean of E f(T, 1) and E f(T, -1) for a sign r that is independent of T."""
    t, sign = symbols("t sign", real=True)

    def form_at(one: Expr, u: Expr) -> Expr:
        return form(u, one)

    T, r, over, at = _others, _sign, {_j: integers(0)}, {t: _others, sign: _sign}
    is_sign = sp.Or(eq(sign, 1), eq(sign, -1))
    said = given.meaning(
        "a sign that is 1 or -1, each with probability 1/2, whatever the others are",
        *(eq(P(is_sign.xreplace(at)), 1), eq(E(r), 0), independent(T, r)),
    )
    signs = (sp.S.One, -sp.S.One)
    value = sum((1 + one * sign) / 2 * form(t, one) for one in signs)
    equal = rules.follows(
        implies(is_sign, eq(form(t, sign), value)), over={t: sp.Reals, sign: sp.Reals, **over}
    )
    event, both_sides = is_sign.xreplace(at), [side.xreplace(at) for side in (form(t, sign), value)]
    known = [
        said,
        probabilities.surely(equal, at),
        probabilities.implied_event(event, eq(*both_sides), over=over),
        probabilities.equal_means(*both_sides, over=over),
        facts.probability(eq(*both_sides), over=over),
    ]
    for one in signs:
        known += [
            facts.independent_functions(partial(form_at, one), lambda u: u, T, r, over=over),
            facts.expectation_of_independent(form(T, one), r, over=over),
        ]
    goal = eq(E(form(T, r)), sum(E(form(T, one)) for one in signs) / 2)
    return rules.follows(goal, known, over={**over, **said.over})


def _trapezoid() -> Theorem:
    """The mean of an even power over an interval is at most that at its ends; by induction."""
    right, left = _y + 1, _y - 1
    high, low = (one ** (2 * _j + 1) for one in (right, left))
    area = le(high - low, (2 * _j + 1) * (right ** (2 * _j) + left ** (2 * _j)))
    more = [powers.natural_exponents(one, 2 * _j, count) for one in (right, left) for count in (1, 2, 3)]
    known = rules.induction(both(area, le(low, high)), _j, 0, step=more)
    return principles.expected(rules.follows(area, [known]), _y, _others)


@TUPLES.proved("two")
def two_equal_columns(given: Given) -> Theorem:
    """In a sequence of two each column occurs an even number of times if both are the same one."""
    u, v, n = (Symbol(name, integer=True, nonnegative=True) for name in "uvn")
    same, second = sp.Function("same", real=True), sp.Function("second columns", real=True)
    either = given.meaning(
        "1 for a sequence of two of which each column occurs an even number of times, else 0",
        eq(same(u, v), sp.Piecewise((1, eq(u, v)), (0, True))),
    )
    row = sp.Sum(same(u, v), (v, 0, n - 1))
    meant = given.meaning(
        "the number of such sequences, by the first column",
        eq(second(u), row.xreplace({n: score_width})),
        eq(even_tuples(1, score_width), sp.Sum(second(u), (u, 0, score_width - 1))),
    )
    once = both(implies(u < n, eq(row, 1)), implies(n <= u, eq(row, 0)))
    order = apart(u, n, over={u: integers(0), n: integers(0)})
    found = sums.by_recursion(once, n, premises=[either.at({v: n}), order]).at({n: score_width})
    over = {u: integers(0), score_width: integers(1)}
    each = rules.follows(eq(second(u), 1), [found, meant], over=over, under=[u < score_width])
    added = sums.summed(each, u, score_width)
    return given.follows(added, meant, sums.linear(added.statement.rhs, over={score_width: integers(1)}))


@TUPLES.argued(
    "bound",
    bridge="The power of a sum of independent signs has a term for each sequence, a product of signs;"
    " its mean is 1 if each sign occurs in it an even number of times, and else 0.",
)
def one_sign_apart(given: Given) -> Theorem:
    """By induction on k: N_(2k + 2) is at most (2k + 1) d N_2k."""
    k, d = half_order, score_width
    over = {k: integers(1), d: integers(1)}
    signs = _signs(given)
    two = signs.at({_j: sp.Integer(0)})
    step = signs.at({_j: k})
    area = _trapezoid().at({_j: k})
    pairs = rules.follows(le(even_tuples(k + 1, d), (2 * k + 1) * d * even_tuples(k, d)), [step, area])
    power = powers.one_more(d, k, over=over)
    bound = rules.induction(
        le(even_tuples(k, d), odd_product(k) * d**k),
        k,
        1,
        base=[two, first_products()],
        step=[pairs, power, longer_products(), odd_is_positive()],
    )
    return given.follows(bound)


_BOUND = le(
    E(Abs(output_a) ** order),
    _NORMAL**2 * sigma_o**order * sigma_v**order * sequence**order * sqrt(weight_moment * input_moment),
)

LEMMA = claim(
    "inf.lem32",
    at="Lemma 32",
    title="All moments of the layers of a network are bounded, whatever their widths",
    states={
        "an attention layer": _BOUND,
        "all layers": sentence(
            r"\sup_n \mathbb{E}|g_n|^t < \infty, \ \sup_n \mathbb{E}|f_n|^t < \infty,"
            r" \ \sup_n \mathbb{E}|f_n^h|^t < \infty, \ \sup_n \mathbb{E}|\tilde G_n|^t < \infty"
            r" \text{ for all layers, entries and orders } t"
        ),
    },
    given={order: half_line(2)},
    assuming=[OUTPUTS, HEADS],
    rests_on=[
        "inf.lem32.outputs",
        "inf.lem32.heads",
        "inf.lem32.nonlinearity",
        "inf.lem32.exponent.scores",
        "inf.lem32.exponent.shared",
    ],
    discharging={
        POLYNOMIAL: "both nonlinearities are polynomially bounded by the paper's assumptions",
        DRAWN_SCORES: "the law of scores at the exponent one half",
        SHARED_WEIGHTS: "the law of scores at the exponent one",
    },
    note=_NOTE,
)


def _layer(given: Given) -> Theorem:
    size = probabilities.expectation_of_size(Abs(noise) ** order, over={order: given.domain[order]})
    return given.follows(
        given.fact("inf.lem32.outputs"), given.fact("inf.lem32.heads", "bound"), size, goal=_BOUND
    )


@LEMMA.proved("an attention layer")
def two_dense_layers(given: Given) -> Theorem:
    """Outputs of heads, heads of attended columns."""
    return _layer(given)


@LEMMA.argued(
    "all layers",
    bridge="by induction on the layers: moments of f of order t need those of order 2t of the input"
    " and of the weights, these such of the scores of a finite order, and these such of the input;"
    " no constant contains a width, lower orders follow from higher ones, and dense and"
    " convolutional layers are sums with normal weights of as many terms as their input has",
    over=dict.fromkeys((heads, value_width, width), integers(1)),
)
def no_width_in_the_constants(given: Given) -> Theorem:
    """The bound of a layer, at every width."""
    return _layer(given)


#: Why what Lemma 32 says of heads and outputs holds of the layers of the paper.
OF_A_LAYER = {
    OUTPUTS: "output weights are normal and independent of the heads",
    HEADS: "weights of values are normal and independent of inputs and scores",
}

TANGENT = claim(
    "inf.lem32.tangent",
    at="Lemma 32",
    title="All moments of the tangent kernels before the first attention layer are bounded",
    states=sentence(
        r"\sup_n \mathbb{E}|$layer_tangent|^$order < \infty"
        r" \text{ for all layers before an attention layer, entries and orders } $order"
    ),
    note=_NOTE,
)
TANGENT.cited(
    "Yang, Scaling limits of wide neural networks with weight sharing (2019), Theorems 4.3, 5.1",
    why="the paper takes the bound from there, for layers that are no attention layers",
)

BEHIND = claim(
    "inf.lem32.tangent.attention",
    at="Lemma 32",
    title="All moments of the tangent kernels from the first attention layer on are bounded",
    states=sentence(
        r"\sup_n \mathbb{E}|$layer_tangent|^$order < \infty"
        r" \text{ for all layers from the first attention layer on, entries and orders } $order"
    ),
    note=_NOTE,
)
BEHIND.left_open(
    "the paper refers to the proofs of its Appendix B.2, which contain means and mean squares of"
    " parts of the tangent kernel and no bound of a moment of any order; it is plausible, as each"
    " part is a polynomial in normal variables and in terms whose moments are bounded"
)
