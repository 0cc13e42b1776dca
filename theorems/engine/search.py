"""Adversarial search: Hypothesis looks for a violation, then an optimiser climbs from the worst.

The largest ratio found is the *tightness*.  A search that met no valid case is vacuous.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, given, settings, target
from hypothesis import seed as with_seed
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from scipy.optimize import minimize

from theorems.engine.answers import Answer, Discrepancy, Measured, Outcome

__all__ = ["search"]

Coordinates = tuple[Callable[[Any], Any], Callable[[Any], Any]]
_CLIMB_EVALUATIONS = 400


class _ViolationError(Exception):
    """Stops Hypothesis at a violation."""


@dataclass
class _Record:
    """What the search has seen so far."""

    check: Callable[[Any], Measured | Discrepancy]
    count: int = 0
    worst: float = -math.inf
    where: Any = None
    violation: Any = None
    nan_at: Any = None
    kinds: set[type] = field(default_factory=set)

    def visit(self, case: Any) -> float:
        """The ratio at a case; a violation or a NaN is remembered."""
        result = self.check(case)
        if not isinstance(result, Measured | Discrepancy):
            raise TypeError(f"a tested check returns Measured or Discrepancy, got {result!r}")
        ratio = float(result.ratio)
        self.count += 1
        self.kinds.add(type(result))
        if math.isnan(ratio):
            self.nan_at = case
            return -math.inf
        if ratio > self.worst:
            self.worst, self.where = ratio, case
        if result.violates:
            self.violation = case
            raise _ViolationError
        return ratio


def search(
    check: Callable[[Any], Measured | Discrepancy],
    strategy: SearchStrategy[Any],
    *,
    cases: int,
    seed: int,
    coordinates: Coordinates | None = None,
    shrink: bool = True,
) -> Outcome:
    """Look for a case that violates ``check`` among ``cases`` drawn ones, then climb."""
    record = _Record(check)
    try:
        _explore(record, strategy, cases, seed, shrink)
        if coordinates is not None and record.where is not None:
            _climb(record, coordinates)
    except _ViolationError:
        pass
    except Unsatisfiable:
        return Outcome(Answer.UNDECIDED, "vacuous: no case met the hypotheses", cases=0)
    return _outcome(record)


def _explore(
    record: _Record, strategy: SearchStrategy[Any], cases: int, seed: int, shrink: bool
) -> None:
    phases = [Phase.generate, Phase.target] + ([Phase.shrink] if shrink else [])

    @with_seed(seed)
    @settings(
        max_examples=cases,
        phases=phases,
        database=None,
        deadline=None,
        derandomize=False,
        verbosity=Verbosity.quiet,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def probe(case: Any) -> None:
        ratio = record.visit(case)
        if math.isfinite(ratio):
            target(ratio)

    probe()


def _climb(record: _Record, coordinates: Coordinates) -> None:
    to_vector, from_vector = coordinates
    start = np.asarray(to_vector(record.where), dtype=float)

    def descend(vector: np.ndarray) -> float:
        case = from_vector(vector)
        ratio = -math.inf if case is None else record.visit(case)
        return -ratio if math.isfinite(ratio) else 0.0

    minimize(descend, start, method="Powell", options={"maxfev": _CLIMB_EVALUATIONS, "xtol": 1e-9})


def _outcome(record: _Record) -> Outcome:
    tightness = record.worst if record.kinds == {Measured} else None
    shown = None if record.where is None else _shorten(record.where)
    if record.violation is not None:
        summary = f"violated: ratio {record.worst:.6g} after {record.count} cases"
        return Outcome(
            Answer.REJECTED, summary, record.worst, record.count, _shorten(record.violation)
        )
    if record.nan_at is not None:
        summary = f"NaN at {_shorten(record.nan_at)}"
        return Outcome(Answer.UNDECIDED, summary, tightness, record.count)
    if record.count == 0:
        return Outcome(Answer.UNDECIDED, "vacuous: no case met the hypotheses", cases=0)
    what = "tightness" if tightness is not None else "largest error in units of rounding"
    summary = f"{record.count} cases, {what} {record.worst:.6g}"
    return Outcome(Answer.ACCEPTED, summary, tightness, record.count, shown)


def _shorten(case: Any, width: int = 300) -> str:
    text = " ".join(repr(case).split())
    return text if len(text) <= width else text[: width - 3] + "..."
