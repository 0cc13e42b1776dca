"""Derivations redo their steps, reject false claims and print."""

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from sympy import Derivative, Integral, Matrix, Rational, Symbol, pi
from trying import each

from symbolic.cosine_maps import derive_omega_expansion, omega, omega_expansion
from symbolic.derivation import Decision, Derivation, Step, StepResult
from symbolic.equality import equal
from symbolic.gaussian import conditional_covariance, conditional_mean
from symbolic.notation import DELTA, DOMAIN, latex, u1, w

x, y = sympy.symbols("x y", real=True)


def chain(**changes):
    parts = {
        "title": "A cubic",
        "name": "f'",
        "start": Derivative(x**3 + x, x),
        "steps": [Step(3 * x**2 + 1, "differentiate"), Step(1 + 3 * x * x, "reorder")],
    }
    return Derivation(**{**parts, **changes})


def test_every_step_is_checked():
    results = chain().check()
    assert [(r.reason, r.answer) for r in results] == [("differentiate", True), ("reorder", True)]
    assert [chain().check_step(place) for place in (0, -1)] == results
    assert all(isinstance(result, StepResult) and result.detail for result in results)


@each("wrong", 3 * x**2, 3 * x**2 - 1, 3 * x**3 + 1, 2 * x**2 + 1)
def test_a_wrong_step_is_found_where_it_is(wrong):
    broken = chain(steps=[Step(wrong, "differentiate"), Step(1 + 3 * x**2, "reorder")])
    assert [result.answer for result in broken.check()] == [False, False]
    assert chain().claiming(wrong).answer is False
    assert chain().claiming(wrong).conclusion == wrong


def test_a_claim_in_foreign_symbols_is_refused():
    with pytest.raises(ValueError, match="claimed must be written in the symbols"):
        chain().claiming(3 * Symbol("x", positive=True) ** 2 + 1)
    assert chain().claiming(None) == chain()


def test_an_integral_without_its_own_check_stays_open():
    trusting = chain(start=Integral(2 * x, (x, 0, y)), steps=[Step(y**2, "trust me")])
    assert trusting.answer is None


def test_own_checks_are_asked():
    seen = []

    def check(before, after):
        seen.append((before, after))
        return Decision(after == before + 1, "by one")

    inequality = chain(start=x, steps=[Step(x + 1, "larger", check, r"\le")])
    assert inequality.answer is True
    assert seen == [(x, x + 1)]
    assert r"&\le x + 1" in inequality.latex()


def test_abbreviations_are_replaced():
    short = chain(start=x**2 + x, steps=[Step(y + x, "$y = x^2$")], where={y: x**2})
    assert short.answer is True
    assert short.claiming(y - x).answer is False


def test_matrices_are_expressions_too():
    turn = Matrix([[0, -1], [1, 0]])
    square = chain(start=turn * turn, steps=[Step(-sympy.eye(2), "multiply")])
    assert square.answer is True
    assert square.claiming(sympy.eye(2)).answer is False


def test_malformed_derivations_are_refused():
    with pytest.raises(ValueError, match="at least one step"):
        chain(steps=[])
    with pytest.raises(ValueError, match="inequality needs a check"):
        Step(x, "smaller", relation=r"\le")
    with pytest.raises(ValueError, match="relation must be"):
        Step(x, "other", relation=">")


def test_a_notation_is_of_what_has_a_name():
    with pytest.raises(ValueError, match="with a notation needs a name"):
        Derivation("Title", "", x, [Step(x, "trivially")], notation="by definition")


def test_latex_has_one_line_per_step_that_changes_something():
    steps = [Step(3 * x**2 + 1, "differentiate"), Step(3 * x**2 + 1, "read"), Step(x, "solve")]
    text = chain(steps=steps)._repr_latex_()
    assert text.startswith("\\begin{align*}\nf'\n  &= ")
    assert text.endswith("\\end{align*}")
    assert text.count(r"\\" + "\n") == 2
    assert r"&& \text{differentiate}" in text
    assert "read" not in text
    assert "read" in chain(start=x, steps=[Step(x, "read")]).latex()


# Expansion at infinity, conditioning, rendering.


TINY = Rational(1, 10**25)
POWERS = st.integers(0, 3)
RATES = fractions(-1, 1, max_denominator=4)


@given(fractions(0, 1, max_denominator=10), st.integers(1, 6))
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
