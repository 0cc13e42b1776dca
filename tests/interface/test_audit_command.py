"""The command ``theorems audit``: what it prints and writes, and how it goes on when stopped."""

import json
import sys

import pytest
from house import CommandLine

COMMAND = sys.modules["theorems.interface.commands.auditing"]
BOTH = ("audit", "demo.square", "demo.mean", "--jobs", "1")


@pytest.fixture
def theorems(monkeypatch, tmp_path, capsys):
    return CommandLine(monkeypatch, tmp_path, capsys)


@pytest.fixture
def audited(monkeypatch):
    """The claims that were audited in this process, in order."""
    found, once = [], COMMAND._of_one

    def of_one(identifier, *rest):
        found.append(identifier)
        return once(identifier, *rest)

    monkeypatch.setattr(COMMAND, "_of_one", of_one)
    return found


def test_a_stopped_audit_goes_on_where_it_was(theorems, audited, monkeypatch):
    real = COMMAND._of_one

    def stopped(identifier, *rest):
        if identifier == "demo.mean":
            raise KeyboardInterrupt
        return real(identifier, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(COMMAND, "_of_one", stopped)
        code, _, said = theorems(*BOTH)
    assert (code, audited) == (130, ["demo.square"])
    assert "the same command goes on from here" in said
    code, out, _ = theorems(*BOTH)
    assert code in {0, 1}
    assert audited == ["demo.square", "demo.mean"]
    whole = theorems(*BOTH)[1]
    assert out == whole
    assert audited == ["demo.square", "demo.mean"], "a finished audit is not made again"


def test_rubbish_among_what_is_kept_costs_one_claim(theorems, audited, tmp_path):
    expected = theorems(*BOTH)[1]
    (kept,) = tmp_path.rglob("audit.jsonl")
    first, second = kept.read_bytes().strip().split(b"\n")
    for rubbish in (b"", b"\x00\xff]", b'[{"id": "demo.mean"', b"[]]"):
        kept.write_bytes(b"\n".join([first, second.partition(b"\t")[0] + b"\t" + rubbish]))
        audited.clear()
        assert theorems(*BOTH)[1] == expected
        assert audited == ["demo.mean"], rubbish


def test_another_seed_or_other_code_is_audited_anew(theorems, audited, monkeypatch):
    theorems(*BOTH)
    theorems(*BOTH, "--seed", "1")
    assert audited == ["demo.square", "demo.mean"] * 2
    monkeypatch.setattr(COMMAND, "code_of", lambda *_: "other")
    theorems(*BOTH)
    assert audited == ["demo.square", "demo.mean"] * 3


def test_code_that_changed_meanwhile_is_told_in_a_line(theorems, audited, monkeypatch):
    monkeypatch.setattr("theorems.engine.running.sources.code_at_start", lambda: "older code")
    code, _, said = theorems(*BOTH)
    assert code == 2
    assert said == "theorems: the code changed during the run; give the command again\n"


def test_the_report_has_every_variant_and_the_counts(theorems, tmp_path):
    code, out, _ = theorems(*BOTH, "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    counts = report["summary"]["all"]
    assert counts["variants"] == len(report["variants"]) > 5
    assert counts["noticed"] + counts["excused"] + counts["neither"] == counts["variants"]
    assert code == (1 if counts["neither"] else 0)
    assert {"id", "part", "kind", "statement", "noticed", "excuse"} <= set(report["variants"][0])
    assert str(counts["variants"]) in out
