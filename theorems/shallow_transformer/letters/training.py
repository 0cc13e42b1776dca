r"""Letters for what is said of Theorem 1 at special problems, and of Proposition 1.

What stochastic descent does is there as means over the index drawn at one step, and as means over
all sequences of indices.
"""

from theorems.shallow_transformer.letters.paper import LETTERS, REAL, real, size

_LOSS, _SUM = r"\widehat{\mathcal{L}}_n", r"\frac{1}{\tau}\sum_{s<\tau}"


# Problems without tokens
level = LETTERS.number("level", r"\sigma(0)", "value of the activation at zero", REAL)

# Remarks 9 and 10
c_shift = size("c_shift", r"|\tilde c_i-c_i^{(0)}|", "way of an output weight from its start")
U_shift = size("U_shift", r"\|\tilde U_i-U_i^{(0)}\|", "way of a read-out vector from its start")
W_shift = size("W_shift", r"\|\tilde W_i-W_i^{(0)}\|_F", "way of an attention matrix")
eps_target = size(
    "eps_target", r"\max_j|f^*-\tilde f(\cdot;v)|", "distance of f* and the function of the map"
)

# Along runs of students
quotient = real(
    "quotient",
    r"\max_{s<\tau}\frac{\mathrm{left}_s}{\mathrm{right}_s}",
    "largest quotient of the left and the right side of an inequality of the proof, along a run",
)

# Proposition 1: means over all sequences of indices, given the start
_GIVEN = r"\mid\varphi^{(0)}"


def _mean(inside: str) -> str:
    return rf"\mathbb{{E}}[{inside}{_GIVEN}]"


expected_mean = size(
    "expected_mean", _SUM + _mean(_LOSS + r"(\varphi^{(s)})"), "mean over the steps of mean losses"
)
expected_least = size(
    "expected_least", _mean(r"\min_{s<\tau}" + _LOSS + r"(\varphi^{(s)})"), "mean of the least loss"
)
expected_average = size(
    "expected_average",
    _mean(_LOSS + r"(\bar\varphi^{(\tau)})"),
    "mean of the loss at the mean of the iterates",
)
