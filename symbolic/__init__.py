"""Exact mathematics in SymPy: definitions, derivations, closed forms."""
