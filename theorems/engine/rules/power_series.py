"""The sum of a power series whose coefficients follow a recursion, by its differential equation."""

from functools import reduce

import sympy
from sympy import Abs, Dummy, Eq, Expr, Interval, Poly, S, Sum, Symbol
from sympy.logic.boolalg import Boolean

from symbolic.equality import equal
from theorems.engine.rules.analytic import check_analytic
from theorems.engine.rules.ranges import Over, hull
from theorems.engine.rules.theorem import NotProved, Trust
from theorems.engine.statements.values import unfolded

__all__ = ["sum_of_series"]

_FACT = "a power series is the solution of the equation that its recursion gives"


def sum_of_series(
    coefficient: Expr, index: Symbol, start: int, letter: Symbol, value: Expr, *, over: Over
) -> tuple[Boolean, set[Trust]]:
    r"""Check that :math:`F(t) = \sum_{q \ge 0} c(q)\, t^{q + s}` is the value, where it converges.

    The quotient c(q + 1)/c(q) = N(q)/D(q) must be rational in the index q, with D(q) > 0 for all q.
    With :math:`\theta = t\, d/dt` the series is the only one that begins with c(0) t^s and solves

    .. math:: D(\theta - s - 1) F = t N(\theta - s) F + D(-1)\, c(0)\, t^s,

    and a value that does so and is analytic from 0 up to t is its sum there.  Returns the condition
    |t| lim N/D < 1 under which it converges, and what this trusts.  Raises ValueError for
    coefficients without such a recursion or with the letter in them, NotProved if the value is not
    seen to be the sum.

    >>> t, q = Symbol("t", nonnegative=True), Symbol("q", integer=True, nonnegative=True)
    >>> reals = {t: sympy.Interval(0, sympy.oo)}
    >>> sum_of_series(S.One, q, 1, t, t / (1 - t), over=reals)[0]
    t < 1
    >>> sum_of_series(S.One, q, 1, t, t / (1 - t) ** 2, over=reals)
    Traceback (most recent call last):
      ...
    theorems.engine.rules.theorem.NotProved: undecided: ...
    """
    if letter in coefficient.free_symbols or index in value.free_symbols:
        raise ValueError(f"coefficients must not depend on {letter}, nor the sum on {index}")
    place = Dummy("place", integer=True, nonnegative=True)  # no letter of the author's
    term = unfolded(coefficient).xreplace({index: place})
    first = term.subs(place, 0)
    above, below = _recursion(term, place)
    growth = sympy.limit(above.as_expr() / below.as_expr(), place, sympy.oo)
    if growth.has(sympy.oo, sympy.zoo):
        raise ValueError(f"the series of {coefficient} converges nowhere")
    converges = Abs(growth * letter) < 1
    # The value must be analytic on the whole way from 0, whatever the letter ranges over.
    point, reach = Dummy(letter.name, real=True), hull(over[letter])
    way = Interval(sympy.Min(reach.inf, 0), sympy.Max(reach.sup, 0))
    found = value.xreplace({letter: point})
    ranges = {x: over[x] for x in value.free_symbols - {letter}} | {point: way}
    intervals = {x: hull(range_) for x, range_ in ranges.items()}
    asked = check_analytic(found, point, ranges, [Abs(growth * point) < 1])
    left = _applied(below, place - start - 1, found, point)
    right = point * _applied(above, place - start, found, point)
    right += below.as_expr().subs(place, -1) * first * point**start
    if equal(sympy.simplify(left - right), S.Zero, intervals) is not True:
        raise NotProved("undecided", f"{value} does not solve the equation of the series")
    _check_beginning(found, point, start, first)
    series = Sum(coefficient * letter ** (index + start), (index, 0, sympy.oo))
    statement = Eq(series, value, evaluate=False)
    return converges, {Trust("textbook", _FACT, str(statement)), *asked}


def _recursion(coefficient: Expr, index: Symbol) -> tuple[Poly, Poly]:
    """N and D with c(q + 1)/c(q) = N(q)/D(q), D positive from 0 on."""
    following = coefficient.subs(index, index + 1)
    generic = Dummy("place")  # of an integer SymPy leaves gamma(q + 7/2)/gamma(q + 5/2)
    quotient = sympy.powsimp(sympy.gammasimp(following / coefficient)).xreplace({index: generic})
    quotient = sympy.cancel(sympy.expand_func(quotient)).xreplace({generic: index})
    above, below = sympy.fraction(sympy.together(quotient))
    wrong = f"the quotient of coefficients must be rational in {index}, got {quotient}"
    if not (above.is_polynomial(index) and below.is_polynomial(index)):
        raise ValueError(wrong)
    signs = [one.is_positive for one in Poly(below, index).all_coeffs() if one != 0]
    if not all(signs) or Poly(below, index).eval(0) == 0:
        raise ValueError(f"{below} must be positive for every {index} from 0 on")
    for place in range(6):  # the simplification holds for all q up to finitely many
        here, after = (coefficient.subs(index, place + more) for more in range(2))
        gap = below.subs(index, place) * after - above.subs(index, place) * here
        if sympy.simplify(gap) != 0:
            raise ValueError(wrong)
    return Poly(above, index), Poly(below, index)


def _applied(polynomial: Poly, moved_place: Expr, function: Expr, letter: Symbol) -> Expr:
    """P(θ - shift) f, by Horner's scheme with θ f = t f'; the moved place is q - shift."""
    (place,) = polynomial.gens
    moved = Poly(polynomial.as_expr().subs(place, moved_place), place)

    def horner(so_far: Expr, number: Expr) -> Expr:
        return letter * sympy.diff(so_far, letter) + number * function

    return reduce(horner, moved.all_coeffs(), S.Zero)


def _check_beginning(value: Expr, letter: Symbol, start: int, first: Expr) -> None:
    """Check that the value begins with first * t^start."""
    for number in range(start + 1):
        wanted = first * sympy.factorial(start) if number == start else S.Zero
        there = sympy.diff(value, letter, number).subs(letter, 0)
        if sympy.simplify(there - wanted) != 0:
            raise NotProved("undecided", f"{value} does not begin with {first}*{letter}**{start}")
