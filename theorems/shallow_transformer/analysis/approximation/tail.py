"""Lemma 5, proof (Appendix A.6): the parts together, and the tail of the mean over pairs."""

from functools import cache, partial
from typing import Any

import sympy as sp
from sympy import Abs, Or, Symbol, exp

from theorems.classical.letters import cumulant
from theorems.classical.letters import x as level_of_mean
from theorems.classical.means_of_copies import RATE, Copies
from theorems.engine import Given, eq, ge, iff, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities
from theorems.shallow_transformer.analysis.approximation.pairs_of_heads import RANDOM, moment_of_a_part
from theorems.shallow_transformer.analysis.approximation.w_part import MOVED, VALUE, centred_moment
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS, RANDOM_HEADS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import Y_R, Z_R, Z_mean, g_c, g_u, g_w, moved_size
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.premises.means import what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import letters, what_is_assumed

_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_LAMBDA = of.multiplier

PROXY_SUM = of.C_PART + of.U_PART + 2 * of.W_PART

HOELDER = claim(
    "st.lem5.hoelder",
    at=_AT,
    title="The three parts together, by Hölder's inequality",
    states=le(E(exp(_LAMBDA * Z_R)), exp(_LAMBDA**2 * PROXY_SUM**2 / 2)),
    given=letters(_LAMBDA, Z_R, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=["classical.hoeffding_lemma", "st.lem5.bounded", "st.fact3"],
    note=_NOTE,
)


_PARTS = [Symbol(f"s_{name}", positive=True) for name in "cuw"]
WHOLE = Symbol("proxy of the sum", positive=True)


def _surely_small(given: Given, part: Random, letter: Symbol, size: Symbol, top: Any) -> Theorem:
    """A part of g, a mean over a pair of heads, is surely at most s if s is the part's bound."""
    name = letter.name.removeprefix("g_")
    values = sp.symbols(f"{name}_1 {name}_2", real=True)
    each = [NETWORKS.substituted(given.fact("st.lem5.bounded", name), {letter: Abs(one)}) for one in values]
    where = [eq(size, top)]
    pointwise = NETWORKS.follows(*each, goal=le(Abs(sum(values) / 2), size), under=where)
    heads = [Random(f"{part} of head {number}") for number in (1, 2)]
    of_heads = probabilities.surely(pointwise, dict(zip(values, heads, strict=True)))
    event = P(le(Abs(part), size))
    mean = NETWORKS.meaning(f"{part}, a mean over a pair", eq(event, of_heads.statement.lhs))
    return NETWORKS.follows(of_heads, mean, goal=eq(event, 1), under=where)


#: The c-part and the U-part of g, averaged over a pair of heads.
_BOUNDED_PARTS = Random("g^(c)"), Random("g^(u)")


def _bounded_moments(given: Given) -> list[Theorem]:
    """E e^(λ(X - EX)) ≤ exp(λ²s²/2) for the c-part and the U-part of g, over a pair of heads."""
    tops = (g_c, of.C_PART), (g_u, of.U_PART)
    return [
        moment_of_a_part(given, _surely_small(given, part, letter, size, top), part, size)
        for part, size, (letter, top) in zip(_BOUNDED_PARTS, _PARTS[:2], tops, strict=True)
    ]


def _w_part(given: Given) -> Theorem:
    """E e^(λ(Y - EY)) ≤ exp(λ²s_w²/2) if s_w is 2σ_1ν_w: |Y| ≤ σ_1ν_w|MU| and tr M ≤ 1.

    Y is a mean over both heads of a pair, which have the same U and W.
    """
    given.require(RANDOM_HEADS, PAIRED_HEADS)
    values = sp.symbols("w_1 w_2", real=True)
    at = [{g_w: Abs(one), moved_size: MOVED} for one in values]
    each = [NETWORKS.substituted(given.fact("st.lem5.bounded", "w"), one) for one in at]
    where = [eq(of.scale, of.W_PART)]
    mean = NETWORKS.meaning("Y, a mean over a pair", eq(VALUE, sum(values) / 2))
    dominated = NETWORKS.follows(mean, *each, goal=le(Abs(VALUE), of.scale * MOVED), under=where)
    small = what_it_says(given, "st.fact3", le(of.M_trace, 1))
    return NETWORKS.substituted(centred_moment(given, dominated, small), {of.scale: _PARTS[2] / 2})


def _log_moment(moment: Theorem, size: Any, log_moment: Symbol) -> Theorem:
    """From E e^(λX) ≤ exp(λ²s²/2) that log E e^(λSX/s) ≤ λ²S²/2."""
    there = NETWORKS.substituted(moment, {_LAMBDA: _LAMBDA * WHOLE / size})
    named = NETWORKS.meaning("a log-moment", eq(there.statement.lhs, exp(log_moment)))
    top = _LAMBDA**2 * WHOLE**2 / 2
    grows = facts.exponential_increases(top, log_moment)
    return NETWORKS.follows(there, named, grows, goal=le(log_moment, top), under=moment.under)


@cache
def _weighted_mean() -> Theorem:
    """A weighted mean of three numbers is at most their common bound."""
    values, weights = sp.symbols("term1:4", real=True), sp.symbols("share1:4", nonnegative=True)
    top = Symbol("common bound", real=True)
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True))
    where = [le(value, top) for value in values] + [eq(sum(weights), 1)]
    return NETWORKS.follows(goal=le(mean, top), under=where)


