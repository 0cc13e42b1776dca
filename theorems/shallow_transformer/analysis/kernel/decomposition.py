"""Lemma 4: the tangent kernel, its blocks, and kernels of finite width.

A feature of an input is a vector of L²(law of a head), so that the kernel is an inner product.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Expr, Symbol, sqrt

from numeric.networks.transformer import (
    ERF,
    TANH,
    Inputs,
    features,
    gradients,
    sample_heads,
    symmetric_initialisation,
)
from numeric.statistics import MeanTest, mean_test
from numeric.transformer_kernel import sampled_blocks
from theorems.engine import Given, Hypothesis, Provenance, Rounded, both, eq, ge, implies, le, sentence
from theorems.engine.rules import E, Random, Theorem, facts, inner
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import (
    AA,
    MM,
    D,
    D_prime,
    H,
    H_prime,
    K_m,
    K_value,
    head_sum,
    head_term,
    head_terms,
    kernel_m_value,
    pairs,
    pooled,
    pooled_prime,
    query,
    query_prime,
    slope,
    slope_prime,
    spread_vector,
    spread_vector_prime,
    value,
    value_prime,
)
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.independent_means import of_length, sum_of_independent_terms
from theorems.shallow_transformer.premises.kernels import fourth_moment, size_of_a_head
from theorems.shallow_transformer.premises.lines.entries_of_gradients import COLUMN, ROW
from theorems.shallow_transformer.premises.lines.gradients_of_heads import WEIGHT, InAHead
from theorems.shallow_transformer.premises.matrices.covariance import OTHER_POOL, POOL
from theorems.shallow_transformer.premises.matrices.outer_products import coordinate
from theorems.shallow_transformer.premises.means import in_the_mean, same_halves
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    family,
    letters,
    linear,
    total,
    what_is_assumed,
)

Point = Mapping[Symbol, Any]

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"
_AT = "Lemma 4"
ONE_HEAD = dict.fromkeys(
    (*hyp.SYMMETRIC_START, hyp.RANDOM_HEADS), "the kernel of infinite width is a mean over one random head"
)


_PAIRED = (*hyp.SYMMETRIC_START, hyp.TWICE_DIFFERENTIABLE)


def _term(at: Expr) -> Expr:
    """The share of a head in the kernel."""
    moved = inner(spread_vector(at), spread_vector_prime(at))
    product = inner(pooled(at), pooled_prime(at)) + inner(query, query_prime) * moved
    return value(at) * value_prime(at) + slope(at) * slope_prime(at) * product


BLOCKS = claim(
    "st.lem4.blocks",
    at="Lemma 4, proof",
    title="The kernel of finite width as a mean over m/2 heads",
    states={"mean": eq(kernel_m_value, 2 / m * head_sum), "one head": eq(head_term(i), _term(i))},
    given=letters(kernel_m_value, head_sum, m, i, query, query_prime, under=_PAIRED),
    assuming=_PAIRED,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w"],
    note=_NOTE,
)


_HEADS = (
    InAHead("X", value, slope, pooled, spread_vector, query),
    InAHead("X'", value_prime, slope_prime, pooled_prime, spread_vector_prime, query_prime),
)


def _one_head(given: Given) -> Theorem:
    """m⟨∇f, ∇f′⟩ in one head, by all entries: products of the derivatives, and c² = 1."""
    (one, here), (other, there) = (head.blocks(given) for head in _HEADS)
    by_c, by_u, by_w = (first * second for first, second in zip(one, other, strict=True))
    row, steep = family("sum over a row of W")(ROW, i), slope(i) * slope_prime(i) / m
    a, turned, queries = (
        coordinate(first, index) * coordinate(second, index)
        for first, second, index in (
            (pooled(i), pooled_prime(i), ROW),
            (spread_vector(i), spread_vector_prime(i), ROW),
            (query, query_prime, COLUMN),
        )
    )
    meant = NETWORKS.meaning(
        "m times the inner product of the gradients in one head, and vectors by coordinates",
        eq(head_term(i), m * (by_c + total(by_u, ROW, of.d) + total(row, ROW, of.d))),
        eq(row, total(by_w, COLUMN, of.d)),
        eq(inner(pooled(i), pooled_prime(i)), total(a, ROW, of.d)),
        eq(inner(spread_vector(i), spread_vector_prime(i)), total(turned, ROW, of.d)),
        eq(inner(query, query_prime), total(queries, COLUMN, of.d)),
    )
    known = [*here, *there, what_is_assumed(given, hyp.UNIT_SIGNS, eq(WEIGHT(i) ** 2, 1))]
    first, second, third = (
        NETWORKS.follows(*known, goal=eq(*pair))
        for pair in (
            (by_c, value(i) * value_prime(i) / m),
            (by_u, steep * a),
            (by_w, steep * turned * queries),
        )
    )
    columns, of_u = added(third, COLUMN, of.d), added(second, ROW, of.d)
    of_row = eq(row, steep * inner(query, query_prime) * turned)
    of_w = added(NETWORKS.follows(columns, meant, linear(columns.statement.rhs), goal=of_row), ROW, of.d)
    slopes, moved = slope(i) * slope_prime(i), inner(spread_vector(i), spread_vector_prime(i))
    by_spread = slopes * inner(query, query_prime) * moved
    parts = [
        NETWORKS.follows(first, goal=eq(m * by_c, value(i) * value_prime(i))),
        *(
            NETWORKS.follows(meant, each, linear(each.statement.rhs), goal=eq(m * each.statement.lhs, part))
            for each, part in ((of_u, slopes * inner(pooled(i), pooled_prime(i))), (of_w, by_spread))
        ),
    ]
    return NETWORKS.follows(meant, *parts, goal=eq(head_term(i), _term(i)))


@BLOCKS.proved("one head")
def products_of_gradients(given: Given) -> Theorem:
    """The gradients in one head."""
    return given.concluded(_one_head(given))


@BLOCKS.proved("mean")
def equal_halves(given: Given) -> Theorem:
    """K_m = Σκ_i/m over all heads, and both halves have equal terms."""
    whole = NETWORKS.meaning(
        "K_m, and the sum over the first half",
        eq(kernel_m_value, total(head_term(i), i, m) / m),
        eq(head_sum, total(head_term(i), i, pairs)),
    )
    other = i + pairs
    same = [value, value_prime, slope, slope_prime]
    products = [(pooled, pooled_prime), (spread_vector, spread_vector_prime)]
    paired = what_is_assumed(
        given,
        hyp.PAIRED_HEADS,
        *(eq(one(other), one(i)) for one in same),
        *(eq(inner(x(other), y(other)), inner(x(i), y(i))) for x, y in products),
    )
    head = _one_head(given)
    partner = NETWORKS.substituted(head, {i: other})
    equal_terms = NETWORKS.follows(head, partner, paired, goal=eq(head_term(other), head_term(i)))
    return given.concluded(whole, *same_halves(given, head_term, equal_terms))


@BLOCKS.tested(
    "mean",
    over=st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), st.integers(0, 10**6)),
    cases=60,
)
def inner_products_of_gradients(case: tuple[int, int, int, int]) -> Point:
    """Gradients of all parameters against the features of the first half."""
    half, d, T, seed = case
    rng = np.random.default_rng(seed)
    start = symmetric_initialisation(2 * half, d, rng)
    X = Inputs(rng.uniform(-1, 1, (2, T, d)), rng.uniform(-1, 1, (2, d)))
    found = gradients(start, X, TANH)
    kernel = sum(np.vdot(block[0], block[1]) for block in (found.c, found.U, found.W))
    phi = features(start.heads(0, half), X, TANH)
    spread = phi.W[..., 0] / X.queries[:, None, None, 0]
    terms = phi.c[0] @ phi.c[1] + np.vdot(phi.U[0], phi.U[1])
    terms += X.queries[0] @ X.queries[1] * np.vdot(spread[0], spread[1])
    # At most 8·13 products of size 10; the features are divided by a coordinate of the query.
    allowed = 1e-12 / min(1.0, float(np.abs(X.queries[:, 0]).min()) ** 2)
    return {
        kernel_m_value: Rounded(float(kernel), allowed),
        head_sum: Rounded(float(terms), half * allowed),
        m: 2 * half,
    }


_RANDOM = (*hyp.RANDOM_START, *hyp.REGULAR)
BAR = of.sigma_0**2 + (1 + sqrt(3)) * of.sigma_1**2

MEAN = claim(
    "st.lem4.mean",
    at=_AT,
    title="The kernel of any width has the limiting kernel as its mean",
    states={
        "mean": eq(E(K_m), K_value),
        "variance": eq(of.kernel_error, 2 / m * of.kappa_variance),
        "bound": le(of.kappa_variance, BAR**2),
    },
    given=letters(
        *(K_m, K_value, of.kernel_error, of.kappa_variance, of.sigma_0, of.sigma_1, m), under=_RANDOM
    ),
    assuming=_RANDOM,
    rests_on=[BLOCKS, "st.fact2", "st.fact3"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_SHARES, _MODEL = family("share of a head"), Symbol("value of K_m", real=True)
#: The term κ of a random head.
_KAPPA = Random("kappa")


def _sum_of_shares(given: Given) -> list[Theorem]:
    """K_m = (2/m)Σκ_i by st.lem4.blocks, and m is twice the number of pairs."""
    names = NETWORKS.meaning(
        "K_m and the shares of the heads",
        eq(kernel_m_value, _MODEL),
        eq(head_sum, total(_SHARES(i), i, pairs)),
    )
    form = eq(_MODEL, 2 / m * total(_SHARES(i), i, pairs))
    even = what_is_assumed(given, hyp.EVEN_WIDTH, eq(m, 2 * pairs))
    return [NETWORKS.follows(given.fact(BLOCKS, "mean"), names, goal=form), even]


@MEAN.proved("mean")
def equal_means(given: Given) -> Theorem:
    """All heads have the same law, that of κ, whose mean is K."""
    given.require(*_RANDOM)
    each, even = _sum_of_shares(given)
    heads = in_the_mean(each, {_MODEL: K_m, _SHARES: head_terms})
    law = what_is_assumed(given, hyp.RANDOM_HEADS, eq(E(head_terms(i)), E(_KAPPA)))
    means = added(NETWORKS.follows(law, _kernel(), goal=eq(E(head_terms(i)), K_value)), i, pairs)
    return given.concluded(heads, means, linear(means.statement.rhs), even)


@MEAN.proved("variance")
def variance_of_a_mean(given: Given) -> Theorem:
    """K_m − K = (2/m)Σ(κ_i − K); the variances of independent terms add up, and all are that of κ."""
    law = hyp.RANDOM_HEADS
    name, variance = "deviations of heads", of.kappa_variance
    deviations, moments = sum_of_independent_terms(given, law, name, _KAPPA, variance)
    gap, known = Symbol("value of the sum of deviations", real=True), _sum_of_shares(given)
    sum_ = total(_SHARES(i) - K_value, i, pairs)
    names = NETWORKS.meaning("the sum of the deviations", eq(gap, sum_))
    goal = eq((_MODEL - K_value) ** 2, (2 / m * gap) ** 2)
    each = NETWORKS.follows(*known, names, linear(sum_), goal=goal)
    squares = in_the_mean(each, {_MODEL: K_m, _SHARES: head_terms, gap: deviations(pairs)})
    error = NETWORKS.meaning("the mean squared error", eq(of.kernel_error, E((K_m - K_value) ** 2)))
    return given.concluded(of_length(moments, pairs), squares, error, known[1])


@MEAN.proved("bound")
def second_moment(given: Given) -> Theorem:
    """|κ| ≤ σ₀² + σ₁² + σ₁²|MU||M′U|, and E|MU|²|M′U|² ≤ (E|MU|⁴ E|M′U|⁴)^(1/2) ≤ 3."""
    share = Symbol("value of share", real=True)
    left, right = (Symbol(f"value of {name}", nonnegative=True) for name in ("left", "right"))
    a, b = of.sigma_0**2 + of.sigma_1**2, of.sigma_1**2
    values = {share: _KAPPA, left: Random("|MU|"), right: Random("|M'U|")}
    kappa, x, y = values.values()
    given.require(hyp.BOUNDED_VALUES, hyp.BOUNDED_SLOPES, *hyp.INPUTS)
    size = le(Abs(share), a + b * left * right)
    short = NETWORKS.follows(size_of_a_head(given, share, left, right), goal=size)
    square = le(share**2, a**2 + 2 * a * b * left * right + b**2 * left**2 * right**2)
    mean_square = in_the_mean(NETWORKS.follows(short, goal=square), values)
    fourth = [fourth_moment(given, x, POOL), fourth_moment(given, y, OTHER_POOL)]
    variance = NETWORKS.meaning("the variance of κ", eq(of.kappa_variance, E((kappa - E(kappa)) ** 2)))
    squares = [facts.expectation_of_square(one) for one in (x**2, y**2, x * y)]
    products = [*fourth, *squares, facts.expectation_of_product(x**2, y**2)]
    known = NETWORKS.follows(*products, goal=both(le(E(x**2 * y**2), 3), le(E(x * y), sqrt(3))))
    return given.concluded(mean_square, known, variance)


def sequences(rng: np.random.Generator, n: int, T: int, d: int) -> Inputs:
    """Normal tokens clipped to the unit ball, with the last token for the query."""
    tokens = rng.standard_normal((n, T, d))
    tokens /= np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True))
    return Inputs(tokens, tokens[:, -1])


@MEAN.estimated("mean", draws=3000, controls={})
def kernels_of_small_networks(rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """m = 2 and erf: features of the heads minus the mean over U in closed form, given W."""
    for T, d in ((1, 2), (3, 2), (5, 3)):
        X, heads = sequences(rng, 2, T, d), sample_heads(draws, d, rng)
        phi = features(heads, X, ERF)
        kernel = phi.c[0] * phi.c[1] + np.sum(phi.U[0] * phi.U[1], axis=1)
        kernel += np.sum(phi.W[0] * phi.W[1], axis=(1, 2))
        closed = sampled_blocks("erf", X, heads.W).total[:, 0, 1]
        yield mean_test(kernel - closed, 0.0)


_C_BLOCK, _U_BLOCK = E(H * H_prime), E(D * D_prime * AA)
#: The block for W over the product of the queries.
W_MEAN = E(D * D_prime * MM)
_NEAR = ge(m, 2 * BAR**2 / of.accuracy)

LEMMA = claim(
    "st.lem4",
    at=_AT,
    title="The tangent kernel decomposes into three blocks, and is a limit in mean square",
    states={
        "blocks": eq(K_value, _C_BLOCK + _U_BLOCK + inner(query, query_prime) * W_MEAN),
        "limit": implies(_NEAR, le(of.kernel_error, of.accuracy)),
    },
    given=letters(
        *(K_value, H, H_prime, D, D_prime, AA, MM, query, query_prime),
        *(of.kernel_error, of.accuracy, of.sigma_0, of.sigma_1, m),
        under=_RANDOM,
    ),
    assuming=_RANDOM,
    rests_on=[MEAN, BLOCKS],
    note=_NOTE,
)


@LEMMA.proved("blocks")
def mean_of_one_head(given: Given) -> Theorem:
    """K = Eκ by st.lem4.mean, and κ is the sum of three products by st.lem4.blocks."""
    given.require(*_RANDOM)
    pairs_ = (pooled, pooled_prime), (spread_vector, spread_vector_prime)
    products = (inner(one(i), other(i)) for one, other in pairs_)
    share, *values = (Symbol(f"value of {one}", real=True) for one in ("share", *_PARTS))
    parts = (head_term(i), value(i), value_prime(i), slope(i), slope_prime(i), *products)
    names = NETWORKS.meaning("the parts of a head", *map(eq, parts, (share, *values)))
    h, h_, s, s_, of_a, of_y = values
    form = h * h_ + s * s_ * of_a + inner(query, query_prime) * s * s_ * of_y
    head = NETWORKS.follows(given.fact(BLOCKS, "one head"), names, goal=eq(share, form))
    mean = in_the_mean(head, {share: _KAPPA, **dict(zip(values, _PARTS, strict=True))})
    return given.concluded(mean, _kernel())


#: κ of a random head, and what it is made of.
_KAPPA, _PARTS = Random("kappa"), (H, H_prime, D, D_prime, AA, MM)


@cache
def _kernel() -> Theorem:
    return NETWORKS.meaning("the kernel, the mean over a random head", eq(K_value, E(_KAPPA)))


@LEMMA.proved("limit")
def the_variance_vanishes(given: Given) -> Theorem:
    """2 Var κ/m ≤ ε once m is large."""
    return given.follows(given.fact(MEAN, "variance"), given.fact(MEAN, "bound"))


NESTED_HEADS = Hypothesis(
    "nested_heads",
    "$X and $X_prime are fixed, and the heads of all widths are the first ones of one sequence",
)
STRONG = claim(
    "st.lem4.almost_surely",
    at="Lemma 4, proof",
    title="The kernels of growing width converge almost surely",
    states=sentence(r"$K_m \to $K_value \quad\text{almost surely as}\quad $m \to \infty"),
    given=letters(K_m, K_value, m, under=[*_RANDOM, NESTED_HEADS]),
    assuming=[*_RANDOM, NESTED_HEADS],
    rests_on=[MEAN],
    note=_NOTE,
)
STRONG.cited(
    "Kolmogorov's strong law of large numbers",
    why="the terms are independent copies with a finite mean; limits along a sequence of events",
)
