r"""Letters for Fact 4 and Definition 1: lengths of Gaussian vectors, and their probabilities."""

from theorems.shallow_transformer.letters.paper import chance, random, size

G_length = random("G_length", r"\|G\|_2", "length of a standard normal vector of dimension d")
G_mean = size("G_mean", r"\mathbb{E}\|G\|_2", "mean length of a standard normal vector")
chi_both = chance(
    "chi_both",
    r"\mathbb{P}\bigl(\bigl|\|G\|_2-\mathbb{E}\|G\|_2\bigr|\ge t\bigr)",
    "both tails of the length of a standard normal vector",
)
chi_far = chance(
    "chi_far",
    r"\mathbb{P}\bigl(\|G\|_2\ge\sqrt d+t\bigr)",
    "upper tail of the length, from the root of the dimension on",
)
chi_within = chance("chi_within", r"\mathbb{P}(\chi^2_d\le r^2)", "chance that one length is at most r")
largest_chance = chance(
    "largest_chance",
    r"\mathbb{P}\bigl(\max_{i\le m}\|G_i\|_2\le r\bigr)",
    "chance that m lengths are at most r",
)
start_chance = chance(
    "start_chance",
    r"\mathbb{P}\bigl(\max_{i\in[m]}\|U_i^{(0)}\|_2\le r\bigr)",
    "chance that all lengths at the start are at most r",
)
