"""What proofs about the tangent kernel and its functions take over of one random head.

That is its size and its moments, and what values and norms of the functions stand for.
"""

from functools import cache

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.classical.conditional_means import tower_rule
from theorems.classical.letters import odd_factorial
from theorems.classical.products import odd_numbers
from theorems.engine import Given, both, eq, le, rules
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm
from theorems.shallow_transformer.hypotheses import BOUNDED_SLOPES, BOUNDED_VALUES, QUERY, RANDOM_HEADS
from theorems.shallow_transformer.letters.feature import (
    AA,
    MM,
    D,
    D_prime,
    H,
    H_prime,
    query,
    query_prime,
    target_value,
)
from theorems.shallow_transformer.letters.paper import M_trace, a_size, q_size, sigma_0, sigma_1
from theorems.shallow_transformer.premises.matrices.covariance import Pool
from theorems.shallow_transformer.premises.matrices.lengths import moment_of_the_length
from theorems.shallow_transformer.premises.matrices.outer_products import product_of_outer_products
from theorems.shallow_transformer.premises.means import in_the_mean, what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, what_is_assumed


@cache
def _three_blocks() -> Theorem:
    """|H + S(A + QY)| ≤ h + s(1 + l) if |A|, |Q| ≤ 1, |H| ≤ h, |S| ≤ s and |Y| ≤ l."""
    names = sp.symbols("H_1 S_1 A_1 Q_1 Y_1", real=True)
    value, slope, mean, query, moved = names
    h, s, far = tops = sp.symbols("h_1 s_1 l_1", nonnegative=True)
    where = [le(Abs(mean), 1), le(Abs(query), 1)]
    where += [le(Abs(one), top) for one, top in zip((value, slope, moved), tops, strict=True)]
    product, sum_ = le(Abs(query * moved), far), le(Abs(mean + query * moved), 1 + far)
    second = NETWORKS.follows(NETWORKS.follows(goal=product, under=where), goal=sum_, under=where)
    third = NETWORKS.follows(second, goal=le(Abs(slope * (mean + query * moved)), s * (1 + far)), under=where)
    goal = le(Abs(value + slope * (mean + query * moved)), h + s * (1 + far))
    return NETWORKS.follows(third, goal=goal, under=where)


def size_of_a_head(given: Given, share: Symbol, left: Symbol, right: Symbol) -> Theorem:
    """|κ| ≤ σ₀² + σ₁²(1 + |MU||M′U|), as |a|, |a′|, |q| and |q′| are at most 1."""
    a, a_, q, q_, y, y_ = map(Vector, ("a", "a'", "q", "q'", "MU", "M'U"))
    h, h_, s, s_ = sp.symbols("h h' s s'", real=True)
    other = Symbol("length of the other pooled token", nonnegative=True)
    outer, outer_ = Vector("MU q'"), Vector("M'U q''")
    lengths = ((a_size, a), (other, a_), (left, y), (right, y_))
    parts = NETWORKS.meaning(
        "κ, the product of the features (h, σ'a, σ'MUq') of a head, and lengths",
        eq(share, h * h_ + inner(s * a, s_ * a_) + inner(s * outer, s_ * outer_)),
        *(eq(norm(one), size) for size, one in lengths),
    )
    rank_one = product_of_outer_products(inner(outer, outer_), (y, y_), (q, q_))
    form = eq(share, h * h_ + s * s_ * (inner(a, a_) + inner(q, q_) * inner(y, y_)))
    blocks = NETWORKS.follows(parts, rank_one, goal=form)
    short = what_it_says(given, "st.fact2", le(a_size, 1))
    inside = [short, NETWORKS.substituted(short, {a_size: other})]
    queries = what_is_assumed(given, QUERY, le(norm(q), 1), le(norm(q_), 1))
    values = what_is_assumed(given, BOUNDED_VALUES, *(le(Abs(one), sigma_0) for one in (h, h_)))
    slopes = what_is_assumed(given, BOUNDED_SLOPES, *(le(Abs(one), sigma_1) for one in (s, s_)))
    bounds = [
        (h * h_, sigma_0**2, [values]),
        (s * s_, sigma_1**2, [slopes]),
        (inner(a, a_), sp.S.One, [parts, *inside, facts.cauchy_schwarz(a, a_)]),
        (inner(q, q_), sp.S.One, [queries, facts.cauchy_schwarz(q, q_)]),
        (inner(y, y_), left * right, [parts, facts.cauchy_schwarz(y, y_)]),
    ]
    known = [between(given, le(Abs(one), top), *why) for one, top, why in bounds]
    letters = sp.symbols("H_1 S_1 A_1 Q_1 Y_1", real=True)
    tops = sp.symbols("h_1 s_1 l_1", nonnegative=True)
    at = dict(zip(letters, (one for one, _, _ in bounds), strict=True))
    at |= dict(zip(tops, (sigma_0**2, sigma_1**2, left * right), strict=True))
    where = [one.statement for one in known]
    whole = NETWORKS.substituted(_three_blocks(), at, under=where)
    goal = le(Abs(share), sigma_0**2 + sigma_1**2 * (1 + left * right))
    return NETWORKS.follows(blocks, whole, *known, goal=goal)


