"""A question is one text, whoever writes it, and its answer is the same wherever it is asked."""

import json
import os
import re
import subprocess
import sys

import pytest
import sympy as sp
import z3
from sympy import Interval, Reals, Symbol
from trying import each

from theorems.engine.errors import OutOfTimeError
from theorems.engine.rules import NotProved, answers, asking, follows, induction
from theorems.engine.rules.answers import KeptAnswers, answers_file, questions_file
from theorems.engine.rules.asking import ATTEMPTS, Answer, answer_to, ask, guarded, limited
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.question import Question, asked
from theorems.engine.rules.solver import Problem, _renumbered
from theorems.engine.rules.terms import above, add, below, call, equal, letter, multiply, number

x, y = sp.symbols("x y", real=True)
ZERO = number(0)


def cubes(first, second):
    """Letters with these names whose cubes and sum cannot be in the order that is asserted."""
    a, b = letter(first), letter(second)
    sine = call("sin", a)
    return asked([above(a, b), below(multiply(a, a, a), multiply(b, b, b)), above(sine, ZERO)])


HARD = asked([equal(add(multiply(*[letter(n)] * 3), letter("c")), ZERO) for n in "ab"])

#: The plain procedure comes to the end of its operations where Z3 makes an error of it.
CANCELED = """\
(set-logic ALL)
(define-fun t0 () Bool (>= 2.0 0.0))
(declare-const x0 Real)
(define-fun t1 () Bool (>= x0 0.0))
(declare-const x1 Real)
(define-fun t2 () Bool (and t0 t1 (distinct x1 0.0)))
(declare-const x2 Real)
(define-fun t3 () Real (/ 1.0 x1))
(declare-const x3 Real)
(define-fun t4 () Real (* x3 x3 x3 x3))
(define-fun t5 () Real (* x3 x3))
(define-fun t6 () Real (* x3 (+ 15.0 t4 (* (- 10.0) t5))))
(declare-fun f0 (Real) Real)
(define-fun t7 () Real (f0 (* (- (/ 1.0 2.0)) t5)))
(assert (=> true (and t2
  (<= (* (/ 1.0 16.0) x2 t3 (ite (>= t6 0.0) t6 (* (- 1.0) t6)) t7) (/ 3.0 10.0)))))
(declare-fun f1 (Real) Real)
(assert (=> true (and t2
  (= (f1 x3) (* (/ 1.0 16.0) x3 x2 t3 (+ (- 15.0) (* (- 1.0) t4) (* 10.0 t5)) t7)))))
(assert (=> t0 (and (>= x2 0.0) (= (* x2 x2) 2.0))))
(assert (=> t1 (and (>= x1 0.0) (= (* x1 x1) x0))))
(assert (= (f0 0.0) 1.0))
(assert (> t7 0.0))
"""


class TestText:
    def test_names_do_not_matter(self):
        one, other = cubes("x", "y"), cubes("z", "a letter (with brackets)")
        assert one.text == other.text
        assert one.names == {"x0": "x", "x1": "y", "f0": "sin"}
        assert cubes("x", "x").text != one.text

    @each("name", "sin", "acos", "pi", "x1", "f0", "t0", "Real", "assert", ")", "|")
    def test_names_that_a_solver_knows_are_ours(self, name):
        """The reader takes acos for its own function, and would prove what is not so."""
        question = asked([above(call(name, letter(name)), ZERO)])
        assert question.text == asked([above(call("f", letter("a")), ZERO)]).text
        (read,) = z3.parse_smt2_string(question.text)
        assert read.arg(0).decl().kind() == z3.Z3_OP_UNINTERPRETED

    def test_only_numbers_have_a_sign(self):
        text = asked([above(letter("a"), number(-2))]).text
        assert text.splitlines()[-1] == "(assert (> x0 (- 2.0)))"

    def test_what_occurs_twice_is_written_once(self):
        square = multiply(letter("a"), letter("a"))
        for _ in range(60):
            square = add(square, square)
        question = asked([above(square, ZERO)])
        assert len(question.text) < 5000
        assert len(z3.parse_smt2_string(question.text)) == 1

    def test_sorts_of_one_name_are_apart(self):
        both = asked([letter("a", "Bool"), above(letter("a"), ZERO)])
        assert both.names == {"b0": "a", "x0": "a"}

    def test_hypotheses_and_letters_come_in_one_order(self):
        known = [x > 0, y > 1, x < y]
        texts = set()
        for some in (known, known[::-1]):
            for over in ({x: Reals, y: Interval(0, 9)}, {y: Interval(0, 9), x: Reals}):
                problem = Problem(over, some, ())
                texts.add(asked(problem.hypotheses).text)
        assert len(texts) == 1

    def test_dummies_of_one_name_keep_their_order(self):
        def text():
            one, two = sp.Dummy("d", real=True), sp.Dummy("d", real=True)
            problem = Problem({two: Reals, one: Interval(0, 1)}, [two > 0, one > 2 * two], ())
            return asked(problem.hypotheses).text

        first = text()
        assert [sp.Dummy("d") for _ in range(99)]
        assert text() == first


