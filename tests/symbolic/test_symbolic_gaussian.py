"""Exact Gaussian means against quadrature, SymPy's own integrals and degenerate ends."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy
from gaussian_quadrature import half_line, quadrant_quadrature
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from sympy import Abs, Integral, cos, exp, oo, pi, sign, sin, sqrt
from trying import each

from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean, bivariate_expectation, expectation
from symbolic.gaussian.half_lines import half_line_steps
from symbolic.gaussian.linear import constant_outside
from symbolic.gaussian.polar import polar_steps
from symbolic.gaussian.sectors import SECTORS, cosine_sign, in_few_waves, trigonometric_antiderivative
from symbolic.gaussian.signed_polynomials import signed_monomials, split_signs
from symbolic.notation import DOMAIN, a, b, r, rho, t, theta, u, u1, u2, x

MONOMIALS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 1), st.integers(0, 1))


@given(MONOMIALS, fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=50))
def test_signed_monomials_against_quadrature(exponents, value):
    i, j, e, f = exponents
    exact = bivariate_expectation(u1**i * u2**j * sign(u1) ** e * sign(u2) ** f, u1, u2, value)
    numeric = quadrant_quadrature(lambda v, s: v**i * s**j * np.sign(v) ** e * np.sign(s) ** f, float(value))
    # Each node contributes a few roundings; the sum of |terms| is at most E|u|^8 = 105.
    assert abs(float(exact) - numeric) < 105 * 1e-12


@given(
    st.integers(0, 6),
    st.integers(0, 1),
    fractions(-2, 2, max_denominator=9),
    fractions(-2, Fraction(2, 5), max_denominator=9),
)
def test_univariate_means_against_quadrature(k, e, beta, gamma):
    exact = expectation(u**k * sign(u) ** e * exp(beta * u + gamma * u**2), u)
    nodes, weights = half_line(60, 30)
    v = np.concatenate([nodes, -nodes])
    size = np.exp(float(beta) * v + (float(gamma) - 0.5) * v**2) / np.sqrt(2 * np.pi)
    terms = np.tile(weights, 2) * v**k * np.sign(v) ** e * size
    # Beyond 60 the integrand is below exp(120 - 360) 60^6.
    # Rounding of the exponent (at most 60^2 eps) and of the 1800 terms, relative to their size.
    assert abs(float(exact) - terms.sum()) <= 1e-12 * np.abs(terms).sum()


@given(MONOMIALS, st.sampled_from([1, -1]))
def test_degenerate_pairs_are_univariate_and_continuous(exponents, end):
    i, j, e, f = exponents
    term = u1**i * u2**j * sign(u1) ** e * sign(u2) ** f
    at_end = bivariate_expectation(term, u1, u2, end)
    general = bivariate_expectation(term, u1, u2, rho)
    assert equal(general.subs(rho, end), at_end) is True


@each("i, j", (1, 1), (2, 2), (1, 3), (2, 4), (3, 3))
def test_polynomials_against_wick_pairings(i, j):
    """E u1^i u2^j as a sum over the numbers of mixed pairs."""
    fact = sympy.factorial
    pairings = sum(
        fact(i)
        * fact(j)
        / (fact(k) * fact((i - k) / 2) * fact((j - k) / 2))
        * rho**k
        / 2 ** sympy.Rational(i + j - 2 * k, 2)
        for k in map(sympy.Integer, range(min(i, j) + 1))
        if (i - k) % 2 == 0 and (j - k) % 2 == 0
    )
    assert equal(bivariate_expectation(u1**i * u2**j, u1, u2, rho), pairings) is True


def test_variances_act_by_homogeneity():
    scaled = bivariate_expectation(Abs(u1 * u2), u1, u2, "1/2", variances=(4, "1/9"))
    assert equal(scaled, bivariate_expectation(Abs(u1 * u2), u1, u2, "1/2") * 2 / 3) is True
    assert expectation(Abs(u) ** 3, u, 4) == 8 * expectation(Abs(u) ** 3, u)
    assert expectation(exp(u), u, 3) == exp(sympy.Rational(3, 2))


@given(
    fractions(-1, 1, max_denominator=7),
    fractions(-1, 1, max_denominator=7),
    fractions(Fraction(-4, 5), Fraction(4, 5), max_denominator=7),
)
def test_tilted_polynomials_against_quadrature(alpha, beta, value):
    exact = bivariate_expectation(u1**2 * u2 * exp(alpha * u1 + beta * u2 - 1), u1, u2, value)
    numeric = quadrant_quadrature(
        lambda v, s: v**2 * s * np.exp(float(alpha) * v + float(beta) * s - 1), float(value)
    )
    assert abs(float(exact) - numeric) < 1e-9


@each("f", sin(u1), Abs(u1 - u2), sqrt(u1**2 + 1), sign(u1) * exp(u2), exp(u1 * u2))
def test_other_functions_are_refused(f):
    with pytest.raises(ValueError, match="f must be"):
        bivariate_expectation(f, u1, u2, rho)


@each("end", 1, -1)
def test_degenerate_pairs_allow_what_one_variable_allows(end):
    """Signs beside exponentials have no closed form in the plane, but they do on a line."""
    f = sign(u1) * Abs(u2) * exp(u2)
    on_line = expectation(sign(u) * Abs(u) * exp(end * u), u)
    assert equal(bivariate_expectation(f, u1, u2, end), on_line) is True


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match=r"variances must lie in \(0, infinity\), got 0"):
        bivariate_expectation(u1, u1, u2, 0, variances=(0, 1))
    with pytest.raises(ValueError, match="f must have a finite expectation"):
        expectation(exp(u**2 / 2), u)
    for f in (sin(u), exp(u**3), exp(Abs(u - 1))):
        with pytest.raises(ValueError, match="f must be a sum of polynomials"):
            expectation(f, u)


def test_signed_monomials_add_up_to_the_function():
    f = split_signs((a * u1 + b * Abs(u1)) * sign(u1 * u2) * u2**3 + Abs(-2 * u2))
    rebuilt = sum(
        m.coefficient
        * u1 ** m.powers[0]
        * u2 ** m.powers[1]
        * sign(u1) ** m.signs[0]
        * sign(u2) ** m.signs[1]
        for m in signed_monomials(f, [u1, u2])
    )
    for values in [(2, 3), (-2, 3), (2, -3), (-2, -3)]:
        point = dict(zip((u1, u2), values, strict=True))
        assert sympy.expand(f.subs(point) - rebuilt.subs(point)) == 0


def test_sectors_have_the_signs_of_the_cosines():
    for sector in SECTORS:
        middle = (sector.start + sector.end) / 2
        for angle in (Fraction(1, 10), 1, 3):
            values = [wave.subs(theta, middle).subs(t, angle) for wave in (cos(theta), cos(theta - t))]
            assert tuple(int(sign(value.evalf())) for value in values) == sector.signs
    assert cosine_sign(-t, t) is None
    with pytest.raises(ValueError, match="polynomial in sines and cosines"):
        trigonometric_antiderivative(theta * cos(theta))


F = (a * u1 + b * Abs(u1)) * (u2**2 - 1) * sign(u2)


@cache
def polar_chain():
    steps = polar_steps(sympy.Integer(3), F, u1, u2)
    return Derivation("Polar", "m", 3 * GaussianMean(F, u1, u2, cos(t)), steps, domain=DOMAIN)


def answer_at(stage, expression):
    """The answer of one polar step when its right-hand side is replaced."""
    chain = polar_chain()
    before = chain.steps[stage - 1].expression if stage else chain.start
    return chain.steps[stage].check(before, expression).answer


def test_the_polar_road_reaches_the_exact_mean():
    chain = polar_chain()
    assert chain.answer is True
    assert equal(chain.conclusion, 3 * bivariate_expectation(F, u1, u2, cos(t)), DOMAIN) is True


@each("stage", *range(4))
def test_each_polar_step_sees_a_wrong_factor(stage):
    assert answer_at(stage, 2 * polar_chain().steps[stage].expression) is False


@each("stage", *range(3))
def test_each_polar_step_sees_wrong_limits(stage):
    truth = polar_chain().steps[stage].expression
    for integral in truth.atoms(Integral):
        limits = [(v, low, high if high == oo else high + pi) for v, low, high in integral.limits]
        wrong = truth.xreplace({integral: Integral(integral.function, *limits)})
        assert answer_at(stage, wrong) is not True


def test_the_last_polar_step_sees_the_twentieth_digit():
    assert answer_at(3, polar_chain().conclusion + sin(t) / 10**20) is False


@each("change", lambda f: f / sin(t), lambda f: f.subs(t, -t), lambda f: f**2, lambda f: f * r)
def test_a_wrong_density_or_direction_is_seen(change):
    right = polar_chain().steps[0].expression
    integral = next(iter(right.atoms(Integral)))
    wrong = Integral(change(integral.function), *integral.limits)
    assert answer_at(0, right.xreplace({integral: wrong})) is False


@each("stage", 1, 2)
def test_a_wrong_sign_on_the_circle_is_seen(stage):
    truth = polar_chain().steps[stage].expression
    integral = max(truth.atoms(Integral), key=str)
    wrong = Integral(-integral.function, *integral.limits)
    assert answer_at(stage, truth.xreplace({integral: wrong})) is False


@each(
    "f, arcs",
    ((1 + sign(u1)) * (1 + sign(u2)), 1),
    (u1 + Abs(u1), 2),
    (sign(u1) - sign(u2), 2),
    (Abs(u1) - u1 * sign(u1), 0),
    (sympy.S.Zero, 0),
    (a * b * (sign(u1) + sign(u2)) * (u1 * u2 - cos(t)), 2),
    (u1**2 * Abs(u2) + u2 * sign(u1), 4),
)
def test_sectors_on_which_the_integrand_vanishes_are_left_out(f, arcs):
    start, steps = a * GaussianMean(f, u1, u2, cos(t)), polar_steps(a, f, u1, u2)
    chain = Derivation("Polar", "m", start, steps, domain=DOMAIN)
    assert chain.answer is True
    assert len(chain.steps[2].expression.atoms(Integral)) == arcs
    assert equal(chain.conclusion, a * bivariate_expectation(f, u1, u2, cos(t)), DOMAIN) is True


def test_a_sector_left_out_or_moved_is_seen():
    truth = polar_chain().steps[2].expression
    for integral in truth.atoms(Integral):
        assert answer_at(2, truth.xreplace({integral: sympy.S.Zero})) is False
    first, second = sorted(truth.atoms(Integral), key=str)[:2]
    swapped = {
        first: Integral(first.function, *second.limits),
        second: Integral(second.function, *first.limits),
    }
    assert answer_at(2, truth.xreplace(swapped)) is False
    assert answer_at(2, truth + a) is False


@each(
    "sum_of_waves, shortest",
    ((cos(theta) - cos(t) * cos(theta - t)) / sin(t), sin(t - theta)),
    ((cos(theta - t) - cos(t) * cos(theta)) / sin(t), sin(theta)),
    (2 * sin(theta - t) ** 2 - 1, -cos(2 * t - 2 * theta)),
    (2 * sin(theta) * sin(t - theta) + cos(t), cos(t - 2 * theta)),
    (r * cos(theta) + r * Abs(cos(theta)), r * (cos(theta) + Abs(cos(theta)))),
    (sympy.S.Zero, sympy.S.Zero),
    (cos(t), cos(t)),
)
def test_sums_of_waves_are_written_in_few(sum_of_waves, shortest):
    written = in_few_waves(sum_of_waves)
    assert written == shortest
    values = {t: Fraction(3, 7), theta: Fraction(5, 11), r: 2}
    difference = sympy.sympify(written - sum_of_waves).subs(values)
    assert abs(float(difference)) < 1e-12  # a few roundings of numbers below 10


def test_constants_go_outside():
    assert constant_outside(3 * a * r**2, r) == (3 * a, r**2)
    assert constant_outside(a + r, r) == (1, a + r)
    assert constant_outside(sympy.S.Zero, r) == (1, 0)


def test_only_waves_have_an_antiderivative_here():
    for other in (theta, theta**2, 1 / cos(theta), exp(theta), sin(theta**2)):
        with pytest.raises(ValueError, match="polynomial in sines and cosines"):
            trigonometric_antiderivative(other)
    assert trigonometric_antiderivative(sympy.S.Zero) == 0


def test_means_without_part_on_the_half_line():
    steps = half_line_steps(sympy.Integer(2), u**3 * Abs(u), u)
    chain = Derivation("Odd", "m", 2 * GaussianMean(u**3 * Abs(u), u), steps)
    assert chain.answer is True
    assert chain.conclusion == 0


def test_the_half_line_road():
    f = (a * u + b * Abs(u)) ** 2 + u**3 * sign(u)
    steps = half_line_steps(sympy.Integer(2), f, u)
    chain = Derivation("Half lines", "m", 2 * GaussianMean(f, u), steps)
    assert chain.answer is True
    assert equal(chain.conclusion, 2 * expectation(f, u)) is True
    assert chain.claiming(chain.conclusion + a / 10**20).answer is False
    integral = next(iter(steps[0].expression.atoms(Integral)))
    wrong = 2 * Integral(integral.function.subs(x, 2 * x), *integral.limits)
    broken = Derivation("Half lines", "m", chain.start, [type(steps[0])(wrong, "", steps[0].check), steps[1]])
    assert broken.check()[0].answer is False


def test_formal_means():
    mean = GaussianMean(Abs(u1 * u2) * a, u1, u2, rho)
    assert mean.free_symbols == {a, rho}
    assert mean.doit(integrals=False) == mean
    assert mean.subs(a, 0).doit() == 0
    with pytest.raises(TypeError, match="a Gaussian mean needs"):
        GaussianMean(u1, u1, u2)
