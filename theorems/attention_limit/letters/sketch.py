"""Letters of Section 4: what the proof of the main theorem compares."""

from theorems.attention_limit.letters.table import real, size

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
