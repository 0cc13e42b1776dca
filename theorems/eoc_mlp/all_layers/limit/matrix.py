"""Definition 23: the limiting NTK matrix of a data set."""

from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Integer, Symbol, pi, sqrt

from numeric.arguments import Floats
from numeric.cosine_maps import limiting_ntk
from symbolic.equality import equal
from theorems.engine import Discrepancy, Obligations, Provenance, interval, sentence
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BY_DEFINITION
from theorems.eoc_mlp.letters import DELTA, claim, rho, varrho, varrho_prime

_NOTE = "proofs_notes/eoc_mlp.md#limiting-ntk"


SERIES = claim(
    "eoc.def23.series",
    at="Definition 23",
    title="The power series of the limiting NTK in the cosine has no negative coefficient",
    states=sentence(r"\kappa_{$l}($rho) = \sum_{j\ge0} c_{$l,j}{$rho}^j, \quad c_{$l,j} \ge $least", least=0),
    rests_on=["eoc.def22.recursion", "eoc.varrho.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"domain of l": "true as well: of a single layer the series is the cosine itself"},
)


@SERIES.argued(
    bridge="Sums, products and compositions of power series without negative coefficients are such"
    " series, and the recursion makes κ of these; all converge on [-1, 1], where they sum to at"
    " most κ(1) = l.",
    over={rho: interval(-1, 1)},
)
def coefficients_of_the_slope(least: int) -> Obligations:
    """(arcsin ρ)' = (1 - ρ²)^(-1/2) has coefficients C(2n, n)/4ⁿ > 0; ϱ'' is a multiple of it."""
    index = Symbol("n", integer=True, nonnegative=True)
    inside = {rho: sp.Interval.open(-1, 1), DELTA: interval(0, 1)}
    value, slope = unfolded(varrho(rho, DELTA)), unfolded(varrho_prime(rho, DELTA))
    bend = 2 * DELTA / (pi * sqrt(1 - rho**2))
    yield "ϱ'' = (2Δ/π)(1 - ρ²)^(-1/2)", equal(sp.diff(value, rho, 2), bend, inside)
    ratio = -(sp.Rational(-1, 2) - index) / (index + 1)
    yield "binomial coefficients: positive ratio", sp.simplify(ratio).is_positive
    yield "ϱ(0) = 2Δ/π", equal(value.subs(rho, 0), 2 * DELTA / pi)
    yield "ϱ'(0) = 1 - Δ", equal(slope.subs(rho, 0), 1 - DELTA)
    yield "ϱ(0) is as small as that at Δ = 0", equal(value.subs({rho: 0, DELTA: 0}), Integer(least))


PSD = claim(
    "eoc.def23",
    at="Definition 23",
    title="The limiting NTK matrix is symmetric and positive semidefinite",
    states=sentence(r"$K_limit_matrix = $K_limit_matrix^*, \quad $K_limit_matrix \succeq $least", least=0),
    rests_on=[SERIES],
    note=_NOTE,
    excused={"least: 0 -> -1": "true as well: a smaller lower bound"},
)


@PSD.argued(
    bridge="For unit vectors the kernel is Σ c_j⟨x, y⟩ʲ with c_j ≥ 0, which is symmetric in both,"
    " and ⟨x, y⟩ʲ = ⟨x^{⊗j}, y^{⊗j}⟩ for every j and dimension as it is for the small ones."
)
def powers_are_gram_matrices() -> Obligations:
    """⟨x, y⟩ʲ = ⟨x^{⊗j}, y^{⊗j}⟩ by distributivity, so entrywise powers are Gram matrices too."""
    x, y = sp.symbols("x1:4", real=True), sp.symbols("y1:4", real=True)
    inner = sum(p * q for p, q in zip(x, y, strict=True))
    for power in range(1, 5):
        indices = product(range(3), repeat=power)
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


@PSD.tested(over=_datasets(), controls={"indefinite": {"least": sp.Rational(1, 10)}})
def smallest_eigenvalue(case: tuple[Floats, int, float], least: Any) -> Discrepancy:
    """How far the smallest eigenvalue, in units of the trace, is below the bound."""
    x, depth, delta = case
    matrix = limiting_ntk(x, depth, delta)
    size = float(np.trace(matrix))
    smallest = float(np.linalg.eigvalsh(matrix)[0]) - float(least) * size
    # Entries carry relative errors below 1e-14, the eigenvalue solver n machine epsilons.
    return Discrepancy(max(0.0, -smallest), 1e-13 * len(x) * size + 1e-300)
