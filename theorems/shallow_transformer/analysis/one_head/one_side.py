"""Tokens on one side of a mean: their second moments, by their mean and covariance in coordinates.

N is any matrix, and H = hh' for the difference h of the means of both sides.
"""

from dataclasses import dataclass
from typing import Any

from sympy import Expr, symbols

from theorems.engine import eq, gt
from theorems.engine.rules import E, Random, Theorem, Vector, inner, norm
from theorems.engine.rules.vocabulary import randoms
from theorems.shallow_transformer.letters.paper import d
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises.matrices.outer_products import coordinate
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.token_sums import added, linear

_i, _j = symbols("row column", integer=True, positive=True)
#: A coordinate of a drawn token, and an entry of N.
COORDINATE = randoms("coordinate of a token")(_i)
_OTHER, _N_ij = COORDINATE.subs(_i, _j), family("entry of N")(_i, _j)


@dataclass(frozen=True)
class Side:
    """The tokens of one side: their indicator and chance, their mean and covariance.

    Their mean less that of all tokens is ``away`` times h.
    """

    happens: Random
    chance: Expr
    middle: Vector
    covariance: Vector
    away: Expr

    def mean(self) -> Theorem:
        """What the mean of these tokens is, by coordinates."""
        centre = coordinate(self.middle, _i)
        return ONE_HEAD.meaning(
            f"{self.middle}, the mean of tokens of a side",
            eq(E(self.happens * COORDINATE), self.chance * centre),
        )

    def _moment(self) -> Theorem:
        """E 1X_iX_j = P(C_ij + e_ie_j), as the covariance is E(xx') − ee'."""
        first, second = (coordinate(self.middle, index) for index in (_i, _j))
        product = family(f"second moment of {self.happens}")(_i, _j)
        moment = E(self.happens * COORDINATE * _OTHER)
        meant = ONE_HEAD.meaning(
            f"{self.covariance}, the covariance of tokens of a side, by second moments",
            eq(moment, self.chance * product),
            eq(self._entry, product - first * second),
        )
        return ONE_HEAD.follows(meant, goal=eq(moment, self.chance * (self._entry + first * second)))

    @property
    def _entry(self) -> Expr:
        return family(f"entry of {self.covariance}")(_i, _j)

    def form(self, Q: Random, N: Vector, H: Vector, h: Expr, *known: Theorem) -> Theorem:
        """E 1Q = P(⟨N, C⟩ + away²⟨N, H⟩) for Q = ⟨N, (X − a)(X − a)'⟩, a being the mean of X.

        It is ``known`` that the chance is the mean of 1, and what a is by coordinates.
        """
        own, of_c, of_h = (family(f"row of N and {what}")(_i) for what in (self.happens, self.covariance, H))
        counted, centre = known
        apart = (COORDINATE - E(COORDINATE)) * (_OTHER - E(_OTHER))
        square, product = family(f"entry of {H}")(_i, _j), coordinate(h, _i) * coordinate(h, _j)
        meant = ONE_HEAD.meaning(
            "inner products with N, by entries, and H = hh'",
            eq(square, product),
            *_by_rows(E(self.happens * Q), own, E(self.happens * apart)),
            *_by_rows(inner(N, self.covariance), of_c, self._entry),
            *_by_rows(inner(N, H), of_h, square),
        )
        means = [self.mean(), ONE_HEAD.substituted(self.mean(), {_i: _j})]
        centres = [centre, ONE_HEAD.substituted(centre, {_i: _j})]
        value = self.chance * (self._entry + self.away**2 * square)
        steps = [self._moment(), counted, *means, *centres, meant]
        entry = ONE_HEAD.follows(*steps, goal=eq(E(self.happens * apart), value))
        each = ONE_HEAD.follows(entry, goal=eq(_N_ij * E(self.happens * apart), _N_ij * value))
        columns = added(each, _j, d)
        whole = self.chance * (of_c + self.away**2 * of_h)
        row = ONE_HEAD.follows(meant, columns, linear(columns.statement.rhs), goal=eq(own, whole))
        total_ = added(row, _i, d)
        goal = self.chance * (inner(N, self.covariance) + self.away**2 * inner(N, H))
        rows_ = [total_, linear(total_.statement.rhs), meant]
        return ONE_HEAD.follows(*rows_, goal=eq(E(self.happens * Q), goal))

    def trace(self, trace: Expr, square: Expr) -> Theorem:
        """Tr C = m − |e|², where m is the mean square of the length of these tokens."""
        under = [gt(self.chance, 0)]
        diagonal, centre = self._entry.subs(_j, _i), coordinate(self.middle, _i)
        squares = E(self.happens * COORDINATE**2)
        meant = ONE_HEAD.meaning(
            "the trace, and squared lengths by coordinates",
            eq(trace, total(diagonal, _i, d)),
            eq(norm(self.middle) ** 2, total(centre**2, _i, d)),
            eq(square, total(squares, _i, d) / self.chance),
            under=under,
        )
        there = ONE_HEAD.substituted(self._moment(), {_j: _i})
        each = ONE_HEAD.follows(there, goal=eq(squares, self.chance * (diagonal + centre**2)))
        added_ = added(each, _i, d)
        known = [meant, added_, linear(added_.statement.rhs)]
        goal = eq(trace, square - norm(self.middle) ** 2)
        return ONE_HEAD.follows(*known, goal=goal, under=under)


def _by_rows(whole: Expr, row: Expr, entry: Expr) -> list[Any]:
    """An inner product with N as a sum over rows, of sums over entries."""
    return [eq(whole, total(row, _i, d)), eq(row, total(_N_ij * entry, _j, d))]
