"""Proposition D.1 for inputs that depend on earlier images: one new image after the other.

Given all that was computed before, a new image under a matrix is a combination of its earlier
images and a Gaussian vector that is independent of everything so far.
"""

from sympy import Abs, Interval, Min, Reals, Symbol, cos, exp, oo

from theorems.attention_limit.letters.mixtures import (
    Z_fifth,
    Z_fourth,
    Z_new,
    Z_old,
    Z_rest,
    Z_third,
    all_sum,
    explained,
    explained_limit,
    fresh_variance,
    limit_variance,
    past_sum,
    phase,
    rest_size,
)
from theorems.attention_limit.letters.table import NONNEGATIVE, claim
from theorems.attention_limit.proofs.dot_products.limit_law import exponentials_are_near
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, le, rules
from theorems.engine.rules import E, P, Theorem, facts, principles
from theorems.engine.rules.vocabulary import independent

_AT = "Proposition D.1"
_NOTE = "proofs_notes/attn_mixtures.md#inputs-that-depend-on-earlier-images"

ONE_MORE = Hypothesis(
    "one_more_image",
    "$all_sum is the sum of $past_sum, of $explained and of a standard normal variable times the"
    " root of $fresh_variance, which is not negative; the normal variable is independent of all"
    " these and of $explained_limit",
    latex=r"$all_sum = $past_sum + $explained + g\sqrt{$fresh_variance}, \quad"
    r" g \sim \mathcal{N}(0, 1) \text{ independent of } $past_sum, $explained, $explained_limit,"
    r" $fresh_variance \ge 0",
)

STEP = claim(
    "attn.propD1.step",
    at=_AT,
    title="A new image adds to the dot products what the limit adds, up to two small means",
    states=le(
        Abs(
            E(cos(all_sum + phase))
            - exp(-limit_variance / 2) * E(cos(past_sum + explained_limit + phase))
        ),
        E(Min(2, Abs(explained - explained_limit)))
        + E(Min(1, Abs(fresh_variance - limit_variance) / 2)),
    ),
    given=[all_sum, past_sum, explained, explained_limit, fresh_variance, limit_variance, phase],
    assuming=[ONE_MORE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_a, _d, _e = (Symbol(name, real=True) for name in ("a", "d", "e"))
_v = Symbol("v", nonnegative=True)
_PLACE = {_a: Reals, _d: Reals, _e: Reals, phase: Reals}
_SIZES = {_v: Interval(0, oo), limit_variance: NONNEGATIVE}


def _waves() -> Theorem:
    """Cosines differ by at most 2, and by at most the distance of their angles."""
    wave, limit = cos(_a + _d + phase), cos(_a + _e + phase)
    return rules.textbook(
        "the cosine is bounded by one and Lipschitz with the constant one",
        both(le(Abs(wave), 1), le(Abs(limit), 1), le(Abs(wave - limit), Abs(_d - _e))),
        over=_PLACE,
    )


def _exponentials() -> Theorem:
    """e^(-v/2) and e^(-s/2) differ by at most 1, and by at most |v - s|/2."""
    own, other = -_v / 2, -limit_variance / 2
    near = [
        exponentials_are_near(*pair, over=_SIZES, under=[]) for pair in ((own, other), (other, own))
    ]
    grows = [
        facts.exponential_increases(*pair, over=_SIZES)
        for pair in ((own, other), (own, 0), (other, 0))
    ]
    goal = both(
        ge(exp(own), 0),
        le(exp(own), 1),
        le(Abs(exp(own) - exp(other)), Min(1, Abs(_v - limit_variance) / 2)),
    )
    return rules.follows(goal, [*near, *grows], over=_SIZES)


def _pointwise() -> tuple[Theorem, Theorem]:
    """The two sides of the inequality between the values, before means are taken."""
    over = {**_PLACE, **_SIZES}
    value = cos(_a + _d + phase) * exp(-_v / 2)
    limit = cos(_a + _e + phase) * exp(-limit_variance / 2)
    size = Min(2, Abs(_d - _e)) + Min(1, Abs(_v - limit_variance) / 2)
    known = [_waves(), _exponentials()]
    near = rules.follows(le(Abs(value - limit), size), known, over=over)
    sides = le(value - limit, size), ge(value - limit, -size)
    above, below = (rules.follows(side, [near], over=over) for side in sides)
    return above, below


@STEP.proved()
def means_of_products(given: Given) -> Theorem:
    """Given the past the mean of the cosine is that without the new variable, times e^(-V/2)."""
    values = {_a: past_sum, _d: explained, _e: explained_limit, _v: fresh_variance}
    means = [principles.expected_jointly(one, values) for one in _pointwise()]
    law = given.supposed(
        ONE_MORE,
        eq(
            E(cos(all_sum + phase)),
            E(cos(past_sum + explained + phase) * exp(-fresh_variance / 2)),
        ),
        eq(P(ge(fresh_variance, 0)), 1),
    )
    return given.follows(law, *means)


NEW_IMAGE = Hypothesis(
    "new_image",
    "$Z_new is $Z_old plus $rest_size times $Z_rest, which has mean zero and variance one and is"
    " independent of $Z_old, $Z_third, $Z_fourth and $Z_fifth",
    latex=r"$Z_new = $Z_old + $rest_size $Z_rest, \quad \mathbb{E} $Z_rest = 0, \quad"
    r" \mathbb{E} {$Z_rest}^2 = 1, \quad $Z_rest \text{ independent of the others}",
)

COVARIANCES = claim(
    "attn.propD1.covariances",
    at=_AT,
    title="The covariances of dot products in the limit are those of combination and rest",
    states={
        "with earlier ones": eq(
            E(Z_new * Z_third * Z_fourth * Z_fifth), E(Z_old * Z_third * Z_fourth * Z_fifth)
        ),
        "of new ones": eq(
            E(Z_new**2 * Z_third * Z_fourth),
            E(Z_old**2 * Z_third * Z_fourth) + rest_size**2 * E(Z_third * Z_fourth),
        ),
    },
    given=[Z_new, Z_old, Z_rest, Z_third, Z_fourth, Z_fifth, rest_size],
    assuming=[NEW_IMAGE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COVARIANCES.proved("with earlier ones", "of new ones")
def rest_is_independent(given: Given) -> Theorem:
    """What is linear in the rest has mean zero, and its square has mean one."""
    others = (
        Z_third * Z_fourth * Z_fifth,
        Z_old * Z_third * Z_fourth,
        Z_third * Z_fourth,
    )
    powers = (Z_rest, Z_rest, Z_rest**2)
    pairs = list(zip(powers, others, strict=True))
    image = Z_old + rest_size * Z_rest
    known = given.supposed(
        NEW_IMAGE,
        eq(E(Z_new * others[0]), E(image * others[0])),
        eq(E(Z_new**2 * others[2]), E(image**2 * others[2])),
        eq(E(Z_rest), 0),
        eq(E(Z_rest**2), 1),
        *(independent(*pair) for pair in pairs),
    )
    products = [facts.expectation_of_independent(*pair) for pair in pairs]
    return given.follows(known, *products)
