"""Facts about vectors and the like that are tried at finite models, before they are taken."""

import pytest
import sympy as sp
from sympy import Eq, Symbol, exp
from trying import each

from theorems.engine.rules import (
    EVENTS,
    OPERATORS,
    RANDOM,
    VECTORS,
    E,
    Event,
    NotProved,
    Operator,
    P,
    Random,
    Vector,
    act,
    facts,
    inner,
    instance,
    norm,
    normal_variables,
    probabilities,
)
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.models import Tried
from theorems.engine.rules.vocabulary import independent, opnorm, vectors

u, v, M, K = Vector("u"), Vector("v"), Operator("M"), Operator("K")
X, Y, A = Random("X"), Random("Y"), Event("A")
t, n = Symbol("t", nonnegative=True), Symbol("n", integer=True)
OVER = {u: VECTORS, v: VECTORS, M: OPERATORS, K: OPERATORS, X: RANDOM, Y: RANDOM, A: EVENTS}
OVER |= {t: sp.Interval(0, sp.oo), n: sp.Range(1, sp.oo)}
KNOWN = [
    one
    for module in (facts, probabilities, normal_variables)
    for one in vars(module).values()
    if isinstance(one, facts.Fact)
]


@pytest.mark.parametrize("fact", KNOWN, ids=[one.name for one in KNOWN])
def test_facts_of_the_library_are_borne_out(fact):
    over = {x: getattr(x, "belongs_to", sp.Reals) for x in fact.letters} | dict(fact.ranges)
    assert Tried(fact.statement, fact.under, over).standing_for_something == set()


@each(
    "statement, named",
    (Eq(norm(v), 1), {v}),
    (Eq(norm(v), t), {v, t}),
    (Eq(inner(u, v), 0), {v}),
    (sp.Ge(norm(u + v), norm(u) + norm(v)), {v}),
    (Eq(norm(act(M, u)), norm(u)), {M}),
    (Eq(inner(u, act(K, v)), inner(act(M, u), act(M, v))), {K, M}),
    (sp.And(Eq(norm(act(M, u)), opnorm(M)), Eq(norm(u), 1)), {M, u}),
    (Eq(norm(act(M, u)), opnorm(M) * norm(u)), {M}),
    (Eq(opnorm(M), 1), {M}),
    (Eq(E(X**2), 1), {X}),
    (Eq(E(X * Y), E(X) * E(Y)), {Y}),
    (Eq(E(exp(t * X)), exp(t**2)), {X}),
    (Eq(P(A), sp.Rational(1, 2)), {A}),
    (norm(t * u) <= t * norm(u), set()),
    (Eq(norm(vectors("x")(n)), norm(u)), {u, vectors("x")}),
    (sp.Function("f")(n) <= t, {sp.Function("f")}),
    (sp.Function("f")(n) ** 2 >= sp.Function("f")(n + 0) ** 2 - t, set()),
)
def test_letters_that_stand_for_something(statement, named):
    assert Tried(statement, (), OVER).standing_for_something == named


def test_conditions_are_met():
    product, both = Eq(E(X * Y), E(X) * E(Y)), (independent(X, Y),)
    assert Tried(product, both, OVER).standing_for_something == set()


def test_an_existing_vector_is_no_other_one():
    unit = textbook("let v be a unit vector", Eq(norm(v), 1), over={v: VECTORS})
    with pytest.raises(NotProved, match="v may not be u: let v be a unit vector"):
        instance(unit, {v: u}, over={u: VECTORS})


def test_a_matrix_may_stand_for_one_while_vectors_vary():
    isometry = textbook("M keeps lengths", Eq(norm(act(M, u)), norm(u)), over={u: VECTORS, M: OPERATORS})
    assert instance(isometry, {u: v}, over={v: VECTORS}).statement == Eq(norm(act(M, v)), norm(v))
    with pytest.raises(NotProved, match="M may not be K"):
        instance(isometry, {M: K}, over={K: OPERATORS})


def test_a_fact_about_all_vectors_must_hold_for_all():
    reversed_ = sp.Ge(norm(u + v), norm(u) + norm(v))
    over = {u: VECTORS, v: VECTORS}
    with pytest.raises(NotProved, match="is false for some of what"):
        textbook("reversed", reversed_, over=over, own=[u, v])
    assert textbook("of one direction", reversed_, over=over).trusts
    assert textbook("triangle", norm(u + v) <= norm(u) + norm(v), over=over, own=[u, v])
