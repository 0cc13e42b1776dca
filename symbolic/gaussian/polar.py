"""The polar road to a bivariate Gaussian mean, as steps of a derivation that redo themselves.

The pair of standard normals with correlation cos t is u = L (x, y) with L = [[1, 0],
[cos t, sin t]] and x = r cos(theta), y = r sin(theta); hence u1 = r cos(theta) and
u2 = r cos(theta - t). The four steps are

1. the change of variables: density, Jacobian determinant and integrand;
2. the radius: each power of r integrates to a Gamma function;
3. the four sectors of the circle on which the signs are constant;
4. the angle: an antiderivative on each sector, checked by differentiation.
"""

from functools import cache

import sympy
from sympy import Add, Expr, Integral, Matrix, Symbol, cos, exp, pi, sign, sin, sqrt

from symbolic.derivation import Decision, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import factor_of, only
from symbolic.gaussian.mean import GaussianMean
from symbolic.gaussian.sectors import (
    SECTORS,
    cosine_sign,
    trigonometric_antiderivative,
)
from symbolic.gaussian.signed_polynomials import split_signs
from symbolic.normal_form import sign_on, trigonometric_form
from symbolic.notation import DOMAIN, r, t, theta

_FIRST, _SECOND = cos(theta), cos(theta - t)
_CIRCLE = (theta, -pi / 2, 3 * pi / 2)
_RADIUS = (r, 0, sympy.oo)
_WEIGHT = exp(-(r**2) / 2)


def polar_steps(prefactor: Expr, f: Expr, u1: Symbol, u2: Symbol) -> list[Step]:
    """Steps from prefactor * E f(u1, u2), correlation cos t, to its value in t.

    f is a polynomial in u1, u2, their signs and absolute values; the chain is valid for
    t in (0, pi).

    >>> from symbolic.derivation import Derivation
    >>> from symbolic.notation import u1, u2
    >>> mean = GaussianMean(sign(u1 * u2), u1, u2, cos(t))
    >>> steps = polar_steps(sympy.S.One, mean.integrand, u1, u2)
    >>> chain = Derivation("Product of signs", "s", mean, steps)
    >>> chain.answer, chain.conclusion
    (True, (pi - 2*t)/pi)
    """
    on_ray = split_signs(f).subs({u1: r * _FIRST, u2: r * _SECOND}, simultaneous=True)
    circle = _radius_integrated(on_ray)
    pieces = [Integral(_resolved(circle, s.signs), (theta, s.start, s.end)) for s in SECTORS]
    value = trigonometric_form(Add(*[_integrated(piece) for piece in pieces]))
    return [
        Step(
            prefactor * Integral(on_ray * r * _WEIGHT / (2 * pi), _RADIUS, _CIRCLE),
            r"polar coordinates $u_1 = r\cos\theta$, $u_2 = r\cos(\theta - t)$",
            check_polar,
        ),
        Step(prefactor * Integral(circle, _CIRCLE), "integrate the radius", check_radius),
        Step(prefactor * Add(*pieces), "signs are constant on four sectors", check_sectors),
        Step(prefactor * value, "integrate each sector", check_angle),
    ]


def check_polar(before: Expr, after: Expr) -> Decision:
    """Redo the change of variables: a bijection, its determinant, the density, the integrand."""
    mean, target = only(before, GaussianMean), only(after, Integral)
    (u1, u2), rho = mean.variables, mean.correlation
    image = {u1: r * _FIRST, u2: r * _SECOND}
    square = (u1**2 - 2 * rho * u1 * u2 + u2**2) / (1 - rho**2)
    jacobian = Matrix([image[u1], image[u2]]).jacobian([r, theta]).det()
    density = 1 / (2 * pi * sqrt(1 - rho**2))
    integrand = split_signs(mean.integrand).subs(image, simultaneous=True)
    return together_decided(
        [
            Decision(target.limits == Integral(1, _RADIUS, _CIRCLE).limits, "the whole plane"),
            Decision(sign_on(sin(t), DOMAIN) == 1, "u = L(x, y) has determinant sin t > 0"),
            decide_equal(square.subs(image, simultaneous=True), r**2, DOMAIN),
            decide_equal(density * jacobian, r / (2 * pi), DOMAIN),
            decide_equal(
                factor_of(before, mean) * integrand * r / (2 * pi),
                factor_of(after, target) * target.function / _WEIGHT,
                DOMAIN,
            ),
        ]
    )


