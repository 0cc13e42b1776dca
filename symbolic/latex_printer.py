"""SymPy's LaTeX in the manner of a paper: integrals last, short exponents, few brackets."""

import re
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integral, MatMul, MatPow, MatrixBase, Mul, Pow, Rational, Symbol, fraction
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Or
from sympy.printing.latex import LatexPrinter

_SETTINGS = {"inv_trig_style": "full", "ln_notation": False, "fold_frac_powers": True}
#: A sine, cosine, ... of one letter needs no brackets where nothing follows that it could grasp.
_OF_A_LETTER = re.compile(
    r"(\\(?:arc)?(?:sin|cos|tan)(?:\^\{\d+\})?)\{\\left\((\\(?:theta|rho)|[a-z]) \\right\)\}"
    r"(?=$|\s*(?:[-+}&]|\\right|\\(?:arc)?(?:sin|cos|tan)\b|\\,|\\operatorname|\\end|\\\\))"
)
#: Italics side by side would be read as the natural logarithm.
_LIKE_A_NAME = re.compile(r"(?<![A-Za-z\\])l n(?![A-Za-z])")
#: One could not tell whether what follows a denominator is a part of it.
_AMBIGUOUS = re.compile(r" / \S+ (?![-+])")


def latex(expression: Any, symbol_names: Mapping[Symbol, str] | None = None) -> str:
    r"""Render in the papers' symbols: arcsin in full, sgn, roots, no floating point.

    `symbol_names` says how symbols print that do not print by their own names.

    >>> from sympy import asin, exp, pi
    >>> from symbolic.notation import DELTA, rho, u
    >>> latex(DELTA * asin(rho))
    '\\Delta_{\\phi} \\arcsin \\rho'
    >>> latex(Integral(exp(-(u**2) / 2), (u, 0, pi / 2)) / pi)
    '\\frac{1}{\\pi} \\int_{0}^{\\pi / 2} e^{-u^{2} / 2}\\, du'
    """
    names = {} if symbol_names is None else symbol_names
    if not isinstance(names, Mapping):
        raise TypeError(f"symbol_names must map symbols to LaTeX, got a {type(names).__name__}")
    settings = {**_SETTINGS, "symbol_names": dict(names)}
    written = _OF_A_LETTER.sub(r"\1 \2", str(_Printer(settings).doprint(expression)))
    return _LIKE_A_NAME.sub(r"l\\,n", written)


