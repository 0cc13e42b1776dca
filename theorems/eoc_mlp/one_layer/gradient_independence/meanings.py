"""What the letters of Proposition 17 stand for: the premises of its proofs, each by its name.

The statements are about numbers; the proofs make them of vectors, operators and random variables.
A premise says what such a number is, or is a fact of the textbooks about what it is made of.
"""

from __future__ import annotations

from itertools import product as product_of

from sympy import Expr, Matrix, Ne, acos, pi, symbols

from symbolic.notation import u1, u2
from theorems.classical.conditional_means import given_a_value
from theorems.classical.functions import range_of_arccosine
from theorems.engine import Given, eq, gt, half_line, lt, open_interval, rules
from theorems.engine.rules import E, Operator, Random, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.normal_variables import independent_rest_of_two
from theorems.engine.rules.vocabulary import normal
from theorems.eoc_mlp.letters.activation import SIGMA, a, b, phi_prime
from theorems.eoc_mlp.letters.cosines import rho, t
from theorems.eoc_mlp.letters.gradients import (
    epsilon_gradient,
    form_minus,
    form_plus,
    g_11,
    g_12,
    g_21,
    g_22,
    precision_11,
    precision_12,
    precision_22,
    product,
    tau1,
    tau2,
    trace_explained,
    xhat1,
    xhat2,
)
from theorems.eoc_mlp.letters.table import POSITIVE

#: The adjoints of B_1 and B_2, the preactivations of a unit, and ⟨μ_1, μ_2⟩ given these.
B1_STAR, B2_STAR = Operator("B1_star"), Operator("B2_star")
PREACTIVATIONS, DRAWN = (Random("u_1"), Random("u_2")), Random("mean_product_drawn")
#: Coefficients of v, and of the second preactivation, on the preactivations.
_COEFFICIENTS = symbols("p q r", real=True)
LENGTHS = {
    tau1: half_line(0, closed=False),
    tau2: half_line(0, closed=False),
    SIGMA: POSITIVE,
    rho: open_interval(-1, 1),
}


def slopes(first: Expr, second: Expr) -> Expr:
    """φ'(u_1)φ'(u_2)."""
    return phi_prime(first, a, b) * phi_prime(second, a, b)


SLOPES = slopes(*PREACTIVATIONS)


def error_as_a_mean(given: Given) -> Theorem:
    """ε = E φ'(u_1)φ'(u_2)(⟨μ_1, μ_2⟩ - tr)."""
    error = E(SLOPES * (DRAWN - trace_explained))
    return given.meaning("the error, a mean over two preactivations", eq(epsilon_gradient, error))


def adjoint(given: Given, M: Operator, M_star: Operator, u: Expr, v: Expr) -> Theorem:
    """⟨u, M*v⟩ = ⟨Mu, v⟩."""
    relation = eq(inner(u, act(M_star, v)), inner(act(M, u), v))
    return given.meaning(f"{M_star} is the adjoint of {M}", relation)


def inverse_covariance(given: Given, u: tuple[Random, Random]) -> list[Theorem]:
    """Entries of Σ_u and its inverse, and that their product is the unit matrix, entry by entry."""
    entry = Matrix(2, 2, lambda i, j: E(u[i] * u[j]))
    covariance, inverse, units = *map(Operator, ("covariance", "inverse")), (Vector("e_1"), Vector("e_2"))
    columns = [entry[0, k] * units[0] + entry[1, k] * units[1] for k in range(2)]
    rest = [act(covariance, unit) - column for unit, column in zip(units, columns, strict=True)]
    places = {precision_11: (0, 0), precision_12: (0, 1), precision_22: (1, 1)}
    unit_matrix = [
        eq(inner(one, act(inverse, act(covariance, other))), inner(one, other))
        for one, other in product_of(units, units)
    ]
    regular = [Ne(entry.det(), 0)]
    first, second = units
    return [
        given.meaning("unit vectors", eq(norm(first), 1), eq(norm(second), 1), eq(inner(first, second), 0)),
        given.meaning("the covariance, by its columns", *(eq(norm(one), 0) for one in rest)),
        given.meaning(
            "inverse of the covariance",
            *unit_matrix,
            *(eq(x, inner(units[row], act(inverse, units[k]))) for x, (row, k) in places.items()),
            under=regular,
        ),
        *(facts.operator_norm(inverse, one) for one in rest),
        *(facts.cauchy_schwarz(unit, act(inverse, one)) for unit, one in product_of(units, rest)),
    ]


