"""Definition 3, Equation (19) and Lemma 3: the linear model and how far it is from the network."""

from __future__ import annotations

from functools import cache

from sympy import Expr, Function, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    both,
    claims_in,
    defining,
    eq,
    ge,
    integers,
    le,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer import linear_letters as its
from theorems.shallow_transformer import premises
from theorems.shallow_transformer.boundary_steps import Step, steps
from theorems.shallow_transformer.head_balls import Point
from theorems.shallow_transformer.head_premises import closed_forms
from theorems.shallow_transformer.head_terms import (
    REST,
    initial,
    now,
    remainder,
    shift,
    slope,
    start,
    sum_of_heads,
    within,
)
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_CURVATURES,
    BOUNDED_HEADS,
    BOUNDED_SLOPES,
    EVEN_WIDTH,
    IN_FEASIBLE_SET,
    INPUTS,
    PAIRED_HEADS,
    TWICE_DIFFERENTIABLE,
    UNIT_SIGNS,
)
from theorems.shallow_transformer.largest_hessian import LEMMA_2, SMOOTH
from theorems.shallow_transformer.letters import LETTERS, i, m
from theorems.shallow_transformer.named_premises import as_declared
from theorems.shallow_transformer.premises import spoken, stated
from theorems.shallow_transformer.token_letters import total
from theorems.shallow_transformer.token_premises import stands_for, textbook_says, what_is_assumed
from theorems.shallow_transformer.token_sums import added, taken_apart

__all__ = [
    "DEFINITION",
    "EQUAL_MOVES",
    "EQ_19",
    "FEASIBLE",
    "HALVED",
    "LEMMA_3",
    "PAIRED",
    "WIDTHS",
]

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
#: Widths are even.
WIDTHS = integers(2)
_c, _step, _start, _now, _slope, _REST = initial, shift, start, now, slope, remainder
_ERROR = sqrt(m) * (its.f_value - its.lin_value)


def _heads(term: Expr) -> Expr:
    """The sum over the heads."""
    return total(term, i, m)


DEFINITION = claim(
    "st.def3",
    at="Definition 3",
    title="The linear model",
    states={
        "second form": defining(its.lin_value, eq(its.f_initial + its.lin_slope, its.lin_slope)),
        "derivative": eq(sqrt(m) * its.lin_slope, _heads(_step * _start + _c * _slope)),
    },
    given={
        **dict.fromkeys((its.f_initial, its.lin_slope)),
        **dict.fromkeys(spoken(EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE)),
        m: WIDTHS,
    },
    assuming=[EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE],
    note=_NOTE,
)
_PAIRS = Symbol("pairs", integer=True, positive=True)


def _by_pairs(given: Given, term: Expr) -> Theorem:
    """A sum over heads is a sum over pairs of heads, one from each half."""
    given.require(EVEN_WIDTH)
    pair = term + term.xreplace({i: i + _PAIRS})
    return textbook_says(
        "a sum over an even number of heads, by pairs",
        eq(_heads(term), total(pair, i, _PAIRS)),
        under=[eq(m, 2 * _PAIRS)],
    )


def _cancelling(given: Given, term: Expr, *known: Theorem) -> list[Theorem]:
    """The sum over heads vanishes, as heads of a pair contribute opposite terms."""
    pairs, other = _by_pairs(given, term), term.xreplace({i: i + _PAIRS})
    each = rules.follows(eq(term, -other), known, over=as_declared(term, _PAIRS))
    opposite = premises.added(each, i, _PAIRS)
    sums = (pairs.statement.rhs, *opposite.statement.args)
    apart = [premises.linear(one_) for one_ in sums]
    return [pairs, opposite, *apart, what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * _PAIRS))]


def _opposite(given: Given) -> Theorem:
    """The heads of a pair start with opposite output weights and equal outputs."""
    other = {i: i + _PAIRS}
    return what_is_assumed(
        given,
        PAIRED_HEADS,
        eq(_c.xreplace(other), -_c),
        eq(_start.xreplace(other), _start),
    )


@DEFINITION.proved("second form")
def pairs_cancel(given: Given) -> Theorem:
    """f(X; φ⁽⁰⁾) = m^(−1/2) Σ over pairs of (c − c)h = 0."""
    output = stands_for("the output at the start", eq(sqrt(m) * its.f_initial, _heads(_c * _start)))
    return given.follows(output, *_cancelling(given, _c * _start, _opposite(given)))


