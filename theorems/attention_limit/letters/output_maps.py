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
one_weight = LETTERS.quantity(
    "one_weight", r"\mathrm{SoftMax}_j(p)", "softmax weight of one token", UNIT
)
weight_slope = size(
    "weight_slope",
    r"\|\nabla\mathrm{SoftMax}_j(p)\|",
    "Euclidean norm of the gradient of one token's softmax weight",
)
C_softmax = size("C_softmax", "C", "a Lipschitz constant of softmax or of one of its coordinates")
