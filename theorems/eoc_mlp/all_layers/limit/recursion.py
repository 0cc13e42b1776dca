"""Definition 22: the limiting NTK as a sum over the layers."""

from typing import Any

from sympy import Ge, Integer, Sum, Symbol, asin, pi, sqrt

from theorems.engine import Given, Provenance, eq, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.sums import last_term, linear, spelled_out, summed
from theorems.eoc_mlp.hypotheses import BY_DEFINITION
from theorems.eoc_mlp.letters import (
    DELTA,
    claim,
    k,
    l,
    ntk_profile,
    rho,
    slopes_between,
    varrho,
    varrho_iterate,
    varrho_prime,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_mlp.md#limiting-ntk"
_s = Symbol("s", integer=True, nonnegative=True)


def _cosine(times: Any, start: Any = rho) -> Any:
    """The limiting cosine of layer ``times + 1``."""
    return varrho_iterate(times, start, DELTA)


def _slope(times: Any, start: Any = rho) -> Any:
    return varrho_prime(_cosine(times, start), DELTA)


def _term(s: Any, depth: Any) -> Any:
    """The summand k = s + 1 of Definition 22."""
    return _cosine(s) * slopes_between(s + 1, depth - 1, rho, DELTA)


def _sum(depth: Any) -> Sum:
    return Sum(_term(_s, depth), (_s, 0, depth - 1))


RECURSION = claim(
    "eoc.def22.recursion",
    at="Definition 22",
    title="Depth recursion of the limiting NTK",
    states={
        "first layer": eq(ntk_profile(1, rho, DELTA), rho),
        "step": eq(ntk_profile(k + 1, rho, DELTA), _cosine(k) + _slope(k - 1) * ntk_profile(k, rho, DELTA)),
    },
    rests_on=["eoc.varrho.closed_form", "eoc.varrho.prime"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _definition(given: Given, depth: Any) -> Theorem:
    """Definition 22, for two unit vectors and one output."""
    says = eq(ntk_profile(depth, rho, DELTA), _sum(depth))
    return given.meaning("Definition 22, for two unit vectors", says)


def _product(given: Given, first: Any, last: Any) -> Theorem:
    """A product of slopes that is not empty is one factor more than a shorter product."""
    shorter = slopes_between(first, last - 1, rho, DELTA)
    longer = eq(slopes_between(first, last, rho, DELTA), shorter * _slope(last - 1))
    return given.meaning("products of slopes", longer, under=[Ge(last, first)])


def _empty_product(given: Given, first: Any) -> Theorem:
    says = eq(slopes_between(first, first - 1, rho, DELTA), 1)
    return given.meaning("empty products of slopes", says)


def iterates(given: Given, times: Any, start: Any) -> Theorem:
    """An iterate of the cosine map: the start itself, or the map of the iterate before."""
    whole, before = _cosine(times, start), _cosine(times - 1, start)
    says = eq(whole, start if times == 0 else varrho(before, DELTA))
    return given.meaning("iterates", says)


@RECURSION.proved("first layer")
def one_term(given: Given) -> Theorem:
    """The sum has one term, the cosine itself, and its product of slopes is empty."""
    over = {rho: given.domain[rho], DELTA: given.domain[DELTA]}
    return given.follows(
        _definition(given, Integer(1)),
        spelled_out(_sum(Integer(1)), over=over),
        _empty_product(given, Integer(1)),
        iterates(given, Integer(0), rho),
    )


@RECURSION.proved("step")
def split_off_the_last_term(given: Given) -> Theorem:
    """All terms of the sum for k + 1 but the last have the factor ϱ'(ϱ^{∘(k-1)}); that has none."""
    over = dict(given.domain)
    grown = _product(given, _s + 1, k)
    longer = rules.follows(eq(_term(_s, k + 1), _slope(k - 1) * _term(_s, k)), [grown], under=grown.under)
    factored = Sum(_slope(k - 1) * _term(_s, k), (_s, 0, k - 1))
    known = [
        _definition(given, k + 1),
        _definition(given, k),
        last_term(_sum(k + 1), over=over),
        summed(longer, _s, k),
        linear(factored, over=over),
        _empty_product(given, k + 1),
    ]
    return given.follows(*known, goal=as_it_stands(RECURSION, "step"))


DIAGONAL = claim(
    "eoc.def22.diagonal",
    at="Definition 22",
    title="The limiting NTK of a unit vector with itself is the depth",
    states=eq(ntk_profile(l, 1, DELTA), l),
    rests_on=[RECURSION, "eoc.varrho.values"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIAGONAL.proved()
def fixed_point(given: Given) -> Theorem:
    """ϱ(1) = ϱ'(1) = 1, so each step of the recursion adds 1 to κ₁ = 1."""
    one = given.fact("eoc.varrho.values", "at 1")
    stays = rules.induction(
        eq(_cosine(_s, 1), 1),
        _s,
        0,
        base=[iterates(given, Integer(0), Integer(1))],
        step=[iterates(given, _s + 1, Integer(1)), one],
    )
    step = given.fact(RECURSION, "step")
    step = step.at({rho: 1})
    at = [stays.at({_s: times}) for times in (k, k - 1)]
    all_depths = rules.induction(
        eq(ntk_profile(k, 1, DELTA), k),
        k,
        1,
        base=[given.fact(RECURSION, "first layer").at({rho: 1})],
        step=[step, *at, one],
    )
    return given.instance(all_depths, {k: l})


LOW_DEPTHS = claim(
    "eoc.def22.low_depths",
    at="Definition 22",
    title="The limiting NTK at depths 2 and 3",
    states={
        "depth 2": [
            eq(ntk_profile(2, rho, DELTA), varrho(rho, DELTA) + rho * varrho_prime(rho, DELTA)),
            eq(
                varrho(rho, DELTA) + rho * varrho_prime(rho, DELTA),
                2 * (1 - DELTA) * rho + 2 / pi * DELTA * (sqrt(1 - rho**2) + 2 * rho * asin(rho)),
            ),
        ],
        "depth 3": eq(
            ntk_profile(3, rho, DELTA),
            varrho(varrho(rho, DELTA), DELTA)
            + varrho_prime(varrho(rho, DELTA), DELTA) * ntk_profile(2, rho, DELTA),
        ),
    },
    rests_on=[RECURSION, "eoc.varrho.closed_form", "eoc.varrho.prime"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LOW_DEPTHS.proved("depth 2")
def insert_closed_forms(given: Given) -> Theorem:
    """The printed sum at l = 2 against closed forms in arcsin ρ and √(1 - ρ²)."""
    return given.decided()


@LOW_DEPTHS.proved("depth 3")
def one_more_step(given: Given) -> Theorem:
    """The second step of the recursion."""
    layers = [iterates(given, Integer(times), rho) for times in range(3)]
    return given.follows(given.fact(RECURSION, "step", {k: Integer(2)}), *layers)
