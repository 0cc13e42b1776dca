"""Appendix B.1: the IndRNN, its gradient, and how its Jacobian grows with the horizon."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.recurrent import (
    RecurrentParameters,
    jacobian_in_w,
    recurrent_initialisation,
    recurrent_predict,
)
from numeric.networks.transformer import SINE, TANH, BoundedActivation
from symbolic.equality import equal
from theorems.engine import (
    Discrepancy,
    Measured,
    Obligations,
    Provenance,
    claim,
    half_line,
    integers,
    open_interval,
)

_NOTE = "proofs_notes/st_recurrent.md"
_EPS = float(np.finfo(float).eps)
_GIVEN = {"T": integers(1)}
_BOUNDS = "|σ| ≤ σ₀ and |σ'| ≤ σ₁"

SYMMETRIC = claim(
    "st.eq51",
    at="Appendix B.1, (51)",
    title="The symmetric initialisation makes the IndRNN vanish",
    states=r"f_{\mathrm{rnn}}(X; \varphi^{(0)}) = 0",
    given={"m": integers(2), **_GIVEN},
    assuming="m is even",
)


@SYMMETRIC.proved(controls={"same_sign": {"sign": 1}, "other_weights": {"paired": 0}})
def pairs_cancel(sign: int = -1, paired: int = 1) -> Obligations:
    """c_i h_i + c_{i+m/2} h_{i+m/2} = 0, for two steps with any σ."""
    sigma = sp.Function("sigma")
    U, w, c, other, first, second = sp.symbols("U w c v x_1 x_2", real=True)

    def unit(weight: sp.Expr) -> sp.Expr:
        return sigma(U * second + weight * sigma(U * first))

    total = c * unit(w) + sign * c * unit(w if paired else other)
    yield "a pair", sp.expand(total) == 0


@SYMMETRIC.tested(
    over=st.builds(
        lambda half, T, d, seed, gamma: (half, T, d, seed, gamma),
        st.integers(1, 20),
        st.integers(1, 20),
        st.integers(1, 4),
        st.integers(0, 10**6),
        st.sampled_from([0.5, 1.0, 1.5]),
    ),
    controls={"one_unit_less": {"left_out": 1}},
)
def output_at_the_start(case: tuple[Any, ...], left_out: int = 0) -> Discrepancy:
    """The output of random networks; leaving out a unit leaves its partner."""
    half, T, d, seed, gamma = case
    rng = np.random.default_rng(seed)
    phi = recurrent_initialisation(2 * half, d, gamma, rng)
    c = phi.c.copy()
    c[:left_out] = 0
    tokens = rng.standard_normal((1, T, d))
    output = recurrent_predict(RecurrentParameters(phi.U, phi.w, c), tokens, TANH)[0]
    # 2 · half terms of size at most 1, whose sums cancel.
    return Discrepancy(float(output), 4 * half * _EPS * half**0.5)


GRADIENT = claim(
    "st.eq49.gradient",
    at="Appendix B.1, (48)–(50)",
    title="The Jacobian of the IndRNN is a sum over the steps",
    states=(
        r"\frac{\partial h_T}{\partial w_i} = \sum_{t=2}^T h_{t-1}\,\sigma'_t"
        r"\prod_{s=t+1}^T w_i\sigma'_s, \quad \nabla_{U_i}h_T = \sum_{t=1}^T X_t\,\sigma'_t"
        r"\prod_{s=t+1}^T w_i\sigma'_s"
    ),
    given=_GIVEN,
    assuming="σ'_s is short for σ'(U_i·X_s + w_i h_{s−1}); all is said of unit i",
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#gradients",
)


@GRADIENT.proved(controls={"no_w": {"power": 0}, "later_state": {"shift": 0}})
def differentiate_the_unrolled_network(power: int = 1, shift: int = 1) -> Obligations:
    """SymPy's derivatives of h_1, …, h_4 for a formal σ; the recursion gives the rest."""
    sigma = sp.Function("sigma")
    w, u = sp.symbols("w u", real=True)
    x = sp.symbols("x1:5", real=True)
    argument = sp.Dummy("s", real=True)
    slope = sigma(argument).diff(argument)
    states, slopes = [sp.S.Zero], []
    for one in x:
        inner = u * one + w * states[-1]
        slopes.append(sp.Subs(slope, argument, inner))
        states.append(sigma(inner))
        T = len(slopes)
        tails = [
            sp.prod([w**power * s for s in slopes[t:]]) * slopes[t - 1] for t in range(1, T + 1)
        ]
        in_w = sum(states[t - shift] * tails[t - 1] for t in range(1, T + 1))
        in_u = sum(x[t - 1] * tails[t - 1] for t in range(1, T + 1))
        yield f"in w, T = {T}", sp.expand((states[-1].diff(w) - in_w).doit()) == 0
        yield f"in U, T = {T}", sp.expand((states[-1].diff(u) - in_u).doit()) == 0


