"""Appendix E: no Gaussian bound of the tail has a larger rate, whatever the prefactor."""

import sympy as sp
from sympy import Abs, Rational, Symbol, exp, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import K_prefactor, Sigma_top, Z_output, c_rate
from theorems.attention_limit.sub_gaussian.tails import MIXTURE
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_tails import gordon
from theorems.engine import Given, Hypothesis, Provenance, ge, gt, implies, le, lt, rules
from theorems.engine.rules import P, Random, Theorem, facts

_NOTE = "proofs_notes/attn_tools.md#tails-of-the-outputs"

TAIL_BOUND = Hypothesis(
    "gaussian_bound",
    "the tail of $Z_output has a Gaussian bound with the prefactor $K_prefactor and the rate $c_rate",
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
    assuming=[MIXTURE, TAIL_BOUND, NEAR_VERTICES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_N, _HEIGHT = Random("N"), sqrt(2 / sp.pi)
_u, _rate, _K = sp.symbols("u rate K", nonnegative=True)
_share = Symbol("share", nonnegative=True)
_ABOVE, _SIZES = sp.Interval.open(0, sp.oo), sp.Interval(0, sp.oo)
_TAIL = P(ge(Abs(_N), _u))
_OVER = {_u: sp.Interval(1, sp.oo), _rate: sp.Interval.open(Rational(1, 2), sp.oo), _K: _SIZES}


def _linear() -> Theorem:
    """If p P(|N| ≥ u) ≤ K e^(-ru²) with r above 1/2, then √(2/π) p(r - 1/2)u ≤ 2K, for u ≥ 1.

    P(|N| ≥ u) ≥ √(2/π) e^(-u²/2) u/(u² + 1), and e^((r - 1/2)u²) ≥ 1 + (r - 1/2)u².
    """
    small, more = exp(-_rate * _u**2), (_rate - Rational(1, 2)) * _u**2
    numbers = {_u: _OVER[_u], _rate: _OVER[_rate]}
    known = [
        facts.exponential_of_sum(-(_u**2) / 2, -_rate * _u**2, more, over=numbers),
        facts.exponential_above_tangent(more, over=numbers),
    ]
    larger = ge(exp(-(_u**2) / 2), small * (1 + more))
    larger = rules.follows(larger, known)
    under = [*standard(_N).args, le(_share * _TAIL, _K * small)]
    low = _share * _HEIGHT * _u * (1 + more) * small
    below = le(low, _K * small * (_u**2 + 1))
    below = rules.follows(below, [gordon(_N, _u, over=numbers), larger], under=under)
    goal = le(_HEIGHT * _share * (_rate - Rational(1, 2)) * _u, 2 * _K)
    return rules.follows(goal, [below], under=under)


@LEAST.proved()
def far_out(given: Given) -> Theorem:
    """P(R² ≥ v) P(|N| ≥ u) ≤ K e^(-cvu²) fails for large u if v is below Σ_jj and cv above 1/2."""
    R, v = Random("R"), Symbol("v", positive=True)
    places, inside = {_u: _SIZES, v: _ABOVE}, P(ge(R**2, v))
    outside = P(ge(Abs(Z_output), _u * sqrt(v)))
    mixture = given.supposed(MIXTURE, le(inside * _TAIL, outside))
    bound = le(outside, K_prefactor * exp(-c_rate * v * _u**2))
    bound = given.supposed(TAIL_BOUND, bound)
    positive = given.supposed(NEAR_VERTICES, implies(lt(v, Sigma_top), gt(inside, 0)), over=places)
    law = given.supposed(MIXTURE, *standard(_N).args)
    over = {**given.domain, v: _ABOVE}
    objects = {x: x.belongs_to for x in (R, _N, Z_output)}
    excess = c_rate * v - Rational(1, 2)
    where = [gt(inside, 0), gt(excess, 0)]
    at = {_share: inside, _rate: c_rate * v, _K: K_prefactor}
    far = {_u: 1 + 2 * K_prefactor / (_HEIGHT * inside * excess)}
    steps = [
        one.at(values, over={**over, **objects}, under=where)
        for one, values in ((mixture, far), (bound, far), (_linear(), {**at, **far}))
    ]
    known = rules.follows(
        implies(lt(v, Sigma_top), le(c_rate * v, Rational(1, 2))),
        [*steps, positive, law],
        over={**over, **objects},
    )
    middle = (1 / (2 * c_rate) + Sigma_top) / 2
    more = [gt(c_rate, 1 / (2 * Sigma_top))]
    here = known.at({v: middle}, under=more)
    return given.follows(here)
