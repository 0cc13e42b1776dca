"""Appendix E: the limit outputs of attention are sub-Gaussian."""

import sympy as sp
from sympy import Abs, Expr, Symbol, exp, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import (
    K_prefactor,
    Sigma_norm,
    Sigma_top,
    Z_output,
    c_rate,
    norm_weights_squared,
    q_value,
    t_level,
)
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, implies, le, lt, rules
from theorems.engine.rules import (
    Operator,
    P,
    Random,
    Theorem,
    Vector,
    act,
    facts,
    inner,
    norm,
    probabilities,
    sums,
)
from theorems.engine.rules.vocabulary import opnorm, vectors

AT = "Appendix E"
_NOTE = "proofs_notes/attn_tools.md#tails-of-the-outputs"
MIXTURE = Hypothesis(
    "gaussian_mixture",
    "$Z_output is the mean of Gaussian values with the covariance Σ, in random softmax weights"
    " a that are independent of the values",
    latex=r"$Z_output = a^\top g,\quad g \sim \mathcal{N}(0, \Sigma),\quad"
    r" a \text{ softmax weights, independent of } g",
)

_k = Symbol("k", integer=True, nonnegative=True)
_s = Symbol("s", integer=True, positive=True)
_a = sp.Function("a", nonnegative=True)
_variance = sp.Function("v", nonnegative=True)
#: The values times their weights, with covariances as inner products.
_g = vectors("g")
_COUNTED = {_k: sp.Range(sp.oo)}


def _total(term: Expr) -> Expr:
    return sp.Sum(term, (_k, 0, _s - 1))


FORM = claim(
    "attn.appE.form",
    at=AT,
    title="The variance given the scores is at most the operator norm of the covariance",
    states={
        "weights": le(norm_weights_squared, 1),
        "bound": le(q_value, norm_weights_squared * Sigma_norm),
        "variance": le(q_value, Sigma_norm),
    },
    given=[norm_weights_squared, q_value, Sigma_norm],
    note=_NOTE,
)


_vector, _operator = Vector("a"), Operator("Sigma")


def _meaning(given: Given) -> Theorem:
    """Weights that add up to one, as numbers and as a vector, and a form in them."""
    return given.meaning(
        "softmax weights, and the form of the covariance in them",
        eq(_total(_a(_k)), 1),
        eq(_total(_a(_k) ** 2), inner(_vector, _vector)),
        eq(norm_weights_squared, inner(_vector, _vector)),
        eq(q_value, inner(_vector, act(_operator, _vector))),
        eq(Sigma_norm, opnorm(_operator)),
    )


def _weights(given: Given) -> Theorem:
    """a_j² is at most a_j, as no weight is above their sum, which is one."""
    over = {_s: sp.Range(1, sp.oo)}
    range_ = rules.textbook(
        "softmax weights lie between 0 and 1", both(ge(_a(_k), 0), le(_a(_k), 1)), over=_COUNTED
    )
    each = rules.follows(le(_a(_k) ** 2, _a(_k)), [range_], over=_COUNTED)
    added = sums.summed(each, _k, _s, over=over)
    meaning = _meaning(given)
    objects = {x: x.belongs_to for x in (_vector, _operator)}
    letters = {norm_weights_squared: given.domain[norm_weights_squared], **over, **objects}
    return rules.follows(le(norm_weights_squared, 1), [added, meaning], over=letters)


def _form(given: Given) -> Theorem:
    """⟨a, Σa⟩ is at most |a| |Σa|, and |Σa| at most ‖Σ‖ |a|."""
    a, S, meaning = _vector, _operator, _meaning(given)
    known = [facts.cauchy_schwarz(a, act(S, a)), facts.operator_norm(S, a), meaning]
    goal = le(q_value, norm_weights_squared * Sigma_norm)
    over = {one: given.domain[one] for one in goal.free_symbols}
    objects = {a: a.belongs_to, S: S.belongs_to}
    product = rules.follows(
        le(inner(a, act(S, a)), norm(a) ** 2 * opnorm(S)), known[:2], over=objects
    )
    return rules.follows(goal, [product, meaning], over={**over, **objects})


@FORM.proved("weights")
def squares_of_weights(given: Given) -> Theorem:
    """Σ a² is at most Σ a = 1."""
    return _weights(given)


@FORM.proved("bound")
def norm_of_the_operator(given: Given) -> Theorem:
    """By the inequality of Cauchy and Schwarz."""
    return _form(given)


@FORM.proved("variance")
def both_together(given: Given) -> Theorem:
    """The squared norm of the weights is at most one."""
    return given.follows(_weights(given), _form(given))


