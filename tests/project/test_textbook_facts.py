"""Textbook facts are a library: which of them papers state themselves, and how many there are."""

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
#: What papers state by themselves, which belongs into the library.
OF_PAPERS = {
    "Cauchy-Schwarz inequality for B*g and a unit vector",
    "Chevet's inequality",
    "Frobenius norm of a product",
    "Gordon's bounds of the normal tail",
    "Hermite-Hadamard inequality for even powers",
    "Hoelder's inequality for products, and Lyapunov's",
    "Price's theorem for means of products of weights, and the chain rule",
    "Rayleigh quotient",
    "a copy of Y, independent of it",
    "a drawn token is one of the tokens",
    "a normal tail is at some place above any multiple of a smaller Gaussian",
    "a sign of u, whose square is 1, and an odd function of a symmetric vector",
    "a sum of terms that are not negative is at least each of them",
    "a transposed matrix, and a symmetric one",
    "a vector has its length along a unit vector",
    "an inner product with a mean of vectors",
    "chain rule for the states of a unit, from the first one on",
    "characteristic function of a standard normal variable",
    "exponential moments of a standard normal variable",
    "fourth moment of this density",
    "fundamental theorem of calculus",
    "mean given u of the product of jointly normal v_1 and v_2, whose mean is (6)",
    "mean square of a matrix times a standard normal vector",
    "no condition is met",
    "obtuse angle between what a projection onto a convex set removes and the set",
    "partial sums of the inverse squares, whose series is π²/6",
    "positive semidefinite matrices have norms that are at most their traces, and products that"
    " are not negative",
    "probabilities of independent events multiply",
    "product rule",
    "spectral theorem: an orthonormal basis of eigenvectors, MU its sum",
    "the largest eigenvalue of a positive semidefinite matrix is at most its trace",
    "the length of a standard normal vector has the chi density",
    "the projection onto the closed span of vectors",
    "the square of the hyperbolic secant as a Fourier transform",
    "the trace is the sum of the eigenvalues",
}
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


def test_papers_state_no_more_facts_of_their_own() -> None:
    assert of(*PAPERS) == OF_PAPERS


def test_facts_of_papers_are_none_of_the_library() -> None:
    assert not OF_PAPERS & of("engine", "classical")


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
