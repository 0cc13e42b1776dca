"""Section 2: the rate of the optimisation error, where the paper compares it with related work."""

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Rational, sqrt

from symbolic.equality import equal
from theorems.engine import Obligations, Provenance, Severity, integers, sentence
from theorems.shallow_transformer.letters.paper import claim, tau
from theorems.shallow_transformer.overview.informal_theorem import NOTE

_ERROR = r"\frac{\|\bar\nu\|_2^{$square} + B_{\mathrm{grad},m}(\delta')}{$four\sqrt{$tau}}"

RATE = claim(
    "st.sec2.rate",
    at="Section 2, comparison (ii)",
    title="The optimisation error as printed, with the sequence length T for the number of steps",
    states=sentence(
        _ERROR + r" = O($T^{$power}) \text{ for every } $tau", square=2, four=4, power=Fraction(-1, 2)
    ),
    provenance=Provenance.EXTRACTED,
    note=NOTE,
)


def _times(four: Any, square: Any, steps: Any, scale: Any) -> Any:
    size, rest = sp.symbols("nu B_grad", positive=True)
    return scale * (size ** Rational(square) + rest) / (Rational(four) * sqrt(steps))


@RATE.refuted(severity=Severity.SLIP)
def longer_sequences(four: Any, square: Any, power: Any) -> Obligations:
    """√T times the term is unbounded in T, for τ is another number; with τ = T it is not."""
    length, steps = sp.symbols("T tau", positive=True)
    scale = length ** -Rational(power)
    yield "unbounded", sp.limit(_times(four, square, steps, scale), length, sp.oo) == sp.oo
    same = sp.limit(_times(four, square, length, scale), length, sp.oo)
    yield "bounded if T is the number of steps", bool(same.is_finite)


STEPS = RATE.corrected(
    "st.sec2.rate.corrected",
    title="The optimisation error decreases with the number of steps",
    states=sentence(
        _ERROR + r" = O($tau^{$power}) \text{ for every } $T", square=2, four=4, power=Fraction(-1, 2)
    ),
    note=NOTE,
    excused={"domain of T": "true as well: the length is in neither side"},
)


@STEPS.argued(bridge="The gradient's bound has neither τ nor T in it.", over={tau: integers(1)})
def rate_in_steps(four: Any, square: Any, power: Any) -> Obligations:
    """The error over the rate is a positive number, which Theorem 1 divides by 4."""
    steps, size, rest = sp.symbols("tau nu B_grad", positive=True)
    limit = sp.limit(_times(four, square, steps, steps ** -Rational(power)), steps, sp.oo)
    yield "bounded", bool(limit.is_finite)
    yield "no faster", equal(limit, (size**2 + rest) / 4)
