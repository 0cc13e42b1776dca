"""NNGP and NTK of an attention layer of infinite width, from those of its inputs."""

from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats, integer
from numeric.attention_kernels.elementary import check_slope, squared
from numeric.attention_kernels.elementwise import elementwise_kernels
from numeric.attention_kernels.kernels import (
    Flags,
    TokenKernels,
    check_finite,
    checked_kernels,
    put_row,
    row_places,
)
from numeric.attention_kernels.layer import AttentionKernel, checked_layer
from numeric.attention_kernels.pairs import Pairs, seen_pairs
from numeric.attention_kernels.sampling import sampled_pair
from numeric.attention_kernels.steps import Side, Step, applied
from numeric.networks.arguments import generator


@dataclass(frozen=True, eq=False)
class SampledKernels:
    """Kernels that were estimated, and their standard errors in the same axes.

    Errors of the kernels that went in are not part of them. Draws are shared between the entries of
    a pair of sequences and independent between pairs, so that matrices of whole data sets need not
    be positive semidefinite.
    """

    kernels: TokenKernels
    nngp_error: Floats
    ntk_error: Floats | None


def attention_kernels(kernels: TokenKernels, layer: AttentionKernel) -> TokenKernels:
    r"""Kernels after an attention layer of infinitely many heads, in closed form.

    With kt, Tt the kernels before and V, S, TV, TS these as values and scores see them (kt, kt, Tt,
    Tt without positional encodings), all at (x, x'), Theta is
    2 kappa + sigma_OV^2 sum_ij TV_ij E[zeta(G(x))_ai zeta(G(x'))_bj] where tau = 1, with
    G(x) = sigma_QK S(x, x). Where tau = 1/2, scores have the covariances
    sigma_QK^2 S_ab S_ij, and what comes through queries and keys is added (see `elementwise`).
    In both, kappa_ab = sigma_OV^2 sum_ij V_ij E[zeta(G(x))_ai zeta(G(x'))_bj].

    zeta: at tau = 1/2 the name of an activation, elementwise; at tau = 1 a map of rows (softmax,
    say) or a s + b |s|; for other maps of rows at tau = 1/2 there is `sampled_attention_kernels`.

    Errors: some 1e-14 of sigma_OV^2 sigma_QK^2 times sums of |V| and standard deviations for
    a s + b |s|, otherwise those of `numeric.dual_activations` in its sums; 1e-8 of the terms with
    zeta' where different tokens are parallel. Time for n m pairs of s tokens: n m s^4 values at
    most; for a s + b |s| and correlations r with r^2 < 0.95, n m s^2 times some tens or hundreds.
    Raises ValueError or TypeError, which name the argument; OverflowError for too large entries.
    Source: "Infinite attention", Theorems 3 and 18 (Equation (22)), Appendix C.

    >>> from numeric.attention_kernels import token_kernels
    >>> after = attention_kernels(token_kernels([[[1.0], [2.0]]]), AttentionKernel("identity"))
    >>> after.nngp[0, 0]                       # kt_ab times the sum of kt_ij^2, which is 25
    array([[ 25.,  50.],
           [ 50., 100.]])
    >>> after.ntk[0, 0, 1]                     # its four weight matrices give 4 kappa
    array([200., 400.])
    """
    kernels, layer = checked_kernels("kernels", kernels), checked_layer("layer", layer)
    return applied("attention_kernels", kernels, [attention_step(layer, kernels)])


def attention_step(layer: AttentionKernel, kernels: TokenKernels) -> Step:
    """The layer as a step, for kernels of as many tokens as these."""
    _check(kernels, layer)
    if layer.tau == 1:
        layer.weights(np.zeros((1, 1)))  # complains about a zeta that cannot be evaluated
        return ConstantScores(layer)
    if layer.rows is not None:
        raise ValueError("layer must have a zeta of single scores at tau = 1/2; or sample")
    return GaussianScores(layer)


def _check(kernels: TokenKernels, layer: AttentionKernel) -> None:
    for std in (layer.query_key_std, layer.value_output_std):
        squared("attention_kernels", std)
    if layer.rows is None and kernels.ntk is not None:
        check_slope("zeta", str(layer.zeta), layer.parameters)
    encoding = layer.encoding
    longest = max(kernels.nngp.shape[2:])
    if encoding is not None and len(encoding.covariance) < longest:
        raise ValueError(f"layer must have an encoding of {longest} tokens")


