"""Cosine maps of "MLPs at the EOC": closed forms, their derivations, the limiting NTK."""

from symbolic.cosine_maps.closed_forms import (
    delta_phi,
    kappa_phi,
    omega,
    omega_prime,
    varrho,
    varrho_prime,
    varrho_second,
    zeta,
    zeta_prime,
)
from symbolic.cosine_maps.derivations import (
    derive_edge_of_chaos,
    derive_end_value,
    derive_omega_prime,
    derive_varrho,
    derive_varrho_prime,
    derive_varrho_second,
    derive_zeta_prime,
)
from symbolic.cosine_maps.expansion import derive_omega_expansion, omega_expansion
from symbolic.cosine_maps.limiting_ntk import limiting_ntk, limiting_ntk_profile

__all__ = [
    "delta_phi",
    "derive_edge_of_chaos",
    "derive_end_value",
    "derive_omega_expansion",
    "derive_omega_prime",
    "derive_varrho",
    "derive_varrho_prime",
    "derive_varrho_second",
    "derive_zeta_prime",
    "kappa_phi",
    "limiting_ntk",
    "limiting_ntk_profile",
    "omega",
    "omega_expansion",
    "omega_prime",
    "varrho",
    "varrho_prime",
    "varrho_second",
    "zeta",
    "zeta_prime",
]
