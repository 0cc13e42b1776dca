"""Closed forms of the cosine map and of the distance maps that belong to it.

Arguments are symbols or exact numbers; see `symbolic.arguments.exact` for what is exact. The
functions of this module state closed forms, `symbolic.cosine_maps.derivations` derives them.
"""

from typing import Any

from sympy import Expr, Rational, asin, pi, sqrt

from symbolic.arguments import BEYOND_ONE, CORRELATION, OPEN_CORRELATION, UNIT, exact, exact_in
from symbolic.enclosure import sign_of


def delta_phi(a: Any, b: Any) -> Expr:
    """Delta_phi = b^2 / (a^2 + b^2), which lies in [0, 1].

    a and b are exact and not both zero (ValueError). Source: "MLPs at the EOC", before
    Remark 13.

    >>> delta_phi(0, 1), delta_phi("1/2", "1/2")
    (1, 1/2)
    """
    a, b = _not_both_zero(a, b)
    return b**2 / (a**2 + b**2)


def kappa_phi(a: Any, b: Any) -> Expr:
    """kappa_phi = (|a| + |b|) / sqrt(a^2 + b^2), which lies in [1, sqrt(2)].

    a and b are exact and not both zero (ValueError). Source: "MLPs at the EOC", before
    Proposition 10.

    >>> kappa_phi(0, 1), kappa_phi("1/2", "1/2")
    (1, sqrt(2))
    """
    a, b = _not_both_zero(a, b)
    return (abs(a) + abs(b)) / sqrt(a**2 + b**2)


def varrho(rho: Any, delta: Any) -> Expr:
    """Cosine map (1 - Delta) rho + Delta (2/pi) (sqrt(1 - rho^2) + rho asin rho).

    It is sigma^2 E phi(u1) phi(u2) for standard normals with correlation rho in [-1, 1];
    Delta lies in [0, 1]. ValueError outside. Source: "MLPs at the EOC", before Proposition 11;
    the closed form is `derive_varrho`.

    >>> varrho(0, 1), varrho(1, "1/2"), varrho(-1, "1/2")
    (2/pi, 1, 0)
    """
    return cosine_map(exact_in(rho, "rho", CORRELATION), exact_in(delta, "delta", UNIT))


def varrho_prime(rho: Any, delta: Any) -> Expr:
    """Derivative of the cosine map, (1 - Delta) + Delta (2/pi) asin rho, on [-1, 1].

    It is also sigma^2 E phi'(u1) phi'(u2); both methods are in `derive_varrho_prime`. Source:
    "MLPs at the EOC", after Proposition 14.

    >>> varrho_prime(0, "1/2"), varrho_prime("1/2", 1), varrho_prime(1, "0.3")
    (1/2, 1/3, 1)
    """
    return cosine_slope(exact_in(rho, "rho", CORRELATION), exact_in(delta, "delta", UNIT))


def varrho_second(rho: Any, delta: Any) -> Expr:
    """Second derivative of the cosine map, Delta (2/pi) / sqrt(1 - rho^2), on (-1, 1).

    Source: "MLPs at the EOC", proof of Proposition 27.

    >>> varrho_second("3/5", 1)
    5/(2*pi)
    """
    rho = exact_in(rho, "rho", OPEN_CORRELATION)
    return exact_in(delta, "delta", UNIT) * 2 / (pi * sqrt(1 - rho**2))


def zeta(z: Any, delta: Any) -> Expr:
    """Squared cosine distance map z - Delta (2/pi) (sqrt(z(1-z)) - (1 - 2z) asin sqrt z).

    It is (1 - varrho(1 - 2z)) / 2 for z in [0, 1]; with t = 2 asin sqrt z it is
    z - (Delta/pi) (sin t - t cos t). Source: "MLPs at the EOC", before Proposition 12; the
    closed form is `derive_zeta`.

    >>> zeta(0, 1), zeta(1, "1/4"), zeta("1/2", 1)
    (0, 3/4, 1/2 - 1/pi)
    """
    z, delta = exact_in(z, "z", UNIT), exact_in(delta, "delta", UNIT)
    return z - delta * 2 / pi * (sqrt(z * (1 - z)) - (1 - 2 * z) * asin(sqrt(z)))


def zeta_prime(z: Any, delta: Any) -> Expr:
    """Derivative of zeta, 1 - Delta (4/pi) asin sqrt z = varrho'(1 - 2z), on [0, 1].

    >>> zeta_prime(0, 1), zeta_prime("1/2", "1/2"), zeta_prime(1, 1)
    (1, 1/2, -1)
    """
    z, delta = exact_in(z, "z", UNIT), exact_in(delta, "delta", UNIT)
    return 1 - delta * 4 / pi * asin(sqrt(z))


def omega(w: Any, delta: Any) -> Expr:
    """Inverse cosine distance map zeta(w^-2)^(-1/2) on (1, infinity).

    Source: "MLPs at the EOC", before Proposition 25.

    >>> omega(3, 0), omega(sqrt(2), 1)
    (3, 1/sqrt(1/2 - 1/pi))
    """
    w = exact_in(w, "w", BEYOND_ONE)
    return zeta(w**-2, delta) ** Rational(-1, 2)


def omega_prime(w: Any, delta: Any) -> Expr:
    """Derivative of omega, zeta'(w^-2) (omega(w) / w)^3, on (1, infinity).

    It tends to 1 at infinity. Source: "MLPs at the EOC", before Proposition 25 (the map itself);
    the formula is `derive_omega_prime`.

    >>> omega_prime(3, 0), omega_prime(sqrt(2), 1)
    (1, 0)
    """
    w = exact_in(w, "w", BEYOND_ONE)
    return zeta_prime(w**-2, delta) * (omega(w, delta) / w) ** 3


def cosine_map(rho: Expr, delta: Expr) -> Expr:
    """Formula of `varrho` for arguments that are known to be in range."""
    return (1 - delta) * rho + delta * 2 / pi * (sqrt(1 - rho**2) + rho * asin(rho))


def cosine_slope(rho: Expr, delta: Expr) -> Expr:
    """Formula of `varrho_prime` for arguments that are known to be in range."""
    return 1 - delta + delta * 2 / pi * asin(rho)


def _not_both_zero(a: Any, b: Any) -> tuple[Expr, Expr]:
    first, second = exact(a, "a"), exact(b, "b")
    square = first**2 + second**2
    if square.is_number and sign_of(square) == 0:
        raise ValueError(f"a and b must not both be zero, got a = {a}, b = {b}")
    return first, second
