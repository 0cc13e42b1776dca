"""Proposition 17 line by line, its sharp form, and the network that attains it."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from gaussian_quadrature import quadrant_quadrature
from hypothesis import given
from hypothesis import strategies as st
from sympy import Matrix, Rational, pi, sqrt

from symbolic import gradient_dependence as gd
from symbolic.cosine_maps import delta_phi, varrho_prime
from symbolic.equality import equal
from symbolic.extremal_network import (
    check_extremal_network,
    derive_extremal_error,
    extremal_network,
    kappa,
)
from symbolic.latex_width import width
from symbolic.notation import DELTA, DOMAIN, b, rho

CORRELATIONS = st.fractions(Fraction(-24, 25), Fraction(24, 25), max_denominator=25)
SLOPES = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any)
ENTRIES = st.integers(-4, 4)
TINY = Rational(1, 10**25)

LINES = {
    "sum over units": gd.derive_sum_over_units,
    "(5)": gd.derive_u_covariance,
    "(6)": gd.derive_v_covariance,
    "(7)": gd.derive_cross_covariance,
    "inverse of the covariance": gd.derive_u_precision,
    "inner mean": gd.derive_inner_mean,
    "trace": gd.derive_trace,
    "w": gd.derive_standardised,
    "conditional mean": gd.derive_conditional_mean,
    "product of means": gd.derive_mean_product,
    "regression": gd.derive_regression,
    "explained block": gd.derive_explained_block,
    "explained trace": lambda claimed=None: gd.derive_explained_trace(False, claimed),
    "explained trace, printed order": lambda claimed=None: gd.derive_explained_trace(True, claimed),
    "w form": gd.derive_w_form,
    "E w1^2": lambda claimed=None: gd.derive_w_moment("w1_squared", claimed),
    "E w2^2": lambda claimed=None: gd.derive_w_moment("w2_squared", claimed),
    "E w1 w2": lambda claimed=None: gd.derive_w_moment("w1_w2", claimed),
    "integral w1": lambda claimed=None: gd.derive_integral_w1("w1", "all", claimed),
    "integral w2": lambda claimed=None: gd.derive_integral_w1("w2", "all", claimed),
    "integral w1 w2": lambda claimed=None: gd.derive_integral_w1w2("all", claimed),
    "error": gd.derive_error,
    "regrouping": gd.derive_regrouping,
    "distance": gd.derive_distance,
    "printed bound": gd.derive_printed_bound,
    "sharp form": gd.derive_sharp_form,
    "matrix Q": gd.derive_q_matrix,
    "nuclear norm": gd.derive_nuclear_norm,
    "sharp bound": gd.derive_sharp_bound,
    "attainment": gd.derive_attainment,
    "ratio": gd.derive_ratio,
    "extremal network": derive_extremal_error,
}


@pytest.mark.parametrize("line", LINES)
def test_every_line_of_the_proof_holds_and_false_variants_are_rejected(line):
    truth = LINES[line]()
    assert [step.answer for step in truth.check()] == [True] * len(truth.steps)
    for wrong in (truth.conclusion * (1 - TINY), -truth.conclusion):
        assert LINES[line](wrong).check_step(-1).answer is False


@pytest.mark.parametrize("part", ["a_squared", "a_b", "b_squared"])
@pytest.mark.parametrize("which", ["w1", "w2", "w1_w2"])
def test_only_the_sign_part_contributes(which, part):
    if which == "w1_w2":
        chain, closed_form = gd.derive_integral_w1w2(part), gd.integral_w1w2(rho, b)
    else:
        chain, closed_form = gd.derive_integral_w1(which, part), gd.integral_w1(rho, b)
    assert chain.answer is True
    assert chain.conclusion == (closed_form if part == "b_squared" else 0)
    assert chain.claiming(chain.conclusion + TINY).check_step(-1).answer is False


@given(SLOPES, CORRELATIONS)
def test_integrals_against_quadrature(slopes, correlation):
    slope, kink = slopes
    root, c = np.sqrt(1 - float(correlation) ** 2), float(correlation)

    def integrands(x, y):
        w1, w2 = (x - c * y) / root, (y - c * x) / root
        slopes_product = (slope + kink * np.sign(x)) * (slope + kink * np.sign(y))
        return slopes_product * np.stack([w1**2 - 1, w2**2 - 1, w1 * w2 + c])

    square = gd.integral_w1(correlation, kink)
    exact = [float(value) for value in (square, square, gd.integral_w1w2(correlation, kink))]
    # Summands of mean absolute value at most 2 (|a| + |b|)^2 <= 72; 4 x 360^2 rounded terms.
    assert np.abs(quadrant_quadrature(integrands, c) - exact).max() < 72e-12


@given(SLOPES, st.lists(ENTRIES, min_size=4, max_size=4), st.integers(1, 4), st.integers(-3, 4))
def test_error_is_the_difference_of_its_definition(slopes, entries, first, second):
    """sigma^2 E phi'(u1) phi'(u2) <g, M g> - varrho'(rho) tr M in the plane, by quadrature."""
    slope, kink = slopes
    gram = Matrix(2, 2, entries)
    x1, x2 = Matrix([first, 1]), Matrix([second, -2])
    if first * -2 == second:
        x1 = Matrix([1, 0])
    unit = [np.array(x.T.tolist()[0], dtype=float) / float(sqrt(x.dot(x))) for x in (x1, x2)]
    solve = np.linalg.inv(np.array(unit))
    form = solve.T @ np.array(entries, dtype=float).reshape(2, 2) @ solve
    correlation = float(unit[0] @ unit[1])
    mean = quadrant_quadrature(
        lambda x, y: (
            (slope + kink * np.sign(x))
            * (slope + kink * np.sign(y))
            * (form[0, 0] * x * x + (form[0, 1] + form[1, 0]) * x * y + form[1, 1] * y * y)
        ),
        correlation,
    ) / (slope**2 + kink**2)
    delta = delta_phi(slope, kink)
    cosine = x1.dot(x2) / sqrt(x1.dot(x1) * x2.dot(x2))
    independent = float(varrho_prime(cosine, delta) * gram.trace())
    # Rounding relative to the size of the form, |M| |g|^2 with |g|^2 of mean 2.
    scale = 1 + np.abs(form).sum()
    assert abs(mean - independent - float(gd.error(gram, x1, x2, delta))) < 1e-11 * scale


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


