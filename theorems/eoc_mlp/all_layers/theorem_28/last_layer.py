"""Theorem 28, proof: norms of the matrix of the last layer."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Function, Range, Rational, Sum, Symbol, exp, log, sqrt
from sympy.logic.boolalg import Boolean

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import last_layer_form
from theorems.engine import Given, Obligations, Severity, eq, integers, le, rules, sentence
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import operators, opnorm, vectors
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    EQUAL_SCALINGS,
    EVENT_10,
    EVENT_11_12,
    NOT_ABOVE,
    SQUARE_WIDTHS,
    UNIT_INPUTS,
)
from theorems.eoc_mlp.letters import (
    H,
    N_bound,
    S,
    beta_radius,
    claim,
    epsilon,
    frob_j,
    k,
    k1,
    k2,
    kappa,
    l,
    m,
    norm_j,
    operator_norm,
    squared_frobenius,
)
from theorems.eoc_mlp.premises.harmonic import harmonic_is_positive, harmonic_numbers, layers_above
from theorems.eoc_mlp.premises.lifts import BY_ENTRIES, MATRIX, norms_of_the_matrix
from theorems.eoc_mlp.premises.recursions import half
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#theorem-28"
_N = Symbol("N", integer=True, nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
_COUNT = Symbol("number of terms of J", integer=True, nonnegative=True)
_COUNTED = {_COUNT: Range(sp.oo)}
_layers = Function("layers", nonnegative=True)


def _of_both(name: str) -> tuple[Any, Any]:
    """A norm that belongs to a layer, for two inputs."""
    one, other = (Function(f"{name}_{number}", nonnegative=True) for number in (1, 2))
    return one(_i), other(_i)


#: Products of two norms, those of both matrices of a term of J.
_MIXED = _of_both("norm")[0] * _of_both("frobenius")[1]
_SQUARE = sp.Mul(*_of_both("norm"))

JACOBIAN = claim(
    "eoc.thm28.jacobian",
    at="Theorem 28, proof",
    title="Norms of the matrix of the last layer",
    states=sentence(
        r"\|J\|_F \le \sum_{k<l} R_k, \quad \|J\| \le \sum_{k<l} R_k^{$square}, \quad"
        r" R_k = O\Bigl($kappa^{$steepness}\log\bigl($quotient\bigr) $m^{-$half}\Bigr)",
        square=2,
        steepness=2,
        quotient=(l - 1) / k,
        half=Rational(1, 2),
    ),
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, UNIT_INPUTS, ALL_ALIVE],
    note=_NOTE,
)


@JACOBIAN.refuted(severity=Severity.SLIP, controls={"corrected": {"quotient": l / k}})
def two_layers(square: Any, steepness: Any, quotient: Any, half: Any) -> Obligations:
    """l = 2, φ = |·|, |x| = 1, m = 2: the sum is log 1 = 0, but J = B_{2,2}B_{2,2}* = 𝓘/m."""
    network = ExactMLP([[[2], [-3]], [[1, 1]]], a=0, b=1, m=2)
    yield "J = 𝓘/m", equal(last_layer_form(network, [1], [1]), sp.eye(2) / 2)
    bound = (kappa**steepness * log(quotient) * m**-half).subs({l: 2, k: 1})
    for name, power in (("|J|_F", 1), ("‖J‖", square)):
        yield f"the bound of {name} vanishes", bool(bound**power == 0)


_SIZE = exp(epsilon * H(l - 1) / 2)
_GROWN = exp(beta_radius * H(l - 1)) * _SIZE

JACOBIAN_CORRECTED = JACOBIAN.corrected(
    "eoc.thm28.jacobian.corrected",
    title="Norms of the matrix of the last layer, with explicit constants",
    states={
        "Frobenius": le(
            frob_j, N_bound * kappa * exp(epsilon * H(l - 1) / 2) * _GROWN / log(2) * (l - 1) / sqrt(m)
        ),
        "operator": le(norm_j, 2 * N_bound * (kappa * _GROWN / log(2)) ** 2 * (l - 1) / m),
    },
    assuming=[SQUARE_WIDTHS, UNIT_INPUTS, EVENT_10, EVENT_11_12],
    rests_on=["eoc.thm28.jacobian.sharp"],
    note=_NOTE,
)


@JACOBIAN_CORRECTED.proved("Frobenius", "operator")
def sums_are_smaller(given: Given) -> Theorem:
    """The sharper bounds have no factor 1/log 2 ≥ 1, and a harmonic number less."""
    positive = harmonic_is_positive(given, _N).at({_N: l - 1}, over={l: given.domain[l]})
    sharp = given.fact("eoc.thm28.jacobian.sharp", given.part)
    goal = as_it_stands(JACOBIAN_CORRECTED, given.part)
    return given.follows(sharp, positive, rules.decided(le(log(2), 1)), goal=goal)


JACOBIAN_SHARP = JACOBIAN_CORRECTED.sharpened(
    "eoc.thm28.jacobian.sharp",
    title="Norms of the matrix of the last layer without logarithms",
    states={
        "Frobenius": le(frob_j, N_bound * kappa * exp(epsilon * H(l - 1) / 2) * _GROWN * (l - 1) / sqrt(m)),
        "operator": le(norm_j, N_bound * (kappa * _GROWN) ** 2 * (2 * (l - 1) - H(l - 1)) / m),
    },
    assuming=[SQUARE_WIDTHS, UNIT_INPUTS, EVENT_10, EVENT_11_12],
    rests_on=["eoc.prop26.corrected", "eoc.prop26.frobenius.corrected"],
    discharging={NOT_ABOVE: "the matrices go from the last layer to layer k + 1 ≤ l"},
    note=_NOTE,
)


@JACOBIAN_SHARP.proved("Frobenius", "operator")
def insert_the_norms(given: Given) -> Theorem:
    """|BB'*|_F ≤ ‖B‖|B'|_F, ‖B_{k+1,l}‖ ≤ κFg S m^(-1/2), and ΣS = N, ΣS² = 2N - H_N.

    S = H_N - H_i for the layer k = i + 1, N = l - 1: each 1/j is in j of the sums.
    """
    given.require(EVENT_10, EVENT_11_12, UNIT_INPUTS)
    numbers = {x: given.domain[x] for x in (kappa, beta_radius, m, l)}
    numbers |= {half: given.domain[epsilon]}
    layers = {**numbers, _i: Range(sp.oo)}
    whole, here = H(l - 1), H(l - 1) - H(_i)
    size = exp(half * whole)
    most = kappa * exp(beta_radius * whole + half * whole) * here / sqrt(m)
    count = given.meaning("the number of terms of J", eq(_COUNT, l - 1))
    known = [*norms_of_layers(given, layers), count]
    inside: dict[str, Any] = {"over": {**layers, **_COUNTED}, "under": [_i < _COUNT]}
    first = rules.follows(le(_MIXED, size * most), known, **inside)
    second = rules.follows(le(_SQUARE, most**2), known, **inside)
    added = [sums.summed(one, _i, _COUNT) for one in (first, second)]
    quantities = {x: given.domain[x] for x in (frob_j, norm_j, N_bound)}
    apart = [sums.linear(one.statement.rhs, over={**numbers, **_COUNTED}) for one in added]
    harmonic = [one.at({_N: _COUNT}) for one in harmonic_sums(given)]
    bounds = [*norm_of_the_matrix(given), count]
    goal = as_it_stands(JACOBIAN_SHARP, given.part)
    shown = rules.follows(
        goal.subs(epsilon, 2 * half), [*bounds, *added, *apart, *harmonic], over={**numbers, **quantities}
    )
    return shown.at({half: epsilon / 2})


def norm_of_the_matrix(given: Given) -> list[Theorem]:
    """J = Σ X_k BB'*: a norm of a sum and of products, with |X_k| ≤ N by Cauchy-Schwarz."""
    coefficient, lengths = Function("X", real=True)(_i), _of_both("length")
    length = sp.Mul(*lengths)
    inputs = [vectors(f"activation of input {number}")(_i) for number in (1, 2)]
    known = [
        facts.cauchy_schwarz(*inputs),
        given.meaning(
            "the inner product of two activations, and their lengths",
            eq(coefficient, inner(*inputs)),
            *(eq(size, norm(one)) for size, one in zip(lengths, inputs, strict=True)),
        ),
        given.largest("the bound of the products of lengths", le(length, N_bound)),
    ]
    of_the_part = {
        "Frobenius": (vectors("term"), _by_columns, _MIXED, norm(BY_ENTRIES)),
        "operator": (vectors("image"), _at_a_unit_vector, _SQUARE, norm(act(MATRIX, _UNIT))),
    }
    term, product_of_norms, product, value = of_the_part[given.part]
    size = le(norm(term(_i)), Abs(coefficient) * product)
    product_bound = product_of_norms(given, size, term(_i), coefficient)
    each = rules.follows(le(norm(term(_i)), N_bound * product), [*known, product_bound])
    added = sums.summed(each, _i, _COUNT)
    whole = [added, sums.linear(added.statement.rhs), *_norm_of_the_sum(given, value, term)]
    return [*whole, norms_of_the_matrix(given), *([_ATTAINED] if given.part == "operator" else [])]


