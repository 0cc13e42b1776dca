"""Proposition 26 in wide networks: the exact size of backpropagation matrices (derived here)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from flint import arb

from numeric.backpropagation_edge import backpropagation_edge
from numeric.certify import Certificate, certify_positive_to_end
from numeric.networks.tangent_law import sample_backpropagation
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.notation import a, b
from theorems.engine import Domain, Obligations, Provenance, claim, integers, interval

_PRODUCTS = "proofs_notes/eoc_backpropagation_edge.md#gaussian-products"
_NOTE = "proofs_notes/eoc_backpropagation_edge.md#the-edge"
_AT = "Proposition 26"
_LAYERS: dict[str, Domain] = {"k1": integers(2), "k2": integers(2), "m": integers(1)}
_INPUT = np.array([[1.0, 0.0]])

SIGNS = claim(
    "eoc.prop26.gaussian",
    at=_AT,
    title="For |·| backpropagation matrices have the singular values of Gaussian products",
    states=(
        r"\phi = |\cdot| \implies B_{k_1,k_2}^*B_{k_1,k_2} \overset{d}{=}"
        r" m_{k_1-1}^{-1}\,G_{k_1}^*\cdots G_{k_2-1}^*G_{k_2-1}\cdots G_{k_1}"
        r"\,\prod_{k=k_1}^{k_2-1} m_k^{-1}, \quad G_k \text{ standard normal}"
    ),
    given=_LAYERS,
    provenance=Provenance.DERIVED,
    note=_PRODUCTS,
)


@SIGNS.proved(controls={"relu": {"slopes": (0, 2)}, "leaky": {"slopes": (sp.Rational(1, 2), 1)}})
def signs_are_orthogonal(slopes: tuple[Any, Any] = (-1, 1)) -> Obligations:
    """(DGB)*(DGB) = (GB)*(GB) whatever slopes the rows have, for 2 × 2 blocks of all patterns.

    An entry of the product is a sum over rows, each with the square of its slope.
    """
    rows = sp.Matrix(2, 2, sp.symbols("g1:5"))
    for pattern in product(slopes, repeat=2):
        signed = sp.diag(*pattern) * rows
        gap = (signed.T * signed - rows.T * rows).expand()
        yield f"slopes {pattern}", bool(gap.is_zero_matrix)


MOMENTS = claim(
    "eoc.prop26.moments",
    at=_AT,
    title="For |·| the variance of the squared Frobenius norm, exactly",
    states=(
        r"\mathbb{E}\|B'\|_F^4 = \mathbb{E}\|B\|_F^4 + \tfrac{2}{M}\,\mathbb{E}\operatorname{tr}"
        r"(B^*B)^2, \quad \mathbb{E}\operatorname{tr}(B'^*B')^2 = \bigl(1 + \tfrac1M\bigr)"
        r"\mathbb{E}\operatorname{tr}(B^*B)^2 + \tfrac1M\,\mathbb{E}\|B\|_F^4"
    ),
    given=_LAYERS,
    assuming=(
        "B' is the matrix of the next layer, of width M, and φ the absolute value",
        "for the first matrix both moments are known: 1 and 1/m",
    ),
    rests_on=[SIGNS],
    provenance=Provenance.DERIVED,
    note=_PRODUCTS,
)


@MOMENTS.proved(controls={"three": {"factor": 3}, "no_diagonal": {"own": 0}})
def moments_of_a_row(factor: int = 2, own: int = 1) -> Obligations:
    """With u = B*g of covariance C: E|u|⁴ = (tr C)² + 2 tr C² and E⟨u, u'⟩² = tr C²."""
    c, g, h = sp.symbols("c1:4", positive=True), sp.symbols("g1:4"), sp.symbols("h1:4")
    trace, square = sum(c), sum(x**2 for x in c)
    fourth = _mean(sum(x * y**2 for x, y in zip(c, g, strict=True)) ** 2, g)
    mixed = _mean(sum(x * y * z for x, y, z in zip(c, g, h, strict=True)) ** 2, (*g, *h))
    yield "E|u|⁴", equal(fourth, trace**2 + factor * square)
    yield "E⟨u, u'⟩²", equal(mixed, square)
    M, s, t = sp.symbols("M s t", positive=True)
    spread = (M * (2 * s + t) + M * (M - 1) * s) / M**2
    yield "E tr (B'*B')²", equal(spread, (1 + own / M) * s + t / M)
    frobenius = (M * (2 * s + t) + M * (M - 1) * t) / M**2
    yield "E|B'|_F⁴", equal(frobenius, t + factor * s / M)


