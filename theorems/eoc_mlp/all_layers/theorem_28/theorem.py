"""Theorem 28: the last layer, and the NTK matrix of all inputs."""

from typing import Any

import sympy as sp
from sympy import Rational, exp, log, sqrt

from symbolic.equality import equal
from theorems.classical.hypotheses import INDEPENDENT_NORMALS, NONZERO_WEIGHTS
from theorems.engine import Given, Obligations, Severity, integers, interval, sentence
from theorems.eoc_mlp.all_layers.products.steps import COUNT
from theorems.eoc_mlp.all_layers.theorem_28.cosine_errors import SHALLOW as UNIFORM_SUMS
from theorems.eoc_mlp.all_layers.theorem_28.last_layer import JACOBIAN_CORRECTED
from theorems.eoc_mlp.all_layers.theorem_28.mean import SUMS
from theorems.eoc_mlp.all_layers.theorem_28.unit_inputs import SCALING
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    DERIVATIVE_AT_ZERO,
    EQUAL_SCALINGS,
    EVENT_8,
    EVENT_10,
    EVENT_11_12,
    EVENTS_24_TO_27,
    HERMITIAN_BLOCKS,
    LARGE_Q,
    NOT_ABOVE,
    NOT_BOTH_ZERO,
    NOT_PARALLEL,
    SMALL_NU,
    SQUARE_WIDTHS,
    UNIT_INPUTS,
    WIDE_ENOUGH,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    H,
    K_limit_matrix,
    K_matrix,
    claim,
    frob_j,
    kappa,
    l,
    m,
    m_l,
    max_norm,
    n,
    norm_a,
    norm_j,
    p,
    s,
    tau_bar,
    union_exponent,
)
from theorems.eoc_mlp.one_layer.last_layer.concentration import UNION_EXPONENT
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_AT = "Theorem 28"
_NOTE = "proofs_notes/eoc_limits.md#theorem-28"
_SETTING = (SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL)
_RADIUS = r"\sqrt{\log($l\,$n)}\,$kappa^{$kappa_square} $m^{-$half($one - $p)}"
_SURE = r"\Bigr) \ge $sure - $failing e^{-$m^{$p}}"
_ERROR = r"\|$K_matrix - $K_limit_matrix\|"
_LETTERS: dict[Any, Any] = {
    **dict.fromkeys((K_matrix, K_limit_matrix, tau_bar, m_l, l, kappa, m, p)),
    n: integers(2),
    DELTA: sp.Interval.Lopen(0, 1),
}


def _with_one_constant(letters: str, bound: Any) -> Any:
    """The error is at most a multiple of a bound, the same one for all values of the letters."""
    return sentence(
        rf"\exists C\ \forall {letters}:\ \mathbb{{P}}\Bigl("
        + _ERROR
        + r" \le C$tau_bar^{$square}\bigl($bound\bigr)"
        + _RADIUS
        + _SURE,
        square=2,
        bound=bound,
        kappa_square=2,
        half=Rational(1, 2),
        one=1,
        sure=1,
        failing=16,
    )


#: What the counterexample of two layers meets.
_ONE_NETWORK = {
    INDEPENDENT_NORMALS: "the last layer has independent normal entries",
    NONZERO_WEIGHTS: "all weights of the chi-square are 1",
    DERIVATIVE_AT_ZERO: "with probability one no preactivation vanishes",
    NOT_BOTH_ZERO: "the activation function is the absolute value",
}

EQ_15 = claim(
    "eoc.thm28.eq15",
    at="Theorem 28, proof; Equation (15)",
    title="The last layer, with the depth under the root",
    states=sentence(
        r"\exists $epsilon\ \forall $m_l:\ \mathbb{P}\Bigl(\|K_\theta(x_{i_1}, x_{i_2})"
        r" - \mathbb{E}_{A_l}K_\theta(x_{i_1}, x_{i_2})\| \le $bound\,$epsilon\Bigr) \ge $one"
        r" - $failing e^{-$m^{$p}}",
        bound=(l - 1) * sqrt(l),
        one=1,
        failing=16,
    ),
    assuming=[*_SETTING, UNIT_INPUTS],
    rests_on=["classical.laurent_massart", "eoc.prop9.reduction"],
    discharging=_ONE_NETWORK,
    note=_NOTE,
)

UNIFORM = claim(
    "eoc.thm28.uniform",
    at=_AT,
    title="Theorem 28 with one constant for all output dimensions",
    states=_with_one_constant(r"$m,\ $m_l", DELTA**-2 + (log(l) + sqrt(m_l)) * l),
    given=_LETTERS,
    assuming=_SETTING,
    rests_on=["classical.laurent_massart", "eoc.prop9.reduction"],
    discharging=_ONE_NETWORK,
    note=_NOTE,
)


