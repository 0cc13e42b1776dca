r"""Eigenvalues of J = diag(p) - p p^T from the secular equation.

The eigenvalues other than 0 (for 1) and repeated weights are the roots of

    sum_t p_t / (p_t - lambda) = 0,

one between each two neighbouring weights. J is the Laplacian of the complete graph with weights
p_s p_t, so that all of them are known as well, relatively, as the weights are.

For the largest, write p for the largest weight, q for the second one. With the weights below p,
g(lambda) = sum p_t / (lambda - p_t), and the equation is 1/g(lambda) = 1 - lambda/p. The left side
increases and is concave (it is a harmonic mean of linear functions), so that Newton's method
from a point to the left of the root increases to it. Dropping all but q gives such a point,
2 p q/(p + q); the quadratic form at the token of the largest weight is another, p (1 - p).
"""

from typing import Any

import numpy as np
from flint import arb

from numeric.arguments import Floats
from numeric.softmax_jacobian.norms import of_digits
from numeric.softmax_jacobian.weights import Weights, checked_logits, plain, weights_of

_NEWTON_STEPS = 60  # a handful are needed; each but the last few doubles the digits
_BISECTIONS = 64  # of an interval of 64-bit integers
_BLOCK = 1 << 18  # entries of the temporaries of `jacobian_eigenvalues`


def jacobian_spectral_norm(logits: Any, *, digits: int | None = None) -> Any:
    """The largest eigenvalue of J, its operator norm; at most max_t 2 p_t (1 - p_t) <= 1/2.

    logits of shape (..., T); the result is a float, or an array of the leading shape, good to a few
    units in the last place; with digits= (one row of exact numbers) an mpf with so many correct
    digits.
    Source: derived from "Shallow transformers", Fact 1.

    >>> jacobian_spectral_norm([0, 0]), jacobian_spectral_norm([0] * 5), jacobian_spectral_norm([7])
    (0.5, 0.2, 0.0)
    >>> jacobian_spectral_norm([40, 0, 0])
    1.2745062765874767e-17
    """
    if digits is not None:
        return of_digits(logits, digits, _largest_root)
    z = checked_logits(logits)
    w = weights_of(z)
    if z.shape[-1] == 1:
        return plain(np.zeros(z.shape[:-1]))
    return plain(_newton(w, *_start(w))[..., 0])


def _start(w: Weights) -> tuple[Floats, Floats]:
    """A point at or to the left of the largest root, and the second largest weight."""
    largest = w.largest_weight
    second = np.max(w.others, axis=-1, keepdims=True) * w.rest
    harmonic = 2 * second * (largest / (largest + second))
    return np.maximum(harmonic, largest * w.rest), second


def _newton(w: Weights, root: Floats, second: Floats) -> Floats:
    largest, others = w.largest_weight, w.others * w.rest
    for _ in range(_NEWTON_STEPS):
        # At a double largest weight the root is that weight, and a pole.
        gap = np.where(root > second, root, np.inf) - others
        terms = others / gap
        value = np.sum(terms, axis=-1, keepdims=True)
        slope = np.sum(terms / gap, axis=-1, keepdims=True)
        live = value > 0
        value, slope = np.where(live, value, 1.0), np.where(live, slope, 0.0)
        # F = 1/g - 1 + root/p and F' = slope/g^2 + 1/p, both times p g.
        step = (largest * (value - 1) - root * value) / (largest * slope / value + value)
        following = np.where(live, root + step, root)
        if not (following > root).any():
            return root
        root = np.maximum(root, np.minimum(following, largest))
    return root


def _largest_root(p: list[arb], complement: list[arb]) -> arb:
    """A ball around the root between the two largest weights, halved until nothing is decided."""
    low, high = 2 * p[0] * p[1] / (p[0] + p[1]), p[0]
    bound = 2 * p[0] * complement[0]
    high = bound if bound < high else high
    low = low.union(high).lower()
    top = high.upper()
    return _narrowed(p, low, top)


def _narrowed(p: list[arb], low: arb, high: arb) -> arb:
    """Halve an interval around the root, and cut it by Newton's step with all of its slopes."""
    while True:
        middle = ((low + high) / 2).mid()
        if not low < middle < high:
            return low.union(high)
        value = sum((x / (x - middle) for x in p), arb(0))
        if value > 0:
            high = middle
        elif value < 0:
            low = middle
        else:
            return low.union(high)
        around = low.union(high)
        slope = sum((x / (x - around) ** 2 for x in p), arb(0))
        if slope > 0:  # not at a pole, which is at an end until the first halves
            step = middle - value / slope
            low, high = max(low, step.lower()), min(high, step.upper())


def jacobian_eigenvalues(logits: Any) -> Floats:
    """All eigenvalues of J, largest first, the last one 0; each to a few units in the last place.

    Between neighbouring weights the root of the secular equation is found by bisection of the
    floats themselves, in time proportional to T^2. logits of shape (..., T); so is the result.
    Source: derived from "Shallow transformers", Fact 1.

    >>> jacobian_eigenvalues([0, 0, 0])
    array([0.33333333, 0.33333333, 0.        ])
    >>> jacobian_eigenvalues([40, 0])
    array([8.49670851e-18, 0.00000000e+00])
    """
    z = checked_logits(logits)
    p = -np.sort(-weights_of(z).p, axis=-1)
    rows = p.reshape(-1, p.shape[-1])
    result = np.zeros_like(rows)
    for row, found in zip(rows, result, strict=True):
        found[:-1] = _roots(row)
    return result.reshape(p.shape)


def _roots(p: Floats) -> Floats:
    """The roots between neighbours of a falling sequence of weights."""
    if len(p) == 1:
        return p[1:]
    size = max(1, _BLOCK // len(p))
    blocks = [slice(k, k + size) for k in range(0, len(p) - 1, size)]
    return np.concatenate([_bisect(p, p[1:][block], p[:-1][block]) for block in blocks])


def _bisect(p: Floats, low: Floats, high: Floats) -> Floats:
    """Halve the numbers of floats between the ends, which positive floats share with integers."""
    left, right = low.view(np.int64).copy(), high.view(np.int64).copy()
    for _ in range(_BISECTIONS):
        middle = left + (right - left) // 2
        point = middle.view(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.sum(p / (p - point[:, None]), axis=1)
        # The value increases from -inf to +inf; at an end it is not a number.
        above = value > 0
        right, left = np.where(above, middle, right), np.where(above, left, middle)
        if (right - left <= 1).all():
            break
    return left.view(np.float64)
