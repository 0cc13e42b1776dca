"""Ask Z3 a question: the text is read in a fresh context, and operations are counted, not seconds.

So an answer depends on the text, on the bound and on the version of Z3 alone: not on the machine,
its load, the hash seed, what was asked before, or the place of anything in memory. Of the general
procedure and the one for polynomials, each may be lost where the other one sees at once: both are
asked in turn, within a twentieth of the bound, a fifth, and all of it, every time in a context of
its own. The general one goes without Groebner bases, in which Z3 does work that it does not count.
A contradiction is looked for by the plain procedure, which is the general one without its
preparations: these take longer than a model of what is assumed, which nearly always has one.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from itertools import chain
from typing import Any, Literal, Protocol, TypeAlias

from theorems.engine.errors import OutOfTimeError
from theorems.engine.rules.question import Question

__all__ = ["EFFORT", "GUARD", "Answer", "Keeper", "Table", "answer_to"]
__all__ += ["bound", "guard_label", "guarded", "keep_with", "label", "limited", "solver_library"]

Number: TypeAlias = str | tuple[tuple[str, ...], int]
Table: TypeAlias = tuple[tuple[tuple[Number, ...], ...], Number]

#: Operations of Z3 that a question may cost; about two seconds where it gives up.
EFFORT = 1_000_000
#: Operations of Z3 for the search for a contradiction among what is assumed.
GUARD = 20_000
Attempts: TypeAlias = tuple[tuple[str, int], ...]
#: The procedures, and by what the bound is divided for each.
ATTEMPTS: Attempts = (
    ("general", 20),
    *(("polynomials", 5), ("general", 5)),
    *(("polynomials", 1), ("general", 1)),
)
_AT_ONCE: Attempts = (("plain", 1), ("polynomials", 1))
_SETTINGS: dict[str, dict[str, Any]] = {
    "general": {"smt.arith.nl.grobner": False},
    "plain": {"smt.arith.nl.grobner": False},
    "polynomials": {},
}
#: Z3 does not count what it does inside of an algebraic number. This many seconds of it are no
#: answer, and on any machine far more than a question takes that comes to an end.
_SECONDS = 300.0

_BOUND: ContextVar[int] = ContextVar("operations per question", default=EFFORT)


@contextlib.contextmanager
def limited(effort: int) -> Iterator[None]:
    """Ask with another bound, for questions whose answer is expected to be no."""
    token = _BOUND.set(effort)
    try:
        yield
    finally:
        _BOUND.reset(token)


def bound() -> int:
    """How many operations a question may cost now."""
    return _BOUND.get()


@cache
def solver_library() -> Any:
    """Z3, imported when the first question is asked: it takes a quarter of a second."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        _keep_memory(ctypes.CDLL(None).mallopt)
    return import_module("z3")


def _keep_memory(mallopt: Any) -> None:
    """Tell the C library to keep what is freed: contexts need as much again, thousands of times.

    To give it back and take it anew costs more than most answers.  The numbers are the names of
    the thresholds in glibc; another library has no such function.
    """
    trim_threshold, top_pad = -1, -2
    mallopt(trim_threshold, 1 << 30)
    mallopt(top_pad, 1 << 26)


@dataclass(frozen=True)
class Answer:
    """What Z3 says: nothing satisfies the assertions, something does, or neither is found out.

    ``operations`` are those of each attempt that was made. Where something satisfies them,
    ``values`` has the numbers of the letters and ``tables`` those of the functions: a rational
    number as text, another one by the coefficients of a polynomial and which of its roots it is.
    """

    said: Literal["unsat", "sat", "unknown"]
    operations: tuple[int, ...]
    why: str = ""
    values: Mapping[str, Number] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "operations": list(self.operations)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Answer:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        if data["said"] not in {"unsat", "sat", "unknown"}:
            raise ValueError(f"an answer is unsat, sat or unknown, got {data['said']!r}")
        values = {name: _plain(one) for name, one in data["values"].items()}
        tables = {
            name: (tuple(tuple(map(_plain, row)) for row in rows), _plain(last))
            for name, (rows, last) in data["tables"].items()
        }
        operations = tuple(int(one) for one in data["operations"])
        return Answer(data["said"], operations, str(data["why"]), values, tables)


def _plain(value: Any) -> Number:
    if isinstance(value, str):
        return value
    powers, index = value
    return tuple(map(str, powers)), int(index)


class Keeper(Protocol):
    """What keeps answers, by what they depend on, and the texts of the questions."""

    def known(self, key: str, /) -> Answer | None:
        """The answer that was kept, if there is one."""

    def keep(self, key: str, question: Question, answer: Answer, /) -> None:
        """Keep an answer for good."""