def _mean(form: sp.Expr, normals: tuple[sp.Symbol, ...]) -> sp.Expr:
    """The mean of a polynomial in independent standard normals."""
    polynomial = sp.Poly(sp.expand(form), *normals)
    return sum(
        coefficient * sp.prod([_normal_moment(power) for power in powers])
        for powers, coefficient in polynomial.terms()
    )


def _normal_moment(power: int) -> sp.Integer:
    return sp.Integer(0) if power % 2 else sp.factorial2(power - 1)


@MOMENTS.estimated(draws=6000, controls={"no_variance": {"share": 0.0}, "twice": {"share": 2.0}})
def frobenius_norms(rng: np.random.Generator, draws: int, share: float = 1.0) -> Iterator[MeanTest]:
    """Means of |B_{2,k}|_F⁴ in sampled networks of widths k² m."""
    for m, depth in ((1, 5), (2, 4)):
        widths = [k * k * m for k in range(1, depth)]
        sampled = sample_backpropagation(_INPUT, widths, 0, 1, rng, draws).products[:, :, 0, 0]
        fourth, square = 1.0, 1.0 / m
        for layer, width in enumerate(widths[1:], start=1):
            fourth, square = (
                fourth + 2 * square / width,
                (1 + 1 / width) * square + fourth / width,
            )
            yield mean_test(sampled[:, layer] ** 2, 1 + share * (fourth - 1))


