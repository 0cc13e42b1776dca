"""A summary of a claim's evidence: each piece with its numbers, and what all of it rests on."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from theorems.engine.claims.kinds import Answer, Grade, Profile, Role
from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.inferences import told_confirmed
from theorems.interface.notation.infix import infix
from theorems.interface.tables import ANSWER_STYLE

__all__ = ["Results", "Writing", "evidence_lines", "ledger", "measured", "near_here", "said", "stand_for"]

Results = Mapping[str, EvidenceResult]


@dataclass(frozen=True)
class Writing:
    """How formulas and letters named in words are written, and whether with the time of a check."""

    formula: Callable[[str], str]
    letters: Mapping[str, str]
    times: bool = True

    def words(self, text: str) -> str:
        """Words in which ``$rho`` stands for a letter.

        >>> Writing(str, {"rho": "ρ"}).words("$rho is small, and so is $tau")
        'ρ is small, and so is tau'
        """
        place = r"\$(?:\{(\w+)\}|([A-Za-z]\w*))"
        return re.sub(place, lambda one: self.letter(one[1] or one[2]), text)

    def point(self, text: str) -> str:
        """A text in which letters get values by their names.

        >>> Writing(str, {"rho": "ρ"}).point("false at rho = 0.5, other = 1")
        'false at ρ = 0.5, other = 1'
        """
        return re.sub(r"\b([A-Za-z]\w*)(?= = )", lambda one: self.letter(one[1]), text)

    def letter(self, name: str) -> str:
        """A letter by its name in the code."""
        return self.letters.get(name, name)


def near_here(source: str) -> str:
    """A file and line, relative to the working folder if it is inside of it.

    >>> near_here(f"{Path.cwd()}/theorems/page.py:7"), near_here("/no/where/else.py:7")
    ('theorems/page.py:7', '/no/where/else.py:7')
    """
    return source.removeprefix(f"{Path.cwd()}/")


def stand_for(results: Iterable[EvidenceResult]) -> dict[str, list[str]]:
    """Letters by name, each with what accepted proofs take it for, as LaTeX, each thing once."""
    found: dict[str, dict[str, None]] = {}
    for one in results:
        if one.answer is Answer.ACCEPTED:
            for letter, value, _ in one.outcome.numbers.get("stand for", ()):
                found.setdefault(letter, {})[value] = None
    return {letter: list(values) for letter, values in found.items()}


# One piece of evidence


def evidence_lines(item: EvidenceRecord, found: Results, how: Writing) -> list[RenderableType]:
    """A piece of evidence: what it is, what it says, where it stands, what it answered."""
    verb = "refutes" if item.role is Role.REFUTES else "supports"
    result = found.get(item.name)
    grade = item.grade if result is None else result.grade(item.grade)
    head = Text(str(grade), "bold").append(f" · {item.name} {verb} {_part(item)}", "not bold")
    said = [] if item.grade is Grade.CITED else [Text(item.says)]
    lines = [*said, Text(near_here(item.source), "dim")]
    if result is None:
        lines.append(Text(_not_run(item), "dim"))
    else:
        lines += [_answer(item, result, how), *map(Text, measured(result.outcome, how))]
        lines += _variants(result, how)
    return [head, *(Padding(one, (0, 0, 0, 4), expand=False) for one in lines)]


def _part(item: EvidenceRecord) -> str:
    """What evidence is about: the statement, or a part of it by its name."""
    return "the statement" if item.part == "statement" else f"the part “{item.part}”"


def _not_run(item: EvidenceRecord) -> str:
    """That there is no result, at which profile there would be one, and the false variants."""
    larger = "" if item.profile is Profile.QUICK else f" (it needs --profile {item.profile.value})"
    return f"not run{larger}; false variants: {', '.join(item.controls) or 'none'}"


def _answer(item: EvidenceRecord, result: EvidenceResult, how: Writing) -> Text:
    """The answer in a line, with how long it took if that is wanted."""
    line = Text(f"{result.answer.value}: ", ANSWER_STYLE[result.answer])
    took = f" [{result.seconds:.1f} s]" if how.times else ""
    return line.append(said(item, result, how) + took, "default")


def said(item: EvidenceRecord, result: EvidenceResult, how: Writing) -> str:
    """What a piece of evidence answered, in words."""
    outcome = result.outcome
    words = how.point(outcome.summary)
    if result.answer is not Answer.ACCEPTED:
        return words
    if outcome.tightness is not None:
        rounding = outcome.numbers.get("rounding")
        allowed = f" (rounding {rounding:.2g})" if rounding else ""
        return f"{outcome.cases} cases, tightness {outcome.tightness:.6g}{allowed}"
    if words.startswith("proved: "):
        return f"the proof ends in {_part(item)} as displayed"
    return words


def measured(outcome: Outcome, how: Writing) -> Iterator[str]:
    """Where it is tightest or fails, and what else was measured."""
    if outcome.witness is not None:
        yield f"at {how.point(outcome.witness)}"
    second = outcome.numbers.get("second prover")
    if second and second["asked"]:
        yield told_confirmed(second)
    told = {"trusts", "stand for", "untried", "grade", "inferences", "vouched for", "second prover"}
    told |= {"rounding"} if outcome.tightness else set()
    rest = {name: one for name, one in outcome.numbers.items() if name not in told}
    if rest:
        yield ", ".join(f"{name}: {_digits(value)}" for name, value in rest.items())


def _digits(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _variants(result: EvidenceResult, how: Writing) -> Iterator[Text]:
    """The false variants, each beside what the evidence says of it."""
    for name, control in result.controls.items():
        yield _variant(control.answer is Answer.REJECTED, name, how.point(control.summary))
    told: set[str] = set()
    pinned = 0
    for one in result.near.values():
        pinned += one.pinned
        if not one.pinned and one.statement not in told:
            told.add(one.statement)
            rejected = one.answer is Answer.REJECTED
            yield _variant(rejected, how.formula(one.statement), how.point(one.summary))
    if pinned:
        many = f"{pinned} near variant{'s' * (pinned != 1)}"
        yield Text(f"· {many}: not proved, the proof ends in the printed constants", "dim")


def _variant(rejected: bool, what: str, why: str) -> Text:
    line = Text("✗ " if rejected else "? ", "dim" if rejected else "yellow")
    return line.append(what, "dim" if rejected else "default").append(f" - {why}", "dim")


# What all of it stands on


def ledger(claim: ClaimRecord, found: Results, how: Writing) -> dict[str, list[RenderableType]]:
    """What the machine checked, what it took over from elsewhere, and what is in words only."""
    accepted = [
        (item, found[item.name].outcome)
        for item in claim.evidence
        if item.name in found and found[item.name].answer is Answer.ACCEPTED
    ]
    checked = [
        f"{_about(item)}: {how.point(_checked(item, outcome))}"
        for item, outcome in accepted
        if item.grade is not Grade.CITED
    ]
    prose = [f"{_about(one)}: {one.bridge}" for one in claim.evidence if one.bridge is not None]
    prose += [
        f"{_about(item)}: {name} is met: {why}"
        for item, outcome in accepted
        for kind, name, why in outcome.numbers.get("trusts", ())
        if kind == _MET
    ]
    return {
        "checked by machine": [Text(line, "green") for line in checked],
        "trusted": list(_trusted(accepted, how)),
        "in prose": [Text(line, "magenta") for line in prose],
    }


#: Leaves of a proof by which hypotheses of other claims are met, in a sentence each.
_MET = "met in words"


def _about(item: EvidenceRecord) -> str:
    return f"{item.part} ({item.name})"


def _checked(item: EvidenceRecord, outcome: Outcome) -> str:
    """What a machine has done for an accepted piece of evidence."""
    if item.role is Role.REFUTES:
        return f"the counterexample, {outcome.summary}"
    if item.grade > Grade.ARGUED and outcome.numbers.get("grade") == str(Grade.ARGUED):
        return "every step, but not that hypotheses of other claims are met"
    return {
        Grade.PROVED: "every step, from what is trusted to what is displayed",
        Grade.CERTIFIED: "every step, by ball arithmetic where a certificate is named",
        Grade.ARGUED: f"its computations, {outcome.summary}".partition(":")[0],
        Grade.TESTED: f"{outcome.cases} cases of it",
        Grade.ESTIMATED: f"{outcome.cases} draws",
    }[item.grade]


def _trusted(accepted: Iterable[tuple[EvidenceRecord, Outcome]], how: Writing) -> Iterator[RenderableType]:
    """The leaves of the proofs by kind, each once; what is cited, and what was vouched for."""
    leaves: dict[str, dict[str, None]] = {}
    for item, outcome in accepted:
        told = (leaf for leaf in outcome.numbers.get("trusts", ()) if leaf[0] != _MET)
        untried = {(name, detail): why for name, detail, why in outcome.numbers.get("untried", ())}
        for kind, name, detail in told:
            why = untried.get((name, detail)) if kind == "meaning" else None
            shown = _leaf(kind, name, detail, how) + (f" (not tried: {why})" if why else "")
            leaves.setdefault(kind, {})[shown] = None
        for words in outcome.numbers.get("vouched for", ()):
            leaves.setdefault("vouched for", {})[words] = None
        if item.grade is Grade.CITED:
            leaves.setdefault("source", {})[outcome.summary] = None
    for kind, names in leaves.items():
        lines = list(names) if kind in _TOLD else ["; ".join(names)]
        for line in lines:
            yield Text(f"{kind}: ", "yellow").append(line, "default")


#: Of these leaves it is shown what they say; those are formulas by themselves.
_TOLD = {"meaning", "tried meaning", "hypothesis"}
_FORMULAS = {"certificate", "decision", "definition"}


def _leaf(kind: str, name: str, detail: str, how: Writing) -> str:
    if kind in _TOLD:
        return f"{name}: {how.formula(detail)}"
    return _lettered(name, how) if kind in _FORMULAS else name


def _lettered(relation: str, how: Writing) -> str:
    return re.sub(r"\b[A-Za-z]\w*\b", lambda one: how.letter(one[0]), infix(relation))
