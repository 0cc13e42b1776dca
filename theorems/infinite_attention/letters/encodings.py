"""Letters of Appendices C and D: positional encodings and skip connections."""

from theorems.engine import half_line
from theorems.infinite_attention.letters.table import LETTERS, UNIT, random

alpha = LETTERS.number("alpha", r"\alpha", "share of what is kept", UNIT)
order = LETTERS.number("order", "t", "order of a moment", half_line(1))
skipped_a = random("skipped_a", "g_{a1}(x)", "input of the layer at one token")
skipped_b = random("skipped_b", "g_{b1}(x')", "input of the layer at another token")
attended_a = random("attended_a", r"\tilde f_{a1}(x)", "output of attention at one token")
attended_b = random("attended_b", r"\tilde f_{b1}(x')", "output of attention at another token")
g_input = random("g_input", "g", "entry of a layer's input")
encoding = random("encoding", r"\varepsilon", "entry of the positional encoding at the same token")
encoded = random("encoded", r"\tilde g", "the input's entry with the encoding's added")
output_a = random("output_a", "f_{a1}(x)", "output of the layer at one token")
output_b = random("output_b", "f_{b1}(x')", "output of the layer at another token")
