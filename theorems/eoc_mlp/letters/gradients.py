"""Letters of Proposition 17 and its proof: the error of gradient independence."""

from theorems.engine.letters import Kind
from theorems.eoc_mlp.letters.table import LETTERS, NONNEGATIVE, REAL

__all__ = [
    "Sigma_u",
    "Sigma_uv",
    "Sigma_v",
    "cross",
    "distance_xhat",
    "e_minus",
    "e_plus",
    "epsilon_gradient",
    "form_minus",
    "form_plus",
    "g_11",
    "g_12",
    "g_21",
    "g_22",
    "gram",
    "integral_w1",
    "integral_w1w2",
    "integral_w2",
    "mean_product",
    "mean_v",
    "norm_gram",
    "tau1",
    "tau2",
    "trace_explained",
    "trace_v",
    "variance_u",
    "w_1",
    "w_2",
    "xhat1",
    "xhat2",
]

# Directions and lengths of the activations that enter the layer.
xhat1 = LETTERS.thing("xhat1", r"\hat x_1", "direction of the first activations", Kind.VECTOR)
xhat2 = LETTERS.thing("xhat2", r"\hat x_2", "direction of the second activations", Kind.VECTOR)
tau1 = LETTERS.quantity("tau1", r"\tau_1", "length of the first activations", NONNEGATIVE)
tau2 = LETTERS.quantity("tau2", r"\tau_2", "length of the second activations", NONNEGATIVE)
distance_xhat = LETTERS.quantity(
    "distance_xhat", r"\|\hat x_1 - \hat x_2\|", "distance of the two directions", NONNEGATIVE
)
e_plus = LETTERS.thing(
    "e_plus", "e_+", "unit vector along the sum of the two directions", Kind.VECTOR
)
e_minus = LETTERS.thing(
    "e_minus", "e_-", "unit vector along the difference of the two directions", Kind.VECTOR
)

# Covariances (5) to (7), and what conditioning makes of them.
Sigma_u = LETTERS.thing("Sigma_u", r"\Sigma_u", "covariance of the preactivations", Kind.MATRIX)
Sigma_v = LETTERS.thing(
    "Sigma_v", r"\Sigma_v", "covariance of the back-propagated rows", Kind.MATRIX
)
Sigma_uv = LETTERS.thing(
    "Sigma_uv",
    r"\Sigma_{uv}",
    "covariance of the back-propagated rows with the preactivations",
    Kind.MATRIX,
)
mean_v = LETTERS.thing(
    "mean_v", r"\mu_{v|u}", "mean of the back-propagated rows given the preactivations", Kind.VECTOR
)
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
w_1 = LETTERS.quantity(
    "w_1", "w_1", "part of the first preactivation that the second does not tell, scaled", REAL
)
w_2 = LETTERS.quantity(
    "w_2", "w_2", "part of the second preactivation that the first does not tell, scaled", REAL
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
    r"\mathbb{E}\phi'(u_1)\phi'(u_2)(w_1^2 - 1)",
    "first integral of the proof, at the first preactivation",
    REAL,
)
integral_w2 = LETTERS.quantity(
    "integral_w2",
    r"\mathbb{E}\phi'(u_1)\phi'(u_2)(w_2^2 - 1)",
    "first integral of the proof, at the second preactivation",
    REAL,
)
integral_w1w2 = LETTERS.quantity(
    "integral_w1w2",
    r"\mathbb{E}\phi'(u_1)\phi'(u_2)(w_1w_2 + \rho)",
    "second integral of the proof",
    REAL,
)

# The matrix M = B_1 B_2^*, its entries in the two directions, and the error itself.
gram = LETTERS.thing(
    "gram", "M", "product of the first matrix and the adjoint of the second", Kind.MATRIX
)
norm_gram = LETTERS.quantity(
    "norm_gram", r"\|B_1B_2^*\|", "operator norm of the product of both matrices", NONNEGATIVE
)
g_11 = LETTERS.quantity("g_11", "g_{11}", "form of the matrix M at both first directions", REAL)
g_12 = LETTERS.quantity("g_12", "g_{12}", "form of M at the first and the second direction", REAL)
g_21 = LETTERS.quantity("g_21", "g_{21}", "form of M at the second and the first direction", REAL)
g_22 = LETTERS.quantity("g_22", "g_{22}", "form of the matrix M at both second directions", REAL)
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
