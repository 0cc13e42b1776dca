"""Section 3.3: the limiting NTK and its matrix, Definitions 22 and 23."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.cosine_maps import delta_phi, limiting_ntk, varrho, varrho_prime
from numeric.networks.sampling import sample_ntk
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.cosine_maps import limiting_ntk_profile
from symbolic.cosine_maps import varrho as symbolic_varrho
from symbolic.cosine_maps import varrho_prime as symbolic_varrho_prime
from symbolic.equality import equal
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers, interval, reals
from theorems.engine.domain import Domain
from theorems.eoc_mlp.samples import inputs_at

Floats = NDArray[np.float64]

_RHO = sp.Symbol("rho", real=True)
_DELTA = sp.Symbol("Delta", nonnegative=True)
_INSIDE = {_RHO: sp.Interval.open(-1, 1), _DELTA: sp.Interval.open(0, 1)}
_GIVEN: dict[str, Domain] = {"l": integers(2), "rho": interval(-1, 1), "delta": interval(0, 1)}
_NOTE = "proofs_notes/eoc_mlp.md#limiting-ntk"

RECURSION = claim(
    "eoc.def22.recursion",
    at="Definition 22",
    title="Depth recursion of the limiting NTK",
    states=(
        r"\kappa_1 = \rho, \quad \kappa_{l+1}(\rho) = \varrho^{\circ l}(\rho)"
        r" + \varrho'(\varrho^{\circ(l-1)}(\rho))\,\kappa_l(\rho)"
    ),
    given=_GIVEN,
    assuming=(r"κ_l is the sum in Definition 22, the limiting NTK of two unit vectors",),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RECURSION.proved(controls={"shifted_slope": {"shift": 1}, "shifted_sum": {"first": 2}})
def split_off_the_last_term(shift: int = 0, first: int = 1) -> Obligations:
    """All terms of the sum for l + 1 but the last have the factor ϱ'(ϱ^{∘(l-1)}); that has none.

    With symbols for the iterates and the slopes the step is the same for every l.
    """
    iterates, slopes = sp.symbols("r1:9", real=True), sp.symbols("d1:9", real=True)

    def printed(depth: int) -> Any:
        products = (sp.prod(slopes[k : depth - 1]) for k in range(first - 1, depth))
        return sum(r * p for r, p in zip(iterates[first - 1 : depth], products, strict=True))

    yield "l = 1", equal(printed(1) + 0 * iterates[0], iterates[0])
    for depth in range(1, 7):
        step = iterates[depth] + slopes[depth - 1 + shift] * printed(depth)
        yield f"l = {depth} to {depth + 1}", equal(sp.sympify(printed(depth + 1)), step)


DIAGONAL = claim(
    "eoc.def22.diagonal",
    at="Definition 22",
    title="The limiting NTK on the diagonal",
    states=r"\tilde K(x, x) = l\,\|x\|^2\,\mathcal{I}_{m_l}",
    given=_GIVEN,
    rests_on=[RECURSION, "eoc.varrho.values"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIAGONAL.proved(controls={"one_less": {"offset": -1}, "square": {"power": 2}})
def fixed_point(offset: int = 0, power: int = 1) -> Obligations:
    """ϱ(1) = ϱ'(1) = 1, so each step of the recursion adds 1 to κ₁ = 1."""
    yield "ϱ(1) = 1", equal(symbolic_varrho(1, _DELTA), sp.Integer(1))
    yield "ϱ'(1) = 1", equal(symbolic_varrho_prime(1, _DELTA), sp.Integer(1))
    depth = sp.Symbol("l", integer=True, positive=True)
    claimed = (depth + offset) ** power
    yield "base", equal(sp.sympify(claimed).subs(depth, 1), sp.Integer(1))
    yield "step", equal(claimed.subs(depth, depth + 1), 1 + claimed)


