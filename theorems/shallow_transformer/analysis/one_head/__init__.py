"""Section 5.2, second part: how steep and how curved one head is (Lemma 2 and Appendix A.3).

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
