"""What is kept beside the catalogue is what was made of the same things by the same code."""

import pytest

from theorems.engine.running import remembered as module
from theorems.engine.running.remembered import remembered

MAKER = "theorems.interface.findings"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("THEOREMS_CACHE", str(tmp_path))
    return tmp_path


def test_made_once_for_each_state():
    made = []

    def make():
        made.append(len(made))
        return {"number": len(made)}

    assert remembered("a", MAKER, ["key"], make) == {"number": 1}
    assert remembered("a", MAKER, ["key"], make) == {"number": 1}
    assert remembered("b", MAKER, ["key"], make) == {"number": 2}
    assert remembered("a", MAKER, ["other key"], make) == {"number": 3}
    assert remembered("a", MAKER, ["key", ""], make) == {"number": 4}
    assert remembered("a", MAKER, ["key"], make) == {"number": 1}


def test_other_code_makes_it_anew(monkeypatch):
    assert remembered("a", MAKER, [], lambda: 1) == 1
    monkeypatch.setattr(module, "code_of", lambda _maker: "other code")
    assert remembered("a", MAKER, [], lambda: 2) == 2


def test_damage_and_full_disks_hinder_nothing(cache, monkeypatch):
    assert remembered("a", MAKER, [], lambda: 1) == 1
    file = cache / "made.jsonl"
    file.write_bytes(file.read_bytes().replace(b"\t1", b"\t7"))
    assert remembered("a", MAKER, [], lambda: 2) == 2
    monkeypatch.setattr(module, "Store", _Full)
    assert remembered("a", MAKER, [], lambda: 3) == 3


class _Full:
    def __init__(self, _path):
        pass

    def read(self, _labels):
        return {}

    def append(self, *_, **__):
        raise OSError("no space left")
