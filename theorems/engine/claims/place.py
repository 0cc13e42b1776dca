"""Where in a paper a statement stands: places as data, so that one can ask for all of a place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from theorems.engine.errors import ClaimError

__all__ = ["KINDS", "Place", "places"]

#: What a paper is divided into, and what it numbers.
KINDS = (
    "Abstract",
    "Section",
    "Appendix",
    "Theorem",
    "Proposition",
    "Lemma",
    "Corollary",
    "Fact",
    "Definition",
    "Assumption",
    "Example",
    "Remark",
    "Equation",
    "Figure",
    "Table",
)

_NUMBER = r"\(?[0-9A-Z]+(?:\.[0-9]+)*\)?"
_PLACE = re.compile(
    rf"(?:(?P<side>before|after) )?(?P<kind>{'|'.join(KINDS)})(?: (?P<number>{_NUMBER}))?"
    r"(?:, (?P<part>\S(?:.*\S)?))?"
)


@dataclass(frozen=True)
class Place:
    """A numbered thing of a paper, or what stands before, after or in a part of it.

    ``kind`` is one of ``KINDS``; ``number`` is as printed, without parentheses, and empty for an
    abstract; ``part`` is a part of it, such as ``proof`` or ``(a)``; ``side`` says ``before`` or
    ``after`` for the text beside it.
    """

    kind: str
    number: str = ""
    part: str = ""
    side: str = ""

    @property
    def of(self) -> Place:
        """The numbered thing itself.

        >>> str(Place("Lemma", "3", "proof").of)
        'Lemma 3'
        """
        return replace(self, part="", side="")

    def __str__(self) -> str:
        number = f"({self.number})" if self.kind == "Equation" else self.number
        name = " ".join(filter(None, (self.side, self.kind, number)))
        return f"{name}, {self.part}" if self.part else name


def places(text: str) -> tuple[Place, ...]:
    """The places that a text names, separated by semicolons; ClaimError for another form.

    >>> [str(one) for one in places("Proposition 17, proof; Equation (5)")]
    ['Proposition 17, proof', 'Equation (5)']
    >>> places("after Definition 2")[0].side
    'after'
    """
    if not isinstance(text, str) or not text.strip():
        raise ClaimError(f"at must name a place, such as 'Lemma 3, proof', got {text!r}")
    return tuple(_place(one) for one in text.split("; "))


def _place(text: str) -> Place:
    found = _PLACE.fullmatch(text)
    if not found or (found["number"] is None) != (found["kind"] == "Abstract"):
        raise ClaimError(
            f"{text!r} is no place; one is [before|after] KIND NUMBER[, part], such as "
            f"'Lemma 3, proof' or 'after Equation (5)', with a kind among {', '.join(KINDS)}"
        )
    kind, number = found["kind"], found["number"] or ""
    if number.startswith("(") != number.endswith(")") or number.startswith("(") != (kind == "Equation"):
        raise ClaimError(f"{text!r} is no place: equations, and they alone, are in parentheses")
    return Place(kind, number.strip("()"), found["part"] or "", found["side"] or "")
