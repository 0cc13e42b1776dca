"""Inferences of the chapters that were prose: each is made by the rules, and a false one is not.

The statements stand as the chapters have them; what is a premise there is a claim here.
"""

import sympy as sp
from asking import is_refused
from sympy import Abs, Eq, Function, Interval, Range, Reals, Sum, Symbol, exp, log, sqrt

from theorems.engine.rules import (
    VECTORS,
    Operator,
    Vector,
    act,
    claimed,
    follows,
    induction,
    inner,
    instance,
    norm,
)
from theorems.engine.rules.facts import (
    cauchy_schwarz,
    exponential_above_tangent,
    exponential_of_sum,
    logarithm_increases,
    logarithm_of_product,
    operator_norm,
    triangle,
)
from theorems.engine.rules.sums import by_recursion, last_term, last_vector, linear, telescoped
from theorems.engine.rules.vocabulary import opnorm, vectors

POSITIVE, NONNEGATIVE = Interval.open(0, sp.oo), Interval(0, sp.oo)
NATURAL, COUNTING = Range(0, sp.oo), Range(1, sp.oo)
LESS = sp.Rational(99, 100)
k, s = Symbol("k", integer=True), Symbol("s", integer=True)
m = Symbol("m", integer=True, nonnegative=True)
n = Symbol("n", integer=True, positive=True)
x, y = Vector("x"), Vector("y")


