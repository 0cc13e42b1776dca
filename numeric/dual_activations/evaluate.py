"""E phi(u1) phi(u2) and E phi'(u1) phi'(u2) for a named activation, in the caller's arithmetic."""

from collections.abc import Callable
from typing import Any

from numeric.arguments import pair
from numeric.dual_activations.formula import Formula
from numeric.dual_activations.registry import find_activation
from numeric.quadrature import dual_by_quadrature


def dual_activation(
    name: str | Callable[[Any], Any],
    rho: Any,
    *,
    variances: Any = (1, 1),
    digits: int | None = None,
    **parameters: Any,
) -> Any:
    """Evaluate the dual E phi(u1) phi(u2) of an activation at a Gaussian pair.

    (u1, u2) is centred Gaussian with variances (v1, v2) and covariance rho sqrt(v1 v2). For
    the names and their parameters see `list_activations`; every parameter must be given.

    rho in [-1, 1]; variances in [0, infinity), above 0 for the activations that jump at 0 (`sign`,
    `step`, `rectified_monomial` of degree 0), since u = 0 almost surely would ask for the value
    there; for `gaussian`, rate below 1/(2 lambda) with lambda the largest eigenvalue of the
    covariance, beyond which the dual is infinite. rho, variances and real parameters can be
    scalars or arrays that broadcast; for what they make of the result, and for `digits`, see
    `numeric.arithmetic`.

    In floats every sum is arranged so that it cancels only next to a zero of the dual: the
    relative error is at most 16 2^-53 (1 + k), with k the condition number in rho and v1, v2, as
    long as nothing underflows. (Between its zeros, that of `hermite` is relative to its envelope.)

    `name` can also be a function, integrated numerically by `numeric.quadrature`: `breaks`, the
    points where it or a derivative jumps, is then the one parameter. It gets float64 arrays, or an
    mpmath number with `digits`; the result is right to about 1e-12 E|phi phi|.

    Raises ValueError for an unknown name (naming the nearest) and outside the domain, TypeError
    for missing and unknown parameters and for values that are not numbers.
    Source: "MLPs at the EOC", before Proposition 11, which has variances 1 and the activation
    a s + b|s|; in general Daniely, Frostig and Singer, "Toward deeper understanding of neural
    networks", 2016.

    >>> dual_activation("relu", [-1, 0, 1])
    array([0.        , 0.15915494, 0.5       ])
    >>> dual_activation("erf", 0.5, variances=(2, 8), scale=1)
    0.2856981588638566
    >>> import mpmath
    >>> print(mpmath.nstr(dual_activation("gelu", "-0.9", digits=30), 30))
    -0.069031129405235109553415860036
    >>> import numpy as np
    >>> dual_activation(lambda s: np.maximum(s, 0), 0, breaks=[0])   # 1/(2 pi)
    0.1591549430918953...
    >>> from flint import arb
    >>> print(dual_activation("leaky_relu", arb("0.3"), slope="0.2"))
    [0.214478170827356 +/- 2.98e-16]
    """
    both = pair("variances", variances, of="v1, v2")
    if callable(name):
        return _by_quadrature(name, rho, both, digits, **parameters)
    duals, reals = find_activation(name).with_parameters(parameters)
    return _evaluated(duals.dual, rho, both, digits, reals)


def dual_activation_derivative(
    name: str, rho: Any, *, variances: Any = (1, 1), digits: int | None = None, **parameters: Any
) -> Any:
    """Evaluate the dual E phi'(u1) phi'(u2) of the derivative of an activation.

    It is the derivative of the dual in the covariance c = rho sqrt(v1 v2) (Price's theorem), hence
    in rho if both variances are 1; the derivative in rho is sqrt(v1 v2) times it.

    phi' is the derivative in the sense of distributions. So the derivative of `sign` is 2 delta_0
    and not the 0 that it is almost everywhere, and its dual 4 / (2 pi sqrt(v1 v2 (1 - rho^2))) is
    the derivative of (2/pi) arcsin rho; it asks for rho in (-1, 1). The same holds for `step` and
    for `rectified_monomial` of degree 0. Of a function, give the derivative to `dual_activation`.

    Arguments, results and errors are those of `dual_activation`, and variances must be above 0
    also where phi' jumps at 0 (`relu` and its kind).
    Source: "MLPs at the EOC", after Proposition 14.

    >>> dual_activation_derivative("relu", [-1, 0, 1])
    array([0.  , 0.25, 0.5 ])
    >>> dual_activation_derivative("sign", 0.6)
    0.7957747154594768
    >>> dual_activation_derivative("sign", 1)
    Traceback (most recent call last):
    ...
    ValueError: rho must lie in (-1, 1), got 1
    """
    duals, reals = find_activation(name).with_parameters(parameters)
    return _evaluated(duals.derivative, rho, pair("variances", variances, of="v1, v2"), digits, reals)


def _evaluated(
    formula: Formula, rho: Any, variances: tuple[Any, Any], digits: int | None, reals: dict[str, Any]
) -> Any:
    return formula.evaluate(rho, *variances, digits=digits, **reals)


def _by_quadrature(
    phi: Callable[[Any], Any], rho: Any, variances: tuple[Any, Any], digits: int | None, **parameters: Any
) -> Any:
    breaks = parameters.pop("breaks", ())
    if parameters:
        raise TypeError(f"a function takes breaks, got {', '.join(parameters)}")
    return dual_by_quadrature(phi, rho, variances=variances, breaks=breaks, digits=digits)
