"""Example 3.1 with two tokens: bounds of the variance, and of normal densities far out."""

import sympy as sp
from sympy import Expr, exp, sqrt

from theorems.attention_limit.letters.law import far_point, mixed_variance, top_variance
from theorems.attention_limit.letters.limit import sigma_11, sigma_12, sigma_22, variance_at, weight_gap
from theorems.attention_limit.letters.table import claim
from theorems.engine import Given, Provenance, both, eq, ge, gt, implies, le, rules
from theorems.engine.rules import Theorem, facts
from theorems.engine.statements.values import unfolded

_AT = "Example 3.1; Remark 3.3"
_NOTE = "proofs_notes/attn_laws.md#values-for-two-tokens"
_APART = sigma_11 - 2 * sigma_12 + sigma_22
_LEAST = (sigma_11 * sigma_22 - sigma_12**2) / _APART


def _at_gap(h: Expr) -> Expr:
    value: Expr = variance_at(h, sigma_11, sigma_12, sigma_22)
    return value


RANGE = claim(
    "attn.ex31.range",
    at=_AT,
    title="The least and the largest variance of an output of two tokens",
    states={
        "least": implies(gt(_APART, 0), le(_LEAST, _at_gap(weight_gap))),
        "attained": implies(gt(_APART, 0), eq(_at_gap((sigma_22 - sigma_11) / _APART), _LEAST)),
        "largest": implies(
            both(ge(_APART, 0), both(le(sigma_11, top_variance), le(sigma_22, top_variance))),
            le(_at_gap(weight_gap), top_variance),
        ),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RANGE.proved("least", "attained", "largest")
def vertex_and_ends(given: Given) -> Theorem:
    """A parabola in the gap of the weights is least at its vertex, and largest at an end."""
    return given.follows(goal=unfolded(given.goal))


def _normal(variance: Expr) -> Expr:
    return exp(-(far_point**2) / (2 * variance)) / sqrt(2 * sp.pi * variance)


_IN_ORDER = le(mixed_variance, top_variance), le(top_variance, far_point**2)

FAR = claim(
    "attn.ex31.far",
    at=_AT,
    title="The normal density at a point grows with the variance up to the square of the point",
    states=implies(both(*_IN_ORDER), le(_normal(mixed_variance), _normal(top_variance))),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_y, _z = sp.symbols("y z", real=True)


@FAR.proved()
def exponential_above_its_tangent(given: Given) -> Theorem:
    """With y = x²/(2v) - x²/(2v'), e^y ≥ 1 + y ≥ (1 + v'/v)/2, which is at least √(v'/v)."""
    x, v, top = far_point, mixed_variance, top_variance
    tangent = facts.exponential_above_tangent(_y)
    shifted = rules.follows(le(exp(-_z) * (1 + _y), exp(_y - _z)), [tangent])
    half = x**2 / (2 * v)
    at = {_z: half, _y: half - x**2 / (2 * top)}
    each = shifted.at(at)
    share = rules.follows(ge(1 + at[_y], (1 + top / v) / 2), under=_IN_ORDER)
    means = rules.follows(le(sqrt(top), (1 + top / v) / 2 * sqrt(v)))
    scaled = rules.follows(
        le(exp(-half) * sqrt(top), exp(-(x**2) / (2 * top)) * sqrt(v)), [each, share, means], under=_IN_ORDER
    )
    return given.follows(scaled)
