"""Symbols of the proof of Proposition 17, beside those of `symbolic.notation`.

B_i is an n by p matrix, x_i = tau_i xhat_i a vector in R^n, g ~ N(0, sigma^2 I_n), u_j = <g, x_j>
and v_i = B_i^* g. All identities of the proof are bilinear in (B_1^* xhat_i, B_2^* xhat_j): an
entry of a matrix identity contains one entry of each, and a trace contains only the numbers
g_ij = <B_1^* xhat_i, B_2^* xhat_j>. Symbols for these therefore stand for all n and p; the
explicit matrices below (n = p = 2, all entries symbols) spell that out.
"""

from types import MappingProxyType

import sympy
from sympy import ImmutableMatrix, Matrix, sqrt, symbols

from symbolic.notation import DOMAIN, SIGMA, rho, u1, u2

tau1, tau2 = symbols("tau_1 tau_2", positive=True)
w1, w2 = symbols("w_1 w_2", real=True)
#: Gram numbers <B_1^* xhat_i, B_2^* xhat_j>.
g11, g12, g21, g22 = symbols("g_11 g_12 g_21 g_22", real=True)
#: Entries of M = B_1 B_2^* along e_+ and e_-.
m_pp, m_pm, m_mp, m_mm = symbols("m_++ m_+- m_-+ m_--", real=True)
#: An upper bound of the operator norm of M.
norm = sympy.Symbol("N", positive=True)


def _matrix(name: str) -> ImmutableMatrix:
    entries = [[sympy.Symbol(f"{name}_{i}{j}", real=True) for j in (1, 2)] for i in (1, 2)]
    return ImmutableMatrix(entries)


def _columns(name: str) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    matrix = _matrix(name)
    return matrix.col(0), matrix.col(1)


B1, B2 = _matrix("B"), _matrix("C")
xhat1, xhat2 = _columns("xhat")

#: B_i^* xhat_j for i = 1 (p_j) and i = 2 (q_j), with two generic entries each.
(p1, p2), (q1, q2) = _columns("p"), _columns("q")

#: What the symbols stand for, in LaTeX.
NOTATION_P = r"$[p_{ij}] = B_1^*[\hat x_1, \hat x_2]$, $[q_{ij}] = B_2^*[\hat x_1, \hat x_2]$"
NOTATION_B = r"$B_1 = [B_{ij}]$, $B_2 = [C_{ij}]$, $v_i = B_i^*g$"
NOTATION_X = r"$u_j = \langle g, x_j\rangle$, $[x_1, x_2] = [\tau_j\hat x_{ij}]$"
NOTATION_G = r"$g_{ij} = \langle B_1^*\hat x_i, B_2^*\hat x_j\rangle$"

#: The Gram numbers in terms of these vectors.
GRAM = MappingProxyType({g11: p1.dot(q1), g12: p1.dot(q2), g21: p2.dot(q1), g22: p2.dot(q2)})

_ROOT = sqrt(1 - rho**2)

#: w_1 and w_2 of the proof.
STANDARDISED = MappingProxyType(
    {
        w1: (u1 / tau1 - rho * u2 / tau2) / (SIGMA * _ROOT),
        w2: (u2 / tau2 - rho * u1 / tau1) / (SIGMA * _ROOT),
    }
)

#: Covariance (5) of u in terms of the norms and the cosine.
SIGMA_U = ImmutableMatrix(
    SIGMA**2 * Matrix([[tau1**2, tau1 * tau2 * rho], [tau1 * tau2 * rho, tau2**2]])
)

INSIDE = DOMAIN
