"""Derivations around Definition 22: the depth recursion, shallow closed forms, the ends.

Every function takes `claimed=`, see `symbolic.cosine_maps.derivations`. The recursion is derived
for a symbolic depth l, with c_k the k-th iterate of the cosine map at rho and d_k its slope
there; finite sums and products are split by their definition, and the result is instantiated
at small depths besides.
"""

from collections.abc import Callable
from functools import cache
from typing import Literal

import sympy
from sympy import Expr, Function, IndexedBase, Interval, Product, Sum, Symbol, asin, pi, sqrt

from symbolic.arguments import choice
from symbolic.cosine_maps.closed_forms import cosine_map, cosine_slope
from symbolic.derivation import Check, Decision, Derivation, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import only
from symbolic.notation import DELTA, DOMAIN, rho

#: Depth, and the indices k and j of Definition 22.
l, k, j = sympy.symbols("l k j", integer=True, positive=True)  # noqa: E741 - the paper's letter
#: The iterate of the cosine map after k layers, and the slope of the cosine map there.
cosine, slope = IndexedBase("c", real=True), IndexedBase("d", real=True)

_VARRHO, _SLOPE = Function(r"\varrho"), Function(r"\varrho'")
_INSTANCES = (1, 2, 3, 4)
_SHARE_INSIDE = {**DOMAIN, DELTA: Interval.open(0, 1)}


def derive_ntk_recursion(claimed: Expr | None = None) -> Derivation:
    """Profile of depth l + 1 from that of depth l: K_{l+1} = c_l + d_{l-1} K_l.

    >>> derive_ntk_recursion().answer
    True
    """
    return _recursion().claiming(claimed)


def derive_ntk_closed_form(depth: Literal[2, 3], claimed: Expr | None = None) -> Derivation:
    """Closed form of the profile of depth 2 or 3; at depth 3 in terms of varrho(rho).

    >>> derive_ntk_closed_form(2).answer, derive_ntk_closed_form(3).answer
    (True, True)
    """
    return _closed_form(choice(depth, "depth", (2, 3))).claiming(claimed)


def derive_ntk_diagonal(claimed: Expr | None = None) -> Derivation:
    """The step of the induction that gives K_l(1) = l, from K_1(1) = 1.

    >>> derive_ntk_diagonal().conclusion
    l + 1
    """
    return _diagonal().claiming(claimed)


def derive_ntk_antipodal(depth: Literal[2, 3], claimed: Expr | None = None) -> Derivation:
    """Profile of depth 2 or 3 at rho = -1, for Delta in (0, 1).

    >>> derive_ntk_antipodal(2).conclusion, derive_ntk_antipodal(3).answer
    (4*Delta_phi - 2, True)
    """
    return _antipodal(choice(depth, "depth", (2, 3))).claiming(claimed)


def _profile(depth: Expr) -> Expr:
    """The sum of Definition 22."""
    return Sum(cosine[k - 1] * Product(slope[j - 1], (j, k, depth - 1)), (k, 1, depth))


@cache
def _recursion() -> Derivation:
    return Derivation(
        title="The depth recursion of the limiting NTK",
        name="K_{l+1}",
        start=_profile(l + 1),
        steps=[
            Step(
                cosine[l] + Sum(_profile(l + 1).function, (k, 1, l)),
                "split off the term $k = l + 1$, whose product is empty",
                _by_definition(_split_last_term),
            ),
            Step(
                cosine[l] + slope[l - 1] * _profile(l),
                "every product has the factor $d_{l-1}$",
                _by_definition(_split_last_factor),
            ),
        ],
    )


def _split_last_term(expression: Expr) -> Expr:
    total = only(expression, Sum)
    (index, low, high) = total.limits[0]
    last = total.function.subs(index, high).doit()
    return expression.xreplace({total: last + Sum(total.function, (index, low, high - 1))})


