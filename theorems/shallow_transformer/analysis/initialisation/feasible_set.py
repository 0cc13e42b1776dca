"""Definition 2 and Equation (9): the set of parameters near the initialisation."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Min, Rational, log, sqrt

from numeric.networks.transformer import Heads, project
from symbolic.equality import equal
from theorems.engine import (
    Discrepancy,
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    eq,
    ge,
    gt,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, facts, norm
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET, NORM_EVENT
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feasible import (
    U_length,
    block_first,
    block_second,
    distance,
    image_distance,
    share,
)
from theorems.shallow_transformer.letters.paper import claim, d, m
from theorems.shallow_transformer.premises.descent import obtuse_angle
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD, as_declared, in_networks
from theorems.shallow_transformer.premises.tokens import near_the_start

_NOTE = "proofs_notes/st_function_space.md#the-feasible-set"
_AT = "Definition 2"
_RADIUS = of.norm_bound(m, d, of.delta_prime, of.rho_u)

_SHOWN = _RADIUS.unfolded()

_x, _y = block_first, block_second
_CONVEX = implies(both(le(norm(_x), of.r), le(norm(_y), of.r)), le(norm(share * _x + (1 - share) * _y), of.r))

CONVEX = claim(
    "st.def2",
    at=_AT,
    title="The feasible set is convex: each of the blocks c, U, W of a head is in a ball",
    states=_CONVEX,
    note=_NOTE,
)


@CONVEX.proved()
def ball_is_convex(given: Given) -> Theorem:
    """|sx + (1 − s)y| ≤ s|x| + (1 − s)|y|, in any dimension."""
    triangle = facts.triangle(share * _x, (1 - share) * _y, over=as_declared(share))
    return given.follows(triangle, goal=_CONVEX)


COMPACT = claim(
    "st.def2.compact",
    at=_AT,
    title="The feasible set is compact and contains the initialisation",
    states=sentence(r"$Omega \text{ is compact}, \quad $phi_0 \in $Omega"),
    rests_on=[CONVEX],
    note=_NOTE,
)


@COMPACT.argued(
    bridge="A product of finitely many closed balls of finite dimension, which contain their"
    " centres, is closed and bounded."
)
def radii_are_not_negative() -> list[Theorem]:
    """The distance of a block from itself is 0."""
    return [rules.follows(le(norm(_x - _x), of.r))]


_SHRINK = Min(1, of.r / norm(_x))
_OUTSIDE = gt(norm(_x), 0)

PROJECTION = claim(
    "st.def2.projection",
    at=_AT,
    title="The projection onto the feasible set, block by block",
    states={
        "formula": sentence(
            r"$Pi(\varphi)_b = ${phi_0}_b + \min\Bigl($largest,"
            r" \frac{\rho_b m^{$power}}{\|\varphi_b - ${phi_0}_b\|}\Bigr)(\varphi_b"
            r" - ${phi_0}_b)",
            largest=1,
            power=Fraction(-1, 2),
        ),
        "in the ball": implies(_OUTSIDE, le(_SHRINK * norm(_x), of.r)),
        "nearest": implies(both(_OUTSIDE, le(norm(_y), of.r)), le(norm(_x - _SHRINK * _x), norm(_x - _y))),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PROJECTION.proved("in the ball", "nearest")
def shortened_to_the_radius(given: Given) -> Theorem:
    """tx has length at most r; |x − y| ≥ |x| − |y| ≥ |x| − r = |x − tx| beyond the ball."""
    triangle = facts.triangle(_x - _y, _y)
    return given.follows(triangle, goal=given.goal)


@PROJECTION.argued(
    "formula",
    bridge="The squared distance in a product adds over the blocks, so that each block is"
    " projected for itself; a block at its start stays.",
)
def radius_of_a_block(largest: Any, power: Any) -> Obligations:
    """Points of the ball stay, and the squared radii of the blocks of m heads add up to ρ²."""
    for away in (Rational(1, 2), Rational(1), Rational(2)):  # distances over the radius
        moved = Min(Rational(largest), 1 / away) * away
        yield f"{away} radii from the start", equal(moved, Min(away, 1))
    yield "all heads", equal(m * (m ** Rational(power)) ** 2, Rational(1))


NONEXPANSIVE = claim(
    "st.def2.nonexpansive",
    at=_AT,
    title="The projection does not increase distances",
    states=le(image_distance, distance),
    rests_on=[CONVEX],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@NONEXPANSIVE.proved()
def add_two_variational_inequalities(given: Given) -> Theorem:
    """⟨φ − Πφ, Πψ − Πφ⟩ ≤ 0 and ⟨ψ − Πψ, Πφ − Πψ⟩ ≤ 0 add up to |D|² ≤ ⟨E, D⟩ ≤ |E||D|.

    D = Πφ − Πψ, E = φ − ψ.
    """
    first, second, one, other = map(Vector, ("phi", "psi", "Pi(phi)", "Pi(psi)"))
    angles = [
        obtuse_angle(point, image, member)
        for point, image, member in ((first, one, other), (second, other, one))
    ]
    apart = ONE_HEAD.meaning(
        "distances", both(eq(distance, norm(first - second)), eq(image_distance, norm(one - other)))
    )
    rest = facts.positive_definite(first - second - one + other)
    return given.follows(*angles, apart, rest)


@st.composite
def _two_points(draw: st.DrawFn) -> tuple[tuple[Heads, ...], tuple[float, ...]]:
    """A centre, two points up to five radii away, and radii of very different sizes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    heads, size = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    radii = tuple(draw(st.sampled_from([1e-3, 0.3, 1.0, 20.0])) for _ in range(3))

    def far(scale: float) -> Heads:
        return Heads(
            scale * rng.standard_normal(heads),
            scale * rng.standard_normal((heads, size)),
            scale * rng.standard_normal((heads, size, size)),
        )

    scale = draw(st.sampled_from([0.01, 1.0, 5.0]))
    return (far(1.0), far(scale), far(scale)), radii


