"""Section 5.2: how the largest length of a read-out vector grows with the width."""

from typing import Any

import sympy as sp
from sympy import Rational, exp, log, sqrt

from symbolic.equality import equal
from theorems.engine import Obligations, Severity, integers, open_interval, sentence
from theorems.shallow_transformer.analysis.initialisation.event import EVENT_RADIUS, START
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS, RANDOM_HEADS
from theorems.shallow_transformer.letters.paper import accuracy, claim, d, m
from theorems.shallow_transformer.useful_facts.gaussian_norms import NOTE

BOUNDED = claim(
    "st.sec5.running_maximum",
    at="before Definition 1",
    title="The running maximum of the norms stays bounded with high probability, for all widths",
    states=sentence(
        r"\forall $delta_prime\ \exists $r\ \forall $m: \quad"
        r" \mathbb{P}\Bigl(\max_{i \in [m]}\|U_i\|_2 \le $r\Bigr) \ge $one - $delta_prime"
        r" \text{ at } $phi_0",
        one=1,
    ),
    given={m: integers(2)},
    assuming=(PAIRED_HEADS, RANDOM_HEADS),
    rests_on=["st.def1.exact"],
    discharging={EVEN_WIDTH: "for all even widths"},
    note=NOTE,
)


@BOUNDED.refuted(severity=Severity.DEPENDENCE)
def probabilities_vanish(one: Any) -> Obligations:
    """d = 2: (1 - e^(-R²/2))^(m/2) → 0 for every fixed R; it does not if R² grows as 2 log m."""
    width, fixed = sp.symbols("m R", positive=True)
    base = 1 - exp(-(fixed**2) / 2)
    yield "base below 1 for every R", (Rational(one) - base).is_positive
    sample = (base ** (width / 2)).subs(fixed, 3)
    yield "limit at R = 3", bool(sp.limit(sample, width, sp.oo) == 0)
    growing = (1 - exp(-(fixed**2 + 2 * log(width)) / 2).simplify()) ** (width / 2)
    yield "no limit 0 for a growing one", bool(sp.limit(growing.subs(fixed, 3), width, sp.oo) > 0)


GROWTH = BOUNDED.corrected(
    "st.sec5.running_maximum.corrected",
    title="The running maximum of the norms grows as the root of 2 log m",
    states=sentence(
        r"\lim_{$m\to\infty}\mathbb{P}\Bigl(\sqrt{$below\,\log $m}"
        r" \le \max_{i \in [m]}\|U_i\|_2"
        r" \le \sqrt{$d} + \sqrt{$above\,\log $m}\Bigr) = $limit"
        r" \text{ at } $phi_0",
        below=2 * (1 - accuracy),
        above=2 * (1 + accuracy),
        limit=1,
    ),
    given={m: integers(2)},
    assuming=START,
    discharging={EVENT_RADIUS: "at the radius of the definition, for δ′ that depends on m"},
    rests_on=["st.def1", "st.def1.exact"],
    note=NOTE,
    excused={"domain of m": "true as well: one more width is nothing to the limit"},
)


@GROWTH.argued(
    bridge="P(max ≤ x) ≤ exp(-(m/2)P(|g| > x)) with P(|g| > x) ≥ (2/√(2π)) x/(1 + x²) e^(-x²/2),"
    " and m/2 times the bound of st.fact4 above.",
    uses=START,
    over={d: integers(1), accuracy: open_interval(0, 1)},
)
def one_coordinate_and_a_union(below: Any, above: Any, limit: Any) -> Obligations:
    """With L = log m: (m/2) P(|g| > x) → ∞ below, (m/2) e^(-t²/2) → 0 above, for every ε."""
    level, near, low, high = sp.symbols("L near low high", positive=True)
    share = {accuracy: near / (1 + near)}  # any ε between 0 and 1
    many, few = (sp.simplify((1 - one / 2).subs(share)) for one in (below, above))
    yield "exponent below", many.is_positive
    norms = exp(low * level) * sqrt(high * level) / (1 + high * level)
    larger = sp.limit(norms, level, sp.oo)
    yield "many norms are larger", bool(larger == sp.oo)
    yield "exponent above", few.is_negative
    above_all = sp.limit(exp(-low * level), level, sp.oo)
    yield "none is larger", bool(above_all == 0)
    yield "the rest of the probability", equal(1 - exp(-larger) - above_all, Rational(limit))
    slowest = [sp.limit(one, near, 0) for one in (many, few)]
    yield "no smaller exponents would do", bool(slowest == [0, 0])
