"""Section 4: the informal theorem, with the orders behind it, and a sharper one.

D = d + log(m/δ'), at least 1. "≲" hides a constant that depends on σ̄, ν̄ and ρ only.
"""

from typing import Any

import sympy as sp
from sympy import Rational, log, sqrt

from symbolic.equality import decide_at_least, equal
from theorems.engine import (
    Given,
    Obligations,
    both,
    ge,
    half_line,
    integers,
    le,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.initialisation.event import EVENT_RADIUS
from theorems.shallow_transformer.analysis.initialisation.feasible_set import bound_9, half_the_width
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, d, m
from theorems.shallow_transformer.premises.named import as_declared
from theorems.shallow_transformer.premises.networks import letters

_NOTE = "proofs_notes/st_descent.md"
NOTE = f"{_NOTE}#the-informal-theorem"
NOTE_ON_WIDTHS = f"{_NOTE}#the-width-that-suffices"
EVEN = {m: integers(2)}
SIZE_D = d + log(m / of.delta_prime)
_RADIUS = of.norm_bound(m, d, of.delta_prime, of.rho_u)

ORDERS = claim(
    "st.informal.orders",
    at="Section 4",
    title="The Lipschitz constant is of order √D",
    states=le(1 + _RADIUS**2, (7 + Rational(3, 2) * of.rho_u**2) * SIZE_D),
    given=EVEN,
    note=NOTE,
)


@ORDERS.proved()
def three_squares(given: Given) -> Theorem:
    """(x + y + z)² ≤ 3(x² + y² + z²); log(m/(2δ')) = log(m/δ') − log 2, and D ≥ 1, m ≥ 2."""
    over = {**as_declared(_RADIUS), **EVEN}
    half, defined = log(m / (2 * of.delta_prime)), [ge(log(m / (2 * of.delta_prime)), 0)]
    definition = bound_9()
    x, y, z = sp.symbols("x y z", real=True)
    dict.fromkeys((x, y, z), sp.S.Reals)
    squares = rules.follows(le((x + y + z) ** 2, 3 * (x**2 + y**2 + z**2)))
    at = {x: sqrt(d), y: sqrt(2 * half), z: of.rho_u / sqrt(m)}
    here = squares.at(at, over=over, under=defined)
    product, two = _product_of_two(), facts.logarithm_increases(1, 2)
    known = [half_the_width(), product, two]
    size = rules.follows(ge(SIZE_D, 1), known, over=over)
    radii = rules.follows(
        both(le(of.rho_u**2 / m, of.rho_u**2 / 2), le(of.rho_u**2, of.rho_u**2 * SIZE_D)), [size]
    )
    square = rules.follows(
        le(_RADIUS**2, 3 * d + 6 * half + 3 * of.rho_u**2 / m), [definition, here], under=defined
    )
    sum_ = le(1 + _RADIUS**2, 7 * SIZE_D + Rational(3, 2) * (of.rho_u**2 * SIZE_D))
    return given.concluded(rules.follows(sum_, [square, radii, size, *known]))


def _product_of_two() -> Theorem:
    """log(m/δ′) = log 2 + log(m/(2δ′))."""
    quotient = m / (2 * of.delta_prime)
    over = {**as_declared(of.delta_prime), **EVEN}
    return facts.logarithm_of_product(2, quotient, over=over)


SETTING = (
    *hyp.RANDOM_START,
    *hyp.ACTIVATION,
    *hyp.INPUTS,
    hyp.BOUNDED_MAP,
    hyp.REALISABLE,
    hyp.WIDE_RADII,
    hyp.PROJECTED_DESCENT,
)
_ON_THE_EVENTS = {
    hyp.IN_FEASIBLE_SET: "every iterate is projected",
    hyp.NORM_EVENT: "the sentence is about its probability, st.def1",
    EVENT_RADIUS: "at the radius of Definition 1",
    hyp.APPROXIMATION_EVENT: "the sentence is about its probability, st.lem5",
    hyp.BOUNDED_HEADS: "st.eq9",
}
#: Where Theorem 1 is shown: what its constants are made of, an even width and at least one step.
RUNS_OVER = {
    **{m: integers(2), of.tau: integers(1)},
    **dict.fromkeys((of.eta, of.nu_c, of.nu_u, of.nu_w), of.POSITIVE),
    **dict.fromkeys((of.rho_c, of.rho_u, of.rho_w), of.POSITIVE),
    **dict.fromkeys((of.sigma_0, of.sigma_1, of.sigma_2), of.POSITIVE),
}
#: Where the two events have their probabilities as well, and the orders are those of powers of D.
_OVER = {
    **RUNS_OVER,
    **{of.n: integers(1), d: integers(1), of.D: half_line(1)},
    **dict.fromkeys((of.delta, of.delta_prime), open_interval(0, 1)),
}
FACTOR, _D, _M = sp.symbols("C D m", positive=True)
_TERMS = (
    r"\exists C(\bar\sigma,\bar\nu,\rho)\ \forall $m,$n,$tau,$d:\quad \mathbb{P}\Bigl("
    r"\widehat{\mathcal{L}}_n($average) \le C\Bigl("
)
_CHANCE = r"\Bigr)\Bigr) \ge $whole - $delta - $delta_prime"
_LETTERS = (m, of.n, of.tau, d, of.delta, of.delta_prime, of.D, of.average)

INFORMAL = claim(
    "st.informal",
    at="Section 4, informal theorem",
    title="Errors of optimisation, approximation and linearisation",
    states=sentence(
        _TERMS + r"\frac{$D^{$square}}{\sqrt{$tau}} + \sqrt{\frac{$D\log($n/$delta)}{$m}}"
        r" + \sqrt{\frac{$D^{$cube}}{$m}}" + _CHANCE,
        square=2,
        cube=3,
        whole=1,
    ),
    given=letters(*_LETTERS, under=[*SETTING, hyp.STEP_SIZE]),
    assuming=[*SETTING, hyp.STEP_SIZE],
    rests_on=["st.thm1", ORDERS, "st.def1", "st.lem5", "classical.union", "st.eq43", "st.eq9"],
    discharging=_ON_THE_EVENTS,
    note=NOTE,
)


@INFORMAL.argued(
    bridge="The constants of Theorem 1 are products of these orders with numbers that depend on"
    " σ̄, ν̄ and ρ only, and two events are missed with probabilities of δ and δ' at most.",
    uses=[*SETTING, hyp.STEP_SIZE],
    over=_OVER,
)
def compare_terms(square: Any, cube: Any, whole: Any) -> Obligations:
    """L_1 ≤ C√D, L_2 ≤ CD: L_1⁴ ≤ C⁴D², L_1B_lin ≤ C²√(D³/m); B_lin² needs two cases.

    B_lin² ≤ C²D²/m. For m ≥ D that is at most √(D³/m). For m ≤ D the loss itself is, for it is at
    most (f_max + y_max)² ≤ CD.
    """
    lipschitz, smoothness = FACTOR * sqrt(_D), FACTOR * _D
    yield "descent", equal(lipschitz**4, FACTOR**4 * _D ** Rational(square))
    right = sqrt(_D ** Rational(cube) / _M)
    yield "linearisation", equal(lipschitz * smoothness / sqrt(_M), FACTOR**2 * right)
    level = sp.Symbol("level", nonnegative=True)  # log(n/δ)
    gap = sp.expand((sqrt(level) + sqrt(log(2))) ** 2 - (level + log(2)))
    yield "√log(2n/δ) ≤ √log(n/δ) + √log 2", decide_at_least(gap, sp.Integer(0)).answer
    more = sp.Symbol("more", nonnegative=True)
    wide = (right**2 - (_D**2 / _M) ** 2).subs(_M, _D + more)
    yield "m ≥ D", decide_at_least(sp.factor(wide), sp.Integer(0)).answer
    narrow = (right**2 - _D**2).subs(_D, _M + more)
    yield "m ≤ D", decide_at_least(sp.factor(narrow), sp.Integer(0)).answer
    yield _union_bound(whole)


def _union_bound(whole: Any) -> tuple[str, bool | None]:
    """Whether the chance is that of what two events leave, which are as large as they may be."""
    missed = of.delta + of.delta_prime
    return "union bound", equal(whole - of.delta - of.delta_prime, 1 - missed)


_SHARP = (*SETTING, hyp.CONSTANT_STEP)

SHARP = INFORMAL.sharpened(
    "st.informal.sharp",
    title="The informal theorem with rates 1/τ and 1/m",
    states=sentence(
        _TERMS + r"\frac{$D}{$tau} + \frac{\log($n/$delta) + $D^{$square}}{$m}" + _CHANCE, square=2, whole=1
    ),
    given=letters(*_LETTERS, under=_SHARP),
    assuming=_SHARP,
    rests_on=[
        *("st.thm1.sharp", "st.eq43.sharp", ORDERS, "st.lem5", "classical.union", "st.eq9"),
        *("st.eq26", "st.def1", "st.eq25", "st.eq35.sharp", "st.eq38.sharp"),
    ],
    discharging={
        **_ON_THE_EVENTS,
        hyp.BOUNDED_GRADIENT: "st.eq38.sharp",
        hyp.BOUNDED_ERRORS: "st.eq25, st.eq26, st.eq35.sharp",
    },
    note=NOTE,
)


@SHARP.argued(
    bridge="The constants of the sharpened Theorem 1 are products of these orders with numbers"
    " that depend on σ̄, ν̄ and ρ only, and two events are missed with δ and δ' at most.",
    uses=_SHARP,
    over={**_OVER, of.A: of.POSITIVE},
)
def squares_of_errors(square: Any, whole: Any) -> Obligations:
    """E² ≤ 3(B_app² + B_lin² + B_CoF²) and (√L + 2B)² ≤ 2L + 8B²; A² ≤ C²D."""
    x, y, z = sp.symbols("x y z", real=True)
    gap = 3 * (x**2 + y**2 + z**2) - (x + y + z) ** 2
    yield "three squares", equal(gap, (x - y) ** 2 + (y - z) ** 2 + (x - z) ** 2)
    yield "average", equal(2 * x**2 + 8 * y**2 - (x + 2 * y) ** 2, (x - 2 * y) ** 2)
    linear = (FACTOR * _D / sqrt(_M)) ** 2
    yield "linearisation", equal(linear, FACTOR**2 * _D ** Rational(square) / _M)
    yield _union_bound(whole)
