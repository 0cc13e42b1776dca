"""Lemma 2, part (b): the Hessian of a head and its blocks."""

from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Reals, Symbol, sqrt, symbols, tanh

from symbolic.equality import equal
from theorems.engine import Given, Obligations, eq, implies, le, rules
from theorems.engine.rules import E, Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.one_head.deviations import DEVIATIONS, SOME_WEIGHT
from theorems.shallow_transformer.analysis.one_head.four_numbers import BOUNDED_VARIABLE
from theorems.shallow_transformer.analysis.one_head.head_on_a_line import HeadOnALine
from theorems.shallow_transformer.analysis.one_head.lipschitz import SCALED
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.heads import (
    bounded_form,
    drawn_token,
    short_pooled_token,
    short_query,
)
from theorems.shallow_transformer.premises.lines.along_a_line import along, drawn_means, moved, softmax_mean
from theorems.shallow_transformer.premises.lines.directions import along_a_direction
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import family, stated
from theorems.shallow_transformer.premises.segments import gradient_of_z, hessian, hessian_of_z, place
from theorems.shallow_transformer.premises.tokens import below_frobenius, called, what_is_assumed
from theorems.shallow_transformer.sampling.head_balls import Point, behind_tanh, of_head
from theorems.shallow_transformer.sampling.heads import HEADS, SampledHead

_NOTE = "proofs_notes/st_smoothness.md#the-hessian"
#: Any weights that are not both 0.
_WEIGHTS = {its.first: 1, its.second: 1}
_BEHIND = (hyp.TWICE_DIFFERENTIABLE, hyp.BOUNDED_SLOPES, hyp.BOUNDED_CURVATURES)

EQ_16 = claim(
    "st.eq16",
    at="Lemma 2, proof; Equation (16)",
    title="The Hessian of a head behind the activation",
    states={
        "formula": eq(its.h_bent, its.sigma_second * its.z_first**2 + its.sigma_first * its.z_bent),
        "bound": le(of.h_hessian, of.sigma_2 * of.z_gradient**2 + of.sigma_1 * of.z_hessian),
    },
    assuming=_BEHIND,
    note=_NOTE,
)


def _chain_rule(given: Given) -> list[Theorem]:
    """D h = σ′(z)Dz, whose derivative is that of a product; D σ′(z) = σ″(z)Dz.

    All of them are taken along a line, from the point in question on.
    """
    x, s, y, slope = symbols("x s y slope", real=True)
    z, first, bent, steep, curved, change = map(family, ("z", "Dz", "DDz", "σ'", "σ''", "DDh"))
    line = ONE_HEAD.meaning(
        "z along the line, its slope and the derivative of that",
        derivative(first(s), z(s), s, Reals),
        derivative(bent(s), first(s), s, Reals),
    )
    activation = what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, derivative(curved(x), steep(x), x, Reals))
    laws = {one.args[1]: ONE_HEAD.follows(line, goal=one) for one in line.statement.args}
    parts = {y: rules.chained(activation, laws[z(s)]), slope: laws[first(s)]}
    second = rules.rate_of(rules.differentiated(y * slope, s, Reals, parts), change(s))
    here = ONE_HEAD.meaning(
        "the derivatives at the point",
        *(eq(its.z_first, first(0)), eq(its.z_bent, bent(0)), eq(its.h_bent, change(0))),
        *(eq(its.sigma_first, steep(z(0))), eq(its.sigma_second, curved(z(0)))),
    )
    return [second.at({s: 0}), here]


@EQ_16.proved("formula")
def chain_rule(given: Given) -> Theorem:
    """Along any direction v."""
    return given.concluded(*_chain_rule(given))


