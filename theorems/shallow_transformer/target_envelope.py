"""Lemma 6: a uniform bound of the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Symbol, sqrt

from theorems.engine import (
    Given,
    Rounded,
    both,
    claims_in,
    eq,
    le,
    rules,
)
from theorems.engine.rules import E, Random, Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.approximation_proof import BOUNDED
from theorems.shallow_transformer.deviation_letters import g_c, g_u, g_w, moved_size
from theorems.shallow_transformer.envelopes import SHARP
from theorems.shallow_transformer.feature_letters import (
    moved_mean,
    normal_variable,
    random_family,
)
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_HEADS,
    BOUNDED_MAP,
    IN_FEASIBLE_SET,
    NORMAL_VECTOR,
    SYMMETRIC_START,
)
from theorems.shallow_transformer.letters import LETTERS, i
from theorems.shallow_transformer.mean_premises import (
    in_the_mean,
    largest_displacement,
    what_it_says,
)
from theorems.shallow_transformer.ntk import REGULAR
from theorems.shallow_transformer.premises import (
    added,
    called,
    letters,
    linear,
    over,
    sizes,
    stands_for,
    stated,
    total,
)

claim = claims_in(LETTERS)
Point = Mapping[Symbol, Any]
_NOTE = "proofs_notes/st_function_space.md#envelopes"
_AT = "Lemma 6"
_NU = (of.nu_c, of.nu_u, of.nu_w)
_BOUNDED = (*REGULAR, BOUNDED_MAP)
_C, _U, _W = of.sigma_0 * of.nu_c, of.sigma_1 * of.nu_u, of.sigma_1 * of.nu_w
_TARGET = _C + _U + of.sigma_1 * sqrt(of.d) * of.nu_w

TARGET = claim(
    "st.lem6.y",
    at=_AT,
    title="Envelope of the target",
    states=[
        le(of.target_sup, _TARGET),
        eq(_TARGET, of.target_bound(of.d, of.sigma_0, of.sigma_1, *_NU)),
    ],
    given=letters(of.target_sup, *_TARGET.free_symbols, under=_BOUNDED),
    assuming=_BOUNDED,
    rests_on=[BOUNDED, "st.fact3", "st.fact4.mean"],
    discharging={NORMAL_VECTOR: "U is standard normal in the definition of f~"},
    note=_NOTE,
)


def _mean_of_a_part(given: Given, part: str, size: Symbol, mean: Symbol) -> Theorem:
    """The mean size of a part of g is at most the mean of its bound."""
    known = given.fact(BOUNDED, part)
    randoms = {size: Random(f"size of the {part}-part"), moved_size: Random("|MU|")}
    used = {x: value for x, value in randoms.items() if x in known.statement.free_symbols}
    means = in_the_mean(known, used)
    named = stands_for(f"mean size of the {part}-part", eq(mean, means.statement.lhs))
    goal = le(mean, means.statement.rhs)
    return rules.follows(goal, [means, named], over=over(goal, means.statement))


@TARGET.proved()
def three_parts(given: Given) -> Theorem:
    """E|MU||q| ≤ E|U| ≤ √d, as ‖M‖ ≤ tr M ≤ 1."""
    given.require(*_BOUNDED)
    means = [Symbol(f"mean size of the {name}-part", nonnegative=True) for name in "cuw"]
    parts = [
        _mean_of_a_part(given, name, size, mean)
        for name, size, mean in zip("cuw", (g_c, g_u, g_w), means, strict=True)
    ]
    moved, length = (Symbol(f"value of {name}", nonnegative=True) for name in ("|MU|", "|U|"))
    covariance = what_it_says(given, "st.fact3", both(le(of.M_frobenius, 1)))
    norm_of_m = stands_for(
        "‖M‖, at most the Frobenius norm",
        le(moved, of.M_norm * length),
        le(of.M_norm, of.M_frobenius),
    )
    goal = le(moved, length)
    pointwise = rules.follows(goal, [covariance, norm_of_m], over=over(goal, of.M_norm))
    shorter = in_the_mean(pointwise, {moved: Random("|MU|"), length: Random("|U|")})
    mean_norm = of.mean_norm(of.d)
    root = what_it_says(given, "st.fact4.mean", le(mean_norm, sqrt(of.d)))
    named = stands_for("the mean length of U", eq(shorter.statement.rhs, mean_norm))
    output = stands_for("the largest target, the size of a mean", le(of.target_sup, sum(means)))
    bound = stated(TARGET).args
    first = next(one for one in bound if one.has(of.target_sup))
    function = of.target_bound(of.d, of.sigma_0, of.sigma_1, *_NU)
    below = given.follows(*parts, shorter, root, named, output, goal=first)
    closed = given.follows(*called(function), goal=eq(_TARGET, function))
    return given.follows(below, closed, goal=stated(TARGET))


_HALF_NORMAL = sqrt(2 / sp.pi)
_DIRECT = of.displacement(of.nu_u, _HALF_NORMAL * of.nu_w)

TARGET_SHARP = TARGET.sharpened(
    "st.lem6.y.sharp",
    title="Envelope of the target, free of the dimension",
    states={
        "bound": le(of.target_sup, _C + of.sigma_1 * _DIRECT),
        "at most the sum": le(_DIRECT, of.nu_u + _HALF_NORMAL * of.nu_w),
        "mean length": le(moved_mean, _HALF_NORMAL * of.M_trace),
        "attained for rank one": eq(
            E(of.M_trace * Abs(normal_variable)), _HALF_NORMAL * of.M_trace
        ),
    },
    given=letters(
        *(of.target_sup, moved_mean, of.M_trace, normal_variable),
        *(_C + of.sigma_1 * _DIRECT).free_symbols,
        under=_BOUNDED,
    ),
    assuming=_BOUNDED,
    rests_on=[BOUNDED, "st.fact3.sharp", SHARP],
    discharging=dict.fromkeys(
        (*SYMMETRIC_START, BOUNDED_HEADS, IN_FEASIBLE_SET), "only the function ℓ is used"
    ),
    note=_NOTE,
)


def _half_normal(variable: Any) -> Theorem:
    return rules.textbook(
        "mean size of a standard normal variable",
        eq(E(Abs(variable)), _HALF_NORMAL),
        over=over(variable),
    )


def _mean_length() -> Theorem:
    """|MU| ≤ Σμ_i|⟨e_i, U⟩|, with mean tr M E|G|."""
    mu, normals = sizes("eigenvalue of M"), random_family("coordinate of U", "U")
    eigenvalues = total(mu(i), i, of.d)
    terms = total(mu(i) * E(Abs(normals(i))), i, of.d)
    length = stands_for(
        "the mean length of MU in a basis of eigenvectors of M",
        le(moved_mean, terms),
        eq(eigenvalues, of.M_trace),
    )
    term = eq(mu(i) * E(Abs(normals(i))), mu(i) * _HALF_NORMAL)
    each = added(rules.follows(term, [_half_normal(normals(i))], over=over(term)), i, of.d)
    goal = le(moved_mean, _HALF_NORMAL * of.M_trace)
    known = [length, each, linear(each.statement.rhs)]
    return rules.follows(goal, known, over=over(goal, of.d))


@TARGET_SHARP.proved("mean length")
def triangle_over_eigenvectors(given: Given) -> Theorem:
    """The trace is the sum of the eigenvalues, which are not negative."""
    return given.follows(_mean_length(), goal=stated(TARGET_SHARP, "mean length"))


@TARGET_SHARP.proved("attained for rank one")
def one_eigenvalue(given: Given) -> Theorem:
    """M = τeeᵀ and |MU| = τ|⟨e, U⟩|."""
    goal = stated(TARGET_SHARP, "attained for rank one")
    return given.follows(_half_normal(normal_variable), goal=goal)


@TARGET_SHARP.proved("at most the sum")
def ends_of_the_parabola(given: Given) -> Theorem:
    """Each term is largest at one end."""
    goal = stated(TARGET_SHARP, "at most the sum")
    root = Symbol("root of 2/π", positive=True)
    largest = of.displacement(of.nu_u, root * of.nu_w)
    plain = le(largest, of.nu_u + root * of.nu_w)
    known = rules.follows(plain, called(largest), over=over(plain))
    return given.follows(rules.instance(known, {root: _HALF_NORMAL}, over={}), goal=goal)


@TARGET_SHARP.proved("bound")
def given_the_attention(given: Given) -> Theorem:
    """Given W the mean of |g| is at most σ₀ν̄_c + σ₁(xν̄_u + (1 - x²)√(2/π)ν̄_w), x = |a|."""
    x, trace, root = of.a_size, of.M_trace, Symbol("root of 2/π", positive=True)
    mean = Symbol("mean of |g| given W", nonnegative=True)
    parts = stands_for(
        "means of the three parts given W, by st.lem5.bounded and |a| = x",
        le(mean, _C + of.sigma_1 * (x * of.nu_u + moved_mean * of.nu_w)),
        le(x, 1),
    )
    for one in _BOUNDED:
        given.require(one)
    length = rules.follows(
        le(moved_mean, root * trace),
        [_mean_length()],
        over=over(moved_mean, root, trace),
        under=[eq(root, _HALF_NORMAL)],
    )
    covariance = what_it_says(given, "st.fact3.sharp", le(trace, 1 - x**2))
    short = le(moved_mean, root * (1 - x**2))
    where = [eq(root, _HALF_NORMAL)]
    shorter = rules.follows(short, [length, covariance], over=over(short, trace), under=where)
    largest = of.displacement(of.nu_u, root * of.nu_w)
    at_x = rules.instance(
        largest_displacement(of.nu_u, root * of.nu_w),
        {of.x: x},
        over=over(x, of.nu_u, of.nu_w, root),
        under=[le(x, 1)],
    )
    value = le(x * of.nu_u + moved_mean * of.nu_w, largest)
    below = rules.follows(
        value, [shorter, at_x, parts], over=over(value, mean, _C, of.sigma_1), under=where
    )
    top = _C + of.sigma_1 * largest
    pointwise = rules.follows(le(mean, top), [parts, below], over=over(mean, top, x), under=where)
    whole = in_the_mean(pointwise, {mean: Random("mean of |g| given W")})
    output = stands_for(
        "the largest target, the size of a mean", le(of.target_sup, whole.statement.lhs)
    )
    goal = le(of.target_sup, top)
    small = rules.follows(goal, [whole, output], over=over(goal, whole.statement), under=where)
    return rules.instance(small, {root: _HALF_NORMAL}, over={})


@TARGET_SHARP.tested(
    "mean length",
    over=st.lists(st.floats(0, 1), min_size=2, max_size=2).filter(lambda s: sum(s) > 1e-3),
)
def means_in_the_plane(case: list[float]) -> Point:
    """E|MU| for d = 2, by the trapezoidal rule in the angle."""
    angles = 2 * np.pi * np.arange(4096) / 4096
    first, second = case
    lengths = np.hypot(first * np.cos(angles), second * np.sin(angles))
    # E|U| = √(π/2); at eigenvalue 0 the integrand has a kink: (2π/4096)² and less.
    mean = float(np.sqrt(np.pi / 2) * lengths.mean())
    return {moved_mean: Rounded(mean, 1e-5 * mean), of.M_trace: Rounded(first + second, 1e-15)}
