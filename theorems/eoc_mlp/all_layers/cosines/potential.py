"""Proposition 25, proof: by how much one layer moves w - a log w.

With c = 4Δ/(3π) and a = 2Δ/π, the function w - a log w grows by c + O(Δ/w²) in each layer.
"""

from sympy import Expr, Interval, Rational, S, asin, diff, log, oo, pi, sin, sqrt, symbols

from theorems.classical.functions import arcsine
from theorems.engine import Given, Provenance, both, eq, ge, gt, half_line, implies, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.rules.facts import logarithm_of_power, logarithm_of_product
from theorems.engine.rules.principles import increasing
from theorems.eoc_mlp.letters import DELTA, claim, omega, t, w, z, zeta
from theorems.eoc_mlp.premises.angles import segment
from theorems.eoc_mlp.premises.sines import through_zeta
from theorems.eoc_mlp.premises.substitutions import as_stated

#: By how much a layer increases w at least, and the coefficient of the logarithm.
GAIN, LOG = 4 * DELTA / (3 * pi), 2 * DELTA / pi


def _growth(before: Expr, after: Expr) -> Expr:
    """By how much w - a log w grows from one number to another, less c."""
    return (after - LOG * log(after)) - (before - LOG * log(before)) - GAIN


_POTENTIAL = _growth(w, omega(w, DELTA))

