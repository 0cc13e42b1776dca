"""Facts about the repository itself."""

import ast
import importlib
import pkgutil
import re
import subprocess
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

from markdown_sections import anchors, sections
from trying import each

import numeric
import symbolic
from theorems.engine.claims import registry as registries

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("theorems", "symbolic", "numeric")
MAX_LINES = 400
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def kept_files():
    """What git keeps or would keep."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.splitlines()]
    else:  # a source distribution has no history
        paths = [path for path in ROOT.rglob("*") if ".venv" not in path.parts]
    return [path for path in paths if path.is_file()]


FILES = kept_files()
TEXTS = {
    path: text
    for path in FILES
    if (text := path.read_bytes().decode("utf-8", errors="ignore")) and "\0" not in text
}
SOURCES = [path for path in FILES if path.suffix == ".py"]


def name(path):
    return str(path.relative_to(ROOT))


@each("path", *SOURCES)
def test_files_are_short(path):
    lines = len(TEXTS.get(path, "").splitlines())
    assert lines <= MAX_LINES, f"{name(path)} has {lines} lines; split it"


# In two halves each, so that this file does not contain them.
FORBIDDEN = [
    "".join(halves)
    for halves in (
        ("pypi", ".org"),
        ("python", "hosted"),
        ("arti", "factory"),
        ("simple", "/infinite"),
        ("NotImplemented", "Error"),
        ("TO", "DO"),
        ("FIX", "ME"),
        ("X", "XX"),
        ("pytest.mark.", "skip"),
        ("pytest.", "skip("),
        ("pytest.mark.", "xfail"),
        ("pytest.", "xfail("),
        ("/ro", "ot/"),
        ("/wo", "rk/"),
        ("/ho", "me/"),
        ("Cl", "aude"),
        ("Chat", "GPT"),
        ("Co-", "authored"),
        ("<<<<", "<<<"),
        (">>>>", ">>>"),
    )
]


@each("word", *FORBIDDEN)
def test_words_that_have_no_place_here(word):
    pattern = re.compile(rf"(?<![A-Za-z]){re.escape(word)}")
    found = [name(path) for path, text in TEXTS.items() if pattern.search(text)]
    assert not found, f"{word!r} occurs in {', '.join(found)}"


def test_the_search_for_words_finds_them():
    assert TEXTS
    assert any("arrays" in text for text in TEXTS.values())
    assert all(word not in TEXTS[Path(__file__).resolve()] for word in FORBIDDEN)


@each("package", *PACKAGES)
def test_types_are_shipped(package):
    assert (ROOT / package / "py.typed").is_file()


class TestVersion:
    version = PROJECT["version"]

    def test_of_the_citation(self):
        citation = ROOT / "CITATION.cff"
        if citation.exists():
            stated = re.search(r"^version:\s*['\"]?([^'\"\s]+)", citation.read_text(), re.MULTILINE)
            assert stated, "CITATION.cff has no version"
            assert stated[1] == self.version

    def test_of_the_changelog(self):
        changelog = ROOT / "CHANGELOG.md"
        if changelog.exists():
            newest = re.search(r"^## \[?v?(\d[^\]\s]*)", changelog.read_text(), re.MULTILINE)
            assert newest, "CHANGELOG.md has no version"
            assert newest[1] == self.version


class TestConstraints:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")

    def test_no_download_addresses(self):
        assert not re.search(r"https?:|^--(index|extra|find)|@ ", self.text, re.MULTILINE)

    def test_every_dependency_is_pinned_with_hashes(self):
        pins = dict(re.findall(r"^([\w.-]+)==(\S+)", self.text, re.MULTILINE))
        blocks = re.split(r"\n(?=[\w.-]+==)", self.text)
        assert all("--hash=sha256:" in block for block in blocks if "==" in block)
        wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
        missing = [one for one in wanted if re.match(r"[\w.-]+", one)[0] not in pins]
        assert not missing


class TestClaims:
    """What claims say about files, and whether the registry has them all."""

    def test_notes_exist(self):
        missing = []
        for claim in registries.load().claims.values():
            if claim.note:
                file, _, anchor = claim.note.partition("#")
                path = ROOT / file
                headings = anchors(path.read_text(encoding="utf-8")) if path.is_file() else set()
                if not file.startswith("proofs_notes/") or anchor not in headings:
                    missing.append(f"{claim.id}: {claim.note}")
        assert not missing, "no such heading:\n  " + "\n  ".join(missing)

    def test_every_claim_in_the_sources_is_in_the_registry(self):
        """One whose module is no section, or that no name holds, would be lost in silence."""
        written = {
            node.args[0].value: name(path)
            for path in (ROOT / "theorems").rglob("*.py")
            if path.parent.name not in {"engine", "interface"}
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if is_claim(node)
        }
        known = registries.load().claims
        lost = [f"{one} of {path}" for one, path in written.items() if one not in known]
        assert not lost, "not in the registry:\n  " + "\n  ".join(lost)


def test_anchors_are_made_from_headings():
    markdown = "# One (a, b)-ReLU\ntext\n## `Two`: the *bound*, part 2\n### Zähler_x ##\n"
    assert anchors(markdown) == {"one-a-b-relu", "two-the-bound-part-2", "zähler_x"}


def test_a_section_ends_at_the_next_heading_of_its_level():
    markdown = "# A\n1\n## B\n2\n### C\n3\n## D\n4\n"
    assert sections(markdown)["b"] == "## B\n2\n### C\n3\n"
    assert sections(markdown)["a"] == markdown


def is_claim(node):
    if not isinstance(node, ast.Call) or not node.args:
        return False
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    first = node.args[0]
    named = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return called in {"claim", "corrected", "sharpened"} and named


def test_the_command_is_installed():
    (script,) = entry_points(group="console_scripts", name="theorems")
    assert callable(script.load())


def modules():
    for package in (numeric, symbolic):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(info.name)


MODULES = {module.__name__: module for module in modules()}


@each("module", *MODULES.values())
def test_public_functions_teach_by_an_example(module):
    """Docstrings with a doctest, for what ``__all__`` names."""
    lacking = []
    for public in getattr(module, "__all__", ()):
        thing = getattr(module, public)
        own = getattr(thing, "__module__", None) == module.__name__
        if own and callable(thing) and not isinstance(thing, type):
            text = thing.__doc__ or ""
            if ">>> " not in text:
                lacking.append(public)
    assert not lacking, f"no doctest in the docstring of {', '.join(lacking)} ({module.__name__})"


@each("package", numeric, symbolic)
def test_a_public_name_means_one_thing(package):
    """The evaluator and the REPL put all of them side by side."""
    meanings = {}
    for module in MODULES.values():
        if module.__name__.startswith(package.__name__ + "."):
            for public in getattr(module, "__all__", ()):
                meanings.setdefault(public, set()).add(id(getattr(module, public)))
    assert not [public for public, things in meanings.items() if len(things) > 1]
