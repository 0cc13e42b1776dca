"""Last digits of floats may differ between what is shown and what is printed; nothing else may."""

import doctest

from alike import alike, in_digits_of
from trying import each


@each(
    "shown, printed",
    ("0.0017741673014392756 +- 2.7969001865490197e-05", "0.0017741673014392751 +- 2.79690018654902e-05"),
    ("x = 0.1,  of 3", "x =  0.10000000000000002, of 3"),
    ("array([1.])", "array([1.0000000000000002])"),
    ("-1e-05", "-1.0000000000000001e-05"),
    ("nothing", "nothing"),
)
def test_last_digits_may_differ(shown, printed):
    assert alike(shown, printed)
    assert alike(printed, shown)


@each(
    "shown, printed",
    ("0.1", "0.1000000000002"),
    ("0.66548856767097524326999833321668713616", "0.66548856767097524326999833321668713617"),
    ("3 of 1000000000000000", "3 of 1000000000000001"),
    ("0.5 of 2", "0.5 of 3"),
    ("0.5 of 2", "0.5"),
    ("0.5", "0.5 0.5"),
    ("0.5 0.5", "0.5"),
    ("0.5", "-0.5"),
    ("0.5", "one half"),
    ("1e-17", "0.0"),
    ("p17.5", "p17.500000000000001"),
)
def test_nothing_else_may(shown, printed):
    assert not alike(shown, printed)
    assert not alike(printed, shown)


def test_digits_are_those_that_are_shown():
    assert in_digits_of("about 0.25, 7", "about 0.24999999999999997, 8") == "about 0.25, 8"


def test_examples_of_docstrings_are_compared_so():
    checker = doctest.OutputChecker()
    assert checker.check_output("0.3\n", "0.30000000000000004\n", 0)
    assert not checker.check_output("0.3\n", "0.3000000001\n", 0)
    assert checker.check_output("0.159154943091...\n", "0.15915494309189535\n", doctest.ELLIPSIS)


def test_a_page_that_shows_something_else_fails(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(">>> 0.1 + 0.2\n0.3\n>>> 1 + 1\n3\n")
    assert doctest.testfile(str(page), module_relative=False) == (1, 2)
    assert "Got:\n    2" in capsys.readouterr().out
