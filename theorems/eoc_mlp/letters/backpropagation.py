"""Letters of Definition 5 and Propositions 10, 15, 16, 18 and 19: backpropagation matrices."""

from sympy import FiniteSet, Symbol

from theorems.engine.rules import Random, Vector
from theorems.engine.statements.letters import Kind
from theorems.eoc_mlp.letters.table import CORRELATION, LETTERS, NONNEGATIVE, REAL, UNIT

# Two matrices that follow each other: B ends below a layer of width M, B' ends above it.
B = LETTERS.thing(
    "B", "B", "backpropagation matrix from layer k_2 − 1 to layer k_1 of one input", Kind.MATRIX
)
B_next = LETTERS.thing(
    "B_next", "B'", "backpropagation matrix from layer k_2 to layer k_1 of one input", Kind.MATRIX
)
norm_b = LETTERS.quantity("norm_b", r"\|B\|", "operator norm of B", NONNEGATIVE)
frob_b = LETTERS.quantity("frob_b", r"\|B\|_F", "Frobenius norm of B", NONNEGATIVE)
norm_drawn = LETTERS.thing(
    Random("norm_drawn"),
    r"\|B'\|",
    "operator norm of B', random through the layer matrices below it",
    Kind.OBJECT,
)
norm_b_drawn = LETTERS.thing(
    Random("norm_b_drawn"),
    r"\|B\|",
    "operator norm of B, random through the layer matrices below it",
    Kind.OBJECT,
)
frob_b_drawn = LETTERS.thing(
    Random("frob_b_drawn"),
    r"\|B\|_F",
    "Frobenius norm of B, random through the layer matrices below it",
    Kind.OBJECT,
)
norm_kk = LETTERS.quantity(
    "norm_kk",
    r"\|B_{k,k}\|",
    "operator norm of the backpropagation matrix of one layer",
    NONNEGATIVE,
)
width_b = LETTERS.quantity(
    "width_b", "w(B)", "Gaussian width of the image of the unit sphere under B", NONNEGATIVE
)
squared_width = LETTERS.quantity(
    "squared_width",
    r"\mathbb{E}\|B^*g\|^2",
    "mean squared length of the image of a Gaussian vector under the adjoint of B",
    NONNEGATIVE,
)
level = LETTERS.number("level", "x", "level that a norm exceeds", NONNEGATIVE)
chi_tail = LETTERS.quantity(
    "chi_tail",
    r"\mathbb{P}(\chi_M \ge x)",
    "probability that the length of a standard normal vector of dimension M is at least x",
    UNIT,
)

# One layer given the signs of its preactivations.
signs = LETTERS.thing("signs", r"\varepsilon", "signs of the preactivations", Kind.VECTOR)
moduli = LETTERS.thing("moduli", "|h|", "moduli of the standardised preactivations", Kind.VECTOR)
slopes = LETTERS.thing("slopes", "s", "slopes at the preactivations, times σ", Kind.VECTOR)
G_across = LETTERS.thing(
    "G_across",
    r"G_\perp",
    "part of the standard normal layer matrix across the activations that enter it",
    Kind.MATRIX,
)
mean_sign = LETTERS.quantity(
    "mean_sign", r"\bar\varepsilon", "mean of the signs of the preactivations", CORRELATION
)
mean_norm_next = LETTERS.quantity(
    "mean_norm_next",
    r"\mathbb{E}\bigl[\sqrt M\|B'\| \bigm| \varepsilon\bigr]",
    "mean norm of B' given the signs, times the root of the width",
    NONNEGATIVE,
)

xhat = LETTERS.thing(
    Vector("xhat"), r"\hat x", "direction of the activations that enter the layer", Kind.VECTOR
)
row_form = LETTERS.thing(
    Random("row_form"),
    r"\langle\phi'(z_j)v_j, y\rangle",
    "inner product of a row of the random layer, times its slope, with a vector",
    Kind.OBJECT,
)
sign_j = LETTERS.number(
    Symbol("sign_j", real=True), r"\varepsilon_j", "sign of one preactivation", FiniteSet(-1, 1)
)

