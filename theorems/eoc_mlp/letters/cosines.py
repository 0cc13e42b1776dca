"""Letters of the cosine map and the distance maps, and of the cosines that they move."""

from typing import Any

from sympy import Dummy, Expr, Interval, cos, diff, pi, sin, sqrt

from symbolic import notation
from symbolic.cosine_maps import closed_forms, limiting_ntk_profile
from symbolic.dual_activations import S1, S2
from theorems.engine.statements.domain import half_line, interval
from theorems.engine.statements.letters import Kind, printed
from theorems.eoc_mlp.letters.table import (
    CORRELATION,
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    random,
    real,
)

_FROM_ONE = half_line(1)
_BEYOND_ONE = half_line(1, closed=False)
_BELOW_ONE = Interval.Ropen(0, 1)

# Two inputs in one layer.
rho = LETTERS.number(
    notation.rho, r"\rho", "cosine of the angle between two inputs or activations", CORRELATION
)
t = LETTERS.number(notation.t, "t", "angle between two inputs or activations", interval(0, pi))
z = LETTERS.number(notation.z, "z", "squared cosine distance, half of one less the cosine", UNIT)
w = LETTERS.number(notation.w, "w", "inverse cosine distance, the inverse root of z", _BEYOND_ONE)
w_left = LETTERS.number("w_left", "w_1", "first of two inverse cosine distances", _BEYOND_ONE)
w_right = LETTERS.number("w_right", "w_2", "second of two inverse cosine distances", _BEYOND_ONE)

# Two inputs in layer after layer: at finite width, and in the limit.
rho_1 = LETTERS.number("rho_1", r"\rho_1", "cosine of the two inputs themselves", CORRELATION)
z_1_input = LETTERS.number("z_1_input", "z_1", "squared cosine distance of the two inputs themselves", UNIT)
w_1_input = LETTERS.number(
    "w_1_input", "w_1", "inverse cosine distance of the two inputs themselves", _BEYOND_ONE
)
rho_k = LETTERS.quantity("rho_k", r"\rho_k", "cosine of the activations of layer k", CORRELATION)
rho_tilde = LETTERS.quantity(
    "rho_tilde", r"\tilde\rho_k", "cosine in layer k in the limit, an iterate of ϱ", CORRELATION
)
z_k = LETTERS.quantity("z_k", "z_k", "squared cosine distance in layer k", UNIT)
z_below = LETTERS.quantity("z_below", "z_{k-1}", "squared cosine distance in layer k − 1", UNIT)
w_k = LETTERS.quantity("w_k", "w_k", "inverse cosine distance in layer k", _FROM_ONE)
w_below = LETTERS.quantity("w_below", "w_{k-1}", "inverse cosine distance in layer k − 1", _FROM_ONE)
w_tilde = LETTERS.quantity(
    "w_tilde",
    r"\tilde w_k",
    "inverse cosine distance in layer k in the limit, the iterate of ω at that of the inputs",
    _BEYOND_ONE,
)
X_k = real("X_k", "X_k", "inner product of the activations of two inputs")
X_k_mean = real(
    "X_k_mean",
    r"\mathbb{E}_{A_{k-1}} X_k",
    "mean inner product of the activations over the layer matrix below them",
)
Pi = LETTERS.quantity(
    "Pi",
    r"\Pi_{k_1,k_2}",
    "product of the slopes of the cosine map at the limiting cosines of layers k_1 − 1 to k_2 − 1",
    CORRELATION,
)

# Duals of other activation functions.
f = LETTERS.thing("f", "f", "activation function of one variable", Kind.FUNCTION)
s1 = LETTERS.number(S1, "s_1", "standard deviation of the first preactivation", POSITIVE)
s2 = LETTERS.number(S2, "s_2", "standard deviation of the second preactivation", POSITIVE)
leak = LETTERS.number("leak", "c", "slope of a leaky ReLU at negative arguments", _BELOW_ONE)
frequency = LETTERS.number("frequency", r"\omega", "frequency of a wave", REAL)
phase = LETTERS.number("phase", r"\varphi", "phase of a wave", REAL)
rate = LETTERS.number("rate", "c", "factor of the argument of an exponential or error function", REAL)
damping = LETTERS.number("damping", "c", "factor of the square in a Gaussian", NONNEGATIVE)
bend = LETTERS.number("bend", "c", "modulus beyond which the identity is clipped", POSITIVE)


def _zeta_second(distance: Any, delta: Any) -> Expr:
    return -2 * delta / (pi * sqrt(distance * (1 - distance)))


def _varrho_second(cosine: Any, delta: Any) -> Expr:
    return delta * 2 / (pi * sqrt(1 - cosine**2))


