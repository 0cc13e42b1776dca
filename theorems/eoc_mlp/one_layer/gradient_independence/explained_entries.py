"""Proposition 17: the mean of X' over a layer, by what preactivations explain of rows v_1 and v_2.

An entry of v_i is a form of the same normal row as both preactivations of its unit: what these
tell of it, by regression, and a rest that is independent of them.
"""

from sympy import Expr, Function, Sum, Symbol

from theorems.engine import Given, eq, integers, rules
from theorems.engine.rules import RANDOM, E, Random, Theorem, facts, inner, sums
from theorems.engine.rules.normal_variables import independent_rest_of_two
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import normal, randoms, vectors
from theorems.eoc_mlp.letters.activation import SIGMA, a, b
from theorems.eoc_mlp.letters.backpropagation import X_mean, X_prime_below
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.gradients import (
    epsilon_gradient,
    precision_11,
    precision_12,
    precision_22,
    tau1,
    tau2,
    trace_explained,
    u_i,
    u_j,
    x_i,
    x_j,
)
from theorems.eoc_mlp.letters.table import REAL
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import (
    DRAWN,
    LENGTHS,
    PREACTIVATIONS,
    SLOPES,
    error_as_a_mean,
    slopes,
)
from theorems.eoc_mlp.premises.means import of_a_row, of_one_law

_k = Symbol("k", integer=True, nonnegative=True)
_ENTRIES = Symbol("entries", integer=True, positive=True)
#: Entries of v_1 and v_2, of which the rows are forms at the columns of B_1 and B_2.
_ROWS = tuple(randoms(f"entry of v_{number}")(_k) for number in (1, 2))
_COLUMNS = tuple(vectors(f"column of B_{number}")(_k) for number in (1, 2))
#: Coefficients of the entries on both preactivations of the unit.
_P, _Q = (tuple(Function(f"{one}_{n}", real=True)(_k) for n in (1, 2)) for one in "pq")
#: Of an entry: the mean of the slopes times both entries explained, and what these explain.
_WEIGHTED, _EXPLAINED = (
    Function(f"{one} explained", real=True)(_k) for one in ("mean of slopes times entries", "covariance")
)
_p, _q, _r = (Symbol(name, real=True) for name in "pqr")
_W, _U, _V = map(Random, ("W", "U", "V"))
_COEFFICIENTS = {a: REAL, b: REAL}
_PLACES = {_k: integers(0)}


def _square_of_a_form() -> Theorem:
    """E S W² = E S e² + E S (E W² - E e²) for slopes S at U and V, which explain e = pU + qV of W."""
    rest, apart, explained = _W - _p * _U - _q * _V, _V - _r * _U, _p * _U + _q * _V
    over = {**_COEFFICIENTS, _p: REAL, _q: REAL, _r: REAL}

    def explained_by(first: Expr, second: Expr) -> Expr:
        return _p * first + _q * (second + _r * first)

    def slopes_at(first: Expr, second: Expr) -> Expr:
        return slopes(first, second + _r * first)

    functions = (
        (lambda x: x, explained_by),
        (lambda x: x, lambda x, y: slopes_at(x, y) * explained_by(x, y)),
        (lambda x: x**2, slopes_at),
    )
    pairs = [facts.independent_functions(f, g, rest, _U, apart, over=over) for f, g in functions]
    products = [facts.expectation_of_independent(*one.statement.args, over=over) for one in pairs]
    S = slopes(_U, _V)
    goal = eq(E(S * _W**2), E(S * explained**2) + E(S) * (E(_W**2) - E(explained**2)))
    free = independent_rest_of_two(_W, _U, _V, _p, _q, _r).statement
    objects = dict.fromkeys((_W, _U, _V), RANDOM)
    return rules.follows(goal, [*pairs, *products], over=over | objects, under=free.args)


def _regressions(given: Given) -> Theorem:
    """The coefficients of each entry on the preactivations: Σ_uv Σ_u^{-1}, and ρτ_2/τ_1 of the second."""
    U, V = PREACTIVATIONS
    inverse = (precision_11, precision_12), (precision_12, precision_22)
    coefficients = [
        eq(one, above * E(entry * U) + below * E(entry * V))
        for names, (above, below) in zip((_P, _Q), inverse, strict=True)
        for one, entry in zip(names, _ROWS, strict=True)
    ]
    return given.meaning(
        "regressions on both preactivations, and of the second on the first",
        *coefficients,
        eq(_r, rho * tau2 / tau1),
        over={**LENGTHS, **_PLACES},
    )


def _normal_equations(known: list[Theorem], over: Over) -> list[Theorem]:
    """Cov(v, u) = pΣ_u for the coefficients p of each entry."""
    U, V = PREACTIVATIONS
    return [
        rules.follows(eq(E(entry * u), p * E(U * u) + q * E(V * u)), known, over=over)
        for entry, p, q in zip(_ROWS, _P, _Q, strict=True)
        for u in PREACTIVATIONS
    ]


