"""Proposition 9, proof: the kernel as a form of the last layer, and the tail of one form."""

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Expr, Min, Reals, Symbol, exp, sqrt

from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.mlp import MLP
from numeric.networks.ntk import expected_ntk, ntk
from symbolic.equality import equal
from symbolic.gaussian import expectation
from theorems.classical.hypotheses import INDEPENDENT_NORMALS, NONZERO_WEIGHTS
from theorems.classical.letters import euclidean, form, largest
from theorems.classical.letters import s as level_of_squares
from theorems.engine import (
    Choice,
    Discrepancy,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    eq,
    ge,
    iff,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import P, Theorem, act, facts, norm, principles
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import (
    claim,
    form_net,
    frob_j,
    frob_lifted,
    l,
    m,
    norm_j,
    norm_lifted,
    s,
    threshold,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.premises.lifts import (
    BACK,
    BY_ENTRIES,
    LIFT,
    MATRIX,
    OTHER,
    adjoint,
    lifted_form,
    lifted_image,
    norms_of_the_matrix,
    undone,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import beyond
from theorems.eoc_mlp.sampling.networks import inputs_at

_PROOF = "Proposition 9, proof"
_NOTE = "proofs_notes/eoc_concentration.md#last-layer"
_SIZES = {l: integers(2), m: integers(1)}
_USED = [DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO]

REDUCTION = claim(
    "eoc.prop9.reduction",
    at=_PROOF,
    title="The kernel as a quadratic form of the last layer",
    states=sentence(
        r"$K_fluctuation = $G $J $G^* - \operatorname{tr}($J)\,\mathcal{I}_{m_l}, \quad"
        r" $G = \sigma^{$inverse}m^{q_l/$root}$A_l, \quad $J = \sum_{k \in [1:$l-1]}"
        r" $m^{$exponent} X_k B_{k+$after_first,l}($first)B_{k+$after_second,l}($second)^*",
        inverse=-1,
        root=2,
        exponent=Choice("q_k - q_l", -1),
        after_first=1,
        after_second=1,
        first=Choice("x_1", 0),
        second=Choice("x_2", 1),
    ),
    assuming=_USED,
    rests_on=["eoc.prop6", "eoc.prop7"],
    note=_NOTE,
)


@REDUCTION.argued(
    bridge="By (2) the kernel is a sum of forms of the last layer and a multiple of the identity"
    " that does not depend on it; the mean of a form of G is the trace, by Proposition 7.",
    uses=_USED,
    over=_SIZES,
)
def standardise_the_last_layer(inverse: Any, root: Any, exponent: Any) -> Obligations:
    """A_l = σm^(-q_l/2)G in each summand of (2); E G J G* = tr(J)𝓘; the last one is constant."""
    sigma, unit, q, last = sp.symbols("sigma m q_k q_l", positive=True)
    standardised = sigma ** sp.sympify(inverse) * unit ** (last / root)
    deviation, weight = sigma * unit ** (-last / 2), sigma**-2 * unit**q
    yield "entries of G", equal(standardised * deviation, sp.Integer(1))
    yield "summand", equal(weight / standardised**2, unit ** (q + exponent * last))
    g = Symbol("g", real=True)
    yield "E g_i g_j = δ_ij", equal(expectation(g**2, g), sp.Integer(1))


@st.composite
def _outputs(draw: st.DrawFn) -> ForwardPass:
    """Networks with two inputs and up to three outputs, scalings of the layers different."""
    unit = draw(st.sampled_from([2, 1, 3]))
    hidden = [unit * draw(st.integers(1, 3)) for _ in range(draw(st.integers(2, 3)))]
    widths = (draw(st.integers(2, 4)), *hidden, draw(st.integers(1, 3)))
    slopes = st.sampled_from([(0.5, 0.5), (0.0, 1.0), (1.0, -0.3), (1.0, 0.0)])
    scalings = [draw(st.sampled_from([0.0, 1.0, -0.5])) for _ in widths[1:]]
    mlp = MLP(widths, *draw(slopes), q=scalings, m=unit)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = inputs_at(draw(st.floats(0.01, 3.13)), widths[0], rng)
    return forward_pass(mlp, mlp.sample(rng), x)


@REDUCTION.tested(
    over=_outputs, controls={"transposed": {"first": Choice("x_2", 1), "second": Choice("x_1", 0)}}, cases=60
)
def against_the_kernel(
    state: ForwardPass,
    inverse: Any,
    root: Any,
    exponent: Any,
    after_first: Any,
    after_second: Any,
    first: int,
    second: int,
) -> Discrepancy:
    """K - EK from the kernel and from J, for sampled networks with two inputs, all entries."""
    mlp, depth = state.mlp, state.mlp.depth
    standardised = mlp.sigma ** float(inverse) * mlp.m ** (mlp.q[-1] / float(root))
    matrix = state.parameters.layer(depth) * standardised
    middle, size = np.zeros((mlp.widths[depth - 1],) * 2), 0.0
    for k in range(1, depth):
        shifts = (after_first, after_second)
        starts = [max(min(k + int(one), depth), 2) for one in shifts]
        B, C = (backpropagation_matrix(state, start, depth) for start in starts)
        if any(one != int(one) for one in shifts) or B.shape != C.shape:
            continue  # there is no such product
        weight = mlp.m ** (mlp.q[k - 1] + exponent * mlp.q[-1])
        middle += weight * state.inner_products(k)[0, 1] * (B[first] @ C[second].T)
        lengths = float(np.linalg.norm(B)) * float(np.linalg.norm(C))
        size += weight * float(np.prod(state.norms(k))) * lengths
    fluctuation = matrix @ middle @ matrix.T - np.trace(middle) * np.eye(len(matrix))
    kernel = (ntk(state) - expected_ntk(state))[0, 1]
    # Both kernels have the summand X_l, which drops out of the difference but for rounding.
    whole = float(np.linalg.norm(matrix)) ** 2 * size + float(np.prod(state.norms(depth)))
    # Chains of at most five products of matrices with at most 9 columns.
    error = float(np.max(np.abs(fluctuation - kernel)))
    return Discrepancy(error, 1e-13 * whole + 1e-300, whole + 1e-290)


FLATTENED = claim(
    "eoc.prop9.flattened",
    at=_PROOF,
    title="Flattening the last layer",
    states=sentence(
        r"\hat ${G}_{$place} = ${G}_{i,j} \implies $G^*y = (y\boxtimes\mathcal{I})^*\hat $G, \quad"
        r" \langle y, $G $J $G^*y'\rangle"
        r" = \langle\hat $G, (y\boxtimes\mathcal{I})$J(y'\boxtimes\mathcal{I})^*\hat $G\rangle",
        place=Choice("(i-1)m_{l-1}+j", True),
    ),
    note=_NOTE,
)


@FLATTENED.argued(
    bridge="Row i of G adds y_i times itself on both sides, for matrices of any shape; the form"
    " is the inner product of two such vectors with J between them.",
    controls={"columns_first": {"place": Choice("(j-1)m_l+i", False)}},
)
def row_by_row(place: bool) -> Obligations:
    """Both sides are Σ_i y_i (row i of G); for generic entries of three shapes."""
    for rows, columns in ((1, 2), (2, 2), (3, 2)):
        matrix = sp.Matrix(rows, columns, sp.symbols(f"g:{rows * columns}"))
        y, identity = sp.Matrix(sp.symbols(f"y:{rows}")), sp.eye(columns)
        flat = sp.Matrix(list(matrix if place else matrix.T))
        lifted = sp.kronecker_product(y, identity)
        yield f"{rows} by {columns}", bool((matrix.T * y - lifted.T * flat).expand().is_zero_matrix)


UNIT_PAIR = Hypothesis(
    "unit_pair", "both vectors of the output space are unit vectors", latex=r"\|y\| = \|y'\| = 1"
)

KRONECKER = claim(
    "eoc.prop9.kronecker",
    at=_PROOF,
    title="Norms of the lifted matrix: equations for two vectors, for which the page has a bound",
    states={"operator norm": eq(norm_lifted, norm_j), "Frobenius norm": eq(frob_lifted, frob_j)},
    assuming=[UNIT_PAIR],
    provenance=Provenance.DERIVED,
)


@KRONECKER.proved("operator norm")
def isometries(given: Given) -> Theorem:
    """The map z ↦ y ⊠ z keeps lengths: its adjoint undoes it, and makes nothing longer."""
    u, v, w, x = map(rules.Vector, "uvwx")
    lifted = rules.Operator("lifted")
    below, image = act(BACK, w), act(MATRIX, act(BACK, w))
    norms = [
        norms_of_the_matrix(given),
        given.meaning("the norm of the lifted matrix", eq(norm_lifted, opnorm(lifted))),
    ]
    upper = rules.follows(
        le(norm_lifted, norm_j),
        [
            *norms,
            lifted_image(given, lifted, w),
            facts.norm_attained(lifted, v, w),
            adjoint(given, below, w),
            facts.cauchy_schwarz(w, act(OTHER, below)),
            facts.operator_norm(MATRIX, below),
            lifted_form(given, UNIT_PAIR, LIFT, image, image),
            lifted_form(given, UNIT_PAIR, OTHER, below, below),
        ],
        over=given.domain,
    )
    return given.follows(
        upper,
        facts.norm_attained(MATRIX, x, u),
        *norms,
        undone(given, UNIT_PAIR, u),
        lifted_image(given, lifted, act(OTHER, u)),
        lifted_form(given, UNIT_PAIR, LIFT, *[act(MATRIX, act(BACK, act(OTHER, u)))] * 2),
        lifted_form(given, UNIT_PAIR, OTHER, u, u),
        facts.operator_norm(lifted, act(OTHER, u)),
    )


@KRONECKER.proved("Frobenius norm")
def blocks(given: Given) -> Theorem:
    """The blocks are y_i y'_j J, and the squares of their norms as vectors add up."""
    given.require(UNIT_PAIR)
    index = Symbol("i", integer=True, nonnegative=True)
    length = Symbol("rows of blocks", integer=True, positive=True)
    row, premises = rules.Vector("row of blocks over y_i"), [norms_of_the_matrix(given)]
    for name, whole, part in (("first", frob_lifted, row), ("second", norm(row), BY_ENTRIES)):
        entry = sp.Function(f"{name}_vector", real=True)(index)
        squares = sp.Sum(norm(entry * part) ** 2, (index, 0, length - 1))
        unit = sp.Sum(entry**2, (index, 0, length - 1))
        premises += [
            given.meaning(f"blocks that the entries of the {name} vector scale", eq(whole**2, squares)),
            given.supposed(UNIT_PAIR, eq(unit, 1)),
            rules.sums.linear(squares),
        ]
    return given.follows(*premises)


def level(exponent: Any, factor: Any = 1) -> Expr:
    """A multiple of the radius that a form of the last layer keeps but for 2 exp(-exponent)."""
    return 2 * factor * (frob_j * sqrt(exponent) + norm_j * exponent)


def tail(of: Any, level: Any) -> Expr:
    """The probability that something is at least a level."""
    return P(ge(of, level))


NOT_ZERO = {frob_j: POSITIVE, norm_j: POSITIVE}  # if J = 0 the kernel is its mean, 0 >= 0 certain

QUADRATIC = claim(
    "eoc.prop9.quadratic",
    at=_PROOF,
    title="Hanson-Wright inequality for two points of the net, with constants",
    states=le(tail(Abs(form_net), level(s)), 2 * exp(-s)),
    given=NOT_ZERO,
    assuming=[UNIT_PAIR],
    rests_on=[REDUCTION, FLATTENED, KRONECKER, "classical.laurent_massart", "classical.union"],
    discharging={
        DERIVATIVE_AT_ZERO: "the kernel is that of (2), where the derivative at zero is a",
        NOT_BOTH_ZERO: "the weights of the network have the standard deviation σ",
        INDEPENDENT_NORMALS: "the entries of G are such, also after turning them",
        NONZERO_WEIGHTS: "if all eigenvalues vanish so does the form, and the level is positive"
        " unless s = 0, where the bound is 2",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _symmetric_part() -> Obligations:
    """⟨g, Ag⟩ is a form of (A + A*)/2, with norms at most those of A; g turns to eigenvectors.

    In the eigenvectors it is Σλ_ig_i², with mean Σλ_i = tr A.
    """
    matrix = sp.Matrix(2, 2, sp.symbols("a:4", real=True))
    g = sp.Matrix(sp.symbols("g:2", real=True))
    symmetric, rest = (matrix + matrix.T) / 2, (matrix - matrix.T) / 2
    yield "same form", equal((g.T * matrix * g)[0], (g.T * symmetric * g)[0])
    squares = [sum(entry**2 for entry in one) for one in (matrix, symmetric, rest)]
    yield "orthogonal parts", equal(squares[0], squares[1] + squares[2])


@QUADRATIC.argued(
    bridge="An adjoint has the same entries, in other places. In an eigenbasis of the symmetric part"
    " the form is a centred sum of squares. Weights"
    " are the eigenvalues, whose squares add up to that of the Frobenius norm, and the largest of"
    " which is the modulus of the form at a unit eigenvector.",
    uses=[UNIT_PAIR],
    over=NOT_ZERO,
)
def both_signs(given: Given) -> list[Any]:
    """The bound for sums of squares, for the form and for its opposite, at a lower level."""
    goal, numbers = as_it_stands(QUADRATIC), {x: given.domain[x] for x in (s, *NOT_ZERO)}
    given.require(UNIT_PAIR)
    weights = _norms_of_the_weights(given)
    sizes = {euclidean: POSITIVE, largest: POSITIVE}
    norms = given.fact(KRONECKER, "operator norm"), given.fact(KRONECKER, "Frobenius norm")
    tails = []
    for signed in (form_net, -form_net):
        at = {level_of_squares: s, form: signed}
        source = given.substituted(given.fact("classical.laurent_massart"), at)
        higher = ge(signed, level(s))
        below = le(source.statement.lhs.args[0].rhs, higher.rhs)
        lower = rules.follows(below, [*weights, *norms], over={**numbers, **sizes})
        tails.append(beyond(source, form_net, higher, lower))
    either = sp.Or(*(one.statement.lhs.args[0] for one in tails))
    value = Symbol("value", real=True)
    events = iff(ge(Abs(value), level(s)), either.xreplace({form_net: value}))
    modulus = rules.follows(events, over={value: Reals, **numbers})
    same = principles.more_probable(modulus, value, form_net)
    union = facts.union_bound(*either.args, over=numbers)
    letters = {**given.domain, **sizes, form_net: form_net.belongs_to}
    return [*_symmetric_part(), rules.follows(goal, [same, union, *tails], over=letters)]


def _norms_of_the_weights(given: Given) -> list[Theorem]:
    """The weights are the eigenvalues of the symmetric part, whose norms are those of A at most."""
    matrix, u = rules.Operator("A"), rules.Vector("u")
    entries, adjoint = rules.Vector("entries"), rules.Vector("entries of the adjoint")
    image = act(matrix, u)
    size = eq(norm_lifted, rules.vocabulary.opnorm(matrix))
    return [
        given.meaning("the norms of the lifted matrix", size, eq(frob_lifted, norm(entries))),
        given.bridge(
            "eigenvalues of the symmetric part, an eigenvector of the one of largest modulus, and"
            " the entries of the adjoint",
            eq(norm(adjoint), norm(entries)),
            eq(largest, Abs(rules.inner(u, image))),
            eq(norm(u), 1),
            eq(euclidean, norm(entries / 2 + adjoint / 2)),
        ),
        facts.cauchy_schwarz(u, image),
        facts.operator_norm(matrix, u),
        facts.triangle(entries / 2, adjoint / 2),
    ]


_LEAST = Min(threshold**2 / (16 * frob_j**2), threshold / (4 * norm_j))
_QUOTIENT = threshold**2 / (16 * frob_j**2 + 4 * norm_j * threshold)

HANSON_WRIGHT = claim(
    "eoc.prop9.hanson_wright",
    at=_PROOF,
    title="Hanson-Wright inequality for two points of the net, in the printed form",
    states=[le(tail(Abs(form_net), threshold), 2 * exp(-_LEAST)), le(2 * exp(-_LEAST), 2 * exp(-_QUOTIENT))],
    given=NOT_ZERO,
    assuming=[UNIT_PAIR],
    rests_on=[QUADRATIC],
    note=_NOTE,
)


@HANSON_WRIGHT.proved()
def constants_of_both_forms(given: Given) -> Theorem:
    """16 and 4 will do: at the smaller of t²/16F² and t/4n both terms are at most t/2."""
    lower = given.follows(goal=le(level(_LEAST), threshold))
    source, event = given.fact(QUADRATIC, at={s: _LEAST}), ge(Abs(form_net), threshold)
    bound = beyond(source, form_net, event, lower)
    grows = facts.exponential_increases(-_QUOTIENT, -_LEAST, over=given.domain)
    return given.follows(bound, grows, goal=as_it_stands(HANSON_WRIGHT))
