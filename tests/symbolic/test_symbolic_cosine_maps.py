"""Closed forms of the cosine maps against quadrature, derivatives, identities and ends."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from sympy import Interval, Rational, cos, pi, sin, sqrt
from trying import each

from symbolic.cosine_maps import (
    delta_phi,
    derive_edge_of_chaos,
    derive_end_value,
    derive_omega_prime,
    derive_varrho,
    derive_varrho_prime,
    derive_varrho_second,
    derive_zeta_prime,
    kappa_phi,
    limiting_ntk,
    limiting_ntk_profile,
    omega,
    omega_prime,
    varrho,
    varrho_prime,
    varrho_second,
    zeta,
    zeta_prime,
)
from symbolic.equality import equal
from symbolic.notation import DELTA, DOMAIN, a, b, rho, t, w, z

SHARES = fractions(0, 1, max_denominator=20)
CORRELATIONS = fractions(Fraction(-49, 50), Fraction(49, 50), max_denominator=50)
SLOPES = st.tuples(st.integers(-4, 4), st.integers(-4, 4)).filter(any)
TINY = Rational(1, 10**25)


@given(SLOPES)
def test_shares_and_norms(slopes):
    slope, kink = slopes
    delta, kappa = delta_phi(slope, kink), kappa_phi(slope, kink)
    assert delta_phi(kink, slope) == 1 - delta
    assert delta_phi(-3 * slope, 3 * kink) == delta
    # kappa^2 = 1 + 2 |ab| / (a^2 + b^2), and Delta (1 - Delta) = (ab)^2 / (a^2 + b^2)^2.
    assert sympy.expand((kappa**2 - 1) ** 2 - 4 * delta * (1 - delta)) == 0


def test_no_activation_is_refused():
    for function in (delta_phi, kappa_phi):
        with pytest.raises(ValueError, match=r"a and b must not both be zero, got a = 0, b = 0\.0"):
            function(0, "0.0")
    assert delta_phi(a, b) == b**2 / (a**2 + b**2)


def test_distance_maps_belong_to_the_cosine_map():
    assert equal(varrho(1 - 2 * z, DELTA), 1 - 2 * zeta(z, DELTA), DOMAIN) is True
    assert equal(zeta_prime(z, DELTA), varrho_prime(1 - 2 * z, DELTA), DOMAIN) is True
    assert equal(zeta(w**-2, DELTA) * omega(w, DELTA) ** 2, sympy.S.One, DOMAIN) is True
    assert equal(zeta(z, 1), zeta(1 - z, 1), DOMAIN) is True


@given(CORRELATIONS, SHARES)
def test_parity(correlation, share):
    """The even part is that of |.|, the odd part that of the identity."""
    even = varrho(correlation, share) + varrho(-correlation, share)
    odd = varrho(correlation, share) - varrho(-correlation, share)
    assert equal(even, 2 * share * varrho(correlation, 1)) is True
    assert equal(odd, 2 * (1 - share) * sympy.sympify(correlation)) is True


@each(
    "value, expected",
    (varrho(1, DELTA), 1),
    (varrho(-1, DELTA), 2 * DELTA - 1),
    (varrho(0, DELTA), 2 * DELTA / pi),
    (varrho_prime(1, DELTA), 1),
    (varrho_prime(-1, DELTA), 1 - 2 * DELTA),
    (varrho_prime(0, DELTA), 1 - DELTA),
    (varrho_second(0, DELTA), 2 * DELTA / pi),
    (zeta(0, DELTA), 0),
    (zeta(1, DELTA), 1 - DELTA),
    (zeta_prime(0, DELTA), 1),
    (zeta_prime(1, DELTA), 1 - 2 * DELTA),
    (omega(2, 0), 2),
    (omega_prime(5, 0), 1),
    # At z = 1/2: zeta' = 1 - Delta, zeta = 1/2 - Delta/pi.
    (omega_prime(sqrt(2), DELTA), (1 - DELTA) / (1 - 2 * DELTA / pi) ** Rational(3, 2)),
    # |.|: E|u1 u2| = (2/pi)(sqrt(3)/2 + pi/12) at rho = 1/2.
    (varrho("1/2", 1), sqrt(3) / pi + Rational(1, 6)),
    # ReLU: (sin t + (pi - t) cos t) / pi at t = 2 pi/3.
    (varrho("-1/2", "1/2"), sqrt(3) / (2 * pi) - Rational(1, 6)),
)
def test_special_values(value, expected):
    assert equal(value, sympy.sympify(expected), {DELTA: Interval(0, 1)}) is True


@each(
    "function, bad, message",
    (varrho_second, (1, 0), r"rho must lie in \(-1, 1\), got 1"),
    (limiting_ntk, ([[1], [0]], [[1]], 1, 0), r"x2 must have shape \(2, 1\), got \(1, 1\)"),
)
def test_bad_arguments(function, bad, message):
    with pytest.raises(ValueError, match=message):
        function(*bad)


@given(SHARES, st.integers(1, 6))
def test_diagonal_grows_linearly(share, depth):
    assert equal(limiting_ntk_profile(1, depth, share), sympy.Integer(depth)) is True


def test_antipodal_profile_at_the_extreme_shares():
    assert [limiting_ntk_profile(-1, depth, 1) for depth in range(1, 6)] == [-1, 2, 3, 4, 5]
    assert [limiting_ntk_profile(-1, depth, 0) for depth in range(1, 6)] == [-1, -2, -3, -4, -5]


def test_kernel_is_homogeneous_and_symmetric():
    x1, x2 = [[3], [0]], [[4], [3]]
    value = limiting_ntk(x1, x2, 3, "1/2")
    assert equal(value, 15 * limiting_ntk_profile("4/5", 3, "1/2")) is True
    assert equal(limiting_ntk(x2, x1, 3, "1/2"), value) is True
    assert equal(limiting_ntk([["3/2"], [0]], x2, 3, "1/2"), value / 2) is True


DERIVATIONS = [
    derive_varrho,
    lambda: derive_varrho_prime("differentiation"),
    lambda: derive_varrho_prime("expectation"),
    derive_varrho_second,
    derive_zeta_prime,
    derive_omega_prime,
    derive_edge_of_chaos,
    lambda: derive_edge_of_chaos("phi_prime"),
    lambda: derive_edge_of_chaos("weighted"),
    lambda: derive_end_value(-1, False),
    lambda: derive_end_value(1, False),
    lambda: derive_end_value(-1, True),
    lambda: derive_end_value(1, True),
]


@each("derive", *DERIVATIONS)
def test_derivations_hold_and_false_claims_are_rejected(derive):
    truth = derive()
    assert [step.answer for step in truth.check()] == [True] * len(truth.steps)
    for wrong in (truth.conclusion * (1 + TINY), -truth.conclusion, truth.conclusion + TINY):
        assert truth.claiming(wrong).check_step(-1).answer is False


def test_derivations_end_in_the_closed_forms():
    assert derive_varrho().conclusion == varrho(rho, DELTA)
    assert {derive_varrho_prime(method).conclusion for method in ("differentiation", "expectation")} == {
        varrho_prime(rho, DELTA)
    }
    assert derive_varrho_second().conclusion == varrho_second(rho, DELTA)
    assert derive_zeta_prime().conclusion == zeta_prime(z, DELTA)


def test_the_angle_form():
    in_angle = cos(t) + 2 * DELTA / pi * (sin(t) - t * cos(t))
    assert in_angle in {step.expression for step in derive_varrho().steps}


def test_derivations_print_in_the_papers_symbols():
    text = derive_varrho().latex()
    assert text.startswith("\\begin{align*}\n\\varrho(\\rho)\n  &= \\sigma^{2} \\mathbb{E}_{")
    assert r"\Delta_{\phi}" in text
    assert r"\rho \arcsin \rho" in text
