"""Theorem 1 itself, with the constants that its inequality sign hides, and a bound 1/τ + 1/m."""

from collections.abc import Mapping, Sequence
from functools import cache

from sympy import Abs, Expr, Symbol, log, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, ge, gt, le
from theorems.engine.rules import Theorem
from theorems.engine.rules.inferences import inserted
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.feature_change import HEAD, LENGTHS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, m, tau
from theorems.shallow_transformer.letters.run import A_MAX, B_COF, B_GRAD, B_LIN, F_MAX
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    between,
    called,
    form,
    letters,
    positive,
    stated,
    what_is_assumed,
)

_NOTE = "proofs_notes/st_descent.md"

_PRINTED = (*hyp.ON_BOTH_EVENTS, hyp.PROJECTED_DESCENT, hyp.STEP_SIZE)
ON_THE_EVENTS = {
    hyp.BOUNDED_HEADS: "st.eq9",
    hyp.CLOSE_LABELS: "st.eq26",
    hyp.BOUNDED_LABELS: "st.lem6.y",
    hyp.IN_FEASIBLE_SET: "every iterate is projected",
}
L_1, L_2 = its.LIPSCHITZ_9, its.SMOOTHNESS_9
_BY = (of.sigma_0, of.sigma_1, *of.NU, of.rho_c, of.rho_u, of.rho_w)
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
    rests_on=["st.eq41", "st.eq42", "st.eq43", "st.eq42.start", "st.eq35", "st.eq9", "st.eq26", "st.lem6.y"],
    discharging=ON_THE_EVENTS,
    note=f"{_NOTE}#hidden-constants",
)


TOP = of.target_bound(of.d, *_BY[:5])
RADIUS = its.RADIUS
#: The bound (9) is a number, as half the width is at least δ'.
_DEFINED = ge(log(m / (2 * of.delta_prime)), 0)


def at_9(expression: Expr) -> Expr:
    """An expression with the bound (9) for B, and the bound of Lemma 6 for y^max."""
    return expression.subs({of.B: RADIUS, of.y_max: TOP})


def at_the_bound_9(given: Given, *known: Theorem) -> list[Theorem]:
    """Theorems about B at the bound (9) and y^max of Lemma 6, and why their hypotheses are met."""
    values = {of.B: RADIUS, of.y_max: TOP}
    moved = []
    for one in known:
        inside = {letter: value for letter, value in values.items() if letter in one.over}
        conditions = [*given.conditions, gt(RADIUS, 0), gt(TOP, 0)]
        moved.append(NETWORKS.substituted(one, inside, under=conditions))
    label, value = symbols("label value_of_the_map", real=True)
    labels = [
        what_is_assumed(given, hyp.REALISABLE, eq(label, value)),
        NETWORKS.meaning("the largest label, at some sample", eq(of.label_sup, Abs(label))),
        NETWORKS.largest("the largest target", le(Abs(value), of.target_sup)),
    ]
    target = given.fact("st.lem6.y")
    heads = le(of.U_max + of.rho_u / sqrt(m), RADIUS)
    event = between(given, heads, *called(RADIUS, under=[_DEFINED]))
    why = [*labels, target, event, given.fact("st.eq26"), _radius(), positive(TOP)]
    return [between(given, one.statement, one, *why) for one in moved]


@cache
def _radius() -> Theorem:
    """The bound (9) is at least √d."""
    goal, where = both(ge(RADIUS, sqrt(of.d)), gt(RADIUS, 0)), [_DEFINED]
    known = called(RADIUS, under=where)
    return NETWORKS.follows(*known, goal=goal, under=where)


#: The right side of (41) with the paper's step, and of (42).
MEAN_RIGHT = (of.NU_NORM**2 + at_9(B_GRAD)) / (4 * sqrt(tau)) + (at_9(F_MAX) + TOP) * (
    of.B_app + at_9(B_LIN) + at_9(B_COF)
)

