"""Section 4: the informal theorem, its remarks, and the widths that it says suffice.

D = d + log(m/δ'), at least 1. "≲" hides a constant that depends on σ̄, ν̄ and ρ only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs
from symbolic.equality import decide_at_least, equal
from theorems.engine import (
    Discrepancy,
    Obligations,
    Provenance,
    claim,
    integers,
    open_interval,
)
from theorems.engine.domain import Domain
from theorems.shallow_transformer.runs import CASES, Case, problem

_NOTE = "proofs_notes/st_descent.md"
_GIVEN: dict[str, Domain] = {
    "m": integers(2),
    "d": integers(1),
    "n": integers(1),
    "tau": integers(1),
    "delta": open_interval(0, 1),
    "delta_prime": open_interval(0, 1),
}
_D, _M, _C = sp.symbols("D m C", positive=True)
_EVENT = "with probability at least 1 − δ − δ', for f* in F_ν̄, m even"

ORDERS = claim(
    "st.informal.orders",
    at="Section 4",
    title="The Lipschitz constant is of order √D",
    states=r"1 + B_{U,m}(\delta')^2 \le (7 + \tfrac32\rho_u^2)D, \quad D = d + \log(m/\delta')",
    given=_GIVEN,
    rests_on=["st.eq9"],
    note=f"{_NOTE}#the-informal-theorem",
)


@ORDERS.proved(controls={"smaller": {"constant": 5}, "third": {"share": sp.Rational(1, 2)}})
def three_squares(constant: int = 7, share: Any = sp.Rational(3, 2)) -> Obligations:
    """(x + y + z)² ≤ 3(x² + y² + z²); log(m/(2δ')) = log(m/δ') − log 2, and D ≥ 1, m ≥ 2."""
    x, y, z = sp.symbols("x y z", real=True)
    gap = 3 * (x**2 + y**2 + z**2) - (x + y + z) ** 2
    yield "three squares", equal(gap, (x - y) ** 2 + (y - z) ** 2 + (x - z) ** 2)
    rest, level = sp.symbols("rest level", nonnegative=True)  # d = 1 + rest
    # level = log(m/(2δ')) ≥ 0, so that D = 1 + rest + level + log 2.
    gap = constant * (1 + rest + level + sp.log(2)) - 1 - 3 * (1 + rest + 2 * level)
    yield "without ρ_u", all(bool(c >= 0) for c in sp.Poly(gap, rest, level).coeffs())
    yield "ρ_u²/m ≤ ρ_u²/2, D ≥ 1", bool(share >= sp.Rational(3, 2))


INFORMAL = claim(
    "st.informal",
    at="Section 4, informal theorem",
    title="Errors of optimisation, approximation and linearisation",
    states=(
        r"\widehat{\mathcal{L}}_n(\bar\varphi^{(\tau)}) \lesssim \frac{D^2}{\sqrt\tau} +"
        r" \sqrt{\frac{D\log(n/\delta)}{m}} + \sqrt{\frac{D^3}{m}}"
    ),
    given=_GIVEN,
    assuming=_EVENT,
    rests_on=["st.thm1", ORDERS, "st.def1", "st.lem5", "classical.union"],
    note=f"{_NOTE}#the-informal-theorem",
)


@INFORMAL.proved(
    controls={"smaller_order": {"cube": 2}, "no_case": {"trivial": False}, "lower": {"power": 1}}
)
def compare_terms(cube: int = 3, trivial: bool = True, power: int = 2) -> Obligations:
    """L_1 ≤ C√D, L_2 ≤ CD: L_1⁴ ≤ C⁴D², L_1B_lin ≤ C²√(D³/m); B_lin² needs two cases.

    B_lin² ≤ C²D²/m. For m ≥ D that is at most √(D³/m). For m ≤ D the loss itself is, for it is at
    most (f_max + y_max)² ≤ CD.
    """
    lipschitz, smoothness = _C * sp.sqrt(_D), _C * _D
    yield "descent", equal(lipschitz**4, _C**4 * _D**power)
    right = sp.sqrt(_D**cube / _M)
    yield "linearisation", equal(lipschitz * smoothness / sp.sqrt(_M), _C**2 * right)
    level = sp.Symbol("level", nonnegative=True)  # log(n/δ)
    both = sp.sqrt(level) + sp.sqrt(sp.log(2))
    gap = sp.expand(both**2 - (level + sp.log(2)))
    yield "√log(2n/δ) ≤ √log(n/δ) + √log 2", decide_at_least(gap, sp.Integer(0)).answer
    more = sp.Symbol("more", nonnegative=True)
    wide = (right**2 - (_D**2 / _M) ** 2).subs(_M, _D + more)
    yield "m ≥ D", decide_at_least(sp.factor(wide), sp.Integer(0)).answer
    bound = _D if trivial else _D**2 / _M
    narrow = (right**2 - bound**2).subs(_D, _M + more)
    yield "m ≤ D", decide_at_least(sp.factor(narrow), sp.Integer(0)).answer


SHARP = INFORMAL.sharpened(
    "st.informal.sharp",
    title="The informal theorem with rates 1/τ and 1/m",
    states=(
        r"\widehat{\mathcal{L}}_n(\bar\varphi^{(\tau)}) \lesssim \frac{D}{\tau} +"
        r" \frac{\log(n/\delta) + D^2}{m}, \quad \eta = \frac{1}{4A^2}"
    ),
    given=_GIVEN,
    assuming=_EVENT,
    rests_on=["st.thm1.sharp", "st.eq43.sharp", ORDERS, "st.lem5", "classical.union"],
    note=f"{_NOTE}#the-informal-theorem",
)


@SHARP.proved(controls={"linear": {"power": 1}, "two_squares": {"factor": 2}})
def squares_of_errors(power: int = 2, factor: int = 3) -> Obligations:
    """E² ≤ 3(B_app² + B_lin² + B_CoF²) and (√mean + 2B)² ≤ 2 mean + 8B²; A² ≤ C²D."""
    x, y, z = sp.symbols("x y z", real=True)
    gap = factor * (x**2 + y**2 + z**2) - (x + y + z) ** 2
    yield "three squares", equal(gap, (x - y) ** 2 + (y - z) ** 2 + (x - z) ** 2)
    yield "average", equal(2 * x**2 + 8 * y**2 - (x + 2 * y) ** 2, (x - 2 * y) ** 2)
    yield "linearisation", equal((_C * _D / sp.sqrt(_M)) ** 2, _C**2 * _D**power / _M)


WIDTH = claim(
    "st.informal.width",
    at="Section 4, second feature",
    title="A width that is said to make the approximation error small",
    states=(
        r"\exists C\colon\ m \ge C\varepsilon^{-2}\log(n/\delta) \implies"
        r" \sqrt{\frac{D\log(n/\delta)}{m}} \le \varepsilon"
    ),
    given={**_GIVEN, "epsilon": open_interval(0, 1)},
    assuming="C depends on σ̄, ν̄, ρ, and may depend on d, δ and δ' too, but not on n and ε",
    note=f"{_NOTE}#the-width-that-suffices",
)


@WIDTH.refuted(controls={"without_the_logarithm": {"logarithm": 0}})
def more_and_more_samples(logarithm: int = 1) -> Obligations:
    """With m = Cε⁻²log(n/δ), D log(n/δ)/(mε²) = D/C, which grows like log log n."""
    epsilon, d, second = sp.symbols("epsilon d delta_prime", positive=True)
    level = sp.Symbol("level", positive=True)  # log(n/δ), which is unbounded in n
    m = _C / epsilon**2 * level
    D = d + logarithm * sp.log(m / second)
    quotient = D * level / (m * epsilon**2)
    yield "quotient", equal(quotient, D / _C)
    yield "unbounded", sp.limit(D / _C, level, sp.oo) == sp.oo


CORRECTED = WIDTH.corrected(
    "st.informal.width.corrected",
    title="A width that makes the approximation error small",
    states=(
        r"m \ge 2K\bigl(d - 1 + \log(2K/\delta')\bigr),\ K = \varepsilon^{-2}\log(n/\delta)"
        r" \implies \sqrt{\frac{D\log(n/\delta)}{m}} \le \varepsilon"
    ),
    given={**_GIVEN, "epsilon": open_interval(0, 1)},
    assuming="so the width grows like log n log log n; m even, n > δ",
    note=f"{_NOTE}#the-width-that-suffices",
)


@CORRECTED.proved(controls={"without_the_two": {"two": 1}, "no_one": {"one": 2}})
def tangent_of_the_logarithm(two: int = 2, one: int = 1) -> Obligations:
    """K D = K(d + log(2K/δ') + log(m/(2K))) ≤ K(d + log(2K/δ') − 1) + m/2 ≤ m, by log x ≤ x − 1."""
    d, K, level, more = sp.symbols("d K level more", positive=True)  # level = log(2K/δ')
    m = two * K * (d - one + level) + more
    above = K * (d + level - 1) + m / 2
    gap = sp.expand(m - above)
    yield "room", equal(gap, more / 2)
    x = sp.Symbol("x", positive=True)
    slope = sp.diff(x - 1 - sp.log(x), x)
    yield "log x ≤ x − 1: slope", equal(slope, (x - 1) / x)
    yield "touches", equal((x - 1 - sp.log(x)).subs(x, 1), sp.Integer(0))


SHARP_WIDTH = CORRECTED.sharpened(
    "st.informal.width.sharp",
    title="In the sharp bound no logarithm of the width is lost",
    states=(
        r"m \ge 32S^2\varepsilon^{-1}\log(2n/\delta) \implies 2B_{\mathrm{app},m}(\delta)^2"
        r" \le \varepsilon, \quad S = \sigma_0\bar\nu_c + \sigma_1\bar\nu_u + \sigma_1\bar\nu_w"
    ),
    given={**_GIVEN, "epsilon": open_interval(0, 1)},
    assuming="2B_app² is what the approximation contributes to the loss in st.thm1.sharp, up to 3",
    rests_on=["st.thm1.sharp"],
    note=f"{_NOTE}#the-width-that-suffices",
)


@SHARP_WIDTH.proved(controls={"smaller": {"factor": 31}})
def insert_lemma_5(factor: int = 32) -> Obligations:
    """B_app = 4S√(log(2n/δ)/m)."""
    S, level, epsilon, more = sp.symbols("S level epsilon more", positive=True)
    m = 32 * S**2 * level / epsilon * sp.Rational(factor, 32) + more
    gap = epsilon - 2 * 16 * S**2 * level / m
    yield "gap", decide_at_least(sp.factor(sp.together(gap)), sp.Integer(0)).answer


ANY = claim(
    "st.informal.any_width",
    at="Section 4, first feature",
    title="The decomposition for any width",
    states=r"\text{the decomposition holds for any } \tau, m \ge 1",
    given={"m": integers(1), "tau": integers(1)},
    note=f"{_NOTE}#the-informal-theorem",
)


@ANY.refuted(controls={"even": {"m": 2}})
def odd_widths(m: int = 1) -> Obligations:
    """The symmetric initialisation pairs head i with head i + m/2: m = 1 has none."""
    half = sp.Rational(m, 2)
    yield "m/2 is no integer", half.is_integer is False


ANY_CORRECTED = ANY.corrected(
    "st.informal.any_width.corrected",
    title="The decomposition for any even width",
    states=r"\text{the decomposition holds for any } \tau \ge 1 \text{ and any even } m \ge 2",
    given={"m": integers(2), "tau": integers(1)},
    rests_on=[INFORMAL],
    note=f"{_NOTE}#the-informal-theorem",
)


@ANY_CORRECTED.proved(controls={"odd": {"step": 1}})
def even_widths(step: int = 2) -> Obligations:
    """m/2 is an integer, so that the pairs of heads exhaust [m]; no other step needs more of m."""
    for more in range(4):
        m = 2 + step * more
        yield f"m/2 for m = {m}", sp.Rational(m, 2).is_integer


LENGTH = claim(
    "st.informal.length",
    at="Section 4, third feature",
    title="No explicit dependence on the length of sequences",
    states=(
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) \text{ is the same for } (X_1, \dots, X_T)"
        r" \text{ and } (X_1, X_1, \dots, X_T, X_T), \text{ and no constant of the bound has a } T"
    ),
    given={"T": integers(1)},
    rests_on=["st.thm1", "st.lem2", "st.rem8"],
    note=f"{_NOTE}#the-informal-theorem",
)


@LENGTH.proved(controls={"last_token_only": {"copies": (1, 2)}})
def each_token_twice(copies: tuple[int, int] = (2, 2)) -> Obligations:
    """Σ_t e^{z_t}g(X_t)/Σ_t e^{z_t} is unchanged for every g, hence a, M, f and ∇f are."""
    first, second, g, h = sp.symbols("e_1 e_2 g_1 g_2", positive=True)
    one, two = copies
    longer = (one * first * g + two * second * h) / (one * first + two * second)
    yield "mean", equal(longer, (first * g + second * h) / (first + second))


@LENGTH.tested(over=CASES, controls={"one_token": {"all_tokens": False}}, cases=20)
def repeated_tokens(case: Case, all_tokens: bool = True) -> Discrepancy:
    """Runs on sequences with every token twice; with one token more the losses differ."""
    given = problem(case)
    inputs = given.inputs
    if all_tokens:
        longer = np.repeat(inputs.tokens, 2, axis=1)
    else:
        longer = np.concatenate([inputs.tokens, np.roll(inputs.queries, 1, axis=0)[:, None]], 1)
    losses = [
        projected_descent(
            given.initial,
            Inputs(tokens, inputs.queries),
            given.labels,
            given.activation,
            given.regime.rho,
            steps=case.steps + 1,
        ).losses
        for tokens in (inputs.tokens, longer)
    ]
    # Up to 11 steps of a map that stretches by at most 1 + ηB, with sums of 2^7 terms: 2^-53 grows
    # by less than 2^20 at these sizes (labels and gradients are below 2^5).
    return Discrepancy(float(np.abs(losses[0] - losses[1]).max()), 2.0**-30)


RATE = claim(
    "st.sec2.rate",
    at="Section 2, comparison (ii)",
    title="The optimisation error, with the length of sequences for the number of steps",
    states=(
        r"\frac{\|\bar\nu\|_2^2 + B_{\mathrm{grad},m}(\delta')}{4\sqrt\tau} = O(T^{-1/2})"
        r" \text{ for every } \tau"
    ),
    given={"T": integers(1), "tau": integers(1)},
    assuming="everywhere else T is the length of sequences and τ the number of steps",
    provenance=Provenance.EXTRACTED,
    note=f"{_NOTE}#the-informal-theorem",
)


@RATE.refuted(controls={"steps": {"grows": True}})
def longer_sequences(grows: bool = False) -> Obligations:
    """√T times the term is unbounded in T, for τ is another number; with τ = T it is not."""
    T, tau, size = sp.symbols("T tau size", positive=True)
    term = size / (4 * sp.sqrt(T if grows else tau))
    yield "unbounded", sp.limit(sp.sqrt(T) * term, T, sp.oo) == sp.oo


STEPS = RATE.corrected(
    "st.sec2.rate.corrected",
    title="The optimisation error decreases with the number of steps",
    states=(
        r"\frac{\|\bar\nu\|_2^2 + B_{\mathrm{grad},m}(\delta')}{4\sqrt\tau} = O(\tau^{-1/2})"
        r" \text{ for every } T"
    ),
    given={"T": integers(1), "tau": integers(1)},
    rests_on=["st.eq42"],
    note=f"{_NOTE}#the-informal-theorem",
)


@STEPS.proved(controls={"faster": {"power": 1}})
def rate_in_steps(power: Any = sp.Rational(1, 2)) -> Obligations:
    """B_grad has neither τ nor T in it."""
    tau, size = sp.symbols("tau size", positive=True)
    limit = sp.limit(tau**power * size / (4 * sp.sqrt(tau)), tau, sp.oo)
    yield "bounded", bool(limit.is_finite)
