"""Truth at a point where SymPy does not evaluate by itself: balls and tables decide."""

import pytest
import sympy as sp
from sympy import Eq, Ge, Gt, Le, Lt, Ne

from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.evaluation import special_cases, truth

LESS, MORE = (sp.log(2), sp.Integer(1)), (sp.log(3), sp.Integer(1))


@pytest.mark.parametrize(
    ("relation", "below", "above"),
    [
        (Lt, True, False),
        (Le, True, False),
        (Gt, False, True),
        (Ge, False, True),
        (Eq, False, False),
        (Ne, True, True),
    ],
)
def test_numbers_are_compared_by_their_true_values(relation, below, above):
    assert truth(relation(*LESS, evaluate=False), {}) is below
    assert truth(relation(*MORE, evaluate=False), {}) is above


@pytest.mark.parametrize(("relation", "met"), [(Lt, False), (Le, True), (Ge, True), (Ne, False)])
def test_equal_sides(relation, met):
    assert truth(relation(sp.sqrt(8), 2 * sp.sqrt(2), evaluate=False), {}) is met


class TestAlternatives:
    """Of two alternatives one is enough, be the other one false or unknown."""

    yes, no = Lt(*LESS, evaluate=False), Lt(*MORE, evaluate=False)
    unknown = Gt(sp.atan(sp.S(1) / 2) + sp.atan(sp.S(1) / 3), sp.pi / 4, evaluate=False)  # equal

    @pytest.mark.parametrize(
        ("one", "other", "answer"),
        [
            (yes, no, True),
            (yes, unknown, True),
            (no, unknown, None),
            (no, Gt(1, 2, evaluate=False), False),
        ],
    )
    def test_of_numbers(self, one, other, answer):
        assert truth(sp.Or(one, other, evaluate=False), {}) is answer
        assert truth(sp.Implies(sp.Not(one, evaluate=False), other, evaluate=False), {}) is answer

    @pytest.mark.parametrize(("one", "answer"), [(yes, True), (no, False), (unknown, None)])
    def test_beside_one_that_holds_a_part_decides_a_conjunction(self, one, answer):
        both = sp.And(one, Gt(2, 1, evaluate=False), evaluate=False)
        assert truth(both, {}) is answer

    def test_an_alternative_that_holds_is_not_rejected(self):
        """The solver does not know the logarithm of 2, and may give it any value."""
        with pytest.raises(NotProved) as found:
            follows(sp.Or(self.yes, self.no, evaluate=False), over={})
        assert found.value.answer == "undecided"


def test_special_cases_of_a_sum_have_lengths_within_their_range():
    k, n, f = *sp.symbols("k n", integer=True), sp.Function("f")
    total = sp.Sum(f(k), (k, 0, n - 1))
    for range_, lengths in ((sp.Range(2, sp.oo), [2, 3, 4]), (sp.Range(0, sp.oo), [0, 1, 2])):
        cases = special_cases({n: range_}, [Ge(total, 0)])
        assert [sizes[n] for sizes, _, _ in cases] == lengths
