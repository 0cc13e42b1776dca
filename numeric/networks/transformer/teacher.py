"""The teacher of the teacher-student experiment: a bounded transportation map and its labels."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import NONNEGATIVE, Floats, positive_integer, real_array, shown
from numeric.networks import arguments
from numeric.networks.transformer.activation import BoundedActivation, activation_of
from numeric.networks.transformer.model import directional_derivative, features
from numeric.networks.transformer.parameters import Heads, Inputs, last_token, of_same_space

__all__ = ["Teacher", "clipped_tokens", "sample_teacher", "transported"]


def clipped_tokens(n: int, T: int, d: int, rng: np.random.Generator) -> Inputs:
    """Independent standard normal tokens, those longer than 1 scaled down to norm 1; q_X = X_T.

    Source: "Shallow transformers", Section 6.1.

    >>> X = clipped_tokens(5, 3, 8, np.random.default_rng(0))
    >>> bool((np.linalg.norm(X.tokens, axis=2) <= 1 + 1e-15).all())
    True
    """
    shape = tuple(positive_integer(*one) for one in (("n", n), ("T", T), ("d", d)))
    tokens = arguments.generator(rng).standard_normal(shape)
    return last_token(tokens / np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True)))


@dataclass(frozen=True, eq=False, init=False)
class Teacher:
    r"""A transportation map v of heads: the average over R anchors X^(r) of maps of one anchor.

    .. math:: v_c = \frac{\nu_c}{\sigma_0} \phi_c(X^{(r)}), \quad
        v_u = \frac{\nu_u}{\sigma_1} \phi_u(X^{(r)}), \quad
        v_w = \operatorname{clip}_F(\phi_w(X^{(r)}), \nu_w),

    each a function of the head's own (U, W) through the features phi. Clipping scales a matrix
    down to Frobenius norm nu_w if it is longer.

    - ``anchors``: R inputs with tokens of norm at most 1, so that |v_c| <= nu_c, |v_u| <= nu_u,
      |v_w|_F <= nu_w; ``nu``: (nu_c, nu_u, nu_w), nonnegative.

    Source: "Shallow transformers", Section 6.1.

    >>> from numeric.networks.transformer.activation import TANH
    >>> rng = np.random.default_rng(0)
    >>> teacher = Teacher(clipped_tokens(4, 3, 2, rng), (3, 3, 3), TANH)
    >>> from numeric.networks.transformer.parameters import sample_heads
    >>> v = teacher.transport(sample_heads(100, 2, rng))
    >>> bool((v.block_norms() <= 3).all())
    True
    """

    anchors: Inputs
    nu: Floats
    activation: BoundedActivation

    def __init__(self, anchors: Inputs, nu: ArrayLike, activation: BoundedActivation) -> None:
        if not isinstance(anchors, Inputs):
            raise TypeError(f"anchors must be Inputs, got {shown(anchors)}")
        object.__setattr__(self, "anchors", anchors)
        object.__setattr__(self, "nu", real_array("nu", nu, NONNEGATIVE, shape=(3,)))
        object.__setattr__(self, "activation", activation_of(activation))

    def transport(self, heads: Heads) -> Heads:
        """v at each of the heads, of the same shapes."""
        c, U, W = (np.zeros(block.shape) for block in (heads.c, heads.U, heads.W))
        for r in range(self.anchors.n):
            found = features(heads, self.anchors.take([r]), self.activation)
            c += found.c[0]
            U += found.U[0]
            norms = np.linalg.norm(found.W[0].reshape(heads.m, -1), axis=1)
            # As nu / max(norm, nu), which is 0 for nu = 0 unless the matrix vanishes as well.
            longest = np.maximum(np.maximum(norms, self.nu[2]), np.finfo(float).tiny)
            W += (self.nu[2] / longest)[:, None, None] * found.W[0]
        scale_c, scale_u = self.nu[:2] / self.activation.bounds[:2]
        R = self.anchors.n
        return Heads(scale_c / R * c, scale_u / R * U, W / R)

    def labels(self, pool: Heads, inputs: Inputs, threads: int | None = None) -> Floats:
        """The average of <phi(X), v> over the heads of a pool, shape ``(n,)``.

        Source: "Shallow transformers", Section 6.1, the Monte Carlo approximation of (10).
        """
        unsigned = Heads(np.ones(pool.m), pool.U, pool.W)
        direction = self.transport(pool)
        total = directional_derivative(unsigned, direction, inputs, self.activation, threads)
        return total / math.sqrt(pool.m)


def sample_teacher(
    R: int, T: int, d: int, nu: ArrayLike, activation: BoundedActivation, rng: np.random.Generator
) -> Teacher:
    """Draw a teacher with R anchors of length T from the law of ``clipped_tokens``.

    The paper does not say what R is. R, T, d >= 1; nu as in `Teacher`.

    >>> from numeric.networks.transformer.activation import TANH
    >>> rng = np.random.default_rng(0)
    >>> from numeric.networks.transformer.parameters import sample_heads
    >>> teacher = sample_teacher(4, 16, 8, (3, 3, 3), TANH, rng)
    >>> teacher.labels(sample_heads(100, 8, rng), clipped_tokens(5, 16, 8, rng)).shape
    (5,)
    """
    return Teacher(clipped_tokens(positive_integer("R", R), T, d, rng), nu, activation)


def transported(initial: Heads, v: Heads) -> Heads:
    r"""The transported parameters phi~ of an initialisation, for v at its heads.

    .. math:: \tilde c_i = c_i + m^{-1/2} v_c, \quad \tilde U_i = U_i + c_i m^{-1/2} v_u, \quad
        \tilde W_i = W_i + c_i m^{-1/2} v_w.

    Source: "Shallow transformers", (11).

    >>> start = Heads([-1.0], [[0.0]], [[[0.0]]])
    >>> transported(start, Heads([2.0], [[3.0]], [[[4.0]]])).U
    array([[-3.]])
    """
    of_same_space("v", v, of_same_space("initial", initial, initial))
    signs = initial.c[:, None]
    return initial + (1 / math.sqrt(initial.m)) * Heads(v.c, signs * v.U, signs[..., None] * v.W)
