"""What the pages about many claims show: counts, findings, sharpened statements, bridges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from theorems.engine.claims.kinds import Grade, Provenance, Severity, Verdict
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.site.mathematics import display, lettered

__all__ = ["COLUMNS", "GRADES", "SEVERITIES", "Row", "Sharpened", "argued", "findings"]
__all__ += ["paper_rows", "sharpened"]

Found = Mapping[str, Standing]

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
_HELD = (Grade.PROVED, Grade.CERTIFIED, Grade.ARGUED, Grade.TESTED, Grade.ESTIMATED)
COLUMNS = ("claims", *(str(one) for one in _HELD), "cited", "false", "open", "not checked")


@dataclass(frozen=True)
class Row:
    """A paper with how many of its claims came out how, in the order of the columns."""

    prefix: str
    title: str
    authors: str
    numbers: tuple[int, ...]


def paper_rows(known: Catalogue, found: Found) -> Iterator[Row]:
    """A row a paper."""
    for paper in known.papers:
        claims = known.of_paper(paper.prefix)
        seen = Counter(_column(found.get(one.id)) for one in claims)
        numbers = (len(claims), *(seen[name] for name in COLUMNS[1:]))
        yield Row(paper.prefix, paper.title, paper.authors, numbers)


def _column(standing: Standing | None) -> str:
    if standing is None:
        return "not checked"
    if standing.verdict is Verdict.HOLDS:
        return str(standing.grade)
    if standing.verdict is Verdict.FALSE:
        return "false"
    return "cited" if standing.grade is Grade.CITED else "open"


Group = tuple[Paper, list[tuple[ClaimRecord, list[ClaimRecord]]]]


def findings(known: Catalogue, severity: Severity) -> list[Group]:
    """The claims that are declared false with this severity, by paper, and what corrects them."""
    return [
        (
            paper,
            [
                (one, [o for o in known.about(one.id) if o.provenance is Provenance.CORRECTED])
                for one in known.of_paper(paper.prefix)
                if one.severity is severity
            ],
        )
        for paper in known.papers
        if any(one.severity is severity for one in known.of_paper(paper.prefix))
    ]


@dataclass(frozen=True)
class Sharpened:
    """A printed statement beside a better one, and the part that says that it is attained."""

    printed: ClaimRecord
    ours: ClaimRecord

    @property
    def before(self) -> list[Markup]:
        """The statement as it is printed."""
        return [display(one) for one in self.printed.statement.values()]

    @property
    def after(self) -> list[Markup]:
        """The better one."""
        parts = self.ours.statement.items()
        return [display(one) for name, one in parts if not _is_attainment(name)]

    @property
    def attained(self) -> list[Markup]:
        """By what it is attained."""
        parts = self.ours.statement.items()
        return [display(one) for name, one in parts if _is_attainment(name)]


def _is_attainment(name: str) -> bool:
    return any(word in name for word in ("attained", "best", "equality", "sharp"))


def sharpened(known: Catalogue) -> list[tuple[Paper, list[Sharpened]]]:
    """The sharpened statements by paper."""
    found = []
    for paper in known.papers:
        rows = [
            Sharpened(known[one.of], one)
            for one in known.of_paper(paper.prefix)
            if one.provenance is Provenance.SHARPENED and one.of is not None
        ]
        if rows:
            found.append((paper, rows))
    return found


Bridges = list[tuple[str, Markup]]


def argued(known: Catalogue, found: Found) -> list[tuple[Paper, list[tuple[ClaimRecord, Bridges]]]]:
    """The claims whose grade is argued, by paper, with the bridges that they stand on."""
    papers = []
    for paper in known.papers:
        rows = []
        for one in known.of_paper(paper.prefix):
            standing = found.get(one.id)
            bridges = _bridges(one)
            if standing is not None and standing.grade is Grade.ARGUED and bridges:
                rows.append((one, bridges))
        if rows:
            papers.append((paper, rows))
    return papers


def _bridges(one: ClaimRecord) -> Bridges:
    """The bridges of the parts that nothing stronger shows."""
    letters = {letter.name: letter.latex for letter in one.given}
    strong = {item.part for item in one.evidence if item.grade > Grade.ARGUED}
    return [
        (item.part, lettered(item.bridge, letters))
        for item in one.evidence
        if item.bridge is not None and item.part not in strong
    ]
