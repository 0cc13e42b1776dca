"""What the pages about many claims show: counts, findings, sharpened statements, bridges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from theorems.engine.claims.kinds import Grade, Severity, Verdict
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.constants import Sharpening
from theorems.interface.findings import Finding, findings
from theorems.interface.site.flow import flowing
from theorems.interface.site.mathematics import formula, prose

__all__ = ["Row", "Sharpened", "argued", "columns", "findings_by_paper", "gains", "paper_rows"]
__all__ += ["sharpened"]

Found = Mapping[str, Standing]

_HELD = (Grade.PROVED, Grade.CERTIFIED, Grade.ARGUED, Grade.TESTED, Grade.ESTIMATED)
_COLUMNS = ("claims", *(str(one) for one in _HELD), "cited", "false", "open")


@dataclass(frozen=True)
class Row:
    """A paper with how many of its claims came out how, in the order of the columns."""

    prefix: str
    title: str
    authors: str
    numbers: tuple[int, ...]


def columns(known: Catalogue, found: Found) -> tuple[str, ...]:
    """What is counted for each paper; what was not checked only if there is any."""
    return _COLUMNS if len(found) == len(known.claims) else (*_COLUMNS, "not checked")


def paper_rows(known: Catalogue, found: Found) -> Iterator[Row]:
    """A row a paper."""
    names = columns(known, found)
    for paper in known.papers:
        claims = known.of_paper(paper.prefix)
        seen = Counter(_column(found.get(one.id)) for one in claims)
        numbers = (len(claims), *(seen[name] for name in names[1:]))
        yield Row(paper.prefix, paper.title, paper.authors, numbers)


def _column(standing: Standing | None) -> str:
    if standing is None:
        return "not checked"
    if standing.verdict is Verdict.HOLDS:
        return str(standing.grade)
    return "false" if standing.verdict is Verdict.FALSE else "open"


def findings_by_paper(known: Catalogue, severity: Severity) -> Iterator[tuple[Paper, list[Finding]]]:
    """The findings of one severity, by paper."""
    for paper in known.papers:
        if found := list(findings(known, paper.prefix, severity)):
            yield paper, found


@dataclass(frozen=True)
class Sharpened:
    """A sharpened claim, its formulas as MathML."""

    sharpening: Sharpening

    @property
    def before(self) -> list[Markup]:
        """The statement as it is printed."""
        return [flowing(one) for one in self.sharpening.printed.values()]

    @property
    def after(self) -> list[Markup]:
        """The better one."""
        return [flowing(one) for one in self.sharpening.best.values()]

    @property
    def attained(self) -> list[Markup]:
        """By what it is attained."""
        return [flowing(one) for one in self.sharpening.attained.values()]

    @property
    def factors(self) -> list[tuple[str, Markup]]:
        """How many times smaller the better bounds are."""
        return [(part, formula(one)) for part, one in self.sharpening.factor.items()]


@dataclass(frozen=True)
class Gain:
    """A sharpened claim with how many times smaller its bounds are, where this can be said."""

    id: str
    factors: list[tuple[str, Markup]]


def gains(papers: Iterable[tuple[Paper, list[Sharpened]]]) -> list[Gain]:
    """A row a sharpened claim, for the overview."""
    return [Gain(one.sharpening.id, one.factors) for _, rows in papers for one in rows]


def sharpened(known: Catalogue, found: Iterable[Sharpening]) -> Iterator[tuple[Paper, list[Sharpened]]]:
    """The sharpened statements by paper."""
    every = list(found)
    for paper in known.papers:
        if rows := [Sharpened(one) for one in every if known[one.id].paper == paper.prefix]:
            yield paper, rows


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
    """The bridges of the parts that nothing stronger shows, or why hypotheses are met."""
    letters = {letter.name: letter.latex for letter in one.given}
    strong = {item.part for item in one.evidence if item.grade > Grade.ARGUED}
    bridges = [
        (item.part, prose(item.bridge, letters))
        for item in one.evidence
        if item.bridge is not None and item.part not in strong
    ]
    met = [(each.name, prose(each.says, letters)) for each in one.assumed if each.met]
    return bridges or met