def hoelder_for_three_parts(given: Given, w_part: Theorem) -> Theorem:
    """E e^(λZ) ≤ exp(λ²S²/2) for S = s_c + s_u + s_w, with the exponents S/s_c, S/s_u and S/s_w.

    ``w_part`` says E e^(λ(Y - EY)) ≤ exp(λ²s_w²/2).
    """
    logs = [Symbol(f"log-moment of the {name}-part", real=True) for name in "cuw"]
    randoms = *_BOUNDED_PARTS, Y_R
    moments = [*_bounded_moments(given), w_part]
    bounds = [_log_moment(*one) for one in zip(moments, _PARTS, logs, strict=True)]
    mixed = sum(one * size / WHOLE for one, size in zip(logs, _PARTS, strict=True))
    top = _LAMBDA**2 * WHOLE**2 / 2
    values = [*logs, *(size / WHOLE for size in _PARTS), top]
    at = dict(
        zip(
            [
                *sp.symbols("term1:4", real=True),
                *sp.symbols("share1:4", nonnegative=True),
                Symbol("common bound", real=True),
            ],
            values,
            strict=True,
        )
    )
    below = NETWORKS.substituted(_weighted_mean(), at)
    whole = [eq(WHOLE, sum(_PARTS))]
    where = [*whole, *(one for moment in moments for one in moment.under)]
    one = NETWORKS.follows(goal=eq(sum(size / WHOLE for size in _PARTS), 1), under=whole)
    known = NETWORKS.follows(below, one, *bounds, goal=le(mixed, top), under=where)
    scaled = [_LAMBDA * WHOLE / size * (part - E(part)) for part, size in zip(randoms, _PARTS, strict=True)]
    weights = [size / WHOLE for size in _PARTS]
    hoelder = facts.hoelder_for_exponentials(*scaled, *logs, *weights, under=whole)
    names = [
        NETWORKS.meaning("a log-moment", eq(E(exp(part)), exp(log)))
        for part, log in zip(scaled, logs, strict=True)
    ]
    small = NETWORKS.follows(
        hoelder,
        *names,
        NETWORKS.meaning(
            "Z, the sum of the centred parts", eq(E(exp(_LAMBDA * Z_R)), hoelder.statement.args[1].lhs)
        ),
        one,
        known,
        facts.exponential_increases(top, mixed),
        goal=le(E(exp(_LAMBDA * Z_R)), exp(top)),
        under=where,
    )
    return NETWORKS.substituted(small, {WHOLE: sum(_PARTS)})


@HOELDER.proved()
def exponents(given: Given) -> Theorem:
    """The reciprocals of S/s_l add up to 1, and 2λ²s² = λ²(2s)²/2."""
    given.require(*RANDOM)
    general = hoelder_for_three_parts(given, _w_part(given))
    return NETWORKS.substituted(
        general, dict(zip(_PARTS, (of.C_PART, of.U_PART, 2 * of.W_PART), strict=True))
    )


