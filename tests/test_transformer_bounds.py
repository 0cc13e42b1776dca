"""Constants of Theorem 1 of the shallow transformers: floats against formulas, and limits."""

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from numeric import transformer_bounds as numbers
from numeric.attention_smoothness import curvature
from numeric.gaussian_norms import exact_radius, printed_radius
from numeric.subgaussian_proxy import worst_proxy
from symbolic import transformer_bounds as formulas

positive = st.floats(0.1, 5)
triples = st.tuples(positive, positive, positive)


@st.composite
def regimes(draw):
    nu = draw(triples)
    return numbers.Regime(
        m=2 * draw(st.integers(1, 2000)),
        d=draw(st.integers(1, 20)),
        n=draw(st.integers(1, 10**5)),
        activation=draw(triples),
        nu=nu,
        rho=tuple(size * draw(st.sampled_from([1, 1.5, 4])) for size in nu),
        delta=draw(st.floats(0.001, 0.999)),
        delta_prime=draw(st.floats(0.001, 0.999)),
    )


def values(regime, constants):
    """Numbers for the symbols of the formulas."""
    names = {"m": regime.m, "d": regime.d, "n": regime.n, "B": constants.radius}
    names |= {"delta": regime.delta, "delta'": regime.delta_prime, "K": worst_proxy().proxy}
    names |= dict(zip(("sigma_0", "sigma_1", "sigma_2"), regime.activation, strict=True))
    for letter in ("nu", "rho"):
        parts = getattr(regime, letter)
        names |= {f"{letter}_{part}": value for part, value in zip("cuw", parts, strict=True)}
    return names


@functools.cache
def compiled(expression):
    """The names of the symbols, and the formula as a function of them."""
    names = sorted(symbol.name for symbol in expression.free_symbols)
    order = sorted(expression.free_symbols, key=lambda symbol: symbol.name)
    own = {"g": lambda u: curvature(float(u)), "k": largest}
    return names, sp.lambdify(order, expression, modules=[own, "mpmath"], dummify=True)


def evaluate(expression, names):
    wanted, function = compiled(expression)
    return float(function(*(names[name] for name in wanted)))


def largest(first, second):
    """The maximum of (1 - x^2)(a + 2bx) over x in [0, 1], among the ends and the roots."""
    derivative = np.polynomial.Polynomial(
        [2 * float(second), -2 * float(first), -6 * float(second)]
    ).roots()
    points = np.array([0, 1, *(x for x in derivative.real if 0 <= x <= 1)], dtype=float)
    return float(((1 - points**2) * (float(first) + 2 * float(second) * points)).max())


PRINTED, SHARP = formulas.printed_formulas(), formulas.sharp_formulas()
LOSSES = (
    (numbers.loss_bound, formulas.loss_formula()),
    (numbers.average_loss_bound, formulas.average_loss_formula()),
    (numbers.sharp_loss_bound, formulas.sharp_loss_formula()),
)


@given(regimes())
def test_printed_constants_are_the_formulas(regime):
    constants = numbers.printed_constants(regime)
    for name, formula in PRINTED.items():
        expected = evaluate(formula, values(regime, constants))
        assert getattr(constants, name) == pytest.approx(expected, rel=1e-12), name


@given(regimes())
def test_sharp_constants_are_the_formulas(regime):
    constants = numbers.sharp_constants(regime)
    for name, formula in SHARP.items():
        expected = evaluate(formula, values(regime, constants))
        assert getattr(constants, name) == pytest.approx(expected, rel=1e-12), name


@given(regimes())
def test_radii_are_those_of_the_initialisation(regime):
    shift = regime.rho[1] / math.sqrt(regime.m)
    arguments = (regime.d, regime.m, regime.delta_prime)
    printed = numbers.printed_constants(regime).radius - shift
    assert printed == pytest.approx(printed_radius(*arguments), rel=1e-12)
    assert numbers.sharp_constants(regime).radius - shift == pytest.approx(exact_radius(*arguments))


@given(regimes(), st.floats(0, 9))
def test_a_measured_radius_replaces_the_bound(regime, largest):
    shift = regime.rho[1] / math.sqrt(regime.m)
    for constants in (numbers.printed_constants, numbers.sharp_constants):
        assert constants(regime, largest).radius == pytest.approx(largest + shift)


