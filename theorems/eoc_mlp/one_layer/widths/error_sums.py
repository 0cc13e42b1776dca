"""Sums over the layers in terms of the widths alone, for claims on patterns of widths."""

from sympy import Function, Range, Symbol, oo, pi, symbols

from theorems.engine import Given, Hypothesis, both, eq, ge, gt, le, rules
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.letters.cosines import w_1_input, w_tilde
from theorems.eoc_mlp.letters.figure import S_k, sum_v
from theorems.eoc_mlp.letters.network import k
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.one_layer.widths.figure_1.first_order_law import INCREMENT

# Values in the layers 1, 2, …, by n = k - 1: w̃ less 1, the sum of the noises, and 1/γ.
_excess, _share = Function("excess", positive=True), Function("g", nonnegative=True)
#: T(n) = Σ_{j ≤ n} j²/γ_j.
_terms = Function("T", real=True)
_sv = Function("Sv", real=True)
_n = Symbol("n", integer=True, nonnegative=True)
_LAYERS = {_n: Range(oo)}
_THERE = 1 + _excess(_n + 1)
_p, _r, _v, _x, _u, _q, _m = symbols("p r v x u q m", real=True)


def sums_of_squares(given: Given) -> Theorem:
    """(4/(3π))² k²S_k ≤ Σ w̃_{j+1}²/γ_j ≤ (1 + w_1)² k²S_k, where k²S_k = Σ j²/γ_j.

    For a claim that rests on the bounds of the limits: 4j/(3π) ≤ w̃_{j+1} ≤ w_1 + j ≤ (1 + w_1)j.
    """
    start = {w_1_input: given.domain[w_1_input]}
    over = {**_LAYERS, **start}
    place = [
        given.fact("eoc.fig1.bounds", name).at({w_tilde: _THERE, k: _n + 2})
        for name in ("limit from below", "limit from above")
    ]
    gains = both(
        eq(_sv(_n + 1), _sv(_n) + _THERE**2 * _share(_n)),
        eq(_terms(_n + 1), _terms(_n) + (_n + 1) ** 2 * _share(_n)),
    )
    says = given.meaning("sums gain a term in every layer", gains)
    none = given.meaning("empty sums", eq(_sv(0), 0), eq(_terms(0), 0))
    between = both(le(INCREMENT * (_n + 1), _THERE), le(_THERE, (1 + w_1_input) * (_n + 1)))
    known = rules.follows(between, [*place, rules.enclosed(gt(pi, 3))])
    under = [le(_p * _m, _q), le(_q, _r * _m), ge(_p, 0), ge(_m, 0), ge(_x, 0)]
    under += [le(_p**2 * _u, _v), le(_v, _r**2 * _u)]
    after = both(
        le(_p**2 * (_u + _m**2 * _x), _v + _q**2 * _x), le(_v + _q**2 * _x, _r**2 * (_u + _m**2 * _x))
    )
    at = {_p: INCREMENT, _r: 1 + w_1_input, _m: _n + 1, _q: _THERE, _x: _share(_n)}
    at |= {_u: _terms(_n), _v: _sv(_n)}
    numbers = rules.follows(after, under=under)
    step = numbers.at(at, over=over, under=[one.xreplace(at) for one in under])
    bound = both(le(INCREMENT**2 * _terms(_n), _sv(_n)), le(_sv(_n), (1 + w_1_input) ** 2 * _terms(_n)))
    every = rules.induction(bound, _n, 0, base=[none], step=[step, known, says, rules.enclosed(gt(pi, 3))])
    letters = {x: given.domain.get(x, LETTERS[x].domain) for x in (sum_v, S_k, k)}
    meant = eq(sum_v, _sv(k - 1)), eq(k**2 * S_k, _terms(k - 1))
    named = given.meaning("sums over the layers below k", *meant)
    here = every.at({_n: k - 1}, over={k: letters[k], **start})
    wanted = both(le(INCREMENT**2 * k**2 * S_k, sum_v), le(sum_v, (1 + w_1_input) ** 2 * k**2 * S_k))
    return rules.follows(wanted, [here, named])


def sum_of_equal_terms(given: Given, hypothesis: Hypothesis) -> Theorem:
    """k²S_k = k - 1 where the widths are the squares: all k - 1 terms j²/γ_j are 1."""
    own = {x: given.domain.get(x, LETTERS[x].domain) for x in (k, S_k)}
    gain = eq(_terms(_n + 1), _terms(_n) + (_n + 1) ** 2 * _share(_n))
    step = [
        given.meaning("one term more", gain),
        given.supposed(hypothesis, eq(_share(_n), 1 / (_n + 1) ** 2)),
    ]
    none = given.meaning("a sum of no terms", eq(_terms(0), 0))
    every = rules.induction(eq(_terms(_n), _n), _n, 0, base=[none], step=step)
    here = every.at({_n: k - 1}, over={k: own[k]})
    meant = given.meaning("the sum of the terms", eq(k**2 * S_k, _terms(k - 1)))
    return rules.follows(eq(k**2 * S_k, k - 1), [here, meant])
