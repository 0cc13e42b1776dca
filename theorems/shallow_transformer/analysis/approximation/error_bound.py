"""Lemma 5 and Remark 8: the approximation error, as printed and as proved."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy import Reals, Symbol, exp, log, sqrt

from numeric.networks.transformer import TANH, Inputs, features, sample_heads
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.classical.steps import event_within
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    eq,
    ge,
    gt,
    integers,
    le,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.rules import P, Theorem, facts, probabilities
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer.analysis.approximation.pairs_of_heads import RANDOM
from theorems.shallow_transformer.analysis.approximation.tail import PROXY_SUM, WHOLE, abbreviated
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import Z_mean, error_app
from theorems.shallow_transformer.letters.paper import claim, delta, m, n
from theorems.shallow_transformer.premises.means import what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import bounded_sum, letters, stated

_NOTE = "proofs_notes/st_approximation.md#lemma-5"
_AT = "Lemma 5"
LOG = log(2 * n / delta)
ROOT = sqrt(LOG / m)


def likely(bound: Any) -> Any:
    """With probability at least 1 - δ the approximation error is at most this."""
    return ge(P(le(error_app, bound)), 1 - delta)


AS_PROVED = claim(
    "st.lem5.as_proved",
    at="Lemma 5, proof",
    title="Approximation error with the constants of the proof",
    states=likely(2 * ROOT * PROXY_SUM),
    given=letters(error_app, m, n, delta, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=["st.lem5.chernoff", "classical.union"],
    note=_NOTE,
)


def positive_logarithm() -> Theorem:
    """2n/δ is more than 1."""
    more = NETWORKS.follows(goal=gt(2 * n / delta, 1))
    above = facts.logarithm_increases(sp.S.One, 2 * n / delta, over=in_networks(n, delta))
    return NETWORKS.follows(above, more, goal=ge(LOG, 0))


def union_over_the_samples(given: Given, tail: Theorem, proxy: Any) -> Theorem:
    """From P(|Z̄| ≥ t) ≤ 2e^(-mt²/(4S²)) at each sample: 2n e^(-mt²/(4S²)) = δ at the bound."""
    S = WHOLE
    bound = 2 * S * ROOT
    positive = positive_logarithm()
    short = le(tail.statement.lhs, 2 * exp(-m * of.excess**2 / (4 * S**2)))
    tail = abbreviated(tail, short, S, proxy)
    where = sorted(tail.under, key=str)
    ranges = in_networks(bound, Z_mean, *where)
    one = NETWORKS.substituted(tail, {of.excess: bound}, under=[positive.statement])
    one = NETWORKS.follows(one, positive, goal=one.statement, under=where)
    union = NETWORKS.substituted(given.fact("classical.union"), [n])
    (chances,) = union.statement.rhs.atoms(sp.Sum)
    chance, (index, _, _) = chances.args[0], chances.limits[0]
    share = one.statement.rhs
    each = NETWORKS.meaning("chance at a sample", eq(chance, one.statement.lhs))
    known = [one, each]
    term = rules.follows(le(chance, share), known, over={**ranges, **in_networks(index)}, under=where)
    level = Symbol("level", real=True)
    inside = P(le(error_app, bound))
    reached, under = P(ge(error_app, bound)), [positive.statement]
    top = NETWORKS.meaning("the largest of n errors", eq(reached, union.statement.lhs), under=under)
    over = in_networks(bound, error_app)
    events = ge(error_app, level), gt(error_app, level)
    larger = event_within(events[1], events[0], {error_app: error_app.belongs_to, level: Reals})
    larger = larger.at({level: bound}, over=over, under=under)
    complement = probabilities.complement(gt(error_app, bound), over=over, under=under)
    known = [bounded_sum(term, index, n), union, top, larger, complement, positive]
    return NETWORKS.substituted(NETWORKS.follows(*known, goal=ge(inside, 1 - delta), under=where), {S: proxy})


@AS_PROVED.proved()
def each_sample(given: Given) -> Theorem:
    """At t = 2S√(log(2n/δ)/m) each of 2n events has the probability δ/(2n) at most."""
    given.require(*RANDOM)
    return given.concluded(union_over_the_samples(given, given.fact("st.lem5.chernoff"), PROXY_SUM))


LEMMA = claim(
    "st.lem5",
    at=_AT,
    title="Approximation error",
    states=likely(4 * ROOT * (of.C_PART + of.U_PART + of.W_PART)),
    given=letters(error_app, m, n, delta, *of.SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=[AS_PROVED],
    note=_NOTE,
)


@LEMMA.proved()
def compare_constants(given: Given) -> Theorem:
    """2(x + y + 2z) ≤ 4(x + y + z)."""
    given.require(*RANDOM)
    sides = [one.lhs.args[0].rhs for one in (stated(AS_PROVED), stated(LEMMA))]
    root = Symbol("value of the root", nonnegative=True)
    at_any = NETWORKS.follows(goal=le(2 * root * PROXY_SUM, 4 * root * (of.C_PART + of.U_PART + of.W_PART)))
    positive, where = positive_logarithm(), [ge(LOG, 0)]
    there = NETWORKS.substituted(at_any, {root: ROOT}, under=where)
    low, high = sp.symbols("low high", real=True)
    letters_ = {error_app: error_app.belongs_to, low: Reals, high: Reals}
    events = event_within(le(error_app, low), le(error_app, high), letters_, under=[le(low, high)])
    over = in_networks(*sides, error_app)
    events = events.at({low: sides[0], high: sides[1]}, over=over, under=where)
    return given.concluded(given.fact(AS_PROVED), there, events, positive)


def _aligned_errors(
    rng: np.random.Generator, draws: int, m: int, sizes: tuple[float, float, float]
) -> NDArray[np.float64]:
    """Errors at three inputs, (3, draws), for the v along the features of the first, ± by a coin.

    The coin is the sign of an entry of W that meets no query, so that f̃ vanishes at every input
    and each g_i(X^(1)) is ± the largest value it may have.
    """
    tokens = rng.standard_normal((3, 4, 3))
    tokens /= np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True))
    queries = rng.standard_normal((3, 3)) * np.array([0, 1, 1])
    X = Inputs(tokens, queries / np.linalg.norm(queries, axis=1, keepdims=True))
    heads = sample_heads(draws * m // 2, 3, rng)
    phi, coin = features(heads, X, TANH), np.sign(heads.W[:, 0, 0])
    blocks = (phi.c[..., None], phi.U, phi.W.reshape(3, len(coin), -1))
    g = np.zeros((3, len(coin)))
    for block, size in zip(blocks, sizes, strict=True):
        lengths = np.linalg.norm(block[0], axis=1)
        g += size * coin / np.maximum(lengths, 1e-300) * np.sum(block * block[0], axis=2)
    errors: NDArray[np.float64] = np.abs(g.reshape(3, draws, m // 2).mean(axis=2))
    return errors


@LEMMA.estimated(draws=400, controls={})
def sampled_networks(rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies of violation at δ = 1/2 for worst-case signs; medians are 7 % of the bound."""
    for width, parts in ((2, (1.0, 1.0, 1.0)), (8, (3.0, 3.0, 3.0)), (64, (0.1, 0.1, 2.0))):
        errors = _aligned_errors(rng, draws, width, parts)
        bound = 4 * sum(parts) * np.sqrt(np.log(2 * 3 / 0.5) / width)
        missed = errors.max(axis=0) > bound
        yield mean_test(missed.astype(float), 0.5, alternative="greater")


