"""Proposition 25: the bound of all cosines, with constants and as it is printed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Integer, Rational, Symbol, exp, log, oo, pi, sqrt

from symbolic.equality import equal
from theorems.engine import (
    Measured,
    Obligations,
    Provenance,
    gt,
    integers,
    interval,
    lt,
    rules,
    sentence,
)
from theorems.eoc_mlp.all_layers.cosines.error_of_a_layer import ENOUGH_Q, SMALL_LAYER, STEP
from theorems.eoc_mlp.all_layers.cosines.induction import (
    ERRORS,
    LAST,
    STEPS,
    UP_TO_LAST,
    follow,
    histories,
)
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ALL_ALIVE,
    BOTH_ALIVE,
    BY_DEFINITION,
    EQUAL_SCALINGS,
    EVENTS_OF_A_LAYER,
    INPUTS_NONZERO,
    LARGE_Q,
    NONZERO_DISTANCE,
    NOT_PARALLEL,
    SMALL_NU,
    SQUARE_WIDTHS,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    Q,
    W_start,
    claim,
    kappa,
    l,
    m,
    n,
    nu,
    p,
    s,
    w_1_input,
    z_1_input,
)

_NOTE = "proofs_notes/eoc_limits.md#cosines"
_LATER = integers(2)
#: True, as what the letters stand for has no such values.
_NO_SUCH_DATA = {
    "domain of Q": "true as well: Q is at least π/(π - 2) by its choice, which is above 1",
    "domain of W_start": "true as well: W is at least w_1, which is above 1",
    "domain of w_1_input": "true as well: only opposite inputs have w_1 = 1, and they are parallel",
    "domain of nu": "true as well: the expression that it stands for is not negative",
    "domain of n": "true as well: a single input has no pairs",
}

EXPLICIT = claim(
    "eoc.prop25.explicit",
    at="Proposition 25",
    title="Simultaneous concentration of the cosines, with explicit constants",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k, i_1 \ne i_2:\; |\rho_k - \tilde\rho_k| \le $factor"
        r"$nu\,\tfrac{$W_start H_{k-1} + $Delta_phi(k-$one)}"
        r"{($w_1_input + \frac{$four$Delta_phi}{$three\pi}(k-$one))^{$three}}\Bigr)"
        r" \ge $one - $two e^{-$s}, \quad $nu = \tfrac{$three\sqrt$three}{$two}"
        r"{$kappa}^{$two}$Q\sqrt{\tfrac{$s + \log(($l-$one)$n^{$two})}{$m}}",
        factor=Rational(27, 5),
        one=1,
        two=2,
        three=3,
        four=4,
    ),
    given={
        **dict.fromkeys((nu, W_start, DELTA, w_1_input, s, kappa, Q, l, m, z_1_input)),
        n: _LATER,
    },
    assuming=[SQUARE_WIDTHS, NOT_PARALLEL, LARGE_Q, SMALL_NU],
    discharging={
        **BY_DEFINITION,
        ALIVE: "on the event every ratio of lengths is positive, as e < 1, and no input is zero",
        BOTH_ALIVE: "on the event every ratio of lengths is positive, as e < 1",
        ALL_ALIVE: "on the event every ratio of lengths is positive, as e < 1",
        NONZERO_DISTANCE: "on the event w_k is finite in each layer, and it is so in the first one",
        EVENTS_OF_A_LAYER: "they are the events whose probabilities are added, L being the level",
        SMALL_LAYER: "x is at most (2/3)ν/(k - 1), which SMALL_NU bounds by 1/15",
        ENOUGH_Q: "Q is the larger of the factor of the inputs and of that at acute angles",
        STEPS: "by eoc.prop25.step in each layer, at this ν",
        UP_TO_LAST: "the layers are those of the network",
    },
    rests_on=[
        "eoc.prop12.explicit",
        "eoc.prop14.explicit",
        STEP,
        ERRORS,
        LAST,
        "eoc.omega.increment",
        "classical.union",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        **_NO_SUCH_DATA,
        "factor: 27/5 -> 2727/500": "true as well: the bound is larger",
        "domain of s": "true as well: below log 2 the probability that is claimed is negative",
        "domain of z_1_input": "true as well: no two inputs have such a squared distance",
    },
)
#: Where eoc.prop25.step is, and the logarithm of the number of events and ν have a value.
_ARGUED = {
    **{kappa: interval(1, sqrt(2)), DELTA: interval(0, 1)},
    **{l: integers(2), m: integers(1), n: integers(1)},
}


@EXPLICIT.argued(
    bridge="The events of all layers hold together with that probability; on them eoc.prop25.step"
    " is the hypothesis of the errors, these give the cosines, and w̃_k ≥ w₁ + c(k - 1). Q bounds"
    " z/ζ in every layer: on acute angles it is at most π/(π - 2), and 1/(1 - Δ) ≤ 5/2 if Δ ≤ 3/5.",
    uses=[SQUARE_WIDTHS, NOT_PARALLEL, LARGE_Q, SMALL_NU],
    over=_ARGUED,
)
def constants_and_number_of_events(
    factor: Any, one: int, two: int, three: int, four: int
) -> Iterator[Any]:
    """4e^(3/10) < 27/5, Q ≥ π/(π - 2) > 11/4, and n norms, n(n - 1)/2 proxies and differences."""
    yield rules.enclosed(lt(4 * exp(Rational(3, 10)), factor))
    yield rules.enclosed(gt(pi / (pi - 2), Rational(11, 4)))
    yield "5/2 < 11/4", bool(Rational(5, 2) < Rational(11, 4))
    added = 4 * DELTA / (3 * pi)
    yield "what a layer adds", equal(added, four * DELTA / (three * pi))
    radius = three * sqrt(three) / two * kappa**two * Q * sqrt(s / m)
    step = Rational(3, 2) * sqrt(3) * kappa**2 * Q * sqrt(s / m)
    yield "ν is (3/2)x(k - 1) of one layer", equal(radius, step)
    events = (l - one) * (n + two * n * (n - 1) / 2)
    level = s + log((l - one) * n**two)
    yield "the union", equal(events * 2 * exp(-level), two * exp(-s), under=[l > 1])
    yield "layers", equal(sp.summation(Integer(1), (Symbol("k", integer=True), 2, l)), l - one)


@EXPLICIT.tested(over=histories, controls={"less": {"factor": Rational(7, 2)}})
def cosines_over_bound(
    case: tuple[float, float, list[float], float], factor: Any, one: int, three: int, four: int
) -> Measured:
    """|ρ_k - ρ̃_k| over its bound, for errors of all signs."""
    noisy, limit, radius, harmonic, start = follow(case)
    layers, delta = len(case[2]) + 1 - one, case[1]
    if radius == 0:
        return Measured(0.0)
    slowest = case[0] + four * delta / (three * np.pi) * layers
    bound = float(factor) * radius * (start * harmonic + delta * layers) / slowest**three
    rounding = 64 * (layers + 1) * 2.0**-53 / limit**2
    return Measured(abs(2 / noisy**2 - 2 / limit**2) / bound, rounding / bound)


PRINTED = claim(
    "eoc.prop25",
    at="Proposition 25",
    title="Simultaneous concentration of the cosines of activations",
    states={
        "printed": sentence(
            r"\mathbb{P}\Bigl(\forall k \ge $first, i_1 \ne i_2:\ |\rho_k - \tilde\rho_k| \le"
            r" {$Delta_phi}^{-$power}(k-$one)^{-$power}\,O\bigl(\sqrt{\log($l\,$n)}\,"
            r"{$kappa}^{$square}{$m}^{-$half($one-$p)}\bigr)\Bigr)"
            r" \ge $one - $events e^{-{$m}^{$p}}",
            first=2,
            power=2,
            one=1,
            square=2,
            half=Rational(1, 2),
            events=4,
        ),
        "constant": sentence(
            r"O(x) \le C x, \quad C = $total $Q\Bigl($cube + $slope\tfrac{$W_start}{$w_1_input}"
            r"\bigl($one + \log_+\tfrac{$three\pi $w_1_input}{$four $Delta_phi}\bigr)\Bigr)"
            r" \quad \text{for } $nu H_{$l-$one} \le $tenth",
            total=20,
            cube=14,
            slope=3,
            one=1,
            three=3,
            four=4,
            tenth=Rational(1, 10),
        ),
    },
    given={
        **dict.fromkeys((l, m, p, kappa, Q, W_start, w_1_input, nu)),
        DELTA: sp.Interval.Lopen(0, 1),
        n: _LATER,
    },
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL],
    discharging={
        LARGE_Q: "Q is the larger of both sides, over all pairs of inputs",
        SMALL_NU: "it holds from some m on, as the O of the paper lets the rest be fixed",
        INPUTS_NONZERO: "a zero input is parallel to every other one",
    },
    rests_on=[EXPLICIT, "eoc.prop24.eq8"],
    note=_NOTE,
    excused={
        "square": "true as well: κ lies between 1 and √2, so that its power is a matter of the"
        " constant",
        "events": "true as well with 2 and with any larger number: the three families of events"
        " together have 2e^(-s), by eoc.prop25.explicit",
        "first: 2 -> 99/50": "true as well: layers are counted by integers",
        **dict.fromkeys(
            ("first: 2 -> 101/50", "first: 2 -> 3"), "true as well: it is said of fewer layers"
        ),
        **dict.fromkeys(
            ("cube: 14 -> 693/50", "slope: 3 -> 297/100"),
            "true as well: the argument needs no more than 13.1 for the cube, 2.9 for the slope",
        ),
        **dict.fromkeys(
            (
                *("total: 20 -> 101/5", "total: 20 -> 21", "cube: 14 -> 707/50", "cube: 14 -> 15"),
                *("slope: 3 -> 303/100", "slope: 3 -> 4"),
            ),
            "true as well: the bound is larger",
        ),
        **_NO_SUCH_DATA,
        "domain of l": "true as well: a network of one layer has no cosines above its inputs",
        "domain of p: with 0": "true as well: the probability 1 - 4/e that is claimed is negative",
        "hypothesis equal_scalings": "true as well: activations do not depend on the scalings, and"
        " the explicit form does without",
    },
)


@PRINTED.argued(
    "constant",
    bridge="With u = cn/w₁, n = k - 1 and H_n ≤ 1 + log n the bound of the explicit form, times"
    " Δ²n², is (27/5)ν times a sum of two quotients of powers of u and 1 + u, which are bounded.",
    uses=[SQUARE_WIDTHS, NOT_PARALLEL],
    over={DELTA: sp.Interval.Lopen(0, 1)},
)
def orders_of_the_errors(
    total: int, cube: int, slope: int, one: int, three: int, four: int, tenth: Any
) -> Obligations:
    """Δ²n²(W H_n + Δn)/(w₁ + cn)³ ≤ (3π/4)³ + (W/w₁)(3π/4)²(H_n u²/(1 + u)³), u = cn/w₁.

    u²/(1 + u)³ ≤ 4/27, H_n ≤ 1 + log(w₁/c) + log u, and u² log u/(1 + u)³ ≤ 1/e by log u ≤ u/e.
    """
    u = Symbol("u", positive=True)
    bump = u**2 / (1 + u) ** 3
    stationary = sp.solve(sp.diff(bump, u), u)
    top = Rational(4, 27)
    yield "largest at u = 2", bool(stationary == [2] and bump.subs(u, 2) == top)
    gap = u / sp.E - log(u)
    yield "log u ≤ u/e, equal at e", equal(gap.subs(u, sp.E), Integer(0))
    yield "convex there", sp.diff(gap, u, 2).is_positive
    yield "and tangent", equal(sp.diff(gap, u).subs(u, sp.E), Integer(0))
    quarter = three * pi / four  # Δ/c
    yield "Δ/c", equal(quarter, DELTA / (4 * DELTA / (3 * pi)))
    yield "(3π/4)³ ≤ 14", bool(quarter**3 <= cube)
    yield "(3π/4)²(4/27 + 1/e) ≤ 3", bool(quarter**2 * (top + 1 / sp.E) <= slope)
    share, start = Symbol("Delta", positive=True), Symbol("w", positive=True)
    yield "w₁/c", equal(start / (4 * share / (3 * pi)), three * pi * start / (four * share))
    small = SMALL_NU.formula
    yield "the smallness is that of the explicit form", small is not None and small.rhs == tenth
    yield "H_1 = 1", equal(sp.harmonic(1), sp.sympify(one))
    radius = Rational(3, 2) * sqrt(3) * sqrt(2)
    yield "(27/5)ν ≤ 20 Q κ² √log(ln) …", bool(Rational(27, 5) * radius <= total)


#: The explicit form is for such κ, and for p < 1 its radius ν tends to 0; m^p is at least 1.
_FROM_SOME_WIDTH = {
    **{kappa: interval(1, sqrt(2)), DELTA: sp.Interval.Lopen(0, 1)},
    **{m: integers(1), p: sp.Interval.Ropen(0, 1)},
}


@PRINTED.argued(
    "printed",
    bridge="By the letter of the paper's O the constant may depend on the data, as that of the"
    " second part does; at s = m^p the explicit form has this shape, and SMALL_NU holds from some m"
    " on.",
    uses=[SQUARE_WIDTHS, NOT_PARALLEL],
    over=_FROM_SOME_WIDTH,
)
def as_printed(
    first: int, power: int, one: int, square: int, half: Any, events: int
) -> Obligations:
    """At s = m^p: m^p + log((l - 1)n²) ≤ 2 m^p log(ln), for 1 + log(l - 1) ≤ 2 log l."""
    depth, inputs = Symbol("l", positive=True), Symbol("log(ln)", positive=True)
    quadratic = sp.Poly(depth**2 - sp.E * (depth - 1), depth)
    yield "e(l - 1) ≤ l²", bool(sp.discriminant(quadratic) < 0)
    yield (
        "the rate",
        equal(sqrt(2 * m**p * inputs / m), sqrt(2 * inputs) * m ** (-half * (one - p))),
    )
    n_, c, start = sp.symbols("n c w", positive=True)
    limit = sp.limit(n_**power * (n_ * c) / (start + c * n_) ** 3, n_, oo)
    yield "the power of k - 1 is attained", bool(limit.is_finite and limit != 0)
    yield "nothing to show in the first layer, where k - 1 vanishes", bool(first - one > 0)
    yield "κ² ≤ κ^square or a constant times it", bool(square >= 1)
    yield "2e^(-m^p) is at most that", bool(events >= 2)
