"""Outputs of an attention layer drawn from their exact law, against drawing the weight matrices."""

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.exact_law import best
from numeric.networks.attention import (
    AttentionLayer,
    sample_attention,
    sample_input_factors,
    sample_inputs,
    sample_output_variances,
)

_HEADS, _TOKENS, _DRAWS = 2, 4, 50_000
_OF_THE_FIGURE = 10  # trials at each width


def run(console: Console) -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    table = Table(title=f"One output of {_HEADS} heads over {_TOKENS} tokens")
    for heading in ("width", "law, microseconds", "direct, x", "Figure 1 by the law, s"):
        table.add_column(heading, justify="right")
    total = 0.0
    for width in (16, 64, 256, 1024):
        layer, x = AttentionLayer(_HEADS, width), sample_inputs(None, width, _TOKENS, rng)[0]
        law = best(lambda width=width, layer=layer: _from_the_law(width, layer, rng))
        direct = best(lambda layer=layer, x=x: sample_attention(x, layer, rng), 3)
        total += _OF_THE_FIGURE * law
        cells = (f"{1e6 * law / _DRAWS:.2f}", f"{direct * _DRAWS / law:.0f}", f"{total:.2f}")
        table.add_row(str(width), *cells)
    console.print(table)


def _from_the_law(width: int, layer: AttentionLayer, rng: np.random.Generator) -> object:
    factors = sample_input_factors(None, width, _TOKENS, rng, _DRAWS)
    variances = sample_output_variances(factors, layer, rng)
    return np.sqrt(variances) * rng.standard_normal(_DRAWS)
