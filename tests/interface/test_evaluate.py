"""Expressions: exact literals, every digit right, and garbage refused at once."""

import importlib
import math
import pkgutil
import subprocess
import sys
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from trying import each

import numeric
from theorems.interface import evaluate as evaluator
from theorems.interface.evaluate import EvaluationError, digits_of, evaluate, namespace


def root(x, *, digits=None, sign=1):
    """A square root in the caller's arithmetic."""
    if digits is not None:
        assert isinstance(x, int | Fraction)
        with mpmath.workdps(digits + 5):
            return sign * mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator)
    return sign * (x.sqrt() if isinstance(x, flint.arb) else math.sqrt(x))


def minus_root(x, *, digits=None):
    """Its negative."""
    return root(x, digits=digits, sign=-1)


def coarse(x, *, digits=None):
    """A square root with the digits asked for and not one more."""
    exact = root(x, digits=digits)
    with mpmath.workdps(digits - 1):  # one more is kept to guard the last
        return +exact


def machine(x):
    """A function that knows floats only."""
    return float(x) if not isinstance(x, flint.arb) else 0.1


def kind(*values, named=None):
    """The types that arrive."""
    return [type(value).__name__ for value in (*values, named)]


def echo(x):
    """What arrives."""
    return x


@pytest.fixture
def stubs(monkeypatch):
    """Functions of known behaviour instead of the package's."""
    names = {one.__name__: one for one in (root, minus_root, coarse, machine, kind, echo)} | {"constant": 3}
    monkeypatch.setattr(evaluator, "namespace", lambda: names)


def text(expression, digits=None):
    return digits_of(evaluate(expression, digits), digits)


class TestFloats:
    @each(
        "expression, value",
        ("0.3", 0.3),
        ("1/3", 1 / 3),
        ("0.1 + 0.2", 0.3),
        ("2**0.5", math.sqrt(2)),
        ("-2", -2),
        ("+7", 7),
        ("2**-1", 0.5),
        ("2 ** 100", 2**100),
        ("6/3", 2),
        ("1_000.5", 1000.5),
        ("0x10", 16),
        ("pi", math.pi),
        ("2*pi", 2 * math.pi),
        ("  (1 + 2) * 3 ", 9),
        ("1e3", 1000),
        ("0e99999", 0),
    )
    def test_arithmetic(self, expression, value):
        found = evaluate(expression)
        assert (type(found), found) == (type(value), pytest.approx(value, rel=1e-15))

    def test_whole_numbers_count_and_others_measure(self, stubs):
        assert evaluate("kind(3, 3.0, 0.5, 6/2, pi, named=2)") == [
            *("int", "int", "float", "int", "float", "int")
        ]

    def test_lists_and_arrays(self, stubs):
        assert evaluate("echo([1, (0.5, -2)])") == [1, [0.5, -2]]
        array = evaluator._Evaluator("2*echo(1)", evaluator._FLOATS)
        assert array.text == "2*echo(1)"

    def test_arrays_take_part_in_arithmetic(self, monkeypatch):
        monkeypatch.setattr(evaluator, "namespace", lambda: {"grid": lambda: np.arange(3.0)})
        assert (evaluate("2*grid() + 1") == [1, 3, 5]).all()
        with pytest.raises(EvaluationError, match="no finite real number"):
            evaluate("1/grid()")


