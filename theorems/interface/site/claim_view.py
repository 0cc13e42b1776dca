"""What the page of one claim shows, as values that its template puts in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

import theorems
from theorems.engine.claims.kinds import Answer, Grade, Provenance, Role
from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import Standing
from theorems.interface.evidence_summary import Writing, ledger, measured, said, stand_for
from theorems.interface.page import place_of
from theorems.interface.site.flow import flowing
from theorems.interface.site.mathematics import formula, prose
from theorems.interface.site.told import answered, stood_on
from theorems.interface.tables import judged
from theorems.interface.unicode import unicode

__all__ = ["ClaimView", "EvidenceView", "VariantView", "chip", "in_the_code"]

_ROOT = Path(theorems.__file__).parent.parent


def in_the_code(source: str) -> str:
    """A file and line, from the folder that has the packages in it.

    >>> in_the_code(f"{_ROOT}/theorems/cli.py:3")
    'theorems/cli.py:3'
    """
    return source.removeprefix(f"{_ROOT}/")


def chip(standing: Standing | None) -> tuple[str, str]:
    """The colour class and the words of a verdict, with its grade where that says more."""
    if standing is None:
        return "unchecked", "not checked"
    kind = f"{standing.verdict.name.lower()} {standing.grade or ''}"
    return kind.strip(), judged(standing)


@dataclass(frozen=True)
class VariantView:
    """A false variant beside what the evidence says of it."""

    rejected: bool
    what: Markup
    why: Markup


@dataclass(frozen=True)
class EvidenceView:
    """One piece of evidence with its numbers."""

    item: EvidenceRecord
    says: Markup
    source: str
    answer: str
    told: Markup
    seconds: str
    measured: tuple[Markup, ...]
    variants: tuple[VariantView, ...]
    pinned: int
    bridge: Markup | None


@dataclass(frozen=True)
class ClaimView:
    """One claim, for its page."""

    known: Catalogue
    record: ClaimRecord
    standing: Standing | None
    results: Mapping[str, EvidenceResult]

    @property
    def title(self) -> Markup:
        """The title, with formulas."""
        return prose(self.record.title)

    @property
    def place(self) -> Markup:
        """Where the claim stands in its paper."""
        return prose(place_of(self.known, self.record))

    @property
    def chip(self) -> tuple[str, str]:
        """The verdict."""
        return chip(self.standing)

    @property
    def source(self) -> str:
        """File and line."""
        return in_the_code(self.record.source)

    @property
    def statement(self) -> list[tuple[str, Markup]]:
        """The parts of the statement, by name if there are several."""
        parts = self.record.statement
        return [("" if len(parts) == 1 else n, flowing(one)) for n, one in parts.items()]

    @property
    def letters(self) -> list[tuple[Markup, str, Markup, list[Markup]]]:
        """Letters, where they range, what they mean, and what proofs take them for."""
        meant = stand_for(self.results.values())
        return [
            (
                formula(one.latex),
                one.where,
                self._prose(one.meaning),
                [flowing(value) for value in meant.get(one.name, ())],
            )
            for one in self.record.given
        ]

    @property
    def functions(self) -> list[tuple[Markup, Markup, Markup, str | None]]:
        """Functions, what they mean, what they are equal to, and the claim that derives this."""
        return [
            (
                formula(one.latex),
                self._prose(one.meaning),
                flowing(f"= {one.formula}") if one.formula else Markup(),
                one.derived_in,
            )
            for one in self.record.functions
        ]

    @cached_property
    def _latex(self) -> dict[str, str]:
        return {one.name: one.latex for one in self.record.given}

    def assumed(self, *, met: bool) -> list[tuple[str, Markup]]:
        """Hypotheses by name, in words and symbols; or those that are met, and why."""
        return [
            (one.name.replace("_", " "), self._hypothesis(one.says, one.latex))
            for one in self.record.assumed
            if one.met is met
        ]

    def _hypothesis(self, says: str, latex: str) -> Markup:
        words = self._prose(says)
        return words + Markup(": ") + formula(latex) if latex else words

    @property
    def reasons(self) -> list[Markup]:
        """Why the claim is open, or otherwise not settled; and what went wrong."""
        standing, told = self.standing, list(self.record.remarks)
        if standing is not None:
            told += [one for one in (*standing.reasons, *standing.problems) if one not in told]
            told += [] if standing.complete else ["Checked in part: a larger profile has more."]
        return [self._prose(one) for one in told]

    @property
    def evidence(self) -> list[EvidenceView]:
        """The pieces of evidence in their order."""
        return [self._evidence(one) for one in self.record.evidence]

    def _evidence(self, item: EvidenceRecord) -> EvidenceView:
        result, how = self.results.get(item.name), self._how
        cited = item.grade is Grade.CITED
        return EvidenceView(
            item=item,
            says=Markup() if cited else self._prose(item.says),
            source=in_the_code(item.source),
            answer="not run" if result is None else result.answer.value,
            told=Markup() if result is None else self._answered(said(item, result, how)),
            seconds="" if result is None else f"{result.seconds:.1f} s",
            measured=() if result is None else tuple(map(self._answered, measured(result.outcome, how))),
            variants=() if result is None else tuple(self._variants(result)),
            pinned=0 if result is None else sum(one.pinned for one in result.near.values()),
            bridge=None if item.bridge is None else self._prose(item.bridge),
        )

    @cached_property
    def _how(self) -> Writing:
        """Letters by their names in the code, until they are set as mathematics."""
        return Writing(unicode, {})

    def _measured(self, result: EvidenceResult) -> Iterator[Markup]:
        return map(self._answered, measured(result.outcome, self._how))

    def _answered(self, text: str) -> Markup:
        return answered(text, self._latex)

    def _variants(self, result: EvidenceResult) -> Iterator[VariantView]:
        """The author's false variants in words, and those that the engine made as formulas."""
        for name, one in result.controls.items():
            rejected = one.answer is Answer.REJECTED
            yield VariantView(rejected, prose(name), self._answered(one.summary))
        told: set[str] = set()
        for near in result.near.values():
            if not near.pinned and near.statement not in told:
                told.add(near.statement)
                rejected = near.answer is Answer.REJECTED
                yield VariantView(rejected, flowing(near.statement), self._answered(near.summary))

    @property
    def tightness(self) -> str:
        """The largest ratio of left to right side that a search found."""
        tight = None if self.standing is None else self.standing.tightness
        return "" if tight is None else f"{tight:.6g}"

    @property
    def stands_on(self) -> list[tuple[str, list[Markup]]]:
        """What a machine checked, what is taken over from elsewhere, and what is in words only."""
        found = ledger(self.record, self.results, replace(self._how, formula=str)).items()
        return [
            (title, [stood_on(title, str(one), self._latex, self._link) for one in lines])
            for title, lines in found
            if lines
        ]

    def _prose(self, text: str) -> Markup:
        return prose(text, self._latex, self._link)

    def _link(self, identifier: str) -> Markup:
        """A claim's id, leading to its page if there is one."""
        shown = Markup("<code>{}</code>").format(identifier)
        if identifier not in self.known.claims:
            return shown
        return Markup('<a href="{}.html">{}</a>').format(identifier, shown)

    @property
    def around(self) -> list[tuple[str, list[ClaimRecord]]]:
        """The claims that stand around this one."""
        about = self.known.about(self.record.id)
        rows = {
            "Is about": [self.record.of] if self.record.of else [],
            "Corrected by": [o.id for o in about if o.provenance is Provenance.CORRECTED],
            "Sharpened by": [o.id for o in about if o.provenance is Provenance.SHARPENED],
            "Rests on": list(self.record.rests_on),
            "Used by": self.known.dependants(self.record.id),
        }
        return [(title, [self.known[one] for one in ids]) for title, ids in rows.items() if ids]

    @property
    def refuted(self) -> bool:
        """Whether a counterexample is among the evidence."""
        return any(one.role is Role.REFUTES for one in self.record.evidence)
