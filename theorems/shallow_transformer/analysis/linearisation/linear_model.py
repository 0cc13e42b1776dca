"""Definition 3 and Equation (19): the linear model, and its error head by head."""

from sympy import Expr, Function, Reals, Sum, Symbol, sqrt, symbols

from theorems.engine import Given, Hypothesis, Provenance, defining, eq, integers, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer.analysis.linearisation.sampled import Step, steps
from theorems.shallow_transformer.analysis.linearisation.terms import (
    initial,
    now,
    remainder,
    shift,
    slope,
    start,
)
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises import networks as premises
from theorems.shallow_transformer.premises.lines.sums_on_a_line import sum_on_a_line
from theorems.shallow_transformer.premises.means import two_halves
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD, in_networks
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import added, taken_apart
from theorems.shallow_transformer.premises.tokens import what_is_assumed
from theorems.shallow_transformer.sampling.head_balls import Point

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
#: Widths are even.
WIDTHS = integers(2)
_c, _step, _start, _now, _slope, _REST = initial, shift, start, now, slope, remainder
_ERROR = sqrt(m) * (its.f_value - its.lin_value)


def _heads(term: Expr) -> Expr:
    """The sum over the heads."""
    return total(term, i, m)


DEFINITION = claim(
    "st.def3",
    at="Definition 3",
    title="The linear model",
    states={
        "second form": defining(its.lin_value, eq(its.f_initial + its.lin_slope, its.lin_slope)),
        "derivative": eq(sqrt(m) * its.lin_slope, _heads(_step * _start + _c * _slope)),
    },
    given={m: WIDTHS},
    assuming=[EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE],
    note=_NOTE,
)
_PAIRS = Symbol("pairs", integer=True, positive=True)


def _by_pairs(given: Given, term: Expr) -> Theorem:
    """A sum over heads is a sum over pairs of heads, one from each half."""
    given.require(EVEN_WIDTH)
    pair = term + term.xreplace({i: i + _PAIRS})
    halves = two_halves(lambda index: term.xreplace({i: index}), _PAIRS)
    whole = total(pair, i, _PAIRS)
    known = [halves, *taken_apart(whole, *halves.statement.rhs.args)]
    return NETWORKS.follows(*known, goal=eq(_heads(term), whole), under=[eq(m, 2 * _PAIRS)])


def _cancelling(given: Given, term: Expr, *known: Theorem) -> list[Theorem]:
    """The sum over heads vanishes, as heads of a pair contribute opposite terms."""
    pairs, other = _by_pairs(given, term), term.xreplace({i: i + _PAIRS})
    each = rules.follows(eq(term, -other), known)
    opposite = premises.added(each, i, _PAIRS)
    sums = (pairs.statement.rhs, *opposite.statement.args)
    apart = [premises.linear(one_) for one_ in sums]
    return [pairs, opposite, *apart, what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * _PAIRS))]


def _opposite(given: Given) -> Theorem:
    """The heads of a pair start with opposite output weights and equal outputs."""
    other = {i: i + _PAIRS}
    return what_is_assumed(
        given, PAIRED_HEADS, eq(_c.xreplace(other), -_c), eq(_start.xreplace(other), _start)
    )


@DEFINITION.proved("second form")
def pairs_cancel(given: Given) -> Theorem:
    """f(X; φ⁽⁰⁾) = m^(−1/2) Σ over pairs of (c − c)h = 0."""
    output = ONE_HEAD.meaning("the output at the start", eq(sqrt(m) * its.f_initial, _heads(_c * _start)))
    return given.follows(output, *_cancelling(given, _c * _start, _opposite(given)))