POTENTIAL = claim(
    "eoc.omega.potential",
    at="Proposition 25, proof",
    title="w - (2Δ/π) log w grows by 4Δ/(3π) in each layer, up to O(Δ/w²)",
    states={
        "at least": ge(_POTENTIAL, 0),
        "at most": implies(ge(w, sqrt(2)), le(_POTENTIAL, Rational(3, 8) * DELTA / w**2)),
    },
    rests_on=["eoc.zeta.closed_form", "eoc.zeta.sandwich", "eoc.zeta"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_limits.md#iterates-of-omega",
)
_g, _other = symbols("g other", real=True)
#: ω(w)/w.
_QUOTIENT = zeta(w**-2, DELTA) ** Rational(-1, 2) / w


def _logarithm_below_quotient() -> Theorem:
    """(g + 1) log g ≤ (4/3)(g² - (g + 1)/2) for g ≥ 1, as log g is below the quotient.

    Both are 0 at g = 1, and the slopes have this order.
    """
    over = {_g: Interval(1, oo)}
    gap = Rational(4, 3) * (_g**2 / (_g + 1) - Rational(1, 2)) - log(_g)
    slope = rules.follows(ge(diff(gap, _g), 0), over=over)
    grows = increasing(slope, gap, _g, _other).at({_g: 1, _other: _g})
    bound = rules.follows(ge(gap, 0), [grows])
    return rules.follows(le((_g + 1) * log(_g), _bound_of_logarithm(_g)), [bound])


def _bound_of_logarithm(g: Expr) -> Expr:
    return Rational(4, 3) * (g**2 - (g + 1) / 2)


@POTENTIAL.proved("at least")
def between_the_distances(given: Given) -> Theorem:
    """With g = ω/w and y = 8Δ/(3πw): g - 1 - y/2 - (3/4)y log g ≥ 0, as y ≤ 1 - g^(-2).

    The left side falls in y, and at y = 1 - g^(-2) it is a bound of log g.
    """
    over, share = given.domain, 2 * GAIN / w
    positive, smaller = (
        given.fact("eoc.zeta", one, {z: w**-2}) for one in ("positive", "below the identity")
    )
    below = given.fact("eoc.zeta.sandwich", "upper bound", {z: w**-2})
    quotient = given.follows(positive, smaller, goal=ge(_QUOTIENT, 1))
    square = given.follows(positive, below, goal=le(share * _QUOTIENT**2, _QUOTIENT**2 - 1))
    under = [ge(_QUOTIENT, 1)]
    bound = _logarithm_below_quotient().at({_g: _QUOTIENT}, over=over, under=under)
    excess = _QUOTIENT - 1 - share / 2 - Rational(3, 4) * share * log(_QUOTIENT)
    met = given.follows(quotient, square, bound, goal=ge(excess, 0))
    apart = logarithm_of_product(w, _QUOTIENT, over=over, under=under)
    stated = as_stated(POTENTIAL, "at least", unfold=through_zeta)
    return given.follows(met, positive, quotient, apart, goal=stated)


#: The distance map lies at most that far below z less its term of order z^(3/2).
_FIFTH = Rational(103, 1000)
_LEADING = Rational(8, 3) / pi
_s, _place = symbols("s place", real=True)
_ACUTE = half_line(sqrt(2))


def _shrinkage(s: Expr, place: Expr) -> Expr:
    """(1 - ζ/z)/Δ on acute angles lies between these values at 0 and 1, for s = 1/w."""
    return s * (_LEADING + _FIFTH * place * s**2)


def _at_acute_angles(given: Given) -> Theorem:
    """ζ ≥ z - Δ(Lz^(3/2) + z^(5/2) 103/1000) at z = 1/w² ≤ 1/2."""
    acute, angle = {t: Interval(0, pi / 2)}, 2 * asin(1 / w)
    below = le(segment(t), pi * sin(t / 2) ** 2 * _shrinkage(sin(t / 2), S.One))
    below = covered(below, over=acute, zero_orders={t: (5, 0)})
    over = {w: _ACUTE, DELTA: given.domain[DELTA]}
    inside = [both(le(0, angle), le(angle, pi / 2))]
    known = [below.at({t: angle}, over={w: _ACUTE}, under=inside)]
    map_there = given.fact("eoc.zeta.closed_form", "in the angle")
    known.append(map_there.at({t: angle}, over=over, under=inside))
    least = w**-2 * (1 - DELTA * _shrinkage(1 / w, S.One))
    known.append(arcsine(1 / w, over={w: _ACUTE}))
    return rules.follows(ge(zeta(w**-2, DELTA), least), known)


def _in_place() -> Theorem:
    """The bound for every value that (1 - ζ/z)/Δ may have, by balls."""
    shrunk, remaining = _shrinkage(_s, _place), sqrt(1 - DELTA * _shrinkage(_s, _place))
    gained = shrunk / (remaining * (1 + remaining)) - _LEADING * _s / 2
    gained += Rational(3, 8) * _LEADING * _s * log(remaining**2)
    unit = Interval(0, 1)
    over = {_s: Interval(0, 1 / sqrt(2)), DELTA: unit, _place: unit}
    return covered(le(gained, Rational(3, 8) * _s**3), over=over, zero_orders={_s: (3, 0)})


@POTENTIAL.certified("at most")
def by_the_distance(given: Given) -> Theorem:
    """In s = 1/w, Δ and the place of (1 - ζ/z)/Δ between its bounds; for Δ = 0 both sides are 0."""
    over = {w: _ACUTE, DELTA: given.domain[DELTA]}
    positive, smaller, below = (
        theorem.at({z: w**-2}, over=over)
        for theorem in (
            given.fact("eoc.zeta", "positive"),
            given.fact("eoc.zeta", "below the identity"),
            given.fact("eoc.zeta.sandwich", "upper bound"),
        )
    )
    distance, kink = zeta(w**-2, DELTA), [gt(DELTA, 0)]
    place = ((1 - w**2 * distance) * w / DELTA - _LEADING) * w**2 / _FIFTH
    unit = both(le(0, place), le(place, 1))
    between = rules.follows(unit, [_at_acute_angles(given), below], under=kink)
    values = {_s: 1 / w, _place: place}
    there = _in_place().at(values, over=over, under=[*kink, unit])
    positive = rules.follows(gt(distance, 0), [positive])
    alive = [positive.statement]
    logarithms = [
        logarithm_of_product(w**2, distance, over=over, under=alive),
        logarithm_of_power(w, 2, over=over),
        logarithm_of_power(distance, -Rational(1, 2), over=over, under=alive),
    ]
    stated = as_stated(POTENTIAL, "at most", unfold=through_zeta)
    bound = stated.args[1]
    known = [positive, smaller, *logarithms]
    kinked = rules.follows(bound, [there, between, *known], under=kink)
    equal_at_zero = given.fact("eoc.zeta.sandwich", "lower bound").at({z: w**-2}, over=over)
    plain = rules.follows(bound, [equal_at_zero, *known], under=[eq(DELTA, 0)])
    return given.follows(rules.cases([kinked, plain]), goal=stated)
