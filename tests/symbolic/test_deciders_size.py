"""Work is measured before it is done, and what is too large is left undecided with its size."""

import pytest
import sympy
from decider_large import large_pairs
from hypothesis import event, given, settings
from sympy import Integer, Interval, Max, asin, cos, cosh, exp, pi, sin, sinh, tanh
from trying import each

from symbolic.equality import decide_at_least, decide_equal
from symbolic.normal_form import is_nonnegative_on, lower_sines, sign_on, trigonometric_form, vanishes
from symbolic.quotients import Arithmetic, Quotient, generator, rational
from symbolic.reading import Reader
from symbolic.size import MOST_DEGREE, MOST_TERMS, MOST_WORK, TooLargeError, Work, check_expression
from symbolic.spans import NONNEGATIVE, POSITIVE, REALS
from symbolic.spans import UNIT as UNIT_SPAN
from symbolic.survey import Survey
from symbolic.symbol_ranges import SymbolRange

x, y = sympy.symbols("x y", real=True)
UNIT = Interval(0, 1)
_THOROUGH = settings().max_examples > 1000


@each(
    "lhs, rhs",
    (sinh(x), exp(x) / 2 - exp(-x) / 2),
    (cosh(x), (exp(x) + exp(-x)) / 2),
    (tanh(x), (exp(2 * x) - 1) / (exp(2 * x) + 1)),
    (cosh(x) ** 2 - sinh(x) ** 2, Integer(1)),
    (sinh(x + y), sinh(x) * cosh(y) + cosh(x) * sinh(y)),
)
@pytest.mark.parametrize("domain", [{}, {x: UNIT}, {x: Interval(0, sympy.oo)}])
def test_hyperbolic_functions_are_what_they_are_defined_as(lhs, rhs, domain):
    assert decide_equal(lhs, rhs, domain).answer is True
    assert decide_equal(lhs, rhs + sympy.Rational(1, 10**30), domain).answer is False


def test_a_constant_beside_an_angle_is_no_obstacle():
    angle = 1 - pi / (x**2 + pi**2)
    decision = decide_at_least(cos(angle) ** 2, 1 - sin(angle) ** 2, {x: UNIT})
    assert decision.answer is True


def test_a_nested_angle_is_refuted_or_left():
    inside = x**2 + Max(x, y) ** 2
    assert decide_equal(asin(sin(inside)), inside, {x: UNIT, y: UNIT}).answer is False
    decision = decide_equal(asin(sin(inside)), inside, {x: Interval(0, sympy.Rational(1, 2))})
    assert decision.answer is not True


@each(
    "expression, what",
    (sympy.Add(*(sin(k * x) for k in range(1, 1200))), "parts of an expression"),
    (x ** (2**5000), "binary digits of a number"),
    (sympy.Add(*sympy.symbols("a:40", real=True)) ** 2, "symbols, roots and functions"),
    (sympy.Add(1, *sympy.symbols("a:12", real=True)) ** 9, "terms of a polynomial"),
    ((1 + x) ** (10**7), "factors of a power"),
)
def test_what_is_too_large_is_named(expression, what):
    decision = decide_equal(expression, sympy.Function("f")(x))
    assert decision.answer is None
    assert what in decision.detail


def test_levels_of_an_expression_are_counted():
    deep = x
    for _ in range(50):
        deep = sin(deep, evaluate=False) + 1
    with pytest.raises(TooLargeError, match="levels of an expression"):
        check_expression(deep)


class _Measuring(Arithmetic):
    """Arithmetic that looks at everything that FLINT was given and has made."""

    def times(self, one, other):
        return self._seen(super().times(one, other))

    def raised(self, base, exponent):
        return self._seen(super().raised(base, exponent))

    def factors(self, polynomial):
        before = self.work.done
        found = super().factors(polynomial)
        assert len(polynomial) == 1 or polynomial.total_degree() <= MOST_DEGREE
        assert self.work.done - before >= len(polynomial)
        return found

    @staticmethod
    def _seen(polynomial):
        assert len(polynomial) <= MOST_TERMS
        return polynomial


