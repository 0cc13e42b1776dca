"""Ask cvc5 in a process of its own: a question a line comes in, an answer a line goes out.

This file is run by its path and imports nothing of the package, so that it starts at once. cvc5
does not count what it does inside of an algebraic number, and cannot be interrupted there: the
process has a net in seconds of the processor for each question, and ends when it is used up.
"""

import json
import re
import resource
import signal
import sys
from typing import Any

__all__ = ["answer", "serve"]

_RULE = re.compile(r":rule (\S+)")


def answer(text: str, operations: int, options: dict[str, str]) -> dict[str, Any]:
    """What cvc5 says within so many operations, how many it made, and about its proof.

    ``steps`` are those of the proof in its own format, and ``trusted`` the ones among them that
    are to be believed. What cvc5 cannot read is unknown to it.

    >>> found = answer("(set-logic ALL)(declare-const x Real)(assert (< (* x x) 0))", 10000, {})
    >>> found["said"], found["trusted"]
    ('unsat', 0)
    """
    import cvc5  # noqa: PLC0415 - an extra, which this process alone needs

    solver = cvc5.Solver(cvc5.TermManager())
    every = {"incremental": "false", "produce-proofs": "true", "rlimit": str(operations)}
    found: dict[str, Any] = {"steps": 0, "trusted": 0}
    try:
        for name, value in {**every, **options}.items():
            solver.setOption(name, value)
        _read(cvc5, solver, text)
        said = solver.checkSat()
        found["said"] = "unsat" if said.isUnsat() else "sat" if said.isSat() else "unknown"
        found["why"] = str(said) if found["said"] == "unknown" else ""
        if said.isUnsat() and solver.getOption("produce-proofs") == "true":
            rules = _RULE.findall(_proof(cvc5, solver))
            found |= {"steps": len(rules), "trusted": sum("trust" in one for one in rules)}
    except RuntimeError as error:
        found |= {"said": "unknown", "why": f"cvc5: {error}"}
    found["operations"] = _operations(solver)
    return found


def _read(cvc5: Any, solver: Any, text: str) -> None:
    """Assert a text; RuntimeError for one that cvc5 does not understand."""
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager()))
        if "error" in said:
            raise RuntimeError(said.strip())


def _proof(cvc5: Any, solver: Any) -> str:
    written = (solver.proofToString(one, cvc5.ProofFormat.CPC) for one in solver.getProof())
    return "".join(one.decode() if isinstance(one, bytes) else str(one) for one in written)


def _operations(solver: Any) -> int:
    statistics = solver.getStatistics().get(True, True)
    return int(statistics["resource::resourceUnitsUsed"]["value"])


def serve(seconds: int) -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks ends this process
    for line in sys.stdin:
        question = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        found = answer(question["text"], question["operations"], question["options"])
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
