"""Section 5.4, (11): the transported parameters, at which the linear model is an empirical mean.

That they lie in the feasible set is Remark 10, in ``analysis/target_and_radius``.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Symbol, sqrt

from numeric.networks.transformer import TANH, Heads, Inputs, features, linear_model, symmetric_initialisation
from theorems.engine import Choice, Discrepancy, Given, Obligations, Provenance, Rounded, eq, sentence
from theorems.engine.rules import E, Theorem, inner
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters.feature import (
    U_start,
    W_start,
    g_sum,
    g_value,
    lin_at_tilde,
    lin_random,
    random_family,
    target_value,
    u_feature,
    u_map,
    v_c,
    value,
    w_feature,
    w_map,
)
from theorems.shallow_transformer.letters.gradient import output_start
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.letters.run import c_start
from theorems.shallow_transformer.premises.kernels import G, value_of_the_function
from theorems.shallow_transformer.premises.lines.network_on_a_line import slope_of_the_network
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    family,
    letters,
    linear,
    total,
    what_is_assumed,
)

_NOTE = "proofs_notes/st_function_space.md#transport"
_PAIRED = (*hyp.SYMMETRIC_START, hyp.TWICE_DIFFERENTIABLE)

MEAN = claim(
    "st.eq11.mean",
    at="Equation (11)",
    title="At the transported parameters the linear model is an empirical mean",
    states={
        "mean": eq(lin_at_tilde, g_sum / m),
        "one head": eq(
            g_value(i), value(i) * v_c(i) + inner(u_feature(i), u_map(i)) + inner(w_feature(i), w_map(i))
        ),
    },
    given=letters(lin_at_tilde, g_sum, m, i, under=_PAIRED),
    assuming=_PAIRED,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.rem5"],
    note=_NOTE,
)


#: The gain of a head: the derivative of the network along the way (11) of its parameters.
_GAIN = family("gain")


@MEAN.proved("one head")
def three_parts_of_a_head(given: Given) -> Theorem:
    """The way times the gradient, m times: the factors √m and the signs cancel.

    Along (δc, δθ) the network has the slope (δc h + cDh)/√m, where ∇h is (φ_u, φ_w).
    """
    weight, way_of_c = family("c")(i), Symbol("way of c", real=True)
    law, whole, here, along = slope_of_the_network(given, "at the start", weight, way_of_c)
    ways = [inner(phi(i), weight * v(i) / sqrt(m)) for phi, v in ((u_feature, u_map), (w_feature, w_map))]
    way = NETWORKS.meaning(
        "the gain of a head, along the way (11), and g as m times that",
        *(eq(_GAIN(i), whole), eq(here, value(i)), eq(along, sum(ways))),
        *(eq(way_of_c, v_c(i) / sqrt(m)), eq(g_value(i), m * _GAIN(i))),
    )
    return given.concluded(law, way, what_is_assumed(given, hyp.UNIT_SIGNS, eq(weight**2, 1)))


@MEAN.proved("mean")
def symmetric_start(given: Given) -> Theorem:
    """f vanishes at the start by st.rem5; each head gains g_i/m."""
    model = NETWORKS.meaning(
        "the linear model: the output at the start, and the gains of all heads",
        eq(lin_at_tilde, output_start + total(_GAIN(i), i, m)),
    )
    shares = NETWORKS.meaning("g as m times the gain", eq(g_value(i), m * _GAIN(i)))
    gains = added(NETWORKS.follows(shares, goal=eq(_GAIN(i), g_value(i) / m)), i, m)
    mean = NETWORKS.meaning("the sum of g", eq(g_sum, total(g_value(i), i, m)))
    zero = given.fact("st.rem5", "output")
    return given.concluded(model, zero, gains, linear(gains.statement.rhs), mean)


def _bounded_map(rng: np.random.Generator, start: Heads) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values of some v(φ_i) that depend on all of φ_i, the sign of c included."""
    A = rng.standard_normal(start.d)
    wave = np.cos(start.U @ A + start.W[:, 0, 0]) + start.c
    return wave, np.tanh(start.U) * start.c[:, None], np.sin(start.W) + wave[:, None, None]


_NETWORKS = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))


def _linear_model(case: tuple[int, int, int, int], half: float, sign: int) -> tuple[float, float, int]:
    """The linear model at the parameters (11), and the sum of g over all heads."""
    pairs_of_heads, d, T, seed = case
    rng = np.random.default_rng(seed)
    start = symmetric_initialisation(2 * pairs_of_heads, d, rng)
    X = Inputs(rng.uniform(-1, 1, (1, T, d)), rng.uniform(-1, 1, (1, d)))
    v_c, v_u, v_w = _bounded_map(rng, start)
    scale, c = float(start.m) ** -half, start.c**sign
    moved = Heads(
        start.c + v_c * scale, start.U + c[:, None] * v_u * scale, start.W + c[:, None, None] * v_w * scale
    )
    phi = features(start, X, TANH)
    g = phi.c * v_c + np.sum(phi.U * v_u, axis=2) + np.sum(phi.W * v_w, axis=(2, 3))
    model = linear_model(start, moved, X, TANH, threads=1)
    return float(model[0]), float(g.sum()), start.m


