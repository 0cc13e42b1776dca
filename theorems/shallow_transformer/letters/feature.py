r"""Letters for features of one head: values, slopes, vectors, and means over the random heads.

What belongs to a head at the start is there twice: as a function of the head's number, for sums,
and as a random variable, for means.  A feature of an input is a vector of the space of square
integrable functions of a head, whose inner product is the mean.
"""

from typing import Any

from sympy.core.function import UndefinedFunction

from theorems.engine.rules import Operator
from theorems.engine.rules.vocabulary import AppliedRandom, AppliedVector
from theorems.engine.statements.letters import Kind
from theorems.shallow_transformer.letters.paper import (
    LETTERS,
    OBJECT,
    POSITIVE,
    SIZE,
    random,
    real,
    size,
    vector,
)
from theorems.shallow_transformer.letters.token import entry


def _family(base: type, name: str, latex: str) -> Any:
    """Vectors or random variables with an index, which prints below the letter."""
    made = UndefinedFunction(name, bases=(base,))
    made._latex = lambda self, printer, exp=None: (
        rf"{latex}_{{{printer._print(self.args[0])}}}" + ("" if exp is None else f"^{{{exp}}}")
    )
    return made


def vector_family(name: str, latex: str) -> Any:
    """Vectors with an index."""
    return _family(AppliedVector, name, latex)


def random_family(name: str, latex: str) -> Any:
    """Random variables with an index."""
    return _family(AppliedRandom, name, latex)


def _placed(name: str, latex: str, meaning: str) -> Any:
    """An entry whose index stands where the LaTeX has an @."""
    made = entry(name, latex.replace("@", ""), meaning)

    def written(self: Any, printer: Any, exp: Any = None) -> str:
        text = latex.replace("@", f"_{{{printer._print(self.args[0])}}}")
        return text if exp is None else f"{text}^{{{exp}}}"

    made._latex = written  # type: ignore[method-assign]
    return made


# Heads at the start, by their number
pairs = LETTERS.number("pairs", r"\tfrac{m}{2}", "half the number of heads", SIZE)
value = _placed("head_value", r"\sigma(U@\cdot a@)", "output of a head at the start")
value_prime = _placed("head_value_prime", r"\sigma(U@\cdot a@')", "the same at the other input")
slope = _placed("head_slope", r"\sigma'(U@\cdot a@)", "slope of the activation in a head at the start")
slope_prime = _placed("head_slope_prime", r"\sigma'(U@\cdot a@')", "the same at the other input")
pooled, pooled_prime = vector_family("a", "a"), vector_family("a'", "a'")
spread_vector, spread_vector_prime = vector_family("MU", "(MU)"), vector_family("M'U", "(M'U)")
query = vector("query", "q_X", "query of an input")
query_prime = vector("query_prime", "q_{X'}", "query of the other input")

# The kernel at two inputs
K_m = random("K_m", "K_m(X,X')", "kernel of finite width, at random heads")
kernel_m_value = real("kernel_m_value", "K_m(X,X')", "kernel of finite width at two inputs")
K_value = real("K_value", "K(X,X')", "kernel of infinite width at two inputs")
K_w = real("K_w", "K_w(X,X')", "block of the kernel for W at two inputs")
K_w_self = size("K_w_self", "K_w(X,X)", "block of the kernel for W at one input")
least_eigenvalue = real(
    "least_eigenvalue", r"\lambda_{\min}(K)", "least eigenvalue of the kernel's matrix of inputs"
)
slope_sup = size("slope_sup", r"\sup|\sigma'|", "largest slope of the activation")
head_term = entry("head_term", r"\kappa", "share of a head in the kernel of finite width")
head_sum = real("head_sum", r"\sum_{i=1}^{m/2}\kappa_i", "sum of the shares of the first half of the heads")
head_terms = random_family("kappa", r"\kappa")

# One random head
H = random("H", r"\sigma(U\cdot a)", "output of a random head")
H_prime = random("H_prime", r"\sigma(U\cdot a')", "output of the random head at the other input")
D = random("D_head", r"\sigma'(U\cdot a)", "slope of the activation in a random head")
D_prime = random(
    "D_prime", r"\sigma'(U\cdot a')", "slope of the activation in the random head at the other input"
)
AA = random("AA", r"\langle a,a'\rangle", "product of the pooled tokens of two inputs")
MM = random("MM", r"U\cdot MM'U", "product of MU and M'U")