def product_of_entries(given: Given, law: list[Theorem], inverse: Theorem) -> Theorem:
    """E S v_1v_2 = E S e_1e_2 + E S (E v_1v_2 - E e_1e_2) for what is explained of two entries.

    The product is the difference of two squares over 4.
    """
    U, V = PREACTIVATIONS
    first, second = _ROWS
    forms = given.meaning(
        "entries and preactivations, forms of one normal row",
        *(normal(first + sign * second, U, V) for sign in (1, -1)),
        over=_PLACES,
    )
    over = {**LENGTHS, **_COEFFICIENTS, **_PLACES}
    named = _regressions(given)
    equations = _normal_equations([named, inverse, *law], over)
    squares = []
    for sign in (1, -1):
        w, p, q = (one + sign * other for one, other in (_ROWS, _P, _Q))
        free = independent_rest_of_two(w, U, V, p, q, _r, over=over)
        needed = [
            rules.follows(one, [forms, named, *law, *equations], over={**free.over, **over})
            for one in free.under
        ]
        square = _square_of_a_form().at({_W: w, _U: U, _V: V, _p: p, _q: q}, over=over)
        squares.append(rules.follows(square.statement, [square, free, *needed], over={**free.over, **over}))
    explained = [p * U + q * V for p, q in zip(_P, _Q, strict=True)]
    S, product = SLOPES, explained[0] * explained[1]
    goal = eq(E(S * first * second), E(S * product) + E(S) * (E(first * second) - E(product)))
    whole = rules.follows(goal, squares, over={**squares[0].over, **over})
    return _named(given, whole, explained, equations)


def _named(given: Given, whole: Theorem, explained: list[Expr], equations: list[Theorem]) -> Theorem:
    """The same with names for what the preactivations explain."""
    (first, second), (p, q), S = _ROWS, (_P[0], _Q[0]), SLOPES
    covariances = [E(second * u) for u in PREACTIVATIONS]
    meant = given.meaning(
        "entries of the conditional means, and of the explained covariance",
        eq(_WEIGHTED, E(S * explained[0] * explained[1])),
        eq(_EXPLAINED, p * covariances[0] + q * covariances[1]),
        over={**_COEFFICIENTS, **_PLACES},
    )
    goal = eq(E(S * first * second), _WEIGHTED + E(S) * (E(first * second) - _EXPLAINED))
    return rules.follows(goal, [whole, meant, *equations], over=whole.over)


def mean_over_the_layer(
    given: Given, covariances: Theorem, inverse: Theorem
) -> tuple[Theorem, list[Theorem]]:
    """E X' = ε + σ² E φ'(u_1)φ'(u_2) X' below, and the law of the preactivations of a unit."""
    law = of_a_row(given, PREACTIVATIONS, covariances)
    each = product_of_entries(given, law, inverse)
    ends = dict(zip((u_i, x_i, u_j, x_j), (_ROWS[0], _COLUMNS[0], _ROWS[1], _COLUMNS[1]), strict=True))
    below = covariances.at(ends, over={**_PLACES, SIGMA: LENGTHS[SIGMA]})
    form = _WEIGHTED + E(SLOPES) * (SIGMA**2 * inner(*_COLUMNS) - _EXPLAINED)
    each = rules.follows(eq(each.statement.lhs, form), [each, below], over=each.over)
    unit = _of_one_unit(given, each)
    layer = of_one_law(given, X_mean, unit.statement.lhs, over=_NUMBERS)
    return rules.follows(eq(X_mean, unit.statement.rhs), [layer, unit], over={**layer.over, **unit.over}), law


_NUMBERS = {_ENTRIES: integers(1), **_COEFFICIENTS}


def _of_one_unit(given: Given, each: Theorem) -> Theorem:
    """The products of entries of two rows, added up."""
    numbers = {x: range_ for x, range_ in each.over.items() if x != _k and not hasattr(x, "belongs_to")}
    numbers |= _NUMBERS
    added = sums.summed(each, _k, _ENTRIES, over=numbers)
    meant = given.meaning(
        "inner products of conditional means and of matrices, and a trace, by entries",
        eq(E(SLOPES * DRAWN), _over_entries(_WEIGHTED)),
        eq(trace_explained, _over_entries(_EXPLAINED)),
        eq(X_prime_below, _over_entries(inner(*_COLUMNS))),
        over=_NUMBERS,
    )
    known = [added, sums.linear(added.statement.rhs, over=numbers), meant, error_as_a_mean(given)]
    goal = eq(added.statement.lhs, epsilon_gradient + SIGMA**2 * E(SLOPES) * X_prime_below)
    return rules.follows(goal, known, over={**numbers, **meant.over})


def _over_entries(term: Expr) -> Sum:
    return Sum(term, (_k, 0, _ENTRIES - 1))