@given(CORRELATIONS, st.fractions(0, 1, max_denominator=10))
def test_bounds(correlation, share):
    printed, sharp = gd.bound_printed(correlation, share), gd.bound_sharp(correlation, share)
    assert equal(2 * sharp, printed * (1 + sympy.sympify(correlation))) is True
    with mpmath.workdps(20):
        cosine = mpmath.mpf(correlation.numerator) / correlation.denominator
        expected = 4 / mpmath.pi * mpmath.sin(mpmath.acos(cosine)) * share.numerator
        assert abs(mpmath.mpf(sympy.N(sharp, 20)) - expected / share.denominator) < 1e-18


def test_the_printed_transpositions_are_rejected():
    for derive, printed in [
        (gd.derive_v_covariance, gd.printed_v_covariance()),
        (gd.derive_cross_covariance, gd.printed_cross_covariance()),
        (gd.derive_explained_block, gd.printed_explained_block()),
    ]:
        assert derive(printed).answer is False
        assert printed.shape == derive().conclusion.shape
    assert gd.derive_explained_block().conclusion == gd.printed_explained_block().T
    assert all(answer is True for _, answer in gd.check_printed_covariances_fail())
    assert all(answer is False for _, answer in gd.check_printed_covariances_fail(False))


@pytest.mark.parametrize("factor", [Rational(1, 2), Rational(99, 100)])
def test_smaller_constants_are_rejected(factor):
    for derive in (gd.derive_sharp_bound, gd.derive_printed_bound, gd.derive_attainment):
        assert derive(derive().conclusion * factor).answer is False


