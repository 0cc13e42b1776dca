"""Appendix C.2: the tangent kernel with positional encodings is one substitution."""

from sympy import Expr, Sum, Symbol, sqrt

from theorems.engine import Given, Hypothesis, Provenance, eq, rules
from theorems.engine.rules import Theorem, Vector, act, inner, sums
from theorems.infinite_attention.letters.encodings import (
    R_ab,
    alpha,
    delta_ab,
    encoded_ab,
    encoded_entry,
    encoded_kernel,
    encoding_width,
    gradient_a,
    gradient_b,
    input_gradient_a,
    input_gradient_b,
    mean_encoded_tangent,
    mean_tangent,
    pair_first,
    pair_second,
    slope_mean,
    weight_mean,
)
from theorems.infinite_attention.letters.heads import kronecker, tokens
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    input_kernel,
    input_tangent,
    output_kernel,
    output_tangent,
    sigma_ov,
    sigma_qk,
    slope_products,
    tangent_ab,
    weight_products,
)
from theorems.infinite_attention.letters.network import width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.sums_over_pairs import i, trace
from theorems.infinite_attention.tangent_limit.tangent_kernel import printed_tangent

_NOTE = "proofs_notes/inf_encodings.md#tangent-kernels-with-encodings"
_SCALES = sigma_ov**2 * sigma_qk**2
_SLOPES = inner(encoded_kernel, act(slope_products, encoded_kernel))


def _direct(is_half: int) -> Expr:
    """The parameters of the layer itself: what Equation (22) has without the input's tangents."""
    return 2 * output_kernel + is_half * 2 * _SCALES * encoded_ab * _SLOPES


def _inherited(tangent: Vector, entry: Expr, is_half: int) -> Expr:
    """What a tangent kernel of the layer's input contributes to Equation (22)."""
    values = sigma_ov**2 * inner(tangent, weight_products)
    scores = encoded_ab * inner(encoded_kernel, act(slope_products, tangent)) + entry * _SLOPES
    return values + is_half * _SCALES * scores


ENCODED_TANGENT = Hypothesis(
    "tangent_of_encoded_input",
    "$output_tangent is that of Equation (22), with $encoded_kernel, of which $encoded_ab is an"
    " entry, as the kernel of the layer's input, and with the tangent kernel of the input with"
    " encodings, of which the part of the encodings is (1 - α) where tokens are equal, and else 0",
    latex=r"\alpha \tilde\Theta_{ab} + (1 - \alpha) \delta_{a = b}",
)
_LETTERS = [
    *(output_tangent, output_kernel, alpha, sigma_ov, input_tangent),
    *(weight_products, encoded_kernel, encoded_ab),
]
_c, _other = (Symbol(name, integer=True, nonnegative=True) for name in ("c", "c'"))
_P, _Q = (Symbol(name, integer=True, nonnegative=True) for name in ("P", "Q"))
_PAIRS = tokens**2


def _of_values() -> Expr:
    """Σ_c E[G̃_ac(x) G̃_bc(x')]."""
    return sigma_ov**2 * Sum(weight_mean(_c, _c), (_c, 0, tokens - 1))


def _same(pair: Expr) -> Expr:
    return kronecker(pair_first(pair), pair_second(pair))


def _row_of_scores() -> Expr:
    """The sum over pairs (d_1, d_2)."""
    inside = (_same(_Q) * encoded_ab + delta_ab * encoded_entry(_Q)) * slope_mean(_P, _Q)
    return Sum(inside, (_Q, 0, _PAIRS - 1))


def _of_scores() -> Expr:
    """The sum over pairs (c_1, c_2) and (d_1, d_2)."""
    return _SCALES * Sum(encoded_entry(_P) * _row_of_scores(), (_P, 0, _PAIRS - 1))


def _total(is_half: int) -> Expr:
    return (
        _direct(is_half)
        + alpha * _inherited(input_tangent, tangent_ab, is_half)
        + (1 - alpha) * _of_values()
        + is_half * (1 - alpha) * _of_scores()
    )


HALF = claim(
    "inf.c2",
    at="Appendix C.2",
    title="Trained encodings add to the tangent kernel the sums that the page prints",
    states=eq(output_tangent, _total(is_half=1)),
    assuming=ENCODED_TANGENT,
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)
ONE = claim(
    "inf.c2.shared",
    at="Appendix C.2",
    title="Trained encodings add the means of products of weights at the exponent one",
    states=eq(output_tangent, _total(is_half=0)),
    assuming=ENCODED_TANGENT,
    note=_NOTE,
)
_unit = Vector("unit matrix")


def _substituted(given: Given, is_half: int) -> Theorem:
    """Equation (22), with the mixture of the input's tangent kernel and a unit matrix."""
    mixture = alpha * input_tangent + (1 - alpha) * _unit
    entry = alpha * tangent_ab + (1 - alpha) * delta_ab
    seen = {input_kernel: encoded_kernel, input_ab: encoded_ab}
    inherited = {input_tangent: mixture, tangent_ab: entry}
    whole = printed_tangent(is_half).xreplace({**seen, **inherited})
    return given.supposed(ENCODED_TANGENT, eq(output_tangent, whole))


def _diagonal(given: Given) -> Theorem:
    """⟨𝟙, M⟩, the sum of δ_cc' M_cc' over all entries, is the sum over the diagonal."""
    return trace(given, inner(_unit, weight_products), weight_mean(i, i), size=tokens)


