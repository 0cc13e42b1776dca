"""Inputs whose numbers would fill the memory, or whose simplification would not end.

What is asked is bounded in sizes, before the work: bits of a number, nodes of a text, functions
inside of one another.
"""

from fractions import Fraction
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.dual_activations import dual_activation
from numeric.softmax_jacobian import infinity_to_one_norm, jacobian_spectral_norm
from theorems.interface import sides
from theorems.interface.evaluate import MAX_BITS, EvaluationError, digits_of, evaluate
from theorems.interface.sides import point_of, sides_at

rho = sympy.Symbol("rho", real=True)
CLAIM = SimpleNamespace(id="t.one", domains={rho: sympy.Reals})


def value(written):
    """The value of a letter to which a text is given."""
    return point_of(CLAIM, f"rho={written}")[rho]


REFUSED = {
    "1e99999999": "rho: exponents go up to 5000, got 1e99999999",
    "1e-99999999": "rho: exponents go up to 5000, got 1e-99999999",
    "((10**1000)**1000)**10": r"rho: '\(10\*\*1000\)\*\*1000' has more than 65536 bits",
    "(sqrt(10**1000 + 7))**1000": "has more than 65536 bits",
    "*".join(["(10**1000)"] * 25): "has more than 65536 bits",
    "10**10**8": "exponents are rational, at most 1000, with denominators up to 1000000",
    "2**(1/10**7)": "exponents are rational, at most 1000, with denominators up to 1000000",
    "2**pi": "exponents are rational, at most 1000",
    "exp(exp(exp(exp(9))))": "no real number, or none whose size can be told",
    "exp(log(10**1000)*1000)**1000": "has more than 65536 bits",
    "sqrt(" * 100 + "2" + ")" * 100: "is made of more than 300 parts",
    "+".join(["sqrt(2)"] * 80): "is made of more than 300 parts",
    "1" * 5000: "is no number",
    "1" + "+1" * 6000: "values have at most 10000 characters",
    "1/0": "no real number",
    "sqrt(-1)": "no real number",
    "log(0)": "no real number",
    "1/(sqrt(8)-2*sqrt(2))": "no real number",
}


@each("written", *REFUSED)
def test_values_that_are_too_long_are_refused_by_name(written):
    with pytest.raises(ValueError, match=REFUSED[written]) as found:
        value(written)
    assert len(str(found.value)) < 300


ANSWERED = {
    "log(exp(1e4000)) / 1e4000": 1,
    "atan(tan(10**900)) * 0": 0,
    "asin(sin(pi/3)) * 3/pi": 1,
    "cos(pi/3)": sympy.Rational(1, 2),
    "((sqrt(5) - 1)/2)**2 + (sqrt(5) - 1)/2": 1,
    "1e5000 * 1e-5000": 1,
    "10**1000 / (10**1000)": 1,
    "-(-3)": 3,
    "+1/4 - .25": 0,
    "2**-1": sympy.Rational(1, 2),
    "log(" * 20 + "10**300" + ")" * 3 + "*0 + 2" + ")" * 17 + "*0": None,
    "sqrt(1/7 - " * 20 + "1" + ")" * 20 + "": None,
}


@each("written", *ANSWERED)
def test_values_have_the_size_that_they_should(written):
    if ANSWERED[written] is None:  # what SymPy would take for ever to see is no real number
        with pytest.raises(ValueError, match="no real number"):
            value(written)
        return
    ball = sides.enclose(value(written), {}, MAX_BITS)
    assert ball.overlaps(sides.enclose(sympy.sympify(ANSWERED[written]), {}, MAX_BITS))
    assert ball.rad() < 1e-200


def test_small_values_are_exact():
    assert value("cos(pi/3)") == sympy.Rational(1, 2)
    assert value("(sqrt(5) - 1)/2") == (sympy.sqrt(5) - 1) / 2
    assert value("0.3") == sympy.Rational(3, 10)


NUMBERS = st.sampled_from(["2", "0.5", "1e4000", "1e-4000", "10**1000", "1/7", "pi", "0", "-3"])
TEXTS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.builds("({}{}{})".format, inner, st.sampled_from(["+", "-", "*", "/"]), inner),
        st.builds("({})**({})".format, inner, st.sampled_from(["2", "1000", "1/3", "-2", "1e9"])),
        st.builds("{}({})".format, st.sampled_from(["sqrt", "exp", "log", "sin", "tan", "acos"]), inner),
    ),
    max_leaves=8,
)


