"""Lemma D.11: pointwise and uniform convergence on a compact set."""

from typing import Any

from sympy import Abs, Function, Rational, Reals, Symbol, diff, exp, limit, oo

from theorems.attention_limit.letters.convergence import at_net, modulus, supremum
from theorems.attention_limit.letters.table import claim
from theorems.engine import Choice, Given, Hypothesis, Obligations, Severity, le, rules, sentence
from theorems.engine.rules import Theorem, principles

_NOTE = "proofs_notes/attn_proofs.md#pointwise-and-uniform-convergence"

UNIFORM = claim(
    "attn.lemD11",
    at="Lemma D.11",
    title="Continuous functions that converge at every place of a compact set converge uniformly",
    states=sentence(
        r"$f_sequence(a) \to $at_each \text{ for every } a \in $K_compact \implies"
        r" \sup_{a \in $K_compact} |$f_sequence(a)| \to $at_most"
        r" \quad \text{for $which functions } $f_sequence",
        at_each=0,
        at_most=0,
        which=Choice("continuous", "continuous"),
    ),
    note=_NOTE,
)
_n, _a = Symbol("n", positive=True), Symbol("a", positive=True)
_BUMP = _n * _a * exp(1 - _n * _a)


@UNIFORM.refuted(
    severity=Severity.FALSE,
    controls={"equicontinuous": {"which": Choice("equicontinuous", "equicontinuous")}},
)
def moving_bump(at_each: Any, at_most: Any, which: str) -> Obligations:
    """On K = [0, 1] let f_n(a) = na exp(1 - na): it tends to 0, and f_n(1/n) = 1 for every n."""
    yield "limit at 0", _BUMP.subs(_a, 0) == at_each
    yield "limit elsewhere", limit(_BUMP, _n, oo) == at_each
    yield "the places are in K", bool((1 / _n).subs(_n, 1) <= 1)
    top = _BUMP.subs(_a, 1 / _n)
    yield "the values do not converge", top.is_number and bool(abs(top) > Rational(1, 2) + at_most)
    steep = limit(diff(_BUMP, _a).subs(_a, 1 / (2 * _n)), _n, oo) == oo
    yield "it is one of the functions", which == "continuous" or not steep


COMMON_MODULUS = Hypothesis(
    "common_modulus",
    "every place over which $supremum is taken has a place of the net behind $at_net so near that"
    " the values there differ by at most $modulus, for all functions of the sequence",
    latex=r"|f_n(a) - f_n(b_a)| \le $modulus",
)

CORRECTED = UNIFORM.corrected(
    "attn.lemD11.corrected",
    title="With a common modulus of continuity the supremum is near the largest value on a net",
    states=le(supremum, at_net + modulus),
    assuming=[COMMON_MODULUS],
    note=_NOTE,
)


@CORRECTED.proved()
def nearest_place(given: Given) -> Theorem:
    """|f(a)| ≤ |f(b)| + ω at the nearest place b of the net; so the supremum is at most that."""
    place, f, nearest = Symbol("place", real=True), *(Function(x, real=True) for x in ("f", "b"))
    there, at_nearest = f(place), f(nearest(place))
    near = given.supposed(COMMON_MODULUS, le(Abs(there - at_nearest), modulus))
    net = given.largest("the largest value on the net", le(Abs(at_nearest), at_net))
    over = {place: Reals, **given.domain}
    each = rules.follows(le(Abs(there), at_net + modulus), [near, net])
    return principles.supremum(each, supremum, over=over)
