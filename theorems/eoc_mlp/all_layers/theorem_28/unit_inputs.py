"""Theorem 28, proof: reduction to inputs of unit length, and from a matrix to its blocks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Function, Sum, Symbol

from numeric.arguments import Floats
from symbolic.equality import equal
from symbolic.networks.jacobian import recursive_jacobian
from symbolic.networks.ntk import ntk
from theorems.engine import Given, Obligations, Rounded, eq, le, rules, sentence
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, norm, sums
from theorems.engine.rules.vocabulary import operators, opnorm, vectors
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, HERMITIAN_BLOCKS, SYMMETRIC
from theorems.eoc_mlp.letters import (
    claim,
    lambda_1,
    lambda_n,
    max_norm,
    norm_a,
    norm_blocks,
    norm_scaled,
    row_sum_blocks,
)
from theorems.eoc_mlp.premises.matrix_products import BLOCK, scaled_length
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

_PROOF = "Theorem 28, proof"
_NOTE = "proofs_notes/eoc_networks.md#homogeneity"
_TAU = Symbol("tau", positive=True)

HOMOGENEOUS = claim(
    "eoc.thm28.homogeneous",
    at=_PROOF,
    title="The network and its Jacobian are homogeneous in the input",
    states={
        "nonzero": sentence(
            r"$x \ne $zero \implies"
            r" $N($x, $parameter) = \|$x\|^{$power}\,$N($x/\|$x\|, $parameter), \quad"
            r" $jacobian($x, $parameter) = \|$x\|^{$slope}\,$jacobian($x/\|$x\|, $parameter)",
            power=1,
            slope=1,
            zero=0,
        ),
        "at zero": sentence(
            r"$x = $zero \implies"
            r" $N($x, $parameter) = $value, \quad $jacobian($x, $parameter) = $derivative",
            zero=0,
            value=0,
            derivative=0,
        ),
    },
    rests_on=["eoc.def2.homogeneous", "eoc.eq1"],
    discharging={DERIVATIVE_AT_ZERO: "the formula (1) itself is what scales"},
    note=_NOTE,
)


@HOMOGENEOUS.argued(
    "nonzero",
    bridge="Induction over the layers: a factor of the input passes through every layer, and the"
    " slopes do not change.",
    controls={"square": {"power": 2}, "square_of_the_slopes": {"slope": 2}},
)
def one_layer(power: int, slope: int, zero: int) -> Obligations:
    """Induction step in letters: φ(τN) = τφ(N) and φ'(τN) = φ'(N), so both blocks of (1) scale."""
    A, N, D, below, M = (Symbol(name, commutative=False) for name in ("A", "N", "D", "dN", "M"))
    activation = sp.expand(A * D * (_TAU * N) - _TAU**power * A * D * N)
    yield "activations: A D τN = τ A D N", bool(activation == 0)
    blocks = sp.Matrix([[A * D * _TAU * below, _TAU * M]])
    difference = (blocks - _TAU**slope * sp.Matrix([[A * D * below, M]])).applyfunc(sp.expand)
    yield "blocks of the Jacobian", bool(difference.is_zero_matrix)
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        for x in (x1, x2):
            scaled = [_TAU * entry for entry in x]
            yield f"network {number}: not at 0", bool(any(entry != zero for entry in x))
            claimed = _TAU**power * mlp.output(x)
            yield f"network {number}: output", equal(mlp.output(scaled), claimed)
            jacobians = recursive_jacobian(mlp, scaled), _TAU**slope * recursive_jacobian(mlp, x)
            difference = (jacobians[0] - jacobians[1]).applyfunc(sp.expand)
            yield f"network {number}: Jacobian", bool(difference.is_zero_matrix)


@HOMOGENEOUS.argued(
    "at zero", bridge="All activations vanish at 0, and with them every block of the Jacobian."
)
def zero_input(zero: int, value: int, derivative: int) -> Obligations:
    """The exact networks at x = 0; at any other input they do not all vanish."""
    for number, (mlp, x, _) in enumerate(EXAMPLES, start=1):
        place = [zero * entry for entry in x]
        for name, found, stated in (
            ("output", mlp.output(place), value),
            ("Jacobian", recursive_jacobian(mlp, place), derivative),
        ):
            yield f"network {number}: {name}", all(equal(one, stated) for one in found)


SCALING = claim(
    "eoc.thm28.scaling",
    at=_PROOF,
    title="Reduction to unit vectors",
    states={
        "kernel": sentence(
            r"K(\theta) = (D_\tau\boxtimes\mathcal{I}_{m_l})^{$left}\hat K(\theta)"
            r"(D_\tau\boxtimes\mathcal{I}_{m_l})^{$right}",
            left=1,
            right=1,
        ),
        "norm": le(norm_scaled, max_norm**2 * norm_a),
    },
    rests_on=[HOMOGENEOUS],
    note=_NOTE,
)


@SCALING.argued(
    "kernel",
    bridge="Each block depends on two inputs, so that two of them show all; by homogeneity it is"
    " multiplied by both lengths.",
)
def blocks_of_scaled_inputs(left: int, right: int) -> Obligations:
    """Each block is τ_i τ_j times the one at unit length; letters for both lengths."""
    lengths = sp.symbols("tau_1 tau_2", positive=True)
    D = sp.Matrix(sp.kronecker_product(sp.diag(*lengths), sp.eye(2)))
    blocks = [[sp.Matrix(2, 2, lambda r, c, i=i, j=j: Symbol(f"K{i}{j}_{r}{c}", real=True))
               for j in range(2)] for i in range(2)]  # fmt: skip
    scaled = [[lengths[i] * lengths[j] * blocks[i][j] for j in range(2)] for i in range(2)]
    powers = [sp.diag(*(entry ** sp.sympify(power) for entry in D.diagonal()))
              for power in (left, right)]  # fmt: skip
    yield "blocks", equal(powers[0] * _explicit(blocks) * powers[1], _explicit(scaled))
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        longer = [lengths[0] * entry for entry in x1], [lengths[1] * entry for entry in x2]
        difference = ntk(mlp, *longer) - lengths[0] ** left * lengths[1] ** right * ntk(mlp, x1, x2)
        yield f"network {number}", bool(difference.applyfunc(sp.expand).is_zero_matrix)


def _explicit(blocks: Any) -> sp.Matrix:
    return sp.Matrix(sp.BlockMatrix(blocks).as_explicit())


_D, _A, _scaled, _u = Operator("D"), Operator("A"), Operator("DAD"), Vector("u")


@SCALING.proved("norm")
def norms_of_products(given: Given) -> Theorem:
    """‖D A D u‖ ≤ τ‖A‖τ‖u‖, where τ is the largest modulus of the factors of D."""
    factor = Function("factor", real=True)(BLOCK)
    below = act(_A, act(_D, _u))
    most = given.largest("the largest modulus of a factor", le(Abs(factor), max_norm))
    return given.follows(
        given.meaning(
            "a product of matrices, and norms",
            eq(norm(act(_scaled, _u)), norm(act(_D, below))),
            eq(norm_scaled, opnorm(_scaled)),
            eq(norm_a, opnorm(_A)),
        ),
        facts.norm_attained(_scaled, Vector("w"), _u),
        scaled_length(given, act(_D, below), below, factor, most),
        facts.operator_norm(_A, act(_D, _u)),
        scaled_length(given, act(_D, _u), _u, factor, most),
    )


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


def _norm(A: Floats) -> Rounded:
    """The norm, computed with a backward error of a few n machine epsilons."""
    size = float(np.linalg.norm(A, 2))
    return Rounded(size, 32 * len(A) * 2.0**-53 * float(np.linalg.norm(A)))


@SCALING.tested("norm", over=_block_matrices, cases=100)
def norm_after_scaling(case: _Blocks) -> dict[Symbol, Any]:
    """‖D A D‖, ‖τ‖_∞ and ‖A‖; equality for equal lengths."""
    diagonal = np.repeat(case.lengths, len(case.matrix) // case.n)
    scaled = diagonal[:, None] * case.matrix * diagonal
    largest = float(np.max(case.lengths))
    return {norm_scaled: _norm(scaled), max_norm: largest, norm_a: _norm(case.matrix)}


BLOCK_NORM = claim(
    "eoc.thm28.block_norm",
    at=_PROOF,
    title="Norm of a symmetric block matrix by row sums of norms of blocks",
    states=le(norm_blocks, row_sum_blocks),
    assuming=[HERMITIAN_BLOCKS],
    rests_on=["eoc.sec2.eigen.corrected"],
    discharging={SYMMETRIC: "a matrix with such blocks is symmetric"},
    note="proofs_notes/eoc_networks.md#norms-of-block-matrices",
)
_PLACE = {"integer": True, "nonnegative": True}
_i, _number = Symbol("i", **_PLACE), Symbol("n", **_PLACE)


@BLOCK_NORM.proved()
def largest_block_of_an_eigenvector(given: Given) -> Theorem:
    """λy_i = Σ K_ij y_j, so that |λ|‖y_i‖ ≤ R‖y_i‖ where ‖y_i‖ is largest."""
    given.require(HERMITIAN_BLOCKS)
    eigenvalues = given.fact("eoc.sec2.eigen.corrected", "symmetric").at({norm_a: norm_blocks})
    return given.follows(eigenvalues, *(_row(given, one) for one in (lambda_1, lambda_n)))


def _row(given: Given, eigenvalue: Any) -> Theorem:
    """The row of blocks at the largest block of an eigenvector."""
    row, part = Symbol(f"row of {eigenvalue}", **_PLACE), vectors(f"part_{eigenvalue}")
    block, length = (
        Function("block", nonnegative=True)(row, _i),
        Function(f"length_{eigenvalue}", nonnegative=True),
    )
    largest = Symbol(f"largest length of {part}", positive=True)
    term, matrix = block * length(_i), operators("matrix")(row, _i)
    image = act(matrix, part(_i))
    whole = Sum(image, (_i, 0, _number - 1))
    norms = [
        given.meaning("norms of blocks", eq(block, opnorm(matrix))),
        given.meaning("lengths of blocks of an eigenvector", eq(length(_i), norm(part(_i)))),
    ]
    shorter = rules.follows(le(norm(image), term), [*norms, facts.operator_norm(matrix, part(_i))])
    sizes = given.largest("the largest block of an eigenvector", le(length(_i), largest))
    each = rules.follows(le(term, largest * block), [sizes])
    added = sums.summed(each, _i, _number)
    total = Sum(block, (_i, 0, _number - 1))
    premises = [
        given.meaning("a block of an eigenvector", eq(norm(whole), norm(eigenvalue * part(row)))),
        given.meaning("the place of its largest block", eq(largest, length(row))),
        norms[1].at({_i: row}),
        *(sums.norm_of_sum(whole), sums.summed(shorter, _i, _number)),
        given.largest("the largest sum of a row", le(total, row_sum_blocks)),
        *(added, sums.linear(added.statement.rhs)),
    ]
    return rules.follows(le(Abs(eigenvalue), row_sum_blocks), premises)


@BLOCK_NORM.argued(
    bridge="Gershgorin's bound holds for the symmetric matrix N of the norms of the blocks, and"
    " |⟨y, Ky⟩| ≤ ⟨η, Nη⟩ for the vector η of the norms of the blocks of y.",
    uses=[HERMITIAN_BLOCKS],
)
def matrix_of_norms() -> Obligations:
    """One block and its adjoint: u = K_ij y_j has ‖u‖ ≤ k η_j, by Cauchy and Schwarz."""
    y, u = (sp.Matrix(sp.symbols(f"{name}1:3", real=True)) for name in "yu")
    gap = y.dot(y) * u.dot(u) - y.dot(u) ** 2
    yield "Cauchy-Schwarz in a block", equal(gap, (y[0] * u[1] - y[1] * u[0]) ** 2)
    k, eta1, eta2 = sp.symbols("k eta_1 eta_2", nonnegative=True)
    N = sp.Matrix([[0, k], [k, 0]])
    eta = sp.Matrix([eta1, eta2])
    yield "a block and its adjoint", equal((eta.T * N * eta)[0], 2 * k * eta1 * eta2)


@BLOCK_NORM.tested(over=_block_matrices, cases=100)
def norm_and_row_sum(case: _Blocks) -> dict[Symbol, Any]:
    """Equality for equal blocks and for diagonal matrices."""
    K = (case.matrix + case.matrix.T) / 2
    size = len(K) // case.n
    blocks = K.reshape(case.n, size, case.n, size).swapaxes(1, 2)
    largest = float(np.linalg.norm(blocks, 2, axis=(2, 3)).sum(axis=1).max())
    rounding = 64 * len(K) * 2.0**-53 * float(np.linalg.norm(K)) * case.n
    return {norm_blocks: _norm(K), row_sum_blocks: Rounded(largest, rounding)}
