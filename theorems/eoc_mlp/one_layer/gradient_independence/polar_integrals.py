"""The Gaussian integrals of the proof, from their definition by polar integration."""

from functools import cache

from sympy import Expr, S, cos, sin

from symbolic.derivation import Derivation, Step
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.polar import polar_steps
from symbolic.gradient_dependence import integral_w1, integral_w1w2
from symbolic.notation import DOMAIN, b, phi_prime, rho, t, u1, u2

#: w_1 and w_2 for standard normals with correlation cos t.
_W1, _W2 = (u1 - cos(t) * u2) / sin(t), (u2 - cos(t) * u1) / sin(t)
_MOMENTS = {
    "w1_squared": (r"\mathbb{E}\,w_1^2", _W1**2, S.One),
    "w2_squared": (r"\mathbb{E}\,w_2^2", _W2**2, S.One),
    "w1_w2": (r"\mathbb{E}\,w_1 w_2", _W1 * _W2, -rho),
}
_INTEGRALS = {
    "w1": ("w_1^2 - 1", _W1**2 - 1, integral_w1(rho, b)),
    "w2": ("w_2^2 - 1", _W2**2 - 1, integral_w1(rho, b)),
    "w1_w2": (r"w_1 w_2 + \rho", _W1 * _W2 + cos(t), integral_w1w2(rho, b)),
}


@cache
def derive_w_moment(moment: str) -> Derivation:
    """E w1^2 = E w2^2 = 1 and E w1 w2 = -rho."""
    name, product, value = _MOMENTS[moment]
    title = "Moments of the regression coefficients"
    return _by_polar_integration(title, name, product, value, r"$\rho = \cos t$")


@cache
def derive_integral(which: str) -> Derivation:
    """E phi'(u1) phi'(u2) (w1^2 - 1), or with w2, or with w1 w2 + rho for the last factor."""
    written, factor, value = _INTEGRALS[which]
    return _by_polar_integration(
        f"Integral of {which} in the proof of Proposition 17",
        rf"\mathbb{{E}}\,\phi'(u_1)\phi'(u_2)\left({written}\right)",
        phi_prime(u1) * phi_prime(u2) * factor,
        value,
        r"$\rho = \cos t$, $\sin t = \sqrt{1 - \rho^2}$",
    )


def _by_polar_integration(title: str, name: str, integrand: Expr, value: Expr, reason: str) -> Derivation:
    return Derivation(
        title=title,
        name=name,
        start=GaussianMean(integrand, u1, u2, cos(t)),
        steps=[*polar_steps(S.One, integrand, u1, u2), Step(value, reason)],
        domain=DOMAIN,
        where={rho: cos(t)},
    )
