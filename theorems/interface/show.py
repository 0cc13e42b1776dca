"""Claims and results for people: tables and pages for the terminal, HTML for notebooks, JSON."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from latex2mathml.converter import convert
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from sympy import Symbol

from theorems.engine.claims.claim import Claim, Evidence, Role
from theorems.engine.judging.answers import Answer, Verdict
from theorems.engine.judging.trust import Leaf, counts
from theorems.engine.statements.domain import text

if TYPE_CHECKING:
    from theorems.engine.claims.registry import Registry
    from theorems.engine.judging.judge import EvidenceResult, Judgement
    from theorems.engine.statements.hypotheses import Hypothesis

__all__ = [
    "claim_html",
    "claim_page",
    "claim_table",
    "judgement_html",
    "report_json",
    "summary_table",
    "trust_table",
]

_STYLE = {Verdict.HOLDS: "green", Verdict.FALSE: "red", Verdict.OPEN: "yellow"}
_ANSWER_STYLE = {Answer.ACCEPTED: "green", Answer.REJECTED: "red", Answer.UNDECIDED: "yellow"}


def claim_table(claims: Iterable[Claim], judgements: Mapping[str, Judgement]) -> Table:
    """One line a claim."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    shown = list(claims)
    # On a narrow terminal the title gives way: an id must stay fit for copying.
    width = max((len(claim.id) for claim in shown), default=0)
    table.add_column("claim", no_wrap=True, min_width=width)
    for column in ("verdict", "grade", "tightness", "title"):
        table.add_column(column, no_wrap=column != "title")
    for claim in shown:
        judged = judgements.get(claim.id)
        table.add_row(claim.id, *_verdict_cells(judged), Text(claim.title))
    return table


def _verdict_cells(judged: Judgement | None) -> tuple[Text, str, str]:
    if judged is None:
        return Text("not checked", "dim"), "", ""
    mark = (" !" if judged.problems else "") + ("" if judged.complete else " (in part)")
    tight = judged.tightness
    return (
        Text(judged.label + mark, _STYLE[judged.verdict]),
        "" if judged.grade is None else str(judged.grade),
        "" if tight is None else f"{tight:.4g}",
    )


