"""MLPs at the EOC: Concentration of the NTK (Terjék, González-Sánchez).

Notation: φ(s) = a s + b |s|, σ² = 1/(a² + b²), Δ = b² σ², κ = (|a| + |b|) σ.
"""

from theorems.engine import Paper

PAPER = Paper(
    prefix="eoc",
    title="MLPs at the EOC: Concentration of the NTK",
    authors="Dávid Terjék, Diego González-Sánchez",
)

SECTIONS = (
    "introduction",
    "preliminaries",
    "network",
    "one_layer",
    "all_layers",
)
