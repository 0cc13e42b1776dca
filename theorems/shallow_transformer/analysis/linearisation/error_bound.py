"""Lemma 3: how far the linear model is from the network on the feasible set."""

from functools import cache

from sympy import sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, ge, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.analysis.linearisation.linear_model import WIDTHS
from theorems.shallow_transformer.analysis.linearisation.sampled import Step, steps
from theorems.shallow_transformer.analysis.linearisation.terms import REST, sum_of_heads, within
from theorems.shallow_transformer.hypotheses import SMOOTH_INSIDE, UNIT_SIGNS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import LIPSCHITZ, SMOOTHNESS, THETA_RADIUS, claim, m
from theorems.shallow_transformer.letters.run import B_LIN
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.tokens import called, inner_step
from theorems.shallow_transformer.sampling.head_balls import Point

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"

FEASIBLE = (*SMOOTH_INSIDE, UNIT_SIGNS)

LEMMA_3 = claim(
    "st.lem3",
    at="Lemma 3",
    title="The linearisation error on the feasible set",
    states=[
        le(of.eps_lin, B_LIN),
        eq(B_LIN, (LIPSCHITZ * of.rho_c * THETA_RADIUS + SMOOTHNESS * THETA_RADIUS**2) / sqrt(m)),
    ],
    given={m: WIDTHS},
    assuming=FEASIBLE,
    rests_on=["st.lem3.halved"],
    note=_NOTE,
)


@cache
def _in_constants(form: Boolean) -> Theorem:
    """The bound in terms of L_1, L_2 and r, one after the other."""
    square = of.rho_u**2 + of.rho_w**2
    closed = B_LIN.unfolded()
    in_r = closed.xreplace({sqrt(square): THETA_RADIUS})
    in_both = (LIPSCHITZ * of.rho_c * THETA_RADIUS + SMOOTHNESS * square) / sqrt(m)
    first = ONE_HEAD.follows(*called(B_LIN, THETA_RADIUS), goal=eq(B_LIN, in_r))
    second = ONE_HEAD.follows(*called(LIPSCHITZ, SMOOTHNESS), goal=eq(in_r, in_both))
    third = ONE_HEAD.follows(*called(THETA_RADIUS), goal=eq(THETA_RADIUS**2, square))
    return ONE_HEAD.follows(first, second, ONE_HEAD.follows(third, goal=eq(in_both, form.rhs)), goal=form)


@LEMMA_3.proved()
def whole_and_half_of_the_constant(given: Given) -> Theorem:
    """The same with L_2 for half of it."""
    bound, form = stated(LEMMA_3).args
    same = _in_constants(form)
    sign = ONE_HEAD.follows(*called(SMOOTHNESS), goal=ge(SMOOTHNESS, 0))
    half = given.follows(given.fact(HALVED), sign, goal=le(of.eps_lin, form.rhs))
    plain = given.follows(half, same, goal=bound)
    return given.follows(plain, same, goal=both(bound, form))


@LEMMA_3.tested(over=steps, cases=150)
def steps_over_printed(step: Step) -> Point:
    """sup_j|f − f_lin| and the printed bound, for σ = s tanh."""
    return step.point()


HALF = LIPSCHITZ * of.rho_c * THETA_RADIUS + SMOOTHNESS * THETA_RADIUS**2 / 2

HALVED = LEMMA_3.sharpened(
    "st.lem3.halved",
    title="The linearisation error with half of L_2, as the proof of Lemma 3 gives it",
    states=le(sqrt(m) * of.eps_lin, HALF),
    given={m: WIDTHS},
    assuming=FEASIBLE,
    rests_on=["st.eq19", "st.lem2", "st.lem3.remainder.smooth"],
    note=_NOTE,
)


@HALVED.proved()
def sum_of_remainders(given: Given) -> Theorem:
    """|h − h₀| ≤ L_1|δθ| and |h − h₀ − ⟨∇h₀, δθ⟩| ≤ L_2|δθ|²/2 in each head."""
    lipschitz, taylor = given.fact("st.lem2", "lipschitz"), given.fact("st.lem3.remainder.smooth")
    way = within(le(of.theta_step, THETA_RADIUS / sqrt(m)), given, inner_step(given))
    known = [way, *called(LIPSCHITZ, SMOOTHNESS, THETA_RADIUS)]
    change = within(le(sqrt(m) * of.h_step, LIPSCHITZ * THETA_RADIUS), given, lipschitz, *known)
    rest = within(le(m * REST, SMOOTHNESS * THETA_RADIUS**2 / 2), given, taylor, *known)
    return given.concluded(*sum_of_heads(given, change, rest))


@HALVED.tested(over=steps, cases=150)
def steps_over_half(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the bound, for σ = s tanh."""
    return step.point()
