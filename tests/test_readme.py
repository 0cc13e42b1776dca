"""What the README shows is what happens."""

import doctest
import re
from pathlib import Path

from theorems.interface.evaluate import evaluate

README = Path(__file__).parents[1] / "README.md"


def test_python_examples():
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_digits_of_the_eval_example():
    shown = re.search(r"theorems eval '(.+?)' --digits (\d+)\n(\S+)", README.read_text())
    expression, digits, value = shown.groups()
    from mpmath import nstr

    assert nstr(evaluate(expression, int(digits)), int(digits)) == value
