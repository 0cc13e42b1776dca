"""Inequalities on a half-line [start, infinity): a bounded part, and a tail in y = 1/x."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from numeric.arguments import identifier, sentence
from numeric.balls import working
from numeric.certify.domain import Box, Exact, exact_rational, label
from numeric.certify.enclosure import BallFunction, Function
from numeric.certify.intervals import NO_OTHERS, order_of_zero, statement_between
from numeric.certify.outcome import Certificate, Decision, Range, Witness, conjunction
from numeric.certify.positivity import MAX_BOXES, PRECISION
from numeric.certify.search import Effort, Search, as_fractions

# x = split * 2^k: far enough to tell tails apart by their growth, near enough for balls.
_SAMPLES = range(8)
_FAR_OUT = range(64)


def certify_positive_on_half_line(
    f: Function,
    variable: str,
    start: Exact,
    *,
    tail: Function,
    tail_sign: str,
    split: Exact,
    order_at_start: int = 0,
    order_at_infinity: int = 0,
    others: Box = NO_OTHERS,
    max_boxes: int = MAX_BOXES,
    prec: int = PRECISION,
) -> Certificate:
    """Decide whether f > 0 on [start, infinity), or on (start, infinity) if order_at_start > 0.

    No finite ball contains a neighbourhood of infinity, so the caller supplies there a function
    ``tail`` with the sign of f: a positive multiple, tail(y) = weight(y) f(1/y), written in
    y = 1/x (under the same name as the variable), evaluable at y = 0 and analytic there if
    ``order_at_infinity`` > 0.

    Proved are f > 0 on [start, split] and tail > 0 on [0, 1/split], y = 0 left out if tail
    vanishes there to the order given. That tail has the sign of f is the caller's algebra,
    worded in ``tail_sign`` and recorded as an assumption; the signs are compared at sample points,
    which can only expose an error. Without this assumption: write the whole inequality in a
    bounded variable and use ``certify_positive_between``.

    A point where the tail fails refutes the statement only if f itself fails there.

    Raises: ValueError if tail and f differ in sign at a sample point, if split is not above
    max(start, 0); otherwise as ``certify_positive_between``.

    >>> certificate = certify_positive_on_half_line(
    ...     lambda x: x * x - x + 1, "x", 0, split=1,
    ...     tail=lambda x: 1 - x + x * x, tail_sign="y^2 f(1/y) = 1 - y + y^2",
    ... )
    >>> print(certificate.decision, certificate.domain["x"])
    Decision.PROVED [0, infinity)
    """
    first, cut = exact_rational(start, "start"), exact_rational(split, "split")
    if not cut > max(first, fmpq(0)):
        raise ValueError(
            f"split must exceed start and 0, got split = {label(split)}, start = {label(start)}"
        )
    identifier("variable", variable), order_of_zero("order_at_start", order_at_start)
    sentence("tail_sign", tail_sign), order_of_zero("order_at_infinity", order_at_infinity)
    effort = Effort(max_boxes, prec)
    _compare_signs(f, tail, variable, cut, others, prec)

    def on(g: Function, lower: fmpq, upper: fmpq, order: int) -> Certificate:
        statement = statement_between(g, variable, (lower, upper), (order, 0), others)
        return Search(statement, effort).run()

    near = on(f, first, cut, order_at_start)
    far = on(tail, fmpq(0), 1 / cut, order_at_infinity)
    far = _about_f(f, far, variable, cut, tail_sign)
    half_line = Range(label(start), "infinity", order_at_start > 0, upper_open=True)
    domain = {**near.domain, variable: half_line}
    return conjunction([near, far], relation="f > 0", domain=domain)


def _points(others: Box) -> Iterator[dict[str, fmpq]]:
    """Yield centre and corners of the box of the other variables."""
    edges = {name: interval.cover() for name, interval in others.items()}
    yield {name: edge.middle() for name, edge in edges.items()}
    for corner in itertools.product(*((e.lower, e.upper) for e in edges.values())):
        yield dict(zip(edges, corner, strict=True))


def _compare_signs(
    f: Function, tail: Function, variable: str, split: fmpq, others: Box, prec: int
) -> None:
    """Raise unless tail(1/x) and f(x) agree in sign wherever both are certain."""
    with working(prec):
        for k, point in itertools.product(_SAMPLES, list(_points(others))):
            x = split * fmpq(2) ** k
            at = {name: arb(value) for name, value in point.items()}
            here = BallFunction(f)({**at, variable: arb(x)})
            there = BallFunction(tail)({**at, variable: arb(1 / x)})
            if (here > 0 and there < 0) or (here < 0 and there > 0):
                raise ValueError(
                    f"tail must have the sign of f, got f = {here} and tail = {there} at "
                    f"{variable} = {x}"
                )


def _about_f(
    f: Function, far: Certificate, variable: str, split: fmpq, tail_sign: str
) -> Certificate:
    """Return what a certificate about the tail says about f."""
    if far.witness is not None:
        return _refutation(f, far, far.witness.point, variable, split)
    if far.decision is Decision.PROVED:
        claim = f"f has the sign of its tail in 1/{variable}: {tail_sign}"
        return replace(far, assumptions=(*far.assumptions, claim))
    return replace(far, reason=f"tail: {far.reason}")


def _refutation(
    f: Function, far: Certificate, at: Mapping[str, Fraction], variable: str, split: fmpq
) -> Certificate:
    """Return a refutation of f where its tail fails (or far out, if at y = 0), if f fails too."""
    y = at[variable]
    candidates = [1 / exact_rational(y)] if y else [split * fmpq(2) ** k for k in _FAR_OUT]
    others = {name: exact_rational(x) for name, x in at.items() if name != variable}
    with working(far.precision):
        for x in candidates:
            point = {**others, variable: x}
            value = BallFunction(f)({name: arb(c) for name, c in point.items()})
            if value.is_finite() and value <= 0:
                return replace(far, witness=Witness(as_fractions(point), str(value)))
    reason = f"the tail fails ({far.witness}), but f was not shown to fail there"
    return replace(far, decision=Decision.UNDECIDED, witness=None, reason=reason)
