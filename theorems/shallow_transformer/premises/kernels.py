"""What proofs about the tangent kernel take over of one random head: its size and its moments."""

from functools import cache

import sympy as sp
from sympy import Abs, Symbol

from theorems.classical.conditional_means import tower_rule
from theorems.classical.gaussian_moments import partial_weights, weighted_squares
from theorems.classical.products import odd_numbers
from theorems.engine import Given, both, eq, ge, le, rules
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm
from theorems.engine.rules.sums import by_recursion
from theorems.shallow_transformer.hypotheses import BOUNDED_SLOPES, BOUNDED_VALUES, QUERY, RANDOM_HEADS
from theorems.shallow_transformer.letters.paper import M_trace, a_size, d, sigma_0, sigma_1
from theorems.shallow_transformer.premises.means import in_the_mean, what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, what_is_assumed

_COUNT = Symbol("number of eigenvalues", integer=True, nonnegative=True)


@cache
def _three_blocks() -> Theorem:
    """|H + S(A + QY)| ≤ h + s(1 + l) if |A|, |Q| ≤ 1, |H| ≤ h, |S| ≤ s and |Y| ≤ l."""
    names = sp.symbols("H_1 S_1 A_1 Q_1 Y_1", real=True)
    value, slope, mean, query, moved = names
    h, s, far = tops = sp.symbols("h_1 s_1 l_1", nonnegative=True)
    where = [le(Abs(mean), 1), le(Abs(query), 1)]
    where += [le(Abs(one), top) for one, top in zip((value, slope, moved), tops, strict=True)]
    product, sum_ = le(Abs(query * moved), far), le(Abs(mean + query * moved), 1 + far)
    second = NETWORKS.follows(NETWORKS.follows(goal=product, under=where), goal=sum_, under=where)
    third = NETWORKS.follows(second, goal=le(Abs(slope * (mean + query * moved)), s * (1 + far)), under=where)
    goal = le(Abs(value + slope * (mean + query * moved)), h + s * (1 + far))
    return NETWORKS.follows(third, goal=goal, under=where)


def size_of_a_head(given: Given, share: Symbol, left: Symbol, right: Symbol) -> Theorem:
    """|κ| ≤ σ₀² + σ₁²(1 + |MU||M′U|), as |a|, |a′|, |q| and |q′| are at most 1."""
    a, a_, q, q_, y, y_ = map(Vector, ("a", "a'", "q", "q'", "MU", "M'U"))
    h, h_, s, s_ = sp.symbols("h h' s s'", real=True)
    other = Symbol("length of the other pooled token", nonnegative=True)
    parts = NETWORKS.meaning(
        "the three blocks of κ",
        eq(share, h * h_ + s * s_ * (inner(a, a_) + inner(q, q_) * inner(y, y_))),
        *(eq(norm(one), size) for size, one in ((a_size, a), (other, a_), (left, y), (right, y_))),
    )
    short = what_it_says(given, "st.fact2", le(a_size, 1))
    lengths = [short, NETWORKS.substituted(short, {a_size: other})]
    queries = what_is_assumed(given, QUERY, le(norm(q), 1), le(norm(q_), 1))
    values = what_is_assumed(given, BOUNDED_VALUES, *(le(Abs(one), sigma_0) for one in (h, h_)))
    slopes = what_is_assumed(given, BOUNDED_SLOPES, *(le(Abs(one), sigma_1) for one in (s, s_)))
    bounds = [
        (h * h_, sigma_0**2, [values]),
        (s * s_, sigma_1**2, [slopes]),
        (inner(a, a_), sp.S.One, [parts, *lengths, facts.cauchy_schwarz(a, a_)]),
        (inner(q, q_), sp.S.One, [queries, facts.cauchy_schwarz(q, q_)]),
        (inner(y, y_), left * right, [parts, facts.cauchy_schwarz(y, y_)]),
    ]
    known = [between(given, le(Abs(one), top), *why) for one, top, why in bounds]
    letters = sp.symbols("H_1 S_1 A_1 Q_1 Y_1", real=True)
    tops = sp.symbols("h_1 s_1 l_1", nonnegative=True)
    at = dict(zip(letters, (one for one, _, _ in bounds), strict=True))
    at |= dict(zip(tops, (sigma_0**2, sigma_1**2, left * right), strict=True))
    where = [one.statement for one in known]
    whole = NETWORKS.substituted(_three_blocks(), at, under=where)
    goal = le(Abs(share), sigma_0**2 + sigma_1**2 * (1 + left * right))
    return NETWORKS.follows(parts, whole, *known, goal=goal)


def small_square_trace(given: Given, claim: str, square: Symbol, bound: sp.Expr) -> Theorem:
    """tr M² ≤ (tr M)² for M ≥ 0, and at most the square of what a claim says of tr M."""
    trace = what_it_says(given, claim, le(M_trace, bound))
    return NETWORKS.follows(trace, square_below_the_trace(square), goal=le(square, bound**2))


def square_below_the_trace(square: Symbol) -> Theorem:
    """Tr M² = Σw_i is at most (tr M)² = (Σ√w_i)², where the w_i are the squared eigenvalues."""
    weights = partial_weights(_COUNT)
    roots = sp.Sum(sp.sqrt(weights.function), *weights.limits)
    smaller = by_recursion(both(le(weights, roots**2), ge(roots, 0)), _COUNT)
    at = {_COUNT: d}
    traces = NETWORKS.meaning(
        "traces by the squared eigenvalues", eq(square, weights.xreplace(at)), eq(M_trace, roots.xreplace(at))
    )
    return NETWORKS.follows(NETWORKS.substituted(smaller, at), traces, goal=le(square, M_trace**2))


def fourth_moment(given: Given, length: Random) -> Theorem:
    """E|MU|⁴ ≤ 3: given W at most 3(tr M²)², as |MU|² is a sum of squares; and tr M² ≤ 1.

    The squares of coordinates of U along eigenvectors of M have the squared eigenvalues as weights.
    """
    square, moment = (Symbol(name, nonnegative=True) for name in ("tr M^2", "E|MU|^4 given W"))
    there = weighted_squares(given, RANDOM_HEADS, moment, square, d, sp.Integer(2))
    (odd,) = (one for one in there.statement.rhs.args if one.is_Function)
    double = rules.instance(odd_numbers(odd.func), [1])
    small = small_square_trace(given, "st.fact3", square, sp.S.One)
    pointwise = NETWORKS.follows(there, double, small, goal=le(moment, 3))
    drawn = Random(f"E{length}^4 given W")
    outer = in_the_mean(pointwise, {moment: drawn})
    tower = tower_rule(NETWORKS.meaning, length**4, drawn)
    return NETWORKS.follows(outer, tower, goal=le(E(length**4), 3))
