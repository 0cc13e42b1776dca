"""Projection onto Omega_rho, and projected descent with and without batches."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformer_cases import blocks, sampled
from trying import each

from numeric.networks.transformer import (
    SINE,
    TANH,
    Heads,
    Inputs,
    last_token,
    loss_and_gradient,
    predict,
    project,
    projected_descent,
    symmetric_initialisation,
    uniform_indices,
)

RNG = np.random.default_rng
EPS = np.finfo(float).eps

POINTS = st.builds(
    lambda m, d, seed, scale: (sampled(1, 1, d, m, seed)[0], sampled(1, 1, d, m, seed + 1, scale)[0]),
    m=st.integers(1, 5),
    d=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([0.0, 0.1, 1.0, 5.0]),
)
RADII = st.tuples(*[st.sampled_from([0.0, 0.3, 1.0, 4.0])] * 3)


def inside(point, centre, rho, slack=8 * EPS):
    """Whether all blocks lie in their balls, up to the rounding of a difference of size 10."""
    radii = np.array(rho)[:, None] / np.sqrt(point.m)
    return bool(((point - centre).block_norms() <= radii * (1 + slack) + 20 * slack).all())


class TestProjection:
    @given(POINTS, RADII)
    def test_lands_in_the_set_and_stays_there(self, points, rho):
        centre, shift = points
        found = project(centre + shift, centre, rho)
        assert inside(found, centre, rho)
        again = project(found, centre, rho)
        for a, b in zip(blocks(again), blocks(found), strict=True):
            assert a == pytest.approx(b, abs=64 * EPS)

    @given(POINTS, RADII)
    def test_moves_each_block_along_its_radius_or_not_at_all(self, points, rho):
        """The conditions of optimality: the point minus its projection is a normal."""
        centre, shift = points
        point = centre + shift
        found = project(point, centre, rho)
        radii = np.array(rho) / np.sqrt(point.m)
        for i in range(point.m):
            for block, (z, p, start) in enumerate(
                zip(blocks(point), blocks(found), blocks(centre), strict=True)
            ):
                out, kept = np.ravel(z[i] - start[i]), np.ravel(p[i] - start[i])
                if np.linalg.norm(out) <= radii[block]:
                    assert (z[i] == p[i]).all()
                else:
                    assert np.linalg.norm(kept) == pytest.approx(radii[block], abs=64 * EPS)
                    expected = radii[block] * out / np.linalg.norm(out)
                    assert kept == pytest.approx(expected, abs=64 * EPS)

    @given(POINTS, RADII, st.integers(0, 10**6))
    def test_is_nearest_and_does_not_expand(self, points, rho, seed):
        centre, shift = points
        other = centre + sampled(1, 1, centre.d, centre.m, seed, 2.0)[0]
        point = centre + shift
        first, second = project(point, centre, rho), project(other, centre, rho)
        # <point - P point, member - P point> <= 0 for every member of a convex set.
        slack = 1000 * EPS * (1 + shift.inner(shift)) * point.m * point.d**2
        assert (point - first).inner(second - first) <= slack
        gap, before = first - second, point - other
        assert gap.inner(gap) <= before.inner(before) + slack

    def test_equality_in_the_radius(self):
        centre = Heads([0.0], [[0.0, 0.0]], np.zeros((1, 2, 2)))
        point = Heads([-1.0], [[0.6, 0.8]], [[[0.0, 1.0], [0.0, 0.0]]])
        assert project(point, centre, (1, 1, 1)) is point
        halved = project(point, centre, (0.5, 0.5, 0))
        assert halved.c.tolist() == [-0.5]
        assert halved.U.tolist() == [[0.3, 0.4]]
        assert halved.W.tolist() == np.zeros((1, 2, 2)).tolist()

    def test_the_radius_shrinks_with_the_root_of_m(self):
        centre = Heads(np.zeros(4), np.zeros((4, 1)), np.zeros((4, 1, 1)))
        point = Heads(np.ones(4), np.ones((4, 1)), np.ones((4, 1, 1)))
        found = project(point, centre, (0.2, 0.4, 0.6))
        for block, radius in zip(blocks(found), (0.1, 0.2, 0.3), strict=True):
            assert block == pytest.approx(radius, rel=4 * EPS)


def task(n=6, T=3, d=2, m=8, seed=0):
    rng = RNG(seed)
    inputs = last_token(rng.standard_normal((n, T, d)))
    return symmetric_initialisation(m, d, rng), inputs, rng.standard_normal(n)


class TestDescent:
    def test_steps_by_hand(self):
        start, inputs, labels = task()
        run = projected_descent(start, inputs, labels, TANH, (1, 1, 1), 3, step_size=0.5)
        point, points = start, []
        for s in range(3):
            points.append(point)
            found = loss_and_gradient(point, inputs, labels, TANH)
            assert run.losses[s] == found.loss
            point = project(point - 0.5 * found.gradient, start, (1, 1, 1))
        assert all((a == b).all() for a, b in zip(blocks(run.last), blocks(point), strict=True))
        mean = (1 / 3) * (points[0] + points[1] + points[2])
        for a, b in zip(blocks(run.average), blocks(mean), strict=True):
            assert a == pytest.approx(b, abs=8 * EPS)
        best = points[int(run.losses.argmin())]
        assert (run.best.U == best.U).all()

    def test_the_step_size_of_the_theorem(self):
        start, inputs, labels = task()
        default = projected_descent(start, inputs, labels, TANH, None, 16)
        given_ = projected_descent(start, inputs, labels, TANH, None, 16, step_size=0.25)
        assert (default.losses == given_.losses).all()

    def test_decreases_at_a_small_step(self):
        start, inputs, labels = task(m=32)
        losses = projected_descent(start, inputs, labels, TANH, None, 60, step_size=0.05).losses
        assert (np.diff(losses) < 0).all()
        # A step of size eta lowers the loss by about eta |grad|^2.
        gradient = loss_and_gradient(start, inputs, labels, TANH).gradient
        tiny = 1e-5
        after = projected_descent(start, inputs, labels, TANH, None, 2, step_size=tiny).losses
        assert after[0] - after[1] == pytest.approx(tiny * gradient.inner(gradient), rel=1e-2)

    def test_stays_within_the_radius(self):
        start, inputs, labels = task()
        seen = []
        projected_descent(
            start,
            inputs,
            10 * labels,
            TANH,
            (0.1, 0.2, 0.3),
            30,
            step_size=1.0,
            observe=lambda s, point, found: seen.append((s, point, found.loss)),
        )
        assert [s for s, _, _ in seen] == list(range(30))
        assert all(inside(point, start, (0.1, 0.2, 0.3)) for _, point, _ in seen)
        # Huge labels push every c to the wall.
        assert abs(seen[-1][1].c - start.c) == pytest.approx(0.1 / np.sqrt(8), rel=1e-12)

    def test_threads_and_seeds(self):
        start, inputs, labels = task(n=600)
        runs = [projected_descent(start, inputs, labels, TANH, (1, 1, 1), 5, threads=k) for k in (1, 3)]
        assert (runs[0].losses == runs[1].losses).all()
        assert (runs[0].last.W == runs[1].last.W).all()
        drawn = [
            projected_descent(start, inputs, labels, TANH, (1, 1, 1), 20, rng=RNG(seed)) for seed in (1, 1, 2)
        ]
        assert (drawn[0].losses == drawn[1].losses).all()
        assert (drawn[0].last.U == drawn[1].last.U).all()
        assert (drawn[0].losses != drawn[2].losses).any()

    def test_batches(self):
        start, inputs, labels = task()
        chosen = [[0, 3], [5], [1, 1, 2]]
        run = projected_descent(start, inputs, labels, TANH, None, 3, step_size=0.1, batches=chosen)
        point = start
        for s, batch in enumerate(chosen):
            part = Inputs(inputs.tokens[batch], inputs.queries[batch])
            found = loss_and_gradient(point, part, labels[batch], TANH)
            assert run.losses[s] == found.loss
            errors = predict(point, inputs, TANH)[batch] - labels[batch]
            assert found.loss == pytest.approx(np.mean(errors**2), rel=1e-13)
            point -= 0.1 * found.gradient
        assert (run.last.c == point.c).all()

    def test_one_index_at_a_time_is_uniform(self):
        source = uniform_indices(5, RNG(0))
        counts = np.bincount([next(source)[0] for _ in range(50_000)], minlength=5)
        # Binomial with deviation sqrt(50000 * 0.16) = 89.4; seven of them: 1e-11 for five counts.
        assert abs(counts - 10_000).max() < 7 * 89.5

    def test_on_average_a_stochastic_gradient_is_the_gradient(self):
        start, inputs, labels = task(n=4)
        whole = loss_and_gradient(start, inputs, labels, SINE).gradient
        each = [loss_and_gradient(start, inputs.take([j]), labels[[j]], SINE).gradient for j in range(4)]
        for k, block in enumerate(blocks(whole)):
            expected = sum(blocks(one)[k] for one in each) / 4
            assert block == pytest.approx(expected, abs=100 * EPS)


START, INPUTS, LABELS = task()


def descend(**changes):
    usual = {"rho": (1, 1, 1), "steps": 2, **changes}
    return projected_descent(START, INPUTS, LABELS, TANH, **usual)


REFUSALS = {
    "rho of two": (lambda: descend(rho=(1, 1)), "rho must have shape (3,)"),
    "rho negative": (lambda: project(START, START, (1, -1, 1)), "rho must lie in [0, infinity)"),
    "both": (lambda: descend(batches=[[0]] * 2, rng=RNG(0)), "batches must be None"),
    "index": (lambda: descend(batches=[[6]] * 2), "batches must be an integer in [0, 5], got 6"),
    "labels": (lambda: projected_descent(START, INPUTS, [1.0], TANH, None, 1), "labels must have shape"),
    "runs away": (lambda: descend(rho=None, steps=50, step_size=1e160), "must lie in"),
    "centre": (lambda: project(START, task(m=2)[0], (1, 1, 1)), "initial must be parameters"),
}


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@each("call, complaint", *REFUSALS.values())
def test_refusals(call, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        call()
