"""Proposition 25: the bound of all cosines, with constants and as it is printed."""

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy import Integer, Rational, Symbol, exp, log, oo, pi, sqrt

from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, gt, integers, interval, le, lt, rules, sentence
from theorems.eoc_mlp.all_layers.cosines.error_of_a_layer import ENOUGH_Q, SMALL_LAYER
from theorems.eoc_mlp.all_layers.cosines.induction import ERRORS, LAST, STEPS, UP_TO_LAST, follow, histories
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
    H,
    Q,
    W_start,
    claim,
    harmonic_below,
    k,
    kappa,
    l,
    m,
    n,
    nu,
    p,
    s,
    w_1_input,
    w_k,
    w_tilde,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands

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
        r"$nu\,\tfrac{$W_start H_{k-1} + $Delta_phi(k-$layers)}"
        r"{($w_1_input + $slope$Delta_phi(k-$passed))^{$cube}}\Bigr)"
        r" \ge $sure - $tails e^{-$s}, \quad $nu = $radius"
        r"{$kappa}^{$square}$Q\sqrt{\tfrac{$s + \log(($l-$inputs)$n^{$pairs})}{$m}}",
        factor=Rational(27, 5),
        layers=1,
        slope=4 / (3 * pi),
        passed=1,
        cube=3,
        sure=1,
        tails=2,
        radius=3 * sqrt(3) / 2,
        square=2,
        inputs=1,
        pairs=2,
    ),
    given={n: _LATER},
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
        "eoc.prop25.step",
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
    factor: Any,
    layers: Any,
    slope: Any,
    passed: Any,
    cube: Any,
    sure: Any,
    tails: Any,
    radius: Any,
    square: Any,
    inputs: Any,
    pairs: Any,
) -> Iterator[Any]:
    """4e^(3/10) < 27/5, Q ≥ π/(π - 2) > 11/4, and n norms, n(n - 1)/2 proxies and differences."""
    yield rules.enclosed(lt(4 * exp(Rational(3, 10)), factor))
    yield rules.enclosed(gt(pi / (pi - 2), Rational(11, 4)))
    yield "5/2 < 11/4", bool(Rational(5, 2) < Rational(11, 4))
    claimed = W_start * harmonic_below + DELTA * (k - layers)
    reached = w_1_input + slope * DELTA * (k - passed)
    yield (
        "errors of the cosines",
        equal(_of_the_cosines(), claimed / reached**cube, {DELTA: interval(0, 1)}),
    )
    step = Rational(3, 2) * sqrt(3) * kappa**2 * Q * sqrt(s / m)
    yield "ν is (3/2)x(k - 1) of one layer", equal(radius * kappa**square * Q * sqrt(s / m), step)
    events = sp.summation(n + 2 * n * (n - 1) / 2, (k, 2, l))
    failing = events * 2 * exp(-s - log((l - inputs) * n**pairs))
    yield "the union", equal(1 - failing, sure - tails * exp(-s), under=[l > 1])


def _of_the_cosines() -> Any:
    """4e^(2λ)w̃⁻³E over 4νe^(3λ), at λ = νH, E the bound of the errors and w̃ ≥ w₁ + c(k - 1)."""
    gap, ratio = sp.Abs(w_k - w_tilde), sp.Abs(log(w_k / w_tilde))
    errors, total = (as_it_stands(ERRORS, name).rhs for name in ("distance", "logarithm"))
    least = w_1_input + 4 * DELTA / (3 * pi) * (k - 1)
    bound = as_it_stands(LAST, "bound").rhs.xreplace({gap: errors, ratio: total})
    return sp.powsimp(bound.xreplace({w_tilde: least}) / (4 * nu * exp(3 * total)))


@EXPLICIT.tested(over=histories, controls={"less": {"factor": Rational(7, 2)}})
def cosines_over_bound(
    case: tuple[float, float, list[float], float],
    factor: Any,
    layers: Any,
    slope: Any,
    passed: Any,
    cube: Any,
) -> Measured:
    """|ρ_k - ρ̃_k| over its bound, for errors of all signs."""
    noisy, limit, radius, harmonic, start = follow(case)
    layer, delta = len(case[2]) + 1, case[1]
    if radius == 0:
        return Measured(0.0)
    slowest = case[0] + float(slope) * delta * float(layer - passed)
    errors = radius * (start * harmonic + delta * float(layer - layers))
    bound = float(factor) * errors / slowest ** float(cube)
    rounding = 64 * layer * 2.0**-53 / limit**2
    return Measured(abs(2 / noisy**2 - 2 / limit**2) / bound, rounding / bound)


