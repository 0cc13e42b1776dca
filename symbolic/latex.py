"""LaTeX of closed forms in the paper's symbols."""

from collections.abc import Callable
from types import MappingProxyType

import sympy
from sympy import Expr

from symbolic import cosine_maps, gradient_dependence
from symbolic.arguments import choice
from symbolic.notation import DELTA, a, b, latex, rho, w, z

__all__ = ["closed_form_latex", "closed_forms", "latex"]

_FORMS: MappingProxyType[str, tuple[str, Callable[[], Expr]]] = MappingProxyType(
    {
        "delta_phi": (r"\Delta_\phi", lambda: cosine_maps.delta_phi(a, b)),
        "kappa_phi": (r"\kappa_\phi", lambda: cosine_maps.kappa_phi(a, b)),
        "varrho": (r"\varrho(\rho)", lambda: cosine_maps.varrho(rho, DELTA)),
        "varrho_prime": (r"\varrho'(\rho)", lambda: cosine_maps.varrho_prime(rho, DELTA)),
        "varrho_second": (r"\varrho''(\rho)", lambda: cosine_maps.varrho_second(rho, DELTA)),
        "zeta": (r"\zeta(z)", lambda: cosine_maps.zeta(z, DELTA)),
        "zeta_prime": (r"\zeta'(z)", lambda: cosine_maps.zeta_prime(z, DELTA)),
        "omega": (r"\omega(w)", lambda: cosine_maps.omega(w, DELTA)),
        "omega_prime": (r"\omega'(w)", lambda: cosine_maps.omega_prime(w, DELTA)),
        "integral_w1": (
            r"\mathbb{E}\,\phi'(u_1)\phi'(u_2)(w_1^2 - 1)",
            lambda: gradient_dependence.integral_w1(rho, b),
        ),
        "integral_w1w2": (
            r"\mathbb{E}\,\phi'(u_1)\phi'(u_2)(w_1 w_2 + \rho)",
            lambda: gradient_dependence.integral_w1w2(rho, b),
        ),
        "bound_printed": (
            r"\frac{|\epsilon|}{\|B_1\|\|B_2\|} \text{ (printed)}",
            lambda: gradient_dependence.bound_printed(rho, DELTA),
        ),
        "bound_sharp": (
            r"\frac{|\epsilon|}{\|B_1 B_2^*\|} \text{ (sharp)}",
            lambda: gradient_dependence.bound_sharp(rho, DELTA),
        ),
    }
)


def closed_forms() -> tuple[str, ...]:
    """Names of the closed forms that `closed_form_latex` knows.

    >>> closed_forms()[:3]
    ('delta_phi', 'kappa_phi', 'varrho')
    """
    return tuple(_FORMS)


def closed_form_latex(name: str) -> str:
    r"""The closed form of one function or bound as an equation, or as an inequality.

    Raises ValueError for an unknown name.

    >>> print(closed_form_latex("varrho_prime"))
    \varrho'(\rho) = \frac{2 \Delta_{\phi} \arcsin \rho}{\pi} - \Delta_{\phi} + 1
    """
    left, form = _FORMS[choice(name, "name", _FORMS)]
    relation = r"\le" if name.startswith("bound") else "="
    return f"{left} {relation} {latex(sympy.sympify(form()))}"
