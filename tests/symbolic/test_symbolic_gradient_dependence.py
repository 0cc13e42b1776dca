"""The gradient dependence error of Proposition 17 and its bounds, exactly."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from sympy import Matrix, sqrt
from trying import each

from symbolic import gradient_dependence as gd
from symbolic.equality import equal
from symbolic.notation import DELTA, b

CORRELATIONS = fractions(Fraction(-24, 25), Fraction(24, 25), max_denominator=25)
ENTRIES = st.integers(-4, 4)


@given(st.lists(ENTRIES, min_size=9, max_size=9), st.lists(ENTRIES, min_size=6, max_size=6))
def test_error_is_bounded_linear_and_blind_to_scale(entries, coordinates):
    gram = Matrix(3, 3, entries)
    x1, x2 = Matrix(coordinates[:3]), Matrix(coordinates[3:])
    if x1.cross(x2).is_zero_matrix:
        return
    value = gd.error(gram, x1, x2, 1)
    assert equal(gd.error(gram, 3 * x1, x2 / 2, "1/4"), value / 4) is True
    assert equal(gd.error(gram.T, x2, x1, 1), value) is True
    cosine = x1.dot(x2) / sqrt(x1.dot(x1) * x2.dot(x2))
    norm = float(np.linalg.norm(np.array(entries, dtype=float).reshape(3, 3), 2))
    assert abs(float(value)) <= float(gd.bound_sharp(cosine, 1)) * norm * (1 + 1e-12)
    assert gd.error(sympy.eye(3), x1, x2, 1).is_zero


@given(CORRELATIONS, fractions(0, 1, max_denominator=10))
def test_bounds(correlation, share):
    printed, sharp = gd.bound_printed(correlation, share), gd.bound_sharp(correlation, share)
    assert equal(2 * sharp, printed * (1 + sympy.sympify(correlation))) is True
    with mpmath.workdps(20):
        cosine = mpmath.mpf(correlation.numerator) / correlation.denominator
        expected = 4 / mpmath.pi * mpmath.sin(mpmath.acos(cosine)) * share.numerator
        assert abs(mpmath.mpf(sympy.N(sharp, 20)) - expected / share.denominator) < 1e-18


@each(
    "function, arguments, message",
    (gd.bound_printed, (-1, 1), r"rho must lie in \(-1, 1\], got -1"),
    (gd.error, (sympy.eye(2), [[1], [2]], [[-2], [-4]], 1), "must not be parallel"),
    (gd.error, (sympy.eye(2), [[1], [2]], [[0], [0]], 1), "x2 must not be zero"),
)
def test_bad_arguments(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_ends_of_the_domain():
    assert gd.integral_w1(1, b) == gd.integral_w1w2(-1, b) == gd.bound_printed(1, DELTA) == 0
    assert gd.bound_sharp(-1, DELTA) == 0
