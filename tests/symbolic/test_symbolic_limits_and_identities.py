"""Expansion at infinity, conditioning, rendering."""

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, pi
from trying import each

from symbolic.cosine_maps import derive_omega_expansion, omega, omega_expansion
from symbolic.equality import equal
from symbolic.gaussian import conditional_covariance, conditional_mean
from symbolic.notation import DELTA, DOMAIN, latex, u1, w

TINY = Rational(1, 10**25)
POWERS = st.integers(0, 3)
RATES = st.fractions(-1, 1, max_denominator=4)


@given(st.fractions(0, 1, max_denominator=10), st.integers(1, 6))
def test_expansion_closes_in_at_its_rate(share, order):
    """The remainder times w^order tends to the next coefficient: compared at two distances."""
    with mpmath.workdps(60):
        scaled = []
        for distance in (10**4, 10**5):
            gap = omega(distance, share) - omega_expansion(distance, share, order)
            scaled.append(mpmath.mpf(sympy.N(gap, 60)) * mpmath.mpf(distance) ** order)
        # The next two coefficients are below 1 for Delta <= 1, so the two values differ by
        # less than 2 / 10^4.
        assert abs(scaled[0] - scaled[1]) < 2e-4
        assert abs(scaled[0]) < 25


@each("order", 1, 2, 4)
def test_expansion_is_derived_and_disputed_coefficients_rejected(order):
    truth = derive_omega_expansion(order)
    assert [step.answer for step in truth.check()] == [True, True]
    terms = omega_expansion(w, DELTA, order)
    for wrong in (terms + TINY * w ** (1 - order), -terms, terms.subs(DELTA, -DELTA), w):
        assert truth.claiming(wrong).check()[1].answer is False


def test_first_coefficients():
    assert equal(omega_expansion(w, DELTA, 1), w + 4 * DELTA / (3 * pi), DOMAIN) is True
    second = omega_expansion(w, DELTA, 2) - omega_expansion(w, DELTA, 1)
    assert equal(second, 8 * DELTA**2 / (3 * pi**2 * w), DOMAIN) is True
    with pytest.raises(ValueError, match="order must be an integer at least 1, got 0"):
        omega_expansion(w, DELTA, 0)


@given(st.integers(0, 2**32 - 1))
def test_conditioning_against_linear_least_squares(seed):
    """The conditional mean is the least squares fit, the covariance what it leaves."""
    dice = np.random.default_rng(seed)
    root = dice.integers(-3, 4, size=(4, 7))
    joint = root @ root.T
    if abs(np.linalg.det(joint[:2, :2])) < 0.5:
        return
    point = dice.integers(-3, 4, size=(2, 1))
    u_part, cross, v_part = joint[:2, :2], joint[2:, :2], joint[2:, 2:]
    fit = np.linalg.lstsq(root[:2].T, root[2:].T, rcond=None)[0].T
    rest = root[2:] - fit @ root[:2]
    mean = np.array(conditional_mean(cross, u_part, point).tolist(), dtype=float)
    covariance = conditional_covariance(v_part, cross, u_part)
    # Condition numbers of integer Gram matrices with determinant >= 1 and trace <= 126: at most
    # 126^2, so least squares is accurate to 1e-10.
    assert np.allclose(mean, fit @ point, atol=1e-8, rtol=0)
    leftover = np.array(covariance.tolist(), dtype=float)
    assert np.allclose(leftover, rest @ rest.T, atol=1e-8, rtol=0)


def test_conditioning_refuses_bad_covariances():
    with pytest.raises(ValueError, match="sigma_u must be invertible"):
        conditional_mean([[1, 1]], [[1, 1], [1, 1]], [[1], [1]])
    with pytest.raises(ValueError, match="sigma_u must be square"):
        conditional_mean([[1, 1]], [[1, 1]], [[1], [1]])
    with pytest.raises(ValueError, match=r"u must have shape \(1, 1\)"):
        conditional_mean([[1]], [[1]], [[1], [1]])
    with pytest.raises(ValueError, match=r"sigma_v must have shape \(1, 1\)"):
        conditional_covariance(sympy.eye(2), [[1]], [[1]])


def test_signs_render_as_sgn():
    assert latex(sympy.sign(u1)) == r"\operatorname{sgn}{\left(u_{1} \right)}"
    assert latex(sympy.sign(u1) ** 2) == r"\operatorname{sgn}^{2}{\left(u_{1} \right)}"
