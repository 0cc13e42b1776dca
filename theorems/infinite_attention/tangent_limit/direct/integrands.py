"""Equations (23) and (26): what stands under the two means of Lemma 21 converges in law."""

from typing import Any

import sympy as sp
from sympy import Expr, Rational, Symbol

from theorems.engine import Given, Obligations, Provenance, sentence
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import score_width, sigma_q
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_tangents.md#integrands-of-lemma-21"
_SLOPES = (
    r"D_n: \text{ products of two derivatives of attention weights by scores, } D: \text{ the same"
    r" of the limit}"
)
_HEADS = r"D'_n, D': \text{ those of another head, } D, D' \text{ independent and of one law}"
_values = Symbol("kernel_at_values", real=True)

ONE_HEAD = claim(
    "inf.eq23",
    at="Equation (23)",
    title="What stands under the mean of Lemma 21 converges in law",
    states={
        "independent queries and keys": sentence(
            r"W^Q, W^K \text{ independent}:\quad"
            r" \frac{\langle Q_a, Q_b\rangle}{(d^G)^{$power}}"
            r" \frac{\langle g_{c}, g_{c'}\rangle}{d} D_n \xrightarrow{d} \sigma_Q^{$scale}"
            r" \tilde\kappa_{ab}^{$own} \tilde\kappa_{cc'}^{$values} D,\quad " + _SLOPES,
            power=1,
            scale=2,
            own=1,
            values=1,
        ),
        "equal queries and keys": sentence(
            r"W^Q = W^K:\quad L_n = \frac{\langle Q_a, Q_b\rangle}{(d^G)^{$power}}"
            r" \frac{\langle g_{c}, g_{c'}\rangle}{d} D_n \xrightarrow{P} $limit,\quad"
            r" (d^G)^{$order} L_n \xrightarrow{P} \sigma_Q^{$scale} \tilde\kappa_{ab}^{$own}"
            r" \tilde\kappa_{cc'}^{$values} D,\quad " + _SLOPES,
            power=2,
            limit=0,
            order=1,
            scale=2,
            own=1,
            values=1,
        ),
    },
    given=[input_ab],
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", "inf.lem12"],
    discharging={PROJECTIONS: "the weights of queries and keys are so for the one scaling"},
    note=_NOTE,
)


def _factors(given: Given, power: Any) -> tuple[Expr, Expr]:
    """What inner products of queries, divided by a power of their width, and inputs tend to.

    An inner product of queries is the score width times their mean product.
    """
    queries, inputs = (
        given.fact("inf.lem33", name).statement.args[0].args[1] for name in ("queries", "inputs")
    )
    divided = queries * score_width / score_width ** sp.sympify(power)
    return sp.limit(divided, score_width, sp.oo), inputs.xreplace({input_ab: _values})


def _stated(scale: Any, own: Any, values: Any) -> Expr:
    return sigma_q**scale * input_ab**own * _values**values


_BRIDGE = (
    "Scores, and with them the derivatives of attention weights, converge in law by Lemma 12 and"
    " the continuity of the derivative of ζ, those of two heads to independent ones; mean products"
    " converge in probability, and Lemma 30 multiplies the limits."
)


@ONE_HEAD.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS],
    bridge=_BRIDGE,
    controls={"without the scale": {"scale": 0}, "the squared width": {"power": 2}},
)
def limits_of_mean_products(
    given: Given, power: Any, scale: Any, own: Any, values: Any
) -> Obligations:
    """The limits of Lemma 33, multiplied."""
    queries, inputs = _factors(given, power)
    stated = _stated(scale, own, values)
    yield "the limit", sp.expand(queries * inputs - stated) == 0


_CONSTANT = (
    "Scores converge in probability by Lemma 33 for shared weights, and with them the derivatives"
    " of attention weights, as the derivative of ζ is continuous; products of what converges in"
    " probability do so."
)


@ONE_HEAD.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS],
    bridge=_CONSTANT,
    controls={"one": {"limit": 1}, "the width": {"power": 1}, "no order": {"order": 0}},
)
def one_width_more(
    given: Given, power: Any, limit: Any, order: Any, scale: Any, own: Any, values: Any
) -> Obligations:
    """The inner product is divided by the score width once more than a mean product."""
    queries, inputs = _factors(given, power)
    yield "the limit", sp.expand(queries * inputs - limit) == 0
    longer, inputs = _factors(given, power - order)
    yield "the order", sp.expand(longer * inputs - _stated(scale, own, values)) == 0


TWO_HEADS = claim(
    "inf.eq26",
    at="Equation (26)",
    title="What stands under the second moment of Lemma 21 has the square of this limit as mean",
    states={
        "independent queries and keys": sentence(
            r"W^Q, W^K \text{ independent}:\quad"
            r" \frac{\langle Q_a, Q_b\rangle \langle Q'_a, Q'_b\rangle}{(d^G)^{$power}}"
            r" \Bigl(\frac{\langle g_{c}, g_{c'}\rangle}{d}\Bigr)^{$square} D_n D'_n"
            r" \xrightarrow{d} \sigma_Q^{$scale} \tilde\kappa_{ab}^{$own}"
            r" \tilde\kappa_{cc'}^{$values} D D',\quad " + _SLOPES + r",\ " + _HEADS,
            power=2,
            square=2,
            scale=4,
            own=2,
            values=2,
        ),
        "equal queries and keys": sentence(
            r"W^Q = W^K:\quad L_n ="
            r" \frac{\langle Q_a, Q_b\rangle \langle Q'_a, Q'_b\rangle}{(d^G)^{$power}}"
            r" \Bigl(\frac{\langle g_{c}, g_{c'}\rangle}{d}\Bigr)^{$square} D_n D'_n"
            r" \xrightarrow{P} $limit,\quad (d^G)^{$order} L_n \xrightarrow{P} \sigma_Q^{$scale}"
            r" \tilde\kappa_{ab}^{$own} \tilde\kappa_{cc'}^{$values} D D',\quad " + _SLOPES,
            power=4,
            square=2,
            limit=0,
            order=2,
            scale=4,
            own=2,
            values=2,
        ),
    },
    given=[input_ab],
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", "inf.lem12"],
    discharging={PROJECTIONS: "the weights of queries and keys are so for the one scaling"},
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@TWO_HEADS.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS],
    bridge=_BRIDGE,
    controls={"one scale": {"scale": 2}, "values once": {"values": 1}},
)
def square_of_the_limit(
    given: Given, power: Any, square: Any, scale: Any, own: Any, values: Any
) -> Obligations:
    """The factor of D D' is the square of that of D, so that means are squares as well."""
    queries, inputs = _factors(given, power * Rational(1, 2))
    stated = _stated(scale, own, values)
    yield "the limit", sp.expand(queries**2 * inputs**square - stated) == 0


@TWO_HEADS.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS],
    bridge=_CONSTANT,
    controls={"one": {"limit": 1}, "the width of both": {"power": 2}},
)
def one_width_more_for_each_head(
    given: Given,
    power: Any,
    square: Any,
    limit: Any,
    order: Any,
    scale: Any,
    own: Any,
    values: Any,
) -> Obligations:
    """Each inner product is divided by the score width once more than a mean product."""
    half = Rational(1, 2)
    queries, inputs = _factors(given, power * half)
    yield "the limit", sp.expand(queries**2 * inputs**square - limit) == 0
    longer, inputs = _factors(given, (power - order) * half)
    stated = _stated(scale, own, values)
    yield "the order", sp.expand(longer**2 * inputs**square - stated) == 0
