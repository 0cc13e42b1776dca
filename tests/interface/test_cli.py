"""The command line: what it prints, what it writes, and the code it ends with."""

import mpmath
import numpy as np
import pytest
from house import patient
from IPython.core.formatters import PlainTextFormatter
from trying import each

from numeric.cosine_maps import delta_phi, varrho
from theorems.engine.claims import registry as registries
from theorems.engine.judging.answers import Outcome
from theorems.engine.running.catalogue import catalogue
from theorems.interface.cli import app
from theorems.interface.console import names, show_all_digits
from theorems.interface.evidence_summary import Writing, _trusted
from theorems.interface.unicode import unicode

COMMANDS = ["list", "search", "contents", "show", "check", "trusts", "questions", "recheck"]
COMMANDS += ["latex", "eval", "figure", "audit", "report", "findings", "constants", "cite", "repl"]


BAD_USAGE = {
    "unknown command": (["chek"], "No such command 'chek'"),
    "unknown option": (["check", "--fast"], "No such option"),
    "unknown id": (["show", "demo.halv"], "did you mean demo.half"),
    "unknown id to check": (["check", "demo.halv"], "did you mean demo.half"),
    "unknown id for latex": (["latex", "demo.halv"], "did you mean demo.half"),
    "no id": (["show"], "Missing argument"),
    "no words": (["search"], "Missing argument"),
    "unknown paper": (["check", "--paper", "eco"], "no paper has the prefix 'eco'; there are demo"),
    "unknown paper to list": (["list", "--paper", "eco"], "there are demo"),
    "paper and ids": (["check", "demo.half", "--paper", "demo"], "either ids or --paper"),
    "bad profile": (["check", "--profile", "fast"], "is not one of 'quick', 'full', 'exhaustive'"),
    "no jobs": (["check", "--jobs", "0"], "--jobs"),
    "negative jobs": (["check", "--jobs", "-1"], "--jobs"),
    "jobs that are no number": (["check", "--jobs", "two"], "--jobs"),
    "negative seed": (["check", "--seed", "-1"], "--seed"),
    "seed that is no integer": (["check", "--seed", "0.5"], "--seed"),
    "a million jobs": (["check", "--jobs", "1000000"], "--jobs"),
    "a million jobs to audit": (["audit", "--jobs", "1000000"], "--jobs"),
    "a full device": (["check", "--json", "/dev/full"], "/dev/full is not to be written: No space"),
    "a full device for trust": (["trusts", "--json", "/dev/full"], "is not to be written"),
    "a full device to audit": (["audit", "--json", "/dev/full"], "is not to be written"),
    "a folder that takes nothing": (["check", "--json", "/proc/report.json"], "is not to be written"),
    "a file as folder": (["check", "--json", "/dev/null/report.json"], "there is no folder"),
    "a long name": (["check", "--json", "long" * 100], "--json: "),
    "no name": (["check", "--json", ""], "is not to be written"),
    "unknown paper for contents": (["contents", "eco"], "there are demo"),
    "no paper for contents": (["contents"], "Missing argument"),
    "no place": (["contents", "demo", "--at", "Lemma 1"], "demo is a collection without contents"),
    "missing folder": (["check", "--json", "no/where.json"], "there is no folder"),
    "folder as file": (["check", "--json", "."], "is not to be written"),
    "bad verdict": (
        ["list", "--verdict", "true"],
        "'--verdict': 'true' is not one of 'holds', 'cited', 'false', 'open'",
    ),
    "bad grade": (["list", "--grade", "sure"], "--grade must be one of proved, certified"),
    "a paper for a claim": (["cite", "demo"], "demo is a paper; `theorems list --paper demo`"),
    "an id in capitals": (["show", "DEMO.half"], "did you mean demo.half"),
    "a paper as LaTeX": (["show", "demo", "--latex"], "are for a claim; demo is a paper"),
    "two forms at once": (["findings", "--json", "--latex"], "give --json or --latex, not both"),
    "two forms of constants": (["constants", "--json", "--latex"], "not both"),
    "a file for the site": (["report", "--out", "/dev/null"], "/dev/null is a file"),
    "a folder that cannot be made": (["report", "--out", "/dev/null/site"], "cannot be made"),
    "derivation of all": (["latex", "--all", "--derivation"], "--derivation is for one claim"),
    "a drawing of no figure": (["figure", "--out", "one.png"], "give its id as well"),
    "letters of an expression": (["eval", "1", "--at", "x=1"], "is no claim's id"),
    "neither id nor all": (["latex"], "give one claim's id, or --all"),
    "id and all": (["latex", "demo.half", "--all"], "give one claim's id, or --all"),
    "nonsense to evaluate": (["eval", "1 +"], "is no expression"),
    "no digits": (["eval", "1", "--digits", "0"], "digits must lie in [1, 10000], got 0"),
    "too many digits": (["eval", "1", "--digits", "100000"], "digits must lie in [1, 10000]"),
    "two expressions": (["eval", "1", "2"], "unexpected extra argument"),
}


