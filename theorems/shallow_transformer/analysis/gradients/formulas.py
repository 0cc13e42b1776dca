"""Lemma 1 and its proof, (5)-(8) and (12)-(15): the gradients of the shallow transformer.

A gradient is what gives the derivatives along all lines, which are formulas for any number of
tokens and heads: the weights move as p_t′ = p_t(s_t − s̄).  They are compared with SymPy's own
derivatives in coordinates, for a formal activation, and with derivatives by a complex step.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from sympy import Derivative, sqrt

from numeric.arguments import Floats
from symbolic.derivation import Derivation, Step
from symbolic.equality import Decision, decide_equal, equal
from symbolic.networks.transformer import ExactTransformer
from symbolic.networks.transformer_gradients import differentiated_gradient, gradient
from theorems.engine import Choice, Discrepancy, Given, Obligations, eq, integers, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer.hypotheses import TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.gradient import (
    U_a,
    activation,
    activation_slope,
    along,
    along_u,
    along_v,
    coefficient,
    coupling,
    covariance,
    frobenius_form,
    logit_slope,
    moved_weight,
    odds,
    others,
    preactivation,
    pushed_weight,
    readout,
    trace_form,
    v_a,
)
from theorems.shallow_transformer.letters.paper import T, c, claim, m
from theorems.shallow_transformer.letters.run import h_now
from theorems.shallow_transformer.letters.token import pooling_weight, r, s, t, token, total
from theorems.shallow_transformer.premises.lines.along_a_line import carried_out
from theorems.shallow_transformer.premises.lines.double_sums import adjoint
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import added, linear, taken_apart
from theorems.shallow_transformer.sampling.networks import (
    SampledNetwork,
    _complex_step,
    formulas,
    package_gradients,
    sampled_networks,
)

_PROOF = "Lemma 1, proof"


def _network(head: Any) -> Any:
    """f, with one of its heads apart."""
    return (c * head + others) / sqrt(m)


LEMMA_C = claim(
    "st.lem1.c",
    at="Lemma 1; Equation (5); Equation (12)",
    title="Derivative with respect to the output weight",
    states=eq(Derivative(_network(h_now), c), h_now / sqrt(m)),
)


@LEMMA_C.proved()
def output_weight(given: Given) -> Theorem:
    """f is affine in c_i, and other heads drop out."""
    return _differentiated(given, stated(LEMMA_C))


def _differentiated(given: Given, goal: Any) -> Theorem:
    """A derivative on the left side, carried out and rearranged to the right side."""
    lhs, rhs = (unfolded(side) for side in goal.args)
    found = lhs.doit(deep=False)
    steps = [Step(found, "differentiate", check=carried_out)]
    if found != rhs:
        steps.append(Step(rhs, "rearrange", check=_with_functions_as_numbers))
    return given.derived(Derivation("A derivative", r"\partial", lhs, steps))


def _with_functions_as_numbers(before: Any, after: Any) -> Decision:
    """Equality of two expressions for any values of the activation, its slope and the sums."""
    atoms = before.atoms(activation, activation_slope, sp.Sum)
    names = {one: sp.Symbol(f"value {k}", real=True) for k, one in enumerate(atoms)}
    return decide_equal(before.xreplace(names), after.xreplace(names))


_ON_THE_LINE = U_a + along * v_a

LEMMA_U = claim(
    "st.lem1.u",
    at="Lemma 1; Equation (6); Equation (13)",
    title="Gradient with respect to the read-out vector, as the derivative along U + sv",
    states=eq(
        Derivative(_network(activation(_ON_THE_LINE)), along),
        c * activation_slope(_ON_THE_LINE) * v_a / sqrt(m),
    ),
    assuming=[TWICE_DIFFERENTIABLE],
)


@LEMMA_U.proved()
def read_out(given: Given) -> Theorem:
    """The chain rule; the preactivation of U + sv is ⟨U, a⟩ + s⟨v, a⟩."""
    given.require(TWICE_DIFFERENTIABLE)
    return _differentiated(given, stated(LEMMA_U))


_moved = moved_weight(token, along, T)


def _mean_at(values: Any, index: Any = r) -> Any:
    """The mean of values under the weights at W + sΔ."""
    return total(moved_weight(index, along, T) * values(index), index)


_WEIGHT = eq(Derivative(_moved, along), _moved * (logit_slope(token) - _mean_at(logit_slope)))
_POOLED = eq(Derivative(preactivation(along, T), along), coupling(along, T))

DA = claim(
    "st.lem1.da",
    at=_PROOF,
    title="The derivatives of the softmax weights and of the pooled token along W + sΔ",
    states={"weights": _WEIGHT, "pooled token": _POOLED},
    rests_on=["st.fact1"],
)


def _by_quotients(lhs: Any) -> Theorem:
    """A derivative, carried out by the quotient rule."""
    steps = [Step(lhs.doit(deep=False), "differentiate", check=carried_out)]
    return rules.derived(Derivation("A derivative", r"\partial", lhs, steps))


def _weights(weight: Any, slope: Any, index: Any = t) -> list[Theorem]:
    """What the weights on a line are, that they add up to one, and the mean of the slopes."""
    one, place, size = weight(index, along, T), odds(slope, index, along), T
    whole = total(odds(slope, s, along), s, size)
    definition = ONE_HEAD.meaning("softmax weights on a line", eq(one, one.unfolded()))
    parts = [eq(whole * one, place), eq(whole * one * slope(index), slope(index) * place)]
    sums = [added(ONE_HEAD.follows(definition, goal=part), index) for part in parts]
    known = [definition, *sums, *taken_apart(*sums)]
    return [*known, ONE_HEAD.follows(*known, goal=eq(total(one, index), 1))]


@DA.proved("weights")
def quotient_rule(given: Given) -> Theorem:
    """α_t′ is α_t times ż_t less the mean of ż, which is a quotient of sums."""
    rule = _by_quotients(unfolded(_WEIGHT.lhs))
    here = ONE_HEAD.meaning("softmax weights on a line", eq(_moved, _moved.unfolded()))
    goal = eq(rule.statement.lhs, _WEIGHT.rhs)
    return given.follows(rule, here, *_weights(moved_weight, logit_slope), goal=goal)


@cache
def _moved_mean(weight: Any, slope: Any, values: Any) -> Theorem:
    """The derivative of a mean of tokens is the covariance with the slopes of the logits."""
    one = weight(t, along, T)
    rule = _by_quotients(unfolded(Derivative(total(one * values(t)), along)))
    known = _weights(weight, slope)
    mean_slope = total(weight(s, along, T) * slope(s), s)
    (term,) = (x for x in rule.statement.rhs.atoms(sp.Sum) if x.has(values))
    each = ONE_HEAD.follows(*known, goal=eq(term.args[0], values(t) * one * (slope(t) - mean_slope)))
    sum_ = added(each)
    goal = eq(rule.statement.lhs, covariance(weight, values, slope, along, T))
    return ONE_HEAD.follows(rule, sum_, known[-1], *taken_apart(sum_.statement.rhs, goal.rhs), goal=goal)


@DA.proved("pooled token")
def covariance_with_the_slopes(given: Given) -> Theorem:
    """The sum of α_t′⟨U, X_t⟩ is the covariance of ⟨U, X⟩ and ż = ⟨X, Δq⟩, which is ⟨U, MΔq⟩."""
    return given.follows(*_pooled(), goal=eq(unfolded(_POOLED.lhs), _POOLED.rhs))


def _pooled() -> list[Theorem]:
    size = coupling(along, T)
    name = "U M Delta q, by the covariance M"
    return [
        _moved_mean(moved_weight, logit_slope, readout),
        ONE_HEAD.meaning(name, eq(size, size.unfolded())),
    ]


TRACE = claim(
    "st.lem1.trace",
    at=_PROOF,
    title="The differential by W as an inner product with dW",
    states=[eq(coefficient, trace_form), eq(trace_form, frobenius_form)],
    rests_on=["st.fact1"],
)


@TRACE.proved()
def rank_one_matrices(given: Given) -> Theorem:
    """In coordinates: tr(q yᵀ) = Σ q_k y_k at y = dWᵀMU, and M is symmetric, a covariance."""
    j, k = sp.symbols("row column", integer=True, positive=True)
    names = ("U", "q", "dW q", "MU", "dW^T MU", "M dW q", "dW", "M", "X - a", "row")
    u, q, v, x, y, w, D, M, X, row = (sp.Function(name, real=True) for name in names)
    images = [
        ONE_HEAD.meaning("an image under a matrix", eq(name, total(entry * value, index, of.d)))
        for name, entry, value, index in (
            (v(j), D(j, k), q(k), k),
            (y(k), D(j, k), x(j), j),
            (x(j), M(j, k), u(k), k),
            (w(k), M(k, j), v(j), j),
        )
    ]
    entries = ONE_HEAD.meaning("M", eq(M(j, k), total(pooling_weight(t, T) * X(j, t) * X(k, t))))
    meant = ONE_HEAD.meaning(
        "the form and the trace by coordinates, and an inner product of matrices, row by row",
        eq(coefficient, total(u(j) * w(j), j, of.d)),
        eq(trace_form, total(q(k) * y(k), k, of.d)),
        eq(frobenius_form, total(row(j), j, of.d)),
        eq(row(j), total(x(j) * q(k) * D(j, k), k, of.d)),
    )
    symmetric = ONE_HEAD.follows(
        entries, ONE_HEAD.substituted(entries, {j: k, k: j}), goal=eq(M(k, j), M(j, k))
    )
    same = added(ONE_HEAD.follows(symmetric, goal=eq(M(k, j) * v(j), M(j, k) * v(j))), j, of.d)
    turned = ONE_HEAD.follows(images[3], same, goal=eq(w(k), same.statement.rhs))
    each = ONE_HEAD.follows(
        meant, images[0], linear(total(x(j) * q(k) * D(j, k), k, of.d)), goal=eq(row(j), x(j) * v(j))
    )
    known = [adjoint(x(j), images[0], q(k), images[1]), adjoint(v(j), images[2], u(k), turned)]
    return given.concluded(meant, added(each, j, of.d), *known)


@TRACE.argued(bridge="Every dimension adds terms of the same kind to the sums over entries.")
def cyclic_trace() -> Obligations:
    """Entry by entry, d = 1, 2, 3."""
    for d in (1, 2, 3):
        u, q, dW, M = letters("U", d), letters("q", d), letters("D", d, d), letters("M", d, d)
        M = sp.Matrix(d, d, lambda i, j, M=M: M[min(i, j), max(i, j)])
        left = (u.T * M * dW * q)[0]
        yield f"d = {d}: trace", equal(left, (q * u.T * M * dW).trace())
        yield f"d = {d}: inner product", equal(left, ((M * u * q.T).T * dW).trace())


_MATRIX = eq(
    Derivative(total(pushed_weight(t, along, T) * along_u(t)), along),
    covariance(pushed_weight, along_u, along_v, along, T),
)

MATRIX = claim(
    "st.lem1.m",
    at="Lemma 1; Equation (8); Equation (15)",
    title="The matrix M, the derivative of softmax between two copies of X, is a covariance",
    states=_MATRIX,
    rests_on=["st.fact1"],
)


@MATRIX.proved()
def with_the_differentiated_softmax(given: Given) -> Theorem:
    """⟨u, X (∂σ_s/∂z) Xᵀv⟩, anywhere on a line of logits, is the covariance along u and v."""
    goal = eq(unfolded(_MATRIX.lhs), _MATRIX.rhs)
    return given.follows(_moved_mean(pushed_weight, along_v, along_u), goal=goal)


_AT_W = preactivation(along, T)

LEMMA_W = claim(
    "st.lem1.w",
    at="Lemma 1; Equation (7); Equation (14)",
    title="Gradient with respect to the attention matrix, as the derivative along W + sΔ",
    states=eq(
        Derivative(_network(activation(_AT_W)), along),
        c * activation_slope(_AT_W) * coupling(along, T) / sqrt(m),
    ),
    assuming=[TWICE_DIFFERENTIABLE],
    rests_on=[DA, TRACE, MATRIX],
)


@LEMMA_W.proved()
def attention_matrix(given: Given) -> Theorem:
    """The chain rule, and the derivative of the pooled token by st.lem1.da."""
    given.require(TWICE_DIFFERENTIABLE)
    rule = _by_quotients(unfolded(stated(LEMMA_W).lhs))
    inside = _by_quotients(unfolded(_POOLED.lhs))
    slope = activation_slope(unfolded(_AT_W))
    goal = eq(rule.statement.lhs, c * slope * coupling(along, T) / sqrt(m))
    return given.follows(rule, inside, *_pooled(), goal=goal)


LEMMA = claim(
    "st.lem1",
    at="Lemma 1",
    title="The gradients of the shallow transformer",
    states=sentence(
        r"\nabla_{(c_i,U_i,W_i)}f = $m^{$power}\bigl(h_i,\; $c $sigma'($U^\top a_i)a_i,\;"
        r" $c $sigma'($U^\top a_i)M_i$U q_X^{$transposed}\bigr)",
        power=Fraction(-1, 2),
        transposed=Choice(r"\top", False),
    ),
    assuming=[TWICE_DIFFERENTIABLE],
    rests_on=[LEMMA_C, LEMMA_U, LEMMA_W, MATRIX],
    note="proofs_notes/st_softmax.md#gradients-of-the-network",
)


@LEMMA.argued(
    bridge="A gradient is the vector whose inner product with each direction is the derivative"
    " along that line, which is st.lem1.c, .u and .w for any m, T and d.",
    uses=[TWICE_DIFFERENTIABLE],
    over={m: integers(1)},
)
def derivatives_in_coordinates(power: Any, transposed: bool) -> Obligations:
    """SymPy's derivatives by all entries for a formal σ: m = 2, up to two tokens in the plane."""
    factor = 2 ** (sp.Rational(power) + sp.Rational(1, 2))
    for T_, d in ((1, 1), (2, 1), (1, 2), (2, 2)):
        found, formula = _both(T_, d)
        block = sp.Matrix(d, d, list(formula[1 + d :]))
        entries = [*formula[: 1 + d], *(block.T if transposed else block)]
        for row, (one, other) in enumerate(zip(found, entries, strict=True)):
            yield f"T = {T_}, d = {d}, entry {row}", equal(plain(one), plain(factor * other))


