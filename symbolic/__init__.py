"""Exact mathematics in SymPy: definitions, derivations, closed forms."""

import symbolic.fixed_order  # noqa: F401 - before SymPy is asked anything
