"""Proposition 25: the cosines of all pairs in all layers, by induction over layers."""

from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Integer, Max, Rational, Symbol, exp, log, oo, sqrt

from numeric.cosine_maps import omega as omega_in_floats
from symbolic.equality import equal
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Rounded,
    Severity,
    eq,
    ge,
    implies,
    integers,
    le,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import exponential_increases
from theorems.eoc_mlp.all_layers.cosines.logarithmic_steps import ACUTE
from theorems.eoc_mlp.hypotheses import EVENT_8, EVENT_9, SMALL_NU
from theorems.eoc_mlp.letters import (
    DELTA,
    W_start,
    claim,
    harmonic_below,
    k,
    l,
    nu,
    omega,
    rho_k,
    rho_tilde,
    w,
    w_1_input,
    w_k,
    w_tilde,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#cosines"
_LATER = integers(2)


INDUCTION = claim(
    "eoc.prop25.induction",
    at="Proposition 25, proof",
    title="The induction, with one constant for all data and all Δ",
    states=sentence(
        r"\exists C\ \forall $w_1_input, $Delta_phi:\quad"
        r" |$w_k - \omega^{\circ($k-$iterates)}($w_1_input)|"
        r" \le C $Delta_phi($k-$layers)$epsilon",
        iterates=1,
        layers=1,
    ),
    given={k: _LATER},
    assuming=[EVENT_8, EVENT_9],
    note=_NOTE,
)


@INDUCTION.refuted(severity=Severity.DEPENDENCE)
def both_norms_up(iterates: int, layers: int) -> Obligations:
    """k = 2, D = √ζ and f₁ = f₂ = 1 + ε: w₂ = (1 + ε)ω(w₁), off by more than ε; let Δ → 0.

    (The paper takes (k - 1)⁻¹ω(w_{k-1}) ≤ O(Δ), while ω(w₁) > 1 whatever Δ is; by the letter of the
    paper's O its constant may depend on w₁ and Δ.)
    """
    radius, constant, distance = sp.symbols("epsilon C D", positive=True)
    share, layer = Symbol("Delta", positive=True), 2
    yield "ω is applied once", equal(sp.sympify(layer - iterates), Integer(1))
    f = 1 + radius
    z = distance**2 / (f * f)
    yield "w₂ = (1 + ε)ω(w₁)", equal(z ** -Rational(1, 2), f / distance)
    bound = constant * share * (layer - layers) * radius
    yield "ε ω(w₁) > ε exceeds it as Δ → 0", bool(sp.limit(radius / bound, share, 0) == oo)


STEPS = Hypothesis(
    "steps",
    "in every layer the logarithm of an inverse cosine distance is close to that of the map",
    latex=r"\Bigl|\log\tfrac{w_j}{\omega(w_{j-1})}\Bigr| \le \tfrac{$nu}{j-1}",
)
UP_TO_LAST = Hypothesis("up_to_last", "the layer is not above the last one", formula=le(k, l))
_ERROR = nu * harmonic_below

ERRORS = INDUCTION.corrected(
    "eoc.prop25.induction.corrected",
    title="Errors of the inverse cosine distances, with explicit constants",
    states={
        "logarithm": le(Abs(log(w_k / w_tilde)), _ERROR),
        "distance": le(Abs(w_k - w_tilde), nu * exp(_ERROR) * (W_start * harmonic_below + DELTA * (k - 1))),
        "start": implies(
            sp.Or(ge(w_1_input**2, 2), le(DELTA**2 + DELTA, 1), evaluate=False), eq(W_start, w_1_input)
        ),
    },
    given={k: _LATER},
    assuming=[STEPS, SMALL_NU, UP_TO_LAST],
    rests_on=[
        "eoc.omega.logarithmic",
        "eoc.omega.increment.upper",
        ACUTE,
        "eoc.omega.lipschitz.corrected",
        "eoc.omega.acute",
    ],
    note=_NOTE,
    excused={
        "domain of w_k": "true as well: z is at most 1, and so its inverse root at least 1",
        "domain of w_tilde": "true as well: no iterate of ω is below its start, which is above 1",
        "domain of W_start": "true as well: it is at least the inverse distance of the inputs",
        "domain of harmonic_below": "true as well: a sum of inverses of numbers is not negative",
        "domain of k": "true as well: for k = 1 the inverse distances agree, and bounds are 0",
        "domain of l": "true as well: no layer k from the second on is at most the first",
    },
)


@ERRORS.argued(
    "logarithm",
    bridge="In the logarithm ω is 1-Lipschitz, so that the errors of the layers add up: for Δ ≤ 3/5"
    " everywhere, and for Δ ≥ 3/5 on acute angles, where w̃_j is with room from the second layer on"
    " and, by the bound itself, w_j as well.",
    uses=[STEPS, SMALL_NU, UP_TO_LAST],
)
def add_the_logarithms(given: Given) -> Obligations:
    """The bound grows by ν/k from layer k to k + 1, which is what a layer adds."""
    yield (
        "Δ ≤ 3/5 is below 2/3 and the inverse golden ratio",
        bool(Rational(3, 5) <= Rational(2, 3) and Rational(3, 5) <= (sqrt(5) - 1) / 2),
    )
    bound = given.goal.rhs.subs(harmonic_below, sp.Function("H")(k - 1))
    number = sp.Function("H")
    grown = bound.subs(k, k + 1).subs(number(k), number(k - 1) + 1 / k)
    yield "its growth", equal(sp.expand(grown - bound), nu / k)
    yield "from 0", equal(bound.subs(number(k - 1), 0), Integer(0))
    room, small = as_it_stands(ACUTE, "room"), SMALL_NU.formula
    spared = small is not None and bool(room.lhs.has(exp(-small.rhs)))
    yield "the room is that of SMALL_NU", spared
    yield "without errors both sides vanish", _without_errors(given.goal)


def _without_errors(relation: Any) -> bool:
    """Whether a relation holds at ν = 0, where both inverse distances are one number."""
    return bool(relation.subs({nu: 0, w_k: w_tilde}) == sp.true)


@ERRORS.argued(
    "distance",
    bridge="E_k ≤ E_{k-1} + (e^{ν/(k-1)} - 1) ω(w_{k-1}) as ω is 1-Lipschitz, with"
    " ω(w_{k-1}) ≤ e^{νH_{k-2}} w̃_k by the first part; finally w̃_j ≤ W + Δ(j - 1).",
    uses=[STEPS, SMALL_NU, UP_TO_LAST],
)
def sum_the_errors(given: Given) -> Obligations:
    """eˣ - 1 ≤ xeˣ, so that a layer adds at most νe^{νH_{k-1}} w̃_k/(k - 1)."""
    x = Symbol("x", nonnegative=True)
    gap = x * exp(x) - exp(x) + 1
    yield "xeˣ - eˣ + 1 vanishes at 0", equal(gap.subs(x, 0), Integer(0))
    yield "and increases", equal(sp.diff(gap, x), x * exp(x))
    number, layer = sp.Function("H"), Symbol("k", integer=True, positive=True)
    factor = nu * exp(_ERROR)
    bounded = given.goal
    total = sp.expand(sp.powsimp(bounded.rhs / factor)).subs(k, layer)
    total = total.subs(harmonic_below, number(layer - 1))
    grown = total.subs(layer, layer + 1).subs(number(layer), number(layer - 1) + 1 / layer)
    step = (W_start + DELTA * layer) / layer  # w̃_{k+1}/k
    yield "the step", equal(sp.expand(grown - total), sp.expand(step))
    first = total.subs(layer, 1).subs(number(0), 0)
    yield "nothing in the first layer", equal(sp.sympify(first), Integer(0))
    yield "without errors both sides vanish", _without_errors(bounded)


@ERRORS.certified("start")
def larger_of_two(given: Given) -> Theorem:
    """ω(w₁) - Δ ≤ w₁ if Δ is at most the inverse golden ratio, or the angle acute."""
    parts = ("up to the inverse golden ratio", "acute angles")
    added = [given.substituted(given.fact("eoc.omega.increment.upper", one), {w: w_1_input}) for one in parts]
    meant = eq(W_start, Max(w_1_input, omega(w_1_input, DELTA) - DELTA))
    return given.follows(*added, given.meaning("W", meant), goal=as_it_stands(ERRORS, "start"))


def histories() -> Any:
    """Starts, shares Δ, signs of the errors of the layers, and their common size."""
    signs = st.lists(st.sampled_from([-1.0, 1.0, 0.3]), min_size=1, max_size=40)
    starts = st.one_of(st.floats(1.001, 3), st.floats(1.001, 300))
    shares = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 1))
    return st.tuples(starts, shares, signs, st.one_of(st.just(0.0), st.floats(0.01, 1)))


