"""Lemmas 9 and 10: means and covariances of what a head adds to the outputs of the layer."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, sqrt, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Choice, Given, Hypothesis, Obligations, Severity, eq, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.kernel_limit.projections import PLACES, over_pairs, second_moment
from theorems.infinite_attention.kernel_limit.score_covariances import (
    COUNTED,
    PROJECTIONS,
    count,
    first_sum,
    product_of_sums,
    second_sum,
)
from theorems.infinite_attention.letters.heads import (
    attended_mean,
    head_a,
    head_b,
    head_next,
    head_other,
    head_projection,
    kronecker,
    output_coefficient,
    output_column,
    projection_terms,
    weighted_ab,
)
from theorems.infinite_attention.letters.network import score_width, sigma_o, sigma_v, value_width
from theorems.infinite_attention.letters.table import SIZE, claim

_NOTE = "proofs_notes/inf_kernels.md#outputs-of-a-head"

HEADS = Hypothesis(
    "gaussian_heads",
    "given the inputs, the $value_width columns of the values of a head are independent centred"
    " normal vectors over all tokens of all inputs, with the squared scale of their weights times"
    " the inputs' mean products as covariances; entries of the output weights are independent"
    " centred normal variables with the squared scale as variance; scores, values, output"
    " weights and different heads are independent",
    latex=r"\tilde f^h = \tilde G V \Omega / \sqrt{$value_width}, \quad"
    r" V_{\cdot u} \sim \mathcal{N}(0, \sigma_V^2 \hat\kappa), \ \Omega_{ui} \sim"
    r" \mathcal{N}(0, \sigma_O^2) \text{ independent}",
)

_r, _s, _s_other = (randoms(name)(count) for name in ("r", "s", "s'"))
_weight, _next, _other = (randoms(name)(count) for name in ("w", "w_2", "w'"))

CENTRED = claim(
    "inf.lem9",
    at="Lemma 9",
    title="Outputs of a head are centred, and uncorrelated with those of another head",
    states={"mean": eq(E(head_a), 0), "covariance": eq(E(head_a * head_other), 0)},
    assuming=HEADS,
    note=_NOTE,
)


def _centred_weights(
    given: Given, *pairs: tuple[Expr, Expr], objects: Mapping[Any, Any] | None = None
) -> list[Theorem]:
    """The mean of each first factor times a weight is 0, as weights are centred."""
    said = [one for _, w in pairs for one in (eq(E(w), 0),)]
    apart = [independent(*pair) for pair in pairs]
    over = {**COUNTED, **(objects or {})}
    return [
        given.supposed(HEADS, *said, *apart, over=over),
        *(facts.expectation_of_independent(*pair) for pair in pairs),
    ]


@CENTRED.proved("mean")
def weights_are_centred(given: Given) -> Theorem:
    """By induction on the number of columns."""
    none = given.meaning("a sum of no terms", eq(E(first_sum(0)), 0))
    longer = given.meaning(
        "a sum with one term more", eq(E(first_sum(count + 1)), E(first_sum(count)) + E(_r * _weight))
    )
    known = _centred_weights(given, (_r, _weight))
    zero = eq(E(first_sum(count)), 0)
    sums = rules.induction(zero, count, 0, base=[none], step=[longer, *known])
    end = sums.at({count: value_width})
    output = given.meaning(
        "an output of a head, the sum over the columns divided by a root",
        eq(E(head_a), E(first_sum(value_width)) / sqrt(value_width)),
    )
    return given.follows(end, output)


def _outputs(given: Given, pair: tuple[Random, Random], families: tuple[Any, Any], sums: Theorem) -> Theorem:
    """Outputs of a head are sums over the columns, divided by the root of their number."""
    end = sums.at({count: value_width})
    product = families[0](value_width) * families[1](value_width)
    outputs = given.meaning(
        "outputs of a head, the sums over the columns divided by a root",
        eq(E(pair[0] * pair[1]), E(product) / value_width),
    )
    return given.follows(end, outputs, goal=eq(E(pair[0] * pair[1]), _value(sums)))


def _value(sums: Theorem) -> Expr:
    """What the sums of u terms have u times."""
    return sums.statement.rhs.subs(count, 1)


def _uncorrelated(given: Given, s: Expr, weight: Expr, second: Random) -> Theorem:
    """Different weights are independent and centred, whatever they are multiplied by."""
    pairs = ((_r * s * _weight, weight), (first_sum(count) * s, weight), (_r * second_sum(count), _weight))
    known = _centred_weights(given, *pairs)
    terms = ((first_sum, _r * _weight), (second_sum, s * weight))
    sums = product_of_sums(given, terms, Integer(0), known)
    return _outputs(given, (head_a, second), (first_sum, second_sum), sums)


@CENTRED.proved("covariance")
def weights_of_another_head(given: Given) -> Theorem:
    """The output weights of the other head are independent of all else."""
    return given.follows(_uncorrelated(given, _s_other, _other, head_other))


PRINTED = claim(
    "inf.lem10",
    at="Lemma 10",
    title="The variance of a projection of a head's outputs has no mixed terms",
    states=sentence(
        r"\operatorname{Var}($projection_nh) ="
        r" \frac{\operatorname{Var}($output_weight)}{$value_width} \sum_{$pairs}"
        r" ({$output_coefficients}^{x,i})^\top \mathbb{E}[$head_outputs(x) $head_outputs(x')^\top]"
        r" {$output_coefficients}^{x',j}",
        pairs=Choice(r"(x, i) = (x', j)", (True, True)),
    ),
    note=_NOTE,
)


@PRINTED.refuted(
    severity=Severity.SLIP,
    controls={"columns": {"pairs": Choice(r"(x, i), (x', j) , \, i = j", (False, True))}},
)
def two_inputs_in_one_column(pairs: tuple[bool, bool]) -> Obligations:
    """One token, one column, and two inputs at which the head has the output 1 before W^O."""
    weight = symbols("w", real=True)
    terms = [("x", 1), ("y", 1)]
    variance = gaussian_mean((len(terms) * weight) ** 2, [weight], {(weight, weight): 1})
    same_input, same_column = pairs
    kept = [
        (one, other)
        for one in terms
        for other in terms
        if (one[0] == other[0] or not same_input) and (one[1] == other[1] or not same_column)
    ]
    yield "the variance is not the printed one", bool(variance != len(kept))


_SCALES = sigma_o**2 * sigma_v**2


def _attended(p: Expr, q: Expr) -> Expr:
    """Without its scales, the covariance of the outputs in two terms: 0 in different columns."""
    return kronecker(output_column(p), output_column(q)) * attended_mean(p, q)


CORRECTED = PRINTED.corrected(
    "inf.lem10.corrected",
    title="The covariances of a head's outputs given the inputs, at every number of values",
    states={
        "same column": eq(E(head_a * head_b), _SCALES * E(weighted_ab)),
        "other column": eq(E(head_a * head_next), 0),
        "projection": eq(
            E(head_projection**2), _SCALES * over_pairs(output_coefficient, _attended, projection_terms)
        ),
    },
    assuming=HEADS,
    note=_NOTE,
)


@CORRECTED.proved("other column")
def weights_of_the_next_column(given: Given) -> Theorem:
    """The output weights of the other column are independent of all else."""
    return given.follows(_uncorrelated(given, _s, _next, head_next))


def _covariance(
    given: Given,
    families: tuple[Any, Any],
    values: tuple[Expr, Expr],
    weights: tuple[Expr, Expr],
    means: tuple[Expr, Expr],
    objects: Mapping[Any, Any],
) -> Theorem:
    """Each column adds σ_V² times a mean of attended values, times σ_O² in one output column.

    ``means`` are the mean of the attended mean product, and 1 or 0 by the columns of outputs.
    """
    (S, T), (r, s), (w, v) = families, values, weights
    said = given.supposed(
        HEADS,
        eq(E(r * s), sigma_v**2 * means[0]),
        eq(E(w * v), sigma_o**2 * means[1]),
        independent(r * s, w * v),
    )
    known = [
        said,
        facts.expectation_of_independent(r * s, w * v),
        *_centred_weights(given, (S(count) * s, v), (r * T(count), w), objects=objects),
    ]
    terms = ((S, r * w), (T, s * v))
    return product_of_sums(given, terms, _SCALES * means[0] * means[1], known)


@CORRECTED.proved("same column")
def common_output_weights(given: Given) -> Theorem:
    """By induction on the number of columns."""
    families, mean = (first_sum, second_sum), (E(weighted_ab), Integer(1))
    law = {weighted_ab: weighted_ab.belongs_to}
    sums = _covariance(given, families, (_r, _s), (_weight, _weight), mean, law)
    return given.follows(_outputs(given, (head_a, head_b), families, sums))


_sum_at, _value_at, _weight_at = randoms("S_p"), randoms("r_p"), randoms("w_i")
_total, _output = randoms("gamma"), randoms("f_p")


@CORRECTED.proved("projection")
def pairs_of_terms(given: Given) -> Theorem:
    """The covariances of any two terms, by induction; then by induction on the number of terms."""
    p, q = PLACES

    def sum_at(place: Expr) -> Any:
        return lambda columns: _sum_at(columns, place)

    sums = _covariance(
        given,
        (sum_at(p), sum_at(q)),
        (_value_at(count, p), _value_at(count, q)),
        (_weight_at(count, output_column(p)), _weight_at(count, output_column(q))),
        (attended_mean(p, q), kronecker(output_column(p), output_column(q))),
        PLACES,
    )
    end = sums.at({count: value_width})
    product = _sum_at(value_width, p) * _sum_at(value_width, q)
    outputs = given.meaning(
        "outputs of a head, the sums over the columns divided by a root",
        eq(E(_output(p) * _output(q)), E(product) / value_width),
    )
    each = rules.follows(
        eq(E(_output(p) * _output(q)), _SCALES * _attended(p, q)), [end, outputs], over=end.over
    )
    return given.follows(
        second_moment(
            given,
            (head_projection, projection_terms),
            (_total, _output),
            (output_coefficient, _SCALES, _attended),
            each,
        )
    )


LIMIT = claim(
    "inf.lem10.limit",
    at="Lemma 10",
    title="The variance of a projection of a head's outputs converges",
    states=sentence(
        r"\mathbb{E}[\gamma_{n,h} \gamma_{n,h}] \to $scale \sum_{(x, i), (x', j) , \, i = j}"
        r" (\alpha^{x,i})^\top \mathbb{E}[\tilde G(x) \tilde\kappa(x, x') \tilde G(x')^\top]"
        r" \alpha^{x',j}",
        scale=Choice(r"\sigma_O^2 \sigma_V^2", _SCALES),
    ),
    assuming=[PROJECTIONS, HEADS, CONVERGENT_INPUTS],
    rests_on=[CORRECTED, "inf.lem12", "inf.lem32", "inf.lem33"],
    note=_NOTE,
    discharging={**OF_A_LAYER},
)


@LIMIT.argued(
    bridge="Given the inputs the variance is a sum of means of continuous functions of scores and"
    " mean products of inputs; these converge together (Lemmas 12 and 33), and moments of higher"
    " order are bounded (Lemma 32).",
    uses=[PROJECTIONS, HEADS, CONVERGENT_INPUTS],
    over={score_width: SIZE, value_width: SIZE},
    controls={"no_scale": {"scale": Choice("1", Integer(1))}},
)
def factor_of_the_mean(scale: Expr, given: Given) -> Obligations:
    """The same factor as at finite width."""
    covariance = given.fact(CORRECTED, "same column").statement.rhs
    yield "the factor", bool(covariance == scale * E(weighted_ab))
