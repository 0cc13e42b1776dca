"""Lemma 12: scores converge to a Gaussian process."""

from sympy import Expr, Symbol, exp, limit, oo, simplify

from theorems.engine import Choice, Given, Obligations, sentence
from theorems.infinite_attention.kernel_limit.score_covariances import CORRECTED as SCORES
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.kernel_limit.scores.bounds_of_moments import (
    MOMENTS,
    NORMAL_FORM,
)
from theorems.infinite_attention.kernel_limit.scores.columns import CENTRED
from theorems.infinite_attention.letters.network import score_width
from theorems.infinite_attention.letters.table import SIZE, claim

_argument, _value = Symbol("u", real=True), Symbol("s", real=True)

THEOREM = claim(
    "inf.lem12",
    at="Lemma 12",
    title="Scores converge to a Gaussian process with independent heads",
    states=sentence(
        r"G_n \rightsquigarrow \mathcal{GP}($mean, \kappa^G) \text{ as } \min\{n, d^G_n\} \to"
        r" \infty, \quad \mathbb{E}[G^h_{ai}(x) G^{h'}_{bj}(x')] = $other \text{ for } h \ne h',"
        r" \quad \log \mathbb{E} e^{\mathrm{i} u \langle \beta, G_n \rangle} \mid g \; \to \;"
        r" $exponent",
        mean=0,
        other=0,
        exponent=Choice(
            r"-\tfrac12 u^2 \operatorname{Var}\langle \beta, G \rangle",
            -(_argument**2) * _value**2 / 2,
        ),
    ),
    given=[score_width],
    assuming=PROJECTIONS,
    rests_on=[
        *(SCORES, CENTRED, MOMENTS),
        *("inf.lem7", "inf.lem13", "inf.cor15.covariance", "inf.lem16.corrected", "inf.lem17"),
    ],
    discharging={NORMAL_FORM: "given the inputs a projection is such a form"},
    note="proofs_notes/inf_scores.md#convergence-of-the-scores",
)


@THEOREM.argued(
    bridge="Given the inputs a projection of scores is a mean of independent bilinear forms, of"
    " which the characteristic function is a product over singular values; the variance is a"
    " polynomial in mean products of inputs, which converge in probability (Lemma 33), and bounded"
    " functions of what converges have converging means.",
    uses=[PROJECTIONS],
    over={score_width: SIZE},
    controls={
        "other_law": {"exponent": Choice(r"-u^2", -(_argument**2) * _value**2)},
    },
)
def characteristic_functions(mean: int, other: int, exponent: Expr, given: Given) -> Obligations:
    """A product of two standard normals has (1 + u²)^(-1/2), and d of them over √d the power d."""
    yield "means", bool(given.fact(CENTRED, "mean").statement.rhs == mean)
    yield "two heads", bool(given.fact(SCORES, "two heads").statement.rhs == other)
    d = Symbol("d", positive=True)
    one_value = (1 + _argument**2 * _value**2 / d) ** (-d / 2)
    difference = limit(one_value, d, oo) / exp(exponent)
    yield "one singular value", bool(simplify(difference) == 1)