def _derivative(given: Given) -> Theorem:
    """d/dt (c + tδc)h(θ + tδθ) = δc h + c⟨∇h, δθ⟩ at t = 0, for each head."""
    given.require(TWICE_DIFFERENTIABLE)
    x, y, z = symbols("x y z", real=True)
    names = ("c along the line", "h along the line", "its slope", "slope of h", "change")
    c, h, dc, dh, change = (Function(name, real=True) for name in names)
    line = ONE_HEAD.meaning(
        "a head along the line",
        derivative(dc(i, x), c(i, x), x, Reals),
        derivative(dh(i, x), h(i, x), x, Reals),
    )
    laws = {one.args[1]: ONE_HEAD.follows(line, goal=one) for one in line.statement.args}
    parts = {y: laws[c(i, x)], z: laws[h(i, x)]}
    heads = sum_on_a_line(rules.differentiated(y * z, x, Reals, parts), i, m)
    network = rules.differentiated(y / sqrt(m), x, Reals, {y: heads}, over=in_networks(m))
    there = NETWORKS.substituted(rules.rate_of(network, change(x)), {x: 0})
    start = ONE_HEAD.meaning(
        "a head at the start",
        *(eq(_c, c(i, 0)), eq(_step, dc(i, 0)), eq(_start, h(i, 0)), eq(_slope, dh(i, 0))),
    )
    (sum_,) = there.statement.rhs.atoms(Sum)
    each = ONE_HEAD.follows(start, goal=eq(sum_.args[0], _step * _start + _c * _slope))
    slope_ = ONE_HEAD.meaning("the derivative along the line", eq(its.lin_slope, change(0)))
    return NETWORKS.follows(there, added(each, i, m), slope_, goal=stated(DEFINITION, "derivative"))


@DEFINITION.proved("derivative")
def derivative_of_a_head(given: Given) -> Theorem:
    """The derivative of a sum is that of its terms."""
    return _derivative(given)


@DEFINITION.tested("second form", over=steps)
def outputs_at_the_start(step: Step) -> Point:
    """f(X; φ⁽⁰⁾) and the linear model, for one input."""
    return step.start()


EQ_19 = claim(
    "st.eq19",
    at="Lemma 3, proof; Equation (19)",
    title="The linearisation error head by head",
    states=eq(sqrt(m) * (its.f_value - its.lin_value), _heads(_step * (_now - _start) + _c * _REST)),
    given={m: WIDTHS},
    assuming=[TWICE_DIFFERENTIABLE],
    note=_NOTE,
)


def _outputs() -> Theorem:
    """The network, and the linear model by its definition."""
    return ONE_HEAD.meaning(
        "the outputs",
        eq(sqrt(m) * its.f_value, _heads((_c + _step) * _now)),
        eq(sqrt(m) * its.f_initial, _heads(_c * _start)),
        eq(its.lin_value, its.f_initial + its.lin_slope),
    )


@EQ_19.proved()
def one_head(given: Given) -> Theorem:
    """(c + δc)h − [ch₀ + h₀δc + cl] = δc(h − h₀) + c(h − h₀ − l), for l = ⟨∇h₀, δθ⟩."""
    known = [_outputs(), _derivative(given)]
    return given.concluded(*known, *taken_apart(*known, stated(EQ_19)))


EQUAL_MOVES = Hypothesis(
    "equal_moves",
    "paired heads of $phi have moved alike in U and W",
    latex=r"\delta\theta_{i+m/2} = \delta\theta_i \text{ at } $phi",
)

PAIRED = claim(
    "st.lem3.paired",
    at="Lemma 3, proof; Equation (19)",
    title="Moving paired heads alike leaves the first sum only",
    states=eq(_ERROR, _heads(_step * (_now - _start))),
    given={m: WIDTHS},
    assuming=[EVEN_WIDTH, PAIRED_HEADS, TWICE_DIFFERENTIABLE, EQUAL_MOVES],
    rests_on=[EQ_19],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PAIRED.proved()
def remainders_cancel(given: Given) -> Theorem:
    """c r + (−c) r = 0 for the remainders r of the two heads, equal as their θ are."""
    other = {i: i + _PAIRS}
    alike = what_is_assumed(
        given, EQUAL_MOVES, eq(_now.xreplace(other), _now), eq(_slope.xreplace(other), _slope)
    )
    none = _cancelling(given, _c * _REST, _opposite(given), alike)
    goal = stated(PAIRED)
    apart = taken_apart(goal, stated(EQ_19), none[0].statement.lhs)
    return given.follows(given.fact(EQ_19), *none, *apart, goal=goal)
