"""Theorem 1, proof: the drift of the distance to the transported parameters, (36) and (39)-(41).

V(φ) = |φ − φ̃|².  Proofs are about any number of samples, steps and parameters: vectors stand for
parameters and gradients, functions of an index for what belongs to a sample or a step.
"""

from typing import Any

from sympy import Abs, Expr, Symbol, sqrt

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Theorem, facts, inner, norm
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.one_step import EQ_21
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, j, n, s, tau
from theorems.shallow_transformer.letters.run import A_MAX, B_GRAD, ERROR, RESIDUAL
from theorems.shallow_transformer.premises.descent import (
    DISTANCE_AT,
    LOSS_AT,
    OF_THE_ITERATES,
    inside,
    largest_error,
    loss_over_the_samples,
    no_error_is_larger,
    root_of_the_loss,
    telescoped,
)
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    bounded_sum,
    cauchy_schwarz,
    family,
    letters,
    linear,
    stated,
)
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md"
EVERYWHERE = (*hyp.NETWORK, *hyp.ON_THE_EVENT, hyp.BOUNDED_MAP, hyp.BOUNDED_LABELS)
_CONSTANTS = sorted((RESIDUAL + ERROR).free_symbols, key=str)

OF_THE_LABELS = dict.fromkeys(
    (hyp.APPROXIMATION_EVENT, hyp.REALISABLE), "CLOSE_LABELS is the conclusion of st.eq26"
)

EQ_36 = claim(
    "st.eq36",
    at="Theorem 1, proof; Equation (36)",
    title="The gradient points to the transported parameters, up to the errors",
    states=le(of.loss_slope, -2 * of.loss + 2 * RESIDUAL * ERROR),
    given=letters(of.loss_slope, of.loss, *_CONSTANTS, under=[*EVERYWHERE, hyp.IN_FEASIBLE_SET]),
    assuming=[*EVERYWHERE, hyp.IN_FEASIBLE_SET],
    rests_on=["st.eq25.inside", "st.eq35", "st.eq36.sharp", "st.eq26", "st.lem6.f", "st.lem6.y"],
    discharging=OF_THE_LABELS,
    note=f"{_NOTE}#the-drift",
)


def outputs_and_labels(given: Given) -> Theorem:
    """The root of the loss is at most f^max + y^max."""
    f, label = family("f"), family("label")
    parts = NETWORKS.meaning("the residuals", eq(its.residuals(j), f(j) - label(j)))
    envelopes = NETWORKS.largest(
        "the largest output and label", le(Abs(f(j)), of.f_sup), le(Abs(label(j)), of.label_sup)
    )
    top = of.f_sup + of.label_sup
    each = NETWORKS.follows(parts, envelopes, goal=le(Abs(its.residuals(j)), top))
    model = given.fact("st.lem6.f")
    return between(given, le(sqrt(of.loss), RESIDUAL), root_of_the_loss(top, each), model)


@EQ_36.proved()
def insert_the_bounds(given: Given) -> Theorem:
    """√L ≤ f^max + y^max, and the three errors are at most their bounds."""
    bounds = [given.fact("st.eq25.inside"), given.fact("st.eq35"), *largest_error()]
    errors = between(given, le(of.eps_sum, ERROR), *bounds)
    return given.concluded(given.fact("st.eq36.sharp", "bound"), errors, outputs_and_labels(given))


@EQ_36.tested(over=RUNS, cases=30)
def errors_along_runs(run: Descent) -> Point:
    """⟨∇L, φ̃ − φ⟩ and the bound, with the largest error of labels for B_app."""
    return at_worst(EQ_36, run.points())


SHARP_36 = EQ_36.sharpened(
    "st.eq36.sharp",
    title="Equation (36) with the square root of the loss for the bound of the residuals",
    states={
        "bound": le(of.loss_slope, -2 * of.loss + 2 * sqrt(of.loss) * of.eps_sum),
        "attained by equal samples": implies(
            both(
                eq(of.loss, its.residual**2),
                eq(of.loss_slope, 2 * its.residual * (of.eps_sum - its.residual)),
            ),
            eq(of.loss_slope, -2 * of.loss + 2 * sqrt(of.loss) * of.eps_sum),
        ),
    },
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    rests_on=["st.eq22", "st.eq24"],
    note=f"{_NOTE}#a-better-drift",
)


