"""After Proposition 14: taking the dual commutes with differentiation, activation by activation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from symbolic.dual_activations import check_derivative_rule, derive_dual_derivative
from symbolic.equality import equal
from theorems.engine import Claim, Provenance, claim, half_line, open_interval

_ACTIVATIONS: tuple[tuple[str, str, str, Mapping[str, int]], ...] = (
    ("ab_relu", "the (a, b)-ReLU", "as + b|s|", {}),
    ("relu", "the ReLU", r"\max(s, 0)", {}),
    ("leaky_relu", "the leaky ReLU", r"\max(s, cs), 0 \le c < 1", {}),
    ("abs", "the absolute value", "|s|", {}),
    ("sign", "the sign", r"\operatorname{sgn}s", {}),
    ("step", "the step", r"1_{s > 0}", {}),
    ("identity", "the identity", "s", {}),
    ("monomial", "the cube", "s^3", {"degree": 3}),
    ("rectified_monomial", "the rectified square", r"\max(s, 0)^2", {"degree": 2}),
    ("hermite", "the third Hermite polynomial", r"\mathrm{He}_3(s)", {"degree": 3}),
    ("sin", "a sine", r"\sin(\omega s + \varphi)", {}),
    ("cos", "a cosine", r"\cos(\omega s + \varphi)", {}),
    ("exp", "an exponential", r"e^{cs}", {}),
    ("gaussian", "a Gaussian", r"e^{-cs^2}", {}),
    ("erf", "an error function", r"\operatorname{erf}(cs)", {}),
    ("gelu", "the GELU", r"s\,\Phi(s)", {}),
    ("clip", "a clipped identity", r"\min(\max(s, -c), c)", {}),
)


def _commutes(name: str, words: str, written: str, parameters: Mapping[str, int]) -> Claim:
    """The claim for one activation: both closed forms from their means, and the rule."""
    one = claim(
        f"eoc.quoted.p7.{name}",
        at="after Proposition 14",
        title=f"Dual and derivative commute for {words}",
        states=(
            rf"f(s) = {written} \implies \tfrac{{d}}{{d\rho}}\,\mathbb{{E}}f(s_1u_1)f(s_2u_2)"
            r" = s_1s_2\,\mathbb{E}f'(s_1u_1)f'(s_2u_2)"
        ),
        given={"rho": open_interval(-1, 1), "s1": half_line(0), "s2": half_line(0)},
        provenance=Provenance.QUOTED,
    )

    def differentiate_the_dual(factor: Any = 1) -> list[tuple[str, bool | None]]:
        """Derive both duals from their Gaussian means, then differentiate the first."""
        slope = derive_dual_derivative(name, **parameters).conclusion
        claimed = None if factor == 1 else factor * slope
        return check_derivative_rule(name, claimed=claimed, **parameters)

    one.proved(
        controls={"one_per_cent": {"factor": sp.Rational(101, 100)}, "sign": {"factor": -1}}
    )(differentiate_the_dual)
    return one


RULES = [_commutes(*activation) for activation in _ACTIVATIONS]

DUALS_COMMUTE = claim(
    "eoc.quoted.p7",
    at="after Proposition 14",
    title="Taking the dual commutes with differentiation",
    states=(
        r"\frac{d}{d\rho}\,\mathbb{E}f(u_1)f(u_2) = \mathbb{E}f'(u_1)f'(u_2),"
        r"\quad (u_1, u_2) \sim \mathcal{N}\Bigl(0,"
        r"\begin{bmatrix}1&\rho\\\rho&1\end{bmatrix}\Bigr)"
    ),
    given={"rho": open_interval(-1, 1)},
    assuming=("f is a polynomial, or an activation of the claims that this one rests on",),
    rests_on=RULES,
    provenance=Provenance.QUOTED,
)


@DUALS_COMMUTE.proved(controls={"twice": {"multiple": 2}, "once": {"derivatives": 1}})
def generating_functions(multiple: int = 1, derivatives: int = 2) -> list[tuple[str, bool | None]]:
    """For f = exp(xu - x²/2) and g = exp(yu - y²/2), which generate the Hermite polynomials.

    The mean of f(u₁)g(u₂) is exp(ρxy), and each derivative multiplies by x or y. Comparing the
    coefficients of x and y gives the rule for all polynomials.
    """
    x, y, u, rho = sp.symbols("x y u rho", real=True)
    log_mean = (x**2 + 2 * rho * x * y + y**2) / 2 - x**2 / 2 - y**2 / 2
    mean = sp.exp(multiple * rho * x * y)
    f = sp.exp(x * u - x**2 / 2)
    factors = x * y if derivatives == 2 else x
    return [
        ("log-mean of f(u₁)g(u₂), from the variance of xu₁ + yu₂", equal(sp.exp(log_mean), mean)),
        ("f' = x f", equal(sp.diff(f, u), x * f)),
        ("d/dρ mean = mean of f'(u₁)g'(u₂)", equal(sp.diff(mean, rho), factors * mean)),
    ]
