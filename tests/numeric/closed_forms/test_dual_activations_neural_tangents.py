"""Duals against the kernels of neural-tangents, an implementation by others.

The network is Dense(W_std = 1.1), phi, Dense(W_std = 0.9). With c = 1.1^2 x.x'/dim, the covariance
that the first layer hands to phi and also its NTK,

    nngp = 0.9^2 E phi phi,    ntk = nngp + 0.9^2 c E phi' phi'.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import special
from trying import each

from numeric.dual_activations import dual_activation, dual_activation_derivative

ORACLE = json.loads(
    (Path(__file__).parents[2] / "data" / "neural_tangents.json").read_text(encoding="utf-8")
)["elementwise"]
X = np.array(ORACLE["x"])
COVARIANCE = 1.1**2 * X @ X.T / X.shape[1]
DEVIATIONS = np.sqrt(np.diag(COVARIANCE))
CORRELATION = COVARIANCE / np.outer(DEVIATIONS, DEVIATIONS)
np.fill_diagonal(CORRELATION, 1)
VARIANCES = (np.diag(COVARIANCE)[:, None], np.diag(COVARIANCE))

RAYS = ["Relu", "Abs", "LeakyRelu(0.2)", "ABRelu(-0.3,1.1)"]
# name there: factor of phi, added constant (to an odd phi), name here, parameters
CASES = {
    "Relu": (1, 0, "relu", {}),
    "Abs": (1, 0, "abs", {}),
    "LeakyRelu(0.2)": (1, 0, "leaky_relu", {"slope": 0.2}),
    # -0.3 min(s, 0) + 1.1 max(s, 0)
    "ABRelu(-0.3,1.1)": (1, 0, "ab_relu", {"a": (1.1 - 0.3) / 2, "b": (1.1 + 0.3) / 2}),
    "Erf(1.2,0.8,0.1)": (1.2, 0.1, "erf", {"scale": 0.8}),
    "Gelu": (1, 0, "gelu", {}),
    "Sin(1,1.3,0.4)": (1, 0, "sin", {"frequency": 1.3, "phase": 0.4}),
    "Cos(1,0.7,0.2)": (1, 0, "cos", {"frequency": 0.7, "phase": 0.2}),
    "Rbf(0.8)": (math.sqrt(2), 0, "sin", {"frequency": math.sqrt(1.6), "phase": math.pi / 4}),
    "Sign": (1, 0, "sign", {}),
    "Exp(1,0.6)": (1, 0, "exp", {"rate": 0.6}),
    "Gaussian(1,-0.7)": (1, 0, "gaussian", {"rate": -0.7}),
    "Monomial(3)": (1, 0, "monomial", {"degree": 3}),
    "Sigmoid_like": (0.5, 0.5, "erf", {"scale": 1 / 2.4020563531719796}),
}
# A dozen roundings, of entries that cancel at most to a tenth of sqrt(K(x, x) K(x', x')).
ROUNDING = 64 * 2.0**-53
# arccos(1 - e) = sqrt(2 e): a cosine of 1 that is a few roundings off (four, at most, for a
# quotient by two roots) is an angle off by sqrt(8 eps) = 4.2e-8. So are signs, and the slopes of
# functions with a kink, on the diagonal of the oracle.
ANGLE = math.sqrt(8 * 2.0**-52)


# Those without a closed form here, with their derivatives.
FUNCTIONS = {
    "Polynomial(1,-2,0.5,0.25)": (
        lambda s: 1 - 2 * s + 0.5 * s**2 + 0.25 * s**3,
        lambda s: -2 + s + 0.75 * s**2,
    ),
    "Gabor": (
        lambda s: np.exp(-s * s) * np.sin(s),
        lambda s: np.exp(-s * s) * (np.cos(s) - 2 * s * np.sin(s)),
    ),
    "Sigmoid_like": (
        lambda s: 0.5 * special.erf(s / 2.4020563531719796) + 0.5,
        lambda s: np.exp(-((s / 2.4020563531719796) ** 2)) / (2.4020563531719796 * math.sqrt(math.pi)),
    ),
}
# What `numeric.quadrature` states, of E|phi phi| <= sqrt(K(x, x) K(x', x')).
QUADRATURE = 1e-12


def agree(kernel, oracle, diagonal, elsewhere=ROUNDING):
    oracle = np.array(oracle)
    size = np.sqrt(np.outer(np.diag(oracle), np.diag(oracle)))
    tolerance = np.full_like(size, elsewhere)
    np.fill_diagonal(tolerance, diagonal)
    assert (np.abs(kernel - oracle) <= tolerance * size).all()


@each("there", *CASES)
def test_nngp_kernel(there):
    factor, constant, name, parameters = CASES[there]
    dual = dual_activation(name, CORRELATION, variances=VARIANCES, **parameters)
    kernel = 0.9**2 * (factor**2 * dual + constant**2)
    agree(kernel, ORACLE["kernels"][there]["nngp"], ANGLE if there == "Sign" else ROUNDING)


@each("there", *[there for there in CASES if there != "Sign"])
def test_ntk(there):
    factor, _, name, parameters = CASES[there]
    slope = dual_activation_derivative(name, CORRELATION, variances=VARIANCES, **parameters)
    kernel = ORACLE["kernels"][there]["nngp"] + 0.9**2 * factor**2 * slope * COVARIANCE
    agree(kernel, ORACLE["kernels"][there]["ntk"], ANGLE if there in RAYS else ROUNDING)


@each("there", *FUNCTIONS)
def test_kernels_of_functions_without_a_name(there):
    dual, slope = (dual_activation(f, CORRELATION, variances=VARIANCES) for f in FUNCTIONS[there])
    oracle = ORACLE["kernels"][there]
    nngp = 0.9**2 * dual
    agree(nngp, oracle["nngp"], QUADRATURE, QUADRATURE)
    agree(nngp + 0.9**2 * slope * COVARIANCE, oracle["ntk"], QUADRATURE, QUADRATURE)


def test_neural_tangents_takes_the_derivative_of_sign_to_vanish():
    kernels = ORACLE["kernels"]["Sign"]
    assert kernels["ntk"] == kernels["nngp"]
    i, j = 0, 1
    slope = dual_activation_derivative(
        "sign", CORRELATION[i, j], variances=(VARIANCES[0][i, 0], VARIANCES[1][j])
    )
    assert slope > 0.1
