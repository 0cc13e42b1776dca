"""Theorem 28, proof: reduction to inputs of unit length, and from a matrix to its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from symbolic.equality import equal
from symbolic.networks.jacobian import recursive_jacobian
from symbolic.networks.ntk import ntk
from theorems.engine import Measured, Obligations, claim, integers
from theorems.engine.domain import Domain
from theorems.eoc_mlp.exact_networks import EXAMPLES

Floats = NDArray[np.float64]

_GIVEN: dict[str, Domain] = {"l": integers(2), "n": integers(1), "m_l": integers(1)}
_PROOF = "Theorem 28, proof"
_BLOCKS = "proofs_notes/eoc_networks.md#norms-of-block-matrices"

HOMOGENEOUS = claim(
    "eoc.thm28.homogeneous",
    at=_PROOF,
    title="The network and its Jacobian are homogeneous in the input",
    states=(
        r"N(x, \theta) = \|x\|\,N(x/\|x\|, \theta), \quad"
        r" \partial_\theta N(x, \theta) = \|x\|\,\partial_\theta N(x/\|x\|, \theta)"
    ),
    given=_GIVEN,
    assuming=("x is not zero; at x = 0 both the output and the Jacobian vanish",),
    rests_on=["eoc.def2.homogeneous", "eoc.eq1"],
)
_TAU = sp.Symbol("tau", positive=True)


@HOMOGENEOUS.proved(controls={"square": {"power": 2}, "slopes_scale": {"slope_power": 1}})
def one_layer(power: int = 1, slope_power: int = 0) -> Obligations:
    """Induction step in letters: φ(τN) = τφ(N) and φ'(τN) = φ'(N), so both blocks of (1) scale."""
    A, N, D, below, M = (sp.Symbol(name, commutative=False) for name in ("A", "N", "D", "dN", "M"))
    slope = _TAU**slope_power
    activation = sp.expand(A * slope * D * _TAU * N - _TAU**power * A * D * N)
    yield "activations: A D τN = τ A D N", bool(activation == 0)
    blocks = sp.Matrix([[A * slope * D * _TAU * below, _TAU * M]])
    difference = (blocks - _TAU**power * sp.Matrix([[A * D * below, M]])).applyfunc(sp.expand)
    yield "blocks of the Jacobian", bool(difference.is_zero_matrix)


@HOMOGENEOUS.proved(controls={"square": {"power": 2}, "negative": {"factor": -_TAU}})
def scaled_inputs(factor: Any = _TAU, power: int = 1) -> Obligations:
    """The exact networks at τx with a letter τ > 0; each layer passes the factor on."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        for x in (x1, x2):
            scaled = [factor * entry for entry in x]
            claimed = factor**power * mlp.output(x)
            yield f"network {number}: output", equal(mlp.output(scaled), claimed)
            jacobians = recursive_jacobian(mlp, scaled), factor**power * recursive_jacobian(mlp, x)
            difference = (jacobians[0] - jacobians[1]).applyfunc(sp.expand)
            yield f"network {number}: Jacobian", bool(difference.is_zero_matrix)


@HOMOGENEOUS.proved(controls={"affine": {"constant": 1}})
def zero_input(constant: int = 0) -> Obligations:
    """At x = 0 all activations vanish, and with them every M_{x_k}."""
    for number, (mlp, x, _) in enumerate(EXAMPLES, start=1):
        zero = [0 * entry for entry in x]
        values = [*mlp.output(zero), *recursive_jacobian(mlp, zero)]
        yield f"network {number}", all(value == constant for value in values)


SCALING = claim(
    "eoc.thm28.scaling",
    at=_PROOF,
    title="Reduction to unit vectors",
    states=(
        r"K(\theta) = (D_\tau\boxtimes\mathcal{I}_{m_l})\hat K(\theta)"
        r"(D_\tau\boxtimes\mathcal{I}_{m_l}), \quad"
        r" \|(D_\tau\boxtimes\mathcal{I}_{m_l})A(D_\tau\boxtimes\mathcal{I}_{m_l})\|"
        r" \le \|\tau\|_\infty^2\,\|A\|"
    ),
    given=_GIVEN,
    rests_on=[HOMOGENEOUS],
)


@SCALING.proved(controls={"one_side": {"sides": 1}}, part="kernel")
def blocks_of_scaled_inputs(sides: int = 2) -> Obligations:
    """Each block is τ_i τ_j times the one at unit length; letters for both lengths."""
    lengths = sp.symbols("tau_1 tau_2", positive=True)
    identity = sp.eye(2)
    D = sp.Matrix(sp.kronecker_product(sp.diag(*lengths), identity))
    blocks = [[sp.Matrix(2, 2, lambda r, c, i=i, j=j: sp.Symbol(f"K{i}{j}_{r}{c}", real=True))
               for j in range(2)] for i in range(2)]  # fmt: skip
    scaled = [[lengths[i] * lengths[j] * blocks[i][j] for j in range(2)] for i in range(2)]
    congruent = D * _explicit(blocks) * (D if sides == 2 else sp.eye(4))
    yield "blocks", equal(congruent, _explicit(scaled))
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        longer = [lengths[0] * entry for entry in x1], [lengths[1] * entry for entry in x2]
        difference = ntk(mlp, *longer) - lengths[0] * lengths[1] ** (sides - 1) * ntk(mlp, x1, x2)
        yield f"network {number}", bool(difference.applyfunc(sp.expand).is_zero_matrix)


def _explicit(blocks: Any) -> sp.Matrix:
    return sp.Matrix(sp.BlockMatrix(blocks).as_explicit())


