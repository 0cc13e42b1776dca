"""Proposition 12, proof: its displayed lines one by one, with constants.

The letter τ is the length of the activation that enters the layer, M is the width of the layer.
"""

from typing import Any

from hypothesis import strategies as st
from sympy import Abs, Interval, Rational, Reals, Symbol, log, sqrt, symbols

from theorems.classical import orlicz
from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Provenance, both, eq, half_line, implies, le, rules
from theorems.engine.rules import RANDOM, VECTORS, E, P, Theorem, facts, inner, probabilities
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, SCALE, SHARE, STANDARD_NORMAL
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, kappa_phi, phi
from theorems.eoc_mlp.letters.cosines import z
from theorems.eoc_mlp.letters.distances import Z1, Z2, ell, g, half_difference, z1, z2
from theorems.eoc_mlp.letters.gradients import tau1, u_i, u_j, x_i, x_j, xhat1, xhat2
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import normal, psi_norm, varsigma
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_AT = "Proposition 12, proof"
_POSITIVE = half_line(0, closed=False)
#: κ²z: the half difference Y is at most the root of it times a standard normal variable.
SIZE = kappa_phi(DELTA) ** 2 * z


def _phi(argument: Any) -> Any:
    return phi(argument, a, b)


def _along_the_row(given: Given, *names: str) -> list[Theorem]:
    """The preactivations of a row N(0, σ²) at two unit vectors of the cosine 1 - 2z."""
    forms = {"1": (Z1, Z1, xhat1, xhat1), "2": (Z2, Z2, xhat2, xhat2), "12": (Z1, Z2, xhat1, xhat2)}
    values = {"1": 1, "2": 1, "12": 1 - 2 * z}
    rows, letters = given.fact("eoc.prop11.rows"), (u_i, u_j, x_i, x_j)
    covariances = [given.substituted(rows, dict(zip(letters, forms[name], strict=True))) for name in names]
    products = [eq(inner(*forms[name][2:]), values[name]) for name in names]
    return [*covariances, given.meaning("a direction, and the squared cosine distance", *products)]


NORMALISED = claim(
    "eoc.prop12.normalised",
    at=_AT,
    title="Activations over the length of the layer below, unit by unit",
    states={
        "each unit": eq(_phi(tau1 * z1) / sqrt(M) / tau1, _phi(z1) / sqrt(M)),
        "variance": eq(E(Z1**2), SIGMA**2),
    },
    given={tau1: _POSITIVE},
    assuming=[BOTH_ALIVE],
    rests_on=["eoc.prop11.rows"],
)


@NORMALISED.proved("each unit")
def pull_out_the_length(given: Given) -> Theorem:
    """φ(τz)/τ = φ(z) for τ > 0."""
    return given.follows(goal=unfolded(given.goal))


@NORMALISED.proved("variance")
def at_a_unit_vector(given: Given) -> Theorem:
    """A preactivation is a linear form of the row, at a unit vector."""
    over = {Z1: RANDOM, SIGMA: given.domain[SIGMA], xhat1: VECTORS}
    return rules.follows(eq(E(Z1**2), SIGMA**2), _along_the_row(given, "1"), over=over)


DECOMPOSITION = claim(
    "eoc.prop12.decomposition",
    at=_AT,
    title="Decomposition of the difference of activations",
    states=eq(_phi(z1) - _phi(z2), a * (z1 - z2) + b * (Abs(z1) - Abs(z2))),
)


@DECOMPOSITION.proved()
def collect_the_coefficients(given: Given) -> Theorem:
    """Collect the coefficients of a and b."""
    return given.follows(goal=unfolded(given.goal))


DIFFERENCE = claim(
    "eoc.prop12.difference",
    at=_AT,
    title="The half difference of the preactivations has variance σ²z",
    states=eq(E((Z1 / 2 - Z2 / 2) ** 2), SIGMA**2 * z),
    rests_on=["eoc.prop11.rows"],
)


@DIFFERENCE.proved()
def variance_of_a_linear_image(given: Given) -> Theorem:
    """A linear image of a Gaussian vector with the covariance σ²(1, ρ; ρ, 1), ρ = 1 - 2z."""
    return given.follows(*_along_the_row(given, "1", "2", "12"))


KAPPA = claim(
    "eoc.prop12.kappa",
    at=_AT,
    title="κ, as a function of the share of the absolute value, lies between 1 and √2",
    states=[le(1, kappa_phi(DELTA)), le(kappa_phi(DELTA), sqrt(2))],
    rests_on=["eoc.prop18.range"],
    provenance=Provenance.DERIVED,
)


@KAPPA.proved()
def least_and_largest_share(given: Given) -> Theorem:
    """0 ≤ Δ(1 - Δ) ≤ 1/4."""
    return given.follows(goal=unfolded(given.goal))


_HALF_DIFFERENCE = Abs(_phi(z1) / 2 - _phi(z2) / 2)

