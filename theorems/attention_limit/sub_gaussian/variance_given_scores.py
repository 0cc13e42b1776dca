"""Appendix E: the variance of a limit output given its scores, and its bounds."""

import sympy as sp
from sympy import Expr, Symbol, exp, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import Sigma_norm, Sigma_top, norm_weights_squared, q_value
from theorems.engine import Given, both, eq, ge, gt, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import opnorm, vectors

_AT = "Appendix E"
_NOTE = "proofs_notes/attn_tools.md#tails-of-the-outputs"

_k, _l = (Symbol(name, integer=True, nonnegative=True) for name in "kl")
_n, _s = (Symbol(name, integer=True, positive=True) for name in "ns")
_a = sp.Function("a", nonnegative=True)
_score, _variance = sp.Function("p", real=True), sp.Function("v", nonnegative=True)
#: The values times their weights and before, with covariances as inner products.
_g, _own = vectors("g"), vectors("y")


_COUNTED = {_s: sp.Range(1, sp.oo)}


def _total(term: Expr) -> Expr:
    return sp.Sum(term, (_k, 0, _s - 1))


FORM = claim(
    "attn.appE.form",
    at=_AT,
    title="The variance given the scores is at most the operator norm of the covariance",
    states={
        "weights": le(norm_weights_squared, 1),
        "bound": le(q_value, norm_weights_squared * Sigma_norm),
        "variance": le(q_value, Sigma_norm),
    },
    note=_NOTE,
)


_vector, _operator = Vector("a"), Operator("Sigma")


def _meaning(given: Given) -> Theorem:
    """Weights as numbers and as a vector, and a form in them."""
    return given.meaning(
        "weights as a vector, and the form of the covariance in them",
        eq(_total(_a(_k) ** 2), inner(_vector, _vector)),
        eq(norm_weights_squared, inner(_vector, _vector)),
        eq(q_value, inner(_vector, act(_operator, _vector))),
        eq(Sigma_norm, opnorm(_operator)),
    )


def _weights(given: Given) -> Theorem:
    """Σ a_k² is at most (Σ a_k)², as no weight is negative."""
    squares, total = (sp.Sum(one, (_k, 0, _n - 1)) for one in (_a(_k) ** 2, _a(_k)))
    smaller = sums.by_recursion(both(le(squares, total**2), ge(total, 0)), _n, 1)
    known = [smaller.at({_n: _s}), _add_up(given), _meaning(given)]
    objects = {x: x.belongs_to for x in (_vector, _operator)}
    letters = {norm_weights_squared: given.domain[norm_weights_squared], **_COUNTED, **objects}
    return rules.follows(le(norm_weights_squared, 1), known, over=letters)


def _add_up(given: Given) -> Theorem:
    """Σ a_k = 1, as each weight is an exponential over the sum of all."""
    upto = sp.Sum(exp(_score(_l)), (_l, 0, _n - 1))
    positive = sums.by_recursion(gt(upto, 0), _n, 1).at({_n: _s})
    whole = positive.statement.lhs
    softmax = eq(_a(_k), exp(_score(_k)) / whole)
    meant = given.meaning("a softmax weight", softmax, under=[positive.statement])
    each = rules.follows(eq(exp(_score(_k)), whole * _a(_k)), [meant, positive])
    added = sums.summed(each, _k, _s)
    known = [added, sums.linear(added.statement.rhs), positive]
    return rules.follows(eq(_total(_a(_k)), 1), known, over=_COUNTED)


def _form(given: Given) -> Theorem:
    """⟨a, Σa⟩ is at most |a| |Σa|, and |Σa| at most ‖Σ‖ |a|."""
    a, S, meaning = _vector, _operator, _meaning(given)
    known = [facts.cauchy_schwarz(a, act(S, a)), facts.operator_norm(S, a), meaning]
    goal = le(q_value, norm_weights_squared * Sigma_norm)
    over = {one: given.domain[one] for one in goal.free_symbols}
    objects = {a: a.belongs_to, S: S.belongs_to}
    product = rules.follows(le(inner(a, act(S, a)), norm(a) ** 2 * opnorm(S)), known[:2])
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
    states={"variance": le(q_value, Sigma_top), "smaller": le(Sigma_top, Sigma_norm)},
    note=_NOTE,
)


@TOP.proved("variance")
def triangle_inequality(given: Given) -> Theorem:
    """The standard deviation of Σ a_j g_j is at most Σ a_j times those of the g_j."""
    vector = _total(_g(_k))
    triangle = sums.norm_of_sum(vector)
    top = given.largest("the largest variance of a value", le(_variance(_k), Sigma_top))
    nonnegative = rules.follows(ge(_a(_k), 0))
    weighted = scaled_variance(given, "values times their weights", _g(_k), _a(_k), _variance(_k))
    bound = sqrt(Sigma_top) * _a(_k)
    known = [top, nonnegative, weighted]
    square = rules.follows(le(norm(_g(_k)) ** 2, bound**2), known)
    each = rules.follows(le(norm(_g(_k)), bound), [square, nonnegative])
    added = sums.summed(each, _k, _s)
    apart = sums.linear(added.statement.rhs)
    meaning = given.meaning(
        "the variance of a sum, with covariances as products", eq(q_value, norm(vector) ** 2)
    )
    known = [triangle, added, apart, _add_up(given)]
    letters = {**given.domain, **_COUNTED}
    short = rules.follows(le(norm(vector), sqrt(Sigma_top)), known, over=letters)
    square = rules.follows(le(norm(vector) ** 2, Sigma_top), [short], over=letters)
    return rules.follows(given.goal, [square, meaning], over=letters)


def scaled_variance(given: Given, what: str, scaled: Expr, factor: Expr, variance: Expr) -> Theorem:
    """|g|² = c²|y|² for the multiple g = cy of y, where |y|² is a variance."""
    z, own = Vector("z"), _own(_k)
    multiple = given.meaning(what, eq(inner(scaled, z), factor * inner(own, z)))
    known = [multiple.at({z: one}) for one in (scaled, own)]
    length = given.meaning("a variance, as a squared length", eq(variance, inner(own, own)))
    return rules.follows(eq(inner(scaled, scaled), factor**2 * variance), [*known, length])


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
