"""Moments of sums of independent terms, by induction on the number of terms."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sympy import Expr, Integer, Sum, Symbol, sympify
from sympy.logic.boolalg import Boolean

from theorems.classical.gaussian_moments import standard
from theorems.classical.independent_sums import apart, grows, k, n, weighted_sums
from theorems.engine import Given, Hypothesis, both, eq, half_line, integers, rules
from theorems.engine.rules import E, Theorem, facts, sums
from theorems.engine.rules.normal_variables import centred, fourth_moment
from theorems.engine.rules.vocabulary import independent, normal, randoms

__all__ = [
    "COUNTED",
    "bilinear",
    "drawn",
    "fourth_moments",
    "k",
    "n",
    "products",
    "second_moments",
    "squares",
    "sums_of_products",
    "sums_of_squares",
    "sums_with_one_factor",
    "weighted",
    "weighted_products",
    "weighted_squares",
    "with_u",
    "with_w",
]

COUNTED = {n: integers(0)}
_z, _w, _u = randoms("z"), randoms("w"), randoms("u")
#: Their variances, if they are not standard.
_a, _b = (Symbol(f"variance {name}", nonnegative=True) for name in "ab")
_COLUMNS = {n: integers(0), **dict.fromkeys((_a, _b), half_line(0))}
#: Sums of products of two normal variables, of squares of standard ones, and of these with weights.
products, squares, weighted = randoms("Z"), randoms("chi"), randoms("F")
#: Sums of products of two standard normal variables with weights: a normal form.
bilinear = randoms("B")
#: Sums of products of which those of one and of the other have a factor in common.
with_w, with_u = randoms("A_w"), randoms("A_u")


def second_moments(
    given: Given, family: Any, term: Expr, moments: tuple[Any, Any], known: Iterable[Theorem]
) -> Theorem:
    """E S = n e and E S² = n m + n(n - 1)e² for sums of n independent terms of one law.

    ``moments`` are e = E X and m = E X², of which ``known`` says that they are these; it says that
    a term is independent of the sum before it as well.
    """
    S, (e, m) = family(n), moments
    none, longer = grows(given, family, term, (1, 2))
    goal = both(eq(E(S), n * e), eq(E(S**2), n * m + n * (n - 1) * e**2))
    step = [longer, *apart(S, term, (1, 1)), *known]
    return rules.induction(goal, n, 0, base=[none], step=step)


def fourth_moments(
    given: Given, family: Any, term: Expr, moments: tuple[Any, Any], known: Iterable[Theorem]
) -> Theorem:
    """E S² = n v and E S⁴ = n m + 3n(n - 1)v² for sums of n independent centred terms.

    ``moments`` are v = E X² and m = E X⁴, of which ``known`` says that they are these; it says
    that the terms are centred, and independent of the sum before them, as well.
    """
    S, (v, m) = family(n), map(sympify, moments)
    none, longer = grows(given, family, term, (1, 2, 4))
    goal = both(eq(E(S), 0), eq(E(S**2), n * v), eq(E(S**4), n * m + 3 * n * (n - 1) * v**2))
    step = [longer, *apart(S, term, (1, 1), (3, 1), (2, 2), (1, 3)), *known]
    return rules.induction(goal, n, 0, base=[none], step=step)


def drawn(given: Given, family: Any, term: Expr, *variables: Expr) -> list[Theorem]:
    """Standard normal variables that are new in each term, with their first four moments."""
    apart = [independent(*variables)] if len(variables) > 1 else []
    laws = [part for x in variables for part in standard(x).args]
    said = given.meaning(
        "independent standard normal variables, new ones in each term of a sum",
        *(*laws, *apart, independent(family(n), term)),
    )
    moments = [fact(x) for x in variables for fact in (centred, fourth_moment)]
    return [said, *moments]


def _normal(variances: Mapping[Expr, Expr]) -> list[Boolean]:
    """Centred normal variables with these variances."""
    return [part for x, variance in variances.items() for part in (normal(x), eq(E(x**2), variance))]


def sums_of_products(given: Given, law: Hypothesis, variances: tuple[Expr, Expr]) -> Theorem:
    """E Z² = n ab and E Z⁴ = 3n(n + 2)a²b² for sums of n products of normals of variances a and b.

    That these are independent in each column, and of other columns, is a hypothesis.
    """
    z, w, Z = _z(n), _w(n), products(n)
    new = independent(z, w), independent(Z, z * w)
    said = given.supposed(law, *_normal({z: _a, w: _b}), *new, over=_COLUMNS)
    moments = [fact(x) for x in (z, w) for fact in (centred, fourth_moment)]
    known = [said, *moments, *apart(z, w, (1, 1), (2, 2), (4, 4))]
    sums_ = fourth_moments(given, products, z * w, (_a * _b, 9 * _a**2 * _b**2), known)
    return given.substituted(sums_, dict(zip((_a, _b), variances, strict=True)))


def sums_of_squares(given: Given) -> Theorem:
    """E χ = n and E χ² = n(n + 2) for sums of n squares of standard normal variables."""
    square = _z(n) ** 2
    known = drawn(given, squares, square, _z(n))
    return second_moments(given, squares, square, (1, 3), known)


def weighted_squares(given: Given, weight: Callable[[Any], Expr]) -> Theorem:
    """E F = Σc and E F² = (Σc)² + 2Σc² for sums of n squares of standard normals, times c."""
    F, z = weighted(n), _z(n)
    none, longer = grows(given, weighted, weight(n) * z**2, (1, 2))
    total, square = (Sum(weight(k) ** p, (k, 0, n - 1)) for p in (1, 2))
    goal = both(eq(E(F), total), eq(E(F**2), total**2 + 2 * square))
    known = [none, longer, *drawn(given, weighted, z**2, z), *apart(F, z**2, (1, 1))]
    return sums.by_recursion(goal, n, premises=known)


def weighted_products(given: Given, weight: Callable[[Any], Expr]) -> Theorem:
    """E B² = Σs² and E B⁴ = 3(Σs²)² + 6Σs⁴ for sums of n products of standard normals, times s."""
    z, w = _z(n), _w(n)
    factors = apart(z, w, (1, 1), (2, 2), (3, 3), (4, 4))
    known = [*drawn(given, bilinear, z * w, z, w), *factors]
    return weighted_sums(given, bilinear, weight, z * w, (Integer(1), Integer(9)), known)


def sums_with_one_factor(given: Given, law: Hypothesis, variances: tuple[Expr, Expr]) -> Theorem:
    """E A²B² = n(n + 2)a²b² for sums A of n products zw, and B of n products zu, of normals.

    The variance of z is a, and b is that of w and of u; as in ``sums_of_products``.
    """
    A, B, z, w, u = with_w(n), with_u(n), _z(n), _w(n), _u(n)
    orders = [(2, 0), (0, 2), (1, 1), (2, 2)]
    none = given.meaning("sums of no terms", *(eq(E(with_w(0) ** p * with_u(0) ** q), 0) for p, q in orders))
    longer = given.meaning(
        "sums with one term more",
        *(
            eq(E(with_w(n + 1) ** p * with_u(n + 1) ** q), E((A + z * w) ** p * (B + z * u) ** q))
            for p, q in orders
        ),
    )
    single = [(A * z, w), (B * z, u), (A * z, u), (B * z, w), (z**2 * u, w)]
    mixed = [(A**2 * B * z, u), (A * B**2 * z, w), (A * B * z**2 * u, w)]
    mixed += [(A * z**3 * u**2, w), (B * z**3 * w**2, u)]
    even = [(A**2, z**2 * u**2), (B**2, z**2 * w**2), (z**4, w**2 * u**2)]
    even += [(z**2, u**2), (z**2, w**2), (w**2, u**2)]
    pairs = [*single, *mixed, *even]
    normals = _normal({z: _a, w: _b, u: _b})
    said = given.supposed(law, *normals, *(independent(*pair) for pair in pairs), over=_COLUMNS)
    moments = [fact(x) for x in (z, w, u) for fact in (centred, fourth_moment)]
    step = [longer, said, *moments, *(facts.expectation_of_independent(*pair) for pair in pairs)]
    square = _a * _b
    goal = both(
        *(eq(E(A**2), n * square), eq(E(B**2), n * square)),
        *(eq(E(A * B), 0), eq(E(A**2 * B**2), n * (n + 2) * square**2)),
    )
    sums_ = rules.induction(goal, n, 0, base=[none], step=step)
    return given.substituted(sums_, dict(zip((_a, _b), variances, strict=True)))
