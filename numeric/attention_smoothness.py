r"""Best constants for the gradient and the Hessian of one attention head, as numbers.

A head is z(U, W) = U.a with a = sum_t alpha_t X_t, alpha = softmax(X_t.W q), |X_t| <= 1, |q| <= 1,
and u = |U|. With S = <v, X - a> under the weights alpha and v = Delta q its derivatives along
(delta, Delta) are

    D z = <delta, a> + Cov(<U, X>, S),   D^2 z = 2 Cov(<delta, X>, S) + Cov(<U, X>, S^2),

and both are bounded by what two tokens e and -e attain. The closed forms evaluate in the caller's
arithmetic, see `numeric.arithmetic`. Proofs: proofs_notes/st_smoothness.md.
"""

import math
from typing import Any

import numpy as np
from flint import arb

from numeric.arguments import NONNEGATIVE, Floats, closed, real_array
from numeric.arithmetic import closed_form
from numeric.balls import monotone_enclosure
from numeric.softmax_jacobian import covariance, covariance_derivative

__all__ = [
    "block_norm",
    "curvature",
    "curvature_mean",
    "hessian_norm",
    "largest_deviation",
    "largest_displacement",
    "linearisation_constant",
    "smoothness_constant",
    "steepness",
]

_UNIT = closed(0, 1)


def _gradient_ball(u: arb) -> arb:
    return arb(1) if u <= 1 else u if u >= 1 else arb(1).union(u.max(arb(1)))


@closed_form(balls=_gradient_ball, u=NONNEGATIVE)
def steepness(u: Any) -> Any:
    """The largest |grad z| at |U| = u: max(1, u).

    1 with all tokens equal to e; u with tokens e and -e of equal weight and U = u e.
    u >= 0.
    Source: "Shallow transformers", (17), sharper.

    >>> steepness([0, 0.5, 3])
    array([1., 1., 3.])
    """
    return np.maximum(1, u)


def _curvature_ball(u: arb) -> arb:
    square = u * u
    root = (1 + square + square * square).sqrt()
    spread = 2 * (1 + square) / (1 + 2 * square + root)
    return spread * (1 + 2 * square * (square + root) / (1 + 2 * square + root)).sqrt()


@closed_form(balls=lambda u: monotone_enclosure(_curvature_ball, u, NONNEGATIVE), u=NONNEGATIVE)
def curvature(u: Any) -> Any:
    r"""The largest norm of the Hessian of z at |U| = u, for any tokens, weights and query.

    .. math:: g(u) = \max_{0 \le x \le 1} (1 - x^2)\bigl(ux + \sqrt{1 + u^2x^2}\bigr)
        = \frac{2(1 + u^2)}{1 + 2u^2 + R}\sqrt{1 + \frac{2u^2(u^2 + R)}{1 + 2u^2 + R}},
        \quad R = \sqrt{1 + u^2 + u^4}.

    g(0) = 1, and g(u)/u decreases to 4/(3 sqrt 3). Attained by z = u tanh W: two tokens 1 and -1.
    u >= 0.
    Source: "Shallow transformers", (18), sharper.

    >>> curvature([0, 1, 3])
    array([1.        , 1.24080648, 2.496699  ])
    """
    scale, square, one, root = _scaled(u)
    total = one + 2 * square + root
    inner = one + 2 * square * (square + root) / total
    return 2 * (one + square) / total * scale * np.sqrt(inner)


