"""Lemma 5, proof (Appendix A.6): its displayed lines one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import gammaln

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, claim, half_line, integers, reals
from theorems.engine.domain import Domain

_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_HALF = sp.Rational(1, 2)
_SIZES: dict[str, Domain] = {
    name: half_line(0, closed=False) for name in ("sigma_0", "sigma_1", "nu_c", "nu_u", "nu_w")
}
_LAMBDA = {"lambda_": reals()}

BOUNDED = claim(
    "st.lem5.bounded",
    at=_AT,
    title="Bounds of the three parts of g",
    states=(
        r"|g^{(c)}| \le \sigma_0\bar\nu_c, \quad |g^{(u)}| \le \sigma_1\bar\nu_u, \quad"
        r" |g^{(w)}| \le \sigma_1\bar\nu_w\|M U\|_2"
    ),
    given=_SIZES,
    assuming="the parts of v are bounded by those of ν; |q| ≤ 1",
    rests_on=["st.fact2"],
    note=_NOTE,
)


@BOUNDED.proved(controls={"unbounded_query": {"query": 2}, "other_norm": {"inner": 1}})
def cauchy_schwarz(query: int = 1, inner: int = 2) -> Obligations:
    """|⟨φ, v⟩| ≤ |φ||v| in each block, and |x qᵀ|_F² = |x|²|q|² ≤ |x|²."""
    x = sp.Matrix(sp.symbols("x1:4", real=True))
    q = sp.Matrix(sp.symbols("q1:4", real=True))
    frobenius = sum(entry**inner for entry in x * q.T)
    yield "Frobenius norm", equal(sp.expand(frobenius), sp.expand((x.T * x * q.T * q)[0, 0]))
    size, less = sp.symbols("size less", positive=True)
    length = query / (1 + less)  # |q|, or |a|
    yield "|q| ≤ 1, |a| ≤ 1", nonnegative(size - size * length)


PAIRS = claim(
    "st.lem5.pairs",
    at=_AT,
    title="The error is a mean of m/2 independent centred variables",
    states=(
        r"f_{\mathrm{lin}}(X; \tilde\varphi) - \tilde f(X; v) = \frac2m\sum_{i=1}^{m/2} Z_i,"
        r" \quad Z_i = \bar g_i - \mathbb{E}\bar g_1, \quad"
        r" \bar g_i = \tfrac12(g_i + g_{i+m/2}), \quad \mathbb{E}\bar g_1 = \mathbb{E}g_1"
    ),
    given={"m": integers(2)},
    assuming="m is even; N in the paper's proof stands for m/2",
    rests_on=["st.eq11.mean"],
    note=_NOTE,
)


@PAIRS.proved(controls={"over_m": {"factor": 1}, "one_sign": {"flip": 1}})
def average_over_the_sign(factor: int = 2, flip: int = -1) -> Obligations:
    """φ_{i+m/2} is φ_i with -c_i, of the same law: both terms of a pair have the mean E g_1."""
    for m in (2, 4, 6):
        g = sp.symbols(f"g1:{m + 1}", real=True)
        mean = sp.Symbol("mu", real=True)
        bars = [(g[i] + g[i + m // 2]) / 2 - mean for i in range(m // 2)]
        yield (
            f"sum, m = {m}",
            equal(sp.expand(sp.Rational(factor, m) * sum(bars)), sp.expand(sum(g) / m - mean)),
        )
    at = {sign: sp.Symbol(f"g_{sign}", real=True) for sign in (-1, 1)}
    first = (at[1] + at[-1]) / 2
    second = (at[flip] + at[-flip]) / 2 if flip == -1 else at[1]
    yield "same mean", equal(first, second)


HOEFFDING = claim(
    "st.lem5.hoeffding",
    at=_AT,
    title="Exponential moments of the c-part and of the u-part",
    states=(
        r"|\bar g| \le B \implies \mathbb{E}e^{\lambda(\bar g - \mathbb{E}\bar g)}"
        r" \le e^{\frac{\lambda^2B^2}{2}}, \quad B = \sigma_0\bar\nu_c,\ \sigma_1\bar\nu_u"
    ),
    given={"B": half_line(0, closed=False), **_LAMBDA},
    assuming="1/2 is the best constant: signs ±B attain it as λ → 0",
    rests_on=["classical.hoeffding_lemma", BOUNDED],
    note=_NOTE,
)


@HOEFFDING.proved(
    controls={"half_the_range": {"length": 1}, "smaller": {"half": sp.Rational(2, 5)}}
)
def range_of_length_2b(length: int = 2, half: Any = _HALF) -> Obligations:
    """The chord of e^y over [-B, B]: u = 2Bλ in Hoeffding's lemma, u²/8 = λ²B²/2; cosh is below."""
    lam, B, p = sp.symbols("lambda B p", positive=True)
    u = length * B * lam
    yield "exponent", equal(u**2 / 8, half * lam**2 * B**2)
    mean = -B + 2 * B * p
    yield (
        "ends",
        equal(sp.Matrix([lam * (-B - mean), lam * (B - mean)]), sp.Matrix([-p * u, (1 - p) * u])),
    )
    signs = sp.log(sp.cosh(lam * B)) / lam**2
    yield "best", equal(sp.limit(signs, lam, 0), half * B**2)


