"""Figures 1 and 2, computed anew and drawn."""

from theorems.shallow_transformer.figures.computed import FIGURE_ONE, FIGURE_TWO

__all__ = ["FIGURE_ONE", "FIGURE_TWO"]
