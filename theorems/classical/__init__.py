"""Textbook facts that the papers rest on, with explicit constants: proved, or cited and tested."""

from theorems.engine import Paper

PAPER = Paper(
    prefix="classical",
    title="Textbook facts",
    authors="collected from textbooks",
    sections=(
        "exponential_moments",
        "bounded_sums",
        "gaussian_squares",
        "gaussian_maxima",
        "martingales",
        "nets",
    ),
)
