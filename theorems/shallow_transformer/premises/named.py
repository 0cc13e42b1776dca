"""Premises by name: what letters stand for, and hypotheses in symbols.

A premise holds for all letters that occur in it, each in a set of its own.  For one token or one
head these sets are as declared; for a network, with its feasible set, some of them are smaller.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympy import Abs, Expr, Max, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Lemma, both, eq, integers, le
from theorems.engine.rules import Operator, Theorem, Vector, facts, norm
from theorems.engine.rules.vocabulary import frobenius, opnorm
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import NamedFunction, quantities
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET
from theorems.shallow_transformer.letters.paper import (
    LETTERS,
    POSITIVE,
    THETA_RADIUS,
    farthest_out,
    m,
    rho_c,
    rho_u,
    rho_w,
    theta_step,
)
from theorems.shallow_transformer.letters.run import c_move

#: Widths are even, and radii at least as large as bounds of the map, which are positive.
OF_NETWORKS: dict[Symbol, Domain] = {m: integers(2), rho_c: POSITIVE, rho_u: POSITIVE, rho_w: POSITIVE}


#: What a lemma without a claim may say of the letters of the paper: about tokens and one head, in
#: the whole of their domains, and about networks.
ONE_HEAD, NETWORKS = Lemma(LETTERS), Lemma(LETTERS, OF_NETWORKS)

#: The letters that occur, with their sets: as declared, or in networks, others as their assumptions go.
as_declared, in_networks = ONE_HEAD.ranging, NETWORKS.ranging


#: How far the blocks c, U and W of a head are from their start, by their radii in the feasible set.
MOVES: dict[Symbol, Symbol] = {rho_c: c_move, rho_u: Vector("δU"), rho_w: Vector("δW")}
_SIZES = {rho_c: Abs(c_move), rho_u: norm(MOVES[rho_u]), rho_w: norm(MOVES[rho_w])}
_FARTHEST = Max(*(sqrt(m) * size - radius for radius, size in _SIZES.items()))
#: What is largest, over all blocks.
FARTHEST_BLOCK = "how far outside the farthest block is, of those of all heads"


@dataclass(frozen=True)
class Premises:
    """Premises about letters in the ranges of a lemma.

    Several relations stand for all of them together; ``under`` are conditions.
    """

    lemma: Lemma

    def called(self, *functions: NamedFunction, under: Sequence[Boolean] = ()) -> list[Theorem]:
        """The closed forms of functions of the paper, where they are defined."""
        return [self.form(one, one.unfolded(), under=under) for one in functions]

    def form(self, function: NamedFunction, form: Expr, *, under: Sequence[Boolean] = ()) -> Theorem:
        """A form of a function, said of all values and taken at the letters of the paper."""
        letters = quantities(function.free_symbols, LETTERS)
        any_ = {x: Symbol(f"any {x.name}", **x.assumptions0) for x in letters}
        over = {any_.get(x, x): range_ for x, range_ in self.lemma.ranging(function, *under).items()}
        where = [one.xreplace(any_) for one in under]
        says = eq(function, form).xreplace(any_)
        known = self.lemma.meaning(type(function).__name__, says, over=over, under=where)
        return self.lemma.substituted(known, {x: old for old, x in any_.items()}, under=under)

    def below_frobenius(self, operator: Operator, size: Expr) -> Theorem:
        """The operator norm of a matrix is at most its Frobenius norm, which has this size."""
        meant = self.lemma.meaning("the Frobenius norm", eq(frobenius(operator), size))
        known = facts.operator_below_frobenius(operator)
        return self.lemma.follows(meant, known, goal=le(opnorm(operator), size))

    def what_is_assumed(self, given: Given, hypothesis: Hypothesis, *relations: Boolean) -> Theorem:
        """A hypothesis in words, written in symbols; refused to claims that do not assume it."""
        over = self.lemma.ranging(both(*relations))
        return given.supposed(hypothesis, *relations, over=over)

    def near_the_start(self, given: Given, moves: Mapping[Symbol, Expr] = MOVES) -> Theorem:
        """In the feasible set no block of a head is farther from its start than ρ/√m.

        ``moves`` says what a block is less its start, for the radius ρ of the block.
        """
        known = self.what_is_assumed(given, IN_FEASIBLE_SET, IN_FEASIBLE_SET.formula)
        farthest = self.lemma.largest(FARTHEST_BLOCK, le(_FARTHEST, farthest_out))
        near = both(*(le(_SIZES[radius], radius / sqrt(m)) for radius in moves))
        inside = self.lemma.follows(known, farthest, goal=near)
        return self.lemma.substituted(inside, {MOVES[radius]: move for radius, move in moves.items()})

    def inner_step(self, given: Given) -> Theorem:
        """√m|δθ| ≤ √(ρ_u² + ρ_w²) in the feasible set, as the squares of U and W add up."""
        squares = _SIZES[rho_u] ** 2 + _SIZES[rho_w] ** 2
        way = self.lemma.meaning("the step of both blocks", eq(theta_step**2, squares))
        known = [way, self.near_the_start(given), *self.called(THETA_RADIUS)]
        return self.lemma.follows(*known, goal=le(sqrt(m) * theta_step, THETA_RADIUS))
