"""The interactive session: every digit asked for is shown, and none that was not."""

import mpmath
import numpy as np
import pytest
from IPython.core.formatters import PlainTextFormatter
from trying import each

from numeric.cosine_maps import delta_phi, varrho
from theorems.interface.console import names, show_all_digits


@pytest.fixture(scope="module")
def shown():
    formatter = PlainTextFormatter()
    show_all_digits(formatter)
    return formatter


@each("digits", 5, 16, 50, 200)
def test_all_digits_asked_for_are_shown(shown, digits):
    value = names()["varrho"]("0.3", 1, digits=digits)
    with mpmath.workdps(digits + 10):
        rho = mpmath.mpf(3) / 10
        truth = 2 / mpmath.pi * (mpmath.sqrt(1 - rho**2) + rho * mpmath.asin(rho))
    assert shown(value) == mpmath.nstr(truth, digits)


def test_zeros_at_the_end_are_forgotten_but_no_digit_is(shown):
    assert shown(names()["varrho"]("0.5", 0, digits=40)) == "0.5"


def test_other_numbers_are_shown_as_everywhere(shown):
    assert shown(mpmath.mpf("0.1")) == "0.1"
    assert shown(varrho(0.3, 1)) == repr(varrho(0.3, 1))
    assert shown(np.array([0.25, 1.0])) == "array([0.25, 1.  ])"


def test_the_entries_of_a_kernel_are_shown_in_full(shown):
    kernel = names()["limiting_ntk"]([[1, 0], [0, 1]], 2, 1, digits=30)
    with mpmath.workdps(40):
        off = mpmath.nstr(2 / mpmath.pi, 30)
    assert shown(kernel) == f"[[2.0, {off}],\n [{off}, 2.0]]"


def test_the_session_keeps_names_docstrings_and_claims():
    known = names()
    assert known["delta_phi"].__doc__ == delta_phi.__doc__
    assert known["claims"]["eoc.prop17"].id == "eoc.prop17"
    assert hasattr(known["symbolic"], "__path__")
