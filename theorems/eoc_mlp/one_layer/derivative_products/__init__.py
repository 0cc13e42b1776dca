"""Proposition 18: how the inner products of derivatives in one layer concentrate.

The tail with constants, then its best rate and the printed form.
"""

SECTIONS = ("concentration", "rates")
