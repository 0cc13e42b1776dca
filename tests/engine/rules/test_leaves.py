"""What is taken over by name: what it says, under which hypotheses, and what is refused."""

import pytest
import sympy as sp
from asking import refused
from sympy import Eq, Function, Ge, Gt, Interval, Le, Lt, Reals, Symbol
from trying import each

from symbolic.derivation import Derivation, Step
from theorems.engine.rules import NotProved, decided, defined, derived, enclosed, follows
from theorems.engine.rules.leaves import bridge, claimed, supposed, textbook
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.statements.letters import Letters

x, y, top = sp.symbols("x y top", real=True)
a, D, F = sp.symbols("a D F", real=True)
f = Function("f")
REAL = {x: Reals}
BOTH = {x: Reals, y: Reals}
POSITIVE = Interval.open(0, sp.oo)


def agreed(*_):
    """A check of a step that says yes."""
    return True, "by hand"


class TestDerived:
    def chain(self, start, *ends, **how):
        check = how.pop("check", None)
        return Derivation("T", "t", start, [Step(end, "so", check) for end in ends], **how)

    def test_a_chain_of_equations_is_an_equation(self):
        found = derived(self.chain((x + 1) ** 2, x**2 + 2 * x + 1))
        assert found.statement == Eq((x + 1) ** 2, x**2 + 2 * x + 1)
        (leaf,) = found.trusts
        assert (leaf.kind, leaf.name) == ("derivation", "T")
        assert leaf.detail == "1 steps to Eq((x + 1)**2, x**2 + 2*x + 1)"

    def test_a_chain_with_an_inequality_is_an_inequality(self):
        steps = [Step(x**2 + 1, "add", agreed, r"\le"), Step(1 + x**2, "order")]
        for some in (steps, [Step(x * x, "write"), steps[0]]):
            found = derived(Derivation("T", "t", x**2, some))
            assert found.statement == Le(x**2, x**2 + 1, evaluate=False)

    def test_a_chain_of_numbers_says_the_equation(self):
        found = derived(self.chain((1 + sp.sqrt(2)) ** 2, 3 + 2 * sp.sqrt(2)))
        assert found.statement == Eq((1 + sp.sqrt(2)) ** 2, 3 + 2 * sp.sqrt(2), evaluate=False)

    def test_entries_of_matrices_are_said_although_known(self):
        start = sp.Matrix([[(1 + sp.sqrt(2)) ** 2, x]])
        end = sp.Matrix([[3 + 2 * sp.sqrt(2), x]])
        found = derived(self.chain(start, end)).statement
        assert isinstance(found, sp.And)
        assert Eq(start[0], end[0], evaluate=False) in found.args

    def test_matrices_of_different_shapes_are_refused(self):
        """Whatever the check of the step says."""
        step = Step(sp.Matrix([[x, y]]), "somehow", agreed)
        with pytest.raises(ValueError, match="zip"):
            derived(Derivation("T", "M", sp.Matrix([[x]]), [step]))

    def test_an_undecided_step_is_undecided(self):
        step = Step(x**2, "somehow", lambda *_: (None, "who knows"))
        why = refused("undecided", derived, Derivation("T", "t", x, [step])).why
        assert why == "step 'somehow' of T: who knows"

    def test_letters_range_as_far_as_the_domain_and_no_further(self):
        chain = self.chain(sp.sqrt(x**2) + y - y, x, domain={x: Interval(0, 2)})
        assert derived(chain).over == {x: Interval(0, 2)}
        assert derived(chain, over={x: Interval(0, 1)}).over == {x: Interval(0, 1)}
        with pytest.raises(ValueError, match=r"x ranges over Interval\(0, 2\)"):
            derived(chain, over={x: Interval(0, 3)})

    def test_letters_range_as_far_as_they_are_assumed_to(self):
        p = Symbol("p", positive=True)
        assert derived(self.chain((p + 1) ** 2, p**2 + 2 * p + 1)).over == {p: POSITIVE}

    def test_abbreviations_inside_of_abbreviations_become_hypotheses(self):
        where = {D: a + F, F: a**2, Symbol("G", real=True): a**3}
        chain = self.chain(x * (a + a**2), x * D, where=where, check=agreed)
        found = derived(chain)
        assert found.under == {Eq(D, a + F), Eq(F, a**2)}
        assert set(found.over) == {x, a, D, F}

    def test_a_condition_is_kept_unless_the_hypotheses_imply_it(self):
        chain = self.chain(sp.Abs(x), x, under=[x > 0], check=agreed)
        assert derived(chain).under == {x > 0}
        assert derived(chain, under=[x > 1]).under == {x > 1}
        assert derived(chain, over={x: Interval(1, 2)}).under == frozenset()
        assert derived(chain, over={x: Interval(0, 1)}).under == {x > 0}

    def test_every_expression_of_the_chain_has_a_value(self):
        chain = self.chain(x + 1 - 1 / x, (x**2 + x - 1) / x, check=agreed)
        with pytest.raises(NotProved):
            derived(chain)
        assert derived(chain, over={x: POSITIVE})
        assert derived(chain, under=[x > 1]).under == {x > 1}
        middle = self.chain(x + y, (x**2 + x * y) / x, y + x, check=agreed)
        with pytest.raises(NotProved):
            derived(middle)
        assert derived(middle, over={x: POSITIVE})

    def test_an_abbreviation_that_has_no_value_somewhere_is_no_hypothesis_there(self):
        chain = self.chain(x / y, x * D, where={D: 1 / y}, check=agreed)
        found = derived(chain)
        assert found.under == {Eq(D, 1 / y)}
        assert follows(sp.Ne(y, 0), over=found.over, under=found.under)


