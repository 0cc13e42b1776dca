"""Gaussian expectations in float64 and to many digits, against moments and closed forms."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from ratios import fractions
from trying import each

from numeric.quadrature import bivariate_expectation, dual_by_quadrature, expectation
from numeric.quadrature.polar import sector_ends
from numeric.quadrature.radial import Ray, converged_rule

DIGITS = 15
# Of what takes long, and where one example is like another.
FEWER = settings(max_examples=settings().max_examples * 2 // 5)


def close(value, truth, digits=DIGITS, scale=None):
    """Within 10^-digits of the size of the integrand, which is what the docstrings promise."""
    with mp.workdps(digits + 10):
        size = abs(truth) if scale is None else scale
        return abs(value - truth) <= mpf(10) ** -digits * size


def exact(text):
    value = Fraction(text)
    return mpf(value.numerator) / value.denominator


def clip(s):
    return max(-1, min(s, 1))


# One variable.


@each("variance", 1, "0.25", 9)
@each("power", 0, 1, 2, 3, 4, 10)
def test_moments(power, variance):
    moment = 0 if power % 2 else mp.fac2(power - 1) * exact(variance) ** (power // 2)
    size = mp.fac2(power) * mpf(9) ** power
    value = expectation(lambda u: u**power, variance=variance)
    assert close(value, moment, scale=size if power % 2 else None)


def test_known_means():
    assert close(expectation(abs, breaks=[0]), mp.sqrt(2 / mp.pi))
    with mp.workdps(60):
        root = mp.sqrt(2 / mp.pi)
    assert close(expectation(abs, breaks=[0], digits=50), root, digits=50)
    assert not close(expectation(abs, breaks=[0], digits=20), root, digits=40)
    assert close(expectation(lambda u: mp.exp(5 * u)), mp.exp(mpf(25) / 2))
    assert close(expectation(mp.cos, variance=2), mp.exp(-1))


@FEWER
@given(fractions(-4, 4, max_denominator=16), fractions(Fraction(1, 4), 4, max_denominator=8))
def test_tail_probabilities(b, variance):
    """P(u > b) and E (u - b) 1(u > b), a jump and a kink anywhere."""
    deviation, level = mp.sqrt(exact(variance)), exact(b)
    x = level / deviation
    tail = mp.erfc(x / mp.sqrt(2)) / 2
    given_ = {"variance": variance, "breaks": [b], "digits": 8}
    assert close(expectation(lambda u: u > level, **given_), tail, digits=8)
    overshoot = deviation * mp.npdf(x) - level * tail
    kink = expectation(lambda u: max(u - level, 0), **given_)
    size = deviation * mp.npdf(x) + abs(level) * tail  # of the terms that cancel
    assert close(kink, overshoot, digits=8, scale=size)


def test_no_variance():
    assert expectation(mp.cos, variance=0) == 1
    assert expectation(lambda u: u > 0, variance=0, breaks=[0]) == 0


def test_digits_do_not_depend_on_the_context():
    with mp.workdps(50):
        value = expectation(mp.cos, digits=40)
    assert value == expectation(mp.cos, digits=40)
    assert mp.dps == 15


@each(
    "f",
    lambda u: abs(u - mpf(1) / 3),
    lambda u: u > mpf(1) / 3,
    lambda u: mp.exp(u * u),
    lambda u: mp.exp(u * u / 2),
    lambda u: mp.nan,
)
def test_what_does_not_settle(f):
    with pytest.raises(ArithmeticError, match="did not settle"):
        expectation(f, digits=10)


def test_infinite_values():
    with pytest.raises(ArithmeticError, match="must be finite"):
        expectation(lambda u: mp.inf, variance=0)


# Two variables, by the Gamma function of the radius or not.

RHOS = ["0", "0.5", "-0.96", "1", "-1"]


@each("rho", *RHOS)
def test_homogeneous_functions(rho):
    with mp.workdps(30):
        r = exact(rho)
        root, angle = mp.sqrt(1 - r * r), mp.asin(r)
    kinks = ([0], [0])
    absolute = bivariate_expectation(lambda x, y: abs(x * y), rho, breaks=kinks, degree=2)
    assert close(absolute, 2 / mp.pi * (root + r * angle))
    signs = bivariate_expectation(lambda x, y: mp.sign(x) * mp.sign(y), rho, breaks=kinks, degree=0)
    assert close(signs, 2 / mp.pi * angle, scale=1)
    product = bivariate_expectation(lambda x, y: x * y, rho, variances=(4, 9), degree=2)
    assert close(product, 6 * r, scale=6)
    roots = bivariate_expectation(
        lambda x, y: mp.sqrt(abs(x)), rho, breaks=kinks, degree=Fraction(1, 2), digits=12
    )
    moment = mpf(2) ** mpf("0.25") * mp.gamma(mpf("0.75")) / mp.sqrt(mp.pi)
    assert close(roots, moment, digits=12)


def test_homogeneous_of_negative_degree():
    """E 1/r = sqrt(pi / 2)."""
    value = bivariate_expectation(lambda x, y: 1 / mp.hypot(x, y), 0, degree=-1)
    assert close(value, mp.sqrt(mp.pi / 2))


@each("rho", "0.5", "-0.96", "-1")
def test_smooth_functions(rho):
    r = exact(rho)
    value = bivariate_expectation(lambda x, y: mp.cos(x) * mp.cos(2 * y), rho, variances=(2, 1), digits=8)
    assert close(value, mp.exp(-3) * mp.cosh(2 * mp.sqrt(2) * r), digits=8, scale=1)


def test_kinks_off_the_origin():
    """At rho = -1 one variable is left."""
    breaks = ([-1, 1], [-1, 1])
    line = expectation(lambda u: clip(u) ** 2, breaks=[-1, 1])
    found = bivariate_expectation(lambda x, y: clip(x) * clip(y), -1, breaks=breaks, digits=6)
    assert close(found, -line, digits=6)


def test_a_pair_need_not_be_a_product():
    """E max(u1, u2) = sqrt((1 - rho) / pi) has its kink on the diagonal: no break names it."""
    with pytest.raises(ArithmeticError, match="did not settle"):
        bivariate_expectation(max, "0.5", digits=5)


def test_variances_of_the_pair():
    value = bivariate_expectation(lambda x, y: x * x + 100 * y * y, "0.3", variances=("0.5", 3))
    assert close(value, mpf("300.5"))
    assert close(bivariate_expectation(lambda x, y: x + 7 + y * y, 1, variances=(0, 3)), 10)
    assert bivariate_expectation(lambda x, y: x + 7, 1, variances=(0, 0)) == 7
    jump = bivariate_expectation(lambda x, y: (x >= 0) * (y > 0), 0, variances=(0, 3), breaks=([0], [0]))
    assert close(jump, mpf("0.5"))


# Float64.

coefficients = st.lists(st.integers(-3, 3), min_size=1, max_size=5)
cosines = st.floats(-1, 1)


def pair_moment(i, j, rho):
    """E u1^i u2^j by Stein's identity E u1 g = E dg/du1 + rho E dg/du2, in exact arithmetic."""
    if i == 0:
        return pair_moment(j, 0, rho) if j else Fraction(1)
    shorter = (i - 1) * pair_moment(i - 2, j, rho) if i > 1 else 0
    return shorter + (rho * j * pair_moment(i - 1, j - 1, rho) if j else 0)


