"""Sentences keep their numbers in slots; formulas print from what is checked."""

from fractions import Fraction

import pytest
import sympy
from checked import LETTERS, stated, x, y
from trying import each

from theorems.engine import Choice, ClaimError, defining, eq, ge, le, lt, sentence
from theorems.engine.statements.statement import Formula, parts_of
from theorems.engine.statements.template import fill, literal_numbers, names_in


def test_numbers_are_found_outside_subscripts():
    cases = [
        (r"x \le 2y", ["2"]),
        (r"x_1 \le y_{k-1}", []),
        (r"x^2", ["2"]),
        (r"\tfrac12 x", ["12"]),
        (r"$two x^{$p}", []),
        (r"X_{k_{2}-1,3} + x_{i_1}", []),
        (r"e^{-3.5t}", ["3.5"]),
        (r"\mathbf{1}\{x > y\} + \mathbf{2}", ["2"]),
        (r"\chi^2_n + \chi^2_{$m} + \chi^2", ["2"]),
    ]
    for text, numbers in cases:
        assert literal_numbers(text) == numbers


def test_a_literal_number_is_refused():
    with pytest.raises(ClaimError, match="must be slots"):
        sentence(r"x \le 2")


def test_a_slot_fills_one_place():
    with pytest.raises(ClaimError, match="slot two fills 2 places"):
        sentence(r"x^{$two} \le ${two} y", two=2)
    assert sentence(r"x^{$two} \le $factor y", two=2, factor=2).values() == {"two": 2, "factor": 2}


def test_a_slot_must_occur_and_be_exact():
    with pytest.raises(ClaimError, match="slot idle fills no place"):
        sentence(r"x \le y", idle=1)
    for value in (0.5, True, "two", None):
        with pytest.raises(ClaimError, match="exact number"):
            sentence(r"x \le $c", c=value)


def test_slots_are_printed_and_handed_on():
    one = sentence(r"x \le $c y^{$p} $word", c=Fraction(-1, 2), p=sympy.sqrt(2), word=Choice("z", 7))
    assert one.latex(LETTERS) == r"x \le {-\tfrac{1}{2}} y^{\sqrt{2}} {z}"
    assert one.values() == {"c": Fraction(-1, 2), "p": sympy.sqrt(2), "word": 7}
    assert one.changed(c=3).values()["c"] == 3


def test_places_are_names_in_braces_or_bare():
    assert names_in(r"${a}b $cd ${e_1}") == ["a", "cd", "e_1"]
    with pytest.raises(ClaimError, match="nothing is named"):
        fill("$a", {})


def test_a_value_keeps_apart_from_what_follows():
    for text, filled in {
        "x^{$p}": "x^{2}",
        "{$p x}": "{{2} x}",
        "{x $p}": "{x {2}}",
        "$p x": "{2} x",
    }.items():
        assert fill(text, {"p": "2"}) == filled


def test_a_one_is_left_out_as_a_factor_and_as_an_exponent():
    for text, filled in {
        r"y \le $c x": r"y \le x",
        r"= $c\,x": "= x",
        r"a + $c \, \tilde x": r"a + \tilde x",
        r"\le $c^t \max x": r"\le \max x",
        "(k^{$c})": "(k)",
        "e^{-$c $x}": "e^{-{x}}",
    }.items():
        assert fill(text, {"c": "1", "x": "x"}) == filled
        assert "1.01" in fill(text, {"c": "1.01", "x": "x"})


@each(
    "text",
    "$c - x", r"\ge $c", "k = $c, x", r"\frac{$c}{n}", r"\tfrac$c x", "(k-$c)", "x_{k+$c,l}",
    "m^{-$c}", "{$c}/n", r"\mathbf{$c}\{x\}", r"for $c \text{ of}", "n/$c x", "($c) x",
)  # fmt: skip
def test_another_one_stays(text):
    assert "1" in fill(text, {"c": "1"})


def test_relations_that_sympy_has_evaluated_are_refused():
    with pytest.raises(ClaimError, match="evaluate=False"):
        Formula(sympy.Le(0, x))
    assert Formula(le(0, x)).latex(LETTERS) == r"0 \leq x"
    with pytest.raises(ClaimError, match="a relation or a sentence"):
        Formula(x + 1)


def test_a_list_of_relations_prints_as_a_chain_in_its_order():
    one = stated({"chain": [le(0, x), lt(x, y), le(y, 1)], "two": [ge(y, 0), eq(x, 1)]}, [x, y])
    chain, two = (part.latex(LETTERS) for part in one.parts.values())
    assert chain == r"0 \leq x < y \le 1"
    assert two == r"y \geq 0, \quad x = 1"


def test_a_definition_prints_what_it_defines():
    f = sympy.Function("f")
    one = defining(f(x), eq(x**2, x * x + 0))
    assert one.latex(LETTERS).startswith(r"f{\left(x \right)} := x^{2}")


def test_parts_are_one_or_several_by_name():
    assert list(parts_of(le(x, 1))) == ["statement"]
    assert list(parts_of({"a": le(x, 1), "b": sentence(r"$x \to $c", c=0)})) == ["a", "b"]
    with pytest.raises(ClaimError, match="at least one part"):
        parts_of({})
