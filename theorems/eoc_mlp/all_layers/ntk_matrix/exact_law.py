"""Definition 20: the exact law of the NTK matrix at finite width, without layer matrices."""

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np
from hypothesis import assume
from sympy import Function, Rational, Sum, Symbol, expand, symbols, sympify

from numeric.arguments import Floats
from numeric.networks import MLP, forward_pass, ntk, sample_ntk
from numeric.networks.exact_law import Layer, draw_ntk
from numeric.networks.long_vectors import triangular_factor
from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.equality import equal
from theorems.engine import Choice, Discrepancy, Given, Obligations, Provenance, eq, sentence
from theorems.engine.rules import E, Random, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.eoc_mlp.all_layers.ntk_matrix.sampled import Case, RecordedLayer, cases, drawn_with_matrices
from theorems.eoc_mlp.hypotheses import ORTHONORMAL_BASIS
from theorems.eoc_mlp.letters import SIGMA, claim, y_any, z_any
from theorems.eoc_mlp.letters.table import random, vector
from theorems.eoc_mlp.premises.linear_forms import covariance_of_forms
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.networks import inputs_at

Words = dict[tuple[str, ...], Any]
_NOTE = "proofs_notes/eoc_exact_law.md#the-law"

gradient_1 = vector("gradient_1", "g", "vector that is propagated back through a layer")
gradient_2 = vector("gradient_2", "g'", "another vector that is propagated back")
pulled_1 = random(
    "pulled_1",
    r"\langle A^*g, y\rangle",
    "entry along y of what becomes of g; A has independent centred normal entries of deviation σ",
)
pulled_2 = random(
    "pulled_2", r"\langle A^*g', z\rangle", "entry along z of what becomes of g' under the same matrix"
)

_OFF = Choice(r"\mathcal{I} - QQ^*", 1)  # the value is how often the part on the space is taken off

