r"""The letters of the textbook facts.

Where one sign means several things, each meaning has a letter of its own, which prints as the
usual sign.
"""

from typing import Any

import sympy
from sympy import Rational

from theorems.engine.claims.claim import claims_in
from theorems.engine.rules import Random, Vector, inner
from theorems.engine.statements.domain import half_line, integers, interval, reals
from theorems.engine.statements.letters import Kind, Letters

LETTERS = Letters()
claim = claims_in(LETTERS)
number, quantity, thing = LETTERS.number, LETTERS.quantity, LETTERS.thing
POSITIVE, NONNEGATIVE, REAL = half_line(0, closed=False), half_line(0), reals()
UNIT = interval(0, 1)

# Events, and means of independent copies
count = number("N", "N", "number of events", integers(1))
index = number("i", "i", "index of an event", integers(1))
W = thing(Random("W"), "W", "real random variable, of which means are taken", Kind.LAW)
mean = thing(Random("mean"), r"\overline W", "mean of independent copies of W", Kind.LAW)
M = number("M", "M", "number of independent copies", integers(1))
multiplier = number("lambda_", r"\lambda", "multiplier in an exponential moment", REAL)
cumulant = number("K", "K", "upper bound of the logarithm of an exponential moment", REAL)
x = number("x", "x", "value that a mean of copies exceeds", REAL)
share = number("share", "x", "share of the mean by which a mean of copies falls short", UNIT)
shortfall = number(
    "shortfall", "y", "share by which a mean falls short, less than 1", sympy.Interval.Ropen(0, 1)
)
s = number("s", "s", "deviation, or exponent of a tail", NONNEGATIVE)
excess = number("t", "t", "deviation of a mean of copies", NONNEGATIVE)
v = number("v", "v", "bound of a second moment, in Bernstein's condition", POSITIVE)
c = number("c", "c", "growth of moments, in Bernstein's condition", NONNEGATIVE)
mu = number("mu", r"\mu", "mean of a nonnegative random variable", POSITIVE)
nu = number("nu", r"\nu", "bound of the second moment of such a variable", POSITIVE)

# Hoeffding's lemma and inequality
p = number("p", "p", "probability of the upper of two values", UNIT)
u = number("u", "u", "distance of the two values", REAL)
lower_end = number("alpha", r"\alpha", "lower end of the range of a variable", REAL)
length = number("length", "L", "length of the range of a variable", POSITIVE)

# Gaussian variables and their squares
normal = thing(Random("g"), "g", "standard normal variable or vector", Kind.LAW)
normals = thing("normals", "g_i", "standard normal variables, finitely many", Kind.OBJECT)
beta = thing("beta", r"\beta", "weights of finitely many squares", Kind.VECTOR)
number_of_weights = number("n", "n", "number of weights", integers(1))
weights = thing("lambda_vec", r"\lambda", "weights of squares, of both signs", Kind.VECTOR)
q = number("q", "q", "order of a moment", integers(1))
A = number("A", "A", "scale of moments", POSITIVE)
ell = number("ell", r"\ell", "multiplier times the scale of moments", sympy.Interval.Ropen(0, Rational(1, 2)))
total = quantity("total", r"\|\beta\|_1", "sum of the weights", NONNEGATIVE)
weighted_moment = quantity(
    "weighted_moment",
    r"\mathbb{E}\Bigl(\sum_i\beta_ig_i^2\Bigr)^q",
    "moment of the weighted sum of squares",
    NONNEGATIVE,
)
form = thing(
    Random("form"),
    r"\sum_i\lambda_i(g_i^2 - 1)",
    "centred sum of squares of independent standard normal variables, with finitely many weights",
    Kind.LAW,
)
euclidean = quantity("euclidean", r"\|\lambda\|_2", "Euclidean length of the weights, not all zero", POSITIVE)
largest = quantity("largest", r"\|\lambda\|_\infty", "largest modulus of a weight", POSITIVE)
tau = number("tau", r"\tau", "number for which 2τ + τ² is a deviation", NONNEGATIVE)


def _log_moment(ell: Any) -> Any:
    return 1 / sympy.sqrt(1 - 2 * ell) - 1 - ell


def _rate(s: Any) -> Any:
    x = sympy.cbrt(1 + s)
    return (x - 1) ** 2 * (x + 2) / 2


log_moment = LETTERS.function(
    "log_moment", r"\psi", "bound of the logarithmic moment of a term", closed_form=_log_moment
)
rate = LETTERS.function("rate", r"\psi^*", "convex conjugate of ψ", closed_form=_rate)
odd_factorial = LETTERS.function(
    "odd_factorial",
    "(2q-1)!!",
    "double factorial of 2q − 1, the product of the odd numbers up to 2q − 1",
    shown=0,
    closed_form=lambda q: sympy.factorial2(2 * q - 1),
    well_known=True,
)

