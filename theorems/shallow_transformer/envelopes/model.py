"""Lemma 6: a uniform bound of the model near the initialisation."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Rational, Symbol, sqrt

from numeric.networks.transformer import SINE, TANH, Heads, Inputs, predict
from symbolic.equality import equal
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    eq,
    ge,
    implies,
    le,
    sentence,
)
from theorems.engine.rules import Theorem, principles
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import (
    c_shift,
    f_output,
    head_now,
    head_start,
    pairs,
    theta_start,
)
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.letters.run import c_start
from theorems.shallow_transformer.premises.lines.way_of_a_head import START_LENGTH, STEP, first_order
from theorems.shallow_transformer.premises.means import halves, what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    bounded_sum,
    called,
    family,
    inner_step,
    letters,
    linear,
    near_the_start,
    stated,
    total,
    triangle,
    what_is_assumed,
)
from theorems.shallow_transformer.premises.parabolas import largest_displacement

Point = Mapping[Symbol, Any]
_NOTE = "proofs_notes/st_function_space.md#envelopes"
_AT = "Lemma 6"

EQUALITY = claim(
    "st.lem6.equality",
    at="Lemma 6, proof",
    title="The absolute value of the model as a sum of absolute values",
    states=sentence(
        r"|$f_output| $relation $m^{-$half}\sum_{i=1}^{$m}"
        r"\bigl(|$c_start($h($X; $theta_i) - $h($X; $theta_start))|"
        r" + |\delta c_i\,$h($X; $theta_i)|\bigr)",
        relation=Choice("=", "equal"),
        half=Fraction(1, 2),
    ),
    given=letters(*(f_output, m, c_start, of.h, of.X, of.theta, theta_start), under=hyp.SYMMETRIC_START),
    assuming=hyp.SYMMETRIC_START,
    note=_NOTE,
)


@EQUALITY.refuted(severity=Severity.SLIP)
def paired_heads_moved_alike(relation: str, half: Any) -> Obligations:
    """σ = sin, T = d = 1, X = 1: both heads move from U = 0 to π/6, and f stays 0."""
    start, end = sp.S.Zero, sp.pi / 6
    moves = [sp.sin(end) - sp.sin(start)] * 2
    f = (moves[0] - moves[1]) / sp.sqrt(2)
    whole = sp.Integer(2) ** -sp.Rational(half) * (abs(moves[0]) + abs(moves[1]))
    yield f"the two sides are not {relation}", equal(abs(f), whole) is False


_STEPS = total(Abs(head_now(i) - head_start(i)), i, m)
_SHIFTS = total(Abs(c_shift(i) * head_now(i)), i, m)

TRIANGLE = EQUALITY.corrected(
    "st.lem6.equality.corrected",
    title="The absolute value of the model is at most the sum of absolute values",
    states=le(Abs(f_output), (_STEPS + _SHIFTS) / sqrt(m)),
    given=letters(f_output, m, under=hyp.SYMMETRIC_START),
    assuming=hyp.SYMMETRIC_START,
    note=_NOTE,
)


@TRIANGLE.proved()
def split_the_product(given: Given) -> Theorem:
    """c h = c₀h₀ + c₀(h - h₀) + δc h, where Σc₀h₀ = 0 and |c₀| = 1; the triangle inequality."""
    c, start, whole = family("c at the start"), family("c h at the start"), family("c h")
    first, second = family("share of the step"), family("share of the shift")
    heads = NETWORKS.meaning(
        "the terms of the network",
        eq(start(i), c(i) * head_start(i)),
        eq(whole(i), (c(i) + c_shift(i)) * head_now(i)),
        eq(first(i), c(i) * (head_now(i) - head_start(i))),
        eq(second(i), c_shift(i) * head_now(i)),
    )
    signs = what_is_assumed(given, hyp.UNIT_SIGNS, eq(Abs(c(i)), 1))
    each = added(NETWORKS.follows(heads, goal=eq(whole(i), start(i) + first(i) + second(i))), i, m)
    sizes_of = [(first, Abs(head_now(i) - head_start(i))), (second, Abs(c_shift(i) * head_now(i)))]
    bounds = []
    for term, size in sizes_of:
        alike = added(NETWORKS.follows(heads, signs, goal=eq(Abs(term(i)), size)), i, m)
        bounds += [alike, triangle(term, i, m)]
    paired = what_is_assumed(
        given, hyp.PAIRED_HEADS, eq(c(i + pairs), -c(i)), eq(head_start(i + pairs), head_start(i))
    )
    partners = NETWORKS.meaning(
        "a term of the second half", eq(start(i + pairs), c(i + pairs) * head_start(i + pairs))
    )
    opposite = eq(start(i + pairs), -start(i))
    known = [paired, heads, partners]
    second_half = added(NETWORKS.follows(*known, goal=opposite), i, pairs)
    model = NETWORKS.meaning("the network", eq(f_output, total(whole(i), i, m) / sqrt(m)))
    pairs_ = [*halves(given, start), second_half, linear(second_half.statement.rhs)]
    nothing = NETWORKS.follows(*pairs_, goal=eq(total(start(i), i, m), 0))
    known = [model, each, linear(each.statement.rhs), nothing, *bounds]
    return given.concluded(*known)


_ON_THE_EVENT = (*hyp.SYMMETRIC_START, *hyp.REGULAR, hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET)
_PRINTED = of.LIPSCHITZ * of.THETA_RADIUS + of.sigma_0 * of.rho_c
_EVENT = {hyp.NORM_EVENT: "BOUNDED_HEADS is its conclusion"}
_RESTS_ON = (TRIANGLE, "st.def2", "st.eq9", "st.lem1.c", "st.lem1.u", "st.lem1.w")

MODEL = claim(
    "st.lem6.f",
    at=_AT,
    title="Envelope of the model",
    states=[le(of.f_sup, _PRINTED), eq(_PRINTED, of.output_bound(of.sigma_0, of.sigma_1, *of.RHO, of.B))],
    given=letters(of.f_sup, _PRINTED, under=_ON_THE_EVENT),
    assuming=_ON_THE_EVENT,
    rests_on=[*_RESTS_ON, "st.fact3", "st.lem2.lipschitz"],
    discharging=_EVENT,
    note=_NOTE,
)


def _sum_of_shares(given: Given, step: Any, of_one: Theorem) -> Theorem:
    """sup|f| ≤ s + σ₀ρ_c where √m times the step of a head is at most s."""
    shift = Abs(c_shift(i) * head_now(i))
    largest = of.sigma_0 * of.rho_c
    values = [
        what_is_assumed(given, hyp.BOUNDED_VALUES, le(Abs(head_now(i)), of.sigma_0)),
        near_the_start(given, {of.rho_c: c_shift(i)}),
    ]
    shifts = NETWORKS.follows(*values, goal=le(sqrt(m) * shift, largest))
    sums_ = [bounded_sum(one, i, m) for one in (of_one, shifts)]
    apart = [linear(one.statement.lhs) for one in sums_]
    each = between(given, le(Abs(f_output), step + largest), given.fact(TRIANGLE), *sums_, *apart)
    return principles.supremum(each, of.f_sup, over=in_networks(of.f_sup))


def _of_a_head(given: Given, step: Symbol, one: Theorem) -> Theorem:
    """What is said of the step of a head, for the head i."""
    return NETWORKS.substituted(one, {step: Abs(head_now(i) - head_start(i))}, under=given.conditions)


@MODEL.proved()
def sum_over_the_heads(given: Given) -> Theorem:
    """m terms of at most L₁√(ρ_u² + ρ_w²)/√m and σ₀ρ_c/√m, over √m; no Cauchy-Schwarz needed."""
    given.require(*_ON_THE_EVENT)
    step = of.LIPSCHITZ * of.THETA_RADIUS
    inside = inner_step(given)
    lipschitz = what_it_says(given, "st.lem2.lipschitz", le(of.h_step, of.LIPSCHITZ * of.theta_step))
    signs = NETWORKS.follows(*called(of.LIPSCHITZ), goal=ge(of.LIPSCHITZ, 0))
    one = between(given, le(sqrt(m) * of.h_step, step), inside, lipschitz, signs)
    bound = _sum_of_shares(given, step, _of_a_head(given, of.h_step, one))
    named = stated(MODEL).args[1]
    function = next(one for one in (named.lhs, named.rhs) if one.func == of.output_bound)
    closed = given.follows(*called(of.LIPSCHITZ, of.THETA_RADIUS, function), goal=eq(_PRINTED, function))
    return given.concluded(bound, closed)


_BLOCKS = of.sigma_1 * of.DISPLACEMENT + of.sigma_0 * of.rho_c
_AT_X = of.rho_u * of.x + (1 - of.x**2) * of.B * of.rho_w

SHARP = MODEL.sharpened(
    "st.lem6.f.sharp",
    title="Envelope of the model, block by block",
    states={
        "bound": le(of.f_sup, _BLOCKS),
        "maximum": le(_AT_X, of.DISPLACEMENT),
        "at the vertex": implies(
            le(of.rho_u, 2 * of.B * of.rho_w),
            eq(of.DISPLACEMENT, of.B * of.rho_w + of.rho_u**2 / (4 * of.B * of.rho_w)),
        ),
        "at the end": implies(ge(of.rho_u, 2 * of.B * of.rho_w), eq(of.DISPLACEMENT, of.rho_u)),
        "below the printed bound": le(of.sigma_1 * of.DISPLACEMENT, of.LIPSCHITZ * of.THETA_RADIUS),
    },
    given=letters(of.f_sup, of.x, _BLOCKS, under=_ON_THE_EVENT),
    assuming=_ON_THE_EVENT,
    rests_on=[*_RESTS_ON, "st.fact3.sharp"],
    discharging=_EVENT,
    note=_NOTE,
)


@SHARP.proved("bound")
def blocks_of_the_gradient(given: Given) -> Theorem:
    """√m|h − h₀| ≤ σ₁(|a|ρ_u + (1 - |a|²)Bρ_w) along the way of each head, at most σ₁ℓ."""
    given.require(*_ON_THE_EVENT)
    one = NETWORKS.substituted(first_order(given), {START_LENGTH: of.U_max}, under=given.conditions)
    return given.concluded(_sum_of_shares(given, of.sigma_1 * of.DISPLACEMENT, _of_a_head(given, STEP, one)))


@SHARP.proved("maximum")
def top_of_the_parabola(given: Given) -> Theorem:
    """The value at the vertex, or at x = 1."""
    return given.concluded(largest_displacement(of.rho_u, of.B * of.rho_w))


@SHARP.proved("at the vertex", "at the end")
def closed_forms(given: Given) -> Theorem:
    """The vertex is ρ_u/(2Bρ_w) if this is at most 1."""
    return given.concluded(*called(of.DISPLACEMENT))


@SHARP.proved("below the printed bound")
def cauchy_schwarz(given: Given) -> Theorem:
    """xρ_u + (1 - x²)Bρ_w ≤ √(x² + (1 - x²)²B²)√(ρ_u² + ρ_w²), at the vertex and at the end."""
    a, b, c, x = (Symbol(f"{name} of a block", positive=True) for name in "abcx")
    root = sqrt(1 + b**2) * sqrt(a**2 + c**2)
    where, sum_ = [le(x, 1)], x * a + (1 - x**2) * b * c
    schwarz = NETWORKS.follows(goal=le(sum_**2, (1 + b**2) * (a**2 * x**2 + c**2 * (1 - x**2) ** 2)))
    small = NETWORKS.follows(goal=le(a**2 * x**2 + c**2 * (1 - x**2) ** 2, a**2 + c**2), under=where)
    square = NETWORKS.follows(schwarz, small, goal=le(sum_**2, root**2), under=where)
    value = NETWORKS.follows(square, goal=le(sum_, root), under=where)
    place = sp.Min(1, of.rho_u / (2 * of.B * of.rho_w))
    there = NETWORKS.substituted(value, {a: of.rho_u, b: of.B, c: of.rho_w, x: place})
    known = [there, *called(of.DISPLACEMENT, of.LIPSCHITZ, of.THETA_RADIUS)]
    bare = le(of.DISPLACEMENT, root.subs({a: of.rho_u, b: of.B, c: of.rho_w}, simultaneous=True))
    return given.concluded(NETWORKS.follows(*known, goal=bare), *called(of.LIPSCHITZ, of.THETA_RADIUS))


@st.composite
def _moved(draw: st.DrawFn) -> tuple[Heads, Heads, Inputs, tuple[float, float, float], float]:
    """A symmetric initialisation of two heads and a point of the boundary of Ω_ρ, d ≤ 2."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    d, T = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    rho = draw(st.tuples(*[st.floats(2**-10, 0.5)] * 3))
    U = np.tile(draw(st.floats(0.1, 4)) * rng.standard_normal(d), (2, 1))
    W = np.tile(draw(st.floats(0, 1)) * rng.standard_normal((d, d)), (2, 1, 1))
    start = Heads([1.0, -1.0], U, W)
    tokens = rng.standard_normal((4, T, d))
    tokens /= np.maximum(1e-9, np.linalg.norm(tokens, axis=2, keepdims=True))
    queries = rng.standard_normal((4, d))
    X = Inputs(tokens, queries / np.linalg.norm(queries, axis=1, keepdims=True))
    e = tokens[0, 0]
    step = np.array([1.0, -1.0]) / np.sqrt(2) * draw(st.sampled_from([-1, 1]))
    end = Heads(
        start.c + rho[0] * np.ones(2) / np.sqrt(2) * draw(st.sampled_from([-1, 1])),
        U + rho[1] * step[:, None] * e,
        W + rho[2] * step[:, None, None] * np.outer(e, X.queries[0]),
    )
    return start, end, X, rho, draw(st.sampled_from([1.0, 2.0**-6]))


