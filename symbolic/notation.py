"""The paper's symbols as SymPy symbols, and their LaTeX.

========  =====================  =================================================
here      "MLPs at the EOC"      meaning
========  =====================  =================================================
a, b      a, b                   coefficients of phi(s) = a s + b |s|
DELTA     Delta_phi              b^2 / (a^2 + b^2)
SIGMA     sigma                  (a^2 + b^2)^(-1/2)
rho, t    rho                    cosine of two inputs, rho = cos t with t in (0, pi)
z         z                      squared cosine distance (1 - rho) / 2
w         w                      inverse cosine distance z^(-1/2)
u, u1, u2 u, u_1, u_2            Gaussian preactivations
========  =====================  =================================================
"""

from types import MappingProxyType
from typing import Any

import sympy
from sympy import Interval, Symbol, symbols

from symbolic.latex_printer import latex as latex  # noqa: PLC0414 - for who writes the symbols

a, b = symbols("a b", real=True)
DELTA = Symbol("Delta_phi", real=True)
SIGMA = Symbol("sigma", positive=True)
rho, t, z, theta = symbols("rho t z theta", real=True)
w, r, x = symbols("w r x", positive=True)
u, u1, u2 = symbols("u u_1 u_2", real=True)

#: The abbreviations in terms of the coefficients of phi.
ABBREVIATIONS = MappingProxyType({DELTA: b**2 / (a**2 + b**2), SIGMA: 1 / sympy.sqrt(a**2 + b**2)})

#: Without it the abbreviations have no value.
NOT_BOTH_ZERO = (a**2 + b**2 > 0,)

#: The open intervals over which derivations hold; ends are treated apart.
DOMAIN = MappingProxyType(
    {
        t: Interval.open(0, sympy.pi),
        rho: Interval.open(-1, 1),
        z: Interval.open(0, 1),
        w: Interval.open(1, sympy.oo),
    }
)


def phi(s: Any) -> sympy.Expr:
    """Evaluate the (a, b)-ReLU, a s + b |s| ("MLPs at the EOC", Definition 2).

    >>> phi(-2)
    -2*a + 2*b
    """
    return a * s + b * sympy.Abs(s)


def phi_prime(s: Any) -> sympy.Expr:
    """Evaluate its derivative a + b sgn(s), which is a at s = 0 ("MLPs at the EOC", Definition 2).

    >>> phi_prime(-2), phi_prime(0)
    (a - b, a)
    """
    return a + b * sympy.sign(s)
