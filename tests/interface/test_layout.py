"""Statements on a page: no row is wider than the page, and nothing is lost."""

import sympy
from sympy import Symbol
from trying import each

from symbolic.latex_width import width
from theorems.engine import claim, eq, implies, le, reals
from theorems.engine.statements.letters import Letters
from theorems.interface.layout import display, rows

LETTERS = Letters()
X = [LETTERS.number(f"x{i}", f"x_{{{i}}}", "a number", reals()) for i in range(12)]
SUM = sympy.Add(*X)
ROOM = 120.0


def laid_out(states, used=X, room=ROOM):
    one = claim("t.a", at="a", title="t", states=states, given=list(used), letters=LETTERS)
    return rows(one, room)


def test_what_fits_is_one_row():
    assert laid_out(eq(X[0], X[1]), X[:2]) == ["x_{0} = x_{1}"]


def test_parts_have_rows_of_their_own():
    states = {"one": eq(X[0] + X[1], 2 * X[2]), "other": le(X[0] + X[1], 3 * X[2])}
    assert laid_out(states, X[:3], 90) == ["x_{0} + x_{1} = 2 x_{2}", r"x_{0} + x_{1} \leq 3 x_{2}"]


@each("states", eq(X[0], SUM), le(SUM, X[0]), implies(le(X[0], SUM), eq(SUM, X[1])))
def test_long_relations_are_split(states):
    (row,) = laid_out(states)
    assert width(row) <= 1.1 * ROOM
    for one in X:
        assert f"x_{{{X.index(one)}}}" in row


def test_a_chain_has_a_row_for_each_relation():
    found = laid_out([eq(X[0], SUM), le(SUM, X[1])])
    assert len(found) == 2
    assert all(width(row) <= 1.1 * ROOM for row in found)


def test_the_display_names_letters_as_the_paper_does():
    beta = LETTERS.number("b", r"\beta", "a number", reals())
    one = claim("t.a", at="a", title="t", states=eq(beta, SUM), given=[beta, *X], letters=LETTERS)
    assert r"\beta" in display(one, ROOM)
    assert Symbol("b", real=True) == beta
