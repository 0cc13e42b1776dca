"""Letters and signs of mathematics as they are typed in prose, and their LaTeX."""

__all__ = [
    "BIG", "BLACKBOARD", "CLOSING", "FUNCTIONS", "GREEK", "LOWERED", "MARKS", "NAMED", "OPENING",
    "OPERATORS", "RAISED", "RELATIONS", "SCRIPT", "SHORT_WORDS", "TYPED",
]  # fmt: skip

_GREEK_NAMES = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho "
    "varsigma sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varphi varrho vartheta epsilon ell"
)
GREEK = dict(zip("αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩϕϱϑϵℓ", _GREEK_NAMES.split(), strict=True))
#: Names of Greek letters, which indices may spell out.
NAMED = {name.removeprefix("var"): rf"\{name}" for name in GREEK.values()}
BLACKBOARD = dict(zip("ℝℕℤℚℂℙ𝔼", "RNZQCPE", strict=True))
SCRIPT = dict(zip("𝒩ℒℱℋ𝒟𝒢𝒫ℐ𝒳𝓘𝒦", "NLFHDGPIXIK", strict=True))
MARKS = {
    "\N{COMBINING MACRON}": "bar", "\N{COMBINING TILDE}": "tilde",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "hat", "\N{COMBINING RING ABOVE}": "mathring",
    "\N{COMBINING DOT ABOVE}": "dot", "\N{COMBINING OVERLINE}": "overline",
}  # fmt: skip
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿʲⁱᵏˡᵗ", "0123456789+-()njiklt", strict=True)) | {"ᵀ": r"\top "}
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙⱼᵢₖₗₘₜₚₛₐ", "0123456789+-()njiklmtpsa", strict=True))
FUNCTIONS = {
    "log": r"\log", "exp": r"\exp", "sin": r"\sin", "cos": r"\cos", "tan": r"\tan",
    "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh", "arcsin": r"\arcsin",
    "arccos": r"\arccos", "arctan": r"\arctan", "max": r"\max", "min": r"\min", "sup": r"\sup",
    "inf": r"\inf", "lim": r"\lim", "det": r"\det", "dim": r"\dim", "tr": r"\operatorname{tr}",
    "Var": r"\operatorname{Var}", "Cov": r"\operatorname{Cov}", "sgn": r"\operatorname{sgn}",
    "erf": r"\operatorname{erf}", "erfc": r"\operatorname{erfc}",
    "diag": r"\operatorname{diag}", "He": r"\operatorname{He}",
}  # fmt: skip
OPERATORS = {
    "+": "+", "-": "-", "−": "-", "±": r"\pm", "∓": r"\mp", "·": r"\cdot", "×": r"\times",
    "/": "/", "∘": r"\circ", "⊗": r"\otimes", "*": "*", "∗": "*", "…": r"\ldots", "!": "!",
    "∪": r"\cup", "∩": r"\cap", "⊙": r"\odot", "⊠": r"\boxtimes", "∧": r"\wedge",
    "⋆": r"\star",
}  # fmt: skip
RELATIONS = {
    "=": "=", "<": "<", ">": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx",
    "∈": r"\in", "→": r"\to", "≲": r"\lesssim", "~": r"\sim", "∼": r"\sim", "⟂": r"\perp",
    "≪": r"\ll", "≫": r"\gg", "⊂": r"\subset", "⟹": r"\implies", "≡": r"\equiv", "∝": r"\propto",
    "↦": r"\mapsto", "≺": r"\prec", "⊥": r"\perp",
}  # fmt: skip
BIG = {"√": r"\sqrt", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "∇": r"\nabla"}
OPENING = {"(": "(", "[": "[", "{": r"\{", "⟨": r"\langle ", "⌊": r"\lfloor ", "⌈": r"\lceil "}
CLOSING = {")": ")", "]": "]", "}": r"\}", "⟩": r"\rangle ", "⌋": r"\rfloor ", "⌉": r"\rceil "}
#: What is typed where a keyboard lacks the sign.
TYPED = {"<=": "≤", ">=": "≥", "->": "→", "^⊤": "ᵀ", "⊤": "ᵀ", "|.|": "|·|", "½": "1/2"}
_SHORT = (
    "of in at by if it an no as to we is on or so up do be he Of In At By If It An No As To We Is "
    "On Or So Up Do Be He me my us am go vs eq cf al th st nd rd ii iv vi ix GD"
)
#: Two letters that are a word or an abbreviation, where others are a product.
SHORT_WORDS = frozenset(_SHORT.split())
