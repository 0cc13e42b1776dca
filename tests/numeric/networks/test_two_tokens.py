"""The limit law for two tokens in balls, against direct integration, quadrature and exact cases."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import acb, arb
from scipy import special, stats
from trying import each

from numeric.balls import working_precision
from numeric.networks.attention import (
    TwoTokenLaw,
    two_token_characteristic,
    two_token_density,
    two_token_distance,
    two_token_divergence,
    two_token_kurtosis,
    two_token_moment,
    two_token_tail,
)
from numeric.networks.attention.poisson_sums import PoissonSums
from numeric.networks.attention.two_tokens import _divergence
from numeric.quadrature import Growth, enclose_expectation
from theorems.interface.evaluate import digits_of, evaluate

UNIT = [[1, 0], [0, 1]]
SKEW = [[2, "0.3"], ["0.3", "0.5"]]
OPPOSED = [[1, "-0.5"], ["-0.5", 1]]
_NODES = np.linspace(-9.5, 9.5, 301)
_WEIGHTS = stats.norm.pdf(_NODES) * (_NODES[1] - _NODES[0])


def variances(gram, score=1.0, value=1.0, token=0):
    """Variances of one head at the nodes of the rule of trapezoids, from the weights themselves."""
    s = np.array(gram, dtype=float)
    spread = score * math.sqrt(s[token, token] * (s[0, 0] - 2 * s[0, 1] + s[1, 1]))
    first = special.expit(spread * _NODES)
    weights = np.stack([first, 1 - first])
    return value**2 * np.einsum("ik,ij,jk->k", weights, s, weights)


def mean(function, heads):
    """The mean of a function of the variance of several heads, by a product of such rules."""
    total = sum(np.meshgrid(*heads, indexing="ij")) / len(heads)
    weights = math.prod(np.meshgrid(*[_WEIGHTS] * len(heads), indexing="ij"))
    return float(np.sum(weights * function(total)))


def directly(gram, function, score=1, token=0, prec=110):
    """The mean of an analytic function of the variance of one head, by rigorous integration."""
    (a, b), (_, d) = [[Fraction(one) for one in row] for row in gram]
    apart = a - 2 * b + d

    def integrand(delta, _piece, analytic):
        h = (delta / 2).tanh()
        parts = [acb(arb(one.numerator) / one.denominator) for one in (a + 2 * b + d, a - d, apart)]
        return function((parts[0] + 2 * parts[1] * h + parts[2] * h * h) / 4, analytic)

    variance = Fraction(score) ** 2 * (a, d)[token] * apart
    return enclose_expectation(integrand, variance=variance, growth=Growth(9, 0), prec=prec)


@each("gram, score, token", (UNIT, 1, 0), (SKEW, 2, 1), (SKEW, 1, 0), (OPPOSED, 3, 0))
def test_one_head_by_direct_integration(gram, score, token):
    """Sums of the characteristic function meet the integral of densities, to 30 digits."""
    law = TwoTokenLaw(gram, 1, score, 1, token)
    for y in (0, Fraction(1, 3), 2, 5, 16):
        with working_precision(120):
            square = arb(y.numerator**2) / y.denominator**2

        def density(q, analytic, square=square):
            return (-square / (2 * q)).exp() * q.rsqrt(analytic=analytic)

        with working_precision(120):
            expected = directly(gram, density, score, token) / (2 * arb.pi()).sqrt()
            found = law.density(y)
        assert found.overlaps(expected)
        assert found.rad() < 1e-30
        assert expected.rad() < 1e-30
        if y:

            def tail(q, analytic, square=square):
                return acb((square / 2).sqrt() * q.rsqrt(analytic=analytic)).erfc()

            with working_precision(120):
                assert (1 - law.mass(y)).overlaps(directly(gram, tail, score, token))


@each("terms, period, y", (2, 8, 2), (3, 3, 1), (9, 2, Fraction(1, 2)), (14, 4, 2), (1, 9, 0))
def test_bounds_of_what_is_left_out(terms, period, y):
    """Few terms or a short period make wide balls, which still contain the truth."""
    law, step = TwoTokenLaw(UNIT), Fraction(44, 7) / period  # 2 pi is a little less
    with working_precision(120):
        values = tuple(law.characteristic(k * step) for k in range(1, terms + 1))
        at = arb(y.numerator) / y.denominator
        coarse = PoissonSums(0, at, arb(0.5), arb(1), step, values)
        for found, exact in ((coarse.density(), law.density(y)), (coarse.mass(), law.mass(y))):
            assert found.contains(exact)
            assert 1e-12 < found.rad() < 0.5 or y == 0


@each("scales", ([1, 1], [1, 1]), ([1, 2], [1, "0.5"]), ([3, "0.1"], [2, 1]))
def test_two_heads_by_quadrature(scales):
    score, value = scales
    pairs = zip(map(float, score), map(float, value), strict=True)
    heads = [variances(SKEW, *pair, token=1) for pair in pairs]
    arguments = (SKEW, 2, score, value, 1)
    for y in (0.0, 0.7, 3.0):
        expected = mean(lambda v, y=y: stats.norm.pdf(y, scale=np.sqrt(v)), heads)
        assert two_token_density(y, *arguments) == pytest.approx(expected, rel=1e-9)
        expected = mean(lambda v, y=y: special.erfc(y / np.sqrt(2 * v)), heads)
        assert two_token_tail(y, *arguments) == pytest.approx(expected, rel=1e-9)
        expected = mean(lambda v, y=y: np.exp(-y * y * v / 2), heads)
        assert two_token_characteristic(y, *arguments) == pytest.approx(expected, rel=1e-9)
    for order, factor in ((2, 1), (4, 3), (8, 105)):
        expected = factor * mean(lambda v, n=order // 2: v**n, heads)
        assert two_token_moment(order, *arguments) == pytest.approx(expected, rel=1e-9)
    first, second = (mean(lambda v, n=n: v**n, heads) for n in (1, 2))
    assert two_token_kurtosis(*arguments) == pytest.approx(3 * (second / first**2 - 1), rel=1e-9)


def test_many_heads_by_convolution():
    """Five heads of two kinds: moments of the sum by all products."""
    value = [1, 1, 2, 2, 2]
    heads = [variances(UNIT, 1.0, float(one)) for one in value]
    own = [[float(_WEIGHTS @ one**n) for n in range(4)] for one in heads]
    third = 0.0
    for powers in itertools.product(range(4), repeat=5):
        if sum(powers) == 3:
            count = math.factorial(3) / math.prod(map(math.factorial, powers))
            third += count * math.prod(one[n] for one, n in zip(own, powers, strict=True))
    assert two_token_moment(6, UNIT, 5, 1, value) == pytest.approx(15 * third / 125, rel=1e-12)
    assert two_token_moment(7, UNIT, 5) == 0
    assert two_token_kurtosis(UNIT, 10**6) == pytest.approx(two_token_kurtosis(UNIT) / 10**6)


def test_digits_do_not_depend_on_the_precision():
    for function, at in ((two_token_density, "0.5"), (two_token_tail, 2), (two_token_density, 4)):
        short, long = (function(at, SKEW, 3, digits=digits) for digits in (20, 40))
        with mpmath.workdps(40):
            assert abs(short / long - 1) < mpmath.mpf(10) ** -20
    ball = two_token_density(arb("0.5", 1e-3), SKEW, 3)
    for y in ("0.4995", "0.5", "0.5005"):
        assert ball.overlaps(two_token_density(arb(y), SKEW, 3))


def test_tails_are_integrals_of_densities():
    nodes, weights = np.polynomial.legendre.leggauss(24)
    for t in (0.3, 1.5):
        values = [two_token_density(t * (1 + node) / 2, OPPOSED, 2) for node in nodes]
        inside = t * float(weights @ values)
        assert two_token_tail(t, OPPOSED, 2) == pytest.approx(1 - inside, abs=1e-14)


@each("gram, token", ([[2, 2], [2, 2]], 0), ([[0, 0], [0, 2]], 0), ([[0, 0], [0, 2]], 1))
def test_constant_and_vanishing_variances(gram, token):
    """Equal inputs, or scores that vanish, give a normal law; else V may come down to 0."""
    law = (gram, 2, 1, 1, token)
    if token == 1:
        assert two_token_kurtosis(*law) > 0
        with pytest.raises(ValueError, match="gram must leave"):
            two_token_density(0, *law)
        assert 0 < two_token_characteristic(30, [[0, 0], [0, 1]], token=1) < 1
        return
    variance = 2.0 if gram[0][0] else 0.5
    assert two_token_kurtosis(*law) == 0
    assert two_token_moment(4, *law) == pytest.approx(3 * variance**2, rel=1e-15)
    normal = stats.norm(scale=math.sqrt(variance))
    assert two_token_density(1, *law) == pytest.approx(normal.pdf(1), rel=1e-13)
    assert two_token_tail(3, *law) == pytest.approx(2 * normal.sf(3), rel=1e-13)
    assert two_token_divergence(*law) == pytest.approx(0, abs=1e-15)
    assert two_token_distance(*law) == pytest.approx(0, abs=1e-15)


@each("value", 1e-150, 2.0**-7, 3.0, 1e150)
def test_units(value):
    """Another scale of the values changes the unit of the output, and nothing else."""
    plain, scaled = two_token_density(0.5, SKEW, 2), TwoTokenLaw(SKEW, 2, 1, value)
    with working_precision(80):
        assert float(scaled.density(Fraction(value) / 2) * arb(value)) == pytest.approx(plain)
    assert two_token_kurtosis(SKEW, 2, 1, value) == two_token_kurtosis(SKEW, 2)


def test_divergence_from_the_normal_law():
    """Steps do not matter, and for many heads it is kappa^2/48 + O(1/H^3)."""
    for law in (TwoTokenLaw(UNIT), TwoTokenLaw(SKEW, 3, [1, 2, 3])):
        assert abs(_divergence(law, 1) - _divergence(law, 2)) < 1e-13
    y = np.linspace(-9, 9, 901)
    heads = [variances(UNIT)]
    f = np.array([mean(lambda v, y=y: stats.norm.pdf(y, scale=np.sqrt(v)), heads) for y in y])
    g = stats.norm.pdf(y, scale=math.sqrt(mean(lambda v: v, heads)))
    assert two_token_divergence(UNIT) == pytest.approx(0.02 * np.sum(f * np.log(f / g)), abs=1e-11)
    kappa = two_token_kurtosis(UNIT, 256)
    assert two_token_divergence(UNIT, 256) == pytest.approx(kappa**2 / 48, rel=0.01)


def test_distance_from_the_normal_law():
    """The largest difference lies below kappa/6, and is that of the mixture itself."""
    y = np.linspace(0, 4, 4001)
    for gram, value in ((UNIT, 1.0), (SKEW, 2.0**40)):
        own = variances(gram)
        below = np.array([mean(lambda v, y=y: special.ndtr(y / np.sqrt(v)), [own]) for y in y])
        normal = special.ndtr(y / math.sqrt(mean(lambda v: v, [own])))
        found = two_token_distance(gram, 1, 1, value)
        assert found == pytest.approx(np.max(np.abs(below - normal)), rel=1e-5)
        assert found < two_token_kurtosis(gram) / 6


def test_what_is_refused():
    for gram, words in (
        ([[1, 2], [2, 1]], "gram must be nonnegative definite"),
        ([[1, 0], [1, 1]], "gram must be symmetric"),
        ([[0, 0], [0, 0]], "gram must give the output a positive variance"),
        ([[1, 0], [0, "1e-9"]], "gram must leave a larger share"),
        ([[1, 0], [0, "1e30"]], "score_scales and gram must"),
    ):
        with pytest.raises(ValueError, match=words):
            two_token_density(0, gram)
    with pytest.raises(ValueError, match=r"y must be at most 30\."):
        two_token_density(31, UNIT)
    with pytest.raises(ValueError, match="score_scales must be one number or 3"):
        TwoTokenLaw(UNIT, 3, [1, 2])
    with pytest.raises(ValueError, match="t must lie in"):
        two_token_tail(-1, UNIT)
    with pytest.raises(ValueError, match="at most 100 heads with different scales"):
        two_token_density(0, UNIT, 101, [1 + Fraction(k, 100) for k in range(101)])
    with pytest.raises(ValueError, match="got 500 times 3"):
        two_token_moment(1000, UNIT, 3, [1, 2, 3])


def test_from_the_command_line():
    text = "two_token_density(0, [[1, 0], [0, 1]], heads=2)"
    assert digits_of(evaluate(text, 30), 30) == "0.503544245040917607736051469054"
    assert evaluate("2 * two_token_tail(2, [[1, 0], [0, 1]])", 20) == pytest.approx(0.0270295882918)


def test_one_head_of_unit_scales_unless_told_otherwise():
    plain, told = TwoTokenLaw([[1, 0], [0, 1]]), TwoTokenLaw([[1, 0], [0, 1]], 1, 1, 1, token=0)
    assert plain.kurtosis().overlaps(told.kurtosis())
    assert plain.kurtosis() > 1.5 * TwoTokenLaw([[1, 0], [0, 1]], 2).kurtosis()