MOMENTS = claim(
    "st.eq20",
    at="(20)",
    title="Even moments of the w-part",
    states=(
        r"\mathbb{E}|Y|^{2k} \le (\sigma_1\bar\nu_w)^{2k}\frac{(2k)!}{2^kk!}, \quad"
        r" |Y| \le \sigma_1\bar\nu_w\|MU\|_2"
    ),
    given={"k": integers(1)},
    assuming="equality for M of rank one with trace one; where M = 0 the weights are not defined",
    rests_on=[BOUNDED, "st.fact3", "classical.gaussian_moments"],
    note=_NOTE,
)


@MOMENTS.proved(controls={"without_jensen": {"convexity": -1}, "twice": {"factor": 2}})
def singular_values(convexity: int = 1, factor: int = 1) -> Obligations:
    """Jensen with weights s²/Σs², and Σ s_r² = tr M² ≤ (tr M)² ≤ 1 for M ⪰ 0."""
    s = sp.symbols("s1:5", nonnegative=True)
    gap = sum(s) ** 2 - factor * sum(one**2 for one in s)
    yield "tr M² ≤ (tr M)²", nonnegative(sp.expand(gap))
    x, k = sp.Symbol("x", positive=True), sp.Symbol("k", integer=True, positive=True)
    second = sp.diff(convexity * x ** (k + 1), x, 2).simplify()
    yield "x^k is convex", second.is_positive
    weights = [one**2 / sum(t**2 for t in s) for one in s]
    yield "weights sum to one", equal(sp.simplify(sum(weights)), sp.S.One)
    n = sp.Symbol("n", integer=True, positive=True)
    double = sp.factorial(2 * n) / (2**n * sp.factorial(n))
    yield "(2k - 1)!!", equal(sp.simplify(double.subs(n, n + 1) / double).simplify(), 2 * n + 1)


@MOMENTS.tested(
    over=st.tuples(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(1, 12)),
    controls={"smaller": {"factor": 0.9}},
)
def exact_moments(case: tuple[list[float], int], factor: float = 1.0) -> Measured:
    """E|MU|^(2k) by the cumulants of Σ s²G² over (2k - 1)!!, with the trace scaled to one."""
    values, k = case
    total = sum(values)
    squares = (np.array(values) / total) ** 2 if total > 1e-3 else np.array([1.0])
    sums = [np.sum(squares**j) for j in range(k + 1)]
    moments = [1.0]
    for n in range(1, k + 1):
        # E Q^n = Σ_j (n-1)!/(n-j)! 2^(j-1) p_j E Q^(n-j), Q = Σ s²G², p_j = Σ s^(2j).
        steps = range(1, n + 1)
        ratios = [np.exp(gammaln(n) - gammaln(n - j + 1)) for j in steps]
        moments.append(
            sum(
                r * 2 ** (j - 1) * sums[j] * moments[n - j]
                for j, r in zip(steps, ratios, strict=True)
            )
        )
    bound = np.exp(gammaln(2 * k + 1) - k * np.log(2) - gammaln(k + 1))
    return Measured(float(moments[k] / (factor * bound)), 1e-12)


SYMMETRISED = claim(
    "st.lem5.mgf",
    at=_AT,
    title="Exponential moment of the w-part",
    states=(
        r"\mathbb{E}e^{\lambda(Y - \mathbb{E}Y)} \le \mathbb{E}e^{\lambda(Y - Y')}"
        r" \le \sum_{k \ge 0}\frac{(2\lambda s)^{2k}}{(2k)!}\cdot\frac{(2k)!}{2^kk!}"
        r" = e^{2\lambda^2s^2}, \quad s = \sigma_1\bar\nu_w"
    ),
    given=_LAMBDA,
    rests_on=[MOMENTS],
    note=_NOTE,
)


