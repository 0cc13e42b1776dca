"""E f(u1) f(u2) in float64 for whole arrays of correlations, in polar form."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from numeric.arguments import NONNEGATIVE, Floats, is_array, pair, real_array, real_number, sequence
from numeric.quadrature.digits import COSINE, bivariate_expectation
from numeric.quadrature.polar import sector_ends

Activation = Callable[[Any], Any]

# exp(-r^2 / 2) underflows at 38.6, so that nothing is cut off; most of the mass is below 3.
_PANELS = np.array([0, 1, 2, 3, 4.5, 6, 8, 11, 16, 24, 38.6])
_FARTHEST = 1e3  # of a break, in standard deviations: any beyond the last panel is as good
_BLOCK = 1 << 20  # values of f computed at once
# Successive levels may differ by this much of E|f f|. Doubling the angles about squares the error
# of a rule that converges geometrically, so that the finer level is right to about 1e-13.
_AGREEMENT = 1e-8
_LEVELS = 6


def dual_by_quadrature(
    f: Activation,
    rho: Any,
    *,
    variances: tuple[Any, Any] = (1, 1),
    breaks: Sequence[Any] = (),
    digits: int | None = None,
) -> Any:
    """Return E f(u1) f(u2) for a centred Gaussian pair, for any function f of one variable.

    rho: correlations in [-1, 1]; variances: in [0, infinity); all numbers or arrays, which
    broadcast. breaks: the points where f or a derivative jumps, each a number.

    Without ``digits``: f takes and returns float64 arrays (it is called on large ones), the
    result is a float or array, right to about 1e-12 E|f(u1) f(u2)|. An entry takes milliseconds
    for f smooth or with a break at 0 only, ten times more with others. f may grow like e^(c|u|).

    With ``digits``: f takes and returns an mpmath number, and results are as those of
    ``bivariate_expectation``; arrays give arrays of mpf.

    Raises: ValueError or TypeError outside the domains, ArithmeticError if refinement does not
    settle: a kink or jump not named in breaks, or an f too steep for the nodes (use digits).

    >>> dual_by_quadrature(lambda s: np.maximum(s, 0), [0, 1], breaks=[0])   # 1/(2 pi), 1/2
    array([0.15915494, 0.5       ])
    >>> print(dual_by_quadrature(lambda s: s**3, "0.5", digits=20))          # 9 rho + 6 rho^3
    5.25
    """
    v1, v2 = pair("variances", variances, of="v1, v2")
    if digits is not None:
        return _to_digits(f, (rho, v1, v2), breaks, digits)
    arrays = (
        real_array("rho", rho, COSINE),
        real_array("variances", v1, NONNEGATIVE),
        real_array("variances", v2, NONNEGATIVE),
    )
    flat_rho, flat1, flat2 = (a.ravel() for a in np.broadcast_arrays(*arrays))
    points = [real_number("breaks", b) for b in sequence("breaks", breaks, of="numbers")]
    result = _settled(f, _pairs(flat_rho, flat1, flat2, points))
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    return result.reshape(shape) if any(map(is_array, (rho, v1, v2))) else float(result[0])


def _to_digits(f: Activation, entries: tuple[Any, Any, Any], breaks: Any, digits: int) -> Any:
    def entry(rho: Any, v1: Any, v2: Any) -> Any:
        return bivariate_expectation(
            lambda u1, u2: f(u1) * f(u2), rho, variances=(v1, v2), breaks=(breaks, breaks), digits=digits
        )

    if not any(map(is_array, entries)):
        return entry(*entries)
    return np.frompyfunc(entry, 3, 1)(*(np.asarray(e, dtype=object) for e in entries))


class _Pairs(NamedTuple):
    """Gaussian pairs, one per entry: standard deviations, correlation, breaks over deviations."""

    s1: Floats
    s2: Floats
    rho: Floats
    lines1: list[Floats]
    lines2: list[Floats]

    @property
    def sigma(self) -> Floats:
        return np.sqrt((1 - self.rho) * (1 + self.rho))

    def part(self, index: Any) -> "_Pairs":
        """Return some of the entries."""
        lines = ([b[index] for b in lines] for lines in (self.lines1, self.lines2))
        return _Pairs(self.s1[index], self.s2[index], self.rho[index], *lines)


def _pairs(rho: Floats, v1: Floats, v2: Floats, breaks: list[float]) -> _Pairs:
    s1, s2 = np.sqrt(v1), np.sqrt(v2)
    return _Pairs(s1, s2, rho, [_line(b, s1) for b in breaks], [_line(b, s2) for b in breaks])


def _settled(f: Activation, pairs: _Pairs) -> Floats:
    """Refine each entry until two levels agree, whatever the other entries need."""
    result = np.zeros(len(pairs.rho))
    open_ = np.arange(len(pairs.rho))
    coarse, _ = _at_level(f, pairs, 0)
    for level in range(1, _LEVELS):
        fine, size = _at_level(f, pairs.part(open_), level)
        if not np.isfinite(fine).all():
            raise ArithmeticError("f must be finite on the nodes (up to 38.6 deviations out)")
        settled = abs(fine - coarse) <= _AGREEMENT * size
        result[open_[settled]] = fine[settled]
        open_, coarse = open_[~settled], fine[~settled]
        if open_.size == 0:
            return result
    raise ArithmeticError(
        f"the quadrature did not settle at rho = {pairs.rho[open_[0]]}: name every kink and "
        "jump of f in breaks, or use digits"
    )


def _line(b: float, deviations: Floats) -> Floats:
    """Return the standardised break, moved to a harmless place if the deviation is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        line = np.where(deviations > 0, b / deviations, _FARTHEST)
    return np.clip(line, -_FARTHEST, _FARTHEST)


