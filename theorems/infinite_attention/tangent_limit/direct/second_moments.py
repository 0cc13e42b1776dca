"""Equations (24) and (25): second moments of the part of Lemma 21."""

from typing import Any

import sympy as sp
from sympy import Rational, Sum, Symbol

from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, eq, le, rules, sentence
from theorems.engine.rules import E, Theorem, facts, principles, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.direct_gradients import (
    S_values,
    g_entry,
    mean_square,
    slopes_head,
    slopes_other,
    value_c,
    value_c_other,
    value_e,
    value_e_other,
    values_quarter,
    weights_quarter,
)
from theorems.infinite_attention.letters.network import sigma_v, width
from theorems.infinite_attention.letters.table import LETTERS, REAL, claim, random
from theorems.infinite_attention.linear_values import mean_of_values
from theorems.infinite_attention.tangent_limit.direct.output_weights import VALUES

_SUFFICIENT = "proofs_notes/inf_tangents.md#means-and-second-moments"
some_sum = random("some_sum", r"\bar S_n", "sum over heads and columns, in the proof of a lemma")
some_centre = LETTERS.number("some_centre", "m", "number that the sum is to tend to", REAL)
_BOUNDS = "proofs_notes/inf_tangents.md#bounds-by-hölders-inequality"
_SCALES = "proofs_notes/inf_tangents.md#derivatives-by-queries-and-keys"

SUFFICIENT = claim(
    "inf.lem21.sufficient",
    at="Equation (23); Lemma 22, proof",
    title="The second moment alone makes a mean and its convergence in probability sure",
    states=sentence(
        r"I_n \xrightarrow{d} I,\ \mathbb{E} \bar S_n = \mathbb{E} I_n,\ \mathbb{E}"
        r" \bar S_n^{$square} \to (\mathbb{E} I)^{$power} \ \Rightarrow\ \mathbb{E} \bar S_n"
        r" \to $sign \mathbb{E} I",
        square=2,
        power=2,
        sign=1,
    ),
    provenance=Provenance.STEP,
    note=_SUFFICIENT,
)


@SUFFICIENT.refuted(
    severity=Severity.GAP, controls={"another sign": {"sign": -1}, "as printed": {"power": 1}}
)
def mass_that_escapes(square: Any, power: Any, sign: Any) -> Obligations:
    """I_n is -1/2, and n more with probability 1/n; S_n is the number E I_n = 1/2."""
    n, half = Symbol("n", positive=True), Rational(1, 2)
    limit, chance = -half, 1 / n
    mean = sp.expand((1 - chance) * limit + chance * (limit + n))
    yield "I_n converges in law", sp.limit(chance, n, sp.oo) == 0
    yield "the second moment tends to that power", bool(mean**square == limit**power)
    yield "the mean does not tend to that of the limit", bool(mean != sign * limit)


SPREAD = SUFFICIENT.corrected(
    "inf.lem21.sufficient.corrected",
    title="The mean and the second moment together make a variable close to a number",
    states=eq(
        E((some_sum - some_centre) ** 2),
        E(some_sum**2) - some_centre**2 - 2 * some_centre * (E(some_sum) - some_centre),
    ),
    note=_SUFFICIENT,
)


@SPREAD.proved()
def square_multiplied_out(given: Given) -> Theorem:
    """The square of the distance from a number is multiplied out under the mean."""
    return given.follows()


FIRST = claim(
    "inf.lem21.eq24",
    at="Equation (24)",
    title="Without its output weights the squared term is bounded by a multiple of a fourth power",
    states=sentence(
        r"\mathbb{E}[($weights_quarter $values_quarter)^$square] \le $some_constant\,"
        r" \mathbb{E}[{$values_quarter}^$fourth]"
        r" \text{ with a constant } $some_constant, \text{ for inputs of any size}",
        square=2,
        fourth=4,
    ),
    provenance=Provenance.EXTRACTED,
    note=_BOUNDS,
)


@FIRST.refuted(severity=Severity.SLIP, controls={"the same power": {"fourth": 2}})
def small_inputs(square: Any, fourth: Any) -> Obligations:
    """Inputs of the size t give t² and t⁴, and t² is larger than Ct⁴ for small t."""
    t, constant = sp.symbols("t C", positive=True)
    ratio = sp.simplify(t**square / (constant * t**fourth))
    yield "the ratio is unbounded", bool(sp.limit(ratio, t, 0) == sp.oo)


FIRST_CORRECTED = FIRST.corrected(
    "inf.lem21.eq24.corrected",
    title="The squared term is the squared output weights' mean times that of the rest",
    states=eq(E(weights_quarter**2 * values_quarter**2), E(weights_quarter**2) * E(values_quarter**2)),
    assuming=Hypothesis(
        "independent_output_weights",
        "the output weights are independent of all else",
        latex=r"$weights_quarter, $values_quarter \text{ independent}",
    ),
    note=_BOUNDS,
)


