"""The signs of a formula: how a command looks in Unicode, and what kind of piece it is."""

import functools

from pylatexenc.latex2text import get_default_latex_context_db

from theorems.interface.notation.pieces import Kind, Piece, letters_of

__all__ = ["NOTHING", "SIDES", "SPACES", "named", "symbol", "word"]

#: Commands that leave a space, and commands that leave nothing.
SPACES = {" ", ",", ";", ":", ">", "thinspace", "enspace", "\n"}
NOTHING = {
    "!", "limits", "nolimits", "displaystyle", "textstyle", "scriptstyle", "nonumber", "/",
}  # fmt: skip
_SIZES = ("big", "Big", "bigg", "Bigg")
#: What the sign after a command of size becomes; after some it stays what it is.
SIDES: dict[str, Kind | None] = {
    **dict.fromkeys(_SIZES),
    **{size + "l": Kind.OPEN for size in _SIZES},
    **{size + "r": Kind.CLOSE for size in _SIZES},
    **{size + "m": Kind.RELATION for size in _SIZES},
    "left": Kind.OPEN,
    "right": Kind.CLOSE,
    "middle": Kind.RELATION,
}
_OWN = {
    "implies": "⟹", "iff": "⟺", "ne": "≠", "|": "‖", "lVert": "‖", "rVert": "‖", "Vert": "‖",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "prime": "′", "colon": ":", "top": "⊤",
    "quad": "  ", "qquad": "  ", "backslash": "∖", "succeq": "⪰", "preceq": "⪯", "lbrace": "{",
    "rbrace": "}", "lbrack": "[", "rbrack": "]", "intercal": "⊤", "dagger": "†",
}  # fmt: skip
_LIMITS = {"lim", "liminf", "limsup"}
_KINDS = {
    Kind.RELATION: "=<>≤≥≠∈∉∋⊂⊆⊃⊇∼≃≈≡≅≍∝→←↔↦⇒⇐⇔⟹⟸⟺⟶≪≫≲≳≽≼⪰⪯≻≺⊥∥⊢≐",
    Kind.BINARY: "+−±∓×⊗⊠⊕⊞·∘∗∪∩∖∧∨⊙⋆†",
    Kind.BIG: "∑∏∫⋃⋂⨁⨂∐",
    Kind.PREFIX: "∇∂∀∃¬∠",
    Kind.OPEN: "([{⟨⌊⌈",
    Kind.CLOSE: ")]}⟩⌋⌉",
    Kind.BAR: "|‖",
    Kind.COMMA: ",;",
    Kind.COLON: ":",
    Kind.SLASH: "/",
}
_KIND_OF = {sign: kind for kind, signs in _KINDS.items() for sign in signs}
_TYPED = {"-": "−", "*": "∗", "~": " "}


@functools.cache
def named(name: str) -> Piece:
    """The symbol of a command without arguments; a command that is not known stays as a word."""
    spec = get_default_latex_context_db().get_macro_spec(name)
    found = getattr(spec, "simplify_repl", None)
    text = _OWN.get(name) or (found.strip() if isinstance(found, str) else "") or name
    if name in _LIMITS:
        return Piece(text, Kind.BIG)
    if name == "mid":
        return Piece(text, Kind.RELATION)
    if name in {"quad", "qquad"}:
        return Piece(text, Kind.WIDE)
    return word(text) if text.isascii() else symbol(text)


def symbol(text: str) -> Piece:
    """The piece that a sign is, as it is typed.

    >>> symbol("-").text, symbol("≤").kind.name
    ('−', 'RELATION')
    """
    sign = _TYPED.get(text, text)
    return Piece(sign, _KIND_OF.get(sign, Kind.ATOM))


def word(text: str) -> Piece:
    """A name of several letters applies to what follows, like log; a letter is a letter."""
    several = letters_of(text) > 1 and text[0].isalpha()
    return Piece(text, Kind.OPERATOR) if several else symbol(text)
