"""Theorem 1, proof: how far the features move, (27)-(34).

The i-th head has moved by δc_i and δθ_i, and Δθ_i is its way to φ̃.  What is said of one head is
added up over any number of heads.
"""

from functools import cache

from sympy import Abs, Symbol, sqrt

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Theorem, Vector, facts, inner, norm
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.lines.network_on_a_line import (
    slope_by_an_output_weight,
    slope_of_the_network,
)
from theorems.shallow_transformer.premises.named import MOVES, NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    added,
    called,
    family,
    inner_step,
    letters,
    near_the_start,
    positive,
    total,
    triangle,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md#the-change-of-features"

LENGTHS = of.nu_norm(*of.NU) + of.rho_norm(*of.RHO)
_THETA = of.SMOOTHNESS * of.THETA_RADIUS + of.rho_c * of.LIPSCHITZ
HEAD = (of.LIPSCHITZ + of.SMOOTHNESS) * of.THETA_RADIUS + of.rho_c * of.LIPSCHITZ
_CONSTANTS = sorted(HEAD.free_symbols | {m}, key=str)

EQ_28 = claim(
    "st.eq28",
    at="Theorem 1, proof; Equation (27); Equation (28)",
    title="The change-of-feature error is at most a sum over the heads",
    states=le(of.eps_features, its.head_products),
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    note=_NOTE,
)


@EQ_28.proved()
def cauchy_schwarz_in_each_head(given: Given) -> Theorem:
    """The sizes of the heads' shares add up, and each is at most a product of norms."""
    change, way, share = vectors("change"), vectors("way"), family("share")
    product = norm(change(i)) * norm(way(i))
    shares = NETWORKS.meaning("a head's share", eq(share(i), inner(change(i), way(i))))
    schwarz = facts.cauchy_schwarz(change(i), way(i))
    each = NETWORKS.follows(shares, schwarz, goal=le(Abs(share(i)), product))
    whole = NETWORKS.meaning(
        "the sums over the heads",
        eq(of.eps_features, Abs(total(share(i), i, m))),
        eq(its.head_products, total(product, i, m)),
    )
    return given.follows(added(each, i, m), triangle(share, i, m), whole)


@EQ_28.tested(over=RUNS, cases=30)
def heads_along_runs(run: Descent) -> Point:
    """|ε_CoF| and the sum of products of norms at the worst sample and step."""
    return at_worst(EQ_28, run.points())


_PLACES = (hyp.BOUNDED_MAP, hyp.IN_FEASIBLE_SET, hyp.UNIT_SIGNS)
_WAYS = (its.c_way, its.U_way, its.W_way)

EQ_29 = claim(
    "st.eq29",
    at="Theorem 1, proof; Equation (29)",
    title="Bound of the displacement to the transported parameters",
    states=le(of.way, LENGTHS / sqrt(m)),
    given=letters(of.way, m, *of.NU, *of.RHO, under=_PLACES),
    assuming=_PLACES,
    rests_on=["st.eq29.sharp"],
    note=_NOTE,
)


@EQ_29.proved()
def triangle_inequality(given: Given) -> Theorem:
    """|ν̄ + ρ| ≤ |ν̄| + |ρ|."""
    return given.follows(given.fact("st.eq29.sharp", "bound"), _sum_of_lengths())


@cache
def _sum_of_lengths() -> Theorem:
    """|ν̄ + ρ| ≤ |ν̄| + |ρ|, by ⟨ν̄, ρ⟩ ≤ |ν̄||ρ|."""
    nu, rho, both_ = of.nu_norm(*of.NU), of.rho_norm(*of.RHO), its.reach(*of.NU, *of.RHO)
    forms = called(nu, rho, both_)
    product = sum(one * other for one, other in zip(of.NU, of.RHO, strict=True))
    return NETWORKS.follows(
        *forms, NETWORKS.follows(*forms, goal=le(product, nu * rho)), goal=le(both_, nu + rho)
    )


SHARP_29 = EQ_29.sharpened(
    "st.eq29.sharp",
    title="Best bound of the displacement to the transported parameters",
    states={
        "bound": le(of.way, its.reach(*of.NU, *of.RHO) / sqrt(m)),
        "attained": implies(
            both(
                eq(of.way, sqrt(sum(way**2 for way in _WAYS))),
                *(eq(way, (nu + rho) / sqrt(m)) for way, nu, rho in zip(_WAYS, of.NU, of.RHO, strict=True)),
            ),
            eq(of.way, its.reach(*of.NU, *of.RHO) / sqrt(m)),
        ),
    },
    given=letters(of.way, m, *of.NU, *of.RHO, *_WAYS, under=_PLACES),
    assuming=_PLACES,
    rests_on=["st.def2"],
    note=_NOTE,
)


