"""Theorem 28 as an algorithm: its radii against the tails, its bounds against sampled networks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from trying import each

from numeric.concentration import (
    backpropagation_product_tail,
    backpropagation_radius,
    derivative_product_tail,
    distance_tail,
    last_layer_radius,
    norm_tail,
)
from numeric.cosine_maps import delta_phi, limiting_ntk, varrho, varrho_prime, zeta
from numeric.networks import MLP, backpropagation_matrix, forward_pass, ntk_matrix, sample_ntk
from theorems.eoc_mlp.all_layers.theorem_28.algorithm import count_of_tails, ntk_concentration_bound
from theorems.eoc_mlp.all_layers.theorem_28.layer_radii import (
    layer_radii,
    norm_bounds,
    square_radius,
    sum_radius,
)

SLOPES = [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0), (0.7, -0.4)]
PAIR = [[1.0, 0.3], [0.3, 1.0]]
widths, levels, shares = st.integers(1, 10**6), st.floats(0.1, 50), st.floats(0, 1)


def gram(*angles):
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    cosines = np.clip(x @ x.T, -1, 1)
    np.fill_diagonal(cosines, 1.0)
    return x, (cosines + cosines.T) / 2


class TestRadii:
    @given(widths, levels, shares)
    def test_tails_at_their_radii(self, width, level, delta):
        radii = layer_radii(width, level, delta)
        two_sided = 2 * np.exp(-level)
        assert norm_tail(radii.norm, width, delta) == pytest.approx(two_sided, rel=1e-9)
        if delta > 1e-6:
            slope = sum_radius(level, radii.length**2 / (4 * width), 0.0)
            tail = derivative_product_tail(slope, width, delta)
            assert tail == pytest.approx(two_sided, rel=1e-9)
        operator = backpropagation_radius(level, 2.0, 3.0, width, delta)
        wanted = 2 * (1 + radii.stretch) + 3 * radii.noise
        assert operator == pytest.approx(wanted, rel=1e-12)

    @given(widths, levels, shares, st.floats(0.01, 0.99))
    def test_squares_are_sharper_than_the_propositions(self, width, level, delta, z):
        """The radius of Proposition 19, and the window of Proposition 12, contain ours."""
        radii = layer_radii(width, level, delta)
        assert backpropagation_product_tail(radii.above, width, delta) >= 1.999 * np.exp(-level)
        image = float(zeta(z, delta))
        t = brentq(
            lambda t: np.log(max(distance_tail(t, z, width, delta), 1e-300)) - np.log(2) + level, *(0, 1e6)
        )
        assert (1 + t) ** 2 * image >= (image + radii.above * z) * (1 - 1e-9)
        if t < 0.26:  # (1 - t)² ≤ 1 - √3 t for t ≤ 2 - √3, and √6 is √3 √2
            assert (1 - t) ** 2 * image <= (image - radii.below * z) * (1 + 1e-9)

    @given(st.floats(0, 1e3))
    def test_square_radius_solves_its_cubic(self, h):
        x = np.cbrt(1 + square_radius(h))
        # x = 1 is a double root at h = 0, so that rounding moves x by its square root.
        assert (x - 1) ** 2 * (x + 2) / 2 == pytest.approx(h * h, rel=1e-9, abs=1e-15)

    def test_ranges_of_slopes(self):
        """Squares of slopes of the absolute value are 1, of the ReLU 0 or 2."""
        assert layer_radii(7, 2.0, 1.0).own_length == 0
        assert layer_radii(7, 2.0, 0.5).own_length == 2
        assert layer_radii(7, 2.0, 0.0).length == layer_radii(7, 2.0, 0.0).own_length == 0
        assert layer_radii(7, 2.0, 0.8).kappa_squared == pytest.approx(1.8)

    @given(widths, levels, shares)
    def test_squares_from_below(self, width, level, delta):
        """M x²μ²/(2ν) is the level, for ν = 3 kappa^4."""
        radii = layer_radii(width, level, delta)
        exponent = width * radii.below**2 / (2 * 3 * radii.kappa_squared**2)
        assert exponent == pytest.approx(level, rel=1e-12)

    @given(levels, st.floats(0, 100), st.floats(0, 100))
    def test_sums(self, level, variance, scale):
        t = sum_radius(level, variance, scale)
        wanted = 2 * level * (variance + scale * t)
        assert t * t == pytest.approx(wanted, rel=1e-12, abs=1e-300)

    @given(shares, st.floats(1, 20))
    def test_norms(self, delta, level):
        """Two layers of widths 900 and 3600, by hand; ten layers gain by the sum of squares."""
        shape = [900 * k * k for k in range(1, 11)]
        bounds = norm_bounds([layer_radii(width, level, delta) for width in shape], level)
        kappa2 = 1 + 2 * np.sqrt(delta * (1 - delta))
        ratios = [np.sqrt(2 * kappa2 * level / width) for width in shape]
        total = 1 / 900 + 1 / 3600
        top = np.exp(np.sqrt(2 * kappa2 * level * total))
        square = 1 - top**2 * np.sqrt(6 * (1 + (kappa2 - 1) ** 2) * level * total)
        low = max((1 - ratios[0]) * (1 - ratios[1]), np.sqrt(max(0, square)))
        high = min((1 + ratios[0]) * (1 + ratios[1]), top)
        assert bounds[0] == pytest.approx([1, 1])
        assert bounds[2] == pytest.approx([low, high], rel=1e-12)
        assert bounds[-1, 1] < np.prod(1 + np.array(ratios))

    def test_count(self):
        # one input, two layers: a ratio, a norm, a product and a form of the last layer
        assert count_of_tails(1, 2) == 2 + 2 + 2 + 2
        # two inputs: twice the norms, a proxy, a difference, three products and three forms
        assert count_of_tails(2, 2) == 8 + 4 + 6 + 6
        # three layers: twice the layer, three pairs k1 <= k2 of products, one with two norms
        assert count_of_tails(2, 3) == 2 * 12 + 3 * 6 + 2 + 6


class TestTwoLayers:
    """Depth 2, where everything can be written down."""

    @each("rho, delta", (0.3, 1.0), (-0.6, 0.5), (0.9, 0.2), (-0.95, 0.05))
    def test_by_hand(self, rho, delta):
        m, s = 10**5, 2.0
        level = s + np.log(count_of_tails(2, 2))
        radii = layer_radii(m, level, delta)
        bound = ntk_concentration_bound([[1, rho], [rho, 1]], 2, m, delta, s)
        z = (1 - rho) / 2
        image = float(zeta(z, delta))
        gap = min(radii.norm, radii.above * np.sqrt(z) / (1 - radii.norm))
        low = (image - radii.below * z - gap**2) / (1 + radii.norm) ** 2
        high = (image + radii.above * z) / (1 - radii.norm) ** 2
        assert bound.cosines[1, :, 0, 1] == pytest.approx([1 - 2 * high, 1 - 2 * low], rel=1e-12)
        slope, spread = float(varrho_prime(rho, delta)), radii.length * np.sqrt(level / m / 2)
        ends = sorted(rho * (slope + sign * spread) for sign in (-1, 1))
        norms = norm_bounds([radii], level)[1] ** 2
        products = [size * (1 - 2 * d) for size in norms for d in (low, high)]
        limit = float(varrho(rho, delta)) + rho * slope
        mean = max(ends[1] + max(products) - limit, limit - ends[0] - min(products))
        assert bound.mean[0, 1] == pytest.approx(mean, rel=1e-12)
        kappa = np.sqrt(m) * radii.noise
        own = radii.own_length * np.sqrt(level / m / 2)
        frobenius = abs(rho) * kappa / np.sqrt(m) * np.sqrt(1 + own)
        operator = abs(rho) * kappa**2 / m
        last = 2 * frobenius * np.sqrt(level) + 2 * operator * level
        assert bound.last_layer[0, 1] == pytest.approx(last, rel=1e-12)
        several = ntk_concentration_bound([[1, rho], [rho, 1]], 2, m, delta, s, output_dim=3)
        wanted = last_layer_radius(level, frobenius, operator, 3)
        assert several.last_layer[0, 1] == pytest.approx(wanted, rel=1e-12)
        rounding = bound.entries - bound.mean - bound.last_layer
        assert np.all((rounding > 2.0**-26) & (rounding < 2.0**-23))
        assert bound.total == pytest.approx(np.linalg.norm(bound.entries, 2) / 2, rel=1e-6)


class TestThreeLayers:
    @each("rho, delta", (0.3, 1.0), (-0.6, 0.5), (0.9, 0.2), (-0.8, 0.9))
    def test_products_by_hand(self, rho, delta):
        """X'_{2,3} of two inputs and the norm of B_{2,3}, written out once more."""
        m, s = 10**4, 2.0
        level = s + np.log(count_of_tails(2, 3))
        first, second = layer_radii(m, level, delta), layer_radii(4 * m, level, delta)
        bound = ntk_concentration_bound([[1, rho], [rho, 1]], 3, m, delta, s)
        kappa2 = 1 + 2 * np.sqrt(delta * (1 - delta))
        frobenius2 = 1 + first.own_length * np.sqrt(level / (2 * m))
        operator = np.sqrt(kappa2 / m)
        slopes = [float(varrho_prime(r, delta)) for r in (rho, float(varrho(rho, delta)))]
        ends = [float(varrho_prime(r, delta)) for r in bound.cosines[1, :, 0, 1]]
        off = max(abs(end - slopes[1]) for end in ends)
        low, high = bound.cosines[1, :, 0, 1]
        flattest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        dependence = delta * 4 / np.pi * np.sqrt(1 - flattest**2) * operator**2
        squares = kappa2 * frobenius2
        variance = slopes[1] ** 2 * first.length**2 / (4 * m) + 3 * squares**2 / (4 * m)
        scale = 2 * squares / (4 * m)
        t = level * scale + np.sqrt((level * scale) ** 2 + 2 * level * variance)
        radius = off * frobenius2 + dependence + t
        wanted = slopes[0] * slopes[1] + radius * np.array([-1, 1])
        assert bound.products[0, :, 0, 1] == pytest.approx(wanted, rel=1e-10)
        norm = operator * (1 + second.stretch) + np.sqrt(kappa2 * frobenius2 / (4 * m))
        assert bound.operators[0, 0] == pytest.approx(norm, rel=1e-12)

    def test_largest_image_of_an_interval(self):
        """Distances between 0 and 0.81 have the image of 0.69 as their largest, for Δ = 0.8."""
        m, delta, s = 400, 0.8, 1.0
        bound = ntk_concentration_bound([[1, 0], [0, 1]], 3, m, delta, s)
        top = (1 - bound.cosines[1, 0, 0, 1]) / 2
        images = np.asarray(zeta(np.linspace(0, top, 100_001), delta))
        assert images.max() > images[-1] + 0.005
        layer = layer_radii(4 * m, s + np.log(count_of_tails(2, 3)), delta)
        high = (images.max() + layer.above * top) / (1 - layer.norm) ** 2
        # The grid misses the maximum by at most its curvature, about 1, times 1e-5 squared.
        assert bound.cosines[2, 0, 0, 1] == pytest.approx(1 - 2 * high, abs=1e-8)

    def test_drift_goes_on(self):
        """At depth 4 the errors of X'_{2,3} enter those of X'_{2,4} with the limiting slope."""
        rho, delta, m, s = 0.3, 0.7, 10**12, 2.0
        three, four = (ntk_concentration_bound([[1, rho], [rho, 1]], depth, m, delta, s) for depth in (3, 4))
        level = s + np.log(count_of_tails(2, 4))
        before = s + np.log(count_of_tails(2, 3))
        # To first order all radii are proportional to the root of the level.
        error = np.diff(three.products[0, :, 0, 1])[0] * np.sqrt(level / before)
        iterate = float(varrho(varrho(rho, delta), delta))
        slope = float(varrho_prime(iterate, delta))
        off = [abs(float(varrho_prime(r, delta)) - slope) for r in four.cosines[2, :, 0, 1]]
        kappa2 = 1 + 2 * np.sqrt(delta * (1 - delta))
        own = 2 * (max(off) + np.sqrt(6 * level / (9 * m)) * kappa2)
        found = np.diff(four.products[0, :, 0, 1])[0]
        assert slope * error < found < slope * error + own


