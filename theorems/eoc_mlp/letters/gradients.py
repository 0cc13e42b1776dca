"""Letters of Proposition 17 and its proof: the error of gradient independence."""

from typing import Any

from theorems.engine.rules import Operator, Random, Vector
from theorems.engine.statements.letters import Kind
from theorems.eoc_mlp.letters.table import LETTERS, NONNEGATIVE, REAL

# Directions and lengths of the activations that enter the layer.
xhat1 = LETTERS.thing(
    Vector("xhat1"), r"\hat x_1", "direction of the first activations", Kind.VECTOR
)
xhat2 = LETTERS.thing(
    Vector("xhat2"), r"\hat x_2", "direction of the second activations", Kind.VECTOR
)
tau1 = LETTERS.quantity("tau1", r"\tau_1", "length of the first activations", NONNEGATIVE)
tau2 = LETTERS.quantity("tau2", r"\tau_2", "length of the second activations", NONNEGATIVE)
distance_xhat = LETTERS.quantity(
    "distance_xhat", r"\|\hat x_1 - \hat x_2\|", "distance of the two directions", NONNEGATIVE
)
e_plus = LETTERS.thing(
    Vector("e_plus"), "e_+", "unit vector along the sum of the two directions", Kind.VECTOR
)
e_minus = LETTERS.thing(
    Vector("e_minus"), "e_-", "unit vector along the difference of the two directions", Kind.VECTOR
)

# Covariances (5) to (7), said of inner products with any two vectors, so for every dimension.
x_i = LETTERS.thing(Vector("x_i"), "x_i", "activations of input i", Kind.VECTOR)
x_j = LETTERS.thing(Vector("x_j"), "x_j", "activations of input j", Kind.VECTOR)
y_any = LETTERS.thing(Vector("y_any"), "y", "any vector", Kind.VECTOR)
z_any = LETTERS.thing(Vector("z_any"), "z", "any other vector", Kind.VECTOR)
B_i = LETTERS.thing(
    Operator("B_i"), "B_i", "backpropagation matrix below the layer, input i", Kind.MATRIX
)
B_j = LETTERS.thing(
    Operator("B_j"), "B_j", "backpropagation matrix below the layer, input j", Kind.MATRIX
)
B_i_star = LETTERS.thing(Operator("B_i_star"), "B_i^*", "adjoint of B_i", Kind.MATRIX)
u_i = LETTERS.thing(Random("u_i"), "u_i", "preactivation of input i", Kind.OBJECT)
u_j = LETTERS.thing(Random("u_j"), "u_j", "preactivation of input j", Kind.OBJECT)
v_y = LETTERS.thing(
    Random("v_y"),
    r"\langle v_i, y\rangle",
    "inner product of the back-propagated row of input i with a vector",
    Kind.OBJECT,
)
v_z = LETTERS.thing(
    Random("v_z"),
    r"\langle v_j, z\rangle",
    "inner product of the back-propagated row of input j with a vector",
    Kind.OBJECT,
)

covariance_uu = LETTERS.quantity(
    "covariance_uu", r"(\Sigma_u)_{ij}", "covariance of the preactivations of two inputs", REAL
)
covariance_vv = LETTERS.quantity(
    "covariance_vv",
    r"\langle y, (\Sigma_v)_{ij}z\rangle",
    "covariance of the back-propagated rows of two inputs, along two vectors",
    REAL,
)
covariance_uv = LETTERS.quantity(
    "covariance_uv",
    r"\langle y, (\Sigma_{uv})_{ij}\rangle",
    "covariance of the row of input i, along a vector, with the preactivation of input j",
    REAL,
)

# One input (Proposition 16).
u_value = LETTERS.number("u_value", "u", "value of the preactivation", REAL)
variance_u = LETTERS.quantity(
    "variance_u", r"\Sigma_u", "variance of the preactivation of one input", NONNEGATIVE
)
trace_v = LETTERS.quantity(
    "trace_v",
    r"\operatorname{tr}(\Sigma_v)",
    "trace of the covariance of the back-propagated row",
    NONNEGATIVE,
)
cross = LETTERS.quantity(
    "cross", r"\|\Sigma_{uv}\|", "length of the covariance of row and preactivation", NONNEGATIVE
)
conditional_square = LETTERS.function(
    "conditional_square",
    r"\mathbb{E}\bigl[\|v\|^2 \bigm| \cdot\bigr]",
    "mean squared length of the back-propagated row given the preactivation",
)


