r"""Letters: what a paper's symbols are called, how they print, what they mean, where they range.

A paper declares each of its letters once, in a table::

    LETTERS = Letters()
    rho = LETTERS.number("rho", r"\rho", "cosine of the angle between two inputs", interval(-1, 1))

What comes back is a SymPy symbol whose assumptions are those that its domain implies, and no
others: a letter that may be 0 is nonnegative, never positive.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import Any

import sympy
from sympy import Expr, Symbol

from theorems.engine.errors import ClaimError
from theorems.engine.statements.domain import Domain

__all__ = ["Kind", "Letter", "Letters", "NamedFunction", "assumptions_of", "printed"]


class Kind(Enum):
    """What sort of thing a letter stands for."""

    NUMBER = "number"
    QUANTITY = "quantity"
    VECTOR = "vector"
    MATRIX = "matrix"
    FUNCTION = "function"
    LAW = "law"
    OBJECT = "object"


@dataclass(frozen=True)
class Letter:
    """A symbol with its LaTeX, its meaning in words, its kind and, for numbers, its domain.

    A *quantity* is a number that the other letters determine, such as a norm: it is not chosen,
    a sampled case supplies it.
    """

    symbol: Symbol
    latex: str
    meaning: str
    kind: Kind
    domain: Domain | None = None

    def __post_init__(self) -> None:
        for name in ("latex", "meaning"):
            value = getattr(self, name)
            if not (isinstance(value, str) and value.strip()):
                raise ClaimError(f"letter {self.symbol}: {name} must be words, got {value!r}")
        numeric = self.kind in {Kind.NUMBER, Kind.QUANTITY}
        if numeric != isinstance(self.domain, sympy.Set):
            raise ClaimError(f"letter {self.symbol}: exactly numbers and quantities have a domain")
        if self.domain is not None:
            _check_assumptions(self.symbol, self.domain)

    @property
    def name(self) -> str:
        """The name by which sentences and points refer to the letter."""
        return str(self.symbol.name)


class NamedFunction(sympy.Function):  # type: ignore[misc]
    """A function of the paper that prints by its own name; made by :meth:`Letters.function`."""

    is_named = True
    written: str = ""
    meaning: str = ""
    shown: int | None = None
    closed_form: Callable[..., Expr] | None = None
    justified_by: str | None = None
    well_known: bool = False

    def _latex(self, printer: Any, exp: Any = None) -> str:
        """What is understood is a letter; another value stands below the name."""
        shown = self.args[: self.shown] if self.shown is not None else self.args
        others = self.args[len(shown) :]
        below = ", ".join(printer._print(one) for one in others)
        told = all(one.is_Symbol for one in others)
        name = self.written if told else f"{{{self.written}}}_{{{below}}}"
        power = "" if exp is None else f"^{{{exp}}}"
        inside = ", ".join(printer._print(one) for one in shown)
        return f"{name}{power}" + (rf"{{\left({inside}\right)}}" if shown else "")

    def _eval_evalf(self, prec: int) -> None:
        """No digits by name: mpmath has other functions that are called zeta or phi as well."""

    def unfolded(self) -> Expr:
        """The closed form at the arguments; ValueError if the paper has none."""
        return _closed_form(self)


@lru_cache(maxsize=4096)
def _closed_form(value: NamedFunction) -> Expr:
    """The closed form of a function; kept, as it may take a derivative to make it."""
    form = type(value).closed_form
    if form is None:
        raise ValueError(f"{type(value).__name__} has no closed form")
    return sympy.sympify(form(*value.args))


class Letters(Mapping[Symbol, Letter]):
    """The letters of a paper, each declared once."""

    def __init__(self) -> None:
        self._letters: dict[Symbol, Letter] = {}
        self._written: dict[Symbol, str] = {}
        self.functions: dict[str, type[NamedFunction]] = {}

    def __getitem__(self, symbol: Symbol) -> Letter:
        return self._letters[symbol]

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self._letters)

    def __len__(self) -> int:
        return len(self._letters)

    @property
    def written(self) -> Mapping[Symbol, str]:
        """How the letters print."""
        return self._written

    def number(self, symbol: str | Symbol, latex: str, meaning: str, domain: Domain) -> Symbol:
        r"""Declare a number that a claim may quantify over.

        >>> from theorems.engine.statements.domain import interval
        >>> delta = Letters().number("delta", r"\Delta", "share of the kink", interval(0, 1))
        >>> delta.is_nonnegative, delta.is_positive
        (True, None)
        """
        return self._declare(symbol, latex, meaning, Kind.NUMBER, domain)

    def quantity(self, symbol: str | Symbol, latex: str, meaning: str, domain: Domain) -> Symbol:
        """Declare a number that a sampled case supplies, a norm say."""
        return self._declare(symbol, latex, meaning, Kind.QUANTITY, domain)

    def thing(self, symbol: str | Symbol, latex: str, meaning: str, kind: Kind) -> Symbol:
        """Declare what is no number: a vector, a matrix, a function, a law, an object."""
        return self._declare(symbol, latex, meaning, kind, None)

    def function(
        self,
        name: str,
        latex: str,
        meaning: str,
        *,
        shown: int | None = None,
        closed_form: Callable[..., Expr] | None = None,
        justified_by: str | None = None,
        well_known: bool = False,
    ) -> type[NamedFunction]:
        """Declare a function; ``shown`` arguments are printed, the others are understood.

        ``closed_form`` evaluates it; ``justified_by`` is the claim that derives this form, or
        None where the closed form is the definition.  The closed form of what is ``well_known``
        is not told to readers.
        """
        attributes = {
            "written": latex,
            "meaning": meaning,
            "shown": shown,
            "closed_form": None if closed_form is None else staticmethod(closed_form),
            "justified_by": justified_by,
            "well_known": well_known,
            "is_real": True,
        }
        if name in self.functions:
            raise ClaimError(f"two functions are named {name}")
        self.functions[name] = type(name, (NamedFunction,), attributes)
        return self.functions[name]

    def _declare(
        self, symbol: str | Symbol, latex: str, meaning: str, kind: Kind, domain: Domain | None
    ) -> Symbol:
        if isinstance(symbol, str):
            symbol = Symbol(symbol, **assumptions_of(domain))
        if any(symbol.name == other.name for other in self._letters):
            raise ClaimError(f"two letters are named {symbol.name}")
        self._letters[symbol] = Letter(symbol, latex, meaning, kind, domain)
        self._written[symbol] = latex
        return symbol


def printed(function: Any, template: str) -> None:
    """Let a function print as the template, with its arguments in the places {0}, {1} and so on."""

    def _latex(node: Any, printer: Any, exp: str | None = None) -> str:
        text = template.format(*map(printer.doprint, node.args))
        return text if exp is None else f"{{{text}}}^{{{exp}}}"

    function._latex = _latex


def quantities(things: Iterable[Symbol], table: Mapping[Symbol, Letter]) -> list[Symbol]:
    """Those of the symbols that are numbers which others determine, such as a norm."""
    return [x for x in things if x in table and table[x].kind is Kind.QUANTITY]


def assumptions_of(domain: Domain | None) -> dict[str, bool]:
    """The SymPy assumptions that a domain implies, ends included.

    >>> from theorems.engine.statements.domain import half_line, integers
    >>> assumptions_of(half_line(0)), assumptions_of(half_line(0, closed=False))
    ({'real': True, 'nonnegative': True}, {'positive': True})
    >>> assumptions_of(integers(2))
    {'integer': True, 'positive': True}
    """
    if domain is None:
        return {}
    real = "integer" if _inside(domain, sympy.S.Integers) else "real"
    found = {real: True}
    if _inside(domain, _RANGE_OF["positive"]):
        return {"positive": True} if real == "real" else {**found, "positive": True}
    if _inside(domain, _RANGE_OF["nonnegative"]):
        found["nonnegative"] = True
    elif _inside(domain, _RANGE_OF["negative"]):
        found["negative"] = True
    return found


_RANGE_OF = {
    "positive": sympy.Interval.open(0, sympy.oo),
    "nonnegative": sympy.Interval(0, sympy.oo),
    "negative": sympy.Interval.open(-sympy.oo, 0),
    "nonpositive": sympy.Interval(-sympy.oo, 0),
    "integer": sympy.S.Integers,
    "zero": sympy.FiniteSet(0),
}


@cache
def _inside(domain: Domain, other: Domain) -> bool:
    """Whether a domain is known to be a part of another one; many letters have the same."""
    return domain.is_subset(other) is True


def _check_assumptions(symbol: Symbol, domain: Domain) -> None:
    """A symbol must not assume more than its domain implies."""
    for assumption, allowed in _RANGE_OF.items():
        if getattr(symbol, f"is_{assumption}") and not _inside(domain, allowed):
            raise ClaimError(f"letter {symbol} is {assumption}, but ranges over {domain}")
    if symbol.is_nonzero and domain.contains(0) is sympy.true:
        raise ClaimError(f"letter {symbol} is nonzero, but ranges over {domain}")


def restricted(letter: Letter, domain: Domain | None) -> Domain | None:
    """The domain of a letter in a claim: its own, or a part of it."""
    if domain is None:
        return letter.domain
    if letter.domain is None:
        raise ClaimError(f"{letter.symbol} is no number, so that it has no domain")
    if not _inside(domain, letter.domain):
        raise ClaimError(f"{letter.symbol} ranges over {letter.domain}, not {domain}")
    return domain


def names(symbols: Iterable[Symbol]) -> str:
    """Symbols by name, in order, for messages."""
    return ", ".join(sorted(str(one) for one in symbols))