def polynomial_dual(p, rho, s1, s2):
    return sum(
        a * b * s1**i * s2**j * pair_moment(i, j, rho) for i, a in enumerate(p) for j, b in enumerate(p)
    )


@given(coefficients, cosines, st.sampled_from([0, 0.5, 1, 2]), st.sampled_from([0, 1, 1.5]))
def test_polynomials(p, rho, s1, s2):
    value = dual_by_quadrature(
        lambda u: np.polynomial.polynomial.polyval(u, p), rho, variances=(s1 * s1, s2 * s2)
    )
    exact = polynomial_dual(p, Fraction(rho), Fraction(s1), Fraction(s2))
    absolute = [abs(a) for a in p]
    size = polynomial_dual(absolute, Fraction(1), Fraction(max(s1, 1)), Fraction(max(s2, 1)))
    # E|p p| is at most the size; 1e-12 of it is promised.
    assert abs(value - float(exact)) <= 1e-12 * float(size)


ARRAY = np.array([[-1, -0.999, -0.3], [0.0, 0.75, 1]])


def test_arrays_of_correlations():
    root = np.sqrt(1 - ARRAY**2)
    relu_dual = (root + ARRAY * (np.pi / 2 + np.arcsin(ARRAY))) / (2 * np.pi)
    values = dual_by_quadrature(lambda u: np.maximum(u, 0), ARRAY, breaks=[0])
    np.testing.assert_allclose(values, relu_dual, rtol=0, atol=5e-13)
    signs = dual_by_quadrature(np.sign, ARRAY, breaks=[0])
    np.testing.assert_allclose(signs, 2 / np.pi * np.arcsin(ARRAY), rtol=0, atol=1e-12)
    cosine = dual_by_quadrature(np.cos, ARRAY)
    np.testing.assert_allclose(cosine, np.exp(-1) * np.cosh(ARRAY), rtol=0, atol=1e-12)
    steep = dual_by_quadrature(lambda u: np.exp(3 * u), ARRAY)
    np.testing.assert_allclose(steep, np.exp(9 * (1 + ARRAY)), rtol=1e-12)


def test_variances_broadcast():
    v1 = np.array([[0.0], [0.25], [4.0]])
    rho = np.array([-1, 0.5, 1])
    values = dual_by_quadrature(np.sin, rho, variances=(v1, 2))
    exact = np.exp(-(v1 + 2) / 2) * np.sinh(rho * np.sqrt(2 * v1))
    np.testing.assert_allclose(values, exact, rtol=0, atol=1e-12)


