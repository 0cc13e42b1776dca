"""Derivations redo their steps, reject false claims and print."""

import pytest
import sympy
from sympy import Derivative, Integral, Matrix, Symbol
from trying import each

from symbolic.derivation import Decision, Derivation, Step, StepResult

x, y = sympy.symbols("x y", real=True)


def chain(**changes):
    parts = {
        "title": "A cubic",
        "name": "f'",
        "start": Derivative(x**3 + x, x),
        "steps": [Step(3 * x**2 + 1, "differentiate"), Step(1 + 3 * x * x, "reorder")],
    }
    return Derivation(**{**parts, **changes})


def test_every_step_is_checked():
    results = chain().check()
    assert [(r.reason, r.answer) for r in results] == [("differentiate", True), ("reorder", True)]
    assert [chain().check_step(place) for place in (0, -1)] == results
    assert all(isinstance(result, StepResult) and result.detail for result in results)


@each("wrong", 3 * x**2, 3 * x**2 - 1, 3 * x**3 + 1, 2 * x**2 + 1)
def test_a_wrong_step_is_found_where_it_is(wrong):
    broken = chain(steps=[Step(wrong, "differentiate"), Step(1 + 3 * x**2, "reorder")])
    assert [result.answer for result in broken.check()] == [False, False]
    assert chain().claiming(wrong).answer is False
    assert chain().claiming(wrong).conclusion == wrong


def test_a_claim_in_foreign_symbols_is_refused():
    with pytest.raises(ValueError, match="claimed must be written in the symbols"):
        chain().claiming(3 * Symbol("x", positive=True) ** 2 + 1)
    assert chain().claiming(None) == chain()


def test_an_integral_without_its_own_check_stays_open():
    trusting = chain(start=Integral(2 * x, (x, 0, y)), steps=[Step(y**2, "trust me")])
    assert trusting.answer is None


def test_own_checks_are_asked():
    seen = []

    def check(before, after):
        seen.append((before, after))
        return Decision(after == before + 1, "by one")

    inequality = chain(start=x, steps=[Step(x + 1, "larger", check, r"\le")])
    assert inequality.answer is True
    assert seen == [(x, x + 1)]
    assert r"&\le x + 1" in inequality.latex()


def test_abbreviations_are_replaced():
    short = chain(start=x**2 + x, steps=[Step(y + x, "$y = x^2$")], where={y: x**2})
    assert short.answer is True
    assert short.claiming(y - x).answer is False


def test_matrices_are_expressions_too():
    turn = Matrix([[0, -1], [1, 0]])
    square = chain(start=turn * turn, steps=[Step(-sympy.eye(2), "multiply")])
    assert square.answer is True
    assert square.claiming(sympy.eye(2)).answer is False


def test_malformed_derivations_are_refused():
    with pytest.raises(ValueError, match="at least one step"):
        chain(steps=[])
    with pytest.raises(ValueError, match="inequality needs a check"):
        Step(x, "smaller", relation=r"\le")
    with pytest.raises(ValueError, match="relation must be"):
        Step(x, "other", relation=">")


def test_a_notation_is_of_what_has_a_name():
    with pytest.raises(ValueError, match="with a notation needs a name"):
        Derivation("Title", "", x, [Step(x, "trivially")], notation="by definition")


def test_latex_has_one_line_per_step():
    text = chain()._repr_latex_()
    assert text.startswith("\\begin{align*}\nf'\n  &= ")
    assert text.endswith("\\end{align*}")
    assert text.count(r"\\" + "\n") == 2
    assert r"&& \text{differentiate}" in text
