"""Steps of the proof of st.lem2.polynomial: inequalities between polynomials in μ, p, y and α.

Z3 either compares two polynomials, or draws a conclusion in which each of them is one number.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import sympy as sp
from sympy import Expr, Interval, Set, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import gt, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.ranges import assumed
from theorems.shallow_transformer.letters.head import centre, root, share

_UNIT = Interval(0, 1)
_RANGES = {centre: _UNIT, share: Interval.Ropen(0, 1), root: _UNIT}
#: μ ≤ y.
ORDERED = le(centre, root)
_left, _right, _low, _factor = sp.symbols("l r u s", real=True)
_c0, _c1, _c2, _t, _d, _w = sp.symbols("c_0 c_1 c_2 t d w", real=True)
_BERNSTEIN = [_c0, 2 * _d * _c0 + _c1 * _w, _d**2 * _c0 + _d * _c1 * _w + _c2 * _w**2]


def over(*things: Any) -> dict[Symbol, Set]:
    """The letters that occur: 0 ≤ μ ≤ 1, 0 ≤ p < 1, 0 ≤ y ≤ 1, others as they are assumed."""
    used: set[Symbol] = set().union(*(sp.sympify(one).free_symbols for one in things))
    return {x: _RANGES[x] if x in _RANGES else assumed(x) for x in used}


def known(goal: Boolean, *premises: Theorem, under: Iterable[Boolean] = ()) -> Theorem:
    """A relation that Z3 finds to follow."""
    given = tuple(under)
    return rules.follows(goal, premises, over=over(goal, *given), under=given)


def concluded(
    theorem: Theorem, at: Mapping[Symbol, Any], *premises: Theorem, under: Iterable[Boolean] = ()
) -> Theorem:
    """What a theorem says there, as each of its hypotheses is a premise or is shown on its own.

    The last question to Z3 is then one of logic: it need not look into the polynomials.
    """
    given = tuple(under)
    there = theorem.at(at, over=over(*at.values()))
    missing = there.under - {one.statement for one in premises} - set(given)
    shown = [known(one, under=given) for one in sorted(missing, key=str)]
    return known(there.statement, there, *premises, *shown, under=given)


def raised(
    goal: Boolean, low: Expr, *premises: Theorem, factor: Expr = sp.S.One, under: Iterable[Boolean] = ()
) -> Theorem:
    """l ≤ r, as r − l times a positive factor is at least ``low``, which is at least 0."""
    at = {_left: goal.lhs, _right: goal.rhs, _low: low, _factor: factor}
    return concluded(_order(), at, *premises, under=under)


@cache
def _order() -> Theorem:
    """l ≤ r if 0 ≤ u ≤ s(r − l) for a positive s."""
    under = [le(0, _low), le(_low, _factor * (_right - _left)), gt(_factor, 0)]
    goal = le(_left, _right)
    return rules.follows(goal, under=under)


def quadratic_between(
    quadratic: Expr, low: Expr, top: Expr, below: Expr, under: Iterable[Boolean]
) -> Theorem:
    """A quadratic polynomial in p is at least 0 from ``low`` to a quotient, by Bernstein.

    Its three Bernstein coefficients are polynomials in μ and y, at least 0 for μ ≤ y.
    """
    polynomial = sp.Poly(quadratic, share)
    at = {
        _c0: polynomial.eval(low),
        _c1: polynomial.diff(share).eval(low),
        _c2: polynomial.coeff_monomial(share**2),
        _t: share - low,
        _d: below,
        _w: top - below * low,
    }
    signs = [_nonnegative_form(one.xreplace(at)) for one in _BERNSTEIN]
    taylor = concluded(_from_bernstein(), at, *signs, under=under)
    return raised(le(0, quadratic), taylor.statement.rhs, taylor, under=under)


@cache
def _from_bernstein() -> Theorem:
    """c₀ + c₁t + c₂t² is at least 0 for 0 ≤ t ≤ w/d if the three Bernstein coefficients are."""
    place = [gt(_d, 0), gt(_w, 0), le(0, _t), le(_d * _t, _w)]
    under = [*place, *(le(0, one) for one in _BERNSTEIN)]
    goal = le(0, _c0 + _c1 * _t + _c2 * _t**2)
    return rules.follows(goal, under=under)


def _nonnegative_form(polynomial: Expr) -> Theorem:
    """A polynomial whose coefficients as a form in μ, y − μ and 1 − y are at least 0."""
    form, parts = _form(polynomial)
    general = rules.decided(le(0, form))
    at = dict(zip(parts, (centre, root - centre, 1 - root), strict=True))
    there = general.at(at, over=over(centre, root), under=[ORDERED])
    return raised(le(0, polynomial), there.statement.rhs, there, under=[ORDERED])


def _form(polynomial: Expr) -> tuple[Expr, tuple[Symbol, ...]]:
    """A polynomial in μ and y as a form in parts that add up to 1: μ, y − μ and 1 − y."""
    parts = sp.symbols("m z q", nonnegative=True)
    terms = sp.Poly(polynomial, centre, root)
    degree = terms.total_degree()
    form = sum(
        c * parts[0] ** i * (parts[0] + parts[1]) ** j * sum(parts) ** (degree - i - j)
        for (i, j), c in terms.terms()
    )
    return sp.expand(form), parts
