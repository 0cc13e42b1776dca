"""Remark 5: the symmetric initialisation starts at zero."""

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import sqrt

from symbolic.networks.transformer import ExactTransformer, symmetric_heads
from theorems.engine import Given, Obligations, both, eq, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.analysis.gradients.formulas import letters
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS
from theorems.shallow_transformer.letters.gradient import h_partner, output_start
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.letters.run import h_now
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD
from theorems.shallow_transformer.premises.networks import bounded_sum, family, linear, total, what_is_assumed
from theorems.shallow_transformer.premises.networks import letters as spoken_letters
from theorems.shallow_transformer.sampling.networks import SampledNetwork, sampled_networks

REMARK_5 = claim(
    "st.rem5",
    at="Remark 5",
    title="The symmetric initialisation starts at zero",
    states={"heads": eq(h_partner, h_now), "output": eq(output_start, 0)},
    given=spoken_letters(h_partner, h_now, output_start, under=[EVEN_WIDTH, PAIRED_HEADS]),
    assuming=[EVEN_WIDTH, PAIRED_HEADS],
)


@REMARK_5.proved("heads")
def equal_parameters(given: Given) -> Theorem:
    """Partners have the same U and W."""
    head = family("h")
    same = what_is_assumed(given, PAIRED_HEADS, eq(head(1), head(2)))
    partners = ONE_HEAD.meaning("a head and its partner", both(eq(h_now, head(1)), eq(h_partner, head(2))))
    return given.follows(same, partners)


@REMARK_5.proved("output")
def partners_cancel(given: Given) -> Theorem:
    """Each pair of heads adds c h − c h to the output, for any number of pairs."""
    given.require(EVEN_WIDTH)
    weight, head, partner_weight, partner = map(family, ("c", "h", "c'", "h'"))
    pair = weight(i) * head(i) + partner_weight(i) * partner(i)
    halves = sp.Symbol("m/2", integer=True, positive=True)
    output = ONE_HEAD.meaning("the output, over pairs", eq(output_start, total(pair, i, halves) / sqrt(m)))
    opposite = what_is_assumed(
        given, PAIRED_HEADS, eq(partner_weight(i), -weight(i)), eq(partner(i), head(i))
    )
    sums = []
    for sign in (1, -1):
        nothing = NETWORKS.follows(opposite, goal=le(sign * pair, 0))
        sums.append(bounded_sum(nothing, i, halves))
    negative = linear(sums[1].statement.lhs)
    plain = linear(sums[0].statement.lhs)
    return given.follows(output, *sums, negative, plain)


@st.composite
def _doubled(draw: st.DrawFn) -> SampledNetwork:
    net = draw(sampled_networks())
    U_, W_ = (np.concatenate([one, one]) for one in (net.U, net.W))
    return SampledNetwork(np.concatenate([net.c, -net.c]), U_, W_, net.tokens, net.query)


@REMARK_5.tested("heads", over=_doubled, cases=60)
def in_floats(net: SampledNetwork) -> dict[Any, Any]:
    """Outputs of the first head and of its partner, of doubled networks."""
    half = len(net.c) // 2
    first, second = (
        SampledNetwork(np.sqrt([1.0]), net.U[[k]], net.W[[k]], net.tokens, net.query) for k in (0, half)
    )
    return {h_now: float(first.output()), h_partner: float(second.output())}


@REMARK_5.argued("heads", bridge="Equal parameters give equal outputs of heads, for every input.")
def in_letters() -> Obligations:
    """Letters for all parameters and inputs, a formal σ: one and two pairs."""
    tokens, query = letters("X", 2, 2), letters("q", 2)
    for pairs in (1, 2):
        half = [(sp.Symbol(f"c{k}", real=True), letters(f"U{k}", 2), letters(f"W{k}", 2, 2))
                for k in range(pairs)]  # fmt: skip
        net = ExactTransformer(symmetric_heads(half))
        yield f"{pairs} pairs: f", bool(net.output(tokens, query) == 0)
        heads = [net.hidden(tokens, query, k + 1) for k in range(2 * pairs)]
        yield f"{pairs} pairs: h", bool(heads[:pairs] == heads[pairs:])
