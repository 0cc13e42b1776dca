"""Section 3.2, Remarks 1 and 2: one matrix for queries and keys, one neuron for each head."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.softmax_jacobian import softmax
from symbolic.equality import equal
from symbolic.networks.transformer import ExactTransformer
from symbolic.softmax_jacobian import softmax as exact_softmax
from theorems.engine import Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain

Floats = NDArray[np.float64]

_SIZES: dict[str, Domain] = {"k": integers(1), "d": integers(1), "T": integers(1)}
_NOTE = "proofs_notes/st_softmax.md#queries-and-keys"
_KEYS = "W_K and W_Q have shape k × d, which the paper calls m × d; W_i in (2) is d × d"
_NORMAL = "the entries of W_K and W_Q are independent standard normals, and W = β W_K^⊤ W_Q"
_BETA = sp.Symbol("beta", positive=True)
_K = sp.Symbol("k", integer=True, positive=True)


def _letters(name: str, rows: int, columns: int = 1) -> Any:
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


LOGITS = claim(
    "st.rem1",
    at="Remark 1",
    title="The logits depend on queries and keys through one matrix",
    states=(
        r"\beta(W_KX)^\top(W_Qq_X) = X^\top(\beta W_K^\top W_Q)q_X, \qquad"
        r" U^\top(W_VX\alpha) = (W_V^\top U)^\top X\alpha"
    ),
    given=_SIZES,
    assuming=_KEYS,
)


@LOGITS.proved(controls={"swapped": {"swapped": True}, "without_beta": {"power": 0}})
def for_symbolic_shapes(swapped: bool = False, power: int = 1) -> Obligations:
    """Associativity and (AB)ᵀ = BᵀAᵀ for matrices of symbolic shapes, and entry by entry."""
    k, d, T = sp.symbols("k d T", integer=True, positive=True)
    keys, queries = sp.MatrixSymbol("W_K", k, d), sp.MatrixSymbol("W_Q", k, d)
    X, q = sp.MatrixSymbol("X", d, T), sp.MatrixSymbol("q", d, 1)
    inner = queries.T * keys if swapped else keys.T * queries
    left = (_BETA * (keys * X).T * (queries * q)).doit()
    yield "any shapes", bool(left == (_BETA**power * X.T * inner * q).doit())
    U, V, alpha = (
        sp.MatrixSymbol("U", d, 1),
        sp.MatrixSymbol("W_V", d, d),
        sp.MatrixSymbol("alpha", T, 1),
    )
    yield "values", bool((U.T * (V * X * alpha)).doit() == ((V.T * U).T * X * alpha).doit())
    for rows, columns in ((1, 2), (2, 1), (2, 2)):
        small_keys, small_queries = _letters("K", rows, columns), _letters("Q", rows, columns)
        tokens, query = _letters("X", columns, 2), _letters("q", columns)
        pair = (small_queries, small_keys) if swapped else (small_keys, small_queries)
        matrix = _BETA**power * pair[0].T * pair[1]
        direct = _BETA * (small_keys * tokens).T * (small_queries * query)
        yield f"k = {rows}, d = {columns}", equal(direct, tokens.T * matrix * query)


RANK = claim(
    "st.rem1.rank",
    at="Remark 1",
    title="Which matrices are products of keys and queries",
    states=(
        r"\{\beta W_K^\top W_Q : W_K, W_Q \in \mathbb{R}^{k\times d}\}"
        r" = \{W \in \mathbb{R}^{d\times d} : \operatorname{rank}W \le k\},"
        r" \text{ all matrices if and only if } k \ge d"
    ),
    given=_SIZES,
    assuming=(_KEYS, "β ≠ 0; (2) is more general than (1) for fewer keys than dimensions"),
    rests_on=[LOGITS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RANK.proved(controls={"one_key_more": {"more": 1}}, part="rank at most k")
def minors_vanish(more: int = 0) -> Obligations:
    """All minors of order k + 1 of W_KᵀW_Q vanish, in letters."""
    for k, d in ((1, 2), (2, 3)):
        keys, queries = _letters("K", k + more, d), _letters("Q", k + more, d)
        minor = (keys.T * queries)[: k + 1, : k + 1].det()
        yield f"k = {k}", equal(sp.expand(minor), sp.Integer(0))


@RANK.proved(controls={"too_few": {"missing": 1}}, part="every such matrix")
def factors_of_a_matrix(missing: int = 0) -> Obligations:
    """W = L R with L of d × r and R of r × d for r = rank W; rows of zeros fill up to k."""
    cases = (sp.Matrix([[1, 2], [2, 4]]), sp.Matrix([[0, 1], [2, 3]]),
             sp.Matrix([[1, 2, 3], [4, 5, 6], [5, 7, 9]]), sp.zeros(2))  # fmt: skip
    for W in cases:
        reduced, pivots = W.rref()
        rank = max(0, len(pivots) - missing)
        left, right = W[:, list(pivots)[:rank]], reduced[:rank, :]
        product = left * right if rank else sp.zeros(*W.shape)
        yield f"{W.tolist()}", bool(product == W)


LAW = claim(
    "st.rem1.law",
    at="Remark 1",
    title="The law of the product of keys and queries",
    states=(
        r"\mathbb{E}W_{ij} = 0, \quad \operatorname{Cov}(W_{ij},W_{i'j'})"
        r" = \beta^2k\,\delta_{ii'}\delta_{jj'}, \quad \mathbb{E}W_{ij}^4 = \beta^4(3k^2+6k), \quad"
        r" \operatorname{Cov}(W_{ij}^2,W_{ij'}^2) = 2\beta^4k"
    ),
    given=_SIZES,
    assuming=(
        _NORMAL,
        "j ≠ j′ at the end; β = k^{−1/2} gives the first two moments of Section 5.2, with"
        " E W⁴ = 3 + 6/k: the entries are neither normal nor independent for any k",
    ),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def mean(polynomial: Any) -> Any:
    """The mean of a polynomial in independent standard normal letters."""
    total = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(polynomial)):
        value, letters = term.as_coeff_Mul()
        for letter, power in letters.as_powers_dict().items():
            if letter not in (_BETA, 1):
                value *= sp.factorial2(power - 1) if power % 2 == 0 else 0
        total += value * _BETA ** term.as_powers_dict().get(_BETA, 0)
    return total


@LAW.proved(controls={"normal": {"excess": 0}, "independent": {"shared": 0}}, part="moments")
def moments_of_sums(excess: int = 6, shared: int = 2) -> Obligations:
    """W_ij = β Σ_r K_ri Q_rj: k independent summands of second and fourth moment 1 and 9.

    Σ of k such: E = 9k + 3k(k − 1). Given the keys, W_ij and W_ij′ are independent normals of
    variance β²|K_i|², and E|K_i|⁴ = 3k + k(k − 1).
    """
    yield "fourth moment, any k", equal(9 * _K + 3 * _K * (_K - 1), 3 * _K**2 + excess * _K)
    yield "shared keys, any k", equal(3 * _K + _K * (_K - 1) - _K**2, shared * _K)
    for k in (1, 2, 3):
        W = _BETA * _letters("K", k, 2).T * _letters("Q", k, 2)
        yield f"k = {k}: mean", equal(mean(W[0, 0]), sp.Integer(0))
        yield f"k = {k}: variance", equal(mean(W[0, 0] ** 2), _BETA**2 * k)
        for other in (W[0, 1], W[1, 0], W[1, 1]):
            yield f"k = {k}: uncorrelated", equal(mean(W[0, 0] * other), sp.Integer(0))
        fourth = _BETA**4 * (3 * k**2 + excess * k)
        yield f"k = {k}: fourth moment", equal(mean(W[0, 0] ** 4), fourth)
        joint = mean(W[0, 0] ** 2 * W[0, 1] ** 2) - mean(W[0, 0] ** 2) * mean(W[0, 1] ** 2)
        yield f"k = {k}: squares", equal(joint, shared * _BETA**4 * k)


MEAN_POOLING = claim(
    "st.rem1.pooling",
    at="Remark 1",
    title="With the scaling 1/k attention tends to mean pooling, with a rate",
    states=(
        r"\mathbb{E}z_t^2 = \beta^2k\,\|X_t\|^2\|q_X\|^2, \qquad"
        r" \mathbb{E}\Bigl\|\sigma_s(z) - \tfrac1T\mathbf{1}\Bigr\|_1"
        r" \le \mathbb{E}\max_t|z_t| \le \beta\sqrt{kT}"
    ),
    given=_SIZES,
    assuming=(
        _NORMAL,
        "|X_t| ≤ 1 and |q_X| ≤ 1; β = 1/k gives (T/k)^{1/2}, and β = k^{−1/2} logits whose"
        " variance does not depend on k",
    ),
    rests_on=[LAW, "st.fact1.lipschitz"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN_POOLING.proved(controls={"half_the_power": {"power": 1}}, part="variance of the logits")
def second_moment_of_a_logit(power: int = 2) -> Obligations:
    """z = Σ X_i W_ij q_j with uncorrelated W_ij of variance β²k; max z² ≤ Σ z²."""
    for k, d in ((1, 2), (2, 2), (2, 1)):
        keys, queries = _letters("K", k, d), _letters("Q", k, d)
        x, y = sp.symbols("x y", real=True)
        X, q = sp.Matrix([x, 1][:d]), sp.Matrix([1, y][:d])
        # The letters x and y are no normals: collect the mean of each of their coefficients.
        logit = sp.Poly(sp.expand((_BETA * (X.T * keys.T * queries * q)[0]) ** 2), x, y)
        found = sum(mean(c) * x**i * y**j for (i, j), c in logit.terms())
        expected = _BETA**power * k * X.dot(X) * q.dot(q)
        yield f"k = {k}, d = {d}", equal(sp.expand(found), sp.expand(expected))


@MEAN_POOLING.proved(controls={"other_start": {"shift": 1}, "one_token": {"tokens": 0}},
                     part="distance to mean pooling")  # fmt: skip
def from_equal_logits(shift: int = 0, tokens: int = 1) -> Obligations:
    """st.fact1.lipschitz at z′ = 0, where σ_s is 1/T, and max z² ≤ Σ z² in the mean."""
    for T in (2, 3, 4):
        weights = exact_softmax([shift, *[0] * (T - 1)])
        yield f"T = {T}", equal(sp.Matrix(weights), sp.ones(T, 1) / T)
    T, short = sp.Symbol("T", positive=True), sp.Symbol("short", nonnegative=True)
    total = T * _BETA**2 * _K * (1 - short)
    bound = _BETA**2 * _K * (T if tokens else 1)
    yield "E max z² ≤ β²kT", equal(bound - total, T * _BETA**2 * _K * short)


@st.composite
def _logits(draw: st.DrawFn) -> Floats:
    """Small and large logits, and two opposite ones."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from([1e-3, 0.1, 1.0, 10.0]))
    if draw(st.booleans()):
        return size * np.array([1.0, -1.0])
    return size * rng.standard_normal(draw(st.integers(1, 8)))