class TestDecided:
    def test_relations(self):
        unit = {x: Interval(0, 1)}
        assert decided(Eq(x * (x + 1), x**2 + x), over=unit).under == frozenset()
        assert decided(Ge(x, x**2), over=unit)
        refused("rejected", decided, Ge(x**2, x), over=unit)
        refused("rejected", decided, Eq(x**2, x), over=unit)
        for wrong in (Gt(x + 1, 0), Lt(x, 2), sp.Ne(x, 2), sp.And(x >= 0, x <= 1)):
            with pytest.raises(TypeError, match="the deciders take"):
                decided(wrong, over=unit)

    def test_a_counterexample_between_integers_rejects_nothing(self):
        """n (n - 1) >= 0 is false between 0 and 1 alone."""
        n = Symbol("n", integer=True)
        refused("undecided", decided, Ge(n * (n - 1), 0), over={n: sp.Range(0, 5)})
        refused("rejected", decided, Ge(x * (x - 1), 0), over={x: Interval(0, 4)})

    def test_what_both_sides_have_in_common_need_not_be_known(self):
        """Only that it is defined, which the rule checks anyway."""
        common = 1 / (x**2 + x * y + y**2 + 1)
        trusts = decided(Ge(x**2 + common, common), over=BOTH).trusts
        told = {leaf.kind: leaf.detail for leaf in trusts}
        assert set(told) == {"decision", "solver"}
        assert told["decision"] == "signs of coefficients"
        refused("rejected", decided, Ge(common - x**2 - 1, common), over=BOTH)
        refused("undecided", decided, Ge(x**2 + 1 / x, 1 / x), over=REAL)
        hard = x**4 + y**4 + 1 - 2 * x**2 * y + x
        assert refused("undecided", decided, Ge(hard + 9, 8 * f(x) ** 2 - 7 * f(x)), over=BOTH).why

    def test_the_decision_is_told(self):
        (leaf,) = decided(Le(x**2, x), over={x: Interval(0, 1)}).trusts
        assert leaf.name == "x**2 <= x"
        assert leaf.detail


