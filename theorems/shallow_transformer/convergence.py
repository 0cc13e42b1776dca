"""Theorem 1 itself, with the constants that its inequality sign hides, and a bound 1/τ + 1/m."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sympy import Symbol, log, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, claims_in, eq, ge, gt, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer import run_letters as its
from theorems.shallow_transformer.descent import (
    A_MAX,
    B_COF,
    B_GRAD,
    B_LIN,
    EQ_26,
    F_MAX,
)
from theorems.shallow_transformer.drift import EQ_41
from theorems.shallow_transformer.hypotheses import (
    ACTIVATION,
    APPROXIMATION_EVENT,
    BOUNDED_HEADS,
    BOUNDED_LABELS,
    BOUNDED_MAP,
    CLOSE_LABELS,
    IN_FEASIBLE_SET,
    INPUTS,
    NORM_EVENT,
    PROJECTED_DESCENT,
    REALISABLE,
    STEP_SIZE,
    SYMMETRIC_START,
    WIDE_RADII,
)
from theorems.shallow_transformer.letters import LETTERS, m, tau
from theorems.shallow_transformer.premises import (
    called,
    lemma,
    letters,
    over,
    positive,
    stands_for,
    stated,
    what_is_assumed,
)
from theorems.shallow_transformer.theorem_1 import EQ_42, EQ_43, NU_NORM, START

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_descent.md"
_NU = (of.nu_c, of.nu_u, of.nu_w)

_PRINTED = (
    *SYMMETRIC_START,
    *ACTIVATION,
    *INPUTS,
    NORM_EVENT,
    BOUNDED_MAP,
    REALISABLE,
    WIDE_RADII,
    APPROXIMATION_EVENT,
    PROJECTED_DESCENT,
    STEP_SIZE,
)
ON_THE_EVENTS = {
    BOUNDED_HEADS: "st.eq9",
    CLOSE_LABELS: "st.eq26",
    BOUNDED_LABELS: "st.lem6.y",
    IN_FEASIBLE_SET: "every iterate is projected",
}
L_1, L_2 = its.LIPSCHITZ_9, its.SMOOTHNESS_9
_BY = (of.sigma_0, of.sigma_1, *_NU, of.rho_c, of.rho_u, of.rho_w)
HIDDEN = its.hidden(*_BY)
HIDDEN_FEATURES = its.hidden_features(*_BY[2:])
TERMS = L_1**4 / sqrt(tau) + L_1 * (of.B_app + its.LINEARISATION_9 + its.FEATURES_9)
FEATURES = le(its.FEATURES_9, HIDDEN_FEATURES * (L_1 + L_2) / sqrt(m))
_LETTERS = sorted((HIDDEN * TERMS * HIDDEN_FEATURES).free_symbols, key=str)

SHAPE = claim(
    "st.thm1",
    at="Theorem 1",
    title="Convergence of projected gradient descent",
    states={
        "least loss": le(of.loss_min, HIDDEN * TERMS),
        "average iterate": le(of.loss_average, (4 * HIDDEN + 6) * (TERMS + its.LINEARISATION_9**2)),
        "features": FEATURES,
    },
    given=letters(of.loss_min, of.loss_average, *_LETTERS, under=_PRINTED),
    assuming=_PRINTED,
    rests_on=[EQ_41, EQ_42, EQ_43, START, "st.eq35", "st.eq9", EQ_26, "st.lem6.y"],
    discharging=ON_THE_EVENTS,
    note=f"{_NOTE}#hidden-constants",
)


TOP = of.target_bound(of.d, *_BY[:5])
#: The bound (9) is a number, as half the width is at least δ'.
_DEFINED = ge(log(m / (2 * of.delta_prime)), 0)


def at_the_bound_9(given: Given, *known: Theorem) -> list[Theorem]:
    """Theorems about B at the bound (9) and y^max of Lemma 6, and why their hypotheses are met."""
    values = {of.B: its.RADIUS, of.y_max: TOP}
    moved = []
    for one in known:
        inside = {letter: value for letter, value in values.items() if letter in one.over}
        conditions = [*given.conditions, gt(its.RADIUS, 0), gt(TOP, 0)]
        ranges = over(TOP, *conditions)
        moved.append(rules.instance(one, inside, over=ranges, under=conditions))
    labels = what_is_assumed(given, REALISABLE, le(of.label_sup, of.target_sup))
    target = lemma(given, "st.lem6.y", le(of.target_sup, TOP))
    return [*moved, labels, target, given.fact(EQ_26), _radius(), positive(TOP)]


@cache
def _radius() -> Theorem:
    """The bound (9) is at least √d."""
    goal, where = both(ge(its.RADIUS, sqrt(of.d)), gt(its.RADIUS, 0)), [_DEFINED]
    known = called(its.RADIUS, under=where)
    return rules.follows(goal, known, over=over(goal, _DEFINED), under=where)


_WIDE = [ge(of.B, sqrt(of.d))]
_L = of.lipschitz_constant(of.sigma_1, of.B)
_OUTPUTS = its.outputs_over_lipschitz(*_BY)
_GRADIENT = its.gradient_over_lipschitz(of.sigma_0, of.sigma_1, of.rho_c)


@cache
def _sizes() -> list[Theorem]:
    """F = f^max + y^max ≤ C L_1 and A ≤ C' L_1, as L_1 = σ_1√(1 + B²) is at least σ_1 and σ_1√d."""
    steep = both(le(of.sigma_1, _L), le(of.sigma_1 * sqrt(of.d), _L))
    first = rules.follows(steep, called(_L), over=over(steep, *_WIDE), under=_WIDE)
    found = [first]
    for left, right, forms in (
        (F_MAX + TOP, _OUTPUTS * _L, (F_MAX, TOP)),
        (A_MAX, _GRADIENT * _L, (A_MAX,)),
    ):
        goal = le(left, right)
        known = [first, *called(*forms, _L)]
        found.append(rules.follows(goal, known, over=over(goal, *_WIDE), under=_WIDE))
    return found


