"""Fact 1: the Jacobian of softmax, its null space and its norm from l∞ to l1.

The weights are positive and add up to one; everything else are sums over tokens, by induction on
their number. With ū the mean of u, (Ju)_t = p_t(u_t − ū).
"""

from typing import Any

import sympy as sp
from sympy import Abs, Derivative, Function, Max, Min, exp

from symbolic.softmax_jacobian import softmax_jacobian
from theorems.engine import Given, Obligations, Provenance, eq, iff, integers, le, sentence
from theorems.engine.rules import Theorem, instance
from theorems.shallow_transformer.letters.paper import J_norm, T, claim
from theorems.shallow_transformer.letters.token import (
    logit_i,
    logit_j,
    mean,
    p_i,
    p_j,
    rest,
    s,
    t,
    token,
    total,
    u_entry,
    weight,
)
from theorems.shallow_transformer.premises.matrices.softmax_jacobian import image, size_of_the_image
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import (
    added,
    by_pairs,
    differentiated,
    normalised,
    positive,
    taken_apart,
)

NOTE = "proofs_notes/st_softmax.md#norms-of-the-jacobian"

_pi, _pj = p_i(logit_i, exp(logit_j) + rest), p_j(logit_j, exp(logit_i) + rest)
_alone = p_i(logit_i, rest)
_ROW = eq(weight(token, T) - total(weight(token, T) * weight(s, T), s), 0)

FACT = claim(
    "st.fact1",
    at="Fact 1",
    title="The Jacobian of softmax",
    states={
        "diagonal": eq(Derivative(_alone, logit_i), _alone * (1 - _alone)),
        "off the diagonal": eq(Derivative(_pi, logit_j), -_pi * _pj),
        "symmetric": eq(Derivative(_pi, logit_j), Derivative(_pj, logit_i)),
        "null vector": _ROW,
        "bound": le(J_norm, 2),
    },
)


@FACT.proved("diagonal", "off the diagonal", "symmetric")
def differentiate(given: Given) -> Theorem:
    """SymPy differentiates, beside any number of other tokens."""
    return differentiated(given)


@FACT.proved("null vector")
def rows_add_up_to_zero(given: Given) -> Theorem:
    """p_t times the sum of all weights is p_t."""
    return given.follows(normalised(), *taken_apart(_ROW), goal=_ROW)


U_MEAN, JU = mean(u_entry(s), s), weight(t, T) * (u_entry(t) - mean(u_entry(s), s))


#: Numbers, each of which is moved to the nearest one in [-1, 1].
_ANYWHERE = Function("anywhere", real=True)


def at_the_largest() -> list[Theorem]:
    """Some u in the cube has |Ju|_1 = the norm; its mean is in [-1, 1]."""
    attained = ONE_HEAD.meaning("the norm, which some u attains", eq(J_norm, total(Abs(image(u_entry)))))
    size = ONE_HEAD.follows(attained, size_of_the_image(u_entry), goal=eq(total(Abs(JU)), J_norm))
    cube = ONE_HEAD.meaning("a point of the cube", eq(u_entry(t), Max(-1, Min(1, _ANYWHERE(t)))))
    entries = ONE_HEAD.follows(cube, goal=le(Abs(u_entry(t)), 1))
    each, share = [entries, positive()], weight(t, T) * u_entry(t)
    low = added(ONE_HEAD.follows(*each, goal=le(-weight(t, T), share)))
    high = added(ONE_HEAD.follows(*each, goal=le(share, weight(t, T))))
    centre = ONE_HEAD.follows(
        low, high, *taken_apart(low.statement, high.statement), normalised(), goal=le(Abs(U_MEAN), 1)
    )
    return [size, entries, centre]


@FACT.proved("bound")
def distances_to_the_mean(given: Given) -> Theorem:
    """|Ju|_1 is the mean of |u_t − ū|, the distance of two numbers in [−1, 1]."""
    size, entries, centre = at_the_largest()
    each = ONE_HEAD.follows(entries, centre, positive(), goal=le(Abs(JU), 2 * weight(t, T)))
    sum_ = added(each)
    return given.follows(size, sum_, *taken_apart(sum_.statement.rhs), normalised())


_form = total(u_entry(t) * JU)
_pairs = total(weight(t, T) * total(weight(s, T) * (u_entry(t) - u_entry(s)) ** 2, s, t - 1))

_FORM = eq(_form, _pairs)
_ZERO = iff(eq(weight(token, T) * (u_entry(token) - U_MEAN), 0), eq(u_entry(token), U_MEAN))

KERNEL = claim(
    "st.fact1.kernel",
    at="Fact 1",
    title="The Jacobian as a form, and which vectors it maps to 0",
    states={"form": _FORM, "kernel": _ZERO},
    rests_on=[FACT],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@KERNEL.proved("form")
def laplacian_of_a_complete_graph(given: Given) -> Theorem:
    """Both sides grow by the same when a token is added; the weights add up to one."""
    squares, means = total(weight(t, T) * u_entry(t) ** 2), mean(u_entry(t))
    pairs = by_pairs(_pairs, total(weight(t, T)) * squares - means**2)
    return given.follows(pairs, normalised(), *taken_apart(_form), goal=_FORM)


@KERNEL.proved("kernel")
def weights_are_positive(given: Given) -> Theorem:
    """p_t(u_t − ū) = 0 only if u_t is the mean: u is constant."""
    one = instance(positive(), {t: token})
    return given.follows(one, goal=_ZERO)


RANK = claim(
    "st.fact1.kernel.rank",
    at="Fact 1",
    title="The rank of the Jacobian",
    states=sentence(r"\operatorname{rank} $J = $T - $nullity", nullity=1),
    rests_on=[KERNEL],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@RANK.argued(
    bridge="The kernel is the line of constant vectors, and rank and nullity add up to T;"
    " elimination over the rationals for up to six tokens agrees.",
    over={T: integers(1)},
)
def rank_of_rational_jacobians(nullity: Any) -> Obligations:
    """Gaussian elimination over the rationals for weights t/Σt, T = 1, ..., 6."""
    for size in range(1, 7):
        p = [sp.Rational(2 * k, size * (size + 1)) for k in range(1, size + 1)]
        yield f"T = {size}", bool(softmax_jacobian(p).rank() == size - nullity)