def _split_last_factor(expression: Expr) -> Expr:
    """Valid because the product is not empty: its lower end k is at most its upper end l."""
    total, product = only(expression, Sum), only(expression, Product)
    (index, low, high) = product.limits[0]
    if total.limits[0][2] != high:
        raise ValueError("the product must reach from the summation index to its largest value")
    last = product.function.subs(index, high)
    shorter = total.function.xreplace({product: Product(product.function, (index, low, high - 1))})
    return expression.xreplace({total: last * Sum(shorter, *total.limits)})


def _by_definition(rewrite: Callable[[Expr], Expr]) -> Check:
    """Check that the rule rewrites one side into the other, and instances of both sides."""

    def check(before: Expr, after: Expr) -> Decision:
        instances = [_decide_instance(before, after, depth) for depth in _INSTANCES]
        exact = rewrite(before) == after or None
        return together_decided([*instances, Decision(exact, "by the definition of sums")])

    return check


def _decide_instance(before: Expr, after: Expr, depth: int) -> Decision:
    sides = [side.subs(l, depth).doit() for side in (before, after)]
    names = {
        entry: Symbol(f"{entry.base}_{entry.indices[0]}", real=True)
        for side in sides
        for entry in side.atoms(sympy.Indexed)
    }
    return decide_equal(*[side.xreplace(names) for side in sides])


@cache
def _closed_form(depth: int) -> Derivation:
    product = 2 * (1 - DELTA) * rho + DELTA * 2 / pi * (sqrt(1 - rho**2) + 2 * rho * asin(rho))
    iterate = _VARRHO(rho)
    total = iterate + product
    deeper = (1 - DELTA) * total + DELTA * 2 / pi * (sqrt(1 - iterate**2) + total * asin(iterate))
    return Derivation(
        title=f"The limiting NTK at depth {depth}",
        name=rf"K_{depth}(\rho)",
        start=_formal_profile(rho, depth),
        steps=[Step(product if depth == 2 else deeper, _INSERT, _with_closed_forms)],
        domain=DOMAIN,
    )


@cache
def _diagonal() -> Derivation:
    return Derivation(
        title="The limiting NTK on the diagonal, by induction over the depth",
        name="K_{l+1}(1)",
        start=_VARRHO(1) + _SLOPE(1) * l,
        steps=[Step(l + 1, r"$\varrho(1) = \varrho'(1) = 1$", _with_closed_forms)],
    )


@cache
def _antipodal(depth: int) -> Derivation:
    first = 2 * DELTA - 1
    deeper = 3 * (1 - DELTA) * first + DELTA * 2 / pi * (
        2 * sqrt(DELTA * (1 - DELTA)) + 3 * first * asin(first)
    )
    return Derivation(
        title=f"The limiting NTK of antipodal inputs at depth {depth}",
        name=f"K_{depth}(-1)",
        start=_formal_profile(sympy.S.NegativeOne, depth),
        steps=[Step(4 * DELTA - 2 if depth == 2 else deeper, _INSERT, _with_closed_forms)],
        domain=_SHARE_INSIDE,
    )


_INSERT = r"the closed forms of $\varrho$ and $\varrho'$"


def _formal_profile(start: Expr, depth: int) -> Expr:
    """The printed sum with the cosine map and its slope as undefined functions."""
    iterates = [start]
    for _ in range(depth - 1):
        iterates.append(_VARRHO(iterates[-1]))
    values = {cosine[n]: value for n, value in enumerate(iterates)}
    values |= {slope[n]: _SLOPE(value) for n, value in enumerate(iterates)}
    return _profile(sympy.Integer(depth)).doit().xreplace(values)


def _with_closed_forms(before: Expr, after: Expr) -> Decision:
    """The cosine map has its values between -1 and 1, where the outer one is defined."""
    inside = cosine_map(rho, DELTA) ** 2 < 1
    return decide_equal(_inserted(before), _inserted(after), _SHARE_INSIDE, [inside])


def _inserted(side: Expr) -> Expr:
    maps = {_VARRHO: cosine_map, _SLOPE: cosine_slope}
    for name, formula in maps.items():
        side = side.replace(name, lambda c, formula=formula: formula(c, DELTA))
    return side
