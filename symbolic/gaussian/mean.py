"""Gaussian expectations as formal expressions, for the first line of a derivation."""

from typing import Any

import sympy
from sympy import Expr, Symbol, Tuple
from sympy.printing.latex import LatexPrinter

from symbolic.gaussian.bivariate import bivariate_expectation
from symbolic.gaussian.univariate import expectation


class GaussianMean(Expr):  # type: ignore[misc]
    r"""Formal expectation of an expression in one or two standard normals.

    `GaussianMean(f, u)` is E f(u) with u standard normal; `GaussianMean(f, u1, u2, rho)` is
    E f(u1, u2) for standard normals with correlation rho. Nothing is computed until `doit`.

    >>> from sympy import Abs, symbols
    >>> from symbolic.notation import latex
    >>> u, v, rho = symbols("u v rho", real=True)
    >>> GaussianMean(Abs(u), u).doit()
    sqrt(2)/sqrt(pi)
    >>> GaussianMean(u**2 * v**2, u, v, rho).doit()
    2*rho**2 + 1
    >>> latex(GaussianMean(Abs(u), u))
    '\\mathbb{E}_{u \\sim \\mathcal{N}(0, 1)}\\left[\\left|u\\right|\\right]'
    """

    def __new__(cls, integrand: Any, *rest: Any) -> "GaussianMean":
        """Keep the integrand, the variables, and the correlation if there are two variables."""
        if len(rest) not in {1, 3}:
            raise TypeError("a Gaussian mean needs f, u or f, u1, u2, rho")
        parts = [sympy.sympify(part) for part in (integrand, *rest)]
        return super().__new__(cls, *parts)  # type: ignore[no-any-return]

    is_commutative = True
    is_real = True
    is_opaque = True  # a number of which a solver knows nothing

    @property
    def integrand(self) -> Expr:
        """Expression under the expectation."""
        return self.args[0]

    @property
    def variables(self) -> Tuple:
        """One or two standard normals."""
        return Tuple(*self.args[1:3])

    @property
    def correlation(self) -> Expr:
        """Correlation of the two normals; only for a bivariate mean."""
        return self.args[3]

    @property
    def free_symbols(self) -> set[Symbol]:
        """All symbols except the variables that are integrated out."""
        return super().free_symbols - set(self.variables)  # type: ignore[no-any-return]

    def doit(self, **hints: Any) -> Expr:
        """Carry out the integral, unless `integrals=False`."""
        if not hints.get("integrals", True):
            return self
        f, u, *rest = self.args
        return bivariate_expectation(f, u, *rest) if rest else expectation(f, u)

    def _latex(self, printer: LatexPrinter) -> str:
        return rf"\mathbb{{E}}_{{{self._law(printer)}}}\left[{printer._print(self.integrand)}\right]"

    def _law(self, printer: LatexPrinter) -> str:
        names = ", ".join(map(printer._print, self.variables))
        if len(self.args) == 2:
            return rf"{names} \sim \mathcal{{N}}(0, 1)"
        rho = printer._print(self.correlation)
        covariance = rf"\left[\begin{{smallmatrix}}1&{rho}\\{rho}&1\end{{smallmatrix}}\right]"
        return rf"[{names}] \sim \mathcal{{N}}\left(0, {covariance}\right)"
