"""Remark 1: one matrix stands for queries and keys; its rank, and its law."""

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy import sqrt

from symbolic.equality import equal
from theorems.engine import Choice, Given, Hypothesis, Obligations, Provenance, eq, ge, gt, iff, sentence
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.hypotheses import NORMAL_KEYS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, d
from theorems.shallow_transformer.model.letters import fourth_moment, fullest_rank, squares_covariance
from theorems.shallow_transformer.premises.named import NETWORKS

NOTE = "proofs_notes/st_softmax.md#queries-and-keys"


def real_letters(name: str, rows: int, columns: int = 1) -> Any:
    """A matrix of real letters."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


LOGITS = claim(
    "st.rem1",
    at="Remark 1",
    title="The logits depend on queries and keys through one matrix",
    states={
        "logits": sentence(
            r"$beta($W_K $X)^\top($W_Q $q) = $X^\top($product)$q",
            product=Choice(r"\beta W_K^\top W_Q", ("beta", "keys", "queries")),
        ),
        "values": sentence(r"$U^\top($W_V $X$alpha) = ($W_V^\top $U)^\top $X$alpha"),
    },
    note=NOTE,
)


@LOGITS.argued(
    "logits",
    bridge="Both sides are products of the same matrices in the same order, as products of"
    " matrices are associative and transposition turns them round.",
    controls={
        "swapped": {"product": Choice(r"\beta W_Q^\top W_K", ("beta", "queries", "keys"))},
        "without_beta": {"product": Choice(r"W_K^\top W_Q", ("one", "keys", "queries"))},
    },
)
def for_symbolic_shapes(product: Any) -> Obligations:
    """SymPy's normal form of products of any shapes, and entry by entry for small ones."""
    rows, columns, width = sp.symbols("k d T", integer=True, positive=True)
    keys, queries = sp.MatrixSymbol("W_K", rows, columns), sp.MatrixSymbol("W_Q", rows, columns)
    tokens, one = sp.MatrixSymbol("X", columns, width), sp.MatrixSymbol("q", columns, 1)
    scale, first, second = product
    values = {"beta": of.beta, "one": sp.Integer(1), "keys": keys, "queries": queries}
    inside = values[first].T * values[second]
    left = (of.beta * (keys * tokens).T * (queries * one)).doit()
    yield "any shapes", bool(left == (values[scale] * tokens.T * inside * one).doit())
    for size in ((1, 2), (2, 1), (2, 2)):
        values["keys"], values["queries"] = real_letters("K", *size), real_letters("Q", *size)
        small, vector = real_letters("X", size[1], 2), real_letters("q", size[1])
        direct = of.beta * (values["keys"] * small).T * (values["queries"] * vector)
        matrix = values[scale] * values[first].T * values[second]
        yield f"k, d = {size}", equal(direct, small.T * matrix * vector)


@LOGITS.argued("values", bridge="Products of matrices are associative, and transposition turns them round.")
def values_act_on_the_read_out() -> Obligations:
    """SymPy's normal form of products of any shapes."""
    columns, width = sp.symbols("d T", integer=True, positive=True)
    u, tokens = sp.MatrixSymbol("U", columns, 1), sp.MatrixSymbol("X", columns, width)
    V, weights = sp.MatrixSymbol("W_V", columns, columns), sp.MatrixSymbol("alpha", width, 1)
    left = (u.T * (V * tokens * weights)).doit()
    yield "values", bool(left == ((V.T * u).T * tokens * weights).doit())


_NONZERO = Hypothesis("nonzero_scaling", "the scaling is not zero", sp.Ne(of.beta, 0, evaluate=False))

