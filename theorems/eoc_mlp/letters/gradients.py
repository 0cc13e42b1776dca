"""Letters of Proposition 17 and its proof: the error of gradient independence."""

from theorems.engine.statements.letters import printed
from theorems.eoc_mlp.letters.table import LETTERS, REAL, nonnegative, operator, random, real, vector

# Directions and lengths of the activations that enter the layer.
xhat1 = vector("xhat1", r"\hat x_1", "direction of the first activations")
xhat2 = vector("xhat2", r"\hat x_2", "direction of the second activations")
tau1 = nonnegative("tau1", r"\tau_1", "length of the first activations")
tau2 = nonnegative("tau2", r"\tau_2", "length of the second activations")
distance_xhat = nonnegative("distance_xhat", r"\|\hat x_1 - \hat x_2\|", "distance of the two directions")
e_plus = vector("e_plus", "e_+", "unit vector along the sum of the two directions")
e_minus = vector("e_minus", "e_-", "unit vector along the difference of the two directions")

# Covariances (5) to (7), said of inner products with any two vectors, so for every dimension.
x_i = vector("x_i", "x_i", "activations of input i")
x_j = vector("x_j", "x_j", "activations of input j")
y_any = vector("y_any", "y", "any vector")
z_any = vector("z_any", "z", "any other vector")
B_i = operator("B_i", "B_i", "backpropagation matrix below the layer, input i")
B_j = operator("B_j", "B_j", "backpropagation matrix below the layer, input j")
B_i_star = operator("B_i_star", "B_i^*", "adjoint of B_i")
u_i = random("u_i", "u_i", "preactivation of input i")
u_j = random("u_j", "u_j", "preactivation of input j")
v_y = random(
    "v_y", r"\langle v_i, y\rangle", "inner product of the back-propagated row of input i with a vector"
)
v_z = random(
    "v_z", r"\langle v_j, z\rangle", "inner product of the back-propagated row of input j with a vector"
)

covariance_uu = real("covariance_uu", r"(\Sigma_u)_{ij}", "covariance of the preactivations of two inputs")
covariance_vv = real(
    "covariance_vv",
    r"\langle y, (\Sigma_v)_{ij}z\rangle",
    "covariance of the back-propagated rows of two inputs, along two vectors",
)
covariance_uv = real(
    "covariance_uv",
    r"\langle y, (\Sigma_{uv})_{ij}\rangle",
    "covariance of the row of input i, along a vector, with the preactivation of input j",
)

# One input (Proposition 16).
u_value = LETTERS.number("u_value", "u", "value of the preactivation", REAL)
variance_u = nonnegative("variance_u", r"\Sigma_u", "variance of the preactivation of one input")
trace_v = nonnegative(
    "trace_v", r"\operatorname{tr}(\Sigma_v)", "trace of the covariance of the back-propagated row"
)
cross = nonnegative("cross", r"\|\Sigma_{uv}\|", "length of the covariance of row and preactivation")
conditional_square = LETTERS.function(
    "conditional_square",
    r"\mathbb{E}\bigl[\|v\|^2 \bigm| \cdot\bigr]",
    "mean squared length of the back-propagated row given the preactivation",
)
printed(conditional_square, r"\mathbb{{E}}\bigl[\|v\|^2 \bigm| {0}\bigr]")
conditional_square.is_opaque = True  # a number for the solver and no more

# Two inputs: what conditioning makes of the covariances.
precision_11, precision_12, precision_22 = (
    real(
        f"precision_{row}{column}",
        rf"(\Sigma_u^{{-1}})_{{{row}{column}}}",
        f"entry in row {row} and column {column} of the inverse covariance of the preactivations",
    )
    for row, column in ((1, 1), (1, 2), (2, 2))
)
w_1 = real("w_1", "w_1", "part of the first preactivation that the second does not tell, scaled")
w_2 = real("w_2", "w_2", "part of the second preactivation that the first does not tell, scaled")
mu_i = vector("mu_i", r"\mu_{v|u,i}", "mean of the back-propagated row of input i given the preactivations")
regression_1 = vector(
    "regression_1",
    r"(\Sigma_{uv}\Sigma_u^{-1})_{i1}",
    "regression of the back-propagated row of input i on the first preactivation",
)
regression_2 = vector(
    "regression_2",
    r"(\Sigma_{uv}\Sigma_u^{-1})_{i2}",
    "regression of the back-propagated row of input i on the second preactivation",
)
mean_product = real(
    "mean_product",
    r"\langle\mu_{v|u,1}, \mu_{v|u,2}\rangle",
    "inner product of the conditional means of the two inputs",
)
trace_explained = real(
    "trace_explained",
    r"\operatorname{tr}(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*)_{1,2}",
    "trace of the covariance that the preactivations explain",
)
integral_w1 = real(
    "integral_w1",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_1^2 - 1)\bigr]",
    "first integral of the proof, at the first preactivation",
)
integral_w2 = real(
    "integral_w2",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_2^2 - 1)\bigr]",
    "first integral of the proof, at the second preactivation",
)
integral_w1w2 = real(
    "integral_w1w2",
    r"\mathbb{E}\bigl[\phi'(u_1)\phi'(u_2)(w_1w_2 + \rho)\bigr]",
    "second integral of the proof",
)

# The matrix M = B_1 B_2^*, its forms at the two directions, and the error itself.
product = operator("product", "M", "product of the first matrix and the adjoint of the second")
norm_product = nonnegative("norm_product", r"\|B_1B_2^*\|", "operator norm of the product of both matrices")
g_11, g_12, g_21, g_22 = (
    real(
        f"g_{first}{second}",
        rf"\langle B_1^*\hat x_{first}, B_2^*\hat x_{second}\rangle",
        f"form of the matrix M at the directions {first} and {second}",
    )
    for first, second in ((1, 1), (1, 2), (2, 1), (2, 2))
)
regrouped = real(
    "regrouped",
    r"\langle B_1^*(\hat x_1 - \hat x_2), B_2^*(\hat x_2 - \hat x_1)\rangle",
    "form of the matrix M at the difference of the directions, with the opposite sign",
)
form_plus = real("form_plus", r"\langle e_+, Me_+\rangle", "form of M along the sum of the directions")
form_minus = real(
    "form_minus", r"\langle e_-, Me_-\rangle", "form of M along the difference of the directions"
)
epsilon_gradient = real(
    "epsilon_gradient",
    r"\epsilon",
    "error of gradient independence: mean of the inner product less slope times the one below",
)