@DEFINITION.proved("derivative")
def derivative_of_a_head(given: Given) -> Theorem:
    """d/dt (c + tδc)h(θ + tδθ) = δc h + c⟨∇h, δθ⟩ at t = 0, for each head."""
    given.require(TWICE_DIFFERENTIABLE)
    change = Function("change", real=True)
    product = textbook_says("product rule", eq(change(i), _step * _start + _c * _slope))
    whole = stands_for("the derivative of a sum", eq(sqrt(m) * its.lin_slope, _heads(change(i))))
    return given.follows(added(product, i, m), whole)


@DEFINITION.tested("second form", over=steps)
def outputs_at_the_start(step: Step) -> Point:
    """f(X; φ⁽⁰⁾) and the linear model, for one input."""
    return step.start()


EQ_19 = claim(
    "st.eq19",
    at="Equation (19)",
    title="The linearisation error head by head",
    states=eq(
        sqrt(m) * (its.f_value - its.lin_value), _heads(_step * (_now - _start) + _c * _REST)
    ),
    given={
        **dict.fromkeys((its.f_value, its.lin_value, *spoken(TWICE_DIFFERENTIABLE))),
        m: WIDTHS,
    },
    assuming=[TWICE_DIFFERENTIABLE],
    rests_on=[DEFINITION],
    discharging={
        EVEN_WIDTH: "only the derivative of the output is used",
        PAIRED_HEADS: "only the derivative of the output is used, and f(X; phi_0) cancels",
    },
    note=_NOTE,
)


def _outputs() -> Theorem:
    """The network, and the linear model by its definition."""
    return stands_for(
        "the outputs",
        eq(sqrt(m) * its.f_value, _heads((_c + _step) * _now)),
        eq(sqrt(m) * its.f_initial, _heads(_c * _start)),
        eq(its.lin_value, its.f_initial + its.lin_slope),
    )


@EQ_19.proved()
def one_head(given: Given) -> Theorem:
    """(c + δc)h − [ch₀ + h₀δc + cl] = δc(h − h₀) + c(h − h₀ − l), for l = ⟨∇h₀, δθ⟩."""
    known = [_outputs(), given.fact(DEFINITION, "derivative")]
    return given.follows(*known, *taken_apart(*known, stated(EQ_19)), goal=stated(EQ_19))


EQUAL_MOVES = Hypothesis(
    "equal_moves",
    "paired heads of $phi have moved alike in U and W",
    latex=r"\delta\theta_{i+m/2} = \delta\theta_i \text{ at } $phi",
)

