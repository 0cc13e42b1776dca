"""The constants in the convergence theorem for shallow transformers, as printed and sharpened.

A `Regime` fixes the sizes and the bounds of the problem; `printed_constants` and
`sharp_constants` evaluate every constant that the proof of Theorem 1 uses. With r the length of
(rho_u, rho_w) and S = sigma_0 nu_c + sigma_1 nu_u + sigma_1 nu_w:

                       printed                                       sharp
    radius B           sqrt d + sqrt(2 log(m/(2 delta'))) + rho_u/sqrt m    exact quantile instead
    Lipschitz L_1      sigma_1 sqrt(1 + B^2)                         sigma_1 max(1, B)
    smooth L_2         sigma_2 (1 + B^2) + 8 sigma_1 sqrt(1 + B^2)   sigma_2 B^2 + sigma_1 g(B)
    linearisation      (L_1 rho_c r + L_2 r^2)/sqrt m                block by block
    feature change     (L_2 + L_1) r + rho_c L_1, times lengths      block by block
    approximation      4 S sqrt(log(2n/delta)/m)                     2 S' sqrt(log(2n/delta)/m)
    output f_max       L_1 r + sigma_0 rho_c                         sigma_1 l + sigma_0 rho_c
    target y_max       sigma_0 nu_c + sigma_1 (nu_u + sqrt(d) nu_w)  sigma_0 nu_c + sigma_1 l'
    gradient A         sigma_0 + (1 + rho_c/sqrt m) L_1              root of the sum of squares

where g, l and the bound of linearisation are `curvature`, `largest_displacement` and
`linearisation_constant` of `numeric.attention_smoothness`, l at (rho_u, B rho_w) and l' at
(nu_u, sqrt(2/pi) nu_w), and S' has sqrt(K*) nu_w for nu_w. Losses are means of squares of
residuals; time is counted in steps.
Source: "Finite-Time Analysis of Gradient Descent for Shallow Transformers", Lemmas 2, 3, 5 and 6,
Theorem 1; proofs of the sharp column: proofs_notes/st_descent.md and the notes that it names.
"""

import math
from dataclasses import dataclass
from typing import Any

from numeric.arguments import closed, integer, left_open, open_interval, real_number, sequence, shown
from numeric.attention_smoothness import (
    largest_displacement,
    linearisation_constant,
    smoothness_constant,
    steepness,
)
from numeric.gaussian_norms import exact_radius, printed_radius
from numeric.subgaussian_proxy import worst_proxy

__all__ = [
    "DescentConstants",
    "Regime",
    "average_loss_bound",
    "loss_bound",
    "printed_constants",
    "sharp_average_loss_bound",
    "sharp_constants",
    "sharp_loss_bound",
    "sharp_step_size",
]

Triple = tuple[float, float, float]

#: So that products of a few of them are floats.
_LARGEST, _LARGEST_COUNT = 1e60, 10**60
_POSITIVE = left_open(0, _LARGEST)
_OPEN_UNIT = open_interval(0, 1)
#: The largest third central moment of a variable on [-1, 1], and E|g| of a standard normal g.
_THIRD, _HALF_NORMAL = 4 / (3 * math.sqrt(3)), math.sqrt(2 / math.pi)


@dataclass(frozen=True)
class Regime:
    """Sizes and bounds of the problem, as in Theorem 1.

    - ``m`` heads (even), ``d`` the dimension of tokens, ``n`` samples; the length of sequences
      enters no constant. They are at most 10^60, as are the bounds.
    - ``activation``: (sigma_0, sigma_1, sigma_2), bounds of |sigma|, |sigma'| and |sigma''|.
    - ``nu``: (nu_c, nu_u, nu_w), bounds of the transportation mapping; ``rho``: the radii of the
      projection, at least nu in each component.
    - ``delta``, ``delta_prime`` in (0, 1): the probabilities given away in Lemma 5 and
      Definition 1.

    Raises TypeError or ValueError for an argument outside its domain, naming it.

    >>> nu = rho = (3, 3, 3)
    >>> Regime(m=256, d=8, n=5000, activation=(1, 1, 0.77), nu=nu, rho=rho).theta_radius
    4.242640687119285
    """

    m: int
    d: int
    n: int
    activation: Triple
    nu: Triple
    rho: Triple
    delta: float = 0.01
    delta_prime: float = 0.01

    def __post_init__(self) -> None:
        heads = integer("m", self.m, 2, _LARGEST_COUNT)
        if heads % 2:
            raise ValueError(f"m must be an even integer, got {self.m}")
        for name in ("d", "n"):
            integer(name, getattr(self, name), 1, _LARGEST_COUNT)
        for name in ("activation", "nu", "rho"):
            object.__setattr__(self, name, _triple(name, getattr(self, name)))
        for name in ("delta", "delta_prime"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), _OPEN_UNIT))
        if any(radius < size for radius, size in zip(self.rho, self.nu, strict=True)):
            raise ValueError(f"rho must be at least nu = {self.nu} in each component: {self.rho}")

    @property
    def theta_radius(self) -> float:
        """r = |(rho_u, rho_w)|, the radius of the parameters of a head, times sqrt(m)."""
        return math.hypot(*self.rho[1:])