# Two inputs, and the inner products of their matrices.
B1 = LETTERS.thing("B1", "B_1", "backpropagation matrix below the layer, first input", Kind.MATRIX)
B2 = LETTERS.thing("B2", "B_2", "backpropagation matrix below the layer, second input", Kind.MATRIX)
norm_b1 = LETTERS.quantity("norm_b1", r"\|B_1\|", "operator norm of B_1", NONNEGATIVE)
norm_b2 = LETTERS.quantity("norm_b2", r"\|B_2\|", "operator norm of B_2", NONNEGATIVE)
frob_b1 = LETTERS.quantity("frob_b1", r"\|B_1\|_F", "Frobenius norm of B_1", NONNEGATIVE)
frob_b2 = LETTERS.quantity("frob_b2", r"\|B_2\|_F", "Frobenius norm of B_2", NONNEGATIVE)
X_prime = LETTERS.quantity(
    "X_prime",
    r"X'_{k_1,k_2}",
    "Frobenius inner product of the backpropagation matrices of two inputs",
    REAL,
)
X_prime_below = LETTERS.quantity(
    "X_prime_below",
    r"X'_{k_1,k_2-1}",
    "the same inner product one layer below",
    REAL,
)
X_prime_next = LETTERS.quantity(
    "X_prime_next",
    r"X'_{k+1,l}",
    "inner product of the backpropagation matrices from the last layer to layer k + 1",
    REAL,
)
X_mean = LETTERS.quantity(
    "X_mean",
    r"\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}",
    "mean of the inner product over the layer matrix below it",
    REAL,
)
X_mean_single = LETTERS.quantity(
    "X_mean_single",
    r"\mathbb{E}_{A_{k-1}}X'_{k,k}",
    "mean product of the slopes of one layer, averaged over the layer matrix",
    REAL,
)
X_mean_same = LETTERS.quantity(
    "X_mean_same",
    r"\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}(x, x)",
    "mean squared Frobenius norm of the backpropagation matrix of one input over the layer matrix"
    " below it",
    NONNEGATIVE,
)
X_prime_same = LETTERS.quantity(
    "X_prime_same",
    r"X'_{k_1,k_2-1}(x, x)",
    "squared Frobenius norm of the backpropagation matrix of one input, one layer below",
    NONNEGATIVE,
)
W = LETTERS.quantity(
    "W", "W", "one summand of the inner product of the matrices of two inputs", REAL
)
tail_slopes = LETTERS.quantity(
    "tail_slopes",
    r"\mathbb{P}\bigl(|X'_{k,k} - \varrho'(\rho)| \ge t\bigr)",
    "probability that the mean product of slopes is off its mean by at least t",
    UNIT,
)
tail_slopes_scaled = LETTERS.quantity(
    "tail_slopes_scaled",
    r"\mathbb{P}_{1:l-1}\bigl(\gamma_{k-1}^{1/2}|X'_{k,k} - \varrho'(\rho)| \ge t\bigr)",
    "probability that the mean product of slopes is off its mean by at least t over the root of"
    " the width in units of m",
    UNIT,
)
tail_products = LETTERS.quantity(
    "tail_products",
    r"\mathbb{P}\Bigl(\frac{|X'_{k_1,k_2} - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}|}"
    r"{\|B_1\|_F\|B_2\|_F} \ge t\Bigr)",
    "probability that the inner product is off its mean by at least t, relatively",
    UNIT,
)

# Proposition 19: one row of the layer matrix, propagated back at both inputs.
back_1 = LETTERS.thing(
    Vector("back_1"), "B_1^*v", "row of the layer matrix, propagated back by B_1", Kind.VECTOR
)
back_2 = LETTERS.thing(
    Vector("back_2"), "B_2^*v", "row of the layer matrix, propagated back by B_2", Kind.VECTOR
)
summand = LETTERS.thing(
    Random("summand"), "W", "summand of the inner product of the matrices of two inputs", Kind.LAW
)
summand_mean = LETTERS.thing(
    Random("summand_mean"),
    r"X'_{k_1,k_2}",
    "inner product of the matrices of two inputs, the mean of the summands over the rows",
    Kind.LAW,
)
tail_products_scaled = LETTERS.quantity(
    "tail_products_scaled",
    r"\mathbb{P}_{1:l-1}\Bigl(\frac{\gamma_{k_2-1}^{1/2}|X'_{k_1,k_2}"
    r" - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}|}{\|B_1\|_F\|B_2\|_F} \ge t\Bigr)",
    "probability that the inner product is off its mean by at least t over the root of the width"
    " in units of m, relatively",
    UNIT,
)
