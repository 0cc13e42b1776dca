"""Section 3.1: the (a, b)-ReLU, the edge of chaos, and the constant κ of Section 3.2."""

from __future__ import annotations

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Derivative, Limit, Max, Min, Ne, sign, sqrt

from symbolic.cosine_maps import derive_edge_of_chaos
from symbolic.derivation import Derivation, Step
from symbolic.gaussian import GaussianMean
from theorems.engine import (
    Given,
    Severity,
    both,
    claims_in,
    eq,
    iff,
    implies,
    le,
    open_interval,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import (
    LETTERS,
    SIGMA,
    a,
    argument,
    b,
    delta_of,
    kappa_of,
    other_argument,
    phi,
    phi_prime,
    scale,
    sigma_of,
    u,
)

claim = claims_in(LETTERS)
_NUMBERS = st.one_of(st.sampled_from([0, 1, -1, sp.Rational(1, 2)]), st.floats(-10, 10))
_NOTE = "proofs_notes/eoc_mlp.md#generalised-derivative"

_s, _t = argument, other_argument
_NORM = Abs(a) + Abs(b)


def _phi(s: Any) -> Any:
    return phi(s, a, b)


_LIPSCHITZ_NORM = {
    "bound": le(Abs(_phi(_s) - _phi(_t)), _NORM * Abs(_s - _t)),
    "attained": eq(Max(Abs(_phi(1)), Abs(_phi(-1))), _NORM),
}

LIPSCHITZ = claim(
    "eoc.def2.lipschitz",
    at="Definition 2",
    title="Lipschitz norm of the (a, b)-ReLU: the bound, and slopes from zero that attain it",
    states=_LIPSCHITZ_NORM,
    given=[a, b, _s, _t],
)


@LIPSCHITZ.proved("bound", "attained")
def slopes_on_both_sides(given: Given) -> Theorem:
    """The slopes are a + b and a - b; the larger modulus of the two is |a| + |b|."""
    return given.follows(goal=unfolded(given.goal))


@LIPSCHITZ.tested("bound", over=st.tuples(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS))
def two_points(case: tuple[float, ...]) -> dict[Any, Any]:
    """Random coefficients and points, of equal and of different signs."""
    return dict(zip((a, b, _s, _t), case, strict=True))


DEFINITION_2 = claim(
    "eoc.def2",
    at="Definition 2",
    title="The (a, b)-ReLU, its derivative away from zero and its Lipschitz norm",
    states={
        "derivative": implies(
            Ne(_s, 0, evaluate=False), eq(Derivative(_phi(_s), _s), a + b * sign(_s))
        ),
        **_LIPSCHITZ_NORM,
    },
    given=[a, b, _s, _t],
    rests_on=[LIPSCHITZ],
)


@DEFINITION_2.proved("derivative")
def differentiate_both_sides(given: Given) -> Theorem:
    """Differentiate a s + b|s| on either side of zero."""
    sides = open_interval(-sp.oo, 0), open_interval(0, sp.oo)
    return given.follows(*map(_differentiated, sides), goal=unfolded(given.goal))


def _differentiated(side: Domain) -> Theorem:
    before = unfolded(Derivative(_phi(_s), _s))
    after = a + b * sign(_s)
    chain = Derivation(
        title="The derivative of the (a, b)-ReLU",
        name=r"\phi'(s)",
        start=before,
        steps=[Step(after, "differentiate")],
        domain={_s: side},
    )
    return rules.derived(chain)


@DEFINITION_2.proved("bound", "attained")
def lipschitz_norm(given: Given) -> Theorem:
    """Take them over from eoc.def2.lipschitz."""
    return given.follows(*(given.fact(LIPSCHITZ, part) for part in ("bound", "attained")))


HOMOGENEOUS = claim(
    "eoc.def2.homogeneous",
    at="Section 3.2, proof of Proposition 11",
    title="The (a, b)-ReLU is positively homogeneous, its derivative invariant under scaling",
    states={
        "values": eq(_phi(scale * _s), scale * _phi(_s)),
        "derivative": eq(phi_prime(scale * _s, a, b), phi_prime(_s, a, b)),
    },
    given=[a, b, _s, scale],
)


@HOMOGENEOUS.proved("values", "derivative")
def a_factor_keeps_the_sign(given: Given) -> Theorem:
    """A positive factor changes no sign, and comes out of |ts|."""
    return given.follows(goal=unfolded(given.goal))


def _slope_at_zero(side: str) -> Any:
    """The one-sided derivative at zero, where φ vanishes: from the right (+) or the left (-)."""
    return Limit(_phi(_s) / _s, _s, 0, side)


KINK = claim(
    "eoc.def2.kink",
    at="Section 3.1, after Definition 2",
    title="The (a, b)-ReLU is differentiable at zero only if b = 0",
    states={
        "from the right": eq(_slope_at_zero("+"), a + b),
        "from the left": eq(_slope_at_zero("-"), a - b),
        "jump": eq(_slope_at_zero("+") - _slope_at_zero("-"), 2 * b),
        "only if": iff(eq(_slope_at_zero("+"), _slope_at_zero("-")), eq(b, 0)),
    },
    given=[a, b],
)


def _one_sided(side: str) -> Theorem:
    chain = Derivation(
        title=f"The one-sided derivative at zero, {side}",
        name=rf"\phi'(0^{side})",
        start=unfolded(_slope_at_zero(side)),
        steps=[Step(a + b if side == "+" else a - b, "the quotient is constant")],
    )
    return rules.derived(chain)


@KINK.proved("from the right", "from the left", "jump", "only if")
def one_sided_derivatives(given: Given) -> Theorem:
    """The difference quotients are constant on either side of zero."""
    return given.follows(_one_sided("+"), _one_sided("-"), goal=unfolded(given.goal))


GENERALISED = claim(
    "eoc.def2.generalised",
    at="Section 3.1, after Definition 2",
    title="Range of the generalised derivatives at zero",
    states=[le(a - b, phi_prime(0, a, b)), le(phi_prime(0, a, b), a + b)],
    given=[a, b],
    note=_NOTE,
)


@GENERALISED.refuted(severity=Severity.SLIP)
def empty_interval() -> dict[Any, Any]:
    """For a = 0, b = -1 the printed interval [1, -1] is empty."""
    return {a: 0, b: -1}


GENERALISED_CORRECTED = GENERALISED.corrected(
    "eoc.def2.generalised.corrected",
    title="Generalised derivatives at zero fill the interval between the one-sided ones",
    states={
        "lower end": eq(Min(_slope_at_zero("+"), _slope_at_zero("-")), a - Abs(b)),
        "upper end": eq(Max(_slope_at_zero("+"), _slope_at_zero("-")), a + Abs(b)),
        "middle": eq(phi_prime(0, a, b), (_slope_at_zero("+") + _slope_at_zero("-")) / 2),
    },
    given=[a, b],
    rests_on=[KINK],
    note=_NOTE,
)


@GENERALISED_CORRECTED.proved("lower end", "upper end")
def smaller_and_larger_slope(given: Given) -> Theorem:
    """Of a + b and a - b one is a - |b|, and the other a + |b|."""
    return given.follows(*_both_sides(given))


@GENERALISED_CORRECTED.proved("middle")
def convention(given: Given) -> Theorem:
    """The mean of a + b and a - b is a, the value of φ' at zero by convention."""
    mean = (_slope_at_zero("+") + _slope_at_zero("-")) / 2
    return given.follows(*_both_sides(given), goal=eq(unfolded(phi_prime(0, a, b)), mean))


def _both_sides(given: Given) -> list[Theorem]:
    return [given.fact(KINK, part) for part in ("from the right", "from the left")]


INIT = claim(
    "eoc.init",
    at="Section 3.1",
    title="The initialisation is at the edge of chaos",
    states={
        "values": eq(sigma_of(a, b) ** 2 * GaussianMean(_phi(u) ** 2, u), 1),
        "derivatives": eq(sigma_of(a, b) ** 2 * GaussianMean(phi_prime(u, a, b) ** 2, u), 1),
    },
    given=[a, b],
    # The paper allows a = b = 0, where σ is undefined.
    assuming=[NOT_BOTH_ZERO],
)


@INIT.proved("values")
def second_moment(given: Given) -> Theorem:
    """Integrate φ(u)² against the Gaussian density."""
    return _with_scale(given, derive_edge_of_chaos("phi"))


@INIT.proved("derivatives")
def second_moment_of_derivative(given: Given) -> Theorem:
    """Integrate φ'(u)² against the Gaussian density."""
    return _with_scale(given, derive_edge_of_chaos("phi_prime"))


def _with_scale(given: Given, derivation: Derivation) -> Theorem:
    return given.instance(given.derived(derivation), {SIGMA: unfolded(sigma_of(a, b))})


KAPPA = claim(
    "eoc.kappa",
    at="Section 3.2, before Proposition 10",
    title="Range of κ",
    states={
        "range": [le(1, kappa_of(a, b)), le(kappa_of(a, b), sqrt(2))],
        "least": implies(eq(b, 0), eq(kappa_of(a, b), 1)),
        "largest": implies(eq(a, b), eq(kappa_of(a, b), sqrt(2))),
    },
    given=[a, b],
    assuming=[NOT_BOTH_ZERO],
)


@KAPPA.proved("range", "least", "largest")
def squares_decide(given: Given) -> Theorem:
    """κ² - 1 = 2|ab|/(a² + b²) and 2 - κ² = (|a| - |b|)²/(a² + b²)."""
    return given.follows(goal=unfolded(given.goal))


@KAPPA.tested(
    "range", over=st.tuples(_NUMBERS, _NUMBERS).filter(lambda ab: max(map(abs, ab)) > 1e-3)
)
def random_coefficients(case: tuple[float, float]) -> dict[Any, Any]:
    """Coefficients of any signs; equal moduli and a vanishing one among them."""
    return dict(zip((a, b), case, strict=True))


KAPPA_VALUES = claim(
    "eoc.kappa.values",
    at="Abstract",
    title="κ and Δ of the absolute value and of the ReLU",
    states={
        "absolute value": implies(
            both(eq(a, 0), eq(b, 1)),
            both(eq(_phi(_s), Abs(_s)), eq(delta_of(a, b), 1), eq(kappa_of(a, b), 1)),
        ),
        "ReLU": implies(
            both(eq(a, sp.Rational(1, 2)), eq(b, sp.Rational(1, 2))),
            both(
                eq(_phi(_s), Max(0, _s)),
                eq(delta_of(a, b), sp.Rational(1, 2)),
                eq(kappa_of(a, b), sqrt(2)),
            ),
        ),
    },
    given=[a, b, _s],
)


@KAPPA_VALUES.proved("absolute value", "ReLU")
def insert_the_coefficients(given: Given) -> Theorem:
    """|s| has a = 0, b = 1, and max(0, s) = (s + |s|)/2 has a = b = 1/2."""
    return given.follows(goal=unfolded(given.goal))