def follow(case: tuple[float, float, list[float], float]) -> tuple[float, ...]:
    """(w_k, w̃_k, ν, H_{k-1}, W) for errors of the given signs, as large as is allowed."""
    start, delta, signs, size = case
    return _followed(start, delta, tuple(signs), size)


@lru_cache(maxsize=2048)  # wrong statements are tried at the same cases
def _followed(start: float, delta: float, signs: tuple[float, ...], size: float) -> tuple[float, ...]:
    harmonic = float(np.sum(1 / np.arange(1, len(signs) + 1)))
    radius = 0.1 * size / harmonic
    noisy = exact_value = grown = start
    for layer, sign in enumerate(signs, start=1):
        noisy, exact_value = omega_in_floats([noisy, exact_value], delta).tolist()
        grown = exact_value if layer == 1 else grown
        # Inverse distances are never below 1, to which the error is then cut.
        noisy = max(1 + 1e-9, noisy * float(np.exp(sign * radius / layer)))
    return noisy, exact_value, radius, harmonic, max(start, grown - delta)


@ERRORS.tested("distance", over=histories)
def errors_of_all_signs(case: tuple[float, float, list[float], float]) -> dict[Symbol, Any]:
    """|w_k - w̃_k| and its bound, for errors of all signs."""
    noisy, limit, radius, harmonic, start = follow(case)
    layers, delta = len(case[2]), case[1]
    # ω errs by 4 units in the last place and is 1-Lipschitz (from the second layer on).
    error = 16 * (layers + 1) * 2.0**-53
    return {
        w_k: Rounded(noisy, error * noisy),
        w_tilde: Rounded(limit, error * limit),
        nu: radius,
        harmonic_below: Rounded(harmonic, error * harmonic),
        W_start: Rounded(start, error * start),
        DELTA: delta,
        k: layers + 1,
    }


