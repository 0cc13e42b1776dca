"""Attempts to get a theorem without a proof: each is refused."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from types import MappingProxyType

import kdrag
import kdrag.kernel
import pytest
import sympy as sp
import z3
from sympy import Eq, Interval, Reals, Symbol
from trying import each

from theorems.engine.rules import (
    ForgedError,
    NotProved,
    Theorem,
    cases,
    defined,
    follows,
    genuine,
    induction,
    instance,
    solver,
)
from theorems.engine.rules import theorem as theorem_module
from theorems.engine.rules.meanings import meaning
from theorems.engine.rules.principles import expected, increasing, jensen
from theorems.engine.rules.sums import summed, telescoped

x, y = sp.symbols("x y", real=True)
n = Symbol("n", integer=True)
TRUE = follows(x**2 >= 2 * x - 1, over={x: Reals})
FALSE = Eq(sp.Integer(1), 2, evaluate=False)
C = {Symbol("c", real=True): Interval(0, 3)}


def by_setting_fields():
    forged = object.__new__(Theorem)
    for name in ("over", "under", "trusts"):
        object.__setattr__(forged, name, getattr(TRUE, name))
    object.__setattr__(forged, "statement", FALSE)
    return forged


def by_changing(name, value):
    def forge():
        forged = follows(x**2 >= 2 * x - 1, over={x: Reals})
        object.__setattr__(forged, name, value)
        return forged

    return forge


def by_subclass():
    class Lie(Theorem):
        def __init__(self):
            for name in ("over", "under", "trusts"):
                object.__setattr__(self, name, getattr(TRUE, name))
            object.__setattr__(self, "statement", FALSE)

        __hash__ = object.__hash__

    return Lie()


def by_looking_alike():
    class Lie(Theorem):
        def __init__(self):
            pass

        def __eq__(self, other):
            return True

        def __hash__(self):
            return hash(TRUE)

    return Lie()


FORGERIES = {
    "set": by_setting_fields,
    "statement": by_changing("statement", FALSE),
    "over": by_changing("over", MappingProxyType({x: Interval(0, 1)})),
    "under": by_changing("under", frozenset({x > 0})),
    "trusts": by_changing("trusts", frozenset()),
    "copy": lambda: copy.copy(TRUE),
    "subclass": by_subclass,
    "alike": by_looking_alike,
}
USES = {
    "genuine": genuine,
    "follows": lambda forged: follows(FALSE, [forged], over={}),
    "instance": lambda forged: instance(forged, {x: 1}),
    "cases": lambda forged: cases([forged], over={x: Reals}),
    "induction": lambda forged: induction(FALSE, n, 0, base=[forged], over={}),
    "summed": lambda forged: summed(forged, n, n),
    "telescoped": lambda forged: telescoped(forged, n, x, n),
    "expected": lambda forged: expected(forged, x, x),
    "jensen": lambda forged: jensen(forged, x, x, x),
    "increasing": lambda forged: increasing(forged, x, x, y),
}


@each("forgery", *FORGERIES)
def test_forged_theorems_are_refused(forgery):
    for use in USES.values():
        with pytest.raises(ForgedError):
            use(FORGERIES[forgery]())


class TestMaking:
    def test_constructor(self):
        with pytest.raises(ForgedError):
            Theorem(FALSE, {}, frozenset(), frozenset())

    def test_constructor_with_a_seal(self):
        with pytest.raises(ForgedError):
            Theorem(FALSE, {}, frozenset(), frozenset(), object())

    def test_replace(self):
        with pytest.raises((ForgedError, ValueError)):
            dataclasses.replace(TRUE, statement=FALSE)

    def test_the_packages_own_maker(self):
        with pytest.raises(ForgedError, match="never by"):
            theorem_module.make(FALSE, {}, (), ())

    def test_pickle(self):
        with pytest.raises((ForgedError, TypeError)):
            genuine(pickle.loads(pickle.dumps(TRUE)))

    def test_ranges_cannot_be_changed(self):
        with pytest.raises(TypeError):
            TRUE.over[x] = Interval(0, 1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            TRUE.statement = FALSE

    def test_what_is_no_theorem(self):
        with pytest.raises(TypeError, match="a premise must be a Theorem, got And"):
            follows(FALSE, [sp.And(x > 0, x < 1)], over={x: Reals})


def by_hand():
    return kdrag.kernel.Proof(z3.BoolVal(False), [], False)


KERNEL_PROOFS = {
    "axiom": lambda: kdrag.axiom(z3.BoolVal(False)),
    "admitted": lambda: kdrag.kernel.prove(z3.BoolVal(False), admit=True),
    "by hand": by_hand,
    "genuine": lambda: kdrag.kernel.prove(z3.BoolVal(True)),
    "from an axiom": lambda: kdrag.kernel.prove(z3.BoolVal(False), by=[kdrag.axiom(z3.BoolVal(False))]),
}


class TestKernel:
    @each("made", *KERNEL_PROOFS)
    def test_its_proofs_are_no_premises(self, made):
        """Only theorems are; so nothing admitted or built by hand can get into a proof."""
        with pytest.raises(TypeError, match="a premise must be a Theorem, got Proof"):
            follows(FALSE, [KERNEL_PROOFS[made]()], over={})

    def answers(self, monkeypatch, change):
        ask = kdrag.kernel.prove
        monkeypatch.setattr(solver, "_PROVED", set())  # as in a process that has proved nothing yet
        monkeypatch.setattr(kdrag.kernel, "prove", lambda *args, **how: change(ask, *args, **how))
        return follows(x**2 >= 2 * x - 1, over={x: Reals})

    def test_admitting_kernel(self, monkeypatch):
        with pytest.raises(NotProved, match="something else"):
            self.answers(monkeypatch, lambda ask, goal, **how: ask(goal, **how, admit=True))

    def test_kernel_that_proves_something_else(self, monkeypatch):
        with pytest.raises(NotProved, match="something else"):
            self.answers(monkeypatch, lambda ask, goal, **how: ask(z3.BoolVal(True), **how))

    def test_kernel_with_a_premise_more(self, monkeypatch):
        lie = kdrag.axiom(z3.BoolVal(False))

        def add(ask, goal, by, **how):
            return ask(goal, by=[*by, lie], **how)

        with pytest.raises(NotProved, match="something else"):
            self.answers(monkeypatch, add)

    def test_kernel_with_another_premise(self, monkeypatch):
        lie = kdrag.axiom(z3.BoolVal(False), by=["a lie"])
        monkeypatch.setattr(kdrag.kernel, "axiom", lambda *args, **how: lie)
        with pytest.raises(NotProved):
            follows(FALSE, [TRUE], over={x: Reals})


class TestTrusts:
    def test_two_definitions_of_one_function(self):
        f, over = sp.Function("f"), {x: Reals}
        parts = [follows(f(x) <= x + 2, [defined(f(x), body, over=over)], over=over) for body in (x, x + 1)]
        with pytest.raises(NotProved, match="defined in two ways"):
            follows(f(x) <= x + 3, parts, over=over)

    def test_the_same_definition_in_another_letter(self):
        f = sp.Function("f")
        both = [defined(f(z), z**2, over={z: Reals}) for z in (x, y)]
        assert follows(f(x) + f(y) >= 0, both, over={x: Reals, y: Reals})


def test_the_solver_is_imported_when_something_is_proved():
    code = (
        "import sys\n"
        "from theorems.engine.rules import facts, sums\n"
        "print(sorted({'z3', 'kdrag'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_another_solver_is_refused():
    code = (
        "import kdrag.smt; kdrag.smt.solver = 'cvc5'\n"
        "from theorems.engine.rules.solver import kernel\n"
        "kernel()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "knuckledragger must ask Z3" in done.stderr


def test_answers_do_not_depend_on_what_was_asked_before():
    """The same countermodel, after any number of other questions."""

    def witness():
        with pytest.raises(NotProved) as found:
            follows(x**2 < x * y + Symbol("c", real=True), over={x: Reals, y: Reals, **C})
        return found.value.witness

    first = witness()
    for bound in range(1, 4):
        follows(x**2 + bound >= 2 * x - 1, over={x: Interval(0, bound)})
    assert witness() == first


class TestMeanings:
    """What a letter stands for is said once, and nobody may choose its value."""

    def test_two_meanings_of_a_letter_are_refused(self):
        one = meaning("what y stands for", sp.Eq(y, x + 1), over={x: Reals, y: Reals})
        other = meaning("what y is", sp.Eq(y, 2 * x), over={x: Reals, y: Reals})
        with pytest.raises(NotProved, match="y stands for two things"):
            follows(sp.Ge(y, x), [one, other], over={x: Reals, y: Reals})
        both = sp.And(sp.Eq(y, x + 1), sp.Eq(y, 2 * x), evaluate=False)
        with pytest.raises(NotProved, match="y stands for two things"):
            meaning("what y stands for", both, over={x: Reals, y: Reals})

    def test_the_same_meaning_may_be_told_twice(self):
        over = {x: Reals, y: Reals}
        known = [meaning(name, sp.Eq(y, x + 1), over=over) for name in ("one", "other")]
        assert follows(sp.Ge(y, x), known, over=over).statement == sp.Ge(y, x)
