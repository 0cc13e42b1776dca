"""Theorem 1 and Remark 29: Theorem 28 where the factor of the bound is a logarithm of the width."""

from __future__ import annotations

from typing import Any

from sympy import Interval, Rational, exp, log, sqrt, symbols

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    claims_in,
    eq,
    gt,
    iff,
    integers,
    interval,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import (
    exponential_of_sum,
    logarithm_below_tangent,
    logarithm_increases,
    power_as_exponential,
)
from theorems.eoc_mlp.hypotheses import EQUAL_SCALINGS, NOT_PARALLEL, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    K_limit_matrix,
    K_matrix,
    kappa,
    l,
    m,
    m_l,
    n,
    tau_bar,
)
from theorems.eoc_mlp.letters.table import REAL
from theorems.eoc_mlp.theorem_28 import THEOREM as THEOREM_28

claim = claims_in(LETTERS)
_CHOICE = "proofs_notes/eoc_networks.md#choice-of-p"

p_chosen = LETTERS.number(
    "p_chosen", "p", "exponent of Theorem 28 that turns its power of the width into log m", REAL
)
CHOSEN = Hypothesis(
    "chosen",
    "the exponent is the logarithm to the base m of log m",
    formula=eq(p_chosen, log(log(m)) / log(m)),
)
_WIDTHS = {m: integers(2), p_chosen: None}
_POWER = m**p_chosen
_RATE = m ** (-(1 - p_chosen) / 2)


def _logarithm_is_positive(given: Given) -> Theorem:
    """Log m ≥ log 2 > 0."""
    known = rules.enclosed(gt(log(2), 0))
    grows = logarithm_increases(2, m, over={m: given.domain[m]})
    return given.follows(known, grows, goal=gt(log(m), 0))


REMARK_29 = claim(
    "eoc.rem29",
    at="Remark 29, (16)",
    title="Choice of p",
    states={
        "power": eq(_POWER, log(m)),
        "probability": eq(16 * exp(-_POWER), 16 / m),
        "rate": eq(_RATE, sqrt(log(m)) / sqrt(m)),
    },
    given=_WIDTHS,
    assuming=[CHOSEN],
    note=_CHOICE,
)


def _as_sum(total: Any, first: Any, second: Any, given: Given) -> Theorem:
    """The exponential of a total that is the sum of two terms."""
    return exponential_of_sum(total, first, second, over=given.domain, under=[gt(log(m), 0)])


@REMARK_29.certified("power", "probability", "rate")
def powers_are_exponentials(given: Given) -> Theorem:
    """In exponentials of logarithms: p log m = log log m."""
    positive, inner = _logarithm_is_positive(given), log(log(m))
    widths = given.domain
    premises = [
        positive,
        power_as_exponential(m, p_chosen, over=widths),
        _as_sum(p_chosen * log(m), inner, 0, given),
        given.follows(positive, goal=eq(p_chosen * log(m), inner)),
    ]
    power = given.follows(*premises, goal=eq(_POWER, log(m)))
    if given.part == "power":
        return power
    if given.part == "probability":
        return given.follows(power, positive, _as_sum(-_POWER, -log(m), 0, given))
    exponent = -(1 - p_chosen) / 2
    split = _as_sum(exponent * log(m), inner / 2, -log(m) / 2, given)
    return given.follows(*premises, power_as_exponential(m, exponent, over=widths), split)


RANGE = claim(
    "eoc.rem29.range",
    at="Remark 29",
    title="p is admissible from m = 3 on, and the bound says something from m = 17 on",
    states={
        "admissible": iff(both(lt(0, p_chosen), lt(p_chosen, 1)), m >= 3),
        "informative": iff(gt(1 - 16 * exp(-_POWER), 0), m >= 17),
    },
    given=_WIDTHS,
    assuming=[CHOSEN],
    rests_on=[REMARK_29],
    provenance=Provenance.DERIVED,
    note=_CHOICE,
)


@RANGE.certified("admissible")
def logarithms_of_two_and_three(given: Given) -> Theorem:
    """Log 2 < 1 < log 3, so that log log m > 0 from m = 3 on; and log log m < log m always."""
    positive, outer = _logarithm_is_positive(given), log(m)
    widths, under = {m: given.domain[m]}, [gt(outer, 0)]
    return given.follows(
        positive,
        rules.enclosed(gt(log(3), 1)),
        rules.enclosed(lt(log(2), 1)),
        logarithm_increases(2, m, over=widths),
        logarithm_increases(3, m, over=widths),
        logarithm_increases(1, outer, over=widths, under=under),
        logarithm_increases(outer, 1, over=widths, under=under),
        logarithm_below_tangent(outer, over=widths, under=under),
    )


