"""MLPs at the EOC: Concentration of the NTK (Terjék, González-Sánchez).

Notation: φ(s) = a s + b |s|, σ² = 1/(a² + b²), Δ = b² σ², κ = (|a| + |b|) σ.
"""

from theorems.engine import Paper

PAPER = Paper(
    prefix="eoc",
    title="MLPs at the EOC: Concentration of the NTK",
    authors="Dávid Terjék, Diego González-Sánchez",
    sections=(
        "introduction",
        "preliminaries",
        "psi_norms",
        "activation",
        "network",
        "kernel_mean",
        "last_layer_net",
        "last_layer",
        "backpropagation_rows",
        "backpropagation_norms",
        "cosine_maps",
        "expectations",
        "duals",
        "distance_maps",
        "distance_proof",
        "distance_concentration",
        "distance_lower_tail",
        "layer_errors",
        "error_law",
        "figure_one",
        "norm_concentration",
        "gradient_proof",
        "gradient_independence",
        "derivative_products",
        "product_concentration",
        "ntk_matrix",
        "limit",
        "inverse_distances",
        "iterates",
        "simultaneous_norms",
        "cosine_steps",
        "simultaneous_cosines",
        "simultaneous_backpropagation",
        "backpropagation_products",
        "backpropagation_edge",
        "theorem_28",
        "theorem_28_explicit",
        "reduction",
        "exact_law",
        "regime",
    ),
)
