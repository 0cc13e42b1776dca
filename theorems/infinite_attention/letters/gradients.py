"""Letters of Appendix B.2.2: derivatives of scores by the layer's input, and their products.

A column is one of the columns of queries and keys, or of the weights that make them. Scores are
differentiated at token a of x with the key of d₁, and at token b of x' with the key of d₂, by the
coordinate i' of token a' of x and the coordinate j' of token b' of x'.
"""

from sympy import Symbol

from theorems.engine import integers
from theorems.engine.rules import Operator, Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, REAL, random, real, size


def _flag(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.number(name, latex, f"1 if {meaning}, else 0", integers(0, 1))


def _input(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.number(name, latex, f"input of {meaning}", REAL)


factor_weight = LETTERS.number(
    "factor_weight",
    r"A",
    "product of an attention weight and a derivative of one, of the first head in (34)",
    REAL,
)
factor_score = LETTERS.number(
    "factor_score",
    r"B",
    "root of the width times the derivative of a score of the second head by the input, in (34)",
    REAL,
)

key_a = _flag("key_a", r"\delta_{d_1=a'}", "the score at a is differentiated through its key")
key_b = _flag("key_b", r"\delta_{d_2=b'}", "the score at b is differentiated through its key")
query_of_a = _flag("query_of_a", r"\delta_{a'=a}", "the score at a is differentiated through its query")
query_of_b = _flag("query_of_b", r"\delta_{b'=b}", "the score at b is differentiated through its query")
same_place = _flag("same_place", r"\delta_{i'=j'}", "the two coordinates are the same")

S_dd = real("S_dd", r"\hat\kappa_{d_1d_2}(x, x')", "mean product of the inputs of d₁ and d₂")
S_db = real("S_db", r"\hat\kappa_{d_1b}(x, x')", "mean product of the inputs of d₁ and b")
S_ad = real("S_ad", r"\hat\kappa_{ad_2}(x, x')", "mean product of the inputs of a and d₂")

g_a_i = _input("g_a_i", "g_{ai'}(x)", "token a, coordinate i'")
g_a_j = _input("g_a_j", "g_{aj'}(x)", "token a, coordinate j'")
g_d_i = _input("g_d_i", "g_{d_1i'}(x)", "token d₁, coordinate i'")
g_d_j = _input("g_d_j", "g_{d_1j'}(x)", "token d₁, coordinate j'")
g_b_i = _input("g_b_i", "g_{bi'}(x')", "token b, coordinate i'")
g_b_j = _input("g_b_j", "g_{bj'}(x')", "token b, coordinate j'")
g_e_i = _input("g_e_i", "g_{d_2i'}(x')", "token d₂, coordinate i'")
g_e_j = _input("g_e_j", "g_{d_2j'}(x')", "token d₂, coordinate j'")

query_a = random("query_a", "Q_{au}(x)", "entry of a column of queries")
query_b = random("query_b", "Q_{bu}(x')", "entry of the same column of queries")
key_d = random("key_d", "K_{d_1u}(x)", "entry of a column of keys")
key_e = random("key_e", "K_{d_2u}(x')", "entry of the same column of keys")
weight_q_i = random("weight_q_i", r"\tilde W^Q_{i'u}", "weight of the queries' column")
weight_q_j = random("weight_q_j", r"\tilde W^Q_{j'u}", "weight of the queries' column")
weight_k_i = random("weight_k_i", r"\tilde W^K_{i'u}", "weight of the keys' column")
weight_k_j = random("weight_k_j", r"\tilde W^K_{j'u}", "weight of the keys' column")
slope_i = random("slope_i", r"\Gamma_{i'u_1}", "entry of a column of (29), at the token a")
slope_j = random("slope_j", r"\Gamma_{j'u_2}", "entry of a column of (29), at the token b")
slope_same = random("slope_same", r"\Gamma_{j'u_1}", "the same, of the column of the token a")

mean_form = random(
    "mean_form",
    r"\bar S^{11}",
    "sum of (31): two derivatives of scores of one head with the tangent kernel between them",
)
tangent_block = LETTERS.thing(
    Vector("tangent_block"),
    r"\hat\Theta_{a'b'}",
    "tangent kernel of the layer's input at tokens a' and b', by their coordinates",
    Kind.MATRIX,
)
unit_block = LETTERS.thing(Vector("unit_block"), "I", "unit matrix over the coordinates", Kind.MATRIX)


def _outer(name: str, latex: str, rows: str, columns: str) -> Symbol:
    meaning = f"matrix over the coordinates, of products of inputs of {rows} and of {columns}"
    return LETTERS.thing(Vector(name), latex, meaning, Kind.MATRIX)


outer_ea = _outer("outer_ea", r"g_{d_2}(x') \otimes g_a(x)", "d₂", "a")
outer_bd = _outer("outer_bd", r"g_b(x') \otimes g_{d_1}(x)", "b", "d₁")
outer_ab = _outer("outer_ab", r"g_a(x) \otimes g_b(x')", "a", "b")
outer_ae = _outer("outer_ae", r"g_a(x) \otimes g_{d_2}(x')", "a", "d₂")
outer_db = _outer("outer_db", r"g_{d_1}(x) \otimes g_b(x')", "d₁", "b")
outer_de = _outer("outer_de", r"g_{d_1}(x) \otimes g_{d_2}(x')", "d₁", "d₂")
outer_ba = _outer("outer_ba", r"g_b(x') \otimes g_a(x)", "b", "a")
outer_ed = _outer("outer_ed", r"g_{d_2}(x') \otimes g_{d_1}(x)", "d₂", "d₁")

# Equation (32): the token c₂ of x' is that of the values.
mean_cross = random(
    "mean_cross",
    r"\bar S^h",
    "sum of (32): the tangent kernel between the input of c₂ and the derivative of a score",
)
cross_sum = real("cross_sum", r"\bar S^h", "sum of (32), for given weights")
outer_cb = _outer("outer_cb", r"g_{c_2}(x') \otimes g_b(x')", "c₂", "b")
outer_ce = _outer("outer_ce", r"g_{c_2}(x') \otimes g_{d_2}(x')", "c₂", "d₂")
tangent_number = LETTERS.number(
    "tangent_number",
    r"\tilde\Theta_{a'b'}",
    "entry of the tangent kernel of the layer's input, if it is the same at all coordinates",
    REAL,
)
score_bc = real("score_bc", "G_{bc_2}(x')", "score at b with the key of c₂")
score_cd = real("score_cd", "G_{c_2d_2}(x')", "score at c₂ with the key of d₂")
S_cc = size("S_cc", r"\hat\kappa_{c_2c_2}(x', x')", "mean square of the input of c₂")
S_ee = size("S_ee", r"\hat\kappa_{d_2d_2}(x', x')", "mean square of the input of d₂")
S_bc = real("S_bc", r"\hat\kappa_{bc_2}(x', x')", "mean product of the inputs of b and c₂")
S_cd = real("S_cd", r"\hat\kappa_{c_2d_2}(x', x')", "mean product of the inputs of c₂ and d₂")
off_mean = real("off_mean", r"m_{\ne}", "mean of a term of two different coordinates")
diagonal_mean = real("diagonal_mean", r"m_{=}", "mean of a term of equal coordinates")
pair_mean = real(
    "pair_mean", r"d^{-2} \textstyle\sum_{i',j'} m", "mean of all terms, over pairs of coordinates"
)
query_other = random("query_other", "Q_{bu_2}(x')", "entry of another column of queries")
weight_k_other = random("weight_k_other", r"\tilde W^K_{j_2'u_2}", "weight of another column of keys")
g_b_other = _input("g_b_other", "g_{bj_2'}(x')", "token b, coordinate j'₂")
contracted = LETTERS.thing(
    Vector("contracted"),
    r"\hat\Theta_{a'b'}^\top g_{c_2}",
    "input of c₂ times the tangent kernel of tokens a' and b'",
    Kind.VECTOR,
)
input_b = LETTERS.thing(Vector("input_b"), "g_b(x')", "input of token b", Kind.VECTOR)
input_a = LETTERS.thing(Vector("input_a"), "g_a(x)", "input of token a", Kind.VECTOR)
input_d = LETTERS.thing(Vector("input_d"), "g_{d_1}(x)", "input of token d₁", Kind.VECTOR)
input_e = LETTERS.thing(Vector("input_e"), "g_{d_2}(x')", "input of token d₂", Kind.VECTOR)

# A layer without a nonlinearity, matrices with an entry for each two tokens i of x and j of x'.
products = LETTERS.thing(
    Vector("products"),
    r"\hat\kappa",
    "mean products of the layer's input at two inputs, by their tokens",
    Kind.MATRIX,
)
tangents = LETTERS.thing(
    Vector("tangents"),
    r"\tilde\Theta",
    "tangent kernel of the layer's input, by tokens of two inputs, the same at all coordinates",
    Kind.MATRIX,
)
crossed_b = LETTERS.thing(
    Vector("crossed_b"),
    r"R_b",
    "matrix of products of the tangent kernel of i and b and the mean product of a and j",
    Kind.MATRIX,
)
crossed_a = LETTERS.thing(
    Vector("crossed_a"),
    r"R_a",
    "matrix of products of the tangent kernel of a and j and the mean product of i and b",
    Kind.MATRIX,
)
T_ab = LETTERS.number("T_ab", r"\tilde\Theta_{ab}", "tangent kernel of tokens a and b", REAL)
S_at = LETTERS.number("S_at", r"\hat\kappa_{aj}(x, x')", "mean product of tokens a and j", REAL)
S_tb = LETTERS.number("S_tb", r"\hat\kappa_{ib}(x, x')", "mean product of tokens i and b", REAL)
T_ij = LETTERS.number("T_ij", r"\tilde\Theta_{ij}", "tangent kernel of tokens i and j", REAL)
T_ib = LETTERS.number("T_ib", r"\tilde\Theta_{ib}", "tangent kernel of tokens i and b", REAL)
T_aj = LETTERS.number("T_aj", r"\tilde\Theta_{aj}", "tangent kernel of tokens a and j", REAL)
scored_ai = random("scored_ai", "G_{ai}(x)", "score at a with the key of i")
scored_bj = random("scored_bj", "G_{bj}(x')", "score at b with the key of j")
scored_jj = random("scored_jj", "G_{jj}(x')", "score at j with the key of j")
slopes_ij = real(
    "slopes_ij",
    r"\mathbb{E}[\bar S_{ij}]",
    "mean sum of (31) for the keys of i and j, over all tokens a' and b'",
)
cross_ij = real(
    "cross_ij",
    r"\mathbb{E}[G_{ai} \bar S_{ij}]",
    "mean of a score times the sum of (32), for the value and key of j, over all tokens b'",
)
scored_part = real(
    "scored_part",
    r"\mathbb{E}\,\Theta^{GG}_{ab}",
    "mean of what the derivatives through the scores contribute to the tangent kernel",
)
crossed_part = real(
    "crossed_part",
    r"\mathbb{E}\,\Theta^{VG}_{ab}",
    "mean of what derivatives through the values at x and through the scores at x' contribute",
)

# Sizes of products in Hölder's inequality.
tangent_entry = random(
    "tangent_entry", r"\hat\Theta_{a'i',b'j'}", "entry of the tangent kernel of the layer's input"
)
weight_entry = random("weight_entry", r"\tilde G_{cc'}", "attention weight")
input_entry = random("input_entry", "g_{c1}", "entry of the layer's input")
# Lemma 22.
value_form = random(
    "value_form", r"\bar S_n", "sum of Lemma 22 over heads and columns of values, and coordinates"
)
weight_a = random("weight_a", r"\tilde G_{ac_1}(x)", "attention weight at token a")
weight_b = random("weight_b", r"\tilde G_{bc_2}(x')", "attention weight at token b")
weight_v_i = random("weight_v_i", r"\tilde W^V_{i'k}", "weight of a column of values")
weight_v_j = random("weight_v_j", r"\tilde W^V_{j'k}", "weight of the same column")
# Lemma 25.
weight_v_other = random(
    "weight_v_other", r"\tilde W'^V_{i_2'k'}", "weight of a column of values of another head"
)
value_of_c = random("value_of_c", "V_{c_2k}(x')", "entry of the column of values, at c₂")
value_of_c_other = random("value_of_c_other", "V'_{c_2k'}(x')", "entry of that column of another head, at c₂")
g_c_i = _input("g_c_i", "g_{c_2i_1'}(x')", "token c₂, coordinate i'₁")
g_c_other = _input("g_c_other", "g_{c_2i_2'}(x')", "token c₂, coordinate i'₂")
row_form = random(
    "row_form",
    r"\textstyle\sum_{j'} \hat\Theta_{a'i',b'j'} \sqrt d\,\partial G_{bd_2}/\partial g_{b'j'}",
    "derivative of a score along a row of the tangent kernel, times the root of the width",
)
tangent_row = LETTERS.thing(
    Vector("tangent_row"),
    r"\hat\Theta_{a'i',b'\cdot}",
    "row of the tangent kernel of tokens a' and b'",
    Kind.VECTOR,
)
valued_part = real(
    "valued_part",
    r"\mathbb{E}\,\Theta^{VV}_{ab}",
    "mean of what the derivatives through the values contribute to the tangent kernel",
)
crossed_back = real(
    "crossed_back",
    r"\mathbb{E}\,\Theta^{GV}_{ab}",
    "mean of what derivatives through the scores at x and through the values at x' contribute",
)
total_mean = real(
    "total_mean",
    r"\mathbb{E}\,\Theta_{n,ab}",
    "mean of the tangent kernel of the layer given its input, at finite width",
)

# ζ may mix rows: matrices with an entry for each two scores, one of x and one of x'.
kernel_kernel = LETTERS.thing(
    Vector("kernel_kernel"),
    r"\tilde\kappa \otimes \tilde\kappa",
    "products of the input's kernel at two queries and at two keys",
    Kind.MATRIX,
)
tangent_kernel = LETTERS.thing(
    Vector("tangent_kernel"),
    r"\tilde\Theta \otimes \tilde\kappa",
    "products of the input's tangent kernel at two queries and its kernel at two keys",
    Kind.MATRIX,
)
kernel_tangent = LETTERS.thing(
    Vector("kernel_tangent"),
    r"\tilde\kappa \otimes \tilde\Theta",
    "products of the input's kernel at two queries and its tangent kernel at two keys",
    Kind.MATRIX,
)
all_slopes = LETTERS.thing(
    Operator("all_slopes"),
    r"\mathcal{D}_{\text{all}}",
    "means of products of derivatives of attention weights by scores of any rows, by which means"
    " of products of attention weights change with the covariances of all scores",
    Kind.MATRIX,
)

# Equations (21) and (29).
tangent_product = real(
    "tangent_product",
    r"\partial f_{ai}(x) \partial f_{bj}(x')^\top",
    "inner product of the derivatives of two outputs by the parameters of this layer and below",
)
own_a = LETTERS.thing(
    Vector("own_a"),
    r"\partial_{\theta^\ell} f_{ai}(x)",
    "derivative of an output by the parameters of the layer itself",
    Kind.VECTOR,
)
own_b = LETTERS.thing(
    Vector("own_b"), r"\partial_{\theta^\ell} f_{bj}(x')", "the same of an output at x'", Kind.VECTOR
)
through_a = LETTERS.thing(
    Vector("through_a"), r"\partial_g f_{ai}(x)", "derivative of an output by the layer's input", Kind.VECTOR
)
through_b = LETTERS.thing(
    Vector("through_b"), r"\partial_g f_{bj}(x')", "the same of an output at x'", Kind.VECTOR
)
tangent_operator = LETTERS.thing(
    Operator("tangent_operator"),
    r"\hat\Theta",
    "tangent kernel of the layer's input, of tokens and coordinates",
    Kind.MATRIX,
)
score_slope = real(
    "score_slope",
    r"\partial (Q_{au} K_{d_1u}) / \partial g_{a'i'}",
    "derivative of the product of a query and a key of one column by an input",
)
query_number = LETTERS.number("query_number", "Q_{au}", "entry of a query", REAL)
key_number = LETTERS.number("key_number", "K_{d_1u}", "entry of a key", REAL)
weight_q_number = LETTERS.number("weight_q_number", r"\tilde W^Q_{i'u}", "weight of queries", REAL)
weight_k_number = LETTERS.number("weight_k_number", r"\tilde W^K_{i'u}", "weight of keys", REAL)

# Lemma 24 for two heads.
heads_form = random("heads_form", r"\bar S^{12}", "sum of Lemma 24, with derivatives of scores of two heads")
S_first = size("S_first", r"\hat\kappa_{d_1d_1}(x, x)", "mean square of the input of d₁")
score_form = random(
    "score_form", r"\bar S_n", "sum of Lemma 23 over heads, columns of values, and coordinates"
)
slopes_form = random(
    "slopes_form",
    r"\bar S^{11} D^1",
    "sum of Lemma 24 for one head, times two derivatives of its attention weights by scores",
)
mixed_slopes = random(
    "mixed_slopes",
    r"\tilde G_{ac_1} D \partial G_{bd_2}",
    "attention weight times derivatives of another one and of a score by an input",
)

# Equation (33).
mixed_sum = random(
    "mixed_sum", r"\bar S_n", "sum in the proof of Lemma 25 over heads, columns of values and coordinates"
)
scaled_terms = random(
    "scaled_terms",
    r"\textstyle\sum \hat\Theta \tilde W^O \tilde W^O \tilde W^V V \tilde G \partial\tilde G"
    r" \sqrt d\,\partial G",
    "sum of the products under the mean of (33), over heads, columns of values and coordinates",
)
unit_terms = random(
    "unit_terms",
    r"\textstyle\sum \hat\Theta \tilde W^O \tilde W^O \tilde W^V \tilde V \tilde G"
    r" \partial\tilde G \sqrt d\,\partial G",
    "the same sum with values of the scale one",
)