PAIRED = claim(
    "st.lem3.paired",
    at="Equation (19)",
    title="Moving paired heads alike leaves the first sum only",
    states=eq(_ERROR, _heads(_step * (_now - _start))),
    given={
        **dict.fromkeys((its.f_value, its.lin_value)),
        **dict.fromkeys(spoken(EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE, EQUAL_MOVES)),
        m: WIDTHS,
    },
    assuming=[EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE, EQUAL_MOVES],
    rests_on=[EQ_19],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PAIRED.proved()
def remainders_cancel(given: Given) -> Theorem:
    """c r + (−c) r = 0 for the remainders r of the two heads, equal as their θ are."""
    other = {i: i + _PAIRS}
    alike = what_is_assumed(
        given,
        EQUAL_MOVES,
        eq(_now.xreplace(other), _now),
        eq(_slope.xreplace(other), _slope),
    )
    none = _cancelling(given, _c * _REST, _opposite(given), alike)
    goal = stated(PAIRED)
    apart = taken_apart(goal, stated(EQ_19), none[0].statement.lhs)
    return given.follows(given.fact(EQ_19), *none, *apart, goal=goal)


FEASIBLE = (
    *INPUTS,
    TWICE_DIFFERENTIABLE,
    BOUNDED_SLOPES,
    BOUNDED_CURVATURES,
    BOUNDED_HEADS,
    IN_FEASIBLE_SET,
    UNIT_SIGNS,
)
_L_1 = of.lipschitz_constant(of.sigma_1, of.B)
_L_2 = of.smoothness_constant(of.sigma_1, of.sigma_2, of.B)
_TURN = of.turn(of.rho_u, of.rho_w)
_B_LIN = of.linearisation_bound(m, of.sigma_1, of.sigma_2, of.rho_c, of.rho_u, of.rho_w, of.B)

LEMMA_3 = claim(
    "st.lem3",
    at="Lemma 3",
    title="The linearisation error on the feasible set",
    states=[
        le(of.eps_lin, _B_LIN),
        eq(_B_LIN, (_L_1 * of.rho_c * _TURN + _L_2 * _TURN**2) / sqrt(m)),
    ],
    given={
        **dict.fromkeys((of.eps_lin, *_B_LIN.free_symbols, *spoken(*FEASIBLE))),
        m: WIDTHS,
    },
    assuming=FEASIBLE,
    rests_on=["st.lem3.halved"],
    note=_NOTE,
)


@cache
def _in_constants(form: Boolean) -> Theorem:
    """The bound in terms of L_1, L_2 and r, one after the other."""
    over, square = as_declared(form), of.rho_u**2 + of.rho_w**2
    closed = _B_LIN.unfolded()
    in_r = closed.xreplace({sqrt(square): _TURN})
    in_both = (_L_1 * of.rho_c * _TURN + _L_2 * square) / sqrt(m)
    first = rules.follows(eq(_B_LIN, in_r), closed_forms(_B_LIN, _TURN), over=over)
    second = rules.follows(eq(in_r, in_both), closed_forms(_L_1, _L_2), over=over)
    third = rules.follows(eq(_TURN**2, square), closed_forms(_TURN), over=over)
    return rules.follows(form, [first, second, third], over=over)


@LEMMA_3.proved()
def more_than_half(given: Given) -> Theorem:
    """The same with L_2 for half of it."""
    bound, form = stated(LEMMA_3).args
    same = _in_constants(form)
    sign = rules.follows(ge(_L_2, 0), closed_forms(_L_2), over=as_declared(_L_2))
    half = given.follows(given.fact(HALVED), sign, goal=le(of.eps_lin, form.rhs))
    plain = given.follows(half, same, goal=bound)
    return given.follows(plain, same, goal=both(bound, form))


@LEMMA_3.tested(over=steps, cases=150)
def steps_over_printed(step: Step) -> Point:
    """sup_j|f − f_lin| and the printed bound, for σ = s tanh."""
    return step.point()


_HALF = _L_1 * of.rho_c * _TURN + _L_2 * _TURN**2 / 2

HALVED = LEMMA_3.sharpened(
    "st.lem3.halved",
    title="What the proof of Lemma 3 gives",
    states=le(sqrt(m) * of.eps_lin, _HALF),
    given={
        **dict.fromkeys((of.eps_lin, *_HALF.free_symbols, *spoken(*FEASIBLE))),
        m: WIDTHS,
    },
    assuming=FEASIBLE,
    rests_on=[EQ_19, LEMMA_2, SMOOTH],
    note=_NOTE,
)


def _length_of_the_way(given: Given) -> Theorem:
    """|δθ| ≤ r/√m, as |δθ|² = |δU|² + ‖δW‖²."""
    ways = [Symbol(f"step of {name}", nonnegative=True) for name in "UW"]
    radii = zip(ways, (of.rho_u, of.rho_w), strict=True)
    bounds = what_is_assumed(given, IN_FEASIBLE_SET, *(le(x, r / sqrt(m)) for x, r in radii))
    square = stands_for("the step of both", eq(of.theta_step**2, ways[0] ** 2 + ways[1] ** 2))
    return within(le(of.theta_step, _TURN / sqrt(m)), given, bounds, square, *closed_forms(_TURN))


@HALVED.proved()
def sum_of_remainders(given: Given) -> Theorem:
    """|h − h₀| ≤ L_1|δθ| and |h − h₀ − ⟨∇h₀, δθ⟩| ≤ L_2|δθ|²/2 in each head."""
    taylor = textbook_says("Taylor's formula", le(REST, of.h_hessian * of.theta_step**2 / 2))
    lipschitz, smooth = given.fact(LEMMA_2, "lipschitz"), given.fact(SMOOTH)
    known = [_length_of_the_way(given), *closed_forms(_L_1, _L_2, _TURN)]
    change = within(le(sqrt(m) * of.h_step, _L_1 * _TURN), given, lipschitz, *known)
    rest = within(le(m * REST, _L_2 * _TURN**2 / 2), given, taylor, smooth, *known)
    return given.follows(*sum_of_heads(given, change, rest), goal=stated(HALVED))


@HALVED.tested(over=steps, cases=150)
def steps_over_half(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the bound, for σ = s tanh."""
    return step.point()
