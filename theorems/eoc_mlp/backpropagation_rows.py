"""Proposition 10, proof: the rows of the random layer, their law given signs, and the mean norm."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.nonnegative import nonnegative
from symbolic.notation import a, b, phi_prime
from theorems.engine import Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain

__all__ = ["GIVEN", "MEAN", "SHORT", "WIDTH"]


_PROOF = "Proposition 10, proof"
_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
GIVEN: dict[str, Domain] = {
    "k1": integers(2),
    "k2": integers(3),
    "s": half_line(0),
    "delta": interval(0, 1),
}
SHORT = "k1 < k2, B' = B_{k1,k2}, B = B_{k1,k2-1}, M = m_{k2-1}"
_HALF = sp.Rational(1, 2)
_MEAN_MODULUS = sp.sqrt(2 / sp.pi)

ISOTROPIC = claim(
    "eoc.prop10.isotropic",
    at=_PROOF,
    title="The rows are isotropic",
    states=(
        r"\mathbb{E}(\phi'(z_j)v_j)^{\otimes2} = \mathbb{E}\phi'(u)^2\bigl(u^2\tau^{-2}"
        r"\hat x^{\otimes2} + \sigma^2(\mathcal{I} - \hat x^{\otimes2})\bigr) = \mathcal{I},"
        r" \quad u \sim \mathcal{N}(0, \sigma^2\tau^2),\ v_j = m^{q_{k_2-1}/2}A_{k_2-1,j}"
    ),
    assuming="x_{k2-1}(x) does not vanish",
    rests_on=["eoc.prop16.moments"],
)


@ISOTROPIC.proved(
    controls={"without_slopes": {"slope": lambda _: sp.Integer(1) / 2}, "whole": {"kept": 0}}
)
def along_and_across(slope: Any = phi_prime, kept: int = 1) -> Obligations:
    """σ²E φ'(g)²g² along x̂, σ²E φ'(g)² across, with u = στg."""
    g = sp.Symbol("g", real=True)
    squares = a**2 + b**2
    along = expectation(slope(g) ** 2 * (g**2 + (1 - kept)), g) / squares
    across = expectation(slope(g) ** 2, g) / squares
    yield "along", equal(along, sp.Integer(1))
    yield "across", equal(across, sp.Integer(1))


ROWS = claim(
    "eoc.prop10.subgaussian",
    at=_PROOF,
    title="Sub-gaussian norm of the rows, with its constant",
    states=(
        r"\|\langle\phi'(z_j)v_j, y\rangle\|_{\psi_2} \le \sqrt{\tfrac83}\,\kappa_\phi"
        r" = O(\kappa_\phi), \quad \|y\| = 1"
    ),
    rests_on=["eoc.sec2.psi.gaussian"],
)


@ROWS.proved(controls={"without_sigma": {"power": 0}})
def largest_slope(power: int = 1) -> Obligations:
    """|φ'| ≤ |a| + |b|, and ⟨v, y⟩ = σg."""
    first, second, sigma, g = sp.symbols("A B sigma g", positive=True)
    for sign in (-1, 1):
        gap = (first + second) ** 2 - (first + sign * second) ** 2
        yield f"slope {sign}", sp.expand(gap).is_nonnegative
    kappa = (first + second) * sigma
    yield "bound", equal((first + second) * sigma**power * g, kappa * g)


WIDTH = claim(
    "eoc.prop10.width",
    at=_PROOF,
    title="Gaussian width of the image of the sphere",
    states=(
        r"\sqrt{\tfrac2\pi}\,\|B\| \le w(B) = \mathbb{E}\|B^*g\| \le"
        r" \sqrt{\mathbb{E}\|B^*g\|^2} = \|B\|_F"
    ),
    note=_NOTE,
)


@WIDTH.proved(controls={"operator_norm": {"frobenius": False}, "one": {"least": 1}})
def second_moment(frobenius: bool = True, least: Any = _MEAN_MODULUS) -> Obligations:
    """‖B*g‖ = sup ⟨By, g⟩; E g_i g_j = δ_ij; for one y, E|⟨By, g⟩| = ‖By‖√(2/π)."""
    B = sp.Matrix(3, 2, sp.symbols("b:6", real=True))
    gram = B * B.T
    mean = gram.trace() if frobenius else gram[0, 0]
    yield "E‖B*g‖²", equal(mean, sum(entry**2 for entry in B))
    g = sp.Symbol("g", real=True)
    yield "E|g|", equal(expectation(abs(g), g), least)


