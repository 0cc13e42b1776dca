"""Letters of Section 2: one attention layer of finite width, given its inputs."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    POSITIVE,
    SIZE,
    random,
    real,
    size,
    vector,
)

n = LETTERS.number("n", "n", "width", SIZE)
m = LETTERS.number("m", "m", "number of rows of the matrices of queries, keys and values", SIZE)
sigma_query = LETTERS.number(
    "sigma_query",
    r"\sigma_Q",
    "scale of the weights of queries, that is, deviation times root n",
    POSITIVE,
)
sigma_key = LETTERS.number("sigma_key", r"\sigma_K", "scale of the weights of keys", POSITIVE)
sigma_value = LETTERS.number("sigma_value", r"\sigma_V", "scale of the weights of values", POSITIVE)
sigma_out = LETTERS.number("sigma_out", r"\sigma_O", "scale of the output weights", POSITIVE)

x_i = vector("x_i", "x^i", "input of token i")
x_k = vector("x_k", "x^k", "input of token k")
query_i = random("query_i", "Q_i", "an entry of the query of token i")
query_k = random("query_k", "Q_k", "the same entry of the query of token k")

S_ii = size("S_ii", "S_{ii}", "mean square of the input of token i")
S_jj = size("S_jj", "S_{jj}", "mean square of the input of token j")
S_ik = real("S_ik", "S_{ik}", "mean product of the inputs of tokens i and k")
S_jl = real("S_jl", "S_{jl}", "mean product of the inputs of tokens j and l")
p_ij = random("p_ij", "p_{ij}", "score of the tokens i and j, given the inputs")
p_kl = random("p_kl", "p_{kl}", "score of the tokens k and l, given the inputs")
threshold = LETTERS.number("threshold", "t", "a size that a score may exceed", POSITIVE)
score_1n = random(
    "score_1n", r"p^{1/n}_{ij}", "score of the tokens i and j with 1/n in place of the root"
)
chance = LETTERS.number("chance", r"\varepsilon", "a small probability", POSITIVE)
y_entry = random("y_entry", r"y^i_\alpha", "entry of an output of one head, given the weights")
q_at_width = size(
    "q_at_width",
    r"\sigma_V^2 \sigma_O^2 (A S A^\top)_{ii}",
    "mean square of an output of one head given the inputs and the attention weights",
)
