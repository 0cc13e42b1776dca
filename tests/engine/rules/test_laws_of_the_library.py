"""Facts about laws in the library agree with SciPy's values at points."""

import math

import numpy as np
import pytest
import sympy as sp
from scipy import integrate
from scipy.stats import chi, chi2, norm

from theorems.classical.gaussian_mixtures import chance_given_the_variance
from theorems.classical.normal_means import by_covariance, exponential_moment, mean_of_chi
from theorems.classical.normal_tails import distribution, gordon
from theorems.classical.secants import fourth_moment_of_frequency, frequency, secant_by_cosines
from theorems.classical.series import inverse_squares
from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.normal_variables import chi_square_distribution
from theorems.engine.rules.vocabulary import E, P, Random, normal

X, U = Random("X"), Random("U")


@pytest.mark.parametrize("rows", [1, 2, 3, 8])
@pytest.mark.parametrize("place", [0.5, 1.0, 7.0])
def test_chi_square_distribution(rows: int, place: float) -> None:
    fact = chi_square_distribution(X, rows, sp.Rational(place))
    assert float(fact.statement.rhs.evalf()) == pytest.approx(chi2(rows).cdf(place))


@pytest.mark.parametrize("place", [1, 2, 5])
def test_tails_of_a_normal_variable(place: int) -> None:
    tail = 2 * norm.sf(place)
    assert float(distribution(X, place).statement.rhs) == pytest.approx(tail)
    for part in gordon(X, place).statement.args:
        (chance,) = part.atoms(P)
        low, high = (float(side.subs(chance, tail)) for side in (part.lts, part.gts))
        assert low < high < 1.6 * low


@pytest.mark.parametrize("rate", [-1, 0, 2])
def test_exponential_moments(rate: int) -> None:
    value = integrate.quad(lambda x: math.exp(rate * x) * norm.pdf(x), -20, 20)[0]
    law = exponential_moment(X, sp.Integer(rate)).statement
    assert rate == 0 or float(law.rhs) == pytest.approx(value)


def test_frequencies_of_the_secant() -> None:
    u = frequency(U).args[2]
    density = sp.lambdify(u, frequency(U).args[1], "numpy")

    def mean(value: object) -> float:
        return float(integrate.quad(lambda x: density(x) * value(x), 1e-12, 20)[0])  # type: ignore[operator]

    assert mean(lambda x: 1) == pytest.approx(1)
    assert mean(lambda x: x**4) == pytest.approx(float(fourth_moment_of_frequency(U).statement.rhs))
    assert "tanh(X/2)**2" in str(secant_by_cosines(U, X).statement.rhs)
    for x in (0.3, 1.0, 4.0):
        assert mean(lambda y, x=x: np.cos(x * y)) == pytest.approx(1 - np.tanh(x / 2) ** 2)


def test_inverse_squares() -> None:
    many = sp.Symbol("N", integer=True, nonnegative=True)
    partial, whole = inverse_squares(many, over={many: sp.Range(sp.oo)}).statement.args
    assert 0 < float(whole - partial.subs(many, 200).doit()) < 1 / 200


@pytest.mark.parametrize(("scales", "correlation"), [((2, 3), sp.Rational(1, 2)), ((1, 2), 1), ((2, 1), -1)])
def test_a_normal_law_is_told_by_its_covariance(scales: tuple[int, int], correlation: sp.Expr | int) -> None:
    """Means of products of two normal variables are those of Isserlis' theorem."""
    Y, u, v = Random("Y"), *sp.symbols("u v", real=True)
    s, t = scales
    fact = by_covariance(u**2 * v**2, (u, v), (X, Y), scales, correlation, over={})
    assert fact.statement.lhs == E(X**2 * Y**2)
    assert sp.simplify(fact.statement.rhs.doit() - s**2 * t**2 * (1 + 2 * correlation**2)) == 0
    needed = {sp.Eq(E(X**2), s**2), sp.Eq(E(Y**2), t**2), sp.Eq(E(X * Y), correlation * s * t)}
    assert needed | {normal(X, Y)} <= set(fact.under)


@pytest.mark.parametrize("correlation", [0, 2, -2])
def test_a_normal_law_along_a_line_has_correlation_one(correlation: int) -> None:
    """With an integer as correlation both variables are multiples of one, which 0 does not make them."""
    Y, u, v = Random("Y"), *sp.symbols("u v", real=True)
    with pytest.raises(ValueError, match="1 or -1"):
        by_covariance(u * v, (u, v), (X, Y), (1, 1), correlation, over={})


@pytest.mark.parametrize("degrees", [1, 2, 3, 10])
def test_mean_of_a_chi_variable(degrees: int) -> None:
    integral = mean_of_chi(X, sp.Integer(degrees)).statement.rhs
    value = integrate.quad(sp.lambdify(integral.variables[0], integral.function), 0, np.inf)[0]
    assert value == pytest.approx(chi(degrees).mean())
    assert value != pytest.approx(chi(degrees + 1).mean(), rel=0.01)


@pytest.mark.parametrize("degrees", [sp.S.Zero, sp.Integer(-1), sp.Rational(1, 2), sp.pi])
def test_a_chi_variable_has_a_number_of_degrees(degrees: sp.Expr) -> None:
    with pytest.raises(NotProved):
        mean_of_chi(X, degrees)


@pytest.mark.parametrize("fact", [mean_of_chi(X, sp.Integer(2)), chance_given_the_variance(X, U, sp.S.One)])
def test_a_law_is_no_law_of_other_variables(fact: object) -> None:
    """Without any one of its hypotheses nothing follows."""
    assert len(fact.under) in {2, 4}  # type: ignore[attr-defined]
    for one in fact.conditions:  # type: ignore[attr-defined]
        with pytest.raises(NotProved):
            follows(fact.statement, [fact], under=fact.under - {one})  # type: ignore[attr-defined]


@pytest.mark.parametrize("level", [-1.0, 0.0, 2.0])
def test_chance_of_a_mixture_of_two_variances(level: float) -> None:
    """Variances 0 and 4, each with probability one half: a normal variable of deviation 2, or 0."""
    fact = chance_given_the_variance(X, U, sp.Rational(level)).statement
    ((inside,),) = (mean.args for mean in fact.rhs.atoms(E))
    at = [inside.subs(U, variance) for variance in (sp.S.Zero, sp.Integer(4))]
    values = [float(getattr(one, "unfolded", lambda one=one: one)().evalf()) for one in at]
    assert np.mean(values) == pytest.approx((norm.cdf(level / 2) + (level >= 0)) / 2)
