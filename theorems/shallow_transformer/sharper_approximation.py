"""Lemma 5, sharper: better constants, the best leading one, and a shorter proof."""

from __future__ import annotations

from math import comb
from typing import Any

import sympy as sp
from sympy import Rational, Symbol, exp, log, sqrt

from symbolic.equality import equal
from theorems.classical.hypotheses import INDEPENDENT_COPIES
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    claims_in,
    eq,
    ge,
    gt,
    implies,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.approximation import (
    LEMMA,
    likely,
    positive_logarithm,
    union_over_the_samples,
)
from theorems.shallow_transformer.approximation_proof import BOUNDED, HOEFFDING, PAIRS, RANDOM
from theorems.shallow_transformer.approximation_tail import (
    BY_PARTS,
    hoelder_for_three_parts,
    tail_of_the_mean,
)
from theorems.shallow_transformer.best_proxy import BEST
from theorems.shallow_transformer.deviation_letters import (
    Y_R,
    Z_R,
    error_app,
    g_bar,
    log_moment,
)
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_HEADS,
    DOMINATED,
    IN_FEASIBLE_SET,
    NORMAL_READ_OUT,
    RANDOM_START,
)
from theorems.shallow_transformer.letters import LETTERS, delta, m, n
from theorems.shallow_transformer.mean_premises import (
    in_the_mean,
    largest_displacement,
    what_it_says,
)
from theorems.shallow_transformer.premises import (
    called,
    letters,
    over,
    positive,
    stands_for,
    stated,
)
from theorems.shallow_transformer.w_part import MOMENTS, SYMMETRISED, centred_by_cosh, cosh_of

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_approximation.md#lemma-5"
_AT = "Lemma 5"
_C, _U, _W = of.sigma_0 * of.nu_c, of.sigma_1 * of.nu_u, of.sigma_1 * of.nu_w
_LOG = log(2 * n / delta)
_ROOT = sqrt(_LOG / m)
_CONSTANTS = (of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w)


_SHARP_SUM = _C + _U + sqrt(of.K) * _W

SHARP = LEMMA.sharpened(
    "st.lem5.sharp",
    title="Approximation error with the best proxy of each part",
    states={
        "bound": likely(2 * _ROOT * _SHARP_SUM),
        "number": lt(sqrt(of.K), Rational(126836, 100000)),
        "gain at equal parts": lt(2 * (2 + sqrt(of.K)) / 12, Rational(55, 100)),
    },
    given=letters(error_app, m, n, delta, of.K, *_CONSTANTS, under=RANDOM),
    assuming=RANDOM,
    rests_on=[
        *(BEST, HOEFFDING, PAIRS, BOUNDED, "st.fact3", "classical.chernoff", "classical.union")
    ],
    discharging={
        **BY_PARTS,
        INDEPENDENT_COPIES: "each Z_i is a function of one pair of heads, which are independent",
    },
    note=_NOTE,
)


@SHARP.proved("bound")
def hoelder_with_best_proxies(given: Given) -> Theorem:
    """Hölder with p_l = S/s_l for s_w = √K* σ₁ν̄_w, then as printed."""
    given.require(*RANDOM)
    size = Symbol("s_w", positive=True)
    moment = stated(SYMMETRISED, "bound").lhs
    logs = stands_for("the log-moment", eq(exp(log_moment), moment))
    top = of.multiplier**2 * size**2 / 2
    scaled = rules.instance(
        given.fact(BEST, "bound"), {of.scale: size / sqrt(of.K)}, over=over(size, of.K)
    )
    grows = facts.exponential_increases(top, log_moment, over=over(top, log_moment))
    goal = le(moment, exp(top))
    w_part = rules.follows(goal, [scaled, logs, grows], over=over(goal, log_moment, of.K))
    parts, root = (
        [Symbol(f"s_{name}", positive=True) for name in "cuw"],
        Symbol("root of K*", positive=True),
    )
    whole = dict(zip(parts, (_C, _U, root * _W), strict=True))
    general = hoelder_for_three_parts(given, w_part)
    sub_gaussian = rules.instance(general, whole, over=over(*whole.values()))
    proxy = _C + _U + root * _W
    likely_ = union_over_the_samples(tail_of_the_mean(given, sub_gaussian, proxy), proxy)
    return rules.instance(likely_, {root: sqrt(of.K)}, over=over(of.K))


@SHARP.proved("number", "gain at equal parts")
def from_the_bound_of_the_proxy(given: Given) -> Theorem:
    """K* < 1.60873."""
    return given.follows(given.fact(BEST, "value"), goal=stated(SHARP, given.part))


ONE_SAMPLE = Hypothesis("one_sample", "there is one sample")
CONSTANT_ACTIVATION = Hypothesis(
    "constant_activation",
    "the activation is constant with the value $sigma_0",
    latex=r"$sigma \equiv $sigma_0",
)
SIGN_MAP = Hypothesis(
    "sign_map",
    "the c-part of the map $v is $nu_c times the sign of the first entry of U, the others vanish",
    latex=r"{$v}_c = $nu_c\operatorname{sgn}U_1,\ {$v}_u = {$v}_w = 0",
)
_SPECIAL = (*RANDOM_START, ONE_SAMPLE, CONSTANT_ACTIVATION, SIGN_MAP)