def small_trace(given: Given, claim: str, bound: Expr, pool: Pool) -> Theorem:
    """What a claim says of tr M, of the tokens of this input; the length of their mean keeps its name."""
    return NETWORKS.substituted(what_it_says(given, claim, le(M_trace, bound)), {M_trace: pool.trace})


def fourth_moment(given: Given, length: Random, pool: Pool) -> Theorem:
    """E|MU|⁴ ≤ 3: given W at most 3 tr M, by the shares of the tokens in tr M ≤ 1."""
    given.require(RANDOM_HEADS)
    moment, inside = Symbol(f"E{length}^4 at W", nonnegative=True), Random(f"{length} at W")
    small = small_trace(given, "st.fact3", sp.S.One, pool)
    there = moment_of_the_length(small, inside, sp.Integer(2), pool)
    meant = NETWORKS.meaning("the fourth moment of |MU| given W", eq(moment, E(inside**4)))
    double = rules.instance(odd_numbers(odd_factorial), [1])
    pointwise = NETWORKS.follows(there, meant, double, small, goal=le(moment, 3))
    drawn = Random(f"E{length}^4 given W")
    outer = in_the_mean(pointwise, {moment: drawn})
    tower = tower_rule(NETWORKS.meaning, length**4, drawn)
    return NETWORKS.follows(outer, tower, goal=le(E(length**4), 3))


#: ⟨φ(X), φ(X′)⟩ and its block for W, at a random head.
PRODUCT, W_PRODUCT = Random("product of features"), Random("product of features for W")


@cache
def products_of_features() -> Theorem:
    """The means of ⟨φ, φ′⟩ and of its block for W, as those of products of numbers.

    The block for W is σ′σ′⟨MUqᵀ, M′Uq′ᵀ⟩, and ⟨xyᵀ, x′y′ᵀ⟩ = ⟨x, x′⟩⟨y, y′⟩.
    """
    h, h_, s, s_, of_a, of_y = sp.symbols("h h' s s' of_a of_y", real=True)
    whole, block = (Symbol(f"value of {one}", real=True) for one in (PRODUCT, W_PRODUCT))
    a, a_, y, y_, outer, outer_ = map(Vector, ("a", "a'", "MU", "M'U", "MU q'", "M'U q''"))
    names = NETWORKS.meaning(
        "the product of the features of a head, block by block, and products of their parts",
        eq(whole, h * h_ + inner(s * a, s_ * a_) + block),
        eq(block, inner(s * outer, s_ * outer_)),
        *(eq(of_a, inner(a, a_)), eq(of_y, inner(y, y_))),
    )
    rank_one = product_of_outer_products(inner(outer, outer_), (y, y_), (query, query_prime))
    turned = NETWORKS.follows(names, rank_one, goal=eq(block, inner(query, query_prime) * s * s_ * of_y))
    sum_ = NETWORKS.follows(names, goal=eq(whole, h * h_ + s * s_ * of_a + block))
    values = {h: H, h_: H_prime, s: D, s_: D_prime, of_a: AA, of_y: MM, whole: PRODUCT, block: W_PRODUCT}
    means = [in_the_mean(one, {x: X for x, X in values.items() if x in one.over}) for one in (turned, sum_)]
    return NETWORKS.follows(*means, goal=both(*(one.statement for one in means)))


@cache
def square_of_the_feature(
    name: str, h: Expr, slope: Expr, a: Vector, moved: Expr
) -> tuple[Symbol, Symbol, Theorem]:
    """|φ|² = h² + σ′²(|a|² + |MU|²|q|²) at an input of this name, and its block for W.

    ``moved`` is MU.  Returns what stands for both, and the theorem.
    """
    q, outer = Vector("q"), Vector(f"MU q' of {name}")
    square, block = (Symbol(f"{one} of {name}", real=True) for one in ("square", "square for W"))
    names = NETWORKS.meaning(
        "the square of the feature of a head, block by block, and the length of the query",
        eq(square, h**2 + norm(slope * a) ** 2 + block),
        eq(block, norm(slope * outer) ** 2),
        eq(q_size, norm(q)),
    )
    rank_one = product_of_outer_products(inner(outer, outer), (moved, moved), (q, q))
    turned = norm(moved) ** 2 * q_size**2
    of_w = NETWORKS.follows(names, rank_one, goal=eq(block, slope**2 * turned))
    sum_ = eq(square, h**2 + slope**2 * (norm(a) ** 2 + turned))
    return square, block, NETWORKS.follows(names, of_w, goal=both(sum_, of_w.statement))


#: The shortest map for a function of the class, and the inner product g of features and map at a head.
SHORTEST, G = Vector("the shortest map"), Random("g of a random head")


@cache
def value_of_the_function() -> Theorem:
    """The function of a map is the mean of g, Equation (10)."""
    return NETWORKS.meaning("the function of the map, at an input", eq(target_value, E(G)))


def of_the_shortest_map(size: Symbol, another: Expr) -> list[Theorem]:
    """The norm of a function, and that another map for it is no shorter."""
    return [
        NETWORKS.meaning("the norm of a function, that of the shortest map for it", eq(size, norm(SHORTEST))),
        NETWORKS.least("no map for the function is shorter", le(norm(SHORTEST), norm(another))),
    ]
