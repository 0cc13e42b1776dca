"""Remark 3: what depends on the number of tokens.

The gradients do depend on T, as functions of the tokens; what does not is every bound, and the
dependence is through the law Σ α_t δ(X_t) alone.
"""

from typing import Any

import sympy as sp
from sympy import Abs, log, sqrt

from symbolic.equality import equal
from symbolic.networks.transformer import ExactTransformer
from symbolic.networks.transformer_gradients import gradient
from symbolic.softmax_jacobian import covariance as exact_covariance
from theorems.engine import Given, Obligations, Severity, eq, le, sentence
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, norm
from theorems.engine.rules.vocabulary import opnorm, vectors
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.gradients.formulas import letters, sample
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.gradient import image_size, slope_size
from theorems.shallow_transformer.letters.paper import T, claim, i, m
from theorems.shallow_transformer.letters.pooled import heavy_weight, opposite_variance, pooled
from theorems.shallow_transformer.premises.lines.gradients_of_heads import WEIGHT, InAHead
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.tokens import what_is_assumed
from theorems.shallow_transformer.sampling.networks import (
    SampledNetwork,
    scaled_networks,
    sizes_of_heads,
    worst_head,
)
from theorems.shallow_transformer.sampling.token_pools import Pool, pools
from theorems.shallow_transformer.useful_facts.pooled_tokens import COVARIANCE_OF_TOKENS

_NOTE = "proofs_notes/st_softmax.md#number-of-tokens"

REMARK_3 = claim(
    "st.rem3",
    at="Remark 3",
    title="M is a covariance of trace at most 1, whatever the number of tokens",
    states={
        "form": COVARIANCE_OF_TOKENS.parts["forms"],
        "bound": [le(of.M_frobenius, of.M_trace), le(of.M_trace, 1)],
        "attained": [eq(heavy_weight(T), sp.Rational(1, 2)), eq(opposite_variance(0), 1)],
        "all weight on one token": eq(opposite_variance(1), 0),
    },
    assuming=[hyp.TOKENS],
    rests_on=[COVARIANCE_OF_TOKENS],
)


@REMARK_3.proved("form")
def second_moments_less_the_mean(given: Given) -> Theorem:
    """The third form of M, in any two directions."""
    return given.concluded(given.fact(COVARIANCE_OF_TOKENS, "forms"))


@REMARK_3.proved("bound")
def trace_at_most_one(given: Given) -> Theorem:
    """Fact 3, for every T."""
    return given.follows(given.fact(COVARIANCE_OF_TOKENS, "norms"))


@REMARK_3.proved("attained", "all weight on one token")
def two_opposite_tokens(given: Given) -> Theorem:
    """A token e of logit log T, and T tokens −e of logit 0: each side has half of the weight."""
    return given.decided()


@REMARK_3.tested("bound", over=pools)
def trace(pool: Pool) -> dict[Any, Any]:
    """|M|_F and tr M, for up to seven tokens."""
    found = pool.quantities()
    return {one: found[one] for one in (of.M_frobenius, of.M_trace)}


ONLY = claim(
    "st.rem3.only",
    at="Remark 3",
    title="M is the only term of Lemma 1 that involves T",
    states=sentence(r"\frac{\partial f}{\partial $c} \text{ and } \nabla_{$U}f \text{ do not depend on } $T"),
    note=_NOTE,
)


def _gradient(tokens: Any) -> Any:
    """The gradient of one head, d = 1, U = c = 1, W = 0, with a formal σ."""
    return gradient(ExactTransformer([(1, [[1]], [[0]])]), tokens, [[1]])


@ONLY.refuted(severity=Severity.DEPENDENCE)
def one_more_token() -> Obligations:
    """The token 1, and the tokens 1 and −1: a = 1 and a = 0, so that h = σ(1) and σ(0)."""
    one, two, same = _gradient([[1]]), _gradient([[1], [-1]]), _gradient([[1], [1]])
    yield "(5) differs", bool(one[0] != two[0])
    yield "(6) differs", bool(one[1] != two[1])
    yield "neither does if the token is repeated", bool(one[:2] == same[:2])


_BOUNDS = [
    le(of.c_gradient, of.sigma_0 / sqrt(m)),
    le(of.U_gradient, of.sigma_1 * of.c_size * of.a_size / sqrt(m)),
    le(of.W_gradient, of.sigma_1 * of.c_size * (1 - of.a_size**2) * of.u / sqrt(m)),
]
_ASSUMED = (*hyp.REGULAR, hyp.SAME_QUERY)

