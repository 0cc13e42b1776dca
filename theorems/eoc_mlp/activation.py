"""Section 3.1: the (a, b)-ReLU, the edge of chaos, and the constant κ of Section 3.2."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import sqrt
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from symbolic.cosine_maps import delta_phi, derive_edge_of_chaos, kappa_phi
from symbolic.derivation import Derivation
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, claim, reals
from theorems.engine.domain import Domain

_P, _Q = sp.symbols("p q", positive=True)
_S, _T = sp.symbols("s t", positive=True)
_SLOPES: dict[str, Domain] = {"a": reals(), "b": reals()}
_SIGNS = list(product((-1, 0, 1), repeat=2))
_NUMBERS = st.floats(-10, 10)


def _phi(s: Any, a: Any, b: Any) -> Any:
    return a * s + b * abs(s)


LIPSCHITZ = claim(
    "eoc.def2.lipschitz",
    at="Definition 2",
    title="Lipschitz norm of the (a, b)-ReLU",
    states=r"\|\phi\|_L = |a| + |b|",
    given=_SLOPES,
)


@LIPSCHITZ.proved(
    controls={
        "one_per_cent_less": {"norm": lambda p, q: sp.Rational(99, 100) * (p + q)},
        "euclidean": {"norm": lambda p, q: sp.sqrt(p**2 + q**2)},
        "larger_one": {"norm": sp.Max},
    }
)
def slopes_on_all_sign_patterns(
    norm: Callable[[Any, Any], Any] = lambda p, q: p + q,
) -> Obligations:
    """The larger of |a + b| and |a - b| is |a| + |b|, and across zero slopes are averaged."""
    a, b = sp.symbols("a b", real=True)
    across = _phi(_S, a, b) - _phi(-_T, a, b)
    yield "across zero: a weighted mean of slopes", equal(across, (a + b) * _S + (a - b) * _T)
    for i, j in _SIGNS:
        a, b = i * _P, j * _Q
        steeper, flatter = (a + b, a - b) if i * j >= 0 else (a - b, a + b)
        expected = norm(abs(i) * _P, abs(j) * _Q)
        yield f"signs {i}, {j}: steeper slope", equal(abs(steeper), expected)
        gap = sp.expand(steeper**2 - flatter**2)
        yield f"signs {i}, {j}: other slope is flatter", gap.is_nonnegative


@LIPSCHITZ.tested(
    over=st.tuples(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS),
    controls={"too_small": {"factor": 0.99}},
)
def slope_over_norm(case: tuple[float, ...], factor: float = 1.0) -> Measured:
    """|φ(s) - φ(t)| / ((|a| + |b|) |s - t|) over random slopes and points."""
    a, b, s, t = case
    norm, distance = factor * (abs(a) + abs(b)), abs(s - t)
    difference = abs(_phi(s, a, b) - _phi(t, a, b))
    # Each φ is three rounded operations on terms of size (|a|+|b|) max(|s|,|t|).
    rounding = 8 * 2.0**-53 * (abs(a) + abs(b)) * max(abs(s), abs(t))
    if norm * distance <= 1e-6:
        return Measured(0.0)
    return Measured(difference / (norm * distance), rounding / (norm * distance))


DEFINITION_2 = claim(
    "eoc.def2",
    at="Definition 2",
    title="The (a, b)-ReLU, its derivative away from zero and its Lipschitz norm",
    states=(
        r"\phi(s) = as + b|s| \implies \phi'(s) = a + b\operatorname{sgn}(s) \ (s \neq 0),"
        r"\quad \|\phi\|_L = |a| + |b|"
    ),
    given=_SLOPES,
    rests_on=[LIPSCHITZ],
)


@DEFINITION_2.proved(controls={"sign": {"odd_part": -1}, "half": {"odd_part": sp.Rational(1, 2)}})
def differentiate_both_sides(odd_part: Any = 1) -> Obligations:
    """Differentiate a s + b|s| for positive and for negative s."""
    a, b = sp.symbols("a b", real=True)
    for name, side in (("positive", 1), ("negative", -1)):
        slope = sp.diff(_phi(side * _S, a, b), _S) / side
        yield f"s is {name}", equal(slope, a + odd_part * b * side)


HOMOGENEOUS = claim(
    "eoc.def2.homogeneous",
    at="Section 3.2, proof of Proposition 11",
    title="The (a, b)-ReLU is positively homogeneous, its derivative invariant under scaling",
    states=r"\phi(ts) = t\phi(s), \quad \phi'(ts) = \phi'(s), \quad t > 0",
    given=_SLOPES,
)


@HOMOGENEOUS.proved(controls={"quadratic": {"degree": 2}, "negative_scaling": {"scaling": -1}})
def scale_each_sign(degree: int = 1, scaling: int = 1) -> Obligations:
    """Substitute for s of each sign, zero included."""
    a, b = sp.symbols("a b", real=True)
    for sign in (-1, 0, 1):
        s, factor = sign * _S, scaling * _T
        yield f"φ, sign {sign}", equal(_phi(factor * s, a, b), _T**degree * scaling * _phi(s, a, b))
        derivative = a + b * sp.sign(factor * s)
        yield f"φ', sign {sign}", equal(derivative, a + b * sp.sign(s))


KINK = claim(
    "eoc.def2.kink",
    at="Section 3.1, after Definition 2",
    title="The (a, b)-ReLU is differentiable at zero only if b = 0",
    states=r"\phi'(0^+) - \phi'(0^-) = 2b",
    given=_SLOPES,
)


@KINK.proved(controls={"half": {"jump": 1}})
def one_sided_derivatives(jump: int = 2) -> Obligations:
    """The one-sided difference quotients at zero are constant."""
    a, b = sp.symbols("a b", real=True)
    right, left = _phi(_S, a, b) / _S, _phi(-_S, a, b) / -_S
    yield "jump of the derivative", equal(right - left, jump * b)


GENERALISED = claim(
    "eoc.def2.generalised",
    at="Section 3.1, after Definition 2",
    title="Range of the generalised derivatives at zero",
    states=r"\phi'(0) = a \in [a - b, a + b]",
    given=_SLOPES,
    note="proofs_notes/eoc_mlp.md#generalised-derivative",
)


@GENERALISED.refuted(controls={"positive_b": {"b": 1}, "linear": {"b": 0}})
def empty_interval(a: int = 0, b: int = -1) -> Obligations:
    """For a = 0, b = -1 the printed interval [1, -1] is empty."""
    yield "a lies outside [a - b, a + b]", not a - b <= a <= a + b


GENERALISED_CORRECTED = GENERALISED.corrected(
    "eoc.def2.generalised.corrected",
    title="Generalised derivatives at zero fill the interval between the one-sided ones",
    states=r"\partial\phi(0) = [a - |b|, a + |b|] \ni a",
    given=_SLOPES,
    note="proofs_notes/eoc_mlp.md#generalised-derivative",
)


@GENERALISED_CORRECTED.proved(
    controls={"printed": {"radius": lambda b: b}, "double": {"radius": lambda b: 2 * abs(b)}}
)
def hull_of_one_sided_derivatives(radius: Callable[[Any], Any] = abs) -> Obligations:
    """The least and the greatest one-sided derivative are a - |b| and a + |b|."""
    a = sp.Symbol("a", real=True)
    for sign in (-1, 0, 1):
        b = sign * _Q
        ends = sorted(((a + b) - a, (a - b) - a), key=lambda end: end.subs(_Q, 1))
        yield f"lower end, sign {sign}", equal(a + ends[0], a - radius(b))
        yield f"upper end, sign {sign}", equal(a + ends[1], a + radius(b))


INIT = claim(
    "eoc.init",
    at="Section 3.1",
    title="The initialisation is at the edge of chaos",
    states=(
        r"\sigma^2\,\mathbb{E}_{u\sim\mathcal{N}(0,1)}\phi(u)^2"
        r" = \sigma^2\,\mathbb{E}_{u\sim\mathcal{N}(0,1)}\phi'(u)^2 = 1"
    ),
    given=_SLOPES,
    assuming=("a and b are not both zero (the paper allows a = b = 0, where σ is undefined)",),
)


@INIT.proved(controls={"twice": {"claimed": sp.Integer(2)}}, part="second moment of φ")
def second_moment(claimed: sp.Expr | None = None) -> Derivation:
    """Integrate φ(u)² against the Gaussian density."""
    return derive_edge_of_chaos("phi", claimed=claimed)


@INIT.proved(controls={"twice": {"claimed": sp.Integer(2)}}, part="second moment of φ'")
def second_moment_of_derivative(claimed: sp.Expr | None = None) -> Derivation:
    """Integrate φ'(u)² against the Gaussian density."""
    return derive_edge_of_chaos("phi_prime", claimed=claimed)


