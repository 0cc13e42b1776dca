"""Remark 13: the weight of the relative error of a distance, and how it grows for γ_k = k²."""

from typing import Any

from hypothesis import strategies as st
from sympy import Integer, Interval, Rational, Symbol, limit, log, oo, pi, sqrt, symbols

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, both, eq, gt, le, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import LIMITING_COSINES, SQUARE_WIDTHS
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega, w, z, zeta
from theorems.eoc_mlp.letters.table import POSITIVE, claim
from theorems.eoc_mlp.one_layer.distances.distance_map import SANDWICH
from theorems.eoc_mlp.one_layer.widths.growth_in_the_limit import INCREMENT
from theorems.eoc_mlp.premises.sines import in_sines, positive_zeta
from theorems.eoc_mlp.premises.substitutions import as_it_stands, as_stated, of_inverse_distance

_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"


_WEIGHT = zeta(w**-2, DELTA) ** Rational(-1, 2) * zeta(w**-2, DELTA) / w**-2

WEIGHT = claim(
    "eoc.rem13.weight",
    at="Remark 13",
    title="The weight of the relative error is the inverse distance, up to one",
    states={
        "identity": eq(_WEIGHT, w**2 / omega(w, DELTA)),
        "lower bound": le(w - DELTA, w**2 / omega(w, DELTA)),
        "upper bound": le(w**2 / omega(w, DELTA), w - 4 * DELTA / (3 * pi)),
    },
    rests_on=["eoc.zeta.sandwich", "eoc.zeta", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@WEIGHT.proved("identity")
def insert_the_distance(given: Given) -> Theorem:
    """ω = ζ^(-1/2), in closed form."""
    positive = of_inverse_distance(positive_zeta(in_sines(given)), given.domain)
    return given.follows(positive, goal=unfolded(given.goal))


@WEIGHT.proved("lower bound", "upper bound")
def in_terms_of_omega(given: Given) -> Theorem:
    """ζ = ω^(-2); then (w²/ω)² = w⁴ζ lies between w² - Δw and w² - (8/(3π))Δw.

    √(w² - Δw) ≥ w - Δ, as w² - Δw - (w - Δ)² = Δ(w - Δ); and √(1 - x) ≤ 1 - x/2.
    """
    y = Symbol("y", positive=True)
    values = {zeta(w**-2, DELTA): y, omega(w, DELTA): 1 / sqrt(y)}
    stated = as_stated(WEIGHT, given.part, lambda one: one.subs(values))
    least = 8 / (3 * pi)
    between = [le(w**-2 - DELTA * w**-3, y), le(y, w**-2 - least * DELTA * w**-3)]
    numbers = rules.follows(stated, over={**given.domain, y: POSITIVE}, under=between)
    bounds = [given.fact("eoc.zeta.sandwich", f"{one} bound", {z: w**-2}) for one in ("lower", "upper")]
    positive = given.fact("eoc.zeta", "positive", {z: w**-2})
    met = rules.follows(
        both(gt(zeta(w**-2, DELTA), 0), *(one.xreplace({y: zeta(w**-2, DELTA)}) for one in between)),
        [*bounds, positive],
    )
    there = numbers.at({y: zeta(w**-2, DELTA)}, under=[gt(zeta(w**-2, DELTA), 0)])
    defined = {omega(w, DELTA): zeta(w**-2, DELTA) ** Rational(-1, 2)}
    goal = as_stated(WEIGHT, given.part, lambda one: one.subs(defined))
    return given.follows(there, met, goal=goal)


@WEIGHT.tested(
    "upper bound",
    over=st.tuples(
        st.one_of(st.just(1.0000001), st.floats(1, 1e4, exclude_min=True)),
        st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
    ),
)
def random_distances(case: tuple[float, float]) -> dict[Any, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


ALGEBRA = claim(
    "eoc.rem13.algebra",
    at="Remark 13",
    title="Errors of cosine distances scale as 1/k² for γ_k = k²",
    states=sentence(
        r"\lim_{k\to\infty}\frac{\zeta($z)^{$root}\tfrac{\zeta($z)}{$z}"
        r"\gamma_{k-1}^{$half}}{(k-$before)^{$square}} = $value, \quad $z = w_{k-1}^{$inverse}",
        root=Rational(-1, 2),
        half=Rational(1, 2),
        before=1,
        square=2,
        value=4 * DELTA / (3 * pi),
        inverse=-2,
    ),
    given={DELTA: Interval.Lopen(0, 1)},
    assuming=[LIMITING_COSINES, SQUARE_WIDTHS],
    rests_on=[WEIGHT, SANDWICH, "eoc.quoted.p13", INCREMENT],
    note=_NOTE,
    excused={
        "domain of z": "true as well: z is the inverse square of a number above 1",
        "before": "true as well: k less any number is k in the limit",
        "sign of before": "true as well: k less any number is k in the limit",
    },
)


@ALGEBRA.argued(
    bridge="The iterates are a linear function of k up to a logarithm, and ζ(z) lies between two"
    " bounds over which z tends to 1; so the quotient has the limit of these expressions.",
    uses=[LIMITING_COSINES, SQUARE_WIDTHS],
    over={DELTA: Interval.Lopen(0, 1)},
)
def insert_the_iterates(
    root: Any, half: Any, before: int, square: int, value: Any, inverse: Any
) -> Obligations:
    """With w = c(k - 1) + O(log k) and ζ(z)/z = 1 + O(√z), γ = (k - 1)².

    As z tends to 0 the weight is z^(-1/2), which is w.
    """
    n, bounded, log_factor, place = symbols("n o p z", positive=True)  # n = k - 1
    for side, name in ((1, "lower bound"), (0, "upper bound")):
        bound = as_it_stands(SANDWICH, name).args[1 - side].subs(z, place)
        yield f"ζ(z)/z tends to 1, {name}", equal(limit(bound / place, place, 0), Integer(1))
    increment = as_it_stands(INCREMENT).rhs - w
    for offset in (-bounded, 0, bounded):
        iterate = increment * n + log_factor * log(n) + offset
        weight = iterate ** (inverse * root) * (n**2) ** half / (n + 1 - before) ** square
        yield f"offset {offset}", equal(limit(weight, n, oo), value)
