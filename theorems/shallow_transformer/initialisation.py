"""Section 5.2: Gaussian norms (Fact 4), the event E_U (Definition 1) and how far it reaches."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st
from scipy.special import gammainc, gammaincc
from sympy import Rational, exp, log, pi, sqrt

from numeric.gaussian_norms import chi_tail, exact_radius, mean_norm, printed_radius
from numeric.gaussian_norms import probability_within as within
from numeric.networks.transformer import symmetric_initialisation
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.classical.hypotheses import INDEPENDENT_COPIES, LIPSCHITZ, NORMAL
from theorems.classical.letters import F_value as lipschitz_value
from theorems.classical.letters import L, M, chi_upper
from theorems.classical.letters import s as deviation_of_value
from theorems.classical.steps import weakened
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    claims_in,
    eq,
    ge,
    half_line,
    iff,
    implies,
    integers,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import E, P, Theorem, facts
from theorems.engine.values import unfolded
from theorems.shallow_transformer.hypotheses import (
    EVEN_WIDTH,
    NORMAL_VECTOR,
    PAIRED_HEADS,
    RANDOM_HEADS,
)
from theorems.shallow_transformer.letters import (
    LETTERS,
    G,
    accuracy,
    d,
    delta,
    delta_prime,
    excess,
    m,
    phi_0,
    r,
)
from theorems.shallow_transformer.letters import mean_norm as norm_of
from theorems.shallow_transformer.premises import stated
from theorems.shallow_transformer.start_letters import (
    G_length,
    G_mean,
    chi_both,
    chi_far,
    chi_within,
    largest_chance,
    start_chance,
)
from theorems.shallow_transformer.token_sums import ranges_of, stands_for

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_approximation.md#gaussian-norms"
_FACT, _DEFINITION = "Fact 4", "Definition 1"
_HALF = Rational(1, 2)
_MEAN = norm_of(d)

MEAN = claim(
    "st.fact4.mean",
    at=_FACT,
    title="The mean norm of a standard Gaussian vector",
    states={"formula": eq(G_mean, _MEAN), "bound": le(_MEAN, sqrt(d))},
    given=[G_mean, d, G],
    assuming=[NORMAL_VECTOR],
    note=_NOTE,
)


def _lengths() -> list[Theorem]:
    """The length of G, its mean and its mean square."""
    return [
        stands_for("mean length", eq(_MEAN, E(G_length))),
        rules.textbook(
            "the mean square of a standard normal vector is its dimension",
            eq(E(G_length**2), d),
            over=ranges_of(d, G_length),
        ),
    ]


@MEAN.argued(
    "formula",
    bridge="The length of a standard normal vector has the chi density.",
    uses=[NORMAL_VECTOR],
)
def first_moment_of_the_chi_density(given: Given) -> Obligations:
    """The integral of r against the density, for any positive dimension."""
    at, size = sp.symbols("r d", positive=True)
    density = at ** (size - 1) * exp(-(at**2) / 2) / (2 ** (size / 2 - 1) * sp.gamma(size / 2))
    mean = sp.integrate(at * density, (at, 0, sp.oo))
    claimed = unfolded(given.goal.rhs).subs(d, size)
    yield "mean", bool(sp.gammasimp(mean / claimed).simplify() == 1)
    square = sp.gammasimp(sp.integrate(at**2 * density, (at, 0, sp.oo)))
    yield "mean square", equal(sp.simplify(square), size)


@MEAN.proved("bound")
def jensen(given: Given) -> Theorem:
    """(E|G|)² ≤ E|G|² = d."""
    given.require(NORMAL_VECTOR)
    return given.follows(
        *_lengths(), facts.expectation_of_square(G_length), goal=stated(MEAN, "bound")
    )


@MEAN.tested("bound", over=st.one_of(st.just(1), st.integers(1, 10**6)))
def mean_over_root(size: int) -> dict[Any, Any]:
    """Dimensions up to a million."""
    return {d: size}


MEAN_SHARP = MEAN.sharpened(
    "st.fact4.mean.sharp",
    title="The mean norm up to one half under the root",
    states={
        "below": lt(d - _HALF, _MEAN**2),
        "above": le(_MEAN**2, d - 1 + 2 / pi),
        "attained above": eq(norm_of(sp.Integer(1)) ** 2, 2 / pi),
        "best below": sentence(
            r"\lim_{$d\to\infty}(\mathbb{E}\|$G\|_2)^{$power} - $d = $limit",
            power=2,
            limit=Fraction(-1, 2),
        ),
    },
    given=[d, G],
    assuming=[NORMAL_VECTOR],
    rests_on=[MEAN],
    note=_NOTE,
)
_D = sp.Symbol("d", positive=True)


def _square(mean: Any) -> Any:
    return unfolded(mean).subs(d, _D)


def _falls(g: sp.Expr) -> sp.Expr:
    """g(d+2)/g(d) - ((d+1)/d)², which says how e/g moves, at d = 1 + y."""
    y = sp.Symbol("y", positive=True)
    return sp.together((g.subs(_D, _D + 2) / g - ((_D + 1) / _D) ** 2).subs(_D, 1 + y))


def _steps(e: Any) -> Obligations:
    """e(d+2)/e(d) = ((d+1)/d)², and e(d)e(d+1) = d²."""
    step = sp.gammasimp(sp.expand_func(e.subs(_D, _D + 2) / e))
    yield "step", equal(sp.simplify(step), ((_D + 1) / _D) ** 2)
    yield "product", equal(sp.gammasimp(e * e.subs(_D, _D + 1)).simplify(), _D**2)


_TWO_STEPS = (
    "As e(d) = (E|G|)² increases with e(d)e(d+1) = d², e(d)/d tends to 1; a quotient of e that"
    " moves in one direction in steps of two stays on one side of its limit."
)


@MEAN_SHARP.argued("below", bridge=_TWO_STEPS)
def decreases_to_one(given: Given) -> Obligations:
    """e(d)/(d − 1/2) decreases to 1."""
    lower, e = given.goal.lhs.subs(d, _D), _square(given.goal.rhs)
    yield from _steps(e)
    yield "e/(d - 1/2) decreases", nonnegative(_falls(lower))
    yield "to 1", bool(sp.limit(lower / _D, _D, sp.oo) == 1)


@MEAN_SHARP.argued("above", bridge=_TWO_STEPS)
def increases_to_one(given: Given) -> Obligations:
    """e/g increases to 1 for g = d - 1/2 + 1/(8d - 4), which is at most the bound for d ≥ 2."""
    e, bound = _square(given.goal.lhs), given.goal.rhs.subs(d, _D)
    yield from _steps(e)
    upper = _D - _HALF + 1 / (8 * _D - 4)
    yield "e/g increases", nonnegative(-_falls(upper))
    yield "at d = 2", bool(upper.subs(_D, 2) <= bound.subs(_D, 2))
    y = sp.Symbol("y", positive=True)
    slope = sp.together(sp.diff(bound - upper, _D).subs(_D, 2 + y))
    yield "the bound grows faster", nonnegative(slope)
    yield "at d = 1", bool(sp.simplify(e.subs(_D, 1)) <= bound.subs(_D, 1))


@MEAN_SHARP.proved("attained above")
def one_dimension(given: Given) -> Theorem:
    """E|g| = √(2/π)."""
    return given.decided()


@MEAN_SHARP.argued("best below", bridge=_TWO_STEPS)
def between_two_bounds(power: Any, limit: Any) -> Obligations:
    """d − 1/2 < e(d) ≤ g(d), whose difference from d has the same limit."""
    yield "square", bool(Rational(power) == 2)
    upper = _D - _HALF + 1 / (8 * _D - 4)
    for name, bound in (("below", _D - _HALF), ("above", upper)):
        yield name, bool(sp.limit(bound - _D, _D, sp.oo) == Rational(limit))


TAIL = claim(
    "st.fact4",
    at=_FACT,
    title="Concentration of the norm of a Gaussian vector",
    states=le(chi_both, 2 * exp(-(excess**2) / 2)),
    given={chi_both: None, excess: half_line(0, closed=False), G: None},
    assuming=[NORMAL_VECTOR],
    rests_on=["classical.gaussian_lipschitz.tail", "classical.union"],
    discharging=dict.fromkeys(
        (NORMAL, LIPSCHITZ), "G is standard normal, and lengths are 1-Lipschitz"
    ),
    note=_NOTE,
)


def _one_side(given: Given, value: Any, by: Any) -> Theorem:
    """P(±|G| ≥ ±E|G| + t) ≤ e^(−t²/2), as ±|·| is 1-Lipschitz."""
    fact = given.fact("classical.gaussian_lipschitz.tail")
    at = {lipschitz_value: value, L: sp.Integer(1), deviation_of_value: by}
    return rules.instance(fact, at, over=ranges_of(value, by))


@TAIL.proved()
def norms_are_lipschitz(given: Given) -> Theorem:
    """Both tails by the union bound."""
    given.require(NORMAL_VECTOR)
    sides = [_one_side(given, sign * G_length, excess) for sign in (1, -1)]
    events = [one.statement.lhs.args[0] for one in sides]
    union = facts.union_bound(*events, over=ranges_of(excess))
    whole = stands_for("both tails", eq(chi_both, union.statement.lhs))
    return given.follows(*sides, union, whole, goal=stated(TAIL))


@TAIL.tested(over=st.tuples(st.integers(1, 2000), st.floats(1e-6, 8)))
def chi_tails(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact tails of the chi law on both sides."""
    size, t = case
    mean = mean_norm(size)
    low = max(0.0, mean - t)
    exact = float(gammaincc(size / 2, (mean + t) ** 2 / 2) + gammainc(size / 2, low * low / 2))
    return {chi_both: Rounded(min(exact, 1.0), 1e-9 * exact), excess: t}


