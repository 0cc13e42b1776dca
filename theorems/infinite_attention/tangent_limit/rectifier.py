"""Theorem 18 for rectified scores: the tangent kernel in closed form."""

from collections.abc import Iterable, Sequence

from sympy import (
    Abs,
    Expr,
    Function,
    Integer,
    Interval,
    Range,
    Rational,
    Sum,
    Symbol,
    cos,
    oo,
    pi,
    sign,
    sin,
    symbols,
)

from symbolic.derivation import Derivation, Step
from symbolic.dual_activations import derive_dual, derive_dual_derivative
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from theorems.classical import functions
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, le, lt, open_interval, rules
from theorems.engine.rules import Theorem, act, facts, inner, sums
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    input_kernel,
    input_tangent,
    output_kernel,
    output_tangent,
    sigma_ov,
    sigma_qk,
    slope_products,
    tangent_ab,
    weight_products,
)
from theorems.infinite_attention.letters.rectified import (
    angle_at,
    kernel_at,
    kernel_ij,
    rectified_angle,
    spread_a,
    spread_ai,
    spread_b,
    spread_bj,
    tangent_at,
    tangent_ij,
    tangent_share,
)
from theorems.infinite_attention.letters.table import SIZE, claim
from theorems.infinite_attention.tangent_limit.tangent_kernel import printed_kernel, printed_tangent

_NOTE = "proofs_notes/inf_kernels.md#rectified-scores"
_AT = "Theorem 18; Equation (22)"

ANGLE = Hypothesis(
    "angle_of_rectified_scores",
    "in the limit the scores of a and i and of b and j are normal, with the standard deviations"
    " $spread_ai and $spread_bj and the cosine of $rectified_angle as correlation, which are those"
    " of Theorem 3",
    latex=r"$spread_ai^2 = \sigma_{QK}^2 \tilde\kappa_{aa}(x, x) \tilde\kappa_{ii}(x, x),\quad"
    r" $spread_ai $spread_bj \cos $rectified_angle"
    r" = \sigma_{QK}^2 \tilde\kappa_{ab} \tilde\kappa_{ij}",
)
RECTIFIED = Hypothesis(
    "rectified_scores",
    "the map of the scores is ReLU, entry by entry, and queries and keys are independent",
    latex=r"\zeta(G)_{ai} = \max(G_{ai}, 0)",
)

_SHARE = eq(
    tangent_share,
    sigma_ov**2
    / (2 * pi)
    * (
        (2 * kernel_ij + tangent_ij)
        * spread_ai
        * spread_bj
        * (sin(rectified_angle) + (pi - rectified_angle) * cos(rectified_angle))
        + sigma_qk**2
        * ((2 * input_ab + tangent_ab) * kernel_ij**2 + input_ab * kernel_ij * tangent_ij)
        * (pi - rectified_angle)
    ),
)