@EQ_16.proved("bound")
def along_the_worst_direction(given: Given) -> Theorem:
    """The norm of a symmetric form is its size at a direction of length 1."""
    v, of_z, bend, of_h = Vector("v"), gradient_of_z(place), hessian_of_z(place), hessian(place)
    first, bent = family("Dz")(0), family("DDz")(0)
    known = [
        ONE_HEAD.meaning(
            "norms of gradients and Hessians at the point",
            *(eq(of.h_hessian, opnorm(of_h)), eq(of.z_gradient, norm(of_z)), eq(of.z_hessian, opnorm(bend))),
        ),
        ONE_HEAD.meaning(
            "the norm of a symmetric form, at a direction v of length 1 where it is largest",
            *(eq(opnorm(of_h), Abs(its.h_bent)), eq(norm(v), 1)),
        ),
        ONE_HEAD.meaning(
            "the derivatives of z along v", *(eq(first, inner(of_z, v)), eq(bent, inner(v, act(bend, v))))
        ),
        *_chain_rule(given),
    ]
    slopes = [facts.cauchy_schwarz(of_z, v), bounded_form(v, bend, v)]
    bounds = [
        ONE_HEAD.follows(*known, slopes[0], goal=le(Abs(its.z_first), of.z_gradient)),
        ONE_HEAD.follows(*known, slopes[1], goal=le(Abs(its.z_bent), of.z_hessian)),
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(its.sigma_first), of.sigma_1)),
        what_is_assumed(given, hyp.BOUNDED_CURVATURES, le(Abs(its.sigma_second), of.sigma_2)),
    ]
    goals = [
        le(Abs(its.sigma_first * its.z_bent), of.sigma_1 * of.z_hessian),
        le(Abs(its.sigma_second * its.z_first**2), of.sigma_2 * of.z_gradient**2),
    ]
    parts = [given.follows(*bounds, goal=one) for one in goals]
    return given.concluded(*known, *parts)


@EQ_16.tested("bound", over=SCALED)
def hessians_behind_tanh(case: tuple[SampledHead, float]) -> Point:
    """‖∇²h‖ for σ = s tanh, and both terms."""
    point = behind_tanh(*case)
    return {x: value for x, value in point.items() if x in EQ_16.domains}


_A, _B, _S = its.drawn_value, its.drawn_change, its.drawn_slope
_SECOND = 2 * (E(_B * _S) - E(_B) * E(_S)) + E((_A - E(_A)) * (_S - E(_S)) ** 2)

SECOND = claim(
    "st.lem2.second",
    at="Lemma 2, proof",
    title="The Hessian of a head is made of cumulants of the tokens",
    states={
        "cumulants": eq(its.z_second, _SECOND),
        "matrices": eq(its.z_second, 2 * its.mixed_form + its.corner_form),
    },
    note=_NOTE,
)


@cache
def _twice() -> tuple[Theorem, ...]:
    """Along U + xδ and W + xΔ the head is the mean of A + xA′, by logits z + xs."""
    head = softmax_mean(_A + along * _B)
    return *moved(head, 2, its.z_second), drawn_means(stated(SECOND, "cumulants"))


@SECOND.proved("cumulants")
def twice_along_a_line(given: Given) -> Theorem:
    """SymPy differentiates the head twice, for any number of tokens."""
    return given.concluded(*_twice())


@SECOND.proved("matrices")
def covariances(given: Given) -> Theorem:
    """⟨δ, MΔq⟩ = Cov(A′, s), and ⟨U, DM[Δ]Δq⟩ is the derivative of ⟨U, MΔq⟩ = Cov(A, s)."""
    mixed, corner = (softmax_mean(X * _S) - softmax_mean(X) * softmax_mean(_S) for X in (_B, _A))
    here = mixed.xreplace({along: sp.S.Zero})
    meant = ONE_HEAD.meaning("the form of M, the covariance of the tokens", eq(its.mixed_form, here))
    return given.concluded(*_twice(), meant, *moved(corner, 1, its.corner_form))


@SECOND.argued(
    "cumulants", bridge="What SymPy finds for three tokens is an independent check of the general rule."
)
def differentiated_softmax() -> Obligations:
    """SymPy differentiates the head with three tokens."""
    head = HeadOnALine(3)

    def of_three(*factors: Any) -> Any:
        return head.mean(*factors)

    A, B, s = head.A, head.moved, head.s
    pair = of_three(B, s) - of_three(B) * of_three(s)
    third = of_three(A, s, s) - 2 * of_three(A, s) * of_three(s) - of_three(A) * of_three(s, s)
    stated_ = 2 * pair + third + 2 * of_three(A) * of_three(s) ** 2
    yield "second derivative", equal(head.derivative(2), sp.expand(stated_))


BLOCKS = claim(
    "st.lem2.blocks",
    at="Lemma 2, proof",
    title="The blocks of the Hessian",
    states={
        "U": eq(its.U_block, 0),
        "coupling": [le(of.z_coupling, of.M_frobenius * of.q_size), le(of.M_frobenius * of.q_size, 1)],
        "corner": le(of.z_corner, 8 * of.u),
    },
    assuming=hyp.INPUTS,
    rests_on=[SECOND, "st.fact3.sharp", "st.lem2.eight"],
    note=_NOTE,
)


