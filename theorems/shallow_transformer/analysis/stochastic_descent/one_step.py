"""Proposition 1, proof: one projected stochastic step, (44), in conditional expectation.

Means over the index drawn at a step are means over the samples.
"""

from typing import Any

from sympy import Abs

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Theorem, Vector, inner, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.drift import EVERYWHERE
from theorems.shallow_transformer.analysis.stochastic_descent.sampled import TREES, IndexTree
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, eta, j, n
from theorems.shallow_transformer.letters.run import A_MAX, B_GRAD, ERROR, F_MAX, RESIDUAL
from theorems.shallow_transformer.premises.descent import (
    BEFORE,
    OF_THE_ITERATES,
    TARGET,
    distances,
    inside,
    loss_over_the_samples,
)
from theorems.shallow_transformer.premises.lines.squared_errors import (
    ERROR_GRADIENTS,
    LABEL,
    OUTPUT,
    gradient_of_a_squared_error,
    slope_of_a_squared_error,
)
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    called,
    family,
    letters,
    linear,
    sizes,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import at_worst

_NOTE = "proofs_notes/st_descent.md#stochastic-descent"

_STEP = (hyp.STOCHASTIC_DESCENT, *hyp.WITHIN_REACH, hyp.TWICE_DIFFERENTIABLE)

EQ_44 = claim(
    "st.eq44",
    at="Proposition 1, proof; Equation (44)",
    title="One projected stochastic step",
    states=le(of.V_next, of.V + 2 * eta * of.ell_slope + eta**2 * of.ell_gradient**2),
    given=letters(of.V, of.V_next, of.ell_slope, of.ell_gradient, eta, under=_STEP),
    assuming=_STEP,
    rests_on=["st.rem10", "st.def2"],
    note=_NOTE,
)


@EQ_44.proved()
def any_direction(given: Given) -> Theorem:
    """(21) uses nothing of the gradient: the same angle for any vector."""
    given.require(hyp.STOCHASTIC_DESCENT)
    gradient, after = ERROR_GRADIENTS(j), Vector("phi^(s+1)")
    slope = NETWORKS.meaning(
        "the slope of the squared error at the sample that is drawn",
        eq(of.ell_slope, inner(gradient, TARGET - BEFORE)),
        eq(of.ell_gradient, norm(gradient)),
    )
    return given.concluded(*distances(given, gradient, after, of.V_next), slope)


@EQ_44.tested(over=TREES, cases=25)
def each_index(tree: IndexTree) -> Point:
    """Every index at every node of the tree."""
    return at_worst(EQ_44, tree.points())


_LABELLED = (*hyp.NETWORK, hyp.BOUNDED_HEADS, hyp.BOUNDED_LABELS)
_SIZED = (*_LABELLED, hyp.STOCHASTIC_DESCENT)

SIZE = claim(
    "st.prop1.size",
    at="Proposition 1, proof",
    title="The size of stochastic gradients, whatever is drawn",
    states=le(of.ell_gradient**2, B_GRAD),
    given=letters(of.ell_gradient, B_GRAD, under=_SIZED),
    assuming=_SIZED,
    rests_on=["st.eq38", "st.lem6.f"],
    discharging=OF_THE_ITERATES,
    note=_NOTE,
)


@SIZE.proved()
def square_of_one_gradient(given: Given) -> Theorem:
    """|∇ℓ| ≤ 2|r||∇f| with |r| ≤ F = f^max + y^max and |∇f| ≤ A."""
    length = norm(its.sample_gradients(j))
    name = NETWORKS.meaning("the gradient at the sample", eq(of.ell_gradient, norm(ERROR_GRADIENTS(j))))
    envelopes = NETWORKS.largest(
        "the largest output, label and gradient",
        *(le(Abs(OUTPUT), of.f_sup), le(Abs(LABEL), of.label_sup), le(length, of.f_gradient)),
    )
    feasible, known = inside(given, hyp.STOCHASTIC_DESCENT), gradient_of_a_squared_error()
    residual = le(Abs(its.residuals(j)), RESIDUAL)
    bounds = [
        between(given, residual, known, envelopes, given.fact("st.lem6.f"), feasible),
        between(given, le(length, A_MAX), envelopes, given.fact("st.eq38"), feasible),
    ]
    product = between(given, le(of.ell_gradient, 2 * RESIDUAL * A_MAX), name, known, *bounds)
    return given.concluded(product, *called(B_GRAD, F_MAX, A_MAX))


@SIZE.tested(over=TREES, cases=25)
def sizes_of_gradients(tree: IndexTree) -> Point:
    """Squares of norms and B_grad."""
    return at_worst(SIZE, tree.points())


_DRAWN = (hyp.STOCHASTIC_DESCENT, hyp.TWICE_DIFFERENTIABLE)

