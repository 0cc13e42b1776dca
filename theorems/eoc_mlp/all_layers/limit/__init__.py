"""Definitions 22 and 23: the limiting tangent kernel, and its matrix over a data set."""

SECTIONS = ("recursion", "means", "matrix")
