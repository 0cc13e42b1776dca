"""A second prover: cvc5 is asked what Z3 was asked, where Z3 says that nothing satisfies it.

The two share no code, so an inference that both confirm does not hang on a mistake of one of them.
cvc5 counts operations as Z3 does, and is asked with several settings in turn, in which it may be
lost or see at once. Its answers are kept by question in ``confirmations.jsonl``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, Literal, cast

from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.running.store import Label, Store, state_folder

__all__ = ["ATTEMPTS", "Attempt", "Confirmation", "ask", "confirmation_label", "confirmations_file"]
__all__ += ["kept_confirmations", "known_answers", "prover", "stop"]


@dataclass(frozen=True)
class Attempt:
    """A way to ask cvc5: how many operations it may make, its options, and what it may expect."""

    operations: int
    options: Mapping[str, str]
    logic: str = "ALL"


#: Products are linearised step by step, which comes with a proof; or cells that cover the space
#: are found, after letters that equations give were replaced, for which cvc5 writes no proof.
_CELLS = {"nl-cov": "true", "nl-ext": "none", "produce-proofs": "false"}
ATTEMPTS = (
    Attempt(50_000, {}),
    Attempt(50_000, _CELLS),
    Attempt(50_000, {**_CELLS, "nl-rlv": "always"}, "QF_UFNIRA"),
    Attempt(50_000, {**_CELLS, "nl-ext": "light"}),
)
#: Seconds of the processor for an attempt; cvc5 does not count what it does inside of a number.
_SECONDS = 10


@dataclass(frozen=True)
class Confirmation:
    """What cvc5 says: nothing satisfies the assertions, something does, or it does not find out.

    ``operations`` are those of each attempt that was made, and None where the net in seconds was
    needed. ``steps`` are those of the proof, of which ``trusted`` ones are to be believed; an
    attempt that finds cells writes no proof.
    """

    said: Literal["unsat", "sat", "unknown"]
    operations: tuple[int | None, ...]
    steps: int = 0
    trusted: int = 0
    why: str = ""

    @property
    def is_final(self) -> bool:
        """Whether another machine would say the same; undecided for want of time is no answer."""
        return self.said != "unknown" or None not in self.operations

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "operations": list(self.operations)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Confirmation:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        if data["said"] not in {"unsat", "sat", "unknown"}:
            raise ValueError(f"an answer is unsat, sat or unknown, got {data['said']!r}")
        operations = tuple(None if one is None else int(one) for one in data["operations"])
        steps, trusted = int(data["steps"]), int(data["trusted"])
        return Confirmation(data["said"], operations, steps, trusted, str(data["why"]))


def prover() -> str:
    """The name of the prover and its version; ModuleNotFoundError if it is not installed."""
    try:
        return f"cvc5-{version('cvc5')}"
    except PackageNotFoundError:
        raise ModuleNotFoundError("cvc5 is not installed") from None


def confirmations_file() -> Store:
    """Where the answers of the second prover are kept."""
    return Store(state_folder() / "confirmations.jsonl")


def confirmation_label(key: str) -> Label:
    """What an answer depends on: the text, by its key, the attempts, and the version of cvc5."""
    return (key, _attempts(), prover())


@cache
def _attempts() -> str:
    """The bound on all attempts together, and a digest of what they are."""
    every = [(one.operations, sorted(one.options.items()), one.logic) for one in ATTEMPTS]
    bound = sum(one.operations for one in ATTEMPTS)
    return f"{bound}-{hashlib.sha256(json.dumps(every).encode()).hexdigest()[:8]}"


def kept_confirmations(keys: Iterable[str]) -> dict[str, Confirmation]:
    """The answers of this version of cvc5 that are kept, by the keys of the questions."""
    labels = {confirmation_label(key): key for key in keys}
    found = {}
    for label, data in confirmations_file().read(labels).items():
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            found[labels[label]] = Confirmation.from_json(data)
    return found


def known_answers(keys: Iterable[str]) -> dict[str, str]:
    """What some version of cvc5 has said about these questions, by their keys: unsat, say.

    The newest answer that is not unknown counts. cvc5 itself need not be installed.
    """
    found, wanted = dict[str, str](), set(keys)
    if wanted:
        for label, data in confirmations_file().read().items():
            with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
                said = Confirmation.from_json(data).said
                if label[0] in wanted and (said != "unknown" or label[0] not in found):
                    found[label[0]] = said
    return found


def ask(text: str) -> Confirmation:
    """What cvc5 says to a question, asked now, with one setting after the other.

    A text that begins otherwise is about all of arithmetic, as those of the kernel are.
    """
    body = text.removeprefix("(set-logic ALL)\n")
    operations: list[int | None] = []
    why = ""
    for attempt in ATTEMPTS:
        found = _CVC5.answer(f"(set-logic {attempt.logic})\n{body}", attempt)
        operations.append(found.get("operations"))
        if found["said"] != "unknown":
            proof = int(found["steps"]), int(found["trusted"])
            return Confirmation(found["said"], tuple(operations), *proof)
        why = why if why and "operations" in found else str(found["why"])
    return Confirmation("unknown", tuple(operations), why=why)


def stop() -> None:
    """End the process of cvc5 that answers this one, if there is any."""
    _CVC5.end()


class _Process:
    """cvc5 in a process of its own, which is begun anew when it has ended."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[str] | None = None

    def answer(self, text: str, attempt: Attempt) -> dict[str, Any]:
        """What cvc5 says; unknown, without operations, if its process ended before it did."""
        running = self._running = self._running or _begun()
        to, back = cast("IO[str]", running.stdin), cast("IO[str]", running.stdout)
        with contextlib.suppress(BrokenPipeError):
            to.write(
                json.dumps({"text": text, "operations": attempt.operations, "options": dict(attempt.options)})
                + "\n"
            )
            to.flush()
            if line := back.readline():
                return cast("dict[str, Any]", json.loads(line))
        code = self.end()
        died = f"the process of cvc5 ended with {code}"
        return {"said": "unknown", "why": OUT_OF_TIME if code == -signal.SIGXCPU else died}

    def end(self) -> int | None:
        """Let the process end, if there is one, and say how it ended."""
        running, self._running = self._running, None
        if running is None:
            return None
        with running, contextlib.suppress(BrokenPipeError):
            running.communicate()  # it ends when nothing more is asked
        return running.returncode


def _begun() -> subprocess.Popen[str]:
    file = str(Path(__file__).with_name("cvc5_process.py"))
    return subprocess.Popen(
        [sys.executable, "-P", file, str(_SECONDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


_CVC5 = _Process()