chance = LETTERS.function("chance", r"\mathbb{P}(E_i)", "probability of the event E_i", shown=0)
chance_of_any = LETTERS.function(
    "chance_of_any",
    r"\mathbb{P}\Bigl(\bigcup_{i=1}^{N} E_i\Bigr)",
    "probability that one of the first N events happens at least",
    shown=0,
)

# Tails of laws whose distribution functions are known
binomial_upper = quantity(
    "binomial_upper",
    r"\mathbb{P}(B \ge \mathbb{E}B + Mt)",
    "upper tail of a binomial variable B of M trials, of any probability",
    UNIT,
)
binomial_lower = quantity(
    "binomial_lower",
    r"\mathbb{P}\bigl(\operatorname{Bin}(M, p) \le (1 - y)Mp\bigr)",
    "lower tail of a binomial variable",
    UNIT,
)
chi_upper = quantity(
    "chi_upper", r"\mathbb{P}\bigl(\chi^2_M \ge M(1 + s)\bigr)", "upper tail of a chi-square variable", UNIT
)
chi_lower = quantity(
    "chi_lower", r"\mathbb{P}\bigl(\chi^2_M \le M(1 - y)\bigr)", "lower tail of a chi-square variable", UNIT
)

# Gaussian variables with a random variance
V = thing(Random("V"), "V", "random variance", Kind.LAW)
mixture = thing(Random("Z"), "Z", "Gaussian variable with a random variance", Kind.LAW)
place = number("place", "x", "level that a random variable is compared with", REAL)
factor = quantity("factor", "C", "factor in a bound of the distance of distributions", REAL)
normal_cdf = LETTERS.function(
    "normal_cdf",
    r"\Phi",
    "distribution function of a standard normal variable",
    closed_form=lambda x: (1 + sympy.erf(x / sympy.sqrt(2))) / 2,
    well_known=True,
)

# Lipschitz functions and maxima of Gaussian families
F = thing("F", "F", "real function on a Euclidean space", Kind.FUNCTION)
L = number("L", "L", "Lipschitz constant", NONNEGATIVE)
X = thing("X", "X", "Gaussian family with finitely many members", Kind.LAW)
Y = thing("Y", "Y", "another Gaussian family over the same indices", Kind.LAW)
F_value = thing(Random("F_value"), "F(g)", "value of F at a Gaussian vector", Kind.LAW)
log_moment_f = quantity(
    "log_moment_f",
    r"\log\mathbb{E}e^{\lambda(F(g) - \mathbb{E}F(g))}",
    "logarithm of an exponential moment of F at a Gaussian vector, less its mean",
    REAL,
)
u_vec = thing(Vector("u_vec"), "u", "vector of one Euclidean space", Kind.VECTOR)
u_prime = thing(Vector("u_prime"), "u'", "another vector of that space", Kind.VECTOR)
w_vec = thing(Vector("w_vec"), "w", "vector of a second Euclidean space", Kind.VECTOR)
w_prime = thing(Vector("w_prime"), "w'", "another vector of the second space", Kind.VECTOR)


def _square_of_tensors(u: Any, w: Any, v: Any, x: Any) -> Any:
    products = inner(u, u) * inner(w, w) + inner(v, v) * inner(x, x)
    return products - 2 * inner(u, v) * inner(w, x)


square_of_tensors = LETTERS.function(
    "square_of_tensors",
    r"\|u\otimes w - u'\otimes w'\|^2",
    "squared Frobenius norm of the difference of two tensor products",
    shown=0,
    closed_form=_square_of_tensors,
)

# Supermartingales
process = thing("process", "M_k", "process in discrete time", Kind.OBJECT)
filtration = thing("filtration", r"\mathcal{F}_k", "what is known at time k", Kind.OBJECT)
level = number("a", "a", "level that a process may reach", POSITIVE)
start = quantity("start", r"\mathbb{E}M_0", "mean of the first value", NONNEGATIVE)
reached = quantity("reached", r"\mathbb{P}(\sup_kM_k \ge a)", "chance to reach the level", UNIT)

# Nets of the sphere
m = number("m", "m", "dimension of a Euclidean space", integers(1))
net = thing("net", r"\mathcal{N}", "finite set of unit vectors", Kind.OBJECT)
net_size = quantity("net_size", r"|\mathcal{N}|", "number of points of the net", NONNEGATIVE)
net_distance = quantity(
    "net_distance",
    r"\max_{y \in S^{m-1}}\min_{y' \in \mathcal{N}}\|y - y'\|",
    "largest distance of a unit vector from the net",
    NONNEGATIVE,
)
matrix = thing("matrix", "A", "real square matrix of that dimension", Kind.MATRIX)
operator_norm = quantity("norm", r"\|A\|", "operator norm of the matrix", NONNEGATIVE)
net_largest = quantity(
    "net_largest",
    r"\max_{y, y' \in \mathcal{N}}|\langle y, Ay'\rangle|",
    "largest entry of the matrix in the net",
    NONNEGATIVE,
)
