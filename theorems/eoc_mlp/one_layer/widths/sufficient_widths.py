"""Remark 13: which widths keep the errors of inverse cosine distances in check."""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
import sympy as sp
from sympy import Expr, Rational, pi

from numeric.cosine_maps import omega
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    ge,
    gt,
    half_line,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.hypotheses import (
    ABSOLUTE_VALUE,
    NOT_PARALLEL,
    SQUARE_WIDTHS,
    TYPICAL_EVENT,
    WIDE_LAYERS,
)
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega as omega_of
from theorems.eoc_mlp.letters.cosines import w, w_1_input, w_k, w_next, w_tilde
from theorems.eoc_mlp.letters.figure import S_k, V_k, gamma_power, sum_v
from theorems.eoc_mlp.letters.network import k, m_k, widths
from theorems.eoc_mlp.letters.table import LETTERS, claim
from theorems.eoc_mlp.one_layer.widths.error_sums import sum_of_equal_terms, sums_of_squares
from theorems.eoc_mlp.one_layer.widths.figure_1.first_order_law import ACUTE, INCREMENT, errors_at
from theorems.eoc_mlp.one_layer.widths.growth_in_the_limit import REMAINDER
from theorems.eoc_mlp.premises.substitutions import as_it_stands

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
_K = sp.Symbol("k", positive=True, integer=True)
_W = sp.Symbol("w_1", positive=True)
_READING = [ABSOLUTE_VALUE, TYPICAL_EVENT]
_C = (3 * pi / 4 * (1 + w_1_input)) ** 2

SUFFICIENT = claim(
    "eoc.rem13.sufficient",
    at="Remark 13",
    title="γ_k = k² is sufficient for inverse cosine distances to increase linearly",
    states={
        "bound": le(V_k, w_tilde**2 * _C / (k - 1)),
        "limit": sentence(r"\lim_{k\to\infty}\frac{$V_k}{{$w_tilde}^$two} = $zero", two=2, zero=0),
    },
    given={k: integers(2), **ACUTE},
    assuming=[*_READING, SQUARE_WIDTHS],
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    note=f"{_NOTE}#remark-13",
)
_w, _n, _g, _o = sp.symbols("w n g o", positive=True)
_v, _s = sp.symbols("v s", nonnegative=True)
_POSITIVE = half_line(0, closed=False)


def _variance_and_limit(given: Given) -> list[Theorem]:
    """V_k between sums of the noises, these sums in terms of S_k, and the limit between lines."""
    return [*(given.fact("eoc.fig1.bounds", name) for name in _BOUNDS), sums_of_squares(given)]


_BOUNDS = ("variance from below", "variance from above", "limit from below", "limit from above")


def _over(given: Given) -> dict[Any, Any]:
    return {**{x: LETTERS[x].domain for x in (S_k, sum_v, k)}, **given.domain}


def _of_numbers(statement: Any, under: list[Any], given: Given) -> Theorem:
    """A fact about V, w̃, S, k, 4/(3π) and 1 + w_1 as positive numbers, V and S possibly 0."""
    over = {**dict.fromkeys((_w, _n, _g, _o), _POSITIVE), **dict.fromkeys((_v, _s), half_line(0))}
    numbers = rules.follows(statement, over=over, under=under)
    at = {_v: V_k, _w: w_tilde, _s: S_k, _n: k, _g: INCREMENT, _o: 1 + w_1_input}
    letters = {x: one for x, one in _over(given).items() if x != sum_v}
    return numbers.at(at, over=letters, under=[one.xreplace(at) for one in under])


@SUFFICIENT.certified("bound")
def relative_variance(given: Given) -> Theorem:
    """V_k ≤ (1 + w_1)² Σ_{j<k} j²/γ_j, where all terms are 1, over (4/(3π))² (k - 1)²."""
    over = _over(given)
    ones = sum_of_equal_terms(given, SQUARE_WIDTHS)
    under = [le(_v, _o**2 * (_n - 1)), le(_g * (_n - 1), _w), ge(_n, 2)]
    bound = _of_numbers(le(_v, _w**2 * (_o / _g) ** 2 / (_n - 1)), under, given)
    known = [*_variance_and_limit(given), ones, rules.enclosed(gt(pi, 3))]
    met = rules.follows(both(*bound.under), known, over=over)
    there = rules.follows(bound.statement, [bound, met], over={x: over[x] for x in bound.over})
    return given.follows(there, goal=as_it_stands(SUFFICIENT, "bound"))


