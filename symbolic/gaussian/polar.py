"""Bivariate Gaussian means in polar coordinates, as steps of a derivation that can be re-checked.

The pair of standard normals with correlation cos t is u = L (x, y) with L = [[1, 0],
[cos t, sin t]] and x = r cos(theta), y = r sin(theta); hence u1 = r cos(theta) and
u2 = r cos(theta - t). The four steps are

1. the change of variables: density, Jacobian determinant and integrand;
2. the radius: each power of r integrates to a Gamma function;
3. the four sectors of the circle on which the signs are constant;
4. the angle: an antiderivative on each sector, checked by differentiation.

Each integrand is written in few waves, its constants stand in front of the integral, and sectors
with the same constant stand together; a sector on which the integrand vanishes is left out. The
checks compare before and after, however they are written.
"""

from collections import defaultdict
from functools import cache
from itertools import pairwise

import sympy
from sympy import Add, Expr, Integral, Matrix, Mul, Symbol, Tuple, cos, exp, pi, sign, sin, sqrt

from symbolic.derivation import Decision, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import constant_outside, factor_of, only
from symbolic.gaussian.mean import GaussianMean
from symbolic.gaussian.sectors import SECTORS, in_few_waves, trigonometric_antiderivative
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
    on_ray = in_few_waves(on_ray)
    constant, circle = _radius_integrated(on_ray)
    sectors = _over_sectors(circle)
    value = constant * sectors.replace(Integral, lambda *args: _integrated(Integral(*args)))
    return [
        Step(
            prefactor / (2 * pi) * Integral(on_ray * r * _WEIGHT, _RADIUS, _CIRCLE),
            r"polar coordinates $u_1 = r\cos\theta$, $u_2 = r\cos(\theta - t)$",
            check_polar,
        ),
        Step(prefactor * constant * Integral(circle, _CIRCLE), "integrate the radius", check_radius),
        Step(prefactor * constant * sectors, _reason(sectors), check_sectors),
        Step(prefactor * trigonometric_form(value), "integrate each sector", check_angle),
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
                factor_of(before, double) * integrated, factor_of(after, single) * single.function, DOMAIN
            ),
        ]
    )


def check_sectors(before: Expr, after: Expr) -> Decision:
    """Check that the sectors make up the circle, and the signs and the integrand on each."""
    whole = only(before, Integral)
    pieces = after.atoms(Integral)
    arcs = [(sector.start, sector.end) for sector in SECTORS]
    chained = all(end == start for (_, end), (start, _) in pairwise(arcs))
    circle = whole.limits == (Tuple(theta, arcs[0][0], arcs[-1][1]),)
    over_arcs = all(p.limits in {(Tuple(theta, *arc),) for arc in arcs} for p in pieces)
    decisions = [Decision(chained and circle and over_arcs, "the sectors make up the circle")]
    for sector, arc in zip(SECTORS, arcs, strict=True):
        there = [p for p in pieces if p.limits == (Tuple(theta, *arc),)]
        given = Add(*[factor_of(after, piece) * piece.function for piece in there])
        wanted = factor_of(before, whole) * _resolved(whole.function, sector.signs)
        decisions.append(decide_equal(wanted, given, DOMAIN))
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


def _radius_integrated(on_ray: Expr) -> tuple[Expr, Expr]:
    """Constant and integrand over the circle; the factors without r stay as they are."""
    outer, inner = constant_outside(on_ray * r, r)
    terms = sympy.Poly(sympy.expand(inner), r).terms()
    integrated = in_few_waves(Add(*[c * _radial_integral(power) for (power,), c in terms]))
    constant, circle = constant_outside(outer * integrated, theta)
    return constant / (2 * pi), circle


def _over_sectors(circle: Expr) -> Expr:
    """Sum of integrals over the sectors, collected by their constants."""
    by_constant: dict[Expr, list[Integral]] = defaultdict(list)
    for sector in SECTORS:
        wave = in_few_waves(_resolved(circle, sector.signs))
        constant, wave = constant_outside(wave, theta)
        if wave != 0:
            limits = (theta, sector.start, sector.end)
            by_constant[sympy.factor(constant)].append(Integral(wave, limits))
    return Add(*[Mul(constant, Add(*found)) for constant, found in by_constant.items()])


def _reason(sectors: Expr) -> str:
    vanishing = (
        "" if len(sectors.atoms(Integral)) == len(SECTORS) else "; the integrand is 0 on those left out"
    )
    return f"the signs are constant on four sectors{vanishing}"


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
