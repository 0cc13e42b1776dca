"""The teacher of the experiments: bounds, labels by the formula, transported parameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformer_cases import blocks
from trying import each

from numeric.networks.transformer import (
    ERF,
    TANH,
    Heads,
    Inputs,
    Teacher,
    clipped_tokens,
    features,
    linear_model,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
    transported,
)

RNG = np.random.default_rng
EPS = np.finfo(float).eps


def test_tokens_are_scaled_down_to_norm_one():
    inputs = clipped_tokens(4000, 3, 2, RNG(0))
    norms = np.linalg.norm(inputs.tokens, axis=2)
    assert norms.max() <= 1 + 2 * EPS
    assert (inputs.queries == inputs.tokens[:, -1]).all()
    # P(|N(0, I_2)| <= 1) = 1 - e^(-1/2); 12000 draws at seven deviations of 0.0045.
    short = np.mean(norms < 1 - 4 * EPS)
    assert abs(short - (1 - np.exp(-0.5))) < 7 * 0.0045
    # Directions are uniform: the mean of cos^2 is 1/2, with deviation 0.36/sqrt(12000) = 0.0033.
    cosines = inputs.tokens[..., 0] / norms
    assert abs(np.mean(cosines**2) - 0.5) < 7 * 0.0033


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3), st.integers(0, 10**6))
def test_one_head_and_one_anchor_at_a_time(R, T, d, seed):
    """The transport map from its definition, anchor by anchor."""
    rng = RNG(seed)
    nu = rng.choice([0.0, 0.02, 0.5, 3.0], 3)
    teacher = sample_teacher(R, T, d, nu, ERF, rng)
    heads = sample_heads(3, d, rng)
    found = teacher.transport(heads)
    sigma_0, sigma_1, _ = ERF.bounds
    for i in range(3):
        head = heads.heads(i, i + 1)
        for k, block in enumerate(blocks(found)):
            total = 0
            for r in range(R):
                X = Inputs(teacher.anchors.tokens[[r]], teacher.anchors.queries[[r]])
                phi = blocks(features(head, X, ERF))[k][0, 0]
                if k == 2:
                    norm = np.linalg.norm(phi)
                    total = total + (phi if norm <= nu[2] else phi * nu[2] / norm)
                else:
                    total = total + phi * nu[k] / (sigma_0, sigma_1)[k]
            assert block[i] == pytest.approx(total / R, abs=20 * EPS)


@given(st.integers(1, 3), st.integers(0, 10**6), st.sampled_from([TANH, ERF]))
def test_is_bounded(d, seed, activation):
    rng = RNG(seed)
    nu = (0.5, 2.0, 0.05)
    heads = sample_heads(50, d, rng)
    heads = Heads(heads.c, 30 * heads.U, heads.W)
    norms = sample_teacher(3, 4, d, nu, activation, rng).transport(heads).block_norms()
    assert (norms.max(axis=1) <= np.array(nu) * (1 + 8 * EPS)).all()


def test_labels_are_the_average_over_the_pool():
    rng = RNG(1)
    inputs, pool = clipped_tokens(7, 5, 3, rng), sample_heads(300, 3, rng)
    teacher = sample_teacher(4, 5, 3, (3, 2, 0.1), TANH, rng)
    v, phi = teacher.transport(pool), features(pool, inputs, TANH)
    products = sum(
        (a * b).reshape(7, 300, -1).sum(axis=2) for a, b in zip(blocks(phi), blocks(v), strict=True)
    )
    # 300 products of size at most 10 in another order.
    assert teacher.labels(pool, inputs) == pytest.approx(products.mean(axis=1), abs=300 * EPS)


def test_the_linear_model_at_transported_parameters_is_a_mean_over_heads():
    """f_lin(X; phi~) is the average of <phi(X), v> over the heads, whatever their signs."""
    rng = RNG(2)
    inputs = clipped_tokens(9, 4, 3, rng)
    teacher = sample_teacher(2, 4, 3, (3, 2, 1), TANH, rng)
    start = symmetric_initialisation(40, 3, rng)
    moved = transported(start, teacher.transport(start))
    assert linear_model(start, moved, inputs, TANH) == pytest.approx(
        teacher.labels(start, inputs), abs=40 * EPS * 10
    )
    distances = np.sqrt(40) * (moved - start).block_norms()
    assert distances == pytest.approx(teacher.transport(start).block_norms(), abs=100 * EPS)


def test_no_bound_no_map():
    rng = RNG(3)
    teacher = Teacher(clipped_tokens(2, 1, 2, rng), (0, 0, 0), TANH)
    assert (teacher.transport(sample_heads(4, 2, rng)).block_norms() == 0).all()


@each(
    "call, complaint",
    (lambda: clipped_tokens(0, 1, 1, RNG(0)), "n must be a positive integer"),
    (lambda: sample_teacher(0, 1, 1, (1, 1, 1), TANH, RNG(0)), "R must be a positive integer"),
    (lambda: sample_teacher(1, 1, 1, (1, -1, 1), TANH, RNG(0)), "nu must lie in"),
    (lambda: sample_teacher(1, 1, 1, (1, 1), TANH, RNG(0)), "nu must have shape"),
    (
        lambda: sample_teacher(1, 1, 1, (1, 1, 1), TANH, RNG(0)).transport(
            sample_heads(1, 2, RNG(0))
        ),
        "inputs must have dimension",
    ),
)
def test_refusals(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
