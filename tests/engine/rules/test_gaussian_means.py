"""Means of bounded functions of a normal variable: against closed forms, and what is refused."""

import math

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions

from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.gaussian_means import gaussian_mean
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.vocabulary import E, Random, normal

X, Y = Random("X"), Random("Y")
LAW = claimed("normal", normal(X), over={X: X.belongs_to})


def ends(theorem: object) -> tuple[sp.Rational, sp.Rational]:
    """Both ends of the interval in which the mean lies."""
    below, above = theorem.statement.args[1].args  # type: ignore[attr-defined]
    low, high = (below, above) if isinstance(below, sp.Ge) else (above, below)
    return low.rhs, high.rhs


@given(fractions(0, 4, max_denominator=8), st.integers(-3, 3))
def test_characteristic_function(variance: object, frequency: int) -> None:
    low, high = ends(gaussian_mean(LAW, sp.cos(frequency * X) / 3, sp.Rational(variance), bits=60))
    truth = sp.exp(-(sp.Integer(frequency) ** 2) * sp.Rational(variance) / 2) / 3
    assert low <= truth.evalf(40) <= high or sp.Abs(low - truth).evalf(40) < sp.Rational(1, 2**100)
    assert high - low < sp.Rational(1, 2**50)


def test_odd_functions_have_mean_zero() -> None:
    low, high = ends(gaussian_mean(LAW, sp.tanh(X) ** 3 + sp.sin(X), sp.Integer(1), bits=60))
    assert low <= 0 <= high


def test_by_the_rule_of_the_trapezoids() -> None:
    points = [k / 64 for k in range(-640, 641)]
    weights = [math.exp(-x * x / 6) / 64 / math.sqrt(6 * math.pi) for x in points]
    mean = sum(w * math.tanh(x / 2) ** 4 for w, x in zip(weights, points, strict=True))
    low, high = ends(gaussian_mean(LAW, sp.tanh(X / 2) ** 4, sp.Integer(3), bits=60))
    assert abs(float(low) - mean) < 1e-6
    assert abs(float(high) - mean) < 1e-6


def test_the_conclusion_is_for_this_variance_only() -> None:
    mean = gaussian_mean(LAW, sp.cos(X), sp.Integer(2), bits=40)
    goal = sp.Implies(sp.Eq(E(X**2), 2), sp.Le(E(sp.cos(X)), sp.Rational(37, 100)))
    assert follows(goal, [mean], over={X: X.belongs_to})
    for changed in (goal.subs(2, 3), goal.args[1]):
        with pytest.raises(NotProved):
            follows(changed, [mean], over={X: X.belongs_to})


@pytest.mark.parametrize("form", [X, sp.exp(X), 1 / X, sp.tanh(1 / X), sp.cos(sp.I * X)])
def test_unbounded_functions_are_refused(form: sp.Expr) -> None:
    with pytest.raises(TypeError, match="no bound is known"):
        gaussian_mean(LAW, form, sp.Integer(1))


def test_other_laws_variances_and_letters_are_refused() -> None:
    other = claimed("positive", X >= 0, over={X: X.belongs_to})
    with pytest.raises(TypeError, match="must say that a variable is normal"):
        gaussian_mean(other, sp.cos(X), sp.Integer(1))
    for variance in (sp.Integer(-1), sp.sqrt(2)):
        with pytest.raises(ValueError, match="variance must be"):
            gaussian_mean(LAW, sp.cos(X), variance)
    with pytest.raises(ValueError, match="in it"):
        gaussian_mean(LAW, sp.cos(Y), sp.Integer(1))
