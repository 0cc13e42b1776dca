"""The three answers of an equality, and the balls and normal forms behind them."""

from fractions import Fraction

import flint
import mpmath
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from sympy import Abs, Interval, Matrix, acos, asin, cos, exp, pi, sign, sin, sqrt
from sympy.simplify.fu import TR8
from trying import each

from symbolic.enclosure import enclose, is_nonzero, sign_of
from symbolic.equality import decide_equal, equal, together_decided
from symbolic.normal_form import sign_on, trigonometric_form, vanishes

t, rho, z, theta, x, half_line = sympy.symbols("t rho z theta x h", real=True)
w, p = sympy.symbols("w p", positive=True)
DOMAIN = {
    t: Interval.open(0, pi),
    rho: Interval.open(-1, 1),
    z: Interval.open(0, 1),
    w: Interval.open(1, sympy.oo),
    half_line: Interval.open(0, sympy.oo),
}

IDENTITIES = [
    (sqrt(1 - cos(t) ** 2), sin(t)),
    (sqrt(1 - (1 - 2 * z) ** 2), 2 * sqrt(z * (1 - z))),
    (sqrt((1 - rho) / (1 + rho)), sqrt(1 - rho**2) / (1 + rho)),
    (asin(cos(t)), pi / 2 - t),
    (acos(-cos(t)), pi - t),
    (acos(1 - 2 * z), 2 * asin(sqrt(z))),
    (asin(sqrt(1 - z)), pi / 2 - asin(sqrt(z))),
    (asin(1 - 2 / w**2), pi / 2 - 2 * asin(1 / w)),
    (sqrt((1 + cos(t)) / 2), cos(t / 2)),
    (sqrt(1 - w**-2) * w, sqrt(w**2 - 1)),
    (Abs(sin(t) * x), sin(t) * Abs(x)),
    (sign(cos(t) - 1), sympy.S.NegativeOne),
    (cos(theta) * cos(theta - t), (cos(t) + cos(2 * theta - t)) / 2),
    (exp(x + rho) * exp(-x), exp(rho)),
    (sin(2 * asin(sqrt(z))), 2 * sqrt(z) * sqrt(1 - z)),
    (sympy.Max(p, -p), p),
    (cos(acos(rho) / 2), sqrt((1 + rho) / 2)),
    (Abs(half_line) / sqrt(half_line), sqrt(half_line)),
]


@each("lhs, rhs", *IDENTITIES)
def test_identities_hold_and_small_changes_do_not(lhs, rhs):
    assert equal(lhs, rhs, DOMAIN) is True
    assert equal(lhs, rhs + Fraction(1, 10**40), DOMAIN) is False
    assert equal(lhs, -rhs, DOMAIN) is False


def test_the_domain_is_needed():
    assert equal(sqrt(1 - cos(t) ** 2), sin(t), {t: Interval.open(pi, 2 * pi)}) is False
    assert equal(asin(sin(t)), t, {t: Interval.open(0, pi)}) is False


def test_what_neither_road_decides_stays_open():
    unknown = sympy.Function("f")(x)
    decision = decide_equal(unknown, sympy.S.Zero)
    assert decision.answer is None
    assert "decides" in decision.detail


def test_a_rejection_names_a_point_that_can_be_inserted():
    decision = decide_equal(x**2, x)
    assert decision.answer is False
    value = Fraction(decision.detail.split("x = ")[1].split(" ")[0])
    assert value**2 != value


def test_matrices_entry_by_entry():
    rotation = Matrix([[cos(t), -sin(t)], [sin(t), cos(t)]])
    assert equal(rotation * rotation.T, sympy.eye(2)) is True
    assert equal(rotation * rotation, sympy.eye(2)) is False
    assert equal(rotation, sympy.eye(3)) is False
    assert equal(Matrix([sympy.Function("f")(x), 1]), Matrix([0, 1])) is None


def test_conjunction_is_false_before_open_before_true():
    yes, no, open_ = (decide_equal(*pair) for pair in [(x, x), (x, x + 1), (sin(sympy.I), x)])
    assert together_decided([yes, open_, no]).answer is False
    assert together_decided([yes, open_, yes]).answer is None
    assert together_decided([yes, yes]).answer is True


