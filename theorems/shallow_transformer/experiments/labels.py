"""Section 6.1: the labels of the experiment, and the space that the teacher lies in."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Expr, S, Symbol, cos, exp, integrate, limit, oo, pi, sqrt

from numeric.networks.transformer import TANH, Heads, Teacher, clipped_tokens, features, sample_heads
from numeric.statistics import SlopeTest, slope_test
from symbolic.equality import equal
from theorems.engine import Given, Grade, Hypothesis, Obligations, Provenance, Severity, eq, le, sentence
from theorems.engine.rules import E, Random, Theorem, Vector, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.experiments.teacher import TEACHER_MAP
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.experiment import (
    label_error,
    pool_norm,
    v_c_size,
    v_u_size,
    v_w_size,
)
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.independent_means import (
    in_expectation,
    of_length,
    sum_of_independent_terms,
)
from theorems.shallow_transformer.premises.kernels import of_the_shortest_map
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    between,
    bounded_sum,
    called,
    positive,
    sizes,
    total,
)

Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md"
_r = Symbol("r", integer=True, positive=True)

_POOL = (
    *(*hyp.INPUTS, hyp.INDEPENDENT_POOL, hyp.SQUARE_INTEGRABLE_MAP),
    *(hyp.TWICE_DIFFERENTIABLE, hyp.BOUNDED_VALUES, hyp.BOUNDED_SLOPES),
)

LABELS = claim(
    "st.exp.teacher.labels",
    at="Section 6.1",
    title="The labels differ from the teacher's function by the error of their Monte Carlo",
    states={"mean": eq(E(label_error), 0), "variance": eq(E(label_error**2), of.spread / of.pool)},
    assuming=_POOL,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#the-teacher",
)


@LABELS.proved("mean", "variance")
def moments_of_a_mean(given: Given) -> Theorem:
    """The variances of independent terms add up."""
    name, law = "deviations over the pool", hyp.INDEPENDENT_POOL
    sums, moments = sum_of_independent_terms(given, law, name, Random("g of a random head"), of.spread)
    mean = NETWORKS.meaning(
        "the error of a label, the mean of the deviations of independent heads",
        eq(E(label_error), E(sums(of.pool) / of.pool)),
        eq(E(label_error**2), E((sums(of.pool) / of.pool) ** 2)),
    )
    given.require(hyp.SQUARE_INTEGRABLE_MAP)
    return given.concluded(of_length(moments, of.pool), mean)


@LABELS.estimated("variance", draws=400, controls={})
def deviation_of_labels(given: Given, rng: Rng, draws: int) -> Iterator[SlopeTest]:
    """The standard deviation of a label over pools, against the size of the pool."""
    power = given.goal.args[1].as_powers_dict()[of.pool]
    inputs, counts = clipped_tokens(1, 4, 3, rng), (4, 16, 64)
    teacher = Teacher(clipped_tokens(4, 4, 3, rng), (3, 3, 3), TANH)
    deviations, errors = [], []
    for size in counts:
        found = _products(teacher, inputs, sample_heads(draws * size, 3, rng))
        centred = (found - found.mean()).reshape(draws, size).mean(axis=1)
        square = float(np.mean(centred**2))
        deviations.append(np.sqrt(square))
        # A root has half the relative error of the mean square.
        errors.append(float(np.std(centred**2)) / (2 * np.sqrt(square * draws)))
    yield slope_test(counts, deviations, errors, float(power) / 2)


def _products(teacher: Teacher, inputs: Any, heads: Heads) -> Any:
    """⟨φ(X), v⟩ for one input, head by head."""
    phi, v = features(heads, inputs, teacher.activation), teacher.transport(heads)
    return phi.c[0] * v.c + (phi.U[0] * v.U).sum(axis=1) + (phi.W[0] * v.W).sum(axis=(1, 2))


SUM_OF_FEATURES = Hypothesis(
    "sum_of_features",
    "the labels are those of one pool of $mtilde heads, which are kept fixed",
    latex=r"$labels = \tfrac{1}{$mtilde}\sum_k\langle$features(\cdot), $v\rangle(\varphi_k)",
)

IN_THE_SPACE = claim(
    "st.exp.teacher.rkhs",
    at="Section 6.1",
    title="The function that makes the labels lies in the space of the tangent kernel",
    states=sentence(
        r"$labels(\cdot) \in $F_space \text{ for every pool of } $mtilde \ge $heads"
        r" \text{ heads}",
        heads=1,
    ),
    assuming=[SUM_OF_FEATURES],
    note=f"{_NOTE}#the-teacher",
)


@IN_THE_SPACE.refuted(severity=Severity.SLIP, by=Grade.ARGUED)
def a_cosine_that_does_not_decay(heads: int) -> Obligations:
    """One token in dimension one, σ = sin, v = (0, 1): the labels are x cos(ux) for |x| ≤ 1.

    A function of the space is g(x) = E(v_c sin(Ux) + v_u x cos(Ux)) with square integrable v. As
    E e^(R|U|) is finite, g is entire, so that g(x) = x cos(ux) on the whole line. E v_c sin(Ux) is
    bounded, and E v_u cos(Ux) tends to 0 by the lemma of Riemann and Lebesgue: so does g(x)/x.
    But it is 1 at x = 2πk/u.
    """
    u, R, x = Symbol("u", positive=True), Symbol("R", positive=True), Symbol("x", positive=True)
    k = Symbol("k", positive=True, integer=True)
    bound, t = Symbol("bound", positive=True), Symbol("t", real=True)
    moment = integrate(exp(2 * R * t - t**2 / 2), (t, -oo, oo))
    yield "entire", bool(moment.is_finite) or moment == sqrt(2 * pi) * exp(2 * R**2)
    yield "the bounded part over x", limit(bound / x, x, oo) == 0
    yield "the feature over x", equal(heads * cos(u * 2 * pi * k / u), S.One)


_BOTH = (*_POOL, TEACHER_MAP)

NEAR_THE_SPACE = IN_THE_SPACE.corrected(
    "st.exp.teacher.rkhs.corrected",
    title="The teacher's exact function lies in the space; the labels lie in that of the pool's"
    " kernel, at a distance of order m̃^(−1/2)",
    states={
        "exact": le(of.F_norm, of.NU_NORM),
        "pool": le(pool_norm, of.NU_NORM),
        "distance": eq(E(label_error**2), of.spread / of.pool),
    },
    assuming=_BOTH,
    rests_on=["st.exp.teacher", LABELS],
    note=f"{_NOTE}#the-teacher",
)
_SIZES = (v_c_size, v_u_size, v_w_size)


def _map_of_one_head(given: Given) -> Theorem:
    """|v|² = |v_c|² + |v_u|² + |v_w|² ≤ |ν̄|²."""
    parts = [given.fact("st.exp.teacher", name) for name in ("c", "U", "W")]
    squares = sum(one**2 for one in _SIZES)
    return between(given, le(squares, of.NU_NORM**2), *parts, *called(of.NU_NORM))


def _least_norm(least_norm: Symbol, square: Expr) -> list[Theorem]:
    """The norm of a function is the least of a map for it, and v is one, with this mean square."""
    v = Vector("v")
    of_v = NETWORKS.meaning("the norm of the map", eq(norm(v) ** 2, square))
    return [*of_the_shortest_map(least_norm, v), of_v]


@NEAR_THE_SPACE.proved("exact")
def norm_of_the_map(given: Given) -> Theorem:
    """The norm of f̃ is at most that of a map which represents it, the root of E|v|²."""
    values = {one: Random(f"random {one.name}") for one in _SIZES}
    mean = in_expectation(given, _map_of_one_head(given), values)
    norms = _least_norm(of.F_norm, E(sum(one**2 for one in values.values())))
    return given.concluded(mean, *norms, positive(of.NU_NORM))


@NEAR_THE_SPACE.proved("pool")
def norm_at_the_pool(given: Given) -> Theorem:
    """With the mean over the heads of the pool for E."""
    parts = [sizes(f"{one.name} at a head")(_r) for one in _SIZES]
    values = dict(zip(_SIZES, parts, strict=True))
    one = _map_of_one_head(given)
    at = NETWORKS.substituted(one, values, under=given.conditions)
    sums = bounded_sum(between(given, at.statement, at), _r, of.pool)
    square = total(sum(one**2 for one in parts), _r, of.pool) / of.pool
    norms = _least_norm(pool_norm, square)
    return given.concluded(sums, *norms, positive(of.NU_NORM))


@NEAR_THE_SPACE.proved("distance")
def error_of_the_labels(given: Given) -> Theorem:
    """The variance of the Monte Carlo."""
    return given.concluded(given.fact(LABELS, "variance"))
