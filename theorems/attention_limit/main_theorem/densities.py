"""Example 3.1 with two tokens: the density of the output and its tail, in digits."""

from collections.abc import Callable
from typing import Any

from flint import arb

from numeric.balls import working_precision
from numeric.networks.attention import TwoTokenLaw
from theorems.attention_limit.letters.attention import sigma_key, sigma_out, sigma_query, sigma_value
from theorems.attention_limit.letters.limit import H
from theorems.attention_limit.letters.table import POSITIVE, SIZE, claim
from theorems.attention_limit.main_theorem.kurtosis import HIERARCHY
from theorems.attention_limit.premises.digits import begins
from theorems.engine import Hypothesis, Obligations, Provenance, sentence
from theorems.engine.statements.statement import Sentence

_AT = "Example 3.1; Remark 3.3"
_NOTE = "proofs_notes/attn_laws.md#values-for-two-tokens"

TWO_TOKENS = Hypothesis(
    "two_tokens",
    "$Z_y is an entry of the limit of the output of the first of two tokens in Example 3.1, and all"
    " heads have the same scales",
)

_SCALES = sigma_query, sigma_key, sigma_value, sigma_out
_SETTING = (
    r"$sigma_11 = $first,\ $sigma_12 = $both,\ $sigma_22 = $last,\ $H = $heads,\ "
    r"$sigma_query $sigma_key = $score,\ $sigma_value $sigma_out = $value: \quad "
    r"\lfloor {$ten}^{$places} \, "
)
_DENSITY = r"\tfrac{d}{dy} \mathbb{P}($Z_y \le y)|_{y = $point} \rfloor = $digits"
_TAIL = r"\mathbb{P}(|$Z_y| > $point) \rfloor = $digits"


def _of_unit_scales(asked: str, heads: int, point: int, places: int, digits: int) -> Sentence:
    return sentence(
        _SETTING + asked,
        first=1, both=0, last=1, heads=heads, score=1, value=1,
        ten=10, places=places, point=point, digits=digits,
    )  # fmt: skip


DENSITY = claim(
    "attn.ex31.density",
    at=_AT,
    title="Density at 0 and tail of the output for two uncorrelated tokens of unit variance",
    states={
        "density of one head": _of_unit_scales(_DENSITY, 1, 0, 23, 50685307382108649920329),
        "density of two heads": _of_unit_scales(_DENSITY, 2, 0, 23, 50354424504091760773605),
        "tail of one head": _of_unit_scales(_TAIL, 1, 2, 23, 1351479414593332391218),
        "tail of two heads": _of_unit_scales(_TAIL, 2, 2, 23, 1288482357916153944140),
    },
    assuming=[HIERARCHY, TWO_TOKENS],
    rests_on=["attn.kurtosis.two_tokens", "attn.ex31.range", "attn.ex31.far"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_POISSON = (
    "The difference of the two scores is normal with the variance that Example 3.1 gives it, and q"
    " a function of it. Poisson's summation formula turns values of the characteristic function"
    " into the density and its integral; what it leaves out is bounded by normal laws of the least"
    " and the largest variance, and each value is a product of integrals enclosed by rigorous"
    " integration."
)
_WRITTEN_FOR = {H: SIZE, **dict.fromkeys(_SCALES, POSITIVE)}


def _law(first: Any, both: Any, last: Any, heads: Any, score: Any, value: Any) -> TwoTokenLaw:
    return TwoTokenLaw([[first, both], [both, last]], heads, score, value)


def _decided(evaluate: Callable[[], arb], ten: Any, places: Any, digits: Any) -> bool | None:
    """Whether the digits are these, at the first precision that tells."""
    for prec in (50, 100):
        with working_precision(prec):
            found = begins(evaluate(), ten, places, digits)
        if found is not None:
            return found
    return None


@DENSITY.argued(
    "density of one head",
    "density of two heads",
    bridge=_POISSON,
    uses=[HIERARCHY, TWO_TOKENS],
    over=_WRITTEN_FOR,
)
def densities_by_summation(
    first: Any, both: Any, last: Any, heads: Any, score: Any, value: Any,
    ten: Any, places: Any, point: Any, digits: Any,
) -> Obligations:  # fmt: skip
    """(w/2π) Σ F(kw) cos(kwy), with F(u) = E e^(-u²V/2)."""
    law = _law(first, both, last, heads, score, value)
    yield "digits", _decided(lambda: law.density(point), ten, places, digits)


@DENSITY.argued(
    "tail of one head", "tail of two heads", bridge=_POISSON, uses=[HIERARCHY, TWO_TOKENS], over=_WRITTEN_FOR
)
def tails_by_summation(
    first: Any, both: Any, last: Any, heads: Any, score: Any, value: Any,
    ten: Any, places: Any, point: Any, digits: Any,
) -> Obligations:  # fmt: skip
    """1 - wt/π - (2/π) Σ F(kw) sin(kwt)/k."""
    law = _law(first, both, last, heads, score, value)
    yield "digits", _decided(lambda: 1 - law.mass(point), ten, places, digits)
