"""Figure 1: bounds of what one layer adds to the errors.

The figure's network is φ(s) = |s|, where Δ = 1.
"""

from sympy import Interval, Rational, asin, collect, cos, expand, pi, sin, sqrt
from sympy.core.relational import Relational

from theorems.engine import Given, Provenance, half_line, lt
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, BY_DEFINITION
from theorems.eoc_mlp.letters.cosines import w, zeta
from theorems.eoc_mlp.letters.figure import scaled_bias, scaled_noise
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.substitutions import as_stated, half_sine

_ONE_LAYER = "proofs_notes/eoc_figures.md#one-layer"
_ACUTE = {w: half_line(sqrt(2))}
_SQUARE = zeta(w**-2, 1) ** 2

NOISE = claim(
    "eoc.fig1.noise",
    at="Figure 1",
    title="The noise of a layer lies between 1/3 and 1",
    states={"above 1/3": lt(_SQUARE / 3, scaled_noise(w, 1)), "below 1": lt(scaled_noise(w, 1), _SQUARE)},
    given=_ACUTE,
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.fig1.moments", "eoc.fig1.activations", "eoc.zeta.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_ONE_LAYER,
)
BIAS = claim(
    "eoc.fig1.bias",
    at="Figure 1",
    title="The bias of a layer lies between 9/10 and 11/10",
    states={
        "above 9/10": lt(Rational(9, 10) * _SQUARE, scaled_bias(w, 1)),
        "below 11/10": lt(scaled_bias(w, 1), Rational(11, 10) * _SQUARE),
    },
    given=_ACUTE,
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.fig1.moments", "eoc.fig1.activations", "eoc.zeta.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_ONE_LAYER,
)
#: The orders in 1/w to which both sides agree: R tends to 1, and both sides are w⁻⁴.


@NOISE.certified("above 1/3", "below 1")
def noise_in_balls(given: Given) -> Theorem:
    """R is 1 at w = ∞ and 0.358… at w = √2."""
    return _in_balls(given, as_stated(NOISE, given.part))


@BIAS.certified("above 9/10", "below 11/10")
def bias_in_balls(given: Given) -> Theorem:
    """B lies between 0.975… (w = √2) and 1.061…."""
    return _in_balls(given, as_stated(BIAS, given.part))


def _in_balls(given: Given, stated: Relational) -> Theorem:
    """A cover in s = 1/w, with the difference of the sides collected by powers of the angle."""
    smaller, larger = (side.subs(w, 1 / half_sine) for side in (stated.lts, stated.gts))
    double = {
        sin(2 * asin(half_sine)): 2 * half_sine * sqrt(1 - half_sine**2),
        cos(2 * asin(half_sine)): 1 - 2 * half_sine**2,
    }
    gap = (larger - smaller).subs(double)
    collected = collect(expand(gap * pi**2), asin(half_sine)) / pi**2
    order = 5 if given.part == "below 1" else 4
    acute = {half_sine: Interval.Lopen(0, sqrt(2) / 2)}
    cover = covered(lt(larger - collected, larger), over=acute, zero_orders={half_sine: (order, 0)})
    return cover.at({half_sine: 1 / w}, over=given.domain)
