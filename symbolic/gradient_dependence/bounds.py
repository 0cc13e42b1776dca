r"""From the two integrals to the bound of Proposition 17, and to the sharp bound.

The error is (Delta)(2/pi)(1 - rho^2)^(-1/2) tr(M Q) for M = B_1 B_2^* and the symmetric
Q = xhat_1 xhat_2^* + xhat_2 xhat_1^* - rho (xhat_1 xhat_1^* + xhat_2 xhat_2^*). Since
Q = (1 - rho^2)(e_+ e_+^* - e_- e_-^*) for the unit vectors e_+, e_- along xhat_1 + xhat_2 and
xhat_1 - xhat_2, its nuclear norm is 2 (1 - rho^2), which is the best constant for tr(M Q) over
the operator norm of M. It is attained by M = e_+ e_+^* - e_- e_-^*.
"""

from functools import cache
from itertools import product

import sympy
from sympy import Abs, Expr, ImmutableMatrix, Matrix, Symbol, pi, sqrt

from symbolic.derivation import Check, Decision, Derivation, Step
from symbolic.equality import decide_at_least, decide_equal, together_decided
from symbolic.gradient_dependence.closed_forms import (
    bound_printed,
    bound_sharp,
    error,
    integral_w1,
    integral_w1w2,
)
from symbolic.gradient_dependence.symbols import (
    INSIDE,
    NOTATION_G,
    g11,
    g12,
    g21,
    g22,
    m_mm,
    m_mp,
    m_pm,
    m_pp,
    norm,
    w1,
    w2,
)
from symbolic.notation import ABBREVIATIONS, DELTA, NOT_BOTH_ZERO, SIGMA, b, rho

_SCHUR = 1 - rho**2
_FRONT = DELTA * 2 / pi / sqrt(_SCHUR)
#: xhat_1, xhat_2 in the orthonormal basis e_+, e_-.
_C, _S = sqrt((1 + rho) / 2), sqrt((1 - rho) / 2)
_FIRST, _SECOND = ImmutableMatrix([_C, _S]), ImmutableMatrix([_C, -_S])
_M = Matrix([[m_pp, m_pm], [m_mp, m_mm]])
_IN_BASIS = {
    g11: (_FIRST.T * _M * _FIRST)[0],
    g12: (_FIRST.T * _M * _SECOND)[0],
    g21: (_SECOND.T * _M * _FIRST)[0],
    g22: (_SECOND.T * _M * _SECOND)[0],
}
_BRACKET = g12 - rho * g11 + g21 - rho * g22
#: Numbers in [-1, 1]: entries of M in units of its norm.
_alpha, _beta, _gamma = sympy.symbols("alpha beta gamma", real=True)


def derive_error(claimed: Expr | None = None) -> Derivation:
    """The error, from its w-form with the two integrals inserted.

    >>> derive_error().answer
    True
    """
    return _error().claiming(claimed)


def derive_w_form(claimed: Expr | None = None) -> Derivation:
    """The factor of phi'(u1) phi'(u2) in the error, in w1, w2 and the Gram numbers.

    >>> derive_w_form().answer
    True
    """
    return _w_form().claiming(claimed)


def derive_regrouping(claimed: Expr | None = None) -> Derivation:
    """The regrouping before the bound, in the Gram numbers.

    >>> derive_regrouping().answer
    True
    """
    return _regrouping().claiming(claimed)


def derive_distance(claimed: Expr | None = None) -> Derivation:
    """|xhat_1 - xhat_2|^2 = 2 (1 - rho).

    >>> derive_distance().conclusion
    2 - 2*rho
    """
    return _distance().claiming(claimed)


def derive_printed_bound(claimed: Expr | None = None) -> Derivation:
    """The bound of Proposition 17, from the regrouped error.

    >>> derive_printed_bound().answer
    True
    """
    return _printed_bound().claiming(claimed)


