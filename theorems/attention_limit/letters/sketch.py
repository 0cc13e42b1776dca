"""Letters of Sections 3 and 4: what the theorems are about, and what the proof compares."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    REAL,
    SIZE,
    law,
    random,
    real,
    size,
    some_function,
    thing,
    vector,
)

# Averages of a function over the coordinates

averaged = some_function(
    "averaged", r"\psi", "function of the entries at one coordinate, of which averages are taken"
)
averaged_too = some_function("averaged_too", r"\chi", "another function of the entries at one coordinate")
averaged_at = some_function(
    "averaged_at",
    r"\psi",
    "function of the entries at one coordinate and of the dot products, which is averaged",
)
vectors = thing("vectors", "h", "vectors of a program, all of them together")
one_vector = vector("one_vector", "h^i", "vector number i")
vector_count = LETTERS.number("vector_count", "k", "number of the vectors", SIZE)
entries = law("entries", r"h_\alpha", "entries of the vectors at one coordinate")
entries_limit = law("entries_limit", "Z^h", "limits of the entries of the vectors")

# Vectors behind an attention layer

vectors_behind = thing(
    "vectors_behind",
    "h",
    "vectors behind the layer, functions of vectors of a program and of dot products at each"
    " coordinate; the limits of their entries are Z^h",
)
entries_behind = law(
    "entries_behind",
    r"h_\alpha",
    "entries of vectors behind the layer at one coordinate; their limits are Z^h, and those of the"
    " dot products are p̊",
)
entries_elsewhere = law("entries_elsewhere", r"h_\beta", "entries of the same vectors at another coordinate")

# Images under matrices, and their dot products

images = thing(
    "images", "g", "vectors of a program, all of them together; the limits of their entries are Z^g"
)
one_image = vector("one_image", "g^i", "vector number i")
image_count = LETTERS.number("image_count", "m", "number of the vectors", SIZE)
image_entries = law("image_entries", r"g_\alpha", "entries of the vectors at one coordinate")
images_limit = law("images_limit", "Z^g", "limits of the entries of the vectors")
dot_products = law("dot_products", "p", "all dot products together; their limits are p̊")
dot_products_alone = law("dot_products_alone", "p", "all dot products together")
dot_limits = law("dot_limits", r"\mathring{p}", "limits of all dot products together")
growing_width = LETTERS.quantity("growing_width", "n", "width, which tends to infinity", SIZE)
dot_product = random("dot_product", "p_i", "dot product i, divided by the root of the width")
dot_limit = random("dot_limit", r"\mathring{p}_i", "limit of dot product i")
dot_limit_other = random("dot_limit_other", r"\mathring{p}_k", "limit of dot product k")
factor_g = vector("factor_g", "g^i", "first factor of dot product i, image of a vector under a matrix")
factor_h = vector("factor_h", "h^i", "second factor of dot product i, image of a vector under a matrix")
factor_g_limit, factor_h_limit, other_g_limit, other_h_limit = (
    random(
        f"factor_{name}{number}_limit",
        f"Z^{{{name}^{number}}}",
        f"limit of an entry of the {place} factor of dot product {number}",
    )
    for number in "ik"
    for name, place in (("g", "first"), ("h", "second"))
)
dot_weight = LETTERS.number("dot_weight", "t_i", "coefficient of dot product i", REAL)
other_weight = LETTERS.number("other_weight", "t_k", "coefficient of dot product k", REAL)

# What the proof sketch compares

at_width = real(
    "at_width",
    r"\mathbb{E}f\bigl(\tfrac{1}{n}\textstyle\sum_\alpha\psi(g_\alpha, p)\bigr)",
    "mean of a test function of the average",
)
given_scores = real(
    "given_scores",
    r"\mathbb{E}f(\mathbb{E}[\psi(Z^g, p) \mid p])",
    "the same for the mean over the limits, at the scores of finite width",
)
in_the_limit = real(
    "in_the_limit",
    r"\mathbb{E}f(\mathbb{E}[\psi(Z^g, \mathring{p}) \mid \mathring{p}])",
    "the same at the limits of the scores",
)
S_1 = size("S_1", "S_1", "what replacing the average by its mean given the scores changes")
S_2 = size("S_2", "S_2", "what replacing the scores by their limits changes")
