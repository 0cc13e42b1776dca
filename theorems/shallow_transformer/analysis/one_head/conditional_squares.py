"""The mean size of a centred square ⟨N, (X − a)(X − a)ᵀ⟩ of a drawn token, for ‖N‖_F = 1.

The tokens where it is above its mean have the chance p, the covariance C₁ and the mean e, the
others C₀ and g; H = hhᵀ for h = e − g.
"""

from functools import cache
from itertools import combinations
from typing import Any

from sympy import Abs, Expr, Interval, Rational, Reals, sqrt, symbols

from theorems.engine import Given, both, eq, ge, gt, implies, le, lt, rules
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm, principles
from theorems.shallow_transformer.analysis.one_head.mean_matrices import (
    below_its_trace,
    nonnegative_product,
    trace_of_a_square,
)
from theorems.shallow_transformer.analysis.one_head.one_side import COORDINATE, Side
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters.pooled import tokens
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.heads import of_a_drawn_token
from theorems.shallow_transformer.premises.matrices.outer_products import (
    coordinate,
    product_of_outer_products,
)
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import generalised
from theorems.shallow_transformer.premises.tokens import what_is_assumed

LARGEST = 4 / (3 * sqrt(3))
#: The form at a drawn token; whether it is above its mean, or below; the squared length.
SQUARE = Random("Q")
_above, _below, _length = Random("above"), Random("below"), Random("|X|^2")
_v, _x, _w, _y = symbols("value indicator other_indicator length", real=True)
MIDDLE, _p = symbols("middle p", real=True)
_N, _C1, _C0, _H, _e, _g = map(Vector, ("N", "C_1", "C_0", "H", "e", "g"))
#: N is a matrix of length 1.
_LENGTH_ONE = eq(norm(_N), 1)
_traces = symbols("t_1 t_0 t_H", nonnegative=True)
_squares = symbols("m_1 m_0", real=True)
_UNIT = Interval(0, 1)


def _on_average(relation: Any, *known: Theorem) -> Theorem:
    """A relation between values, in the mean."""
    letters = set(relation.free_symbols).union(*(one.over for one in known))
    each = rules.follows(relation, known, over=as_declared(*letters))
    drawn = {_v: SQUARE, _x: _above, _w: _below, _y: _length}
    here = {one: X for one, X in drawn.items() if one in each.over}
    return principles.expected_jointly(each, here)


@cache
def _event() -> Theorem:
    """The indicators of the event that Q is at least its mean, and of its complement."""
    return ONE_HEAD.meaning(
        "the indicators of the event that Q is at least its mean, and of its complement",
        *(implies(ge(_v, MIDDLE), eq(one, value)) for one, value in ((_x, 1), (_w, 0))),
        *(implies(lt(_v, MIDDLE), eq(one, value)) for one, value in ((_x, 0), (_w, 1))),
    )


@cache
def _size() -> Theorem:
    """E|Q − EQ| = 2p(1 − p)⟨N, C₁ − C₀ + (1 − 2p)H⟩."""
    signs = _on_average(eq(Abs(_v - MIDDLE), (_x - _w) * (_v - MIDDLE)), _event())
    both_ = [_on_average(one, _event()) for one in (eq(_x + _w, 1), eq(_v, (_x + _w) * _v))]
    means = ONE_HEAD.meaning("the mean of Q", eq(MIDDLE, E(SQUARE)))
    centre, *counted = _means()
    moments = [
        side.form(SQUARE, _N, _H, _e - _g, known, centre) for side, known in zip(_SIDES, counted, strict=True)
    ]
    matrix = _C1 - _C0 + (1 - 2 * _p) * _H
    goal = eq(E(Abs(SQUARE - MIDDLE)), 2 * _p * (1 - _p) * inner(_N, matrix))
    return rules.follows(goal, [signs, *both_, means, *counted, *moments])


_SIDES = Side(_above, _p, _e, _C1, 1 - _p), Side(_below, 1 - _p, _g, _C0, -_p)


@cache
def _means() -> list[Theorem]:
    """The mean of all tokens, a = pe + (1 − p)g by coordinates; the chances p and 1 − p."""
    chance = ONE_HEAD.meaning("the chance to be above", eq(_p, E(_above)))
    whole = _on_average(eq(_x + _w, 1), _event())
    other = ONE_HEAD.follows(chance, whole, goal=eq(E(_below), 1 - _p))
    each = rules.follows(eq(_y, (_x + _w) * _y), [_event()], over=as_declared(_x, _w, _v, MIDDLE, _y))
    drawn = {_v: SQUARE, _x: _above, _w: _below, _y: COORDINATE}
    split = principles.expected_jointly(each, drawn, over=as_declared(COORDINATE))
    first, second = (coordinate(one, COORDINATE.args[0]) for one in (_e, _g))
    mean = eq(E(COORDINATE), _p * first + (1 - _p) * second)
    known = [split, *(side.mean() for side in _SIDES)]
    return [ONE_HEAD.follows(*known, goal=mean), ONE_HEAD.follows(chance, goal=eq(E(_above), _p)), other]


