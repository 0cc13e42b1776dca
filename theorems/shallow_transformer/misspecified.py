"""Remarks 9 and 10: what is asked of the target and of the radius of the projection."""

from __future__ import annotations

import sympy as sp

from symbolic.equality import equal
from theorems.engine import Obligations, claim

RADIUS = claim(
    "st.rem10",
    at="Remark 10",
    title="The transported parameters lie in the feasible set",
    states=r"\rho \ge \bar\nu,\ v \in \mathcal{V}_{\bar\nu} \implies \tilde\varphi \in \Omega_\rho",
    assuming="ρ ≥ ν̄ holds in each of the three components",
)


@RADIUS.proved(controls={"without_the_root": {"power": 0}, "too_small": {"missing": 1}})
def each_block_of_each_head(power: int = 1, missing: int = 0) -> Obligations:
    """m^(1/2)|c̃ − c⁽⁰⁾| = |v_c| ≤ ν̄_c ≤ ρ_c, and so for U and W, since |c⁽⁰⁾| = 1."""
    m = sp.Symbol("m", positive=True)
    size, less, more = sp.symbols("size less more", nonnegative=True)
    bound = size + less  # ν̄, a bound of the size |v|
    radius = bound + more - missing * (1 + bound + more)
    for block, sign in (("c", 1), ("U", 1), ("U", -1), ("W", 1), ("W", -1)):
        moved = sp.sqrt(m) * abs(sign * size * m ** (-sp.Rational(power, 2)))
        yield f"distance of {block}, sign {sign}", equal(moved, size)
    yield "within the radius", (radius - size).is_nonnegative
