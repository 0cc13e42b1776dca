"""Appendix D.1.2: probabilities of compact sets, and of balls, where laws converge."""

import sympy as sp
from sympy import Interval, Symbol, limit, oo

from theorems.attention_limit.letters.averages import charge, spheres
from theorems.attention_limit.letters.table import claim
from theorems.engine import Choice, Given, Hypothesis, Obligations, Provenance, Severity, le, sentence
from theorems.engine.rules import Theorem, sums

_AT = "Appendix D.1.2"
_NOTE = "proofs_notes/attn_proofs.md#the-supremum-and-the-mean"
_IMPLIED = (
    r"$converging \xrightarrow{d} $converging_limit \implies"
    r" \mathbb{P}($converging \in $K_places) \to \mathbb{P}($converging_limit \in $K_places),"
    r" \quad $K_places $which"
)
_COMPACT = Choice(r"\text{ any compact set}", "compact")
_NULL = Choice(r"\text{ any ball with } \mathbb{P}(\mathring{p} \in \partial K) = 0", "null")

COMPACT = claim(
    "attn.d12.borel",
    at=_AT,
    title="Probabilities of compact sets converge where laws do",
    states=sentence(_IMPLIED, which=_COMPACT),
    note=_NOTE,
)


@COMPACT.refuted(severity=Severity.EDGE, controls={"null boundary": {"which": _NULL}})
def one_over_n(which: str) -> Obligations:
    """The numbers 1/n tend to 0, which lies in [-1, 0], and none of them does."""
    n, K = Symbol("n", integer=True, positive=True), Interval(-1, 0)
    yield "the laws converge", limit(1 / n, n, oo) == 0
    yield "the set is one of these", which == "compact" or not K.boundary.contains(0)
    yield "no probability at any n", K.contains(1 / n) == sp.false
    yield "all of it in the limit", K.contains(0) == sp.true


DISJOINT = Hypothesis(
    "disjoint_spheres",
    "each of $spheres spheres of different radii around the origin has a probability of at least"
    " $charge under one law",
)
_k = Symbol("k", integer=True, nonnegative=True)
_probability = sp.Function("probability", nonnegative=True)

SPHERES = claim(
    "attn.d12.spheres",
    at=_AT,
    title="Only countably many spheres around the origin have a positive probability",
    states=le(spheres * charge, 1),
    assuming=[DISJOINT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SPHERES.proved()
def disjoint_events(given: Given) -> Theorem:
    """The probabilities of disjoint events add up to one at most."""
    counted, over = {_k: sp.Range(oo)}, {x: given.domain[x] for x in (spheres, charge)}
    each = given.supposed(DISJOINT, le(charge, _probability(_k)), over={**counted, **over})
    added = sums.summed(each, _k, spheres)
    apart = sums.linear(added.statement.lhs)
    total = given.supposed(DISJOINT, le(sp.Sum(_probability(_k), (_k, 0, spheres - 1)), 1), over=over)
    return given.follows(added, apart, total)


BALLS = COMPACT.corrected(
    "attn.d12.borel.corrected",
    title="Probabilities of balls converge, but for countably many radii",
    states=sentence(_IMPLIED, which=_NULL),
    rests_on=["attn.lemC2", SPHERES],
    discharging={DISJOINT: "spheres of different radii are disjoint"},
    note=_NOTE,
)


@BALLS.argued(
    bridge="It is the last part of Lemma C.2. At most k spheres have a probability of 1/k, so that"
    " all but countably many radii are admitted, and balls as large as one likes.",
    controls={"compact sets": {"which": _COMPACT}},
)
def boundary_of_a_ball(which: str) -> Obligations:
    """A set whose boundary is not charged: [-1, 0] is none for the limit 0, and [-1, 1] is one."""
    n = Symbol("n", integer=True, positive=True)
    for K in (Interval(-1, 0), Interval(-1, 1)):
        converges = K.contains(1 / (n + 1)) == K.contains(0)
        excluded = which == "null" and bool(K.boundary.contains(0))
        yield f"{K}", converges or excluded
