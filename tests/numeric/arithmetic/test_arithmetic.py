"""The dispatch of closed forms on the caller's arithmetic, and the checks of arguments."""

import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.arguments import NONNEGATIVE, REAL, open_interval
from numeric.arithmetic import bits_of_digits, closed_form, in_blocks, proved
from numeric.balls import ball


@closed_form(balls=lambda x, y: x.sqrt() * y, x=NONNEGATIVE, y=REAL)
def product_with_root(x, y=1):
    """sqrt(x) y."""
    return np.sqrt(x) * y


@closed_form(balls=lambda x: 1 / (1 - x), x=open_interval(-1, 1))
def geometric(x):
    """1/(1 - x)."""
    return 1 / (1 - x)


class TestArguments:
    @each(
        "value, error, message",
        (-2, ValueError, "x must lie in [0, infinity), got -2"),
        (math.nan, ValueError, "x must lie in [0, infinity), got nan"),
        (math.inf, ValueError, "x must lie in [0, infinity), got inf"),
        (Fraction(-1, 10**400), ValueError, "x must lie in [0, infinity), got -1/1000"),
        (10**400, ValueError, "which as a float is inf"),
        (True, TypeError, "x must be a real number in [0, infinity), got True"),
        (np.True_, TypeError, "x must be a real number in [0, infinity), got True"),
        ("0.3", TypeError, "x must be a real number in [0, infinity), got '0.3'"),
        (1j, TypeError, "x must be a real number in [0, infinity), got 1j"),
        (None, TypeError, "x must be a real number in [0, infinity), got None"),
        ([1, math.nan], ValueError, "got nan at index (1,)"),
        ([[0, 1], [2, -3]], ValueError, "got -3.0 at index (1, 1)"),
        ([[0, 1], [2]], ValueError, "x must be a rectangular array"),
        ([True, False], TypeError, "x must be a real number"),
        ([1j], TypeError, "x must be a real number"),
        (["0.3"], TypeError, "x must be a real number"),
        ([Fraction(1, 2), True], TypeError, "x must be a real number"),
        ([mpmath.mpf(1), None], TypeError, "x must be a real number"),
    )
    def test_rejected_values_are_named(self, value, error, message):
        with pytest.raises(error) as caught:
            product_with_root(value)
        assert message in str(caught.value)

    def test_an_integer_too_long_to_print_is_still_named(self):
        with pytest.raises(ValueError, match=r"x must lie in .*, got a number too long to print"):
            product_with_root(-(10**5000))

    @each(
        "value, error",
        ("abc", ValueError),
        ("nan", ValueError),
        ("1/2", ValueError),
        ("1e123456", ValueError),
        ("-0.1", ValueError),
        (math.nan, ValueError),
        (math.inf, ValueError),
        (mpmath.mpf("nan"), ValueError),
        (mpmath.mpf("-1"), ValueError),
        (True, TypeError),
        (1j, TypeError),
        (arb(1), TypeError),
    )
    def test_rejected_exact_values(self, value, error):
        with pytest.raises(error, match="x must"):
            product_with_root(value, digits=10)

    @each("digits", 0, -3, 100_001, 10**400)
    def test_digits_must_be_positive_and_not_absurd(self, digits):
        with pytest.raises(ValueError, match=r"digits must be an integer in \[1, 100000\], got "):
            product_with_root(1, digits=digits)

    @each("digits", True, 2.0, "3")
    def test_digits_must_be_an_integer(self, digits):
        with pytest.raises(TypeError, match=r"digits must be an integer in \[1, 100000\], got "):
            product_with_root(1, digits=digits)

    def test_fraction_that_rounds_to_an_open_end_is_refused_as_a_float_only(self):
        close = 1 - Fraction(1, 10**30)
        with pytest.raises(ValueError, match=r"which as a float is 1\.0"):
            geometric(close)
        with mpmath.workdps(30):
            assert mpmath.almosteq(geometric(close, digits=30), mpmath.mpf(10) ** 30)


