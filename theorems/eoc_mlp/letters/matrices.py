"""Letters of Sections 1 and 2: vectors and matrices of any size, and their norms."""

from typing import Any

from sympy import Expr, Function, Sum, Symbol, sqrt

from theorems.engine.rules import inner, norm
from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.letters import printed
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, POSITIVE, REAL, matrix, nonnegative, real, vector

# Vectors, and the constant that Section 1 appends to them.
x = vector("x", "x", "vector, as a rule an input of the network")
y = vector("y", "y", "another vector")
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
    "distance of a vector from the multiple c of another one after β was appended to both",
    closed_form=_distance,
)
appended_sine = LETTERS.function(
    "appended_sine",
    r"\sin^2\angle",
    "squared sine of the angle between two vectors after β was appended to both",
    closed_form=_sine,
)


# Numbers for the solver and no more.  They print with the vectors written out, as no letter stands
# for what was appended to.
appended_distance.is_opaque = appended_sine.is_opaque = True
_first, _second = (rf"\begin{{{{bmatrix}}}} {{{_i}}} \\ {{2}} \end{{{{bmatrix}}}}" for _i in (0, 1))
printed(appended_distance, rf"\left\|{_first} - {{3}}{_second}\right\|")
printed(appended_sine, rf"\sin^2\angle\left({_first}, {_second}\right)")

# Matrices of any size.
rows = LETTERS.number("rows", "n", "number of rows of a matrix", INDEX)
columns = LETTERS.number("columns", "m", "number of columns of a matrix", INDEX)
A = matrix("A", "A", "matrix of any size")
norm_a = nonnegative("norm_a", r"\|A\|", "operator norm of the matrix A")
row_sum = nonnegative("row_sum", r"\|A\|_\infty", "largest sum of the moduli in a row of A")
row_sum_adjoint = nonnegative(
    "row_sum_adjoint", r"\|A^*\|_\infty", "largest sum of the moduli in a column of A"
)
lambda_1 = real("lambda_1", r"\lambda_1(A)", "first eigenvalue of the matrix A, in decreasing order")
lambda_n = real("lambda_n", r"\lambda_n(A)", "least eigenvalue of the symmetric matrix A")

# The right multiplier operator, row by row: A_j is a row of A, and y_j an entry of the vector y.
index = Symbol("i", integer=True, nonnegative=True)
matrix_row, component_of_y = vectors("A"), Function("y", real=True)
printed(matrix_row, "A_{{{0}}}")
printed(component_of_y, "y_{{{0}}}")


def _over_rows(term: Any, number: Any) -> Expr:
    return Sum(term, (index, 0, number - 1))


def _number(name: str, latex: str, meaning: str, form: Any) -> Any:
    """A number that depends on vectors, of which the solver knows nothing."""
    made = LETTERS.function(name, latex, meaning, shown=0, closed_form=form)
    made.is_opaque = True
    return made


image_square = _number(
    "image_square",
    r"\|M_{x,n}A\|^2",
    "squared length of the product of a matrix with the vector x",
    lambda v, n: _over_rows(inner(matrix_row(index), v) ** 2, n),
)
matrix_square = LETTERS.function(
    "matrix_square",
    r"\|A\|_F^2",
    "squared Frobenius norm of a matrix, the sum of the squared lengths of its rows",
    shown=0,
    closed_form=lambda n: _over_rows(inner(matrix_row(index), matrix_row(index)), n),
)
image_with_y = _number(
    "image_with_y",
    r"\langle M_{x,n}A, y\rangle",
    "inner product of the product of a matrix and x with the vector y",
    lambda v, n: _over_rows(inner(matrix_row(index), v) * component_of_y(index), n),
)
matrix_with_tensor = _number(
    "matrix_with_tensor",
    r"\langle A, y \otimes x\rangle",
    "Frobenius inner product of a matrix with the tensor product of y and x",
    lambda v, n: _over_rows(inner(matrix_row(index), component_of_y(index) * v), n),
)
image_of_tensor = _number(
    "image_of_tensor",
    r"(M_{x_1,n}M_{x_2,n}^*y)_j",
    "entry of the product of the tensor product of y and x_2 with the vector x_1",
    lambda v, w, number: inner(component_of_y(number) * w, v),
)
tensor_image_square = _number(
    "tensor_image_square",
    r"\|M_{x,n}(y \otimes x)\|^2",
    "squared length of the product of the tensor product of y and x with the vector x",
    lambda v, n: _over_rows(inner(component_of_y(index) * v, v) ** 2, n),
)
tensor_square = _number(
    "tensor_square",
    r"\|y \otimes x\|_F^2",
    "squared Frobenius norm of the tensor product of y and x",
    lambda v, n: _over_rows(component_of_y(index) ** 2 * inner(v, v), n),
)

# Block matrices, in the reduction of Theorem 28.
norm_blocks = nonnegative("norm_blocks", r"\|K\|", "norm of a matrix that is made of blocks")
row_sum_blocks = nonnegative(
    "row_sum_blocks", r"\max_i\sum_j\|K_{ij}\|", "largest sum of the norms of the blocks in a row of blocks"
)
max_norm = nonnegative("max_norm", r"\|\tau\|_\infty", "largest modulus of the factors on the diagonal")
norm_scaled = nonnegative(
    "norm_scaled",
    r"\|(D_\tau\boxtimes\mathcal{I}_{m_l})A(D_\tau\boxtimes\mathcal{I}_{m_l})\|",
    "norm of the matrix A after its blocks were scaled from both sides",
)

# The statement of Section 2 about the largest eigenvalue.
A_symmetric = matrix("A_symmetric", "A", "symmetric matrix with n rows and n columns")
lambda_max = real("lambda_max", r"\lambda_{\max}(A)", "largest eigenvalue of the matrix A")
