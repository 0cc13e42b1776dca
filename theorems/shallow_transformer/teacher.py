"""Section 6.1: the teacher of the experiment, its tokens and its labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.transformer import (
    ERF,
    LOGISTIC,
    TANH,
    BoundedActivation,
    Heads,
    Teacher,
    clipped_tokens,
    features,
    sample_heads,
)
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, integers

Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md"
_EPS = float(np.finfo(float).eps)
_SUP_SECOND = sp.Rational(4, 3) / sp.sqrt(3)

CONSTANTS = claim(
    "st.exp.teacher.tanh",
    at="Section 6.1",
    title="The constants of tanh, and where they are attained",
    states=(r"\sup|\tanh| = 1, \quad \sup|\tanh'| = 1, \quad \sup|\tanh''| = \frac{4}{3\sqrt3}"),
    assuming="the second at 0, the third at ±artanh(3^(−1/2)); the first is not attained",
    provenance=Provenance.DERIVED,
)


@CONSTANTS.proved(
    controls={
        "second_as_first": {"second": sp.S.One},
        "rounded": {"second": sp.Rational(77, 100)},
        "first": {"first": sp.Rational(99, 100)},
    }
)
def derivatives_in_the_value(first: Any = 1, second: Any = _SUP_SECOND) -> Obligations:
    """With y = tanh s in (−1, 1): σ' = 1 − y², σ'' = −2y(1 − y²), and y takes all these values."""
    s, y = sp.symbols("s y", real=True)
    value, slope = sp.tanh(s), 1 - y**2
    yield "σ'", equal(sp.diff(value, s), slope.subs(y, value))
    yield "σ''", equal(sp.diff(value, s, 2), (-2 * y * slope).subs(y, value))
    yield "the value tends to 1", sp.limit(value, s, sp.oo) == 1
    yield "σ' is at most its value at 0", equal(first - slope, y**2)
    square = sp.Rational(4, 27) * (1 - 3 * y**2) ** 2 * (4 - 3 * y**2)  # >= 0, and 0 at y² = 1/3
    yield "second² − σ''²", equal(second**2 - (2 * y * slope) ** 2, square)
    yield "the code's", TANH.bounds == (1.0, float(first), float(second))


BOUNDED = claim(
    "st.exp.teacher",
    at="Section 6.1",
    title="The teacher's transportation map lies in V_ν̄, so that its function lies in F_ν̄",
    states=r"v = \frac1R\sum_{r=1}^R v^{(r)} \in \mathcal{V}_{\bar\nu}",
    given={"R": integers(1)},
    assuming="f̃ of (10) is meant, not its Monte Carlo approximation",
    rests_on=["st.fact2", "st.fact3"],
    note=f"{_NOTE}#the-teacher",
)


@BOUNDED.proved(controls={"unscaled": {"scaled": 0}, "sum": {"averaged": 0}})
def each_anchor_and_the_average(scaled: int = 1, averaged: int = 1) -> Obligations:
    """|φ_c| ≤ σ₀, |φ_u| = |σ'||a| ≤ σ₁; clipping gives min(|φ_w|, ν_w); norms are convex.

    Two anchors show the average: with |v¹|, |v²| ≤ ν, ν² − |v|² is a sum of squares and of slacks.
    """
    nu, sup, less, gap = sp.symbols("nu sigma x y", positive=True)
    size = sup * less / (less + gap)  # any value below the sup norm
    v = nu / sup**scaled * size
    yield "|v_c|, |v_u| ≤ ν", equal(nu - v, nu * gap / (less + gap))
    for norm in (nu + gap, nu / (1 + gap)):
        longer = (norm - nu).is_positive
        clipped = norm * (nu / norm) if longer else norm
        yield "|v_w| ≤ ν", sp.factor(nu - clipped).is_nonnegative
    first, second = (
        sp.Matrix(sp.symbols("v1:3", real=True)),
        sp.Matrix(sp.symbols("w1:3", real=True)),
    )
    total = (first + second) / 2**averaged
    slack = ((nu**2 - first.dot(first)) + (nu**2 - second.dot(second))) / 2
    difference = first - second
    yield "average", equal(nu**2 - total.dot(total), slack + difference.dot(difference) / 4)


def _extreme(
    activation: BoundedActivation, T: int, d: int, seed: int, scale: float, R: int
) -> float:
    rng = np.random.default_rng(seed)
    nu = np.array([3.0, 2.0, 0.1])
    heads = sample_heads(20, d, rng)
    heads = Heads(heads.c, scale * heads.U, heads.W)
    v = Teacher(clipped_tokens(R, T, d, rng), nu, activation).transport(heads)
    return float((v.block_norms() / nu[:, None]).max())


@BOUNDED.tested(
    over=st.builds(
        lambda activation, T, d, seed, scale, R: (activation, T, d, seed, scale, R),
        st.sampled_from([TANH, ERF, LOGISTIC]),
        st.integers(1, 5),
        st.integers(1, 9),
        st.integers(0, 10**6),
        st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0]),
        st.integers(1, 3),
    ),
    controls={"one_per_cent_less": {"factor": 0.99}},
)
def largest_component(case: tuple[Any, ...], factor: float = 1.0) -> Measured:
    """The largest of |v_c|/ν_c, |v_u|/ν_u, |v_w|/ν_w over twenty heads, some of them huge."""
    # A norm of 81 entries and a few products: some tens of roundings.
    return Measured(_extreme(*case) / factor, 100 * _EPS)


TOKENS = claim(
    "st.exp.teacher.tokens",
    at="Section 6.1",
    title="For d = 8 clipping moves all but 0.18 % of the tokens onto the sphere",
    states=(
        r"\mathbb{P}(\|g\|_2 \le 1) = 1 - \tfrac{79}{48}e^{-1/2} = 0.00175\ldots,"
        r" \quad g \sim \mathcal{N}(0, I_8)"
    ),
    assuming="clipping scales a token down to norm 1 if it is longer",
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#the-teacher",
)


