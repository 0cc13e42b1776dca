"""What the README shows is what happens."""

import doctest
import re
import shlex
from pathlib import Path
from typing import get_args

from alike import alike
from command_line import main
from console_pages import commands

from theorems.engine.claims import registry
from theorems.engine.claims.kinds import Severity
from theorems.engine.judging.trust import _KIND_OF
from theorems.engine.rules.theorem import Kind

README = Path(__file__).parents[2] / "README.md"


def test_python_examples():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


#: Commands of the README that the tests of these commands run, or that take minutes.
ELSEWHERE = {"audit", "check", "figure", "repl", "report", "trusts"}


def test_its_commands_run(monkeypatch, tmp_path, capfd):
    asked = [(shlex.split(one, comments=True), shown) for one, shown in commands(README.read_text())]
    mine = [(x[1:], shown) for x, shown in asked if x[0] == "theorems" and "--all" not in x]
    assert len(mine) >= 12
    assert sum(bool(shown) for _, shown in mine) >= 2
    monkeypatch.setenv("THEOREMS_STATE", str(tmp_path))
    for one, shown in mine:
        if one[0] not in ELSEWHERE:
            assert (main(one), bool(printed := capfd.readouterr().out)) == (0, True), one
            assert not shown or alike(shown, printed), one


def counts_by_paper():
    """The table of declared verdicts, as Markdown."""
    names = [one.value for one in Severity]
    rows = ["| | claims | hold or are cited | " + " | ".join(names) + " | open |"]
    rows.append("|---" * (len(names) + 4) + "|")
    papers = {}
    for claim in registry.load().claims.values():
        papers.setdefault(claim.id.partition(".")[0], []).append(claim)
    for paper, claims in papers.items():
        severities = [one.severity.value if one.declared_false else None for one in claims]
        found = [severities.count(name) for name in names]
        opened = sum(one.declared_open for one in claims)
        held = len(claims) - sum(found) - opened
        rows.append(f"| `{paper}` | " + " | ".join(map(str, [len(claims), held, *found, opened])) + " |")
    return "\n".join(rows)


def test_counts_of_verdicts():
    assert counts_by_paper() in README.read_text()


def test_what_the_first_screen_counts():
    text = " ".join(README.read_text().partition("\n## ")[0].split())
    claims = registry.load().claims.values()
    false = [one for one in claims if one.declared_false]
    opened = sum(one.declared_open for one in claims)
    held = len(claims) - len(false) - opened
    assert f"Of {len(claims)} claims, {held} hold or are cited" in text
    assert f"{len(false)} are false as printed" in text
    assert f"{opened} are open." in text
    grave = [sum(one.severity is kind for one in false) for kind in (Severity.FALSE, Severity.GAP)]
    assert f"{grave[0]} statements need a repair that changes them" in text
    assert f"{grave[1]} proofs have a step that fails" in text
    for paper in registry.load().papers:
        mine = [one for one in claims if one.paper == paper.prefix]
        wrong = sum(one.declared_false for one in mine)
        assert f"| `{paper.prefix}` | {len(mine)} | {wrong} |" in text
        assert not paper.link or f"]({paper.link})" in text


def test_severities_of_findings():
    known = registry.load()
    row = r"^\| `([\w.]+)` \| \*\*false as stated\*\*(.*?) \|"
    said = dict(re.findall(row, README.read_text(), re.MULTILINE))
    assert said
    assert said == {name: f": {known[name].severity.value}" for name in said}


def test_the_table_of_what_is_trusted_names_every_kind():
    section = README.read_text().partition("| what is trusted |")[2].partition("\n\n")[0]
    named = set(re.findall(r"^\| ([a-z ]+?) \|", section, re.MULTILINE))
    leaves = set(get_args(Kind)) - {"claim", "bridge"}  # a bridge among leaves makes it argued
    assert named == leaves | {"tried meaning", "bridge in prose", *_KIND_OF.values()}
