"""``theorems figure`` on a paper of its own, and the chapter's figures at toy sizes."""

import csv
import json
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from command_line import main
from joblib.externals.loky import get_reusable_executor
from patience import PATIENCE
from trying import each

from numeric.networks.sweeps import SweepInProgressError
from theorems.engine.claims import papers
from theorems.engine.claims import registry as registries
from theorems.engine.claims.papers import Papers
from theorems.engine.errors import ClaimError
from theorems.engine.running import catalogue as catalogues
from theorems.engine.running import sources
from theorems.eoc_mlp.figures import runs as chapter
from theorems.interface.figure import Figure, Size, figures_of, find_figure

PAPER = """
from theorems.engine import Paper
PAPER = Paper(prefix="toy", title="Toy", authors="Nobody")
SECTIONS = ("none",)
"""
FIGURES = """
from pathlib import Path
from theorems.interface.figure import Figure, Size

def cases(size):
    return [{"n": n} for n in range(2 if size is Size.SMALL else 3)]

def compute(case, rng):
    log = Path("log")
    if log.exists():
        log.write_text(log.read_text() + str(case["n"]))
        if Path("stop").exists() and case["n"] == 1:
            raise KeyboardInterrupt
    return rng.standard_normal()

def table(cases, results):
    return [{"n": c["n"], "value": r} for c, r in zip(cases, results)]

def draw(rows, canvas):
    canvas.subplots().plot([row["n"] for row in rows], [row["value"] for row in rows])

def summary(rows):
    return [f"{len(rows)} points"]

LINE = Figure("toy.line", "A line", "Figure 7", ("toy.one",), cases, compute, table, draw, summary)
OTHER = Figure("toy.other", "Another", "Figure 8", (), cases, compute, table, draw, summary)
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs ``theorems`` in this process with a paper that has two figures."""
    package = tmp_path / "toypaper"
    package.mkdir()
    (package / "__init__.py").write_text(PAPER)
    (package / "figures.py").write_text(FIGURES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEOREMS_STATE", str(tmp_path / "state"))
    for name in ("toypaper", "toypaper.figures"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    toy = __import__("toypaper")
    monkeypatch.setattr(papers, "found_papers", lambda: Papers({"toy": toy}))
    monkeypatch.setenv("THEOREMS_CACHE", str(tmp_path / "cache"))
    folders = {"toypaper": package, "theorems": sources.roots()["theorems"] / "engine"}
    monkeypatch.setattr(sources, "roots", lambda: folders)
    monkeypatch.setattr(catalogues, "_reader", lambda: "the same")

    def start(*arguments):
        sources._began.cache_clear()
        code = main(["figure", *map(str, arguments)])
        return code, *capsys.readouterr()

    start.folder = tmp_path
    return start


def test_without_an_id_the_figures_are_listed(run):
    code, written, _ = run()
    assert code == 0
    for text in ("toy.line", "Figure 7", "A line", "toy.one", "toy.other"):
        assert text in written


def test_an_unknown_id_suggests_the_nearest(run):
    code, _, complained = run("toy.lime")
    assert code == 2
    assert "no figure has the id 'toy.lime'; did you mean toy.line" in complained


BAD_USAGE = [
    (("--out", "line.gif"), "--out: the name must end in .png, .pdf, .svg, got line.gif"),
    (("--data", "line.txt"), "--data: the name must end in .csv, .json, got line.txt"),
    (("--out", "nowhere/line.png"), "--out: there is no folder"),
    (("--size", "huge"), "--size"),
    (("--seed", "-1"), "--seed"),
    (("--jobs", "0"), "--jobs"),
    (("--jobs", "1000000"), "--jobs"),
    (("--data", "nowhere/line.csv"), "--data: there is no folder"),
    (("--data", "/proc/line.csv"), "--data: /proc/line.csv is not to be written"),
    (("--out", "/proc/line.png"), "--out: /proc/line.png is not to be written"),
    (("--data", "full.csv"), "full.csv is not to be written: No space left on device"),
]


def test_bad_usage_is_refused_before_any_work(run):
    (run.folder / "log").touch()
    (run.folder / "full.csv").symlink_to("/dev/full")
    for options, complaint in BAD_USAGE:
        code, _, complained = run("toy.line", *options)
        assert (code, complained.count("\n")) == (2, 1), options
        assert complaint in complained
        assert (run.folder / "log").read_text() == ""
    assert (run.folder / "full.csv").is_symlink()


def test_a_disk_that_fills_up_is_told_in_a_line(run, monkeypatch):
    monkeypatch.setattr("theorems.interface.commands.drawing.check_writable", lambda *_: None)
    for option, name in (("--data", "full.csv"), ("--out", "full.png")):
        (run.folder / name).symlink_to("/dev/full")
        code, _, complained = run("toy.line", option, name, "--jobs", 1)
        assert code == 2
        said = f"theorems: {option}: {name} could not be written: No space left on device"
        assert complained.splitlines()[-1] == said


def test_a_drawing_and_its_numbers(run):
    code, written, _ = run("toy.line", "--data", "line.csv", "--seed", 5, "--jobs", 1)
    assert code == 0
    assert "2 points\ndrawn in toy.line.png\nnumbers in line.csv" in written
    assert (run.folder / "toy.line.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((run.folder / "line.csv").read_text().splitlines()))
    children = np.random.SeedSequence(5).spawn(2)
    expected = [np.random.default_rng(child).standard_normal() for child in children]
    assert [float(row["value"]) for row in rows] == expected


@pytest.mark.parametrize(("ending", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_other_formats_are_equal_for_equal_numbers(run, ending, start):
    files = [run.folder / f"{name}.{ending}" for name in "ab"]
    for file in files:
        assert run("toy.line", "--out", file, "--jobs", 1)[0] == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(start)


def test_numbers_do_not_depend_on_jobs_but_on_size_and_seed(run):
    def numbers(*options):
        assert run("toy.line", "--data", "line.json", *options)[0] == 0
        return json.loads((run.folder / "line.json").read_text())

    small = numbers("--jobs", 1)
    assert [row["n"] for row in small] == [0, 1]
    for kept in (run.folder / "state" / "figures").iterdir():
        kept.unlink()
    # Workers that an earlier test has left behind do not know the folder of this paper.
    get_reusable_executor().shutdown(wait=True)
    assert numbers("--jobs", 2) == small
    assert numbers("--seed", 1) != small
    assert numbers("--size", "paper")[:2] == small
    assert len(numbers("--size", "paper")) == 3


def test_nothing_is_computed_twice_until_the_code_changes(run, monkeypatch):
    (run.folder / "log").touch()
    for _ in range(2):
        run("toy.line", "--jobs", 1)
    assert (run.folder / "log").read_text() == "01"
    module = run.folder / "toypaper" / "figures.py"
    module.write_text('"""Of a line."""\n' + FIGURES.replace("def cases", "# All of them.\ndef cases"))
    run("toy.line", "--jobs", 1)
    assert (run.folder / "log").read_text() == "01"
    kept = [set((run.folder / "state" / "figures").glob("*.jsonl"))]
    for changed in (lambda: module.write_text(FIGURES + "NEW = 1\n"), lambda: other_numpy(monkeypatch)):
        changed()
        run("toy.line", "--jobs", 1)
        kept.append(set((run.folder / "state" / "figures").glob("*.jsonl")))
    assert (run.folder / "log").read_text() == "010101"
    assert [len(files) for files in kept] == [1, 1, 1]
    assert len(set.union(*kept)) == 3


def other_numpy(monkeypatch):
    now = {**catalogues.versions(), "numpy": "0"}
    monkeypatch.setattr(catalogues, "versions", lambda: now)


def test_an_interrupted_figure_goes_on(run):
    (run.folder / "log").touch()
    (run.folder / "stop").touch()
    code, _, complained = run("toy.line", "--jobs", 1)
    assert code == 130
    assert "the same command goes on from here" in complained
    (run.folder / "stop").unlink()
    assert run("toy.line", "--jobs", 1)[0] == 0
    assert (run.folder / "log").read_text() == "011"


@pytest.mark.parametrize(
    ("error", "complaint", "expected"),
    [
        (SweepInProgressError, "in another process", 2),
        (BrokenExecutor, "a worker process died", 1),
        (OSError, "cannot keep results in", 2),
    ],
)
def test_failures_are_one_line(run, error, complaint, expected):
    def fails(case, rng):
        raise error("no luck")

    run()  # imports the figures
    object.__setattr__(sys.modules["toypaper.figures"].LINE, "compute", fails)
    code, _, complained = run("toy.line", "--jobs", 1)
    assert code == expected
    assert complaint in complained
    assert complained.count("\n") == 1


def test_ids_are_checked():
    parts = ("T", "p", (), None, None, None, None, None)
    own = SimpleNamespace(__name__="theorems.eoc_mlp", PAPER=SimpleNamespace(prefix="other"), __path__=[])
    with pytest.raises(ClaimError, match=r"figure eoc\.fig1 does not begin with the prefix"):
        figures_of([own])
    with pytest.raises(KeyError, match="no figure has the id 'zzz'"):
        find_figure({"eoc.fig1": Figure("eoc.fig1", *parts)}, "zzz")


class TestChapter:
    known = figures_of(papers.found_papers().packages.values())

    def test_figures_and_the_claims_they_show(self):
        assert {"eoc.fig1", "eoc.fig.ntk_error", "eoc.fig.norms"} <= set(self.known)
        claims = registries.load().claims
        for one in self.known.values():
            assert all(claim in claims for claim in one.claims), one.id

    @each("one", *known.values())
    def test_sizes(self, one):
        """The paper's size differs from the small one in its cases, which are plain data."""
        small, paper = (json.dumps(one.cases(size)) for size in Size)
        assert small != paper

    @each("one", *known.values())
    def test_draws_what_it_computes(self, one):
        from matplotlib.figure import Figure as Canvas

        tiny = {"pairs": 3, "m": 4, "draws": 60, "depth": 3, "n": 10, "steps": 3, "pool": 64}
        cases = [
            {**case, **{key: tiny[key] for key in set(tiny) & set(case) if key != "m"}}
            for case in one.cases(Size.SMALL)
        ]
        results = [
            json.loads(json.dumps(one.compute(case, np.random.default_rng(n)), default=np.ndarray.tolist))
            for n, case in enumerate(cases)
        ]
        rows = one.table(cases, results)
        canvas = Canvas()
        one.draw(rows, canvas)
        assert all(axes.has_data() for axes in canvas.axes)
        assert one.summary(rows)

    def test_no_global_state_of_pyplot(self, tmp_path):
        script = (
            "import sys; from theorems.interface.cli import main;"
            "code = main(['figure', 'eoc.fig.ntk_error', '--jobs', '1']);"
            "sys.exit(code or 'matplotlib.pyplot' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        assert "first order gives -1/2" in done.stdout
        assert (tmp_path / "eoc.fig.ntk_error.png").is_file()


class TestErrorTable:
    """From moments to the table, by data whose answer is known."""

    def table(self, power):
        """Two batches with errors ±k^power for pairs of inputs."""
        layers = np.arange(1.0, chapter.LAYERS + 1)
        cases = [{"pattern": name, "pairs": 2, "m": 5} for name in chapter.PATTERNS] * 2
        result = {"sum": 0 * layers, "squares": 2 * layers ** (2 * power)}
        return chapter.error_table(cases, [result] * 6)

    def test_deviations_and_slopes(self):
        rows = self.table(0.75)
        assert len(rows) == 3 * chapter.LAYERS
        for row in rows:
            # Two values ±x of four in all: the unbiased variance is 4x²/3.
            assert row["mean"] == 0
            assert row["deviation"] == pytest.approx(row["layer"] ** 0.75 * sqrt(4 / 3))
            assert row["slope"] == pytest.approx(0.75)
            assert row["slope_low"] == pytest.approx(row["slope_high"])

    def test_predictions_scale_with_the_unit(self):
        """At orthogonal inputs the first layer's noise is known, see eoc.fig1.noise."""
        from numeric.cosine_maps import omega
        from numeric.inverse_distance_errors import relative_noise

        w = 1 / sqrt((1 - chapter.COSINE) / 2)
        row = next(row for row in self.table(1.0) if row["layer"] == 2)
        expected = omega(w, 1) * sqrt(relative_noise(w, 1) / 5)
        assert row["predicted_deviation"] == pytest.approx(expected)

    def test_norms_of_one_layer(self):
        case = {"pattern": "constant", "draws": 4000, "m": 50}
        result = chapter.compute_norms(case, np.random.default_rng(0))
        row = chapter.norm_table([case], [result])[1]
        assert row["predicted_deviation"] == pytest.approx(0.1)
        # chi_50/sqrt(50) deviates by 0.0998; seven errors 0.1/sqrt(2 4000) of a deviation.
        assert row["deviation"] == pytest.approx(0.0998, abs=0.008)

    def test_errors_of_networks(self):
        """Mean squares at layer 4 against the variance at first order, for inputs of one angle."""
        case = {"pattern": "linear", "pairs": 400, "m": 64}
        result = chapter.compute_errors(case, np.random.default_rng(0))
        rows = self.table(1.0)
        row = next(r for r in rows if r["pattern"] == "linear" and r["layer"] == 4)
        expected = row["predicted_deviation"] ** 2 * 5 / 64
        # A mean of 400 squares of normals errs by 7 % (seven times: 50 %), first order by 20 %.
        assert result["squares"][3] / 400 == pytest.approx(expected, rel=0.7)
        assert abs(result["sum"][3]) / 400 < 7 * sqrt(expected / 400) + expected
        assert result["squares"][0] == 0

    def test_ntk_of_wide_networks_is_near_its_limit(self):
        """At m = 4096 and depth 2; the error at first order is near 1/sqrt(m)."""
        results = [
            chapter.compute_ntk_errors({"m": m, "depth": 2, "draws": 200}, np.random.default_rng(0))
            for m in (64, 4096)
        ]
        assert results[1]["error"] < 0.1
        ratio = results[0]["error"] / results[1]["error"]
        # Each mean errs by 5 % (seven times: 35 %).
        assert 8 / 2 < ratio < 8 * 2

    def test_interval_of_batches(self):
        # Student's 99 % quantile for two degrees of freedom is 9.925.
        low, high = chapter._interval([1.0, 2.0, 3.0])
        assert (low, high) == pytest.approx((2 - 9.925 / sqrt(3), 2 + 9.925 / sqrt(3)), rel=1e-4)
