"""Proposition 26: for |·| the norms of backpropagation matrices stay bounded (derived here)."""

from typing import Any

import sympy as sp
from sympy import Rational, exp, pi, sinh, sqrt

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, ge, gt, rules, sentence
from theorems.engine.rules import Theorem, facts
from theorems.engine.rules.certificates import covered
from theorems.eoc_mlp.all_layers.backpropagation.hyperbolic_sine import CIRCLE_AND_POWERS, above_the_cube
from theorems.eoc_mlp.all_layers.backpropagation.wide_networks import H_OF_T
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, ALL_ALIVE, NOT_ABOVE, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import DELTA, claim, edge_y, m, threshold

_SINH = (exp(edge_y) - exp(-edge_y)) / 2
_NORM = pi * sqrt(_SINH) / edge_y ** Rational(3, 2)

BOUNDED = claim(
    "eoc.prop26.bounded",
    at="Proposition 26",
    title="For |·| no logarithm: the norms stay below 1.9136 m^(-1/2) at every depth",
    states={
        "every depth": sentence(
            r"\lim_{m\to\infty} m^{$half}\,\|B_{2,k_2}\| < \inf_{y > 0} $norm"
            r" \text{ for all } k_2",
            half=Rational(1, 2),
            norm=_NORM,
        ),
        "at least": gt(_NORM, Rational(19135, 10000)),
        "at most": sentence(
            r"$norm < $top \text{ at } y = $place",
            norm=_NORM,
            top=Rational(19136, 10000),
            place=Rational(29847, 10000),
        ),
    },
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.prop26.edge"],
    discharging={
        NOT_ABOVE: "the depth grows, from one layer on",
        SQUARE_WIDTHS: "these are the widths of the limit",
        ALL_ALIVE: "an input that is not zero keeps all layers alive with probability one",
    },
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_backpropagation_edge.md#the-edge",
)


@BOUNDED.argued(
    "every depth",
    bridge="Each further factor 1 + z/k² is larger than 1, so that the finite product is less than"
    " the infinite one at every z > 0; the minimum over z of the finite product is attained.",
    uses=[ABSOLUTE_VALUE],
)
def euler_product(half: Any, norm: Any) -> Obligations:
    """z^{-1}Π_{k≥1}(1 + z/k²) = sinh(π√z)/(πz^{3/2}), and at z = y²/π² that is π² sinh y / y³.

    Power sums decide: log Π(1 + z/k²) = Σ_j (-1)^{j+1} ζ(2j) z^j / j, and log (sinh x / x) has
    these coefficients at x = π√z.
    """
    z, y = sp.symbols("z y", positive=True)
    closed = sp.series(sp.log(sinh(y) / y), y, 0, 10).removeO().subs(y, pi * sqrt(z))
    for j in range(1, 5):
        power_sum = (-1) ** (j + 1) * sp.zeta(2 * j) / j
        yield f"coefficient of z^{j}", equal(sp.expand(closed).coeff(z, j), power_sum)
    yield "h(t) = 1 + t for |·|", equal(H_OF_T.subs({DELTA: 1, threshold: z}), 1 + z)
    at = (y / pi) ** 2
    quotient = (sp.exp(y) - sp.exp(-y)) / 2 / (pi * at ** Rational(3, 2))
    yield "in y", equal(norm.subs(edge_y, y) ** 2, quotient)
    yield "the positive root, at one y and so at all", bool(norm.subs(edge_y, 1) > 0)
    yield "√m_1", equal(m**half, sqrt((2 - 1) ** 2 * m))


@BOUNDED.certified("at least")
def minimum_over_y(given: Given) -> Theorem:
    """π² sinh y > c²y³ by balls on (0, 8], and beyond by e^y ≥ e⁸(1 + (y - 8)/3)³."""
    (constant,) = (one for one in given.goal.args if one.is_number)
    claimed = gt(pi**2 * _SINH, constant**2 * edge_y**3)
    near, far = {edge_y: sp.Interval.Lopen(0, 8)}, {edge_y: sp.Interval(8, sp.oo)}
    more = sp.Symbol("more", nonnegative=True)  # y = 8 + 3 more
    beyond = [rules.enclosed(gt(exp(8), 2900)), rules.enclosed(gt(pi, 3))]
    beyond.append(facts.exponential_above_tangent(more))
    large, base = exp(8 + 3 * more), exp(more)
    numbers = dict(zip(CIRCLE_AND_POWERS, (pi, large, base, more), strict=True))
    known = [above_the_cube(constant).at(numbers), rules.follows(ge(large, 2900 * base**3), beyond), *beyond]
    shifted = rules.follows(claimed.subs(edge_y, 8 + 3 * more), known)
    pieces = [
        covered(claimed, over=near, zero_orders={edge_y: (1, 0)}),
        shifted.at({more: (edge_y - 8) / 3}, over=far),
    ]
    return given.follows(rules.follows(claimed, pieces, over={edge_y: given.domain[edge_y]}))


@BOUNDED.argued("at most", bridge="The balls of both sides exclude each other.")
def value_near_the_minimum(norm: Any, top: Any, place: Any) -> Obligations:
    """At y = 2.9847, near where 3 tanh y = y; the last digit is tight."""
    value, unit = norm.subs(edge_y, place).evalf(30), Rational(1, 10**4)
    yield "value", bool(top - unit < value < top)