def _way_in_a_block(given: Given, way: Symbol, nu: Symbol, rho: Symbol) -> Theorem:
    move = MOVES[rho]
    inside, is_vector = near_the_start(given, {rho: move}), isinstance(move, Vector)
    v: Symbol = Vector(f"v_{nu}") if is_vector else Symbol(f"v_{nu}", real=True)
    size = norm if is_vector else Abs
    target = what_is_assumed(given, hyp.BOUNDED_MAP, le(size(v), nu))
    ends = NETWORKS.meaning("the way in a block", eq(way, size(v / sqrt(m) - move)))
    sides = [facts.triangle(v / sqrt(m), -move, over=in_networks(m))] if is_vector else []
    return given.follows(target, inside, ends, *sides, goal=le(way, (nu + rho) / sqrt(m)))


@SHARP_29.proved("bound")
def block_by_block(given: Given) -> Theorem:
    """In each block |v/√m − δ| ≤ (ν̄ + ρ)/√m, where the sign of v is that of c."""
    blocks = [_way_in_a_block(given, *one) for one in zip(_WAYS, of.NU, of.RHO, strict=True)]
    given.require(hyp.UNIT_SIGNS)
    whole = NETWORKS.meaning("the way of a head", eq(of.way, of.rho_norm(*_WAYS)))
    squares = [
        given.follows(block, goal=le(m * way**2, (nu + rho) ** 2))
        for block, way, nu, rho in zip(blocks, _WAYS, of.NU, of.RHO, strict=True)
    ]
    reach = its.reach(*of.NU, *of.RHO)
    way_of_the_head, radius = called(of.rho_norm(*_WAYS), reach)
    sum_ = given.follows(whole, way_of_the_head, goal=eq(of.way**2, sum(way**2 for way in _WAYS)))
    square = given.follows(*squares, sum_, radius, goal=le(m * of.way**2, reach**2))
    return given.follows(square, radius)


@SHARP_29.proved("attained")
def opposite_vectors(given: Given) -> Theorem:
    """Each block has gone the whole radius against v."""
    forms = called(of.rho_norm(*_WAYS), its.reach(*of.NU, *of.RHO))
    return given.concluded(*forms)


@SHARP_29.tested("bound", over=RUNS, cases=30)
def ways_along_runs(run: Descent) -> Point:
    """The longest way of a head and the bound."""
    return at_worst(SHARP_29, run.points(), "bound")


_DIRECTION = inner(its.theta_nabla, its.direction)

EQ_30 = claim(
    "st.eq30",
    at="Theorem 1, proof; Equation (30); Equation (31)",
    title="The changes of gradients, in terms of one head, in any direction",
    states={
        "theta": eq(
            _DIRECTION,
            its.c_start / sqrt(m) * inner(its.h_nabla - its.h_nabla_0, its.direction)
            + its.c_move / sqrt(m) * inner(its.h_nabla, its.direction),
        ),
        "c": eq(its.c_nabla, (its.h_now - its.h_start) / sqrt(m)),
    },
    given=letters(
        *(its.theta_nabla, its.h_nabla, its.h_nabla_0, its.direction),
        *(its.c_start, its.c_move, its.c_nabla, its.h_now, its.h_start, m),
        under=[hyp.TWICE_DIFFERENTIABLE],
    ),
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w"],
    note=_NOTE,
)


@EQ_30.proved("theta", "c")
def product_rule(given: Given) -> Theorem:
    """A head contributes c h/√m to f: its gradients are c∇h/√m and h/√m, now and at the start."""
    still = Symbol("no_change_of_c", real=True)
    weights = {"now": its.c_start + its.c_move, "at the start": its.c_start}
    values, nablas = (its.h_now, its.h_start), (its.h_nabla, its.h_nabla_0)
    by_theta, by_c, known = [], [], []
    for (when, weight), value, nabla in zip(weights.items(), values, nablas, strict=True):
        law, whole, _, slope = slope_of_the_network(given, when, weight, still)
        along = NETWORKS.meaning(f"the slope of the head, {when}", eq(slope, inner(nabla, its.direction)))
        other, by = slope_by_an_output_weight(value, when)
        by_theta.append(whole)
        by_c.append(by)
        known += [law, along, other]
    changes = NETWORKS.meaning(
        "the changes of the derivatives by U and W, where c stays, and by c",
        eq(_DIRECTION, by_theta[0] - by_theta[1]),
        eq(its.c_nabla, by_c[0] - by_c[1]),
        eq(still, 0),
    )
    return given.follows(changes, *known)


