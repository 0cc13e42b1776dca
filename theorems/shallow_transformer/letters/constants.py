"""The constants of Theorem 1 as printed, each a function of the letters of its formula.

B stands for B_{U,m}(delta'). Source: (9), Lemmas 2, 3, 5 and 6, (35), (38).
"""

from typing import Any

from sympy import log, sqrt


def _theta_radius(rho_u: Any, rho_w: Any) -> Any:
    return sqrt(rho_u**2 + rho_w**2)


def radius(m: Any, d: Any, delta_prime: Any, rho_u: Any) -> Any:
    """The bound (9)."""
    return sqrt(d) + sqrt(2 * log(m / (2 * delta_prime))) + rho_u / sqrt(m)


def lipschitz(sigma_1: Any, B: Any) -> Any:
    """The Lipschitz constant of Lemma 2."""
    return sigma_1 * sqrt(1 + B**2)


def smoothness(sigma_1: Any, sigma_2: Any, B: Any) -> Any:
    """The smoothness constant of Lemma 2."""
    return sigma_2 * (1 + B**2) + 8 * sigma_1 * sqrt(1 + B**2)


def linearisation(m: Any, sigma_1: Any, sigma_2: Any, rho_c: Any, rho_u: Any, rho_w: Any, B: Any) -> Any:
    """The bound of Lemma 3."""
    theta_radius, curved = _theta_radius(rho_u, rho_w), smoothness(sigma_1, sigma_2, B)
    return (lipschitz(sigma_1, B) * rho_c * theta_radius + curved * theta_radius**2) / sqrt(m)


def approximation(
    m: Any, n: Any, delta: Any, sigma_0: Any, sigma_1: Any, nu_c: Any, nu_u: Any, nu_w: Any
) -> Any:
    """The bound of Lemma 5."""
    deviation = sqrt(log(2 * n / delta) / m)
    return 4 * (sigma_0 * nu_c + sigma_1 * nu_u + sigma_1 * nu_w) * deviation


def output(sigma_0: Any, sigma_1: Any, rho_c: Any, rho_u: Any, rho_w: Any, B: Any) -> Any:
    """The first bound of Lemma 6."""
    return lipschitz(sigma_1, B) * _theta_radius(rho_u, rho_w) + sigma_0 * rho_c


def target(d: Any, sigma_0: Any, sigma_1: Any, nu_c: Any, nu_u: Any, nu_w: Any) -> Any:
    """The second bound of Lemma 6."""
    return sigma_0 * nu_c + sigma_1 * nu_u + sigma_1 * sqrt(d) * nu_w


def feature_change(
    m: Any,
    sigma_1: Any,
    sigma_2: Any,
    nu_c: Any,
    nu_u: Any,
    nu_w: Any,
    rho_c: Any,
    rho_u: Any,
    rho_w: Any,
    B: Any,
) -> Any:
    """The bound (35)."""
    slope = lipschitz(sigma_1, B)
    lengths = sqrt(nu_c**2 + nu_u**2 + nu_w**2) + sqrt(rho_c**2 + rho_u**2 + rho_w**2)
    change = (slope + smoothness(sigma_1, sigma_2, B)) * _theta_radius(rho_u, rho_w) + rho_c * slope
    return change * lengths / sqrt(m)


def gradient(m: Any, sigma_0: Any, sigma_1: Any, rho_c: Any, B: Any) -> Any:
    """The bound (38)."""
    return sigma_0 + (1 + rho_c / sqrt(m)) * lipschitz(sigma_1, B)


#: By the names of `DescentConstants` in the numeric package.
PRINTED = {
    one.__name__: one
    for one in (
        *(radius, lipschitz, smoothness, linearisation, approximation),
        *(feature_change, output, target, gradient),
    )
}
