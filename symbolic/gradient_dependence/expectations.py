"""The first lines of the proof of Proposition 17: the sum over units and the inner mean."""

from functools import cache

import sympy
from sympy import Expr, ImmutableMatrix, diag, symbols

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from symbolic.gradient_dependence.symbols import B1, B2
from symbolic.notation import rho, u1, u2

#: Slopes phi'(z_ij) of two units j at the inputs i, and the rows of the layer matrix.
_SLOPES_1, _SLOPES_2 = symbols("d_11 d_12", real=True), symbols("d_21 d_22", real=True)
_LAYER = ImmutableMatrix(2, 2, symbols("A_11 A_12 A_21 A_22", real=True))
_mu1, _mu2 = symbols("mu_1 mu_2", real=True)
_s1, _s2 = symbols("s_1 s_2", positive=True)


def derive_sum_over_units(claimed: Expr | None = None) -> Derivation:
    """tr(D_1 A B_1 B_2^* A^* D_2) as a sum over the rows A_j, for a layer of two units.

    >>> derive_sum_over_units().answer
    True
    """
    return _sum_over_units().claiming(claimed)


def derive_inner_mean(claimed: Expr | None = None) -> Derivation:
    """E v_1j v_2j = mu_1j mu_2j + covariance, for one coordinate j of the conditional law.

    v_ij = mu_i + s_i n_i with standard normals n_i of correlation rho.

    >>> derive_inner_mean().conclusion
    mu_1*mu_2 + rho*s_1*s_2
    """
    return _inner_mean().claiming(claimed)


def derive_trace(claimed: Expr | None = None) -> Derivation:
    """tr(B_1^* B_2) = tr(B_1 B_2^*), which turns tr Sigma_{v,12} into sigma^2 X'_{k1,k2-1}.

    >>> derive_trace().answer
    True
    """
    return _trace().claiming(claimed)


@cache
def _sum_over_units() -> Derivation:
    left = diag(*_SLOPES_1) * _LAYER * B1
    right = diag(*_SLOPES_2) * _LAYER * B2
    rows = [_LAYER[j, :].T for j in range(2)]
    terms = [_SLOPES_1[j] * _SLOPES_2[j] * (B1.T * rows[j]).dot(B2.T * rows[j]) for j in range(2)]
    return Derivation(
        title="The Frobenius product as a sum over units",
        name=r"\operatorname{tr}(D_1 A B_1 B_2^* A^* D_2)",
        start=sympy.Trace(sympy.MatMul(ImmutableMatrix(left), ImmutableMatrix(right.T))),
        steps=[Step(sum(terms), r"$\sum_j d_{1j}d_{2j}\langle B_1^*A_j, B_2^*A_j\rangle$")],
    )


@cache
def _inner_mean() -> Derivation:
    product = (_mu1 + _s1 * u1) * (_mu2 + _s2 * u2)

    def carried_out(before: Expr, after: Expr) -> Decision:
        return decide_equal(before.doit(), after)

    return Derivation(
        title="Mean of a product under the conditional law",
        name=r"\mathbb{E}\,v_{1j}v_{2j}",
        start=GaussianMean(product, u1, u2, rho),
        steps=[Step(_mu1 * _mu2 + rho * _s1 * _s2, "means and covariance", carried_out)],
    )


@cache
def _trace() -> Derivation:
    return Derivation(
        title="Traces of the two products",
        name=r"\operatorname{tr}(B_1^*B_2)",
        start=(B1.T * B2).trace(),
        steps=[Step((B1 * B2.T).trace(), "the trace is cyclic and invariant under *")],
    )