@MEAN_POOLING.tested(over=_logits, controls={"one_per_cent_less": {"factor": 0.99}},
                     part="distance to mean pooling")  # fmt: skip
def distance_over_largest_logit(z: Floats, factor: float = 1.0) -> Measured:
    """‖σ_s(z) − 1/T‖₁ over max |z|, as st.fact1.lipschitz says for z′ = 0."""
    largest = float(np.max(np.abs(z)))
    distance = float(np.abs(softmax(z) - 1 / len(z)).sum())
    # Weights are good to a few units in the last place of 1, and logits are at least 1e-5 here.
    return Measured(distance / (factor * largest) if largest > 1e-5 else 0.0, 1e-9)


HEADS = claim(
    "st.rem2",
    at="Remark 2",
    title="Independent heads are a block-diagonal feed-forward layer",
    states=(
        r"V = \operatorname{blkdiag}(U_1^\top,\dots,U_m^\top), \quad"
        r" A(X) = (a(X;W_1),\dots,a(X;W_m))"
        r" \implies \sigma(VA(X))_i = h(X;\theta_i), \quad f = m^{-1/2}c^\top\sigma(VA(X))"
    ),
    given={"m": integers(1), "d": integers(1), "T": integers(1)},
    assuming="h = m heads, so that V is m × md",
)