def test_a_larger_constant_still_bounds_but_is_not_attained():
    assert gd.derive_sharp_bound(2 * gd.derive_sharp_bound().conclusion).answer is True
    assert gd.derive_attainment(2 * gd.derive_attainment().conclusion).answer is False


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (gd.integral_w1, (2, 1), r"rho must lie in \[-1, 1\], got 2"),
        (gd.integral_w1w2, ("-1.5", 1), r"rho must lie in \[-1, 1\], got -1.5"),
        (gd.bound_printed, (-1, 1), r"rho must lie in \(-1, 1\], got -1"),
        (gd.bound_printed, (0, 2), r"delta must lie in \[0, 1\], got 2"),
        (gd.bound_sharp, (2, 1), r"rho must lie in \[-1, 1\], got 2"),
        (gd.bound_sharp, (0, -1), r"delta must lie in \[0, 1\], got -1"),
        (gd.error, ([[1, 2]], [[1]], [[1]], 1), "gram must be square"),
        (gd.error, ([[1]], [[1], [0]], [[1]], 1), r"x1 must have shape \(1, 1\)"),
        (gd.error, (sympy.eye(2), [[1], [2]], [[-2], [-4]], 1), "must not be parallel"),
        (gd.error, (sympy.eye(2), [[1], [2]], [[0], [0]], 1), "x2 must not be zero"),
        (gd.error, (sympy.eye(2), [[1], [2]], [[1], [0]], 2), r"delta must lie in \[0, 1\]"),
        (gd.derive_w_moment, ("w3",), "moment must be one of"),
        (gd.derive_integral_w1, ("w3",), "which must be"),
        (gd.derive_integral_w1w2, ("c",), "part must be one of"),
        (extremal_network, (1,), r"ratio must lie in \(0, 1\), got 1"),
    ],
)
def test_bad_arguments(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_ends_of_the_domain():
    assert gd.integral_w1(1, b) == gd.integral_w1w2(-1, b) == gd.bound_printed(1, DELTA) == 0
    assert gd.bound_sharp(-1, DELTA) == 0


def test_the_network_with_ratio_one_half():
    """The forward and backward pass in floats, by another route than the exact one."""
    network = extremal_network(Rational(1, 2))
    layers = [np.array(layer.tolist(), dtype=float) for layer in network.layers]
    third, maps = [], []
    for x in network.inputs:
        first = layers[0] @ np.array(x.T.tolist()[0], dtype=float)
        second = layers[1] @ np.abs(first) / np.sqrt(3)
        maps.append(np.diag(np.sign(second)) @ layers[1] @ np.diag(np.sign(first)) / np.sqrt(2 * 3))
        third.append(np.abs(second) / np.sqrt(2))
    # Ten rounded operations on numbers of size one.
    close = {"rtol": 0, "atol": 1e-14}
    assert np.allclose(third[0] / third[0][0], [1, 0.5], **close)
    assert np.allclose(third[1] / third[1][1], [0.5, 1], **close)
    assert np.allclose(maps[0] @ maps[1].T, np.array([[0, 1], [1, 0]]) / 6, **close)
    for index in (1, 2):
        exact = np.array(network.backpropagation(index).tolist(), dtype=float)
        assert np.allclose(exact, maps[index - 1], **close)
        assert np.allclose(maps[index - 1] @ maps[index - 1].T, np.eye(2) / 6, **close)


@pytest.mark.parametrize("ratio", [kappa, Rational(1, 2), Rational(1, 100), Rational(99, 100)])
def test_the_network_attains_the_sharp_bound(ratio):
    obligations = dict(check_extremal_network(ratio))
    assert set(obligations.values()) == {True}
    for wrong in (Rational(99, 100), Rational(101, 100), -1):
        disputed = dict(check_extremal_network(ratio, wrong * 4 / pi))
        assert disputed["the error is the bound with |B_1| |B_2|"] is False


def test_every_positive_cosine_occurs():
    cosine = extremal_network(kappa).rho
    assert cosine.subs(kappa, 0) == 0
    assert cosine.subs(kappa, 1) == 1
    inside = {kappa: sympy.Interval.open(0, 1)}
    slope = sympy.factor(sympy.diff(cosine, kappa))
    assert equal(slope, 2 * (1 - kappa**2) / (1 + kappa**2) ** 2, inside) is True
    assert DOMAIN[rho].contains(cosine.subs(kappa, Rational(1, 3)))


def test_the_square_under_the_nuclear_norm_is_checked():
    chain = gd.bounds.derive_nuclear_norm()
    root = chain.steps[0].expression
    for factor in (2, rho, -1):
        wrong = sympy.Trace(sympy.MatPow(factor * root.arg.base, root.arg.exp))
        assert chain.steps[0].check(chain.start, wrong).answer is False
    cube_root = sympy.Trace(sympy.MatPow(root.arg.base, sympy.Rational(1, 3)))
    assert chain.steps[0].check(chain.start, cube_root).answer is False
    skew = sympy.ImmutableMatrix([[0, 1], [-1, 0]])
    start = sympy.Trace(sympy.MatPow(sympy.MatPow(skew, 2), sympy.S.Half))
    square = sympy.Trace(sympy.MatPow(skew**2, sympy.S.Half))
    assert chain.steps[0].check(start, square).answer is False


@pytest.mark.parametrize("name", LINES)
def test_derivations_are_set_within_a_page(name):
    """Letter paper with margins of 25 mm, of which TeX may scale what is a little wider."""
    assert width(LINES[name]().latex()) <= 472 / 0.75
