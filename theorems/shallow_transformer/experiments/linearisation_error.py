"""Figure 1: what the experiment on the linearisation error sees, by the choice of the point.

Lemma 3 has the right order for directions that add up over the heads, not for independent ones.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp
from sympy import Symbol

from numeric.attention_smoothness import linearisation_constant
from numeric.networks.transformer import (
    SINE,
    TANH,
    Inputs,
    clipped_tokens,
    linear_model,
    predict,
    symmetric_initialisation,
)
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.equality import equal
from theorems.engine import Given, Grade, Obligations, Provenance, Severity, integers, le, sentence
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer import hypotheses as of_paper
from theorems.shallow_transformer.analysis.linearisation.block_by_block import BLOCKWISE
from theorems.shallow_transformer.analysis.linearisation.linear_model import EQ_19, WIDTHS
from theorems.shallow_transformer.analysis.linearisation.order import UNIT_TOKEN
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, m, n
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.sampling.boundary import boundary_step, largest_errors

Rng = np.random.Generator
_NOTE = "proofs_notes/st_smoothness.md#the-experiment"
_M, _C, _RHO_U = sp.symbols("m rho_c rho_u", positive=True)
_H, _GAUSS = sp.Symbol("h", positive=True), sp.Symbol("U", real=True)  # ρ_u/√m, and U


def _mean_of_waves(expression: sp.Expr, spread: Any = 1) -> sp.Expr:
    """E of a trigonometric polynomial in U ~ N(0, s²), from E exp(ikU) = exp(−(sk)²/2)."""
    turn = sp.Symbol("z")  # exp(iU)
    waves = {sp.sin(_GAUSS): (turn - 1 / turn) / (2 * sp.I), sp.cos(_GAUSS): (turn + 1 / turn) / 2}
    expanded = sp.expand_trig(expression)
    if not expanded.is_polynomial(*waves):
        raise ValueError(f"{expression} is no trigonometric polynomial")
    collected = sp.collect(sp.expand(expanded.subs(waves)), turn, evaluate=False)
    means = (
        c * sp.exp(-((spread * sp.log(power).diff(turn) * turn) ** 2) / 2) for power, c in collected.items()
    )
    return sp.expand(sp.Add(*means))


_COHERENT = (*hyp.RANDOM_START, *hyp.INPUTS, hyp.HYPERBOLIC_TANGENT, *of_paper.DIRECTED)
_RADII = dict.fromkeys((of.rho_c, of.rho_u, of.rho_w), of.NONNEGATIVE)
_ERROR = r"\sup_{j\in[$n]}|$f(X^{(j)};$phi) - $f_lin(X^{(j)};$phi)|"

COHERENT = claim(
    "st.exp.linearisation",
    at="Section 6.1; Figure 1",
    title="Directions that add up have an error of order m^(-1/2)",
    states=sentence(rf"{_ERROR} \asymp $m^{{$exponent}}", exponent=Fraction(-1, 2)),
    given={of.rho_c: of.POSITIVE, m: WIDTHS},
    assuming=_COHERENT,
    rests_on=["st.lem3", "st.lem3.order"],
    discharging={
        hyp.TWICE_DIFFERENTIABLE: "tanh is smooth",
        hyp.BOUNDED_SLOPES: "tanh' is at most 1",
        hyp.BOUNDED_CURVATURES: "tanh'' is at most 4/(3√3)",
        hyp.BOUNDED_HEADS: "B is the largest length in the feasible set",
        hyp.IN_FEASIBLE_SET: "the point is on the boundary",
        of_paper.SINE: "st.lem3.order only shows that the order can be met",
        UNIT_TOKEN: "st.lem3.order only shows that the order can be met",
    },
    note=_NOTE,
)


def _slopes(directions: str, exponent: Any, rng: Rng, draws: int) -> SlopeTest:
    """The exponent of the mean error in m; all widths grow with the effort, as its precision."""
    unit = 64 * isqrt(draws // 16)
    widths = [unit, 4 * unit, 16 * unit]
    samples = [largest_errors(directions, m, (1.0, 1.0, 1.0), rng, draws) for m in widths]
    means = [float(one.mean()) for one in samples]
    errors = [float(one.std(ddof=1)) / np.sqrt(draws) for one in samples]
    return slope_test(widths, means, errors, float(exponent))


@COHERENT.estimated(
    draws=16,
    controls={"one": {"exponent": -1}, "none": {"exponent": Fraction(-1, 4)}},
    uses=_COHERENT,
    over={n: of.SIZE, m: integers(2), **_RADII, of.rho_c: of.POSITIVE},
)
def slope_of_coherent_directions(rng: Rng, draws: int, exponent: Any) -> SlopeTest:
    """Mean of sup_j|f − f_lin| at three widths: a power of m."""
    return _slopes("paired", exponent, rng, draws)


_SCATTERED = (*hyp.RANDOM_START, *hyp.ACTIVATION, *hyp.INPUTS, hyp.INDEPENDENT_DIRECTIONS)
_RECORD: dict[str, Any] = {
    "assuming": _SCATTERED,
    "rests_on": [EQ_19, BLOCKWISE],
    "discharging": {
        hyp.BOUNDED_HEADS: "each head has a bound of its own, whose moments are finite",
        hyp.IN_FEASIBLE_SET: "the directions end on the spheres of the radii",
    },
    "note": _NOTE,
}

INDEPENDENT = claim(
    "st.exp.linearisation.independent",
    at="Section 6.1; Figure 1",
    title="Independent directions have an error of order m^(-1/2)",
    states=sentence(
        rf"\liminf_{{$m\to\infty}}$m^{{$power}}\,\mathbb{{E}}{_ERROR} > $zero", power=Fraction(1, 2), zero=0
    ),
    given={m: WIDTHS},
    provenance=Provenance.DERIVED,
    **_RECORD,
)


def _mean_of_pair(mirrored: int = -1) -> sp.Expr:
    """Mean over the signs of δc of δc Δ + c r in one head, plus that of its partner.

    E Δ and E r are those of the same law for both heads, which have the same θ⁽⁰⁾.
    """
    c, size, change, rest = sp.symbols("c d E_Delta E_r", real=True)
    heads = (c, mirrored * c)
    signs = (1, -1)
    return sum((s * size * change + one * rest) / 2 for one in heads for s in signs)


@INDEPENDENT.refuted(
    severity=Severity.DEPENDENCE,
    controls={"another_rate": {"power": 1}, "below": {"zero": -1}},
    by=Grade.ARGUED,
)
def variance_of_a_sum(power: Any, zero: Any) -> Obligations:
    """Given φ⁽⁰⁾, f − f_lin is a sum of m independent terms, none above C/m^(3/2), of mean zero.

    Pairs of terms have mean zero, so E|f − f_lin|² ≤ m C²/m³ and E sup_j ≤ √n C/m. C is
    σ_1ρ_cℓ + … of st.lem3.sharp at B = |U_i| + ρ_u; E C² over a standard normal U_i is finite, as C
    grows like B², and the same for all m.
    """
    yield "mean of a pair", equal(_mean_of_pair(), sp.Integer(0))
    inputs, C = sp.symbols("n C", positive=True)
    size = sp.sqrt(inputs * _M * C**2 / _M**3)
    limit = sp.limit(_M ** sp.Rational(power) * size, _M, sp.oo)
    yield "m^power times it tends to this at most", bool(limit <= zero)


_LARGER = "true as well: the moments are not negative, so that the right side is larger"
INDEPENDENT_CORRECTED = INDEPENDENT.corrected(
    "st.exp.linearisation.independent.corrected",
    title="Independent directions have an error of order 1/m",
    states={
        "bound": le(its.square_error, n / m**2 * (its.first_moment + its.second_moment / 4)),
        "order": sentence(
            r"$sigma = \sin,\ X = $token: \lim_{$m\to\infty}$m^{$power}\,\mathbb{E}"
            r"|$f - $f_lin|^{$square} = $half\,($rho_c$rho_u)^{$radii}($one + e^{$exponent})",
            token=1,
            power=2,
            square=2,
            half=Fraction(1, 2),
            radii=2,
            one=1,
            exponent=-2,
        ),
        "one input": sentence(
            r"\mathbb{E}|$f - $f_lin|^{$two} \le $share\,$m^{$power}"
            r"($first_moment + $quarter\,$second_moment)",
            two=2,
            share=1,
            power=-2,
            quarter=Fraction(1, 4),
        ),
    },
    given={m: WIDTHS},
    excused={
        "exponent -2 of m: -2 -> -1": _LARGER,
        "1/4: 1/4 -> 101/400": _LARGER,
        "factor of n*(first_moment + second_moment/4)/m**2: 1 -> 101/100": _LARGER,
    },
    **_RECORD,
)
#: Where st.lem3.sharp bounds the term of a head, and there is a pair of heads.
_SIGMAS = dict.fromkeys((of.sigma_0, of.sigma_1, of.sigma_2), of.POSITIVE)
_TERMS_OVER = {m: integers(2), **_RADII, **_SIGMAS}


@INDEPENDENT_CORRECTED.argued(
    "bound",
    bridge="Given the start the terms of the heads are independent, and their means cancel in"
    " pairs; in each the sign of the step of c makes both parts uncorrelated, and a supremum over"
    " inputs is at most the sum.",
    uses=_SCATTERED,
    over={**_TERMS_OVER, n: integers(1)},
)
def moment_of_a_sum(given: Given) -> Iterator[Any]:
    """|Δ| ≤ σ_1ℓ/√m and |r| ≤ (σ_2ℓ² + σ_1K)/(2m), for heads with c⁽⁰⁾ = ±1."""
    yield "mean of a pair", equal(_mean_of_pair(), sp.Integer(0))
    first, second = sp.symbols("x y", positive=True)
    both = sum((s * first + second) ** 2 for s in (1, -1)) / 2
    yield "uncorrelated", equal(both, first**2 + second**2)
    square = Symbol("mean square of a term", nonnegative=True)
    one = ONE_HEAD.bridge(
        "the mean square of the term of a head in m^(1/2) (f - f_lin), by st.lem3.sharp",
        le(m**2 * square, its.first_moment + its.second_moment / 4),
    )
    sums = ONE_HEAD.bridge(
        "the variance of a sum of independent terms, at most n times for n inputs",
        le(its.square_error, n * (m * square) / m),
    )
    yield given.follows(one, sums)


@INDEPENDENT_CORRECTED.argued(
    "order",
    bridge="The terms of the heads have these second moments, and their variances add up; the"
    " limit is that of the moment's expansion in h = ρ_u/√m.",
    uses=[*hyp.RANDOM_START, hyp.INDEPENDENT_DIRECTIONS],
)
def moments_for_the_sine(
    token: Any, power: Any, square: Any, half: Any, radii: Any, one: Any, exponent: Any
) -> Obligations:
    """With h = ρ_u/√m: E Δ² = E(sin(U + h)X − sin UX)², and given U the variance of r is
    (sin hX − hX)² cos² UX.
    """  # noqa: D205
    X = sp.Rational(token)  # the letter U stands for U times X
    step = (sp.sin(_GAUSS + X * _H) - sp.sin(_GAUSS)) ** square
    cosine = _mean_of_waves(sp.cos(_GAUSS) ** square, X)
    # m heads, each over √m; ρ_c²/m = (ρ_c h/ρ_u)².
    moment = (_C * _H / _RHO_U) ** square * _mean_of_waves(step, X)
    moment += (sp.sin(X * _H) - X * _H) ** square * cosine
    leading = sp.series(moment, _H, 0, 5).removeO() * (_RHO_U / _H) ** (2 * power)
    limit = sp.limit(sp.expand(leading), _H, 0, "+")
    stated_ = half * (_C * _RHO_U) ** radii * (one + sp.exp(exponent))
    yield "limit", sp.simplify(limit - stated_) == 0


@INDEPENDENT_CORRECTED.estimated(
    "order", draws=16, controls={"root": {"power": 1}, "faster": {"power": 3}, "fourth": {"square": 4}}
)
def slope_of_independent_directions(rng: Rng, draws: int, power: Any, square: Any) -> SlopeTest:
    """Mean of sup_j|f − f_lin| at three widths for σ = tanh: the power of m over that of it."""
    return _slopes("independent", Fraction(-power, square), rng, draws)


@INDEPENDENT_CORRECTED.argued(
    "one input",
    bridge="As for several inputs: terms of heads are independent with means that cancel in pairs,"
    " and in each both parts are uncorrelated.",
    uses=_SCATTERED,
    over=_TERMS_OVER,
)
def variance_for_one_input(two: Any, share: Any, power: Any, quarter: Any) -> Obligations:
    """A head has σ_1ρ_cℓ/m and (σ_2ℓ² + σ_1K)/(2m); m heads, each over √m."""
    first, second = sp.symbols("P Q", positive=True)
    x, y = first / _M, second / (2 * _M)
    term = sum((s * x + y) ** two for s in (1, -1)) / 2
    stated_ = share * _M**power * (first**2 + quarter * second**2)
    yield "mean of a pair", equal(_mean_of_pair(), sp.Integer(0))
    yield "sum", equal(_M * term / _M, stated_)


#: σ, d, T, m, ρ; the first is nearly the extremal one.
_CASES = (
    (SINE, 1, 1, 8, (1.0, 1.0, 0.0)),
    (TANH, 2, 3, 2, (1.0, 1.0, 1.0)),
    (TANH, 2, 3, 32, (0.0, 1.0, 2.0)),
)


@INDEPENDENT_CORRECTED.estimated(
    "one input",
    draws=300,
    controls={
        "tenth": {"share": Fraction(1, 10)},
        "faster": {"power": -3},
        "without_the_rest": {"quarter": -4},
        "square_of_squares": {"two": 1},
    },
)
def second_moments(
    rng: Rng, draws: int, two: Any, share: Any, power: Any, quarter: Any
) -> Iterator[MeanTest]:
    """m²|f − f_lin|² for one input, less its bound given φ⁽⁰⁾: no mean above zero."""
    seed = int(rng.integers(2**62))
    for number, (*_, heads, _) in enumerate(_CASES):
        errors, first, rest = _errors_and_bounds(seed, number, draws)
        bounds = float(share) * heads ** float(power) * (first + float(quarter) * rest)
        found = heads**2 * (errors ** float(two) - bounds)
        yield mean_test(found, 0.0, alternative="greater")


@lru_cache(maxsize=8)
def _errors_and_bounds(seed: int, case: int, draws: int) -> Any:
    """Errors of networks of one case and the parts of their bounds, drawn once for all controls."""
    rng = np.random.default_rng((seed, case))
    return np.array([_error_and_bounds(_CASES[case], rng) for _ in range(draws)]).T


def _error_and_bounds(case: Any, rng: Rng) -> tuple[float, ...]:
    """|f − f_lin|, and given φ⁽⁰⁾ mean squares over heads: of first order, of the remainder."""
    activation, d, T, m, rho = case
    initial, inputs = symmetric_initialisation(m, d, rng), clipped_tokens(1, T, d, rng)
    if T == 1:
        inputs = Inputs(np.ones((1, 1, 1)), np.ones((1, 1)))
    moved = initial + boundary_step("independent", initial, inputs, activation, rho, rng)
    f = predict(moved, inputs, activation, threads=1)
    error = f - linear_model(initial, moved, inputs, activation, threads=1)
    B = initial.block_norms()[1] + rho[1] / np.sqrt(m)
    whole = linearisation_constant(rho[0], *rho[1:], B, *activation.bounds[1:])
    remainder = np.asarray(linearisation_constant(0, *rho[1:], B, *activation.bounds[1:]))
    first, rest = (float(np.mean(part**2)) for part in (whole - remainder, 2 * remainder))
    return abs(float(error[0])), first, rest
