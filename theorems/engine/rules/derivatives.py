"""Derivatives along an interval: how they are made, and what their size says of differences.

A theorem ``derivative(rate, value, t, I)`` says that rate is the derivative of value at each t of
the interval I.  Functions of which a proof knows only this have it from a hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy import Abs, Expr, Implies, Interval, Le, Reals, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.analytic import check_analytic
from theorems.engine.rules.inferences import inserted
from theorems.engine.rules.leaves import check_defined
from theorems.engine.rules.letters_of_leaves import check_unmentioned
from theorems.engine.rules.ranges import Over, joined
from theorems.engine.rules.theorem import Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import derivative

__all__ = ["as_named", "chained", "differentiated", "equal_rates", "mean_value", "rate_of", "taylor"]

_TAYLOR = "Taylor's theorem with Lagrange's remainder"
_ONE_DERIVATIVE = Trust(
    "textbook", "a function has one derivative", "difference quotients have one limit at most"
)


def differentiated(
    form: Expr,
    letter: Symbol,
    range_: Interval,
    laws: Mapping[Symbol, Theorem] | None = None,
    *,
    over: Over | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """The derivative of a formula in t and in functions of t whose derivatives are known.

    ``laws`` are theorems about these functions, on the same interval, each for the letter by which
    the formula calls it: sums, products and the chain rule for formulas without corners.  ``over``
    are the ranges of other letters, and ``under`` what is assumed of these.  Raises ValueError for
    another interval or letter, and for a formula with corners.

    >>> t, y = Symbol("t", real=True), Symbol("y", real=True)
    >>> square = differentiated(t**2, t, Interval(0, 1))
    >>> print(differentiated(sympy.sin(y) * t, t, Interval(0, 1), {y: square}).statement)
    derivative(2*t**2*cos(t**2) + sin(t**2), t*sin(t**2), t, Interval(0, 1))
    """
    known, given = dict(laws or {}), tuple(under)
    genuine(*known.values())
    _check_interval(range_)
    inside = {y: _said(law, letter, range_) for y, law in known.items()}
    if letter in inside or any(letter in one.free_symbols for one in given):
        raise ValueError(f"{letter} runs, so that it may be no function and have no condition")
    others = dict(over or {})
    if letter in others or set(inside) & set(others):
        raise ValueError(f"{letter} and the functions have no range of their own")
    places: dict[Symbol, Any] = {**others, letter: range_, **dict.fromkeys(inside, Reals)}
    asked: set[Trust] = set()
    for x in (letter, *inside):
        asked |= check_analytic(form, x, _occurring(places, form, *given), given)
    values = {y: value for y, (_, value) in inside.items()}
    rate = sympy.diff(form, letter)
    for y, (slope, _) in inside.items():
        rate += sympy.diff(form, y) * slope
    letters = joined(*(law.over for law in known.values()), over=_occurring(others, form, *given))
    conditions = {*given}.union(*(law.under for law in known.values()))
    leaves = asked.union(*(law.trusts for law in known.values()))
    statement = derivative(inserted(rate, values), inserted(form, values), letter, range_)
    return make(statement, letters, conditions, leaves)


def chained(outer: Theorem, inner: Theorem) -> Theorem:
    """The chain rule: the derivative of f(z(t)), for f that is differentiable on the whole line.

    Raises ValueError unless ``outer`` says what the derivative of f is at all real numbers.

    >>> x, t = Symbol("x", real=True), Symbol("t", real=True)
    >>> outer = differentiated(sympy.exp(x), x, Reals)
    >>> print(chained(outer, differentiated(t**2, t, Interval(0, 1))).statement)
    derivative(2*t*exp(t**2), exp(t**2), t, Interval(0, 1))
    """
    genuine(outer, inner)
    slope, value, x, range_ = _parts(outer)
    rate, z, t, interval = _parts(inner)
    if range_ != Reals:
        raise ValueError(f"the outer function must be differentiable everywhere, not on {range_}")
    if t in outer.statement.free_symbols or t == x:
        raise ValueError(f"{t} runs, and may not occur in the outer function")
    at = {x: z}
    statement = derivative(inserted(slope, at) * rate, inserted(value, at), t, interval)
    leaves = outer.trusts | inner.trusts
    return make(statement, joined(outer.over, inner.over), outer.under | inner.under, leaves)


def as_named(law: Theorem, rate: Theorem, value: Theorem) -> Theorem:
    """A derivative by other names: functions that are equal at all places have the same derivative.

    ``rate`` and ``value`` are equations of a name with what the law says, at each t of the
    interval.  Raises ValueError for other theorems.

    >>> t = Symbol("t", real=True)
    >>> law = differentiated(t**2, t, Reals)
    >>> from theorems.engine.rules.leaves import textbook
    >>> f, g = sympy.Function("f", real=True), sympy.Function("g", real=True)
    >>> called = textbook("names", sympy.Eq(f(t), t**2) & sympy.Eq(g(t), 2 * t), over={t: Reals})
    >>> from theorems.engine.rules.inferences import follows
    >>> names = [follows(one, [called], over={t: Reals}) for one in called.statement.args]
    >>> print(as_named(law, *sorted(names, key=str, reverse=True)).statement)
    derivative(g(t), f(t), t, Reals)
    """
    genuine(law, rate, value)
    said, t, range_ = _parts(law)[:2], *_parts(law)[2:]
    for one, side in zip((rate, value), said, strict=True):
        if not isinstance(one.statement, sympy.Eq) or one.statement.rhs != side:
            raise ValueError(f"an equation with {side} is needed, got {one.statement}")
        if one.over.get(t) != range_ or any(t in condition.free_symbols for condition in one.under):
            raise ValueError(f"the equation must hold for {t} in {range_}, got {one}")
    check_unmentioned([t], rate, value)
    others = [{x: set_ for x, set_ in one.over.items() if x != t} for one in (rate, value)]
    statement = derivative(rate.statement.lhs, value.statement.lhs, t, range_)
    under = law.under | rate.under | value.under
    return make(statement, joined(law.over, *others), under, law.trusts | rate.trusts | value.trusts)


def equal_rates(law: Theorem, other: Theorem) -> Theorem:
    """A function has one derivative: two that it is known to have are equal at each place.

    Both laws are about the same function of the same letter on the same interval, which has more
    than one point, and no hypothesis is about this letter.  Raises ValueError for other theorems.

    >>> t, f = Symbol("t", real=True), sympy.Function("f", real=True)
    >>> from theorems.engine.rules.leaves import supposed
    >>> g, h = sympy.Function("g", real=True), sympy.Function("h", real=True)
    >>> laws = [supposed("slope", derivative(one(t), f(t), t, Reals), over={}) for one in (g, h)]
    >>> print(equal_rates(*laws).statement)
    Eq(g(t), h(t))
    """
    genuine(law, other)
    rate, *same = _parts(law)
    rate_too, *same_too = _parts(other)
    if same != same_too:
        raise ValueError(f"both must be about one function, got {law} and {other}")
    _, t, range_ = same
    _check_interval(range_)
    says = sympy.Eq(rate, rate_too, evaluate=False)
    check_unmentioned([t], law, other)
    letters, under = joined(law.over, other.over, over={t: range_}), law.under | other.under
    defined = check_defined([says], letters, under)
    return make(says, letters, under, law.trusts | other.trusts | defined | {_ONE_DERIVATIVE})


def mean_value(law: Theorem, size: Theorem, other: Symbol) -> Theorem:
    """A function whose rate is at most c changes by at most c times the difference of places.

    ``size`` says that the rate, or its size, is at most c for all t of the interval, where c is
    free of t.  The conclusion is for t <= ``other``.  Raises TypeError for another theorem,
    and ValueError for letters that do not fit.

    >>> t, s = Symbol("t", real=True), Symbol("s", real=True)
    >>> law = differentiated(sympy.sin(t), t, Reals)
    >>> from theorems.engine.rules.leaves import textbook
    >>> size = textbook("cosines", Abs(sympy.cos(t)) <= 1, over={t: Reals})
    >>> print(mean_value(law, size, s).statement)
    Implies(t <= s, Abs(sin(s) - sin(t)) <= s - t)
    """
    rate, value, t, _ = _parts(law)
    small, bound = _sides(size)
    change = inserted(value, {t: other}) - value
    if small not in {rate, Abs(rate)}:
        raise ValueError(f"the theorem must say that {rate} is at most a number, got {size}")
    moved = Abs(change) if small == Abs(rate) else change
    near = Le(moved, bound * (other - t), evaluate=False)
    return _between_places(near, [law], size, other, "mean value theorem")


def _between_places(near: Boolean, laws: list[Theorem], size: Theorem, other: Symbol, name: str) -> Theorem:
    """What a bound for the rate at all places says of two places, the second one not before."""
    genuine(*laws, size)
    _, value, t, range_ = _parts(laws[0])
    if t in _sides(size)[1].free_symbols:
        raise ValueError(f"the bound must be free of {t}, got {size}")
    if size.over.get(t) != range_ or any(t in one.free_symbols for one in size.under):
        raise ValueError(f"the rate must be bounded for {t} in {range_}, got {size}")
    known = [*laws, size]
    if any(other in one.over for one in known) or other in value.free_symbols or other == t:
        raise ValueError(f"{other} must be a new letter")
    check_unmentioned([t], size)
    letters = {**joined(*(one.over for one in known)), t: range_, other: range_}
    under = frozenset[Boolean]().union(*(one.under for one in known))
    leaves = check_defined([near], letters, under).union(*(one.trusts for one in known))
    trust = Trust("textbook", name, "a step in terms of the derivatives between both places")
    return make(Implies(t <= other, near, evaluate=False), letters, under, leaves | {trust})


def _sides(size: Theorem) -> tuple[Expr, Expr]:
    genuine(size)
    if not isinstance(size.statement, sympy.Le | sympy.Ge):
        raise TypeError(f"the rate must be compared with a number, got {size.statement}")
    return size.statement.lts, size.statement.gts


def taylor(law: Theorem, second: Theorem, size: Theorem, other: Symbol) -> Theorem:
    """Taylor's formula: what is left of a step when its linear part is taken off.

    ``law`` and ``second`` say what the derivative of a function is, and the derivative of that;
    ``size`` that the latter is of size at most c for all t of the interval, where c is free of t.
    The conclusion is for t <= ``other``.  Raises as ``mean_value`` does.

    >>> t, s = Symbol("t", real=True), Symbol("s", real=True)
    >>> law, second = (differentiated(f, t, Reals) for f in (sympy.sin(t), sympy.cos(t)))
    >>> from theorems.engine.rules.leaves import textbook
    >>> size = textbook("sines", Abs(-sympy.sin(t)) <= 1, over={t: Reals})
    >>> print(taylor(law, second, size, s).statement)
    Implies(t <= s, Abs((s - t)*cos(t) - sin(s) + sin(t)) <= (s - t)**2/2)
    """
    rate, value, t, range_ = _parts(law)
    if _parts(second)[1:] != (rate, t, range_):
        raise ValueError(f"a theorem about the derivative of {rate} is needed, got {second}")
    small, bound = _sides(size)
    if small != Abs(_parts(second)[0]):
        raise ValueError(f"the size of {_parts(second)[0]} must be bounded, got {size}")
    step = other - t
    rest = Abs(inserted(value, {t: other}) - value - rate * step)
    near = Le(rest, bound * step**2 / 2, evaluate=False)
    return _between_places(near, [law, second], size, other, _TAYLOR)


def rate_of(law: Theorem, name: AppliedUndef) -> Theorem:
    """A name for a derivative that is known to exist, which is what the law says that it is.

    It is a function of the letter that runs, and maybe of indices.

    >>> t, slope = Symbol("t", real=True), sympy.Function("slope", real=True)
    >>> print(rate_of(differentiated(t**2, t, Interval(0, 1)), slope(t)).statement)
    Eq(slope(t), 2*t)
    """
    genuine(law)
    rate, value, t, range_ = _parts(law)
    args = name.args if isinstance(name, AppliedUndef) else ()
    others = [x for x in args if x != t]
    indexed = all(x.is_Symbol and x.is_integer for x in others) and len(set(args)) == len(args)
    if not (t in args and indexed):
        raise ValueError(f"the name must be a function of {t}, got {name}")
    says = sympy.Eq(name, rate, evaluate=False)
    said = Trust("meaning", f"{name}: the derivative of {value}", str(says), says)
    letters = {**law.over, t: range_}
    defined = check_defined([says], letters, law.under)
    return make(says, letters, law.under, law.trusts | defined | {said})


def _parts(law: Theorem) -> tuple[Expr, Expr, Symbol, Any]:
    if not isinstance(law.statement, derivative):
        raise TypeError(f"a theorem about a derivative is needed, got {law.statement}")
    rate, value, letter, range_ = law.statement.args
    if letter in law.over:
        raise ValueError(f"{letter} runs, and may have no range beside that")
    return rate, value, letter, range_


def _said(law: Theorem, letter: Symbol, range_: Any) -> tuple[Expr, Expr]:
    rate, value, running, interval = _parts(law)
    if (running, interval) != (letter, range_):
        raise ValueError(f"a derivative in {letter} on {range_} is needed, got {law.statement}")
    return rate, value


def _check_interval(range_: Any) -> None:
    if not (range_ == Reals or (isinstance(range_, Interval) and range_.measure > 0)):
        raise ValueError(f"the letter must run through an interval, got {range_}")


def _occurring(letters: Mapping[Symbol, Any], *things: Any) -> dict[Symbol, Any]:
    used = set().union(*(one.free_symbols for one in things))
    return {x: range_ for x, range_ in letters.items() if x in used}
