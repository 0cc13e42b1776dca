"""Section 5.2: Gaussian norms (Fact 4), the event E_U (Definition 1) and (9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st
from scipy.special import gammainc, gammaincc

from numeric.certify import Box, Certificate, certify_positive
from numeric.gaussian_norms import chi_tail, exact_radius, mean_norm, printed_radius
from numeric.gaussian_norms import probability_within as within
from numeric.networks.transformer import symmetric_initialisation
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers
from theorems.engine.domain import Domain, open_interval

_NOTE = "proofs_notes/st_approximation.md#gaussian-norms"
_FACT, _DEFINITION = "Fact 4", "Definition 1"
_D, _T, _R = sp.symbols("d t r", positive=True)
_HALF = sp.Rational(1, 2)
_EVENT: dict[str, Domain] = {
    "m": integers(2),
    "d": integers(1),
    "delta_prime": open_interval(0, 1),
}

MEAN = claim(
    "st.fact4.mean",
    at=_FACT,
    title="The mean norm of a standard Gaussian vector",
    states=(
        r"\mathbb{E}\|G\|_2 = \sqrt2\,\frac{\Gamma(\frac{d+1}{2})}{\Gamma(\frac d2)} \le \sqrt d"
    ),
    given={"d": integers(1)},
    note=_NOTE,
)


@MEAN.proved(controls={"degree": {"power": 2}, "other_constant": {"root": 3}})
def first_two_moments(power: int = 1, root: int = 2) -> Obligations:
    """Moments of the chi density; then (E|G|)² = E|G|² - Var|G| ≤ d."""
    density = _R ** (_D - 1) * sp.exp(-(_R**2) / 2) / (2 ** (_D / 2 - 1) * sp.gamma(_D / 2))
    mean = sp.integrate(_R**power * density, (_R, 0, sp.oo))
    claimed = sp.sqrt(root) * sp.gamma((_D + 1) / 2) / sp.gamma(_D / 2)
    yield "mean", bool(sp.gammasimp(mean / claimed).simplify() == 1)
    square = sp.gammasimp(sp.integrate(_R**2 * density, (_R, 0, sp.oo)))
    yield "second moment", equal(sp.simplify(square), _D)


MEAN_SHARP = MEAN.sharpened(
    "st.fact4.mean.sharp",
    title="The mean norm up to one half under the root",
    states=r"d - \tfrac12 < (\mathbb{E}\|G\|_2)^2 \le d - 1 + \tfrac2\pi",
    given={"d": integers(1)},
    assuming="equality on the right at d = 1; the constant on the left is the limit for large d",
    rests_on=[MEAN],
    note=_NOTE,
)


@MEAN_SHARP.proved(
    controls={
        "larger_below": {"below": sp.Rational(1, 3)},
        "smaller_above": {"eighth": sp.Rational(1, 16)},
        "less_at_one": {"at_one": sp.Rational(64, 100)},
    }
)
def two_steps_at_a_time(
    below: Any = _HALF, eighth: Any = sp.Rational(1, 8), at_one: Any = 1 - 2 / sp.pi
) -> Obligations:
    """e(d) = (E|G|)² has e(d+2)/e(d) = ((d+1)/d)², and e(d)e(d+1) = d² with e increasing.

    So d - 1 ≤ e(d) ≤ d, and e(d)/(d - 1/2) decreases in steps of two, e(d)/g(d) with
    g = d - 1/2 + 1/(8d - 4) increases, both to 1.  For d ≥ 2 is g ≤ d - 1 + 2/π.
    """
    e = 2 * (sp.gamma((_D + 1) / 2) / sp.gamma(_D / 2)) ** 2
    step = sp.gammasimp(sp.expand_func(e.subs(_D, _D + 2) / e))
    yield "step", equal(sp.simplify(step), ((_D + 1) / _D) ** 2)
    yield "product", equal(sp.gammasimp(e * e.subs(_D, _D + 1)).simplify(), _D**2)
    y = sp.Symbol("y", positive=True)

    def falls(g: sp.Expr) -> sp.Expr:
        """g(d+2)/g(d) - ((d+1)/d)², which says how e/g moves, at d = 1 + y."""
        return sp.together((g.subs(_D, _D + 2) / g - ((_D + 1) / _D) ** 2).subs(_D, 1 + y))

    yield "e/(d - 1/2) decreases", nonnegative(falls(_D - below))
    upper = _D - _HALF + eighth / (_D - _HALF)
    yield "e/g increases", nonnegative(-falls(upper))
    yield "g(2) ≤ 2 - c", bool(upper.subs(_D, 2) <= 2 - at_one)
    yield "equality at d = 1", equal(sp.simplify(e.subs(_D, 1)), 1 - at_one)


TAIL = claim(
    "st.fact4",
    at=_FACT,
    title="Concentration of the norm of a Gaussian vector",
    states=(
        r"\mathbb{P}\bigl(\bigl|\|G\|_2 - \mathbb{E}\|G\|_2\bigr| \ge t\bigr)"
        r" \le 2e^{-\frac{t^2}{2}}"
    ),
    given={"d": integers(1), "t": half_line(0, closed=False)},
    rests_on=["classical.gaussian_lipschitz.tail", "classical.union"],
    note=_NOTE,
)


@TAIL.proved(controls={"sum": {"sign": -1}, "one_side": {"sides": 1}})
def norms_are_lipschitz(sign: int = 1, sides: int = 2) -> Obligations:
    """|x - y|² - (|x| - |y|)² = 2(|x||y| - ⟨x, y⟩) ≥ 0, so that both ±|x| have L = 1."""
    x, y, gap = sp.symbols("x y gap", nonnegative=True)
    inner = x * y - gap  # Cauchy-Schwarz
    difference = x**2 + y**2 - 2 * inner - (x - sign * y) ** 2
    yield "1-Lipschitz", nonnegative(difference)
    yield "both sides", equal(sides * sp.exp(-(_T**2) / 2), 2 * sp.exp(-(_T**2) / 2))


@TAIL.tested(
    over=st.tuples(st.integers(1, 2000), st.floats(1e-6, 8)),
    controls={"without_the_two": {"factor": 0.49}, "variance": {"rate": 1.1}},
)
def chi_tails(case: tuple[int, float], factor: float = 2.0, rate: float = 0.5) -> Measured:
    """Exact tails of the chi law on both sides over the bound."""
    d, t = case
    mean = mean_norm(d)
    low = max(0.0, mean - t)
    exact = gammaincc(d / 2, (mean + t) ** 2 / 2) + gammainc(d / 2, low * low / 2)
    return Measured(float(exact / (factor * np.exp(-rate * t * t))), 1e-9)


TAIL_SHARP = TAIL.sharpened(
    "st.fact4.sharp",
    title="The upper tail with the rate function of a chi-square mean",
    states=(
        r"\mathbb{P}\bigl(\|G\|_2 \ge \sqrt d + t\bigr)"
        r" \le e^{-\frac{t^2}{2} - d(s - \log(1+s))}, \quad s = \frac{t}{\sqrt d}"
    ),
    given={"d": integers(1), "t": half_line(0)},
    rests_on=["classical.chernoff"],
    note=_NOTE,
)


@TAIL_SHARP.proved(controls={"quarter": {"half": sp.Rational(51, 100)}, "no_log": {"log": 0}})
def chernoff_for_squares(half: Any = _HALF, log: int = 1) -> Obligations:
    """W = g², x = (1 + s)², λ = (1 - 1/x)/2: λx + ½log(1 - 2λ) = s²/2 + s - log(1 + s)."""
    s, g = sp.symbols("s g", positive=True)
    x = (1 + s) ** 2
    lam = (1 - 1 / x) / 2
    gauss = sp.integrate(sp.exp(-x * g**2 / 2), (g, 0, sp.oo)) * sp.sqrt(2 / sp.pi)
    yield "E e^(λg²) = (1 - 2λ)^(-1/2) at 1 - 2λ = x", equal(gauss, x**-_HALF)
    exponent = lam * x + sp.log(1 - 2 * lam) / 2
    claimed = half * s**2 + s - log * sp.log(1 + s)
    yield "exponent", equal(sp.expand_log(exponent.simplify(), force=True), claimed)
    slope = sp.diff(s - sp.log(1 + s), s).simplify()
    yield "less than before: s - log(1 + s) increases from 0", slope.is_positive


@TAIL_SHARP.tested(
    over=st.tuples(st.integers(1, 10**6), st.floats(0, 12)),
    controls={"a_tenth_more": {"factor": 1.1}},
)
def chi_tails_over_the_rate(case: tuple[int, float], factor: float = 1.0) -> Measured:
    """Exact upper tails over the bound; -log P ~ the exponent for large t √d."""
    d, t = case
    s = t / np.sqrt(d)
    exponent = t * t / 2 + d * (s - np.log1p(s))
    exact = chi_tail(np.sqrt(d) + t, d)
    # d(s - log(1 + s)) loses digits to d s = t √d, and the tail likewise.
    return Measured(0.0 if exact < 1e-290 else exact * np.exp(factor * exponent), 1e-7)


MAXIMUM = claim(
    "st.fact4.maximum",
    at=_FACT,
    title="The largest of m norms",
    states=(
        r"\mathbb{P}\Bigl(\max_{1 \le i \le m}\|G_i\|_2 \le \sqrt d + \sqrt{2\log(m/\delta)}\Bigr)"
        r" \ge 1 - \delta"
    ),
    given={"m": integers(1), "d": integers(1), "delta": open_interval(0, 1)},
    assuming="the displayed two-sided tail would give log(2m/δ): the one-sided tail is used",
    rests_on=["classical.gaussian_lipschitz.tail", "classical.union", MEAN],
    note=_NOTE,
)


@MAXIMUM.proved(controls={"displayed_tail": {"sides": 2}, "without_the_two": {"two": 1}})
def one_sided_union(sides: int = 1, two: int = 2) -> Obligations:
    """P(|G| ≥ √d + t) ≤ P(|G| ≥ E|G| + t) ≤ e^(-t²/2), and m e^(-t²/2) = δ."""
    m, delta = sp.symbols("m delta", positive=True)
    t = sp.sqrt(two * sp.log(m / delta))
    yield "union", equal(sides * m * sp.exp(-(t**2) / 2), delta)


EVENT = claim(
    "st.def1",
    at=_DEFINITION,
    title="The probability of the event on which all analysis takes place",
    states=(
        r"\mathbb{P}\Bigl(\max_{i \in [m]}\|U_i^{(0)}\|_2"
        r" \le \sqrt d + \sqrt{2\log\tfrac{m}{2\delta'}}\Bigr) \ge 1 - \delta'"
    ),
    given=_EVENT,
    assuming="m is even; m/2δ' is m/(2δ')",
    rests_on=[MAXIMUM],
    note=_NOTE,
)


@EVENT.proved(controls={"m_distinct": {"distinct": 1}, "other_reading": {"reading": -1}})
def half_of_them(distinct: int = 2, reading: int = 1) -> Obligations:
    """Only m/2 norms are distinct: Fact 4 with m/2 for m and δ = δ'; the root is real, m ≥ 2."""
    m, delta = sp.symbols("m delta", positive=True)
    inside = m / 2 * delta ** (-reading)
    yield "m/2 norms", equal((m / distinct) / delta, inside)
    half, small = sp.Symbol("h", nonnegative=True), sp.Symbol("e", positive=True)
    chance = 1 / (1 + small)
    at = ((2 + 2 * half) / (2 * chance)).expand()
    yield "logarithm of a number ≥ 1", nonnegative(at - 1)


