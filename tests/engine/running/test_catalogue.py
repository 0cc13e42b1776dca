"""Claims as records: made once for each state of the code, and made anew whatever happened."""

import importlib
import json
import sys
from functools import cache

import pytest
from study import EVERYTHING, Study

from theorems.engine.claims import papers
from theorems.engine.claims import registry as registries
from theorems.engine.claims.papers import Papers
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.errors import CodeChangedError
from theorems.engine.running import catalogue as catalogues
from theorems.engine.running import runner, sources
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.runner import Run
from theorems.engine.running.store import Store

RUBBISH = [b"", b"{", b"[]", b"3", b"null", b"\xff\x00", b"{}", b"[" * 100_000]
FIELDS = [None, 3, [], [3], {}, {"small": 3}, {"small": {}}, {"small.left": []}, "text"]
#: What no result and no verdict is, though parts of it are as they should be.
STRANGE = [
    {"controls": [], "outcome": []},
    {"outcome": {"answer": "accepted", "numbers": {"trusts": [["solver"]]}}},
    {"verdict": "HOLDS", "grade": None, "reasons": [], "problems": [], "profile": "huge"},
]


@pytest.fixture
def study(monkeypatch, tmp_path, capfd):
    return Study(monkeypatch, tmp_path, capfd)


@pytest.fixture
def loads(monkeypatch):
    """How often the mathematics of a paper was loaded."""
    found, made = [], catalogues._made
    monkeypatch.setattr(catalogues, "_made", lambda *what: found.append(what[0]) or made(*what))
    return found


def test_what_did_not_change_is_not_loaded_again(study, loads):
    for command in (["list"], ["show", "small.left"], ["search", "odd"], ["contents", "small"]):
        assert study(*command)[0] == 0
    assert loads == ["small"]
    study.edit("small/first.py", "It is odd.", "It is indeed odd.")
    assert "indeed" in study("show", "small.left")[1]
    assert loads == ["small", "small"]
    study.edit("theorems/interface/tables.py", "\n__all__", "\nNEW = 1\n__all__")
    assert study("list")[0] == 0
    assert loads == ["small", "small"]


def test_another_paper_makes_no_other_ones_anew(study, loads, monkeypatch):
    """It is loaded by itself, and the records of those that were there stay as they were."""
    before = catalogue().claims
    text = (study.folder / "small" / "first.py").read_text().replace("small", "extra")
    package = (study.folder / "small" / "__init__.py").read_text().replace("small", "extra")
    (study.folder / "extra").mkdir()
    (study.folder / "extra" / "first.py").write_text(text.replace("helpers", "_"))
    outline = package.replace('("first", "second", "tabled")', '("first",)')
    (study.folder / "extra" / "__init__.py").write_text(outline)
    sources.roots()["extra"] = study.folder / "extra"
    both = Papers({name: importlib.import_module(name) for name in ("small", "extra")})
    monkeypatch.setattr(papers, "found_papers", lambda: both)
    sources._began.cache_clear()
    known = catalogue()
    assert loads == ["small", "extra"]
    assert [one.prefix for one in known.papers] == ["small", "extra"]
    assert {key: one for key, one in known.claims.items() if key in before} == before


def several(study, monkeypatch, *, named_by=""):
    """Two more papers beside the small one: one that names a claim of it, and one that does not."""
    text = (study.folder / "small" / "first.py").read_text()
    package = (study.folder / "small" / "__init__.py").read_text()
    for name in ("other", "naming"):
        folder = study.folder / name
        folder.mkdir()
        said = f"# {named_by}\n" if name == "naming" else ""
        (folder / "first.py").write_text(said + text.replace("small", name).replace("helpers", "_"))
        outline = package.replace("small", name).replace('"first", "second", "tabled"', '"first",')
        (folder / "__init__.py").write_text(outline)
        sources.roots()[name] = folder
    for one in [one for one in sys.modules if one.partition(".")[0] in {"other", "naming"}]:
        del sys.modules[one]

    @cache
    def found():
        names = ("small", "other", "naming")
        return Papers({name: importlib.import_module(name) for name in names})

    monkeypatch.setattr(papers, "found_papers", found)
    sources._began.cache_clear()


def test_for_the_page_of_one_claim_only_papers_are_loaded_that_may_rest_on_it(study, loads, monkeypatch):
    several(study, monkeypatch, named_by="small.left")
    assert study("show", "other.left")[0] == 0
    assert loads == ["other"]
    part = catalogue("other.left")
    assert [one.prefix for one in part.papers] == ["other"]
    assert study("show", "small.left")[0] == 0
    assert loads == ["other", "small", "naming"]
    whole = catalogue()
    assert loads == ["other", "small", "naming"], "what was made for a page is made"
    assert [one.prefix for one in whole.papers] == ["small", "other", "naming"]
    assert {key: whole[key] for key in part.claims} == dict(part.claims)