@SUFFICIENT.argued(
    "limit",
    bridge="The quotient lies between 0 and the bound, which tends to 0.",
    uses=[*_READING, SQUARE_WIDTHS],
    over={k: integers(2)},
)
def limit_between_bounds(two: int, zero: int) -> Obligations:
    """The bound over w̃_k² tends to the limit."""
    bound = as_it_stands(SUFFICIENT, "bound").rhs / w_tilde**two
    depth = sp.Symbol("k", positive=True)
    above = bound.subs({w_1_input: sp.sqrt(2), k: depth})
    yield "no limit in it", w_tilde not in bound.free_symbols
    yield "limit of the bound", equal(sp.limit(above, depth, sp.oo), sp.sympify(zero))


NECESSARY = claim(
    "eoc.rem13.necessary",
    at="Remark 13",
    title="Widths of order k² are necessary for inverse cosine distances to increase linearly",
    states=sentence(
        r"\frac{$V_k}{{$w_tilde}^{$square}} \to $limit \implies"
        r" \liminf_{k \to \infty}\frac{\gamma_k}{k^{$order}} > $least",
        square=2,
        limit=0,
        order=2,
        least=0,
    ),
    assuming=_READING,
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    note=f"{_NOTE}#remark-13",
)


@NECESSARY.refuted(severity=Severity.FALSE, controls={"linear": {"order": 1}, "negative": {"least": -1}})
def three_halves(square: int, limit: int, order: int, least: int) -> Obligations:
    """For γ_k = ⌈k^(3/2)⌉ the relative variance tends to 0 and γ_k/k² too.

    Σ_{j<k} j²/γ_j ≤ Σ_{j<k} j^(2 - p) ≤ k^(3 - p)/(3 - p) for p ≤ 2.
    """
    power = Rational(3, 2)
    total = _K ** (3 - power) / (3 - power)
    share = (1 + _W) ** 2 * total / (INCREMENT * (_K - 1)) ** square
    yield "relative variance tends to 0", sp.limit(share.subs(_W, 1), _K, sp.oo) == limit
    lowest = sp.limit((_K**power + 1) / _K**order, _K, sp.oo)
    yield "γ_k/k² tends to 0", bool(lowest <= least)


WIDTHS = NECESSARY.corrected(
    "eoc.rem13.widths",
    title="What is necessary and sufficient: the average of j²/γ_j over j < k is o(k), or O(k)",
    states={
        "bound from below": le(S_k / (10 * _C), V_k / w_tilde**2),
        "bound from above": le(V_k / w_tilde**2, _C * S_k),
        "powers of k": sentence(
            r"\gamma_k = k^$gamma_power: \quad $S_k \to $zero \iff $gamma_power > $edge, \quad"
            r" \sup_k $S_k < \infty \iff $gamma_power \ge $edge_of_bounded",
            zero=0,
            edge=1,
            edge_of_bounded=1,
        ),
    },
    given=ACUTE,
    assuming=_READING,
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    note=f"{_NOTE}#remark-13",
)


@WIDTHS.certified("bound from below", "bound from above")
def compare_terms(given: Given) -> Theorem:
    """Term by term: 4j/(3π) ≤ w̃_{j+1} ≤ (1 + w_1) j and 4k/(3π) ≤ w̃_k ≤ (1 + w_1) k."""
    over = _over(given)
    if given.part == "bound from below":
        under = [le(_g**2 * _n**2 * _s / 10, _v), le(_w, _o * _n), gt(_g, 0)]
        stated = le(_s / (10 * (_o / _g) ** 2), _v / _w**2)
    else:
        under = [le(_v, _o**2 * _n**2 * _s), le(_g * _n, _w), gt(_g, 0)]
        stated = le(_v / _w**2, (_o / _g) ** 2 * _s)
    bound = _of_numbers(stated, under, given)
    letters = {x: one for x, one in over.items() if x != gamma_power}
    known = [*_variance_and_limit(given), rules.enclosed(gt(pi, 3))]
    met = rules.follows(both(*bound.under), known, over=letters)
    there = rules.follows(bound.statement, [bound, met], over={x: over[x] for x in bound.over})
    return given.follows(there, goal=as_it_stands(WIDTHS, given.part))


