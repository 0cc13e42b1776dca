"""Proposition 10: the mean norm of a random layer given the signs of its preactivations."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Function, Or, Range, Reals, Sum, Symbol, cos, oo, sin, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.classical.hypotheses import EQUAL_MEANS, GAUSSIAN_FAMILIES, SMALLER_INCREMENTS
from theorems.engine import Given, Hypothesis, Provenance, both, eq, integers, le, rules
from theorems.engine.rules import E, Random, Theorem, facts, principles, sums
from theorems.engine.rules.normal_variables import centred, fourth_moment
from theorems.engine.rules.vocabulary import independent, normal, randoms
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BELOW, SCALE
from theorems.eoc_mlp.letters import (
    DELTA,
    SIGMA,
    M,
    a,
    asymmetry,
    b,
    claim,
    k1,
    k2,
    kappa_phi,
    mean_norm_next,
    mean_sign,
    norm_b,
    phi_prime,
    sign_j,
    width_b,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.one_layer.operator_norms.rows import ASYMMETRY, LAYERS
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_OF_ONE_ACTIVATION = eq(asymmetry**2, 4 * DELTA * (1 - DELTA))
SHARE_OF_ASYMMETRY = Hypothesis(
    "share_of_asymmetry",
    "$asymmetry and $Delta_phi are those of one activation function",
    formula=_OF_ONE_ACTIVATION,
)
COMPARISONS = {
    GAUSSIAN_FAMILIES: "the forms of a normal matrix and of two normal vectors; suprema over the"
    " spheres are limits of maxima",
    EQUAL_MEANS: "both are linear in normal variables, with the same means given the signs",
    SMALLER_INCREMENTS: "this is Gordon's inequality for the increments",
}
_RESTS_ON_SLOPES = {
    SCALE: "the slopes enter by their squares, 1 + r and 1 - r",
    ASYMMETRY: "the slopes enter by their squares, 1 + r and 1 - r",
}

MEAN = claim(
    "eoc.prop10.mean",
    at="Proposition 10",
    title="Mean norm given the signs",
    states=le(
        mean_norm_next,
        kappa_phi(DELTA) * width_b
        + norm_b * sqrt(M) * (1 + asymmetry / 2 * mean_sign + kappa_phi(DELTA) ** 2 / sqrt(2 * M)),
    ),
    given=LAYERS,
    assuming=[BELOW, ALIVE, SHARE_OF_ASYMMETRY],
    rests_on=[
        "eoc.prop10.decomposition",
        "eoc.prop18.range",
        "classical.sudakov_fernique",
        "classical.gordon_increments",
    ],
    discharging={**_RESTS_ON_SLOPES, **COMPARISONS},
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_concentration.md#backpropagation-matrices",
    excused={
        "domain of asymmetry": "true as well: its square is 4Δ(1 - Δ), which is 1 at most",
        "domain of mean_sign": "true as well: a mean of signs lies between -1 and 1",
        "domain of k2": "true as well: no layer k_1 from the second on lies below the second",
    },
)
#: There are no preactivations below the inputs, so that one propagates back to layer 2 at most.
_BACK_TO = {k1: integers(2)}


@MEAN.argued(
    bridge="Given the signs the norm is the supremum of a Gaussian family, by the inequality of"
    " Gordon and the comparison of Sudakov and Fernique in the mean at most that of a sum of two,"
    " one for each sphere.",
    uses=[BELOW, ALIVE, SHARE_OF_ASYMMETRY],
    over=_BACK_TO,
)
def gordons_inequality(given: Given) -> list[Any]:
    """E sup ≤ κ w(B) + ‖B‖ E‖D_s[g, h]‖."""
    given.require(ALIVE)
    comparison = le(mean_norm_next, _SCALE * width_b + norm_b * E(_SIZE))
    known = [given.bridge("comparisons of Gordon and of Sudakov and Fernique", comparison)]
    mean = _mean_of_two_columns(given)
    scaled = le(norm_b * E(_SIZE), norm_b * mean.statement.rhs)
    known.append(_inferred(given, scaled, mean))
    return [given.follows(*known, goal=as_it_stands(MEAN))]


_SCALE = kappa_phi(DELTA)
#: With p, q and c for the squares and the product of two columns: (p + q)/2, (p - q)/2 and c.
_half, _gap, _cross = (randoms(f"{what} of columns") for what in ("half", "gap", "product"))
_SIZE, _HALF = Random("norm_of_two_columns"), _half(M)
#: The root of ((p - q)/2)² + c², and twice the angle of the unit vector where the norm is attained.
_ROOT, _ANGLE = sqrt(_gap(M) ** 2 + _cross(M) ** 2), Random("angle")


def _inferred(given: Given, goal: Boolean, *premises: Theorem) -> Theorem:
    """A step for the norm of two columns and what it is made of."""
    numbers = {x: given.domain[x] for x in (DELTA, M, asymmetry, mean_sign, norm_b)}
    over = {**numbers, **{X: X.belongs_to for X in (_SIZE, _ANGLE)}}
    return rules.follows(goal, premises, over=over, under=[_OF_ONE_ACTIVATION])


def _mean_of_two_columns(given: Given) -> Theorem:
    """The square of E‖D_s[g, h]‖ is at most the mean of half a trace and a root, by Jensen.

    Half the trace has the mean Σs² = M(1 + rε̄).
    """
    half_trace = M * (1 + asymmetry * mean_sign)
    trace, root = _moments_of_two_columns(given)
    top = _inferred(
        given,
        le(E(_SIZE) ** 2, half_trace + E(_ROOT)),
        *_square_of_the_norm(given),
        trace,
        _sum_of_the_slopes(given),
        facts.expectation_of_square(_SIZE),
    )
    numbers = (E(_SIZE), E(_ROOT), M, asymmetry * mean_sign, _SCALE)
    largest = given.substituted(_mean_of_the_root(), dict(zip(_NUMBERS, numbers, strict=True)))
    square = _square_of_the_root(given, root)
    return _inferred(given, largest.statement, square, top, largest)


def _square_of_the_norm(given: Given) -> list[Theorem]:
    """‖D[g, h]‖² = (p + q)/2 + (p - q)/2 cos α + c sin α at a unit vector, by Cauchy and Schwarz.

    The unit vector (cos α/2, sin α/2) is one at which the norm is attained.
    """
    half, gap, cross, angle, x, y = symbols("half gap cross alpha x y", real=True)
    over, circle = dict.fromkeys((half, gap, cross, angle), Reals), facts.circle(angle)
    square, length = (gap * x + cross * y) ** 2, gap**2 + cross**2
    lagrange = rules.decided(eq(square, length * (x**2 + y**2) - (gap * y - cross * x) ** 2))
    short = rules.follows(le(square, length), [lagrange], under=[eq(x**2 + y**2, 1)])
    there = short.at({x: cos(angle), y: sin(angle)}, over=over, under=[circle.statement])
    along, size = gap * cos(angle) + cross * sin(angle), Symbol("size", nonnegative=True)
    root = rules.follows(le(x, sqrt(size)), under=[le(x**2, size)])
    small = root.at({x: along, size: length}, over=over, under=[there.statement])
    most = rules.follows(le(half + along, half + sqrt(length)), [there, circle, small], over=over)
    at = {half: _HALF, gap: _gap(M), cross: _cross(M), angle: _ANGLE}
    means = principles.expected_jointly(most, at, over={M: given.domain[M]})
    norm = "the norm of two columns, at a unit vector where it is attained"
    return [means, given.meaning(norm, eq(E(_SIZE**2), means.statement.lhs))]


_unit, _n = (Symbol(name, integer=True, nonnegative=True) for name in ("unit", "n"))
#: The slope of a unit, and the sign of its preactivation.
_s, _sign = (Function(name, real=True) for name in ("s", "sign"))


def _slopes(power: int, number: Expr = M) -> Sum:
    return Sum(_s(_unit) ** power, (_unit, 0, number - 1))


def _is_a_sign(given: Given) -> Theorem:
    return given.meaning("a sign", Or(*(eq(_sign(_unit), one) for one in (1, -1))))


def _square_of_a_slope(given: Given) -> Theorem:
    """s² = 1 + rε for s = σφ'(ε), with σ = 1 and the coefficients (√(1 + r) ± √(1 - r))/2."""
    roots = [sqrt(1 + sign * asymmetry) for sign in (1, -1)]
    at = {a: (roots[0] + roots[1]) / 2, b: (roots[0] - roots[1]) / 2, SIGMA: 1, sign_j: _sign(_unit)}
    sign, slope = _is_a_sign(given), (SIGMA * phi_prime(sign_j, a, b)).xreplace(at)
    over = {**{x: given.domain[x] for x in (asymmetry, DELTA)}, _unit: Range(oo)}
    under = [_OF_ONE_ACTIVATION, sign.statement]
    known = [
        given.fact("eoc.prop10.decomposition", "slopes").at({**at, k1: 2, k2: 3}, over=over, under=under),
        given.meaning("a slope, at the sign,", eq(_s(_unit), slope), over=over, under=[_OF_ONE_ACTIVATION]),
        sign,
    ]
    goal = eq(_s(_unit) ** 2, 1 + asymmetry * _sign(_unit))
    return rules.follows(goal, known, over=over, under=[_OF_ONE_ACTIVATION])