JACOBIAN = claim(
    "st.prop2.jacobian",
    at="Appendix B.1, Proposition 2",
    title="The Jacobian of the IndRNN is at most a geometric sum",
    states=(
        r"\Bigl|\frac{\partial h_T}{\partial w_i}\Bigr| \le \sigma_0\sigma_1\sum_{k=0}^{T-2}"
        r"(\sigma_1|w_i|)^k"
    ),
    given=_GIVEN,
    assuming=_BOUNDS,
    rests_on=[GRADIENT],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#gradients",
)


@JACOBIAN.proved(controls={"one_term_more": {"terms": 0}, "no_slope": {"slope": 0}})
def geometric_recursion(terms: int = 1, slope: int = 1) -> Obligations:
    """e_T = σ'_T (h_{T−1} + w e_{T−1}) and e_1 = 0, so B_T = σ₁(σ₀ + |w| B_{T−1}) and B_1 = 0."""
    sigma_0, sigma_1, w = sp.symbols("sigma_0 sigma_1 w", positive=True)
    T = sp.Symbol("T", positive=True, integer=True)
    ratio = sigma_1**slope * w

    def bound(steps: Any) -> sp.Expr:
        return sigma_0 * sigma_1 * (ratio ** (steps - terms) - 1) / (ratio - 1)

    yield "B_1 = 0", equal(bound(sp.S.One), sp.S.Zero)
    after = sigma_1 * (sigma_0 + w * bound(T))
    yield "the recursion", sp.simplify(bound(T + 1) - after) == 0


def _case(T: int, w: float, seed: int, designed: bool, activation: BoundedActivation) -> Any:
    """Random inputs; or h_1 at its largest and then zero preactivations."""
    tokens = 2 * np.random.default_rng(seed).standard_normal((1, T, 1))
    if designed:
        tokens[:] = 0
        tokens[0, 0] = 20 if activation is TANH else np.pi / 2
        if T > 1:
            tokens[0, 1] = -w
    return RecurrentParameters([[1.0]], [w], [1.0]), tokens, activation


CASES = st.builds(
    _case,
    T=st.sampled_from([1, 2, 2, 3, 4, 8, 30]),
    w=st.floats(-2, 2),
    seed=st.integers(0, 10**6),
    designed=st.booleans(),
    activation=st.sampled_from([TANH, SINE]),
)


@JACOBIAN.tested(over=CASES, controls={"tenth_less": {"factor": 0.9}, "term_less": {"missing": 1}})
def ratio_to_the_bound(case: Any, factor: float = 1.0, missing: int = 0) -> Measured:
    """|∂h_T/∂w| over the bound, T up to 30; equality for T = 2."""
    phi, tokens, activation = case
    T, w = tokens.shape[1], abs(float(phi.w[0]))
    bound = sum(w**k for k in range(T - 1 - missing))
    jacobian = abs(float(jacobian_in_w(phi, tokens, activation)[0, 0]))
    # Preactivations of size 40 rounded once a step; each moves σ' and h by as much.
    rounding = 200 * T * _EPS
    return Measured(jacobian / (factor * bound) if bound else jacobian + (jacobian > 0), rounding)


_MEANING = (
    "read: μ_T bounds |∂h_T/∂w_i| over all inputs and all parameters of Ω_ρ",
    "w stands for γ + ρ_w/√m, the largest |w_i| in Ω_ρ",
)

