"""A paper by somebody careless: claims that are false, or not shown, each with its evidence.

Nothing is forged: every proof goes through the interface for papers and its rules, with a mistake
that an author could make.  No claim may come out as proved or certified.  Every mistake says by
what words it is refused, so that one that stumbles over something else is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from theorems.engine import Hypothesis, Letters, claims_in

__all__ = ["LETTERS", "Mistake", "Mistakes", "claim"]

LETTERS = Letters()
claim = claims_in(LETTERS)


@dataclass(frozen=True)
class Mistake:
    """Claims with their evidence, made when they are examined, and how the first one is refused.

    What is stated may be ``true``, and only its evidence mistaken: then it is not refuted either.
    """

    name: str
    make: Callable[[], list[Any]]
    refused: str
    true: bool


class Mistakes(list[Mistake]):
    """The mistakes of one kind."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def mistake(
        self,
        refused: str,
        states: Any,
        given: Iterable[Any] = (),
        *,
        true: bool = False,
        assuming: Iterable[Hypothesis] = (),
        grade: str = "proved",
        evidence: Mapping[str, Any] | None = None,
        beside: Callable[[], Iterable[Any]] = tuple,
        **record: Any,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add a claim whose evidence is the function that follows; ``refused`` is a pattern.

        The claims ``beside`` it are those that it may rest on.
        """

        def add(check: Callable[..., Any]) -> Callable[..., Any]:
            def make() -> list[Any]:
                one = claim(
                    f"hostile.{self.kind}.{check.__name__}",
                    at="p. 1",
                    title="So it is",
                    states=states() if callable(states) else states,
                    given=given,
                    assuming=list(assuming),
                    **record,
                )
                getattr(one, grade)(**(evidence or {}))(check)
                return [one, *beside()]

            self.append(Mistake(f"{self.kind}.{check.__name__}", make, refused, true))
            return check

        return add
