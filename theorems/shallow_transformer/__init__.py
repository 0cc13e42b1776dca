"""Finite-time analysis of gradient descent for shallow transformers (Arda, Cayci, Eryilmaz).

Notation: α softmax weights, a = Σ α_t X_t, M = Σ α_t (X_t − a)(X_t − a)ᵀ, h = σ(Uᵀa),
f = m^(−1/2) Σ c_i h_i; |X_t| ≤ 1, |q| ≤ 1; σ₀, σ₁, σ₂ bound |σ|, |σ′|, |σ″|.
"""

from theorems.engine import Paper

PAPER = Paper(
    prefix="st",
    title="Finite-Time Analysis of Gradient Descent for Shallow Transformers",
    authors="Enes Arda, Semih Cayci, Atila Eryilmaz",
)

SECTIONS = (
    "related_work",
    "model",
    "overview",
    "analysis",
    "experiments",
    "useful_facts",
    "envelopes",
    "recurrent",
)