@BLOCKS.proved("U")
def linear_in_the_read_out_vector(given: Given) -> Theorem:
    """Along a direction of U alone no logit moves, s = 0."""
    block = ONE_HEAD.meaning(
        "the block, at a direction of U of length 1 where it is largest", eq(its.U_block, Abs(its.z_second))
    )
    return given.follows(given.fact(SECOND, "cumulants").at({_S: 0}), block)


@BLOCKS.proved("coupling")
def norm_of_the_covariance(given: Given) -> Theorem:
    """|⟨δ, MΔq⟩| ≤ ‖M‖|q| for |δ| = ‖Δ‖ = 1, and ‖M‖ ≤ ‖M‖_F ≤ 1."""
    return given.follows(short_pooled_token(given), short_query(given), _coupling(given))


def _directions() -> tuple[Theorem, Theorem]:
    """A direction of W of length 1, its norm as an operator, and |Δq| ≤ |q|."""
    Delta, q = Operator("Delta"), Vector("q")
    meaning = ONE_HEAD.meaning(
        "a direction of W of length 1, and the query", eq(of.Delta_size, 1), eq(of.q_size, norm(q))
    )
    frobenius = below_frobenius(Delta, of.Delta_size)
    known = [meaning, frobenius, facts.operator_norm(Delta, q)]
    return meaning, ONE_HEAD.follows(*known, goal=le(norm(act(Delta, q)), of.q_size))


def _coupling(given: Given) -> Theorem:
    """|⟨δ, MΔq⟩| ≤ |δ|‖M‖‖Δ‖|q|, where 4⟨δ, MΔq⟩ = D²z[(δ, Δ)²] − D²z[(−δ, Δ)²] = 4D²z[δ, Δ]."""
    delta, M, image = Vector("delta"), Operator("M"), act(Operator("Delta"), Vector("q"))
    here = its.z_second, its.mixed_form, its.corner_form
    there = symbols("z_second_there mixed_form_there corner_form_there", real=True)
    second = given.fact(SECOND, "matrices")
    other = second.at(dict(zip(here, there, strict=True)))
    corner = inner(Vector("U"), act(Operator("DM"), image))
    of_U, of_W, bend = Vector("(delta, 0)"), Vector("(0, Delta)"), hessian_of_z(place)
    both_, other_ = of_W + of_U, of_W - of_U
    block = ONE_HEAD.meaning(
        "the block, at directions of length 1 where it is largest, and second derivatives as the symmetric"
        " form of the Hessian",
        eq(of.z_coupling, Abs(inner(of_U, act(bend, of_W)))),
        eq(inner(of_W, act(bend, of_U)), inner(of_U, act(bend, of_W))),
        *(eq(here[0], inner(both_, act(bend, both_))), eq(there[0], inner(other_, act(bend, other_)))),
        *(eq(here[1], inner(delta, act(M, image))), eq(here[2], corner)),
        *(eq(there[1], inner(-delta, act(M, image))), eq(there[2], corner)),
        eq(norm(delta), 1),
        eq(of.M_norm, opnorm(M)),
    )
    short = ONE_HEAD.follows(second, other, block, goal=eq(of.z_coupling, Abs(here[1])))
    form = bounded_form(delta, M, image)
    known = [short, block, form, _directions()[1]]
    return ONE_HEAD.follows(*known, goal=le(of.z_coupling, of.M_norm * of.q_size))


@BLOCKS.proved("corner")
def from_the_printed_bound(given: Given) -> Theorem:
    """|⟨U, DM[Δ]Δq⟩| ≤ |U| · 8‖Δ‖ · ‖Δ‖, where δ = 0 and ⟨δ, MΔq⟩ with it."""
    U, change, image = Vector("U"), Operator("DM"), act(Operator("Delta"), Vector("q"))
    still, moved = Vector("delta"), act(Operator("M"), image)
    block = ONE_HEAD.meaning(
        "the block, at a direction of W of length 1 where it is largest",
        eq(of.z_corner, Abs(its.z_second)),
        *(eq(norm(still), 0), eq(its.mixed_form, inner(still, moved))),
        eq(its.corner_form, inner(U, act(change, image))),
        eq(of.u, norm(U)),
    )
    frobenius = below_frobenius(change, of.M_change)
    length, shorter = _directions()
    known = [block, frobenius, given.fact("st.lem2.eight"), length, bounded_form(U, change, image)]
    mixed = ONE_HEAD.follows(block, facts.cauchy_schwarz(still, moved), goal=eq(its.mixed_form, 0))
    second = given.fact(SECOND, "matrices")
    return given.follows(*known, mixed, second, shorter, short_query(given))


