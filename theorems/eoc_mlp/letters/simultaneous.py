"""Letters of Propositions 24 to 28: what holds in all layers and for all inputs at once."""

from sympy import harmonic

from theorems.engine.statements.domain import half_line
from theorems.engine.statements.letters import printed
from theorems.eoc_mlp.letters.table import (
    CORRELATION,
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    UNIT,
    nonnegative,
    probability,
    real,
)

# Radii: how far one layer may be off.
epsilon = LETTERS.number(
    "epsilon", r"\epsilon", "bound of k − 1 times the relative error of layer k", NONNEGATIVE
)
epsilon_1 = LETTERS.number(
    "epsilon_1", r"\epsilon_1", "bound of k − 1 times the relative error of lengths in layer k", NONNEGATIVE
)
epsilon_prime = LETTERS.number(
    "epsilon_prime", r"\epsilon'", "bound of the relative error of layer k", NONNEGATIVE
)
nu = LETTERS.number(
    "nu", r"\nu", "bound of k − 1 times the error of the logarithm of w in layer k", NONNEGATIVE
)
beta_radius = LETTERS.number(
    "beta_radius",
    r"\beta",
    "bound of k_2 − 1 times the relative growth of an operator norm in layer k_2",
    NONNEGATIVE,
)
L = LETTERS.number("L", "L", "exponent that pays for all layers and inputs as well as for s", NONNEGATIVE)
S = nonnegative("S", "S", "sum of the inverses of k_1 − 1 to k_2 − 1")
S_below = nonnegative("S_below", r"S_{k_1,k_2-1}", "sum of the inverses of k_1 − 1 to k_2 − 2")
harmonic_sum = nonnegative("harmonic_sum", r"\sum_{j=k_1}^{k_2}\frac1j", "sum of the inverses of k_1 to k_2")
harmonic_below = nonnegative("harmonic_below", "H_{k-1}", "sum of the inverses of 1 to k − 1")
largest_tail = probability(
    "largest_tail",
    r"\mathbb{P}\Bigl(\max_{k \in [2:l],\,i}(k-1)"
    r"\Bigl|\tfrac{\|x_k(x_i)\|}{\|x_{k-1}(x_i)\|} - 1\Bigr| \ge t\Bigr)",
    "probability that in some layer, for some input, the ratio of lengths is that far from 1",
)
norm_ratio = nonnegative(
    "norm_ratio", r"\frac{\|x_k(x_i)\|}{\|x_i\|}", "length of an activation over that of its input"
)

# Cosines: from one layer to the next, and from the first to the last.
Q = LETTERS.number(
    "Q", "Q", "largest factor by which a layer shrinks a squared cosine distance", half_line(1)
)
tau = LETTERS.number("tau", r"\tau", "deviation of a difference of squared ratios of lengths", NONNEGATIVE)
difference_tail = probability(
    "difference_tail",
    r"\mathbb{P}_{k-1}\bigl(|f_1^2 - f_2^2| \ge 4\kappa_\phi^2\sqrt{z_{k-1}}\,\tau\bigr)",
    "probability that the squared ratios of lengths of two inputs differ by that much",
)
y_difference = LETTERS.quantity(
    "y_difference", "y", "difference of the two ratios of lengths over twice the proxy D", UNIT
)
W_start = LETTERS.quantity(
    "W_start",
    "W",
    "larger of the inverse cosine distance of the inputs and that after one layer less Δ",
    half_line(1),
)

# Backpropagation matrices and their inner products.
operator_norm = nonnegative("operator_norm", r"\|B_{k_1,k_2}\|", "operator norm of a backpropagation matrix")
squared_frobenius = nonnegative(
    "squared_frobenius", r"\|B_{k_1,k_2}\|_F^2", "squared Frobenius norm of a backpropagation matrix"
)
F = LETTERS.number("F", "F", "bound of the Frobenius norms of all backpropagation matrices", half_line(1))
growth = LETTERS.number(
    "growth", "g", "factor by which operator norms may grow over all layers", half_line(1)
)
v_least = LETTERS.number(
    "v_least",
    "v",
    "lower bound of the inverse cosine distances and of their limits",
    half_line(1, closed=False),
)
E_below = nonnegative(
    "E_below", "E_{k-1}", "bound of the error of the inverse cosine distance in layer k − 1"
)
D_sum = nonnegative(
    "D_sum", r"\sum_{k=k_1}^{k_2} D_k", "sum of the errors of the slopes of layers k_1 to k_2"
)
sum_squared_logs = nonnegative(
    "sum_squared_logs",
    r"\sum_{k=k_1}^{k_2-1} \frac1k\log^2\frac{k}{k_1-1}",
    "sum of the squared logarithms of the layers, each over the layer",
)

edge_y = LETTERS.number(
    "edge_y", "y", "argument by which the edge of the singular values is minimised", POSITIVE
)

rho_before = LETTERS.quantity(
    "rho_before", r"\rho_{k_2-1}", "cosine of the activations of layer k_2 − 1", CORRELATION
)
rho_tilde_before = LETTERS.quantity(
    "rho_tilde_before",
    r"\tilde\rho_{k_2-1}",
    "cosine in layer k_2 − 1 in the limit, an iterate of ϱ",
    CORRELATION,
)
w_tilde_below = LETTERS.quantity(
    "w_tilde_below",
    r"\tilde w_{k-1}",
    "inverse cosine distance in layer k − 1 in the limit",
    half_line(1, closed=False),
)

sum_printed_logs = nonnegative(
    "sum_printed_logs",
    r"\sum_{k=k_1}^{k_2-1} \frac1k\log^2\frac{k-1}{k_1-1}",
    "sum of the squared logarithms of the layers below, each over the layer",
)

# Theorem 28.
log_norm = LETTERS.number(
    "log_norm", "a", "bound of the logarithms of the lengths of an activation", NONNEGATIVE
)
log_product = LETTERS.number(
    "log_product", "b", "bound of the logarithm of an inner product of matrices", NONNEGATIVE
)
N_bound = LETTERS.number("N_bound", "N", "bound of the products of the lengths of two activations", POSITIVE)
tau_bar = nonnegative("tau_bar", r"\bar\tau", "largest length of an input")
lengths_product = nonnegative(
    "lengths_product",
    r"\|x_k(x_1)\|\|x_k(x_2)\|",
    "product of the lengths of the activations of two inputs in layer k",
)
Pi_next = LETTERS.quantity(
    "Pi_next",
    r"\Pi_{k+1,l}",
    "product of the slopes of the cosine map at the limiting cosines of layers k to l − 1",
    CORRELATION,
)
component = real(
    "component",
    r"X_kX'_{k+1,l}",
    "product of the two inner products that make one summand of the mean kernel",
)
deviation_bound = nonnegative(
    "deviation_bound",
    r"\mathcal{B}",
    "explicit bound of the distance of the tangent kernel matrix from its limit",
)

H = LETTERS.function(
    "H",
    "H",
    "harmonic number, the sum of the inverses of the first so many positive integers",
    closed_form=harmonic,
    well_known=True,
)
printed(H, "H_{{{0}}}")
