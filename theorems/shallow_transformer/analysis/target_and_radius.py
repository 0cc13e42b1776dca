"""Remarks 9 and 10: the assumptions on the target and on the radius of the projection."""

from typing import Any

from sympy import Abs, Symbol, limit, oo, sqrt, symbols

from theorems.engine import Choice, Given, Hypothesis, Obligations, Severity, eq, gt, le, sentence
from theorems.engine.rules import Theorem, Vector, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import A, claim, m, tau
from theorems.shallow_transformer.letters.run import B_COF, B_LIN, ERROR
from theorems.shallow_transformer.letters.training import U_shift, W_shift, c_shift, eps_target
from theorems.shallow_transformer.premises.descent import OF_THE_ITERATES, inside, largest_error
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, letters, positive, what_is_assumed

_NOTE = "proofs_notes/st_descent.md#targets-outside-the-class"
_SETTING = (*hyp.NETWORK, hyp.BOUNDED_MAP, hyp.WIDE_RADII, hyp.PROJECTED_DESCENT)
_AS_PRINTED = (*_SETTING, hyp.NORM_EVENT, hyp.APPROXIMATION_EVENT, hyp.STEP_SIZE)

MISFIT = claim(
    "st.rem9",
    at="Remark 9",
    title="The additional term for a target outside of the class",
    states=sentence(
        r"$loss_min \le C_{\bar\sigma,\bar\nu,\rho}\Bigl(\frac{$L_1^{$fourth}}{\sqrt{$tau}} + $L_1"
        r"($B_app + $B_lin + $B_CoF) + \inf_{\tilde f\in$F_nu}\max_j|$f_star(X^{(j)})"
        r" - \tilde f(X^{(j)})|^{$power}\Bigr) \text{ for all } $f_star",
        fourth=4,
        power=Choice("", 1),
    ),
    given=letters(
        *(of.loss_min, of.L_1, tau, of.B_app, of.B_lin, of.B_CoF, of.F_nu, of.f_star), under=_AS_PRINTED
    ),
    assuming=_AS_PRINTED,
    note=_NOTE,
)


@MISFIT.refuted(severity=Severity.FALSE, controls={"quadratic": {"power": 2}})
def a_large_constant(fourth: int, power: int) -> Obligations:
    """f* = K: every loss on Ω_ρ is at least (K − f_max)², the infimum is at most K (take f̃ = 0).

    So the left side outgrows C(bound + K), and also C(bound + L_1 K), for all C.
    """
    K, C, steps, errors, output, lipschitz = symbols("K C t E f_max L_1", positive=True)
    bound = lipschitz**fourth * steps + lipschitz * errors
    for name, factor in (("infimum", 1), ("L_1 times it", lipschitz)):
        quotient: Any = (K - output) ** 2 / (C * (bound + factor * K**power))
        yield name, limit(quotient, K, oo) == oo


NEAR_TARGET = Hypothesis(
    "near_target",
    "$mu is the distance of the target from the function of the map $v at the samples; the least"
    " one over the class is attained, as bounded maps are weakly compact",
    le(eps_target, of.misfit),
    latex=r"\max_j|$f_star(X^{(j)}) - $f_tilde(X^{(j)};$v)| \le $mu",
)
_ON_THE_EVENTS = (hyp.BOUNDED_HEADS, hyp.APPROXIMATION_EVENT)
_INSIDE = (*_SETTING, *_ON_THE_EVENTS, NEAR_TARGET, hyp.BOUNDED_GRADIENT, hyp.CONSTANT_STEP)

CORRECTED = MISFIT.corrected(
    "st.rem9.corrected",
    title="Targets outside of the class: the misfit joins the errors, inside the square",
    states=le(of.loss_mean, 4 * A**2 * of.NU_NORM**2 / tau + 2 * (ERROR + of.misfit) ** 2),
    given=letters(*(of.loss_mean, A, tau, of.misfit, *of.NU, ERROR), under=_INSIDE),
    assuming=_INSIDE,
    rests_on=["st.thm1.sharp", "st.eq25", "st.eq35"],
    discharging={
        hyp.BOUNDED_ERRORS: "the sum of the bounds and of the misfit is such a number",
        **OF_THE_ITERATES,
    },
    note=_NOTE,
)


def _other_labels() -> list[Theorem]:
    """The error at the sample where it is largest, by the function of the map."""
    names = ("f_lin at phi~", "function of the map", "target", "error of approximation")
    model, function, target, error = (Symbol(name, real=True) for name in names)
    label = NETWORKS.meaning(
        "the largest error, at some sample", eq(Abs(error), of.eps_label), eq(model, target + error)
    )
    tops = NETWORKS.largest(
        "the largest distances of f_lin and of the target from the function of the map",
        le(Abs(model - function), of.eps_app),
        le(Abs(target - function), eps_target),
    )
    return [NETWORKS.follows(label, tops, goal=le(of.eps_label, of.eps_app + eps_target))]


@CORRECTED.proved()
def misfit_as_another_error(given: Given) -> Theorem:
    """|f_lin(φ̃) − f*| ≤ |f_lin(φ̃) − f̃| + |f̃ − f*| ≤ B_app + μ: the theorem takes any labels."""
    bounds = [given.fact("st.eq25"), given.fact("st.eq35"), *largest_error(), *_other_labels()]
    bounds.append(inside(given, hyp.PROJECTED_DESCENT))
    within = between(given, le(of.eps_sum, ERROR + of.misfit), *bounds)
    signs = [positive(B_LIN), positive(B_COF)]
    values = {of.E: ERROR + of.misfit}
    where = [*given.conditions, gt(B_LIN, 0), gt(B_COF, 0)]
    return given.concluded(
        NETWORKS.substituted(given.fact("st.thm1.sharp"), values, under=where), within, *signs
    )


_SHIFTS = (c_shift, U_shift, W_shift)

RADIUS = claim(
    "st.rem10",
    at="Remark 10",
    title="The transported parameters lie in the feasible set",
    states=[le(shift, radius / sqrt(m)) for shift, radius in zip(_SHIFTS, of.RHO, strict=True)],
    given=letters(*_SHIFTS, m, under=hyp.WITHIN_REACH),
    assuming=hyp.WITHIN_REACH,
)


@RADIUS.proved()
def each_block_of_each_head(given: Given) -> Theorem:
    """m^(1/2)|c̃ − c⁽⁰⁾| = |v_c| ≤ ν̄_c ≤ ρ_c, and so for U and W, since |c⁽⁰⁾| = 1."""
    sign = Symbol("c_i^0", real=True)
    unit = what_is_assumed(given, hyp.UNIT_SIGNS, eq(Abs(sign), 1))
    blocks = []
    for shift, nu, factor in zip(_SHIFTS, of.NU, (1, sign, sign), strict=True):
        v = Vector(f"v_{nu}")
        length = NETWORKS.meaning("the way in a block", eq(shift, Abs(factor) * norm(v) / sqrt(m)))
        within = what_is_assumed(given, hyp.BOUNDED_MAP, le(norm(v), nu))
        blocks.append(between(given, le(shift, nu / sqrt(m)), unit, length, within))
    return given.concluded(*blocks)
