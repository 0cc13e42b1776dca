r"""The letters of the paper on shallow transformers, in its order.

Where one sign of the paper means several things, each meaning has a letter of its own, which
prints as the paper's.  The constants of the theorem are there twice: as quantities (`B_lin`), for
what is bounded by them, and as functions of sizes and bounds (`linearisation_bound`), for what
says which they are.
"""

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Symbol

from symbolic import notation
from theorems.engine.claims.claim import claims_in
from theorems.engine.rules import Random, Vector
from theorems.engine.statements.domain import half_line, integers, interval, open_interval, reals
from theorems.engine.statements.letters import Kind, Letters, NamedFunction
from theorems.shallow_transformer.letters import constants

LETTERS = Letters()
claim = claims_in(LETTERS)
number, quantity, thing = LETTERS.number, LETTERS.quantity, LETTERS.thing
VECTOR, MATRIX, FUNCTION, OBJECT = Kind.VECTOR, Kind.MATRIX, Kind.FUNCTION, Kind.OBJECT
LAW = Kind.LAW

SIZE, CHANCE, UNIT = integers(1), open_interval(0, 1), interval(0, 1)
POSITIVE, NONNEGATIVE, REAL = half_line(0, closed=False), half_line(0), reals()


def real(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a quantity of any sign."""
    return quantity(name, latex, meaning, REAL)


def size(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a quantity that is at least 0."""
    return quantity(name, latex, meaning, NONNEGATIVE)


def chance(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a quantity from 0 to 1, such as a probability."""
    return quantity(name, latex, meaning, UNIT)


def random(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a random variable."""
    return thing(Random(name), latex, meaning, LAW)


def vector(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a vector, of which proofs take norms and inner products."""
    return thing(Vector(name), latex, meaning, VECTOR)


def _bound(symbol: str | Symbol, latex: str, meaning: str) -> Symbol:
    """Declare a quantity that is positive."""
    return quantity(symbol, latex, meaning, POSITIVE)


def _constant(name: str, latex: str, meaning: str, closed_form: Callable[..., Any]) -> type[NamedFunction]:
    """Declare a printed constant as a function of the letters of its formula."""
    return LETTERS.function(name, latex, meaning, shown=0, closed_form=closed_form)


# Sizes and indices
m = number("m", "m", "number of heads, the width", SIZE)
d = number("d", "d", "dimension of the tokens", SIZE)
T = number("T", "T", "number of tokens of an input", SIZE)
n = number("n", "n", "number of samples", SIZE)
tau = number("tau", r"\tau", "number of steps of descent", SIZE)
i = number("i", "i", "number of a head", SIZE)
j = number("j", "j", "number of a sample", SIZE)
s = number("s", "s", "number of a step, from zero on", integers(0))

# Section 3.1: data
X = thing("X", "X", "input, whose columns are tokens", MATRIX)
X_prime = thing("X_prime", "X'", "another input", MATRIX)
inputs = thing("inputs", r"\mathcal{X}", "set of inputs with tokens in the unit ball", OBJECT)
f_star = thing("f_star", "f^*", "function that generates the labels", FUNCTION)
label = number("label", "y", "label of a sample", REAL)
label_sup = size("label_sup", r"\max_j|y^{(j)}|", "largest absolute label")

# Section 3.2: one head, and the network
q = thing("q", "q_X", "query of an input, which is not trained", VECTOR)
sigma_s = thing("sigma_s", r"\sigma_s", "softmax", FUNCTION)
alpha = thing("alpha", r"\alpha", "softmax weights of the tokens, positive with sum one", VECTOR)
a = thing("a", "a", "pooled token, the mean of the tokens under the weights", VECTOR)
M = thing("M", "M", "covariance of the tokens under the weights", MATRIX)
sigma = thing("sigma", r"\sigma", "activation", FUNCTION)
sigma_0 = number("sigma_0", r"\sigma_0", "bound of the activation", POSITIVE)
sigma_1 = number("sigma_1", r"\sigma_1", "bound of the activation's slope", POSITIVE)
sigma_2 = number("sigma_2", r"\sigma_2", "bound of the activation's second derivative", POSITIVE)
c = number("c", "c_i", "output weight of a head", REAL)
U = thing("U", "U_i", "read-out vector of a head", VECTOR)
W = thing("W", "W_i", "attention matrix of a head", MATRIX)
theta = thing("theta_i", r"\theta_i", "inner parameters of a head, its U and W", VECTOR)
h = thing("h", "h", "output of a head, of input and inner parameters", FUNCTION)
phi = thing("phi", r"\varphi", "all parameters of the network", VECTOR)
psi = thing("psi", r"\psi", "other parameters of the network", VECTOR)
f = thing("f", "f", "network, of input and parameters", FUNCTION)
a_size = size("a_size", r"\|a\|", "length of the pooled token")
c_size = size("c_size", "|c_i|", "size of an output weight")
q_size = size("q_size", r"\|q_X\|", "length of the query")
u = number("u", "u", "length of a read-out vector", NONNEGATIVE)
x = number("x", "x", "length of a pooled token, over which a maximum is taken", UNIT)

# Remark 1: queries and keys
k = number("k", "k", "number of rows of the key and query matrices", SIZE)
beta = number("beta", r"\beta", "scaling of softmax", REAL)
W_K = thing("W_K", "W_K", "key matrix, k by d (m by d in the paper)", MATRIX)
W_Q = thing("W_Q", "W_Q", "query matrix, k by d (m by d in the paper)", MATRIX)
W_V = thing("W_V", "W_V", "value matrix", MATRIX)

# Section 4: the informal theorem
D = quantity("D", "D", "dimension plus the logarithm of m/δ'", half_line(1))
accuracy = number("varepsilon", r"\varepsilon", "small number, an accuracy say", CHANCE)

# Fact 1: the Jacobian of softmax
z = thing("z", "z", "logits", VECTOR)
p = thing("p", "p", "softmax of the logits", VECTOR)
J = thing("J", "J_s(z)", "Jacobian of softmax", MATRIX)
u_vec = thing("u_vec", "u", "one value for each token", VECTOR)
w_vec = thing("w_vec", "w", "third value for each token", VECTOR)
P = number("P", "P(A)", "weight of a set of tokens", UNIT)
eigenvalue = number("lambda", r"\lambda", "argument of a characteristic polynomial", REAL)
p_max = chance("p_max", r"p_{\max}", "largest weight")
p_squares = chance("p_squares", r"\sum_tp_t^2", "sum of the squared weights")
p_cubes = chance("p_cubes", r"\sum_tp_t^3", "sum of the cubed weights")
p_spread = chance("p_spread", r"\max_tp_t(1-p_t)", "largest variance of one token")
J_norm = size("J_norm", r"\|J_s(z)\|_{\infty\to1}", "norm of J, from largest entry to sum")
J_spectral = size("J_spectral", r"\|J_s(z)\|", "operator norm of J")
J_frobenius = size("J_frobenius", r"\|J_s(z)\|_F", "Frobenius norm of J")
J_trace = size("J_trace", r"\operatorname{tr}J_s(z)", "trace of J")
u_sup = size("u_sup", r"\|u\|_\infty", "largest entry of the first values")
v_sup = size("v_sup", r"\|v\|_\infty", "largest entry of the second values")
w_sup = size("w_sup", r"\|w\|_\infty", "largest entry of the third values")
cumulant = size("cumulant", r"|w^\top D^2\sigma_s(z)[u,v]|", "third cumulant of three values")
logit_step = size("logit_step", r"\|z-z'\|_\infty", "largest difference of two logit vectors")
weight_step = size(
    "weight_step",
    r"\|\sigma_s(z)-\sigma_s(z')\|_1",
    "distance of the softmax weights of two tuples of logits",
)

# Facts 2 and 3: the pooled token and the covariance
mean_length = size("mean_length", r"\sum_t\alpha_t\|X_t\|", "mean length of the tokens")
mean_square = size("mean_square", r"\sum_t\alpha_t\|X_t\|^2", "mean squared length of the tokens")
M_norm = size("M_norm", r"\|M\|", "operator norm of the covariance")
M_frobenius = size("M_frobenius", r"\|M\|_F", "Frobenius norm of the covariance")
M_trace = size("M_trace", r"\operatorname{tr}M", "trace of the covariance")
diameter = size("diameter", r"\max_{s,t}\|X_s-X_t\|", "diameter of the tokens")
circumradius = size("circumradius", r"\min_x\max_t\|X_t-x\|", "circumradius of the tokens")

# Lemma 1: gradients
c_gradient = size("c_gradient", r"|\partial f/\partial c_i|", "derivative of f by c of a head")
U_gradient = size("U_gradient", r"\|\nabla_{U_i}f\|", "gradient of f by U of a head")
W_gradient = size("W_gradient", r"\|\nabla_{W_i}f\|_F", "gradient of f by W of a head")

# Section 5.2: the initialisation (Fact 4, Definitions 1 and 2)
G = thing("G", "G", "standard normal vector of dimension d", VECTOR)
phi_0 = thing("phi_0", r"\varphi^{(0)}", "initial parameters", VECTOR)
delta = number("delta", r"\delta", "probability given away in Lemma 5", CHANCE)
delta_prime = number("delta_prime", r"\delta'", "probability given away in Definition 1", CHANCE)
excess = number("excess", "t", "deviation of a random variable", NONNEGATIVE)
r = number("r", "r", "radius of a ball", NONNEGATIVE)
U_max = size("U_max", r"\max_i\|U_i^{(0)}\|_2", "largest initial length of a read-out vector")
E_U = thing("E_U", r"\mathcal{E}_{U,m}(\delta')", "event of Definition 1", OBJECT)
rho_c = number("rho_c", r"\rho_c", "radius of the feasible set for c", NONNEGATIVE)
rho_u = number("rho_u", r"\rho_u", "radius of the feasible set for U", NONNEGATIVE)
rho_w = number("rho_w", r"\rho_w", "radius of the feasible set for W", NONNEGATIVE)
farthest_out = real(
    "farthest_out", r"\max_{i,b}\bigl(\sqrt m\,\|b_i - b_i^{(0)}\| - \rho_b\bigr)",
    "how far outside of the feasible set the farthest of the blocks c, U, W of all heads is",
)  # fmt: skip
Omega = thing("Omega", r"\Omega_\rho", "feasible set, around the initial parameters", OBJECT)
Pi = thing("Pi", r"\Pi_{\Omega_\rho}", "projection onto the feasible set", FUNCTION)
B = _bound("B", "B", "bound of the lengths of read-out vectors in the feasible set")
mean_norm = LETTERS.function(
    "mean_norm", r"(\mathbb{E}\|G\|_2)", "mean length of a standard normal vector", shown=0,
    closed_form=lambda d: sympy.sqrt(2) * sympy.gamma((d + 1) / 2) / sympy.gamma(d / 2),
    justified_by="st.fact4.mean",
)  # fmt: skip
norm_bound = _constant("norm_bound", r"B_{U,m}(\delta')", "the bound (9)", constants.radius)

# Lemma 2: one head
Delta = thing("Delta", r"\Delta", "direction in which W changes", MATRIX)
Delta_size = size("Delta_size", r"\|\Delta\|_F", "size of the direction of W")
weights_change = size("weights_change", r"\|D\alpha[\Delta]\|_1", "derivative of the weights")
M_change = size("M_change", r"\|DM[\Delta]\|_F", "derivative of the covariance")
z_gradient = size("z_gradient", r"\|\nabla_\theta z\|", "gradient of the preactivation")
z_hessian = size("z_hessian", r"\|\nabla_\theta^2z\|", "Hessian of the preactivation")
z_coupling = size("z_coupling", r"\|\nabla_{U,W}^2z\|", "block of the Hessian of z by U and W")
z_corner = size("z_corner", r"\|\nabla_W^2z\|", "block of the Hessian of z by W alone")
h_gradient = size("h_gradient", r"\|\nabla_\theta h\|", "gradient of a head's output")
h_hessian = size("h_hessian", r"\|\nabla_\theta^2h\|", "Hessian of a head's output")
theta_step = size("theta_step", r"\|\theta_i-\theta_i'\|", "distance of inner parameters")
h_step = size("h_step", r"|h(\theta_i)-h(\theta_i')|", "difference of a head's outputs")
slope_step = size("slope_step", r"\|\nabla h(\theta_i)-\nabla h(\theta_i')\|", "distance of gradients of h")
L_1 = _bound("L_1", r"L_{1,m}(\delta')", "Lipschitz constant of heads")
L_2 = _bound("L_2", r"L_{2,m}(\delta')", "smoothness constant of heads")
lipschitz_constant = _constant(
    "lipschitz_constant", r"L_{1,m}(\delta')", "Lipschitz constant of Lemma 2", constants.lipschitz
)
smoothness_constant = _constant(
    "smoothness_constant", r"L_{2,m}(\delta')", "smoothness constant of Lemma 2", constants.smoothness
)


def _largest_hessian(u: Any) -> Any:
    R = sympy.sqrt(1 + u**2 + u**4)
    total = 1 + 2 * u**2 + R
    return 2 * (1 + u**2) / total * sympy.sqrt(1 + 2 * u**2 * (u**2 + R) / total)


def _largest_deviation(A: Any, B: Any) -> Any:
    """The value at x = 2B/(A + R); A and B must not both vanish."""
    R = sympy.sqrt(A**2 + 12 * B**2)
    return sympy.Rational(2, 9) * (R + 2 * A) ** 2 / (R + A)


def _largest_displacement(a: Any, b: Any) -> Any:
    """The value at the vertex, or at x = 1; b must not vanish."""
    vertex = sympy.Min(1, a / (2 * b))
    return a * vertex + (1 - vertex**2) * b


curvature = LETTERS.function(
    "curvature", "g", "largest Hessian of a head, by the length of its read-out vector",
    closed_form=_largest_hessian, justified_by="st.eq18.sharp",
)  # fmt: skip
deviation = LETTERS.function(
    "deviation", "K", "maximum of (1 - x²)(A + 2Bx) over x in [0, 1], for two numbers A and B",
    closed_form=_largest_deviation, justified_by="st.lem2.deviations",
)  # fmt: skip
displacement = LETTERS.function(
    "displacement", r"\ell", "maximum of ax + (1 - x²)b over x in [0, 1], for two numbers a and b",
    closed_form=_largest_displacement, justified_by="st.lem6.f.sharp",
)  # fmt: skip

# Definition 3 and Lemma 3: the linear model
f_lin = thing("f_lin", r"f_{\mathrm{lin}}", "network linearised at its start", FUNCTION)
eps_lin = size("eps_lin", r"\varepsilon_{\mathrm{lin}}", "largest linearisation error")
B_lin = _bound("B_lin", r"B_{\mathrm{lin},m}(\delta')", "bound of the linearisation error")
theta_radius = LETTERS.function(
    "theta_radius", r"\sqrt{\rho_u^2+\rho_w^2}", "radius for inner parameters",
    shown=0, closed_form=lambda u, w: sympy.sqrt(u**2 + w**2),
)  # fmt: skip
linearisation_bound = _constant(
    "linearisation_bound", r"B_{\mathrm{lin},m}(\delta')", "the bound of Lemma 3", constants.linearisation
)

# Section 5.3: the tangent kernel
kernel = thing("kernel", "K", "tangent kernel of infinite width", FUNCTION)
kappa = thing("kappa", r"\kappa", "one head's term in the kernel of finite width", OBJECT)
kernel_size = size("kernel_size", "|K(X, X')|", "size of the kernel")
kernel_error = size("kernel_error", r"\mathbb{E}(K_m-K)^2", "mean squared error of the kernel")
kappa_variance = size("kappa_variance", r"\operatorname{Var}\kappa", "variance of one head's term")
angle = number(notation.t, r"\theta", "angle of two pooled tokens", interval(0, sympy.pi))

# Section 5.4: the function space and the transported parameters
feature_w = thing("feature_w", r"\phi_w", "feature for W", FUNCTION)
features = thing("features", r"\phi", "the three features together", FUNCTION)
v = thing("v", "v", "transportation map, of a head's initial parameters", FUNCTION)
v_prime = thing("v_prime", "v'", "another transportation map", FUNCTION)
f_tilde = thing("f_tilde", r"\tilde f", "function represented by a map", FUNCTION)
nu_c = number("nu_c", r"\bar\nu_c", "bound of the c-part of the map", POSITIVE)
nu_u = number("nu_u", r"\bar\nu_u", "bound of the U-part of the map", POSITIVE)
nu_w = number("nu_w", r"\bar\nu_w", "bound of the W-part of the map", POSITIVE)
F_space = thing("F_space", r"\mathcal{F}", "functions represented by maps in L2", OBJECT)
F_nu = thing("F_nu", r"\mathcal{F}_{\bar\nu}", "functions represented by bounded maps", OBJECT)
span = thing("span", "P", "projection in L2 onto the closed span of all features", FUNCTION)
F_norm = size("F_norm", r"\|\tilde f\|_{\mathcal{F}}", "least norm of a map for a function")
phi_tilde = thing("phi_tilde", r"\tilde\varphi", "transported parameters", VECTOR)
g = thing("g", "g_i", "inner product of features and map at a head", FUNCTION)


def _length(c: Any, u: Any, w: Any) -> Any:
    return sympy.sqrt(c**2 + u**2 + w**2)


nu_norm = LETTERS.function(
    "nu_norm", r"\|\bar\nu\|_2", "length of the bounds of a map", shown=0, closed_form=_length
)
rho_norm = LETTERS.function("rho_norm", r"\|\rho\|_2", "length of the radii", shown=0, closed_form=_length)

# Constants and bounds at their letters, and the bounds of the parts of g if |MU| is at most 1
NU, RHO = (nu_c, nu_u, nu_w), (rho_c, rho_u, rho_w)
NU_NORM, THETA_RADIUS = nu_norm(*NU), theta_radius(rho_u, rho_w)
#: The largest √m|Dz| along the way of a head in the feasible set.
DISPLACEMENT = displacement(rho_u, B * rho_w)
LIPSCHITZ = lipschitz_constant(sigma_1, B)
SMOOTHNESS = smoothness_constant(sigma_1, sigma_2, B)
SIZES = (sigma_0, sigma_1, *NU)
C_PART, U_PART, W_PART = sigma_0 * nu_c, sigma_1 * nu_u, sigma_1 * nu_w

# Lemma 5: the approximation error
multiplier = number("lambda_", r"\lambda", "multiplier in an exponential moment", REAL)
order = number("order", "k", "order of a moment or derivative", SIZE)
part_bound = number("part_bound", "B", "bound of a part of g", POSITIVE)
scale = number("scale", "s", "bound of the W-part of g over the length of MU", POSITIVE)
Y = thing("Y", "Y", "W-part of g, averaged over a pair of heads", OBJECT)
Z = thing("Z", "Z_i", "centred mean of g over a pair of heads", OBJECT)
S = _bound("S", "S", "sub-Gaussian norm of Z in the proof")
K = _bound("K", "K^*", "best sub-Gaussian proxy of the W-part")
moment = size("moment", r"\mathbb{E}|Y|^{2k}", "even moment of the W-part")
eps_app = size("eps_app", r"\varepsilon_{\mathrm{app}}", "largest error of f_lin at φ̃")
B_app = _bound("B_app", r"B_{\mathrm{app},m}(\delta)", "bound of the approximation error")
approximation_bound = _constant(
    "approximation_bound", r"B_{\mathrm{app},m}(\delta)", "the bound of Lemma 5", constants.approximation
)

# Lemma 6: envelopes
f_sup = size("f_sup", r"\sup_X|f(X;\varphi)|", "largest output")
f_max = _bound("f_max", r"f^{\max}", "bound of the outputs")
target_sup = size("target_sup", r"\sup_X|\tilde f(X;v)|", "largest target")
y_max = _bound("y_max", r"y^{\max}", "bound of the targets")
output_bound = _constant("output_bound", r"f^{\max}", "the first bound of Lemma 6", constants.output)
target_bound = _constant("target_bound", r"y^{\max}", "the second bound of Lemma 6", constants.target)

# Theorem 1: one step
_LOSS, _SUM, _MEAN = r"\widehat{\mathcal{L}}_n", r"\frac{1}{\tau}\sum_{s<\tau}", r"\mathbb{E}_s"
eta = number("eta", r"\eta", "step size", POSITIVE)
L_hat = thing("L_hat", _LOSS, "mean squared error at the samples", FUNCTION)
iterate = thing("iterate", r"\varphi^{(s)}", "parameters after s steps", VECTOR)
loss = size("loss", _LOSS + r"(\varphi^{(s)})", "loss after s steps")
V = size("V", r"\mathcal{V}(\varphi^{(s)})", "squared distance of the iterate and φ̃")
V_next = size("V_next", r"\mathcal{V}(\varphi^{(s+1)})", "squared distance one step later")
V_0 = size("V_0", r"\mathcal{V}(\varphi^{(0)})", "squared distance at the start")
_WAY = r",\tilde\varphi-\varphi\rangle"
loss_slope = real("loss_slope", r"\langle\nabla" + _LOSS + _WAY, "slope of the loss")
loss_gradient = size("loss_gradient", r"\|\nabla" + _LOSS + r"\|", "gradient of the loss")
eps_label = size("eps_label", r"\max_j|\varepsilon_j^{\mathrm{app}}|", "labels less f_lin at φ̃")
eps_step = size("eps_step", r"\max_j|\varepsilon_j^{\mathrm{lin}}|", "f_lin less f at an iterate")
eps_features = size("eps_features", r"|\varepsilon_j^{\mathrm{CoF}}|", "change-of-feature error")
eps_sum = size("eps_sum", r"\max_j|\varepsilon_j|", "largest sum of the three errors")
E = _bound("E", "E", "bound of the sum of the three errors")
B_CoF = _bound("B_CoF", r"B_{\mathrm{CoF},m}(\delta')", "bound of the change-of-feature error")
B_grad = _bound("B_grad", r"B_{\mathrm{grad},m}(\delta')", "bound of the squared gradient")
A = _bound("A", "A", "bound of the gradient of f")
f_gradient = size("f_gradient", r"\max_j\|\nabla f(X^{(j)};\varphi)\|", "largest gradient of f")
head_gradient = size("head_gradient", r"\|\nabla_{\varphi_i}f\|", "gradient of f by one head")
way = size("way", r"\|\tilde\varphi_i-\varphi_i^{(s)}\|", "way of a head to φ̃")
c_change = size("c_change", r"|\delta\nabla_{c_i}f|", "change of the derivative of f by c")
theta_change = size("theta_change", r"\|\delta\nabla_{\theta_i}f\|", "change of the gradient by θ")
head_change = size("head_change", r"\|\delta\nabla_{\varphi_i}f\|", "change of gradient by a head")
feature_bound = _constant(
    "feature_bound", r"B_{\mathrm{CoF},m}(\delta')", "the bound (35)", constants.feature_change
)
gradient_bound = _constant("gradient_bound", r"A_m(\delta')", "the bound (38)", constants.gradient)

# Theorem 1 and Proposition 1: the whole run
average = thing("average", r"\bar\varphi^{(\tau)}", "mean of the iterates", VECTOR)
loss_mean = size("loss_mean", _SUM + _LOSS + r"(\varphi^{(s)})", "mean loss")
loss_min = size("loss_min", r"\min_{s<\tau}" + _LOSS + r"(\varphi^{(s)})", "least loss")
loss_average = size("loss_average", _LOSS + r"(\bar\varphi^{(\tau)})", "loss at the mean iterate")
loss_start = size("loss_start", _LOSS + r"(\varphi^{(0)})", "loss at the start")
loss_lin = size("loss_lin", _LOSS + r"^{\mathrm{lin}}", "linear model's loss")
misfit = size("mu", r"\mu", "least distance of f* and F_nu at the samples")
J_s = thing("J_s", "J_s", "index of the sample drawn at step s", OBJECT)
ell = thing("ell", r"\ell_{J_s}", "squared error at the sample drawn", FUNCTION)
ell_slope = real("ell_slope", r"\langle\nabla\ell_{J_s}" + _WAY, "slope of ℓ to φ̃")
ell_gradient = size("ell_gradient", r"\|\nabla\ell_{J_s}\|", "gradient of ℓ")
ell_square = size("ell_square", _MEAN + r"\|\nabla\ell_{J_s}\|^2", "mean squared gradient of ℓ")
V_mean = size("V_mean", _MEAN + r"\mathcal{V}(\varphi^{(s+1)})", "mean of V over the index drawn")

# Section 6 and Appendix B: teacher, autoregressive task, IndRNN
anchors = number("anchors", "R", "number of the teacher's anchors", SIZE)
pool = number("mtilde", r"\tilde m", "number of heads in the pool for labels", SIZE)
spread = size("spread", r"\operatorname{Var}\langle\phi(X),v\rangle", "variance of g at a head")
lag = number("L", "L", "lag of the autoregressive process", SIZE)
persistence = number("persistence", r"\alpha", "autoregressive coefficient", open_interval(-1, 1))
noise = number("noise", r"\sigma_\varepsilon^2", "variance of the noise", POSITIVE)
w = number("w", "w_i", "recurrent weight of a unit", REAL)
gamma = number("gamma", r"\gamma", "initial size of recurrent weights", POSITIVE)
growth = number("growth", "x", "σ_1 times the largest recurrent weight", POSITIVE)
jacobian_sup = size("mu_T", r"\mu_T", "largest Jacobian of the IndRNN over inputs and parameters")
w_jacobian = size("w_jacobian", r"|\partial h_T/\partial w_i|", "derivative of the last state")
