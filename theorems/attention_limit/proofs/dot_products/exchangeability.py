"""Lemmas D.3 and D.4: the coordinates are exchangeable; whether they are centred."""

from typing import Any

import sympy as sp
from sympy import Function, Integral, Sum, Symbol, exp, oo, pi, sin, sqrt

from theorems.attention_limit.letters.dot_products import X, r
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.premises.gaussian_outputs import CENTRED_TERMS
from theorems.engine import Choice, Given, Obligations, Severity, eq, rules, sentence
from theorems.engine.rules import E, Theorem, sums
from theorems.engine.rules.vocabulary import randoms

_NOTE = "proofs_notes/attn_proofs.md#inputs-that-depend-on-the-matrices"

EXCHANGEABLE = claim(
    "attn.lemD3",
    at="Lemma D.3",
    title="The shares of the coordinates in the dot products are exchangeable",
    states=sentence(
        r"(X_{$places_map(\alpha)})_\alpha \text{ has the law of } ($X)_\alpha"
        r" \text{ for every $which } $places_map",
        which=Choice(r"permutation", "permutation"),
    ),
    note=_NOTE,
)


@EXCHANGEABLE.argued(
    bridge="Products of independent Gaussian matrices and vectors of independent equal coordinates"
    " keep their joint law under h to Ph, W to PWP' for a permutation matrix P, and every step of"
    " a program commutes with P, so that X becomes PX.",
    controls={"orthogonal maps": {"which": Choice("orthogonal map", "orthogonal map")}},
)
def steps_commute_with_permutations(which: str) -> Obligations:
    """MatMul, Nonlin and the shares themselves commute with the map, at width 3."""
    rotation = sp.Matrix([[3, -4, 0], [4, 3, 0], [0, 0, 5]]) / 5
    cycle = sp.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    P = {"permutation": cycle, "orthogonal map": rotation}[which]
    phi, size = Function("phi"), 3
    W, V = (sp.Matrix(size, size, sp.symbols(f"{name}:9")) for name in "WV")
    h = sp.Matrix(sp.symbols("h:3"))
    moved = (P * W * P.T) * (P * h)
    yield "a matrix times a vector", sp.expand(moved - P * W * h) == sp.zeros(size, 1)
    applied = (P * h).applyfunc(phi) - P * h.applyfunc(phi)
    yield "a function of each coordinate", applied == sp.zeros(size, 1)
    share = (P * W * h).multiply_elementwise(P * V * h)
    known = share - P * (W * h).multiply_elementwise(V * h)
    yield "a share", sp.expand(known) == sp.zeros(size, 1)


SAME_LAW = claim(
    "attn.lemD3.step",
    at="Lemma D.3",
    title="Given the inputs the shares of the coordinates are independent with the same law",
    states=sentence(
        r"\text{given } ($x_factor)_{i,j}, \text{ $which}, \text{ the } $X"
        r" \text{ are independent with the same law}",
        which=Choice("functions of earlier vectors", "earlier"),
    ),
    note=_NOTE,
)
_FRESH = Choice("independent of the matrices", "independent")


@SAME_LAW.refuted(severity=Severity.GAP, controls={"fresh": {"which": _FRESH}})
def inputs_that_tell_the_images(which: str) -> Obligations:
    """At width 2 let u = Az, v = B y be the first factors, A tanh(v) and B tanh(u) the second.

    Given the inputs u and v are known, and so is X for t = (1, 0): its two values may differ.
    """
    s, u, v = Symbol("s", real=True), sp.symbols("u:2", real=True), sp.symbols("v:2", real=True)
    inputs = [sp.tanh(one) for one in (*u, *v)] if which == "earlier" else sp.symbols("x:4")
    slope = sp.diff(sp.tanh(s), s) - 1 / sp.cosh(s) ** 2
    yield "tanh increases, so that it is injective", sp.simplify(slope.rewrite(exp)) == 0
    shares = sp.Matrix([u[k] * v[k] for k in range(2)])
    told = sp.Matrix(inputs).free_symbols >= shares.free_symbols
    yield "the inputs determine the shares", told
    values = shares.subs(dict(zip((*u, *v), (1, 2, 1, 1), strict=True)))
    yield "the two differ", values[0] != values[1]


