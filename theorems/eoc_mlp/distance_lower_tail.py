"""Proposition 12: the best constant of the lower tail, by the worst law below a Gaussian square."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from numeric.certify import Box, Certificate, certify_positive
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Obligations, Provenance, claim, half_line, integers, interval
from theorems.eoc_mlp.angles import exact
from theorems.eoc_mlp.distance_concentration import EXPLICIT

_NOTE = "proofs_notes/eoc_concentration.md#lower-tail-of-cosine-distances"
_C, _Y, _ELL = sp.symbols("c y ell", positive=True)
_HALF = sp.Rational(1, 2)

TRUNCATED = claim(
    "eoc.prop12.truncated",
    at="Proposition 12",
    title="The worst lower tail below a Gaussian square is that of a truncated one",
    states=(
        r"0 \le W \le g^2,\ \mathbb{E}W = u(c) \implies \mathbb{E}e^{-\ell W}"
        r" \le \mathbb{E}e^{-\ell W_c} = \operatorname{erf}\bigl(\tfrac{c}{\sqrt2}\bigr)"
        r" + y\operatorname{erfc}\bigl(\tfrac{c}{y\sqrt2}\bigr), \quad"
        r" W_c = g^2\mathbf{1}_{|g|>c},\ u(c) = \mathbb{E}W_c,\ y = (1 + 2\ell)^{-1/2}"
    ),
    given={"c": half_line(0), "ell": half_line(0)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@TRUNCATED.proved(controls={"convex": {"sign": 1}, "second_moment": {"power": 2}})
def fill_from_above(sign: int = -1, power: int = 1) -> Obligations:
    """f(w) = 1 - e^(-ℓw) is concave, so f(θa) ≥ θf(a), and f(a)/a decreases in a = g².

    So of all θ in [0, 1] with E θa = u(c) the indicator of a > c² has the least E θf(a).
    """
    w, b = sp.symbols("w b", positive=True)
    f = 1 - sp.exp(sign * _ELL * w)
    yield "concave", sp.diff(f, w, 2).is_negative
    share = sp.integrate(_ELL * sp.exp(-_ELL * b * w), (b, 0, 1))
    yield "f(w)/w is a mean of e^(-ℓbw)", equal(f / w, share)
    g = sp.Symbol("g", positive=True)
    density = sp.sqrt(2 / sp.pi) * sp.exp(-(g**2) / 2)
    mean = _mean_above(g)
    yield "u'(c) = -c² density", equal(sp.diff(mean, g), -(g ** (2 * power)) * density)
    scaled = _Y * sp.erfc(g / (_Y * sp.sqrt(2)))
    weight = sp.exp(-(_Y**-2 - 1) / 2 * g**2)
    yield "E e^(-ℓg²) above c", equal(sp.diff(scaled, g), -weight * density)


def _mean_above(c: Any) -> sp.Expr:
    """u(c) = E g² 1{|g| > c}."""
    return sp.erfc(c / sp.sqrt(2)) + c * sp.sqrt(2 / sp.pi) * sp.exp(-(c**2) / 2)


SHARP = EXPLICIT.sharpened(
    "eoc.prop12.sharp",
    title="Concentration of cosine distances with the constant one half on both sides",
    states=(
        r"\mathbb{P}\bigl(|D - \sqrt{\zeta(z)}| \ge t\sqrt{\zeta(z)}\bigr)"
        r" \le 2e^{-\frac{m_{k-1}}{2}\left(\frac{\zeta(z)t}{\kappa_\phi^2z}\right)^2}"
    ),
    given={
        "k": integers(2),
        "t": half_line(0),
        "z": interval(0, 1),
        "delta": interval(0, 1),
    },
    assuming=EXPLICIT.assuming,
    rests_on=[EXPLICIT, TRUNCATED, "eoc.prop12.best", "classical.one_sided", "classical.union"],
    note=_NOTE,
)

_CUT = Fraction(9, 5)


def _u(c: Any) -> Any:
    """u(c) in balls."""
    return (c / arb(2).sqrt()).erfc() + c * (2 / arb.pi()).sqrt() * (c * c * exact(-_h())).exp()


def _h() -> Fraction:
    return Fraction(1, 2)


def _exponent(c: Any, y: Any, half: Fraction) -> Any:
    """E = ℓue² + u²t²/2 at e = 1 - t = y² and ℓ = (y^(-2) - 1)/2."""
    u, t = _u(c), 1 - y * y
    return u * y * y * t * exact(_h()) + u * u * t * t * exact(half)


def _margin(c: Any, y: Any, half: Fraction) -> Any:
    """H in balls."""
    root = arb(2).sqrt()
    return (-_exponent(c, y, half)).exp() - (c / root).erf() - y * (c / (y * root)).erfc()


def _curvature(c: Any, y: Any, half: Fraction) -> Any:
    """H'', its second derivative in y, in balls."""
    u, square = _u(c), y * y
    slope = u * (y - 2 * y * square) - u * u * y * (1 - square) * exact(4 * half)
    second = u * (1 - 6 * square) - u * u * (1 - 3 * square) * exact(4 * half)
    tail = (2 / arb.pi()).sqrt() * (-c * c / (2 * square)).exp()
    decay = (-_exponent(c, y, half)).exp()
    return (slope * slope - second) * decay - c * c * c * tail / (square * square)


@SHARP.certified(
    controls={
        "larger": {"half": Fraction(53, 100)},
        "one": {"half": Fraction(1)},
        "earlier_cut": {"cut": Fraction(7, 4)},
    },
    part="lower tail",
)
def margin_of_the_exponential(
    half: Fraction = Fraction(1, 2), cut: Fraction = _CUT
) -> list[Certificate]:
    """H = e^(-E) - E e^(-ℓW_c) > 0 for c ≤ 9/5, y < 1: y ≤ 1/4, y ≤ 47/50, and H'' > 0 beyond.

    For y ≤ 1/4 the complementary error function is at most its value at y = 1/4.  For c ≥ 9/5
    the second moment of W_c is at most 2, so that the one-sided bound has a rate of u²t²/2.
    """

    def near_zero(c: Any, y: Any) -> Any:
        root = arb(2).sqrt()
        top = y * (4 * c / root).erfc()
        return (-_exponent(c, y, half)).exp() - (c / root).erf() - top

    def fourth_moment() -> Any:
        c = exact(cut)
        return 2 - 3 * _u(c) - c * c * c * (2 / arb.pi()).sqrt() * (-c * c / 2).exp()

    return [
        certify_positive(near_zero, Box(c=(0, cut), y=(0, "1/4"))),
        certify_positive(lambda c, y: _margin(c, y, half), Box(c=(0, cut), y=("1/4", "47/50"))),
        certify_positive(lambda c, y: _curvature(c, y, half), Box(c=(0, cut), y=("47/50", 1))),
        certify_positive(fourth_moment, Box()),
    ]


@SHARP.proved(
    controls={"slope": {"factor": 2}, "square": {"square": 3}}, part="lower tail, formulas"
)
def margin_and_its_derivatives(factor: int = 1, square: int = 2) -> Obligations:
    """H(1) = H'(1) = 0, H'' as it is certified, ℓue² = uy²(1 - y²)/2, and E W_c² = 3u + …."""
    u = sp.Symbol("u", positive=True)  # u(c)
    t = 1 - _Y**2
    ell = (_Y**-2 - 1) / 2
    E = u * _Y**2 * t / 2 + u**2 * t**2 / 2
    yield "exponent", equal(ell * u * (_Y**2) ** 2 + u**2 * t**2 / 2, E)
    root = sp.sqrt(2)
    H = sp.exp(-E) - sp.erf(_C / root) - _Y * sp.erfc(_C / (_Y * root))
    at_one = H.subs(_Y, 1).rewrite(sp.erf)
    yield "H(1) = 0", bool(sp.expand(at_one) == 0)
    slope = sp.diff(H, _Y).subs(_Y, 1) - factor * u + _mean_above(_C)
    yield "H'(1) = u - u(c)", bool(sp.simplify(slope.rewrite(sp.erf)) == 0)
    first = u * (_Y - 2 * _Y**3) - 2 * u**2 * _Y * t
    second = u * (1 - 6 * _Y**2) - 2 * u**2 * (1 - 3 * _Y**2)
    density = sp.sqrt(2 / sp.pi) * sp.exp(-(_C**2) / (2 * _Y**2))
    claimed = (first**square - second) * sp.exp(-E) - _C**3 / _Y**4 * density
    yield "H''", equal(sp.diff(H, _Y, 2), claimed)
    fourth = 3 * _mean_above(_C) + _C**3 * sp.sqrt(2 / sp.pi) * sp.exp(-(_C**2) / 2)
    tail = -(_C**4) * sp.sqrt(2 / sp.pi) * sp.exp(-(_C**2) / 2)
    yield "E W_c²", equal(sp.diff(fourth, _C), tail)
    v = sp.Symbol("v", nonnegative=True)  # second moment 2/(1 + v)
    yield "u²/ν ≥ u²/2", nonnegative((1 + v) / 2 - _HALF)
