"""What vectors, random variables and events are, and how products, lengths and means expand."""

import numpy as np
import pytest
import sympy as sp
from sympy import Abs, Eq, Function, Symbol
from sympy.core.cache import clear_cache
from trying import each
from worlds import World

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
    follows,
    inner,
    norm,
)
from theorems.engine.rules.on_a_line import as_numbers
from theorems.engine.rules.vocabulary import (
    belongs,
    chi_squared,
    components,
    density,
    events,
    independent,
    kolmogorov,
    normal,
    opnorm,
    randoms,
    vectors,
)

u, v, w = Vector("u"), Vector("v"), Vector("w")
M, X, Y, A, B = Operator("M"), Random("X"), Random("Y"), Event("A"), Event("B")
c, d, x = sp.symbols("c d x", real=True)
k, n = sp.symbols("k n", integer=True)


class TestWhatIsKnown:
    @each("size", norm(u), opnorm(M), P(A), P(X > 1), inner(u, u))
    def test_sizes_are_not_negative_and_may_be_zero(self, size):
        assert size.is_real is True
        assert size.is_nonnegative is True
        assert size.is_positive is None

    @each("number", inner(u, v), E(X), X, randoms("W")(k))
    def test_other_numbers_may_have_any_sign(self, number):
        assert number.is_real is True
        assert number.is_nonnegative is None

    @each("one", u, act(M, u), vectors("x")(k))
    def test_vectors_are_no_numbers_but_commute(self, one):
        assert one.is_real is None
        assert one * c == c * one
        assert one * w == w * one


class TestExpansions:
    """Made anew in each test: SymPy remembers what it has expanded before."""

    @pytest.fixture(autouse=True)
    def _afresh(self):
        clear_cache()

    def test_products_are_linear(self):
        cases = [
            lambda: (inner(v, u), inner(u, v)),
            lambda: (inner(-u, v), -inner(u, v)),
            lambda: (inner(c * u + v, w), c * inner(u, w) + inner(v, w)),
            lambda: (inner(u - v, u + v), inner(u, u) - inner(v, v)),
            lambda: (inner(2 * u, 3 * u), 6 * inner(u, u)),
            lambda: (inner(inner(u, v) * w, w), inner(u, v) * inner(w, w)),
            lambda: (inner(norm(v) * u, w), norm(v) * inner(u, w)),
            lambda: (inner(u - u, v), 0),
            lambda: (act(M, u - u), 0),
            lambda: (act(M, c * u), c * act(M, u)),
        ]
        for both in cases:
            product, expanded = both()
            assert sp.expand(product - expanded) == 0

    def test_common_factors_come_out_of_lengths(self):
        cases = [
            lambda: (norm(u - u), 0),
            lambda: (norm(-u), norm(u)),
            lambda: (norm(c * u), Abs(c) * norm(u)),
            lambda: (norm(2 * u + 4 * v), 2 * norm(u + 2 * v)),
            lambda: (norm(-u / 3 - v / 3), norm(u + v) / 3),
            lambda: (norm(c * u - c * v), Abs(c) * norm(u - v)),
        ]
        for both in cases:
            length, value = both()
            assert length == value

    @each("vector", u + 2 * v, c * u + d * v, 2 * u + sp.sqrt(3) * v)
    def test_other_factors_stay(self, vector):
        assert norm(vector).args == (vector,)

    def test_the_square_of_a_length(self):
        assert norm(u + v).square == inner(u, u) + 2 * inner(u, v) + inner(v, v)

    def test_means_are_linear(self):
        cases = [
            lambda: (E(sp.S.Zero), 0),
            lambda: (E(sp.S.One), 1),
            lambda: (E(c), c),
            lambda: (E(2 * X + 3), 2 * E(X) + 3),
            lambda: (E((X + Y) ** 2), E(X**2) + 2 * E(X * Y) + E(Y**2)),
            lambda: (E(P(A) * X), P(A) * E(X)),
            lambda: (E(E(X) * Y - E(X * Y)), E(X) * E(Y) - E(X * Y)),
            lambda: (E(X - X), 0),
        ]
        for both in cases:
            mean, value = both()
            assert mean == value

    @each("ends", (0, sp.oo), (-sp.oo, 0))
    def test_the_mean_of_an_infinite_sum_stays(self, ends):
        total = sp.Sum(randoms("W")(k), (k, *ends))
        assert E(total).args == (total,)

    def test_the_mean_of_a_finite_sum_is_the_sum_of_the_means(self):
        W = randoms("W")
        total = sp.Sum(W(k), (k, 0, n))
        assert E(3 * total + X) == 3 * sp.Sum(E(W(k)), (k, 0, n)) + E(X)


