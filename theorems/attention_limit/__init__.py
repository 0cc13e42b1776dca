"""Infinite-width limit of a single attention layer (Sakai, Karakida, Imaizumi).

Notation: n width, s tokens, H heads; X rows of inputs, S = X Xᵀ/n their Gram matrix; p scores,
a softmax weights of a token, ṽ projected values, y outputs; Z^h limits of vectors, p̊ of scores;
q = aᵀΣa the variance of a limit output of one head given its scores.

The folders that ``SECTIONS`` names are those of the paper in its order, and so are their modules.
Beside them stand the letters and hypotheses of all claims, premises of proofs that several sections
share, samples, and the computations of figures.
"""

from theorems.engine import Contents, Paper

CONTENTS = Contents("""
Abstract
Section 1: Introduction
  Section 1.1: Related works
Section 2: Preliminary
  Section 2.1: Notation and setup of neural networks
    Equation (1)
    Equation (2)
  Section 2.2: Distribution of attention mechanism in previous setup
Section 3: Main theorem
  Section 3.1: Limiting distribution
    Definition 3.1: Limiting distribution
  Section 3.2: Statement
    Fact 3.1: NETSOR master theorem
    Assumption 3.1
    Theorem 3.1
    Corollary 3.2: Coordinatewise convergence
    Example 3.1: Multi-head attention
    Remark 3.1
    Remark 3.2
    Remark 3.3
Section 4: Proof sketch of Theorem 3.1
  Theorem 4.1
  Equation (3)
Section 5: Simulation and discussion
  Section 5.1: Effect of finite width
    Figure 1: Distribution of the output and its infinite-width limit
  Section 5.2: Scalings of the dot-product score and finiteness of heads
    Figure 2: Dot-product scores and outputs against their limits
Section 6: Conclusion
Appendix A: Notation summary
Appendix B: Simulation details and supplementary analysis
  Appendix B.1: General experimental setup
    Equation (4)
  Appendix B.2: Analysis of low-rank attention
    Appendix B.2.1: Specific setup for low-rank attention
    Appendix B.2.2: Results and discussion
      Figure 3: Low-rank attention
  Appendix B.3: Additional experiments on robustness
    Appendix B.3.1: Varying the spatial dimension
      Figure 4: Eight tokens
    Appendix B.3.2: Varying the activation function
      Figure 5: Inputs behind a ReLU
Appendix C: Mathematical tools
  Appendix C.1: Basics
    Lemma C.1
    Lemma C.2: Portmanteau lemma
    Fact C.1
    Remark C.1
    Fact C.2
  Appendix C.2: Pseudo-Lipschitz functions
    Definition C.1: Pseudo-Lipschitz functions
    Fact C.3
    Proposition C.3
    Lemma C.4
Appendix D: Remaining proofs
  Appendix D.1: Proof of Theorem 4.1
    Appendix D.1.1: Weak convergence of the dot products
      Proposition D.1
      Lemma D.2
      Equation (5)
      Lemma D.3
      Lemma D.4
      Lemma D.5
      Lemma D.6
      Lemma D.7
      Lemma D.8
      Lemma D.9
    Appendix D.1.2: S₁ converges to 0
      Equation (6)
      Equation (7)
      Lemma D.10
      Lemma D.11
        Equation (8)
    Appendix D.1.3: S₂ converges to 0
  Appendix D.2: Proof of Corollary 3.2
Appendix E: Sub-Gaussianity of the attention outputs
""")

PAPER = Paper(
    prefix="attn",
    title="Infinite-Width Limit of a Single Attention Layer: Analysis via Tensor Programs",
    authors="Mana Sakai, Ryo Karakida, Masaaki Imaizumi",
    contents=CONTENTS,
    year=2025,
    link="https://arxiv.org/abs/2506.00846",
)

SECTIONS = (
    "preliminary",
    "main_theorem",
    "proof_sketch",
    "simulations",
    "details",
    "tools",
    "proofs",
    "sub_gaussian",
)
