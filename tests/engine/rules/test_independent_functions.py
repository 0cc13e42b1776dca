"""Functions of independent variables: attempts to make dependent ones independent."""

import pytest
import sympy as sp

from theorems.engine.rules import E, NotProved, Random, follows
from theorems.engine.rules.facts import expectation_of_independent, independent_functions
from theorems.engine.rules.vocabulary import independent, randoms

X, Y, Z, W = map(Random, "XYZW")
a = sp.Symbol("a", real=True)
_n, _FAMILY = sp.Symbol("n", integer=True, nonnegative=True), randoms("S")


def square(x: sp.Expr) -> sp.Expr:
    return x**2


def test_functions_of_one_and_of_two_others() -> None:
    fact = independent_functions(square, lambda y, z: a * y + z**3, X, Y, Z, over={a: sp.Reals})
    assert fact.statement == independent(X**2, a * Y + Z**3)
    assert fact.under == {independent(X, Y, Z)}
    assert fact.over[a] == sp.Reals


def test_the_mean_of_a_product_is_that_of_both_means() -> None:
    fact = independent_functions(square, lambda y, z: y * z, X, Y, Z)
    product = expectation_of_independent(X**2, Y * Z)
    goal = sp.Eq(E(X**2 * Y * Z), E(X**2) * E(Y * Z))
    assert follows(goal, [fact, product], under=[independent(X, Y, Z)])


@pytest.mark.parametrize(
    "known",
    [
        (),
        (independent(X, Y),),
        (independent(X, Y), independent(X, Z)),
        (independent(X, Y), independent(X, Z), independent(Y, Z)),  # in pairs is not enough
        (independent(Y, X, Z), independent(X, Y), independent(Y, Z)),  # said in another order
        (independent(X, Y * Z),),
    ],
)
def test_all_of_them_must_be_independent(known: tuple) -> None:
    fact = independent_functions(square, lambda y, z: y * z, X, Y, Z)
    with pytest.raises(NotProved):
        follows(fact.statement, [fact], under=known)


@pytest.mark.parametrize(
    ("f", "g"),
    [
        (lambda x: x * Y, lambda y, z: y),  # the first one takes another one's variable
        (lambda x: x, lambda y, z: y + X),
        (lambda x: x + Z, lambda y, z: z),
        (lambda x: x + W, lambda y, z: y * W),  # both take one that nobody speaks of
        (lambda x: x + _FAMILY(_n), lambda y, z: y * _FAMILY(_n)),
    ],
)
def test_a_function_has_its_own_variables_alone(f: object, g: object) -> None:
    with pytest.raises(ValueError, match="its own variables"):
        independent_functions(f, g, X, Y, Z, over={_n: sp.Range(sp.oo)})


def test_there_are_two_others_at_most() -> None:
    with pytest.raises((ValueError, TypeError)):
        independent_functions(square, lambda y, z: y * z, X, Y, Z, W)


def test_a_letter_of_the_function_has_a_range() -> None:
    with pytest.raises(KeyError):
        independent_functions(lambda x: a * x, lambda y: y, X, Y)


def test_one_variable_in_both_places() -> None:
    fact = independent_functions(square, square, X, X)
    assert fact.under == {independent(X, X)}