def _follows(goal: Boolean, known: Sequence[Theorem]) -> Theorem:
    """What follows if B is at least √d."""
    return rules.follows(goal, known, over=over(goal, *_WIDE), under=_WIDE)


_F, _A, _LIP, _P, _Q, _R, _NU2, _TIME, _E = symbols(
    "F_1 A_1 L_1 p_1 q_1 r_1 N_1 t_1 e_1", nonnegative=True
)
_CASE = [le(_F, _P * _LIP), le(_A, _Q * _LIP), le(_NU2 / 4, _R * _LIP**4)]


@cache
def _inequality() -> Theorem:
    """(N + 4F²A²)t/4 + Fe ≤ (r + (pq)² + p)(L⁴t + Le) if F ≤ pL, A ≤ qL and N/4 ≤ rL⁴."""
    x, y, z, w = symbols("x_1 y_1 z_1 w_1", nonnegative=True)
    ranges = over(*_CASE)
    squares = [
        rules.follows(le(small**2, (factor * _LIP) ** 2), over=ranges, under=_CASE)
        for small, factor in ((_F, _P), (_A, _Q))
    ]
    times = rules.follows(le(x * y, z * w), over=over(x, y, z, w), under=[le(x, z), le(y, w)])
    values = {x: _F**2, y: _A**2, z: (_P * _LIP) ** 2, w: (_Q * _LIP) ** 2}
    product = rules.instance(times, values, over=ranges)
    fourth = le(_F**2 * _A**2, (_P * _Q) ** 2 * _LIP**4)
    known = rules.follows(fourth, [*squares, product], over=ranges, under=_CASE)
    constant, terms = _R + (_P * _Q) ** 2 + _P, _LIP**4 * _TIME + _LIP * _E
    parts = [
        rules.follows(le(left, constant * right), [known], over=ranges, under=_CASE)
        for left, right in (((_NU2 + 4 * _F**2 * _A**2) / 4, _LIP**4), (_F, _LIP))
    ]
    goal = le((_NU2 + 4 * _F**2 * _A**2) / 4 * _TIME + _F * _E, constant * terms)
    sums = le(x * _TIME + y * _E, z * (_TIME * w + _LIP * _E))
    sides = [le(x, z * w), le(y, z * _LIP)]
    apart = rules.follows(sums, over=over(sums), under=sides)
    values = {x: (_NU2 + 4 * _F**2 * _A**2) / 4, y: _F, z: constant, w: _LIP**4}
    whole = rules.instance(apart, values, over=over(goal))
    return rules.follows(goal, [*parts, whole], over=over(goal), under=_CASE)


