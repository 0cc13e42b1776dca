"""Dense layers, activations and skip connections, and what they do to kernels."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from numeric.arguments import NONNEGATIVE, Floats, closed, real_number
from numeric.attention_kernels.bent import PIECEWISE_LINEAR, bent_means
from numeric.attention_kernels.kernels import Flags, TokenKernels, checked_kernels
from numeric.attention_kernels.steps import Side, applied
from numeric.dual_activations import dual_activation, dual_activation_derivative

_SHARE = closed(0, 1)


def dense_kernels(kernels: TokenKernels, weight_std: float = 1.0, bias_std: float = 0.0) -> TokenKernels:
    """Kernels after a dense layer on every token: w^2 kernel + b^2, NTK w^2 Theta + that.

    weight_std = w and bias_std = b are numbers of at least 0; the parametrisation is that of the
    NTK (weights w N(0, 1)/sqrt(width)), and all weights and biases are trained.
    Raises ValueError or TypeError for anything else.
    Source: Jacot, Gabriel and Hongler, "Neural tangent kernel", 2018.

    >>> from numeric.attention_kernels import token_kernels
    >>> after = dense_kernels(token_kernels([[[1.0], [2.0]]]), 2.0)
    >>> after.nngp[0, 0, 0], after.ntk[0, 0, 0]
    (array([4., 8.]), array([4., 8.]))
    """
    kernels = checked_kernels("kernels", kernels)
    weight = squared("dense_kernels", real_number("weight_std", weight_std, NONNEGATIVE))
    bias = squared("dense_kernels", real_number("bias_std", bias_std, NONNEGATIVE))
    return applied("dense_kernels", kernels, [DenseStep(weight, bias)])


@dataclass(frozen=True)
class DenseStep:
    """A dense layer with these variances of weights and biases."""

    weight: float
    bias: float

    def side(self, own: Floats, present: Flags) -> Side:  # noqa: ARG002 - as steps have it
        """Nothing."""
        return ()

    def across(
        self,
        nngp: Floats,
        ntk: Floats | None,
        first: Side,  # noqa: ARG002 - as steps have it
        second: Side,  # noqa: ARG002 - as steps have it
    ) -> tuple[Floats, Floats | None]:
        """w^2 kernel + b^2, and w^2 Theta + that."""
        after = self.weight * nngp
        if self.bias:
            after += self.bias
        if ntk is None:
            return after, None
        tangents = self.weight * ntk
        tangents += after
        return after, tangents


def activated_kernels(kernels: TokenKernels, name: str, **parameters: Any) -> TokenKernels:
    """Kernels after an activation: E phi(u1) phi(u2), and the NTK times E phi'(u1) phi'(u2).

    (u1, u2) is Gaussian with the covariances of the kernels; names and parameters are those of
    `numeric.dual_activations`. Of a s + b |s| (ReLU and its kind) the slope at 0 counts as a; of
    others with a kink, variances are to be above 0 if an NTK is asked for.
    Raises ValueError or TypeError for anything else.
    Source: Jacot, Gabriel and Hongler, "Neural tangent kernel", 2018.

    >>> from numeric.attention_kernels import token_kernels
    >>> after = activated_kernels(token_kernels([[[1.0], [-1.0]]]), "relu")
    >>> after.nngp[0, 0]
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    kernels = checked_kernels("kernels", kernels)
    return applied("activated_kernels", kernels, [checked_activation(name, parameters, kernels)])


@dataclass(frozen=True, eq=False)
class ActivationStep:
    """An activation phi by its name, which has been checked, with its parameters."""

    name: str
    parameters: dict[str, Any]

    def side(self, own: Floats, present: Flags) -> Side:
        """Variances; absent tokens are given the variance 1, so that they meet no kink of phi."""
        return (np.where(present, np.diagonal(own, axis1=1, axis2=2), 1.0),)

    def across(
        self, nngp: Floats, ntk: Floats | None, first: Side, second: Side
    ) -> tuple[Floats, Floats | None]:
        """E phi phi, and Theta E phi' phi'."""
        law = _Law(nngp, first[0][:, :, None], second[0][:, None, :], self.name, self.parameters)
        return law.dual, None if ntk is None else ntk * law.slopes