LEADING = claim(
    "st.lem5.leading",
    at=_AT,
    title="The leading constant 2 is the best",
    states=sentence(
        r"\lim_{$delta \to 0}\lim_{$m \to \infty}\frac{\mathbb{P}\bigl($eps_app \ge c\,"
        r"$sigma_0 $nu_c \sqrt{\log($sides/$delta)/$m}\bigr)}{$delta} = \infty"
        r"\quad\text{for every}\quad c < $top",
        sides=2,
        top=2,
    ),
    given=letters(of.eps_app, delta, m, of.sigma_0, of.nu_c, under=_SPECIAL),
    assuming=_SPECIAL,
    rests_on=[PAIRS],
    discharging=dict.fromkeys(RANDOM[len(RANDOM_START) :], "the special network meets it"),
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "sides": "log(2/delta) and log(1/delta) have the ratio 1 in the limit, so that any number"
        " of sides will do"
    },
)


@LEADING.argued(
    bridge="The mean of m/2 signs tends to a normal variable of variance 2/m (central limit), and"
    " erfc(y) ≥ (2/√π)y e^(-y²)/(1 + 2y²) bounds its tail from below.",
    uses=_SPECIAL,
)
def central_limit(sides: Any, top: Any) -> Obligations:
    """P/δ → erfc(cx/2)/(s e^(-x²)) with x² = log(s/δ), which tends to infinity for c < 2 only."""
    x, c = sp.Symbol("x", positive=True), sp.Symbol("c", positive=True)
    width = sp.Symbol("m", positive=True)
    yield "variance", equal(c * x / sqrt(width) / sqrt(2 / width) / sqrt(2), c * x / 2)
    for share in (Rational(99, 100), Rational(1, 2)):
        y = sp.nsimplify(top) * share * x / 2
        least = 2 * y / (1 + 2 * y**2) * sp.exp(x**2 - y**2) / sqrt(sp.pi) / sp.nsimplify(sides)
        yield f"c = {share} of the best", bool(sp.limit(least, x, sp.oo) == sp.oo)
    gain = 1 - c**2 / 4
    yield "no gain at the best", equal(gain.subs(c, sp.nsimplify(top)), sp.S.Zero)


@LEADING.argued(bridge="An exact case beside the limit, which does not need it.", uses=_SPECIAL)
def a_thousand_heads() -> Obligations:
    """m = 1000, δ = 10^(-20): the exact probability exceeds δ at c = 19/10."""
    half, chance = 500, Rational(1, 10**20)
    t = Rational(19, 10) * sqrt(log(2 / chance) / (2 * half))
    least = int(sp.ceiling(half * (1 + t) / 2))
    tail = 2 * sum(comb(half, j) for j in range(least, half + 1))
    yield "binomial tail", bool(Rational(tail, 2**half) > chance)


_DISPLACEMENT = of.displacement(of.nu_u, of.nu_w)
_DIRECT = _C + of.sigma_1 * _DISPLACEMENT
_CENTRED = exp(of.multiplier * (g_bar - E(g_bar)))