def _omega_second(inverse: Any, delta: Any) -> Expr:
    point = Dummy(positive=True)
    return diff(closed_forms.omega_prime(point, delta), point).subs(point, inverse)


def _profile(depth: Any, cosine: Any, delta: Any) -> Expr:
    if not depth.is_Integer:
        raise ValueError(f"the sum is written out at a given depth only, not at {depth}")
    return limiting_ntk_profile(cosine, depth, delta)


varrho = LETTERS.function(
    "varrho",
    r"\varrho",
    "cosine map: cosine of two activations of the next layer in the limit",
    shown=1,
    closed_form=closed_forms.cosine_map,
    justified_by="eoc.varrho.closed_form",
)
varrho_prime = LETTERS.function(
    "varrho_prime",
    r"\varrho'",
    "slope of the cosine map",
    shown=1,
    closed_form=closed_forms.cosine_slope,
    justified_by="eoc.varrho.prime",
)
varrho_second = LETTERS.function(
    "varrho_second",
    r"\varrho''",
    "second derivative of the cosine map",
    shown=1,
    closed_form=_varrho_second,
    justified_by="eoc.varrho.second",
)
zeta = LETTERS.function(
    "zeta",
    r"\zeta",
    "squared cosine distance map, which moves z as the cosine map moves the cosine",
    shown=1,
    closed_form=closed_forms.zeta,
    justified_by="eoc.zeta.closed_form",
)
zeta_prime = LETTERS.function(
    "zeta_prime",
    r"\zeta'",
    "slope of the squared cosine distance map",
    shown=1,
    closed_form=closed_forms.zeta_prime,
    justified_by="eoc.zeta.prime",
)
zeta_second = LETTERS.function(
    "zeta_second",
    r"\zeta''",
    "second derivative of the squared cosine distance map",
    shown=1,
    closed_form=_zeta_second,
    justified_by="eoc.zeta.second",
)
omega = LETTERS.function(
    "omega",
    r"\omega",
    "inverse cosine distance map, which moves w as the cosine map moves the cosine",
    shown=1,
    closed_form=closed_forms.omega,
    justified_by="eoc.zeta.closed_form",
)
omega_prime = LETTERS.function(
    "omega_prime",
    r"\omega'",
    "slope of the inverse cosine distance map",
    shown=1,
    closed_form=closed_forms.omega_prime,
    justified_by="eoc.omega.prime",
)
omega_second = LETTERS.function(
    "omega_second",
    r"\omega''",
    "second derivative of the inverse cosine distance map",
    shown=1,
    closed_form=_omega_second,
    justified_by="eoc.omega.prime",
)
h = LETTERS.function(
    "h",
    "h",
    "what the distance map takes off z, relatively to z and for the absolute value, by the angle",
    closed_form=lambda angle: 2 * (sin(angle) - angle * cos(angle)) / (pi * (1 - cos(angle))),
)
ntk_profile = LETTERS.function(
    "ntk_profile",
    r"\kappa",
    "limiting tangent kernel of two unit vectors by the depth and their cosine, one output",
    shown=2,
    closed_form=_profile,
)
printed(ntk_profile, r"\kappa_{{{0}}}\left({1}\right)")
varrho_iterate = LETTERS.function(
    "varrho_iterate",
    r"\varrho",
    "iterate of the cosine map, by how often it is applied and the cosine",
    shown=2,
)


omega_iterate = LETTERS.function(
    "omega_iterate",
    r"\omega",
    "iterate of the inverse cosine distance map, by how often it is applied and where it begins",
    shown=2,
)


def _print_iterate(node: Any, printer: Any, exp: str | None = None) -> str:
    times, start = map(printer.doprint, node.args[:2])
    often = f"({times})" if node.args[0].is_Add else times
    text = rf"{node.written}^{{\circ {often}}}\left({start}\right)"
    return text if exp is None else rf"{{\left({text}\right)}}^{{{exp}}}"


for _iterate in (varrho_iterate, omega_iterate):
    _iterate._latex = _print_iterate  # type: ignore[method-assign, assignment]
slopes_between = LETTERS.function(
    "slopes_between",
    r"\prod\varrho'",
    "product of the slopes of the cosine map in the limit, by the first and the last layer",
    shown=3,
)

# As sentences have them.
w_next = LETTERS.quantity("w_next", "w_{k+1}", "inverse cosine distance in layer k + 1", _FROM_ONE)
omega_map = LETTERS.thing(
    "omega_map",
    r"\omega",
    "inverse cosine distance map, which moves w as the cosine map moves the cosine",
    Kind.FUNCTION,
)
log_error = random(
    "log_error",
    r"\xi",
    "logarithm of the inverse cosine distance after a layer over what the layer makes of it in the limit",
    Kind.LAW,
)
