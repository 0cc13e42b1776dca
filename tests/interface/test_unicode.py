"""Formulas in Unicode: nothing that LaTeX displays is lost, and what it groups stays together."""

import re
import unicodedata
from collections import Counter

import pytest
from trying import each

from theorems.engine.running.catalogue import catalogue
from theorems.interface.unicode import unicode

MARKS = {"bar": "\u0304", "overline": "\u0305", "hat": "\u0302", "tilde": "\u0303", "dot": "\u0307"}
MARKS |= {"mathring": "\u030a"}
LETTERS = {
    r"\rho": "ρ", r"\varrho": "ϱ", r"\phi": "ϕ", r"\varphi": "φ", r"\kappa": "κ", r"\Delta": "Δ",
    r"\sigma": "σ", r"\nu": "ν", r"\tau": "τ", r"\delta": "δ", r"\epsilon": "ϵ", r"\eta": "η",
    r"\varepsilon": "ε", r"\zeta": "ζ", r"\omega": "ω", r"\pi": "π", r"\lambda": "λ", r"\ell": "ℓ",
    r"\gamma": "γ", r"\theta": "θ", r"\Omega": "Ω", r"\Pi": "Π", r"\psi": "ψ", r"\mu": "μ",
    r"\infty": "∞", r"\nabla": "∇", r"\partial": "∂", r"\sum": "∑", r"\prod": "∏", r"\int": "∫",
    r"\implies": "⟹", r"\iff": "⟺", r"\in": "∈", r"\sim": "∼", r"\langle": "⟨", r"\rangle": "⟩",
    r"\otimes": "⊗", r"\boxtimes": "⊠", r"\forall": "∀", r"\exists": "∃", r"\top": "⊤",
    r"\|": "‖", r"\cdot": "·", r"\dots": "…", r"\asymp": "≍", r"\pm": "±", r"\circ": "∘",
}  # fmt: skip
#: Commands that are no letters and display none.
SILENT = {
    "left", "right", "frac", "tfrac", "sqrt", "text", "mathrm", "mathbb", "mathcal", "mathbf",
    "operatorname", "quad", "bigl", "bigr", "Bigl", "Bigr", "bigm", "textstyle", "overset",
    "mathrel", "bar", "hat", "widehat", "tilde", "dot", "overline", "le", "leq", "ge", "geq",
    "ne", "neq", "to", "mid", "perp", "succeq", "mapsto", "subset", "angle", "times", "cdots",
    "Rightarrow", "lceil", "rceil", "bigcup", "cong", "cup", "cap", "equiv", "parallel",
    "beta", "alpha", "xi", "chi", "Sigma", "Theta", "Gamma", "varsigma", "Phi", "lfloor", "rfloor",
    "stackrel", "mathring", "xrightarrow", "notin",
}  # fmt: skip


def displayed(claims):
    """Every formula that a page of a claim shows, once."""
    found = {}
    for one in claims:
        letters = [letter.latex for letter in one.given]
        hypotheses = [hypothesis.latex for hypothesis in one.assumed if hypothesis.latex]
        found |= dict.fromkeys([*one.statement.values(), *letters, *hypotheses])
    return list(found)


@pytest.fixture(scope="module")
def pairs():
    formulas = displayed(catalogue().claims.values())
    assert len(formulas) > 1000
    return [(latex, unicode(latex)) for latex in formulas]


def plain(text):
    """Characters without their alphabets, indices and exponents; roots by their degrees."""
    text = text.replace("∛", "3√").replace("∜", "4√").replace("ℓ", "")
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return "".join(one for one in text if not unicodedata.combining(one))


def bare(latex):
    """LaTeX without environments and lengths."""
    return re.sub(r"\\(?:begin|end)\{\w+\}|\\\\\[\w+\]", " ", latex)


def commands(latex):
    return Counter(re.findall(r"\\(?:[A-Za-z]+|.)", bare(latex)))


def wrong(pairs, agrees):
    return [pair for pair in pairs if not agrees(*pair)]