DECOMPOSITION = claim(
    "eoc.prop10.decomposition",
    at="Proposition 10",
    title="The random layer given the signs of its preactivations",
    states=(
        r"\sqrt M B' = D_s(D_\varepsilon|h|\hat x^* + G_\perp)B, \quad"
        r" s_j^2 = 1 + r\varepsilon_j, \quad |s_j| \le \kappa_\phi"
    ),
    given=GIVEN,
    assuming=(
        SHORT,
        "the signs ε, the moduli |h| and the part of G across x_{k2-1} are independent",
        "x_{k2-1}(x) does not vanish",
    ),
    rests_on=["eoc.prop11.rows", "eoc.kappa"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DECOMPOSITION.proved(controls={"half": {"mixed": 1}})
def slopes_by_sign(mixed: int = 2) -> Obligations:
    """s_j = σφ'(ε_j): s_j² = 1 + rε_j with |r| = κ² - 1; h = Gx̂ is independent of G(𝓘 - x̂x̂*)."""
    squares = a**2 + b**2
    for sign in (-1, 1):
        square = phi_prime(sign) ** 2 / squares
        same = equal(square, 1 + sign * mixed * a * b / squares, under=[squares > 0])
        yield f"sign {sign}", same
    first, second = sp.symbols("A B", positive=True)
    excess = (first + second) ** 2 / (first**2 + second**2) - 1
    yield "|r| = κ² - 1", equal(excess, mixed * first * second / (first**2 + second**2))
    x = sp.Matrix(sp.symbols("x:3", real=True))
    length = (x.T * x)[0]
    rest = sp.eye(3) - x * x.T / length
    yield "uncorrelated", bool((rest * x).applyfunc(sp.cancel).is_zero_matrix)


MEAN = claim(
    "eoc.prop10.mean",
    at="Proposition 10",
    title="Mean norm given the signs",
    states=(
        r"\mathbb{E}\bigl[\sqrt M\|B'\| \bigm| \varepsilon\bigr] \le \kappa_\phi\,w(B)"
        r" + \|B\|\sqrt M\Bigl(1 + \tfrac{r}{2}\bar\varepsilon"
        r" + \tfrac{\kappa_\phi^2}{\sqrt{2M}}\Bigr), \quad"
        r" \bar\varepsilon = \tfrac1M\sum_j\varepsilon_j"
    ),
    given=GIVEN,
    assuming=(SHORT,),
    rests_on=[
        DECOMPOSITION,
        "classical.sudakov_fernique",
        "classical.gordon_increments",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.proved(controls={"variance": {"share": 1}, "larger_root": {"root": sp.Rational(3, 10)}})
def two_columns(share: int = 2, root: Any = _HALF) -> Obligations:
    """By Gordon's comparison E sup ≤ κ w(B) + ‖B‖ E‖D_s[g', h]‖ for a Gaussian g'.

    The 2 × 2 Gram matrix of D_s[g', h] has the largest eigenvalue (p + q)/2 + √(((p - q)/2)² + c²)
    with E(p + q)/2 = Σs² and E((p - q)/2)² + E c² = 2Σs⁴ ≤ 2Mκ⁴; and √(1 + x) ≤ 1 + x/2.
    """
    p, q, c = sp.symbols("p q c", real=True)
    top = (p + q) / 2 + sp.sqrt(((p - q) / 2) ** 2 + c**2)
    matrix = sp.Matrix([[p, c], [c, q]])
    yield "eigenvalue", equal((matrix - top * sp.eye(2)).det(), sp.Integer(0))
    g = sp.Symbol("g", real=True)
    second, fourth = (expectation(g**n, g) for n in (2, 4))
    spread = (2 * fourth - 2 * second**2) / 4 + second**2
    yield "E((g² - h²)/2)² + E(gh)² = 2", equal(spread, sp.Integer(share))
    x = sp.Symbol("x", positive=True)
    yield "(1 + x/2)² ≥ 1 + x", nonnegative((1 + root * x) ** 2 - (1 + x))
    kappa, M = sp.symbols("kappa M", positive=True)
    half = sp.sqrt(2 * M * kappa**4) / M / 2
    yield "half the root", equal(half, kappa**2 / sp.sqrt(2 * M))
