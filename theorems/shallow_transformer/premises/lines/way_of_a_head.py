"""One head on the way from its start: how far its output moves, by its slopes on the way."""

from sympy import Abs, Expr, Interval, Reals, Symbol, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, integers, le, rules
from theorems.engine.rules import E, Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.letters.pooled import pooled
from theorems.shallow_transformer.premises.heads import bounded_form, short_pooled_token, short_query
from theorems.shallow_transformer.premises.lines.along_a_line import along, drawn_means, moved, softmax_mean
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.parabolas import largest_displacement
from theorems.shallow_transformer.premises.tokens import below_frobenius, near_the_start, what_is_assumed

#: |h − h₀| for a head on its way.
STEP = Symbol("step of a head", nonnegative=True)
#: What bounds the length of the read-out vector of the head at the start.
START_LENGTH = Symbol("longest start", nonnegative=True)
_LENGTHS = le(START_LENGTH + of.rho_u / sqrt(m), of.B)
#: The lengths of √m times the way of a head, in U and in W.
U_WAY, W_WAY = (Symbol(f"length of {one}", nonnegative=True) for one in ("delta", "Delta"))


def of_a_head(goal: Boolean, *known: Theorem) -> Theorem:
    """A relation about any head, with a bound B of its read-out vector in the feasible set."""
    bounded = _LENGTHS
    over = {**as_declared(goal, bounded), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE, m: integers(2)}
    return rules.follows(goal, known, over=over, under=[bounded])


def ways(given: Given) -> Theorem:
    """√m|δU| ≤ ρ_u and √m‖δW‖ ≤ ρ_w."""
    lengths = ONE_HEAD.meaning(
        "the lengths of √m times the way of a head", eq(U_WAY, norm(_DELTA)), eq(W_WAY, norm(_TURN))
    )
    near = near_the_start(given, {of.rho_u: _DELTA / sqrt(m), of.rho_w: _TURN / sqrt(m)})
    return ONE_HEAD.follows(lengths, near, goal=both(le(U_WAY, of.rho_u), le(W_WAY, of.rho_w)))


_SEGMENT = Interval(0, 1)
_DELTA, _TURN, _U, _M = Vector("delta"), Vector("Delta"), Vector("U"), Operator("M")
_IMAGE = act(Operator("Delta"), Vector("q"))
_SHARE = Symbol("share of the way", real=True)


def lengths_on_the_way(given: Given) -> Theorem:
    """|U| = |U_0 + sδ/√m| ≤ |U_0| + ρ_u/√m for s in [0, 1]."""
    start, moved = Vector("U_0"), _SHARE / sqrt(m) * _DELTA
    known = [
        ONE_HEAD.meaning(
            "the read-out vector at a place of the way",
            *(eq(of.u, norm(_U)), eq(norm(_U), norm(start + moved)), eq(U_WAY, norm(_DELTA))),
            over={_SHARE: _SEGMENT},
        ),
        ONE_HEAD.largest("the largest length at the start", le(norm(start), START_LENGTH)),
        facts.triangle(start, moved, over={_SHARE: _SEGMENT}),
        ways(given),
    ]
    near = le(norm(moved), of.rho_u / sqrt(m))
    over = {**as_declared(near), of.rho_u: of.POSITIVE, m: integers(2), _SHARE: _SEGMENT}
    known.append(rules.follows(near, [known[0], known[-1]], over=over))
    return of_a_head(le(of.u, START_LENGTH + of.rho_u / sqrt(m)), *known)


_RATE = Symbol("derivative of z", real=True)