TOP = FORM.sharpened(
    "attn.appE.form.sharp",
    title="The variance given the scores is at most the largest variance of a value",
    states={
        "variance": le(q_value, Sigma_top),
        "smaller": le(Sigma_top, Sigma_norm),
    },
    given=[q_value, Sigma_top, Sigma_norm],
    note=_NOTE,
)


@TOP.proved("variance")
def triangle_inequality(given: Given) -> Theorem:
    """The standard deviation of Σ a_j g_j is at most Σ a_j times those of the g_j."""
    over = {_s: sp.Range(1, sp.oo)}
    vector = sp.Sum(_g(_k), (_k, 0, _s - 1))
    triangle = sums.norm_of_sum(vector, over=over)
    ranges = {**_COUNTED, Sigma_top: given.domain[Sigma_top]}
    top = given.largest(
        "the largest variance of a value", le(_variance(_k), Sigma_top), over=_COUNTED
    )
    nonnegative = rules.textbook("softmax weights are positive", ge(_a(_k), 0), over=_COUNTED)
    weighted = rules.meaning(
        "values times their weights",
        eq(inner(_g(_k), _g(_k)), _a(_k) ** 2 * _variance(_k)),
        over=_COUNTED,
    )
    bound = sqrt(Sigma_top) * _a(_k)
    known = [top, nonnegative, weighted]
    square = rules.follows(le(norm(_g(_k)) ** 2, bound**2), known, over=ranges)
    each = rules.follows(le(norm(_g(_k)), bound), [square, nonnegative], over=ranges)
    added = sums.summed(each, _k, _s, over={**over, Sigma_top: ranges[Sigma_top]})
    apart = sums.linear(added.statement.rhs, over={**over, Sigma_top: ranges[Sigma_top]})
    meaning = given.meaning(
        "weights that add up to one, and the variance of a sum, with covariances as products",
        eq(_total(_a(_k)), 1),
        eq(q_value, norm(vector) ** 2),
    )
    known = [triangle, added, apart, meaning]
    letters = {**given.domain, **over}
    short = rules.follows(le(norm(vector), sqrt(Sigma_top)), known, over=letters)
    square = rules.follows(le(norm(vector) ** 2, Sigma_top), [short], over=letters)
    return rules.follows(given.goal, [square, meaning], over=letters)


@TOP.proved("smaller")
def at_one_vertex(given: Given) -> Theorem:
    """At a unit vector e_j the form is a variance, at most the operator norm."""
    e, S = Vector("e"), Operator("Sigma")
    meaning = given.meaning(
        "the largest variance, as the form at a unit vector, and the operator norm",
        eq(Sigma_top, inner(e, act(S, e))),
        eq(inner(e, e), 1),
        eq(Sigma_norm, opnorm(S)),
    )
    known = [facts.cauchy_schwarz(e, act(S, e)), facts.operator_norm(S, e), meaning]
    return rules.follows(given.goal, known, over={**given.domain, e: e.belongs_to, S: S.belongs_to})


TAIL = claim(
    "attn.appE",
    at=AT,
    title="The limit output of one head is sub-Gaussian",
    states=le(P(ge(Abs(Z_output), t_level)), 2 * exp(-(t_level**2) / (2 * Sigma_norm))),
    given=[Z_output, t_level, Sigma_norm],
    assuming=[MIXTURE],
    rests_on=FORM,
    note=_NOTE,
)


def _tail(given: Given, bound: Symbol, form: Theorem) -> Theorem:
    """|RN| ≥ t with R² ≤ S only if |N| ≥ t/√S, which has a probability of at most e^(-t²/(2S)).

    Given the scores, an output has the law of RN, N standard normal and R² the variance.
    """
    R, N = Random("R"), Random("N")
    r, n = sp.symbols("r n", real=True)
    over = {x: given.domain[x] for x in (t_level, bound)}
    large, small = ge(Abs(r * n), t_level), le(r**2, bound)
    far = ge(Abs(n), t_level / sqrt(bound))
    each = rules.follows(
        sp.Implies(both(large, small), far), over={**over, r: sp.Reals, n: sp.Reals}
    )
    sure = probabilities.surely(each, {r: R, n: N})
    values = {r: R, n: N}
    event, inside, tail = (one.xreplace(values) for one in (large, small, far))
    variance = probabilities.surely(form, {q_value: R**2})
    level = Symbol("u", nonnegative=True)
    normal = rules.textbook(
        "tail of a standard normal variable",
        le(P(ge(Abs(N), level)), exp(-(level**2) / 2)),
        over={level: sp.Interval(0, sp.oo), N: N.belongs_to},
    )
    known = [
        sure,
        variance,
        probabilities.implied_event(both(event, inside), tail, over=over),
        probabilities.sure_event(event, inside, over=over),
        rules.instance(normal, {level: t_level / sqrt(bound)}, over=over),
        given.supposed(MIXTURE, eq(P(ge(Abs(Z_output), t_level)), P(event))),
    ]
    return given.follows(
        *known, goal=le(P(ge(Abs(Z_output), t_level)), exp(-(t_level**2) / (2 * bound)))
    )


