"""Numbers that checks answer with: where a violation begins, where rounding drowns it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from trying import each

from theorems.engine import Answer, Discrepancy, Measured
from theorems.engine.judging.answers import Compared, brief, plain


class TestDecisions:
    def test_three_values_are_translated(self):
        assert [Answer.of(one) for one in (True, False, None)] == [
            Answer.ACCEPTED,
            Answer.REJECTED,
            Answer.UNDECIDED,
        ]

    @each("strange", 1, 0, "True", np.True_, [True])
    def test_nothing_else_is(self, strange):
        with pytest.raises(TypeError, match="a decision must be True, False or None"):
            Answer.of(strange)


class TestMeasured:
    @each(
        "ratio, rounding, violates",
        (1, 0, False),
        (1.5, 0.5, False),
        (1.5, 0.25, True),
        (0.5, 0, False),
        (2, 0, True),
    )
    def test_more_than_rounding_above_one_violates(self, ratio, rounding, violates):
        assert Measured(ratio, rounding).violates is violates

    @each("ratio", math.inf, math.nan, -math.inf)
    def test_what_is_not_finite_violates_nothing(self, ratio):
        assert Measured(ratio).violates is False

    @each(
        "ratio, rounding, drowned",
        (0.5, 0.0, False),
        (0.5, 0.0099, False),
        (0.5, 0.01, True),
        (3, 1, False),
        (0.5, 1, True),
    )
    def test_a_rounding_of_a_hundredth_drowns_what_does_not_violate(self, ratio, rounding, drowned):
        assert Measured(ratio, rounding).drowned is drowned

    def test_without_a_rounding_it_is_exact(self):
        assert Measured(0.5).rounding == 0


class TestDiscrepancies:
    def test_more_than_is_allowed_violates(self):
        cases = [(0, 0, False), (1, 1, False), (-1, 1, False), (1, 0.5, True), (-1, 0.5, True),
         (math.inf, 1, False), (math.nan, 1, False)]  # fmt: skip
        for error, allowed, violates in cases:
            assert Discrepancy(error, allowed).violates is violates

    def test_an_allowance_beyond_a_hundredth_of_the_size_drowns(self):
        cases = [
            (0, 0.01, 1, False),
            (0, 0.011, 1, True),
            (1, 0.5, 1, False),
            (0, 0.5, 100, False),
            (0, 2, 100, True),
            (0, 0, 0, False),
            (0, 1e-9, 0, True),
        ]
        for error, allowed, size, drowned in cases:
            assert Discrepancy(error, allowed, size).drowned is drowned

    def test_quantities_are_of_size_one_unless_told_otherwise(self):
        assert Discrepancy(0, 0).size == 1

    @each("size", -1, math.inf, math.nan)
    def test_a_size_is_finite_and_not_negative(self, size):
        with pytest.raises(ValueError, match=r"size must lie in \[0, infinity\)"):
            Discrepancy(0, 0, size)


class TestCompared:
    @each("answer, violates", (True, False), (False, True), (None, False))
    def test_it_violates_where_balls_say_so(self, answer, violates):
        assert Compared(answer, 0.5, 0.0, equation=False).violates is violates

    @each(
        "answer, rounding, equation, drowned",
        (None, 0.0099, False, False),
        (None, 0.01, False, True),
        (None, 0.5, True, False),
        (None, math.inf, True, True),
        (False, 1.0, False, False),
    )
    def test_an_inequality_drowns_in_a_hundredth_and_an_equation_in_its_own_measure(
        self, answer, rounding, equation, drowned
    ):
        assert Compared(answer, 0.5, rounding, equation).drowned is drowned


class TestPlainData:
    def test_what_json_knows_stays(self):
        for value in (None, True, 3, 0.5, "a\n b"):
            assert plain(value) is value

    def test_arrays_and_their_numbers_become_lists_and_numbers(self):
        assert plain({"array": np.array([1.0, 2.0]), "number": np.float64(0.5)}) == {
            "array": [1.0, 2.0],
            "number": 0.5,
        }

    def test_the_rest_becomes_text(self):
        assert plain({1: (Fraction(1, 2), [math.nan, -math.inf])}) == {
            "1": ["1/2", ["nan", "-inf"]]
        }

    @each("length, kept", (300, 300), (301, 297))
    def test_a_long_line_is_cut(self, length, kept):
        assert brief("a" * length) == "a" * kept + "..." * (kept < length)
        assert len(brief("a" * length)) == 300

    def test_text_is_on_one_line(self):
        assert brief("a\n  b\tc") == "a b c"