def letters(name: str, rows: int, columns: int = 1) -> Any:
    """A matrix of real letters."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


def plain(expression: Any) -> Any:
    """Exponentials and values of the activation as letters, so that a rational function is left."""
    split = sp.expand_power_exp(expression)
    values = {one: sp.Symbol(type(one).__name__, real=True) for one in split.atoms(sp.Function)
              if type(one).__name__.startswith("sigma_")}  # fmt: skip
    split = split.xreplace(values)
    return split.xreplace({one: _letter(*one.args[0].as_coeff_Mul()) for one in split.atoms(sp.exp)})


def _letter(times: Any, exponent: Any) -> Any:
    """The power of a letter that stands for exp(times · exponent), the same one everywhere."""
    return sp.Symbol(f"exp[{exponent}]", positive=True) ** times


@cache
def sample(T_: int, d: int, heads: int = 1) -> tuple[ExactTransformer, Any, Any]:
    """A network, tokens and a query, all in letters; further heads differ in c only."""
    u, w = letters("U", d), letters("W", d, d)
    first = [(sp.Symbol("c", real=True), u, w)]
    more = [(sp.Symbol(f"c_{k}", real=True), u, 2 * w) for k in range(1, heads)]
    return ExactTransformer([*first, *more]), letters("X", T_, d), letters("q", d)


@cache
def _both(T_: int, d: int) -> tuple[Any, Any]:
    arguments = sample(T_, d, heads=2)
    return differentiated_gradient(*arguments), gradient(*arguments)


@LEMMA.tested(over=sampled_networks, cases=60, controls={"transposed": {"transposed": Choice(r"", True)}})
def complex_steps(net: SampledNetwork, power: Any, transposed: bool) -> Discrepancy:
    """The formulas against derivatives of the definition by a complex step, tanh."""
    return _distance(net, formulas(net, float(power), transposed))


@LEMMA.tested(over=sampled_networks, cases=60)
def gradients_of_the_package(net: SampledNetwork, power: Any) -> Discrepancy:
    """The gradients that train networks here against the same complex steps."""
    factor = len(net.c) ** (0.5 + float(power))
    return _distance(net, [factor * one for one in package_gradients(net)])


def _distance(net: SampledNetwork, expected: list[Floats]) -> Discrepancy:
    pairs = zip(_complex_step(net), expected, strict=True)
    error = max(float(np.max(np.abs(x - y))) for x, y in pairs)
    # Logits are sums of d² ≤ 16 products, and move everything by their error times |c||U|(1 + |U|).
    sizes = [float(np.max(np.abs(one))) for one in (net.c, net.U, net.W)]
    scale = (1 + sizes[0]) * (1 + 4 * sizes[1]) ** 2 * (1 + 16 * sizes[2])
    return Discrepancy(error, 64 * 2.0**-52 * scale)
