"""Letters of Sections 3.1 to 3.3: sizes, inputs, layers, the network and its tangent kernels."""

from typing import Any

from sympy import Expr

from theorems.engine.rules import inner
from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.domain import half_line, integers, open_interval
from theorems.engine.statements.letters import Kind, printed
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, REAL, matrix, nonnegative, real, vector

# Sizes and scalings.
l = LETTERS.number("l", "l", "number of layers of the network, its depth", integers(2))  # noqa: E741
m = LETTERS.number("m", "m", "unit in which the widths of the hidden layers are counted", INDEX)
m_0 = LETTERS.number("m_0", "m_0", "dimension of the inputs", INDEX)
m_1 = LETTERS.number("m_1", "m_1", "width of the first layer", INDEX)
m_k = LETTERS.number("m_k", "m_k", "width of layer k", INDEX)
m_l = LETTERS.number("m_l", "m_l", "dimension of the outputs", INDEX)
M = LETTERS.number("M", "M", "width of the one layer that is drawn at random", INDEX)
gamma = LETTERS.number("gamma", r"\gamma", "width of a layer in units of m", half_line(1))
q = LETTERS.number("q", "q", "scaling coefficient that all layers share", REAL)
q_k = LETTERS.number("q_k", "q_k", "scaling coefficient of layer k", REAL)
q_l = LETTERS.number("q_l", "q_l", "scaling coefficient of the last layer", REAL)
n = LETTERS.number("n", "n", "number of inputs in the data set", INDEX)
p = LETTERS.number(
    "p", "p", "exponent that trades the size of a bound for its probability", open_interval(0, 1)
)
dimension = LETTERS.number("dimension", "d", "dimension that grows in an example", INDEX)

# Indices.
i = LETTERS.number("i", "i", "index of an input", INDEX)
j = LETTERS.number("j", "j", "index of a layer, or of a unit in it", INDEX)
output_1 = LETTERS.number("output_1", "j_1", "index of an output", INDEX)
output_2 = LETTERS.number("output_2", "j_2", "index of another output", INDEX)
k = LETTERS.number("k", "k", "index of a layer", INDEX)
k1 = LETTERS.number("k1", "k_1", "index of the layer to which one propagates back", INDEX)
k2 = LETTERS.number("k2", "k_2", "index of the layer from which one propagates back", INDEX)

# Inputs, layers and the network.
x1 = vector("x1", "x_1", "first of two inputs")
x2 = vector("x2", "x_2", "second of two inputs")
parameter = LETTERS.thing("parameter", r"\theta", "all layer matrices together", Kind.OBJECT)
A_k = matrix("A_k", "A_k", "random matrix of layer k")
A_l = matrix("A_l", "A_l", "random matrix of the last layer")
G_k = matrix("G_k", "G_k", "matrix of independent standard normals")
Q_k = matrix("Q_k", "Q_k", "matrix whose columns span the activations of layer k")
v = LETTERS.thing("v", "v", "row of a layer matrix, scaled to variance σ²", Kind.VECTOR)
N = LETTERS.thing("N", "N", "network, a function of the input and the parameter", Kind.FUNCTION)
N_k = LETTERS.thing("N_k", "N_k", "preactivations of layer k", Kind.FUNCTION)
x_k = LETTERS.thing("x_k", "x_k", "activations that enter layer k", Kind.FUNCTION)
jacobian = matrix("jacobian", r"\partial_\theta N", "Jacobian of the network in the parameter")
number_in = LETTERS.number("number_in", "x", "input of a network of width 1", REAL)
number_out = LETTERS.number("number_out", "A_2", "last layer of a network of width 1", REAL)
norm_k = nonnegative("norm_k", r"\|x_k(x_i)\|", "length of the activations that enter layer k")

# Tangent kernels.
K_theta = LETTERS.thing(
    "K_theta", r"K_\theta", "neural tangent kernel at the parameter, of two inputs", Kind.FUNCTION
)
K_limit = matrix("K_limit", r"\tilde K(x_1, x_2)", "limiting tangent kernel of two inputs")
K_matrix = matrix("K_matrix", r"K(\theta)", "tangent kernel of all pairs of inputs over their number")
K_limit_matrix = matrix(
    "K_limit_matrix", r"\tilde K", "limiting tangent kernel of all pairs of inputs over their number"
)
J_theta = matrix("J_theta", r"J(\theta)", "Jacobians of all inputs over the root of their number")
_gradient = vectors("gradient")
printed(_gradient, r"\nabla N({0})_{{{1}}}")


def _kernel_entry(first: Any, second: Any, row: Any, column: Any) -> Expr:
    """The inner product of the gradients of two outputs in the parameter."""
    return inner(_gradient(first, row), _gradient(second, column))


kernel_entry = LETTERS.function(
    "kernel_entry", "K_\\theta", "entry of the tangent kernel of two inputs", closed_form=_kernel_entry
)
printed(kernel_entry, r"K_\theta({0}, {1})_{{{2}, {3}}}")
kernel_entry.is_opaque = True  # a number for the solver and no more
mu = LETTERS.thing("mu", r"\mu", "law that gives every input the same mass", Kind.LAW)
mean_ntk = real(
    "mean_ntk",
    r"\mathbb{E}_{A_l}K_\theta(x_1, x_2)",
    "factor of the identity in the mean of the tangent kernel over the last layer",
)
ntk_error = nonnegative(
    "ntk_error", r"\|K(\theta) - \tilde K\|", "distance of the tangent kernel matrix from its limit"
)
least_eigenvalue = real(
    "least_eigenvalue", r"\lambda_{\min}(\tilde K)", "least eigenvalue of the limiting tangent kernel matrix"
)

# As sentences about all layers have them: the number of a layer stands below.
scalings = LETTERS.number("scalings", "q", "scaling coefficient of a layer, by its number", REAL)
widths = LETTERS.number("widths", r"\gamma", "width of a layer in units of m, by its number", half_line(1))
layer_matrices = matrix("layer_matrices", "A", "random matrix of a layer, by its number")
layer_inputs = LETTERS.thing(
    "layer_inputs", "x", "activations that enter a layer, by its number", Kind.FUNCTION
)
preactivations = LETTERS.thing(
    "preactivations", "N", "preactivations of a layer, by its number", Kind.FUNCTION
)
K_limiting = LETTERS.thing("K_limiting", r"\tilde K", "limiting tangent kernel, of two inputs", Kind.FUNCTION)
