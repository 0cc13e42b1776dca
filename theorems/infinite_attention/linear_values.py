"""Values, queries and keys: sums of inputs times independent standard normal weights."""

from collections.abc import Sequence

from sympy import Expr, Function, Integer, Sum, Symbol, sqrt

from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Hypothesis, eq, integers, rules
from theorems.engine.rules import E, Theorem, Vector, facts, inner, sums
from theorems.engine.rules.normal_variables import centred
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.network import sigma_v, width

_k, _n = (Symbol(name, integer=True, nonnegative=True) for name in ("entry", "entries"))


def mean_of_values(
    given: Given,
    law: Hypothesis,
    product: Expr,
    mean_product: Expr,
    *at: Symbol,
    head: str = "a head",
    scale: Expr = sigma_v,
    column: Sequence[Symbol] = (),
) -> Theorem:
    """E V V' = σ_V² times the mean product of inputs, by induction over the entries of the inputs.

    ``product`` is that of two values of one column, and the ``law`` says what values are.  Families
    of them have it ``at`` each index; weights are those of the ``head``.  Queries and keys have it
    with their own ``scale``, and families of columns at each ``column``.
    """
    of_all = _sums_of_inputs(given, law, head, f"in {mean_product}", at, column)
    whole, total = of_all.statement.args
    values = given.supposed(law, eq(E(product), scale**2 / width * whole))
    meant = given.meaning("a mean product of inputs", eq(mean_product, total / width))
    over = {**values.over, **meant.over, **dict.fromkeys((*at, *column), integers(0))}
    return rules.follows(eq(E(product), scale**2 * mean_product), [of_all, values, meant], over=over)


def along_inputs(
    given: Given,
    law: Hypothesis,
    product: Expr,
    pair: tuple[Vector, Vector],
    *,
    head: str,
    scale: Expr = Integer(1),
    column: Sequence[Symbol] = (),
) -> Theorem:
    """E XY is the scale times ⟨x, y⟩ for weights of one column along two vectors x and y."""
    of_all = _sums_of_inputs(given, law, head, "of {} and {}".format(*pair), (), column)
    whole, total = of_all.statement.args
    forms = given.meaning("weights along two vectors", eq(E(product), scale * whole), eq(inner(*pair), total))
    over = {**forms.over, **dict.fromkeys(column, integers(0))}
    return rules.follows(eq(E(product), scale * inner(*pair)), [of_all, forms], over=over)


def _sums_of_inputs(
    given: Given, law: Hypothesis, head: str, which: str, at: Sequence[Symbol], column: Sequence[Symbol]
) -> Theorem:
    """Two sums of inputs times independent standard normal weights have Σ g_k g'_k as covariance."""
    places = (*at, *column)
    forms = [randoms(f"{one} sum of {head}") for one in ("first", "second")]
    inputs = [Function(f"{one} input {which}", real=True) for one in ("first", "second")]
    weight = randoms(f"weight of values of {head}")(_n, *places)
    here, more = ([one(n, *places) for one in forms] for n in (_n, _n + 1))
    first, second = (form + value(_n, *at) * weight for form, value in zip(here, inputs, strict=True))
    none = E(forms[0](0, *places) * forms[1](0, *places))
    apart = [independent(one, weight) for one in here]
    known = [
        given.meaning(
            "sums of inputs times weights", eq(none, 0), eq(E(more[0] * more[1]), E(first * second))
        ),
        given.supposed(law, *standard(weight).args, *apart),
        centred(weight),
        *(facts.expectation_of_independent(*one.args) for one in apart),
    ]
    total = Sum(inputs[0](_k, *at) * inputs[1](_k, *at), (_k, 0, _n - 1))
    of_n = sums.by_recursion(eq(E(here[0] * here[1]), total), _n, premises=known)
    return of_n.at({_n: width})


def value_with_a_weight(
    given: Given, law: Hypothesis, pair: Expr, entry: Expr, *, head: str = "a head", scale: Expr = sigma_v
) -> Theorem:
    """E W V = σ_V g/√d for a value V, and the weight W of an entry g of its input.

    ``pair`` is the product of both, and the ``law`` says what values are; queries and keys have
    their own ``scale``.  The entries are numbered from this one on; by induction over them each
    other weight has no mean beside its own.
    """
    form, value = randoms(f"sum of {head}"), Function(f"inputs from {entry} on", real=True)
    weight = randoms(f"weight of the value of {head}")
    own, later = weight(0), {_n: integers(1)}
    longer = given.meaning(
        "sums of inputs times weights",
        eq(E(own * form(0)), 0),
        eq(E(own * form(_n + 1)), E(own * (form(_n) + value(_n) * weight(_n)))),
    )
    known = [
        longer,
        given.supposed(law, *standard(own).args),
        given.supposed(law, independent(own, weight(_n)), over=later),
        centred(own),
        facts.expectation_of_independent(own, weight(_n)),
    ]
    of_n = rules.induction(
        eq(E(own * form(_n)), value(0)), _n, 1, base=[longer.at({_n: 0}), *known[:2]], step=known
    )
    values = given.supposed(law, eq(E(pair), scale / sqrt(width) * E(own * form(width))))
    called = given.meaning("an entry of the input", eq(entry, value(0)))
    goal = eq(E(pair), scale * entry / sqrt(width))
    return rules.follows(goal, [of_n.at({_n: width}), values, called], over=values.over)
