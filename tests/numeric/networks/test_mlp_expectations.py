"""Laws and means of random MLPs against closed forms, at fixed seeds.

Means are compared at 7 standard errors: a normal deviate goes beyond with probability 2.6e-12.
The samples are skew: with skewness g and N draws the tail at 7 grows at most by about
exp(g 7^3 / (6 sqrt N)), which for g <= 8 and N >= 20000 is below 30. So each comparison raises a
false alarm with probability below 1e-10. ``resolution`` bounds the error bar from above,
relative to the scale of what is compared: what is wrong by more than twice that is found.
"""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlp_cases import EPS, literal_backpropagation_matrix, magnitudes, networks, roundings
from scipy import stats
from trying import each

from numeric.cosine_maps import delta_phi, varrho, varrho_prime
from numeric.networks import (
    MLP,
    Parameters,
    backpropagation_pair,
    backpropagation_products,
    expected_ntk,
    forward_pass,
    jacobian,
    ntk,
    resample_layer,
    sample_ntk,
    sampling,
)

SLOPES = [(0, 1), (0.5, 0.5), (1, 0), (-0.6, 0.3), (0.4, -2)]


def assert_mean(draws, wanted, scale, resolution):
    """Each entry of the mean of ``draws`` is ``wanted`` within 7 standard errors."""
    deviation = draws.std(axis=0, ddof=1)
    third_moment = np.mean((draws - draws.mean(axis=0)) ** 3, axis=0)
    assert (np.abs(third_moment) <= 8 * deviation**3).all()
    error = 7 * deviation / np.sqrt(len(draws))
    assert (error <= resolution * scale).all()
    # The last term is for statistics that do not vary: rounding of a sum of all draws.
    slack = error + 1e-12 * np.abs(draws).max()
    assert (np.abs(draws.mean(axis=0) - wanted) <= slack).all()


def test_weights_are_normal_with_variance_sigma2_over_m_to_the_q():
    a, b, q, m = 0.3, -1.2, (1.0, 2.0, -0.5), 2
    mlp = MLP((3, 4, 6, 2), a, b, q, m)
    theta = mlp.sample(np.random.default_rng(11), size=4000)
    for k, exponent in enumerate(q, start=1):
        assert theta.layer(k).shape == (4000, mlp.widths[k], mlp.widths[k - 1])
        normals = theta.layer(k).ravel() * np.sqrt((a**2 + b**2) * m**exponent)
        # Exact law: the sum of squares is chi^2; 1e-9 in each tail. It resolves 4 per cent.
        chi2 = stats.chi2(normals.size)
        assert chi2.ppf(1e-9) <= np.sum(normals**2) <= chi2.isf(1e-9)
        assert stats.kstest(normals, "norm").pvalue >= 1e-9


@each("a, b", *SLOPES)
def test_mean_kernel_of_an_input_with_itself_is_exact_at_any_width(a, b):
    """E K(x, x) = |x|^2 sum_k m^{q_k - q_l} I: Props. 7, 11, 15, 16 at rho = 1, all together."""
    x, q, m = np.array([[3.0, 4.0]]), (1.5, -1.0, 2.0, 0.5), 2
    rng = np.random.default_rng(101)
    draws = sample_ntk(x, (8, 4, 12), a, b, rng, output_dim=2, size=20000, q=q, m=m)
    total = 25 * sum(2.0 ** (exponent - q[-1]) for exponent in q)
    assert_mean(draws[:, 0, 0], total * np.eye(2), total, resolution=0.08)


@each("a, b", *SLOPES)
def test_mean_kernel_of_two_layers_is_the_limit_at_any_width(a, b):
    """At depth 2, E K(x, y) = |x||y| (varrho(rho) + rho varrho'(rho)): nothing to decouple."""
    cosines = np.array([1.0, 0.6, 0.0, -0.28, -1.0])
    x = np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)
    rho = np.clip(x @ x.T, -1, 1)
    lengths = np.array([1.0, 2.0, 0.5, 1.5, 3.0])
    rng = np.random.default_rng(102)
    draws = sample_ntk(lengths[:, None] * x, (3,), a, b, rng, size=40000)[..., 0, 0]
    scale = np.multiply.outer(lengths, lengths)
    delta = delta_phi(a, b)
    limit = scale * (varrho(rho, delta) + rho * varrho_prime(rho, delta))
    assert_mean(draws, limit, scale, resolution=0.15)


