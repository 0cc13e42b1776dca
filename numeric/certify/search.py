"""Branch and bound: cells are bisected until each is proved, one refutes, or means run out.

The cells with the smallest value at their centre come first, so that a false statement meets its
counterexample early; a cell on which nothing finite is known comes last.
"""

import heapq
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, fmpq

from numeric.arguments import positive_integer, precision_bits
from numeric.balls import float_below, working_precision
from numeric.certify.domain import Box, Edge
from numeric.certify.enclosure import (
    BallFunction,
    Bound,
    Cell,
    Function,
    balls,
    descend,
    mean_value_bound,
    plain_bound,
    spread,
)
from numeric.certify.expansion import EXTRA_TERMS, ZeroEnd
from numeric.certify.outcome import Certificate, Decision, Range, Witness


@dataclass(frozen=True)
class Effort:
    """How much may be spent: cells examined, and working precision in bits.

    No edge is bisected more than precision / 2 times: the mean value form of a cell w wide errs
    by about w^2, which is then below the rounding errors.

    Raises: TypeError or ValueError unless both are positive integers, the precision at least 16
    and at most ``MOST_BITS``.
    """

    max_boxes: int
    precision: int

    def __post_init__(self) -> None:
        positive_integer("max_boxes", self.max_boxes)
        precision_bits(self.precision)


@dataclass(frozen=True)
class Statement:
    """f > 0 (or f >= 0) on a box, without those ends of one variable at which f vanishes."""

    f: Function
    box: Box
    strict: bool
    zero_ends: tuple[ZeroEnd, ...] = ()

    @property
    def relation(self) -> str:
        """Return the inequality as printed."""
        return "f > 0" if self.strict else "f >= 0"

    def proves(self, bound: arb) -> bool:
        """Return whether a finite lower bound proves the inequality."""
        lower = bound.lower()
        return bool(bound.is_finite() and (lower > 0 if self.strict else lower >= 0))

    def refutes(self, value: arb) -> bool:
        """Return whether a finite value at a point of the domain refutes the inequality."""
        upper = value.upper()
        return bool(value.is_finite() and (upper <= 0 if self.strict else upper < 0))

    def admits(self, point: Mapping[str, fmpq]) -> bool:
        """Return whether the point certainly belongs to the domain, open ends excluded."""
        inside = all(self.box[name].certainly_contains(x) for name, x in point.items())
        cell = {name: Edge(x, x) for name, x in point.items()}
        return inside and not (self.strict and any(e.touched_by(cell) for e in self.zero_ends))

    def domain(self) -> dict[str, Range]:
        """Return the ranges with their open ends."""
        opened = {(e.variable, e.direction) for e in self.zero_ends if self.strict}
        return {
            name: i.range(lower_open=(name, 1) in opened, upper_open=(name, -1) in opened)
            for name, i in self.box.items()
        }


def as_fractions(point: Mapping[str, fmpq]) -> dict[str, Fraction]:
    """Return a point in Python's own exact numbers."""
    return {name: Fraction(int(x.p), int(x.q)) for name, x in point.items()}


def _where(cell: Cell) -> str:
    return ", ".join(f"{n} in [{float(arb(e.lower))!r}, {float(arb(e.upper))!r}]" for n, e in cell.items())


@dataclass(order=True)
class _Task:
    """A cell waiting in the queue, with how often each edge was bisected."""

    key: tuple[float, int]
    cell: Cell = field(compare=False)
    halvings: Mapping[str, int] = field(compare=False)

    @property
    def depth(self) -> int:
        return sum(self.halvings.values())


