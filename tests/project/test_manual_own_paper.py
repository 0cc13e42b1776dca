"""The page about a paper of one's own makes a paper, which installs and runs."""

import doctest
import os
import re
import subprocess
import sys
import tomllib

import pytest
from house import ROOT, House
from patience import PATIENCE

PATH = ROOT / "manual" / "own_paper.md"
PAGE = PATH.read_text(encoding="utf-8")
SECTION = PAGE.partition("## A whole paper\n")[2].partition("\n## ")[0]


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
    rows = [line.split("  ")[0] if line[0] != " " else line.strip() for line in written.splitlines()]
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


def test_python_examples():
    assert doctest.testfile(str(PATH), module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0


def test_it_installs_and_runs(tmp_path):
    pytest.importorskip("pip", reason="an environment without pip")
    project, library = tmp_path / "project", tmp_path / "library"
    for name, text in files().items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    alone = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", *alone, "--target", str(library), str(project)]
    subprocess.run(pip, check=True, timeout=PATIENCE)
    surroundings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(library), str(ROOT)]),
        "THEOREMS_STATE": str(tmp_path / "state"),
    }
    commands = re.findall(r"^\$ theorems (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        run = subprocess.run(
            [sys.executable, "-m", "theorems.interface.start", *command.split()],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert "means.thm1" in run.stdout or "audit" in command or "rem1" in command