class _InThisProcess:
    """Keeps answers as long as the process lives."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Question, Answer]] = {}

    def known(self, key: str) -> Answer | None:
        found = self.kept.get(key)
        return None if found is None else found[1]

    def keep(self, key: str, question: Question, answer: Answer, /) -> None:
        self.kept[key] = question, answer


_KEEPER: list[Keeper] = [_InThisProcess()]


def keep_with(keeper: Keeper) -> None:
    """Keep answers with this keeper from now on, in this process; it gets those that are there."""
    before, _KEEPER[0] = _KEEPER[0], keeper
    if isinstance(before, _InThisProcess):
        for key, (question, answer) in before.kept.items():
            if keeper.known(key) is None:
                keeper.keep(key, question, answer)


def label(question: str, effort: int, attempts: Attempts = ATTEMPTS) -> str:
    """What an answer depends on: the text, the bound, the version of Z3, and how it is asked."""
    how = hashlib.sha256(f"{attempts} {_SETTINGS}".encode()).hexdigest()[:8]
    return f"{question} {effort} {_version()}-{how}"


def guard_label(premises: str) -> str:
    """The same of the search for a contradiction."""
    return label(premises, GUARD, _AT_ONCE)


def guarded(question: Question) -> Answer:
    """Whether what is assumed contradicts itself, as far as Z3 sees it within a small bound.

    Nobody asks where it does not, so that the answer has no values.
    """
    return answer_to(question, GUARD, _AT_ONCE, values=False)


@cache
def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - Z3 itself need not be loaded for it

    return f"z3-{version('z3-solver')}"


def answer_to(
    question: Question, effort: int | None = None, attempts: Attempts = ATTEMPTS, *, values: bool = True
) -> Answer:
    """Z3's answer within the bound, or within ``effort``; what was asked before is not asked again.

    With ``values``, if something satisfies the assertions. Raises OutOfTimeError.
    """
    within = bound() if effort is None else effort
    key = label(question.key, within, attempts)
    found = _KEEPER[0].known(key)
    if found is None:
        found = ask(question, within, attempts, values=values)
        _KEEPER[0].keep(key, question, found)
    return found


def ask(question: Question, effort: int, attempts: Attempts = ATTEMPTS, *, values: bool = True) -> Answer:
    """Z3's answer, asked now."""
    spent: list[int] = []
    why = ""
    for procedure, share in attempts:
        solver, said = _attempt(question, procedure, effort // share, spent)
        if said == "unsat":
            return Answer("unsat", tuple(spent))
        if said == "sat":
            return Answer("sat", tuple(spent), "", *(_model(solver) if values else ()))
        why = str(solver.reason_unknown())
    return Answer("unknown", tuple(spent), why)


def _attempt(question: Question, procedure: str, effort: int, spent: list[int]) -> tuple[Any, str]:
    z3 = solver_library()
    context = z3.Context()
    solver = {"general": z3.Solver, "plain": z3.SimpleSolver, "polynomials": partial(z3.SolverFor, "QF_NRA")}[
        procedure
    ](ctx=context)
    limits = {"rlimit": effort, "random_seed": 0, "timeout": int(1000 * _SECONDS)}
    settings = {**_SETTINGS[procedure], **limits}
    solver.set(*chain.from_iterable(settings.items()))  # at once: to check names takes long
    solver.from_string(question.text)
    before, started = _operations(solver), time.monotonic()
    said = _said(solver)
    spent.append(_operations(solver) - before)
    if said == "unknown" and spent[-1] < effort and time.monotonic() - started >= _SECONDS:
        raise OutOfTimeError(f"Z3 was stopped after {_SECONDS:g} s")
    return solver, said


def _said(solver: Any) -> str:
    """Z3's word; the plain procedure may raise an error at the end of its operations."""
    try:
        return str(solver.check())
    except solver_library().Z3Exception as found:
        if "canceled" not in str(found):
            raise
        return "unknown"


def _operations(solver: Any) -> int:
    """How many operations Z3 has made in the solver's context."""
    told = solver.statistics()
    names = (told[place] for place in reversed(range(len(told))))
    return int(next((value for name, value in names if name == "rlimit count"), 0))


def _model(solver: Any) -> tuple[dict[str, Number], dict[str, Table]]:
    """The values of letters and the tables of functions in what was found, as far as numbers."""
    model = solver.model()
    values: dict[str, Number] = {}
    tables: dict[str, Table] = {}
    for declared in model.decls():
        if declared.arity() > 0:
            table = _table(model[declared])
            tables |= {} if table is None else {declared.name(): table}
        elif declared.range().name() == "Real":
            value = _value(model.eval(declared(), model_completion=True))
            values |= {} if value is None else {declared.name(): value}
    return values, tables


def _table(found: Any) -> Table | None:
    *rows, last = found.as_list()
    plain = [[_value(one) for one in row] for row in [*rows, [last]]]
    if any(one is None for row in plain for one in row):
        return None
    *places, (otherwise,) = [tuple(one for one in row if one is not None) for row in plain]
    return tuple(places), otherwise


def _value(found: Any) -> Number | None:
    """A number of a model: rational, or a root of a polynomial; None for another term."""
    z3 = solver_library()
    if z3.is_rational_value(found):
        return f"{found.numerator_as_long()}/{found.denominator_as_long()}"
    if not z3.is_algebraic_value(found):
        return None
    return tuple(str(_value(one)) for one in found.poly()), int(found.index())
