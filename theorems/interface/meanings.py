"""What the words of verdicts mean, in a phrase each, for readers of pages and documents."""

from theorems.engine.claims.kinds import Severity

__all__ = ["GRADES", "SEVERITIES"]

GRADES = {
    "proved": "machine-complete: from definitions, proved claims and named textbook facts to the "
    "statement as it is displayed, on its whole domain",
    "certified": "the same, with ball arithmetic that covers the whole stated domain",
    "argued": "a complete proof is written and its computations are checked; the inferences "
    "between them are prose, and each is shown",
    "tested": "an inequality that survived an adversarial search",
    "estimated": "compared with simulation at a stated error probability",
    "cited": "not checkable here; it says why",
}

SEVERITIES = {
    Severity.FALSE: "The repair changes the statement.",
    Severity.GAP: "A step of the proof fails and is repaired; the conclusion stands.",
    Severity.EDGE: "A hypothesis is missing, or a case should be excluded.",
    Severity.DEPENDENCE: "A constant hides a dependence.",
    Severity.SLIP: "An index, a sign, a typing error, or one of the extraction.",
}
