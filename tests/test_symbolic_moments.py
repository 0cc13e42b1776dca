"""Expectations of polynomials against laws with a few atoms; heads on a line against floats."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symbolic.moments import expected, moment
from symbolic.networks.head_on_a_line import HeadOnALine

x, y, c = sympy.symbols("x y c", real=True)
atoms = st.lists(
    st.tuples(st.integers(1, 5), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=4
)


@given(law=atoms, powers=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4))
def test_expectation_over_atoms(law, powers):
    """The symbols for moments, replaced by the moments of a law, give its expectation."""
    polynomial = sympy.Add(*(c**k * x**i * y**j for k, (i, j) in enumerate(powers)))
    total = sum(w for w, _, _ in law)

    def under(expression):
        values = (w * expression.subs({x: a, y: b}) for w, a, b in law)
        return sympy.Add(*values) / total

    moments = {
        moment(x**i * y**j): under(x**i * y**j) for i in range(4) for j in range(4) if i + j > 0
    }
    difference = expected(polynomial, [x, y]).subs(moments) - under(sympy.sympify(polynomial))
    assert sympy.expand(difference) == 0


def test_expected_refuses():
    with pytest.raises(TypeError, match="variables must"):
        expected(x, [])
    with pytest.raises(TypeError, match="variables must"):
        expected(x, [x + 1])
    with pytest.raises(ValueError, match="expression must"):
        expected(sympy.sin(x), [x])


@pytest.mark.parametrize(("T", "order"), [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)])
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
