"""The page of a claim: golden pages of the demonstration, before and after a run."""

import re
import subprocess
import sys

import demo
import pytest
from house import ROOT
from rich.console import Console
from trying import each

from theorems.engine.claims.contents import Contents
from theorems.engine.claims.kinds import Answer
from theorems.engine.claims.paper import Paper
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import catalogue
from theorems.interface.page import claim_page

HALF = """\
demo.half  x (1 - x) is at most a quarter
Eq. (2) · printed in the paper
FILE
  s (1 − s) ≤ 1/4

where
  s  in [0, 1]  a share of a whole (share)

verdict: holds (tested)

evidence
  tested · product_over_bound supports the statement
      Any share.
      FILE
      accepted: 200 cases, tightness 1 [SECONDS]
      at s = 0.5
      ✗ s (101/100 − s) ≤ 1/4 - violated: ratio RATIO
      ✗ s (1 − s) ≤ 99/400 - violated: ratio RATIO

checked by machine
  statement (product_over_bound): 200 cases of it

rests on: demo.square
used by: demo.cited
run again: theorems check --anew demo.half
"""
BELOW = """\
demo.below  x squared is below x
Eq. (3) · printed in the paper
FILE
  s² < s

where
  s  in [0, 1]  a share of a whole (share)

verdict: false as stated: edge (proved)

evidence
  proved · at_one refutes the statement
      At 1 both sides are 1.
      FILE
      accepted: the relation fails at s = 1 [SECONDS]
      at s = 1

checked by machine
  statement (at_one): the counterexample, the relation fails at s = 1

corrected by: demo.below.weak
run again: theorems check --anew demo.below
"""
CERTIFIED = """\
demo.certified  A polynomial is positive
Lemma 1 · printed in the paper
FILE
  s² − s + 1/2 > 0

where
  s  in [0, 1]  a share of a whole (share)

verdict: holds (certified)

evidence
  certified · least_value supports the statement
      Its least value is a quarter.
      FILE
      accepted: the proof ends in the statement as displayed [SECONDS]
      · 3 near variants: not proved, the proof ends in the printed constants

checked by machine
  statement (least_value): every step, by ball arithmetic where a certificate is named

trusted
  certificate: s^2 - s + 1/2 > 0

run again: theorems check --anew demo.certified
"""
CITED = """\
demo.cited  A textbook fact
Theorem 3 · printed in the paper
FILE
  eˣ ≥ x + 1

where
  x  in ℝ  any number

verdict: cited

evidence
  cited · cited_0 supports the statement
      FILE
      accepted: Rudin, Theorem 1.1: any textbook has it [SECONDS]

trusted
  source: Rudin, Theorem 1.1: any textbook has it

rests on: demo.half
run again: theorems check --anew demo.cited
"""
PATIENT = """\
demo.patient  Only a larger profile looks at this
Theorem 5 · printed in the paper
FILE
  n² ≥ n

where
  n  in {0, 1, …}  a number of things (count)

verdict: not checked yet with this code

evidence
  tested · power_over supports the statement
      Small numbers.
      FILE
      not run (it needs --profile full); false variants: none

used by: demo.patient.consequence
run again: theorems check --anew demo.patient
"""
PAGES = {"demo.half": HALF, "demo.below": BELOW, "demo.certified": CERTIFIED, "demo.cited": CITED}


def same_everywhere(page):
    """A page without folders, lines, times and ratios that a search came upon."""
    page = re.sub(r"\S*/tests/support/demo/\w+\.py:\d+", "FILE", page)
    page = re.sub(r"\[\d+\.\d s\]", "[SECONDS]", page)
    page = re.sub(r"ratio \d+\.\d+", "ratio RATIO", page)
    return "".join(f"{line.rstrip()}\n" for line in page.splitlines())


