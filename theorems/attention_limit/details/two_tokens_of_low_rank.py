"""Appendix B.2: how far the weights of two tokens are from equal, by the dimension of a head.

With h = tanh(δ/2) the weights of two tokens are (1 ± h)/2, δ being the difference of the scores.
"""

from typing import Any

import sympy as sp
from flint import acb, arb
from sympy import cos, exp, tanh

from numeric.balls import working_precision
from theorems.attention_limit.letters.dot_products import tau, u, width
from theorems.attention_limit.letters.limit import gap_limit, gap_of_rows
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.premises.digits import begins, exact_ball
from theorems.classical.secants import fourth_moment_of_frequency, frequency, secant_by_cosines
from theorems.engine import Choice, Given, Hypothesis, Obligations, Provenance, eq, le, rules, sentence
from theorems.engine.rules import E, Random, Theorem, principles
from theorems.engine.rules.vocabulary import independent

_AT = "Appendix B.2.2"
_NOTE = "proofs_notes/attn_laws.md#low-rank"

SCORES = Hypothesis(
    "differences_of_scores",
    "$gap_of_rows is the difference of two scores of a token, given the inputs, of a head whose"
    " queries and keys have $width entries, and $gap_limit its Gaussian limit; both have the"
    " variance $tau squared, and the characteristic functions of Proposition D.1, also at a"
    " frequency that is drawn independently",
    latex=r"\mathbb{E}\cos(U$gap_of_rows) = \mathbb{E}(1 + U^2{$tau}^2/$width)^{-$width/2},"
    r" \ \mathbb{E}\cos(U$gap_limit) = \mathbb{E}e^{-U^2{$tau}^2/2}"
    r" \text{ for } U \text{ independent of both}",
)
_FINITE, _LIMIT = E(tanh(gap_of_rows / 2) ** 2), E(tanh(gap_limit / 2) ** 2)

BELOW = claim(
    "attn.b2.two_tokens",
    at=_AT,
    title="Two weights are nearer to each other at scores of finitely many rows than in the limit",
    states={"below": le(_FINITE, _LIMIT), "near": le(_LIMIT - _FINITE, tau**4 / (4 * width))},
    assuming=[SCORES],
    rests_on="attn.propD1.distance",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_U = Random("U")


def _by_fourier(given: Given) -> Theorem:
    """1 - tanh²(x/2) is the mean of cos(Ux) if U ≥ 0 has the density 4u/sinh(πu), and E U⁴ = 1."""
    gaps = gap_of_rows, gap_limit
    apart = [independent(_U, gap) for gap in gaps]
    drawn = given.meaning("a frequency, independent of the scores", frequency(_U), *apart)
    known = [*(secant_by_cosines(_U, gap) for gap in gaps), fourth_moment_of_frequency(_U)]
    laws = given.supposed(
        SCORES,
        eq(E(cos(_U * gap_of_rows)), E((1 + _U**2 * tau**2 / width) ** (-width / 2))),
        eq(E(cos(_U * gap_limit)), E(exp(-(_U**2) * tau**2 / 2))),
    )
    goal = eq(
        _LIMIT - _FINITE, E((1 + _U**2 * tau**2 / width) ** (-width / 2)) - E(exp(-(_U**2) * tau**2 / 2))
    )
    return rules.follows(sp.And(goal, eq(E(_U**4), 1)), [drawn, *known, laws])


def _averaged(given: Given, part: str) -> Theorem:
    """The distance of the characteristic functions, in the mean over U."""
    return principles.expected(given.fact("attn.propD1.distance", part), u, _U)


@BELOW.proved("below")
def characteristic_functions_in_order(given: Given) -> Theorem:
    """The characteristic function at finitely many rows is at least that of the limit."""
    return given.follows(_by_fourier(given), _averaged(given, "above"))


@BELOW.proved("near")
def fourth_moment_of_the_frequency(given: Given) -> Theorem:
    """The two differ by at most u⁴τ⁴/4n, and E U⁴ = 1."""
    return given.follows(_by_fourier(given), _averaged(given, "near"))


_FORM = Choice(r"\tfrac{1 + \tanh^2(\delta/2)}{2}", 1)

DIGITS = claim(
    "attn.b2.digits",
    at=_AT,
    title="The mean variance for two uncorrelated tokens of unit variance and dimension 64",
    states=sentence(
        r"$gap \sim $g_gap \sqrt{$variance $chi_rows / m},"
        r" \ $chi_rows \text{ chi-square with } m = $rows"
        r" \text{ degrees}: \quad"
        r" \lfloor {$ten}^{$places} \, \mathbb{E}[$form] \rfloor = $digits",
        variance=2,
        rows=64,
        ten=10,
        places=23,
        form=_FORM,
        digits=63592158007979292851638,
    ),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_BITS = 140


def mean_variance(variance: Any, rows: Any) -> arb:
    """1 - 2∫ u/sinh(πu) (1 + vu²/m)^(-m/2) du over u ≥ 0, a ball around E (1 + tanh²(δ/2))/2.

    Beyond 24 the integral is at most that of 4u e^(-πu), as sinh(πu) is at least e^(πu)/4 there.
    """
    scale, half, end = exact_ball(variance) / exact_ball(rows), exact_ball(rows) / 2, arb(24)

    def integrand(x: acb, analytic: bool) -> acb:
        power = (-half * (1 + scale * x * x).log(analytic=analytic)).exp()
        return _over_sinh(x) * power

    inside = acb.integral(integrand, acb(0), acb(end)).real
    pi = arb.pi()
    beyond = 4 * (-pi * end).exp() * (end / pi + 1 / pi**2)
    return 1 - 2 * (inside + arb(0, beyond.upper()))


def _over_sinh(x: acb) -> acb:
    """x/sinh(πx), by sinc(z) = sin z / z at z = iπx, which is 1 at 0."""
    return 1 / (acb.pi() * (x * acb(0, 1) * acb.pi()).sinc())


@DIGITS.argued(
    bridge="1 - tanh² of x/2 is the Fourier transform of 2u/sinh(πu), and the difference of two"
    " scores has the characteristic function (1 + v u²/m)^(-m/2), v its variance and"
    " m the number of rows; so the mean is a"
    " single integral, which is enclosed by rigorous integration in ball arithmetic."
)
def integral_over_frequencies(
    variance: Any, rows: Any, ten: Any, places: Any, form: Any, digits: Any
) -> Obligations:
    """E (1 + tanh²(δ/2))/2."""
    with working_precision(_BITS):
        value = mean_variance(variance, rows) * form
    yield "digits", begins(value, ten, places, digits)
