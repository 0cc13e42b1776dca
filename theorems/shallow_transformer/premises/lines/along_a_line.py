"""Derivatives along a line W + xΔ, on which the logits of tokens move with their slopes."""

from functools import cache, partial
from typing import Any

from sympy import Derivative, Expr, Function, S, Symbol, exp

from symbolic.derivation import Derivation, Step
from symbolic.equality import Decision
from theorems.engine import eq, rules
from theorems.engine.rules import E, Theorem
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.token import logit, pooling_weight, r, t, total
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import added, taken_apart

#: Where one is on the line W + xΔ, and the values of a token there whose drawn value is random.
along = Symbol("x along the line", real=True)
_DRAWN = (its.drawn_slope, its.drawn_x, its.drawn_y, its.drawn_value, its.drawn_change)
_AT_TOKEN = {X: Function(f"{X} of a token", real=True)(t) for X in _DRAWN}


def softmax_mean(of: Expr) -> Expr:
    """The mean of what is drawn with a token, at W + xΔ, where a logit is z + xs.

    That is the sum over the tokens of e^(z_t + xs_t)f_t(x), over the sum of these exponentials.
    """
    odds = exp(logit(t) + along * _AT_TOKEN[its.drawn_slope])
    return total(odds * of.xreplace(_AT_TOKEN)) / total(odds)


def drawn_means(*things: Any) -> Theorem:
    """The expectations that occur are means under the softmax weights at W."""
    used = sorted(set().union(*(one.atoms(E) for one in things)), key=str)
    here = (softmax_mean(one.args[0]).xreplace({along: S.Zero}) for one in used)
    means = (eq(one, value) for one, value in zip(used, here, strict=True))
    return ONE_HEAD.meaning("means of a token that is drawn with its softmax weight", *means)


@cache
def moved(form: Expr, order: int, changed: Expr) -> list[Theorem]:
    """A name for the derivative of a formula along the line at W, which SymPy carries out.

    The name is a letter, or depends on a token; sums are taken apart into those of single products.
    """
    rate, head = Derivative(form, (along, order)), changed if changed.is_Symbol else changed.func
    name = partial(_called, Function(f"{head} along", real=True), changed.args)
    steps = [Step(rate.doit(deep=False), "differentiate", check=carried_out)]
    found = rules.derived(Derivation("A derivative along a line", r"\partial", rate, steps))
    meant = ONE_HEAD.meaning("a derivative along the line W + xΔ", eq(name(along), rate))
    rule = ONE_HEAD.follows(found, meant, goal=eq(name(along), found.statement.rhs))
    here = rule.at({along: 0})
    called = ONE_HEAD.meaning("the same at W", eq(changed, name(0)))
    known = ONE_HEAD.follows(here, called, goal=eq(changed, here.statement.rhs))
    return [known, *taken_apart(known)]


def _called(function: Any, places: tuple[Expr, ...], x: Expr) -> Expr:
    return function(x, *places)


@cache
def changed_weight(entry: Expr) -> Theorem:
    """α_t′ = α_t(s_t − s̄) for the softmax weight of a token; ``entry`` is this derivative."""
    slope, alpha = its.token_slope, pooling_weight(t, T)
    odds, others = (exp(logit(k) + along * slope(k)) for k in (t, r))
    weight = ONE_HEAD.meaning("softmax weights", eq(alpha, alpha.unfolded()))
    each = ONE_HEAD.follows(weight, goal=eq(alpha * slope(t), weight.statement.rhs * slope(t)))
    means = added(ONE_HEAD.substituted(each, {t: r}), r)
    mean_slope = total(pooling_weight(r, T) * slope(r), r)
    known = [*moved(odds / total(others, r), 1, entry), weight, means, *taken_apart(means)]
    return ONE_HEAD.follows(*known, goal=eq(entry, alpha * (slope(t) - mean_slope)))


def carried_out(before: Expr, after: Expr) -> Decision:
    """SymPy's derivative, term by term in finite sums."""
    return Decision(True if before.doit(deep=False) == after else None, "SymPy's derivative")
