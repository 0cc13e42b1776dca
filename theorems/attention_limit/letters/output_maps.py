"""Letters of footnote 4: softmax, and the maps from values and scores to outputs."""

from theorems.attention_limit.letters.table import LETTERS, SIZE, UNIT, size

s_tokens = LETTERS.number("s_tokens", "s", "number of tokens of an attention layer", SIZE)
H_heads = LETTERS.number("H_heads", "H", "number of heads of an attention layer", SIZE)

softmax_change = size(
    "softmax_change",
    r"\|\mathrm{SoftMax}(p)-\mathrm{SoftMax}(p')\|",
    "Euclidean distance of the softmax weights of two rows of scores",
)
weight_change = size(
    "weight_change",
    r"|\mathrm{SoftMax}_j(p)-\mathrm{SoftMax}_j(p')|",
    "distance of the softmax weights of one token for two rows of scores",
)
score_distance = size("score_distance", r"\|p-p'\|", "Euclidean distance of two rows of scores")
one_weight = LETTERS.quantity("one_weight", r"\mathrm{SoftMax}_j(p)", "softmax weight of one token", UNIT)
weight_slope = size(
    "weight_slope",
    r"\|\nabla\mathrm{SoftMax}_j(p)\|",
    "Euclidean norm of the gradient of one token's softmax weight",
)
C_softmax = size("C_softmax", "C", "a Lipschitz constant of softmax or of one of its coordinates")
output_slope = size(
    "output_slope",
    r"\|\nabla\varphi^i(z)\|",
    "Euclidean norm of the gradient of an output map at values and scores z",
)
norm_z = size("norm_z", r"\|z\|", "Euclidean norm of all values and scores")
norm_z_other = size("norm_z_other", r"\|z'\|", "Euclidean norm of other values and scores")
distance_z = size("distance_z", r"\|z-z'\|", "Euclidean distance of values and scores")
output_change = size(
    "output_change", r"|\varphi^i(z)-\varphi^i(z')|", "distance of two values of an output map"
)
C_output = size("C_output", "C", "a constant with which an output map is pseudo-Lipschitz")