class TestAllStatements:
    def test_no_command_and_no_brace_of_latex_is_left(self, pairs):
        assert not wrong(pairs, lambda _, shown: not set("\\$&") & set(shown) and shown.strip())
        escaped = r"\\[{}]|\\begin\{B?cases\}"
        assert not wrong(pairs, lambda latex, shown: ("{" in shown) == bool(re.search(escaped, latex)))

    def test_brackets_are_balanced(self, pairs):
        def balanced(_, shown):
            depth = 0
            for letter in shown:
                depth += (letter in "([{⟨⌈⌊⁽₍") - (letter in ")]}⟩⌉⌋⁾₎")
                if depth < 0:
                    return False
            return depth == 0 and shown.count("‖") % 2 == 0

        assert not wrong(pairs, balanced)

    def test_digits_stay_in_their_order(self, pairs):
        def digits(text):
            return re.findall(r"\d", text)

        assert not wrong(pairs, lambda latex, shown: digits(bare(latex)) == digits(plain(shown)))

    def test_latin_letters_stay(self, pairs):
        def letters(latex):
            def said(command):
                return "" if command[0] in LETTERS or command[1] in SILENT else command[1]

            text = re.sub(r"\\([A-Za-z]+|.)", said, bare(latex))
            return Counter(re.findall(r"[A-Za-z]", text))

        def shown_letters(shown):
            return Counter(re.findall(r"[A-Za-z]", plain(shown)))

        assert not wrong(pairs, lambda latex, shown: letters(latex) == shown_letters(shown))

    @each("command", *LETTERS)
    def test_symbols_are_neither_lost_nor_doubled(self, pairs, command):
        sign = LETTERS[command]
        assert not wrong(pairs, lambda latex, shown: commands(latex)[command] == shown.count(sign))

    @each("accent", *MARKS)
    def test_accents_stay(self, pairs, accent):
        def agrees(latex, shown):
            count = commands(latex)[f"\\{accent}"] + commands(latex)[f"\\wide{accent}"]
            return count == unicodedata.normalize("NFD", shown).count(MARKS[accent])

        assert not wrong(pairs, agrees)

    def test_every_fraction_is_a_quotient_and_every_root_a_root(self, pairs):
        def agrees(latex, shown):
            found = commands(latex)
            quotients = found[r"\frac"] + found[r"\tfrac"] + bare(latex).count("/")
            roots = sum(shown.count(sign) for sign in "√∛∜")
            return (quotients, found[r"\sqrt"]) == (shown.count("/"), roots)

        assert not wrong(pairs, agrees)

    def test_bars_stay(self, pairs):
        def agrees(latex, shown):
            single = bare(latex).replace(r"\|", "").count("|") + commands(latex)[r"\mid"]
            return single == shown.count("|")

        assert not wrong(pairs, agrees)

    def test_every_power_is_raised(self, pairs):
        raised = set("⁰¹²³⁴⁵⁶⁷⁸⁹")

        def agrees(latex, shown):
            wanted = re.findall(r"\^\{?(\d)\}?", latex)
            small = [one for one in shown if one in raised]
            spelled = re.findall(r"\^\(?(\d)", shown)
            return len(wanted) <= len(small) + len(spelled)

        assert not wrong(pairs, agrees)