def _norm_of_the_sum(given: Given, value: Expr, term: Any) -> list[Theorem]:
    """To J each layer adds a term: its norm is at most the sum of those of the terms."""
    upto = vectors(f"sum of each {term}")
    smaller = le(norm(upto(_N)), Sum(norm(term(_i)), (_i, 0, _N - 1)))
    meant = given.meaning(
        "the terms of J, added up by their entries and at a vector",
        eq(norm(upto(0)), 0),
        eq(norm(upto(_N + 1)), norm(upto(_N) + term(_N))),
    )
    every = sums.by_recursion(smaller, _N, premises=[meant, facts.triangle(upto(_N), term(_N))])
    whole = given.meaning("J, the sum of all of its terms", eq(value, norm(upto(_COUNT))))
    return [every.at({_N: _COUNT}), whole]


_FIRST, _SECOND = operators("B")(_i), operators("B'*")(_i)
#: A unit vector at which the norm of J is attained.
_UNIT = Vector("v")
_ATTAINED = facts.norm_attained(MATRIX, Vector("u"), _UNIT)


def _at_a_unit_vector(given: Given, goal: Boolean, image: Expr, coefficient: Expr) -> Theorem:
    """|XBB'*v| ≤ |X|‖B‖‖B'*‖ for a unit vector v."""
    norms, below = _of_both("norm"), act(_SECOND, _UNIT)
    known = [
        given.meaning(
            "a term of J at a vector, and the norms of both matrices,",
            eq(norm(image), norm(coefficient * act(_FIRST, below))),
            *(eq(size, opnorm(one)) for size, one in zip(norms, (_FIRST, _SECOND), strict=True)),
        ),
        facts.operator_norm(_FIRST, below),
        facts.operator_norm(_SECOND, _UNIT),
        _ATTAINED,
    ]
    two = rules.follows(le(norm(act(_FIRST, below)), sp.Mul(*norms)), known)
    return rules.follows(goal, [two, known[0]], over={_i: Range(sp.oo), _UNIT: _UNIT.belongs_to})