def _scaled(u: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """s = max(1, u), then u^2, 1 and R over s^2: no square overflows."""
    scale = np.maximum(1, u)
    square, one = (u / scale) ** 2, 1 / scale**2
    return scale, square, one, np.sqrt(one * one + one * square + square * square)


def _curvature_mean_ball(u: arb) -> arb:
    square = u * u
    root = (1 + square + square * square).sqrt()
    return u * ((1 + square) / ((1 + root) * (1 + 2 * square + root))).sqrt()


@closed_form(balls=lambda u: monotone_enclosure(_curvature_mean_ball, u, NONNEGATIVE), u=NONNEGATIVE)
def curvature_mean(u: Any) -> Any:
    """The x in [0, 1/sqrt 3) at which the maximum of `curvature` is attained.

    x = u sqrt((1 + u^2)/((1 + R)(1 + 2 u^2 + R))), the mean of the tokens 1 and -1; increasing.
    u >= 0.
    Source: "Shallow transformers", (18), derived.

    >>> curvature_mean([0, 1, 1e9])
    array([0.        , 0.39331989, 0.57735027])
    """
    scale, square, one, root = _scaled(u)
    return u / scale * np.sqrt((one + square) / ((one + root) * (one + 2 * square + root)))


def _deviation_ball(first: arb, second: arb) -> arb:
    total = first + (first * first + 12 * second * second).sqrt()
    if total > 0:
        x = 2 * second / total
        return (1 - x * x) * (first + 2 * second * x)
    # The value lies between first and first + second.
    return first.union(first + second)


@closed_form(balls=_deviation_ball, first=NONNEGATIVE, second=NONNEGATIVE)
def largest_deviation(first: Any, second: Any) -> Any:
    r"""The largest A E|S| + B E|S^2 - Var S|, S = Y - E Y, over all laws of Y on [-1, 1].

    .. math:: K(A, B) = \max_{0 \le x \le 1} (1 - x^2)(A + 2Bx), \quad
        x = \frac{2B}{A + \sqrt{A^2 + 12B^2}},

    A = first, B = second; attained where Y is 1 or -1 with mean x (A = B = 0 gives 0).
    first, second >= 0.
    Source: "Shallow transformers", proof of Lemma 2 (derived).

    >>> largest_deviation([1, 0, 2], [0, 1, 4])
    array([1.        , 0.76980036, 4.5       ])
    """
    return _deviation(first, second)


def _deviation(first: Floats, second: Floats) -> Floats:
    total = first / 2 + np.hypot(first / 2, math.sqrt(3) * second)
    x = np.divide(second, total, out=np.zeros_like(first), where=total > 0)
    value: Floats = (1 - x) * (1 + x) * (first + 2 * second * x)
    return value


def _block_norm_ball(coupling: arb, corner: arb) -> arb:
    return (corner + (corner * corner + 4 * coupling * coupling).sqrt()) / 2


@closed_form(balls=_block_norm_ball, coupling=NONNEGATIVE, corner=NONNEGATIVE)
def block_norm(coupling: Any, corner: Any) -> Any:
    """The largest norm of [[0, B^T], [B, C]] with ||B|| = coupling and ||C|| = corner.

    (c + sqrt(c^2 + 4 b^2))/2, b = coupling, c = corner; at most sqrt(2 b^2 + c^2), the bound of the
    paper. coupling, corner >= 0.
    Source: "Shallow transformers", (18), sharper.

    >>> block_norm(2, 3), block_norm([1, 0], [0, 5])
    (4.0, array([1., 5.]))
    """
    return corner / 2 + np.hypot(corner / 2, coupling)


def _displacement_ball(step: arb, spread: arb) -> arb:
    if step >= 2 * spread:
        return step
    if step < 2 * spread:
        return spread + step * step / (4 * spread)
    # In doubt the value lies between step and step + spread.
    return step.union(step + spread)


@closed_form(balls=_displacement_ball, step=NONNEGATIVE, spread=NONNEGATIVE)
def largest_displacement(step: Any, spread: Any) -> Any:
    """max over x in [0, 1] of step x + (1 - x^2) spread: |<a, delta>| + |M U||Delta| at |a| = x.

    spread + step^2/(4 spread) where step < 2 spread, else step. step, spread >= 0.
    Source: "Shallow transformers", proof of Lemma 3 (derived).

    >>> largest_displacement([1, 3, 0], [1, 1, 0])
    array([1.25, 3.  , 0.  ])
    """
    return _displacement(step, spread)


def _displacement(step: Floats, spread: Floats) -> Floats:
    share = np.divide(step, 2 * spread, out=np.ones_like(step), where=step < 2 * spread)
    value: Floats = step * share + (1 - share) * (1 + share) * spread
    return value


def _smoothness_ball(u: arb, sigma_1: arb, sigma_2: arb) -> arb:
    steep, curved = _gradient_ball(u), monotone_enclosure(_curvature_ball, u, NONNEGATIVE)
    return sigma_2 * steep * steep + sigma_1 * curved


@closed_form(balls=_smoothness_ball, u=NONNEGATIVE, sigma_1=NONNEGATIVE, sigma_2=NONNEGATIVE)
def smoothness_constant(u: Any, sigma_1: Any, sigma_2: Any) -> Any:
    """Bound of the norm of the Hessian of h = sigma(z): sigma_2 max(1, u^2) + sigma_1 g(u).

    Both terms are best, at different heads. u, sigma_1, sigma_2 >= 0.
    Source: "Shallow transformers", Lemma 2, sharper.

    >>> smoothness_constant(1, 1, [0, 2])
    array([1.24080648, 3.24080648])
    """
    steep = np.maximum(1, u)
    return sigma_2 * steep * steep + sigma_1 * np.asarray(curvature(u))


def _linearisation_ball(rho_c: arb, rho_u: arb, rho_w: arb, u: arb, sigma_1: arb, sigma_2: arb) -> arb:
    steep = _displacement_ball(rho_u, u * rho_w)
    curved = _deviation_ball(2 * rho_u * rho_w, u * rho_w * rho_w)
    return rho_c * sigma_1 * steep + (sigma_2 * steep * steep + sigma_1 * curved) / 2


@closed_form(
    balls=_linearisation_ball,
    rho_c=NONNEGATIVE,
    rho_u=NONNEGATIVE,
    rho_w=NONNEGATIVE,
    u=NONNEGATIVE,
    sigma_1=NONNEGATIVE,
    sigma_2=NONNEGATIVE,
)
def linearisation_constant(rho_c: Any, rho_u: Any, rho_w: Any, u: Any, sigma_1: Any, sigma_2: Any) -> Any:
    """C with |f - f_lin| <= C/sqrt m on Omega_rho, where |U_i| <= u for all heads there.

    rho_c sigma_1 l + (sigma_2 l^2 + sigma_1 K(2 rho_u rho_w, u rho_w^2))/2, with
    l = `largest_displacement` (rho_u, u rho_w) and K = `largest_deviation`.
    All arguments >= 0.
    Source: "Shallow transformers", Lemma 3, sharper.

    >>> linearisation_constant(1, 1, [0, 1], 1, 1, 1)
    array([1.5       , 3.21643519])
    """
    steep = _displacement(rho_u, u * rho_w)
    curved = _deviation(2 * rho_u * rho_w, u * rho_w * rho_w)
    return rho_c * sigma_1 * steep + (sigma_2 * steep * steep + sigma_1 * curved) / 2


def hessian_norm(logits: Any, tokens: Any, U: Any, query_norm: Any = 1) -> Floats:
    """The norm of the Hessian of z(U, W) = U.a at given tokens and logits z_t = X_t.W q.

    The Hessian has the blocks 0, M and the derivative of M contracted with U, on the vectors
    (delta, Delta q/|q|), and is 0 on the rest of the Delta.

    logits of shape (..., T), tokens (..., T, d), U (..., d), query_norm = |q| in [0, 1] (...,);
    leading axes broadcast. Source: "Shallow transformers", proof of Lemma 2.

    >>> hessian_norm([[0, 0], [1, 0]], [[1], [-1]], [5])
    array([1.        , 3.79719338])
    """
    size = real_array("query_norm", query_norm, _UNIT)[..., None, None]
    M = size * covariance(logits, tokens)
    along = real_array("U", U, shape=("...", M.shape[-1]))
    corner = size * size * covariance_derivative(logits, tokens, along)
    M = np.broadcast_to(M, corner.shape)
    top = np.concatenate([np.zeros_like(M), M], axis=-1)
    hessian = np.concatenate([top, np.concatenate([M, corner], axis=-1)], axis=-2)
    norm: Floats = np.abs(np.linalg.eigvalsh(hessian)).max(axis=-1)
    return norm
