r"""The letters of the textbook facts.

Where one sign means several things, each meaning has a letter of its own, which prints as the
usual sign.
"""

from __future__ import annotations

from typing import Any

import sympy

from theorems.engine.domain import half_line, integers, interval, reals
from theorems.engine.letters import Kind, Letters

LETTERS = Letters()
number, quantity, thing = LETTERS.number, LETTERS.quantity, LETTERS.thing
POSITIVE, NONNEGATIVE, REAL = half_line(0, closed=False), half_line(0), reals()
UNIT = interval(0, 1)

# Events, and sums of independent copies
E = thing("E", "E_i", "events, finitely or countably many", Kind.OBJECT)
W = thing("W", "W", "real random variable, of which means are taken", Kind.LAW)
copies = thing("copies", "W_j", "copies of W", Kind.OBJECT)
M = number("M", "M", "number of independent copies", integers(1))
multiplier = number("lambda_", r"\lambda", "multiplier in an exponential moment", REAL)
x = number("x", "x", "value that a mean of copies exceeds", REAL)
share = number("share", "x", "share of the mean by which a mean of copies falls short", UNIT)
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
normal = thing("g", "g", "standard normal variable or vector", Kind.LAW)
normals = thing("normals", "g_i", "standard normal variables, finitely many", Kind.OBJECT)
beta = thing("beta", r"\beta", "weights of finitely many squares", Kind.VECTOR)
weights = thing("lambda_vec", r"\lambda", "weights of squares, of both signs", Kind.VECTOR)
q = number("q", "q", "order of a moment", integers(1))
A = number("A", "A", "scale of moments", POSITIVE)
tau = number("tau", r"\tau", "number for which 2 tau + tau^2 is a deviation", NONNEGATIVE)


def _log_moment(ell: Any) -> Any:
    return 1 / sympy.sqrt(1 - 2 * ell) - 1 - ell


def _rate(s: Any) -> Any:
    x = sympy.cbrt(1 + s)
    return (x - 1) ** 2 * (x + 2) / 2


log_moment = LETTERS.function(
    "log_moment",
    r"\psi",
    "bound of the logarithmic moment of a term, sum of (2q - 1)!! l^q/q! from q = 2 on",
    closed_form=_log_moment,
)
rate = LETTERS.function(
    "rate",
    r"\psi^*",
    "convex conjugate of psi",
    closed_form=_rate,
    justified_by="classical.dominated_squares",
)

# Lipschitz functions and maxima of Gaussian families
F = thing("F", "F", "real function on a Euclidean space", Kind.FUNCTION)
L = number("L", "L", "Lipschitz constant", NONNEGATIVE)
X = thing("X", "X", "Gaussian family with finitely many members", Kind.LAW)
Y = thing("Y", "Y", "another Gaussian family over the same indices", Kind.LAW)
u_vec = thing("u_vec", "u", "vector of one Euclidean space", Kind.VECTOR)
u_prime = thing("u_prime", "u'", "another vector of that space", Kind.VECTOR)
w_vec = thing("w_vec", "w", "vector of a second Euclidean space", Kind.VECTOR)
w_prime = thing("w_prime", "w'", "another vector of the second space", Kind.VECTOR)
u_size = quantity("u_size", "|u|", "length of u", NONNEGATIVE)
u_prime_size = quantity("u_prime_size", "|u'|", "length of u'", NONNEGATIVE)
w_size = quantity("w_size", "|w|", "length of w", NONNEGATIVE)
w_prime_size = quantity("w_prime_size", "|w'|", "length of w'", NONNEGATIVE)
u_inner = quantity("u_inner", r"\langle u, u'\rangle", "inner product of u and u'", REAL)
w_inner = quantity("w_inner", r"\langle w, w'\rangle", "inner product of w and w'", REAL)

# Supermartingales
process = thing("process", "M_k", "process in discrete time", Kind.OBJECT)
filtration = thing("filtration", r"\mathcal{F}_k", "what is known at time k", Kind.OBJECT)
level = number("a", "a", "level that a process may reach", POSITIVE)
start = quantity("start", r"\mathbb{E}M_0", "mean of the first value", NONNEGATIVE)
reached = quantity("reached", r"\mathbb{P}(\sup_kM_k \ge a)", "chance to reach the level", UNIT)

# Nets of the sphere
m = number("m", "m", "dimension of a Euclidean space", integers(1))
net = thing("net", r"\mathcal{N}", "finite set of unit vectors", Kind.OBJECT)
matrix = thing("matrix", "A", "real square matrix of that dimension", Kind.MATRIX)
norm = quantity("norm", r"\|A\|", "operator norm of the matrix", NONNEGATIVE)
net_largest = quantity(
    "net_largest",
    r"\max_{y, y' \in \mathcal{N}}|\langle y, Ay'\rangle|",
    "largest entry of the matrix in the net",
    NONNEGATIVE,
)
