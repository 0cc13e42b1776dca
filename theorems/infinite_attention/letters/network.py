"""Letters of an attention layer of finite width: sizes, scales, and mean products of its inputs.

Tokens a and i belong to one input x of the network, b and j to another, x'. Given the inputs of
the layer, its law knows of them only the mean products of entries of two tokens.
"""

from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, SIZE, real, size

width = LETTERS.number("width", "d", "number of columns of the layer's input", SIZE)
score_width = LETTERS.number("score_width", "d^G", "number of columns of queries and keys", SIZE)
value_width = LETTERS.number("value_width", "d^V", "number of columns of values", SIZE)
heads = LETTERS.number("heads", "d^H", "number of heads", SIZE)

sigma_q = LETTERS.number("sigma_q", r"\sigma_Q", "scale of the weights of queries", NONNEGATIVE)
sigma_k = LETTERS.number("sigma_k", r"\sigma_K", "scale of the weights of keys", NONNEGATIVE)
sigma_v = LETTERS.number("sigma_v", r"\sigma_V", "scale of the weights of values", NONNEGATIVE)
sigma_o = LETTERS.number("sigma_o", r"\sigma_O", "scale of the output weights", NONNEGATIVE)

S_aa = size("S_aa", r"\hat\kappa_{aa}(x, x)", "mean square of the input of token a")
S_bb = size("S_bb", r"\hat\kappa_{bb}(x', x')", "mean square of the input of token b")
S_ii = size("S_ii", r"\hat\kappa_{ii}(x, x)", "mean square of the input of token i")
S_jj = size("S_jj", r"\hat\kappa_{jj}(x', x')", "mean square of the input of token j")
S_ab = real("S_ab", r"\hat\kappa_{ab}(x, x')", "mean product of the inputs of tokens a and b")
S_ij = real("S_ij", r"\hat\kappa_{ij}(x, x')", "mean product of the inputs of tokens i and j")
