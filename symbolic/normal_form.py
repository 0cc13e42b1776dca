"""Normal forms that show an expression to vanish for all values of its symbols.

Two methods, tried in order:

* the expression itself is read as a quotient of polynomials in generators (`symbolic.reading`);
* so it is after a rational parametrisation of the inside of the range
  (`symbolic.rational_parametrisation`).

That the numerator is 0 says nothing where a denominator is 0 as well, and nothing about the ends
of a range. Both are settled by one argument: what is defined and continuous on the whole range
(`symbolic.survey`) and vanishes on a dense part of it vanishes everywhere.
"""

import sympy
from sympy import Dummy, Expr, cos, sin

from symbolic.arguments import ranges
from symbolic.reading import Reader
from symbolic.size import MOST_ANGLES, MOST_MULTIPLE, TooLargeError, check, check_expression
from symbolic.spans import Span
from symbolic.survey import Survey
from symbolic.symbol_ranges import Domain, symbol_ranges_of

__all__ = ["Domain", "has_zero_form", "is_nonnegative_on", "sign_on", "trigonometric_form", "vanishes"]


def _surveyed(expression: Expr, domain: Domain | None) -> tuple[Survey, Expr] | None:
    """The survey of its symbols on their ranges, and the expression with letters for what jumps.

    None for an expression that is too large for any of this to be tried.
    """
    symbol_ranges = symbol_ranges_of(expression.free_symbols, ranges(domain, "domain"))
    try:
        check_expression(expression)
        survey = Survey(symbol_ranges)
        return survey, survey.without_jumps(expression)
    except TooLargeError:
        return None


def _sharp_span(expression: Expr, domain: Domain | None) -> Span | None:
    """Numbers among which all values lie, as sharp as a survey has them; None if not shown."""
    found = _surveyed(expression, domain)
    return None if found is None else found[0].sharp_span(found[1])


def vanishes(expression: Expr, domain: Domain | None = None) -> bool:
    """Whether a normal form shows the expression to be zero for all values in the domain.

    `domain` maps symbols to sets of real numbers, ends of intervals included if they are closed.
    False says only that it was not shown.

    >>> from sympy import Interval, acos, asin, pi, sqrt, symbols
    >>> t, rho, z = symbols("t rho z", real=True)
    >>> vanishes(sqrt(1 - cos(t) ** 2) - sin(t), {t: Interval(0, pi)})
    True
    >>> vanishes(sqrt(1 - cos(t) ** 2) - sin(t))
    False
    >>> vanishes(asin(sqrt(1 - rho**2)) - acos(-rho), {rho: Interval.open(-1, 1)})
    False
    >>> vanishes(acos(1 - 2 * z) - 2 * asin(sqrt(z)), {z: Interval(0, 1)})
    True
    >>> vanishes(t / (sin(t) ** 2 + cos(t) ** 2 - 1))
    False
    """
    found = _surveyed(expression, domain)
    if found is None:
        return False
    survey, tame = found
    return has_zero_form(tame, survey) and survey.span(tame) is not None


def has_zero_form(expression: Expr, survey: Survey) -> bool:
    """Whether a numerator of the expression is 0, inside of the range.

    >>> x = sympy.Symbol("x")
    >>> has_zero_form(sin(x) ** 2 + cos(x) ** 2 - 1, Survey({}))
    True
    """
    return any(_reads_zero(Reader(survey.work, frame), expression) for frame in (None, survey.frame))


def _reads_zero(reader: Reader, expression: Expr) -> bool:
    return reader.of.work.attempt(lambda: reader.read(expression).is_zero, False)


def sign_on(expression: Expr, domain: Domain | None = None) -> int | None:
    """Sign that the expression has on the whole domain, or None when that is not shown.

    >>> from sympy import Interval
    >>> t = sympy.Symbol("t", real=True)
    >>> sign_on(sin(t / 2), {t: Interval.open(0, sympy.pi)}), sign_on(cos(t) - 2)
    (1, -1)
    >>> print(sign_on(sin(t / 2), {t: Interval(0, sympy.pi)}))
    None
    >>> sign_on(cos(t / 2 + sympy.pi / 2), {t: Interval.open(0, sympy.pi)})
    -1
    """
    span = _sharp_span(expression, domain)
    if span is None:
        return None
    if span.positive:
        return 1
    if span.negated().positive:
        return -1
    return 0 if span.is_point else None


def is_nonnegative_on(expression: Expr, domain: Domain | None = None) -> bool:
    """Whether the expression is shown to be at least zero on the whole domain.

    >>> from sympy import Interval
    >>> t = sympy.Symbol("t", real=True)
    >>> is_nonnegative_on(1 - sin(t), {t: Interval.open(0, sympy.pi)})
    True
    """
    span = _sharp_span(expression, domain)
    return span is not None and span.nonnegative


def _check_angles(expression: Expr) -> None:
    """Refuse what the addition theorems would make too long."""
    _check_powers(expression)
    for node in expression.atoms(sin, cos):
        terms = sympy.Add.make_args(node.args[0])
        check("sums in an angle", len(terms), MOST_ANGLES)
        for term in terms:
            check("times an angle", abs(int(term.as_coeff_Mul()[0])), MOST_MULTIPLE)


def _check_powers(expression: Expr) -> None:
    """Refuse powers that would be too long when they are multiplied out."""
    check_expression(expression)
    for power in expression.atoms(sympy.Pow):
        if power.exp.is_Integer:
            check("factors of a power", abs(int(power.exp)), MOST_MULTIPLE)


def trigonometric_form(expression: Expr) -> Expr:
    """Quotient of polynomials in sines and cosines, no sine squared, without common factors.

    Raises TooLargeError for an expression, an angle or a power beyond the bounds of the deciders.

    >>> t = sympy.Symbol("t", real=True)
    >>> trigonometric_form((cos(2 * t) - 1) / 2 + sin(2 * t) * sin(t))
    -2*cos(t)**3 + cos(t)**2 + 2*cos(t) - 1
    """
    _check_angles(expression)
    numerator, denominator = sympy.fraction(sympy.together(sympy.expand_trig(expression)))
    hidden: dict[Expr, Expr] = {}
    parts = [lower_sines(part.expand()) for part in (numerator, denominator)]
    for angle in {node.args[0] for part in parts for node in part.atoms(sin, cos)}:
        hidden |= {function(angle): Dummy() for function in (sin, cos)}
    shown = {dummy: node for node, dummy in hidden.items()}
    return sympy.cancel(parts[0].xreplace(hidden) / parts[1].xreplace(hidden)).xreplace(shown)


def lower_sines(polynomial: Expr) -> Expr:
    """Expand with the powers of sines lowered by sin² = 1 - cos².

    Raises TooLargeError for an expression or a power beyond the bounds of the deciders.

    >>> t = sympy.Symbol("t", real=True)
    >>> lower_sines(sin(t) ** 3)
    -sin(t)*cos(t)**2 + sin(t)
    """
    _check_powers(polynomial)
    lowered = {
        power: power.base ** (power.exp % 2) * (1 - cos(power.base.args[0]) ** 2) ** (power.exp // 2)
        for power in polynomial.atoms(sympy.Pow)
        if isinstance(power.base, sin) and power.exp.is_Integer and power.exp > 1
    }
    return polynomial.xreplace(lowered).expand()
