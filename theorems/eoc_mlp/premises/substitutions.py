"""From inequalities in the angle of two inputs to inequalities in its cosine, or in a distance.

In the angle t the maps of the chapter are analytic up to the ends of [0, pi], so that ball
arithmetic can cover the whole range: with t = arccos ρ = 2 arcsin √z = 2 arcsin(1/w) it reaches
every cosine ρ, every squared distance z and every inverse distance w.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Set, Symbol, acos, asin, cos, pi, sin, sqrt
from sympy.logic.boolalg import Boolean

from theorems.classical.functions import arcsine
from theorems.engine import Claim, eq, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.statements.statement import STATEMENT, Formula
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters.cosines import rho, t, w, z

Over = Mapping[Symbol, Set]

#: s = sin(t/2), the inverse of the inverse distance.
half_sine = Symbol("s", positive=True)


def in_angle(relation: Boolean, orders: tuple[int, int], over: Over) -> Theorem:
    """An inequality in the angle t, by balls; both sides meet at the ends to these orders."""
    return covered(relation, over=over, zero_orders={t: orders} if any(orders) else None)


def cosine_at(inverse: Any) -> Any:
    """The cosine of an inverse cosine distance."""
    return 1 - 2 * inverse**-2


def as_it_stands(claim: Claim, part: str = STATEMENT) -> Boolean:
    """A part of the claim itself, not of a variant of it, with its functions by name.

    The proof of a part as it is stated ends in that part alone; near variants of it, which may
    take the solver minutes, are left to counterexamples.
    """
    stated = claim.parts[part]
    if not isinstance(stated, Formula):
        raise TypeError(f"{part} is no formula")
    return stated.relation


def as_stated(
    claim: Claim, part: str = STATEMENT, unfold: Callable[[Boolean], Boolean] = unfolded
) -> Boolean:
    """The same with the functions unfolded."""
    return unfold(as_it_stands(claim, part))


def of_cosine(theorem: Theorem, over: Over) -> list[Theorem]:
    """A theorem about angles, at t = arccos ρ, and what turns it into closed forms in ρ."""
    cosines = {rho: over[rho]}
    complement = rules.decided(eq(asin(rho), pi / 2 - acos(rho)), over=cosines)
    known = [complement, arcsine(rho, over=over)]
    return [_at(acos(rho), theorem, known, over), *known]


def of_distance(theorem: Theorem, over: Over) -> list[Theorem]:
    """A theorem about angles, at t = 2 arcsin √z, and what turns it into closed forms in z."""
    angle, distances = 2 * asin(sqrt(z)), {z: over[z]}
    known = [arcsine(sqrt(z), over=over)]
    sine = rules.decided(eq(sin(angle), 2 * sqrt(z * (1 - z))), over=distances)
    cosine = rules.decided(eq(cos(angle), 1 - 2 * z), over=distances)
    return [_at(angle, theorem, known, over), *known, sine, cosine]


def of_half_sine(theorem: Theorem, over: Over) -> list[Theorem]:
    """A theorem about angles, at t = 2 arcsin s, and what turns it into closed forms in s = 1/w."""
    angle, sines = 2 * asin(half_sine), {half_sine: over[half_sine]}
    known = [arcsine(half_sine, over=over)]
    sine = rules.decided(eq(sin(angle), 2 * half_sine * sqrt(1 - half_sine**2)), over=sines)
    cosine = rules.decided(eq(cos(angle), 1 - 2 * half_sine**2), over=sines)
    return [_at(angle, theorem, known, over), *known, sine, cosine]


def of_inverse_distance(theorem: Theorem, over: Over) -> Theorem:
    """A theorem in s, at s = 1/w: solvers prefer polynomials in s to quotients by w."""
    letters = {x: over[x] for x in (*theorem.over, w) if x in over}
    return theorem.at({half_sine: 1 / w}, over=letters)


def _at(angle: Expr, theorem: Theorem, known: list[Theorem], over: Over) -> Theorem:
    """The theorem at this angle, which lies in its range by what is known."""
    letters = {x: over[x] for x in angle.free_symbols | set(theorem.over) if x in over and x != t}
    inside = theorem.over[t].as_relational(angle)
    moved = theorem.at({t: angle}, over=letters, under=[inside])
    return rules.follows(moved.statement, [moved, *known])