def test_an_unknown_id_is_looked_for_in_all_papers(study, loads, monkeypatch):
    several(study, monkeypatch)
    code, _, complained = study("show", "nowhere.left")
    assert (code, sorted(loads)) == (2, ["naming", "other", "small"])
    assert "did you mean" in complained


def test_papers_that_were_not_looked_at_in_this_state_of_the_code_are_not_in_part_of_it(
    study, loads, monkeypatch
):
    several(study, monkeypatch)
    before = catalogue()
    study.edit("small/first.py", "It is odd.", "It is indeed odd.")
    assert study("show", "other.left")[0] == 0
    assert [one.prefix for one in catalogue("other.left").papers] == ["other"]
    after = catalogue()
    assert loads == ["small", "other", "naming", "small"]
    assert list(before.claims) == list(after.claims)
    assert "indeed" in str(after["small.left"].evidence)


def test_why_a_paper_is_broken_is_found_out_once(study, loads, monkeypatch):
    study.edit("small/second.py", "small.upper", "small.upper small")
    for _ in range(3):
        code, _, complained = study("list")
        assert code == 0
        assert complained.startswith("theorems: the paper small cannot be used: ")
    assert loads == ["small"]
    monkeypatch.setattr(papers, "installed", lambda: ["something else"])
    assert study("list")[0] == 0
    assert loads == ["small", "small"], "a library that it missed may be there now"
    study.edit("small/second.py", "small.upper small", "small.upper")
    assert "cannot be used" not in study("list")[2]


def test_to_read_what_is_known_no_paper_is_loaded(study, monkeypatch):
    study.check()

    def refuse():
        raise AssertionError("a paper was loaded")

    refuse.cache_clear = lambda: None
    monkeypatch.setattr(papers, "found_papers", refuse)
    for command in (["list"], ["show", "small.left"], ["search", "odd"], ["contents", "small"]):
        assert study(*command)[0] == 0


def test_the_installation_is_named_on_every_page(study, monkeypatch, tmp_path):
    """A cache that another copy of the same code has written is none of this one's."""
    assert catalogue().claims["small.left"].source.startswith(str(tmp_path / "small" / "first.py"))
    text = json.dumps(catalogues._kept("catalogue.json"))
    catalogues._keep("catalogue.json", json.loads(text.replace(str(tmp_path), "/other")))
    monkeypatch.setattr(catalogues, "_places", lambda *names: ["theorems /other"])
    study.forget()
    assert "/other" not in catalogue().claims["small.left"].source


def test_a_record_says_what_the_claim_says(study):
    study("list")
    known, loaded = catalogue(), registries.load()
    assert list(known.claims) == list(loaded.claims)
    for one in loaded.claims.values():
        record = known[one.id]
        assert ClaimRecord.from_json(json.loads(json.dumps(record.as_json()))) == record
        same = ("at", "title", "rests_on", "provenance", "displayed", "paper", "severity")
        assert [getattr(record, name) for name in same] == [getattr(one, name) for name in same]
        assert [item.name for item in record.evidence] == [item.name for item in one.evidence]
    assert len({item.fingerprint for one in known.claims.values() for item in one.evidence}) == 5
    assert known.dependants("small.left") == ["small.upper"]
    assert known.with_ancestors(["small.upper"]) == ["small.left", "small.upper"]
    with pytest.raises(KeyError, match=r"did you mean small\.left"):
        known["small.lefd"]
    with pytest.raises(KeyError, match="there are small"):
        known.of_paper("large")


