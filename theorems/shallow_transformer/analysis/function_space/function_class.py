"""Section 5.4: the maps, the functions that they represent, and their inner product.

Maps and features are vectors of the space L² of square integrable functions of a random head, and
f̃(X; v) = ⟨φ(X), v⟩.  P projects onto the closed span of the features of all inputs.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy import Abs, Symbol

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, Severity, eq, implies, le, sentence
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.kernel.decomposition import ONE_HEAD
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import (
    Proj,
    coordinates,
    feature,
    head_size,
    map_v,
    map_w,
    other_map,
)
from theorems.shallow_transformer.letters.paper import claim, d
from theorems.shallow_transformer.premises.kernels import SHORTEST, of_the_shortest_map, size_of_a_head
from theorems.shallow_transformer.premises.means import moved_read_out, what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import stated, what_is_assumed

Point = Mapping[Symbol, Any]

_NOTE = "proofs_notes/st_function_space.md#the-function-space"
_AT = "Section 5.4"

DOMAIN = claim(
    "st.rkhs.domain",
    at=_AT,
    title="The domain of the transportation mappings",
    states=eq(coordinates(d), 2 * d + 1),
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@DOMAIN.refuted(severity=Severity.SLIP)
def count_the_coordinates() -> Point:
    """1 + d + d² is not 2d + 1 unless d = 1 (or 0)."""
    return {d: 2}


DOMAIN_CORRECTED = DOMAIN.corrected(
    "st.rkhs.domain.corrected",
    title="The domain of the transportation mappings has dimension d² + d + 1",
    states=eq(coordinates(d), d**2 + d + 1),
    note=_NOTE,
)


@DOMAIN_CORRECTED.proved()
def add_the_blocks(given: Given) -> Theorem:
    """Blocks of 1, d and d·d coordinates."""
    return given.decided()


MERCER = claim(
    "st.rkhs.mercer",
    at=_AT,
    title="The tangent kernel is a Mercer kernel",
    states=sentence(r"$kernel \text{ is continuous on } $inputs \times $inputs"),
    assuming=[*hyp.ACTIVATION, *hyp.INPUTS],
    rests_on=["st.lem4.mean"],
    discharging=ONE_HEAD,
    note=_NOTE,
)


@MERCER.refuted(severity=Severity.EDGE)
def query_that_jumps() -> Obligations:
    """σ = erf, d = 1, T = 2, X = (1, -1): q = 0 there and q = 1 elsewhere; K(X, X) = 0 jumps.

    At X is a = 0 and q = 0.  Elsewhere a and M are continuous in the tokens, and K(X′, X′) tends to
    at least E_W E σ′(Ua)²(MU)² with a = tanh W, M = 1/cosh² W > 0.
    """
    w = sp.Symbol("w", real=True)
    p = 1 / (1 + sp.exp(-2 * w))  # the weight of the token 1 at W = w and q = 1
    a, M = 2 * p - 1, 4 * p * (1 - p)
    yield "mean and variance", equal(sp.simplify(M - (1 - a**2)), sp.S.Zero)
    positive = 1 / sp.cosh(w) ** 2
    yield "M > 0", equal(sp.simplify((M - positive).rewrite(sp.exp)), sp.S.Zero)
    at_rest = sp.Rational(1, 2)  # the weight of either token at q = 0
    value = sp.erf(0 * (2 * at_rest - 1)) ** 2
    yield "K at X is that of a = 0 and q = 0", equal(value, sp.S.Zero)
    yield "the limit is positive", bool(positive.is_positive)


CONTINUOUS = MERCER.corrected(
    "st.rkhs.mercer.corrected",
    title="The tangent kernel is a Mercer kernel if the query depends continuously on the input",
    states={
        "continuous": sentence(r"$kernel \text{ is continuous on } $inputs \times $inputs"),
        "dominated": le(head_size, of.sigma_0**2 + of.sigma_1**2 * (1 + of.u**2)),
    },
    assuming=[*hyp.ACTIVATION, *hyp.INPUTS, hyp.CONTINUOUS_QUERY],
    rests_on=["st.lem4.mean", "st.fact2", "st.fact3"],
    discharging=ONE_HEAD,
    note=_NOTE,
    excused={"domain of sigma_2": "true as well: what is bounded by 0 has positive bounds, too"},
)


@CONTINUOUS.proved("dominated")
def bounded_by_a_square(given: Given) -> Theorem:
    """|σσ| ≤ σ₀², |σ′σ′⟨a, a′⟩| ≤ σ₁², and |MU||M′U| ≤ |U|², as ‖M‖ ≤ tr M ≤ 1."""
    left, right = (Symbol(f"value of {name}", nonnegative=True) for name in ("moved", "moved'"))
    share = Symbol("value of share", real=True)
    given.require(*hyp.ACTIVATION, *hyp.INPUTS)
    known = [what_it_says(given, "st.fact3", le(of.M_frobenius, 1)), moved_read_out(left, of.u)]
    short = NETWORKS.follows(*known, goal=le(left, of.u))
    squares = NETWORKS.follows(
        short, NETWORKS.substituted(short, {left: right}), goal=le(left * right, of.u**2)
    )
    size = size_of_a_head(given, share, left, right)
    return given.concluded(size, squares, NETWORKS.meaning("the size of κ", eq(head_size, Abs(share))))


@CONTINUOUS.argued(
    "continuous",
    bridge="The terms of the kernel are continuous in both inputs for each head, as σ′ is, whose"
    " slope is bounded, and they are dominated by a function of the head with a finite mean.",
    uses=[*hyp.ACTIVATION, hyp.CONTINUOUS_QUERY],
)
def dominated_convergence() -> Obligations:
    """The mean of 1 + |U|² is finite: each coordinate of U adds E g² = 1."""
    g = sp.Symbol("g", real=True)
    density = sp.exp(-(g**2) / 2) / sp.sqrt(2 * sp.pi)
    yield "mean of a square", equal(sp.integrate(g**2 * density, (g, -sp.oo, sp.oo)), sp.S.One)


INNER = claim(
    "st.rkhs.inner_product",
    at=_AT,
    title="The inner product of the function class",
    states=sentence(
        r"\langle$f_tilde(\cdot; $v), $f_tilde(\cdot; $v_prime)\rangle_{$F_space} :="
        r" \mathbb{E}\bigl[{$v}_c{$v_prime}_c + \langle {$v}_u, {$v_prime}_u\rangle"
        r" + \langle {$v}_w, {$v_prime}_w\rangle_F\bigr] \;\text{is well defined}"
    ),
    assuming=[hyp.SQUARE_INTEGRABLE_MAP],
    note=_NOTE,
)


@INNER.refuted(severity=Severity.FALSE)
def a_map_for_the_zero_function() -> Obligations:
    """v_c = c, v_u = v_w = 0: f̃ = E c · E σ(U·a) = 0 = f̃(·; 0), yet E|v|² = 1.

    For odd σ so does any v_c that is even in U.
    """
    value = sp.Symbol("E sigma", positive=True)
    signs = (sp.Integer(-1), sp.Integer(1))
    yield "the function of v is that of 0", equal(sum(c * value for c in signs) / 2, sp.S.Zero)
    square = sum(c**2 for c in signs) / 2
    yield "the norms differ", equal(square, sp.S.Zero) is False


LEAST = act(Proj, map_v)
MAPS = (*hyp.REGULAR, hyp.SQUARE_INTEGRABLE_MAP)

QUOTIENT = INNER.corrected(
    "st.rkhs.inner_product.corrected",
    title="The inner product by representatives of least norm",
    states={
        "same function": eq(inner(feature, LEAST), inner(feature, map_v)),
        "least norm": [eq(of.F_norm, norm(LEAST)), le(norm(LEAST), norm(map_v))],
        "free of the representative": implies(
            eq(norm(act(Proj, map_v - other_map)), 0),
            eq(inner(LEAST, act(Proj, map_w)), inner(act(Proj, other_map), act(Proj, map_w))),
        ),
    },
    assuming=[*MAPS, hyp.PROJECTION],
    note=_NOTE,
)


_u, _w = Vector("u"), Vector("w")


def projection(given: Given, *features: Vector) -> Theorem:
    """P is self-adjoint, equal to its square, and leaves features as they are."""
    image, other = act(Proj, _u), act(Proj, _w)
    relations = [
        eq(inner(image, _w), inner(_u, other)),
        eq(inner(image, other), inner(image, _w)),
        *(eq(inner(act(Proj, phi), _w), inner(phi, _w)) for phi in features),
    ]
    if hyp.PROJECTION in given.claim.hypotheses:
        return given.supposed(hyp.PROJECTION, *relations)
    return given.meaning("P, the projection onto the closed span of the features", *relations)


def projected(general: Theorem, *vectors: Any) -> list[Theorem]:
    """What ``projection`` says of these vectors."""
    return [NETWORKS.substituted(general, {_u: x, _w: y}) for x in vectors for y in vectors]


@QUOTIENT.proved("same function")
def only_the_projection_matters(given: Given) -> Theorem:
    """⟨φ, Pv⟩ = ⟨Pφ, v⟩ = ⟨φ, v⟩."""
    return given.concluded(*projected(projection(given, feature), feature, map_v))


def _shortest(general: Theorem, size: Symbol) -> Theorem:
    """|v|² = |Pv|² + |v - Pv|², for every map with the same function, of this norm."""
    shortest = act(Proj, SHORTEST)
    known = [
        *of_the_shortest_map(size, LEAST),
        NETWORKS.meaning(
            "the shortest map, whose products with features are those of v: both have one projection",
            eq(norm(shortest - LEAST), 0),
        ),
        *(facts.triangle(*pair) for pair in ((shortest, LEAST - shortest), (LEAST, shortest - LEAST))),
        *projected(general, map_v),
        *projected(general, SHORTEST),
    ]
    for u in (map_v, SHORTEST):
        known.append(facts.positive_definite(u - act(Proj, u)))
        known.append(facts.positive_definite(act(Proj, u)))
    return NETWORKS.follows(*known, goal=stated(QUOTIENT, "least norm").xreplace({of.F_norm: size}))


def least_norm(given: Given, v: Any, size: Symbol, square_integrable: Theorem) -> Theorem:
    """The norm ``size`` of the function of a map v is |Pv|, which is at most |v|.

    That v is square integrable is shown: its squared norm is at most a number.
    """
    if square_integrable.statement.lhs != inner(v, v):
        raise ValueError(f"the square of {v} must be bounded, not {square_integrable.statement}")
    norms = NETWORKS.substituted(_shortest(projection(given), size), {map_v: v})
    return NETWORKS.follows(norms, square_integrable, goal=norms.statement)


@QUOTIENT.proved("least norm")
def pythagoras(given: Given) -> Theorem:
    """The map is square integrable by hypothesis."""
    given.require(*hyp.REGULAR)
    moment = le(inner(map_v, map_v), Symbol("second moment", nonnegative=True))
    finite = what_is_assumed(given, hyp.SQUARE_INTEGRABLE_MAP, moment)
    return given.follows(least_norm(given, map_v, of.F_norm, finite))


@QUOTIENT.proved("free of the representative")
def equal_projections(given: Given) -> Theorem:
    """|⟨P(v - v̂), Pv'⟩| ≤ |P(v - v̂)||Pv'| = 0."""
    apart = act(Proj, map_v - other_map)
    return given.concluded(facts.cauchy_schwarz(apart, act(Proj, map_w)))