@given(TEXTS)
def test_a_value_is_bounded_in_size_or_refused(written):
    try:
        found = value(written)
    except ValueError:
        return
    assert sides._bits(found) <= MAX_BITS
    assert sides.enclose(found, {}, MAX_BITS).is_finite()


@given(TEXTS, st.sampled_from([None, 5, 200]))
def test_expressions_are_bounded_too(written, digits):
    """Functions are others there; rational numbers and pi are the same."""
    try:
        found = evaluate(written, digits)
    except (EvaluationError, ValueError):
        return
    if isinstance(found, int | Fraction):
        assert max(map(int.bit_length, found.as_integer_ratio())) <= MAX_BITS


@each(
    "expression",
    "*".join(["10**1000"] * 25),
    "((10**1000)**4)**10",
    "10**10**8",
    "*".join(f"{k}**1000" for k in range(1001, 1010)),
)
def test_arithmetic_of_long_numbers_is_refused(expression):
    for digits in (None, 10):
        with pytest.raises(EvaluationError, match="has more than 65536 bits"):
            evaluate(expression, digits)


def test_precision_grows_to_a_bound(monkeypatch):
    """The value 0 is never certain: the largest precision is that of the balls of expressions."""
    asked = []

    def enclosed(side, point, bits):
        asked.append(bits)
        return sides.flint.arb(0, 1)

    monkeypatch.setattr(sides, "enclose", enclosed)
    sides._value(sympy.sin(1), {}, 10_000)
    assert max(asked) <= sides.MAX_BALL_BITS
    asked.clear()
    sides._value(sympy.sin(1), {}, 15)
    assert len(asked) == 8


def test_sides_need_digits_in_range():
    with pytest.raises(ValueError, match=r"digits must lie in \[1, 10000\], got 10001"):
        list(sides_at(CLAIM, {}, 10_001))


# Degrees, digits and lengths of functions.


@each("name", "monomial", "hermite", "rectified_monomial")
def test_degrees_up_to_a_thousand(name):
    with pytest.raises(ValueError, match=r"degree must be an integer in \[0, 1000\], got 5000"):
        dual_activation(name, 0.3, degree=5000)
    found = dual_activation(name, 1, degree=1000, digits=20)
    # E s^2000 = 1999!!, half of it on a half line; He_n has variance n!
    moment = mpmath.fac2(1999) / (2 if name == "rectified_monomial" else 1)
    wanted = mpmath.factorial(1000) if name == "hermite" else moment
    assert mpmath.nstr(found, 15) == mpmath.nstr(mpmath.mpf(wanted), 15)


def test_the_largest_eigenvalue_to_many_digits():
    """Newton's steps double the digits: some dozens of them, not one for each bit."""
    logits = [Fraction(k, 7) for k in range(10)]
    long, short = (jacobian_spectral_norm(logits, digits=count) for count in (10_000, 50))
    with mpmath.workdps(50):
        assert abs(long - short) <= mpmath.mpf(10) ** -49 * short
    with mpmath.workdps(10_000):
        odds = [mpmath.exp(mpmath.mpf(k) / 7) for k in range(10)]
        p = [one / mpmath.fsum(odds) for one in odds]
        # the secular equation; its slope there is at least 1/p_1 > 1
        assert abs(mpmath.fsum(x / (x - long) for x in p)) < mpmath.mpf(10) ** -9_990


def test_exact_sums_of_many_subsets_are_refused_with_many_digits():
    logits = [Fraction(k, 70) for k in range(36)]
    with pytest.raises(ValueError, match=r"logits must have fewer .*2\^18 sums of \d+ bits"):
        infinity_to_one_norm(logits, digits=1000)
    exact = infinity_to_one_norm(logits, digits=30)
    assert infinity_to_one_norm(np.arange(36) / 70) == pytest.approx(float(exact), rel=1e-14)


def test_arrays_of_too_many_digits_are_not_written():
    many = np.full((50, 50), mpmath.mpf(1) / 3, dtype=object)
    with pytest.raises(EvaluationError, match="2500 numbers of 10000 digits are more than 1000000"):
        digits_of(many, 10_000)
    assert digits_of(many, 4_000).startswith("[[0.3333")
