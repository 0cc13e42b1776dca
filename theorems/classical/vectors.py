"""Facts about matrices of rank one and sums of vectors.

>>> from theorems.engine.rules import Vector
>>> x, y = Vector("x"), Vector("y")
>>> print(rank_one((Vector("xx'"), Vector("yy'"), x, y)).statement)
Eq(inner(xx', yy'), inner(x, y)**2)
"""

from typing import Any

from sympy import Symbol

from theorems.engine import both, eq
from theorems.engine.rules import Theorem, inner
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.ranges import Over, assumed

__all__ = ["rank_one", "sum_of_vectors"]


def _fact(name: str, said: Any, over: Over | None) -> Theorem:
    found = {x: getattr(x, "belongs_to", None) for x in said.free_symbols}
    ranges = {x: range_ or (over or {}).get(x, assumed(x)) for x, range_ in found.items()}
    return Fact(name, said, tuple(ranges), tuple(ranges.items())).theorem


def rank_one(*pairs: tuple[Any, Any, Any, Any], over: Over | None = None) -> Theorem:
    """⟨xx', yy'⟩ = ⟨x, y⟩² for the matrices xx' and yy', vectors in the Frobenius inner product.

    It is said of several (xx', yy', x, y).
    """
    said = both(*(eq(inner(xx, yy), inner(x, y) ** 2) for xx, yy, x, y in pairs))
    return _fact("inner products of matrices of rank one", said, over)


def sum_of_vectors(
    S: Any, count: Symbol, longer: Any, w: Any, *, over: Over | None = None
) -> Theorem:
    """Inner products of w with sums S(n) of n vectors: S(0) is 0, and S(n + 1) is ``longer``."""
    said = both(eq(inner(S(0), w), 0), eq(inner(S(count + 1), w), inner(longer, w)))
    return _fact("a sum of vectors gains its last one", said, over)
