"""``theorems check``: its report, its exit code, its progress, and papers from elsewhere."""

import errno
import json
import math
import signal
from pathlib import Path

import pytest
from house import House
from patience import AGES, PATIENCE
from trying import each

from theorems.engine import Choice, Paper, claim, sentence
from theorems.engine.claims import registry as registries
from theorems.engine.claims.registry import Registry
from theorems.engine.running.store import Store
from theorems.interface.progress import progress


def faulty(**how):
    """A registry of one claim whose check does what it is told."""
    truth = Choice("s", how.get("holds", True))
    one = claim("f.one", at="a", title="Faulty", states=sentence("$holds", holds=truth))
    wrong = {"holds": Choice("w", how.get("control", {"holds": False})["holds"])}

    @one.argued(bridge="As told.", controls={"wrong": wrong})
    def check(holds):
        """Nothing."""
        return [("it", holds)]

    return Registry((Paper("f", "F", "A"),), {one.id: one})


def strict(text):
    """JSON without NaN and infinities, which the standard does not know."""

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


class TestCheck:
    def test_all_as_declared(self, theorems, tmp_path):
        code, written, said = theorems("check", "--jobs", 1, "--json", "report.json")
        assert code == 0
        assert "every claim came out as declared; all 14 false variants were rejected" in written
        assert "a larger profile has more evidence for demo.patient" in written
        assert said.splitlines()[-1].startswith("checked 14 of 14 (100 %), last demo.slow.6")

    def test_report(self, theorems, tmp_path):
        theorems("check", "--jobs", 1, "--json", "report.json", "--seed", 3)
        report = strict((tmp_path / "report.json").read_text())
        assert set(report) == {"claims", "summary", "seed", "profile", "versions"}
        assert (report["seed"], report["profile"]) == (3, "quick")
        assert {"python", "numpy", "sympy", "python-flint"} <= set(report["versions"])
        claims = {one["id"]: one for one in report["claims"]}
        assert list(claims) == list(registries.load().claims)
        half = claims["demo.half"]
        assert (half["paper"], half["verdict"], half["grade"]) == ("demo", "holds", "tested")
        (evidence,) = half["evidence"]
        assert (evidence["kind"], evidence["answer"]) == ("tested", "accepted")
        assert evidence["tightness"] == pytest.approx(1, abs=1e-6)
        assert evidence["near"]["1/4"]["answer"] == "rejected"
        assert claims["demo.below"]["verdict"] == "false as stated"
        assert claims["demo.below"]["evidence"][0]["role"] == "refutes"
        assert claims["demo.open"]["reasons"] == ["nobody knows"]
        assert claims["demo.patient"]["complete"] is False
        counted = {(row["verdict"], row["grade"]): row["claims"] for row in report["summary"]}
        assert counted["open", None] == 3
        assert sum(counted.values()) == len(claims)

    def test_a_claim_with_its_parts_and_what_they_rest_on(self, theorems, tmp_path):
        theorems("check", "demo.below", "demo.cited", "--jobs", 1, "--json", "report.json")
        report = strict((tmp_path / "report.json").read_text())
        expected = ["demo.square", "demo.half", "demo.below", "demo.below.weak", "demo.cited"]
        assert [one["id"] for one in report["claims"]] == expected

    def test_a_group_of_parts(self, theorems):
        code, written, _ = theorems("check", "demo.slow", "--jobs", 1)
        assert code == 0
        assert "all 6 false variants" in written

    def test_what_a_larger_profile_has_is_told_with_the_command(self, theorems):
        assert theorems("check", "demo.patient", "--jobs", 1)[0] == 0
        page = theorems("show", "demo.patient")[1]
        assert "not run (it needs --profile full); false variants: " in page
        assert "run all of it: theorems check --profile full demo.patient" in page
        assert "run all of it" not in theorems("show", "demo.half")[1]

    def test_what_has_no_evidence_stands_on_nothing_and_has_no_variants(self, theorems):
        assert theorems("trusts", "demo.open")[0] == 2
        assert theorems("check", "demo.open", "demo.cited", "--jobs", 1)[0] == 0
        assert theorems("trusts", "demo.open")[1].startswith("nothing: no evidence was accepted")
        assert "source: Cited: Rudin" in theorems("trusts", "demo.cited")[1]
        assert theorems("trusts", "--letters") == (0, "", "")
        assert theorems("trusts", "--letters", "--json", "letters.json")[0] == 0
        audited = theorems("audit", "demo.open", "--jobs", 1)
        assert audited[:2] == (0, "nothing was changed: no machine checks what is only cited, or open\n")

    def test_a_larger_profile(self, theorems):
        code, written, _ = theorems("check", "demo.patient", "--profile", "full", "--jobs", 1)
        assert code == 0
        assert "has more evidence" not in written
        assert "all 3 false variants" in written

    @pytest.mark.parametrize(
        ("how", "problem"),
        [
            ({"holds": False}, "f.one: declared holds, came out false as stated"),
            ({"holds": None}, "f.one: check is undecided: 1 of 1 exact step undecided: it"),
            ({"control": {"holds": True}}, "control wrong of check was not rejected but accepted"),
            ({"control": {"holds": None}}, "control wrong of check was not rejected but undecided"),
        ],
    )
    def test_whatever_is_not_as_declared_is_exit_code_one(self, theorems, tmp_path, how, problem):
        theorems.use(faulty(**how))
        code, written, _ = theorems("check", "--json", "report.json")
        assert code == 1
        assert problem in written
        assert "came out as declared" not in written
        report = strict((tmp_path / "report.json").read_text())
        assert problem.removeprefix("f.one: ") in problems_of(report)

    def test_what_stays_undecided_is_no_verdict(self, theorems):
        theorems.use(faulty(holds=None))
        for options in ((), ("--seed", "3")):
            code, written, _ = theorems("check", *options)
            assert code == 1
            assert "undecided" in written.splitlines()[1]
            assert written.splitlines()[-3:] == [
                "1 answer is missing, asked for twice; that is no verdict about the paper:",
                "  f.one: check is undecided: 1 of 1 exact step undecided: it",
                " ".join(["ask again: theorems check f.one", *options]),
            ]
            assert "problem" not in written
            assert "not checked" in theorems("show", "f.one")[1]

    def test_beside_what_is_undecided_the_rest_is_told(self, theorems):
        theorems.use(faulty(holds=None, control={"holds": True}))
        code, written, _ = theorems("check")
        assert code == 1
        assert "1 problem:\n  f.one: control wrong of check was not rejected but accepted" in written
        assert "1 answer is missing" in written

    def test_no_claims_are_no_success(self, theorems):
        theorems.use(Registry((), {}))
        code, _, said = theorems("check")
        assert (code, said) == (2, "theorems: there are no claims to check\n")

    def test_numbers_that_json_does_not_know(self, theorems, tmp_path):
        known = faulty()
        (one,) = known.claims.values()

        class Strange:
            decision = type("D", (), {"name": "PROVED"})
            relation, domain, reason, assumptions = "f > 0", {"x": "all"}, "", ()
            boxes, margin, witness = math.inf, math.inf, math.nan

        @one.argued(bridge="So.")
        def strange():
            """An infinite number of boxes."""
            return Strange()

        theorems.use(known)
        assert theorems("check", "--jobs", 1, "--json", "report.json")[0] == 0
        report = strict((tmp_path / "report.json").read_text())
        numbers = report["claims"][0]["evidence"][1]["numbers"]
        assert (numbers["boxes"], report["claims"][0]["evidence"][1]["witness"]) == ("inf", "nan")
        kept = (tmp_path / "state" / "results.jsonl").read_text().split("\n")
        assert all(strict(line.partition("\t")[2]) for line in filter(None, kept))
        strict((tmp_path / "state" / "verdicts.jsonl").read_text().rpartition("\t")[2])

    def test_where_nothing_can_be_kept_it_is_told_and_verdicts_are_printed(
        self, theorems, monkeypatch, tmp_path
    ):
        whole = theorems("check", "demo.half", "--jobs", 1)[:2]
        (tmp_path / "file").touch()
        for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc")):
            monkeypatch.setenv("THEOREMS_STATE", str(place))
            code, written, said = theorems("check", "demo.half", "--jobs", 1)
            assert (code, written) == whole
            told = f"theorems: results are not kept, as nothing can be written in {place}: "
            assert [line for line in said.splitlines() if line.startswith("theorems")] == [
                line for line in said.splitlines() if line.startswith(told)
            ]
            assert said.count(told) == 1
            assert theorems("list")[0] == theorems("show", "demo.half")[0] == 0

    def test_a_disk_that_is_full_stops_no_run(self, theorems, monkeypatch):
        whole = theorems("check", "demo.half", "--jobs", 1)[:2]
        known = theorems("show", "demo.half", "--no-times")
        extend, calls = Store.extend, []

        def full(store, entries, **how):
            calls.append(store)
            if len(calls) > 1:
                raise OSError(errno.ENOSPC, "No space left on device")
            extend(store, entries, **how)

        monkeypatch.setattr(Store, "extend", full)
        assert theorems("check", "demo.half", "--jobs", 1)[:2] == whole
        monkeypatch.setenv("THEOREMS_STATE", "other")
        code, written, said = theorems("check", "demo.half", "--jobs", 1)
        assert (code, written) == whole
        assert said.count("as nothing can be written in other: No space left on device") == 1
        assert len(calls) == 2, "it is not tried again"
        monkeypatch.setenv("THEOREMS_STATE", "state")
        assert theorems("show", "demo.half", "--no-times") == known


