"""Slopes and gradients of squared errors at samples, and of their mean, the loss."""

from functools import cache

from sympy import Abs, Expr, Reals, symbols

from theorems.engine import both, eq, le, rules
from theorems.engine.rules import Theorem, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, vectors
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import j, n
from theorems.shallow_transformer.premises.lines.sums_on_a_line import sum_on_a_line
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, family, linear, total

#: ∇ℓ of the squared error at a sample.
ERROR_GRADIENTS = vectors("gradient of ell")
_x, _y = symbols("place_on_a_line y", real=True)
_OUTPUT, _SLOPE = family("output on a line"), family("slope of the output on a line")
#: The output and the label at a sample.
OUTPUT, LABEL = _OUTPUT(j, 0), family("label")(j)


@cache
def _squares() -> Theorem:
    """The derivative of (f_j − y_j)² on a line, by that of f_j."""
    line = derivative(_SLOPE(j, _x), _OUTPUT(j, _x), _x, Reals)
    law = NETWORKS.meaning("outputs on a line, and their slopes", line)
    return rules.differentiated((_y - LABEL) ** 2, _x, Reals, {_y: law}, over=in_networks(j))


def _start(along: Expr, slope: Expr, change: Expr) -> Theorem:
    """What residuals and slopes are where the line starts."""
    return NETWORKS.meaning(
        "a line of parameters from its start on",
        *(eq(its.residuals(j), OUTPUT - LABEL), eq(along, _SLOPE(j, 0)), eq(slope, change)),
    )


@cache
def slope_of_a_squared_error(slope: Expr, along: Expr) -> Theorem:
    """2 r_j times the slope of f_j."""
    change = family("slope of a squared error")
    rate = rules.rate_of(_squares(), change(_x, j)).at({_x: 0})
    start = _start(along, slope, change(0, j))
    return NETWORKS.follows(rate, start, goal=eq(slope, 2 * its.residuals(j) * along))


@cache
def slope_of_the_loss(slope: Expr, along: Expr) -> Theorem:
    """(2/n)Σ r_j times the slope of f_j, as the loss is a mean of squares."""
    change = family("slope of the loss on a line")
    squares = sum_on_a_line(_squares(), j, n)
    mean = rules.differentiated(_y / n, _x, Reals, {_y: squares}, over=in_networks(n))
    rate = rules.rate_of(mean, change(_x)).at({_x: 0})
    start, product = _start(along, slope, change(0)), its.residuals(j) * along
    (each,) = (one.args[0] for one in rate.statement.rhs.atoms(type(total(product, j, n))))
    sums_ = added(NETWORKS.follows(start, goal=eq(each, 2 * product)), j, n)
    known = [rate, start, sums_, linear(sums_.statement.rhs)]
    return NETWORKS.follows(*known, goal=eq(slope, 2 / n * total(product, j, n)))


@cache
def gradient_of_a_squared_error() -> Theorem:
    """|∇ℓ| ≤ 2|r||∇f| for r = f − y: along ∇ℓ itself the slope of ℓ is |∇ℓ|² = 2r⟨∇f, ∇ℓ⟩."""
    g, nabla, residual = its.sample_gradients(j), ERROR_GRADIENTS(j), its.residuals(j)
    slope = slope_of_a_squared_error(inner(nabla, nabla), inner(g, nabla))
    short = le(norm(nabla), 2 * Abs(residual) * norm(g))
    size = NETWORKS.follows(slope, facts.cauchy_schwarz(g, nabla), goal=short)
    start = _start(inner(g, nabla), inner(nabla, nabla), family("slope of a squared error")(0, j))
    return NETWORKS.follows(size, start, goal=both(short, eq(residual, OUTPUT - LABEL)))
