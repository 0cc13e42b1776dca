"""Section 3.1: the initialisation keeps second moments, so that it is at the edge of chaos."""

from symbolic.cosine_maps import derive_edge_of_chaos
from symbolic.derivation import Derivation
from symbolic.gaussian import GaussianMean
from theorems.engine import Given, eq
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import SIGMA, a, b, claim, phi, phi_prime, sigma_of, u

INIT = claim(
    "eoc.init",
    at="Section 3.1",
    title="The initialisation is at the edge of chaos",
    states={
        "values": eq(sigma_of(a, b) ** 2 * GaussianMean(phi(u, a, b) ** 2, u), 1),
        "derivatives": eq(sigma_of(a, b) ** 2 * GaussianMean(phi_prime(u, a, b) ** 2, u), 1),
    },
    # The paper allows a = b = 0, where σ is undefined.
    assuming=[NOT_BOTH_ZERO],
)


@INIT.proved("values")
def second_moment(given: Given) -> Theorem:
    """Integrate φ(u)² against the Gaussian density."""
    return _with_scale(given, derive_edge_of_chaos("phi"))


@INIT.proved("derivatives")
def second_moment_of_derivative(given: Given) -> Theorem:
    """Integrate φ'(u)² against the Gaussian density."""
    return _with_scale(given, derive_edge_of_chaos("phi_prime"))


def _with_scale(given: Given, derivation: Derivation) -> Theorem:
    return given.instance(given.derived(derivation), {SIGMA: unfolded(sigma_of(a, b))})
