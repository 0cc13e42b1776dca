"""Proposition 26 in wide networks: the exact size of backpropagation matrices (derived here)."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, sqrt

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.notation import a, b
from theorems.engine import Choice, Obligations, Provenance, integers, sentence
from theorems.eoc_mlp.all_layers.backpropagation.edge_of_product import edge_of_product
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, ALL_ALIVE, NOT_ABOVE, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import DELTA, M, claim, k1, k2, m, threshold
from theorems.eoc_mlp.sampling.drawn_once import backpropagation_draws, seed_of

Rng = np.random.Generator
Tests = Iterator[MeanTest]
_PRODUCTS = "proofs_notes/eoc_backpropagation_edge.md#gaussian-products"
_NOTE = "proofs_notes/eoc_backpropagation_edge.md#the-edge"
_AT = "Proposition 26"
_INPUT = ((1.0, 0.0),)

SIGNS = claim(
    "eoc.prop26.gaussian",
    at=_AT,
    title="For |·| backpropagation matrices have the singular values of Gaussian products",
    states=sentence(
        r"\sigma\phi' \in $slopes \implies B_{k_1,k_2}^*B_{k_1,k_2} \overset{d}{=}"
        r" m_{k_1-1}^{$outer}\,G_{k_1}^*\cdots G_{k_2-1}^*G_{k_2-1}\cdots G_{k_1}"
        r"\,\prod_{k=$first}^{$last} m_k^{$power}, \quad G_k \text{ standard normal}",
        slopes=Choice(r"\{-1, 1\}", (-1, 1)),
        outer=-1,
        power=-1,
        first=k1,
        last=k2 - 1,
    ),
    given={k1: integers(2), k2: integers(2)},
    assuming=[ALL_ALIVE, NOT_ABOVE],
    provenance=Provenance.DERIVED,
    note=_PRODUCTS,
)


@SIGNS.argued(
    bridge="An entry of (D G B)*(D G B) is a sum over the rows of G, each with the square of its"
    " slope, so that the diagonal D drops out; the law of the next Gaussian matrix is that of its"
    " product with an orthogonal D. Each layer k from k_1 to k_2 - 1 adds a factor G_k/√m_k.",
    uses=[ALL_ALIVE, NOT_ABOVE],
    over={k1: integers(2), k2: integers(2)},
    controls={
        "relu": {"slopes": Choice(r"\{0, 2\}", (0, 2))},
        "leaky": {"slopes": Choice(r"\{1/2, 1\}", (Rational(1, 2), 1))},
    },
)
def signs_are_orthogonal(slopes: Any, outer: int, power: int, first: Any, last: Any) -> Obligations:
    """A row of any length, times a slope: its products with itself; and the layers that add one."""
    one, other, width = sp.symbols("u v m", positive=True)
    for slope in slopes:
        yield f"slope {slope}", equal((slope * one) * (slope * other), one * other)
    for name, scale in (("D", outer), ("G", power)):
        yield f"the square of the scale of {name}", equal(sqrt(1 / width) ** 2, width**scale)
    yield "layers between", equal(sp.expand(last - first + 1), k2 - k1)
    yield "the matrix of one layer is D", equal(first, k1)


MOMENTS = claim(
    "eoc.prop26.moments",
    at=_AT,
    title="For |·| the variance of the squared Frobenius norm, exactly",
    states={
        "step": sentence(
            r"t' = t + \tfrac{$two}{$M}s, \quad s' = \bigl($one + \tfrac{$own}{$M}\bigr)s"
            r" + \tfrac{$other}{$M}t \quad \text{for } t = \mathbb{E}\|B\|_F^{$fourth},\ s ="
            r" \mathbb{E}\operatorname{tr}(B^*B)^{$square}, \text{ and } t', s' \text{ of } B'",
            fourth=4,
            square=2,
            two=2,
            one=1,
            own=1,
            other=1,
        ),
        "start": sentence(
            r"k_1 = k_2 = $layer: \quad \mathbb{E}\|B\|_F^{$power} = $one, \quad"
            r" \mathbb{E}\operatorname{tr}(B^*B)^{$square} = $inverse",
            layer=2,
            power=4,
            square=2,
            one=1,
            inverse=1 / m,
        ),
    },
    assuming=[ABSOLUTE_VALUE, ALL_ALIVE, SQUARE_WIDTHS],
    rests_on=[SIGNS],
    discharging={NOT_ABOVE: "the layers of B go up, and B' has one more"},
    provenance=Provenance.DERIVED,
    note=_PRODUCTS,
    excused=dict.fromkeys(
        ("power", "sign of power"), "true as well: the Frobenius norm of one layer is 1 surely"
    ),
)


@MOMENTS.argued(
    "step",
    bridge="Moments of a Gaussian vector depend on the eigenvalues of its covariance, of which"
    " polynomials of degree two see two at a time; pairs of different rows are independent, and M"
    " rows and M(M - 1) ordered pairs add up.",
    uses=[ABSOLUTE_VALUE, ALL_ALIVE],
    over={M: integers(1)},
)
def row_moments(fourth: int, square: int, two: Any, one: Any, own: Any, other: Any) -> Obligations:
    """With u = B*g of covariance C: E|u|⁴ = (tr C)² + 2 tr C² and E⟨u, u'⟩² = tr C²."""
    c, g, h = sp.symbols("c1:4", positive=True), sp.symbols("g1:4"), sp.symbols("h1:4")
    trace, squared = sum(c), sum(x**2 for x in c)
    length = _mean(sum(x * y**2 for x, y in zip(c, g, strict=True)) ** 2, g)
    mixed = sum(x * y * z for x, y, z in zip(c, g, h, strict=True)) ** square
    yield "E|u|⁴", equal(length, trace**2 + 2 * squared)
    yield "E⟨u, u'⟩²", equal(_mean(mixed, (*g, *h)), squared)
    size, width, s, t = sp.symbols("size M s t", positive=True)
    yield "both are of one degree in B", equal(size**fourth, size ** (2 * square))
    spread = (width * (2 * s + t) + width * (width - 1) * s) / width**2
    yield "E tr (B'*B')²", equal(spread, (one + own / width) * s + other * t / width)
    frobenius = (width * (2 * s + t) + width * (width - 1) * t) / width**2
    yield "E|B'|_F⁴", equal(frobenius, t + two * s / width)