TAIL_SHARP = TAIL.sharpened(
    "st.fact4.sharp",
    title="The upper tail with the rate function of a chi-square mean",
    states=le(
        chi_far,
        exp(-(excess**2) / 2 - d * (excess / sqrt(d) - log(1 + excess / sqrt(d)))),
    ),
    given=[chi_far, excess, d, G],
    assuming=[NORMAL_VECTOR],
    rests_on=["classical.chernoff"],
    discharging={INDEPENDENT_COPIES: "the d squares of the entries of G are independent copies"},
    note=_NOTE,
)


@TAIL_SHARP.proved()
def chernoff_for_squares(given: Given) -> Theorem:
    """‖G‖ ≥ √d + t is χ² ≥ d(1 + s)², s = t/√d; log(1 + s)² = 2 log(1 + s)."""
    given.require(NORMAL_VECTOR)
    s = excess / sqrt(d)
    fact = given.fact("classical.chernoff", "squares above")
    at = {chi_upper: chi_far, M: d, deviation_of_value: 2 * s + s**2}
    over = ranges_of(chi_far, d, excess)
    square = facts.logarithm_of_product(1 + s, 1 + s, over=ranges_of(d, excess))
    tail = rules.instance(fact, at, over=over)
    return weakened(tail, stated(TAIL_SHARP).rhs.args[0], square)


