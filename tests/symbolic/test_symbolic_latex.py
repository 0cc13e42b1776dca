"""LaTeX of expressions and derivations: what is written, how wide it is, where it is split."""

import re

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integral, Matrix, Rational, Symbol, cos, exp, oo, pi, sign, sin, sqrt, symbols
from trying import each

from symbolic.cosine_maps import derive_varrho
from symbolic.derivation import Derivation, Step
from symbolic.latex_lines import Line, chain, split
from symbolic.latex_printer import _OF_A_LETTER, latex, ordered_terms
from symbolic.latex_width import width
from symbolic.notation import DELTA, a, b, rho, t, theta, x
from theorems.engine.statements.statement import flaw
from theorems.eoc_mlp.one_layer.gradient_independence.polar_integrals import derive_integral

TERMS = symbols("x1:30")

#: Width of the text on A4 paper with margins of 25 mm, in points of TeX.
A4 = (210 - 50) / 25.4 * 72.27


@each(
    "expression, written",
    (sin(t) * cos(theta), r"\sin t \cos \theta"),
    (sin(t) ** 2 - 1, r"\sin^{2} t - 1"),
    (cos(t - theta), r"\cos{\left(t - \theta \right)}"),
    (Matrix([[cos(t)], [1]]), r"\begin{bmatrix} \cos t \\ 1 \end{bmatrix}"),
    (Matrix([[a / b], [1]]), r"\begin{bmatrix} \frac{a}{b} \\[8pt] 1 \end{bmatrix}"),
    (abs(Symbol("c")) ** 3, r"\left|c\right|^{3}"),
    (sign(cos(theta)), r"\operatorname{sgn}{\left(\cos \theta \right)}"),
    (exp(-(x**2) / 2), r"e^{-x^{2} / 2}"),
    (exp(t * (x + 1) / 2), r"e^{t \left(x + 1\right) / 2}"),
    (exp(-(x**2) / (a * b)), r"e^{-x^{2} / (a b)}"),
    (exp(-(x + 1) / b**2), r"e^{\left(- x - 1\right) / b^{2}}"),
    (exp(t**2 * (x + 1) / 2 + 1), r"e^{\frac{t^{2}}{2} \left(x + 1\right) + 1}"),
    (sympy.Pow(exp(x), t, evaluate=False), r"\left(e^{x}\right)^{t}"),
    (b * Integral(x, (x, 0, oo)), r"b \int_{0}^{\infty} x\, dx"),
    (-Integral(x, (x, 0, 1)), r"- \int_{0}^{1} x\, dx"),
    (Integral(1, (x, 0, t + pi / 2)), r"\int_{0}^{t + \pi / 2} \, dx"),
    (Integral(x + t, (x, 0, 1), (t, 0, x)), None),
    (Integral(x, x), r"\int x\, dx"),
    (DELTA * (1 - a) / pi, r"\frac{\Delta_{\phi}}{\pi} \left(1 - a\right)"),
    (DELTA * (x + 1 / x) / pi, r"\frac{\Delta_{\phi}}{\pi} \left(x + \frac{1}{x}\right)"),
    ((1 - a) / pi, r"\frac{1 - a}{\pi}"),
    (a * (1 - a) * (1 - b) / pi, r"\frac{a \left(1 - a\right) \left(1 - b\right)}{\pi}"),
    ((1 + 1 / x) ** Rational(-1, 2), r"\left(1 + \frac{1}{x}\right)^{-1/2}"),
    (1 / sqrt(1 - rho**2), r"\frac{1}{\sqrt{1 - \rho^{2}}}"),
    (x + sympy.O(1 / x**2, (x, oo)), r"x + O(x^{-2})"),
    (sympy.Inverse(sympy.ImmutableMatrix([[a]])), r"\begin{bmatrix} a \end{bmatrix}^{-1}"),
)
def test_expressions(expression, written):
    if written is None:
        written = r"\int_{0}^{x}\int_{0}^{1} \left(t + x\right)\, dx \, dt"
    assert latex(expression) == written


