"""The one place where an inference is made: knuckledragger's kernel asks Z3, within a fixed bound.

The bound counts Z3's elementary operations, so that a busy machine gets the answers of a quiet one.
What Z3 needs for one and the same question still varies from one process to another, by a factor
of four or so, as its heuristics look at places in memory: proofs ask for less than a third of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from math import prod
from typing import Any

import sympy
from sympy import Expr, Set, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.evaluation import simple_points, special_cases, truth
from theorems.engine.rules.names import name_of
from theorems.engine.rules.ranges import Objects, Over
from theorems.engine.rules.reading import counterexample
from theorems.engine.rules.theorem import NotProved, Theorem, Trust
from theorems.engine.rules.translation import BoolRef, Translation, solver_library

#: Z3 does not count what it does inside of an algebraic number. No proof comes near this.
_SECONDS = 60.0
#: Seconds for a second question in which Z3 is lost in such algebra.
_BRIEF = 0.1
#: Operations of Z3 per question; about two seconds where it gives up, milliseconds as a rule.
EFFORT = 1_000_000
#: What a second question gets at least, where the first one took hardly any.
_FEW = 5_000
HIGHEST_DEGREE = 32

_BOUND: ContextVar[int] = ContextVar("operations per question", default=EFFORT)


@contextmanager
def limited(effort: int) -> Iterator[None]:
    """Ask with another bound, for questions whose answer is expected to be no."""
    token = _BOUND.set(effort)
    try:
        yield
    finally:
        _BOUND.reset(token)


@cache
def kernel() -> Any:
    """knuckledragger's kernel, imported when the first inference is made: it takes a second.

    Raises RuntimeError if it was told to ask another solver than Z3.
    """
    if import_module("kdrag.smt").solver != "z3":
        raise RuntimeError("knuckledragger must ask Z3: unset KNUCKLE_SOLVER")
    return import_module("kdrag.kernel")


def solver_trust() -> Trust:
    """What every inference trusts: Z3, its translation, and SymPy's automatic simplifications."""
    detail = "decides real arithmetic; statements are translated from SymPy as it simplified them"
    return Trust(
        "solver", f"Z3 {solver_library().get_version_string()} through knuckledragger", detail
    )