@each("a, b", *SLOPES)
def test_mean_over_the_last_layer_is_proposition_7(a, b):
    mlp = MLP((2, 4, 8, 6, 2), a, b, q=(1.0, 0.0, 0.5, -0.5), m=2)
    rng = np.random.default_rng(103)
    x = rng.normal(size=(2, 2))
    state = forward_pass(mlp, mlp.sample(rng), x)
    heads = mlp.sample_layer(4, rng, 20000)
    frozen = [np.broadcast_to(A, (20000, *A.shape)) for A in state.parameters.matrices[:-1]]
    draws = ntk(forward_pass(mlp, Parameters([*frozen, heads]), x))
    mean = expected_ntk(state)
    diagonal = np.sqrt([mean[0, 0, 0, 0], mean[1, 1, 0, 0]])
    scale = np.multiply.outer(diagonal, diagonal)[..., None, None]
    assert_mean(draws, mean, scale, resolution=0.08)


def fixed_network(a, b, seed):
    mlp = MLP((3, 6, 8, 4, 2), a, b, q=(0.0, 1.0, -0.5, 2.0), m=2)
    rng = np.random.default_rng(seed)
    return forward_pass(mlp, mlp.sample(rng), rng.normal(size=(3, 3))), rng


@each("layer", 1, 2, 3)
@each("a, b", *SLOPES)
def test_means_over_one_layer_are_propositions_11_15_16_17(a, b, layer):
    state, rng = fixed_network(a, b, seed=106)
    draws = resample_layer(state, layer, rng, size=20000)
    rho, tau = state.cosines(layer), state.norms(layer)
    norms, delta = np.multiply.outer(tau, tau), delta_phi(a, b)
    assert_mean(draws.inner_products, norms * varrho(rho, delta), norms, resolution=0.06)
    assert_mean(draws.derivative_products, varrho_prime(rho, delta), 1.0, resolution=0.06)
    for k1, products in draws.backpropagation_products.items():
        before = backpropagation_products(state, k1, layer)
        wanted = varrho_prime(rho, delta) * before
        for i, j in [(0, 1), (0, 2), (1, 2)]:
            pair = backpropagation_pair(state, k1, layer + 1, i, j)
            wanted[i, j] = wanted[j, i] = wanted[i, j] + dependence_error(pair, a, b)
        scale = np.sqrt(np.multiply.outer(np.diag(before), np.diag(before)))
        assert_mean(products, wanted, scale, resolution=0.1)


def dependence_error(pair, a, b):
    """Exact gradient dependence error, from the proof of Proposition 17."""
    M, rho = pair.B1 @ pair.B2.T, pair.rho
    form = pair.xhat1 @ M @ (pair.xhat2 - rho * pair.xhat1)
    form += pair.xhat2 @ M @ (pair.xhat1 - rho * pair.xhat2)
    return delta_phi(a, b) * 2 / np.pi / np.sqrt(1 - rho**2) * form


def test_diagonal_of_proposition_16_is_exact_where_slopes_are_constant_in_square():
    """With a = 0 all slopes have square b^2: X'_{k,k}(x, x) = 1 for every draw."""
    state, rng = fixed_network(0, -3, seed=105)
    draws = resample_layer(state, 3, rng, size=5)
    diagonal = np.diagonal(draws.derivative_products, axis1=1, axis2=2)
    np.testing.assert_allclose(diagonal, 1, rtol=1e-14)


def limiting_profile(rho, delta, depth):
    """Definition 22 for unit inputs, by its recursion in the depth."""
    profile = rho
    for _ in range(depth - 1):
        profile, rho = varrho_prime(rho, delta) * profile, varrho(rho, delta)
        profile = profile + rho
    return profile


@each("a, b", (0, 1), (0.5, 0.5))
def test_kernel_approaches_its_limit_like_one_over_the_root_of_the_width(a, b):
    """The root mean square error falls 4 times from m = 16 to 256 (rate 1/2 of Theorem 28).

    Over 400 draws a root mean square has the relative error sqrt((kurtosis - 1) / 1600): below
    0.1 at m = 16 and 0.05 at m = 256, where the kurtosis is below 17 and 5. So the rate has
    standard deviation below sqrt(0.1^2 + 0.05^2) / log 16 = 0.041; 6.5 of them are 0.27. A wrong
    limit would stop the decay: an offset as large as the error at m = 16 gives a rate of 0.11,
    one of 0.6 of it gives 0.21.
    """
    rho = np.array([[1.0, 0.6], [0.6, 1.0]])
    x = np.array([[1.0, 0.0], [0.6, 0.8]])
    limit = limiting_profile(rho, delta_phi(a, b), depth=4)
    rng = np.random.default_rng(107)
    errors = []
    for m in (16, 256):
        draws = sample_ntk(x, (m, m, m), a, b, rng, size=400)[..., 0, 0]
        errors.append(np.sqrt(np.mean((draws - limit) ** 2, axis=0)))
    rates = np.log(errors[0] / errors[1]) / np.log(16)
    assert (np.abs(rates - 0.5) <= 0.27).all()


# Many draws at once: batches, samples of the kernel, one layer redrawn.


