"""Lemma 3, proof: one head on the way from its start, its slopes there and its bend."""

from functools import cache

from sympy import Abs, Expr, Interval, Reals, Symbol, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, eq, ge, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.linearisation import terms as heads
from theorems.shallow_transformer.analysis.linearisation.linear_model import WIDTHS
from theorems.shallow_transformer.analysis.linearisation.remainder import REMAINDER
from theorems.shallow_transformer.analysis.one_head.deviations import DEVIATIONS
from theorems.shallow_transformer.analysis.one_head.hessian_blocks import EQ_16
from theorems.shallow_transformer.letters import head as one
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.letters.pooled import pooled
from theorems.shallow_transformer.premises.heads import (
    bounded_form,
    drawn_token,
    lengths_in_the_feasible_set,
    short_pooled_token,
    short_query,
)
from theorems.shallow_transformer.premises.lines.directions import along_a_direction
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.parabolas import SPREAD, STEP, largest_displacement
from theorems.shallow_transformer.premises.tokens import (
    below_frobenius,
    called,
    near_the_start,
    what_is_assumed,
)

#: The largest second derivative of z on the way, times the width.
BEND = of.deviation(2 * of.rho_u * of.rho_w, of.B * of.rho_w**2)
#: What bounds the length of the read-out vector of the head at the start.
START_LENGTH = Symbol("longest start", nonnegative=True)
_LENGTHS = le(START_LENGTH + of.rho_u / sqrt(m), of.B)
#: The lengths of √m times the way of a head, in U and in W.
_u_way, _w_way = (Symbol(f"length of {one}", nonnegative=True) for one in ("delta", "Delta"))


def _of_a_head(goal: Boolean, *known: Theorem) -> Theorem:
    """A relation about any head, with a bound B of its read-out vector in the feasible set."""
    bounded = _LENGTHS
    over = {**as_declared(goal, bounded), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE, m: WIDTHS}
    return rules.follows(goal, known, over=over, under=[bounded])


def _ways(given: Given) -> Theorem:
    """√m|δU| ≤ ρ_u and √m‖δW‖ ≤ ρ_w."""
    return near_the_start(given, le(_u_way, of.rho_u), le(_w_way, of.rho_w))


def _two_parts(given: Given, slope: Expr) -> Theorem:
    """|⟨δ, a⟩ + ⟨U, MΔq⟩| ≤ |a|ρ_u + ‖M‖uρ_w is |Dz| along √m times the way, at a place of it."""
    delta, U, M = Vector("delta"), Vector("U"), Operator("M")
    Delta, query = Operator("Delta"), Vector("q")
    image, ways = act(Delta, query), _ways(given)
    meaning = ONE_HEAD.meaning(
        "the derivative of z along the way of a head, times sqrt(m) (st.lem1.da)",
        eq(slope, Abs(inner(delta, pooled) + inner(U, act(M, image)))),
        *(eq(_u_way, norm(delta)), eq(of.a_size, norm(pooled)), eq(of.u, norm(U))),
        *(eq(of.M_norm, opnorm(M)), eq(of.q_size, norm(query))),
    )
    frobenius = below_frobenius(Delta, _w_way)
    turned = [meaning, frobenius, facts.operator_norm(Delta, query), short_query(given)]
    short = _of_a_head(le(norm(image), _w_way), *turned)
    schwarz = facts.cauchy_schwarz(delta, pooled)
    steps = [
        _of_a_head(le(Abs(inner(delta, pooled)), of.a_size * of.rho_u), schwarz, meaning, ways),
        _of_a_head(
            le(Abs(inner(U, act(M, image))), of.M_norm * of.u * of.rho_w),
            *(bounded_form(U, M, image), meaning, short, ways),
        ),
    ]
    goal = le(slope, of.a_size * of.rho_u + of.M_norm * of.u * of.rho_w)
    return _of_a_head(goal, meaning, *steps)


def _slopes(given: Given, slope: Expr) -> Theorem:
    """√m|Dz| ≤ |a|ρ_u + (1 − |a|²)Bρ_w ≤ ℓ along the way of a head."""
    length = of.a_size
    largest = largest_displacement(of.rho_u, of.B * of.rho_w, length)
    parts = _two_parts(given, slope)
    far = lengths_in_the_feasible_set(given, START_LENGTH)
    spread = _of_a_head(
        le(of.M_norm * of.u * of.rho_w, (1 - length**2) * of.B * of.rho_w), short_pooled_token(given), far
    )
    short = _of_a_head(le(length, 1), short_pooled_token(given))
    return _of_a_head(le(slope, of.DISPLACEMENT), largest, parts, spread, short)


def _bends(given: Given) -> Theorem:
    """|D²z| ≤ 2ρ_uρ_wE|S| + Bρ_w²E|S² − V| ≤ K along √m times the way."""
    weights = {one.first: 2 * of.rho_u * of.rho_w, one.second: of.B * of.rho_w**2}
    over = {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}
    largest = given.fact(DEVIATIONS, "bound").at(weights, over=over)
    bent, ways = along_a_direction(given, _u_way, _w_way), _ways(given)
    mixed = le(_u_way * _w_way * one.Y_spread, of.rho_u * of.rho_w * one.Y_spread)
    alone = le(of.u * _w_way**2 * one.Y_square, of.u * of.rho_w**2 * one.Y_square)
    parts = [_of_a_head(goal, ways) for goal in (mixed, alone)]
    far = lengths_in_the_feasible_set(given, START_LENGTH)
    longer = _of_a_head(le(of.u * of.rho_w**2 * one.Y_square, of.B * of.rho_w**2 * one.Y_square), far)
    known = [largest, drawn_token(given), bent, *parts, longer]
    return _of_a_head(le(Abs(one.z_second), BEND), *known)


