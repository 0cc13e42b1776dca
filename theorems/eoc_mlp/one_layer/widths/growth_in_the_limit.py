"""Remark 13: by how much a layer increases the inverse cosine distance in the limit."""

from hypothesis import strategies as st
from sympy import Expr, Interval, Order, Rational, Symbol, expand, oo, pi, sin, sqrt

from symbolic.cosine_maps import derive_omega_expansion
from symbolic.derivation import Derivation
from theorems.engine import Given, Provenance, both, eq, ge, gt, half_line, implies, le, rules
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega, t, w
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.angles import segment, segment_above_cube
from theorems.eoc_mlp.premises.sines import ALIVE, ZETA, concluded, in_sines, of_numbers, positive_zeta, v, y
from theorems.eoc_mlp.premises.substitutions import as_stated, half_sine, in_angle, of_half_sine

_GROWTH = "proofs_notes/eoc_mlp.md#growth-of-omega"
_ACUTE = half_line(sqrt(2))
_CASES = st.tuples(
    st.one_of(st.just(1.0000001), st.floats(1, 1e6, exclude_min=True)),
    st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
)

_FIRST = 4 * DELTA / (3 * pi)
_SECOND = 8 * DELTA**2 / (3 * pi**2)

INCREMENT = claim(
    "eoc.omega.increment",
    at="Remark 13",
    title="Each layer adds at least 4Δ/(3π) to the inverse cosine distance",
    states=ge(omega(w, DELTA), w + _FIRST),
    rests_on=["eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@INCREMENT.proved()
def square_and_compare(given: Given) -> Theorem:
    """With ζ/z ≤ 1 - (8/(3π))Δs: (1 + cΔs)²(1 - (8/(3π))Δs) ≤ 1, for all x = Δs in [0, 1]."""
    return _at_least(given, given.goal.rhs)


_x, *_NUMBERS = (Symbol(one, real=True) for one in ("x", "s", "v", "f", "z", "q"))


def _small_product() -> Theorem:
    """v²z ≤ 1 if vs = f, z ≤ s²q and f²q ≤ 1."""
    s, v, f, z, q = _NUMBERS
    known = [eq(v * s, f), le(z, s**2 * q), le(f**2 * q, 1)]
    return rules.follows(le(v**2 * z, 1), under=known)


def _at_least(given: Given, bound: Expr) -> Theorem:
    """ω(w) ≥ a bound v, which is so if v²ζ(w⁻²) ≤ 1."""
    over, reached = in_sines(given), bound.subs(w, 1 / half_sine)
    root = of_numbers(implies(both(ALIVE, ge(v, 0), le(v**2 * y, 1)), le(v, 1 / sqrt(y))), over)
    root = root.at({v: reached})
    cube = of_half_sine(segment_above_cube(), over)
    x, short = _FIRST * half_sine, 1 - 2 * _FIRST * half_sine
    distance = rules.follows(le(ZETA, half_sine**2 * short), cube, over=over)
    relative = expand(bound / w).subs(w, 1 / half_sine)
    series = expand(relative.subs(DELTA, DELTA * _x / x))
    small = rules.follows(le(series**2 * (1 - 2 * _x), 1), over={_x: half_line(0)})
    numbers = dict(zip(_NUMBERS, (half_sine, reached, relative, ZETA, short), strict=True))
    known = [
        distance,
        small.at({_x: x}, over=over),
        rules.decided(eq(reached * half_sine, relative), over=over),
        _small_product().at(numbers, over=over),
    ]
    product = rules.follows(le(reached**2 * ZETA, 1), known)
    return concluded([root, product, positive_zeta(over)], le(reached, 1 / sqrt(y)), given)


@INCREMENT.tested(over=_CASES)
def random_increments(case: tuple[float, float]) -> dict[Symbol, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


_TO_SECOND = w + _FIRST + _SECOND / w

EXPANSION = claim(
    "eoc.omega.expansion",
    at="Remark 13",
    title="Expansion of the inverse cosine distance map at infinity, with its remainder",
    states=[le(_TO_SECOND, omega(w, DELTA)), le(omega(w, DELTA), _TO_SECOND + Rational(127, 200) / w**2)],
    given={w: _ACUTE},
    rests_on=["eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@EXPANSION.certified()
def remainder_of_the_expansion(given: Given) -> Theorem:
    """From below (1 + x + 3x²/2)²(1 - 2x) ≤ 1 for x = (4/(3π))Δ/w; from above by balls."""
    stated = as_stated(EXPANSION)
    upper = _at_most(given, _TO_SECOND + Rational(127, 200) / w**2, 5)
    return given.follows(_at_least(given, _TO_SECOND), upper, goal=stated)


def _at_most(given: Given, bound: Expr, order: int) -> Theorem:
    """ω(w) ≤ a bound rw for w ≥ √2, which is so if r²ζ ≥ s² at s = 1/w: by balls, up to t = π/2."""
    sines, r = Interval.Lopen(0, 1 / sqrt(2)), Symbol("r", real=True)
    over = in_sines(given, sines)
    relative = expand(bound / w).subs(w, 1 / half_sine)

    def excess(distance: Expr) -> Expr:
        return relative**2 * distance - half_sine**2

    in_sine = excess(half_sine**2 - DELTA / pi * segment(t)).subs(half_sine, sin(t / 2))
    acute = {t: Interval(0, pi / 2), DELTA: over[DELTA]}
    here, *_ = of_half_sine(in_angle(ge(in_sine, 0), (order, 0), acute), over)
    same = rules.decided(eq(here.statement.lhs, excess(ZETA)), over=over)
    large = rules.follows(ge(excess(ZETA), 0), [here, same])
    positive = [positive_zeta(over), rules.follows(gt(relative, 0), over=over)]
    met = both(ALIVE, gt(r, 0), ge(r**2 * y - half_sine**2, 0))
    root = of_numbers(implies(met, ge(r / half_sine, 1 / sqrt(y))), over)
    root = root.at({r: relative})
    reached, small = bound.subs(w, 1 / half_sine), 1 / sqrt(ZETA)
    factored = rules.follows(ge(relative / half_sine, small), [root, *positive, large])
    same = rules.decided(eq(relative / half_sine, reached), over=over)
    return concluded([factored, same], ge(reached, 1 / sqrt(y)), given, sines)


@EXPANSION.argued(
    bridge="An expansion with these three terms makes the remainder of order w^(-2) at infinity;"
    " how large it is on the half-line is for the certificate to say."
)
def expand_at_infinity(given: Given) -> Derivation:
    """Expand ζ(w⁻²)^(-1/2) in powers of 1/w."""
    (terms,) = (one.lhs for one in given.goal.args if not one.lhs.has(omega))
    derivation: Derivation = derive_omega_expansion(2).claiming(terms + Order(w**-2, (w, oo)))
    return derivation


REMAINDER = claim(
    "eoc.omega.remainder",
    at="Remark 13",
    title="Explicit remainder of the expansion on acute angles",
    states=[le(0, omega(w, DELTA) - w - _FIRST), le(omega(w, DELTA) - w - _FIRST, Rational(3, 4) / w)],
    given={w: _ACUTE},
    rests_on=[INCREMENT, "eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@REMAINDER.certified()
def remainder_bound(given: Given) -> Theorem:
    """v²ζ(w⁻²) ≥ 1 for v = w + 4Δ/(3π) + 3/(4w), which meets to the order 4 at t = 0."""
    upper = _at_most(given, w + _FIRST + Rational(3, 4) / w, 4)
    return given.follows(_at_least(given, w + _FIRST), upper, goal=as_stated(REMAINDER))


SHARP_REMAINDER = REMAINDER.sharpened(
    "eoc.omega.remainder.sharp",
    title="The remainder of the expansion on acute angles, with a constant that is almost attained",
    states=[le(0, omega(w, DELTA) - w - _FIRST), le(omega(w, DELTA) - w - _FIRST, Rational(18, 25) / w)],
    given={w: _ACUTE},
    rests_on=[INCREMENT, "eoc.zeta.closed_form"],
    note=_GROWTH,
)


@SHARP_REMAINDER.certified()
def sharper_remainder_bound(given: Given) -> Theorem:
    """The same with the constant 18/25; at w = √2 for the absolute value it is 0.7175."""
    upper = _at_most(given, w + _FIRST + Rational(18, 25) / w, 4)
    return given.follows(_at_least(given, w + _FIRST), upper, goal=as_stated(SHARP_REMAINDER))
