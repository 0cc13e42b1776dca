"""The activations: names, parameters, expressions, and the closed forms of their duals."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Abs, Expr, Interval, Rational, Symbol, cos, erf, exp, sign, sin, sqrt

from symbolic.arguments import CORRELATION, OPEN_CORRELATION, POSITIVE, REAL, exact_in, natural, shown
from symbolic.dual_activations import closed_forms as closed
from symbolic.dual_activations.generating import hermite
from symbolic.dual_activations.pair import Pair
from symbolic.notation import a, b, latex

HALF = Rational(1, 2)
ZERO, ONE = sympy.S.Zero, sympy.S.One
NONNEGATIVE = Interval(0, sympy.oo)
_S = Symbol("s", real=True)
_SYMBOLS = {
    "a": a,
    "b": b,
    "slope": Symbol("lambda", real=True),
    "frequency": Symbol("omega", real=True),
    "phase": Symbol("vartheta", real=True),
    "rate": Symbol("gamma", real=True),
    "scale": Symbol("kappa", real=True),
    "bound": Symbol("beta", positive=True),
}


@dataclass(frozen=True)
class Activation:
    """An activation with its dual and the dual of its derivative, as functions of a pair.

    `expression`, `dual` and `derivative_dual` take s (or the pair) and then the parameters, in the
    order of `parameters`. `degree`, where it is a parameter, is an integer of at least 0. `rho` and
    `variance` are the domains for the dual, then those for the dual of the derivative.
    """

    name: str
    expression: Callable[..., Expr]
    dual: Callable[..., Expr]
    derivative_dual: Callable[..., Expr]
    parameters: tuple[str, ...] = ()
    has_closed_form: bool = True
    rho: tuple[Interval, Interval] = (CORRELATION, CORRELATION)
    variance: tuple[Interval, Interval] = (NONNEGATIVE, NONNEGATIVE)

    def values(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        """Parameters in order; one that is left out stays a symbol, except the degree."""
        unknown = [parameter for parameter in given if parameter not in self.parameters]
        if unknown or ("degree" in self.parameters and "degree" not in given):
            wanted = ", ".join(self.parameters) or "no parameters"
            raise TypeError(f"{self.name} takes {wanted}, got {', '.join(given) or 'none'}")
        return tuple(_value(parameter, given) for parameter in self.parameters)

    def latex(self, **parameters: Any) -> str:
        r"""LaTeX of phi(s).

        >>> find_activation("gaussian").latex()
        'e^{\\gamma s^{2}}'
        """
        return latex(self.expression(_S, *self.values(parameters)))


def _value(parameter: str, given: Mapping[str, Any]) -> Any:
    if parameter == "degree":
        return natural(given["degree"], "degree", least=0)
    domain = POSITIVE if parameter == "bound" else REAL
    return exact_in(given.get(parameter, _SYMBOLS[parameter]), parameter, domain)


def _ray(s: Expr, degree: int) -> Expr:
    """Evaluate max(s, 0)^degree."""
    return (1 + sign(s)) / 2 if degree == 0 else s ** (degree - 1) * (s + Abs(s)) / 2


def _leaky(s: Expr, slope: Expr) -> Expr:
    return (1 + slope) / 2 * s + (1 - slope) / 2 * Abs(s)


def _jump(height: int) -> Callable[[Pair], Expr]:
    return lambda pair: height**2 * closed.density_at_zero(pair)


def _lower(power: Callable[[Pair, int], Expr]) -> Callable[[Pair, int], Expr]:
    """Dual of degree s^(degree - 1), where the derivative lowers the degree by one."""
    return lambda pair, degree: degree**2 * power(pair, max(degree - 1, 0))


def _two_rays(a_: Expr, b_: Expr) -> dict[str, Any]:
    return {
        "dual": lambda pair: closed.rays(pair, a_, b_),
        "derivative_dual": lambda pair: closed.steps(pair, a_, b_),
        "variance": (NONNEGATIVE, POSITIVE),
    }


def _two_steps(a_: Expr, b_: Expr, height: int) -> dict[str, Any]:
    return {
        "dual": lambda pair: closed.steps(pair, a_, b_),
        "derivative_dual": _jump(height),
        "rho": (CORRELATION, OPEN_CORRELATION),
        "variance": (POSITIVE, POSITIVE),
    }


def _wave(kind: int) -> dict[str, Any]:
    return {
        "dual": lambda pair, omega, shift: closed.wave(pair, omega, shift, kind),
        "derivative_dual": lambda pair, omega, shift: omega**2 * closed.wave(pair, omega, shift, -kind),
        "parameters": ("frequency", "phase"),
    }


_ACTIVATIONS = {
    activation.name: activation
    for activation in (
        Activation(
            "ab_relu",
            lambda s, a_, b_: a_ * s + b_ * Abs(s),
            closed.rays,
            closed.steps,
            ("a", "b"),
            variance=(NONNEGATIVE, POSITIVE),
        ),
        Activation("relu", lambda s: _ray(s, 1), **_two_rays(HALF, HALF)),
        Activation(
            "leaky_relu",
            _leaky,
            closed.leaky_rays,
            closed.leaky_steps,
            ("slope",),
            variance=(NONNEGATIVE, POSITIVE),
        ),
        Activation("abs", Abs, **_two_rays(ZERO, ONE)),
        Activation("sign", sign, **_two_steps(ZERO, ONE, 2)),
        Activation("step", lambda s: _ray(s, 0), **_two_steps(HALF, HALF, 1)),
        Activation("identity", lambda s: s, lambda pair: pair.covariance, lambda _pair: ONE),
        Activation(
            "monomial", lambda s, degree: s**degree, closed.monomial, _lower(closed.monomial), ("degree",)
        ),
        Activation(
            "rectified_monomial",
            _ray,
            closed.rectified_monomial,
            _lower(closed.rectified_monomial),
            ("degree",),
        ),
        Activation(
            "hermite",
            lambda s, degree: hermite(degree, s),
            closed.hermite,
            _lower(closed.hermite),
            ("degree",),
        ),
        Activation("sin", lambda s, omega, shift: sin(omega * s + shift), **_wave(-1)),
        Activation("cos", lambda s, omega, shift: cos(omega * s + shift), **_wave(1)),
        Activation(
            "exp",
            lambda s, rate: exp(rate * s),
            closed.exponential,
            lambda pair, rate: rate**2 * closed.exponential(pair, rate),
            ("rate",),
        ),
        Activation(
            "gaussian", lambda s, rate: exp(rate * s**2), closed.gaussian, closed.gaussian_slope, ("rate",)
        ),
        Activation(
            "erf",
            lambda s, scale: erf(scale * s),
            closed.error_function,
            closed.error_function_slope,
            ("scale",),
        ),
        Activation("gelu", lambda s: s * (1 + erf(s / sqrt(2))) / 2, closed.gelu, closed.gelu_slope),
        Activation(
            "clip",
            lambda s, bound: (Abs(s + bound) - Abs(s - bound)) / 2,
            closed.clip,
            closed.clip_slope,
            ("bound",),
            has_closed_form=False,
            variance=(POSITIVE, POSITIVE),
        ),
    )
}


def list_activations() -> tuple[Activation, ...]:
    """List the activations whose dual is derived here.

    >>> [activation.name for activation in list_activations() if not activation.has_closed_form]
    ['clip']
    """
    return tuple(_ACTIVATIONS.values())


def resolve(name: str, parameters: Mapping[str, Any]) -> tuple[Activation, tuple[Any, ...]]:
    """Activation and values of its parameters.

    The rectified monomials of degree 0 and 1, with a jump and a kink, are the step and the ReLU.

    >>> resolve("rectified_monomial", {"degree": 1})[0].name
    'relu'
    """
    activation = find_activation(name)
    values = activation.values(parameters)
    if name == "rectified_monomial" and values[0] < 2:
        return _ACTIVATIONS[("step", "relu")[values[0]]], ()
    return activation, values


def find_activation(name: str) -> Activation:
    """Look an activation up by its name; ValueError with the nearest name for an unknown one.

    >>> find_activation("rellu")
    Traceback (most recent call last):
      ...
    ValueError: name must be one of ab_relu, relu, ..., got 'rellu'; did you mean 'relu'?
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be the name of an activation, got {shown(name)}")
    if name not in _ACTIVATIONS:
        near = difflib.get_close_matches(name.strip().lower(), _ACTIVATIONS, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"name must be one of {', '.join(_ACTIVATIONS)}, got {name!r}{hint}")
    return _ACTIVATIONS[name]
