"""Convergence of the two kernels of an attention layer to those of infinitely many heads."""

from theorems.infinite_attention.figures.convergence import NNGP_FIGURE, NTK_FIGURE

__all__ = ["NNGP_FIGURE", "NTK_FIGURE"]
