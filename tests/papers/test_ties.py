"""A slot of a sentence enters what its evidence computes: to compare it with a number ties nothing.

`bool(one == 1)` fails when the slot changes, and would be true of any sentence.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "theorems"
ENGINE = {"engine", "interface", "__pycache__"}
PAPERS = [one for one in sorted(ROOT.iterdir()) if one.is_dir() and one.name not in ENGINE]
KINDS = {"proved", "argued", "tested", "refuted", "certified", "estimated"}
WRAPPERS = {"Rational", "Integer", "sympify", "int", "float", "Fraction", "abs", "Abs", "bool"}


def evidence_of(tree):
    """The functions that are evidence: a claim's method decorates them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            made = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
            if any(isinstance(one, ast.Attribute) and one.attr in KINDS for one in made):
                yield node


def is_number(node):
    """Whether an expression is made of literals alone."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return names <= WRAPPERS | {"sp", "sympy"} and any(
        isinstance(one, ast.Constant) and isinstance(one.value, int | float) for one in ast.walk(node)
    )


def is_slot(node, slots):
    """Whether an expression is a slot, maybe as a number of another kind."""
    while isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        if name not in WRAPPERS:
            return False
        (node,) = node.args
    return isinstance(node, ast.Name) and node.id in slots


def ties(text):
    """Comparisons of a slot with a number, for equality, by the line."""
    for function in evidence_of(ast.parse(text)):
        slots = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)} - {"given"}
        for node in ast.walk(function):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
                sides = (node.left, node.comparators[0])
                for one, other in (sides, sides[::-1]):
                    if is_slot(one, slots) and is_number(other):
                        yield node.lineno


@pytest.mark.parametrize("paper", PAPERS, ids=lambda one: one.name)
def test_no_evidence_compares_a_slot_with_a_number(paper):
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in sorted(paper.rglob("*.py"))
        for line in ties(file.read_text(encoding="utf-8"))
    ]
    assert not found


@pytest.mark.parametrize(
    "body", ["yield 'one', bool(one == 1)", "yield 'one', 1 == sp.Rational(one)", "assert one != 2"]
)
def test_such_a_comparison_is_found(body):
    assert list(ties(f"@CLAIM.argued('p', bridge='b')\ndef shown(one):\n    {body}\n")) == [3]


@pytest.mark.parametrize("body", ["yield 'all', total == one", "yield 'k', one == k + 1", "pass"])
def test_computations_with_a_slot_are_none(body):
    assert not list(ties(f"@CLAIM.tested(over=X)\ndef shown(one, k):\n    {body}\n"))
