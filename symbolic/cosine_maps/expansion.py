"""The inverse cosine distance map at infinity, as a power series with exact coefficients.

With s = 1/w and t = 2 asin s, sin t - t cos t has the derivative t sin t dt/ds = 8 s asin s, so

    zeta(s^2) = s^2 (1 - (8 Delta / pi) sum_k c_k s^(2k+1) / (2k+3)),
    asin s = sum_k c_k s^(2k+1),  c_k = binomial(2k, k) / (4^k (2k+1)),

and omega(w) = zeta(s^2)^(-1/2) is w times the reciprocal root of the bracket.
"""

from functools import cache, partial
from typing import Any

import sympy
from sympy import Add, Expr, Integral, Order, Rational, asin, binomial, oo, pi

from symbolic.arguments import BEYOND_ONE, UNIT, exact_in, natural
from symbolic.cosine_maps.closed_forms import omega
from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import only
from symbolic.normal_form import sign_on
from symbolic.notation import DELTA, DOMAIN, w, x


def omega_expansion(w: Any, delta: Any, order: Any) -> Expr:
    """Expand omega(w) = w + 4 Delta/(3 pi) + ... + O(w^-order), without the O.

    `order` >= 1 counts the terms after w; w > 1 and Delta in [0, 1], ValueError outside.

    >>> w, d = sympy.symbols("w Delta", positive=True)
    >>> omega_expansion(w, d, 2)
    8*Delta**2/(3*pi**2*w) + 4*Delta/(3*pi) + w
    """
    w, delta = exact_in(w, "w", BEYOND_ONE), exact_in(delta, "delta", UNIT)
    coefficients = _reciprocal_root(natural(order, "order"))
    return Add(*[c.xreplace({DELTA: delta}) * w ** (1 - k) for k, c in enumerate(coefficients)])


def derive_omega_expansion(order: int = 3) -> Derivation:
    """Derive `omega_expansion` from zeta: an exact integral form, then its power series.

    >>> derive_omega_expansion(2).answer
    True
    >>> derive_omega_expansion(1).claiming(w + 8 * DELTA / (3 * pi)).answer
    False
    """
    return _omega_expansion(natural(order, "order"))


@cache
def _omega_expansion(order: int) -> Derivation:
    area = Integral(x * asin(x), (x, 0, 1 / w))
    return Derivation(
        title="The inverse cosine distance map at infinity",
        name=r"\omega(w)",
        start=omega(w, DELTA),
        steps=[
            Step(
                w / sympy.sqrt(1 - 8 * DELTA / pi * w**2 * area),
                r"$\tfrac{d}{ds}(\sin t - t\cos t) = 8 s\arcsin s$ for $t = 2\arcsin s$",
                check_integral_form,
            ),
            Step(
                omega_expansion(w, DELTA, order) + Order(w**-order, (w, oo)),
                r"power series in $s = w^{-1}$",
                partial(check_series, order),
            ),
        ],
        domain=DOMAIN,
    )


def check_integral_form(before: Expr, after: Expr) -> Decision:
    """Compare inverse squares in s = 1/w: equal derivatives, equal values at s = 0, one sign."""
    s, area = sympy.Dummy("s", positive=True), sympy.Dummy("area")
    integral = only(after, Integral)
    (variable, *ends) = integral.limits[0]
    given = (1 / after.xreplace({integral: area}) ** 2).subs(w, 1 / s).expand()
    slope = given.diff(s) + given.diff(area) * integral.function.subs(variable, s)
    wanted = (1 / before**2).subs(w, 1 / s)
    inside = {s: sympy.Interval.open(0, 1)}
    return together_decided(
        [
            Decision(ends == [0, 1 / w], "the integral runs from 0 to 1/w"),
            Decision(sign_on(after.xreplace({integral: 0}), DOMAIN) == 1, "the positive root"),
            decide_equal(given.diff(area, 2), sympy.S.Zero),
            decide_equal(slope, wanted.diff(s), inside),
            decide_equal(given.subs({area: 0, s: 0}), wanted.subs(s, 0)),
        ]
    )


def check_series(order: int, before: Expr, after: Expr) -> Decision:
    """Multiply out: the square of expansion / before is 1 up to the order of the claim."""
    s, integral = sympy.Dummy("s", positive=True), only(before, Integral)
    (variable, *_) = integral.limits[0]
    integrand = sympy.series(integral.function, variable, 0, order + 3).removeO()
    area = sympy.integrate(integrand, (variable, 0, 1 / w))
    squared = (after.removeO() / before.xreplace({integral: area})) ** 2
    product = sympy.expand(squared.subs(w, 1 / s))
    leading = sympy.limit(after.removeO() / w, w, oo)
    coefficients = [product.coeff(s, power) for power in range(order + 1)]
    return together_decided(
        [
            decide_equal(coefficient, sympy.Integer(power == 0))
            for power, coefficient in enumerate(coefficients)
        ]
        + [decide_equal(leading, sympy.S.One)]
    )


@cache
def _reciprocal_root(order: int) -> list[Expr]:
    """Coefficients of bracket^(-1/2), from the differential equation of a power."""
    bracket = [sympy.S.One] + [sympy.S.Zero] * order
    for k in range((order + 1) // 2):
        arcsine = binomial(2 * k, k) / (sympy.Integer(4) ** k * (2 * k + 1))
        bracket[2 * k + 1] = -8 * DELTA / pi * arcsine / (2 * k + 3)
    root = [sympy.S.One]
    for n in range(1, order + 1):
        terms = [(Rational(-k, 2) - (n - k)) * bracket[k] * root[n - k] for k in range(1, n + 1)]
        root.append(sympy.expand(Add(*terms) / n))
    return root