@TAIL_SHARP.tested(
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 10**6)), st.one_of(st.just(0.0), st.floats(0, 12))
    )
)
def chi_tails_over_the_rate(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact upper tails; -log P ~ the exponent for large t √d."""
    size, t = case
    exact = float(chi_tail(np.sqrt(size) + t, size))
    # The radius loses digits to t √d, and the tail likewise.
    return {chi_far: Rounded(exact, 1e-7 * exact), excess: t, d: size}


_NORMAL_VECTORS = Hypothesis(
    "normal_vectors",
    "each of the m vectors is a standard normal vector of dimension $d; they need not be"
    " independent",
    latex=r"G_i \sim \mathcal{N}(0, I_{$d})",
)

MAXIMUM = claim(
    "st.fact4.maximum",
    at=_FACT,
    title="The largest of m norms, by the tail on one side",
    states={
        "radius": implies(ge(r, sqrt(d) + sqrt(2 * log(m / delta))), ge(largest_chance, 1 - delta)),
        "any deviation": implies(
            both(ge(r, sqrt(d) + excess), ge(excess**2, 2 * log(m / delta))),
            ge(largest_chance, 1 - delta),
        ),
    },
    given=[r, m, d, delta, excess, largest_chance],
    assuming=[_NORMAL_VECTORS],
    rests_on=["classical.gaussian_lipschitz.tail", "classical.union", MEAN],
    discharging={
        **dict.fromkeys((NORMAL, LIPSCHITZ), "each G_i is normal, lengths are 1-Lipschitz"),
        NORMAL_VECTOR: "each G_i is standard normal",
    },
    note=_NOTE,
)


@MAXIMUM.proved("any deviation", "radius")
def one_sided_union(given: Given) -> Theorem:
    """P(|G| ≥ √d + t) ≤ P(|G| ≥ E|G| + t) ≤ e^(-t²/2), and m e^(-t²/2) ≤ δ if t² ≥ 2 log(m/δ)."""
    given.require(_NORMAL_VECTORS)
    over = ranges_of(G_length, r, m, delta, excess, largest_chance)
    one, quotient = _one_side(given, G_length, excess), m / delta
    exceed = sp.StrictGreaterThan(G_length, r, evaluate=False)
    union = stands_for(
        "m equally distributed lengths, by classical.union", le(1 - largest_chance, m * P(exceed))
    )
    farther = implies(ge(r, E(G_length) + excess), le(P(exceed), one.statement.lhs))
    monotone = rules.textbook("probabilities are monotone", farther, over=over)
    mean = stands_for("mean length", eq(_MEAN, E(G_length)))
    smaller = facts.exponential_increases(-log(quotient), -(excess**2) / 2, over=over)
    known = [one, union, monotone, mean, given.fact(MEAN, "bound"), smaller]
    goal = stated(MAXIMUM, "any deviation")
    whole = rules.follows(goal, known, over={**over, **ranges_of(d)})
    if given.part == "any deviation":
        return whole
    larger = facts.logarithm_increases(quotient, 1, over=ranges_of(m, delta))
    at = rules.instance(
        whole, {excess: sqrt(2 * log(quotient))}, over=over, under=[ge(log(quotient), 0)]
    )
    return given.follows(at, larger, goal=stated(MAXIMUM, "radius"))


_RADIUS = sqrt(d) + sqrt(2 * log(m / (2 * delta_prime)))
_START = (EVEN_WIDTH, PAIRED_HEADS, RANDOM_HEADS)

#: Definition 1 is about the radius itself; a larger one is as good.
EVENT_RADIUS = Hypothesis(
    "event_radius", "$r is at least the radius of Definition 1", ge(r, _RADIUS)
)

EVENT = claim(
    "st.def1",
    at=_DEFINITION,
    title="The probability of the event on which all analysis takes place",
    states=ge(start_chance, 1 - delta_prime),
    given={m: integers(2), **dict.fromkeys((r, d, delta_prime, start_chance, phi_0))},
    assuming=[*_START, EVENT_RADIUS],
    rests_on=[MAXIMUM],
    discharging={_NORMAL_VECTORS: "the first half of the read-out vectors is standard normal"},
    note=_NOTE,
)


@EVENT.proved()
def half_of_them(given: Given) -> Theorem:
    """Only m/2 norms are distinct: Fact 4 with m/2 for m and δ = δ'."""
    given.require(*_START)
    half = sp.Symbol("half", integer=True, positive=True)
    width = stands_for("the number of pairs", eq(m, 2 * half))
    quotient, least = m / (2 * delta_prime), ge(log(m / (2 * delta_prime)), 0)
    over = {**ranges_of(half, delta_prime, start_chance, r, d), m: integers(2)}
    at = {m: half, delta: delta_prime, largest_chance: start_chance}
    of_pairs = rules.instance(
        given.fact(MAXIMUM, "any deviation"),
        {**at, excess: sqrt(2 * log(quotient))},
        over=over,
        under=[least],
    )
    same = rules.follows(eq(half / delta_prime, quotient), [width], over=over)
    larger = facts.logarithm_increases(quotient, 1, over=over)
    logs = rules.follows(eq(log(half / delta_prime), log(quotient)), [same], over=over)
    return given.follows(of_pairs, logs, larger, goal=stated(EVENT))


@EVENT.tested(
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.sampled_from(["small", "middle", "large"]),
        st.floats(1e-12, 1 - 1e-12),
    )
)
def probability_of_the_event(case: tuple[int, int, str, float]) -> dict[Any, Any]:
    """The exact probability of E_U; m = 2, d = 1 and δ' near 0 and 1 included."""
    half, size, kind, chance = case
    missed = {"small": 1e-12, "middle": chance, "large": 1 - 1e-12}[kind]
    # The printed radius is good to a few units in the last place, and rounded up here.
    radius = float(printed_radius(size, 2 * half, missed)) * (1 + 1e-14)
    tail = float(chi_tail(radius, size))
    # Tails are good to 1e-10 of themselves; a radius of 0 is covered by one more case.
    outside = float(-np.expm1(half * np.log1p(-tail)))
    inside = Rounded(1 - outside, 1e-10 * outside + 2.0**-53)
    return {start_chance: inside, r: radius, m: 2 * half, d: size, delta_prime: missed}


