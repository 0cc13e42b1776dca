"""Section 6: the experiments, and what the paper concludes from them.

Section 6.1 trains students on the labels of a teacher (Figure 1), and Section 6.2 compares with an
IndRNN on an autoregressive task (Figure 2).
"""

SECTIONS = ("teacher", "labels", "sizes", "linearisation_error", "widths", "autoregressive", "lags")
