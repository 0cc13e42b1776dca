"""Section 5.2, second part: the gradient and the Hessian of one head (Lemma 2, Appendix A.3).

Part (a) is about the gradient, Equation (17); part (b) is about the Hessian, Equations (16) and
(18), whose largest block is a third cumulant of the tokens.
"""

SECTIONS = (
    "lipschitz",
    "third_cumulant",
    "four_numbers",
    "deviations",
    "hessian_blocks",
    "block_matrices",
    "largest_hessian",
)