def _entries(given: Given) -> list[Theorem]:
    """The forms in derivatives as sums over pairs of tokens, of which the page prints the sum."""
    rows = {
        encoded_kernel: Sum(encoded_entry(_Q) * slope_mean(_P, _Q), (_Q, 0, _PAIRS - 1)),
        _unit: Sum(_same(_Q) * slope_mean(_P, _Q), (_Q, 0, _PAIRS - 1)),
    }
    forms = given.meaning(
        "inner products with images of matrices, by their entries",
        *(
            eq(
                inner(encoded_kernel, act(slope_products, matrix)),
                Sum(encoded_entry(_P) * row, (_P, 0, _PAIRS - 1)),
            )
            for matrix, row in rows.items()
        ),
    )
    apart = sums.linear(_row_of_scores())
    parts = encoded_ab * encoded_entry(_P) * rows[_unit] + delta_ab * encoded_entry(_P) * rows[encoded_kernel]
    each = rules.follows(eq(encoded_entry(_P) * _row_of_scores(), parts), [apart])
    whole = sums.summed(each, _P, _PAIRS)
    return [forms, whole, sums.linear(whole.statement.rhs)]


@HALF.proved()
def linear_in_the_tangents(given: Given) -> Theorem:
    """Equation (22) is affine in the tangent kernel of the input."""
    return given.follows(_substituted(given, is_half=1), _diagonal(given), *_entries(given))


@ONE.proved()
def values_alone(given: Given) -> Theorem:
    """Scores with shared weights are constant in the limit, so that values alone contribute."""
    return given.follows(_substituted(given, is_half=0), _diagonal(given))


GRADIENTS = Hypothesis(
    "gradients_of_encoded_input",
    "encodings are added with the factor √(1 - α) to √α times the input, α being $alpha, and have"
    " parameters of their own; $gradient_a and $gradient_b are gradients by all of them,"
    " $input_gradient_a and $input_gradient_b by those of the layers before",
)
DIRECTLY = Hypothesis("trained_encodings", "the parameters are the entries of the encodings themselves")
BY_ROOT = Hypothesis(
    "encodings_by_root",
    "encodings are the root of their covariance matrix, of which $R_ab is an entry, times standard"
    " normal variables, which are the parameters",
    latex=r"E = R^{1/2} \tilde E",
)
_before = inner(input_gradient_a, input_gradient_b)
_own_a, _own_b = Vector("gradient of E_ai"), Vector("gradient of E_bi")


def _gradients(given: Given) -> Theorem:
    """The gradient of an entry has a part for the layers before and one for the encodings."""
    a = sqrt(alpha) * input_gradient_a + sqrt(1 - alpha) * _own_a
    b = sqrt(alpha) * input_gradient_b + sqrt(1 - alpha) * _own_b
    return given.supposed(
        GRADIENTS,
        eq(inner(gradient_a, gradient_b), inner(a, b)),
        *(eq(inner(one, own), 0) for one in (input_gradient_a, input_gradient_b) for own in _OWN),
    )


_OWN = (_own_a, _own_b)

DIRECT = claim(
    "inf.c2.encodings",
    at="Appendix C.2",
    title="Added encodings that are trained add a unit matrix to the input's tangent kernel",
    states=eq(inner(gradient_a, gradient_b), alpha * _before + (1 - alpha) * delta_ab),
    assuming=[GRADIENTS, DIRECTLY],
    note=_NOTE,
)
ROOT = claim(
    "inf.c2.root",
    at="Appendix C.2",
    title="Added encodings in the parametrisation of weights add their covariance instead",
    states=eq(inner(gradient_a, gradient_b), alpha * _before + (1 - alpha) * R_ab),
    assuming=[GRADIENTS, BY_ROOT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIRECT.proved()
def one_parameter_an_entry(given: Given) -> Theorem:
    """The gradient of an entry is a unit vector of its own."""
    own = given.supposed(DIRECTLY, eq(inner(_own_a, _own_b), delta_ab))
    return given.follows(_gradients(given), own)


@ROOT.proved()
def rows_of_the_root(given: Given) -> Theorem:
    """The gradient of an entry is a row of the root, whose square is the covariance matrix."""
    own = given.supposed(BY_ROOT, eq(inner(_own_a, _own_b), R_ab))
    return given.follows(_gradients(given), own)


APPENDED = Hypothesis(
    "gradients_of_appended_input",
    "the columns of the encoding are appended to those of the input, $encoding_width to $width, and"
    " have parameters of their own: gradients of the first are those of the input, with the mean"
    " $mean_tangent of inner products, and $mean_encoded_tangent is the mean over all columns",
)
_SHARE = width / (width + encoding_width)

APPEND = claim(
    "inf.c2.appended",
    at="Appendix C.2",
    title="Appended encodings that are trained add a unit matrix to the mean tangent kernel",
    states=eq(mean_encoded_tangent, _SHARE * mean_tangent + (1 - _SHARE) * delta_ab),
    assuming=[APPENDED, DIRECTLY],
    note=_NOTE,
)
_total_of_encodings = Symbol("sum over the columns of the encodings", real=True)


@APPEND.proved()
def both_groups_of_columns(given: Given) -> Theorem:
    """The sum over all columns is that over the input's, and one that has equal terms."""
    own = given.supposed(DIRECTLY, eq(_total_of_encodings, encoding_width * delta_ab))
    whole = given.supposed(
        APPENDED,
        eq(mean_encoded_tangent * (width + encoding_width), width * mean_tangent + _total_of_encodings),
    )
    return given.follows(whole, own)
