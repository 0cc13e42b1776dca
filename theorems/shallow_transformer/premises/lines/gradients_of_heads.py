"""The gradient of the network in one head at the start, entry by entry, at one of two inputs."""

from dataclasses import dataclass
from typing import Any

from sympy import Abs, Expr, Reals, S, Symbol, exp, sqrt

from theorems.engine import Given, both, eq, rules
from theorems.engine.rules import Theorem, norm
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer.hypotheses import TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import d, i, m
from theorems.shallow_transformer.letters.token import t, total
from theorems.shallow_transformer.premises.lines.along_a_line import along, moved
from theorems.shallow_transformer.premises.lines.entries_of_gradients import COLUMN, ROW
from theorems.shallow_transformer.premises.matrices.outer_products import coordinate
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.token_sums import added, linear
from theorems.shallow_transformer.premises.tokens import what_is_assumed

#: The output weight of each head.
WEIGHT = family("output weight")
_sigma, _steep, _y = family("σ"), family("σ'"), Symbol("y", real=True)


@dataclass(frozen=True)
class InAHead:
    """What belongs to the i-th head at an input: its value, slope, pooled token, MU and query."""

    name: str
    value: Any
    slope: Any
    pooled: Any
    spread: Any
    query: Any

    def blocks(self, given: Given) -> tuple[list[Expr], list[Theorem]]:
        """The derivatives by c, by an entry of U and by one of W, and what they are.

        They are those of Lemma 1, whose lines have any direction, along single entries.
        """
        activation = what_is_assumed(
            given, TWICE_DIFFERENTIABLE, derivative(_steep(_y), _sigma(_y), _y, Reals)
        )
        head = ONE_HEAD.meaning(
            "value and slope of the activation in a head",
            eq(self.value(i), _sigma(self._z)),
            eq(self.slope(i), _steep(self._z)),
        )
        found = [self._by_c(), *(one(activation, head) for one in (self._by_u, self._by_w))]
        return [one for one, _ in found], [known for _, known in found]

    def lengths(self, given: Given) -> Theorem:
        """Squares of the lengths of the gradients (5)-(7): the sums of those of all derivatives."""
        (by_c, by_u, by_w), known = self.blocks(given)
        row = self._of("sum over a row of squares")(ROW, i)
        vectors = self.pooled(i), self.spread(i), self.query
        lengths = (
            total(coordinate(one, k) ** 2, k, d) for one, k in zip(vectors, (ROW, ROW, COLUMN), strict=True)
        )
        meant = ONE_HEAD.meaning(
            "lengths of vectors by coordinates, and of gradients by derivatives, by W row by row",
            *(eq(norm(one) ** 2, length) for one, length in zip(vectors, lengths, strict=True)),
            *(eq(of.c_gradient, Abs(by_c)), eq(of.U_gradient**2, total(by_u**2, ROW, d))),
            *(eq(of.W_gradient**2, total(row, ROW, d)), eq(row, total(by_w**2, COLUMN, d))),
        )
        steep = WEIGHT(i) ** 2 * self.slope(i) ** 2 / m
        a, turned, queries = (
            coordinate(one, k) ** 2 for one, k in zip(vectors, (ROW, ROW, COLUMN), strict=True)
        )

        def summed(square: Expr, form: Expr, index: Symbol, *others: Theorem) -> list[Theorem]:
            sums = added(ONE_HEAD.follows(*known, *others, goal=eq(square, form)), index, d)
            return [sums, linear(sums.statement.rhs), meant]

        columns = summed(by_w**2, steep * turned * queries, COLUMN)
        of_row = ONE_HEAD.follows(*columns, goal=eq(row, steep * norm(self.query) ** 2 * turned))
        of_w = summed(row, of_row.statement.rhs, ROW, of_row)
        goals = [
            (eq(of.c_gradient, Abs(self.value(i)) / sqrt(m)), [*known, meant]),
            (eq(of.U_gradient**2, steep * norm(self.pooled(i)) ** 2), summed(by_u**2, steep * a, ROW)),
            (eq(of.W_gradient**2, steep * norm(self.query) ** 2 * norm(self.spread(i)) ** 2), of_w),
        ]
        found = [ONE_HEAD.follows(*why, goal=goal) for goal, why in goals]
        return ONE_HEAD.follows(*found, goal=both(*(goal for goal, _ in goals)))

    def _of(self, what: str) -> Any:
        return family(f"{what} at {self.name}")

    @property
    def _z(self) -> Expr:
        return self._of("preactivation")(i)

    def _network(self, weight: Expr, head: Expr) -> Expr:
        return (weight * head + self._of("other heads")(i)) / sqrt(m)

    def _scaled(self, part: Expr) -> Expr:
        return WEIGHT(i) * self.slope(i) * part / sqrt(m)

    def _by_c(self) -> tuple[Expr, Theorem]:
        """The network at c + s, one of its output weights."""
        entry = self._of("derivative by c")(i)
        (rule,) = moved(self._network(WEIGHT(i) + along, self.value(i)), 1, entry)
        return entry, rule

    def _by_u(self, activation: Theorem, head: Theorem) -> tuple[Expr, Theorem]:
        """Along U + s e_k the preactivation is z + s a_k."""
        entry, part = self._of("derivative by U")(ROW, i), coordinate(self.pooled(i), ROW)
        line = rules.differentiated(self._z + along * part, along, Reals, over=as_declared(i, ROW))
        known = self._behind(entry, rules.chained(activation, line))
        return entry, ONE_HEAD.follows(*known, head, goal=eq(entry, self._scaled(part)))

    def _by_w(self, activation: Theorem, head: Theorem) -> tuple[Expr, Theorem]:
        """Along W + sE_kj the preactivation has the derivative (MU)_k q_j at W."""
        places = ROW, COLUMN, i
        entry, rate = (self._of(f"derivative{one} by W")(*places) for one in ("", " of z"))
        z, slope = (self._of(f"{one} along W + sE") for one in ("z", "slope of z"))
        line = derivative(slope(along, *places), z(along, *places), along, Reals)
        moving = ONE_HEAD.meaning("the preactivation along W + sE", line)
        known = self._behind(entry, rules.chained(activation, moving))
        called = ONE_HEAD.meaning("the same at W", eq(self._z, z(0, *places)), eq(slope(0, *places), rate))
        part = coordinate(self.spread(i), ROW) * coordinate(self.query, COLUMN)
        goal = eq(entry, self._scaled(part))
        return entry, ONE_HEAD.follows(*known, called, head, self._softmax(rate, part), goal=goal)

    def _behind(self, entry: Expr, law: Theorem) -> list[Theorem]:
        """A derivative of the network, by that of the activation along the same line."""
        line = self._network(WEIGHT(i), _y)
        over = as_declared(i, m)
        whole = rules.differentiated(line, along, Reals, {_y: law}, over=over)
        change = family(f"{entry.func}, on a line")
        rule = rules.rate_of(whole, change(along, *entry.args))
        called = ONE_HEAD.meaning("a derivative at the start of a line", eq(entry, change(0, *entry.args)))
        return [rule.at({along: 0}), called]

    def _softmax(self, rate: Expr, value: Expr) -> Theorem:
        """The derivative of z, a mean under softmax weights, where logits move with X_k q_j."""
        logit, read_out = (self._of(what)(t, i) for what in ("logit", "read-out"))
        token, query = self._of("coordinate of a token")(t, ROW), coordinate(self.query, COLUMN)
        last = Symbol(f"number of tokens of {self.name}", integer=True, positive=True)

        def mean(of: Expr, slope: Expr = S.Zero) -> Expr:
            odds = exp(logit + along * slope)
            return total(odds * of, t, last) / total(odds, t, last)

        rule = moved(mean(read_out, token * query), 1, rate)
        covariance = mean(read_out * token) - mean(read_out) * mean(token)
        meant = ONE_HEAD.meaning(
            "MU for the covariance M of the tokens", eq(coordinate(self.spread(i), ROW), covariance)
        )
        return ONE_HEAD.follows(*rule, meant, goal=eq(rate, value))