@SYMMETRISED.proved(controls={"power": {"shift": 0}, "one": {"factor": 1}})
def symmetrise_and_sum(shift: int = 1, factor: int = 2) -> Obligations:
    """Jensen over the copy Y'; (Y - Y')^(2k) ≤ 2^(2k-1)(Y^(2k) + Y'^(2k)); odd moments vanish."""
    x, y = sp.symbols("x y", positive=True)
    for k in (1, 2, 3):
        gap = 2 ** (2 * k - shift) * (x ** (2 * k) + y ** (2 * k)) - (x + y) ** (2 * k)
        yield f"2k-th power, k = {k}", nonnegative(sp.cancel(gap / (x - y) ** 2))
        yield f"equality at Y' = -Y, k = {k}", equal(sp.expand(gap.subs(y, x)), sp.S.Zero)
        even = sp.expand((x - y) ** (2 * k + 1) + (y - x) ** (2 * k + 1))
        yield f"odd moment {2 * k + 1}", bool(even == 0)
    n = sp.Symbol("k", integer=True, nonnegative=True)
    yield "x^(2k) is convex", sp.diff(x ** (2 * n + 2), x, 2).simplify().is_positive
    lam, s = sp.symbols("lambda s", positive=True)
    double = sp.factorial(2 * n) / (2**n * sp.factorial(n))
    term = (2 * lam * s) ** (2 * n) / sp.factorial(2 * n) * double
    exponential = (factor * lam**2 * s**2) ** n / sp.factorial(n)
    yield "terms", equal(sp.simplify(term / exponential), sp.S.One)


HOELDER = claim(
    "st.lem5.hoelder",
    at=_AT,
    title="The three parts together, by Hölder's inequality",
    states=(
        r"\mathbb{E}e^{\lambda Z_i} \le e^{\frac{\lambda^2}{2}S^2}, \quad"
        r" S = \sigma_0\bar\nu_c + \sigma_1\bar\nu_u + 2\sigma_1\bar\nu_w"
    ),
    given={**_SIZES, **_LAMBDA},
    rests_on=[HOEFFDING, SYMMETRISED],
    note=_NOTE,
)


@HOELDER.proved(controls={"without_the_two": {"two": 1}, "wrong_share": {"swap": True}})
def exponents(two: int = 2, swap: bool = False) -> Obligations:
    """p_ℓ = S/s_ℓ: the reciprocals sum to 1, and Σ p_ℓ s_ℓ² = S²; 2λ² = (λ²/2)·2²."""
    s0, s1, c, u, w = sp.symbols("sigma_0 sigma_1 nu_c nu_u nu_w", positive=True)
    lam = sp.Symbol("lambda", positive=True)
    sizes = [s0 * c, s1 * u, two * s1 * w]
    total = s0 * c + s1 * u + 2 * s1 * w
    powers = [total / size for size in (sizes[::-1] if swap else sizes)]
    yield "reciprocals", equal(sp.simplify(sum(1 / p for p in powers)), sp.S.One)
    logs = [(lam * s0 * c) ** 2 / 2, (lam * s1 * u) ** 2 / 2, 2 * (lam * s1 * w) ** 2]
    whole = sum(p * one for p, one in zip(powers, logs, strict=True))
    yield "exponent", equal(sp.simplify(whole), lam**2 * total**2 / 2)


CHERNOFF = claim(
    "st.lem5.chernoff",
    at=_AT,
    title="Sum over m/2 pairs and Chernoff's bound",
    states=(
        r"\mathbb{P}\Bigl(\Bigl|\frac2m\sum_{i=1}^{m/2}Z_i\Bigr| \ge t\Bigr)"
        r" \le 2e^{-\frac{mt^2}{4S^2}}"
    ),
    given={"m": integers(2), "t": half_line(0)},
    rests_on=[HOELDER, PAIRS, "classical.chernoff", "classical.union"],
    note=_NOTE,
)


@CHERNOFF.proved(controls={"m_terms": {"terms": 1}, "one_side": {"sides": 1}})
def best_multiplier(terms: int = 2, sides: int = 2) -> Obligations:
    """λ = t/S²: mλt/2 - mλ²S²/4 = mt²/(4S²), for Z and for -Z."""
    m, t, S, lam = sp.symbols("m t S lambda", positive=True)
    exponent = lam * m * t / 2 - m / terms * lam**2 * S**2 / 2
    yield "exponent", equal(exponent.subs(lam, t / S**2), m * t**2 / (4 * S**2))
    yield "stationary", equal(sp.diff(exponent, lam).subs(lam, t / S**2), sp.S.Zero)
    bound = sides * sp.exp(-m * t**2 / (4 * S**2))
    yield "both sides", equal(bound, 2 * sp.exp(-m * t**2 / (4 * S**2)))