class TestComponents:
    def test_each_vector_once_with_its_number(self):
        total = sp.Sum(vectors("x")(k), (k, 0, n))
        assert components(u + c * u - v) == {u: 1 + c, v: -1}
        assert components(total - 2 * act(M, u)) == {total: 1, act(M, u): -2}
        assert components(inner(u, v) * w + norm(u) * w) == {w: inner(u, v) + norm(u)}

    @each("wrong", u * v, c, u + 1, u * act(M, v), 1 / u, sp.sin(u) * v)
    def test_what_is_no_vector(self, wrong):
        with pytest.raises(TypeError, match="a vector must be"):
            components(wrong)


class TestBelongs:
    MEMBERS = (
        (VECTORS, [u, u - 2 * v, act(M, u), norm(u) * v]),
        (OPERATORS, [M]),
        (RANDOM, [X, X**2 + c, sp.exp(X), E(X) * Y]),
        (EVENTS, [A, c < X, (X > 1) & (Y > 1), sp.Or(A, B), ~A]),
    )

    @each("objects, members", *MEMBERS)
    def test_the_members(self, objects, members):
        for one in members:
            assert belongs(one, objects) is True

    def test_others(self):
        cases = [
            (u, RANDOM),
            (X, VECTORS),
            (u, OPERATORS),
            (M, VECTORS),
            (M, RANDOM),
            (A, RANDOM),
            (X > 1, RANDOM),
            (X, EVENTS),
            (Symbol("A"), EVENTS),
            (c, EVENTS),
            (u * v, VECTORS),
        ]
        for value, objects in cases:
            assert belongs(value, objects) is False


class TestOnALine:
    """Vectors of a line and constant random variables are a special case: it may refute."""

    STATEMENTS = (
        inner(u, v) ** 2 <= inner(u, u) * inner(v, v),
        norm(u + v) <= norm(u) - norm(v),
        norm(act(M, u)) <= opnorm(M) * norm(v),
        E(X * Y) >= E(X) + E(Y) ** 2,
        P(c <= X) <= E(Abs(X)),
    )

    @each("statement", *STATEMENTS)
    def test_the_special_case_is_one(self, statement):
        """Its truth is that of the statement for vectors (a, 0) and constants."""
        special = as_numbers(statement)
        letters = sorted(statement.free_symbols, key=str)
        seen = set()
        for seed in range(40):
            world = World([], seed)
            numbers = {one: world.draw.choice([-2, -1, 0, 1, 3]) for one in letters}
            for one, value in numbers.items():
                world.values[one] = embedded(one, value)
            there = {Symbol(one.name, real=True): value for one, value in numbers.items()}
            seen.add(bool(world.value(statement)))
            assert bool(special.subs(there)) is bool(world.value(statement))
        assert True in seen

    def test_events_and_independence(self):
        assert as_numbers(A) == (Symbol("A", real=True) > 0)
        assert as_numbers(independent(X, Y)) == sp.true
        zeros = (sp.Eq(as_numbers(one), 0) for one in (X, Y))
        assert as_numbers(normal(X, Y)) == sp.And(*zeros)
        assert as_numbers(chi_squared(X, 1)) == sp.false
        assert as_numbers(density(X, x, x, sp.Interval(0, 1))) == sp.false
        assert as_numbers(kolmogorov(X, X)) == 0
        assert as_numbers(P(A)) == sp.Piecewise((1, Symbol("A", real=True) > 0), (0, True))

    def test_families_become_functions(self):
        W = Function("W", real=True)
        assert as_numbers(E(randoms("W")(k)) > x) == (W(k) > x)
        assert as_numbers(Eq(inner(vectors("W")(k), u), 0)) == Eq(W(k) * Symbol("u", real=True), 0)


def embedded(letter, value):
    """A number as a vector of the plane, an operator or a random variable."""
    if isinstance(letter, Vector):
        return np.array([value, 0])
    if isinstance(letter, Operator):
        return np.array([[value, 0], [0, 0]])
    return [value] * 4 if isinstance(letter, Random) else value


def test_families_are_of_their_kind():
    assert vectors("x")(k).belongs_to == VECTORS
    assert randoms("x")(k).belongs_to == RANDOM
    assert events("x")(k).belongs_to == EVENTS
    assert vectors("y")(k).is_commutative is True
    assert randoms("y")(k).is_real is True
    assert vectors("x") != Function("x")
    assert randoms("x") != Function("x", real=True)
    assert vectors("x")(k) != randoms("x")(k)


def test_printing():
    assert sp.latex(act(M, u)) == "M u"
    assert sp.latex(independent(X, Y)) == r"X, Y \text{ independent}"
    assert sp.latex(normal(X)) == r"X \text{ centred and normal}"
    assert sp.latex(normal(X, Y)) == r"X, Y \text{ centred and jointly normal}"


def test_a_special_case_refutes_only_where_it_is_refuted_itself():
    with pytest.raises(NotProved) as found:
        follows(norm(u) >= 1, over={u: VECTORS})
    assert found.value.answer == "rejected"
    assert "fails at u = -1/2" in found.value.why
    with pytest.raises(NotProved) as found:  # true, and the solver does not know the sine
        follows(sp.sin(norm(u)) <= norm(u), over={u: VECTORS})
    assert found.value.answer == "undecided"
