"""Appendix C.1: moments of inputs to which positional encodings are added."""

from typing import Any

import sympy as sp
from sympy import Abs, Max, Rational, Reals, Symbol, sqrt

from theorems.classical import powers
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem, facts, principles
from theorems.engine.rules.normal_variables import isserlis
from theorems.engine.rules.vocabulary import independent, normal
from theorems.infinite_attention.auxiliary.limits_of_products import COLUMNS as EXCHANGEABLE_COLUMNS
from theorems.infinite_attention.letters.auxiliary import g_a1, g_b1, product_gg
from theorems.infinite_attention.letters.encodings import alpha, encoded, encoding, g_input, order
from theorems.infinite_attention.letters.table import UNIT, claim

_NOTE = "proofs_notes/inf_encodings.md#moments"

PRINTED = claim(
    "inf.c1",
    at="Appendix C.1",
    title="Adding an encoding does not make a moment larger than both",
    states=sentence(
        r"\mathbb{E}|$encoded_entry_any|^$order \le $factor^t \max\{\mathbb{E}|$g_input|^$order,"
        r" \mathbb{E}|$encoding_entry|^$order\}, \quad $encoded_entry_any"
        r" \text{ with the encoding } $encoding_entry \text{ added or appended}",
        factor=1,
    ),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.GAP, controls={"the root of two": {"factor": sqrt(2)}})
def fourth_moment_beside_a_constant(factor: Any) -> Obligations:
    """The nonlinearity 1, half of each, and an encoding of the variance 1/√3: 1.366 > 1."""
    variance, half = 1 / sqrt(3), Rational(1, 2)
    moments = {0: sp.Integer(1), 2: variance, 4: 3 * variance**2}
    terms = (sp.binomial(4, k) * half**2 * moments[k] for k in moments)
    yield "the fourth moments are 1", moments[4] == 1
    yield "that of the sum is larger", bool(sp.Add(*terms) > factor**4 * moments[4])


COLUMN = Hypothesis(
    "column_of_either",
    "$encoded is an entry of the input with the encoding appended: one of the input's, with the law"
    " of $g_input, or one of the encoding's, with that of $encoding",
)

APPENDED = claim(
    "inf.c1.entries",
    at="Appendix C.1",
    title="Appending an encoding does not make a moment larger than both",
    states=le(E(Abs(encoded) ** order), Max(E(Abs(g_input) ** order), E(Abs(encoding) ** order))),
    assuming=COLUMN,
    note=_NOTE,
)


@APPENDED.proved()
def one_entry_or_the_other(given: Given) -> Theorem:
    """A moment is one of both."""
    moment = E(Abs(encoded) ** order)
    either = sp.Or(*(eq(moment, E(Abs(one) ** order)) for one in (g_input, encoding)))
    return given.follows(given.supposed(COLUMN, either))


RELIANCE = claim(
    "inf.c1.reliance",
    at="Appendix C.1",
    title="Theorem 3 relies on convergence in law, independent columns and bounded moments only",
    states=sentence(
        r"(g_{n,i})_i \xrightarrow{d} (g_i)_i \text{ independent},\ \sup_{n,i}"
        r" \mathbb{E}|g_{n,i}|^t < \infty \ \Rightarrow\ d_n^{-$one} \textstyle\sum_{i \le d_n}"
        r" \mathbb{E} g_{n,i}^{$square} \to $factor\, \mathbb{E} g_i^{$square_too}",
        one=1,
        square=2,
        factor=1,
        square_too=2,
    ),
    provenance=Provenance.STEP,
    note=_NOTE,
)


@RELIANCE.refuted(severity=Severity.EDGE, controls={"what it is here": {"factor": 4}})
def later_columns_are_larger(one: Any, square: Any, factor: Any, square_too: Any) -> Obligations:
    """Of d columns all but the first √d have twice the size: no column keeps it, the mean does."""
    root = Symbol("r", positive=True, integer=True)  # the root of the width
    count, normal = root**2, {2: sp.Integer(1), 4: sp.Integer(3)}
    first, later = normal[square], 2**square * normal[square]
    mean = (root * first + (count - root) * later) / count**one
    yield "each column is soon among the first", sp.limit(root, root, sp.oo) == sp.oo
    limit = sp.limit(mean, root, sp.oo)
    yield "the mean product tends to another number", bool(limit != factor * normal[square_too])


EXCHANGEABLE = RELIANCE.corrected(
    "inf.c1.reliance.corrected",
    title="With exchangeable columns a mean product has the mean of the first column",
    states=eq(E(product_gg), E(g_a1 * g_b1)),
    assuming=EXCHANGEABLE_COLUMNS,
    rests_on="inf.lem33.inputs",
    note=_NOTE,
)


@EXCHANGEABLE.proved()
def one_column_for_all(given: Given) -> Theorem:
    """Theorem 3 assumes it; columns with an appended encoding are not exchangeable."""
    return given.follows(given.fact("inf.lem33.inputs", "mean"))


_WEIGHT = sqrt(alpha) + sqrt(1 - alpha)
_SUM = sqrt(alpha) * g_input + sqrt(1 - alpha) * encoding
ADDED = Hypothesis(
    "added_encoding",
    "the encoding is added to the input, of which the squared share is $alpha",
    latex=r"$encoded = \sqrt{$alpha} $g_input + \sqrt{1 - $alpha} $encoding",
)

