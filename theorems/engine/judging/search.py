"""Adversarial search: Hypothesis looks for a violation, then an optimiser climbs from the worst.

The largest ratio found is the *tightness*.  A search that met no valid case is vacuous.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, given, settings, target
from hypothesis import seed as with_seed
from hypothesis import strategies as st
from hypothesis.errors import HypothesisDeprecationWarning, Unsatisfiable, UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy

from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.answers import Compared, Discrepancy, Measured, Outcome, by_ratio
from theorems.engine.judging.describing import described

__all__ = ["Result", "assumptions_allowed", "search"]

#: What a tested check says of one case.
Result = Measured | Discrepancy | Compared
Coordinates = tuple[Callable[[Any], Any], Callable[[Any], Any]]
_CLIMB_EVALUATIONS = 400
#: How many times a case may be begun for each one that is wanted.  Hypothesis counts only those
#: that end well: from a local maximum all of whose neighbours are filtered out it climbs for ever.
_ATTEMPTS = 10


def _is_inequality(result: Result) -> bool:
    if isinstance(result, Compared):
        return not result.equation
    return isinstance(result, Measured)


def _rounding(result: Result) -> float:
    """How far rounding may have moved the ratio of an inequality; an identity's is in units of it.

    >>> _rounding(Measured(0.5, 1e-15)), _rounding(Discrepancy(0.0, 1e-15))
    (1e-15, 0.0)
    """
    if isinstance(result, Discrepancy) or not _is_inequality(result):
        return 0.0
    return float(result.rounding)


class _ViolationError(Exception):
    """Stops Hypothesis at a violation."""


class _EnoughError(KeyboardInterrupt):
    """Stops Hypothesis when it hardly finds another case: it heeds an interruption at any time."""


@dataclass
class _Record:
    """What the search has seen so far."""

    check: Callable[[Any], Result]
    count: int = 0
    lost_in_rounding: int = 0
    worst: float = -math.inf
    where: Any = None
    place: Any = None
    rounding: float = 0.0
    violation: tuple[float, Any] | None = None
    undefined: tuple[float, Any] | None = None
    inequality: bool = True

    def visit(self, case: Any) -> float:
        """The ratio at a case that decides something, else minus infinity."""
        result = self.check(case)
        if not isinstance(result, Result):
            raise TypeError(f"a tested check returns Measured or Discrepancy, got {result!r}")
        ratio = float(result.ratio)
        self.inequality &= _is_inequality(result)
        if result.lost_in_rounding:
            self.lost_in_rounding += 1
            return -math.inf
        self.count += self.violation is None
        if result.violates:
            self.violation, self.rounding = (ratio, self._place(case)), _rounding(result)
            raise _ViolationError
        if not math.isfinite(ratio):
            self.undefined = (ratio, self._place(case))
            return -math.inf
        if ratio > self.worst:
            self.worst, self.rounding = ratio, _rounding(result)
            self.where, self.place = case, self._place(case)
        return ratio

    def _place(self, case: Any) -> Any:
        """The case that was just checked, by the letters of the formula if there is one."""
        seen = getattr(self.check, "seen", None)
        return seen[-1] if seen else case


def search(
    check: Callable[[Any], Result],
    strategy: SearchStrategy[Any],
    *,
    cases: int,
    seed: int,
    coordinates: Coordinates | None = None,
) -> Outcome:
    """Search ``cases`` draws for a case that violates ``check``, then optimise from the worst."""
    record = _Record(check)
    try:
        with _reproducible_draws():
            _explore(record, strategy, cases, seed)
        if coordinates is not None and record.where is not None:
            _climb(record, coordinates)
    except (_ViolationError, _EnoughError):
        pass
    except Unsatisfiable:
        return Outcome(Answer.UNDECIDED, "vacuous: no case met the hypotheses", cases=0)
    return _outcome(record)


@contextmanager
def _reproducible_draws() -> Iterator[None]:
    """Draw no literals from whatever source files happen to be imported in this process.

    Hypothesis does so by default and has no setting against it; a worker and the main process
    would then test other cases.  A version that keeps its literals elsewhere loses only that.
    And seed all generators of the process once, instead of again for each case.
    """
    with ExitStack() as changes:
        try:
            from hypothesis.internal.cache import LRUCache  # noqa: PLC0415 - may be absent
            from hypothesis.internal.conjecture import providers  # noqa: PLC0415
            from hypothesis.internal.constants_ast import Constants  # noqa: PLC0415
            from hypothesis.internal.entropy import deterministic_PRNG  # noqa: PLC0415

            nothing = Constants()
            empty: Any = LRUCache(1024)
            changes.enter_context(patch.object(providers, "_get_local_constants", lambda: nothing))
            changes.enter_context(patch.object(providers, "CONSTANTS_CACHE", empty))
            changes.enter_context(deterministic_PRNG())
            changes.enter_context(patch("hypothesis.core.deterministic_PRNG", nullcontext))
        except (ImportError, AttributeError, TypeError):
            changes.close()
        yield


def _explore(record: _Record, strategy: SearchStrategy[Any], cases: int, seed: int) -> None:
    begun = 0

    @st.composite
    def counted(draw: st.DrawFn) -> Any:
        nonlocal begun
        begun += 1
        if begun > _ATTEMPTS * cases and record.violation is None:
            raise _EnoughError
        return draw(strategy)

    @with_seed(seed)
    @settings(
        max_examples=cases,
        phases=[Phase.generate, Phase.target, Phase.shrink],
        database=None,
        deadline=None,
        derandomize=False,
        verbosity=Verbosity.quiet,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(counted())
    def probe(case: Any) -> None:
        ratio = record.visit(case)
        if math.isfinite(ratio) and record.inequality:
            target(ratio)  # an identity that fails does so almost everywhere: no need to climb

    probe()


def _climb(record: _Record, coordinates: Coordinates) -> None:
    from scipy.optimize import minimize  # noqa: PLC0415 - slow to import, and seldom needed

    to_vector, from_vector = coordinates
    start = np.asarray(to_vector(record.where), dtype=float)
    outside = abs(record.worst) + 1.0  # larger than minus any ratio worth climbing to

    def descend(vector: np.ndarray) -> float:
        case = from_vector(vector)
        try:
            ratio = -math.inf if case is None else record.visit(case)
        except UnsatisfiedAssumption:
            return outside
        return -ratio if math.isfinite(ratio) else outside

    options = {"maxfev": _CLIMB_EVALUATIONS, "xtol": 1e-9}
    with assumptions_allowed():
        minimize(descend, start, method="Powell", options=options)


@contextmanager
def assumptions_allowed() -> Iterator[None]:
    """Let a check call ``assume`` outside a property-based test.

    There it still raises, but warns that it might not for ever.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisDeprecationWarning)
        yield


