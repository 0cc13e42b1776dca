"""Appendix D.1.2: the average converges to its mean given the dot products."""

from typing import Any

import sympy as sp
from sympy import Abs, Integral, Min, Rational, Symbol, cos, exp, oo, pi, simplify, sin, sqrt

from theorems.attention_limit.letters.averages import (
    average_change,
    average_slope,
    distance_ab,
    f_average,
    f_limit,
    limit_slope,
    mean_growth,
    mesh,
    net_gap,
    outside,
    psi_bound,
    radius,
    test_bound,
    test_slope,
    width_averages,
)
from theorems.attention_limit.letters.convergence import difference, largest_difference
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import C_any, growth
from theorems.attention_limit.proofs.sections import SUMMANDS, power_of_sum
from theorems.attention_limit.tools.pseudo_lipschitz import PSEUDO_LIPSCHITZ
from theorems.classical import powers
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, P, Random, Theorem, facts, probabilities, sums

_NOTE = "proofs_notes/attn_proofs.md#the-supremum-and-the-mean"

STEP = claim(
    "attn.d12.eq6",
    at="Appendix D.1.2; Equation (6)",
    title="Given that p is in K the difference is at most that at the worst fixed place of K",
    states=sentence(
        r"|\mathbb{E}[($f_bounded($average_at) - $f_bounded($mean_at))"
        r"\mathbf{1}\{$dot_products_alone \in $K_dots\}]| \le $factor \sup_{a \in $K_dots}"
        r" |\mathbb{E}$f_bounded({$n}^{$inverse}"
        r"\textstyle\sum_\alpha$averaged_at($image_entries, a))"
        r" - \mathbb{E}$f_bounded(\mathbb{E}$averaged_at($images_limit, a))|"
        r" \text{ for $which}",
        factor=1,
        inverse=-1,
        which=Choice("the dot products p of the g", "dot products"),
    ),
    note=_NOTE,
)


def _mean(f: Any, g: Symbol) -> Any:
    return Integral(f * exp(-(g**2) / 2) / sqrt(2 * pi), (g, -oo, oo)).doit()


@STEP.refuted(
    severity=Severity.GAP,
    controls={"independent": {"which": Choice("p independent of the g", "independent")}},
)
def cosine_of_the_difference(factor: Any, inverse: Any, which: str) -> Obligations:
    """At n = 1 with p = g g', ψ = cos(g g' - a), f the identity on [-1, 1]: the right side is 0.

    g and g' are independent and standard normal as their limits are, so that the means over g at
    a fixed a are equal. At a = p the average is 1, and its mean given p is cos(p) E cos(g g').
    """
    a, g, other, p = (Symbol(name, real=True) for name in ("a", "g", "g'", "p"))
    centre = _mean(_mean(cos(g * other), other), g)
    yield "mean of the cosine", bool(centre == 1 / sqrt(2))
    # Outputs and their limits are standard normal both, at every width: the mean is found twice.
    width = Symbol("n", positive=True)
    at_width = width**inverse * width * _mean(_mean(cos(g * other - a), other), g)
    in_the_limit = cos(a) * centre + sin(a) * _mean(_mean(sin(g * other), other), g)
    right = factor * Abs(simplify(at_width - in_the_limit))
    yield "the right side vanishes at every place", right == 0
    own = cos(p - p) if which == "dot products" else cos(p) * centre
    least = own - (centre if which == "dot products" else cos(p) * centre)
    yield "the left side is positive", bool(least > Rational(1, 4))


LARGEST = Hypothesis(
    "largest_difference",
    "$difference is what $largest_difference is the supremum of, at the place p, if that is in K,"
    " and is 0 otherwise",
    latex=r"|$difference| \le $largest_difference",
)

CORRECTED = STEP.corrected(
    "attn.d12.eq6.corrected",
    title="Given that p is in K the difference is at most the mean of the supremum over K",
    states=le(Abs(E(difference)), E(largest_difference)),
    assuming=[LARGEST],
    note=_NOTE,
)


@CORRECTED.proved()
def supremum_inside(given: Given) -> Theorem:
    """The place p is one of those over which the supremum is taken, whatever the weights are."""
    sure = given.supposed(LARGEST, eq(P(le(Abs(difference), largest_difference)), 1))
    size = probabilities.expectation_of_size(difference)
    larger = probabilities.larger_mean(Abs(difference), largest_difference)
    return given.follows(size, larger, sure)