class TestEnclosed:
    def test_strict_inequalities_between_numbers(self):
        assert enclosed(Lt(sp.pi, 4, evaluate=False)).under == frozenset()
        assert enclosed(Gt(sp.pi, 3, evaluate=False)).over == {}
        refused("rejected", enclosed, Lt(sp.pi, 3, evaluate=False))
        same = Gt(sp.log(8), 3 * sp.log(2), evaluate=False)
        refused("undecided", enclosed, same)
        for wrong in (Ge(sp.pi, 3, evaluate=False), Gt(x, 3), Eq(sp.pi, 3, evaluate=False)):
            with pytest.raises(TypeError, match="a strict inequality between numbers"):
                enclosed(wrong)

    def test_the_ball_is_told(self):
        (leaf,) = enclosed(Gt(sp.pi, 3, evaluate=False)).trusts
        assert leaf.detail.startswith("the difference lies in ")
        assert "0.14159265" in leaf.detail


class TestNamed:
    @each(
        "rule, kind",
        (textbook, "textbook"),
        (bridge, "bridge"),
        (meaning, "meaning"),
        (supposed, "hypothesis"),
        (claimed, "claim"),
    )
    def test_each_is_a_leaf_of_its_kind_and_says_the_statement(self, rule, kind):
        found = rule("name", Eq(f(x), y), over=BOTH, under=[x > 0])
        (leaf,) = found.trusts
        assert (leaf.kind, leaf.name, leaf.detail) == (kind, "name", "Eq(f(x), y)")
        assert leaf.says == found.statement == Eq(f(x), y)
        assert found.under == {x > 0}
        with pytest.raises(NotProved):
            rule("name", Eq(f(1 / x), y), over=BOTH)

    def test_details_are_told(self):
        for rule in (textbook, claimed):
            (leaf,) = rule("name", f(x) > 1, over=REAL, detail="in words").trusts
            assert leaf.detail == "in words"

    def test_integrals_may_be_supposed_to_exist(self):
        integral = sp.Integral(f(y), (y, 0, x))
        assert textbook("t", integral >= 0, over=REAL)
        with pytest.raises(NotProved):
            textbook("t", integral / x >= 0, over=REAL)

    def test_polynomials_and_the_like_are_defined_everywhere(self):
        risky = [1 / x, sp.sqrt(x), sp.log(x), x**y, sp.tan(x)]
        for one in risky:
            with pytest.raises(NotProved):
                textbook("t", f(y) > one, over=BOTH)
        for one in (x**3 - x * y + 2, sp.Abs(x), sp.Max(x, y), sp.Min(x, 1), sp.pi * x, x**0):
            assert textbook("t", f(y) > one, over=BOTH)


class TestMeanings:
    def test_equations_alone_or_together_or_under_conditions(self):
        one, other = Eq(y, f(x)), Eq(a, f(y))
        over = {x: Reals, y: Reals, a: Reals}
        for fine in (one, one & other, Eq(y, 0) | Eq(y, 1), sp.Implies(x > 0, one)):
            assert meaning("m", fine, over=over)
        with pytest.raises(TypeError, match="values of one name"):
            meaning("m", one | other, over=over)
        unequal = y < f(x)
        implied = sp.Implies(x > 0, unequal)
        for wrong in (unequal, one & unequal, one | unequal, implied, sp.Ne(y, f(x))):
            with pytest.raises(TypeError, match="a meaning must be an equation"):
                meaning("m", wrong, over=over)

    @each("rule, sign", (largest, 1), (least, -1))
    def test_an_extreme_is_compared_with_values_on_its_side(self, rule, sign):
        over = {x: Interval(0, 1), top: Reals, y: Reals}
        right = (sign * x**2 <= sign * top) if sign > 0 else (x**2 >= top)
        wrong = (x**2 >= top) if sign > 0 else (x**2 <= top)
        found = rule("extreme", right, over=over)
        assert {leaf.kind for leaf in found.trusts} == {"meaning"}
        assert rule("extreme", right & right.func(x, top), over=over)
        assert rule("size", right.func(x - 1, sp.Abs(top)), over=over) if sign > 0 else True
        assert rule("value", right.func(x, f(y)), over=over)
        strict = x**2 < top if sign > 0 else x**2 > top
        for refused_one in (wrong, strict, Eq(top, x), right.func(x, top + 1), right & wrong):
            with pytest.raises(TypeError, match="compared with their extreme"):
                rule("extreme", refused_one, over=over)


