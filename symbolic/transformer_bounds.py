r"""The constants in the convergence theorem for shallow transformers, as formulas.

Source: "Finite-Time Analysis of Gradient Descent for Shallow Transformers", (9), Lemmas 2, 3, 5
and 6, (35), (38), (39), (42), (43); the sharpened ones are those of the claims named in
`sharp_formulas`. Symbols print as in the paper; B stands for B_{U,m}(delta').
"""

import sympy
from sympy import Expr, Function, Max, Piecewise, Symbol, log, pi, sqrt, symbols

__all__ = [
    "average_loss_formula",
    "loss_formula",
    "printed_formulas",
    "sharp_formulas",
    "sharp_loss_formula",
]

m, d, n, tau = symbols("m d n tau", positive=True, integer=True)
delta, delta_prime = Symbol("delta", positive=True), Symbol("delta'", positive=True)
sigma_0, sigma_1, sigma_2 = symbols("sigma_0 sigma_1 sigma_2", positive=True)
nu_c, nu_u, nu_w = symbols("nu_c nu_u nu_w", positive=True)
rho_c, rho_u, rho_w = symbols("rho_c rho_u rho_w", positive=True)
radius, proxy = Symbol("B", positive=True), Symbol("K", positive=True)
curvature, deviation = Function("g"), Function("k")

_TURN = sqrt(rho_u**2 + rho_w**2)
_DEVIATION = sqrt(log(2 * n / delta) / m)


def printed_formulas() -> dict[str, Expr]:
    """The printed constants, by the names of `DescentConstants` in the numeric package.

    All but ``radius`` itself are formulas in B.

    >>> printed_formulas()["lipschitz"]
    sigma_1*sqrt(B**2 + 1)
    """
    lipschitz = sigma_1 * sqrt(1 + radius**2)
    smoothness = sigma_2 * (1 + radius**2) + 8 * sigma_1 * sqrt(1 + radius**2)
    lengths = sqrt(nu_c**2 + nu_u**2 + nu_w**2) + sqrt(rho_c**2 + rho_u**2 + rho_w**2)
    change = (lipschitz + smoothness) * _TURN + rho_c * lipschitz
    return {
        "radius": sqrt(d) + sqrt(2 * log(m / (2 * delta_prime))) + rho_u / sqrt(m),
        "lipschitz": lipschitz,
        "smoothness": smoothness,
        "linearisation": (lipschitz * rho_c * _TURN + smoothness * _TURN**2) / sqrt(m),
        "approximation": 4 * (sigma_0 * nu_c + sigma_1 * nu_u + sigma_1 * nu_w) * _DEVIATION,
        "feature_change": change * lengths / sqrt(m),
        "output": lipschitz * _TURN + sigma_0 * rho_c,
        "target": sigma_0 * nu_c + sigma_1 * nu_u + sigma_1 * sqrt(d) * nu_w,
        "gradient": sigma_0 + (1 + rho_c / sqrt(m)) * lipschitz,
    }


def sharp_formulas() -> dict[str, Expr]:
    """The sharpened constants in B, the best curvature g(B) and the best proxy K.

    k(a, b) is the maximum of (1 - x^2)(a + 2bx) over x in [0, 1].

    Sources: claims st.lem2.lipschitz.sharp, st.lem2.smooth.sharp, st.lem3.sharp, st.lem5.sharp,
    st.lem6.f.sharp, st.lem6.y.sharp, st.eq35.sharp, st.eq38.sharp.

    >>> sharp_formulas()["gradient"].subs(sigma_0, 0).subs(rho_c, 0)
    sigma_1*Max(1, B)
    """
    lipschitz = sigma_1 * Max(1, radius)
    smoothness = sigma_2 * Max(1, radius) ** 2 + sigma_1 * curvature(radius)
    step = _largest(rho_u, rho_w * radius)
    far = (nu_u + rho_u, nu_w + rho_w)
    reach = _largest(far[0], far[1] * radius)
    mixed = rho_u * far[1] + rho_w * far[0] + radius * rho_w * far[1] * _third()
    change = sigma_2 * step * reach + sigma_1 * (mixed + rho_c * reach + step * (rho_c + nu_c))
    curved = deviation(2 * rho_u * rho_w, radius * rho_w**2)
    linearisation = rho_c * sigma_1 * step + (sigma_2 * step**2 + sigma_1 * curved) / 2
    bounds = sigma_0 * nu_c + sigma_1 * nu_u + sqrt(proxy) * sigma_1 * nu_w
    return {
        "lipschitz": lipschitz,
        "smoothness": smoothness,
        "linearisation": linearisation / sqrt(m),
        "approximation": 2 * bounds * _DEVIATION,
        "feature_change": change / sqrt(m),
        "output": sigma_1 * step + sigma_0 * rho_c,
        "target": sigma_0 * nu_c + sigma_1 * _largest(nu_u, sqrt(2 / pi) * nu_w),
        "gradient": sqrt(sigma_0**2 + (1 + rho_c / sqrt(m)) ** 2 * lipschitz**2),
    }


def _largest(first: Expr, second: Expr) -> Expr:
    """The maximum of first x + (1 - x^2) second over x in [0, 1], by its stationary point."""
    x = Symbol("x", real=True)
    value = first * x + (1 - x**2) * second
    (vertex,) = sympy.solve(sympy.diff(value, x), x)
    return Piecewise((value.subs(x, 1), vertex >= 1), (value.subs(x, vertex), True))


def _third() -> Expr:
    """The largest third central moment 2x(1 - x^2) of two points with mean x in [0, 1]."""
    x = Symbol("x", positive=True)
    moment = 2 * x * (1 - x**2)
    (mean,) = sympy.solve(sympy.diff(moment, x), x)
    return moment.subs(x, mean)


f_max, y_max, error, gradient, B_lin = symbols("f_max y_max E A B_lin", positive=True)
eta = Symbol("eta", positive=True)
_START = nu_c**2 + nu_u**2 + nu_w**2


def loss_formula() -> Expr:
    """The right side of (42), with E = B_app + B_lin + B_CoF.

    >>> loss_formula().coeff(Symbol("E", positive=True))
    f_max + y_max
    """
    descent = _START + 4 * (f_max + y_max) ** 2 * gradient**2
    return descent / (4 * sqrt(tau)) + (f_max + y_max) * error


def average_loss_formula() -> Expr:
    """(41) inserted in (43).

    >>> average_loss_formula().coeff(Symbol("B_lin", positive=True)**2)
    6
    """
    return 4 * loss_formula() + 6 * B_lin**2


def sharp_loss_formula() -> Expr:
    """The square of the larger root x of 4 eta (1 - eta A^2) x^2 - 4 eta E x = |nu|^2/tau.

    ``eta`` is the step size, below A^(-2).
    Source: claim st.thm1.sharp.every_step.

    >>> bound = sharp_loss_formula()
    >>> sympy.limit(bound.subs({eta: sympy.Rational(1, 4), gradient: 1}), tau, sympy.oo)
    16*E**2/9
    """
    x = Symbol("x", real=True)
    quadratic = 4 * eta * (1 - eta * gradient**2) * x**2 - 4 * eta * error * x - _START / tau
    return max(sympy.solve(quadratic, x), key=_for_short_steps) ** 2


def _for_short_steps(root: Expr) -> float:
    point = dict.fromkeys(root.free_symbols, 1) | {eta: sympy.Rational(1, 2)}
    return float(root.subs(point))