EQUALITY = claim(
    "st.prop2.equality",
    at="Appendix B.1, Proposition 2",
    title="The Jacobian is bounded in T if γ + ρ_w/√m ≤ 1/σ₁",
    states=r"\gamma + \tfrac{\rho_w}{\sqrt m} \le \tfrac{1}{\sigma_1} \implies \mu_T = O(1)",
    given=_GIVEN,
    assuming=_MEANING,
    note=f"{_NOTE}#equality",
)


@EQUALITY.refuted(
    controls={"smaller_weight": {"w": sp.Rational(1, 2)}, "steeper": {"w": sp.Rational(9, 10)}}
)
def linear_piece(w: Any = 1) -> Obligations:
    """σ(s) = s on |s| ≤ 1/2, then ±(1/2 + arctan(|s| − 1/2)): constant states 1/2 at w = 1.

    σ₀ = (1 + π)/2, σ₁ = 1, |σ''| ≤ 3√3/8. With inputs keeping every preactivation at 1/2,
    ∂h_T/∂w = Σ_{k ≤ T−2} w^k/2, which is (T − 1)/2 at w = 1.
    """
    s, half = sp.Symbol("s", real=True), sp.Rational(1, 2)
    outer = half + sp.atan(s - half)
    yield "continuous", outer.subs(s, half) == half
    yield "σ' continuous", sp.diff(outer, s).subs(s, half) == 1
    yield "σ'' continuous", sp.diff(outer, s, 2).subs(s, half) == 0
    yield "σ₁ = 1", equal(1 - 1 / sp.diff(outer, s), -((s - half) ** 2))
    yield "w is at most 1/σ₁", bool(w <= 1)
    T, k = sp.symbols("T k", integer=True, positive=True)
    jacobian = sp.summation(half * sp.sympify(w) ** k, (k, 0, T - 2))
    yield "inputs of norm at most 1: 1/2, then (1 − w)/2", bool(abs((1 - w) * half) <= 1)
    yield "unbounded", sp.limit(jacobian, T, sp.oo) == sp.oo


@EQUALITY.refuted(
    controls={"smaller_weight": {"w": sp.Rational(9, 10)}, "larger_states": {"power": 0}}
)
def constant_states_of_tanh(w: Any = 1, power: Any = sp.Rational(1, 2)) -> Obligations:
    """tanh at w = 1 with states ε = (2T)^(−1/2): ∂h_T/∂w = ε Σ_{1 ≤ k < T} (w(1 − ε²))^k/w.

    That is of order √T. The inputs artanh ε, then artanh ε − wε, are at most 1.
    """
    T, n = sp.symbols("T n", positive=True, integer=True)
    epsilon = (2 * T) ** (-sp.sympify(power))
    x = w * (1 - epsilon**2)
    jacobian = epsilon / w * (x - x**T) / (1 - x)
    for steps in (2, 3, 5):
        value, slope = sp.S.Zero, 1 - epsilon.subs(T, n) ** 2
        for _ in range(1, steps):
            value = slope * (epsilon.subs(T, n) + w * value)
        closed = epsilon.subs(T, n) / w * (w * slope - (w * slope) ** steps) / (1 - w * slope)
        yield f"the sum, {steps} steps", sp.simplify(value - closed) == 0
    yield "√T times a positive limit", bool(sp.limit(jacobian / sp.sqrt(T), T, sp.oo) > 0)


STRICT = EQUALITY.corrected(
    "st.prop2.strict",
    title="The Jacobian is bounded in T if γ + ρ_w/√m < 1/σ₁",
    states=(
        r"x := \sigma_1\bigl(\gamma + \tfrac{\rho_w}{\sqrt m}\bigr) < 1 \implies"
        r" \Bigl|\frac{\partial h_T}{\partial w_i}\Bigr| \le \frac{\sigma_0\sigma_1}{1 - x}"
    ),
    given={"x": open_interval(0, 1), **_GIVEN},
    assuming=_BOUNDS,
    rests_on=[JACOBIAN],
    note=f"{_NOTE}#equality",
)


