"""Section 3.2: the transformer of the paper, compared with the usual one.

Remark 1 puts one matrix in the place of keys and queries, and Remark 2 one neuron behind each head.
"""

SECTIONS = ("queries_and_keys", "mean_pooling", "independent_heads")
