r"""Derivations of the kernels of an attention layer, from means of products to closed forms.

Both kernels at tokens a and b are sums over tokens i of x and j of x'; what is derived is one
summand, at tau = 1/2. Deviations and correlations of the input's tokens are letters: its kernel is
d_a e_b r_ab at (x, x'), d_a^2 at (x, x) and e_b^2 at (x', x'), its tangent kernel d_a e_b t_ab.
Scores have the deviations sigma_QK d_a d_i and sigma_QK e_b e_j, and the correlation r_ab r_ij.
"""

from types import MappingProxyType
from typing import Any

from sympy import Derivative, Expr, Interval, Subs, Symbol, cos, symbols

from symbolic.attention_kernels.structure import check_tangent, check_zeta
from symbolic.derivation import Decision, Derivation, Step
from symbolic.dual_activations import S1, S2, derive_dual, derive_dual_derivative
from symbolic.dual_activations.catalogue import find_activation
from symbolic.equality import decide_equal, together_decided
from symbolic.notation import rho, t

d_a, d_i, e_b, e_j = symbols("d_a d_i e_b e_j", positive=True)
r_ab, r_ij, t_ab, t_ij = symbols("r_ab r_ij t_ab t_ij", real=True)
sigma_qk, sigma_ov = symbols("sigma_QK sigma_OV", positive=True)

_STEP = Symbol("varepsilon", real=True)
_OPEN = Interval.open(-1, 1)
_DOMAIN = MappingProxyType({r_ab: _OPEN, r_ij: _OPEN})
_UNIT_AB, _UNIT_IJ = d_a * e_b, d_i * e_j
_KERNEL_AB, _KERNEL_IJ = _UNIT_AB * r_ab, _UNIT_IJ * r_ij
_TANGENT_AB, _TANGENT_IJ = _UNIT_AB * t_ab, _UNIT_IJ * t_ij
_DEVIATIONS = MappingProxyType({S1: sigma_qk * d_a * d_i, S2: sigma_qk * e_b * e_j})


def derive_attention_kernel(zeta: str, **parameters: Any) -> Derivation:
    """Derivation of the summand of tokens i, j of kappa_ab, with zeta and parameters as for duals.

    ValueError if the dual of zeta has no closed form; otherwise errors of `derive_dual`.
    Source: "Infinite attention", Theorem 3 (Equation (7)), with the scales of all weights.

    >>> chain = derive_attention_kernel("identity")
    >>> chain.answer, chain.conclusion == (
    ...     sigma_ov**2 * sigma_qk**2 * (d_a * e_b * r_ab) * (d_i * e_j * r_ij) ** 2
    ... )
    (True, True)
    """
    _check_closed_form(zeta)
    dual = derive_dual(zeta, **parameters)
    mean = dual.start.xreplace({cos(t): rho}).xreplace(_abbreviations(dual))
    start = sigma_ov**2 * _KERNEL_IJ * _at_scores(mean, r_ab * r_ij)
    closed = sigma_ov**2 * _KERNEL_IJ * _at_scores(dual.conclusion, r_ab * r_ij)

    def insert(before: Expr, after: Expr) -> Decision:
        if before != start:
            return Decision(None, "the step is not that of the derivation")
        same = decide_equal(after, closed, _DOMAIN, dual.under)
        return together_decided([same, Decision(dual.answer, f"the derivation {dual.title!r}")])

    return Derivation(
        title=f"Kernel of attention for {_name(dual)}",
        name=r"\kappa_{ab}^{(ij)}",
        start=start,
        steps=[Step(closed, "the dual, for the scores", insert)],
        domain=_DOMAIN,
        under=dual.under,
    )


def derive_attention_tangent_kernel(zeta: str, **parameters: Any) -> Derivation:
    """Derivation of the summand of tokens i, j of Theta_ab, by one differentiation.

    The start is the summand of kappa_ab, and its derivative at varepsilon = 0 with r_ab and r_ij
    moved to r_ab + varepsilon (r_ab + t_ab) and r_ij + varepsilon (r_ij + t_ij); the conclusion is
    that of the printed formula, with the dual of the derivative of zeta. ValueError if this is not
    a function (`sign`, `step`) or has no dual in closed form; otherwise errors of `derive_dual`.
    Source: "Infinite attention", Theorem 18 (Equation (22)), tau = 1/2.

    >>> chain = derive_attention_tangent_kernel("relu")
    >>> chain.answer, chain.claiming(2 * chain.conclusion).answer
    (True, False)
    """
    _check_closed_form(zeta)
    check_tangent(zeta)
    dual, slope = derive_dual(zeta, **parameters), derive_dual_derivative(zeta, **parameters)
    under = tuple(dict.fromkeys((*dual.under, *slope.under)))

    def summand(first: Expr, second: Expr) -> Expr:
        return sigma_ov**2 * _UNIT_IJ * second * _at_scores(dual.conclusion, first * second)

    moving = r_ab + _STEP * (r_ab + t_ab), r_ij + _STEP * (r_ij + t_ij)
    kernel = summand(r_ab, r_ij)
    start = kernel + Subs(Derivative(summand(*moving), _STEP), _STEP, 0)
    printed = _printed(kernel, _at_scores(slope.conclusion, r_ab * r_ij))

    def differentiate(before: Expr, after: Expr) -> Decision:
        rests_on = [Decision(one.answer, f"the derivation {one.title!r}") for one in (dual, slope)]
        return together_decided([decide_equal(before.doit(), after, _DOMAIN, under), *rests_on])

    return Derivation(
        title=f"Tangent kernel of attention for {_name(dual)}",
        name=r"\Theta_{ab}^{(ij)}",
        start=start,
        steps=[Step(printed, "differentiate", differentiate)],
        domain=_DOMAIN,
        under=under,
    )


def _check_closed_form(zeta: str) -> None:
    check_zeta(zeta)
    if not find_activation(zeta).has_closed_form:
        raise ValueError(f"zeta must have a dual in closed form, got {zeta!r}")


def _printed(kernel: Expr, slope: Expr) -> Expr:
    """The summand of Equation (22), from that of the kernel and the mean of zeta' zeta'."""
    inherited = kernel * t_ij / r_ij
    scores = (2 * _KERNEL_AB + _TANGENT_AB) * _KERNEL_IJ + _KERNEL_AB * _TANGENT_IJ
    return 2 * kernel + inherited + sigma_ov**2 * sigma_qk**2 * scores * _KERNEL_IJ * slope


def _at_scores(expression: Expr, correlation: Expr) -> Expr:
    """An expression in the deviations and the correlation of a pair, for the pair of scores."""
    return expression.xreplace({**_DEVIATIONS, rho: correlation})


def _abbreviations(chain: Derivation) -> dict[Symbol, Expr]:
    return {x: value for x, value in chain.where.items() if x != rho}


def _name(dual: Derivation) -> str:
    return dual.title.removeprefix("Dual of ")
