"""Cases in words: what is shown of numbers, arrays and values of one's own types."""

from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

import mpmath
import numpy as np
import sympy
from flint import arb
from hypothesis import strategies as st
from trying import each

from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.answers import Compared, Discrepancy, Measured
from theorems.engine.judging.describing import described
from theorems.engine.judging.search import search
from theorems.engine.statements.values import Rounded

Sign = Enum("Sign", ["PLUS", "MINUS"])
Pair = namedtuple("Pair", ["left", "right"])


@dataclass(frozen=True)
class Inner:
    weight: float
    signs: tuple


@dataclass(frozen=True)
class Network:
    width: int
    inner: Inner
    matrix: np.ndarray = field(default_factory=lambda: np.eye(2) / 3)
    secret: float = field(default=0.0, repr=False)


class Strange:
    pass


CASES = {
    "a float": (1 / 3, "0.333333"),
    "a large float": (1.5e300, "1.5e+300"),
    "not a number": (float("nan"), "nan"),
    "an integer": (12345678, "12345678"),
    "a fraction": (Fraction(1, 3), "1/3"),
    "a complex number": (1 / 3 + 2j, "0.333333+2j"),
    "a NumPy float": (np.float64(2 / 3), "0.666667"),
    "a NumPy integer": (np.int64(7), "7"),
    "a ball": (arb("0.25"), "0.25"),
    "digits": (mpmath.mpf(1) / 3, "0.333333"),
    "a rounded float": (Rounded(1 / 3, 1e-16), "0.333333"),
    "a symbol": (sympy.sqrt(2) / 2, "sqrt(2)/2"),
    "true": (True, "True"),
    "nothing": (None, "None"),
    "a word": ("abc", "'abc'"),
    "a member of an enumeration": (Sign.PLUS, "plus"),
    "a function": (search, "search"),
    "a type": (Strange, "Strange"),
    "a strange value": (Strange(), "<test_describing.Strange object>"),
    "a pair": ((1, 0.1 + 0.2), "(1, 0.3)"),
    "a list": ([1.0, 2.0], "[1, 2]"),
    "a long list": (list(range(100)), "[0, 1, 2, 3, … 100 entries]"),
    "a set": ({3, 1, 2}, "{1, 2, 3}"),
    "an array": (np.array([1 / 3, 1.0]), "[0.333333, 1]"),
    "a long array": (np.ones(50), "[1, 1, 1, 1, … 50 entries]"),
    "an array without dimensions": (np.array(0.5), "0.5"),
    "a matrix": (np.eye(2), "[[1, 0], [0, 1]]"),
    "a tall matrix": (np.zeros((9, 1)), "[[0], [0], [0], … 9 rows]"),
    "a named tuple": (Pair(0.5, (1, 2)), "left = 0.5, right = (1, 2)"),
    "a mapping": ({sympy.Symbol("rho"): 0.5}, "rho = 0.5"),
    "nothing in it": ({}, "{}"),
    "a network": (
        Network(3, Inner(1 / 3, (1, -1))),
        "width = 3, inner = (weight = 0.333333, signs = (1, -1)), matrix = [[0.333333, 0], [0, 0.333333]]",
    ),
    "deep": ([[[[1]]]], "[[[…]]]"),
}


@each("name", *CASES)
def test_values(name):
    value, words = CASES[name]
    assert described(value) == words


def test_what_finds_no_room_is_left_out():
    words = described({f"letter_{number}": number for number in range(100)})
    assert words.startswith("letter_0 = 0, letter_1 = 1, ")
    assert words.endswith(", …")
    assert len(words) < 250
    assert len(described("x" * 1000)) < 250


def test_much_inside_of_much_is_cut_with_its_brackets():
    words = described(3 * (3 * (Network(3, Inner(1 / 3, (1, -1))),),))
    assert words.count("(") == words.count(")")
    assert len(words) < 300


class Formula:
    """A check that keeps the values of the letters of its formula, as that of a claim does."""

    def __init__(self):
        self.seen = []

    def __call__(self, case):
        self.seen.append({sympy.Symbol("share"): Rounded(case, 1e-16)})
        return Compared(True, case, 1e-15, equation=False)


def test_a_witness_is_told_by_the_letters_of_the_formula():
    outcome = search(Formula(), st.sampled_from([0.25, 1 / 3]), cases=10, seed=0)
    assert (outcome.witness, outcome.as_json()["witness"]) == 2 * ("share = 0.333333",)


class TestRounding:
    """The rounding is that at the worst case."""

    def test_of_a_ratio(self):
        results = {0: Measured(0.5, 1e-3), 1: Measured(0.9, 1e-15)}
        outcome = search(results.get, st.sampled_from([0, 1]), cases=10, seed=0)
        assert (outcome.tightness, outcome.numbers) == (0.9, {"rounding": 1e-15})

    def test_of_a_violation(self):
        results = {0: Measured(0.5, 1e-3), 1: Measured(2.0, 1e-14)}
        outcome = search(results.get, st.sampled_from([0, 1]), cases=10, seed=0)
        assert (outcome.answer, outcome.numbers) == (Answer.REJECTED, {"rounding": 1e-14})

    @each("result", Discrepancy(0.0, 1e-15), Compared(True, 0.5, 1e-15, True), Measured(0.5))
    def test_there_is_none_of_an_identity_or_an_exact_ratio(self, result):
        outcome = search(lambda _: result, st.just(0), cases=1, seed=0)
        assert outcome.numbers == {}