def derive_sharp_form(claimed: Expr | None = None) -> Derivation:
    """The error as Delta (2/pi) sqrt(1 - rho^2) (e_+^* M e_+ - e_-^* M e_-).

    >>> derive_sharp_form().answer
    True
    """
    return _sharp_form().claiming(claimed)


def derive_q_matrix(claimed: Expr | None = None) -> Derivation:
    """Q = (1 - rho^2) (e_+ e_+^* - e_- e_-^*), in the basis e_+, e_-.

    >>> derive_q_matrix().answer
    True
    """
    return _q_matrix().claiming(claimed)


def derive_nuclear_norm(claimed: Expr | None = None) -> Derivation:
    """Nuclear norm of Q, from its eigenvalues in another frame, xhat_1 = (1, 0).

    >>> derive_nuclear_norm().answer
    True
    """
    return _nuclear_norm().claiming(claimed)


def derive_sharp_bound(claimed: Expr | None = None) -> Derivation:
    """The sharp bound Delta (4/pi) sqrt(1 - rho^2) N for |M| <= N.

    >>> derive_sharp_bound().answer
    True
    """
    return _sharp_bound().claiming(claimed)


def derive_attainment(claimed: Expr | None = None) -> Derivation:
    """The error at M = e_+ e_+^* - e_- e_-^*, an orthogonal matrix, is the sharp bound.

    >>> derive_attainment().answer
    True
    """
    return _attainment().claiming(claimed)


def derive_ratio(claimed: Expr | None = None) -> Derivation:
    """The sharp bound over the printed one.

    >>> derive_ratio().conclusion
    rho/2 + 1/2
    """
    return _ratio().claiming(claimed)


@cache
def _w_form() -> Derivation:
    means = w1**2 * g11 + w2**2 * g22 + w1 * w2 * g12 + w1 * w2 * g21
    trace = g11 + g22 - rho * g12 - rho * g21
    squares = (w1**2 - 1) * g11 + (w2**2 - 1) * g22
    mixed = (w1 * w2 + rho) * g12 + (w1 * w2 + rho) * g21
    return Derivation(
        title="The error in w",
        name=r"\langle\mu_1, \mu_2\rangle - \operatorname{tr}(\cdot)_{1,2}",
        start=SIGMA**2 / _SCHUR * means - SIGMA**2 / _SCHUR * trace,
        steps=[Step(SIGMA**2 / _SCHUR * (squares + mixed), "collect the Gram numbers")],
        domain=INSIDE,
        notation=NOTATION_G,
    )


@cache
def _error() -> Derivation:
    inserted = integral_w1(rho, b) * (g11 + g22) + integral_w1w2(rho, b) * (g12 + g21)
    return Derivation(
        title="The gradient dependence error",
        name=r"\epsilon",
        start=SIGMA**2 / _SCHUR * inserted,
        steps=[Step(_FRONT * _BRACKET, r"$\sigma^2 b^2 = \Delta_\phi$")],
        domain=INSIDE,
        where=ABBREVIATIONS,
        under=NOT_BOTH_ZERO,
        notation=f"the two integrals, {NOTATION_G}",
    )


@cache
def _regrouping() -> Derivation:
    difference = g12 - g11 - g22 + g21
    return Derivation(
        title="Regrouping of the error",
        name=(
            r"\langle B_1^*\hat x_1, B_2^*(\hat x_2 - \rho\hat x_1)\rangle"
            r" + \langle B_1^*\hat x_2, B_2^*(\hat x_1 - \rho\hat x_2)\rangle"
        ),
        start=(g12 - rho * g11) + (g21 - rho * g22),
        steps=[
            Step(
                sympy.Add(difference, (1 - rho) * (g11 + g22), evaluate=False),
                r"$\langle B_1^*(\hat x_1 - \hat x_2), B_2^*(\hat x_2 - \hat x_1)\rangle$ first",
            )
        ],
        domain=INSIDE,
        notation=NOTATION_G,
    )


