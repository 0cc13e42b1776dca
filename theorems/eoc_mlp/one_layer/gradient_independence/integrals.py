"""Proposition 17, proof: the error in terms of two integrals, and their closed forms."""

from collections.abc import Callable

from sympy import Expr, Reals, Symbol, pi, sqrt

from symbolic.notation import u1, u2
from theorems.engine import Given, eq, rules
from theorems.engine.rules import E, Theorem, act, inner, norm, probabilities
from theorems.eoc_mlp.letters.activation import SIGMA, a, b
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.gradients import (
    distance_xhat,
    epsilon_gradient,
    g_11,
    g_12,
    g_21,
    g_22,
    integral_w1,
    integral_w1w2,
    integral_w2,
    mean_product,
    regrouped,
    tau1,
    tau2,
    trace_explained,
    w_1,
    w_2,
    xhat1,
    xhat2,
)
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.gradient_independence.conditional_means import (
    COSINE,
    DEFINED,
    OF_PREACTIVATIONS,
    PROOF,
    SCHUR,
)
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import (
    B1_STAR,
    B2_STAR,
    DRAWN,
    LENGTHS,
    PREACTIVATIONS,
    at_every_cosine,
    directions,
    error_as_a_mean,
    forms_at_directions,
    slopes,
)
from theorems.eoc_mlp.one_layer.gradient_independence.polar_integrals import derive_integral
from theorems.eoc_mlp.premises.means import of_a_pair, of_a_row

_INTEGRAND = (
    SIGMA**2 / SCHUR * ((w_1**2 - 1) * g_11 + (w_2**2 - 1) * g_22 + (w_1 * w_2 + rho) * (g_12 + g_21))
)

W_FORM = claim(
    "eoc.prop17.w_form",
    at=PROOF,
    title="The integrand of the gradient-dependence error",
    states=eq(mean_product - trace_explained, _INTEGRAND),
    given=OF_PREACTIVATIONS,
    assuming=DEFINED,
    rests_on=["eoc.prop17.mean_product", "eoc.prop17.trace"],
)


@W_FORM.proved()
def collect_the_forms(given: Given) -> Theorem:
    """Collect the coefficients of the four forms."""
    return given.follows(given.fact("eoc.prop17.mean_product"), given.fact("eoc.prop17.trace"))


INTEGRALS = claim(
    "eoc.prop17.integrals",
    at=PROOF,
    title="The gradient-dependence error in terms of two integrals",
    states=eq(
        epsilon_gradient,
        SIGMA**2 / SCHUR * (integral_w1 * g_11 + integral_w2 * g_22 + integral_w1w2 * (g_12 + g_21)),
    ),
    given=COSINE,
    rests_on=[W_FORM],
    discharging=dict.fromkeys(DEFINED, "w_1 and w_2 are letters of the proof, defined so"),
)


@INTEGRALS.proved()
def take_the_mean(given: Given) -> Theorem:
    """ε = E φ'(u₁)φ'(u₂)(⟨μ₁, μ₂⟩ - tr), where the form in w₁ and w₂ is inserted."""
    form, slope = _at_preactivations(given), slopes(u1, u2)
    scaled = eq(*(slope * side for side in form.statement.args))
    scaled = rules.follows(scaled, [form], over={**form.over, a: Reals, b: Reals})
    drawn = {mean_product: DRAWN, **dict(zip((u1, u2), PREACTIVATIONS, strict=True))}
    surely = probabilities.surely(scaled, drawn)
    sides = surely.statement.lhs.args[0].args
    return given.follows(
        surely,
        probabilities.equal_means(*sides, over=surely.over),
        error_as_a_mean(given),
        *(_as_a_mean(given, letter) for letter in _FACTORS),
    )


def _at_preactivations(given: Given) -> Theorem:
    """The form in w₁ and w₂, which are what they are for any two preactivations."""
    at = dict(zip((w_1, w_2), _apart(u1, u2), strict=True))
    there = given.fact(W_FORM).at(at, over={u1: Reals, u2: Reals, **LENGTHS})
    return rules.follows(there.statement, [there], over=there.over)