class TestPages:
    def test_after_a_run(self, theorems):
        assert theorems("check", *PAGES, "--jobs", 1)[0] == 0
        for identifier, page in PAGES.items():
            code, written, said = theorems("show", identifier)
            assert (code, said) == (0, "")
            assert same_everywhere(written) == page

    def test_before_a_run(self, theorems):
        assert same_everywhere(theorems("show", "demo.patient")[1]) == PATIENT

    def test_formulas_as_latex(self, theorems):
        theorems("check", "demo.half", "--jobs", 1)
        page = theorems("show", "demo.half", "--latex")[1]
        assert r"  s \left(1 - s\right) \leq \frac{1}{4}" in page
        assert r"✗ s \left(1 - s\right) \leq \frac{99}{400} - violated" in page
        assert "at share = 0.5" in page

    def test_what_a_proof_takes_a_letter_for_stands_below_its_meaning(self):
        known = catalogue()
        claim, told = known["eoc.prop17"], Console(width=200, no_color=True)

        def proof(name, answer, *said):
            numbers = {"stand for": [[claim.given[0].name, one, one] for one in said]}
            return EvidenceResult(claim.id, name, Outcome(answer, "", numbers=numbers))

        accepted = [proof(name, Answer.ACCEPTED, r"= \pi") for name in ("one", "other")]
        found = [*accepted, proof("third", Answer.UNDECIDED, "= 3")]
        with told.capture() as page:
            told.print(claim_page(known, claim, None, found))
        first, second = page.get().partition("\nwhere\n")[2].splitlines()[:2]
        assert claim.given[0].meaning[:20] in first
        assert second.strip() == "= π"

    def test_simulations_show_what_they_would_notice(self, theorems):
        theorems("check", "demo.mean", "--jobs", 1)
        page = theorems("show", "demo.mean")[1]
        assert "statement (sample_mean): 4000 draws" in page
        assert re.search(r"p_value: 0\.\d{1,6}, level: 1e-06, detectable: 0\.\d{1,6}, ", page)
        assert "✗ shifted - " in page


class TestPapers:
    def test_a_paper_and_its_claims_as_contents_lists_them(self, theorems):
        theorems("check", "demo.half", "demo.cited", "--jobs", 1)
        code, written, _ = theorems("show", "demo")
        head, _, table = written.partition("\n\n")
        assert code == 0
        assert head.splitlines() == [
            "demo  A demonstration of 100% of the engine",
            "Nobody",
            "16 claims, 13 of them not checked",
            "  1 cited",
            "  1 holds (proved)",
            "  1 holds (tested)",
        ]
        assert table == theorems("contents", "demo")[1]

    def test_a_place_names_the_section_that_it_stands_in(self, theorems, monkeypatch):
        outline = Contents("Section 1: Sums\n  Lemma 1\nLemma 2\nSection 3\n  Theorem 4\n")
        from theorems.interface.page import place_of

        class Known:
            def paper(self, _):
                return Paper("demo", demo.PAPER.title, "Nobody", outline)

        def place(at):
            class Claim:
                paper = "demo"

                def stands_at(self):
                    from theorems.engine.claims.place import places

                    return places(at)

            Claim.at = at
            return place_of(Known(), Claim())

        assert place("Lemma 1, proof") == "Lemma 1, proof, in Section 1: Sums"
        assert (place("Lemma 2"), place("Theorem 4")) == ("Lemma 2", "Theorem 4")
        assert place("Eq. 9") == "Eq. 9"


LAZY = """
import sys
from theorems.interface.cli import main
code = main({arguments})
heavy = ("pylatexenc", "sympy", "numpy", "scipy", "hypothesis")
found = [one for one in heavy if one in sys.modules]
print(code, *found, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def _catalogue_is_made():
    command = [sys.executable, "-c", LAZY.format(arguments=["list"])]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


@pytest.mark.usefixtures("_catalogue_is_made")
@each(
    "arguments, loaded",
    (["list", "--paper", "eoc"], []),
    (["search", "gradient"], []),
    (["contents", "st"], []),
    (["show", "st"], []),
    (["show", "eoc.prop17"], ["pylatexenc"]),
    (["show", "eoc.prop17", "--latex"], []),
)
def test_commands_that_read_load_no_mathematics(arguments, loaded):
    command = [sys.executable, "-c", LAZY.format(arguments=arguments)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].split() == ["0", *loaded]
