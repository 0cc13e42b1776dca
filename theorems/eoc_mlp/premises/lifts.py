"""The map z ↦ y ⊠ z of vectors to vectors of blocks, for unit vectors y, and its adjoint."""

from typing import Any

from sympy import Expr, Function, Sum, Symbol

from theorems.engine import Given, Hypothesis, eq, integers, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.letters.last_layer import frob_j, norm_j

#: A matrix, the maps z ↦ y ⊠ z and z ↦ y' ⊠ z, and the adjoint of the latter.
MATRIX, LIFT, OTHER, BACK = map(Operator, ("J", "lift_y", "lift_y'", "back_y'"))
_block = Symbol("block", integer=True, nonnegative=True)
_COUNT = Symbol("blocks", integer=True, positive=True)


def _total(term: Expr) -> Sum:
    return Sum(term, (_block, 0, _COUNT - 1))


#: The matrix as a vector, by its entries.
BY_ENTRIES = Vector("J by its entries")


def norms_of_the_matrix(given: Given) -> Theorem:
    """‖J‖ and |J|_F, the length of the vector of the entries."""
    norms = eq(norm_j, opnorm(MATRIX)), eq(frob_j, norm(BY_ENTRIES))
    return given.meaning("the norms of J", *norms)


def lifted_image(given: Given, lifted: Operator, z: Any) -> Theorem:
    """The lifted matrix is that between both lifts."""
    image = act(LIFT, act(MATRIX, act(BACK, z)))
    return given.meaning("the lifted matrix", eq(norm(act(lifted, z)), norm(image)))


def adjoint(given: Given, u: Any, z: Any) -> Theorem:
    """⟨u, (y' ⊠ I)*z⟩ = ⟨y' ⊠ u, z⟩."""
    relation = eq(inner(u, act(BACK, z)), inner(z, act(OTHER, u)))
    return given.meaning("the adjoint of the second lift", relation)


def lifted_form(given: Given, unit: Hypothesis, lift: Operator, x: Any, y: Any) -> Theorem:
    """⟨u ⊠ x, u ⊠ y⟩ = ⟨x, y⟩ for a unit vector u: the blocks are u_ix and u_iy."""
    entry = Function(f"entry of the vector of {lift}", real=True)(_block)
    over, blocks = {_COUNT: integers(1)}, _total(inner(entry * x, entry * y))
    meant = given.meaning(
        "vectors of blocks, which are multiples", eq(inner(act(lift, x), act(lift, y)), blocks)
    )
    length = given.supposed(unit, eq(_total(entry**2), 1))
    known = [meant, length, sums.linear(blocks, over={**meant.over, **over})]
    return rules.follows(eq(meant.statement.lhs, inner(x, y)), known, over=meant.over)


def undone(given: Given, unit: Hypothesis, u: Vector) -> Theorem:
    """‖Jb‖ = ‖Ju‖ for b = (y' ⊠ I)*(y' ⊠ u), as ⟨b, b⟩ = ⟨b, u⟩ = ⟨u, u⟩ and so b - u = 0."""
    there = act(OTHER, u)
    again = act(BACK, there)
    known = [
        *(adjoint(given, one, there) for one in (again, u)),
        *(lifted_form(given, unit, OTHER, one, u) for one in (again, u)),
        facts.operator_norm(MATRIX, again - u),
        facts.triangle(act(MATRIX, again), act(MATRIX, u - again)),
        facts.triangle(act(MATRIX, u), act(MATRIX, again - u)),
    ]
    over = {x: range_ for one in known for x, range_ in one.over.items()}
    goal = eq(norm(act(MATRIX, again)), norm(act(MATRIX, u)))
    return rules.follows(goal, known, over=over)