def _apart(first: Expr, second: Expr) -> tuple[Expr, Expr]:
    """w₁ and w₂ for two preactivations: what one of them does not tell of the other, scaled."""
    units, scale = (first / tau1, second / tau2), SIGMA * sqrt(SCHUR)
    return (units[0] - rho * units[1]) / scale, (units[1] - rho * units[0]) / scale


_FACTORS: dict[Symbol, Callable[[Expr, Expr], Expr]] = {
    integral_w1: lambda first, _: first**2 - 1,
    integral_w2: lambda _, second: second**2 - 1,
    integral_w1w2: lambda first, second: first * second + rho,
}


def _integrand(letter: Symbol, first: Expr, second: Expr) -> Expr:
    """Of which an integral is the mean, at two preactivations."""
    return slopes(first, second) * _FACTORS[letter](*_apart(first, second))


def _as_a_mean(given: Given, letter: Symbol) -> Theorem:
    mean = E(_integrand(letter, *PREACTIVATIONS))
    return given.meaning("the integral, a mean", eq(letter, mean), over=LENGTHS)


INTEGRAL_W1 = claim(
    "eoc.prop17.integral_w1",
    at=PROOF,
    title="First integral of the proof",
    states={
        name: eq(letter, -rho * b**2 * 2 / pi * sqrt(SCHUR))
        for name, letter in (("w₁", integral_w1), ("w₂", integral_w2))
    },
    given=COSINE,
    rests_on=["eoc.prop17.eq5"],
)


@INTEGRAL_W1.proved("w₁")
def polar_integration_w1(given: Given) -> Theorem:
    """Integrate over the radius, then over four sectors of constant signs."""
    return _integrated(given, integral_w1, "w1")


@INTEGRAL_W1.proved("w₂")
def polar_integration_w2(given: Given) -> Theorem:
    """The same with the roles of u₁ and u₂ exchanged."""
    return _integrated(given, integral_w2, "w2")


INTEGRAL_W1W2 = claim(
    "eoc.prop17.integral_w1w2",
    at=PROOF,
    title="Second integral of the proof",
    states=eq(integral_w1w2, b**2 * 2 / pi * sqrt(SCHUR)),
    given=COSINE,
    rests_on=["eoc.prop17.eq5"],
)


@INTEGRAL_W1W2.proved()
def polar_integration_mixed(given: Given) -> Theorem:
    """Integrate over the radius, then over four sectors of constant signs."""
    return _integrated(given, integral_w1w2, "w1_w2")


def _integrated(given: Given, letter: Symbol, which: str) -> Theorem:
    """The letter is a mean over two preactivations, and its integral is that at t = arccos ρ."""
    value, cosine = at_every_cosine(given, given.derived(derive_integral(which)))

    def form(first: Expr, second: Expr) -> Expr:
        return _integrand(letter, first, second)

    law = of_a_row(given, PREACTIVATIONS, given.fact("eoc.prop17.eq5"))
    simpler = value.statement.lhs.integrand
    mean = of_a_pair(given, form, PREACTIVATIONS, law, simpler)
    return given.follows(_as_a_mean(given, letter), mean, value, cosine)


REGROUP = claim(
    "eoc.prop17.regroup",
    at=PROOF,
    title="Regrouping before the bound",
    states=eq(g_12 - rho * g_11 + g_21 - rho * g_22, regrouped + (1 - rho) * (g_11 + g_22)),
    given=COSINE,
)


@REGROUP.proved()
def expand_the_form(given: Given) -> Theorem:
    """Expand the form at the difference of the directions."""
    difference = inner(act(B1_STAR, xhat1 - xhat2), act(B2_STAR, xhat2 - xhat1))
    named = given.meaning("form at the difference", eq(regrouped, difference))
    return given.follows(named, forms_at_directions(given))


DISTANCE = claim(
    "eoc.prop17.distance",
    at=PROOF,
    title="Distance of the unit vectors",
    states=eq(distance_xhat, sqrt(2 * (1 - rho))),
    given=COSINE,
)


@DISTANCE.proved()
def expand_the_square(given: Given) -> Theorem:
    """Expand the square of the norm."""
    named = given.meaning("distance", eq(distance_xhat, norm(xhat1 - xhat2)))
    return given.follows(named, directions(given))
