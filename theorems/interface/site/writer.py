"""The files of the report: every page, the style, and the script of the search."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from theorems.engine.claims.kinds import Severity, Verdict
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.constants import Sharpening
from theorems.interface.contents import standing_at
from theorems.interface.findings import Finding
from theorems.interface.meanings import GRADES, SEVERITIES
from theorems.interface.searching import text_of
from theorems.interface.site import overview
from theorems.interface.site.claim_view import ClaimView, chip
from theorems.interface.site.derivations import derivation
from theorems.interface.site.graph import Box, alone, claim_graph, neighbourhood, paper_graph
from theorems.interface.site.mathematics import prose
from theorems.interface.site.notes import Note, anchor, notes
from theorems.interface.site.told import numbers

__all__ = ["Picture", "Site"]

Results = Mapping[tuple[str, str], EvidenceResult]


@dataclass(frozen=True)
class Picture:
    """A figure: its id, title, place, the claims it is about, what came out, and an SVG file."""

    id: str
    title: str
    at: str
    claims: tuple[str, ...]
    summary: tuple[str, ...] = ()
    content: bytes | None = None


@dataclass(frozen=True)
class Site:
    """A report on all claims: the verdicts and the results that it shows.

    ``citation`` says how a claim is cited, ``made`` of which run and version this is; ``pictures``
    are the figures, each with its file's content, or None where it was not computed.
    """

    known: Catalogue
    sharpenings: Sequence[Sharpening]
    found: Mapping[str, Standing]
    results: Results
    citation: Callable[[ClaimRecord], str]
    made: str
    pictures: Sequence[Picture] = ()

    def write(self, folder: Path, advance: Callable[[str], None] = lambda _: None) -> None:
        """Write everything; what is there already under other names is left alone."""
        with as_file(files(__package__) / "static") as static:
            shutil.copytree(static, folder / "static", dirs_exist_ok=True)
        for one in self.pictures:
            if one.content is not None:
                (folder / "figures").mkdir(exist_ok=True)
                (folder / "figures" / f"{one.id}.svg").write_bytes(one.content)
        for name, text in self._pages():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            advance(name)

    def __len__(self) -> int:
        """How many pages there are."""
        graphs = len(self.known.papers)
        return len(self.known.claims) + 2 * graphs + len(self._notes) + 7

    def _pages(self) -> Iterator[tuple[str, str]]:
        yield "index.html", self._page("index.html", "", **self._overview())
        yield "findings.html", self._page("findings.html", "", findings=self._findings())
        yield "constants.html", self._page("constants.html", "", sharpened=self._sharpened)
        yield "argued.html", self._page("argued.html", "", argued=self._argued)
        yield "figures.html", self._page("figures.html", "", pictures=self.pictures)
        yield "search.html", self._page("search.html", "", all=list(self._searchable()))
        index = next((one for one in self._all_notes if one.name == "README"), None)
        values = {"notes": self._notes, "index": index}
        yield "notes/index.html", self._page("notes.html", "../", **values)
        for note in self._notes:
            about = [one for one in self.known.claims.values() if _file(one) == note.name]
            yield f"notes/{note.name}.html", self._page("note.html", "../", note=note, about=about)
        for paper in self.known.papers:
            yield f"papers/{paper.prefix}.html", self._paper(paper)
            yield f"papers/{paper.prefix}.graph.html", self._graph(paper)
        for record in self.known.claims.values():
            yield f"claims/{record.id}.html", self._claim(record)

    @cached_property
    def _sharpened(self) -> list[tuple[Paper, list[overview.Sharpened]]]:
        return list(overview.sharpened(self.known, self.sharpenings))

    @cached_property
    def _argued(self) -> list[tuple[Paper, list[tuple[ClaimRecord, overview.Bridges]]]]:
        return overview.argued(self.known, self.found)

    @cached_property
    def _environment(self) -> Environment:
        made = Environment(
            loader=PackageLoader("theorems.interface.site"),
            autoescape=select_autoescape(["html"]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.filters["numbers"] = numbers
        return made

    def _page(self, template: str, root: str, **values: Any) -> str:
        shared = {
            "root": root,
            "papers": [one.prefix for one in self.known.papers],
            "made": self.made,
            "chips": self._chips,
            "titles": self._titles,
        }
        return self._environment.get_template(template).render(**shared, **values) + "\n"

    @cached_property
    def _chips(self) -> dict[str, tuple[str, str]]:
        return {one: chip(self.found.get(one)) for one in self.known.claims}

    @cached_property
    def _titles(self) -> dict[str, Markup]:
        return {one.id: prose(one.title) for one in self.known.claims.values()}

    @cached_property
    def _notes(self) -> list[Note]:
        return [one for one in self._all_notes if one.name != "README"]

    @cached_property
    def _note_titles(self) -> dict[str, str]:
        return {one.name: one.title for one in self._notes}

    @cached_property
    def _all_notes(self) -> list[Note]:
        def link(identifier: str) -> str | None:
            known = identifier in self.known.claims
            return f"../claims/{identifier}.html" if known else None

        return list(notes(link))

    def _overview(self) -> dict[str, Any]:
        verdicts = list(self.found.values())
        said = Counter(one.label.partition(":")[0] for one in verdicts)
        grave = {Severity.FALSE, Severity.GAP}
        return {
            "total": len(self.known.claims),
            "held": said["holds"],
            "refuted": said["false as stated"],
            "open": said["open"],
            "cited": said["cited"],
            "partly": sum(not one.complete for one in verdicts),
            "unchecked": len(self.known.claims) - len(verdicts),
            "columns": overview.columns(self.known, self.found),
            "rows": list(overview.paper_rows(self.known, self.found)),
            "grades": list(GRADES.items()),
            "errors": [one for one in self.known.claims.values() if one.severity in grave],
            "unsettled": list(self._unsettled()),
            "gains": overview.gains(self._sharpened),
            "argued": [(paper, len(rows)) for paper, rows in self._argued],
        }

    def _unsettled(self) -> Iterator[tuple[ClaimRecord, Markup]]:
        for identifier, one in self.found.items():
            if one.verdict is Verdict.OPEN:
                part = [] if one.complete else ["checked in part, a larger profile has more evidence"]
                yield self.known[identifier], prose("; ".join([*one.reasons, *part]))

    def _findings(self) -> list[tuple[str, str, list[tuple[Paper, list[Finding]]]]]:
        return [
            (severity.value, meaning, list(overview.findings_by_paper(self.known, severity)))
            for severity, meaning in SEVERITIES.items()
        ]

    def _searchable(self) -> Iterator[tuple[ClaimRecord, str]]:
        for one in self.known.claims.values():
            yield one, " ".join(dict.fromkeys(text_of(one).split()))

    def _paper(self, paper: Paper) -> str:
        claims = self.known.of_paper(paper.prefix)
        tally: dict[tuple[str, str], int] = {}
        for one in claims:
            tally[self._chips[one.id]] = tally.get(self._chips[one.id], 0) + 1
        return self._page(
            "paper.html",
            "../",
            paper=paper,
            count=len(claims),
            tally=tally.items(),
            headings=list(_headings(paper, claims)),
        )

    def _graph(self, paper: Paper) -> str:
        boxes = self._boxes(one.id for one in self.known.of_paper(paper.prefix))
        return self._page(
            "graph.html",
            "../",
            paper=paper,
            graph=paper_graph(self.known, paper.prefix, boxes),
            alone=alone(self.known, paper.prefix),
            legend=self._legend(paper),
        )

    def _legend(self, paper: Paper) -> list[tuple[str, str]]:
        """The verdicts that occur, each with its colour."""
        return sorted({self._chips[one.id] for one in self.known.of_paper(paper.prefix)})

    def _boxes(self, ids: Iterable[str], here: str = "") -> dict[str, Box]:
        own = here.partition(".")[0]
        boxes = {}
        for identifier in ids:
            one = self.known[identifier]
            label = one.id.partition(".")[2] if not here or one.paper == own else one.id
            words = f"{one.title} ({self._chips[one.id][1]})"
            link, kind = f"../claims/{one.id}.html", self._chips[one.id][0]
            boxes[one.id] = Box(one.id, label, words, kind, link, one.id == here)
        return boxes

    def _claim(self, record: ClaimRecord) -> str:
        tasks = ((item.name, (record.id, item.name)) for item in record.evidence)
        results = {name: self.results[task] for name, task in tasks if task in self.results}
        view = ClaimView(self.known, record, self.found.get(record.id), results)
        file, _, heading = (record.note or "").rpartition("/")[2].partition("#")
        name = file.removesuffix(".md")
        boxes = self._boxes(neighbourhood(self.known, record.id), record.id)
        return self._page(
            "claim.html",
            "../",
            view=view,
            paper=self.known.paper(record.paper),
            assumed=view.assumed(met=False),
            met=view.assumed(met=True),
            graph=claim_graph(self.known, boxes),
            note=f"../notes/{name}.html#{heading}",
            note_title=self._note_titles.get(name, ""),
            derivations=_derivations(results.values()),
            citation=self.citation(record),
            pictures=[one for one in self.pictures if record.id in one.claims],
        )


@dataclass(frozen=True)
class _Heading:
    """A heading of a paper and the claims that stand at it."""

    text: Markup
    anchor: str
    level: int
    claims: list[ClaimRecord]


def _headings(paper: Paper, claims: list[ClaimRecord]) -> Iterator[_Heading]:
    """The headings with claims at or below them, in the paper's order."""
    if paper.contents is None:
        yield _Heading(Markup("Textbook facts"), "facts", 2, claims)
        return
    at: dict[Any, list[ClaimRecord]] = {}
    for one in standing_at(paper.contents, claims, None):
        at.setdefault(one.stands_at()[0].of, []).append(one)
    filled = {place for one in at for place in (one, *paper.contents.around(one))}
    for heading in paper.contents:
        if heading.place in filled:
            level = min(heading.depth + 2, 5)
            here = at.get(heading.place, [])
            yield _Heading(prose(str(heading)), anchor(str(heading.place)), level, here)


def _derivations(results: Iterable[EvidenceResult]) -> list[Markup]:
    """The derivations of all evidence, each once."""
    found = dict.fromkeys(one for result in results for one in result.derivations)
    return [derivation(one) for one in found]


def _file(record: ClaimRecord) -> str:
    return (record.note or "").partition("#")[0].rpartition("/")[2].removesuffix(".md")
