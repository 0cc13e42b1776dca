"""A copy of the engine and the command line, alone in a folder with a paper of one's own.

The paper is found by the entry point of an installed distribution, as anybody's would be.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import demo
from command_line import main
from patience import PATIENCE
from surroundings import CACHE_OF_DEMO

from theorems.engine.claims import papers
from theorems.engine.claims import registry as registries
from theorems.engine.claims.papers import Papers
from theorems.engine.running import catalogue as catalogues
from theorems.engine.running import runner, sources
from theorems.engine.running.catalogue import Catalogue, records_of
from theorems.engine.running.sources import Sources
from theorems.interface.commands import selecting

ROOT = Path(__file__).resolve().parents[2]

ENTRY_POINT = "[theorems.papers]\n{name} = {name}\n"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"


class House:
    """Runs ``theorems`` in a process of its own, with nothing else installed."""

    def __init__(self, folder):
        self.folder, self.state = folder, folder / "state"
        self.cache, self.log = folder / "cache", folder / "log"
        self.cache.mkdir()
        if (parsed := CACHE_OF_DEMO / "house.json").exists():
            shutil.copy(parsed, self.cache / "modules.json")
        for name in ("theorems/engine", "theorems/interface", "numeric", "symbolic"):
            # With what Python has compiled: copies keep their times, and edits have new ones.
            shutil.copytree(ROOT / name, folder / name)
        (folder / "theorems" / "__init__.py").touch()

    def install(self, name, **modules):
        """Install a paper under its entry point; without modules, the one of this folder's name."""
        package = self.folder / name
        if modules:
            package.mkdir()
            for module, text in modules.items():
                (package / f"{module}.py").write_text(text, encoding="utf-8")
        else:
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / "tests" / "support" / name, package, ignore=ignore)
        information = self.folder / f"{name}-0.dist-info"
        information.mkdir()
        (information / "entry_points.txt").write_text(ENTRY_POINT.format(name=name))
        (information / "METADATA").write_text(METADATA.format(name=name))

    def edit(self, file, old, new):
        """Replace a text in a file, which must have it."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def start(self, *arguments, pause=0.0, state=None, **settings):
        """The running command, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "theorems.interface.start", *map(str, arguments)],
            cwd=self.folder,
            env=self.surroundings(pause, state, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def surroundings(self, pause=0.0, state=None, **settings):
        """The variables with which the command runs here, and nothing else is installed."""
        return {
            **{key: value for key, value in os.environ.items() if not key.startswith("COV_")},
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "THEOREMS_STATE": str(state or self.state),
            "THEOREMS_CACHE": str(self.cache),
            "DEMO_LOG": str(self.log),
            "DEMO_PAUSE": str(pause),
            **settings,
        }

    def run(self, *arguments, **how):
        """The exit code, and what was written to the two streams."""
        process = self.start(*arguments, **how)
        written, complained = process.communicate(timeout=PATIENCE)
        kept, parsed = self.cache / "modules.json", CACHE_OF_DEMO / "house.json"
        if kept.is_file() and not parsed.exists():
            shutil.copy(kept, whole := parsed.with_suffix(f".{os.getpid()}"))
            whole.replace(parsed)  # at once, as other processes of the run read it
        return process.returncode, written, patient(complained)

    def traces(self):
        """The checks that ran, in order."""
        return self.log.read_text().split() if self.log.exists() else []


def patient(said):
    """What was said, without that a paper takes long to load: on a busy machine any does."""
    return "".join(one for one in said.splitlines(True) if "is being loaded; if" not in one)


def furnish(monkeypatch, folder):
    """Make the demonstration the only paper of this process; return where its state is kept."""
    monkeypatch.setattr(registries, "load", cache(registries.load.__wrapped__))
    monkeypatch.setattr(papers, "found_papers", lambda: Papers({"demo": demo}))
    folders = {**sources.roots(), "demo": ROOT / "tests" / "support" / "demo"}
    for module in (sources, catalogues):
        monkeypatch.setattr(module, "roots", lambda: folders)
    monkeypatch.setenv("THEOREMS_STATE", str(folder / "state"))
    monkeypatch.setenv("THEOREMS_CACHE", str(CACHE_OF_DEMO))
    return folder / "state"


def use(monkeypatch, known):
    """Make these the claims of this process, as if papers had them."""
    listed = Catalogue(known.papers, records_of(known, Sources()), known.broken)
    for module in (runner, selecting):
        monkeypatch.setattr(module, "catalogue", lambda _about=None: listed)
    monkeypatch.setattr(registries, "load", lambda _prefix=None: known)


class CommandLine:
    """Runs ``theorems`` in this process, on the demonstration alone."""

    def __init__(self, monkeypatch, folder, capture):
        self.monkeypatch, self.capture = monkeypatch, capture
        furnish(monkeypatch, folder)
        monkeypatch.chdir(folder)

    def __call__(self, *arguments):
        """The exit code, and what was written to the two streams."""
        code = main([str(one) for one in arguments])
        return code, *self.capture.readouterr()

    def use(self, known):
        """Another registry from here on."""
        use(self.monkeypatch, known)
