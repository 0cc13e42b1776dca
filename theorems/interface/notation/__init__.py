"""Formulas in one line of Unicode: their signs, their pieces, their indices and exponents."""
