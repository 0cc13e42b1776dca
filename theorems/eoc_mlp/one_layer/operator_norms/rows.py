"""Proposition 10, proof: the rows of the random layer, and their law given the signs."""

from itertools import combinations_with_replacement
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Integer, Rational, Symbol, pi, sqrt

from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from theorems.classical import orlicz
from theorems.classical.normal_means import by_density
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    eq,
    ge,
    gt,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm, probabilities
from theorems.engine.rules.normal_variables import independent_rest, mean_modulus, no_atoms
from theorems.engine.rules.principles import drawn, expected
from theorems.engine.rules.vocabulary import normal as is_normal
from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BELOW, NOT_BOTH_ZERO, SCALE, STANDARD_NORMAL
from theorems.eoc_mlp.letters import (
    SIGMA,
    M,
    a,
    asymmetry,
    b,
    claim,
    frob_b,
    k1,
    k2,
    kappa_of,
    norm_b,
    normal,
    phi_prime,
    psi_norm,
    row_form,
    sign_j,
    squared_width,
    u,
    u_i,
    u_j,
    varsigma,
    width_b,
    x_i,
    x_j,
    xhat,
    y_any,
)
from theorems.eoc_mlp.premises.linear_forms import covariance_of_forms, mean_square_of_image
from theorems.eoc_mlp.premises.substitutions import as_it_stands, as_stated

_PROOF = "Proposition 10, proof"
_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
LAYERS = {k1: integers(2), k2: integers(3)}

UNIT_VECTOR = Hypothesis("unit_vector", "$y_any is a unit vector", formula=eq(norm(y_any), 1))
UNIT_DIRECTION = Hypothesis("unit_direction", "$xhat has length 1", formula=eq(norm(xhat), 1))

_ALONG = inner(xhat, y_any)
_SQUARE = SIGMA**2 * (
    GaussianMean((phi_prime(u, a, b) * u) ** 2, u) * _ALONG**2
    + GaussianMean(phi_prime(u, a, b) ** 2, u) * (inner(y_any, y_any) - _ALONG**2)
)

ISOTROPIC = claim(
    "eoc.prop10.isotropic",
    at=_PROOF,
    title="The rows are isotropic: their second moment along any vector is its squared length",
    states=[eq(E(row_form**2), _SQUARE), eq(_SQUARE, inner(y_any, y_any))],
    assuming=[ALIVE, SCALE, UNIT_DIRECTION],
    rests_on=["eoc.prop16.moments", "eoc.prop11.rows"],
)


@ISOTROPIC.proved()
def along_and_across(given: Given) -> Theorem:
    """With v = σ(gx̂ + rest) and the slope φ'(g): squares of both parts, and no mixed term.

    Of a standard normal row g is the form at x̂, and the rest that at y without what g tells of it.
    """
    given.require(ALIVE)
    row, g, along = Random("form at y"), Random("g"), Symbol("along", real=True)
    rest, slope = row - along * g, phi_prime(g, a, b)
    at_u, numbers = phi_prime(u, a, b), {x: given.domain[x] for x in (a, b)}
    everywhere = {**numbers, along: sp.Reals}
    moments = given.fact("eoc.prop16.moments")
    plain, weighted = (one.atoms(GaussianMean).pop() for one in moments.statement.args)
    pairs = [
        facts.independent_functions(power, weight, rest, g, over=everywhere)
        for power, weight in (
            (lambda x: x, lambda x: x * phi_prime(x, a, b) ** 2),
            (lambda x: x**2, lambda x: phi_prime(x, a, b) ** 2),
        )
    ]
    return given.follows(
        given.meaning(
            "the form of a row, times its slope", eq(E(row_form**2), E((slope * SIGMA * row) ** 2))
        ),
        given.meaning("forms of one standard normal row", is_normal(row, g), is_normal(g)),
        *_covariances(given, (row, y_any), (g, xhat)),
        given.meaning("the part along the direction", eq(along, _ALONG)),
        independent_rest(row, g, along, over=everywhere),
        *pairs,
        *(facts.expectation_of_independent(*one.statement.args, over=everywhere) for one in pairs),
        by_density(at_u**2, u, g, plain, over=numbers),
        by_density(at_u**2 * u**2, u, g, weighted, over=numbers),
        moments,
        goal=as_it_stands(ISOTROPIC),
    )


def _covariances(given: Given, *forms: tuple[Random, Vector]) -> list[Theorem]:
    """Those of forms of one standard normal row at vectors, each with each."""
    rows, pairs = given.fact("eoc.prop11.rows"), combinations_with_replacement(forms, 2)
    return [rows.at({u_i: U, x_i: x, u_j: V, x_j: y, SIGMA: 1}) for (U, x), (V, y) in pairs]


_PSI = sqrt(Rational(8, 3)) * kappa_of(a, b)