@given(networks(), st.integers(0, 2**32 - 1))
def test_a_batch_of_parameters_gives_what_each_draw_gives(mlp, seed):
    rng = np.random.default_rng(seed)
    theta, x = mlp.sample(rng, size=3), rng.normal(size=(2, mlp.widths[0]))
    batch = forward_pass(mlp, theta, x)
    quantities = [ntk, expected_ntk, jacobian, lambda s: backpropagation_products(s, 2, mlp.depth)]
    for draw in range(3):
        one = forward_pass(mlp, Parameters([A[draw] for A in theta.matrices]), x)
        for quantity in quantities:
            # The sums are the same up to their order.
            scale = np.abs(quantity(magnitudes(one))).max() * max(
                1, (mlp.sigma / magnitudes(one).mlp.sigma) ** 2
            )
            np.testing.assert_allclose(
                quantity(batch)[draw], quantity(one), rtol=0, atol=roundings(mlp) * scale
            )


@pytest.mark.parametrize("floats", [1, 500, 2**22])
def test_sample_ntk_draws_layer_by_layer_batch_by_batch(monkeypatch, floats):
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", floats)
    x = np.array([[1.0, 2.0], [0.0, -1.0], [0.0, 0.0]])
    draws = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), output_dim=2, size=9)
    again = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), output_dim=2, size=9)
    assert draws.shape == (9, 3, 3, 2, 2)
    np.testing.assert_array_equal(draws, again)
    assert len({float(draw[0, 0, 0, 0]) for draw in draws}) == 9
    if floats == 1:
        rng = np.random.default_rng(5)
        singles = [sample_ntk(x, (4, 6), 0.5, 1, rng, output_dim=2) for _ in range(9)]
        np.testing.assert_allclose(draws, singles, rtol=0, atol=64 * EPS * np.abs(draws).max())


@pytest.mark.parametrize("floats", [1, 2**22])
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_resampling_a_layer_is_replacing_its_matrix(monkeypatch, layer, floats):
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", floats)
    mlp = MLP((2, 4, 6, 8, 3), 0.3, -1, q=[1, 2, 0, 1], m=2)
    rng = np.random.default_rng(2)
    state = forward_pass(mlp, mlp.sample(rng), rng.normal(size=(3, 2)))
    draws = resample_layer(state, layer, np.random.default_rng(7), size=4)
    matrices = mlp.sample_layer(layer, np.random.default_rng(7), 4)
    k = layer + 1
    assert list(draws.backpropagation_products) == list(range(2, k))
    for i, A in enumerate(matrices):
        fresh = forward_pass(mlp, state.parameters.replace(layer, A), state.activation(1))
        wanted = {(k, k): draws.derivative_products[i]}
        wanted |= {(k1, k): draws.backpropagation_products[k1][i] for k1 in range(2, k)}
        np.testing.assert_allclose(draws.inner_products[i], fresh.inner_products(k), rtol=1e-11)
        for (k1, k2), product in wanted.items():
            literal = backpropagation_products(fresh, k1, k2)
            np.testing.assert_allclose(product, literal, rtol=0, atol=1e-12 * literal.max())


def test_pair_reports_the_layer_below_and_the_layer_itself():
    mlp = MLP((2, 4, 6, 8, 3), 0.3, -1, q=[1, 2, 0, 1], m=2)
    rng = np.random.default_rng(2)
    state = forward_pass(mlp, mlp.sample(rng), rng.normal(size=(3, 2)))
    pair = backpropagation_pair(state, 2, 4, first=2, second=0)
    x1, x2 = state.activation(3)[2], state.activation(3)[0]
    np.testing.assert_allclose(pair.B1, literal_backpropagation_matrix(state, 2, 2, 3), rtol=1e-12)
    np.testing.assert_allclose(pair.B2, literal_backpropagation_matrix(state, 0, 2, 3), rtol=1e-12)
    np.testing.assert_allclose(pair.xhat1, x1 / np.linalg.norm(x1), rtol=1e-14)
    np.testing.assert_allclose(pair.xhat2, x2 / np.linalg.norm(x2), rtol=1e-14)
    assert pair.rho == pytest.approx(pair.xhat1 @ pair.xhat2, rel=1e-14)
    assert pair.product == pytest.approx(np.trace(pair.B1 @ pair.B2.T), rel=1e-12)
    upper = [literal_backpropagation_matrix(state, i, 2, 4) for i in (2, 0)]
    assert pair.next_product == pytest.approx(np.trace(upper[0] @ upper[1].T), rel=1e-12)


def test_memory_is_that_of_a_batch_not_of_all_draws():
    """All weights would take 266 MiB; of a batch of 32 MiB at most four copies live at once."""
    tracemalloc.start()
    try:
        sample_ntk([[1.0, 2.0, 3.0]], (64, 64), 0, 1, np.random.default_rng(0), size=8000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * 8 * sampling._BATCH_FLOATS < 8000 * 4352 * 8