def damaged(text):
    """What may have become of a file: other bytes, a part of it, other values in it."""
    yield from RUBBISH
    yield text[: len(text) // 2]
    data = json.loads(text.partition(b"\n")[2])
    for field in [*data][-2:]:
        yield from (json.dumps({**data, field: value}).encode() for value in FIELDS)


@pytest.mark.parametrize("name", ["catalogue.json", "modules.json", "verdicts.jsonl", "results.jsonl"])
def test_a_damaged_file_is_no_obstacle_and_heals(study, name):
    report = study.folder / "report.json"
    assert study.check("--json", report) == EVERYTHING
    whole, shown = report.read_bytes(), study("list")[1]
    path = study.folder / ("state" if name.endswith("jsonl") else "cache") / name
    text = path.read_bytes()
    if name.endswith("jsonl"):
        lines = text.split(b"\n")
        worse = [b"\n".join([*lines[:2], one, *lines[3:]]) for one in (*RUBBISH, lines[2][:-1])]
        worse += [text.replace(b"small", b"large"), text.replace(b"quick", b"huge"), b""]
        label = tuple(lines[2].partition(b"\t")[0].decode().split(" ")[1:])
        for strange in (*FIELDS, *STRANGE):
            Store(path).append(label, strange)
            worse.append(path.read_bytes())
            path.write_bytes(text)
    else:
        worse = list(damaged(text))
    for one in worse[:: 4 if name == "modules.json" else 1]:
        path.write_bytes(one)
        if name == "modules.json":
            (path.parent / "catalogue.json").unlink()
        assert study("show", "small.last")[0] == 0
        study.check("--json", report)
        assert report.read_bytes() == whole
    assert study.check() == set()
    assert study("list")[1] == shown


def test_where_no_cache_can_be_written_it_is_made_each_time(study, monkeypatch, loads):
    (study.folder / "file").touch()
    for place in (study.folder / "file" / "below", "/dev/full", "/proc/nowhere"):
        monkeypatch.setenv("THEOREMS_CACHE", str(place))
        for _ in range(2):
            code, written, complained = study("list")
            assert (code, complained.count("\n")) == (0, 1)
            assert complained.startswith("theorems: there are no results in ")
            assert "4 claims" in written
    assert loads == ["small"] * 6


def test_without_a_word_the_users_folder_for_caches_is_taken(monkeypatch, tmp_path):
    """One folder for each installation, so that two do not drive each other out."""
    monkeypatch.delenv("THEOREMS_CACHE", raising=False)
    monkeypatch.setattr(catalogues, "user_cache_path", lambda name: tmp_path / name)
    first = catalogues.cache_folder()
    assert first.parent == tmp_path / "infinite-width-theorems"
    monkeypatch.setattr(catalogues, "_places", lambda *names: ["theorems /elsewhere"])
    assert catalogues.cache_folder() != first
    assert not first.exists()


def test_modules_that_another_reader_parsed_are_parsed_again(study, monkeypatch):
    known = catalogue()
    data = catalogues._kept("modules.json")
    data["modules"] = [[*one[:3], [], []] for one in data["modules"]]
    for reader, same in ((data["reader"], False), ("an older one", True)):
        catalogues._keep("modules.json", {**data, "reader": reader})
        (study.folder / "cache" / "catalogue.json").unlink()
        study.forget()
        found = catalogue().claims["small.upper"]
        assert (found.key == known.claims["small.upper"].key) == same
    study.forget()
    assert catalogue().claims == known.claims


class TestCodeThatChangesMeanwhile:
    """What is loaded is never given the name of what is on disk."""

    def change(self, study):
        study.edit("small/first.py", "(one + 2)", "(one + 4)")

    def test_before_a_run_in_the_same_session(self, study):
        study.check()
        Run(("small.left",)).execute()
        self.change(study)
        with pytest.raises(CodeChangedError):
            Run(("small.left",)).execute()
        study.forget()
        assert study.unchecked() == {"small.left", "small.upper", "small.last"}

    def test_during_a_check(self, study, monkeypatch):
        examined = runner._examined

        def meanwhile(*what):
            if what[1] == "left_once_more":
                self.change(study)
            return examined(*what)

        monkeypatch.setattr(runner, "_examined", meanwhile)
        code, _, complained = study("check", "--jobs", 1)
        said = "theorems: the code changed during the run; give the command again\n"
        assert (code, complained[-len(said) :]) == (2, said)
        monkeypatch.setattr(runner, "_examined", examined)
        assert len(study.unchecked()) == 4
        study.check()

    def test_after_the_last_check_when_another_command_has_read_it(self, study, monkeypatch):
        execute = Run.execute

        def then_changed(run, *what):
            found, sign = execute(run, *what), sources.code_at_start()
            self.change(study)
            study.forget()
            catalogue()
            for module in (catalogues, runner):
                patch.setattr(module, "code_at_start", lambda: sign)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(Run, "execute", then_changed)
            assert study("check", "--jobs", 1)[0] == 2
        assert len(study.unchecked()) == 4

    def test_while_the_catalogue_is_made(self, study, monkeypatch):
        load = registries.load

        def then_changed(prefix=None):
            found = load(prefix)
            self.change(study)
            return found

        then_changed.cache_clear = load.cache_clear
        monkeypatch.setattr(registries, "load", then_changed)
        code, _, complained = study("list")
        assert (code, complained.count("\n")) == (2, 1)
        assert "the code changed" in complained
        assert not (study.folder / "cache" / "catalogue.json").exists()
