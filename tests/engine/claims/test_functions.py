"""The functions that claims apply are told: what they are equal to, in letters that are known."""

from sympy import Function, Integral, Sum, Symbol, symbols

from symbolic.latex_printer import latex
from theorems.engine import Letters, claim, eq, integers, interval, le
from theorems.engine.claims import registry
from theorems.engine.claims.functions import _closed_form, _rebound, functions, plainest
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.statement import written

KNOWN = registry.load()


def told(identifier):
    return {one.name: one for one in functions(KNOWN[identifier])}


def test_every_function_of_every_statement_and_hypothesis_is_told():
    counted = 0
    for one in KNOWN.claims.values():
        said = (*one.parts.values(), *one.hypotheses)
        applied = {type(f) for each in said for form in each.formulas for f in form.atoms(NamedFunction)}
        names = {each.name for each in functions(one)}
        assert {each.__name__ for each in applied} <= names, one.id
        counted += len(names)
    assert counted > 500


def test_closed_forms_have_no_letters_but_those_of_their_arguments():
    closed = 0
    for claimed in KNOWN.claims.values():
        for said in (*claimed.parts.values(), *claimed.hypotheses):
            for one in (f for form in said.formulas for f in form.atoms(NamedFunction)):
                form = _closed_form(claimed, one)
                if form is not None:
                    closed += 1
                    assert form.free_symbols <= one.free_symbols, (claimed.id, one)
    assert closed > 500


def test_a_function_is_told_as_it_is_applied_most_plainly():
    assert told("eoc.zeta")["zeta"].latex == r"\zeta{\left(z\right)}"
    assert told("eoc.zeta")["zeta"].derived_in == "eoc.zeta.closed_form"
    assert told("st.lem2.lipschitz")["lipschitz_constant"].formula == r"\sigma_1 \sqrt{B^{2} + 1}"


def test_a_closed_form_is_not_told_by_the_claim_that_derives_it_nor_if_it_is_well_known():
    assert told("eoc.varrho.closed_form")["varrho"].formula == ""
    assert told("attn.b1.clip")["Phi"].formula == ""
    assert told("attn.b1.clip")["density"].formula


def test_of_several_claims_each_function_is_told_once_and_as_plainly_as_in_any():
    found = {one.name: one for one in plainest(KNOWN.claims.values()) if one.latex.startswith(r"\v")}
    assert found["varrho"].latex == r"\varrho{\left(\rho\right)}"
    assert found["varrho"].formula


def test_a_function_that_prints_as_its_closed_form_is_not_told_twice():
    assert told("st.lem3")["theta_radius"].formula == ""


def test_a_very_long_closed_form_is_left_to_the_claim_that_derives_it():
    one = told("eoc.fig1.law")["bias"]
    assert (one.formula, one.derived_in) == ("", "eoc.fig1.layer")
    assert told("st.thm1")["hidden"].formula  # nothing derives it


def test_functions_in_terms_of_which_others_are_given_are_told_as_well():
    assert told("st.fact1.pseudoinverse")["reciprocal"].formula == r"\frac{1}{p_{s}}"


def test_an_index_prints_unlike_the_letters_that_are_used():
    entry = told("st.lem1.m")["pushed_weight"]
    assert entry.latex.endswith("_{r}")
    assert entry.formula == (
        r"\frac{e^{s (X^\top v)_{r} + z_{r}}}{\sum_{t=1}^{T} e^{s (X^\top v)_{t} + z_{t}}}"
    )


def test_other_indices_leave_sums_as_they_are():
    r, s, t = symbols("r s t", integer=True)
    x, y = Function("x"), Function("y")
    term = x(s) - Sum(x(s) * Sum(y(s) * y(t), (t, 1, s)), (s, 1, 3)) + Sum(y(r) * x(s), (r, 1, s))
    changed = _rebound(term, {"s"}, {})
    assert not {one.args[1][0] for one in changed.atoms(Sum)} & {s}
    for value in (1, 2, 3):
        assert (changed.subs(s, value).doit() - term.subs(s, value).doit()).expand() == 0


def test_an_index_that_prints_like_a_letter_is_renamed_in_the_function_itself():
    letters = Letters()
    along = letters.number("along", "s", "a time", interval(0, 1))
    size = letters.number("size", "T", "a number", integers(1))
    place = Symbol("s", integer=True, positive=True)
    weight = letters.function("weight", "w", "a weight", closed_form=lambda p, a: p + a)
    states = le(Sum(weight(place, along), (place, 1, size)), 1)
    made = claim("t.a", at="a", title="t", states=states, letters=letters)
    (one,) = functions(made)
    assert (one.latex, one.formula) == (r"w{\left(r, s\right)}", "s + r")


def test_a_function_without_a_closed_form_has_its_meaning():
    letters = Letters()
    x = letters.number("x", "x", "a number", interval(0, 1))
    unknown = letters.function("unknown", "f", "a function")
    made = claim("t.a", at="a", title="t", states=eq(unknown(x), x), letters=letters)
    (one,) = functions(made)
    assert str(one) == r"where f{\left(x\right)}: a function"


def test_no_index_of_a_sum_prints_like_a_letter_that_the_same_formula_uses():
    looked_at = 0
    for one in KNOWN.claims.values():
        names = written(one.letters)
        for said in (*one.parts.values(), *one.hypotheses):
            for form in said.formulas:
                used = {latex(symbol, names) for symbol in form.free_symbols}
                bound = [x for each in form.atoms(Sum, Integral) for x in each.variables]
                looked_at += len(bound)
                assert not used & {latex(x, names) for x in bound}, one.id
    assert looked_at > 50
