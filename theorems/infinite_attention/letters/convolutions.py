"""Letters of Appendix B.3: filters, and attention with constant or random coefficients."""

from sympy import Interval

from theorems.engine.rules import Vector
from theorems.engine.statements.domain import half_line, integers
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, SIZE, UNIT, size

FAINT = Interval.Lopen(0, 1)


d_f = LETTERS.number("d_f", "d_f", "number of pixels under the filter", SIZE)
largest_error = size(
    "largest_error",
    r"\sup_{\tilde\kappa} |\kappa^{\text{ATTN}}_{aa} - \kappa^{\text{CNN}}_{aa}|",
    "largest distance of an entry of attention with some constant coefficients from that of the"
    " convolution, over kernels of trace one of a single input",
)
uniform_error = size(
    "uniform_error",
    r"\sup_{\tilde\kappa} |\kappa^{\text{mean}}_{aa} - \kappa^{\text{CNN}}_{aa}|",
    "largest distance of an entry of attention from that of the convolution, for coefficients that"
    " are equal under the filter, with the sum one, and else zero",
)
place_i = LETTERS.number("place_i", "i(a)", "place of pixel i under the filter at pixel a", SIZE)
place_j = LETTERS.number("place_j", "j(b)", "place of pixel j under the filter at pixel b", SIZE)
joint_weight = size(
    "joint_weight",
    r"\mathbb{E}[\zeta(G(x))_{ai}\zeta(G(x'))_{bj}]",
    "mean of the product of two attention weights",
)
agreement = LETTERS.quantity(
    "agreement",
    r"\mathbb{P}(i(a)(x) = j(b)(x'))",
    "probability that pixel a of one input and pixel b of another attend to pixels at the same"
    " place under their filters",
    UNIT,
)
signs_error = size(
    "signs_error",
    r"\sup_{\tilde\kappa} |\kappa^{\pm}_{aa} - \kappa^{\text{CNN}}_{aa}|",
    "largest distance of an entry of attention from that of the convolution, for coefficients that"
    " are plus or minus one over the root of the filter's size under the filter, and else zero",
)
under_z = LETTERS.thing(
    Vector("under_z"), r"\bar\zeta_N", "attention coefficients under the filter", Kind.VECTOR
)
beyond_z = LETTERS.thing(
    Vector("beyond_z"), r"\bar\zeta_{N^c}", "attention coefficients elsewhere", Kind.VECTOR
)
under_v = LETTERS.thing(
    Vector("under_v"), "v_N", "a vector v under the filter; its kernel is v v^T", Kind.VECTOR
)
beyond_v = LETTERS.thing(Vector("beyond_v"), r"v_{N^c}", "the vector v elsewhere", Kind.VECTOR)
uncovered = LETTERS.number("uncovered", "r", "number of pixels that are not under the filter", integers(0))
faint = LETTERS.number(
    "faint", "e^{-t}", "weight of a score over that of another one which is greater by t", FAINT
)
score_level = LETTERS.number("score_level", "t", "score of the drawn pixel under the filter", half_line(0))
constant_weight = LETTERS.thing(
    "constant_weight",
    r"\bar\zeta",
    "constant attention coefficient, by the input of the network, the pixel that attends, and the"
    " pixel that is attended to",
    Kind.FUNCTION,
)
filter_pixel = LETTERS.thing(
    "filter_pixel",
    "N",
    "pixel that lies under the filter at some pixel, by this pixel and the place under the filter",
    Kind.FUNCTION,
)
