"""Letters of Appendix A: targets, sizes of data sets, distances of kernel matrices."""

from sympy import floor

from theorems.engine.rules import Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, REAL, SIZE, size

C_classes = LETTERS.number("C_classes", "C", "number of classes", SIZE)
kernel_ratio = LETTERS.number(
    "kernel_ratio", "c", "factor by which an empirical kernel matrix is too large", REAL
)
K_matrix = LETTERS.thing(
    Vector("K_matrix"), r"\mathcal{K}", "limiting kernel matrix of the training set", Kind.VECTOR
)
subset_size = LETTERS.function(
    "subset_size",
    "s",
    "largest number of examples, up to some number, that devices with batches share evenly",
    closed_form=lambda examples, devices, batch: devices * batch * floor(examples / (devices * batch)),
)
outputs_count = LETTERS.number(
    "outputs_count", "m", "number of independent outputs of which products are averaged", SIZE
)
examples = LETTERS.number("examples", "N", "number of examples in the training set", SIZE)
trace_k = size("trace_k", r"\operatorname{tr} \mathcal{K}", "trace of the limiting kernel matrix")
mean_distance = size(
    "mean_distance",
    r"\mathbb{E}\frac{\|\hat{\mathcal{K}} - \mathcal{K}\|_F^2}{\|\mathcal{K}\|_F^2}",
    "mean of the relative squared distance of the empirical kernel matrix from the limiting one",
)
