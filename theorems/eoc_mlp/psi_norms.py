"""Section 2: tails from sub-gaussian and sub-exponential norms, with the best constants.

Both cases are s = (t/K)^alpha, alpha = 2 or 1, with E exp((|X|/K)^alpha) ≤ 2. The infimum that
defines the norm is attained, by monotone convergence.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import equal
from theorems.engine import Obligations, Provenance, claim, half_line
from theorems.engine.domain import Domain

_GIVEN: dict[str, Domain] = {"t": half_line(0), "K": half_line(0, closed=False)}
_NOTE = "proofs_notes/eoc_networks.md#tails-from-norms"

PSI = claim(
    "eoc.sec2.psi",
    at="Section 2",
    title="Sub-gaussian and sub-exponential tails",
    states=(
        r"\|X\|_{\psi_2} \le K \implies \mathbb{P}(|X| \ge t) \le 2e^{-t^2/O(K)^2}, \quad"
        r" \|X\|_{\psi_1} \le K \implies \mathbb{P}(|X| \ge t) \le 2e^{-t/O(K)}"
    ),
    given=_GIVEN,
    rests_on=["eoc.sec2.psi.explicit"],
    note=_NOTE,
)


@PSI.proved(controls={"one_per_cent_less": {"constant": sp.Rational(99, 100)}})
def with_constant_one(constant: Any = 1) -> Obligations:
    """For O(K) = C K with C = 1 the printed exponents are at most s in absolute value."""
    t, K = sp.symbols("t K", positive=True)
    for alpha in (1, 2):
        gap = sp.factor((t / K) ** alpha - (t / (constant * K)) ** alpha)
        yield f"alpha = {alpha}", gap.is_nonnegative


EXPLICIT = claim(
    "eoc.sec2.psi.explicit",
    at="Section 2",
    title="Sub-gaussian and sub-exponential tails with constant one",
    states=(
        r"\|X\|_{\psi_\alpha} \le K \implies"
        r" \mathbb{P}(|X| \ge t) \le 2e^{-(t/K)^\alpha}, \quad \alpha \in \{1, 2\}"
    ),
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved(controls={"three_halves": {"constant": sp.Rational(3, 2)}})
def markov(constant: Any = 2) -> Obligations:
    """Where |x| = t + d, d ≥ 0, exp((|x|/K)^α) ≥ e^s; elsewhere it is positive. Its mean is ≤ 2."""
    yield from _exponent_grows()
    s = sp.Symbol("s", nonnegative=True)
    yield "E/e^s for E = 2", equal(2 / sp.exp(s), constant * sp.exp(-s))


def _exponent_grows() -> Obligations:
    t, d = sp.symbols("t d", nonnegative=True)
    for alpha in (1, 2):
        gap = sp.expand((t + d) ** alpha - t**alpha)
        yield f"alpha = {alpha}: the exponent grows with |x|", gap.is_nonnegative


SHARP = EXPLICIT.sharpened(
    "eoc.sec2.psi.sharp",
    title="Best tails from sub-gaussian and sub-exponential norms",
    states=(
        r"\mathbb{P}(|X| \ge t) \le \min\Bigl\{1, \frac{1}{e^s - 1}\Bigr\} \le 2e^{-s}"
        r"\ \ (s \ge \log 2), \quad s = (t/K)^\alpha"
    ),
    given=_GIVEN,
    note=_NOTE,
)


@SHARP.proved(controls={"half": {"excess": sp.Rational(1, 2)}}, part="bound")
def markov_less_one(excess: Any = 1) -> Obligations:
    """(e^s - 1) 1{|x| ≥ t} ≤ exp((|x|/K)^α) - 1 for all x, and the mean of this is ≤ 2 - 1."""
    yield from _exponent_grows()
    p = sp.Symbol("p", positive=True)  # e^s - 1
    yield "E/(e^s - 1) for E = 1", equal((2 - 1) / p, excess / p)


@SHARP.proved(controls={"one": {"constant": 1}, "rate": {"rate": 2}}, part="comparison")
def against_the_exponential(constant: Any = 2, rate: int = 1) -> Obligations:
    """With e^s = 2 + d, d ≥ 0, the inequality 1/(e^s - 1) ≤ 2e^(-s) is d ≥ 0."""
    d = sp.Symbol("d", nonnegative=True)
    grown = 2 + d
    gap = sp.expand(constant * (grown - 1) - grown**rate)
    at_two = gap.subs(d, 0)
    yield "holds at e^s = 2", at_two.is_nonnegative
    yield "holds beyond", gap.is_nonnegative


@SHARP.proved(controls={"other_weight": {"offset": -2}}, part="attained")
def two_point_law(offset: int = -1) -> Obligations:
    """|X| = t with probability p = 1/(e^s - 1), else 0: the mean of exp((|X|/K)^α) is 2.

    At s = log 2 this is a constant, and 1 = 2e^(-s): neither 2 nor the rate 1 can be improved.
    """
    d = sp.Symbol("d", nonnegative=True)
    grown = 2 + d
    p = 1 / (grown + offset)
    yield "the norm is K", equal(1 - p + p * grown, sp.Integer(2))
    yield "p ≤ 1", sp.factor(1 - p).is_nonnegative
    yield "at s = log 2 both bounds are 1", equal(p.subs(d, 0), 2 / grown.subs(d, 0))


GAUSSIAN = claim(
    "eoc.sec2.psi.gaussian",
    at="Section 2",
    title="Sub-gaussian norm of a centred Gaussian",
    states=(r"X \sim \mathcal{N}(0, \varsigma^2) \implies \|X\|_{\psi_2} = \sqrt{8/3}\,\varsigma"),
    given={"varsigma": half_line(0, closed=False)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GAUSSIAN.proved(controls={"two": {"square": 2}, "three": {"square": 3}})
def exponential_moment(square: Any = sp.Rational(8, 3)) -> Obligations:
    """E exp(ς²u²/K²) for a standard normal u, by integration; it decreases in K."""
    u, c = sp.Symbol("u", real=True), sp.Symbol("c", positive=True)
    density = sp.exp(-c * u**2 / 2) / sp.sqrt(2 * sp.pi)
    moment = sp.integrate(density, (u, -sp.oo, sp.oo))
    yield "integral", equal(moment, 1 / sp.sqrt(c))
    yield "c = 1 - 2ς²/K² increases with K", bool(sp.diff(moment, c).is_negative)
    yield "value 2", bool(moment.subs(c, 1 - 2 / sp.sympify(square)) == 2)
