"""Theorem 28, proof: the mean of the kernel, on the diagonal and off it."""

from typing import Any

from sympy import Abs, Function, Interval, Max, Range, Reals, Sum, Symbol, exp, limit, log, oo, pi

from theorems.classical.series import inverse_squares
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, facts, inner, norm, sums
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    DERIVATIVE_AT_ZERO,
    EVENT_8,
    EVENT_11_12,
    NOT_ABOVE,
    NOT_BOTH_ZERO,
    UNIT_INPUTS,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    H,
    Pi_next,
    S,
    X_prime_next,
    claim,
    component,
    epsilon,
    epsilon_1,
    k,
    k1,
    k2,
    l,
    lengths_product,
    log_norm,
    log_product,
    mean_ntk,
    norm_k,
    norm_ratio,
    rho_k,
    rho_tilde,
    squared_frobenius,
)
from theorems.eoc_mlp.premises.harmonic import layers_above
from theorems.eoc_mlp.premises.logarithms import quotient, successor
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_PROOF = "Theorem 28, proof"
_NOTE = "proofs_notes/eoc_limits.md#theorem-28"
#: Layers below the last one, and what is summed over them.
_N = Symbol("N", integer=True, nonnegative=True)
_COUNTED = {_N: Range(oo)}
_i = Symbol("i", integer=True, nonnegative=True)
_size, _layers, _length, _below_sum = (
    Function(x, nonnegative=True) for x in ("frobenius", "layers", "length", "below")
)


def _below(term: Any, last: Any) -> Sum:
    return Sum(term, (k, 1, last))