def summary_table(judgements: Mapping[str, Judgement]) -> Table:
    """Counts by verdict and grade."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("verdict", "grade", "claims"):
        table.add_column(column, justify="right" if column == "claims" else "left")
    for (label, grade), count in _counts(judgements).items():
        style = next((_STYLE[one] for one in Verdict if label.startswith(one.value)), "")
        table.add_row(Text(label, style), grade, str(count))
    return table


def _counts(judgements: Mapping[str, Judgement]) -> dict[tuple[str, str], int]:
    found = Counter((j.label, str(j.grade or "")) for j in judgements.values())
    return dict(sorted(found.items()))


def report_json(
    judgements: Mapping[str, Judgement], *, seed: int, profile: str, versions: Mapping[str, str]
) -> dict[str, Any]:
    """The run as plain data; equal runs give equal data, so times are left out."""
    counts = _counts(judgements)
    return {
        "claims": [_judgement_json(judged) for judged in judgements.values()],
        "summary": [
            {"verdict": label, "grade": grade or None, "claims": count}
            for (label, grade), count in counts.items()
        ],
        "seed": seed,
        "profile": profile,
        "versions": dict(versions),
    }


def _judgement_json(judged: Judgement) -> dict[str, Any]:
    return {
        "id": judged.claim.id,
        "paper": judged.claim.paper,
        "verdict": judged.verdict.value,
        "severity": None if judged.claim.severity is None else judged.claim.severity.value,
        "grade": None if judged.grade is None else str(judged.grade),
        "reasons": list(judged.reasons),
        "problems": list(judged.problems),
        "complete": judged.complete,
        "evidence": [_evidence_json(judged.claim, result) for result in judged.results],
    }


def _evidence_json(claim: Claim, result: EvidenceResult) -> dict[str, Any]:
    item = _named(claim, result.name)
    return {
        "kind": str(item.grade),
        "name": item.name,
        "part": item.part,
        "role": item.role.value,
        **result.outcome,
        "controls": [
            {"name": name, "answer": outcome["answer"], "summary": outcome["summary"]}
            for name, outcome in result.controls.items()
        ],
        "bridge": item.bridge,
        "near": {what: dict(one) for what, one in result.near.items()},
    }


def _named(claim: Claim, name: str) -> Evidence:
    return next(item for item in claim.evidence if item.name == name)


def claim_page(known: Registry, claim: Claim, judged: Judgement | None) -> RenderableType:
    """Everything about one claim: statement, place, graph, evidence with its numbers."""
    parts: list[RenderableType] = [
        Text(f"{claim.id}  {claim.title}", "bold"),
        Text(f"{claim.at} · {claim.provenance.value}"),
    ]
    parts += [Text(line, "cyan") for line in _statement(claim)]
    parts += [Text(line) for line in _hypotheses(claim)]
    parts += [Text(line, "dim") for line in _graph(known, claim)]
    parts.append(Text("verdict: ").append_text(_verdict_line(judged)))
    for item in claim.evidence:
        result = None if judged is None else _result(judged, item.name)
        parts.extend(_evidence_lines(item, result))
    parts += [Text(f"remark: {remark}") for remark in claim.remarks]
    parts.append(Text(f"run again: theorems check {claim.id}", "dim"))
    return Group(*parts)


def _statement(claim: Claim) -> list[str]:
    """The LaTeX of the statement, part by part."""
    several = len(claim.parts) > 1
    return [
        (f"{name}: " if several else "") + one.latex(claim.letters)
        for name, one in claim.parts.items()
    ]


def _hypotheses(claim: Claim) -> list[str]:
    lines = [_bound(claim, symbol) for symbol in claim.given]
    lines += [_assumed(one, claim) for one in claim.hypotheses]
    return lines + [f"{one.name} is met: {why}" for one, why in claim.discharging.items()]


def _assumed(one: Hypothesis, claim: Claim) -> str:
    """A hypothesis in words and, where it has one, its formula in LaTeX."""
    symbols = one.displayed(claim.letters)
    return f"assuming {one.name}: {one.says}" + (f": {symbols}" if symbols else "")


def _bound(claim: Claim, symbol: Symbol) -> str:
    """A letter with its domain here and its meaning."""
    letter, domain = claim.letters[symbol], claim.domains.get(symbol)
    place = f" in {text(domain)}" if domain is not None else f", a {letter.kind.value}"
    return f"given {symbol}{place}: {letter.meaning}"


def _graph(known: Registry, claim: Claim) -> list[str]:
    about = {kind: [] for kind in ("CORRECTED", "SHARPENED")}  # type: dict[str, list[str]]
    for other in known.about(claim.id):
        about[other.provenance.name].append(other.id)
    rows = {
        "rests on": claim.rests_on,
        "used by": known.dependants(claim.id),
        "is about": [claim.of] if claim.of else [],
        "corrected by": about["CORRECTED"],
        "sharpened by": about["SHARPENED"],
        "note": [claim.note] if claim.note else [],
    }
    return [f"{label}: {', '.join(ids)}" for label, ids in rows.items() if ids]


def _verdict_line(judged: Judgement | None) -> Text:
    if judged is None:
        return Text("not checked yet with this code", "dim")
    line = Text(judged.label, _STYLE[judged.verdict])
    line.append(f" ({judged.grade})" if judged.grade is not None else "", "default")
    for reason in judged.reasons:
        line.append(f"; {reason}", "default")
    for problem in judged.problems:
        line.append(f"\n  ! {problem}", "red")
    return line


def _result(judged: Judgement, name: str) -> EvidenceResult | None:
    return next((one for one in judged.results if one.name == name), None)


def _evidence_lines(item: Evidence, result: EvidenceResult | None) -> list[Text]:
    verb = "refutes" if item.role is Role.REFUTES else "supports"
    head = Text(f"- {item.grade} · {item.name} {verb} the {item.part}: {item.says}")
    if result is None:
        controls = ", ".join(item.controls) or "none"
        return [head, Text(f"    not run; false variants: {controls}", "dim")]
    lines = [head, Text(f"    {result.answer.value}: ", _ANSWER_STYLE[result.answer])]
    lines[1].append(f"{result.outcome['summary']} [{result.seconds:.1f} s]", "default")
    measured = {key: result.outcome[key] for key in ("cases", "tightness", "witness")}
    lines += [Text(f"    {key}: {value}") for key, value in measured.items() if value is not None]
    lines += [Text(f"    {key}: {value}") for key, value in _numbers(result).items()]
    for name, outcome in result.controls.items():
        lines.append(Text(f"    control {name}: {outcome['answer']} - {outcome['summary']}", "dim"))
    for what, one in result.near.items():
        lines.append(
            Text(
                f"    near variant of {what} ({one['variant']}): {one['answer']} - "
                f"{one['summary']}",
                "dim",
            )
        )
    if item.bridge is not None:
        lines.insert(1, Text(f"    bridge, in prose: {item.bridge}", "magenta"))
    return lines


def _numbers(result: EvidenceResult) -> dict[str, Any]:
    """What was measured, the leaves of a proof by kind."""
    numbers = dict(result.outcome["numbers"])
    trusts = numbers.pop("trusts", ())
    numbers.pop("grade", None)
    named = dict.fromkeys(_leaf(*one) for one in trusts)
    return numbers | ({"stands on": "; ".join(named)} if trusts else {})


def _leaf(kind: str, name: str, detail: str) -> str:
    """A leaf by name; what letters stand for, and what a hypothesis says of them, is shown too."""
    return f"{kind} {name}: {detail}" if kind in {"meaning", "hypothesis"} else f"{kind} {name}"


def trust_table(found: Mapping[str, frozenset[Leaf]]) -> Table:
    """How many leaves of each kind there are, and how many claims stand on some."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("what is trusted", "different ones", "claims that stand on one"):
        table.add_column(column, justify="left" if column == "what is trusted" else "right")
    for kind, (distinct, standing) in counts(found).items():
        table.add_row(kind, str(distinct), str(standing))
    return table


def claim_html(claim: Claim) -> str:
    """A claim as a notebook shows it."""
    given = "; ".join(_hypotheses(claim))
    return (
        f"<div><b>{html.escape(claim.id)}</b> {html.escape(claim.title)} "
        f"<i>({html.escape(claim.at)})</i><br>{_mathml(claim.displayed)}"
        f"<small>{html.escape(given)}</small></div>"
    )


def _mathml(latex: str) -> str:
    """The statement as MathML, or as it is where the converter does not know a command."""
    try:
        return str(convert(latex, display="block"))
    except Exception:
        return f"<pre>{html.escape(latex)}</pre>"


def judgement_html(judged: Judgement) -> str:
    """A claim with its verdict and evidence as a notebook shows it."""
    rows = "".join(
        f"<tr><td>{_named(judged.claim, r.name).grade}</td><td>{html.escape(r.name)}</td>"
        f"<td>{r.answer.value}</td><td>{html.escape(str(r.outcome['summary']))}</td></tr>"
        for r in judged.results
    )
    grade = "" if judged.grade is None else f" ({judged.grade})"
    return f"{claim_html(judged.claim)}<b>{judged.verdict.value}{grade}</b><table>{rows}</table>"
