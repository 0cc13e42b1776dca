"""The page of one claim on a terminal: its statement, its evidence, and related claims."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from theorems.engine.claims.kinds import Profile, Provenance
from theorems.engine.claims.record import AssumedRecord, ClaimRecord, FunctionRecord
from theorems.engine.errors import ClaimError
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.evidence_summary import Writing, evidence_lines, ledger, near_here, stand_for
from theorems.interface.note_files import note_file
from theorems.interface.tables import STYLE, counts

__all__ = ["claim_page", "paper_page", "place_of", "writing"]


def writing(claim: ClaimRecord, *, latex: bool = False) -> Writing:
    """How the formulas of a claim are written: in Unicode, or as the LaTeX that they are."""
    if latex:
        return Writing(str, {})
    from theorems.interface.unicode import unicode  # noqa: PLC0415 - only this page needs it

    return Writing(unicode, {one.name: unicode(one.latex) for one in claim.given})


def claim_page(
    known: Catalogue,
    claim: ClaimRecord,
    standing: Standing | None,
    results: Iterable[EvidenceResult],
    *,
    latex: bool = False,
    times: bool = True,
) -> RenderableType:
    """Everything about one claim: its statement, its verdict, its evidence, its neighbours."""
    how = replace(writing(claim, latex=latex), times=times)
    found = {one.name: one for one in results}
    evidence = [line for one in claim.evidence for line in evidence_lines(one, found, how)]
    sections: list[list[RenderableType]] = [
        [*_heading(known, claim), *_below(_statement(claim, how))],
        _section("where", _meanings(claim, stand_for(found.values()), how)),
        _section("assuming", _assumed(claim, how, met=False)),
        _section("met here, though what it rests on assumes it", _assumed(claim, how, met=True)),
        [Text("verdict: ", "bold").append_text(_verdict(standing))],
        _section("evidence", evidence),
        *(_section(title, lines) for title, lines in ledger(claim, found, how).items()),
        _section("remarks", _remarks(claim, standing)),
        [*_graph(known, claim), *_commands(claim, standing)],
    ]
    return Group(*_apart(one for one in sections if one))


def _apart(sections: Iterable[list[RenderableType]]) -> list[RenderableType]:
    """Sections with an empty line between them."""
    parts: list[RenderableType] = []
    for one in sections:
        parts += [Text(), *one] if parts else one
    return parts


def _section(title: str, lines: list[RenderableType]) -> list[RenderableType]:
    return [Text(title, "bold"), *_below(*lines)] if lines else []


def _below(*lines: RenderableType) -> list[RenderableType]:
    return [Padding(one, (0, 0, 0, 2), expand=False) for one in lines]


def _heading(known: Catalogue, claim: ClaimRecord) -> list[RenderableType]:
    return [
        Text(f"{claim.id}  {claim.title}", "bold"),
        Text(f"{place_of(known, claim)} · {claim.provenance.value}"),
        Text(near_here(claim.source), "dim"),
    ]


def place_of(known: Catalogue, claim: ClaimRecord) -> str:
    """The place of a claim, and the section of the paper that it stands in."""
    outline = known.paper(claim.paper).contents
    if outline is None:
        return claim.at
    try:
        around = outline.around(claim.stands_at()[0])
    except ClaimError:
        return claim.at
    titled = [str(one) for one in outline if one.place in around and one.title]
    return f"{claim.at}, in {titled[-1]}" if titled else claim.at


def _grid(*styles: str) -> Table:
    """Columns side by side without lines."""
    grid = Table.grid(padding=(0, 2))
    for style in styles:
        grid.add_column(style=style)
    return grid


def _statement(claim: ClaimRecord, how: Writing) -> Table | Text:
    """The statement, part by part."""
    if len(claim.statement) == 1:
        return Text(how.formula(next(iter(claim.statement.values()))), "cyan")
    grid = _grid("", "cyan")
    for name, formula in claim.statement.items():
        grid.add_row(Text(name), Text(how.formula(formula)))
    return grid


def _letters(claim: ClaimRecord, meant: Mapping[str, list[str]], how: Writing) -> Table:
    """The letters with their domains and meanings, and their names where these are others.

    Below, what proofs take them for.
    """
    grid = _grid("cyan", "", "")
    for one in claim.given:
        shown, meaning = how.formula(one.latex), Text(one.meaning)
        if one.name != shown:
            meaning.append(f" ({one.name})", "dim")
        for value in meant.get(one.name, ()):
            meaning.append(f"\n{how.formula(value)}", "cyan")
        grid.add_row(Text(shown), Text(one.where), meaning)
    return grid


def _meanings(claim: ClaimRecord, meant: Mapping[str, list[str]], how: Writing) -> list[RenderableType]:
    """Letters and functions."""
    letters: list[RenderableType] = [_letters(claim, meant, how)] if claim.given else []
    return [*letters, *(line for one in claim.functions for line in _function(one, how))]


def _function(one: FunctionRecord, how: Writing) -> Iterator[RenderableType]:
    """What a function means and, below it, what it is equal to."""
    derived = f", derived in {one.derived_in}" if one.derived_in else ""
    yield Text(how.formula(one.latex), "cyan").append(f"  {one.meaning}{derived}", "default")
    if one.formula:
        yield Padding(Text(f"= {how.formula(one.formula)}", "cyan"), (0, 0, 0, 4), expand=False)


def _assumed(claim: ClaimRecord, how: Writing, *, met: bool) -> list[RenderableType]:
    return [_hypothesis(one, how) for one in claim.assumed if one.met is met]


def _hypothesis(one: AssumedRecord, how: Writing) -> Text:
    line = Text(f"{one.name}: {how.words(one.says)}")
    return line.append(f": {how.formula(one.latex)}", "cyan") if one.latex else line


def _verdict(standing: Standing | None) -> Text:
    if standing is None:
        return Text("not checked yet with this code", "dim")
    line = Text(standing.label, STYLE[standing.verdict])
    graded = standing.grade is not None and str(standing.grade) != standing.label
    line.append(f" ({standing.grade})" if graded else "", "default")
    line.append("" if standing.complete else ", checked in part", "default")
    for reason in standing.reasons:
        line.append(f"; {reason}", "default")
    for problem in standing.problems:
        line.append(f"\n  ! {problem}", "red")
    return line


def _remarks(claim: ClaimRecord, standing: Standing | None) -> list[RenderableType]:
    """The remarks that are not told beside the verdict."""
    told = standing.reasons if standing is not None else ()
    return [Text(one) for one in claim.remarks if one not in told]


def _graph(known: Catalogue, claim: ClaimRecord) -> list[RenderableType]:
    """What stands around a claim, a line each."""
    about = known.about(claim.id)
    rows = {
        "rests on": claim.rests_on,
        "used by": known.dependants(claim.id),
        "is about": [claim.of] if claim.of else [],
        "corrected by": [o.id for o in about if o.provenance is Provenance.CORRECTED],
        "sharpened by": [o.id for o in about if o.provenance is Provenance.SHARPENED],
        "note": [note_file(claim.note)] if claim.note else [],
    }
    return [Text(f"{label}: {', '.join(ids)}") for label, ids in rows.items() if ids]


def _commands(claim: ClaimRecord, standing: Standing | None) -> list[RenderableType]:
    """What runs the evidence again, and what runs all of it if the last run did not."""
    lines = [f"run again: theorems check --anew {claim.id}"]
    if standing is not None:
        largest = max((one.profile for one in claim.evidence), key=_effort, default=Profile.QUICK)
        if not Profile(standing.profile).includes(largest):
            lines.append(f"run all of it: theorems check --profile {largest.value} {claim.id}")
    return [Text(line, "dim") for line in lines]


def _effort(one: Profile) -> int:
    return one.effort


def paper_page(known: Catalogue, prefix: str, found: dict[str, Standing]) -> RenderableType:
    """What a paper is, and how many of its claims came out how."""
    paper, claims = known.paper(prefix), known.of_paper(prefix)
    ours = {one.id: found[one.id] for one in claims if one.id in found}
    lines = [Text(f"{prefix}  {paper.title}", "bold"), Text(paper.authors)]
    unknown = len(claims) - len(ours)
    missing = f", {unknown} of them not checked" if unknown else ""
    lines.append(Text(f"{len(claims)} claims{missing}"))
    for (label, grade), count in counts(ours).items():
        graded = f" ({grade})" if grade not in {"", label} else ""
        lines.append(Text(f"  {count} {label}{graded}"))
    return Group(*lines)
