"""Kernels of an attention layer of infinitely many heads, as matrices of exact expressions."""

from dataclasses import dataclass
from typing import Any

from sympy import Expr, ImmutableMatrix, Rational, Symbol, sqrt, zeros

from symbolic.arguments import POSITIVE, exact, exact_in, exact_matrix, shown
from symbolic.attention_kernels.structure import (
    MeanOfProduct,
    ScoreMean,
    check_tangent,
    check_zeta,
    output_kernel,
    output_tangent_kernel,
)
from symbolic.dual_activations import dual_activation, dual_activation_derivative
from symbolic.dual_activations.catalogue import NONNEGATIVE, resolve
from symbolic.softmax_jacobian import softmax


@dataclass(frozen=True)
class _Layer:
    """zeta and the scales of a layer, and the kernels of both of its inputs with themselves."""

    zeta: str
    parameters: dict[str, Any]
    query_key_variance: Expr
    value_output_variance: Expr
    first: ImmutableMatrix
    second: ImmutableMatrix

    def evaluated(self, expression: Expr) -> Expr:
        """Means of scores as closed forms, times the scale of values and output weights."""
        means = {mean: self._closed_form(mean) for mean in expression.atoms(ScoreMean)}
        return self.value_output_variance * expression.xreplace(means)

    def _closed_form(self, mean: ScoreMean) -> Expr:
        order, covariance, *variances = mean.args
        spread = sqrt(variances[0]) * sqrt(variances[1])
        rho = covariance / spread if spread != 0 else spread
        dual = {0: dual_activation, 1: dual_activation_derivative}[int(order)]
        return dual(self.zeta, rho, variances=tuple(variances), **self.parameters)

    def gaussian_scores(self) -> MeanOfProduct:
        """The means for scores of Theorem 3, tau = 1/2."""
        scale, first, second = self.query_key_variance, self.first, self.second

        def mean(a: int, b: int, i: int, j: int, covariance: Expr) -> Expr:
            variances = first[a, a] * first[i, i], second[b, b] * second[j, j]
            return ScoreMean(0, scale * covariance, *(scale * one for one in variances))

        return mean

    def constant_scores(self) -> MeanOfProduct:
        """The products of weights where scores tend to constants, tau = 1."""
        scale = sqrt(self.query_key_variance)
        one, other = (self._weights(scale * own) for own in (self.first, self.second))
        return lambda a, b, i, j, _covariance: one[a, i] * other[b, j]

    def _weights(self, scores: ImmutableMatrix) -> ImmutableMatrix:
        if self.zeta == "softmax":
            rows = [softmax(scores.row(a)) for a in range(scores.rows)]
            return ImmutableMatrix([list(row) for row in rows])
        activation, values = resolve(self.zeta, self.parameters)
        return ImmutableMatrix(scores.applyfunc(lambda s: activation.expression(s, *values)))


def attention_kernel(
    kernel: Any,
    first: Any,
    second: Any,
    zeta: str,
    *,
    tau: Any = "1/2",
    query_key_std: Any = 1,
    value_output_std: Any = 1,
    values: Any = None,
    **parameters: Any,
) -> ImmutableMatrix:
    r"""Kernel of the output of an attention layer at two inputs x and x', by their tokens.

    :math:`\kappa_{ab} = \sigma_{OV}^2 \sum_{ij} V_{ij}\, E\, \zeta(G_{ai}) \zeta(G'_{bj})`.
    `kernel` (s, s') is that of the layer's input at (x, x'), `first` (s, s) at (x, x), `second`
    (s', s') at (x', x'), as queries and keys see them; `values`, if these see another one, is V.
    Entries and scales (above 0) are exact numbers or symbols. `zeta` is an activation, elementwise,
    with its parameters (see `list_activations`), or at tau = 1 "softmax". Scores are Gaussian with
    covariances sigma_QK^2 kernel_ab kernel_ij at tau = 1/2; at tau = 1 they are
    sigma_QK first and sigma_QK second.

    Raises ValueError or TypeError, which name the argument, for anything else.
    Source: "Infinite attention", Theorem 3 (Equation (7)).

    >>> gram = [[1, 0], [0, 1]]
    >>> attention_kernel(gram, gram, gram, "relu")
    Matrix([
    [   1, 1/pi],
    [1/pi,    1]])
    >>> attention_kernel([[1, 2]], [[1]], [[1, 2], [2, 4]], "identity", query_key_std=3)
    Matrix([[45, 90]])
    """
    scores, layer, mean = _checked(
        (kernel, first, second), zeta, tau, (query_key_std, value_output_std), parameters
    )
    seen = scores if values is None else exact_matrix(values, "values", scores.shape)
    return _by_tokens(scores, lambda a, b: output_kernel(seen, scores, (a, b), mean), layer)


