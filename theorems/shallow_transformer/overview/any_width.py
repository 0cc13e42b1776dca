"""Section 4, first feature: for which numbers of steps and which widths the theorem holds."""

from typing import Any

from sympy import Rational

from theorems.engine import Obligations, Severity, sentence
from theorems.shallow_transformer.hypotheses import STEP_SIZE
from theorems.shallow_transformer.letters.paper import claim, m, tau
from theorems.shallow_transformer.overview.informal_theorem import NOTE, RUNS_OVER, SETTING
from theorems.shallow_transformer.premises.networks import letters

ANY = claim(
    "st.informal.any_width",
    at="Section 4, first feature",
    title="The decomposition for any width",
    states=sentence(r"\text{the decomposition holds for any } $tau, $m \ge $least", least=1),
    note=NOTE,
)


@ANY.refuted(severity=Severity.EDGE)
def odd_widths(least: Any) -> Obligations:
    """The symmetric initialisation, which Section 5.2 defines for even m, has no pair at m = 1."""
    yield "m/2 is no integer", (Rational(least) / 2).is_integer is False
    yield "m = 1 is allowed", bool(Rational(least) <= 1)


ANY_CORRECTED = ANY.corrected(
    "st.informal.any_width.corrected",
    title="The decomposition for any even width",
    states=sentence(
        r"\text{the decomposition holds for any } $tau \ge $one"
        r" \text{ and any even } $m \ge $least",
        one=1,
        least=2,
    ),
    given=letters(m, tau, under=[*SETTING, STEP_SIZE]),
    assuming=[*SETTING, STEP_SIZE],
    rests_on=["st.informal"],
    note=NOTE,
)


@ANY_CORRECTED.argued(
    bridge="Pairs exhaust the heads of any even number; no other step needs more of m, and none"
    " needs more of τ than that there is a step.",
    uses=[*SETTING, STEP_SIZE],
    over=RUNS_OVER,
)
def even_widths(one: Any, least: Any) -> Obligations:
    """The smallest width has one pair, and one step is the smallest number of steps."""
    pairs = Rational(least) / 2
    yield "one pair", bool(pairs == 1)
    yield "an average of iterates", len(range(one)) > 0
    yield "no iterate with a step less", len(range(one - 1)) == 0
