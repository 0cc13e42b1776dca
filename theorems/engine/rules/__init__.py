"""Rules: theorems that only a proof kernel can make, from premises with names.

A theorem says what holds, for which values of its letters, under which hypotheses, and what the
proof finally trusts. Inferences are made by knuckledragger's kernel on Z3; derivations, decisions,
certificates, textbook facts and claims enter as named premises. Meanings, hypotheses, textbook
facts and claims are not here: a proof has them from what it is given.
"""

from theorems.engine.rules.derivations import derived
from theorems.engine.rules.derivatives import (
    as_named,
    chained,
    differentiated,
    equal_rates,
    mean_value,
    rate_of,
    taylor,
)
from theorems.engine.rules.inferences import cases, follows, induction, instance
from theorems.engine.rules.leaves import decided, defined, enclosed
from theorems.engine.rules.ranges import Objects
from theorems.engine.rules.theorem import ForgedError, NotProved, Theorem, Trust, genuine
from theorems.engine.rules.vocabulary import (
    EVENTS,
    OPERATORS,
    RANDOM,
    VECTORS,
    E,
    Event,
    Operator,
    P,
    Random,
    Vector,
    act,
    inner,
    norm,
)

__all__ = [
    "EVENTS",
    "OPERATORS",
    "RANDOM",
    "VECTORS",
    "E",
    "Event",
    "ForgedError",
    "NotProved",
    "Objects",
    "Operator",
    "P",
    "Random",
    "Theorem",
    "Trust",
    "Vector",
    "act",
    "as_named",
    "cases",
    "chained",
    "decided",
    "defined",
    "derived",
    "differentiated",
    "enclosed",
    "equal_rates",
    "follows",
    "genuine",
    "induction",
    "inner",
    "instance",
    "mean_value",
    "norm",
    "rate_of",
    "taylor",
]