class Search:
    """One run of branch and bound."""

    def __init__(self, statement: Statement, effort: Effort) -> None:
        self.statement, self.effort = statement, effort
        self.f = BallFunction(statement.f)
        self.boxes = self.depth = 0
        self.margin = self.end_margin = math.inf
        self.witness: Witness | None = None
        self._queue: list[_Task] = []
        self._numbers = itertools.count()
        self._smooth: tuple[str, ...] = ()

    def run(self) -> Certificate:
        """Return the certificate."""
        terms = max((e.order for e in self.statement.zero_ends), default=0) + EXTRA_TERMS
        with working_precision(self.effort.precision, cap=terms + 1):
            root = {name: interval.cover() for name, interval in self.statement.box.items()}
            self._smooth = self.f.differentiable_in({name: arb(edge.middle()) for name, edge in root.items()})
            self._demand_series()
            return self._certificate(self._explore(root), root)

    def _demand_series(self) -> None:
        for zero_end in self.statement.zero_ends:
            if zero_end.variable not in self._smooth:
                raise TypeError(
                    f"f must accept an arb_series in {zero_end.variable} to be expanded at its "
                    "end: use methods such as x.sin() and x.sqrt(), which series have too"
                )

    def _explore(self, root: Cell) -> str:
        """Work through the queue; return why it stopped undecided, or an empty string."""
        for corner in itertools.product(*((edge.lower, edge.upper) for edge in root.values())):
            self._try_to_refute(dict(zip(root, corner, strict=True)))
        self._push(root, dict.fromkeys(root, 0))
        while self._queue and self.witness is None:
            if self.boxes == self.effort.max_boxes:
                return self._why_stopped(self._queue[0])
            stuck = self._examine(heapq.heappop(self._queue))
            if stuck and self.witness is None:
                return stuck
        return ""

    def _push(self, cell: Cell, halvings: Mapping[str, int]) -> None:
        centre = self._try_to_refute({name: edge.middle() for name, edge in cell.items()})
        key = float(centre.mid()) if centre.is_finite() else math.inf
        heapq.heappush(self._queue, _Task((key, next(self._numbers)), cell, halvings))

    def _try_to_refute(self, point: Mapping[str, fmpq]) -> arb:
        value = self.f({name: arb(x) for name, x in point.items()})
        if self.statement.refutes(value) and self.statement.admits(point):
            self.witness = self.witness or Witness(as_fractions(point), str(value))
        return value

    def _examine(self, task: _Task) -> str:
        """Prove the cell, or bisect it; return the reason if it can be bisected no further."""
        self.boxes += 1
        self.depth = max(self.depth, task.depth)
        at_ends = [e for e in self.statement.zero_ends if e.touched_by(task.cell)]
        bound = self._bound(task.cell, at_ends)
        if self.statement.proves(bound.ball):
            self._record(bound, bool(at_ends))
            return ""
        if bound.corner is not None:
            self._try_to_refute(bound.corner)
        edge = self._edge_to_bisect(task, at_ends)
        if edge is None:
            return self._why_stuck(task.cell, bound)
        for half in task.cell[edge].halves():
            halvings = {**task.halvings, edge: task.halvings[edge] + 1}
            self._push({**task.cell, edge: half}, halvings)
        return ""

    def _bound(self, cell: Cell, at_ends: list[ZeroEnd]) -> Bound:
        if len(at_ends) > 1:  # a cell from end to end: no power of one distance fits both
            return Bound(arb.nan())
        if at_ends:
            others = [name for name in self._smooth if name != at_ends[0].variable]
            return at_ends[0].divided_bound(self.f, descend(self.f, cell, others))
        plain = plain_bound(self.f, cell)
        if self.statement.proves(plain.ball) or not self._smooth:
            return plain
        return mean_value_bound(self.f, cell, self._smooth) or plain

    def _record(self, bound: Bound, at_end: bool) -> None:
        lower = float_below(bound.ball)
        if at_end:
            self.end_margin = min(self.end_margin, lower)
        else:
            self.margin = min(self.margin, lower)

    def _edge_to_bisect(self, task: _Task, at_ends: list[ZeroEnd]) -> str | None:
        """Return the edge to blame most for the uncertainty, among those still divisible."""
        limit = self.effort.precision // 2
        names = [n for n, e in task.cell.items() if e.width > 0 and task.halvings[n] < limit]
        if len(at_ends) > 1 and at_ends[0].variable in names:
            return at_ends[0].variable
        if len(names) < 2:
            return names[0] if names else None
        least = min(task.halvings[n] for n in names)
        neglected = [n for n in names if task.halvings[n] == least]
        spreads = {n: spread(self.f, task.cell, n) for n in names}
        # Where the function is unbounded the spreads say nothing, and no edge may be starved.
        finite = all(math.isfinite(x) for x in spreads.values()) and not at_ends
        return max(spreads, key=spreads.__getitem__) if finite else neglected[0]

    def _why_stopped(self, first: _Task) -> str:
        spent = f"the budget of {self.effort.max_boxes} boxes is exhausted"
        if math.isinf(first.key[0]):
            return f"{spent}: f has no finite value in the middle of {_where(first.cell)}"
        return f"{spent}: next was {_where(first.cell)}, with f about {first.key[0]:.3g}"

    def _why_stuck(self, cell: Cell, bound: Bound) -> str:
        where = _where(cell)
        if not bound.ball.is_finite():
            because = self.f.complaint or "the ball is not finite"
            return f"f has no finite enclosure for {where}: {because}"
        return f"the lower bound {bound.ball.lower()} remains on the smallest box {where}"

    def _certificate(self, reason: str, root: Cell) -> Certificate:
        """Return the answer: a witness refutes, a reason leaves it open, else it is proved."""
        decision = Decision.UNDECIDED if reason else Decision.PROVED
        proved = decision is Decision.PROVED and self.witness is None
        whole, zero_ends = balls(root), self.statement.zero_ends
        obstacles = [e.obstacle(self.f, whole) for e in zero_ends] if reason else []
        vouched = [e.assumption(self.f, whole) for e in zero_ends] if proved else []
        return Certificate(
            decision=Decision.REFUTED if self.witness else decision,
            relation=self.statement.relation,
            domain=self.statement.domain(),
            boxes=self.boxes,
            depth=self.depth,
            precision=self.effort.precision,
            method=self._method(),
            margin=self.margin if proved and math.isfinite(self.margin) else None,
            end_margin=self.end_margin if proved and math.isfinite(self.end_margin) else None,
            witness=self.witness,
            reason="" if self.witness else "; ".join(filter(None, [*obstacles, reason])),
            assumptions=tuple(filter(None, vouched)),
        )

    def _method(self) -> str:
        parts = ["balls"]
        if self._smooth:
            parts.append(f"mean value form in {', '.join(self._smooth)}")
        parts += [
            f"expansion of order {e.order} at {e.variable} = {e.end.label}" for e in self.statement.zero_ends
        ]
        return ", ".join(parts)