@ERRORS.tested("logarithm", over=histories)
def logarithms_of_all_signs(case: tuple[float, float, list[float], float]) -> dict[Symbol, Any]:
    """|log(w_k/w̃_k)| and its bound, for errors of all signs."""
    return errors_of_all_signs(case)


_RATIO = Abs(log(w_k / w_tilde))
_DIFFERENCE = 2 * Abs(w_k**-2 - w_tilde**-2)

LAST = claim(
    "eoc.prop25.last",
    at="Proposition 25, proof",
    title="Errors of cosines in terms of errors of inverse cosine distances",
    states={
        "identity": eq(Abs(rho_k - rho_tilde), _DIFFERENCE),
        "bound": le(_DIFFERENCE, 4 * exp(2 * _RATIO) * w_tilde**-3 * Abs(w_k - w_tilde)),
    },
    note=_NOTE,
)


@LAST.proved("identity")
def by_definition(given: Given) -> Theorem:
    """w = ((1 - ρ)/2)^(-1/2)."""
    pairs = ((rho_k, w_k), (rho_tilde, w_tilde))
    return given.follows(
        given.meaning("an inverse distance", *(eq(cosine, 1 - 2 * v**-2) for cosine, v in pairs))
    )


@LAST.proved("bound")
def factor_the_difference(given: Given) -> Theorem:
    """2(u⁻² - v⁻²) = 2(v - u)(u + v)/(u²v²), with u ≥ e^(-λ)v and e^λ ≤ e^(2λ)."""
    over, ratio = {x: given.domain[x] for x in (w_k, w_tilde)}, log(w_k / w_tilde)
    larger = [exponential_increases(_RATIO, one, over=over) for one in (Integer(0), -ratio)]
    return given.follows(*larger, goal=as_it_stands(LAST, "bound"))