@TAIL.proved()
def twice_the_tail(given: Given) -> Theorem:
    """The factor two is not needed."""
    tail = _tail(given, Sigma_norm, given.fact(FORM, "variance"))
    positive = rules.textbook(
        "the exponential is positive", ge(tail.statement.rhs, 0), over=dict(tail.over)
    )
    return given.follows(tail, positive)


SHARP = TAIL.sharpened(
    "attn.appE.sharp",
    title="The tail with the prefactor one and the largest variance of a value",
    states=le(P(ge(Abs(Z_output), t_level)), exp(-(t_level**2) / (2 * Sigma_top))),
    given=[Z_output, t_level, Sigma_top],
    assuming=[MIXTURE],
    rests_on=TOP,
    note=_NOTE,
)


@SHARP.proved()
def standard_normal_tail(given: Given) -> Theorem:
    """The variance given the scores is at most the largest one of a value."""
    return _tail(given, Sigma_top, given.fact(TOP, "variance"))


TAIL_BOUND = Hypothesis(
    "gaussian_bound",
    "the tail of $Z_output has a Gaussian bound with the prefactor $K_prefactor and the rate"
    " $c_rate",
    latex=r"\mathbb{P}(|$Z_output| \ge t) \le $K_prefactor e^{-$c_rate t^2} \text{ for all } t",
)
NEAR_VERTICES = Hypothesis(
    "near_vertices",
    "with a positive probability the variance given the scores is as near as one likes to the"
    " largest variance $Sigma_top of a value, as it is for scores with a density",
    latex=r"\mathbb{P}(a^\top\Sigma a \ge v) > 0 \text{ for all } v < $Sigma_top",
)

LEAST = claim(
    "attn.appE.least",
    at=AT,
    title="No larger rate of a Gaussian bound, whatever the prefactor",
    states=le(c_rate, 1 / (2 * Sigma_top)),
    given=[Z_output, c_rate, K_prefactor, Sigma_top],
    assuming=[MIXTURE, TAIL_BOUND, NEAR_VERTICES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LEAST.proved()
def far_out(given: Given) -> Theorem:
    """P(R² ≥ v) P(|N| ≥ u) ≤ K e^(-cvu²) fails for large u if v is below Σ_jj and cv above 1/2."""
    R, N = Random("R"), Random("N")
    u, v = Symbol("u", nonnegative=True), Symbol("v", positive=True)
    chance = Symbol("chance", positive=True)
    above = sp.Interval.open(0, sp.oo)
    places = {u: sp.Interval(0, sp.oo), v: above}
    tail, inside = P(ge(Abs(N), u)), P(ge(R**2, v))
    mixture = given.supposed(
        MIXTURE, le(inside * tail, P(ge(Abs(Z_output), u * sqrt(v)))), over=places
    )
    bound = given.supposed(
        TAIL_BOUND,
        le(P(ge(Abs(Z_output), u * sqrt(v))), K_prefactor * exp(-c_rate * v * u**2)),
        over=places,
    )
    positive = given.supposed(NEAR_VERTICES, implies(lt(v, Sigma_top), gt(inside, 0)), over=places)
    far = sp.Function("far", nonnegative=True)(c_rate * v, K_prefactor / chance)
    textbook = rules.textbook(
        "a normal tail is at some place above any multiple of a smaller Gaussian",
        implies(
            gt(c_rate * v, sp.Rational(1, 2)),
            gt(chance * P(ge(Abs(N), far)), K_prefactor * exp(-c_rate * v * far**2)),
        ),
        over={**given.domain, v: above, chance: above, N: N.belongs_to},
    )
    over = {**given.domain, v: above}
    middle = (1 / (2 * c_rate) + Sigma_top) / 2
    more = [gt(c_rate, 1 / (2 * Sigma_top))]
    at_far = {chance: inside, u: far.xreplace({chance: inside})}
    objects = {x: x.belongs_to for x in (R, N, Z_output)}
    steps = [
        rules.instance(
            one,
            {x: at_far[x] for x in one.over if x in at_far},
            over={**over, **objects},
            under=[gt(inside, 0)],
        )
        for one in (mixture, bound, textbook)
    ]
    known = rules.follows(
        implies(lt(v, Sigma_top), le(c_rate * v, sp.Rational(1, 2))),
        [*steps, positive],
        over={**over, **objects},
    )
    here = rules.instance(known, {v: middle}, over=given.domain, under=more)
    return given.follows(here)
