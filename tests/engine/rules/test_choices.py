"""What facts choose, and what may still be said: neighbours of the hostile mistakes."""

import pytest
import sympy as sp
from sympy import Eq, Function, Range, Symbol, oo
from trying import each

from theorems.engine.rules import (
    OPERATORS,
    RANDOM,
    VECTORS,
    E,
    NotProved,
    Operator,
    P,
    Random,
    Vector,
    act,
    facts,
    follows,
    inner,
    instance,
    norm,
)
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.meanings import largest, meaning
from theorems.engine.rules.normal_variables import fourth_moment
from theorems.engine.rules.principles import drawn
from theorems.engine.rules.vocabulary import normal, opnorm, vectors

u, v, A, R, X = Vector("u"), Vector("v"), Operator("A"), Random("R"), Random("X")
size, top = Symbol("size", nonnegative=True), Symbol("top", nonnegative=True)
k = Symbol("k", integer=True, nonnegative=True)
f, x = Function("f", real=True), vectors("x")
LENGTHS = sp.Interval(0, oo)
OVER = {u: VECTORS, v: VECTORS, A: OPERATORS, R: RANDOM, X: RANDOM}
OVER |= {size: LENGTHS, top: LENGTHS, k: Range(oo)}


def fact(statement, *under):
    used = statement.free_symbols.union(*(one.free_symbols for one in under))
    over = {y: OVER[y] for y in used}
    return textbook("a fact", statement, over=over, under=under)


def meant(statement, rule=meaning):
    over = {y: OVER[y] for y in statement.free_symbols}
    return rule("a meaning", statement, over=over, about=[size, top])


def chosen(theorem):
    return set().union(*(one.chosen for one in theorem.trusts))


@each(
    "statement, some",
    (Eq(norm(v), 1), {v}),
    (norm(u + v) <= norm(u) + norm(v), set()),
    (opnorm(A) <= 1, {A}),
    (sp.And(Eq(norm(v), 1), Eq(norm(act(A, v)), opnorm(A))), {v}),
    (sp.And(Eq(norm(v), 1), Eq(inner(u, v), norm(u))), {v}),
    (Eq(E(R), 1), {R}),
    (Eq(E(R) * size, size * E(R)), set()),
    (f(k) <= 1, {f}),
    (f(k) <= 10**6, {f}),
    (sp.Ge(f(k) ** 2, 2 * f(k) - 1), set()),
    (norm(x(k)) <= 1, {x}),
    (norm(x(k) + u) <= norm(x(k)) + norm(u), set()),
    (Eq(sp.Sum(f(k), (k, 1, 3)), 1), {f}),
    (Eq(sp.Sum(f(k), (k, 1, 3)), f(1) + f(2) + f(3)), set()),
)
def test_what_a_fact_chooses(statement, some):
    assert chosen(fact(statement)) == some


def test_a_norm_is_attained_at_vectors_that_are_found_for_the_matrix():
    attained = facts.norm_attained(A, u, v)
    named = meant(Eq(size, opnorm(A)))
    goal = Eq(inner(u, act(A, v)), size)
    assert follows(goal, [attained, named], over={y: OVER[y] for y in (A, u, v, size)})


def test_a_letter_is_the_largest_of_all_that_could_be_found():
    unit, named = fact(Eq(norm(v), 1)), meant(norm(v) <= top, largest)
    assert follows(top >= 1, [unit, named], over={top: LENGTHS, v: VECTORS}).grade == "proved"


def test_a_moment_is_known_for_every_variable_with_the_law():
    law = meant(sp.And(normal(R), Eq(E(R**2), 1)))
    named = meant(Eq(size, E(R**4)))
    known = [law, named, fourth_moment(R)]
    assert follows(Eq(size, 3), known, over={size: LENGTHS, R: RANDOM})


def test_a_fact_that_holds_for_all_families_says_it_of_any():
    product = facts.triangle(x(k), u, over={k: Range(oo)})
    there = instance(product, {k: 0})
    named = meant(Eq(size, norm(x(0) + u)))
    goal = size <= norm(x(0)) + norm(u)
    assert follows(goal, [there, named], over={size: LENGTHS, u: VECTORS})


def test_what_is_drawn_lies_where_its_values_lie():
    schwarz = facts.positive_definite(u)
    surely = drawn(schwarz, {inner(u, u): R}, u)
    assert surely.statement == Eq(P(R >= 0), 1)
    with pytest.raises(NotProved, match="stands for two things"):
        follows(sp.true, [surely, drawn(facts.positive_definite(v), {inner(v, v): R}, v)], over={})


def test_what_is_drawn_must_not_occur_otherwise():
    with pytest.raises(ValueError, match="must occur in"):
        drawn(facts.triangle(u, v), {norm(u): R}, u)


def test_a_function_that_is_found_is_no_other_one():
    some = fact(f(k) <= 1)
    with pytest.raises(NotProved, match="found twice"):
        follows(sp.true, [some, fact(2 * f(k) >= 1)], over={k: Range(oo)})
