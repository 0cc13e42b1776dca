"""The square of the hyperbolic secant is the mean of a cosine with a random frequency.

>>> print(secant_by_cosines(Random("U"), Random("X")).statement)
Eq(E(cos(U*X)), 1 - E(tanh(X/2)**2))
"""

from sympy import Interval, Symbol, cos, oo, pi, sinh, tanh

from theorems.engine import eq
from theorems.engine.rules import E, Random
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.vocabulary import density, independent

__all__ = ["fourth_moment_of_frequency", "frequency", "secant_by_cosines"]

_U, _X, _u = Random("U"), Random("X"), Symbol("u", positive=True)


def frequency(U: Random) -> density:
    """That U has the density 4u/sinh(πu) for u > 0."""
    return density(U, 4 * _u / sinh(pi * _u), _u, Interval.open(0, oo))


#: 1 - tanh²(x/2) is the mean of cos(Ux), as the Fourier transform of 1/cosh² says, inverted
#: (Gradshteyn and Ryzhik, Table of integrals, 3.982.1).
secant_by_cosines = Fact(
    "the square of the hyperbolic secant as a Fourier transform",
    eq(E(cos(_U * _X)), 1 - E(tanh(_X / 2) ** 2)),
    (_U, _X),
    under=(frequency(_U), independent(_U, _X)),
)
#: E U⁴ = 4∫u⁵/sinh(πu) du = (63/6)·4|B_6| = 1 (Gradshteyn and Ryzhik, 3.523.1).
fourth_moment_of_frequency = Fact(
    "fourth moment of the density 4u/sinh(πu)", eq(E(_U**4), 1), (_U,), under=(frequency(_U),)
)
