r"""Derivatives of log sum exp are the joint cumulants of the softmax weights.

For k logits and the sum R of all other exponentials, the derivative of log(R + sum exp z_t) with
respect to z_i, z_j, ... is the joint cumulant of the indicators of the tokens i, j, ... This is a
statement for any number of tokens, and by multilinearity for all vectors:

.. math:: D^k \log\sum_t e^{z_t}\,[u, v, \dots] = \kappa_p(u, v, \dots).
"""

from collections.abc import Iterator, Sequence
from math import factorial
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.utilities.iterables import multiset_partitions

from symbolic.arguments import exact_matrix, natural, shown
from symbolic.softmax_jacobian.weights import REST, exact_weights


def joint_cumulant(weights: Any, values: Any) -> Expr:
    r"""Joint cumulant of functions on tokens with the given weights.

    .. math:: \kappa(u, v, \dots)
        = \sum_\pi (-1)^{|\pi|-1} (|\pi|-1)! \prod_{B\in\pi} E \prod_{i\in B} u_i

    over the partitions of the functions. `values` has one row for each function, with one exact
    number for each weight.

    >>> joint_cumulant(["1/2", "1/2"], [[1, -1], [1, -1]])
    1
    >>> joint_cumulant(["1/4", "3/4"], [[1, -1]] * 3)
    3/4
    """
    p = exact_weights(weights)
    functions = exact_matrix(values, "values", (None, len(p)))

    def moment(block: Sequence[int]) -> Expr:
        products = (sympy.prod(functions[i, t] for i in block) for t in range(len(p)))
        return sum(weight * one for weight, one in zip(p, products, strict=True))

    return sympy.sympify(_cumulant(functions.rows, moment))


def indicator_cumulant(indices: Any) -> Expr:
    """Joint cumulant of the indicators of tokens, in the symbols p_1, p_2, ... of their weights.

    The other tokens do not matter. `indices` lists token numbers from 1 on, with repetitions.
    Source: derived from "Shallow transformers", Fact 1.

    >>> indicator_cumulant([1, 2]), indicator_cumulant([1, 1])
    (-p_1*p_2, -p_1**2 + p_1)
    """
    tokens = _indices(indices)

    def moment(block: Sequence[int]) -> Expr:
        met = {tokens[i] for i in block}
        return _weight(met.pop()) if len(met) == 1 else sympy.Integer(0)

    return sympy.expand(_cumulant(len(tokens), moment))


def log_sum_exp_derivative(indices: Any) -> Expr:
    """The derivative of log(R + sum exp z_t) in the logits of some tokens, in their weights.

    SymPy differentiates; then exp(z_t) is written as p_t S, and the sum S of all exponentials
    drops out. `indices` as for `indicator_cumulant`.
    Source: derived from "Shallow transformers", Fact 1 and the proof of Lemma 2.

    >>> log_sum_exp_derivative([1, 2]), log_sum_exp_derivative([1, 1])
    (-p_1*p_2, -p_1**2 + p_1)
    """
    tokens = _indices(indices)
    named = sorted(set(tokens))
    z = {t: Symbol(f"z_{t}", real=True) for t in named}
    value = sympy.log(REST + sum(sympy.exp(one) for one in z.values()))
    derivative = value.diff(*(z[t] for t in tokens))
    total = Symbol("S", positive=True)
    shares = {sympy.exp(z[t]): _weight(t) * total for t in named}
    rest = {REST: total * (1 - sum(_weight(t) for t in named))}
    return sympy.expand(sympy.cancel(derivative.subs(shares).subs(rest)))


def _weight(token: int) -> Symbol:
    return Symbol(f"p_{token}", positive=True)


def _indices(indices: Any) -> tuple[int, ...]:
    if not isinstance(indices, Sequence) or isinstance(indices, str | bytes) or not indices:
        raise TypeError(f"indices must be a list of token numbers, got {shown(indices)}")
    return tuple(natural(one, "indices") for one in indices)


def _partitions(count: int) -> Iterator[list[list[int]]]:
    return iter(multiset_partitions(list(range(count))))


def _cumulant(count: int, moment: Any) -> Expr:
    return sum(
        (-1) ** (len(blocks) - 1) * factorial(len(blocks) - 1) * sympy.prod(moment(block) for block in blocks)
        for blocks in _partitions(count)
    )
