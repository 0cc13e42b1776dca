"""Lemma 3: the order of its bound is the best."""

from collections.abc import Callable

from sympy import Abs, Expr, Rational, Reals, Sum, Symbol, cos, exp, pi, sin, sqrt, sympify

from theorems.classical import functions
from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, le, rules
from theorems.engine.rules import E, Random, Theorem, principles, probabilities
from theorems.engine.rules.normal_variables import waves as waves_of_normal
from theorems.engine.rules.vocabulary import randoms
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer import hypotheses as of_paper
from theorems.shallow_transformer.analysis.linearisation.linear_model import WIDTHS
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.lines.sums_on_a_line import sum_on_a_line
from theorems.shallow_transformer.premises.means import halves, in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, family, linear, total, what_is_assumed

_NOTE = "proofs_notes/st_smoothness.md#the-experiment"

UNIT_TOKEN = Hypothesis("unit_token", "the input $X is one token, the number 1", latex="$X = 1")
_WAVED = (*hyp.RANDOM_START, of_paper.SINE, UNIT_TOKEN, hyp.IN_FEASIBLE_SET)
_STEP = of.rho_u / sqrt(m)
_ROOT_OF_E = exp(Rational(-1, 2))

ORDER = claim(
    "st.lem3.order",
    at="Lemma 3",
    title="The order in Lemma 3 cannot be improved",
    states=[
        ge(its.coherent_error, of.rho_c * _ROOT_OF_E * sin(_STEP)),
        ge(of.rho_c * _ROOT_OF_E * sin(_STEP), of.rho_c * _ROOT_OF_E * (_STEP - _STEP**3 / 6)),
    ],
    given={m: WIDTHS},
    assuming=_WAVED,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


#: Output and read-out weights of the heads at the start, and the read-out weights as they are drawn.
_WEIGHT, _READ_OUT, _DRAWN = (
    family("output weight"),
    family("read-out weight"),
    randoms("drawn read-out weight"),
)
_ERROR, _h = Symbol("error", real=True), Symbol("step", real=True)


def _nothing(given: Given, of: Callable[[Expr], Expr]) -> Theorem:
    """Σ c_i f(U_i) = 0, as heads of a pair have the same U and opposite c."""

    def term(head: Expr) -> Expr:
        return _WEIGHT(head) * of(_READ_OUT(head))

    other = i + pairs
    same = eq(_WEIGHT(other), -_WEIGHT(i)), eq(_READ_OUT(other), _READ_OUT(i))
    paired = what_is_assumed(given, hyp.PAIRED_HEADS, *same)
    each = added(NETWORKS.follows(paired, goal=eq(term(other), -term(i))), i, pairs)
    known = [*halves(given, term), each, linear(each.statement.rhs)]
    return NETWORKS.follows(*known, goal=eq(total(term(i), i, m), 0))


def _error_of_equal_moves(given: Given) -> Theorem:
    """f − f_lin = (ρ_c/m)Σ(sin(U_i + h) − sin U_i): what has the factor c_i cancels in pairs."""
    x, move, U = Symbol("share of the way", real=True), of.rho_c / sqrt(m), _READ_OUT(i)
    head = (_WEIGHT(i) + x * move) * sin(U + x * _h)
    law = rules.differentiated(head, x, Reals, over=in_networks(i, of.rho_c, m, _h))
    rate = rules.rate_of(sum_on_a_line(law, i, m), family("slope of the sum")(x)).at({x: 0})
    end, start = (total(head.xreplace({x: place}), i, m) for place in (sympify(1), sympify(0)))
    meant = NETWORKS.meaning(
        "√m times the network there, less that at the start and its slope along the way",
        eq(sqrt(m) * _ERROR, end - start - rate.statement.lhs),
    )
    none = [_nothing(given, one) for one in (sin, cos, lambda y: sin(y + _h))]
    gains = total(sin(U + _h), i, m) - total(sin(U), i, m)
    apart = [linear(one) for one in (end, start, *rate.statement.rhs.atoms(Sum))]
    return NETWORKS.follows(rate, meant, *none, *apart, goal=eq(_ERROR, of.rho_c / m * gains))


def _mean_error(given: Given, U: Expr) -> list[Theorem]:
    """E sup|f − f_lin| ≥ E(f − f_lin) = ρ_c(E sin(U + h) − E sin U) where all heads move alike."""
    top, error, largest = Symbol("top", real=True), Random("error there"), Random("largest error")
    above = given.largest("the largest error on the boundary", le(Abs(_ERROR), top))
    name = given.meaning("the mean of the largest error", eq(its.coherent_error, E(largest)))
    mean = in_the_mean(_error_of_equal_moves(given), {_ERROR: error, _READ_OUT: _DRAWN})
    laws = [
        added(what_is_assumed(given, hyp.RANDOM_HEADS, eq(E(sin(_DRAWN(i) + by)), E(sin(U + by)))), i, m)
        for by in (_h, 0)
    ]
    known = [mean, *laws, *(linear(one.statement.rhs) for one in laws)]
    there = eq(E(error), of.rho_c * (E(sin(U + _h)) - E(sin(U))))
    return [
        principles.expected_jointly(above, {_ERROR: error, top: largest}),
        probabilities.expectation_of_size(error),
        name,
        NETWORKS.follows(*known, goal=there),
    ]


@ORDER.proved()
def all_heads_up(given: Given) -> Theorem:
    """δc_i = ρ_c/√m and δU_i = ρ_u/√m in all heads: E(sin(U + h) − sin U) = e^(−1/2) sin h."""
    y, h, U = Symbol("atom", real=True), _h, its.read_out
    angles = functions.addition_of_angles(y, h)
    (of_sine,) = (one for one in angles.statement.args if one.lhs.func == sin)
    addition = rules.follows(of_sine, [angles])
    waves = principles.expected(addition, y, U)
    given.require(hyp.RANDOM_HEADS, hyp.IN_FEASIBLE_SET, of_paper.SINE, UNIT_TOKEN)
    law = given.meaning("a standard normal variable", *standard(U).args)
    wave = waves_of_normal(U, 1)
    error = _mean_error(given, U)
    step = given.meaning("h", eq(h, _STEP))
    cubic = functions.cosine_near_parabola(-pi / 2, _STEP, over=given.domain)
    return given.concluded(waves, law, wave, *error, step, cubic)