@SHARP.tested("bound", over=_moved)
def outputs_over_the_bound(case: Any) -> Point:
    """Outputs at such points, with the largest norm in place of the radius, scaled by a factor."""
    start, end, X, rho, scale = case
    longest = float(np.linalg.norm(start.U, axis=1).max())
    sigma = SINE if scale == 1 else TANH
    values = scale * np.abs(predict(end, X, sigma, threads=1))
    # Outputs of two heads are good to a few units in the last place of their sizes.
    return {
        of.f_sup: Rounded(float(values.max()), 1e-13),
        of.sigma_0: scale * sigma.bounds[0],
        of.sigma_1: scale * sigma.bounds[1],
        of.rho_c: rho[0],
        of.rho_u: rho[1],
        of.rho_w: rho[2],
        of.B: Rounded(longest + rho[1] / np.sqrt(2), 1e-13 * (1 + longest)),
    }


BEST = claim(
    "st.lem6.f.sharp.best",
    at=_AT,
    title="The sharper envelope of the model is the best for large widths",
    states=sentence(
        r"\sup_{$X, $sigma, $phi}|$f($X; $phi)| \to $top \quad\text{as}\quad $m \to \infty", top=_BLOCKS
    ),
    given=letters(*(of.X, of.sigma, of.phi, of.f, m), _BLOCKS, under=_ON_THE_EVENT),
    assuming=_ON_THE_EVENT,
    rests_on=[SHARP],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of m": "true as well: the limit is about large widths",
        "domain of U_max": "true as well: a length is not negative",
    },
)


