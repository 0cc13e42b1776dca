"""Section 2: tails from sub-gaussian and sub-exponential norms, with the best constants.

A variable has the norm K at most if the mean of exp((|X|/K)^alpha) is at most 2, alpha = 2 or 1:
the infimum that defines the norm is attained, by monotone convergence.
"""

from typing import Any

import sympy as sp
from sympy import Abs, Integral, Interval, Max, Min, Piecewise, Symbol, exp, log, sqrt

from symbolic.derivation import Derivation, Step
from theorems.classical import orlicz
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import Given, Provenance, both, eq, ge, half_line, iff, implies, le, rules
from theorems.engine.rules import RANDOM, E, P, Theorem, facts, principles, probabilities
from theorems.eoc_mlp.hypotheses import STANDARD_NORMAL
from theorems.eoc_mlp.letters import C, X, claim, normal, psi_bound, psi_norm, s, threshold, u, varsigma
from theorems.eoc_mlp.premises.means import carried_out
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_networks.md#tails-from-norms"
_t, _K = threshold, psi_bound
_x = Symbol("x", real=True)  # a value of the variable
_ORDERS = {"sub-gaussian": 2, "sub-exponential": 1}


def _tails(bound: Any) -> dict[str, Any]:
    """For either order: a norm of at most K implies a tail, a function of the order."""
    return {
        name: implies(le(psi_norm(X, order), _K), le(P(ge(Abs(X), _t)), bound(order)))
        for name, order in _ORDERS.items()
    }


PSI = claim(
    "eoc.sec2.psi",
    at="Section 2",
    title="Sub-gaussian and sub-exponential tails, with O(K) = CK for any C of at least 1",
    states=_tails(lambda order: 2 * exp(-((_t / (C * _K)) ** order))),
    given={C: half_line(1)},
    rests_on=["eoc.sec2.psi.explicit"],
    note=_NOTE,
)


@PSI.proved("sub-gaussian", "sub-exponential")
def larger_constants(given: Given) -> Theorem:
    """The bound for C = 1, and e^(-s) decreases in s."""
    order, over = _ORDERS[given.part], given.domain
    sharp = given.fact("eoc.sec2.psi.explicit", given.part)
    less, more = (_t / (C * _K)) ** order, (_t / _K) ** order
    grows = facts.exponential_increases(-less, -more, over=over)
    return given.follows(sharp, grows, goal=as_it_stands(PSI, given.part))


