"""Lemma 6: a uniform bound of the target."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Expr, Symbol, sqrt

from theorems.classical.conditional_means import tower_rule
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import mean_square_of_length
from theorems.engine import Given, Rounded, eq, le
from theorems.engine.rules import E, Random, Theorem, facts, principles, probabilities
from theorems.engine.rules.normal_variables import mean_modulus
from theorems.engine.rules.vocabulary import normal
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.approximation.pairs_of_heads import u_part
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import g_c, g_u, g_w, moved_size
from theorems.shallow_transformer.letters.feature import moved_mean, normal_variable, random_family
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.means import (
    COORDINATE,
    SHARE,
    in_the_mean,
    length_by_tokens,
    moved_read_out,
    what_it_says,
)
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD, in_networks
from theorems.shallow_transformer.premises.networks import added, between, called, linear
from theorems.shallow_transformer.premises.parabolas import largest_displacement

Point = Mapping[Symbol, Any]
_NOTE = "proofs_notes/st_function_space.md#envelopes"
_AT = "Lemma 6"
_BOUNDED = (*hyp.REGULAR, hyp.BOUNDED_MAP)
_TARGET = of.C_PART + of.U_PART + of.sigma_1 * sqrt(of.d) * of.nu_w

TARGET = claim(
    "st.lem6.y",
    at=_AT,
    title="Envelope of the target",
    states=[le(of.target_sup, _TARGET), eq(_TARGET, of.target_bound(of.d, of.sigma_0, of.sigma_1, *of.NU))],
    assuming=_BOUNDED,
    rests_on=["st.lem5.bounded", "st.fact3"],
    note=_NOTE,
)


_U_PART = Symbol("U-part of g", nonnegative=True)
#: The target at any input.
_VALUE = Symbol("value of the target", real=True)
_G = [Random(f"{name}-part of g") for name in "cuw"]


def _mean_of_a_part(known: Theorem, size: Symbol, part: Any) -> Theorem:
    """The mean size of a part of g is at most the mean of its bound."""
    randoms = {size: Abs(part), moved_size: Random("|MU|")}
    used = {x: value for x, value in randoms.items() if x in known.statement.free_symbols}
    return in_the_mean(known, used)


def _supremum(given: Given, bound: Expr, *known: Theorem) -> Theorem:
    """f̃ = Eg is at most the mean of the sizes of the parts of g, at each input."""
    value = NETWORKS.meaning("the function of a map, the mean of g", eq(_VALUE, E(sum(_G))))
    sizes_of = [probabilities.expectation_of_size(one) for one in _G]
    each = between(given, le(Abs(_VALUE), bound), value, *sizes_of, *known)
    return principles.supremum(each, of.target_sup, over=in_networks(of.target_sup))


@TARGET.proved()
def three_parts(given: Given) -> Theorem:
    """E|MU||q| ≤ E|U| ≤ √d, as ‖M‖ ≤ ‖M‖_F ≤ tr M ≤ 1."""
    given.require(*_BOUNDED)
    parts = [
        _mean_of_a_part(given.fact("st.lem5.bounded", name), size, part)
        for name, size, part in zip("cuw", (g_c, g_u, g_w), _G, strict=True)
    ]
    moved, length = (Symbol(f"value of {name}", nonnegative=True) for name in ("|MU|", "|U|"))
    covariance = what_it_says(given, "st.fact3", le(of.M_frobenius, 1))
    pointwise = NETWORKS.follows(covariance, moved_read_out(moved, length), goal=le(moved, length))
    drawn = Random("|U|")
    shorter = in_the_mean(pointwise, {moved: Random("|MU|"), length: drawn})
    square = mean_square_of_length(ONE_HEAD.meaning, drawn, of.d)
    root = NETWORKS.follows(square, facts.expectation_of_square(drawn), goal=le(E(drawn), sqrt(of.d)))
    function = of.target_bound(of.d, of.sigma_0, of.sigma_1, *of.NU)
    below = _supremum(given, _TARGET, *parts, shorter, root)
    return given.concluded(below, given.follows(*called(function), goal=eq(_TARGET, function)))


_HALF_NORMAL = sqrt(2 / sp.pi)
_DIRECT = of.displacement(of.nu_u, _HALF_NORMAL * of.nu_w)

TARGET_SHARP = TARGET.sharpened(
    "st.lem6.y.sharp",
    title="Envelope of the target, free of the dimension",
    states={
        "bound": le(of.target_sup, of.C_PART + of.sigma_1 * _DIRECT),
        "at most the sum": le(_DIRECT, of.nu_u + _HALF_NORMAL * of.nu_w),
        "mean length": le(moved_mean, _HALF_NORMAL * of.M_trace),
        "attained for rank one": eq(E(of.M_trace * Abs(normal_variable)), _HALF_NORMAL * of.M_trace),
    },
    assuming=(*_BOUNDED, hyp.NORMAL_VARIABLE),
    rests_on=["st.lem5.bounded", "st.fact3.sharp", "st.lem6.f.sharp"],
    discharging=dict.fromkeys(
        (*hyp.SYMMETRIC_START, hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET), "only the function ℓ is used"
    ),
    note=_NOTE,
)


def _half_normal(variable: Any) -> Theorem:
    """E|G| = √(2/π) for a standard normal variable."""
    law = NETWORKS.meaning("the value of U along a unit vector", *standard(variable).args)
    size = mean_modulus(variable)
    return NETWORKS.follows(size, law, goal=eq(E(Abs(variable)), _HALF_NORMAL))


def _mean_length() -> Theorem:
    """|MU| ≤ Σμ_i|⟨e_i, U⟩|, with mean tr M E|G|."""
    value, length = Symbol("value of |MU|", nonnegative=True), Random("|MU|")
    normals = random_family("value of U along a token", "U")
    pointwise, trace = length_by_tokens(value)
    means = in_the_mean(pointwise, {value: length, COORDINATE: normals})
    named = NETWORKS.meaning("the mean length of MU", eq(moved_mean, E(length)))
    factor = SHARE(t) * E(Abs(normals(t)))
    term = eq(factor, SHARE(t) * _HALF_NORMAL)
    each = added(NETWORKS.follows(_half_normal(normals(t)), goal=term), t, of.T)
    goal = le(moved_mean, _HALF_NORMAL * of.M_trace)
    return NETWORKS.follows(means, named, trace, each, linear(each.statement.rhs), goal=goal)


@TARGET_SHARP.proved("mean length")
def triangle_over_tokens(given: Given) -> Theorem:
    """The trace is the sum of the shares of the tokens, which are not negative."""
    return given.concluded(_mean_length())


@TARGET_SHARP.proved("attained for rank one")
def one_eigenvalue(given: Given) -> Theorem:
    """M = τeeᵀ and |MU| = τ|⟨e, U⟩|."""
    law = given.supposed(hyp.NORMAL_VARIABLE, normal(normal_variable), eq(E(normal_variable**2), 1))
    return given.concluded(law, mean_modulus(normal_variable))


@TARGET_SHARP.proved("at most the sum")
def ends_of_the_parabola(given: Given) -> Theorem:
    """Each term is largest at one end."""
    root = Symbol("root of 2/π", positive=True)
    largest = of.displacement(of.nu_u, root * of.nu_w)
    known = NETWORKS.follows(*called(largest), goal=le(largest, of.nu_u + root * of.nu_w))
    return given.concluded(known.at({root: _HALF_NORMAL}))


def _mean_given_attention(given: Given, mean: Symbol) -> list[Theorem]:
    """Given W the mean of |g| is at most σ₀ν̄_c + σ₁(|a|ν̄_u + E|MU| ν̄_w)."""
    parts = [given.fact("st.lem5.bounded", "c"), u_part(given, _U_PART), given.fact("st.lem5.bounded", "w")]
    means = [
        _mean_of_a_part(known, size, part)
        for known, size, part in zip(parts, (g_c, _U_PART, g_w), _G, strict=True)
    ]
    values = [Symbol(f"value of {one}", real=True) for one in _G]
    triangle = NETWORKS.follows(goal=le(Abs(sum(values)), sum(map(Abs, values))))
    sizes_ = in_the_mean(triangle, dict(zip(values, _G, strict=True)))
    names = NETWORKS.meaning(
        "means for a fixed W", eq(mean, E(Abs(sum(_G)))), eq(moved_mean, E(Random("|MU|")))
    )
    return [*means, sizes_, names]


@TARGET_SHARP.proved("bound")
def given_the_attention(given: Given) -> Theorem:
    """Given W the mean of |g| is at most σ₀ν̄_c + σ₁(xν̄_u + (1 - x²)√(2/π)ν̄_w), x = |a|."""
    x, trace, root = of.a_size, of.M_trace, Symbol("root of 2/π", positive=True)
    mean = Symbol("mean of |g| given W", nonnegative=True)
    given.require(*_BOUNDED)
    where = [eq(root, _HALF_NORMAL)]
    length = NETWORKS.follows(_mean_length(), goal=le(moved_mean, root * trace), under=where)
    covariance = what_it_says(given, "st.fact3.sharp", le(trace, 1 - x**2))
    shorter = NETWORKS.follows(length, covariance, goal=le(moved_mean, root * (1 - x**2)), under=where)
    inside = NETWORKS.follows(covariance, goal=le(x, 1))
    largest = of.displacement(of.nu_u, root * of.nu_w)
    at_x = largest_displacement(of.nu_u, root * of.nu_w, x)
    value = le(x * of.nu_u + moved_mean * of.nu_w, largest)
    below = NETWORKS.follows(shorter, at_x, inside, goal=value, under=where)
    top = of.C_PART + of.sigma_1 * largest
    known = [*_mean_given_attention(given, mean), below]
    pointwise = NETWORKS.follows(*known, goal=le(mean, top), under=where)
    drawn, whole = Random("mean of |g| given W"), Random("g")
    outer = in_the_mean(pointwise, {mean: drawn})
    tower = tower_rule(NETWORKS.meaning, Abs(whole), drawn)
    output = NETWORKS.meaning("the function of a map, the mean of g", eq(_VALUE, E(whole)))
    goal = le(Abs(_VALUE), top)
    known = [outer, tower, output, probabilities.expectation_of_size(whole)]
    each = NETWORKS.follows(*known, goal=goal, under=where)
    small = principles.supremum(each, of.target_sup, over=in_networks(of.target_sup))
    return small.at({root: _HALF_NORMAL})


@TARGET_SHARP.tested(
    "mean length", over=st.lists(st.floats(0, 1), min_size=2, max_size=2).filter(lambda s: sum(s) > 1e-3)
)
def means_in_the_plane(case: list[float]) -> Point:
    """E|MU| for d = 2, by the trapezoidal rule in the angle."""
    angles = 2 * np.pi * np.arange(4096) / 4096
    first, second = case
    lengths = np.hypot(first * np.cos(angles), second * np.sin(angles))
    # E|U| = √(π/2); at eigenvalue 0 the integrand has a kink: (2π/4096)² and less.
    mean = float(np.sqrt(np.pi / 2) * lengths.mean())
    return {moved_mean: Rounded(mean, 1e-5 * mean), of.M_trace: Rounded(first + second, 1e-15)}