def _wishart_excess(bound: Any, sure: Any, failing: Any) -> Obligations:
    """l = 2, φ = |·|: K(x, x) ⪰ GG*/m, G of m_l × m standard normals, so of rank at most m.

    Its trace is χ²/m with m·m_l degrees of freedom, at least m_l/2 but for a probability
    e^(-m·m_l/16), and the largest eigenvalue is at least trace/m, while K̃(x, x) = 2𝓘.
    """
    width, number, d = sp.symbols("m n d", positive=True)
    outputs = sp.Symbol("m_l", positive=True)
    # Laurent and Massart: χ² ≥ d - 2√(dx) but for e^(-x)
    yield "x = d/16", equal(d - 2 * sp.sqrt(d * d / 16), d / 2)
    trace = (width * outputs / 2) / width
    least = (trace / width - 2) / number
    claimed = bound.subs({l: 2, m_l: outputs, m: width, DELTA: 1})
    ratio = sp.limit(least / claimed, outputs, sp.oo)
    yield "exceeds every multiple as m_l grows", bool(ratio == sp.oo)
    yield "the printed probability is positive: m = 9, p = 1/2", bool(sure - failing * exp(-3) > 0)
    yield ("that of a small trace is not", bool(sp.limit(exp(-9 * outputs / 16), outputs, sp.oo) == 0))


@UNIFORM.refuted(
    severity=Severity.DEPENDENCE,
    controls={"linear_term": {"bound": DELTA**-2 + (log(l) + sqrt(m_l) + m_l / m) * l}},
)
def many_outputs(bound: Any, sure: Any, failing: Any) -> Obligations:
    """The bound grows like √m_l, the kernel like m_l/m."""
    yield from _wishart_excess(bound, sure, failing)


@EQ_15.refuted(severity=Severity.SLIP, controls={"linear_term": {"bound": (l - 1) * (sqrt(l) + m_l / m)}})
def bounded_in_the_outputs(bound: Any, one: Any, failing: Any) -> Obligations:
    """At l = 2 the bound √2 ε does not depend on m_l (E K has only m_l-free entries X_k X')."""
    yield from _wishart_excess(bound, one, failing)


_NONNEGATIVE = dict.fromkeys((frob_j, norm_j, union_exponent, s), sp.Interval(0, sp.oo))

LAST = EQ_15.corrected(
    "eoc.thm28.eq15.corrected",
    title="The last layer, for all pairs at once",
    states=sentence(
        r"\mathbb{P}_l\Bigl(\max_{i_1,i_2}\|K_\theta - \mathbb{E}_{A_l}K_\theta\| \le $bound\Bigr)"
        r" \ge $one - $two e^{-$s}, \quad $union_exponent = $level",
        bound=4 * frob_j * sqrt(union_exponent) + 4 * norm_j * union_exponent,
        one=1,
        two=2,
        level=s + log(n * (n + 1) / 2) + 2 * m_l * log(9),
    ),
    rests_on=["eoc.prop9.explicit", "classical.union"],
    discharging={UNION_EXPONENT: "it is taken at s + log(n(n + 1)/2) for s"},
    note=_NOTE,
)


@LAST.argued(
    bridge="For n(n + 1)/2 pairs of inputs the bound of one pair is taken with a smaller"
    " probability of failing, and the union bound adds them up; the block of (i, j) is the adjoint"
    " of that of (j, i).",
    over={**_NONNEGATIVE, n: integers(1), m_l: integers(1)},
)
def union_over_pairs(given: Given, bound: Any, one: Any, two: Any, level: Any) -> Obligations:
    """The level of one pair at a larger exponent, and the probabilities of all pairs."""
    of_a_pair = given.fact("eoc.prop9.explicit")
    event, (formula, *_) = of_a_pair.statement.lhs.args[0], of_a_pair.under
    yield "the level", equal(event.rhs, bound, _NONNEGATIVE)
    pairs, number = n * (n + 1) / 2, sp.Symbol("N", positive=True)
    raised = formula.rhs.subs(s, s + log(number))
    claimed = level.subs(log(pairs), log(number))
    yield "the exponent", bool(sp.expand(sp.expand_log(raised - claimed)) == 0)
    failing = of_a_pair.statement.rhs.subs(s, s + log(number)) * number
    yield "the union", equal(1 - sp.simplify(failing), one - two * exp(-s))


