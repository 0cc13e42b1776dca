"""Derivations of the closed forms, from the definitions as Gaussian means.

They are written in the symbols of `symbolic.notation`; `Derivation.claiming` puts another
expression in the place of the conclusion, so that a caller can see a false variant rejected.
"""

from functools import cache
from typing import Literal

import sympy
from sympy import Derivative, cos, pi, sin

from symbolic.arguments import choice, flag
from symbolic.cosine_maps.closed_forms import (
    omega,
    omega_prime,
    varrho,
    varrho_prime,
    varrho_second,
    zeta,
    zeta_prime,
)
from symbolic.derivation import Derivation, Step
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from symbolic.gaussian.polar import polar_steps
from symbolic.notation import (
    ABBREVIATIONS,
    DELTA,
    DOMAIN,
    NOT_BOTH_ZERO,
    SIGMA,
    phi,
    phi_prime,
    rho,
    t,
    u,
    u1,
    u2,
    w,
    z,
)

_IN_ANGLE = {**ABBREVIATIONS, rho: cos(t)}
_SHARES = r"$\sigma^2 = (a^2 + b^2)^{-1}$, $\Delta_\phi = b^2 (a^2 + b^2)^{-1}$"


def derive_varrho_prime(method: Literal["differentiation", "expectation"] = "differentiation") -> Derivation:
    """Derivative of the cosine map: by differentiation, or as sigma^2 E phi'(u1) phi'(u2).

    >>> [derive_varrho_prime(method).answer for method in ("differentiation", "expectation")]
    [True, True]
    """
    return _PRIME_METHODS[choice(method, "method", _PRIME_METHODS)]()


def derive_edge_of_chaos(moment: Literal["phi", "phi_prime", "weighted"] = "phi") -> Derivation:
    """sigma^2 E phi(u)^2, sigma^2 E phi'(u)^2 or sigma^2 E (phi'(u) u)^2: each is 1.

    Source: "MLPs at the EOC", Section 3.1 and the end of the proof of Proposition 16.

    >>> [derive_edge_of_chaos(m).conclusion for m in ("phi", "phi_prime", "weighted")]
    [1, 1, 1]
    """
    return _edge_of_chaos(choice(moment, "moment", _SECOND_MOMENTS))


def derive_end_value(rho_end: Literal[-1, 1], prime: bool = False) -> Derivation:
    """Varrho or varrho' at rho = -1 or 1, where u2 = rho u1 and the mean is univariate.

    >>> derive_end_value(-1).conclusion, derive_end_value(-1, prime=True).conclusion
    (2*Delta_phi - 1, 1 - 2*Delta_phi)
    """
    end = choice(rho_end, "rho_end", (-1, 1))
    return _end_value(end, flag(prime, "prime"))


@cache
def derive_varrho() -> Derivation:
    """Cosine map, from sigma^2 E phi(u1) phi(u2) to the closed form.

    >>> chain = derive_varrho()
    >>> chain.answer, chain.conclusion == varrho(rho, DELTA)
    (True, True)
    >>> chain.claiming(varrho(rho, DELTA) + DELTA * sin(t) / 100).answer
    False
    """
    product = phi(u1) * phi(u2)
    in_angle = cos(t) + DELTA * 2 / pi * (sin(t) - t * cos(t))
    return Derivation(
        title="The cosine map",
        name=r"\varrho(\rho)",
        start=SIGMA**2 * GaussianMean(product, u1, u2, cos(t)),
        steps=[
            *polar_steps(SIGMA**2, product, u1, u2),
            Step(in_angle, _SHARES),
            Step(varrho(rho, DELTA), r"$\rho = \cos t$"),
        ],
        domain=DOMAIN,
        where=_IN_ANGLE,
        under=NOT_BOTH_ZERO,
    )


@cache
def _varrho_prime_by_differentiation() -> Derivation:
    return Derivation(
        title="The derivative of the cosine map",
        name=r"\varrho'(\rho)",
        start=Derivative(varrho(rho, DELTA), rho),
        steps=[
            Step(sympy.diff(varrho(rho, DELTA), rho), "differentiate"),
            Step(varrho_prime(rho, DELTA), r"the terms $\rho(1-\rho^2)^{-1/2}$ cancel"),
        ],
        domain=DOMAIN,
    )


