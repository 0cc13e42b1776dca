"""Theorem 1, proof: the change-of-feature error, (35).

What is said of one head is added up over any number of heads.
"""

from sympy import Abs, Expr, Symbol, sqrt

from theorems.engine import Given, both, eq, le
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.feature_change import EQ_28, EQ_30, HEAD, LENGTHS, SHARP_29
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    bounded_sum,
    family,
    letters,
    near_the_start,
    sizes,
    stated,
    total,
    triangle,
    what_is_assumed,
)
from theorems.shallow_transformer.premises.parabolas import largest_displacement
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md#the-change-of-features"

_MOVED = (*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS, hyp.BOUNDED_MAP)
_FAR = HEAD * LENGTHS / sqrt(m)

EQ_35 = claim(
    "st.eq35",
    at="Theorem 1, proof; Equation (35)",
    title="The change-of-feature error",
    states=[le(of.eps_features, _FAR), eq(_FAR, its.B_COF)],
    given=letters(of.eps_features, its.B_COF, under=_MOVED),
    assuming=_MOVED,
    rests_on=[EQ_28, "st.eq29", "st.eq34"],
    note=_NOTE,
)


@EQ_35.proved()
def sum_of_m_heads(given: Given) -> Theorem:
    """m heads, each with 1/m of the one and 1/√m of the other factor."""
    bound, definition = stated(EQ_35).args
    change, way = sizes("change"), sizes("way")
    one, other = HEAD / m, LENGTHS / sqrt(m)
    at = [
        NETWORKS.substituted(given.fact("st.eq34"), {of.head_change: change(i)}),
        NETWORKS.substituted(given.fact("st.eq29"), {of.way: way(i)}),
    ]
    each = between(given, le(change(i) * way(i), one * other), *at)
    sums = bounded_sum(each, i, m)
    whole = NETWORKS.meaning("the sum over heads", eq(its.head_products, total(change(i) * way(i), i, m)))
    known = [given.fact(EQ_28), sums, whole]
    named = unfolded(definition)
    return given.follows(
        given.follows(*known, goal=bound), given.follows(goal=named), goal=both(bound, named)
    )


@EQ_35.tested(over=RUNS, cases=30)
def feature_errors_along_runs(run: Descent) -> Point:
    """|ε_CoF| and the bound."""
    return at_worst(EQ_35, run.points())


_FAR_C, _FAR_U, _FAR_W = (nu + rho for nu, rho in zip(of.NU, of.RHO, strict=True))
_FURTHER = of.displacement(_FAR_U, of.B * _FAR_W)
_THIRD = 4 / (3 * sqrt(3))
_MIXED = of.rho_u * _FAR_W + _FAR_U * of.rho_w + _THIRD * of.B * of.rho_w * _FAR_W
BLOCKS = of.sigma_2 * of.DISPLACEMENT * _FURTHER + of.sigma_1 * (
    _MIXED + of.rho_c * _FURTHER + _FAR_C * of.DISPLACEMENT
)

SHARP_35 = EQ_35.sharpened(
    "st.eq35.sharp",
    title="The change-of-feature error, block by block",
    states=le(sqrt(m) * of.eps_features, BLOCKS),
    given=letters(of.eps_features, m, BLOCKS, under=_MOVED),
    assuming=_MOVED,
    rests_on=[
        *(EQ_28, EQ_30, SHARP_29, "st.lem2.second", "st.lem2.blocks.sharp", "st.fact3.sharp"),
        "st.lem6.f.sharp",
    ],
    discharging=dict.fromkeys(
        (hyp.BOUNDED_VALUES, hyp.EVEN_WIDTH, hyp.PAIRED_HEADS),
        "of st.lem6.f.sharp only the closed form of the largest displacement is used",
    ),
    note=_NOTE,
    excused={
        "exponent 1/2 of m: 1/2 -> 1/4": "true as well: a smaller power of m is smaller, as m is above 1"
    },
)


def _slope_of_z(slope: Expr, length: Expr, u_step: Expr, w_step: Expr, largest: Expr) -> Theorem:
    """|⟨∇z, ·⟩| ≤ |a||δU| + (1 − |a|²)|U||δW|, and so at most the largest displacement."""
    form = largest_displacement(u_step, of.B * w_step, length)
    parts = length * u_step + (1 - length**2) * of.B * w_step
    known = NETWORKS.bridge("a slope of z: ‖M‖ ≤ 1 − |a|² and |U| ≤ B", le(length, 1), le(slope, parts))
    return NETWORKS.follows(form, known, goal=le(slope, largest))


