"""Footnote 4 of Example 3.1: the output maps are pseudo-Lipschitz of order two."""

import sympy as sp
from sympy import Abs, Expr, Max, Symbol, log, sqrt

from theorems.attention_limit.letters.output_maps import (
    C_output,
    H_heads,
    distance_z,
    norm_z,
    norm_z_other,
    output_change,
    output_slope,
    s_tokens,
    score_distance,
    softmax_change,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.softmax import AT
from theorems.classical import functions
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, le, rules
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm, principles, sums
from theorems.engine.rules.vocabulary import derivative, operators, opnorm, vectors

_NOTE = "proofs_notes/attn_tools.md#output-maps"
_SPECTRAL = "st.fact1.spectral"
_AT_ORIGIN, _PER_NORM = 1 / sqrt(s_tokens), 1 / (2 * sqrt(H_heads))

SLOPE = claim(
    "attn.ex31.pl.gradient",
    at=AT,
    title="The gradient of an output map grows at most linearly",
    states=le(output_slope, _AT_ORIGIN + _PER_NORM * norm_z),
    rests_on=["attn.softmax_lipschitz", _SPECTRAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_k = Symbol("k", integer=True, nonnegative=True)
#: Of each head: the length of its scores, its weights and its values, and the Jacobian of softmax.
_SCORES = sp.Function("scores", nonnegative=True)
_weights, _values, _jacobian = vectors("weights"), vectors("values"), operators("J")
_equal = Vector("equal weights")
_COUNTED = {_k: sp.Range(sp.oo)}


def _heads(term: Expr) -> Expr:
    return sp.Sum(term, (_k, 0, H_heads - 1))


_t = Symbol("t", real=True)
#: The derivatives of one head by its scores and by its values.
_by_scores, _by_values = vectors("derivative by scores"), vectors("derivative by values")


def _derivative_by_scores(given: Given) -> Theorem:
    """|∂⟨a(p), v⟩| ≤ |v|/2: along the line of scores in its direction η it is ⟨v, J η⟩."""
    by, J, v = _by_scores(_k), _jacobian(_k), _values(_k)
    along, slope, value = (
        vectors("derivative by scores on a line")(_k, _t),
        operators("J on a line")(_k, _t),
        sp.Function("value of a head on a line of scores", real=True)(_k, _t),
    )
    rates = {"derivative by scores": inner(along, by), "weights": inner(v, act(slope, by))}
    laws = [
        given.meaning(f"the value of a head by its {what} on a line", derivative(rate, value, _t, sp.Reals))
        for what, rate in rates.items()
    ]
    there = (rate.subs(_t, 0) for rate in rates.values())
    here = (inner(by, by), inner(v, act(J, by)))
    known = [
        rules.equal_rates(*laws).at({_t: sp.Integer(0)}),
        given.meaning("where the scores are", *(eq(*pair) for pair in zip(there, here, strict=True))),
        facts.cauchy_schwarz(v, act(J, by)),
        facts.operator_norm(J, by),
        _spectral_norm(given).at([opnorm(J)]),
    ]
    square = rules.follows(le(norm(by) ** 2, norm(v) * norm(by) / 2), known)
    return rules.follows(le(norm(by), norm(v) / 2), [square])


def _derivative_by_values(given: Given) -> Theorem:
    """|∂⟨a, v⟩| ≤ |a|: along the line of values in its direction η it is ⟨a, η⟩."""
    by, a, v = _by_values(_k), _weights(_k), _values(_k)
    rate = sp.Function("rate of a head on a line of values", real=True)(_k, _t)
    linear = rules.differentiated(inner(a, v + _t * by), _t, sp.Reals, over=_COUNTED)
    along = "a gradient by values, in its direction, the rate along a line"
    known = [
        rules.rate_of(linear, rate).at({_t: sp.Integer(0)}),
        given.meaning(along, eq(inner(by, by), rate.subs(_t, 0))),
        facts.cauchy_schwarz(a, by),
    ]
    square = rules.follows(le(norm(by) ** 2, norm(a) * norm(by)), known)
    return rules.follows(le(norm(by), norm(a)), [square])


def _spectral_norm(given: Given) -> Theorem:
    """The norm of the Jacobian of softmax is at most 1/2."""
    spectral = given.fact(_SPECTRAL, "upper")
    (norm_of_J,) = (one for one in spectral.over if one.name == "J_spectral")
    return rules.follows(le(norm_of_J, sp.Rational(1, 2)), [spectral])


def _equal_weights(given: Given) -> Theorem:
    """The length of s weights that are all 1/s is 1/√s."""
    over = {s_tokens: given.domain[s_tokens]}
    squares = sp.Sum(s_tokens**-2, (_k, 0, s_tokens - 1))
    entries = given.meaning("weights 1/s at equal scores", eq(inner(_equal, _equal), squares))
    known = [entries, sums.linear(squares, over=over)]
    return rules.follows(eq(norm(_equal), _AT_ORIGIN), known)


def _of_one_head(given: Given) -> Theorem:
    """|a| is at most 1/√s + |p|/2, and so is the derivative by the values; that by scores |v|/2."""
    a, over = _weights(_k), {**_COUNTED, s_tokens: given.domain[s_tokens], _equal: _equal.belongs_to}
    apart = given.fact("attn.softmax_lipschitz", "map")
    known = [
        apart.at({softmax_change: norm(a - _equal), score_distance: _SCORES(_k)}, over=over),
        _equal_weights(given),
        facts.triangle(_equal, a - _equal),
        _derivative_by_values(given),
        _derivative_by_scores(given),
    ]
    sizes = _AT_ORIGIN**2 + _AT_ORIGIN * _SCORES(_k) + (_SCORES(_k) ** 2 + norm(_values(_k)) ** 2) / 4
    squares = norm(_by_values(_k)) ** 2 + norm(_by_scores(_k)) ** 2
    return rules.follows(le(squares, sizes), known, over=over)


@SLOPE.proved()
def one_head_after_the_other(given: Given) -> Theorem:
    """H|∇φ|² = Σ |a|² + |J v|² is at most H/s + Σ|p|/√s + |z|²/4, and (Σ|p|)² at most H|z|²."""
    H, over = H_heads, {x: given.domain[x] for x in (s_tokens, H_heads)}
    each = _of_one_head(given)
    added = sums.summed(each, _k, H)
    parts = sums.linear(added.statement.rhs)
    scores, squares = _heads(_SCORES(_k)), _heads(_SCORES(_k) ** 2)
    values = _heads(norm(_values(_k)) ** 2)
    number = sp.Symbol("x", real=True)
    convex = rules.follows(sp.true, over={number: sp.Reals})  # the second derivative is 2
    mean = principles.jensen_for_sums(convex, number**2, number, _SCORES(_k), _k, H, over={H: over[H]})
    rest = sp.Symbol("squares of scores of other tokens", nonnegative=True)
    meaning = given.meaning(
        "norms of a gradient, by both derivatives of each head, and of values and scores",
        eq(H * output_slope**2, added.statement.lhs),
        eq(norm_z**2, squares + values + rest),
    )
    square = given.follows(mean, meaning, goal=le(scores**2, H * norm_z**2))
    root = given.follows(square, goal=le(scores, sqrt(H) * norm_z))
    bound = _AT_ORIGIN + _PER_NORM * norm_z
    known = [added, parts, meaning, root]
    whole = given.follows(
        *known, goal=le(H * output_slope**2, H / s_tokens + scores / sqrt(s_tokens) + norm_z**2 / 4)
    )
    slope = given.follows(whole, root, goal=le(output_slope**2, bound**2))
    return given.follows(slope)


_BEST = Max(_AT_ORIGIN, _PER_NORM / 2)
_SIZES = 1 + norm_z + norm_z_other

PSEUDO_LIPSCHITZ = claim(
    "attn.ex31.pl",
    at=AT,
    title="Each output map is pseudo-Lipschitz of order two",
    states={
        "increment": le(output_change, distance_z * (_AT_ORIGIN + _PER_NORM * (norm_z + norm_z_other) / 2)),
        "order two": le(output_change, _BEST * distance_z * _SIZES),
    },
    rests_on=SLOPE,
    note=_NOTE,
)


_end = Symbol("t'", real=True)
_SEGMENT = {_t: sp.Interval(0, 1)}
_output, _gradient = sp.Function("output", real=True), vectors("gradient of an output")
_from, _to = Vector("z"), Vector("z'")
_y = Symbol("y", real=True)


def _steepness(given: Given) -> Theorem:
    """The bound of |∇φ| at a place of a segment: |z_t| is at most the mean of both norms."""
    there, gradient = (1 - _t) * _from + _t * _to, norm(_gradient(_t))
    over = {**_SEGMENT, **{x: x.belongs_to for x in (_from, _to)}}
    slope = given.fact(SLOPE).at({output_slope: gradient, norm_z: norm(there)}, over=over)
    convex = facts.triangle((1 - _t) * _from, _t * _to, over=_SEGMENT)
    length = (1 - _t) * norm(_from) + _t * norm(_to)
    return rules.follows(le(gradient, _AT_ORIGIN + _PER_NORM * length), [slope, convex])


def _increment(given: Given) -> Theorem:
    """±φ(z_t) grows at most like the integral of the bound of its slope."""
    step, gradient = norm(_to - _from), _gradient(_t)
    rate = inner(gradient, _to - _from)
    law = given.meaning(
        "an output map and its gradient on a segment", derivative(rate, _output(_t), _t, _SEGMENT[_t])
    )
    lengths = given.meaning(
        "norms, a distance, and a change of the output",
        *(eq(norm_z, norm(_from)), eq(norm_z_other, norm(_to)), eq(distance_z, step)),
        eq(output_change, Abs(_output(1) - _output(0))),
    )
    over = {x: given.domain[x] for x in (s_tokens, H_heads)}
    over |= {x: x.belongs_to for x in (_from, _to)}
    area = (_t - _t**2 / 2) * norm(_from) + _t**2 / 2 * norm(_to)
    integral = step * (_AT_ORIGIN * _t + _PER_NORM * area)
    steep = [_steepness(given), facts.cauchy_schwarz(gradient, _to - _from, over=_SEGMENT)]
    known = [lengths]
    for sign in (1, -1):
        moved = rules.differentiated(sign * _y - integral, _t, _SEGMENT[_t], {_y: law}, over=over)
        falls = rules.follows(le(moved.statement.args[0], 0), steep)
        known.append(rules.mean_value(moved, falls, _end).at({_t: 0, _end: 1}))
    goal = distance_z * (_AT_ORIGIN + _PER_NORM * (norm_z + norm_z_other) / 2)
    return given.follows(*known, goal=le(output_change, goal))


@PSEUDO_LIPSCHITZ.proved("increment")
def mean_of_the_slopes(given: Given) -> Theorem:
    """Along the segment from z to z' the gradient is on average at most as at the mean norm."""
    return given.follows(_increment(given))


@PSEUDO_LIPSCHITZ.proved("order two")
def larger_of_two_constants(given: Given) -> Theorem:
    """Both coefficients are at most the larger one."""
    return given.follows(_increment(given))


PSEUDO_LIPSCHITZ_OUTPUT = Hypothesis(
    "pseudo_lipschitz_output",
    "the output maps of $H_heads heads and $s_tokens tokens are pseudo-Lipschitz of order two with"
    " the constant $C_output",
    latex=r"|\varphi^i(z)-\varphi^i(z')| \le $C_output \|z-z'\|(1+\|z\|+\|z'\|)",
)

LEAST = claim(
    "attn.ex31.pl.least",
    at=AT,
    title="No smaller constant of order two works for an output map",
    states=ge(C_output, _BEST),
    assuming=[PSEUDO_LIPSCHITZ_OUTPUT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_SIZE = sp.Interval(0, sp.oo)
_small, _value, _other = sp.symbols("e V L", positive=True)
_w = Symbol("w", positive=True)


def _at_small_values(given: Given) -> Theorem:
    """All values e and all scores 0, against the origin: φ = √H e and |z| = √(sH) e."""
    length = sqrt(s_tokens * H_heads) * _small
    near = given.supposed(
        PSEUDO_LIPSCHITZ_OUTPUT, le(sqrt(H_heads) * _small, C_output * length * (1 + length))
    )
    roots = rules.decided(eq(sqrt(s_tokens * H_heads), sqrt(s_tokens) * sqrt(H_heads)))
    return rules.follows(le(1, C_output * sqrt(s_tokens) * (1 + length)), [near, roots])


def _two_scores_exchanged(given: Given) -> Theorem:
    """Values V and -V of two tokens of one head, whose scores log w and -log w are exchanged.

    The other scores of that row are log L, and all other values and scores are 0. The output
    moves by 2V/√H times the gap of the weights, and log w is at most (w - 1/w)/2.
    """
    sizes = {_value: sp.Interval.open(0, sp.oo), _w: sp.Interval.open(1, sp.oo)}
    sizes[_other] = sp.Interval.open(0, 1)
    exponentials = _w + 1 / _w + (s_tokens - 2) * _other
    squares = 2 * _value**2 + 2 * log(_w) ** 2 + (s_tokens - 2) * log(_other) ** 2
    moved = 2 * _value / sqrt(H_heads) * (_w - 1 / _w) / exponentials
    bound = C_output * sqrt(8) * log(_w) * (1 + 2 * sqrt(squares))
    supposed = given.supposed(PSEUDO_LIPSCHITZ_OUTPUT, le(moved, bound), over=sizes, under=[ge(s_tokens, 2)])
    below = functions.logarithm_below_hyperbolic_sine(_w)
    over = {**given.domain, **sizes}
    cancelled = C_output * sqrt(2) * exponentials * (1 + 2 * sqrt(squares))
    positive = rules.follows(gt(exponentials, 0), over=over, under=[ge(s_tokens, 2)])
    return rules.follows(
        le(2 * _value / sqrt(H_heads), cancelled), [supposed, below, positive], under=[ge(s_tokens, 2)]
    )


def _for_large_values(given: Given) -> Theorem:
    """For V → ∞: 1/(2√H) is at most C times the sum of the exponentials."""
    there = _two_scores_exchanged(given)
    X, B = sp.symbols("X B", nonnegative=True)
    names = {X: _SIZE, B: _SIZE, _value: sp.Interval.open(0, sp.oo)}
    over = {**names, **{x: given.domain[x] for x in (C_output, H_heads)}}
    slope, rest = 2 / sqrt(H_heads) - 4 * C_output * X, C_output * sqrt(2) * X * (1 + 2 * sqrt(B))
    root = rules.follows(le(sqrt(2 * _value**2 + B), sqrt(2) * _value + sqrt(B)), over=over)
    size = C_output * sqrt(2) * X * (1 + 2 * sqrt(2 * _value**2 + B))
    wider = rules.follows(
        le(size, C_output * sqrt(2) * X * (1 + 2 * (sqrt(2) * _value + sqrt(B)))), [root], over=over
    )
    line = rules.follows(sp.Implies(le(2 * _value / sqrt(H_heads), size), le(_value * slope, rest)), [wider])
    exponentials = _w + 1 / _w + (s_tokens - 2) * _other
    squares = 2 * log(_w) ** 2 + (s_tokens - 2) * log(_other) ** 2
    family = {_w: sp.Interval.open(1, sp.oo), _other: sp.Interval.open(0, 1)}
    values = {X: exponentials, B: squares}
    two = [ge(s_tokens, 2)]
    scores = {**given.domain, **family}
    here = line.at(values, over=scores, under=two)
    linear = rules.follows(here.statement.args[1], [here, there], under=two)
    steep = slope.xreplace(values)
    far = linear.at({_value: (rest.xreplace(values) + 1) / steep}, under=[*two, gt(steep, 0)])
    return rules.follows(le(steep, 0), [far], under=two)


@LEAST.proved()
def small_values_and_large_ones(given: Given) -> Theorem:
    """C√s is at least 1 by small equal values; C is at least 1/(4√H) for w → 1, L → 0."""
    short = 1 - C_output * sqrt(s_tokens)
    small = _at_small_values(given).at({_small: short / (2 * sqrt(s_tokens * H_heads))}, under=[gt(short, 0)])
    at_origin = given.follows(small, goal=ge(C_output, _AT_ORIGIN))
    ratio = 1 - 4 * C_output * sqrt(H_heads)
    large = _for_large_values(given).at(
        {_w: 1 + ratio, _other: ratio / s_tokens}, under=[gt(ratio, 0), ge(s_tokens, 2)]
    )
    several = rules.follows(ge(C_output, _PER_NORM / 2), [large], under=[ge(s_tokens, 2)])
    return given.follows(at_origin, several)