class TestDigits:
    @each(
        "expression, digits, value",
        ("0.3", 30, "0.3"),
        ("1/3", 20, "0.33333333333333333333"),
        ("2/3", 20, "0.66666666666666666667"),
        ("2 + 3", 5, "5.0"),
        ("1/3 - 1/3", 5, "0.0"),
        ("-1/8", 30, "-0.125"),
        ("0.1 + 0.2", 40, "0.3"),
        ("pi", 50, "3.1415926535897932384626433832795028841971693993751"),
        ("2**0.5", 40, "1.41421356237309504880168872420969807857"),
        ("pi - 355/113", 10, "-2.667641891e-7"),
        ("10**20 * (pi - 3.14159265358979323846)", 10, "0.2643383280"),
    )
    def test_each_is_right(self, expression, digits, value):
        assert mpmath.mpf(text(expression, digits)) == mpmath.mpf(value)

    def test_arrays_are_written_to_the_digits_and_no_further(self, monkeypatch):
        def thirds(digits=None):
            with mpmath.workdps(digits + 5):
                return np.array([[mpmath.mpf(1) / 3, 2], [0, mpmath.mpf(-5) / 3]])

        monkeypatch.setattr(evaluator, "namespace", lambda: {"thirds": thirds})
        assert text("thirds()", 4) == "[[0.3333, 2], [0, -1.667]]"

    def test_one_call_is_handed_its_arguments_exactly(self, stubs):
        assert text("root(2)", 30) == "1.41421356237309504880168872421"
        assert text("root(0.02)", 30) == "0.141421356237309504880168872421"
        assert text("root(x=2)", 20) == "1.4142135623730950488"
        assert text("minus_root(1/2 + 1.5)", 20) == "-1.4142135623730950488"

    def test_compound_expressions_are_evaluated_in_balls(self, stubs):
        assert text("root(2)*1", 30) == "1.41421356237309504880168872421"
        assert text("minus_root(2)*1", 30) == "-1.41421356237309504880168872421"
        assert text("root(root(2))", 40) == "1.189207115002721066717499970560475915293"
        assert text("root(2**0.5)", 40) == "1.189207115002721066717499970560475915293"
        assert text("root(pi)", 20) == "1.7724538509055160273"
        assert text("root(2)*root(0.5)", 30) == "1.0"

    def test_digits_lost_in_a_difference_are_computed(self, stubs):
        # At 12288 bits the function gives 3690 digits, and nothing is known of the difference.
        with mpmath.workdps(4000):
            near = mpmath.nstr(mpmath.sqrt(2), 3695)
            value = mpmath.sqrt(2) - mpmath.mpf(near)
            assert text(f"coarse(2) - {near}", 5) == mpmath.nstr(value, 5)

    def test_ten_thousand_digits(self, stubs):
        with mpmath.workdps(10_010):
            assert text("root(2)*1", 10_000) == mpmath.nstr(mpmath.sqrt(2), 10_000)

    @each("expression", "machine(2)", "machine(0.5)", "machine(0.5)*pi", "machine(2)*pi")
    def test_floats_never_pass_for_digits(self, stubs, expression):
        with pytest.raises(EvaluationError, match=r"machine.* has no digits"):
            evaluate(expression, 10)

    @each("expression", "[1, 2]", "echo(0.5)", "root(2) - root(2)", "pi/(pi-pi)")
    def test_what_has_no_digits(self, stubs, expression):
        if expression == "echo(0.5)":
            assert text(expression, 5) == "0.5"
        else:
            with pytest.raises(EvaluationError, match=r"so it has no digits|is not certain to"):
                evaluate(expression, 10)

    @given(
        st.fractions(max_denominator=10**6),
        st.integers(1, 10**6),
        st.sampled_from("+-*/"),
        st.integers(1, 60),
    )
    def test_rational_arithmetic_is_exact(self, first, second, sign, digits):
        expression = f"({first}) {sign} {second}"
        exact = {"+": first + second, "-": first - second, "*": first * second}
        value = exact.get(sign, first / second)
        found = Fraction(text(expression, digits))
        # Rounding to n digits errs by at most half a unit of the last of them.
        assert abs(found - value) <= abs(value) * Fraction(1, 2 * 10 ** (digits - 1))

    @given(st.integers(2, 10**9), st.integers(1, 50))
    def test_irrational_arithmetic_is_rounded_to_the_last_digit(self, number, digits):
        assume(math.isqrt(number) ** 2 != number)
        found = Fraction(text(f"{number}**0.5 * 1", digits))
        square = Fraction(number)
        slack = found * Fraction(1, 2 * 10 ** (digits - 1)) * Fraction(101, 100)
        assert (found - slack) ** 2 < square < (found + slack) ** 2


GARBAGE = {
    "nothing": "",
    "half an expression": "1 +",
    "a statement": "x = 1",
    "two statements": "1; 2",
    "an import": "import os",
    "attribute": "root.__globals__",
    "attribute of a number": "(1).real",
    "method": "echo(1).bit_length()",
    "builtin": "__import__('os')",
    "exec": "exec('1')",
    "dunder": "__name__",
    "lambda": "(lambda: 1)()",
    "lambda as argument": "echo(lambda: 1)",
    "comprehension": "[x for x in [1]]",
    "generator": "echo(x for x in [1])",
    "walrus": "(x := 1)",
    "condition": "1 if 1 else 2",
    "comparison": "1 < 2",
    "and": "1 and 2",
    "not": "not 1",
    "complement": "~1",
    "remainder": "7 % 4",
    "floor division": "7 // 2",
    "matrix product": "1 @ 2",
    "shift": "1 << 10**9",
    "subscript": "[1][0]",
    "set": "{1}",
    "dictionary": "{1: 2}",
    "f-string": "f'{1}'",
    "string": "'0.3'",
    "bytes": "b'1'",
    "repeated string": "'a' * 10**9",
    "repeated list": "[1] * 10**9",
    "true": "True",
    "none": "None",
    "ellipsis": "...",
    "imaginary": "1j",
    "await": "await 1",
    "star": "echo(*[1])",
    "double star": "echo(**{'x': 1})",
    "digits inside": "root(2, digits=5)",
    "unknown function": "rood(2)",
    "a value called": "constant(2)",
    "unknown name": "tau",
    "bare function": "root",
    "too few arguments": "root()",
    "too many arguments": "root(1, 2)",
    "unknown keyword": "root(y=1)",
    "the same argument twice": "root(1, x=1)",
    "a keyword twice": "root(x=1, x=2)",
    "division by zero": "1/0",
    "division by a float zero": "1/(0.5 - 0.5)",
    "power of zero": "0**-1",
    "tower": "9**9**9",
    "taller tower": "10**10**10",
    "tower upside down": "2**-(10**10)",
    "tower of floats": "1.5**10**9",
    "squares of squares": "((10**1000)**1000)**1000",
    "large exponent": "1e999999999",
    "small exponent": "1e-999999999",
    "root of a negative number": "(-8)**(1/3)",
    "overflow": "1e308 * 10.5",
    "beyond floats": "1e400 * 0.5",
    "long number": "9" * 5000,
    "deep": "(" * 3000 + "1" + ")" * 3000,
    "many signs": "-" * 8000 + "1",
    "long": "1" + "+1" * 10_000,
    "null": "\x00",
    "newline": "1\n+1",
}
# With digits, numbers beyond floats are numbers like any other.
BEYOND_FLOATS = {"overflow", "beyond floats"}


