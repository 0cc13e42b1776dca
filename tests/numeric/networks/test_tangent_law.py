"""Backpropagation matrices without layer matrices have the law of those with them."""

import numpy as np
from trying import each

from numeric.networks import MLP, backpropagation_matrix, forward_pass
from numeric.networks.tangent_law import sample_backpropagation
from numeric.statistics import two_sample_test

X = np.array([[1.0, 0.0, 2.0], [0.6, 0.8, 0.0]])


@each(
    "widths, a, b",
    ((2, 3, 2), 0.0, 1.0),
    ((3, 5), 0.5, 0.5),
    ((1, 4, 2), 1.0, -0.4),
    ((4, 2, 3, 5), 1.0, 0.3),
)
def test_the_law_is_that_of_matrices(widths, a, b):
    rng = np.random.default_rng(len(widths))
    sampled = sample_backpropagation(X, widths, a, b, rng, 3000)
    mlp = MLP((3, *widths, 1), a, b)
    state = forward_pass(mlp, mlp.sample(rng, 3000), X)
    for k in range(2, mlp.depth + 1):
        B = backpropagation_matrix(state, 2, k)
        products = np.einsum("siab,sjab->sij", B, B)
        pairs = [
            (sampled.activations[:, k - 2, 0, 1], state.inner_products(k)[:, 0, 1]),
            (sampled.products[:, k - 2, 0, 0], products[:, 0, 0]),
            (sampled.products[:, k - 2, 0, 1], products[:, 0, 1]),
            (sampled.norms[:, k - 2, 1], np.linalg.norm(B[:, 1], 2, axis=(-2, -1))),
        ]
        for first, second in pairs:
            # Atoms must not be spread by rounding. 12 tests a shape at 1e-9 each.
            assert two_sample_test(np.round(first, 9), np.round(second, 9)).p_value > 1e-9


def test_batches_are_draws(monkeypatch):
    from numeric.networks import sampling

    whole = sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1), 7)
    assert whole.products.shape == (7, 2, 2, 2)
    assert whole.norms.shape == (7, 2, 2)
    assert sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1)).norms.shape[0] == 1
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", 1)
    single = sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1), 7)
    assert len({float(norm) for norm in single.norms[:, 1, 0]}) == 7