class TestDefinitions:
    def test_of_two_letters(self):
        found = defined(f(x, y), x - y, over=BOTH)
        assert found.statement == Eq(f(x, y), x - y)
        assert follows(f(x, y) <= 0, [found], over=BOTH, under=[x <= y])

    def test_what_is_no_definition(self):
        for term, body in ((f(x), x + y), (f(x, y), a), (f(2), sp.S(3)), (x**2, x), (f(x, x), x)):
            with pytest.raises(ValueError, match="a definition must be"):
                defined(term, body, over={**BOTH, a: Reals})
        with pytest.raises(ValueError, match="a definition must be"):
            defined(f(x, y), x, over=REAL)

    @each("known", "positive", "zero", "integer", "negative")
    def test_of_a_function_of_which_something_is_known(self, known):
        with pytest.raises(ValueError, match="without assumptions"):
            defined(Function("g", **{known: True})(x), x, over=REAL)
        assert defined(Function("g", real=True)(x), x, over=REAL)

    def test_of_what_is_not_defined_everywhere(self):
        with pytest.raises(NotProved):
            defined(f(x), 1 / x, over=REAL)
        assert defined(f(x), 1 / x, over={x: POSITIVE})


class TestTextbookFactsAreTried:
    """Facts about numbers are tried at simple points, facts about quantities are not."""

    def test_a_false_fact_is_refused_where_it_fails(self):
        x = sp.Symbol("x", nonnegative=True)
        with pytest.raises(NotProved, match="powers is false at x = 0") as raised:
            textbook("powers", sp.Le(1, x**2, evaluate=False), over={x: sp.Interval(0, sp.oo)})
        assert raised.value.answer == "rejected"
        assert raised.value.witness == {x: 0}

    def test_functions_with_a_closed_form_have_their_values(self):
        letters = Letters()
        cube = letters.function("cube", "c", "the cube", closed_form=lambda s: s**3)
        x = sp.Symbol("x", real=True)
        assert textbook("two", sp.Eq(cube(2), 8, evaluate=False), over={})
        with pytest.raises(NotProved, match="one is false"):
            textbook("one", sp.Eq(cube(1), 7, evaluate=False), over={})
        with pytest.raises(NotProved, match="roots exist is false"):
            # for some x only: a function of its own would be that x
            textbook("roots exist", sp.Eq(x**2, cube(2), evaluate=False), over={x: sp.Reals})
        assert textbook("cubes", cube(x) >= 0, over={x: sp.Reals}, under=[cube(x) >= 1])

    def test_conditions_and_ranges_count(self):
        x = sp.Symbol("x", real=True)
        assert textbook("roots", x**2 >= x, over={x: sp.Reals}, under=[sp.Or(x >= 1, x <= 0)])
        assert textbook("roots", x**2 >= x, over={x: sp.Interval(1, sp.oo)})
        with pytest.raises(NotProved, match="is false at"):
            textbook("roots", x**2 >= x, over={x: sp.Interval(0, 1)})

    def test_quantities_are_tried_and_unknown_functions_left_alone(self):
        x, y = sp.symbols("x y", nonnegative=True)
        sizes = {x: sp.Interval(0, sp.oo), y: sp.Interval(0, sp.oo)}
        for own in ([], [x, y]):
            with pytest.raises(NotProved, match="is false at"):
                textbook("triangle", x <= y, over=sizes, own=own)
        assert textbook("triangle", x <= y, over=sizes, tried=False)
        f = sp.Function("f", real=True)
        assert textbook("values", f(x) <= 0, over={x: sizes[x]})