@given(regimes())
def test_sharp_constants_are_smaller(regime):
    printed, sharp = numbers.printed_constants(regime), numbers.sharp_constants(regime)
    for name in PRINTED:
        assert getattr(sharp, name) < getattr(printed, name), name


@given(regimes(), st.integers(1, 10**6))
def test_loss_bounds_are_the_formulas(regime, steps):
    constants = numbers.sharp_constants(regime)
    names = values(regime, constants) | {
        "f_max": constants.output,
        "y_max": constants.target,
        "E": constants.error,
        "A": constants.gradient,
        "eta": 1 / (4 * constants.gradient**2),
        "B_lin": constants.linearisation,
        "tau": steps,
    }
    for function, formula in LOSSES:
        assert function(constants, steps) == pytest.approx(evaluate(formula, names), rel=1e-9)


@given(regimes(), st.integers(1, 10**6), st.floats(0.01, 0.99))
def test_sharp_bound_solves_its_inequality(regime, steps, share):
    """4 eta (1 - eta A^2) x^2 = 4 eta E x + |nu|^2/tau, for every step size."""
    constants = numbers.sharp_constants(regime)
    eta = share / constants.gradient**2
    x = math.sqrt(numbers.sharp_loss_bound(constants, steps, eta))
    right = 4 * eta * constants.error * x + math.hypot(*regime.nu) ** 2 / steps
    assert 4 * eta * (1 - share) * x**2 == pytest.approx(right, rel=1e-9)


@given(regimes(), st.integers(1, 10**6))
def test_average_iterate_adds_twice_the_linearisation(regime, steps):
    constants = numbers.sharp_constants(regime)
    root = math.sqrt(numbers.sharp_average_loss_bound(constants, steps))
    mean = math.sqrt(numbers.sharp_loss_bound(constants, steps))
    assert root - mean == pytest.approx(2 * constants.linearisation, rel=1e-9)
    assert numbers.sharp_step_size(constants) * constants.gradient**2 == pytest.approx(0.25)


def test_errors_fall_like_the_root_of_the_width():
    """Up to the logarithms in B_U: 4^10 times the heads, 2^10 times smaller within its growth."""
    few = numbers.Regime(2**6, 4, 10, (1, 1, 1), (1, 1, 1), (1, 1, 1), 0.1, 0.1)
    many = replace(few, m=2**26)
    for constants in (numbers.printed_constants, numbers.sharp_constants):
        first, last = constants(few, 3.0), constants(many, 3.0)
        # With the radius 3 at initialisation B_U falls from 3 + 1/8 to 3, by 1/24 of its size;
        # the constants are polynomials in B_U of degree at most 2.
        ratio = first.error / last.error / 2**10
        assert 1 < ratio < (1 + 1 / 24) ** 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"m": 3}, "m must be an even integer, got 3"),
        ({"m": 0}, "m must be"),
        ({"d": 0}, "d must be"),
        ({"delta": 1}, r"delta must lie in \(0, 1\)"),
        ({"delta_prime": 0}, r"delta_prime must lie in \(0, 1\)"),
        ({"nu": (1, 1)}, "nu must be three positive numbers"),
        ({"activation": (0, 1, 1)}, "activation must lie in"),
        ({"rho": (1, 0.5, 1)}, "rho must be at least nu"),
    ],
)
def test_bad_regimes_are_named(changes, message):
    good = {"m": 2, "d": 1, "n": 1, "activation": (1, 1, 1), "nu": (1, 1, 1), "rho": (1, 1, 1)}
    with pytest.raises((ValueError, TypeError), match=message):
        numbers.Regime(**(good | changes))


def test_a_step_size_that_is_too_long_is_named():
    constants = numbers.sharp_constants(numbers.Regime(2, 1, 1, (1, 1, 1), (1, 1, 1), (1, 1, 1)))
    with pytest.raises(ValueError, match="step_size must lie in"):
        numbers.sharp_loss_bound(constants, 1, constants.gradient**-2)


@pytest.mark.parametrize("function", [numbers.loss_bound, numbers.sharp_average_loss_bound])
def test_only_constants_are_bounded(function):
    with pytest.raises(TypeError, match="constants must be DescentConstants, got 1"):
        function(1, 1)


@pytest.mark.parametrize("function", [numbers.printed_constants, numbers.sharp_constants])
def test_only_regimes_have_constants(function):
    with pytest.raises(TypeError, match="regime must be a Regime, got 1"):
        function(1)
