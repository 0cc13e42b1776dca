r"""A network of absolute values that attains the sharp form of Proposition 17, exactly.

For 0 < kappa < 1 take phi = |.| (a = 0, b = 1, so sigma = Delta = 1), widths m_0 = m_1 = 3 and
m_2 = 2 (m = 1), q = 0, inputs x_1 = y_1 and x_2 = S y_2 with S = diag(1, -1, -1), where

    y_1 = (y, 1 - kappa + h, h),  y_2 = (y, h, 1 - kappa + h),  y = (1 + kappa) / sqrt 2, h > 0,

and layers A_1 = I, A_2 with the rows (p, n), (p, -n) for p = 1/sqrt 2, n = (1/2, -1/2). Then
A_2 A_2^* = I, A_2 S A_2^* swaps the two coordinates, and the second preactivations are
proportional to z_1 = (1, kappa) and z_2 = (kappa, 1). So B_i B_i^* = I / 6, B_1 B_2^* = swap / 6,
the cosine of the third activations is rho = 2 kappa / (1 + kappa^2), and the swap is
e_+ e_+^* - e_- e_-^* for e_+ and e_- along z_1 + z_2 and z_1 - z_2. Every rho in (0, 1) occurs;
rho <= 0 cannot, since activations of |.| are not negative.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix, Matrix, Rational, Symbol, sqrt

from symbolic.arguments import OPEN_UNIT, exact_in
from symbolic.cosine_maps import varrho_prime
from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal, equal
from symbolic.gaussian import GaussianMean
from symbolic.gradient_dependence import bound_sharp, error
from symbolic.normal_form import sign_on
from symbolic.notation import u1, u2

#: A symbolic ratio kappa of the two coordinates of z_1.
kappa = Symbol("kappa", positive=True)
_INSIDE = {kappa: OPEN_UNIT}
_SWAP = ImmutableMatrix([[0, 1], [1, 0]])
_OFFSET = Rational(1, 10)


@dataclass(frozen=True)
class ExtremalNetwork:
    """Inputs and layer matrices, and what follows from them in the paper's notation."""

    inputs: tuple[ImmutableMatrix, ImmutableMatrix]
    layers: tuple[ImmutableMatrix, ImmutableMatrix]

    def preactivation(self, index: int, layer: int) -> ImmutableMatrix:
        """N_layer at input 1 or 2: layer 1 or 2."""
        x = self.inputs[index - 1] if layer == 1 else self.activation(index, layer)
        return self.layers[layer - 1] * x

    def activation(self, index: int, layer: int) -> ImmutableMatrix:
        """x_layer = m_{layer-1}^(-1/2) |N_{layer-1}| at input 1 or 2: layer 2 or 3."""
        before = self.preactivation(index, layer - 1)
        return self._slopes(index, layer).multiply_elementwise(before)

    def backpropagation(self, index: int) -> ImmutableMatrix:
        """B_{2,3} = D_{x'_3} A_2 D_{x'_2} at input 1 or 2 (Definition 5, sigma = 1)."""
        outer, inner = (sympy.diag(*self._slopes(index, layer)) for layer in (3, 2))
        return ImmutableMatrix(outer * self.layers[1] * inner)

    @cached_property
    def product(self) -> ImmutableMatrix:
        """B_{2,3}(x_1) B_{2,3}(x_2)^*."""
        return ImmutableMatrix((self.backpropagation(1) * self.backpropagation(2).T).applyfunc(sympy.expand))

    @cached_property
    def unit_vectors(self) -> tuple[ImmutableMatrix, ImmutableMatrix]:
        """Directions of the third activations at the two inputs."""
        both = self.activation(1, 3), self.activation(2, 3)
        units = (x / sqrt(sympy.factor(x.dot(x))) for x in both)
        return tuple(x.applyfunc(sympy.simplify) for x in units)

    @cached_property
    def rho(self) -> Expr:
        """Cosine of the third activations."""
        first, second = self.unit_vectors
        return sympy.factor(first.dot(second))

    def _slopes(self, index: int, layer: int) -> ImmutableMatrix:
        """x'_layer = m_{layer-1}^(-1/2) sgn N_{layer-1}."""
        signs = _signs(self.preactivation(index, layer - 1))
        return ImmutableMatrix([sign / sqrt(len(signs)) for sign in signs])


