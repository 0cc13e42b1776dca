"""The cosine map and its companions in ball arithmetic: enclosures of `numeric.cosine_maps`.

All of them rest on gap(z) = (8/3pi) z^(3/2) 2F1(1/2, 1/2; 5/2; z), the increasing function with
gap'(z) = (4/pi) arcsin sqrt z, and on

    varrho(rho) = rho + 2 D gap((1 - rho)/2),   zeta(z) = z - D gap(z).

The enclosures are tight for wide balls: functions are evaluated at the ends wherever they are
monotone.
"""

from flint import arb, ctx

from numeric.arguments import NONNEGATIVE, closed, right_open
from numeric.balls import by_slope, monotone_enclosure, sine_of, working_precision

BOTH_ZERO = "a and b must not both be 0: the activation a s + b|s| would vanish"

_UNIT = closed(0, 1)
_COSINE = closed(-1, 1)
_DISTANCE = right_open(1, float("inf"))


def delta_phi(a: arb, b: arb) -> arb:
    """Ball around b^2/(a^2 + b^2)."""
    _refuse_zero(a, b)
    if 0 not in b:
        return monotone_enclosure(lambda q: 1 / (1 + q * q), abs(a / b), NONNEGATIVE)
    if 0 not in a:
        return monotone_enclosure(lambda q: q * q / (1 + q * q), abs(b / a), NONNEGATIVE)
    return arb(0.5, 0.5)


def kappa_phi(a: arb, b: arb) -> arb:
    """Ball around (|a| + |b|)/sqrt(a^2 + b^2): up with |a/b| to sqrt 2 at 1, then down."""
    _refuse_zero(a, b)
    top = arb(2).sqrt()
    if 0 in a and 0 in b:
        return arb(1).union(top)
    ratio = abs(b / a) if 0 in b else abs(a / b)
    image = monotone_enclosure(_kappa, ratio, NONNEGATIVE)
    return image if ratio <= 1 or ratio >= 1 else image.union(top)


def _kappa(ratio: arb) -> arb:
    return (1 + ratio) / (1 + ratio * ratio).sqrt()


def _refuse_zero(a: arb, b: arb) -> None:
    if a.is_zero() and b.is_zero():
        raise ValueError(BOTH_ZERO)


def varrho(rho: arb, delta: arb) -> arb:
    """Ball around rho + 2 D gap((1 - rho)/2).

    For negative rho it is written as (2D - 1)|rho| + 2 D gap((1 - |rho|)/2).
    """

    def at(point: arb) -> arb:
        size = abs(point)
        weight = arb(1) if point >= 0 else 2 * delta - 1
        return weight * size + 2 * delta * _gap((1 - size) / 2)

    return by_slope(at, lambda inside: varrho_prime(inside, delta), rho, _COSINE)


def varrho_prime(rho: arb, delta: arb) -> arb:
    """Ball around 1 - D (4/pi) arcsin sqrt((1 - rho)/2)."""
    return zeta_prime((1 - rho) / 2, delta)


def varrho_second(rho: arb, delta: arb) -> arb:
    """Ball around D (2/pi) / sqrt(1 - rho^2)."""
    return 2 * delta / (arb.pi() * sine_of(rho))


def zeta(z: arb, delta: arb) -> arb:
    """Ball around z - D gap(z)."""
    return by_slope(
        lambda point: _zeta(point, 1 - point, delta), lambda inside: zeta_prime(inside, delta), z, _UNIT
    )


def zeta_prime(z: arb, delta: arb) -> arb:
    """Ball around 1 - D (4/pi) arcsin sqrt z."""
    steepness = monotone_enclosure(lambda point: 4 * point.sqrt().asin() / arb.pi(), z, _UNIT)
    return 1 - delta * steepness


def omega(w: arb, delta: arb) -> arb:
    """Ball around zeta(w^-2)^(-1/2)."""
    return by_slope(
        lambda point: point * _squared_growth(point, delta).sqrt(),
        lambda inside: omega_prime(inside, delta),
        w,
        _DISTANCE,
    )


def omega_prime(w: arb, delta: arb) -> arb:
    """Ball around zeta'(w^-2) (omega(w)/w)^3, whose second factor decreases in w."""
    growth = monotone_enclosure(lambda point: _squared_growth(point, delta), w, _DISTANCE)
    z = monotone_enclosure(lambda point: 1 / (point * point), w, _DISTANCE)
    return zeta_prime(z, delta) * growth * growth.sqrt()


def _squared_growth(w: arb, delta: arb) -> arb:
    """(omega(w)/w)^2 at one point."""
    square = w * w
    return 1 / (square * _zeta(1 / square, (w - 1) * (w + 1) / square, delta))


def _zeta(z: arb, other: arb, delta: arb) -> arb:
    """Evaluate zeta at one point z, given 1 - z as well: zeta(., 1) is the same at both."""
    if not z > 0.5:
        return z - delta * _gap(z)
    mirrored = other - _gap(other)
    return monotone_enclosure(lambda weight: (1 - weight) * z + weight * mirrored, delta, _UNIT)


def zeta_and_slope(z: arb, delta: arb) -> tuple[arb, arb]:
    """Balls around zeta(z) and zeta'(z), which share an arc sine where z is known well."""
    middle, off = z.mid(), z - z.mid()
    if not (z < 0.5 and z.rel_accuracy_bits() > _KNOWN_WELL):
        return zeta(z, delta), zeta_prime(z, delta)
    arc, gap = _arc_and_gap(middle)
    steepness = 4 * arc / arb.pi()
    if not z.is_exact():
        with working_precision(_KNOWN_WELL):
            bend = 2 / (arb.pi() * (z * (1 - z)).sqrt())
        steepness += bend * off
    slope = 1 - delta * steepness
    return middle - delta * gap + slope * off, slope


_KNOWN_WELL = 32  # bits: a ball keeps 30 of its radius


def _gap(z: arb) -> arb:
    """Evaluate gap for z in [0, 1/2], known but for rounding: at the middle, and by its slope.

    gap' = (4/pi) arcsin sqrt z is at most 2 sqrt z.
    """
    middle = z.mid()
    _, value = _arc_and_gap(middle)
    return value if z.is_exact() else value + 2 * z.upper().sqrt() * (z - middle)


def _arc_and_gap(z: arb) -> tuple[arb, arb]:
    """Evaluate t/2 = arcsin sqrt z, and gap as (sin t - t cos t)/pi, at one number z.

    Where the two terms cancel, precision makes up for it, or the series stands in.
    """
    mantissa, exponent = z.man_exp()
    cancelled = -int(exponent) - mantissa.bit_length()  # bits, of log2 (3/4)/z
    if cancelled > ctx.prec // _SERIES_SHARE:
        series = z.hypgeom_2f1(arb(0.5), arb(0.5), arb(2.5))
        return z.sqrt().asin(), 8 * z * z.sqrt() * series / (3 * arb.pi())
    if cancelled <= 4:
        return _by_the_arc(z)
    with working_precision(ctx.prec + cancelled):
        return _by_the_arc(z)


def _by_the_arc(z: arb) -> tuple[arb, arb]:
    arc = z.sqrt().asin()
    return arc, 2 * ((z * (1 - z)).sqrt() - (1 - 2 * z) * arc) / arb.pi()


# The series takes this share of the time of the precision over the bits of 1/z.
_SERIES_SHARE = 8
