"""What the tests of certificates share."""

from flint import arb

from numeric.certify import Box, Decision
from numeric.certify.domain import exact_rational

PROVED, REFUTED, UNDECIDED = Decision.PROVED, Decision.REFUTED, Decision.UNDECIDED
UNIT = Box(x=(0, 1))
DELTA = Box(delta=(0, 1))


def ratio(value):
    """An exact constant as a ball at the working precision."""
    return arb(exact_rational(value))
