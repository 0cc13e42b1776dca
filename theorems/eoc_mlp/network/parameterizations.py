"""Remark 3: which choices give the NTK parameterization and the maximal update one."""

from typing import Any

from sympy import Rational, Symbol, sqrt, sympify

from symbolic.equality import equal
from theorems.engine import Obligations, half_line, integers, sentence
from theorems.eoc_mlp.letters import claim
from theorems.eoc_mlp.letters.network import l, widths

_HALF = Rational(1, 2)


REMARK_3 = claim(
    "eoc.rem3",
    at="Remark 3",
    # The factor of the NTP's first layer that depends on m_0 only is a scaling of x.
    title="Relation to the NTK parameterization and to μP",
    states={
        "NTP": sentence(r"{$scalings}_1 = \dots = {$scalings}_{$l} = $kernel: \text{NTP}", kernel=0),
        "μP": sentence(
            r"{$scalings}_1 = \dots = {$scalings}_{$l} = $rich,"
            r" \ {$widths}_1 = \dots = {$widths}_{$l-1} = $width: \mu\text{P}",
            rich=1,
            width=1,
        ),
    },
    note="proofs_notes/eoc_networks.md#scalings",
)
_TABLE = "The two parameterizations are those of the table of Yang and Hu (2021)."
for _part in REMARK_3.parts:
    REMARK_3.cited(
        "Yang and Hu (2021), Table 1",
        why="the two parameterizations are defined there; the exponents here are that table's",
        part=_part,
    )


#: For which the evidence is written.
_RANGES = {widths: half_line(1), l: integers(2)}


@REMARK_3.argued("NTP", bridge=_TABLE, over=_RANGES)
def no_multiplier_in_front(kernel: Any) -> Obligations:
    """Hidden and last layers are n^(-1/2) times matrices of deviation σ, n = m up to a factor."""
    yield from _table(kernel, 1, {"first": 0, "hidden": _HALF, "last": _HALF}, 0)


@REMARK_3.argued("μP", bridge=_TABLE, over=_RANGES)
def maximal_update(rich: Any, width: Any) -> Obligations:
    """The first layer is n^(1/2) and the last n^(-1/2) times a matrix of deviation σ n^(-1/2)."""
    yield from _table(rich, width, {"first": -_HALF, "hidden": 0, "last": _HALF}, _HALF)


def _table(q: Any, wide: Any, exponents: dict[str, Any], deviation: Any) -> Obligations:
    """Each layer is n^(-a_k) times a matrix of deviation σ n^(-b_k), n = m the width."""
    q, wide, unit = sympify(q), sympify(wide), Symbol("m", positive=True)
    width, sigma = 1 / sqrt(wide * unit), Symbol("sigma", positive=True)
    ours = {"first": unit ** (q / 2), "hidden": unit ** (q / 2) * width, "last": width}
    for layer, exponent in exponents.items():
        yield f"multiplier, {layer}", equal(ours[layer], unit**-exponent)
    yield "deviation", equal(sigma * unit ** (-q / 2), sigma * unit**-deviation)
