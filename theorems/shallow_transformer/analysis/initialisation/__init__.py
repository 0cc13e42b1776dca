"""Section 5.2, first part: the symmetric random start and the set of parameters around it.

The network starts at zero (Remark 5), the read-out vectors are short with high probability
(Definition 1), and so they are in the whole feasible set (Definition 2 and Equation (9)).
"""

SECTIONS = ("start_at_zero", "running_maximum", "event", "feasible_set")