@SCALING.proved(controls={"mean": {"largest": False}}, part="norm")
def norm_of_the_diagonal(largest: bool = True) -> Obligations:
    """‖Dy‖² ≤ T²‖y‖² for T = τ_1 ≥ τ_2 = T - s ≥ 0, so ‖DAD‖ ≤ ‖D‖‖A‖‖D‖ ≤ T²‖A‖."""
    small, slack, p, q = sp.symbols("tau_2 s p q", nonnegative=True)
    T = small + slack if largest else small + slack / 2
    # p and q are the squares of the components of y.
    gap = sp.expand(T**2 * (p + q) - (small + slack) ** 2 * p - small**2 * q)
    yield "T²‖y‖² - ‖Dy‖²", _sign(gap)


def _sign(expression: Any) -> bool | None:
    """Whether a polynomial in nonnegative letters is nonnegative: coefficients, or a value, say."""
    if expression.is_nonnegative:
        return True
    letters = sorted(expression.free_symbols, key=str)
    corners = product((0, 1), repeat=len(letters))
    values = (expression.subs(dict(zip(letters, corner, strict=True))) for corner in corners)
    return False if any(value.is_negative for value in values) else None


@dataclass(frozen=True)
class _Blocks:
    """A square matrix in n × n blocks of a size, and lengths of n inputs."""

    matrix: Floats
    n: int
    lengths: Floats


@st.composite
def _block_matrices(draw: st.DrawFn) -> _Blocks:
    n, size = draw(st.sampled_from([3, 1, 2, 4, 5])), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    A: Floats = rng.standard_normal((n * size, n * size))
    kind = draw(st.sampled_from(["first column", "dense", "diagonal", "equal blocks"]))
    if kind == "diagonal":
        A = np.diag(np.diag(A))
    elif kind == "equal blocks":
        A = np.asarray(np.kron(np.ones((n, n)), np.eye(size)), float)
    elif kind == "first column":
        A = np.asarray(np.kron(np.outer(np.ones(n), np.eye(n)[0]), np.eye(size)), float)
    lengths = draw(st.sampled_from([np.ones(n), rng.uniform(0, 2, n), np.eye(n)[0]]))
    return _Blocks(A, n, lengths)


def _norm(A: Floats) -> float:
    return float(np.linalg.norm(A, 2))


def _ratio(left: float, right: float, rows: int) -> Measured:
    """A quotient of norms; each is computed with a backward error of a few n machine epsilons."""
    if right == 0:
        return Measured(0.0 if left == 0 else np.inf)
    return Measured(left / right, 64 * rows * 2.0**-53)


@SCALING.tested(over=_block_matrices, controls={"one_per_cent_less": {"factor": 0.99},
                "first_power": {"power": 1}}, cases=100, part="norm")  # fmt: skip
def scaled_norm_over_bound(case: _Blocks, factor: float = 1.0, power: int = 2) -> Measured:
    """‖DAD‖ over ‖τ‖_∞²‖A‖; equality for equal lengths."""
    diagonal = np.repeat(case.lengths, len(case.matrix) // case.n)
    scaled = diagonal[:, None] * case.matrix * diagonal
    bound = factor * float(np.max(case.lengths)) ** power * _norm(case.matrix)
    return _ratio(_norm(scaled), bound, len(case.matrix))


BLOCK_NORM = claim(
    "eoc.thm28.block_norm",
    at=_PROOF,
    title="Norm of a symmetric block matrix by row sums of norms of blocks",
    states=r"K = K^* = [K_{ij}] \implies \|K\| \le \max_i\sum_j\|K_{ij}\|",
    given=_GIVEN,
    assuming=("K_ji = K_ij^*; the blocks need not be symmetric",),
    rests_on=["eoc.sec2.gershgorin"],
    note=_BLOCKS,
)


@BLOCK_NORM.proved(controls={"half": {"share": sp.Rational(1, 2)}})
def matrix_of_norms(share: Any = 1) -> Obligations:
    """|⟨y, Ky⟩| ≤ ⟨η, Nη⟩ for N = [‖K_ij‖], η_i = ‖y_i‖: one block of each kind decides.

    N is symmetric, for ‖K_ij*‖ = ‖K_ij‖, so that Gershgorin's bound applies to it; and ‖η‖ = ‖y‖.
    """
    # u = K_ij y_j has ‖u‖ ≤ k η_j; by Lagrange ‖y_i‖²‖u‖² - ⟨y_i, u⟩² is a square.
    y, u = (sp.Matrix(sp.symbols(f"{name}1:3", real=True)) for name in "yu")
    gap = share * y.dot(y) * u.dot(u) - y.dot(u) ** 2
    yield "Cauchy-Schwarz in a block", equal(gap, (y[0] * u[1] - y[1] * u[0]) ** 2)
    k, eta1, eta2 = sp.symbols("k eta_1 eta_2", nonnegative=True)
    N = sp.Matrix([[0, k], [k, 0]])
    eta = sp.Matrix([eta1, eta2])
    yield "a block and its adjoint", equal((eta.T * N * eta)[0], 2 * share * k * eta1 * eta2)


@BLOCK_NORM.tested(
    over=_block_matrices,
    controls={"one_per_cent_less": {"factor": 0.99}, "not_symmetric": {"symmetric": False}},
    cases=100,
)
def norm_over_row_sum(case: _Blocks, factor: float = 1.0, symmetric: bool = True) -> Measured:
    """‖K‖ over the bound; equality for equal blocks and for diagonal matrices."""
    K = (case.matrix + case.matrix.T) / 2 if symmetric else case.matrix
    size = len(K) // case.n
    blocks = K.reshape(case.n, size, case.n, size).swapaxes(1, 2)
    norms = np.linalg.norm(blocks, 2, axis=(2, 3))
    return _ratio(_norm(K), factor * float(norms.sum(axis=1).max()), len(K))