AVERAGES = Hypothesis(
    "averages",
    "$average_change is the distance of the averages over $width_averages coordinates of the"
    " function at two places, whose distance is $distance_ab and whose norms are at most $radius;"
    " $mean_growth is the average of the norms of the coordinates to the power $growth",
)

MODULUS = claim(
    "attn.d12.modulus",
    at="Appendix D.1.2",
    title="Averages at two places of a ball differ by a random constant times the distance",
    states=le(average_change, C_any * distance_ab * (1 + 2**growth * (radius**growth + mean_growth))),
    given={growth: half_line(1)},
    assuming=[PSEUDO_LIPSCHITZ, AVERAGES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_i, _j = sp.symbols("i j", integer=True, nonnegative=True)
_INDICES = {_i: sp.Range(oo)}
#: By the coordinate: the function at both places, the norms of both pairs, the norm of g.
_at_a, _at_b = (sp.Function(name, real=True) for name in ("f_a", "f_b"))
_pair_a, _pair_b, _norm = (sp.Function(name, nonnegative=True) for name in ("v", "w", "g"))
_SLOPE = 1 + 2**growth * (radius**growth + _norm(_i) ** growth)


def _one_coordinate(given: Given) -> Theorem:
    """The norms of both pairs are at most that of g plus the radius; Lemma C.1 splits powers."""
    pairs, g, over = (_pair_a(_i), _pair_b(_i)), _norm(_i), {**given.domain, **_INDICES}
    change, powered = Abs(_at_a(_i) - _at_b(_i)), [one**growth for one in pairs]
    definition = given.supposed(PSEUDO_LIPSCHITZ, le(change, C_any * distance_ab * (1 + sum(powered))))
    norms = [both(le(0, one), le(one, g + radius)) for one in pairs]
    sizes = given.supposed(AVERAGES, le(0, g), *norms)
    used = {x: over[x] for x in (_i, growth, radius)}
    b, c = SUMMANDS
    sides = [le(0, g), *norms]
    split = power_of_sum(given.domain[growth]).at({b: g, c: radius}, under=sides)
    larger = [powers.increase(one, g + radius, growth, over=used, under=sides) for one in pairs]
    bounds = [le(one, 2 ** (growth - 1) * (g**growth + radius**growth)) for one in powered]
    known = rules.follows(both(*bounds), [sizes, split, *larger])
    return rules.follows(
        le(change, C_any * distance_ab * _SLOPE),
        [definition, known, powers.one_more(2, growth - 1, over=over)],
        over=over,
    )


@MODULUS.proved()
def average_of_the_definition(given: Given) -> Theorem:
    """The definition at every coordinate, added up and divided by their number."""
    each, n = _one_coordinate(given), width_averages
    over = {x: one for x, one in given.domain.items() if x != average_change}
    ends = (_i, 0, n - 1)
    added = sums.summed(each, _i, n)
    slopes = sums.linear(added.statement.rhs, over=over)
    size = sums.by_recursion(
        le(
            Abs(sp.Sum(_at_a(_j) - _at_b(_j), (_j, 0, _i - 1))),
            sp.Sum(Abs(_at_a(_j) - _at_b(_j)), (_j, 0, _i - 1)),
        ),
        _i,
    )
    here = size.at({_i: n})
    whole = given.supposed(
        AVERAGES,
        eq(average_change * n, Abs(sp.Sum(_at_a(_i) - _at_b(_i), ends))),
        eq(mean_growth * n, sp.Sum(_norm(_i) ** growth, ends)),
    )
    return given.follows(added, slopes, here, whole)


ON_THE_NET = Hypothesis(
    "on_the_net",
    "on a set K, every place of which has a place of a finite net within $mesh, the averages have"
    " the Lipschitz constant $average_slope and the means over the limits $limit_slope; $net_gap is"
    " the largest distance of average and mean on the net, and $outside is 1 where the dot products"
    " are not in K and 0 elsewhere",
)
TEST_FUNCTION = Hypothesis(
    "test_function",
    "$f_average and $f_limit are the values of a test function at the average and at the mean for"
    " the dot products; these are bounded by $psi_bound, and between such numbers the test function"
    " has the Lipschitz constant $test_slope and the bound $test_bound",
)
#: How far average and mean are apart on K, at most.
_NEAR = net_gap + mesh * average_slope + mesh * limit_slope
_TOTAL = test_slope * Min(2 * psi_bound, _NEAR) + 2 * test_bound * outside

BOUND = claim(
    "attn.d12.bound",
    at="Appendix D.1.2",
    title="The first part of the distance from the limit, by what happens on a finite net",
    states=le(
        Abs(E(f_average) - E(f_limit)),
        test_slope * E(Min(2 * psi_bound, _NEAR)) + 2 * test_bound * E(outside),
    ),
    assuming=[ON_THE_NET, TEST_FUNCTION],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_NUMBERS = (test_slope, psi_bound, mesh, limit_slope, test_bound)
#: Average and mean for the dot products, and at the place of the net next to them.
_y, _z, _y_near, _z_near = (Random(name) for name in ("y", "z", "y'", "z'"))


def _pathwise(on_the_net: Any, of_the_test: Any, over: Any) -> Theorem:
    """For given weights: off K both values are at most F, on K two steps lead to the net."""
    goal = implies(both(on_the_net, of_the_test), le(Abs(f_average - f_limit), _TOTAL))
    random = goal.atoms(Random)
    numbers = {X: Symbol(f"value of {X.name}", real=True) for X in random}
    letters = {**over, **dict.fromkeys(numbers.values(), sp.Reals)}
    given = both(on_the_net, of_the_test).xreplace(numbers)
    near, apart, nowhere = (
        one.xreplace(numbers) for one in (Min(2 * psi_bound, _NEAR), Abs(_y - _z), eq(outside, 0))
    )
    least, gap, scale = (sp.Symbol(name, real=True) for name in ("least", "gap", "scale"))
    scaled = rules.follows(implies(both(le(gap, least), le(0, scale)), le(scale * gap, scale * least)))
    sides = [{scale: test_slope, least: near, gap: one} for one in (apart, 0)]
    known = [
        rules.follows(implies(given, le(0, near))),
        rules.follows(implies(both(given, nowhere), le(apart, near))),
        *(scaled.at(at, over=letters) for at in sides),
    ]
    proved = rules.follows(goal.xreplace(numbers), known)
    return probabilities.surely(proved, {number: X for X, number in numbers.items()})


@BOUND.proved()
def on_the_net_or_outside(given: Given) -> Theorem:
    """The bound holds for all weights; then means are taken."""
    over = {x: given.domain[x] for x in _NUMBERS}
    steps = (
        le(Abs(_y - _y_near), mesh * average_slope),
        le(Abs(_y_near - _z_near), net_gap),
        le(Abs(_z_near - _z), mesh * limit_slope),
    )
    on_the_net = both(
        sp.Or(eq(outside, 0), eq(outside, 1)),
        le(0, net_gap),
        le(0, average_slope),
        implies(eq(outside, 0), both(*steps)),
    )
    of_the_test = both(
        *(le(Abs(one), psi_bound) for one in (_y, _z)),
        *(le(Abs(one), test_bound) for one in (f_average, f_limit)),
        le(Abs(f_average - f_limit), test_slope * Abs(_y - _z)),
    )
    sure = [
        given.supposed(ON_THE_NET, eq(P(on_the_net), 1)),
        given.supposed(TEST_FUNCTION, eq(P(of_the_test), 1)),
    ]
    event, bound = both(on_the_net, of_the_test), le(Abs(f_average - f_limit), _TOTAL)
    together = probabilities.sure_event(on_the_net, of_the_test)
    larger = probabilities.implied_event(event, bound)
    most = facts.probability(bound)
    random = {X: X.belongs_to for X in event.atoms(Random) | bound.atoms(Random)}
    certain = rules.follows(
        eq(P(bound), 1),
        [*sure, together, larger, most, _pathwise(on_the_net, of_the_test, over)],
        over={**over, **random},
    )
    size = probabilities.expectation_of_size(f_average - f_limit)
    means = probabilities.larger_mean(Abs(f_average - f_limit), _TOTAL)
    return given.follows(size, means, certain)
