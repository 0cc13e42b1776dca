"""Section 4, second feature: a width that makes the approximation error small."""

from typing import Any

import sympy as sp
from sympy import Rational, log, sqrt

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Severity, both, eq, ge, implies, le, rules, sentence
from theorems.engine.rules import Theorem, facts
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, d, delta, delta_prime, m, n
from theorems.shallow_transformer.overview.informal_theorem import EVEN, FACTOR, NOTE_ON_WIDTHS, SIZE_D
from theorems.shallow_transformer.overview.letters import needed
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared

_LOG = log(n / delta)
_SMALL = le(sqrt(SIZE_D * _LOG / m), of.accuracy)

WIDTH = claim(
    "st.informal.width",
    at="Section 4, second feature",
    title="A width that is said to make the approximation error small, if its constant is one",
    states=sentence(
        r"\forall $d, $delta, $delta_prime\ \exists C\ \forall $n, $varepsilon, $m:\quad"
        r" $m \ge C $varepsilon^{$power}\log($n/$delta) \implies"
        r" \sqrt{\frac{$D\log($n/$delta)}{$m}} \le $varepsilon",
        power=-2,
    ),
    note=NOTE_ON_WIDTHS,
)


@WIDTH.refuted(severity=Severity.DEPENDENCE)
def more_and_more_samples(power: Any) -> Obligations:
    """With m = Cε⁻²log(n/δ), D log(n/δ)/(mε²) = D/C, which grows like log log n."""
    epsilon, size, second, level = sp.symbols("epsilon d delta_prime level", positive=True)
    width = FACTOR * epsilon ** Rational(power) * level  # level = log(n/δ), which is unbounded in n
    whole = size + log(width / second)
    quotient = whole * level / (width * epsilon**2)
    yield "quotient", equal(quotient, whole / FACTOR)
    yield "unbounded", sp.limit(whole / FACTOR, level, sp.oo) == sp.oo


_WIDE_ENOUGH = ge(m, 2 * needed * (d - 1 + log(2 * needed / delta_prime)))
_CORRECTED = implies(both(eq(needed, _LOG / of.accuracy**2), _WIDE_ENOUGH), _SMALL)

CORRECTED = WIDTH.corrected(
    "st.informal.width.corrected",
    title="A width that makes the approximation error small, of order log n log log n",
    states=_CORRECTED,
    given=EVEN,
    note=NOTE_ON_WIDTHS,
)


@CORRECTED.proved()
def tangent_of_the_logarithm(given: Given) -> Theorem:
    """K D = K(d + log(2K/δ') + log(m/(2K))) ≤ K(d + log(2K/δ') − 1) + m/2 ≤ m, by log x ≤ x − 1."""
    over = {**as_declared(delta_prime, needed, d, n, delta, of.accuracy), **EVEN}
    first, second, where = 2 * needed / delta_prime, m / (2 * needed), list(_CORRECTED.args[0].args)
    product = facts.logarithm_of_product(first, second, over=over)
    tangent = facts.logarithm_below_tangent(second, over=over)
    level = facts.logarithm_increases(1, n / delta, over=over)
    half = facts.logarithm_increases(1, m / delta_prime, over=over)
    below = le(SIZE_D, d + log(first) + second - 1)
    short = rules.follows(below, [product, tangent], over=over)
    enough = rules.follows(le(needed * SIZE_D, m), [short], under=where)
    whole = rules.follows(le(SIZE_D * _LOG / m, of.accuracy**2), [enough, level], under=where)
    return given.follows(whole, level, half, goal=_CORRECTED)


_S = of.sigma_0 * of.nu_c + of.sigma_1 * of.nu_u + of.sigma_1 * of.nu_w
_BOUNDS = (of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w)
_B_APP = of.approximation_bound(m, n, delta, *_BOUNDS)
_SHARP_WIDTH = implies(ge(m, 32 * _S**2 / of.accuracy * log(2 * n / delta)), le(2 * _B_APP**2, of.accuracy))

SHARP_WIDTH = CORRECTED.sharpened(
    "st.informal.width.sharp",
    title="In the sharp bound no logarithm of the width is lost",
    states=_SHARP_WIDTH,
    note=NOTE_ON_WIDTHS,
)


@SHARP_WIDTH.proved()
def insert_lemma_5(given: Given) -> Theorem:
    """B_app = 4S√(log(2n/δ)/m)."""
    level, over = log(2 * n / delta), as_declared(_B_APP)
    positive = facts.logarithm_increases(1, 2 * n / delta, over=over)
    defined = [ge(level, 0)]
    definition = ONE_HEAD.meaning("the bound of Lemma 5", eq(_B_APP, _B_APP.unfolded()), under=defined)
    square = ONE_HEAD.follows(definition, positive, goal=eq(_B_APP**2, 16 * _S**2 * level / m))
    return given.follows(square, positive, goal=_SHARP_WIDTH)
