"""Definition C.1 and Fact C.3: Lipschitz functions, pseudo-Lipschitz ones, continuous ones."""

import sympy as sp
from sympy import Min

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import (
    C_any,
    L_lipschitz,
    distance_x,
    epsilon,
    f_change,
    growth,
    norm_x,
    norm_x_other,
)
from theorems.classical import powers
from theorems.engine import Given, Hypothesis, eq, implies, le, rules
from theorems.engine.rules import Theorem, Vector, facts, norm

_NOTE = "proofs_notes/attn_tools.md#lipschitz-and-continuous-functions"
LIPSCHITZ = Hypothesis(
    "lipschitz_function",
    "the function is Lipschitz with the constant $L_lipschitz",
    latex=r"|f(x)-f(x')| \le $L_lipschitz \|x-x'\|",
)
PSEUDO_LIPSCHITZ = Hypothesis(
    "pseudo_lipschitz_function",
    "the function is pseudo-Lipschitz of the order $growth + 1 with the constant $C_any",
    latex=r"|f(x)-f(x')| \le $C_any \|x-x'\| (1 + \|x\|^{$growth} + \|x'\|^{$growth})",
)

WEAKER = claim(
    "attn.factC3",
    at="Fact C.3",
    title="A Lipschitz function is pseudo-Lipschitz of every order, with the same constant",
    states=le(f_change, L_lipschitz * distance_x * (1 + norm_x**growth + norm_x_other**growth)),
    assuming=[LIPSCHITZ],
    note=_NOTE,
)


@WEAKER.proved()
def powers_are_not_negative(given: Given) -> Theorem:
    """The factor is at least one."""
    lipschitz = given.supposed(LIPSCHITZ, le(f_change, L_lipschitz * distance_x))
    return given.follows(lipschitz)


_LARGEST = 1 + norm_x**growth + (norm_x + 1) ** growth

CONTINUOUS = claim(
    "attn.factC3.continuous",
    at="Fact C.3",
    title="A pseudo-Lipschitz function is continuous, with a modulus at every point",
    states=implies(le(distance_x, Min(1, epsilon / (1 + C_any * _LARGEST))), le(f_change, epsilon)),
    assuming=[PSEUDO_LIPSCHITZ],
    note=_NOTE,
)


@CONTINUOUS.proved()
def near_a_point(given: Given) -> Theorem:
    """Within a distance of one the norms are at most |x| + 1."""
    other = norm_x_other
    sizes = {other: sp.Interval(0, sp.oo)}
    bound = given.supposed(
        PSEUDO_LIPSCHITZ, le(f_change, C_any * distance_x * (1 + norm_x**growth + other**growth))
    )
    x, y = Vector("x"), Vector("x'")
    lengths = given.meaning(
        "norms, and a distance", *(eq(norm_x, norm(x)), eq(other, norm(y)), eq(distance_x, norm(y - x)))
    )
    triangle = rules.follows(
        le(other, norm_x + distance_x), [lengths, facts.triangle(x, y - x)], over=lengths.over
    )
    near = le(distance_x, 1)
    over = {**given.domain, **sizes}
    grown = powers.increase(other, norm_x + 1, growth)
    simple = rules.follows(
        le(f_change, distance_x * (1 + C_any * _LARGEST)), [bound, triangle, grown], over=over, under=[near]
    )
    return given.follows(simple, grown)
