"""The leaves that a proof reaches through what it is given, and not from the rules.

Only what a proof is given knows of which letters of the claim a leaf speaks, so papers import none.
"""

from collections.abc import Callable, Mapping

from theorems.engine.rules.leaves import bridge, claimed, supposed, textbook
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.rules.theorem import Theorem

LEAVES: Mapping[str, Callable[..., Theorem]] = {
    leaf.__name__: leaf for leaf in (bridge, claimed, largest, least, meaning, supposed, textbook)
}
