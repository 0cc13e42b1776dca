r"""Letters for a run of descent: one sample, one head, one step, and the constants of Theorem 1.

What belongs to a sample is there twice: as a quantity of any sample, and as a function of its
number, for sums.
"""

from typing import Any

from sympy import Symbol, sqrt

from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.letters import NamedFunction
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import LETTERS, real, size, vector

_LOSS, _WAY = r"\widehat{\mathcal{L}}_n", r",\tilde\varphi-\varphi\rangle"


# One sample
output = real("output", "f_j", "output at a sample")
target = real("target", "f_j^*", "label of a sample")
residual = size("residual", "r", "size of the residual, if all samples have the same")
sample_slope = real("sample_slope", r"\langle g_j" + _WAY, "slope of f_j to φ̃")
e_app = real("e_app", r"\varepsilon_j^{\mathrm{app}}", "f_lin at φ̃ less the label")
e_lin = real("e_lin", r"\varepsilon_j^{\mathrm{lin}}", "f less f_lin at the iterate")
e_features = real("e_features", r"\varepsilon_j^{\mathrm{CoF}}", "change of g_j on the way to φ̃")
residuals = LETTERS.function("residuals", "(f_j-f_j^*)", "outputs less labels, by a sample's number", shown=0)
sample_slopes = LETTERS.function(
    "sample_slopes", r"\langle g_j" + _WAY, "slopes of f_j towards φ̃, by a sample's number", shown=0
)
loss_nabla = vector("loss_nabla", r"\nabla" + _LOSS, "gradient of the loss")
direction = vector("direction", r"\xi", "any direction in the space of parameters")
#: ∇f at a sample, of its number.
sample_gradients = vectors("g")
lin_average = size(
    "lin_average", _LOSS + r"^{\mathrm{lin}}(\bar\varphi^{(\tau)})", "linear model's loss there"
)

# One head
head_products = size(
    "head_products",
    r"\sum_{i=1}^m\|\delta\nabla_{\varphi_i}f\|\,\|\tilde\varphi_i-\varphi_i\|",
    "sum over heads of the gradient's change times the way to φ̃",
)
c_way = size("c_way", r"|\tilde c_i-c_i|", "way of an output weight to φ̃")
U_way = size("U_way", r"\|\tilde U_i-U_i\|", "way of a read-out vector to φ̃")
W_way = size("W_way", r"\|\tilde W_i-W_i\|_F", "way of an attention matrix to φ̃")
c_start = real("c_start", "c_i^{(0)}", "output weight of a head at the start")
c_move = real("c_move", r"\delta c_i", "change of an output weight")
h_now = real("h_now", r"h(\theta_i)", "output of a head")
h_start = real("h_start", r"h(\theta_i^{(0)})", "output of a head at the start")
c_nabla = real("c_nabla", r"\delta\nabla_{c_i}f", "change of the derivative of f by c")
theta_nabla = vector("theta_nabla", r"\delta\nabla_{\theta_i}f", "change of the gradient by θ")
h_nabla = vector("h_nabla", r"\nabla h(\theta_i)", "gradient of a head")
h_nabla_0 = vector("h_nabla_0", r"\nabla h(\theta_i^{(0)})", "gradient of a head at the start")


def _length(*parts: Any) -> Any:
    return sqrt(sum(one**2 for one in parts))


reach = LETTERS.function(
    "reach",
    r"\|\bar\nu+\rho\|_2",
    "length of the sum of bounds and radii",
    shown=0,
    closed_form=lambda a, b, c, x, y, z: _length(a + x, b + y, c + z),
)


def _squared_gradient(m: Any, s0: Any, s1: Any, c: Any, u: Any, w: Any, B: Any, y: Any) -> Any:
    residual = of.output_bound(s0, s1, c, u, w, B).unfolded() + y
    return 4 * residual**2 * of.gradient_bound(m, s0, s1, c, B).unfolded() ** 2


squared_gradient_bound = LETTERS.function(
    "squared_gradient_bound",
    r"B_{\mathrm{grad},m}(\delta')",
    "the bound (39)",
    shown=0,
    closed_form=_squared_gradient,
)

