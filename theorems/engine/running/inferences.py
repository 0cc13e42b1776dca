"""The inferences by which the accepted evidence was made, as of the last run.

Each is a question to the solver, whose answer was that nothing satisfies the premises and denies
the conclusion.  What the solver said, and what the second prover says, is kept by question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from theorems.engine.claims.kinds import AT_A_POINT, Answer
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.second_prover import known_answers

__all__ = ["Decided", "Inference", "confirmation", "decided", "inferences_of", "made"]
__all__ += ["told_confirmed", "with_confirmations"]


@dataclass(frozen=True)
class Inference:
    """A question by its key, for which evidence, and the one whether the premises contradict."""

    claim_id: str
    evidence: str
    question: str
    premises: str


def inferences_of(result: EvidenceResult) -> list[Inference]:
    """The inferences of a piece of evidence; none of one that was not accepted."""
    if result.answer is not Answer.ACCEPTED:
        return []
    pairs = result.outcome.numbers.get("inferences", ())
    return [Inference(result.claim_id, result.name, str(one), str(two)) for one, two in pairs]


def made(known: Catalogue, ids: Iterable[str]) -> list[Inference]:
    """The inferences of the evidence of these claims, in their order, as of the last run."""
    from theorems.engine.running.runner import latest  # noqa: PLC0415 - slow to import

    found: dict[str, list[Inference]] = {}
    for (identifier, _), result in latest(known).items():
        found.setdefault(identifier, []).extend(inferences_of(result))
    return [one for identifier in ids for one in found.get(identifier, ())]


# Confirmations


def confirmation(inferences: Iterable[Inference], answers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """How many of some inferences are confirmed, how many were asked, and which are missing."""
    keys = [one.question for one in inferences]
    answers = known_answers(keys) if answers is None else answers
    missing = [key for key in keys if answers.get(key) != "unsat"]
    asked = sum(key in answers for key in keys)
    return {"of": len(keys), "asked": asked, "confirmed": len(keys) - len(missing)} | (
        {"missing": missing} if missing else {}
    )


def told_confirmed(found: Mapping[str, Any]) -> str:
    """A confirmation in words, with the questions that are missing where these are few.

    >>> told_confirmed({"of": 12, "asked": 12, "confirmed": 12})
    '12 of 12 inferences confirmed by a second prover'
    >>> told_confirmed({"of": 2, "asked": 2, "confirmed": 1, "missing": ["0123456789abcdef"]})
    '1 of 2 inferences confirmed by a second prover (not 01234567)'
    """
    missing = [one[:8] for one in found.get("missing", ())]
    few = f" (not {', '.join(missing)})" if 0 < len(missing) <= _FEW else ""
    noun = f"inference{'s' * (found['of'] != 1)}"
    return f"{found['confirmed']} of {found['of']} {noun} confirmed by a second prover{few}"


#: So many questions that are not confirmed are named on a line.
_FEW = 4


def with_confirmations(results: Iterable[EvidenceResult]) -> list[EvidenceResult]:
    """Results whose numbers say how many of their inferences the second prover confirms."""
    found = [(one, inferences_of(one)) for one in results]
    answers = known_answers(one.question for _, some in found for one in some)
    return [_with(one, confirmation(some, answers)) if some else one for one, some in found]


def _with(result: EvidenceResult, found: dict[str, Any]) -> EvidenceResult:
    numbers = {**result.outcome.numbers, "second prover": found}
    return replace(result, outcome=replace(result.outcome, numbers=numbers))


# What the solver said


@dataclass(frozen=True)
class Decided:
    """What an inference cost the solver.

    ``attempt`` is the one that decided, with so many ``operations``, which are this ``share`` of
    the bound; it is dear if no attempt within a fifth of the bound was enough. ``premises`` says
    what the search for a contradiction among them came to: "sat" where they have a model, "not
    decided", or "none" where nothing is assumed.
    """

    inference: Inference
    attempt: int
    operations: int
    share: float
    premises: str
    confirmed: bool
    is_dear: bool


#: An attempt within a fifth of the bound, or less, divides it by this or more.
_FIFTH = 5


def decided(inferences: Iterable[Inference]) -> list[Decided]:
    """What these inferences cost; those are left out of which no answer is kept."""
    from theorems.engine.rules.answers import answers_file  # noqa: PLC0415 - slow to import
    from theorems.engine.rules.asking import ATTEMPTS, EFFORT, guard_label, label  # noqa: PLC0415

    some = list(inferences)
    asked = {one.question: label(one.question, EFFORT) for one in some}
    guards = {one.premises: guard_label(one.premises) for one in some}
    labels = [tuple(one.split(" ")) for one in (*asked.values(), *guards.values())]
    found = {" ".join(one): data for one, data in answers_file().read(labels).items()}
    answers = known_answers(one.question for one in some)
    return [
        Decided(
            one,
            len(answer["operations"]),
            answer["operations"][-1],
            answer["operations"][-1] / EFFORT,
            _premises(one, found.get(guards[one.premises])),
            answers.get(one.question) == "unsat",
            ATTEMPTS[len(answer["operations"]) - 1][1] < _FIFTH,
        )
        for one in some
        if (answer := found.get(asked[one.question])) is not None and answer["said"] == "unsat"
    ]


def _premises(one: Inference, answer: Mapping[str, Any] | None) -> str:
    if not one.premises:
        return "none"
    if one.premises == AT_A_POINT:
        return "sat"
    said = "unknown" if answer is None else answer["said"]
    return "not decided" if said == "unknown" else str(said)
