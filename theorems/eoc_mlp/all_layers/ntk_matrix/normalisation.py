"""Remark 21: the factor 1/n, with which the matrix is that of an integral operator."""

from typing import Any

from sympy import Abs, BlockMatrix, Integer, Matrix, Rational, Symbol, symbols, sympify

from symbolic.equality import equal
from theorems.engine import Choice, Obligations, Provenance, Severity, sentence
from theorems.eoc_mlp.all_layers.ntk_matrix.definition import NOTE, ROWS_OF_ALL, ROWS_OF_ONE, SIZES
from theorems.eoc_mlp.hypotheses import DISTINCT
from theorems.eoc_mlp.letters import claim, m_l, n


def _space(rows: Choice) -> Choice:
    """What the functions are said to be like."""
    return Choice(rf"L^2(\mu, \mathbb{{R}}^{{m_l}}) \cong \mathbb{{R}}^{{{rows.latex}}}", rows.value)


OPERATOR = claim(
    "eoc.rem21",
    at="Remark 21",
    title="Space of the NTK as an integral operator",
    states=sentence(
        r"$mu = \sum_{i \in [1:$n]}\delta_{x_i}/$n \implies $isometric", isometric=_space(ROWS_OF_ONE)
    ),
    assuming=[DISTINCT],
    note=NOTE,
    provenance=Provenance.EXTRACTED,
)


@OPERATOR.refuted(severity=Severity.SLIP, controls={"put_right": {"isometric": _space(ROWS_OF_ALL)}})
def two_points(isometric: bool) -> Obligations:
    """Functions on two points with values in ℝ form a plane: the values are free."""
    points, outputs = (1, 2), 1
    values = Matrix([[int(point == place) for point in points] for place in points])
    dimension = len(points) * outputs if isometric else outputs
    yield f"dimension is not {dimension}", bool(values.rank() != dimension)


INTEGRAL = OPERATOR.corrected(
    "eoc.rem21.corrected",
    title="The integral operator has the NTK matrix in an isometry with n m_l entries",
    states={
        "isometry": sentence(
            r"f \mapsto $n^{$power}[f(x_i)]_i \text{ is an isometry of }"
            r" L^{$square}($mu, \mathbb{R}^{m_l}) \text{ onto } \mathbb{R}^{$rows}",
            power=Rational(-1, 2),
            square=2,
            rows=n * m_l,
        ),
        "matrix of the operator": sentence(
            r"f \mapsto \int K_\theta(\cdot, x)f(x)\,d$mu(x) \text{ has the matrix } $K_matrix"
            r" = [K_\theta(x_{i_1}, x_{i_2})/$n^{$weight}]",
            weight=1,
        ),
    },
    assuming=[DISTINCT],
    rests_on=["eoc.def20.corrected"],
    note=NOTE,
)
_ANY_NUMBER = "Integrals over the law are means of the values, for any number of distinct points"


@INTEGRAL.argued("isometry", bridge=f"{_ANY_NUMBER}, which are free.", uses=[DISTINCT], over=SIZES)
def mean_of_products(power: Any, square: Any, rows: Any) -> Obligations:
    """The mean of f(x_i)g(x_i) against the product of the entries; the mean of |f|^2."""
    for points in (1, 2, 3):
        f, g = (Matrix(symbols(f"{name}1:{points + 1}", real=True)) for name in "fg")
        entries = [Integer(points) ** sympify(power) * one for one in (f, g)]
        mean = sum((p * q for p, q in zip(f, g, strict=True)), Integer(0)) / points
        yield f"n = {points}: products", equal(entries[0].dot(entries[1]), mean)
        size = sum((Abs(p) ** square for p in f), Integer(0)) / points
        yield f"n = {points}: norms", equal(entries[0].dot(entries[0]), size)
        for outputs in (1, 2):
            counted = sympify(rows).subs({n: points, m_l: outputs})
            yield (f"{points} values with {outputs} entries", equal(counted, Integer(points * outputs)))


@INTEGRAL.argued(
    "matrix of the operator",
    bridge=f"{_ANY_NUMBER}; conjugation by the number in the isometry leaves a matrix as it is.",
    uses=[DISTINCT],
    over=SIZES,
)
def in_coordinates(weight: Any) -> Obligations:
    """Integrate letters over μ."""
    for points in (1, 2, 3):
        K = Matrix(points, points, lambda i, j: Symbol(f"K{i}{j}", real=True))
        f = Matrix(symbols(f"f1:{points + 1}", real=True))
        integral = K * f / points
        matrix = K / Integer(points) ** sympify(weight)
        yield f"n = {points}", equal(integral, matrix * f)


_EQUAL = Choice("x_1 = x_2", 1)  # the value is what of the kernel there is off the diagonal
_HALF = Choice(r"K_\theta(x_1, x_2) = \tfrac12 K_\theta(x_1, x_1)", Rational(1, 2))

REPEATED = claim(
    "eoc.rem21.repeated",
    at="Remark 21",
    title="Repeated points add eigenvalues zero to the matrix, and none to the operator",
    states=sentence(
        r"\text{for two inputs: } $condition \implies \operatorname{spec} $K_matrix"
        r" = \operatorname{spec} K_\theta(x_1, x_1) \cup \{$eigenvalue\}",
        condition=_EQUAL,
        eigenvalue=0,
    ),
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@REPEATED.argued(
    bridge="Vectors of these two kinds span the whole space, for any number of outputs.",
    controls={"distinct": {"condition": _HALF}},
)
def sum_and_difference(condition: Any, eigenvalue: Any) -> Obligations:
    """On (v, v) the matrix acts as K(x, x), on (v, -v) as zero."""
    K = Matrix(2, 2, lambda i, j: Symbol(f"K{min(i, j)}{max(i, j)}", real=True))
    v = Matrix(symbols("v1 v2", real=True))
    blocks = BlockMatrix([[K, condition * K], [condition * K, K]]).as_explicit() / 2
    yield "on (v, v)", equal(blocks * Matrix([*v, *v]), Matrix([*(K * v), *(K * v)]))
    difference = Matrix([*v, *(-v)])
    yield "on (v, -v)", equal(blocks * difference, sympify(eigenvalue) * difference)
