"""Section 2.1: Equations (1) and (2) entry by entry, beside the products of matrices in the text.

Algorithm 1 computes the entries.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from theorems.attention_limit.letters.table import claim
from theorems.engine import Discrepancy, sentence

_ROOTS = {1: 1, 4: 2, 16: 4}  # so that all numbers are floats without rounding
_NUMBERS = st.integers(0, 2**32 - 1)

SCORES = claim(
    "attn.eq1",
    at="Equation (1)",
    title="The scores, as a product of matrices and entry by entry",
    states=sentence(
        r"\Bigl(\frac{$Q_queries {$K_keys}^\top}{\sqrt{n}}\Bigr)_{ij}"
        r" = n^{-$power} ($W_query $x_i)^\top $W_key $x_j,"
        r" \quad $Q_queries = $X_inputs {$W_query}^\top, \ $K_keys = $X_inputs {$W_key}^\top",
        power=Fraction(1, 2),
    ),
)
OUTPUTS = claim(
    "attn.eq2",
    at="Equation (2); Appendix B.1",
    title="The output of all heads, as a product of matrices and by Algorithm 1",
    states=sentence(
        r"\Bigl(\sum_{a \le H} \frac{$A_head $V_values {$W_out}^\top}{\sqrt{H}}\Bigr)_i"
        r" = H^{-$power} \sum_{a \le H} \sum_{j \le s} $A_entry $W_out $W_value $x_j,"
        r" \quad $V_values = $X_inputs {$W_value}^\top",
        power=Fraction(1, 2),
    ),
)


def _whole(rng: np.random.Generator, *shape: int) -> Floats:
    """Small whole numbers as floats."""
    return rng.integers(-3, 4, shape).astype(float)


_SHAPES = st.tuples(st.sampled_from(sorted(_ROOTS)), st.integers(1, 3), _NUMBERS)


@SCORES.tested(over=_SHAPES, cases=40)
def whole_matrices(case: tuple[int, int, int], power: Any) -> Discrepancy:
    """Matrices of whole numbers, without rounding."""
    n, s, seed = case
    rng = np.random.default_rng(seed)
    x, query, key = _whole(rng, s, n), _whole(rng, n, n), _whole(rng, n, n)
    product = (x @ query.T) @ (x @ key.T).T / _ROOTS[n]
    entries = [[float((query @ x[i]) @ (key @ x[j])) for j in range(s)] for i in range(s)]
    error = np.abs(product - float(n) ** -float(power) * np.array(entries)).max()
    return Discrepancy(float(error), 0.0)


@OUTPUTS.tested(over=_SHAPES, cases=40)
def whole_matrices_and_weights(case: tuple[int, int, int], power: Any) -> Discrepancy:
    """Any attention weights, those of a softmax among them; heads one, four and sixteen."""
    heads, s, seed = case
    rng, n = np.random.default_rng(seed), 3
    x, weights = _whole(rng, s, n), _whole(rng, heads, s, s)
    value, out = _whole(rng, heads, n, n), _whole(rng, heads, n, n)
    product = sum(weights[a] @ (x @ value[a].T) @ out[a].T for a in range(heads)) / _ROOTS[heads]
    rows = np.zeros((s, n))
    for a, i, j in np.ndindex(heads, s, s):
        rows[i] += weights[a, i, j] * (out[a] @ (value[a] @ x[j]))
    error = np.abs(product - float(heads) ** -float(power) * rows).max()
    return Discrepancy(float(error), 0.0)
