"""Appendix B.1: the second moment of a clipped Gaussian variable, and how fast it tends to 1."""

from functools import cache

from sympy import Expr, Integral, exp, integrate, oo, pi, sqrt

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from theorems.attention_limit.letters.limit import (
    Phi,
    clip_level,
    density,
    limit_h,
    psi,
)
from theorems.attention_limit.letters.table import POSITIVE, claim
from theorems.engine import Given, eq, ge, le, rules
from theorems.engine.rules import NotProved, Theorem
from theorems.engine.statements.values import unfolded

_AT = "Appendix B.1"
_NOTE = "proofs_notes/attn_laws.md#clipped-inputs"
C = clip_level
_MEAN = GaussianMean(psi(limit_h, C) ** 2, limit_h)
_VALUE = 2 * C**2 * (1 - Phi(C)) - 2 * C * density(C) + 2 * Phi(C) - 1

CLIP = claim(
    "attn.b1.clip",
    at=_AT,
    title="The second moment of a clipped standard normal variable",
    states=eq(_MEAN, _VALUE),
    given=[C],
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
        over = {limit_h: rules.ranges.assumed(limit_h), C: POSITIVE}
        try:
            rules.follows(eq(unfolded(before.integrand), value), over=over, under=inside)
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
        start=unfolded(_MEAN),
        steps=[
            Step(sum(pieces), "the integral of the definition on three pieces", _on_each_piece),
            Step(unfolded(_VALUE), "integrate by parts", _integrated),
        ],
        domain={C: POSITIVE},
    )


@CLIP.proved()
def piece_by_piece(given: Given) -> Theorem:
    """Both ends have the square C², and between them integration by parts leaves -2Cφ(C)."""
    return given.derived(derive_second_moment())