def _mean(form: sp.Expr, normals: tuple[sp.Symbol, ...]) -> sp.Expr:
    """The mean of a polynomial in independent standard normals."""
    for normal in normals:
        form = expectation(sp.expand(form), normal)
    return form


@MOMENTS.estimated("step", draws=6000, controls={"no_variance": {"two": 0}, "twice": {"two": 4}})
def frobenius_norms(rng: Rng, draws: int, two: int, one: int, own: int, other: int) -> Tests:
    """Means of |B_{2,k}|_F⁴ in sampled networks of widths k² m."""
    for unit, depth in ((1, 5), (2, 4)):
        widths = tuple(k * k * unit for k in range(1, depth))
        drawn = backpropagation_draws(seed_of(rng), _INPUT, widths, (0, 1), draws)
        fourth, square = 1.0, 1.0 / unit
        for layer, width in enumerate(widths[1:], start=1):
            fourth, square = (
                fourth + float(two) * square / width,
                (float(one) + float(own) / width) * square + float(other) * fourth / width,
            )
            yield mean_test(drawn.products[:, layer, 0, 0] ** 2, fourth)


@MOMENTS.argued(
    "start",
    bridge="The matrix of one layer is diagonal with entries ± m_{k-1}^(-1/2), m_{k-1} in number.",
    uses=[ABSOLUTE_VALUE, ALL_ALIVE, SQUARE_WIDTHS],
    over={m: integers(1)},
)
def signs_of_one_layer(layer: int, power: int, square: int, one: Any, inverse: Any) -> Obligations:
    """The m squares 1/m of the entries add up to 1, and their squares to 1/m."""
    width = (sp.sympify(layer) - 1) ** 2 * m
    entry = 1 / sqrt(width)
    yield "Frobenius norm", equal(sqrt(width * entry**2) ** power, one)
    yield "trace of the square", equal(width * entry ** (2 * sp.sympify(square)), inverse)


