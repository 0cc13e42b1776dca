"""How far float64 values are from the truth, in units in the last place, region by region.

The truth is the textbook formula, as the paper's definition gives it, at 120 bits beyond what its
cancellations cost. Next to a sign change the unit is the last place of numbers just above 1/8
(for omega', which is that much larger, times (omega/w)^3).
"""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.cosine_maps import omega, omega_prime, varrho, varrho_prime, varrho_second, zeta, zeta_prime

Floats = NDArray[np.float64]
NEAR_SIGN_CHANGE = 2.0**-55
SEED = 20250714


# The textbook formulas, in mpmath or in NumPy


def _varrho(rho: Any, delta: Any, lib: Any) -> Any:
    angle = lib.sqrt(1 - rho * rho) + rho * lib.asin(rho)
    return (1 - delta) * rho + 2 * delta / lib.pi * angle


def _varrho_prime(rho: Any, delta: Any, lib: Any) -> Any:
    return 1 - delta + 2 * delta / lib.pi * lib.asin(rho)


def _zeta(z: Any, delta: Any, lib: Any) -> Any:
    return (1 - _varrho(1 - 2 * z, delta, lib)) / 2


def _omega(w: Any, delta: Any, lib: Any) -> Any:
    return 1 / lib.sqrt(_zeta(1 / (w * w), delta, lib))


TEXTBOOK: dict[Callable[..., Any], Callable[..., Any]] = {
    varrho: _varrho,
    varrho_prime: _varrho_prime,
    varrho_second: lambda rho, d, lib: 2 * d / lib.pi / lib.sqrt(1 - rho * rho),
    zeta: _zeta,
    zeta_prime: lambda z, d, lib: _varrho_prime(1 - 2 * z, d, lib),
    omega: _omega,
    omega_prime: lambda w, d, lib: _varrho_prime(1 - 2 / (w * w), d, lib) * (_omega(w, d, lib) / w) ** 3,
}


def truth(function: Callable[..., Any], x: float, delta: float) -> mpmath.mpf:
    """The value at x, with more digits than any float can tell apart."""
    point, weight = mpmath.mpf(x), mpmath.mpf(delta)
    sizes = [abs(int(mpmath.mag(part))) for part in (point, 1 - abs(point)) if part]
    with mpmath.workprec(120 + 3 * max(sizes)):
        return TEXTBOOK[function](point, weight, mpmath)


# Regions


def _near(centre: float, low: float = 0.0) -> Callable[..., Floats]:
    """Points at distances 1e-17 to 0.1 from a centre, on both sides, within [low, 1]."""

    def points(random: np.random.Generator, count: int) -> Floats:
        offsets = 10 ** random.uniform(-17, -1, count) * random.choice([-1, 1], count)
        clipped: Floats = np.clip(centre + offsets, low, 1)
        return clipped

    return points


def _uniform(low: float, high: float) -> Callable[..., Floats]:
    return lambda random, count: random.uniform(low, high, count)


def _powers(low: float, high: float, shift: float = 0.0, sign: int = 1) -> Callable[..., Floats]:
    """Points shift + sign 10^e with e uniform on [low, high]."""
    return lambda random, count: shift + sign * 10 ** random.uniform(low, high, count)


def _constant(value: float) -> Callable[..., Floats]:
    return lambda _, count: np.full(count, value)


def _jitter(random: np.random.Generator, count: int) -> Floats:
    return 1 + random.choice([-1, 1], count) * 10 ** random.uniform(-16, -1, count)


def _negative_cosines(random: np.random.Generator, count: int) -> Floats:
    return np.where(
        random.random(count) < 0.5, -random.uniform(0, 1, count), 10 ** random.uniform(-10, 0, count) - 1
    )