def _at_level(f: Activation, pairs: _Pairs, level: int) -> tuple[Floats, Floats]:
    """Return means of f f and of |f f|, with nodes that grow in number with the level."""
    angles, weights = _angles(pairs, level)
    radii = len(_PANELS) + 2 * len(pairs.lines1)
    nodes = np.polynomial.legendre.leggauss(12 + 4 * level)
    block = max(1, _BLOCK // (angles.shape[1] * radii * len(nodes[0])))
    parts = []
    for start in range(0, len(pairs.rho), block):
        index = slice(start, start + block)
        parts.append(_block(f, pairs.part(index), angles[index], weights[index], nodes))
    means, scales = zip(*parts, strict=True) if parts else ([np.zeros(0)], [np.zeros(0)])
    return np.concatenate(means), np.concatenate(scales)


def _angles(pairs: _Pairs, level: int) -> tuple[Floats, Floats]:
    """Return angles and weights of the mean over the circle, a row per pair."""
    if not pairs.lines1:
        # Equal steps would converge faster, but two counts of points in a sector may well agree
        # though f jumps: they are not to be trusted.
        panels = np.linspace(-np.pi, np.pi, (1 << level) + 1)
        nodes, weights = np.polynomial.legendre.leggauss(24)
        half, middle = np.diff(panels)[:, None] / 2, (panels[1:] + panels[:-1])[:, None] / 2
        shape = (len(pairs.rho), half.size * len(nodes))
        angles = np.broadcast_to((middle + half * nodes).ravel(), shape)
        return angles, np.broadcast_to((half * weights / (2 * np.pi)).ravel(), shape)
    ends = np.sort(np.stack(sector_ends(_Arrays, pairs.rho, pairs.sigma, pairs.lines1, pairs.lines2), -1), -1)
    nodes, weights = _tanh_sinh(0.3 / 2**level)
    half, middle = np.diff(ends)[..., None] / 2, (ends[:, 1:] + ends[:, :-1])[..., None] / 2
    rows = len(pairs.rho), -1
    return (middle + half * nodes).reshape(rows), (half * weights / (2 * np.pi)).reshape(rows)


class _Arrays:
    """The arithmetic of float64 arrays."""

    pi = np.pi
    atan2 = staticmethod(np.arctan2)


def _tanh_sinh(step: float) -> tuple[Floats, Floats]:
    """Return nodes and weights on [-1, 1] for functions that are flat or singular at the ends."""
    # At 3.4 the nodes have come to within 2^-53 of the ends.
    k = step * np.arange(-int(3.4 / step), int(3.4 / step) + 1)
    nodes = np.tanh(np.pi / 2 * np.sinh(k))
    return nodes, step * np.pi / 2 * np.cosh(k) / np.cosh(np.pi / 2 * np.sinh(k)) ** 2


def _block(
    f: Activation, pairs: _Pairs, angles: Floats, weights: Floats, nodes: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    cosine = np.cos(angles)
    slope2 = pairs.rho[:, None] * cosine + pairs.sigma[:, None] * np.sin(angles)
    ends = _radial_ends(pairs, cosine, slope2)
    half = np.diff(ends)[..., None] / 2
    radii = (ends[..., 1:] + ends[..., :-1])[..., None] / 2 + half * nodes[0]
    # The weight is split between the factors: each of them times exp(-r^2/4) stays in range.
    root = np.exp(-radii * radii / 4)
    with np.errstate(all="ignore"):
        first = root * _values(f, (pairs.s1[:, None] * cosine)[..., None, None] * radii)
        second = root * _values(f, (pairs.s2[:, None] * slope2)[..., None, None] * radii)
        integrand = first * second
        measure = weights[..., None, None] * half * nodes[1] * radii
        return tuple(np.sum(g * measure, axis=(1, 2, 3)) for g in (integrand, abs(integrand)))


def _radial_ends(pairs: _Pairs, slope1: Floats, slope2: Floats) -> Floats:
    """Return the ends of the panels along each ray, cut where it meets a break."""
    last = _PANELS[-1]
    cuts = [np.broadcast_to(end, slope1.shape) for end in _PANELS]
    for lines, slope in ((pairs.lines1, slope1), (pairs.lines2, slope2)):
        for b in lines:
            if not b.any():
                continue  # a line through the origin cuts no ray
            with np.errstate(divide="ignore", invalid="ignore"):
                radius = b[:, None] / slope
            cuts.append(np.where((radius > 0) & (radius < last), radius, last))
    return np.sort(np.stack(cuts, -1), -1)


def _values(f: Activation, u: Floats) -> Floats:
    values = np.asarray(f(u))
    if values.shape != u.shape or values.dtype.kind not in "fiu":
        raise TypeError(
            f"f must return a real array of the shape of its argument {u.shape}, "
            f"got {values.dtype} of shape {values.shape}"
        )
    return values
