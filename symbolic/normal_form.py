"""Normal forms that show an expression to vanish for all values of its symbols.

Two roads, tried in order:

* trigonometric polynomials: angles are split by the addition theorems and the sine of each is
  reduced by sin² = 1 - cos²;
* a rational parametrisation: each symbol with a bounded interval is written in p > 0 through
  v in (0, pi/2), sin v = 2(1 + p) / ((1 + p)² + 1), cos v = ((1 + p)² - 1) / ((1 + p)² + 1).
  Square roots such as sqrt(1 - rho²), absolute values and signs then resolve by factoring,
  because everything in sight is positive, and asin, acos of the parametrised numbers become v.

What is left is a rational function of independent generators, whose numerator is expanded.
"""

from collections.abc import Callable, Mapping

import sympy
from sympy import Dummy, Expr, Interval, Symbol, cos, sin

Domain = Mapping[Symbol, Interval]


def vanishes(expression: Expr, domain: Domain | None = None) -> bool:
    """Whether a normal form shows the expression to be zero for all values in the domain.

    `domain` maps symbols to open intervals: (0, pi) for an angle, (-1, 1), (0, 1), (1, oo) or
    (0, oo). False says only that no normal form showed it.

    >>> from sympy import acos, asin, pi, sqrt, symbols
    >>> t, rho, z = symbols("t rho z", real=True)
    >>> vanishes(sqrt(1 - cos(t) ** 2) - sin(t), {t: Interval.open(0, pi)})
    True
    >>> vanishes(sqrt(1 - cos(t) ** 2) - sin(t))
    False
    >>> vanishes(asin(sqrt(1 - rho**2)) - acos(-rho), {rho: Interval.open(-1, 1)})
    False
    >>> vanishes(acos(1 - 2 * z) - 2 * asin(sqrt(z)), {z: Interval.open(0, 1)})
    True
    """
    if expression.expand() == 0 or _trigonometric_numerator(expression) == 0:
        return True
    return bool(_trigonometric_numerator(_Frame(domain or {}).rewrite(expression)) == 0)


def sign_on(expression: Expr, domain: Domain | None = None) -> int | None:
    """Sign that the expression has on the whole domain, or None when that is not shown.

    >>> t = Symbol("t", real=True)
    >>> sign_on(sin(t / 2), {t: Interval.open(0, sympy.pi)}), sign_on(cos(t) - 2)
    (1, None)
    >>> sign_on(cos(t / 2 + sympy.pi / 2), {t: Interval.open(0, sympy.pi)})
    -1
    """
    return _known_sign(_Frame(domain or {}).rewrite(expression))


def _numerator(expression: Expr) -> Expr:
    return sympy.fraction(sympy.together(expression))[0].expand()


def is_nonnegative_on(expression: Expr, domain: Domain | None = None) -> bool:
    """Whether factoring shows the expression to be at least zero on the whole domain.

    >>> t = Symbol("t", real=True)
    >>> is_nonnegative_on(1 - sin(t), {t: Interval.open(0, sympy.pi)})
    True
    """
    return bool(_factored(_Frame(domain or {}).rewrite(expression)).is_nonnegative)


def _known_sign(expression: Expr) -> int | None:
    factored = _factored(expression)
    if factored.is_zero:
        return 0
    if factored.is_positive:
        return 1
    return -1 if factored.is_negative else None


def _factored(expression: Expr) -> Expr:
    return expression if expression.is_number else sympy.factor(sympy.together(expression))


def trigonometric_form(expression: Expr) -> Expr:
    """Quotient of polynomials in sines and cosines, no sine squared, without common factors.

    >>> t = Symbol("t", real=True)
    >>> trigonometric_form((cos(2 * t) - 1) / 2 + sin(2 * t) * sin(t))
    -2*cos(t)**3 + cos(t)**2 + 2*cos(t) - 1
    """
    numerator, denominator = sympy.fraction(sympy.together(sympy.expand_trig(expression)))
    hidden: dict[Expr, Expr] = {}
    parts = [lower_sines(part.expand()) for part in (numerator, denominator)]
    for angle in {node.args[0] for part in parts for node in part.atoms(sin, cos)}:
        hidden |= {function(angle): Dummy() for function in (sin, cos)}
    shown = {dummy: node for node, dummy in hidden.items()}
    return sympy.cancel(parts[0].xreplace(hidden) / parts[1].xreplace(hidden)).xreplace(shown)


def _trigonometric_numerator(expression: Expr) -> Expr:
    """Numerator after the addition theorems, reduced by sin² + cos² = 1."""
    return lower_sines(_numerator(sympy.expand_trig(expression)))


