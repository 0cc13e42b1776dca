"""Lemmas 5, 8 and 13: heads, columns and outputs are exchangeable, and why tokens are not."""

from collections.abc import Callable
from itertools import combinations_with_replacement

from sympy import Expr, Symbol, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Choice, Obligations, Provenance, sentence
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_kernels.md#exchangeability"
BRIDGE = (
    "Given the inputs they are one function of independent weights of one law, so that a"
    " permutation of them is one of weights, and there may be as many of them as one likes; what is"
    " computed are joint moments of two of them."
)

SQUARE_A, SQUARE_I, PRODUCT = symbols("S_aa S_ii S_ai", real=True)
_GRAM = {"aa": SQUARE_A, "ii": SQUARE_I, "ai": PRODUCT, "ia": PRODUCT, "--": 1}
#: Joint moments up to this order are compared.
_ORDER = 4


def _entry(matrix: str, token: str) -> Symbol:
    """An entry of a column of queries, keys or values, or (no token) of output weights."""
    return Symbol(f"{matrix}{token}", real=True)


def _covariance(one: Symbol, other: Symbol) -> Expr:
    """That of the tokens' inputs for entries of one column, else 0."""
    (matrix, token), (second, next_token) = ((x.name[:-1], x.name[-1]) for x in (one, other))
    return _GRAM[token + next_token] if matrix == second else 0


def _score(head: int, key: str) -> Expr:
    """A score of token a, of one column of queries and keys."""
    return _entry(f"Q{head}", "a") * _entry(f"K{head}", key)


def _output(column: int) -> Expr:
    """An output of one head with one value and the map of the scores 1 at token i alone."""
    return _entry("V", "i") * _entry(f"W{column}", "-")


PAIRS = {
    "heads": (_score(1, "i"), _score(2, "i")),
    "columns": (_entry("Q1", "a"), _entry("Q2", "a")),
    "outputs": (_output(1), _output(2)),
    "tokens": (_score(1, "a"), _score(1, "i")),
}


def joint_moment(which: str, powers: tuple[int, int]) -> Expr:
    """That of a pair of variables, given the inputs, in their mean products."""
    one, other = PAIRS[which]
    letters = sorted(one.free_symbols | other.free_symbols, key=str)
    return gaussian_mean(one ** powers[0] * other ** powers[1], letters, _covariance)


def same_both_ways(which: str, over: Callable[[Expr], Expr] = lambda moment: moment) -> Obligations:
    """The joint moments of a pair and of the pair in the other order.

    ``over`` takes the mean over what else is random, of what is the moment given this.
    """
    for p, q in combinations_with_replacement(range(_ORDER + 1), 2):
        if p + q <= _ORDER:
            moments = (over(joint_moment(which, powers)) for powers in ((p, q), (q, p)))
            yield f"moments of orders {p} and {q}", bool(next(moments) == next(moments))


_TOKENS = Choice(r"\text{tokens}", "tokens")

LAYER = claim(
    "inf.lem5",
    at="Lemma 5",
    title="Heads, columns of one head and columns of outputs are exchangeable",
    states={
        "outputs": sentence(
            r"$layer_entry_n \text{ exchangeable over } $which", which=Choice(r"\text{columns } i", "outputs")
        ),
        "heads": sentence(
            r"$head_n, $scores_n, $queries_n, $keys_n, $values_n \text{ exchangeable over } $which",
            which=Choice(r"\text{heads } h", "heads"),
        ),
        "columns": sentence(
            r"$head_entry_n, $query_entry_n, $value_entry_n \text{ exchangeable over } $which",
            which=Choice(r"\text{columns } i", "columns"),
        ),
    },
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@LAYER.argued("outputs", "heads", "columns", bridge=BRIDGE, controls={"tokens": {"which": _TOKENS}})
def weights_of_one_law(which: str) -> Obligations:
    """Joint moments are the same in either order; those of two tokens' scores are not."""
    return same_both_ways(which)
