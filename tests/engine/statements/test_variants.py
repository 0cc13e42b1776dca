"""Which false variants are made of a statement: all that are named here, and no others."""

from fractions import Fraction

import sympy
from checked import LETTERS, far, stated, x, y
from trying import each

from theorems.engine import (
    Choice,
    Hypothesis,
    Kind,
    eq,
    ge,
    gt,
    half_line,
    iff,
    integers,
    interval,
    le,
    lt,
    open_interval,
    sentence,
)
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import all_variants, near_variants

COUNT = LETTERS.number("count_of_variants", "k", "a count", integers(0))
ARROW = LETTERS.thing("arrow", "v", "an arrow", Kind.VECTOR)


class IteratedLogarithm(sympy.Function):
    """The iterated logarithm, which is not defined up to 1."""

    @classmethod
    def eval(cls, at):
        if at.is_number and at <= 1:
            raise ValueError("not defined")


def changes(states):
    """The variants of a statement by kind."""
    found = {}
    for variant in near_variants(stated(states), "statement"):
        found.setdefault(variant.kind, []).append(variant.name)
    return found


def relations(states):
    """The variants of a relation by name."""
    variants = near_variants(stated(states), "statement")
    return {one.name: one.claim.parts["statement"].relation for one in variants}


class TestRelations:
    def test_numbers_are_changed_by_one_per_cent_and_integers_by_one(self):
        assert changes(le(x, 3)) == {
            "constant": ["3: 3 -> 297/100", "3: 3 -> 303/100"],
            "integer": ["3: 3 -> 2", "3: 3 -> 4"],
            "relation": ["<=: <= -> <", "<=: <= -> >="],
        }

    def test_a_fraction_is_not_changed_by_one(self):
        assert changes(ge(x, sympy.Rational(1, 4))) == {
            "constant": ["1/4: 1/4 -> 99/400", "1/4: 1/4 -> 101/400"],
            "relation": [">=: >= -> >", ">=: >= -> <="],
        }

    def test_zero_is_changed_by_a_hundredth(self):
        assert changes(eq(x**3, 0)) == {
            "exponent": ["exponent 3 of x: 3 -> 2", "exponent 3 of x: 3 -> 4"],
            "constant": ["0: 0 -> -1/100", "0: 0 -> 1/100"],
            "relation": ["==: == -> !="],
        }

    def test_every_relation_is_changed(self):
        cases = [
            (le(x, y), [lt(x, y), ge(x, y)]),
            (ge(x, y), [gt(x, y), le(x, y)]),
            (lt(x, y), [gt(x, y)]),
            (gt(x, y), [lt(x, y)]),
            (eq(x, y), [sympy.Ne(x, y, evaluate=False)]),
            (sympy.Ne(x, y, evaluate=False), [eq(x, y)]),
        ]
        for relation, others in cases:
            found = relations(relation)
            assert [found[name] for name in found if " of " not in name] == others

    def test_a_right_side_without_a_number_is_scaled_by_one_per_cent(self):
        found = relations(lt(x, y))
        assert found["factor of y: 1 -> 99/100"] == lt(x, sympy.Rational(99, 100) * y)
        assert found["factor of y: 1 -> 101/100"] == lt(x, sympy.Rational(101, 100) * y)
        assert not any("factor" in name for name in relations(le(x, 3)))

    def test_a_term_is_turned_or_left_out(self):
        found = relations(le(x, 1 + y))
        assert found["sign of y: changed"] == le(x, 1 - y)
        assert found["sign of 1: changed"] == le(x, y - 1)
        assert found["term y: left out"] == le(x, 1)
        assert found["term 1: left out"] == le(x, y)

    def test_the_sign_of_a_product_is_one_change_and_minus_one_no_number(self):
        assert changes(le(x, -x * y)) == {
            "sign": ["sign of -x*y: changed"],
            "constant": ["factor of -x*y: 1 -> 99/100", "factor of -x*y: 1 -> 101/100"],
            "relation": ["<=: <= -> <", "<=: <= -> >="],
        }

    def test_the_sign_of_another_number_is_not_changed(self):
        assert "sign" not in changes(le(-2 * x, 1))

    def test_an_exponent_is_moved_by_one_or_by_half_of_its_last_place(self):
        assert changes(le(x**5, 2 * x ** sympy.Rational(2, 3)))["exponent"] == [
            "exponent 5 of x: 5 -> 4",
            "exponent 5 of x: 5 -> 6",
            "exponent 2/3 of x: 2/3 -> 1/2",
            "exponent 2/3 of x: 2/3 -> 5/6",
        ]

    def test_a_number_in_an_exponent_is_told_from_the_same_one_below(self):
        found = relations(le(2 ** (2 * x), 5))
        assert found["2: 2 -> 3"] == le(3 ** (2 * x), 5)
        assert found["exponent 2 of 2: 2 -> 3"] == le(2 ** (3 * x), 5)

    def test_only_an_exponent_is_moved_like_one(self):
        assert "exponent" not in changes(le(2**x, 5))
        assert "2: 2 -> 99/50" in changes(le(2**x, 5))["constant"]
        pair = LETTERS.function("pair_of_variants", "p", "of two numbers")
        assert "exponent" not in changes(le(pair(x, 2), 5))
        assert "2: 2 -> 99/50" in changes(le(pair(x, 2), 5))["constant"]

    def test_an_exponent_of_an_exponent_is_named_once(self):
        named = set(relations(le(2 ** (x**3), 5)))
        assert "exponent 3 of x: 3 -> 4" in named
        assert not any("of 2" in name for name in named)

    def test_changes_that_leave_the_reals_are_none(self):
        """1/log 2 would become 1/log 1, and log 1 the logarithm of 0 or less."""
        assert "2: 2 -> 1" in relations(le(x, sympy.log(2)))
        assert "2: 2 -> 1" not in relations(le(x, 1 / sympy.log(2)))
        assert "2: 2 -> 3" in relations(le(x, 1 / sympy.log(2)))
        beyond = sympy.acos(sympy.Rational(1, 4)) * x
        assert "1/4: 1/4 -> 101/400" in relations(le(beyond, 2))

    def test_a_change_that_a_function_refuses_is_none(self):
        found = relations(le(IteratedLogarithm(2) * x, 1))
        assert "2: 2 -> 3" in found
        assert "2: 2 -> 1" not in found

    def test_a_change_of_one_side_of_an_equivalence_that_makes_it_the_other_is_none(self):
        found = relations(iff(le(x, 1), le(x, 2)))
        assert "2: 2 -> 3" in found
        assert "2: 2 -> 1" not in found
        assert "1: 1 -> 2" not in found

    def test_a_membership_has_no_near_variants(self):
        assert changes(sympy.Contains(far, sympy.S.Naturals)) == {}

    def test_long_expressions_are_cut_short_in_names(self):
        long, edge = sympy.Symbol("a" * 41), sympy.Symbol("b" * 40)
        for symbol, shown in ((long, "a" * 37 + "..."), (edge, "b" * 40)):
            names = [name for name in _names_of(le(symbol, symbol + 1)) if "term" in name]
            assert f"term {shown}: left out" in names

    def test_a_variant_tells_its_part_its_kind_and_what_it_says(self):
        (first, *_) = near_variants(stated(le(x, 3)), "statement")
        assert (first.part, first.kind, first.what) == ("statement", "constant", "3")
        assert first.statement == r"x \leq \frac{297}{100}"
        assert first.slot is None


