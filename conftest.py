"""Profiles of the property tests, a folder of their own, and a clean numeric state around each.

The profile without a name makes the same examples everywhere.
"""

import doctest
import os
import signal
from collections.abc import Iterator

import alike
import flint
import mpmath
import pytest
import surroundings  # noqa: F401 - names the folder before anything looks for one
from hypothesis import HealthCheck, settings

# Hypothesis has settings of its own where it thinks that it runs for nobody: not so here.
_COMMON = {
    "parent": settings.get_profile("default"),
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
}
settings.register_profile("repeatable", max_examples=100, derandomize=True, database=None, **_COMMON)
settings.register_profile("dev", max_examples=50, **_COMMON)
settings.register_profile("exhaustive", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# The examples of docstrings and of pages are compared as numbers where they are numbers.
doctest.OutputChecker = alike.Checker

# The parallel runner tells its workers a width, which would be that of all tables that are tested.
os.environ.pop("COLUMNS", None)

# A shell that runs the tests in the background has them ignore interrupts, and so would the
# commands that tests start in order to interrupt them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _fresh_precision() -> Iterator[None]:
    """Working precision is global in mpmath and flint: no test may leak it into another."""
    mp_prec, flint_prec = mpmath.mp.prec, flint.ctx.prec
    yield
    mpmath.mp.prec, flint.ctx.prec = mp_prec, flint_prec
