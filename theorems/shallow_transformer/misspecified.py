"""Remarks 9 and 10: what is asked of the target and of the radius of the projection."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import decide_at_least, equal
from theorems.engine import Obligations, claim
from theorems.shallow_transformer.sharp_convergence import GIVEN

RADIUS = claim(
    "st.rem10",
    at="Remark 10",
    title="The transported parameters lie in the feasible set",
    states=r"\rho \ge \bar\nu,\ v \in \mathcal{V}_{\bar\nu} \implies \tilde\varphi \in \Omega_\rho",
    assuming="ρ ≥ ν̄ holds in each of the three components",
)


@RADIUS.proved(controls={"without_the_root": {"power": 0}, "too_small": {"missing": 1}})
def each_block_of_each_head(power: int = 1, missing: int = 0) -> Obligations:
    """m^(1/2)|c̃ − c⁽⁰⁾| = |v_c| ≤ ν̄_c ≤ ρ_c, and so for U and W, since |c⁽⁰⁾| = 1."""
    m = sp.Symbol("m", positive=True)
    size, less, more = sp.symbols("size less more", nonnegative=True)
    bound = size + less  # ν̄, a bound of the size |v|
    radius = bound + more - missing * (1 + bound + more)
    for block, sign in (("c", 1), ("U", 1), ("U", -1), ("W", 1), ("W", -1)):
        moved = sp.sqrt(m) * abs(sign * size * m ** (-sp.Rational(power, 2)))
        yield f"distance of {block}, sign {sign}", equal(moved, size)
    yield "within the radius", (radius - size).is_nonnegative


_NOTE = "proofs_notes/st_descent.md#targets-outside-the-class"
_INSIDE = "the constants hidden in ≲ do not depend on f*; μ stands for the infimum"

MISFIT = claim(
    "st.rem9",
    at="Remark 9",
    title="The additional term for a target outside of the class",
    states=(
        r"\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \lesssim_{\bar\sigma,\bar\nu,\rho}"
        r" \frac{L_{1,m}^4}{\sqrt\tau} + L_{1,m}(B_{\mathrm{app},m} + B_{\mathrm{lin},m} +"
        r" \varepsilon_{\mathrm{CoF}}) + \inf_{\tilde f\in\mathcal{F}_{\bar\nu}}\max_{j\in[n]}"
        r"|f^*(X^{(j)}) - \tilde f(X^{(j)})|"
    ),
    given=GIVEN,
    assuming="the hidden constant does not depend on f*",
    note=_NOTE,
)


@MISFIT.refuted(controls={"linear_loss": {"power": 1}, "quadratic_term": {"growth": 2}})
def a_large_constant(power: int = 2, growth: int = 1) -> Obligations:
    """f* = K: every loss on Ω_ρ is at least (K − f_max)², the infimum is at most K (take f̃ = 0).

    So the left side outgrows C(bound + K), and also C(bound + L_1 K), for all C.
    """
    K, C, bound, output, lipschitz = sp.symbols("K C bound f_max L_1", positive=True)
    for name, factor in (("infimum", sp.Integer(1)), ("L_1 times it", lipschitz)):
        left, right = (K - output) ** power, C * (bound + factor * K**growth)
        yield name, sp.limit(left / right, K, sp.oo) == sp.oo


CORRECTED = MISFIT.corrected(
    "st.rem9.corrected",
    title="Targets outside of the class: the misfit joins the errors, inside the square",
    states=(
        r"\frac1\tau\sum_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le"
        r" \frac{4A^2\|\bar\nu\|_2^2}{\tau} + 2(E + \mu)^2, \quad \mu ="
        r" \inf_{\tilde f\in\mathcal{F}_{\bar\nu}}\max_{j\in[n]}|f^*(X^{(j)}) -"
        r" \tilde f(X^{(j)})|, \quad \eta = \frac{1}{4A^2}"
    ),
    given=GIVEN,
    assuming=(
        _INSIDE,
        "in (36) and (39) as printed y_max becomes y_max + μ, so the bound there is quadratic too",
        "μ + ε for any ε > 0 if the infimum is not attained",
    ),
    rests_on=["st.thm1.sharp", "st.eq24"],
    note=_NOTE,
)


@CORRECTED.proved(
    controls={"without_the_misfit": {"share": 0}, "half": {"share": sp.Rational(1, 2)}}
)
def another_error(share: Any = 1) -> Obligations:
    """|f_lin(φ̃) − f*| ≤ |f_lin(φ̃) − f̃| + |f̃ − f*| ≤ B_app + μ: the proof holds for all labels."""
    bound, misfit, less, fewer = sp.symbols("bound misfit less fewer", nonnegative=True)
    # |f_lin − f̃| = bound − less ≥ 0 and |f̃ − f*| = misfit − fewer ≥ 0 with equal signs.
    worst = bound + misfit
    yield "worst case", equal(worst, bound + share * misfit)
    yield "others", decide_at_least(worst, worst - less - fewer).answer
