"""Premises by name: what letters stand for, and hypotheses in symbols.

A premise holds for all letters that occur in it, each in a set of its own.  For one token or one
head these sets are as declared; for a network, with its feasible set, some of them are smaller.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Expr, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Lemma, both, eq, integers, le
from theorems.engine.rules import Operator, Theorem, facts
from theorems.engine.rules.vocabulary import frobenius, opnorm
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import NamedFunction, quantities
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET
from theorems.shallow_transformer.letters.paper import LETTERS, POSITIVE, farthest_out, m, rho_c, rho_u, rho_w

#: Widths are even, and radii at least as large as bounds of the map, which are positive.
OF_NETWORKS: dict[Symbol, Domain] = {m: integers(2), rho_c: POSITIVE, rho_u: POSITIVE, rho_w: POSITIVE}


#: What a lemma without a claim may say of the letters of the paper: about tokens and one head, in
#: the whole of their domains, and about networks.
ONE_HEAD, NETWORKS = Lemma(LETTERS), Lemma(LETTERS, OF_NETWORKS)

#: The letters that occur, with their sets: as declared, or in networks, others as their assumptions go.
as_declared, in_networks = ONE_HEAD.ranging, NETWORKS.ranging


def _gap(length: Expr, radius: Expr) -> Expr:
    """How far outside a block is, √m times its length less the radius."""
    whole = length.has(m) or not radius.has(m)
    return length - radius if whole else sqrt(m) * length - sqrt(m) * radius


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

    def near_the_start(self, given: Given, *blocks: Boolean) -> Theorem:
        """In the feasible set blocks of parameters are no farther from their start than radii.

        A block is as near as |x| ≤ ρ/√m or √m|x| ≤ ρ says.
        """
        feasible = IN_FEASIBLE_SET.formula
        known = self.what_is_assumed(given, IN_FEASIBLE_SET, feasible)
        gaps = [le(_gap(*one.args), farthest_out) for one in blocks]
        farthest = self.lemma.largest("how far outside the farthest block is", *gaps)
        return self.lemma.follows(known, farthest, goal=both(*blocks))
