"""Proposition 10: the tail of the norm in the printed forms, and the best constant of an O."""

from typing import Any

import sympy as sp
from sympy import Expr, Max, Rational, Symbol, exp, pi, sqrt

from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.nonnegative import nonnegative
from theorems.classical.conditional_means import total_probability
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import P, Random, Theorem, facts, principles, probabilities
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BELOW, MATRICES_NONZERO, SCALE, WIDTH_OF_LAYER
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    C,
    M,
    c,
    claim,
    dimension,
    frob_b,
    frob_b_drawn,
    gamma,
    kappa,
    m,
    multiple,
    norm_b,
    norm_b_drawn,
    norm_drawn,
    threshold,
    width_b,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.one_layer.operator_norms.concentration import KAPPA, SPREAD, tail
from theorems.eoc_mlp.one_layer.operator_norms.rows import ASYMMETRY, LAYERS
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import beyond

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
_C = 1 + sqrt(pi) / 2


def _bound(over_width: Expr) -> Expr:
    """The bound of a deviation t where the width of the layer is ``over_width``."""
    return 2 * exp(-(threshold**2) / (sqrt(2) * KAPPA**2 / sqrt(over_width)) ** 2)


_NUMBERS = {norm_drawn: None, M: None, threshold: None, norm_b: POSITIVE, DELTA: None, **LAYERS}

SUBSTITUTED = claim(
    "eoc.prop10.gaussian_width",
    at="Proposition 10, proof",
    title="Norms of backpropagation matrices in terms of the Gaussian width",
    states=le(tail((1 + threshold) * norm_b + _C * KAPPA**2 * width_b / sqrt(M)), _bound(M)),
    given=_NUMBERS,
    assuming=[BELOW],
    rests_on=["eoc.prop10.explicit", "eoc.prop10.width"],
    note=_NOTE,
)


@SUBSTITUTED.proved()
def absorb_the_norm(given: Given) -> Theorem:
    """‖B‖ ≤ √(π/2) w(B), κ ≤ κ², and 2(κ² + Δ(1 - Δ)) ≤ 2κ⁴."""
    goal, over = as_it_stands(SUBSTITUTED), given.domain
    form = given.meaning("kappa_phi", eq(KAPPA, unfolded(KAPPA)))
    small = both(le(1, KAPPA), le(SPREAD**2, KAPPA**4))
    kappas = rules.follows(small, [form])
    source = given.substituted(
        given.fact("eoc.prop10.explicit", "tail"), {multiple: threshold * sqrt(M) / SPREAD}
    )
    numbers = {x: over[x] for x in over if x not in LAYERS}
    below = le(source.statement.lhs.args[0].rhs, goal.lhs.args[0].rhs)
    lower = rules.follows(below, [kappas, given.fact("eoc.prop10.width")], over=numbers)
    bound = beyond(source, norm_drawn, goal.lhs.args[0], lower)
    (power,), (sharp,) = goal.rhs.atoms(exp), bound.statement.rhs.atoms(exp)
    grows = facts.exponential_increases(power.args[0], sharp.args[0], over=numbers)
    return given.follows(bound, kappas, grows, goal=goal)


_SCALED = (
    r"\text{for some constants: } \mathbb{P}\Bigl(\sqrt{$gamma}\Bigl(\frac{\|B'\|"
    r" - O(\kappa_\phi^{$excess}\|B\|_F/\sqrt{$M})}{\|B\|} - $one\Bigr)_+ \ge $threshold\Bigr)"
    r" \le $two\exp\Bigl(-\Bigl(\frac{$threshold}{O(\kappa_\phi^{$spread}/\sqrt{$width})}"
    r"\Bigr)^{$square}\Bigr)"
)

