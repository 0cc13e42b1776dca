r"""Vectors and random variables as letters: inner products, norms, expectations, probabilities.

Inner products and expectations expand on their own, so that an identity between them in any
dimension is an identity between polynomials. What vectors and random variables are is a letter's
set: ``VECTORS``, ``OPERATORS``, ``RANDOM``, ``EVENTS``.

>>> u, v = Vector("u"), Vector("v")
>>> inner(u + 2 * v, v - u), norm(-3 * u)
(-inner(u, u) - inner(u, v) + 2*inner(v, v), 3*norm(u))
>>> X, c = Random("X"), Symbol("c", real=True)
>>> E(c * X + 1), P(X >= c)
(c*E(X) + 1, P(X >= c))
>>> print(sympy.latex(inner(u, v) + norm(u - v) ** 2), sympy.latex(E(X) * P(X >= c)))
\langle u, v\rangle + \|u - v\|^{2} ...
"""

from functools import cache
from typing import Any

import sympy
from sympy import Expr, Function, S, Symbol
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.logic.boolalg import Boolean, BooleanFunction

from theorems.engine.rules.ranges import Objects

VECTORS = Objects("vectors of a real inner product space")
OPERATORS = Objects("bounded linear operators")
RANDOM = Objects("random variables all of whose expectations that are written exist")
EVENTS = Objects("events")


class Vector(Symbol):  # type: ignore[misc]
    """A letter for a vector; sums and multiples of vectors are vectors."""

    belongs_to = VECTORS


class Operator(Symbol):  # type: ignore[misc]
    """A letter for a bounded linear operator."""

    belongs_to = OPERATORS


class Random(Symbol):  # type: ignore[misc]
    """A letter for a real random variable; polynomials and functions of it are random as well."""

    belongs_to = RANDOM
    is_real = True


class Event(Symbol):  # type: ignore[misc]
    """A letter for an event."""

    belongs_to = EVENTS


class AppliedVector(AppliedUndef):  # type: ignore[misc]
    """A value of a family of vectors, such as x(k)."""

    belongs_to = VECTORS


class AppliedOperator(AppliedUndef):  # type: ignore[misc]
    """A value of a family of operators, such as J(t)."""

    belongs_to = OPERATORS


class AppliedRandom(AppliedUndef):  # type: ignore[misc]
    """A value of a family of random variables, such as X(k)."""

    belongs_to = RANDOM


def vectors(name: str) -> Any:
    """A family of vectors: ``vectors("x")(k)`` is a vector.

    SymPy takes functions for equal that have a name and what is known of them in common, so it is
    told of these where their values belong.
    """
    known = {"commutative": True, "belongs_to": VECTORS}
    return UndefinedFunction(name, bases=(AppliedVector,), **known)


def operators(name: str) -> Any:
    """A family of operators."""
    known = {"commutative": True, "belongs_to": OPERATORS}
    return UndefinedFunction(name, bases=(AppliedOperator,), **known)


def randoms(name: str) -> Any:
    """A family of random variables."""
    known = {"commutative": True, "real": True, "belongs_to": RANDOM}
    return UndefinedFunction(name, bases=(AppliedRandom,), **known)


@cache
def events(name: str) -> Any:
    """A family of events."""
    return type(name, (BooleanFunction,), {"belongs_to": EVENTS, "__module__": "events"})


class act(Function):  # type: ignore[misc]  # noqa: N801 - functions are lower case in SymPy
    """The image act(M, v) of a vector under an operator, linear in the vector."""

    @classmethod
    def eval(cls, M: Any, v: Any) -> Expr | None:
        """Expand by linearity."""
        terms = components(v)
        if list(terms.values()) == [S.One]:
            return None
        return sympy.Add(*(factor * cls(M, one) for one, factor in terms.items()))

    def _latex(self, printer: Any) -> str:
        return " ".join(printer.doprint(one) for one in self.args)


class inner(Function):  # type: ignore[misc]  # noqa: N801
    """The inner product of two vectors, bilinear and symmetric: it expands on its own."""

    is_opaque = True
    is_real = True

    @classmethod
    def eval(cls, u: Any, v: Any) -> Expr | None:
        """Expand by bilinearity, the two vectors of each product in the order of their names."""
        left, right = components(u), components(v)
        if [*left.values(), *right.values()] == [1, 1]:
            ordered = tuple(sorted((u, v), key=sympy.default_sort_key))
            return None if ordered == (u, v) else cls(*ordered)
        products = [(a, b, p * q) for a, p in left.items() for b, q in right.items()]
        return sympy.expand(sympy.Add(*(factor * cls(a, b) for a, b, factor in products)))

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0] == self.args[1] else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = ", ".join(printer.doprint(one) for one in self.args)
        return rf"\langle {inside}\rangle" + (f"^{{{exp}}}" if exp else "")