def _names_of(relation):
    one = stated()
    object.__setattr__(one, "states", {"statement": Formula(relation)})
    return [variant.name for variant in near_variants(one, "statement")]


class TestSlots:
    def test_near_values(self):
        cases = [
            (0, {"integer": [-1, 1]}),
            (1, {"constant": [Fraction(99, 100), Fraction(101, 100)], "integer": [0, 2]}),
            (-1, {"constant": [-Fraction(99, 100), -Fraction(101, 100)], "integer": [-2, 0]}),
            (-3, {"constant": [-Fraction(297, 100), -Fraction(303, 100)], "integer": [-4, -2], "sign": [3]}),
            (
                sympy.Integer(5),
                {"constant": [Fraction(99, 20), Fraction(101, 20)], "integer": [4, 6], "sign": [-5]},
            ),
            (Fraction(2, 3), {"constant": [Fraction(33, 50), Fraction(101, 150)], "sign": [-Fraction(2, 3)]}),
            (
                sympy.sqrt(2),
                {
                    "constant": [
                        sympy.sqrt(2) * sympy.Rational(99, 100),
                        sympy.sqrt(2) * sympy.Rational(101, 100),
                    ],
                    "sign": [-sympy.sqrt(2)],
                },
            ),
            (Choice("z", 2), {}),
        ]
        for value, expected in cases:
            found = {}
            for variant in near_variants(stated(sentence("c = $c", c=value), ()), "statement"):
                changed = variant.claim.parts["statement"].values()["c"]
                found.setdefault(variant.kind, []).append(changed)
            assert found == expected

    def test_a_sign_is_named_apart_from_its_number(self):
        two = list(near_variants(stated(sentence("c = $c", c=2), ()), "statement"))
        assert {one.what for one in two} == {"c", "sign of c"}
        assert {one.slot for one in two} == {"c"}

    def test_the_other_slots_stay(self):
        one = stated(sentence("$c $d", c=2, d=3), ())
        for variant in near_variants(one, "statement"):
            values = variant.claim.parts["statement"].values()
            assert (values["c"] == 2) != (values["d"] == 3)


