"""Proposition 27, proof: Equations (13) and (14) for all pairs of inputs, and what they add up to.

Notation of the explicit bounds: S = 1/(k₁ - 1) + … + 1/(k₂ - 1), w̃_k = ω^{∘(k-1)}(w₁), and
E_k bounds |w_k - w̃_k| as in Proposition 25.
"""

from typing import Any

from sympy import Abs, Interval, Range, Rational, exp, limit, oo, sqrt

from symbolic.equality import equal
from theorems.engine import Choice, Given, Obligations, integers, le, sentence
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    EQUAL_SCALINGS,
    MATRICES_NONZERO,
    NONZERO_DISTANCE,
    SQUARE_WIDTHS,
    ZERO_IS_ORTHOGONAL,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    L,
    Pi,
    X_mean,
    X_prime,
    X_prime_below,
    claim,
    kappa,
    l,
    m,
    n,
    p,
    rho_before,
    rho_tilde_before,
    s,
    varrho_prime,
)
from theorems.eoc_mlp.one_layer.last_layer.concentration import NET_CONSTANT
from theorems.eoc_mlp.premises.recursions import decided, radius_of_products

_EVERY_LAYER = (SQUARE_WIDTHS, EQUAL_SCALINGS, ALL_ALIVE)
_PAIRS = {n: integers(2)}


_RADIUS = kappa**2 * (sqrt(6 * L / m) + Rational(10, 3) * L / m)

EQ_13 = claim(
    "eoc.prop27.eq13",
    at="Proposition 27, proof; Equation (13); Equation (14)",
    title="All steps of the inner products, with explicit constants",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall i_1, i_2,\ k,\ k_1 < k_2:\ $events, \text{ and } $others\Bigr)"
        r" \ge $one - $two e^{-$s}, \quad $epsilon = $radius, \quad $L = $s + $factor\log($l\,$n)",
        events=Choice(
            r"|X'_{k,k} - \varrho'(\rho_{k-1})| \le \frac{\epsilon}{k-1},\ "
            r" |X'_{k_1,k_2} - \mathbb{E}X'_{k_1,k_2}| \le \frac{\epsilon}{k_2-1}"
            r"\|B_{k_1,k_2-1}(x_{i_1})\|_F\,\|B_{k_1,k_2-1}(x_{i_2})\|_F",
            {"(13)": 1, "(14)": 2},
        ),
        others=Choice(
            r"\text{the events of Propositions 25 and 26}",
            {"Proposition 25": (l - 1) * n**2, "Proposition 26": (l - 1) ** 2 * n},
        ),
        one=1,
        two=2,
        radius=_RADIUS,
        factor=2,
    ),
    given=_PAIRS,
    assuming=_EVERY_LAYER,
    discharging={
        ALIVE: "no activation vanishes",
        BOTH_ALIVE: "no activation vanishes",
        NONZERO_DISTANCE: "on the event w_k is finite in each layer, and it is so in the first one",
        ZERO_IS_ORTHOGONAL: "no activation vanishes",
        BELOW: "(14) is about k_1 < k_2",
        MATRICES_NONZERO: "where a matrix vanishes the next one does, and (14) says nothing",
    },
    rests_on=[
        *("eoc.prop12.explicit", "eoc.prop14.explicit", "eoc.prop18.explicit"),
        *("eoc.prop19.explicit", "eoc.prop26.eq10", "classical.union"),
    ],
    note="proofs_notes/eoc_limits.md#backpropagation-products",
    excused={
        f"radius: {_RADIUS} -> {Rational(101, 100) * _RADIUS}": "true as well: a larger radius",
        **dict.fromkeys(
            ("factor: 2 -> 101/50", "factor: 2 -> 3"),
            "true as well: a larger exponent L gives larger radii and more probability",
        ),
        "domain of s: from -1/100": "true as well: the probability that is claimed is negative",
        "domain of epsilon: from -1/100": "true as well: it is the radius, which is not negative",
    },
)


