r"""The independently recurrent network (IndRNN): output, gradients, symmetric initialisation.

    h_0 = 0,  h_t = sigma(U X_t + w * h_{t-1}),  f(X) = m^(-1/2) c.h_T.

Units do not see each other, so that dh_T/dw_i = sum_t b_t h_{t-1} with the scalars
b_T = sigma'_T, b_t = sigma'_t w_i b_{t+1}, which depend neither on c nor on the label.

Source: "Shallow transformers", Appendix B.1, (48)-(51).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import POSITIVE, Floats, positive_integer, real_array, real_number, shown
from numeric.networks import arguments
from numeric.networks.transformer.activation import BoundedActivation, activation_of

__all__ = [
    "RecurrentParameters",
    "RecurrentStep",
    "hidden_states",
    "jacobian_in_w",
    "recurrent_initialisation",
    "recurrent_loss_and_gradient",
    "recurrent_predict",
]

# Samples whose hidden states are held at a time.
_CHUNK = 512


@dataclass(frozen=True, eq=False, init=False)
class RecurrentParameters:
    """phi = (U, w, c): ``U`` of shape ``(m, d)``, ``w`` and ``c`` of shape ``(m,)``.

    The arrays are copied and cannot be written to; m, d >= 1.
    Raises TypeError or ValueError for other shapes and for entries that are not finite.

    >>> phi = RecurrentParameters([[1.0], [1.0]], [0.5, 0.5], [1.0, -1.0])
    >>> phi.m, (phi - phi).w
    (2, array([0., 0.]))
    """

    U: Floats
    w: Floats
    c: Floats

    def __init__(self, U: ArrayLike, w: ArrayLike, c: ArrayLike) -> None:
        matrix = _frozen("U", U, ("m", "d"))
        if matrix.size == 0:
            raise ValueError(f"U must have at least one entry, got shape {matrix.shape}")
        object.__setattr__(self, "U", matrix)
        object.__setattr__(self, "w", _frozen("w", w, (len(matrix),)))
        object.__setattr__(self, "c", _frozen("c", c, (len(matrix),)))

    @property
    def m(self) -> int:
        """The width, the number of units."""
        return len(self.w)

    def __sub__(self, other: "RecurrentParameters") -> "RecurrentParameters":
        return self.moved(other, -1.0)

    def moved(self, direction: "RecurrentParameters", step: float) -> "RecurrentParameters":
        """Go from here by step times the direction."""
        _of_same_space("direction", direction, self)
        return RecurrentParameters(
            self.U + step * direction.U, self.w + step * direction.w, self.c + step * direction.c
        )


def _of_same_space(name: str, value: object, like: RecurrentParameters) -> None:
    if not isinstance(value, RecurrentParameters):
        raise TypeError(f"{name} must be RecurrentParameters, got {shown(value)}")
    if value.U.shape != like.U.shape:
        raise ValueError(f"{name} must have U of shape {like.U.shape}, got {value.U.shape}")


def _frozen(name: str, value: ArrayLike, shape: tuple[int | str, ...]) -> Floats:
    array = real_array(name, value, shape=shape).copy()
    array.flags.writeable = False
    return array


def recurrent_initialisation(m: int, d: int, gamma: float, rng: np.random.Generator) -> RecurrentParameters:
    """U standard normal, w_i = +-gamma, c_i = +-1 for m/2 units; the others repeat them with -c.

    m even, gamma > 0. The output is 0 for every input. Raises ValueError for odd m.

    Source: "Shallow transformers", (51).

    >>> phi = recurrent_initialisation(4, 2, 1.5, np.random.default_rng(0))
    >>> abs(phi.w), phi.c[:2] + phi.c[2:]
    (array([1.5, 1.5, 1.5, 1.5]), array([0., 0.]))
    """
    width, scale = positive_integer("m", m), real_number("gamma", gamma, POSITIVE)
    if width % 2:
        raise ValueError(f"m must be even, got {width}")
    source, half = arguments.generator(rng), width // 2
    U = source.standard_normal((half, positive_integer("d", d)))
    w = source.choice([-scale, scale], half)
    c = source.choice([-1.0, 1.0], half)
    return RecurrentParameters(np.tile(U, (2, 1)), np.tile(w, 2), np.concatenate([c, -c]))


def hidden_states(
    parameters: RecurrentParameters, tokens: ArrayLike, activation: BoundedActivation
) -> Floats:
    """h_0 = 0, h_1, ..., h_T for each sample, shape ``(T + 1, n, m)``; tokens ``(n, T, d)``.

    Source: "Shallow transformers", (48) and (49).

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = RecurrentParameters([[1.0]], [2.0], [1.0])
    >>> hidden_states(phi, [[[0.0], [1.0]]], SINE)[:, 0, 0] == [0, 0, np.sin(1)]
    array([ True,  True,  True])
    """
    return _unrolled(parameters, _tokens(parameters, tokens), activation)[0]


def _tokens(parameters: RecurrentParameters, tokens: ArrayLike) -> Floats:
    sequences = real_array("tokens", tokens, shape=("n", "T", parameters.U.shape[1]))
    if sequences.size == 0:
        raise ValueError(f"tokens must have at least one entry, got shape {sequences.shape}")
    return sequences


def _unrolled(
    parameters: RecurrentParameters, tokens: Floats, activation: BoundedActivation
) -> tuple[Floats, Floats]:
    """The states h_0, ..., h_T, shape (T + 1, n, m), and sigma'_1, ..., sigma'_T, (T, n, m)."""
    n, T, _ = tokens.shape
    activation_of(activation)
    # Time first: each step then works on one piece of memory.
    slopes = np.ascontiguousarray(tokens.transpose(1, 0, 2)) @ parameters.U.T
    states = np.zeros((T + 1, n, parameters.m))
    for t in range(T):
        slopes[t] += parameters.w * states[t]
        states[t + 1] = activation.value(slopes[t])
        slopes[t] = activation.slope(slopes[t], states[t + 1])
    return states, slopes


def recurrent_predict(
    parameters: RecurrentParameters, tokens: ArrayLike, activation: BoundedActivation
) -> Floats:
    """m^(-1/2) c.h_T for each sample, shape ``(n,)``; tokens ``(n, T, d)``.

    Source: "Shallow transformers", (50).

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = RecurrentParameters([[1.0]], [2.0], [3.0])
    >>> recurrent_predict(phi, [[[0.0], [1.0]]], SINE) == 3 * np.sin([1.0])
    array([ True])
    """
    sequences = _tokens(parameters, tokens)
    T = sequences.shape[1]
    activation_of(activation)
    h = np.zeros((len(sequences), parameters.m))
    for t in range(T):
        h = activation.value(sequences[:, t] @ parameters.U.T + parameters.w * h)
    output: Floats = h @ parameters.c / math.sqrt(parameters.m)
    return output


class RecurrentStep(NamedTuple):
    """What one step of descent needs, and the mean Jacobian for free.

    - ``gradient`` of the ``loss``; ``residuals`` f(X^(j)) - y^(j), shape ``(n,)``;
    - ``mean_jacobian``: (1/n) sum_j grad_w f(X^(j)), shape ``(m,)`` (Appendix B.1).
    """

    loss: float
    gradient: RecurrentParameters
    residuals: Floats
    mean_jacobian: Floats


def jacobian_in_w(
    parameters: RecurrentParameters, tokens: ArrayLike, activation: BoundedActivation
) -> Floats:
    """dh_T/dw_i for each sample and unit, shape ``(n, m)``.

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = RecurrentParameters([[1.0]], [1.0], [1.0])
    >>> jacobian_in_w(phi, [[[1.0], [0.0]]], SINE) == np.cos(np.sin(1)) * np.sin(1)
    array([[ True]])
    """
    states, slopes = _unrolled(parameters, _tokens(parameters, tokens), activation)
    _sensitivities(parameters.w, slopes)
    jacobian: Floats = np.einsum("tnm,tnm->nm", slopes, states[:-1])
    return jacobian


def _sensitivities(w: Floats, slopes: Floats) -> None:
    """Turn sigma'_t into b_t = sigma'_t w b_{t+1}, with b_T = sigma'_T, in place."""
    for t in range(len(slopes) - 2, -1, -1):
        slopes[t] *= slopes[t + 1]
        slopes[t] *= w


