"""Finite-time analysis of gradient descent for shallow transformers (Arda, Cayci, Eryilmaz).

Notation: α softmax weights, a = Σ α_t X_t, M = Σ α_t (X_t − a)(X_t − a)ᵀ, h = σ(Uᵀa),
f = m^(−1/2) Σ c_i h_i; |X_t| ≤ 1, |q| ≤ 1; σ₀, σ₁, σ₂ bound |σ|, |σ′|, |σ″|.

The folders that ``SECTIONS`` names are those of the paper in its order, and so are their modules.
Beside them stand the letters and hypotheses of all claims, premises of proofs that several sections
share, samples, and the computations of figures; claims about figures are in ``experiments``.
"""

from theorems.engine import Contents, Paper

CONTENTS = Contents("""
Abstract
Section 1: Introduction
  Equation (1)
Section 2: Related work
Section 3: Problem setup
  Section 3.1: Data
  Section 3.2: Transformer architecture
    Equation (2)
    Equation (3)
    Equation (4)
    Remark 1
    Remark 2
  Section 3.3: Algorithms for empirical risk minimization
Section 4: Overview of main results
Section 5: Transformer NTK analysis
  Section 5.1: Transformer gradient analysis
    Lemma 1: Gradients
      Equation (5)
      Equation (6)
      Equation (7)
      Equation (8)
    Remark 3
    Remark 4
  Section 5.2: Initialization
    Remark 5
    Definition 1
    Definition 2
    Equation (9)
    Lemma 2
    Definition 3: Linear model
    Lemma 3: Linearization error
  Section 5.3: Transformer NTK
    Lemma 4: NTK decomposition
    Remark 6
  Section 5.4: Transportation mappings
    Equation (10)
    Remark 7
    Equation (11)
    Lemma 5: Approximation error
    Remark 8
  Section 5.5: Main results
    Theorem 1: ProjGD convergence
    Remark 9
    Remark 10
    Proposition 1: ProjSGD convergence
Section 6: Experimental results
  Section 6.1: Teacher–student scaling-law validation
    Figure 1: Width scaling across three metrics
  Section 6.2: IndRNN vs. Transformer architectures
    Figure 2: IndRNN vs. Transformer on the AR(L) task
Section 7: Conclusion
Appendix A: Proofs
  Appendix A.1: Useful facts
    Fact 1: Jacobian of softmax
    Fact 2: Bound for a(X; W)
    Fact 3: Bound for M(X; W)
    Fact 4: Gaussian norm concentration
  Appendix A.2: Proof of Lemma 1
    Equation (12)
    Equation (13)
    Equation (14)
    Equation (15)
  Appendix A.3: Proof of Lemma 2
    Equation (16)
    Equation (17)
    Equation (18)
  Appendix A.4: Proof of Lemma 3
    Equation (19)
  Appendix A.5: Proof of Lemma 4
  Appendix A.6: Proof of Lemma 5
    Equation (20)
  Appendix A.7: Proof of Theorem 1
    Lemma 6: Uniform envelope bounds
    Equation (21)
    Equation (22)
    Equation (23)
    Equation (24)
    Equation (25)
    Equation (26)
    Equation (27)
    Equation (28)
    Equation (29)
    Equation (30)
    Equation (31)
    Equation (32)
    Equation (33)
    Equation (34)
    Equation (35)
    Equation (36)
    Equation (37)
    Equation (38)
    Equation (39)
    Equation (40)
    Equation (41)
    Equation (42)
    Equation (43)
  Appendix A.8: Proof of Proposition 1
    Equation (44)
    Equation (45)
    Equation (46)
    Equation (47)
Appendix B: Experimental details
  Appendix B.1: IndRNN architecture
    Equation (48)
    Equation (49)
    Equation (50)
    Equation (51)
    Proposition 2
""")

PAPER = Paper(
    prefix="st",
    title="Finite-Time Analysis of Gradient Descent for Shallow Transformers",
    authors="Enes Arda, Semih Cayci, Atila Eryilmaz",
    contents=CONTENTS,
    year=2026,
    link="https://arxiv.org/abs/2601.16514",
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
