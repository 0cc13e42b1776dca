"""Letters of Sections 1 and 2: vectors and matrices of any size, and their norms."""

from theorems.engine.letters import Kind
from theorems.eoc_mlp.letters.table import INDEX, LETTERS, NONNEGATIVE, POSITIVE, REAL, UNIT

__all__ = [
    "A",
    "M_x",
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
    "norm_x",
    "norm_x_minus_y",
    "norm_y",
    "row_sum",
    "row_sum_adjoint",
    "row_sum_blocks",
    "rows",
    "sine_squared",
    "x",
    "y",
]

# Vectors, and the constant that Section 1 appends to them.
x = LETTERS.thing("x", "x", "vector, as a rule an input of the network", Kind.VECTOR)
y = LETTERS.thing("y", "y", "another vector", Kind.VECTOR)
beta = LETTERS.number("beta", r"\beta", "constant that is appended to every input", POSITIVE)
factor = LETTERS.number("factor", "c", "factor by which parallel vectors differ", REAL)
norm_x = LETTERS.quantity("norm_x", r"\|x\|", "length of the vector x", NONNEGATIVE)
norm_y = LETTERS.quantity("norm_y", r"\|y\|", "length of the vector y", NONNEGATIVE)
norm_x_minus_y = LETTERS.quantity(
    "norm_x_minus_y", r"\|x - y\|", "distance of the vectors x and y", NONNEGATIVE
)
sine_squared = LETTERS.quantity(
    "sine_squared",
    r"\sin^2\angle",
    "squared sine of the angle between the two inputs after the constant was appended",
    UNIT,
)

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