def lower_sines(polynomial: Expr) -> Expr:
    """Expand with the powers of sines lowered by sin² = 1 - cos².

    >>> t = Symbol("t", real=True)
    >>> lower_sines(sin(t) ** 3)
    -sin(t)*cos(t)**2 + sin(t)
    """
    lowered = {
        power: power.base ** (power.exp % 2)
        * (1 - cos(power.base.args[0]) ** 2) ** (power.exp // 2)
        for power in polynomial.atoms(sympy.Pow)
        if isinstance(power.base, sin) and power.exp.is_Integer and power.exp > 1
    }
    return polynomial.xreplace(lowered).expand()


class _Frame:
    """The rational parametrisation that belongs to one domain."""

    def __init__(self, domain: Domain) -> None:
        self.leaves: dict[Expr, Expr] = {}
        self.sine: dict[Expr, Expr] = {}
        self.cosine: dict[Expr, Expr] = {}
        for symbol, interval in domain.items():
            self._enter(symbol, interval)
        self._rules: dict[type, Callable[..., Expr]] = {
            sin: lambda argument: self._trigonometric(sin(argument)),
            cos: lambda argument: self._trigonometric(cos(argument)),
            sympy.asin: self._arcsine,
            sympy.acos: lambda argument: sympy.pi / 2 - self._arcsine(argument),
            sympy.Abs: _absolute_value,
            sympy.sign: _sign,
            sympy.Pow: _power,
            sympy.exp: _exponential,
        }

    def _enter(self, symbol: Symbol, interval: Interval) -> None:
        """Write the symbol in the parameter that suits its interval."""
        if interval.is_subset(Interval(0, sympy.oo)) and interval.end == sympy.oo:
            grown = Dummy(symbol.name, positive=True)
            self.leaves[symbol] = grown if interval.start < 1 else 1 / self._quarter_turn()[1]
        elif interval.is_subset(Interval(0, 1)):
            self.leaves[symbol] = self._quarter_turn()[1] ** 2
        elif interval.is_subset(Interval(-1, 1)):
            self.leaves[symbol] = 1 - 2 * self._quarter_turn()[1] ** 2
        elif interval.is_subset(Interval(0, sympy.pi)):
            self.leaves[symbol] = 2 * self._quarter_turn()[0]

    def _quarter_turn(self) -> tuple[Expr, Expr]:
        """Make a new angle v in (0, pi/2) and its sine as a rational function of p > 0."""
        angle, p = Dummy("v", positive=True), Dummy("p", positive=True)
        self.sine[angle] = 2 * (1 + p) / (p**2 + 2 * p + 2)
        self.cosine[angle] = p * (p + 2) / (p**2 + 2 * p + 2)
        return angle, self.sine[angle]

    def rewrite(self, expression: Expr) -> Expr:
        """Rewrite the leaves first, then resolve the functions above them."""
        if not expression.args:
            return self.leaves.get(expression, expression)
        arguments = [self.rewrite(argument) for argument in expression.args]
        return self._rules.get(expression.func, expression.func)(*arguments)

    def _trigonometric(self, node: Expr) -> Expr:
        rational = {sin(v): s for v, s in self.sine.items()}
        rational |= {cos(v): c for v, c in self.cosine.items()}
        return sympy.expand_trig(node).xreplace(rational)

    def _arcsine(self, argument: Expr) -> Expr:
        """Resolve asin of ± sin v, cos v, cos 2v: each of these angles lies in range."""
        argument = sympy.cancel(argument)
        for v, s in self.sine.items():
            quarter = sympy.pi / 2
            angles = {s: v, self.cosine[v]: quarter - v, 1 - 2 * s**2: quarter - 2 * v}
            for value, angle in angles.items():
                if sympy.cancel(argument - value) == 0:
                    return angle
                if sympy.cancel(argument + value) == 0:
                    return -angle
        return sympy.asin(argument)


def _absolute_value(argument: Expr) -> Expr:
    sign = _known_sign(argument)
    return sympy.Abs(argument) if sign is None else sign * argument


def _sign(argument: Expr) -> Expr:
    sign = _known_sign(argument)
    return sympy.sign(argument) if sign is None else sympy.Integer(sign)


def _power(base: Expr, exponent: Expr) -> Expr:
    """Let squares leave a root: its base is factored, and the factors are positive."""
    if exponent.is_Integer:
        return base**exponent
    return sympy.expand_power_base(sympy.factor(sympy.together(base)) ** exponent)


def _exponential(exponent: Expr) -> Expr:
    return sympy.exp(sympy.together(exponent).expand()).expand(power_exp=True)
