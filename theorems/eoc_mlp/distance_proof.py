"""Proposition 12, proof: its displayed lines one by one, with constants."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.notation import a, b, phi
from theorems.engine import Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain

_AT = "Proposition 12, proof"
_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_GIVEN: dict[str, Domain] = {"k": integers(2), "z": interval(0, 1), "delta_phi": interval(0, 1)}
_Z = sp.symbols("z1 z2", real=True)
_HALF = sp.Rational(1, 2)
_M, _GAMMA, _D, _C = sp.symbols("M gamma delta C", positive=True)

NORMALISED = claim(
    "eoc.prop12.normalised",
    at=_AT,
    title="Activations over the norm of the layer below",
    states=(
        r"\frac{x_k(x_i)}{\|x_{k-1}(x_i)\|} = \bigl[m_{k-1}^{-1/2}\phi(z_{i,j})\bigr]_j, \quad"
        r" z_{i,j} \sim \mathcal{N}(0, \sigma^2)"
    ),
    given={"k": integers(2)},
    assuming="x_{k-1}(x_i) does not vanish",
    rests_on=["eoc.prop11.rows"],
)


@NORMALISED.proved(controls={"quadratic": {"power": 2}})
def pull_out_the_norm(power: int = 1) -> Obligations:
    """φ(τz)/τ = φ(z) for τ > 0."""
    tau, size = sp.symbols("tau z", positive=True)
    for sign in (-1, 1):
        yield f"sign {sign}", equal(phi(tau * sign * size) / tau**power, phi(sign * size))


DECOMPOSITION = claim(
    "eoc.prop12.decomposition",
    at=_AT,
    title="Decomposition of the difference of activations",
    states=r"\phi(z_1) - \phi(z_2) = a(z_1 - z_2) + b(|z_1| - |z_2|)",
)


@DECOMPOSITION.proved(controls={"inside": {"apart": False}})
def collect(apart: bool = True) -> Obligations:
    """Collect a and b."""
    first, second = _Z
    folded = abs(first) - abs(second) if apart else abs(first - second)
    yield (
        "linear and folded part",
        equal(phi(first) - phi(second), a * (first - second) + b * folded),
    )


DIFFERENCE = claim(
    "eoc.prop12.difference",
    at=_AT,
    title="The half difference of the preactivations has variance σ²z",
    states=r"\tfrac12 z_1 - \tfrac12 z_2 \sim \mathcal{N}(0, \sigma^2 z), \quad \rho = 1 - 2z",
    given=_GIVEN,
)


@DIFFERENCE.proved(controls={"whole_difference": {"half": 1}})
def variance(half: Any = _HALF) -> Obligations:
    """A linear image of a Gaussian vector with covariance σ²(1, ρ; ρ, 1)."""
    sigma, z = sp.symbols("sigma z", positive=True)
    covariance = sigma**2 * sp.Matrix([[1, 1 - 2 * z], [1 - 2 * z, 1]])
    row = sp.Matrix([[half, -half]])
    yield "variance", equal((row * covariance * row.T)[0, 0], sigma**2 * z)


REVERSE = claim(
    "eoc.prop12.reverse_triangle",
    at=_AT,
    title="Reverse triangle inequality",
    states=r"\bigl|\tfrac12|z_1| - \tfrac12|z_2|\bigr| \le \bigl|\tfrac12z_1 - \tfrac12z_2\bigr|",
)


@REVERSE.proved(controls={"reversed": {"sign": -1}})
def compare_squares(sign: int = 1) -> Obligations:
    """The difference of squares is ½(|z₁z₂| - z₁z₂)."""
    x, y = sp.symbols("x y", positive=True)
    for first, second in ((x, y), (x, -y)):
        gap = (first - second) ** 2 / 4 - (abs(first) - abs(second)) ** 2 / 4
        yield f"signs of {first}, {second}", sp.expand(sign * gap).is_nonnegative


PATHWISE = claim(
    "eoc.prop12.pathwise",
    at=_AT,
    title="The half difference of activations is at most a Gaussian in modulus",
    states=(
        r"\bigl|\tfrac12\phi(z_1) - \tfrac12\phi(z_2)\bigr|"
        r" \le (|a|+|b|)\bigl|\tfrac12z_1 - \tfrac12z_2\bigr| = \kappa_\phi\sqrt z\,|g|,"
        r"\quad g \sim \mathcal{N}(0, 1)"
    ),
    given=_GIVEN,
    rests_on=[DECOMPOSITION, DIFFERENCE, REVERSE],
    provenance=Provenance.DERIVED,
)


@PATHWISE.proved(controls={"without_sigma": {"power": 0}})
def both_parts(power: int = 1) -> Obligations:
    """Both parts of the decomposition are at most |½z₁ - ½z₂|, which is σ√z |g|."""
    size, z, sigma, g = sp.symbols("d z sigma g", positive=True)
    first, second = sp.symbols("A B", nonnegative=True)  # |a|, |b|
    bound = first * size + second * size
    kappa = (first + second) * sigma
    yield "sum", equal(bound.subs(size, sigma**power * sp.sqrt(z) * g), kappa * sp.sqrt(z) * g)


SUBGAUSSIAN = claim(
    "eoc.prop12.subgaussian",
    at=_AT,
    title="Sub-gaussian norm of the half difference, with its constant",
    states=(
        r"\bigl\|\tfrac12\phi(z_1) - \tfrac12\phi(z_2)\bigr\|_{\psi_2}"
        r" \le \sqrt{\tfrac83}\,\kappa_\phi\sqrt z = O(\kappa_\phi\sqrt z)"
    ),
    given=_GIVEN,
    rests_on=[PATHWISE, "eoc.sec2.psi.gaussian"],
)


@SUBGAUSSIAN.proved(controls={"smaller": {"square": sp.Rational(5, 2)}})
def norm_of_a_gaussian(square: Any = sp.Rational(8, 3)) -> Obligations:
    """E exp(g²/K²) = (1 - 2/K²)^(-1/2) is 2 at K² = 8/3, and the norm is monotone in |X|."""
    yield "E exp(g²/K²) = 2", equal((1 - 2 / square) ** (-_HALF), sp.Integer(2))


CENTRED = claim(
    "eoc.prop12.centred",
    at=_AT,
    title="Sub-exponential norm of the centred square, with its constant",
    states=(
        r"\bigl\|Y^2 - \mathbb{E}Y^2\bigr\|_{\psi_1}"
        r" \le \Bigl(\tfrac83 + \tfrac1{\log 2}\Bigr)\kappa_\phi^2z = O(\kappa_\phi^2z), \quad"
        r" Y = \tfrac12\phi(z_1) - \tfrac12\phi(z_2)"
    ),
    given=_GIVEN,
    rests_on=[SUBGAUSSIAN],
)


@CENTRED.proved(controls={"constant_norm": {"level": 3}})
def square_and_centre(level: int = 2) -> Obligations:
    """The norm of Y² is that of Y squared, and that of the constant EY² ≤ κ²z is EY²/log 2."""
    x, K, mean = sp.symbols("x K mean", positive=True)
    yield "squares", equal(sp.exp((x / K) ** 2), sp.exp(x**2 / K**2))
    norm = mean / sp.log(2)
    yield "constants", equal(sp.exp(mean / norm), sp.Integer(level))


SQUARED_NORM = claim(
    "eoc.prop12.squared_norm",
    at=_AT,
    title="The squared distance as a mean",
    states=(
        r"\Bigl\|\tfrac12\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - \tfrac12\tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|^2"
        r" = \frac1{m_{k-1}}\sum_{j=1}^{m_{k-1}}(\phi(z_{1,j}) - \phi(z_{2,j}))^2"
    ),
    given={"k": integers(2)},
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


def _distance_and_mean(weight: Any, first: Any, second: Any) -> tuple[sp.Expr, sp.Expr]:
    """Both sides for one unit, the weight standing before the sum."""
    distance = (phi(first) / 2 - phi(second) / 2) ** 2
    return distance, weight * (phi(first) - phi(second)) ** 2


@SQUARED_NORM.refuted(controls={"a_quarter": {"weight": _HALF**2}})
def one_unit(weight: Any = 1) -> Obligations:
    """|·|, one unit, z₁ = 1, z₂ = 0: the left side is 1/4, the right side 1."""
    left, right = (side.subs({a: 0, b: 1}) for side in _distance_and_mean(weight, 1, 0))
    yield "they differ", bool(left != right)


QUARTER = SQUARED_NORM.corrected(
    "eoc.prop12.squared_norm.corrected",
    title="The squared distance as a mean, with the factor one quarter",
    states=(
        r"D^2 := \Bigl\|\tfrac12\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - \tfrac12\tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|^2"
        r" = \frac1{m_{k-1}}\sum_{j=1}^{m_{k-1}}\bigl(\tfrac12\phi(z_{1,j})"
        r" - \tfrac12\phi(z_{2,j})\bigr)^2"
    ),
    given={"k": integers(2)},
    rests_on=[NORMALISED],
    note=_NOTE,
)


@QUARTER.proved(controls={"printed": {"weight": 1}})
def term_by_term(weight: Any = _HALF**2) -> Obligations:
    """Each coordinate is M^(-1/2)(½φ(z₁) - ½φ(z₂))."""
    yield "one unit", equal(*_distance_and_mean(weight, *_Z))


TWO_REGIMES = claim(
    "eoc.prop12.two_regimes",
    at=_AT,
    title="Concentration of the squared distance, with its constant",
    states=(
        r"\mathbb{P}_{k-1}\bigl(|D^2 - \zeta(z)| \ge s\bigr)"
        r" \le 2e^{-\min\left\{\left(\frac{s}{10\kappa_\phi^2z}\right)^2,"
        r" \frac{s}{10\kappa_\phi^2z}\right\}m_{k-1}}, \quad s = \max\{\delta,\delta^2\}\zeta(z)"
    ),
    given={**_GIVEN, "delta": half_line(0)},
    assuming="the paper has O(κ²z) for 10κ²z; D² is meant with the factor one quarter",
    rests_on=[
        QUARTER,
        "eoc.prop12.moments",
        "eoc.zeta.cosines",
        "classical.bernstein",
        "classical.union",
    ],
    note=_NOTE,
)


@TWO_REGIMES.proved(controls={"nine": {"constant": 9}})
def below_and_above_one(constant: int = 10) -> Obligations:
    """Bernstein's exponent is x²/(6 + 4x), x = s/(κ²z); with x = 1/(1 + v) and x = 1 + v."""
    v = sp.Symbol("v", nonnegative=True)
    small, large = 1 / (1 + v), 1 + v
    for x, least in ((small, small**2), (large, large)):
        yield f"x = {x}", nonnegative(constant * x**2 - least * (6 + 4 * x))
    yield "C ≥ 1: (x/C)² ≤ x²/C", bool(constant >= 1)


