"""The Gaussian integrals of Proposition 17, from their definition by polar integration."""

from functools import cache
from typing import Literal

import sympy
from sympy import Expr, cos, sign, sin

from symbolic.arguments import choice
from symbolic.derivation import Derivation, Step
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.polar import polar_steps
from symbolic.gradient_dependence.closed_forms import integral_w1, integral_w1w2
from symbolic.notation import DOMAIN, a, b, latex, phi_prime, rho, t, u1, u2

#: w_1 and w_2 for standard normals with correlation cos t.
_W1, _W2 = (u1 - cos(t) * u2) / sin(t), (u2 - cos(t) * u1) / sin(t)

_MOMENTS = {
    "w1_squared": (r"\mathbb{E}\,w_1^2", _W1**2, sympy.S.One),
    "w2_squared": (r"\mathbb{E}\,w_2^2", _W2**2, sympy.S.One),
    "w1_w2": (r"\mathbb{E}\,w_1 w_2", _W1 * _W2, -rho),
}
_FACTORS = {"w1": _W1**2 - 1, "w2": _W2**2 - 1, "w1_w2": _W1 * _W2 + cos(t)}
_WRITTEN = {"w1": "w_1^2 - 1", "w2": "w_2^2 - 1", "w1_w2": r"w_1 w_2 + \rho"}
_PARTS = {
    "all": phi_prime(u1) * phi_prime(u2),
    "a_squared": a**2,
    "a_b": a * b * (sign(u1) + sign(u2)),
    "b_squared": b**2 * sign(u1) * sign(u2),
}

Part = Literal["all", "a_squared", "a_b", "b_squared"]


def derive_w_moment(
    moment: Literal["w1_squared", "w2_squared", "w1_w2"], claimed: Expr | None = None
) -> Derivation:
    """E w1^2 = E w2^2 = 1 and E w1 w2 = -rho.

    >>> [derive_w_moment(m).conclusion for m in ("w1_squared", "w2_squared", "w1_w2")]
    [1, 1, -rho]
    """
    return _w_moment(choice(moment, "moment", _MOMENTS)).claiming(claimed)


def derive_integral_w1(
    which: Literal["w1", "w2"] = "w1", part: Part = "all", claimed: Expr | None = None
) -> Derivation:
    """E phi'(u1) phi'(u2) (w1^2 - 1), or with w2, as `integral_w1` states it.

    `part` selects the terms of phi'(u1) phi'(u2) with a^2, a b or b^2: the first two vanish.

    >>> derive_integral_w1().answer, derive_integral_w1(part="a_squared").conclusion
    (True, 0)
    """
    factor = choice(which, "which", ("w1", "w2"))
    return _integral(factor, choice(part, "part", _PARTS)).claiming(claimed)


def derive_integral_w1w2(part: Part = "all", claimed: Expr | None = None) -> Derivation:
    """E phi'(u1) phi'(u2) (w1 w2 + rho), as `integral_w1w2` states it; `part` as above.

    >>> derive_integral_w1w2().answer, derive_integral_w1w2("a_b").conclusion
    (True, 0)
    """
    return _integral("w1_w2", choice(part, "part", _PARTS)).claiming(claimed)


@cache
def _w_moment(moment: str) -> Derivation:
    name, product, value = _MOMENTS[moment]
    return Derivation(
        title="Moments of the regression coefficients",
        name=name,
        start=GaussianMean(product, u1, u2, cos(t)),
        steps=[*polar_steps(sympy.S.One, product, u1, u2), Step(value, r"$\rho = \cos t$")],
        domain=DOMAIN,
        where={rho: cos(t)},
    )


@cache
def _integral(which: str, part: str) -> Derivation:
    integrand = _PARTS[part] * _FACTORS[which]
    closed_form = integral_w1w2(rho, b) if which == "w1_w2" else integral_w1(rho, b)
    product = r"\phi'(u_1)\phi'(u_2)" if part == "all" else latex(_PARTS[part])
    return Derivation(
        title=f"Integral of {which} in the proof of Proposition 17",
        name=rf"\mathbb{{E}}\,{product}\left({_WRITTEN[which]}\right)",
        start=GaussianMean(integrand, u1, u2, cos(t)),
        steps=[
            *polar_steps(sympy.S.One, integrand, u1, u2),
            Step(
                closed_form if part in ("all", "b_squared") else sympy.S.Zero,
                r"$\rho = \cos t$, $\sin t = \sqrt{1 - \rho^2}$",
            ),
        ],
        domain=DOMAIN,
        where={rho: cos(t)},
    )
