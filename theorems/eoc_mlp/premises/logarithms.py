"""Facts on logarithms that sums over the layers are compared with: chords, and quotients."""

from functools import cache
from typing import Any

from sympy import Expr, Interval, diff, expand, log, symbols

from theorems.engine import eq, ge, rules
from theorems.engine.rules import Theorem, facts, principles

_x, _y = symbols("x y", nonnegative=True)


@cache
def chord() -> Theorem:
    """Log(1 + x) ≥ x log 2 for x in [0, 1]: the difference rises from 0, then falls to 0."""
    gap, top = log(1 + _x) - _x * log(2), 1 / log(2) - 1
    rising, falling = {_x: Interval(0, top)}, {_x: Interval(top, 1)}
    up = principles.increasing(rules.follows(diff(gap, _x) >= 0, over=rising), gap, _x, _y)
    down = principles.increasing(rules.follows(diff(gap, _x) <= 0, over=falling), gap, _x, _y)
    from_left = up.at({_x: 0, _y: _x})
    to_right = down.at({_y: 1})
    pieces = [rules.follows(ge(gap, 0), [from_left]), rules.follows(ge(gap, 0), [to_right])]
    return rules.follows(ge(gap, 0), pieces, over={_x: Interval(0, 1)})


def successor(number: Expr, over: Any) -> list[Theorem]:
    """What log(N + 1) - log N is at least and at most: (log 2)/N, 1/(N + 1) and 1/N, N ≥ 1."""
    step = log(1 + 1 / number)
    product = facts.logarithm_of_product(number, 1 + 1 / number, over=over)
    return [
        rules.follows(eq(log(expand(number + 1)), log(number) + step), [product], over=over),
        chord().at({_x: 1 / number}, over=over),
        facts.logarithm_below_tangent(1 + 1 / number, over=over),
        facts.logarithm_below_tangent(number / (number + 1), over=over),
        rules.follows(
            eq(log(number / (number + 1)), -step),
            [facts.logarithm_of_product(number / (number + 1), 1 + 1 / number, over=over)],
            over=over,
        ),
    ]


def quotient(above: Expr, below: Expr, over: Any) -> Theorem:
    """Log(a/b) = log a - log b for a, b > 0."""
    found = facts.logarithm_of_product(above / below, below, over=over)
    return rules.follows(eq(log(above / below), log(above) - log(below)), [found])
