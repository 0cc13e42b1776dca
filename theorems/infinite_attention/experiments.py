"""Appendix A: targets of the regressions, sizes of subsets, distances of kernel matrices."""

from typing import Any

import sympy as sp
from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, implies, le, rules
from theorems.engine.rules import E, Theorem, inner, sums
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.auxiliary.inner_products import Columns
from theorems.infinite_attention.letters.auxiliary import product_qq
from theorems.infinite_attention.letters.experiments import (
    C_classes,
    K_matrix,
    examples,
    kernel_ratio,
    mean_distance,
    outputs_count,
    subset_size,
    trace_k,
)
from theorems.infinite_attention.letters.network import S_aa, S_ab, S_bb
from theorems.infinite_attention.letters.table import claim

_RIGHT, _WRONG = (C_classes - 1) / C_classes, -1 / C_classes

TARGETS = claim(
    "inf.a.targets",
    at="Appendix A.1",
    title="The targets of one example add up to zero, and their squares to the right one",
    states={
        "sum": eq(_RIGHT + (C_classes - 1) * _WRONG, 0),
        "squares": eq(_RIGHT**2 + (C_classes - 1) * _WRONG**2, 1 - 1 / C_classes),
    },
    provenance=Provenance.DERIVED,
)


@TARGETS.proved("sum", "squares")
def one_class_against_all_others(given: Given) -> Theorem:
    """One target of the right class, C - 1 of wrong ones."""
    return given.follows()


NONZERO = Hypothesis(
    "nonzero_limit", "the limit of the kernel matrices is not zero", gt(inner(K_matrix, K_matrix), 0)
)
_DIFFERENCE = (kernel_ratio - 1) * K_matrix

DISTANCE = claim(
    "inf.eq15",
    at="Equation (15)",
    title="The relative distance sees an error of scale as its square",
    states=eq(inner(_DIFFERENCE, _DIFFERENCE) / inner(K_matrix, K_matrix), (kernel_ratio - 1) ** 2),
    assuming=NONZERO,
    provenance=Provenance.DERIVED,
)


@DISTANCE.proved()
def numbers_come_out(given: Given) -> Theorem:
    """The Frobenius inner product is bilinear."""
    return given.follows()


GAUSSIAN_OUTPUTS = Hypothesis(
    "gaussian_outputs",
    "the empirical kernel matrix is the mean over $outputs_count outputs of products of the values"
    " at two of $examples examples, and the outputs are independent, centred and normal with the"
    " limiting kernel matrix, of the trace $trace_k, as covariance",
)
_NORM = inner(K_matrix, K_matrix)

FLOOR = claim(
    "inf.eq15.floor",
    at="Equation (15)",
    title="At the limit the mean relative distance is at least two over the number of outputs",
    states={
        "mean": eq(mean_distance, (1 + trace_k**2 / _NORM) / outputs_count),
        "least": ge(mean_distance, 2 / outputs_count),
        "attained": implies(eq(trace_k**2, _NORM), eq(mean_distance, 2 / outputs_count)),
    },
    assuming=[NONZERO, GAUSSIAN_OUTPUTS],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_encodings.md#the-distance-of-kernel-matrices",
)
_entry, _covariance = randoms("entry"), sp.Function("covariance", real=True)
_variance = sp.Function("variance", nonnegative=True)
_norm_of_row, _distance_of_row = (sp.Function(f"{name} of row", real=True) for name in ("norm", "distance"))
_p, _q = (Symbol(name, integer=True, nonnegative=True) for name in "pq")
_NATURAL = {_p: sp.Range(sp.oo), _q: sp.Range(sp.oo)}


def _total(term: Expr, index: Symbol) -> sp.Sum:
    return sp.Sum(term, (index, 0, examples - 1))