EXACT = claim(
    "st.def1.exact",
    at=_DEFINITION,
    title="The exact probability of a bound on all norms",
    states=eq(start_chance, chi_within ** (m / 2)),
    given={m: integers(2), **dict.fromkeys((start_chance, chi_within, phi_0))},
    assuming=_START,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXACT.argued(
    bridge="The maximum over all heads is that over one half of them, whose norms are independent,"
    " so that the probabilities of m/2 equal events multiply.",
    uses=_START,
)
def independent_halves(given: Given) -> Obligations:
    """The maximum of doubled numbers, and the product of probabilities, up to four pairs."""
    for half in range(1, 5):
        lengths = sp.symbols(f"u0:{half}", positive=True)
        yield f"maximum, m = {2 * half}", bool(sp.Max(*lengths * 2) == sp.Max(*lengths))
        found = given.goal.rhs.subs(m, 2 * half)
        yield f"product, m = {2 * half}", equal(found, sp.Mul(*[chi_within] * half))


@EXACT.estimated(draws=600, controls={})
def initialisations(rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies at the radius of probability one half, for four shapes."""
    for heads, size in ((2, 1), (4, 3), (8, 2), (16, 8)):
        radius = exact_radius(size, heads, 0.5)
        largest = [
            np.linalg.norm(symmetric_initialisation(heads, size, rng).U, axis=1).max()
            for _ in range(draws)
        ]
        yield mean_test((np.array(largest) <= radius).astype(float), within(radius, size, heads))


_EXPERIMENT = r"r \in ($low, $high) \text{ at } m = $width"

SHARP = EVENT.sharpened(
    "st.def1.sharp",
    title="The smallest radius, and what it is in the experiments of Section 6.1",
    states={
        "equation": iff(
            eq(start_chance, 1 - delta_prime),
            eq(1 - chi_within, 1 - (1 - delta_prime) ** (2 / m)),
        ),
        "smallest": implies(
            sp.StrictLessThan(chi_within, (1 - delta_prime) ** (2 / m), evaluate=False),
            sp.StrictLessThan(start_chance, 1 - delta_prime, evaluate=False),
        ),
        "eight heads": sentence(
            _EXPERIMENT + r" \quad (d = $dimension,\ \delta' = $chance)",
            low=Fraction(440, 100),
            high=Fraction(441, 100),
            width=8,
            dimension=8,
            chance=Fraction(1, 20),
        ),
        "256 heads": sentence(
            _EXPERIMENT + r" \quad (d = $dimension,\ \delta' = $chance)",
            low=Fraction(533, 100),
            high=Fraction(534, 100),
            width=256,
            dimension=8,
            chance=Fraction(1, 20),
        ),
    },
    given={m: integers(2), **dict.fromkeys((start_chance, chi_within, delta_prime, phi_0))},
    assuming=_START,
    rests_on=[EXACT],
    note=_NOTE,
)


def _roots() -> Theorem:
    """p^(m/2) against y = 1 − δ′ is p against y^(2/m)."""
    power, root = chi_within ** (m / 2), (1 - delta_prime) ** (2 / m)
    both_ways = both(
        iff(eq(power, 1 - delta_prime), eq(chi_within, root)),
        iff(lt(power, 1 - delta_prime), lt(chi_within, root)),
    )
    over = {**ranges_of(chi_within, delta_prime), m: integers(2)}
    return rules.textbook("powers of numbers from 0 on increase, with roots", both_ways, over=over)


@SHARP.proved("equation", "smallest")
def solve_for_one_norm(given: Given) -> Theorem:
    """p^(m/2) = 1 - δ' at p = (1 - δ')^(2/m), and it increases."""
    return given.follows(given.fact(EXACT), _roots(), goal=stated(SHARP, given.part))


@SHARP.argued(
    "eight heads",
    "256 heads",
    bridge="The probability increases with the radius, and is continuous.",
)
def radii_of_the_experiments(
    low: Any, high: Any, width: Any, dimension: Any, chance: Any
) -> Obligations:
    """The probability crosses 1 - δ' between two radii, in balls."""
    wanted = 1 - _ball(chance)
    inside = within(_ball(low), _ball(dimension), _ball(width))
    yield "below", bool(inside < wanted)
    outside = within(_ball(high), _ball(dimension), _ball(width))
    yield "above", bool(outside > wanted)


def _ball(value: Any) -> arb:
    number = Rational(value)
    return arb(int(number.p)) / int(number.q)


BOUNDED = claim(
    "st.sec5.running_maximum",
    at="Section 5.2",
    title="The running maximum of the norms stays bounded with high probability, for all widths",
    states=sentence(
        r"\forall $delta_prime\ \exists $r\ \forall $m: \quad"
        r" \mathbb{P}\Bigl(\max_{i \in [m]}\|U_i\|_2 \le $r\Bigr) \ge $one - $delta_prime"
        r" \text{ at } $phi_0",
        one=1,
    ),
    given={m: integers(2), **dict.fromkeys((r, delta_prime, phi_0))},
    assuming=(PAIRED_HEADS, RANDOM_HEADS),
    rests_on=[EXACT],
    discharging={EVEN_WIDTH: "for all even widths"},
    note=_NOTE,
)


@BOUNDED.refuted(severity=Severity.DEPENDENCE)
def probabilities_vanish(one: Any) -> Obligations:
    """d = 2: (1 - e^(-R²/2))^(m/2) → 0 for every fixed R; it does not if R² grows as 2 log m."""
    width, fixed = sp.symbols("m R", positive=True)
    base = 1 - exp(-(fixed**2) / 2)
    yield "base below 1 for every R", (Rational(one) - base).is_positive
    sample = (base ** (width / 2)).subs(fixed, 3)
    yield "limit at R = 3", bool(sp.limit(sample, width, sp.oo) == 0)
    growing = (1 - exp(-(fixed**2 + 2 * log(width)) / 2).simplify()) ** (width / 2)
    yield "no limit 0 for a growing one", bool(sp.limit(growing.subs(fixed, 3), width, sp.oo) > 0)


GROWTH = BOUNDED.corrected(
    "st.sec5.running_maximum.corrected",
    title="The running maximum of the norms grows as the root of 2 log m",
    states=sentence(
        r"\lim_{$m\to\infty}\mathbb{P}\Bigl(\sqrt{$below\,\log $m}"
        r" \le \max_{i \in [m]}\|U_i\|_2"
        r" \le \sqrt{$d} + \sqrt{$above\,\log $m}\Bigr) = $limit"
        r" \text{ at } $phi_0",
        below=2 * (1 - accuracy),
        above=2 * (1 + accuracy),
        limit=1,
    ),
    given={m: integers(2), **dict.fromkeys((d, accuracy, phi_0))},
    assuming=_START,
    discharging={EVENT_RADIUS: "at the radius of the definition, for δ′ that depends on m"},
    rests_on=[EVENT, EXACT],
    note=_NOTE,
)


@GROWTH.argued(
    bridge="P(max ≤ x) ≤ exp(-(m/2)P(|g| > x)) with P(|g| > x) ≥ (2/√(2π)) x/(1 + x²) e^(-x²/2),"
    " and m/2 times the bound of st.fact4 above.",
    uses=_START,
)
def one_coordinate_and_a_union(below: Any, above: Any, limit: Any) -> Obligations:
    """With L = log m: (m/2) P(|g| > x) → ∞ below, (m/2) e^(-t²/2) → 0 above, for every ε."""
    level, near, low, high = sp.symbols("L near low high", positive=True)
    share = {accuracy: near / (1 + near)}  # any ε between 0 and 1
    many, few = (sp.simplify((1 - one / 2).subs(share)) for one in (below, above))
    yield "exponent below", many.is_positive
    norms = exp(low * level) * sqrt(high * level) / (1 + high * level)
    yield "many norms are larger", bool(sp.limit(norms, level, sp.oo) == sp.oo)
    yield "exponent above", few.is_negative
    yield "none is larger", bool(sp.limit(exp(-low * level), level, sp.oo) == 0)
    yield "all of the probability", bool(Rational(limit) == 1)
    slowest = [sp.limit(one, near, 0) for one in (many, few)]
    yield "no smaller exponents would do", bool(slowest == [0, 0])
