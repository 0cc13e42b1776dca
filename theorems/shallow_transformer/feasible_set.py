"""Section 5.2: the set of parameters near the initialisation (Definition 2) and (9)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.networks.transformer import Heads, project
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Discrepancy, Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain, half_line, open_interval

_NOTE = "proofs_notes/st_function_space.md#the-feasible-set"
_AT = "Definition 2"
_RADII: dict[str, Domain] = {
    name: half_line(0, closed=False) for name in ("rho_c", "rho_u", "rho_w")
}

NORM = claim(
    "st.eq9",
    at="(9)",
    title="Bound of the norms of all heads in the feasible set",
    states=(
        r"\mathcal{E}_{U,m}(\delta'),\ U_i \in \mathcal{U}_{\rho_u,i} \implies \|U_i\|_2"
        r" \le \sqrt d + \sqrt{2\log\tfrac{m}{2\delta'}} + \tfrac{\rho_u}{\sqrt m}"
        r" = B_{U,m}(\delta')"
    ),
    given={"m": integers(2), "d": integers(1), "delta_prime": open_interval(0, 1), **_RADII},
    assuming="m is even",
)


@NORM.proved(controls={"without_the_radius": {"radius": 0}, "not_scaled": {"power": 2}})
def triangle_inequality(radius: int = 1, power: int = 1) -> Obligations:
    """|U| ≤ |U⁽⁰⁾| + |U - U⁽⁰⁾|, with equality where U⁽⁰⁾ is on the sphere and U goes outwards."""
    first, second, gap = sp.symbols("x y gap", nonnegative=True)
    inner = first * second - gap  # Cauchy-Schwarz
    square = (first + radius * second) ** 2 - (first**2 + 2 * inner + second**2)
    yield "triangle", nonnegative(square)
    R, rho, m = sp.symbols("R rho m", positive=True)
    yield "attained", equal(R + rho / sp.sqrt(m), R + rho * m ** (-sp.Rational(power, 2)))


CONVEX = claim(
    "st.def2",
    at=_AT,
    title="The feasible set is convex, compact and contains the initialisation",
    states=(
        r"\varphi, \varphi' \in \Omega_\rho,\ 0 \le s \le 1 \implies"
        r" s\varphi + (1-s)\varphi' \in \Omega_\rho"
    ),
    given=_RADII,
    note=_NOTE,
)


@CONVEX.proved(controls={"outside": {"sign": -1}, "spheres": {"slack": -1}})
def product_of_balls(sign: int = 1, slack: int = 1) -> Obligations:
    """In each block r² - |s x + (1 - s) y|² ≥ 0 for |x|, |y| ≤ r about the centre.

    It is s a + (1 - s) b + s(1 - s)|x - y|² with a = r² - |x|² and b = r² - |y|².
    """
    a, b, distance = sp.symbols("a b D", nonnegative=True)
    r, y = sp.symbols("r y", positive=True)
    s = y / (1 + y)
    xx, yy = r**2 - a, r**2 - b
    xy = (xx + yy - sign * distance) / 2
    norm = s**2 * xx + (1 - s) ** 2 * yy + 2 * s * (1 - s) * xy
    claimed = s * a + (1 - s) * b + s * (1 - s) * distance
    yield "identity", equal(sp.simplify(r**2 - norm), claimed)
    gap = slack * (y * a + b) / (1 + y) + y * distance / (1 + y) ** 2
    yield "no negative term", nonnegative(gap)
    yield "which is the claimed one", equal(sp.simplify(gap - claimed), sp.S.Zero)


PROJECTION = claim(
    "st.def2.projection",
    at=_AT,
    title="The projection onto the feasible set, block by block",
    states=(
        r"\Pi_{\Omega_\rho}(\varphi)_B = \varphi^{(0)}_B + \min\Bigl(1,"
        r" \frac{\rho_B/\sqrt m}{\|\varphi_B - \varphi^{(0)}_B\|}\Bigr)(\varphi_B"
        r" - \varphi^{(0)}_B)"
    ),
    given=_RADII,
    assuming="B runs through the 3m blocks c_i, U_i, W_i, with the Frobenius norm for W_i",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PROJECTION.proved(controls={"reflected": {"factor": 2}, "towards_the_centre": {"inside": 1}})
def variational_inequality(factor: int = 1, inside: int = 0) -> Obligations:
    """⟨φ - Πφ, ψ - Πφ⟩ ≤ 0 for all ψ of the ball: (s - r)(⟨e, ψ⟩ - r), φ = s e, Πφ = r e, s > r.

    The distance in a product adds over the blocks, so that each block is projected for itself.
    """
    r, more, less = sp.symbols("r more less", nonnegative=True)
    s = r + more
    at = r * (1 - sp.Rational(inside, 2))
    along = r - less  # ⟨e, ψ⟩ ≤ |ψ| ≤ r
    product = (s - factor * at) * (along - at)
    yield "obtuse angle", nonnegative(-product)
    yield "on the sphere", equal(sp.sqrt(at**2), r)


NONEXPANSIVE = claim(
    "st.def2.nonexpansive",
    at=_AT,
    title="The projection does not increase distances",
    states=r"\|\Pi_{\Omega_\rho}\varphi - \Pi_{\Omega_\rho}\psi\| \le \|\varphi - \psi\|",
    given=_RADII,
    rests_on=[PROJECTION, CONVEX],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@NONEXPANSIVE.proved(controls={"one_inequality": {"second": 0}, "contraction": {"factor": 2}})
def add_two_variational_inequalities(second: int = 1, factor: int = 1) -> Obligations:
    """⟨φ - Πφ, Πφ - Πψ⟩ ≥ 0 and ⟨ψ - Πψ, Πψ - Πφ⟩ ≥ 0 add up to g = ⟨E - D, D⟩ ≥ 0.

    D = Πφ - Πψ, E = φ - ψ, and |E|² = |D|² + 2g + |E - D|².
    """
    x, p, y, q = (sp.Symbol(name, commutative=False) for name in ("x", "p", "y", "q"))

    def inner(left: sp.Expr, right: sp.Expr) -> sp.Expr:
        return sp.expand(left * right + right * left)

    total = inner(x - p, p - q) + second * inner(y - q, q - p)
    D, E = p - q, x - y
    yield "sum", bool(sp.expand(total - inner(E - D, D)) == 0)
    yield (
        "squares",
        bool(sp.expand(inner(E, E) - inner(D, D) - 2 * inner(E - D, D) - inner(E - D, E - D)) == 0),
    )
    d, g, rest = sp.symbols("d g rest", nonnegative=True)
    yield "|D| ≤ |E|", nonnegative(d + 2 * g + rest - factor * d)


@st.composite
def _two_points(draw: st.DrawFn) -> tuple[tuple[Heads, ...], tuple[float, ...]]:
    """A centre, two points up to five radii away, and radii of very different sizes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    m, d = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    radii = tuple(draw(st.sampled_from([1e-3, 0.3, 1.0, 20.0])) for _ in range(3))

    def far(scale: float) -> Heads:
        return Heads(
            scale * rng.standard_normal(m),
            scale * rng.standard_normal((m, d)),
            scale * rng.standard_normal((m, d, d)),
        )

    scale = draw(st.sampled_from([0.01, 1.0, 5.0]))
    return (far(1.0), far(scale), far(scale)), radii


