"""Derivations as theorems: each step is checked again, and each expression must be defined."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import sympy
from sympy import Eq, Expr, Le, MatrixBase, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.leaves import check_defined, implied
from theorems.engine.rules.ranges import Over, assumed, checked
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, make


def derived(derivation: Any, *, over: Over | None = None, under: Iterable[Boolean] = ()) -> Theorem:
    r"""The first expression of a derivation equals the last one, or is at most that.

    Every step is checked again. Letters range over the derivation's domain, or as far as their
    assumptions go, or over the smaller sets of ``over``; the abbreviations that occur become
    hypotheses, and so do conditions of the derivation that these do not imply. ``under`` are
    hypotheses under which all expressions are defined, if they are not everywhere. Raises NotProved
    with the first step that is not true.

    >>> from symbolic.derivation import Derivation, Step
    >>> x = Symbol("x", real=True)
    >>> chain = Derivation("A square", "s", (x + 1) ** 2, [Step(x**2 + 2 * x + 1, "expand")])
    >>> print(derived(chain))
    Eq((x + 1)**2, x**2 + 2*x + 1) for x in Reals [proved]
    """
    for result in derivation.check():
        if result.answer is not True:
            answer: Any = "rejected" if result.answer is False else "undecided"
            raise NotProved(answer, f"step {result.reason!r} of {derivation.title}: {result.detail}")
    weak = any(step.relation != "=" for step in derivation.steps)
    statement = _chain(derivation.start, derivation.conclusion, Le if weak else Eq)
    spelled = _abbreviations(statement, derivation.where)
    _check_constant(spelled, statement)
    given = frozenset(under) | {Eq(letter, meaning) for letter, meaning in spelled.items()}
    letters = _letters(derivation, over or {}, statement, *given, *derivation.under)
    shown = {one: implied(one, letters, given) for one in derivation.under}
    given |= {one for one, trust in shown.items() if trust is None}
    asked = {trust for trust in shown.values() if trust is not None}
    letters = _letters(derivation, over or {}, statement, *given)
    stages = [derivation.start, *(step.expression for step in derivation.steps)]
    everything = [*given, *(Eq(letter, meaning) for letter, meaning in derivation.where.items())]
    widest = _letters(derivation, over or {}, *stages, *everything)
    asked |= check_defined(stages, widest, everything) | _check_smooth(stages, widest, everything)
    trust = Trust("derivation", derivation.title, f"{len(stages) - 1} steps to {statement}")
    return make(statement, letters, given, {trust} | asked)


def _chain(start: Any, end: Any, relation: Any) -> Boolean:
    if not isinstance(start, MatrixBase):
        return cast(Boolean, relation(start, end, evaluate=False))
    pairs = zip(start, end, strict=True)
    return sympy.And(*(relation(a, b, evaluate=False) for a, b in pairs))


def _abbreviations(statement: Boolean | Expr, where: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
    """The abbreviations that the statement needs, those inside of others included."""
    needed: dict[Symbol, Expr] = {}
    waiting = set(statement.free_symbols)
    while waiting:
        letter = waiting.pop()
        if letter in where and letter not in needed:
            needed[letter] = where[letter]
            waiting |= where[letter].free_symbols
    return needed


def _check_constant(spelled: Mapping[Symbol, Expr], statement: Boolean) -> None:
    """Check that no abbreviation stands where a letter in its meaning is bound.

    A letter is held fixed while another one runs or is differentiated by, whatever it stands for.
    """
    for node in sympy.preorder_traversal(statement):
        running = _running(node)
        for letter in node.free_symbols & set(spelled) if running else ():
            inside = _abbreviations(letter, spelled).values()
            if running & set().union(*(one.free_symbols for one in inside)):
                raise ValueError(f"{letter} is no constant, so that {node} must spell it out")


def _running(node: Any) -> set[Symbol]:
    """The letters that run within a node: indices, and those it differentiates by."""
    if isinstance(node, sympy.Limit):
        return {node.args[1]}
    return set(getattr(node, "variables", ()) if isinstance(node, Expr) else ())


_CORNERS = (
    *(sympy.Abs, sympy.sign, sympy.Max, sympy.Min, sympy.Piecewise),
    *(sympy.floor, sympy.ceiling, sympy.Heaviside),
)


def _check_smooth(stages: Iterable[Any], letters: Over, given: Iterable[Boolean]) -> set[Trust]:
    """Check that what is differentiated has no corner, where there may be no derivative.

    SymPy gives a corner the slope of one side, or the mean of both.  Returns what the inferences
    trust that show that no corner is met; raises NotProved.
    """
    asked = set()
    for node in set().union(*(stage.atoms(sympy.Derivative) for stage in stages)):
        for one in _corners(node.expr, set(node.variables)):
            bent = isinstance(one, sympy.Abs | sympy.sign) and one.free_symbols <= set(letters)
            trust = implied(sympy.Ne(one.args[0], 0), letters, given) if bent else None
            if trust is None:
                raise NotProved("undecided", f"{node} may not exist where {one} has a corner")
            asked.add(trust)
    return asked


def _corners(node: Any, running: set[Symbol]) -> Iterator[Expr]:
    """Functions with corners, of letters that run; but means over other letters have none."""
    if isinstance(node, _CORNERS) and running & node.free_symbols:
        yield node
    if isinstance(node, sympy.Integral) and running & set().union(
        *(end.free_symbols for limit in node.limits for end in limit[1:])
    ):
        running = running | set(node.variables)
    elif _running(node) and not isinstance(node, sympy.Sum | sympy.Derivative):
        return
    for one in node.args:
        yield from _corners(one, running)


def _letters(derivation: Any, over: Over, *statements: Boolean) -> dict[Symbol, Any]:
    letters = {}
    for letter in set().union(*(one.free_symbols for one in statements)):
        widest = derivation.domain.get(letter, assumed(letter))
        letters[letter] = over.get(letter, widest)
        if not letters[letter].is_subset(widest):
            raise ValueError(f"{letter} ranges over {widest} in the derivation at most")
    return checked(letters)