def domains(domain, letter=far):
    """The larger domains of a letter, by how they are larger."""
    one = stated(le(letter, 9), {letter: domain})
    wider = [variant for variant in all_variants(one) if variant.kind == "domain"]
    return {variant.how: variant.claim.domains[letter] for variant in wider}


class TestDomains:
    def test_one_end_moves_outwards_by_a_hundredth_or_is_closed(self):
        cases = [
            (
                interval(0, 2),
                {"from -1/50": interval(-Fraction(1, 50), 2), "up to 101/50": interval(0, Fraction(101, 50))},
            ),
            (
                open_interval(1, 2),
                {"with 1": sympy.Interval.Ropen(1, 2), "with 2": sympy.Interval.Lopen(1, 2)},
            ),
            (
                sympy.Interval.Lopen(1, 2),
                {
                    "with 1": interval(1, 2),
                    "up to 201/100": sympy.Interval.Lopen(1, sympy.Rational(201, 100)),
                },
            ),
            (
                sympy.Interval.Ropen(1, 2),
                {"from 99/100": sympy.Interval.Ropen(sympy.Rational(99, 100), 2), "with 2": interval(1, 2)},
            ),
            (half_line(5), {"from 499/100": half_line(Fraction(499, 100))}),
            (half_line(5, closed=False), {"with 5": half_line(5)}),
            (sympy.Union(interval(0, 1), interval(2, 3)), {}),
        ]
        for domain, wider in cases:
            assert domains(domain) == wider

    @each(
        "domain, wider",
        (integers(3), {"from 2 on": integers(2)}),
        (integers(3, 5), {"from 2 on": integers(2, 5), "up to 6": integers(3, 6)}),
    )
    def test_one_more_integer(self, domain, wider):
        assert domains(domain, COUNT) == wider

    def test_a_half_line_to_the_left(self):
        letter = LETTERS.number("left_of_two", "l", "at most two", sympy.Interval(-sympy.oo, 2))
        assert domains(sympy.Interval(-sympy.oo, 2), letter) == {
            "up to 201/100": sympy.Interval(-sympy.oo, sympy.Rational(201, 100))
        }

    def test_what_is_no_number_gets_no_domain(self):
        one = stated(sentence(r"\|$arrow\| \le $c $x", c=1), [ARROW, x])
        wider = [variant.claim for variant in all_variants(one) if variant.kind == "domain"]
        assert wider
        assert all(set(other.domains) == {x} for other in wider)
        assert all(len(other.letters) == len(LETTERS) for other in wider)

    def test_what_a_larger_domain_says_is_how_it_is_larger(self):
        one = stated(le(far, 9), {far: half_line(5)})
        (wider,) = [variant for variant in all_variants(one) if variant.kind == "domain"]
        assert (wider.part, wider.what) == (None, "domain of far")
        assert wider.statement == wider.how == "from 499/100"


class TestHypothesesAndParts:
    def test_each_hypothesis_is_dropped_alone(self):
        one_of, other = (Hypothesis(name, "so it is") for name in ("one", "other"))
        claim = stated(assuming=[one_of, other])
        left = {v.what: v.claim.hypotheses for v in all_variants(claim) if v.kind == "hypothesis"}
        assert left == {"hypothesis one": (other,), "hypothesis other": (one_of,)}

    def test_a_statement_of_one_part_stays_whole(self):
        assert not any(variant.kind == "part" for variant in all_variants(stated()))

    def test_of_two_parts_one_is_left(self):
        claim = stated({"one": le(x, 1), "other": le(0, x)})
        removed = {v.what: v for v in all_variants(claim) if v.kind == "part"}
        assert set(removed) == {"part one", "part other"}
        assert list(removed["part one"].claim.parts) == ["other"]
        assert removed["part one"].part == "one"
        assert removed["part one"].statement == "removed"