class norm(Function):  # type: ignore[misc]  # noqa: N801
    """The norm of a vector, the root of its inner product with itself; factors come out."""

    is_nonnegative = True

    @classmethod
    def eval(cls, u: Any) -> Expr | None:
        """Let the common factor out, with its absolute value."""
        terms = components(u)
        if not terms:
            return S.Zero
        first = min(terms, key=sympy.default_sort_key)
        factor = terms[first]
        scaled = {one: sympy.cancel(number / factor) for one, number in terms.items()}
        if factor == 1 or not all(number.is_Rational for number in scaled.values()):
            return None
        vector = sympy.Add(*(number * one for one, number in scaled.items()))
        return sympy.Abs(factor) * cls(vector)

    @property
    def square(self) -> Expr:
        """The inner product of the vector with itself."""
        return inner(self.args[0], self.args[0])

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"\|{printer.doprint(self.args[0])}\|" + (f"^{{{exp}}}" if exp else "")


class opnorm(Function):  # type: ignore[misc]  # noqa: N801
    """The operator norm."""

    is_opaque = True
    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"\|{printer.doprint(self.args[0])}\|" + (f"^{{{exp}}}" if exp else "")


class frobenius(Function):  # type: ignore[misc]  # noqa: N801
    """The Frobenius norm, the root of the sum of the squares of all entries."""

    is_opaque = True
    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"\|{printer.doprint(self.args[0])}\|_F" + (f"^{{{exp}}}" if exp else "")


class E(Function):  # type: ignore[misc]
    """The expectation of a random variable, linear: it expands, numbers come out."""

    is_opaque = True
    is_real = True

    @classmethod
    def eval(cls, X: Any) -> Expr | None:
        """Expand by linearity; what has no random letter in it is a number."""
        if X == 0:
            return S.Zero
        numbers = {one: sympy.Dummy() for one in X.atoms(*OF_LAWS)}
        shown = {dummy: one for one, dummy in numbers.items()}
        terms = sympy.Add.make_args(sympy.expand(X.xreplace(numbers)))
        split = [one.as_independent(*_RANDOM, as_Add=False) for one in terms]
        if len(split) == 1 and split[0][0] == 1 and not cls._is_known(split[0][1]):
            return None
        return sympy.Add(*(factor * cls._mean(one) for factor, one in split)).xreplace(shown)

    @classmethod
    def _is_known(cls, X: Any) -> bool:
        return X == 1 or (isinstance(X, sympy.Sum) and all(x.is_finite for x in X.limits[0][1:]))

    @classmethod
    def _mean(cls, X: Any) -> Expr:
        """The expectation of 1, of a finite sum, or of anything else."""
        if X == 1:
            return S.One
        return sympy.Sum(cls(X.args[0]), *X.limits) if cls._is_known(X) else cls(X)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = f"^{{{exp}}}" if exp else ""
        return rf"\mathbb{{E}}{power}\left[{printer.doprint(self.args[0])}\right]"


class P(Function):  # type: ignore[misc]
    """The probability of an event, or of a relation between random variables."""

    is_opaque = True
    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = f"^{{{exp}}}" if exp else ""
        return rf"\mathbb{{P}}{power}{{\left({printer.doprint(self.args[0])}\right)}}"


class kolmogorov(Function):  # type: ignore[misc]  # noqa: N801
    """The largest distance of the distribution functions of two random variables."""

    is_opaque = True
    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        X, Y = (printer.doprint(one) for one in self.args)
        return rf"d_K({X}, {Y})" + (f"^{{{exp}}}" if exp else "")


#: Numbers that belong to laws, whatever the outcome is.
OF_LAWS = (E, P, kolmogorov)


