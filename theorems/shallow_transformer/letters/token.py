r"""Letters for one token beside all others, and for entries with the number of a token.

A weight depends on all logits and on how many there are; the number of tokens is understood.  The
entries of softmax weights print as p_t in Fact 1 and as \alpha_t where tokens are pooled.
"""

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr, Sum, Symbol, exp

from symbolic.softmax_jacobian import joint_cumulant
from symbolic.softmax_jacobian.weights import REST
from theorems.engine.statements.letters import NamedFunction
from theorems.shallow_transformer.letters.paper import LETTERS, NONNEGATIVE, REAL, SIZE, UNIT, T

#: Indices of tokens, bound in sums.
t, s, r = sympy.symbols("t s r", integer=True, positive=True)


def entry(
    name: str, latex: str, meaning: str, closed_form: Callable[..., Expr] | None = None
) -> type[NamedFunction]:
    """Declare a function of the number of a token, which prints as an index."""
    made = LETTERS.function(name, latex, meaning, shown=0, closed_form=closed_form)
    made._latex = _with_index  # type: ignore[method-assign]
    return made


def _with_index(self: NamedFunction, printer: Any, exp: Any = None) -> str:
    power = "" if exp is None else f"^{{{exp}}}"
    return f"{self.written}_{{{printer._print(self.args[0])}}}{power}"


def _named(name: str, latex: str, meaning: str, closed_form: Callable[..., Expr]) -> type[NamedFunction]:
    """Declare a function that prints without its arguments, if the first of them is a letter."""
    made = LETTERS.function(name, latex, meaning, shown=0, closed_form=closed_form)
    made._latex = _without_arguments  # type: ignore[method-assign]
    return made


def _without_arguments(self: NamedFunction, printer: Any, exp: Any = None) -> str:
    name = self.written if exp is None else f"{self.written}^{{{exp}}}"
    if self.args[0].is_Symbol:
        return name
    values = ", ".join(printer._print(one) for one in self.args)
    return rf"{name}\left({values}\right)"


def _share(logit: Any, others: Any) -> Any:
    return exp(logit) / (exp(logit) + others)


# One or two tokens beside all others
logit_i = LETTERS.number("z_i", "z_i", "logit of one token", REAL)
logit_j = LETTERS.number("z_j", "z_j", "logit of another token", REAL)
rest = LETTERS.number(REST, "R", "sum of the exponentials of all other logits", NONNEGATIVE)
p_i = _named("p_i", "p_i", "weight of one token", _share)
p_j = _named("p_j", "p_j", "weight of another token", _share)

# Entries
token = LETTERS.number("token", "t", "number of a token", SIZE)
logit = entry("logit", "z", "logit of a token")


def _softmax(index: Any, size: Any) -> Any:
    return exp(logit(index)) / Sum(exp(logit(s)), (s, 1, size))


weight = entry("weight", "p", "softmax weight of a token among the first T", _softmax)
pooling_weight = entry("pooling_weight", r"\alpha", "softmax weight of a token", _softmax)
u_entry = entry("u_entry", "u", "first value of a token")
v_entry = entry("v_entry", "v", "second value of a token")
w_entry = entry("w_entry", "w", "third value of a token")

unit = entry("unit", "e", "1 for one token, 0 for all others")
above = entry("above", r"\chi", "1 for tokens whose first value is above the mean, else 0")
chosen = entry("chosen", r"\chi^*", "1 for tokens of the set A*, else 0")
P_best = LETTERS.quantity(
    "P_best", "P(A^*)", "weight of a set A* of tokens whose weight is next to one half", UNIT
)


def total(term: Any, index: Symbol = t, last: Any = T) -> Sum:
    """The sum over tokens from the first on."""
    return Sum(term, (index, 1, last))


def mean(term: Any, index: Symbol = t, of: Any = weight) -> Sum:
    """The mean of values of tokens under softmax weights."""
    return total(of(index, T) * term, index)


reciprocal = entry(
    "reciprocal", "p^{-1}", "reciprocal of a weight", lambda index, size: 1 / weight(index, size)
)


def _pseudo_inverse(values: Callable[[Any], Any], index: Any, size: Any) -> Any:
    """Values less their mean, over the weights, less the mean of these quotients."""
    centre = total(values(r), r, size) / size
    quotients = total((values(s) - centre) * reciprocal(s, size), s, size)
    return (values(index) - centre) * reciprocal(index, size) - quotients / size


def _jacobian_at(index: Any, size: Any) -> Any:
    return weight(index, size) * (u_entry(index) - total(weight(t, size) * u_entry(t), t, size))


inverse_at_u = entry(
    "inverse_at_u",
    "(J^+u)",
    "u less its mean, over the weights, less the mean of that",
    lambda index, size: _pseudo_inverse(u_entry, index, size),
)
inverse_at_image = entry(
    "inverse_at_image",
    "(J^+Ju)",
    "Ju less its mean, over the weights, less the mean of that",
    lambda index, size: _pseudo_inverse(lambda k: _jacobian_at(k, size), index, size),
)


# Cumulants
u_unit = entry("u_unit", r"\hat u", "first value of a token over the largest, in [-1, 1]")
v_unit = entry("v_unit", r"\hat v", "second value of a token over the largest, in [-1, 1]")
w_unit = entry("w_unit", r"\hat w", "third value of a token over the largest, in [-1, 1]")


def _second_derivative(index: Any, size: Any) -> Any:
    """The product rule for D softmax_t [u] = p_t (u_t - sum p_s u_s), along v."""
    v_mean = total(weight(s, size) * v_entry(s), s, size)
    u_mean = total(weight(s, size) * u_entry(s), s, size)
    moved = total(weight(r, size) * (v_entry(r) - v_mean) * u_entry(r), r, size)
    own = weight(index, size) * (v_entry(index) - v_mean)
    return own * (u_entry(index) - u_mean) - weight(index, size) * moved


second_derivative = entry(
    "second_derivative",
    r"D^2\sigma_s(z)[u,v]",
    "entry of the second derivative of softmax",
    _second_derivative,
)
cumulant_of_one = LETTERS.quantity(
    "cumulant_of_one", r"|u^\top D^2\sigma_s(z)[u,u]|", "third cumulant of one value", NONNEGATIVE
)


def _cumulant_of_signs(x: Any, y: Any) -> Any:
    signs = [(a, b) for a in (1, -1) for b in (1, -1)]
    weights = [(1 + a * x) * (1 + b * y) / sympy.Integer(4) for a, b in signs]
    rows = [[a for a, _ in signs], [b for _, b in signs], [a * b for a, b in signs]]
    return joint_cumulant(weights, rows)


def _cumulant_of_sign(x: Any) -> Any:
    return joint_cumulant([(1 + x) / sympy.Integer(2), (1 - x) / sympy.Integer(2)], [[1, -1]] * 3)


cumulant_of_signs = LETTERS.function(
    "cumulant_of_signs",
    r"\kappa",
    "third cumulant of two independent signs and their product, by the means of both signs",
    closed_form=_cumulant_of_signs,
)
cumulant_of_sign = LETTERS.function(
    "cumulant_of_sign", r"\kappa", "third cumulant of one sign, by its mean", closed_form=_cumulant_of_sign
)

other_logit = entry("other_logit", "z'", "another logit of a token")
other_weight = entry("other_weight", "p'", "softmax weight of a token at the other logits")
