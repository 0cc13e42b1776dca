"""The full examination of one piece of evidence: its statement, false variants, a second run.

Runs, tests and audits of the project examine evidence by this one function.
"""

import time
from dataclasses import replace

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Answer, Grade
from theorems.engine.judging.answers import Outcome, brief
from theorems.engine.judging.establish import entry
from theorems.engine.judging.examine import Circumstances, examine, examine_again, examine_controls
from theorems.engine.judging.limits import guarded
from theorems.engine.judging.near import examine_near
from theorems.engine.judging.results import EvidenceResult, Near
from theorems.engine.judging.tried_meanings import tried
from theorems.engine.rules.answers import answers_kept
from theorems.engine.running.threads import one_thread_at_all
from theorems.engine.statements.statement import written
from theorems.engine.statements.variants import Variant

__all__ = ["result_of"]


def result_of(claim: Claim, item: Evidence, circumstances: Circumstances) -> EvidenceResult:
    """The result of one piece of evidence; linear algebra keeps to one thread meanwhile.

    An argument is asked twice, as its computations may be of any kind; a proof stays a proof, and
    a search or a simulation has its seed.
    """
    started = time.perf_counter()
    with answers_kept(), one_thread_at_all():
        outcome = _with_meanings_tried(claim, examine(claim, item, circumstances), circumstances)
        controls = examine_controls(claim, item, circumstances)
        accepted = outcome.answer is Answer.ACCEPTED
        near = examine_near(claim, item, circumstances, outcome) if accepted else {}
        if item.grade is Grade.ARGUED:
            outcome = examine_again(claim, item, circumstances, outcome)
    return EvidenceResult(
        claim.id,
        item.name,
        outcome.kept(),
        {key: one.kept() for key, one in controls.items()},
        time.perf_counter() - started,
        {what: _nearest(tried) for what, tried in near.items()},
        _printed(claim, outcome) if accepted else (),
    )


def _with_meanings_tried(claim: Claim, outcome: Outcome, circumstances: Circumstances) -> Outcome:
    """The outcome of a proof that says which meanings hold at cases, and why others were not tried.

    It is undecided if one fails.
    """
    if outcome.theorem is None or outcome.answer is not Answer.ACCEPTED:
        return outcome

    def told() -> Outcome:
        found = tried(outcome.theorem, claim, circumstances)
        if found.fails:
            return Outcome(Answer.UNDECIDED, found.fails)
        if "trusts" not in outcome.numbers:  # the leaves of an argument are not told
            return outcome
        held = {entry(leaf, claim) for leaf in found.held}
        trusts = [("tried meaning" if one in held else one[0], *one[1:]) for one in outcome.numbers["trusts"]]
        untried = sorted({(*entry(leaf, claim)[1:], why) for leaf, why in found.untried.items()})
        return replace(outcome, numbers={**outcome.numbers, "trusts": trusts, "untried": untried})

    return guarded(told, circumstances.profile.effort)


def _printed(claim: Claim, outcome: Outcome) -> tuple[str, ...]:
    """The LaTeX of the derivations that a proof goes through, each once, in the claim's letters."""
    names = written(claim.letters)
    return tuple(dict.fromkeys(one.latex(names) for one in outcome.derivations))


def _nearest(tried: list[tuple[Variant, Outcome]]) -> Near:
    """The most informative of several near variants of one constant: a rejected one, if any."""
    order = [Answer.REJECTED, Answer.UNDECIDED, Answer.ACCEPTED]
    variant, outcome = min(tried, key=lambda pair: order.index(pair[1].answer))
    pinned = outcome.answer is Answer.UNDECIDED and outcome.theorem is not None
    said = brief(outcome.summary)
    return Near(variant.kind, variant.how, variant.statement, outcome.answer, said, pinned)
