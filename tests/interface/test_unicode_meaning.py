"""A formula in Unicode, read as one reads it, has the value that the formula has."""

import math
import random
import re
import unicodedata
from itertools import pairwise

import pytest
import sympy as sp
from trying import each

from symbolic.latex_printer import latex
from theorems.interface.unicode import unicode

LETTERS = sp.symbols("a b x", positive=True)
VALUES = {"a": 1.3, "b": 0.7, "x": 2.1}
FUNCTIONS = {"log": math.log, "sqrt": math.sqrt, "cbrt": math.cbrt}
FUNCTIONS["fourth"] = lambda x: math.sqrt(math.sqrt(x))
ROOTS = {"√": "sqrt", "∛": "cbrt", "∜": "fourth"}
_SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵃᵇˣ"
_TOKEN = re.compile(r"\d+|[a-z]+|\*\*|[-+*/(),]")


def expression(rng, depth):
    """A random expression; nothing in it is evaluated."""
    if depth == 0:
        return rng.choice([*LETTERS, sp.Integer(2), sp.Integer(3), sp.Rational(2, 3)])
    first, second = (expression(rng, rng.randrange(depth)) for _ in range(2))
    return rng.choice(
        [
            lambda: first + second,
            lambda: first - second,
            lambda: first * second,
            lambda: first / second,
            lambda: first * (second + 1) / (first + 2),
            lambda: (first + second) ** rng.choice([2, 3, -1, -2, sp.Rational(3, 2)]),
            lambda: sp.sqrt(first + rng.randrange(2)),
            lambda: first * sp.log(second + 2),
            lambda: sp.exp(-first / 8) * second,
        ]
    )()


def value(text):
    """The value of a formula on one line: what stands side by side is multiplied, from the left."""
    text = re.sub(f"[{_SMALL}]+", lambda one: f"**({unicodedata.normalize('NFKC', one[0])})", text)
    text = text.replace("−", "-").replace("^", "**")
    for sign, name in ROOTS.items():
        text = re.sub(rf"{sign}(\d+|[a-z])", rf"{name}(\1)", text).replace(sign, name)
    tokens = _TOKEN.findall(text)
    assert "".join(tokens) == text.replace(" ", ""), text
    read = tokens[:1]
    for before, after in pairwise(tokens):
        ends = before == ")" or (before.isalnum() and before not in FUNCTIONS)
        read += ["*", after] if ends and (after == "(" or after.isalnum()) else [after]
    return eval("".join(read), {"e": math.e, **FUNCTIONS, **VALUES})


@each("seed", *range(300))
def test_random_expressions(seed):
    rng = random.Random(seed)
    found = expression(rng, 4)
    meant = found.subs({one: VALUES[one.name] for one in LETTERS})
    if not (meant.is_finite and meant.is_real):
        return  # a zero in a denominator, or the root of a negative number
    shown = unicode(latex(found))
    assert value(shown) == pytest.approx(float(meant), rel=1e-9), shown


def test_the_reader_notices_lost_parentheses():
    assert value("a/(b x)") != pytest.approx(value("a/b x"))
    assert value("(a + b)/x") != pytest.approx(value("a + b/x"))
    assert value("x²⁺ᵃ") == pytest.approx(2.1**3.3)
