"""The one place where an inference is made: knuckledragger's kernel asks Z3, within a fixed bound.

The kernel is handed the formulas that Z3 reads in the text of a question, and a solver that has
this very text asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import prod
from typing import Any, TypeAlias

import sympy
from sympy import Expr, Set, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.claims.kinds import AT_A_POINT
from theorems.engine.rules import terms
from theorems.engine.rules.asking import EFFORT, Answer, answer_to, bound, guarded, limited, solver_library
from theorems.engine.rules.evaluation import simple_points, special_cases, truth
from theorems.engine.rules.names import in_order
from theorems.engine.rules.question import Question, asked
from theorems.engine.rules.ranges import Objects, Over
from theorems.engine.rules.reading import counterexample
from theorems.engine.rules.satisfied import holds_somewhere
from theorems.engine.rules.terms import Term
from theorems.engine.rules.theorem import NotProved, Theorem, Trust
from theorems.engine.rules.translation import Translation

__all__ = ["HIGHEST_DEGREE", "Problem", "from_kernel", "kernel", "limited", "solver_trust"]

#: Formulas of Z3, which has no types that a checker could read.
BoolRef: TypeAlias = Any

HIGHEST_DEGREE = 32


@cache
def kernel() -> Any:
    """knuckledragger's kernel, imported when the first inference is made: it takes a second.

    Raises RuntimeError if it was told to ask another solver than Z3.
    """
    if import_module("kdrag.smt").solver != "z3":
        raise RuntimeError("knuckledragger must ask Z3: unset KNUCKLE_SOLVER")
    return import_module("kdrag.kernel")


def solver_trust(question: Question, premises: str) -> Trust:
    """What an inference trusts: Z3, its translation, and SymPy's automatic simplifications."""
    detail = "decides real arithmetic; statements are translated from SymPy as it simplified them"
    return Trust("solver", _solver_name(), detail, question=question.key, premises=premises)


@cache
def _solver_name() -> str:
    return f"Z3 {solver_library().get_version_string()} through knuckledragger"


class _Asked:
    """What the kernel takes for a solver: it has a question asked, and nothing else."""

    def __init__(self, question: Question | None = None, read: Sequence[BoolRef] = ()) -> None:
        self.question, self.answer = question, Answer("unknown", (), "nothing was asked")
        self._read, self._formulas = read, list[BoolRef]()

    def set(self, *_: Any) -> None:
        """No: the kernel would set a time in seconds."""

    def add(self, *formulas: BoolRef) -> None:
        """Assume formulas of the common context."""
        self._formulas += formulas

    def check(self) -> Any:
        """Z3's answer to the text, which must say what the kernel has assumed."""
        z3 = solver_library()
        if self.question is None:
            self.question = _printed(self._formulas)
            same = _printed(z3.parse_smt2_string(self.question.text)) == self.question
        else:
            pairs = zip(self._read, self._formulas, strict=False)
            same = len(self._read) == len(self._formulas) and all(z3.eq(*pair) for pair in pairs)
        if not same:
            raise NotProved("undecided", "the kernel asks something else than what is written")
        self.answer = answer_to(self.question)
        return {"unsat": z3.unsat, "sat": z3.sat}.get(self.answer.said, z3.unknown)

    def model(self) -> str:
        """No model in the kernel's context: the answer has the values."""
        return "in the answer"


def _printed(formulas: Iterable[BoolRef]) -> Question:
    """The question that formulas of the kernel's own are, as Z3 prints them.

    Z3 numbers the letters that are bound as they come in a process, and breaks lines by the lengths
    of their names; here they are numbered anew, and a command is a line.
    """
    solver = solver_library().Solver()
    solver.add(*formulas)
    text = " ".join(_renumbered(str(solver.sexpr())).split())
    return Question(re.sub(r" (?=\((assert|declare-fun) )", "\n", text))


def _renumbered(text: str) -> str:
    """A text in which letters with a number are v0, v1, ... in the order in which they occur.

    Abbreviations, a!1 and so on, are numbered within a text by Z3 itself. Raises NotProved where a
    name is taken.

    >>> _renumbered("(forall ((n!7 Int) (m!9 Int)) (> n!7 m!9))")
    '(forall ((v0 Int) (v1 Int)) (> v0 v1))'
    """
    numbers: dict[str, int] = {}

    def name(found: re.Match[str]) -> str:
        return f"v{numbers.setdefault(found[0], len(numbers))}"

    renumbered = re.sub(r"\b(?!a!)\w+!\d+", name, text)
    if numbers and re.search(r"\bv\d", text):
        raise NotProved("undecided", f"a name such as v0 is taken in {text}")
    return renumbered


def from_kernel(
    formula: BoolRef, by: list[Any], question: Question | None = None, read: Sequence[BoolRef] = ()
) -> _Asked:
    """Have the kernel prove a formula from its theorems; what was asked tells the answer.

    What it asks must be what was ``read`` in the text of the question, if there is one. Raises
    NotProved if the kernel returns a proof of something else, or one that is admitted.
    """
    solver = _Asked(question, read)
    try:
        proof = kernel().prove(formula, by=by, solver=lambda: solver)
    except kernel().LemmaError:
        return solver
    if proof.admit or proof.thm is not formula or len(proof.reason) != len(by):
        raise NotProved("undecided", "the kernel returned a proof of something else")
    if any(one is not wanted or one.admit for one, wanted in zip(proof.reason, by, strict=True)):
        raise NotProved("undecided", "the kernel's proof stands on something unknown")
    if solver.answer.said != "unsat":
        raise NotProved("undecided", "the kernel returned a proof without an answer")
    return solver


