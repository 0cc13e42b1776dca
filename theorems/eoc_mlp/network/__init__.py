"""Section 3.1: the network, its activation function and its Jacobian.

The initialisation at the edge of chaos, Definition 2, Remark 3 and Equation (1).
"""

SECTIONS = ("edge_of_chaos", "activation", "parameterizations", "jacobian")
