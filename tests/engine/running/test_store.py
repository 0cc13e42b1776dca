"""What was computed stays on disk: through kills, rubbish, and several processes at once."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock
from trying import each

from theorems.engine.running import store as stores
from theorems.engine.running.store import Store, state_folder

ONE, OTHER = ("demo.one", "check", "quick", "code"), ("demo.other", "check", "quick", "code")
LABEL = ("demo.one", "check", "quick")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "deep" / "folder" / "results.jsonl")


def test_it_is_kept_where_one_says_or_here(monkeypatch, tmp_path):
    monkeypatch.setenv("THEOREMS_STATE", str(tmp_path / "kept"))
    assert state_folder() == tmp_path / "kept"
    monkeypatch.delenv("THEOREMS_STATE")
    assert state_folder() == Path(".theorems")


def test_the_newest_under_each_label_is_found(store):
    assert store.read() == {}
    store.append(ONE, {"a": 1})
    store.append(OTHER, [1, "\n\t\u2028 ü"])
    store.append(ONE, {"a": 2})
    assert store.read() == {ONE: {"a": 2}, OTHER: [1, "\n\t\u2028 ü"]}
    assert store.read([ONE, ("no", "such")]) == {ONE: {"a": 2}}
    assert store.read_about("demo.other") == {OTHER: [1, "\n\t\u2028 ü"]}


def test_a_kill_at_any_byte_costs_the_last_one_alone(store):
    store.append(ONE, {"a": [1, {"b": "]}"}]})
    before = store.path.read_bytes()
    store.append(OTHER, {"c": {"d": [2]}})
    whole = store.path.read_bytes()
    for cut in range(len(before), len(whole)):
        store.path.write_bytes(whole[:cut])
        assert store.read() == {ONE: {"a": [1, {"b": "]}"}]}}, whole[:cut]
        store.append(OTHER, {"again": cut})
        assert store.read()[OTHER] == {"again": cut}
        store.tidy()
        assert set(store.read()) == {ONE, OTHER}


@pytest.mark.parametrize(
    "rubbish", [b"\x00\xff\xfe\n", b"[]\n3\nnull\n{}", b"demo.one\t{", b"\t[]\n\t\t}", b"a b\t[}"]
)
def test_rubbish_is_passed_over(store, rubbish):
    store.append(ONE, [1])
    store.path.write_bytes(rubbish + store.path.read_bytes() + b"\n" + rubbish)
    assert store.read([ONE]) == {ONE: [1]}
    store.append(OTHER, [2])
    store.tidy()
    assert store.read([ONE, OTHER]) == {ONE: [1], OTHER: [2]}


@each(
    "old, new",
    ('"accepted"', '"rejected"'),
    ("quick", "full"),
    ("demo.one", "demo.two"),
    ('["accepted"]', "[" * 100_000),
)
def test_a_line_that_was_edited_is_as_if_it_were_not_there(store, old, new):
    store.path.unlink(missing_ok=True)
    store.append(ONE, ["undecided"])
    store.append(ONE, ["accepted"])
    before, edited, last = store.path.read_text().rpartition("\n")
    assert old in last
    store.path.write_text(before + edited + last.replace(old, new))
    assert store.read() == {ONE: ["undecided"]}
    assert store.labels() == {ONE}
    store.append(OTHER, [2])
    assert store.read() == {ONE: ["undecided"], OTHER: [2]}


def test_data_too_deep_to_be_read_are_as_if_they_were_not_there(store, monkeypatch):
    monkeypatch.setattr(stores.json, "dumps", lambda data: "[" * 100_000 + "]" * 100_000)
    store.append(ONE, [])
    monkeypatch.undo()
    store.append(OTHER, [2])
    assert store.read() == {OTHER: [2]}


def test_several_are_kept_in_one_go(store):
    store.extend([(ONE, 1), (OTHER, "two"), (ONE, None)])
    assert store.read() == {ONE: None, OTHER: "two"}
    store.extend([])
    assert len(store.path.read_bytes().split(b"\n")) == 4


def test_what_depends_on_nothing_but_its_label_does_not_age(store):
    store.extend([((str(number),), number) for number in range(9)] * 2)
    store.tidy()
    assert list(store.read()) == [(str(number),) for number in range(9)]
    assert len(store.path.read_bytes().split()) == 27  # a checksum, a label and a number each


def test_a_full_disk_leaves_what_was_there(store, monkeypatch):
    store.extend([(ONE, 1)] * 5)
    before = store.path.read_bytes()

    def full(path, _content):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    store.tidy()
    assert store.path.read_bytes() == before
    assert {one.name for one in store.path.parent.iterdir()} <= {"results.jsonl", "results.lock"}


def test_one_is_told_of_a_lock_that_somebody_else_holds(store, monkeypatch, capfd):
    store.append(ONE, 1)
    monkeypatch.setattr(stores, "_PATIENCE", 0.05)
    held = FileLock(store.path.with_suffix(".lock"))
    held.acquire()
    writer = threading.Thread(target=store.append, args=(OTHER, 2))
    writer.start()
    writer.join(0.5)
    assert writer.is_alive()
    assert store.read() == {ONE: 1}
    held.release()
    writer.join(30)
    assert store.read() == {ONE: 1, OTHER: 2}
    said = capfd.readouterr().err
    assert said.startswith("theorems: waiting for another process, which holds ")
    assert said.count("\n") == 1


def test_the_newest_three_of_each_are_kept_in_their_order(store):
    for code in "abcd":
        store.append((*LABEL, code), {"code": code})
    store.append((*LABEL, "b"), {"code": "b again"})
    store.append(OTHER, {})
    store.tidy()
    expected = {(*LABEL, "c"): {"code": "c"}, (*LABEL, "d"): {"code": "d"}}
    expected |= {(*LABEL, "b"): {"code": "b again"}, OTHER: {}}
    assert list(store.read().items()) == list(expected.items())
    text = store.path.read_bytes()
    store.tidy()
    assert store.path.read_bytes() == text
    for count in range(5):
        store.append(OTHER, {"count": count})
    store.tidy()
    assert len(store.path.read_bytes().split()) < len(text.split()) + 10
    assert store.read()[OTHER] == {"count": 4}


def test_tidying_what_is_not_there_makes_nothing(store):
    store.tidy()
    assert not store.path.exists()


def test_where_nothing_can_be_kept_is_known_beforehand(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        Store(tmp_path / "file" / "results.jsonl").prepare()
    store = Store(tmp_path / "new" / "results.jsonl")
    store.prepare()
    assert store.read() == {}


WRITER = """
import sys
from pathlib import Path
from theorems.engine.running.store import Store