SAME_LAW_OF_ROWS = SAME_LAW.corrected(
    "attn.lemD3.step.corrected",
    title="Given inputs that do not depend on the matrices the shares are independent and alike",
    states=sentence(
        r"\text{given } ($x_factor)_{i,j}, \text{ $which}, \text{ the } $X"
        r" \text{ are independent with the same law}",
        which=_FRESH,
    ),
    note=_NOTE,
)


@SAME_LAW_OF_ROWS.argued(
    bridge="The rows of each matrix are independent with the same law, also given inputs that are"
    " independent of the matrices, and each share is the same function of one row of each.",
    controls={"earlier": {"which": Choice("functions of earlier vectors", "earlier")}},
)
def one_row_each(which: str) -> Obligations:
    """At width 2: a share has its own rows in it only, and swapping rows swaps the shares."""
    W, V = (sp.Matrix(2, 2, sp.symbols(f"{name}:4", real=True)) for name in "WV")
    z, y = (sp.Matrix(sp.symbols(f"{name}:2", real=True)) for name in "zy")
    x = y if which == "independent" else (V * y).applyfunc(sp.tanh)
    shares = (W * x).multiply_elementwise(V * y)
    own = [W.row(k).free_symbols | V.row(k).free_symbols for k in range(2)]
    given = z.free_symbols | y.free_symbols
    for k in range(2):
        yield f"rows in share {k + 1}", shares[k].free_symbols <= own[k] | given
    swapped = dict(zip([*W, *V], [W[2], W[3], W[0], W[1], V[2], V[3], V[0], V[1]], strict=True))
    yield "the same function", sp.expand(shares[0].xreplace(swapped) - shares[1]) == 0


CENTRED = claim(
    "attn.lemD4",
    at="Lemma D.4",
    title="The share of a coordinate has mean zero under Assumption 3.1",
    states=sentence(r"\mathbb{E}($X) = $mean \text{ for every } \alpha", mean=0),
    note=_NOTE,
)


def _mean(f: Any, g: Symbol) -> Any:
    return Integral(f * exp(-(g**2) / 2) / sqrt(2 * pi), (g, -oo, oo)).doit()


@CENTRED.refuted(severity=Severity.GAP, controls={"another mean": {"mean": exp(-1)}})
def crossed_inputs(mean: Any) -> Obligations:
    """At width 1 with g¹¹ = A, g¹² = B, g²¹ = A sin B, g²² = B sin A: E X = t₂(E A sin A)²."""
    a, b, weight = Symbol("a", real=True), Symbol("b", real=True), 1
    first, second = a * b, (a * sin(b)) * (b * sin(a))
    value = _mean(_mean(first + weight * second, a), b)
    yield "the mean is another one", bool(sp.simplify(value - mean) != 0)


WITHOUT_DEPENDENCE = CENTRED.corrected(
    "attn.lemD4.corrected",
    title="The share of a coordinate has mean zero where inputs do not depend on the matrices",
    states=eq(E(X), 0),
    assuming=[CENTRED_TERMS],
    note=_NOTE,
)
_i, _j = (Symbol(name, integer=True, nonnegative=True) for name in "ij")


@WITHOUT_DEPENDENCE.proved()
def every_term_is_centred(given: Given) -> Theorem:
    """The two factors of each term come from different matrices, which are independent."""
    weight, mean = (Function(name, real=True) for name in ("t", "m"))
    first, second = randoms("g"), randoms("h")
    named = given.meaning("the mean of a term", eq(mean(_i), E(first(_i) * second(_i))))
    apart = given.supposed(CENTRED_TERMS, eq(E(first(_i) * second(_i)), 0))
    each = rules.follows(eq(weight(_i) * mean(_i), 0), [named, apart])
    partial = Sum(weight(_j) * mean(_j), (_j, 0, _i - 1))
    none = sums.by_recursion(eq(partial, 0), _i, premises=[each])
    whole = given.supposed(CENTRED_TERMS, eq(E(X), partial.xreplace({_i: r})))
    return given.follows(none.at({_i: r}), whole)
