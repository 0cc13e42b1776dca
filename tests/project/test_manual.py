"""The manual shows what happens, and its links lead somewhere."""

import doctest
import json
import re
import subprocess
import sys

import console_pages
import pytest
from alike import alike
from console_pages import ROOT, commands, printed, surroundings
from patience import PATIENCE

from theorems.engine.claims import registry

MANUAL = ROOT / "manual"
TOUR, GRADES = MANUAL / "tour.md", MANUAL / "grades.md"


def test_every_command_of_the_tour_prints_what_it_shows(tmp_path):
    page = TOUR.read_text(encoding="utf-8")
    environment = surroundings(page, tmp_path)
    shown = list(commands(page))
    assert len(shown) > 10
    for command, output in shown:
        found = printed(command, environment)
        assert alike(output, found), f"{command}\n{found}"


def test_every_example_of_the_tour_in_python():
    run = doctest.testfile(str(TOUR), module_relative=False)
    assert run.attempted > 20
    assert run.failed == 0


def test_an_output_that_differs_is_seen(tmp_path):
    page = "COLUMNS=80\n```console\n$ echo one\ntwo\n$ echo three\nthree\n```\n"
    environment = surroundings(page, tmp_path)
    pairs = [(printed(one, environment), shown) for one, shown in commands(page)]
    assert pairs == [("one", "two"), ("three", "three")]
    assert console_pages.renewed(page) == page.replace("two", "one")


# The examples of the grades come out so.


def rows(heading):
    """The first two cells of the rows of a table."""
    table = GRADES.read_text(encoding="utf-8").partition(f"| {heading} |")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| (\w+) \| `([\w.]+)` \|", table, re.MULTILINE))


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The lines of all claims that were checked for the examples, by id."""
    (opened,) = re.findall(r"as with `([\w.]+)`", GRADES.read_text(encoding="utf-8"))
    names = [*rows("grade").values(), *rows("severity").values(), opened]
    environment = surroundings("COLUMNS=100", tmp_path_factory.mktemp("state"))
    printed(f"theorems check --jobs 1 {' '.join(names)}", environment)
    listed = json.loads(printed("theorems list --json", environment))
    return {one["id"]: one for one in listed} | {"open": opened}


def test_examples_of_grades(lines):
    found = rows("grade")
    assert list(found) == ["proved", "certified", "argued", "tested", "estimated", "cited"]
    for grade, name in found.items():
        assert (lines[name]["verdict"], lines[name]["grade"]) == ("holds", grade), name


def test_examples_of_severities_and_of_what_is_open(lines):
    known, found = registry.load(), rows("severity")
    assert list(found) == ["false", "gap", "edge", "dependence", "slip"]
    for severity, name in found.items():
        assert known[name].severity.value == severity
        assert lines[name]["verdict"] == "false as stated", name
    assert lines[lines["open"]]["verdict"] == "open"


# Links.


def anchors(path):
    """The names of a page's headings, as they are made from their words."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", sorted(MANUAL.glob("*.md")), ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    for link in links:
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_index_names_every_page():
    index = (MANUAL / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in MANUAL.glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == pages


# The reference of functions.


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The pages, written without a warning."""
    folder = tmp_path_factory.mktemp("api")
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "manual.reference", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return {path.relative_to(folder): path for path in folder.rglob("*.html")}


def test_pages_load_nothing_from_a_network(reference):
    loads = r"""(?:src|srcset)\s*=\s*["']?(?:https?:)?//|<link[^>]+//|url\(\s*["']?(?:https?:)?//"""
    loads += r"""|@import|\bimport\b[^;\n]*["']https?:|fetch\(\s*["']https?:"""
    for name, path in reference.items():
        assert not re.search(loads, path.read_text(encoding="utf-8")), name


def test_every_public_function_is_there_with_words(reference):
    without, count = [], 0
    for name, path in reference.items():
        page = path.read_text(encoding="utf-8")
        for part in re.split(r'<section id="', page)[1:]:
            if re.search(r'<span class="def">(def|class)</span>', part):
                count += 1
                if 'class="docstring"' not in part:
                    without.append(f"{name}: {part.partition(chr(34))[0]}")
    assert count > 300
    assert without == []


def test_formulas_are_shown_and_inner_products_stay(reference):
    pages = {str(name): path.read_text(encoding="utf-8") for name, path in reference.items()}
    assert "<math" in pages["symbolic/networks/ntk.html"]
    assert "kappa_depth(&lt;x_i, y_j>" in pages["numeric/cosine_maps.html"]
    for name, page in pages.items():
        unread = r"FORMULA\d|<mi>\\[a-zA-Z]|&amp;lt;|\.\. math::|:(?:meth|func|class|math):`"
        assert not re.search(unread, page), name