def _flat(point: Heads) -> NDArray[np.float64]:
    return np.concatenate([point.c, point.U.ravel(), point.W.ravel()])


@NONEXPANSIVE.tested(over=_two_points, controls={"farther_centre": {"stretch": 1.5}})
def projected_pairs(case: Any, stretch: float = 1.0) -> Measured:
    """Distances of projected points over distances of points, for the code that trains."""
    (centre, first, second), radii = case
    images = [_flat(project(point, centre, radii)) for point in (first, second)]
    distance = np.linalg.norm(_flat(first) - _flat(second))
    return Measured(float(stretch * np.linalg.norm(images[0] - images[1]) / distance), 1e-12)


@PROJECTION.tested(over=_two_points, controls={"radius_not_scaled": {"power": 0.0}})
def optimality_of_the_code(case: Any, power: float = 0.5) -> Discrepancy:
    """The code's projection against the formula, head by head."""
    (centre, point, _), radii = case
    found = _flat(project(point, centre, radii))
    limits = [radius / centre.m**power for radius in radii]
    blocks = []
    for start, end, limit in zip(
        (centre.c, centre.U, centre.W), (point.c, point.U, point.W), limits, strict=True
    ):
        moved = (end - start).reshape(centre.m, -1)
        size = np.linalg.norm(moved, axis=1, keepdims=True)
        factor = np.minimum(1, limit / np.maximum(size, 1e-300))
        blocks.append((start.reshape(centre.m, -1) + factor * moved).ravel())
    # A dozen operations on coordinates of size 20 or so.
    return Discrepancy(float(np.abs(found - np.concatenate(blocks)).max()), 1e-13)