def _sum_of_the_slopes(given: Given) -> Theorem:
    """Σs² = Σ(1 + rε_j) = M(1 + rε̄)."""
    numbers = {x: given.domain[x] for x in (M, asymmetry)}
    added = sums.summed(_square_of_a_slope(given), _unit, M)
    mean = given.meaning("the mean of the signs", eq(mean_sign, Sum(_sign(_unit), (_unit, 0, M - 1)) / M))
    apart = sums.linear(added.statement.rhs, over=numbers)
    return _inferred(given, eq(_slopes(2), M * (1 + asymmetry * mean_sign)), added, mean, apart)


def _moments_of_two_columns(given: Given) -> tuple[Theorem, Theorem]:
    """Half the trace has the mean Σs², and the square of the root the mean 2Σs⁴.

    With p, q and c for the squares and the product of the columns these are (p + q)/2 and
    ((p - q)/2)² + c², which are sums over the units by induction.
    """
    half, gap, cross = _half, _gap, _cross
    g, h = (randoms(f"normal variable of {one} column")(_n) for one in ("one", "the other"))
    more, other, mixed = (g**2 + h**2) / 2, (g**2 - h**2) / 2, g * h
    square = _s(_n) ** 2
    known = [
        given.meaning(
            "columns without units", *(eq(E(half(0)), 0), eq(E(gap(0) ** 2), 0), eq(E(cross(0) ** 2), 0))
        ),
        given.meaning(
            "columns with one unit more",
            eq(E(half(_n + 1)), E(half(_n) + square * more)),
            eq(E(gap(_n + 1) ** 2), E((gap(_n) + square * other) ** 2)),
            eq(E(cross(_n + 1) ** 2), E((cross(_n) + square * mixed) ** 2)),
            *(independent(gap(_n), other), independent(cross(_n), mixed), independent(g, h)),
            *(normal(g), normal(h), eq(E(g**2), 1), eq(E(h**2), 1)),
        ),
        *(one(x) for one in (centred, fourth_moment) for x in (g, h)),
        facts.expectation_of_independent(gap(_n), other),
        facts.expectation_of_independent(cross(_n), mixed),
        facts.expectation_of_independent(g, h),
        *_independent_squares(g, h),
    ]
    squares = E(gap(_n) ** 2) + E(cross(_n) ** 2)
    moments = both(eq(E(half(_n)), _slopes(2, _n)), eq(squares, 2 * _slopes(4, _n)))
    of_n = sums.by_recursion(moments, _n, premises=known)
    of_all = of_n.at({_n: M})
    goals = eq(E(_HALF), _slopes(2)), eq(E(_ROOT**2), 2 * _slopes(4))
    first, second = (_inferred(given, goal, of_all) for goal in goals)
    return first, second