# Square integrable functions of a head
F = vector_family("feature_of_input", r"\phi")
F_c = vector_family("c_feature_of_input", r"{\phi_c}")
F_u = vector_family("u_feature_of_input", r"{\phi_u}")
F_w = vector_family("w_feature_of_input", r"{\phi_w}")
weight_of_input = entry("weight_of_input", "x", "weight of an input in a quadratic form")
feature = vector("feature", r"\phi(X)", "feature of an input, a function of the random head")
feature_prime = vector("feature_prime", r"\phi(X')", "feature of another input")
map_v = vector("map_v", "v", "transportation map, a square integrable function of the head")
map_w = vector("map_w", "v'", "another transportation map")
other_map = vector("other_map", r"\hat v", "another transportation map for the same function")
Proj = LETTERS.thing(Operator("Proj"), "P", "projection in L2 onto the closed span of the features", OBJECT)

# The function space
coordinates = LETTERS.function(
    "coordinates",
    r"\dim(c, U, \operatorname{vec}W)",
    "number of coordinates of a head: one, d and d times d",
    shown=0,
    closed_form=lambda d: 1 + d + d * d,
)
head_size = size("head_size", r"|\kappa|", "size of a head's term in the kernel")
target_value = real("target_value", r"\tilde f(X;v)", "function represented by a map, at an input")
K_self = size("K_self", "K(X,X)", "kernel at one input")
K_self_prime = size("K_self_prime", "K(X',X')", "kernel at the other input")
section_norm = size("section_norm", r"\|K(\cdot,X')\|_{\mathcal{F}}", "norm of a section of the kernel")
by_values = size(
    "by_values",
    r"\langle\tilde f, K^+\tilde f\rangle",
    "quadratic form of the values at finitely many inputs, by the pseudo-inverse of their kernel",
)
constant_norm = size(
    "constant_norm",
    r"\|\tilde f(\cdot;(\bar\nu_c, 0, 0))\|_{\mathcal{F}}",
    "norm of the function of the map with the constant parts ν_c, 0 and 0, for a constant σ",
)
feature_size = size("feature_size", r"\|\phi_w(X;\varphi)\|_F", "length of the feature for W")
offset = LETTERS.number("offset", "y", "distance of two tokens from their mean, across the mean", POSITIVE)
slope_at_zero = LETTERS.number(
    "slope_at_zero", r"|\sigma'(0)|", "size of the slope of the activation at zero", POSITIVE
)

# The transported parameters
g_value = entry("g_value", "g", "inner product of the features and the map at a head")
lin_at_tilde = real(
    "lin_at_tilde", r"f_{\mathrm{lin}}(X;\tilde\varphi)", "linear model at the transported parameters"
)
g_sum = real("g_sum", r"\sum_{i=1}^mg_i(X)", "sum of g over all heads")
U_start = vector("U_start", "U_i^{(0)}", "read-out vector of a head at the start")
W_start = LETTERS.thing("W_start", "W_i^{(0)}", "attention matrix of a head at the start", Kind.MATRIX)
v_c = _placed("v_c", "v_{c}(\\varphi@)", "c-part of the map at a head")
u_feature, u_map = vector_family("u_feature", r"{\phi_u}"), vector_family("u_map", "{v_u}")
w_feature, w_map = vector_family("w_feature", r"{\phi_w}"), vector_family("w_map", "{v_w}")
lin_random = random(
    "lin_random", r"f_{\mathrm{lin}}(X;\tilde\varphi)", "linear model at transported random heads"
)

# Envelopes
theta_start = vector("theta_start", r"\theta_i^{(0)}", "inner parameters of a head at the start")
f_output = real("f_output", r"f(X;\varphi)", "output of the network")
head_now = _placed("head_now", r"h(X;\theta@)", "output of a head, by the head's number")
head_start = _placed("head_start", r"h(X;\theta@^{(0)})", "output of a head at the start")
c_shift = entry("head_c_shift", r"\delta c", "change of the output weight of a head")
moved_mean = size("moved_mean", r"\mathbb{E}\|MU\|_2", "mean length of MU for a given M")
normal_variable = random("normal_variable", "G", "standard normal variable")