SPLIT = claim(
    "eoc.exact_law.split",
    at="Definition 20; Section 3.1",
    title="A Gaussian matrix on a subspace is Gaussian, and independent of its part off it",
    states=sentence(
        r"\text{if the entries of } $A \text{ are independent } \mathcal{N}($zero, v)"
        r" \text{ and } Q^*Q = $gram \text{, so are those of } $A Q \text{, and independent of }"
        r" $A($off)",
        zero=0,
        gram=Choice(r"\mathcal{I}", 1),
        off=_OFF,
    ),
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@SPLIT.argued(
    bridge="Rows are independent, and uncorrelated parts of a normal vector are; words in Q and Q*"
    " stand for matrices of all sizes.",
    controls={
        "longer_columns": {"gram": Choice(r"\tfrac{101}{100}\mathcal{I}", Rational(101, 100))},
        "nothing_taken_off": {"off": Choice(r"\mathcal{I}", 0)},
        "taken_twice": {"off": Choice(r"\mathcal{I} - 2QQ^*", 2)},
    },
)
def covariances_of_a_row(zero: Any, gram: Any, off: Any) -> Obligations:
    """A row is a with covariance vI: Cov(a*Q) = vQ*Q, Cov(a*Q, a*(I - QQ*)) = v(Q* - Q*QQ*).

    Words in Q and Q* are reduced by Q*Q = I alone, in any dimensions.
    """
    total_of_column = Symbol("total", positive=True)
    yield "means", equal(sympify(zero) * total_of_column, sympify(zero))
    onto: Words = {("Q*", "Q"): 1}
    cross: Words = {("Q*",): 1, ("Q*", "Q", "Q*"): -off}
    yield "Cov(AQ) = vI", _reduced(onto, gram) == {(): 1}
    yield "AQ and A(I - QQ*) are uncorrelated", _reduced(cross, gram) == {}
    rest: Words = {(): 1, ("Q", "Q*"): -2 * off, ("Q", "Q*", "Q", "Q*"): off**2}
    seen: Words = {("Q", "Q*"): 1}
    total = {word: rest.get(word, 0) + seen.get(word, 0) for word in {*rest, *seen}}
    yield "Cov(AQQ* + A'(I - QQ*)) = vI", _reduced(total, gram) == {(): 1}


def _reduced(words: Words, length: Any) -> Words:
    """A sum of words with Q*Q replaced by ``length``, without terms that are 0."""
    found: Words = {}
    for word, factor in words.items():
        letters, scale = list(word), factor
        while (at := _first_gram(letters)) is not None:
            letters[at : at + 2], scale = [], scale * length
        found[tuple(letters)] = found.get(tuple(letters), 0) + scale
    return {word: factor for word, factor in found.items() if factor != 0}


def _first_gram(letters: list[str]) -> int | None:
    pairs = enumerate(pairwise(letters))
    return next((at for at, pair in pairs if pair == ("Q*", "Q")), None)


PULL_BACK = claim(
    "eoc.exact_law.pull_back",
    at="Definition 20; Section 3.1",
    title="Covariance of back-propagated gradients",
    states=eq(E(pulled_1 * pulled_2), SIGMA**2 * inner(gradient_1, gradient_2) * inner(y_any, z_any)),
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@PULL_BACK.proved()
def forms_of_the_entries(given: Given) -> Theorem:
    """⟨A*g, y⟩ = Σ g_i⟨a_i, y⟩, row by row, by induction: forms of two rows are independent."""
    at_y, at_z = Random("form of one row at y"), Random("form of one row at z")
    of_one = covariance_of_forms(given, at_y, y_any, at_z, z_any)
    first, second = randoms("sum of forms at y"), randoms("sum of forms at z")
    here, there = randoms("form of a row at y")(_n), randoms("form of a row at z")(_n)
    g, h = (Function(f"entry of {one}", real=True) for one in (gradient_1, gradient_2))
    known = [
        given.meaning("forms of no rows", eq(E(first(0) * second(0)), 0)),
        given.meaning(
            "forms of independent rows of one law, with one row more",
            eq(
                E(first(_n + 1) * second(_n + 1)),
                E((first(_n) + g(_n) * here) * (second(_n) + h(_n) * there)),
            ),
            *(independent(first(_n), there), independent(second(_n), here)),
            *(eq(E(here), 0), eq(E(there), 0), eq(E(here * there), E(at_y * at_z))),
        ),
        facts.expectation_of_independent(first(_n), there),
        facts.expectation_of_independent(second(_n), here),
    ]
    products = Sum(g(_i) * h(_i), (_i, 0, _n - 1))
    each = eq(E(first(_n) * second(_n)), E(at_y * at_z) * products)
    of_n = sums.by_recursion(each, _n, premises=known)
    meant = given.meaning(
        "an image under the adjoint, by rows",
        eq(E(pulled_1 * pulled_2), E(first(_rows) * second(_rows))),
        eq(inner(gradient_1, gradient_2), products.xreplace({_n: _rows})),
    )
    of_all = of_n.at({_n: _rows})
    return given.follows(of_one, of_all, meant, goal=as_it_stands(PULL_BACK))


_i, _n = (Symbol(name, integer=True, nonnegative=True) for name in "in")
_rows = Symbol("rows", integer=True, positive=True)


@PULL_BACK.argued(
    bridge="An entry involves no more than two columns and a sum over rows, of which there are three here."
)
def entries_are_uncorrelated(given: Given) -> Obligations:
    """Entry (j, j') of the left side is Σ_ii' g_i g'_i' E A_ij A_i'j', here for 3 × 2 matrices."""
    sigma = Symbol("sigma", positive=True)
    g, h = symbols("g1:4", real=True), symbols("h1:4", real=True)
    along = sum(x * y for x, y in zip(g, h, strict=True))
    for j, k in product(range(2), repeat=2):
        mean = sum(g[i] * h[r] * sigma**2 * int((i, j) == (r, k)) for i, r in product(range(3), repeat=2))
        values = {SIGMA: sigma, inner(gradient_1, gradient_2): along}
        claimed = given.goal.rhs.subs({**values, inner(y_any, z_any): int(j == k)})
        yield f"entry {j + 1}, {k + 1}", equal(mean, claimed)


_NOT_SEEN = {"seen": Choice(r"\mathcal{O}g", False)}
_NOT_PROJECTED = {"off": Choice(r"\mathcal{I}", False)}

LAW = claim(
    "eoc.exact_law",
    at="Definition 20; Section 3.1",
    title="The NTK matrix is drawn from its exact law without layer matrices",
    states=sentence(
        r"$G_k^*g \mid ($G_k $Q_k)_{k} \;\overset{d}{=}\; $seen + ($off)\,\xi_g, \quad"
        r" \operatorname{Cov}(\xi_g, \xi_{g'}) = \langle g, g'\rangle\,\mathcal{I}",
        seen=Choice("Q_k(G_kQ_k)^*g", True),
        off=Choice(r"\mathcal{I} - Q_kQ_k^*", True),
    ),
    assuming=[ORTHONORMAL_BASIS],
    rests_on=[SPLIT, PULL_BACK],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LAW.argued(
    bridge="By induction over the layers what was seen is independent of the matrices off the"
    " activations, of which an independent copy may be taken; the kernel needs no more of them.",
    uses=[ORTHONORMAL_BASIS],
    controls={"orthogonal_gradients": _NOT_SEEN, "not_projected": _NOT_PROJECTED},
)
def both_parts_of_a_gradient(given: Given, seen: bool, off: bool) -> Obligations:
    """G*g = QQ*G*g + (I - QQ*)G*g in words; the covariance off the space is that of a copy."""
    words: Words = {("G*",): 1, ("Q", "Q*", "G*"): int(seen) - int(off)}
    yield "both parts are the whole", _reduced(words, 1) == {("G*",): 1}
    copy = given.fact(PULL_BACK).statement.rhs.subs(SIGMA, 1)
    claimed = inner(gradient_1, gradient_2) * inner(y_any, z_any)
    yield "covariance of a copy", bool(expand(copy - claimed) == 0)


# Shapes (hidden widths, outputs, a, b, angle): widths of 1 and below the number of inputs, dead
# layers (ReLU at width 1), vector outputs, parallel and nearly opposite inputs.
_SHAPES = (
    ((1, 1, 1), 1, 0.5, 0.5, 1.0),
    ((2, 3, 2), 2, 0.5, 0.5, 2.0),
    ((3, 2, 4, 3), 1, 0.0, 1.0, 1.2),
    ((4, 4), 3, 1.0, -0.4, 3.0),
    ((2, 2, 2, 2), 1, 1.0, 0.3, 0.05),
)


class _Orthogonal(RecordedLayer):
    """Gradients that come out orthogonal to the activations."""

    def pulled_back(self, gradients: Floats, rng: np.random.Generator) -> Floats:
        drawn, self.action = self.action, 0 * self.action
        vectors = super().pulled_back(gradients, rng)
        self.action = drawn
        return vectors


class _NotProjected(RecordedLayer):
    """The fresh part is not taken off the activations."""

    def pulled_back(self, gradients: Floats, rng: np.random.Generator) -> Floats:
        before = rng.bit_generator.state
        vectors = super().pulled_back(gradients, rng)
        basis = self.basis.whole()
        rng.bit_generator.state = before
        triangle = triangular_factor(gradients.reshape(len(vectors), -1, self.width))
        fresh = rng.standard_normal((*triangle.shape[:-1], self.basis.width))
        along = (triangle.swapaxes(-1, -2) @ fresh) @ basis.swapaxes(-1, -2) @ basis
        return np.asarray(vectors + along.reshape(vectors.shape))


def _layer(seen: bool, off: bool) -> type[RecordedLayer]:
    """What draws a layer as the statement says."""
    if not seen:
        return _Orthogonal
    return RecordedLayer if off else _NotProjected


@LAW.tested(over=cases, controls={"orthogonal_gradients": _NOT_SEEN, "not_projected": _NOT_PROJECTED})
def kernels_of_layer_matrices(case: Case, seen: bool, off: bool) -> Discrepancy:
    """What is drawn is formula (2) at layer matrices with the same products AQ and A*g."""
    mlp, x, seed = case
    drawn, parameters = drawn_with_matrices(mlp, x, seed, _layer(seen, off))
    state = forward_pass(mlp, parameters, x)
    assume(all(_far_from_kinks(state.preactivation(k)) for k in range(1, mlp.depth)))
    wanted = ntk(state)
    # A Cholesky factor leaves 2^-38 of a vector (see long_vectors); up to five layers, each with
    # its forward and backward products, add up to less than 2^6 of these.
    return Discrepancy(float(np.abs(drawn - wanted).max()), 2.0**-32 * float(np.abs(wanted).max()) + 1e-300)


def _far_from_kinks(preactivations: Floats) -> bool:
    """Whether no entry could change its sign by rounding, unless all vanish."""
    size = np.abs(preactivations)
    largest = size.max(axis=-1, keepdims=True)
    return bool(np.all((size > 1e-7 * largest) | (largest == 0)))


@LAW.estimated(draws=2500, controls={"orthogonal_gradients": _NOT_SEEN})
def the_same_law_as_of_matrices(rng: np.random.Generator, draws: int, seen: bool) -> Iterator[TwoSampleTest]:
    """Entries and joint functions of entries, compared with draws of all layer matrices."""
    for hidden, outputs, a, b, angle in _SHAPES:
        x = inputs_at(angle, 3, rng)
        mlp = MLP((3, *hidden, outputs), a, b)
        first = draw_ntk(mlp, x, rng, draws, Layer if seen else _Orthogonal)
        second = sample_ntk(x, hidden, a, b, rng, outputs, draws)
        yield from map(two_sample_test, _entries(first), _entries(second))


def _entries(kernels: Floats) -> Iterator[Floats]:
    """Two entries, and three joint functions in units of √(K(x₁, x₁) K(x₂, x₂))."""
    own, mixed, across = kernels[:, 0, 0, 0, 0], kernels[:, 0, 1, 0, 0], kernels[:, 0, 1]
    symmetric, skew = (across[:, 0, -1] + sign * across[:, -1, 0] for sign in (1, -1))
    yield own
    yield mixed
    for joint in (mixed, symmetric, skew):
        yield _relative(kernels, joint)


def _relative(kernel: Floats, entry: Floats) -> Floats:
    """An entry over the lengths of both inputs, 0 where an input is dead."""
    sizes = np.sqrt(kernel[:, 0, 0, 0, 0] * kernel[:, 1, 1, -1, -1])
    quotient = np.divide(entry, sizes, out=np.zeros_like(entry), where=sizes > 0)
    # An atom, such as no skewness at all, is one: rounding must not spread it.
    return np.asarray(np.round(quotient, 9), dtype=np.float64)
