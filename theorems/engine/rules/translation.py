"""From SymPy to Z3: exactly, with what makes the terms defined, or a TypeError naming the node.

Letters and whatever has no arithmetic are real constants, functions such as ``log`` and ``f`` are
functions on the reals of which Z3 knows their sign at most. A root is a constant y >= 0 with
y**q = x. Z3 gives 1/0, the root of -1 and log(-1) some value: a statement says what it says only
where its conditions hold: x != 0, x >= 0, x > 0. They are collected on the way.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, reduce
from importlib import import_module
from typing import Any, TypeAlias

import sympy
from sympy import Expr, Rational, S, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.functions import PARTIAL, TOTAL, is_function
from theorems.engine.rules.names import name_of
from theorems.engine.rules.ranges import Objects, ends_of, is_integral

#: Terms of Z3, which has no types that a checker could read.
BoolRef: TypeAlias = Any
ArithRef: TypeAlias = Any

_SIGNS = ("positive", "nonnegative", "negative", "nonpositive")
#: Stands for the index of a sum, so that sums are the same whatever their index is called.
_INDEX = sympy.Dummy("index", dummy_index=271828182)
_RESERVED = "index of "


@cache
def solver_library() -> Any:
    """Z3, imported when the first statement is translated: it takes a quarter of a second."""
    return import_module("z3")


class Translation:
    """One problem for the solver: letters, functions, and the facts that define the constants.

    ``facts`` hold for all values of the letters.
    """

    def __init__(self, over: Mapping[Symbol, Set]) -> None:
        self.z3, self.over = solver_library(), over
        self.terms: dict[str, Expr] = {}  # what the constants stand for
        self.functions: dict[str, Any] = {}
        self.facts: dict[str, BoolRef] = {}
        self.degrees: dict[str, int] = {}  # of the roots of numbers
        self.existing: list[BoolRef] = []  # that the integrals and derivatives exist
        self._short_names: dict[str, str] = {}
        self._conditions: list[BoolRef] = []
        self._known: dict[Any, tuple[ArithRef, list[BoolRef]]] = {}
        for letter, range_ in over.items():
            if letter.name.startswith(_RESERVED):
                raise TypeError(f"{letter} is a name that the translation gives to indices")
            if not isinstance(range_, Objects):
                self.terms[self._short(name_of(letter))] = letter

    def formula(self, statement: Boolean) -> tuple[BoolRef, BoolRef]:
        """A statement, and the condition under which everything in it is defined."""
        with self._collected() as conditions:
            formula = self._truth(statement)
        return formula, self.all_of(conditions)

    def member(self, value: Expr, range_: Set) -> BoolRef:
        """The condition that a value is defined and in a set; objects are where they belong."""
        if isinstance(range_, Objects):
            return self.all_of([])
        with self._collected() as conditions:
            term = self._real(value)
            inside = self._inside(term, range_)
        return self.all_of([*conditions, inside])

    def _inside(self, term: ArithRef, range_: Set) -> BoolRef:
        if isinstance(range_, sympy.FiniteSet):
            return self.z3.Or([term == self._real(one) for one in range_])
        parts = [self.z3.IsInt(term)] if is_integral(range_) else []
        for end, least, inside in ends_of(range_):
            low, high = (self._real(end), term) if least else (term, self._real(end))
            parts.append(low <= high if inside else low < high)
        return self.all_of(parts)

    def all_of(self, parts: list[BoolRef]) -> BoolRef:
        """The conjunction; true if there are no parts."""
        return self.z3.And(parts) if parts else self.z3.BoolVal(True)

    @contextmanager
    def _collected(self) -> Iterator[list[BoolRef]]:
        outside, self._conditions = self._conditions, []
        try:
            yield self._conditions
        finally:
            self._conditions = outside

    def _under(self, condition: BoolRef, conditions: list[BoolRef]) -> None:
        if conditions:
            self._conditions.append(self.z3.Implies(condition, self.all_of(conditions)))

    # Statements

    def _truth(self, node: Any) -> BoolRef:
        if node in (sympy.true, sympy.false):
            return self.z3.BoolVal(bool(node))
        if isinstance(node, sympy.Implies):
            return self._implication(*node.args)
        if isinstance(node, sympy.Contains):
            return self._inside(self._real(node.args[0]), node.args[1])
        if isinstance(node, sympy.core.relational.Relational):
            left, right = (self._real(side) for side in node.args)
            return self._relation(type(node))(left, right)
        if getattr(node, "is_opaque", False):
            return self.z3.Bool(self._short(name_of(node)))
        connective = self._connective(type(node))
        if connective is None:
            raise TypeError(f"no statement about numbers: {type(node).__name__} {node}")
        return connective(self._parts(node))

    def _parts(self, node: Boolean) -> list[BoolRef]:
        """The parts of a connective, to be defined where those that always are do not decide."""
        parts = []
        for part in node.args:
            with self._collected() as conditions:
                parts.append((self._truth(part), conditions))
        total = [formula for formula, conditions in parts if not conditions]
        deciding = {sympy.And: self.all_of(total), sympy.Or: self.z3.Not(self.z3.Or(total))}
        for _, conditions in parts:
            self._under(deciding.get(type(node), self.all_of([])), conditions)
        return [formula for formula, _ in parts]

    def _implication(self, before: Boolean, after: Boolean) -> BoolRef:
        left = self._truth(before)
        with self._collected() as conditions:
            right = self._truth(after)
        self._under(left, conditions)
        return self.z3.Implies(left, right)

    def _relation(self, kind: type) -> Callable[[Any, Any], Any]:
        return {
            sympy.Eq: lambda a, b: a == b,
            sympy.Ne: lambda a, b: a != b,
            sympy.Le: lambda a, b: a <= b,
            sympy.Lt: lambda a, b: a < b,
            sympy.Ge: lambda a, b: a >= b,
            sympy.Gt: lambda a, b: a > b,
        }[kind]

    def _connective(self, kind: type) -> Callable[[list[Any]], Any] | None:
        return {
            sympy.And: self.z3.And,
            sympy.Or: self.z3.Or,
            sympy.Not: lambda parts: self.z3.Not(parts[0]),
            sympy.Equivalent: lambda parts: self.all_of([parts[0] == one for one in parts[1:]]),
        }.get(kind)

    # Numbers

    def _real(self, node: Any) -> ArithRef:
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

    def _new(self, node: Any) -> ArithRef:
        rule = self._rules.get(node.func if isinstance(node, Expr) else None)
        if rule is not None:
            return rule(node)
        if isinstance(node, Rational):
            return self.z3.RatVal(int(node.p), int(node.q))
        if isinstance(node, Symbol):
            return self.letter(node)
        if isinstance(node, Expr):
            return self._named(node)
        raise TypeError(f"no number: {type(node).__name__} {node}")

    @cached_property
    def _rules(self) -> Mapping[Any, Callable[[Any], ArithRef]]:
        z3, If = self.z3, self.z3.If
        return {
            sympy.Add: lambda node: z3.Sum([self._real(one) for one in node.args]),
            sympy.Mul: lambda node: z3.Product([self._real(one) for one in node.args]),
            sympy.Pow: self._power,
            sympy.Abs: lambda node: self._absolute(self._real(node.args[0])),
            sympy.sign: lambda node: self._sign(self._real(node.args[0])),
            sympy.Max: lambda node: self._fold(node, lambda a, b: If(a >= b, a, b)),
            sympy.Min: lambda node: self._fold(node, lambda a, b: If(a <= b, a, b)),
            sympy.Piecewise: self._piecewise,
            sympy.Sum: self._sum,
            sympy.exp: self._exponential,
        }

    def _absolute(self, x: ArithRef) -> ArithRef:
        return self.z3.If(x >= 0, x, -x)

    def _sign(self, x: ArithRef) -> ArithRef:
        one = self._real(S.One)
        return self.z3.If(x > 0, one, self.z3.If(x < 0, -one, one - one))

    def _fold(self, node: Expr, step: Callable[[Any, Any], Any]) -> ArithRef:
        return reduce(step, [self._real(one) for one in node.args])

    def _piecewise(self, node: Expr) -> ArithRef:
        value, pieces = None, [(piece, self._truth(condition)) for piece, condition in node.args]
        self._conditions.append(self.z3.Or([condition for _, condition in pieces]))
        for expression, condition in reversed(pieces):
            with self._collected() as conditions:
                branch = self._real(expression)
            self._under(condition, conditions)
            value = branch if value is None else self.z3.If(condition, branch, value)
        return value

    def _power(self, node: Expr) -> ArithRef:
        base, exponent = node.base, node.exp
        if not isinstance(exponent, Rational):
            return self._general_power(node)
        term = self._real(base)
        if exponent.q != 1:
            self._conditions.append(term >= 0)
            term = self._root(base, term, int(exponent.q))
        if exponent.p >= 0:
            return term ** int(exponent.p)
        self._conditions.append(term != 0)
        return 1 / term ** int(-exponent.p)

    def _root(self, base: Expr, term: ArithRef, degree: int) -> ArithRef:
        root = self._constant(f"root {degree} of {name_of(base)}", base ** Rational(1, degree))
        defined = self.z3.And(root >= 0, root**degree == term)
        self.facts[str(root)] = self.z3.Implies(term >= 0, defined)
        if base.is_number:
            self.degrees[str(root)] = degree
        return root

    def _general_power(self, node: Expr) -> ArithRef:
        base = self._real(node.base)
        if node.exp.is_integer:
            condition = [] if node.exp.is_nonnegative else [base != 0]
        else:
            condition = [base >= 0 if node.exp.is_positive else base > 0]
        self._conditions += condition
        power = self._applied(node, "power", node.func, (node.base, node.exp))
        self.facts[f"power {power.get_id()}"] = self.z3.Implies(base > 0, power > 0)
        return power

    def _exponential(self, node: Expr) -> ArithRef:
        """As SymPy has it: the exponential of a sum is the product of the exponentials."""
        factors = [self._one_exponential(term) for term in sympy.Add.make_args(node.args[0])]
        return self.z3.Product(factors)

    def _one_exponential(self, term: Expr) -> ArithRef:
        times, rest = term.as_coeff_Mul()
        if not times.is_Integer:
            times, rest = S.One, term
        real = self.z3.RealSort()
        value = self.z3.Function("exp", real, real)(self._real(rest))
        self.functions["exp"] = sympy.exp
        self._known_values(sympy.exp)
        self.facts[f"sign of {value.get_id()}"] = value > 0
        return value ** int(times) if times.is_positive else 1 / value ** int(-times)

    def _sum(self, node: Expr) -> ArithRef:
        body, *limits = node.args
        index, low, high = limits[0]
        if len(limits) > 1 or not (low.is_integer and high.is_integer and _fits(index, low)):
            raise TypeError(f"a sum must run over one index between integers, got {node}")
        place = body.xreplace({index: _INDEX})
        inside = self._for_each(body, index, low, high)
        self._conditions += [] if inside is None else [inside]
        again = lambda *ends: node.func(body, (index, *ends))  # noqa: E731 - to read it back
        total = self._applied(node, f"sum of {name_of(place)}", again, (low, high))
        values = [one for one in body.atoms(AppliedUndef) if not hasattr(one, "belongs_to")]
        reals = {one: sympy.Dummy(real=True) for one in values}
        if body.xreplace(reals).is_nonnegative:
            whole = self._real(low) <= self._real(high) + 1
            self.facts[f"terms of {total.get_id()}"] = self.z3.Implies(whole, total >= 0)
        return total

    def _for_each(self, body: Expr, index: Symbol, low: Expr, high: Expr) -> BoolRef | None:
        """The condition that all terms of a sum are defined, at one index where some is not."""
        plain = name_of((body.xreplace({index: _INDEX}), low, high))
        some = Symbol(f"{_RESERVED}{plain}", integer=True)
        ends, place = (self._real(low), self._real(high)), self._constant(name_of(some), some)
        with self._collected() as conditions:
            self._real(body.xreplace({index: some}))
        inside = self.z3.And(self.z3.IsInt(place), ends[0] <= place, place <= ends[1])
        return self.z3.Implies(inside, self.all_of(conditions)) if conditions else None

    def _named(self, node: Expr) -> ArithRef:
        """A function of real numbers, or a term that is a number for the solver and no more."""
        if getattr(node, "square", None) is not None:
            return self._length(node)
        if getattr(node, "is_opaque", False) or isinstance(node, sympy.core.numbers.NumberSymbol):
            return self._signed(self._constant(name_of(node.as_dummy()), node), node)
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

    def _function(self, node: Expr, name: str) -> ArithRef:
        if self.functions.get(self._short(name), node.func) != node.func:
            raise TypeError(f"two functions are called {name}")
        return self._applied(node, name, node.func, node.args)

    def _existing(self, node: Expr) -> ArithRef:
        """A limit of any kind: a number if it exists, which only a premise can tell."""
        name = name_of(node.as_dummy())
        self.existing.append(self.z3.Bool(self._short(f"exists {name}")))
        self._conditions.append(self.existing[-1])
        return self._signed(self._constant(name, node), node)

    def _length(self, node: Any) -> ArithRef:
        """A norm: at least 0, and its square is an inner product."""
        length = self._constant(name_of(node), node)
        squared = length**2 == self._real(node.square)
        self.facts[str(length)] = self.z3.And(length >= 0, squared)
        return length

    def _domain(self, node: Expr) -> list[BoolRef]:
        if not isinstance(node, PARTIAL):
            return []
        x = self._real(node.args[0])
        if isinstance(node, sympy.log):
            return [x > 0]
        if isinstance(node, sympy.tan):
            return [self._real(sympy.cos(node.args[0])) != 0]
        return [x >= -1, x <= 1]

    def _known_values(self, head: Any) -> None:
        """Note what SymPy makes of the function at 0 and 1, where that is rational: exp(0) = 1."""
        if head not in (*TOTAL, *PARTIAL, sympy.exp):
            return
        function = self.z3.Function(head.__name__, self.z3.RealSort(), self.z3.RealSort())
        for place in (S.Zero, S.One):
            value = head(place)
            if isinstance(value, Rational):
                known = function(self._real(place)) == self._real(value)
                self.facts[f"{head.__name__} at {place}"] = known

    def _applied(self, node: Expr, name: str, head: Any, args: tuple[Expr, ...]) -> ArithRef:
        real, short = self.z3.RealSort(), self._short(name)
        function = self.z3.Function(short, *[real] * (len(args) + 1))
        self.functions[short] = head
        return self._signed(function(*[self._real(one) for one in args]), node)

    def _signed(self, term: ArithRef, node: Expr) -> ArithRef:
        """Note the sign that SymPy knows, as it has used it already in simplifying."""
        known = next((sign for sign in _SIGNS if getattr(node, f"is_{sign}")), None)
        facts = {"positive": term > 0, "nonnegative": term >= 0}
        facts |= {"negative": term < 0, "nonpositive": term <= 0}
        if known:
            self.facts[f"sign of {term.get_id()}"] = facts[known]
        return term

    def letter(self, letter: Symbol) -> ArithRef:
        """The constant for a letter; TypeError for an object and for what has no set."""
        name = name_of(letter)
        if isinstance(self.over.get(letter), Objects):
            raise TypeError(f"{letter} is no number: it is one of {self.over[letter]}")
        if letter not in self.over and name not in self._short_names:
            raise TypeError(f"{letter} is no letter of the statement: it has no set")
        return self._constant(name, letter)

    def _constant(self, name: str, term: Expr) -> ArithRef:
        short = self._short(name)
        self.terms[short] = term
        return self.z3.Real(short)

    def _short(self, name: str) -> str:
        """The name in the solver, which orders constants by name: the same in whatever process."""
        short = name if name.isidentifier() else f"#{len(self._short_names)}"
        return self._short_names.setdefault(name, short)


def _fits(index: Symbol, low: Expr) -> bool:
    """Whether what is assumed of the index of a sum holds of its values, from the first one on."""
    signs = [{}, {"nonnegative": True}] if low.is_nonnegative else [{}]
    signs += [{"positive": True}] if low.is_positive else []
    known = [Symbol("k", integer=True, **sign).assumptions0 for sign in signs]
    return index.assumptions0 in [*known, Symbol("k").assumptions0]