@MEAN.tested("mean", over=_NETWORKS, cases=60)
def linear_models(case: tuple[int, int, int, int]) -> Mapping[Symbol, Any]:
    """The code's linear model at the transported parameters, and the sum over its features."""
    model, total_of_g, width = _linear_model(case, 0.5, 1)
    # Sums of at most 8·(1 + 4 + 16) products of size 10, and differences of parameters.
    return {lin_at_tilde: Rounded(model, 5e-12), g_sum: Rounded(total_of_g, 5e-12), m: width}


_RANDOM = (*hyp.RANDOM_START, *hyp.REGULAR, hyp.SQUARE_INTEGRABLE_MAP)
_HALF = Fraction(1, 2)

EQUATION = claim(
    "st.eq11",
    at="Equation (11)",
    title="The transported parameters, at which the mean of the linear model is the target",
    states={
        "point": sentence(
            r"\tilde c_i = $c_start + s v_c,\quad"
            r" (\tilde U_i, \tilde W_i) = ($U_start, $W_start) + $sign s (v_u, v_w),\quad"
            r" s = $m^{-$half} \implies $lin_at_tilde = $m^{-$one} $g_sum",
            half=_HALF,
            sign=Choice(r"c_i^{(0)}", 1),
            one=1,
        ),
        "mean": eq(E(lin_random), target_value),
    },
    given=letters(
        *(lin_random, target_value, lin_at_tilde, g_sum, c_start, U_start, W_start, m), under=_RANDOM
    ),
    assuming=_RANDOM,
    rests_on=[MEAN],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of sigma_0": "true as well: what is bounded by 0 has positive bounds, too",
        "domain of sigma_1": "true as well: what is bounded by 0 has positive bounds, too",
    },
)


@EQUATION.proved("mean")
def equal_laws(given: Given) -> Theorem:
    """All heads have the same law, those of the second half with the other sign: the mean is f̃.

    At each draw of the heads the linear model is the empirical mean of st.eq11.mean.
    """
    given.require(*_RANDOM)
    g, values = random_family("g", "g"), family("g of a head")
    model, whole = Symbol("value of the linear model", real=True), total(values(i), i, m)
    each = NETWORKS.substituted(given.fact(MEAN, "mean"), {lin_at_tilde: model, g_sum: whole})
    mean = in_the_mean(each, {model: lin_random, values: g})
    law = what_is_assumed(given, hyp.RANDOM_HEADS, eq(E(g(i)), E(G)))
    means = added(NETWORKS.follows(law, value_of_the_function(), goal=eq(E(g(i)), target_value)), i, m)
    return given.concluded(mean, means, linear(means.statement.rhs))


@EQUATION.argued(
    "point",
    bridge="What holds for two pairs of heads, whatever their signs and features, holds"
    " for any number of pairs: the terms of each pair are treated alike.",
)
def signs_and_scales(half: Any, sign: int, one: int) -> Obligations:
    """m^(-1/2)(φ_c, c φ_u, c φ_w) times m^(-1/2)(v_c, c v_u, c v_w), with c² = 1; f(·; φ⁽⁰⁾) = 0.

    The derivative in c has no factor c, and so the shift of c has none either.
    """
    heads_of_one_half, count = 2, 4
    signs = sp.symbols(f"c1:{heads_of_one_half + 1}", real=True)
    shared = sp.symbols(f"h1:{heads_of_one_half + 1}", real=True) * 2
    root, scale = sp.sqrt(count), sp.Integer(count) ** -sp.Rational(half)
    model, mean = sp.S.Zero, sp.S.Zero
    for k, (c, h) in enumerate(zip([*signs, *(-c for c in signs)], shared, strict=True)):
        inner_u, inner_w, shift = sp.symbols(f"u{k} w{k} v{k}", real=True)
        model += c * h / root  # f at the initialisation
        model += h / root * scale * shift
        model += c * (inner_u + inner_w) / root * scale * c**sign
        mean += sp.Integer(count) ** -sp.Rational(one) * (h * shift + inner_u + inner_w)
    gap = sp.expand(model - mean).subs({c**2: 1 for c in signs})
    yield "empirical mean", bool(sp.expand(gap) == 0)


@EQUATION.tested("point", over=_NETWORKS, cases=60, controls={"no_sign": {"sign": 0}})
def moved_parameters(case: tuple[int, int, int, int], half: Any, sign: int, one: int) -> Discrepancy:
    """The code's linear model at these parameters against the mean of its features."""
    model, total_of_g, width = _linear_model(case, float(half), sign)
    # Sums of at most 8·(1 + 4 + 16) products of size 10, and differences of parameters.
    return Discrepancy(float(model - width ** -float(one) * total_of_g), 1e-11)