class TestNetworks:
    @each("a, b", *SLOPES)
    @each("angle", 0.05, 1.3, 2.9)
    def test_everything_is_enclosed(self, a, b, angle):
        """One network of widths k² 150 at s = log 10^9: it leaves a bound once in 10^9 times."""
        depth, m, s = 4, 150, np.log(1e9)
        x, cosines = gram(0.0, angle)
        bound = ntk_concentration_bound(cosines, depth, m, float(delta_phi(a, b)), s)
        rng = np.random.default_rng([7, round(100 * angle), SLOPES.index((a, b))])
        mlp = MLP((2, *[m * k * k for k in range(1, depth)], 1), a, b)
        state = forward_pass(mlp, mlp.sample(rng), x)
        for k in range(1, depth + 1):
            low, high = bound.norms[k - 1]
            assert np.all((low <= state.norms(k) + 1e-12) & (state.norms(k) <= high + 1e-12))
            low, high = bound.cosines[k - 1]
            found = state.cosines(k)
            assert np.all((low <= found + 1e-12) & (found <= high + 1e-12))
        for k in range(1, depth):
            B = backpropagation_matrix(state, k + 1, depth)
            found = np.tensordot(B, B, axes=([1, 2], [1, 2]))
            low, high = bound.products[k - 1]
            assert np.all((low <= found + 1e-12) & (found <= high + 1e-12))
            # No operator norm exceeds t exactly if t² I - B*B has a Cholesky factor.
            squares = (bound.operators[k - 1] + 1e-12)[:, None, None] ** 2
            np.linalg.cholesky(squares * np.eye(B.shape[-1]) - B.swapaxes(-1, -2) @ B)

    @each("a, b", *SLOPES)
    @each("outputs", 1, 2)
    def test_kernels(self, a, b, outputs):
        """A hundred kernels of widths k² 4096 at s = log 10^12."""
        depth, m, delta = 3, 4096, float(delta_phi(a, b))
        x, cosines = gram(0.0, 1.2)
        bound = ntk_concentration_bound(cosines, depth, m, delta, np.log(1e12), outputs)
        rng = np.random.default_rng([8, outputs, SLOPES.index((a, b))])
        shape = [m * k * k for k in range(1, depth)]
        kernels = sample_ntk(x, shape, a, b, rng, outputs, size=100, method="law")
        limit = limiting_ntk(x, depth, delta)
        errors = kernels - limit[:, :, None, None] * np.eye(outputs)
        found = np.linalg.norm(errors, 2, axis=(-2, -1))
        assert np.all(found <= bound.entries)
        assert np.max(found / bound.entries) > 0.03  # the bound is not off by orders of magnitude
        whole = np.linalg.norm(ntk_matrix(errors), 2, axis=(-2, -1))
        assert np.all(whole <= bound.total)
        assert bound.limit == pytest.approx(np.linalg.norm(limit, 2) / 2, rel=1e-12)

    def test_the_limit_of_three_inputs(self):
        """The operator norm of the NTK matrix of Definition 23; of more than two inputs."""
        x, cosines = gram(0.0, 0.4, 2.0)
        bound = ntk_concentration_bound(cosines, 3, 4096, 0.5, 3.0)
        wanted = np.linalg.norm(limiting_ntk(x, 3, 0.5), 2) / 3
        assert bound.limit == pytest.approx(wanted, rel=1e-12)

    def test_bounds_are_not_vacuous(self):
        """At a million units the cosines and products are known within a few per cent."""
        bound = ntk_concentration_bound(PAIR, 5, 10**6, 0.5, 3.0)
        for ends in (bound.cosines, bound.norms, bound.products):
            assert np.max(ends[:, 1] - ends[:, 0]) < 0.08
        assert np.all(bound.operators < 0.01)


