"""Appendix B.1: what the norms of mean Jacobians measure, which Figure 2 shows."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Expr, Reals, S, Symbol, exp, sqrt

from numeric.networks.recurrent import RecurrentParameters, jacobian_in_w
from numeric.networks.transformer import SINE, TANH, Inputs, gradients, sample_heads
from theorems.engine import Given, Provenance, Rounded, both, eq, implies, rules
from theorems.engine.rules import E, Operator, Theorem, Vector, act, inner
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer.hypotheses import ODD_ACTIVATION, ODD_QUERY, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters.experiment import (
    W_slope,
    W_slope_opposite,
    rnn_slope,
    rnn_slope_opposite,
    slope_law,
    slope_law_opposite,
)
from theorems.shallow_transformer.letters.gradient import activation, activation_slope
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.letters.pooled import tokens
from theorems.shallow_transformer.letters.token import t, total
from theorems.shallow_transformer.premises.lines.along_a_line import along, moved
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD
from theorems.shallow_transformer.premises.networks import family, what_is_assumed
from theorems.shallow_transformer.premises.token_sums import added, taken_apart
from theorems.shallow_transformer.recurrent.jacobian import SIGMA, STEEP, UNIT, N, Unit, X, states_on_a_line
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
    assuming=_ODD,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_Z, _y = (Symbol(name, real=True) for name in "zy")
#: The unit at -X.
_THERE = Unit(
    lambda n: -UNIT.input(n), *(family(f"{one} at -X") for one in ("preactivation", "slope", "state"))
)


def _parity(given: Given, place: Expr) -> list[Theorem]:
    """σ(−z) = −σ(z), and σ'(−z) = σ'(z), as −σ(−·) has the derivative σ'(−·) by the chain rule.

    It is the function σ itself, and has the derivative σ'.
    """
    law = what_is_assumed(given, TWICE_DIFFERENTIABLE, derivative(STEEP(_y), SIGMA(_y), _y, Reals))
    turned = rules.chained(law, rules.differentiated(-_Z, _Z, Reals))
    opposite = rules.differentiated(-_y, _Z, Reals, {_y: turned})
    odd = what_is_assumed(given, ODD_ACTIVATION, eq(SIGMA(-_Z), -SIGMA(_Z)))
    itself = what_is_assumed(given, ODD_ACTIVATION, derivative(STEEP(_Z), -SIGMA(-_Z), _Z, Reals))
    return [one.at({_Z: place}) for one in (odd, rules.equal_rates(itself, opposite))]


@METRIC.proved("IndRNN")
def parity_of_the_recursion(given: Given) -> Theorem:
    """Preactivations and their slopes change their signs with the input, and the slopes of states do."""
    units, weight = (UNIT, _THERE), Symbol("w_i", real=True)
    runs = [[one.at({X: weight}) for one in states_on_a_line(given, unit)] for unit in units]
    (z, slope), (z_, slope_) = ((one.preactivation(N, weight), one.slope(N, weight)) for one in units)
    odd, signs = _parity(given, z), both(eq(z_, -z), eq(slope_, -slope))
    recursions = [states for _, states in runs]
    start = [states.at({N: S.Zero}) for states in recursions]
    each = rules.induction(signs, N, 0, base=start, step=[*recursions, *odd])
    changes = [one.change(N, weight) for one in units]
    known = [rate for rate, _ in runs]
    turned = NETWORKS.follows(each, *known, *odd, goal=eq(changes[1], -changes[0]))
    last, behind = Symbol("last step", integer=True, nonnegative=True), Symbol("c_i over √m", real=True)
    ends = NETWORKS.meaning(
        "the derivatives by the recurrent weight after all steps, times the output weight over √m",
        *(
            eq(name, behind * change.xreplace({N: last}))
            for name, change in zip((rnn_slope, rnn_slope_opposite), changes, strict=True)
        ),
    )
    return given.concluded(turned.at({N: last}), ends)


class _Tokens:
    """Logits, inner products with U and coordinates of the tokens of an input, and an entry of its query."""

    def __init__(self, name: str) -> None:
        names = "logit", "read-out", "coordinate of a token"
        self.logit, self.read_out, self.coordinate = (family(f"{one} at {name}")(t) for one in names)
        self.entry = Symbol(f"entry of q at {name}", real=True)

    def preactivation(self) -> Expr:
        """⟨U, a⟩ along W + sE_kj, where a logit ⟨X_t, Wq⟩ moves with X_tk q_j."""
        odds = exp(self.logit + along * self.coordinate * self.entry)
        return total(odds * self.read_out) / total(odds)

    def mean(self, of: Expr) -> Expr:
        """The mean of values of tokens at W."""
        odds = exp(self.logit)
        return total(odds * of) / total(odds)

    def covariance(self) -> Expr:
        """That of ⟨U, X_t⟩ and a coordinate of a token."""
        product = self.read_out * self.coordinate
        return self.mean(product) - self.mean(self.read_out) * self.mean(self.coordinate)

    def values(self) -> list[Expr]:
        """What is summed with exponentials of logits in the preactivation and its derivative."""
        return [S.One, self.read_out, self.coordinate, self.read_out * self.coordinate]


def _opposite_tokens(given: Given, here: _Tokens, there: _Tokens) -> list[Theorem]:
    """Sums with one factor of a token change their signs; logits have two factors, and do not change."""
    U, W, q, token = Vector("U"), Operator("W"), Vector("q"), tokens(t)
    meant = ONE_HEAD.meaning(
        "logits, read-outs and coordinates of the tokens X_t with the query q, and of -X_t with -q",
        *(eq(here.logit, inner(token, act(W, q))), eq(there.logit, inner(-token, act(W, -q)))),
        *(eq(here.read_out, inner(U, token)), eq(there.read_out, inner(U, -token))),
        eq(there.coordinate, -here.coordinate),
    )
    query = what_is_assumed(given, ODD_QUERY, eq(there.entry, -here.entry))
    found = [query]
    for value, other, sign in zip(here.values(), there.values(), (1, -1, -1, 1), strict=True):
        odds = exp(here.logit) * value, exp(there.logit) * other
        each = added(ONE_HEAD.follows(meant, goal=eq(odds[1], sign * odds[0])))
        found += [each, *taken_apart(each)]
    return found


@METRIC.proved("transformer")
def parity_of_the_gradient(given: Given) -> Theorem:
    """The network has the slope cσ'(z)(MU)_k q_j/√m along an entry of W, where z is odd and σ' even."""
    weight, others = (Symbol(name, real=True) for name in ("c_i", "other heads"))
    inputs, slopes = (_Tokens("X"), _Tokens("-X")), []
    z, turned = (
        [Symbol(f"{what} at {name}", real=True) for name in ("X", "-X")] for what in ("z", "entry of MU")
    )
    meant = ONE_HEAD.meaning(
        "preactivations, and entries of MU for the covariance M of the tokens",
        *(eq(value, one.mean(one.read_out)) for value, one in zip(z, inputs, strict=True)),
        *(eq(value, one.covariance()) for value, one in zip(turned, inputs, strict=True)),
    )
    for one, name, place, entry in zip(inputs, (W_slope, W_slope_opposite), z, turned, strict=True):
        network = (weight * activation(one.preactivation()) + others) / sqrt(m)
        form = eq(name, weight * activation_slope(place) * entry * one.entry / sqrt(m))
        slopes.append(ONE_HEAD.follows(*moved(network, 1, name), meant, goal=form))
    names = ONE_HEAD.meaning(
        "the activation and its slope", *(eq(SIGMA(_Z), activation(_Z)), eq(STEEP(_Z), activation_slope(_Z)))
    )
    even = [*_parity(given, z[0]), *(names.at({_Z: one}) for one in (z[0], -z[0]))]
    query, *sums = _opposite_tokens(given, *inputs)
    known = [ONE_HEAD.follows(*sums, meant, goal=eq(*one)) for one in ((z[1], -z[0]), (turned[1], turned[0]))]
    return given.concluded(*slopes, *known, query, *even)


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
