"""Fact 3.1, Theorem 3.1 and Corollary 3.2: convergence of averages, and of single coordinates."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Eq, Max, Min, Rational, Symbol, limit, oo, simplify, solve, sqrt

from numeric.statistics import MeanTest, mean_test
from theorems.attention_limit.letters.dot_products import r
from theorems.attention_limit.letters.generation import (
    limit_square_first,
    limit_square_second,
    scale_first,
    scale_second,
)
from theorems.attention_limit.letters.sketch import vector_count
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.proof_sketch import A_NUMBER, SETTING, first_part, second_moment
from theorems.attention_limit.tools.compositions import INNER, OUTER
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    gt,
    iff,
    integers,
    sentence,
)
from theorems.engine.rules import Theorem

_NOTE = "proofs_notes/attn_proofs.md#theorem-31-put-together"

MASTER = claim(
    "attn.fact31",
    at="Fact 3.1",
    title="Averages over the coordinates of vectors in a program converge almost surely",
    states=sentence(
        r"\operatorname{mean}_\alpha $averaged($entries) \xrightarrow{\text{a.s.}}"
        r" \mathbb{E}\,$averaged($entries_limit) \text{ for all pseudo-Lipschitz } $averaged"
        r" \text{ and vectors } $vectors = ($one_vector)_{i \le $vector_count},"
        r" \text{ the mean being that over the coordinates}"
    ),
)
MASTER.cited(
    "Yang, Tensor Programs I (2019), Theorem 5.4",
    why="it is about all programs and all pseudo-Lipschitz functions; the paper quotes it as well",
)

_CONDITIONAL = Choice(r"\mathbb{E}[\psi(Z^h) \mid \mathring{p}]", "conditional")

THEOREM = claim(
    "attn.thm31",
    at="Theorem 3.1",
    title="Averages over the coordinates behind an attention layer converge in law",
    states=sentence(
        r"\operatorname{mean}_\alpha $averaged($entries) \xrightarrow{d} $mean"
        r" \text{ for all bounded pseudo-Lipschitz } $averaged,"
        r" \quad $vectors_behind = ($one_vector)_{i \le $vector_count}, \quad"
        r" $dot_limits = ($dot_limit)_{i \le $r}",
        mean=_CONDITIONAL,
    ),
    rests_on=["attn.thm41", "attn.propC3"],
    discharging=dict.fromkeys((OUTER, INNER), "all functions composed are pseudo-Lipschitz"),
    note=_NOTE,
)


@THEOREM.argued(
    bridge="Theorem 4.1 applies to the composition of the test function with the functions behind"
    " the layer, which is bounded, and pseudo-Lipschitz by Proposition C.3.",
    controls=A_NUMBER,
    over={vector_count: integers(1), r: integers(1)},
)
def composed_test_function(mean: str) -> Obligations:
    """For h = gp and the cosine the composition is cos(gp), whose averages tend to no number."""
    yield "the limit is that of cos(Zp)", second_moment(mean) == second_moment("conditional")


@THEOREM.estimated(draws=4000, controls=A_NUMBER, over={vector_count: integers(1), r: integers(1)})
def averages_of_cosines(rng: np.random.Generator, draws: int, mean: str) -> Iterator[MeanTest]:
    """Averages of cos(gp) at width 1000, with p of two other vectors: mean and mean square.

    Given p they have the mean exp(-p²/2) and a variance below 1/n; the law of p changes the means
    of exp(-p²/2) and exp(-p²) by less than 1/n.
    """
    width, averages = 1000, []
    for _ in range(draws):
        query, key, value = rng.standard_normal((3, width))
        averages.append(np.mean(np.cos(value * (query @ key) / np.sqrt(width))))
    yield mean_test(np.array(averages), float(1 / sqrt(2)), rounding=2 / width)
    square = float(second_moment(mean))
    yield mean_test(np.array(averages) ** 2, square, rounding=2 / width)


TWO_MATRICES = Hypothesis(
    "two_matrices", "the two vectors of a dot product are images under different matrices"
)

UNBOUNDED = THEOREM.sharpened(
    "attn.thm31.sharp",
    at="Theorem 3.1",
    title="No function need be bounded, and matrices of dot products may make other vectors too",
    states=sentence(
        r"\operatorname{mean}_\alpha $averaged($entries_behind) \xrightarrow{d} $mean"
        r" \text{ for all pseudo-Lipschitz } $averaged \text{ and inputs}",
        mean=_CONDITIONAL,
    ),
    assuming=[TWO_MATRICES],
    rests_on=[MASTER, "attn.propD1.any_inputs", "attn.d12.modulus", "attn.d13", "attn.propC3"],
    discharging=SETTING,
    note=_NOTE,
)


@UNBOUNDED.argued(
    bridge="On a ball the largest distance of average and mean tends to zero in probability, by the"
    " net and the common Lipschitz constants, and the dot products stay in a large ball; so the"
    " average at the dot products is near a continuous function of these, which converge in law for"
    " any pseudo-Lipschitz inputs.",
    controls=A_NUMBER,
    uses=[TWO_MATRICES],
)
def near_a_continuous_function(mean: str) -> Obligations:
    """The distance on the ball is at most 2δM in the limit, for every mesh δ."""
    yield from first_part(mean)


_SQUARES = limit_square_first, limit_square_second
#: The variance of the limit by Definition 3.1, for images of two inputs under two matrices.
_VARIANCE = scale_first**2 * scale_second**2 * limit_square_first * limit_square_second

POSITIVE = claim(
    "attn.def31.positive",
    at="Theorem 3.1",
    title="Limits of dot products have positive variance",
    states=gt(_VARIANCE, 0),
    note="proofs_notes/attn_proofs.md#edges-of-the-definition-of-limits",
)


@POSITIVE.refuted(severity=Severity.EDGE)
def inputs_that_vanish() -> dict[Any, Any]:
    """The function 0 is bounded and pseudo-Lipschitz: an input may vanish, and so does p then."""
    return {scale_first: 1, scale_second: 1, limit_square_first: 0, limit_square_second: 1}


ANY_VARIANCE = POSITIVE.corrected(
    "attn.def31.positive.corrected",
    title="The variance is positive just where neither input vanishes in the limit",
    states=iff(gt(_VARIANCE, 0), both(*(gt(one, 0) for one in _SQUARES))),
    note="proofs_notes/attn_proofs.md#edges-of-the-definition-of-limits",
)


@ANY_VARIANCE.proved()
def product_of_four(given: Given) -> Theorem:
    """It is a product of numbers that are not negative."""
    return given.follows()


_EVERY = Choice(r"\text{for every } \alpha", "every")

COROLLARY = claim(
    "attn.cor32",
    at="Corollary 3.2",
    title="Coordinates of vectors behind an attention layer converge in law",
    states=sentence(
        r"$entries \xrightarrow{d} $entries_limit,"
        r" \quad $vectors_behind = ($one_vector)_{i \le $vector_count}, $which",
        which=_EVERY,
    ),
    rests_on=[THEOREM, "attn.lemD3", "attn.cor32.proof.corrected", "attn.lemC2"],
    note="proofs_notes/attn_proofs.md#the-truncation",
)


@COROLLARY.argued(
    bridge="Coordinates are exchangeable, as every step of a program commutes with permutations and"
    " dot products are kept by them, so that the mean at one coordinate is that of the average; the"
    " truncation changes nothing, and the theorem applies to bounded Lipschitz functions.",
    controls={"the largest": {"which": Choice(r"\text{for the largest coordinate}", "largest")}},
    over={vector_count: integers(1)},
)
def mean_of_the_average(which: str) -> Obligations:
    """n equal means have their value for average, and the truncation is the identity inside."""
    n, value, bound = Symbol("n", positive=True), Symbol("m", real=True), Symbol("C", positive=True)
    yield "mean of the average", n * value / n == value
    share = Symbol("s", positive=True)
    inside = bound * share / (1 + share)
    yield "truncation", simplify(Max(-bound, Min(inside, bound)) - inside) == 0
    # The largest of n independent coordinates is negative with the chance 2^(-n), Z with 1/2.
    negative = Rational(1, 2) ** (n if which == "largest" else 1)
    yield "chance to be negative", limit(negative, n, oo) == Rational(1, 2)


_APART = r"\mathbb{E}\,\psi(Z^h)\,\mathbb{E}\,\chi(Z^h)"

PAIRS = claim(
    "attn.cor32.pairs",
    at="Corollary 3.2",
    title="Two coordinates of an output are independent in the limit only given the dot products",
    states=sentence(
        r"\mathbb{E}[$averaged($entries_behind)\,$averaged_too($entries_elsewhere)] \to $mean"
        r" \text{ for bounded Lipschitz } $averaged, $averaged_too \text{ and } \alpha \ne \beta",
        mean=Choice(
            r"\mathbb{E}\bigl[\mathbb{E}[\psi(Z^h)\mid\mathring{p}]\,"
            r"\mathbb{E}[\chi(Z^h)\mid\mathring{p}]\bigr]",
            "conditional",
        ),
    ),
    rests_on=[THEOREM, "attn.lemD3"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_proofs.md#two-coordinates",
)


@PAIRS.argued(
    bridge="Coordinates are exchangeable, so that the product of two averages has in mean n(n - 1)"
    " equal terms with two coordinates and n with one; both averages converge jointly in law to"
    " their means given the limits of the dot products, by the theorem for each combination.",
    controls={"independent coordinates": {"mean": Choice(_APART, "constant")}},
)
def terms_of_two_averages(mean: str) -> Obligations:
    """The mean of a product of averages is that at two coordinates, up to 1/n."""
    n = Symbol("n", positive=True)
    two, one, product = (Symbol(name, real=True) for name in ("two", "one", "product"))
    terms = (n * (n - 1) * two + n * one) / n**2
    value = solve(Eq(terms, product), two)[0]
    yield "the limit is that of the product", limit(value, n, oo) == product
    gap = second_moment("conditional") - second_moment(mean)
    yield "the limit for cos(Zp) at both", gap == 0
