"""The bound in the proof of Lemma 19: attention weights and values by their sixteenth moments."""

import sympy as sp
from sympy import Integer, Rational, Symbol

from theorems.classical.gaussian_moments import even_moment, standard
from theorems.classical.letters import odd_factorial, q
from theorems.classical.products import odd_numbers
from theorems.engine import Given, Hypothesis, eq, le, rules
from theorems.engine.rules import E, Random, Theorem, facts, principles, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.direct_gradients import (
    g_entry,
    mean_square,
    mean_values,
    value_c,
    value_e,
)
from theorems.infinite_attention.letters.gradients import weight_a, weight_b
from theorems.infinite_attention.letters.network import sigma_v, value_width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import VALUES
from theorems.infinite_attention.tangent_limit.direct.second_moments import INPUTS

_NOTE = "proofs_notes/inf_tangents.md#bounds-by-hölders-inequality"
_k, _x = Symbol("k", integer=True, nonnegative=True), Symbol("x", real=True)
_u, _v = sp.symbols("u v", real=True)
_columns = randoms("P")

COLUMNS_OF_VALUES = Hypothesis(
    "columns_of_values",
    "$mean_values is the mean over $value_width columns of products with the law of $value_c times $value_e",
    latex=r"$mean_values = \tfrac{1}{$value_width} \sum_k V_{c_1k} V_{c_2k}",
)

BOUND = claim(
    "inf.lem19.bound",
    at="Lemma 19, proof",
    title="Sixteenth moments of attention weights and of inputs bound the summands' fourth moment",
    states={
        "product": le(
            E((weight_a * weight_b * mean_values) ** 4) ** 2,
            Rational(1, 4) * (E(weight_a**16) + E(weight_b**16)) * (E(value_c**16) + E(value_e**16)),
        ),
        "values": le(E(value_c**16), Integer(2027025) * sigma_v**16 * E(g_entry**16)),
    },
    assuming=[COLUMNS_OF_VALUES, VALUES, INPUTS],
    rests_on=["inf.lem21.eq24.moments"],
    note=_NOTE,
)


def _mean_of_products(given: Given) -> Theorem:
    """E of the eighth power of the mean product is at most that of one product."""
    convex = rules.follows(sp.Ge(sp.diff(_x**8, _x, 2), 0), over={_x: sp.Reals})
    over, fixed = {value_width: given.domain[value_width]}, sp.Function("r", real=True)
    powers = principles.jensen_for_sums(convex, _x**8, _x, fixed(_k), _k, value_width, over=over)
    means = principles.expected_jointly(powers, {fixed: _columns})
    one = E(value_c**8 * value_e**8)
    same = given.supposed(COLUMNS_OF_VALUES, eq(E(_columns(_k) ** 8), one))
    added = sums.summed(same, _k, value_width)
    constant = sums.linear(added.statement.rhs)
    mean = sp.Sum(_columns(_k), (_k, 0, value_width - 1)) / value_width
    here = given.supposed(COLUMNS_OF_VALUES, eq(E(mean_values**8), E(mean**8)))
    goal = le(E(mean_values**8), one)
    return given.follows(means, added, constant, here, goal=goal)


@BOUND.proved("product")
def cauchy_schwarz_and_squares(given: Given) -> Theorem:
    """Attention weights apart from values, and then products by squares."""
    first, second = weight_a**4 * weight_b**4, mean_values**4
    apart = facts.expectation_of_product(first, second)
    squares = rules.follows(le(_u * _v, (_u**2 + _v**2) / 2))
    weights = principles.expected_jointly(squares, {_u: weight_a**8, _v: weight_b**8})
    values = principles.expected_jointly(squares, {_u: value_c**8, _v: value_e**8})
    positive = [facts.expectation_of_square(one) for one in (first, second)]
    top = rules.follows(
        le(_u, _w * _z), under=[le(_u, _m * _n), sp.Ge(_m, 0), sp.Ge(_n, 0), le(_m, _w), le(_n, _z)]
    )
    bounds = {
        _u: E((weight_a * weight_b * mean_values) ** 4) ** 2,
        _m: E(first**2),
        _n: E(second**2),
        _w: (E(weight_a**16) + E(weight_b**16)) / 2,
        _z: (E(value_c**16) + E(value_e**16)) / 2,
    }
    whole = given.substituted(top, bounds)
    return given.follows(apart, weights, values, *positive, _mean_of_products(given), whole)


_w, _z, _m, _n = sp.symbols("w z m n", real=True)


@BOUND.proved("values")
def sixteenth_moment(given: Given) -> Theorem:
    """Given the inputs a value is normal, and 15!! = 2027025.

    It is σ_V times the root of the mean square times a standard normal variable.
    """
    g, odd = Random("g"), odd_numbers(odd_factorial)
    law = given.supposed(
        VALUES,
        eq(E(value_c**16), E((sigma_v * sp.sqrt(mean_square) * g) ** 16)),
        *(*standard(g).args, independent(mean_square, g)),
    )
    moments = [
        *(odd.at({q: order}) for order in range(1, 8)),
        even_moment(g).at({q: 8}),
        facts.powers_of_independent(mean_square, g, 8, 16),
        facts.expectation_of_independent(mean_square**8, g**16),
    ]
    value = sp.factorial2(15) * sigma_v**16 * E(mean_square**8)
    normal = rules.follows(eq(E(value_c**16), value), [law, *moments])
    size = rules.follows(
        le(_m * _u, _m * _v), over={_m: sp.Interval(0, sp.oo), _u: sp.Reals, _v: sp.Reals}, under=[le(_u, _v)]
    )
    scaled = given.substituted(size, {_m: sigma_v**16, _u: E(mean_square**8), _v: E(g_entry**16)})
    return given.follows(normal, given.fact("inf.lem21.eq24.moments"), scaled)
