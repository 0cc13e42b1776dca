"""Lemma 2, proof: the derivatives of the weights and of their covariance, and the printed bound 8.

DM[Δ] is the third cumulant of the tokens. The printed way to its norm loses a factor 10.
"""

from functools import cache

from sympy import Abs, And, Expr, Function, Symbol, sqrt

from theorems.engine import Given, both, eq, le, rules
from theorems.engine.rules import E, Theorem, Vector, facts, inner, norm, probabilities
from theorems.shallow_transformer.analysis.one_head.conditional_squares import (
    LARGEST,
    MIDDLE,
    SQUARE,
    mean_size,
)
from theorems.shallow_transformer.hypotheses import INPUTS, TOKENS
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import T, claim
from theorems.shallow_transformer.letters.pooled import pooled, tokens
from theorems.shallow_transformer.letters.token import mean, pooling_weight, r, t, total
from theorems.shallow_transformer.premises.heads import size_of_a_drawn_token, slope_of_a_token
from theorems.shallow_transformer.premises.lines.along_a_line import (
    changed_weight,
    drawn_means,
    moved,
    softmax_mean,
)
from theorems.shallow_transformer.premises.lines.directions import (
    derivative_of_the_covariance,
    half_of_the_spread,
    two_squares,
)
from theorems.shallow_transformer.premises.lines.moved_covariance import SQUARES, along_a_matrix
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import added, normalised, positive, taken_apart
from theorems.shallow_transformer.premises.tokens import what_is_assumed
from theorems.shallow_transformer.sampling.head_balls import Point, of_head
from theorems.shallow_transformer.sampling.heads import HEADS, SampledHead

_NOTE = "proofs_notes/st_smoothness.md#the-third-cumulant"
_SLOPES = mean(its.token_slope(r), r, pooling_weight)
_DEVIATION = mean(Abs(its.token_slope(t) - _SLOPES), t, pooling_weight)

WEIGHTS = claim(
    "st.lem2.weights",
    at="Lemma 2, proof",
    title="Bound of the change of the softmax weights",
    states={"formula": eq(of.weights_change, _DEVIATION), "bound": le(of.weights_change, 2 * of.Delta_size)},
    assuming=INPUTS,
    rests_on="st.lem2.weights.sharp",
    note=_NOTE,
)


#: The derivative of the weight of a token.
_ENTRY = Function("entry", real=True)


def _sum_of_sizes() -> Theorem:
    """‖Dα‖₁ = Σ|(Dα)_t|."""
    return ONE_HEAD.meaning("the norm of the derivative", eq(of.weights_change, total(Abs(_ENTRY(t)))))


@cache
def _deviation() -> Theorem:
    """(Dα)_t = α_t(s_t − s̄), and α_t > 0, so that the sizes add up to a mean deviation."""
    size = eq(Abs(_ENTRY(t)), pooling_weight(t, T) * Abs(its.token_slope(t) - _SLOPES))
    signs = positive(pooling_weight)  # type: ignore[arg-type]
    each = ONE_HEAD.follows(changed_weight(_ENTRY(t)), signs, goal=size)
    return ONE_HEAD.follows(added(each), _sum_of_sizes(), goal=stated(WEIGHTS, "formula"))


@WEIGHTS.proved("formula")
def sizes_of_the_entries(given: Given) -> Theorem:
    """The weights are differentiated along W + xΔ."""
    return given.concluded(_deviation())


@WEIGHTS.proved("bound")
def twice_the_best(given: Given) -> Theorem:
    """2‖Δ‖ is twice the best bound."""
    return given.follows(given.fact("st.lem2.weights.sharp", "bound"))


@WEIGHTS.tested("bound", over=HEADS)
def weights_of_heads(head: SampledHead) -> Point:
    """Along Δ with Δq = U: Σ α_t|s_t − s̄| and 2|U|."""
    return of_head(WEIGHTS, head)


WEIGHTS_SHARP = WEIGHTS.sharpened(
    "st.lem2.weights.sharp",
    title="Best bound for the change of the weights",
    states={
        "bound": le(of.weights_change, of.Delta_size),
        "attained by two tokens": eq(its.sign_spread(0), 1),
    },
    assuming=INPUTS,
    note=_NOTE,
)


def _along_a_multiple(y: Expr) -> Theorem:
    """The slope of a logit is ‖Δ‖y, where y is that along the direction of Δ."""
    return ONE_HEAD.meaning(
        "the slope of a logit, along a multiple of a direction of length 1",
        eq(its.token_slope(t), of.Delta_size * y),
    )


def _mean_slope(slope: Theorem, y: Expr, means: Theorem) -> Theorem:
    """The mean of the slopes is ‖Δ‖ times that of y, which the first of the ``means`` names."""
    each = eq(pooling_weight(t, T) * its.token_slope(t), of.Delta_size * pooling_weight(t, T) * y)
    sums = added(ONE_HEAD.follows(slope, goal=each))
    (name,) = (one.lhs for one in And.make_args(means.statement) if one.rhs == mean(y, t, pooling_weight))
    goal = eq(_SLOPES, of.Delta_size * name)
    return ONE_HEAD.follows(means, sums, *taken_apart(sums), goal=goal)