EXPONENT = claim(
    "eoc.prop12.exponent",
    at=_AT,
    title="The exponents of the proof's displays as they stand in the text",
    states=(
        r"\mathbb{P}_{k-1}\bigl(|D - \sqrt{\zeta(z)}| \ge \delta\sqrt{\zeta(z)}\bigr)"
        r" \le 2e^{-\frac{\delta^2}{O(\kappa_\phi^2\zeta(z))^2 m_{k-1}}}"
    ),
    given={**_GIVEN, "delta": half_line(0)},
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@EXPONENT.refuted(controls={"corrected": {"scale": lambda z: z / z}})
def identity_with_one_unit(scale: Any = lambda z: z) -> Obligations:
    """φ(s) = s, one unit, δ = 1: P(D ≥ 2√z) = P(|g| ≥ 2) for all z = ζ(z), but the bound vanishes.

    For any constant C in place of O, as z falls to 0.
    """
    z = sp.Symbol("z", positive=True)
    bound = 2 * sp.exp(-1 / (_C * scale(z)) ** 2)
    yield "P(|g| ≥ 2) > 0", sp.erfc(sp.sqrt(2)).is_positive
    yield "the bound vanishes", bool(sp.limit(bound, z, 0, "+") == 0)


CORRECTED_EXPONENT = EXPONENT.corrected(
    "eoc.prop12.exponent.corrected",
    title="Both regimes in one, with z/ζ(z) for ζ(z) and the width below",
    states=(
        r"\min\Bigl\{\Bigl(\frac{s}{C\kappa_\phi^2z}\Bigr)^2, \frac{s}{C\kappa_\phi^2z}\Bigr\}"
        r"m_{k-1} \ge \frac{\delta^2}{(C\kappa_\phi^2z/\zeta(z))^2m_{k-1}^{-1}}, \quad C \ge 1"
    ),
    given={**_GIVEN, "delta": half_line(0)},
    rests_on=["eoc.zeta.sandwich", "eoc.kappa"],
    note=_NOTE,
)


@CORRECTED_EXPONENT.proved(controls={"not_squared": {"power": 1}, "cubed": {"power": 3}})
def at_most_one(power: int = 2) -> Obligations:
    """With u = ζ/(κ²z) ≤ 1 and s/(κ²z) = max{δ, δ²}u both members are at least (δu/C)²."""
    less, more = sp.symbols("v w", nonnegative=True)
    u, C = 1 / (1 + less), 1 + more
    wanted = _D**2 * u**power / C**2
    yield "square", nonnegative(sp.cancel((_D * u / C) ** 2 / wanted) - 1)
    yield "linear", nonnegative(sp.cancel(_D**2 * u / C / wanted) - 1)
    exponent = sp.simplify(_D**2 / ((C / u) ** 2 / _M))
    yield "as written", equal(exponent, wanted * _M)


IMPLICATION = claim(
    "eoc.prop12.implication",
    at=_AT,
    title="From a distance to its square",
    states=(
        r"|c_1 - c_2| \ge \delta c_2 \implies"
        r" |c_1^2 - c_2^2| \ge \max\{\delta, \delta^2\}c_2^2, \quad c_1, c_2, \delta \ge 0"
    ),
    given={"c1": half_line(0), "c2": half_line(0), "delta": half_line(0)},
)


def _both(d: Any) -> list[Any]:
    return [d, d**2]


@IMPLICATION.proved(
    controls={
        "beyond_the_square": {"if_above": lambda d: [2 * d + 2 * d**2]},
        "sum": {"if_below": lambda d: [d + d**2]},
        "at_the_same_place": {"if_below": lambda d: [d + (1 - d) ** 2 / 100]},
    }
)
def above_and_below(if_above: Any = _both, if_below: Any = _both) -> Obligations:
    """c₁ = (1 + δ)c₂ + e; or c₂ = c₁ + e + h with h = δc₂, so that both are polynomials."""
    c, d, e, h = sp.symbols("c d e h", nonnegative=True)
    for bound in if_above(d):
        yield f"above, {bound}", nonnegative(((1 + d) * c + e) ** 2 - c**2 - bound * c**2)
    larger = c + e + h
    for bound in if_below(h / larger):
        gap = larger**2 - c**2 - sp.cancel(bound * larger**2)
        yield f"below, {bound}", nonnegative(sp.expand(gap))


SUBSTITUTION = claim(
    "eoc.prop12.substitution",
    at=_AT,
    title="From δ to t",
    states=(
        r"\delta = \frac{z}{\zeta(z)}\gamma_{k-1}^{-1/2}t \implies"
        r" \frac{\delta^2}{(C\kappa_\phi^2z/\zeta(z))^2m_{k-1}^{-1}}"
        r" = \frac{t^2}{(C\kappa_\phi^2m^{-1/2})^2}"
    ),
    given={**_GIVEN, "t": half_line(0)},
    assuming="the last display of the text, with m_{k-1} for 1/m, would be weaker",
    rests_on=[CORRECTED_EXPONENT],
    note=_NOTE,
)


@SUBSTITUTION.proved(controls={"width_of_the_layer": {"power": 2}})
def insert(power: int = 1) -> Obligations:
    """m_{k-1} = γ m cancels the γ of t."""
    z, zeta, m, t, kappa = sp.symbols("z zeta m t kappa", positive=True)
    deviation = z / zeta * _GAMMA ** (-_HALF) * t
    left = deviation**2 / ((_C * kappa**2 * z / zeta) ** 2 / (_GAMMA**power * m))
    yield "exponent", equal(left, t**2 / (_C * kappa**2 * m ** (-_HALF)) ** 2)
