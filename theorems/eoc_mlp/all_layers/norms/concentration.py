"""Proposition 24: the norms of all activations at once, for widths m_k = k²m."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from numpy.random import Generator
from sympy import Integer, Rational, Symbol, exp, log, oo, pi, sqrt

from numeric.cosine_maps import delta_phi, kappa_phi
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.classical.hypotheses import LIPSCHITZ, NORMAL, STOPPED_SUPERMARTINGALE
from theorems.classical.integers import apart
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    implies,
    integers,
    interval,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.eoc_mlp.all_layers.norms.ratios import EQ_8
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ASYMMETRY,
    BY_DEFINITION,
    EQUAL_SCALINGS,
    EVENT_8,
    INPUTS_NONZERO,
    NOT_ABOVE,
    NOT_BOTH_ZERO,
    SQUARE_WIDTHS,
)
from theorems.eoc_mlp.letters import H, asymmetry, claim, epsilon, k, k1, k2, kappa, m, n, norm_ratio, p, s
from theorems.eoc_mlp.premises.harmonic import harmonic_numbers
from theorems.eoc_mlp.premises.logarithms import successor
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#norms"


HARMONIC = claim(
    "eoc.prop24.harmonic",
    at="Proposition 24, proof",
    title="Harmonic sums against logarithms, with the best constant",
    states={
        "bound": le(H(k2) - H(k1 - 1), log((k2 + 1) / k1) / log(2)),
        "attained": implies(both(eq(k1, 1), eq(k2, 1)), eq(H(k2) - H(k1 - 1), log((k2 + 1) / k1) / log(2))),
    },
    assuming=[NOT_ABOVE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_n = Symbol("n", integer=True, nonnegative=True)


@HARMONIC.proved("bound", "attained")
def chord_of_the_logarithm(given: Given) -> Theorem:
    """log(1 + x) is concave, so it lies above its chord x log 2 on [0, 1]; put x = 1/j and add."""
    first = {k1: integers(1)}
    over = {**first, _n: integers(0)}
    bound = le((H(_n) - H(k1 - 1)) * log(2), log(_n + 1) - log(k1))
    start, longer = harmonic_numbers(given, _n)
    known = [longer, *successor(_n + 1, over), apart(k1, _n + 1, over=over)]
    claimed = implies(ge(_n, k1 - 1), bound)
    summed = rules.induction(claimed, _n, 0, base=[start], step=known)
    summed = summed.at({_n: k2})
    split = facts.logarithm_of_product(k1, (k2 + 1) / k1)
    begun = [start, longer.at({_n: 0})]
    return given.follows(summed, split, *begun, goal=as_it_stands(HARMONIC, given.part))


INDUCTION = claim(
    "eoc.prop24.induction",
    at="Proposition 24, proof",
    title="Bounds of norms from bounds of their ratios, with one constant for all depths",
    states=sentence(
        r"\exists C\ \forall $k, $epsilon:\quad"
        r" \bigl|\|x_{$k}(x_i)\| - \|x_i\|\bigr| \le C\log($k)\,$epsilon\,\|x_i\|"
    ),
    assuming=[EVENT_8],
    note=_NOTE,
)


@INDUCTION.refuted(severity=Severity.DEPENDENCE)
def all_ratios_up() -> Obligations:
    """All ratios 1 + ε/j, which (8) allows: their product is at least k^(1/q) for ε ≥ 1/q.

    (As long as ε log(l) stays bounded, there is such a constant, and the letter of the paper's O
    lets the width grow at a fixed depth.)
    """
    layer, q = sp.symbols("k q", integer=True, positive=True)
    step = (1 + 1 / layer) * layer
    yield "the ratios 1 + 1/j make the product k", equal(step, layer + 1)
    for whole in range(1, 7):
        u = Symbol("u", nonnegative=True)
        powers = sp.Poly((1 + u / whole) ** whole - (1 + u), u).all_coeffs()
        yield f"(1 + u/q)^q ≥ 1 + u for q = {whole}", all(one >= 0 for one in powers)
    root = layer ** (1 / q) - 1
    growth = sp.limit(root * q / log(layer), layer, oo)
    yield "(k^(1/q) - 1)/(log(k)/q) is unbounded for every q", bool(growth == oo)


PRODUCT = INDUCTION.corrected(
    "eoc.prop24.induction.corrected",
    title="Bounds of norms from bounds of their ratios",
    states={
        "below": le(1 - epsilon * H(k - 1), norm_ratio),
        "above": le(norm_ratio, exp(epsilon * H(k - 1))),
        "sum": le(H(k - 1), log(k) / log(2)),
    },
    assuming=[EVENT_8],
    discharging={NOT_ABOVE: "it is used from the first layer on"},
    rests_on=[HARMONIC],
    note=_NOTE,
)
_LENGTH = sp.Function("length", nonnegative=True)


@PRODUCT.proved("below", "above")
def from_layer_to_layer(given: Given) -> Theorem:
    """1 + u ≤ eᵘ, and (1 - S)(1 - u) ≥ 1 - S - u; lengths are not negative."""
    here, after, step = _LENGTH(_n), _LENGTH(_n + 1), epsilon / (_n + 1)
    known = [
        given.supposed(EVENT_8, le(sp.Abs(after - here), step * here)),
        given.meaning("a length over that of the input", eq(_LENGTH(0), 1)),
        *harmonic_numbers(given, _n),
        facts.exponential_above_tangent(step),
        facts.exponential_of_sum(epsilon * H(_n + 1), epsilon * H(_n), step),
    ]
    bounds = {
        "below": both(ge(H(_n), 0), ge(here, 1 - epsilon * H(_n))),
        "above": le(here, exp(epsilon * H(_n))),
    }
    grown = rules.induction(bounds[given.part], _n, 0, base=known[1:3], step=known)
    layer = given.meaning("the ratio of lengths", eq(norm_ratio, _LENGTH(k - 1)))
    stated = as_it_stands(PRODUCT, given.part)
    return given.follows(given.substituted(grown, {_n: k - 1}), layer, goal=stated)


@PRODUCT.proved("sum")
def by_the_harmonic_sum(given: Given) -> Theorem:
    """The sum from 1 to k - 1; for k = 1 both sides are 0."""
    later = {k: integers(2)}
    summed = given.fact(HARMONIC, "bound").at({k1: 1, k2: k - 1}, over=later)
    return given.follows(summed, harmonic_numbers(given, _n)[0])


_WITHIN = (
    r"\mathbb{P}\Bigl(\forall k, i:\ \bigl|\|x_k(x_i)\| - \|x_i\|\bigr|"
    r" \le %s\log(k)\,\|x_i\|%s\Bigr) \ge $sure - $tails e^{-{$m}^{$p}}"
)
_SIZE = r"\sqrt{\log($l\,$n)}\,{$m}^{-$half($one-$p)}"

PRINTED = claim(
    "eoc.prop24",
    at="Proposition 24",
    title="Simultaneous concentration of the norms of activations",
    states={
        "printed": sentence(
            _WITHIN % ("", r"\,O\bigl({$kappa}^{$square}" + _SIZE + r"\bigr)"),
            square=2,
            half=Rational(1, 2),
            one=1,
            sure=1,
            tails=2,
        ),
        "with a constant": sentence(
            r"$epsilon \log $l \le \log $base,\ $epsilon = $radius$kappa"
            + _SIZE
            + r" \implies "
            + _WITHIN % ("$factor$epsilon", ""),
            base=2,
            radius=2,
            half=Rational(1, 2),
            one=1,
            factor=Rational(5, 2),
            sure=1,
            tails=2,
        ),
    },
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS],
    discharging={
        INPUTS_NONZERO: "both sides are 0 for an input 0",
        EVENT_8: "it has this probability, by eoc.prop24.eq8",
    },
    rests_on=[EQ_8, PRODUCT],
    note=_NOTE,
    excused={
        "square": "true as well: κ lies between 1 and √2, so that its power is a matter of the"
        " constant; with κ itself it is the second part",
        "domain of l": "true as well: the inputs are the only layer, and both sides are 0",
        "domain of p: with 0": "true as well: then s = 1, and the argument is the same",
        "domain of epsilon": "true as well: what it stands for is not negative",
        "hypothesis equal_scalings": "true as well: activations do not depend on the scalings",
    },
)
#: The event (8) is about these factors κ and inputs, and m^p is at least 1.
_ARGUED = {kappa: interval(1, sqrt(2)), n: integers(1), m: integers(1)}


def _radius(one: Any, half: Any, radius: Any) -> Obligations:
    """At s = m^p the ε of (8) is at most 2κ √log(ln) m^(-(1-p)/2), as e(l - 1) ≤ l², m^p ≥ 1."""
    depth, inputs = Symbol("l", positive=True), Symbol("log(ln)", positive=True)
    quadratic = sp.Poly(depth**2 - sp.E * (depth - 1), depth)
    yield "1 + log(l - 1) ≤ 2 log l", bool(sp.discriminant(quadratic) < 0)
    # m^p + log((l - 1)n) ≤ m^p (1 + log(l - 1) + log n) ≤ 2 m^p log(ln)
    square = 2 * kappa**2 * (2 * m**p * inputs) / m
    claimed = radius * kappa * sqrt(inputs) * m ** (-half * (one - p))
    yield "ε", equal(square, claimed**2)
    yield "ε is not negative", bool(radius >= 0)


@PRINTED.argued(
    "printed",
    bridge="By the letter of the paper's O the depth and the inputs are fixed while m grows, so"
    " that ε log(l) ≤ log 2 from some m on, and there the second part has this form, as κ ≤ κ².",
    uses=[SQUARE_WIDTHS],
    over={**_ARGUED, p: sp.Interval.Ropen(0, 1)},
)
def as_printed(square: int, half: Any, one: int, sure: int, tails: int) -> Obligations:
    """The radius of (8) has this shape, and the probability is that of (8) at s = m^p."""
    yield from _radius(one, half, Integer(2))
    logarithm = Symbol("log κ", nonnegative=True)
    yield "κ ≤ κ²", bool((square * logarithm - logarithm).is_nonnegative)
    yield from _probability(sure, tails)


def _probability(sure: Any, tails: Any) -> Obligations:
    """One minus the probability in (8), at s = m^p."""
    (failing,) = (one.rhs.subs(s, m**p) for one in as_it_stands(EQ_8).args[1:])
    yield "the probability", equal(1 - failing, sure - tails * exp(-(m**p)))


@PRINTED.argued(
    "with a constant",
    bridge="On the event (8) the products of ratios are between 1 - y and e^y at y = εH_{k-1},"
    " which is at most ε log(k)/log 2 and 1; on [0, 1] e^y - 1 lies below its chord.",
    uses=[SQUARE_WIDTHS],
    over={**_ARGUED, p: sp.Interval(0, oo)},
)
def with_a_constant(
    base: int, radius: int, half: Any, one: int, factor: Any, sure: int, tails: int
) -> Obligations:
    """e^y - 1 ≤ (e - 1)y on [0, 1] at y = ε H ≤ ε log(k)/log 2."""
    yield from _radius(one, half, radius)
    y = log(base) / log(2)  # the largest ε log(k)/log 2
    yield "y ≤ 1", bool(y <= 1)
    yield "and may be 1", bool(y >= 1)
    yield "(e - 1)/log 2 ≤ 5/2", bool((sp.E - 1) / log(2) <= sp.sympify(factor))
    yield from _probability(sure, tails)


SHARP = PRINTED.sharpened(
    "eoc.prop24.sharp",
    title="The norms of all activations at once, uniformly in the depth: no logarithm",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k, i:\ $one - \pi e^{$stretch t}"
        r"\sqrt{\tfrac{($even+{$asymmetry}^{$square})($s + \log $n)}{$m}}"
        r" \le \tfrac{\|x_k(x_i)\|}{\|x_i\|} \le e^{t}\Bigr) \ge $sure - $tails e^{-$s}, \quad"
        r" t = \pi $kappa\sqrt{\tfrac{$s + \log $n}{$three $m}}",
        one=1,
        stretch=2,
        even=1,
        square=2,
        sure=1,
        tails=2,
        three=3,
    ),
    assuming=[SQUARE_WIDTHS, INPUTS_NONZERO],
    discharging={
        **BY_DEFINITION,
        ASYMMETRY: "that is what the letter stands for",
        NOT_BOTH_ZERO: "else there is no edge of chaos, and no scale of the weights",
        ALIVE: "once an activation has died, the norm stays 0, which the process allows",
        NORMAL: "the rows of the layers are such vectors, scaled",
        LIPSCHITZ: "the length of a layer is such a function of its rows, with κ/√m_k",
        STOPPED_SUPERMARTINGALE: "it is stopped where it passes the level",
    },
    rests_on=["classical.gaussian_lipschitz", "classical.maximal", "classical.union", "eoc.prop14.law"],
    note=_NOTE,
    excused={
        "domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1",
        "domain of kappa": "true as well: its square lies between 1 and 2 for every φ",
    },
)


@SHARP.argued(
    bridge="The sum of f_j - E f_j is a martingale with increments that are Lipschitz in Gaussians"
    " with the constant κ/(j√m), and the squares of the norms are one with moments 3(1 + r²)/(j²m)"
    " up to the first time that they exceed R; the maximal inequality bounds both for all layers"
    " at once, and √(1 - u) ≥ 1 - u.",
    uses=[SQUARE_WIDTHS, INPUTS_NONZERO],
    over={s: sp.Interval(0, oo), n: integers(1), m: integers(1)},
)
def optimise_the_exponents(
    one: int, stretch: int, even: int, square: int, sure: int, tails: int, three: int
) -> Obligations:
    """With Σ j⁻² = π²/6; E c²g⁴ = 3(1 + r²); each exponent is least at its stationary point."""
    lam, t, u, top = sp.symbols("lambda t u R", positive=True)
    layer, level = Symbol("j", integer=True, positive=True), Symbol("level", positive=True)
    weight = sp.summation(1 / layer**2, (layer, 1, oo))
    yield "Σ j⁻² = π²/6", equal(weight, pi**2 / 6)
    # f_j - E f_j has the factor κ/(j √m); Σ log f_j ≤ Σ (f_j - E f_j) as log f ≤ f - 1, E f ≤ 1.
    upper = -lam * t + lam**2 * kappa**2 * weight / (2 * m)
    least = upper.subs(lam, sp.solve(sp.diff(upper, lam), lam)[0])
    radius = pi * kappa * sqrt(level / (three * m))
    yield "upper exponent", equal(least.subs(t, radius), -level)
    # e^{-u} ≤ 1 - u + u²/2 for u ≥ 0, and the squares of the norms are a martingale.
    g = Symbol("g", real=True)
    density = exp(-(g**2) / 2) / sqrt(2 * pi)
    fourth = sp.integrate(g**4 * density, (g, -oo, oo))
    r = asymmetry
    second = Rational(1, 2) * ((1 + r) ** 2 + (1 - r) ** 2) * fourth
    lower = -lam * u + lam**2 * top**2 * second * weight / (2 * m)
    least = lower.subs(lam, sp.solve(sp.diff(lower, lam), lam)[0])
    yield "the square of e^t", equal(exp(t) ** 2, exp(stretch * t))
    shortfall = pi * top * sqrt((even + r**square) * level / m)
    yield "lower exponent", equal(least.subs(u, shortfall), -level)
    yield "1 - u ≤ √(1 - u), equal at 0 and 1", equal(1 - u - (one - u) ** 2, u * (1 - u))
    both_sides = 2 * n * exp(-(s + log(n)))
    yield "two tails for each input", equal(1 - both_sides, sure - tails * exp(-s))


@SHARP.estimated(draws=1000, controls={"ten_times_closer": {"three": 300}})
def sampled_norms(
    rng: Generator,
    draws: int,
    one: int,
    stretch: int,
    even: int,
    square: int,
    sure: int,
    tails: int,
    three: int,
) -> Iterator[MeanTest]:
    """How often the norms of 40 layers, drawn from their law, leave the bounds at s = 2."""
    for a, b, unit in ((0.0, 1.0, 60), (0.5, 0.5, 120), (1.0, 0.3, 60)):
        ratios = np.cumprod(_ratios(rng, draws, 40, unit, a, b), axis=1)
        t = np.pi * float(kappa_phi(a, b)) * np.sqrt(2.0 / (three * unit))
        share = float(delta_phi(a, b))
        r = np.sqrt(4 * share * (1 - share))
        low = one - np.pi * np.exp(stretch * t) * np.sqrt((even + r**square) * 2.0 / unit)
        outside = (ratios.max(axis=1) > np.exp(t)) | (ratios.min(axis=1) < low)
        # One draw that is known to be outside keeps the variance positive.
        outside = np.append(outside, True)
        failing = 1 - sure + tails * np.exp(-2.0)
        yield mean_test(outside.astype(float), float(failing), alternative="greater")


def _ratios(rng: Generator, draws: int, layers: int, unit: int, a: float, b: float) -> np.ndarray:
    """Independent |x_k|/|x_{k-1}|: a binomial number of signs, and two chi-squares of that many."""
    widths = unit * np.arange(1, layers + 1) ** 2
    ups = rng.binomial(widths, 0.5, (draws, layers))
    squares = [rng.chisquare(np.maximum(k, 1)) * (k > 0) for k in (ups, widths - ups)]
    weights = [(a + sign * b) ** 2 / (a * a + b * b) for sign in (1, -1)]
    total = sum(w * q for w, q in zip(weights, squares, strict=True))
    return np.asarray(np.sqrt(total / widths))
