"""Derivatives of one head along a line of its parameters, against floats."""

import numpy as np
import pytest
from trying import each

from theorems.shallow_transformer.analysis.one_head.head_on_a_line import HeadOnALine


@each("T, order", (1, 1), (2, 1), (3, 1), (2, 2), (3, 2))
def test_derivatives_of_a_line_by_differences(T, order):
    """Symbolic derivatives at random values, against central differences of the softmax mean."""
    rng = np.random.default_rng(T + 10 * order)
    A, B, s, logits = rng.standard_normal((4, T))

    def z(t):
        odds = np.exp(logits + t * s)
        return odds @ (A + t * B) / odds.sum()

    head = HeadOnALine(T)
    weights = np.exp(logits) / np.exp(logits).sum()
    values = dict(zip([*head.A, *head.moved, *head.s], [*A, *B, *s], strict=True))
    values |= dict(zip(head.weights[:-1], weights, strict=False))
    h = 1e-3
    steps = {1: (z(h) - z(-h)) / (2 * h), 2: (z(h) - 2 * z(0) + z(-h)) / h**2}
    # Errors of order h^2 times higher derivatives, which are below 100 here.
    assert float(head.derivative(order).subs(values)) == pytest.approx(steps[order], abs=1e-4)