class TestDescent:
    """theorems/shallow_transformer/analysis/descent."""

    eta, F, E, B = sp.symbols("eta F E B", positive=True)
    over = dict.fromkeys((eta, F, E, B), POSITIVE)
    V, L = Function("V"), Function("L")

    def mean_of_losses(self, four=4):
        """(41) from (40), for any number of steps."""
        V, L, eta, F, E, B = self.V, self.L, self.eta, self.F, self.E, self.B
        drift = claimed(
            "st.eq40",
            V(s + 1) - V(s) <= -4 * eta * L(s) + 4 * eta * F * E + eta**2 * B,
            over={**self.over, s: NATURAL},
        )
        over = {**self.over, n: COUNTING}
        grown = telescoped(drift, s, V(s), n, over={n: COUNTING})
        (total,) = grown.statement.atoms(Sum)
        apart = linear(total, over=over)
        goal = Sum(L(s), (s, 0, n - 1)) / n <= V(0) / (four * eta * n) + F * E + eta * B / 4
        return follows(goal, [grown, apart], over=over, under=[V(n) >= 0])

    def test_telescoping(self):
        theorem = self.mean_of_losses()
        assert theorem.under == {self.V(n) >= 0}
        assert {trust.kind for trust in theorem.trusts} == {"claim", "definition", "solver"}
        is_refused(self.mean_of_losses, 5)

    def projected_step(self, inside=True, slack=0):
        """(21): projecting onto a ball around 0 brings a point of the ball no further away."""
        rho = Symbol("rho", positive=True)
        goal = norm(rho / norm(x) * x - y) ** 2 <= norm(x - y) ** 2 - slack
        under = [norm(x) > rho, norm(y) <= rho if inside else norm(y) <= 2 * rho]
        over = {x: VECTORS, y: VECTORS, rho: POSITIVE}
        return follows(goal, [cauchy_schwarz(x, y)], over=over, under=under)

    def test_projection_onto_a_ball(self):
        assert self.projected_step().grade == "proved"
        is_refused(self.projected_step, False)
        rho = Symbol("rho", positive=True)
        assert self.projected_step(True, (norm(x) - rho) ** 2)
        is_refused(self.projected_step, True, sp.Rational(201, 100) * (norm(x) - rho) ** 2)

    def test_square_before_the_projection(self):
        """The expansion in (21), in all dimensions."""
        phi, target, gradient = Vector("phi"), Vector("target"), Vector("g")
        eta = Symbol("eta", positive=True)
        left = norm(phi - eta * gradient - target) ** 2

        def right(twice):
            drift = twice * eta * inner(gradient, target - phi)
            return norm(phi - target) ** 2 + drift + eta**2 * norm(gradient) ** 2

        over = {**dict.fromkeys((phi, target, gradient), VECTORS), eta: POSITIVE}
        assert follows(Eq(left, right(2)), over=over)
        is_refused(lambda: follows(Eq(left, right(1)), over=over))

    def from_the_parts(self, factor=2):
        """(36), one sample: 2r(-r + e) <= -2r^2 + 2FE."""
        r, e = sp.symbols("r e", real=True)
        over = {r: Reals, e: Reals, self.F: POSITIVE, self.E: POSITIVE}
        under = [Abs(r) <= self.F, Abs(e) <= self.E]
        return follows(
            2 * r * (e - r) <= factor * self.F * self.E - 2 * r**2, over=over, under=under
        )

    def test_from_the_parts(self):
        assert self.from_the_parts()
        is_refused(self.from_the_parts, 2 * LESS)

    def with_the_root_of_the_loss(self, two=2):
        """(36) sharpened: the mean of 2r(-r + e) is at most -2L + 2 sqrt(L) E, for any n."""
        r, e = Function("r", real=True), Function("e", real=True)
        E = Symbol("E", nonnegative=True)
        each = claimed("errors", Abs(e(k)) <= E, over={k: NATURAL, E: NONNEGATIVE})

        def total(term, length):
            return Sum(term, (k, 0, length - 1))

        products = total(r(k) * e(k), m) ** 2 <= total(r(k) ** 2, m) * total(e(k) ** 2, m)
        general = by_recursion(
            sp.And(products, total(e(k) ** 2, m) <= m * E**2),
            m,
            premises=[instance(each, {k: m}, over={m: NATURAL})],
            over={E: NONNEGATIVE},
        )
        over = {n: COUNTING, E: NONNEGATIVE}
        apart = linear(total(r(k) * (e(k) - r(k)), n), over=over)
        L = total(r(k) ** 2, n) / n
        goal = 2 * total(r(k) * (e(k) - r(k)), n) / n <= -2 * L + two * sqrt(L) * E
        return follows(goal, [instance(general, {m: n}, over=over), apart], over=over)

    def test_cauchy_schwarz_for_any_number_of_samples(self):
        theorem = self.with_the_root_of_the_loss()
        assert not any(trust.kind == "textbook" for trust in theorem.trusts)
        is_refused(self.with_the_root_of_the_loss, 2 * LESS)

    def gradient(self, four=4):
        """(39) sharpened: |2/n sum r_j g_j|^2 <= 4 A^2 L for |g_j| <= A; x(j) is r_j g_j."""
        terms, r = vectors("x"), Function("r", real=True)
        A = Symbol("A", nonnegative=True)
        each = claimed(
            "lengths", norm(terms(k)) <= A * Abs(r(k)), over={k: NATURAL, A: NONNEGATIVE}
        )
        shorter = Sum(terms(k), (k, 0, m - 1))
        goal = norm(shorter) <= A * Sum(Abs(r(k)), (k, 0, m - 1))
        step = [
            triangle(shorter, terms(m), over={m: NATURAL}),
            last_vector(Sum(terms(k), (k, 0, m)), over={m: NATURAL}),
            last_term(Sum(Abs(r(k)), (k, 0, m)), over={m: NATURAL}),
            instance(each, {k: m}, over={m: NATURAL}),
        ]
        lengths = induction(goal, m, 0, step=step, over={A: NONNEGATIVE})
        squares = Sum(Abs(r(k)), (k, 0, m - 1)) ** 2 <= m * Sum(r(k) ** 2, (k, 0, m - 1))
        over = {n: COUNTING, A: NONNEGATIVE}
        parts = [lengths, by_recursion(squares, m)]
        at_n = [instance(one, {m: n}, over={n: COUNTING}) for one in parts]
        loss = Sum(r(k) ** 2, (k, 0, n - 1)) / n
        whole = norm(Sum(terms(k), (k, 0, n - 1)))
        return follows((2 * whole / n) ** 2 <= four * A**2 * loss, at_n, over=over)

    def test_convexity_of_the_square_for_vectors(self):
        theorem = self.gradient()
        names = {trust.name for trust in theorem.trusts if trust.kind == "textbook"}
        assert names == {"triangle inequality"}
        is_refused(self.gradient, 4 * LESS)


