"""The quantities of a sampled head as balls: nothing rounds away, underflows or overflows.

Tokens, query, U and W are floats, hence exact, with lengths that are at most 1 where that is
assumed.  All else is computed in ball arithmetic, whose exponents have no bounds.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from flint import arb, arb_mat, ctx

from numeric.arguments import Floats
from theorems.engine import Claim
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.sampling.heads import SampledHead
from theorems.shallow_transformer.sampling.objects import objects_of_head

Point: TypeAlias = Mapping[Any, Any]
_PRECISION = 256


@contextmanager
def precise() -> Iterator[None]:
    """Balls that are much finer than floats."""
    before, ctx.prec = ctx.prec, _PRECISION
    try:
        yield
    finally:
        ctx.prec = before


def matrix(rows: Any) -> arb_mat:
    """Floats as an exact matrix."""
    return arb_mat([[arb(float(x)) for x in row] for row in np.atleast_2d(rows)])


def dot(one: list[arb], other: list[arb]) -> arb:
    """The inner product."""
    return sum((x * y for x, y in zip(one, other, strict=True)), arb(0))


def length(vector: list[arb]) -> arb:
    """The Euclidean norm."""
    square = sum((x * x for x in vector), arb(0))
    return square.sqrt() if square >= 0 else square.max(arb(0)).sqrt()


def spectral_norm(H: arb_mat) -> arb:
    r"""The norm of a symmetric matrix, from an approximate diagonalisation by floats.

    With V^T V = I + F and V^T H V = D + R for the diagonal D, ‖H‖ lies between max|D|/(1 + ‖F‖)
    and (max|D| + ‖R‖)/(1 - ‖F‖).
    """
    size = length([x for row in H.tolist() for x in row])
    if not size > 0:
        return size
    scaled = np.array([[float((x / size).mid()) for x in row] for row in H.tolist()])
    V = matrix(np.linalg.eigh(scaled)[1])
    n = V.nrows()
    gram, form = V.transpose() * V, V.transpose() * H * V
    defect = length([gram[i, j] - int(i == j) for i in range(n) for j in range(n)])
    rest = length([form[i, j] for i in range(n) for j in range(n) if i != j])
    largest = arb(0)
    for i in range(n):
        largest = largest.max(abs(form[i, i]))
    return (largest / (1 + defect)).union((largest + rest) / (1 - defect))


def block_matrix(B: Floats, C: Floats) -> Point:
    """The norms of B and C, and of the symmetric matrix with the blocks 0, B and C."""
    with precise():
        rows, columns = B.shape
        whole = np.block([[np.zeros((columns, columns)), B.T], [B, C]])
        gram = np.block([[np.zeros((columns, columns)), B.T], [B, np.zeros((rows, rows))]])
        return {
            its.coupling: spectral_norm(matrix(gram)),
            its.corner: spectral_norm(matrix(C)),
            its.whole_norm: spectral_norm(matrix(whole)),
        }


class HeadBalls:
    """The quantities that the claims about one head compare, as balls."""

    def __init__(self, head: SampledHead) -> None:
        self.tokens = [[arb(float(x)) for x in row] for row in head.tokens]
        self.query = [arb(float(x)) for x in head.query]
        self.U = [arb(float(x)) for x in head.U]
        self.W = [[arb(float(x)) for x in row] for row in head.W]
        self.d = len(self.U)

    @cached_property
    def weights(self) -> list[arb]:
        """The softmax weights of the tokens."""
        turned = [dot(row, self.query) for row in self.W]
        logits = [dot(token, turned) for token in self.tokens]
        powers = [(z - logits[0]).exp() for z in logits]
        whole = sum(powers, arb(0))
        return [one / whole for one in powers]

    def mean(self, values: list[arb]) -> arb:
        """The mean of one value for each token."""
        return dot(self.weights, values)

    @cached_property
    def pooled(self) -> list[arb]:
        """The mean of the tokens."""
        return [self.mean([token[k] for token in self.tokens]) for k in range(self.d)]

    @cached_property
    def deviations(self) -> list[list[arb]]:
        """The tokens less their mean."""
        pairs = ([x - y for x, y in zip(token, self.pooled, strict=True)] for token in self.tokens)
        return list(pairs)

    def covariance(self, weights: list[arb]) -> arb_mat:
        """The sum over tokens of a weight times (X - a)(X - a)'."""
        entries = [
            [dot(weights, [one[k] * one[j] for one in self.deviations]) for j in range(self.d)]
            for k in range(self.d)
        ]
        return arb_mat(entries)

    @cached_property
    def spread(self) -> arb_mat:
        """The covariance of the tokens."""
        return self.covariance(self.weights)

    def slopes(self, direction: list[arb]) -> list[arb]:
        """Weights times centred slopes of logits along a direction of Wq."""
        pairs = zip(self.weights, self.deviations, strict=True)
        return [p * dot(one, direction) for p, one in pairs]

    @cached_property
    def direction(self) -> list[arb]:
        """U, or a coordinate vector for U = 0."""
        if any(one != 0 for one in self.U):
            return self.U
        return [arb(int(k == 0)) for k in range(self.d)]

    @cached_property
    def q_size(self) -> arb:
        """|q|."""
        return length(self.query)

    def hessian(self, M: arb_mat, third: arb_mat) -> arb_mat:
        """The Hessian of z on the vectors (δ, Δq/|q|)."""
        top = [[arb(0)] * self.d + [self.q_size * x for x in row] for row in M.tolist()]
        pairs = zip(M.tolist(), third.tolist(), strict=True)
        square = self.q_size**2
        low = [[self.q_size * x for x in m] + [square * x for x in t] for m, t in pairs]
        return arb_mat(top + low)

    @cached_property
    def gradient(self) -> list[arb]:
        """The gradient of z on the same vectors."""
        turned = (self.spread * arb_mat([[x] for x in self.U])).entries()
        return [*self.pooled, *(self.q_size * x for x in turned)]

    @cached_property
    def full_hessian(self) -> arb_mat:
        """The Hessian of z."""
        return self.hessian(self.spread, self.covariance(self.slopes(self.U)))

    @property
    def z(self) -> arb:
        """The preactivation."""
        return dot(self.U, self.pooled)


