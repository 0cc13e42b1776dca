"""Figures 1 to 5, computed anew from the exact law and drawn."""

from theorems.attention_limit.figures.divergences import FIGURE_FIVE, FIGURE_FOUR, FIGURE_ONE, FIGURE_THREE
from theorems.attention_limit.figures.histograms import FIGURE_TWO

__all__ = ["FIGURE_FIVE", "FIGURE_FOUR", "FIGURE_ONE", "FIGURE_THREE", "FIGURE_TWO"]
