"""Digits of closed forms, against the same formulas typed in balls: time and ratio, in one run.

The rival is the formula of the docstring in python-flint at 40 bits more than the digits ask for,
from reading the decimals to an mpmath number. It checks no argument, does not know whether all of
its digits are right, and loses them where the formula cancels. "Formula" is its share without
reading and without the number of mpmath. Times are the shortest of a few.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import flint
import mpmath
from flint import arb
from rich.console import Console
from rich.table import Table

from numeric.arithmetic import mpf_of
from numeric.attention_smoothness import curvature
from numeric.concentration import norm_tail
from numeric.cosine_maps import (
    kappa_phi,
    limiting_ntk_profile,
    omega,
    omega_prime,
    varrho,
    varrho_prime,
    varrho_second,
    zeta,
)
from numeric.dual_activations import dual_activation
from numeric.gaussian_norms import chi_tail
from numeric.gradient_dependence import bound_sharp

DIGITS = (50, 1000)
DEPTH = 10


def cosine_map(rho: arb, delta: arb) -> arb:
    return (1 - delta) * rho + delta * 2 / arb.pi() * ((1 - rho * rho).sqrt() + rho * rho.asin())


def cosine_slope(rho: arb, delta: arb) -> arb:
    return 1 - delta + delta * 2 / arb.pi() * rho.asin()


def distance_map(z: arb, delta: arb) -> arb:
    return (1 - cosine_map(1 - 2 * z, delta)) / 2


def inverse_distance_map(w: arb, delta: arb) -> arb:
    return distance_map(1 / (w * w), delta).rsqrt()


def inverse_distance_slope(w: arb, delta: arb) -> arb:
    rho = 1 - 2 / (w * w)
    arc, root = rho.asin(), (1 - rho * rho).sqrt()
    image = (1 - delta) * rho + delta * 2 / arb.pi() * (root + rho * arc)
    slope = 1 - delta + delta * 2 / arb.pi() * arc
    return slope * ((1 - image) / 2).rsqrt() ** 3 / w**3


def profile(rho: arb, delta: arb) -> arb:
    kernel = rho
    for _ in range(1, DEPTH):
        arc = rho.asin()
        slope = 1 - delta + 2 * delta / arb.pi() * arc
        rho = (1 - delta) * rho + 2 * delta / arb.pi() * ((1 - rho * rho).sqrt() + rho * arc)
        kernel = rho + slope * kernel
    return kernel


def hessian(u: arb) -> arb:
    square = u * u
    root = (1 + square + square * square).sqrt()
    total = 1 + 2 * square + root
    return 2 * (1 + square) / total * (1 + 2 * square * (square + root) / total).sqrt()


def tail(t: arb, width: arb, delta: arb) -> arb:
    return 2 * (-width * t * t / (2 + 4 * (delta * (1 - delta)).sqrt())).exp()


def relu(rho: arb) -> arb:
    return ((1 - rho * rho).sqrt() + rho * (arb.pi() - rho.acos())) / (2 * arb.pi())


def gelu(rho: arb) -> arb:
    square = 4 - rho * rho
    root = square.sqrt()
    return (rho * (arb.pi() / 2 + (rho / root).atan()) + 1 / root) / (2 * arb.pi())


CASES: dict[str, tuple[Callable[..., Any], Callable[..., arb], tuple[str, ...]]] = {
    "varrho": (varrho, cosine_map, ("0.3", "1")),
    "varrho_prime": (varrho_prime, cosine_slope, ("0.3", "0.5")),
    "varrho_second": (
        varrho_second,
        lambda rho, delta: 2 * delta / (arb.pi() * (1 - rho * rho).sqrt()),
        ("0.3", "0.5"),
    ),
    "zeta": (zeta, distance_map, ("0.2", "0.5")),
    "omega": (omega, inverse_distance_map, ("2.7", "0.5")),
    "omega_prime": (omega_prime, inverse_distance_slope, ("2.7", "0.5")),
    "kappa_phi": (kappa_phi, lambda a, b: (abs(a) + abs(b)) / (a * a + b * b).sqrt(), ("0.3", "0.7")),
    f"NTK profile, depth {DEPTH}": (
        lambda rho, delta, digits: limiting_ntk_profile(rho, DEPTH, delta, digits=digits),
        profile,
        ("0.3", "0.5"),
    ),
    "dual of the ReLU": (lambda rho, digits: dual_activation("relu", rho, digits=digits), relu, ("0.3",)),
    "dual of the GELU": (lambda rho, digits: dual_activation("gelu", rho, digits=digits), gelu, ("0.3",)),
    "bound_sharp": (
        bound_sharp,
        lambda rho, delta: 4 * delta / arb.pi() * (1 - rho * rho).sqrt(),
        ("0.3", "0.7"),
    ),
    "norm_tail": (norm_tail, tail, ("0.3", "128", "0.3")),
    "curvature": (curvature, hessian, ("1.3",)),
    "chi_tail": (chi_tail, lambda r, d: (r * r / 2).gamma_upper(d / 2, regularized=1), ("1.3", "3.3")),
}


def seconds(function: Callable[[], object]) -> float:
    """The shortest of five times, each the mean of as many calls as take about 5 ms."""
    start = time.perf_counter()
    function()
    calls = max(1, round(5e-3 / (time.perf_counter() - start)))
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - start) / calls)
    return min(times)


def check(name: str, digits: int) -> Callable[[], mpmath.mpf]:
    """The rival's function; ArithmeticError unless both values agree to these digits."""
    ours, formula, texts = CASES[name]
    bits = math.ceil(digits * math.log2(10))

    def rival() -> mpmath.mpf:
        with flint.ctx.workprec(bits + 40):
            return mpf_of(formula(*map(arb, texts)), bits)

    with mpmath.workdps(digits + 5):
        if not mpmath.almosteq(rival(), ours(*texts, digits=digits), mpmath.mpf(10) ** -digits):
            raise ArithmeticError(f"{name}: the two values differ")
    return rival


def row(name: str, digits: int) -> tuple[float, float, float]:
    """Seconds of this package, of the rival, and of its formula alone."""
    ours, formula, texts = CASES[name]
    rival = check(name, digits)
    with flint.ctx.workprec(math.ceil(digits * math.log2(10)) + 40):
        balls = [arb(text) for text in texts]
        alone = seconds(lambda: formula(*balls))
    return seconds(lambda: ours(*texts, digits=digits)), seconds(rival), alone


def run(console: Console) -> None:
    """Print times in microseconds and ratios."""
    caption = "microseconds; x: here over the column before"
    table = Table(title="Digits of closed forms", caption=caption)
    table.add_column("function")
    for column in ("digits", "here", "typed in balls", "x", "formula", "x"):
        table.add_column(column, justify="right")
    for name in CASES:
        for digits in DIGITS:
            ours, rival, alone = row(name, digits)
            cells = [f"{1e6 * ours:.0f}"]
            for other in (rival, alone):
                cells += [f"{1e6 * other:.0f}", f"{ours / other:.1f}"]
            table.add_row(name, str(digits), *cells)
    console.print(table)