def _flat(point: Heads) -> NDArray[np.float64]:
    return np.concatenate([point.c, point.U.ravel(), point.W.ravel()])


@NONEXPANSIVE.tested(over=_two_points)
def projected_pairs(case: Any) -> dict[Any, Any]:
    """Distances of projected points and of points, for the code that trains."""
    (centre, first, second), radii = case
    images = [_flat(project(point, centre, radii)) for point in (first, second)]
    moved = float(np.linalg.norm(images[0] - images[1]))
    away = float(np.linalg.norm(_flat(first) - _flat(second)))
    # A dozen operations on coordinates of size 20 or so.
    return {image_distance: Rounded(moved, 1e-13), distance: Rounded(away, 1e-13)}


@PROJECTION.tested("formula", over=_two_points)
def optimality_of_the_code(case: Any, largest: Any, power: Any) -> Discrepancy:
    """The code's projection against the formula, head by head."""
    (centre, point, _), radii = case
    found = _flat(project(point, centre, radii))
    limits = [radius * centre.m ** float(power) for radius in radii]
    blocks = []
    for start, end, limit in zip(
        (centre.c, centre.U, centre.W), (point.c, point.U, point.W), limits, strict=True
    ):
        moved = (end - start).reshape(centre.m, -1)
        size = np.linalg.norm(moved, axis=1, keepdims=True)
        factor = np.minimum(float(largest), limit / np.maximum(size, 1e-300))
        blocks.append((start.reshape(centre.m, -1) + factor * moved).ravel())
    # A dozen operations on coordinates of size 20 or so.
    return Discrepancy(float(np.abs(found - np.concatenate(blocks)).max()), 1e-13)


NORM = claim(
    "st.eq9",
    at="Equation (9)",
    title="Bound of the norms of all heads in the feasible set",
    states={
        "all heads": le(of.U_max + of.rho_u / sqrt(m), _RADIUS),
        "head": [le(U_length, _SHOWN), eq(_SHOWN, _RADIUS)],
    },
    given={m: integers(2)},
    assuming=[NORM_EVENT, IN_FEASIBLE_SET],
)


def half_the_width() -> Theorem:
    """The logarithm of m/(2δ′) is not negative, as δ′ < 1 and m ≥ 2."""
    quotient = m / (2 * of.delta_prime)
    return NETWORKS.follows(
        facts.logarithm_increases(quotient, 1, over=in_networks(quotient)), goal=ge(log(quotient), 0)
    )


@NORM.proved("all heads")
def on_the_event(given: Given) -> Theorem:
    """The event bounds the norms at the start."""
    return given.concluded(half_the_width(), bound_9())


def bound_9() -> Theorem:
    """The bound (9), where the logarithm in it is not negative."""
    over = {**as_declared(_RADIUS), m: integers(2)}
    defined = [ge(log(m / (2 * of.delta_prime)), 0)]
    form = eq(_RADIUS, _RADIUS.unfolded())
    return ONE_HEAD.meaning("the bound (9)", form, over=over, under=defined)


@NORM.proved("head")
def triangle_inequality(given: Given) -> Theorem:
    """|U| ≤ |U⁽⁰⁾| + |U − U⁽⁰⁾|."""
    start, here = Vector("U_0"), Vector("U")
    length = ONE_HEAD.meaning("length of U", eq(U_length, norm(here)))
    longest = ONE_HEAD.largest("the largest length at the start", le(norm(start), of.U_max))
    moved = near_the_start(given, {of.rho_u: here - start})
    known = [length, longest, moved, facts.triangle(start, here - start)]
    return given.concluded(*known, half_the_width(), bound_9())
