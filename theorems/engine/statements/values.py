"""Relations evaluated in ball arithmetic, at exact points and at quantities that carry rounding."""

import itertools
import math
import operator
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from numbers import Rational, Real
from typing import Any, NamedTuple, TypeAlias

import sympy
from flint import arb, ctx, fmpq
from sympy import Expr, Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or

from symbolic.enclosure import enclose
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import NamedFunction

__all__ = [
    "Comparison",
    "Evaluator",
    "Quantity",
    "Rounded",
    "as_ball",
    "compare",
    "contains",
    "points",
    "sides",
    "unfolded",
]

_PRECISION = 128


@dataclass(frozen=True)
class Rounded:
    """A float with the largest rounding error that it may carry, derived where it is computed."""

    value: float
    error: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and 0 <= self.error < math.inf):
            raise ValueError(f"a rounded number is finite, with an error >= 0, got {self}")


Quantity: TypeAlias = Rational | float | Expr | arb | Rounded


def as_ball(value: Quantity) -> arb:
    """A value as a ball: exact numbers and floats as they are, rounded ones with their error.

    >>> as_ball(Fraction(1, 4)), as_ball(Rounded(1.0, 0.5))
    (0.250000000000000, [1e+0 +/- 0.501])
    """
    if isinstance(value, arb):
        return value
    if isinstance(value, Rounded):
        return arb(float(value.value), float(value.error))
    if isinstance(value, Expr):
        return enclose(value, {}, _PRECISION)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"a quantity is a number, a ball or Rounded, got {value!r}")
    if isinstance(value, Rational):
        return arb(fmpq(int(value.numerator), int(value.denominator)))
    if not math.isfinite(value):
        raise ValueError(f"a quantity must be finite, got {value!r}")
    return arb(float(value))


@lru_cache(maxsize=4096)
def unfolded(expression: Any) -> Any:
    """An expression with the paper's functions replaced by their closed forms, if they have one."""
    found = {one for one in expression.atoms(NamedFunction) if type(one).closed_form is not None}
    if not found:
        return expression
    inner = {one: one.func(*map(unfolded, one.args)).unfolded() for one in found}
    return rebuilt(expression, inner)


def rebuilt(expression: Any, replaced: Mapping[Any, Any]) -> Any:
    """Replace nodes without letting SymPy evaluate the relations among them."""
    if expression in replaced:
        return replaced[expression]
    if not expression.args:
        return expression
    arguments = [rebuilt(one, replaced) for one in expression.args]
    if all(new is old for new, old in zip(arguments, expression.args, strict=True)):
        return expression
    if isinstance(expression, Boolean):
        return expression.func(*arguments, evaluate=False)
    return expression.func(*arguments)


class Comparison(NamedTuple):
    """Whether a relation holds at a point, and how close it is to failing.

    ``answer`` is None where the balls overlap.  ``ratio`` is the left side over the right one,
    or for an equation the distance of the sides in units of the rounding; ``rounding`` is what
    the ratio may be off by, infinite where the comparison says nothing.
    """

    answer: bool | None
    ratio: float | None = None
    rounding: float = 0.0


def sides(relation: Boolean) -> tuple[Expr, Expr]:
    """The smaller and the larger side of an inequality, or the two sides of an equation."""
    if isinstance(relation, sympy.Ge | sympy.Gt):
        return relation.rhs, relation.lhs
    return relation.lhs, relation.rhs


def compare(relation: Boolean, point: Mapping[Symbol, Quantity]) -> Comparison:
    """Evaluate a relation where its letters have these values.

    >>> x = sympy.Symbol("x", real=True)
    >>> compare(x**2 <= x, {x: Fraction(1, 2)}).answer, compare(x**2 <= x, {x: 2}).ratio
    (True, 2.0)
    """
    return Evaluator(relation)(point)


class Evaluator:
    """A relation to be evaluated at many points: its functions are unfolded once."""

    def __init__(self, relation: Boolean) -> None:
        self.relation = unfolded(relation)

    def __call__(self, point: Mapping[Symbol, Quantity]) -> Comparison:
        """The comparison at a point; rational sides whose balls overlap are compared exactly."""
        exact = all(isinstance(value, Rational | sympy.Rational) for value in point.values())
        with _precision():
            balls = {x: as_ball(value) for x, value in point.items()}
            return _compare(self.relation, balls, point if exact else None)


