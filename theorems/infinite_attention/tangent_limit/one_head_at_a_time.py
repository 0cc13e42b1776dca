"""Second moments of forms in two independent heads, by one head after the other."""

from sympy import And, Function, Reals, Sum, Symbol, symbols

from theorems.engine import Given, Hypothesis, eq, ge, implies, le, rules
from theorems.engine.rules import E, Random, Theorem, inner, principles, sums
from theorems.engine.rules.vocabulary import randoms, vectors
from theorems.infinite_attention.letters.gradients import heads_form, tangent_block
from theorems.infinite_attention.letters.network import width

__all__ = ["ALONG", "KERNEL_TIMES", "ROW", "ROW_OF_KERNEL", "second_moment"]

#: The weights of the other head, as what is drawn, and the number of a row.
_other, _drawn = Symbol("other head", real=True), Random("Other head")
_i = Symbol("i", integer=True, nonnegative=True)
#: Given the other head: the kernel times its derivatives, and derivatives of one head along that.
KERNEL_TIMES = vectors("kernel_times_the_other_head")(_other)
ALONG = randoms("derivative_along_the_other_head")(_other)
#: The rows of the kernel, and the other head's derivatives along them.
ROW_OF_KERNEL, ROW = vectors("row_of_the_kernel")(_i), randoms("along_a_row")(_i)
_square, _length = (Function(name, real=True)(_other) for name in ("mean square", "length"))
_A, _B = Symbol("A", real=True), Symbol("B", real=True)


def second_moment(
    given: Given, law: Hypothesis, first: Theorem, rows: Theorem, signs: tuple[Theorem, Theorem]
) -> Theorem:
    """E S² d² ≤ AB|T|² for a sum S over two heads, which are independent by a hypothesis.

    ``first`` gives E X² ≤ A|v|² for one head along any v = T times the other head, and ``rows``
    gives E R² ≤ B|T_i|² for the other head along any row of T; ``signs`` say A ≥ 0 and B ≥ 0.
    """
    pairs = [*zip((_A, _B), signs, strict=True)]
    a, b = (given.meaning("a factor", eq(name, sign.statement.lhs)) for name, sign in pairs)
    there = given.meaning(
        "mean squares given the other head",
        eq(_square, E(ALONG**2)),
        eq(_length, inner(KERNEL_TIMES, KERNEL_TIMES)),
    )
    each = rules.follows(le(_square, _A * _length), [there, first, a])
    squared = inner(ROW_OF_KERNEL, ROW_OF_KERNEL)
    row = rules.follows(le(E(ROW**2), _B * squared), [rows, b])
    all_rows = sums.summed(row, _i, width)
    apart = sums.linear(all_rows.statement.rhs)
    of_rows = given.meaning(
        "squared lengths, by rows",
        *(
            eq(E(_length.subs(_other, _drawn)), all_rows.statement.lhs),
            eq(inner(tangent_block, tangent_block), Sum(squared, (_i, 0, width - 1))),
        ),
    )
    tower = given.supposed(law, eq(E(heads_form**2) * width**2, E(_square.subs(_other, _drawn))))
    known = [principles.expected(each, _other, _drawn), all_rows, apart, of_rows, tower, a, b]
    goal = le(E(heads_form**2) * width**2, _A * _B * inner(tangent_block, tangent_block))
    known += [rules.follows(ge(name, 0), [sign, a, b]) for name, sign in pairs]
    factors = rules.follows(goal, known)
    values = (goal.lhs, inner(tangent_block, tangent_block), *(sign.statement.lhs for _, sign in pairs))
    spelled = given.substituted(_spelled_out(), dict(zip(_NUMBERS, values, strict=True)))
    return given.follows(factors, a, b, spelled, goal=spelled.statement.args[1])


_NUMBERS = symbols("x s u v", real=True)


def _spelled_out() -> Theorem:
    """The factors spelled out, said of letters: the solver need not look inside."""
    x, s, u, v = _NUMBERS
    known = And(le(x, _A * _B * s), eq(_A, u), eq(_B, v))
    dict.fromkeys((*_NUMBERS, _A, _B), Reals)
    return rules.follows(implies(known, le(x, u * v * s)))