def test_compounds_of_relations():
    p, q, r = (y > 0 for y in sympy.symbols("p q r", real=True))
    both = sympy.And(p, sympy.Or(q, r))
    assert latex(both) == r"p > 0 \text{ and } \left(q > 0 \text{ or } r > 0\right)"
    assert latex(sympy.Implies(sympy.And(p, q), r)) == r"p > 0 \text{ and } q > 0 \implies r > 0"
    assert latex(sympy.Equivalent(p, q)) == r"p > 0 \iff q > 0"
    nested = sympy.Implies(p, sympy.Implies(q, r))
    assert latex(nested) == r"p > 0 \implies \left(q > 0 \implies r > 0\right)"


def test_brackets_stay_where_something_could_be_read_into_the_sine():
    for product in (r"\sin{\left(t \right)} x", r"\sin{\left(t \right)} \left(1 + x\right)"):
        assert _OF_A_LETTER.sub("", product) == product
    assert latex(sin(Symbol("x_1"))) == r"\sin{\left(x_{1} \right)}"


def test_sums_of_integrals_run_from_below():
    cuts = [(pi / 2, t + pi / 2), (t - pi / 2, pi / 2), (-pi / 2, t - pi / 2)]
    terms = [a * Integral(cos(theta), (theta, *cut)) for cut in cuts]
    assert ordered_terms(sympy.Add(*terms)) == terms[::-1]
    assert ordered_terms(1 + a) == [a, 1] or ordered_terms(1 + a) == [1, a]


@given(st.integers(min_value=1, max_value=25), st.integers(min_value=1, max_value=25))
def test_widths_add_up(left, right):
    first, second = " + ".join(["a"] * left), " + ".join(["b"] * right)
    both = width(f"{first} = {second}")
    assert both == pytest.approx(width(first) + width("=") + width(second))
    assert width(rf"\frac{{{first}}}{{{second}}}") == pytest.approx(max(width(first), width(second)) + 2.4)
    assert width(f"x^{{{first}}}_{{{second}}}") == pytest.approx(
        width("x") + 0.7 * max(width(first), width(second))
    )
    assert width(rf"\sqrt{{{first}}}") > width(first)
    assert width(rf"\begin{{aligned}} & {first} \\ & {second} \end{{aligned}}") == pytest.approx(
        max(width(first), width(second))
    )
    matrix = rf"\begin{{bmatrix}} {first} & a \\[8pt] b & {second} \end{{bmatrix}}"
    assert width(matrix) == pytest.approx(max(width(first), width("b")) + max(width(second), width("a")) + 20)


# Widths of the boxes that TeX makes of these displays, in type of 10 points; it told them when
# each was put into a box register. A tenth is what PAGE leaves for the estimate.
OF_TEX = {
    r"\frac{\sqrt{2} \sigma^{2}}{\sqrt{\pi}} \left(a^{2} + b^{2}\right) "
    r"\int_{0}^{\infty} x^{2} e^{-x^{2} / 2}\, dx": 140.4,
    r"z - \Delta_\phi z^{3/2} \le \zeta(z) \le z - \tfrac{8}{3\pi}\Delta_\phi z^{3/2}": 153.2,
    r"\langle B_1^*\hat x_1, B_2^*(\hat x_2 - \rho\hat x_1)\rangle"
    r" + \langle B_1^*\hat x_2, B_2^*(\hat x_1 - \rho\hat x_2)\rangle": 199.0,
    r"\frac{2 \Delta_{\phi} \left|2 N \alpha \left(\rho - 1\right) + N \left(\beta + "
    r"\gamma\right) \left(\rho - 1\right)\right|}{\pi \sqrt{1 - \rho^{2}}}": 167.4,
    r"\frac{\sigma^{2}}{1 - \rho^{2}} \left(g_{11} - g_{12} \rho - g_{21} \rho + "
    r"g_{22}\right)": 138.7,
    r"\text{$\sigma^2 = (a^2 + b^2)^{-1}$, $\Delta_\phi = b^2 (a^2 + b^2)^{-1}$; "
    r"the closed form at the end}": 285.8,
    r"f(s) = \mathrm{He}_3(s) \implies \tfrac{d}{d\rho}\,\mathbb{E}f(s_1u_1)f(s_2u_2)"
    r" = s_1s_2\,\mathbb{E}f'(s_1u_1)f'(s_2u_2)": 285.1,
    r"\frac{1}{\pi} \left(\int_{-\pi / 2}^{t - \pi / 2} \sin^{2}{\left(t - \theta \right)}\, "
    r"d\theta + \int_{t - \pi / 2}^{\pi / 2} \sin^{2}{\left(t - \theta \right)}\, d\theta + "
    r"\int_{\pi / 2}^{t + \pi / 2} \sin^{2}{\left(t - \theta \right)}\, d\theta + "
    r"\int_{t + \pi / 2}^{3 \pi / 2} \sin^{2}{\left(t - \theta \right)}\, d\theta\right)": 426.7,
    r"\begin{bmatrix} p_{11} \sigma^{2} \tau_{1} & p_{12} \sigma^{2} \tau_{2} \\ q_{11} "
    r"\sigma^{2} \tau_{1} & q_{12} \sigma^{2} \tau_{2} \end{bmatrix} \begin{bmatrix} \frac{w_{1}}"
    r"{\sigma \tau_{1} \sqrt{1 - \rho^{2}}} \\[8pt] \frac{w_{2}}{\sigma \tau_{2} "
    r"\sqrt{1 - \rho^{2}}} \end{bmatrix}": 145.7,
}


