"""Outputs of Gaussian matrices at one coordinate, given the inputs, and means of their products.

Given inputs that are independent of the matrices, the values g = Wx at one coordinate are jointly
Gaussian: a row of W meets the inputs, so that the covariance of Wx and W'x' is σ²⟨x, x'⟩/n where W
and W' are the same matrix, and 0 otherwise.
"""

from collections.abc import Sequence
from typing import Any

from sympy import Mul

from theorems.attention_limit.letters.dot_products import (
    S_11,
    S_12,
    S_21,
    S_22,
    d_11,
    d_12,
    d_21,
    d_22,
    g_11,
    g_12,
    g_21,
    g_22,
    sigma_1,
    sigma_2,
)
from theorems.engine import Given, Hypothesis, both, eq, rules
from theorems.engine.rules import E, Theorem
from theorems.engine.rules.normal_variables import isserlis
from theorems.engine.rules.vocabulary import normal

__all__ = ["CENTRED_TERMS", "FACTORS", "GAUSSIAN_FACTORS", "INDEPENDENT_ROWS", "covariances", "wick"]

FACTORS = (g_11, g_12, g_21, g_22)
GAUSSIAN_FACTORS = Hypothesis(
    "gaussian_factors",
    "the inputs are independent of the matrices of the dot products and are given; $g_11, $g_12,"
    " $g_21 and $g_22 are one coordinate of what four matrices make of four inputs, and the two"
    " matrices of one dot product are different",
    latex=r"\begin{pmatrix}$g_11\\ $g_12\\ $g_21\\ $g_22\end{pmatrix} \sim \mathcal{N},\quad"
    r" \mathbb{E}[$g_11 $g_21] = {$sigma_1}^2 $d_11 $S_11,\ "
    r" \mathbb{E}[$g_11 $g_22] = {$sigma_1}^2 $d_12 $S_12,\ "
    r" \mathbb{E}[$g_12 $g_21] = {$sigma_2}^2 $d_21 $S_21,\ "
    r" \mathbb{E}[$g_12 $g_22] = {$sigma_2}^2 $d_22 $S_22",
)
_COVARIANCES = {
    g_11 * g_12: 0,
    g_21 * g_22: 0,
    g_11 * g_21: sigma_1**2 * d_11 * S_11,
    g_11 * g_22: sigma_1**2 * d_12 * S_12,
    g_12 * g_21: sigma_2**2 * d_21 * S_21,
    g_12 * g_22: sigma_2**2 * d_22 * S_22,
}


def covariances(given: Given) -> Theorem:
    """The covariances of factors of different dot products; those of one have none, by (5)."""
    each = [eq(E(product), value) for product, value in _COVARIANCES.items()]
    return given.supposed(GAUSSIAN_FACTORS, *each)


def wick(given: Given, gaussian: Hypothesis, *monomials: Any, letters: Sequence[Any]) -> Theorem:
    """Means of products of variables that a hypothesis says are centred and jointly Gaussian."""
    known = [given.supposed(gaussian, normal(*letters))]
    for monomial in monomials:
        powers = [one.as_base_exp() for one in Mul.make_args(monomial)]
        known.append(isserlis(*(g for g, n in powers for _ in range(n)), jointly=letters))
    each = both(*(one.statement for one in known[1:]))
    return rules.follows(each, known, over={g: g.belongs_to for g in letters})


CENTRED_TERMS = Hypothesis(
    "centred_terms",
    "the inputs are independent of the matrices of the dot products and are given; $X is the sum of"
    " $r terms, each a number times the product of the outputs of two different matrices",
    latex=r"$X = \sum_{i} t_i g^{i,1}_\alpha g^{i,2}_\alpha",
)
INDEPENDENT_ROWS = Hypothesis(
    "independent_rows",
    "$X and $X_other are the same function of different rows of the matrices, which are"
    " independent of the inputs; these are given",
    latex=r"$X, $X_other \text{ independent with the same law given the inputs}",
)
