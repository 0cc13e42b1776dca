"""Letters of Proposition D.1 for any inputs: one dot product, given all that comes before it."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    matrix,
    random,
    real,
    size,
    thing,
    vector,
)
from theorems.engine import integers
from theorems.engine.rules import Operator
from theorems.engine.statements.letters import Kind

earlier = random("earlier", "S", "combination of dot products of vectors that come earlier")
newest = random("newest", "P", "dot product of a new vector with a combination of earlier ones")
past_mean = random("past_mean", "m", "mean of this dot product given all that comes earlier")
past_variance = random("past_variance", "V", "variance of this dot product given all that comes earlier")
limit_mean = random(
    "limit_mean", r"\mathring m", "combination of earlier dot products with the limits of the coefficients"
)
past_variance_limit = size("past_variance_limit", r"\mathring V", "limit of this variance")
coefficient = real("coefficient", "t", "coefficient of the newest dot product")

# The best approximation of a new input by earlier ones, at a width and in the limit

best_past = vector("best_past", "c", "coefficients of the best approximation of a new input by earlier ones")
best_limit = vector("best_limit", r"\mathring c", "coefficients of the best approximation in the limit")
products = vector("products", "b", "mean products of the new input with the earlier ones")
products_limit = vector("products_limit", r"\mathring b", "limits of these mean products")
gram_past = LETTERS.thing(
    Operator("gram_past"), "G", "Gram matrix of the earlier inputs, divided by the width", Kind.MATRIX
)
gram_limit = LETTERS.thing(
    Operator("gram_limit"), r"\mathring G", "limits of these mean products", Kind.MATRIX
)
least_eigenvalue = size("least_eigenvalue", r"\lambda", "least eigenvalue of the first matrix")
past_products = vector("past_products", "p", "dot products of images of the earlier inputs with one vector")

# All vectors of a program, the first ones first

vectors_made = LETTERS.number("vectors_made", "K", "number of vectors that are made", integers(0))
vector_number = LETTERS.number("vector_number", "k", "number of a vector, from 0 on", integers(0))
phase_mean = LETTERS.function(
    "phase_mean",
    r"\chi",
    "mean of the cosine of a combination of the dot products of so many vectors",
    shown=1,
)
noise = LETTERS.function(
    "noise", r"\mathring V", "limit of the variance that a vector adds, by its number", shown=1
)
step_error = LETTERS.function("step_error", r"\eta", "error of the step at a vector, by its number", shown=1)

# Limits of dot products and of initial vectors

scale_first = LETTERS.number(
    "scale_first", r"\sigma_{W^1}", "scale of the first matrix of a dot product", POSITIVE
)
scale_second = LETTERS.number(
    "scale_second", r"\sigma_{W^2}", "scale of the second matrix of a dot product", POSITIVE
)
limit_square_first, limit_square_second = (
    LETTERS.number(
        f"limit_square_{name}",
        rf"\mathbb{{E}}(Z^{{x^{number}}})^2",
        f"mean square of the limit of the {name} input of a dot product",
        NONNEGATIVE,
    )
    for number, name in ((1, "first"), (2, "second"))
)
initial_limit = random("initial_limit", "Z^h", "limit of an initial vector")
image_limit = random("image_limit", "Z^g", "limit of an image under a matrix")

# The law of one dot product given all that comes before its last vector

A_matrix = matrix("A_matrix", "A", "Gaussian matrix of the program")
sigma_fresh = LETTERS.number(
    "sigma_fresh", r"\sigma_A", "scale of the weights of the Gaussian matrix", NONNEGATIVE
)
x_new = vector("x_new", "x", "input of the matrix whose image is new")
x_past = vector("x_past", "x_k", "input number k of the matrix, whose image comes before")
c_past = real("c_past", "c_k", "coefficient of input number k")
h_past = vector("h_past", "h", "vector that comes before the new image")
known_past = thing("known_past", r"\mathcal{F}", "all that comes before the new image")