def _sign_change_of_varrho(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Pairs next to varrho = 0, which is D = -rho/h for varrho = rho + D h."""
    rho = _negative_cosines(random, count)
    rise = 2 / np.pi * (np.sqrt(1 - rho * rho) - rho * np.arccos(rho))
    return rho, np.clip(-rho / rise * _jitter(random, count), 0, 1)


def _sign_change_of_slope(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Pairs next to varrho' = 0, which is D = 1/(1 - (2/pi) arcsin rho)."""
    rho = _negative_cosines(random, count)
    delta = 1 / (1 - 2 / np.pi * np.arcsin(rho))
    return rho, np.clip(delta * _jitter(random, count), 0, 1)


def _slope_along_distance(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    rho, delta = _sign_change_of_slope(random, count)
    return (1 - rho) / 2, delta


def _slope_along_inverse(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    z, delta = _slope_along_distance(random, count)
    return np.maximum(1 / np.sqrt(z), 1 + 1e-15), delta


_ANY = _uniform(0, 1)
_MINIMA = {d: float(-np.sin(np.pi * (1 - d) / (2 * d))) for d in (0.5, 0.6, 1.0)}

# Function, region, and how to draw x and delta (or both at once).
REGIONS: list[tuple[Callable[..., Any], str, tuple[Callable[..., Any], ...]]] = [
    (varrho, "everywhere", (_uniform(-1, 1), _ANY)),
    (varrho, "delta = 1", (_uniform(-1, 1), _constant(1.0))),
    (varrho, "at 1", (_near(1, -1), _ANY)),
    (varrho, "at -1", (_near(-1, -1), _ANY)),
    (varrho, "at -1, delta = 1/2", (_near(-1, -1), _constant(0.5))),
    (varrho, "at 1/2", (_near(0.5), _ANY)),
    (varrho, "at -1/2", (_near(-0.5, -1), _ANY)),
    (varrho, "at 0", (_near(0, -1), _ANY)),
    (varrho, "sign change", (_sign_change_of_varrho,)),
    (varrho_prime, "everywhere", (_uniform(-1, 1), _ANY)),
    (varrho_prime, "at 1", (_near(1, -1), _ANY)),
    (varrho_prime, "at -1", (_near(-1, -1), _ANY)),
    (varrho_prime, "sign change", (_sign_change_of_slope,)),
    *(
        (varrho_prime, f"sign change, delta = {d}", (_near(rho, -1), _constant(d)))
        for d, rho in _MINIMA.items()
    ),
    (varrho_second, "everywhere", (_uniform(-1, 1), _ANY)),
    (varrho_second, "at 1", (_powers(-15, 0, 1.0, -1), _ANY)),
    (varrho_second, "at -1", (_powers(-15, 0, -1.0), _ANY)),
    (zeta, "everywhere", (_uniform(0, 1), _ANY)),
    (zeta, "delta = 1", (_uniform(0, 1), _constant(1.0))),
    (zeta, "at 0, to 1e-300", (_powers(-300, 0), _ANY)),
    (zeta, "subnormal", (_powers(-323, -300), _ANY)),
    (zeta, "at 1/4", (_near(0.25), _ANY)),
    (zeta, "at 1/2", (_near(0.5), _ANY)),
    (zeta, "at 3/4, delta at 1", (_near(0.75), _near(1))),
    (zeta, "at 1, delta at 1", (_near(1), _near(1))),
    (zeta, "at 1, delta = 1", (_near(1), _constant(1.0))),
    (zeta_prime, "everywhere", (_uniform(0, 1), _ANY)),
    (zeta_prime, "at 0, to 1e-300", (_powers(-300, 0), _ANY)),
    (zeta_prime, "sign change", (_slope_along_distance,)),
    (omega, "1 to 4", (_uniform(1.001, 4), _ANY)),
    (omega, "1 to 4, delta = 1", (_uniform(1.001, 4), _constant(1.0))),
    (omega, "at 1", (_powers(-15, 0, 1.0), _ANY)),
    (omega, "at 1, delta = 1", (_powers(-15, 0, 1.0), _constant(1.0))),
    (omega, "2 to 1e150", (_powers(0.3, 150), _ANY)),
    (omega_prime, "1 to 4", (_uniform(1.001, 4), _ANY)),
    (omega_prime, "at 1, delta = 1", (_powers(-15, 0, 1.0), _constant(1.0))),
    (omega_prime, "2 to 1e150", (_powers(0.3, 150), _ANY)),
    (omega_prime, "sign change", (_slope_along_inverse,)),
]
_ABSOLUTE = (varrho, varrho_prime, zeta_prime, omega_prime)


# Measurement


def unit_in_last_place(function: Callable[..., Any], x: float, delta: float, value: mpmath.mpf) -> float:
    """The last place of a value, or next to a sign change the one that is promised."""
    unit = float(np.spacing(abs(float(value))))
    if function not in _ABSOLUTE:
        return unit
    scale = float(omega(x, delta) / x) ** 3 if function is omega_prime else 1.0
    return max(unit, scale * NEAR_SIGN_CHANGE)


def draw_points(draw: tuple[Callable[..., Any], ...], count: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(SEED)
    drawn = [sample(random, count) for sample in draw]
    x, delta = drawn[0] if len(drawn) == 1 else drawn
    return x, delta


def worst_error(
    function: Callable[..., Any], values: Floats, x: Floats, delta: Floats
) -> tuple[float, tuple[float, float]]:
    """The largest error of float values, in units in the last place, and where it is."""
    worst, where = 0.0, (float("nan"), float("nan"))
    for point, weight, value in zip(x, delta, values, strict=True):
        exact = truth(function, point, weight)
        if not np.isfinite(value):
            return float("inf"), (float(point), float(weight))
        error = float(abs(exact - mpmath.mpf(value)))
        error /= unit_in_last_place(function, point, weight, exact)
        if error > worst:
            worst, where = error, (float(point), float(weight))
    return worst, where


def run(console: Console, count: int = 2000) -> None:
    """Print the table; the textbook formula in NumPy stands beside this package."""
    table = Table(title="Largest error in float64, in units in the last place, against 50 digits")
    for column in ("function", "region", "here", "textbook", "worst at", "points"):
        table.add_column(column)
    for function, region, draw in REGIONS:
        x, delta = draw_points(draw, count)
        with np.errstate(all="ignore"):
            plain = TEXTBOOK[function](x, delta, np)
        worst, place = worst_error(function, function(x, delta), x, delta)
        textbook, _ = worst_error(function, plain, x, delta)
        where = ", ".join(f"{part:.17g}" for part in place)
        errors = f"{worst:.2f}", f"{textbook:.3g}"
        table.add_row(function.__name__, region, *errors, where, str(count))
    console.print(table)