CORRECTED = PRINTED.corrected(
    "inf.c1.corrected",
    title="Adding an encoding multiplies a moment at most by that of the two factors' sum",
    states=le(
        E(Abs(encoded) ** order), _WEIGHT**order * Max(E(Abs(g_input) ** order), E(Abs(encoding) ** order))
    ),
    assuming=ADDED,
    note=_NOTE,
)


@CORRECTED.proved()
def convexity_of_powers(given: Given) -> Theorem:
    """The sum is its factors' sum times a mean of both, whose power is at most the mean's."""
    x, y = sp.symbols("x y", real=True)
    share = sqrt(alpha) / _WEIGHT
    over = {one: given.domain[one] for one in (alpha, order)}
    values = {x: Reals, y: Reals, **over}
    mean, total = share * x + (1 - share) * y, sqrt(alpha) * x + sqrt(1 - alpha) * y
    known = [
        powers.convex(x, y, share, order, over=values),
        powers.of_sizes(_WEIGHT, mean, order, over=values),
        powers.equal(Abs(total), Abs(_WEIGHT * mean), order, over=values),
    ]
    mixed = share * Abs(x) ** order + (1 - share) * Abs(y) ** order
    convex = rules.follows(le(Abs(total) ** order, _WEIGHT**order * mixed), known)
    means = principles.expected_jointly(convex, {x: g_input, y: encoding})
    same = given.supposed(ADDED, eq(E(Abs(encoded) ** order), E(Abs(_SUM) ** order)))
    return given.follows(means, same)


INDEPENDENT = Hypothesis(
    "independent_encoding",
    "the encoding is normal, centred, and independent of the input",
    latex=r"$encoding \sim \mathcal{N}(0, R_{aa}) \text{ independent of } $g_input",
)
_FACTOR = (1 + sqrt(3)) / 2

FOURTH = CORRECTED.sharpened(
    "inf.c1.fourth",
    title="An independent encoding multiplies the fourth moment at most by 1.37",
    states={
        "bound": le(E(encoded**4), _FACTOR * Max(E(g_input**4), E(encoding**4))),
        "attained": implies(
            eq(E(encoding**2), 1 / sqrt(3)),
            both(eq(E((1 + encoding) ** 4) / 4, _FACTOR * E(encoding**4)), eq(E(encoding**4), 1)),
        ),
    },
    assuming=[ADDED, INDEPENDENT],
    note=_NOTE,
)


@FOURTH.proved("bound")
def mixed_term_by_both_kurtoses(given: Given) -> Theorem:
    """6α(1 - α) E g² E ε², with (E g²)² ≤ E g⁴ and 3(E ε²)² = E ε⁴; the rest is 1 - 2α(1 - α)."""
    g, noise = g_input, encoding
    powers_of_both = [(g**p, noise ** (4 - p)) for p in (1, 2, 3)]
    known = [
        given.supposed(INDEPENDENT, normal(noise), independent(g, noise)),
        *(facts.powers_of_independent(g, noise, p, 4 - p) for p in (1, 2, 3)),
        *(facts.expectation_of_independent(*pair) for pair in powers_of_both),
        *_moments_of_the_encoding(),
    ]
    values = {_u: E(g**2), _v: E(noise**2), _m: E(g**4), _top: Max(E(g**4), E(noise**4))}
    mixed = given.substituted(_mixed_below(), values)
    same = given.supposed(ADDED, eq(E(encoded**4), E(_SUM**4)))
    expanded = given.follows(*known, same, goal=eq(E(encoded**4), _WHOLE.xreplace(values)))
    square = facts.expectation_of_square(g**2)
    met = given.follows(*known, square, goal=sp.And(*(one.xreplace(values) for one in _UNDER)))
    return given.follows(expanded, met, mixed)


_u, _v, _m, _top = sp.symbols("u v m top", real=True)
_UNDER = (le(_u**2, _m), le(3 * _v**2, _top), le(_m, _top))
_WHOLE = alpha**2 * _m + 6 * alpha * (1 - alpha) * _u * _v + 3 * (1 - alpha) ** 2 * _v**2


def _mixed_below() -> Theorem:
    """uv ≤ top/√3 where u² ≤ m ≤ top and 3v² ≤ top, and with it the whole bound."""
    over: dict[Symbol, Any] = dict.fromkeys((_u, _v, _m, _top), sp.Reals)
    product = rules.follows(le(_u * _v, _top / sqrt(3)), under=_UNDER)
    domain = {**over, alpha: UNIT}
    return rules.follows(le(_WHOLE, _FACTOR * _top), [product], over=domain, under=_UNDER)


@FOURTH.proved("attained")
def constant_input(given: Given) -> Theorem:
    """The input 1 and half of each: (1 + 6/√3 + 1)/4."""
    return given.follows(given.supposed(INDEPENDENT, normal(encoding)), *_moments_of_the_encoding())


def _moments_of_the_encoding() -> list[Theorem]:
    """The odd moments of a normal variable vanish, and the fourth is three squares of the second."""
    return [isserlis(*[encoding] * order_of_moment) for order_of_moment in (1, 3, 4)]