LOW_DEPTHS = claim(
    "eoc.def22.low_depths",
    at="Definition 22",
    title="The limiting NTK at depths 2 and 3",
    states=(
        r"\kappa_2 = \varrho(\rho) + \rho\varrho'(\rho), \quad"
        r" \kappa_3 = \varrho(\varrho(\rho)) + \varrho'(\varrho(\rho))\,\kappa_2"
    ),
    given=_GIVEN,
    rests_on=[RECURSION, "eoc.varrho.closed_form", "eoc.varrho.prime"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LOW_DEPTHS.proved(controls={"twice": {"factor": 2}, "slope_at_rho": {"once": 0}})
def insert_closed_forms(factor: int = 1, once: int = 1) -> Obligations:
    """The printed sum at l = 2 and 3 against closed forms in arcsin ρ and √(1 - ρ²)."""
    root, angle, share = sp.sqrt(1 - _RHO**2), sp.asin(_RHO), 2 * _DELTA / sp.pi
    second = 2 * (1 - _DELTA) * _RHO + share * (root + 2 * factor * _RHO * angle)
    yield "l = 2", equal(limiting_ntk_profile(_RHO, 2, _DELTA), second, _INSIDE)
    inner = symbolic_varrho(_RHO, _DELTA)
    argument = inner if once else _RHO
    third = symbolic_varrho(inner, _DELTA) + symbolic_varrho_prime(argument, _DELTA) * second
    defined = [inner**2 < 1]  # as for all cosines
    yield "l = 3", equal(limiting_ntk_profile(_RHO, 3, _DELTA), third, _INSIDE, defined)


MEAN = claim(
    "eoc.def22.depth_two",
    at="Definition 22",
    title="At depth 2 the mean of the NTK is its limit, at every width",
    states=r"l = 2 \implies \mathbb{E}_\theta K_\theta(x_1, x_2) = \tilde K(x_1, x_2)",
    given={"m_1": integers(1), "a": reals(), "b": reals()},
    assuming=("the scalings are equal, (3)", "x_1 and x_2 do not vanish"),
    rests_on=["eoc.prop11", "eoc.prop15", LOW_DEPTHS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.proved(controls={"twice": {"factor": 2}})
def trace_over_the_output_layer(factor: int = 1) -> Obligations:
    """E⟨A_j, D A_j⟩ = σ² tr D for diagonal D; then Propositions 11 and 15 give κ₂."""
    sigma = sp.Symbol("sigma", positive=True)
    weights, diagonal = sp.symbols("A1:4", real=True), sp.symbols("D1:4", real=True)
    form = sp.expand(sum(d * w**2 for d, w in zip(diagonal, weights, strict=True)))
    mean = form.subs({w**2: sigma**2 for w in weights})
    yield "mean of the quadratic form", equal(mean, factor * sigma**2 * sum(diagonal))
    # K = σ⁻² X₁ ⟨A, B B* A⟩ + X₂ with tr B B* = X'₂₂ of mean ϱ'(ρ), and X₂ of mean ϱ(ρ).
    slope, value = symbolic_varrho_prime(_RHO, _DELTA), symbolic_varrho(_RHO, _DELTA)
    limit = limiting_ntk_profile(_RHO, 2, _DELTA)
    yield "the two terms make κ₂", equal(_RHO * slope + value, limit, _INSIDE)


@MEAN.estimated(draws=4000, controls={"one_and_a_half": {"factor": 1.5}})
def narrow_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Means over whole networks of hidden widths 1, 2 and 7."""
    for width, a, b, angle in ((1, 0.5, 0.5, 0.4), (2, 0.0, 1.0, 2.5), (7, 1.0, -0.5, 1.2)):
        x = inputs_at(angle, 3, rng)
        sample = sample_ntk(x, (width,), a, b, rng, size=draws)[:, 0, 1, 0, 0]
        limit = limiting_ntk(x, 2, delta_phi(a, b))[0, 1]
        yield mean_test(sample, factor * limit)


DIAGONAL_MEAN = claim(
    "eoc.def22.diagonal_mean",
    at="Definition 22",
    title="On the diagonal the mean of the NTK is its limit, at every depth and width",
    states=r"\mathbb{E}_\theta K_\theta(x, x) = l\,\|x\|^2\,\mathcal{I}_{m_l}",
    given={"l": integers(2), "m": integers(1)},
    assuming=("the scalings are equal, (3)",),
    rests_on=["eoc.prop11", "eoc.prop15", "eoc.prop16", DIAGONAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIAGONAL_MEAN.proved(controls={"one_less": {"offset": -1}})
def telescope(offset: int = 0) -> Obligations:
    """E X_k = ‖x‖² by Proposition 11, E X'_{k+1,l} = 1 by 16 and 15: each of l terms is ‖x‖².

    Where a layer dies, X_k or B_{k+1,l} vanishes with it, and the identities are 0 = 0.
    """
    yield "ϱ(1) = 1", equal(symbolic_varrho(1, _DELTA), sp.Integer(1))
    yield "ϱ'(1) = 1", equal(symbolic_varrho_prime(1, _DELTA), sp.Integer(1))
    depth, k = sp.symbols("l k", integer=True, positive=True)
    yield "l equal terms", equal(sp.summation(1, (k, 1, depth)), depth + offset)


@DIAGONAL_MEAN.estimated(draws=4000, controls={"one_less": {"offset": -1}})
def narrow_deep_networks(
    rng: np.random.Generator, draws: int, offset: int = 0
) -> Iterator[MeanTest]:
    """Means of K(x, x) for networks of depth 4 and widths around 4."""
    for widths, a, b in (((4, 5, 3), 0.0, 1.0), ((4, 4, 4), 1.0, 0.3), ((1, 2, 2), 0.5, 0.5)):
        x = inputs_at(1.0, 3, rng)[:1]
        sample = sample_ntk(x, widths, a, b, rng, size=draws)[:, 0, 0, 0, 0]
        depth = len(widths) + 1 + offset
        yield mean_test(sample, depth * float(np.sum(x**2)))


LIMIT = claim(
    "eoc.def22",
    at="Definition 22",
    title="The NTK converges to the limiting NTK as the widths grow",
    states=(
        r"\tilde K(x_1,x_2) = \|x_1\|\|x_2\|\Bigl(\sum_{k=1}^l \varrho^{\circ(k-1)}(\rho_1)"
        r"\prod_{k'=k}^{l-1}\varrho'(\varrho^{\circ(k'-1)}(\rho_1))\Bigr)\mathcal{I}_{m_l}, \quad"
        r"\mathbb{E}\,\|K_\theta(x_1, x_2) - \tilde K(x_1, x_2)\|^2 = O(m^{-1}),"
        r"\quad m_k = \gamma_k m \to \infty"
    ),
    given=_GIVEN,
    rests_on=[RECURSION],
    note=_NOTE,
)


@LIMIT.estimated(
    draws=300,
    controls={"faster": {"rate": -1.5}, "wrong_limit": {"layers": -1}},
)
def rate_in_the_width(
    rng: np.random.Generator, draws: int, rate: float = -1.0, layers: int = 0
) -> SlopeTest:
    """Exponent of the mean square error at depth 4, widths 32 to 256: at most -1."""
    x = inputs_at(2.4, 4, rng)
    limit = limiting_ntk(x, 4 + layers, 0.5)[0, 1]
    widths = np.array([32, 64, 128, 192])
    means, spread = [], []
    for m in widths:
        size = draws * int(256 // m) ** 2  # narrow networks are cheap and have heavy tails
        errors = (sample_ntk(x, (m, m, m), 0.5, 0.5, rng, size=size)[:, 0, 1, 0, 0] - limit) ** 2
        means.append(errors.mean())
        spread.append(errors.std(ddof=1) / np.sqrt(size))
    return slope_test(widths, means, spread, rate, alternative="greater")


SERIES = claim(
    "eoc.def23.series",
    at="Definition 23",
    title="The power series of the limiting NTK in the cosine has no negative coefficient",
    states=r"\kappa_l(\rho) = \sum_{j\ge0} c_{l,j}\rho^j, \quad c_{l,j} \ge 0",
    given=_GIVEN,
    rests_on=[RECURSION, "eoc.varrho.closed_form"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SERIES.proved(controls={"minus_arcsine": {"sign": -1}})
def coefficients_of_the_slope(sign: int = 1) -> Obligations:
    """(arcsin ρ)' = (1 - ρ²)^(-1/2) has coefficients C(2n, n)/4ⁿ > 0; ϱ'' is a multiple of it.

    Sums, products and compositions of such series are again such series, and ϱ(0), ϱ'(0) ≥ 0.
    """
    n = sp.Symbol("n", integer=True, nonnegative=True)
    second = sp.diff(symbolic_varrho(_RHO, _DELTA), _RHO, 2)
    yield (
        "ϱ'' = (2Δ/π)(1 - ρ²)^(-1/2)",
        equal(second, sign * 2 * _DELTA / (sp.pi * sp.sqrt(1 - _RHO**2)), _INSIDE),
    )
    ratio = -(sp.Rational(-1, 2) - n) / (n + 1)
    yield "binomial coefficients: positive ratio", sp.simplify(ratio).is_positive
    yield "ϱ(0) = 2Δ/π", equal(symbolic_varrho(0, _DELTA), 2 * _DELTA / sp.pi)
    yield "ϱ'(0) = 1 - Δ", equal(symbolic_varrho_prime(0, _DELTA), 1 - _DELTA)


PSD = claim(
    "eoc.def23",
    at="Definition 23",
    title="The limiting NTK matrix is symmetric and positive semidefinite",
    states=r"\tilde K = \bigl[\tfrac1n\tilde K(x_{i_1}, x_{i_2})\bigr]_{i_1, i_2} \succeq 0",
    given={"n": integers(1), "l": integers(2), "delta": interval(0, 1)},
    rests_on=[SERIES],
    note=_NOTE,
)


@PSD.proved(controls={"one_factor_less": {"missing": 1}})
def powers_are_gram_matrices(missing: int = 0) -> Obligations:
    """⟨x, y⟩ʲ = ⟨x^{⊗j}, y^{⊗j}⟩ by distributivity, so entrywise powers are Gram matrices too."""
    x, y = sp.symbols("x1:4", real=True), sp.symbols("y1:4", real=True)
    inner = sum(p * q for p, q in zip(x, y, strict=True))
    for power in range(1, 5):
        indices = product(range(3), repeat=power - missing)
        tensor = sum(sp.prod([x[i] * y[i] for i in index]) for index in indices)
        yield f"j = {power}", equal(inner**power, sp.expand(tensor))


@st.composite
def _datasets(draw: st.DrawFn) -> tuple[Floats, int, float]:
    n, dimension = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = rng.standard_normal((n, dimension))
    if n > 1 and draw(st.booleans()):
        x[-1] = x[0] * draw(st.sampled_from([-1.0, 0.0, 1.0 + 1e-9, 3.0]))
    return x, draw(st.integers(2, 12)), draw(st.sampled_from([0.0, 0.5, 1.0, 0.99]))


@PSD.tested(over=_datasets, controls={"indefinite": {"shift": 0.1}})
def smallest_eigenvalue(case: tuple[Floats, int, float], shift: float = 0.0) -> Discrepancy:
    """How negative the smallest eigenvalue of the matrix comes out, against rounding."""
    x, depth, delta = case
    matrix = limiting_ntk(x, depth, delta)
    size = float(np.trace(matrix))
    smallest = float(np.linalg.eigvalsh(matrix)[0]) - shift * size
    # Entries carry relative errors below 1e-14, the eigenvalue solver n machine epsilons.
    return Discrepancy(max(0.0, -smallest), 1e-13 * len(x) * size + 1e-300)


@RECURSION.tested(over=st.tuples(st.floats(-1, 1), st.floats(0, 1), st.integers(2, 64)),
                  controls={"shifted_slope": {"shift": 1}})  # fmt: skip
def recursion_in_floats(case: tuple[float, float, int], shift: int = 0) -> Discrepancy:
    """The kernel of two unit vectors in the plane against the recursion."""
    rho, delta, depth = case
    x = np.array([[1.0, 0.0], [rho, np.sqrt((1 - rho) * (1 + rho))]])
    kernel, iterate = rho, rho
    for _ in range(depth - 1):
        image = float(varrho(iterate, delta))
        slope = float(varrho_prime(image if shift else iterate, delta))
        kernel, iterate = image + slope * kernel, image
    # Roundings dρ of 4 epsilons add up over the layers, for |ϱ'| ≤ 1.  They move a slope by at
    # most (2/π) dρ/√(1 - ρ²), or √(2 dρ) at the ends, and the sum by depth² times that.
    drift = 4 * depth * 2.0**-53
    slope_error = min(drift / max(float(np.sqrt(1 - rho**2)), 1e-300), float(np.sqrt(2 * drift)))
    allowed = depth**2 * (slope_error + drift)
    return Discrepancy(abs(float(limiting_ntk(x, depth, delta)[0, 1]) - kernel), allowed)
