"""Proposition C.3: compositions of pseudo-Lipschitz functions are pseudo-Lipschitz."""

from typing import Any

import sympy as sp
from sympy import Symbol

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import (
    C_any,
    C_inner,
    C_outer,
    at_zero,
    distance_x,
    growth_any,
    h_change,
    inner_growth,
    norm_x,
    norm_x_other,
    outer_growth,
)
from theorems.classical import powers
from theorems.engine import Given, Hypothesis, Provenance, Severity, both, eq, ge, implies, le, rules
from theorems.engine.rules import Theorem

_NOTE = "proofs_notes/attn_tools.md#compositions"
OUTER = Hypothesis(
    "outer_function",
    "the outer function is pseudo-Lipschitz of the order $outer_growth + 1 with the constant $C_outer",
    latex=r"|f(u)-f(u')| \le $C_outer\|u-u'\|(1+\|u\|^{$outer_growth}+\|u'\|^{$outer_growth})",
)
INNER = Hypothesis(
    "inner_functions",
    "the inner functions together are pseudo-Lipschitz of the order $inner_growth + 1 with the"
    " constant $C_inner, and $at_zero is their norm at 0",
    latex=r"\|g(x)-g(x')\| \le $C_inner\|x-x'\|(1+\|x\|^{$inner_growth}+\|x'\|^{$inner_growth})",
)
_EXPONENT = inner_growth + outer_growth * (inner_growth + 1)
_SCALE = at_zero + 2 * C_inner
_CONSTANT = 3 * C_outer * C_inner * (1 + 2 * _SCALE**outer_growth)

COMPOSITION = claim(
    "attn.propC3",
    at="Proposition C.3",
    title="A composition of pseudo-Lipschitz functions is pseudo-Lipschitz",
    states=le(h_change, _CONSTANT * distance_x * (1 + norm_x**_EXPONENT + norm_x_other**_EXPONENT)),
    assuming=[OUTER, INNER],
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)

_SIZE, _ABOVE_ZERO = sp.Interval(0, sp.oo), sp.Interval.open(0, sp.oo)
_power, _second = sp.symbols("p r", positive=True)
#: The largest of 1 and the two norms.
_top = Symbol("rho", positive=True)
_FROM_ONE = sp.Interval(1, sp.oo)


def _laws(given: Given) -> Theorem:
    """The laws of exponents at ρ."""
    d, d0, m = inner_growth, outer_growth, _SCALE
    over = {**given.domain, _top: _FROM_ONE}
    return rules.follows(
        both(
            eq((m * _top ** (d + 1)) ** d0, m**d0 * _top ** (d0 * (d + 1))),
            eq(_top**d * _top ** (d0 * (d + 1)), _top**_EXPONENT),
            eq(_top ** (d + 1), _top * _top**d),
            ge(_top**d, 1),
            ge(_top ** (d0 * (d + 1)), 1),
        ),
        [
            powers.of_product(m, _top ** (d + 1), d0, over=over),
            powers.exponents(_top, d, d0 * (d + 1), over=over),
            powers.one_more(_top, d, over=over),
            *(powers.increase(1, _top, one, over=over) for one in (d, d0 * (d + 1))),
        ],
        over=over,
    )


@COMPOSITION.proved()
def powers_of_the_largest_norm(given: Given) -> Theorem:
    """With ρ = max(1, |x|, |x'|), |g| ≤ (|g(0)| + 2C_g)ρ^(d+1), so that ρ^a bounds the product."""
    d, d0, D = inner_growth, outer_growth, distance_x
    u, v = sp.symbols("u v", nonnegative=True)
    step = Symbol("moved", nonnegative=True)
    numbers = {u: _SIZE, v: _SIZE, step: _SIZE}
    over = {**given.domain, **numbers, _top: _FROM_ONE}
    outer = given.supposed(OUTER, le(h_change, C_outer * step * (1 + u**d0 + v**d0)))
    inner = given.supposed(
        INNER,
        le(step, C_inner * D * (1 + norm_x**d + norm_x_other**d)),
        le(u, at_zero + C_inner * norm_x * (1 + norm_x**d)),
        le(v, at_zero + C_inner * norm_x_other * (1 + norm_x_other**d)),
    )
    largest = [le(norm_x, _top), le(norm_x_other, _top)]
    increased = [powers.increase(one, _top, d, over=over) for one in (norm_x, norm_x_other)]
    laws = _laws(given)
    size = _SCALE * _top ** (d + 1)
    sizes = [
        rules.follows(le(one, size), [inner, laws, *increased], over=over, under=largest) for one in (u, v)
    ]
    grown = [powers.increase(one, size, d0, over=over) for one in (u, v)]
    moved = rules.follows(
        le(step, 3 * C_inner * D * _top**d), [inner, laws, *increased], over=over, under=largest
    )
    slopes = rules.follows(
        le(1 + u**d0 + v**d0, (1 + 2 * _SCALE**d0) * _top ** (d0 * (d + 1))),
        [*sizes, *grown, laws],
        over=over,
        under=largest,
    )
    whole = rules.follows(
        le(h_change, _CONSTANT * D * _top**_EXPONENT), [outer, moved, slopes, laws], over=over, under=largest
    )
    top = sp.Max(1, norm_x, norm_x_other)
    here = whole.at({_top: top})
    one = powers.equal(top, 1, _EXPONENT)
    bound = rules.follows(le(top**_EXPONENT, 1 + norm_x**_EXPONENT + norm_x_other**_EXPONENT), [one])
    positive = given.follows(goal=ge(_CONSTANT * D, 0))
    return given.follows(here, bound, positive)