EXAMPLES = {
    r"X_n \xrightarrow{d} \mathring{X}, Y \xrightarrow{\text{a.s.}} 0": "Xₙ →ᵈ X̊, Y →^(a.s.) 0",
    r"\frac{a + b}{c d} e": "((a + b)/(c d)) e",
    r"\frac{a + b}{c \left(d + 1\right)}": "(a + b)/(c (d + 1))",
    r"x - \frac{2 a}{b}": "x − 2 a/b",
    r"2 \frac{3}{4}": "2 (3/4)",
    r"\frac{a}{b}^2": "(a/b)²",
    r"\left(\frac{a}{b}\right)^{2}": "(a/b)²",
    r"\frac{\frac{a}{b}}{\frac{c}{d}}": "(a/b)/(c/d)",
    r"\frac{\zeta{\left(z\right)}}{\zeta{\left(y\right)}}": "ζ(z)/ζ(y)",
    r"\frac{1}{m(m+1)}": "1/(m(m + 1))",
    r"\frac{-1}{2}": "(−1)/2",
    r"1/\frac{a}{b}": "1/(a/b)",
    r"\log\frac{a}{b}": "log(a/b)",
    r"\frac{\log a}{b}": "(log a)/b",
    r"\mathbb{E}\frac{a}{b}": "𝔼(a/b)",
    r"\max_t\frac{a_t}{b}": "maxₜ(aₜ/b)",
    r"\sum_{k=1}^\infty\frac{1}{k}": "∑_(k=1)^∞ 1/k",
    r"\sum_{k=1}^{n} x_k": "∑ₖ₌₁ⁿ xₖ",
    r"\tfrac12 x": "(1/2) x",
    r"\frac{d}{d s} f": "(d/ds) f",
    r"\frac{\partial^{2}}{\partial \rho^{2}} f": "(∂²/∂ρ²) f",
    r"{x^2}^3": "(x²)³",
    r"{\kappa_\phi}_{0}^{2}": "(κ_ϕ)₀²",
    r"\sqrt{x}^{2}": "(√x)²",
    r"\sqrt{2} x": "√2 x",
    r"\sqrt{2}x": "√2 x",
    r"\sqrt{a b}": "√(a b)",
    r"\sqrt[3]{x + 1}": "∛(x + 1)",
    r"\sqrt[n]{x}": "x^(1/n)",
    r"e^{-x}": "e⁻ˣ",
    r"e^{-x^2}": "e^(−x²)",
    r"x^{\alpha}y": "x^α y",
    r"x^{\frac{1}{2}} y": "x^(1/2) y",
    r"2^{10}": "2¹⁰",
    r"w^T": "w^T",
    r"w^\top A^* y": "w^⊤ A* y",
    r"f_\mathrm{lin}x": "f_lin x",
    r"A_{k_1,k_2}x": "A_(k₁,k₂) x",
    r"x_12": "x₁2",
    r"f''": "f′′",
    r"\omega^{\circ(k-1)}": "ω^(∘(k−1))",
    r"\|x \|y\|\|": "‖x ‖y‖‖",
    r"\bigl||a| - b\bigr|": "||a| − b|",
    r"|X| > t": "|X| > t",
    r"\mathbb{E}(X \mid Y)": "𝔼(X | Y)",
    r"\mathbb{P}(|X| \ge t | Y)": "ℙ(|X| ≥ t | Y)",
    r"|\cdot|": "|·|",
    r"\left[0, 1\right)": "[0, 1)",
    r"\{x : x > 0\}": "{x : x > 0}",
    r"-x + -y": "−x + −y",
    r"a {-} b": "a − b",
    r"\mathbf{1}": "𝟏",
    r"\overset{d}{=}": "=ᵈ",
    r"\hat{x_1}\bar\nu\overline W": "x̂₁ν̄W̅",
    r"\hat{x + y}": "hat(x + y)",
    r"\begin{bmatrix} 1 & x \\[8pt] 0 & 1 \end{bmatrix}": "[1, x; 0, 1]",
    r"\left[\begin{smallmatrix}1&2\\3&4\end{smallmatrix}\right]": "[1, 2; 3, 4]",
    r"\begin{cases} 0 & \text{for}\: x < 0 \\ x & \text{otherwise} \end{cases}": (
        "{0 for x < 0; x otherwise}"
    ),
    r"x \text{ for all } $n$ \text{, and } y": "x for all n, and y",
    r"\text{the } $n$ \text{th}": "the n th",
    r"A \cdots B, \ 1, \dots, n": "A ⋯ B, 1, …, n",
    r"\unheard{x} \odd": "unheard x odd",
    "": "",
}


@each("latex", *EXAMPLES)
def test_examples(latex):
    assert unicode(latex) == EXAMPLES[latex]