PRINTED = claim(
    "eoc.prop25",
    at="Proposition 25",
    title="Simultaneous concentration of the cosines of activations",
    states={
        "printed": sentence(
            r"\mathbb{P}\Bigl(\forall k \ge $first, i_1 \ne i_2:\ |\rho_k - \tilde\rho_k| \le"
            r" {$Delta_phi}^{-$share}(k-$passed)^{-$power}\,O\bigl(\sqrt{\log($l\,$n)}\,"
            r"{$kappa}^{$square}{$m}^{-$half($one-$p)}\bigr)\Bigr)"
            r" \ge $sure - $events e^{-{$m}^{$p}}",
            first=2,
            share=2,
            passed=1,
            power=2,
            square=2,
            half=Rational(1, 2),
            one=1,
            sure=1,
            events=4,
        ),
        "constant": sentence(
            r"O(x) \le C x, \quad C = $total $Q\Bigl($cube + $slope\tfrac{$W_start}{$w_1_input}"
            r"\bigl($one + \log_+\tfrac{$three\pi $w_1_input}{$four $Delta_phi}\bigr)\Bigr)"
            r" \quad \text{for } $nu H_{$l-$inputs} \le $tenth",
            total=20,
            cube=14,
            slope=3,
            one=1,
            three=3,
            four=4,
            inputs=1,
            tenth=Rational(1, 10),
        ),
    },
    given={DELTA: sp.Interval.Lopen(0, 1), n: _LATER},
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL],
    discharging={
        LARGE_Q: "Q is the larger of both sides, over all pairs of inputs",
        SMALL_NU: "it holds from some m on, as the O of the paper lets the rest be fixed",
        INPUTS_NONZERO: "a zero input is parallel to every other one",
    },
    rests_on=[EXPLICIT, "eoc.prop24.eq8"],
    note=_NOTE,
    excused={
        "events": "true as well with 2 and with any larger number: the three families of events"
        " together have 2e^(-s), by eoc.prop25.explicit",
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
    total: int, cube: int, slope: int, one: int, three: int, four: int, inputs: int, tenth: Any
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
    yield "(3π/4)²(4/27 + 1/e) ≤ 3", bool(quarter**2 * (top * one + 1 / sp.E) <= slope * one)
    yield "H_n ≤ 1 + log n, equal at n = 1", equal(sp.harmonic(1), one + log(Integer(1)))
    later = sp.symbols("n", positive=True)
    grown = log(1 + 1 / later) - 1 / (later + 1)  # falls to 0, so that it is positive
    yield "and the logarithm grows faster", sp.factor(sp.diff(grown, later)).is_negative
    yield "as the difference tends to 0", equal(sp.limit(grown, later, oo), Integer(0))
    share, start = Symbol("Delta", positive=True), Symbol("w", positive=True)
    yield "w₁/c", equal(start / (4 * share / (3 * pi)), three * pi * start / (four * share))
    small = le(nu * H(l - inputs), sp.sympify(tenth))
    yield "the smallness is that of the explicit form", bool(small == SMALL_NU.formula)
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
    first: Any, share: Any, passed: Any, power: Any, square: Any, half: Any, one: Any, sure: Any, events: Any
) -> Obligations:
    """At s = m^p: m^p + log((l - 1)n²) ≤ 2 m^p log(ln), for 1 + log(l - 1) ≤ 2 log l."""
    depth, inputs = Symbol("l", positive=True), Symbol("log(ln)", positive=True)
    quadratic = sp.Poly(depth**2 - sp.E * (depth - 1), depth)
    yield "e(l - 1) ≤ l²", bool(sp.discriminant(quadratic) < 0)
    explicit = kappa**2 * sqrt(2 * m**p * inputs / m)
    claimed = kappa**square * sqrt(2 * inputs) * m ** (-half * (one - p))
    yield "the rate", equal(explicit, claimed)
    layer, start, delta = sp.symbols("n w Delta", positive=True)
    reached = start + 4 * delta / (3 * pi) * layer  # in the layer n + 1
    limit = sp.limit(delta**share * layer**power * (delta * layer) / reached**3, layer, oo)
    yield "the powers of Δ and k - 1 are attained", bool(limit.is_positive and limit.is_number)
    yield "k - 1 vanishes in the layer below the first", equal(first - 1, sp.sympify(passed))
    rare = Symbol("e^(-m^p)", positive=True)
    spared = sp.expand((1 - 2 * rare) - (sure - events * rare))
    yield "1 - 2e^(-m^p) is at least that", bool((spared / rare).is_nonnegative)
    yield "and both tend to 1", equal(sp.limit(spared, rare, 0), Integer(0))