SCALED = claim(
    "eoc.prop10.scaled",
    at="Proposition 10, proof",
    title="The tail bound after scaling, with the width of the layer in the exponent",
    states=sentence(_SCALED, excess=2, one=1, two=2, spread=2, width=Choice("m_{k_2-1}", 1), square=2),
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@SCALED.refuted(severity=Severity.SLIP, controls={"unit": {"width": Choice("m", 0)}})
def one_column_of_many_units(
    excess: Any, one: Any, two: Any, spread: Any, width: Any, square: Any
) -> Obligations:
    """|·|, B = 1, m = 1, γ = M: P(χ_M ≥ √M + c), c = t + C, exceeds the bound for large M.

    The first of the M squares exceeds 1 + 2c√M + c² =: x² with a probability of at least
    √(2/π) x/(1 + x²) e^(-x²/2), the others their mean with at least (EX²)²/(4EX⁴) ≥ 1/60.
    """
    units, t, constant = sp.symbols("M t C", positive=True)
    kappa_of_modulus = unfolded(KAPPA.subs(DELTA, 1))
    beyond_mean = t + constant * kappa_of_modulus**excess
    deviation = constant * kappa_of_modulus**spread
    n, rate = sp.symbols("n s", positive=True)
    second, fourth = 2 * n, 12 * n**2 + 48 * n  # moments of a centred chi-square variable
    generating = sp.log(1 - 2 * rate) * (-n / 2) - n * rate
    cumulants = [sp.diff(generating, rate, order).subs(rate, 0) for order in (2, 4)]
    yield "variance", equal(cumulants[0], second)
    yield "fourth moment", equal(cumulants[1] + 3 * cumulants[0] ** 2, fourth)
    more = 1 + Symbol("v", nonnegative=True)
    share = (second**2 / (4 * fourth) - Rational(1, 60)).subs(n, more)
    yield "others", nonnegative(sp.cancel(share))
    first = sp.expand((one * sqrt(units) + beyond_mean) ** 2 - (units - 1))
    log_tail = sp.log(first) / 2 - sp.log(1 + first) - first / 2
    gap = log_tail - sp.log(two) + (t / deviation) ** square * units**width
    rates = sp.limit(gap / units, units, sp.oo), (t / deviation) ** square
    yield "exponent of the quotient", bool(rates[0] == rates[1])


def _excess(next_norm: Any, size: Any, frobenius: Any) -> Expr:
    """By how much the norm exceeds the one below, in units of deviations of the layer."""
    without_width = next_norm - _C * KAPPA**2 * frobenius / sqrt(M)
    return sqrt(gamma) * Max(without_width / size - 1, 0)


_LAYER = {
    **{**_NUMBERS, threshold: POSITIVE},  # at t = 0 the event is certain, and the bound is 2
    gamma: None,
    m: None,
}

CORRECTED = SCALED.corrected(
    "eoc.prop10.scaled.corrected",
    title="The tail bound after scaling, with the width unit in the exponent",
    states=le(P(ge(_excess(norm_drawn, norm_b, frob_b), threshold)), _bound(m)),
    given=_LAYER,
    assuming=[BELOW, WIDTH_OF_LAYER],
    rests_on=[SUBSTITUTED, "eoc.prop10.width"],
    note=_NOTE,
)


@CORRECTED.proved()
def scale_by_gamma(given: Given) -> Theorem:
    """With t/√γ for t and m_{k2-1} = γm; w(B) ≤ |B|_F."""
    goal, numbers = (as_it_stands(CORRECTED), {x: given.domain[x] for x in given.domain if x not in LAYERS})
    numbers |= {width_b: LETTERS[width_b].domain}
    source = given.substituted(given.fact(SUBSTITUTED), {threshold: threshold / sqrt(gamma)})
    lower = rules.follows(le(width_b, frob_b), [given.fact("eoc.prop10.width")], over=numbers)
    bound = beyond(source, norm_drawn, goal.lhs.args[0], lower)
    (power,), (sharp,) = goal.rhs.atoms(exp), bound.statement.rhs.atoms(exp)
    widths = [WIDTH_OF_LAYER.formula]
    same = rules.follows(eq(sharp.args[0], power.args[0]), over=numbers, under=widths)
    grows = facts.exponential_increases(power.args[0], sharp.args[0], over=numbers)
    known = [bound, same, grows]
    letters = {**dict(bound.over), **given.domain}
    return rules.follows(goal, known, over=letters, under=given.conditions)


PROP_10 = claim(
    "eoc.prop10",
    at="Proposition 10",
    title="Backpropagation matrices are bounded",
    states=le(P(ge(_excess(norm_drawn, norm_b_drawn, frob_b_drawn), threshold)), _bound(m)),
    given={x: one for x, one in _LAYER.items() if x != norm_b},
    assuming=[BELOW, WIDTH_OF_LAYER, MATRICES_NONZERO],
    rests_on=[SUBSTITUTED, CORRECTED],
    note=_NOTE,
)


@PROP_10.proved()
def integrate_the_other_layers(given: Given) -> Theorem:
    """Given the layers below the bound is that of the last claim; Fubini takes the mean of it."""
    given.require(MATRICES_NONZERO)
    conditional = Random("probability given the layers below")
    below = given.fact(CORRECTED)
    chance, bound = below.statement.args
    event = chance.args[0].xreplace({norm_b: norm_b_drawn, frob_b: frob_b_drawn})
    return given.follows(
        principles.drawn(below, {chance: conditional}, norm_b, frob_b),
        probabilities.larger_mean(conditional, bound, over=given.domain),
        total_probability(given.meaning, event, conditional),
        goal=le(P(event), bound),
    )


_RANGES_OF_BEST = {x: LETTERS[x].domain for x in (dimension, norm_b, frob_b, C, c, kappa)}

BEST = claim(
    "eoc.prop10.best",
    at="Proposition 10",
    title="The constant κ of the Frobenius norm is the best",
    states=sentence(
        r"\text{one unit},\ B = \mathcal{I}_{$dimension}: \quad"
        r" \liminf_{$dimension\to\infty}\mathbb{P}\bigl($norm_drawn \ge $C$norm_b + $c$frob_b\bigr)"
        r" \ge $half \text{ for all } $c $relation $kappa",
        half=Rational(1, 2),
        relation=Choice("<", True),
    ),
    rests_on=["eoc.prop10.decomposition"],
    assuming=[ALIVE],
    discharging={
        BELOW: "one layer is considered",
        SCALE: "the largest slope, times the deviation, is κ",
        ASYMMETRY: "the largest slope, times the deviation, is κ",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.argued(
    bridge="Where the slope is the steeper one the norm is κ times the length of d normal"
    " variables, which exceeds the level with a probability that tends to one, by Chebyshev.",
    uses=[ALIVE],
    over=_RANGES_OF_BEST,
    controls={"equal": {"relation": Choice(r"\le", False)}},
)
def one_unit_of_many_inputs(half: Any, relation: bool) -> Obligations:
    """‖B'‖ = κ‖g‖ with probability 1/2 or more, ‖g‖² has mean d and variance 2d: Chebyshev.

    With c = κ - e the level (C + c√d)²/κ² is below d by e'd or so.
    """
    g = Symbol("g", real=True)
    yield "the steeper slope", equal(expectation((1 + sp.sign(g)) / 2, g), sp.sympify(half))
    d, constant, factor, e = sp.symbols("d C c e", positive=True)
    below = e if relation else sp.Integer(0)
    reached = (constant + factor * sqrt(d)) ** 2 / (factor + below) ** 2
    gap = sp.limit((d - reached) / d, d, sp.oo)
    yield "distance from the mean", sp.factor(gap).is_positive
    chebyshev = sp.limit(2 * d / (d - reached) ** 2, d, sp.oo)
    yield "probability of a larger deviation", equal(chebyshev, sp.Integer(0))