@STRICT.proved(controls={"half": {"factor": sp.Rational(1, 2)}, "square": {"power": 2}})
def sum_the_series(factor: Any = 1, power: int = 1) -> Obligations:
    """Σ_{k ≤ T−2} x^k = (1 − x^(T−1))/(1 − x), which increases to 1/(1 − x)."""
    T = sp.Symbol("T", positive=True, integer=True)
    x = 1 / (1 + sp.Symbol("y", positive=True))  # any number in (0, 1)
    partial = (1 - x ** (T - 1)) / (1 - x)
    bound = factor / (1 - x**power)
    yield "best in T", equal(sp.limit(partial, T, sp.oo), bound)
    yield "what is left out", sp.simplify(1 / (1 - x) - partial - x ** (T - 1) / (1 - x)) == 0


GROWTH = claim(
    "st.prop2.growth",
    at="Appendix B.1, Proposition 2",
    title="The Jacobian grows exponentially in T if γ + ρ_w/√m > 1/σ₁",
    states=(
        r"\sigma = \tanh, \; w > 1: \quad \sup_X\Bigl|\frac{\partial h_T}{\partial w}\Bigr| \ge"
        r" \frac{w^{T-2}}{1 + w}"
    ),
    given={"w": half_line(1, closed=False), "T": integers(2)},
    assuming=(*_MEANING, "inputs of norm at most 1, d = 1, U = 1"),
    rests_on=[GRADIENT],
    note=f"{_NOTE}#growth",
)


@GROWTH.proved(controls={"one_power_more": {"power": 1}, "other_start": {"scale": 2}})
def zero_preactivations(power: int = 2, scale: int = 1) -> Obligations:
    """h_1 = a = 1/(1 + w), X_2 = −wa, then zeros: σ' = 1 from step 2 on, e_T = w e_{T−1}.

    So ∂h_T/∂w = a w^(T−2): the rate σ₁w of the bound is reached.
    """
    w = 1 + sp.Symbol("y", positive=True)
    a = 1 / (1 + w)
    yield "|X_2| ≤ 1", sp.simplify(1 - w * a).is_positive
    yield "X_1 = artanh a ≤ artanh(1/2) < 1", bool(sp.atanh(sp.Rational(1, 2)) < 1)
    yield "a ≤ 1/2", sp.simplify(sp.Rational(1, 2) - a).is_positive
    inputs = [sp.atanh(a), -w * a, *[sp.S.Zero] * 4]
    state = derivative = sp.S.Zero
    for T, x in enumerate(inputs, start=1):
        inner = sp.simplify(x + w * state)
        derivative = (1 - sp.tanh(inner) ** 2) * (state + w * derivative)
        state = sp.simplify(sp.tanh(inner))
        if T > 1:
            yield f"T = {T}", equal(derivative, scale * a * w ** (T - power))


@GROWTH.tested(
    over=st.builds(lambda T, w: (T, w), st.integers(2, 60), st.floats(1.01, 2.0)),
    controls={"one_power_more": {"power": 1}},
)
def jacobian_of_that_input(case: tuple[int, float], power: int = 2) -> Measured:
    """The stated lower bound over what the network's Jacobian is."""
    T, w = case
    a = 1 / (1 + w)
    tokens = np.zeros((1, T, 1))
    tokens[0, 0], tokens[0, 1] = np.arctanh(a), -w * a
    phi = RecurrentParameters([[1.0]], [w], [1.0])
    jacobian = abs(float(jacobian_in_w(phi, tokens, TANH)[0, 0]))
    # The state after step 2 is a rounding δ, and grows by w per step: σ' = 1 − (w^k δ)².
    drift = (w**T * 4 * _EPS) ** 2 * T
    return Measured(w ** (T - power) * a / jacobian, 8 * T * _EPS + drift)


THEOREM = claim(
    "st.prop2",
    at="Proposition 2",
    title="Training loss of the IndRNN",
    states=(
        r"\min_{s < \tau}\hat{\mathcal{L}}_n(\varphi_{\mathrm{rnn}}^{(s)}) \lesssim"
        r" \frac{1}{\sqrt\tau} + \sqrt{\frac{\log(2n/\delta)}{m}}"
    ),
    assuming="with the constant μ_T, whose dependence on T has claims of its own",
    provenance=Provenance.QUOTED,
    note=f"{_NOTE}#the-theorem",
)
THEOREM.cited(
    "Cayci and Eryilmaz (2024), Convergence of gradient descent for recurrent neural networks,"
    " Theorem 4.4",
    why="the paper states it as a corollary of that theorem, without proof",
)