EDGE = claim(
    "eoc.prop26.edge",
    at=_AT,
    title="The largest singular value of a backpropagation matrix in wide networks",
    states=(
        r"(k_1 - 1)\,m^{1/2}\,\|B_{k_1,k_2}\| \to \sqrt{\lambda_+}, \quad"
        r" \lambda_+ = \min_{z > 0} \frac1z \prod_{k=k_1-1}^{k_2-1}"
        r" h\Bigl(\frac{(k_1-1)^2}{k^2}\,z\Bigr), \quad"
        r" h(t) = \frac{1 + 2t + \sqrt{1 + 16\Delta_\phi(1-\Delta_\phi)t(1+t)}}{2}"
    ),
    given={**_LAYERS, "delta": interval(0, 1)},
    assuming=("m_k = k²m as in (4), and m grows",),
    rests_on=[SIGNS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
EDGE.cited(
    "U. Haagerup, S. Thorbjørnsen, Ann. of Math. 162 (2005); D. Voiculescu, J. Operator Theory 18"
    " (1987)",
    why="norms of polynomials in independent Gaussian matrices converge to those of free"
    " elements, and S-transforms of free factors multiply; no machine checks that here",
    part="the limit",
)


@EDGE.proved(
    controls={"forgotten_root": {"under_root": 0}, "half": {"under_root": sp.Rational(1, 2)}},
    part="the S-transforms",
)
def s_transforms(under_root: Any = 1) -> Obligations:
    """1/h(t) for squared slopes S = 1 ± r and m_k^{-1}G*S²G with t = cz; r² = 4Δ(1 - Δ).

    With χ = t/h: ψ(χ) = t for ψ(x) = E Sx/(1 - Sx); and the R-transform E S/(1 - cSg) of the
    compound Poisson law, at g = zS(z) = χ/c, is 1/S(z) = h.  The root is a symbol with a square.
    """
    r, t, root = sp.symbols("r t R", positive=True)
    h = (1 + 2 * t + root) / 2
    relation = root**2 - (1 + 4 * under_root * r**2 * t * (1 + t))
    chi, slopes = t / h, (1 + r, 1 - r)
    psi = sum(slope * chi / (1 - slope * chi) for slope in slopes) / 2
    poisson = sum(slope / (1 - slope * chi) for slope in slopes) / 2
    for name, gap in (("ψ(χ) = t", psi - t), ("R = h", poisson - h)):
        numerator = sp.numer(sp.together(gap))
        yield name, equal(sp.rem(sp.expand(numerator), relation, root), sp.Integer(0))
    squares = a**2 + b**2
    share, cross = b**2 / squares, 2 * a * b / squares
    same = equal(cross**2, 4 * share * (1 - share), under=[squares > 0])
    yield "σ²(a ± b)² = 1 ± r, r² = 4Δ(1 - Δ)", same


@EDGE.estimated(
    draws=40,
    controls={"a_layer_more": {"shift": 1}, "linear_network": {"delta": 0.0}},
    part="the limit",
)
def norms_of_sampled_matrices(
    rng: np.random.Generator, draws: int, shift: int = 0, delta: float | None = None
) -> Iterator[MeanTest]:
    """Mean norms lie below the limit, by no more than twice the edge's scale m^{-2/3}."""
    for slopes, share, m in (((0.0, 1.0), 1.0, 64), ((0.5, 0.5), 0.5, 48)):
        widths = [k * k * m for k in range(1, 6)]
        sampled = sample_backpropagation(_INPUT, widths, *slopes, rng, draws).norms[:, :, 0]
        for k2 in (2, 3, 5):
            limit = backpropagation_edge(2, k2 + shift, share if delta is None else delta)
            norms = np.sqrt(m) * sampled[:, k2 - 2]
            yield mean_test(norms, limit, alternative="greater")
            yield mean_test(norms, limit * (1 - 2 * m ** (-2 / 3)), alternative="less")


BOUNDED = claim(
    "eoc.prop26.bounded",
    at=_AT,
    title="For |·| no logarithm: the norms stay below 1.9136 m^(-1/2) at every depth",
    states=(
        r"\phi = |\cdot| \implies \lim_{m\to\infty} m^{1/2}\,\|B_{2,k_2}\| <"
        r" \min_{y > 0}\frac{\pi\sqrt{\sinh y}}{y^{3/2}} = 1.9135\ldots \text{ for all } k_2"
    ),
    given={"k2": integers(2)},
    rests_on=[EDGE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BOUNDED.proved(
    controls={"cosine": {"sign": -1}, "without_pi": {"unit": sp.Integer(1)}}, part="the product"
)
def euler_product(sign: int = 1, unit: Any = sp.pi) -> Obligations:
    """z^{-1}Π_{k≥1}(1 + z/k²) = sinh(π√z)/(πz^{3/2}), and at z = y²/π² that is π² sinh y / y³.

    Power sums decide: log Π(1 + z/k²) = Σ_j (-1)^{j+1} ζ(2j) z^j / j, and log (sinh x / x) has
    these coefficients at x = π√z.
    """
    z, y = sp.symbols("z y", positive=True)
    x = unit * sp.sqrt(z)
    closed = sp.series(sp.log(sp.sinh(y) / y), y, 0, 10).removeO().subs(y, x)
    for j in range(1, 5):
        power_sum = (-sign) ** (j + 1) * sp.zeta(2 * j) / j
        yield f"coefficient of z^{j}", equal(sp.expand(closed).coeff(z, j), power_sum)
    at = (y / sp.pi) ** 2
    quotient = sp.sinh(sp.pi * sp.sqrt(at)) / (sp.pi * at ** sp.Rational(3, 2))
    yield "in y", equal(sp.simplify(quotient), sp.pi**2 * sp.sinh(y) / y**3)


@BOUNDED.certified(
    controls={"smaller_top": {"top": 19135}, "larger_bottom": {"bottom": 19136}}, part="the minimum"
)
def minimum_over_y(top: int = 19136, bottom: int = 19135) -> list[Certificate]:
    """π² sinh y < (top/10⁴)² y³ at some y, and π² sinh y > (bottom/10⁴)² y³ for all y > 0.

    On (0, 8] by balls; beyond, sinh y / y³ increases, as y > 3 > 3 tanh y.
    """

    def above(y: Any) -> Any:
        return _sinh(y) * arb.pi() ** 2 - y * y * y * (arb(bottom) / 10**4) ** 2

    def below(y: Any) -> Any:
        return y * y * y * (arb(top) / 10**4) ** 2 - _sinh(y) * arb.pi() ** 2

    return [
        certify_positive_to_end(above, "y", 0, 8, order=1),
        certify_positive_to_end(below, "y", "29847/10000", "29848/10000", order=0),
    ]


def _sinh(y: Any) -> Any:
    grown = y.exp()
    return (grown - 1 / grown) / 2
