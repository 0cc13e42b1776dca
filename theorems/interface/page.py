"""The page of one claim on a terminal: statement, place, graph, evidence with its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from theorems.engine.claims.kinds import Provenance, Role
from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.tables import ANSWER_STYLE, STYLE

__all__ = ["claim_page"]


def claim_page(
    known: Catalogue,
    claim: ClaimRecord,
    standing: Standing | None,
    results: Iterable[EvidenceResult],
) -> RenderableType:
    """Everything about one claim."""
    found = {one.name: one for one in results}
    parts: list[RenderableType] = [
        Text(f"{claim.id}  {claim.title}", "bold"),
        Text(f"{claim.at} · {claim.provenance.value}"),
        Text(claim.source, "dim"),
    ]
    parts += [Text(line, "cyan") for line in _statement(claim)]
    parts += [Text(line) for line in claim.supposed]
    parts += [Text(line, "dim") for line in _graph(known, claim)]
    parts.append(Text("verdict: ").append_text(_verdict_line(standing)))
    for item in claim.evidence:
        parts.extend(_evidence_lines(item, found.get(item.name)))
    parts += [Text(f"remark: {remark}") for remark in claim.remarks]
    parts.append(Text(f"run again: theorems check --anew {claim.id}", "dim"))
    return Group(*parts)


def _statement(claim: ClaimRecord) -> list[str]:
    """The LaTeX of the statement, part by part."""
    several = len(claim.statement) > 1
    return [(f"{name}: " if several else "") + latex for name, latex in claim.statement.items()]


def _graph(known: Catalogue, claim: ClaimRecord) -> list[str]:
    about = known.about(claim.id)
    rows = {
        "rests on": claim.rests_on,
        "used by": known.dependants(claim.id),
        "is about": [claim.of] if claim.of else [],
        "corrected by": [o.id for o in about if o.provenance is Provenance.CORRECTED],
        "sharpened by": [o.id for o in about if o.provenance is Provenance.SHARPENED],
        "note": [claim.note] if claim.note else [],
    }
    return [f"{label}: {', '.join(ids)}" for label, ids in rows.items() if ids]


def _verdict_line(standing: Standing | None) -> Text:
    if standing is None:
        return Text("not checked yet with this code", "dim")
    line = Text(standing.label, STYLE[standing.verdict])
    line.append(f" ({standing.grade})" if standing.grade is not None else "", "default")
    for reason in standing.reasons:
        line.append(f"; {reason}", "default")
    for problem in standing.problems:
        line.append(f"\n  ! {problem}", "red")
    return line


def _evidence_lines(item: EvidenceRecord, result: EvidenceResult | None) -> list[Text]:
    verb = "refutes" if item.role is Role.REFUTES else "supports"
    lines = [Text(f"- {item.grade} · {item.name} {verb} the {item.part}: {item.says}")]
    lines.append(Text(f"    {item.source}", "dim"))
    if item.bridge is not None:
        lines.append(Text(f"    bridge, in prose: {item.bridge}", "magenta"))
    if result is None:
        controls = ", ".join(item.controls) or "none"
        return [*lines, Text(f"    not run; false variants: {controls}", "dim")]
    outcome = result.outcome
    lines.append(Text(f"    {result.answer.value}: ", ANSWER_STYLE[result.answer]))
    lines[-1].append(f"{outcome.summary} [{result.seconds:.1f} s]", "default")
    measured = {"cases": outcome.cases, "tightness": outcome.tightness, "witness": outcome.witness}
    lines += [Text(f"    {key}: {value}") for key, value in measured.items() if value is not None]
    lines += [Text(f"    {key}: {value}") for key, value in _numbers(outcome.numbers).items()]
    for name, one in result.controls.items():
        lines.append(Text(f"    control {name}: {one.answer.value} - {one.summary}", "dim"))
    for what, near in result.near.items():
        told = f"near variant of {what} ({near.variant}): {near.said} - {near.summary}"
        lines.append(Text(f"    {told}", "dim"))
    return lines


def _numbers(measured: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, the leaves of a proof by kind."""
    numbers = dict(measured)
    trusts = numbers.pop("trusts", ())
    numbers.pop("grade", None)
    named = dict.fromkeys(_leaf(*one) for one in trusts)
    return numbers | ({"stands on": "; ".join(named)} if trusts else {})


def _leaf(kind: str, name: str, detail: str) -> str:
    """A leaf by name; what letters stand for, and what a hypothesis says of them, is shown too."""
    return f"{kind} {name}: {detail}" if kind in {"meaning", "hypothesis"} else f"{kind} {name}"
