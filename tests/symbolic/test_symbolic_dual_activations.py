"""Duals as expressions: every derivation holds, and every false variant of it is rejected."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from dual_activation_cases import CASES, mean, number
from sympy import Integer, Rational
from trying import each

from symbolic.derivation import Step
from symbolic.dual_activations import (
    S1,
    S2,
    derive_derivative_rule,
    derive_dual,
    derive_dual_derivative,
    dual_activation,
    dual_activation_derivative,
    list_activations,
)
from symbolic.equality import equal
from symbolic.gaussian import bivariate_expectation
from symbolic.notation import DOMAIN, a, b, rho, u1, u2

WITH_DEGREE = {"monomial": (1, 2), "rectified_monomial": (0, 1, 2, 3), "hermite": (1, 2, 4)}
ALL = [
    (activation.name, {"degree": degree} if degree is not None else {})
    for activation in list_activations()
    for degree in WITH_DEGREE.get(activation.name, (None,))
]
ROADS = (derive_dual, derive_dual_derivative)


def every(cases):
    names = ["_".join(map(str, (name, *parameters.values()))) for name, parameters in cases]
    return pytest.mark.parametrize(("name", "parameters"), cases, ids=names)


@every(ALL)
def test_duals_follow_from_the_mean_and_obey_the_derivative_rule(name, parameters):
    roads = (*ROADS, derive_derivative_rule)
    assert [derive(name, **parameters).answer for derive in roads] == [True, True, True]


@every([("abs", {}), ("step", {}), ("hermite", {"degree": 2}), ("exp", {}), ("clip", {})])
def test_a_false_derivative_dual_breaks_the_rule(name, parameters):
    slope, rule = (derive(name, **parameters) for derive in (derive_dual_derivative, derive_derivative_rule))
    for chain in (slope, rule):
        for wrong in (Rational(101, 100) * chain.conclusion, chain.conclusion + rho / 100):
            assert chain.claiming(wrong).answer is False


@pytest.mark.parametrize("order", [0, 1])
@every(ALL)
def test_false_duals_are_rejected_by_the_last_step(name, parameters, order):
    chain = ROADS[order](name, **parameters)
    true = chain.conclusion
    for claimed in (Rational(99, 100) * true, true + Rational(1, 100), true.subs(S1, 2 * S1)):
        if claimed != true:
            end = replace(chain.claiming(claimed), start=chain.steps[-2].expression)
            (result,) = replace(end, steps=end.steps[-1:]).check()
            assert result.answer is False


OWN_STEPS = [
    ("sin", 0, {}),
    ("cos", 1, {}),
    ("exp", 0, {}),
    ("gaussian", 1, {}),
    ("erf", 0, {}),
    ("gelu", 0, {}),
    ("clip", 0, {}),
    ("hermite", 0, {"degree": 3}),
    ("sign", 1, {}),
]


@each("name, order, parameters", *OWN_STEPS)
def test_no_step_survives_a_factor_two(name, order, parameters):
    chain = ROADS[order](name, **parameters)
    for i, step in enumerate(chain.steps):
        false = replace(step, expression=2 * step.expression)
        results = replace(chain, steps=[*chain.steps[:i], false]).check()
        assert results[i].answer is not True, step.reason
        assert all(result.answer for result in results[:i])


@each(
    "name, order, position, old, new",
    ("sin", 0, 1, S1**2, 2 * S1**2),
    ("exp", 0, 1, rho, -rho),
    ("gaussian", 0, 0, rho, -rho),
    ("erf", 0, 0, S1, S2),
    ("gelu", 0, 0, S1, 2 * S1),
    ("gelu", 0, 1, S2, 2 * S2),
    ("gelu", 0, 2, S1, 2 * S1),
    ("clip", 0, 1, S2, 2 * S2),
    ("hermite", 0, 0, S1, S2),
    ("hermite", 0, 1, rho, -rho),
)
def test_no_step_survives_another_argument(name, order, position, old, new):
    parameters = {"degree": 3} if name == "hermite" else {}
    chain = ROADS[order](name, **parameters)
    step = chain.steps[position]
    false = replace(step, expression=step.expression.subs(old, new))
    assert false.expression != step.expression
    result = replace(chain, steps=[*chain.steps[:position], false]).check()[position]
    assert result.answer is not True


def test_a_step_that_leaves_out_the_initial_value_is_rejected():
    chain = derive_dual("gelu")
    for position in (0, 1):
        expression = chain.steps[position].expression
        for term in expression.args:
            if not term.has(sympy.Integral):
                false = Step(expression - term, "", chain.steps[position].check)
                cut = replace(chain, steps=[*chain.steps[:position], false])
                assert cut.check()[position].answer is False


# Closed forms


@each("degree", *range(6))
def test_rectified_powers_are_polar_moments(degree):
    def power(u):
        return u**degree * (1 + sympy.sign(u)) / 2

    moment = bivariate_expectation(power(u1) * power(u2), u1, u2, rho)
    closed = dual_activation("rectified_monomial", rho, degree=degree)
    assert equal(moment, closed, DOMAIN) is True


@each("name", "monomial", "hermite")
@each("degree", *range(6))
def test_polynomials_are_moments(name, degree):
    def polynomial(u):
        return u**degree if name == "monomial" else sympy.hermite_prob_poly(degree, u)

    variances = (2, Rational(1, 3))
    product = polynomial(u1) * polynomial(u2)
    moment = bivariate_expectation(product, u1, u2, rho, variances)
    closed = dual_activation(name, rho, variances=variances, degree=degree)
    assert sympy.expand(moment - closed) == 0


SMOOTH = [case for case in CASES if case.prime is not None]


@each("case", *CASES)
def test_values_are_those_of_the_definition(case):
    correlation, variances = Fraction(-4, 7), (Fraction(2, 3), Fraction(5, 4))
    value = dual_activation(case.name, correlation, variances=variances, **case.parameters)
    numbers = float(correlation), tuple(map(float, variances))
    wanted = mean(case.phi, case.phi, *numbers, case.breaks)
    size = mean(lambda s: abs(case.phi(s)), lambda s: abs(case.phi(s)), *numbers, case.breaks)
    # As in the tests of the numbers; the arguments are rounded here, too.
    assert abs(float(number(value)) - wanted) <= 256 * 2.0**-52 * size


def test_missing_parameters_stay_symbols():
    assert dual_activation("ab_relu", 1) == a**2 + b**2
    assert dual_activation("exp", 0).free_symbols == {sympy.Symbol("gamma", real=True)}


@each("name", "relu", "gelu", "erf", "sin", "clip")
def test_the_pair_may_be_swapped(name):
    v1, v2 = Integer(2), Rational(3, 5)
    for dual in (dual_activation, dual_activation_derivative):
        parameters = {"bound": 1} if name == "clip" else {}
        one = dual(name, rho, variances=(v1, v2), **parameters)
        other = dual(name, rho, variances=(v2, v1), **parameters)
        value = (one - other).subs(rho, Rational(1, 3))
        values = {symbol: Rational(2, 7) for symbol in value.free_symbols}
        assert abs(value.subs(values).evalf(15, chop=True)) < 1e-12


def test_latex_of_a_derivation_names_the_function():
    text = derive_dual("gelu").latex()
    assert text.startswith("\\begin{align*}\n\\mathbb{E}\\,\\phi(s_1 u_1)\\,\\phi(s_2 u_2)\n  &=")
    assert r"\operatorname{erf}" in text
    prime = derive_dual_derivative("sign").latex()
    assert r"\mathbb{E}\,\phi'(s_1 u_1)\,\phi'(s_2 u_2)" in prime