#: Where Propositions 24 to 27 are, and for p < 1, where their radii tend to 0.
_ARGUED = {
    **{l: integers(2), m: integers(1), m_l: integers(1), n: integers(2)},
    **{p: sp.Interval.Ropen(0, 1), DELTA: sp.Interval.Lopen(0, 1), kappa: interval(1, sqrt(2))},
}
_TRUE_AS_WELL = {
    "domain of tau_bar": "true as well: lengths are not negative",
    "domain of p: with 0": "true as well: the probability 1 - 16/e that is claimed is negative",
}
#: What holds with the probability of the statement, or by the choice of the inputs.
_ON_THE_EVENT = {
    UNIT_INPUTS: "by homogeneity the inputs may be taken to have length 1",
    ALL_ALIVE: "ratios of lengths are positive on the event (8), and no input vanishes",
    **dict.fromkeys(
        (EVENT_8, EVENT_10, EVENT_11_12, EVENTS_24_TO_27), "it holds with the probability of the statement"
    ),
    NOT_ABOVE: "the bound of products is taken for k_1 ≤ k_2",
    LARGE_Q: "Q is chosen by the inputs",
    SMALL_NU: "the unit of width is large enough",
    HERMITIAN_BLOCKS: "the tangent kernel of two inputs is the adjoint of that in reverse",
}
#: Where equations of lengths, factors κ and widths are decided.
_SIZES = {tau_bar: sp.Interval(0, sp.oo), kappa: interval(1, sqrt(2)), p: sp.Interval.open(0, 1)}
_SHARP_BOUND = (log(l) + sqrt(m_l) * (1 + sqrt(m_l * m ** (p - 1) * log(n)))) * l

COMBINED = UNIFORM.corrected(
    "eoc.thm28.uniform.corrected",
    title="Theorem 28 for all output dimensions",
    states=_with_one_constant(r"$m,\ $m_l", DELTA**-2 + _SHARP_BOUND),
    given=_LETTERS,
    assuming=[*_SETTING, WIDE_ENOUGH],
    rests_on=[
        "eoc.thm28.diagonal.sum",
        "eoc.thm28.off_diagonal.corrected",
        JACOBIAN_CORRECTED,
        LAST,
        SUMS,
        "eoc.prop25",
        "eoc.prop26.eq10",
        "eoc.prop27.corrected",
        "eoc.prop27.count",
        "eoc.thm28.block_norm",
        SCALING,
    ],
    discharging=_ON_THE_EVENT,
    note=_NOTE,
    excused=_TRUE_AS_WELL,
)


@COMBINED.argued(
    bridge="To first order in ε the mean is off by the sums over the layers of ε log k, of"
    " Δ^(-2)(k - 1)^(-2)ε and of ε log(l/k), and the last layer by 4|J|_F√S + 4‖J‖S; a matrix of n"
    " blocks in a row, each over n, is at most as far off as the worst block.",
    uses=[*_SETTING, WIDE_ENOUGH],
    over=_ARGUED,
)
def add_the_parts(
    square: Any, bound: Any, kappa_square: Any, half: Any, one: Any, sure: Any, failing: Any
) -> Obligations:
    """Sums over layers, and the orders of the last layer at S = m^p + log n + m_l."""
    scaled = as_it_stands(SCALING, "norm").rhs.subs({max_norm: tau_bar, norm_a: 1})
    yield "the lengths of the inputs", equal(scaled, tau_bar**square, _SIZES)
    total, inverse = (as_it_stands(SUMS, name) for name in ("total", "inverse squares"))
    mean = DELTA**-2 + total.rhs / (l - 1) * l
    over_layers = bound - mean
    yield "the mean", bool(not sp.expand(over_layers / l).has(l) and inverse.rhs.is_number)
    # |J|_F = O((l - 1)/√m) and ‖J‖ = O((l - 1)/m), with S of order m^p m_l log n.
    root = sp.Symbol("root", positive=True)
    for name, order in (("Frobenius", 1), ("operator", 2)):
        norm = as_it_stands(JACOBIAN_CORRECTED, name).rhs.subs(m, root**-2)
        yield f"order of J in m^(-1/2), {name}", bool(not sp.simplify(norm / root**order).has(root))
    rest = over_layers / l / sqrt(m_l)
    quotient = sqrt(m_l * m ** (p - 1) * log(n))  # √(S/m), by which the linear term exceeds
    yield "the last layer", equal(rest, 1 + quotient)
    first_order = kappa**2 * sqrt(m**p / m)
    yield "ε", equal(first_order, kappa**kappa_square * m ** (-half * (one - p)), _SIZES)
    counted = COUNT.parts["statement"].slots["kernel"]  # type: ignore[union-attr]
    rare = exp(-(m**p))
    yield "the families of events", equal(1 - counted * rare, sure - failing * rare, _SIZES)


