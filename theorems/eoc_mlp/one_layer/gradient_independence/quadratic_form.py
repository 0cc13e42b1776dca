r"""The gradient-dependence error as a quadratic form: its matrix, nuclear norm and maximum.

The error is (Delta)(2/pi)(1 - rho^2)^(-1/2) tr(M Q) for M = B_1 B_2^* and the symmetric
Q = xhat_1 xhat_2^* + xhat_2 xhat_1^* - rho (xhat_1 xhat_1^* + xhat_2 xhat_2^*). Since
Q = (1 - rho^2)(e_+ e_+^* - e_- e_-^*) for the unit vectors e_+, e_- along xhat_1 + xhat_2 and
xhat_1 - xhat_2, its nuclear norm is 2 (1 - rho^2), which is the best constant for tr(M Q) over
the operator norm of M. It is attained by M = e_+ e_+^* - e_- e_-^*.
"""

from functools import cache

from sympy import Expr, ImmutableMatrix, MatPow, Matrix, S, Trace, diag, expand, eye, factor, sqrt

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gradient_dependence import bound_sharp, error
from symbolic.notation import DELTA, DOMAIN, rho

_SCHUR = 1 - rho**2
#: xhat_1, xhat_2 in the orthonormal basis e_+, e_-.
_C, _S = sqrt((1 + rho) / 2), sqrt((1 - rho) / 2)
_FIRST, _SECOND = ImmutableMatrix([_C, _S]), ImmutableMatrix([_C, -_S])


def _q(first: Matrix, second: Matrix) -> ImmutableMatrix:
    mixed = first * second.T + second * first.T
    return ImmutableMatrix(mixed - rho * (first * first.T + second * second.T))


@cache
def derive_q_matrix() -> Derivation:
    """Q = (1 - rho^2) (e_+ e_+^* - e_- e_-^*), in the basis e_+, e_-."""
    return Derivation(
        title="The matrix of the quadratic form",
        name="Q",
        start=_q(_FIRST, _SECOND),
        steps=[Step(ImmutableMatrix(_SCHUR * diag(1, -1)), "in the basis $e_+$, $e_-$")],
        domain=DOMAIN,
        notation=(
            r"$Q = \hat x_1\hat x_2^* + \hat x_2\hat x_1^* "
            r"- \rho(\hat x_1\hat x_1^* + \hat x_2\hat x_2^*)$"
        ),
    )


@cache
def derive_nuclear_norm() -> Derivation:
    """Nuclear norm of Q, from its eigenvalues in another frame, xhat_1 = (1, 0)."""
    q = _q(Matrix([1, 0]), Matrix([rho, sqrt(_SCHUR)]))
    square = ImmutableMatrix(_SCHUR**2 * eye(2))
    return Derivation(
        title="Nuclear norm of the quadratic form",
        name=r"\|Q\|_*",
        start=Trace(MatPow(MatPow(q, 2), S.Half)),
        steps=[
            Step(Trace(MatPow(square, S.Half)), "the square of $Q$", _check_square),
            Step(2 * _SCHUR, r"the eigenvalues of $Q$ are $\pm(1 - \rho^2)$", _check_singular_values),
        ],
        domain=DOMAIN,
        notation=(
            r"$(Q^*Q)^{1/2}$ with $Q^* = Q$, for $\hat x_1 = (1, 0)$, "
            r"$\hat x_2 = (\rho, \sqrt{1-\rho^2})$"
        ),
    )


def _check_square(before: Expr, after: Expr) -> Decision:
    """Compare the matrices whose roots are taken."""
    roots = [before.arg.exp, after.arg.exp] == [S.Half, S.Half]
    q = before.arg.base.base
    symmetric = Decision(q == q.T, "the matrix is symmetric")
    same = decide_equal(before.arg.base.as_explicit(), after.arg.base, DOMAIN)
    return together_decided([Decision(roots, "square roots on both sides"), symmetric, same])


def _check_singular_values(before: Expr, after: Expr) -> Decision:
    """Sum the roots of the eigenvalues of Q^* Q, a symmetric two by two matrix."""
    square = before.arg.base.as_explicit()
    mean = square.trace() / 2
    gap = sqrt(factor(expand(mean**2 - square.det())))
    return decide_equal(sqrt(mean + gap) + sqrt(mean - gap), after, DOMAIN)


@cache
def derive_attainment() -> Derivation:
    """The error at M = e_+ e_+^* - e_- e_-^*, an orthogonal matrix, is the sharp bound."""
    return Derivation(
        title="A matrix that attains the sharp bound",
        name=r"\epsilon\big|_{M = e_+e_+^* - e_-e_-^*}",
        start=error(diag(1, -1), _FIRST, _SECOND, DELTA),
        steps=[Step(bound_sharp(rho, DELTA), r"$\|M\| = 1$")],
        domain=DOMAIN,
    )