@FIRST_CORRECTED.proved()
def output_weights_apart(given: Given) -> Theorem:
    """Functions of independent variables are independent."""
    squares = (weights_quarter**2, values_quarter**2)
    apart = given.supposed(FIRST_CORRECTED.hypotheses[0], independent(weights_quarter, values_quarter))
    powers = facts.powers_of_independent(weights_quarter, values_quarter, 2, 2)
    return given.follows(apart, powers, facts.expectation_of_independent(*squares))


INPUTS = Hypothesis(
    "equally_distributed_entries",
    "$mean_square is the mean of the squares of $width entries with the law of $g_entry",
    latex=r"$mean_square = \tfrac{1}{$width} \sum_i g_{ci}^2",
)
_i, _x = Symbol("i", integer=True, nonnegative=True), Symbol("x", real=True)
_entries = randoms("g")

MOMENTS = claim(
    "inf.lem21.eq24.moments",
    at="Equation (24)",
    title="Sixteenth moments of the input bound the eighth moment of its mean square",
    states=le(E(mean_square**8), E(g_entry**16)),
    assuming=INPUTS,
    provenance=Provenance.DERIVED,
    note=_BOUNDS,
)


@MOMENTS.proved()
def convexity_of_the_eighth_power(given: Given) -> Theorem:
    """The eighth power of a mean is at most the mean of the eighth powers."""
    convex = rules.follows(sp.Ge(sp.diff(_x**8, _x, 2), 0), over={_x: sp.Reals})
    over = {width: given.domain[width]}
    fixed = sp.Function("r", real=True)
    powers = principles.jensen_for_sums(convex, _x**8, _x, fixed(_i) ** 2, _i, width, over=over)
    means = principles.expected_jointly(powers, {fixed: _entries})
    same = given.supposed(INPUTS, eq(E(_entries(_i) ** 16), E(g_entry**16)))
    added = sums.summed(same, _i, width)
    constant = sums.linear(added.statement.rhs)
    square = Sum(_entries(_i) ** 2, (_i, 0, width - 1)) / width
    here = given.supposed(INPUTS, eq(E(mean_square**8), E(square**8)))
    return given.follows(means, added, constant, here)


EQ25 = claim(
    "inf.lem21.eq25",
    at="Equation (25)",
    title="Two heads contribute the squared scales of output weights and of values",
    states=sentence(
        r"\mathbb{E}[{$value_any}_{c_1} {$value_any}_{c_2} {$value_any_other}_{c_1}"
        r" {$value_any_other}_{c_2} $slopes_any $slopes_any_other] ="
        r" {$sigma_o}^$output {$sigma_v}^$value \mathbb{E}[{$token_product}^$square $slopes_any"
        r" $slopes_any_other], \quad $value_any, $value_any_other: \text{ of different heads}",
        output=2,
        value=2,
        square=2,
    ),
    provenance=Provenance.EXTRACTED,
    note=_SCALES,
)
_sv, _so = sp.symbols("sigma_V sigma_O", positive=True)


@EQ25.refuted(severity=Severity.SLIP, controls={"values of both heads": {"output": 0, "value": 4}})
def two_columns_of_values(output: Any, value: Any, square: Any) -> Obligations:
    """Two columns of values have the mean σ_V⁴ κ̂², and no output weight has its scale here."""
    weights = [[Symbol(f"w{head}{k}") for k in range(2)] for head in range(2)]
    inputs = ((Rational(3), Rational(1)), (Rational(1), Rational(2)))
    law = {(w, w): 1 for head in weights for w in head}
    entries = [_sv / sp.sqrt(2) * (one[0] * head[0] + one[1] * head[1]) for head in weights for one in inputs]
    mean = gaussian_mean(sp.expand(sp.Mul(*entries)), [one for one, _ in law], law)
    product = Rational(3 * 1 + 1 * 2, 2)
    yield ("other scales", bool(sp.simplify(mean / (_so**output * _sv**value * product**square)) != 1))


TWO_HEADS = EQ25.corrected(
    "inf.lem21.eq25.corrected",
    title="Two heads contribute the fourth power of the scale of values",
    states=eq(
        E(value_c * value_e * value_c_other * value_e_other * slopes_head * slopes_other),
        sigma_v**4 * S_values**2 * E(slopes_head * slopes_other),
    ),
    assuming=[VALUES],
    note=_SCALES,
)


@TWO_HEADS.proved()
def columns_of_two_heads(given: Given) -> Theorem:
    """Values of two heads are independent of each other, and of all queries and keys."""
    first, second = value_c * value_e, value_c_other * value_e_other
    known = given.supposed(
        VALUES, independent(first * second, slopes_head * slopes_other), independent(first, second)
    )
    pairs = {"one head": first, "another head": second}
    means = (mean_of_values(given, VALUES, one, S_values, head=head) for head, one in pairs.items())
    return given.follows(
        known,
        *means,
        facts.expectation_of_independent(first * second, slopes_head * slopes_other),
        facts.expectation_of_independent(first, second),
    )
