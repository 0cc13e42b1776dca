"""Sums of squares of Gaussian variables, and of what is dominated by such squares."""

import sympy as sp
from sympy import cbrt, exp, log, sqrt

from theorems.classical.exponential_moments import (
    ELL,
    from_the_moment,
    gaussian_square_of,
    moment_from_series,
    order,
)
from theorems.classical.gaussian_moments import standard
from theorems.classical.hypotheses import (
    GAUSSIAN_SQUARE_MOMENTS,
    INDEPENDENT_COPIES,
    INDEPENDENT_NORMALS,
    NONZERO_WEIGHTS,
)
from theorems.classical.letters import (
    A,
    M,
    W,
    claim,
    ell,
    euclidean,
    form,
    largest,
    log_moment,
    mean,
    multiplier,
    number_of_weights,
    odd_factorial,
    rate,
    s,
    tau,
)
from theorems.classical.steps import letters_of, weakened
from theorems.engine import Given, Provenance, eq, ge, half_line, le, lt, rules
from theorems.engine.rules import E, P, Theorem, facts, principles, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.engine.statements.values import unfolded

_NOTE = "proofs_notes/eoc_concentration.md#squares-of-gaussians"

_BEST = (1 - cbrt(1 + s) ** -2) / 2

DOMINATED = claim(
    "classical.dominated_squares",
    at="large deviations",
    title="Means of terms with the moments of a Gaussian square",
    states={
        "bound": le(P(ge(mean, E(W) + s * A)), exp(-M * rate(s))),
        "conjugate": le(ell * s - log_moment(ell), rate(s)),
        "attained": eq(_BEST * s - log_moment(_BEST), rate(s)),
    },
    assuming=[INDEPENDENT_COPIES, GAUSSIAN_SQUARE_MOMENTS],
    rests_on=["classical.chernoff"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DOMINATED.proved("bound")
def sum_and_optimise(given: Given) -> Theorem:
    """log E e^(λ(W - EW)) ≤ Σ_{q≥2} λ^q E|W|^q/q! ≤ ψ(λA), at the λ where ψ*(s) is attained."""
    value, converges = unfolded(log_moment(A * multiplier)), lt(2 * A * multiplier, 1)
    bound = A ** (order + 2) * odd_factorial(order + 2)
    moment = moment_from_series(given, GAUSSIAN_SQUARE_MOMENTS, bound, value, converges)
    return from_the_moment(given, moment, _BEST / A, s * A, unfolded(-M * rate(s)))


@DOMINATED.proved("conjugate", "attained")
def with_cube_roots(given: Given) -> Theorem:
    """With x³ = 1 + s and y = (1 - 2ℓ)^(-1/2) the gap is (x - y)²(x + 2y)/(2y²)."""
    return given.follows(goal=unfolded(given.goal))


RATE = claim(
    "classical.dominated_squares.rate",
    at="large deviations",
    title="Simple lower bounds of the rate",
    states={
        "in s": ge(rate(s), s**2 / (6 + sp.Rational(10, 3) * s)),
        "in tau": ge(rate(2 * tau + tau**2), tau**2 / 2),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RATE.proved("in s")
def with_a_quadruple_zero(given: Given) -> Theorem:
    """With x = (1 + s)^(1/3) the gap is (x - 1)⁴ times a polynomial with positive coefficients."""
    return given.follows(goal=unfolded(given.goal))


@RATE.proved("in tau")
def at_a_simple_point(given: Given) -> Theorem:
    """With w = (1 + τ)^(1/3) the gap is (w - 1)²(2w + 1)/2, and the quotient falls to 1."""
    return given.follows(goal=unfolded(given.goal))


LAURENT_MASSART = claim(
    "classical.laurent_massart",
    at="Laurent and Massart (2000), Lemma 1",
    title="Weighted sums of squares, weights of both signs",
    states=le(P(ge(form, 2 * euclidean * sqrt(s) + 2 * largest * s)), exp(-s)),
    assuming=[INDEPENDENT_NORMALS, NONZERO_WEIGHTS],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)

_u, _b, _t = sp.symbols("u b t", real=True)
_n = sp.Symbol("n", integer=True, nonnegative=True)
_WEIGHT = sp.Function("lambda", real=True)
_HALF = sp.Rational(1, 2)


def one_square() -> Theorem:
    """e^(-u)(1 - 2u)^(-1/2) ≤ exp(u²/(1 - 2b)) for |u| ≤ b < 1/2.

    -½log(1 - 2u) - u is at most u²/(1 - 2u) for u ≥ 0, and at most u² for u ≤ 0: the differences
    vanish at 0 and have the slopes 2u²/(1 - 2u)² and -4u²/(1 - 2u).
    """
    w, other = sp.symbols("w other_w", real=True)
    right = w**2 / (1 - 2 * w) + log(1 - 2 * w) / 2 + w
    left = w**2 + log(1 + 2 * w) / 2 - w
    sides = []
    for gap, range_ in ((right, sp.Interval.Ropen(0, _HALF)), (left, sp.Interval(0, sp.oo))):
        over = {w: range_}
        slope = rules.follows(sp.diff(gap, w) >= 0, over=over)
        grows = principles.increasing(slope, gap, w, other)
        from_zero = grows.at({w: 0, other: w})
        sides.append(rules.follows(ge(gap, 0), [from_zero]))
    over, inside = {_u: sp.Reals, _b: sp.Interval.Ropen(0, _HALF)}, [le(sp.Abs(_u), _b)]
    above = sides[0].at({w: _u}, over=over, under=[ge(_u, 0), *inside])
    below = sides[1].at({w: -_u}, over=over, under=[le(_u, 0), *inside])
    sharp, bound = -_u - log(1 - 2 * _u) / 2, _u**2 / (1 - 2 * _b)
    smaller = rules.follows(le(sharp, bound), [above, below], under=inside)
    grows = facts.exponential_increases(bound, sharp, over=over, under=inside)
    return rules.follows(le(exp(sharp), exp(bound)), [smaller, grows], under=inside)


def moments_of_sums(given: Given) -> Theorem:
    """E e^(t sum) ≤ exp(t²F²/(1 - 2tm)) for 0 ≤ t < 1/(2m), by induction over the weights."""
    S, g = randoms("S"), randoms("g")
    i = sp.Symbol("i", integer=True, nonnegative=True)
    rest = {**letters_of(given, largest), _t: half_line(0)}
    over, small = {_n: sp.Range(sp.oo), **rest}, [lt(2 * _t * largest, 1)]
    factor = _t**2 / (1 - 2 * _t * largest)
    square = _WEIGHT(_n) * (g(_n) ** 2 - 1)
    terms = exp(_t * S(_n)), exp(_t * square)
    u = _t * _WEIGHT(_n)
    said = [
        given.supposed(INDEPENDENT_NORMALS, independent(*terms), over=over),
        given.meaning(
            "a sum with one term more", eq(E(exp(_t * S(_n + 1))), E(terms[0] * terms[1])), over=over
        ),
        given.largest("the largest modulus of a weight", le(sp.Abs(_WEIGHT(_n)), largest)),
    ]
    law = given.supposed(INDEPENDENT_NORMALS, standard(g(_n)))
    moment = gaussian_square_of(given, g(_n)).at({ELL: u}, over=over, under=[lt(2 * u, 1)])
    one = rules.follows(
        eq(E(terms[1]), exp(-u) / sqrt(1 - 2 * u)), [moment, law], over=over, under=[lt(2 * u, 1)]
    )
    product = facts.expectation_of_independent(*terms, over=over)
    each = one_square().at({_u: u, _b: _t * largest}, over=over, under=[*small, le(sp.Abs(u), _t * largest)])
    squares = sp.Sum(_WEIGHT(i) ** 2, (i, 0, _n - 1))
    longer = squares.xreplace({_n: _n + 1})
    split = facts.exponential_of_sum(
        factor * longer, factor * squares, factor * _WEIGHT(_n) ** 2, over=over, under=small
    )
    none = given.meaning("a sum of no terms", eq(E(exp(_t * S(0))), 1), over={_t: rest[_t]})
    general = sums.by_recursion(
        le(E(exp(_t * S(_n))), exp(factor * squares)),
        _n,
        premises=[*said, one, product, each, split, none],
        under=small,
    )
    whole = given.meaning(
        "the weighted sum of squares, and the norm of the weights,",
        eq(E(exp(_t * form)), E(exp(_t * S(number_of_weights)))),
        eq(euclidean, sqrt(squares.xreplace({_n: number_of_weights}))),
        over=rest,
    )
    there = given.substituted(general, {_n: number_of_weights})
    goal = le(E(exp(_t * form)), exp(factor * euclidean**2))
    return rules.follows(goal, [there, whole], under=small)


@LAURENT_MASSART.proved()
def sum_of_logarithms(given: Given) -> Theorem:
    """Chernoff's bound at t = √s/(F + 2m√s), where the exponent is exactly -s."""
    letters_of(given, s, form, euclidean, largest)
    level = 2 * euclidean * sqrt(s) + 2 * largest * s
    best = sqrt(s) / (euclidean + 2 * largest * sqrt(s))
    tail = facts.chernoff(form, level, best)
    moment = moments_of_sums(given).at({_t: best}, under=[lt(2 * best * largest, 1)])
    exponent = moment.statement.rhs.args[0]
    product = le(P(ge(form, level)), exp(-best * level + exponent))
    joined = rules.follows(product, [tail, moment])
    return weakened(joined, -s)
