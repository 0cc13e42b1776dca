"""The paper's figures and two more, each computed from sampled networks and drawn."""

from theorems.eoc_mlp.figures.runs import FIGURE_ONE, NORMS, NTK_ERROR

__all__ = ["FIGURE_ONE", "NORMS", "NTK_ERROR"]
