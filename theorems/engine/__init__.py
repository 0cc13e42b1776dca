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

from theorems.engine.claims.claim import Claim, ClaimError, Paper, Provenance, claim, claims_in
from theorems.engine.claims.contents import Contents
from theorems.engine.claims.evidence import Evidence, Profile, Severity
from theorems.engine.judging.answers import (
    Answer,
    Discrepancy,
    Grade,
    Measured,
    Obligations,
    Outcome,
    Verdict,
)
from theorems.engine.judging.given import Given
from theorems.engine.statements.domain import (
    Domain,
    half_line,
    integers,
    interval,
    open_interval,
    reals,
)
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.engine.statements.letters import Kind, Letters
from theorems.engine.statements.relations import both, eq, ge, gt, iff, implies, le, lt
from theorems.engine.statements.statement import Choice, defining, sentence
from theorems.engine.statements.values import Rounded

__all__ = [
    "Answer",
    "Choice",
    "Claim",
    "ClaimError",
    "Contents",
    "Discrepancy",
    "Domain",
    "Evidence",
    "Given",
    "Grade",
    "Hypothesis",
    "Kind",
    "Letters",
    "Measured",
    "Obligations",
    "Outcome",
    "Paper",
    "Profile",
    "Provenance",
    "Rounded",
    "Severity",
    "Verdict",
    "both",
    "claim",
    "claims_in",
    "defining",
    "eq",
    "ge",
    "gt",
    "half_line",
    "iff",
    "implies",
    "integers",
    "interval",
    "le",
    "lt",
    "open_interval",
    "reals",
    "sentence",
]
