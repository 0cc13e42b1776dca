"""Fact 1: derivatives of softmax are cumulants, and how large they can be.

With means under the weights, the second derivative of softmax is p_t((u_t − ū)(v_t − v̄) − C),
C = Cov(u, v).
"""

from functools import cache
from typing import Any

from sympy import Mul, Sum, exp

from symbolic.equality import equal
from symbolic.softmax_jacobian import indicator_cumulant, log_sum_exp_derivative
from theorems.engine import Given, Obligations, Provenance, eq, integers, sentence
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters.paper import T, claim, order
from theorems.shallow_transformer.letters.token import (
    logit,
    mean,
    r,
    s,
    second_derivative,
    t,
    total,
    u_entry,
    v_entry,
    w_entry,
    weight,
)
from theorems.shallow_transformer.premises.lines.along_a_line import along, moved
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import added, normalised, taken_apart

RECORD: dict[str, Any] = {
    "at": "Fact 1",
    "provenance": Provenance.DERIVED,
    "note": "proofs_notes/st_softmax.md#cumulants",
}
WEIGHT, SECOND = weight(t, T), second_derivative(t, T)


def _centred(entry: Any) -> Any:
    """A value of a token less the mean of all."""
    return entry(t) - mean(entry(s), s)


_COVARIANCE = eq(total(u_entry(t) * WEIGHT * _centred(v_entry)), mean(_centred(u_entry) * _centred(v_entry)))

COVARIANCE = claim(
    "st.fact1.covariance",
    title="The Jacobian as a form is the covariance under the weights",
    states=_COVARIANCE,
    rests_on=["st.fact1"],
    **RECORD,
)


@COVARIANCE.proved()
def the_mean_of_centred_values_vanishes(given: Given) -> Theorem:
    """Both sides are Σ p u v − ū v̄, as the weights add up to one."""
    return given.follows(normalised(), *taken_apart(_COVARIANCE), goal=_COVARIANCE)


_THIRD = eq(total(w_entry(t) * SECOND), mean(_centred(u_entry) * _centred(v_entry) * _centred(w_entry)))

CUMULANT = claim(
    "st.fact1.cumulant",
    title="The second derivative of softmax is the third central moment under the weights",
    states=_THIRD,
    rests_on=["st.fact1"],
    **RECORD,
)


@cache
def derivative_of_softmax() -> Theorem:
    """The entries of the second derivative: that of Ju along z + xv, as (Ju)_t = p_t(u_t − ū)."""
    odds = exp(logit(s) + along * v_entry(s))
    whole, here = total(odds, s), odds.xreplace({s: t})
    image = here / whole * (u_entry(t) - total(odds * u_entry(s), s) / whole)
    softmax = ONE_HEAD.meaning("softmax weights", eq(WEIGHT, WEIGHT.unfolded()))
    products = [u_entry, v_entry], [v_entry], [u_entry]
    means = []
    for entries in products:
        values = Mul(*(one(t) for one in entries))
        each = ONE_HEAD.follows(softmax, goal=eq(WEIGHT * values, softmax.statement.rhs * values))
        means.append(added(each))
    (moved_mean,) = (one for one in SECOND.unfolded().atoms(Sum) if one.limits[0][0] == r)
    known = [*moved(image, 1, SECOND), softmax, *means, *taken_apart(moved_mean, *means)]
    return ONE_HEAD.follows(*known, goal=eq(SECOND, SECOND.unfolded()))


@CUMULANT.proved()
def product_rule_for_softmax(given: Given) -> Theorem:
    """D_u p_t = p_t(u_t − ū), differentiated along v: sums of monomials on both sides."""
    product = eq(w_entry(t) * SECOND, w_entry(t) * SECOND.unfolded())
    product = added(ONE_HEAD.follows(derivative_of_softmax(), goal=product))
    apart = taken_apart(_THIRD, product)
    return given.follows(product, *apart, normalised(), goal=_THIRD)


ORDERS = claim(
    "st.fact1.cumulant.orders",
    title="Derivatives of log-sum-exp are joint cumulants under the weights, up to the fifth order",
    states=sentence(
        r"D^{$order}\log\sum_te^{z_t}[u_1,\dots,u_{$order}]"
        r" = \kappa_p(u_1,\dots,u_{$order}) \text{, the sum over partitions of the }"
        r" $order \text{ values}"
    ),
    given={order: integers(1, 5)},
    rests_on=["st.fact1"],
    **RECORD,
)
_PATTERNS = {
    1: ((1,),),
    2: ((1, 1), (1, 2)),
    3: ((1, 1, 1), (1, 1, 2), (1, 2, 3)),
    4: ((1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 2, 2), (1, 1, 2, 3), (1, 2, 3, 4)),
    5: ((1, 1, 1, 1, 1), (1, 1, 1, 1, 2), (1, 1, 1, 2, 2), (1, 1, 1, 2, 3), (1, 1, 2, 2, 3),
        (1, 1, 2, 3, 4), (1, 2, 3, 4, 5)),
}  # fmt: skip


@ORDERS.argued(
    bridge="Both sides are symmetric and multilinear, so that indicators of tokens suffice, one"
    " pattern of equal indices for each partition of the order."
)
def derivatives_at_indicators(given: Given) -> Obligations:
    """Each pattern of indices, beside any number of other tokens."""
    for k in given.domain[order]:
        for pattern in _PATTERNS[int(k)]:
            answer = equal(log_sum_exp_derivative(pattern), indicator_cumulant(pattern))
            yield f"order {k}: {pattern}", answer
