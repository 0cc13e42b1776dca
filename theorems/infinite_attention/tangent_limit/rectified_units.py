"""Units φ(f) = max(f, 0) of a normal entry f, and their slopes, which are 0 or 1."""

from sympy import Expr, Integer, Max, Symbol, sympify

from theorems.classical.normal_means import positive_half, step
from theorems.engine import both, eq, rules
from theorems.engine.rules import E, Theorem, principles
from theorems.engine.rules.normal_variables import fourth_moment, positive_parts
from theorems.engine.rules.ranges import Over

_u = Symbol("u", real=True)


def tangent_share(f: Expr) -> Expr:
    """φ'(f)², by which the tangent kernel of f is multiplied behind φ."""
    return step(f) ** 2


def square(f: Expr) -> Expr:
    """φ(f)²."""
    return Max(f, 0) ** 2


def moments_of_a_unit(law: Theorem, f: Expr, variance: Expr, over: Over) -> Theorem:
    """Means of φ'², φ'⁴, φ², φ⁴, φ'²φ² and φ'²φ⁴, from f being normal with a positive variance.

    φ' = φ'² is 1 with probability 1/2, and φ'φ = φ; E φ² = E f²/2, and E φ⁴ = E f⁴/2 = 3(E f²)²/2.
    """
    t, s = tangent_share(f), square(f)
    known = [
        law,
        positive_half(f),
        fourth_moment(f),
        *(positive_parts(f, Integer(q)) for q in (1, 2)),
        *(_same(step(_u) ** power, step(_u), f, over) for power in (2, 4)),
        *(_same(step(_u) ** 2 * Max(_u, 0) ** p, Max(_u, 0) ** p, f, over) for p in (2, 4)),
    ]
    halves = {t: 1, t**2: 1, s: variance, t * s: variance}
    halves |= dict.fromkeys((s**2, t * s**2), 3 * variance**2)
    goals = both(*(eq(E(one), sympify(value) / 2) for one, value in halves.items()))
    return rules.follows(goals, known)


def _same(left: Expr, right: Expr, f: Expr, over: Over) -> Theorem:
    """Functions of f that are equal for all its values have one mean."""
    equal = rules.follows(eq(left, right))
    return principles.expected_jointly(equal, {_u: f}, over=over)