def _print_conditional_square(node: Any, printer: Any) -> str:
    return rf"\mathbb{{E}}\bigl[\|v\|^2 \bigm| {printer.doprint(node.args[0])}\bigr]"


conditional_square._latex = _print_conditional_square  # type: ignore[method-assign, assignment]
conditional_square.is_opaque = True  # a number for the solver and no more

# Two inputs: what conditioning makes of the covariances.
precision_11, precision_12, precision_22 = (
    LETTERS.quantity(
        f"precision_{row}{column}",
        rf"(\Sigma_u^{{-1}})_{{{row}{column}}}",
        f"entry in row {row} and column {column} of the inverse covariance of the preactivations",
        REAL,
    )
    for row, column in ((1, 1), (1, 2), (2, 2))
)
w_1 = LETTERS.quantity(
    "w_1", "w_1", "part of the first preactivation that the second does not tell, scaled", REAL
)
w_2 = LETTERS.quantity(
    "w_2", "w_2", "part of the second preactivation that the first does not tell, scaled", REAL
)
mu_i = LETTERS.thing(
    Vector("mu_i"),
    r"\mu_{v|u,i}",
    "mean of the back-propagated row of input i given the preactivations",
    Kind.VECTOR,
)
regression_1 = LETTERS.thing(
    Vector("regression_1"),
    r"(\Sigma_{uv}\Sigma_u^{-1})_{i1}",
    "regression of the back-propagated row of input i on the first preactivation",
    Kind.VECTOR,
)
regression_2 = LETTERS.thing(
    Vector("regression_2"),
    r"(\Sigma_{uv}\Sigma_u^{-1})_{i2}",
    "regression of the back-propagated row of input i on the second preactivation",
    Kind.VECTOR,
)
mean_product = LETTERS.quantity(
    "mean_product",
    r"\langle\mu_{v|u,1}, \mu_{v|u,2}\rangle",
    "inner product of the conditional means of the two inputs",
    REAL,
)
trace_explained = LETTERS.quantity(
    "trace_explained",
    r"\operatorname{tr}(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*)_{1,2}",
    "trace of the covariance that the preactivations explain",
    REAL,
)
integral_w1 = LETTERS.quantity(
    "integral_w1",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_1^2 - 1)\bigr]",
    "first integral of the proof, at the first preactivation",
    REAL,
)
integral_w2 = LETTERS.quantity(
    "integral_w2",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_2^2 - 1)\bigr]",
    "first integral of the proof, at the second preactivation",
    REAL,
)
integral_w1w2 = LETTERS.quantity(
    "integral_w1w2",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_1w_2 + \rho)\bigr]",
    "second integral of the proof",
    REAL,
)

# The matrix M = B_1 B_2^*, its forms at the two directions, and the error itself.
gram = LETTERS.thing(
    Operator("gram"), "M", "product of the first matrix and the adjoint of the second", Kind.MATRIX
)
norm_gram = LETTERS.quantity(
    "norm_gram", r"\|B_1B_2^*\|", "operator norm of the product of both matrices", NONNEGATIVE
)
g_11, g_12, g_21, g_22 = (
    LETTERS.quantity(
        f"g_{first}{second}",
        rf"\langle B_1^*\hat x_{first}, B_2^*\hat x_{second}\rangle",
        f"form of the matrix M at the directions {first} and {second}",
        REAL,
    )
    for first, second in ((1, 1), (1, 2), (2, 1), (2, 2))
)
regrouped = LETTERS.quantity(
    "regrouped",
    r"\langle B_1^*(\hat x_1 - \hat x_2), B_2^*(\hat x_2 - \hat x_1)\rangle",
    "form of the matrix M at the difference of the directions, with the opposite sign",
    REAL,
)
form_plus = LETTERS.quantity(
    "form_plus", r"\langle e_+, Me_+\rangle", "form of M along the sum of the directions", REAL
)
form_minus = LETTERS.quantity(
    "form_minus",
    r"\langle e_-, Me_-\rangle",
    "form of M along the difference of the directions",
    REAL,
)
epsilon_gradient = LETTERS.quantity(
    "epsilon_gradient",
    r"\epsilon",
    "error of gradient independence: mean of the inner product less slope times the one below",
    REAL,
)
