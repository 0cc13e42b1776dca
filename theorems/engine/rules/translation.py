"""From SymPy to terms of real arithmetic: exactly, with what makes them defined, or a TypeError.

Letters and whatever has no arithmetic are real constants, functions such as ``log`` and ``f`` are
functions on the reals of which a solver knows their sign at most. A root is a constant y >= 0 with
y**q = x. Solvers give 1/0, the root of -1 and log(-1) some value: a statement says what it says
only where its conditions hold: x != 0, x >= 0, x > 0. They are collected on the way.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any

import sympy
from sympy import Expr, Rational, S, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules import terms
from theorems.engine.rules.functions import PARTIAL, TOTAL, is_function
from theorems.engine.rules.kept_terms import (
    RESERVED,
    is_nonnegative_of_reals,
    name_of_terms,
    sign_known,
    some_term,
)
from theorems.engine.rules.names import name_of, with_bound_letters_renamed
from theorems.engine.rules.ranges import Objects, ends_of, is_integral
from theorems.engine.rules.terms import Term

_ZERO = terms.number(0)


class Translation:
    """One problem for the solver: letters, functions, and the facts that define the constants.

    ``facts`` hold for all values of the letters.
    """

    def __init__(self, over: Mapping[Symbol, Set]) -> None:
        self.over = over
        self.terms: dict[str, Expr] = {}  # what the constants stand for
        self.functions: dict[str, Any] = {}
        self.facts: dict[tuple[str, Term], Term] = {}
        self.degrees: dict[Term, int] = {}  # of the roots of numbers
        self.existing: list[Term] = []  # that the integrals and derivatives exist
        self._conditions: list[Term] = []
        self._known: dict[Any, tuple[Term, list[Term]]] = {}
        for letter, range_ in over.items():
            if letter.name.startswith(RESERVED):
                raise TypeError(f"{letter} is a name that the translation gives to indices")
            if not isinstance(range_, Objects):
                self.terms[name_of(letter)] = letter

    def formula(self, statement: Boolean) -> tuple[Term, Term]:
        """A statement, and the condition under which everything in it is defined."""
        with self._collected() as conditions:
            formula = self._truth(statement)
        return formula, terms.both(conditions)

    def member(self, value: Expr, range_: Set) -> Term:
        """The condition that a value is defined and in a set; objects are where they belong."""
        if isinstance(range_, Objects):
            return terms.TRUE
        with self._collected() as conditions:
            term = self._real(value)
            inside = self._inside(term, range_)
        return terms.both([*conditions, inside])

    def _inside(self, term: Term, range_: Set) -> Term:
        if isinstance(range_, sympy.FiniteSet):
            return terms.either(terms.equal(term, self._real(one)) for one in range_)
        parts = [terms.whole(term)] if is_integral(range_) else []
        for end, least, inside in ends_of(range_):
            low, high = (self._real(end), term) if least else (term, self._real(end))
            parts.append(terms.at_most(low, high) if inside else terms.below(low, high))
        return terms.both(parts)

    @contextmanager
    def _collected(self) -> Iterator[list[Term]]:
        outside, self._conditions = self._conditions, []
        try:
            yield self._conditions
        finally:
            self._conditions = outside

    def _under(self, condition: Term, conditions: list[Term]) -> None:
        if conditions:
            self._conditions.append(terms.implies(condition, terms.both(conditions)))

    # Statements

    def _truth(self, node: Any) -> Term:
        if node in (sympy.true, sympy.false):
            return terms.truth(bool(node))
        if isinstance(node, sympy.Implies):
            return self._implication(*node.args)
        if isinstance(node, sympy.Contains):
            return self._inside(self._real(node.args[0]), node.args[1])
        if isinstance(node, sympy.core.relational.Relational):
            left, right = (self._real(side) for side in node.args)
            return _RELATIONS[type(node)](left, right)
        if getattr(node, "is_opaque", False):
            return terms.letter(name_of(node), "Bool")
        connective = _CONNECTIVES.get(type(node))
        if connective is None:
            raise TypeError(f"no statement about numbers: {type(node).__name__} {node}")
        return connective(self._parts(node))

    def _parts(self, node: Boolean) -> list[Term]:
        """The parts of a connective, to be defined where those that always are do not decide."""
        parts = []
        for part in node.args:
            with self._collected() as conditions:
                parts.append((self._truth(part), conditions))
        total = [formula for formula, conditions in parts if not conditions]
        deciding = {sympy.And: terms.both(total), sympy.Or: terms.no(terms.either(total))}
        for _, conditions in parts:
            self._under(deciding.get(type(node), terms.TRUE), conditions)
        return [formula for formula, _ in parts]

    def _implication(self, before: Boolean, after: Boolean) -> Term:
        left = self._truth(before)
        with self._collected() as conditions:
            right = self._truth(after)
        self._under(left, conditions)
        return terms.implies(left, right)

    # Numbers

    def _real(self, node: Any) -> Term:
        """The term for an expression, made once, and the conditions under which it is defined."""
        if node not in self._known:
            outside, self._conditions = self._conditions, []
            try:
                self._known[node] = self._new(node), self._conditions
            finally:
                self._conditions = outside
        term, conditions = self._known[node]
        self._conditions += conditions
        return term

    def _new(self, node: Any) -> Term:
        rule = self._rules.get(node.func if isinstance(node, Expr) else None)
        if rule is not None:
            return rule(node)
        if isinstance(node, Rational):
            return terms.number(Fraction(int(node.p), int(node.q)))
        if isinstance(node, Symbol):
            return self.letter(node)
        if isinstance(node, Expr):
            return self._named(node)
        raise TypeError(f"no number: {type(node).__name__} {node}")

    @cached_property
    def _rules(self) -> Mapping[Any, Callable[[Any], Term]]:
        return {
            sympy.Add: lambda node: terms.add(*map(self._real, node.args)),
            sympy.Mul: lambda node: terms.multiply(*map(self._real, node.args)),
            sympy.Pow: self._power,
            sympy.Abs: lambda node: _absolute(self._real(node.args[0])),
            sympy.sign: lambda node: _sign(self._real(node.args[0])),
            sympy.Max: lambda node: self._fold(node, terms.at_least),
            sympy.Min: lambda node: self._fold(node, terms.at_most),
            sympy.Piecewise: self._piecewise,
            sympy.Sum: self._sum,
            sympy.exp: self._exponential,
        }

    def _fold(self, node: Expr, before: Callable[[Term, Term], Term]) -> Term:
        parts = map(self._real, node.args)
        return reduce(lambda a, b: terms.choice(before(a, b), a, b), parts)

    def _piecewise(self, node: Expr) -> Term:
        pieces = [(piece, self._truth(condition)) for piece, condition in node.args]
        value: Term | None = None
        self._conditions.append(terms.either(condition for _, condition in pieces))
        for expression, condition in reversed(pieces):
            with self._collected() as conditions:
                branch = self._real(expression)
            self._under(condition, conditions)
            value = branch if value is None else terms.choice(condition, branch, value)
        return value or _ZERO

    def _power(self, node: Expr) -> Term:
        base, exponent = node.base, node.exp
        if not isinstance(exponent, Rational):
            return self._general_power(node)
        term = self._real(base)
        if exponent.q != 1:
            self._conditions.append(terms.at_least(term, _ZERO))
            term = self._root(base, term, int(exponent.q))
        if exponent.p >= 0:
            return terms.power(term, int(exponent.p))
        self._conditions.append(terms.different(term, _ZERO))
        return _inverse(terms.power(term, int(-exponent.p)))

    def _root(self, base: Expr, term: Term, degree: int) -> Term:
        root = self._constant(f"root {degree} of {name_of(base)}", base ** Rational(1, degree))
        power = terms.equal(terms.power(root, degree), term)
        defined = terms.both([terms.at_least(root, _ZERO), power])
        self.facts["root", root] = terms.implies(terms.at_least(term, _ZERO), defined)
        if base.is_number:
            self.degrees[root] = degree
        return root

    def _general_power(self, node: Expr) -> Term:
        base = self._real(node.base)
        if node.exp.is_integer:
            condition = [] if node.exp.is_nonnegative else [terms.different(base, _ZERO)]
        else:
            least = terms.at_least if node.exp.is_positive else terms.above
            condition = [least(base, _ZERO)]
        self._conditions += condition
        power = self._applied(node, "power", node.func, (node.base, node.exp))
        positive = terms.implies(terms.above(base, _ZERO), terms.above(power, _ZERO))
        self.facts["power", power] = positive
        return power

    def _exponential(self, node: Expr) -> Term:
        """As SymPy has it: the exponential of a sum is the product of the exponentials."""
        factors = [self._one_exponential(term) for term in sympy.Add.make_args(node.args[0])]
        return terms.multiply(*factors)

    def _one_exponential(self, term: Expr) -> Term:
        times, rest = term.as_coeff_Mul()
        if not times.is_Integer:
            times, rest = S.One, term
        value = terms.call("exp", self._real(rest))
        self.functions["exp"] = sympy.exp
        self._known_values(sympy.exp)
        self.facts["sign", value] = terms.above(value, _ZERO)
        power = terms.power(value, abs(int(times)))
        return power if times.is_positive else _inverse(power)

    def _sum(self, node: Expr) -> Term:
        body, *inner, (index, low, high) = node.args
        if not (low.is_integer and high.is_integer and _fits(index, low)):
            raise TypeError(f"a sum must run over one index between integers, got {node}")
        body = node.func(body, *inner) if inner else body
        inside = self._for_each(body, index, low, high)
        self._conditions += [] if inside is None else [inside]
        again = lambda *ends: node.func(body, (index, *ends))  # noqa: E731 - to read it back
        total = self._applied(node, f"sum of {name_of_terms(body, index)}", again, (low, high))
        if is_nonnegative_of_reals(body):
            after = terms.add(self._real(high), terms.number(1))
            some = terms.at_most(self._real(low), after)
            self.facts["terms", total] = terms.implies(some, terms.at_least(total, _ZERO))
        return total

    def _for_each(self, body: Expr, index: Symbol, low: Expr, high: Expr) -> Term | None:
        """The condition that all terms of a sum are defined, at one index where some is not."""
        some, there = some_term(body, index, low, high)
        ends, place = (self._real(low), self._real(high)), self._constant(name_of(some), some)
        with self._collected() as conditions:
            self._real(there)
        between = [terms.at_most(ends[0], place), terms.at_most(place, ends[1])]
        inside = terms.both([terms.whole(place), *between])
        return terms.implies(inside, terms.both(conditions)) if conditions else None

    def _named(self, node: Expr) -> Term:
        """A function of real numbers, or a term that is a number for the solver and no more."""
        if getattr(node, "square", None) is not None:
            return self._length(node)
        if getattr(node, "is_opaque", False) or isinstance(node, sympy.core.numbers.NumberSymbol):
            return self._signed(self._constant(_name_of_opaque(node), node), node)
        if getattr(node, "is_named", False):  # a function of the paper, of which nothing is known
            return self._function(node, f"paper's {node.func.__name__}")
        if isinstance(node, sympy.Integral | sympy.Derivative | sympy.Limit):
            return self._existing(node)
        if not is_function(node):
            raise TypeError(f"no number that the solver could take: {type(node).__name__} {node}")
        self._conditions += self._domain(node)
        self._known_values(node.func)
        name = name_of(node.func) if isinstance(node, AppliedUndef) else node.func.__name__
        return self._function(node, name)

    def _function(self, node: Expr, name: str) -> Term:
        if self.functions.get(name, node.func) != node.func:
            raise TypeError(f"two functions are called {name}")
        return self._applied(node, name, node.func, node.args)

    def _existing(self, node: Expr) -> Term:
        """A limit of any kind: a number if it exists, which only a premise can tell."""
        name = _name_of_opaque(node)
        self.existing.append(terms.letter(f"exists {name}", "Bool"))
        self._conditions.append(self.existing[-1])
        return self._signed(self._constant(name, node), node)

    def _length(self, node: Any) -> Term:
        """A norm: at least 0, and its square is an inner product."""
        length = self._constant(name_of(node), node)
        squared = terms.equal(terms.power(length, 2), self._real(node.square))
        self.facts["length", length] = terms.both([terms.at_least(length, _ZERO), squared])
        return length

    def _domain(self, node: Expr) -> list[Term]:
        if not isinstance(node, PARTIAL):
            return []
        x = self._real(node.args[0])
        if isinstance(node, sympy.log):
            return [terms.above(x, _ZERO)]
        if isinstance(node, sympy.tan):
            return [terms.different(self._real(sympy.cos(node.args[0])), _ZERO)]
        return [terms.at_least(x, terms.number(-1)), terms.at_most(x, terms.number(1))]

    def _known_values(self, head: Any) -> None:
        """Note what SymPy makes of the function at 0 and 1, where that is rational: exp(0) = 1."""
        if head not in (*TOTAL, *PARTIAL, sympy.exp):
            return
        for place in (S.Zero, S.One):
            value = head(place)
            if isinstance(value, Rational):
                known = terms.call(head.__name__, self._real(place))
                self.facts["value", known] = terms.equal(known, self._real(value))

    def _applied(self, node: Expr, name: str, head: Any, args: tuple[Expr, ...]) -> Term:
        self.functions[name] = head
        return self._signed(terms.call(name, *map(self._real, args)), node)

    def _signed(self, term: Term, node: Expr) -> Term:
        """Note the sign that SymPy knows, as it has used it already in simplifying."""
        known = sign_known(node)
        if known:
            self.facts["sign", term] = _SIGNS[known](term, _ZERO)
        return term

    def letter(self, letter: Symbol) -> Term:
        """The constant for a letter; TypeError for an object and for what has no set."""
        name = name_of(letter)
        if isinstance(self.over.get(letter), Objects):
            raise TypeError(f"{letter} is no number: it is one of {self.over[letter]}")
        if letter not in self.over and name not in self.terms:
            raise TypeError(f"{letter} is no letter of the statement: it has no set")
        return self._constant(name, letter)

    def _constant(self, name: str, term: Expr) -> Term:
        self.terms[name] = term
        return terms.letter(name)


_RELATIONS: dict[type, Callable[[Term, Term], Term]] = {
    sympy.Eq: terms.equal,
    sympy.Ne: terms.different,
    sympy.Le: terms.at_most,
    sympy.Lt: terms.below,
    sympy.Ge: terms.at_least,
    sympy.Gt: terms.above,
}
_CONNECTIVES: dict[type, Callable[[list[Term]], Term]] = {
    sympy.And: terms.both,
    sympy.Or: terms.either,
    sympy.Not: lambda parts: terms.no(parts[0]),
    sympy.Equivalent: lambda parts: terms.both(terms.equal(parts[0], one) for one in parts[1:]),
}
_SIGNS: dict[str, Callable[[Term, Term], Term]] = {
    "positive": terms.above,
    "nonnegative": terms.at_least,
    "negative": terms.below,
    "nonpositive": terms.at_most,
}


def _name_of_opaque(node: Expr) -> str:
    """The name of a term that the solver does not look into, whatever its bound letters are."""
    return name_of(with_bound_letters_renamed(node))


def _inverse(x: Term) -> Term:
    return terms.divide(terms.number(1), x)


def _absolute(x: Term) -> Term:
    return terms.choice(terms.at_least(x, _ZERO), x, terms.multiply(terms.number(-1), x))


def _sign(x: Term) -> Term:
    negative = terms.choice(terms.below(x, _ZERO), terms.number(-1), _ZERO)
    return terms.choice(terms.above(x, _ZERO), terms.number(1), negative)


def _fits(index: Symbol, low: Expr) -> bool:
    """Whether what is assumed of the index of a sum holds of its values, from the first one on."""
    signs = [{}, {"nonnegative": True}] if low.is_nonnegative else [{}]
    signs += [{"positive": True}] if low.is_positive else []
    known = [Symbol("k", integer=True, **sign).assumptions0 for sign in signs]
    return index.assumptions0 in [*known, Symbol("k").assumptions0]
