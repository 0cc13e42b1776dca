"""Duals as numbers: against the definition, the exact expressions, and themselves at 40 digits."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dual_activation_cases import CASES, mean, number, slopes
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

import symbolic.dual_activations as exact
from numeric.balls import ball
from numeric.dual_activations import dual_activation, dual_activation_derivative

ROUNDING = 2.0**-53
# The exponents in the density reach 84, and exp of a rounded exponent q is off by q roundings.
QUADRATURE = 128 * 2.0**-52

PAIRS = [(0.3, (1, 1)), (-0.9, (0.25, 2.25)), (0.875, (2.25, 0.25)), (0, (1, 3))]
ENDS = [(1, (1, 1)), (-1, (1, 1)), (1, (0.25, 2.25)), (-1, (2.25, 0.25))]
BOTH = each("order", 0, 1)
DUALS = (dual_activation, dual_activation_derivative)
EXACT = (exact.dual_activation, exact.dual_activation_derivative)


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=str)


def against_definition(case, order, rho, variances):
    f = (case.phi, case.prime)[order]
    value = DUALS[order](case.name, rho, variances=variances, **case.parameters)
    size = mean(lambda s: abs(f(s)), lambda s: abs(f(s)), rho, variances, case.breaks)
    difference = abs(value - mean(f, f, rho, variances, case.breaks))
    assert difference <= QUADRATURE * size, (rho, variances, value)


@by_name(CASES)
@each("rho, variances", *(PAIRS + ENDS))
def test_dual_is_the_mean_of_the_product(case, rho, variances):
    against_definition(case, 0, rho, variances)


@by_name(slopes(CASES))
@each("rho, variances", *(PAIRS + ENDS))
def test_derivative_dual_is_the_mean_of_the_derivatives(case, rho, variances):
    against_definition(case, 1, rho, variances)


@each("rho", -0.99999, -0.4, 0.9999999)
@by_name(CASES)
def test_a_function_has_the_dual_of_its_name(case, rho):
    variances = (0.5, 1.25)
    value = dual_activation(case.phi, rho, variances=variances, breaks=case.breaks)
    named = dual_activation(case.name, rho, variances=variances, **case.parameters)
    sizes = [dual_activation(case.name, 1, variances=(v, v), **case.parameters) for v in variances]
    # What `numeric.quadrature` states, of E|phi phi|, which these dominate.
    assert abs(value - named) <= 1e-12 * np.sqrt(sizes[0] * sizes[1])


def test_a_function_has_digits():
    value = dual_activation(lambda s: mpmath.sin(s) + s, "0.3", digits=25)
    with mpmath.workdps(35):
        rho = mpmath.mpf(3) / 10
        # E (sin u1 + u1)(sin u2 + u2), with E u1 sin u2 = rho e^(-1/2).
        wanted = (mpmath.sinh(rho) / mpmath.e) + 2 * rho * mpmath.exp(-mpmath.mpf(1) / 2) + rho
        assert abs(value - wanted) <= mpmath.mpf(10) ** -25 * 3


# The other road


@BOTH
@by_name(CASES)
@each(
    "rho, variances",
    (Fraction(2, 7), (1, 1)),
    (Fraction(-12, 13), (Fraction(1, 3), Fraction(9, 4))),
    (Fraction(1, 9), (2, 5)),
)
def test_both_roads_give_the_same_thirty_digits(case, order, rho, variances):
    value = DUALS[order](case.name, rho, variances=variances, digits=30, **case.parameters)
    expression = EXACT[order](case.name, rho, variances=variances, **case.parameters)
    with mpmath.workdps(40):
        wanted = number(expression)
        assert abs(value - wanted) <= mpmath.mpf(10) ** -29 * abs(wanted)


# Arithmetics


def correlations():
    near_end = st.floats(-15.5, 0).map(lambda e: 1 - 10**e)
    tiny = st.floats(-40, 0).map(lambda e: 10**e)
    size = st.one_of(st.floats(1e-3, 1), near_end, tiny, st.sampled_from([0.0, 1.0]))
    return st.builds(lambda r, s: r * s, size, st.sampled_from([-1, 1]))


def spreads(lowest=-8.0, highest=8.0):
    exponent = st.floats(lowest, highest)
    free = st.tuples(exponent, exponent)
    return st.one_of(free, exponent.map(lambda e: (e, e))).map(lambda p: (10 ** p[0], 10 ** p[1]))


def condition(evaluate, rho, variances):
    """How much the value moves relatively, per relative move of rho and of each variance."""
    step = mpmath.mpf(10) ** -18
    points = [(rho * (1 - step), variances)]
    for i in (0, 1):
        moved = list(variances)
        moved[i] = moved[i] * (1 + step)
        points.append((rho, tuple(moved)))
    value = evaluate(rho, variances)
    return sum(abs(evaluate(r, v) / value - 1) for r, v in points) / step


@BOTH
@by_name(CASES)
@given(rho=correlations(), variances=spreads())
def test_floats_are_as_accurate_as_their_arguments_allow(case, order, rho, variances):
    assert_accurate(case, order, rho, variances)


def assert_accurate(case, order, rho, variances):
    if case.name in {"exp", "sin", "cos", "gaussian"}:
        variances = tuple(min(v, 3.5) for v in variances)
    if order and case.prime is None and abs(rho) == 1:
        rho = 0.5 * rho

    def evaluate(r, v):
        return DUALS[order](case.name, r, variances=v, digits=40, **case.parameters)

    value = DUALS[order](case.name, rho, variances=variances, **case.parameters)
    with mpmath.workdps(60):
        wanted = evaluate(rho, variances)
        if wanted == 0:
            assert value == 0
            return
        error = abs(value - wanted) / abs(wanted)
        arguments = mpmath.mpf(rho), tuple(map(mpmath.mpf, variances))
        # At most 16 roundings lie on the way from an argument to the value, and each of them is no
        # worse than a rounding of the value or of an argument.
        if error > 16 * ROUNDING:
            assert error <= 16 * ROUNDING * (1 + condition(evaluate, *arguments))


@BOTH
@by_name(CASES)
def test_mpf_and_arrays_are_what_digits_and_floats_are(case, order):
    dual = DUALS[order]
    rho, variances = np.array([[0.25], [-0.5]]), (np.array([1.0, 0.5, 0.75]), 2.0)
    table = dual(case.name, rho, variances=variances, **case.parameters)
    assert table.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        entry = {"rho": rho[i, 0], "variances": (variances[0][j], 2.0)}
        assert table[i, j] == dual(case.name, **entry, **case.parameters)
    with mpmath.workdps(25):
        given_mpf = dual(case.name, mpmath.mpf("0.25"), variances=(1, 2), **case.parameters)
        digits = dual(case.name, 0.25, variances=(1, 2), digits=30, **case.parameters)
        assert abs(given_mpf - digits) <= mpmath.mpf(10) ** -25 * abs(digits)


@BOTH
@by_name(CASES)
@given(
    centre=fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=97),
    radius=st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 12)]),
    inside=fractions(-1, 1, max_denominator=53),
    variance=fractions(Fraction(1, 20), 3, max_denominator=50),
)
def test_balls_contain_the_values_at_their_points(case, order, centre, radius, inside, variance):
    dual = DUALS[order]
    spread = arb(ball(variance), ball(radius * variance))
    value = dual(case.name, arb(ball(centre), ball(radius)), variances=(spread, 1), **case.parameters)
    rho, moved = centre + radius * inside, variance * (1 - radius * inside)
    point = dual(case.name, rho, variances=(moved, 1), digits=30, **case.parameters)
    with mpmath.workdps(40):
        assert value.overlaps(arb(point, abs(point) * mpmath.mpf(10) ** -29))
    if radius == 0:
        assert value.rad() <= arb(2) ** -40 * (1 + abs(arb(point)))


@each("name", "relu", "abs", "clip", "rectified_monomial")
@each("centre", -0.75, 0.0, 0.5)
def test_balls_are_hardly_wider_than_the_image(name, centre):
    parameters = {"clip": {"bound": 1}, "rectified_monomial": {"degree": 2}}.get(name, {})
    radius = 2.0**-10
    value = dual_activation(name, arb(centre, radius), **parameters)
    ends = [dual_activation(name, centre + s * radius, digits=20, **parameters) for s in (-1, 1)]
    # For |s| the image of a ball around 0 is that of its ends joined with the minimum between.
    width = abs(ends[1] - ends[0]) / 2 + radius**2
    assert value.rad() <= arb(width) * 1.01


def test_a_ball_that_sticks_out_at_the_end_still_gives_a_finite_ball():
    for case in CASES:
        if case.prime is not None:
            value = dual_activation(case.name, arb(1, 0.125), **case.parameters)
            assert value.is_finite()
            assert value.overlaps(arb(dual_activation(case.name, 0.9375, **case.parameters)))


def test_gaussian_ball_is_not_finite_where_the_dual_may_not_be():
    assert not dual_activation("gaussian", arb(0.5), rate=arb(0.25, 0.25)).is_finite()


def test_working_precision_of_balls_is_that_of_flint():
    with ctx.workprec(200):
        assert dual_activation("gelu", arb(0.5)).rel_accuracy_bits() > 180


# The derivative


@by_name(CASES)
@each("rho", "-0.8", "0.1", "0.6")
def test_derivative_in_the_covariance_is_the_dual_of_the_derivative(case, rho):
    with mpmath.workdps(50):
        spread = mpmath.sqrt(mpmath.mpf(2) / 3)

        def dual(correlation):
            variances = (Fraction(1, 3), 2)
            return dual_activation(case.name, correlation, variances=variances, digits=45, **case.parameters)

        # The error of the central difference is h^2 times a third derivative of order 1e3 at most.
        h = mpmath.mpf(10) ** -12
        centre = mpmath.mpf(rho)
        difference = (dual(centre + h) - dual(centre - h)) / (2 * h * spread)
        value = dual_activation_derivative(
            case.name, centre, variances=(Fraction(1, 3), 2), digits=30, **case.parameters
        )
        assert abs(value - difference) <= mpmath.mpf(10) ** -20


@each("rho", -0.75, 0.0, 0.5)
def test_derivative_of_sign_is_the_limit_of_that_of_a_steepening_erf(rho):
    variances, steep = (0.5, 2.0), 1e7
    limit = dual_activation_derivative("erf", rho, variances=variances, scale=steep)
    value = dual_activation_derivative("sign", rho, variances=variances)
    # With k = scale the relative difference is (v1 + v2)/(4 k^2 v1 v2 (1 - rho^2)) to first order.
    assert abs(limit / value - 1) <= 2.5 / (steep**2 * (1 - rho**2)) + 8 * ROUNDING
    step = dual_activation_derivative("step", rho, variances=variances)
    assert abs(4 * step / value - 1) <= 4 * ROUNDING


# Ends of the domain


LARGE = [case for case in CASES if case.name not in {"exp", "sin", "cos", "monomial", "hermite"}]


@BOTH
@by_name([case for case in LARGE if case.parameters.get("degree", 0) < 2])
@each("variances", (1e-300, 1e-300), (1e300, 1e300), (1e-280, 1e290), (1e150, 1))
@each("rho", -0.5, 0.75)
def test_no_variance_is_too_large_or_too_small_for_floats(case, order, variances, rho):
    if case.name == "gaussian" and case.parameters["rate"] > 0:
        variances = (1e-300, 1e-300)
    value = DUALS[order](case.name, rho, variances=variances, **case.parameters)
    wanted = DUALS[order](case.name, rho, variances=variances, digits=20, **case.parameters)
    with mpmath.workdps(30):
        # As above; the condition is at most 2 here, as no value is near a zero. What is below the
        # smallest float is 0.
        assert abs(value - wanted) <= 3 * 16 * ROUNDING * abs(wanted) + mpmath.mpf(2) ** -1074


CONTINUOUS = [case for case in CASES if case.prime is not None]


@by_name(CONTINUOUS)
@each("variances", (0, 0), (0, 2.25), (2.25, 0))
def test_zero_variance_leaves_the_value_at_zero(case, variances):
    value = dual_activation(case.name, 0.5, variances=variances, **case.parameters)
    at_zero = float(case.phi(np.float64(0)))
    factors = [at_zero if v == 0 else univariate(case.phi, v, case.breaks) for v in variances]
    assert abs(value - factors[0] * factors[1]) <= QUADRATURE * max(1, abs(value))


@by_name([case for case in CONTINUOUS if 0 not in case.breaks])
@each("variances", (0, 0), (0, 2.25), (2.25, 0))
def test_zero_variance_leaves_the_slope_at_zero(case, variances):
    value = dual_activation_derivative(case.name, 0.5, variances=variances, **case.parameters)
    at_zero = float(case.prime(np.float64(0)))
    factors = [at_zero if v == 0 else univariate(case.prime, v, case.breaks) for v in variances]
    assert abs(value - factors[0] * factors[1]) <= QUADRATURE * max(1, abs(value))


def univariate(f, variance, breaks):
    return mean(f, np.ones_like, 1, (variance, variance), breaks)


@BOTH
@by_name(CASES)
def test_digits_at_zero_variance_and_at_parallel_inputs_are_those_of_floats(case, order):
    places = [(1, (0.5, 2)), (1, (2, 0.5)), (-1, (0.5, 0.5))] if case.prime is not None else []
    places += [(0.5, (0, 2)), (0.5, (0, 0))] if 0 not in case.breaks else []
    for rho, variances in places:
        value = DUALS[order](case.name, rho, variances=variances, **case.parameters)
        digits = DUALS[order](case.name, rho, variances=variances, digits=20, **case.parameters)
        # No condition here: at these points the floats take no difference.
        assert abs(value - digits) <= 32 * ROUNDING * abs(digits)


# Identities between activations


@given(rho=correlations(), variances=spreads(-8, 1))
def test_sines_and_cosines_add_up(rho, variances):
    wave = {"frequency": Fraction(5, 4), "phase": Fraction(1, 3), "digits": 30}
    with mpmath.workdps(40):
        total = dual_activation("sin", rho, variances=variances, **wave)
        total += dual_activation("cos", rho, variances=variances, **wave)
        v1, v2 = map(mpmath.mpf, variances)
        spread = v1 + v2 - 2 * rho * mpmath.sqrt(v1 * v2)
        wanted = mpmath.exp(-(mpmath.mpf(25) / 16) * spread / 2)
        assert abs(total - wanted) <= mpmath.mpf(10) ** -28


@given(rho=correlations(), degree=st.integers(0, 12))
def test_hermite_polynomials_are_orthogonal(rho, degree):
    digits = dual_activation("hermite", rho, degree=degree, digits=25)
    with mpmath.workdps(40):
        wanted = mpmath.factorial(degree) * mpmath.mpf(rho) ** degree
        assert abs(digits - wanted) <= mpmath.mpf(10) ** -24 * abs(wanted)


@given(degree=st.integers(2, 12), rho=correlations())
def test_rectified_powers_fold_to_powers(degree, rho):
    def rectified(correlation):
        return dual_activation("rectified_monomial", correlation, degree=degree, digits=25)

    power = dual_activation("monomial", rho, degree=degree, digits=25)
    with mpmath.workdps(40):
        folded = 2 * (rectified(rho) + (-1) ** degree * rectified(-mpmath.mpf(rho)))
        assert abs(folded - power) <= mpmath.mpf(10) ** -23 * mpmath.fac2(2 * degree - 1)


@each("degree", 30, 60)
@each("variances", (1, 1), (0.25, 3.0), (2.0, 4.0))
@each("name", "hermite", "monomial", "rectified_monomial")
def test_high_degrees_stay_accurate(name, variances, degree):
    grid = np.linspace(-1, 1, 41)
    values = dual_activation(name, grid, variances=variances, degree=degree)
    digits = dual_activation(name, grid, variances=variances, degree=degree, digits=20)
    # An oscillating polynomial is compared with its envelope; each of the `degree` steps of the
    # recurrence, or factors of the power, rounds a few times.
    size = np.abs(digits).max() if variances == (0.25, 3.0) else np.abs(digits)
    assert (np.abs(values - digits) <= 8 * degree * ROUNDING * size).all()
