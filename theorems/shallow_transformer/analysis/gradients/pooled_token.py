"""Remark 4: the pooled token is a convex combination, which bounds the gradient by U."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import sqrt

from theorems.engine import Given, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.analysis.gradients.number_of_tokens import sizes_of_gradients
from theorems.shallow_transformer.hypotheses import BOUNDED_SLOPES, TOKENS, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.gradient import slope_size
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.sampling.networks import (
    SampledNetwork,
    scaled_networks,
    sizes_of_heads,
    worst_head,
)

REMARK_4 = claim(
    "st.rem4",
    at="Remark 4",
    title="The pooled token is a convex combination, and bounds the gradient by U",
    states={
        "convex combination": [le(of.a_size, of.mean_length), le(of.mean_length, 1)],
        "gradient": le(of.U_gradient, of.c_size * of.sigma_1 / sqrt(m)),
    },
    assuming=[TOKENS, TWICE_DIFFERENTIABLE, BOUNDED_SLOPES],
    rests_on=["st.fact2", "st.lem1.u"],
)


@REMARK_4.proved("convex combination")
def convex_combination(given: Given) -> Theorem:
    """Take it over from Fact 2."""
    return given.follows(given.fact("st.fact2", "bound"))


@REMARK_4.proved("gradient")
def slope_times_mean(given: Given) -> Theorem:
    """|σ′| ≤ σ_1 and |a| ≤ 1."""
    _, of_U, _, slope, names = sizes_of_gradients(given)
    product = ONE_HEAD.follows(
        slope, names, given.fact("st.fact2", "bound"), goal=le(slope_size * of.a_size, of.sigma_1)
    )
    return given.follows(product, of_U)


@st.composite
def _unit_tokens(draw: st.DrawFn) -> tuple[SampledNetwork, float]:
    """Networks, and small read-outs with one unit token, which are next to equality."""
    net, size = draw(scaled_networks())
    small = SampledNetwork(net.c, 1e-6 * net.U, net.W, np.eye(net.tokens.shape[1])[:1], net.query)
    return draw(st.sampled_from([net, small])), size


@REMARK_4.tested("gradient", over=_unit_tokens, cases=100)
def read_out_gradient(case: tuple[SampledNetwork, float]) -> dict[Any, Any]:
    """‖∇_U f‖ for k tanh."""
    bound = stated(REMARK_4, "gradient").rhs
    worst = worst_head(sizes_of_heads(*case), of.U_gradient, bound)
    return {one: worst[one] for one in (of.U_gradient, of.c_size, of.sigma_1, m)}
