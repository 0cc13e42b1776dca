"""SymPy asks what it knows of an expression in a fixed order.

What is asked first may decide what is found out, and so the form that an expression takes.  SymPy
shuffles these questions, each process otherwise, to bring faults of its own to light; here an
answer must not depend on the process.
"""

from importlib import import_module
from typing import Any

from sympy.core.random import seed

__all__ = ["begin_anew"]


def begin_anew() -> None:
    """Have SymPy try the same points from now on, wherever it tries an expression at random ones.

    >>> from sympy.core.random import random
    >>> begin_anew()
    >>> first = random()
    >>> begin_anew()
    >>> random() == first
    True
    """
    seed(0)


#: The module, and not the function that bears its name in the package.
_assumptions: Any = import_module("sympy.core.assumptions")
_assumptions.shuffle = list.sort