@WIDTHS.argued(
    "powers of k",
    bridge="Sums of powers are of the order of the integrals, and S_k of order k^(1 - p) for p < 3;"
    " here on both sides of the edge.",
    uses=_READING,
)
def widths_that_are_powers(zero: int, edge: int, edge_of_bounded: int) -> Obligations:
    """Limits of the integral of x^(2 - p) over [0, k], over k², at the edges and beside them."""
    aside = Rational(1, 200)
    yield "below the edge of bounded ones: infinite", _of_power(edge_of_bounded - aside) == sp.oo
    yield "at the edge of bounded ones", _of_power(edge_of_bounded).is_finite
    yield "at the edge of vanishing ones: above 0", bool(_of_power(edge) > zero)
    yield "above the edge of vanishing ones: 0", _of_power(edge + aside) == zero


def _of_power(power: Any) -> Expr:
    """The limit of S_k for γ_k = k^power, by the integral of x^(2 - power) over [0, k]."""
    place, upper = sp.symbols("x k", positive=True)
    integral = sp.integrate(place ** (2 - sp.sympify(power)), (place, 0, upper))
    return sp.limit(integral / upper**2, upper, sp.oo)


ALMOST_SURELY = claim(
    "eoc.rem13.almost_surely",
    at="Remark 13",
    title="Summable 1/γ_k are sufficient at a fixed unit of width, for almost every network",
    states={
        "convergence": sentence(
            r"\sum_{k=1}^\infty{$widths}_k^{-$inverse} < \infty \implies \frac{$w_k}{k} \to $slope"
            r" \text{ almost surely}",
            inverse=1,
            slope=INCREMENT,
        ),
        "the example": sentence(
            r"{$widths}_k = \lceil k^$power\rceil: \quad"
            r" \sum_{k=1}^\infty{$widths}_k^{-$term} < \infty,"
            r" \quad \frac{{$widths}_k}{k^$two} \to $zero",
            term=1,
            two=2,
            zero=0,
            power=Rational(3, 2),
        ),
        "moments of one layer": sentence(
            r"\mathbb{E}$log_error^$two \le \frac{$square}{$m_k}, \quad |\mathbb{E}$log_error| \le"
            r" \frac{$mean}{$m_k}, \quad $log_error = \log\frac{$w_next}{$omega_map($w_k)}",
            two=2,
            square=2,
            mean=1,
        ),
    },
    assuming=[ABSOLUTE_VALUE, WIDE_LAYERS, NOT_PARALLEL],
    rests_on=["eoc.omega.increment", "eoc.omega.remainder"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#almost-every-network",
    excused={
        "power": "every power between 1 and 2 is an example as well",
        **{
            f"term: 1 -> {other}": "true as well of the example: every power above 2/3 will do"
            for other in ("99/100", "101/100", "2")
        },
        "two: 2 -> 99/50": "true as well of the example, where every power above 3/2 will do",
        **dict.fromkeys(
            ("two: 2 -> 101/50", "two: 2 -> 3"),
            "true as well: in the example by the same reason, and of a layer as larger moments are"
            " smaller; M E|ξ|³ is at most 0.9 in samples",
        ),
        **dict.fromkeys(
            [f"square: 2 -> {one}" for one in ("99/50", "101/50", "3")],
            "true as well: M E ξ² is at most 1.3 in samples, at M = 8",
        ),
        **dict.fromkeys(
            [f"mean: 1 -> {one}" for one in ("99/100", "101/100", "2")],
            "true as well: M |E ξ| is at most 0.95 in samples, at M = 8",
        ),
    },
)
ALMOST_SURELY.cited(
    "Williams, Probability with Martingales, Theorem 12.1",
    why="a martingale bounded in L² converges; the note applies it to the logarithms of w_k/ω",
    part="convergence",
)


#: For which the evidence is written.
_RANGES = {**dict.fromkeys((widths, w_k, w_next), half_line(1)), m_k: integers(1)}


@ALMOST_SURELY.argued(
    "convergence",
    bridge="The products of w_{k+1}/ω(w_k) converge to a positive number P, and w_k over them gains"
    " (ω(w_k) - w_k)/P in a layer.",
    uses=[ABSOLUTE_VALUE, WIDE_LAYERS, NOT_PARALLEL],
    over=_RANGES,
)
def means_of_increments(inverse: Any, slope: Expr) -> Obligations:
    """The increment of ω tends to the slope; and the smaller of two normals in one layer.

    The moments of one layer are at most multiples of 1/m_k, m_k = γ_k m.

    ||u₁| - |u₂|| = min(|u₁ - u₂|, |u₁ + u₂|). For p ≥ q > 0 both sides are p - q whatever the signs
    of u₁ = ±p and u₂ = ±q.
    """
    size = sp.Symbol("w", positive=True)
    remainder = as_it_stands(REMAINDER).args
    (above,) = (rel.rhs for rel in remainder if rel.rhs.has(w) and not rel.rhs.has(omega_of))
    (gained,) = (rel.lhs for rel in remainder if rel.lhs.has(omega_of))
    first = omega_of(w, DELTA) - w - gained
    yield "the remainder vanishes", sp.limit(above.subs(w, size), size, sp.oo) == 0
    yield "increment", equal(first.subs(DELTA, 1), slope)
    relative, unit = sp.symbols("gamma m", positive=True)
    over_a_term = 1 / (relative * unit) / relative**-inverse
    yield ("the moments are of the order of the terms", equal(sp.diff(over_a_term, relative), sp.Integer(0)))
    smaller, rest = sp.symbols("q r", positive=True)
    larger = smaller + rest
    for p in (larger, -larger):
        for q in (smaller, -smaller):
            least = sp.Min(abs(sp.expand(p - q)), abs(sp.expand(p + q)))
            left = abs(sp.expand(abs(p) - abs(q)))
            yield f"signs of {p}, {q}", sp.simplify(left - least) == 0


@ALMOST_SURELY.argued(
    "the example", bridge="The ceiling changes neither convergence nor the limit.", over=_RANGES
)
def summable(term: Any, two: int, zero: int, power: Expr) -> Obligations:
    """Σ k^(-3/2) is finite, and k^(3/2)/k² tends to 0."""
    terms = _K ** (-power * sp.sympify(term))
    yield "Σ 1/γ_k", sp.Sum(terms, (_K, 1, sp.oo)).is_convergent() == sp.true
    yield "γ_k/k²", sp.limit(_K**power / _K**two, _K, sp.oo) == zero


@ALMOST_SURELY.estimated(
    "moments of one layer",
    draws=20_000,
    controls={"smaller_square": {"square": Rational(1, 2)}, "smaller_mean": {"mean": Rational(1, 10)}},
    over=_RANGES,
)
def moments_of_the_logarithm(rng: Rng, draws: int, two: int, square: Any, mean: Any) -> Iterator[MeanTest]:
    """For ξ = log(w_{k+1}/ω(w_k)): E ξ² ≤ 2/M and |E ξ| ≤ 1/M, at M = 8 and 32."""
    for width in (8, 32):
        for start in (sqrt(2), 2.0, 6.0, 100.0):
            limit = float(omega(start, 1))
            logarithms = np.log1p(errors_at(start, [1], width, rng, draws)[:, 1] / limit)
            powers_ = np.abs(logarithms) ** float(two)
            yield mean_test(width * powers_, float(square), alternative="greater")
            yield mean_test(width * logarithms, float(mean), alternative="greater")
            yield mean_test(width * logarithms, -float(mean), alternative="less")


@ALMOST_SURELY.estimated(
    "moments of one layer", draws=20_000, controls={"first_power": {"two": 1}}, over=_RANGES
)
def order_up_to_huge_widths(rng: Rng, draws: int, two: int) -> Iterator[SlopeTest]:
    """For nearly parallel inputs E ξ² falls like 1/M: from layers of width 64 to one of 10¹².

    In the limit ξ is half the logarithm of a quotient of chi-squares, of M and M - 1 degrees.
    """
    start, width = 1e4, 1e12
    layers = np.log1p(errors_at(start, [1], 64, rng, draws)[:, 1] / float(omega(start, 1)))
    squares = np.log(rng.chisquare(width, draws) / rng.chisquare(width - 1, draws)) / 2
    powers_ = [np.abs(logarithms) ** float(two) for logarithms in (layers, squares)]
    means = [one.mean() for one in powers_]
    spread = [one.std(ddof=1) / sqrt(draws) for one in powers_]
    yield slope_test([64, width], means, spread, -1.0, alternative="greater")
