"""The letters of "MLPs at the EOC", each declared once, by subject and in the paper's order.

All of them stand in ``LETTERS``, and each can be imported from this package by its name.  Where
the paper gives one sign to several things, each has a name of its own: ``threshold`` is the
deviation t of a tail, ``t`` is the angle of two inputs.
"""

# The order of the imports is that of the paper, and so is that of the table.
from theorems.eoc_mlp.letters.table import LETTERS as LETTERS, claim as claim  # noqa: I001
from theorems.eoc_mlp.letters.matrices import *  # noqa: F403
from theorems.eoc_mlp.letters.tails import *  # noqa: F403
from theorems.eoc_mlp.letters.activation import *  # noqa: F403
from theorems.eoc_mlp.letters.network import *  # noqa: F403
from theorems.eoc_mlp.letters.last_layer import *  # noqa: F403
from theorems.eoc_mlp.letters.backpropagation import *  # noqa: F403
from theorems.eoc_mlp.letters.cosines import *  # noqa: F403
from theorems.eoc_mlp.letters.distances import *  # noqa: F403
from theorems.eoc_mlp.letters.figure import *  # noqa: F403
from theorems.eoc_mlp.letters.gradients import *  # noqa: F403
from theorems.eoc_mlp.letters.simultaneous import *  # noqa: F403
