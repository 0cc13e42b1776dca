"""What the README shows is what happens."""

import doctest
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from house import ROOT, House

from theorems.engine.claims import registry
from theorems.engine.claims.kinds import Severity
from theorems.engine.judging.trust import _KIND_OF
from theorems.engine.rules.theorem import Kind
from theorems.interface.evaluate import evaluate

README = Path(__file__).parents[2] / "README.md"


def test_python_examples():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_digits_of_the_eval_example():
    shown = re.search(r"theorems eval '(.+?)' --digits (\d+)\n(\S+)", README.read_text())
    expression, digits, value = shown.groups()
    from mpmath import nstr

    assert nstr(evaluate(expression, int(digits)), int(digits)) == value


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
        rows.append(
            f"| `{paper}` | " + " | ".join(map(str, [len(claims), held, *found, opened])) + " |"
        )
    return "\n".join(rows)


def test_counts_of_verdicts():
    assert counts_by_paper() in README.read_text()


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
    assert named == leaves | {"bridge in prose", *_KIND_OF.values()}


# The paper that CONTRIBUTING.md makes is a paper.


PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Making a paper of your own\n")[2].partition("\n## ")[0]


def files():
    """The code blocks by the name of the file, which ends the sentence before."""
    blocks = re.findall(r"`([\w./]+)`:\n\n```(?:python|toml)\n(.*?)```", SECTION, re.DOTALL)
    assert len(blocks) == len(re.findall("```(?:python|toml)", SECTION)) == 5
    return dict(blocks)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("house"))
    made = files()
    project = tomllib.loads(made.pop("pyproject.toml"))["project"]
    assert project["entry-points"] == {"theorems.papers": {"means": "means"}}
    modules = {name.removeprefix("means/").removesuffix(".py"): made[name] for name in made}
    house.install(project["name"], **modules)
    return house


def test_it_comes_out_as_declared(house):
    code, written, said = house.run("check", "--paper", "means", "--jobs", 1)
    assert (code, "cannot be used" in said) == (0, False), written + said
    assert "every claim came out as declared" in written
    verdicts = {line.split()[0]: line for line in written.splitlines() if line.startswith("means.")}
    for name, verdict in {
        "means.lemma1": "holds  ",
        "means.thm1": "holds  ",
        "means.rem1": "false as stated: edge",
        "means.rem1.weak": "holds  ",
    }.items():
        assert re.match(rf"{name} +{verdict} *proved", verdicts[name])


def test_its_contents_are_the_papers(house):
    code, written, said = house.run("contents", "means")
    assert (code, said) == (0, "")
    rows = [
        line.split("  ")[0] if line[0] != " " else line.strip() for line in written.splitlines()
    ]
    order = [r"Section 1", r"means\.lemma1", r"Theorem 1", r"means\.thm1", r"means\.rem1\.weak"]
    assert re.search(".*".join(order), "\n".join(rows), re.DOTALL)
    for command in re.findall(r"^\$ theorems (.*)$", SECTION, re.MULTILINE):
        assert house.run(*command.split())[0] == 0


def test_what_the_page_says_of_edits(house):
    house.run("check")
    for file, old, new, count in (
        ("means/inequality.py", "Whole numbers.", "Some numbers.", 0),
        ("means/__init__.py", "Nobody", "Somebody", 0),
        ("means/inequality.py", "(0, 100), st", "(0, 99), st", 4),
        ("means/inequality.py", "{a: 1, b: 1}", "{a: 2, b: 2}", 1),
    ):
        house.edit(file, old, new)
        code, _, said = house.run("check", "--jobs", 1)
        assert code == 0
        assert f"{5 - count} of 5 checks were done before" in said or (count, said) == (5, said)