SHARP_SIZE = SIZE.sharpened(
    "st.prop1.size.sharp",
    title="The mean size of stochastic gradients is small where the loss is",
    states={
        "bound": le(of.ell_square, 4 * of.f_gradient**2 * of.loss),
        "attained by one sample": implies(
            both(eq(of.loss, its.residual**2), eq(of.ell_square, (2 * its.residual * of.f_gradient) ** 2)),
            eq(of.ell_square, 4 * of.f_gradient**2 * of.loss),
        ),
    },
    assuming=_DRAWN,
    note=_NOTE,
)


@SHARP_SIZE.proved("bound")
def mean_of_squares(given: Given) -> Theorem:
    """(1/n)Σ 4r_j²|∇f_j|², with |∇f_j| ≤ A."""
    r: Any = its.residuals
    square = norm(ERROR_GRADIENTS(j)) ** 2
    bound = NETWORKS.largest("the largest gradient", le(norm(its.sample_gradients(j)), of.f_gradient))
    mean = NETWORKS.meaning("the mean over the index", eq(of.ell_square, total(square, j, n) / n))
    known = [gradient_of_a_squared_error(), bound]
    size = NETWORKS.follows(*known, goal=le(norm(ERROR_GRADIENTS(j)), 2 * Abs(r(j)) * of.f_gradient))
    each = NETWORKS.follows(size, goal=le(square, 4 * of.f_gradient**2 * r(j) ** 2))
    added_up = added(each, j, n)
    return given.concluded(added_up, linear(added_up.statement.rhs), mean, loss_over_the_samples())


@SHARP_SIZE.proved("attained by one sample")
def one_sample(given: Given) -> Theorem:
    """Its gradient is 2r∇f."""
    return given.concluded()


@SHARP_SIZE.tested("bound", over=TREES, cases=25)
def mean_sizes(tree: IndexTree) -> Point:
    """Exact means and 4A²L."""
    return at_worst(SHARP_SIZE, tree.points(), "bound")


STOCHASTIC_RUN = (*EVERYWHERE, hyp.WIDE_RADII, hyp.STOCHASTIC_DESCENT)
CONSTANTS = sorted((RESIDUAL + ERROR).free_symbols, key=str)

DRIFT = claim(
    "st.prop1.drift",
    at="Proposition 1, proof",
    title="The drift in conditional expectation",
    states=le(of.V_mean - of.V, -4 * eta * of.loss + 4 * eta * RESIDUAL * ERROR + eta**2 * B_GRAD),
    given=letters(of.V, of.V_mean, of.loss, eta, *CONSTANTS, under=STOCHASTIC_RUN),
    assuming=STOCHASTIC_RUN,
    rests_on=[EQ_44, "st.eq22", "st.eq36", SIZE],
    discharging=OF_THE_ITERATES,
    note=_NOTE,
)


def over_the_index(given: Given) -> Theorem:
    """The mean of (44) over the index drawn, as the mean of ∇ℓ_J is ∇L: each has the share 1/n."""
    after, slope, size = sizes("V after"), family("slope of ell"), sizes("gradient of ell")
    values = {of.V_next: after(j), of.ell_slope: slope(j), of.ell_gradient: size(j)}
    each = NETWORKS.substituted(given.fact(EQ_44), values, under=given.conditions)
    known = between(given, each.statement, each)
    sums = added(known, j, n)
    product = slope_of_a_squared_error(slope(j), its.sample_slopes(j))
    slopes = added(product, j, n)
    means = what_is_assumed(
        given,
        hyp.STOCHASTIC_DESCENT,
        eq(of.V_mean, total(after(j), j, n) / n),
        eq(of.ell_square, total(size(j) ** 2, j, n) / n),
    )
    goal = le(of.V_mean, of.V + 2 * eta * of.loss_slope + eta**2 * of.ell_square)
    apart = [linear(one) for one in (sums.statement.rhs, slopes.statement.rhs)]
    return between(given, goal, sums, slopes, *apart, means, given.fact("st.eq22", "way"))


def _sizes_of_draws(given: Given) -> Theorem:
    """The mean of squares is at most what bounds each."""
    size = sizes("gradient of ell")
    each = NETWORKS.substituted(given.fact(SIZE), {of.ell_gradient: size(j)}, under=given.conditions)
    sums = added(between(given, each.statement, each), j, n)
    means = NETWORKS.meaning("the mean square", eq(of.ell_square, total(size(j) ** 2, j, n) / n))
    return between(given, le(of.ell_square, B_GRAD), sums, linear(sums.statement.rhs), means)


@DRIFT.proved()
def unbiased(given: Given) -> Theorem:
    """The mean of ∇ℓ_J is ∇L̂_n, so that (36) bounds the mean of the slopes."""
    known = over_the_index(given), _sizes_of_draws(given), given.fact("st.eq36")
    return given.concluded(*known, inside(given, hyp.STOCHASTIC_DESCENT))


@DRIFT.tested(over=TREES, cases=25)
def mean_drift(tree: IndexTree) -> Point:
    """The exact mean over the index, the loss and their bound."""
    return at_worst(DRIFT, tree.points())
