"""Letters of Remark 13 and Figure 1: the errors of inverse cosine distances to first order."""

from typing import Any

from sympy import Expr, asin, cos, digamma, pi, sin

from symbolic.cosine_maps import closed_forms
from theorems.engine.statements.domain import integers
from theorems.eoc_mlp.letters.table import LETTERS, REAL, UNIT, nonnegative, real

# One layer: moments of a pair of activations, phi_i = sigma phi(u_i), and Y = (phi_1 - phi_2)/2.
fourth_moment = nonnegative("fourth_moment", r"\mathbb{E}\phi_1^4", "fourth moment of an activation")
product_moment = nonnegative(
    "product_moment", r"\mathbb{E}\phi_1^2\phi_2^2", "mean product of the squares of two activations"
)
fourth_y = nonnegative(
    "fourth_y", r"\mathbb{E}Y^4", "fourth moment of half the difference of two activations"
)
mixed_y = nonnegative(
    "mixed_y",
    r"\mathbb{E}Y^2(\phi_1^2 + \phi_2^2)",
    "mean of the squared half difference times the sum of the squares of two activations",
)

# All layers.
V_k = nonnegative("V_k", "V_k", "limit of m times the variance of the inverse cosine distance in layer k")
beta_k = real(
    "beta_k", r"\beta_k", "limit of m times the mean error of the inverse cosine distance in layer k"
)
S_k = nonnegative("S_k", "S_k", "sum of j² over the widths of the layers j below k, over k²")
sum_v = nonnegative(
    "sum_v",
    r"\sum_{j<k}\frac{\tilde w_{j+1}^2}{\gamma_j}",
    "sum of the variances that the layers below k add",
)
sum_beta = nonnegative(
    "sum_beta", r"\sum_{j<k}\frac{\tilde w_{j+1}}{\gamma_j}", "sum of the means that the layers below k add"
)
sum_beta_bent = nonnegative(
    "sum_beta_bent", r"\sum_{j<k}\frac{V_j}{\tilde w_j^3}", "sum of the means that the curvature of ω adds"
)
slope_product = LETTERS.quantity(
    "slope_product",
    r"\prod_{i=0}^{k-1}\omega'(\omega^{\circ i}(w))",
    "product of the slopes of ω along the orbit of w",
    UNIT,
)
gamma_power = LETTERS.number("gamma_power", "p", "power of the layer with which the widths grow", REAL)
degrees = LETTERS.number("degrees", "M", "degrees of freedom of a chi-square", integers(2))
drift = real(
    "drift",
    r"\mathbb{E}\log\Bigl(\frac{\chi^2_{M}}{\chi^2_{M-1}}\Bigr)^{1/2}",
    "mean growth of the logarithm of w in one layer, for nearly parallel inputs",
)
digamma_of = LETTERS.function(
    "digamma_of",
    r"\psi",
    "digamma function, the derivative of the logarithm of the gamma function",
    closed_form=digamma,
    well_known=True,
)


def _cubes(angle: Any) -> Expr:
    return (3 * (pi - 2 * angle) * cos(angle) + 6 * sin(angle) - 2 * sin(angle) ** 3) / pi


def _signed_squares(angle: Any) -> Expr:
    turned = pi - 2 * angle
    return (turned * (1 + 2 * cos(angle) ** 2) + 6 * sin(angle) * cos(angle)) / pi


def moments_of_layer(inverse: Any, delta: Any) -> tuple[Expr, Expr, Expr, Expr, Expr]:
    """E Y^2, E Y^4, E Y^2 (phi_1^2 + phi_2^2), E phi_1^4, E phi_1^2 phi_2^2 of one layer."""
    angle, cosine = 2 * asin(1 / inverse), 1 - 2 / inverse**2
    spread = 4 * delta * (1 - delta)
    fourth = 3 * (1 + spread)
    product = 1 + 2 * cosine**2 + spread * _signed_squares(angle)
    third = 3 * (1 - delta) * (1 + 2 * delta) * cosine + delta * (3 - 2 * delta) * _cubes(angle)
    difference = (fourth - 4 * third + 3 * product) / 8
    mixed = (fourth + product - 2 * third) / 2
    return closed_forms.zeta(inverse**-2, delta), difference, mixed, fourth, product


def _scaled_noise(inverse: Any, delta: Any) -> Expr:
    square, difference, mixed, fourth, product = moments_of_layer(inverse, delta)
    return difference / 4 - mixed * square / 4 + square**2 * (fourth + product) / 8


def _scaled_bias(inverse: Any, delta: Any) -> Expr:
    square, _, mixed, fourth, product = moments_of_layer(inverse, delta)
    bent = mixed * square / 4 + (fourth - product) * square / 16
    constant = square**2 * (3 * fourth + product) / 8
    return 3 * _scaled_noise(inverse, delta) / 2 + bent - constant


def _noise(inverse: Any, delta: Any) -> Expr:
    return _scaled_noise(inverse, delta) / moments_of_layer(inverse, delta)[0] ** 2


def _bias(inverse: Any, delta: Any) -> Expr:
    return _scaled_bias(inverse, delta) / moments_of_layer(inverse, delta)[0] ** 2


cubes = LETTERS.function(
    "cubes",
    r"\mathbb{E}|u_1|^3|u_2|",
    "mean of the cube of one modulus times another, by the angle of the two standard normals",
    shown=0,
    closed_form=_cubes,
    justified_by="eoc.fig1.moments",
)
signed_squares = LETTERS.function(
    "signed_squares",
    r"\mathbb{E}\,u_1|u_1|u_2|u_2|",
    "mean of the product of two signed squares, by the angle of the two standard normals",
    shown=0,
    closed_form=_signed_squares,
    justified_by="eoc.fig1.moments",
)
noise = LETTERS.function(
    "noise",
    "R",
    "limit of the width times the variance that one layer adds to w, relatively",
    shown=1,
    closed_form=_noise,
    justified_by="eoc.fig1.layer",
)
bias = LETTERS.function(
    "bias",
    "B",
    "limit of the width times the mean that one layer adds to w, relatively",
    shown=1,
    closed_form=_bias,
    justified_by="eoc.fig1.layer",
)
scaled_noise = LETTERS.function(
    "scaled_noise",
    r"(R\zeta^2)",
    "limit of the width times the variance that one layer adds to w, relatively, times the square"
    " of ζ at 1/w², so that it has no denominator",
    shown=1,
    closed_form=_scaled_noise,
    justified_by="eoc.fig1.activations",
)
scaled_bias = LETTERS.function(
    "scaled_bias",
    r"(B\zeta^2)",
    "limit of the width times the mean that one layer adds to w, relatively, times the square of"
    " ζ at 1/w², so that it has no denominator",
    shown=1,
    closed_form=_scaled_bias,
    justified_by="eoc.fig1.activations",
)