def _one_entry(given: Given) -> Theorem:
    """The variance of an entry of the empirical matrix, a mean of products of two outputs."""
    law = Columns(product_qq, GAUSSIAN_OUTPUTS, (S_aa, S_bb), S_ab, outputs_count)
    moments = law.moments(given)
    variance = law.parts(S_ab, S_aa * S_bb + S_ab**2)["variance"]
    ranges = {x: range_ for one in moments for x, range_ in one.over.items()}
    known = rules.follows(variance, moments, over=ranges)
    at = {product_qq: _entry(_p, _q), **{S_aa: _variance(_p), S_bb: _variance(_q), S_ab: _covariance(_p, _q)}}
    return known.at(at)


def _rows(given: Given) -> Theorem:
    """Names of the sums over the second of two examples."""
    square = _covariance(_p, _q) ** 2
    variance = E(_entry(_p, _q) ** 2) - E(_entry(_p, _q)) ** 2
    return given.meaning(
        "sums over a row of the matrix",
        eq(_norm_of_row(_p), _total(square, _q)),
        eq(_distance_of_row(_p), _total(variance, _q)),
    )


def _both_sums(given: Given, each: Theorem, row: Boolean, whole: Boolean) -> Theorem:
    """What holds for each two examples, added up: first to a row, then to the whole."""
    letters = {x: given.domain[x] for x in (examples, outputs_count, trace_k)}
    inside = {**letters, _p: _NATURAL[_p]}
    columns = sums.summed(each, _q, examples, over=inside)
    of_row = _joined(given, columns, _q, row, inside)
    return _joined(given, sums.summed(of_row, _p, examples), _p, whole, letters)


def _joined(given: Given, added: Theorem, index: Symbol, goal: Boolean, over: dict[Symbol, Any]) -> Theorem:
    """The goal from a relation of sums, of which numbers come out, and from the trace."""
    trace = given.supposed(GAUSSIAN_OUTPUTS, eq(trace_k, _total(_variance(index), index)))
    parts = [sums.linear(one, over=over) for one in added.statement.args]
    known = [added, *parts, trace, *([_rows(given)] if index == _q else [])]
    return rules.follows(goal, known, over=over)


def _mean_of_the_square(given: Given) -> Theorem:
    """The variances of all entries add up to (tr K)² and the square of the norm, over m."""
    m = outputs_count
    row = eq(_distance_of_row(_p), (_variance(_p) * trace_k + _norm_of_row(_p)) / m)
    norm = _total(_norm_of_row(_p), _p)
    whole = eq(_total(_distance_of_row(_p), _p), (trace_k**2 + norm) / m)
    return _both_sums(given, _one_entry(given), row, whole)


def _norm_below_the_trace(given: Given) -> Theorem:
    """A covariance is at most the root of the product of both variances."""
    square = _covariance(_p, _q) ** 2
    each = given.supposed(GAUSSIAN_OUTPUTS, le(square, _variance(_p) * _variance(_q)))
    row = le(_norm_of_row(_p), _variance(_p) * trace_k)
    return _both_sums(given, each, row, le(_total(_norm_of_row(_p), _p), trace_k**2))


@FLOOR.proved("mean", "least", "attained")
def variances_of_all_entries(given: Given) -> Theorem:
    """The mean squared distance is the sum of the variances of all entries."""
    names = given.meaning(
        "the distance and the norm, by rows",
        eq(mean_distance * _NORM, _total(_distance_of_row(_p), _p)),
        eq(_NORM, _total(_norm_of_row(_p), _p)),
    )
    return given.follows(names, _mean_of_the_square(given), _norm_below_the_trace(given))


SIZES = claim(
    "inf.a.sizes",
    at="Appendix A.2.2",
    title="The subsets are the largest that eight devices with batches of twenty share evenly",
    states={
        "training": eq(subset_size(15000, 8, 20), 14880),
        "validation": eq(subset_size(10000, 8, 20), 9920),
        "test": eq(subset_size(25000, 8, 20), 24960),
    },
)


@SIZES.proved("training", "validation", "test")
def whole_batches(given: Given) -> Theorem:
    """93, 62 and 156 batches for each device."""
    return given.decided()
