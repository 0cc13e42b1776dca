"""Section 4: the distance from the limit is split into two parts, and Theorem 4.1."""

from typing import Any

from sympy import Abs, Integral, Min, Symbol, exp, limit, oo, pi, simplify, sqrt

from theorems.attention_limit.letters.averages import limit_slope, mesh, psi_bound, test_bound, test_slope
from theorems.attention_limit.letters.dot_products import r
from theorems.attention_limit.letters.sketch import (
    S_1,
    S_2,
    at_width,
    given_scores,
    image_count,
    in_the_limit,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.proofs.conditioning import AVERAGES, ON_THE_NET, TEST_FUNCTION
from theorems.attention_limit.proofs.limit_of_scores import BOUNDED
from theorems.attention_limit.tools.compositions import INNER, OUTER
from theorems.attention_limit.tools.pseudo_lipschitz import PSEUDO_LIPSCHITZ
from theorems.engine import Choice, Given, Hypothesis, Obligations, both, eq, integers, le, sentence
from theorems.engine.rules import Theorem

PARTS = Hypothesis(
    "parts",
    "$S_1 and $S_2 are the sizes of the two differences, by way of $given_scores",
    formula=both(eq(S_1, Abs(at_width - given_scores)), eq(S_2, Abs(given_scores - in_the_limit))),
)

SPLIT = claim(
    "attn.sec4.split",
    at="Section 4",
    title="The distance from the limit is at most the sum of two parts",
    states=le(Abs(at_width - in_the_limit), S_1 + S_2),
    assuming=[PARTS],
)


@SPLIT.proved()
def triangle_inequality(given: Given) -> Theorem:
    """By way of the mean given the scores."""
    return given.follows()


_CONDITIONAL = Choice(r"\mathbb{E}[\psi(Z^g, \mathring{p}) \mid \mathring{p}]", "conditional")
#: A control for what is said of the limit of averages.
A_NUMBER = {"a limit that is a number": {"mean": Choice(r"\mathbb{E}\,\psi(Z^h)", "constant")}}
#: Why the hypotheses of the steps are met.
SETTING = {
    PARTS: "S_1 and S_2 are these two parts",
    AVERAGES: "both places lie in the ball",
    ON_THE_NET: "the ball has finite nets; attn.d12.modulus and attn.d13 have the constants",
    TEST_FUNCTION: "the test function is bounded and Lipschitz",
    PSEUDO_LIPSCHITZ: "the function that is averaged is pseudo-Lipschitz",
    BOUNDED: "the bound is used for bounded functions only",
    **dict.fromkeys((OUTER, INNER), "all functions that are composed are pseudo-Lipschitz"),
}

AVERAGED = claim(
    "attn.thm41",
    at="Theorem 4.1",
    title="Averages of a function of vectors and dot products converge in law",
    states=sentence(
        r"\operatorname{mean}_\alpha $averaged_at($image_entries, $dot_products)"
        r" \xrightarrow{d} $mean \text{ for all bounded pseudo-Lipschitz } $averaged_at,"
        r" \quad $images = ($one_image)_{i \le $image_count}, \quad"
        r" $dot_products = ($dot_product)_{i \le $r}",
        mean=_CONDITIONAL,
    ),
    rests_on=[
        *("attn.fact31", "attn.propD1.any_inputs", "attn.sec4.split", "attn.d12.bound"),
        *("attn.d12.modulus", "attn.lemD10", "attn.d13", "attn.lemC2"),
    ],
    discharging=SETTING,
    note="proofs_notes/attn_proofs.md#theorem-31-put-together",
)


def second_moment(mean: str) -> Any:
    """E e^(-p²) = 3^(-1/2), of the conditional mean e^(-p²/2) of cos(Zp), or its mean squared."""
    g, power = Symbol("g", real=True), {"conditional": 2, "constant": 1}[mean]
    value = Integral(exp(-power * g**2 / 2) * exp(-(g**2) / 2) / sqrt(2 * pi), (g, -oo, oo)).doit()
    return simplify(value ** (2 / power))


def first_part(mean: str) -> Obligations:
    """The bound of S₁ in the limit of the width, then of the mesh and of the set K."""
    outside = Symbol("P(p not in K)", nonnegative=True)
    # the largest gap on the net vanishes, and M_n tends to M: bounded convergence
    wide = test_slope * Min(2 * psi_bound, 0 + mesh * (limit_slope + limit_slope))
    bound = 2 * test_slope * mesh * limit_slope + 2 * test_bound * outside
    larger = wide.subs(psi_bound, oo)
    yield "bound at any mesh", larger + 2 * test_bound * outside == bound
    yield "no mesh, all of the law in K", limit(limit(bound, mesh, 0, "+"), outside, 0, "+") == 0
    varies = second_moment("conditional") - second_moment(mean)
    yield "the limit is that of cos(Zp)", varies == 0


@AVERAGED.argued(
    bridge="The dot products converge in law, so that a ball that their limits do not charge on"
    " the boundary has nearly all of their law; on it averages and means have common Lipschitz"
    " constants, on a net the master theorem applies, and bounded convergence takes the limit in"
    " the bound of the first part. The second part vanishes as the mean over the limits is"
    " continuous.",
    controls=A_NUMBER,
    over={image_count: integers(1), r: integers(1)},
)
def both_parts_vanish(mean: str) -> Obligations:
    """What the bound of the first part becomes; averages of cos(gp) tend to no number."""
    yield from first_part(mean)