class TestAnswers:
    def test_operations_are_told_for_each_attempt(self):
        answer = ask(cubes("x", "y"), 1_000_000)
        assert answer.said == "unsat"
        assert len(answer.operations) in {1, 2}
        assert all(one > 0 for one in answer.operations)

    def test_a_small_bound_leaves_it_undecided(self):
        answer = ask(cubes("x", "y"), 20)
        assert answer.said == "unknown"
        assert len(answer.operations) == len(ATTEMPTS)
        assert "limit" in answer.why

    def test_values_are_exact(self):
        a = letter("a")
        root = asked([equal(multiply(a, a), number(2)), above(a, ZERO)])
        assert ask(root, 100_000).values == {"x0": (("-2/1", "0/1", "1/1"), 2)}
        assert ask(asked([equal(multiply(number(3), a), number(-2))]), 9_000).values == {"x0": "-2/3"}

    def test_tables_are_those_of_functions_of_any_number_of_letters(self):
        a, b = letter("a"), letter("b")
        one, two = call("f", a), call("g", a, b)
        found = ask(asked([equal(one, number(2)), equal(two, number(3)), equal(a, b)]), 100_000)
        assert (found.said, set(found.values)) == ("sat", {"x0", "x1"})
        assert {name: last for name, (_, last) in found.tables.items()} == {"f0": "2/1", "f1": "3/1"}

    def test_a_guard_asks_for_no_values(self):
        question = asked([above(letter("a"), ZERO)])
        assert guarded(question) == Answer("sat", guarded(question).operations)
        assert ask(question, 100_000).values.keys() == {"x0"}

    def test_time_is_no_answer(self, monkeypatch):
        """A clock that strikes stops everything: nothing is kept and nothing is proved."""
        monkeypatch.setattr(asking, "_SECONDS", 0.0)
        monkeypatch.setattr(asking, "_operations", lambda _solver: 0)
        with pytest.raises(OutOfTimeError, match="stopped after 0 s"):
            answer_to(HARD, 12_345)

    def test_an_answer_in_spite_of_the_clock_is_one(self, monkeypatch):
        monkeypatch.setattr(asking, "_SECONDS", 0.0)
        monkeypatch.setattr(asking, "_operations", lambda _solver: 0)
        assert ask(asked([above(number(0), number(1))]), 12_345).said == "unsat"

    def test_what_an_answer_depends_on(self):
        """The question, the bound, and which procedures are asked in turn."""
        several = {
            asking.label("a", 20_000),
            asking.label("b", 20_000),
            asking.label("a", 20_001),
            asking.label("a", 20_000, asking._AT_ONCE),
        }
        assert len(several) == 4
        assert all(" z3-" in one for one in several)
        assert all(len(one.split(" ")) == 3 for one in several)

    def test_data_and_back(self):
        rows = ((("1/1", (("-2/1", "0/1", "1/1"), 2)),), "0/1")
        one = Answer("sat", (12, 3), "", {"x0": "1/2"}, {"f0": rows})
        for each_one in (one, Answer("unknown", (7,), "lost"), Answer("unsat", (1, 2))):
            assert Answer.from_json(json.loads(json.dumps(each_one.as_json()))) == each_one

    @each("data", {}, {"said": "yes"}, {"said": "unsat"}, {"said": "sat", "operations": "a"})
    def test_what_is_no_answer(self, data):
        with pytest.raises((KeyError, ValueError, TypeError)):
            Answer.from_json(data)

    def test_an_error_at_the_end_of_the_operations_is_no_error(self):
        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.set(**{"smt.arith.nl.grobner": False}, rlimit=asking.GUARD, random_seed=0)
        solver.from_string(CANCELED)
        with pytest.raises(z3.Z3Exception, match="canceled"):
            solver.check()
        assert guarded(Question(CANCELED)).said in {"sat", "unknown"}

    def test_another_error_stays_one(self, monkeypatch):
        def broken(_solver):
            raise z3.Z3Exception("out of order")

        monkeypatch.setattr(z3.Solver, "check", broken)
        with pytest.raises(z3.Z3Exception, match="out of order"):
            ask(asked([above(number(0), number(1))]), 12_346)

    def test_a_contradiction_is_found_whatever_the_goal_costs(self):
        assert guarded(cubes("x", "y")).said == "unsat"


