"""Constants of Theorem 1 of the shallow transformers: floats against formulas, and limits."""

import math
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric import transformer_bounds as numbers
from numeric.attention_smoothness import curvature
from numeric.gaussian_norms import exact_radius, printed_radius
from numeric.subgaussian_proxy import worst_proxy
from theorems.shallow_transformer.letters.constants import PRINTED

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
    """Numbers for the letters of the formulas."""
    names = {"m": regime.m, "d": regime.d, "n": regime.n, "B": constants.radius}
    names |= {"delta": regime.delta, "delta_prime": regime.delta_prime}
    names |= dict(zip(("sigma_0", "sigma_1", "sigma_2"), regime.activation, strict=True))
    for letter in ("nu", "rho"):
        parts = getattr(regime, letter)
        names |= {f"{letter}_{part}": value for part, value in zip("cuw", parts, strict=True)}
    return names


def largest(coefficients):
    """The maximum of a polynomial over [0, 1], among the ends and the stationary points."""
    value = np.polynomial.Polynomial(coefficients)
    roots = value.deriv().roots()
    points = np.array([0, 1, *(x for x in roots.real if 0 <= x <= 1)], dtype=float)
    return float(value(points).max())


def reach(step, spread):
    """The maximum of step x + (1 - x^2) spread."""
    return largest([spread, step, -spread])


def sharp(m, d, n, B, delta, delta_prime, **bounds):
    """The sharp column of the module, with its maxima over x found once more."""
    zero, one, two = (bounds[f"sigma_{k}"] for k in range(3))
    (nu_c, nu_u, nu_w), (rho_c, rho_u, rho_w) = (
        [bounds[f"{letter}_{part}"] for part in "cuw"] for letter in ("nu", "rho")
    )
    lipschitz, step = one * max(1, B), reach(rho_u, rho_w * B)
    far = reach(nu_u + rho_u, (nu_w + rho_w) * B)
    third = largest([0, 2, 0, -2])  # of a variable on [-1, 1]: 2x(1 - x^2)
    mixed = rho_u * (nu_w + rho_w) + rho_w * (nu_u + rho_u) + B * rho_w * (nu_w + rho_w) * third
    curved = largest([2 * rho_u * rho_w, 2 * B * rho_w**2, -2 * rho_u * rho_w, -2 * B * rho_w**2])
    parts = zero * nu_c + one * nu_u + math.sqrt(worst_proxy().proxy) * one * nu_w
    change = two * step * far + one * (mixed + rho_c * far + step * (rho_c + nu_c))
    linearisation = rho_c * one * step + (two * step**2 + one * curved) / 2
    return {
        "lipschitz": lipschitz,
        "smoothness": two * max(1, B) ** 2 + one * curvature(B),
        "linearisation": linearisation / math.sqrt(m),
        "approximation": 2 * parts * math.sqrt(math.log(2 * n / delta) / m),
        "feature_change": change / math.sqrt(m),
        "output": one * step + zero * rho_c,
        "target": zero * nu_c + one * reach(nu_u, math.sqrt(2 / math.pi) * nu_w),
        "gradient": math.hypot(zero, (1 + rho_c / math.sqrt(m)) * lipschitz),
    }


@given(regimes())
def test_printed_constants_are_the_formulas(regime):
    constants = numbers.printed_constants(regime)
    names = values(regime, constants)
    for name, formula in PRINTED.items():
        expected = float(formula(*(names[letter] for letter in signature(formula).parameters)))
        assert getattr(constants, name) == pytest.approx(expected, rel=1e-12), name


@given(regimes())
def test_sharp_constants_are_the_formulas(regime):
    constants = numbers.sharp_constants(regime)
    for name, expected in sharp(**values(regime, constants)).items():
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
def test_printed_bounds_of_the_loss(regime, steps):
    """(42), and (41) inserted in (43)."""
    constants = numbers.printed_constants(regime)
    residual, errors = constants.output + constants.target, constants.error
    start = sum(size**2 for size in regime.nu)
    descent = (start + 4 * residual**2 * constants.gradient**2) / (4 * math.sqrt(steps))
    expected = descent + residual * errors
    assert numbers.loss_bound(constants, steps) == pytest.approx(expected, rel=1e-9)
    average = 4 * expected + 6 * constants.linearisation**2
    assert numbers.average_loss_bound(constants, steps) == pytest.approx(average, rel=1e-9)


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


@each(
    "changes, message",
    ({"m": 3}, "m must be an even integer, got 3"),
    ({"m": 0}, "m must be"),
    ({"d": 0}, "d must be"),
    ({"delta": 1}, r"delta must lie in \(0, 1\)"),
    ({"delta_prime": 0}, r"delta_prime must lie in \(0, 1\)"),
    ({"nu": (1, 1)}, "nu must be three positive numbers"),
    ({"activation": (0, 1, 1)}, "activation must lie in"),
    ({"rho": (1, 0.5, 1)}, "rho must be at least nu"),
)
def test_bad_regimes_are_named(changes, message):
    good = {"m": 2, "d": 1, "n": 1, "activation": (1, 1, 1), "nu": (1, 1, 1), "rho": (1, 1, 1)}
    with pytest.raises((ValueError, TypeError), match=message):
        numbers.Regime(**(good | changes))


def test_a_step_size_that_is_too_long_is_named():
    constants = numbers.sharp_constants(numbers.Regime(2, 1, 1, (1, 1, 1), (1, 1, 1), (1, 1, 1)))
    with pytest.raises(ValueError, match="step_size must lie in"):
        numbers.sharp_loss_bound(constants, 1, constants.gradient**-2)


@each("function", numbers.loss_bound, numbers.sharp_average_loss_bound)
def test_only_constants_are_bounded(function):
    with pytest.raises(TypeError, match="constants must be DescentConstants, got 1"):
        function(1, 1)


@each("function", numbers.printed_constants, numbers.sharp_constants)
def test_only_regimes_have_constants(function):
    with pytest.raises(TypeError, match="regime must be a Regime, got 1"):
        function(1)
