"""From errors to tables of the transformers' figures, by data whose answer is known."""

import numpy as np
import pytest

from numeric.networks.transformer import TANH, Heads, linear_model, predict
from theorems.shallow_transformer.experiments.sampled import empirical_kernel
from theorems.shallow_transformer.figures import computed as figures
from theorems.shallow_transformer.figures import lag_sweep, width_sweep

RNG = np.random.default_rng


class TestWidths:
    def table(self, powers):
        """Seeds whose errors are exact powers of the width."""
        widths = np.array(width_sweep.WIDTHS, dtype=float)
        results = [{kind: list(widths**p) for kind in figures.KINDS} for p in powers]
        return figures.width_table([{"steps": 7}] * len(powers), results)

    def test_slopes_and_intervals(self):
        rows = self.table([-0.4, -0.5, -0.6])
        assert len(rows) == len(figures.KINDS) * len(width_sweep.WIDTHS)
        # Student's 95 % quantile for two degrees of freedom is 4.3027.
        reach = 4.3027 * 0.1 / np.sqrt(3)
        for row in rows:
            assert row["slope"] == pytest.approx(-0.5)
            assert row["slope_low"] == pytest.approx(-0.5 - reach, rel=1e-4)
            assert row["slope_high"] == pytest.approx(-0.5 + reach, rel=1e-4)
            assert row["median"] == pytest.approx(row["m"] ** -0.5)
            assert row["steps"] == 7
        assert "m^-0.500" in figures.width_summary(rows)[0]

    def test_errors_of_one_student(self):
        rng = RNG(0)
        found = width_sweep.errors_by_width(10, 50, 2, rng)
        assert set(found) == set(figures.KINDS)
        for errors in found.values():
            assert len(errors) == len(width_sweep.WIDTHS)
            assert min(errors) > 0

    def test_linearisation_error_is_a_supremum(self):
        rng = RNG(1)
        task = width_sweep.sample_task(6, 20, rng, length=3)
        start = width_sweep.symmetric_initialisation(4, 8, rng)
        step = Heads(*(rng.standard_normal(one.shape) for one in (start.c, start.U, start.W)))
        gaps = predict(start + step, task.inputs, TANH) - linear_model(start, start + step, task.inputs, TANH)
        error = width_sweep.linearisation_error(task.inputs, start, step)
        assert error == pytest.approx(abs(gaps).max(), rel=1e-12)

    def test_the_smallest_loss_is_below_the_first(self):
        rng = RNG(2)
        task = width_sweep.sample_task(6, 20, rng, length=3)
        start = width_sweep.symmetric_initialisation(16, 8, rng)
        loss = width_sweep.smallest_loss(task, start, 50)
        # The output at the start is 0.
        assert loss < np.mean(task.labels**2)
        assert width_sweep.smallest_loss(task, start, 1) == pytest.approx(np.mean(task.labels**2))


def test_kernel_descent_is_what_wide_students_do():
    """One step of descent lowers the residuals by (2 eta/n) K y, up to the fluctuation of K."""
    rng = RNG(3)
    task = width_sweep.sample_task(5, 200, rng, length=4)
    pool = width_sweep.sample_heads(20_000, 8, rng)
    K = empirical_kernel(pool, task.inputs)
    start = width_sweep.symmetric_initialisation(4000, 8, rng)
    gradient = width_sweep.projected_descent(start, task.inputs, task.labels, TANH, None, 1, step_size=0.01)
    outputs = predict(gradient.last, task.inputs, TANH)
    expected = 0.01 * 2 / 5 * K @ task.labels
    # K has entries of size 1 and deviates by sqrt(2/4000) + sqrt(1/20000) < 0.03; seven of them.
    assert outputs == pytest.approx(expected, abs=7 * 0.03 * 0.004 * abs(task.labels).sum())
    assert abs(expected).max() > 0.01 * 0.004 * abs(task.labels).max()


class TestLags:
    def test_means_over_seeds(self):
        cases = [{"lag": lag} for lag in (2, 4) for _ in range(2)]
        results = [{"recurrent": [1.0 * k, 2.0], "transformer": [5.0, 0.5 * k]} for k in (1, 3, 2, 6)]
        rows = figures.lag_table(cases, results)
        assert [(row["network"], row["lag"]) for row in rows] == [
            *(("recurrent", 2), ("recurrent", 4)),
            *(("transformer", 2), ("transformer", 4)),
        ]
        assert [row["norm"] for row in rows] == [2, 4, 5, 5]
        assert [row["loss"] for row in rows] == [2, 2, 1, 2]
        # Student's 95 % quantile for one degree of freedom is 12.706.
        assert rows[0]["norm_reach"] == pytest.approx(12.7062, rel=1e-4)
        assert "L = 2: largest norm 2" in figures.lag_summary(rows)[0]

    def test_both_networks_see_the_same_data(self):
        found = lag_sweep.compare(3, 25, 4, RNG(0), width=4)
        alone = lag_sweep.recurrent_run(3, 25, 4, RNG(0), 4)
        assert found["recurrent"] == list(alone)
        for norm, loss in found.values():
            assert norm > 0
            # At the start both networks vanish.
            assert loss <= np.mean(lag_sweep._data(3, 25, RNG(0))[1][1] ** 2)

    def test_a_fifth_validates(self):
        train, check = lag_sweep._data(3, 25, RNG(0))
        assert (len(train[1]), len(check[1])) == (20, 5)
        assert train[0].shape == (20, 4, 17)


def test_paper_sizes():
    assert figures.width_cases(figures.Size.PAPER)[0] == {"n": 5000, "steps": 4000, "pool": 8192, "repeat": 0}
    assert len(figures.width_cases(figures.Size.PAPER)) == 10
    paper = figures.lag_cases(figures.Size.PAPER)
    assert {(case["n"], case["steps"]) for case in paper} == {(5000, 2000)}
    assert len(paper) % 20 == 0