ROWS = claim(
    "eoc.prop10.subgaussian",
    at=_PROOF,
    title="Sub-gaussian norm of the rows, with its constant, which |s| attains",
    states={
        "bound": le(psi_norm(row_form, 2), _PSI),
        "attained": implies(eq(a, 0), eq(psi_norm(row_form, 2), _PSI)),
    },
    assuming=[UNIT_VECTOR, ALIVE, NOT_BOTH_ZERO],
    rests_on=["eoc.sec2.psi.gaussian", "eoc.prop11.rows"],
    discharging={STANDARD_NORMAL: "that is what the letter stands for"},
)


def _times(small: Expr, large: Expr, value: Symbol, under: Any) -> Theorem:
    """|x| ≤ |y| implies |xv| ≤ |yv|."""
    x, y, v = sp.symbols("x y v", real=True)
    wider = implies(le(Abs(x), Abs(y)), le(Abs(x * v), Abs(y * v)))
    known = rules.follows(wider)
    return known.at({x: small, y: large, v: value}, under=under)


@ROWS.proved("bound", "attained")
def largest_slope(given: Given) -> Theorem:
    """|φ'| ≤ |a| + |b|, with equality for a = 0, and ⟨v, y⟩ = σg for a unit vector.

    The form is sg with s = σφ', so that its norm is at most that of cg where |s| ≤ c.
    """
    given.require(UNIT_VECTOR, ALIVE)
    scale, length, activation = kappa_of(a, b), sqrt(a**2 + b**2), Vector("activation below")
    at, drawn = Symbol("preactivation", real=True), Random("preactivation_drawn")
    slope = unfolded(phi_prime(at, a, b)) / length
    defined = [a**2 + b**2 > 0]
    scale = unfolded(scale)
    below = rules.follows(le(Abs(slope), scale), under=defined)
    steep = implies(sp.Ne(at, 0), eq(Abs(slope), scale))
    folded = rules.follows(steep, under=[*defined, eq(a, 0)])
    there = slope.subs(at, drawn)
    size = psi_norm(there * normal, 2)
    products = there * normal, scale * normal
    value = Symbol("value of the normal variable", real=True)
    flat = [eq(a, 0), *defined]
    moved, back = (_times(*pair, value, defined) for pair in ((slope, scale), (scale, slope)))
    product = rules.follows(moved.statement.args[1], [below, moved], under=defined)
    turned = implies(sp.Ne(at, 0), back.statement.args[1])
    turned = rules.follows(turned, [folded, back], under=flat)
    event, beyond = (one.xreplace({at: drawn, value: normal}) for one in turned.statement.args)
    steep_surely = probabilities.surely(turned, {at: drawn, value: normal})
    return given.follows(
        probabilities.surely(product, {at: drawn, value: normal}),
        steep_surely,
        probabilities.implied_event(event, beyond, under=defined),
        facts.probability(beyond, under=defined),
        given.supposed(ALIVE, gt(norm(activation), 0)),
        given.meaning("the preactivation, the form at the activation of such a row", is_normal(drawn)),
        *_covariances(given, (drawn, activation)),
        no_atoms(drawn, 0),
        orlicz.monotone(psi_norm, 2)(*products, under=defined),
        orlicz.monotone(psi_norm, 2)(*products[::-1], under=defined),
        given.meaning("the form of a row, times its slope", eq(psi_norm(row_form, 2), size)),
        given.meaning("u, the form at y of a standard normal row", is_normal(normal)),
        *_covariances(given, (normal, y_any)),
        given.fact("eoc.sec2.psi.gaussian").at({varsigma: scale}, under=defined),
        goal=as_stated(ROWS, given.part),
    )


WIDTH = claim(
    "eoc.prop10.width",
    at=_PROOF,
    title="Gaussian width of the image of the sphere",
    states=[
        le(sqrt(2 / pi) * norm_b, width_b),
        le(width_b, sqrt(squared_width)),
        eq(sqrt(squared_width), frob_b),
    ],
    note=_NOTE,
)


@WIDTH.proved()
def second_moment(given: Given) -> Theorem:
    """sup ⟨B y, g⟩ ≤ ‖B*g‖; E g_i g_j = δ_ij; and for one unit vector E|⟨B y, g⟩| = ‖B y‖√(2/π)."""
    most, length, form, image = *map(Random, ("largest form", "length", "form")), Vector("image")
    value = Symbol("value", nonnegative=True)
    positive = rules.follows(ge(value, 0))
    below, above = _of_the_largest_form(given, most, length, form)
    return given.follows(
        given.meaning("the Gaussian width, the mean of the largest form on the sphere", eq(width_b, E(most))),
        given.meaning("squared_width", eq(squared_width, E(length**2))),
        facts.expectation_of_square(length),
        *(expected(positive, value, X) for X in (length - most, most - Abs(form))),
        *(below, above),
        given.meaning(
            "the form at a unit vector where B attains its norm", is_normal(form), eq(norm_b, norm(image))
        ),
        covariance_of_forms(given, form, image, form, image, Integer(1)),
        mean_modulus(form),
        mean_square_of_image(given, E(length**2), frob_b**2, Integer(1)),
        goal=as_it_stands(WIDTH),
    )


