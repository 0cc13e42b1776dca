"""Premises by name about tokens and one head: letters range over the whole of their domains.

``premises.networks`` has the same ones for networks: widths are at least 2, radii positive there.
"""

from theorems.shallow_transformer.premises.named import ONE_HEAD, Premises

_PREMISES = Premises(ONE_HEAD)

what_is_assumed, near_the_start = _PREMISES.what_is_assumed, _PREMISES.near_the_start
inner_step = _PREMISES.inner_step
called, below_frobenius = _PREMISES.called, _PREMISES.below_frobenius
