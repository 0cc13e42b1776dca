r"""Letters for one head: a token drawn with its softmax weight, blocks, and the extremal heads.

Means under the softmax weights are expectations: a token is drawn with its weight.  The extremal
heads have the tokens 1 and -1, the query 1 and an entry w of W: then z = u tanh w.
"""

from typing import Any

import sympy
from sympy import Expr, Symbol, sqrt

from symbolic.softmax_jacobian import softmax
from theorems.engine.rules import Random
from theorems.engine.statements.domain import Domain, interval
from theorems.engine.statements.letters import Kind, NamedFunction
from theorems.shallow_transformer.letters.paper import LETTERS, NONNEGATIVE, REAL, UNIT, size
from theorems.shallow_transformer.letters.token import entry

number, quantity = LETTERS.number, LETTERS.quantity
SIGNED: Domain = interval(-1, 1)


def _drawn(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.thing(Random(name), latex, meaning, Kind.OBJECT)


# The gradient of one head
MU_size = size("MU_size", r"\|MU\|", "length of MU")
entry_w = number("entry_w", "w", "entry of W, of a head whose tokens are 1 and -1", REAL)

# A variable and its square
drawn = LETTERS.thing(Random("drawn"), "Y", "random variable in [-1, 1]", Kind.OBJECT)
centre = quantity("centre", r"\mu", "mean of Y", SIGNED)
square = quantity("square", "V", "variance of Y", NONNEGATIVE)
share = quantity("share", "p", "probability of (Y - μ)² >= V", UNIT)
inside = size("inside", r"\alpha", "probability of that event less μ times the mean of Y on it")
outside = size("outside", r"\beta", "mean size of Y - μ outside of that event")
first = number("first", "A", "weight of the mean size of Y - μ", NONNEGATIVE)
second = number("second", "B", "weight of the mean size of (Y - μ)² - V", NONNEGATIVE)
root = quantity("root", "x", "root of 1 - α - β", UNIT)

# One direction: Y is the slope of the logit of the drawn token, over the size of the direction
Y_spread = size("Y_spread", r"\mathbb{E}|S|", "mean size of the centred slope of a logit")
Y_square = size("Y_square", r"\mathbb{E}|S^2-\mathbb{E}S^2|", "mean deviation of the square of that slope")

# Tokens that are drawn with their softmax weights, and derivatives along a direction
drawn_slope = _drawn("drawn_slope", "s", "slope of the logit of the drawn token")
drawn_x = _drawn("drawn_x", "x", "a coordinate of the drawn token")
drawn_y = _drawn("drawn_y", "y", "another coordinate of the drawn token")
drawn_value = _drawn("drawn_value", "A", "inner product of U and the drawn token")
drawn_change = _drawn("drawn_change", "A'", "inner product of the drawn token and U's direction")
M_entry = quantity("M_entry", r"DM[\Delta]_{xy}", "derivative of an entry of M", REAL)
z_second = quantity("z_second", r"D^2z[(\delta,\Delta)^2]", "second derivative of z along a direction", REAL)
mixed_form = quantity(
    "mixed_form", r"\langle\delta,M\Delta q\rangle", "block by U and W along a direction", REAL
)
corner_form = quantity(
    "corner_form", r"\langle U,DM[\Delta]\Delta q\rangle", "block by W along a direction", REAL
)
token_slope = entry("token_slope", "s", "slope of the logit of a token along a direction")

# Behind the activation
sigma_first = quantity("sigma_first", r"\sigma'(z)", "slope of the activation", REAL)
sigma_second = quantity("sigma_second", r"\sigma''(z)", "second derivative of the activation", REAL)
z_first = quantity("z_first", r"Dz[v]", "derivative of z along a direction v", REAL)
z_bent = quantity("z_bent", r"D^2z[v,v]", "second derivative of z along v", REAL)
h_bent = quantity("h_bent", r"D^2h[v,v]", "second derivative of a head's output along v", REAL)

# Matrices with a block that vanishes
coupling = number("coupling", "b", "norm of the block off the diagonal", NONNEGATIVE)
corner = number("corner", "c", "norm of the block on the diagonal", NONNEGATIVE)
whole_norm = size(
    "whole_norm",
    r"\left\|\begin{pmatrix}0&B^\top\\B&C\end{pmatrix}\right\|",
    "norm of a symmetric matrix whose first block on the diagonal vanishes",
)
U_block = size("U_block", r"\|\nabla_U^2z\|", "block of the Hessian of z by U alone")


# The extremal heads, and the variable that is 1 or -1
def _pair_head(u: Any, w: Any) -> Expr:
    """Z of the tokens 1 and -1 with the logits w and -w."""
    weights = softmax([w, -w])
    return u * (weights[0] - weights[1])


def _pair(u: Any, w: Any) -> tuple[Expr, Symbol, Symbol, dict[Symbol, Any]]:
    """The same as a hyperbolic tangent (st.eq17.sharp), in letters of its own."""
    U, W = sympy.symbols("U W", real=True)
    return U * sympy.tanh(W), U, W, {U: u, W: w}


def _pair_gradient(u: Any, w: Any) -> Expr:
    z, U, W, at = _pair(u, w)
    return sqrt(z.diff(U) ** 2 + z.diff(W) ** 2).subs(at)


def _lone_gradient(u: Any, w: Any) -> Expr:
    U, W = sympy.symbols("U W", real=True)
    z = U * softmax([W])[0]
    return sqrt(z.diff(U) ** 2 + z.diff(W) ** 2).subs({U: u, W: w})


def _pair_slope(u: Any, w: Any) -> Expr:
    z, _, W, at = _pair(u, w)
    return sympy.tanh(z).diff(W).subs(at)


def _pair_coupling(u: Any, w: Any) -> Expr:
    z, U, W, at = _pair(u, w)
    return z.diff(U, W).subs(at)


def _pair_corner(u: Any, w: Any) -> Expr:
    z, _, W, at = _pair(u, w)
    return z.diff(W, 2).subs(at)


def _pair_hessian(u: Any, x: Any) -> Expr:
    """The norm of the matrix (0, b; b, c) at tanh w = x, where b = 1 - x^2 and c = -2uxb."""
    b, c = 1 - x**2, 2 * u * x * (1 - x**2)
    return (c + sqrt(c**2 + 4 * b**2)) / 2


def _scale(u: Any) -> Expr:
    return sqrt(1 + u**2 + u**4)


def _best_mean(u: Any) -> Expr:
    return u * sqrt((1 + u**2) / ((1 + _scale(u)) * (1 + 2 * u**2 + _scale(u))))


def _moment(of: Any) -> Any:
    """A mean over Y = 1 and -1 with the mean x, of Y - x and the variance."""

    def mean(x: Any) -> Expr:
        atoms = [((1 + x) / 2, 1 - x), ((1 - x) / 2, -1 - x)]
        variance = sum((p * s**2 for p, s in atoms), sympy.S.Zero)
        return sum((p * of(s, variance) for p, s in atoms), sympy.S.Zero)

    return mean


def _named(name: str, latex: str, meaning: str, form: Any) -> type[NamedFunction]:
    return LETTERS.function(name, latex, meaning, closed_form=form)


_HEAD = "the tokens 1 and -1, the query 1 and the logits w and -w"
pair_head = _named(
    "pair_head", "z_2", f"preactivation of the head with the read-out weight u, {_HEAD}", _pair_head
)
pair_gradient = _named(
    "pair_gradient",
    r"\|\nabla z_2\|",
    f"length of the gradient in u and w of the preactivation for {_HEAD}",
    _pair_gradient,
)
lone_gradient = _named(
    "lone_gradient",
    r"\|\nabla z_1\|",
    "length of the gradient in u and w of the preactivation for one token 1",
    _lone_gradient,
)
pair_slope = _named(
    "pair_slope",
    r"\nabla_W\tanh(z_2)",
    f"derivative by w of tanh of the preactivation for {_HEAD}",
    _pair_slope,
)
pair_coupling = _named(
    "pair_coupling",
    r"\nabla_{U,W}^2z_2",
    f"derivative by u and by w of the preactivation for {_HEAD}",
    _pair_coupling,
)
pair_corner = _named(
    "pair_corner", r"\nabla_W^2z_2", f"second derivative by w of the preactivation for {_HEAD}", _pair_corner
)
pair_hessian = _named(
    "pair_hessian",
    r"\|\nabla^2z_2\|",
    f"norm of the Hessian of the preactivation for {_HEAD}, where tanh w = x",
    _pair_hessian,
)
best_mean = _named(
    "best_mean", "{x^*}", "mean of the tokens 1 and -1 for which the Hessian is largest", _best_mean
)
best_sum = _named(
    "best_sum", "w^*", "u x + (1 + u² x²)^(1/2) at that mean x",
    lambda u: sqrt((1 + 2 * u**2 + 2 * _scale(u)) / 3),
)  # fmt: skip
sign_spread = _named(
    "sign_spread", r"\mathbb{E}|S_\pm|", "mean deviation of a random sign of mean x",
    _moment(lambda s, _: sympy.Abs(s)),
)  # fmt: skip
sign_square = _named(
    "sign_square",
    r"\mathbb{E}|S_\pm^2-V_\pm|",
    "mean deviation of (Y - x)² for a random sign Y of mean x",
    _moment(lambda s, variance: sympy.Abs(s**2 - variance)),
)
sign_third = _named(
    "sign_third", r"\mathbb{E}S_\pm^3", "third central moment of a random sign of mean x",
    _moment(lambda s, _: s**3),
)  # fmt: skip

weighted_spread = size(
    "weighted_spread",
    r"\sum_t|(D\alpha[\Delta])_t||X_t-a|^2",
    "changes of weights times squared distances from the mean",
)