@WEIGHTS_SHARP.proved("bound")
def mean_absolute_deviation(given: Given) -> Theorem:
    """For y = s/‖Δ‖ in [−1, 1] of mean μ: Σα|y − μ| ≤ Σα(1 − μy) = 1 − μ² ≤ 1."""
    y, short = slope_of_a_token(given)
    alpha, centre = pooling_weight(t, T), Symbol("mean of y", real=True)
    mean_of = ONE_HEAD.meaning("the mean", eq(centre, mean(y, t, pooling_weight)))
    slope = _along_a_multiple(y)
    signs = positive(pooling_weight)  # type: ignore[arg-type]
    weights = normalised(pooling_weight)  # type: ignore[arg-type]
    ends = [
        added(ONE_HEAD.follows(short, signs, goal=one))
        for one in (le(alpha * y, alpha), le(-alpha, alpha * y))
    ]
    inside = ONE_HEAD.follows(mean_of, weights, *ends, *taken_apart(*ends), goal=le(Abs(centre), 1))
    small = le(alpha * Abs(y - centre), alpha * (1 - centre * y))
    chord = added(ONE_HEAD.follows(inside, short, signs, goal=small))
    centred = _mean_slope(slope, y, mean_of)
    size = eq(alpha * Abs(its.token_slope(t) - _SLOPES), of.Delta_size * alpha * Abs(y - centre))
    scaled = added(ONE_HEAD.follows(slope, centred, goal=size))
    sums = [scaled, chord, *taken_apart(scaled, chord)]
    return given.concluded(_deviation(), mean_of, weights, *sums)


@WEIGHTS_SHARP.proved("attained by two tokens")
def two_equal_weights(given: Given) -> Theorem:
    """Tokens e and −e with weights 1/2, Δq = e."""
    return given.decided()


@WEIGHTS_SHARP.tested("bound", over=HEADS)
def weights_over_the_best(head: SampledHead) -> Point:
    """Along Δ with Δq = U: Σ α_t|s_t − s̄| and |U|."""
    return of_head(WEIGHTS_SHARP, head)


_X, _Y, _S = its.drawn_x, its.drawn_y, its.drawn_slope

DERIVATIVE = claim(
    "st.lem2.third",
    at="Lemma 2, proof",
    title="The derivative of the covariance is a third cumulant",
    states=eq(its.M_entry, E((_S - E(_S)) * (_X - E(_X)) * (_Y - E(_Y)))),
    note=_NOTE,
)


@DERIVATIVE.proved()
def product_rule(given: Given) -> Theorem:
    """M_{xy} = E xy − E x E y for any two coordinates, where tokens stay and logits move."""
    entry = softmax_mean(_X * _Y) - softmax_mean(_X) * softmax_mean(_Y)
    cumulant = stated(DERIVATIVE)
    return given.concluded(*moved(entry, 1, its.M_entry), drawn_means(cumulant))


SPREAD = claim(
    "st.lem2.spread",
    at="Lemma 2, proof",
    title="The change of the covariance is bounded by that of the weights",
    states=[le(of.M_change, its.weighted_spread), le(its.weighted_spread, 4 * of.weights_change)],
    assuming=[TOKENS],
    rests_on=[DERIVATIVE, "st.fact2"],
    note=_NOTE,
)


@SPREAD.proved()
def diameter(given: Given) -> Theorem:
    """‖xxᵀ‖_F = |x|² and |X_t − a| ≤ |X_t| + |a| ≤ 2, for the tokens one by one."""
    apart, size = Function("apart", nonnegative=True), Abs(_ENTRY(t))
    lengths = ONE_HEAD.meaning(
        "the length of the mean, and the distance of a token from it",
        eq(of.a_size, norm(pooled)),
        eq(apart(t), norm(tokens(t) - pooled)),
    )
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    far = facts.triangle(tokens(t), -pooled)
    near = ONE_HEAD.follows(ball, lengths, far, given.fact("st.fact2", "bound"), goal=le(apart(t), 2))
    sums = added(ONE_HEAD.follows(near, goal=le(size * apart(t) ** 2, 4 * size)))
    meaning = ONE_HEAD.meaning("the sum", eq(its.weighted_spread, total(size * apart(t) ** 2)))
    norms = derivative_of_the_covariance(given, _ENTRY, apart)
    return given.concluded(sums, *taken_apart(sums), meaning, _sum_of_sizes(), norms)