def _of_the_largest_form(given: Given, most: Random, length: Random, form: Random) -> list[Theorem]:
    """|⟨B*g, y⟩| ≤ sup ⟨B*g, y⟩ ≤ ‖B*g‖ for unit vectors y, at one of which the largest is attained."""
    draw, unit = Symbol("draw", integer=True, nonnegative=True), Vector("unit vector")
    image, best = (vectors(name)(draw) for name in ("image of g", "unit vector of the largest form"))
    top = sp.Function("largest form of the image of g", real=True)(draw)
    sphere = eq(norm(unit), 1)
    each = given.largest("the largest form on the sphere", le(inner(image, unit), top), under=[sphere])
    attained = given.meaning(
        "where the largest form is attained", eq(norm(best), 1), eq(top, inner(image, best))
    )
    either = [given.substituted(each, {unit: sign * unit}) for sign in (1, -1)]
    within = [given.meaning("a unit vector", sphere), *either]
    below = rules.follows(ge(top - Abs(inner(image, unit)), 0), within)
    above = rules.follows(ge(norm(image) - top, 0), [attained, facts.cauchy_schwarz(image, best)])
    return [
        drawn(below, {inner(image, unit): form, top: most}, draw),
        drawn(above, {norm(image): length, top: most}, draw),
    ]


ASYMMETRY = Hypothesis(
    "asymmetry_of_slopes",
    "$asymmetry says how far the squared slopes on both sides of zero are from their mean",
    formula=eq(asymmetry, 2 * a * b / (a**2 + b**2)),
)
_SLOPE = SIGMA * phi_prime(sign_j, a, b)

DECOMPOSITION = claim(
    "eoc.prop10.decomposition",
    at="Proposition 10",
    title="The random layer given the signs of its preactivations",
    states={
        "layer": sentence(r"\sqrt{$M}\, $B_next = D_{$slopes}(D_{$signs} $moduli \hat x^* + $G_across) $B"),
        "slopes": [eq(_SLOPE**2, 1 + asymmetry * sign_j), le(Abs(_SLOPE), kappa_of(a, b))],
        "independence": sentence(r"$signs,\ $moduli \text{ and } $G_across \text{ are independent}"),
    },
    given=LAYERS,
    assuming=[BELOW, ALIVE, SCALE, ASYMMETRY],
    rests_on=["eoc.prop11.rows", "eoc.kappa", "eoc.def2.homogeneous"],
    discharging={NOT_BOTH_ZERO: "the weights have the standard deviation σ"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1",
        "domain of k2": "true as well: no layer k_1 from the second on lies below the second",
    },
)


@DECOMPOSITION.proved("slopes")
def slopes_by_sign(given: Given) -> Theorem:
    """s_j = σφ'(ε_j): s_j² = 1 + rε_j with |r| = κ² - 1."""
    return given.follows(goal=as_stated(DECOMPOSITION, "slopes"))


_ALIVE = [BELOW, ALIVE]
#: The layer has rows, and there is an activation below it to which one propagates back.
_ROWS = {M: integers(1), k1: integers(2)}


@DECOMPOSITION.argued(
    "layer",
    bridge="A slope depends on its preactivation through the sign alone, and every row of G is its"
    " part along the direction, which is the preactivation, and the rest.",
    uses=_ALIVE,
    over=_ROWS,
)
def one_row() -> Obligations:
    """φ'(z)v = σφ'(ε)(ε|h|x̂ + rest), where v = σ(hx̂ + rest) and h = ε|h|: in letters."""
    h, tau = Symbol("h", positive=True), Symbol("tau", positive=True)
    for sign in (-1, 1):
        here = unfolded(phi_prime(sign * tau * h, a, b))
        yield f"slope at a sign {sign}", equal(here, unfolded(phi_prime(sign, a, b)))
    row, direction = (sp.Matrix(sp.symbols(f"{name}:3", real=True)) for name in "gx")
    along = row.dot(direction) / direction.dot(direction) * direction
    yield "the rest is across", bool(sp.cancel((row - along).dot(direction)) == 0)


@DECOMPOSITION.argued(
    "independence",
    bridge="Uncorrelated parts of a normal matrix are independent, and the sign of a symmetric"
    " variable is independent of its modulus.",
    uses=_ALIVE,
    over=_ROWS,
)
def uncorrelated_parts() -> Obligations:
    """h = Gx̂ is uncorrelated with G(𝓘 - x̂x̂*), and the density of h is even."""
    x = sp.Matrix(sp.symbols("x:3", real=True))
    rest = sp.eye(3) - x * x.T / (x.T * x)[0]
    yield "uncorrelated", bool((rest * x).applyfunc(sp.cancel).is_zero_matrix)
    h = Symbol("h", real=True)
    density = sp.exp(-(h**2) / 2)
    yield "even density", equal(density.subs(h, -h), density)
