"""Proposition 19: concentration of backpropagation products, with constants."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc
from sympy import Abs, Rational, Reals, Symbol, exp, sqrt

from numeric.networks.backpropagation import backpropagation_products
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.gaussian import expectation
from theorems.classical import powers
from theorems.classical.hypotheses import (
    EACH_NORMAL,
    GAUSSIAN_SQUARE_MOMENTS,
    INDEPENDENT_COPIES,
    NONNEGATIVE_WEIGHTS,
)
from theorems.classical.letters import A, W, mean, odd_factorial, q, s, total, weighted_moment
from theorems.classical.products import odd_numbers
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    eq,
    ge,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, E, P, Random, Theorem, facts, inner, norm, principles, probabilities
from theorems.engine.rules.principles import more_probable
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import MATRICES_NONZERO, WIDTH_OF_LAYER
from theorems.eoc_mlp.letters.activation import DELTA, a, b, kappa_phi, phi_prime
from theorems.eoc_mlp.letters.backpropagation import (
    back_1,
    back_2,
    frob_b1,
    frob_b2,
    summand,
    summand_mean,
    tail_products,
    tail_products_scaled,
)
from theorems.eoc_mlp.letters.distances import z1, z2
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import order, threshold
from theorems.eoc_mlp.one_layer.backpropagation_products.summand_moments import moment_of_product
from theorems.eoc_mlp.premises.lengths import squared_length_not_negative
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.redrawn import frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-products"
_t, _KAPPA = threshold, kappa_phi(DELTA) ** 2
#: κ²‖B₁‖_F‖B₂‖_F: the moments of a summand are at most those of a Gaussian square times this.
_SIZE = _KAPPA * frob_b1 * frob_b2


SUMMANDS = claim(
    "eoc.prop19.summands",
    at="Proposition 19, proof",
    title="The summands are products of Gaussian norms at most",
    states=le(
        Abs(phi_prime(z1, a, b) * phi_prime(z2, a, b) * inner(back_1, back_2)),
        (Abs(a) + Abs(b)) ** 2 * norm(back_1) * norm(back_2),
    ),
)


@SUMMANDS.proved()
def slopes_and_schwarz(given: Given) -> Theorem:
    """|a ± b| ≤ |a| + |b|, and Cauchy-Schwarz for the scalar product."""
    schwarz = rules.follows(
        le(Abs(inner(back_1, back_2)), norm(back_1) * norm(back_2)), [facts.cauchy_schwarz(back_1, back_2)]
    )
    slopes = [unfolded(phi_prime(z, a, b)) for z in (z1, z2)]
    steepest = [given.follows(goal=le(Abs(slope), Abs(a) + Abs(b))) for slope in slopes]
    at = (*slopes, inner(back_1, back_2), Abs(a) + Abs(b), norm(back_1) * norm(back_2))
    product = given.substituted(_product(), dict(zip(_NUMBERS, at, strict=True)))
    return given.follows(schwarz, *steepest, product, goal=unfolded(given.goal))


_NUMBERS = tuple(Symbol(f"number {place}", real=True) for place in range(5))


def _product() -> Theorem:
    """|pqf| ≤ s²n for |p| ≤ s, |q| ≤ s and |f| ≤ n."""
    p, q, f, s, n = _NUMBERS
    over = dict.fromkeys(_NUMBERS, Reals)
    slopes = [le(Abs(p), s), le(Abs(q), s)]
    both_slopes = rules.follows(le(Abs(p * q), s**2), over=over, under=slopes)
    whole = le(Abs(p * q * f), s**2 * n)
    return rules.follows(whole, [both_slopes], under=[*slopes, le(Abs(f), n)])


MOMENTS = claim(
    "eoc.prop19.moments",
    at="Proposition 19, proof",
    title="Moments of the summands",
    states=le(E(Abs(summand) ** order), _SIZE**order * odd_factorial(order)),
    rests_on=[SUMMANDS, "classical.gaussian_moments", "eoc.prop11.rows", "eoc.prop18.range"],
    discharging={
        EACH_NORMAL: "coordinates of a standard normal vector along singular vectors",
        NONNEGATIVE_WEIGHTS: "the weights are squares of singular values",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved()
def schwarz_and_jensen(given: Given) -> Theorem:
    """E(‖B₁*g‖‖B₂*g‖)^q ≤ √(E‖B₁*g‖^(2q) E‖B₂*g‖^(2q)), where ‖B*g‖² = Σβ_ig_i².

    The β_i, squares of the singular values of B, have the sum ‖B‖²_F; and v = σg.
    """
    squares = {Random("form_1"): frob_b1, Random("form_2"): frob_b2}
    first, second = squares
    domain = {x: given.domain[x] for x in (order, DELTA, frob_b1, frob_b2)}
    objects = {first: RANDOM, second: RANDOM}
    product = E(first ** (order / 2) * second ** (order / 2))
    moment = E(Abs(summand) ** order)
    surely = [eq(P(ge(form, 0)), 1) for form in squares]
    roots = (form ** (order / 2) for form in squares)
    known = [
        moment_of_product(given, first, second),
        facts.expectation_of_product(*roots, over=domain, under=surely),
    ]
    for form, frob in squares.items():
        size = given.fact("classical.gaussian_moments", "weighted").at(
            {q: order, total: frob**2, weighted_moment: E(form**order)},
            over={order: domain[order], frob: domain[frob], form: RANDOM},
            under=[ge(E(form**order), 0)],
        )
        known.append(size)
    return _combined(given, known, moment, product, objects)


def _nonnegative_means(given: Given, forms: Any) -> list[Theorem]:
    """Means of powers of what is not negative."""
    first, second = values = sp.symbols("f_1 f_2", nonnegative=True)
    orders = {order: given.domain[order]}
    over = {**dict.fromkeys(values, half_line(0)), **orders}
    factors = (first ** (order / 2) * second ** (order / 2), first**order, second**order)
    at = dict(zip(values, forms, strict=True))
    means = [
        principles.expected_jointly(
            rules.follows(ge(power, 0), over={x: over[x] for x in power.free_symbols}),
            {x: at[x] for x in power.free_symbols & set(at)},
        )
        for power in factors
    ]
    size = probabilities.expectation_of_size(Abs(summand) ** order, over=orders)
    odd = odd_numbers(odd_factorial).at({q: order}, over=orders)
    return [*means, size, odd, *map(squared_length_not_negative, forms, (back_1, back_2))]


def _combined(given: Given, known: Any, moment: Any, product: Any, objects: Any) -> Theorem:
    """Take the root of the product of both moments."""
    x, k, p, f, g, d, u, v = over = sp.symbols("x k p f g d u v", nonnegative=True)
    numbers = dict.fromkeys(over, half_line(0))
    small = [le(x, k * p), le(p**2, u * v), le(u, f**2 * d), le(v, g**2 * d)]
    plain = rules.follows(le(x, k * f * g * d), under=small)
    forms = sorted(objects, key=str)
    at = {x: moment, k: _KAPPA**order, p: product, d: odd_factorial(order)}
    at |= {u: E(forms[0] ** order), v: E(forms[1] ** order)}
    at |= {f: frob_b1**order, g: frob_b2**order}
    letters = {**{y: given.domain[y] for y in (order, DELTA, frob_b1, frob_b2)}, **objects}
    letters[summand] = RANDOM
    positive = _nonnegative_means(given, forms)
    signs = [ge(value, 0) for value in at.values()]
    under = [*(one.xreplace(at) for one in small), *signs]
    there = plain.at(at, over=letters, under=under)
    numbers = {x: given.domain[x] for x in (order, DELTA, frob_b1, frob_b2)}
    spelled = [
        powers.of_product(_KAPPA * frob_b1, frob_b2, order, over=numbers),
        powers.of_product(_KAPPA, frob_b1, order, over=numbers),
    ]
    return given.follows(there, *positive, *spelled, *known, goal=as_it_stands(MOMENTS))


_EXPONENT = -M * _t**2 / (6 * _KAPPA**2 + Rational(10, 3) * _KAPPA * _t)

EXPLICIT_19 = claim(
    "eoc.prop19.explicit",
    at="Proposition 19",
    title="Concentration of backpropagation products with constants",
    states=le(tail_products, 2 * exp(_EXPONENT)),
    assuming=[MATRICES_NONZERO],
    rests_on=[MOMENTS, "classical.dominated_squares", "classical.dominated_squares.rate"],
    discharging={
        INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
        GAUSSIAN_SQUARE_MOMENTS: "by eoc.prop19.moments",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT_19.proved()
def scale_the_rate(given: Given) -> Theorem:
    """The rate s²/(6 + (10/3)s) at s = t/κ², for W and for -W, both over ‖B₁‖_F‖B₂‖_F."""
    over = {x: given.domain[x] for x in (M, _t, DELTA)}
    objects = {summand: RANDOM, summand_mean: RANDOM}
    tails = []
    for side in (1, -1):
        at = {W: side * summand, mean: side * summand_mean, A: _KAPPA, s: _t / _KAPPA}
        bound = given.fact("classical.dominated_squares", "bound")
        tails.append(bound.at(at, over={**over, **objects}))
    exact = tails[0].statement.rhs.args[0]
    rate = given.fact("classical.dominated_squares.rate", "in s").at({s: _t / _KAPPA}, over=over)
    deviation = summand_mean - E(summand)
    return given.follows(
        probabilities.both_tails(deviation, _t),
        *_moved_by_the_mean(),
        given.meaning("the tail", eq(tail_products, P(ge(Abs(deviation), _t)))),
        *tails,
        rules.follows(le(exact, _EXPONENT), [rate]),
        facts.exponential_increases(_EXPONENT, exact, over=over),
        goal=as_it_stands(EXPLICIT_19),
    )


def _moved_by_the_mean() -> list[Theorem]:
    """What deviates from its mean by a level is at least the level and the mean, on both sides."""
    value, average = sp.symbols("value average", real=True)
    any_one = Random("any")
    moved = implies(ge(value - average, _t), ge(value, _t + average))
    moved = rules.follows(moved)
    larger = more_probable(moved, value, any_one)
    ends = [{any_one: one * summand_mean, average: one * E(summand)} for one in (1, -1)]
    return [larger.at(end) for end in ends]


_CASES = st.tuples(
    st.one_of(st.just(1), st.integers(1, 3000)), st.one_of(st.just(0.0), st.floats(0, 30)), st.integers(0, 1)
)


@EXPLICIT_19.tested(over=_CASES)
def one_column(case: tuple[int, float, int]) -> dict[Any, Any]:
    """Equal inputs, B = 1, |·| or the identity: X' is a chi-square mean; both exact tails."""
    units, t, share = case
    chance = float(chdtrc(units, units * (1 + t)) + chdtr(units, units * max(0.0, 1 - t)))
    tail = Rounded(min(1.0, chance), 1e-10 * chance + 1e-290)
    return {M: units, _t: t, DELTA: share, tail_products: tail}