def _regime(value: Any) -> Regime:
    if not isinstance(value, Regime):
        raise TypeError(f"regime must be a Regime, got {shown(value)}")
    return value


def _triple(name: str, value: Any) -> Triple:
    entries = sequence(name, value, "three positive numbers")
    if len(entries) != 3:
        raise ValueError(f"{name} must be three positive numbers, got {value!r}")
    first, second, third = (real_number(name, entry, _POSITIVE) for entry in entries)
    return first, second, third


@dataclass(frozen=True)
class DescentConstants:
    """Every constant of the proof of Theorem 1, for one regime.

    ``radius`` B_U, ``lipschitz`` L_1, ``smoothness`` L_2; ``linearisation`` B_lin,
    ``approximation`` B_app, ``feature_change`` B_CoF; ``output`` f_max, ``target`` y_max and
    ``gradient`` A, a bound of |grad f|.
    """

    regime: Regime
    radius: float
    lipschitz: float
    smoothness: float
    linearisation: float
    approximation: float
    feature_change: float
    output: float
    target: float
    gradient: float

    @property
    def error(self) -> float:
        """B_app + B_lin + B_CoF."""
        return self.approximation + self.linearisation + self.feature_change

    @property
    def residual(self) -> float:
        """f_max + y_max, a bound of |f - f*|."""
        return self.output + self.target

    @property
    def loss_gradient(self) -> float:
        """B_grad = 4 (f_max + y_max)^2 A^2, a bound of |grad L|^2 (equation (39))."""
        return (2 * self.residual * self.gradient) ** 2


def _constants(value: Any) -> DescentConstants:
    if not isinstance(value, DescentConstants):
        raise TypeError(f"constants must be DescentConstants, got {shown(value)}")
    return value


def printed_constants(regime: Regime, largest: float | None = None) -> DescentConstants:
    """The constants as printed: Lemmas 2, 3, 5, 6, equations (9), (35), (38).

    ``largest``: the largest |U_i| at initialisation, for its bound in Definition 1.

    >>> regime = Regime(256, 8, 5000, (1, 1, 0.77), (3, 3, 3), (3, 3, 3))
    >>> constants = printed_constants(regime)
    >>> round(constants.lipschitz, 3), round(constants.smoothness, 1)
    (7.433, 102.0)
    """
    (zero, one, two), nu, rho = _regime(regime).activation, regime.nu, regime.rho
    root, r = math.sqrt(regime.m), regime.theta_radius
    start = printed_radius(regime.d, regime.m, regime.delta_prime)
    radius = _initial(start, largest) + rho[1] / root
    lipschitz = one * math.hypot(1, radius)
    smoothness = two * (1 + radius**2) + 8 * lipschitz
    feature_change = (lipschitz + smoothness) * r + rho[0] * lipschitz
    bounds = zero * nu[0] + one * nu[1] + one * nu[2]
    return DescentConstants(
        regime,
        radius=radius,
        lipschitz=lipschitz,
        smoothness=smoothness,
        linearisation=(lipschitz * rho[0] * r + smoothness * r**2) / root,
        approximation=4 * bounds * _deviation(regime),
        feature_change=feature_change * (math.hypot(*nu) + math.hypot(*rho)) / root,
        output=lipschitz * r + zero * rho[0],
        target=zero * nu[0] + one * nu[1] + one * math.sqrt(regime.d) * nu[2],
        gradient=zero + (1 + rho[0] / root) * lipschitz,
    )


def sharp_constants(regime: Regime, largest: float | None = None) -> DescentConstants:
    """The sharpened constants: never larger than the printed ones.

    ``largest``: the largest |U_i| at initialisation, for the quantile of its exact law.

    Sources: claims st.lem2.lipschitz.sharp, st.lem2.smooth.sharp, st.def1.sharp, st.lem3.sharp,
    st.lem5.sharp, st.lem6.y.sharp, st.eq35.sharp, st.eq38.sharp.

    >>> regime = Regime(256, 8, 5000, (1, 1, 0.77), (3, 3, 3), (3, 3, 3))
    >>> constants = sharp_constants(regime)
    >>> constants.smoothness < 0.4 * printed_constants(regime).smoothness
    True
    """
    (zero, one, two), nu, rho = _regime(regime).activation, regime.nu, regime.rho
    root = math.sqrt(regime.m)
    start = exact_radius(regime.d, regime.m, regime.delta_prime)
    radius = _initial(start, largest) + rho[1] / root
    lipschitz = one * steepness(radius)
    step = largest_displacement(rho[1], rho[2] * radius)
    far = (rho[1] + nu[1], rho[2] + nu[2])
    reach = largest_displacement(far[0], far[1] * radius)
    mixed = rho[1] * far[1] + rho[2] * far[0] + _THIRD * radius * rho[2] * far[1]
    feature_change = two * step * reach + one * mixed + one * rho[0] * reach + one * step * (rho[0] + nu[0])
    bounds = zero * nu[0] + one * nu[1] + one * math.sqrt(worst_proxy().proxy) * nu[2]
    return DescentConstants(
        regime,
        radius=radius,
        lipschitz=lipschitz,
        smoothness=smoothness_constant(radius, one, two),
        linearisation=linearisation_constant(*rho, radius, one, two) / root,
        approximation=2 * bounds * _deviation(regime),
        feature_change=feature_change / root,
        output=one * step + zero * rho[0],
        target=zero * nu[0] + one * largest_displacement(nu[1], _HALF_NORMAL * nu[2]),
        gradient=math.hypot(zero, (1 + rho[0] / root) * lipschitz),
    )


