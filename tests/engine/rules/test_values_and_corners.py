"""What has no value, no derivative or no number of terms, and what stands for two things."""

import pytest
import sympy as sp
from sympy import Derivative, Function, Integer, Integral, Interval, Reals, Sum, log, sign

from symbolic.derivation import Derivation, Step
from theorems.engine.rules import NotProved, defined, derived, enclosed, follows, instance
from theorems.engine.rules.certificates import covered
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.meanings import largest
from theorems.engine.rules.principles import jensen_for_sums, supremum
from theorems.engine.rules.sums import last_vector
from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.relations import gt, le

x, y, s, top = sp.symbols("x y s top", real=True)
j, k, n = sp.symbols("j k n", integer=True)
AROUND, POSITIVE, COUNTS = Interval(-1, 1), Interval(1, 2), sp.Range(sp.oo)


def chain(start, end, **more):
    return derived(Derivation("a chain", "", start, [Step(end, "so it is")], **more))


class TestValues:
    def test_what_cancels_in_a_cover_must_have_a_value(self):
        claimed = le(log(x), log(x) + 1)
        with pytest.raises(NotProved):
            covered(claimed, over={x: AROUND})
        assert covered(claimed, over={x: POSITIVE}).statement == claimed

    def test_what_cancels_between_numbers_must_be_real(self):
        with pytest.raises(TypeError, match="ImaginaryUnit"):
            enclosed(gt(sp.sqrt(-2) + 1, sp.sqrt(-2)))
        assert enclosed(gt(log(2) + 1, log(2)))

    def test_a_defined_function_has_no_sign(self):
        f = Function("f", nonnegative=True)
        with pytest.raises(ValueError, match="without assumptions"):
            defined(f(x), x - 1, over={x: AROUND})


class TestSums:
    def test_a_vector_sum_has_one_index_between_integers(self):
        v = vectors("v")
        for total in (Sum(v(k, j), (k, 0, n), (j, 0, 2)), Sum(v(k), (k, 0, x))):
            with pytest.raises(TypeError, match="one index between integers"):
                last_vector(total, over={n: COUNTS, j: COUNTS, x: POSITIVE})

    def test_the_terms_of_a_mean_have_values(self):
        convex = textbook("2 >= 0", sp.true, over={x: Reals})
        with pytest.raises(NotProved):
            jensen_for_sums(convex, x**2, x, 1 / k, k, n, over={n: sp.Range(1, sp.oo)})
        assert jensen_for_sums(convex, x**2, x, 1 / (k + 1), k, n, over={n: sp.Range(1, sp.oo)})


class TestSuprema:
    BELOW = follows(le(-(x**2), 0), over={x: AROUND})

    def test_a_letter_is_one_supremum(self):
        first = supremum(self.BELOW, top, over={top: Reals})
        second = largest("the largest square", le(x**2, top), over={x: AROUND, top: Reals})
        with pytest.raises(NotProved, match="two extremes"):
            follows(le(x**2, 0), [first, second], over={x: AROUND})

    def test_what_is_said_in_the_same_words_is_one(self):
        first = supremum(self.BELOW, top, over={top: Reals}, what="the largest")
        second = largest("the largest", le(-(x**2), top), over={x: AROUND, top: Reals})
        assert follows(le(-(x**2), 0), [first, second], over={x: AROUND})

    def test_another_letter_that_is_put_in_is_the_supremum(self):
        first = instance(supremum(self.BELOW, top, over={top: Reals}), {top: y}, over={y: Reals})
        (leaf,) = (one for one in first.trusts if one.kind == "meaning")
        assert (leaf.extremes, leaf.detail) == ({y}, "it is y")


class TestDerivatives:
    @pytest.mark.parametrize(
        ("start", "end"),
        [
            (Derivative(sp.Abs(x), x), sign(x)),
            (Derivative(sp.Piecewise((0, x < 0), (1, True)), x), Integer(0)),
            (Derivative(Integral(sign(s), (s, -1, x)), x), sign(x)),
        ],
    )
    def test_there_is_none_at_a_corner(self, start, end):
        with pytest.raises(NotProved, match="corner"):
            chain(start, end)

    def test_there_is_one_beside_the_corner(self):
        assert chain(Derivative(sp.Abs(x), x), sign(x), domain={x: Interval.open(0, 1)})

    def test_what_an_abbreviation_stands_for_is_spelled_out(self):
        for start, end, meaning in ((Derivative(s, x), 2 * x, x**2), (Sum(s, (k, 1, 2)), Integer(5), k**2)):
            with pytest.raises(ValueError, match="must spell it out"):
                chain(start, end, where={s: meaning})
        assert chain(Derivative(x**2, x), 2 * x, where={s: x**2})

    def test_also_inside_of_another_abbreviation(self):
        with pytest.raises(ValueError, match="must spell it out"):
            chain(Derivative(s, x), Integer(0), where={s: y + 1, y: x**2})
