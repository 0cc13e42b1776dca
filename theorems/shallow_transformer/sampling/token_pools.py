"""Sampled logits and tokens, for Facts 2 and 3 and Remark 3."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.softmax_jacobian import covariance, softmax
from theorems.engine import Rounded
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.sampling.objects import objects_of_tokens


@dataclass(frozen=True)
class Pool:
    """Logits and tokens in the unit ball, as rows."""

    logits: Floats
    tokens: Floats

    @property
    def mean(self) -> Floats:
        """The pooled token."""
        return np.asarray(softmax(self.logits) @ self.tokens)

    @property
    def covariance(self) -> Floats:
        """M."""
        return covariance(self.logits, self.tokens)

    def quantities(self) -> dict[Any, Any]:
        """The quantities of Facts 2 and 3."""
        lengths, M = np.linalg.norm(self.tokens, axis=1), self.covariance
        p = softmax(self.logits)
        return {
            of.a_size: _rounded(np.linalg.norm(self.mean)),
            of.mean_length: _rounded(p @ lengths),
            of.mean_square: _rounded(p @ lengths**2),
            of.M_norm: _rounded(np.linalg.norm(M, 2)),
            of.M_frobenius: _rounded(np.linalg.norm(M)),
            of.M_trace: _rounded(np.trace(M)),
        }


def _rounded(value: Any) -> Rounded:
    # Unit vectors have norms 1 up to d roundings; means and covariances are good to a few units in
    # the last place of 1.
    return Rounded(float(value), 64 * 2.0**-52)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Random tokens; equal ones; opposite ones; one token; unit ones; all with ties and gaps."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, d = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    z = draw(st.sampled_from([0.0, 1.0, 20.0])) * rng.standard_normal(size)
    rows = rng.standard_normal((size, d))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    kind = draw(st.sampled_from(["opposite", "equal", "unit", "inside"]))
    if kind == "inside":
        return Pool(z, unit * rng.uniform(0, 1, (size, 1)))
    if kind == "unit":
        return Pool(z, unit)
    sides = np.ones(size) if kind == "equal" else np.resize([1.0, -1.0], size)
    return Pool(z, sides[:, None] * unit[0])


def _only(pool: Pool, *letters: Any) -> dict[Any, Any]:
    found = pool.quantities()
    return {**objects_of_tokens(pool.tokens, pool.logits), **{one: found[one] for one in letters}}
