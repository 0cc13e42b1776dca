"""What the files say: imports at any depth, digests without prose, data of a package."""

import pytest
from study import LEFT, RIGHT, UPPER, Study

from theorems.engine.errors import CodeChangedError
from theorems.engine.running import sources
from theorems.engine.running.sources import Sources, files_now, snapshot, unchanged

FILES = {
    "__init__.py": "",
    "base.py": "def f():\n    return 1\n",
    "plain.py": "import pack.base\n",
    "named.py": "from pack.base import f\n",
    "whole.py": "from pack import base\n",
    "star.py": "from pack.base import *\n",
    "near.py": "from . import base\n",
    "nearer.py": "from .base import f\n",
    "inner/__init__.py": "from ..base import f\n",
    "inner/far.py": "from .. import base as other\n",
    "within.py": "def g():\n    from pack.base import f\n",
    "typed.py": "if TYPE_CHECKING:\n    from pack.base import f\n",
    "second.py": "from pack.named import f\n",
    "third.py": "import os, pack.second as s\n",
    "circle.py": "import pack.third, pack.again\n",
    "again.py": "import pack.circle\n",
    "below.py": "from pack.inner import far\n",
    "inner/plain.py": "",
    "through.py": "import pack.inner.plain\n",
    "apart.py": "import os\nbase = 1\n",
    "broken.py": "def (\n",
}


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def read(folder, known=()):
    return Sources.read(known, files_now({"pack": folder}))


@pytest.fixture
def pack(tmp_path):
    folder = tmp_path / "pack"
    written(folder, FILES)
    return folder


def test_imports_of_every_form_and_depth_are_followed(pack):
    found = read(pack)
    without = {"pack", "pack.base", "pack.apart", "pack.broken"}
    for name in set(found.modules) - without:
        afresh = read(pack, found.modules.as_json())
        assert "pack.base" in afresh.closure([name]), name
    assert found.closure(["pack.apart"]) == {"pack", "pack.apart"}
    assert found.closure(["pack.broken"]) == {"pack", "pack.broken"}
    assert found.closure(["pack.circle"]) == found.closure(["pack.again"])
    assert found.closure(["pack.inner.far"]) >= {"pack.inner", "pack.base"}
    assert found.closure(["no.such.module"]) == set()


SAME = {
    "a comment": "def f():  # one\n    return 1\n",
    "lines": "\n\ndef f():\n\n    return (\n        1\n    )\n",
    "docstrings": '"""One."""\n\ndef f():\n    """One."""\n    return 1\n',
    "a class's docstring": 'def f():\n    "One."\n    return 1\n"At last."\n',
}
OTHER = {
    "a number": "def f():\n    return 2\n",
    "a type": "def f():\n    return 1.0\n",
    "text": "def f():\n    return '1'\n",
    "a default": "def f(x=1):\n    return 1\n",
    "a decorator": "@g\ndef f():\n    return 1\n",
    "a name": "def g():\n    return 1\n",
    "a statement more": "def f():\n    return 1\nX = 1\n",
    "no Python": "def f(:\n    return 1\n",
    "nothing": "",
}


def said(folder):
    return [one.digest for one in read(folder).modules["pack.base"].statements]


@pytest.mark.parametrize(("texts", "same"), [(SAME, True), (OTHER, False)])
def test_prose_is_left_out_and_nothing_else(pack, texts, same):
    before = said(pack)
    for name, text in texts.items():
        written(pack, {"base.py": text})
        assert (said(pack) == before) is same, name


def test_a_sum_of_any_length_is_taken_apart(pack):
    texts = ["X = " + " + ".join(["1"] * 2000) + f"\nimport pack.apart\nY = {y}\n" for y in (1, 2)]
    for text in texts:
        written(pack, {"base.py": text})
    found = read(pack).modules["pack.base"]
    assert [one.defines for one in found.statements] == ["X", None, "Y"]
    assert found.content not in {one.digest for one in found.statements}
    written(pack, {"base.py": texts[1].replace("1 + 1", "1 + 2", 1)})
    other = read(pack).modules["pack.base"]
    same = [a.digest == b.digest for a, b in zip(found.statements, other.statements, strict=True)]
    assert same == [False, True, True]
    assert "pack.apart" in read(pack).closure(["pack.base"])


