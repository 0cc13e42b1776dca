"""Definition 2: the (a, b)-ReLU, its Lipschitz norm, and its derivatives at zero."""

from typing import Any

from hypothesis import strategies as st
from sympy import Abs, Derivative, Limit, Max, Min, Ne, Rational, oo, sign

from symbolic.derivation import Derivation, Step
from theorems.engine import Given, Severity, eq, iff, implies, le, open_interval, rules
from theorems.engine.rules import Theorem
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import a, argument, b, claim, other_argument, phi, phi_prime, scale

_NUMBERS = st.one_of(st.sampled_from([0, 1, -1, Rational(1, 2)]), st.floats(-10, 10))
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
        "derivative": implies(Ne(_s, 0, evaluate=False), eq(Derivative(_phi(_s), _s), a + b * sign(_s))),
        **_LIPSCHITZ_NORM,
    },
    rests_on=[LIPSCHITZ],
)


@DEFINITION_2.proved("derivative")
def differentiate_both_sides(given: Given) -> Theorem:
    """Differentiate a s + b|s| on either side of zero."""
    sides = open_interval(-oo, 0), open_interval(0, oo)
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
    at="Definition 2; Proposition 11, proof; Proposition 15, proof",
    title="The (a, b)-ReLU is positively homogeneous, its derivative invariant under scaling",
    states={
        "values": eq(_phi(scale * _s), scale * _phi(_s)),
        "derivative": eq(phi_prime(scale * _s, a, b), phi_prime(_s, a, b)),
    },
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
    at="after Definition 2",
    title="The (a, b)-ReLU is differentiable at zero only if b = 0",
    states={
        "from the right": eq(_slope_at_zero("+"), a + b),
        "from the left": eq(_slope_at_zero("-"), a - b),
        "jump": eq(_slope_at_zero("+") - _slope_at_zero("-"), 2 * b),
        "only if": iff(eq(_slope_at_zero("+"), _slope_at_zero("-")), eq(b, 0)),
    },
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
    at="after Definition 2",
    title="Range of the generalised derivatives at zero",
    states=[le(a - b, phi_prime(0, a, b)), le(phi_prime(0, a, b), a + b)],
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
    rests_on=[KINK],
    note=_NOTE,
)


@GENERALISED_CORRECTED.proved("lower end", "upper end")
def smaller_and_larger_slope(given: Given) -> Theorem:
    """Of a + b and a - b one is a - |b|, and the other a + |b|."""
    return given.follows(*_both_sides(given))


@GENERALISED_CORRECTED.proved("middle")
def value_at_zero_by_convention(given: Given) -> Theorem:
    """The mean of a + b and a - b is a, the value of φ' at zero by convention."""
    mean = (_slope_at_zero("+") + _slope_at_zero("-")) / 2
    return given.follows(*_both_sides(given), goal=eq(unfolded(phi_prime(0, a, b)), mean))


def _both_sides(given: Given) -> list[Theorem]:
    return [given.fact(KINK, part) for part in ("from the right", "from the left")]