@EXPLICIT_19.estimated(draws=4000, controls={})
def pairs_of_layers(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies in the deeper networks against the bound; the mean is that of the draws."""
    bound = unfolded(given.goal.rhs)
    for one in redrawn(rng, draws):
        for k1, values in one.draws.backpropagation_products.items():
            before = backpropagation_products(one.state, k1, one.layer)
            scale = float(np.sqrt(before[0, 0] * before[1, 1]))
            if scale == 0:
                continue
            # The mean of the draws is off by 1/√draws deviations, t is one or so.
            t = 1.5 / np.sqrt(one.width)
            centred = values[:, 0, 1] - values[:, 0, 1].mean()
            point = {_t: t, M: one.width, DELTA: one.delta}
            yield frequency_test(np.abs(centred) >= t * scale, float(bound.subs(point)))


_EXAMPLE = (
    r"\phi = |\cdot|,\ B_1 = B_2 = ee^*,\ \hat x_1 \perp \hat x_2 \perp e,\ W ="
    r" \operatorname{sgn}(g_1)\operatorname{sgn}(g_2)g_3^$entry: \quad "
)

BEST = claim(
    "eoc.prop19.best",
    at="Proposition 19",
    title="The constant six is the best: the variance is attained",
    states={
        "moments": sentence(
            _EXAMPLE + r"\mathbb{E}W = $zero, \quad \mathbb{E}W^$order = $three, \quad"
            r" \kappa_\phi = \|B_1\|_F = \|B_2\|_F = $one",
            entry=2,
            zero=0,
            order=2,
            three=3,
            one=1,
        ),
        "rate": sentence(
            _EXAMPLE + r"\lim_{$threshold\to $zero}\lim_{$M\to\infty} -\frac{\log\mathbb{P}"
            r"\bigl(\overline W \ge $threshold\bigr)}{$M$threshold^$square} = \frac{$one}{$six}",
            entry=2,
            square=2,
            zero=0,
            one=1,
            six=6,
        ),
    },
    rests_on=[SUMMANDS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"domain of M": "true as well: it tends to infinity, wherever it begins"},
)


def _moment(power: int, exponent: int) -> Any:
    """The mean of a power of W: three orthogonal directions see independent Gaussians."""
    g = sp.Symbol("g", real=True)
    signs = expectation(sp.sign(g) ** exponent, g) ** 2
    return signs * expectation((g**power) ** exponent, g)


@BEST.argued("moments", bridge="Three orthogonal directions see independent Gaussians.")
def independent_signs(entry: int, zero: int, order: int, three: int, one: int) -> Obligations:
    """Means of products of independent factors are products of means; κ at Δ = 1, and |ee*|_F."""
    yield "mean", equal(_moment(entry, 1), sp.sympify(zero))
    yield "second moment", equal(_moment(entry, order), sp.sympify(three))
    unit = sp.Matrix([0, 0, 1])
    yield "κ", equal(unfolded(kappa_phi(sp.Integer(1))), sp.sympify(one))
    yield "Frobenius norms", equal((unit * unit.T).norm(), sp.sympify(one))


@BEST.argued(
    "rate",
    bridge="By Cramér's theorem the inner limit is the conjugate of the logarithmic moment of W,"
    " which for small t is t² over twice the variance.",
    over={_t: half_line(0)},
)
def rate_of_small_deviations(entry: int, zero: int, square: int, one: int, six: int) -> Obligations:
    """The conjugate of λ²v/2 is t²/(2v)."""
    multiplier = sp.Symbol("lambda", real=True)
    variance = _moment(entry, 2)
    yield "mean", equal(_moment(entry, 1), sp.sympify(zero))
    yield "variance", bool(variance > 0)
    if variance == 0:
        return
    legendre = multiplier * _t - variance * multiplier**2 / 2
    best = sp.solve(sp.diff(legendre, multiplier), multiplier)[0]
    top = sp.simplify(legendre.subs(multiplier, best))
    size = sp.Symbol("t", positive=True)
    quotient = top.subs(_t, size) / size**square
    yield "rate", equal(sp.limit(quotient, size, zero), sp.sympify(one) / six)


_PRINTED = _t**2 / ((sqrt(6) * _KAPPA / sqrt(m)) ** 2 + Rational(10, 3) * _KAPPA / m * _t)

PROP_19 = claim(
    "eoc.prop19",
    at="Proposition 19",
    title="Concentration of backpropagation products, with √6 x and (10/3) x for the two O(x)",
    states=le(tail_products_scaled, 2 * exp(-_PRINTED)),
    assuming=[MATRICES_NONZERO, WIDTH_OF_LAYER],
    rests_on=[EXPLICIT_19],
    note=_NOTE,
)


@PROP_19.proved()
def compare_exponents(given: Given) -> Theorem:
    """At t/√γ for t, and γ^(1/2) ≥ 1."""
    numbers = {x: given.domain[x] for x in (_t, DELTA, gamma, m, M)}
    whole = {**numbers, tail_products_scaled: given.domain[tail_products_scaled]}
    at = {tail_products: tail_products_scaled, _t: _t / sqrt(gamma)}
    bound = given.fact(EXPLICIT_19).at(at, over=whole)
    (power,) = bound.statement.rhs.atoms(exp)
    grows = facts.exponential_increases(-_PRINTED, power.args[0], over=numbers)
    return given.follows(bound, grows, goal=as_it_stands(PROP_19))