@BLOCKS.tested("coupling", over=HEADS)
def couplings_of_heads(head: SampledHead) -> Point:
    """‖∇²_{U,W} z‖, ‖M‖_F|q| and 1."""
    return of_head(BLOCKS, head)


@BLOCKS.tested("corner", over=HEADS)
def corners_over_printed(head: SampledHead) -> Point:
    """‖∇_W² z‖ and 8u."""
    return of_head(BLOCKS, head)


_LARGEST = 4 / (3 * sqrt(3))

CORNER_SHARP = BLOCKS.sharpened(
    "st.lem2.blocks.sharp",
    title="The largest norms of the blocks",
    states={
        "coupling": le(of.z_coupling, 1),
        "corner": le(of.z_corner, _LARGEST * of.u),
        "coupling attained": eq(its.pair_coupling(of.u, 0), 1),
        "corner attained": implies(
            eq(tanh(its.entry_w), 1 / sqrt(3)), eq(its.pair_corner(of.u, its.entry_w), -_LARGEST * of.u)
        ),
    },
    assuming=hyp.INPUTS,
    rests_on=[SECOND, "st.fact3.sharp", DEVIATIONS],
    discharging={
        BOUNDED_VARIABLE: "Y is the slope of the logit of a drawn token along Δ of length 1",
        SOME_WEIGHT: "the deviations are bounded apart from each other",
    },
    note=_NOTE,
)


@CORNER_SHARP.proved("coupling")
def coupling_at_most_one(given: Given) -> Theorem:
    """‖M‖|q| ≤ 1."""
    return given.follows(short_pooled_token(given), short_query(given), _coupling(given))


def deviations_of(given: Given) -> Theorem:
    """E|S| ≤ 1 − x² and E|S² − V| ≤ 2x(1 − x²) for the slope of the logit of a drawn token."""
    goal = stated(DEVIATIONS, "one mean for both")
    fact = given.fact(DEVIATIONS, "one mean for both").at(_WEIGHTS)
    return ONE_HEAD.follows(fact, drawn_token(given), goal=goal)


@CORNER_SHARP.proved("corner")
def deviation_of_the_square(given: Given) -> Theorem:
    """|κ(A, s, s)| = |⟨U, E(S² − V)X⟩| ≤ u|Δq|²E|Ŝ² − V̂| ≤ u K(0, 1); Ŝ for Δq of length 1.

    K(0, 1) = max (1 − x²)2x = 4/(3√3). A symmetric form is largest on the diagonal.
    """
    still, turn = (Symbol(f"size of {one}", nonnegative=True) for one in ("delta", "Delta"))
    block = ONE_HEAD.meaning(
        "the block, at a direction of W of length 1 where it is largest",
        eq(of.z_corner, Abs(its.z_second)),
        eq(still, norm(Vector("delta"))),
        eq(norm(Vector("delta")), 0),
        eq(turn, 1),
    )
    bent = along_a_direction(given, still, turn)
    size = ONE_HEAD.follows(block, bent, goal=le(of.z_corner, of.u * its.Y_square))
    return given.follows(deviations_of(given), size)


@CORNER_SHARP.proved("coupling attained")
def coupling_of_two_tokens(given: Given) -> Theorem:
    """The mixed second derivative of z = u tanh w, at w = 0."""
    return given.decided()


@CORNER_SHARP.proved("corner attained")
def corner_of_two_tokens(given: Given) -> Theorem:
    """The second derivative of z = u tanh w by w, at tanh w = 1/√3."""
    block = its.pair_corner(of.u, its.entry_w)
    return given.concluded(*called(block))


@CORNER_SHARP.tested("corner", over=HEADS)
def corners_of_heads(head: SampledHead) -> Point:
    """‖∇_W² z‖ and 4u/(3√3)."""
    return of_head(CORNER_SHARP, head)


@CORNER_SHARP.tested("coupling", over=HEADS)
def couplings_over_one(head: SampledHead) -> Point:
    """‖∇²_{U,W} z‖."""
    return of_head(CORNER_SHARP, head)