class TestFloats:
    def test_scalars_give_floats(self):
        for value in (4, 4.0, Fraction(4), np.float64(4), np.int8(4), sympy.Integer(4)):
            result = product_with_root(value)
            assert type(result) is float
            assert result == 2

    def test_keyword_arguments_and_signature(self):
        assert product_with_root(y=3, x=4) == 6
        with pytest.raises(TypeError, match="missing a required argument"):
            product_with_root(y=3)
        assert product_with_root.__doc__ == "sqrt(x) y."

    def test_arrays_broadcast(self):
        result = product_with_root([[1], [4]], np.array([1, 10, 100], dtype=np.int32))
        assert result.tolist() == [[1, 10, 100], [2, 20, 200]]
        assert result.dtype == np.float64
        assert product_with_root(np.array(4.0)).shape == ()
        assert product_with_root([Fraction(1, 4), 1]).tolist() == [0.5, 1]
        assert product_with_root(np.zeros((2, 0))).shape == (2, 0)
        assert product_with_root([]).shape == (0,)

    @each("size", 4095, 4096, 4097, 12289)
    def test_blocks_cover_arrays_of_any_layout(self, size):
        base = np.random.default_rng(0).random((2, size))
        for x in (base, base.T, base[:, ::-1], base[:, ::3]):
            before = x.copy()
            assert np.array_equal(product_with_root(x, x), np.sqrt(x) * x)
            assert np.array_equal(x, before)

    def test_blocks_are_flat_and_bounded(self):
        seen = []

        def record(x):
            seen.append(x.shape)
            return x

        in_blocks(record, [np.ones((100, 100))])
        assert sum(size for (size,) in seen) == 10_000
        assert max(seen) <= (4096,)

    def test_overflow_is_an_error(self):
        with pytest.raises(OverflowError, match="product_with_root is too large for a float"):
            product_with_root([1, 1e300], 1e200)
        value = product_with_root(1e300, 1e200, digits=20)
        assert mpmath.almosteq(value, mpmath.mpf(1e150) * mpmath.mpf(1e200), 1e-15)


