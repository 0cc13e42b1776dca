"""The notes: each finding, sharper result and argument is in the section that its claim names."""

import functools
import re
from pathlib import Path

import pytest
from markdown_sections import anchors, sections
from trying import each

from theorems.engine.claims.kinds import Grade, Provenance, Role
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.catalogue import catalogue

ROOT = Path(__file__).resolve().parents[2]
NOTES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "proofs_notes").iterdir()}
INDEX = NOTES["README.md"]
PREFIXES = ("attn", "classical", "eoc", "inf", "st")


@functools.cache
def claims() -> dict[str, ClaimRecord]:
    return {one.id: one for one in catalogue().claims.values() if one.paper in PREFIXES}


def is_argued(claim: ClaimRecord) -> bool:
    """Whether a part has an inference in words for its best support."""
    best: dict[str, Grade] = {}
    for one in claim.evidence:
        if one.role is Role.SUPPORTS:
            best[one.part] = max(best.get(one.part, one.grade), one.grade)
    return Grade.ARGUED in best.values()


def is_finding(claim: ClaimRecord) -> bool:
    return claim.severity is not None


def is_sharper(claim: ClaimRecord) -> bool:
    return claim.provenance is Provenance.SHARPENED


def is_corrected(claim: ClaimRecord) -> bool:
    return claim.provenance is Provenance.CORRECTED


def section_of(claim: ClaimRecord) -> str:
    """The section that a claim names, or nothing."""
    file, _, anchor = (claim.note or "").partition("#")
    return sections(NOTES.get(file.removeprefix("proofs_notes/"), "")).get(anchor, "")


KINDS = (is_finding, is_sharper, is_corrected, is_argued)


@each("kind", *KINDS)
def test_claims_of_a_kind_have_a_note_that_names_them(kind):
    asked = [one for one in claims().values() if kind(one)]
    assert asked
    assert not [one.id for one in asked if not one.note], "no note"
    unnamed = [f"{one.id}: {one.note}" for one in asked if f"`{one.id}`" not in section_of(one)]
    assert not unnamed, "not named in the section:\n  " + "\n  ".join(unnamed)


def named(text):
    """The ids in backquotes, and how those begin that stand for several."""
    return re.findall(rf"`((?:{'|'.join(PREFIXES)})\.[^`\s]*)`", text)


def test_ids_that_are_named_are_claims():
    wrong = []
    for file, text in NOTES.items():
        for one in named(text):
            begun = one.endswith("*") and any(other.startswith(one[:-1]) for other in claims())
            if one not in claims() and not begun:
                wrong.append(f"{file}: {one}")
    assert not wrong, "no such claim:\n  " + "\n  ".join(wrong)


def test_endings_that_are_named_are_those_of_claims():
    wrong = [
        f"{file}: {one}"
        for file, text in NOTES.items()
        for one in re.findall(r"`(\.[a-z][\w.]*)`", text)
        if not any(other.endswith(one) for other in claims())
    ]
    assert not wrong, "no claim ends so:\n  " + "\n  ".join(wrong)


def links(text):
    """Where links lead; formulas are no links."""
    return [one for one in re.findall(r"\]\(([^)\s]*)\)", text) if not one.startswith("http")]


def test_links_lead_to_headings():
    wrong = []
    for file, text in NOTES.items():
        for link in links(text):
            other, _, anchor = link.partition("#")
            target = NOTES.get(other or file)
            if target is None or (anchor and anchor not in anchors(target)):
                wrong.append(f"{file}: {link}")
    assert not wrong, "nothing there:\n  " + "\n  ".join(wrong)


def test_the_index_has_every_note():
    listed = re.findall(r"^\* \[(.*?)\]\((.*?)\)", INDEX, re.MULTILINE)
    assert all(shown == led for shown, led in listed)
    assert sorted(led for _, led in listed) == sorted(set(NOTES) - {"README.md"})


def rows(width):
    """The rows with an id of the index's tables that have so many columns."""
    lines = [line.strip("| ").split(" | ") for line in INDEX.splitlines() if line[:1] == "|"]
    return [row for row in lines if len(row) == width and any(named(cell) for cell in row)]


@pytest.mark.parametrize(("kind", "width"), [(is_finding, 5), (is_sharper, 4)])
def test_the_index_has_every_one_in_a_row_with_its_section(kind, width):
    found = [(row[-4].strip("`"), row[-1]) for row in rows(width)]
    asked = [one for one in claims().values() if kind(one)]
    assert sorted(one for one, _ in found) == sorted(one.id for one in asked)
    for one, section in found:
        note = claims()[one].note.removeprefix("proofs_notes/")
        assert section.endswith(f"({note})"), f"{one} points to {note}"


def test_findings_are_listed_by_severity():
    order = ["false", "gap", "edge", "dependence", "slip"]
    for paper in PREFIXES:
        severities = [row[0] for row in rows(5) if row[1].startswith(f"`{paper}.")]
        assert severities == sorted(severities, key=order.index)
    for row in rows(5):
        assert claims()[row[1].strip("`")].severity.value == row[0]