@cache
def _signs(preactivation: ImmutableMatrix) -> tuple[Expr, ...]:
    """Signs of the entries, constant over the ratios kappa in (0, 1)."""
    signs = [sign_on(entry, _INSIDE) for entry in preactivation]
    if None in signs:
        raise ArithmeticError(f"a preactivation has no constant sign: {preactivation}")
    return tuple(map(sympy.Integer, signs))


def extremal_network(ratio: Any = Rational(1, 2)) -> ExtremalNetwork:
    """The network for one ratio kappa in (0, 1), an exact number or the symbol `kappa`.

    >>> network = extremal_network("1/2")
    >>> network.rho, network.product
    (4/5, Matrix([
    [  0, 1/6],
    [1/6,   0]]))
    >>> network.preactivation(2, 1).T
    Matrix([[3*sqrt(2)/4, -1/10, -3/5]])
    """
    ratio = exact_in(ratio, "ratio", OPEN_UNIT)
    top, gap = (1 + ratio) / sqrt(2), 1 - ratio + _OFFSET
    half, shared = Rational(1, 2), 1 / sqrt(2)
    return ExtremalNetwork(
        inputs=(ImmutableMatrix([top, gap, _OFFSET]), ImmutableMatrix([top, -_OFFSET, -gap])),
        layers=(ImmutableMatrix.eye(3), ImmutableMatrix([[shared, half, -half], [shared, -half, half]])),
    )


def check_extremal_network(
    ratio: Any = kappa, constant: Any = 4 / sympy.pi
) -> Iterator[tuple[str, bool | None]]:
    """Exact obligations behind the attainment; `constant` is the disputed constant.

    >>> all(answer for _, answer in check_extremal_network())
    True
    >>> dict(check_extremal_network(constant=Rational(99, 100) * 4 / sympy.pi))[
    ...     "the error is the bound with |B_1| |B_2|"]
    False
    """
    network = extremal_network(ratio)
    first, second = network.backpropagation(1), network.backpropagation(2)
    rho, eye = network.rho, sympy.eye(2) / 6
    yield "B_1 B_1^* = I/6, so |B_1| = 6^(-1/2)", equal(first * first.T, eye)
    yield "B_2 B_2^* = I/6, so |B_2| = 6^(-1/2)", equal(second * second.T, eye)
    yield "B_1 B_2^* = swap/6", equal(network.product, _SWAP / 6)
    yield "the cosine is 2 kappa/(1 + kappa^2)", equal(rho, _cosine(ratio), _INSIDE)
    attained = constant * sqrt(1 - rho**2) / 6
    exact = error(network.product, network.activation(1, 3), network.activation(2, 3), 1)
    yield "the error is the bound with |B_1| |B_2|", equal(exact, attained, _INSIDE)


@cache
def derive_extremal_error() -> Derivation:
    """The error of the network from its definition, for every kappa in (0, 1).

    The next layer has one row g ~ N(0, I_2) per unit, u_j = <g, xhat_j>, and
    E X'_{2,4} - varrho'(rho) X'_{2,3} = E sgn(u1) sgn(u2) <g, M g> - varrho'(rho) tr M. The
    vector g is a function of u, so the mean is bivariate.
    """
    network = extremal_network(kappa)
    first, second = network.unit_vectors
    g = Matrix.vstack(first.T, second.T).inv() * Matrix([u1, u2])
    form = sympy.factor(g.dot(network.product * g))
    mean = GaussianMean(sympy.sign(u1) * sympy.sign(u2) * form, u1, u2, network.rho)
    return Derivation(
        title="Gradient dependence error of the extremal network",
        name=r"\mathbb{E}\,X'_{2,4} - \varrho'(\rho)X'_{2,3}",
        start=mean - varrho_prime(network.rho, 1) * network.product.trace(),
        steps=[
            Step(
                bound_sharp(network.rho, 1) / 6,
                r"polar integration; $\tfrac16 = \|B_1\|\|B_2\|$",
                _carried_out,
            )
        ],
        domain=_INSIDE,
    )


def _carried_out(before: Expr, after: Expr) -> Decision:
    return decide_equal(before.doit(), after, _INSIDE)


def _cosine(ratio: Any) -> Expr:
    ratio = exact_in(ratio, "ratio", OPEN_UNIT)
    return 2 * ratio / (1 + ratio**2)
