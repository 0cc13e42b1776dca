"""Lemmas 16 and 17: fourth moments of what columns of queries and keys add to the scores."""

from sympy import Symbol, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Choice, Given, Obligations, Severity, eq, sentence
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.kernel_limit.scores.columns import VARIANCE
from theorems.infinite_attention.letters.network import score_width
from theorems.infinite_attention.letters.scores import projection, projection_next
from theorems.infinite_attention.letters.table import SIZE, claim

_NOTE = "proofs_notes/inf_scores.md#mixed-fourth-moments"

PRINTED = claim(
    "inf.lem16",
    at="Lemma 16",
    title="The mixed fourth moment of two columns is a sum over pairs of terms of a projection",
    states=sentence(
        r"\mathbb{E}[{$column_part}_u {$column_part}_u {$column_part}_v {$column_part}_v] ="
        r" \sum_{$indices} \mathbb{E}["
        r"\langle {$score_coefficients}^{x,h}, {$column_products}^h_u(x) \rangle"
        r" \langle {$score_coefficients}^{x,h}, {$column_products}^h_u(x) \rangle"
        r" \langle {$score_coefficients}^{x',h'}, {$column_products}^{h'}_v(x') \rangle"
        r" \langle {$score_coefficients}^{x',h'}, {$column_products}^{h'}_v(x') \rangle]"
        r" \text{ for columns } u \ne v",
        indices=Choice(r"(x,h), (x',h')", 2),
    ),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.SLIP, controls={"four": {"indices": Choice(r"(x_k, h_k)_{k \le 4}", 4)}})
def two_inputs_with_equal_entries(indices: int) -> Obligations:
    """One token and two inputs at which queries and keys are equal: 16 products, of which 4."""
    factors = symbols("Q_1 K_1 Q_2 K_2", real=True)
    first, second = factors[0] * factors[1], factors[2] * factors[3]
    inputs = 2
    moment = gaussian_mean(
        (inputs * first) ** 2 * (inputs * second) ** 2, factors, lambda one, other: int(one == other)
    )
    one_term = gaussian_mean(first**2 * second**2, factors, lambda one, other: int(one == other))
    yield "the moment is not the printed sum", bool(moment != inputs**indices * one_term)


CORRECTED = PRINTED.corrected(
    "inf.lem16.corrected",
    title="The mixed fourth moment given the inputs is the square of the variance",
    states={
        "product": eq(E(projection**2 * projection_next**2), E(projection**2) ** 2),
        "value": eq(E(projection**2 * projection_next**2), VARIANCE**2),
    },
    assuming=PROJECTIONS,
    rests_on="inf.cor15.covariance",
    note=_NOTE,
)


def _factors(given: Given) -> list[Theorem]:
    """The squares of two columns' contributions are independent and have one mean."""
    pair = projection**2, projection_next**2
    columns = given.supposed(PROJECTIONS, independent(*pair), eq(E(pair[0]), E(pair[1])))
    return [columns, facts.expectation_of_independent(*pair)]


@CORRECTED.proved("product")
def independent_columns(given: Given) -> Theorem:
    """Given the inputs, columns are independent and have one law."""
    return given.follows(*_factors(given))


@CORRECTED.proved("value")
def square_of_the_variance(given: Given) -> Theorem:
    """With the variance of a projection."""
    squared = eq(E(projection**2 * projection_next**2), E(projection**2) ** 2)
    product = given.follows(*_factors(given), goal=squared)
    return given.follows(product, given.fact("inf.cor15.covariance", "projection"))


LIMIT = claim(
    "inf.lem16.limit",
    at="Lemma 16",
    title="The mixed fourth moment of two columns converges to the square of the variance's limit",
    states=sentence(
        r"\mathbb{E}[\varphi_{n,u} \varphi_{n,u} \varphi_{n,v} \varphi_{n,v}] \to"
        r" \sigma_*^{$order} \text{ for } u \ne v",
        order=4,
    ),
    assuming=[PROJECTIONS, CONVERGENT_INPUTS],
    rests_on=[CORRECTED, "inf.cor15", "inf.lem32", "inf.lem33"],
    note=_NOTE,
    discharging={**OF_A_LAYER},
)


@LIMIT.argued(
    bridge="Given the inputs it is the square of the variance, a polynomial in mean products of"
    " inputs, which converge in probability (Lemma 33) with bounded moments (Lemma 32).",
    uses=[PROJECTIONS, CONVERGENT_INPUTS],
    over={score_width: SIZE},
)
def square_in_the_limit(order: int, given: Given) -> Obligations:
    """The power of the limit's deviation, where the variance given the inputs is its square."""
    deviation = Symbol("s", positive=True)
    value = given.fact(CORRECTED, "value").statement.rhs
    yield "its square", bool(value.subs(VARIANCE, deviation**2) == deviation**order)
