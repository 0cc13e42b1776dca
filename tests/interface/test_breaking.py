"""Long formulas are cut into lines that fit, and nothing is lost."""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from trying import each

from symbolic.latex_width import width
from theorems.engine.claims import registry
from theorems.engine.statements.statement import flaw
from theorems.interface.breaking import broken

ROOM = 200.0
PARTS = [
    (one.id, name, part.latex(one.letters))
    for one in registry.load().claims.values()
    for name, part in one.parts.items()
]
LONG = [one for one in PARTS if width(one[2]) > ROOM]


def letters(latex):
    """The letters and numbers, without what lays them out."""
    bare = re.sub(r"\\(?:left|right|[Bb]igg?[lr]?|text|quad|tfrac|frac)(?![A-Za-z])|\{\}", "", latex)
    return sorted(re.findall(r"\\[A-Za-z]+|[A-Za-z0-9]", bare))


def test_what_fits_stays():
    assert broken("x + y = z", ROOM) == ["x + y = z"]
    assert len(LONG) > 300


@each("one", *LONG[::7])
def test_lines_nest_and_keep_every_letter(one):
    formula = one[2]
    lines = broken(formula, ROOM)
    whole = " ".join(lines)
    assert flaw(whole) is None
    assert all(flaw(line) is None for line in lines)
    assert not Counter(letters(formula)) - Counter(letters(whole))
    if whole.count(r"\frac{1}") == formula.count(r"\frac{1}"):  # no denominator is set in front
        assert letters(whole) == letters(formula)


@each(
    "formula, lines",
    ("a + b + c + d = e", ["a + b + c + d", "{} = e"]),
    (r"x \le y,\quad z \text{ is small}", [r"x \le y,", r"z \text{ is small}"]),
    (r"\frac{a + b + c + d + e + f}{2}", [r"\frac{1}{2}", r"\left(a + b"]),
    ("xxxxxxxxxxxxxxxxxxxxxxxxx", ["xxxxxxxxxxxxxxxxxxxxxxxxx"]),
)
def test_where_lines_end(formula, lines):
    found = broken(formula, 60)
    assert found[0].startswith(lines[0][:12])


@given(st.text(r"ab+-=<,(){}\ ^_$|", max_size=60))
def test_it_is_not_afraid_of_garbage(text):
    assert isinstance(broken(text, 20), list)
