"""Equations (23) and (26): what stands under the two means of Lemma 21 converges in law."""

from typing import Any

import sympy as sp
from sympy import Expr, Rational, Symbol

from theorems.classical.normal_means import step
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, eq, implies, rules, sentence
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import score_width, sigma_q
from theorems.infinite_attention.letters.table import claim, random

_NOTE = "proofs_notes/inf_tangents.md#integrands-of-lemma-21"
_SLOPES = (
    r"D_n: \text{ products of two derivatives of attention weights by scores, } D: \text{ the same"
    r" of the limit}"
)
_HEADS = r"D'_n, D': \text{ those of another head, } D, D' \text{ independent and of one law}"
_values = Symbol("kernel_at_values", real=True)

slope = random("slope", r"\zeta'(G)", "derivative of an attention weight by its score")
CONTINUOUS_SLOPES = Hypothesis(
    "continuous_slopes",
    "the derivative of ζ is continuous almost everywhere by the law that scores have in the limit",
)

CONSTANT_SLOPES = claim(
    "inf.eq26.slopes",
    at="Equation (26); Appendix B.2.1",
    title="For equal queries and keys derivatives of ReLU by scores tend to numbers",
    states=sentence(
        r"W^Q = W^K,\ \zeta \text{ the ReLU}:\quad \frac{\partial \tilde G_n}{\partial G_n}"
        r" \xrightarrow{P} \text{a number, so that } \operatorname{Var}"
        r" \frac{\partial \tilde G_n}{\partial G_n} \to $variance",
        variance=0,
    ),
    provenance=Provenance.STEP,
    note=_NOTE,
)


@CONSTANT_SLOPES.refuted(severity=Severity.EDGE, controls={"a quarter": {"variance": Rational(1, 4)}})
def uncorrelated_tokens(variance: Any) -> Obligations:
    """Two tokens without a common coordinate: their scores have either sign, and tend to 0.

    Queries of the one and keys of the other are independent, so that keys may change their signs.
    """
    queries, keys = sp.symbols("q:3", real=True), sp.symbols("k:3", real=True)
    score = sum(q * k for q, k in zip(queries, keys, strict=True))
    turned = score.subs({k: -k for k in keys}, simultaneous=True)
    yield "the score changes its sign", sp.expand(score + turned) == 0
    u = Symbol("u", real=True, nonzero=True)
    slope = sp.Piecewise((1, u > 0), (0, True))
    for size in (Rational(1, 3), sp.Integer(2)):
        both_signs = [slope.subs(u, size), slope.subs(u, -size)]
        mean = sum(both_signs) * Rational(1, 2)
        square = sum(one**2 for one in both_signs) * Rational(1, 2)
        yield "the variance of the slope", bool(square - mean**2 != variance)


EITHER_SIGN = Hypothesis(
    "either_sign",
    "a score has a law that does not change with its sign, and is zero with probability zero;"
    " $slope is the derivative of ReLU by the score",
)

SPREAD_SLOPES = CONSTANT_SLOPES.corrected(
    "inf.eq26.slopes.corrected",
    title="A derivative of ReLU by a score of either sign has the variance one quarter",
    states={
        "mean": eq(E(slope), Rational(1, 2)),
        "variance": eq(E(slope**2) - E(slope) ** 2, Rational(1, 4)),
    },
    assuming=EITHER_SIGN,
    note=_NOTE,
)


@SPREAD_SLOPES.proved("mean", "variance")
def one_of_both_is_one(given: Given) -> Theorem:
    """The derivatives at a score and at its opposite are 1 and 0, or 0 and 1, and have one law."""
    u, score = Symbol("u", real=True), Random("score")
    own, turned = step(score), step(-score)
    one = rules.follows(implies(sp.Ne(u, 0), eq(step(u) + step(-u), 1)))
    square = rules.follows(eq(step(u) ** 2, step(u)))
    law = given.supposed(
        EITHER_SIGN,
        eq(P(sp.Ne(score, 0)), 1),
        eq(E(turned), E(own)),
        *(eq(E(slope**power), E(own**power)) for power in (1, 2)),
    )
    return given.follows(
        law,
        principles.more_probable(one, u, score),
        facts.probability(eq(own + turned, 1)),
        probabilities.equal_means(own + turned, 1),
        principles.expected(square, u, score),
    )


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
    assuming=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
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
    uses=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
    bridge=_BRIDGE,
    controls={"without the scale": {"scale": 0}, "the squared width": {"power": 2}},
)
def limits_of_mean_products(given: Given, power: Any, scale: Any, own: Any, values: Any) -> Obligations:
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
    uses=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
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
    assuming=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
    rests_on=["inf.lem33", "inf.lem12"],
    discharging={PROJECTIONS: "the weights of queries and keys are so for the one scaling"},
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@TWO_HEADS.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
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
    uses=[CONVERGENT_INPUTS, CONTINUOUS_SLOPES],
    bridge=_CONSTANT,
    controls={"one": {"limit": 1}, "the width of both": {"power": 2}},
)
def one_width_more_for_each_head(
    given: Given, power: Any, square: Any, limit: Any, order: Any, scale: Any, own: Any, values: Any
) -> Obligations:
    """Each inner product is divided by the score width once more than a mean product."""
    half = Rational(1, 2)
    queries, inputs = _factors(given, power * half)
    yield "the limit", sp.expand(queries**2 * inputs**square - limit) == 0
    longer, inputs = _factors(given, (power - order) * half)
    stated = _stated(scale, own, values)
    yield "the order", sp.expand(longer**2 * inputs**square - stated) == 0