class Bounded:
    """Z3 within a fixed number of operations, in a context of its own.

    So an answer does not depend on how fast the machine is, as long as the bound is generous. The
    attempts and the search for a contradiction are limited in seconds too, as there is algebra of
    which Z3 keeps no count: a very slow machine may leave undecided what a fast one decides.

    Of the general procedure and the one for polynomials, each may be lost where the other one sees
    at once: both are asked for short, then for long.
    """

    def __init__(self, context: Any = None) -> None:
        z3 = solver_library()
        self.context, self.main, self.answer = context or z3.Context(), z3.main_ctx(), "unknown"
        self.formulas: list[BoolRef] = []
        self.attempts, self.most, self.seconds = 4, EFFORT, _SECONDS
        self.solver: Any = None

    def set(self, *_: Any) -> None:
        """No: the kernel would set a time in seconds."""

    def add(self, *formulas: BoolRef) -> None:
        """Assume formulas of the common context."""
        self.formulas += (formula.translate(self.context) for formula in formulas)

    def check(self) -> Any:
        """Z3's answer: that nothing satisfies the formulas, that something does, or neither."""
        z3, bound = solver_library(), _BOUND.get()
        long = max(_SECONDS * bound / EFFORT, 3.0)
        attempts = (
            (z3.Solver, bound // 20, 1.0),
            (_for_polynomials, bound, 1.0),
            (z3.Solver, bound, long),
            (_for_polynomials, bound, long),
        )
        for number, (procedure, effort, seconds) in enumerate(attempts[: self.attempts], 1):
            self.solver, self.attempts = procedure(ctx=self.context), number
            found = self._answer(min(effort, self.most), min(seconds, self.seconds))
            if found != z3.unknown:
                break
        self.answer = str(found)
        return found

    def again(self) -> Bounded:
        """For another question in the same context, with three times the effort of this one.

        Where Z3 keeps no count the time is short: an answer is looked for, and none is needed.
        """
        other, spent = Bounded(self.context), self._operations()
        other.attempts, other.most, other.seconds = self.attempts, max(3 * spent, _FEW), _BRIEF
        return other

    def _operations(self) -> int:
        """How many operations Z3 has made in this context."""
        return int(dict(list(self.solver.statistics())).get("rlimit count", 0))

    def _answer(self, effort: int, seconds: float) -> Any:
        """The answer; unknown where Z3 is lost in algebra of which it keeps no count."""
        self.solver.set(rlimit=effort, random_seed=0, timeout=int(1000 * seconds))
        self.solver.add(self.formulas)
        return self.solver.check()

    def model(self) -> Any:
        """Z3's model in the common context."""
        return self.solver.model().translate(self.main)

    def reason(self) -> str:
        """Why Z3 does not know."""
        return str(self.solver.reason_unknown())


def _for_polynomials(ctx: Any) -> Any:
    return solver_library().SolverFor("QF_NRA", ctx=ctx)


def is_plain(wanted: BoolRef) -> bool:
    """Whether Z3 only has to look: that a polynomial is defined, or that a real number is real."""
    z3 = solver_library()
    return bool(z3.is_true(z3.simplify(wanted)))


class Problem:
    """A goal, the theorems it should follow from, and the ranges and hypotheses it holds under."""

    def __init__(self, over: Over, under: Iterable[Boolean], premises: Sequence[Theorem]) -> None:
        letters: dict[Symbol, Set] = dict(over)
        for premise in premises:
            _add_letters(letters, premise.over)
        self.under, self.premises, self.given = _in_order(under), premises, dict(over)
        self.translation = Translation(letters)
        self.hypotheses = self._members(letters) + [self._holds(one) for one in self.under]
        self.reasons = [self._guarded(premise) for premise in premises]

    def prove(self, goal: Boolean, wanted: BoolRef | None = None) -> None:
        """Let the kernel prove that the goal, or its translation, is defined and holds.

        Raises NotProved: rejected with a witness, or undecided, also where ranges, hypotheses and
        premises contradict each other, as then anything would follow.
        """
        wanted = self._holds(goal) if wanted is None else wanted
        degree = prod(self.translation.degrees.values())
        if degree > HIGHEST_DEGREE:  # Z3 does not count the operations that these would cost
            raise NotProved("undecided", f"the roots of numbers have degree {degree} together")
        found = self._ask(wanted)
        if found:
            raise self._refused(goal, found)

    def _ask(self, wanted: BoolRef) -> tuple[str, Any] | None:
        """None if the kernel proves the goal, else Z3's answer with its model or its reason."""
        z3, ask = self.translation.z3, kernel()
        assumed = [*self.hypotheses, *self.translation.facts.values()]
        formula = z3.Implies(self.translation.all_of(assumed), wanted)
        by = [ask.axiom(one, by=[premise]) for one, premise in self.reasons]
        solver = Bounded()
        try:
            proof = ask.prove(formula, by=by, solver=lambda: solver)
        except ask.LemmaError:
            known = solver.model() if solver.answer == "sat" else solver.reason()
            return solver.answer, known
        _accept(proof, formula, by)
        if self.under or self.reasons:
            self._check_that_not_anything_follows(assumed, solver.again())
        return None

    def _check_that_not_anything_follows(self, assumed: list[BoolRef], again: Bounded) -> None:
        """Ranges alone have members; hypotheses and premises might leave none."""
        again.add(*assumed, *(one for one, _ in self.reasons))
        if again.check() == self.translation.z3.unsat:
            why = "ranges, hypotheses and premises contradict each other, so anything follows"
            raise NotProved("undecided", why)

    def _refused(self, goal: Boolean, found: tuple[str, Any]) -> NotProved:
        """Why a goal was not proved, with a genuine countermodel if there is one."""
        answer, known = found
        if _BOUND.get() < EFFORT:  # nobody asks where it fails
            return NotProved("undecided", f"Z3 does not prove it within {_BOUND.get()} operations")
        why, witness = f"Z3 does not decide it: {known}", {}
        if answer == "sat":
            witness = counterexample(self.translation, known)
            _settle(witness, self.under)
            place = ", ".join(f"{term} = {value}" for term, value in witness.items())
            if self._fails_at(goal, witness):
                return NotProved("rejected", f"{goal} fails at {place}", witness)
            why = f"Z3 has a model in which a function may have the wrong values: {place}"
        return (
            self._refuted_specially(goal)
            or self.refuted_at_simple_points(goal)
            or NotProved("undecided", why, witness)
        )

    def refuted_at_simple_points(self, goal: Boolean) -> NotProved | None:
        """A point where the goal fails, for functions whose values the solver does not know."""
        if any(isinstance(range_, Objects) for range_ in self.translation.over.values()):
            return None
        for point in simple_points(self.translation.over):
            _settle(point, self.under)
            if self._fails_at(goal, point):
                place = ", ".join(f"{x} = {value}" for x, value in point.items())
                return NotProved("rejected", f"{goal} fails at {place}", point)
        return None

    def _refuted_specially(self, goal: Boolean) -> NotProved | None:
        """A countermodel with numbers for vectors and random variables, or with short sums."""
        over, used = self.translation.over, [_as_used(premise, {}) for premise in self.premises]
        statements = [goal, *self.under, *used]
        for values, change, ranges in special_cases(over, statements):
            try:
                shorter, *given = map(change, statements)
                Problem(ranges, given, ()).prove(shorter)
            except (TypeError, ValueError, ArithmeticError):  # SymPy cannot make the special case
                continue
            except NotProved as found:
                if found.answer == "rejected":
                    place = "".join(f", {x} = {size}" for x, size in values.items())
                    return NotProved("rejected", found.why + place, found.witness | values)
        return None

    def _fails_at(self, goal: Boolean, witness: dict[Any, Any]) -> bool:
        """Whether everything assumed is true there, and the goal false."""
        assumed = [_in_range(self.given, witness), *self.under]
        assumed += [_as_used(premise, witness) for premise in self.premises]
        there = all(truth(one, witness) is True for one in assumed)
        return there and truth(goal, witness) is False

    # Formulas

    def _holds(self, statement: Boolean) -> BoolRef:
        formula, defined = self.translation.formula(statement)
        return self.translation.z3.And(defined, formula)

    def _members(self, over: Over) -> list[BoolRef]:
        return [self.translation.member(x, range_) for x, range_ in over.items()]

    def _guarded(self, premise: Theorem) -> tuple[BoolRef, Theorem]:
        """A premise holds for values in its own ranges that satisfy its own hypotheses."""
        z3 = self.translation.z3
        guard = self._members(premise.over) + [self._holds(one) for one in _in_order(premise.under)]
        return z3.Implies(self.translation.all_of(guard), self._holds(premise.statement)), premise


def _in_order(statements: Iterable[Boolean]) -> tuple[Boolean, ...]:
    """The statements of a set in the same order in every process, as the solver heeds it."""
    found = tuple(statements)
    return found if len(found) < 2 else tuple(sorted(found, key=name_of))


def _add_letters(letters: dict[Symbol, Set], over: Over) -> None:
    for letter, range_ in over.items():
        letters.setdefault(letter, range_)


def _in_range(over: Over, point: Mapping[Any, Any]) -> Boolean:
    return sympy.And(*(range_.contains(point[x]) for x, range_ in over.items() if x in point))


def _as_used(premise: Theorem, point: Mapping[Any, Any]) -> Boolean:
    guard = sympy.And(_in_range(premise.over, point), *premise.under)
    return sympy.Implies(guard, premise.statement)


def _settle(witness: dict[Any, Any], under: Iterable[Boolean]) -> None:
    """Give letters that hypotheses define (a = an expression) the value that follows exactly."""
    for one in under:
        if isinstance(one, sympy.Eq) and isinstance(one.lhs, Symbol) and one.lhs in witness:
            value = one.rhs.xreplace({x: v for x, v in witness.items() if isinstance(x, Expr)})
            if one.lhs not in one.rhs.free_symbols and value.is_number:
                witness[one.lhs] = value


def _accept(proof: Any, formula: BoolRef, by: list[Any]) -> None:
    """Check what the kernel returned: of this formula, by these premises, and nothing admitted."""
    if proof.admit or proof.thm is not formula or len(proof.reason) != len(by):
        raise NotProved("undecided", "the kernel returned a proof of something else")
    for reason, wanted in zip(proof.reason, by, strict=True):
        if reason is not wanted or reason.admit or not isinstance(reason.reason[0], Theorem):
            raise NotProved("undecided", "the kernel's proof stands on something unknown")