class TestKept:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path, monkeypatch):
        monkeypatch.setenv("THEOREMS_ANSWERS", str(tmp_path))
        before, asking._KEEPER[0] = asking._KEEPER[0], asking._InThisProcess()
        yield
        asking.keep_with(before)
        answers._KEPT_IN.clear()

    def test_nothing_is_asked_twice(self, monkeypatch):
        asking.keep_with(KeptAnswers())
        first = answer_to(cubes("x", "y"), 40_000)
        assert questions_file().read() == {(cubes("x", "y").key,): cubes("x", "y").explained}
        asking.keep_with(KeptAnswers())
        monkeypatch.setattr(asking, "ask", None)
        assert answer_to(cubes("a", "b"), 40_000) == first
        with pytest.raises(TypeError):
            answer_to(cubes("a", "b"), 40_001)
        monkeypatch.setattr(asking, "_version", lambda: "z3-another")
        with pytest.raises(TypeError):
            answer_to(cubes("a", "b"), 40_000)

    def test_answers_that_come_together_are_written_at_the_end(self, monkeypatch):
        monkeypatch.setattr(answers, "_PAUSE", 1e9)
        keeper = KeptAnswers()
        asking.keep_with(keeper)
        with keeper.gathering():
            answer_to(cubes("x", "y"), 40_000)
            assert answers_file().read() == {}
        assert len(answers_file().read()) == 1
        answer_to(cubes("x", "y"), 40_001)
        assert len(answers_file().read()) == 2

    def test_what_was_asked_before_is_kept_as_well(self):
        """Proofs at the top of a module are made before anybody says where answers are kept."""
        first = answer_to(cubes("x", "y"), 40_000)
        assert answers_file().read() == {}
        asking.keep_with(KeptAnswers())
        (kept,) = answers_file().read().values()
        assert Answer.from_json(kept) == first
        asking.keep_with(KeptAnswers())
        assert len(answers_file().read()) == 1

    def test_a_damaged_answer_is_asked_again(self):
        asking.keep_with(KeptAnswers())
        answer_to(cubes("x", "y"), 40_000)
        file = answers_file().path
        file.write_text(file.read_text().replace("unsat", "sat"))
        assert answers_file().read() == {}
        asking.keep_with(KeptAnswers())
        assert answer_to(cubes("x", "y"), 40_000).said == "unsat"

    def test_a_folder_that_cannot_be_written_hinders_nothing(self, monkeypatch, tmp_path):
        monkeypatch.setenv("THEOREMS_ANSWERS", str(tmp_path / "file" / "below"))
        (tmp_path / "file").write_text("no folder")
        asking.keep_with(KeptAnswers())
        assert answer_to(cubes("x", "y"), 40_000).said == "unsat"

    def test_out_of_time_is_not_kept(self, monkeypatch):
        asking.keep_with(KeptAnswers())
        with monkeypatch.context() as change:
            change.setattr(asking, "_SECONDS", 0.0)
            change.setattr(asking, "_operations", lambda _solver: 0)
            with pytest.raises(OutOfTimeError):
                answer_to(HARD, 12_345)
        assert answers_file().read() == {}