KAPPA = claim(
    "eoc.kappa",
    at="Section 3.2, before Proposition 10",
    title="Range of κ",
    states=r"\kappa_\phi = \frac{|a| + |b|}{\sqrt{a^2 + b^2}} \in [1, \sqrt{2}]",
    given=_SLOPES,
    assuming=("a and b are not both zero",),
)


@KAPPA.proved(
    controls={
        "smaller_top": {"top_squared": sp.Rational(198, 100)},
        "larger_bottom": {"bottom_squared": sp.Rational(102, 100)},
    }
)
def squares_decide(top_squared: Any = 2, bottom_squared: Any = 1) -> Obligations:
    """κ² - 1 and 2 - κ² are quotients of squares by a² + b², with zeros on the domain."""
    p, q = sp.symbols("p q", nonnegative=True)
    total = p**2 + q**2
    squared = (p + q) ** 2 / total
    yield "κ² - bottom = 2pq / (p² + q²)", equal(squared - bottom_squared, 2 * p * q / total)
    yield "top - κ² = (p - q)² / (p² + q²)", equal(top_squared - squared, (p - q) ** 2 / total)


KAPPA_VALUES = claim(
    "eoc.kappa.values",
    at="Abstract",
    title="κ and Δ of the absolute value and of the ReLU",
    states=(
        r"\Delta_{|\cdot|} = 1,\ \kappa_{|\cdot|} = 1,"
        r"\quad \Delta_{\mathrm{ReLU}} = \tfrac12,\ \kappa_{\mathrm{ReLU}} = \sqrt{2}"
    ),
)


