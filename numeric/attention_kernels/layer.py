"""An attention layer of infinite width, as its kernels see it: zeta, the scaling, the scales."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import special

from numeric.arguments import POSITIVE, Floats, closed, flag, real_array, real_number, shown
from numeric.attention_kernels.bent import PIECEWISE_LINEAR
from numeric.dual_activations import dual_activation, list_activations

#: The maps of scores that are known by name: what stands in a row depends on the row alone.
ScoreMap = Callable[[Floats], Floats]


@dataclass(frozen=True)
class RowMap:
    """A map zeta of each row of the scores, with its Jacobian, for kernels that are sampled.

    Both take scores of shape (..., s); `function` gives the same shape, `jacobian` (..., s, s),
    with [..., c, d] the derivative of entry c in score d. Scores of tokens that are absent are
    -infinity, and both must be 0 there. `contracted`, if given, is a fast way to
    sum_(c e d f) V_ce K_df J_a,cd J'_b,ef for scores (..., s, s), (..., t, t), V and K.
    """

    function: ScoreMap
    jacobian: ScoreMap
    contracted: Callable[[Floats, Floats, Floats, Floats], Floats] | None = None

    def __post_init__(self) -> None:
        for name in ("function", "jacobian"):
            if not callable(getattr(self, name)):
                raise TypeError(f"{name} must be a function, got {shown(getattr(self, name))}")

    def mapped(self, scores: Floats) -> Floats:
        """zeta of the scores, if it has their shape."""
        values = np.asarray(self.function(scores))
        if values.shape != scores.shape:
            raise ValueError(f"function must keep the shape {scores.shape}, got {values.shape}")
        return values


def softmax(scores: Floats) -> Floats:
    """The softmax of each row, in which a score of -infinity has the weight 0."""
    weights: Floats = special.softmax(scores, axis=-1)
    return weights


def softmax_jacobian(scores: Floats) -> Floats:
    """diag(p) - p p^T for each row, p being its softmax."""
    p = softmax(scores)
    jacobian: Floats = p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
    return jacobian


def softmax_contraction(first: Floats, second: Floats, values: Floats, keys: Floats) -> Floats:
    """The sum of V_ce K_df times both Jacobians: s^3 operations, as these are diag(p) - p p^T."""
    p, q = softmax(first), np.swapaxes(softmax(second), -1, -2)
    by_values, by_keys = p @ values, p @ keys
    inner: Floats = (p @ (values * keys) - by_values * by_keys) @ q
    return inner - p @ ((values @ q) * (keys @ q)) + (by_values @ q) * (by_keys @ q)


SOFTMAX = RowMap(softmax, softmax_jacobian, softmax_contraction)


@dataclass(frozen=True, eq=False)
class Encoding:
    """Positional encodings N(0, R), added to (or appended to) the inputs of an attention layer.

    They change a kernel to I(kernel) = kept kernel + (1 - kept) R and its NTK to kept Theta +
    (1 - kept) T. kept is the paper's alpha, in [0, 1]; `covariance` is R, (s, s), symmetric and
    positive semidefinite, whose first rows and columns serve shorter sequences; `tangent` is T:
    None (0) for encodings that are not trained, the identity if E itself is trained, R if E = L z
    is trained through z, R = L L^T. `values` says whether the values see them too, or the queries
    and keys only.

    Source: "Infinite attention", Appendix C.
    """

    kept: float
    covariance: Any
    tangent: Any = None
    values: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "kept", real_number("kept", self.kept, closed(0, 1)))
        R = _semidefinite("covariance", self.covariance)
        object.__setattr__(self, "covariance", R)
        T = np.zeros_like(R) if self.tangent is None else _semidefinite("tangent", self.tangent)
        if T.shape != R.shape:
            raise ValueError(f"tangent must have shape {R.shape}, got shape {T.shape}")
        object.__setattr__(self, "tangent", T)
        object.__setattr__(self, "values", flag("values", self.values))

    def interpolated(self, kernel: Floats) -> Floats:
        """kept kernel + (1 - kept) R."""
        return self._mixed(kernel, self.covariance)

    def tangents(self, ntk: Floats) -> Floats:
        """kept Theta + (1 - kept) T."""
        return self._mixed(ntk, self.tangent)

    def _mixed(self, kernel: Floats, own: Any) -> Floats:
        s, t = kernel.shape[-2:]
        return self.kept * kernel + (1 - self.kept) * np.asarray(own)[:s, :t]


def _semidefinite(name: str, value: object) -> Floats:
    matrix = real_array(name, value, shape=("s", "s")).copy()
    matrix.setflags(write=False)
    if not np.array_equal(matrix, matrix.T):
        raise ValueError(f"{name} must be symmetric")
    eigenvalues = np.linalg.eigvalsh(matrix)
    if eigenvalues.size and eigenvalues[0] < -1e-12 * max(eigenvalues[-1], 0.0):
        raise ValueError(f"{name} must be positive semidefinite")
    return matrix


@dataclass(frozen=True, eq=False)
class AttentionKernel:
    r"""What the limiting kernels of an attention layer depend on.

    - ``zeta``: the name of an activation (see `numeric.dual_activations`) with its ``parameters``,
      ``"softmax"``, or a `RowMap`.
    - ``tau``: 1/2 (scores :math:`Q K^T / \sqrt{d}`, independent weights) or 1 (:math:`Q K^T / d`,
      the same weights: the scores tend to a constant).
    - ``query_key_std``: sigma_Q sigma_K; ``value_output_std``: sigma_O sigma_V; above 0.
    - ``encoding``: positional encodings, if any.

    Raises TypeError or ValueError for other arguments.
    Source: "Infinite attention", Theorems 3 and 18.

    >>> AttentionKernel("relu", tau=1, query_key_std=2.0).query_key_std
    2.0
    """

    zeta: str | RowMap
    tau: float = 0.5
    query_key_std: float = 1.0
    value_output_std: float = 1.0
    parameters: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    encoding: Encoding | None = None

    def __post_init__(self) -> None:
        self._check_zeta()
        object.__setattr__(self, "tau", real_number("tau", self.tau))
        if self.tau not in (0.5, 1):
            raise ValueError(f"tau must be 1/2 or 1, got {shown(self.tau)}")
        for name in ("query_key_std", "value_output_std"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), POSITIVE))
        if self.encoding is not None and not isinstance(self.encoding, Encoding):
            raise TypeError(f"encoding must be an Encoding, got {shown(self.encoding)}")

    def _check_zeta(self) -> None:
        mapped = isinstance(self.zeta, RowMap) or self.zeta == "softmax"
        if not mapped and not (isinstance(self.zeta, str) and self.zeta in names()):
            raise ValueError(f"zeta must be a name or a RowMap, got {shown(self.zeta)}")
        if not isinstance(self.parameters, Mapping):
            raise TypeError(f"parameters must be a mapping, got {shown(self.parameters)}")
        if not mapped:
            given: dict[str, Any] = {**self.parameters}
            dual_activation(str(self.zeta), 0.0, **given)  # complains about parameters
        elif self.parameters:
            raise TypeError(f"parameters must be empty for maps of rows, got {self.parameters}")

    @property
    def rows(self) -> RowMap | None:
        """zeta as a map of rows, if it is one."""
        if isinstance(self.zeta, RowMap):
            return self.zeta
        return SOFTMAX if self.zeta == "softmax" else None

    @property
    def slopes(self) -> tuple[float, float] | None:
        """(a, b) if zeta(s) = a s + b |s|."""
        known = isinstance(self.zeta, str) and self.zeta in PIECEWISE_LINEAR
        return PIECEWISE_LINEAR[str(self.zeta)](**self.parameters) if known else None

    def weights(self, scores: Floats) -> Floats:
        """zeta of scores, where it can be evaluated: maps of rows, and a s + b |s|."""
        if self.rows is not None:
            return self.rows.mapped(scores)
        if self.slopes is None:
            raise ValueError(f"layer must have, at tau = 1, a zeta a s + b |s| or a RowMap, got {self.zeta}")
        a, b = self.slopes
        return a * scores + b * np.abs(scores)


def names() -> set[str]:
    """The activations that zeta can be."""
    return {one.name for one in list_activations()}


def checked_layer(name: str, value: object) -> AttentionKernel:
    """`value` if it is an AttentionKernel, else TypeError."""
    if not isinstance(value, AttentionKernel):
        raise TypeError(f"{name} must be an AttentionKernel, got {shown(value)}")
    return value
