"""Slopes and norms in one layer of the inner products of backpropagation matrices.

The layer is k₁ + n, and the cosines, of which the slopes are taken, are those of the layer below.
"""

from sympy import Abs, Function, Interval, Range, oo

from theorems.engine import Given, both, eq, ge, gt, implies, le, lt, rules
from theorems.engine.rules import Theorem, facts, inner, norm
from theorems.engine.rules.vocabulary import vectors
from theorems.eoc_mlp.hypotheses import EVENTS_24_TO_27
from theorems.eoc_mlp.letters import (
    DELTA,
    E_below,
    epsilon_gradient,
    k,
    k1,
    k2,
    norm_product,
    rho,
    v_least,
    varrho_prime,
    w_below,
    w_tilde_below,
)
from theorems.eoc_mlp.letters.backpropagation import norm_b1, norm_b2
from theorems.eoc_mlp.premises.matrix_products import bound_of_product
from theorems.eoc_mlp.premises.recursions import layers
from theorems.eoc_mlp.premises.substitutions import cosine_at

product, mean_product, slope, slope_of_limit = (Function(x, real=True) for x in ("X", "mean", "r", "q"))
#: Bounds of the difference of both slopes, and of the difference of inverse cosine distances.
slope_bound, _distance_bound = (Function(x, nonnegative=True) for x in ("D", "E"))
_w, _limit = (Function(x, real=True) for x in ("w", "w_tilde"))
#: What both are at least, above 1.
_least = Function("v", real=True)
#: Operator and Frobenius norms of the matrices of two inputs, and the norm of the product of both.
norms_of_inputs, sizes_of_inputs = (
    [Function(f"{x}_{i}", nonnegative=True) for i in (1, 2)] for x in ("norm", "size")
)
_gram = Function("gram", nonnegative=True)
#: The products of the operator norms, and of the Frobenius norms, of the matrices of both inputs.
product_of_norms, product_of_sizes = (
    first(layers) * second(layers) for first, second in (norms_of_inputs, sizes_of_inputs)
)
_LAYERS, _FROM_TWO = {layers: Range(oo)}, {k1: Range(2, oo)}


def _slopes_of_a_layer(given: Given) -> tuple[Theorem, Theorem]:
    """The claim on nearby slopes, and its hypotheses, which are events of Proposition 25."""
    at = {w_below: _w(layers), w_tilde_below: _limit(layers), E_below: _distance_bound(layers)}
    at, apart = {**at, v_least: _least(layers)}, [gt(_least(layers), 1)]
    nearby = given.fact("eoc.prop27.explicit.slopes")
    bound = nearby.at(at, under=apart)
    near = both(*sorted(bound.under, key=str))
    return bound, given.supposed(EVENTS_24_TO_27, near)


def slopes_differ(given: Given) -> Theorem:
    """|r - q| ≤ D, where D is the bound of the claim on nearby slopes."""
    bound, near = _slopes_of_a_layer(given)
    meant = given.meaning(
        "the slopes of a layer, and the error of the one",
        both(
            eq(slope(layers), varrho_prime(cosine_at(_w(layers)), DELTA)),
            eq(slope_of_limit(layers), varrho_prime(cosine_at(_limit(layers)), DELTA)),
            eq(slope_bound(layers), bound.statement.rhs),
        ),
        under=bound.under,
    )
    goal = le(Abs(slope(layers) - slope_of_limit(layers)), slope_bound(layers))
    return rules.follows(goal, [bound, near, meant])


def limits_are_bounded(given: Given) -> Theorem:
    """|q| ≤ 1, as slopes of the cosine map are."""
    near, above = _slopes_of_a_layer(given)[1], [ge(_limit(layers), 1)]
    at = {rho: cosine_at(_limit(layers))}
    range_ = given.fact("eoc.varrho.prime.range").at(at, under=above)
    value = eq(slope_of_limit(layers), varrho_prime(at[rho], DELTA))
    meant = given.meaning("the slope at the limit", value, under=above)
    return rules.follows(le(Abs(slope_of_limit(layers)), 1), [range_, near, meant])


def gradient_dependence(given: Given) -> Theorem:
    """The mean is off r X by at most 7/(k - 1) times the norm of the product."""
    after, following = layers + 1, k1 + layers + 1
    near = _slopes_of_a_layer(given)[1].at({layers: after})
    error = mean_product(after) - slope(after) * product(layers)
    beyond = [gt(_w(after), 1), gt(_limit(after), 1)]
    at = {epsilon_gradient: error, norm_product: _gram(layers)}
    at |= {w_below: _w(after), w_tilde_below: _limit(after), k2: k}
    bound = _dependence_of_a_layer(given).at(at, under=beyond)
    goal = le(Abs(error), 7 / (k - 1) * _gram(layers))
    anywhere = rules.follows(goal, [near, bound], under=[lt(k1, k)])
    return anywhere.at({k: following})


def _dependence_of_a_layer(given: Given) -> Theorem:
    """The two claims on the gradient dependence of a layer together."""
    distances = {w_below: Interval.open(1, oo), w_tilde_below: Interval.open(1, oo)}
    sharp = given.fact("eoc.prop17.sharp", "bound")
    sharp = sharp.at({rho: cosine_at(w_below)}, over={w_below: distances[w_below]})
    parts = [given.fact("eoc.prop27.gradient", part) for part in ("in w", "decay")]
    (near,) = parts[0].under
    bound = le(Abs(epsilon_gradient), 7 / (k - 1) * norm_product)
    return rules.follows(implies(near, bound), [sharp, *parts], under=sharp.under)


def products_of_norms(given: Given) -> Theorem:
    """‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖ and |X| ≤ ‖B₁‖_F‖B₂‖_F."""
    at = {
        norm_product: _gram(layers),
        norm_b1: norms_of_inputs[0](layers),
        norm_b2: norms_of_inputs[1](layers),
    }
    entries = [vectors(f"entries of {name}")(layers) for name in ("B_1", "B_2")]
    lengths = zip(sizes_of_inputs, entries, strict=True)
    known = [
        bound_of_product(given).at(at),
        facts.cauchy_schwarz(*entries),
        given.meaning(
            "the inner product of two matrices, and their lengths",
            eq(product(layers), inner(*entries)),
            *(eq(size(layers), norm(one)) for size, one in lengths),
        ),
    ]
    goal = le(_gram(layers), product_of_norms), le(Abs(product(layers)), product_of_sizes)
    return rules.follows(both(*goal), known)
