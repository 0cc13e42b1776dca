"""Letters of Appendix B.3: filters, and attention with constant or random coefficients."""

from theorems.infinite_attention.letters.table import LETTERS, SIZE, UNIT, size

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
    "the same for coefficients that are equal under the filter, with the sum one, and else zero",
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
