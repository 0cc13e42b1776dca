"""Lemma D.9: means of products of averages, by the errors of the averages."""

from itertools import combinations
from typing import Any

from sympy import Abs, Mul, Reals, symbols

from theorems.attention_limit.letters.dot_products import C, R, R_size, c, four_gap, two_gap
from theorems.attention_limit.letters.table import claim
from theorems.engine import Given, Hypothesis, Provenance, both, eq, implies, le, rules
from theorems.engine.rules import E, Theorem, facts

_NOTE = "proofs_notes/attn_proofs.md#products-of-averages"

LIMITS = Hypothesis(
    "bounded_limits", "$C is the largest size of the limits", both(*(le(Abs(limit), C) for limit in c))
)
ERRORS = Hypothesis(
    "small_errors",
    "the fourth moments of $R_1, $R_2, $R_3 and $R_4 are at most the fourth power of $R_size",
    both(*(le(E(error**4), R_size**4) for error in R)),
)


_GAPS = {4: four_gap, 2: two_gap}


def _multiplied_out(given: Given, count: int) -> Theorem:
    product = Mul(*(R[k] + c[k] for k in range(count)))
    return given.meaning(
        "the product of averages less that of their limits", eq(_GAPS[count], E(product) - Mul(*c[:count]))
    )


FOUR = 4 * C**3 * R_size + 6 * C**2 * R_size**2 + 4 * C * R_size**3 + R_size**4

PRODUCTS = claim(
    "attn.lemD9",
    at="Lemma D.9, proof",
    title="The mean of a product of four averages is near the product of their limits",
    states={
        "four": le(Abs(four_gap), FOUR),
        "four, attained": eq((C + R_size) ** 4 - C**4, FOUR),
        "two": le(Abs(two_gap), 2 * C * R_size + R_size**2),
        "two, attained": eq((C + R_size) ** 2 - C**2, 2 * C * R_size + R_size**2),
    },
    assuming=[LIMITS, ERRORS],
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)


def _errors(given: Given, errors: list[Any]) -> Theorem:
    """|E X_1...X_k| ≤ R^k for up to four errors, by Schwarz's inequality for halves of products.

    The squares have means of at most R², and the squares of products of two of at most R⁴.
    """
    first, second = errors[: len(errors) // 2], errors[len(errors) // 2 :]
    squares = [*combinations(first, 2), *combinations(second, 2), *((one, 1) for one in errors)]
    pairs = (Mul(*first), Mul(*second)), *((one**2, other**2) for one, other in squares)
    known = [facts.expectation_of_product(*pair) for pair in pairs]
    return given.follows(*known, goal=le(Abs(E(Mul(*errors))), R_size ** len(errors)))


def _each_product(given: Given, count: int) -> list[Theorem]:
    """Each product of errors and limits has a mean of at most C^k R^(count - k)."""
    found = []
    for size in range(1, count + 1):
        for chosen in combinations(range(count), size):
            errors = E(Mul(*(R[k] for k in chosen)))
            bound = _errors(given, [R[k] for k in chosen])
            found.append(_times_limits(given, errors, bound, size, chosen, count))
    return found


def _times_limits(
    given: Given, errors: Any, bound: Theorem, size: int, chosen: tuple[int, ...], count: int
) -> Theorem:
    """One limit after the other joins the product."""
    value, top, known = errors, R_size**size, bound
    for k in sorted(set(range(count)) - set(chosen)):
        value, top = value * c[k], top * C
        known = given.follows(known, goal=le(Abs(value), top))
    return known


_x, _y = symbols("x y", real=True)
_a, _b = symbols("a b", real=True)


def _added(given: Given, first: Theorem, second: Theorem) -> Theorem:
    """The size of a sum is at most the sum of the bounds."""
    dict.fromkeys((_x, _y, _a, _b), Reals)
    triangle = implies(both(le(Abs(_x), _a), le(Abs(_y), _b)), le(Abs(_x + _y), _a + _b))
    (one, a), (other, b) = first.statement.args, second.statement.args
    values = {_x: one.args[0], _y: other.args[0], _a: a, _b: b}
    here = given.instance(rules.follows(triangle), values)
    return given.follows(here, first, second, goal=here.statement.args[1])


@PRODUCTS.proved("four", "two")
def expanded(given: Given) -> Theorem:
    """The product of sums without that of the limits has 15 terms, or 3 of them."""
    count = {"four": 4, "two": 2}[given.part]
    total, *others = _each_product(given, count)
    for one in others:
        total = _added(given, total, one)
    return given.follows(total, _multiplied_out(given, count))


@PRODUCTS.proved("four, attained", "two, attained")
def constant_errors(given: Given) -> Theorem:
    """If every error is R and every limit C, this is the distance."""
    return given.follows()
