"""Kernels of whole networks: attention, dense layers, activations, skip connections, readouts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from numeric.arguments import NONNEGATIVE, Floats, closed, integer, real_number, shown
from numeric.attention_kernels.attention import attention_step, sampled_attention_kernels
from numeric.attention_kernels.elementary import DenseStep, checked_activation, residual_kernels, squared
from numeric.attention_kernels.kernels import TokenKernels, checked_kernels
from numeric.attention_kernels.layer import AttentionKernel
from numeric.attention_kernels.steps import Step, applied
from numeric.networks.arguments import generator


@dataclass(frozen=True)
class Dense:
    """A dense layer on every token, with weights w N(0, 1)/sqrt(width) and biases b N(0, 1)."""

    weight_std: float = 1.0
    bias_std: float = 0.0

    def __post_init__(self) -> None:
        for name in ("weight_std", "bias_std"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), NONNEGATIVE))


@dataclass(frozen=True, eq=False)
class Elementwise:
    """An activation by its name, with its parameters (see `numeric.dual_activations`)."""

    name: str
    parameters: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if not isinstance(self.parameters, Mapping):
            raise TypeError(f"parameters must be a mapping, got {shown(self.parameters)}")
        checked_activation(self.name, {**self.parameters})


@dataclass(frozen=True, eq=False)
class Residual:
    """sqrt(kept) g + sqrt(1 - kept) f(g), f being the layers, the last of which has weights."""

    layers: tuple[Any, ...]
    kept: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", _layers("layers", self.layers))
        object.__setattr__(self, "kept", real_number("kept", self.kept, closed(0, 1)))
        if not self.layers or not isinstance(self.layers[-1], Dense | AttentionKernel):
            raise ValueError("layers must end with a layer of weights, Dense or an AttentionKernel")


@dataclass(frozen=True)
class Pooling:
    """The mean over the tokens that are present."""


@dataclass(frozen=True)
class Flattening:
    """All tokens side by side, of which there are as many in x as in y and none is absent."""


Layer = Dense | Elementwise | AttentionKernel | Residual | Pooling | Flattening


def _layers(name: str, value: Any) -> tuple[Layer, ...]:
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of layers, got {shown(value)}")
    layers = tuple(value)
    for one in layers:
        if not isinstance(one, Layer):
            raise TypeError(f"{name} must be a list of layers, got {shown(one)}")
    return layers


def network_kernels(
    kernels: TokenKernels,
    layers: Iterable[Layer],
    *,
    rng: np.random.Generator | None = None,
    count: int = 2048,
) -> TokenKernels:
    """Kernels after the layers of a network of infinite width, from those of its inputs.

    Each layer takes the kernels of the one before; see `dense_kernels`, `activated_kernels`,
    `attention_kernels`, `residual_kernels`, `pooled_kernels` and `flattened_kernels`. Attention
    with a map of rows such as softmax at tau = 1/2 has no closed form: it is estimated from
    `count` draws of `rng`, which is then needed; `sampled_attention_kernels` tells the errors of
    one such layer. Raises ValueError or TypeError, which name the argument.
    Source: "Infinite attention", Section 4 and Appendix A.1.1 (such networks).

    >>> from numeric.attention_kernels import token_kernels
    >>> before, attention = token_kernels([[[1.0], [2.0]]]), AttentionKernel("softmax", tau=1)
    >>> network_kernels(before, [Dense(), Elementwise("relu"), attention, Pooling()]).nngp.round(6)
    array([[[[1.40576]]]])
    """
    sampler = _Sampler(None if rng is None else generator(rng), integer("count", count, 2))
    after, steps = checked_kernels("kernels", kernels), list[Step]()
    for layer in _layers("layers", layers):
        step = _step(layer, after)
        if step is None:
            after = _after(layer, applied("network_kernels", after, steps), sampler)
            steps = []
        else:
            steps.append(step)
    return applied("network_kernels", after, steps)


@dataclass(frozen=True)
class _Sampler:
    """With what the kernels are estimated that have no closed form."""

    rng: np.random.Generator | None
    count: int


def _step(layer: Layer, kernels: TokenKernels) -> Step | None:
    """The layer as a step that can be carried out with those before and after it, if it is one."""
    match layer:
        case Dense(weight_std, bias_std):
            variances = (squared("network_kernels", one) for one in (weight_std, bias_std))
            step: Step | None = DenseStep(*variances)
        case Elementwise(name, parameters):
            step = checked_activation(name, {**parameters}, kernels)
        case AttentionKernel() if layer.rows is None or layer.tau == 1:
            step = attention_step(layer, kernels)
        case _:
            step = None
    return step


def _after(layer: Layer, kernels: TokenKernels, sampler: _Sampler) -> TokenKernels:
    """The kernels after a layer that is not one step."""
    if isinstance(layer, Residual):
        inner = network_kernels(kernels, layer.layers, rng=sampler.rng, count=sampler.count)
        return residual_kernels(kernels, inner, layer.kept)
    if isinstance(layer, Pooling):
        return pooled_kernels(kernels)
    if isinstance(layer, AttentionKernel):
        if sampler.rng is None:
            raise ValueError("rng must be a generator: a layer maps rows of scores at tau = 1/2")
        return sampled_attention_kernels(kernels, layer, sampler.rng, sampler.count).kernels
    return flattened_kernels(kernels)


def pooled_kernels(kernels: TokenKernels) -> TokenKernels:
    """Kernels of the mean over the tokens that are present: means over pairs of tokens.

    The results have one token. Raises TypeError for anything but TokenKernels.
    Source: "Infinite attention", Appendix A.2.2 (global average pooling).

    >>> from numeric.attention_kernels import token_kernels
    >>> pooled_kernels(token_kernels([[[1.0], [3.0]]])).nngp
    array([[[[4.]]]])
    """
    kernels = checked_kernels("kernels", kernels)
    first, second = (_shares(one) for one in (kernels.first_present, kernels.second_present))

    def across(array: Floats) -> Floats:
        means: Floats = np.einsum("xyab,xa,yb->xy", array, first, second, optimize=True)
        return means[:, :, None, None]

    def own(array: Floats, shares: Floats) -> Floats:
        means: Floats = np.einsum("xab,xa,xb->x", array, shares, shares, optimize=True)
        return means[:, None, None]

    return _with_one_token(
        kernels,
        across(kernels.nngp),
        None if kernels.ntk is None else across(kernels.ntk),
        (own(kernels.first, first), own(kernels.second, second)),
    )


def _shares(present: Floats) -> Floats:
    shares: Floats = present / np.maximum(present.sum(axis=1, keepdims=True), 1)
    return shares


def flattened_kernels(kernels: TokenKernels) -> TokenKernels:
    """Kernels of all tokens side by side: the mean over tokens of kernels at the same place.

    So <vec x, vec y>/(s d) is what a dense layer sees. Raises ValueError where x and y have
    different numbers of tokens or some are absent, TypeError for anything but TokenKernels.
    Source: "Infinite attention", Appendix A.1.1 (the flattening before the readout).

    >>> from numeric.attention_kernels import token_kernels
    >>> flattened_kernels(token_kernels([[[1.0], [3.0]]])).nngp
    array([[[[5.]]]])
    """
    kernels = checked_kernels("kernels", kernels)
    s, t = kernels.nngp.shape[2:]
    if s != t or not (kernels.first_present.all() and kernels.second_present.all()):
        raise ValueError("kernels must have as many tokens in x as in y, and none absent")

    def mean(array: Floats) -> Floats:
        means: Floats = np.einsum("...aa->...", array)[..., None, None] / max(s, 1)
        return means

    return _with_one_token(
        kernels,
        mean(kernels.nngp),
        None if kernels.ntk is None else mean(kernels.ntk),
        (mean(kernels.first), mean(kernels.second)),
    )


def _with_one_token(
    kernels: TokenKernels, nngp: Floats, ntk: Floats | None, own: tuple[Floats, Floats]
) -> TokenKernels:
    first, second = own
    if kernels.symmetric:
        n = range(len(nngp))
        first = second = nngp[n, n]
    alone = kernels.with_arrays(nngp, first, second, ntk)
    return replace(alone, first_present=None, second_present=None)
