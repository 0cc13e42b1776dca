"""Domains of a claim's variables, as SymPy sets: what is quantified over, ends included."""

import re
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from theorems.engine.errors import ClaimError

__all__ = ["Domain", "half_line", "integers", "interval", "latex", "open_interval", "reals", "text"]

Domain: TypeAlias = sympy.Set
End: TypeAlias = int | Fraction | sympy.Expr


def interval(lower: End, upper: End) -> Domain:
    """The closed interval [lower, upper]; ends are exact: integers, fractions, SymPy numbers.

    >>> text(interval(0, Fraction(1, 2))), 1 in interval(0, 1)
    ('[0, 1/2]', True)
    """
    return _interval(lower, upper)


def open_interval(lower: End, upper: End) -> Domain:
    """The open interval (lower, upper).

    >>> text(open_interval(-1, 1)), 1 in open_interval(-1, 1)
    ('(-1, 1)', False)
    """
    return _interval(lower, upper, True, True)


def half_line(lower: End, *, closed: bool = True) -> Domain:
    """The half-line [lower, infinity), or (lower, infinity).

    >>> text(half_line(sympy.sqrt(2), closed=False))
    '(√2, ∞)'
    """
    return _interval(lower, sympy.oo, not closed)


def reals() -> Domain:
    """The real line."""
    return sympy.S.Reals


def integers(lower: int, upper: int | None = None) -> Domain:
    """The integers from ``lower`` on, or up to and with ``upper``.

    >>> text(integers(1)), text(integers(0, 9))
    ('{1, 2, …}', '{0, 1, …, 9}')
    """
    last = lower if upper is None else upper
    if not (_exact(lower).is_integer and _exact(last).is_integer and lower <= last):
        raise ClaimError(f"integers need integer ends, lower <= upper, got {(lower, upper)}")
    return sympy.Range(lower, sympy.oo if upper is None else last + 1)


def text(domain: Domain) -> str:
    """A domain on one line of text.

    >>> text(sympy.FiniteSet(sympy.sqrt(3) / 9))
    '{√3/9}'
    """
    drawn = str(sympy.pretty(domain, use_unicode=True))
    if "\n" not in drawn:
        return drawn
    return re.sub(r"sqrt\((\w+)\)", r"√\1", str(domain)).replace("*", "⋅")


def latex(domain: Domain) -> str:
    r"""A domain in LaTeX.

    >>> print(latex(half_line(0)), latex(integers(1, 2)))
    [0, \infty) \{1, 2\}
    """
    written = str(sympy.latex(domain)).replace(r"\frac", r"\tfrac")
    return written.replace(r"\left", "").replace(r"\right", "")


def _interval(lower: End, upper: End, *opened: bool) -> Domain:
    ends = (_exact(lower), _exact(upper))
    if not ends[0] < ends[1]:
        raise ClaimError(f"an interval needs lower < upper, got {(lower, upper)}")
    return sympy.Interval(*ends, *opened)


def _exact(value: Any) -> sympy.Expr:
    if isinstance(value, bool) or not isinstance(value, int | Fraction | sympy.Expr):
        raise ClaimError(f"a domain's numbers are integers, fractions or SymPy's, got {value!r}")
    number = sympy.sympify(value)
    if not number.is_extended_real:
        raise ClaimError(f"a domain's numbers are real, got {value!r}")
    return number