@each("formula", *OF_TEX)
def test_widths_are_those_of_tex(formula):
    assert width(formula) == pytest.approx(OF_TEX[formula], rel=0.1)


@given(st.integers(min_value=1, max_value=29), st.floats(min_value=60, max_value=500))
def test_split_sums_keep_every_term_and_fit(count, room):
    total = sympy.Add(*[(-1) ** place * term for place, term in enumerate(TERMS[:count])])
    written = split(total, room)
    plain = re.sub(r"\\begin\{aligned\}\[t\]|\\end\{aligned\}|\\\\|&|\{\}|\s", "", written)
    assert plain == re.sub(r"\s", "", latex(total))
    assert width(written) <= room
    assert flaw(written) is None


def test_a_factor_stands_before_the_lines_of_its_sum():
    written = split(a * sympy.Add(*TERMS), 200)
    assert written.startswith("a \\left(\\begin{aligned}\n& x_{1}")
    assert written.endswith("\\end{aligned}\\right)")
    assert split(-sympy.Add(*TERMS[:2], evaluate=False), 1).count("x_") == 2
    assert split(sympy.Mul(*TERMS), 10) == latex(sympy.Mul(*TERMS))


def test_reasons_stand_beside_short_lines_and_below_long_ones():
    lines = [Line(x), Line(x + 1, r"\le", "a reason")]
    short = chain("f", lines)
    assert short == ("\\begin{align*}\nf\n  &= x \\\\\n  &\\le x + 1 && \\text{a reason}\n\\end{align*}")
    long = chain("f", lines, room=60)
    assert "  &\\le x + 1 \\\\*\n  &\\quad\\text{\\small (a reason)}" in long
    assert chain("f + g + h + k", lines, room=60).splitlines()[1] == r"  & f + g + h + k \\*"


def test_the_first_line_says_what_its_symbols_stand_for():
    derivation = Derivation("t", "f", x, [Step(x, "same")], notation="for all $x$")
    assert r"&= x && \text{for all $x$}" in derivation.latex()


def test_a_derivation_without_a_name_begins_with_its_first_expression():
    lines = Derivation("t", "", x, [Step(x + 0, "same")]).latex({x: r"\xi"}).splitlines()
    assert lines[1:3] == [r"\xi", r"  &= \xi && \text{same}"]


@each(
    "derive",
    derive_varrho,
    lambda: derive_integral("w1"),
    lambda: derive_integral("w2"),
    lambda: derive_integral("w1_w2"),
)
def test_polar_derivations_fit_a_page(derive):
    text = derive().latex()
    assert flaw(text) is None
    assert width(text) <= A4
    assert text.count(r"\int") < 40
