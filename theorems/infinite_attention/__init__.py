"""Infinite attention: kernels of deep attention networks, in the limit of many heads (appendices).

Notation: G scores, ζ what is done to them, G̃ = ζ(G); κ̃ and Θ̃ the kernels of a layer's input, an
entry for each two inputs and two tokens; κ and Θ those of its output; τ the exponent of the width
by which scores are divided. Only the appendices are at hand: equations of the main text stand here
as the appendices use them.

The folders and modules that ``SECTIONS`` names are those of the paper in its order. Beside them
stand the letters of all claims.
"""

from theorems.engine import Contents, Paper

CONTENTS = Contents("""
Appendix A: Experimental details
  Appendix A.1: CIFAR-10
    Appendix A.1.1: Hyperparameter search
    Appendix A.1.2: Details for Figure 2
      Equation (15)
    Appendix A.1.3: Details for Figure 3
    Appendix A.1.4: Details for Figure 4
    Appendix A.1.5: Details for Table 2
  Appendix A.2: IMDb
    Appendix A.2.1: General settings for Table 3 and Table 4
    Appendix A.2.2: Details for Table 3
    Appendix A.2.3: Details for Table 4
Appendix B: Proofs
  Equation (16)
  Lemma 5: Exchangeability
  Definition 6: Uniform integrability
  Appendix B.1: NNGP convergence
    Theorem 3: Limit of many heads
      Equation (7)
      Equation (17)
      Equation (18)
    Lemma 7
      Equation (19)
    Lemma 8: Infinite exchangeability
    Lemma 9: Zero mean and covariance
    Lemma 10: Convergence of variance
    Lemma 11
    Appendix B.1.1: Convergence of the scores
      Lemma 12
      Lemma 13
      Lemma 14
      Corollary 15
      Lemma 16
      Lemma 17
  Appendix B.2: NTK convergence
    Equation (20)
    Equation (21)
    Theorem 18: NTK convergence
      Equation (22)
    Appendix B.2.1: Direct contribution
      Lemma 19
      Lemma 20
      Lemma 21
        Equation (23)
        Equation (24)
        Equation (25)
        Equation (26)
    Appendix B.2.2: Indirect contribution
      Equation (27)
      Lemma 22
        Equation (28)
      Lemma 23
        Equation (29)
        Equation (30)
      Lemma 24
        Equation (31)
      Lemma 25
        Equation (32)
      Lemma 26
      Equation (33)
      Equation (34)
      Equation (35)
  Appendix B.3: Expressivity of attention kernels
    Proposition 2: Constant coefficients are not enough
    Proposition 4: Random coefficients are enough
      Equation (8)
  Appendix B.4: Auxiliary results
    Lemma 27
    Lemma 28
    Theorem 29
    Lemma 30: Slutsky's lemmas
      Equation (36)
    Lemma 31: Weak law for exchangeable triangular arrays
    Lemma 32: Moment propagation
    Lemma 33: Convergence of inner products
      Equation (37)
      Equation (38)
      Equation (39)
      Equation (40)
Appendix C: Positional encodings
  Appendix C.1: NNGP limit
  Appendix C.2: NTK limit
Appendix D: Residual attention
""")

PAPER = Paper(
    prefix="inf",
    title="Infinite attention: NNGP and NTK for deep attention networks",
    authors="Jiri Hron, Yasaman Bahri, Jascha Sohl-Dickstein, Roman Novak",
    contents=CONTENTS,
    year=2020,
    link="https://arxiv.org/abs/2006.10540",
)

SECTIONS = (
    "experiments",
    "assumptions",
    "exchangeability",
    "kernel_limit",
    "tangent_limit",
    "expressivity",
    "auxiliary",
    "positional_encodings",
    "residual_attention",
)