@EVENT.tested(
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.one_of(st.floats(1e-12, 1 - 1e-12), st.just(1 - 1e-12)),
    ),
    controls={"half_the_deviation": {"factor": 0.5}},
)
def missed_probability(case: tuple[int, int, float], factor: float = 1.0) -> Measured:
    """The exact probability of missing E_U over δ'; m = 2, d = 1 and δ' near 1 included."""
    half, d, delta = case
    deviation = printed_radius(d, 2 * half, delta) - np.sqrt(d)
    tail = chi_tail(np.sqrt(d) + factor * deviation, d)
    return Measured(float(-np.expm1(half * np.log1p(-tail)) / delta), 1e-9)


EXACT = claim(
    "st.def1.exact",
    at=_DEFINITION,
    title="The exact probability of a bound on all norms",
    states=(
        r"\mathbb{P}\Bigl(\max_{i \in [m]}\|U_i^{(0)}\|_2 \le r\Bigr)"
        r" = \mathbb{P}\bigl(\chi^2_d \le r^2\bigr)^{m/2}"
    ),
    given={"m": integers(2), "d": integers(1), "r": half_line(0)},
    assuming="m is even",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXACT.proved(controls={"all_of_them": {"copies": 1}})
def independent_halves(copies: int = 2) -> Obligations:
    """The maximum over i ≤ m is that over i ≤ m/2, of independent norms: probabilities multiply."""
    for half in range(1, 5):
        symbols = sp.symbols(f"u0:{half}", positive=True)
        doubled = symbols * 2
        yield f"maximum, m = {2 * half}", bool(sp.Max(*doubled) == sp.Max(*symbols))
        p = sp.Symbol("p", positive=True)
        yield f"product, m = {2 * half}", equal(p ** (2 * half // copies), p**half)


@EXACT.estimated(draws=600, controls={"m_independent_norms": {"power": 2}})
def initialisations(rng: np.random.Generator, draws: int, power: int = 1) -> Iterator[MeanTest]:
    """Frequencies at the radius of probability one half, for four shapes."""
    for m, d in ((2, 1), (4, 3), (8, 2), (16, 8)):
        r = exact_radius(d, m, 0.5)
        largest = [
            np.linalg.norm(symmetric_initialisation(m, d, rng).U, axis=1).max()
            for _ in range(draws)
        ]
        yield mean_test((np.array(largest) <= r).astype(float), within(r, d, m) ** power)


SHARP = EVENT.sharpened(
    "st.def1.sharp",
    title="The smallest radius",
    states=(
        r"\mathbb{P}\Bigl(\max_{i \in [m]}\|U_i^{(0)}\|_2 \le r\Bigr) = 1 - \delta'"
        r" \iff \mathbb{P}(\chi^2_d > r^2) = 1 - (1-\delta')^{2/m}"
    ),
    given=_EVENT,
    assuming="m is even; attained by definition: a smaller r has a smaller probability",
    rests_on=[EXACT],
    note=_NOTE,
)


@SHARP.proved(controls={"all_of_them": {"copies": 1}})
def solve_for_one_norm(copies: int = 2) -> Obligations:
    """p^(m/2) = 1 - δ' at p = (1 - δ')^(2/m)."""
    m, chance = sp.symbols("m p", positive=True)
    one = chance ** (copies / m)
    yield "power", equal(sp.powdenest(one ** (m / 2), force=True), chance)


@SHARP.certified(
    controls={"larger": {"shift": Fraction(1, 20)}, "smaller": {"shift": Fraction(-1, 20)}},
    part="the widths of Section 6.1 (d = 8, δ' = 1/20): 4.41 for 5.79 and 5.33 for 6.79",
)
def radii_of_the_experiments(shift: Fraction = Fraction(0)) -> list[Certificate]:
    """At m = 8 and 256: the probability crosses 1 - δ' between the radii given to two places."""
    certificates = []
    for m, digits in ((8, 440), (256, 533)):
        low = Fraction(digits, 100) + shift
        certificates += [
            certify_positive(_missed(low, m, 1), Box()),
            certify_positive(_missed(low + Fraction(1, 100), m, -1), Box()),
        ]
    return certificates


def _missed(radius: Fraction, m: int, sign: int) -> Any:
    """sign (19/20 - P(max ≤ radius)), which changes its sign at the exact radius."""

    def gap() -> Any:
        r = arb(radius.numerator) / radius.denominator
        return sign * (arb(19) / 20 - within(r, 8, m))

    return gap


BOUNDED = claim(
    "st.sec5.running_maximum",
    at="Section 5.2",
    title="The running maximum of the norms stays bounded with high probability",
    states=(
        r"\forall \delta' > 0\ \exists R\ \forall m: \quad"
        r" \mathbb{P}\Bigl(\max_{i \in [m]}\|U_i^{(0)}\|_2 \le R\Bigr) \ge 1 - \delta'"
    ),
    given={"m": integers(2)},
    assuming="read with a bound that does not depend on m, as 'running maximum' suggests",
    rests_on=[EXACT],
    note=_NOTE,
)


@BOUNDED.refuted(controls={"growing": {"growth": 2}})
def probabilities_vanish(growth: int = 0) -> Obligations:
    """d = 2: (1 - e^(-R²/2))^(m/2) → 0 for every fixed R; it does not if R² grows as 2 log m."""
    m = sp.Symbol("m", positive=True)
    fixed = sp.Symbol("R", positive=True)
    square = fixed**2 + growth * sp.log(m)
    chance = (1 - sp.exp(-square / 2).simplify()) ** (m / 2)
    sample = chance.subs(fixed, 3)
    yield "limit at R = 3", bool(sp.limit(sample, m, sp.oo) == 0)
    base = 1 - sp.exp(-(fixed**2) / 2)
    yield "base below 1 for every R", (1 - base).is_positive


GROWTH = BOUNDED.corrected(
    "st.sec5.running_maximum.corrected",
    title="The running maximum of the norms grows as the root of 2 log m",
    states=(
        r"\lim_{m \to \infty}\mathbb{P}\Bigl(\sqrt{2(1-\varepsilon)\log m}"
        r" \le \max_{i \in [m]}\|U_i^{(0)}\|_2"
        r" \le \sqrt d + \sqrt{2(1+\varepsilon)\log m}\Bigr) = 1"
    ),
    given={"d": integers(1), "varepsilon": open_interval(0, 1)},
    rests_on=[EVENT, EXACT],
    note=_NOTE,
)


@GROWTH.proved(controls={"as_root_of_4_log": {"two": 4}, "as_root_of_log": {"upper": 1}})
def one_coordinate_and_a_union(two: int = 2, upper: int = 2) -> Obligations:
    """P(max ≤ x) ≤ exp(-(m/2) P(|g| > x)) with P(|g| > x) ≥ (2/√(2π)) x/(1 + x²) e^(-x²/2).

    At ε = 1/10, L = log m: (m/2) P(|g| > x) → ∞ below, (m/2) e^(-t²/2) → 0 above.
    """
    L = sp.Symbol("L", positive=True)
    for epsilon in (sp.Rational(1, 100), sp.Rational(1, 2)):
        square = two * (1 - epsilon) * L
        log_count = L - square / 2
        yield f"exponent below, ε = {epsilon}", bool(sp.limit(log_count, L, sp.oo) == sp.oo)
        x = sp.sqrt(square)
        many = sp.exp(log_count) * x / (1 + square)
        yield f"many norms are larger, ε = {epsilon}", bool(sp.limit(many, L, sp.oo) == sp.oo)
        few = sp.exp(L - upper * (1 + epsilon) * L / 2)
        yield f"none is larger, ε = {epsilon}", bool(sp.limit(few, L, sp.oo) == 0)
