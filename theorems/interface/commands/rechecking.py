"""The command ``theorems recheck``: the inferences are put to a second prover."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from theorems.engine.running.inferences import Inference, made
from theorems.engine.running.keeping import Keeper
from theorems.engine.running.second_prover import (
    Confirmation,
    ask,
    confirmation_label,
    confirmations_file,
    kept_confirmations,
    prover,
    stop,
)
from theorems.engine.running.store import state_folder
from theorems.engine.telling import tell
from theorems.interface.command_errors import check_writable, fail, resumable, written
from theorems.interface.commands.selecting import Ids, Jobs, Seed, known_claims, selected
from theorems.interface.progress import progress
from theorems.interface.tables import console, plain_table

__all__ = ["recheck"]


def recheck(
    ids: Ids = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    one_in: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Only one inference in K, by the seed.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Ask one in K again of what is kept, by the seed.")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = 2,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write all answers here.")] = None,
) -> None:
    """Put the inferences by which accepted evidence was made to a second prover, cvc5.

    Of the last run; what was asked before is not asked again.  Exit code 1 if cvc5 contradicts
    Z3, or says something else than it said before.

    Example: `theorems recheck --paper eoc`
    """
    known = known_claims()
    chosen = selected(known, ids or [], paper)
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    name = _installed()
    inferences = [x for x in made(known, chosen) if _drawn(x.question, one_in, seed, "only")]
    if not inferences:
        typer.echo("no inference was made by the evidence of these claims in the last run")
        return
    asking = _Asking(inferences, sample, seed)
    with resumable():
        asking.run(jobs)
    _print(name, asking)
    if json_file is not None:
        written("--json", json_file, json.dumps(_as_json(name, asking), indent=1) + "\n")
    if _told_wrong(asking):
        raise typer.Exit(1)


def _installed() -> str:
    try:
        return prover().replace("-", " ")
    except ModuleNotFoundError:
        how = "pip install 'infinite-width-theorems[recheck]'"
        raise fail(f"the second prover, cvc5, is not installed: {how}") from None


def _drawn(key: str, one_in: int | None, seed: int, purpose: str) -> bool:
    """Whether a question is in a seeded share of all; it does not depend on the others."""
    number = int.from_bytes(hashlib.sha256(f"{purpose} {seed} {key}".encode()).digest())
    return one_in is None or number % one_in == 0


@dataclass
class _Asking:
    """The inferences to confirm, what is known of their questions, and what is found out."""

    inferences: list[Inference]
    sample: int | None
    seed: int
    found: dict[str, Confirmation] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    changed: dict[str, tuple[Confirmation, Confirmation]] = field(default_factory=dict)

    def run(self, jobs: int) -> None:
        """Ask what is new, and a share of the rest; every answer is kept at once."""
        from theorems.engine.running.workers import in_workers  # noqa: PLC0415 - slow to import

        about = {one.question: one.claim_id for one in self.inferences}
        self.texts = _texts(about)
        kept = self.found = kept_confirmations(about)
        asked = [key for key in about if key in self.texts and self._is_asked(key)]
        if len(asked) < len(about):
            tell(f"{len(about) - len(asked)} of {len(about)} questions were asked before")
        store, keeper = confirmations_file(), Keeper()
        keeper.prepare(store)
        try:
            with progress(len(asked), done="asked") as advance:
                arguments = [(key, self.texts[key]) for key in asked]
                for key, said in in_workers(jobs, _asked, arguments):
                    self._heard(key, kept.get(key), said)
                    if said.is_final:
                        keeper.keep(store, [(confirmation_label(key), said.as_json())])
                    advance(about[key])
        finally:
            stop()
        keeper.tidy(store)

    def _is_asked(self, key: str) -> bool:
        again = self.sample is not None and _drawn(key, self.sample, self.seed, "again")
        return again or key not in self.found

    def _heard(self, key: str, before: Confirmation | None, said: Confirmation) -> None:
        if before is not None and before.is_final and said.is_final and before != said:
            self.changed[key] = before, said
        self.found[key] = said

    def said(self, one: Inference) -> Confirmation | None:
        """What cvc5 says about an inference; None if the text of its question is not kept."""
        return self.found.get(one.question)


def _asked(key: str, text: str) -> tuple[str, Confirmation]:
    return key, ask(text)


def _texts(keys: Iterable[str]) -> dict[str, str]:
    """The texts of questions, as far as they are kept."""
    from theorems.engine.rules.answers import questions_file  # noqa: PLC0415 - slow to import

    found = questions_file().read((key,) for key in keys)
    return {label[0]: str(text) for label, text in found.items()}


# What is told


def _print(name: str, asking: _Asking) -> None:
    """The counts by paper, and what is not confirmed."""
    columns = ("paper", "inferences", "confirmed", "with a whole proof", "proof trusts steps")
    table = plain_table(*columns, right=columns[1:])
    for paper, row in _summary(asking).items():
        table.add_row(paper, *map(str, row.values()))
    console().print(table)
    missing = [(one, _why(asking.said(one))) for one in asking.inferences if _why(asking.said(one))]
    if missing:
        typer.echo(f"\nnot confirmed by {name}:")
    for one, why in missing:
        typer.echo(f"  {one.claim_id}, {one.evidence}: question {one.question[:8]}: {why}")


def _why(said: Confirmation | None) -> str:
    """Why an inference is not confirmed; nothing if it is."""
    if said is None:
        return "its text is not kept: remove answers.jsonl, and check anew"
    return {"unsat": "", "sat": "CONTRADICTED"}.get(said.said, said.why)


def _summary(asking: _Asking) -> dict[str, dict[str, int]]:
    """By paper, and for all if there are several."""
    rows: dict[str, list[Confirmation | None]] = {}
    for one in asking.inferences:
        rows.setdefault(one.claim_id.partition(".")[0], []).append(asking.said(one))
    if len(rows) > 1:
        rows["all"] = [asking.said(one) for one in asking.inferences]
    return {paper: _counted(some) for paper, some in rows.items()}


def _counted(some: list[Confirmation | None]) -> dict[str, int]:
    yes = [one for one in some if one is not None and one.said == "unsat"]
    proofs = [one for one in yes if one.steps]
    trusting = sum(one.trusted > 0 for one in proofs)
    return {
        "inferences": len(some),
        "confirmed": len(yes),
        "with a whole proof": len(proofs) - trusting,
        "proof trusts steps": trusting,
    }


def _as_json(name: str, asking: _Asking) -> dict[str, Any]:
    answers = [
        {**vars(one), "answer": None if (said := asking.said(one)) is None else said.as_json()}
        for one in asking.inferences
    ]
    return {"prover": name, "summary": _summary(asking), "inferences": answers}


def _told_wrong(asking: _Asking) -> bool:
    """Whether the provers contradict each other, or the second one itself; which is told."""
    wrong = False
    for one in asking.inferences:
        said, before = asking.said(one), asking.changed.get(one.question)
        if said is not None and said.said == "sat":
            wrong = True
            file = _kept_apart(one.question, asking.texts.get(one.question, ""))
            tell(
                f"CONTRADICTION: Z3 proves an inference of {one.evidence} for {one.claim_id}, "
                f"and cvc5 says that it fails; the question is in {file}"
            )
        if before is not None:
            wrong = True
            tell(
                f"CHANGED: about an inference of {one.evidence} for {one.claim_id} "
                f"(question {one.question[:8]}) cvc5 said {before[0]}, and now {before[1]}"
            )
    return wrong


def _kept_apart(key: str, text: str) -> Path:
    """A file with the question, so that both provers can be asked by hand."""
    path = state_folder() / "contradictions" / f"{key}.smt2"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n(check-sat)\n", encoding="utf-8")
    return path
