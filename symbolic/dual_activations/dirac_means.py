"""Means of Dirac distributions, by values of the joint density."""

from functools import cache

import sympy
from sympy import Expr, oo

from symbolic.derivation import Decision, Step
from symbolic.dual_activations.closed_forms import standard_density
from symbolic.dual_activations.quadratic_exponents import check_density, over_plane
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean
from symbolic.normal_form import Domain
from symbolic.notation import u1, u2


def dirac_mean_steps(mean: GaussianMean, closed: Expr, domain: Domain) -> list[Step]:
    """Steps from a mean of products of Dirac distributions to its value.

    >>> from symbolic.derivation import Derivation
    >>> from sympy import DiracDelta
    >>> from symbolic.notation import DOMAIN, rho
    >>> mean = GaussianMean(DiracDelta(u1) * DiracDelta(u2), u1, u2, rho)
    >>> steps = dirac_mean_steps(mean, 1 / (2 * sympy.pi * sympy.sqrt(1 - rho**2)), DOMAIN)
    >>> Derivation("", "", mean, steps).answer
    True
    """

    def check_sifted(before: Expr, after: Expr) -> Decision:
        value = decide_equal(after, dirac_mean(mean), domain)
        return together_decided([check_density(mean, before), value])

    return [
        Step(over_plane(mean), "the joint density", check_density),
        Step(closed, "integrate the Dirac distributions", check_sifted),
    ]


@cache
def dirac_mean(mean: GaussianMean) -> Expr:
    """Value of a mean of products of Dirac distributions, by integration.

    >>> from sympy import DiracDelta
    >>> dirac_mean(GaussianMean(DiracDelta(2 * u1) * DiracDelta(u2), u1, u2, 0))
    1/(4*pi)
    """
    density = standard_density(u1, u2, mean.correlation)
    total = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(mean.integrand)):
        second = sympy.Mul(*[f for f in term.args if f.has(u2)])
        over_u1 = sympy.integrate(term / second * density, (u1, -oo, oo))
        total += sympy.integrate(over_u1 * second, (u2, -oo, oo))
    return total
