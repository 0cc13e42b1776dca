"""Theorem 1, proof: one projected step, and what its slope is made of, (21)-(26).

V(φ) = |φ − φ̃|².  Proofs are about any number of samples, steps and parameters: vectors stand for
parameters and gradients, functions of an index for what belongs to a sample or a step.
"""

from sympy import Abs, Sum, Symbol

from theorems.engine import Given, Provenance, eq, le
from theorems.engine.rules import Theorem, Vector, inner, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.linear import f_value, lin_value
from theorems.shallow_transformer.letters.paper import claim, j, n
from theorems.shallow_transformer.premises.descent import (
    BEFORE,
    OF_THE_ITERATES,
    TARGET,
    distances,
    inside,
    no_linearisation_is_worse,
    nonexpansive,
)
from theorems.shallow_transformer.premises.lines.squared_errors import slope_of_the_loss
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import added, letters, linear, total, what_is_assumed
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md"
_RUN = (hyp.PROJECTED_DESCENT, *hyp.WITHIN_REACH, hyp.TWICE_DIFFERENTIABLE)

EQ_21 = claim(
    "st.eq21",
    at="Theorem 1, proof; Equation (21)",
    title="One projected step and the distance to a point of the feasible set",
    states=le(of.V_next, of.V + 2 * of.eta * of.loss_slope + of.eta**2 * of.loss_gradient**2),
    given=letters(of.V, of.V_next, of.loss_slope, of.loss_gradient, under=_RUN),
    assuming=_RUN,
    rests_on=["st.rem10", "st.def2"],
    note=f"{_NOTE}#the-drift",
)


@EQ_21.proved()
def square_and_obtuse_angle(given: Given) -> Theorem:
    """|y|² ≤ |w|² if ⟨w − y, y⟩ ≥ 0: y the way to φ̃ after the projection, w before it."""
    given.require(hyp.PROJECTED_DESCENT)
    length = NETWORKS.meaning("the gradient of the loss", eq(of.loss_gradient, norm(its.loss_nabla)))
    distances_ = distances(given, its.loss_nabla, Vector("phi^(s+1)"), of.V_next)
    return given.follows(*distances_, _slope(), length)


def _slope() -> Theorem:
    return NETWORKS.meaning(
        "the slope of the loss, on the way to the transported parameters",
        eq(of.loss_slope, inner(its.loss_nabla, TARGET - BEFORE)),
    )


@EQ_21.argued(bridge="The feasible set is a product of balls, so that squared distances add up.")
def projection_onto_a_ball() -> list[Theorem]:
    """Shortening x to the radius of a ball, in any dimension, against a point y of the ball."""
    return [nonexpansive()]


@EQ_21.tested(over=RUNS, cases=30)
def distances_along_runs(run: Descent) -> Point:
    """V after the step at which the two sides are closest, for small transformers."""
    return at_worst(EQ_21, run.points())


EQ_22 = claim(
    "st.eq22",
    at="Theorem 1, proof; Equation (22)",
    title="The inner product of the loss gradient and the way to the transported parameters",
    states={
        "way": eq(of.loss_slope, 2 / n * total(its.residuals(j) * its.sample_slopes(j), j, n)),
        "any direction": eq(
            inner(its.loss_nabla, its.direction),
            2 / n * total(its.residuals(j) * inner(its.sample_gradients(j), its.direction), j, n),
        ),
    },
    assuming=[hyp.TWICE_DIFFERENTIABLE],
)


def _along_a_line() -> Theorem:
    slopes = inner(its.sample_gradients(j), its.direction)
    return slope_of_the_loss(inner(its.loss_nabla, its.direction), slopes)


@EQ_22.proved("any direction")
def differentiate_the_loss(given: Given) -> Theorem:
    """The squared error of each sample, along a line; the derivative of a mean is the mean."""
    return given.concluded(_along_a_line())


@EQ_22.proved("way")
def on_the_way(given: Given) -> Theorem:
    """The same along the way to the transported parameters."""
    way = TARGET - BEFORE
    there = NETWORKS.substituted(_along_a_line(), {its.direction: way})
    slopes = eq(its.sample_slopes(j), inner(its.sample_gradients(j), way))
    meant = NETWORKS.meaning("the slopes at the samples", slopes)
    products = NETWORKS.follows(
        meant, goal=eq(its.residuals(j) * its.sample_slopes(j), its.residuals(j) * slopes.rhs)
    )
    sums_ = added(products, j, n)
    apart = [linear(one) for one in (sums_.statement.rhs, *there.statement.atoms(Sum))]
    return given.concluded(there, sums_, *apart, _slope())


