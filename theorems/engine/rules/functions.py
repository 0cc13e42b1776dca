"""Numeric functions that the solver accepts, each with the domain of its real values."""

import sympy
from sympy import Expr
from sympy.core.function import AppliedUndef

__all__ = ["PARTIAL", "TOTAL", "is_function"]

#: Functions of one real variable that are defined everywhere.
TOTAL = (
    *(sympy.sin, sympy.cos, sympy.atan, sympy.sinh, sympy.cosh, sympy.tanh),
    *(sympy.asinh, sympy.erf, sympy.erfc),
)
#: Functions that are defined where a condition holds.
PARTIAL = (sympy.log, sympy.asin, sympy.acos, sympy.tan)
#: Functions that are defined where SymPy knows their value to be real.
_WHERE_REAL = (
    *(sympy.floor, sympy.ceiling, sympy.factorial, sympy.binomial, sympy.harmonic),
    *(sympy.gamma, sympy.loggamma, sympy.sech),
)


def is_function(node: Expr) -> bool:
    """Whether the function is known to have real values wherever its conditions hold."""
    if getattr(node, "belongs_to", None) is not None:
        return False
    known = isinstance(node, (AppliedUndef, *TOTAL, *PARTIAL)) or getattr(node, "is_named", False)
    return known or (isinstance(node, _WHERE_REAL) and bool(node.is_real))