store, name = Store(Path(sys.argv[1])), sys.argv[2]
for number in range(10_000 if name == "killed" else 60):
    store.append((name, str(number), "code"), {"text": name * 3000})
    store.append((name, "again", str(number)), {})
    store.tidy()
    if number == 0:
        print("begun", flush=True)
"""


def test_several_processes_append_and_tidy_at_once_and_one_is_killed(store):
    names = ("first", "second", "killed")
    command = [sys.executable, "-c", WRITER, str(store.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, env=environment) for name in names]
    for one in writers:
        assert one.stdout.readline() == b"begun\n"
    time.sleep(0.1)
    writers[-1].send_signal(signal.SIGKILL)
    assert [one.wait(60) for one in writers] == [0, 0, -signal.SIGKILL]
    for one in writers:
        one.stdout.close()
    kept = store.read()
    for name in names[:2]:
        found = {label: data for label, data in kept.items() if label[0] == name}
        again = [label for label in found if label[1] == "again"]
        assert again == [(name, "again", number) for number in ("57", "58", "59")]
        found = {label: data for label, data in found.items() if label not in again}
        assert set(found) == {(name, str(number), "code") for number in range(60)}
        assert all(data == {"text": name * 3000} for data in found.values())
    assert any(label[0] == "killed" for label in kept)


def test_data_are_on_disk_before_it_goes_on(store, monkeypatch):
    synced = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(file) or fsync(file))
    store.append(ONE, {})
    assert len(synced) == 1
    assert json.loads(store.path.read_text().partition("\t")[2]) == {}
    store.append(OTHER, {}, sync=False)
    assert len(synced) == 1
    assert set(store.read()) == {ONE, OTHER}
