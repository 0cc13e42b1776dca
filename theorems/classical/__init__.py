"""Textbook facts that the papers rest on, with explicit constants."""

from theorems.engine import Paper

PAPER = Paper(prefix="classical", title="Textbook facts", authors="collected from textbooks")

SECTIONS = (
    "exponential_moments",
    "nonnegative_terms",
    "bounded_sums",
    "gaussian_moments",
    "gaussian_squares",
    "gaussian_mixtures",
    "mixture_factors",
    "mixture_expansion",
    "gaussian_maxima",
    "martingales",
    "nets",
)
