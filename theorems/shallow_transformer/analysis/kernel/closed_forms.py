"""Lemma 4: closed forms of the blocks given W, for the error function and the ReLU."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.transformer import ERF, Heads, Inputs, features, sample_heads
from numeric.softmax_jacobian import softmax
from numeric.statistics import MeanTest, mean_test
from numeric.transformer_kernel import blocks_given_attention
from symbolic.equality import equal
from symbolic.gaussian import bivariate_expectation
from symbolic.notation import t as angle
from symbolic.notation import u1, u2
from theorems.engine import Choice, Discrepancy, Hypothesis, Obligations, Provenance, sentence
from theorems.shallow_transformer.analysis.kernel.decomposition import sequences
from theorems.shallow_transformer.hypotheses import NORMAL_GIVEN_ATTENTION
from theorems.shallow_transformer.letters.paper import claim

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"
_AT = "Lemma 4"

ERROR_FUNCTION = Hypothesis(
    "error_function", "the activation is the error function", latex=r"$sigma = \mathrm{erf}"
)
_ERF = (NORMAL_GIVEN_ATTENTION, ERROR_FUNCTION)
_S = r"S = I + $two(aa^\top + a'a'^\top)"
_SLOTS = {"four": 4, "half": Fraction(1, 2), "one": 1, "two": 2}

ERF_FORM = claim(
    "st.lem4.erf",
    at=_AT,
    title="The blocks for the error function, given W",
    states={
        "second moments": sentence(
            r"\mathbb{E}\,\sigma'($U\cdot a)\sigma'($U\cdot a')\,$U{$U}^\top"
            r" = \frac{$four}{\pi}(\det S)^{-$half}S^{-$one}, \quad " + _S,
            **_SLOTS,
        ),
        "block": sentence(
            r"$K_w = \langle $query, $query_prime\rangle\,\mathbb{E}_{$W}\frac{$four}{\pi}"
            r"(\det S)^{-$half}\operatorname{tr}(MM'S^{-$one}), \quad " + _S,
            **_SLOTS,
        ),
    },
    assuming=_ERF,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ERF_FORM.argued(
    "second moments",
    "block",
    bridge="A positive definite S has a basis of eigenvectors, in which the normal integrals with"
    " exp(-U·S U/2) are products of those of one variable; U is independent of W, and"
    " E U·M M' U = tr(M M') E U Uᵀ given W.",
    uses=_ERF,
)
def tilted_gaussian(four: int, half: Any, one: int, two: int) -> Obligations:
    """|U|²/2 + (U·a)² + (U·a′)² = U·S U/2; the integrals of one variable, det S and S⁻¹."""
    U = sp.Matrix(sp.symbols("U1:4", real=True))
    a, b = (sp.Matrix(sp.symbols(f"{name}1:4", real=True)) for name in "ab")
    two = sp.nsimplify(two)
    S = sp.eye(3) + two * (a * a.T + b * b.T)
    exponent = U.dot(U) / 2 + U.dot(a) ** 2 + U.dot(b) ** 2
    yield "exponent", equal(sp.expand(exponent), sp.expand((U.T * S * U)[0, 0] / 2))
    u, scale = sp.Symbol("u", real=True), sp.Symbol("s", positive=True)
    tilted = sp.exp(-scale * u**2 / 2) / sp.sqrt(2 * sp.pi)
    mass, power = sp.integrate(tilted, (u, -sp.oo, sp.oo)), -sp.Rational(half)
    yield "mass", equal(mass, scale**power)
    second = sp.integrate(u**2 * tilted, (u, -sp.oo, sp.oo))
    yield "second moment", equal(second, scale ** (power - sp.Rational(one)))
    slope = sp.diff(sp.erf(u), u) * sp.exp(u**2)
    yield "slopes", equal(sp.simplify(slope**2), sp.nsimplify(four) / sp.pi)


@ERF_FORM.argued(
    "second moments", bridge="In any dimension S differs from I on the plane of a and a' only, as in three."
)
def determinant_and_inverse(two: int) -> Obligations:
    """det S and S⁻¹ from the Gram matrix of a and a′, as the numeric closed form has them."""
    a, b = (sp.Matrix(sp.symbols(f"{name}1:4", real=True)) for name in "ab")
    S = sp.eye(3) + sp.nsimplify(two) * (a * a.T + b * b.T)
    first, second, inner = a.dot(a), b.dot(b), a.dot(b)
    determinant = (1 + 2 * first) * (1 + 2 * second) - 4 * inner**2
    yield "determinant", equal(sp.expand(S.det()), sp.expand(determinant))
    half = sp.Rational(1, 2)
    scale = (half + first) * (half + second) - inner**2
    update = (half + second) * a * a.T + (half + first) * b * b.T
    update -= inner * (a * b.T + b * a.T)
    product = (S * (scale * sp.eye(3) - update)).expand()
    yield "inverse", equal(product, (scale * sp.eye(3)).expand())


def _pooled(X: Inputs, W: Any) -> list[tuple[Any, Any]]:
    """Mean and covariance of the tokens of each input under its weights."""
    found = []
    for tokens, q in zip(X.tokens, X.queries, strict=True):
        p = softmax(tokens @ W @ q)
        a = p @ tokens
        found.append((a, (tokens.T * p) @ tokens - np.outer(a, a)))
    return found


@ERF_FORM.estimated(
    "block", draws=4000, controls={"plain": {"two": 0}, "twice": {"four": 8}, "root": {"half": 2}}
)
def features_given_w(
    rng: np.random.Generator, draws: int, four: int, half: Any, one: int, two: int
) -> Iterator[MeanTest]:
    """Products of φ_w over draws of U at one W, against the closed form."""
    for T, d in ((2, 1), (4, 3)):
        X, W = sequences(rng, 2, T, d), rng.standard_normal((d, d))
        heads = sample_heads(draws, d, rng)
        same = Heads(heads.c, heads.U, np.broadcast_to(W, heads.W.shape))
        phi = features(same, X, ERF)
        (a, M), (b, N) = _pooled(X, W)
        S = np.eye(d) + float(two) * (np.outer(a, a) + np.outer(b, b))
        inverse = np.linalg.matrix_power(np.linalg.inv(S), int(one))
        closed = float(four) / np.pi * np.linalg.det(S) ** -float(half) * np.trace(M @ N @ inverse)
        value = float(X.queries[0] @ X.queries[1] * closed)
        yield mean_test(np.sum(phi.W[0] * phi.W[1], axis=(1, 2)), value)


RELU = Hypothesis(
    "relu",
    "the activation is the ReLU, which is not bounded: its kernel exists all the same",
    latex=r"$sigma = \max(0, \cdot)",
)
NONZERO_MEANS = Hypothesis(
    "nonzero_means",
    "the pooled tokens a and a' do not vanish, $t is their angle, and e_+ and e_- are the unit"
    " vectors along a/|a| + a'/|a'| and a/|a| - a'/|a'| (any unit vectors where these vanish)",
)
_OTHERS = {"cosine": {"wave": Choice(r"\cos", sp.cos)}, "sum": {"sign": Choice("+", 1)}}
_RELU = (NORMAL_GIVEN_ATTENTION, RELU, NONZERO_MEANS)

RELU_FORM = claim(
    "st.lem4.relu",
    at=_AT,
    title="The W-block for the ReLU, given W",
    states=sentence(
        r"\mathbb{E}\,\sigma'($U\cdot a)\sigma'($U\cdot a')\,$U{$U}^\top"
        r" = \frac{(\pi - $t)I + $wave $t\,(e_+e_+^\top $sign e_-e_-^\top)}{$two\pi}",
        two=2,
        wave=Choice(r"\sin", sp.sin),
        sign=Choice("-", -1),
    ),
    assuming=_RELU,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RELU_FORM.argued(
    bridge="U.a = |a|u_1 and U.a' = |a'|u_2 span the plane; orthogonal to it U is independent of"
    " both, with covariance I, so that this part is E 1 1 times I. At the angles 0 and π both sides"
    " are limits.",
    controls=_OTHERS,
    uses=_RELU,
    over={angle: sp.Interval(0, sp.pi)},
)
def by_polar_coordinates(two: int, wave: Callable[[Any], Any], sign: int) -> Obligations:
    """E 1 1 u_iu_j by the four sectors of the circle."""
    a, b = sp.Matrix([1, 0]), sp.Matrix([sp.cos(angle), sp.sin(angle)])
    inside = {angle: sp.Interval.open(0, sp.pi)}
    plus, minus = (a + b) / (2 * sp.cos(angle / 2)), (a - b) / (2 * sp.sin(angle / 2))
    turned = sp.Matrix([[sp.cos(angle), sp.sin(angle)], [sp.sin(angle), -sp.cos(angle)]])
    reflection = plus * plus.T + sign * minus * minus.T
    yield "reflection", equal((reflection - turned).applyfunc(sp.trigsimp), sp.zeros(2), inside)
    full = sp.nsimplify(two) * sp.pi
    share = (sp.pi - angle) / full
    claimed = share * sp.eye(2) + wave(angle) / full * turned
    steps = (1 + sp.sign(u1)) * (1 + sp.sign(u2)) / 4
    for f, left, right in ((u1**2, a, a), (u1 * u2, a, b), (u2**2, b, b)):
        moment = bivariate_expectation(steps * f, u1, u2, sp.cos(angle))
        yield f"E 1 1 {f}", equal(moment, (left.T * claimed * right)[0, 0], inside)
    yield "E 1 1", equal(bivariate_expectation(steps, u1, u2, sp.cos(angle)), share, inside)


@RELU_FORM.tested(over=st.tuples(st.floats(0.01, 3.13), st.integers(0, 10**6)), controls=_OTHERS, cases=60)
def wedges_by_quadrature(
    case: tuple[float, int], two: int, wave: Callable[[Any], Any], sign: int
) -> Discrepancy:
    """E 1 1 U.N U for d = 2 over the wedge of angle π - θ, by Gauss's rule, and by the formula."""
    theta, seed = case
    N = np.random.default_rng(seed).uniform(-1, 1, (2, 2))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    middle, radius = theta / 2, (np.pi - theta) / 2
    ray = np.stack([np.cos(middle + radius * nodes), np.sin(middle + radius * nodes)])
    # E r² = 2 for the radius, the angle is uniform.
    wanted = 2 * radius / (2 * np.pi) * (weights @ np.einsum("kn,kl,ln->n", ray, N, ray))
    a, b = np.array([1.0, 0.0]), np.array([np.cos(theta), np.sin(theta)])
    plus, minus = (a + b) / (2 * np.cos(theta / 2)), (a - b) / (2 * np.sin(theta / 2))
    form = plus @ N @ plus + sign * (minus @ N @ minus)
    full = float(two) * np.pi
    found = ((np.pi - theta) * np.trace(N) + float(wave(theta)) * form) / full
    # Smooth integrands of size 2 on an interval of length π: 24 nodes leave rounding only, and
    # the vectors e± lose the inverse of the sine of half an angle.
    return Discrepancy(float(found - wanted), 1e-10)


@RELU_FORM.tested(over=st.tuples(st.floats(0.01, 3.13), st.integers(0, 10**6)), cases=60)
def wedges_by_the_code(
    case: tuple[float, int], two: int, wave: Callable[[Any], Any], sign: int
) -> Discrepancy:
    """The numeric closed form against this one."""
    theta, seed = case
    N = np.random.default_rng(seed).uniform(-1, 1, (2, 2))
    a, b = np.array([1.0, 0.0]), np.array([np.cos(theta), np.sin(theta)])
    plus, minus = (a + b) / (2 * np.cos(theta / 2)), (a - b) / (2 * np.sin(theta / 2))
    form = plus @ N @ plus + sign * (minus @ N @ minus)
    full = float(two) * np.pi
    closed = ((np.pi - theta) * np.trace(N) + float(wave(theta)) * form) / full
    found = float(blocks_given_attention("relu", a, b, N, np.eye(2), 1.0).w)
    return Discrepancy(found - closed, 1e-10)
