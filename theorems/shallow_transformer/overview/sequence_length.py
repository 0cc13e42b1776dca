"""Section 4, third feature: the length of the sequences is nowhere in the bound."""

from inspect import signature
from typing import Any

import numpy as np
import sympy as sp
from sympy import exp

from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs
from symbolic.equality import equal
from theorems.engine import Choice, Discrepancy, Given, Obligations, eq, sentence
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.hypotheses import PROJECTED_DESCENT, SAME_QUERY
from theorems.shallow_transformer.letters.constants import PRINTED
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.letters.token import logit, t, total, u_entry
from theorems.shallow_transformer.overview.informal_theorem import NOTE
from theorems.shallow_transformer.premises.token_sums import taken_apart
from theorems.shallow_transformer.sampling.runs import CASES, Case, problem

_TWICE = eq(
    total(2 * exp(logit(t)) * u_entry(t)) / total(2 * exp(logit(t))),
    total(exp(logit(t)) * u_entry(t)) / total(exp(logit(t))),
)

LENGTH = claim(
    "st.informal.length",
    at="Section 4, third feature",
    title="No explicit dependence on the length of sequences",
    states={
        "means": _TWICE,
        "losses": sentence(
            r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) \text{ is the same for } (X_1, \dots, X_T)"
            r" \text{ and } $longer",
            longer=Choice(r"(X_1, X_1, \dots, X_T, X_T)", "each token twice"),
        ),
        "constants": sentence(r"\text{no constant of the first theorem contains } $T"),
    },
    assuming=[PROJECTED_DESCENT, SAME_QUERY],
    note=NOTE,
    excused={"domain of eta": "true as well: without a step all losses are means over tokens, too"},
)


@LENGTH.proved("means")
def each_token_twice(given: Given) -> Theorem:
    """Σ_t e^{z_t}g(X_t)/Σ_t e^{z_t} is unchanged for every g, hence a, M, f and ∇f are."""
    return given.follows(*taken_apart(_TWICE), goal=_TWICE)


@LENGTH.argued(
    "losses",
    bridge="Weights, pooled tokens, covariances, outputs and gradients are means over tokens, which"
    " are unchanged by the part before, and with them every step.",
    uses=[PROJECTED_DESCENT, SAME_QUERY],
)
def means_of_two_tokens(longer: Any) -> Obligations:
    """Two tokens in letters: their mean if one or both are repeated."""
    first, second, g, h = sp.symbols("e_1 e_2 g_1 g_2", positive=True)
    one, two = {"each token twice": (2, 2), "one more token": (1, 2)}[longer]
    found = (one * first * g + two * second * h) / (one * first + two * second)
    yield "mean", equal(found, (first * g + second * h) / (first + second))


@LENGTH.argued("constants", bridge="These formulas are all constants of Theorem 1.")
def letters_of_the_constants() -> Obligations:
    """The letters of the printed formulas."""
    for name, formula in PRINTED.items():
        yield name, "T" not in signature(formula).parameters


@LENGTH.tested(
    "losses",
    over=CASES,
    controls={"one_token": {"longer": Choice(r"(X_1, \dots, X_T, X')", "one more token")}},
    cases=20,
)
def repeated_tokens(case: Case, longer: Any) -> Discrepancy:
    """Runs on sequences with every token twice; with one token more the losses differ."""
    given = problem(case)
    inputs = given.inputs
    if longer == "each token twice":
        tokens = np.repeat(inputs.tokens, 2, axis=1)
    else:
        tokens = np.concatenate([inputs.tokens, np.roll(inputs.queries, 1, axis=0)[:, None]], 1)
    losses = [
        projected_descent(
            given.initial,
            Inputs(one, inputs.queries),
            given.labels,
            given.activation,
            given.regime.rho,
            steps=case.steps + 1,
        ).losses
        for one in (inputs.tokens, tokens)
    ]
    # Up to 11 steps of a map that stretches by at most 1 + ηB, with sums of 2^7 terms: 2^-53 grows
    # by less than 2^20 at these sizes (labels and gradients are below 2^5).
    return Discrepancy(float(np.abs(losses[0] - losses[1]).max()), 2.0**-30)