def check_radius(before: Expr, after: Expr) -> Decision:
    """Integrate each power of r against exp(-r^2 / 2) on the half line."""
    double, single = only(before, Integral), only(after, Integral)
    polynomial = sympy.Poly(sympy.expand(double.function / _WEIGHT), r)
    integrated = Add(*[c * _radial_integral(power) for (power,), c in polynomial.terms()])
    return together_decided(
        [
            Decision(single.limits == double.limits[1:], "the angle keeps its range"),
            decide_equal(
                factor_of(before, double) * integrated,
                factor_of(after, single) * single.function,
                DOMAIN,
            ),
        ]
    )


def check_sectors(before: Expr, after: Expr) -> Decision:
    """Check that the sectors make up the circle, and the signs and the integrand on each."""
    whole = only(before, Integral)
    pieces = sorted(after.atoms(Integral), key=lambda piece: piece.limits[0][1].subs(t, pi / 2))
    ends = [whole.limits[0][1], *(piece.limits[0][2] for piece in pieces)]
    starts = [*(piece.limits[0][1] for piece in pieces), whole.limits[0][2]]
    decisions = [Decision(starts == ends, "the sectors make up the circle")]
    for piece in pieces:
        _, start, end = piece.limits[0]
        signs = cosine_sign(start, end), cosine_sign(start - t, end - t)
        if None in signs:
            return Decision(None, f"a cosine may change sign between {start} and {end}")
        wanted = factor_of(before, whole) * _resolved(whole.function, signs)
        decisions.append(decide_equal(wanted, factor_of(after, piece) * piece.function, DOMAIN))
    rest = after.xreplace(dict.fromkeys(pieces, sympy.S.Zero))
    return together_decided([*decisions, decide_equal(rest, sympy.S.Zero, DOMAIN)])


def check_angle(before: Expr, after: Expr) -> Decision:
    """Find an antiderivative for each integral, differentiate it, and insert the ends."""
    decisions, values = [], {}
    for integral in before.atoms(Integral):
        antiderivative = trigonometric_antiderivative(integral.function)
        derivative = sympy.diff(antiderivative, theta)
        decisions.append(decide_equal(derivative, integral.function, DOMAIN))
        values[integral] = _between_ends(antiderivative, integral)
    decisions.append(decide_equal(before.xreplace(values), after, DOMAIN))
    return together_decided(decisions)


@cache
def _radial_integral(power: int) -> Expr:
    return sympy.integrate(r**power * _WEIGHT, _RADIUS)


def _radius_integrated(on_ray: Expr) -> Expr:
    polynomial = sympy.Poly(sympy.expand(on_ray * r), r)
    terms = [c * _radial_integral(power) / (2 * pi) for (power,), c in polynomial.terms()]
    return sympy.factor_terms(Add(*terms))


def _resolved(circle: Expr, signs: tuple[int | None, int | None]) -> Expr:
    """Put in the signs of cos(theta) and cos(theta - t)."""
    resolved: dict[Expr, Expr] = {}
    for wave, constant in zip((_FIRST, _SECOND), signs, strict=True):
        resolved |= {sympy.Abs(wave): constant * wave, sign(wave): sympy.sympify(constant)}
    return circle.xreplace(resolved)


def _integrated(piece: Integral) -> Expr:
    return _between_ends(trigonometric_antiderivative(piece.function), piece)


def _between_ends(antiderivative: Expr, integral: Integral) -> Expr:
    _, start, end = integral.limits[0]
    return antiderivative.subs(theta, end) - antiderivative.subs(theta, start)
