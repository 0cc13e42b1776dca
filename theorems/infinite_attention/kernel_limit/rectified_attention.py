"""Theorem 3: the kernel in closed form for any number of tokens, for positive parts of scores."""

from typing import Any

from sympy import Abs, And, Expr, Function, Integer, Rational, Sum, Symbol, acos, pi

from theorems.classical import functions
from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
)
from theorems.engine.rules import Theorem, sums
from theorems.infinite_attention.kernel_limit.positive_parts import ANGLE
from theorems.infinite_attention.letters.encodings import token_a, token_b
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.kernels import output_kernel, sigma_ov, sigma_qk
from theorems.infinite_attention.letters.nonlinearities import (
    absolute_part,
    correlation_at,
    deviation_a,
    deviation_b,
    linear_part,
    other_size,
    own_size,
    positive_mean,
    score_angle,
    score_correlation,
)
from theorems.infinite_attention.letters.table import claim

_i, _j = (Symbol(name, integer=True, nonnegative=True) for name in ("i", "j"))
_PLACES = {_i: integers(0), _j: integers(0)}
_rho = correlation_at(token_a, token_b) * correlation_at(_i, _j)
_first = sigma_qk * own_size(token_a) * own_size(_i)
_second = sigma_qk * other_size(token_b) * other_size(_j)

RECTIFIED = Hypothesis(
    "rectified_attention",
    "attention weights are the positive parts of scores, and the kernel of the output is that of"
    " Equation (7) with scales, for two inputs of $tokens tokens each, at $token_a and $token_b; no"
    " token has the mean square 0",
    latex=r"\zeta(G) = \max(G, 0)",
)


def _over_tokens() -> Expr:
    """The sum over the tokens of both inputs."""
    row = Sum(other_size(_j) ** 2 * correlation_at(_i, _j) * positive_mean(_rho), (_j, 0, tokens - 1))
    return Sum(own_size(_i) ** 2 * row, (_i, 0, tokens - 1))


_OUTSIDE = sigma_ov**2 * sigma_qk**2 * own_size(token_a) * other_size(token_b)
_LETTERS: dict[Any, Any] = {
    **dict.fromkeys((output_kernel, sigma_ov, tokens, token_a, token_b)),
    sigma_qk: half_line(0, closed=False),
}

KERNEL = claim(
    "inf.thm3.relu.tokens",
    at="Theorem 3; Equation (7)",
    title="The kernel of attention with positive parts of scores, for any number of tokens",
    states=eq(output_kernel, _OUTSIDE * _over_tokens()),
    given=_LETTERS,
    assuming=RECTIFIED,
    rests_on="inf.thm3.relu",
    discharging={ANGLE: "there is an angle for each pair of tokens that are not parallel"},
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#positive-parts",
)
_mean = Function("mean", real=True)


def _cases(given: Given) -> list[Theorem]:
    """The mean of a product of positive parts of two scores, which are parallel or are not."""
    half = Rational(1, 2)
    at = {linear_part: half, absolute_part: half, deviation_a: _first, deviation_b: _second}
    bent = {**at, score_correlation: _rho, score_angle: acos(_rho)}
    positive = [gt(one, 0) for one in (own_size(token_a), own_size(_i))]
    positive += [gt(one, 0) for one in (other_size(token_b), other_size(_j))]
    between = [gt(_rho, -1), lt(_rho, 1), gt(acos(_rho), 0), lt(acos(_rho), pi)]
    parts = [("between", bent, between, And(gt(_rho, -1), lt(_rho, 1)))]
    # the angle does not occur in the other parts: any one will do
    ends = {**at, score_correlation: Integer(0), score_angle: pi / 2}
    parts += [("at 1", ends, [], eq(_rho, 1)), ("at -1", ends, [], eq(_rho, -1))]
    found = []
    over = {**_PLACES, **{x: given.domain[x] for x in (token_a, token_b, sigma_qk)}}
    for part, values, more, where in parts:
        theorem = given.fact("inf.thm3.relu", part)
        known = theorem.at(values, over=over, under=[*positive, *more])
        meaning = given.supposed(RECTIFIED, implies(where, eq(_mean(_i, _j), known.statement.lhs)))
        found += [known, meaning]
    return found


def _geometry(given: Given) -> list[Theorem]:
    """Correlations are between -1 and 1, and each number between them is that of an angle."""
    sides = [gt(own_size(_i), 0), gt(other_size(_j), 0), le(Abs(correlation_at(_i, _j)), 1)]
    at_a = {_i: token_a, _j: token_b}
    signs = given.supposed(RECTIFIED, *sides, *(one.xreplace(at_a) for one in sides))
    angle = functions.range_of_arccosine(_rho, under=[gt(_rho, -1), lt(_rho, 1)])
    ends = [functions.inverse_sine(_rho, end * pi / 2, under=[eq(_rho, end)]) for end in (1, -1)]
    closed = given.meaning(
        "the mean for standard normal variables",
        eq(positive_mean(_rho), positive_mean(_rho).unfolded()),
        under=[ge(_rho, -1), le(_rho, 1)],
    )
    return [signs, angle, *ends, closed]


@KERNEL.proved()
def sum_over_pairs_of_tokens(given: Given) -> Theorem:
    """The mean for each pair of tokens, parallel ones too, added up over both inputs."""
    domain = given.domain
    over = {**_PLACES, **{x: domain[x] for x in domain if x not in (output_kernel, sigma_ov)}}
    mean = eq(_mean(_i, _j), _first * _second * positive_mean(_rho))
    each = rules.follows(mean, [*_cases(given), *_geometry(given)], over=over)
    term = other_size(_j) * correlation_at(_i, _j) * _mean(_i, _j)
    row = Sum(term, (_j, 0, tokens - 1))
    kernel = given.supposed(
        RECTIFIED, eq(output_kernel, sigma_ov**2 * Sum(own_size(_i) * row, (_i, 0, tokens - 1)))
    )
    return given.follows(kernel, *_added(each, row, over))


def _added(each: Theorem, row: Sum, over: Any) -> list[Theorem]:
    """Over the tokens of the other input, then over those of the first."""
    outside = sigma_qk**2 * own_size(token_a) * other_size(token_b)
    inside = other_size(_j) ** 2 * correlation_at(_i, _j) * positive_mean(_rho)
    target = outside * own_size(_i) * inside
    term = rules.follows(eq(row.args[0], target), [each], over=over)
    single = {x: range_ for x, range_ in over.items() if x != _j}
    plain = {x: range_ for x, range_ in single.items() if x != _i}
    rows = sums.summed(term, _j, tokens)
    apart = sums.linear(Sum(target, (_j, 0, tokens - 1)), over=single)
    right = outside * own_size(_i) ** 2 * Sum(inside, (_j, 0, tokens - 1))
    split = sums.linear(Sum(inside, (_j, 0, tokens - 1)), over=single)
    whole = rules.follows(eq(own_size(_i) * row, right), [rows, apart, split])
    total = sums.summed(whole, _i, tokens)
    return [total, sums.linear(total.statement.rhs, over=plain)]
