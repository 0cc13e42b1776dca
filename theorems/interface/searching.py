"""Which claims a search finds: all that is said of a claim counts, in words and in symbols."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from theorems.engine.claims.record import ClaimRecord

__all__ = ["found_by", "near_words", "text_of"]


def text_of(one: ClaimRecord) -> str:
    """What is said of a claim, in small letters.

    Its id, title and place, its statement, letters and functions, its hypotheses, what its
    evidence says of itself, its note, and the names of the modules in which it stands.
    """
    said = (f"{item.name} {item.says} {item.bridge or ''}" for item in one.evidence)
    named = [(each.name, each.meaning) for each in one.given]
    named += [(each.name, each.meaning) for each in one.functions]
    letters = (" ".join(each) for each in named)
    modules = " ".join(re.findall(r"\w+", one.source.partition("/theorems/")[2].partition(".")[0]))
    note = (one.note or "").rpartition("/")[2].replace("-", " ")
    parts = [one.id, one.title, one.at, one.displayed, one.said, *letters, *said, *one.remarks]
    return " ".join([*parts, note, modules.replace("_", " ")]).lower()


def found_by(words: Sequence[str], claims: Iterable[ClaimRecord]) -> list[ClaimRecord]:
    """The claims of which all these words are said, those first that have them in id and title."""
    lowered = [word.lower() for word in words]

    def heading(one: ClaimRecord) -> int:
        text = f"{one.id} {one.title}".lower()
        return -sum(word in text for word in lowered)

    found = [one for one in claims if all(word in text_of(one) for word in lowered)]
    return sorted(found, key=heading)


def near_words(words: Sequence[str], claims: Iterable[ClaimRecord]) -> list[str]:
    """Words that are said of claims and look like one of these, of which nothing is said."""
    spoken = {word for one in claims for word in re.findall(r"[a-z]{3,}", text_of(one))}
    missing = [one.lower() for one in words if not any(one.lower() in word for word in spoken)]
    return [near for one in missing for near in difflib.get_close_matches(one, spoken, n=2)]
