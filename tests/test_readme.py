"""What the README shows is what happens."""

import doctest
import re
from pathlib import Path

from theorems.engine import registry as registries
from theorems.engine.claim import Profile
from theorems.interface.evaluate import evaluate

README = Path(__file__).parents[1] / "README.md"


def test_python_examples():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_digits_of_the_eval_example():
    shown = re.search(r"theorems eval '(.+?)' --digits (\d+)\n(\S+)", README.read_text())
    expression, digits, value = shown.groups()
    from mpmath import nstr

    assert nstr(evaluate(expression, int(digits)), int(digits)) == value


def test_counts_of_the_run_that_is_shown():
    """How many claims there are and how many false variants; the verdicts themselves are run."""
    text, claims = README.read_text(), registries.load().claims.values()
    verdicts = r"(?:holds|cited|open|false as stated(?:: [a-z]+)?)"
    table = re.findall(rf"^{verdicts} +[a-z]* +(\d+)$", text, re.MULTILINE)
    assert sum(map(int, table)) == len(claims)
    variants = re.search(r"all (\d+) false variants were rejected", text)
    quick = [item for one in claims for item in one.evidence if item.profile is Profile.QUICK]
    assert int(variants[1]) >= sum(len(item.controls) for item in quick)
