"""MLPs at the EOC: Concentration of the NTK (Terjék, González-Sánchez).

Notation: φ(s) = a s + b |s|, σ² = 1/(a² + b²), Δ = b² σ², κ = (|a| + |b|) σ.

The folders that ``SECTIONS`` names are those of the paper in its order, and so are their modules.
Beside them stand the letters and hypotheses of all claims, premises of proofs that several sections
share, samples that they share, and figures.
"""

from theorems.engine import Contents, Paper

# Figure 1 stands under the remark that explains it; it is printed two pages later.
_CONTENTS = Contents("""
Abstract
Section 1: Introduction
  Theorem 1: Limiting concentration of K(θ) (simplified)
  Section 1.1: Related work
  Section 1.2: Contributions
Section 2: Preliminaries
Section 3: NTK at the EOC
  Section 3.1: Multilayer Perceptron
    Definition 2: (a, b)-ReLU
    Remark 3: Relation to other parameterizations
    Equation (1)
  Section 3.2: Layerwise Concentration of the NTK
    Definition 4: Neural Tangent Kernel
    Definition 5: Backpropagation matrices
    Proposition 6: Formula for K_θ(x₁, x₂)
      Equation (2)
    Proposition 7: Expectation of K_θ(x₁, x₂)
    Remark 8: Optimal q₁, …, q_l
      Equation (3)
    Proposition 9: Concentration of K_θ(x₁, x₂)
    Proposition 10: Backpropagation matrices are bounded
    Proposition 11: Expectation of X_k(x₁, x₂, θ_{1:k-1})
    Proposition 12: Concentration of cosine distances of activations
    Remark 13: Optimal γ₁, …, γ_{l-1}
      Equation (4)
      Figure 1: Error between the empirical and limiting inverse cosine distances
    Proposition 14: Concentration of norms of activations
    Proposition 15: Expectation of X'_{k,k}(x₁, x₂, θ_{1:k-1})
    Proposition 16: Expectation of X'_{k₁,k₂}(x, x, θ_{1:k₂-1})
    Proposition 17: Expectation of X'_{k₁,k₂}(x₁, x₂, θ_{1:k₂-1})
      Equation (5)
      Equation (6)
      Equation (7)
    Proposition 18: Concentration of X'_{k,k}(x₁, x₂, θ_{1:k-1})
    Proposition 19: Concentration of X'_{k₁,k₂}(x₁, x₂, θ_{1:k₂-1})
  Section 3.3: Limiting Concentration of the NTK
    Definition 20: Neural Tangent Kernel matrix
    Remark 21: Normalization factor
    Definition 22: Limiting NTK
    Definition 23: Limiting NTK matrix
    Proposition 24: Limiting concentration of norms of activations
      Equation (8)
    Proposition 25: Limiting concentration of cosines of activations
      Equation (9)
    Proposition 26: Limiting concentration of norms of backpropagation matrices
      Equation (10)
      Equation (11)
      Equation (12)
    Proposition 27: Limiting concentration of backpropagation inner products
      Equation (13)
      Equation (14)
    Theorem 28: Limiting concentration of K(θ)
      Equation (15)
    Remark 29: Optimal p
      Equation (16)
Section 4: Limitations and Future Directions
""")

PAPER = Paper(
    prefix="eoc",
    title="MLPs at the EOC: Concentration of the NTK",
    authors="Dávid Terjék, Diego González-Sánchez",
    contents=_CONTENTS,
    year=2025,
    link="https://arxiv.org/abs/2501.14724",
)

SECTIONS = ("introduction", "preliminaries", "network", "one_layer", "all_layers")