#: h(t) by t, for squared slopes S = 1 ± r with r² = 4Δ(1 - Δ).
_T = threshold
H_OF_T = (1 + 2 * _T + sqrt(1 + 16 * DELTA * (1 - DELTA) * _T * (1 + _T))) / 2

EDGE = claim(
    "eoc.prop26.edge",
    at=_AT,
    title="The largest singular value of a backpropagation matrix in wide networks",
    states={
        "limit": sentence(
            r"($root)\,$m^{$half}\,\|B_{k_1,k_2}\| \to \sqrt{\lambda_+}, \quad \lambda_+ ="
            r" \inf_{z > 0} \frac{$one}{z} \prod_{k=$start}^{$last}"
            r" h\Bigl(\Bigl(\frac{$base}{k}\Bigr)^{$square} z\Bigr), \quad h(t) = $h",
            root=k1 - 1,
            half=Rational(1, 2),
            one=1,
            start=k1 - 1,
            last=k2 - 1,
            base=k1 - 1,
            square=2,
            h=H_OF_T,
        ),
        "S-transforms": sentence(
            r"\mathbb{E}\frac{S\chi}{$one - S\chi} = t,\ \mathbb{E}\frac{S}{$unit - S\chi} = h(t)"
            r"\ \text{ for } \chi = \frac{t}{h(t)},\ S = $mean \pm r,\ r^{$square} = $spread, \quad"
            r" h(t) = $h",
            one=1,
            unit=1,
            mean=1,
            square=2,
            spread=4 * DELTA * (1 - DELTA),
            h=H_OF_T,
        ),
    },
    given={k1: integers(2), k2: integers(2)},
    assuming=[SQUARE_WIDTHS, ALL_ALIVE, NOT_ABOVE],
    rests_on=[SIGNS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"sign of base": "true as well: only its square enters"},
)
EDGE.cited(
    "U. Haagerup, S. Thorbjørnsen, Ann. of Math. 162 (2005); C. Male, Probab. Theory Related Fields"
    " 154 (2012); D. Voiculescu, J. Operator Theory 18 (1987)",
    why="norms of polynomials in independent Gaussian and diagonal matrices converge to those of"
    " free elements, and S-transforms of free factors multiply; no machine checks that here",
    part="limit",
)


@EDGE.argued(
    "S-transforms",
    bridge="S takes the values 1 + r and 1 - r with probability 1/2 each.",
    over={DELTA: sp.Interval(0, 1), threshold: sp.Interval(0, sp.oo)},
)
def s_transforms(one: Any, unit: Any, mean: Any, square: int, spread: Any, h: Any) -> Obligations:
    """ψ(χ) = t for ψ(x) = E Sx/(1 - Sx), χ = t/h; and the R-transform E S/(1 - Sχ) is h.

    It is that of the compound Poisson law, 1/S(z).  The root is a symbol with a square.
    """
    r, t, root, q = sp.symbols("r t R q", positive=True)  # Δ = (1 + q)/2, so that r² = 1 - q²
    (found,) = (one for one in h.atoms(sp.Pow) if one.exp == Rational(1, 2))
    plain = h.subs(found, root).subs(threshold, t)

    def in_r(expression: Any) -> Any:
        inserted = expression.subs({DELTA: (1 + q) / 2, threshold: t})
        return sp.expand(sp.expand(inserted).subs(q**2, 1 - r**2))

    yield "r²", equal(in_r(spread), r**square)
    relation = sp.expand(root**2 - in_r(found.base))
    chi, slopes = t / plain, (mean + r, mean - r)
    psi = sum(slope * chi / (one - slope * chi) for slope in slopes) / 2
    poisson = sum(slope / (unit - slope * chi) for slope in slopes) / 2
    for name, gap in (("ψ(χ) = t", psi - t), ("R = h", poisson - plain)):
        numerator = sp.expand(sp.numer(sp.together(gap)))
        yield name, equal(sp.rem(numerator, relation, root), sp.Integer(0))
    squares = a**2 + b**2
    share, cross = b**2 / squares, 2 * a * b / squares
    yield "(a ± b)²/(a² + b²)", equal(cross**square, spread.subs(DELTA, share), under=[squares > 0])