RANK = claim(
    "st.rem1.rank",
    at="Remark 1",
    title="Which matrices are products of keys and queries; all if and only if k is at least d",
    states={
        "products": sentence(
            r"\{$beta $W_K^\top $W_Q\} = \{$W : \operatorname{rank}$W \le $k\}"
            r" \quad \text{for } $W_K, $W_Q \in \mathbb{R}^{$k\times $d}"
        ),
        "all matrices": iff(eq(fullest_rank(of.k, d), d), ge(of.k, d)),
    },
    assuming=[_NONZERO],
    rests_on=[LOGITS],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@RANK.argued(
    "products",
    bridge="A product through k dimensions has rank at most k, in every dimension; the scaling"
    " goes into the keys.",
    uses=[_NONZERO],
)
def minors_vanish() -> Obligations:
    """All minors of order k + 1 of W_KᵀW_Q vanish, in letters."""
    for rows, columns in ((1, 2), (2, 3)):
        keys, queries = real_letters("K", rows, columns), real_letters("Q", rows, columns)
        minor = (keys.T * queries)[: rows + 1, : rows + 1].det()
        yield f"k = {rows}", equal(sp.expand(minor), sp.Integer(0))


@RANK.argued(
    "products",
    bridge="Row reduction factors every matrix through as many dimensions as its rank, and rows of"
    " zeros fill up to k.",
    uses=[_NONZERO],
)
def factors_of_a_matrix() -> Obligations:
    """W = L R with L of d × r and R of r × d where r is the rank of W."""
    cases = (sp.Matrix([[1, 2], [2, 4]]), sp.Matrix([[0, 1], [2, 3]]),
             sp.Matrix([[1, 2, 3], [4, 5, 6], [5, 7, 9]]), sp.zeros(2))  # fmt: skip
    for one in cases:
        reduced, pivots = one.rref()
        rank = len(pivots)
        left, right = one[:, list(pivots)], reduced[:rank, :]
        product = left * right if rank else sp.zeros(*one.shape)
        yield f"{one.tolist()}", bool(product == one and rank == one.rank())


@RANK.proved("all matrices")
def rank_of_the_identity(given: Given) -> Theorem:
    """The largest rank of a product is the smaller one of k and d; the identity has rank d."""
    largest = fullest_rank(of.k, d)
    known = NETWORKS.meaning("largest rank of a product", eq(largest, largest.unfolded()))
    return given.follows(known)


LAW = claim(
    "st.rem1.law",
    at="Remark 1",
    title="The law of the product of keys and queries is neither normal nor of independent entries",
    states={
        "covariance": sentence(
            r"\mathbb{E}W_{ij} = $mean, \quad \operatorname{Cov}(W_{ij},W_{i'j'})"
            r" = $variance\,\delta_{ii'}\delta_{jj'} \quad \text{for } W = $beta $W_K^\top $W_Q",
            mean=0,
            variance=of.beta**2 * of.k,
        ),
        "fourth moment": eq(fourth_moment(of.beta, of.k), of.beta**4 * (3 * of.k**2 + 6 * of.k)),
        "shared keys": eq(squares_covariance(of.beta, of.k), 2 * of.beta**4 * of.k),
        "at the paper's variance": [
            eq(fourth_moment(1 / sqrt(of.k), of.k), 3 + 6 / of.k),
            gt(fourth_moment(1 / sqrt(of.k), of.k), 3),
            gt(squares_covariance(1 / sqrt(of.k), of.k), 0),
        ],
    },
    assuming=[NORMAL_KEYS],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


def mean(polynomial: Any) -> Any:
    """The mean of a polynomial in independent standard normal letters."""
    total = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(polynomial)):
        value, letters = term.as_coeff_Mul()
        for letter, power in letters.as_powers_dict().items():
            if letter not in (of.beta, 1):
                value *= sp.factorial2(power - 1) if power % 2 == 0 else 0
        total += value * of.beta ** term.as_powers_dict().get(of.beta, 0)
    return total


def _product(rows: int) -> Any:
    return of.beta * real_letters("K", rows, 2).T * real_letters("Q", rows, 2)


_SUMMANDS = (
    "Entries are sums of k independent copies of a product of two normals, so that moments are"
    " polynomials in k of the degree that a few values of k determine."
)


@LAW.argued("covariance", bridge=_SUMMANDS, uses=[NORMAL_KEYS])
def uncorrelated_entries(mean: Any, variance: Any) -> Obligations:
    """Moments of polynomials in normal letters, k = 1, 2, 3."""
    for rows in (1, 2, 3):
        entries = _product(rows)
        yield f"k = {rows}: mean", equal(_mean(entries[0, 0]), sp.sympify(mean))
        expected = sp.sympify(variance).subs(of.k, rows)
        yield f"k = {rows}: variance", equal(_mean(entries[0, 0] ** 2), expected)
        for other in (entries[0, 1], entries[1, 0], entries[1, 1]):
            yield f"k = {rows}: uncorrelated", equal(_mean(entries[0, 0] * other), sp.Integer(0))


_mean = mean


@LAW.argued("fourth moment", bridge=_SUMMANDS, uses=[NORMAL_KEYS])
def fourth_moments(given: Given) -> Iterator[Any]:
    """9k + 3k(k − 1) for any k, and the moment of the polynomial for k = 1, 2, 3."""
    left, right = given.goal.args
    yield "an equation", isinstance(given.goal, sp.Eq)
    yield "sums over one and two summands", equal(left.unfolded(), right)
    for rows in (1, 2, 3):
        found = _mean(_product(rows)[0, 0] ** 4)
        yield f"k = {rows}", equal(found, right.subs(of.k, rows))


@LAW.argued("shared keys", bridge=_SUMMANDS, uses=[NORMAL_KEYS])
def squares_of_a_row(given: Given) -> Iterator[Any]:
    """Given the keys, W_ij and W_ij′ are independent of variance β²|K_i|², and E|K|⁴ = k² + 2k."""
    left, right = given.goal.args
    yield "an equation", isinstance(given.goal, sp.Eq)
    yield "sums over one and two summands", equal(left.unfolded(), right)
    for rows in (1, 2, 3):
        entries = _product(rows)
        squares = [entries[0, 0] ** 2, entries[0, 1] ** 2]
        found = _mean(squares[0] * squares[1]) - _mean(squares[0]) * _mean(squares[1])
        yield f"k = {rows}", equal(found, right.subs(of.k, rows))


@LAW.proved("at the paper's variance")
def scaled_moments(given: Given) -> Theorem:
    """3 + 6/k is not the 3 of a normal variable, and 2/k is not zero."""
    known = [
        NETWORKS.meaning("moments", eq(one, one.unfolded()))
        for one in (fourth_moment(1 / sqrt(of.k), of.k), squares_covariance(1 / sqrt(of.k), of.k))
    ]
    return given.follows(*known)
