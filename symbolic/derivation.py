r"""Derivations as values: a chain from a definition to a closed form, re-checked on demand.

>>> from sympy import Derivative, Symbol
>>> x = Symbol("x", real=True)
>>> chain = Derivation(
...     title="A derivative",
...     name="f'(x)",
...     start=Derivative(x**3 / 3 - x, x),
...     steps=[Step(x**2 - 1, "differentiate"), Step((x - 1) * (x + 1), "factor")],
... )
>>> chain.answer, chain.conclusion
(True, (x - 1)*(x + 1))
>>> [result.answer for result in chain.claiming((x - 1) ** 2).check()]
[True, False]
>>> print(chain.latex())
\begin{align*}
f'(x)
  &= \frac{d}{d x} \left(\frac{x^{3}}{3} - x\right) \\
  &= x^{2} - 1 && \text{differentiate} \\
  &= \left(x - 1\right) \left(x + 1\right) && \text{factor}
\end{align*}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple, Self

from sympy import Expr, PolynomialError, Symbol
from sympy.logic.boolalg import Boolean

from symbolic.equality import Decision, decide_equal, equal, together_decided
from symbolic.latex_lines import Line, chain
from symbolic.normal_form import Domain

__all__ = ["Check", "Decision", "Derivation", "Step", "StepResult", "equal"]

Check = Callable[[Expr, Expr], Decision]


@dataclass(frozen=True)
class Step:
    r"""One link: what the expression before equals, and why.

    `check(before, after)` redoes the step and decides it. Without one the two expressions are
    compared after carrying out derivatives and finite sums; an integral is never carried out
    that way, so a step that integrates needs a check of its own. `relation` is `=` or `\le`;
    an inequality needs a check.
    """

    expression: Expr
    reason: str
    check: Check | None = None
    relation: str = "="

    def __post_init__(self) -> None:
        if self.relation not in {"=", r"\le"}:
            raise ValueError(rf"relation must be '=' or '\le', got {self.relation!r}")
        if self.relation != "=" and self.check is None:
            raise ValueError(f"an inequality needs a check of its own: {self.reason}")


class StepResult(NamedTuple):
    """Outcome of one step: True, False, or None for undecided, and what the answer rests on."""

    reason: str
    answer: bool | None
    detail: str


@dataclass(frozen=True)
class Derivation:
    """A chain of expressions from `start`, each step re-checked whenever `check` is called.

    `name` is the LaTeX of the left-hand side, which is `start` itself if the name is empty.
    `domain` gives symbols their intervals and `under` lists conditions; every equality is decided
    for all values that meet them. `where` lists abbreviations (a symbol and what it stands for),
    replaced before an equality is decided. `notation` says what stands in the first line, for the
    reader only, so that it needs a name. Expressions may be matrices.
    Raises ValueError for a derivation without steps, and for a notation without a name.
    """

    title: str
    name: str
    start: Expr
    steps: Sequence[Step]
    domain: Domain = field(default_factory=dict)
    where: Mapping[Symbol, Expr] = field(default_factory=dict)
    notation: str = ""
    under: Sequence[Boolean] = ()

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError(f"a derivation needs at least one step: {self.title}")
        if self.notation and not self.name:
            raise ValueError(f"a derivation with a notation needs a name: {self.title}")
        object.__setattr__(self, "steps", tuple(self.steps))

    @property
    def conclusion(self) -> Expr:
        """Last expression of the chain."""
        return self.steps[-1].expression

    @property
    def symbols(self) -> set[Symbol]:
        """Free symbols of the chain and of its abbreviations."""
        stages = [self.start, *(step.expression for step in self.steps), *self.where.values()]
        return set(self.where).union(*(stage.free_symbols for stage in stages))

    @property
    def answer(self) -> bool | None:
        """False if some step is false, else None if some step is undecided, else True."""
        return together_decided([Decision(*result[1:]) for result in self.check()]).answer

    def check(self) -> list[StepResult]:
        """Redo every step: derivatives, integrals and changes of variables included.

        A step whose check cannot read the expressions (ValueError, PolynomialError) is undecided.
        """
        return [self.check_step(place) for place in range(len(self.steps))]

    def check_step(self, place: int) -> StepResult:
        """Redo one step, counted from 0, or from -1 backwards."""
        stages = [self.start, *(step.expression for step in self.steps)]
        before, after = list(pairwise(stages))[place]
        step = self.steps[place]
        return StepResult(step.reason, *_answer(step.check or self._decide, before, after))

    def claiming(self, claimed: Expr | None) -> Self:
        """Put another expression in the place of the conclusion, to see whether it is rejected.

        None leaves the derivation as it is. Raises ValueError if the expression has symbols that
        do not occur in the derivation: it would be rejected for the wrong reason.
        """
        if claimed is None:
            return self
        foreign = {x for x in claimed.free_symbols if x.is_Symbol} - self.symbols
        if foreign:
            known = sorted(map(str, self.symbols))
            raise ValueError(
                f"claimed must be written in the symbols {known} of the derivation (their "
                f"assumptions included, see symbolic.notation), got {sorted(map(str, foreign))}"
            )
        last = replace(self.steps[-1], expression=claimed)
        return replace(self, steps=(*self.steps[:-1], last))

    def latex(self, symbol_names: Mapping[Symbol, str] | None = None) -> str:
        """Render as an align* environment that fits a page, with the reasons as text.

        ``symbol_names`` says how symbols print that do not print as they are called.  A step that
        leaves an expression as it is has no line, unless it is the only one.
        """
        stages = [self.start, *(step.expression for step in self.steps)]
        changes = [
            step
            for before, step in zip(stages, self.steps, strict=False)
            if step.relation != "=" or step.expression != before
        ]
        steps = [Line(x.expression, x.relation, x.reason) for x in changes or self.steps]
        lines = [Line(self.start, reason=self.notation), *steps]
        return chain(self.name, lines, names=symbol_names)

    def _repr_latex_(self) -> str:
        return self.latex()

    def _decide(self, before: Expr, after: Expr) -> Decision:
        sides = self._spelled_out(before), self._spelled_out(after)
        return decide_equal(*sides, self.domain, self.under)

    def _spelled_out(self, expression: Expr) -> Expr:
        return expression.xreplace(dict(self.where)).doit(integrals=False)


def _answer(check: Check, before: Expr, after: Expr) -> Decision:
    try:
        return check(before, after)
    except (ValueError, PolynomialError) as error:
        return Decision(None, f"the check does not apply: {error}")