@BEST.argued(
    bridge="Two opposite unit tokens along U with the weights (1 ± x)/2; each head moves by"
    " (ρ_u, ρ_w)/√m in the direction of its sign, with σ′ = σ₁ and σ = ±σ₀ nearly, so that f is"
    " this value up to O(m^(-1/2)).",
    uses=_ON_THE_EVENT,
    over=dict.fromkeys((of.sigma_0, of.sigma_1, of.rho_c, of.rho_u, of.rho_w, of.B), of.POSITIVE),
)
def two_opposite_tokens(top: Any) -> Obligations:
    """|a| = x, M = (1 - x²)eeᵀ, so that f is σ₁(ρ_u x + (1 - x²)Bρ_w) + σ₀ρ_c, for each x."""
    x = sp.Symbol("x", positive=True)
    weights = [(1 + x) / 2, (1 - x) / 2]
    mean = weights[0] - weights[1]
    yield "mean", equal(mean, x)
    variance = sp.expand(sum(weights) - mean**2)
    yield "variance", equal(variance, 1 - x**2)
    model = of.sigma_1 * (of.rho_u * mean + variance * of.B * of.rho_w) + of.sigma_0 * of.rho_c
    for u, w, place in ((1, 1, Rational(1, 4)), (1, Rational(1, 8), sp.S.One)):
        at = {of.rho_u: u, of.rho_w: w, of.B: 2, of.sigma_0: 3, of.sigma_1: 5, of.rho_c: 7}
        found = model.subs({x: place}).subs(at)
        yield f"best x at ρ_w = {w}", equal(found, unfolded(top).subs(at))