def problems_of(report):
    return [problem for one in report["claims"] for problem in one["problems"]]


class TestProgress:
    @each("total, lines", (1, 1), (3, 3), (10, 10), (14, 10), (1000, 10))
    def test_plain_lines_off_the_terminal(self, capfd, total, lines):
        with progress(total) as advance:
            for number in range(total):
                advance(f"demo.c{number}")
        written, said = capfd.readouterr()
        assert written == ""
        assert len(said.splitlines()) == lines
        last = f"checked {total} of {total} (100 %), last demo.c{total - 1}"
        assert said.splitlines()[-1] == last
        assert "\x1b" not in said

    def test_a_bar_on_the_terminal(self, capfd, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        with progress(2) as advance:
            advance("demo.a")
            advance("demo.b")
        assert "\x1b" in capfd.readouterr().err

    def test_nothing_to_do(self, capfd):
        with progress(0):
            pass
        assert capfd.readouterr().err == ""


PAPER = """
from theorems.engine import Paper
PAPER = Paper("mine", "Mine", "Me")
SECTIONS = ("only",)
"""
CLAIM = """
from theorems.engine import sentence
from theorems.engine import claim
STATES = sentence("$one is odd", one=1)
A = claim("mine.a", at="a", title="t", states=STATES, rests_on={rests_on!r})
@A.argued(bridge="Oddness is decided.")
def check(one):
    return [("odd", one % 2 == 1)]
"""
SOUND = {"__init__": PAPER, "only": CLAIM.format(rests_on=[])}

#: Some of what somebody's paper may be like, and what is told of it; more in test_papers.
BROKEN = {
    "a name error": ({"only": "x = y"}, "NameError: name 'y' is not defined"),
    "a syntax error in the package": ({"__init__": "def ("}, "SyntaxError: "),
    "another paper's prefix": (
        {"__init__": PAPER.replace('"mine"', '"demo"')},
        "its prefix demo is another paper's",
    ),
    "a message of several lines": ({"only": 'raise ValueError("so\\nit\\nis")'}, "ValueError: so it"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The demonstration, and a paper of somebody else's."""
    house = House(tmp_path_factory.mktemp("house"))
    house.install("demo")
    house.install("mine", **SOUND)
    return house


class TestInstalled:
    """Papers of somebody else's, found by their entry points in processes of their own."""

    def test_a_paper_from_elsewhere(self, house):
        code, _, said = house.run("check", "--paper", "mine")
        assert (code, said) == (0, "checked 1 of 1 (100 %), last mine.a\n")
        assert house.run("list")[1].splitlines()[-1] == "17 claims"
        assert not (house.folder / ".hypothesis").exists()

    def test_a_reader_that_goes_away(self, house):
        process = house.start("list")
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == ""
        process.stderr.close()

    def test_a_broken_paper_is_told_in_a_line_and_the_others_go_on(self, house):
        for name, (modules, why) in BROKEN.items():
            for module, text in {**SOUND, **modules}.items():
                (house.folder / "mine" / f"{module}.py").write_text(text)
            told = f"theorems: the paper mine cannot be used: {why}"
            code, written, said = house.run("check", "demo.square", "--jobs", 1)
            assert code == 1, name
            assert "every claim came out as declared" in written
            assert said.startswith(told), name
            assert said.count("cannot be used") == 1

    def test_one_that_ends_the_process_or_never_ends_is_told(self, house):
        (house.folder / "mine" / "__init__.py").write_text(PAPER)
        (house.folder / "mine" / "only.py").write_text("import os\nos._exit(0)")
        code, written, said = house.run("list")
        assert (code, written.splitlines()[-1]) == (0, "16 claims")
        assert "theorems: the paper mine cannot be used: it ends the process when it is" in said
        (house.folder / "mine" / "only.py").write_text(f"import time\ntime.sleep({AGES})")
        process = house.start("show", "demo.half")
        assert "the paper mine is being loaded; if this does not end" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, said) == (130, "")

    def test_every_command_goes_on(self, house):
        (house.folder / "mine" / "__init__.py").write_text(PAPER)
        (house.folder / "mine" / "only.py").write_text("x = y")
        house.run("check", "demo.square", "--jobs", 1)
        for command in (
            ["list"],
            ["search", "quarter"],
            ["contents", "demo"],
            ["trusts", "demo.square"],
            ["trusts"],
            ["latex", "demo.half"],
            ["eval", "demo.half", "--at", "share=1/2"],
            ["audit", "demo.open"],
        ):
            code, written, said = house.run(*command)
            assert code == 0, said
            assert written
            assert said.count("the paper mine cannot be used: NameError") == 1
            assert "Traceback" not in said

    def test_figures_of_a_broken_paper(self, house):
        (house.folder / "mine" / "figures.py").write_text("x = y")
        code, _, said = house.run("figure")
        complaint = "theorems: the paper mine cannot be used: NameError: name 'y' is not defined"
        assert (code, said.count("\n")) == (0, 1)
        assert said.startswith(complaint)