@cache
def _distance() -> Derivation:
    first, second = ImmutableMatrix([1, 0]), ImmutableMatrix([rho, sqrt(_SCHUR)])
    return Derivation(
        title="Distance of the unit vectors",
        name=r"\|\hat x_1 - \hat x_2\|^2",
        start=sum(entry**2 for entry in first - second),
        steps=[Step(2 - 2 * rho, r"$\hat x_1 = (1, 0)$, $\hat x_2 = (\rho, \sqrt{1-\rho^2})$")],
        domain=INSIDE,
    )


@cache
def _printed_bound() -> Derivation:
    across = norm * 2 * (1 - rho) * _alpha
    along = (1 - rho) * norm * (_beta + _gamma)
    lengths = 2 * (1 - rho) + (1 - rho) * 2
    return Derivation(
        title="The bound of Proposition 17",
        name=r"|\epsilon|",
        start=_FRONT * Abs(across + along),
        steps=[
            Step(
                _FRONT * norm * lengths,
                r"$|\langle x, My\rangle| \le \|M\||x||y|$, so $\alpha, \beta, \gamma \in [-1, 1]$",
                _at_vertices(_alpha, _beta, _gamma),
                r"\le",
            ),
            Step(bound_printed(rho, DELTA) * norm, "simplify"),
        ],
        domain=INSIDE,
        notation=(
            r"$N = \|M\|$, $\langle\hat x_1 - \hat x_2, M(\hat x_2 - \hat x_1)\rangle = "
            r"2(1 - \rho)N\alpha$, $g_{11} = N\beta$, $g_{22} = N\gamma$"
        ),
    )


@cache
def _sharp_form() -> Derivation:
    return Derivation(
        title="The error along the sum and the difference of the inputs",
        name=r"\epsilon",
        start=_FRONT * _BRACKET,
        steps=[
            Step(
                DELTA * 2 / pi * sqrt(_SCHUR) * (m_pp - m_mm),
                r"$\hat x_{1,2} = \sqrt{\tfrac{1+\rho}2}\,e_+ \pm \sqrt{\tfrac{1-\rho}2}\,e_-$",
            )
        ],
        domain=INSIDE,
        where=_IN_BASIS,
        notation=(
            r"$g_{ij} = \langle\hat x_i, M\hat x_j\rangle$, "
            r"$m_{\pm\pm} = \langle e_\pm, Me_\pm\rangle$"
        ),
    )


def _q(first: Matrix, second: Matrix) -> ImmutableMatrix:
    mixed = first * second.T + second * first.T
    return ImmutableMatrix(mixed - rho * (first * first.T + second * second.T))


@cache
def _q_matrix() -> Derivation:
    return Derivation(
        title="The matrix of the quadratic form",
        name="Q",
        start=_q(_FIRST, _SECOND),
        steps=[Step(ImmutableMatrix(_SCHUR * sympy.diag(1, -1)), "in the basis $e_+$, $e_-$")],
        domain=INSIDE,
        notation=(
            r"$Q = \hat x_1\hat x_2^* + \hat x_2\hat x_1^* "
            r"- \rho(\hat x_1\hat x_1^* + \hat x_2\hat x_2^*)$"
        ),
    )


@cache
def _nuclear_norm() -> Derivation:
    q = _q(Matrix([1, 0]), Matrix([rho, sqrt(_SCHUR)]))
    square = ImmutableMatrix(_SCHUR**2 * sympy.eye(2))
    return Derivation(
        title="Nuclear norm of the quadratic form",
        name=r"\|Q\|_*",
        start=sympy.Trace(sympy.MatPow(sympy.MatPow(q, 2), sympy.S.Half)),
        steps=[
            Step(
                sympy.Trace(sympy.MatPow(square, sympy.S.Half)), "the square of $Q$", _check_square
            ),
            Step(
                2 * _SCHUR, r"the eigenvalues of $Q$ are $\pm(1 - \rho^2)$", _check_singular_values
            ),
        ],
        domain=INSIDE,
        notation=(
            r"$(Q^*Q)^{1/2}$ with $Q^* = Q$, for $\hat x_1 = (1, 0)$, "
            r"$\hat x_2 = (\rho, \sqrt{1-\rho^2})$"
        ),
    )