@TOKENS.proved(
    controls={"fewer_terms": {"terms": 3}, "dimension": {"d": 9}, "digit": {"digits": (176, 177)}}
)
def small_ball(terms: int = 4, d: int = 8, digits: tuple[int, int] = (175, 176)) -> Obligations:
    """The density of |g| is r⁷ e^(−r²/2)/48; 1 − e^(−r²/2) Σ (r²/2)^k/k! is its integral."""
    r = sp.Symbol("r", positive=True)
    constant = sp.Integer(2) ** sp.Rational(d - 2, 2) * sp.gamma(sp.Rational(d, 2))
    partial = sum(sp.Rational(1, 2**k * sp.factorial(k)) * r ** (2 * k) for k in range(terms))
    integral = 1 - sp.exp(-(r**2) / 2) * partial
    density = r ** (d - 1) * sp.exp(-(r**2) / 2) / constant
    yield "its derivative", equal(sp.diff(integral, r), density)
    yield "vanishes at 0", equal(integral.subs(r, 0), sp.S.Zero)
    yield "tends to 1", sp.limit(integral, r, sp.oo) == 1
    stated = integral.subs(r, 1)
    yield "79/48", equal(stated, 1 - sp.Rational(79, 48) * sp.exp(-sp.Rational(1, 2)))
    low, high = (sp.Rational(one, 10**5) for one in digits)
    yield "digits", bool(low < stated) and bool(stated < high)


@TOKENS.estimated(draws=12_000, controls={"half": {"factor": 0.5}, "norm_two": {"radius": 0.5}})
def short_tokens(
    rng: Rng, draws: int, factor: float = 1.0, radius: float = 1.0
) -> Iterator[MeanTest]:
    """The share of tokens of norm below 1, sixteen to an input; none is longer."""
    norms = np.linalg.norm(clipped_tokens(draws, 16, 8, rng).tokens, axis=2)
    probability = 1 - 79 / 48 * np.exp(-0.5)
    share = np.mean(norms < radius * (1 - 8 * _EPS), axis=1)
    yield mean_test(share, factor * probability)
    yield mean_test(norms.max(axis=1), 1.0, alternative="greater", rounding=8 * _EPS)


LABELS = claim(
    "st.exp.teacher.labels",
    at="Section 6.1",
    title="The labels differ from the teacher's function by the error of their Monte Carlo",
    states=(
        r"\mathbb{E}\,\tilde y = \tilde f(X; v), \quad \mathbb{E}\,(\tilde y - \tilde f(X; v))^2"
        r" = \frac{\operatorname{Var}\langle\phi(X), v\rangle}{\tilde m}"
    ),
    given={"mtilde": integers(1)},
    assuming="the paper writes ỹ ≈ f̃ and goes on as if ỹ = f̃",
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#the-teacher",
)


@LABELS.proved(controls={"twice": {"power": 2}, "root": {"power": sp.Rational(1, 2)}})
def moments_of_a_mean(power: Any = 1) -> Obligations:
    """For m̃ = 1, …, 6 independent copies of Y: products of different ones have mean f²."""
    f, variance = sp.symbols("f V", real=True)
    for count in range(1, 7):
        mean, square = mean_of_polynomial([sp.Rational(1, count)] * count, f, variance)
        yield f"mean, {count}", equal(mean, f)
        yield f"variance, {count}", equal(square - f**2, variance / sp.Integer(count) ** power)


def mean_of_polynomial(
    weights: list[Any], mean: sp.Expr, variance: sp.Expr
) -> tuple[sp.Expr, sp.Expr]:
    """E S and E S² for S = Σ w_i Y_i, independent Y_i of one mean and variance."""
    Y = sp.symbols(f"Y1:{len(weights) + 1}", real=True)
    total = sum(w * one for w, one in zip(weights, Y, strict=True))
    square = sp.Poly(sp.expand(total**2), *Y)
    expected = sum(
        coefficient * sp.prod([(1, mean, mean**2 + variance)[k] for k in powers])
        for powers, coefficient in square.terms()
    )
    return sp.expand(total.subs(dict.fromkeys(Y, mean))), sp.expand(expected)


@LABELS.estimated(
    draws=400, controls={"as_one_over_m": {"exponent": -1.0}, "none": {"exponent": 0.0}}
)
def deviation_of_labels(rng: Rng, draws: int, exponent: float = -0.5) -> Iterator[SlopeTest]:
    """The standard deviation of a label over pools, against the size of the pool."""
    inputs, sizes = clipped_tokens(1, 4, 3, rng), (4, 16, 64)
    teacher = Teacher(clipped_tokens(4, 4, 3, rng), (3, 3, 3), TANH)
    deviations, errors = [], []
    for size in sizes:
        labels = _products(teacher, inputs, sample_heads(draws * size, 3, rng))
        centred = (labels - labels.mean()).reshape(draws, size).mean(axis=1)
        square = float(np.mean(centred**2))
        deviations.append(np.sqrt(square))
        # A root has half the relative error of the mean square.
        errors.append(float(np.std(centred**2)) / (2 * np.sqrt(square * draws)))
    yield slope_test(sizes, deviations, errors, exponent)


def _products(teacher: Teacher, inputs: Any, heads: Heads) -> Any:
    """⟨φ(X), v⟩ for one input, head by head."""
    phi, v = features(heads, inputs, teacher.activation), teacher.transport(heads)
    return phi.c[0] * v.c + (phi.U[0] * v.U).sum(axis=1) + (phi.W[0] * v.W).sum(axis=(1, 2))
