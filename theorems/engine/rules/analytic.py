"""Functions without corners, whose derivatives are those of their formulas."""

from collections.abc import Iterable

import sympy
from sympy import Expr, Symbol, asin, cos, exp, log, sin
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.inferences import follows
from theorems.engine.rules.leaves import check_defined
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.theorem import Trust

__all__ = ["check_analytic"]

_ANALYTIC = (sympy.Symbol, sympy.Add, sympy.Mul, sympy.Pow, exp, log, sin, cos, asin, sympy.tanh, sympy.erf)


def check_analytic(function: Expr, letter: Symbol, over: Over, under: Iterable[Boolean]) -> set[Trust]:
    """Check that a function has no corner, so that its derivatives are those of the formula."""
    nodes = [node for node in sympy.preorder_traversal(function) if letter in node.free_symbols]
    corners = [node for node in nodes if not isinstance(node, _ANALYTIC)]
    if corners:
        raise ValueError(f"the derivatives of {corners[0]} are not known to exist everywhere")
    asked = check_defined([function], over, under)
    for node in nodes:
        if node.is_Pow and not (node.exp.is_Integer and node.exp.is_positive):
            asked |= follows(sympy.Ne(node.base, 0), over=over, under=under).trusts
        if isinstance(node, asin):
            asked |= follows(node.args[0] ** 2 < 1, over=over, under=under).trusts
    return asked