@SHARP_36.proved("bound")
def cauchy_schwarz_over_the_samples(given: Given) -> Theorem:
    """(2/n)Σ r(e − r) with |e| ≤ E, where (Σ re)² ≤ Σ r² Σ e²."""
    r: Any = its.residuals
    e, slope = family("error"), its.sample_slopes
    errors = {its.e_app: e(j), its.e_lin: 0, its.e_features: 0}
    parts = {its.sample_slope: slope(j), its.output: r(j), its.target: 0}
    split = NETWORKS.substituted(given.fact("st.eq24"), parts | errors)
    product = NETWORKS.follows(split, goal=eq(r(j) * slope(j), r(j) * e(j) - r(j) ** 2))
    top = NETWORKS.substituted(no_error_is_larger(), errors)
    square = NETWORKS.follows(top, goal=le(e(j) ** 2, of.eps_sum**2))
    products, squares = added(product, j, n), bounded_sum(square, j, n)
    apart = linear(products.statement.rhs)
    schwarz = cauchy_schwarz(r, e, j, n)
    return given.follows(
        loss_over_the_samples(), given.fact("st.eq22", "way"), products, squares, apart, schwarz
    )


@SHARP_36.proved("attained by equal samples")
def insert_equal_samples(given: Given) -> Theorem:
    """All residuals are r ≥ 0 and all errors are E."""
    return given.follows()


@SHARP_36.tested("bound", over=RUNS, cases=30)
def cauchy_schwarz_along_runs(run: Descent) -> Point:
    """Both sides at the worst step; one sample gives equality."""
    return at_worst(SHARP_36, run.points(), "bound")


LABELLED = (*hyp.NETWORK, hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET, hyp.BOUNDED_LABELS)

EQ_39 = claim(
    "st.eq39",
    at="Theorem 1, proof; Equation (39)",
    title="Bound of the gradient of the loss",
    states=[le(of.loss_gradient**2, 4 * RESIDUAL**2 * A_MAX**2), eq(4 * RESIDUAL**2 * A_MAX**2, B_GRAD)],
    given=letters(of.loss_gradient, B_GRAD, under=LABELLED),
    assuming=LABELLED,
    rests_on=["st.eq38", "st.lem6.f", "st.lem6.y", "st.eq39.sharp"],
    discharging={hyp.BOUNDED_MAP: "BOUNDED_LABELS is the conclusion of st.lem6.y"},
    note=f"{_NOTE}#a-better-drift",
)


@EQ_39.proved()
def from_the_sharp_bound(given: Given) -> Theorem:
    """|∇L|² ≤ 4A²L, and √L ≤ f^max + y^max."""
    bound, definition = stated(EQ_39).args
    named = unfolded(definition)
    known = [given.fact("st.eq39.sharp", "bound"), given.fact("st.eq38")]
    below = given.follows(*known, outputs_and_labels(given), goal=bound)
    return given.follows(below, given.follows(goal=named), goal=both(bound, named))


@EQ_39.tested(over=RUNS, cases=30)
def bounded_gradients_along_runs(run: Descent) -> Point:
    """|∇L| and its bound, with the largest label for y^max."""
    return at_worst(EQ_39, run.points())


SHARP_39 = EQ_39.sharpened(
    "st.eq39.sharp",
    title="The gradient of the loss is small where the loss is",
    states={
        "bound": le(of.loss_gradient**2, 4 * of.f_gradient**2 * of.loss),
        "attained by one sample": implies(
            both(eq(of.loss, its.residual**2), eq(of.loss_gradient, 2 * its.residual * of.f_gradient)),
            eq(of.loss_gradient**2, 4 * of.f_gradient**2 * of.loss),
        ),
    },
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    rests_on=["st.eq22"],
    note=f"{_NOTE}#a-better-drift",
)


