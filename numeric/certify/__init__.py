"""Proofs of inequalities on whole domains, in ball arithmetic.

    certify_positive                f > 0 on a closed box
    certify_nonnegative             f >= 0 on a closed box
    certify_within                  lower < f < upper on a closed box
    certify_positive_between        f > 0 up to ends of one variable at which f vanishes
    certify_nonnegative_between     f >= 0 including such ends
    certify_positive_to_end         f > 0 with one such end

There is none for a half-line: write the part near infinity in the inverse variable.

Each answers a ``Certificate``, whose ``decision`` is PROVED, REFUTED or UNDECIDED. PROVED covers
every real point of the domain it names: domains are cut into cells without gaps, and every bound
is rounded outwards.

The inequality is given as a Python function of balls. What it computes must contain the truth:
exact constants (``arb(1) / 10``, ``arb.pi()``), methods of ``arb``, and for arguments known to
stay in their domain ``sqrt_nonnegative``, ``asin_clipped`` and ``acos_clipped``. It must not
branch on the truth of a comparison of balls, which is False also when nothing is known.
"""

from numeric.balls import (
    acos_clipped,
    asin_clipped,
    hull,
    monotone_enclosure,
    sqrt_nonnegative,
    working_precision,
)
from numeric.certify.domain import Box
from numeric.certify.intervals import (
    certify_nonnegative_between,
    certify_positive_between,
    certify_positive_to_end,
)
from numeric.certify.outcome import Certificate, Decision, Range, Witness
from numeric.certify.positivity import certify_nonnegative, certify_positive, certify_within

__all__ = [
    "Box",
    "Certificate",
    "Decision",
    "Range",
    "Witness",
    "acos_clipped",
    "asin_clipped",
    "certify_nonnegative",
    "certify_nonnegative_between",
    "certify_positive",
    "certify_positive_between",
    "certify_positive_to_end",
    "certify_within",
    "hull",
    "monotone_enclosure",
    "sqrt_nonnegative",
    "working_precision",
]
