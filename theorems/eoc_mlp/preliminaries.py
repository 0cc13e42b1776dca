"""Section 2: matrices as operators, the right multiplier, norms and eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from symbolic.equality import equal
from symbolic.networks.jacobian import multiplier
from theorems.engine import Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain

Floats = NDArray[np.float64]

_SIZES: dict[str, Domain] = {"n": integers(1), "m": integers(1)}
_NOTE = "proofs_notes/eoc_networks.md#norms-and-eigenvalues"

MATRICES = claim(
    "eoc.sec2.matrices",
    at="Section 2",
    title="n × m matrices as operators",
    states=(
        r"G = \mathbb{R}^m, \ H = \mathbb{R}^n \implies"
        r" \mathbb{R}^{n\times m} = \mathcal{L}(H, G)"
    ),
    given=_SIZES,
    note="proofs_notes/eoc_networks.md#spaces",
    provenance=Provenance.EXTRACTED,
)


@MATRICES.refuted(controls={"put_right": {"domain": 0}, "square": {"shape": (2, 2)}})
def domain_of_a_row(domain: int = 1, shape: tuple[int, int] = (1, 2)) -> Obligations:
    """A 1 × 2 matrix cannot be applied to a vector of H, which has one entry."""
    rows, columns = shape
    spaces = (columns, rows)
    yield "columns differ from the dimension of the domain", bool(columns != spaces[domain])


RIGHT_WAY = MATRICES.corrected(
    "eoc.sec2.matrices.corrected",
    title="n × m matrices map m entries to n",
    states=(
        r"G = \mathbb{R}^m, \ H = \mathbb{R}^n \implies"
        r" \mathbb{R}^{n\times m} = \mathcal{L}(G, H)"
    ),
    given=_SIZES,
    note="proofs_notes/eoc_networks.md#spaces",
)


@RIGHT_WAY.proved(controls={"adjoint": {"adjoint": True}})
def image_of_a_vector(adjoint: bool = False) -> Obligations:
    """A x has n entries for x with m entries, for symbolic n and m."""
    n, m = sp.symbols("n m", integer=True, positive=True)
    A, x, y = sp.MatrixSymbol("A", n, m), sp.MatrixSymbol("x", m, 1), sp.MatrixSymbol("y", n, 1)
    image = A.T * y if adjoint else A * x
    yield "the image lies in the space of n entries", bool(image.shape == (n, 1))


MULTIPLIER = claim(
    "eoc.sec2.multiplier",
    at="Section 2",
    title="The right multiplier operator, its norm and its adjoint",
    states=(
        r"\|M_{x,n}\| \le \|x\|, \quad M_{x_1,n}^*x_2 = x_2 \otimes x_1, \quad"
        r" M_{x_1,n}M_{x_2,n}^* = \langle x_1, x_2\rangle\,\mathcal{I}_n"
    ),
    given=_SIZES,
    assuming=("x_1 and x_2 have m entries in the product, and x_2 has n in the adjoint",),
)
_SHAPES = tuple(product((1, 2, 3), repeat=2))


def _vector(name: str, length: int) -> Any:
    return sp.Matrix([sp.Symbol(f"{name}{i}", real=True) for i in range(length)])


def _flattened(matrix: Any) -> Any:
    """The entries row by row, as a column."""
    return sp.Matrix(matrix).reshape(len(matrix), 1)


@MULTIPLIER.proved(
    controls={"swapped": {"swapped": True}, "no_identity": {"identity": False}},
    part="adjoint and product",
)
def matrix_of_the_operator(swapped: bool = False, identity: bool = True) -> Obligations:
    """Entry by entry in letters; every size adds terms of the same kind."""
    for n, m in _SHAPES:
        x1, x2, y = _vector("x", m), _vector("z", m), _vector("y", n)
        first, second = multiplier(x1, n), multiplier(x2, n)
        tensor = x1 * y.T if swapped else y * x1.T
        yield f"{n} × {m}: adjoint", equal(first.T * y, _flattened(tensor))
        unit = sp.eye(n) if identity else sp.ones(n)
        yield f"{n} × {m}: product", equal(first * second.T, x1.dot(x2) * unit)
        A = sp.Matrix(n, m, lambda i, j: sp.Symbol(f"A{i}{j}", real=True))
        yield f"{n} × {m}: action", equal(first * _flattened(A), A * x1)


@MULTIPLIER.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}}, part="norm")
def cauchy_schwarz_in_each_row(factor: Any = 1) -> Obligations:
    """‖A_j‖²‖x‖² - ⟨A_j, x⟩² is a sum of squares (Lagrange); the rows add up to ‖A‖_F²‖x‖²."""
    for m in (1, 2, 3):
        row, x = _vector("A", m), _vector("x", m)
        squares = sum((row[i] * x[j] - row[j] * x[i]) ** 2 for i in range(m) for j in range(i))
        gap = factor**2 * row.dot(row) * x.dot(x) - row.dot(x) ** 2
        yield f"one row of length {m}", equal(gap, sp.sympify(squares))


NORM = MULTIPLIER.sharpened(
    "eoc.sec2.multiplier.norm",
    title="The norm of the right multiplier is the length of the vector",
    states=r"\|M_{x,n}\| = \|x\|",
    given=_SIZES,
    rests_on=[MULTIPLIER],
)


@NORM.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}, "square": {"power": 2}})
def attained_by_a_tensor(factor: Any = 1, power: int = 1) -> Obligations:
    """A = y ⊗ x has ‖A x‖ = ‖y‖‖x‖² = ‖x‖ ‖A‖_F."""
    for n, m in _SHAPES:
        x, y = _vector("x", m), _vector("y", n)
        image, A = multiplier(x, n) * _flattened(y * x.T), _flattened(y * x.T)
        bound = factor**2 * x.dot(x) ** power * A.dot(A)
        yield f"{n} × {m}", equal(image.dot(image), bound)


TENSOR = claim(
    "eoc.sec2.tensor",
    at="Section 2",
    title="Tensor powers are positive semidefinite, Kronecker products multiply factor by factor",
    states=(
        r"x^{\otimes2} \in \mathbb{S}_+^n, \quad"
        r" (A_1\boxtimes A_2)(C_1\boxtimes C_2) = A_1C_1\boxtimes A_2C_2, \quad"
        r" (A_1\boxtimes A_2)^* = A_1^*\boxtimes A_2^*"
    ),
    given=_SIZES,
    assuming=("the tensor product is used for x and y of different lengths as well",),
)


@TENSOR.proved(controls={"plus": {"sign": -1}, "other_order": {"swapped": True}})
def forms_and_mixed_products(sign: int = 1, swapped: bool = False) -> Obligations:
    """⟨y, x^{⊗2}y⟩ = ⟨x, y⟩², and the mixed product rule for rectangular factors in letters."""
    for n in (1, 2, 3):
        x, y = _vector("x", n), _vector("y", n)
        yield f"n = {n}", equal((y.T * (x * x.T) * y)[0], sign * x.dot(y) ** 2)
    left, right = _letters("A", 2, 1), _letters("B", 1, 2)
    after, then = _letters("C", 1, 2), _letters("D", 2, 2)
    both = _kronecker(left, right) * _kronecker(after, then)
    factors = (right * then, left * after) if swapped else (left * after, right * then)
    yield "mixed product", equal(both, _kronecker(*factors))
    yield "adjoint", equal(_kronecker(left, right).T, _kronecker(left.T, right.T))


def _letters(name: str, rows: int, columns: int) -> Any:
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}{i}{j}", real=True))


def _kronecker(first: Any, second: Any) -> Any:
    return sp.Matrix(sp.kronecker_product(first, second))


EIGEN = claim(
    "eoc.sec2.eigen",
    at="Section 2",
    title="The largest eigenvalue as the norm",
    states=r"A \in \mathbb{S}^n \implies \lambda_{\max}(A) = \lambda_1(A) = \|A\|",
    given={"n": integers(1)},
    note=_NOTE,
)


@EIGEN.refuted(controls={"semidefinite": {"diagonal": (1, 0)}, "dominated": {"diagonal": (-1, 2)}})
def negative_matrix(diagonal: tuple[int, ...] = (-1,)) -> Obligations:
    """The 1 × 1 matrix -1: its eigenvalue is -1 and its norm is 1."""
    A = sp.diag(*diagonal)
    norm = sp.sqrt(max((A.T * A).eigenvals()))
    yield "largest eigenvalue and norm differ", bool(max(A.eigenvals()) != norm)


POSITIVE = EIGEN.corrected(
    "eoc.sec2.eigen.corrected",
    title="The norm of a symmetric matrix is its largest absolute eigenvalue",
    states=(
        r"A \in \mathbb{S}^n \implies \|A\| = \max\{\lambda_1(A), -\lambda_n(A)\}, \qquad"
        r" A \in \mathbb{S}_+^n \implies \|A\| = \lambda_1(A)"
    ),
    given={"n": integers(1)},
    note=_NOTE,
)


@POSITIVE.proved(controls={"without_the_least": {"least": -1}}, part="upper bound")
def in_an_eigenbasis(least: int = 1) -> Obligations:
    """L² - λ² ≥ 0 for L = λ_1 + s = -λ_n + r and λ = λ_1 - e = λ_n + d.

    In an orthonormal eigenbasis L²‖y‖² - ‖Ay‖² = Σ (L² - λ_i²) y_i².
    """
    s, r, e, d = sp.symbols("s r e d", nonnegative=True)
    L = (s + e + r + d) / 2
    eigenvalue = L - s - e
    yield "λ lies d above λ_n = r - L", equal(eigenvalue, r - L + d)
    gap = sp.expand((e + s) * (d + least * r))
    yield "L² - λ²", equal(L**2 - eigenvalue**2, gap)
    yield "is not negative", gap.is_nonnegative


@POSITIVE.proved(controls={"interior": {"offset": 1}}, part="attained")
def at_an_extreme_eigenvector(offset: int = 0) -> Obligations:
    """‖Av‖² = λ² for a unit eigenvector, and L² is λ_1² or λ_n²; if λ_n ≥ 0 then L = λ_1."""
    largest, least = sp.symbols("lambda_1 lambda_n", nonnegative=True)
    for sign in (1, -1):
        yield f"λ = {sign}L", equal((sign * (largest + offset)) ** 2, largest**2)
    yield "λ_1 + λ_n ≥ 0 makes λ_1 the larger one", (largest + least).is_nonnegative


@st.composite
def _matrices(draw: st.DrawFn) -> Floats:
    """Square matrices that favour equality: rank one, diagonal, signs, rows of one sign."""
    n, seed = draw(st.sampled_from([3, 1, 2, 4, 5, 6])), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["column", "normal", "signs", "diagonal", "ones"]))
    if kind == "column":
        return np.outer(np.ones(n), np.eye(n)[0])
    makers: dict[str, Callable[[], Floats]] = {
        "normal": lambda: rng.standard_normal((n, n)),
        "signs": lambda: rng.choice([-1.0, 0.0, 1.0], (n, n)),
        "diagonal": lambda: np.diag(rng.standard_normal(n)),
        "ones": lambda: np.ones((n, n)),
    }
    return np.asarray(makers[kind]())


def _norm(A: Floats) -> float:
    return float(np.linalg.norm(A, 2))


def _symmetric(A: Floats) -> Floats:
    return (A + A.T) / 2


def _ratio(left: float, right: float, n: int) -> Measured:
    """A quotient of norms; each is computed with a backward error of a few n machine epsilons."""
    if right == 0:
        return Measured(0.0 if left == 0 else np.inf)
    return Measured(left / right, 32 * n * 2.0**-53)


@POSITIVE.tested(over=_matrices, controls={"largest_only": {"least": 0.0}},
                 cases=100, part="upper bound")  # fmt: skip
def norm_over_largest_eigenvalue(A: Floats, least: float = 1.0) -> Measured:
    """‖A‖ from singular values over max(λ_1, -λ_n) from the symmetric eigenvalue problem."""
    S = _symmetric(A)
    eigenvalues = np.linalg.eigvalsh(S)
    return _ratio(_norm(S), max(float(eigenvalues[-1]), -least * float(eigenvalues[0])), len(S))


GERSHGORIN = claim(
    "eoc.sec2.gershgorin",
    at="Section 2",
    title="The norm of a symmetric matrix is at most its largest absolute row sum",
    states=r"A \in \mathbb{S}^n \implies \|A\| \le \|A\|_\infty",
    given={"n": integers(1)},
    rests_on=[POSITIVE],
    note=_NOTE,
)


@GERSHGORIN.proved(controls={"half": {"share": sp.Rational(1, 2)}})
def sum_of_squares(share: Any = 1) -> Obligations:
    """R‖y‖² ∓ ⟨y, Ay⟩ is a sum over entries and pairs of entries of A, each of them ≥ 0.

    With r_i the i-th absolute row sum and R ≥ r_i it is Σ (R - r_i) y_i² + Σ (|A_ii| ∓ A_ii) y_i²
    + Σ_{i<j} |A_ij| (y_i ∓ s_ij y_j)², s_ij the sign of A_ij = A_ji.
    """
    y, z = sp.symbols("y_i y_j", real=True)
    size = sp.Symbol("p", positive=True)
    for sign, side in product((-1, 1), repeat=2):
        entry = sign * size
        pair = share * size * (y**2 + z**2) - side * 2 * entry * y * z
        yield f"pair, signs {sign}, {side}", equal(pair, size * (y - side * sign * z) ** 2)
        yield f"diagonal, signs {sign}, {side}", (size - side * entry).is_nonnegative


@GERSHGORIN.tested(
    over=_matrices,
    controls={"one_per_cent_less": {"factor": 0.99}, "not_symmetric": {"symmetric": False}},
    cases=100,
)
def norm_over_row_sum(A: Floats, factor: float = 1.0, symmetric: bool = True) -> Measured:
    """‖A‖ over ‖A‖_∞; equality for matrices of ones and diagonal ones."""
    S = _symmetric(A) if symmetric else A
    return _ratio(_norm(S), factor * float(np.linalg.norm(S, np.inf)), len(S))


ANY_MATRIX = claim(
    "eoc.sec2.gershgorin.any",
    at="Section 2",
    title="Without symmetry the row sums alone do not bound the norm",
    states=(
        r"A = \begin{bmatrix} 1 & 0 \\ 1 & 0 \end{bmatrix}: \ \|A\| = \sqrt2 > \|A\|_\infty = 1,"
        r" \qquad \|A\|^2 \le \|A\|_\infty\|A^*\|_\infty \text{ for every } A"
    ),
    given=_SIZES,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ANY_MATRIX.proved(controls={"symmetric": {"entry": 1}}, part="example")
def two_equal_rows(entry: int = 0) -> Obligations:
    """‖A‖² is the largest eigenvalue of A*A, which is 2."""
    A = sp.Matrix([[1, entry], [1, 0]])
    yield "‖A‖_∞ = 1", bool(A.norm(sp.oo) == 1)
    yield "‖A‖² = 2", bool(max((A.T * A).eigenvals()) == 2)


@ANY_MATRIX.proved(controls={"half": {"share": sp.Rational(1, 2)}}, part="bound")
def schur_test(share: Any = 1) -> Obligations:
    """2|A_ij x_j y_i| ≤ |A_ij|(c y_i² + x_j²/c) for c > 0; sum up and choose c."""
    x, y, c, size = sp.symbols("x y c p", positive=True)
    gap = share * size * (c * y**2 + x**2 / c) - 2 * size * x * y
    yield "each entry", equal(gap, size * (sp.sqrt(c) * y - x / sp.sqrt(c)) ** 2)
    rows, columns = sp.symbols("R C", positive=True)
    best = sp.sqrt(columns / rows)
    mean = share * (best * rows + columns / best) / 2
    yield "c² = C/R gives the geometric mean", equal(mean, sp.sqrt(rows * columns))


@ANY_MATRIX.tested(over=_matrices, controls={"one_per_cent_less": {"factor": 0.99}},
                   cases=100, part="bound")  # fmt: skip
def norm_over_geometric_mean(A: Floats, factor: float = 1.0) -> Measured:
    """‖A‖ over (‖A‖_∞ ‖A*‖_∞)^(1/2)."""
    rows, columns = (float(np.linalg.norm(one, np.inf)) for one in (A, A.T))
    return _ratio(_norm(A), factor * np.sqrt(rows * columns), len(A))
