"""Outputs in a page or a docstring, compared with those of this machine: numbers as numbers.

Processors differ in the last digits of a float: in the order of sums, and in how elementary
functions are rounded.  So numbers that a float can have written may differ by 10^-12 of them, some
4000 roundings of 2^-53 each.  Integers, words, and digits beyond those of a float are the same.
"""

import doctest
import re
from itertools import chain, zip_longest

_FLOAT = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?!\w)")
_ROUNDING = 1e-12
_MOST_DIGITS = 17  # with which a float is told from its neighbours


def alike(shown, printed):
    """Whether a command printed what a page shows, but for roundings and the width of columns."""
    return shown.split() == in_digits_of(shown, printed).split()


def in_digits_of(shown, printed):
    """What was printed, with the floats in the digits that are shown where they agree."""
    found, wanted = _FLOAT.findall(printed), _FLOAT.findall(shown)
    wanted += found[len(wanted) :]
    written = [two if _agree(one, two) else one for one, two in zip(found, wanted, strict=False)]
    between = _FLOAT.split(printed)
    return "".join(chain.from_iterable(zip_longest(between, written, fillvalue="")))


def _agree(one, other):
    if max(map(_digits, (one, other))) > _MOST_DIGITS:
        return one == other
    return abs(float(one) - float(other)) <= _ROUNDING * abs(float(other))


def _digits(number):
    return len(number.partition("e")[0].replace(".", "").lstrip("0"))


class Checker(doctest.OutputChecker):
    """Compares the examples of docstrings so."""

    def check_output(self, want, got, optionflags):
        return super().check_output(want, in_digits_of(want, got), optionflags)
