r"""Price's theorem: in the correlation, the derivative of a mean is the mean of the derivatives.

The joint density p_r of two standard normals of correlation r satisfies dp/dr = d^2 p/du1 du2, and
integration by parts (nothing is left at infinity, for f that grow no faster than a polynomial)
gives, with derivatives of f in the sense of distributions,

    d/dr E f(s1 u1) f(s2 u2) = s1 s2 E f'(s1 u1) f'(s2 u2).

From r = 0, where u1 and u2 are independent,

    E f f = E f E f + int_0^rho s1 s2 E_r f' f' dr
          = E f E f + rho s1 s2 E f' E f' + int_0^rho (rho - r) (s1 s2)^2 E_r f'' f'' dr.
"""

from collections.abc import Callable
from functools import cache

import sympy
from sympy import Add, Expr, Integral, Mul, exp, oo, pi, sqrt

from symbolic.derivation import Decision, Step
from symbolic.dual_activations.closed_forms import CORRELATION, standard_density
from symbolic.dual_activations.correlation_integrals import OPEN, RANGE, decide_same, split
from symbolic.dual_activations.correlation_integrals import derivative as rho_derivative
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.linear import factor_of, only
from symbolic.notation import rho, u, u1, u2

Function = Callable[[Expr], Expr]
Scales = tuple[Expr, Expr]
_REASON = r"Price's theorem, from independence at $\rho = 0$"


def product_mean(f: Function, scales: Scales, correlation: Expr = rho) -> GaussianMean:
    """Mean of f(s1 u1) f(s2 u2)."""
    return GaussianMean(f(scales[0] * u1) * f(scales[1] * u2), u1, u2, correlation)


def price_theorem_steps(f: Function, order: int, scales: Scales) -> list[Step]:
    """Steps from E f f to an integral of E f^(order) f^(order) over the correlation, order 1 or 2.

    >>> from symbolic.derivation import Derivation
    >>> scales = sympy.symbols("s_1 s_2", positive=True)
    >>> steps = price_theorem_steps(lambda s: s**2, 2, scales)
    >>> Derivation("", "", product_mean(lambda s: s**2, scales), steps).answer
    True
    """
    prime, both = derivative(f), Mul(*scales)
    start = independent_mean(f, scales)
    once = Integral(both * product_mean(prime, scales, CORRELATION), RANGE)
    first = Step(start + once, _REASON, lambda _, after: _check(after, f, 0, scales))
    if order == 1:
        return [first]
    slope = rho * both * independent_mean(prime, scales)
    kernel = (rho - CORRELATION) * both**2
    twice = Integral(kernel * product_mean(derivative(prime), scales, CORRELATION), RANGE)
    again = r"the same for $f'$, and $\int_0^\rho\int_0^{r'} dr\,dr' = \int_0^\rho (\rho-r)\,dr$"
    second = Step(start + slope + twice, again, lambda _, after: _check(after, f, 1, scales))
    return [first, second]


def evaluated_step(before: Expr, after: Expr, integrate: Callable[[GaussianMean], Expr], reason: str) -> Step:
    """Step that evaluates the mean under the integral; the check finds its value by `integrate`."""
    mean = only(before, GaussianMean)

    def check(old: Expr, new: Expr) -> Decision:
        return decide_same(old.xreplace({mean: integrate(mean)}), new)

    return Step(after, reason, check)


def solution_step(closed: Expr, order: int, reason: str) -> Step:
    """Step from A + B rho + int_0^rho (rho - r)^(order - 1) g(r) dr to its value, order 1 or 2.

    It is checked through the derivatives in rho: both sides have the same values at rho = 0 up to
    derivative order - 1, and the same derivative of that order.
    """

    def check(before: Expr, after: Expr) -> Decision:
        decisions, difference = [], after - before
        for _ in range(order):
            at_zero = split(difference)[0].subs(rho, 0)
            decisions.append(decide_equal(at_zero, sympy.S.Zero))
            difference = rho_derivative(difference)
        return together_decided([*decisions, decide_same(difference, sympy.S.Zero)])

    return Step(closed, reason, check)


def derivative(f: Function) -> Function:
    """Derivative of a function, in the sense of distributions.

    >>> derivative(sympy.Abs)(u), derivative(sympy.sign)(u)
    (sign(u), 2*DiracDelta(u))
    """
    return lambda s: sympy.factor_terms(sympy.expand(sympy.diff(f(u), u))).subs(u, s)


def independent_mean(f: Function, scales: Scales) -> Expr:
    """E f(s1 u) E f(s2 u).

    >>> scales = sympy.symbols("s_1 s_2", positive=True)
    >>> independent_mean(lambda s: s**2, scales)
    s_1**2*s_2**2
    """
    return Mul(*[univariate_mean(f(s * u)) for s in scales])


@cache
def univariate_mean(integrand: Expr) -> Expr:
    """Mean of an expression in one standard normal u, by integration; 0 if it is odd."""
    if sympy.expand(integrand.subs(u, -u) + integrand) == 0:
        return sympy.S.Zero
    density = exp(-(u**2) / 2) / sqrt(2 * pi)
    terms = Add.make_args(sympy.expand(integrand))
    values = [sympy.integrate(term * density, (u, -oo, oo)) for term in terms]
    return sympy.expand(Add(*values).rewrite(sympy.erf))


def _check(after: Expr, f: Function, order: int, scales: Scales) -> Decision:
    """Check the density, the initial values and the integrand of A + B rho + int."""
    integral = only(after, Integral)
    mean = only(integral, GaussianMean)
    functions = [f, derivative(f)][: order + 1]
    explicit = Add(
        *[
            (rho * Mul(*scales)) ** k * independent_mean(function, scales)
            for k, function in enumerate(functions)
        ]
    )
    kernel = (rho - CORRELATION) ** order * Mul(*scales) ** (order + 1)
    wanted = product_mean(derivative(functions[-1]), scales, CORRELATION)
    return together_decided(
        [
            _heat_equation(),
            Decision(integral.limits == Integral(1, RANGE).limits, "from 0 to rho"),
            decide_equal(after.xreplace({integral: sympy.S.Zero}), explicit),
            decide_equal(factor_of(after, integral) * factor_of(integral.function, mean), kernel),
            decide_equal(mean.integrand, wanted.integrand),
        ]
    )


@cache
def _heat_equation() -> Decision:
    """dp/dr = d^2 p/du1 du2, divided by p: in the logarithm l, dl/dr = l_1 l_2 + l_12."""
    log = sympy.expand_log(sympy.log(standard_density(u1, u2, CORRELATION)), force=True)
    first, second = sympy.diff(log, u1), sympy.diff(log, u2)
    mixed = first * second + sympy.diff(log, u1, u2)
    return decide_equal(sympy.diff(log, CORRELATION), mixed, OPEN)
