"""Means of cos and exp of linear forms in (u1, u2): the form is one Gaussian of known variance."""

from functools import cache

import sympy
from sympy import Dummy, Expr, Symbol, cos, exp, oo, pi, sqrt

from symbolic.derivation import Decision, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean, bivariate_expectation
from symbolic.notation import rho, u, u1, u2


def linear_form_steps(split: Expr, reason: str, closed: Expr) -> list[Step]:
    """Steps from E f(u1, u2) through `split`, a sum of cos or exp of linear forms, to `closed`.

    >>> from symbolic.derivation import Derivation
    >>> wave = cos(u1 + u2)
    >>> steps = linear_form_steps(wave, "a wave", exp(-1 - rho))
    >>> Derivation("", "", GaussianMean(wave, u1, u2, rho), steps).answer
    True
    """
    apart = sympy.Add(
        *[
            coefficient * GaussianMean(function, u1, u2, rho)
            for coefficient, function in map(_coefficient, sympy.Add.make_args(split))
        ]
    )
    return [
        Step(apart, reason, _check_split),
        Step(_univariate(apart), "a linear form is Gaussian", _check_univariate),
        Step(closed, "integrate", _check_integrated),
    ]


def _coefficient(term: Expr) -> tuple[Expr, Expr]:
    coefficient, function = term.as_independent(u1, u2)
    return coefficient, function


def _check_split(before: Expr, after: Expr) -> Decision:
    """Whether the integrands agree: the mean is linear."""
    return decide_equal(_integrand(before), _integrand(after))


def _integrand(expression: Expr) -> Expr:
    means = expression.atoms(GaussianMean)
    return expression.xreplace({mean: mean.integrand for mean in means})


def _univariate(expression: Expr) -> Expr:
    """Replace alpha u1 + beta u2 + gamma by sqrt(E (alpha u1 + beta u2)^2) u + gamma."""
    return expression.xreplace({mean: _as_one(mean) for mean in expression.atoms(GaussianMean)})


def _as_one(mean: GaussianMean) -> GaussianMean:
    form = mean.integrand.args[0]
    constant = form.subs({u1: 0, u2: 0})
    square = sympy.expand((form - constant) ** 2)
    variance = bivariate_expectation(square, u1, u2, mean.correlation)
    return GaussianMean(mean.integrand.func(sqrt(variance) * u + constant), u)


def _check_univariate(before: Expr, after: Expr) -> Decision:
    """Match each mean with a univariate one, whose form has the same constant and variance."""
    old, new = (_signatures(expression) for expression in (before, after))
    if len(old) != len(new):
        return Decision(False, f"{len(old)} linear forms became {len(new)}")
    return together_decided(
        [
            decide_equal(left, right)
            for pair in zip(old, new, strict=True)
            for left, right in zip(*pair, strict=True)
        ]
    )


def _signatures(expression: Expr) -> list[tuple[Expr, Expr, Expr]]:
    """Coefficient, constant and variance of the form in every term, in the order of the terms."""
    signatures = []
    for mean in sorted(expression.atoms(GaussianMean), key=lambda mean: str(_tag(mean))):
        constant, variance = _tag(mean)
        signatures.append((expression.coeff(mean), constant, variance))
    return signatures


def _tag(mean: GaussianMean) -> tuple[Expr, Expr]:
    form = mean.integrand.args[0]
    variables = dict.fromkeys(mean.variables, 0)
    constant = form.subs(variables)
    square = sympy.expand((form - constant) ** 2)
    return constant, sympy.expand(GaussianMean(square, *mean.args[1:]).doit())


def _check_integrated(before: Expr, after: Expr) -> Decision:
    """Integrate each univariate mean against the Gaussian density."""
    values = {mean: _integrated(mean) for mean in before.atoms(GaussianMean)}
    return decide_equal(before.xreplace(values), after)


def _integrated(mean: GaussianMean) -> Expr:
    form = mean.integrand.args[0]
    spread, constant = form.coeff(u), form.subs(u, 0)
    value, kappa, gamma = _template(mean.integrand.func)
    return value.subs({kappa: spread, gamma: constant}, simultaneous=True)


@cache
def _template(function: type[cos] | type[exp]) -> tuple[Expr, Symbol, Symbol]:
    """E f(kappa u + gamma) by integration."""
    kappa, gamma = Dummy("kappa", real=True), Dummy("gamma", real=True)
    density = exp(-(u**2) / 2) / sqrt(2 * pi)
    value = sympy.integrate(function(kappa * u + gamma) * density, (u, -oo, oo))
    return sympy.simplify(value), kappa, gamma
