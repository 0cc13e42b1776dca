"""Enclosures of Gaussian expectations: they contain the truth, and hardly anything else."""

from fractions import Fraction

import mpmath
import pytest
from certify_cases import ratio
from flint import acb, arb, ctx
from hypothesis import given
from ratios import fractions
from trying import each

from numeric.certify import working_precision
from numeric.quadrature import (
    Growth,
    bivariate_expectation,
    enclose_bivariate_expectation,
    enclose_expectation,
    enclose_homogeneous_expectation,
    expectation,
)
from numeric.quadrature.enclosures import mass_beyond, piece_at_zero, safe_reach


@pytest.fixture(autouse=True)
def _many_bits():
    """Truths are evaluated well beyond the enclosures."""
    with working_precision(200):
        yield


def encloses(ball, truth, bits):
    """The ball contains a (much narrower) truth and is narrower than 2^-bits."""
    return ball.contains(truth) and ball.rad() < arb(2) ** -bits


def absolute(u, piece, analytic):
    return u if piece else -u


# One variable.


@each("variance", "1", "0.25", "9")
@each("power", 0, 1, 2, 5, 8)
def test_moments(power, variance):
    """|u|^k <= k! e^|u|."""
    growth = Growth(int(arb.fac_ui(power).fmpz()), 1)
    found = enclose_expectation(lambda u, *_: u**power, variance=variance, growth=growth)
    double_factorial = [1, 0, 1, 0, 3, 0, 15, 0, 105][power]
    truth = double_factorial * ratio(Fraction(variance) ** (power // 2))
    assert encloses(found, truth, 50)


def test_kinks_and_jumps():
    found = enclose_expectation(absolute, breaks=[0], variance=3, growth=Growth(1, 1))
    assert encloses(found, (6 / arb.pi()).sqrt(), 60)
    beyond = enclose_expectation(
        lambda u, k, _: acb(k), breaks=["-0.5", "1.5"], variance="0.25", growth=Growth(2)
    )
    tails = (arb(1) / arb(2).sqrt()).erfc() / 2, (arb(3) / arb(2).sqrt()).erfc() / 2
    assert encloses(beyond, 1 - tails[0] + tails[1], 60)
    far = enclose_expectation(lambda u, k, _: acb(k), breaks=[-1000, 1000], growth=Growth(2))
    assert encloses(far, arb(1), 60)


@given(fractions(0, 2, max_denominator=8), fractions(0, 2, max_denominator=8))
def test_exponentials(rate, variance):
    found = enclose_expectation(
        lambda u, *_: (ratio(rate) * u).exp(), variance=variance, growth=Growth(1, rate), prec=40
    )
    assert encloses(found, (ratio(rate) ** 2 * ratio(variance) / 2).exp(), 38)


def test_the_tail_is_counted():
    """e^|u| attains its growth, so that what is integrated and the tail add up to the truth."""
    found = enclose_expectation(
        lambda u, k, _: (u if k else -u).exp(), breaks=[0], growth=Growth(1, 1), prec=16
    )
    truth = ratio("0.5").exp() * (1 + (arb(1) / arb(2).sqrt()).erf())
    assert encloses(found, truth, 15)
    reach = safe_reach(arb(1), 16)
    assert mass_beyond(arb(1), reach) < found.rad() * 2
    assert found.rad() < mass_beyond(arb(1), reach) * arb("1.001") + arb(2) ** -30


@each("steepness", "0", "1", "4")
def test_mass_beyond(steepness):
    """Against its integral, twice over the right half-line."""
    k, reach = float(ratio(steepness)), 5.5
    with mpmath.workdps(30):
        twice = 2 * mpmath.quad(lambda x: mpmath.exp(k * x) * mpmath.npdf(x), [reach, 12, 40])
        whole = 2 * mpmath.quad(lambda x: mpmath.exp(k * x) * mpmath.npdf(x), [0, 4, 12, 40])
    assert abs(mass_beyond(arb(k), arb(0)) / arb(whole) - 1) < arb(10) ** -25
    assert abs(mass_beyond(arb(k), arb(reach)) - arb(twice)) < arb(10) ** -25
    for prec in (16, 64, 200):
        assert mass_beyond(arb(k), safe_reach(arb(k), prec)) <= arb(2) ** -prec
        # Not much farther than needed.
        assert mass_beyond(arb(k), safe_reach(arb(k), prec) - 2 * k - 2) > arb(2) ** -prec


def test_branch_cuts_are_respected():
    """sqrt(1 + u^2) has branch points at +-i: the flag must reach the square root."""
    found = enclose_expectation(
        lambda u, _, analytic: (1 + u * u).sqrt(analytic=analytic), growth=Growth(1, 1)
    )
    digits = expectation(lambda u: mpmath.sqrt(1 + u * u), digits=25)
    assert encloses(found, arb(digits), 60)


def test_no_variance():
    assert enclose_expectation(lambda u, k, _: u + k, breaks=[-1], variance=0, growth=Growth()) == 1
    with pytest.raises(ValueError, match="variance must be positive if f has a break at 0"):
        enclose_expectation(absolute, breaks=[0], variance=0, growth=Growth(1, 1))


def test_numbers_of_any_kind():
    """mpf and float at their binary value, fractions and decimals exactly."""
    for quarter in (mpmath.mpf("0.25"), 0.25, Fraction(1, 4), "0.25"):
        found = enclose_expectation(lambda u, *_: u * u, variance=quarter, growth=Growth(2, 1))
        assert encloses(found, ratio("1/4"), 60)
        cut = enclose_expectation(lambda u, k, _: acb(k), breaks=[quarter], growth=Growth())
        assert encloses(cut, ratio("1/32").sqrt().erfc() / 2, 60)


def test_the_piece_of_zero():
    assert piece_at_zero([Fraction(-1), Fraction(1, 2)]) == 1
    assert piece_at_zero([Fraction(1, 2)]) == 0
    assert piece_at_zero([]) == 0


# Homogeneous functions of two variables.

RHOS = ["0", "0.5", "-0.875", "0.999999", "1", "-1"]


def arcsine(rho):
    r = ratio(rho)
    return r.asin(), ((1 - r) * (1 + r)).sqrt()


@each("rho", *RHOS)
def test_homogeneous_functions(rho):
    angle, root = arcsine(rho)
    signs = enclose_homogeneous_expectation(
        lambda u1, u2, k, _: acb(1 if k[0] == k[1] else -1), rho, degree=0
    )
    assert encloses(signs, 2 / arb.pi() * angle, 64)
    product = enclose_homogeneous_expectation(
        lambda u1, u2, k, _: u1 * u2 if k[0] == k[1] else -u1 * u2, rho, degree=2, variances=(4, 9)
    )
    assert encloses(product, 12 / arb.pi() * (root + ratio(rho) * angle), 60)
    ramp = enclose_homogeneous_expectation(
        lambda u1, u2, k, _: u1 * k[0] * k[1], rho, degree=1, variances=(4, "0.25")
    )
    # E u1 1(u1 > 0) 1(u2 > 0) = s1 (1 + rho) / (2 sqrt(2 pi))
    assert encloses(ramp, (1 + ratio(rho)) / (2 * arb.pi()).sqrt(), 64)


def test_quadrants_are_numbered():
    seen = set()

    def f(u1, u2, piece, analytic):
        seen.add(piece)
        return acb(1)

    assert encloses(enclose_homogeneous_expectation(f, "0.5", degree=0), arb(1), 60)
    assert seen == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_fractional_degree():
    found = enclose_homogeneous_expectation(
        lambda u1, u2, k, analytic: (u1 if k[0] else -u1).sqrt(analytic=analytic),
        "0.5",
        degree="0.5",
        prec=30,
    )
    truth = arb(2) ** ratio("1/4") * ratio("3/4").gamma() / arb.pi().sqrt()
    assert encloses(found, truth, 28)


# Any breaks in two variables.


def clip(u, piece):
    return (acb(-1), u, acb(1))[piece]


@each("rho", "0", "0.5", "-0.999", "1", "-1")
def test_the_plane_agrees_with_the_sectors(rho):
    """The same function, integrated over strips and over angles, with unequal variances."""
    f = lambda u1, u2, k, _: u1 * k[0] * (1 if k[1] else -2)  # noqa: E731
    variances = (2, "0.5")
    sectors = enclose_homogeneous_expectation(f, rho, degree=1, variances=variances)
    plane = enclose_bivariate_expectation(
        f, rho, variances=variances, breaks=([0], [0]), growth=Growth(2, 1), prec=30
    )
    assert encloses(plane, sectors, 28)


def test_breaks_off_the_origin():
    """Against mpmath at rho = -1/2; P(|u1| < 1) is erf(1/2) at variance 2."""
    given_ = {"breaks": (["-1", 1], [-2, "0.5"]), "growth": Growth(1), "prec": 30}
    found = enclose_bivariate_expectation(
        lambda u1, u2, k, _: clip(u1, k[0]) * acb(k[1] == 1), "-0.5", variances=(2, 3), **given_
    )
    digits = bivariate_expectation(
        lambda x, y: max(-1, min(x, 1)) * (-2 < y < 0.5),
        "-0.5",
        variances=(2, 3),
        breaks=([-1, 1], [-2, "0.5"]),
        digits=5,
    )
    assert found.rad() < arb(2) ** -28
    assert abs(found - arb(digits)) < arb(10) ** -5
    inside = enclose_bivariate_expectation(
        lambda u1, u2, k, _: acb(k[0] == 1), "-0.5", variances=(2, 3), **given_
    )
    assert encloses(inside, ratio("0.5").erf(), 28)


@each("rho", "1", "-1")
def test_pairs_on_a_line(rho):
    """The breaks of u1 and u2 = rho 2 u1 meet at u1 = +-1/2, exactly."""
    found = enclose_bivariate_expectation(
        lambda u1, u2, k, _: acb((k[0] + 1) * (2 * k[1] + 1)),
        rho,
        variances=(1, 4),
        breaks=(["-0.5", 2], [-1, 1]),
        growth=Growth(15),
    )
    half, two = (ratio(x).sqrt().erfc() / 2 for x in ("1/8", 2))
    # u1 < -1/2, < 1/2, < 2, and beyond
    masses = half, 1 - 2 * half, half - two, two
    values = (1, 6, 10, 15) if rho == "1" else (5, 6, 2, 3)
    truth = sum((v * m for v, m in zip(values, masses, strict=True)), arb(0))
    assert encloses(found, truth, 44)


@each("variances", (0, 4), (4, 0), (0, 0))
def test_a_variable_without_variance(variances):
    """u1 = 0 lies left of its break 1, u2 = 0 right of its break -1."""
    found = enclose_bivariate_expectation(
        lambda u1, u2, k, _: u1 * u1 + u2 * u2 + k[0] + 10 * k[1],
        "0.5",
        variances=variances,
        breaks=([1], [-1]),
        growth=Growth(100, 1),
    )
    tail = ratio("1/8").sqrt().erfc() / 2  # beyond half a deviation
    truth = {(0, 4): 4 + 10 * (1 - tail), (4, 0): 4 + tail + 10, (0, 0): arb(10)}[variances]
    assert encloses(found, truth, 40)


def test_the_tail_of_the_plane_is_counted():
    """e^(|u1| + |u2|) at rho = 0 is a product of two known means."""
    found = enclose_bivariate_expectation(
        lambda u1, u2, k, _: ((u1 if k[0] else -u1) + (u2 if k[1] else -u2)).exp(),
        0,
        breaks=([0], [0]),
        growth=Growth(1, 1),
        prec=16,
    )
    mean = ratio("0.5").exp() * (1 + (arb(1) / arb(2).sqrt()).erf())
    assert encloses(found, mean * mean, 16)


def test_steep_growth_costs_no_precision():
    one = enclose_bivariate_expectation(lambda u1, u2, *_: acb(1), "0.5", growth=Growth(1, 3), prec=16)
    assert encloses(one, arb(1), 16)


# What is refused.


@each(
    "call, words",
    (lambda: enclose_expectation(lambda u, *_: u**4, growth=Growth(1, 0)), "growth must bound f"),
    (
        lambda: enclose_expectation(lambda u, k, _: (3 * k * u).exp(), breaks=[0], growth=Growth(1, 1)),
        "growth must bound f",
    ),
    (lambda: enclose_expectation(absolute, growth=Growth(-1, 0)), "growth must lie in"),
    (lambda: enclose_expectation(absolute, growth=Growth(1, -1)), "growth must lie in"),
    (
        lambda: enclose_homogeneous_expectation(absolute, 0, degree=0, variances=(0, 1)),
        "variances must lie in",
    ),
    (
        lambda: enclose_bivariate_expectation(lambda u1, u2, *_: u1 * u2, 0, growth=Growth(1, 0), prec=16),
        "growth must bound f",
    ),
    (
        lambda: enclose_bivariate_expectation(
            lambda u1, u2, *_: acb(1), 1, variances=(0, 1), breaks=([0], []), growth=Growth()
        ),
        "variance must be positive if f has a break at 0",
    ),
)
def test_errors(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_precision_is_restored():
    before = ctx.prec
    enclose_expectation(lambda u, *_: u, growth=Growth(1, 1), prec=300)
    assert ctx.prec == before


def test_more_bits_when_asked():
    found = enclose_expectation(absolute, breaks=[0], growth=Growth(1, 1), prec=150)
    assert encloses(found, (2 / arb.pi()).sqrt(), 148)
