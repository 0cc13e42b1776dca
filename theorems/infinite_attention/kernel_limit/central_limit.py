"""Lemmas 7 and 8: the central limit theorem for exchangeable variables, and for what it is used."""

from sympy import Expr, Symbol, expand, limit, oo, sqrt

from theorems.engine import Choice, Obligations, Provenance, half_line, integers, sentence
from theorems.infinite_attention.exchangeability import BRIDGE, same_both_ways
from theorems.infinite_attention.letters.auxiliary import limit_variance, summands
from theorems.infinite_attention.letters.table import claim

_v, _d = Symbol("v", nonnegative=True), Symbol("d", positive=True)
_count = Symbol("m", positive=True)

THEOREM = claim(
    "inf.lem7",
    at="Lemma 7; Equation (19)",
    title="Sums of uncorrelated terms of an infinite exchangeable sequence become normal",
    states=sentence(
        r"\text{for each } n \text{ an exchangeable and centred sequence }"
        r" ({$exchangeable}_i)_{i \in $indices},"
        r" \ \mathbb{E}{$exchangeable}_1 {$exchangeable}_2 = $covariance,"
        r" \ \mathbb{E}{$exchangeable}_1 {$exchangeable}_1 \to $limit_variance,"
        r" \ \mathbb{E}{$exchangeable}_1 {$exchangeable}_1 {$exchangeable}_2 {$exchangeable}_2"
        r" \to $mixed, \ \mathbb{E}|{$exchangeable}_1 {$exchangeable}_1 {$exchangeable}_1| ="
        r" o($growth), \ $summands \to \infty \implies \textstyle\sum_{i \le $summands}"
        r" {$exchangeable}_i / \sqrt{$summands} \xrightarrow{d} \mathcal{N}($limit_variance)",
        indices=Choice(r"\mathbb{N}", oo),
        covariance=0,
        mixed=Choice("v^2", _v**2),
        growth=Choice(r"\sqrt{d_n}", sqrt(_d)),
    ),
    provenance=Provenance.QUOTED,
    note="proofs_notes/inf_kernels.md#exchangeable-variables",
)


#: For which the evidence is written.
_RANGES = {limit_variance: half_line(0), summands: integers(1)}


@THEOREM.argued(
    bridge="By de Finetti's theorem, which is about infinite sequences, the variables are"
    " independent and of one law given a random law: its mean is 0, as the square of this has the"
    " mean E X_1 X_2, its variance tends to v in the mean square, and the theorem of Berry and"
    " Esseen bounds the distance to a normal law given the random one.",
    controls={
        "terms_alone": {"indices": Choice("[d_n]", _d)},
        "more_mixed": {"mixed": Choice("2 v^2", 2 * _v**2)},
        "more_growth": {"growth": Choice("d_n", _d)},
    },
    over=_RANGES,
)
def given_the_random_law(indices: Expr, covariance: int, mixed: Expr, growth: Expr) -> Obligations:
    """What the variance is away from v, and the error of the normal approximation.

    Of so many signs, half of them plus, in random order, the sum of the first d has the variance
    d(1 - (d - 1)/(m - 1)): 0 for m = d, where the theorem fails.
    """
    spread = (1 - (_d - 1) / (_count - 1)).subs(_count, indices)
    yield "the first signs of a random arrangement", bool(limit(spread, _d, oo) == 1)
    of_the_sum = limit(_v + (_d - 1) * covariance, _d, oo)
    yield "the variance of the sum is that of a term", bool(of_the_sum == _v)
    yield "mean square of the variance less v", bool(expand(mixed - 2 * _v * _v + _v**2) == 0)
    yield "o(growth) over the root of d vanishes", bool(limit(growth / sqrt(_d), _d, oo) < oo)


TERMS = claim(
    "inf.lem8",
    at="Lemma 8",
    title="Terms of a projection of outputs begin an infinite exchangeable sequence",
    states=sentence(
        r"($projection_nh)_{h \in \mathbb{N}} \text{ exchangeable over } $which \text{, in any"
        r" number}",
        which=Choice(r"\text{heads } h", "heads"),
    ),
    rests_on="inf.lem5",
    note="proofs_notes/inf_kernels.md#exchangeability",
)


@TERMS.argued(bridge=BRIDGE, controls={"tokens": {"which": Choice(r"\text{tokens}", "tokens")}})
def heads_of_one_law(which: str) -> Obligations:
    """Each term is one function of the weights of its head, given the inputs."""
    return same_both_ways(which)
