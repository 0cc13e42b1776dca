r"""Letters for Section 4: the number K of the widths that suffice."""

from theorems.shallow_transformer.letters.paper import LETTERS, POSITIVE

needed = LETTERS.quantity("needed", "K", "log(n/δ) over the square of the accuracy", POSITIVE)
