"""Lemmas 7 and 8: the central limit theorem for exchangeable variables, and for what it is used."""

from sympy import Expr, Symbol, expand, limit, oo, sqrt

from theorems.engine import Choice, Obligations, Provenance, sentence
from theorems.infinite_attention.exchangeability import BRIDGE, same_both_ways
from theorems.infinite_attention.letters.table import claim

_v, _d = Symbol("v", nonnegative=True), Symbol("d", positive=True)

THEOREM = claim(
    "inf.lem7",
    at="Lemma 7; Equation (19)",
    title="Sums of uncorrelated exchangeable variables become normal",
    states=sentence(
        r"\text{exchangeable, centred } X_i, \ \mathbb{E}X_1 X_2 = $covariance, \ \mathbb{E}X_1 X_1"
        r" \to v, \ \mathbb{E}X_1 X_1 X_2 X_2 \to $mixed, \ \mathbb{E}|X_1 X_1 X_1| = o($growth)"
        r" \implies \textstyle\sum_{i \le d_n} X_i / \sqrt{d_n} \xrightarrow{d} \mathcal{N}(v)",
        covariance=0,
        mixed=Choice("v v", _v**2),
        growth=Choice(r"\sqrt{d_n}", sqrt(_d)),
    ),
    provenance=Provenance.QUOTED,
    note="proofs_notes/inf_kernels.md#exchangeable-variables",
)


@THEOREM.argued(
    bridge="By de Finetti's theorem the variables are independent and of one law given a random"
    " mean and variance: the mean is 0, as its square has the mean E X_1 X_2, the variance tends to"
    " v in the mean square, and the theorem of Berry and Esseen bounds the distance to a normal law"
    " given them.",
    controls={
        "more_mixed": {"mixed": Choice("2 v v", 2 * _v**2)},
        "more_growth": {"growth": Choice("d_n", _d)},
    },
)
def given_the_random_law(covariance: int, mixed: Expr, growth: Expr) -> Obligations:
    """What the variance is away from v, and the error of the normal approximation."""
    yield "the random mean has the square 0", covariance == 0
    yield "mean square of the variance less v", bool(expand(mixed - 2 * _v * _v + _v**2) == 0)
    yield "o(growth) over the root of d vanishes", bool(limit(growth / sqrt(_d), _d, oo) < oo)


TERMS = claim(
    "inf.lem8",
    at="Lemma 8",
    title="Terms of a projection of outputs are exchangeable over the heads",
    states=sentence(
        r"(\gamma_{n,h})_h \text{ exchangeable over } $which",
        which=Choice(r"\text{heads } h", "heads"),
    ),
    rests_on="inf.lem5",
    note="proofs_notes/inf_kernels.md#exchangeability",
)


@TERMS.argued(bridge=BRIDGE, controls={"tokens": {"which": Choice(r"\text{tokens}", "tokens")}})
def heads_of_one_law(which: str) -> Obligations:
    """Each term is one function of the weights of its head, given the inputs."""
    return same_both_ways(which)