FUNCTIONS = [
    (sin(x), mpmath.sin),
    (cos(x), mpmath.cos),
    (sympy.tan(x), mpmath.tan),
    (asin(x), mpmath.asin),
    (acos(x), mpmath.acos),
    (sympy.atan(x), mpmath.atan),
    (exp(x), mpmath.exp),
    (sympy.sinh(x), mpmath.sinh),
    (sympy.cosh(x), mpmath.cosh),
    (sympy.tanh(x), mpmath.tanh),
    (sympy.log(2 + x), lambda v: mpmath.log(2 + v)),
    (sympy.erf(x), mpmath.erf),
    (sympy.erfc(x), mpmath.erfc),
    (sympy.gamma(x + 2), lambda v: mpmath.gamma(v + 2)),
    (Abs(x), abs),
    (sign(x), mpmath.sign),
    (sqrt(2 + x), lambda v: mpmath.sqrt(2 + v)),
    ((2 + x) ** Fraction(-1, 2), lambda v: 1 / mpmath.sqrt(2 + v)),
    ((2 + x) ** pi, lambda v: (2 + v) ** mpmath.pi),
    (sympy.Max(x, Fraction(1, 3)), lambda v: max(v, mpmath.mpf(1) / 3)),
    (sympy.Min(x, Fraction(1, 3)), lambda v: min(v, mpmath.mpf(1) / 3)),
    (x**3 / 7 - sympy.E + sympy.EulerGamma, lambda v: v**3 / 7 - mpmath.e + mpmath.euler),
]


@each("expression, reference", *FUNCTIONS)
@given(value=fractions(-1, 1, max_denominator=1000))
def test_balls_are_tight_and_contain_the_value(expression, reference, value):
    ball = enclose(expression, {x: value})
    with mpmath.workdps(50):
        exact = reference(mpmath.mpf(value.numerator) / value.denominator)
        distance = abs(mpmath.mpf(ball.mid().str(60, radius=False)) - exact)
    # The reference carries 50 digits, the ball 192 bits: together they agree to 45 digits.
    assert distance < 1e-45
    assert float(ball.rad()) < 1e-45


@given(fractions(-20, 20, max_denominator=1000))
def test_hyperbolic_functions_are_those_of_the_exponential(value):
    grown, shrunk = exp(x), exp(-x)
    halves = {sympy.sinh: (grown - shrunk) / 2, sympy.cosh: (grown + shrunk) / 2}
    halves[sympy.tanh] = (grown - shrunk) / (grown + shrunk)
    for function, by_exponentials in halves.items():
        assert enclose(function(x), {x: value}).overlaps(enclose(by_exponentials, {x: value}))
    one = sympy.cosh(x) ** 2 - sympy.sinh(x) ** 2
    assert is_nonzero(one, {x: value})
    assert not is_nonzero(one - 1, {x: value})


def test_precision_is_restored_and_floats_are_refused():
    flint.ctx.prec = 71
    enclose(pi, None, 300)
    assert flint.ctx.prec == 71
    with pytest.raises(TypeError, match="Float"):
        enclose(x, {x: 0.5})
    with pytest.raises(TypeError, match="no value given for the symbol x"):
        enclose(x + 1)


def test_a_value_that_is_not_real_proves_nothing():
    assert not is_nonzero(sympy.log(x), {x: -1})
    assert is_nonzero(sympy.log(x), {x: 2})


def test_signs_of_numbers():
    assert sign_of(exp(pi * sqrt(163)) - 262537412640768744) == -1
    assert sign_of(sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)) == 0
    assert sign_of(pi - Fraction(333, 106)) == 1


@each(
    "expression, expected",
    (sin(t), 1),
    (cos(t / 2), 1),
    (1 - rho, 1),
    (1 + rho, 1),
    (half_line, 1),
    (rho - 1, -1),
    (z - z, 0),
    (rho, None),
    (cos(t), None),
    (z * (1 - z), 1),
    (1 - 1 / w, 1),
    (-sqrt(w), -1),
    (sqrt(2) - 2, -1),
)
def test_signs_on_a_domain(expression, expected):
    assert sign_on(expression, DOMAIN) == expected


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=2))
def test_trigonometric_polynomials(terms):
    """Powers of sines and cosines against their products-to-sums form."""
    polynomial = sum(c * sin(t) ** i * cos(theta - t) ** j for c, i, j in terms)
    sums = TR8(sympy.expand(sympy.sympify(polynomial)))
    assert vanishes(polynomial - sums)
    assert not vanishes(polynomial - sums + sin(t) ** 2 * cos(theta))
    assert equal(trigonometric_form(sympy.sympify(polynomial)), sums) is True


def test_a_side_that_sympy_cannot_order_is_undecided_and_told():
    nothing = sympy.log(sympy.Pow(1, 2, evaluate=False), evaluate=False)
    nowhere = sympy.exp(-sympy.Pow(nothing, -1, evaluate=False))
    with pytest.raises(ZeroDivisionError):
        str(nowhere + sympy.Rational(1, 10))
    decision = decide_equal(nowhere, sympy.Rational(1, 10))
    assert decision.answer is None
    assert "log(1**2)" in decision.detail
