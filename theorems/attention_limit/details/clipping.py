"""Appendix B.1: the second moment of a clipped Gaussian variable, and how fast it tends to 1."""

from functools import cache

from sympy import Expr, Integer, Integral, Reals, Symbol, exp, integrate, oo, pi, sqrt

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from theorems.attention_limit.letters.limit import Phi, clip_level, density, limit_h, other_level, psi
from theorems.attention_limit.letters.table import POSITIVE, claim
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.classical.normal_tails import distribution, gordon
from theorems.engine import Given, Provenance, eq, ge, half_line, implies, le, lt, rules
from theorems.engine.rules import NotProved, Random, Theorem, principles
from theorems.engine.statements.values import unfolded

_AT = "Appendix B.1"
_NOTE = "proofs_notes/attn_laws.md#clipped-inputs"
C = clip_level
SQUARE_MEAN = GaussianMean(psi(limit_h, C) ** 2, limit_h)
SECOND_MOMENT = 2 * C**2 * (1 - Phi(C)) - 2 * C * density(C) + 2 * Phi(C) - 1

CLIP = claim(
    "attn.b1.clip",
    at=_AT,
    title="The second moment of a clipped standard normal variable",
    states=eq(SQUARE_MEAN, SECOND_MOMENT),
    note=_NOTE,
)

#: The pieces of the clipped variable, with what its square is on each.
_PIECES = ((C**2, -oo, -C), (limit_h**2, -C, C), (C**2, C, oo))


def _weight(at: Expr) -> Expr:
    return exp(-(at**2) / 2) / sqrt(2 * pi)


def _on_each_piece(before: Expr, _after: Expr) -> Decision:
    """The square of the clipped variable is what stands under each integral."""
    for value, low, high in _PIECES:
        inside = [one for one in (ge(limit_h, low), le(limit_h, high)) if one.rhs not in {-oo, oo}]
        try:
            rules.follows(eq(unfolded(before.integrand), value), under=inside)
        except NotProved as error:
            return Decision(False, str(error))
    return Decision(True, "on each piece, by the proof kernel")


def _integrated(before: Expr, after: Expr) -> Decision:
    pieces = [integrate(*one.args) for one in before.atoms(Integral)]
    return decide_equal(sum(pieces), after, {C: POSITIVE})


@cache
def derive_second_moment() -> Derivation:
    """The integral of the definition, piece by piece."""
    pieces = [Integral(value * _weight(limit_h), (limit_h, *ends)) for value, *ends in _PIECES]
    return Derivation(
        title="Second moment of a clipped standard normal variable",
        name=r"\mathbb{E}\,\psi(h)^2",
        start=unfolded(SQUARE_MEAN),
        steps=[
            Step(sum(pieces), "the integral of the definition on three pieces", _on_each_piece),
            Step(unfolded(SECOND_MOMENT), "integrate by parts", _integrated),
        ],
        domain={C: POSITIVE},
    )


@CLIP.proved()
def piece_by_piece(given: Given) -> Theorem:
    """Both ends have the square C², and between them integration by parts leaves -2Cφ(C)."""
    return given.derived(derive_second_moment())


_OTHER_VALUE = SECOND_MOMENT.subs(C, other_level)
_U = Random("U")
#: Bounds of the distance of the second moment from 1.
_BELOW, _ABOVE = 2 * density(C) / C, 4 * C * density(C) / (C**2 + 1)

LIMIT = claim(
    "attn.b1.clip.limit",
    at=_AT,
    title="The second moment increases to 1 with the level, and how fast",
    states={
        "increasing": implies(le(C, other_level), le(SECOND_MOMENT, _OTHER_VALUE)),
        "from below": le(_BELOW, 1 - SECOND_MOMENT),
        "from above": le(1 - SECOND_MOMENT, _ABOVE),
    },
    given={C: half_line(1)},
    rests_on=[CLIP],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LIMIT.proved("increasing")
def point_by_point(given: Given) -> Theorem:
    """The square of the clipped variable is nowhere smaller at a higher level."""
    x = Symbol("x", real=True)
    levels = {level: given.domain[level] for level in (C, other_level)}
    small, large = (psi(x, level) ** 2 for level in (C, other_level))
    clipped = (eq(psi(x, level), unfolded(psi(x, level))) for level in levels)
    known = [given.meaning("a number clipped at a level", one, over={x: Reals}) for one in clipped]
    each = rules.follows(le(small, large), known, over={x: Reals, **levels}, under=[le(C, other_level)])
    mean = principles.expected(each, x, _U)
    law = given.meaning("a standard normal variable", *standard(_U).args)
    means = [
        by_density(psi(limit_h, level) ** 2, limit_h, _U, SQUARE_MEAN.subs(C, level), over={level: range_})
        for level, range_ in levels.items()
    ]
    values = [given.fact(CLIP, at={C: level}) for level in (C, other_level)]
    return given.follows(mean, law, *means, *values)


@LIMIT.proved("from below", "from above")
def bounds_of_the_tail(given: Given) -> Theorem:
    """1 - m = 2Cφ - 2(C² - 1)(1 - Φ), with Cφ/(C² + 1) ≤ 1 - Φ ≤ φ/C; equal at C = 1."""
    law = given.meaning("a standard normal variable", *standard(_U).args)
    tails = [fact(_U, C, over={C: given.domain[C]}) for fact in (gordon, distribution)]
    return given.follows(law, *tails, goal=unfolded(given.goal))


_LEVEL = Integer(100)
EXPERIMENTS = claim(
    "attn.b1.clip.experiments",
    at=_AT,
    title="The bounds of the distance from 1 at the level 100 of the experiments",
    states={
        "from below": lt(exp(-5005), _BELOW.subs(C, _LEVEL)),
        "from above": lt(_ABOVE.subs(C, _LEVEL), exp(-5004)),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPERIMENTS.certified("from below", "from above")
def in_balls(given: Given) -> Theorem:
    """Both numbers in ball arithmetic."""
    return rules.enclosed(unfolded(given.goal))
