"""Lemma 12: scores converge to a Gaussian process."""

from sympy import Expr, Sum, Symbol, expand, expand_log, limit, log, oo, sqrt

from theorems.engine import Choice, Given, Obligations, Provenance, Severity, integers, sentence
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.score_covariances import CORRECTED as SCORES
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.kernel_limit.scores.bounds_of_moments import MOMENTS, NORMAL_FORM
from theorems.infinite_attention.kernel_limit.scores.columns import CENTRED
from theorems.infinite_attention.kernel_limit.scores.rate_of_convergence import COPIES, RATE
from theorems.infinite_attention.letters.auxiliary import summands
from theorems.infinite_attention.letters.network import score_width
from theorems.infinite_attention.letters.scores import frequency
from theorems.infinite_attention.letters.table import SIZE, claim

_variance = Symbol("v", nonnegative=True)

THEOREM = claim(
    "inf.lem12",
    at="Lemma 12",
    title="Scores converge to a Gaussian process with independent heads",
    states=sentence(
        r"G_n \xrightarrow{d} \mathcal{GP}($mean, \kappa^G) \text{ as } \min\{n, d^G_n\} \to"
        r" \infty, \quad \mathbb{E}[G^h_{ai}(x) G^{h'}_{bj}(x')] = $other \text{ for } h \ne h',"
        r" \quad \log \mathbb{E} e^{\mathrm{i} u \langle \beta, G_n \rangle} \mid g \; \to \;"
        r" $exponent",
        mean=0,
        other=0,
        exponent=Choice(
            r"-\tfrac12 u^2 \operatorname{Var}\langle \beta, G \rangle", -(frequency**2) * _variance / 2
        ),
    ),
    assuming=[PROJECTIONS, CONVERGENT_INPUTS],
    rests_on=[
        *(SCORES, CENTRED, RATE, MOMENTS),
        *("inf.lem7", "inf.lem13", "inf.cor15.covariance", "inf.lem16.corrected", "inf.lem17"),
        "inf.lem33",
    ],
    discharging={
        NORMAL_FORM: "given the inputs what a column adds to a projection is such a form",
        COPIES: "given the inputs columns are independent and of one law",
    },
    note="proofs_notes/inf_scores.md#convergence-of-the-scores",
)


@THEOREM.argued(
    bridge="Given the inputs a projection of scores is a mean of independent bilinear forms, of"
    " which the characteristic function is a product over singular values; the variance is a"
    " polynomial in mean products of inputs, which converge in probability (Lemma 33), and bounded"
    " functions of what converges have converging means.",
    uses=[PROJECTIONS, CONVERGENT_INPUTS],
    over={score_width: SIZE},
    controls={"other_law": {"exponent": Choice(r"-u^2", -(frequency**2) * _variance)}},
)
def characteristic_functions(mean: int, other: int, exponent: Expr, given: Given) -> Obligations:
    """Those of projections given the inputs are near those of the normal law."""
    yield "means", bool(given.fact(CENTRED, "mean").statement.rhs == mean)
    yield "two heads", bool(given.fact(SCORES, "two heads").statement.rhs == other)
    least, most = (given.fact(RATE, part).statement.rhs for part in ("at least", "at most"))
    normal = log(least).replace(Sum, lambda *_: _variance)
    yield "the normal law", bool(expand_log(normal, force=True) == exponent)
    yield "the error", not expand((most - least) * score_width).has(score_width)


_width = Symbol("d", positive=True)
_GROWTH = sentence(
    r"\mathbb{E}|{$exchangeable}_{n,1} {$exchangeable}_{n,1} {$exchangeable}_{n,1}| = o($growth)"
    r" \text{ is enough for the central limit theorem for infinite exchangeable sequences }"
    r" ({$exchangeable}_{n,i})_{i \in \mathbb{N}}, \text{ with sums of } $summands \text{ terms}",
    growth=Choice("d_n", _width),
)
_GROWTH_NOTE = "proofs_notes/inf_scores.md#growth-of-third-moments"

PRINTED_GROWTH = claim(
    "inf.lem12.growth",
    at="Lemma 12",
    title="Third moments may grow more slowly than the number of terms",
    states=_GROWTH,
    provenance=Provenance.EXTRACTED,
    note=_GROWTH_NOTE,
)


@PRINTED_GROWTH.refuted(
    severity=Severity.SLIP, controls={"root": {"growth": Choice(r"\sqrt{d_n}", sqrt(_width))}}
)
def rare_large_terms(growth: Expr) -> Obligations:
    """Independent signs times the root of d, each with probability 1/d and else 0."""
    variance, third = _width / _width, sqrt(_width) ** 3 / _width
    yield "the variance is 1", variance == 1
    yield "the third moment grows more slowly", bool(limit(third / growth, _width, oo) == 0)
    all_vanish = limit((1 - 1 / _width) ** _width, _width, oo)
    yield "the limit has an atom at 0, as no normal law of variance 1", bool(all_vanish > 0)


GROWTH = PRINTED_GROWTH.corrected(
    "inf.lem12.growth.corrected",
    title="Third moments may grow more slowly than the root of the number of terms",
    states=_GROWTH.changed(growth=Choice(r"\sqrt{d_n}", sqrt(_width))),
    rests_on="inf.lem7",
    note=_GROWTH_NOTE,
)


@GROWTH.argued(
    bridge="The theorem of Berry and Esseen bounds the distance to the normal law of the same"
    " variance, given the random law, by the third moment over the root of the number of terms.",
    controls={"number": {"growth": Choice("d_n", _width)}},
    over={summands: integers(1)},
)
def error_of_the_normal_approximation(growth: Expr) -> Obligations:
    """What is o(growth), over the root of the number of terms, vanishes."""
    yield "a bounded ratio", bool(limit(growth / sqrt(_width), _width, oo) < oo)
