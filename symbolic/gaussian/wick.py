"""Means of polynomials in jointly Gaussian letters, by Wick's theorem (Isserlis' formula).

The mean of a product of centred Gaussian variables is the sum over all pairings of its factors of
the products of their covariances.  Integrating one factor by parts gives the recursion used here,

    E u M = sum over letters v of Cov(u, v) E dM/dv,

which meets each monomial once instead of each pairing: 105 pairings of eight letters are some
hundred short steps, and powers cost no more than their exponents.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr, Poly, Symbol

from symbolic.arguments import exact, shown, symbol

__all__ = ["gaussian_mean"]

Covariance = Callable[[Symbol, Symbol], Any]


def gaussian_mean(f: Any, letters: Sequence[Symbol], covariance: Covariance | Mapping[Any, Any]) -> Expr:
    """Compute the mean of a polynomial in centred jointly Gaussian letters, expanded.

    - ``f``: a polynomial in the letters; its coefficients may be anything free of them.
    - ``covariance``: a function of two letters, or a mapping of pairs in either order; a pair that
      is not in the mapping is uncorrelated.

    Nothing is asked of the covariance: for one that no Gaussian vector has, the result is what
    Wick's formula says.  Raises ValueError if it is no polynomial in the letters, TypeError if a
    letter is no symbol.

    >>> u, v, c = sympy.symbols("u v c")
    >>> gaussian_mean(u**2 * v**2, [u, v], {(u, u): 1, (v, v): 1, (u, v): c})
    2*c**2 + 1
    >>> gaussian_mean(u**8, [u], {(u, u): c})
    105*c**4
    """
    if isinstance(letters, str) or not isinstance(letters, Sequence):
        raise TypeError(f"letters must be a list of symbols, got {shown(letters)}")
    names = tuple(symbol(one, "letters") for one in letters)
    if not (isinstance(covariance, Mapping) or callable(covariance)):
        raise TypeError(f"covariance must be a function or a mapping, got {shown(covariance)}")
    pairs = {(u, v) for u in names for v in names}
    if isinstance(covariance, Mapping) and not pairs.issuperset(covariance):
        raise ValueError(f"covariance must be about pairs of letters, got {shown(covariance)}")
    if not names:
        return sympy.sympify(f)
    try:
        given = Poly(f, *names)
    except sympy.PolynomialError as error:
        raise ValueError(f"f must be a polynomial in {names}, got {f}") from error
    mean = _Means(tuple(tuple(_entry(covariance, u, v) for v in names) for u in names))
    return sympy.expand(sympy.Add(*(c * mean.of(powers) for powers, c in given.terms())))


def _entry(covariance: Covariance | Mapping[Any, Any], u: Symbol, v: Symbol) -> Expr:
    if isinstance(covariance, Mapping):
        return exact(covariance.get((u, v), covariance.get((v, u), 0)), "covariance")
    return exact(covariance(u, v), "covariance")


class _Means:
    """Means of monomials, given by their exponents."""

    def __init__(self, covariance: tuple[tuple[Expr, ...], ...]) -> None:
        self.covariance = covariance
        self.known: dict[tuple[int, ...], Expr] = {}

    def of(self, powers: tuple[int, ...]) -> Expr:
        if not any(powers):
            return sympy.S.One
        if sum(powers) % 2:
            return sympy.S.Zero
        if powers not in self.known:
            self.known[powers] = self._by_parts(powers)
        return self.known[powers]

    def _by_parts(self, powers: tuple[int, ...]) -> Expr:
        first = next(k for k, power in enumerate(powers) if power)
        rest = _lowered(powers, first)
        terms = (
            power * self.covariance[first][k] * self.of(_lowered(rest, k))
            for k, power in enumerate(rest)
            if power and self.covariance[first][k] != 0
        )
        return sympy.expand(sympy.Add(*terms))


def _lowered(powers: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*powers[:at], powers[at] - 1, *powers[at + 1 :])
