"""Lemma 32: moments of heads and of outputs, by those of attention weights and of the input."""

import sympy as sp
from sympy import Abs, sqrt

from theorems.classical import powers
from theorems.engine import Given, Hypothesis, eq, half_line, le, rules
from theorems.engine.rules import E, P, Theorem, facts, principles, probabilities
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.auxiliary.dense_moments import Dense, means, moment_of_means, place
from theorems.infinite_attention.letters.auxiliary import (
    attended,
    degree,
    head_output,
    input_moment,
    noise,
    sequence,
    term_moment,
    transformed,
    weight_moment,
)
from theorems.infinite_attention.letters.encodings import order, output_a
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width, width
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#moments-of-heads-and-outputs"
_NORMAL = E(Abs(noise) ** order)

POLYNOMIAL = Hypothesis(
    "polynomial_bound",
    "the size of $transformed is at most a polynomial of degree $degree in the size of a variable,"
    " and $term_moment is the largest moment of order t of a term of this polynomial",
)

NONLINEARITY = claim(
    "inf.lem32.nonlinearity",
    at="Lemma 32",
    title="Moments of a nonlinearity are at most those of a term of the polynomial that bounds it",
    states=le(E(Abs(transformed) ** order), (degree + 1) ** order * term_moment),
    assuming=POLYNOMIAL,
    note=_NOTE,
)


_TERM = randoms("term of the polynomial")


@NONLINEARITY.proved()
def mean_of_the_terms(given: Given) -> Theorem:
    """The polynomial is the number of its terms times their mean."""
    numbers = {x: given.domain[x] for x in (degree, order)}
    mean, term = means(degree + 1), _TERM(place)
    size, bound = Abs(transformed) ** order, (degree + 1) ** order * Abs(mean) ** order
    below = given.supposed(POLYNOMIAL, eq(P(le(size, bound)), 1))
    larger = probabilities.larger_mean(size, bound, over=numbers)
    moments = given.supposed(POLYNOMIAL, le(E(Abs(term) ** order), term_moment))
    every = given.substituted(moment_of_means(given, moments, term), {place: degree + 1})
    return given.follows(below, larger, every)


HEADS = Hypothesis(
    "head_is_dense",
    "given the input and the attention weights, $head_output is centred and normal with the"
    " variance $sigma_v squared times the mean over $width columns of squares with the law of that"
    " of $attended, which is the sum over $sequence tokens of attention weights times entries of"
    " the input; $weight_moment and $input_moment are the largest moments of both, and $noise is a"
    " standard normal variable",
)

HEAD = claim(
    "inf.lem32.heads",
    at="Lemma 32",
    title="Moments of a head, by moments of its attention weights and of the input",
    states={
        "one column": le(E(Abs(head_output) ** order), _NORMAL * sigma_v**order * E(Abs(attended) ** order)),
        "sum over tokens": le(
            E(Abs(attended) ** order), sequence**order * sqrt(weight_moment * input_moment)
        ),
        "bound": le(
            E(Abs(head_output) ** order),
            _NORMAL * sigma_v**order * sequence**order * sqrt(weight_moment * input_moment),
        ),
    },
    given={order: half_line(2)},
    assuming=HEADS,
    note=_NOTE,
)
_G, _g = randoms("weight"), randoms("entry")
_x, _y = sp.symbols("x y", real=True)


def _products(given: Given) -> Theorem:
    """E|G g|^t is at most the root of E|G|^(2t) E|g|^(2t), at every token."""
    numbers = {x: given.domain[x] for x in (order, weight_moment, input_moment)}
    over = {place: sp.Range(sp.oo), **numbers}
    places = {x: over[x] for x in (place, order)}
    G, g = _G(place), _g(place)
    sizes = Abs(G) ** order, Abs(g) ** order
    split = powers.of_sizes(_x, _y, order, over={_x: sp.Reals, _y: sp.Reals, **numbers})
    known = [
        principles.expected_jointly(split, {_x: G, _y: g}, over={place: over[place]}),
        facts.expectation_of_product(*sizes, over=places),
        *(probabilities.expectation_of_size(one**2, over=places) for one in sizes),
        given.supposed(HEADS, le(E(sizes[0] ** 2), weight_moment), le(E(sizes[1] ** 2), input_moment)),
    ]
    moment = E(Abs(G * g) ** order)
    squared = rules.follows(le(moment**2, weight_moment * input_moment), known)
    return rules.follows(le(moment, sqrt(weight_moment * input_moment)), [squared])


def _sum_over_tokens(given: Given) -> Theorem:
    """The sum is the number of tokens times a mean of products."""
    every = moment_of_means(given, _products(given), _G(place) * _g(place))
    mean = every.at({place: sequence})
    total = given.supposed(
        HEADS, eq(E(Abs(attended) ** order), sequence**order * E(Abs(means(sequence)) ** order))
    )
    top = sequence**order * sqrt(weight_moment * input_moment)
    goal = le(E(Abs(attended) ** order), top)
    return rules.follows(goal, [mean, total])


@HEAD.proved("sum over tokens")
def products_over_tokens(given: Given) -> Theorem:
    """Each product by the inequality of Cauchy and Schwarz."""
    return given.follows(_sum_over_tokens(given))


def _one_column(given: Given) -> Theorem:
    return Dense(given, HEADS, head_output, sigma_v).bound(attended, width)


@HEAD.proved("one column", "bound")
def dense_layer_of_attended_columns(given: Given) -> Theorem:
    """A head is a dense layer of the input's means with the attention weights."""
    size = probabilities.expectation_of_size(Abs(noise) ** order, over={order: given.domain[order]})
    return given.follows(_one_column(given), _sum_over_tokens(given), size)


OUTPUTS = Hypothesis(
    "output_is_dense",
    "given the heads, $output_a is centred and normal with the variance $sigma_o squared times the"
    " mean of the squares of $heads times $value_width variables with the law of $head_output, and"
    " $noise is a standard normal variable",
)

OUTPUT = claim(
    "inf.lem32.outputs",
    at="Lemma 32",
    title="Moments of an output are at most those of a normal variable times those of a head",
    states=le(E(Abs(output_a) ** order), _NORMAL * sigma_o**order * E(Abs(head_output) ** order)),
    given={order: half_line(2)},
    assuming=OUTPUTS,
    note=_NOTE,
)


@OUTPUT.proved()
def dense_layer_of_heads(given: Given) -> Theorem:
    """The output is a dense layer of the heads."""
    layer = Dense(given, OUTPUTS, output_a, sigma_o)
    return given.follows(layer.bound(head_output, heads * value_width))
