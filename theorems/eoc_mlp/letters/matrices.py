"""Letters of Sections 1 and 2: vectors and matrices of any size, and their norms."""

from typing import Any

from sympy import Expr, sqrt

from theorems.engine.letters import Kind
from theorems.engine.rules import Vector, inner, norm
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, NONNEGATIVE, POSITIVE, REAL

__all__ = [
    "A",
    "M_x",
    "appended_distance",
    "appended_sine",
    "beta",
    "columns",
    "factor",
    "frob_a",
    "lambda_1",
    "lambda_n",
    "max_norm",
    "norm_a",
    "norm_m_x",
    "norm_scaled",
    "row_sum",
    "row_sum_adjoint",
    "row_sum_blocks",
    "rows",
    "x",
    "y",
]

# Vectors, and the constant that Section 1 appends to them.
x = LETTERS.thing(Vector("x"), "x", "vector, as a rule an input of the network", Kind.VECTOR)
y = LETTERS.thing(Vector("y"), "y", "another vector", Kind.VECTOR)
beta = LETTERS.number("beta", r"\beta", "constant that is appended to every input", POSITIVE)
factor = LETTERS.number("factor", "c", "factor by which parallel vectors differ", REAL)


def _distance(first: Any, second: Any, constant: Any, multiple: Any) -> Expr:
    return sqrt(norm(first - multiple * second) ** 2 + (constant - multiple * constant) ** 2)


def _sine(first: Any, second: Any, constant: Any) -> Expr:
    lengths = (norm(first) ** 2 + constant**2) * (norm(second) ** 2 + constant**2)
    return 1 - (inner(first, second) + constant**2) ** 2 / lengths


appended_distance = LETTERS.function(
    "appended_distance",
    r"\operatorname{d}",
    "distance of a vector from the multiple c of another one after beta was appended to both",
    closed_form=_distance,
)
appended_sine = LETTERS.function(
    "appended_sine",
    r"\sin^2\angle",
    "squared sine of the angle between two vectors after beta was appended to both",
    closed_form=_sine,
)


def _column(printer: Any, vector: Any, constant: Any) -> str:
    entries = r" \\ ".join(printer.doprint(one) for one in (vector, constant))
    return rf"\begin{{bmatrix}} {entries} \end{{bmatrix}}"


def _print_distance(node: Any, printer: Any) -> str:
    first, second, constant, multiple = node.args
    columns = [_column(printer, one, constant) for one in (first, second)]
    return rf"\left\|{columns[0]} - {printer.doprint(multiple)}{columns[1]}\right\|"


def _print_sine(node: Any, printer: Any) -> str:
    first, second, constant = node.args
    columns = ", ".join(_column(printer, one, constant) for one in (first, second))
    return rf"\sin^2\angle\left({columns}\right)"


# Both print with the vectors written out, as no letter stands for what was appended to.
appended_distance._latex = _print_distance  # type: ignore[method-assign, assignment]
appended_sine._latex = _print_sine  # type: ignore[method-assign, assignment]

# Matrices of any size.
rows = LETTERS.number("rows", "n", "number of rows of a matrix", INDEX)
columns = LETTERS.number("columns", "m", "number of columns of a matrix", INDEX)
A = LETTERS.thing("A", "A", "matrix of any size", Kind.MATRIX)
M_x = LETTERS.thing(
    "M_x", "M_{x,n}", "operator that takes a matrix to its product with the vector x", Kind.OBJECT
)
norm_a = LETTERS.quantity("norm_a", r"\|A\|", "operator norm of the matrix A", NONNEGATIVE)
frob_a = LETTERS.quantity("frob_a", r"\|A\|_F", "Frobenius norm of the matrix A", NONNEGATIVE)
norm_m_x = LETTERS.quantity(
    "norm_m_x", r"\|M_{x,n}\|", "operator norm of the multiplication by x", NONNEGATIVE
)
row_sum = LETTERS.quantity(
    "row_sum", r"\|A\|_\infty", "largest sum of the moduli in a row of A", NONNEGATIVE
)
row_sum_adjoint = LETTERS.quantity(
    "row_sum_adjoint", r"\|A^*\|_\infty", "largest sum of the moduli in a column of A", NONNEGATIVE
)
lambda_1 = LETTERS.quantity(
    "lambda_1", r"\lambda_1(A)", "largest eigenvalue of the symmetric matrix A", REAL
)
lambda_n = LETTERS.quantity(
    "lambda_n", r"\lambda_n(A)", "least eigenvalue of the symmetric matrix A", REAL
)

# Block matrices, in the reduction of Theorem 28.
row_sum_blocks = LETTERS.quantity(
    "row_sum_blocks",
    r"\max_i\sum_j\|K_{ij}\|",
    "largest sum of the norms of the blocks in a row of blocks",
    NONNEGATIVE,
)
max_norm = LETTERS.quantity(
    "max_norm", r"\|\tau\|_\infty", "largest modulus of the factors on the diagonal", NONNEGATIVE
)
norm_scaled = LETTERS.quantity(
    "norm_scaled",
    r"\|(D_\tau\boxtimes\mathcal{I}_{m_l})A(D_\tau\boxtimes\mathcal{I}_{m_l})\|",
    "norm of the matrix A after its blocks were scaled from both sides",
    NONNEGATIVE,
)
