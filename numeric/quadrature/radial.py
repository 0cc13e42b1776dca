"""Integrals along a ray with a Gaussian weight, to a given number of digits (mpmath)."""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import flint
import mpmath
from mpmath import mp, mpf

from numeric.arithmetic import mpf_of


class Ray(NamedTuple):
    """A function on [0, infinity) that decays, and the points where it is not smooth."""

    function: Callable[[Any], Any]
    breaks: Sequence[Any]


class Rule(NamedTuple):
    """Gauss-Legendre on `panels` equal panels of [0, reach], cut further at the breaks."""

    reach: mpf
    panels: int

    def integral(self, ray: Ray) -> Any:
        """Return the integral over [0, reach] at the working precision."""
        return mp.fsum(self._terms(ray))

    def with_size(self, ray: Ray) -> tuple[Any, Any]:
        """Return the integral, and that of the absolute value."""
        terms = self._terms(ray)
        return mp.fsum(terms), mp.fsum(map(abs, terms))

    def _terms(self, ray: Ray) -> list[Any]:
        grid = [self.reach * k / self.panels for k in range(self.panels + 1)]
        ends = sorted([*grid, *(b for b in ray.breaks if 0 < b < self.reach)])
        # A Gaussian on a panel of 2.5 is integrated to 24 digits by 24 nodes.
        nodes = _gauss_legendre(max(16, mp.dps + 1), mp.prec)
        terms = []
        for a, b in itertools.pairwise(ends):
            half, middle = (b - a) / 2, (a + b) / 2
            terms += [half * weight * ray.function(middle + half * x) for x, weight in nodes]
        return terms

    def finer(self) -> "Rule":
        """Return the rule that this one is checked against and replaced by."""
        return Rule(self.reach * mpf(5) / 4, 2 * self.panels)


def converged_rule(rays: Sequence[Ray], digits: int) -> Rule:
    """Return a rule that agrees with the next finer one on these rays to so many digits.

    Digits are relative to the integral of the absolute value. Since the finer rule also reaches
    farther, agreement shows the truncation to be harmless, and since its nodes lie elsewhere, a
    break that was not named shows up.

    Raises: ArithmeticError if no rule does.
    """
    # exp(-r^2 / 2) is down to the working precision at this reach.
    rule = Rule(mp.sqrt(2 * mp.log(10) * mp.dps), 4)
    coarse = [rule.with_size(ray) for ray in rays]
    for _ in range(_REFINEMENTS):
        finer = rule.finer()
        fine = [finer.with_size(ray) for ray in rays]
        gap = mp.fsum(abs(a - b) for (a, _), (b, _) in zip(coarse, fine, strict=True))
        if gap <= mpf(10) ** -digits * mp.fsum(size for _, size in fine):
            return rule
        rule, coarse = finer, fine
    raise not_converged(gap)


def not_converged(gap: Any) -> ArithmeticError:
    """Return the error of a quadrature that still changes by so much."""
    return ArithmeticError(
        f"the quadrature did not settle: refined, it still changes by {mpmath.nstr(gap, 3)}; "
        "name every kink and jump of f in breaks (or the expectation is infinite)"
    )


# From 4 panels up to 128, which resolve what is 1/10 of a standard deviation wide.
_REFINEMENTS = 5


@functools.lru_cache(maxsize=16)
def _gauss_legendre(count: int, bits: int) -> list[tuple[mpf, mpf]]:
    """Return nodes and weights on [-1, 1], computed as balls."""
    with flint.ctx.workprec(bits + 2 * math.ceil(math.log2(count)) + 10):
        pairs = [flint.arb.legendre_p_root(count, k, weight=True) for k in range(count)]
    return [(mpf_of(x, bits), mpf_of(weight, bits)) for x, weight in pairs]