# What is hidden, for any B of at least √d: letters stand for the factors, so that products stay.
_WIDE = [ge(of.B, sqrt(of.d))]
_F, _A, _LIP, _P, _Q, _R, _H, _NU2, _SQUARES, _TIME, _E = symbols(
    "F_1 A_1 L_1 p_1 q_1 r_1 H_1 N_1 S_1 t_1 e_1", nonnegative=True
)
_FACTORS = {
    _P: its.outputs_over_lipschitz(*_BY),
    _Q: its.gradient_over_lipschitz(of.sigma_0, of.sigma_1, of.rho_c),
    _R: of.NU_NORM**2 / (4 * of.sigma_1**4),
}
_HIDDEN = _R + (_P * _Q) ** 2 + _P
_AS_HIDDEN = eq(HIDDEN, _HIDDEN)
if _HIDDEN.xreplace({**_FACTORS, _R: unfolded(_FACTORS[_R])}) != HIDDEN.unfolded():
    raise ValueError("the constant that Theorem 1 hides is not what its proof takes it for")


def _factor(letter: Symbol) -> Theorem:
    """What a factor of the hidden constant is."""
    return NETWORKS.meaning(f"the factor {letter}", eq(letter, _FACTORS[letter]))


@cache
def _sizes() -> list[Theorem]:
    """F = f^max + y^max ≤ pL_1, A ≤ qL_1, N/4 ≤ rL_1⁴; L_1 is at least σ_1 and σ_1√d."""
    steep = both(le(of.sigma_1, of.LIPSCHITZ), le(of.sigma_1 * sqrt(of.d), of.LIPSCHITZ))
    first = _follows(steep, called(of.LIPSCHITZ))
    fourth = _follows(le(of.sigma_1**4, of.LIPSCHITZ**4), [first])
    return [
        _follows(le(F_MAX + TOP, _P * of.LIPSCHITZ), [first, *called(F_MAX, TOP, of.LIPSCHITZ), _factor(_P)]),
        _follows(le(A_MAX, _Q * of.LIPSCHITZ), [first, *called(A_MAX, of.LIPSCHITZ), _factor(_Q)]),
        _follows(le(of.NU_NORM**2 / 4, _R * of.LIPSCHITZ**4), [fourth, _factor(_R)]),
    ]


def _follows(goal: Boolean, known: Sequence[Theorem]) -> Theorem:
    """What follows if B is at least √d."""
    return NETWORKS.follows(*known, goal=goal, under=_WIDE)


_CASE = [le(_F, _P * _LIP), le(_A, _Q * _LIP), le(_NU2 / 4, _R * _LIP**4)]
_NAMES = [eq(_SQUARES, 4 * _F**2 * _A**2), eq(_H, _HIDDEN)]


@cache
def _inequality() -> Theorem:
    """(N + 4F²A²)t/4 + Fe ≤ (r + (pq)² + p)(L⁴t + Le) if F ≤ pL, A ≤ qL and N/4 ≤ rL⁴."""
    x, y, z, w = symbols("x_1 y_1 z_1 w_1", nonnegative=True)
    squares = [
        NETWORKS.follows(goal=le(small**2, (factor * _LIP) ** 2), under=_CASE)
        for small, factor in ((_F, _P), (_A, _Q))
    ]
    times = NETWORKS.follows(goal=le(x * y, z * w), under=[le(x, z), le(y, w)])
    product = NETWORKS.substituted(times, {x: _F**2, y: _A**2, z: (_P * _LIP) ** 2, w: (_Q * _LIP) ** 2})
    known = NETWORKS.follows(*squares, product, goal=le(_F**2 * _A**2, (_P * _Q) ** 2 * _LIP**4), under=_CASE)
    parts = [
        NETWORKS.follows(known, goal=le(left, _HIDDEN * right), under=_CASE)
        for left, right in (((_NU2 + 4 * _F**2 * _A**2) / 4, _LIP**4), (_F, _LIP))
    ]
    sums = le(x * _TIME + y * _E, z * (_TIME * w + _LIP * _E))
    sides = [le(x, z * w), le(y, z * _LIP)]
    apart = NETWORKS.follows(goal=sums, under=sides)
    first = {x: (_NU2 + 4 * _F**2 * _A**2) / 4, y: _F, z: _HIDDEN, w: _LIP**4}
    found = NETWORKS.follows(
        *parts, NETWORKS.substituted(apart, first), goal=inserted(sums, first), under=_CASE
    )
    goal = le((_NU2 + _SQUARES) * _TIME / 4 + _F * _E, _H * (_LIP**4 * _TIME + _LIP * _E))
    return NETWORKS.follows(found, goal=goal, under=[*_CASE, *_NAMES])