def test_breaks_off_the_origin_in_floats():
    """Clipped to [-1/2, 2], so nothing is symmetric; at rho = 0 and 1 one variable is enough."""
    values = dual_by_quadrature(lambda u: np.clip(u, -0.5, 2), [0, 1], variances=(1, 1), breaks=[-0.5, 2])
    f = lambda u: max(mpf(-1) / 2, min(u, 2))  # noqa: E731
    mean = expectation(f, breaks=[-0.5, 2])
    square = expectation(lambda u: f(u) ** 2, breaks=[-0.5, 2])
    np.testing.assert_allclose(values, [float(mean**2), float(square)], rtol=0, atol=1e-12)


def test_derivative_in_the_correlation():
    """Price: d/drho E clip clip = P(|u1| < 1, |u2| < 1), here integrated over [0, 1/2]."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    inside = dual_by_quadrature(lambda u: (abs(u) < 1).astype(float), 0.25 + 0.25 * nodes, breaks=[-1, 1])
    value = dual_by_quadrature(lambda u: np.clip(u, -1, 1), 0.5, breaks=[-1, 1])
    # The derivative is analytic for |rho| < 1, hence in an ellipse of radius 3 + sqrt 8 around
    # [0, 1/2]: 12 nodes err by about 5.8^-24 = 5e-19.
    assert abs(value - 0.25 * weights @ inside) < 1e-12


def test_digits_and_floats_agree():
    f = lambda u: max(mpf(-1) / 2, min(u, 2))  # noqa: E731
    pair = {"variances": (4, 1), "breaks": [-0.5, 2]}
    floats = dual_by_quadrature(lambda u: np.clip(u, -0.5, 2), 0.5, **pair)
    assert close(dual_by_quadrature(f, 0.5, digits=6, **pair), floats, digits=6)


def test_scalars_and_arrays():
    assert isinstance(dual_by_quadrature(np.tanh, 0.5), float)
    assert dual_by_quadrature(np.tanh, [0.5]).shape == (1,)
    assert dual_by_quadrature(np.tanh, []).shape == (0,)
    cubes = dual_by_quadrature(lambda u: u**3, ["0.5", -1], digits=8)
    assert all(close(a, b, 8) for a, b in zip(cubes, [mpf("5.25"), -15], strict=True))
    many = dual_by_quadrature(np.tanh, np.linspace(-1, 1, 601))
    one_by_one = [dual_by_quadrature(np.tanh, rho) for rho in (-1, 0.5, 1)]
    np.testing.assert_allclose(many[[0, 450, 600]], one_by_one, rtol=1e-14)


@each("f", abs, np.sign, lambda u: np.tanh(1e4 * u), lambda u: np.floor(5 * u), np.exp2)
def test_unnamed_breaks_are_noticed_in_floats(f):
    if f is np.exp2:
        assert abs(dual_by_quadrature(f, 1) - np.exp(2 * np.log(2) ** 2)) < 1e-12
    else:
        with pytest.raises(ArithmeticError, match=r"did not settle at rho = 0\.3"):
            dual_by_quadrature(f, 0.3)


@each(
    "call, error, words",
    (lambda: dual_by_quadrature(np.sum, 0), TypeError, "f must return a real array of the shape"),
    (lambda: dual_by_quadrature(lambda u: 1j * u, 0), TypeError, "f must return a real array"),
    (lambda: dual_by_quadrature(lambda u: np.exp(u * u), 0), ArithmeticError, "f must be finite"),
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()


# The parts.


def test_sector_ends():
    """Quarters, the directions of the lines of u2, and the crossings of lines."""
    rho, sigma = mpf("0.6"), mpf("0.8")
    quarters = sector_ends(mp, rho, sigma, [], [])
    assert [mpmath.nstr(q, 5) for q in quarters] == ["-3.1416", "-1.5708", "0.0", "1.5708", "3.1416"]
    ends = sector_ends(mp, rho, sigma, [mpf(1)], [mpf(-2)])
    assert len(ends) == 8
    for angle in ends[5:7]:  # u2 = rho cos t + sigma sin t vanishes
        assert abs(rho * mp.cos(angle) + sigma * mp.sin(angle)) < 1e-14
    x, y = mp.cos(ends[7]), mp.sin(ends[7])  # the ray meets x = 1 where it meets u2 = -2
    assert x > 0
    assert abs((rho * x + sigma * y) / x + 2) < 1e-14


def test_rules_settle_where_they_should():
    ray = Ray(lambda r: r**3 * mp.exp(-r * r / 2), [])
    rule = converged_rule([ray], 12)
    assert close(rule.integral(ray), 2, digits=12)
    narrow = Ray(lambda r: mp.exp(-((r - 3) ** 2) * 50), [])
    finer = converged_rule([narrow], 12)
    assert finer.panels > rule.panels
    assert close(finer.integral(narrow), mp.sqrt(mp.pi / 50), digits=12)
    far = Ray(lambda r: mp.exp(-((r - 12) ** 2) / 2), [])
    assert close(converged_rule([far], 12).integral(far), mp.sqrt(2 * mp.pi), digits=12)
