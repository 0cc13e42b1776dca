"""A verdict is shown as long as nothing changed that it depends on, and no longer."""

from dataclasses import replace

import pytest
from study import EVERYTHING, LAST, LEFT, RIGHT, UPPER, Study

from theorems.engine.running import catalogue as catalogues
from theorems.engine.running import fingerprints
from theorems.engine.running.catalogue import catalogue, error_level
from theorems.engine.running.standing import (
    results_file,
    results_of,
    standings,
    verdict_entries,
    verdicts_file,
)

ONE, ALL = {"small.left"}, {"small.left", "small.right", "small.upper", "small.last"}
ABOVE_LEFT = {"small.left", "small.upper", "small.last"}
PROSE = {"It is odd.": "It is indeed odd.", "Odd numbers.": "Some numbers.", "return": "# So:\n    return"}
OUTLINE = {
    '"Nobody"': '"Somebody"',
    "Section 2: More of them": "Section 2: Others\nSection 3: Nothing",
    '("first", "second", "tabled")': '("tabled", "first", "second")',
}
ABOVE_UPPER = {"small.upper", "small.last"}
AGAIN = {("small.left", "left_once_more")}
FIRST, HELPERS, TABLE = "small/first.py", "small/helpers/", "small/tabled/tables/numbers.txt"
JUDGING, OTHERS = "theorems/engine/judging/", "theorems/"
ALSO = ("\n__all__", "\nNEW = 1\n__all__")

#: For each edit of a file: what is examined again, and which claims have no verdict until then.
EDITS = {
    "evidence": (FIRST, "(one + 2)", "(one + 4)", AGAIN, ABOVE_LEFT),
    "a helper three imports deep": (HELPERS + "inner.py", "2", "4", UPPER | LAST, ABOVE_UPPER),
    "a package on the way": (HELPERS + "__init__.py", "", "NEW = 1\n", UPPER | LAST, ABOVE_UPPER),
    "a helper that nothing imports": (HELPERS + "unused.py", "0", "1", set(), set()),
    "data": (TABLE, "3", "5", LAST, {"small.last"}),
    "a statement": (FIRST, '"small.left",', '"small.left", excused={},', LEFT | RIGHT | UPPER, ALL),
    "what examines": (JUDGING + "examine.py", *ALSO, EVERYTHING, ALL),
    "what answers are": (JUDGING + "answers.py", *ALSO, EVERYTHING, ALL),
    "what judges": (JUDGING + "judge.py", *ALSO, set(), ALL),
    "what shows": (OTHERS + "interface/tables.py", *ALSO, set(), set()),
    "what runs": (OTHERS + "engine/running/workers.py", *ALSO, set(), set()),
}


@pytest.fixture
def study(monkeypatch, tmp_path, capfd):
    found = Study(monkeypatch, tmp_path, capfd)
    assert found.check() == EVERYTHING
    assert found.unchecked() == set()
    return found


def test_an_edit_makes_stale_what_depends_on_it_and_nothing_else(study):
    for name, (file, old, new, examined, stale) in EDITS.items():
        path = study.folder / file
        before = path.read_text(encoding="utf-8")
        path.write_text(before.replace(old, new) if old else new, encoding="utf-8")
        assert path.read_text(encoding="utf-8") != before
        assert study.unchecked() == stale, name
        assert study.check() == examined, name
        assert study.unlisted() == set(), name
        path.write_text(before, encoding="utf-8")
        assert study.check() <= examined, name
        assert study.unlisted() == set(), name
    assert study.unchecked() == set()


def test_prose_and_the_papers_outline_make_nothing_stale(study):
    for old, new in PROSE.items():
        study.edit("small/first.py", old, new)
    for old, new in OUTLINE.items():
        study.edit("small/__init__.py", old, new)
    assert study.unchecked() == set()
    assert study.check() == set()
    assert "It is indeed odd." in study("show", "small.left")[1]
    assert study("list")[1].split()[5] == "small.last"
    assert "Section 3: Nothing" in study("contents", "small")[1]


def test_an_outline_that_a_check_looks_at_is_no_mere_outline(study):
    study.edit("small/first.py", "from theorems", "from small import PAPER\nfrom theorems")
    study.edit("small/first.py", "(one + 2)", "(one + 2 * len(PAPER.prefix))")
    study.check()
    study.edit("small/__init__.py", "Section 2: More of them", "Section 2: Others")
    assert study.unchecked() == {*ABOVE_LEFT, "small.right"}


def test_a_library_makes_everything_stale(study, monkeypatch):
    now = {**fingerprints.versions(), "sympy": "0"}
    for module in (fingerprints, catalogues):
        monkeypatch.setattr(module, "versions", lambda: now)
    assert study.unchecked() == ALL
    assert study.check() == EVERYTHING


def test_another_judgement_of_what_a_claim_rests_on_is_not_taken_for_its_own(study):
    """One verdict of an older key is enough to make none of those above it fresh."""
    study.edit("small/first.py", "(one + 2)", "(one + 4)")
    assert study.check("small.left") == {("small.left", "left_once_more")}
    assert study.unchecked() == {"small.upper", "small.last"}
    assert study.check("small.upper") == set()
    assert study.unchecked() == {"small.last"}


def test_what_was_checked_with_older_code_is_found_again_when_one_goes_back(study):
    for old, new in (("+ 2", "+ 4"), ("+ 4", "+ 6")):
        study.edit("small/first.py", old, new)
        assert study.check() == {("small.left", "left_once_more")}
    for old, new in (("+ 6", "+ 2"), ("+ 2", "+ 4")):
        study.edit("small/first.py", old, new)
        assert study.unchecked() == set()
        assert study.check() == set()
        known = catalogue()
        shown = list(results_of(known["small.left"], standings(known)["small.left"]))
        assert [one.name for one in shown] == ["left_is_odd", "left_once_more"]


def test_simulations_are_as_strict_as_their_number_asks_for(study):
    """With more of them in a run, each has a smaller share of the error, and must be done again."""
    known = catalogue()
    left, kept = known.claims["small.left"], standings(known)

    def with_simulations(count):
        simulated = [replace(one, statistical=True) for one in left.evidence[:count]]
        changed = replace(left, evidence=(*simulated, *left.evidence[count:]))
        return replace(known, claims={**known.claims, left.id: changed})

    for count in (1, 2):
        now = with_simulations(count)
        assert error_level(now) == 1e-6 / count
        assert ALL - set(standings(now)) == ABOVE_LEFT
        errors, results = now.errors(), results_file()
        again = {one: replace(kept[one], error=errors[one]) for one in kept}
        verdicts_file().extend(verdict_entries(again))
        assert ALL - set(standings(now)) == ABOVE_LEFT - {"small.upper", "small.last"}
        labels = [label for label in results.read() if label[0] == "small.left"]
        results.extend([((*label[:4], errors["small.left"], label[5]), {}) for label in labels])
        assert set(standings(now)) == ALL
    assert standings(known) == kept
