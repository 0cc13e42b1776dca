"""Proposition D.1 for inputs of any kind: one vector of the program after the other."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, Symbol

from numeric.statistics import MeanTest, mean_test
from symbolic.gaussian.wick import gaussian_mean
from theorems.attention_limit.letters.sketch import growing_width
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.limit_law import SAME_MATRIX
from theorems.attention_limit.proofs.dot_products.given_the_past import (
    ALL_STEPS,
    BEST_APPROXIMATIONS,
    COEFFICIENTS,
    GIVEN_THE_PAST,
    ONE_BY_ONE,
    PAST,
    RELATIONS,
    STEP,
)
from theorems.attention_limit.tools.compositions import INNER, OUTER
from theorems.engine import Choice, Obligations, Provenance, integers, sentence

_AT = "Proposition D.1"
_NOTE = "proofs_notes/attn_proofs.md#one-vector-after-the-other"

GENERAL = claim(
    "attn.propD1.any_inputs",
    at=_AT,
    title="Dot products become Gaussian also where inputs depend on the matrices of other ones",
    states=sentence(
        r"\mathbb{E}\cos($phase + \textstyle\sum_i $dot_weight $dot_product) \to \cos($phase)\,"
        r"e^{-$half\sum_{i,k} $dot_weight $other_weight"
        r" \mathbb{E}[$factor_gi_limit $factor_hi_limit $factor_gk_limit $factor_hk_limit]}"
        r",\ $dot_product = \langle $factor_g, $factor_h\rangle/\sqrt $growing_width"
        r" \text{ of $which of any inputs}",
        half=Rational(1, 2),
        which=Choice("images under two matrices", "two matrices"),
    ),
    rests_on=[
        *(ALL_STEPS, STEP, PAST, RELATIONS, COEFFICIENTS),
        *("attn.fact31", "attn.lemC4", "attn.propC3"),
    ],
    discharging={
        GIVEN_THE_PAST: "it is what attn.propD1.past says",
        ONE_BY_ONE: "vectors are taken in the order in which the program makes them",
        BEST_APPROXIMATIONS: "coefficients given the past are of this kind",
        SAME_MATRIX: "limits of vectors are defined by it",
        OUTER: "products of pseudo-Lipschitz functions are taken",
        INNER: "products of pseudo-Lipschitz functions are taken",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GENERAL.argued(
    bridge="Errors of single vectors add up. In each, coefficients and variances given the past"
    " converge by the master theorem applied to mean products, since earlier inputs that are"
    " linearly independent in the limit have a Gram matrix with an invertible limit, and the others"
    " are the same combinations of these at every width; so each error"
    " vanishes. Convergence of these means is convergence in law.",
    controls={"one matrix twice": {"which": Choice("images under one matrix", "one matrix")}},
    over={growing_width: integers(1)},
)
def one_vector_more(half: Any, which: str) -> Obligations:
    """The exponent grows by that of the noise, and earlier coefficients by those of the mean.

    Two earlier images of A and a new one, each with products with two images of other matrices.
    """
    a, b, r = sp.symbols("a b r", real=True)
    G = sp.Matrix(3, 3, lambda i, j: Symbol(f"G{min(i, j)}{max(i, j)}", real=True))
    K = sp.Matrix(2, 2, lambda i, j: Symbol(f"K{min(i, j)}{max(i, j)}", real=True))
    T = sp.Matrix(3, 2, sp.symbols("t:6", real=True))

    def exponent(t: sp.Matrix, gram: sp.Matrix) -> Any:
        return half * (gram * t * K * t.T).trace()

    best = G[:2, :2].inv() * G[:2, 2]
    left = G[2, 2] - (G[2, :2] * best)[0]
    noise = left * (T[2, :] * K * T[2, :].T)[0] / 2
    shifted = T[:2, :] + best * T[2, :]
    step = noise + exponent(shifted, G[:2, :2])
    yield "the exponent of all", sp.cancel(step - exponent(T, G)) == 0
    letters = sp.symbols("g h g' h'", real=True)
    cross = 0 if which == "two matrices" else r
    pairs = {(letters[0], letters[2]): a, (letters[1], letters[3]): b, letters[:2]: cross}
    moment = gaussian_mean(sp.Mul(*letters), letters, {**pairs, letters[2:]: cross})
    yield "covariances are products of two", sp.expand(moment - a * b) == 0


def _crossed_products(rng: np.random.Generator, width: int, matrices: int) -> float:
    """Half the sum of four dot products, of Az and A relu(v + z) with v = By and B relu(u + y).

    Here u = Az. With one matrix B is A.
    """
    A = rng.standard_normal((width, width)) / np.sqrt(width)
    B = rng.standard_normal((width, width)) / np.sqrt(width) if matrices == 2 else A
    z, y = rng.standard_normal((2, width))
    u, v = A @ z, B @ y
    first, second = u + A @ np.maximum(v + z, 0), v + B @ np.maximum(u + y, 0)
    return float(first @ second / np.sqrt(width) / 2)


@GENERAL.estimated(
    draws=1000,
    controls={"one matrix twice": {"which": Choice("images under one matrix", "one matrix")}},
    over={growing_width: integers(1)},
)
def crossed_rectified_inputs(
    rng: np.random.Generator, draws: int, half: Any, which: str
) -> Iterator[MeanTest]:
    """At width 64, with inputs of both matrices that depend on images under the other one.

    The limits of the inputs of A and of B have the Gram matrix (1, 1/2; 1/2, 1), as the mean of
    s relu(s + s') is 1/2 for standard normal s and s', so that the limit has the variance 9/4.
    The claim is about the limit: differences of up to 4/n are put down to the width n; what is seen
    is about 2/n.
    """
    width, matrices = 64, 2 if which == "two matrices" else 1
    sums = np.array([_crossed_products(rng, width, matrices) for _ in range(min(draws, 4000))])
    expected = math.exp(-float(half) * 9 / 4)
    yield mean_test(np.cos(sums), expected, rounding=4 / width)
    yield mean_test(np.sin(sums), 0.0, rounding=4 / width)