def attention_tangent_kernel(
    kernel: Any,
    tangent: Any,
    first: Any,
    second: Any,
    zeta: str,
    *,
    tau: Any = "1/2",
    query_key_std: Any = 1,
    value_output_std: Any = 1,
    values: tuple[Any, Any] | None = None,
    **parameters: Any,
) -> ImmutableMatrix:
    r"""Neural tangent kernel of the output, the derivative of its kernel along the input's two.

    `tangent` (s, s') is the tangent kernel of the input at (x, x') as queries and keys see it;
    `values`, if these see others, the pair of the kernel and the tangent kernel. Otherwise as
    `attention_kernel`, with a zeta that is differentiable or has a kink (`sign` and `step` have
    no tangent kernel) and variances above 0 where it has a kink.

    Raises ValueError or TypeError, which name the argument, for anything else.
    Source: "Infinite attention", Theorem 18 (Equation (22)).

    >>> gram, none = [[1, 0], [0, 1]], [[0, 0], [0, 0]]
    >>> attention_tangent_kernel(gram, none, gram, gram, "identity")[0, 0]
    8
    >>> attention_tangent_kernel(gram, none, gram, gram, "relu", tau=1)
    Matrix([
    [2, 0],
    [0, 2]])
    """
    scores, layer, mean = _checked(
        (kernel, first, second), zeta, tau, (query_key_std, value_output_std), parameters
    )
    check_tangent(zeta)
    moving = exact_matrix(tangent, "tangent", scores.shape)
    seen = scores, moving
    if values is not None:
        seen = _both(values, scores.shape)
    return _by_tokens(scores, lambda a, b: output_tangent_kernel(seen, (scores, moving), (a, b), mean), layer)


def _both(values: Any, shape: tuple[int, int]) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    try:
        kernel, tangent = values
    except (TypeError, ValueError) as error:
        wanted = "a pair, the kernel and the tangent kernel of the values' input"
        raise TypeError(f"values must be {wanted}, got {shown(values)}") from error
    return exact_matrix(kernel, "values[0]", shape), exact_matrix(tangent, "values[1]", shape)


def _by_tokens(scores: ImmutableMatrix, entry: Any, layer: _Layer) -> ImmutableMatrix:
    result = zeros(*scores.shape)
    for a in range(scores.rows):
        for b in range(scores.cols):
            result[a, b] = layer.evaluated(entry(a, b))
    return ImmutableMatrix(result)


def _checked(
    kernels: tuple[Any, Any, Any], zeta: str, tau: Any, stds: tuple[Any, Any], parameters: dict[str, Any]
) -> tuple[ImmutableMatrix, _Layer, MeanOfProduct]:
    """The kernel that scores see, the layer, and the means of products of weights."""
    kernel, first, second = kernels
    scores = exact_matrix(kernel, "kernel", (None, None))
    rows, columns = scores.shape
    own = exact_matrix(first, "first", (rows, rows))
    other = exact_matrix(second, "second", (columns, columns))
    for name, alone in (("first", own), ("second", other)):
        for a in range(alone.rows):
            exact_in(alone[a, a], name, NONNEGATIVE)
    query_key = exact_in(stds[0], "query_key_std", POSITIVE)
    value_output = exact_in(stds[1], "value_output_std", POSITIVE)
    constant = exact(tau, "tau") == 1
    if not constant and exact(tau, "tau") != Rational(1, 2):
        raise ValueError(f"tau must be 1/2 or 1, got {shown(tau)}")
    _check_zeta(zeta, constant, parameters)
    layer = _Layer(zeta, parameters, query_key**2, value_output**2, own, other)
    return scores, layer, layer.constant_scores() if constant else layer.gaussian_scores()


def _check_zeta(zeta: Any, constant: bool, parameters: dict[str, Any]) -> None:
    check_zeta(zeta, "softmax")
    if zeta == "softmax":
        if not constant:
            raise ValueError("zeta must act on single scores at tau = 1/2, got 'softmax'")
        if parameters:
            raise TypeError(f"softmax takes no parameters, got {', '.join(parameters)}")
    else:
        dual_activation(zeta, Symbol("rho"), **parameters)  # complains about parameters