@dataclass(frozen=True, eq=False)
class ConstantScores:
    """tau = 1: G(x) = sigma_QK S(x, x), so that kappa = zeta V zeta^T."""

    layer: AttentionKernel

    def side(self, own: Floats, present: Flags) -> Side:
        """zeta of the constant scores, 0 for tokens that are absent."""
        layer = self.layer
        scores = own if layer.encoding is None else layer.encoding.interpolated(own)
        scores = layer.query_key_std * scores
        if layer.rows is None:
            return (layer.weights(scores) * present[:, None, :],)
        return (layer.weights(np.where(present[:, None, :], scores, -np.inf)),)

    def across(
        self, nngp: Floats, ntk: Floats | None, first: Side, second: Side
    ) -> tuple[Floats, Floats | None]:
        """zeta V zeta^T, and twice that and zeta TV zeta^T."""
        encoding, output = self.layer.encoding, self.layer.value_output_std**2
        weights, other = output * first[0], second[0].transpose(0, 2, 1)
        values, inherited = nngp, ntk
        if encoding is not None and encoding.values:
            values = encoding.interpolated(nngp)
            inherited = None if ntk is None else encoding.tangents(ntk)
        found = weights @ values @ other
        if inherited is None:
            return found, None
        return found, 2 * found + weights @ inherited @ other


@dataclass(frozen=True, eq=False)
class GaussianScores:
    """tau = 1/2, and zeta of single scores (see `elementwise`)."""

    layer: AttentionKernel

    def side(self, own: Floats, present: Flags) -> Side:
        """The kernels and the tokens as they are."""
        return own, present

    def across(
        self, nngp: Floats, ntk: Floats | None, first: Side, second: Side
    ) -> tuple[Floats, Floats | None]:
        """The sums over tokens of both inputs."""
        pairs = seen_pairs(self.layer, nngp, ntk, first, second)
        return elementwise_kernels(pairs, self.layer)


def sampled_attention_kernels(
    kernels: TokenKernels, layer: AttentionKernel, rng: np.random.Generator, count: int
) -> SampledKernels:
    """Estimate the kernels after an attention layer whose zeta is a map of rows, at tau = 1/2.

    E[zeta zeta] and, for the NTK, E of products of its derivatives are means over `count` draws (2
    or more) of the Gaussian scores of each pair of sequences; every entry is unbiased, and comes
    with its standard error (at most; where y is x, the blocks of a sequence with itself are made
    symmetric). Work and memory: n m count s^4 operations, blocks of some megabytes.
    Raises ValueError or TypeError, which name the argument, for anything else; OverflowError for
    too large entries, and for a zeta that is not finite.
    Source: "Infinite attention", Theorems 3 and 18 (Equation (22)).

    >>> from numeric.attention_kernels import token_kernels
    >>> before, rng = token_kernels([[[1.0], [1.0]]]), np.random.default_rng(0)
    >>> found = sampled_attention_kernels(before, AttentionKernel("softmax"), rng, 9)
    >>> found.kernels.nngp[0, 0].round(12)     # equal tokens: their mean is each of them
    array([[1., 1.],
           [1., 1.]])
    """
    kernels, layer = checked_kernels("kernels", kernels), checked_layer("layer", layer)
    rng, count = generator(rng), integer("count", count, 2)
    _check(kernels, layer)
    zeta = layer.rows
    if zeta is None or layer.tau == 1:
        raise ValueError("layer must have a zeta that maps rows, and tau = 1/2")

    def sampled(pair: Pairs) -> list[tuple[Floats, Floats]]:
        with np.errstate(over="ignore", invalid="ignore"):
            nngp, ntk = sampled_pair(pair, layer, zeta, rng, count)
        return [nngp] if ntk is None else [nngp, ntk]

    width = 1 if kernels.ntk is None else 2
    results = np.empty((width, 2, *kernels.nngp.shape))
    for x, later in row_places(kernels):
        tangents = None if kernels.ntk is None else kernels.ntk[x, later]
        first = kernels.first[x : x + 1], kernels.first_present[x : x + 1]
        second = kernels.second[later], kernels.second_present[later]
        pairs = seen_pairs(layer, kernels.nngp[x, later], tangents, first, second)
        found = np.array([sampled(one) for one in pairs.blocks(1)])
        for target, values in zip(
            results.reshape(-1, *kernels.nngp.shape),
            np.moveaxis(found, 0, 2).reshape(-1, len(pairs), *kernels.nngp.shape[2:]),
            strict=True,
        ):
            put_row(target, x, later, values, kernels.symmetric)
    n = range(len(kernels.first))
    if kernels.symmetric:
        own = [results[0, 0][n, n]] * 2
    else:
        sides = ((kernels.first, kernels.first_present), (kernels.second, kernels.second_present))
        alone = [seen_pairs(layer, side[0], None, side, side) for side in sides]
        own = [
            np.array([sampled(pair)[0][0] for pair in one.blocks(1)]).reshape(one.first.shape)
            for one in alone
        ]
        own = [(one + one.transpose(0, 2, 1)) / 2 for one in own]
    for one in (*own, results):
        check_finite("sampled_attention_kernels", one)
    ntk = None if kernels.ntk is None else results[1, 0]
    estimated = kernels.with_arrays(results[0, 0], own[0], own[1], ntk)
    return SampledKernels(estimated, results[0, 1], None if ntk is None else results[1, 1])
