r"""The machinery that judges claims: records, evidence, verdicts, registry, runner, report.

The engine knows no paper.  A paper is a package that defines ``PAPER`` and writes its claims as
module-level values::

    from theorems.engine import Paper, claim, interval

    ABSOLUTE = claim("demo.abs", at="Eq. (1)", title="The square root of a square",
                     states=r"\sqrt{x^2} = |x|", given={"x": interval(-1, 1)})

    @ABSOLUTE.proved()
    def squares(): ...
"""

from theorems.engine.answers import (
    Answer,
    Discrepancy,
    Grade,
    Measured,
    Outcome,
    Verdict,
)
from theorems.engine.claim import Claim, ClaimError, Evidence, Paper, Provenance, claim
from theorems.engine.domain import (
    Interval,
    choices,
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
    "Evidence",
    "Grade",
    "Interval",
    "Measured",
    "Outcome",
    "Paper",
    "Provenance",
    "Verdict",
    "choices",
    "claim",
    "half_line",
    "integers",
    "interval",
    "open_interval",
    "reals",
]
