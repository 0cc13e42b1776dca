"""Appendix B.1: what the norms of mean Jacobians measure, which Figure 2 shows."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Function, S, Symbol

from numeric.networks.recurrent import RecurrentParameters, jacobian_in_w
from numeric.networks.transformer import SINE, TANH, Inputs, gradients, sample_heads
from theorems.engine import Given, Provenance, Rounded, both, eq, implies, rules
from theorems.engine.rules import E, Theorem
from theorems.shallow_transformer.hypotheses import ODD_ACTIVATION, ODD_QUERY, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters.experiment import (
    W_slope,
    W_slope_opposite,
    rnn_slope,
    rnn_slope_opposite,
    slope_law,
    slope_law_opposite,
)
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import letters, what_is_assumed
from theorems.shallow_transformer.sampling.run_balls import Point

_NOTE = "proofs_notes/st_figures.md#figure-2"
_ODD = (ODD_ACTIVATION, ODD_QUERY, TWICE_DIFFERENTIABLE)

METRIC = claim(
    "st.fig2.metric",
    at="after Proposition 2, maximal Jacobian norms",
    title="The mean Jacobian cancels between X and −X: its norm bounds no single Jacobian",
    states={
        "IndRNN": eq(rnn_slope_opposite, -rnn_slope),
        "transformer": eq(W_slope_opposite, -W_slope),
        "symmetric laws": implies(
            both(eq(E(slope_law_opposite), -E(slope_law)), eq(E(slope_law), E(slope_law_opposite))),
            eq(E(slope_law), 0),
        ),
    },
    given=letters(
        *(rnn_slope, rnn_slope_opposite, W_slope, W_slope_opposite),
        *(slope_law, slope_law_opposite),
        under=_ODD,
    ),
    assuming=_ODD,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_n = Symbol("n_1", integer=True, nonnegative=True)
_Z = Symbol("z", real=True)
_SIGMA, _SLOPE = Function("sigma", real=True), Function("sigma'", real=True)


def _parity(given: Given, *places: Any) -> list[Theorem]:
    """σ(−z) = −σ(z) and σ'(−z) = σ'(z), at these arguments."""
    odd = what_is_assumed(given, ODD_ACTIVATION, eq(_SIGMA(-_Z), -_SIGMA(_Z)), eq(_SLOPE(-_Z), _SLOPE(_Z)))
    return [odd.at({_Z: one}) for one in places]


@METRIC.proved("IndRNN")
def parity_of_the_recursion(given: Given) -> Theorem:
    """h_t and e_t change their signs, by e_t = σ'(z_t)(h_{t−1} + w e_{t−1})."""
    state, other, slope, opposite, token = (
        Function(name, real=True) for name in ("h", "h of -X", "e", "e of -X", "u")
    )
    weight, last = Symbol("w_i", real=True), Symbol("last step", integer=True, nonnegative=True)
    here = token(_n) + weight * state(_n)
    there = -token(_n) + weight * other(_n)
    run = NETWORKS.meaning(
        "the states and derivatives at X and at -X",
        *(eq(one(0), 0) for one in (state, other, slope, opposite)),
        eq(state(_n + 1), _SIGMA(here)),
        eq(other(_n + 1), _SIGMA(there)),
        eq(slope(_n + 1), _SLOPE(here) * (state(_n) + weight * slope(_n))),
        eq(opposite(_n + 1), _SLOPE(there) * (other(_n) + weight * opposite(_n))),
    )
    signs = both(eq(other(_n), -state(_n)), eq(opposite(_n), -slope(_n)))
    ranges = in_networks(weight)
    start = run.at({_n: S.Zero})
    step = [run, *_parity(given, here)]
    each = rules.induction(signs, _n, 0, base=[start], step=step, over=ranges)
    ends = NETWORKS.meaning(
        "the derivatives after all steps", eq(rnn_slope, slope(last)), eq(rnn_slope_opposite, opposite(last))
    )
    final = each.at({_n: last})
    return given.concluded(final, ends)


@METRIC.proved("transformer")
def parity_of_the_gradient(given: Given) -> Theorem:
    """∇_W f has the factor σ'(U·a) M U qᵀ with a odd, M even (a covariance) and q odd.

    Logits X_tᵀ W q do not change, as both factors change their signs.
    """
    scale, spread, query, inner = (
        Symbol(name, real=True) for name in ("c_i", "entry of MU", "entry of q", "U.a")
    )
    other = Symbol("entry of q at -X", real=True)
    here, there = _SLOPE(inner) * spread * query, _SLOPE(-inner) * spread * other
    gradient = NETWORKS.meaning(
        "the gradients by W at X and at -X, whose attention weights are the same",
        eq(W_slope, scale * here),
        eq(W_slope_opposite, scale * there),
    )
    odd = what_is_assumed(given, ODD_QUERY, eq(other, -query))
    return given.concluded(gradient, odd, *_parity(given, inner))


@METRIC.proved("symmetric laws")
def mean_of_an_odd_function(given: Given) -> Theorem:
    """The mean at X is that at −X, which is its opposite."""
    return given.concluded()


_NETWORKS = st.tuples(
    st.integers(1, 20), st.integers(1, 3), st.integers(0, 10**6), st.sampled_from([TANH, SINE])
)


def _gradients(case: tuple[Any, ...], transformer: bool) -> tuple[float, float]:
    """The largest entry of a gradient at X, and the same at −X."""
    steps, d, seed, activation = case
    rng = np.random.default_rng(seed)
    tokens = rng.standard_normal((1, steps, d + 1))
    both_ = np.concatenate([tokens, -tokens])
    if transformer:
        heads = sample_heads(4, d + 1, rng)
        found = gradients(heads, Inputs(both_, both_[:, -1]), activation).W
    else:
        phi = RecurrentParameters(
            rng.standard_normal((4, d + 1)), rng.uniform(-1, 1, 4), rng.standard_normal(4)
        )
        found = jacobian_in_w(phi, both_, activation)
    here, there = found.reshape(2, -1)
    place = int(np.abs(here).argmax())
    return float(here[place]), float(there[place])


@METRIC.tested("IndRNN", over=_NETWORKS)
def recurrent_pairs(case: tuple[Any, ...]) -> Point:
    """The largest derivative at X, and at −X."""
    here, there = _gradients(case, transformer=False)
    # The same operations with signs changed; exponents and products of size at most some tens.
    return {rnn_slope: here, rnn_slope_opposite: Rounded(there, 1e-12 * abs(here))}


@METRIC.tested("transformer", over=_NETWORKS)
def attention_pairs(case: tuple[Any, ...]) -> Point:
    """The largest entry of the gradient at X, and at −X."""
    here, there = _gradients(case, transformer=True)
    # The same operations with signs changed; exponents and products of size at most some tens.
    return {W_slope: here, W_slope_opposite: Rounded(there, 1e-12 * abs(here))}
