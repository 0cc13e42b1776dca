"""Letters of Appendix C: power means, and pseudo-Lipschitz functions."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    law,
    random,
    size,
    some_function,
    thing,
)
from theorems.engine.statements.domain import half_line, integers

x = LETTERS.number("x", "x", "first factor of a product", REAL)
y = LETTERS.number("y", "y", "second factor of a product", REAL)
x_other = LETTERS.number("x_other", "x'", "first factor of another product", REAL)
y_other = LETTERS.number("y_other", "y'", "second factor of another product", REAL)
norm_xy = size("norm_xy", r"\|(x,y)\|", "Euclidean norm of the two factors")
norm_xy_other = size("norm_xy_other", r"\|(x',y')\|", "Euclidean norm of the other two factors")
distance_xy = size("distance_xy", r"\|(x,y)-(x',y')\|", "Euclidean distance of two pairs of factors")
growth = LETTERS.number(
    "growth",
    r"\gamma",
    "exponent of the norms in the definition of pseudo-Lipschitz functions: the order less one",
    POSITIVE,
)
growth_any = LETTERS.quantity(
    "growth_any",
    r"\gamma",
    "an exponent with which a given function is pseudo-Lipschitz: an order of it less one",
    POSITIVE,
)
C_any = size("C_any", "C", "a constant with which a given function is pseudo-Lipschitz")
m_power = LETTERS.number("m_power", "m", "exponent of a power mean", half_line(1))
k_terms = LETTERS.number("k_terms", "k", "number of terms of a sum", integers(1))
index = LETTERS.number("index", "i", "index of a term, from 0 on", integers(0))
term = LETTERS.function("term", "a", "a number, by its index", shown=1)
largest_term = size("largest_term", r"\max_i|a_i|", "largest size of a term")
common = LETTERS.number("common", "a", "common value of all terms", NONNEGATIVE)
outer_growth = LETTERS.number(
    "outer_growth", "d_0", "exponent of the norms in the bound of the outer function", POSITIVE
)
inner_growth = LETTERS.number(
    "inner_growth", "d", "exponent of the norms in the bound of the inner functions", POSITIVE
)
C_outer = size("C_outer", "C_f", "constant with which the outer function is pseudo-Lipschitz")
C_inner = size("C_inner", "C_g", "constant with which the inner functions are pseudo-Lipschitz")
at_zero = size("at_zero", r"\|g(0)\|", "norm of the values of the inner functions at 0")
norm_x = size("norm_x", r"\|x\|", "Euclidean norm of an argument")
norm_x_other = size("norm_x_other", r"\|x'\|", "Euclidean norm of another argument")
distance_x = size("distance_x", r"\|x-x'\|", "Euclidean distance of two arguments")
h_change = size("h_change", "|h(x)-h(x')|", "distance of two values of a composition")
f_change = size("f_change", "|f(x)-f(x')|", "distance of two values of a function")
L_lipschitz = size("L_lipschitz", "L", "Lipschitz constant of a function")
epsilon = LETTERS.number("epsilon", r"\varepsilon", "how far two values may be apart", POSITIVE)

# Lemma C.1 at all exponents, and convergence of random variables

power_any = thing("power_any", "m", "exponent, at least one and perhaps infinite")
term_i = LETTERS.number("term_i", "a_i", "one of the numbers that are added up", REAL)
X_vector = law("X_vector", "X_n", "random vector of a sequence")
X_vector_limit = law("X_vector_limit", "X", "random vector that the sequence may converge to")
f_test = some_function("f_test", "f", "real function on the space of the vectors")
B_set = thing("B_set", "B", "Borel set in the space of the vectors")
X_number = random("X_number", "X_n", "random variable of a sequence")
X_number_limit = random("X_number_limit", "X", "random variable to which the sequence tends")
order = LETTERS.quantity("order", r"\delta", "order of a moment", half_line(1, closed=False))
