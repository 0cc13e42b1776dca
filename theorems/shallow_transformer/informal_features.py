"""Section 4, continued: what the informal theorem is said to mean, and for which widths."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, exp, log, sqrt

from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs
from symbolic.equality import equal
from symbolic.transformer_bounds import printed_formulas
from theorems.engine import (
    Choice,
    Discrepancy,
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    claims_in,
    eq,
    ge,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.hypotheses import (
    PROJECTED_DESCENT,
    SAME_QUERY,
    STEP_SIZE,
)
from theorems.shallow_transformer.letters import LETTERS, T, d, delta, delta_prime, m, n, tau
from theorems.shallow_transformer.named_premises import as_declared
from theorems.shallow_transformer.overview import (
    EVEN,
    FACTOR,
    INFORMAL,
    NOTE,
    NOTE_ON_WIDTHS,
    RUNS_OVER,
    SETTING,
    SIZE_D,
)
from theorems.shallow_transformer.overview_letters import needed
from theorems.shallow_transformer.premises import letters
from theorems.shallow_transformer.runs import CASES, Case, problem
from theorems.shallow_transformer.token_letters import logit, t, total, u_entry
from theorems.shallow_transformer.token_premises import stands_for
from theorems.shallow_transformer.token_sums import taken_apart

claim = claims_in(LETTERS)


_LOG = log(n / delta)
_SMALL = le(sqrt(SIZE_D * _LOG / m), of.accuracy)

WIDTH = claim(
    "st.informal.width",
    at="Section 4, second feature",
    title="A width that is said to make the approximation error small, if its constant is one",
    states=sentence(
        r"\forall $d, $delta, $delta_prime\ \exists C\ \forall $n, $varepsilon, $m:\quad"
        r" $m \ge C $varepsilon^{$power}\log($n/$delta) \implies"
        r" \sqrt{\frac{$D\log($n/$delta)}{$m}} \le $varepsilon",
        power=-2,
    ),
    given=[d, delta, delta_prime, n, of.accuracy, m, of.D],
    note=NOTE_ON_WIDTHS,
)


@WIDTH.refuted(severity=Severity.DEPENDENCE)
def more_and_more_samples(power: Any) -> Obligations:
    """With m = Cε⁻²log(n/δ), D log(n/δ)/(mε²) = D/C, which grows like log log n."""
    epsilon, size, second, level = sp.symbols("epsilon d delta_prime level", positive=True)
    width = FACTOR * epsilon ** Rational(power) * level  # level = log(n/δ), which is unbounded in n
    whole = size + log(width / second)
    quotient = whole * level / (width * epsilon**2)
    yield "quotient", equal(quotient, whole / FACTOR)
    yield "unbounded", sp.limit(whole / FACTOR, level, sp.oo) == sp.oo


_WIDE_ENOUGH = ge(m, 2 * needed * (d - 1 + log(2 * needed / delta_prime)))
_CORRECTED = implies(both(eq(needed, _LOG / of.accuracy**2), _WIDE_ENOUGH), _SMALL)

CORRECTED = WIDTH.corrected(
    "st.informal.width.corrected",
    title="A width that makes the approximation error small, of order log n log log n",
    states=_CORRECTED,
    given={**EVEN, **dict.fromkeys((d, delta, delta_prime, n, of.accuracy, needed))},
    note=NOTE_ON_WIDTHS,
)


@CORRECTED.proved()
def tangent_of_the_logarithm(given: Given) -> Theorem:
    """K D = K(d + log(2K/δ') + log(m/(2K))) ≤ K(d + log(2K/δ') − 1) + m/2 ≤ m, by log x ≤ x − 1."""
    over = {**as_declared(delta_prime, needed, d, n, delta, of.accuracy), **EVEN}
    first, second, where = 2 * needed / delta_prime, m / (2 * needed), list(_CORRECTED.args[0].args)
    product = facts.logarithm_of_product(first, second, over=over)
    tangent = facts.logarithm_below_tangent(second, over=over)
    level = facts.logarithm_increases(1, n / delta, over=over)
    half = facts.logarithm_increases(1, m / delta_prime, over=over)
    below = le(SIZE_D, d + log(first) + second - 1)
    short = rules.follows(below, [product, tangent], over=over)
    enough = rules.follows(le(needed * SIZE_D, m), [short], over=over, under=where)
    whole = rules.follows(
        le(SIZE_D * _LOG / m, of.accuracy**2), [enough, level], over=over, under=where
    )
    return given.follows(whole, level, half, goal=_CORRECTED)


_S = of.sigma_0 * of.nu_c + of.sigma_1 * of.nu_u + of.sigma_1 * of.nu_w
_BOUNDS = (of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w)
_B_APP = of.approximation_bound(m, n, delta, *_BOUNDS)
_SHARP_WIDTH = implies(
    ge(m, 32 * _S**2 / of.accuracy * log(2 * n / delta)), le(2 * _B_APP**2, of.accuracy)
)

SHARP_WIDTH = CORRECTED.sharpened(
    "st.informal.width.sharp",
    title="In the sharp bound no logarithm of the width is lost",
    states=_SHARP_WIDTH,
    given=[m, n, delta, of.accuracy, *_BOUNDS],
    note=NOTE_ON_WIDTHS,
)


@SHARP_WIDTH.proved()
def insert_lemma_5(given: Given) -> Theorem:
    """B_app = 4S√(log(2n/δ)/m)."""
    level, over = log(2 * n / delta), as_declared(_B_APP)
    positive = facts.logarithm_increases(1, 2 * n / delta, over=over)
    defined = [ge(level, 0)]
    definition = stands_for("the bound of Lemma 5", eq(_B_APP, _B_APP.unfolded()), under=defined)
    square = rules.follows(eq(_B_APP**2, 16 * _S**2 * level / m), [definition, positive], over=over)
    return given.follows(square, positive, goal=_SHARP_WIDTH)


ANY = claim(
    "st.informal.any_width",
    at="Section 4, first feature",
    title="The decomposition for any width",
    states=sentence(r"\text{the decomposition holds for any } $tau, $m \ge $least", least=1),
    given=[m, tau],
    note=NOTE,
)


@ANY.refuted(severity=Severity.EDGE)
def odd_widths(least: Any) -> Obligations:
    """The symmetric initialisation, which Section 5.2 defines for even m, has no pair at m = 1."""
    yield "m/2 is no integer", (Rational(least) / 2).is_integer is False
    yield "m = 1 is allowed", bool(Rational(least) <= 1)


ANY_CORRECTED = ANY.corrected(
    "st.informal.any_width.corrected",
    title="The decomposition for any even width",
    states=sentence(
        r"\text{the decomposition holds for any } $tau \ge $one"
        r" \text{ and any even } $m \ge $least",
        one=1,
        least=2,
    ),
    given=letters(m, tau, under=[*SETTING, STEP_SIZE]),
    assuming=[*SETTING, STEP_SIZE],
    rests_on=[INFORMAL],
    note=NOTE,
)


@ANY_CORRECTED.argued(
    bridge="Pairs exhaust the heads of any even number; no other step needs more of m, and none"
    " needs more of τ than that there is a step.",
    uses=[*SETTING, STEP_SIZE],
    over=RUNS_OVER,
)
def even_widths(one: Any, least: Any) -> Obligations:
    """The smallest width has one pair, and one step is the smallest number of steps."""
    pairs = Rational(least) / 2
    yield "one pair", bool(pairs == 1)
    yield "one step", bool(Rational(one) == 1)


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
        "constants": sentence(
            r"\text{no constant of Theorem } $number \text{ contains } $T", number=1
        ),
    },
    given=letters(T, under=[PROJECTED_DESCENT, SAME_QUERY]),
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
def letters_of_the_constants(number: Any) -> Obligations:
    """The letters of the printed formulas."""
    yield "Theorem 1", bool(Rational(number) == 1)
    for name, formula in printed_formulas().items():
        yield name, all(str(letter) != "T" for letter in formula.free_symbols)


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


_ERROR = r"\frac{\|\bar\nu\|_2^{$square} + B_{\mathrm{grad},m}(\delta')}{$four\sqrt{$tau}}"

RATE = claim(
    "st.sec2.rate",
    at="Section 2, comparison (ii)",
    title="The optimisation error, with the length of sequences for the number of steps",
    states=sentence(
        _ERROR + r" = O($T^{$power}) \text{ for every } $tau",
        square=2,
        four=4,
        power=Fraction(-1, 2),
    ),
    given=[T, tau],
    provenance=Provenance.EXTRACTED,
    note=NOTE,
)


def _times(four: Any, square: Any, steps: Any, scale: Any) -> Any:
    size, rest = sp.symbols("nu B_grad", positive=True)
    return scale * (size ** Rational(square) + rest) / (Rational(four) * sqrt(steps))


@RATE.refuted(severity=Severity.SLIP)
def longer_sequences(four: Any, square: Any, power: Any) -> Obligations:
    """√T times the term is unbounded in T, for τ is another number; with τ = T it is not."""
    length, steps = sp.symbols("T tau", positive=True)
    scale = length ** -Rational(power)
    yield "unbounded", sp.limit(_times(four, square, steps, scale), length, sp.oo) == sp.oo
    same = sp.limit(_times(four, square, length, scale), length, sp.oo)
    yield "bounded if T is the number of steps", bool(same.is_finite)


STEPS = RATE.corrected(
    "st.sec2.rate.corrected",
    title="The optimisation error decreases with the number of steps",
    states=sentence(
        _ERROR + r" = O($tau^{$power}) \text{ for every } $T",
        square=2,
        four=4,
        power=Fraction(-1, 2),
    ),
    given=[T, tau],
    note=NOTE,
    excused={"domain of T": "true as well: the length is in neither side"},
)


@STEPS.argued(bridge="The gradient's bound has neither τ nor T in it.", over={tau: integers(1)})
def rate_in_steps(four: Any, square: Any, power: Any) -> Obligations:
    """The error over the rate is a positive number, which Theorem 1 divides by 4."""
    steps, size, rest = sp.symbols("tau nu B_grad", positive=True)
    limit = sp.limit(_times(four, square, steps, steps ** -Rational(power)), steps, sp.oo)
    yield "bounded", bool(limit.is_finite)
    yield "no faster", equal(limit, (size**2 + rest) / 4)