def _lengths(given: Given) -> Theorem:
    """0 ≤ p ≤ 1; the mean squares m₁ and m₀ are at most 1 where they are means."""
    square = inner(tokens(t), tokens(t))
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    inside = both(ge(square, 0), le(square, 1))
    positive = facts.positive_definite(tokens(t))
    each = rules.follows(inside, [ball, positive])
    surely = of_a_drawn_token(each, {square: _length})
    bounds = [_on_average(one, _event()) for one in (le(0, _x), le(_x, 1))]
    letters = {_x: Reals, _w: Reals, _v: Reals, MIDDLE: Reals, _y: _UNIT}
    short = [
        principles.expected_jointly(
            rules.follows(one, [_event()], over=letters), {_x: _above, _w: _below, _v: SQUARE, _y: _length}
        )
        for one in (le(_x * _y, _x), le((1 - _x) * _y, 1 - _x))
    ]
    m1, m0 = _squares
    meaning = ONE_HEAD.meaning(
        "mean squares of the tokens above and below",
        eq(E(_above * _length), _p * m1),
        eq(E(_length) - E(_above * _length), (1 - _p) * m0),
    )
    goal = both(*(ge(_p, 0), le(_p, 1)), implies(both(gt(_p, 0), lt(_p, 1)), both(le(m1, 1), le(m0, 1))))
    known = [surely, *bounds, *short, meaning, *_means()[1:]]
    return rules.follows(goal, known)


@cache
def _traces_of_matrices() -> list[Theorem]:
    """Tr C₁ = m₁ − |e|² and so on, and tr H ≤ (|e| + |g|)²; they bound the norms."""
    t1, t0, th = _traces
    traces = trace_of_a_square(_H, _e, _g, th)
    jump = (_e - _g, _e - _g)
    rank_one = product_of_outer_products(inner(_H, _H), jump, jump)
    small = ONE_HEAD.follows(rank_one, traces, goal=le(norm(_H), th))
    products = [nonnegative_product(*pair) for pair in combinations((_C1, _C0, _H), 2)]
    found = [below_its_trace(_C1, t1), below_its_trace(_C0, t0), small, *products]
    semidefinite = ONE_HEAD.follows(*found, goal=both(*(one.statement for one in found)))
    return [semidefinite, facts.triangle(_e, -_g), traces, *_traces_of_covariances()]


def _traces_of_covariances() -> list[Theorem]:
    """Tr C₁ = m₁ − |e|² and tr C₀ = m₀ − |g|²."""
    each = zip(_SIDES, _traces[:2], _squares, strict=True)
    return [side.trace(trace, square) for side, trace, square in each]


_k, _a, _b, _n, _q = symbols("k a b n q", real=True)


@cache
def _numbers() -> Theorem:
    """(1 − k²)²(n² + q²) ≤ 64/27 if n ≤ 1 − a² + k(a + b)² and q ≤ 1 − b², all in [0, 1] but n.

    (1 − k)n ≤ 1 − k + kb². For k ≤ 1/2, and where kb ≤ 1 − k, that is enough; else n ≤ k(1 + b)².
    """
    k, a, b, n, q = _k, _a, _b, _n, _q
    over = {k: _UNIT, a: _UNIT, b: _UNIT, n: Reals, q: Reals}
    most = 1 - a**2 + k * (a + b) ** 2
    given = both(le(0, n), le(n, most), le(0, q), le(q, 1 - b**2))
    line, limit = 1 - k + k * b**2, Rational(64, 27)
    row = line**2 + (1 - k) ** 2 * (1 - b**2) ** 2
    first = rules.follows(le((1 - k) * most, line), over=over)
    short = rules.follows(implies(given, le((1 - k) * n, line)), [first])
    whole = n**2 + q**2
    rows = rules.follows(implies(given, le((1 - k) ** 2 * whole, row)), [short])
    large = both(ge(k, Rational(1, 2)), ge(k * b, 1 - k))
    steep = rules.follows(implies(both(given, large), le(n, k * (1 + b) ** 2)), over=over)
    square = le((k * (1 + b) ** 2) ** 2 + (1 - b**2) ** 2, 16 * k**2)
    corner = rules.follows(implies(large, square), over=over)
    far = rules.follows(implies(both(given, large), le(whole, 16 * k**2)), [steep, corner])
    cubic = rules.follows(le(16 * k**2 * (1 - k**2) ** 2, limit), over=over)
    half = le(k, Rational(1, 2))
    near = rules.follows(implies(half, le((1 + k) ** 2 * row, limit)), over=over)
    middle = le(row, 16 * k**2 * (1 - k) ** 2)
    between = both(ge(k, Rational(1, 2)), le(k * b, 1 - k))
    mid = rules.follows(implies(between, middle), over=over)
    known = [rows, far, cubic, near, mid]
    goal = le((1 - k**2) ** 2 * whole, limit)
    found = rules.follows(implies(given, goal), [*known, *_scaled(whole, row)])
    inside = both(*(le(0, one) for one in (k, a, b)), *(le(one, 1) for one in (k, a, b)))
    anywhere = dict.fromkeys(over, Reals)
    return rules.follows(implies(both(inside, given), goal), [found], over=anywhere)