class independent(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The statement that random variables are independent."""

    is_opaque = True

    def _latex(self, printer: Any) -> str:
        letters = ", ".join(printer.doprint(one) for one in self.args)
        return rf"{letters} \text{{ independent}}"


class normal(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The statement that random variables have mean zero and are jointly normal."""

    is_opaque = True

    def _latex(self, printer: Any) -> str:
        letters = ", ".join(printer.doprint(one) for one in self.args)
        together = "jointly " if len(self.args) > 1 else ""
        return rf"{letters} \text{{ centred and {together}normal}}"


class chi_squared(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The statement that X has the law of the sum of m squares of independent standard normals."""

    is_opaque = True

    def _latex(self, printer: Any) -> str:
        X, m = (printer.doprint(one) for one in self.args)
        return rf"{X} \sim \chi^2_{{{m}}}"


class _OfAFunction(BooleanFunction):  # type: ignore[misc]
    """A statement about a function f(x) on an interval, in which x is bound."""

    is_opaque = True

    @property
    def bound_symbols(self) -> list[Symbol]:
        """The letter that runs."""
        return [self.args[2]]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The other letters."""
        first, second, running, _ = self.args
        letters: set[Symbol] = first.free_symbols | second.free_symbols
        return letters - {running}


class density(_OfAFunction):  # noqa: N801
    """The statement that X has a density f(x) on an interval, and lies there."""

    def _latex(self, printer: Any) -> str:
        X, form, x, range_ = (printer.doprint(one) for one in self.args)
        return rf"{X} \text{{ has the density }} {form}, \ {x} \in {range_}"


class derivative(_OfAFunction):  # noqa: N801
    """The statement that ``rate`` is the derivative of ``value`` at each t of an interval.

    At an end that belongs to the interval it is that of one side.  The letter t is bound.

    >>> t = Symbol("t", real=True)
    >>> said = derivative(2 * t, t**2, t, sympy.Interval(0, 1))
    >>> said.free_symbols, said.bound_symbols
    (set(), [t])
    """

    def _latex(self, printer: Any) -> str:
        rate, value, running, _ = (printer.doprint(one) for one in self.args)
        return rf"\frac{{d}}{{d{running}}} \left({value}\right) = {rate}"


def belongs(value: Any, objects: Objects) -> bool:
    """Whether an expression is one of these objects.

    >>> belongs(Vector("u") - Vector("v"), VECTORS), belongs(Symbol("x"), VECTORS)
    (True, False)
    """
    if objects == VECTORS:
        try:
            return components(value) is not None
        except TypeError:
            return False
    if objects == RANDOM:
        return isinstance(value, Expr) and not value.atoms(Vector, Operator, Event)
    if objects == OPERATORS:
        return isinstance(value, Operator | AppliedOperator)
    return isinstance(value, Event) or (isinstance(value, Boolean) and not value.is_Symbol)


_RANDOM = (Random, AppliedRandom, Event)


def is_random(value: Any) -> bool:
    """Whether an expression depends on the outcome, not only by means.

    >>> X = Random("X")
    >>> is_random(X + E(X)), is_random(E(X))
    (True, False)
    """
    shown = sympy.sympify(value)
    hidden = shown.xreplace({one: sympy.Dummy() for one in shown.atoms(*OF_LAWS)})
    return bool(hidden.atoms(*_RANDOM))


_VECTORS = (Vector, AppliedVector, act)


def components(vector: Any) -> dict[Expr, Expr]:
    """A linear combination of vectors as a mapping from vectors to numbers.

    Raises TypeError for what is none.

    >>> components(3 * Vector("u") - Vector("v"))
    {u: 3, v: -1}
    >>> components(Vector("u") * Vector("v"))
    Traceback (most recent call last):
      ...
    TypeError: a vector must be a linear combination of vector letters, got u*v
    """
    found: dict[Expr, Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(vector)):
        if term == 0:
            continue
        here = [one for one in sympy.Mul.make_args(term) if _is_vector(one)]
        factor = term / here[0] if len(here) == 1 else None
        if factor is None or factor.atoms(*_VECTORS) - _inside_numbers(factor):
            raise TypeError(f"a vector must be a linear combination of vector letters, got {vector}")
        found[here[0]] = found.get(here[0], S.Zero) + factor
    return dict(sorted(found.items(), key=lambda item: sympy.default_sort_key(item[0])))


def _inside_numbers(factor: Expr) -> set[Expr]:
    """Vectors that occur in inner products and norms only, which are numbers."""
    return set().union(*(one.atoms(*_VECTORS) for one in factor.atoms(inner, norm)))


def _is_vector(one: Expr) -> bool:
    return isinstance(one.args[0] if isinstance(one, sympy.Sum) else one, _VECTORS)
