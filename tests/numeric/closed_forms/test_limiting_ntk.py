"""The limiting NTK against its definition at many digits, against neural-tangents, and in balls."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from benchmarks.digits import CASES, check
from numeric import cosine_map_balls
from numeric.cosine_maps import limiting_ntk, limiting_ntk_profile, omega, varrho, zeta
from numeric.dual_activations import dual_activation
from numeric.ntk_profile import ProfileTable, profile

ORACLE = json.loads((Path(__file__).parents[2] / "data" / "neural_tangents.json").read_text())

unit = fractions(0, 1, max_denominator=1000)
cosines = fractions(-1, 1, max_denominator=1000)


def mp(number):
    """A float or a fraction in mpmath, to the working precision."""
    exact = Fraction(number)
    return mpmath.mpf(exact.numerator) / exact.denominator


def by_definition(rho, depth, delta):
    """The sum of products of Definition 22, last term first; the caller sets the precision."""
    iterates, slopes, bend = [rho], [], 2 * delta / mpmath.pi
    for _ in range(depth - 1):
        r, angle = iterates[-1], mpmath.asin(iterates[-1])
        slopes.append(1 - delta + bend * angle)
        iterates.append((1 - delta) * r + bend * (mpmath.sqrt(max(1 - r * r, 0)) + r * angle))
    total = product = mpmath.mpf(1)
    total *= iterates.pop()
    while iterates:
        product *= slopes.pop()
        total += iterates.pop() * product
    return total


def entry_by_definition(x, y, depth, delta):
    """One entry of the matrix in 60 digits, from the exact values of the floats."""
    with mpmath.workdps(60):
        x, y = [mp(v) for v in x], [mp(v) for v in y]
        length = mpmath.sqrt(mpmath.fdot(x, x) * mpmath.fdot(y, y))
        cosine = mpmath.fdot(x, y) / length
        return length * by_definition(min(max(cosine, -1), 1), depth, mp(delta))


class TestProfile:
    @given(rho=cosines, depth=st.integers(1, 10), delta=unit, digits=st.integers(5, 40))
    def test_digits(self, rho, depth, delta, digits):
        with mpmath.workdps(digits + 30):
            exact = by_definition(mp(rho), depth, mp(delta))
            found = limiting_ntk_profile(rho, depth, delta, digits=digits)
            # Nearer to 0 than 1e-20 the reference has no digits left to compare.
            assert mpmath.almosteq(found, exact, mpmath.mpf(10) ** -digits, 1e-20)

    @each("depth", 2, 3, 32, 128)
    @each("delta", 1e-9, 1e-3, 0.05, 0.5, 0.9, 1.0)
    def test_floats(self, depth, delta):
        random = np.random.default_rng(depth)
        ends = 1 - 10 ** random.uniform(-16, 0, 25)
        rho = np.concatenate([ends, -ends, random.uniform(-1, 1, 25), [-1, 0, 1]])
        direct = limiting_ntk_profile(rho, depth, delta)
        tabled = limiting_ntk_profile(np.resize(rho, 5000), depth, delta)[: rho.size]
        with mpmath.workdps(40):
            exact = [by_definition(mpmath.mpf(r), depth, mpmath.mpf(delta)) for r in rho]
        for values in (direct, tabled):
            errors = [abs(e - mpmath.mpf(v)) for e, v in zip(exact, values, strict=True)]
            assert max(errors) <= depth * 2.0**-50

    def test_every_entry_has_its_own_delta(self):
        rho, delta = np.linspace(-1, 1, 2000), np.linspace(0, 1, 2000)[::-1]
        found = limiting_ntk_profile(rho, 4, delta)
        for i in range(0, 2000, 37):
            alone = limiting_ntk_profile(rho[i], 4, delta[i])
            assert found[i] == pytest.approx(alone, rel=0, abs=4 * 2.0**-49)

    @given(depth=st.integers(1, 200), delta=st.floats(0, 1), rho=st.floats(-1, 1))
    def test_exact_values(self, depth, delta, rho):
        assert limiting_ntk_profile(1, depth, delta) == depth
        assert limiting_ntk_profile(rho, 1, delta) == rho
        even = limiting_ntk_profile(-1, depth, 1)
        assert even == pytest.approx(depth if depth > 1 else -1, rel=2.0**-50)
        linear = limiting_ntk_profile(rho, depth, 0)
        assert linear == pytest.approx(depth * rho, abs=depth * 2.0**-50)

    @given(rho=st.floats(-0.99, 0.99), radius=st.floats(0, 0.01), depth=st.integers(1, 6))
    def test_balls_contain_the_values(self, rho, radius, depth):
        image = limiting_ntk_profile(arb(rho, radius), depth, 0.75)
        for place in (-1, 0, 1):
            point = Fraction(rho) + place * Fraction(radius)
            value = limiting_ntk_profile(point, depth, 0.75, digits=30)
            assert image.overlaps(arb(value) * arb(1, 1e-30))
        # |K_l'| <= l^2/sqrt(1 - rho^2) < 8 l^2 here; enclosing step by step at most doubles it.
        assert image.rad() <= 16 * depth**2 * (radius + 1e-8)

    def test_mpf(self):
        with mpmath.workdps(50):
            found = limiting_ntk_profile(mpmath.mpf(1) / 3, 5, 0.5)
            assert mpmath.almosteq(found, by_definition(mpmath.mpf(1) / 3, 5, mpmath.mpf(0.5)))


class TestTable:
    @each("depth", 1, 2, 3, 33, 1000)
    @each("delta", 0.0, 1e-12, 1e-3, 0.01, 0.3, 0.5, 0.99, 1 - 1e-6, 1 - 2.0**-53, 1.0)
    def test_agrees_with_the_recursion(self, depth, delta):
        random = np.random.default_rng(7)
        angle = np.concatenate([random.uniform(0, np.pi / 2, 300), 10 ** random.uniform(-17, 0, 300)])
        angle = np.append(angle, [0, np.pi / 2])
        near, far = np.sin(angle / 2) ** 2, np.cos(angle / 2) ** 2
        for opposite, z, other in ((False, near, far), (True, far, near)):
            found = ProfileTable(depth, delta)(angle, np.full(angle.size, opposite))
            # Each is within 2^-50 of the truth.
            assert np.abs(found - profile(z, other, depth, delta)).max() <= 2.0**-49


def close_pairs(random, dimension=64):
    """Unit-size vectors next to a given one, with cosines 1 - 1e-12 and 1 - 1e-6, and opposites."""
    x = random.standard_normal(dimension)
    rows = [x, -3 * x]
    for distance in (1e-12, 1e-6, 1e-3):
        other = random.standard_normal(dimension)
        other -= x * (x @ other) / (x @ x)
        other *= np.sqrt(2 * distance * (x @ x) / (other @ other))
        rows += [x + other, -(x + other), 0.1 * (x - other)]
    return np.array(rows)


class TestMatrix:
    @each("delta", 0.05, 0.5, 1.0)
    def test_nearly_parallel_rows_at_depth_32(self, delta):
        x = close_pairs(np.random.default_rng(5))
        found = limiting_ntk(x, 32, delta)
        for i in range(len(x)):
            for j in range(i):
                exact = entry_by_definition(x[i], x[j], 32, delta)
                size = 32 * np.linalg.norm(x[i]) * np.linalg.norm(x[j])
                assert abs(exact - mpmath.mpf(found[i, j])) <= 4e-15 * size
                if x[i] @ x[j] > 0:
                    assert abs(exact - mpmath.mpf(found[i, j])) <= 1e-14 * abs(exact)

    def test_nearly_parallel_rows_at_depth_1000(self):
        x = close_pairs(np.random.default_rng(6))[[0, 2, 6]]
        found = limiting_ntk(x, 1000, 0.5)
        for i in range(len(x)):
            for j in range(i):
                exact = entry_by_definition(x[i], x[j], 1000, 0.5)
                assert abs(exact - mpmath.mpf(found[i, j])) <= 1e-14 * abs(exact)

    @each("depth", 1, 2, 5, 32)
    def test_random_rows(self, depth):
        random = np.random.default_rng(depth)
        x, y = random.standard_normal((4, 3)), random.standard_normal((5, 3))
        found = limiting_ntk(x, depth, 0.7, y)
        assert found.shape == (4, 5)
        for (i, j), value in np.ndenumerate(found):
            size = depth * np.linalg.norm(x[i]) * np.linalg.norm(y[j])
            exact = entry_by_definition(x[i], y[j], depth, 0.7)
            assert abs(exact - mpmath.mpf(value)) <= 4e-15 * size

    @each("dimension", 1, 3, 64, 101)
    def test_diagonal_to_two_units(self, dimension):
        x = np.random.default_rng(dimension).standard_normal((30, dimension)) * 1e-3
        diagonal = np.diag(limiting_ntk(x, 37, 0.5))
        for entries, value in zip(x, diagonal, strict=True):
            exact = 37 * sum(Fraction(v) ** 2 for v in entries)
            assert abs(Fraction(value) - exact) <= 2 * Fraction(np.spacing(value))

    @each("rows", 1, 2, 90, 91, 300)
    def test_symmetric_and_equal_to_the_rectangular_one(self, rows):
        x = np.random.default_rng(rows).standard_normal((rows, 4))
        found = limiting_ntk(x, 8, 0.5)
        assert np.array_equal(found, found.T)
        rectangular = limiting_ntk(x, 8, 0.5, x)
        assert np.abs(found - rectangular).max() <= 1e-14 * found.max()
        # Rows longer than a block.
        tall = limiting_ntk(x[:1], 8, 0.5, np.resize(x, (9001, 4)))
        assert np.array_equal(tall[0, :rows], tall[0, rows : 2 * rows])
        assert np.allclose(tall[0, :rows], found[0], rtol=0, atol=1e-14 * found.max())

    def test_many_close_rows(self):
        # More close pairs than are measured at once.
        random = np.random.default_rng(1)
        x = 100 + random.standard_normal((120, 64))
        found = limiting_ntk(x, 32, 1.0)
        for i, j in ((0, 1), (3, 119), (60, 61), (118, 119)):
            exact = entry_by_definition(x[i], x[j], 32, 1)
            assert abs(exact - mpmath.mpf(found[i, j])) <= 1e-14 * exact

    @given(power=st.sampled_from([-500, -300, -60, 3, 400]))
    def test_scales_like_powers_of_two(self, power):
        x = np.random.default_rng(3).standard_normal((3, 5))
        found = limiting_ntk(x, 4, 0.5)
        assert np.array_equal(limiting_ntk(np.ldexp(x, power), 4, 0.5), np.ldexp(found, 2 * power))
        crossed = limiting_ntk(np.ldexp(x, power), 4, 0.5, np.ldexp(x, -power))
        assert np.array_equal(crossed, limiting_ntk(x, 4, 0.5, x))

    def test_extreme_sizes(self):
        x = np.array([[3e300, 4e300], [4e-310, -3e-310], [0, 0]])
        y = np.array([[3e-300, 4e-300]])
        found = limiting_ntk(x, 2, 0.5, y)
        assert found[0, 0] == pytest.approx(50, rel=1e-14)
        assert found[1, 0] == 0
        with pytest.raises(OverflowError, match="limiting_ntk is too large for a float"):
            limiting_ntk(x, 2, 0.5)
        value = limiting_ntk([[1e300]], 2, 0.5, digits=20)[0, 0]
        assert mpmath.almosteq(value, 2 * mpmath.mpf(1e300) ** 2, 1e-15)

    def test_zero_rows_and_empty_inputs(self):
        x = [[0, 0], [1, 2], [0, -0.0]]
        for found in (limiting_ntk(x, 3, 0.5), limiting_ntk(x, 3, 0.5, digits=20)):
            assert np.array_equal(found != 0, [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
        assert limiting_ntk(np.zeros((0, 2)), 3, 0.5).shape == (0, 0)
        assert limiting_ntk(x, 3, 0.5, np.zeros((0, 2))).shape == (3, 0)
        assert np.array_equal(limiting_ntk(np.zeros((2, 0)), 3, 0.5), np.zeros((2, 2)))

    def test_input_is_left_alone(self):
        x = np.random.default_rng(0).standard_normal((5, 3))
        before = x.copy()
        limiting_ntk(x, 5, 0.5, x)
        limiting_ntk(x, 5, 0.5)
        assert np.array_equal(x, before)

    def test_digits_take_exact_numbers(self):
        x = [["0.1", Fraction(1, 3)], [mpmath.mpf(0.25), -2]]
        found = limiting_ntk(x, 3, "0.3", [["0.1", "0.2"]], digits=40)
        assert found.shape == (2, 1)
        rows = [[Fraction(1, 10), Fraction(1, 3)], [Fraction(1, 4), -2]]
        with mpmath.workdps(45):
            for row, value in zip(rows, found[:, 0], strict=True):
                other = [Fraction(1, 10), Fraction(2, 10)]
                exact = entry_by_definition(row, other, 3, Fraction(3, 10))
                assert mpmath.almosteq(value, exact, 1e-40)

    def test_digits_at_parallel_rows(self):
        found = limiting_ntk([[1, 2], [3, 6], [-1, -2]], 5, 1, digits=30)
        with mpmath.workdps(30):
            expected = [[25, 75, 25], [75, 225, 75], [25, 75, 25]]
            for (i, j), value in np.ndenumerate(found):
                assert mpmath.almosteq(value, expected[i][j])

    @each(
        "arguments, message",
        (([1, 2], 2, 1), r"x must have shape \(n, d\), got shape \(2,\)"),
        ((1.0, 2, 1), r"x must have shape \(n, d\), got shape \(\)"),
        (([[1, 2]], 2, 1, [[1]]), r"y must have shape \(m, 2\), got shape \(1, 1\)"),
        (([[1, 2]], 2, 2), r"delta must lie in \[0, 1\], got 2"),
    )
    def test_rejected(self, arguments, message):
        for options in ({}, {"digits": 10}):
            with pytest.raises(ValueError, match=message):
                limiting_ntk(*arguments, **options)


@each("case", *ORACLE["deep"])
def test_neural_tangents(case):
    """Against neural-tangents 0.6.5: its kernel is sigma^2/d times ours, d the dimension.

    Its inputs enter through <x, x'>/d, and every layer, the first included, multiplies by sigma^2.
    On its diagonal the cosine is rounded, and arccos turns an error of 4 half units, 2^-51, into an
    angle of 2^-25; the kernel over its depth l falls by l D/pi for each unit of angle. Elsewhere
    its angles are above 0.5 and as good as its cosines.
    """
    x = np.array(ORACLE["elementwise"]["x"])
    a, b, depth = case["a"], case["b"], case["depth"]
    delta = b * b / (a * a + b * b)
    assert case["W_std"] ** 2 * (a * a + b * b) == pytest.approx(1, rel=1e-15)
    ours = limiting_ntk(x, depth, delta)
    theirs = np.array(case["ntk"]) * x.shape[1] / case["W_std"] ** 2
    norms = np.linalg.norm(x, axis=1)
    error = np.abs(ours - theirs) / (depth * np.outer(norms, norms))
    assert np.diag(error).max() <= depth * delta / np.pi * 2.0**-25 + 1e-14
    assert (error - np.diag(np.diag(error))).max() <= 1e-14


# What digits cost: one evaluation of one formula, and hardly more than that.


@pytest.fixture
def arcs(monkeypatch):
    """The numbers at which an arc sine is taken."""
    seen, original = [], cosine_map_balls._arc_and_gap

    def counted(z):
        seen.append(z)
        return original(z)

    monkeypatch.setattr(cosine_map_balls, "_arc_and_gap", counted)
    return seen


@pytest.mark.parametrize(
    ("value", "layers"),
    [
        (lambda: varrho("0.3", 1, digits=100), 1),
        (lambda: varrho("-0.3", "0.7", digits=100), 1),
        (lambda: varrho("0.999999", "0.7", digits=100), 1),
        (lambda: zeta("0.2", "0.7", digits=100), 1),
        (lambda: zeta("0.9", "0.7", digits=100), 1),
        (lambda: omega("1.7", "0.7", digits=100), 1),
        (lambda: omega("1e9", "0.7", digits=100), 1),
        (lambda: dual_activation("relu", "0.3", digits=100), 1),
        (lambda: limiting_ntk_profile("0.3", 30, "0.7", digits=100), 29),
    ],
)
def test_one_arc_sine_a_layer(arcs, value, layers):
    value()
    assert len(arcs) == layers


@each("name", *CASES)
def test_a_thousand_digits_are_those_of_the_formula(name):
    check(name, 1000)


def test_gaps_of_small_numbers():
    """The series where the closed form cancels, and the closed form before: 8/(3 pi) z^(3/2)."""
    for power in (0, 2, 5, 20, 40, 100, 1000, 10_000):
        z = arb((3, -power - 3))
        _, gap = cosine_map_balls._arc_and_gap(z)
        series = z.hypgeom_2f1(arb(0.5), arb(0.5), arb(2.5))
        assert gap.overlaps(8 * z * z.sqrt() * series / (3 * arb.pi()))
        assert gap.rel_accuracy_bits() > 40
