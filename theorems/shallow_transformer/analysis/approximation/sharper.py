"""Lemma 5, sharper: better constants, the best leading one, and a shorter proof."""

from functools import partial
from math import comb
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Rational, Symbol, exp, log, sqrt

from symbolic.equality import equal
from theorems.classical import functions
from theorems.classical.steps import positive_moment
from theorems.engine import Given, Hypothesis, Obligations, Provenance, eq, ge, gt, le, lt, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import randoms
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.approximation.error_bound import (
    LEMMA,
    ROOT,
    likely,
    positive_logarithm,
    union_over_the_samples,
)
from theorems.shallow_transformer.analysis.approximation.pairs_of_heads import RANDOM, u_part
from theorems.shallow_transformer.analysis.approximation.tail import hoelder_for_three_parts, tail_of_the_mean
from theorems.shallow_transformer.analysis.approximation.w_part import (
    SYMMETRISED,
    centred_by_cosh,
    cosh_of,
    increasing_cosh,
    jensen_for_cosh,
    normal_cosh,
    taken_apart,
)
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import (
    Y_R,
    Z_R,
    error_app,
    g_bar,
    g_c,
    g_u,
    g_w,
    log_moment,
    moved_size,
)
from theorems.shallow_transformer.letters.paper import claim, delta, m, n
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.means import (
    COORDINATE,
    SHARE,
    in_the_mean,
    length_by_tokens,
    what_it_says,
)
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, called, letters, positive, stated, total
from theorems.shallow_transformer.premises.parabolas import largest_displacement

_NOTE = "proofs_notes/st_approximation.md#lemma-5"
_AT = "Lemma 5"


_SHARP_SUM = of.C_PART + of.U_PART + sqrt(of.K) * of.W_PART