def _check_square(before: Expr, after: Expr) -> Decision:
    """Compare the matrices whose roots are taken."""
    roots = [before.arg.exp, after.arg.exp] == [sympy.S.Half, sympy.S.Half]
    q = before.arg.base.base
    symmetric = Decision(q == q.T, "the matrix is symmetric")
    same = decide_equal(before.arg.base.as_explicit(), after.arg.base, INSIDE)
    return together_decided([Decision(roots, "square roots on both sides"), symmetric, same])


def _check_singular_values(before: Expr, after: Expr) -> Decision:
    """Sum the roots of the eigenvalues of Q^* Q, a symmetric two by two matrix."""
    square = before.arg.base.as_explicit()
    mean = square.trace() / 2
    gap = sqrt(sympy.factor(sympy.expand(mean**2 - square.det())))
    return decide_equal(sqrt(mean + gap) + sqrt(mean - gap), after, INSIDE)


@cache
def _sharp_bound() -> Derivation:
    return Derivation(
        title="The sharp bound of the gradient dependence error",
        name=r"|\epsilon|",
        start=DELTA * 2 / pi * sqrt(_SCHUR) * Abs(norm * _alpha - norm * _beta),
        steps=[
            Step(
                bound_sharp(rho, DELTA) * norm,
                r"$|e_\pm^* M e_\pm| \le \|M\|$: $\alpha, \beta \in [-1, 1]$",
                _at_vertices(_alpha, _beta),
                r"\le",
            )
        ],
        domain=INSIDE,
        notation=(
            r"$N = \|M\|$, $\langle e_+, Me_+\rangle = N\alpha$, "
            r"$\langle e_-, Me_-\rangle = N\beta$"
        ),
    )


@cache
def _attainment() -> Derivation:
    extremal = sympy.diag(1, -1)
    return Derivation(
        title="A matrix that attains the sharp bound",
        name=r"\epsilon\big|_{M = e_+e_+^* - e_-e_-^*}",
        start=error(extremal, _FIRST, _SECOND, DELTA),
        steps=[Step(bound_sharp(rho, DELTA), r"$\|M\| = 1$")],
        domain=INSIDE,
    )


@cache
def _ratio() -> Derivation:
    return Derivation(
        title="The sharp bound over the printed one",
        name=r"\frac{\Delta_\phi\frac4\pi\sqrt{1-\rho^2}}{\Delta_\phi\frac8\pi\sqrt{(1-\rho)/(1+\rho)}}",
        start=bound_sharp(rho, DELTA) / bound_printed(rho, DELTA),
        steps=[Step((1 + rho) / 2, "simplify")],
        domain=INSIDE,
    )


def _at_vertices(*unit_numbers: Symbol) -> Check:
    """Check an upper bound of a convex function on a cube: it suffices at the vertices.

    The side before is a positive multiple of the absolute value of an affine function of the
    numbers, which all lie in [-1, 1]; Delta_phi lies in (0, 1).
    """
    inside = {**INSIDE, DELTA: sympy.Interval.open(0, 1), norm: sympy.Interval.open(0, sympy.oo)}

    def check(before: Expr, after: Expr) -> Decision:
        (absolute,) = before.atoms(Abs)
        affine = [
            decide_equal(absolute.args[0].diff(x, y), sympy.S.Zero)
            for x, y in product(unit_numbers, repeat=2)
        ]
        corners = product((-1, 1), repeat=len(unit_numbers))
        values = [before.subs(dict(zip(unit_numbers, corner, strict=True))) for corner in corners]
        return together_decided(
            [*affine, *(decide_at_least(after, value, inside) for value in values)]
        )

    return check
