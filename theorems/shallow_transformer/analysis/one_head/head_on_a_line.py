r"""One attention head along a line of its parameters, in the values that its tokens give.

With theta = (U + t delta, W + t Delta) and the values A_t = <U, X_t>, A'_t = <delta, X_t>,
s_t = <X_t, Delta q> the head is

.. math:: z(t) = \frac{\sum_r w_r e^{t s_r}(A_r + t A_r')}{\sum_r w_r e^{t s_r}},
    \quad \sum_r w_r = 1,

for weights w of softmax at t = 0. All symbols are free, so that identities between derivatives of
z and moments under w hold in every dimension; a moment of k functions names k tokens at most, so
that k tokens of their own and one more for the rest stand for any number of tokens.
"""

from functools import cached_property

import sympy
from sympy import Expr, Symbol


class HeadOnALine:
    """A head with T tokens, T >= 1, along a line.

    - ``weights``: w_1, ..., w_{T-1} and 1 - w_1 - ... - w_{T-1};
    - ``A``, ``moved``, ``s``: symbols for the values A_t, A'_t, s_t, lists of T.

    Source: "Shallow Transformers", proof of Lemma 2 (derived).

    >>> head = HeadOnALine(2)
    >>> sympy.factor(head.derivative(1).subs({one: 0 for one in head.moved}))
    -w_1*(A_1 - A_2)*(s_1 - s_2)*(w_1 - 1)
    """

    def __init__(self, T: int) -> None:
        self.T = T
        self.A, self.moved, self.s = (self._values(name) for name in ("A", "B", "s"))

    def _values(self, name: str) -> list[Symbol]:
        return list(sympy.symbols(f"{name}_1:{self.T + 1}", real=True))

    @cached_property
    def weights(self) -> list[Expr]:
        """The weights at t = 0."""
        free = list(sympy.symbols(f"w_1:{self.T}", positive=True))
        return [*free, 1 - sympy.Add(*free)]

    def mean(self, *functions: list[Symbol]) -> Expr:
        """The mean of the product of functions of the tokens at t = 0."""
        products = (sympy.prod(values) for values in zip(*functions, strict=True))
        return sympy.Add(*(w * one for w, one in zip(self.weights, products, strict=True)))

    def derivative(self, order: int) -> Expr:
        """The derivative of z of the given order >= 1 at t = 0, expanded."""
        t = Symbol("t", real=True)
        odds = [w * sympy.exp(t * s) for w, s in zip(self.weights, self.s, strict=True)]
        values = [a + t * b for a, b in zip(self.A, self.moved, strict=True)]
        above = sympy.Add(*(o * v for o, v in zip(odds, values, strict=True)))
        z = above / sympy.Add(*odds)
        return sympy.expand(z.diff(t, order).subs(t, 0))