#: A place on the way of a head, a later one, and the one where the head is steepest.
_place, _later, _there, _y = symbols("place later steepest any", real=True)
_SEGMENT = Interval(0, 1)
_z, _first, _steep, _output = map(family, ("z on the way", "Dz on the way", "σ'", "σ"))
_largest = Symbol("largest slope of a head", nonnegative=True)


def _rate(place: Symbol) -> Expr:
    return _steep(_z(place)) * _first(place)


def first_order(given: Given) -> Theorem:
    """√m|h − h₀| ≤ σ_1ℓ, by √m|σ′(z)Dz| where it is largest on the way."""
    law = derivative(_steep(_y), _output(_y), _y, Reals)
    activation = what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, law)
    line = derivative(_first(_place), _z(_place), _place, _SEGMENT)
    rule = rules.chained(activation, ONE_HEAD.meaning("z on the way, and its slope", line))
    largest = ONE_HEAD.largest(
        "the largest slope of a head on the way", le(Abs(_rate(_place)), _largest), over={_place: _SEGMENT}
    )
    moved = rules.mean_value(rule, largest, _later)
    step = sqrt(m) * Abs(_output(_z(1)) - _output(_z(0)))
    named = ONE_HEAD.meaning("√m times the step of a head on its way", eq(sqrt(m) * heads.STEP, step))
    known = [named, moved.at({_place: 0, _later: 1}), _steepest(given)]
    return _of_a_head(le(sqrt(m) * heads.STEP, of.sigma_1 * of.DISPLACEMENT), *known)


def _steepest(given: Given) -> Theorem:
    """√m|σ′(z)Dz| ≤ σ_1ℓ where it is largest."""
    slope, change = Abs(_steep(_z(_there))), Abs(_first(_there))
    attained = ONE_HEAD.meaning("the largest slope, where it is attained", eq(_largest, Abs(_rate(_there))))
    first = what_is_assumed(given, hyp.BOUNDED_SLOPES, le(slope, of.sigma_1))
    known = [attained, first, _slopes(given, sqrt(m) * change)]
    product = _of_a_head(le(sqrt(m) * slope * change, of.sigma_1 * of.DISPLACEMENT), *known)
    return _of_a_head(le(sqrt(m) * _largest, of.sigma_1 * of.DISPLACEMENT), attained, product)


def second_order(given: Given) -> Theorem:
    """m|h − h₀ − ⟨∇h₀, δθ⟩| is |σ″(z)(Dz)² + σ′(z)D²z|/2 somewhere between both ends."""
    given.require(hyp.TWICE_DIFFERENTIABLE)
    taylor = given.fact(REMAINDER, "along the way")
    along = Symbol("slope at that place", nonnegative=True)
    there = ONE_HEAD.meaning(
        "the derivatives of z at that place", *(eq(Abs(one.z_first), along), eq(one.z_bent, one.z_second))
    )
    bounds = [
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(one.sigma_first), of.sigma_1)),
        what_is_assumed(given, hyp.BOUNDED_CURVATURES, le(Abs(one.sigma_second), of.sigma_2)),
    ]
    slopes = _slopes(given, along)
    sign = longest()[2]
    square = _of_a_head(le(one.z_first**2, of.DISPLACEMENT**2), slopes, sign, there)
    steep = le(Abs(one.sigma_second * one.z_first**2), of.sigma_2 * of.DISPLACEMENT**2)
    curved = le(Abs(one.sigma_first * one.z_bent), of.sigma_1 * BEND)
    terms = [_of_a_head(steep, square, bounds[1]), _of_a_head(curved, _bends(given), there, bounds[0])]
    goal = le(m * heads.REST, (of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * BEND) / 2)
    return _of_a_head(goal, taylor, given.fact(EQ_16, "formula"), *terms)


def radii() -> dict[Symbol, object]:
    """The ranges of B and of the radii for U and W, which are positive."""
    return {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}


@cache
def longest() -> list[Theorem]:
    """ℓ² ≤ a² + b² and K ≤ A + 2B at the radii, and ℓ ≥ 0."""
    a, b = STEP, SPREAD
    ell, largest = of.displacement(a, b), of.deviation(a, b)
    found = [
        ONE_HEAD.follows(*called(ell), goal=le(ell, sqrt(a**2 + b**2))),
        ONE_HEAD.follows(*called(largest), goal=le(largest, a + 2 * b)),
        ONE_HEAD.follows(*called(ell), goal=ge(ell, 0)),
    ]
    steps = {a: of.rho_u, b: of.B * of.rho_w}
    weights = {a: 2 * of.rho_u * of.rho_w, b: of.B * of.rho_w**2}
    at = (steps, weights, steps)
    return [fact.at(one_, over=radii()) for fact, one_ in zip(found, at, strict=True)]
