"""Appendix D.1.2: the average converges to its mean given the dot products."""

from typing import Any

from sympy import Abs, Integral, Rational, Symbol, cos, exp, oo, pi, simplify, sin, sqrt

from theorems.attention_limit.letters.convergence import difference, largest_difference
from theorems.attention_limit.letters.table import claim
from theorems.engine import Choice, Given, Hypothesis, Obligations, Severity, eq, le, sentence
from theorems.engine.rules import E, P, Theorem, facts, probabilities

_NOTE = "proofs_notes/attn_proofs.md#the-supremum-and-the-mean"

STEP = claim(
    "attn.d12.eq6",
    at="Appendix D.1.2; Equation (6)",
    title="Given that p is in K the difference is at most that at the worst fixed place of K",
    states=sentence(
        r"|\mathbb{E}[(f(y) - f(z))\mathbf{$one}\{p \in K\}]| \le $factor \sup_{a \in K}"
        r" |\mathbb{E}f(\tfrac{$one}{n}\textstyle\sum_\alpha\psi(g_\alpha, a))"
        r" - \mathbb{E}f(\mathbb{E}\psi(Z^g, a))| \text{ for $which}",
        one=1,
        factor=1,
        which=Choice("the dot products p of the g", "dot products"),
    ),
    note=_NOTE,
)


def _mean(f: Any, g: Symbol) -> Any:
    return Integral(f * exp(-(g**2) / 2) / sqrt(2 * pi), (g, -oo, oo)).doit()


@STEP.refuted(
    severity=Severity.GAP,
    controls={"independent": {"which": Choice("p independent of the g", "independent")}},
)
def cosine_of_the_difference(one: Any, factor: Any, which: str) -> Obligations:
    """At n = 1 with p = g g', ψ = cos(g g' - a), f the identity on [-1, 1]: the right side is 0.

    g and g' are independent and standard normal as their limits are, so that the means over g at
    a fixed a are equal. At a = p the average is 1, and its mean given p is cos(p) E cos(g g').
    """
    a, g, other, p = (Symbol(name, real=True) for name in ("a", "g", "g'", "p"))
    centre = _mean(_mean(cos(g * other), other), g)
    yield "mean of the cosine", bool(centre == 1 / sqrt(2))
    # Outputs at width 1 and their limits are standard normal both: the mean is found in two ways.
    at_width_one = _mean(_mean(cos(g * other - a), other), g)
    in_the_limit = cos(a) * centre + sin(a) * _mean(_mean(sin(g * other), other), g)
    right = factor * Abs(simplify(at_width_one - in_the_limit))
    yield "the right side vanishes at every place", right == 0
    own = cos(p - p) if which == "dot products" else cos(p) * centre
    least = own - (centre if which == "dot products" else cos(p) * centre)
    yield "the left side is positive", bool(least * one > Rational(1, 4))


LARGEST = Hypothesis(
    "largest_difference",
    "$difference is what $largest_difference is the supremum of, at the place p, if that is in K,"
    " and is 0 otherwise",
    latex=r"|$difference| \le $largest_difference",
)

CORRECTED = STEP.corrected(
    "attn.d12.eq6.corrected",
    title="Given that p is in K the difference is at most the mean of the supremum over K",
    states=le(Abs(E(difference)), E(largest_difference)),
    given=[difference, largest_difference],
    assuming=[LARGEST],
    note=_NOTE,
)


@CORRECTED.proved()
def supremum_inside(given: Given) -> Theorem:
    """The place p is one of those over which the supremum is taken, whatever the weights are."""
    sure = given.supposed(LARGEST, eq(P(le(Abs(difference), largest_difference)), 1))
    size = facts.expectation_of_size(difference)
    larger = probabilities.larger_mean(Abs(difference), largest_difference)
    return given.follows(size, larger, sure)