def test_bad_usage_is_one_line_and_exit_code_two_and_nothing_is_written(theorems, tmp_path):
    for name, (arguments, complaint) in BAD_USAGE.items():
        code, written, said = theorems(*arguments)
        assert (code, written) == (2, ""), name
        assert said.startswith("theorems: "), name
        assert said.count("\n") == 1, name
        assert complaint in said, name
    assert list(tmp_path.iterdir()) == []


def test_without_arguments_it_says_what_there_is(theorems):
    code, written, said = theorems()
    assert (code, said) == (2, "")
    assert all(command in written for command in COMMANDS)


def test_help_teaches_by_an_example(theorems):
    for command in COMMANDS:
        code, written, said = theorems(command, "--help")
        assert (code, said) == (0, "")
        assert f"Example: theorems {command}" in " ".join(written.split())


def test_commands_are_those_documented():
    assert [one.name or one.callback.__name__ for one in app.registered_commands] == COMMANDS


class TestList:
    def test_every_claim_in_order(self, theorems):
        code, written, _ = theorems("list")
        lines = [line.split()[0] for line in written.splitlines()[1:-1]]
        assert (code, lines) == (0, list(registries.load().claims))
        assert written.splitlines()[-1] == "16 claims"
        assert "not checked" not in written

    def test_by_verdict_and_grade(self, theorems):
        assert theorems("check", "--jobs", 1)[0] == 0
        for arguments, count in (
            (["--verdict", "false"], "1 claim"),
            (["--verdict", "cited"], "1 claim"),
            (["--verdict", "open"], "3 claims"),
            (["--grade", "certified"], "1 claim"),
            (["--grade", "proved"], "2 claims"),
            (["--verdict", "holds", "--grade", "proved", "--paper", "demo"], "1 claim"),
        ):
            code, written, _ = theorems("list", *arguments)
            assert (code, written.splitlines()[-1]) == (0, count)

    @each("width", 60, 70, 80, 100, 109, 110, 120)
    def test_ids_survive_a_narrow_terminal_and_titles_are_read(self, theorems, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        _, written, _ = theorems("list")
        assert set(registries.load().claims) <= set(written.split())
        assert "…" not in written
        titles = [one.title for one in registries.load().claims.values()]
        assert set(" ".join(titles).split()) <= set(written.split())
        assert max(map(len, written.splitlines())) <= width


NOTHING = "theorems: there are no results in {folder}: `theorems check` makes them"
READING = [["list"], ["search", "quarter"], ["contents", "demo"], ["show", "demo"]]
READING += [["show", "demo.half"], ["findings"], ["constants"], ["trusts"], ["report"]]


def test_a_folder_without_results_is_told_in_a_line_and_no_claim_for_itself(theorems, tmp_path):
    told = NOTHING.format(folder=tmp_path / "state")
    for command in READING:
        code, written, said = theorems(*command)
        assert code == 0
        lines = [line for line in patient(said).splitlines() if line.startswith("theorems")]
        assert (len(lines), lines[0].startswith(told)) == (1, True), command
        assert "THEOREMS_STATE" in lines[0]
        assert written.count("not checked") <= 1, command
    for width in ("60", "160"):
        theorems.monkeypatch.setenv("COLUMNS", width)
        for command in READING[:4]:
            assert "verdict" not in theorems(*command)[1]
    assert theorems("check", "demo.half", "--jobs", 1)[0] == 0
    for command in READING[:-1]:
        assert told not in theorems(*command)[2]
    assert theorems("list")[1].count("not checked") == 14


def test_search_wants_every_word_in_any_case(theorems):
    _, written, _ = theorems("search", "SQUARED", "at", "most")
    assert written.splitlines()[-1] == "1 claim"
    assert "demo.below.weak" in written
    assert theorems("search", "frac{1}{4}")[1].splitlines()[-1] == "1 claim"
    code, written, said = theorems("search", "nothing of the kind")
    assert (code, written) == (1, "")
    assert theorems("search", "nothing of the kind", "--json")[:2] == (1, "[]\n")
    assert said.splitlines()[-1].startswith("theorems: no claim has nothing of the kind")


def test_a_page_before_any_run_says_so_and_names_the_controls(theorems):
    _, written, _ = theorems("show", "demo.mean")
    assert "not checked yet with this code" in written
    assert "not run; false variants: shifted" in written


def test_repl_has_the_functions_the_plots_and_the_claims(theorems, monkeypatch):
    import IPython

    given = {}
    monkeypatch.setattr(IPython, "start_ipython", lambda **how: given.update(how))
    assert theorems("repl")[0] == 0
    known = given["user_ns"]
    assert known["claims"] == registries.load().claims
    assert known["symbolic"].__name__ == "symbolic"
    banner = given["config"].TerminalInteractiveShell.banner1
    assert f"{len(known)} names loaded" in banner
    from theorems.interface.evaluate import namespace
    from theorems.interface.plots import PLOTS

    assert {*namespace(), *PLOTS} <= set(known)
    assert all(name in banner for name in PLOTS)


def test_what_a_proof_stands_on_tells_what_is_assumed_of_letters(theorems):
    trusts = [
        ("decision", "x <= 1", ""),
        ("hypothesis", "small", r"y \leq 1"),
        ("meaning", "y", r"y = \xi^{2}"),
        ("textbook", "triangle inequality", "of u and v"),
        ("textbook", "triangle inequality", "of v and w"),
    ]
    plain = {"answer": "accepted", "summary": "", "tightness": None, "witness": None, "cases": 1}
    outcome = Outcome.from_json({**plain, "numbers": {"trusts": trusts}})
    (item,) = catalogue().claims["demo.square"].evidence
    told = _trusted([(item, outcome)], Writing(unicode, {"x": "ξ"}))
    assert [str(line) for line in told] == [
        "decision: ξ ≤ 1",
        "hypothesis: small: y ≤ 1",
        "meaning: y: y = ξ²",
        "textbook: triangle inequality",
    ]


# The interactive session: every digit asked for is shown, and none that was not.


@pytest.fixture(scope="module")
def shown():
    formatter = PlainTextFormatter()
    show_all_digits(formatter)
    return formatter


@each("digits", 5, 16, 50, 200)
def test_all_digits_asked_for_are_shown(shown, digits):
    value = names()["varrho"]("0.3", 1, digits=digits)
    with mpmath.workdps(digits + 10):
        rho = mpmath.mpf(3) / 10
        truth = 2 / mpmath.pi * (mpmath.sqrt(1 - rho**2) + rho * mpmath.asin(rho))
    assert shown(value) == mpmath.nstr(truth, digits)


def test_zeros_at_the_end_are_forgotten_but_no_digit_is(shown):
    assert shown(names()["varrho"]("0.5", 0, digits=40)) == "0.5"


def test_other_numbers_are_shown_as_everywhere(shown):
    assert shown(mpmath.mpf("0.1")) == "0.1"
    assert shown(varrho(0.3, 1)) == repr(varrho(0.3, 1))
    assert shown(np.array([0.25, 1.0])) == "array([0.25, 1.  ])"


def test_the_entries_of_a_kernel_are_shown_in_full(shown):
    kernel = names()["limiting_ntk"]([[1, 0], [0, 1]], 2, 1, digits=30)
    with mpmath.workdps(40):
        off = mpmath.nstr(2 / mpmath.pi, 30)
    assert shown(kernel) == f"[[2.0, {off}],\n [{off}, 2.0]]"


def test_the_session_keeps_names_docstrings_and_claims():
    known = names()
    assert known["delta_phi"].__doc__ == delta_phi.__doc__
    assert known["claims"]["eoc.prop17"].id == "eoc.prop17"
    assert hasattr(known["symbolic"], "__path__")