EQ_32 = claim(
    "st.eq32",
    at="Theorem 1, proof; Equation (32)",
    title="The change of the gradient with respect to a head",
    states=le(of.theta_change, _THETA / m),
    given=letters(of.theta_change, *_CONSTANTS, under=[*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS]),
    assuming=[*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS],
    rests_on=[EQ_30, "st.lem2"],
    note=_NOTE,
)


def _moves(given: Given) -> Theorem:
    """How far c and θ have moved."""
    weight = le(Abs(its.c_move), of.rho_c / sqrt(m))
    inner_ = le(of.theta_step, of.THETA_RADIUS / sqrt(m))
    known = [near_the_start(given), inner_step(given)]
    parts = [NETWORKS.follows(*known, goal=one) for one in (weight, inner_)]
    return NETWORKS.follows(*parts, goal=both(weight, inner_))


@EQ_32.proved()
def insert_lemma_2(given: Given) -> Theorem:
    """The change along itself: L_2|δθ|/√m + |δc|L_1/√m, |δθ| ≤ r/√m and |δc| ≤ ρ_c/√m."""
    change, far = its.theta_nabla, its.h_nabla - its.h_nabla_0
    split = NETWORKS.substituted(given.fact(EQ_30, "theta"), {its.direction: change})
    lengths = NETWORKS.meaning(
        "the lengths of gradients",
        eq(of.theta_change, norm(change)),
        eq(of.slope_step, norm(far)),
        eq(of.h_gradient, norm(its.h_nabla)),
    )
    unit = what_is_assumed(given, hyp.UNIT_SIGNS, eq(Abs(its.c_start), 1))
    angles = [facts.cauchy_schwarz(change, one) for one in (far, its.h_nabla)]
    total_ = (of.slope_step + Abs(its.c_move) * of.h_gradient) / sqrt(m)
    first = NETWORKS.follows(split, lengths, unit, *angles, goal=le(of.theta_change, total_))
    signs = [positive(of.SMOOTHNESS), positive(of.LIPSCHITZ)]
    return given.follows(first, _moves(given), *lemma_2(given), *signs)


def lemma_2(given: Given) -> list[Theorem]:
    """Heads are Lipschitz, so that their gradients are bounded, and smooth."""
    return [
        given.fact("st.lem2", "smooth"),
        given.fact("st.lem2", "gradient"),
        given.fact("st.lem2", "lipschitz"),
    ]


@EQ_32.tested(over=RUNS, cases=30)
def gradients_of_heads(run: Descent) -> Point:
    """The largest change of ∇_θ f and the bound."""
    return at_worst(EQ_32, run.points())


EQ_33 = claim(
    "st.eq33",
    at="Theorem 1, proof; Equation (33)",
    title="The change of the derivative with respect to an output weight",
    states=le(of.c_change, of.LIPSCHITZ * of.THETA_RADIUS / m),
    given=letters(of.c_change, m, of.LIPSCHITZ * of.THETA_RADIUS, under=hyp.SMOOTH_INSIDE),
    assuming=hyp.SMOOTH_INSIDE,
    rests_on=[EQ_30, "st.lem2"],
    note=_NOTE,
)


@EQ_33.proved()
def insert_the_lipschitz_constant(given: Given) -> Theorem:
    """L_1|δθ|/√m."""
    sizes_ = NETWORKS.meaning(
        "the sizes of changes", eq(of.c_change, Abs(its.c_nabla)), eq(of.h_step, Abs(its.h_now - its.h_start))
    )
    return given.follows(given.fact(EQ_30, "c"), sizes_, _moves(given), *lemma_2(given))


@EQ_33.tested(over=RUNS, cases=30)
def derivatives_of_output_weights(run: Descent) -> Point:
    """The largest change of h/√m and the bound."""
    return at_worst(EQ_33, run.points())


EQ_34 = claim(
    "st.eq34",
    at="Theorem 1, proof; Equation (34)",
    title="The change of the gradient of a head, both blocks",
    states=le(of.head_change, HEAD / m),
    given=letters(of.head_change, *_CONSTANTS, under=[*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS]),
    assuming=[*hyp.SMOOTH_INSIDE, hyp.UNIT_SIGNS],
    rests_on=[EQ_32, EQ_33],
    note=_NOTE,
)


@EQ_34.proved()
def lengths_of_pairs(given: Given) -> Theorem:
    """|(x, y)| ≤ |x| + |y|, and the sum of (32) and (33)."""
    pair = NETWORKS.meaning("both blocks", eq(of.head_change**2, of.c_change**2 + of.theta_change**2))
    return given.follows(given.fact(EQ_32), given.fact(EQ_33), pair)


@EQ_34.tested(over=RUNS, cases=30)
def changes_of_heads(run: Descent) -> Point:
    """The largest change of the whole gradient of a head and the bound."""
    return at_worst(EQ_34, run.points())