def _at(goal: Boolean, *known: Theorem, also: Sequence[Boolean] = ()) -> Theorem:
    """What follows where the bound (9) is a number, and perhaps under other conditions."""
    where = [_DEFINED, *also]
    return NETWORKS.follows(*known, goal=goal, under=where)


def _at_9(one: Theorem) -> Theorem:
    """A theorem about any B, perhaps of at least √d, at the bound (9)."""
    where = [_DEFINED, gt(RADIUS, 0)]
    moved = NETWORKS.substituted(one, {of.B: RADIUS}, under=where)
    return _at(moved.statement, moved, _radius())


@cache
def _signs() -> list[Theorem]:
    """The constants at the bound (9) are positive."""
    signs = [_at_9(positive(one)) for one in (F_MAX, A_MAX, of.LIPSCHITZ, of.SMOOTHNESS, B_LIN, B_COF)]
    signs += [positive(TOP), positive(of.NU_NORM), NETWORKS.meaning("the hidden constant", _AS_HIDDEN)]
    constants = (at_9(F_MAX), TOP, at_9(A_MAX), *its.AT_9, of.NU_NORM)
    conditions = [gt(one, 0) for one in constants]
    return [_at(one, *names(), *signs) for one in (*conditions, ge(HIDDEN, 0))]


def _applied(lemma_: Theorem, values: Mapping[Symbol, Expr]) -> Theorem:
    """A lemma in letters at other terms, which must be known to have these signs."""
    others = {x: set_ for x, set_ in lemma_.over.items() if x not in values}
    conditions = [one.statement for one in _signs()]
    ranges = in_networks(*values.values(), *conditions, _DEFINED)
    return lemma_.at(values, over={**others, **ranges}, under=[_DEFINED, *conditions])


@cache
def right_side() -> Theorem:
    """The right side of (42) at the bound (9) is at most what Theorem 1 says, times a constant."""
    errors = of.B_app + its.LINEARISATION_9 + its.FEATURES_9
    values = {_F: at_9(F_MAX) + TOP, _A: at_9(A_MAX), _LIP: L_1, _NU2: of.NU_NORM**2}
    values |= {_SQUARES: at_9(B_GRAD), _H: HIDDEN, _TIME: 1 / sqrt(tau), _E: errors}
    name = NETWORKS.meaning("a constant at (9)", eq(L_1, its.AT_9[L_1]))
    cases = [_at(inserted(case, values), _at_9(size), name) for case, size in
             zip(_CASE, _sizes(), strict=True)]  # fmt: skip
    squares, hidden = (inserted(one, values) for one in _NAMES)
    forms = called(at_9(B_GRAD), at_9(F_MAX), at_9(A_MAX), under=[_DEFINED])
    known = [_at(squares, *forms), NETWORKS.meaning("the hidden constant", hidden)]
    whole = _applied(_inequality(), values)
    return _at(whole.statement, whole, *_signs(), *cases, *known)


def names() -> list[Theorem]:
    """What the constants at (9) are."""
    return [NETWORKS.meaning("a constant at (9)", eq(one, it)) for one, it in its.AT_9.items()]


def least(given: Given, run: Theorem, left: Symbol) -> Theorem:
    """From (42), or its like, at any B: Theorem 1 for the least loss."""
    (bound,) = at_the_bound_9(given, run)
    plain = between(given, le(left, MEAN_RIGHT), bound)
    return given.follows(plain, right_side(), *names(), goal=stated(given.claim, "least loss"))