@EQ_13.argued(
    bridge="Each event fails with a probability of at most 2e^(-L), (13) and (14) by the tails of"
    " Propositions 18 and 19 in a layer of width M = j²m, j = k - 1 or k_2 - 1; the union bound"
    " adds them up.",
    uses=_EVERY_LAYER,
    over={**{l: integers(2), m: integers(1), **_PAIRS}, **{L: Interval(0, oo), kappa: Interval(1, sqrt(2))}},
)
def count_all_events(events: Any, others: Any, one: Any, two: Any, radius: Any, factor: Any) -> Obligations:
    """(l-1)n² of Proposition 25, (l-1)²n of 26, n(n-1)/2 · l(l-1)/2 here: at most (ln)²."""
    choices = {1: l - 1, 2: (l - 1) * (l - 2) / 2}
    pairs = n * (n - 1) / 2
    number = sum(choices[chosen] * pairs for chosen in events.values()) + sum(others.values())
    over = {l: Range(2, oo), n: Range(2, oo)}
    times = factor if isinstance(factor, int) else Rational(factor)
    if not isinstance(times, int):  # a power that is no integer: at l = n = 2, and in the limit
        yield "at most (ln)²", bool(limit(number.subs(n, l) / l ** (2 * times), l, oo) <= 1)
    else:
        yield "at most (ln)²", decided(le(number, (l * n) ** times), over)
    tail = 2 * exp(-s)
    yield "the union", equal(1 - tail, one - two * exp(-s))
    yield from radius_of_products(radius)


COUNT = claim(
    "eoc.prop27.count",
    at="Proposition 27; Proposition 24; Proposition 25; Proposition 26; Theorem 28",
    title="The printed probabilities add up",
    states=sentence(
        r"\text{the events of these propositions fail with probabilities of at most}\quad"
        r" ($norms, $cosines, $matrices, $products, $kernel) \cdot e^{-$m^{$p}}",
        norms=2,
        cosines=4,
        matrices=6,
        products=14,
        kernel=16,
    ),
    rests_on=["eoc.prop9.union", "classical.union"],
    discharging={NET_CONSTANT: "it is the constant with which Proposition 9 counts"},
    note="proofs_notes/eoc_limits.md#backpropagation-products",
)


@COUNT.argued(
    bridge="The union bound adds up the families on which a proposition conditions.",
    over={m: integers(1), p: Interval.open(0, 1)},
)
def families_of_events(norms: int, cosines: int, matrices: int, products: int, kernel: int) -> Obligations:
    """2e^{-m^p} for each family: norms, proxies; (10), (11), (12); (13), (14); the last layer."""
    lengths, proxies, backward = ["(8)"], ["(9)"], ["(10)", "(11)", "(12)"]
    steps, last = ["(13)", "(14)"], ["Proposition 9"]
    families = {
        "Proposition 24": (norms, lengths),
        "Proposition 25": (cosines, lengths + proxies),
        "Proposition 26": (matrices, backward),
        "Proposition 27": (products, lengths + proxies + backward + steps),
        "Theorem 28": (kernel, lengths + proxies + backward + steps + last),
    }
    for name, (printed, needed) in families.items():
        yield name, bool(printed == 2 * len(needed))


TELESCOPE = claim(
    "eoc.prop27.telescope",
    at="Proposition 27, proof",
    title="The error after one more layer is at most a sum of four differences",
    states=le(
        Abs(X_prime - Pi),
        Abs(X_prime - X_mean)
        + Abs(X_mean - varrho_prime(rho_before, DELTA) * X_prime_below)
        + Abs(
            varrho_prime(rho_before, DELTA) * X_prime_below
            - varrho_prime(rho_tilde_before, DELTA) * X_prime_below
        )
        + Abs(varrho_prime(rho_tilde_before, DELTA) * X_prime_below - Pi),
    ),
    rests_on=["eoc.varrho.prime"],
)


@TELESCOPE.proved()
def add_up_the_differences(given: Given) -> Theorem:
    """The triangle inequality: everything but the ends cancels."""
    return given.follows()
