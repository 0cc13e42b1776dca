"""E phi(u1) phi(u2) and E phi'(u1) phi'(u2) as exact expressions."""

from typing import Any

from sympy import Expr

from symbolic.arguments import exact_in, pair
from symbolic.dual_activations.catalogue import resolve
from symbolic.dual_activations.pair import Pair


def dual_activation(name: str, rho: Any, *, variances: tuple[Any, Any] = (1, 1), **parameters: Any) -> Expr:
    """Dual E phi(u1) phi(u2) of an activation as an expression.

    (u1, u2) is centred Gaussian with variances (v1, v2) and covariance rho sqrt(v1 v2). rho in
    [-1, 1], variances in [0, infinity) (above 0 for `sign`, `step`, `clip`) and parameters are
    exact numbers or symbols; a parameter that is left out stays a symbol, except `degree`. For
    the names see `list_activations`. The dual of `clip` is an unevaluated integral.

    ValueError for an unknown name and outside the domain, TypeError for unknown parameters and a
    missing degree. Source: "MLPs at the EOC", before Proposition 11 (variances 1, a s + b|s|);
    Daniely, Frostig and Singer, "Toward deeper understanding of neural networks", 2016.
    Derivations: `derive_dual`.

    >>> from sympy import Symbol
    >>> rho = Symbol("rho", real=True)
    >>> dual_activation("sign", rho), dual_activation("hermite", rho, degree=4)
    (2*asin(rho)/pi, 24*rho**4)
    >>> dual_activation("relu", "1/2", variances=(4, 1)).expand()
    sqrt(3)/(2*pi) + 1/3
    """
    activation, values = resolve(name, parameters)
    return activation.dual(_pair(rho, variances, activation.rho[0], activation.variance[0]), *values)


def dual_activation_derivative(
    name: str, rho: Any, *, variances: tuple[Any, Any] = (1, 1), **parameters: Any
) -> Expr:
    """Dual E phi'(u1) phi'(u2) of the derivative of an activation.

    phi' is the derivative in the sense of distributions: that of `sign` is 2 delta_0, whose dual
    is the joint density at (0, 0) times 4, for rho in (-1, 1). Variances are above 0 also where
    phi' jumps at 0 (`relu` and its kind). Otherwise as `dual_activation`, and sqrt(v1 v2) times
    the derivative is the derivative of the dual in rho: see `check_derivative_rule`.

    >>> from sympy import Symbol
    >>> rho = Symbol("rho", real=True)
    >>> dual_activation_derivative("abs", rho), dual_activation_derivative("sign", "3/5")
    (2*asin(rho)/pi, 5/(2*pi))
    """
    activation, values = resolve(name, parameters)
    return activation.derivative_dual(
        _pair(rho, variances, activation.rho[1], activation.variance[1]), *values
    )


def _pair(rho: Any, variances: Any, correlations: Any, spreads: Any) -> Pair:
    both = pair(variances, "variances", of="v1, v2")
    v1, v2 = (exact_in(v, f"variances[{i}]", spreads) for i, v in enumerate(both))
    return Pair(exact_in(rho, "rho", correlations), v1, v2)
