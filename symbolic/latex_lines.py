r"""Formulas and derivations laid out on a page: long sums are split at their + and - signs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sympy import Add, Expr, Mul, Symbol

from symbolic.latex_printer import latex, ordered_terms
from symbolic.latex_width import width

#: Text on A4 paper with margins of 25 mm is 455 points wide; the estimates err by some per cent.
PAGE = 430.0
_BRACKETS, _INDENT, _GAP = 20.0, 20.0, 25.0


class Line(NamedTuple):
    """A stage of a derivation: its relation to the stage before, and why it holds."""

    expression: Expr
    relation: str = "="
    reason: str = ""


def split(expression: Expr, room: float = PAGE, symbol_names: Mapping[Symbol, str] | None = None) -> str:
    r"""LaTeX of an expression; a sum wider than `room` points is split into lines.

    >>> from sympy import Symbol
    >>> print(split(Symbol("x") + Symbol("y"), 20))
    \begin{aligned}[t]
    & x \\
    & {} + y
    \end{aligned}
    """
    written = latex(expression, symbol_names)
    if width(written) <= room:
        return written
    if isinstance(expression, Add):
        return _aligned(_packed(_signed(expression, room, symbol_names), room), "[t]")
    sums = [factor for factor in Mul.make_args(expression) if isinstance(factor, Add)]
    if not sums:
        return written
    longest = max(sums, key=lambda factor: width(latex(factor, symbol_names)))
    others = Mul(*[one for one in Mul.make_args(expression) if one != longest])
    front = latex(others, symbol_names)
    inner = room - width(front) - _BRACKETS
    lines = _aligned(_packed(_signed(longest, inner, symbol_names), inner), "")
    return rf"{'-' if front == '-1' else front} \left({lines}\right)"


def chain(
    name: str, lines: Sequence[Line], room: float = PAGE, names: Mapping[Symbol, str] | None = None
) -> str:
    """An align* environment: the reasons beside the lines, or below where the page is narrow.

    Without a name the first expression stands on the left side.
    """
    if not name:
        name, lines = latex(lines[0].expression, names), lines[1:]
    formulas = [latex(line.expression, names) for line in lines]
    columns = [width(name) + 13, max(map(width, formulas)), max(_prose(x.reason) for x in lines)]
    beside = sum(columns) + _GAP <= room
    body = _beside(name, lines, names) if beside else _below(name, lines, room, names)
    return "\n".join([r"\begin{align*}", *body, r"\end{align*}"])


def _beside(name: str, lines: Iterable[Line], names: Mapping[Symbol, str] | None) -> Iterator[str]:
    yield name
    rows = []
    for line in lines:
        reason = rf" && \text{{{line.reason}}}" if line.reason else ""
        rows.append(f"  &{line.relation} {latex(line.expression, names)}{reason}")
    yield " \\\\\n".join(rows)


def _below(
    name: str, lines: Iterable[Line], room: float, names: Mapping[Symbol, str] | None
) -> Iterator[str]:
    own_row = width(name) > room / 5
    indent = r"\quad " if own_row else ""
    left = room - (_INDENT if own_row else width(name)) - 13
    rows = []
    for line in lines:
        row = f"  &{indent}{line.relation} {split(line.expression, left, names)}"
        if line.reason:  # on the same page
            row += f" \\\\*\n  &{indent}" + rf"\quad\text{{\small ({line.reason})}}"
        rows.append(row)
    yield rf"  & {name} \\*" if own_row else name
    yield " \\\\\n".join(rows)


def _prose(reason: str) -> float:
    return width(rf"\text{{{reason}}}")


def _signed(expression: Add, room: float, names: Mapping[Symbol, str] | None = None) -> Iterator[str]:
    """Terms of a sum, each with its sign in front."""
    for place, term in enumerate(ordered_terms(expression)):
        negative = latex(term, names).startswith("-")
        written = split(-term if negative else term, room - _INDENT, names)
        yield f"- {written}" if negative else f"+ {written}" if place else written


def _packed(terms: Iterable[str], room: float) -> Iterator[str]:
    """As many terms on a line as there is room for."""
    line = ""
    for term in terms:
        if line and width(f"{line} {term}") > room:
            yield line
            line = f"{{}} {term}"
        else:
            line = f"{line} {term}".strip()
    yield line


def _aligned(lines: Iterable[str], place: str) -> str:
    body = " \\\\\n".join(f"& {line}" for line in lines)
    return f"\\begin{{aligned}}{place}\n{body}\n\\end{{aligned}}"