class TestDigits:
    @given(x=st.fractions(min_value=0, max_value=10**6, max_denominator=10**9), digits=st.integers(1, 120))
    def test_digits_are_correct(self, x, digits):
        value = product_with_root(x, digits=digits)
        with mpmath.workdps(digits + 30):
            truth = mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator)
            assert abs(value - truth) <= truth / mpmath.mpf(10) ** (digits + 1)

    def test_strings_are_exact_and_floats_binary(self):
        # 0.3 and its nearest float differ by 1.1e-17, so 20 digits tell their roots apart.
        with mpmath.workdps(20):
            assert mpmath.almosteq(product_with_root("0.3", digits=20), mpmath.sqrt("0.3"))
            assert mpmath.almosteq(product_with_root(0.3, digits=20), mpmath.sqrt(0.3))
            assert not mpmath.almosteq(mpmath.sqrt("0.3"), mpmath.sqrt(0.3))

    def test_types_and_arrays(self):
        values = product_with_root(["4", Fraction(9)], [[1], [2]], digits=25)
        assert values.shape == (2, 2)
        assert values.dtype == object
        assert values.tolist() == [[2, 3], [4, 6]]
        assert all(isinstance(value, mpmath.mpf) for value in values.flat)

    def test_exact_zero_terminates(self):
        assert product_with_root(0, digits=50) == 0
        assert proved(lambda: arb(2).sqrt() ** 2 - 2, 100) == 0

    @each("decimals", 20, 300, 2400)
    def test_deep_cancellation_is_resolved(self, decimals):
        tiny = Fraction(1, 10**decimals)
        value = proved(lambda: ball(1 + tiny).sqrt() - 1, 100)
        with mpmath.workdps(40):
            assert mpmath.almosteq(value * mpmath.mpf(10) ** decimals, mpmath.mpf(0.5), 1e-19)

    @each("digits", 1, 50, 1000)
    def test_one_evaluation_is_enough(self, digits):
        seen = []

        def evaluate():
            seen.append(flint.ctx.prec)
            return arb(2).sqrt()

        bits = bits_of_digits(digits)
        proved(evaluate, bits)
        assert len(seen) == 1
        assert bits <= seen[0] <= bits + 32

    def test_bits_that_cancelled_are_asked_for_once(self):
        seen = []
        tiny = Fraction(1, 2**300)

        def evaluate():
            seen.append(flint.ctx.prec)
            return ball(1 + tiny).sqrt() - ball(1 - tiny).sqrt()

        # At 132 bits nothing is known; at 264 neither; at 528 some 228 bits are.
        proved(evaluate, 100)
        assert seen == [132, 264, 528]
        seen.clear()
        proved(evaluate, 400)
        # At 432 bits some 132 are known, 268 are missing.
        assert len(seen) == 2
        assert 660 < seen[1] < 760

    def test_decimals_of_any_length(self):
        long = "0." + "3" * 6000
        third, shorter = (product_with_root(1, y, digits=6500) for y in (Fraction(1, 3), long))
        with mpmath.workdps(6500):
            assert mpmath.almosteq(3 * (third - shorter) * mpmath.mpf(10) ** 6000, 1, 1e-100)

    def test_nothing_proved_is_an_error(self):
        with pytest.raises(ArithmeticError, match="prove no digits"):
            proved(lambda: arb(-1).sqrt(), 50)

    def test_mpf_follows_the_working_precision(self):
        for precision in (30, 53, 200):
            with mpmath.workprec(precision):
                value = product_with_root(mpmath.mpf(2))
                assert value == mpmath.sqrt(2)
        assert product_with_root(2, mpmath.mpf(1)) == mpmath.sqrt(2)
        with pytest.raises(TypeError, match="y must be a real number"):
            product_with_root(mpmath.mpf(2), [1, 2])

    def test_precision_is_restored(self):
        flint.ctx.prec, mpmath.mp.prec = 77, 91
        product_with_root("0.3", digits=100)
        for bad in (lambda: product_with_root("x", digits=5), lambda: proved(arb.nan, 9)):
            with pytest.raises((ValueError, ArithmeticError)):
                bad()
        assert (flint.ctx.prec, mpmath.mp.prec) == (77, 91)


class TestBalls:
    def test_result_contains_the_value(self):
        result = product_with_root(arb(2, 0.5), Fraction(1, 3))
        for x in (1.5, 2, 2.5):
            assert arb(product_with_root(x, Fraction(1, 3), digits=20)) in result

    def test_ball_is_cut_to_the_domain(self):
        result = geometric(arb(-1, 0.5))
        assert all(x in result for x in (arb(0.5), 1 / arb(1.5)))
        # The image of (-1, -1/2] is (1/2, 2/3]: a ball not cut would reach down to 2/5.
        assert result > 0.49

    @each("value", arb(2), arb(-1.5, 0.25), arb(1), arb(-1), arb.nan())
    def test_ball_outside_is_refused(self, value):
        with pytest.raises(ValueError, match=r"x must overlap \(-1, 1\), got "):
            geometric(value)

    def test_ball_inside_is_taken_as_it_is(self):
        value = arb(0.25, 0.125)
        result, direct = geometric(value), 1 / (1 - value)
        assert (result.mid(), result.rad()) == (direct.mid(), direct.rad())

    def test_closed_end_belongs(self):
        assert product_with_root(arb(0)) == 0
        with pytest.raises(ValueError, match="x must overlap"):
            product_with_root(arb(-1, 0.5))

    def test_unbounded_image_is_the_whole_line(self):
        result = geometric(arb(1, 0.5))
        assert not result.is_nan()
        assert arb(10) ** 100 in result

    def test_mixed_with_exact_numbers(self):
        assert product_with_root(arb(4), mpmath.mpf(0.1)) == arb(2) * arb(0.1)
        with pytest.raises(ValueError, match="y must lie in"):
            product_with_root(arb(4), math.inf)