def conditional_mean(
    given: Given, mu: Vector, y: Expr, v: Random, u: tuple[Random, Random], *moments: Theorem
) -> Theorem:
    """E(v | u) = Cov(v, u) Σ_u^{-1} u for jointly normal v and u, along any vector y.

    With these coefficients the rest of v is uncorrelated with u, and so independent of u; the
    ``moments`` say what Σ_u and its inverse are.
    """
    p, q, r = _COEFFICIENTS
    first, second = (E(v * one) for one in u)
    rest, apart = v - p * u[0] - q * u[1], u[1] - r * u[0]
    named = given.meaning(
        "regression on u, and on the first one",
        eq(p, precision_11 * first + precision_12 * second),
        eq(q, precision_12 * first + precision_22 * second),
        eq(r, rho * tau2 / tau1),
        over=LENGTHS,
    )
    law = given.meaning("v and u, forms of one normal row", normal(v, *u))
    mean = given_a_value(given.meaning, inner(mu, y), p * u1 + q * u2 + rest, rest, u[0], apart)
    free = independent_rest_of_two(v, *u, p, q, r)
    over = {**free.over, **mean.over, **named.over, **LENGTHS}
    needed = [rules.follows(one, [*moments, named, law], over=over) for one in free.under]
    found = rules.follows(free.statement, [free, *needed], over=over)
    relation = eq(inner(mu, y), p * u1 + q * u2)
    value = rules.follows(relation, [mean, found], over=over)
    solved = eq(
        inner(mu, y),
        first * (precision_11 * u1 + precision_12 * u2) + second * (precision_12 * u1 + precision_22 * u2),
    )
    return rules.follows(solved, [value, named], over=over)


def forms_at_directions(given: Given) -> Theorem:
    """g_ij = ⟨B_1^*x̂_i, B_2^*x̂_j⟩."""
    pairs = ((g_11, xhat1, xhat1), (g_12, xhat1, xhat2), (g_21, xhat2, xhat1), (g_22, xhat2, xhat2))
    relations = [eq(g, inner(act(B1_STAR, x), act(B2_STAR, y))) for g, x, y in pairs]
    return given.meaning("forms at the directions", *relations)


def directions(given: Given) -> Theorem:
    """|x̂_1| = |x̂_2| = 1 and ⟨x̂_1, x̂_2⟩ = ρ."""
    lengths = [eq(norm(one), 1) for one in (xhat1, xhat2)]
    return given.meaning("directions and their cosine", *lengths, eq(inner(xhat1, xhat2), rho))


def at_every_cosine(given: Given, theorem: Theorem) -> list[Theorem]:
    """A theorem about the angle t, at t = arccos ρ, and that this is an angle."""
    inside = (gt(acos(rho), 0), lt(acos(rho), pi))
    cosines = {rho: given.domain[rho]}
    moved = theorem.at({t: acos(rho)}, over=cosines, under=inside)
    return [moved, range_of_arccosine(rho, over=cosines)]


def forms_of_product(given: Given) -> Theorem:
    """g_ij = ⟨x̂_i, Mx̂_j⟩, as M = B_1 B_2^*."""
    pairs = ((g_11, xhat1, xhat1), (g_12, xhat1, xhat2), (g_21, xhat2, xhat1), (g_22, xhat2, xhat2))
    relations = [eq(g, inner(x, act(product, y))) for g, x, y in pairs]
    return given.meaning("forms at the directions, with M = B_1 B_2^*", *relations)


def forms_along_basis(given: Given) -> Theorem:
    """e_± is the multiple of length 1 of x̂_1 ± x̂_2."""
    total, difference = xhat1 + xhat2, xhat1 - xhat2
    relations = [
        eq(form * norm(x) ** 2, inner(x, act(product, x)))
        for form, x in ((form_plus, total), (form_minus, difference))
    ]
    return given.meaning("forms along the sum and the difference", *relations)