def _derivative() -> Theorem:
    """Dz = ⟨δ, a⟩ + ⟨U, MΔq⟩ along (δ, Δ), for the mean z of A + xA′ by logits z_t + xs."""
    A, B, S = its.drawn_value, its.drawn_change, its.drawn_slope
    covariance = E((A - E(A)) * (S - E(S)))
    meant = ONE_HEAD.meaning(
        "the pooled token and the covariance of the tokens, in directions",
        eq(inner(_DELTA, pooled), E(B)),
        eq(inner(_U, act(_M, _IMAGE)), covariance),
    )
    known = [*moved(softmax_mean(A + along * B), 1, _RATE), drawn_means(E(B), covariance), meant]
    return ONE_HEAD.follows(*known, goal=eq(_RATE, inner(_DELTA, pooled) + inner(_U, act(_M, _IMAGE))))


def _two_parts(given: Given, slope: Expr) -> Theorem:
    """|⟨δ, a⟩ + ⟨U, MΔq⟩| ≤ |a|ρ_u + ‖M‖uρ_w is |Dz| along √m times the way, at a place of it."""
    near, query = ways(given), Vector("q")
    meaning = ONE_HEAD.meaning(
        "the derivative of z along √m times the way of a head, and lengths",
        eq(slope, Abs(_RATE)),
        *(eq(U_WAY, norm(_DELTA)), eq(of.a_size, norm(pooled)), eq(of.u, norm(_U))),
        *(eq(of.M_norm, opnorm(_M)), eq(of.q_size, norm(query))),
    )
    turn = _IMAGE.args[0]
    turned = [meaning, below_frobenius(turn, W_WAY), facts.operator_norm(turn, query), short_query(given)]
    short = of_a_head(le(norm(_IMAGE), W_WAY), *turned)
    schwarz = facts.cauchy_schwarz(_DELTA, pooled)
    parts = Abs(inner(_DELTA, pooled)), Abs(inner(_U, act(_M, _IMAGE)))
    tops = of.a_size * of.rho_u, of.M_norm * of.u * of.rho_w
    steps = [
        of_a_head(le(parts[0], tops[0]), schwarz, meaning, near),
        of_a_head(le(parts[1], tops[1]), bounded_form(_U, _M, _IMAGE), meaning, short, near),
    ]
    size = of_a_head(le(slope, sum(parts)), meaning, _derivative())
    return of_a_head(le(slope, sum(tops)), size, *steps)


def slopes(given: Given, slope: Expr) -> Theorem:
    """√m|Dz| ≤ |a|ρ_u + (1 − |a|²)Bρ_w ≤ ℓ along the way of a head."""
    length = of.a_size
    largest = largest_displacement(of.rho_u, of.B * of.rho_w, length)
    parts = _two_parts(given, slope)
    far = lengths_on_the_way(given)
    spread = of_a_head(
        le(of.M_norm * of.u * of.rho_w, (1 - length**2) * of.B * of.rho_w), short_pooled_token(given), far
    )
    short = of_a_head(le(length, 1), short_pooled_token(given))
    return of_a_head(le(slope, of.DISPLACEMENT), largest, parts, spread, short)


#: A place on the way of a head, a later one, and the one where the head is steepest.
_place, _later, _there, _y = symbols("place later steepest any", real=True)
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
    named = ONE_HEAD.meaning("√m times the step of a head on its way", eq(sqrt(m) * STEP, step))
    known = [named, moved.at({_place: 0, _later: 1}), _steepest(given)]
    return of_a_head(le(sqrt(m) * STEP, of.sigma_1 * of.DISPLACEMENT), *known)


def _steepest(given: Given) -> Theorem:
    """√m|σ′(z)Dz| ≤ σ_1ℓ where it is largest."""
    slope, change = Abs(_steep(_z(_there))), Abs(_first(_there))
    attained = ONE_HEAD.meaning("the largest slope, where it is attained", eq(_largest, Abs(_rate(_there))))
    first = what_is_assumed(given, hyp.BOUNDED_SLOPES, le(slope, of.sigma_1))
    known = [attained, first, slopes(given, sqrt(m) * change)]
    product = of_a_head(le(sqrt(m) * slope * change, of.sigma_1 * of.DISPLACEMENT), *known)
    return of_a_head(le(sqrt(m) * _largest, of.sigma_1 * of.DISPLACEMENT), attained, product)
