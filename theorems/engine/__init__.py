r"""The machinery that judges claims: statements, claims, judging, running and the rules of proof.

The engine knows no paper.  A paper is a package that defines ``PAPER`` and ``SECTIONS`` and writes
its claims as module-level values::

    LETTERS = Letters()
    x = LETTERS.number("x", "x", "a number", reals())

    SQUARE = claims_in(LETTERS)(
        "demo.square",
        at="Lemma 1",
        title="A square is not negative",
        states=ge(x**2, 0),
    )

    @SQUARE.proved()
    def by_the_kernel(given: Given) -> Theorem:
        '''The proof kernel knows it.'''
        return given.follows()

What papers need is imported from here; a name is loaded when it is first asked for, so that a
command that only reads does not wait for computer algebra.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim, claim, claims_in
    from theorems.engine.claims.contents import Contents
    from theorems.engine.claims.evidence import Evidence
    from theorems.engine.claims.kinds import Answer, Grade, Profile, Provenance, Severity, Verdict
    from theorems.engine.claims.paper import Paper
    from theorems.engine.errors import ClaimError
    from theorems.engine.judging.answers import Discrepancy, Measured, Obligations, Outcome
    from theorems.engine.judging.given import Given
    from theorems.engine.judging.lemma import Lemma
    from theorems.engine.statements.domain import Domain, half_line, integers, interval, open_interval, reals
    from theorems.engine.statements.hypotheses import Hypothesis
    from theorems.engine.statements.letters import Kind, Letters
    from theorems.engine.statements.relations import both, eq, ge, gt, iff, implies, le, lt
    from theorems.engine.statements.statement import Choice, defining, sentence
    from theorems.engine.statements.values import Rounded

_HOMES = {
    "claims.claim": ("Claim", "claim", "claims_in"),
    "claims.contents": ("Contents",),
    "claims.evidence": ("Evidence",),
    "claims.kinds": ("Answer", "Grade", "Profile", "Provenance", "Severity", "Verdict"),
    "claims.paper": ("Paper",),
    "errors": ("ClaimError",),
    "judging.answers": ("Discrepancy", "Measured", "Obligations", "Outcome"),
    "judging.given": ("Given",),
    "judging.lemma": ("Lemma",),
    "statements.domain": (
        "Domain", "half_line", "integers", "interval", "open_interval", "reals",
    ),
    "statements.hypotheses": ("Hypothesis",),
    "statements.letters": ("Kind", "Letters"),
    "statements.relations": ("both", "eq", "ge", "gt", "iff", "implies", "le", "lt"),
    "statements.statement": ("Choice", "defining", "sentence"),
    "statements.values": ("Rounded",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

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
    "Lemma",
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


def __getattr__(name: str) -> Any:
    """Load a name from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
