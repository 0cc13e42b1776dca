"""Inequalities on an interval at whose ends both sides meet.

At an end where f vanishes no cell touching it can be proved by enclosures of f. There the search
bounds f / s^p instead, s the distance from the end and p the order of the zero, by an expansion
with a rigorous remainder (see ``expansion``), and elsewhere f itself: one cover, no gap.
"""

from __future__ import annotations

from flint import fmpq

from numeric.arguments import identifier, integer, pair, sentence
from numeric.certify.domain import Box, End, Interval, Real, as_interval
from numeric.certify.enclosure import Function
from numeric.certify.expansion import ZeroEnd
from numeric.certify.outcome import Certificate
from numeric.certify.positivity import MAX_BOXES, PRECISION
from numeric.certify.search import Effort, Search, Statement

NO_OTHERS = Box()

#: With so many terms every product of power series takes milliseconds, on each of thousands of
#: cells: whoever claims a zero of higher order has made a slip.
MOST_ORDER = 1000


def certify_positive_between(
    f: Function,
    variable: str,
    between: tuple[Real | End, Real | End],
    *,
    zero_orders: tuple[int, int],
    others: Box = NO_OTHERS,
    vanishing: str | None = None,
    max_boxes: int = MAX_BOXES,
    prec: int = PRECISION,
) -> Certificate:
    """Decide whether f > 0 strictly between two ends at which it may vanish.

    zero_orders   (p, q): f vanishes to order p at the lower and q at the upper end, which are then
                  left out of the domain; order 0 keeps the end in
    others        the box of the remaining variables
    vanishing     why f vanishes to these orders, where ball arithmetic cannot see it

    f must accept an ``arb_series`` in the variable, and be analytic at each end left out. That f
    vanishes there is not taken on trust: the leading Taylor coefficients must come out as exact
    zeros, as they do in rational arithmetic at a rational end (2t + t cos t - 3 sin t at t = 0, or
    log x at x = 1). Where they are merely balls around 0 (at an irrational end such as pi, or if
    terms with an irrational factor cancel) the answer is UNDECIDED with the coefficient in
    question, unless the caller gives a reason by ``vanishing``, which the certificate records
    among its assumptions. Best is to measure the variable from the end: with s = pi - t, sin t is
    sin s. A claimed order above the true one is harmless if the first coefficient left over is
    positive; one below it leaves a zero behind, and is UNDECIDED.

    If f is monotonic in one of the others near the end, only its lowest face counts there:
    2 (1 - delta) + s^2 may be given order 2 at s = 0 for delta in [0, 1].

    Raises: TypeError if f does not accept a series or an argument has the wrong type;
    ValueError for a negative order, a variable also in others, or an interval without interior.

    >>> f = lambda t: t.sin() - t * t.cos()                       # t^3 / 3 near 0
    >>> certificate = certify_positive_between(f, "t", (0, "pi"), zero_orders=(3, 0))
    >>> print(certificate.decision, certificate.domain["t"])
    Decision.PROVED (0, pi]
    """
    statement = statement_between(f, variable, between, zero_orders, others, vanishing)
    return Search(statement, Effort(max_boxes, prec)).run()


def certify_nonnegative_between(
    f: Function,
    variable: str,
    between: tuple[Real | End, Real | End],
    *,
    zero_orders: tuple[int, int],
    others: Box = NO_OTHERS,
    vanishing: str | None = None,
    max_boxes: int = MAX_BOXES,
    prec: int = PRECISION,
) -> Certificate:
    """Decide whether f >= 0 between two ends, both included, at which it may vanish.

    As ``certify_positive_between``, but on the closed interval: at an end left out there, f is
    exactly 0. REFUTED means f < 0 at an exact point.

    Raises: as ``certify_positive_between``.

    >>> f = lambda t: 1 - t.cos()
    >>> print(certify_nonnegative_between(f, "t", (0, 6), zero_orders=(2, 0)).domain["t"])
    [0, 6]
    """
    statement = statement_between(f, variable, between, zero_orders, others, vanishing, strict=False)
    return Search(statement, Effort(max_boxes, prec)).run()


def certify_positive_to_end(
    f: Function,
    variable: str,
    end: Real | End,
    other_end: Real | End,
    *,
    order: int,
    others: Box = NO_OTHERS,
    vanishing: str | None = None,
    max_boxes: int = MAX_BOXES,
    prec: int = PRECISION,
) -> Certificate:
    """Decide whether f > 0 from one end, where it vanishes to this order, to the other, included.

    ``end`` may be the lower or the upper one; the interval is half-open there. Otherwise as
    ``certify_positive_between``.

    Raises: as ``certify_positive_between``.

    >>> f = lambda s: s.sin() - s * 2 / 3                  # positive near s = 0 on either side?
    >>> print(certify_positive_to_end(f, "s", 0, 1, order=1).domain["s"])
    (0, 1]
    >>> print(certify_positive_to_end(f, "s", 0, -1, order=1).decision)
    Decision.REFUTED
    """
    identifier("variable", variable)
    order_of_zero("order", order)
    lower_first = _certainly_below(end, other_end, variable)
    between = (end, other_end) if lower_first else (other_end, end)
    return certify_positive_between(
        f,
        variable,
        between,
        zero_orders=(order, 0) if lower_first else (0, order),
        others=others,
        vanishing=vanishing,
        max_boxes=max_boxes,
        prec=prec,
    )


def order_of_zero(name: str, order: object) -> int:
    """Return the order to which a function vanishes, an int in [0, MOST_ORDER]."""
    return integer(name, order, 0, MOST_ORDER)


def _certainly_below(first: Real | End, second: Real | End, variable: str) -> bool:
    try:
        Interval(first, second, variable)
    except ValueError:
        return False
    return True


def statement_between(
    f: Function,
    variable: str,
    between: tuple[Real | End, Real | End],
    zero_orders: tuple[int, int],
    others: Box,
    vanishing: str | None = None,
    *,
    strict: bool = True,
) -> Statement:
    """Return the statement that f > 0 (or f >= 0) between two ends; checks the arguments."""
    identifier("variable", variable)
    if vanishing is not None:
        sentence("vanishing", vanishing)
    if variable in others:
        raise ValueError(f"others must not contain the variable {variable} of the interval")
    interval = as_interval(between, variable)
    orders = pair("zero_orders", zero_orders, of="p, q")
    lower_order, upper_order = (order_of_zero("zero_orders", order) for order in orders)
    if interval.cover().width == fmpq(0):
        raise ValueError(f"{variable} must range over more than one point, got {interval.range()}")
    ends = (
        ZeroEnd(variable, interval.lower, +1, lower_order, vanishing),
        ZeroEnd(variable, interval.upper, -1, upper_order, vanishing),
    )
    box = Box(**{variable: interval}) | others
    return Statement(f, box, strict, tuple(end for end in ends if end.order > 0))
