"""Letters of tail bounds: deviations, exponents, constants, and the Orlicz norms of Section 2."""

from theorems.engine.statements.domain import integers
from theorems.engine.statements.letters import Kind, printed
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, NONNEGATIVE, POSITIVE, REAL, random

threshold = LETTERS.number("threshold", "t", "deviation whose probability a tail bound is about", NONNEGATIVE)
s = LETTERS.number("s", "s", "exponent: a bound fails with a probability of order exp(-s)", NONNEGATIVE)
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
X = random("X", "X", "random variable")
normal = random("normal", "u", "standard normal variable", Kind.LAW)
psi_norm = LETTERS.function(
    "psi_norm",
    r"\|\cdot\|_\psi",
    "Orlicz norm of a random variable: the least K > 0 for which exp(|X|²/K²), for the order 2"
    " (sub-gaussian), or exp(|X|/K), for the order 1 (sub-exponential), has a mean of at most 2",
)
printed(psi_norm, r"\|{0}\|_{{\psi_{{{1}}}}}")
psi_norm.is_opaque = True  # a number for the solver and no more
psi_bound = LETTERS.number("psi_bound", "K", "upper bound of the Orlicz norm of a random variable", POSITIVE)
varsigma = LETTERS.number("varsigma", r"\varsigma", "standard deviation of a centred Gaussian", POSITIVE)