def edge_of(layers: Any, base: int, h: Any, delta: float, power: float) -> float:
    """√λ₊ for some layers, by minimising over log z."""
    value = sp.lambdify(threshold, h.subs(DELTA, delta), "numpy")
    return edge_of_product(value, (layers / base) ** power)


@EDGE.argued(
    "limit",
    bridge="The sign of ⟨g, x̂⟩ is independent of gg*, so that slopes may be drawn apart from the"
    " Gaussian matrices; diagonal and Gaussian matrices become free, norms converge, S-transforms"
    " multiply. As ψ is a power series with coefficients that are not negative, log χ is concave in"
    " log z, so that χ is largest where its branch from 0 ends, at 1/λ₊.",
    uses=[SQUARE_WIDTHS, ALL_ALIVE, NOT_ABOVE],
    over={**dict.fromkeys((k1, k2), integers(2)), m: integers(1), DELTA: sp.Interval(0, 1)},
)
def free_factors(
    root: Any, half: Any, one: Any, start: Any, last: Any, base: Any, square: int, h: Any
) -> Obligations:
    """1/χ(z) = z^{-1}Π h(c_k z), of a diagonal and k₂ - k₁ Gaussian factors, c_k = m_{k₁-1}/m_k."""
    columns, over = (k1 - 1) ** 2 * m, {k1: integers(2), m: integers(1), M: integers(1)}
    yield "√m_{k₁-1}", equal(root * m**half, sqrt(columns), over)
    yield "c_k, in layer M", equal((base / M) ** square, columns / (M**2 * m), over)
    yield "c_k is 1 in the first factor", equal((k1 - 1) / start, sp.Integer(1))
    yield "the factors after it", equal(sp.expand(last - start), k2 - k1)
    alone = sp.limit(one * h.subs(DELTA, Rational(1, 5)) / threshold, threshold, sp.oo)
    yield "λ₊ of the diagonal factor alone, 1 + r", equal(alone, Rational(9, 5))
    yield from s_transforms(1, 1, 1, 2, 4 * DELTA * (1 - DELTA), h)


@EDGE.estimated(
    "limit",
    draws=40,
    controls={
        "a_layer_more": {"last": k2},
        "from_the_next": {"start": k1},
        "scaled_by_the_next": {"root": k1},
        "widths_over_the_next": {"base": k1},
        "linear_network": {"h": 1 + threshold},
        "larger_width": {"half": 1},
        "slower": {"square": 1},
        "twice": {"one": 2},
    },
)
def norms_of_sampled_matrices(
    rng: Rng,
    draws: int,
    root: Any,
    half: Any,
    one: int,
    start: Any,
    last: Any,
    base: Any,
    square: int,
    h: Any,
) -> Tests:
    """Mean norms lie below the limit, by no more than twice the edge's scale m^{-2/3}."""
    for slopes, share, unit in (((0.0, 1.0), 1.0, 64), ((0.5, 0.5), 0.5, 48)):
        widths = tuple(k * k * unit for k in range(1, 6))
        drawn = backpropagation_draws(seed_of(rng), _INPUT, widths, slopes, draws)
        scale, first, over = (int(place.subs(k1, 2)) for place in (root, start, base))
        for end in (2, 3, 5):
            layers = np.arange(first, int(last.subs(k2, end)) + 1)
            limit = float(one) ** 0.5 * edge_of(layers, over, h, share, float(square))
            norms = scale * unit ** float(half) * drawn.norms[:, end - 2, 0]
            yield mean_test(norms, limit, alternative="greater")
            yield mean_test(norms, limit * (1 - 2 * unit ** (-2 / 3)), alternative="less")