ONLY_CORRECTED = ONLY.corrected(
    "st.rem3.only.corrected",
    title="Lemma 1 depends on the tokens through their law, and its bounds are free of T",
    states={
        "law of the tokens": sentence(
            r"\sum_t\alpha_t\delta_{X_t} = \sum_s\alpha'_s\delta_{X'_s} \text{ for each head}"
            r" \implies \nabla f($X) = \nabla f($X_prime)"
        ),
        "bounds": _BOUNDS,
    },
    assuming=_ASSUMED,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.fact2", "st.fact3.sharp"],
    note=_NOTE,
)


@ONLY_CORRECTED.argued(
    "law of the tokens",
    bridge="The gradients of Lemma 1 see the tokens through a and M, which are the mean and the"
    " covariance of that law, and through the query.",
    uses=[hyp.SAME_QUERY, hyp.TWICE_DIFFERENTIABLE],
)
def repeated_tokens() -> Obligations:
    """Tokens that agree share their weights, and repeating all tokens equally changes nothing."""
    p, r = sp.symbols("p r", positive=True)
    one, other = letters("X", 2).T, letters("Y", 2).T
    merged = exact_covariance((p, 1 - p), sp.Matrix([one, other]))
    apart = exact_covariance((p * r, p * (1 - r), 1 - p), sp.Matrix([one, one, other]))
    yield "two equal tokens, any weights", equal(merged, apart)
    net, _, _ = sample(2, 1)
    first, second, query = sp.symbols("x y q", real=True)
    weights = net.weights([[first], [second]], [[query]])
    spread = net.weights([[first], [first], [second], [second]], [[query]])
    total_ = sp.simplify(sum(list(spread)[:2]) - weights[0])
    yield "weight of the first", equal(total_, sp.Integer(0))


_VALUE, _STEEP, _POOLED, _MOVED = family("value"), family("slope"), vectors("a"), vectors("MU")
_QUERY = Vector("q")
_HEAD = InAHead("X", _VALUE, _STEEP, _POOLED, _MOVED, _QUERY)


def sizes_of_gradients(given: Given) -> list[Theorem]:
    """Lengths of (5)-(7), and what bounds their factors."""
    names = ONE_HEAD.meaning(
        "lengths and sizes in a head",
        *(eq(of.c_size, Abs(WEIGHT(i))), eq(slope_size, Abs(_STEEP(i))), eq(of.q_size, norm(_QUERY))),
        *(eq(of.a_size, norm(pooled)), eq(image_size, norm(_MOVED(i)))),
    )
    place = ONE_HEAD.meaning("the pooled token of a head, at its W", eq(norm(pooled), norm(_POOLED(i))))
    squares, steep = _HEAD.lengths(given), of.c_size * slope_size / sqrt(m)
    lengths = (of.U_gradient, steep * of.a_size), (of.W_gradient, steep * image_size * of.q_size)
    return [
        ONE_HEAD.follows(squares, goal=eq(of.c_gradient, Abs(_VALUE(i)) / sqrt(m))),
        *(ONE_HEAD.follows(squares, names, place, goal=eq(*one)) for one in lengths),
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(_STEEP(i)), of.sigma_1)),
        names,
    ]


@ONLY_CORRECTED.proved("bounds")
def products_of_lengths(given: Given) -> Theorem:
    """|MU| ≤ ‖M‖|U| ≤ (1 − |a|²)|U| by st.fact3.sharp, and |q| ≤ 1."""
    of_c, of_U, of_W, slope, names = sizes_of_gradients(given)
    value = what_is_assumed(given, hyp.BOUNDED_VALUES, le(Abs(_VALUE(i)), of.sigma_0))
    query = what_is_assumed(given, hyp.QUERY, le(of.q_size, 1))
    M, U = Operator("M"), Vector("U")
    lengths = ONE_HEAD.meaning(
        "the lengths of U and MU, and the operator norm of M",
        *(eq(norm(act(M, U)), norm(_MOVED(i))), eq(of.u, norm(U)), eq(of.M_norm, opnorm(M))),
    )
    image = facts.operator_norm(M, U)
    shorter = ONE_HEAD.follows(lengths, names, image, goal=le(image_size, of.M_norm * of.u))
    covariance = given.fact("st.fact3.sharp", "bound")
    longest = (1 - of.a_size**2) * of.u
    product = ONE_HEAD.follows(shorter, covariance, goal=le(image_size, longest))
    turned = ONE_HEAD.follows(product, query, goal=le(image_size * of.q_size, longest))
    below = ONE_HEAD.follows(slope, names, goal=le(slope_size, of.sigma_1))
    steep = le(slope_size * image_size * of.q_size, of.sigma_1 * longest)
    known = [of_c, of_U, of_W, value, below, ONE_HEAD.follows(turned, below, goal=steep)]
    return given.concluded(*(ONE_HEAD.follows(*known, goal=one) for one in _BOUNDS))