def ordered_terms(expression: Expr) -> list[Expr]:
    """Terms of a sum in the order in which `latex` writes them."""
    return _Printer(_SETTINGS)._as_ordered_terms(expression)


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer, with the sign written as sgn and integrals after their factors."""

    def _print_sign(self, node: Expr, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\operatorname{{sgn}}{power}{{\left({self._print(node.args[0])} \right)}}"

    def _print_Abs(self, node: Expr, exp: str | None = None) -> str:  # noqa: N802 - SymPy's name
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\left|{self._print(node.args[0])}\right|{power}"

    def _print_ExpBase(self, node: Expr, exp: str | None = None) -> str:  # noqa: N802 - SymPy's name
        power = f"e^{{{self._in_line(node.exp)}}}"
        return power if exp is None else rf"\left({power}\right)^{{{exp}}}"

    def _print_Mul(self, node: Expr) -> str:  # noqa: N802 - SymPy's name
        """Write integrals, and sums that would stand in a numerator, behind the other factors."""
        last = [factor for factor in node.args if has_integral(factor)] or _sum_over_fraction(node)
        others = [factor for factor in node.args if factor not in last]
        if not last or not others or not node.is_commutative:
            return str(super()._print_Mul(node))
        front = Mul(*others)
        written = "-" if front == -1 else self._factor(front)
        return " ".join([written, *map(self._factor, last)])

    def _factor(self, factor: Expr) -> str:
        written = str(self._print(factor))
        return rf"\left({written}\right)" if factor.is_Add else written

    def _as_ordered_terms(self, expr: Expr, order: str | None = None) -> list[Expr]:
        """Sums of integrals run through their intervals from below; no sum begins with a minus."""
        terms: list[Expr] = list(super()._as_ordered_terms(expr, order))
        if all(map(_start, terms)):
            return sorted(terms, key=_start)
        first = next((x for x in terms if not x.could_extract_minus_sign()), terms[0])
        return [first, *(term for term in terms if term is not first)]

    def _print_Integral(self, node: Integral) -> str:  # noqa: N802 - SymPy's name
        if any(len(limit) < 3 for limit in node.limits):
            return str(super()._print_Integral(node))
        signs = [rf"\int_{{{self._in_line(low)}}}^{{{self._in_line(high)}}}" for _, low, high in node.limits]
        measure = " ".join(rf"\, d{self._print(limit[0])}" for limit in node.limits)
        function = "" if node.function == 1 else self._factor(node.function)
        return f"{''.join(reversed(signs))} {function}{measure}".replace("  ", " ")

    def _print_Pow(self, node: Expr) -> str:  # noqa: N802 - SymPy's name
        """Write one over the root of a sum of fractions as a power."""
        if node.exp == -Rational(1, 2) and node.base.is_Add:
            base = str(self._print(node.base))
            if r"\frac" in base:
                return rf"\left({base}\right)^{{-1/2}}"
        return str(super()._print_Pow(node))

    def parenthesize_super(self, s: str) -> str:
        """A base with an exponent of its own is put in parentheses, one with a prime in braces.

        Braces around an accented letter with an exponent would not keep TeX from seeing two.
        """
        if "^" in s:
            return rf"\left({s}\right)"
        return f"{{{s}}}" if "'" in s else s

    def _print_MatPow(self, node: Expr) -> str:  # noqa: N802 - SymPy's name
        base = str(self._print(node.base))
        written = rf"\left({base}\right)" if isinstance(node.base, MatMul | MatPow) else base
        return f"{written}^{{{self._in_line(node.exp)}}}"

    def _print_Inverse(self, node: Expr) -> str:  # noqa: N802 - SymPy's name
        return self._print_MatPow(node)

    def _in_line(self, expression: Expr) -> str:
        """A limit or an exponent, with its fractions on one line unless a factor follows them."""
        settings = {**_SETTINGS, "symbol_names": self._settings["symbol_names"]}
        written = str(_Printer({**settings, "fold_short_frac": True}).doprint(expression))
        if _AMBIGUOUS.search(written):
            written = str(_Printer(settings).doprint(expression))
        if r"\frac" in written:
            written = self._slashed(expression) or written
        return written.replace("- ", "-", 1) if written.startswith("- ") else written

    def _slashed(self, quotient: Expr) -> str | None:
        """Numerator / (denominator), unless one of them has fractions of its own."""
        numerator, denominator = fraction(quotient)
        above, below = str(self._print(numerator)), str(self._print(denominator))
        if denominator == 1 or r"\frac" in above + below or has_integral(quotient):
            return None
        above = rf"\left({above}\right)" if numerator.is_Add else above
        return (
            f"{above} / ({below})"
            if denominator.args and denominator.func is not Pow
            else f"{above} / {below}"
        )

    def _print_And(self, node: Boolean) -> str:  # noqa: N802 - SymPy's name
        return r" \text{ and } ".join(self._within(one) for one in node.args)

    def _print_Or(self, node: Boolean) -> str:  # noqa: N802 - SymPy's name
        return r" \text{ or } ".join(self._within(one) for one in node.args)

    def _print_Implies(self, node: Boolean, altchar: str = r"\implies") -> str:  # noqa: N802 - as above
        return f" {altchar} ".join(
            self._within(one) if isinstance(one, Implies | Equivalent) else str(self._print(one))
            for one in node.args
        )

    def _print_Equivalent(self, node: Boolean, altchar: str = r"\iff") -> str:  # noqa: N802 - as above
        return self._print_Implies(node, altchar)

    def _within(self, one: Boolean) -> str:
        """A relation as it is, a compound of relations in brackets."""
        written = str(self._print(one))
        compound = isinstance(one, And | Or | Implies | Equivalent)
        return rf"\left({written}\right)" if compound else written

    def _print_Order(self, node: Expr) -> str:  # noqa: N802 - SymPy's name
        base, exponent = node.expr.as_base_exp()
        power = self._print(base) if exponent == 1 else f"{self._print(base)}^{{{exponent}}}"
        return rf"O({power})" if base.is_Symbol else str(super()._print_Order(node))

    def _print_MatrixBase(self, node: MatrixBase) -> str:  # noqa: N802 - SymPy's name
        """Set the rows apart where they have fractions."""
        rows = [" & ".join(map(self._print, node.row(i))) for i in range(node.rows)]
        spread = "[8pt]" if any(r"\frac" in row for row in rows) else ""
        body = rf" \\{spread} ".join(rows)
        return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def has_integral(factor: Expr) -> bool:
    """Whether a factor is an integral or a mean, or a sum with one: it is written last."""
    if factor.is_Add:
        return any(has_integral(one) for term in factor.args for one in Mul.make_args(term))
    return isinstance(factor, Integral) or hasattr(factor, "integrand")


def _sum_over_fraction(product: Expr) -> list[Expr]:
    """The one sum in the numerator of a fraction that has other factors beside it."""
    numerator, denominator = fraction(product)
    factors = Mul.make_args(numerator)
    sums = [factor for factor in factors if factor.is_Add and factor in product.args]
    others = Mul(*[factor for factor in factors if not factor.is_Add])
    single = len(sums) == 1 and denominator != 1 and others not in (1, -1)
    return sums if single else []


def _start(term: Expr) -> tuple[float, ...]:
    """Where the first integral of a term starts, its ends taken at 1; nothing if it is unknown."""
    limits = [limit for node in term.atoms(Integral) for limit in node.limits if len(limit) == 3]
    lows = [low.subs(dict.fromkeys(low.free_symbols, 1)) for _, low, _ in limits]
    known = lows and all(low.is_extended_real for low in lows)
    return (float(min(lows)),) if known else ()