@SPREAD.tested(over=HEADS)
def covariances_over_four(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F, the weighted squares and 4‖Dα[Δ]‖₁ along Δ with Δq = U."""
    return of_head(SPREAD, head)


SPREAD_SHARP = SPREAD.sharpened(
    "st.lem2.spread.sharp",
    title="Best bound of the change of the covariance by that of the weights",
    states={
        "bound": le(of.M_change, 2 * of.weights_change),
        "approached by two tokens, as the mean x tends to 1": eq(
            -its.sign_third(of.x), 2 * of.x * its.sign_spread(of.x)
        ),
    },
    assuming=[TOKENS],
    rests_on=[DERIVATIVE, "st.fact2"],
    note=_NOTE,
)


@SPREAD_SHARP.proved("bound")
def difference_of_two_squares(given: Given) -> Theorem:
    """Σ(Dα)_t = 0, so that DM is at most half of Σ|(Dα)_t| times a difference zzᵀ − wwᵀ.

    Here z + a and w + a are tokens, and the norm of the difference is at most 4.
    """
    changes = added(changed_weight(_ENTRY(t)))
    weights = normalised(pooling_weight)  # type: ignore[arg-type]
    none = ONE_HEAD.follows(changes, *taken_apart(changes), weights, goal=eq(total(_ENTRY(t)), 0))
    spread = half_of_the_spread(given, _ENTRY, none)
    close = two_squares(given, given.fact("st.fact2", "bound"))
    return given.concluded(spread, close, _sum_of_sizes())


@SPREAD_SHARP.proved("approached by two tokens, as the mean x tends to 1")
def two_tokens_of_unequal_weight(given: Given) -> Theorem:
    """Tokens 1 and −1 with mean x: the quotient is 2x."""
    return given.decided()


@SPREAD_SHARP.tested("bound", over=HEADS)
def covariances_over_two(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 2‖Dα[Δ]‖₁ along Δ with Δq = U."""
    return of_head(SPREAD_SHARP, head)


COVARIANCE = claim(
    "st.lem2.eight",
    at="Lemma 2, proof",
    title="The printed bound for the derivative of the covariance",
    states=le(of.M_change, 8 * of.Delta_size),
    assuming=INPUTS,
    rests_on=[SPREAD, WEIGHTS],
    note=_NOTE,
)


@COVARIANCE.proved()
def four_times_two(given: Given) -> Theorem:
    """4‖Dα‖₁ ≤ 4 · 2‖Δ‖_F."""
    return given.follows(given.fact(SPREAD), given.fact(WEIGHTS, "bound"))


@COVARIANCE.tested(over=HEADS)
def covariances_over_eight(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 8|U| along Δ with Δq = U."""
    return of_head(COVARIANCE, head)


COVARIANCE_SHARP = COVARIANCE.sharpened(
    "st.lem2.eight.sharp",
    title="The largest derivative of the covariance",
    states={
        "bound": le(of.M_change, LARGEST * of.Delta_size),
        "attained by two tokens": eq(-its.sign_third(1 / sqrt(3)), LARGEST),
    },
    assuming=INPUTS,
    rests_on=[DERIVATIVE],
    note=_NOTE,
)


def _covariance_with_a_form(given: Given) -> Theorem:
    """‖DM‖_F = Σ(Dα)_t Q_t = ‖Δ‖(E YQ − E Y E Q) for Q = ⟨N, (X − a)(X − a)ᵀ⟩, ‖N‖_F = 1."""
    entry, N, alpha = _ENTRY, Vector("N"), pooling_weight(t, T)
    (y, _), form = slope_of_a_token(given), inner(SQUARES(t), N)
    values = {its.drawn: y, SQUARE: form}
    means = ONE_HEAD.meaning(
        "means of a token that is drawn with its softmax weight",
        *(eq(E(one), mean(one.xreplace(values), t, pooling_weight)) for one in (*values, its.drawn * SQUARE)),
    )
    slope = _along_a_multiple(y)
    slopes = _mean_slope(slope, y, means)
    term = of.Delta_size * alpha * (y - E(its.drawn)) * form
    each = ONE_HEAD.follows(changed_weight(entry(t)), slope, slopes, goal=eq(entry(t) * form, term))
    sums = added(each)
    known = [along_a_matrix(given, entry(t), N), sums, *taken_apart(sums), means]
    product = E(its.drawn * SQUARE) - E(its.drawn) * E(SQUARE)
    return ONE_HEAD.follows(*known, goal=both(eq(of.M_change, of.Delta_size * product), eq(norm(N), 1)))


@COVARIANCE_SHARP.proved("bound")
def mean_size_of_a_form(given: Given) -> Theorem:
    """⟨N, DM[Δ]⟩ = ‖Δ‖E Y(Q − EQ) ≤ ‖Δ‖E|Q − EQ|, as |Y| ≤ 1, for Q = ⟨N, (X − a)(X − a)ᵀ⟩."""
    slope, centred = its.drawn, SQUARE - MIDDLE
    derivative = [_covariance_with_a_form(given), ONE_HEAD.meaning("the mean", eq(MIDDLE, E(SQUARE)))]
    general = probabilities.bounded_factor(slope, centred, 1)
    known = [general, size_of_a_drawn_token(given)]
    mean = rules.follows(general.statement, known)
    return given.concluded(*derivative, mean, mean_size(given))


@COVARIANCE_SHARP.proved("attained by two tokens")
def two_tokens(given: Given) -> Theorem:
    """Tokens 1 and −1 with mean x = 1/√3: E S³ = −2x(1 − x²)."""
    return given.decided()


@COVARIANCE_SHARP.tested("bound", over=HEADS)
def covariances_over_the_best(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 4|U|/(3√3) along Δ with Δq = U."""
    return of_head(COVARIANCE_SHARP, head)
