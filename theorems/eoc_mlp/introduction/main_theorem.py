"""Theorem 1: Theorem 28 where the factor of its bound is a logarithm of the width."""

from typing import Any

from sympy import Interval, Rational, Symbol, expand, limit, log, oo, sqrt, symbols

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, eq, gt, integers, interval, le, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import logarithm_increases
from theorems.eoc_mlp.all_layers.choice_of_p import CHOSEN, NOTE, RATE, WIDTHS, logarithm_is_positive
from theorems.eoc_mlp.all_layers.theorem_28 import theorem as theorem_28
from theorems.eoc_mlp.hypotheses import EQUAL_SCALINGS, NOT_PARALLEL, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import DELTA, claim, kappa, l, m, m_l, n, p, tau_bar
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_DATA = log(l * n)

ROOT = claim(
    "eoc.thm1.algebra",
    at="Theorem 1; Remark 29",
    title="The bound of Theorem 28 at m^p = log m, and a larger one with κ²m^(-1/2) under the root",
    states={
        "identity": eq(sqrt(_DATA) * kappa**2 * RATE, sqrt(_DATA * log(m)) * kappa**2 / sqrt(m)),
        "weaker": le(
            sqrt(_DATA * log(m)) * kappa**2 / sqrt(m), sqrt(2) * sqrt(_DATA * log(m) * kappa**2 / sqrt(m))
        ),
    },
    given=WIDTHS,
    assuming=[CHOSEN],
    rests_on=["eoc.rem29"],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


def _data_is_positive(given: Given) -> Theorem:
    """Log(ln) ≥ log 2 > 0, as there are at least two layers."""
    known = rules.enclosed(gt(log(2), 0))
    grows = logarithm_increases(2, l * n, over={l: given.domain[l], n: given.domain[n]})
    return given.follows(known, grows, goal=gt(_DATA, 0))


@ROOT.certified("identity", "weaker")
def compare_the_roots(given: Given) -> Theorem:
    """The squares of both sides differ by the factor κ²m^(-1/2), which is at most 2."""
    rate = given.fact("eoc.rem29", "rate")
    return given.follows(rate, _data_is_positive(given), logarithm_is_positive(given))


THEOREM_1 = claim(
    "eoc.thm1",
    at="Theorem 1",
    title="Limiting concentration of the NTK matrix, simplified",
    states=sentence(
        r"\mathbb{P}\Bigl(\|$K_matrix - $K_limit_matrix\| \le O\bigl($tau_bar^{$square}"
        r"($Delta_phi^{$power} + (\log $l + $m_l^{$root})$l)"
        r"\sqrt{\log($l\,$n)\log($m)\,$kappa^{$kappa_square}$m^{-$half}}\bigr)\Bigr)"
        r" \ge $one - O($m^{-$decay})",
        square=2,
        power=-2,
        root=Rational(1, 2),
        kappa_square=2,
        half=Rational(1, 2),
        one=1,
        decay=1,
    ),
    given={m: integers(3), n: integers(2), DELTA: Interval.Lopen(0, 1)},
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL],
    discharging={CHOSEN: "Theorem 28 is taken at this p"},
    rests_on=["eoc.thm28", "eoc.rem29", "eoc.rem29.range", ROOT],
    note=NOTE,
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
def insert_the_choice(
    square: Any, power: Any, root: Any, kappa_square: Any, half: Any, one: Any, decay: Any
) -> Obligations:
    """Theorem 28 at m^p = log m: its factors, and 16/m = O(1/m)."""
    slots: Any = theorem_28.THEOREM.parts["statement"].slots  # type: ignore[union-attr]
    yield "the lengths", equal(tau_bar**square, tau_bar ** slots["square"], _AS_IN_THEOREM_28)
    sharper: Any = theorem_28.COMBINED.parts["statement"].slots  # type: ignore[union-attr]
    width, gap, outputs, number = symbols("m g o n", positive=True)  # g = 1 - p
    apart = sharper["bound"] - (DELTA**power + (log(l) + m_l**root) * l)
    at_large_widths = apart.subs({m: width, p: 1 - gap, m_l: outputs, n: 1 + number})
    yield "the layers", bool(limit(expand(at_large_widths), width, oo) == 0)
    radical = sqrt(_DATA * log(m) * kappa**kappa_square * m**-half)
    weaker = as_it_stands(ROOT, "weaker").rhs
    yield "everything under the root", equal(weaker, sqrt(2) * radical, _AS_IN_THEOREM_28)
    failing, units = slots["failing"], Symbol("m", positive=True)
    yield "1 - 16/m", equal(1 - failing / units, one - failing * units**-decay)
