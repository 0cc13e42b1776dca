"""Letters of Section 2: one attention layer of finite width, and its law given its inputs."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    SIZE,
    matrix,
    random,
    real,
    size,
    vector,
)

n = LETTERS.number("n", "n", "width", SIZE)
m = LETTERS.number("m", "m", "number of rows of the matrices of queries, keys and values", SIZE)
sigma_query = LETTERS.number(
    "sigma_query", r"\sigma_Q", "scale of the weights of queries, that is, deviation times root n", POSITIVE
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
score_1n = random("score_1n", r"p^{1/n}_{ij}", "score of the tokens i and j with 1/n in place of the root")
chance = LETTERS.number("chance", r"\varepsilon", "a small probability", POSITIVE)
y_entry = random("y_entry", r"y^i_\alpha", "entry of an output of one head, given the weights")
q_at_width = size(
    "q_at_width",
    r"\sigma_V^2 \sigma_O^2 (A S A^\top)_{ii}",
    "mean square of an output of one head given the inputs and the attention weights",
)

# Equations (1) and (2)

X_inputs = matrix("X_inputs", "X", "matrix of the inputs of all tokens, one in each row")
Q_queries = matrix("Q_queries", "Q", "matrix of the queries of all tokens, one in each row")
K_keys = matrix("K_keys", "K", "matrix of the keys of all tokens, one in each row")
V_values = matrix("V_values", "V^{(a)}", "matrix of the values of all tokens in a head, one in each row")
W_query = matrix("W_query", "W^Q", "weights that make queries of inputs")
W_key = matrix("W_key", "W^K", "weights that make keys of inputs")
W_value = matrix("W_value", "W^{V,a}", "weights that make the values in a head of inputs")
W_out = matrix("W_out", "W^{O,a}", "output weights of a head")
x_j = vector("x_j", "x^j", "input of token j")
A_head = matrix("A_head", "A^{(a)}", "attention weights of a head, one row for each token")
A_entry = real("A_entry", "A^{(a)}_{ij}", "attention weight that token i gives to token j in a head")

# The law of scores and outputs given the inputs

S_inputs = matrix("S_inputs", "S", "mean products of the inputs of any two tokens")
R_root = matrix("R_root", "R", "root of the matrix of mean products of the inputs")
p_scores = random(
    "p_scores",
    "p_{ij}",
    "score of the tokens i and j in one head; its weights of queries and of keys have the scales σ_Q and σ_K",
)
N_normals = matrix("N_normals", "N", "square matrix with independent entries")
L_root = matrix("L_root", "L", "root of a random matrix that is independent of the normal entries")
chi_head = random("chi_head", r"\chi_a", "chi-square variable of a head")
L_head = matrix("L_head", "L_a", "root of the random matrix of a head")
y_heads = random("y_heads", r"y_\alpha^i", "entry of the output of all heads for token i")
g_normal = random("g_normal", "g", "standard normal variable, independent of all others")
V_entry = random(
    "V_entry",
    "V",
    "random variance of an entry of the output; the weights of values and the output weights have"
    " the scales σ_V and σ_O",
)
C_tokens = matrix("C_tokens", "C", "random covariances of the entries of the outputs of any two tokens")

# Linear combinations of scores

t_head = matrix("t_head", "t^a", "coefficients of the scores of head a")
t_entry = LETTERS.number(
    "t_entry", "t^a_{ij}", "coefficient of the score of the tokens i and j in head a", REAL
)
p_head = random("p_head", "p^a_{ij}", "score of the tokens i and j in head a, given the inputs")
lambda_k = LETTERS.quantity("lambda_k", r"\lambda_k", "square of singular value number k", NONNEGATIVE)
chi_value = random(
    "chi_value",
    r"\chi_k",
    "chi-square variable of singular value number k, where m is the number of rows of the matrices"
    " of queries and keys",
)
V_combination = random("V_combination", "V", "random variance of the combination of scores")
