"""Proposition 19: how the inner products of backpropagation matrices concentrate over one layer."""

SECTIONS = ("concentration",)