POWERS = Hypothesis(
    "pseudo_lipschitz_power",
    "the composition of the powers |u| to $outer_growth + 1 and |x| to $inner_growth + 1 is"
    " pseudo-Lipschitz of the order $growth_any + 1 with the constant $C_any",
    latex=r"h(x) = |x|^{($outer_growth + 1)($inner_growth + 1)},\quad"
    r" |h(x)-h(x')| \le $C_any|x-x'|(1+|x|^{$growth_any}+|x'|^{$growth_any})",
)

ORDER = claim(
    "attn.propC3.least_order",
    at="Proposition C.3",
    title="The order of a composition is in general no less than the product of the orders",
    states=ge(growth_any + 1, (outer_growth + 1) * (inner_growth + 1)),
    assuming=[POWERS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ORDER.proved()
def compared_with_zero(given: Given) -> Theorem:
    """With n = (d₀ + 1)(d + 1): x^n ≤ C x (1 + x^γ) fails at x = (2C + 1)^(1/(n - 1 - γ))."""
    n = (outer_growth + 1) * (inner_growth + 1)
    x, ratio = Symbol("x", positive=True), Symbol("ratio", positive=True)
    supposed = given.supposed(POWERS, le(x**n, C_any * x * (1 + x**growth_any)))
    low, high = _power, _second
    over = {x: _ABOVE_ZERO, ratio: _FROM_ONE, low: _ABOVE_ZERO, high: _ABOVE_ZERO}
    gap, above = high - 1 - low, [sp.Gt(high - 1 - low, 0)]
    laws = rules.follows(
        implies(eq(x, ratio ** (1 / gap)), both(eq(x**high, ratio * x * x**low), ge(x**low, 1))),
        [
            powers.of_root(x, ratio, gap, over=over, under=above),
            powers.increase(1, ratio, 1 / gap, over=over, under=above),
            powers.exponents(x, gap, 1 + low),
            powers.exponents(x, 1, low),
            powers.increase(1, x, low),
        ],
        under=above,
    )
    lower = [sp.Gt(n - 1 - growth_any, 0)]
    place = (2 * C_any + 1) ** (1 / (n - 1 - growth_any))
    values = {x: place, ratio: 2 * C_any + 1, low: growth_any, high: n}
    known = laws.at(values, under=lower)
    there = supposed.at({x: place}, under=lower)
    return given.follows(known, there)


PRINTED = claim(
    "attn.propC3.order",
    at="Proposition C.3, proof",
    title="The order at which the proof arrives is enough for a composition of powers",
    states=le((outer_growth + 1) * (inner_growth + 1), _EXPONENT),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.SLIP)
def squares_of_squares() -> dict[Symbol, Any]:
    """The proof says order 3 for the square of a square; it is of order 4, and of none below."""
    return {outer_growth: 1, inner_growth: 1}


SHOWN = PRINTED.corrected(
    "attn.propC3.order.corrected",
    title="The order that the proof shows is the product of the two orders",
    states=eq((outer_growth + 1) * (inner_growth + 1), _EXPONENT + 1),
    rests_on=[COMPOSITION, ORDER],
    discharging=dict.fromkeys(
        (OUTER, INNER, POWERS), "only the exponents of what they imply are compared here"
    ),
    note=_NOTE,
)


@SHOWN.proved()
def one_more_than_the_exponent(given: Given) -> Theorem:
    """The exponent in the definition is the order less one."""
    return given.follows()
