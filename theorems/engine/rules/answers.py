"""Answers of the solver that stay: kept by question, so that nothing is asked twice.

Beside the results of a run, or in ``$THEOREMS_ANSWERS``, there are two files: ``answers.jsonl`` has
an answer on each line, under the digest of the question, the bound and the version of the solver,
and ``questions.jsonl`` has the texts. After a refactoring, a renamed file or an edit of prose
nothing is asked that was asked before; claims, false variants, audits, tests and runs share them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from theorems.engine.rules.asking import Answer, keep_with
from theorems.engine.rules.question import Question
from theorems.engine.running.store import Store, answers_folder

__all__ = ["KeptAnswers", "answers_file", "answers_kept", "questions_file"]

#: Seconds after which answers are written even if what they are for goes on.
_PAUSE = 1.0


def answers_file() -> Store:
    """Where answers are kept."""
    return Store(answers_folder() / "answers.jsonl")


def questions_file() -> Store:
    """Where the texts of questions are kept."""
    return Store(answers_folder() / "questions.jsonl")


class KeptAnswers:
    """The answers in a folder, read once, and those that this process adds."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer] = {}
        self._waiting: list[tuple[str, Question, Answer]] = []
        self._written = time.monotonic()
        self._gathers = False
        for label, data in answers_file().read().items():
            with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
                self._answers[" ".join(label)] = Answer.from_json(data)

    def known(self, key: str) -> Answer | None:
        """The answer that was kept, if there is one."""
        return self._answers.get(key)

    def keep(self, key: str, question: Question, answer: Answer) -> None:
        """Keep an answer for good; where nothing can be written, as long as this process lives."""
        self._answers[key] = answer
        self._waiting.append((key, question, answer))
        if not self._gathers or time.monotonic() - self._written > _PAUSE:
            self._write()

    @contextlib.contextmanager
    def gathering(self) -> Iterator[None]:
        """Write what comes meanwhile together, now and then, and at the latest at the end."""
        self._gathers = True
        try:
            yield
        finally:
            self._gathers = False
            self._write()

    def _write(self) -> None:
        """Texts come first, so that no answer is without its question."""
        if not self._waiting:
            return
        texts = [((question.key,), question.explained) for _, question, _ in self._waiting]
        answers = [(tuple(key.split()), answer.as_json()) for key, _, answer in self._waiting]
        self._waiting.clear()
        with contextlib.suppress(OSError):
            questions_file().extend(texts, sync=False)
            answers_file().extend(answers, sync=False)
        self._written = time.monotonic()


@contextlib.contextmanager
def answers_kept() -> Iterator[None]:
    """Keep the answers in their folder from now on; they are all written when this is left."""
    folder = answers_folder().resolve()
    if folder not in _KEPT_IN:
        _KEPT_IN.clear()
        _KEPT_IN[folder] = KeptAnswers()
        keep_with(_KEPT_IN[folder])
    with _KEPT_IN[folder].gathering():
        yield


#: The folder in which this process keeps answers, and what it knows of it.
_KEPT_IN: dict[Path, KeptAnswers] = {}