_EXCESS = of.excess

CHERNOFF = claim(
    "st.lem5.chernoff",
    at=_AT,
    title="Sum over m/2 pairs and Chernoff's bound",
    states=le(P(ge(Abs(Z_mean), _EXCESS)), 2 * exp(-m * _EXCESS**2 / (4 * PROXY_SUM**2))),
    given=letters(m, _EXCESS, Z_mean, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=[HOELDER, "classical.union"],
    note=_NOTE,
)


def abbreviated(theorem: Theorem, short: Any, S: Symbol, proxy: Any) -> Theorem:
    """The same inequality with a letter for a long expression, if the letter is equal to it."""
    (named,), (spelled,) = (side.atoms(exp) for side in (short.rhs, theorem.statement.rhs))
    exponents = named.args[0], spelled.args[0]
    where = [eq(S, proxy), *theorem.under]
    same = facts.exponential_of_sum(*exponents, 0, over=in_networks(*exponents))
    equal_ = NETWORKS.follows(goal=eq(*exponents), under=where)
    return NETWORKS.follows(theorem, same, equal_, goal=short, under=where)


def tail_of_the_mean(given: Given, moment: Theorem, proxy: Any) -> Theorem:
    """P(|mean of m/2 copies of Z| ≥ t) ≤ 2e^(-mt²/(4S²)) from E e^(λZ) ≤ exp(λ²S²/2) for all λ.

    The multiplier is t/S², for Z and for -Z.
    """
    S = WHOLE
    short = le(E(exp(_LAMBDA * Z_R)), exp(_LAMBDA**2 * S**2 / 2))
    moment = abbreviated(moment, short, S, proxy)
    where = sorted(moment.under, key=str)
    tails = [_one_side(given, moment, sign) for sign in (1, -1)]
    event = P(ge(Abs(Z_mean), _EXCESS))
    union = facts.union_bound(*(one.statement.lhs.args[0] for one in tails))
    value = Symbol("value of the mean", real=True)
    sides = Or(ge(value, _EXCESS), ge(-value, _EXCESS))
    either = rules.follows(iff(ge(Abs(value), _EXCESS), sides))
    split = principles.more_probable(either, value, Z_mean)
    goal = le(event, 2 * exp(-m * _EXCESS**2 / (4 * S**2)))
    return NETWORKS.substituted(NETWORKS.follows(*tails, union, split, goal=goal, under=where), {S: proxy})


def _one_side(given: Given, moment: Theorem, sign: int) -> Theorem:
    """P(±mean ≥ t) ≤ e^(-mt²/(4S²))."""
    said = partial(given.supposed, RANDOM_HEADS)  # each Z_i is a function of one pair of heads
    over, names = in_networks(pairs, Z_R, Z_mean), (f"S_{sign}", f"Z_{sign}")
    copies = Copies(said, sign * Z_mean, sign * Z_R, pairs, over, names)
    rate = _EXCESS / WHOLE**2
    at = {RATE: rate, level_of_mean: _EXCESS, cumulant: rate**2 * WHOLE**2 / 2}
    there = NETWORKS.substituted(copies.exceed_by_bounded_moment(), at)
    bound = NETWORKS.substituted(moment, {_LAMBDA: sign * rate})
    even = what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * pairs))
    exponent, level = there.statement.args[1].rhs.args[0], -m * _EXCESS**2 / (4 * WHOLE**2)
    equal_ = NETWORKS.follows(even, goal=eq(exponent, level))
    goal = le(there.statement.args[1].lhs, exp(level))
    return NETWORKS.follows(there, bound, equal_, goal=goal, under=bound.under)


@CHERNOFF.proved()
def best_multiplier(given: Given) -> Theorem:
    """λ = t/S²: mλt/2 - mλ²S²/4 = mt²/(4S²)."""
    given.require(*RANDOM)
    return given.concluded(tail_of_the_mean(given, given.fact(HOELDER), PROXY_SUM))
