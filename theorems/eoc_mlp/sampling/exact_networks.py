"""Exact networks on which identities of the chapter are checked, each with two inputs."""

from fractions import Fraction
from typing import NamedTuple

from symbolic.networks.mlp import ExactMLP

Number = int | Fraction


class Example(NamedTuple):
    """A network and two inputs at which no preactivation vanishes."""

    mlp: ExactMLP
    x1: tuple[Number, ...]
    x2: tuple[Number, ...]


# Widths below and above the unit and of 1, depths 2 to 4, one and several outputs, equal and
# different scalings, the absolute value, the ReLU, a leaky one of negative b, and b = 0.
EXAMPLES = (
    Example(
        ExactMLP([[[1, -2], [3, 1]], [[2, -1], [1, 3]], [[1, 2], [-1, 1]]], a=0, b=1),
        (1, Fraction(2, 5)),
        (-1, 3),
    ),
    Example(
        ExactMLP([[[2], [-1]], [[1, 3]]], a=Fraction(1, 2), b=Fraction(1, 2), q=(1, 3), m=2), (3,), (-2,)
    ),
    Example(
        ExactMLP(
            [[[1, -2], [1, 1], [2, -1], [1, 3]], [[1, -1, 2, 1]], [[2], [-3]]], a=2, b=-1, q=(2, -2, 4), m=1
        ),
        (1, 2),
        (1, -1),
    ),
    Example(ExactMLP([[[2]], [[-1]], [[3]], [[1], [2]]], a=1, b=2, q=(0, 1, 2, 3), m=4), (1,), (-2,)),
    Example(
        ExactMLP([[[1, 1], [1, -1]], [[1, 2], [3, -2]], [[1, 1]]], a=1, b=0, q=(1, 0, 1), m=2), (1, 3), (2, 1)
    ),
    # The second layer is dead at the first input.
    Example(ExactMLP([[[1], [2]], [[-1, -1]], [[3], [1]]], a=Fraction(1, 2), b=Fraction(1, 2)), (1,), (-1,)),
)
