"""What the duals refuse, and what their registries say."""

import math
import re

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from trying import each

import numeric.dual_activations as numeric
import symbolic.dual_activations as exact

DUALS = [numeric.dual_activation, numeric.dual_activation_derivative]
EXACT = [exact.dual_activation, exact.dual_activation_derivative]


# Registries


def test_both_registries_list_the_same_activations():
    listed = [numeric.list_activations(), exact.list_activations()]
    described = [
        [(one.name, tuple(one.parameters), one.has_closed_form) for one in registry] for registry in listed
    ]
    assert described[0] == described[1]


@each("activation", *numeric.list_activations())
def test_the_latex_of_an_activation_is_its_formula(activation):
    parameters = dict.fromkeys(activation.parameters, sympy.Rational(3, 4))
    if "degree" in parameters:
        parameters["degree"] = 3
    (other,) = [one for one in exact.list_activations() if one.name == activation.name]
    values = other.values(parameters)
    for s in (sympy.Rational(-5, 3), sympy.Rational(2, 7), sympy.Integer(2)):
        written = evaluate_latex(activation.latex, {"s": s, **parameters})
        assert sympy.simplify(written - other.expression(s, *values)) == 0


WORDS = [
    (r"\\mathrm\{He\}_\{(\w+)\}\(s\)", r"He(\1, s)"),
    (r"\\operatorname\{(\w+)\}", r"\1"),
    (r"\\Phi", "Phi"),
    (r"1_\{s > 0\}", "Heaviside(s)"),
    (r"\|s\|", "Abs(s)"),
    (r"\\mathrm\{(\w+)\}(\\, )?", r"\1 "),
    (r"\\(max|min)\(", lambda match: match[1].capitalize() + "("),
    (r"\\(sin|cos)", r"\1"),
    (r"\^(\w)", r"**\1"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"(\w|\)) +(?=[\w\\(])", r"\1*"),
]


def evaluate_latex(text, values):
    """Value of the LaTeX of an activation."""
    text = re.sub(r"\\mathrm\{(?!He)(\w+)\}(\\,)?", r"\1", text)
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text)
    functions = {
        "sgn": sympy.sign,
        "Phi": lambda s: (1 + sympy.erf(s / sympy.sqrt(2))) / 2,
        "He": sympy.hermite_prob_poly,
        "e": sympy.E,
    }
    return sympy.sympify(text, locals={**functions, **values})


# Refusals

BAD_PARAMETERS = [
    ("leaky_relu", {}, TypeError, "leaky_relu takes slope, got none"),
    ("relu", {"slope": 1}, TypeError, "relu takes no parameters, got slope"),
    ("erf", {"scale": 1, "shift": 0}, TypeError, "erf takes scale, got scale, shift"),
    ("monomial", {"degree": 2.0}, TypeError, r"degree must be an integer in .*, got 2.0"),
    ("hermite", {"degree": -1}, ValueError, r"degree must be an integer in \[0, 1000\], got -1"),
    ("monomial", {"degree": 5000}, ValueError, r"degree must be an integer in .*, got 5000"),
    ("clip", {"bound": 0}, ValueError, r"bound must lie in \(0, infinity\), got 0"),
    ("sin", {"frequency": math.inf, "phase": 0}, ValueError, "frequency must lie in"),
    ("ab_relu", {"a": 1, "b": "x"}, TypeError, "b must be a real number"),
    ("gaussian", {"rate": 0.5}, ValueError, "rate must lie below 1/.2 lambda.*rate 0.5"),
    ("rellu", {}, ValueError, "name must be one of ab_relu, .*, got 'rellu'; did you mean 'relu'?"),
    ("Leaky ReLU", {}, ValueError, "did you mean 'leaky_relu'?"),
    ("qqq", {}, ValueError, "got 'qqq'$"),
]


@each("dual", *DUALS)
def test_decimals_in_words_are_for_digits(dual):
    with pytest.raises(TypeError, match="rho must be a real number"):
        dual("gelu", "0.5")


@each("dual", *DUALS)
@each("name, parameters, error, message", *BAD_PARAMETERS)
def test_names_and_parameters_are_checked(dual, name, parameters, error, message):
    with pytest.raises(error, match=message):
        dual(name, 0.5, **parameters)


JUMPS = [("sign", {}), ("step", {}), ("rectified_monomial", {"degree": 0})]
KINKS = [
    ("relu", {}),
    ("abs", {}),
    ("ab_relu", {"a": 1, "b": 2}),
    ("leaky_relu", {"slope": 2}),
    ("rectified_monomial", {"degree": 1}),
]


