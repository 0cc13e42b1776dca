"""Letters of Appendices C and D: positional encodings and skip connections."""

from theorems.engine import half_line
from theorems.infinite_attention.letters.table import LETTERS, UNIT, random, size

alpha = LETTERS.number("alpha", r"\alpha", "share of what is kept", UNIT)
order = LETTERS.number("order", "t", "order of a moment", half_line(1))
moment_sum = size(
    "moment_sum",
    r"\mathbb{E}|\tilde g|^t",
    "absolute moment of an input with a positional encoding added",
)
moment_g = size("moment_g", r"\mathbb{E}|g|^t", "absolute moment of the input")
moment_noise = size(
    "moment_noise", r"\mathbb{E}|E|^t", "absolute moment of the positional encoding"
)
skipped_a = random("skipped_a", "g_{a1}(x)", "input of the layer at one token")
skipped_b = random("skipped_b", "g_{b1}(x')", "input of the layer at another token")
attended_a = random("attended_a", r"\tilde f_{a1}(x)", "output of attention at one token")
attended_b = random("attended_b", r"\tilde f_{b1}(x')", "output of attention at another token")
g_input = random("g_input", "g", "entry of a layer's input")
encoding = random("encoding", r"\varepsilon", "entry of the positional encoding at the same token")