def recurrent_loss_and_gradient(
    parameters: RecurrentParameters, tokens: ArrayLike, labels: ArrayLike, activation: BoundedActivation
) -> RecurrentStep:
    """The empirical loss (1/n) sum_j (f(X^(j)) - y^(j))^2 with its gradient.

    tokens ``(n, T, d)``, labels ``(n,)``.

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = RecurrentParameters([[0.0]], [2.0], [3.0])
    >>> step = recurrent_loss_and_gradient(phi, [[[1.0], [1.0]]], [2.0], SINE)
    >>> step.loss, step.gradient.U  # h_2 = sin(U + 2 sin U)
    (4.0, array([[-36.]]))
    """
    sequences = _tokens(parameters, tokens)
    wanted = real_array("labels", labels, shape=(len(sequences),))
    m, d = parameters.m, sequences.shape[2]
    residuals = np.empty(len(sequences))
    for_U, sums = np.zeros((m, d)), np.zeros((3, m))
    for start in range(0, len(sequences), _CHUNK):
        part = slice(start, start + _CHUNK)
        states, sensitivities = _unrolled(parameters, sequences[part], activation)
        _sensitivities(parameters.w, sensitivities)
        r = residuals[part]
        r[:] = states[-1] @ parameters.c / math.sqrt(m) - wanted[part]
        jacobians = np.einsum("tnm,tnm->nm", sensitivities, states[:-1])
        sums += np.stack([r @ states[-1], r @ jacobians, jacobians.sum(axis=0)])
        weighted = (sequences[part] * r[:, None, None]).transpose(1, 0, 2).reshape(-1, d)
        for_U += sensitivities.reshape(-1, m).T @ weighted
    heads, scale = parameters.c / math.sqrt(m), 2 / len(sequences)
    gradient = RecurrentParameters(
        scale * heads[:, None] * for_U, scale * heads * sums[1], scale / math.sqrt(m) * sums[0]
    )
    loss = float(residuals @ residuals / len(sequences))
    return RecurrentStep(loss, gradient, residuals, heads * sums[2] / len(sequences))
