"""Expansion at infinity, depth recursion, conditioning, Stein and Price, rendering."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, exp, pi

from symbolic import latex as rendering
from symbolic.cosine_maps import (
    derive_ntk_antipodal,
    derive_ntk_closed_form,
    derive_ntk_diagonal,
    derive_ntk_recursion,
    derive_omega_expansion,
    limiting_ntk_profile,
    omega,
    omega_expansion,
    varrho,
)
from symbolic.cosine_maps.ntk_derivations import cosine, j, k, l, slope
from symbolic.equality import equal
from symbolic.gaussian import (
    conditional_covariance,
    conditional_mean,
    derive_conditioning,
    price_identity,
    stein_identity,
)
from symbolic.notation import DELTA, DOMAIN, latex, rho, u, u1, u2, w

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


@pytest.mark.parametrize("order", [1, 2, 4])
def test_expansion_is_derived_and_disputed_coefficients_rejected(order):
    truth = derive_omega_expansion(order)
    assert [step.answer for step in truth.check()] == [True, True]
    terms = omega_expansion(w, DELTA, order)
    for wrong in (terms + TINY * w ** (1 - order), -terms, terms.subs(DELTA, -DELTA), w):
        assert derive_omega_expansion(order, wrong).check()[1].answer is False


def test_first_coefficients():
    assert equal(omega_expansion(w, DELTA, 1), w + 4 * DELTA / (3 * pi), DOMAIN) is True
    second = omega_expansion(w, DELTA, 2) - omega_expansion(w, DELTA, 1)
    assert equal(second, 8 * DELTA**2 / (3 * pi**2 * w), DOMAIN) is True
    with pytest.raises(ValueError, match="order must be an integer at least 1, got 0"):
        omega_expansion(w, DELTA, 0)


NTK_DERIVATIONS = [
    derive_ntk_recursion,
    derive_ntk_diagonal,
    lambda claimed=None: derive_ntk_closed_form(2, claimed),
    lambda claimed=None: derive_ntk_closed_form(3, claimed),
    lambda claimed=None: derive_ntk_antipodal(2, claimed),
    lambda claimed=None: derive_ntk_antipodal(3, claimed),
]


@pytest.mark.parametrize("derive", NTK_DERIVATIONS)
def test_ntk_derivations_hold_and_false_claims_are_rejected(derive):
    truth = derive()
    assert truth.answer is True
    for wrong in (truth.conclusion * (1 + TINY), truth.conclusion + TINY, -truth.conclusion):
        assert derive(wrong).check_step(-1).answer is False


def test_shifted_recursions_are_rejected():
    profile = sympy.Sum(cosine[k - 1] * sympy.Product(slope[j - 1], (j, k, l - 1)), (k, 1, l))
    assert derive_ntk_recursion(cosine[l] + slope[l - 1] * profile).answer is True
    for wrong in (
        cosine[l] + slope[l] * profile,
        cosine[l - 1] + slope[l - 1] * profile,
        cosine[l] + profile,
    ):
        assert derive_ntk_recursion(wrong).answer is False


@given(
    st.fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=20),
    st.fractions(0, 1, max_denominator=20),
)
def test_closed_forms_are_the_profile(correlation, share):
    point = {rho: correlation, DELTA: share}
    two = derive_ntk_closed_form(2).conclusion.subs(point)
    assert equal(two, limiting_ntk_profile(correlation, 2, share)) is True
    cosine_map = sympy.Function(r"\varrho")
    three = derive_ntk_closed_form(3).conclusion.subs(point)
    three = three.replace(cosine_map, lambda c: varrho(c, share))
    assert equal(three, limiting_ntk_profile(correlation, 3, share)) is True


@given(st.fractions(0, 1, max_denominator=12))
def test_antipodal_values_are_the_profile(share):
    for depth in (2, 3):
        value = derive_ntk_antipodal(depth).conclusion.subs(DELTA, share)
        assert equal(value, limiting_ntk_profile(-1, depth, share)) is True


@pytest.mark.parametrize("derive", [derive_ntk_closed_form, derive_ntk_antipodal])
def test_other_depths_are_refused(derive):
    with pytest.raises(ValueError, match="depth must be one of 2, 3, got 4"):
        derive(4)


@given(POWERS, RATES, RATES)
def test_stein(power, rate, bend):
    f = u**power * exp(rate * u + (bend - 1) / 2 * u**2) + u**2
    chain = stein_identity(f, u)
    assert chain.answer is True
    assert chain.claiming(chain.conclusion.doit() + TINY).answer is False


@given(POWERS, POWERS, RATES, RATES)
def test_price(first, second, alpha, beta):
    f = u1**first * u2**second * exp(alpha * u1 + beta * u2)
    chain = price_identity(f, u1, u2, rho)
    assert chain.answer is True
    assert chain.claiming(chain.conclusion.doit() * (1 + TINY) + TINY).answer is False


def test_rough_functions_are_refused():
    for rough in (abs(u1), sympy.sign(u1) * u2):
        with pytest.raises(ValueError, match="f must be smooth"):
            price_identity(rough, u1, u2, rho)
        with pytest.raises(ValueError, match="f must be smooth"):
            stein_identity(rough, u1)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_conditioning_is_derived(rows):
    for chain in derive_conditioning(rows):
        assert chain.answer is True
    _, schur = derive_conditioning(rows)
    assert derive_conditioning(rows, 2 * schur.conclusion)[1].answer is False


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


def test_closed_forms_render_in_the_papers_symbols():
    for name in rendering.closed_forms():
        text = rendering.closed_form_latex(name)
        assert text.count("{") == text.count("}")
        assert "asin" not in text
        assert "Delta_phi" not in text
    assert rendering.closed_form_latex("delta_phi") == (
        r"\Delta_\phi = \frac{b^{2}}{a^{2} + b^{2}}"
    )
    assert r"\sqrt{1 - \rho^{2}}" in rendering.closed_form_latex("bound_sharp")
    assert r" \le " in rendering.closed_form_latex("bound_printed")
    with pytest.raises(ValueError, match=r"name must be one of delta_phi, .*got 'rho'"):
        rendering.closed_form_latex("rho")


def test_signs_render_as_sgn():
    assert latex(sympy.sign(u1)) == r"\operatorname{sgn}{\left(u_{1} \right)}"
    assert latex(sympy.sign(u1) ** 2) == r"\operatorname{sgn}^{2}{\left(u_{1} \right)}"