EQ_24 = claim(
    "st.eq24",
    at="Theorem 1, proof; Equation (23); Equation (24)",
    title="The decomposition into errors of approximation, linearisation and features",
    states=eq(its.sample_slope, its.e_app + (its.target - its.output) + its.e_lin + its.e_features),
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    rests_on=["st.def3"],
    discharging=dict.fromkeys(
        (hyp.EVEN_WIDTH, hyp.PAIRED_HEADS), "what the start contributes cancels in f_lin(φ̃) − f_lin(φ)"
    ),
)


@EQ_24.proved()
def insert_the_linear_model(given: Given) -> Theorem:
    """f_lin is affine, with the gradient at the start for its slope."""
    now, first, start = Vector("g"), Vector("g^0"), Vector("phi^0")
    zero = Symbol("f_0", real=True)
    at_target, at_iterate = (zero + inner(first, one - start) for one in (TARGET, BEFORE))
    errors = NETWORKS.meaning(
        "the errors at a sample",
        eq(its.e_app, at_target - its.target),
        eq(its.e_lin, its.output - at_iterate),
        eq(its.e_features, inner(now - first, TARGET - BEFORE)),
        eq(its.sample_slope, inner(now, TARGET - BEFORE)),
    )
    return given.follows(errors)


@EQ_24.tested(over=RUNS, cases=20)
def decomposition_along_runs(run: Descent) -> Point:
    """Both sides, at the sample and step where they differ most in units of their rounding."""
    return at_worst(EQ_24, run.points())


_HEADS = (*hyp.SMOOTH_HEADS, hyp.UNIT_SIGNS)

INSIDE = claim(
    "st.eq25.inside",
    at="Theorem 1, proof; Equation (25)",
    title="The error of linearisation at parameters in the feasible set",
    states=le(of.eps_step, its.B_LIN),
    given=letters(of.eps_step, its.B_LIN, under=[*_HEADS, hyp.IN_FEASIBLE_SET]),
    assuming=[*_HEADS, hyp.IN_FEASIBLE_SET],
    rests_on=["st.lem3"],
    provenance=Provenance.DERIVED,
)


@INSIDE.proved()
def largest_in_the_feasible_set(given: Given) -> Theorem:
    """Lemma 3 bounds f − f_lin on Ω_ρ."""
    linear = Symbol("f_lin at the iterate", real=True)
    step = NETWORKS.meaning(
        "the error at an iterate, at some sample",
        eq(of.eps_step, Abs(its.e_lin)),
        eq(its.e_lin, its.output - linear),
    )
    here = NETWORKS.substituted(no_linearisation_is_worse(), {f_value: its.output, lin_value: linear})
    return given.concluded(given.fact("st.lem3"), step, here)


EQ_25 = claim(
    "st.eq25",
    at="Theorem 1, proof; Equation (25)",
    title="The error of linearisation along a run",
    states=le(of.eps_step, its.B_LIN),
    given=letters(of.eps_step, its.B_LIN, under=[*_HEADS, hyp.PROJECTED_DESCENT]),
    assuming=[*_HEADS, hyp.PROJECTED_DESCENT],
    rests_on=INSIDE,
    discharging=OF_THE_ITERATES,
)


@EQ_25.proved()
def within_the_feasible_set(given: Given) -> Theorem:
    """The start lies in Ω_ρ, and steps are projected into it."""
    return given.concluded(given.fact(INSIDE), inside(given, hyp.PROJECTED_DESCENT))


@EQ_25.tested(over=RUNS, cases=30)
def linearisation_along_runs(run: Descent) -> Point:
    """The largest |f − f_lin| of a run, with the largest |U_i| that it may have for B."""
    return at_worst(EQ_25, run.points())


EQ_26 = claim(
    "st.eq26",
    at="Theorem 1, proof; Equation (26)",
    title="The error of approximation along a run",
    states=le(of.eps_label, of.B_app),
    assuming=[hyp.APPROXIMATION_EVENT, hyp.REALISABLE],
    rests_on=["st.lem5"],
    discharging=dict.fromkeys(
        (*hyp.RANDOM_START, *hyp.REGULAR, hyp.BOUNDED_MAP), "the event that st.lem5 is about is assumed"
    ),
)


@EQ_26.proved()
def labels_of_the_class(given: Given) -> Theorem:
    """The labels are the values of f̃(·; v), so that their error is one of |f_lin(φ̃) − f̃|."""
    names = ("f_lin at phi~", "function of the map", "label")
    model, function, label = (Symbol(name, real=True) for name in names)
    error = NETWORKS.meaning(
        "the largest error, at some sample", eq(of.eps_label, Abs(its.e_app)), eq(its.e_app, model - label)
    )
    target = what_is_assumed(given, hyp.REALISABLE, eq(label, function))
    top = NETWORKS.largest("the error of Lemma 5", le(Abs(model - function), of.eps_app))
    return given.follows(error, target, top)
