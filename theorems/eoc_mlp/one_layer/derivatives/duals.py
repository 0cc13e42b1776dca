"""After Proposition 14: taking the dual commutes with differentiation, activation by activation."""

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy import Abs, Derivative, DiracDelta, cos, erf, exp, pi, sign, sin, sqrt

from symbolic.dual_activations import derive_derivative_rule
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from theorems.engine import Claim, Given, Obligations, Provenance, eq, open_interval, sentence
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.hypotheses import RULE_IS_DERIVED
from theorems.eoc_mlp.letters.activation import a, b, u1, u2
from theorems.eoc_mlp.letters.cosines import bend, damping, frequency, leak, phase, rate, rho, s1, s2
from theorems.eoc_mlp.letters.table import claim

Function = Callable[[Any], Any]

#: Name in the catalogue, name in words, function, its derivative, its parameters.
_ACTIVATIONS: tuple[tuple[str, str, Function, Function, Mapping[str, Any]], ...] = (
    ("ab_relu", "the (a, b)-ReLU", lambda s: a * s + b * Abs(s), lambda s: a + b * sign(s), {}),
    ("relu", "the ReLU", lambda s: (s + Abs(s)) / 2, lambda s: (1 + sign(s)) / 2, {}),
    (
        *("leaky_relu", "the leaky ReLU"),
        lambda s: (1 + leak) / 2 * s + (1 - leak) / 2 * Abs(s),
        lambda s: (1 + leak) / 2 + (1 - leak) / 2 * sign(s),
        {"slope": leak},
    ),
    ("abs", "the absolute value", Abs, sign, {}),
    ("sign", "the sign", sign, lambda s: 2 * DiracDelta(s), {}),
    ("step", "the step", lambda s: (1 + sign(s)) / 2, DiracDelta, {}),
    ("identity", "the identity", lambda s: s, lambda _s: sp.Integer(1), {}),
    ("monomial", "the cube", lambda s: s**3, lambda s: 3 * s**2, {"degree": 3}),
    (
        *("rectified_monomial", "the rectified square"),
        lambda s: s * (s / 2 + Abs(s) / 2),
        lambda s: s + s * sign(s) / 2 + Abs(s) / 2,
        {"degree": 2},
    ),
    (
        *("hermite", "the third Hermite polynomial"),
        *(lambda s: s**3 - 3 * s, lambda s: 3 * s**2 - 3),
        {"degree": 3},
    ),
    (
        *("sin", "a sine"),
        lambda s: sin(frequency * s + phase),
        lambda s: frequency * cos(frequency * s + phase),
        {"frequency": frequency, "phase": phase},
    ),
    (
        *("cos", "a cosine"),
        lambda s: cos(frequency * s + phase),
        lambda s: -frequency * sin(frequency * s + phase),
        {"frequency": frequency, "phase": phase},
    ),
    (*("exp", "an exponential"), *(lambda s: exp(rate * s), lambda s: rate * exp(rate * s)), {"rate": rate}),
    (
        *("gaussian", "a Gaussian"),
        lambda s: exp(-damping * s**2),
        lambda s: -2 * damping * s * exp(-damping * s**2),
        {"rate": -damping},
    ),
    (
        *("erf", "an error function"),
        lambda s: erf(rate * s),
        lambda s: 2 * rate / sqrt(pi) * exp(-(rate**2) * s**2),
        {"scale": rate},
    ),
    (
        *("gelu", "the GELU"),
        lambda s: s * (1 + erf(s / sqrt(2))) / 2,
        lambda s: (1 + erf(s / sqrt(2))) / 2 + s * exp(-(s**2) / 2) / sqrt(2 * pi),
        {},
    ),
    (
        *("clip", "a clipped identity"),
        lambda s: (Abs(s + bend) - Abs(s - bend)) / 2,
        lambda s: (sign(bend + s) + sign(bend - s)) / 2,
        {"bound": bend},
    ),
)


def _mean(function: Function) -> GaussianMean:
    """E f(s_1 u_1) f(s_2 u_2) at correlation ρ."""
    return GaussianMean(function(s1 * u1) * function(s2 * u2), u1, u2, rho)


def _commutes(
    name: str, words: str, function: Function, slope: Function, parameters: Mapping[str, Any]
) -> Claim:
    """The claim for one activation."""
    rule = eq(Derivative(_mean(function), rho), s1 * s2 * _mean(slope))
    one = claim(
        f"eoc.quoted.p7.{name}",
        at="after Proposition 14",
        title=f"Dual and derivative commute for {words}",
        states=rule,
        given={**dict.fromkeys(sorted(rule.free_symbols, key=str)), rho: open_interval(-1, 1)},
        provenance=Provenance.QUOTED,
    )

    @one.proved()
    def differentiate_the_dual(given: Given) -> Theorem:
        """Derive both duals from their Gaussian means, and differentiate the first."""
        chain = given.derived(derive_derivative_rule(name, **parameters))
        # The mean of a Gaussian exists where a determinant is positive, which is everywhere.
        return given.follows(chain, goal=chain.statement) if chain.under else chain

    return one


RULES = [_commutes(*activation) for activation in _ACTIVATIONS]

DUALS_COMMUTE = claim(
    "eoc.quoted.p7",
    at="after Proposition 14",
    title="Taking the dual commutes with differentiation",
    states=sentence(
        r"\operatorname{Corr}($u_1, $u_2) = $rho \implies"
        r" \frac{d}{d$rho}\,\mathbb{E}\,$f($u_1)$f($u_2)"
        r" = \mathbb{E}\,$f^{($first)}($u_1)$f^{($second)}($u_2)",
        first=1,
        second=1,
    ),
    given={rho: open_interval(-1, 1)},
    assuming=[RULE_IS_DERIVED],
    rests_on=RULES,
    provenance=Provenance.QUOTED,
    note="proofs_notes/eoc_mlp.md#duals-and-derivatives",
)


@DUALS_COMMUTE.argued(
    bridge="For the activations it is the claim of each at unit variances. These functions generate"
    " the Hermite polynomials: the coefficients of x and y in the last identity give the rule for"
    " two of these, and both sides are bilinear.",
    uses=[RULE_IS_DERIVED],
    over={rho: open_interval(-1, 1)},
)
def generating_functions(first: int, second: int) -> Obligations:
    """For f = exp(xu - x²/2) and g = exp(yu - y²/2), which generate the Hermite polynomials.

    The mean of f(u₁)g(u₂) is exp(ρxy), and each derivative multiplies by x or y.
    """
    x, y, u = sp.symbols("x y u", real=True)
    mean = sp.exp(rho * x * y)
    log_mean = (x**2 + 2 * rho * x * y + y**2) / 2 - x**2 / 2 - y**2 / 2
    yield "log-mean of f(u₁)g(u₂), from the variance of xu₁ + yu₂", equal(exp(log_mean), mean)
    f_of_u = exp(x * u - x**2 / 2)
    yield "f' = x f", equal(sp.diff(f_of_u, u), x * f_of_u)
    derived = x**first * y**second * mean
    yield "d/dρ mean = mean of derivatives", equal(sp.diff(mean, rho), derived)