def _initial(bound: float, largest: float | None) -> float:
    return bound if largest is None else real_number("largest", largest, closed(0, _LARGEST))


def _deviation(regime: Regime) -> float:
    return math.sqrt(math.log(2 * regime.n / regime.delta) / regime.m)


def loss_bound(constants: DescentConstants, steps: int) -> float:
    """Bound of min_{s < tau} L(phi^(s)) for step size tau^(-1/2), equation (42).

    (|nu|^2 + B_grad)/(4 sqrt tau) + (f_max + y_max)(B_app + B_lin + B_CoF); it also bounds the
    mean of the losses. ``steps`` tau in [1, 10^60]. Source: Theorem 1, (41) and (42).

    >>> regime = Regime(256, 8, 5000, (1, 1, 0.77), (3, 3, 3), (3, 3, 3))
    >>> loss_bound(printed_constants(regime), 4000) > 1e4
    True
    """
    tau = integer("steps", steps, 1, _LARGEST_COUNT)
    start = math.hypot(*_constants(constants).regime.nu) ** 2
    descent = (start + constants.loss_gradient) / (4 * math.sqrt(tau))
    return descent + constants.residual * constants.error


def average_loss_bound(constants: DescentConstants, steps: int) -> float:
    """Bound of the loss at the average iterate: 4 times (42) plus 6 B_lin^2, (41) and (43).

    >>> regime = Regime(2, 1, 1, (1, 1, 1), (1, 1, 1), (1, 1, 1))
    >>> average_loss_bound(printed_constants(regime), 1) > 4 * loss_bound(
    ...     printed_constants(regime), 1)
    True
    """
    return 4 * loss_bound(constants, steps) + 6 * _constants(constants).linearisation ** 2


def sharp_step_size(constants: DescentConstants) -> float:
    """The step size 1/(4 A^2), the default of `sharp_loss_bound`.

    >>> regime = Regime(2, 1, 1, (1, 1, 1), (1, 1, 1), (1, 1, 1))
    >>> 0 < sharp_step_size(sharp_constants(regime)) < 0.25
    True
    """
    return 1 / (2 * _constants(constants).gradient) ** 2


def sharp_loss_bound(constants: DescentConstants, steps: int, step_size: float | None = None) -> float:
    """Bound of the mean of the losses, of order 1/tau + 1/m.

    It is x^2 with

        x = (E + sqrt(E^2 + (1 - eta A^2) |nu|^2/(eta tau)))/(2 (1 - eta A^2)),

    E = B_app + B_lin + B_CoF. ``steps`` tau in [1, 10^60]; ``step_size`` eta in (0, 1/A^2), by
    default 1/(4 A^2), where x^2 <= (16/9) E^2 + (8/3) A^2 |nu|^2/tau.
    Source: claims st.thm1.sharp and st.thm1.sharp.every_step, which sharpen Theorem 1.

    >>> regime = Regime(2, 1, 1, (1, 1, 1), (1, 1, 1), (1, 1, 1))
    >>> constants = sharp_constants(regime)
    >>> round(sharp_loss_bound(constants, 10**12) / constants.error**2, 6)
    1.777778
    """
    tau = integer("steps", steps, 1, _LARGEST_COUNT)
    largest = _constants(constants).gradient ** -2
    eta = sharp_step_size(constants)
    if step_size is not None:
        eta = real_number("step_size", step_size, open_interval(0, largest))
    start = math.hypot(*constants.regime.nu) ** 2
    room = 1 - eta / largest
    root = math.hypot(constants.error, math.sqrt(room * start / (eta * tau)))
    return ((constants.error + root) / (2 * room)) ** 2


def sharp_average_loss_bound(constants: DescentConstants, steps: int) -> float:
    """Bound (sqrt(mean of losses) + 2 B_lin)^2 of the loss at the average iterate.

    It beats `average_loss_bound` where E is small, hence for wide networks.
    Source: claims st.thm1.sharp and st.eq43.sharp.

    >>> constants = sharp_constants(Regime(10**8, 8, 5000, (1, 1, 0.77), (3, 3, 3), (3, 3, 3)))
    >>> sharp_average_loss_bound(constants, 10**6) < 0.01 * average_loss_bound(constants, 10**6)
    True
    """
    mean = sharp_loss_bound(constants, steps)
    return (math.sqrt(mean) + 2 * constants.linearisation) ** 2