@RANGE.certified("informative")
def probability_below_one(given: Given) -> Theorem:
    """16/m < 1 for m > 16."""
    return given.follows(given.fact(REMARK_29, "probability"))


_DATA = log(l * n)

ROOT = claim(
    "eoc.thm1.algebra",
    at="Theorem 1 and Remark 29",
    title="The bound of Theorem 28 at this p, and the bound with everything under the root",
    states={
        "identity": eq(sqrt(_DATA) * kappa**2 * _RATE, sqrt(_DATA * log(m)) * kappa**2 / sqrt(m)),
        "weaker": le(
            sqrt(_DATA * log(m)) * kappa**2 / sqrt(m),
            sqrt(2) * sqrt(_DATA * log(m) * kappa**2 / sqrt(m)),
        ),
    },
    given={**_WIDTHS, kappa: None, l: None, n: None},
    assuming=[CHOSEN],
    rests_on=[REMARK_29],
    provenance=Provenance.DERIVED,
    note=_CHOICE,
)


def _data_is_positive(given: Given) -> Theorem:
    """Log(ln) ≥ log 2 > 0, as there are at least two layers."""
    known = rules.enclosed(gt(log(2), 0))
    grows = logarithm_increases(2, l * n, over={l: given.domain[l], n: given.domain[n]})
    return given.follows(known, grows, goal=gt(_DATA, 0))


@ROOT.certified("identity", "weaker")
def compare_the_roots(given: Given) -> Theorem:
    """The squares of both sides differ by the factor κ²m^(-1/2), which is at most 2."""
    rate = given.fact(REMARK_29, "rate")
    return given.follows(rate, _data_is_positive(given), _logarithm_is_positive(given))


THEOREM_1 = claim(
    "eoc.thm1",
    at="Theorem 1",
    title="Limiting concentration of the NTK matrix, simplified",
    states=sentence(
        r"\mathbb{P}\Bigl(\|$K_matrix - $K_limit_matrix\| \le O\bigl($tau_bar^{$square}"
        r"($Delta_phi^{$power} + (\log $l + $m_l^{$half})$l)"
        r"\sqrt{\log($l $n)\log($m)\,$kappa^{$square}$m^{-$half}}\bigr)\Bigr)"
        r" \ge $one - O($m^{-$decay})",
        square=2,
        power=-2,
        half=Rational(1, 2),
        one=1,
        decay=1,
    ),
    given={
        K_matrix: None,
        K_limit_matrix: None,
        tau_bar: None,
        kappa: None,
        l: None,
        m_l: None,
        m: integers(3),
        n: integers(2),
        DELTA: Interval.Lopen(0, 1),
    },
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL],
    discharging={CHOSEN: "Theorem 28 is taken at this p"},
    rests_on=[THEOREM_28, REMARK_29, RANGE, ROOT],
    note=_CHOICE,
    excused={"domain of tau_bar": "true as well: lengths are not negative"},
)
#: Where Theorem 28 is, and from m = 3 on, where the exponent is one of its.
_AS_IN_THEOREM_28 = {
    **{l: integers(2), m_l: integers(1), m: integers(3), n: integers(2)},
    **{DELTA: Interval.Lopen(0, 1), kappa: interval(1, sqrt(2))},
}


@THEOREM_1.argued(
    bridge="Theorem 28 at m^p = log m bounds the norm by the sharper expression, where κ² and"
    " m^(-1/2) stand outside of the root, and its probability is 1 - 16/m; the powers of τ̄ and Δ"
    " are those of Theorem 28.",
    uses=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL],
    over=_AS_IN_THEOREM_28,
)
def insert_the_choice(square: Any, power: Any, half: Any, one: Any, decay: Any) -> Obligations:
    """Theorem 28 at m^p = log m: its exponents, and 16/m = O(1/m)."""
    slots: dict[str, Any] = dict(THEOREM_28.parts["statement"].slots)  # type: ignore[union-attr]
    yield "the exponent of the lengths and of κ", bool(square == slots["square"])
    yield "the exponent of Δ", bool(power == slots["power"])
    K, width = symbols("K width", positive=True)  # κ² and the root of m
    sharper = K / width ** (2 * slots["half"])
    probability = slots["failing"] / width**2 * width ** (2 * decay)
    yield "1 - 16/m = 1 - O(1/m)", equal(probability, slots["failing"] * one)
    yield "everything under the root", equal(sharper**2 / (K / width ** (2 * half)), sharper)