# The constants of Theorem 1, as functions of the letters of the paper
B_LIN = of.linearisation_bound(of.m, of.sigma_1, of.sigma_2, *of.RHO, of.B)
B_COF = of.feature_bound(of.m, of.sigma_1, of.sigma_2, *of.NU, *of.RHO, of.B)
F_MAX = of.output_bound(of.sigma_0, of.sigma_1, *of.RHO, of.B)
A_MAX = of.gradient_bound(of.m, of.sigma_0, of.sigma_1, of.rho_c, of.B)
B_GRAD = squared_gradient_bound(of.m, of.sigma_0, of.sigma_1, *of.RHO, of.B, of.y_max)
RESIDUAL, ERROR = F_MAX + of.y_max, of.B_app + B_LIN + B_COF

# The same at the bound (9)
_SIZES = (of.m, of.d, of.delta_prime, of.rho_u)
#: The bound (9).
RADIUS = of.norm_bound(*_SIZES)
#: What the constants at (9) are, with the bound (9) as their last argument.
AT_9: dict[NamedFunction, NamedFunction] = {}


def _at_9(name: str, latex: str, of_radius: type[NamedFunction], *others: Symbol) -> NamedFunction:
    """Declare a constant with the bound (9) for B, at its letters."""

    def closed_form(*values: Any) -> Any:
        radius = of.norm_bound(*values[len(others) :])  # by its name, so that one reads it
        return of_radius(*values[: len(others)], radius).unfolded()

    meaning = f"{of_radius.meaning}, with the bound (9) for B"
    made = LETTERS.function(name, latex, meaning, shown=0, closed_form=closed_form)
    found: NamedFunction = made(*others, *_SIZES)
    AT_9[found] = of_radius(*others, RADIUS)
    return found


LIPSCHITZ_9 = _at_9("lipschitz_9", r"L_{1,m}(\delta')", of.lipschitz_constant, of.sigma_1)
SMOOTHNESS_9 = _at_9("smoothness_9", r"L_{2,m}(\delta')", of.smoothness_constant, of.sigma_1, of.sigma_2)
LINEARISATION_9 = _at_9(
    "linearisation_9",
    r"B_{\mathrm{lin},m}(\delta')",
    of.linearisation_bound,
    *(of.m, of.sigma_1, of.sigma_2, *of.RHO),
)
FEATURES_9 = _at_9(
    "feature_9",
    r"\varepsilon_{\mathrm{CoF}}",
    of.feature_bound,
    *(of.m, of.sigma_1, of.sigma_2, *of.NU, *of.RHO),
)


# What the inequality sign of Theorem 1 hides
def outputs_over_lipschitz(s0: Any, s1: Any, a: Any, b: Any, c: Any, x: Any, y: Any, z: Any) -> Any:
    """A bound of (f^max + y^max)/L_1, of sigma_0, sigma_1, the bounds and the radii."""
    return _length(y, z) + c + (s0 * (x + a) + s1 * b) / s1


def gradient_over_lipschitz(s0: Any, s1: Any, x: Any) -> Any:
    """A bound of A/L_1, of sigma_0, sigma_1 and rho_c."""
    return s0 / s1 + 1 + x


def _hidden(s0: Any, s1: Any, a: Any, b: Any, c: Any, x: Any, y: Any, z: Any) -> Any:
    outputs = outputs_over_lipschitz(s0, s1, a, b, c, x, y, z)
    squares = (outputs * gradient_over_lipschitz(s0, s1, x)) ** 2
    return (a**2 + b**2 + c**2) / (4 * s1**4) + squares + outputs


_BY = r"_{\bar\sigma,\bar\nu,\rho}"
hidden = LETTERS.function("hidden", "C" + _BY, "constant that Theorem 1 hides", shown=0, closed_form=_hidden)
hidden_features = LETTERS.function(
    "hidden_features",
    "C'" + _BY,
    "constant that the bound of the change of features hides",
    shown=0,
    closed_form=lambda a, b, c, x, y, z: (_length(y, z) + x) * (_length(a, b, c) + _length(x, y, z)),
)