REVERSE = claim(
    "eoc.prop12.reverse_triangle",
    at=_AT,
    title="Reverse triangle inequality",
    states=le(Abs(Abs(z1) / 2 - Abs(z2) / 2), Abs(z1 / 2 - z2 / 2)),
)


@REVERSE.proved()
def moduli_are_closer(given: Given) -> Theorem:
    """By the signs of z₁ and z₂."""
    return given.follows()


@REVERSE.tested(over=st.tuples(*[st.one_of(st.just(0.0), st.floats(-9, 9))] * 2))
def two_numbers(case: tuple[float, float]) -> dict[Symbol, float]:
    """Of equal and of different signs."""
    return dict(zip((z1, z2), case, strict=True))


PATHWISE = claim(
    "eoc.prop12.pathwise",
    at=_AT,
    title="The half difference of activations is at most a Gaussian in modulus",
    states={
        "bound": le(_HALF_DIFFERENCE, (Abs(a) + Abs(b)) * Abs(z1 / 2 - z2 / 2)),
        "scale": implies(
            eq(z1 / 2 - z2 / 2, SIGMA * sqrt(z) * g),
            eq((Abs(a) + Abs(b)) * Abs(z1 / 2 - z2 / 2), kappa_phi(DELTA) * sqrt(z) * Abs(g)),
        ),
    },
    assuming=[SHARE, SCALE],
    rests_on=[DECOMPOSITION, DIFFERENCE, REVERSE, "eoc.prop18.range"],
    provenance=Provenance.DERIVED,
)


@PATHWISE.proved("bound")
def both_parts(given: Given) -> Theorem:
    """Both parts of the decomposition are at most the half difference of the preactivations."""
    return given.follows(given.fact(DECOMPOSITION), given.fact(REVERSE), goal=unfolded(given.goal))


@PATHWISE.proved("scale")
def insert_the_variance(given: Given) -> Theorem:
    """(|a| + |b|)σ = κ."""
    return given.follows(given.fact("eoc.prop18.range", "scale"))


@PATHWISE.tested("bound", over=st.tuples(*[st.one_of(st.just(0.0), st.floats(-9, 9))] * 4))
def four_numbers(case: tuple[float, ...]) -> dict[Symbol, float]:
    """Coefficients and preactivations of any signs."""
    return dict(zip((z1, z2, a, b), case, strict=True))


_NORM = psi_norm(half_difference, 2)
_EVENT = le(Abs(half_difference), kappa_phi(DELTA) * sqrt(z) * Abs(normal))

DOMINATED = claim(
    "eoc.prop12.pathwise.law",
    at=_AT,
    title="Almost surely, the half difference of activations is at most a Gaussian in modulus",
    states=eq(P(_EVENT), 1),
    rests_on=[PATHWISE, DIFFERENCE],
    discharging={one: BY_DEFINITION[one] for one in (SHARE, SCALE)},
    provenance=Provenance.DERIVED,
)


@DOMINATED.proved()
def for_all_values(given: Given) -> Theorem:
    """By the inequality for all values, for the coefficients √(1 - Δ) and √Δ, where σ is 1.

    The second preactivation is the first one less 2√z u.
    """
    known = [given.fact(PATHWISE, name) for name in PATHWISE.parts]
    bound = le(_HALF_DIFFERENCE, kappa_phi(DELTA) * sqrt(z) * Abs(g))
    half = eq(z1 / 2 - z2 / 2, SIGMA * sqrt(z) * g)
    values = rules.follows(implies(half, bound), known, under=known[0].under)
    one = {a: sqrt(1 - DELTA), b: sqrt(DELTA), SIGMA: 1, z2: z1 - 2 * sqrt(z) * g}
    here = values.at(one)
    here = rules.follows(bound.xreplace(one), [here])
    sure = probabilities.surely(here, {z1: Z1, g: normal})
    meant = eq(P(_EVENT), sure.statement.lhs)
    named = given.meaning("the half difference, and u", meant)
    return given.follows(sure, named, goal=as_it_stands(DOMINATED))


SUBGAUSSIAN = claim(
    "eoc.prop12.subgaussian",
    at=_AT,
    title="Sub-gaussian norm of the half difference, with its constant",
    states=le(_NORM, sqrt(Rational(8, 3)) * kappa_phi(DELTA) * sqrt(z)),
    rests_on=[DOMINATED, "eoc.sec2.psi.gaussian"],
    discharging={STANDARD_NORMAL: "that is what the letter stands for"},
)


#: Values of Y and u, and what almost surely holds of them.
y, x = symbols("y x", real=True)
SMALLER = _EVENT.xreplace({half_difference: y, normal: x})


def standard_u(given: Given) -> Theorem:
    """The law of u."""
    return given.meaning("u, a standard normal variable", *standard(normal).args)


