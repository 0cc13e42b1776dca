"""Textbook facts are a library: papers state none, and there are few."""

import ast
from collections.abc import Iterator
from pathlib import Path

from theorems.classical import functions, powers
from theorems.engine.rules import facts, probabilities
from theorems.engine.rules.facts import Consequence

ROOT = Path(__file__).parents[2] / "theorems"
PAPERS = ("attention_limit", "eoc_mlp", "infinite_attention", "shallow_transformer")
#: How many names of facts there may be, those included that a name in the code stands for.
BOUND = 120
_STATING = {"textbook", "textbook_says", "Fact", "_fact"}


def called(node: ast.AST) -> str:
    """The name of a function, whatever it is looked up in."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def stated(path: Path) -> Iterator[str]:
    """The names of the facts that a file states, where they are written out or named above."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {
        target.id: one.value.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    for one in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
        name, arguments = called(one.func), one.args
        if arguments and called(arguments[0]) in _STATING and name == "partial":
            name, arguments = "textbook", arguments[1:]
        if name == "Trust" and getattr(arguments[0], "value", "") == "textbook":
            name, arguments = "textbook", arguments[1:]
        if name in _STATING and arguments:
            found = getattr(arguments[0], "value", words.get(called(arguments[0])))
            yield from [found] if isinstance(found, str) else []


def of(*folders: str) -> set[str]:
    """The facts that the files of these folders state."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {name for path in files for name in stated(path)}


def test_papers_state_no_facts() -> None:
    assert not of(*PAPERS)


def test_there_are_few_facts() -> None:
    assert len(of(".")) < BOUND


def test_consequences_rest_on_facts_alone() -> None:
    """What follows from other facts is no fact by its own name, and has one solver beside these."""
    modules = (facts, probabilities, functions, powers)
    found = [one for module in modules for one in vars(module).values() if type(one) is Consequence]
    assert len(found) > 30
    for one in found:
        kinds = {trust.kind for trust in one.theorem.trusts}
        assert kinds <= {"textbook", "solver"}
        assert one.name not in {trust.name for trust in one.theorem.trusts}
