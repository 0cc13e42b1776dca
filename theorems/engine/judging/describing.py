"""Sampled cases described in words: numbers with six digits, named fields, long arrays cut."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from numbers import Complex, Rational, Real
from typing import Any

import numpy as np
from flint import arb

from theorems.engine.statements.values import Rounded

__all__ = ["described"]

_DIGITS = 6
#: How many entries are shown at most, of each row of an array too.
_ENTRIES = 4
_ROWS = 3
_DEPTH = 3
_WIDTH = 240
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def described(case: Any) -> str:
    """A case in a line of moderate length, the same in every process.

    >>> described({"rho": 1 / 3, "signs": np.ones(100)}), described((2, 0.1 + 0.2))
    ('rho = 0.333333, signs = [1, 1, 1, 1, … 100 entries]', '(2, 0.3)')
    """
    named = list(_named(case))
    return _joined([f"{name} = {_value(one, 1)}" for name, one in named], 0) or _value(case, 0)


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a value that have names."""
    if isinstance(value, Mapping):
        yield from ((str(key), one) for key, one in value.items())
    elif hasattr(value, "_asdict"):
        yield from value._asdict().items()
    elif is_dataclass(value) and not isinstance(value, type | Rounded):
        yield from ((one.name, getattr(value, one.name)) for one in fields(value) if one.repr)


def _joined(parts: list[str], depth: int) -> str:
    """The parts that find room, the first in any case; there is less room inside of another."""
    shown: list[str] = []
    length = 0
    for part in parts:
        length += len(part) + 2
        if shown and length > _WIDTH // 2**depth:
            return ", ".join([*shown, "…"])
        shown.append(part)
    return ", ".join(shown)


def _value(value: Any, depth: int) -> str:
    number = _array(value) if isinstance(value, np.ndarray) else _number(value)
    if number is not None:
        return number
    named = list(_named(value))
    if depth < _DEPTH and named:
        parts = [f"{name} = {_value(one, depth + 1)}" for name, one in named]
        return f"({_joined(parts, depth)})"
    if named or (depth >= _DEPTH and isinstance(value, list | tuple | set | frozenset)):
        return "…"
    return _sequence(value, depth) if isinstance(value, list | tuple) else _other(value, depth)


def _number(value: Any) -> str | None:
    """A number at six digits; exact ones, and what is no number in Python's sense, as they are."""
    if isinstance(value, Rounded):
        return _number(value.value)
    if isinstance(value, arb):
        return _number(float(value))
    if isinstance(value, bool | np.bool_ | Enum) or not isinstance(value, Complex):
        return None
    if isinstance(value, Rational):
        return str(Fraction(value))
    return f"{float(value) if isinstance(value, Real) else complex(value):.{_DIGITS}g}"


def _sequence(value: Sequence[Any], depth: int) -> str:
    left, right = "()" if isinstance(value, tuple) else "[]"
    parts = [_value(one, depth + 1) for one in value[:_ENTRIES]]
    return left + _joined(parts + _rest(len(value), _ENTRIES, "entries"), depth) + right


def _array(value: np.ndarray) -> str:
    """An array by its first rows and entries."""
    if value.ndim == 0:
        return _value(value.item(), 1)
    most, what = (_ENTRIES, "entries") if value.ndim == 1 else (_ROWS, "rows")
    parts = [_value(one, 1) for one in value[:most]]
    return "[" + ", ".join(parts + _rest(len(value), most, what)) + "]"


def _rest(length: int, most: int, what: str) -> list[str]:
    return [f"… {length} {what}"] if length > most else []


def _other(value: Any, depth: int) -> str:
    """Anything else: a function by its name, the rest as Python writes it, without addresses."""
    if isinstance(value, set | frozenset):
        return "{" + _joined(sorted(_value(one, depth + 1) for one in value), depth) + "}"
    name = value.name.lower() if isinstance(value, Enum) else getattr(value, "__name__", None)
    if isinstance(name, str):
        return name
    text = _ADDRESS.sub("", " ".join(repr(value).split()))
    return text if len(text) <= _WIDTH // 2 else text[: _WIDTH // 2] + "…"
