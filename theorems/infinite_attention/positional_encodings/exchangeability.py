"""Appendix C.1: exchangeability with positional encodings, and what makes for independence."""

from sympy import Expr, sqrt, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Choice, Obligations, sentence
from theorems.infinite_attention.exchangeability import (
    PRODUCT,
    SQUARE_A,
    SQUARE_I,
    joint_moment,
    same_both_ways,
)
from theorems.infinite_attention.letters.table import claim

BRIDGE = (
    "Given inputs and encodings they are one function of independent weights of one law, so that a"
    " permutation of them is one of weights; what is computed are joint moments of two of them, for"
    " an input of one column, with the mean over the encodings taken as well."
)
_alpha = symbols("alpha", positive=True)
_g = symbols("g_a g_i", real=True)
_encodings = symbols("E_a E_i", real=True)
_R_aa, _R_ii, _R_ai = symbols("R_aa R_ii R_ai", real=True)
_LAW = dict(zip([(x, y) for x in _encodings for y in _encodings], (_R_aa, _R_ai, _R_ai, _R_ii), strict=True))


def _encoded(moment: Expr) -> Expr:
    """A moment given inputs and encodings, of which one column is added to one of the inputs."""
    a, i = (sqrt(_alpha) * g + sqrt(1 - _alpha) * E for g, E in zip(_g, _encodings, strict=True))
    products = {SQUARE_A: a**2, SQUARE_I: i**2, PRODUCT: a * i}
    return moment.xreplace(products).expand()


def _mean(moment: Expr) -> Expr:
    """Its mean over the encodings."""
    return gaussian_mean(_encoded(moment), _encodings, _LAW)


_TOKENS = Choice(r"\text{tokens}", "tokens")

EXCHANGEABLE = claim(
    "inf.c1.exchangeable",
    at="Appendix C.1",
    title="With encodings heads and columns are exchangeable, and independent given the encodings",
    states={
        "outputs": sentence(
            r"$layer_entry_n \text{ with encodings exchangeable over } $which",
            which=Choice(r"\text{columns } i", "outputs"),
        ),
        "heads": sentence(
            r"$head_n, $scores_n, $queries_n, $keys_n, $values_n \text{ with encodings exchangeable"
            r" over } $which",
            which=Choice(r"\text{heads } h", "heads"),
        ),
        "columns": sentence(
            r"$head_entry_n, $query_entry_n, $value_entry_n \text{ with encodings exchangeable over"
            r" } $which",
            which=Choice(r"\text{columns } i", "columns"),
        ),
        "independent": sentence(
            r"($query_entry_n, x \in $all_inputs)_i \text{ and } ($scores_n, x \in $all_inputs)_h"
            r" \text{ independent given } $layer_inputs_n $known",
            known=Choice(r"\text{ and } E_n", True),
        ),
    },
    rests_on="inf.lem5",
    note="proofs_notes/inf_encodings.md#exchangeability-with-encodings",
)


@EXCHANGEABLE.argued("outputs", "heads", "columns", bridge=BRIDGE, controls={"tokens": {"which": _TOKENS}})
def weights_of_one_law(which: str) -> Obligations:
    """Joint moments are the same in either order, over random encodings as well."""
    return same_both_ways(which, _mean)


@EXCHANGEABLE.argued(
    "independent", bridge=BRIDGE, controls={"inputs_alone": {"known": Choice(r"\text{ alone}", False)}}
)
def products_of_moments(known: bool) -> Obligations:
    """Second moments are a product given the encodings; these are common to all, so not else."""
    over = _encoded if known else _mean
    for which in ("columns", "heads"):
        both = over(joint_moment(which, (2, 2)))
        alone = over(joint_moment(which, (2, 0))) * over(joint_moment(which, (0, 2)))
        yield which, bool((both - alone).expand() == 0)
