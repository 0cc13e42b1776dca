"""Derivations of the duals, from the Gaussian integral to the closed form.

In standard normals (u1, u2) of correlation rho in (-1, 1), the pair with standard deviations
s_1, s_2 > 0 is (s_1 u1, s_2 u2).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sympy import Derivative, Expr, cos
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision, Derivation, Step
from symbolic.dual_activations.catalogue import Activation, resolve
from symbolic.dual_activations.correlation_integrals import decide_same
from symbolic.dual_activations.correlation_integrals import derivative as rho_derivative
from symbolic.dual_activations.derivation_plans import PAIR, plan_of
from symbolic.equality import together_decided
from symbolic.notation import DOMAIN, rho, t


def derive_dual(name: str, **parameters: Any) -> Derivation:
    """Derivation of E phi(s_1 u1) phi(s_2 u2), with parameters as for `dual_activation`.

    >>> chain = derive_dual("sign")
    >>> chain.answer, chain.conclusion
    (True, 2*asin(rho)/pi)
    >>> chain.claiming(chain.conclusion / 2).answer
    False
    """
    return _derivation(*resolve(name, parameters), 0)


def derive_dual_derivative(name: str, **parameters: Any) -> Derivation:
    """Derivation of E phi'(s_1 u1) phi'(s_2 u2) from this mean, not from the dual of phi.

    >>> derive_dual_derivative("sign").conclusion
    2/(pi*s_1*s_2*sqrt(1 - rho**2))
    """
    return _derivation(*resolve(name, parameters), 1)


def derive_derivative_rule(name: str, **parameters: Any) -> Derivation:
    """The rule as a chain: from the derivative of the mean in rho to s_1 s_2 E phi'(..) phi'(..).

    The mean is that of `derive_dual`, at correlation rho; each step takes over what one of the
    two derivations shows, or differentiates between them.

    >>> chain = derive_derivative_rule("relu")
    >>> chain.answer, chain.claiming(2 * chain.conclusion).answer
    (True, False)
    """
    resolve(name, parameters)
    return _rule(name, tuple(sorted(parameters.items())))


@cache
def _rule(name: str, parameters: tuple[tuple[str, Any], ...]) -> Derivation:
    dual = derive_dual(name, **dict(parameters))
    slope = derive_dual_derivative(name, **dict(parameters))
    means = [_at_correlation(one) for one in (dual, slope)]
    ends = [Derivative(dual.conclusion, rho), PAIR.spread * slope.conclusion]
    start, result = Derivative(means[0], rho), PAIR.spread * means[1]

    def insert(before: Expr, after: Expr) -> Decision:
        return _taken_over(dual, (before, after) == (start, ends[0]))

    def differentiate(before: Expr, after: Expr) -> Decision:
        return _decide_rule(before.args[0], after / PAIR.spread, slope.under)

    def go_back(before: Expr, after: Expr) -> Decision:
        inserted = after.xreplace({means[1]: slope.conclusion})
        same = decide_same(before, inserted, slope.under)
        return together_decided([same, _taken_over(slope, before == ends[1])])

    prime = r"s_1 s_2\,\mathbb{E}\,\phi'(s_1 u_1)\,\phi'(s_2 u_2)"
    return Derivation(
        title=f"Dual and derivative commute for {dual.title.removeprefix('Dual of ')}",
        name=r"\tfrac{d}{d\rho}\,\mathbb{E}\,\phi(s_1 u_1)\,\phi(s_2 u_2)",
        start=start,
        steps=[
            Step(ends[0], "the dual", insert),
            Step(ends[1], "differentiate", differentiate),
            Step(result, f"this is ${prime}$", go_back),
        ],
        domain=DOMAIN,
        under=tuple(dict.fromkeys((*dual.under, *slope.under))),
    )


def _at_correlation(chain: Derivation) -> Expr:
    """The mean from which a derivation starts, at correlation rho, its abbreviations inserted."""
    named = {x: value for x, value in chain.where.items() if x != rho}
    return chain.start.xreplace({cos(t): rho}).xreplace(named)


def _taken_over(chain: Derivation, matches: bool) -> Decision:
    if not matches:
        return Decision(None, "the step is not that of the derivation")
    return Decision(chain.answer, f"the derivation {chain.title!r}")


def _decide_rule(dual: Expr, slope: Expr, under: Sequence[Boolean]) -> Decision:
    return decide_same(rho_derivative(dual), PAIR.spread * slope, under)


@cache
def _derivation(activation: Activation, values: tuple[Any, ...], order: int) -> Derivation:
    closed_form = activation.derivative_dual if order else activation.dual
    plan = plan_of(activation, values, closed_form(PAIR, *values), order)
    prime = "'" if order else ""
    return Derivation(
        title=f"Dual of {'the derivative of ' if order else ''}{activation.name}",
        name=rf"\mathbb{{E}}\,\phi{prime}(s_1 u_1)\,\phi{prime}(s_2 u_2)",
        start=plan.start,
        steps=plan.steps,
        domain=DOMAIN,
        where=plan.where,
        under=plan.under,
    )
