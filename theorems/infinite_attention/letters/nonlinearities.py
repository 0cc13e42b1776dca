"""Letters of the assumptions at the beginning of Appendix B: nonlinearities, and their slopes."""

from sympy import Interval, oo

from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, REAL, UNIT

_BELOW_ZERO = Interval(-oo, 0)

leak = LETTERS.number("leak", r"\lambda", "slope of the leaky ReLU on the left of 0", UNIT)
left_argument = LETTERS.number("left_argument", "z", "argument on the left of 0, or 0", _BELOW_ZERO)
left_other = LETTERS.number("left_other", "z'", "another such argument", _BELOW_ZERO)
any_score = LETTERS.number("any_score", "G_{ai}", "a score", REAL)
other_weights = LETTERS.number(
    "other_weights",
    r"\textstyle\sum_{j \ne i} e^{G_{aj}}",
    "sum of the exponentials of the token's other scores",
    NONNEGATIVE,
)
envelope_constant = LETTERS.number(
    "envelope_constant", "c", "constant of a linear envelope", NONNEGATIVE
)
envelope_slope = LETTERS.number("envelope_slope", "m", "slope of a linear envelope", NONNEGATIVE)
nonlinearity_value = LETTERS.quantity(
    "nonlinearity_value", r"\phi(G_{ai})", "value of the nonlinearity at the score", REAL
)
