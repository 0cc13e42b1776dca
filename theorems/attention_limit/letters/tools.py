"""Letters of Appendix C: power means, and pseudo-Lipschitz functions."""

from theorems.attention_limit.letters.table import LETTERS, POSITIVE, REAL, size

x = LETTERS.number("x", "x", "first factor of a product", REAL)
y = LETTERS.number("y", "y", "second factor of a product", REAL)
x_other = LETTERS.number("x_other", "x'", "first factor of another product", REAL)
y_other = LETTERS.number("y_other", "y'", "second factor of another product", REAL)
norm_xy = size("norm_xy", r"\|(x,y)\|", "Euclidean norm of the two factors")
norm_xy_other = size("norm_xy_other", r"\|(x',y')\|", "Euclidean norm of the other two factors")
distance_xy = size(
    "distance_xy", r"\|(x,y)-(x',y')\|", "Euclidean distance of two pairs of factors"
)
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
