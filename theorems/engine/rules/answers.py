"""Answers of the solver that stay: kept by question, so that nothing is asked twice.

Beside the results of a run, or in ``$THEOREMS_ANSWERS``, there are two files: ``answers.jsonl`` has
an answer on each line, under the digest of the question, the bound and the version of the solver,
and ``questions.jsonl`` has the texts. After a refactoring, a renamed file or an edit of prose
nothing is asked that was asked before; claims, false variants, audits, tests and runs share them.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from theorems.engine.rules.asking import Answer, keep_with
from theorems.engine.rules.question import Question
from theorems.engine.running.store import Store, state_folder

__all__ = ["KeptAnswers", "answers_file", "keep_answers", "questions_file"]


def _folder() -> Path:
    return Path(os.environ.get("THEOREMS_ANSWERS") or state_folder())


def answers_file() -> Store:
    """Where answers are kept."""
    return Store(_folder() / "answers.jsonl")


def questions_file() -> Store:
    """Where the texts of questions are kept."""
    return Store(_folder() / "questions.jsonl")


class KeptAnswers:
    """The answers in a folder, read once, and those that this process adds."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer] = {}
        for label, data in answers_file().read().items():
            with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
                self._answers[" ".join(label)] = Answer.from_json(data)

    def known(self, key: str) -> Answer | None:
        """The answer that was kept, if there is one."""
        return self._answers.get(key)

    def keep(self, key: str, question: Question, answer: Answer) -> None:
        """Keep an answer for good; where nothing can be written, as long as this process lives."""
        self._answers[key] = answer
        with contextlib.suppress(OSError):
            questions_file().append((question.key,), question.text, sync=False)
            answers_file().append(tuple(key.split()), answer.as_json(), sync=False)


_KEPT_IN: list[Path] = []


def keep_answers() -> None:
    """Keep the answers in their folder from now on, in this process."""
    folder = _folder().resolve()
    if [folder] != _KEPT_IN:
        _KEPT_IN[:] = [folder]
        keep_with(KeptAnswers())