@SHAPE.proved("least loss")
def hidden_constants(given: Given) -> Theorem:
    """√(1 + B²) exceeds 1 and √d: F ≤ C L_1 and A ≤ C' L_1, with C and C' of σ̄, ν̄ and ρ."""
    return least(given, given.fact("st.eq42"), of.loss_min)


@cache
def _average() -> Theorem:
    """From x ≤ 4y + 6b² and y ≤ ht: x ≤ (4h + 6)(t + b²)."""
    x, y, h, t, b = symbols("x_1 y_1 h_1 t_1 b_1", nonnegative=True)
    goal, where = le(x, (4 * h + 6) * (t + b**2)), [le(x, 4 * y + 6 * b**2), le(y, h * t)]
    return NETWORKS.follows(goal=goal, under=where)


def average(
    given: Given, mean: Theorem, last: Theorem, left: tuple[Symbol, Symbol], *start: Theorem
) -> Theorem:
    """From (41) and (43), or their likes: Theorem 1 for the loss at the mean of the iterates."""
    run, end = at_the_bound_9(given, mean, last)
    plain = between(given, le(left[0], MEAN_RIGHT), run, *start)
    bound = between(given, le(left[0], HIDDEN * TERMS), plain, right_side(), *names())
    final = between(given, le(left[1], 4 * left[0] + 6 * its.LINEARISATION_9**2), end, *names())
    x, y, h, t, b = symbols("x_1 y_1 h_1 t_1 b_1", nonnegative=True)
    values = {x: left[1], y: left[0], h: HIDDEN, t: TERMS, b: its.LINEARISATION_9}
    known = [_applied(_average(), values), *_signs(), bound, final]
    return given.follows(*known, goal=stated(given.claim, "average iterate"))


@SHAPE.proved("average iterate")
def at_the_average_iterate(given: Given) -> Theorem:
    """Insert the mean of the losses in (43)."""
    ends = (of.loss_mean, of.loss_average)
    return average(given, given.fact("st.eq41"), given.fact("st.eq43"), ends, given.fact("st.eq42.start"))


_X, _Y, _Z, _W, _G = symbols("l_1 l_2 r_2 w_1 g_1", nonnegative=True)


@cache
def _features() -> Theorem:
    """((l_1 + l_2)r + ρl_1)w is at most (r + ρ)w(l_1 + l_2)."""
    goal = le(((_X + _Y) * _Z + of.rho_c * _X) * _W, _G * (_X + _Y) / sqrt(m))
    where = [eq(_G, (_Z + of.rho_c) * _W * sqrt(m))]
    return NETWORKS.follows(goal=goal, under=where)


@SHAPE.proved("features")
def hidden_constant_of_the_features(given: Given) -> Theorem:
    """(L_1 + L_2)r + ρ_c L_1 is at most (r + ρ_c)(L_1 + L_2)."""
    width = LENGTHS / sqrt(m)
    values = {_X: of.LIPSCHITZ, _Y: of.SMOOTHNESS, _Z: of.THETA_RADIUS, _W: width, _G: HIDDEN_FEATURES}
    forms = called(HIDDEN_FEATURES, of.THETA_RADIUS, *LENGTHS.args)
    product = NETWORKS.follows(
        *forms, goal=eq(HIDDEN_FEATURES, (of.THETA_RADIUS + of.rho_c) * width * sqrt(m))
    )
    signs = [positive(one) for one in (of.LIPSCHITZ, of.SMOOTHNESS, of.THETA_RADIUS, *LENGTHS.args)]
    conditions = [gt(one.statement.lhs, 0) for one in signs]
    general = NETWORKS.substituted(_features(), values, under=conditions)
    bound = le(B_COF, general.statement.rhs)
    definition = form(B_COF, HEAD * width)
    met = NETWORKS.follows(general, product, *signs, goal=general.statement)
    whole = NETWORKS.follows(met, definition, goal=bound)
    return given.concluded(_at_9(whole), *names())
