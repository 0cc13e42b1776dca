"""Remarks 3 to 5: what depends on the number of tokens, and the start at zero.

The gradients do depend on T, as functions of the tokens; what does not is every bound, and the
dependence is through the law Σ α_t δ(X_t) alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from symbolic.equality import equal
from symbolic.networks.transformer import ExactTransformer, symmetric_heads
from symbolic.networks.transformer_gradients import gradient
from symbolic.nonnegative import nonnegative
from symbolic.softmax_jacobian import covariance as exact_covariance
from symbolic.softmax_jacobian import softmax as exact_softmax
from symbolic.softmax_jacobian import weight_symbols
from theorems.engine import Discrepancy, Measured, Obligations, claim, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.gradients import (
    LEMMA_U,
    LEMMA_W,
    Net,
    formulas,
    letters,
    nets,
    sample,
)
from theorems.shallow_transformer.pooling import COVARIANCE_OF_TOKENS, MEAN, SHARP, Pool, pools

TOKENS = "tokens have |X_t| ≤ 1; the weights α are positive and add up to 1"

_GIVEN: dict[str, Domain] = {"m": integers(1), "d": integers(1), "T": integers(1)}
_NOTE = "proofs_notes/st_softmax.md#number-of-tokens"

REMARK_3 = claim(
    "st.rem3",
    at="Remark 3",
    title="M is a covariance of trace at most 1, whatever the number of tokens",
    states=(
        r"M(X;W_i) = \sum_t\alpha_tX_tX_t^\top - \mu\mu^\top, \quad"
        r" \|M(X;W_i)\|_F \le \operatorname{tr}M(X;W_i) \le 1 \text{ for all } T"
    ),
    given=_GIVEN,
    assuming=(TOKENS, "T = 1 gives M = 0; for every T ≥ 2 the supremum over X and W is 1"),
    rests_on=[COVARIANCE_OF_TOKENS],
)


@REMARK_3.proved(controls={"without_the_mean": {"share": 0}}, part="bound")
def second_moments_less_the_mean(share: int = 1) -> Obligations:
    """The third form of M; tr M = 1 − short − |μ|² with Σ α|X|² = 1 − short."""
    for T, d in ((1, 2), (2, 2), (3, 1)):
        p, X = weight_symbols(T), letters("X", T, d)
        mean = X.T * sp.Matrix(p)
        form = X.T * sp.diag(*p) * X - share * mean * mean.T
        yield f"T = {T}, d = {d}", equal(form, exact_covariance(p, X))
    short, mean2 = sp.symbols("short mean2", nonnegative=True)
    yield "trace", nonnegative(1 - (1 - short - mean2))


@REMARK_3.proved(controls={"one_token": {"opposite": 1}}, part="attained")
def two_opposite_tokens(opposite: int = -1) -> Obligations:
    """±e with equal weights have M = eeᵀ; T ≥ 3 by repeating −e with logits that share 1/2."""
    for T in (2, 3, 5):
        weights = [sp.Rational(1, 2)] + [sp.Rational(1, 2 * (T - 1))] * (T - 1)
        M = exact_covariance(weights, [[1, 0]] + [[opposite, 0]] * (T - 1))
        yield f"T = {T}", equal(M, sp.diag(1, 0))


@REMARK_3.tested(over=pools, controls={"one_per_cent_less": {"bound": 0.99}}, part="bound")
def trace(pool: Pool, bound: float = 1.0) -> Measured:
    """tr M over 1, for up to seven tokens."""
    # Entries of size at most 1, each good to a few units in the last place of 1.
    return Measured(float(np.trace(pool.covariance)) / bound, 64 * 2.0**-52)


ONLY = claim(
    "st.rem3.only",
    at="Remark 3",
    title="M as the only term of Lemma 1 that involves T",
    states=(
        r"\frac{\partial f}{\partial c_i} \text{ and } \nabla_{U_i}f"
        r" \text{ do not depend on } T"
    ),
    given=_GIVEN,
    note=_NOTE,
)


def _gradient(tokens: Any) -> Any:
    """The gradient of one head, d = 1, U = c = 1, W = 0, with a formal σ."""
    return gradient(ExactTransformer([(1, [[1]], [[0]])]), tokens, [[1]])


@ONLY.refuted(controls={"the_same_token": {"second": 1}, "no_token_added": {"count": 1}})
def one_more_token(second: int = -1, count: int = 2) -> Obligations:
    """The token 1, and the tokens 1 and −1: a = 1 and a = 0, so that h = σ(1) and σ(0)."""
    one, two = _gradient([[1]]), _gradient([[1], [second]][:count])
    yield "(5) differs", bool(one[0] != two[0])
    yield "(6) differs", bool(one[1] != two[1])


ONLY_CORRECTED = ONLY.corrected(
    "st.rem3.only.corrected",
    title="Lemma 1 depends on the tokens through their law, and its bounds are free of T",
    states=(
        r"\sum_t\alpha_t\delta_{X_t} = \sum_s\alpha'_s\delta_{X'_s}"
        r" \implies \nabla f(X) = \nabla f(X'), \qquad"
        r" \Bigl|\frac{\partial f}{\partial c_i}\Bigr| \le \frac{\sigma_0}{\sqrt m}, \quad"
        r" \|\nabla_{U_i}f\| \le \frac{\sigma_1|c_i|\,\|a_i\|}{\sqrt m}, \quad"
        r" \|\nabla_{W_i}f\|_F \le \frac{\sigma_1|c_i|(1-\|a_i\|^2)\|U_i\|}{\sqrt m}"
    ),
    given=_GIVEN,
    assuming=(TOKENS, "|q_X| ≤ 1; repeating all tokens equally often changes nothing"),
    rests_on=[LEMMA_U, LEMMA_W, MEAN, SHARP],
    note=_NOTE,
)


@ONLY_CORRECTED.proved(controls={"one_token_twice": {"copies": (2, 1)}}, part="law of the tokens")
def repeated_tokens(copies: tuple[int, int] = (2, 2)) -> Obligations:
    """Tokens that agree share their weights: a and M are moments of the law, f only sees a."""
    p, q, r = sp.symbols("p q r", positive=True)
    x, y = letters("X", 2).T, letters("Y", 2).T
    merged = exact_covariance((p, 1 - p), sp.Matrix([x, y]))
    apart = exact_covariance((p * r, p * (1 - r), 1 - p), sp.Matrix([x, x, y]))
    yield "two equal tokens, any weights", equal(merged, apart)
    net, _, _ = sample(2, 1)
    first, second = sp.symbols("x y", real=True)
    tokens = [[first], [second]]
    more = [[first]] * copies[0] + [[second]] * copies[1]
    weights, spread = net.weights(tokens, [[q]]), net.weights(more, [[q]])
    total = sum(list(spread)[: copies[0]])
    yield "weight of the first", equal(sp.simplify(total - weights[0]), sp.Integer(0))


@ONLY_CORRECTED.proved(controls={"one_per_cent_less": {"bound": sp.Rational(99, 100)}},
                       part="bounds")  # fmt: skip
def squares_of_the_norms(bound: Any = 1) -> Obligations:
    """Each is a product; |σ′| = σ₁ − less, |q|² = 1 − short, ‖M‖ ≤ 1 − |a|² by st.fact3.sharp."""
    slope, less, short, length = sp.symbols("slope less short length", nonnegative=True)
    yield "σ₁|a| − |σ′||a|", nonnegative((bound * (slope + less) - slope) * length)
    # σ₁²(1 − |a|²)²|U|² − σ′²|MU|²|q|², with |MU| = (1 − |a|²)|U| − rest and |q|² = 1 − short.
    whole, rest = sp.symbols("whole rest", nonnegative=True)
    square = bound**2 * (slope + less) ** 2 * (whole + rest) ** 2
    yield "W", nonnegative(square - slope**2 * whole**2 * (1 - short))


@ONLY_CORRECTED.tested(
    over=nets,
    cases=100,
    controls={"half": {"factor": 0.5}, "length_of_a": {"power": 1}},
    part="bounds",
)
def gradients_over_bounds(net: Net, factor: float = 1.0, power: int = 2) -> Measured:
    """‖∇_W f‖_F over its bound, σ = tanh; opposite tokens on the line are next to equality."""
    return Measured(max(_ratio(one, factor, power) for one in (net, _opposite())), 1e-9)


def _ratio(net: Net, factor: float, power: int) -> float:
    room = 1 - _lengths(net) ** power
    # 1 − |a|² is good to a few units in the last place of 1, hence to 1e-9 of this.
    safe = room > 1e-5
    bound = np.abs(net.c) * room * np.linalg.norm(net.U, axis=1) / np.sqrt(len(net.c))
    norms = np.linalg.norm(formulas(net, 0.5, transposed=False, centred=True)[2], axis=(1, 2))
    return float(np.max(norms[safe] / (factor * bound[safe]), initial=0.0))


def _lengths(net: Net) -> Any:
    """|a_i| for all heads."""
    z = np.einsum("td,mde,e->mt", net.tokens, net.W, net.query)
    odds = np.exp(z - z.max(axis=1, keepdims=True))
    return np.linalg.norm(odds / odds.sum(axis=1, keepdims=True) @ net.tokens, axis=1)


def _opposite() -> Net:
    """Tokens ±1 of mean tanh 1/2 on the line, and a small U."""
    W = np.full((1, 1, 1), 0.5)
    return Net(np.ones(1), np.full((1, 1), 1e-6), W, np.array([[1.0], [-1.0]]), np.ones(1))


GRADIENT = claim(
    "st.rem3.gradient",
    at="Remark 3",
    title="The norm of the gradient by the attention matrix as independent of T",
    states=r"\|\nabla_{W_i}f(X;\varphi)\|_F \text{ is independent of } T",
    given=_GIVEN,
    assuming="read as it stands; the sentence is meant for the bound",
    note=_NOTE,
)


@GRADIENT.refuted(controls={"the_same_token": {"second": 1}, "no_token_added": {"count": 1}})
def nothing_and_something(second: int = -1, count: int = 2) -> Obligations:
    """One token has M = 0, the two tokens ±1 with equal weights have M = 1."""
    one, two = _gradient([[1]]), _gradient([[1], [second]][:count])
    yield "T = 1 gives 0", bool(one[2] == 0)
    yield "T = 2 does not", bool(two[2] != 0)


GRADIENT_CORRECTED = GRADIENT.corrected(
    "st.rem3.gradient.corrected",
    title="The best bound of the gradient by the attention matrix is independent of T",
    states=(
        r"\max_{X\in\mathcal{X},\,W_i,\,\|q_X\|\le1}\|\nabla_{W_i}f(X;\varphi)\|_F"
        r" = m^{-1/2}|c_i|\,\sigma_1\|U_i\| \text{ for each } T \ge 2, \text{ and } 0"
        r" \text{ for } T = 1"
    ),
    given=_GIVEN,
    assuming=("|σ′(0)| = σ₁, as for tanh; without it the right side is an upper bound",),
    rests_on=[ONLY_CORRECTED, REMARK_3],
    note=_NOTE,
)


@GRADIENT_CORRECTED.proved(controls={"same_side": {"side": 1}, "no_logits": {"share": 0}})
def attained_at_mean_zero(side: int = -1, share: int = 1) -> Obligations:
    """σ = tanh, one token U/|U| and T − 1 tokens −U/|U| with half of the mass each, q unit."""
    c, u = sp.symbols("c u", positive=True)
    for T in (2, 3, 5):
        W = sp.Matrix([[0, share * sp.log(T - 1) / 2], [0, 0]])
        net = ExactTransformer([(c, [[u], [0]], W)], sp.tanh)
        tokens = [[1, 0]] + [[side, 0]] * (T - 1)
        W_part = gradient(net, tokens, [[0], [1]])[3:]
        yield f"T = {T}", equal(sum(one**2 for one in W_part), c**2 * u**2)


REMARK_4 = claim(
    "st.rem4",
    at="Remark 4",
    title="The pooled token is a convex combination, and bounds the gradient by U",
    states=(
        r"\|a(X;W_i)\| \le \sum_t\alpha_t\|X_t\| \le \sum_t\alpha_t = 1, \qquad"
        r" \|\nabla_{U_i}f(X;\varphi)\| \le m^{-1/2}|c_i|\,\sigma_1"
    ),
    given=_GIVEN,
    assuming=TOKENS,
    rests_on=[MEAN, LEMMA_U],
)


@REMARK_4.proved(controls={"signed": {"sign": -1}, "not_normalised": {"rest": 1}})
def convex_combination(sign: int = 1, rest: int = 0) -> Obligations:
    """Softmax weights are positive and add up to 1; |a|² = 1 − short and |σ′| = σ₁ − less."""
    for T in (1, 2, 3):
        p = exact_softmax(sp.symbols(f"z_1:{T + 1}", real=True), rest)
        yield f"T = {T}: positive", all(bool((sign * one).is_positive) for one in p)
        yield f"T = {T}: sum", equal(sp.together(sum(p)), sp.Integer(1))
    slope, less, short = sp.symbols("slope less short", nonnegative=True)
    yield "gradient", nonnegative((slope + less) ** 2 - slope**2 * (1 - short))


@REMARK_4.tested(over=nets, cases=100, controls={"half": {"factor": 0.5}})
def read_out_gradient(net: Net, factor: float = 1.0) -> Measured:
    """‖∇_U f‖ over its bound, σ = tanh; a small U and one unit token are next to equality."""
    one = Net(net.c, 1e-6 * net.U, net.W, np.eye(net.tokens.shape[1])[:1], net.query)
    ratio = 0.0
    for case in (net, one):
        norms = np.linalg.norm(formulas(case, 0.5, transposed=False, centred=True)[1], axis=1)
        bound = np.abs(case.c) / np.sqrt(len(case.c))
        ratio = max(ratio, float(np.max(norms / (factor * bound))))
    # A mean, tanh and two products: a few units in the last place of 1 each.
    return Measured(ratio, 64 * 2.0**-52)


REMARK_5 = claim(
    "st.rem5",
    at="Remark 5",
    title="The symmetric initialisation starts at zero",
    states=(
        r"W_{i+m/2} = W_i,\ U_{i+m/2} = U_i,\ c_{i+m/2} = -c_i"
        r" \implies h_{i+m/2}(X) = h_i(X), \quad f(X;\varphi^{(0)}) = 0 \text{ for all } X"
    ),
    given={"m": integers(2), "d": integers(1), "T": integers(1)},
    assuming=(
        "m is even, as Section 5.2 assumes; for odd m a head without a partner leaves"
        " m^{-1/2} c h(X)",
    ),
)


@REMARK_5.proved(
    controls={"same_sign": {"sign": 1}, "other_matrix": {"factor": 2}, "odd": {"left_over": 1}}
)
def partners_cancel(sign: int = -1, factor: int = 1, left_over: int = 0) -> Obligations:
    """Letters for all parameters and inputs, a formal σ: m = 2 and 4; each pair adds (c − c)h."""
    X, q = letters("X", 2, 2), letters("q", 2)
    for pairs in (1, 2):
        half = [(sp.Symbol(f"c{i}", real=True), letters(f"U{i}", 2), letters(f"W{i}", 2, 2))
                for i in range(pairs)]  # fmt: skip
        heads = symmetric_heads(half)
        second = [(sign * -c, U, factor * W) for c, U, W in heads[pairs:]]
        second = second[: pairs - left_over]
        net = ExactTransformer([*half, *second])
        yield f"{pairs} pairs", bool(net.output(X, q) == 0)
        yield f"{pairs} pairs: h", bool(
            all(net.hidden(X, q, i + 1 + pairs) == net.hidden(X, q, i + 1)
                for i in range(len(second)))
        )  # fmt: skip


@REMARK_5.tested(over=nets, cases=60, controls={"same_sign": {"sign": 1.0}})
def in_floats(net: Net, sign: float = -1.0) -> Discrepancy:
    """f at doubled networks: equal heads give equal floats, and the sum cancels up to rounding."""
    c = np.concatenate([net.c, sign * net.c])
    U, W = (np.concatenate([one, one]) for one in (net.U, net.W))
    # A sum of m products, each rounded once, in any order: m² units of the last place of max |c|.
    allowed = len(c) ** 2 * 2.0**-52 * float(np.max(np.abs(c)))
    return Discrepancy(float(Net(c, U, W, net.tokens, net.query).output()), allowed)
