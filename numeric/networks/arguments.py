"""What the samplers of networks accept, beyond the checks of ``numeric.arguments``."""

import numpy as np

from numeric.arguments import Floats, is_sequence, positive_integer, real_array, real_number, sequence, shown


def widths(name: str, values: object, least: int) -> tuple[int, ...]:
    """Return at least ``least`` positive integers."""
    listed = sequence(name, values, of="positive integers")
    sizes = tuple(positive_integer(name, value) for value in listed)
    if len(sizes) < least:
        raise ValueError(f"{name} must have at least {least} entries, got {sizes}")
    return sizes


def scalings(q: object, depth: int) -> tuple[float, ...]:
    """Return (q_1, ..., q_l) from one number or ``depth`` numbers."""
    values = sequence("q", q, of="numbers") if is_sequence(q) else (q,) * depth
    if len(values) != depth:
        raise ValueError(f"q must be one number or {depth} numbers, got {len(values)} numbers")
    return tuple(real_number("q", value) for value in values)


def inputs(x: object, dimension: int | str = "m_0") -> Floats:
    """Return the inputs as rows, shape ``(n, m_0)`` with ``n >= 1`` and ``m_0 >= 1``."""
    rows = real_array("x", x, shape=("n", dimension))
    if rows.size == 0:
        raise ValueError(f"x must have at least one row and one column, got shape {rows.shape}")
    return rows


def draws(size: object) -> tuple[int, ...]:
    """Return the leading axes of ``size`` draws: none for None."""
    return () if size is None else (positive_integer("size", size),)


def generator(rng: object) -> np.random.Generator:
    """Return ``rng`` if it is a NumPy Generator: a seed or a RandomState is refused."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {shown(rng)}")
    return rng


def finite_result(result: Floats, what: str) -> Floats:
    """Return ``result`` unless it overflowed: an infinity or NaN is never handed on."""
    if not np.isfinite(result).all():
        raise ValueError(f"{what} must stay within float64, got {result[~np.isfinite(result)][0]}")
    return result