@ONLY_CORRECTED.tested("bounds", over=scaled_networks, cases=100)
def gradients_over_bounds(case: tuple[SampledNetwork, float]) -> dict[Any, Any]:
    """Lengths of gradients for k tanh; opposite tokens on the line are next to equality."""
    return worst_head(sizes_of_heads(*case), of.W_gradient, _BOUNDS[2].rhs)


GRADIENT = claim(
    "st.rem3.gradient",
    at="Remark 3",
    title="The norm of the gradient with respect to the attention matrix is independent of T",
    states=sentence(r"\|\nabla_{$W}f($X;\varphi)\|_F \text{ is independent of } $T"),
    note=_NOTE,
)


@GRADIENT.refuted(severity=Severity.DEPENDENCE)
def one_token_and_two_tokens() -> Obligations:
    """One token has M = 0, the two tokens ±1 with equal weights have M = 1."""
    one, two, same = _gradient([[1]]), _gradient([[1], [-1]]), _gradient([[1], [1]])
    yield "T = 1 gives 0", bool(one[2] == 0)
    yield "T = 2 does not", bool(two[2] != 0)
    yield "T = 2 with equal tokens does", bool(same[2] == 0)


GRADIENT_CORRECTED = GRADIENT.corrected(
    "st.rem3.gradient.corrected",
    title="The best bound of the gradient with respect to the attention matrix is independent of T",
    states={
        "bound": le(of.W_gradient, of.sigma_1 * of.c_size * of.u / sqrt(m)),
        "attained": sentence(
            r"\max_{$X,$W,\|q_X\|\le $unit}\|\nabla_{$W}f\|_F = m^{$power}|c_i|\,$sigma_1\|$U\|"
            r" \quad \text{for each } $T \ge $least",
            unit=1,
            power=sp.Rational(-1, 2),
            least=2,
        ),
        "one token": sentence(r"\nabla_{$W}f = $value \quad \text{for } $T = $tokens", value=0, tokens=1),
    },
    assuming=[*hyp.INPUTS, hyp.TWICE_DIFFERENTIABLE, hyp.BOUNDED_SLOPES, hyp.STEEPEST_AT_ZERO],
    rests_on=[ONLY_CORRECTED, REMARK_3],
    discharging={
        hyp.BOUNDED_VALUES: "the bound of the gradient by W does not use it",
        hyp.SAME_QUERY: "one input only",
    },
    note=_NOTE,
    excused={"domain of T": "true as well: what is said of T is for T = 1 and for T ≥ 2 only"},
)


@GRADIENT_CORRECTED.proved("bound")
def without_the_mean(given: Given) -> Theorem:
    """1 − |a|² ≤ 1."""
    return given.follows(given.fact(ONLY_CORRECTED, "bounds"))


def _by_attention(tokens: int, slope: Any = 1, size: int = 1) -> Any:
    """The gradient by W: one token U/|U|, the others −U/|U| with half of the weight together."""
    weight, length = sp.symbols("c u", positive=True)
    W_ = sp.Matrix([[0, log(tokens - 1) / 2 if tokens > 1 else 0], [0, 0]])
    heads = [(weight, [[length], [0]], W_)] * size
    net = ExactTransformer(heads, sp.tanh)
    rows = [[1, 0]] + [[-1, 0]] * (tokens - 1)
    return gradient(net, rows, [[0], [slope]])[3:], weight * length


@GRADIENT_CORRECTED.argued(
    "attained",
    bridge="For every number of tokens one of them can have half of the weight, and then the mean"
    " is zero, where the activation is steepest; the bound is the part before.",
    uses=[hyp.STEEPEST_AT_ZERO, *hyp.INPUTS],
)
def attained_at_mean_zero(unit: Any, power: Any, least: Any) -> Obligations:
    """σ = tanh: one token U/|U|, all others −U/|U|, q of the largest length, one and two heads."""
    for tokens in (least, least + 1, 5):
        for size in (1, 2):
            found, product = _by_attention(int(tokens), sp.Rational(unit), size)
            square = sum(one**2 for one in found)
            expected = sp.Integer(size) ** (2 * sp.Rational(power)) * product**2
            whole = sp.Rational(tokens) == int(tokens)
            yield f"T = {tokens}, m = {size}", whole and equal(square, expected)
    fewer, _ = _by_attention(int(least) - 1)
    yield "nothing with fewer tokens", all(one == 0 for one in fewer)


@GRADIENT_CORRECTED.argued("one token", bridge="One token has M = 0 in every dimension.")
def no_covariance(value: Any, tokens: Any) -> Obligations:
    """The gradient with one token in the plane."""
    found, _ = _by_attention(int(tokens))
    exact = sp.Rational(tokens) == int(tokens) and int(tokens) >= 1
    yield "gradient", exact and all(equal(one, sp.sympify(value)) for one in found)