SUMS = claim(
    "eoc.thm28.sums",
    at=_PROOF,
    title="The sums of logarithms over the layers",
    states={
        "total": eq(_below(log(k) + log(l / k), l - 1), (l - 1) * log(l)),
        "logarithms": le(_below(log(l / k), l - 1), l - 1),
        "squares": le(_below(log(l / k) ** 2, l - 1), 2 * (l - 1)),
        "inverse squares": le(Sum((k - 1) ** -2, (k, 2, l)), pi**2 / 6),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_LOGS, _SQUARES = _below(log(k), _N), _below(log(k) ** 2, _N)


def _to_last(known: Theorem, given: Given) -> Theorem:
    """A theorem on N layers at N = l - 1."""
    return known.at({_N: l - 1}, over={l: given.domain[l]})


def _by_layers(relation: Any, *premises: Theorem) -> Theorem:
    return sums.by_recursion(relation, _N, premises=premises)


def _as_stated(given: Given, *premises: Theorem) -> Theorem:
    return given.follows(*premises, goal=as_it_stands(SUMS, given.part))


@SUMS.proved("total")
def terms_are_equal(given: Given) -> Theorem:
    """log k + log(l/k) = log l."""
    split = quotient(l, _N + 1, {l: given.domain[l], **_COUNTED})
    total = eq(_below(log(k) + log(l / k), _N), _N * log(l))
    return _as_stated(given, _to_last(_by_layers(total, split), given))


def _mean_logarithm() -> Theorem:
    """Σ log k ≥ N log(N + 1) - N, as (N + 1)(log(N + 2) - log(N + 1)) ≤ 1."""
    return _by_layers(le(_N * log(_N + 1) - _N, _LOGS), *successor(_N + 1, _COUNTED))


@SUMS.proved("logarithms")
def compare_with_the_integral(given: Given) -> Theorem:
    """Σ log(l/k) = N log l - Σ log k, N = l - 1."""
    split = quotient(l, _N + 1, {l: given.domain[l], **_COUNTED})
    apart = _by_layers(eq(_below(log(l / k), _N), _N * log(l) - _LOGS), split)
    return _as_stated(given, _to_last(apart, given), _to_last(_mean_logarithm(), given))


@SUMS.proved("squares")
def compare_with_the_integral_of_squares(given: Given) -> Theorem:
    """Q(N + 1) - Q(N) = 2δ(N log(N + 1) - Σ log k) + (N + 1)δ², δ = log(N + 2) - log(N + 1)."""
    split = quotient(l, _N + 1, {l: given.domain[l], **_COUNTED})
    spelled = _N * log(l) ** 2 - 2 * log(l) * _LOGS + _SQUARES
    apart = _by_layers(eq(_below(log(l / k) ** 2, _N), spelled), split)
    rate = log(_N + 1)
    each = _N * rate**2 - 2 * rate * _LOGS + _SQUARES
    premises = [*successor(_N + 1, _COUNTED), _mean_logarithm()]
    bound = _by_layers(le(each, 2 * _N), *premises)
    return _as_stated(given, _to_last(apart, given), _to_last(bound, given))


@SUMS.proved("inverse squares")
def basel_sum(given: Given) -> Theorem:
    """The terms are those of Σ 1/k², of which all together make π²/6."""
    series = _below(k**-2, _N)
    known = inverse_squares(l - 1, over={l: given.domain[l]})
    shifted = _by_layers(eq(Sum((k - 1) ** -2, (k, 2, _N + 1)), series))
    return _as_stated(given, _to_last(shifted, given), known)


DIAGONAL = claim(
    "eoc.thm28.diagonal",
    at=_PROOF,
    title="The mean on the diagonal, with one constant for all depths",
    states=sentence(
        r"\exists C\ \forall $epsilon \le $largest,\ k < $l:\quad \bigl|\|x_k\| - $length\bigr| \le"
        r" $epsilon\log $k,\ |X'_{k+1,l} - $slope| \le $epsilon\log\tfrac{$l}{$k} \implies"
        r" \bigl|\|x_k\|^{$square}X'_{k+1,l} - $product\bigr| \le C\,$epsilon\log $l",
        largest=1,
        length=1,
        slope=1,
        square=2,
        product=1,
    ),
    note=_NOTE,
)


@DIAGONAL.refuted(
    severity=Severity.DEPENDENCE, controls={"no norms": {"square": 0}, "one norm": {"square": -1}}
)
def longest_activations(largest: int, length: int, slope: int, square: int, product: int) -> Obligations:
    """|x_k| = 1 + ε log k and X' = 1 at ε = 1, l = k + 1: log² k is no multiple of log k.

    The letter of the paper's O fixes the depth, and lets the constant depend on it.
    """
    x = Symbol("x", positive=True)  # log k
    reached = (length + largest * x) ** square * slope
    yield "exceeds every multiple", bool(limit((reached - product) / x, x, oo) == oo)


DIAGONAL_CORRECTED = DIAGONAL.corrected(
    "eoc.thm28.diagonal.corrected",
    title="The mean on the diagonal, one layer",
    states=implies(
        both(
            le(1 - log_norm, norm_k),
            le(norm_k, exp(log_norm)),
            le(Abs(X_prime_next - 1), exp(log_product) - 1),
        ),
        le(Abs(norm_k**2 * X_prime_next - 1), exp(2 * log_norm + log_product) - 1),
    ),
    note=_NOTE,
)


@DIAGONAL_CORRECTED.proved()
def multiply_the_bounds(given: Given) -> Theorem:
    """Above e^{2a}e^b; below (1 - a)²(2 - eᵇ) ≥ 2 - e^{2a+b}, as (1 - a)² ≥ 1 - 2a."""
    return given.follows(facts.exponential_above_tangent(2 * log_norm))


DIAGONAL_SUM = claim(
    "eoc.thm28.diagonal.sum",
    at=_PROOF,
    title="The mean on the diagonal, all layers",
    states=le(Abs(mean_ntk - l), l * (exp(Max(2 * epsilon_1, epsilon) * H(l - 1)) - 1)),
    assuming=[EVENT_8, EVENT_11_12, UNIT_INPUTS],
    rests_on=[
        "eoc.prop7",
        "eoc.prop24.induction.corrected",
        DIAGONAL_CORRECTED,
        "eoc.prop26.frobenius.corrected",
    ],
    discharging={
        NOT_ABOVE: "the matrices go from the last layer to layer k + 1 ≤ l",
        NOT_BOTH_ZERO: "the scale of the weights is defined",
        DERIVATIVE_AT_ZERO: "the events have to do with derivatives as the paper takes them",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIAGONAL_SUM.argued(
    bridge="Proposition 7 says of two inputs with matrices what is used here of one of length 1, in norms.",
    uses=[EVENT_8, EVENT_11_12, UNIT_INPUTS],
)
def add_the_layers(given: Given) -> Theorem:
    """2ε₁H_{k-1} + ε(H_{l-1} - H_{k-1}) ≤ max{2ε₁, ε}H_{l-1} for every k = i + 1."""
    given.require(EVENT_8, EVENT_11_12, UNIT_INPUTS)
    numbers = {x: given.domain[x] for x in (epsilon, epsilon_1, l)}
    over, last = {**numbers, _i: Range(oo)}, l - 1
    most = Max(2 * epsilon_1, epsilon) * H(last)
    term = _length(_i) ** 2 * _size(_i) ** 2
    known = terms_of_diagonal(given, most, over)
    inside: dict[str, Any] = {"over": over, "under": [_i < last]}
    each = [rules.follows(one, known, **inside) for one in (le(term, exp(most)), ge(term, 2 - exp(most)))]
    added = [sums.summed(one, _i, last) for one in each]
    apart = [sums.linear(one.statement.rhs, over=numbers) for one in added]
    final = last_of_diagonal(given, most, numbers)
    mean = eq(mean_ntk, added[0].statement.lhs + _length(last) ** 2)
    meant = given.bridge("Proposition 7 for one input of length 1", mean)
    return given.follows(meant, *added, *apart, *final, goal=as_it_stands(DIAGONAL_SUM))


def terms_of_diagonal(given: Given, most: Any, over: Any) -> list[Theorem]:
    """The lengths and the Frobenius norms of a layer, and what their product is at most."""
    at = {norm_ratio: _length(_i), k: _i + 1, epsilon: epsilon_1}
    lengths = [
        given.fact("eoc.prop24.induction.corrected", part).at(at, over=over) for part in ("below", "above")
    ]
    shared = {S: _layers(_i), k1: l, k2: l}  # the bound knows S alone
    values = {**shared, squared_frobenius: _size(_i) ** 2}
    sizes = given.fact("eoc.prop26.frobenius.corrected").at(values, over=over)
    exponents = {log_norm: epsilon_1 * _below_sum(_i), log_product: epsilon * _layers(_i)}
    component_at = {norm_k: _length(_i), X_prime_next: _size(_i) ** 2, **exponents}
    product = given.fact(DIAGONAL_CORRECTED).at(component_at, over=over)
    reached = 2 * exponents[log_norm] + exponents[log_product]
    return [
        given.meaning("a harmonic sum", eq(_below_sum(_i), H(_i))),
        layers_above(given, _layers(_i), _i),
        *lengths,
        sizes,
        product,
        facts.exponential_increases(most, reached, over=over),
    ]


def last_of_diagonal(given: Given, most: Any, over: Any) -> list[Theorem]:
    """The activations that enter the last layer, a product with 1."""
    last, number = l - 1, Symbol("a", nonnegative=True)
    at = {norm_ratio: _length(last), k: l, epsilon: epsilon_1}
    lengths = [
        given.fact("eoc.prop24.induction.corrected", part).at(at, over=over) for part in ("below", "above")
    ]
    values = {norm_k: _length(last), X_prime_next: 1, log_norm: epsilon_1 * number, log_product: 0}
    numbers = {**over, number: Interval(0, oo)}
    product = given.fact(DIAGONAL_CORRECTED).at(values, over=numbers)
    meant = given.meaning("a harmonic sum", eq(number, H(last)))
    grows = facts.exponential_increases(most, 2 * epsilon_1 * number, over=numbers)
    return [*lengths, product, meant, grows]


OFF_DIAGONAL = claim(
    "eoc.thm28.off_diagonal",
    at=_PROOF,
    title="The mean off the diagonal, with the term of the first layer",
    states=sentence(
        r"\sum_{k=$first}^{$last}\bigl($Delta_phi^{-$share}($k - $passed)^{-$square}"
        r" + \log $l\bigr) $epsilon \le O\bigl(($Delta_phi^{-$total} + $l\log $l)\,$epsilon\bigr)",
        first=1,
        last=l - 1,
        share=2,
        passed=1,
        square=2,
        total=2,
    ),
    given={DELTA: Interval.Lopen(0, 1)},
    note=_NOTE,
)


@OFF_DIAGONAL.refuted(severity=Severity.SLIP, controls={"from_two": {"first": 2}})
def first_term_is_infinite(first: int, share: int, passed: int, square: int, total: int) -> Obligations:
    """The term k = 1 is (1 - 1)^(-2); the cosine ρ₁ is exact, so that it should be left out."""
    size = Symbol("Delta", positive=True)
    term = size**-share * (k - passed) ** -square
    yield "the first term", bool(limit(term, k, first) == oo)
    yield "the bound", bool((size**-total + l * log(l)).is_finite)


OFF_DIAGONAL_CORRECTED = OFF_DIAGONAL.corrected(
    "eoc.thm28.off_diagonal.corrected",
    title="The mean off the diagonal",
    states=le(
        Abs(component - rho_tilde * Pi_next),
        Abs(lengths_product - 1) * Abs(X_prime_next)
        + Abs(rho_k - rho_tilde) * Abs(X_prime_next)
        + Abs(X_prime_next - Pi_next),
    ),
    assuming=[ALL_ALIVE],
    note=_NOTE,
)


@OFF_DIAGONAL_CORRECTED.proved()
def three_differences(given: Given) -> Theorem:
    """X_k = |x_k||x_k|ρ_k with |ρ_k| ≤ 1, and |ρ̃_k| ≤ 1 in the last term."""
    given.require(ALL_ALIVE)
    first, second = Vector("x_k(x_1)"), Vector("x_k(x_2)")
    lengths = norm(first) * norm(second)
    means = [
        eq(component, inner(first, second) * X_prime_next),
        eq(lengths_product, lengths),
        eq(inner(first, second), lengths * rho_k),
    ]
    X, s, below = X_prime_next, lengths_product - 1, rho_k - rho_tilde
    terms = [s * rho_k * X, below * X, rho_tilde * (X - Pi_next)]
    sizes = [Abs(s) * Abs(X), Abs(below) * Abs(X), Abs(X - Pi_next)]
    parts = given.follows(
        given.meaning("a component, and the cosine of two activations", *means),
        goal=eq(component - rho_tilde * Pi_next, sum(terms)),
    )
    whole = given.substituted(
        _three_bounds(), dict(zip(_NUMBERS, (parts.statement.lhs, *terms, *sizes), strict=True))
    )
    factors = [(rho_k, s, X), (1, below, X), (rho_tilde, X - Pi_next, 1)]
    bounds = [given.substituted(_product(), dict(zip(_FACTORS, one, strict=True))) for one in factors]
    return given.follows(whole, parts, *bounds)


_NUMBERS = tuple(Symbol(f"number {place}", real=True) for place in range(7))
_FACTORS = tuple(Symbol(f"factor {place}", real=True) for place in range(3))


def _three_bounds() -> Theorem:
    """|a + b + c| ≤ A + B + C for |a| ≤ A, |b| ≤ B and |c| ≤ C."""
    total, *numbers = _NUMBERS
    terms, sizes = numbers[:3], numbers[3:]
    bounds = [le(Abs(term), size) for term, size in zip(terms, sizes, strict=True)]
    dict.fromkeys(_NUMBERS, Reals)
    return rules.follows(le(Abs(total), sum(sizes)), under=[eq(total, sum(terms)), *bounds])


def _product() -> Theorem:
    """|ruv| ≤ |u||v| for |r| ≤ 1."""
    r, u, v = _FACTORS
    over = {r: Interval(-1, 1), u: Reals, v: Reals}
    return rules.follows(le(Abs(r * u * v), Abs(u) * Abs(v)), over=over)
