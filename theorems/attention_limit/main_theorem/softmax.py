"""Footnote 4 of Example 3.1: softmax is Lipschitz, with the best constants."""

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Rational, Symbol, log, sqrt

from theorems.attention_limit.letters.output_maps import (
    C_softmax,
    one_weight,
    s_tokens,
    score_distance,
    softmax_change,
    weight_change,
    weight_slope,
)
from theorems.attention_limit.letters.table import claim
from theorems.classical import functions
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, integers, le, rules
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import derivative, operators, opnorm, vectors

AT = "Example 3.1, footnote 4"
_NOTE = "proofs_notes/attn_tools.md#softmax"
_SPECTRAL = "st.fact1.spectral"

GRADIENT = claim(
    "attn.softmax_lipschitz.gradient",
    at=AT,
    title="The gradient of one softmax weight",
    states={
        "bound": le(weight_slope, sqrt(2) * one_weight * (1 - one_weight)),
        "largest": le(sqrt(2) * one_weight * (1 - one_weight), sqrt(2) / 4),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_n, _k, _l = (Symbol(name, integer=True, nonnegative=True) for name in ("n", "k", "l"))
_x, _w, _rest = Symbol("x", real=True), Symbol("w", positive=True), Symbol("R", nonnegative=True)
_score, _share = sp.Function("score", real=True), sp.Function("p", nonnegative=True)(_k)
#: The exponentials of other scores but one, and the derivatives of the weight by the scores.
_apart = sp.Function("others but one", nonnegative=True)(_k)
_own, _other = (sp.Function(f"slope by {one}", real=True) for one in ("its score", "another"))
_t = Symbol("t", real=True)
_SIZES, _POSITIVE = sp.Interval(0, sp.oo), sp.Interval.open(0, sp.oo)
_COUNTED = {_n: sp.Range(sp.oo)}
_LETTERS = {_k: sp.Range(sp.oo), **_COUNTED, _x: sp.Reals, _w: _POSITIVE, _rest: _SIZES}
#: That a number is that of one of the other tokens.
_IS_ONE = le(_k + 1, _n)


def _sum(term: Any, index: Symbol = _k, length: Any = _n) -> Any:
    return sp.Sum(term, (index, 0, length - 1))


def _exponentials(given: Given) -> Theorem:
    """What the letters stand for: a weight is an exponential over the sum of all."""
    one = sp.exp(_score(_l))
    later = _sum(one.subs(_l, _k + _l + 1), _l, _n - 1 - _k)
    return given.meaning(
        "softmax weights of any number of tokens, and the exponentials of their scores",
        *(eq(_w, sp.exp(_x)), eq(_rest, _sum(one, _l)), eq(one_weight, _w / (_w + _rest))),
        eq(_share, one.subs(_l, _k) / (_w + _rest)),
        eq(_apart, _sum(one, _l, _k) + later),
    )


def _one_of_the_others() -> list[Theorem]:
    """The sum of exponentials, with one of them apart."""
    one, rest = sp.exp(_score(_l)), Symbol("m", integer=True, nonnegative=True)
    upto = sp.Sum(one, (_l, 0, _k))
    whole = sums.split(upto, _k, rest)
    here = {rest: _n - 1 - _k}
    return [whole.at(here, under=[_IS_ONE]), sums.last_term(upto)]


def _derivatives(given: Given) -> tuple[Theorem, Theorem]:
    """a(1 - a) by the own score, and -a p by another one, of which the weight is p."""
    meant, exponential = _exponentials(given), sp.exp(_t)
    forms = exponential / (exponential + _rest), _w / (_w + exponential + _apart)
    over = {x: _LETTERS[x] for x in (_k, _w, _rest)}
    laws = [rules.differentiated(one, _t, sp.Reals, over=over) for one in forms]
    own = rules.rate_of(laws[0], _own(_t)).at({_t: _x}, over=_LETTERS)
    other = rules.rate_of(laws[1], _other(_t, _k))
    other = other.at({_t: _score(_k)}, over=_LETTERS)
    letters = {**_LETTERS, one_weight: given.domain[one_weight]}
    first = eq(_own(_x), one_weight * (1 - one_weight))
    second = eq(_other(_score(_k), _k), -one_weight * _share)
    known = [other, meant, *_one_of_the_others()]
    return (
        rules.follows(first, [own, meant], over=letters),
        rules.follows(second, known, over=letters, under=[_IS_ONE]),
    )


@GRADIENT.proved("bound")
def squares_of_the_other_weights(given: Given) -> Theorem:
    """|∇a_j|² = a_j²((1 - a_j)² + Σ a_k²) over the others, a sum of at most (Σ a_k)²."""
    squares, total = _sum(_share**2), _sum(_share)
    smaller = sums.by_recursion(both(le(squares, total**2), ge(total, 0)), _n)
    own, other = _derivatives(given)
    by_others = _other(_score(_k), _k) ** 2
    letters = {**_LETTERS, **given.domain}
    each = rules.follows(eq(by_others, one_weight**2 * _share**2), [other], over=letters, under=other.under)
    numbers = {x: set_ for x, set_ in letters.items() if x != _k}
    meant = _exponentials(given)
    parts = [
        sums.summed(one, _k, _n)
        for one in (each, rules.follows(eq(sp.exp(_score(_k)), (_w + _rest) * _share), [meant], over=letters))
    ]
    parts += [sums.linear(one.statement.rhs, over=numbers) for one in parts]
    slope = given.meaning(
        "the norm of the gradient, by the derivatives by all scores",
        eq(weight_slope**2, _own(_x) ** 2 + _sum(by_others)),
    )
    adds_up = rules.follows(eq(one_weight, 1 - total), [meant, *parts], over=numbers)
    bound = sqrt(2) * one_weight * (1 - one_weight)
    known = [smaller, adds_up, own, slope, *parts]
    square = rules.follows(le(weight_slope**2, bound**2), known, over=numbers)
    positive = given.follows(goal=ge(bound, 0))
    return given.follows(square, positive)


@GRADIENT.proved("largest")
def at_one_half(given: Given) -> Theorem:
    """a(1 - a) is at most 1/4."""
    return given.follows()


LIPSCHITZ = claim(
    "attn.softmax_lipschitz",
    at=AT,
    title="Softmax and each of its coordinates are Lipschitz",
    states={
        "map": le(softmax_change, score_distance / 2),
        "coordinate": le(weight_change, sqrt(2) / 4 * score_distance),
    },
    rests_on=[_SPECTRAL, GRADIENT],
    note=_NOTE,
)


_end = Symbol("t'", real=True)
_SEGMENT = {_t: sp.Interval(0, 1)}
#: The weights along a segment of scores, the Jacobian of softmax there, one weight, its gradient.
_along, _jacobian = vectors("weights"), operators("J")
_weight, _gradient = sp.Function("weight", real=True), vectors("gradient of a weight")
_step, _towards = Vector("p - p'"), Vector("direction")


def _change(law: Theorem, size: Theorem) -> Theorem:
    """What changes from one end of a segment to the other, by the mean value theorem."""
    return rules.mean_value(law, size, _end).at({_t: 0, _end: 1})


@LIPSCHITZ.proved("map")
def norm_of_the_jacobian(given: Given) -> Theorem:
    """The operator norm of the Jacobian is at most 1/2 everywhere."""
    J, change = _jacobian(_t), _along(1) - _along(0)
    rate = inner(change, act(J, _step))
    law = given.meaning(
        "softmax and its Jacobian along a segment of scores",
        derivative(inner(_towards, act(J, _step)), inner(_towards, _along(_t)), _t, _SEGMENT[_t]),
    )
    law = law.at({_towards: change})
    spectral = given.fact(_SPECTRAL, "upper")
    (norm_of_J,) = (one for one in spectral.over if one.name == "J_spectral")
    half = rules.follows(le(norm_of_J, Rational(1, 2)), [spectral])
    known = [
        facts.cauchy_schwarz(change, act(J, _step), over=_SEGMENT),
        facts.operator_norm(J, _step, over=_SEGMENT),
        half.at({norm_of_J: opnorm(J)}, over=_SEGMENT),
    ]
    slow = rules.follows(le(Abs(rate), norm(change) * norm(_step) / 2), known)
    lengths = given.meaning(
        "how far weights and scores are apart",
        *(eq(softmax_change, norm(change)), eq(score_distance, norm(_step))),
    )
    return given.follows(_change(law, slow), lengths)


@LIPSCHITZ.proved("coordinate")
def norm_of_the_gradient(given: Given) -> Theorem:
    """The norm of the gradient is at most √2/4 everywhere."""
    gradient, bound = _gradient(_t), sqrt(2) / 4
    rate = inner(gradient, _step)
    law = given.meaning(
        "a softmax weight and its gradient along a segment of scores",
        derivative(rate, _weight(_t), _t, _SEGMENT[_t]),
    )
    parts = [given.fact(GRADIENT, part) for part in ("bound", "largest")]
    steep = rules.follows(le(weight_slope, bound), parts, over=dict(parts[0].over))
    known = [
        facts.cauchy_schwarz(gradient, _step, over=_SEGMENT),
        steep.at({weight_slope: norm(gradient)}, over=_SEGMENT),
    ]
    slow = rules.follows(le(Abs(rate), bound * norm(_step)), known)
    lengths = given.meaning(
        "how far a weight and scores are apart",
        *(eq(weight_change, Abs(_weight(1) - _weight(0))), eq(score_distance, norm(_step))),
    )
    return given.follows(_change(law, slow), lengths)


_SCORES = st.one_of(st.integers(-4, 4), st.fractions(-1, 1, max_denominator=8))
_ROWS = st.lists(st.tuples(_SCORES, _SCORES), min_size=1, max_size=4)


def _weights(scores: Any) -> list[Any]:
    exponentials = [sp.exp(sp.sympify(one)) for one in scores]
    return [one / sp.Add(*exponentials) for one in exponentials]


@LIPSCHITZ.tested(("map", "coordinate"), over=_ROWS, cases=60)
def rows_of_scores(pairs: list[tuple[Any, Any]]) -> dict[Symbol, Any]:
    """Rational scores, equal rows and a single token included."""
    one, other = zip(*pairs, strict=True)
    changes = [a - b for a, b in zip(_weights(one), _weights(other), strict=True)]
    squares = [(sp.sympify(a) - sp.sympify(b)) ** 2 for a, b in pairs]
    return {
        softmax_change: sqrt(sp.Add(*(change**2 for change in changes))),
        weight_change: Abs(changes[0]),
        score_distance: sqrt(sp.Add(*squares)),
    }


LIPSCHITZ_MAP = Hypothesis(
    "lipschitz_softmax",
    "$C_softmax is a Lipschitz constant of softmax of $s_tokens tokens",
    latex=r"\|\mathrm{SoftMax}(p)-\mathrm{SoftMax}(p')\| \le $C_softmax \|p - p'\|",
)
LIPSCHITZ_COORDINATE = Hypothesis(
    "lipschitz_softmax_weight",
    "$C_softmax is a Lipschitz constant of one softmax weight of $s_tokens tokens",
    latex=r"|\mathrm{SoftMax}_j(p)-\mathrm{SoftMax}_j(p')| \le $C_softmax \|p - p'\|",
)

_RECORD: dict[str, Any] = {
    "at": AT,
    "given": {C_softmax: None, s_tokens: integers(2)},
    "provenance": Provenance.DERIVED,
    "note": _NOTE,
}
LEAST = claim(
    "attn.softmax_lipschitz.least",
    title="No smaller Lipschitz constant of softmax, however many tokens there are",
    states=ge(C_softmax, Rational(1, 2)),
    assuming=[LIPSCHITZ_MAP],
    **_RECORD,
)
LEAST_COORDINATE = claim(
    "attn.softmax_lipschitz.least_coordinate",
    title="No smaller Lipschitz constant of one softmax weight",
    states=ge(C_softmax, sqrt(2) / 4),
    assuming=[LIPSCHITZ_COORDINATE],
    **_RECORD,
)

_kappa = Symbol("kappa", nonnegative=True)
_FAMILY = {_w: sp.Interval.open(1, sp.oo), _kappa: _SIZES}
#: How far apart the weights of two tokens are whose scores are log w and -log w, where the
#: exponential of each other score is κ.
_EXPONENTIALS = _w + 1 / _w + (s_tokens - 2) * _kappa
_GAP = (_w - 1 / _w) / _EXPONENTIALS


def _two_scores_exchanged(given: Given, hypothesis: Hypothesis, length: Any, least: Any) -> Theorem:
    """Exchange scores log w and -log w: the gap of weights is at most √8 C log w / length.

    As log w is at most (w - 1/w)/2, C times the sum of all exponentials is at least length/√2.
    """
    supposed = given.supposed(hypothesis, le(length * _GAP, C_softmax * sqrt(8) * log(_w)), over=_FAMILY)
    known = [supposed, functions.logarithm_below_hyperbolic_sine(_w)]
    return rules.follows(ge(C_softmax * _EXPONENTIALS, 2 * least), known)


@LEAST.proved()
def exchange_two_scores(given: Given) -> Theorem:
    """Softmax moves by √2 times the gap."""
    return _nearly_equal(given, LIPSCHITZ_MAP, sqrt(2), Rational(1, 2))


@LEAST_COORDINATE.proved()
def one_of_two_scores(given: Given) -> Theorem:
    """The weight of one of the tokens moves by the gap."""
    return _nearly_equal(given, LIPSCHITZ_COORDINATE, sp.S.One, sqrt(2) / 4)


def _nearly_equal(given: Given, hypothesis: Hypothesis, length: Any, least: Any) -> Theorem:
    """For w → 1 and κ → 0: at w = 1 + e, κ = e/s the exponentials add up to at most 2 + 2e."""
    bound = _two_scores_exchanged(given, hypothesis, length, least)
    gap = least - C_softmax
    below = [sp.Gt(gap, 0)]
    place = {_w: 1 + gap, _kappa: gap / s_tokens}
    here = bound.at(place, under=below)
    return given.follows(here)
