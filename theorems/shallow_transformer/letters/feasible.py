r"""Letters for Definitions 1 and 2: blocks of parameters about the start, and Gaussian lengths."""

from theorems.shallow_transformer.letters.paper import LETTERS, UNIT, size, vector

share = LETTERS.number("share_of_way", "s", "share of the way between two points", UNIT)
block_first = vector(
    "block_first", r"(\varphi_b-\varphi_b^{(0)})", "block c, U or W of a head, less its start"
)
block_second = vector(
    "block_second", r"(\psi_b-\varphi_b^{(0)})", "the same block of other parameters, less its start"
)
U_length = size("U_length", r"\|U_i\|_2", "length of a read-out vector in the feasible set")
distance = size("distance", r"\|\varphi-\psi\|", "distance of two parameters")
image_distance = size(
    "image_distance",
    r"\|\Pi_{\Omega_\rho}\varphi-\Pi_{\Omega_\rho}\psi\|",
    "distance of the projections of two tuples of parameters",
)