def _by_columns(given: Given, goal: Boolean, term: Expr, coefficient: Expr) -> Theorem:
    """|XBC|_F ≤ |X|‖B‖|C|_F, as |BC|_F² is the sum of |Bc|² over the columns c of C."""
    j = Symbol("j", integer=True, nonnegative=True)
    count = Symbol("columns", integer=True, positive=True)
    numbers = {_i: Range(sp.oo), count: integers(1)}
    size, frob = _of_both("norm")[0], _of_both("frobenius")[1]
    column = vectors("column")(_i, j)
    image = norm(act(_FIRST, column))
    named = given.meaning("the norm of B", eq(size, opnorm(_FIRST)))
    one = facts.operator_norm(_FIRST, column)
    each = rules.follows(le(image**2, size**2 * norm(column) ** 2), [one, named])
    added = sums.summed(each, j, count)
    scaled = Sum(norm(coefficient * act(_FIRST, column)) ** 2, (j, 0, count - 1))
    linear = [sums.linear(added.statement.rhs), sums.linear(scaled)]
    meant = given.meaning(
        "Frobenius norms, by the columns of B'*",
        eq(norm(term) ** 2, scaled),
        eq(frob**2, Sum(norm(column) ** 2, (j, 0, count - 1))),
    )
    square = rules.follows(
        le(norm(term) ** 2, (Abs(coefficient) * size * frob) ** 2), [added, *linear, meant], over=numbers
    )
    return rules.follows(goal, [square], over=numbers)


def harmonic_sums(given: Given) -> list[Theorem]:
    """The sums of H_i and of its square for i < N."""
    known = harmonic_numbers(given, _N)
    total, squares = (Sum(H(_i) ** power, (_i, 0, _N - 1)) for power in (1, 2))
    first = sums.by_recursion(eq(total, _N * H(_N) - _N), _N, premises=known)
    value = 2 * _N - H(_N) + _N * H(_N) ** 2 - 2 * _N * H(_N)
    return [first, sums.by_recursion(eq(squares, value), _N, premises=known)]


def norms_of_layers(given: Given, over: Any) -> list[Theorem]:
    """Both norms of B_{i+2,l} by S = H_{l-1} - H_i."""
    shared = {S: _layers(_i), epsilon: 2 * half, k1: l, k2: l}  # the bounds know S alone
    operator = given.fact("eoc.prop26.corrected", "bound")
    norms = [operator.at({**shared, operator_norm: one}, over=over) for one in _of_both("norm")]
    square = given.fact("eoc.prop26.frobenius.corrected")
    size = _of_both("frobenius")[1]
    sizes = square.at({**shared, squared_frobenius: size**2}, over=over)
    grows = [
        facts.exponential_increases(rate * H(l - 1), rate * _layers(_i), over=over)
        for rate in (half, beta_radius)
    ]
    meant = layers_above(given, _layers(_i), _i)
    positive = harmonic_is_positive(given, _N).at({_N: _i})
    return [meant, positive, *norms, sizes, *grows]
