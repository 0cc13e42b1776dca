"""Proposition 16: the expected squared norm of a backpropagation matrix over one layer matrix."""

from collections.abc import Iterator

import numpy as np
from sympy import Function, Integer, Reals, Sum, Symbol, expand, sqrt

from numeric.networks.backpropagation import backpropagation_products
from numeric.networks.conditional import resample_layer
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from numeric.statistics import MeanTest, mean_test
from symbolic.gaussian import GaussianMean
from theorems.classical.conditional_means import given_a_value, tower_rule
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import Given, Hypothesis, Provenance, eq, half_line, implies, integers, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities, sums
from theorems.engine.rules.normal_variables import independent_rest
from theorems.engine.rules.vocabulary import normal, randoms
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BELOW, NOT_BOTH_ZERO, SCALE, SHARE
from theorems.eoc_mlp.letters import (
    DELTA,
    SIGMA,
    X_mean_same,
    X_prime_same,
    a,
    argument,
    b,
    claim,
    conditional_square,
    cross,
    k1,
    k2,
    phi_prime,
    scale,
    trace_v,
    u,
    u_value,
    variance_u,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.premises.linear_forms import mean_square_of_image
from theorems.eoc_mlp.premises.means import UNIT, integrated, of_one_law, over_units
from theorems.eoc_mlp.premises.substitutions import as_it_stands, as_stated
from theorems.eoc_mlp.sampling.redrawn import DRAWS, redrawn, right_side

_DEAD_LAYERS = "proofs_notes/eoc_mlp.md#dead-layers"

MOMENTS = claim(
    "eoc.prop16.moments",
    at="Proposition 16, proof",
    title="The derivative's moments with and without weight",
    states=[
        eq(SIGMA**2 * GaussianMean(phi_prime(u, a, b) ** 2, u), 1),
        eq(SIGMA**2 * GaussianMean((phi_prime(u, a, b) * u) ** 2, u), 1),
    ],
    assuming=[SCALE],
)


@MOMENTS.proved()
def weight_by_u_squared(given: Given) -> Theorem:
    """φ'(u)² = a² + b² + 2ab sgn u, and the odd part integrates to zero."""
    goal = as_stated(MOMENTS)
    means = [one.atoms(GaussianMean).pop() for one in goal.args]
    return given.follows(*(integrated(one, Integer(1), SIGMA**2) for one in means), goal=goal)


CONDITIONAL = claim(
    "eoc.prop16.conditional",
    at="Proposition 16, proof",
    title="Second moment of v given u",
    states=eq(
        conditional_square(u_value), trace_v + (variance_u**-2 * u_value**2 - 1 / variance_u) * cross**2
    ),
    given={variance_u: POSITIVE},
)


_count, _k = (Symbol(name, integer=True, nonnegative=True) for name in ("entries", "k"))
_entry, _U = randoms("entry of v")(_k), Random("U")
#: Of an entry of v: its covariance with U, and the mean of its square given a value of U.
_covariance, _square = (Function(f"{one} of an entry", real=True)(_k) for one in ("cross", "square"))
_VALUES = {variance_u: POSITIVE, u_value: Reals}


@CONDITIONAL.proved()
def mean_and_schur_complement(given: Given) -> Theorem:
    """The square of the conditional mean, and what the rest adds to the variance, by entries."""
    over = {**_VALUES, _count: integers(0)}
    squares = sums.summed(_square_of_an_entry(given), _k, _count)
    lengths = (Sum(one, (_k, 0, _count - 1)) for one in (E(_entry**2), _covariance**2))
    meant = given.meaning(
        "squared lengths, by entries",
        eq(conditional_square(u_value), squares.statement.lhs),
        *(eq(one, form) for one, form in zip((trace_v, cross**2), lengths, strict=True)),
        over=over,
    )
    known = [squares, meant, sums.linear(squares.statement.rhs, over=over)]
    return given.follows(*known, goal=as_it_stands(CONDITIONAL))


def _square_of_an_entry(given: Given) -> Theorem:
    """E(v_k² | u) = (p_k u)² + E(v_k − p_k U)² for the regression p_k, as the rest is free of U."""
    over, slope = {**_VALUES, _k: integers(0)}, _covariance / variance_u
    rest = _entry - slope * _U
    known = [
        given.meaning("v and U, forms of one normal row", normal(_entry, _U), over=over),
        given.meaning("variance and covariance", eq(variance_u, E(_U**2)), eq(_covariance, E(_entry * _U))),
        given_a_value(given.meaning, _square, (slope * u_value + rest) ** 2, rest, _U),
    ]
    free = independent_rest(_entry, _U, slope, over=over)
    needed = [rules.follows(one, known, over={**over, **free.over}) for one in free.under]
    schur = E(_entry**2) + (u_value**2 / variance_u**2 - 1 / variance_u) * _covariance**2
    return rules.follows(eq(_square, schur), [*known, free, *needed], over={**over, **free.over})


PROP_16 = claim(
    "eoc.prop16",
    at="Proposition 16",
    title="Expectation of the squared norms of backpropagation matrices",
    states=eq(X_mean_same, X_prime_same),
    given={k1: integers(2), k2: integers(3)},
    assuming=[BELOW, ALIVE, SCALE],
    rests_on=["eoc.init", "eoc.def2.homogeneous", MOMENTS, CONDITIONAL],
    discharging={NOT_BOTH_ZERO: "the weights have the standard deviation σ"},
    note=_DEAD_LAYERS,
)


@PROP_16.proved()
def cross_terms_cancel(given: Given) -> Theorem:
    """With u = στ g the bracket is tr(Σ_v) + σ²(g² - 1)‖B*x̂‖², and σ²E φ'²(g² - 1) = 0."""
    given.require(ALIVE)  # so that the variance of u is positive
    square = given.fact(CONDITIONAL)
    normal = sqrt(variance_u) * _normal
    conditional = square.statement.lhs.xreplace({u_value: normal})
    slope = phi_prime(normal, a, b)
    known = [
        tower_rule(given.meaning, _length, conditional, factor=slope**2, over=_COVARIANCE),
        _mean_given_u(given, square),
        *_gaussian_means(given),
        mean_square_of_image(given, trace_v, X_prime_same),
        given.fact(MOMENTS),
    ]
    over, alive = {**given.domain, **_COVARIANCE, UNIT: integers(0)}, given.conditions
    row = rules.follows(eq(E(slope**2 * _length), X_prime_same), known, over=over, under=alive)
    layer = over_units(given, X_mean_same, row)
    return rules.follows(as_stated(PROP_16), [layer], over=over, under=alive)


_COVARIANCE = {trace_v: half_line(0), cross: half_line(0), variance_u: POSITIVE}
_NUMBERS = {a: Reals, b: Reals, u: Reals, variance_u: POSITIVE}
#: Of a unit: the preactivation over its standard deviation, and the squared length of its row v.
_normal, _length = (randoms(name)(UNIT) for name in ("G", "squared length of v"))


def _mean_given_u(given: Given, square: Theorem) -> Theorem:
    """E φ'(u)² E(‖v‖² | u) for u = √τ² G, where φ'(u) is φ'(G)."""
    scaled = {u_value: sqrt(variance_u) * u}
    there = square.at(scaled)
    slope, moved = phi_prime(u, a, b), phi_prime(sqrt(variance_u) * u, a, b)
    at = {argument: u, scale: sqrt(variance_u)}
    same = given.fact("eoc.def2.homogeneous", "derivative").at(at, over=_NUMBERS)
    right = expand(slope**2 * there.statement.rhs)
    weighted = eq(moved**2 * there.statement.lhs, right)
    weighted = rules.follows(weighted, [there, same])
    return principles.expected_jointly(weighted, {u: _normal}, over={UNIT: integers(0)})


def _gaussian_means(given: Given) -> list[Theorem]:
    """The mean of a function of a standard normal variable is a Gaussian mean."""
    slope = phi_prime(u, a, b)
    found = [given.meaning("G, a standard normal variable", *standard(_normal).args)]
    functions = (slope**2, slope**2 * u**2)
    moments = given.fact(MOMENTS).statement
    for function, moment in zip(functions, moments.args, strict=True):
        mean = moment.atoms(GaussianMean).pop()
        found.append(by_density(function, u, _normal, mean, over=given.domain))
    return found


@PROP_16.estimated(draws=DRAWS, controls={})
def squared_norms(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of the deeper networks and compare the mean of X'_{k1,k2}(x, x)."""
    for one in redrawn(rng, draws):
        for lower, values in one.draws.backpropagation_products.items():
            before = backpropagation_products(one.state, lower, one.layer)[1, 1]
            yield mean_test(values[:, 1, 1], right_side(given, {X_prime_same: before}))


DEAD_INPUT = Hypothesis(
    "dead_input",
    "the activation that enters the layer of the random matrix vanishes",
    latex=r"x_{k_2-1}(x) = 0",
)

PROP_16_EDGE = claim(
    "eoc.prop16.edge",
    at="Proposition 16",
    title="Where the activation vanishes, Proposition 16 has the factor 1 - Δ",
    states=eq(X_mean_same, (1 - DELTA) * X_prime_same),
    given={k1: integers(2), k2: integers(3)},
    assuming=[BELOW, DEAD_INPUT, SHARE, SCALE],
    provenance=Provenance.DERIVED,
    note=_DEAD_LAYERS,
)


@PROP_16_EDGE.proved()
def constant_derivative(given: Given) -> Theorem:
    """φ'(0)² = a² is constant, and E‖B*v‖² = σ²‖B‖²."""
    drawn, length = Random("preactivation"), Random("squared length of a row")
    at, value = (Symbol(f"value of {one}", real=True) for one in ("a preactivation", "a squared length"))
    constant, over = unfolded(phi_prime(0, a, b)) ** 2, {x: given.ranging(x)[x] for x in (a, b)}
    same = eq(unfolded(phi_prime(at, a, b)) ** 2 * value, constant * value)
    pathwise = rules.follows(implies(eq(at, 0), same), over=over)
    values = {at: drawn, value: length}
    event, equal_there = (one.xreplace(values) for one in pathwise.statement.args)
    known = [
        given.supposed(DEAD_INPUT, eq(P(event), 1)),
        probabilities.surely(pathwise, values),
        probabilities.implied_event(event, equal_there, over=over),
        facts.probability(equal_there, over=over),
        probabilities.equal_means(*equal_there.args, over=over),
        mean_square_of_image(given, E(length), X_prime_same),
    ]
    layer = of_one_law(given, X_mean_same, E(equal_there.args[0]), over=over)
    return given.follows(*known, layer, goal=as_it_stands(PROP_16_EDGE))


@PROP_16_EDGE.estimated(draws=DRAWS, controls={})
def zero_input(given: Given, rng: np.random.Generator, draws: int) -> MeanTest:
    """The input 0 of a ReLU network: 1 - Δ = 1/2."""
    mlp = MLP((2, 3, 4, 5, 1), a=0.5, b=0.5)
    state = forward_pass(mlp, mlp.sample(rng), [[0.0, 0.0]])
    sample = resample_layer(state, 3, rng, draws).backpropagation_products[2][:, 0, 0]
    before = backpropagation_products(state, 2, 3)[0, 0]
    return mean_test(sample, right_side(given, {X_prime_same: before, DELTA: 0.5}))