class TestGradientIndependence:
    """theorems/eoc_mlp/one_layer/gradient_independence/best_bound.py, Proposition 17."""

    def bound(self, constant=4):
        epsilon, Delta, rho = sp.symbols("epsilon Delta rho", real=True)
        M, first, second = Operator("M"), Vector("e_plus"), Vector("e_minus")
        images = [inner(e, act(M, e)) for e in (first, second)]
        root = Delta * 2 / sp.pi * sqrt(1 - rho**2)
        over = {epsilon: Reals, Delta: Interval(0, 1), rho: Interval(-1, 1)}
        over |= {M: M.belongs_to, first: VECTORS, second: VECTORS}
        under = [
            Eq(epsilon, root * (images[0] - images[1])),
            Eq(norm(first), 1),
            Eq(norm(second), 1),
        ]
        facts = [fact for e in (first, second)
                 for fact in (cauchy_schwarz(e, act(M, e)), operator_norm(M, e))]  # fmt: skip
        goal = Abs(epsilon) <= Delta * constant / sp.pi * sqrt(1 - rho**2) * opnorm(M)
        return follows(goal, facts, over=over, under=under)

    def test_bound(self):
        assert self.bound()
        is_refused(self.bound, 4 * LESS, answer="undecided")

    def test_bound_in_numbers(self):
        """The same with q+ and q- as numbers: here the false constant has a witness."""
        epsilon, Delta, rho, plus, minus, M = sp.symbols("epsilon Delta rho q_+ q_- M", real=True)
        over = dict.fromkeys((epsilon, plus, minus, M), Reals)
        over |= {Delta: Interval(0, 1), rho: Interval(-1, 1)}
        root = Delta / sp.pi * sqrt(1 - rho**2)
        under = [Eq(epsilon, 2 * root * (plus - minus)), Abs(plus) <= M, Abs(minus) <= M]
        assert follows(Abs(epsilon) <= 4 * root * M, over=over, under=under)
        found = is_refused(
            lambda: follows(Abs(epsilon) <= 4 * LESS * root * M, over=over, under=under)
        )
        assert found.witness[epsilon].has(sp.pi)


class TestLayers:
    """theorems/eoc_mlp/all_layers/norms/concentration.py, and cosines/iterates.py."""

    epsilon = Symbol("epsilon", nonnegative=True)

    def products(self, upper=1, lower=1):
        """Ratios 1 + u, |u| <= epsilon/k: the product is in [1 - epsilon H, e^(epsilon H)]."""
        size, u, epsilon = Function("x", real=True), Function("u", real=True), self.epsilon
        over = {epsilon: Interval(0, 1)}
        ratio = sp.And(Eq(size(k + 1), size(k) * (1 + u(k))), Abs(u(k)) <= epsilon / (k + 1))
        each = instance(claimed("(8)", ratio, over={**over, k: NATURAL}), {k: m}, over={m: NATURAL})
        H, longer = (Sum(1 / (k + 1), (k, 0, end)) for end in (m - 1, m))
        both = {**over, m: NATURAL}
        facts = [
            exponential_above_tangent(epsilon / (m + 1), over=both),
            exponential_of_sum(
                upper * epsilon * longer, upper * epsilon * H, upper * epsilon / (m + 1), over=both
            ),
        ]
        start = [Eq(size(0), 1)]
        above = by_recursion(
            sp.And(size(m) <= exp(upper * epsilon * H), size(m) >= 0),
            m, premises=[each, *facts], over=over, under=start,
        )  # fmt: skip
        below = sp.And(size(m) >= 1 - lower * epsilon * H, H >= 0)
        return above, by_recursion(below, m, premises=[each, above], over=over, under=start)

    def test_products_of_ratios(self):
        assert self.products()
        is_refused(self.products, LESS, answer="undecided")
        is_refused(self.products, 1, LESS)

    def sum_the_potential(self, factor=1):
        """w - a log w grows by c at least, so w_k >= w + ck + a log(1 + ck/w)."""
        a, c = sp.symbols("a c", positive=True)
        w = Function("w", real=True)
        over = {a: POSITIVE, c: POSITIVE}

        def potential(index):
            return w(index) - a * log(w(index))

        each = claimed(
            "eoc.omega.potential",
            sp.And(potential(k + 1) - potential(k) >= c, w(k + 1) - w(k) >= c, w(k) > 1),
            over={**over, k: NATURAL},
        )
        step = follows(potential(k + 1) - potential(k) >= c, [each], over={**over, k: NATURAL})
        sizes = follows(w(k + 1) - w(k) >= c, [each], over={**over, k: NATURAL})
        at = {**over, m: NATURAL}
        grown = [telescoped(one, k, term, m, over={m: NATURAL})
                 for one, term in ((step, potential(k)), (sizes, w(k)))]  # fmt: skip
        count = by_recursion(Eq(Sum(c, (k, 0, m - 1)), c * m), m, over={c: POSITIVE})
        positive = [instance(each, {k: 0}), instance(each, {k: m}, over={m: NATURAL})]
        alive = [w(0) > 1, w(m) > 1]
        ratio = 1 + c * m / w(0)
        compared = logarithm_increases(ratio, w(m) / w(0), over=at, under=[*alive, ratio > 0])
        split = logarithm_of_product(w(m) / w(0), w(0), over=at, under=alive)
        goal = w(m) >= w(0) + c * m + factor * a * log(1 + c * m / w(0))
        return follows(goal, [*grown, count, *positive, compared, split], over=at)

    def test_growth_with_the_logarithm(self):
        assert self.sum_the_potential()
        is_refused(self.sum_the_potential, sp.Rational(3, 2), answer="undecided")