DIRECT = claim(
    "st.lem5.direct",
    at=_AT,
    title="The printed bound in one step, and sharper, for g as a whole",
    states={
        "moment": le(E(_CENTRED), exp(2 * of.multiplier**2 * _DIRECT**2)),
        "at most the sum": le(_DISPLACEMENT, of.nu_u + of.nu_w),
        "bound": likely(4 * _ROOT * _DIRECT),
    },
    given=letters(error_app, g_bar, of.multiplier, m, n, delta, *_CONSTANTS, under=RANDOM),
    assuming=RANDOM,
    rests_on=[
        BOUNDED,
        SYMMETRISED,
        MOMENTS,
        "st.fact3.sharp",
        "st.lem6.f.sharp",
        "classical.chernoff",
    ],
    discharging={
        NORMAL_READ_OUT: "the heads are normal, and tr M ≤ 1 - |a|² by st.fact3.sharp",
        **dict.fromkeys(
            (BOUNDED_HEADS, IN_FEASIBLE_SET), "of st.lem6.f.sharp only the function ℓ is used"
        ),
        DOMINATED: "only the copy of a variable is used of st.lem5.mgf",
        INDEPENDENT_COPIES: "each Z_i is a function of one pair of heads, which are independent",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_TOP = Symbol("bound of g", positive=True)


def _given_attention(given: Given, rate: Any) -> Theorem:
    """E cosh(tg) ≤ e^(t²B²/2) given W: |g| ≤ b + s|MU|, and Jensen's inequality for cosh.

    b + s|MU| is a mean of B, of the B|U_i| and of 0, with the weights b/B and sμ_i/B.
    """
    b = _C + of.sigma_1 * of.x * of.nu_u
    fixed, moved = b / _TOP, _W * of.M_trace / _TOP
    mean = Symbol("mean of cosh(tg) given W", real=True)
    gaussian, constant = exp(rate**2 * _TOP**2 / 2), cosh_of(rate, _TOP)
    inside = le(b + _W * of.M_trace, _TOP)
    sides = fixed * constant + moved * gaussian + 1 - fixed - moved
    for one in RANDOM:
        given.require(one)
    jensen = rules.textbook(
        "Jensen's inequality for cosh, whose mean at a normal variable is that of its exponential",
        implies(inside, le(mean, sides)),
        over=over(mean, sides),
    )
    covered = rules.textbook("cosh(t) ≤ exp(t²/2)", le(constant, gaussian), over=over(constant))
    tangent = facts.exponential_above_tangent(rate**2 * _TOP**2 / 2, over=over(rate, _TOP))
    least = rules.follows(ge(gaussian, 1), [tangent], over=over(gaussian))
    goal = le(mean, gaussian)
    value, below = Symbol("value of cosh", real=True), Symbol("its bound", real=True)
    p, q = (Symbol(f"weight {name}", nonnegative=True) for name in "pq")
    convex = le(p * value + q * below + 1 - p - q, below)
    where = [le(value, below), ge(below, 1), le(p + q, 1)]
    general = rules.follows(convex, over=over(convex), under=where)
    at = {value: constant, below: gaussian, p: fixed, q: moved}
    there = rules.instance(general, at, over=over(sides, inside))
    share = rules.follows(le(fixed + moved, 1), over=over(fixed, moved), under=[inside])
    known = [jensen, covered, least, there, share]
    return rules.follows(goal, known, over=over(goal, sides), under=[inside])


def _moment_of_the_whole(given: Given) -> Theorem:
    """E e^(λ(g - Eg)) ≤ E cosh(2λg) ≤ e^(2λ²B²), at every length x of the pooled token."""
    where = [eq(_TOP, _DIRECT)]
    trace = what_it_says(given, "st.fact3.sharp", le(of.M_trace, 1 - of.a_size**2))
    place = stands_for("the length of the pooled token", eq(of.x, of.a_size))
    slope = le(of.x * of.nu_u + of.M_trace * of.nu_w, _DISPLACEMENT)
    largest = largest_displacement(of.nu_u, of.nu_w)
    parts = rules.follows(slope, [trace, place, largest], over=over(slope, of.a_size))
    conditional = _given_attention(given, 2 * of.multiplier)
    inside = next(iter(conditional.under))
    fits = rules.follows(inside, [parts], over=over(inside, *where), under=where)
    statement = conditional.statement
    known = [conditional, fits]
    pointwise = rules.follows(statement, known, over=over(statement, inside, *where), under=where)
    mean = in_the_mean(pointwise, {statement.lhs: Random("mean given W")})
    whole = cosh_of(2 * of.multiplier, g_bar)
    tower = stands_for("the mean given W", eq(E(whole), mean.statement.lhs))
    centred = rules.instance(centred_by_cosh(), {Y_R: g_bar}, over=over(g_bar))
    goal = le(E(_CENTRED), exp(2 * of.multiplier**2 * _TOP**2))
    return rules.follows(goal, [centred, tower, mean], over=over(goal, *where), under=where)


def _at_the_bound(given: Given, theorem: Theorem) -> Theorem:
    """What holds for B if it is equal to the bound of g, for this bound, which is positive."""
    where = [gt(_DISPLACEMENT, 0)]
    there = rules.instance(theorem, {_TOP: _DIRECT}, over=over(_DIRECT), under=where)
    known = [positive(_DISPLACEMENT), positive_logarithm()]
    return given.follows(there, *known, goal=there.statement)


@DIRECT.proved("moment")
def mean_of_the_whole(given: Given) -> Theorem:
    """By the mean of cosh, for g as a whole."""
    return _at_the_bound(given, _moment_of_the_whole(given))


@DIRECT.proved("bound")
def chernoff_for_the_whole(given: Given) -> Theorem:
    """As printed, with 2B for S."""
    moment = _moment_of_the_whole(given)
    same_law = stands_for("Z at a pair", eq(E(exp(of.multiplier * Z_R)), E(_CENTRED)))
    goal = le(E(exp(of.multiplier * Z_R)), moment.statement.rhs)
    where = moment.under
    of_pair = rules.follows(goal, [moment, same_law], over=over(goal, *where), under=where)
    tail = tail_of_the_mean(given, of_pair, 2 * _TOP)
    return _at_the_bound(given, union_over_the_samples(tail, 2 * _TOP))


@DIRECT.proved("at most the sum")
def ends_of_the_parabola(given: Given) -> Theorem:
    """Each term is largest at one end."""
    goal = stated(DIRECT, "at most the sum")
    return given.follows(*called(_DISPLACEMENT), goal=goal)
