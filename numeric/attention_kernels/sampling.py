"""NNGP and NTK of attention with independent queries and keys, zeta a map of rows: by sampling.

With S the kernel that queries and keys see, on both sequences of a pair, and L L^T = S, the scores
are sigma_QK L_x Z L_x^T for a Gaussian Z. A draw of them gives the matrices zeta(G(x)) V
zeta(G(x'))^T, and with the Jacobians J_a of zeta in row a, sum V_ij K_de J_a,id(x) J_b,je(x').
"""

import numpy as np

from numeric.arguments import Floats
from numeric.attention_kernels.layer import AttentionKernel, RowMap
from numeric.attention_kernels.pairs import Pairs


class _Sums:
    """Sums of draws and of their squares, from the first draw, so that few digits are lost."""

    def __init__(self) -> None:
        self.count = 0
        self.origin, self.total, self.squares = (np.zeros(()) for _ in range(3))

    def add(self, draws: Floats) -> None:
        if not self.count:
            self.origin = draws[0]
        self.count += len(draws)
        moved = draws - self.origin
        self.total = self.total + moved.sum(axis=0)
        self.squares = self.squares + (moved * moved).sum(axis=0)

    def mean_and_error(self) -> tuple[Floats, Floats]:
        mean = self.total / self.count
        variance = np.maximum(self.squares / self.count - mean * mean, 0.0)
        return self.origin + mean, np.sqrt(variance / (self.count - 1))


def sampled_pair(
    pair: Pairs, layer: AttentionKernel, zeta: RowMap, rng: np.random.Generator, count: int
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats] | None]:
    """Kernel and NTK of one pair, each with its standard errors, from so many draws."""
    size = max(1, (1 << 18) // max(*pair.scores.shape[1:], 1) ** 3)
    nngp, ntk = _Sums(), _Sums()
    wanted = pair.score_tangents is not None
    for start in range(0, count, size):
        draws = _scores(pair, layer.query_key_std, rng, min(size, count - start))
        kernel, tangent = _estimates(pair, layer, zeta, *draws)
        nngp.add(kernel)
        if wanted:
            ntk.add(tangent)
    return nngp.mean_and_error(), ntk.mean_and_error() if wanted else None


def _scores(pair: Pairs, std: float, rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Draws of G(x) and G(x'), (count, s, s) and (count, t, t); -infinity at absent tokens."""
    cross = pair.scores[0]
    s, t = cross.shape
    joint = np.block([[pair.first[0], cross], [cross.T, pair.second[0]]])
    # what stands at absent tokens may be of any size, and would be seen in the digits of the others
    here = ~np.concatenate([pair.first_absent[0], pair.second_absent[0]])
    joint = np.where(np.outer(here, here), joint, 0.0)
    eigenvalues, vectors = np.linalg.eigh(joint)
    root = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    z = std * rng.standard_normal((count, s + t, s + t))
    first, second = root[:s], root[s:]
    return (
        np.where(pair.first_absent[0], -np.inf, first @ z @ first.T),
        np.where(pair.second_absent[0], -np.inf, second @ z @ second.T),
    )


def _estimates(
    pair: Pairs, layer: AttentionKernel, zeta: RowMap, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """One estimate a draw of the kernel and of the NTK."""
    output, query = layer.value_output_std**2, layer.query_key_std**2
    one, other = zeta.mapped(first), zeta.mapped(second).transpose(0, 2, 1)
    values, scores = pair.values[0], pair.scores[0]
    nngp = output * (one @ values @ other)
    if pair.score_tangents is None or pair.value_tangents is None:
        return nngp, nngp
    seen = scores + pair.score_tangents[0]
    if zeta.contracted is not None:
        contracted, both = zeta.contracted, (first, second)
    else:
        contracted, both = _contracted, (zeta.jacobian(first), zeta.jacobian(second))
    ahead = seen * contracted(*both, values, scores) + scores * contracted(*both, values, seen)
    tangent = one @ (values + pair.value_tangents[0]) @ other
    return nngp, nngp + output * (tangent + query * ahead)


def _contracted(first: Floats, second: Floats, values: Floats, keys: Floats) -> Floats:
    """sum_(i j d e) V_ij K_de J_a,id J'_b,je for every draw, a and b."""
    count, s, t = *first.shape[:2], second.shape[1]
    moved = (values @ second @ keys.T).reshape(count, t, s * s)
    result: Floats = first.reshape(count, s, s * s) @ moved.transpose(0, 2, 1)
    return result