CLOSED_FORM = claim(
    "inf.thm18.relu",
    at=_AT,
    title="What two tokens contribute to the tangent kernel of attention with rectified scores",
    states=_SHARE,
    assuming=[ANGLE, RECTIFIED],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_product, _steps = symbols("mean_product mean_of_steps", real=True)
_u = Symbol("u", real=True)


def _at_the_angle(given: Given, derivation: Derivation) -> Theorem:
    """What a derivation says of two normal variables with these spreads and this angle."""
    shown = given.derived(derivation)
    letters = {letter.name: letter for letter in shown.over}
    cosine = cos(rectified_angle)
    values = {
        **{"a": Rational(1, 2), "b": Rational(1, 2), "t": rectified_angle, "rho": cosine},
        **{"s_1": spread_ai, "s_2": spread_bj},
    }
    chosen = {letters[name]: value for name, value in values.items() if name in letters}
    over = {
        rectified_angle: open_interval(0, pi),
        **{x: given.claim.letters[x].domain for x in (spread_ai, spread_bj)},
    }
    between = [gt(cosine, -1), lt(cosine, 1)]
    return shown.at(chosen, over=over, under=between)


def _between(given: Given, at_an_angle: Hypothesis) -> list[Theorem]:
    """Both means for scores that are no multiples of each other."""
    shown = [_at_the_angle(given, derive_dual("relu")), _at_the_angle(given, derive_dual_derivative("relu"))]
    weights, slopes = (one.statement.args[0] for one in shown)
    inside = {rectified_angle: open_interval(0, pi)}
    cosine = cos(rectified_angle)
    law = eq(_product, weights), eq(_steps, slopes)
    known = given.supposed(at_an_angle, *law, over=inside)
    angle = [
        facts.circle(rectified_angle, over=inside),
        facts.sine_positive(rectified_angle, over=inside),
        functions.inverse_sine(
            cosine, pi / 2 - rectified_angle, over=inside, under=[ge(cosine, -1), le(cosine, 1)]
        ),
    ]
    return [*shown, known, *angle]


def _positive(score: Expr) -> Expr:
    return (score + Abs(score)) / 2


def _half_lines(title: str, mean: GaussianMean, value: Expr) -> Derivation:
    steps = [*half_line_steps(Integer(1), mean.integrand, _u), Step(value, "collect")]
    return Derivation(title=title, name="", start=mean, steps=steps)


def _multiples(given: Given, at_an_angle: Hypothesis, direction: int, angle: Expr) -> list[Theorem]:
    """Both means for scores of which one is a multiple of the other."""
    first, other = spread_ai * _u, direction * spread_bj * _u
    product = GaussianMean(_positive(first) * _positive(other), _u)
    steps = GaussianMean((1 + sign(_u)) / 2 * (1 + direction * sign(_u)) / 2, _u)
    both = Rational(1 + direction, 4)
    shown = [
        given.derived(_half_lines("Rectified multiples", product, both * spread_ai * spread_bj)),
        given.derived(_half_lines("Steps at multiples", steps, both)),
    ]
    end = [eq(rectified_angle, angle)]
    law = eq(_product, product), eq(_steps, steps)
    known = given.supposed(at_an_angle, *law, under=end)
    angles = {rectified_angle: Interval(0, pi)}
    value = [
        functions.inverse_cosine(direction, rectified_angle, over=angles, under=end),
        facts.circle(rectified_angle, over=angles),
    ]
    return [*shown, known, *value]


@CLOSED_FORM.proved()
def arc_cosine_kernels(given: Given) -> Theorem:
    """Means of products of two rectified normal variables and of two steps."""
    return given.follows(_of_two_tokens(given, ANGLE))


def _of_two_tokens(given: Given, at_an_angle: Hypothesis) -> Theorem:
    """What two tokens contribute, whose scores a hypothesis has for normal, at an angle."""
    # Equation (22) with one entry of each matrix, as derivatives are by the own score only.
    share = _made_of(_entries(kernel_ij, tangent_ij, _product, _steps))
    share = given.supposed(RECTIFIED, eq(tangent_share, share))
    return rules.follows(_SHARE, [share, _means_of_two_tokens(given, at_an_angle)])


#: The inner products of matrices in Equation (22): with means of products of weights, and of steps.
_MATRICES = (
    inner(input_kernel, weight_products),
    inner(input_tangent, weight_products),
    inner(input_kernel, act(slope_products, input_kernel)),
    inner(input_kernel, act(slope_products, input_tangent)),
)


def _entries(kernel: Expr, tangent: Expr, product: Expr, steps: Expr) -> list[Expr]:
    """What one entry of each matrix contributes to these inner products."""
    return [kernel * product, tangent * product, kernel**2 * steps, kernel * tangent * steps]


def _made_of(products: Iterable[Expr]) -> Expr:
    """The right side of Equation (22), with these for the inner products of matrices."""
    whole = printed_tangent().xreplace({output_kernel: printed_kernel()})
    return whole.xreplace(dict(zip(_MATRICES, products, strict=True)))


def _means_of_two_tokens(given: Given, at_an_angle: Hypothesis) -> Theorem:
    """The mean of the product of two rectified scores, and that of two steps, at any angle."""
    turned = pi - rectified_angle
    product = spread_ai * spread_bj * (sin(rectified_angle) + turned * cos(rectified_angle)) / (2 * pi)
    means = both(eq(_product, product), eq(_steps, turned / (2 * pi)))
    wide = {x: given.claim.letters[x].domain for x in (rectified_angle, spread_ai, spread_bj)}
    cases = [rules.follows(means, _between(given, at_an_angle))]
    for direction, end in ((1, Integer(0)), (-1, pi)):
        known = _multiples(given, at_an_angle, direction, end)
        cases.append(rules.follows(means, known, under=[eq(rectified_angle, end)]))
    return rules.cases(cases, over=wide)


_i, _j = symbols("i j", integer=True)
_row = Function("sum of a row", real=True)
_products, _slopes, _term = (
    Function(name, real=True)(_i, _j) for name in ("mean of a product", "mean of steps", "term")
)
_angle = angle_at(_i, _j)
_ENTRIES = {
    kernel_ij: kernel_at(_i, _j),
    tangent_ij: tangent_at(_i, _j),
    _product: _products,
    _steps: _slopes,
    spread_ai: spread_a(_i),
    spread_bj: spread_b(_j),
    rectified_angle: _angle,
}
_COUNTED = {_i: Range(oo), _j: Range(oo)}

ANGLES = Hypothesis(
    "angles_of_rectified_scores",
    "in the limit scores are normal; those of a and of b with any token have positive standard"
    " deviations, and each two of them an angle from zero to half a turn with the cosine that is"
    " their correlation",
    latex=r"s_a(i)^2 = \sigma_{QK}^2 \tilde\kappa_{aa}(x, x) \tilde\kappa_{ii}(x, x),\quad"
    r" s_a(i) s_b(j) \cos \theta(i, j) = \sigma_{QK}^2 \tilde\kappa_{ab} \tilde\kappa(i, j)",
)

SEQUENCES = claim(
    "inf.thm18.relu.sequences",
    at=_AT,
    title="The tangent kernel of attention with rectified scores is a sum over pairs of tokens",
    states=eq(
        output_tangent,
        Sum(
            sigma_ov**2
            / (2 * pi)
            * Sum(
                (2 * kernel_at(_i, _j) + tangent_at(_i, _j))
                * spread_a(_i)
                * spread_b(_j)
                * (sin(angle_at(_i, _j)) + (pi - angle_at(_i, _j)) * cos(angle_at(_i, _j)))
                + sigma_qk**2
                * (
                    (2 * input_ab + tangent_ab) * kernel_at(_i, _j) ** 2
                    + input_ab * kernel_at(_i, _j) * tangent_at(_i, _j)
                )
                * (pi - angle_at(_i, _j)),
                (_j, 0, tokens - 1),
            ),
            (_i, 0, tokens - 1),
        ),
    ),
    assuming=[RECTIFIED, ANGLES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SEQUENCES.proved()
def entries_added_up(given: Given) -> Theorem:
    """Equation (22) by its entries, each of which has the means of the claim on two tokens."""
    numbers = {x: given.domain[x] for x in (sigma_ov, sigma_qk, input_ab, tangent_ab)}
    over = {**numbers, **_COUNTED}
    inside = [gt(spread_a(_i), 0), gt(spread_b(_j), 0), ge(_angle, 0), le(_angle, pi)]
    known = given.supposed(ANGLES, *inside, over=_COUNTED)
    means = _means_of_two_tokens(given, ANGLES)
    means = means.at({x: _ENTRIES[x] for x in means.over}, over=_COUNTED, under=inside)
    scale = sigma_ov**2 / (2 * pi)
    entries = _entries(kernel_at(_i, _j), tangent_at(_i, _j), _products, _slopes)
    named = given.meaning("a term", eq(_term, _SHARE.rhs.xreplace(_ENTRIES) / scale), over=over)
    each = rules.follows(eq(_made_of(entries), scale * _term), [means, known, named], over=over)
    wide = {**numbers, tokens: SIZE, _i: Range(oo)}
    scaled, terms = (sums.summed(one, _j, tokens, over=wide) for one in (each, named))
    added = [scaled, terms, *(sums.linear(one, over=wide) for one in scaled.statement.args)]
    rows = [_row(place, _i) for place in range(len(_MATRICES))]
    meant = _by_entries(given, rows, entries)
    row = rules.follows(eq(_made_of(rows), scale * terms.statement.rhs), [*added, *meant])
    total = sums.summed(row, _i, tokens)
    return given.follows(total, sums.linear(total.statement.lhs, over={**numbers, tokens: SIZE}), *meant)


def _by_entries(given: Given, rows: Sequence[Expr], entries: Iterable[Expr]) -> list[Theorem]:
    """Equation (22), with inner products of matrices as sums over rows, and these by their entries."""
    each = zip(rows, entries, strict=True)
    wide = {tokens: SIZE, _i: Range(oo)}
    whole = [eq(one, Sum(row, (_i, 0, tokens - 1))) for one, row in zip(_MATRICES, rows, strict=True)]
    return [
        given.meaning("the tangent kernel", eq(output_tangent, printed_tangent())),
        given.meaning("the kernel", eq(output_kernel, printed_kernel())),
        given.meaning("a row", *(eq(row, Sum(one, (_j, 0, tokens - 1))) for row, one in each), over=wide),
        given.meaning("inner products of matrices, by their rows", *whole[:2]),
        given.supposed(RECTIFIED, *whole[2:]),  # so that derivatives are by the own score only
    ]
