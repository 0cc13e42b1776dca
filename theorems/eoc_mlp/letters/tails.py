"""Letters of tail bounds: deviations, exponents, constants, and the Orlicz norms of Section 2."""

from theorems.engine.domain import integers
from theorems.engine.letters import Kind
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, NONNEGATIVE, POSITIVE, REAL, UNIT

__all__ = [
    "C",
    "X",
    "c",
    "count",
    "exponent",
    "lam",
    "multiple",
    "order",
    "psi_bound",
    "psi_norm",
    "psi_order",
    "s",
    "tail_x",
    "threshold",
    "varsigma",
]

threshold = LETTERS.number(
    "threshold", "t", "deviation whose probability a tail bound is about", NONNEGATIVE
)
s = LETTERS.number(
    "s", "s", "exponent: a bound fails with a probability of order exp(-s)", NONNEGATIVE
)
multiple = LETTERS.number(
    "multiple", "s", "number of standard deviations by which a mean is exceeded", NONNEGATIVE
)
exponent = LETTERS.number("exponent", "x", "exponent of one of several tails", NONNEGATIVE)
count = LETTERS.number("count", "N", "number of tails in a union bound", INDEX)
lam = LETTERS.number("lam", r"\lambda", "argument of a moment generating function", REAL)
order = LETTERS.number("order", "q", "order of a moment", integers(2))
C = LETTERS.number("C", "C", "constant factor of a bound", NONNEGATIVE)
c = LETTERS.number("c", "c", "another constant factor of a bound", NONNEGATIVE)

# Sub-gaussian and sub-exponential random variables.
X = LETTERS.thing("X", "X", "random variable", Kind.OBJECT)
psi_order = LETTERS.number(
    "psi_order",
    r"\alpha",
    "order of an Orlicz norm: 2 sub-gaussian, 1 sub-exponential",
    integers(1, 2),
)
psi_norm = LETTERS.quantity(
    "psi_norm", r"\|X\|_{\psi_\alpha}", "Orlicz norm of the random variable X", NONNEGATIVE
)
psi_bound = LETTERS.number(
    "psi_bound", "K", "upper bound of the Orlicz norm of a random variable", POSITIVE
)
tail_x = LETTERS.quantity(
    "tail_x", r"\mathbb{P}(|X| \ge t)", "probability that the modulus of X is at least t", UNIT
)
varsigma = LETTERS.number(
    "varsigma", r"\varsigma", "standard deviation of a centred Gaussian", POSITIVE
)