def _independent_squares(g: Expr, h: Expr) -> list[Theorem]:
    """E g²h² = E g² E h²."""
    powers = facts.powers_of_independent(g, h, 2, 2)
    return [powers, facts.expectation_of_independent(g**2, h**2)]


def _square_of_the_root(given: Given, root: Theorem) -> Theorem:
    """The square of the root has the mean 2Σs⁴ ≤ 2Mκ⁴."""
    shares = {x: given.domain[x] for x in (DELTA, M, asymmetry)}
    form = given.meaning("kappa_phi", eq(_SCALE, unfolded(_SCALE)))
    known = [form, _square_of_a_slope(given), _is_a_sign(given)]
    each = rules.follows(
        le(_s(_unit) ** 4, _SCALE**4), known, over={**shares, _unit: Range(oo)}, under=[_OF_ONE_ACTIVATION]
    )
    added = sums.summed(each, _unit, M)
    return _inferred(
        given,
        le(E(_ROOT) ** 2, 2 * M * _SCALE**4),
        root,
        facts.expectation_of_square(_ROOT),
        added,
        sums.linear(added.statement.rhs, over=shares),
    )


_S, _R, _t, _kappa, _x = symbols("S R t kappa x", real=True)
_size, _N = symbols("size N", positive=True)
_NUMBERS = (_S, _R, _N, _t, _kappa)


def _mean_of_the_root() -> Theorem:
    """If R² ≤ 2Nκ⁴ and S² ≤ N(1 + t) + R, then S ≤ √N(1 + t/2 + κ²/√(2N))."""
    known = [le(_R**2, 2 * _N * _kappa**4), le(_S**2, _N * (1 + _t) + _R)]
    over = dict.fromkeys((_S, _R, _t, _kappa), Reals) | {_N: POSITIVE}
    side = sqrt(2) * sqrt(_N) * _kappa**2
    root = rules.follows(le(_R, side), over=over, under=known[:1])
    x = _t / 2 + _kappa**2 / sqrt(2 * _N)
    square = rules.follows(le(_S**2, _N * (1 + 2 * x)), [root], under=known)
    most = rules.follows(le(_S, _size * (1 + _x)), under=[le(_S**2, _size**2 * (1 + 2 * _x))])
    here = most.at({_size: sqrt(_N), _x: x}, over=over)
    return rules.follows(here.statement, [square, here], under=known)
