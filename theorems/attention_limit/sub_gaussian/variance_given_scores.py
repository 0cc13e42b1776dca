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
_a, _score = sp.Function("a", nonnegative=True), sp.Function("p", real=True)
#: The weights as a vector, the unit vectors of the tokens, the covariance and its root.
_vector, _unit, _covariance, _root = Vector("a"), vectors("e"), Operator("Sigma"), Operator("R")


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


def _meaning(given: Given) -> Theorem:
    """The form of the covariance in the weights as a vector."""
    return given.meaning(
        "the form of the covariance in the vector of the weights",
        eq(norm_weights_squared, inner(_vector, _vector)),
        eq(q_value, inner(_vector, act(_covariance, _vector))),
        eq(Sigma_norm, opnorm(_covariance)),
    )


def _weights(given: Given) -> Theorem:
    """Σ a_k² is at most (Σ a_k)², as no weight is negative."""
    squares, total = (sp.Sum(one, (_k, 0, _n - 1)) for one in (_a(_k) ** 2, _a(_k)))
    smaller = sums.by_recursion(both(le(squares, total**2), ge(total, 0)), _n, 1)
    entries = given.meaning(
        "the squared length of the vector of the weights, by its entries",
        eq(inner(_vector, _vector), _total(_a(_k) ** 2)),
    )
    known = [smaller.at({_n: _s}), _add_up(given), _meaning(given), entries]
    letters = {norm_weights_squared: given.domain[norm_weights_squared], **_COUNTED}
    return rules.follows(le(norm_weights_squared, 1), known, over={**letters, _vector: _vector.belongs_to})


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
    a, S, meaning = _vector, _covariance, _meaning(given)
    known = [facts.cauchy_schwarz(a, act(S, a)), facts.operator_norm(S, a)]
    goal = le(q_value, norm_weights_squared * Sigma_norm)
    product = rules.follows(le(inner(a, act(S, a)), norm(a) ** 2 * opnorm(S)), known)
    return given.follows(product, meaning, goal=goal)


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
def cauchy_schwarz_for_the_form(given: Given) -> Theorem:
    """q = |Ra|² is the sum of a_k⟨Re_k, Ra⟩, each at most a_k √Σ_kk |Ra|, so at most √(max_j Σ_jj) |Ra|."""
    image, part = act(_root, _vector), act(_root, _unit(_k))
    deviation = sqrt(Sigma_top)
    known = [_largest(given), _as_a_square(given, _unit(_k)), facts.cauchy_schwarz(part, image)]
    square = rules.follows(le(inner(part, image) ** 2, (deviation * norm(image)) ** 2), known)
    each = rules.follows(le(_a(_k) * inner(part, image), deviation * norm(image) * _a(_k)), [square])
    added = sums.summed(each, _k, _s)
    linear = given.meaning(
        "the weights as a vector, and its image under the root", eq(inner(image, image), added.statement.lhs)
    )
    known = [added, sums.linear(added.statement.rhs), _add_up(given), linear]
    over = {Sigma_top: given.domain[Sigma_top], **_COUNTED}
    objects = {x: x.belongs_to for x in (_vector, _root)}
    short = rules.follows(le(norm(image), deviation), known, over={**over, **objects})
    whole = rules.follows(le(norm(image) ** 2, Sigma_top), [short])
    return given.follows(whole, _as_a_square(given, _vector), _meaning(given))


def _as_a_square(given: Given, u: Expr) -> Theorem:
    """⟨u, Σu⟩ = |Ru|²."""
    z = Vector("z")
    square = eq(inner(z, act(_covariance, z)), inner(act(_root, z), act(_root, z)))
    return given.meaning("a covariance, as the square of its root", square).at({z: u})


def _largest(given: Given) -> Theorem:
    """Σ_kk = ⟨e_k, Σe_k⟩ is at most the largest of these."""
    variance = inner(_unit(_k), act(_covariance, _unit(_k)))
    return given.largest("the largest variance of a value", le(variance, Sigma_top))


@TOP.proved("smaller")
def at_one_vertex(given: Given) -> Theorem:
    """At a unit vector e_j the form is a variance, at most the operator norm."""
    e, S = _unit(_k), _covariance
    meanings = [
        given.meaning("the largest variance is that of some value", eq(Sigma_top, inner(e, act(S, e)))),
        given.meaning("a unit vector of a token", eq(inner(e, e), 1)),
        _meaning(given),
    ]
    known = [facts.cauchy_schwarz(e, act(S, e)), facts.operator_norm(S, e)]
    return given.follows(*known, *meanings)