def test_what_is_known_is_not_parsed_again_and_plain_data_bring_it_back(pack, monkeypatch):
    first = read(pack)
    before = dict(first.modules)
    known = first.modules.as_json()
    written(pack, {"apart.py": "base = 2\n"})
    parsed, parse = [], sources.parse
    monkeypatch.setattr(sources, "parse", lambda *what: parsed.append(what[0]) or parse(*what))
    second = read(pack, known)
    assert parsed == []
    after = dict(second.modules)
    assert parsed == ["pack/apart.py"]
    assert after == {**before, "pack.apart": after["pack.apart"]}
    assert after["pack.apart"] != before["pack.apart"]
    assert (read(pack, known).modules.news, second.modules.news) == (False, True)


def test_only_what_is_asked_for_is_parsed_and_what_was_known_before_stays_known(pack, monkeypatch):
    parsed, parse = [], sources.parse
    monkeypatch.setattr(sources, "parse", lambda *what: parsed.append(what[0]) or parse(*what))
    found = read(pack)
    assert found.closure(["pack.second"]) == {"pack", "pack.second", "pack.named", "pack.base"}
    files = {"__init__.py", "second.py", "named.py", "base.py"}
    assert sorted(parsed) == sorted(f"pack/{one}" for one in files)
    later = read(pack, found.modules.as_json())
    assert "pack" in later.closure(["pack.apart"])
    assert parsed[4:] == ["pack/apart.py"]
    assert {one[1] for one in later.modules.as_json()} == set(parsed)


def test_a_file_that_changes_while_it_is_read_is_no_file_of_that_digest(pack):
    files = files_now({"pack": pack})
    written(pack, {"base.py": "def f():\n    return 2\n"})
    with pytest.raises(CodeChangedError):
        Sources.read((), files).modules["pack.base"]
    (pack / "base.py").unlink()
    with pytest.raises(CodeChangedError):
        Sources.read((), files).modules["pack.base"]


def test_data_belong_to_the_innermost_package_above_them(pack):
    data = ("table.csv", "inner/table.csv", "inner/tables/more/deep.bin", "tables/a.py.txt")
    seen = {}
    for name in data:
        before = read(pack).data
        written(pack, {name: b"\xff\x00"})
        after = read(pack).data
        (seen[name],) = [one for one in after if before.get(one) != after[one]]
    assert list(seen.values()) == ["pack", "pack.inner", "pack.inner", "pack"]
    found = read(pack)
    assert [one.split()[0] for one in found.data_of(["pack.inner.far"])] == ["pack.inner"]
    assert [one.split()[0] for one in found.data_of(["pack.base"])] == ["pack"]
    assert found.data_of(["elsewhere"]) == []


def test_files_that_no_program_reads_do_not_count(pack):
    before, sign = files_now({"pack": pack}), snapshot({"pack": pack})
    written(pack, dict.fromkeys((".base.py.swp", "#base.py#", "base.py~", ".git/x"), "draft"))
    written(pack, {"__pycache__/base.pyc": b"\x00"})
    (pack / "nowhere.py").symlink_to(pack / "missing.py")
    assert files_now({"pack": pack}) == before
    assert snapshot({"pack": pack}) == sign


def test_a_snapshot_sees_every_change(pack, monkeypatch):
    monkeypatch.setattr(sources, "roots", lambda: {"pack": pack})
    signs = [snapshot()]
    for change in (
        lambda: written(pack, {"base.py": "def f():\n    return 7\n"}),
        lambda: written(pack, {"new.py": ""}),
        lambda: (pack / "new.py").rename(pack / "newer.py"),
        (pack / "newer.py").unlink,
        lambda: written(pack, {"table.csv": "1"}),
    ):
        unchanged(signs[-1])
        change()
        signs.append(snapshot())
        with pytest.raises(CodeChangedError, match="give the command again"):
            unchanged(signs[-2])
    assert signs[1] == signs[4]
    assert len(set(signs)) == 5


@pytest.mark.parametrize(
    "imported",
    [
        "from small.first import right_is_odd",
        "from small.first import *",
        "from small.first import right_is_odd as borrowed",
        "import small.first\nborrowed = small.first.right_is_odd",
        "from small import first\nborrowed = first.right_is_odd",
    ],
)
def test_evidence_that_something_else_uses_is_a_helper_like_any_other(monkeypatch, tmp_path, capfd, imported):
    study = Study(monkeypatch, tmp_path, capfd)
    study.edit("small/second.py", "from small", f"{imported}\nfrom small")
    study.check("small.upper", "small.right")
    study.edit("small/first.py", "(one + 2)", "(one + 4)")
    taken = LEFT | RIGHT | UPPER if "*" in imported else {("small.left", "left_once_more")}
    assert study.check("small.upper", "small.right") == taken
    study.edit("small/first.py", '[("odd", one % 2', '[("even", one % 2')
    assert study.check("small.upper", "small.right") == LEFT | RIGHT | UPPER