EXPLICIT = claim(
    "eoc.sec2.psi.explicit",
    at="Section 2",
    title="Sub-gaussian and sub-exponential tails with constant one",
    states=_tails(lambda order: 2 * exp(-((_t / _K) ** order))),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved("sub-gaussian", "sub-exponential")
def markov(given: Given) -> Theorem:
    """Where |x| ≥ t, exp((|x|/K)^α) ≥ e^s; elsewhere it is positive. Its mean is at most 2."""
    order = _ORDERS[given.part]
    mean = _mean_above(exp((_t / _K) ** order), exp(_exponent(order)), order, given.domain[_t])
    return given.follows(mean, *_norm_and_mean(given, order), goal=as_it_stands(EXPLICIT, given.part))


def _exponent(order: int) -> Any:
    return (Abs(_x) / _K) ** order


def _mean_above(height: Any, function: Any, order: int, above: Any) -> Theorem:
    """The mean of a function of x that is at least ``height`` for |x| >= t and at least 0 else."""
    over = {_x: sp.Reals, _t: above, _K: Interval.open(0, sp.oo)}
    grows = [
        facts.exponential_increases(_exponent(order), (_t / _K) ** order, over=over),
        facts.exponential_increases(0, _exponent(order)),
    ]
    step = le(height * Piecewise((1, ge(Abs(_x), _t)), (0, True)), function)
    return principles.expected(rules.follows(step, grows), _x, X)


def _norm_and_mean(given: Given, order: int) -> list[Theorem]:
    """What the norm and the probability are: means."""
    event = ge(Abs(X), _t)
    norm = orlicz.definition(psi_norm, order)(X, _K)
    return [norm, probabilities.mean_of_indicator(event, over=given.domain)]


_CHANCE = 1 / (exp(s) - 1)

SHARP = EXPLICIT.sharpened(
    "eoc.sec2.psi.sharp",
    title="Best tails from sub-gaussian and sub-exponential norms",
    states={
        **_tails(lambda order: Min(1, 1 / (exp((_t / _K) ** order) - 1))),
        "comparison": implies(ge(s, log(2)), le(_CHANCE, 2 * exp(-s))),
        # |X| = t with this probability, s = (t/K)^alpha, and else 0: the mean is 2.
        "attained": implies(ge(s, log(2)), both(le(_CHANCE, 1), eq(1 - _CHANCE + _CHANCE * exp(s), 2))),
    },
    # At t = 0 the quotient is 1/0, and the event is certain.
    given={_t: half_line(0, closed=False)},
    note=_NOTE,
)


@SHARP.proved("sub-gaussian", "sub-exponential")
def markov_less_one(given: Given) -> Theorem:
    """(e^s - 1) 1{|x| ≥ t} ≤ exp((|x|/K)^α) - 1 for all x, and the mean of this is ≤ 2 - 1."""
    order = _ORDERS[given.part]
    height, function = exp((_t / _K) ** order) - 1, exp(_exponent(order)) - 1
    mean = _mean_above(height, function, order, given.domain[_t])
    certain = facts.probability(ge(Abs(X), _t), over=given.domain)
    positive = facts.exponential_increases(0, (_t / _K) ** order, over=given.domain)
    premises = mean, certain, positive, *_norm_and_mean(given, order)
    return given.follows(*premises, goal=as_it_stands(SHARP, given.part))


@SHARP.proved("comparison", "attained")
def beyond_two(given: Given) -> Theorem:
    """For e^s ≥ 2 the quotient is at most 1, and at most 2/e^s."""
    grows = facts.exponential_increases(s, log(2))
    return given.follows(grows, goal=as_it_stands(SHARP, given.part))


_NORM = sqrt(sp.Rational(8, 3)) * varsigma

GAUSSIAN = claim(
    "eoc.sec2.psi.gaussian",
    at="Section 2",
    title="Sub-gaussian norm of a centred Gaussian",
    states=eq(psi_norm(varsigma * normal, 2), _NORM),
    assuming=[STANDARD_NORMAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GAUSSIAN.proved()
def exponential_moment(given: Given) -> Theorem:
    """The mean of exp(ς²u²/K²) is (1 - 2ς²/K²)^(-1/2) for K > √2 ς, and 2 at K = √(8/3) ς."""
    over = {normal: RANDOM, varsigma: given.domain[varsigma]}
    bounds = _bounds_of_the_norm({**over, _K: Interval.open(0, sp.oo)})
    # Were the norm smaller than claimed, the bound in the middle would contradict the bounds.
    middle = (Max(psi_norm(varsigma * normal, 2), sqrt(2) * varsigma) + _NORM) / 2
    instances = [bounds.at({_K: bound}) for bound in (_NORM, middle)]
    return given.follows(*instances, goal=as_it_stands(GAUSSIAN, given.part))


def _bounds_of_the_norm(over: Any) -> Theorem:
    """For K > √2 ς: the norm is at most K exactly if K is at least √(8/3) ς."""
    finite = [sqrt(2) * varsigma < _K]
    width, form = 1 - 2 * varsigma**2 / _K**2, exp((varsigma * u / _K) ** 2)
    moment, conditions = E(form.subs(u, normal)), [*finite, *standard(normal).args]
    numbers = {one: over[one] for one in (varsigma, _K)}
    law = by_density(form, u, normal, _integral(width), over=numbers, under=finite)
    value = rules.derived(_INTEGRATED).at({_c: width}, over=over, under=finite)
    mean = rules.follows(eq(moment, 1 / sqrt(width)), [law, value], under=conditions)
    at_most_two = iff(le(1 / sqrt(width), 2), ge(_K, _NORM))
    solved = rules.follows(at_most_two, under=finite)
    attained = orlicz.definition(psi_norm, 2)(varsigma * normal, _K)
    claimed = iff(le(psi_norm(varsigma * normal, 2), _K), ge(_K, _NORM))
    return rules.follows(claimed, [mean, solved, attained], under=conditions)


def _integral(width: Any) -> Any:
    return Integral(exp(-(u**2) / 2 * width) / sqrt(2 * sp.pi), (u, -sp.oo, sp.oo))


_c = Symbol("c", positive=True)
_INTEGRATED = Derivation(
    title="The mean of an exponential of a square",
    name=r"\mathbb{E}e^{(1 - c)u^2/2}",
    start=_integral(_c),
    steps=[Step(1 / sqrt(_c), "integrate", carried_out)],
)
