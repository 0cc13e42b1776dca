"""Appendix E: tails for any number of heads, and of combinations of the outputs of all tokens.

The page treats one token of one head and says that the same strategy applies to the others.
"""

import sympy as sp
from sympy import Abs, Expr, Symbol, exp, sqrt

from theorems.attention_limit.letters.limit import H, Z_y
from theorems.attention_limit.letters.table import SIZE, claim
from theorems.attention_limit.letters.tails import (
    Sigma_mean,
    V_direction,
    V_heads,
    Z_direction,
    c_sizes,
    t_level,
)
from theorems.attention_limit.main_theorem.variance import INDEPENDENT_HEADS
from theorems.attention_limit.sub_gaussian.tails import below_gaussian, exponential_tail
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, le, rules
from theorems.engine.rules import P, Theorem, Vector, inner, norm, sums
from theorems.engine.rules.vocabulary import vectors

_AT = "Appendix E"
_NOTE = "proofs_notes/attn_tools.md#heads-and-tokens-together"
_k = Symbol("k", integer=True, nonnegative=True)
_form, _top = sp.Function("form", nonnegative=True), sp.Function("top", positive=True)
_s = Symbol("s", integer=True, positive=True)


def _sum(term: Expr, length: Expr) -> Expr:
    return sp.Sum(term, (_k, 0, length - 1))


FORM = claim(
    "attn.appE.heads.form",
    at=_AT,
    title="The variance given the scores of all heads is at most the mean of their largest ones",
    states=le(V_heads, Sigma_mean),
    rests_on="attn.appE.form.sharp",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@FORM.proved()
def added_over_the_heads(given: Given) -> Theorem:
    """The form of each head is at most its largest variance; so are the means over the heads."""
    each = given.fact("attn.appE.form.sharp", "variance")
    at = dict(zip(each.statement.args, (_form(_k), _top(_k)), strict=True))
    head = each.at(at)
    added = sums.summed(head, _k, H)
    means = given.meaning(
        "means over the heads", eq(V_heads, _sum(_form(_k), H) / H), eq(Sigma_mean, _sum(_top(_k), H) / H)
    )
    return rules.follows(given.goal, [added, means], over={**given.domain, H: SIZE})


HEADS = claim(
    "attn.appE.heads",
    at=_AT,
    title="The tail for any number of heads, with the mean of their largest variances",
    states=le(P(ge(Abs(Z_y), t_level)), exp(-(t_level**2) / (2 * Sigma_mean))),
    assuming=[INDEPENDENT_HEADS],
    rests_on=FORM,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@HEADS.proved()
def mixture_over_the_heads(given: Given) -> Theorem:
    """Given all scores the output is Gaussian with the mean of the forms as its variance."""
    below = below_gaussian(given, Z_y, INDEPENDENT_HEADS, given.fact(FORM), Sigma_mean)
    return exponential_tail(given, INDEPENDENT_HEADS, below, Sigma_mean)


_c = sp.Function("c", real=True)
#: The outputs times their coefficients and before, with covariances as inner products.
_g, _own = vectors("g"), vectors("y")

DIRECTION = claim(
    "attn.appE.tokens.form",
    at=_AT,
    title="The variance given the scores of a combination of the outputs of all tokens",
    states=le(V_direction, c_sizes**2 * Sigma_mean),
    rests_on=FORM,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIRECTION.proved()
def triangle_inequality_over_tokens(given: Given) -> Theorem:
    """The deviation of Σ c_i y_i is at most Σ |c_i| times the largest of those of the y_i."""
    over = {_s: sp.Range(1, sp.oo)}
    vector = _sum(_g(_k), _s)
    one = given.fact(FORM)
    each = one.at({V_heads: _form(_k)})
    weighted = _scaled_variance(given)
    bound = sqrt(Sigma_mean) * Abs(_c(_k))
    square = rules.follows(le(norm(_g(_k)) ** 2, bound**2), [each, weighted])
    short = rules.follows(le(norm(_g(_k)), bound), [square])
    added = sums.summed(short, _k, _s)
    apart = sums.linear(added.statement.rhs)
    triangle = sums.norm_of_sum(vector)
    meaning = given.meaning(
        "the variance of a combination, with covariances given the scores as products",
        eq(c_sizes, _sum(Abs(_c(_k)), _s)),
        eq(V_direction, norm(vector) ** 2),
    )
    letters = {**given.domain, **over}
    length = rules.follows(
        le(norm(vector), sqrt(Sigma_mean) * c_sizes), [triangle, added, apart, meaning], over=letters
    )
    square = rules.follows(le(norm(vector) ** 2, Sigma_mean * c_sizes**2), [length], over=letters)
    return rules.follows(given.goal, [square, meaning], over=letters)


def _scaled_variance(given: Given) -> Theorem:
    """|g|² = c²|y|² for the multiple g = cy of y, where |y|² is a variance."""
    z, scaled, own = Vector("z"), _g(_k), _own(_k)
    multiple = eq(inner(scaled, z), _c(_k) * inner(own, z))
    multiple = given.meaning("outputs times their coefficients", multiple)
    known = [multiple.at({z: one}) for one in (scaled, own)]
    length = given.meaning("a variance, as a squared length", eq(_form(_k), inner(own, own)))
    return rules.follows(eq(inner(scaled, scaled), _c(_k) ** 2 * _form(_k)), [*known, length])


COMBINATION = Hypothesis(
    "combination_of_outputs",
    "$Z_direction is a combination of the limit outputs, with coefficients whose sizes add up to"
    " $c_sizes; given the scores the outputs are jointly Gaussian and centred",
)

TOKENS = claim(
    "attn.appE.tokens",
    at=_AT,
    title="The tail of a combination of the outputs of all tokens",
    states=le(P(ge(Abs(Z_direction), t_level)), exp(-(t_level**2) / (2 * c_sizes**2 * Sigma_mean))),
    assuming=[COMBINATION],
    rests_on=DIRECTION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@TOKENS.proved()
def tail_of_a_combination(given: Given) -> Theorem:
    """As for one token, with another bound of the variance."""
    bound = c_sizes**2 * Sigma_mean
    below = below_gaussian(given, Z_direction, COMBINATION, given.fact(DIRECTION), bound)
    return exponential_tail(given, COMBINATION, below, bound)