class TestGarbage:
    @each("digits", None, 10)
    @each("name", *GARBAGE)
    def test_it_is_refused_in_one_line(self, stubs, name, digits):
        if digits and name in BEYOND_FLOATS:
            assert mpmath.isfinite(evaluate(GARBAGE[name], digits))
            return
        with pytest.raises(EvaluationError) as found:
            evaluate(GARBAGE[name], digits)
        assert len(str(found.value)) < 500

    @each(
        "expression, complaint",
        ("1/0", "1/0 divides by zero"),
        ("2 + 0**-1", "0**-1 divides by zero"),
        ("most()", "most is 36, which is no function"),
        ("mos()", "no function is called mos"),
        ("1 + 'a'", "got 'a'"),
    )
    @each("digits", None, 10)
    def test_it_says_which_part(self, monkeypatch, expression, complaint, digits):
        monkeypatch.setattr(evaluator, "namespace", lambda: {"most": 36})
        with pytest.raises(EvaluationError) as found:
            evaluate(expression, digits)
        assert str(found.value).endswith(complaint)

    def test_a_name_may_be_an_argument(self, monkeypatch):
        monkeypatch.setattr(evaluator, "namespace", lambda: {"length": len})
        assert evaluate("length('relu') + 1") == 5

    def test_unknown_names_suggest_the_nearest(self, stubs):
        with pytest.raises(EvaluationError, match="no function is called rood; did you mean root"):
            evaluate("rood(2)")

    @each("digits", 0, -1, 10_001, 10**9)
    def test_digits_have_limits(self, digits):
        with pytest.raises(EvaluationError, match=r"digits must lie in \[1, 10000\], got"):
            evaluate("1", digits)

    @given(st.text("0123456789.+-*/()[],e pi_x='", max_size=25), st.sampled_from([None, 5]))
    def test_whatever_is_typed_is_a_value_or_an_error(self, expression, digits):
        try:
            value = evaluate(expression, digits)
        except EvaluationError:
            return
        assert not isinstance(value, str | bytes | bool)


class TestTheFunctionsOfThePackage:
    def test_namespace(self):
        names = namespace()
        assert callable(names["varrho"])
        assert not any(name.startswith("_") for name in names)

    def test_values(self):
        # At delta = 1: rho asin(rho) + sqrt(1 - rho^2), times 2/pi.
        with mpmath.workdps(60):
            rho = mpmath.mpf(3) / 10
            value = 2 / mpmath.pi * (mpmath.sqrt(1 - rho**2) + rho * mpmath.asin(rho))
            assert text("varrho(0.3, 1)", 45) == mpmath.nstr(value, 45)
            assert text("varrho(0.3, delta=1) - 0.3", 45) == mpmath.nstr(value - rho, 45)
            assert evaluate("varrho(0.3, 1)") == pytest.approx(float(value), rel=1e-15)
        assert text("varrho(1, 1)*pi", 30) == "3.14159265358979323846264338328"

    def test_their_complaints_pass_through(self):
        for digits in (None, 20):
            with pytest.raises(ValueError, match="rho must lie in"):
                evaluate("varrho(1.5, 1)", digits)

    def test_names_are_those_that_the_modules_list(self):
        names, listed = namespace(), {}
        for info in pkgutil.walk_packages(numeric.__path__, "numeric."):
            module = importlib.import_module(info.name)
            listed |= {one: getattr(module, one) for one in getattr(module, "__all__", ())}
        assert set(names) == set(listed)
        assert all(names[one] is thing for one, thing in listed.items())
        assert names.get("rood") is None

    def test_only_what_is_asked_for_is_imported(self):
        code = (
            "import sys; from theorems.interface.evaluate import evaluate;"
            "evaluate('varrho(0.3, 1)');"
            "print(*(name for name in sys.modules if name.startswith(('numeric.', 'scipy'))))"
        )
        command = [sys.executable, "-c", code]
        imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert "numeric.cosine_maps" in imported
        for slow in ("scipy", "numeric.networks", "numeric.statistics", "numeric.certify"):
            assert slow not in imported