@HEADS.proved(controls={"other_order": {"shift": 1}, "dense": {"off": 1}})
def block_diagonal_layer(shift: int = 0, off: int = 0) -> Obligations:
    """Row i of V has U_i at the coordinates of head i and zeros elsewhere, in letters."""
    for m, d in ((1, 2), (2, 1), (3, 2)):
        heads = [(sp.Symbol(f"c{i}", real=True), _letters(f"U{i}", d), _letters(f"W{i}", d, d))
                 for i in range(m)]  # fmt: skip
        net, X, q = ExactTransformer(heads), _letters("X", 2, d), _letters("q", d)
        A = sp.Matrix.vstack(*(sp.Matrix(net.mean(X, q, i + 1)) for i in range(m)))
        blocks = [heads[(i + shift) % m][1].T for i in range(m)]
        V = sp.diag(*blocks) + off * (sp.ones(m, m * d) if m > 1 else sp.zeros(m, m * d))
        layer = (V * A).applyfunc(net.activation)
        same = all(bool(layer[i] == net.hidden(X, q, i + 1)) for i in range(m))
        yield f"m = {m}, d = {d}: heads", same
        output = sum(one[0] * value for one, value in zip(heads, layer, strict=True)) / sp.sqrt(m)
        yield f"m = {m}, d = {d}: output", bool(sp.expand(output - net.output(X, q)) == 0)
