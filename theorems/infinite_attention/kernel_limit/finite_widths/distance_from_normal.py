"""Theorem 3: how near outputs of a layer of finite widths are to normal ones, given its inputs."""

import sympy as sp
from sympy import Abs, Expr, sqrt

from theorems.classical.gaussian_mixtures import Mixture
from theorems.classical.letters import normal_cdf
from theorems.engine import Given, Provenance, eq, gt, le, rules
from theorems.engine.rules import E, P, Theorem
from theorems.infinite_attention.kernel_limit.finite_widths.kurtosis import ALIVE, POSITIVE
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.letters.heads import layer_a, output_level, weighted_aa
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width
from theorems.infinite_attention.letters.table import claim

_W = weighted_aa


def _distance(deviation: Expr) -> Expr:
    """How far the distribution functions are apart at the level."""
    return Abs(P(le(layer_a, output_level)) - normal_cdf(output_level / deviation))


RATE = claim(
    "inf.thm3.rate",
    at="Theorem 3",
    title="An output of the layer is within a constant over the number of heads of a normal one",
    states=le(
        _distance(sqrt(sigma_o**2 * sigma_v**2 * E(_W))),
        ((1 + 2 / value_width) * E(_W**2) / E(_W) ** 2 - 1) / (2 * heads),
    ),
    given=dict.fromkeys((sigma_o, sigma_v), POSITIVE),
    assuming=[HEADS, LAYER, ALIVE],
    rests_on="inf.thm3.kurtosis",
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#distance-from-a-normal-law",
)


@RATE.proved()
def a_sixth_of_the_kurtosis(given: Given) -> Theorem:
    """Outputs are normal given scores and values, with a random variance."""
    given.require(LAYER)  # so that outputs are linear forms of all output weights
    near = Mixture(given, HEADS, layer_a, output_level).distance()
    moments = [given.fact("inf.thm3.kurtosis", part) for part in ("second", "fourth")]
    second, fourth = E(layer_a**2), E(layer_a**4)
    values = (fourth, second, sigma_o**2 * sigma_v**2, heads, 1 + 2 / value_width)
    in_numbers = dict(zip(_NUMBERS, (*values, E(_W**2), E(_W)), strict=True))
    ratio = given.substituted(_ratio(), in_numbers)
    same = given.follows(*moments, goal=sp.And(_POSITIVE, _FROM).xreplace(in_numbers))
    known = given.follows(same, ratio, goal=ratio.statement)
    return given.follows(near, moments[0], known)


_NUMBERS = sp.symbols("fourth second scale count share square mean", real=True)
_fourth, _second, _scale, _count, _share, _square, _mean = _NUMBERS
_POSITIVE = sp.And(*(gt(one, 0) for one in (_second, _scale, _count, _mean)))
_FROM = sp.And(
    eq(_second, _scale * _mean),
    eq(_fourth, 3 * _scale**2 / _count * (_share * _square + (_count - 1) * _mean**2)),
)


def _ratio() -> Theorem:
    """The excess kurtosis over six, from both moments."""
    excess = (_fourth / _second**2 - 3) / 6
    wanted = eq(excess, (_share * _square / _mean**2 - 1) / (2 * _count))
    dict.fromkeys(_NUMBERS, sp.Reals)
    return rules.follows(wanted, under=[_POSITIVE, _FROM])