def certain(given: Given, values: Theorem) -> Theorem:
    """What |y| ≤ κ√z|x| implies for all values has probability one for Y and u."""
    sure = probabilities.surely(values, {y: half_difference, x: normal})
    smaller, event = sure.statement.lhs.args[0].args
    over = {**values.over, half_difference: RANDOM, normal: RANDOM}
    over = {letter: range_ for letter, range_ in over.items() if letter not in (y, x)}
    larger = probabilities.implied_event(smaller, event, over=over)
    premises = [sure, larger, facts.probability(event, over=over), given.fact(DOMINATED)]
    return rules.follows(eq(P(event), 1), premises, over=over, under=values.under)


@SUBGAUSSIAN.proved()
def norm_of_a_gaussian(given: Given) -> Theorem:
    """The norm does not decrease with the modulus; that of a standard normal variable is √(8/3)."""
    event = eq(P(le(Abs(half_difference), varsigma * Abs(normal))), 1)
    bound = rules.follows(
        implies(event, le(_NORM, sqrt(Rational(8, 3)) * varsigma)),
        [
            orlicz.monotone(psi_norm, 2)(half_difference, varsigma * normal),
            given.fact("eoc.sec2.psi.gaussian"),
            standard_u(given),
        ],
    )
    apart = {**given.domain, z: Interval.Lopen(0, 1)}
    there = bound.at({varsigma: kappa_phi(DELTA) * sqrt(z)}, over=apart)
    law, goal = given.fact(DOMINATED), as_it_stands(SUBGAUSSIAN)
    none, numbers = [eq(z, 0)], {y: Reals, x: Reals, **given.domain}
    any_scale = {**numbers, varsigma: _POSITIVE}
    tiny = le(Abs(y), varsigma * Abs(x))
    below = certain(given, rules.follows(implies(SMALLER, tiny), over=any_scale, under=none))
    small = rules.follows(
        le(_NORM, sqrt(Rational(8, 3)) * varsigma), [bound, below], over=below.over, under=none
    )
    scale = _NORM / (2 * sqrt(Rational(8, 3)))
    nothing = [small.at({varsigma: scale}, under=[*none, _NORM > 0])]
    return given.follows(
        rules.follows(goal, [there, law]), rules.follows(goal, nothing, under=none), goal=goal
    )


_SQUARE = half_difference**2

CENTRED = claim(
    "eoc.prop12.centred",
    at=_AT,
    title="Sub-exponential norm of the centred square, with its constant",
    states=le(psi_norm(_SQUARE - E(_SQUARE), 1), (Rational(8, 3) + 1 / log(2)) * kappa_phi(DELTA) ** 2 * z),
    rests_on=[DOMINATED, SUBGAUSSIAN],
)


@CENTRED.proved()
def square_and_centre(given: Given) -> Theorem:
    """The norm of Y² is that of Y, squared; that of the constant EY² ≤ κ²z is EY²/log 2."""
    over = dict.fromkeys(symbols("x n e k r q", nonnegative=True), half_line(0))
    x, n, e, k, r, q = over
    over[ell] = _POSITIVE
    known = both(le(x, n**2 + e / ell), le(n, q * k * r), le(e, k**2 * r**2))
    numbers = rules.follows(implies(known, le(x, (q**2 + 1 / ell) * k**2 * r**2)), over=over)
    values = {x: psi_norm(_SQUARE - E(_SQUARE), 1), n: _NORM, e: E(_SQUARE), ell: log(2)}
    at = {**values, k: kappa_phi(DELTA), r: sqrt(z), q: sqrt(Rational(8, 3))}
    letters = {half_difference: RANDOM, **given.domain}
    bound = numbers.at(at, over=letters, under=[le(0, one) for one in at.values()])
    return given.follows(bound, *_centring(given), goal=as_it_stands(CENTRED))


def _centring(given: Given) -> list[Theorem]:
    """What the textbooks say of Orlicz norms and means of squares and constants."""
    mean, least = E(_SQUARE), orlicz.definition
    smaller, numbers = implies(SMALLER, le(y**2, SIZE * x**2)), {y: Reals, x: Reals}
    numbers |= {letter: given.domain[letter] for letter in (DELTA, z)}
    return [
        given.fact(DOMINATED),
        given.fact(SUBGAUSSIAN),
        orlicz.of_square(psi_norm)(half_difference),
        orlicz.triangle(psi_norm)(_SQUARE, -mean),
        orlicz.of_number(psi_norm)(-mean),
        least(psi_norm, 2)(half_difference, 1),
        least(psi_norm, 1)(_SQUARE - mean, 1),
        facts.expectation_of_square(half_difference),
        certain(given, rules.follows(smaller, over=numbers)),
        probabilities.larger_mean(_SQUARE, SIZE * normal**2, over=given.domain),
        standard_u(given),
        facts.logarithm_below_tangent(Rational(1, 2)),
    ]