_ERRORS = Symbol("sum of the errors", nonnegative=True)


@cache
def _hidden() -> list[Theorem]:
    """The right side of (42), with any errors for the three bounds, and what its letters are."""
    steepness, outputs, gradient = _sizes()
    squares = B_GRAD.subs(of.y_max, TOP)
    share = NU_NORM**2 / (4 * of.sigma_1**4)
    values = {_F: F_MAX + TOP, _A: A_MAX, _LIP: _L, _P: _OUTPUTS, _Q: _GRADIENT, _R: share}
    values |= {_NU2: NU_NORM**2, _TIME: 1 / sqrt(tau), _E: _ERRORS}
    signs = [positive(one) for one in (F_MAX, TOP, A_MAX, _L)]
    ranges = over(*values.values())
    inside = [ge(one, 0) for one in (F_MAX + TOP, A_MAX, _L)]
    moved = rules.instance(_inequality(), values, over=ranges, under=inside)
    goal = le(
        (NU_NORM**2 + squares) / (4 * sqrt(tau)) + (F_MAX + TOP) * _ERRORS,
        HIDDEN * (_L**4 / sqrt(tau) + _L * _ERRORS),
    )
    forms = [
        _follows(eq(squares, 4 * (F_MAX + TOP) ** 2 * A_MAX**2), called(squares, F_MAX, A_MAX)),
        _follows(le(NU_NORM**2 / 4, share * _L**4), [steepness]),
        _follows(
            eq(HIDDEN, share + (_OUTPUTS * _GRADIENT) ** 2 + _OUTPUTS), called(HIDDEN, NU_NORM)
        ),
    ]
    return [_follows(goal, [moved, outputs, gradient, *forms, *signs]), steepness, *signs]


def _constants(given: Given) -> list[Theorem]:
    """What the constants at (9) are, and what they obey at that B."""
    names = [stands_for("a constant at (9)", eq(one, it)) for one, it in its.AT_9.items()]
    where = [*given.conditions, gt(its.RADIUS, 0)]
    errors = of.B_app + sum(one.subs(of.B, its.RADIUS) for one in (B_LIN, B_COF))
    signs = [positive(one) for one in (B_LIN, B_COF)]
    known = [*_hidden(), *signs]
    moved = []
    for one in known:
        values = {of.B: its.RADIUS, _ERRORS: errors}
        values = {letter: value for letter, value in values.items() if letter in one.over}
        conditions = [*where, ge(errors, 0)] if _ERRORS in values else where
        ranges = over(errors, *conditions)
        moved.append(rules.instance(one, values, over=ranges, under=conditions) if values else one)
    return [*names, *moved]


@SHAPE.proved("least loss")
def hidden_constants(given: Given) -> Theorem:
    """√(1 + B²) exceeds 1 and √d: F ≤ C L_1 and A ≤ C' L_1, with C and C' of σ̄, ν̄ and ρ."""
    known = at_the_bound_9(given, given.fact(EQ_42))
    return given.follows(*known, *_constants(given), goal=stated(SHAPE, "least loss"))


@SHAPE.proved("average iterate")
def at_the_average_iterate(given: Given) -> Theorem:
    """Insert the mean of the losses in (43)."""
    known = at_the_bound_9(given, given.fact(EQ_41), given.fact(EQ_43))
    return given.follows(
        *known, given.fact(START), *_constants(given), goal=stated(SHAPE, "average iterate")
    )


@SHAPE.proved("features")
def hidden_constant_of_the_features(given: Given) -> Theorem:
    """(L_1 + L_2)r + ρ_c L_1 is at most (r + ρ_c)(L_1 + L_2)."""
    return given.follows(*_constants(given), goal=stated(SHAPE, "features"))