def _exactly(relation: Boolean, point: Mapping[Symbol, Any]) -> Comparison | None:
    """The comparison of two sides that are rational numbers; None if they are not."""
    if relation.has(sympy.exp, sympy.log):
        return None  # SymPy would look for roots of huge powers
    values = tuple((x, sympy.Rational(value)) for x, value in point.items())
    left, right = (_exact_value(side, values) for side in sides(relation))
    if not (left.is_Rational and right.is_Rational):
        return None
    if isinstance(relation, sympy.Eq | sympy.Ne):
        equal = left == right
        return Comparison(equal == isinstance(relation, sympy.Eq), 0.0 if equal else math.inf)
    strict = isinstance(relation, sympy.Lt | sympy.Gt)
    ratio = left / right if right > 0 else 1 + (left - right) / (abs(left) + abs(right) or 1)
    return Comparison(bool(left < right if strict else left <= right), float(ratio))


@lru_cache(maxsize=4096)
def _exact_value(expression: Expr, point: tuple[tuple[Symbol, sympy.Rational], ...]) -> Expr:
    """The value at exact numbers; SymPy knows more of them, such as roots of squares.

    It is kept, as variants of a relation share a side and are tried at the same points.
    """
    quotients = {x: fmpq(int(one.p), int(one.q)) for x, one in point}
    value = _rational(expression, quotients)
    if value is None:
        return expression.xreplace(dict(point))
    return sympy.Rational(int(value.p), int(value.q))


def _rational(expression: Expr, values: Mapping[Symbol, fmpq]) -> fmpq | None:
    """The value by sums, products and whole powers alone; None where there is more."""
    if expression.is_Symbol:
        return values.get(expression)
    if expression.is_Rational:
        return fmpq(int(expression.p), int(expression.q))
    if expression.is_Pow:
        base, exponent = _rational(expression.base, values), expression.exp
        whole = exponent.is_Integer and abs(exponent) <= _HIGHEST
        if base is None or not whole or (base == 0 and exponent < 0):
            return None
        return base ** int(exponent)
    if expression.func not in _FOLDS:
        return None
    parts = [_rational(one, values) for one in expression.args]
    known = [one for one in parts if one is not None]
    return reduce(_FOLDS[expression.func], known) if len(known) == len(parts) else None


#: Higher powers than this are left to SymPy.
_HIGHEST = 1000
_FOLDS: dict[type, Callable[[fmpq, fmpq], fmpq]] = {sympy.Add: operator.add, sympy.Mul: operator.mul}


@contextmanager
def _precision() -> Iterator[None]:
    before, ctx.prec = ctx.prec, _PRECISION
    try:
        yield
    finally:
        ctx.prec = before


def _compare(
    relation: Boolean, point: Mapping[Symbol, arb], exact: Mapping[Symbol, Any] | None
) -> Comparison:
    if relation in {True, False}:
        return Comparison(relation is sympy.true)
    if isinstance(relation, And | Or | Not | Implies | Equivalent):
        return _compound(relation, point, exact)
    if not isinstance(relation, sympy.core.relational.Relational):
        raise TypeError(f"no ball arithmetic for the relation {relation}")
    left, right = (enclose(side, point, _PRECISION) for side in sides(relation))
    if not (left.is_finite() and right.is_finite()):
        return Comparison(None, None, math.inf)
    if isinstance(relation, sympy.Eq | sympy.Ne):
        found = _equation(left, right, negated=isinstance(relation, sympy.Ne))
    else:
        found = _inequality(left, right, isinstance(relation, sympy.Lt | sympy.Gt))
    if found.answer is None and exact is not None:
        return _exactly(relation, exact) or found
    return found


def _equation(left: arb, right: arb, *, negated: bool) -> Comparison:
    gap = left - right
    size = max(float(abs(left).upper()), float(abs(right).upper()))
    said = math.inf if size and float(gap.rad()) >= size / 100 else 0.0
    if 0 in gap:
        exact = gap.rad() == 0
        answer = (not negated) if exact else None
        ratio = 0.0 if exact else float(abs(gap.mid()) / gap.rad())
        return Comparison(answer, ratio, said)
    return Comparison(negated, math.inf, 0.0)


def _inequality(left: arb, right: arb, strict: bool) -> Comparison:
    gap = right - left
    answer = _above(gap, strict)
    if right > 0:
        ratio = left / right
        return Comparison(answer, float(ratio.mid()), float(ratio.rad()))
    size = abs(left) + abs(right)
    if size.rad() == 0 and size == 0:
        return Comparison(answer, 1.0, 0.0)
    ratio = 1 - gap / size  # not a number if the size may be zero
    if not ratio.is_finite():
        return Comparison(answer, None, math.inf if answer is None else 0.0)
    return Comparison(answer, float(ratio.mid()), float(ratio.rad()))


def _above(gap: arb, strict: bool) -> bool | None:
    """Whether a ball is positive or, unless that is asked for, zero; None where it is partly so."""
    if gap > 0:
        return True
    if gap < 0:
        return False
    return not strict if gap == 0 else None


