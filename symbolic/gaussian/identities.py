"""Stein's and Price's identities for test functions whose means are known exactly."""

from typing import Any

import sympy
from sympy import Derivative, Expr, Symbol

from symbolic.arguments import symbol
from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian.mean import GaussianMean

_CORRELATIONS = sympy.Interval.open(-1, 1)


def stein_identity(f: Any, u: Symbol, claimed: Expr | None = None) -> Derivation:
    """E u f(u) = E f'(u) for standard normal u.

    f is a polynomial in u times exp of a quadratic, or a sum of such terms (ValueError when it
    is checked otherwise: then the answer is undecided). Both means are computed.

    >>> u = sympy.Symbol("u", real=True)
    >>> stein_identity(u**3 * sympy.exp(u), u).answer
    True
    """
    f = _smooth(f)
    symbol(u, "u")
    chain = Derivation(
        title="Stein's identity",
        name=r"\mathbb{E}\,u f(u)",
        start=GaussianMean(u * f, u),
        steps=[Step(GaussianMean(sympy.diff(f, u), u), "Gaussian integration by parts", _means)],
    )
    return chain.claiming(claimed)


def price_identity(
    f: Any, u1: Symbol, u2: Symbol, rho: Symbol, claimed: Expr | None = None
) -> Derivation:
    """d/d rho E f(u1, u2) = E d^2 f / du1 du2 for standard normals with correlation rho.

    f is a polynomial in u1, u2, or a polynomial times exp of a linear form, or a sum.

    >>> u, v, rho = sympy.symbols("u v rho", real=True)
    >>> price_identity(u**2 * v**3 * sympy.exp(u - v), u, v, rho).answer
    True
    """
    f = _smooth(f)
    symbol(u1, "u1"), symbol(u2, "u2"), symbol(rho, "rho")
    mixed = GaussianMean(sympy.diff(f, u1, u2), u1, u2, rho)
    chain = Derivation(
        title="Price's identity",
        name=r"\frac{d}{d\rho}\,\mathbb{E}\,f(u_1, u_2)",
        start=Derivative(GaussianMean(f, u1, u2, rho), rho, evaluate=False),
        steps=[Step(mixed, "Price's theorem", _means)],
        domain={rho: _CORRELATIONS},
    )
    return chain.claiming(claimed)


def _smooth(f: Any) -> Expr:
    f = sympy.sympify(f)
    if f.has(sympy.Abs, sympy.sign):
        raise ValueError(f"f must be smooth: polynomials and exponentials, got {f}")
    return f


def _means(before: Expr, after: Expr) -> Decision:
    """Carry out the means first, the derivative in rho after."""
    correlations = dict.fromkeys(_varied(before) | _varied(after), _CORRELATIONS)
    return decide_equal(_carried_out(before), _carried_out(after), correlations)


def _varied(side: Expr) -> set[Symbol]:
    return {v for node in side.atoms(Derivative) for v in node.variables}


def _carried_out(side: Expr) -> Expr:
    return side.xreplace({mean: mean.doit() for mean in side.atoms(GaussianMean)}).doit()