@cache
def _varrho_prime_by_expectation() -> Derivation:
    product = phi_prime(u1) * phi_prime(u2)
    return Derivation(
        title="The derivative of the cosine map is the dual of the derivative",
        name=r"\varrho'(\rho)",
        start=SIGMA**2 * GaussianMean(product, u1, u2, cos(t)),
        steps=[
            *polar_steps(SIGMA**2, product, u1, u2),
            Step(1 - DELTA + DELTA * 2 / pi * (pi / 2 - t), _SHARES),
            Step(varrho_prime(rho, DELTA), r"$\rho = \cos t$"),
        ],
        domain=DOMAIN,
        where=_IN_ANGLE,
        under=NOT_BOTH_ZERO,
    )


_PRIME_METHODS = {
    "differentiation": _varrho_prime_by_differentiation,
    "expectation": _varrho_prime_by_expectation,
}


@cache
def derive_varrho_second() -> Derivation:
    """Second derivative of the cosine map.

    >>> derive_varrho_second().answer
    True
    """
    return Derivation(
        title="The second derivative of the cosine map",
        name=r"\varrho''(\rho)",
        start=Derivative(varrho(rho, DELTA), rho, 2),
        steps=[
            Step(Derivative(varrho_prime(rho, DELTA), rho), "the first derivative"),
            Step(varrho_second(rho, DELTA), "differentiate"),
        ],
        domain=DOMAIN,
    )


@cache
def derive_zeta_prime() -> Derivation:
    """Derivative of the squared cosine distance map.

    >>> derive_zeta_prime().answer
    True
    """
    return Derivation(
        title="The derivative of the squared cosine distance map",
        name=r"\zeta'(z)",
        start=Derivative(zeta(z, DELTA), z),
        steps=[
            Step(varrho_prime(1 - 2 * z, DELTA), r"$\zeta'(z) = \varrho'(1 - 2z)$"),
            Step(zeta_prime(z, DELTA), r"$\arcsin(1 - 2z) = \tfrac\pi2 - 2\arcsin\sqrt z$"),
        ],
        domain=DOMAIN,
    )


@cache
def derive_omega_prime() -> Derivation:
    """Derivative of the inverse cosine distance map.

    >>> derive_omega_prime().answer
    True
    """
    return Derivation(
        title="The derivative of the inverse cosine distance map",
        name=r"\omega'(w)",
        start=Derivative(omega(w, DELTA), w),
        steps=[Step(omega_prime(w, DELTA), r"$\tfrac{d}{dw}\zeta(w^{-2}) = -2w^{-3}\zeta'(w^{-2})$")],
        domain=DOMAIN,
        under=(omega(w, DELTA) ** -2 > 0,),
    )


_SECOND_MOMENTS = {
    "phi": (r"\sigma^2\,\mathbb{E}\,\phi(u)^2", phi(u) ** 2),
    "phi_prime": (r"\sigma^2\,\mathbb{E}\,\phi'(u)^2", phi_prime(u) ** 2),
    "weighted": (r"\sigma^2\,\mathbb{E}\,(\phi'(u)u)^2", (phi_prime(u) * u) ** 2),
}


@cache
def _edge_of_chaos(moment: str) -> Derivation:
    name, square = _SECOND_MOMENTS[moment]
    return Derivation(
        title="The edge of chaos",
        name=name,
        start=SIGMA**2 * GaussianMean(square, u),
        steps=[*half_line_steps(SIGMA**2, square, u), Step(sympy.S.One, r"$\sigma^2 = (a^2 + b^2)^{-1}$")],
        where=ABBREVIATIONS,
        under=NOT_BOTH_ZERO,
    )


@cache
def _end_value(rho_end: int, prime: bool) -> Derivation:
    function = phi_prime if prime else phi
    product = function(u) * function(rho_end * u)
    closed_form = (varrho_prime if prime else varrho)(rho_end, DELTA)
    mark = "'" if prime else ""
    return Derivation(
        title=f"The cosine map{' (derivative)' if prime else ''} at {rho_end}",
        name=rf"\varrho{mark}({rho_end})",
        start=SIGMA**2 * GaussianMean(product, u),
        steps=[
            *half_line_steps(SIGMA**2, product, u),
            Step(closed_form.expand(), f"{_SHARES}; the closed form at the end"),
        ],
        where=ABBREVIATIONS,
        under=NOT_BOTH_ZERO,
    )
