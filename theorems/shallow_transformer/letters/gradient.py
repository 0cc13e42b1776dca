r"""Letters for Lemma 1: the network as a function on a line through its parameters.

Along W + s Delta the logits are those of W plus s times their slopes, the inner products of the
tokens with Delta q; the weights, the pooled token and the network become functions of s.
"""

from typing import Any

from sympy import exp

from theorems.shallow_transformer.letters.paper import LETTERS, REAL, real, size
from theorems.shallow_transformer.letters.token import entry, r, s, t, total

others = real(
    "others", r"\sum_{k\ne i}c_kh(X;\theta_k)", "what the other heads contribute, times the root of m"
)
along = LETTERS.number("along", "s", "number that moves along a line of parameters", REAL)
U_a = real("U_a", r"\langle U_i,a_i\rangle", "inner product of read-out vector and pooled token")
v_a = real("v_a", r"\langle v,a_i\rangle", "inner product of any vector and pooled token")

activation_slope = LETTERS.function("activation_slope", r"\sigma'", "slope of the activation")
activation: Any = LETTERS.function("activation", r"\sigma", "activation of a number")
activation.fdiff = lambda self, _argindex=1: activation_slope(self.args[0])

logit_slope: Any = entry(
    "logit_slope", r"\dot z", "slope of a logit along Δ, which is the product of a token and Δ q"
)
readout: Any = entry("readout", r"(U_i^\top X)", "inner product of a token and the read-out vector")
token_logit = entry("token_logit", "z", "logit of a token before the weights move")
along_u: Any = entry("along_u", r"(X^\top u)", "inner product of a token and the vector u")
along_v: Any = entry("along_v", r"(X^\top v)", "inner product of a token and the vector v")


def odds(slope: Any, index: Any, place: Any) -> Any:
    """The exponential of a logit on the line."""
    return exp(token_logit(index) + place * slope(index))


def _weight(slope: Any) -> Any:
    return lambda index, place, size: odds(slope, index, place) / total(odds(slope, s, place), s, size)


def _entry_on_a_line(name: str, latex: str, meaning: str, slope: Any) -> Any:
    return entry(name, latex, meaning, closed_form=_weight(slope))


moved_weight: Any = _entry_on_a_line(
    "moved_weight", r"\alpha", "softmax weight of a token at W + s Δ", logit_slope
)
pushed_weight: Any = _entry_on_a_line(
    "pushed_weight", r"{\sigma_s(z+sX^\top v)}", "softmax weight of a token at the moved logits", along_v
)


def covariance(weight: Any, first: Any, second: Any, place: Any, size: Any) -> Any:
    """The covariance of two values of a token under the weights at a point of the line."""

    def mean(values: Any, index: Any) -> Any:
        return total(weight(index, place, size) * values(index), index, size)

    centred = (first(t) - mean(first, r)) * (second(t) - mean(second, r))
    return total(weight(t, place, size) * centred, t, size)


preactivation: Any = LETTERS.function(
    "preactivation",
    r"\langle U_i,a(X;W_i+s\Delta)\rangle",
    "preactivation of a head at W + s Δ",
    shown=0,
    closed_form=lambda place, size: total(_weight(logit_slope)(t, place, size) * readout(t), t, size),
)
coupling = LETTERS.function(
    "W_coupling",
    r"\langle (M_iU_i)q_X^\top,\Delta\rangle_F",
    "slope of the preactivation of a head along Δ, at W + s Δ: a covariance, by (8)",
    shown=0,
    closed_form=lambda place, size: covariance(moved_weight, readout, logit_slope, place, size),
)

coefficient = real("coefficient", r"U_i^\top M_i\,dW\,q_X", "derivative of the preactivation along dW")
trace_form = real("trace_form", r"\operatorname{tr}(q_XU_i^\top M_i\,dW)", "the same as a trace")
frobenius_form = real(
    "frobenius_form", r"\langle M_iU_iq_X^\top,dW\rangle_F", "the same as a Frobenius inner product"
)

# Remarks 3 to 5
slope_size = size("slope_size", r"|\sigma'(\langle U_i,a_i\rangle)|", "slope of the activation at a head")
image_size = size("image_size", r"\|M_iU_i\|", "length of the image of U under M")
h_partner = real("h_partner", r"h_{i+m/2}(X)", "output of the partner of a head")
output_start = real("output_start", r"f(X;\varphi^{(0)})", "output of the network at the start")