@settings(max_examples=8000 if _THOROUGH else 120)
@given(large_pairs())
def test_nothing_is_done_beyond_the_bounds(case):
    lhs, rhs, domain = case
    works = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symbolic.reading_angles.Arithmetic", _Measuring)
        patch.setattr("symbolic.equality.Work", lambda: works.append(Work()) or works[-1])
        for decide in (decide_equal, decide_at_least):
            decision = decide(lhs, rhs, domain)
            event(f"{decide.__name__}: {decision.answer}")
            assert decision.answer is not None or decision.detail
    assert all(work.done <= MOST_WORK for work in works)


@each("low, high", (0, 1), (-1, 1), (1, 3), (sympy.Rational(1, 3), 2), (0, sympy.oo), (0, pi))
def test_high_powers_of_ranges_keep_their_sign(low, high):
    powers = (1 - x) ** (10**9), 2 * (1 + x) ** (10**9) + y**2
    domain = {x: Interval.Lopen(low, high), y: Interval(0, sympy.oo)}
    assert decide_at_least(powers[0] * y**2, Integer(0), domain).answer is True
    assert decide_at_least(powers[1], Integer(0), domain).answer is True


@each("power", 10**4, 10**5, 10**7, 10**30)
def test_high_powers_are_refused_before_they_are_made(power):
    of = Arithmetic(Work())
    total = of.total([generator(0), generator(1), rational(1)])
    with pytest.raises(TooLargeError):
        of.power(total, power)
    assert of.work.done < 1000


def test_large_products_are_refused_before_they_are_made():
    of = Arithmetic(Work())
    sums = [of.total([generator(k) for k in range(i, i + 8)]) for i in (0, 8)]
    one, other = (of.power(s, 5) for s in sums)
    done = of.work.done
    with pytest.raises(TooLargeError, match="terms of a polynomial"):
        of.product([one, other])
    assert of.work.done - done < 1000


def test_equations_of_generators_are_used():
    reader = Reader()
    root = reader.read(sympy.sqrt(1 + x) * sympy.sqrt(1 + x) ** 3 - (1 + x) ** 2)
    assert isinstance(root, Quotient)
    assert root.is_zero
    assert not reader.read(sympy.sqrt(1 + x) - 1 - x).is_zero


LARGE = sympy.Add(*(sin(k * x) for k in range(1, 1200)))


def test_signs_and_forms_of_what_is_too_large_are_not_shown():
    assert sign_on(LARGE**2 + 1) is None
    assert not is_nonnegative_on(LARGE**2)
    assert not vanishes((1 + LARGE) ** 2 - 1 - 2 * LARGE - LARGE**2)


@each(
    "expression, what",
    (LARGE, "parts of an expression"),
    (sin(65 * x) + 1, "times an angle"),
    (cos(sympy.Add(*sympy.symbols("a:7", real=True))), "sums in an angle"),
    ((sin(x) + cos(y)) ** 65, "factors of a power"),
    (1 / (sin(x) + cos(y)) ** 65, "factors of a power"),
)
def test_a_trigonometric_form_is_not_made_of_what_is_too_large(expression, what):
    with pytest.raises(TooLargeError, match=what):
        trigonometric_form(expression)


def test_a_sign_that_is_not_known_inside_says_nothing_of_the_ends(monkeypatch):
    survey = Survey({x: SymbolRange(UNIT_SPAN)})
    monkeypatch.setattr(survey, "_keeps_sign", lambda *_: False)
    for inside, whole in ((POSITIVE, NONNEGATIVE), (POSITIVE.negated(), NONNEGATIVE.negated())):
        monkeypatch.setattr(Reader, "half_line", lambda *_, found=inside: found)
        assert survey._by_factors(x) == whole
    unknown = REALS._replace(punctured=True)
    monkeypatch.setattr(Reader, "half_line", lambda *_: unknown)
    assert survey._by_factors(x) == REALS


def test_a_trigonometric_form_at_the_bounds_is_made():
    assert trigonometric_form(cos(64 * x)) == sympy.chebyshevt(64, cos(x))


def test_powers_of_sines_within_the_bound_are_lowered():
    assert lower_sines(sin(x) ** 64) == ((1 - cos(x) ** 2) ** 32).expand()
    with pytest.raises(TooLargeError, match="factors of a power"):
        lower_sines(sin(x) ** 65)
