"""Lemma 25, proof: which moments bound the summands of the second moment of mixed products."""

from typing import Any

import sympy as sp
from sympy import Symbol

from theorems.engine import Given, Obligations, Severity, le, rules, sentence
from theorems.engine.rules import E, Theorem, facts
from theorems.infinite_attention.letters.gradients import input_entry, tangent_entry, weight_entry
from theorems.infinite_attention.letters.table import claim

_BOUNDS = "proofs_notes/inf_tangents.md#bounds-by-hölders-inequality"

BOUND = claim(
    "inf.lem25.bound",
    at="Lemma 25, proof",
    title="Moments of the orders 4, 8 and 16 bound the summands of the second moment",
    states=sentence(
        r"\mathbb{E}[{$tangent_any}^$tangents {$attention_weight}^$weights {$g_input}^$entries]"
        r" \text{ is bounded by } \operatorname{poly}(\mathbb{E}[{$tangent_any}^$tangent],"
        r" \mathbb{E}[{$attention_weight}^$weight], \mathbb{E}|$g_input|^$entry)",
        tangents=4,
        weights=4,
        entries=8,
        tangent=4,
        weight=8,
        entry=16,
    ),
    note=_BOUNDS,
)
_chance = Symbol("p", positive=True)


@BOUND.refuted(severity=Severity.SLIP, controls={"enough moments": {"tangent": 8, "weight": 16, "entry": 32}})
def one_rare_event(
    tangents: Any, weights: Any, entries: Any, tangent: Any, weight: Any, entry: Any
) -> Obligations:
    """All three large on the same event of a small probability."""
    orders = (tangent, weight, entry)
    sizes = [_chance ** sp.Rational(-1, order) for order in orders]
    for size, order in zip(sizes, orders, strict=True):
        yield "a bounded moment", sp.simplify(_chance * size**order) == 1
    kernel, attention, inputs = sizes
    product = sp.simplify(_chance * kernel**tangents * attention**weights * inputs**entries)
    yield "an unbounded product", bool(sp.limit(product, _chance, 0) == sp.oo)


HIGHER = BOUND.corrected(
    "inf.lem25.bound.corrected",
    title="Moments of the orders 8, 16 and 32 bound the summands of the second moment",
    states=le(
        E(tangent_entry**4 * weight_entry**4 * input_entry**8) ** 4,
        E(tangent_entry**8) ** 2 * E(weight_entry**16) * E(input_entry**32),
    ),
    note=_BOUNDS,
)


@HIGHER.proved()
def cauchy_schwarz_twice(given: Given) -> Theorem:
    """The Cauchy-Schwarz inequality for the kernel and the rest, and then for the rest."""
    rest = weight_entry**4 * input_entry**8
    first = facts.expectation_of_product(tangent_entry**4, rest)
    second = facts.expectation_of_product(weight_entry**8, input_entry**16)
    u, v, w, x, y = sp.symbols("u v w x y", real=True)
    twice = rules.follows(
        le(u**4, v**2 * x * y), under=[le(u**2, v * w), le(w**2, x * y), sp.Ge(v, 0), sp.Ge(w, 0)]
    )
    values = {
        u: E(tangent_entry**4 * rest),
        v: E(tangent_entry**8),
        w: E(rest**2),
        x: E(weight_entry**16),
        y: E(input_entry**32),
    }
    positive = [facts.expectation_of_square(one) for one in (tangent_entry**4, rest)]
    return given.follows(first, second, *positive, given.substituted(twice, values))