@SHARP_35.argued(
    bridge="The change of ∇h is ∇²h δθ at a point of the segment, tested along the way to φ̃:"
    " st.lem2.second splits it, st.fact3.sharp and st.lem2.blocks.sharp bound its parts.",
    # ‖M‖ ≤ 1 − |a|² is for tokens of a length of at most one, and |δWq| ≤ |δW| for such a query.
    uses=[*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS, hyp.BOUNDED_MAP],
)
def five_terms(given: Given) -> list[Theorem]:
    """σ″⟨∇z, δθ⟩⟨∇z, Δθ⟩ + σ′(⟨δU, MΔWq⟩ + ⟨ΔU, MδWq⟩ + ⟨U, DM[δW]ΔWq⟩), and the terms with c.

    All quantities of a head are multiplied by √m for each factor that is of order 1/√m.
    """
    share, near, further, mixed = (sizes(one)(i) for one in ("share", "near", "further", "mixed"))
    c_step, c_way = (sizes(one)(i) for one in ("c_step", "c_way"))
    lengths = sizes("first length of a"), sizes("second length of a")
    terms = (mixed, c_step * further, near * c_way)
    head = NETWORKS.bridge(
        "the share of a head, by the mean value theorem for ∇h and st.lem2.second",
        le(share, of.sigma_2 * near * further + of.sigma_1 * sum(terms)),
    )
    ends = [
        _slope_of_z(near, lengths[0](i), of.rho_u, of.rho_w, of.DISPLACEMENT),
        _slope_of_z(further, lengths[1](i), _FAR_U, _FAR_W, _FURTHER),
        NETWORKS.bridge("the third cumulant, by st.lem2.blocks.sharp", le(mixed, _MIXED)),
        *_ways_of_c(given, c_step, c_way),
    ]
    products = [
        _scaled(of.sigma_2, near * further, of.DISPLACEMENT * _FURTHER, ends),
        _scaled(of.sigma_1, mixed, _MIXED, ends),
        _scaled(of.sigma_1, c_step * further, of.rho_c * _FURTHER, ends),
        _scaled(of.sigma_1, near * c_way, _FAR_C * of.DISPLACEMENT, ends),
    ]
    sums = bounded_sum(NETWORKS.follows(head, *products, goal=le(share, BLOCKS)), i, m)
    signed = family("share, with its sign")
    whole = NETWORKS.meaning(
        "the sum over heads",
        eq(m * sqrt(m) * of.eps_features, Abs(total(signed(i), i, m))),
        eq(Abs(signed(i)), share),
    )
    parts = added(NETWORKS.follows(whole, goal=le(Abs(signed(i)), share)), i, m)
    return [given.follows(sums, whole, parts, triangle(signed, i, m))]


def _ways_of_c(given: Given, c_step: Expr, c_way: Expr) -> list[Theorem]:
    """√m|δc| ≤ ρ_c and √m|c̃ − c| = |v_c − √m δc| ≤ ν̄_c + ρ_c."""
    v, move = family("v_c")(i), family("√m times the step of c")(i)
    way = NETWORKS.meaning("the way of c", eq(c_way, Abs(v - move)), eq(c_step, Abs(move)))
    inside = near_the_start(given, {of.rho_c: move / sqrt(m)})
    target = what_is_assumed(given, hyp.BOUNDED_MAP, le(Abs(v), of.nu_c))
    goals = le(c_step, of.rho_c), le(c_way, _FAR_C)
    return [NETWORKS.follows(way, inside, target, goal=one) for one in goals]


def _scaled(factor: Symbol, left: Expr, right: Expr, premises: list[Theorem]) -> Theorem:
    """From left ≤ right, which the premises give, the same times a positive factor."""
    plain = NETWORKS.follows(*premises, goal=le(left, right))
    goal = le(factor * left, factor * right)
    x, y = Symbol("x", real=True), Symbol("y", real=True)
    rule = NETWORKS.follows(goal=le(factor * x, factor * y), under=[le(x, y)])
    return NETWORKS.follows(plain, NETWORKS.substituted(rule, {x: left, y: right}), goal=goal)


@SHARP_35.tested(over=RUNS, cases=40)
def sharper_feature_errors(run: Descent) -> Point:
    """|ε_CoF| and the sharper bound."""
    return at_worst(SHARP_35, run.points())