class TestShape:
    @given(shares, st.integers(2, 12), st.floats(-0.99, 0.99))
    def test_rate_in_the_width(self, delta, depth, rho):
        """Errors are proportional to m^(-1/2) for large m."""
        wide, wider = (
            ntk_concentration_bound([[1, rho], [rho, 1]], depth, m, delta, 3.0).total
            for m in (10**12, 4 * 10**12)
        )
        # The next order is about depth² √(level/m) < 1e-3 of it; rounding adds 2^-26 depth.
        floor = 2.0**-24 * depth
        assert (wide - floor) / 2 * 0.99 <= wider <= wide / 2 * 1.01 + floor

    @given(shares, st.integers(2, 6))
    def test_order_of_the_inputs(self, delta, depth):
        _, cosines = gram(0.0, 0.4, 2.0)
        order = np.array([2, 0, 1])
        first = ntk_concentration_bound(cosines, depth, 5000, delta, 3.0)
        second = ntk_concentration_bound(cosines[order][:, order], depth, 5000, delta, 3.0)
        assert second.entries == pytest.approx(first.entries[order][:, order], rel=1e-12)
        assert second.total == pytest.approx(first.total, rel=1e-9)

    @given(shares, st.integers(2, 6), st.integers(200, 10**6), st.floats(0, 20))
    def test_monotone(self, delta, depth, m, s):
        bound = ntk_concentration_bound(PAIR, depth, m, delta, s)
        assert ntk_concentration_bound(PAIR, depth, 2 * m, delta, s).total <= bound.total
        assert ntk_concentration_bound(PAIR, depth, m, delta, s + 1).total >= bound.total
        assert ntk_concentration_bound(PAIR, depth, m, delta, s, 2).total >= bound.total

    def test_equal_and_opposite_inputs(self):
        """The cosine 1 stays, and so does -1 for the identity (Δ = 0)."""
        same = ntk_concentration_bound(np.ones((2, 2)), 5, 10**4, 1.0, 3.0)
        assert np.all(same.cosines == 1)
        signs = np.array([[1.0, -1.0], [-1.0, 1.0]])
        opposite = ntk_concentration_bound(signs, 3, 10**8, 0.0, 3.0)
        assert np.all(opposite.cosines[:, 1, 0, 1] < -0.99)

    def test_narrow_layers(self):
        bound = ntk_concentration_bound(PAIR, 3, 2, 0.5, 3.0)
        assert bound.total == np.inf
        assert bound.products.shape == (bound.norms.shape[0] - 1, 2, *bound.entries.shape)
        assert bound.limit == pytest.approx(
            ntk_concentration_bound(PAIR, 3, 10**6, 0.5, 3.0).limit, rel=1e-12
        )


@each(
    "arguments, message",
    ({"cosines": [[1, 0.5], [0.4, 1]]}, "cosines must be symmetric"),
    ({"cosines": [[0.9, 0.5], [0.5, 1]]}, "diagonal 1"),
    ({"cosines": [[1, 0.5, 0], [0.5, 1, 0]]}, "cosines must have shape"),
    ({"cosines": np.zeros((0, 0))}, "cosines must have at least one"),
    ({"cosines": [[1, 1.5], [1.5, 1]]}, "cosines must lie in"),
    ({"depth": 1}, "depth must"),
    ({"depth": 1001}, "depth must"),
    ({"m": 0}, "m must"),
    ({"delta": 1.1}, "delta must"),
    ({"s": -1}, "s must"),
    ({"output_dim": 0}, "output_dim must"),
)
def test_refused(arguments, message):
    usual = {"cosines": PAIR, "depth": 3, "m": 1000, "delta": 0.5, "s": 3.0}
    with pytest.raises(ValueError, match=message):
        ntk_concentration_bound(**{**usual, **arguments})
