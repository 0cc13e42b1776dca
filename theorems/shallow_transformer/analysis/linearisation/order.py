"""Lemma 3: the order of its bound is the best."""

from sympy import Rational, Symbol, exp, pi, sin, sqrt

from theorems.classical import functions
from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, rules
from theorems.engine.rules import E, Theorem, principles
from theorems.engine.rules.normal_variables import waves as waves_of_normal
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer import hypotheses as of_paper
from theorems.shallow_transformer.analysis.linearisation.linear_model import EQUAL_MOVES, PAIRED, WIDTHS
from theorems.shallow_transformer.analysis.linearisation.terms import error_of_equal_moves
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.premises.networks import spoken

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
    given={**dict.fromkeys((its.coherent_error, of.rho_c, of.rho_u, *spoken(*_WAVED))), m: WIDTHS},
    assuming=_WAVED,
    rests_on=[PAIRED],
    discharging={
        hyp.TWICE_DIFFERENTIABLE: "the sine is smooth",
        EQUAL_MOVES: "all heads move by the same step",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ORDER.proved()
def all_heads_up(given: Given) -> Theorem:
    """δc_i = ρ_c/√m and δU_i = ρ_u/√m in all heads: E(sin(U + h) − sin U) = e^(−1/2) sin h."""
    y, h, U = Symbol("atom", real=True), Symbol("step", real=True), its.read_out
    angles = functions.addition_of_angles(y, h)
    (of_sine,) = (one for one in angles.statement.args if one.lhs.func == sin)
    addition = rules.follows(of_sine, [angles])
    waves = principles.expected(addition, y, U)
    given.require(hyp.RANDOM_HEADS, hyp.IN_FEASIBLE_SET, of_paper.SINE, UNIT_TOKEN)
    law = given.meaning("a standard normal variable", *standard(U).args)
    wave = waves_of_normal(U, 1)
    error = error_of_equal_moves(given, E(sin(U + h)), E(sin(U)))
    step = given.meaning("h", eq(h, _STEP))
    cubic = functions.cosine_near_parabola(-pi / 2, _STEP, over=given.domain)
    return given.concluded(waves, law, wave, *error, step, cubic)
