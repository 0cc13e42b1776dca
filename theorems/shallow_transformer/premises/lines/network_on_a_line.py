"""The network as a function on a line through the parameters of one head."""

from sympy import Expr, Reals, Symbol, sqrt, symbols

from theorems.engine import Given, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer.hypotheses import TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import family


def slope_of_the_network(
    given: Given, when: str, weight: Expr, change: Symbol
) -> tuple[Theorem, Expr, Expr, Expr]:
    """The derivative of ((c + xγ)h(θ + xη) + others)/√m at x = 0, the head's value, its slope.

    It is (γh + cDh)/√m, by the product rule; ``weight`` is c and ``change`` is γ.
    """
    given.require(TWICE_DIFFERENTIABLE)
    x, y, c, others = symbols("x y c others", real=True)
    names = (f"{name} {when}" for name in ("head", "slope of the head", "slope of the network"))
    head, slope, whole = map(family, names)
    law = NETWORKS.meaning(f"a head along a line, {when}", derivative(slope(x), head(x), x, Reals))
    form = ((c + x * change) * y + others) / sqrt(m)
    rate = rules.differentiated(form, x, Reals, {y: law}, over=in_networks(c, change, others, m))
    named = rules.rate_of(rate, whole(x))
    return NETWORKS.substituted(named, {x: 0, c: weight}), whole(0), head(0), slope(0)


def slope_by_an_output_weight(value: Expr, when: str) -> tuple[Theorem, Expr]:
    """The derivative of ((c + x)h + others)/√m at x = 0 is h/√m, as the head stays."""
    x, c, others = symbols("x c others", real=True)
    whole = family(f"slope of the network {when}, by c")
    form = ((c + x) * value + others) / sqrt(m)
    rate = rules.differentiated(form, x, Reals, {}, over=in_networks(c, value, others, m))
    return rules.rate_of(rate, whole(x)).at({x: 0}), whole(0)
