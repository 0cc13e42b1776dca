"""The exact law of the NTK matrix at finite width, without layer matrices (derived here)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import assume
from numpy.typing import NDArray

from numeric.networks import MLP, forward_pass, ntk, sample_ntk
from numeric.networks.exact_law import Layer, LayerMaker, draw_ntk
from numeric.networks.long_vectors import triangular_factor
from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.equality import equal
from theorems.engine import Discrepancy, Domain, Obligations, Provenance, claim, integers
from theorems.eoc_mlp.coupling import Case, Revealing, cases, drawn_with_matrices
from theorems.eoc_mlp.samples import inputs_at

Floats = NDArray[np.float64]
Words = dict[tuple[str, ...], Any]
_NOTE = "proofs_notes/eoc_exact_law.md#the-law"
_WIDTHS: dict[str, Domain] = {"m": integers(1), "n": integers(1)}

SPLIT = claim(
    "eoc.exact_law.split",
    at="Section 3.1",
    title="A Gaussian matrix on a subspace and off it",
    states=(
        r"A_{ij} \sim \mathcal{N}(0, \sigma^2) \text{ i.i.d.}, \; Q^*Q = \mathcal{I} \implies"
        r" AQ \text{ has i.i.d. } \mathcal{N}(0, \sigma^2) \text{ entries, independent of }"
        r" A(\mathcal{I} - QQ^*)"
    ),
    given=_WIDTHS,
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@SPLIT.proved(
    controls={
        "longer_columns": {"length": sp.Rational(101, 100)},
        "nothing_taken_off": {"taken": 0},
        "taken_twice": {"taken": 2},
    }
)
def covariances_of_a_row(length: Any = 1, taken: int = 1) -> Obligations:
    """A row is a with covariance σ²I: Cov(a*Q) = σ²Q*Q, Cov(a*Q, a*(I - QQ*)) = σ²(Q* - Q*QQ*).

    Words in Q and Q* are reduced by Q*Q = I alone, in any dimensions.
    """
    gram: Words = {("Q*", "Q"): 1}
    cross: Words = {("Q*",): 1, ("Q*", "Q", "Q*"): -taken}
    yield "Cov(AQ) = σ²I", _reduced(gram, length) == {(): 1}
    yield "AQ and A(I - QQ*) are uncorrelated", _reduced(cross, length) == {}
    off: Words = {(): 1, ("Q", "Q*"): -2 * taken, ("Q", "Q*", "Q", "Q*"): taken**2}
    onto: Words = {("Q", "Q*"): 1}
    total = {word: off.get(word, 0) + onto.get(word, 0) for word in {*off, *onto}}
    yield "Cov(AQQ* + A'(I - QQ*)) = σ²I", _reduced(total, length) == {(): 1}


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
    at="Section 3.1",
    title="Covariance of back-propagated gradients",
    states=(
        r"\mathbb{E}\,A^*g\,(A^*g')^* = \sigma^2\langle g, g'\rangle\,\mathcal{I}"
        r" \text{ for i.i.d. } A_{ij} \sim \mathcal{N}(0, \sigma^2)"
    ),
    given=_WIDTHS,
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@PULL_BACK.proved(controls={"transposed": {"swap": True}, "sigma": {"power": 1}})
def entries_are_uncorrelated(swap: bool = False, power: int = 2) -> Obligations:
    """Entry (j, j') of the left side is Σ_ii' g_i g'_i' E A_ij A_i'j', here for 3 × 2 matrices.

    The general entry involves no more than two columns and a sum over rows.
    """
    sigma = sp.Symbol("sigma", positive=True)
    g, h = sp.symbols("g1:4", real=True), sp.symbols("h1:4", real=True)
    for j, k in product(range(2), repeat=2):
        mean = sum(
            g[i] * h[r] * sigma**2 * int((i, j) == ((k, r) if swap else (r, k)))
            for i, r in product(range(3), repeat=2)
        )
        inner = sum(x * y for x, y in zip(g, h, strict=True))
        yield f"entry {j + 1}, {k + 1}", equal(mean, sigma**power * inner * int(j == k))


LAW = claim(
    "eoc.exact_law",
    at="Section 3.1",
    title="The NTK matrix is drawn from its exact law without layer matrices",
    states=(
        r"A_k^*g \mid (A_kQ_k)_{k} \;\overset{d}{=}\; Q_k(A_kQ_k)^*g"
        r" + (\mathcal{I} - Q_kQ_k^*)\,\xi_g, \quad"
        r" \operatorname{Cov}(\xi_g, \xi_{g'}) = \sigma^2\langle g, g'\rangle\,\mathcal{I}"
    ),
    given=_WIDTHS,
    assuming=("the columns of Q_k are an orthonormal basis that the activations x_k span",),
    rests_on=[SPLIT, PULL_BACK],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

# Shapes (hidden widths, outputs, a, b, angle): widths of 1 and below the number of inputs, dead
# layers (ReLU at width 1), vector outputs, parallel and nearly opposite inputs.
_SHAPES = (
    ((1, 1, 1), 1, 0.5, 0.5, 1.0),
    ((2, 3, 2), 2, 0.5, 0.5, 2.0),
    ((3, 2, 4, 3), 1, 0.0, 1.0, 1.2),
    ((4, 4), 3, 1.0, -0.4, 3.0),
    ((2, 2, 2, 2), 1, 1.0, 0.3, 0.05),
)


class _Orthogonal(Revealing):
    """Gradients that come out orthogonal to the activations."""

    def pulled_back(self, gradients: Floats, rng: np.random.Generator) -> Floats:
        drawn, self.action = self.action, 0 * self.action
        vectors = super().pulled_back(gradients, rng)
        self.action = drawn
        return vectors


class _NotProjected(Revealing):
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


@LAW.tested(
    over=cases,
    controls={
        "orthogonal_gradients": {"layer": _Orthogonal},
        "not_projected": {"layer": _NotProjected},
    },
)
def kernels_of_layer_matrices(case: Case, layer: type[Revealing] = Revealing) -> Discrepancy:
    """What is drawn is formula (2) at layer matrices with the same products AQ and A*g."""
    mlp, x, seed = case
    drawn, parameters = drawn_with_matrices(mlp, x, seed, layer)
    state = forward_pass(mlp, parameters, x)
    assume(all(_far_from_kinks(state.preactivation(k)) for k in range(1, mlp.depth)))
    wanted = ntk(state)
    # A Cholesky factor leaves 2^-38 of a vector (see long_vectors); up to five layers, each with
    # its forward and backward products, add up to less than 2^6 of these.
    return Discrepancy(
        float(np.abs(drawn - wanted).max()), 2.0**-32 * float(np.abs(wanted).max()) + 1e-300
    )


def _far_from_kinks(preactivations: Floats) -> bool:
    """Whether no entry could change its sign by rounding, unless all vanish."""
    size = np.abs(preactivations)
    largest = size.max(axis=-1, keepdims=True)
    return bool(np.all((size > 1e-7 * largest) | (largest == 0)))


@LAW.estimated(
    draws=2500,
    controls={
        "orthogonal_gradients": {"make_layer": _Orthogonal},
        "one_unit_more": {"wider": 1},
    },
)
def the_same_law_as_of_matrices(
    rng: np.random.Generator, draws: int, make_layer: LayerMaker = Layer, wider: int = 0
) -> Iterator[TwoSampleTest]:
    """Entries and joint functions of entries, compared with draws of all layer matrices."""
    for hidden, outputs, a, b, angle in _SHAPES:
        x = inputs_at(angle, 3, rng)
        mlp = MLP((3, *(width + wider for width in hidden), outputs), a, b)
        first = draw_ntk(mlp, x, rng, draws, make_layer)
        second = sample_ntk(x, hidden, a, b, rng, outputs, draws)
        for f in (_own, _mixed, _cosine, _symmetric, _skew):
            yield two_sample_test(f(first), f(second))


def _own(kernel: Floats) -> Floats:
    """K(x₁, x₁), the first output."""
    return kernel[:, 0, 0, 0, 0]


def _mixed(kernel: Floats) -> Floats:
    """K(x₁, x₂), the first output."""
    return kernel[:, 0, 1, 0, 0]


def _cosine(kernel: Floats) -> Floats:
    """The joint function K(x₁, x₂) / √(K(x₁, x₁) K(x₂, x₂)), 0 where an input is dead."""
    return _relative(kernel, kernel[:, 0, 1, 0, 0])


def _symmetric(kernel: Floats) -> Floats:
    """First against last output of the two inputs, in the same units."""
    return _relative(kernel, kernel[:, 0, 1, 0, -1] + kernel[:, 0, 1, -1, 0])


def _skew(kernel: Floats) -> Floats:
    """The block K(x₁, x₂) less its transpose."""
    return _relative(kernel, kernel[:, 0, 1, 0, -1] - kernel[:, 0, 1, -1, 0])


def _relative(kernel: Floats, entry: Floats) -> Floats:
    sizes = np.sqrt(kernel[:, 0, 0, 0, 0] * kernel[:, 1, 1, -1, -1])
    quotient = np.divide(entry, sizes, out=np.zeros_like(entry), where=sizes > 0)
    # An atom, such as no skewness at all, is one: rounding must not spread it.
    return np.asarray(np.round(quotient, 9), dtype=np.float64)
