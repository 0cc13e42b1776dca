"""After Theorem 1: distinct inputs become non-parallel ones by a bias in the first layer."""

from typing import Any

from sympy import Integer, Matrix, Symbol, expand, sympify

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, inner, norm
from theorems.engine.rules.facts import cauchy_schwarz
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import SIGMA, appended_distance, appended_sine, beta, claim, factor, m, x, y

_AT = "after Theorem 1"
_NOTE = "proofs_notes/eoc_networks.md#points-made-non-parallel"

BIAS = claim(
    "eoc.intro.bias",
    at=_AT,
    title="Appending a positive constant makes distinct points non-parallel",
    states=implies(gt(norm(x - y), 0), gt(appended_distance(x, y, beta, factor), 0)),
    note=_NOTE,
)


@BIAS.proved()
def last_coordinate(given: Given) -> Theorem:
    """β = c β only for c = 1, and then x ≠ y; c = 0 says that no appended vector vanishes."""
    return given.follows(goal=unfolded(given.goal))


LAYER = claim(
    "eoc.intro.bias.layer",
    at=_AT,
    title="Appending a constant is a bias in the first layer",
    states={
        "product": sentence(r"[A \ \ c]\begin{bmatrix} $x \\ $beta \end{bmatrix} = A $x + $beta c"),
        "law": sentence(
            r"c \sim \mathcal{N}($mean, v\,\mathcal{I}_{m_1}), \ v = $sigma^{$square} $m^{-q_1}"
            r" \implies $beta c \sim \mathcal{N}($mean_of_multiple,"
            r" $beta^{$power} v\,\mathcal{I}_{m_1})",
            mean=0,
            square=2,
            mean_of_multiple=0,
            power=2,
        ),
    },
    note=_NOTE,
)


_SCALES = {beta: half_line(0, closed=False), SIGMA: half_line(0, closed=False), m: integers(1)}


@LAYER.argued("product", bridge="Blocks of matrices multiply as letters that do not commute.", over=_SCALES)
def block_product() -> Obligations:
    """The blocks multiply row by column."""
    A, c, vector = (Symbol(name, commutative=False) for name in "Acx")
    product = (Matrix([[A, c]]) * Matrix([vector, beta]))[0]
    yield "row times column", bool(expand(product - A * vector - beta * c) == 0)


@LAYER.argued("law", bridge="A multiple of a centred Gaussian vector is centred and Gaussian.", over=_SCALES)
def variance_of_a_multiple(mean: Any, square: Any, mean_of_multiple: Any, power: Any) -> Obligations:
    """The entries stay centred and uncorrelated, and each gets β² times its variance."""
    first, second, q = Random("c_1"), Random("c_2"), Symbol("q_1", real=True)
    centre = E(beta * first).subs(E(first), mean)
    yield "mean of a multiple", equal(centre, sympify(mean_of_multiple))
    variance = (SIGMA * m ** (-q / 2)) ** 2
    claimed = SIGMA**square * m ** (-q)
    yield "variance of an entry", equal(variance, claimed)
    scaled = E((beta * first) ** 2).subs(E(first**2), variance)
    yield "variance of the multiple", equal(scaled, claimed * beta**power)
    mixed = E(beta * first * beta * second).subs(E(first * second), 0)
    yield "covariance of two entries", equal(mixed, Integer(0))


_LENGTHS = norm(x) ** 2 + beta**2, norm(y) ** 2 + beta**2
_BOUND = ge(appended_sine(x, y, beta), beta**2 * norm(x - y) ** 2 / (_LENGTHS[0] * _LENGTHS[1]))
_AT_A_MULTIPLE = {y: factor * x}

EXPLICIT = claim(
    "eoc.intro.bias.explicit",
    at=_AT,
    title="How far from parallel two points become by an appended constant",
    states={
        "bound": _BOUND,
        "attained": eq(_BOUND.lhs.subs(_AT_A_MULTIPLE), _BOUND.rhs.subs(_AT_A_MULTIPLE)),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved("bound")
def lagrange_identity(given: Given) -> Theorem:
    """The squared area is β²‖x - y‖² and ‖x‖²‖y‖² - ⟨x, y⟩², which is at least 0."""
    numbers = (beta**2, norm(x) ** 2, norm(y) ** 2, inner(x, y), norm(x - y) ** 2)
    _, p, q, s, n = numbers
    area, quotient = (
        given.substituted(one, dict(zip(_NUMBERS, numbers, strict=True))) for one in (_area(), _quotient())
    )
    known = [
        given.follows(cauchy_schwarz(x, y), goal=le(s**2, p * q)),
        given.follows(goal=eq(n, p + q - 2 * s)),
    ]
    larger = given.follows(area, *known, goal=area.statement)
    return given.follows(quotient, larger, goal=unfolded(_BOUND))


_NUMBERS = tuple(Symbol(f"number {k}", real=True) for k in range(5))


def _area() -> Theorem:
    """(b + p)(b + q) - (b + s)² = bn + pq - s² for n = p + q - 2s."""
    b, p, q, s, n = _NUMBERS
    return rules.follows(
        le(b * n, (b + p) * (b + q) - (b + s) ** 2), under=[le(s**2, p * q), eq(n, p + q - 2 * s)]
    )


def _quotient() -> Theorem:
    """The same, divided by (b + p)(b + q)."""
    b, p, q, s, n = _NUMBERS
    area = (b + p) * (b + q)
    return rules.follows(
        ge(1 - (b + s) ** 2 / area, b * n / area),
        under=[gt(b, 0), ge(p, 0), ge(q, 0), le(b * n, area - (b + s) ** 2)],
    )


@EXPLICIT.proved("attained")
def parallel_points(given: Given) -> Theorem:
    """For y = c x there is nothing but β²‖x - y‖²."""
    return given.follows(goal=unfolded(given.goal))
