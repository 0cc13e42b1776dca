"""Prose as LaTeX: formulas in it as mathematics, all other special characters escaped."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import product
from string import ascii_letters

__all__ = ["escaped", "pieces", "words"]

_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩϱϕ"
_NAMES = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varrho "
    "varphi"
)
_GREEK = dict(zip(_LETTERS, _NAMES.split(), strict=True))
_MARKS = {"\N{COMBINING MACRON}": "bar", "\N{COMBINING TILDE}": "tilde"}
#: A letter with a mark is two characters; one of the private ones stands for both.
_MARKED = {
    letter + mark: chr(0xE000 + number)
    for number, (mark, letter) in enumerate(product(_MARKS, [*_GREEK, *ascii_letters]))
}
_TWO = {one: pair for pair, one in _MARKED.items()}
_LETTERS += "".join(_MARKED.values())
_GREEK |= {
    one: rf"{_MARKS[pair[1]]}{{\{_GREEK[pair[0]]}}}"
    if pair[0] in _GREEK
    else rf"{_MARKS[pair[1]]}{{{pair[0]}}}"
    for pair, one in _MARKED.items()
}
_SIGNS = {
    "∂": r"\partial", "∇": r"\nabla", "′": "'", "‖": r"\|", "∑": r"\sum", "∫": r"\int",
    "∏": r"\prod", "½": r"\tfrac12", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "√": r"\surd",
    "∞": r"\infty", "·": r"\cdot", "×": r"\times", "∘": r"\circ", "→": r"\to", "∈": r"\in",
    "±": r"\pm", "∓": r"\mp", "−": "-", "<": "<", ">": ">", "|": "|", "″": "''", "ℓ": r"\ell",
    "⟨": r"\langle", "⟩": r"\rangle", "≈": r"\approx", "≲": r"\lesssim", "⊤": r"{}^{\top}",
    "…": r"\ldots", "⟂": r"\perp",
}  # fmt: skip
_ESCAPES = {letter: "\\" + letter for letter in "_#%&{}$"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''",
}  # fmt: skip
_LATIN = 0x180
_TYPED = {"^⊤": "⊤", "<=": "≤", ">=": "≥", "->": "→", "|.|": "|·|"}

_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_SCRIPTS = str.maketrans(_RAISED + _LOWERED, 2 * "0123456789+-")
#: A letter that is no word (English has the words "a" and "I"), or one with an index.
_INDEX = rf"(?:_\{{[a-z0-9+\- ]+\}}|_[a-z0-9+\-{_LETTERS}]|[{_LOWERED}]+|\d+)"
_POWER = rf"(?:\^\([-−]?[\da-z/]+\)|\^\d|[{_RAISED}]+)"
_SYMBOL = (
    rf"(?<![\w'’\\^_])(?:\d*[{_LETTERS}]|[a-zA-Z](?={_INDEX}|{_POWER})|[b-zB-HJ-Z]"
    rf"|a(?=,? (?:and )?b\b| [=<>≤≥≠∈]))"
    rf"{_INDEX}?{_POWER}?(?:\([a-z](?:_[a-z0-9])?\))?(?:/\(\d*[{_LETTERS}]\))?(?![\w'’^_\\])"
)
_NUMBER = r"(?<![\w.])[-−]?\d+(?:/\d+)?(?![\w.])"
_NUMBER_POWER = r"(?<![\w.])\d+\^(?:\(-?[\d/]+\)|\d+|[a-z]\b)"
_PAIR = r"[(\[](?:[-−]?\d+), (?:\d+|∞)[)\]]|\([a-z], [a-z]\)"
_TERM = rf"(?:{_SYMBOL}|{_PAIR}|{_NUMBER})"
_FORMULA = re.compile(rf"{_PAIR}|{_NUMBER_POWER}|{_SYMBOL}(?: [=<>≤≥≠∈] {_TERM})*")


def words(text: str) -> str:
    r"""Prose in LaTeX, with the formulas that it contains set as mathematics.

    >>> print(words("k1 < k2, and a layer of x_{k2-1}(x_i) is 100% dead"))
    $k_{1} < k_{2}$, and a layer of $x_{k_{2}-1}(x_{i})$ is 100\% dead
    """
    found = pieces(text)
    return "".join(f"${one}$" if formula else escaped(one) for formula, one in found)


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    r"""Prose cut into formulas, which come as LaTeX, and what stands between them.

    >>> list(pieces("all x_i are 0"))
    [(False, 'all '), (True, 'x_{i}'), (False, ' are 0')]
    """
    for typed, meant in _TYPED.items():
        text = text.replace(typed, meant)
    text, done = _with_marks(text), 0
    for found in _FORMULA.finditer(text):
        yield False, _as_typed(text[done : found.start()])
        yield True, _formula(found[0])
        done = found.end()
    yield False, _as_typed(text[done:])


def _as_typed(text: str) -> str:
    """Letters with marks as two characters again."""
    return "".join(_TWO.get(one, one) for one in text)


def _with_marks(text: str) -> str:
    """One character for each letter with a mark; accents of names stay letters."""
    letters = (one.isalpha() and ord(one) >= _LATIN for one in text)
    apart = "".join(
        unicodedata.normalize("NFD", one) if beyond else one
        for one, beyond in zip(text, letters, strict=True)
    )
    for pair, one in _MARKED.items():
        apart = apart.replace(pair, one)
    return apart


def _formula(text: str) -> str:
    text = re.sub(f"[{_LOWERED}]+", lambda low: f"_{{{low[0].translate(_SCRIPTS)}}}", text)
    text = re.sub(f"[{_RAISED}]+", lambda high: f"^{{{high[0].translate(_SCRIPTS)}}}", text)
    text = re.sub(r"\^\(([^()]*)\)", r"^{\1}", text)
    text = re.sub(r"\^(\d+)", r"^{\1}", text)
    text = re.sub(r"([_^])([^{])", r"\1{\2}", text)
    text = re.sub(r"(?<![A-Za-z])([A-Za-z])(\d+)", r"\1_{\2}", text)
    named = _SIGNS | {letter: "\\" + command for letter, command in _GREEK.items()}
    spelled = "".join(f"{named[one]} " if one in named else one for one in text)
    return re.sub(r" +(?=[ ^_)(\]}/]|$)", "", spelled)


def escaped(text: str) -> str:
    """Text letter by letter, its special characters escaped."""
    return "".join(_ESCAPES.get(letter) or _sign(letter) for letter in _with_marks(text))


def _sign(letter: str) -> str:
    """A Greek letter, a raised or lowered sign; a symbol beyond is spelled out by its name."""
    if letter in _SIGNS:
        return f"${_SIGNS[letter]}$"
    if letter.isascii() or (letter.isalpha() and ord(letter) < _LATIN):
        return letter
    if letter in _GREEK:
        return rf"$\{_GREEK[letter]}$"
    name = unicodedata.name(letter, "unknown symbol")
    simple = unicodedata.normalize("NFKD", letter).replace("\N{MINUS SIGN}", "-")
    if name.startswith(("SUPERSCRIPT", "SUBSCRIPT")) and simple.isascii():
        return f"${'^' if name.startswith('SUP') else '_'}{simple}$"
    return f"[{name.lower()}]"