@KAPPA_VALUES.proved(
    controls={
        "leaky": {"relu": (sp.Rational(3, 4), sp.Rational(1, 4))},
        "identity": {"absolute_value": (1, 0)},
    }
)
def evaluate_both(
    relu: tuple[Any, Any] = (sp.Rational(1, 2), sp.Rational(1, 2)),
    absolute_value: tuple[Any, Any] = (0, 1),
) -> Obligations:
    """ReLU(s) = (s + |s|)/2 has a = b = 1/2."""
    yield "Δ of |.|", equal(delta_phi(*absolute_value), sp.Integer(1))
    yield "κ of |.|", equal(kappa_phi(*absolute_value), sp.Integer(1))
    yield "Δ of the ReLU", equal(delta_phi(*relu), sp.Rational(1, 2))
    yield "κ of the ReLU", equal(kappa_phi(*relu), sp.sqrt(2))
    for sign in (-1, 1):
        wanted = sp.Max(0, sign * _S)
        yield f"it is the ReLU, sign {sign}", equal(_phi(sign * _S, *relu), wanted)


@KAPPA.tested(
    over=st.tuples(_NUMBERS, _NUMBERS).filter(lambda ab: max(map(abs, ab)) > 1e-3),
    controls={"too_small": {"top": 0.99 * sqrt(2)}},
)
def kappa_over_top(case: tuple[float, float], top: float = sqrt(2)) -> Measured:
    """κ / √2 over random slopes."""
    a, b = case
    # Five rounded operations, each relative to a value at most √2.
    return Measured((abs(a) + abs(b)) / sqrt(a * a + b * b) / top, 8 * 2.0**-53)
