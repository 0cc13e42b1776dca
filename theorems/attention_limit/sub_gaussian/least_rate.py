"""Appendix E: no Gaussian bound of the tail has a larger rate, whatever the prefactor."""

import sympy as sp
from sympy import Abs, Symbol, exp, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import K_prefactor, Sigma_top, Z_output, c_rate
from theorems.attention_limit.sub_gaussian.tails import MIXTURE
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, implies, le, lt, rules
from theorems.engine.rules import E, P, Random, Theorem
from theorems.engine.rules.vocabulary import normal

_NOTE = "proofs_notes/attn_tools.md#tails-of-the-outputs"

TAIL_BOUND = Hypothesis(
    "gaussian_bound",
    "the tail of $Z_output has a Gaussian bound with the prefactor $K_prefactor and the rate"
    " $c_rate",
    latex=r"\mathbb{P}(|$Z_output| \ge t) \le $K_prefactor e^{-$c_rate t^2} \text{ for all } t",
)
NEAR_VERTICES = Hypothesis(
    "near_vertices",
    "with a positive probability the variance given the scores is as near as one likes to the"
    " largest variance $Sigma_top of a value, as it is for scores with a density",
    latex=r"\mathbb{P}(a^\top\Sigma a \ge v) > 0 \text{ for all } v < $Sigma_top",
)

LEAST = claim(
    "attn.appE.least",
    at="Appendix E",
    title="No larger rate of a Gaussian bound, whatever the prefactor",
    states=le(c_rate, 1 / (2 * Sigma_top)),
    given=[Z_output, c_rate, K_prefactor, Sigma_top],
    assuming=[MIXTURE, TAIL_BOUND, NEAR_VERTICES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LEAST.proved()
def far_out(given: Given) -> Theorem:
    """P(R² ≥ v) P(|N| ≥ u) ≤ K e^(-cvu²) fails for large u if v is below Σ_jj and cv above 1/2."""
    R, N = Random("R"), Random("N")
    u, v = Symbol("u", nonnegative=True), Symbol("v", positive=True)
    chance = Symbol("chance", positive=True)
    above = sp.Interval.open(0, sp.oo)
    places = {u: sp.Interval(0, sp.oo), v: above}
    tail, inside = P(ge(Abs(N), u)), P(ge(R**2, v))
    mixture = given.supposed(
        MIXTURE, le(inside * tail, P(ge(Abs(Z_output), u * sqrt(v)))), over=places
    )
    bound = given.supposed(
        TAIL_BOUND,
        le(P(ge(Abs(Z_output), u * sqrt(v))), K_prefactor * exp(-c_rate * v * u**2)),
        over=places,
    )
    positive = given.supposed(NEAR_VERTICES, implies(lt(v, Sigma_top), gt(inside, 0)), over=places)
    standard = [normal(N), eq(E(N**2), 1)]
    far = sp.Function("far", nonnegative=True)(c_rate * v, K_prefactor / chance)
    textbook = given.textbook(
        "a normal tail is at some place above any multiple of a smaller Gaussian",
        implies(
            gt(c_rate * v, sp.Rational(1, 2)),
            gt(chance * P(ge(Abs(N), far)), K_prefactor * exp(-c_rate * v * far**2)),
        ),
        over={v: above, chance: above},
        under=standard,
    )
    over = {**given.domain, v: above}
    middle = (1 / (2 * c_rate) + Sigma_top) / 2
    more = [gt(c_rate, 1 / (2 * Sigma_top))]
    at_far = {chance: inside, u: far.xreplace({chance: inside})}
    objects = {x: x.belongs_to for x in (R, N, Z_output)}
    steps = [
        rules.instance(
            one,
            {x: at_far[x] for x in one.over if x in at_far},
            over={**over, **objects},
            under=[gt(inside, 0), *standard],
        )
        for one in (mixture, bound, textbook)
    ]
    known = rules.follows(
        implies(lt(v, Sigma_top), le(c_rate * v, sp.Rational(1, 2))),
        [*steps, positive, given.supposed(MIXTURE, *standard)],
        over={**over, **objects},
    )
    here = rules.instance(known, {v: middle}, over=given.domain, under=more)
    return given.follows(here)