def _scaled(whole: Expr, row: Expr) -> list[Theorem]:
    """From (1 − k)²W ≤ R and bounds of (1 + k)²R or of R, or from one of W, that of (1 − k²)²W."""
    k, W, R = _k, _n, _q
    over, limit = {k: _UNIT, W: Reals, R: Reals}, Rational(64, 27)
    goal, cubic = le((1 - k**2) ** 2 * W, limit), le(16 * k**2 * (1 - k**2) ** 2, limit)
    rows = le((1 - k) ** 2 * W, R)
    ways = [
        both(rows, le((1 + k) ** 2 * R, limit)),
        both(rows, le(R, 16 * k**2 * (1 - k) ** 2), cubic),
        both(le(W, 16 * k**2), cubic),
    ]
    found = [rules.follows(implies(way, goal), over=over) for way in ways]
    there = {k: _UNIT, _a: _UNIT, _b: _UNIT, _n: Reals, _q: Reals}
    return [one.at({W: whole, R: row}, over=there) for one in found]


def _distance(lengths: Theorem, k: Expr, first: int) -> Theorem:
    """((1 − k²)/2)²|A − B|² ≤ 16/27 where A = C + kH and B are the matrices of both events."""
    t1, t0, th = _traces
    inside, outside = ((_C1, _C0), (_C0, _C1))[first]
    a, b = ((norm(_e), norm(_g)), (norm(_g), norm(_e)))[first]
    own, other = ((t1, t0), (t0, t1))[first]
    semidefinite, triangle, *traces = _traces_of_matrices()
    A, under = inside + k * _H, [gt(_p, 0), lt(_p, 1), ge(k, 0), _LENGTH_ONE]
    n, q = own + k * th, other
    over = as_declared(_p, n, q, a, b)

    def step(goal: Any, *known: Theorem) -> Theorem:
        return rules.follows(goal, known, over={**over, **as_declared(goal)}, under=under)

    sizes = [
        step(one, *traces, semidefinite, triangle, lengths)
        for one in (
            both(le(0, a), le(a, 1), le(0, b), le(b, 1), le(k, 1)),
            both(le(0, n), le(n, 1 - a**2 + k * (a + b) ** 2)),
            both(le(0, q), le(q, 1 - b**2)),
        )
    ]
    at = {_k: k, _a: a, _b: b, _n: n, _q: q}
    bound = le((1 - k**2) ** 2 * (n**2 + q**2), Rational(64, 27))
    numbers = step(bound, *sizes, _numbers().at(at))
    lengths_ = [
        step(le(norm(A) ** 2, n**2), semidefinite, facts.triangle(inside, k * _H), *sizes),
        step(le(norm(outside) ** 2, q**2), semidefinite, *sizes),
        step(ge(inner(A, outside), 0), semidefinite),
    ]
    square = step(le(norm(A - outside) ** 2, n**2 + q**2), *lengths_)
    form = inner(_N, A - outside)
    schwarz = facts.cauchy_schwarz(_N, A - outside)
    short = step(le(form**2, n**2 + q**2), schwarz, square, *traces)
    return step(le((1 - k**2) ** 2 * form**2, Rational(64, 27)), short, numbers)


def mean_size(given: Given) -> Theorem:
    """E|Q − EQ| ≤ 4/(3√3) if |N| = 1: (4p(1 − p))²⟨N, C₁ − C₀ + (1 − 2p)H⟩² ≤ 64/27, 0 for p = 0 and 1."""
    form, k = inner(_N, _C1 - _C0 + (1 - 2 * _p) * _H), 1 - 2 * _p
    over, square = as_declared(_p, form), le((1 - k**2) ** 2 * form**2, Rational(64, 27))
    ways, lengths = [], _lengths(given)
    for first, one in enumerate((k, -k)):
        under = [gt(_p, 0), lt(_p, 1), ge(one, 0), _LENGTH_ONE]
        known = [_distance(lengths, one, first)]
        ways.append(rules.follows(square, known, under=under))
    product = le((2 * _p * (1 - _p) * form) ** 2, Rational(16, 27))
    short = generalised(product, [*ways, lengths], form, under=[_LENGTH_ONE])
    goal = le(E(Abs(SQUARE - MIDDLE)), LARGEST)
    return rules.follows(goal, [short, _size()], over={**over, **as_declared(goal)}, under=[_LENGTH_ONE])
