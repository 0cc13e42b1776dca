"""Appendix A: targets of the regressions, sizes of subsets, distances of kernel matrices."""

from theorems.engine import Given, Hypothesis, Provenance, eq, gt
from theorems.engine.rules import Theorem, inner
from theorems.infinite_attention.letters.experiments import (
    C_classes,
    K_matrix,
    kernel_ratio,
    subset_size,
)
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
    given=[C_classes],
    provenance=Provenance.DERIVED,
)


@TARGETS.proved("sum", "squares")
def one_class_against_all_others(given: Given) -> Theorem:
    """One target of the right class, C - 1 of wrong ones."""
    return given.follows()


NONZERO = Hypothesis(
    "nonzero_limit",
    "the limit of the kernel matrices is not zero",
    gt(inner(K_matrix, K_matrix), 0),
)
_DIFFERENCE = (kernel_ratio - 1) * K_matrix

DISTANCE = claim(
    "inf.eq15",
    at="Equation (15)",
    title="The relative distance sees an error of scale as its square",
    states=eq(inner(_DIFFERENCE, _DIFFERENCE) / inner(K_matrix, K_matrix), (kernel_ratio - 1) ** 2),
    given=[K_matrix, kernel_ratio],
    assuming=NONZERO,
    provenance=Provenance.DERIVED,
)


@DISTANCE.proved()
def numbers_come_out(given: Given) -> Theorem:
    """The Frobenius inner product is bilinear."""
    return given.follows()


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