@SHARP_39.proved("bound")
def along_the_gradient_itself(given: Given) -> Theorem:
    """|∇L|² = (2/n)Σ r_j⟨g_j, ∇L⟩ by (22) along ∇L, and |⟨g_j, ∇L⟩| ≤ A|∇L|."""
    r: Any = its.residuals
    g, nabla = its.sample_gradients, its.loss_nabla
    size = of.f_gradient * of.loss_gradient

    def along(index: Symbol) -> Expr:
        return inner(g(index), nabla)

    lengths = NETWORKS.meaning("the gradient of the loss", eq(of.loss_gradient, norm(nabla)))
    longest = NETWORKS.largest("the largest gradient", le(norm(g(j)), of.f_gradient))
    angle = facts.cauchy_schwarz(g(j), nabla)
    goal, known = le(along(j) ** 2, size**2), [lengths, longest, angle]
    each = NETWORKS.follows(*known, goal=goal)
    squares = bounded_sum(each, j, n)
    schwarz = cauchy_schwarz(r, along, j, n)
    square = NETWORKS.substituted(given.fact("st.eq22", "any direction"), {its.direction: nabla})
    return given.follows(loss_over_the_samples(), square, squares, schwarz, lengths)


@SHARP_39.proved("attained by one sample")
def one_sample(given: Given) -> Theorem:
    """Its gradient is 2r∇f."""
    return given.follows()


@SHARP_39.tested("bound", over=RUNS, cases=30)
def gradients_along_runs(run: Descent) -> Point:
    """Both sides at the worst step; one sample gives equality."""
    return at_worst(SHARP_39, run.points(), "bound")


DESCENT = (*EVERYWHERE, hyp.WIDE_RADII, hyp.PROJECTED_DESCENT)

EQ_40 = claim(
    "st.eq40",
    at="Theorem 1, proof; Equation (40)",
    title="The drift of the squared distance to the transported parameters in one step",
    states=le(of.V_next - of.V, -4 * of.eta * of.loss + 4 * of.eta * RESIDUAL * ERROR + of.eta**2 * B_GRAD),
    given=letters(of.V, of.V_next, of.loss, *_CONSTANTS, under=DESCENT),
    assuming=DESCENT,
    rests_on=[EQ_21, EQ_36, EQ_39],
    discharging=OF_THE_ITERATES,
    note=f"{_NOTE}#the-drift",
)


@EQ_40.proved()
def insert_the_bounds_of_the_drift(given: Given) -> Theorem:
    """2η(−2L + 2FE) + η²B."""
    steps = map(given.fact, (EQ_21, EQ_36, EQ_39))
    return given.concluded(*steps, inside(given, hyp.PROJECTED_DESCENT))


@EQ_40.tested(over=RUNS, cases=30)
def drift_along_runs(run: Descent) -> Point:
    """The change of V, the loss and their bound."""
    return at_worst(EQ_40, run.points())


EQ_41 = claim(
    "st.eq41",
    at="Theorem 1, proof; Equation (41)",
    title="The mean of the losses",
    states=le(of.loss_mean, of.V_0 / (4 * of.eta * tau) + RESIDUAL * ERROR + of.eta / 4 * B_GRAD),
    given=letters(of.loss_mean, of.V_0, tau, *_CONSTANTS, under=DESCENT),
    assuming=DESCENT,
    rests_on=[EQ_40],
    note=f"{_NOTE}#the-drift",
)


@EQ_41.proved()
def telescope(given: Given) -> Theorem:
    """Add up (40), and V after the last step is at least 0."""
    values = {of.V: DISTANCE_AT(s), of.V_next: DISTANCE_AT(s + 1), of.loss: LOSS_AT(s)}
    each = NETWORKS.substituted(given.fact(EQ_40), values, under=given.conditions)
    return given.concluded(*telescoped(each))


@EQ_41.tested(over=RUNS, cases=30)
def means_along_runs(run: Descent) -> Point:
    """The mean of the losses and the bound."""
    return at_worst(EQ_41, [run.whole])