_SUPREMUM = (
    r"\varepsilon_{\mathrm{app}} = \sup_{j \in [$top]}"
    r"|$f_lin(X^{(j)}; $phi_tilde) - $f_tilde(X^{(j)}; $v)|,"
    r"\quad X^{(j)} \text{ the $n samples}"
)
_NAMED = (of.f_lin, of.phi_tilde, of.f_tilde, of.v)

INDEX = claim(
    "st.lem5.index",
    at=_AT,
    title="The supremum of the main text is over the samples",
    states=sentence(_SUPREMUM, top=m),
    given=letters(*_NAMED, m, n),
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@INDEX.refuted(severity=Severity.SLIP)
def indices_of_samples(top: Any) -> Obligations:
    """There are n samples: [m] ≠ [n], e.g. at m = 4 heads and n = 2 samples."""
    size = int(top.subs({m: 4, n: 2}))
    yield "indices", set(range(1, size + 1)) != set(range(1, 2 + 1))


INDEX_CORRECTED = INDEX.corrected(
    "st.lem5.index.corrected",
    title="The supremum is over the samples, and the bound depends on m through one root only",
    states=sentence(_SUPREMUM, top=n),
    given=letters(*_NAMED, n, under=RANDOM),
    assuming=RANDOM,
    rests_on=[LEMMA],
    note=_NOTE,
)


@INDEX_CORRECTED.argued(
    bridge="The union bound of the proof is over two sides for each index of the supremum.",
    uses=RANDOM,
    over={n: integers(1), m: integers(2), **dict.fromkeys(of.SIZES, of.POSITIVE)},
)
def events_of_the_union_bound(top: Any) -> Obligations:
    """log(2n/δ) counts two sides of n samples: each event has the probability δ/(2n)."""
    bound = stated(LEMMA).lhs.args[0].rhs
    counted = next(iter(bound.atoms(log))).args[0]
    yield "events times the share of each", equal(2 * top * (1 / counted), delta)


#: For these st.lem5 states its bound: an open range of probabilities, and positive constants.
_BOUNDED = {
    **{n: integers(1), m: integers(2), delta: open_interval(0, 1)},
    **dict.fromkeys(of.SIZES, of.POSITIVE),
}

LENGTH = claim(
    "st.rem8",
    at="Remark 8",
    title="The approximation bound does not depend on the length of the sequences",
    states={
        "trace": le(of.M_trace, 1),
        "no length": sentence(
            r"$B_app = $bound \quad\text{for every length}\quad $T",
            bound=4 * ROOT * (of.C_PART + of.U_PART + of.W_PART),
        ),
    },
    given=letters(of.M_trace, of.B_app, of.T, m, n, delta, *of.SIZES, under=[TOKENS]),
    assuming=[TOKENS],
    rests_on=[LEMMA, "st.fact3"],
    discharging=dict.fromkeys(
        (one for one in RANDOM if one is not TOKENS), "only the formula of the bound is looked at"
    ),
    note=_NOTE,
    excused={"domain of B_app": "true as well: the bound is positive, as 2n/δ is more than 1"},
)


@LENGTH.proved("trace")
def traces(given: Given) -> Theorem:
    """tr M ≤ Σ α|X_t|² ≤ 1 for every T."""
    given.require(TOKENS)
    return given.follows(what_it_says(given, "st.fact3", le(of.M_trace, 1)))


@LENGTH.argued(
    "no length",
    bridge="The bound of st.lem5 is this formula, for inputs of any length.",
    over={of.T: integers(1), **_BOUNDED},
)
def letters_of_the_bound(bound: Any) -> Obligations:
    """The bound of Lemma 5 is this formula, and no letter of it is T."""
    printed = stated(LEMMA).lhs.args[0].rhs
    yield "the bound of Lemma 5", bool(sp.expand(printed - bound) == 0)
    named = of.approximation_bound(m, n, delta, *of.SIZES)
    yield "as it is named", bool(sp.expand(unfolded(named) - bound) == 0)
    yield "no T", of.T not in bound.free_symbols
