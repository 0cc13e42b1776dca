"""Letters of Appendix C: power means, and pseudo-Lipschitz functions."""

from theorems.attention_limit.letters.table import LETTERS, REAL

x = LETTERS.number("x", "x", "first factor of a product", REAL)
y = LETTERS.number("y", "y", "second factor of a product", REAL)
x_other = LETTERS.number("x_other", "x'", "first factor of another product", REAL)
y_other = LETTERS.number("y_other", "y'", "second factor of another product", REAL)
