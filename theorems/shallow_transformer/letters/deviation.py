r"""Letters for Lemma 5: g and its parts at one head and at a pair of heads, tails and constants."""

from typing import Any

import sympy

from theorems.engine.statements.domain import open_interval
from theorems.engine.statements.letters import NamedFunction
from theorems.shallow_transformer.letters.paper import LETTERS, NONNEGATIVE, POSITIVE, random, real, size

# One head, and a pair of heads
g_c = size("g_c", "|g^{(c)}|", "size of the c-part of g at a head")
g_u = size("g_u", "|g^{(u)}|", "size of the U-part of g at a head")
g_w = size("g_w", "|g^{(w)}|", "size of the W-part of g at a head")
moved_size = size("moved_size", r"\|MU\|_2", "length of MU at a head")
g_bar = random("g_bar", r"\bar g", "mean over a pair of heads of g, or of a part of it")
Y_R = random("Y_R", "Y", "W-part of g, averaged over a pair of heads")
Y_copy = random("Y_copy", "Y'", "independent copy of Y")
Z_R = random("Z_R", "Z_i", "centred mean of g over a pair of random heads")
G_R = random("G_R", "G", "standard normal variable")
Z_mean = random("Z_mean", r"\overline{Z}", "mean of Z over all pairs of heads")
error_app = random("error_app", r"\varepsilon_{\mathrm{app}}", "largest error of f_lin at φ̃")
share = LETTERS.number(
    "exponent_share", "c", "factor in an exponent, below one half", open_interval(0, sympy.Rational(1, 2))
)


factorial = LETTERS.function(
    "factorial_of", "!", "factorial of a number", closed_form=lambda n: sympy.gamma(n + 1), well_known=True
)


def _with_a_mark(self: NamedFunction, printer: Any, exp: Any = None) -> str:
    inside = printer._print(self.args[0])
    text = f"{inside}!" if self.args[0].is_Symbol else f"({inside})!"
    return text if exp is None else f"({text})^{{{exp}}}"


factorial._latex = _with_a_mark  # type: ignore[method-assign]

# The best proxy of the W-part
threshold = LETTERS.number(
    "threshold", r"\tau", "size from which on the extremal variable is positive", NONNEGATIVE
)
positive_multiplier = LETTERS.number(
    "positive_multiplier", r"\lambda", "positive multiplier in an exponential moment", POSITIVE
)
log_moment = real("log_moment_Y", r"\log\mathbb{E}e^{\lambda(Y-\mathbb{E}Y)}", "logarithm of a moment of Y")
log_moment_extremal = real(
    "log_moment_extremal",
    r"\log\mathbb{E}e^{\lambda(Y_\tau-\mathbb{E}Y_\tau)}",
    "logarithm of a moment of Y_τ, which is |G| beyond the threshold and -|G| below it for a"
    " standard normal G",
)


def _distribution(x: Any) -> Any:
    return (1 + sympy.erf(x / sympy.sqrt(2))) / 2


def _proxy(lam: Any, tau: Any) -> Any:
    half = _distribution(lam - tau) + _distribution(lam + tau) - _distribution(lam)
    mean = (4 * sympy.exp(-(tau**2) / 2) - 2) / sympy.sqrt(2 * sympy.pi)
    return 2 / lam**2 * (sympy.log(2 * half) + lam**2 / 2 - lam * mean)


proxy_at = LETTERS.function(
    "proxy_at", "K", "proxy of the extremal variable", closed_form=_proxy, justified_by="st.lem5.mgf.sharp"
)