#: Questions, by key, to which the kernel had the answer with which it proves the goal; and those
#: in which what is assumed was seen to hold at a point.
_PROVED: set[str] = set()
_AT_A_POINT: set[str] = set()


class Problem:
    """A goal, the theorems it should follow from, and the ranges and hypotheses it holds under."""

    def __init__(self, over: Over, under: Iterable[Boolean], premises: Sequence[Theorem]) -> None:
        every: dict[Symbol, Set] = dict(over)
        for premise in premises:
            _add_letters(every, premise.over)
        letters = {letter: every[letter] for letter in in_order(every)}
        self.under, self.premises, self.given = in_order(under), premises, dict(over)
        self.translation = Translation(letters)
        self.hypotheses = self._members(letters) + [self._holds(one) for one in self.under]
        self.reasons = [self._guarded(premise) for premise in premises]

    def prove(self, goal: Boolean, wanted: Term | None = None) -> Trust:
        """Let the kernel prove that the goal, or its translation, is defined and holds.

        Returns what this inference trusts. Raises NotProved: rejected with a witness, or undecided,
        also where ranges, hypotheses and premises contradict each other, as then anything would
        follow; OutOfTimeError.
        """
        wanted = self._holds(goal) if wanted is None else wanted
        degree = prod(self.translation.degrees.values())
        if degree > HIGHEST_DEGREE:  # Z3 does not count the operations that these would cost
            raise NotProved("undecided", f"the roots of numbers have degree {degree} together")
        facts = [*self.hypotheses, *self.translation.facts.values()]
        conclusion = terms.implies(terms.both(facts), wanted)
        question = asked([*self.reasons, terms.no(conclusion)])
        answer = self._from_kernel(question)
        if answer.said != "unsat":
            raise self._refused(goal, question, answer)
        guard = ""
        if self.under or self.reasons:
            guard = _check_that_not_anything_follows([*self.reasons, *facts], question)
        return solver_trust(question, guard)

    def _from_kernel(self, question: Question) -> Answer:
        """The answer to the question, with which the kernel proves the goal or does not.

        What it has proved once in this process it need not prove again: a question is its text.
        """
        if question.key in _PROVED:
            return answer_to(question)
        read = list(solver_library().parse_smt2_string(question.text))
        *reasons, denied = read
        pairs = zip(reasons, self.premises, strict=True)
        by = [kernel().axiom(one, by=[premise]) for one, premise in pairs]
        answer = from_kernel(denied.arg(0), by, question, read).answer
        if answer.said == "unsat":
            _PROVED.add(question.key)
        return answer

    def _refused(self, goal: Boolean, question: Question, answer: Answer) -> NotProved:
        """Why a goal was not proved, with a genuine countermodel if there is one."""
        if bound() < EFFORT:  # nobody asks where it fails
            return NotProved("undecided", f"Z3 does not prove it within {bound()} operations")
        why, witness = f"Z3 does not decide it: {answer.why}", {}
        if answer.said == "sat":
            witness = counterexample(self.translation, question, answer)
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
        return self.refuted_at(simple_points(self.translation.over), goal)

    def refuted_at(self, points: Iterable[dict[Symbol, Expr]], goal: Boolean) -> NotProved | None:
        """The first of the points where the goal fails; None where letters are no numbers."""
        if any(isinstance(range_, Objects) for range_ in self.translation.over.values()):
            return None
        for point in points:
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

    def _holds(self, statement: Boolean) -> Term:
        formula, defined = self.translation.formula(statement)
        return terms.both([defined, formula])

    def _members(self, over: Over) -> list[Term]:
        return [self.translation.member(x, over[x]) for x in in_order(over)]

    def _guarded(self, premise: Theorem) -> Term:
        """A premise holds for values in its own ranges that satisfy its own hypotheses."""
        guard = self._members(premise.over) + [self._holds(one) for one in in_order(premise.under)]
        return terms.implies(terms.both(guard), self._holds(premise.statement))


def _check_that_not_anything_follows(assumed: list[Term], goal: Question) -> str:
    """Ranges alone have members; hypotheses and premises might leave none.

    Returns the key of the question, whose answer may be that this is not decided; or says that
    they hold at a point, so that nothing is asked.  The text of the question about the goal has
    all that is assumed in it.
    """
    if goal.key in _AT_A_POINT:
        return AT_A_POINT
    if holds_somewhere(assumed):
        _AT_A_POINT.add(goal.key)
        return AT_A_POINT
    question = asked(assumed)
    if guarded(question).said == "unsat":
        why = "ranges, hypotheses and premises contradict each other, so anything follows"
        raise NotProved("undecided", why)
    return question.key


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
            free = one.rhs.free_symbols  # and not the index of a sum
            known = {x: v for x, v in witness.items() if isinstance(x, Expr) and x.free_symbols <= free}
            value = one.rhs.xreplace(known)
            if one.lhs not in free and value.is_number:
                witness[one.lhs] = value