SHARP = LEMMA.sharpened(
    "st.lem5.sharp",
    title="Approximation error with the best proxy of each part",
    states={
        "bound": likely(2 * ROOT * _SHARP_SUM),
        "number": lt(sqrt(of.K), Rational(126836, 100000)),
        "gain at equal parts": lt(2 * (2 + sqrt(of.K)) / 12, Rational(55, 100)),
    },
    given=letters(error_app, m, n, delta, of.K, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=["st.lem5.mgf.sharp", "classical.hoeffding_lemma", "st.lem5.bounded", "classical.union"],
    discharging={
        hyp.NORMAL_READ_OUT: "the heads are normal, and tr M ≤ 1 by st.fact3",
        hyp.DOMINATED: "st.lem5.bounded with s = σ_1 ν_w",
    },
    note=_NOTE,
)


@SHARP.proved("bound")
def hoelder_with_best_proxies(given: Given) -> Theorem:
    """Hölder with p_l = S/s_l for s_w = √K* σ₁ν̄_w, then as printed."""
    given.require(*RANDOM)
    size = Symbol("s_w", positive=True)
    moment = stated(SYMMETRISED, "bound").lhs
    over = in_networks(moment, size, log_moment)
    logs = NETWORKS.meaning("the log-moment", eq(log_moment, log(moment)), under=[gt(moment, 0)])
    top = of.multiplier**2 * size**2 / 2
    scaled = NETWORKS.substituted(given.fact("st.lem5.mgf.sharp", "bound"), {of.scale: size / sqrt(of.K)})
    grows = facts.logarithm_increases(exp(top), moment, under=[gt(moment, 0)])
    positive_ = positive_moment(of.multiplier * Y_R, over)
    w_part = NETWORKS.follows(scaled, logs, grows, positive_, goal=le(moment, exp(top)))
    parts, root = (
        [Symbol(f"s_{name}", positive=True) for name in "cuw"],
        Symbol("root of K*", positive=True),
    )
    whole = dict(zip(parts, (of.C_PART, of.U_PART, root * of.W_PART), strict=True))
    sub_gaussian = NETWORKS.substituted(hoelder_for_three_parts(given, w_part), whole)
    proxy = of.C_PART + of.U_PART + root * of.W_PART
    likely_ = union_over_the_samples(given, tail_of_the_mean(given, sub_gaussian, proxy), proxy)
    return given.concluded(NETWORKS.substituted(likely_, {root: sqrt(of.K)}))


@SHARP.proved("number", "gain at equal parts")
def from_the_bound_of_the_proxy(given: Given) -> Theorem:
    """K* < 1.60873."""
    return given.concluded(given.fact("st.lem5.mgf.sharp", "value"))


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
_SPECIAL = (*hyp.RANDOM_START, ONE_SAMPLE, CONSTANT_ACTIVATION, SIGN_MAP)

_CERTAIN = "true as well: both sides of the event are zero, so that its probability is one"

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
    rests_on=["st.lem5.pairs"],
    discharging=dict.fromkeys(RANDOM[len(hyp.RANDOM_START) :], "the special network meets it"),
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "sides": "log(2/delta) and log(1/delta) have the ratio 1 in the limit, so that any number"
        " of sides will do",
        "domain of eps_app": "true as well: an absolute value is not negative",
        "domain of delta": "true as well: the limit is about small positive delta",
        "domain of m": "true as well: the limit is about large widths",
        "domain of sigma_0": _CERTAIN,
        "domain of nu_c": _CERTAIN,
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
_DIRECT = of.C_PART + of.sigma_1 * _DISPLACEMENT
_CENTRED = exp(of.multiplier * (g_bar - E(g_bar)))

DIRECT = claim(
    "st.lem5.direct",
    at=_AT,
    title="The printed bound in one step, and sharper, for g as a whole",
    states={
        "moment": le(E(_CENTRED), exp(2 * of.multiplier**2 * _DIRECT**2)),
        "at most the sum": le(_DISPLACEMENT, of.nu_u + of.nu_w),
        "bound": likely(4 * ROOT * _DIRECT),
    },
    given=letters(error_app, g_bar, of.multiplier, m, n, delta, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=[
        "st.lem5.bounded",
        SYMMETRISED,
        "st.eq20",
        "st.fact3.sharp",
        "st.lem6.f.sharp",
        "classical.union",
    ],
    discharging={
        hyp.NORMAL_READ_OUT: "the heads are normal, and tr M ≤ 1 - |a|² by st.fact3.sharp",
        **dict.fromkeys(
            (hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET), "of st.lem6.f.sharp only the function ℓ is used"
        ),
        hyp.DOMINATED: "only the copy of a variable is used of st.lem5.mgf",
        hyp.COPY: "there is one",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_TOP = Symbol("bound of g", positive=True)


def _size_of_g(given: Given, value: Symbol) -> list[Theorem]:
    """|g| ≤ b + s|MU| ≤ b + sΣμ_i|u_i|, b = σ₀ν̄_c + σ₁|a|ν̄_u and s = σ₁ν̄_w."""
    signed = [Symbol(f"{name}-part of g, signed", real=True) for name in "cuw"]
    parts = NETWORKS.meaning(
        "g as a sum of its parts",
        eq(value, sum(signed)),
        *(eq(Abs(part), size) for size, part in zip((g_c, g_u, g_w), signed, strict=True)),
    )
    bounds = [given.fact("st.lem5.bounded", "c"), u_part(given), given.fact("st.lem5.bounded", "w")]
    near = le(Abs(value), of.C_PART + of.sigma_1 * of.a_size * of.nu_u + of.W_PART * moved_size)
    return [NETWORKS.follows(parts, *bounds, goal=near), *length_by_tokens(moved_size)]


def _convex(value: Expr, gaussian: Expr, p: Expr, q: Expr) -> Theorem:
    """A mean of a value, of a larger one that is at least 1, and of 1 is at most the larger one."""
    names = [Symbol(f"value of {name}", real=True) for name in ("cosh", "its bound")]
    weights = [Symbol(f"weight {name}", nonnegative=True) for name in "pq"]
    (one, top), (first, second) = names, weights
    goal = le(first * one + second * top + 1 - first - second, top)
    where = [le(one, top), ge(top, 1), le(first + second, 1)]
    return NETWORKS.substituted(
        NETWORKS.follows(goal=goal, under=where), {one: value, top: gaussian, first: p, second: q}
    )


def _given_attention(given: Given, rate: Any) -> Theorem:
    """E cosh(tg) ≤ e^(t²B²/2) given W: |g| ≤ b + s|MU|, and Jensen's inequality for cosh.

    b + s|MU| is a mean of B, of the B|U_i| and of 0, with the weights b/B and sμ_i/B.
    """
    given.require(*RANDOM)
    b, scaled = of.C_PART + of.sigma_1 * of.a_size * of.nu_u, rate * _TOP
    fixed, moved, share = b / _TOP, of.W_PART * of.M_trace / _TOP, of.W_PART * SHARE(t) / _TOP
    value, g = Symbol("value of g given W", real=True), Random("g given W")
    sizes_ = _size_of_g(given, value)
    jensen = jensen_for_cosh(scaled, fixed, sp.S.One, share)
    (inside,) = jensen.under
    far = _TOP * (fixed + total(share * Abs(COORDINATE(t)), t, of.T))
    apart = taken_apart(far, inside)
    known = NETWORKS.follows(*sizes_, *apart, goal=le(Abs(value), far))
    larger = le(cosh_of(rate, value), jensen.statement.rhs)
    pointwise = NETWORKS.follows(
        known, jensen, increasing_cosh(rate, value, far), goal=larger, under=[inside]
    )
    normals, moments = normal_cosh(scaled)
    means = in_the_mean(pointwise, {value: g, COORDINATE: normals})
    gaussian, constant = exp(scaled**2 / 2), cosh_of(scaled, sp.S.One)
    term = eq(share * E(cosh_of(scaled, normals(t))), share * gaussian)
    each = added(NETWORKS.follows(moments, goal=term), t, of.T)
    fits = le(fixed + moved, 1)
    weights = NETWORKS.follows(*apart, sizes_[-1], goal=inside, under=[fits])
    mixed = le(E(cosh_of(rate, g)), fixed * constant + moved * gaussian + 1 - fixed - moved)
    known_ = [means, each, weights, sizes_[-1], *taken_apart(means.statement, each.statement)]
    first = NETWORKS.follows(*known_, goal=mixed, under=[fits])
    covered = functions.cosh_below_bell(scaled)
    tangent = facts.exponential_above_tangent(scaled**2 / 2)
    least = NETWORKS.follows(tangent, goal=ge(gaussian, 1))
    goal = le(E(cosh_of(rate, g)), gaussian)
    last = [first, covered, least, _convex(constant, gaussian, fixed, moved)]
    return NETWORKS.follows(*last, goal=goal, under=[fits])


def _moment_of_the_whole(given: Given) -> Theorem:
    """E e^(λ(g - Eg)) ≤ E cosh(2λg) ≤ e^(2λ²B²), at every length x of the pooled token."""
    where, x = [eq(_TOP, _DIRECT)], of.a_size
    trace = what_it_says(given, "st.fact3.sharp", le(of.M_trace, 1 - x**2))
    short = NETWORKS.follows(trace, goal=le(x, 1))
    slope = le(x * of.nu_u + of.M_trace * of.nu_w, _DISPLACEMENT)
    parts = NETWORKS.follows(trace, short, largest_displacement(of.nu_u, of.nu_w, x), goal=slope)
    conditional = _given_attention(given, 2 * of.multiplier)
    (inside,) = conditional.under
    fits = NETWORKS.follows(parts, goal=inside, under=where)
    mean, whole = Symbol("mean of cosh(tg) given W", real=True), cosh_of(2 * of.multiplier, g_bar)
    names = NETWORKS.meaning("the mean for a fixed W", eq(mean, conditional.statement.lhs))
    pointwise = NETWORKS.follows(
        conditional, fits, names, goal=le(mean, conditional.statement.rhs), under=where
    )
    drawn = randoms("mean given W")(of.multiplier)
    outer = in_the_mean(pointwise, {mean: drawn})
    tower = NETWORKS.meaning("the mean given W, which has the mean of the whole", eq(E(drawn), E(whole)))
    copies = partial(NETWORKS.meaning, "a copy of Y, independent of it")
    centred = NETWORKS.substituted(centred_by_cosh(copies), {Y_R: g_bar})
    goal = le(E(_CENTRED), exp(2 * of.multiplier**2 * _TOP**2))
    return NETWORKS.follows(centred, tower, outer, goal=goal, under=where)


def _at_the_bound(given: Given, theorem: Theorem) -> Theorem:
    """What holds for B if it is equal to the bound of g, for this bound, which is positive."""
    where = [gt(_DISPLACEMENT, 0)]
    there = NETWORKS.substituted(theorem, {_TOP: _DIRECT}, under=where)
    known = [positive(_DISPLACEMENT), positive_logarithm()]
    return given.follows(there, *known, goal=there.statement)


@DIRECT.proved("moment")
def mean_of_the_whole(given: Given) -> Theorem:
    """Bound the exponential moment by the mean of cosh, for g as a whole."""
    return _at_the_bound(given, _moment_of_the_whole(given))


@DIRECT.proved("bound")
def chernoff_for_the_whole(given: Given) -> Theorem:
    """Chernoff's bound as printed, with 2B for S."""
    moment = _moment_of_the_whole(given)
    same_law = NETWORKS.meaning("Z at a pair", eq(E(exp(of.multiplier * Z_R)), E(_CENTRED)))
    goal = le(E(exp(of.multiplier * Z_R)), moment.statement.rhs)
    where = moment.under
    of_pair = NETWORKS.follows(moment, same_law, goal=goal, under=where)
    tail = tail_of_the_mean(given, of_pair, 2 * _TOP)
    return _at_the_bound(given, union_over_the_samples(given, tail, 2 * _TOP))


@DIRECT.proved("at most the sum")
def ends_of_the_parabola(given: Given) -> Theorem:
    """Each term is largest at one end."""
    return given.concluded(*called(_DISPLACEMENT))