class TestTheorems:
    def test_name_the_questions_by_which_they_were_made(self):
        over = {x: Reals}
        known = claimed("c", x**2 > 4, over=over, under=[x > 0])
        found = follows(x > 2, [known], over=over, under=[x > 0])
        (leaf,) = [one for one in found.trusts if one.kind == "solver"]
        assert re.fullmatch("[0-9a-f]{32}", leaf.question)
        assert re.fullmatch("[0-9a-f]{32}", leaf.premises)
        (plain,) = follows(x**2 >= 2 * x - 1, over=over).trusts
        assert plain.premises == ""
        again = follows(x > 1, [found], over=over, under=[x > 0])
        assert leaf in again.trusts
        assert len([one for one in again.trusts if one.kind == "solver"]) == 2

    def test_within_another_bound_another_question_is_kept(self):
        with limited(30), pytest.raises(NotProved):
            follows(x**4 + y**4 >= 2 * x**2 * y**2, over={x: Reals, y: Reals})
        assert follows(x**4 + y**4 >= 2 * x**2 * y**2, over={x: Reals, y: Reals})


_EVERYWHERE = """
import json, sys
from theorems.engine.claims.kinds import Profile
from theorems.engine.judging.examine import Circumstances, examine
from theorems.engine.rules import asking
from theorems.engine.running.runner import find_claim

found = {}

class Keeper:
    def known(self, key):
        return None

    def keep(self, key, question, answer):
        assert found.setdefault(key, list(answer.operations)) == list(answer.operations)

asking.keep_with(Keeper())
circumstances = Circumstances(Profile.QUICK, 0, 1e-6, find_claim)
for name in sys.argv[1:]:
    claim = find_claim(name)
    for item in claim.evidence:
        if str(item.grade) in ("proved", "argued"):
            examine(claim, item, circumstances)
print(json.dumps(found, sort_keys=True))
"""
_SOME = ["eoc.varrho", "eoc.zeta.sandwich", "st.fact1.norm", "st.fact1.lipschitz"]


def _counts(seed, names):
    """The operations of all questions of some proofs, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _EVERYWHERE, *names],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_questions_and_operations_are_the_same_in_every_process():
    """With another hash seed, in another order, after other work, and when asked once more."""
    first = _counts(0, _SOME)
    assert len(first) > 150
    second = _counts("random", ["eoc.zeta.closed_form", *_SOME[::-1], _SOME[0]])
    assert second.items() >= first.items()


def test_the_principle_of_induction_is_one_question_however_often_it_is_used():
    n, principles = Symbol("n", integer=True), []
    for statement in (n**2 >= 2 * n - 1, 2 * n <= n**2 + 1, n**2 + n >= 3 * n - 1):
        found = induction(statement, n, 1).trusts
        principles += [one.question for one in found if one.name == "induction on integers"]
        for _ in range(10 ** (len(principles) + 2)):  # so that names become longer
            z3.FreshInt()
    assert len(principles) == 3
    assert len(set(principles)) == 1


def test_a_name_that_is_taken_is_not_given():
    with pytest.raises(NotProved, match="taken"):
        _renumbered("(forall ((n!7 Int)) (> n!7 v0))")
    assert _renumbered("(> a!1 v0)") == "(> a!1 v0)"
    assert _renumbered("(> n!3 (+ m!1 n!3))") == "(> v0 (+ v1 v0))"


def test_a_question_is_its_text():
    assert Question("a", {"x0": "b"}) == Question("a")
    assert repr(Question("a", {"x0": "b"})) == "Question(text='a')"
    assert Question("a").key != Question("b").key