@dataclass(frozen=True, eq=False)
class _Law:
    """Gaussian pairs with these covariances and variances, and means of what phi does to them."""

    covariance: Floats
    first: Floats
    second: Floats
    name: str
    parameters: dict[str, Any]

    @cached_property
    def scale(self) -> Floats:
        return deviations(self.first, self.second)

    @cached_property
    def rho(self) -> Floats:
        return _shares(self.covariance, self.scale)

    @cached_property
    def bent(self) -> tuple[Floats, Floats]:
        return bent_means(self.rho)

    @property
    def dual(self) -> Floats:
        """E phi(u1) phi(u2)."""
        if self.name not in PIECEWISE_LINEAR:
            law: dict[str, Any] = {"variances": (self.first, self.second), **self.parameters}
            found: Floats = dual_activation(self.name, self.rho, **law)
            return found
        a, b = PIECEWISE_LINEAR[self.name](**self.parameters)
        found = b * b * self.scale
        found *= self.bent[0]
        found += a * a * self.covariance
        return found

    @property
    def slopes(self) -> Floats:
        """E phi'(u1) phi'(u2)."""
        if self.name not in PIECEWISE_LINEAR:
            law: dict[str, Any] = {"variances": (self.first, self.second), **self.parameters}
            found: Floats = dual_activation_derivative(self.name, self.rho, **law)
            return found
        a, b = PIECEWISE_LINEAR[self.name](**self.parameters)
        found = b * b * self.bent[1]
        found += a * a
        return found


def checked_activation(
    name: str, parameters: dict[str, Any], kernels: TokenKernels | None = None
) -> ActivationStep:
    """The activation of that name, unless it or its parameters are unknown.

    If the kernels have an NTK, the activation must have a derivative that is a function.
    """
    dual_activation(name, 0.0, **parameters)
    if kernels is not None and kernels.ntk is not None:
        check_slope("name", name, parameters)
    return ActivationStep(name, parameters)


def check_slope(argument: str, name: str, parameters: Mapping[str, Any]) -> None:
    """Refuse the names of activations that jump, which have no NTK."""
    if name in {"sign", "step"} or (name == "rectified_monomial" and parameters["degree"] == 0):
        raise ValueError(f"{argument} must have a derivative, as an NTK is asked for, got {name}")


def correlations(covariance: Floats, first: Floats, second: Floats) -> Floats:
    """Covariance over the root of both variances, in [-1, 1]; 0 where a variance is 0."""
    return _shares(covariance, deviations(first, second))


def deviations(first: Floats, second: Floats) -> Floats:
    """The root of the product of both variances, exactly each of them where they are equal.

    Correlations of a token with itself would otherwise miss 1, where arcsin has a slope without
    bound and would double the number of digits lost.
    """
    if all(_has_exact_squares(one) for one in (first, second)):
        products = first * second
        found: Floats = np.sqrt(products, out=products)
        return found
    return np.where(first == second, first, np.sqrt(first) * np.sqrt(second))


def _has_exact_squares(variances: Floats) -> bool:
    """Whether squares of these are floats to full precision, so that their roots are exact."""
    return bool((((variances > 1e-140) & (variances < 1e140)) | (variances == 0)).all())


def _shares(covariance: Floats, scale: Floats) -> Floats:
    """Covariances over scales of their size at least, in [-1, 1]; 0 where the scale is 0."""
    if not scale.all():
        scale = np.where(scale > 0, scale, np.inf)
    rho: Floats = covariance / scale
    return np.clip(rho, -1.0, 1.0, out=rho)


def residual_kernels(kernels: TokenKernels, layer: TokenKernels, kept: float) -> TokenKernels:
    """Kernels of sqrt(kept) g + sqrt(1 - kept) f(g): kept times those of g, plus the rest of f's.

    `kernels` are those of the input g, `layer` those of the layer's output f(g), whose last weights
    are centred and its own, so that covariances of g with f(g) and their NTK vanish. kept, the
    paper's alpha, is a number in [0, 1]. Raises ValueError or TypeError for anything else.
    Source: "Infinite attention", Appendix D (before Equation (14)).

    >>> from numeric.attention_kernels import token_kernels
    >>> before = token_kernels([[[1.0], [2.0]]])
    >>> residual_kernels(before, dense_kernels(before, 3.0), 0.5).nngp[0, 0, 0]
    array([ 5., 10.])
    """
    kernels, layer = checked_kernels("kernels", kernels), checked_kernels("layer", layer)
    same = kernels.nngp.shape == layer.nngp.shape and kernels.symmetric == layer.symmetric
    flags = ("first_present", "second_present")
    if not (same and all(np.array_equal(*(getattr(k, f) for k in (kernels, layer))) for f in flags)):
        raise ValueError("layer must have the sequences and tokens of kernels")
    share = real_number("kept", kept, _SHARE)

    def mixed(one: Floats, other: Floats) -> Floats:
        return share * one + (1 - share) * other

    without = kernels.ntk is None or layer.ntk is None
    ntk = None if without else mixed(kernels.ntk, layer.ntk)  # type: ignore[arg-type]
    nngp, first, second = (
        mixed(getattr(kernels, name), getattr(layer, name)) for name in ("nngp", "first", "second")
    )
    return kernels.with_arrays(nngp, first, second, ntk)


def squared(maker: str, number: float) -> float:
    """The square of a float, unless it overflows."""
    if abs(number) > 1e154:
        raise OverflowError(f"a variance in {maker} is too large for a float")
    return number * number
