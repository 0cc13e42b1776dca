"""Inequalities on closed boxes: f > 0, f >= 0, lower < f < upper."""

from collections.abc import Callable
from typing import TypeAlias

from flint import arb

from numeric.arguments import flag
from numeric.certify.domain import Box, Real, real_end
from numeric.certify.enclosure import Function
from numeric.certify.outcome import Certificate, conjunction
from numeric.certify.search import Effort, Search, Statement

MAX_BOXES = 20_000
PRECISION = 128

Bounding: TypeAlias = "Real | Callable[..., arb]"


def certify_positive(
    f: Function, box: Box, *, max_boxes: int = MAX_BOXES, prec: int = PRECISION
) -> Certificate:
    """Decide whether f > 0 on the whole closed box.

    f takes the variables of the box as keyword arguments ``arb`` and returns an ``arb``
    containing every value on these balls; it should be built from exact numbers (a float such as
    0.1 counts as the binary number it is). If it also accepts an ``arb_series`` in a variable,
    returning an ``arb_series``, the mean value form is used, which needs far fewer boxes.

    PROVED: the box is covered by cells on each of which a lower bound of f is positive.
    REFUTED: f <= 0 was certified at an exact point of the box.
    UNDECIDED: neither, as where f touches 0, is not finite or too expensive; see ``reason``.
    An irrational end is covered by a rational within 2^-prec of it, outwards.

    Raises: TypeError if f does not return balls; ValueError for a meaningless budget.

    >>> print(certify_positive(lambda x: x * x - x + 1, Box(x=(-1, 2))).decision)
    Decision.PROVED
    >>> print(certify_positive(lambda x: x * x - x, Box(x=(-1, 2))).witness)
    f = -0.25000000000000000000000000000000000000 at x = 1/2
    """
    return Search(Statement(f, box, strict=True), Effort(max_boxes, prec)).run()


def certify_nonnegative(
    f: Function, box: Box, *, max_boxes: int = MAX_BOXES, prec: int = PRECISION
) -> Certificate:
    """Decide whether f >= 0 on the whole closed box.

    Provable where every lower bound is at least 0: where f > 0, and where f has an exact zero at
    an end and a derivative of one sign around it (x + x^2 at 0). For zeros of higher order at an
    end use ``certify_nonnegative_between``; a zero inside the box stays UNDECIDED. REFUTED means
    f < 0 at an exact point.

    Raises: as ``certify_positive``.

    >>> print(certify_nonnegative(lambda x: x + x * x, Box(x=(0, 3))).decision)
    Decision.PROVED
    """
    return Search(Statement(f, box, strict=False), Effort(max_boxes, prec)).run()


def certify_within(
    f: Function,
    lower: Bounding,
    upper: Bounding,
    box: Box,
    *,
    strict: bool = True,
    max_boxes: int = MAX_BOXES,
    prec: int = PRECISION,
) -> Certificate:
    """Decide whether lower < f < upper on the whole closed box (<= if not strict).

    The bounds are exact numbers (int, Fraction, '0.1', 'pi/2', a ball) or functions of the same
    variables as f. Each side is a certificate of its own, with ``max_boxes`` each; the margin is
    the smaller of the two, and a witness shows the value of f - lower or upper - f.

    Raises: as ``certify_positive``.

    >>> print(certify_within(lambda t: t.sin(), "-1/10", "101/100", Box(t=(0, "pi"))).decision)
    Decision.PROVED
    """
    strict = flag("strict", strict)
    low, high = _as_function(lower, "lower"), _as_function(upper, "upper")
    effort = Effort(max_boxes, prec)
    above = Statement(lambda **x: f(**x) - low(**x), box, strict)
    below = Statement(lambda **x: high(**x) - f(**x), box, strict)
    parts = [Search(statement, effort).run() for statement in (above, below)]
    sign = "<" if strict else "<="
    return conjunction(parts, relation=f"lower {sign} f {sign} upper", domain=above.domain())


def _as_function(bound: Bounding, name: str) -> Callable[..., arb]:
    if callable(bound):
        return bound
    end = real_end(bound, name)
    return lambda **_: end.ball()
