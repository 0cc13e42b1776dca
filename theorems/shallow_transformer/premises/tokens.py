"""Premises by name about tokens and one head: letters range over the whole of their domains.

``premises.networks`` has the same ones for networks: widths are at least 2, radii positive there.
"""

from theorems.shallow_transformer.premises.named import Premises, as_declared

_PREMISES = Premises(as_declared)

stands_for, largest, least = _PREMISES.stands_for, _PREMISES.largest, _PREMISES.least
what_is_assumed, bridge = _PREMISES.what_is_assumed, _PREMISES.bridge
near_the_start, called = _PREMISES.near_the_start, _PREMISES.called
inferred, instance = _PREMISES.inferred, _PREMISES.instance
below_frobenius = _PREMISES.below_frobenius