def _compound(
    relation: Boolean, point: Mapping[Symbol, arb], exact: Mapping[Symbol, Any] | None
) -> Comparison:
    found = [_compare(one, point, exact) for one in relation.args]
    answers = [one.answer for one in found]
    worst = max((one for one in found if one.ratio is not None), key=_ratio, default=found[0])
    if isinstance(relation, And):
        return worst._replace(answer=_all(answers))
    if isinstance(relation, Or):
        return Comparison(_not(_all([_not(one) for one in answers])))
    if isinstance(relation, Not):
        return Comparison(_not(answers[0]))
    if isinstance(relation, Implies):
        return Comparison(_not(_all([answers[0], _not(answers[1])])))
    return Comparison(None if None in answers else len(set(answers)) == 1)


def _ratio(one: Comparison) -> float:
    return -math.inf if one.ratio is None else one.ratio


def _all(answers: list[bool | None]) -> bool | None:
    if False in answers:
        return False
    return None if None in answers else True


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def contains(domain: Domain, value: Quantity) -> bool | None:
    """Whether a value lies in a domain; None where its rounding leaves it open.

    >>> contains(sympy.Interval(0, 1), Fraction(1)), contains(sympy.Interval.open(0, 1), 0)
    (True, False)
    """
    ball = as_ball(value)
    if isinstance(domain, sympy.Range):
        return _in_range(domain, ball)
    if domain is sympy.S.Reals:
        return True
    if isinstance(domain, sympy.Interval):
        return _all(
            [_after(ball, domain.start, domain.left_open), _after(-ball, -domain.end, domain.right_open)]
        )
    if isinstance(domain, sympy.FiniteSet):
        return _not(_all([_not(_equation(ball, as_ball(one), negated=False).answer) for one in domain]))
    if isinstance(domain, sympy.Union):
        return _not(_all([_not(contains(one, value)) for one in domain.args]))
    raise TypeError(f"no membership in {domain}")


def _in_range(domain: sympy.Range, ball: arb) -> bool | None:
    """Whether the one integer in a ball is a member; a ball without integers has none."""
    low, high = (ball.mid() - ball.rad()).ceil(), (ball.mid() + ball.rad()).floor()
    if low > high:
        return False
    exact = ball.unique_fmpz()
    if exact is None:
        return None
    member = bool(domain.contains(sympy.Integer(int(exact))))
    return member if ball.rad() == 0 or not member else None


def _after(ball: arb, end: Expr, opened: bool) -> bool | None:
    if end.is_infinite:
        return True
    return _above(ball - as_ball(end), opened)


_FAR = (1, 2, 3, 10, 100)
_SHARES = tuple(
    Fraction(*pair) for pair in ((1, 2), (1, 3), (2, 3), (1, 10), (9, 10), (1, 1000), (999, 1000))
)
_SEED = 20261122


def points(domains: Mapping[Symbol, Domain], count: int = 64) -> Iterator[dict[Symbol, Any]]:
    """Exact points of a box, the same ones on every call: corners first, then from everywhere."""
    names = sorted(domains, key=str)
    choices = [_choices(domains[one]) for one in names]
    corners = itertools.islice(itertools.product(*(one[:2] for one in choices)), 16)
    dice = random.Random(_SEED)
    others = ([dice.choice(one) for one in choices] for _ in range(count))
    for values in itertools.chain(corners, others):
        yield dict(zip(names, values, strict=True))


@lru_cache(maxsize=1024)
def _choices(domain: Domain) -> tuple[Any, ...]:
    return tuple(_candidates(domain))


def _candidates(domain: Domain) -> Iterator[Any]:
    """Ends that belong to the domain, then points between and beyond."""
    if isinstance(domain, sympy.FiniteSet):
        yield from domain
        return
    if isinstance(domain, sympy.Union):
        for one in domain.args:
            yield from _candidates(one)
        return
    if isinstance(domain, sympy.Range):
        infinite = domain.size.is_infinite
        count = 12 if infinite else int(domain.size)
        places = dict.fromkeys((0, count - 1, *range(min(12, count)), *((99, 1000) * infinite)))
        yield from (domain.inf + place for place in places)
        return
    low, high = domain.inf, domain.sup
    yield from (end for end in (low, high) if end.is_finite and domain.contains(end) == True)  # noqa: E712
    if low.is_finite and high.is_finite:
        yield from (low + sympy.Rational(share) * (high - low) for share in _SHARES)
        return
    start, sign = (low, 1) if low.is_finite else (high, -1) if high.is_finite else (0, 1)
    steps = [sympy.Rational(share) for share in _SHARES] + list(map(sympy.Integer, _FAR))
    yield from (start + sign * step for step in steps)
    if not (low.is_finite or high.is_finite):
        yield from (-step for step in steps)
        yield sympy.Integer(0)