@each("name, parameters", *JUMPS)
def test_a_jump_needs_variances_above_zero(name, parameters):
    for dual in DUALS:
        with pytest.raises(ValueError, match=r"variance1 must lie in \(0, infinity\), got 0"):
            dual(name, 0.5, variances=(0, 1), **parameters)
    for dual in EXACT:
        with pytest.raises(ValueError, match=r"variances\[0\] must lie in \(0, infinity\), got 0"):
            dual(name, "1/2", variances=(0, 1), **parameters)


@each("name, parameters", *KINKS)
def test_a_kink_needs_variances_above_zero_for_the_derivative_alone(name, parameters):
    assert numeric.dual_activation(name, 0.5, variances=(0, 1), **parameters) == 0
    assert exact.dual_activation(name, "1/2", variances=(0, 1), **parameters) == 0
    with pytest.raises(ValueError, match=r"variance2 must lie in \(0, infinity\), got 0"):
        numeric.dual_activation_derivative(name, 0.5, variances=(1, 0), **parameters)
    with pytest.raises(ValueError, match=r"variances\[1\] must lie in \(0, infinity\), got 0"):
        exact.dual_activation_derivative(name, "1/2", variances=(1, 0), **parameters)


@each("name, parameters", *JUMPS)
@each("rho", -1, 1)
def test_the_derivative_of_a_jump_is_infinite_at_parallel_inputs(name, parameters, rho):
    for dual in (numeric.dual_activation_derivative, exact.dual_activation_derivative):
        with pytest.raises(ValueError, match=rf"rho must lie in \(-1, 1\), got {rho}"):
            dual(name, rho, **parameters)


@each(
    "rate, rho, variances",
    ("0.5", 0, (1, 0.5)),
    ("0.5", 0.5, (0.75, 0.75)),
    ("1", 0, (2, 2)),  # det(I - 2 rate Sigma) = 9 with two negative eigenvalues
    ("0.25", 1, (1, 1)),
)
def test_a_gaussian_that_grows_too_fast_is_refused(rate, rho, variances):
    for dual in DUALS:
        calls = [{"rate": float(rate)}, {"rate": rate, "digits": 20}, {"rate": arb(float(rate))}]
        for call in calls:
            with pytest.raises(ValueError, match="rate must lie below"):
                dual("gaussian", rho, variances=variances, **call)
    for dual in EXACT:
        with pytest.raises(ValueError, match="rate must lie below"):
            dual("gaussian", sympy.Rational(rho), variances=map_exact(variances), rate=rate)


def map_exact(values):
    return tuple(sympy.Rational(value) for value in values)


def test_a_gaussian_that_grows_as_fast_as_it_may_is_finite():
    value = numeric.dual_activation("gaussian", 0.5, rate=0.33)
    wanted = numeric.dual_activation("gaussian", "0.5", rate="0.33", digits=20)
    # det(I - 0.66 Sigma) = 0.0067 here, so that rounding 0.33 moves the value by 50 times as much.
    assert abs(value - wanted) <= 400 * 2.0**-53 * wanted


def test_values_too_large_for_a_float_are_refused_and_have_digits():
    with pytest.raises(OverflowError, match="too large for a float; use digits="):
        numeric.dual_activation("exp", 1, rate=30)
    assert numeric.dual_activation("exp", 1, rate=30, digits=15) > mpmath.mpf("1e700")


@each("dual", *EXACT)
def test_the_exact_road_refuses_what_is_out_of_range(dual):
    for name, parameters, error, message in [
        ("monomial", {}, TypeError, "monomial takes degree, got none"),
        ("monomial", {"degree": -1}, ValueError, "degree must be an integer at least 0, got -1"),
        ("clip", {"bound": 0}, ValueError, r"bound must lie in \(0, infinity\), got 0"),
        ("relu", {"slope": 1}, TypeError, "relu takes no parameters, got slope"),
    ]:
        with pytest.raises(error, match=message):
            dual(name, "1/2", **parameters)


def test_functions_are_checked_as_well():
    with pytest.raises(TypeError, match="a function takes breaks, got slope"):
        numeric.dual_activation(abs, 0.5, slope=1)
    with pytest.raises(TypeError, match="name must be the name of an activation, got <built-in"):
        numeric.dual_activation_derivative(abs, 0.5)
    with pytest.raises(ValueError, match=r"rho must lie in \[-1, 1\], got 2"):
        numeric.dual_activation(abs, 2, breaks=[0])


def test_parameters_broadcast_too():
    table = numeric.dual_activation("erf", [0.25, 0.5], scale=np.array([[1.0], [2.0]]))
    assert table.shape == (2, 2)
    assert table[1, 0] == numeric.dual_activation("erf", 0.25, scale=2.0)
