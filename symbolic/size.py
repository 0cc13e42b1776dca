"""How much work the exact deciders may do: sizes of expressions and polynomials, and their bounds.

An expression is measured before anything is done with it, and so are polynomials before they are
multiplied, raised to a power, divided by a common factor, or factored. What is larger than a bound
is not tried: the decision is open then, and says which size was beyond which bound. All bounds are
sizes and counts of operations, so that an answer depends on the question alone.
"""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import sympy
from flint.utils.flint_exceptions import DomainError
from sympy import Basic
from sympy.polys.polyerrors import BasePolynomialError

T = TypeVar("T")

#: What SymPy and FLINT raise where they cannot rewrite: nothing is shown then, and nothing wrong.
GIVING_UP = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    DomainError,
    RuntimeError,
    TypeError,
    ValueError,
)

#: Parts of an expression, levels of brackets and functions in it, and digits of its numbers.
MOST_PARTS, MOST_LEVELS, MOST_BITS = 3000, 40, 4096
#: Different symbols, roots, angles and functions, of which polynomials are made.
MOST_GENERATORS = 32
#: Terms of a polynomial, its degree in all generators together where it is taken to factors.
MOST_TERMS, MOST_DEGREE = 20_000, 400
#: Sums in an angle that are split by the addition theorems, and how often one angle may occur.
MOST_ANGLES, MOST_MULTIPLE = 6, 64
#: Products of terms in all that is done for one decision.
MOST_WORK = 20_000_000


class TooLargeError(ArithmeticError):
    """A size is beyond its bound, which the message names."""


def check(what: str, size: int, most: int) -> None:
    """Refuse what is too large, with TooLargeError.

    >>> check("terms of a polynomial", 7, 10)
    >>> check("terms of a polynomial", 70_000, 20_000)
    Traceback (most recent call last):
      ...
    symbolic.size.TooLargeError: 70000 terms of a polynomial are too many, at most 20000 are tried
    """
    if size > most:
        shown = str(size) if size.bit_length() <= 64 else f"about 2**{size.bit_length()}"
        raise TooLargeError(f"{shown} {what} are too many, at most {most} are tried")


class Work:
    """The operations of one decision, counted before they are done.

    >>> work = Work()
    >>> work.spend(15_000_000)
    >>> work.spend(15_000_000)
    Traceback (most recent call last):
      ...
    symbolic.size.TooLargeError: 30000000 products of terms are too many, at most 20000000 are tried
    """

    def __init__(self) -> None:
        self.done = 0
        self.refusal = ""

    def attempt(self, call: Callable[[], T], otherwise: T) -> T:
        """What the call returns; otherwise if it gives up, and the first refusal is kept.

        >>> work = Work()
        >>> work.attempt(lambda: check("terms", 10**6, 10**3), None)
        >>> work.refusal
        '1000000 terms are too many, at most 1000 are tried'
        """
        try:
            return call()
        except TooLargeError as error:
            self.refusal = self.refusal or str(error)
        except GIVING_UP:
            pass
        return otherwise

    def spend(self, amount: int) -> None:
        """Count operations that are about to be done; TooLargeError if that is too much."""
        check("products of terms", self.done + amount, MOST_WORK)
        self.done += amount


def check_expression(*expressions: Basic) -> int:
    """How many parts expressions have; TooLargeError for too many, and for levels and digits.

    >>> x = sympy.Symbol("x")
    >>> check_expression(x**2 + sympy.sin(x), x ** (10**9))
    9
    >>> check_expression(x ** (2**10000))
    Traceback (most recent call last):
      ...
    symbolic.size.TooLargeError: 10001 binary digits of a number are too many, ...
    """
    waiting: list[tuple[Basic, int]] = [(one, 1) for one in expressions]
    parts = 0
    while waiting:
        node, level = waiting.pop()
        parts += 1
        check("parts of an expression", parts + len(waiting), MOST_PARTS)
        check("levels of an expression", level, MOST_LEVELS)
        if isinstance(node, sympy.Rational):
            check("binary digits of a number", bits(node), MOST_BITS)
        waiting += [(one, level + 1) for one in node.args]
    return parts


def bits(number: sympy.Rational) -> int:
    """Binary digits of the numerator or the denominator, whichever has more.

    >>> bits(sympy.Rational(3, 1024))
    11
    """
    return max(int(number.p).bit_length(), int(number.q).bit_length())


def terms_of_power(terms: int, degrees: Sequence[int], exponent: int) -> int:
    """At most so many terms has a power of a polynomial with these terms and degrees.

    They are at most the products of as many terms, and at most the monomials of its degrees.

    >>> terms_of_power(3, (1, 1), 2), terms_of_power(1, (5,), 10**6), terms_of_power(9, (4, 4), 3)
    (6, 1, 165)
    """
    if terms <= 1:
        return terms
    box = math.prod(exponent * degree + 1 for degree in degrees)
    few = min(exponent, terms - 1)
    return box if few > 64 else min(box, math.comb(terms + exponent - 1, few))