def head_point(head: SampledHead) -> Point:
    """The quantities of a head, along Δ with Δq = U and ‖Δ‖ = |U| where a direction is needed."""
    with precise():
        balls = HeadBalls(head)
        along = balls.direction
        moved = balls.slopes(along)
        third = balls.covariance(balls.slopes(balls.U))
        entries = balls.spread.entries()
        change = balls.covariance(moved).entries()
        apart = [abs(x) for x in moved]
        squares = [dot(one, one) for one in balls.deviations]
        return {
            of.u: length(balls.U),
            of.a_size: length(balls.pooled),
            its.MU_size: length((balls.spread * arb_mat([[x] for x in balls.U])).entries()),
            of.q_size: balls.q_size,
            of.z_gradient: length(balls.gradient),
            of.M_norm: spectral_norm(balls.spread),
            of.M_frobenius: length(entries),
            of.z_coupling: balls.q_size * spectral_norm(balls.spread),
            of.z_corner: balls.q_size**2 * spectral_norm(third),
            of.z_hessian: spectral_norm(balls.full_hessian),
            of.Delta_size: length(along),
            of.weights_change: sum(apart, arb(0)),
            of.M_change: length(change),
            its.weighted_spread: dot(apart, squares),
        }


def of_head(claim: Claim, head: SampledHead) -> Point:
    """The quantities of a head that a claim is about, and the objects of its proofs."""
    found = {x: value for x, value in head_point(head).items() if x in claim.domains}
    return {**objects_of_head(head), **found}


def behind_tanh(head: SampledHead, scale: float) -> Point:
    """Gradient and Hessian of scale tanh(z), |U| for the bound B, and the bounds of scale tanh."""
    with precise():
        balls = HeadBalls(head)
        t = balls.z.tanh()
        first, second = scale * (1 - t * t), -2 * scale * t * (1 - t * t)
        g, n = balls.gradient, 2 * balls.d
        H = balls.full_hessian
        whole = [[first * H[i, j] + second * g[i] * g[j] for j in range(n)] for i in range(n)]
        u = length(balls.U)
        return {
            of.u: u,
            of.B: u.max(arb(2) ** -60),
            of.sigma_1: scale,
            of.sigma_2: scale * 4 / arb(27).sqrt(),
            of.h_gradient: first * length(g),
            of.h_hessian: spectral_norm(arb_mat(whole)),
            of.z_gradient: length(g),
            of.z_hessian: spectral_norm(H),
        }