def _outcome(record: _Record) -> Outcome:
    count = f"{record.count} case{'s' * (record.count != 1)}"
    if record.violation is not None:
        ratio, place = record.violation
        summary = f"violated{by_ratio(ratio)}, found after {count}"
        return _found(record, Answer.REJECTED, summary, ratio, place)
    tightness = record.worst if record.where is not None else None
    if record.undefined is not None:
        ratio, place = record.undefined
        summary = f"the ratio is {ratio}, so nothing is decided"
        return _found(record, Answer.UNDECIDED, summary, tightness, place)
    if record.count == 0:
        why = "every case was lost in rounding" if record.lost_in_rounding else "no case met the hypotheses"
        return Outcome(Answer.UNDECIDED, f"vacuous: {why}", cases=0, numbers=_numbers(record))
    what = "tightness" if record.inequality else "largest error in units of rounding"
    summary = f"{count}, {what} {record.worst:.6g}"
    return _found(record, Answer.ACCEPTED, summary, tightness, record.place)


def _found(record: _Record, answer: Answer, summary: str, tightness: float | None, place: Any) -> Outcome:
    tightness = tightness if record.inequality else None
    return Outcome(answer, summary, tightness, record.count, described(place), _numbers(record))


def _numbers(record: _Record) -> dict[str, Any]:
    lost_in_rounding = {"cases lost in rounding": record.lost_in_rounding} if record.lost_in_rounding else {}
    return lost_in_rounding | ({"rounding": record.rounding} if record.rounding > 0 else {})
