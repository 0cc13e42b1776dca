"""Remark 6: where the attention block of the kernel vanishes."""

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Or, Symbol

from numeric.transformer_kernel import blocks_given_attention
from symbolic.equality import equal
from theorems.engine import Given, Measured, Obligations, Severity, both, eq, implies, le, sentence
from theorems.engine.rules import E, Operator, Random, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer.analysis.kernel.decomposition import ONE_HEAD
from theorems.shallow_transformer.hypotheses import REGULAR
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import D, K_w, K_w_self, query, query_prime, slope_sup
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.kernels import (
    W_PRODUCT,
    products_of_features,
    square_of_the_feature,
)
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"

NONZERO = claim(
    "st.rem6.nonzero",
    at="Remark 6",
    title="The attention block of the kernel does not vanish",
    states=sentence(r"$K_w_self \ne $zero \quad\text{for every length}\quad $T \ge $least", zero=0, least=1),
    assuming=REGULAR,
    rests_on=["st.lem4.mean"],
    discharging=ONE_HEAD,
    note=_NOTE,
)


@NONZERO.refuted(severity=Severity.EDGE)
def one_token(zero: int, least: int) -> Obligations:
    """T = 1: the only weight is 1, so that J = 1 - 1 = 0, M = 0 and K_w = |q|²E σ′²|MU|² = 0."""
    p = sp.ones(least, 1) / least
    J = sp.diag(*p) - p * p.T
    yield "J at equal logits", bool(zero * sp.ones(*J.shape) == J)


_ABSENT = Or(*(sp.Eq(one, 0) for one in (of.q_size, of.diameter, slope_sup)))

NONZERO_CORRECTED = NONZERO.corrected(
    "st.rem6.nonzero.corrected",
    title="Where the attention block is positive",
    states={
        "only if": implies(_ABSENT, eq(K_w_self, 0)),
        "if": sentence(r"$q_size, $diameter, $slope_sup \text{ positive} \implies $K_w_self > $zero", zero=0),
        "orthogonal queries": implies(eq(inner(query, query_prime), 0), eq(K_w, 0)),
    },
    assuming=REGULAR,
    rests_on=["st.lem4.mean", "st.lem4", "st.fact3", "st.fact3.spread"],
    discharging=ONE_HEAD,
    note=_NOTE,
    excused={
        "zero: 0 -> -1": "true as well: a smaller lower bound",
        **dict.fromkeys(
            ("domain of sigma_0: with 0", "domain of sigma_1: with 0"),
            "true as well: the activation is then constant, so that its largest slope is zero",
        ),
    },
)


_M, _U = Operator("M"), Vector("U")


def _lengths(moved: Symbol, length: Symbol) -> Theorem:
    return NETWORKS.meaning(
        "the lengths of U and MU, and the norm of M",
        *(eq(moved, norm(act(_M, _U))), eq(length, norm(_U)), eq(of.M_norm, opnorm(_M))),
    )


def _moved_read_out(given: Given, moved: Symbol, length: Symbol) -> Theorem:
    """|MU| ≤ ‖M‖|U| ≤ diameter²|U|."""
    known = [_lengths(moved, length), facts.operator_norm(_M, _U), given.fact("st.fact3.spread", "norm")]
    first = NETWORKS.follows(*known, goal=both(le(0, moved), le(moved, of.diameter**2 * length)))
    return NETWORKS.follows(first, goal=le(moved**2, of.diameter**4 * length**2))


@NONZERO_CORRECTED.proved("only if")
def each_factor_is_needed(given: Given) -> Theorem:
    """K_w(X, X) = |q|²E σ′(U·a)²|MU|² ≤ |q|² sup|σ′|² D⁴ E|U|², D the diameter."""
    given.require(*REGULAR)
    slope_, moved, length = (Symbol(f"value of {name}", real=True) for name in ("slope", "moved", "length"))
    squares = _moved_read_out(given, moved, length)
    steep = NETWORKS.largest("the largest slope", le(Abs(slope_), slope_sup))
    product = le(slope_**2 * moved**2, slope_sup**2 * of.diameter**4 * length**2)
    pointwise = NETWORKS.follows(
        squares, NETWORKS.follows(steep, goal=le(slope_**2, slope_sup**2)), goal=product
    )
    parts = Symbol("value of h", real=True), slope_, Vector("a"), act(_M, _U)
    _, square, same = square_of_the_feature("X", *parts)
    values = {slope_: D, moved: Random("|MU|"), length: Random("|U|"), square: Random("square for W")}
    goal = eq(square, slope_**2 * moved**2 * of.q_size**2)
    block = NETWORKS.follows(same, _lengths(moved, length), goal=goal)
    known = pointwise, block
    means = [in_the_mean(one, {x: X for x, X in values.items() if x in one.over}) for one in known]
    kernel = NETWORKS.meaning("K_w(X, X)", eq(K_w_self, E(values[square])))
    return given.concluded(*means, kernel)


@NONZERO_CORRECTED.proved("orthogonal queries")
def a_factor_of_the_block(given: Given) -> Theorem:
    """K_w is ⟨q, q′⟩ times a mean."""
    kernel = NETWORKS.meaning("K_w, the mean of the block for W", eq(K_w, E(W_PRODUCT)))
    return given.concluded(kernel, products_of_features())


@NONZERO_CORRECTED.argued(
    "if",
    bridge="σ′ is not 0 on an open set; a(W) is analytic in W and not constant, as da = M dW q, so"
    " that a ≠ 0 for almost all W; for these U.a has a density and MU ≠ 0 almost surely, and the"
    " mean of a square that is positive with positive probability is positive.",
)
def traces_by_pairs(zero: int) -> Obligations:
    """tr M = Σ_{s<t} α_sα_t|X_s - X_t|² > 0, for softmax weights are positive."""
    for T in (2, 3):
        p = sp.symbols(f"p1:{T + 1}", positive=True)
        x = sp.symbols(f"x1:{T + 1}", real=True)
        total_ = sum(p)
        mean = sum(w * v for w, v in zip(p, x, strict=True)) / total_
        trace = sum(w * (v - mean) ** 2 for w, v in zip(p, x, strict=True)) / total_
        by_pairs = sum(p[s] * p[r] * (x[s] - x[r]) ** 2 for s in range(T) for r in range(s + 1, T))
        gap = sp.simplify(trace - by_pairs / total_**2)
        yield f"variance by pairs, T = {T}", equal(gap, sp.S.Zero)
    weights, distance = sp.symbols("w D", positive=True)
    yield "a positive pair", (weights * distance - zero).is_positive


@NONZERO_CORRECTED.tested(
    "if", over=st.tuples(st.integers(2, 5), st.integers(1, 3), st.integers(0, 10**6)), cases=60
)
def attention_blocks(case: tuple[int, int, int], zero: int) -> Measured:
    """Given W = 0 and for erf, in units of the bound |q|² sup|σ′|²: 2 where it is not larger."""
    T, d, seed = case
    rng = np.random.default_rng(seed)
    tokens = rng.uniform(-0.5, 0.5, (1, T, d))
    M = np.cov(tokens[0].T, bias=True).reshape(d, d)
    mean = tokens[0].mean(axis=0)
    value = float(blocks_given_attention("erf", mean, mean, M, M, 1.0).w) / (4 / np.pi)
    return Measured(0.5 if value - zero > 1e-14 else 2.0)
