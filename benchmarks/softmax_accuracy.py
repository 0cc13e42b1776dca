"""How far softmax and its Jacobian in float64 are from the truth, in units in the last place.

The truth is the definition with mpmath, with more bits than its cancellations cost. Beside it
stands the textbook formula in NumPy: exp(z - max z), diag(p) - p p^T, LAPACK's eigenvalues.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.softmax_jacobian import (
    complements,
    infinity_to_one_norm,
    jacobian_eigenvalues,
    jacobian_frobenius_norm,
    jacobian_spectral_norm,
    jacobian_trace,
    softmax,
    variance,
)

Floats = NDArray[np.float64]
SEED = 20250714
LEAST = 1e-290  # smaller values lose digits as floats


def regions(size: int, random: np.random.Generator) -> dict[str, Callable[[], Floats]]:
    """How to draw logits of so many tokens."""
    return {
        "spread 1": lambda: random.standard_normal(size),
        "spread 200": lambda: 200 * random.standard_normal(size),
        "equal but for 1e-12": lambda: 1e-12 * random.standard_normal(size),
        "one far above": lambda: np.append(random.uniform(20, 600), random.standard_normal(size)),
        "plus and minus 1e4": lambda: random.choice([1e4, -1e4], size) + random.uniform(0, 1, size),
    }


# The textbook in NumPy


def _weights(z: Floats) -> Floats:
    odds = np.exp(z - z.max())
    return np.asarray(odds / odds.sum())


def _matrix(z: Floats) -> Floats:
    p = _weights(z)
    return np.asarray(np.diag(p) - np.outer(p, p))


def _masses(p: Any) -> Any:
    """The masses of all subsets but one."""
    return (sum(chosen) for k in range(len(p)) for chosen in combinations(p, k))


def _largest(p: Any) -> Any:
    return max(4 * mass * (1 - mass) for mass in _masses(list(p)))


def _vector(z: Floats) -> Floats:
    """Entries that have a common part, as tokens do."""
    return np.asarray(1e3 + np.cos(np.arange(len(z))))


def _eigenvalues(z: Floats) -> Floats:
    return np.linalg.eigvalsh(_matrix(z))[::-1]


def _form(z: Floats) -> Any:
    return _vector(z) @ _matrix(z) @ _vector(z)


# The definition in mpmath


def _exact_weights(z: Floats) -> list[mpmath.mpf]:
    exact = [mpmath.mpf(float(x)) for x in z]
    odds = [mpmath.exp(x - max(exact)) for x in exact]
    return [x / sum(odds) for x in odds]


def _exact_matrix(z: Floats) -> mpmath.matrix:
    p = mpmath.matrix(_exact_weights(z))
    return mpmath.diag(list(p)) - p * p.T


def _exact_eigenvalues(z: Floats) -> list[mpmath.mpf]:
    return sorted(mpmath.eigsy(_exact_matrix(z), eigvals_only=True), reverse=True)


def _exact_variance(z: Floats) -> mpmath.mpf:
    p, u = _exact_weights(z), [mpmath.mpf(float(x)) for x in _vector(z)]
    mean = sum(x * y for x, y in zip(p, u, strict=True))
    return sum(x * (y - mean) ** 2 for x, y in zip(p, u, strict=True))


@dataclass(frozen=True)
class Row:
    """A function here, in the textbook and by definition."""

    name: str
    here: Callable[[Floats], Any]
    textbook: Callable[[Floats], Any]
    truth: Callable[[Floats], Any]


ROWS = (
    Row("softmax", softmax, _weights, _exact_weights),
    Row("1 - p", complements, lambda z: 1 - _weights(z), lambda z: [1 - x for x in _exact_weights(z)]),
    Row(
        "trace",
        jacobian_trace,
        lambda z: np.trace(_matrix(z)),
        lambda z: sum(x * (1 - x) for x in _exact_weights(z)),
    ),
    Row(
        "Frobenius norm",
        jacobian_frobenius_norm,
        lambda z: np.linalg.norm(_matrix(z)),
        lambda z: mpmath.mnorm(_exact_matrix(z), "f"),
    ),
    Row(
        "spectral norm",
        jacobian_spectral_norm,
        lambda z: _eigenvalues(z)[0],
        lambda z: _exact_eigenvalues(z)[0],
    ),
    Row(
        "eigenvalues",
        lambda z: jacobian_eigenvalues(z)[:-1],
        lambda z: _eigenvalues(z)[:-1],
        lambda z: _exact_eigenvalues(z)[:-1],
    ),
    Row(
        "norm from l_inf to l_1",
        infinity_to_one_norm,
        lambda z: _largest(_weights(z)),
        lambda z: _largest(_exact_weights(z)),
    ),
    Row("variance", lambda z: variance(z, _vector(z)), _form, _exact_variance),
)


def errors(found: Any, exact: Any) -> Iterator[float]:
    """Errors in units in the last place of the truth, where that is no tiny number."""
    values = exact if isinstance(exact, list) else [exact]
    for x, y in zip(np.atleast_1d(found), values, strict=True):
        if y > LEAST:
            yield float(abs(mpmath.mpf(float(x)) - y) / np.spacing(float(y)))


def run(console: Console, count: int = 40, size: int = 6) -> None:
    """Print the table."""
    title = f"Softmax of {size} tokens: largest error in float64, in units in the last place"
    table = Table(title=title)
    for column in ("function", "region", "here", "textbook", "draws"):
        table.add_column(column)
    for row in ROWS:
        random = np.random.default_rng(SEED)
        for region, draw in regions(size, random).items():
            worst, plain = 0.0, 0.0
            for _ in range(count):
                z = draw()
                # 1 - p and what is left of it cost as many bits as the logits differ by, or twice.
                gap = float(np.minimum(np.ptp(z), 800))
                with mpmath.workprec(200 + int(3 * gap)):
                    exact = row.truth(z)
                    worst = max([worst, *errors(row.here(z), exact)])
                    plain = max([plain, *errors(row.textbook(z), exact)])
            table.add_row(row.name, region, f"{worst:.2f}", f"{plain:.3g}", str(count))
    console.print(table)