def _as_in_the_corrected_form(
    square: Any, kappa_square: Any, half: Any, one: Any, sure: Any, failing: Any
) -> Obligations:
    """The factors of the error and the probability are those of the corrected form."""
    slots: Any = COMBINED.parts["statement"].slots  # type: ignore[union-attr]

    def size(lengths: Any, steepness: Any, rate: Any, whole: Any) -> Any:
        return tau_bar**lengths * kappa**steepness * m ** (-rate * (whole - p))

    known = size(*(slots[name] for name in ("square", "kappa_square", "half", "one")))
    claimed = size(square, kappa_square, half, one)
    yield "lengths, κ and width", equal(known, claimed, _SIZES)
    rare = exp(-(m**p))
    least = slots["sure"] - slots["failing"] * rare
    yield "the probability", equal(least, sure - failing * rare, _SIZES)


THEOREM = claim(
    "eoc.thm28",
    at=_AT,
    title="Limiting concentration of the NTK matrix",
    states=sentence(
        r"\mathbb{P}\Bigl("
        + _ERROR
        + r" \le O\bigl($tau_bar^{$square}(${Delta_phi}^{$power} + (\log $l + $m_l^{$root})$l)"
        + _RADIUS
        + r"\bigr)"
        + _SURE,
        square=2,
        power=-2,
        root=Rational(1, 2),
        kappa_square=2,
        half=Rational(1, 2),
        one=1,
        sure=1,
        failing=16,
    ),
    given=_LETTERS,
    assuming=_SETTING,
    rests_on=[COMBINED],
    discharging={WIDE_ENOUGH: "O is about m → ∞, all else being fixed"},
    note=_NOTE,
    excused=_TRUE_AS_WELL,
)


@THEOREM.argued(
    bridge="O is about m → ∞ for fixed l, n, m_l, Δ and data; there the factor of the corrected"
    " bound that grows with m_l tends to 1.",
    uses=_SETTING,
    over=_ARGUED,
)
def linear_term_vanishes(
    square: Any, power: Any, root: Any, kappa_square: Any, half: Any, one: Any, sure: Any, failing: Any
) -> Obligations:
    """For fixed m_l and n the factor 1 + √(m_l m^{p-1} log n) tends to 1, as p < 1."""
    width, gap, outputs, number = sp.symbols("m g o n", positive=True)  # g = 1 - p
    slots = COMBINED.parts["statement"].slots  # type: ignore[union-attr]
    claimed = DELTA**power + (log(l) + m_l**root) * l
    factor = {m: width, p: 1 - gap, m_l: outputs, n: 1 + number}
    ratio = (slots["bound"] - claimed).subs(factor)
    yield "limit", bool(sp.limit(sp.expand(ratio), width, sp.oo) == 0)
    yield from _as_in_the_corrected_form(square, kappa_square, half, one, sure, failing)


SHARP = COMBINED.sharpened(
    "eoc.thm28.sharp",
    title="Theorem 28 without a power of Δ: one constant for all Δ from 0 to 1 and all depths",
    states=_with_one_constant(r"$Delta_phi,\ $l,\ $m,\ $m_l", _SHARP_BOUND),
    given={n: integers(2)},
    assuming=[*_SETTING, WIDE_ENOUGH],
    rests_on=[COMBINED, UNIFORM_SUMS, "eoc.prop25.explicit", "eoc.prop27.explicit"],
    discharging=_ON_THE_EVENT,
    note="proofs_notes/eoc_limits.md#dependence-on-delta",
    excused=_TRUE_AS_WELL,
)


@SHARP.argued(
    bridge="The errors of the cosines enter by their sum over the layers, those of the slopes by"
    " that of k D_k; both are at most a multiple of l log l whose factor depends on the inputs"
    " alone, as Q and W are largest at Δ = 1 and v may be taken between 1 and w_1 for small ν.",
    uses=[*_SETTING, WIDE_ENOUGH],
    over={**_ARGUED, DELTA: interval(0, 1)},
)
def absorb_the_cosines(
    square: Any, bound: Any, kappa_square: Any, half: Any, one: Any, sure: Any, failing: Any
) -> Obligations:
    """The bound for one Δ less its power of Δ; both sums over the layers have none."""
    slots = COMBINED.parts["statement"].slots  # type: ignore[union-attr]
    yield "all but the power of Δ", bool(sp.expand(slots["bound"] - bound) == DELTA**-2)
    depth = sp.Symbol("l", positive=True)
    for name in ("cosines", "slopes"):
        total = as_it_stands(UNIFORM_SUMS, name).rhs
        yield f"no Δ in the sum of {name}", bool(not total.has(DELTA))
        order = total.subs(H(l - 1), 1 + log(l)).subs(l, depth) / (depth * log(depth))
        yield f"{name}: order l log l", bool(sp.limit(order, depth, sp.oo).is_finite)
    yield from _as_in_the_corrected_form(square, kappa_square, half, one, sure, failing)
