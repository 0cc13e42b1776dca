"""Lemma C.1: powers of sums."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import common, index, k_terms, largest_term, m_power, term
from theorems.classical import powers
from theorems.engine import Choice, Given, Obligations, Severity, eq, le, rules, sentence
from theorems.engine.rules import Theorem, sums

_NOTE = "proofs_notes/attn_tools.md#powers-of-sums"


def _sum(one: Expr) -> Expr:
    return sp.Sum(one, (index, 0, k_terms - 1))


_SIZES, _POWERS = _sum(Abs(term(index))), _sum(Abs(term(index)) ** m_power)

POWER_MEAN = claim(
    "attn.lemC1",
    at="Lemma C.1",
    title="Powers of a sum by sums of powers",
    states={
        "triangle inequality": le(Abs(_sum(term(index))) ** m_power, _SIZES**m_power),
        "power mean": le(_SIZES**m_power, k_terms ** (m_power - 1) * _POWERS),
        "attained": eq((k_terms * common) ** m_power, k_terms ** (m_power - 1) * (k_terms * common**m_power)),
    },
    note=_NOTE,
)

_place = Symbol("q", nonnegative=True)
_ABOVE_ZERO = sp.Interval.open(0, sp.oo)


@POWER_MEAN.proved("triangle inequality")
def triangle_inequality(given: Given) -> Theorem:
    """By induction on the number of terms; powers increase."""
    n = Symbol("n", integer=True, nonnegative=True)
    i = Symbol("i", integer=True)
    one, other = (sp.Sum(f, (i, 0, n - 1)) for f in (term(i), Abs(term(i))))
    sizes = sums.by_recursion(le(Abs(one), other), n)
    here = sizes.at({n: k_terms})
    grown = powers.increase(Abs(_sum(term(index))), _SIZES, m_power, over=given.domain)
    return given.follows(here, grown)


def _products(factor: Symbol, over: Any) -> list[Theorem]:
    """(k q)^m = k^m q^m, and k^m = k^(m - 1) k."""
    product = powers.of_product(k_terms, factor, m_power, over=over)
    return [product, powers.one_more(k_terms, m_power - 1, over=over)]


@POWER_MEAN.proved("power mean")
def tangent_at_the_mean(given: Given) -> Theorem:
    """Each |a_i|^m lies above the tangent at the mean q, and these add up to k q^m."""
    over = {x: given.domain[x] for x in (k_terms, m_power)}
    places = {**over, _place: _ABOVE_ZERO}
    each = powers.above_tangent(Abs(term(index)), _place, m_power, over={**places, index: sp.Range(sp.oo)})
    added = sums.summed(each, index, k_terms)
    parts = [sums.linear(one, over=places) for one in added.statement.args]
    at_mean = eq(k_terms * _place, _SIZES)
    positive = rules.follows(le(k_terms * _place**m_power, _POWERS), [added, *parts], under=[at_mean])
    product = rules.follows(
        le((k_terms * _place) ** m_power, k_terms ** (m_power - 1) * _POWERS),
        [positive, *_products(_place, places)],
        under=[at_mean],
    )
    there = product.at({_place: _SIZES / k_terms}, under=[sp.Gt(_SIZES, 0)])
    return given.follows(there, powers.of_zero(_SIZES, m_power, over=over))


@POWER_MEAN.proved("attained")
def equal_terms(given: Given) -> Theorem:
    """k equal terms."""
    return given.follows(*_products(common, given.domain))


RANGE = claim(
    "attn.lemC1.range",
    at="Lemma C.1",
    title="Both sides of the lemma have a value at every exponent of the printed range",
    states=sentence(
        r"{$k_terms}^{$power_any-$one} \textstyle\sum_{i \le $k_terms} |$term_i|^{$power_any}"
        r" \text{ has a value for } $power_any \in $which",
        one=1,
        which=Choice(r"\{\text{the numbers from one on, and } \infty\}", "closed"),
    ),
    note=_NOTE,
)


@RANGE.refuted(
    severity=Severity.SLIP, controls={"finite": {"which": Choice(r"\text{the numbers from one on}", "open")}}
)
def halves_at_infinity(one: Any, which: str) -> Obligations:
    """At k = 2, a = (1/2, 1/2) and m = ∞ the right side is ∞ times 0."""
    exponent = sp.oo if which == "closed" else sp.Integer(7)
    terms = [sp.Rational(1, 2) ** exponent] * 2
    value = sp.Integer(2) ** (exponent - one) * sp.Add(*terms)
    yield "no value", value is sp.nan


AT_INFINITY = RANGE.corrected(
    "attn.lemC1.range.corrected",
    title="At the exponent infinity the lemma bounds the sum by the largest term",
    states=le(Abs(_sum(term(index))), k_terms * largest_term),
    note=_NOTE,
)


@AT_INFINITY.proved()
def terms_by_the_largest(given: Given) -> Theorem:
    """By induction on the number of terms, each of which is at most the largest one."""
    n, i = Symbol("n", integer=True, nonnegative=True), Symbol("i", integer=True)
    largest = given.largest("the largest size of a term", le(Abs(term(n)), largest_term))
    partial = Abs(sp.Sum(term(i), (i, 0, n - 1)))
    general = sums.by_recursion(le(partial, n * largest_term), n, premises=[largest])
    return given.follows(general.at({n: k_terms}))
