"""Tests keep to a folder of their run, and are the same for everybody who runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import console_pages
from house import ROOT, House
from surroundings import CACHE, RUN_FOLDER, STATE, whole_catalogue

from theorems.engine.running import catalogue as catalogues
from theorems.engine.running.standing import results_file
from theorems.engine.running.store import state_folder

PLACES = (
    "import json; from theorems.engine.running import catalogue, standing, store;"
    "places = store.state_folder(), standing.results_file().path, catalogue.cache_folder();"
    "print(json.dumps([str(one.absolute()) for one in places]))"
)


def places_of(environment):
    """Where a process that a test starts looks for results and for catalogues."""
    command = [sys.executable, "-c", PLACES]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    return [Path(one) for one in json.loads(done.stdout)]


def test_this_process_and_those_that_it_starts_keep_to_the_folder_of_the_run():
    here = [state_folder(), results_file().path.absolute(), catalogues.cache_folder()]
    assert [here[0], here[2]] == [STATE, CACHE]
    assert places_of(None) == here
    assert all(one.is_relative_to(RUN_FOLDER) for one in here)
    assert not RUN_FOLDER.is_relative_to(ROOT)


def test_the_commands_of_pages_have_the_catalogue_of_the_run(tmp_path):
    state, _, cache = places_of(console_pages.surroundings("COLUMNS=80", tmp_path))
    assert (state, cache) == (tmp_path, CACHE)


def test_the_catalogue_is_made_once():
    whole_catalogue()
    written = [one for one in CACHE.rglob("*") if one.is_file()]
    assert written
    before = {one: one.stat().st_mtime_ns for one in written}
    assert whole_catalogue().claims
    assert {one: one.stat().st_mtime_ns for one in written} == before


def test_a_copy_of_the_engine_has_folders_of_its_own(tmp_path):
    house = House(tmp_path)
    assert all(one.is_relative_to(tmp_path) for one in (house.state, house.cache))


PROFILE = """
import runpy, sys
sys.path[:0] = ["tests/support"]
runpy.run_path("conftest.py")
from hypothesis import settings
print(settings.default)
"""


def profile(**variables):
    """The settings of Hypothesis with which tests run where these variables are set."""
    kept = {k: v for k, v in os.environ.items() if k not in {"CI", "HYPOTHESIS_PROFILE"}}
    done = subprocess.run(
        [sys.executable, "-c", PROFILE],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**kept, **variables},
    )
    return done.stdout


def test_examples_are_the_same_for_everybody():
    plain = profile()
    assert profile(CI="true") == profile(GITHUB_ACTIONS="true") == plain
    assert "derandomize=True" in plain
    assert "database=None" in plain


def test_random_examples_are_had_by_choice():
    for name in ("dev", "exhaustive"):
        chosen = profile(HYPOTHESIS_PROFILE=name)
        assert "derandomize=False" in chosen
        assert profile(HYPOTHESIS_PROFILE=name, CI="true") == chosen
