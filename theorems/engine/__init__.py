r"""The machinery that judges claims: records, evidence, verdicts, registry, runner, report.

The engine knows no paper.  A paper is a package that defines ``PAPER`` and writes its claims as
module-level values::

    SQUARE = claim("demo.square", at="Eq. (1)", title="The square of a sum",
                   states="(x + 1)^2 = x^2 + 2x + 1", given={"x": reals()})

    @SQUARE.proved(controls={"1 for 2": {"twice": 1}})
    def expanded(twice=2):
        x = sympy.Symbol("x")
        yield "both sides", sympy.expand((x + 1)**2 - x**2 - twice * x - 1) == 0
"""

from theorems.engine.answers import (
    Answer,
    Discrepancy,
    Grade,
    Measured,
    Obligations,
    Outcome,
    Verdict,
)
from theorems.engine.claim import Claim, ClaimError, Evidence, Paper, Provenance, claim
from theorems.engine.domain import (
    Domain,
    half_line,
    integers,
    interval,
    open_interval,
    reals,
)

__all__ = [
    "Answer",
    "Claim",
    "ClaimError",
    "Discrepancy",
    "Domain",
    "Evidence",
    "Grade",
    "Measured",
    "Obligations",
    "Outcome",
    "Paper",
    "Provenance",
    "Verdict",
    "claim",
    "half_line",
    "integers",
    "interval",
    "open_interval",
    "reals",
]
